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
mod tests;
