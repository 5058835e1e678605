//! One piece of a text that was cut where [`Cuts`](super::Cuts) allow it. Its output is a part of the output of the
//! whole.
//!
//! It is a text of its own, except for two things. If there is text before it, it has no byte order mark, its output
//! continues another, and offsets count from the start of the whole. If there is text after it, the end of its last
//! line is not its own.

use std::sync::{Arc, OnceLock};

use super::position::Position;
use crate::diagnostic::PieceExtent;
use oxiconv_encodings::encoding::Encoding;

/// A piece of a text.
#[derive(Clone, Debug)]
pub struct TextPiece {
    /// The encoding of the text, in its byte order.
    pub encoding: &'static Encoding,
    /// Where it begins in the text, in bytes.
    pub start: u64,
    /// Where it ends, once its source has read all of it.
    pub end: Arc<OnceLock<u64>>,
    /// The length of the whole text in bytes.
    pub size: u64,
}

impl TextPiece {
    /// Whether more of the text follows it.
    pub(super) fn goes_on(&self) -> bool {
        self.end.get().is_some_and(|end| *end < self.size)
    }

    /// Returns its extent, if it was read up to byte `offset` of the text and ends at `position`.
    pub(super) fn extent(&self, offset: u64, position: Position) -> PieceExtent {
        PieceExtent {
            range: self.start..self.end.get().copied().unwrap_or(offset),
            size: self.size,
            lines: position.line - 1,
            column: position.column,
        }
    }
}
