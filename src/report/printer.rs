//! The common part of formats with one finding per line: prints the findings of one text, up to a limit, and judges what
//! the text probably is.

use std::io::{self, Write};

use super::held::{Guessed, Held};
use super::output_format::{Remainder, TextReporter};
use crate::diagnostic::guess::{Judge, Verdict};
use crate::diagnostic::{Finding, Kind, Message, Reporter, Row};
use crate::encoding::Encoding;

/// The most findings of a text to hold back. If there are more, none of them has a guess of its own.
const MOST_HELD: usize = 4096;

/// The most bytes of a text to judge: that takes longer than to check them.
const MOST_EXAMINED: usize = 4 << 20;

/// Formats the findings of one text, one at a time.
pub(super) trait FindingFormat {
    /// Formats one finding, with what separates it from its neighbours.
    fn finding(&mut self, finding: &Finding<'_>) -> Vec<u8>;

    /// Formats one finding that the baseline lists; nothing, if the format leaves it out.
    fn known(&mut self, finding: &Finding<'_>) -> Vec<u8> {
        let _ = finding;
        Vec::new()
    }

    /// Whether findings are held back until it is known what they probably are.
    fn holds(&self) -> bool {
        false
    }

    /// Formats a finding that was held back, with what it probably is; `is_known` says that the baseline lists it.
    fn guessed(&mut self, finding: &Finding<'_>, is_known: bool, guessed: &Guessed) -> Vec<u8> {
        let _ = guessed;
        if is_known { self.known(finding) } else { self.finding(finding) }
    }

    /// Formats what follows the last finding.
    fn end(&mut self, remainder: &Remainder) -> Vec<u8> {
        let _ = remainder;
        Vec::new()
    }
}

/// Prints the findings of one text, up to a limit.
pub(super) struct Printer<W, F> {
    to: W,
    format: F,
    /// Findings that may still be printed; `None` is no limit.
    left: Option<u64>,
    /// Findings held back, as long as they are not too many.
    held: Option<Held>,
    judge: Judge,
    /// Bytes of the text that were judged.
    examined: usize,
    /// Findings of ill-formed text, printed or not.
    ill_formed: u64,
    /// The first byte of the one that stops the conversion, and the next one if it is known.
    stop: Option<(u8, Option<u8>)>,
    /// Whether some of the text after that was examined, and whether it ends there.
    after_stop: Option<bool>,
    kept: Remainder,
}

impl<W: Write, F: FindingFormat> Printer<W, F> {
    /// Creates a printer of at most `limit` findings to `to`.
    pub(super) fn new(to: W, format: F, limit: Option<u64>) -> Self {
        Self {
            to,
            held: format.holds().then(Held::default),
            format,
            left: limit,
            judge: Judge::default(),
            examined: 0,
            ill_formed: 0,
            stop: None,
            after_stop: None,
            kept: Remainder::default(),
        }
    }

    /// Prints the findings held back, with what they probably are if there is a verdict.
    fn print_held(&mut self, verdict: Option<&Verdict>) -> io::Result<()> {
        let Some(held) = self.held.take() else { return Ok(()) };
        for (finding, is_known, guessed) in held.guessed(verdict, self.examined < MOST_EXAMINED) {
            let printed = match (guessed, is_known) {
                (Some(guessed), _) => self.format.guessed(&finding, is_known, &guessed),
                (None, false) => self.format.finding(&finding),
                (None, true) => self.format.known(&finding),
            };
            self.to.write_all(&printed)?;
        }
        Ok(())
    }

    /// Prints a finding, or holds it back.
    fn print(&mut self, finding: &Finding<'_>, is_known: bool) -> io::Result<()> {
        if let Some(held) = self.held.as_mut().filter(|held| held.len() < MOST_HELD) {
            held.push(finding, is_known);
            return Ok(());
        }
        self.print_held(None)?;
        let printed =
            if is_known { self.format.known(finding) } else { self.format.finding(finding) };
        if printed.is_empty() { Ok(()) } else { self.to.write_all(&printed) }
    }

    fn note_cause(&mut self, finding: &Finding<'_>) {
        if !finding.kind.is_of_bytes() {
            return;
        }
        self.ill_formed += 1;
        self.judge.finding(finding);
        if let (true, [byte, rest @ ..]) = (finding.stops, &*finding.bytes) {
            self.stop = Some((*byte, rest.first().copied().or(finding.next)));
        }
    }
}

impl<W: Write, F: FindingFormat> TextReporter for Printer<W, F> {
    fn known(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.print(finding, true)
    }

    fn close(mut self: Box<Self>) -> io::Result<Remainder> {
        let is_whole = self.after_stop.unwrap_or(true) && self.examined < MOST_EXAMINED;
        let verdict = match (self.ill_formed, self.stop) {
            (0, _) => None,
            (_, Some((byte, next))) if self.after_stop.is_none() => {
                self.kept.hint = self.judge.hint_at_stop(byte, next);
                None
            }
            _ => Some(self.judge.verdict(is_whole)),
        };
        if let Some(verdict) = &verdict {
            let hint = verdict.hint();
            self.kept.hint = match is_whole {
                true => hint,
                false => hint.map(|hint| hint.of_part(self.examined)),
            };
        }
        self.print_held(verdict.as_ref())?;
        self.to.write_all(&self.format.end(&self.kept))?;
        Ok(self.kept)
    }
}

impl<W: Write, F: FindingFormat> Reporter for Printer<W, F> {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        match &mut self.left {
            Some(0) if !finding.stops => {
                self.unplaced(finding.kind, 1);
                return Ok(());
            }
            Some(left) => *left = left.saturating_sub(1),
            None => {}
        }
        self.kept.shown += 1;
        self.note_cause(finding);
        self.print(finding, false)
    }

    /// Takes a row if each of its findings is printed, and at once.
    fn row(&mut self, row: &Row<'_>) -> io::Result<bool> {
        let count = row.subsequences.len() as u64;
        if self.held.is_some() || self.left.is_some_and(|left| left < count) {
            return Ok(false);
        }
        row.findings().try_for_each(|finding| self.finding(&finding)).map(|()| true)
    }

    fn text(&mut self, bytes: &[u8], encoding: &'static Encoding) {
        let bytes = &bytes[..bytes.len().min(MOST_EXAMINED - self.examined)];
        self.examined += bytes.len();
        self.judge.look(bytes, encoding);
        if let Some(held) = &mut self.held {
            held.look(bytes);
        }
    }

    fn text_after_stop(&mut self, bytes: &[u8], encoding: &'static Encoding, last: bool) {
        self.text(bytes, encoding);
        self.after_stop = Some(last);
    }

    fn text_skipped(&mut self, bytes: u64, characters: u64) {
        self.judge.skip(bytes, characters);
        if let Some(held) = &mut self.held {
            held.skip(bytes);
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }

    fn wants_places(&self) -> bool {
        self.left != Some(0)
    }

    fn unplaced(&mut self, kind: Kind, count: u64) {
        self.kept.withheld += count;
        if kind.is_of_bytes() {
            self.ill_formed += count;
        }
    }

    fn message(&mut self, message: Message) {
        self.kept.messages.push(message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unicode::IllFormedKind;

    struct Offsets;

    impl FindingFormat for Offsets {
        fn finding(&mut self, finding: &Finding<'_>) -> Vec<u8> {
            format!("{}\n", finding.offset).into_bytes()
        }
    }

    fn finding(offset: u64, stops: bool) -> Finding<'static> {
        let finding = Finding::new(Kind::IllFormed(IllFormedKind::InvalidByte));
        Finding { offset, bytes: b"\xFF".into(), stops, ..finding }
    }

    #[test]
    fn the_limit_withholds_and_counts_but_never_the_one_that_stops() {
        let mut out = Vec::new();
        let mut printer = Box::new(Printer::new(&mut out, Offsets, Some(2)));
        for offset in 0..5 {
            printer.finding(&finding(offset, false)).unwrap();
        }
        assert!(!printer.wants_places());
        printer.finding(&finding(5, true)).unwrap();
        let kept = printer.close().unwrap();
        assert_eq!((kept.shown, kept.withheld), (3, 3));
        assert_eq!(out, b"0\n1\n5\n");
    }
}
