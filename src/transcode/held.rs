//! A character that is held back until the next one is known: a carriage return that may end its line differently from the
//! others, and an invisible character that may do something there.
//!
//! The next character may be far away: bytes that only change the state of an encoding stand for no character. So a
//! character is held back as a value, and not as bytes to read again, until the next character, the next fault or the end
//! of the text.
//!
//! ```text
//! CR ─► Held ─┬─ LF: the line ends with both
//!             └─ anything else: with CR alone         ─► put, or a finding where the CR stands
//! ```

use super::context_buffer::OwnedContext;
use crate::unicode::CodePoint;

/// A character whose next one is not known yet.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) cp: CodePoint,
    /// Its offset in the input, in bytes.
    pub(super) offset: u64,
    /// Its bytes.
    pub(super) bytes: Vec<u8>,
    /// Its context, if that is to be shown.
    pub(super) context: Option<OwnedContext>,
}
