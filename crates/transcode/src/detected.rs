//! What the start of an input says of its encoding.

use oxiconv_detect::detection::{Deferral, Detection, Detector, Evidence};
use oxiconv_encodings::encoding::Encoding;

/// Bytes at the start of a text that are examined to find out whether it begins as ASCII.
const MAX_HEAD: usize = 8 * 1024;

#[derive(Clone, Debug)]
pub(super) enum Detected {
    /// It is ASCII, which says nothing about the encoding.
    Later(Detector),
    /// This.
    Now(Box<Detection>),
}

impl Detected {
    /// Reads it from `start`, the first bytes of an input; `None` if more bytes are needed.
    ///
    /// There are three answers. A text that surely begins as ASCII in single bytes can be converted now and judged
    /// later, at its first signal. A text with a signal, or that ends here, is judged now. Any other text is too short
    /// so far: its bytes are ASCII, but they may also be half of something wider.
    pub(super) fn of(detector: Detector, start: &[u8], last: bool) -> Option<Self> {
        let deferral = Deferral::new(detector);
        let near = &start[..start.len().min(MAX_HEAD)];
        let (ascii, tells) = deferral.ascii(near, last && near.len() == start.len());
        if Deferral::begins_as_ascii(&start[..ascii]) {
            return Some(Self::Later(detector));
        }
        // In UTF-16, a word may consist of ASCII bytes, some of them controls, so those alone are no proof of ASCII.
        let all = last && near.len() == start.len();
        let detection = (tells || all).then(|| deferral.judge(start, ascii, last)).flatten()?;
        if detection.evidence == Evidence::Ascii {
            return Some(Self::Later(detector));
        }
        Some(Self::Now(Box::new(detection)))
    }

    /// Returns the encoding to begin with.
    pub(super) fn encoding(&self) -> &'static Encoding {
        match self {
            Self::Later(_) => Encoding::UTF_8,
            Self::Now(detection) => detection.read_as(),
        }
    }
}
