//! Handles faults: each is reported, and its remedy applied.
//!
//! The order is always the same. First, stages that may hold something are settled: that comes before the fault, in the
//! output and among the findings. Then the fault is reported, which may stop the conversion. Only then is its remedy
//! applied, and the position moved past it.
//!
//! A value of more than 32 bits is no code point, so it bypasses the pipeline: the decoder stops before it, and an
//! encoder that has a form for it writes it. Otherwise it is unmappable, under the same policies and with the same
//! findings as a character.

use std::ops::Range;

use super::origin::OriginBytes;
use super::pipeline_exit::Passed;
use super::policy::Detail;
use super::remedy::Remedy;
use super::stage::FollowedBy;
use super::text_walk::TextWalk;
use crate::diagnostic::{Finding, Kind, Outcome};
use crate::io::Chunk;
use oxiconv_encodings::codec::CodeValue;
use oxiconv_encodings::unicode::{CodePoint, IllFormedKind};

impl TextWalk<'_, '_> {
    /// Handles the unmappable `cp`, at which the engine stopped at byte `at`: the next code point of its run, or one of
    /// the same sequence of bytes.
    pub(super) fn unmappable(&mut self, cp: CodePoint, chunk: &Chunk<'_>, at: usize) -> Passed {
        // Its remedy may depend on what follows, unless it stops the conversion anyway.
        if self.text.pipeline.sees_characters() && !self.conversion.stops_at_unmappable() {
            return self.pass_one_by_one(chunk, at, Some(cp));
        }
        let (_, mut origin, mut exit) = self.stages(chunk, OriginBytes::Next(at));
        exit.unmappable(cp.into(), &mut origin)?;
        self.engine.skip(1);
        self.pass_unseen(&[cp]);
        Ok(())
    }

    /// Handles the character at `range` of the chunk, whose value does not fit a code point.
    pub(super) fn large(
        &mut self,
        chunk: &Chunk<'_>,
        range: Range<usize>,
        value: CodeValue,
    ) -> Passed {
        self.settle(FollowedBy::Break)?;
        let denied = self.conversion.options.denied.why(value);
        let shows = self.conversion.options.detail == Detail::Characters;
        let (_, mut origin, mut exit) = self.stages(chunk, OriginBytes::At(range.clone(), None));
        let remedy = denied.and_then(|_| exit.remedies.for_denied(value));
        if let Some(kind) = denied {
            let fault = Finding::denied(kind, Some(value));
            exit.report(fault.stopping(remedy == Some(Remedy::Stop)), &mut origin)?;
        }
        if shows {
            exit.show(value, &mut origin)?;
        }
        match (denied, remedy) {
            (Some(kind), Some(remedy)) => exit.apply(Kind::Denied(kind), remedy)?,
            _ => {
                if !self.output.put_large(value)? {
                    let (_, mut origin, mut exit) =
                        self.stages(chunk, OriginBytes::At(range, None));
                    exit.unmappable(value, &mut origin)?;
                }
            }
        }
        self.text.findings.summary.characters += 1;
        self.pass_fault();
        Ok(())
    }

    /// Reports the ill-formed subsequence at `range` of the chunk, and applies its remedy.
    pub(super) fn ill_formed(
        &mut self,
        chunk: &Chunk<'_>,
        range: Range<usize>,
        kind: IllFormedKind,
    ) -> Passed {
        let bytes = &chunk.bytes[range.clone()];
        let remedies = self.remedies;
        let remedy = remedies.for_ill_formed(bytes);
        // A letter may continue after bytes that are left out or read in a fallback, so what is settled depends on the
        // remedy.
        self.settle(remedy.comes_after())?;
        let kind = Kind::IllFormed(kind);
        let fault = Finding::new(kind).stopping(remedy == Remedy::Stop);
        self.report(fault.with(remedies.lacking(bytes)), chunk, range.clone())?;
        match remedy {
            Remedy::Repair(characters) => {
                self.repaired(chunk, range, &characters)?;
                self.text.findings.count_outcome(kind, Outcome::ReadByFallback);
            }
            remedy => self.apply(kind, remedy)?,
        }
        // However many characters it is read as, it is one column.
        self.pass_fault();
        Ok(())
    }
}
