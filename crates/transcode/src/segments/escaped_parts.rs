//! The parts of a text in UTF-8 that Python has escaped (`codec/surrogate_escape.rs` in `encodings`), for `--repair`.
//!
//! ```text
//! region ─► its words, restored ─► UTF-8, and what the fallback reads ─► a part per run of characters that changes
//! C3 A9 20 ED B3 BC                C3 A9 20 FC                           ED B3 BC: ü
//! ```
//!
//! They are parts of a mixture like stray bytes, because they are read in the same encoding, and a word may have both.
//! What differs is that a part is read as what its bytes were, which must be remembered: the bytes around them decide
//! how they are read.
//!
//! A text has such parts only if all that is ill-formed in it are escaped bytes, as far as the detector looks. It
//! decides at the first region of the text, with 128 KiB of text after it.

use std::collections::VecDeque;
use std::ops::Range;

use super::super::pipeline_exit::Passed;
use super::super::policy::OnMojibake;
use super::super::stage::FollowedBy;
use super::super::text_walk::TextWalk;
use super::mixture::{Mixture, unfinished};
use crate::diagnostic::{Details, Finding, Kind};
use crate::io::Chunk;
use oxiconv_detect::detection::{LOOK, RecoveringEncoding, Recovery, TextStart};
use oxiconv_encodings::codec::{Mixed, RestoredText, TextRepertoire, has_escaped_bytes};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::{CodePoint, IllFormedKind};

/// What is known of the escaped bytes of a text.
pub(in super::super) struct EscapedParts {
    /// Whether the text has any; `None` until its first region.
    are_there: Option<bool>,
    /// Whether nothing else of the mixture is read, because no fallback was asked for.
    are_alone: bool,
    /// What reads the bytes that are not parts of characters, if anything does.
    reader: Option<Mixed>,
    /// Whether the whole text was in that encoding, so that nothing in it was UTF-8.
    whole: bool,
    known: TextRepertoire,
    /// What the parts are read as that have not been converted yet, in order, with their offsets.
    meant: VecDeque<(u64, Vec<CodePoint>)>,
}

/// A stretch of a word, and the characters that it is read as.
struct RestoredRun {
    /// Its bytes in the word, as it was.
    range: Range<usize>,
    characters: Vec<CodePoint>,
}

impl EscapedParts {
    /// Returns those of a conversion that repairs damage. `are_alone` says that it has no fallback.
    pub(super) fn of(mode: OnMojibake, are_alone: bool) -> Option<Self> {
        matches!(mode, OnMojibake::Repair | OnMojibake::Ask).then(|| Self {
            are_there: None,
            are_alone,
            reader: None,
            whole: false,
            known: TextRepertoire::default(),
            meant: VecDeque::new(),
        })
    }

    /// Whether it depends on the text after this region whether the text has escaped bytes.
    pub(super) fn awaits_text(&self, region: &[u8]) -> bool {
        self.are_there.is_none() && RestoredText::of(region, false).is_some()
    }

    /// Decides whether the text has escaped bytes, and what reads them unless that is named. `rest` is the text from
    /// its first region on, which is `region`, and `start` is what was learned before it. `last` says that the text
    /// ends with `rest`.
    pub(super) fn judge(&mut self, region: &[u8], start: &TextStart, rest: &[u8], last: bool) {
        if self.are_there.is_some() {
            return;
        }
        let recovery = self.awaits_text(region).then(|| start.judge(rest, last).1);
        self.are_there = Some(matches!(recovery, Some(Recovery::Escaped(_))));
        let Some(Recovery::Escaped(recovery)) = recovery else { return };
        let Some(RecoveringEncoding { encoding, whole, known }) = recovery.encoding() else {
            return;
        };
        (self.whole, self.known) = (whole, known);
        self.reader = Some(encoding.mixed_with_utf8());
    }

    /// Reads the bytes in the encoding that the user has named, whatever the detector said.
    pub(super) fn read_in(&mut self, named: &'static Encoding, known: &TextRepertoire) {
        if self.are_there == Some(true) {
            self.whole = false;
            self.known = known.clone();
            self.reader = Some(named.mixed_with_utf8());
        }
    }

    /// Finds the escaped parts in a region at `offset` of the text; `None` if it is none of such a text. `ends` says
    /// that the region ends where a word does. Returns how much of the region is settled.
    pub(super) fn split(
        &mut self,
        region: &[u8],
        offset: u64,
        ends: bool,
        parts: &mut VecDeque<Range<u64>>,
    ) -> Option<usize> {
        if self.are_there != Some(true) {
            return None;
        }
        // The last character may continue after the region.
        let end = region.len() - if ends { 0 } else { unfinished(region) };
        let region = &region[..end];
        let restored = RestoredText::of(region, true)?;
        let settled = if ends { region.len() } else { self.boundary(&restored) };
        let mut at = 0;
        for word in region[..settled].split_inclusive(|byte| *byte < 0x30) {
            let start = at;
            at += word.len();
            if !has_escaped_bytes(word) {
                continue;
            }
            for RestoredRun { range, characters } in self.read(word).unwrap_or_default() {
                let begin = offset + (start + range.start) as u64;
                parts.push_back(begin..begin + range.len() as u64);
                self.meant.push_back((begin, characters));
            }
        }
        Some(settled)
    }

    /// Returns the offset in a region, which was cut within a word, before which no character continues after it, in
    /// UTF-8 nor in the encoding of the reader. It is never 0, or the text would not come to an end.
    fn boundary(&mut self, restored: &RestoredText) -> usize {
        let bytes = &restored.bytes;
        let finished = bytes.len() - unfinished(bytes);
        let settled = match &mut self.reader {
            Some(reader) if std::str::from_utf8(&bytes[..finished]).is_err() => {
                // A byte that was not restored and continues a character of UTF-8 may begin one in the other encoding.
                let is_within = |at: usize| {
                    let next = bytes.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
                    next && restored.restored.binary_search(&at).is_err()
                };
                let mut settled = reader.readable(bytes, 0..bytes.len(), false).0;
                while settled > 0 && is_within(settled) {
                    settled = reader.readable(bytes, 0..settled - 1, false).0;
                }
                settled
            }
            _ => finished,
        };
        restored.origin(if settled == 0 { bytes.len() } else { settled })
    }

    /// Reads a word with its bytes restored, and returns the runs in which characters change. `None` if nothing reads
    /// all of it.
    fn read(&mut self, word: &[u8]) -> Option<Vec<RestoredRun>> {
        let restored = RestoredText::of(word, true)?;
        let bytes = &restored.bytes;
        let others = match &mut self.reader {
            Some(reader) if self.whole => reader.readable(bytes, 0..bytes.len(), true).1,
            Some(reader) => reader.split(bytes, &self.known, false, &[]),
            None => Vec::new(),
        };
        let mut runs = RunCollector { restored: &restored, runs: Vec::new() };
        let mut at = 0;
        let end = bytes.len()..bytes.len();
        for part in others.into_iter().chain([end]) {
            let text = std::str::from_utf8(&bytes[at..part.start]).ok()?;
            for (index, c) in text.char_indices() {
                let begin = at + index;
                runs.add(begin..begin + c.len_utf8(), &[c.into()], false);
            }
            at = part.end;
            let Some(reader) = self.reader.as_mut().filter(|_| !part.is_empty()) else { continue };
            let units = reader.units(&bytes[part.start..], part.len());
            for unit in units.iter() {
                let range = part.start + unit.range.start..part.start + unit.range.end;
                let is_ascii = bytes[range.clone()].is_ascii();
                runs.add(range, unit.characters, !is_ascii);
            }
        }
        Some(runs.runs)
    }

    /// Returns what the part at this offset of the text is read as, if it is one of these.
    fn take(&mut self, offset: u64) -> Option<Vec<CodePoint>> {
        self.meant.front().filter(|(at, _)| *at == offset)?;
        self.meant.pop_front().map(|(_, meant)| meant)
    }
}

/// Collects the runs of a word.
struct RunCollector<'r> {
    restored: &'r RestoredText,
    runs: Vec<RestoredRun>,
}

impl RunCollector<'_> {
    /// Adds the characters that bytes of the word are read as, if they change: if a byte was restored, or if the bytes
    /// are UTF-8 by chance only and are read in another encoding.
    fn add(&mut self, bytes: Range<usize>, characters: &[CodePoint], is_other: bool) {
        let restored = self.restored;
        let was_restored =
            restored.restored_before(bytes.start) < restored.restored_before(bytes.end);
        if !is_other && !was_restored {
            return;
        }
        let range = restored.origin(bytes.start)..restored.origin(bytes.end);
        match self.runs.last_mut().filter(|run| run.range.end == range.start) {
            Some(run) => {
                run.range.end = range.end;
                run.characters.extend_from_slice(characters);
            }
            None => self.runs.push(RestoredRun { range, characters: characters.to_vec() }),
        }
    }
}

/// What is known of a region of the text.
pub(super) enum EscapedSplit {
    /// It is like any other.
    Not,
    /// It has no other parts than the escaped ones, and this much of it is settled.
    Settled(usize),
    /// It depends on the text after it.
    Unknown,
    /// No region of the text has parts.
    Never,
}

impl Mixture {
    /// Finds the escaped parts in a region of the chunk.
    pub(super) fn escaped_in(
        &mut self,
        chunk: &Chunk<'_>,
        base: u64,
        region: &Range<usize>,
    ) -> EscapedSplit {
        let Some(escaped) = &mut self.escaped else { return EscapedSplit::Not };
        let (bytes, rest) = (&chunk.bytes[region.clone()], &chunk.bytes[region.start..]);
        if escaped.are_there.is_none() {
            if rest.len() < LOOK && !chunk.last && escaped.awaits_text(bytes) {
                return EscapedSplit::Unknown;
            }
            escaped.judge(bytes, &self.start, rest, chunk.last);
            if let Some(named) = self.fallback.named() {
                escaped.read_in(named, &self.known);
            }
        }
        let ends = match chunk.bytes.get(region.end) {
            Some(next) => *next < 0x30,
            None => chunk.last,
        };
        let offset = base + region.start as u64;
        match escaped.split(bytes, offset, ends, &mut self.parts) {
            Some(len) => EscapedSplit::Settled(len),
            None if !escaped.are_alone => EscapedSplit::Not,
            None if escaped.are_there == Some(false) => EscapedSplit::Never,
            None => EscapedSplit::Settled(bytes.len()),
        }
    }

    /// Converts a part that Python has escaped; `None` if it is another one. It is one finding, and one damaged part.
    ///
    /// The position moves as it does where nothing is repaired: each of the three bytes of a surrogate is ill-formed,
    /// and takes a column.
    pub(super) fn convert_escaped(
        &mut self,
        walk: &mut TextWalk<'_, '_>,
        chunk: &Chunk<'_>,
        part: &Range<usize>,
    ) -> Option<Passed<usize>> {
        let offset = walk.text.offset + part.start as u64;
        let meant = self.escaped.as_mut()?.take(offset)?;
        Some(write_restored(walk, chunk, part, &meant))
    }
}

/// Writes what was meant, unless the user is asked and declines. Then the part stays ill-formed.
fn write_restored(
    walk: &mut TextWalk<'_, '_>,
    chunk: &Chunk<'_>,
    part: &Range<usize>,
    meant: &[CodePoint],
) -> Passed<usize> {
    let text: String = meant.iter().filter_map(|cp| char::from_u32(*cp)).collect();
    let fault =
        Finding::new(Kind::IllFormed(IllFormedKind::Surrogate)).with(Details::Escaped(text.into()));
    let asks = walk.conversion.options.on_mojibake == OnMojibake::Ask;
    if asks && !walk.accepts(fault.clone(), chunk, part)? {
        return Ok(0);
    }
    walk.settle(FollowedBy::Gap)?;
    walk.report(fault, chunk, part.clone())?;
    walk.repaired(chunk, part.clone(), meant)?;
    walk.text.findings.summary.repaired += 1;
    for piece in chunk.bytes[part.clone()].utf8_chunks() {
        let text: Vec<_> = piece.valid().chars().map(CodePoint::from).collect();
        walk.pass(&text);
        if !piece.invalid().is_empty() {
            walk.pass_fault();
        }
    }
    Ok(part.len())
}
