//! Decides how to read a text that is ill-formed in UTF-8, for `--fallback auto`, the hints and `--explain`.
//!
//! ```text
//! start, rest ─► Detector ─┬ a charset, by letters or by its own declaration ─► Whole: no byte of it is UTF-8
//!                          ├ UTF-8, or not settled by letters                ─► Among: the strays' encoding
//!                          └ nothing that is sure enough                     ─► Unknown
//! ```
//!
//! The detector, which also answers `--detect` and `-f auto`, comes first, so that all of them agree. When stray bytes
//! were judged on their own, `--fallback auto` named other charsets for legacy text than `--detect`, and kept sequences
//! that are UTF-8 by chance. Now a text in a charset is read in it as a whole, a text in UTF-8 keeps its well-formed
//! characters, and if nothing is sure, nothing is read.
//!
//! The judge may be asked in the middle of a text, when its first ill-formed byte arrives. What was well-formed before
//! that may be gigabytes long, so [`TextStart`] keeps only what the detector would look at.

use super::answer::{Detection, Evidence, RunnerUp};
use super::detection_sample::{DetectionSample, HEAD, MARK, SAMPLE, last_bytes};
use super::detector::Detector;
use super::other_lines::OtherLines;
use super::restored_answer::of_escaped;
use super::strays::{self, Strays};
use super::utf8_census::Census;
use oxiconv_encodings::codec::{RestoredText, TextRepertoire};
use oxiconv_encodings::encoding::{Encoding, Family, wide_mark};

/// An encoding in which lines have fewer non-ASCII bytes than this may be a wrong guess, so it is not held against the
/// encoding of the others.
const MIN_OF_ANOTHER: usize = 8;
/// The confidence, in percent, from which on characters that are well-formed UTF-8 are believed to be so by chance.
pub(super) const SURE: u8 = 90;

/// How the bytes of a text are read that are not UTF-8.
#[derive(Clone, Debug)]
pub enum Recovery {
    /// The whole text is in this encoding. What is well-formed UTF-8 is so by chance.
    Whole(&'static Encoding),
    /// The text is UTF-8 with these stray bytes.
    Among(Strays),
    /// The text is UTF-8 in which Python has escaped bytes. Once they are restored, this reads them, as far as they are
    /// not parts of characters.
    Escaped(Box<Self>),
    /// Nothing is sure enough.
    Unknown,
}

/// What reads the bytes of a text that are not UTF-8.
#[derive(Clone, Debug)]
pub struct RecoveringEncoding {
    /// Their encoding.
    pub encoding: &'static Encoding,
    /// Whether the whole text is in it.
    pub whole: bool,
    /// What the rest of the text is known to have.
    pub known: TextRepertoire,
}

impl Recovery {
    /// Returns what reads the bytes as they are; `None` if nothing is sure enough, or if they have to be restored first.
    pub fn encoding(self) -> Option<RecoveringEncoding> {
        match self {
            Self::Whole(encoding) => {
                Some(RecoveringEncoding { encoding, whole: true, known: TextRepertoire::default() })
            }
            Self::Among(Strays { encoding, known, .. }) => {
                Some(RecoveringEncoding { encoding, whole: false, known })
            }
            Self::Escaped(_) | Self::Unknown => None,
        }
    }
}

/// The well-formed start of a text, as far as it is needed: its head, the last ASCII before the first non-ASCII byte,
/// and a sample from there on. What lies between is represented by a line feed, as in `DetectionSample::ascii`.
///
/// `between` is the number of ASCII bytes after the head, and `last` are the last of them. `beyond_ascii` is the index
/// of the first non-ASCII byte in `bytes`, once it was seen. `unseen` says that non-ASCII bytes were skipped.
#[derive(Clone, Debug, Default)]
pub struct TextStart {
    bytes: Vec<u8>,
    between: u64,
    last: Vec<u8>,
    beyond_ascii: Option<usize>,
    unseen: bool,
}

impl TextStart {
    /// Examines the bytes that follow.
    pub fn look(&mut self, text: &[u8]) {
        let mut text = text;
        let start = match self.beyond_ascii {
            Some(start) => start,
            None => {
                // This passes over all of a text in ASCII.
                let ascii = match text.is_ascii() {
                    true => text.len(),
                    false => text.iter().take_while(|byte| byte.is_ascii()).count(),
                };
                let kept = ascii.min(HEAD - self.bytes.len());
                self.bytes.extend_from_slice(&text[..kept]);
                let between = &text[kept..ascii];
                self.between += between.len() as u64;
                let last = [&self.last, last_bytes(between)].concat();
                self.last = last_bytes(&last).to_vec();
                text = &text[ascii..];
                if text.is_empty() {
                    return;
                }
                self.bytes = self.joined();
                *self.beyond_ascii.insert(self.bytes.len())
            }
        };
        let room = start + SAMPLE - self.bytes.len();
        self.bytes.extend_from_slice(&text[..text.len().min(room)]);
    }

    /// Skips `bytes` of the text. `beyond_ascii` says whether they have non-ASCII characters.
    pub(crate) fn skip(&mut self, bytes: u64, beyond_ascii: bool) {
        self.unseen |= beyond_ascii;
        self.between += bytes;
        self.last.clear();
    }

    /// Returns the head, a line feed for what is missing, and the last ASCII. Once a non-ASCII byte was seen, `bytes`
    /// has all of that already, with the sample after it.
    fn joined(&self) -> Vec<u8> {
        let last: &[u8] = if self.beyond_ascii.is_none() { &self.last } else { &[] };
        let has_gap = self.beyond_ascii.is_none() && self.between > last.len() as u64;
        let gap: &[u8] = if has_gap { b"\n" } else { b"" };
        [&self.bytes, gap, last].concat()
    }

    /// Returns the detector's answer for a text that begins with this and continues with `rest`, its first ill-formed
    /// region and what follows, and how the ill-formed bytes are read. `last` says that the text ends with `rest`;
    /// otherwise, `rest` is at least a sample.
    pub fn judge(&self, rest: &[u8], last: bool) -> (Detection, Recovery) {
        let sample = &rest[..rest.len().min(SAMPLE)];
        let is_end = last && sample.len() == rest.len();
        let restored = RestoredText::of(sample, is_end);
        let of_restored = restored.and_then(|RestoredText { bytes, restored }| {
            let (detection, recovery) = self.judge_bytes(&bytes, is_end);
            let detection = of_escaped(detection, restored.len() as u64)?;
            let is_read = detection.others.is_some_and(|others| others.fallback.is_some());
            let recovery = if is_read { recovery } else { Recovery::Unknown };
            Some((detection, Recovery::Escaped(recovery.into())))
        });
        of_restored.unwrap_or_else(|| self.judge_bytes(rest, last))
    }

    /// Returns the charsets that may read the stray bytes of such a text, if it is UTF-8, best first, and the
    /// characters of its well-formed part.
    pub(crate) fn ranking(
        &self,
        rest: &[u8],
        last: bool,
    ) -> Option<(Vec<RunnerUp>, TextRepertoire)> {
        let start = self.joined();
        let (start, rest, _) = without_mark(&start, rest);
        strays::ranking(start, rest, last)
    }

    /// Does the same as [`Self::judge`], and takes all bytes for what they are.
    fn judge_bytes(&self, rest: &[u8], last: bool) -> (Detection, Recovery) {
        let start = self.joined();
        let (start, rest, is_marked) = without_mark(&start, rest);
        let text = [start, &rest[..rest.len().min(SAMPLE)]].concat();
        let last = last && rest.len() <= SAMPLE;
        // A byte order mark of UTF-16 or UTF-32 is certain, whatever follows it.
        if let Some((_, scheme)) = wide_mark(&text) {
            return (Detection::new(scheme, 100, Evidence::Mark), Recovery::Unknown);
        }
        let judged = |text| Detector::new().judge_without_mark(&DetectionSample::of(text, last));
        let mut answer = judged(&text);
        if answer.0.evidence == Evidence::Ascii {
            // The sample began at a signal in ASCII, such as an escape sequence, and ended before anything is
            // ill-formed. But something is, or this would not be asked. So the sample is taken again from there.
            answer = judged(&text[start.len()..]);
        }
        let (detection, strays) = (answer.0.complete(), answer.1);
        let encoding = detection.encoding;
        let may_be_among = strays::may_be_among_utf8(encoding);
        // A text with a byte order mark is UTF-8. And no text in another encoding is well-formed for as long as what
        // was skipped.
        let may_be_whole = !is_marked && !self.unseen;
        let is_of_letters = matches!(detection.evidence, Evidence::Letters | Evidence::Declaration)
            && encoding.family != Family::Utf8;
        let named = match detection.evidence {
            Evidence::Units | Evidence::Escapes | Evidence::Binary => {
                return (detection, Recovery::Unknown);
            }
            // The lines are in several charsets, so no single fallback reads them.
            Evidence::Lines
                if strays.is_none()
                    || !OtherLines::of(&rest[..rest.len().min(SAMPLE)])
                        .are_all_read_by(encoding, MIN_OF_ANOTHER) =>
            {
                return (detection, Recovery::Unknown);
            }
            _ if is_of_letters && may_be_whole => {
                let is_sure = detection.confidence >= SURE || !has_utf8(&text);
                let recovery = match detection.is_by_letters() && may_be_among && is_sure {
                    true => Recovery::Whole(encoding),
                    false => Recovery::Unknown,
                };
                return (detection, recovery);
            }
            _ if detection.is_by_letters() || detection.evidence == Evidence::Lines => {
                Some(encoding).filter(|_| may_be_among)
            }
            _ => None,
        };
        let strays = strays.or_else(|| strays::judge(start, rest, last)).map(|strays| {
            let mut known = strays.known;
            if is_marked {
                known.look(MARK);
            }
            Strays { encoding: named.unwrap_or(strays.encoding), known, ..strays }
        });
        let strays = strays.filter(|strays| strays.tells || named.is_some());
        let detection = match detection.evidence {
            Evidence::WellFormed => {
                let rest = &rest[..rest.len().min(SAMPLE)];
                let census = Census::alone(rest, start.last().copied(), last);
                let fallback = strays.as_ref().map(|strays| strays.encoding);
                well_formed_before(detection, &census, fallback)
            }
            _ => detection,
        };
        (detection, strays.map_or(Recovery::Unknown, Recovery::Among))
    }
}

/// Adapts the answer for a text whose sample is UTF-8 if what comes after it is ill-formed.
fn well_formed_before(
    answer: Detection,
    after: &Census,
    fallback: Option<&'static Encoding>,
) -> Detection {
    Detection {
        evidence: Evidence::MostlyWellFormed,
        confidence: answer.confidence.min(Census::MAX_CONFIDENCE),
        others: after.others(fallback),
        ..answer
    }
}

/// Strips the byte order mark, and returns whether there was one.
fn without_mark<'t>(start: &'t [u8], rest: &'t [u8]) -> (&'t [u8], &'t [u8], bool) {
    match (start.strip_prefix(MARK.as_bytes()), rest.strip_prefix(MARK.as_bytes())) {
        (Some(start), _) => (start, rest, true),
        (None, Some(rest)) if start.is_empty() => (start, rest, true),
        _ => (start, rest, false),
    }
}

fn has_utf8(text: &[u8]) -> bool {
    text.utf8_chunks().any(|chunk| !chunk.valid().is_ascii())
}
