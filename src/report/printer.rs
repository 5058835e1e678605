//! What all forms have in common: findings of one text, written one after the other, up to a limit.

use std::io::{self, Write};

use crate::diagnostic::{Finding, Kind, Reporter};

/// A way to write findings. One file of this module each.
pub trait FindingFormat {
    /// One finding, as it is to be written, with what parts it from the next.
    fn finding(&mut self, finding: &Finding<'_>) -> Vec<u8>;
}

/// Prints findings of one text in a form, up to a limit.
pub struct Printer<W> {
    to: W,
    form: Box<dyn FindingFormat>,
    /// Findings yet to be printed; `None` is no limit.
    left: Option<u64>,
    kept: Remainder,
}

/// What is left to say when a text is done with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remainder {
    /// Findings that were printed.
    pub shown: u64,
    /// Findings that were not, for the limit's sake.
    pub withheld: u64,
    /// Notes (`true`) and remarks on the whole text.
    pub words: Vec<(bool, String)>,
}

impl<W: Write> Printer<W> {
    /// Prints to `to`, in `form`, at most `limit` findings.
    pub fn new(to: W, form: Box<dyn FindingFormat>, limit: Option<u64>) -> Self {
        Self { to, form, left: limit, kept: Remainder::default() }
    }

    /// Ends it.
    pub fn close(self) -> Remainder {
        self.kept
    }
}

impl<W: Write> Reporter for Printer<W> {
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
        self.to.write_all(&self.form.finding(finding))
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
        let mut printer = Printer::new(&mut out, Box::new(Offsets), Some(2));
        for offset in 0..5 {
            printer.finding(&finding(offset, false)).unwrap();
        }
        assert!(!printer.wants_places());
        printer.finding(&finding(5, true)).unwrap();
        let kept = printer.close();
        assert_eq!((kept.shown, kept.withheld), (3, 3));
        assert_eq!(out, b"0\n1\n5\n");
    }
}
