//! The common part of formats with one finding per line: prints the findings of one text, up to a limit.

use std::io::{self, Write};

use super::output_format::{Remainder, TextReporter};
use crate::diagnostic::{Finding, Kind, Reporter};

/// Formats the findings of one text, one at a time.
pub(super) trait FindingFormat {
    /// Formats one finding, with what separates it from its neighbours.
    fn finding(&mut self, finding: &Finding<'_>) -> Vec<u8>;

    /// Formats one finding that the baseline lists; nothing, if the format leaves it out.
    fn known(&mut self, finding: &Finding<'_>) -> Vec<u8> {
        let _ = finding;
        Vec::new()
    }

    /// Formats what follows the last finding. `withheld` findings were not printed because of the limit.
    fn end(&mut self, withheld: u64) -> Vec<u8> {
        let _ = withheld;
        Vec::new()
    }
}

/// Prints the findings of one text, up to a limit.
pub(super) struct Printer<W, F> {
    to: W,
    format: F,
    /// Findings that may still be printed; `None` is no limit.
    left: Option<u64>,
    kept: Remainder,
}

impl<W: Write, F: FindingFormat> Printer<W, F> {
    /// Creates a printer of at most `limit` findings to `to`.
    pub(super) fn new(to: W, format: F, limit: Option<u64>) -> Self {
        Self { to, format, left: limit, kept: Remainder::default() }
    }
}

impl<W: Write, F: FindingFormat> TextReporter for Printer<W, F> {
    fn known(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        let text = self.format.known(finding);
        if text.is_empty() { Ok(()) } else { self.to.write_all(&text) }
    }

    fn close(mut self: Box<Self>) -> io::Result<Remainder> {
        self.to.write_all(&self.format.end(self.kept.withheld))?;
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
        self.to.write_all(&self.format.finding(finding))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }

    fn wants_places(&self) -> bool {
        self.left != Some(0)
    }

    fn unplaced(&mut self, _: Kind, count: u64) {
        self.kept.withheld += count;
    }

    fn note(&mut self, words: &str) {
        self.kept.words.push((true, words.to_owned()));
    }

    fn remark(&mut self, words: &str) {
        self.kept.words.push((false, words.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Encoding;
    use crate::unicode::IllFormedKind;

    struct Offsets;

    impl FindingFormat for Offsets {
        fn finding(&mut self, finding: &Finding<'_>) -> Vec<u8> {
            format!("{}\n", finding.offset).into_bytes()
        }
    }

    fn finding(offset: u64, stops: bool) -> Finding<'static> {
        Finding {
            kind: Kind::IllFormed(IllFormedKind::InvalidByte),
            offset,
            line: 1,
            column: 1,
            bytes: b"\xFF",
            next: None,
            value: None,
            stops,
            encoding: Encoding::UTF_8,
            context: crate::diagnostic::Context::default(),
        }
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
