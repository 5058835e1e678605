//! What is written for the characters of a run that the target lacks, while nobody asks for their places. Text in
//! another script has one after the other, so none of them leaves the run, unless a stage says that it depends on the
//! next character (`Stage::joins_next`).

use super::super::error::Error;
use super::super::pipeline::Pipeline;
use super::super::pipeline_exit::{Put, write};
use super::super::remedy::{Remedies, Remedy};
use super::super::target_encoder::TargetEncoder;
use crate::diagnostic::Outcomes;
use oxiconv_encodings::codec::{EncodeProgress, EncodeStop, MIN_OUTPUT};
use oxiconv_encodings::unicode::CodePoint;

/// What stands for what the target lacks.
pub(super) struct InlineRemedies<'i> {
    pub(super) remedies: &'i Remedies,
    pub(super) pipeline: &'i Pipeline,
    /// What became of each character.
    pub(super) outcomes: &'i mut Outcomes,
}

impl InlineRemedies<'_> {
    /// Encodes a run, up to a character that the target lacks and that must be looked at by itself. `after` is the character
    /// after the run, if it is known. Line ends must be written as they are.
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
                // Where nothing fits, nothing is left out yet.
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

    /// Whether a remedy can be applied in this much room, whatever it takes.
    fn fits(&self, remedy: &Remedy<'_>, room: usize) -> bool {
        match remedy {
            Remedy::LeaveOut => true,
            // Each code point may itself be replaced.
            Remedy::Write(text, _) => {
                let most = text.len() * (self.remedies.replacement().len() + 2);
                most * MIN_OUTPUT <= room
            }
            Remedy::Stop | Remedy::Repair(_) => false,
        }
    }
}

/// The rest of the output, which has room for what is written.
struct RunOutput<'r> {
    target: &'r mut TargetEncoder,
    output: &'r mut [u8],
    written: usize,
}

impl Put for RunOutput<'_> {
    fn put(&mut self, run: &[CodePoint]) -> Result<Option<usize>, Error> {
        self.target.put(run, self.output, &mut self.written)
    }
}
