//! Passes ASCII on while the encoding of a text is not known yet, up to the first signal.
//!
//! ```text
//! start ── held until it is surely text in bytes ──► ASCII, passed on ──► first signal ── held: the sample ──► judged
//!   │ a signal before that: the sample; nothing is passed on
//! ```
//!
//! So a long log can be converted as it is written, though its first umlaut comes after a megabyte of ASCII. What was
//! passed on cannot be taken back, so nothing is until the start is surely text in bytes (`begins_as_ascii` in
//! `wide.rs`). Nothing here depends on how the text is split into pieces: the detector sees the same head and sample as
//! for the whole text, because what it needs of the bytes that were passed is kept (`head`, `last`).

use super::answer::{Detection, Evidence};
use super::detection_sample::{
    DetectionSample, FirstSignal, HEAD, SAMPLE, first_signal, last_bytes,
};
use super::detector::Detector;
use super::wide::begins_as_ascii;

/// The detection of one text, up to its first signal.
///
/// `head` has the first bytes passed, at most [`HEAD`], and `last` the last of the others; `passed` is their total
/// number. Before the offset `judged`, the text is known to be ASCII in spite of its signals.
#[derive(Clone, Debug)]
pub struct Deferral {
    detector: Detector,
    head: Vec<u8>,
    last: Vec<u8>,
    passed: u64,
    judged: u64,
}

impl Deferral {
    /// Creates the detection of a text of which nothing is known.
    pub const fn new(detector: Detector) -> Self {
        Self { detector, head: Vec::new(), last: Vec::new(), passed: 0, judged: 0 }
    }

    /// Returns how many of the next bytes are ASCII without evidence, and whether a signal follows them in `bytes`.
    /// `last` says that the text ends with `bytes`. Signals before the offset `judged` are skipped.
    pub fn ascii(&self, bytes: &[u8], last: bool) -> (usize, bool) {
        let judged = usize::try_from(self.judged.saturating_sub(self.passed));
        let judged = judged.unwrap_or(usize::MAX).min(bytes.len());
        match first_signal(&bytes[judged..], last) {
            FirstSignal::At(at) => (judged + at, true),
            FirstSignal::None { passed } => (judged + passed, false),
        }
    }

    /// Returns the detection for a later part of the text.
    pub fn for_later_part(&self) -> Self {
        Self { judged: 0, ..self.clone() }
    }

    /// Whether detection continues after `detection`, the answer of [`Deferral::judge`] for these arguments: the sample
    /// is ASCII in spite of its signals, and the text has more. Its signals are then ignored.
    ///
    /// For example, a sample may begin at an escape sequence that no encoding explains. It says nothing about what
    /// comes after it, so the next signal behind the sample gets a sample of its own.
    pub fn goes_on(
        &mut self,
        detection: &Detection,
        ahead: &[u8],
        signal: usize,
        last: bool,
    ) -> bool {
        let judged = ahead.len().min(signal + SAMPLE);
        let goes_on = detection.evidence == Evidence::Ascii && !(last && judged == ahead.len());
        if goes_on {
            self.judged = self.passed + judged as u64;
        }
        goes_on
    }

    /// Whether the text, whose first bytes are `ascii`, can be passed on as ASCII before more of it is known.
    pub fn begins_as_ascii(ascii: &[u8]) -> bool {
        begins_as_ascii(ascii)
    }

    /// Judges the text by what is known of it; `None` if more of it is needed. `ahead` follows the bytes passed, and
    /// its first `signal` bytes are ASCII. `last` says that the text ends with it.
    pub fn judge(&self, ahead: &[u8], signal: usize, last: bool) -> Option<Detection> {
        self.judge_by(ahead, signal, last, Detector::judge)
    }

    /// Does the same, and for a text with a byte order mark of UTF-8 also reports what is ill-formed after it.
    pub fn judge_all(&self, ahead: &[u8], signal: usize, last: bool) -> Option<Detection> {
        self.judge_by(ahead, signal, last, Detector::judge_behind_mark)
    }

    fn judge_by(
        &self,
        ahead: &[u8],
        signal: usize,
        last: bool,
        judge: impl Fn(&Detector, &DetectionSample<'_>) -> Option<Detection>,
    ) -> Option<Detection> {
        let rest = &ahead[signal..];
        // If exactly `SAMPLE` bytes are there, the text may end with them or go on, and a truncated character at the
        // end counts only in the first case. That is known one byte later. Until then the sample stays one byte short,
        // so the detector asks for more, unless it begins with a byte order mark.
        let most = if last || rest.len() > SAMPLE { SAMPLE } else { SAMPLE - 1 };
        let bytes = &rest[..rest.len().min(most)];
        // The head may end in `ahead`. What `ahead` has between the head and the signal is the end of the ASCII before
        // the sample.
        let mut head = self.head.clone();
        let of_head = ahead.len().min(HEAD - head.len());
        head.extend_from_slice(&ahead[..of_head]);
        let before = [&self.last, &ahead[of_head.min(signal)..signal]].concat();
        let whole = last && bytes.len() == rest.len();
        let offset = self.passed + signal as u64;
        let before = last_bytes(&before);
        judge(&self.detector, &DetectionSample { head: &head, before, offset, bytes, whole })
    }

    /// Moves past `bytes`, which are ASCII.
    pub fn pass(&mut self, bytes: &[u8]) {
        let kept = bytes.len().min(HEAD - self.head.len());
        self.head.extend_from_slice(&bytes[..kept]);
        let last = [&self.last, last_bytes(&bytes[kept..])].concat();
        self.last = last_bytes(&last).to_vec();
        self.passed += bytes.len() as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxiconv_encodings::encoding::Encoding;

    #[test]
    fn a_first_line_of_ascii_is_passed_and_a_start_that_may_be_wide_is_held() {
        for (start, begins) in [
            (&b""[..], false),
            (b"line", false),
            (b"line\n", true),
            (b"\tline\r\n", true),
            (b"ok\n", true),
            (b"\nok", false),
            (b"a\nbc", false),
            (b"a\nbc\n", true),
            // U+4E0A in UTF-16BE and UTF-16LE.
            (b"N\n", false),
            (b"\nN", false),
            // A line of Devanagari, and one of hiragana, in UTF-16LE: NUL may follow the line feed.
            (b"H\t\n", false),
            (b"H\t\nx", true),
            (b"g0M0~0Y0\n", false),
            (b"g0M0~0Y0\n\r", true),
            // Cyrillic in UTF-16LE, with U+040A.
            (b"\x1F\x04\x40\x04\x0A\x04", false),
        ] {
            assert_eq!(Deferral::begins_as_ascii(start), begins, "{start:?}");
        }
        assert!(!Deferral::begins_as_ascii(&[b'x'; HEAD - 1]));
        assert!(Deferral::begins_as_ascii(&[b'x'; HEAD]));
    }

    #[test]
    fn a_text_is_judged_by_its_head_and_its_sample_however_it_was_passed() {
        let ascii = "plain text\n".repeat(1000);
        let mut deferral = Deferral::new(Detector::new());
        for piece in ascii.as_bytes().chunks(700) {
            assert_eq!(deferral.ascii(piece, false), (piece.len(), false));
            deferral.pass(piece);
        }
        let ahead = "and ünd".as_bytes();
        assert_eq!(deferral.ascii(ahead, false), (4, true));
        assert_eq!(deferral.judge(ahead, 4, false), None, "the sample is not full");
        let detection = deferral.judge(ahead, 4, true).unwrap();
        assert_eq!(
            (detection.encoding, detection.evidence),
            (Encoding::UTF_8, Evidence::WellFormed)
        );
        assert_eq!(deferral.head, &ascii.as_bytes()[..HEAD]);
        let long = [ahead, &[b'x'; SAMPLE]].concat();
        assert!(deferral.judge(&long, 4, false).is_some());
        let sample = &long[..4 + SAMPLE];
        assert_eq!(
            deferral.judge(sample, 4, false),
            None,
            "whether the text ends here is not known"
        );
        assert!(deferral.judge(sample, 4, true).is_some());
    }

    /// "wir können" in windows-1252. "nnen" alone would not be a word.
    #[test]
    fn the_word_before_the_first_signal_is_known_after_any_length_of_ascii() {
        let word = b"wir k\xF6nnen";
        for before in [0, 10, HEAD - 6, HEAD - 5, HEAD, HEAD + 50, HEAD + 70, 3 * HEAD] {
            let text = [&b"0123456789\n".repeat(3 * HEAD)[..before], &word[..]].concat();
            let whole = Detector::new().detect(&text);
            assert_eq!(whole.encoding, Encoding::WINDOWS_1252, "{before}");
            assert!(whole.confidence >= 90, "{before}: {whole}");
            for size in [1, 5, 70, 700] {
                let mut deferral = Deferral::new(Detector::new());
                text[..before].chunks(size).for_each(|piece| deferral.pass(piece));
                let ahead = &text[before..];
                assert_eq!(deferral.judge(ahead, 5, true), Some(whole.clone()), "{before} {size}");
            }
        }
    }

    #[test]
    fn a_sample_without_any_letter_beyond_ascii_is_passed_with_its_signals() {
        let mut deferral = Deferral::new(Detector::new());
        let text = [b"go \x1B$%there ".repeat(SAMPLE / 12 + 1), b"\x1B$% \xFF".to_vec()].concat();
        assert_eq!(deferral.ascii(&text, true), (3, true));
        let detection = deferral.judge(&text, 3, true).unwrap();
        assert_eq!(detection.evidence, Evidence::Ascii);
        assert!(deferral.goes_on(&detection, &text, 3, true));
        let (ascii, tells) = deferral.ascii(&text, true);
        assert!(tells && ascii >= SAMPLE, "{ascii}");
        deferral.pass(&text[..ascii]);
        let rest = &text[ascii..];
        let detection = deferral.judge(rest, 0, true).unwrap();
        assert!(!deferral.goes_on(&detection, rest, 0, true));
        // For a later part of the text, nothing was judged yet.
        assert_eq!(deferral.for_later_part().ascii(&text, true), (3, true));
    }
}
