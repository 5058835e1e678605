//! The characters passed last: what is invisible has an effect after some of them, and is stray after others.

use crate::unicode::{CodePoint, INVISIBLE_CONTEXT};

/// The characters passed last, if invisible ones are judged by them.
#[derive(Debug, Default)]
pub(super) struct Trail(Vec<CodePoint>);

impl Trail {
    /// Passes characters.
    pub(super) fn pass(&mut self, run: &[CodePoint]) {
        self.0.extend_from_slice(&run[run.len().saturating_sub(INVISIBLE_CONTEXT)..]);
        let too_many = self.0.len().saturating_sub(INVISIBLE_CONTEXT);
        self.0.drain(..too_many);
    }

    /// Forgets them: something follows that is not a character.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns at least as many of them as an invisible character is judged by.
    pub(super) fn characters(&self) -> &[CodePoint] {
        &self.0
    }
}
