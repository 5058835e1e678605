//! What [`Restorer`](super::Restorer) finds, by its own judgement or by a misreading that the user named. `transcode`
//! makes a finding of each, and with `--repair` writes what was meant.

use std::ops::Range;

use oxiconv_encodings::encoding::Encoding;

/// A damaged part of a text, and what it meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Its byte range in the text.
    pub range: Range<usize>,
    /// The text that was meant. Empty, with a confidence of 0, if that is unknown.
    pub meant: String,
    /// The encoding that its bytes were in.
    pub written_in: &'static Encoding,
    /// The charset that they were read in by mistake; the last one, if there were several.
    pub read_as: &'static Encoding,
    /// How many times they were misread.
    pub times: u32,
    /// Confidence in percent.
    pub confidence: u8,
}
