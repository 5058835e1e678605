//! The pipeline: the stages between the decoder and the encoder. [`Pipeline::build`] is the one list of them.
//!
//! ```text
//! engine ─► run ─┬─ no stage must see it, and none holds anything: encoded in bulk ──────────────────────────┐
//!                └─ character by character ─► stage ─► stage ─► … ─► PipelineExit: substitution ─► encoder ◄─┘
//! ```
//!
//! A run that no stage must see costs one scan per stage; without stages it costs nothing. While a stage holds a
//! character, every character passes the stages by itself.
//!
//! That is the reason why a stage is asked two different questions. [`Stage::first_in`] is cheap and looks at a whole
//! run: where is the next character that matters? The engine encodes everything before it without any stage being
//! called, and stops. [`Stage::character`] then takes characters one at a time, until nothing is held any more and the
//! rest of the run can pass in bulk again.

use super::conversion::Conversion;
use super::origin::Origin;
use super::pipeline_exit::{Passed, PipelineExit};
use super::remedy::Remedies;
use super::stage::{ConversionPath, FollowedBy, LaterStages, Stage, TextEnd};
#[cfg(feature = "transliteration")]
use super::stages::DropMarks;
#[cfg(feature = "normalization")]
use super::stages::Normalize;
#[cfg(feature = "transliteration")]
use super::stages::Transliterate;
use super::stages::{Inspect, LineEndCheck, TrimRecords};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

pub(super) struct Pipeline {
    stages: Vec<Box<dyn Stage>>,
    path: ConversionPath,
    joins: bool,
    /// For each stage, the index of the next character of the current run that it must see, or the index up to which it
    /// has found none. The engine may be stopped at every character of a run, and asks again from there each time. A
    /// stage that searched anew would scan the rest of the run for each stop: if all 4096 characters matter to a later
    /// stage and none to an earlier one, the earlier one would look at up to eight million.
    found: Vec<Option<usize>>,
    /// Whether the next characters go through the stages one by one, whatever they are.
    one_by_one: bool,
}

impl Pipeline {
    /// Builds the stages that a conversion needs, in the order in which a character passes them. The order decides
    /// results:
    ///
    /// * `LineEndCheck` and `Inspect` report on the text as it was read, so they come before whatever changes it.
    ///   `Inspect` may remove a character, and all later stages see the text without it: in `e` U+202E U+0301, the mark
    ///   belongs to `e` once U+202E is gone.
    /// * `TrimRecords` comes before normalization, so only blanks of the input are trimmed. A no-break space at the end
    ///   of a record stays, even if NFKC turns it into a blank.
    /// * `Normalize` comes before `Transliterate`, which thus sees letters in the requested form. `Transliterate`
    ///   writes what it finds straight to the exit, so nothing can come after it.
    pub(super) fn build(conversion: &Conversion, encoding: &'static Encoding) -> Self {
        let stages = [
            LineEndCheck::stage(conversion, encoding),
            Inspect::stage(conversion),
            TrimRecords::stage(conversion),
            #[cfg(feature = "normalization")]
            Normalize::stage(conversion),
            #[cfg(feature = "transliteration")]
            Transliterate::stage(conversion),
        ];
        Self::of(stages.into_iter().flatten().collect())
    }

    /// Builds the stages for iconv(3), which may hold nothing back: its caller sees how many bytes a call has read, and
    /// what it has written for them.
    #[cfg(feature = "transliteration")]
    pub(super) fn build_exact(conversion: &Conversion) -> Self {
        let transliterates = conversion.options.substitution.transliterate;
        let drops = || Box::new(DropMarks::default()) as Box<dyn Stage>;
        Self::of(transliterates.then(drops).into_iter().collect())
    }

    /// A pipeline without stages: code points are encoded as they are.
    pub(super) fn empty() -> Self {
        Self::of(Vec::new())
    }

    fn of(stages: Vec<Box<dyn Stage>>) -> Self {
        let path = stages.iter().map(|stage| stage.path()).max().unwrap_or(ConversionPath::Kernels);
        let joins = stages.iter().any(|stage| stage.joins());
        let found = vec![None; stages.len()];
        Self { stages, path, joins, found, one_by_one: false }
    }

    pub(super) fn path(&self) -> ConversionPath {
        self.path
    }

    pub(super) fn sees_characters(&self) -> bool {
        self.path > ConversionPath::Kernels
    }

    pub(super) fn joins(&self) -> bool {
        self.joins
    }

    pub(super) fn holds(&self) -> bool {
        self.stages.iter().any(|stage| stage.holds())
    }

    pub(super) fn go_one_by_one(&mut self, one_by_one: bool) {
        self.one_by_one = one_by_one;
    }

    pub(super) fn goes_one_by_one(&self) -> bool {
        self.one_by_one
    }

    pub(super) fn begin_run(&mut self) {
        self.found.fill(None);
    }

    /// Returns the index of the first character of the current run, from index `from` on, that a stage must see by
    /// itself. `next` is the character after the run, if known.
    ///
    /// The stages are asked in order, and each only about the text before what an earlier one has found. What follows
    /// that text is then the character found, but only if the earlier stage is sure to keep it. If it may drop it, the
    /// character after it might follow instead, so the next stage is told that it is unknown. Take `e` U+202E U+0301
    /// again, with `Inspect` removing U+202E and `Normalize` composing:
    ///
    /// ```text
    /// Inspect      finds U+202E, at 1, and may drop it
    /// Normalize    is asked about `e` alone, with an unknown next character: it must see `e`, so the result is 0
    /// ```
    ///
    /// Told that U+202E follows, `Normalize` would let `e` pass in bulk, and U+0301 would come too late to compose with
    /// it.
    pub(super) fn first_in(
        &mut self,
        run: &[CodePoint],
        from: usize,
        next: Option<CodePoint>,
    ) -> Option<usize> {
        if self.one_by_one {
            return (from < run.len()).then_some(from);
        }
        let (mut end, mut next) = (run.len(), next);
        for (stage, found) in self.stages.iter_mut().zip(&mut self.found) {
            let at = match *found {
                Some(at) if at >= from => at.min(end),
                _ => stage.first_in(&run[from..end], next).map_or(end, |at| from + at),
            };
            *found = Some(at);
            if at < end {
                next = Some(run[at]).filter(|cp| stage.keeps(*cp));
                end = at;
            }
        }
        (end < run.len()).then_some(end)
    }

    /// Whether the remedy for `cp`, which the target lacks, may depend on the character after it.
    pub(super) fn joins_next(
        &self,
        cp: CodePoint,
        next: Option<CodePoint>,
        remedies: &Remedies,
    ) -> bool {
        self.stages.iter().any(|stage| stage.joins_next(cp, next, remedies))
    }

    /// Whether these characters pass all stages as they are, whatever follows them. The engine asks about the last
    /// character that a kernel has converted, and takes it back if the answer is no (`engine::give_back_last`).
    pub(super) fn passes(&mut self, run: &[CodePoint]) -> bool {
        !self.holds() && self.stages.iter_mut().all(|stage| stage.first_in(run, None).is_none())
    }

    /// Holds characters from the start of `run` all in one go, and returns their number. Only a stage that is alone can
    /// do that: any other one might have to see or report a character in between.
    pub(super) fn hold(&mut self, run: &[CodePoint]) -> usize {
        match &mut *self.stages {
            [only] => only.hold(run),
            _ => 0,
        }
    }

    pub(super) fn character(
        &mut self,
        cp: CodePoint,
        next: Option<CodePoint>,
        origin: &mut Origin<'_>,
        mut exit: PipelineExit<'_>,
    ) -> Passed {
        self.rest(exit.reborrow()).character(cp, next, origin)
    }

    pub(super) fn group(
        &mut self,
        characters: &[CodePoint],
        origin: &mut Origin<'_>,
        mut exit: PipelineExit<'_>,
    ) -> Passed {
        self.rest(exit.reborrow()).group(characters, Vec::new(), origin)
    }

    pub(super) fn passed(&mut self, run: &[CodePoint]) {
        self.stages.iter_mut().for_each(|stage| stage.passed(run));
    }

    pub(super) fn settle(&mut self, followed_by: FollowedBy, mut exit: PipelineExit<'_>) -> Passed {
        self.rest(exit.reborrow()).settle(followed_by)
    }

    pub(super) fn end(
        &mut self,
        end: &TextEnd,
        origin: &mut Origin<'_>,
        mut exit: PipelineExit<'_>,
    ) -> Passed {
        self.rest(exit.reborrow()).each(|stage, rest| stage.end(end, origin, rest))
    }

    fn rest<'r>(&'r mut self, exit: PipelineExit<'r>) -> LaterStages<'r> {
        LaterStages { stages: &mut self.stages, exit }
    }
}
