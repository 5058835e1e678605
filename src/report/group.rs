//! Groups of findings that are shown as one: adjacent findings with one cause.

use super::layout::cell;
use crate::diagnostic::guess::GuessPlace;
use crate::diagnostic::{Context, Finding, Kind, Row, Severity};
use crate::encoding::Encoding;
use crate::unicode::{CodePoint, IllFormedKind};

/// The most bytes of adjacent findings in one picture.
const LONGEST_GROUP: usize = 64;

/// Adjacent findings with one cause.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) kind: Kind,
    pub(super) severity: Severity,
    pub(super) encoding: &'static Encoding,
    pub(super) at: At,
    pub(super) bytes: Vec<u8>,
    pub(super) value: Option<u128>,
    pub(super) sentence: String,
    pub(super) rule: Option<String>,
    pub(super) before: Vec<u8>,
    pub(super) after: Vec<u8>,
    pub(super) line_before: Vec<CodePoint>,
    pub(super) line_after: Vec<CodePoint>,
    pub(super) line_goes_on: bool,
    pub(super) transliteration: Option<Box<str>>,
    pub(super) writes_escapes: bool,
    pub(super) findings: u64,
    /// Length in bytes of the sequence that begins at the first byte.
    extent: usize,
    is_bytes: bool,
    /// The number of groups equal to it, all their findings, and the place of the last one.
    pub(super) more: Option<(u64, u64, At)>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) offset: u64,
}

impl At {
    pub(super) fn of(finding: &Finding<'_>) -> Self {
        Self { line: finding.line, column: finding.column, offset: finding.offset }
    }
}

impl Group {
    pub(super) fn new(finding: &Finding<'_>) -> Self {
        let context = finding.context;
        let (extent, is_bytes) = place(finding).map_or((0, false), |place| place.shape());
        Self {
            kind: finding.kind,
            severity: finding.severity(),
            encoding: finding.encoding,
            at: At::of(finding),
            bytes: finding.bytes.to_vec(),
            value: finding.value,
            sentence: finding.sentence(),
            rule: finding.rule(),
            before: context.before.to_vec(),
            after: context.after.to_vec(),
            line_before: context.line_before.to_vec(),
            line_after: context.line_after.to_vec(),
            line_goes_on: context.line_goes_on,
            transliteration: context.transliteration.map(Box::from),
            writes_escapes: context.writes_escapes,
            findings: 1,
            extent,
            is_bytes,
            more: None,
        }
    }

    /// Creates a group that is not shown: it has neither sentence nor context.
    pub(super) fn brief(part: &Part, row: &Row<'_>) -> Self {
        let start = (part.at.offset - row.offset) as usize;
        Self {
            kind: Kind::IllFormed(part.kind),
            severity: Severity::Error,
            encoding: row.encoding,
            at: part.at,
            bytes: row.bytes[start..start + part.len].to_vec(),
            value: None,
            sentence: String::new(),
            rule: None,
            before: Vec::new(),
            after: Vec::new(),
            line_before: Vec::new(),
            line_after: Vec::new(),
            line_goes_on: false,
            transliteration: None,
            writes_escapes: false,
            findings: part.findings,
            extent: part.extent,
            is_bytes: part.is_bytes,
            more: None,
        }
    }

    /// Whether the finding at `place` continues the group: it is the rest of the sequence, or one more of adjacent
    /// bytes.
    pub(super) fn takes(&self, place: &GuessPlace<'_>) -> bool {
        let Kind::IllFormed(kind) = self.kind else { return false };
        let Self { at, extent, is_bytes, findings, .. } = *self;
        Part { kind, at, len: self.bytes.len(), findings, extent, is_bytes }.takes(place)
    }

    /// Counts an equal group.
    pub(super) fn add_equal(&mut self, findings: u64, at: At) {
        let (groups, all, _) = self.more.unwrap_or((0, 0, at));
        self.more = Some((groups + 1, all + findings, at));
    }

    /// Adds the bytes of one finding.
    pub(super) fn take_bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.findings += 1;
    }

    pub(super) fn take(&mut self, finding: &Finding<'_>) {
        self.take_bytes(finding.bytes);
        self.after = finding.context.after.to_vec();
        self.line_after = finding.context.line_after.to_vec();
        self.line_goes_on = finding.context.line_goes_on;
    }

    pub(super) fn place(&self) -> Option<GuessPlace<'_>> {
        let Kind::IllFormed(kind) = self.kind else { return None };
        let Self { encoding, bytes, after, at, .. } = self;
        Some(GuessPlace { kind, encoding, offset: at.offset, bytes, after })
    }

    /// Returns the character that the group is about, if it is about a whole one.
    pub(super) fn character(&self) -> Option<CodePoint> {
        self.value.and_then(|value| value.try_into().ok())
    }

    /// Formats the bytes as they appear in a line.
    pub(super) fn substituted(&self) -> String {
        match (self.kind, self.character()) {
            (Kind::IllFormed(_), _) | (_, None) if self.bytes.is_empty() => String::new(),
            (Kind::IllFormed(_), _) | (_, None) => {
                self.bytes.iter().map(|byte| format!("<{byte:02X}>")).collect()
            }
            (_, Some(cp)) => cell(cp),
        }
    }
}

/// A group within a row, which holds the bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) kind: IllFormedKind,
    pub(super) at: At,
    /// Its length in bytes.
    pub(super) len: usize,
    pub(super) findings: u64,
    /// Length in bytes of the sequence that begins at the first byte.
    extent: usize,
    is_bytes: bool,
}

impl Part {
    pub(super) fn new(place: &GuessPlace<'_>, at: At) -> Self {
        let (extent, is_bytes) = place.shape();
        Self { kind: place.kind, at, len: place.bytes.len(), findings: 1, extent, is_bytes }
    }

    /// Whether the finding at `place` continues the part: it is the rest of the sequence, or one more of adjacent
    /// bytes.
    pub(super) fn takes(&self, place: &GuessPlace<'_>) -> bool {
        place.offset == self.at.offset + self.len as u64
            && self.len < LONGEST_GROUP
            && (self.len < self.extent || self.is_bytes && place.shape().1)
    }

    /// Adds the bytes of one finding.
    pub(super) fn take(&mut self, len: usize) {
        self.len += len;
        self.findings += 1;
    }
}

/// Returns the place of a finding, if it is about ill-formed bytes.
pub(super) fn place<'a>(finding: &Finding<'a>) -> Option<GuessPlace<'a>> {
    let Kind::IllFormed(kind) = finding.kind else { return None };
    let Finding { encoding, offset, bytes, .. } = *finding;
    Some(GuessPlace { kind, encoding, offset, bytes, after: finding.context.after })
}

/// Iterates over the places of a row.
pub(super) fn row_places<'a>(row: &Row<'a>) -> impl Iterator<Item = (GuessPlace<'a>, At)> {
    let Row { subsequences, bytes, offset, line, column, encoding, .. } = *row;
    let mut start = 0;
    subsequences.iter().zip(0..).map(move |(one, index)| {
        let (bytes, after) = bytes[start..].split_at(one.len);
        let offset = offset + start as u64;
        start += one.len;
        let after = &after[..after.len().min(Context::BYTES)];
        let place = GuessPlace { kind: one.kind, encoding, offset, bytes, after };
        (place, At { line, column: column + index, offset })
    })
}
