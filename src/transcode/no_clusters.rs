//! Without transliteration, no letter waits for its marks: see `clusters.rs` and `marks.rs`.

use super::conversion::Conversion;
use super::error::Error;
use super::session::Session;
use crate::io::Chunk;
use crate::unicode::CodePoint;

/// Holds nothing back.
#[derive(Debug, Default)]
pub(super) struct Cluster(());

impl Cluster {
    pub(super) fn is_empty(&self) -> bool {
        true
    }
}

/// Has no value: nothing must be held back.
#[derive(Clone)]
pub(super) enum Clusters {}

impl Clusters {
    pub(super) fn of(_: &Conversion) -> Option<Self> {
        None
    }

    pub(super) fn first_in(&mut self, _: &[CodePoint], _: Option<CodePoint>) -> Option<usize> {
        match *self {}
    }

    pub(super) fn holds(_: CodePoint, _: Option<CodePoint>) -> bool {
        false
    }
}

impl Session<'_, '_> {
    pub(super) fn extends_cluster(&self, _: CodePoint) -> bool {
        false
    }

    pub(super) fn hold_in_cluster(
        &mut self,
        _: CodePoint,
        _: &Chunk<'_>,
        _: usize,
    ) -> Result<bool, Error> {
        Ok(false)
    }

    pub(super) fn hold_result(
        &mut self,
        _: CodePoint,
        _: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<bool, Error> {
        Ok(false)
    }

    pub(super) fn settle_cluster(&mut self) -> Result<(), Error> {
        Ok(())
    }
}
