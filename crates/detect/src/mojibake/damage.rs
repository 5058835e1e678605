//! What was found about a damaged part.

use std::ops::Range;

use oxiconv_encodings::encoding::Encoding;

/// A damaged part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// The text that was meant; empty, with a confidence of 0, if it is not known.
    pub meant: String,
    /// The encoding that its bytes were in.
    pub written_in: &'static Encoding,
    /// The charset that they were read in by mistake; the last one, if there were several.
    pub read_as: &'static Encoding,
    /// How many times.
    pub times: u32,
    /// How sure this is, in percent.
    pub confidence: u8,
}
