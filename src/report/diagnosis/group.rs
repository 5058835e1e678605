//! Groups of findings that are shown as one: adjacent findings with one cause.

use crate::diagnostic::guess::GuessPlace;
use crate::diagnostic::{Context, Finding, Kind, Row};
use crate::report::layout::cell;
use crate::unicode::{CodePoint, IllFormedKind};

/// The most bytes of adjacent findings in one picture.
const LONGEST_GROUP: usize = 64;

/// Adjacent findings with one cause.
#[derive(Debug)]
pub struct Group {
    /// The first of them, with the bytes of all, and the text around them.
    pub finding: Finding<'static>,
    pub sentence: String,
    pub rule: Option<String>,
    pub findings: u64,
    /// Length in bytes of the sequence that begins at the first byte.
    extent: usize,
    is_bytes: bool,
    /// The groups equal to it, if there are any.
    pub more: Option<More>,
}

/// Groups that are equal to one that is shown.
#[derive(Clone, Copy, Debug)]
pub struct More {
    pub groups: u64,
    /// The findings of all of them.
    pub findings: u64,
    /// The place of the last one.
    pub last: At,
}

#[derive(Clone, Copy, Debug)]
pub struct At {
    pub line: u64,
    pub column: u64,
    pub offset: u64,
}

impl At {
    pub(super) fn of(finding: &Finding<'_>) -> Self {
        Self { line: finding.line, column: finding.column, offset: finding.offset }
    }
}

impl Group {
    pub(super) fn new(finding: &Finding<'_>) -> Self {
        let (extent, is_bytes) = place(finding).map_or((0, false), |place| place.shape());
        Self {
            finding: finding.clone().into_owned(),
            sentence: finding.sentence(),
            rule: finding.rule(),
            findings: 1,
            extent,
            is_bytes,
            more: None,
        }
    }

    /// Creates a group that is not shown: it has neither sentence nor context.
    pub(super) fn brief(part: &Part, row: &Row<'_>) -> Self {
        let start = (part.at.offset - row.offset) as usize;
        let At { line, column, offset } = part.at;
        let bytes = row.bytes[start..start + part.len].to_vec().into();
        let finding = Finding::new(Kind::IllFormed(part.kind));
        Self {
            finding: Finding { offset, line, column, bytes, encoding: row.encoding, ..finding },
            sentence: String::new(),
            rule: None,
            findings: part.findings,
            extent: part.extent,
            is_bytes: part.is_bytes,
            more: None,
        }
    }

    /// Returns where it begins.
    pub fn at(&self) -> At {
        At::of(&self.finding)
    }

    /// Whether the finding at `place` continues the group: it is the rest of the sequence, or one more of adjacent
    /// bytes.
    pub(super) fn takes(&self, place: &GuessPlace<'_>) -> bool {
        let Kind::IllFormed(kind) = self.finding.kind else { return false };
        let Self { extent, is_bytes, findings, .. } = *self;
        let len = self.finding.bytes.len();
        Part { kind, at: self.at(), len, findings, extent, is_bytes }.takes(place)
    }

    /// Counts an equal group.
    pub(super) fn add_equal(&mut self, findings: u64, at: At) {
        let (groups, all) = self.more.map_or((0, 0), |more| (more.groups, more.findings));
        self.more = Some(More { groups: groups + 1, findings: all + findings, last: at });
    }

    /// Adds the bytes of one finding.
    pub(super) fn take_bytes(&mut self, bytes: &[u8]) {
        self.finding.bytes.to_mut().extend_from_slice(bytes);
        self.findings += 1;
    }

    pub(super) fn take(&mut self, finding: &Finding<'_>) {
        self.take_bytes(&finding.bytes);
        let context = &mut self.finding.context;
        context.after = finding.context.after.to_vec().into();
        context.line_after = finding.context.line_after.to_vec().into();
        context.line_goes_on = finding.context.line_goes_on;
    }

    pub(super) fn place(&self) -> Option<GuessPlace<'_>> {
        place(&self.finding)
    }

    /// Returns the character that the group is about, if it is about a whole one.
    pub fn character(&self) -> Option<CodePoint> {
        self.finding.value.and_then(|value| value.try_into().ok())
    }

    /// Formats the bytes as they appear in a line.
    pub fn substituted(&self) -> String {
        let bytes = &self.finding.bytes;
        match (self.finding.kind, self.character()) {
            (Kind::IllFormed(_), _) | (_, None) if bytes.is_empty() => String::new(),
            (Kind::IllFormed(_), _) | (_, None) => {
                bytes.iter().map(|byte| format!("<{byte:02X}>")).collect()
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
pub(super) fn place<'f>(finding: &'f Finding<'_>) -> Option<GuessPlace<'f>> {
    let Kind::IllFormed(kind) = finding.kind else { return None };
    let Finding { encoding, offset, bytes, context, .. } = finding;
    Some(GuessPlace { kind, encoding, offset: *offset, bytes, after: &context.after })
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
