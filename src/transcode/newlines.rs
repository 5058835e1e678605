//! How the lines of a text end, and the first one that ends differently: from what is declared, or else from the first
//! line. Also the first one that ends as none may, and the end of the last line.
//!
//! How a line with a carriage return ends depends on the next character, so a carriage return is held back ([`super::held`])
//! until that is known.

use super::conversion::Conversion;
use super::policy::Newline;
use super::position::Position;
use crate::codec::Value;
use crate::diagnostic::{DeniedKind, Details, Finding, Kind};
use crate::encoding::Encoding;
use crate::unicode::{CARRIAGE_RETURN, CodePoint, LINE_FEED};

impl Newline {
    fn name(self) -> &'static str {
        match self {
            Self::CarriageReturn => "CR",
            Self::LineFeed => "LF",
            Self::Both => "CRLF",
        }
    }

    /// The code point, if it is one.
    fn value(self) -> Option<Value> {
        match self {
            Self::CarriageReturn => Some(CARRIAGE_RETURN.into()),
            Self::LineFeed => Some(LINE_FEED.into()),
            Self::Both => None,
        }
    }
}

/// What a carriage return or a line feed is.
#[expect(clippy::large_enum_variant, reason = "it is never stored")]
pub(super) enum LineEnd {
    /// The line feed that completes the line end before it.
    Second,
    /// A line end by itself or its first half, with a fault if it is the first that differs.
    Known(Option<Finding<'static>>),
    /// A carriage return whose line feed may still come.
    Unknown,
}

/// Which characters that end lines may still be of interest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interest {
    pub(super) returns: bool,
    pub(super) line_feeds: bool,
    pub(super) next_lines: bool,
}

impl Interest {
    pub(super) const NONE: Self = Self { returns: false, line_feeds: false, next_lines: false };
}

/// Watches how the lines of one text end, up to the first that ends differently, or as none may.
#[derive(Debug)]
pub(super) struct Newlines {
    /// How lines must end; unless it is declared, the first line decides.
    expected: Option<Newline>,
    declared: bool,
    /// Whether a line is looked for that ends differently.
    compares: bool,
    /// Whether a line is looked for that ends with both, and one that ends with a line feed alone.
    looks_for_both: bool,
    looks_for_line_feed: bool,
    /// Whether the last line must have a line end of any kind, and whether U+0085 is one.
    needs_last: bool,
    next_line: bool,
    /// The position after the last U+0085 that ends a line.
    after_next_line: Option<Position>,
    /// Whether a line feed now completes a line end.
    completes: bool,
}

impl Newlines {
    /// Returns what watches the line ends of a text in `encoding`, if they matter to the conversion.
    pub(super) fn of(conversion: &Conversion, encoding: &Encoding) -> Option<Self> {
        let (expected, denied) = (conversion.options.newline, conversion.options.denied);
        let declared = expected.is_some();
        let needs_last = denied.has(DeniedKind::NoFinalNewline);
        let newlines = Self {
            expected,
            declared,
            compares: declared || denied.has(DeniedKind::MixedNewlines),
            looks_for_both: denied.has(DeniedKind::Crlf),
            looks_for_line_feed: denied.has(DeniedKind::Lf),
            needs_last,
            next_line: needs_last && encoding.has_ebcdic_newlines(),
            after_next_line: None,
            completes: false,
        };
        let matters = newlines.compares || newlines.looks_for_both || newlines.looks_for_line_feed;
        (matters || needs_last).then_some(newlines)
    }

    /// Classifies the carriage return or line feed `cp`; `next` is the character after it, if known.
    pub(super) fn line_end(&mut self, cp: CodePoint, next: Option<CodePoint>) -> LineEnd {
        if std::mem::take(&mut self.completes) && cp == LINE_FEED {
            return LineEnd::Second;
        }
        let newline = match (cp, next) {
            (LINE_FEED, _) => Newline::LineFeed,
            (_, None) => return LineEnd::Unknown,
            (_, Some(LINE_FEED)) => Newline::Both,
            (_, Some(_)) => Newline::CarriageReturn,
        };
        LineEnd::Known(self.judge(newline))
    }

    /// Notes a U+0085 after which the text is at `position`.
    pub(super) fn next_line(&mut self, position: Position) {
        self.after_next_line = Some(position);
    }

    /// Whether the last line, which ends at `position` with no line feed, lacks a line end that it must have;
    /// `after_return` says whether a carriage return is the last character.
    pub(super) fn lacks_last(&self, position: Position, after_return: bool) -> bool {
        self.needs_last && !after_return && self.after_next_line != Some(position)
    }

    /// Whether lines are declared to end with a carriage return.
    pub(super) fn declares_return(&self) -> bool {
        self.declared && self.expected == Some(Newline::CarriageReturn)
    }

    /// Returns the fault of a line that ends with the carriage return that was held back, now that the character after it
    /// is known or the text has ended.
    pub(super) fn settle(&mut self, next: Option<CodePoint>) -> Option<Finding<'static>> {
        let both = next == Some(LINE_FEED);
        self.judge(if both { Newline::Both } else { Newline::CarriageReturn })
    }

    /// Returns which line ends may still be of interest.
    pub(super) fn interest(&self) -> Interest {
        let expects = |newline| self.expected == Some(newline);
        let looks = self.looks_for_line_feed;
        Interest {
            // A line feed may be what is expected, unless a carriage return comes before it. The last line end of the text
            // matters in any case.
            returns: self.compares
                || self.looks_for_both
                || looks
                || self.needs_last
                || self.declares_return(),
            line_feeds: self.compares && !expects(Newline::LineFeed) || looks,
            next_lines: self.next_line,
        }
    }

    fn judge(&mut self, newline: Newline) -> Option<Finding<'static>> {
        self.completes = newline == Newline::Both;
        let expected = *self.expected.get_or_insert(newline);
        let differs = self.compares && expected != newline;
        self.compares &= !differs;
        let both = newline == Newline::Both && std::mem::take(&mut self.looks_for_both);
        let line_feed =
            newline == Newline::LineFeed && std::mem::take(&mut self.looks_for_line_feed);
        let denied = |kind| Finding::denied(kind, newline.value());
        // One line end is one finding.
        match (differs, self.declared) {
            (true, true) => Some(Finding::of_character(Kind::WrongNewline, newline.value())),
            (true, false) => {
                let fault = denied(DeniedKind::MixedNewlines);
                Some(fault.with(Details::FirstLineEnd(expected.name())))
            }
            (false, _) if both => Some(denied(DeniedKind::Crlf)),
            (false, _) => line_feed.then(|| denied(DeniedKind::Lf)),
        }
    }
}
