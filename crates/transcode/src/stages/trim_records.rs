//! Drops the blanks at the end of each record. Blanks are held until another character or the end of the record
//! follows. Only their number is held, so that a record of nothing but blanks, which may be of any length, takes no
//! memory.
//!
//! No place is kept for a held blank, unlike for what other stages hold: nothing is reported about it, whether it is
//! written or dropped.

use super::super::conversion::Conversion;
use super::super::origin::Origin;
use super::super::pipeline_exit::Passed;
use super::super::stage::{FollowedBy, LaterStages, Stage};
use oxiconv_encodings::unicode::{BLANK, CodePoint};

pub(in super::super) struct TrimRecords {
    blanks: u64,
}

impl TrimRecords {
    pub(in super::super) fn stage(conversion: &Conversion) -> Option<Box<dyn Stage>> {
        conversion.trims_records().then(|| Box::new(Self { blanks: 0 }) as Box<dyn Stage>)
    }

    /// Writes the held blanks: something follows them.
    fn put(&mut self, rest: &mut LaterStages<'_>) -> Passed {
        const MANY: [CodePoint; 256] = [BLANK; 256];
        let mut left = std::mem::take(&mut self.blanks);
        if left > 0 {
            rest.settle(FollowedBy::Break)?;
        }
        while left > 0 {
            let count = left.min(MANY.len() as u64);
            left -= count;
            // The target has blanks; otherwise there is no such stage (`Conversion::trims_records`).
            rest.exit.put(&MANY[..count as usize])?;
        }
        Ok(())
    }
}

impl Stage for TrimRecords {
    fn holds(&self) -> bool {
        self.blanks > 0
    }

    /// Only blanks at the end of a run matter, and only if the record may end there: if something other than a blank is
    /// known to follow, they are between two words.
    fn first_in(&mut self, run: &[CodePoint], next: Option<CodePoint>) -> Option<usize> {
        let blanks = run.iter().rev().take_while(|cp| **cp == BLANK).count();
        let may_end = next.is_none_or(|next| next == BLANK);
        (blanks > 0 && may_end).then_some(run.len() - blanks)
    }

    /// Neither a blank nor what follows one that is dropped belongs to what comes before it.
    fn keeps(&mut self, _: CodePoint) -> bool {
        true
    }

    fn character(
        &mut self,
        cp: CodePoint,
        next: Option<CodePoint>,
        origin: &mut Origin<'_>,
        rest: &mut LaterStages<'_>,
    ) -> Passed {
        if cp == BLANK {
            self.blanks += 1;
            return Ok(());
        }
        self.put(rest)?;
        rest.character(cp, next, origin)
    }

    fn hold(&mut self, run: &[CodePoint]) -> usize {
        let blanks = run.iter().take_while(|cp| **cp == BLANK).count();
        self.blanks += blanks as u64;
        blanks
    }

    fn settle(&mut self, followed_by: FollowedBy, rest: &mut LaterStages<'_>) -> Passed {
        match followed_by {
            FollowedBy::End => self.blanks = 0,
            // Blanks before what is left out are not at the end of the record.
            FollowedBy::Gap | FollowedBy::Break => self.put(rest)?,
            FollowedBy::Character(_) => {}
        }
        Ok(())
    }
}
