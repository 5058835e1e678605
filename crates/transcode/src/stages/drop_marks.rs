//! Transliteration where nothing may be held: in iconv(3), whose caller sees how much of the input is read.
//!
//! If the target has a letter but not its mark, the letter is already written when the mark comes, so all that can be
//! done is to drop the mark: `e` U+0301 to US-ASCII is `e`. [`Transliterate`](super::Transliterate) looks at both
//! together and writes more of them: `u` U+0308 by the rules of German is `ue` there, and `u` here.
//!
//! All that has to be remembered is the last letter, since it decides whether a mark may be dropped: U+0301 after `e`
//! may, and after a blank it is replaced like any other character that the target lacks.

use super::super::origin::Origin;
use super::super::pipeline_exit::{Passed, RemovedCharacter};
use super::super::remedy::Remedy;
use super::super::stage::{FollowedBy, LaterStages, Stage};
use crate::diagnostic::{Kind, Outcome};
use crate::transliteration::{extends, may_drop};
use oxiconv_encodings::unicode::CodePoint;

/// Must be the last stage, because it writes to the exit directly.
#[derive(Default)]
pub(in super::super) struct DropMarks {
    /// The letter that the next mark belongs to; 0 if there is none, or if it was replaced.
    letter: CodePoint,
}

impl DropMarks {
    /// Takes the next character, and returns the letter that a mark after it belongs to.
    fn take(&self, cp: CodePoint, rest: &mut LaterStages<'_>) -> Passed<CodePoint> {
        let letter = letter_after(self.letter, &[cp]);
        if rest.exit.refused != Some(cp) && rest.exit.put(&[cp])?.is_none() {
            return Ok(letter);
        }
        if extends(cp) && may_drop(self.letter, cp) {
            rest.exit.findings.count_outcome(Kind::Unmappable, Outcome::Transliterated);
            return Ok(letter);
        }
        let remedy = rest.exit.remedies.for_unmappable(cp.into());
        let is_replaced = matches!(remedy, Remedy::Write(_, Outcome::Replaced));
        rest.exit.apply(Kind::Unmappable, remedy)?;
        Ok(if is_replaced { 0 } else { letter })
    }
}

impl Stage for DropMarks {
    /// It need not see any: the engine stops at what the encoder refuses, and passes that on. Characters that the
    /// target has are only noted (`passed`), because one of them may be the letter of the next mark.
    fn first_in(&mut self, _: &[CodePoint], _: Option<CodePoint>) -> Option<usize> {
        None
    }

    fn keeps(&mut self, _: CodePoint) -> bool {
        true
    }

    fn character(
        &mut self,
        cp: CodePoint,
        _: Option<CodePoint>,
        _: &mut Origin<'_>,
        rest: &mut LaterStages<'_>,
    ) -> Passed {
        self.letter = self.take(cp, rest)?;
        Ok(())
    }

    /// The new letter is kept only if all of them are written: otherwise none is, and the old letter is still the last.
    fn group(
        &mut self,
        characters: &[CodePoint],
        _: Vec<RemovedCharacter<'_>>,
        _: &mut Origin<'_>,
        rest: &mut LaterStages<'_>,
    ) -> Passed {
        let mut after = Self { letter: self.letter };
        for cp in characters {
            after.letter = after.take(*cp, rest)?;
        }
        *self = after;
        Ok(())
    }

    fn passed(&mut self, run: &[CodePoint]) {
        self.letter = letter_after(self.letter, run);
    }

    fn settle(&mut self, followed_by: FollowedBy, _: &mut LaterStages<'_>) -> Passed {
        if followed_by == FollowedBy::Break {
            self.letter = 0;
        }
        Ok(())
    }
}

/// Returns the letter that a mark after `run` belongs to, if `letter` is the one before `run`.
fn letter_after(letter: CodePoint, run: &[CodePoint]) -> CodePoint {
    run.iter().rev().copied().find(|cp| !extends(*cp)).unwrap_or(letter)
}
