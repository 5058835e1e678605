//! Without detection, no declaration of a text is looked for: see `declarations.rs`.

use std::ops::Range;

use super::conversion::Conversion;
use super::error::Error;
use super::session::{Flow, Session};
use crate::io::Chunk;

/// Knows of none.
#[derive(Default)]
pub(super) struct Declarations(());

impl Declarations {
    pub(super) fn of(_: &Conversion) -> Self {
        Self(())
    }

    pub(super) fn await_more(_: &Conversion, _: &Chunk<'_>) -> bool {
        false
    }

    pub(super) fn pass(&mut self, _: &[u8], _: u64) {}

    pub(super) fn are_due(&self) -> bool {
        false
    }
}

impl Session<'_, '_> {
    pub(super) fn look_for_labels(&mut self, _: &Chunk<'_>) {}

    pub(super) fn next_label(&self, _: &Chunk<'_>) -> Option<Range<usize>> {
        None
    }

    pub(super) fn rewrite_label(&mut self, _: &Chunk<'_>, _: usize) -> Result<Flow, Error> {
        Ok(Flow::On)
    }

    pub(super) fn note_declaration(&mut self) {}
}
