//! Groups of findings that are shown as one: adjacent findings with one cause.
//!
//! ```text
//! ED A0 BD ED B8 80    six findings for a decoder of UTF-8, one surrogate pair for a reader
//! ```
//!
//! A group exists in two forms. `AdjacentFindings` is a position and a length within a row of ill-formed bytes: cheap,
//! and enough to tell whether a group equals one that is shown. `FindingGroup` has its finding with the text around it,
//! for a picture.

use crate::guess::GuessPlace;
use crate::layout::cell;
use oxiconv_encodings::unicode::CodePoint;
use oxiconv_transcode::diagnostic::{Context, Finding, Kind, Row};

/// The most bytes of a group.
const MAX_GROUP_BYTES: usize = 64;

/// Adjacent findings with one cause, to be shown.
#[derive(Debug)]
pub struct FindingGroup {
    /// The first of them, with the context around all.
    pub finding: Finding<'static>,
    pub bytes: Vec<u8>,
    pub adjacent: AdjacentFindings,
    /// The equal groups that are not shown, if there are any.
    pub more: Option<EqualGroups>,
}

/// Groups that are equal to one that is shown.
#[derive(Clone, Copy, Debug)]
pub struct EqualGroups {
    pub groups: u64,
    pub findings: u64,
    pub last: FindingPosition,
}

#[derive(Clone, Copy, Debug)]
pub struct FindingPosition {
    pub line: u64,
    pub column: u64,
    pub offset: u64,
}

impl FindingPosition {
    pub(super) fn of(finding: &Finding<'_>) -> Self {
        Self { line: finding.line, column: finding.column, offset: finding.offset }
    }
}

impl FindingGroup {
    pub(super) fn new(finding: &Finding<'_>) -> Self {
        Self {
            finding: finding.clone().into_owned(),
            bytes: finding.bytes.to_vec(),
            adjacent: AdjacentFindings::of(finding),
            more: None,
        }
    }

    /// Creates a group from a row. It is not shown, so it needs no context.
    pub(super) fn brief(adjacent: AdjacentFindings, row: &Row<'_>) -> Self {
        let FindingPosition { line, column, offset } = adjacent.at;
        let mut finding = Finding::new(adjacent.kind);
        (finding.offset, finding.line, finding.column) = (offset, line, column);
        finding.encoding = row.encoding;
        Self { finding, bytes: adjacent.bytes_in(row).to_vec(), adjacent, more: None }
    }

    pub(super) fn add_equal(&mut self, findings: u64, at: FindingPosition) {
        let (groups, all) = self.more.map_or((0, 0), |more| (more.groups, more.findings));
        self.more = Some(EqualGroups { groups: groups + 1, findings: all + findings, last: at });
    }

    pub(super) fn take_bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.adjacent.take(bytes.len());
    }

    pub(super) fn take(&mut self, finding: &Finding<'_>) {
        self.take_bytes(&finding.bytes);
        let context = &mut self.finding.context;
        context.after = finding.context.after.to_vec().into();
        context.line_after = finding.context.line_after.to_vec().into();
        context.line_goes_on = finding.context.line_goes_on;
    }

    pub(super) fn place(&self) -> Option<GuessPlace<'_>> {
        place(&self.finding, &self.bytes, &self.finding.context.after)
    }

    /// Returns the character that the group is about, if it is about a whole one.
    pub fn character(&self) -> Option<CodePoint> {
        self.finding.value.and_then(|value| value.try_into().ok())
    }

    /// Formats the bytes as they appear in a line: `<E2><82>`, or the character.
    pub fn substituted(&self) -> String {
        match (self.finding.kind, self.character()) {
            (Kind::IllFormed(_), _) | (_, None) => {
                self.bytes.iter().map(|byte| format!("<{byte:02X}>")).collect()
            }
            (_, Some(cp)) => cell(cp),
        }
    }
}

/// Where adjacent findings with one cause are.
#[derive(Clone, Copy, Debug)]
pub struct AdjacentFindings {
    pub(super) kind: Kind,
    pub at: FindingPosition,
    len: usize,
    pub findings: u64,
    /// The length of the sequence that begins at the first byte.
    extent: usize,
    is_bytes: bool,
}

impl AdjacentFindings {
    pub(super) fn new(place: &GuessPlace<'_>, at: FindingPosition) -> Self {
        let (extent, is_bytes) = place.shape();
        let (kind, len) = (Kind::IllFormed(place.kind), place.bytes.len());
        Self { kind, at, len, findings: 1, extent, is_bytes }
    }

    fn of(finding: &Finding<'_>) -> Self {
        let (kind, at, len) = (finding.kind, FindingPosition::of(finding), finding.bytes.len());
        // A finding that is not about ill-formed bytes is never continued.
        let alone = Self { kind, at, len, findings: 1, extent: 0, is_bytes: false };
        place_of(finding).map_or(alone, |place| Self::new(&place, at))
    }

    /// Whether the finding at `place` continues them. It must follow directly, and either be inside the sequence that
    /// began with the first finding (`extent`), or be a single byte after single bytes. The limit keeps pictures
    /// readable, and the bytes of a group bounded: a text in a wrong encoding may be a single run.
    pub(super) fn takes(&self, place: &GuessPlace<'_>) -> bool {
        place.offset == self.at.offset + self.len as u64
            && self.len < MAX_GROUP_BYTES
            && (self.len < self.extent || self.is_bytes && place.shape().1)
    }

    /// Adds the bytes of one finding.
    pub(super) fn take(&mut self, len: usize) {
        self.len += len;
        self.findings += 1;
    }

    /// Returns their bytes, which must be in the row.
    pub(super) fn bytes_in<'r>(&self, row: &Row<'r>) -> &'r [u8] {
        let start = (self.at.offset - row.offset) as usize;
        &row.bytes[start..start + self.len]
    }
}

/// Returns the place of `bytes`, which begin with a finding; `None` if it is not about ill-formed bytes.
pub(super) fn place<'a>(
    first: &Finding<'_>,
    bytes: &'a [u8],
    after: &'a [u8],
) -> Option<GuessPlace<'a>> {
    let Kind::IllFormed(kind) = first.kind else { return None };
    Some(GuessPlace { kind, encoding: first.encoding, offset: first.offset, bytes, after })
}

/// Returns the place of a finding, if it has its context.
pub(super) fn place_of<'f>(finding: &'f Finding<'_>) -> Option<GuessPlace<'f>> {
    place(finding, &finding.bytes, &finding.context.after)
}

/// Iterates over the findings of a row, with their positions.
pub(super) fn row_places<'a>(
    row: &Row<'a>,
) -> impl Iterator<Item = (GuessPlace<'a>, FindingPosition)> {
    let Row { subsequences, bytes, offset, line, column, encoding, .. } = *row;
    let mut start = 0;
    subsequences.iter().zip(0..).map(move |(one, index)| {
        let (bytes, after) = bytes[start..].split_at(one.len);
        let offset = offset + start as u64;
        start += one.len;
        let after = &after[..after.len().min(Context::BYTES)];
        let place = GuessPlace { kind: one.kind, encoding, offset, bytes, after };
        (place, FindingPosition { line, column: column + index, offset })
    })
}
