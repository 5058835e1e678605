//! What follows the characters that a stage holds. `settle` passes it to the stages, which decide what to do with them.
//!
//! Take `e`, held for its marks. Before U+0301 it waits. It also waits before an ill-formed byte that is left out,
//! because the text continues after that byte: with `OnIllFormed::Skip`, `65 FF CC 81` normalizes to é. Before a byte
//! that is replaced it is written, and so it is at the end.

use oxiconv_encodings::unicode::CodePoint;

/// What follows the characters that a stage holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FollowedBy {
    /// This character, which is about to be reported. Whatever does not belong together with it must be passed on
    /// first, so that findings are in the order of the text.
    Character(CodePoint),
    /// Something that is left out, or that is read as other characters by a fallback. What follows may still belong to
    /// what is held.
    Gap,
    /// Something else that is written, or a stop.
    Break,
    /// The end of the text, or of a record.
    End,
}
