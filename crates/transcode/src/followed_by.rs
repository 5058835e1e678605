//! What a stage that holds characters back must know of what comes next: a character, something that is left out or
//! read as other characters (the letter before it may continue after it), something else that is written, or the end.

use oxiconv_encodings::unicode::CodePoint;

/// What comes next, for a stage that holds characters back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FollowedBy {
    /// This character, which is about to be reported: what does not go together with it comes first.
    Character(CodePoint),
    /// Something that is left out, or read as other characters. What follows may belong to what is held back.
    Gap,
    /// Something else that is written, or a stop.
    Break,
    /// The end of the text, or of a record.
    End,
}
