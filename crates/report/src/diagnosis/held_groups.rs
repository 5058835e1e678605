//! The groups of one text that are held back until the verdict on it.
//!
//! Equal groups are folded into the first one, so memory grows with the number of different groups, up to the limit,
//! and not with the text. Most findings of a text in a wrong encoding are in groups that are folded or beyond the
//! limit. The pipeline hands them over a row at a time, without their context, and `take_row` only counts them:
//!
//! ```text
//! row of ill-formed bytes ─► all its groups equal held ones, or the limit is reached? ─► counted
//!                         └─► no: the pipeline passes each finding with its context ─► `take`
//! ```

use std::collections::HashMap;

use super::finding_group::{AdjacentFindings, FindingGroup, place_of, row_places};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::diagnostic::{Finding, Kind, Row};

/// The most groups to hold back if all groups are to be shown.
const MAX_HELD_GROUPS: usize = 512;

/// The groups held back, up to a limit.
pub(super) struct HeldGroups {
    limit: Option<u64>,
    /// The number of groups shown.
    pub(super) shown: u64,
    /// Findings in groups beyond the limit.
    pub(super) withheld: u64,
    open: Option<FindingGroup>,
    held: Vec<FindingGroup>,
    parts: Vec<AdjacentFindings>,
    /// Which bytes held groups begin with. Most lookups end here, without a hash.
    first_bytes: [bool; 256],
    /// Indices into `held` by the bytes of the group.
    by_bytes: HashMap<Vec<u8>, Vec<(Kind, &'static Encoding, usize)>>,
}

impl HeldGroups {
    /// Creates an empty collection that shows at most `limit` groups.
    pub(super) fn new(limit: Option<u64>) -> Self {
        Self {
            limit,
            shown: 0,
            withheld: 0,
            open: None,
            held: Vec::new(),
            parts: Vec::new(),
            first_bytes: [false; 256],
            by_bytes: HashMap::new(),
        }
    }

    /// Whether so many are held that they should be shown.
    pub(super) fn are_many(&self) -> bool {
        self.held.len() >= MAX_HELD_GROUPS
    }

    pub(super) fn take_held(&mut self) -> Vec<FindingGroup> {
        self.by_bytes.clear();
        std::mem::take(&mut self.held)
    }

    pub(super) fn take(&mut self, finding: &Finding<'_>) {
        match &mut self.open {
            Some(open) if place_of(finding).is_some_and(|place| open.adjacent.takes(&place)) => {
                open.take(finding);
            }
            _ => {
                self.close();
                self.open = Some(FindingGroup::new(finding));
            }
        }
    }

    /// Ends the open group: folds it into an equal one, holds it, or counts it as withheld.
    pub(super) fn close(&mut self) {
        let Some(group) = self.open.take() else { return };
        let Finding { kind, encoding, .. } = group.finding;
        let AdjacentFindings { findings, at, .. } = group.adjacent;
        if let Some(index) = self.index_of(kind, &group.bytes, encoding) {
            self.held[index].add_equal(findings, at);
            return;
        }
        if self.is_full() {
            self.withheld += findings;
            return;
        }
        if let Some(first) = group.bytes.first() {
            self.first_bytes[usize::from(*first)] = true;
        }
        let place = (kind, encoding, self.held.len());
        self.by_bytes.entry(group.bytes.clone()).or_default().push(place);
        self.held.push(group);
    }

    /// Ends the open group unless the row continues it.
    pub(super) fn close_before(&mut self, row: &Row<'_>) {
        if let (Some(open), Some((first, _))) = (&self.open, row_places(row).next())
            && !open.adjacent.takes(&first)
        {
            self.close();
        }
    }

    /// Counts a row if none of its groups needs to be shown: they equal held ones, or the limit is reached. Returns
    /// whether it did; if not, nothing has changed.
    ///
    /// Before the limit is reached, a row is taken only if no group reaches beyond it. With a group open before it, or
    /// in a row that goes on, there is one, and whether it equals a held group is not known yet. So the code below
    /// changes the open group only if the limit is reached, and then the row is taken in any case.
    pub(super) fn take_row(&mut self, row: &Row<'_>) -> bool {
        let is_full = self.is_full();
        if !is_full && (self.open.is_some() || !row.ends) {
            return false;
        }
        let mut places = row_places(row).peekable();
        if let Some(open) = &mut self.open {
            while let Some((place, _)) = places.next_if(|(place, _)| open.adjacent.takes(place)) {
                open.take_bytes(place.bytes);
            }
            if places.peek().is_some() {
                self.close();
            }
        }
        let mut parts = std::mem::take(&mut self.parts);
        for (place, at) in places {
            match parts.last_mut() {
                Some(last) if last.takes(&place) => last.take(place.bytes.len()),
                _ => parts.push(AdjacentFindings::new(&place, at)),
            }
        }
        let takes = is_full || parts.iter().all(|part| self.index_of_part(part, row).is_some());
        if takes {
            self.count(&mut parts, row);
        }
        parts.clear();
        self.parts = parts;
        takes
    }

    /// Counts the groups of a row, none of which needs to be shown. If the row goes on, its last group stays open,
    /// because the next row may continue it.
    fn count(&mut self, parts: &mut Vec<AdjacentFindings>, row: &Row<'_>) {
        let last = if row.ends { None } else { parts.pop() };
        for part in &*parts {
            match self.index_of_part(part, row) {
                Some(index) => self.held[index].add_equal(part.findings, part.at),
                None => self.withheld += part.findings,
            }
        }
        if let Some(last) = last {
            self.open = Some(FindingGroup::brief(last, row));
        } else if row.ends {
            self.close();
        }
    }

    fn is_full(&self) -> bool {
        self.limit.is_some_and(|limit| self.shown + self.held.len() as u64 >= limit)
    }

    /// Returns the index of an equal group that is held.
    fn index_of(&self, kind: Kind, bytes: &[u8], encoding: &'static Encoding) -> Option<usize> {
        if bytes.first().is_some_and(|first| !self.first_bytes[usize::from(*first)]) {
            return None;
        }
        let equal = self.by_bytes.get(bytes)?;
        equal.iter().find(|(k, of, _)| (*k, *of) == (kind, encoding)).map(|(.., index)| *index)
    }

    /// Returns the index of the held group that equals a part of a row.
    fn index_of_part(&self, part: &AdjacentFindings, row: &Row<'_>) -> Option<usize> {
        self.index_of(part.kind, part.bytes_in(row), row.encoding)
    }
}
