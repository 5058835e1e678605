//! Guesses what interrupted a text: text in single bytes that was appended to UTF-16 or UTF-32, line ends in them that
//! were changed byte by byte, a byte too many or too few at the end, or UTF-16 that was appended to UTF-8.

use super::{Cause, Guess};
use crate::{Repair, Substitute, grouped};
use oxiconv_detect::detection::{Interruption, InterruptionSearch, WideUnits};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::IllFormedKind;
use oxiconv_transcode::diagnostic::{Finding, Kind};

/// Counts of what interrupts one text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InterruptionCounts {
    parts: u64,
    /// Where the first part begins.
    first: u64,
    bytes: u64,
    /// Those at a line end.
    at_line_ends: u64,
    /// Bytes at the end that are no whole unit.
    rest: usize,
    /// Where UTF-16 begins in text in UTF-8, and which.
    units: Option<(u64, &'static Encoding)>,
}

impl InterruptionCounts {
    /// Counts a finding.
    pub(super) fn count(&mut self, finding: &Finding<'_>) {
        match finding.kind {
            Kind::IllFormed(IllFormedKind::OtherUnits) => self.count_part(finding.offset),
            Kind::IllFormed(IllFormedKind::Misaligned) => {
                self.count_bytes(&finding.bytes, finding.line == 1 && finding.column == 1);
            }
            Kind::OtherEncoding if finding.offset > 0 => {
                self.units = Some((finding.offset, finding.other_encoding()));
            }
            _ => {}
        }
    }

    fn count_part(&mut self, offset: u64) {
        if self.parts == 0 {
            self.first = offset;
        }
        self.parts += 1;
    }

    /// Counts bytes that are no whole unit. Those at the start of a text are not what is left of a line end.
    fn count_bytes(&mut self, bytes: &[u8], are_at_start: bool) {
        let are_of_line_end = match bytes {
            [0x0D] | [.., 0x0D, 0x0A] => true,
            [0] | [0, 0, 0] => !are_at_start,
            _ => false,
        };
        self.bytes += 1;
        self.at_line_ends += u64::from(are_of_line_end);
    }

    /// Whether nothing interrupts it: its last bytes are no whole unit at most.
    pub(super) const fn is_whole(&self) -> bool {
        self.parts + self.bytes == 0 && self.units.is_none()
    }

    /// Guesses it of a text in `encoding`, after a mark of so many bytes, which is no part of the text.
    pub(super) fn guess(&self, encoding: &'static Encoding, mark_len: usize) -> Option<Guess> {
        let Self { parts, first, bytes, at_line_ends, rest, units } = *self;
        if let Some((offset, units)) = units {
            return Some(Guess {
                cause: Cause::Interrupted,
                what: format!("{} with {} in it", encoding.name(), units.name()),
                evidence: format!("two-byte text was appended at byte {}", grouped(offset)),
                characters: Vec::new(),
                repair: None,
            });
        }
        let is_interrupted = parts + bytes > 0;
        if !is_interrupted && rest == 0 {
            return None;
        }
        let name = encoding.name();
        let from = if mark_len > 0 { encoding.unmarked() } else { encoding };
        let mut clauses = Vec::new();
        match parts {
            0 => {}
            1 => clauses.push(format!("single-byte text was appended at byte {}", grouped(first))),
            _ => clauses.push(format!("{} parts of it are single-byte text", grouped(parts))),
        }
        if bytes > 0 && at_line_ends == bytes {
            clauses.push("its line breaks were converted byte by byte".to_owned());
        } else if bytes > 0 {
            clauses.push("bytes were inserted or lost".to_owned());
        }
        match rest {
            0 => {}
            1 => clauses.push("its last byte is not a whole code unit".to_owned()),
            _ => clauses.push(format!("its last {rest} bytes are not a whole code unit")),
        }
        // Where a byte is missing, nobody knows which; and without any units, a repair has nothing to go by.
        let is_known = at_line_ends == bytes && (parts == 0 || first > mark_len as u64);
        let what =
            if is_interrupted { "other bytes in it" } else { "an incomplete code unit at its end" };
        let repair =
            Repair { from: Some(from), undoes_mojibake: is_interrupted, ..Repair::default() };
        let repair = match rest {
            0 => repair,
            _ => repair
                .on_ill_formed(Substitute::Nothing)
                .losing("the incomplete code unit is dropped, so the exit status is 1"),
        };
        Some(Guess {
            cause: Cause::Interrupted,
            what: format!("{name} with {what}"),
            evidence: clauses.join(", and "),
            characters: Vec::new(),
            repair: is_known.then_some(repair),
        })
    }
}

/// What interrupts a text in wide units, whatever it is read in: all of it is searched.
#[derive(Clone, Debug)]
pub(super) struct WideTextSearch {
    /// The encoding of the units.
    encoding: &'static Encoding,
    mark_len: usize,
    search: InterruptionSearch,
    found: InterruptionCounts,
}

impl WideTextSearch {
    /// Creates the search in a text in these units, after a mark of so many bytes; `None` if they are not UTF-16 or UTF-32.
    pub(super) fn of(encoding: &'static Encoding, mark_len: usize) -> Option<Self> {
        let search = InterruptionSearch::new(WideUnits::of(encoding)?, mark_len);
        let found = InterruptionCounts::default();
        Some(Self { encoding, mark_len, search, found })
    }

    /// Whether nothing interrupts it: its last bytes are no whole unit at most.
    pub(super) const fn is_whole(&self) -> bool {
        self.found.is_whole()
    }

    /// Looks at the next bytes; `last` says that nothing follows.
    pub(super) fn look(&mut self, bytes: &[u8], last: bool) {
        let Self { search, found, mark_len, .. } = self;
        let start = *mark_len as u64;
        search.look(bytes, last, |offset, what, bytes| match what {
            Interruption::Narrow { .. } => found.count_part(offset),
            Interruption::Stray(_) => found.count_bytes(bytes, offset == start),
        });
        found.rest = if last { search.incomplete() } else { 0 };
    }

    pub(super) fn guess(&self) -> Option<Guess> {
        self.found.guess(self.encoding, self.mark_len)
    }
}
