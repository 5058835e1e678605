//! What a text says of its own encoding, when it becomes text in another one.
//!
//! ```text
//! noted       the first bytes are copied as they pass ─► at the end of the text: is the declaration still true?
//! rewritten   the first bytes are searched before any is converted ─► each label is a segment
//! ```
//!
//! Here is the state of it; `labels.rs` has the work.

use std::collections::VecDeque;
use std::ops::Range;

use super::super::conversion::Conversion;
use super::super::policy::{InputEncoding, OnDeclaration};
use crate::detection::{Declaration, HEAD};
use crate::io::Chunk;
use crate::unicode::CodePoint;

/// The declarations of one input.
#[derive(Default)]
pub(in super::super) struct Declarations {
    pub(in super::super) mode: OnDeclaration,
    /// The start of the text, as far as it has passed, if it is searched at the end.
    pub(in super::super) head: Vec<u8>,
    /// The labels to rewrite, in order.
    pub(in super::super) labels: VecDeque<Label>,
    /// A declaration that is no longer true, and stays.
    pub(in super::super) stale: Option<Declaration>,
}

/// A label that another one replaces.
pub(in super::super) struct Label {
    /// Its bytes in the text.
    pub(in super::super) range: Range<u64>,
    pub(in super::super) new: Vec<CodePoint>,
}

impl Declarations {
    pub(in super::super) fn of(conversion: &Conversion) -> Self {
        let mode = match conversion.to {
            Some(_) => conversion.options.on_declaration,
            None => OnDeclaration::Keep,
        };
        // A label may be in a line that is converted as a whole.
        let mode = match (mode, conversion.from) {
            (OnDeclaration::Update, InputEncoding::Lines(_)) => OnDeclaration::Note,
            _ => mode,
        };
        Self { mode, ..Self::default() }
    }

    /// Whether more of the text is needed than `start` before it can be converted.
    pub(in super::super) fn await_more(conversion: &Conversion, start: &Chunk<'_>) -> bool {
        let rewrites = Self::of(conversion).mode == OnDeclaration::Update;
        rewrites && !start.last && start.bytes.len() < HEAD
    }

    /// Returns the place in a chunk of this length at `offset` of the next label to rewrite, if its start is there.
    pub(in super::super) fn next_in(&self, offset: u64, len: usize) -> Option<Range<usize>> {
        let Label { range, .. } = self.labels.front()?;
        let start = usize::try_from(range.start.checked_sub(offset)?).ok()?;
        (start < len).then(|| start..start + (range.end - range.start) as usize)
    }
}
