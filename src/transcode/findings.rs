//! The findings in one input: passed to its reporter, and counted.

use super::error::Error;
use super::position::Position;
use super::remedy::Offers;
use crate::codec::Value;
use crate::diagnostic::{
    Context, DeniedKind, Finding, Kind, Mojibake, Outcome, OwnedFinding, Reporter, Summary,
};
use crate::encoding::Encoding;

/// What to report at a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fault<'a> {
    pub(super) kind: Kind,
    pub(super) stops: bool,
    /// The value of the character, if there is one.
    value: Option<Value>,
    /// The encoding that cannot represent it.
    target: Option<&'static Encoding>,
    /// The fallback encoding that should have decoded it, and the byte that is not in it.
    lacks: Option<(&'static Encoding, u8)>,
    /// The encoding in which its line is read instead.
    read_as: Option<&'static Encoding>,
    /// How the first line ends, if this one ends differently.
    first_line_end: Option<&'static str>,
    /// What a damaged part of the text was.
    mojibake: Option<Mojibake<'a>>,
    /// The identifier in which the character is.
    identifier: Option<&'a str>,
    /// The closest text that the target has instead, and whether it has the characters of escapes.
    transliteration: Option<&'a str>,
    writes_escapes: bool,
}

impl<'a> Fault<'a> {
    pub(super) const fn new(kind: Kind) -> Self {
        Self {
            kind,
            stops: false,
            value: None,
            target: None,
            lacks: None,
            read_as: None,
            first_line_end: None,
            mojibake: None,
            identifier: None,
            transliteration: None,
            writes_escapes: false,
        }
    }

    pub(super) const fn unmappable(value: Value, target: &'static Encoding) -> Self {
        Self { value: Some(value), target: Some(target), ..Self::new(Kind::Unmappable) }
    }

    pub(super) const fn denied(kind: DeniedKind, value: Option<Value>) -> Self {
        Self::of_character(Kind::Denied(kind), value)
    }

    pub(super) const fn of_character(kind: Kind, value: Option<Value>) -> Self {
        Self { value, ..Self::new(kind) }
    }

    /// Adds the fallback encoding that lacks a byte, if there is one.
    pub(super) const fn lacking(self, lacks: Option<(&'static Encoding, u8)>) -> Self {
        Self { lacks, ..self }
    }

    /// Adds the encoding in which its line is read instead.
    pub(super) const fn read_as(self, read_as: Option<&'static Encoding>) -> Self {
        Self { read_as, ..self }
    }

    /// Adds how the first line ends.
    pub(super) const fn first_line_ends(self, first_line_end: &'static str) -> Self {
        Self { first_line_end: Some(first_line_end), ..self }
    }

    /// Adds what a damaged part of the text was.
    #[cfg(feature = "detection")]
    pub(super) const fn meaning(self, mojibake: Mojibake<'a>) -> Self {
        Self { mojibake: Some(mojibake), ..self }
    }

    /// Adds the identifier in which the character is.
    pub(super) const fn in_identifier(self, identifier: &'a str) -> Self {
        Self { identifier: Some(identifier), ..self }
    }

    /// Adds what the target has instead of the character.
    pub(super) fn offering(self, offers: &'a Offers) -> Self {
        let Offers { transliteration, escapes } = offers;
        Self { transliteration: transliteration.as_deref(), writes_escapes: *escapes, ..self }
    }

    /// Sets whether the conversion stops here.
    pub(super) const fn stopping(self, stops: bool) -> Self {
        Self { stops, ..self }
    }
}

/// What was found in an input, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<'a> {
    /// The offset in bytes from the start of the input.
    pub(super) offset: u64,
    pub(super) position: Position,
    pub(super) bytes: &'a [u8],
    /// The byte after them, if it makes them ill-formed.
    pub(super) next: Option<u8>,
}

/// The findings of one input.
pub(super) struct Findings {
    /// The encoding in force: that of the byte order, if the encoding is unmarked.
    pub(super) encoding: &'static Encoding,
    pub(super) summary: Summary,
    /// The finding that stops the conversion.
    pub(super) stopped_at: Option<Box<OwnedFinding>>,
}

impl Findings {
    pub(super) fn new(encoding: &'static Encoding) -> Self {
        Self { encoding, summary: Summary::default(), stopped_at: None }
    }

    /// Returns a fault as a finding.
    pub(super) fn finding<'f>(
        &self,
        fault: Fault<'f>,
        found: Found<'f>,
        context: Context<'f>,
    ) -> Finding<'f> {
        let Found { offset, position, bytes, next } = found;
        Finding {
            kind: fault.kind,
            offset,
            line: position.line,
            column: position.column.max(1),
            bytes,
            next,
            value: fault.value,
            stops: fault.stops,
            encoding: fault.target.unwrap_or(self.encoding),
            context: Context {
                lacks: fault.lacks,
                read_as: fault.read_as,
                first_line_end: fault.first_line_end,
                mojibake: fault.mojibake,
                identifier: fault.identifier,
                transliteration: fault.transliteration,
                writes_escapes: fault.writes_escapes,
                ..context
            },
        }
    }

    /// Passes a finding to the reporter.
    pub(super) fn report(
        &mut self,
        reporter: &mut dyn Reporter,
        fault: Fault<'_>,
        found: Found<'_>,
        context: Context<'_>,
    ) -> Result<(), Error> {
        self.summary.count(fault.kind);
        let finding = self.finding(fault, found, context);
        if finding.stops {
            self.stopped_at = Some(Box::new(finding.into_owned()));
        }
        reporter.finding(&finding).map_err(Error::Report)
    }

    /// Reports this many faults whose places nobody wants.
    pub(super) fn report_unplaced(&mut self, reporter: &mut dyn Reporter, kind: Kind, count: u64) {
        self.summary.count_many(kind, count);
        reporter.unplaced(kind, count);
    }

    /// Counts the outcome of a fault that does not stop the conversion.
    pub(super) fn count_outcome(&mut self, kind: Kind, outcome: Outcome) {
        self.summary.count_outcome(kind, outcome, 1);
    }
}
