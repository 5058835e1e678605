//! The plausible readings of a line, best first, with the percentages of the detector: what a user compares who knows
//! what the line should say.
//!
//! ```text
//! readings  windows-1252  93 %  Größe: 5 µm
//!           IBM850         4 %  Gr÷ße: 5 Ám
//! ```
//!
//! The encodings are those that the detector has compared for the text as a whole, because a line by itself says less,
//! and must not be said to be something else than the text.

use std::cmp::Reverse;
use std::ops::Range;

use super::{Cause, TextJudge, Verdict};
use crate::diagnosis::FindingGroup;
use oxiconv_detect::detection::{Detection, Evidence, Others, Recovery, RunnerUp};
use oxiconv_detect::mojibake::Restorer;
use oxiconv_encodings::codec::{Preceding, RestoredText, TextRepertoire, not_letters};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::take_least;
use oxiconv_encodings::unicode::{CodePoint, REPLACEMENT_CHARACTER};
use oxiconv_transcode::decode_lossy;
use oxiconv_transcode::diagnostic::{Context, Mojibake};

/// The most readings that are shown.
const MAX_READINGS: usize = 5;
/// The most encodings that are named for one reading.
const MAX_NAMES: usize = 2;
/// Below this, no character of several bytes continues, in any encoding (`codec/mixed.rs`).
const LOWEST: u8 = 0x30;

/// A reading of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineReading {
    /// The encodings that read it so.
    pub names: String,
    /// How likely that is, in percent.
    pub confidence: u8,
    /// The characters of the line, as far as it is known.
    pub line: Vec<CodePoint>,
    /// Those that the bytes of the finding are read as.
    pub marked: Range<usize>,
    /// Whether the line begins before and ends after these characters.
    pub is_cut: [bool; 2],
}

/// The encodings in which a text may be read.
#[derive(Clone, Debug)]
pub struct LineCandidates {
    all: Vec<RunnerUp>,
    /// The characters of the text if it is UTF-8, so that only bytes that are not are read in these encodings.
    among: Option<TextRepertoire>,
}

impl TextJudge {
    /// Returns the encodings in which a text with this verdict may be read, if it is read as UTF-8 and is ill-formed.
    /// `end` says that this is the whole text. There are none if it is in wide units, or in several encodings.
    pub fn candidates(&self, verdict: &Verdict, end: bool) -> Option<LineCandidates> {
        let is_in_bytes = verdict.whole.as_ref().is_none_or(|it| it.cause == Cause::Legacy);
        let (detection, recovery) = self.answer(end).filter(|_| is_in_bytes)?;
        let whole = |all| LineCandidates { all, among: None };
        let among = |all, known| LineCandidates { all, among: Some(known) };
        Some(match recovery {
            Recovery::Escaped(recovery) => {
                let Others { strays, fallback, .. } = detection.others?;
                let encoding = if strays == 0 { Encoding::UTF_8 } else { fallback? };
                let mut first = detection.first();
                first.encoding = encoding;
                let all = vec![first];
                match *recovery {
                    Recovery::Among(strays) => among(all, strays.known),
                    _ => whole(all),
                }
            }
            Recovery::Among(strays) => {
                let (mut all, _) = self.strays.ranking(end)?;
                // What the text as a whole says comes first.
                let is_its = |candidate: &RunnerUp| candidate.encoding == strays.encoding;
                if let Some(at) = all.iter().position(is_its) {
                    all[..=at].rotate_right(1);
                }
                among(all, strays.known)
            }
            Recovery::Whole(_) | Recovery::Unknown => match detection.evidence {
                Evidence::Letters | Evidence::Declaration | Evidence::SurrogatePairs => {
                    whole(ranked(&detection))
                }
                Evidence::MostlyWellFormed => {
                    let (all, known) = self.strays.ranking(end)?;
                    among(all, known)
                }
                _ => return None,
            },
        })
    }
}

/// Returns the answer and the runners-up, as far as they are likely at all.
fn ranked(detection: &Detection) -> Vec<RunnerUp> {
    let all = std::iter::once(detection.first()).chain(detection.runners_up.iter().copied());
    all.filter(|candidate| candidate.confidence > 0).collect()
}

impl LineCandidates {
    /// Returns the readings of the line of a group. Those with the same text are one, as likely as all of them
    /// together.
    pub fn readings(&self, group: &FindingGroup) -> Vec<LineReading> {
        let line = BytesOfLine::of(group);
        let mut readings: Vec<(LineReading, usize)> = Vec::new();
        for RunnerUp { encoding, confidence, .. } in &self.all {
            let Some((text, marked)) = self.read(&line, encoding) else { continue };
            let name = encoding.name();
            match readings.iter_mut().find(|(reading, _)| reading.line == text) {
                Some((reading, names)) => {
                    match *names {
                        ..MAX_NAMES => reading.names.push_str(&format!(", {name}")),
                        MAX_NAMES => reading.names.push_str(" ..."),
                        _ => {}
                    }
                    *names += 1;
                    reading.confidence = (reading.confidence + confidence).min(99);
                }
                None => {
                    let (names, confidence) = (name.to_owned(), *confidence);
                    let is_cut = line.is_cut;
                    readings
                        .push((LineReading { names, confidence, line: text, marked, is_cut }, 1));
                }
            }
        }
        // The judge's answer comes first, whatever the others say together.
        let mut others = readings.split_off(readings.len().min(1));
        let likely = |(reading, _): &(LineReading, usize)| Reverse(reading.confidence);
        readings.extend(take_least(&mut others, MAX_READINGS - 1, likely));
        readings.into_iter().map(|(reading, _)| reading).collect()
    }

    /// Reads a line in an encoding; `None` if that cannot read all of it. Returns the characters, and which of them the
    /// bytes of the finding are.
    fn read(
        &self,
        line: &BytesOfLine,
        encoding: &'static Encoding,
    ) -> Option<(Vec<CodePoint>, Range<usize>)> {
        let BytesOfLine { bytes, marked, .. } = line;
        let all = self.decode(bytes, encoding)?;
        // The bytes before a character are read alike without it, except for half of one.
        let len = |bytes| self.decode(bytes, encoding).map_or(0, |text| text.len());
        let start = len(&bytes[..marked.start]).min(all.len().saturating_sub(1));
        let end = len(&bytes[..marked.end]).clamp(start + 1, all.len().max(start + 1));
        let end = end.min(all.len());
        Some((all, start..end))
    }

    fn decode(&self, bytes: &[u8], encoding: &'static Encoding) -> Option<Vec<CodePoint>> {
        let restored = RestoredText::of(bytes, true);
        let bytes = restored.as_ref().map_or(bytes, |restored| &restored.bytes);
        let Some(known) = &self.among else { return Some(decoded(bytes, encoding)) };
        let mut mixed = encoding.mixed_with_utf8();
        let cuts = known.usual().map_or_else(Vec::new, |usual| {
            not_letters(bytes, 0..bytes.len(), Preceding::Border, false, usual)
        });
        let parts = mixed.split(bytes, known, false, &cuts);
        let mut text = Vec::new();
        let mut at = 0;
        let end = bytes.len()..bytes.len();
        for part in parts.into_iter().chain([end]) {
            text.extend(decoded(&bytes[at..part.start], Encoding::UTF_8));
            if !part.is_empty() {
                text.extend(mixed.units(&bytes[part.start..], part.len()).characters());
            }
            at = part.end;
        }
        let is_read = !cuts.is_empty() || !text.contains(&REPLACEMENT_CHARACTER);
        is_read.then_some(text)
    }
}

/// Decodes bytes, with U+FFFD for what is ill-formed.
fn decoded(bytes: &[u8], encoding: &'static Encoding) -> Vec<CodePoint> {
    decode_lossy(bytes, encoding).chars().map(CodePoint::from).collect()
}

/// The bytes of the line of a group, as far as its context has them.
struct BytesOfLine {
    bytes: Vec<u8>,
    marked: Range<usize>,
    is_cut: [bool; 2],
}

impl BytesOfLine {
    fn of(group: &FindingGroup) -> Self {
        let Context { before, after, .. } = &group.finding.context;
        let start = before.iter().rposition(|byte| *byte == b'\n').map(|at| at + 1);
        let is_cut = start.is_none() && before.len() as u64 != group.finding.offset;
        // The context may begin within a character. A few bytes may be lost if it is not known where the next one
        // begins.
        let next =
            || before.iter().position(|byte| *byte < LOWEST).filter(|at| *at < before.len() / 2);
        let start = start.unwrap_or_else(|| if is_cut { next().map_or(0, |at| at + 1) } else { 0 });
        let end = after.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let rest = end.unwrap_or_else(|| whole_characters(after));
        let marked = before.len() - start..before.len() - start + group.bytes.len();
        let bytes = [&before[start..], &group.bytes, &after[..rest]].concat();
        Self { bytes, marked, is_cut: [is_cut, end.is_none() && after.len() == Context::BYTES] }
    }
}

/// Returns the length of bytes without the start of a character of UTF-8 at their end.
fn whole_characters(bytes: &[u8]) -> usize {
    let error = std::str::from_utf8(bytes).err();
    error
        .filter(|error| error.error_len().is_none())
        .map_or(bytes.len(), |error| error.valid_up_to())
}

/// Returns the reading of a line with a damaged part: what it was before it was misread. The judge has one answer.
pub fn undamaged(group: &FindingGroup, mojibake: &Mojibake<'_>) -> Option<LineReading> {
    let BytesOfLine { bytes, marked, is_cut } = BytesOfLine::of(group);
    let line = String::from_utf8_lossy(&bytes);
    let mut damages = Restorer::default().look(&line);
    damages.retain(|damage| damage.range.end <= marked.start || damage.range.start >= marked.end);
    let (mut text, mut at) = (Vec::new(), 0);
    let mut parts: Vec<_> = damages.iter().map(|it| (it.range.clone(), &*it.meant)).collect();
    let own = parts.partition_point(|(range, _)| range.start < marked.start);
    parts.insert(own, (marked.clone(), &*mojibake.meant));
    let mut shown = 0..0;
    for (range, meant) in parts {
        text.extend(line.get(at..range.start)?.chars().map(CodePoint::from));
        let start = text.len();
        text.extend(meant.chars().map(CodePoint::from));
        if range == marked {
            shown = start..text.len();
        }
        at = range.end;
    }
    text.extend(line.get(at..)?.chars().map(CodePoint::from));
    let names = format!("{} read as {}", mojibake.written_in.name(), mojibake.read_as.name());
    Some(LineReading { names, confidence: mojibake.confidence, line: text, marked: shown, is_cut })
}
