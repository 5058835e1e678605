//! A character that is held back, as a value and not as bytes to read again, because what becomes of it depends on what
//! follows it: that may be far away. Bytes that only change the state of an encoding stand for no character.

use super::position::Position;
use crate::diagnostic::Context;
use crate::unicode::CodePoint;

/// A character that is held back.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) cp: CodePoint,
    /// Where it stands, if that may be reported.
    pub(super) place: Option<Place>,
    /// Whether it counts as a character: not what an ill-formed subsequence is read as.
    pub(super) counts: bool,
}

/// A place that may no longer be in memory.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Its offset in the input, in bytes.
    pub(super) offset: u64,
    pub(super) position: Position,
    pub(super) bytes: Vec<u8>,
    /// Its context, if that is to be shown.
    pub(super) context: Option<Context<'static>>,
}

/// Returns the bytes of these characters.
pub(super) fn bytes_of(held: &[Held]) -> Vec<u8> {
    let (mut bytes, mut offset) = (Vec::new(), None);
    for place in held.iter().filter_map(|held| held.place.as_ref()) {
        // Several may be read from the same bytes.
        if offset != Some(place.offset) {
            bytes.extend_from_slice(&place.bytes);
        }
        offset = Some(place.offset);
    }
    bytes
}
