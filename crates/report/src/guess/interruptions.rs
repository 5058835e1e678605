//! Guesses what interrupted a text: single-byte text that was appended to UTF-16 or UTF-32, line breaks in these that
//! were converted byte by byte, a byte too many or too few at the end, or UTF-16 that was appended to UTF-8.
//!
//! There are two sources. `InterruptionCounts` counts the findings of a text that is read in these units; they end
//! where the conversion stops. `WideTextSearch` searches the bytes themselves, also if the text has the mark of UTF-16
//! or UTF-32 and is read as something else.

use super::{Cause, Guess};
use crate::{Repair, Substitute, grouped};
use oxiconv_detect::detection::{Interruption, InterruptionSearch, WideUnits};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::IllFormedKind;
use oxiconv_transcode::diagnostic::{Finding, Kind};

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InterruptionCounts {
    parts: u64,
    /// The offset of the first part.
    first: u64,
    bytes: u64,
    /// Those that are left of a line break.
    at_line_ends: u64,
    /// The number of bytes of an incomplete code unit at the end.
    rest: usize,
    /// Where UTF-16 begins in UTF-8, and in which byte order.
    units: Option<(u64, &'static Encoding)>,
}

impl InterruptionCounts {
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

    /// Counts bytes that are not a whole code unit: CR, or CR LF without their zero bytes, or zero bytes alone, are
    /// what a line break becomes if it is converted byte by byte. Zero bytes at the start of a text are not.
    fn count_bytes(&mut self, bytes: &[u8], are_at_start: bool) {
        let are_of_line_end = match bytes {
            [0x0D] | [.., 0x0D, 0x0A] => true,
            [0] | [0, 0, 0] => !are_at_start,
            _ => false,
        };
        self.bytes += 1;
        self.at_line_ends += u64::from(are_of_line_end);
    }

    /// Whether nothing interrupts it, except perhaps an incomplete code unit at the end.
    pub(super) const fn is_whole(&self) -> bool {
        self.parts + self.bytes == 0 && self.units.is_none()
    }

    /// Guesses what interrupted a text in `encoding`, which begins after a mark of `mark_len` bytes.
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
        // A repair is known only if every stray byte is explained by a line break: where a byte is missing, nothing
        // says which one. And if the first part begins right after the mark, there are no code units that would show
        // the alignment.
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

/// Searches all bytes of a text in UTF-16 or UTF-32 for interruptions, whatever it is read in.
#[derive(Clone, Debug)]
pub(super) struct WideTextSearch {
    encoding: &'static Encoding,
    mark_len: usize,
    search: InterruptionSearch,
    found: InterruptionCounts,
}

impl WideTextSearch {
    /// Creates the search in a text in these units, after a mark of `mark_len` bytes; `None` if they are not UTF-16 or
    /// UTF-32.
    pub(super) fn of(encoding: &'static Encoding, mark_len: usize) -> Option<Self> {
        let search = InterruptionSearch::new(WideUnits::of(encoding)?, mark_len);
        let found = InterruptionCounts::default();
        Some(Self { encoding, mark_len, search, found })
    }

    /// Whether nothing interrupts it, except perhaps an incomplete code unit at the end.
    pub(super) const fn is_whole(&self) -> bool {
        self.found.is_whole()
    }

    /// Examines the next bytes; `last` says that nothing follows.
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
