//! Without normalization, no character waits for others to compose with: see `normalizing.rs` and `normalize.rs`.

use super::conversion::Conversion;
use super::error::Error;
use super::held::Held;
use super::session::{Flow, Session};
use crate::io::Chunk;
use crate::unicode::CodePoint;

/// Has no value: nothing may change.
#[derive(Clone)]
pub(super) enum Classes {}

impl Classes {
    pub(super) fn first_in(&mut self, _: &[CodePoint], _: Option<CodePoint>) -> Option<usize> {
        match *self {}
    }
}

pub(super) fn classes_of(_: &Conversion) -> Option<Classes> {
    None
}

/// Has no value: nothing is held back.
#[derive(Debug)]
pub(super) enum Normalizing {}

impl Normalizing {
    pub(super) fn of(_: &Conversion) -> Option<Self> {
        None
    }

    pub(super) fn is_empty(&self) -> bool {
        match *self {}
    }
}

impl Session<'_, '_> {
    pub(super) fn normalizes(&self) -> bool {
        false
    }

    pub(super) fn changes(&mut self, _: CodePoint) -> bool {
        false
    }

    pub(super) fn hold_in_sequence(
        &mut self,
        _: CodePoint,
        _: &Chunk<'_>,
        _: usize,
    ) -> Result<Option<Flow>, Error> {
        Ok(None)
    }

    pub(super) fn hold_one(&mut self, held: Held, _: Option<CodePoint>) -> Option<Held> {
        Some(held)
    }

    pub(super) fn settle_sequence_before(&mut self, _: CodePoint) -> Result<Flow, Error> {
        Ok(Flow::On)
    }

    pub(super) fn settle_sequence(&mut self) -> Result<Flow, Error> {
        Ok(Flow::On)
    }
}
