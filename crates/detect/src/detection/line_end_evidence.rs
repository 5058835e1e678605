//! What the line ends of a text say about the system that it was written on, and so about its charset.

use super::detection_sample::DetectionSample;
use oxiconv_encodings::encoding::System;

/// Line ends, as far as they are evidence for the system that wrote the text. A lone CR was the line end of the
/// Macintosh before Mac OS X, and of hardly anything else. LF is evidence for none, because every system may write it.
#[derive(Clone, Copy, Default)]
pub(super) enum LineEndEvidence {
    #[default]
    Any,
    Cr,
    CrLf,
}

impl LineEndEvidence {
    pub(super) fn of(sample: &DetectionSample<'_>) -> Self {
        let has = |byte| sample.head.contains(&byte) || sample.bytes.contains(&byte);
        match (has(b'\r'), has(b'\n')) {
            (true, false) => Self::Cr,
            (true, true) => Self::CrLf,
            (false, _) => Self::Any,
        }
    }

    /// Returns how unlikely they are in a file of a system, in bits.
    pub(super) const fn cost(self, system: System) -> u64 {
        match (self, system) {
            (Self::Cr, System::Macintosh) => 0,
            (Self::Cr, _) => 6,
            (Self::CrLf, System::Macintosh) => 3,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_of_a_system_speak_for_its_charsets() {
        // 8E is é in the Macintosh's charset and Ž in windows-1252.
        let mac = LineEndEvidence::of(&DetectionSample::of(b"caf\x8E\rcr\x8Fme\r", true));
        assert_eq!((mac.cost(System::Macintosh), mac.cost(System::Any)), (0, 6));
        let dos = LineEndEvidence::of(&DetectionSample::of(b"caf\x82\r\n", true));
        assert_eq!((dos.cost(System::Macintosh), dos.cost(System::Dos)), (3, 0));
    }
}
