//! Remedies applied inside a run, if nobody wants the places of unmappable characters.
//!
//! In text in another script they follow each other. `жжж` to US-ASCII with `--unmappable skip` would stop the engine
//! at each letter, and each stop is a trip through the caller. Here the run continues: to leave out 1.5 million letters
//! took 13 ms instead of 130. The exception is a character whose remedy depends on the next one (`Stage::joins_next`);
//! it stops the engine as usual.
//!
//! A remedy is either written as a whole or not begun. If it is not sure to fit into the output, the engine stops at
//! the character, and the caller, whose output can be flushed, writes it.

use super::super::error::Error;
use super::super::pipeline::Pipeline;
use super::super::pipeline_exit::{CodePointSink, write};
use super::super::remedy::{Remedies, Remedy};
use super::super::target_encoder::TargetEncoder;
use crate::diagnostic::Outcomes;
use oxiconv_encodings::codec::{EncodeProgress, EncodeStop, MIN_OUTPUT};
use oxiconv_encodings::unicode::CodePoint;

/// Writes remedies in place of unmappable characters.
pub(super) struct InlineRemedies<'i> {
    pub(super) remedies: &'i Remedies,
    pub(super) pipeline: &'i Pipeline,
    /// Counts what was done for each character.
    pub(super) outcomes: &'i mut Outcomes,
}

impl InlineRemedies<'_> {
    /// Encodes a run, up to an unmappable character that cannot be handled here. `after` is the character after the
    /// run, if known. The target must not convert line ends.
    pub(super) fn encode(
        self,
        run: &[CodePoint],
        after: Option<CodePoint>,
        target: &mut TargetEncoder,
        output: &mut [u8],
    ) -> EncodeProgress {
        let mut done = target.encode(run, output);
        while done.stop == EncodeStop::Unmappable {
            if done.written == output.len() {
                // A full output comes first: the caller may stop there, and then the character has not been dropped and
                // must not be counted.
                done.stop = EncodeStop::OutputFull;
                break;
            }
            let (cp, rest) = (run[done.read], &run[done.read + 1..]);
            if self.pipeline.joins_next(cp, rest.first().copied().or(after), self.remedies) {
                break;
            }
            let remedy = self.remedies.for_unmappable(cp.into());
            if !self.fits(&remedy, output.len() - done.written) {
                break;
            }
            let mut room = RunOutput { target, output, written: done.written };
            let Ok(outcome) = write(remedy, self.remedies, &mut room) else { break };
            done.written = room.written;
            self.outcomes.count(outcome, 1);
            let next = target.encode(rest, &mut output[done.written..]);
            done.read += 1 + next.read;
            done.written += next.written;
            done.stop = next.stop;
        }
        done
    }

    /// Whether a remedy surely fits into this much room. It must not fail halfway: part of an escape would already be
    /// written.
    ///
    /// The bound counts the worst case for each code point of the text: the target lacks it, so the replacement is
    /// tried, and may fail at its last code point, and then U+FFFD is written. Each of these attempts takes at most
    /// [`MIN_OUTPUT`] bytes, since that much room is always enough to encode one code point.
    fn fits(&self, remedy: &Remedy<'_>, room: usize) -> bool {
        match remedy {
            Remedy::LeaveOut => true,
            Remedy::Write(text, _) => {
                let most = text.len() * (self.remedies.replacement().len() + 2);
                most * MIN_OUTPUT <= room
            }
            Remedy::Stop | Remedy::Repair(_) => false,
        }
    }
}

/// The free part of the output, which surely has enough room.
struct RunOutput<'r> {
    target: &'r mut TargetEncoder,
    output: &'r mut [u8],
    written: usize,
}

impl CodePointSink for RunOutput<'_> {
    fn put(&mut self, run: &[CodePoint]) -> Result<Option<usize>, Error> {
        self.target.put(run, self.output, &mut self.written)
    }
}
