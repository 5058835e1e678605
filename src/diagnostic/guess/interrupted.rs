//! Guesses what interrupted a text: text in single bytes that was appended to UTF-16 or UTF-32, line ends in them that were
//! changed byte by byte, or UTF-16 that was appended to UTF-8.

use super::{Cause, Guess};
use crate::diagnostic::{Finding, Kind, Repair, grouped};
use crate::encoding::Encoding;
use crate::unicode::IllFormedKind;

/// Counts of the findings of one text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Interrupted {
    parts: u64,
    /// Where the first part begins.
    first: u64,
    bytes: u64,
    /// Those at a line end.
    at_line_ends: u64,
    /// Where UTF-16 begins in text in UTF-8, and which.
    units: Option<(u64, &'static Encoding)>,
}

impl Interrupted {
    /// Counts a finding.
    pub(super) fn count(&mut self, finding: &Finding<'_>) {
        match finding.kind {
            Kind::IllFormed(IllFormedKind::OtherUnits) => {
                if self.parts == 0 {
                    self.first = finding.offset;
                }
                self.parts += 1;
            }
            Kind::IllFormed(IllFormedKind::Misaligned) => {
                self.bytes += 1;
                self.at_line_ends += u64::from(finding.is_at_line_end());
            }
            Kind::OtherEncoding if finding.offset > 0 => {
                self.units = Some((finding.offset, finding.other_encoding()));
            }
            _ => {}
        }
    }

    /// Guesses it of a text in `encoding`; `is_marked` says that it has a mark, which is no part of the text.
    pub(super) fn guess(&self, encoding: &'static Encoding, is_marked: bool) -> Option<Guess> {
        let Self { parts, first, bytes, at_line_ends, units } = *self;
        if let Some((offset, units)) = units {
            return Some(Guess {
                cause: Cause::Interrupted,
                what: format!("{} with {} in it", encoding.name(), units.name()),
                evidence: format!(
                    "from byte {} on, text with two bytes per character was appended to it",
                    grouped(offset)
                ),
                characters: Vec::new(),
                repair: None,
            });
        }
        if parts + bytes == 0 {
            return None;
        }
        let name = encoding.name();
        let from = if is_marked { encoding.unmarked() } else { encoding };
        let mut clauses = Vec::new();
        match parts {
            0 => {}
            1 => clauses.push(format!(
                "from byte {} on, text in single bytes was appended to it",
                grouped(first)
            )),
            _ => clauses.push(format!("{} parts of it are in single bytes", grouped(parts))),
        }
        if bytes > 0 && at_line_ends == bytes {
            clauses.push("its line ends were changed byte by byte".to_owned());
        } else if bytes > 0 {
            clauses.push("bytes were inserted into it, or lost".to_owned());
        }
        Some(Guess {
            cause: Cause::Interrupted,
            what: format!("{name} with other bytes in it"),
            evidence: clauses.join(", and "),
            characters: Vec::new(),
            // Where a byte is missing, nobody knows which.
            repair: (at_line_ends == bytes)
                .then(|| Repair { from: Some(from), ..Repair::of_mojibake() }),
        })
    }
}
