//! How the lines of a text end, and the first one that ends differently: from what is declared, or else from the first
//! line.
//!
//! How a line with a carriage return ends depends on the next character, which may be far away: bytes that only change
//! the state of an encoding stand for no character. So a carriage return is held back, as a record and not as bytes to
//! read again, until the next character, the next fault or the end of the text decides.
//!
//! ```text
//! CR ─► Held ─┬─ LF: the line ends with both
//!             └─ anything else: with CR alone         ─► put, or a finding where the CR stands
//! ```

use super::context_buffer::OwnedContext;
use super::conversion::Conversion;
use super::findings::Fault;
use super::policy::Newline;
use crate::codec::Value;
use crate::diagnostic::{DeniedKind, Kind};
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

/// A carriage return whose next character is not known yet.
#[derive(Debug)]
pub(super) struct Held {
    /// Its offset in the input, in bytes.
    pub(super) offset: u64,
    /// Its bytes.
    pub(super) bytes: Vec<u8>,
    /// Its context, if that is to be shown.
    pub(super) context: Option<OwnedContext>,
}

/// What a carriage return or a line feed is.
pub(super) enum LineEnd {
    /// The line feed that completes the line end before it.
    Second,
    /// A line end by itself or its first half, with a fault if it is the first that differs.
    Known(Option<Fault<'static>>),
    /// A carriage return whose line feed may still come.
    Unknown,
}

/// Watches how the lines of one text end, up to the first that ends differently.
#[derive(Debug)]
pub(super) struct Newlines {
    /// How lines must end; unless it is declared, the first line decides.
    expected: Option<Newline>,
    declared: bool,
    held: Option<Held>,
    /// Whether a line feed now completes a line end.
    completes: bool,
    /// Whether that line was found: the rest is not examined.
    found: bool,
}

impl Newlines {
    /// Returns what watches the line ends of a text, if they matter to the conversion.
    pub(super) fn of(conversion: &Conversion) -> Option<Self> {
        let expected = conversion.options.newline;
        let declared = expected.is_some();
        (declared || conversion.options.denied.has(DeniedKind::MixedNewlines)).then_some(Self {
            expected,
            declared,
            held: None,
            completes: false,
            found: false,
        })
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

    /// Holds back a carriage return.
    pub(super) fn hold(&mut self, held: Held) {
        self.held = Some(held);
    }

    /// Whether a carriage return is held back.
    pub(super) fn holds(&self) -> bool {
        self.held.is_some()
    }

    /// Whether a carriage return is held back, and lines are declared to end with one.
    pub(super) fn holds_declared(&self) -> bool {
        self.holds() && self.declared && self.expected == Some(Newline::CarriageReturn)
    }

    /// Returns the carriage return that is held back, if any, now that the character after it is known or the text has
    /// ended, with a fault if its line is the first that differs.
    pub(super) fn settle(&mut self, next: Option<CodePoint>) -> Option<(Held, Option<Fault<'static>>)> {
        let held = self.held.take()?;
        let both = next == Some(LINE_FEED);
        Some((held, self.judge(if both { Newline::Both } else { Newline::CarriageReturn })))
    }

    /// Returns whether line feeds, and carriage returns, may still be of interest.
    pub(super) fn interest(&self) -> (bool, bool) {
        match self.expected {
            // The last line end of the text still matters.
            Some(Newline::CarriageReturn) if self.found && self.declared => (false, true),
            _ if self.found => (false, false),
            // A line feed is what is expected, unless a carriage return comes before it.
            Some(Newline::LineFeed) => (false, true),
            _ => (true, true),
        }
    }

    fn judge(&mut self, newline: Newline) -> Option<Fault<'static>> {
        self.completes = newline == Newline::Both;
        let expected = *self.expected.get_or_insert(newline);
        let differs = expected != newline && !self.found;
        self.found |= differs;
        differs.then(|| match self.declared {
            true => Fault::of_character(Kind::WrongNewline, newline.value()),
            false => Fault::denied(DeniedKind::MixedNewlines, newline.value())
                .first_line_ends(expected.name()),
        })
    }
}
