//! A walk over one text: how far it has come, and what it needs to handle what is there.
//!
//! ```text
//! Session ─► segments ─► TextWalk ─► Engine ─► a stop:  pipeline              a stage must see the next character
//!                                                       faults.rs             ill-formed, unmappable, too large
//!                                                       ill_formed_rows.rs    many ill-formed ones in one go
//! ```
//!
//! The engine, the pipeline, the reporter and the output do not know each other. The walk lends each of them what it
//! needs for one call ([`TextWalk::stages`]). Afterwards it moves the position, the counts and the context past what
//! was converted, which is the same whether a kernel, a run or the stages converted it.

use std::ops::Range;

use super::buffered_output::BufferedOutput;
use super::conversion::Conversion;
use super::engine::{Advance, Engine, EngineInput};
use super::error::Error;
use super::origin::{ChunkOrigin, Origin, OriginBytes};
use super::pipeline::Pipeline;
use super::pipeline_exit::{Passed, PipelineExit};
use super::position::RunCounts;
use super::remedy::{Remedies, Remedy};
use super::stage::{ConversionPath, FollowedBy};
use super::text_state::TextState;
use super::view::View;
#[cfg(feature = "detection")]
use crate::diagnostic::Context;
use crate::diagnostic::{Finding, Kind, Reporter};
use crate::io::Chunk;
use oxiconv_encodings::codec::Lossy;
use oxiconv_encodings::unicode::{CodePoint, REPLACEMENT_CHARACTER};

pub(super) struct TextWalk<'s, 'a> {
    pub(super) remedies: &'s Remedies,
    pub(super) conversion: &'s Conversion,
    pub(super) engine: &'s mut Engine,
    pub(super) output: &'s mut BufferedOutput<'a>,
    pub(super) reporter: &'s mut dyn Reporter,
    pub(super) text: TextState,
}

impl<'s, 'a> TextWalk<'s, 'a> {
    pub(super) fn new(
        remedies: &'s Remedies,
        engine: &'s mut Engine,
        output: &'s mut BufferedOutput<'a>,
        reporter: &'s mut dyn Reporter,
        text: TextState,
    ) -> Self {
        let conversion = &remedies.conversion;
        Self { remedies, conversion, engine, output, reporter, text }
    }

    pub(super) fn view<'v, 'c>(&'v self, chunk: &'v Chunk<'c>) -> View<'v, 'c> {
        View {
            chunk,
            base: self.text.offset,
            goes_on: self.text.goes_on(),
            is_deferred: self.text.is_deferred(),
            encoding: self.text.findings.encoding,
            decoder: self.engine.decoder(),
            shows_context: self.text.context.is_some(),
            measures: self.measures(),
        }
    }

    /// Whether the engine measures what it converts next. The search for interrupted code units then lets it convert
    /// first, and looks only where a sign was counted (`segments/interruptions.rs`).
    fn measures(&self) -> bool {
        #[cfg(feature = "detection")]
        let takes_direct = self.engine.takes_direct();
        #[cfg(not(feature = "detection"))]
        let takes_direct = false;
        takes_direct && !self.text.pipeline.sees_characters() && self.output.is_under_way()
    }

    /// Whether single characters matter in any way. If so, no path that skips them may be taken.
    pub(super) fn sees_characters(&self) -> bool {
        self.conversion.sees_characters() || self.output.observer.is_some()
    }

    /// Configures the engine for what matters now: whether places are wanted changes with the limit of findings, and
    /// whether characters pass one by one with what the stages hold. The settings of a run hold until its end: a
    /// locator cannot be had later for a run that was decoded without one.
    pub(super) fn prepare_engine(&mut self) {
        let pipeline = &mut self.text.pipeline;
        // At the start of the output the first character decides about the byte order mark, and while a stage holds
        // characters the next one decides about those. Neither may pass in bulk. The stages are asked here, before
        // every step, because a character that a fallback has read may be held although the engine has not stopped.
        pipeline.go_one_by_one(pipeline.holds() || !self.output.is_under_way());
        if self.engine.holds_run() {
            return;
        }
        let wants_places = self.reporter.wants_places();
        let strict = self.conversion.stops_at_unmappable();
        let may_ask = self.conversion.to.is_some() && (strict || wants_places);
        // A locator costs a copy of the decoder for each run, so there is one only if a place may be asked for.
        self.engine.locate_characters(pipeline.path() == ConversionPath::CodePoints || may_ask);
        self.engine.keep_sequences_whole(strict);
        // Kernels may replace faults by themselves only if no stage can hold a letter: what is written for a fault must
        // come after the letter before it, and a kernel would write it first.
        let passes = !wants_places && !pipeline.joins();
        if passes && self.engine.lossy().is_none() {
            let lossy = self.engine.kernels().and_then(|pair| self.remedies.lossy(pair.to));
            self.engine.pass_faults(lossy);
        }
    }

    pub(super) fn advance(&mut self, part: EngineInput<'_>) -> Result<Advance, Error> {
        // If every character must be seen, none may be replaced inside a run. An observer, for instance, would be shown
        // the character and not what is written for it.
        let at_once = !self.reporter.wants_places() && !self.sees_characters();
        let part = EngineInput { inline_remedies: at_once.then_some(self.remedies), ..part };
        let (target, room) = self.output.target_and_room()?;
        let advance = self.engine.advance(part, &mut self.text.pipeline, target, room);
        self.count(&advance);
        Ok(advance)
    }

    fn count(&mut self, advance: &Advance) {
        self.output.fill(advance.written);
        self.pass_counted(advance.passed);
        if let Some(faults) = self.engine.take_faults() {
            self.count_faults(&faults);
        }
        self.count_unmappable();
        let code_points = self.engine.code_points(advance);
        // Bytes without a character are the rest of a line end, for which the buffer had no room before.
        if !code_points.is_empty() || advance.written > 0 {
            self.output.observe(code_points);
        }
        if code_points.is_empty() {
            return;
        }
        if let Some(context) = &mut self.text.context {
            context.pass(code_points);
        }
        self.text.pipeline.passed(code_points);
    }

    /// Passes the next character of the engine's run, which begins at byte `at` of the chunk, through the stages, and
    /// then more of them as long as a stage holds any: what is held can only be settled by the characters after it.
    /// Once nothing is held, the rest of the run passes in bulk again. `refused` says that the target is known to lack
    /// the first.
    ///
    /// A run may end while a stage still holds something. Then this returns all the same, and the next run begins one
    /// by one too ([`TextWalk::prepare_engine`]): a kernel would write its characters before the held ones.
    pub(super) fn pass_one_by_one(
        &mut self,
        chunk: &Chunk<'_>,
        at: usize,
        mut refused: Option<CodePoint>,
    ) -> Passed {
        while let Some((cp, next)) = self.engine.next() {
            let held = self.text.pipeline.hold(self.engine.pending());
            if held > 0 {
                self.pass_pending(held);
                continue;
            }
            let (pipeline, mut origin, mut exit) = self.stages(chunk, OriginBytes::Next(at));
            exit.refused = refused.take();
            pipeline.character(cp, next, &mut origin, exit)?;
            self.pass_pending(1);
            if !self.text.pipeline.holds() && self.output.is_under_way() {
                break;
            }
        }
        Ok(())
    }

    fn pass_pending(&mut self, count: usize) {
        let Self { engine, text, .. } = self;
        text.pass(&engine.pending()[..count]);
        engine.skip(count);
    }

    /// Returns the stages, the origin of `bytes` of the chunk, and the exit to the output.
    pub(super) fn stages<'x>(
        &'x mut self,
        chunk: &Chunk<'x>,
        bytes: OriginBytes,
    ) -> (&'x mut Pipeline, Origin<'x>, PipelineExit<'x>) {
        let starts_text = self.text.is_at_start();
        let TextState { pipeline, findings, context, offset, position, .. } = &mut self.text;
        let explains = context.is_some();
        let origin = ChunkOrigin {
            chunk: chunk.part(0, chunk.bytes.len()),
            engine: &mut *self.engine,
            context: context.as_mut(),
            offset: *offset,
            position: *position,
            characters: findings.summary.characters,
            starts_text,
            bytes,
        };
        let reporter = &mut *self.reporter;
        let output = &mut *self.output;
        let exit = PipelineExit {
            explains,
            ..PipelineExit::new(self.remedies, findings, reporter, output)
        };
        (pipeline, Origin::InChunk(origin), exit)
    }

    pub(super) fn exit(&mut self) -> PipelineExit<'_> {
        self.stages(&Chunk::more(&[]), OriginBytes::At(0..0, None)).2
    }

    pub(super) fn settle(&mut self, followed_by: FollowedBy) -> Passed {
        if !self.text.pipeline.sees_characters() {
            return Ok(());
        }
        let (pipeline, _, exit) = self.stages(&Chunk::more(&[]), OriginBytes::At(0..0, None));
        pipeline.settle(followed_by, exit)
    }

    /// Counts characters that were converted as a run.
    pub(super) fn pass_counted(&mut self, passed: RunCounts) {
        match self.text.records {
            None => self.text.position.pass_all(passed.moved),
            // A line is a record, whatever line feeds are in it, so they count as columns like any other character.
            Some(_) => self.text.position.pass_many(passed.characters),
        }
        self.text.findings.summary.characters += passed.characters;
    }

    /// Counts the faults that kernels replaced because nobody wants their places.
    pub(super) fn count_faults(&mut self, faults: &Lossy) {
        let outcome = self.conversion.options.substitution.on_ill_formed.outcome();
        for (kind, count) in faults.counts() {
            let kind = Kind::IllFormed(kind);
            self.text.findings.report_unplaced(self.reporter, kind, count);
            self.text.findings.summary.count_outcome(kind, outcome, count);
        }
    }

    /// Counts the unmappable characters that were handled inside a run because nobody wants their places.
    fn count_unmappable(&mut self) {
        for (outcome, count) in self.engine.take_unmappable().iter() {
            self.text.findings.report_unplaced(self.reporter, Kind::Unmappable, count);
            let summary = &mut self.text.findings.summary;
            summary.count_outcome(Kind::Unmappable, outcome, count);
        }
    }

    /// Moves past characters that were converted one by one.
    pub(super) fn pass(&mut self, run: &[CodePoint]) {
        self.text.pass(run);
    }

    /// The same for characters that no stage has seen.
    pub(super) fn pass_unseen(&mut self, run: &[CodePoint]) {
        self.pass(run);
        self.text.pipeline.passed(run);
    }

    /// Moves past an ill-formed subsequence, or a character whose value does not fit a run.
    pub(super) fn pass_fault(&mut self) {
        self.text.position.pass_many(1);
        if let Some(context) = &mut self.text.context {
            context.pass(&[REPLACEMENT_CHARACTER]);
        }
    }

    /// Reports a fault in bytes at the current position.
    pub(super) fn report(
        &mut self,
        fault: Finding<'_>,
        chunk: &Chunk<'_>,
        range: Range<usize>,
    ) -> Passed {
        self.report_at(fault, chunk, OriginBytes::At(range, None))
    }

    /// The same for bytes that come with the decoder after them.
    pub(super) fn report_at(
        &mut self,
        fault: Finding<'_>,
        chunk: &Chunk<'_>,
        bytes: OriginBytes,
    ) -> Passed {
        let fault = match &bytes {
            OriginBytes::At(range, _) if fault.stops || self.reporter.wants_places() => {
                self.as_evidence(fault, chunk, range)
            }
            _ => fault,
        };
        let (_, mut origin, mut exit) = self.stages(chunk, bytes);
        exit.report(fault, &mut origin)
    }

    /// Records a fault as evidence of what the text is, and adds the byte after it to the finding if that byte is why
    /// it is ill-formed. In E2 82 41 it is: with 82 instead of 41 there would be a character. In FF 41 it is not.
    fn as_evidence<'f>(
        &mut self,
        fault: Finding<'f>,
        chunk: &Chunk<'_>,
        range: &Range<usize>,
    ) -> Finding<'f> {
        let bytes = &chunk.bytes[range.clone()];
        let next = chunk.bytes.get(range.end).copied();
        let is_ill_formed = matches!(fault.kind, Kind::IllFormed(_));
        let next = next.filter(|_| is_ill_formed && self.engine.judges_by_next(bytes));
        if let Some(evidence) = &mut self.text.evidence
            && fault.kind.is_of_bytes()
        {
            let stop = fault.stops.then(|| range.len() + usize::from(next.is_some()));
            let offset = self.text.offset + range.start as u64;
            evidence.found(offset, self.text.findings.summary.characters, stop);
        }
        Finding { next, ..fault }
    }

    /// Asks whether the damaged part of the chunk at `range` is to be repaired.
    #[cfg(feature = "detection")]
    pub(super) fn accepts(
        &mut self,
        fault: Finding<'_>,
        chunk: &Chunk<'_>,
        range: &Range<usize>,
    ) -> Result<bool, Error> {
        let before = &chunk.bytes[range.start.saturating_sub(Context::BYTES)..range.start];
        let after = &chunk.bytes[range.end..chunk.bytes.len().min(range.end + Context::BYTES)];
        let offset = self.text.offset + range.start as u64;
        let bytes = &chunk.bytes[range.clone()];
        let finding = self.text.findings.placed(fault, offset, self.text.position, bytes);
        let context = Context { before: before.into(), after: after.into(), ..Context::default() };
        self.reporter.accepts(&Finding { context, ..finding }).map_err(Error::Report)
    }

    /// Applies the remedy of a fault that does not stop the conversion, and counts the outcome.
    pub(super) fn apply(&mut self, kind: Kind, remedy: Remedy<'_>) -> Result<(), Error> {
        self.exit().apply(kind, remedy)
    }

    /// Encodes code points that are not in the text, up to the first that the target lacks, and returns its index.
    pub(super) fn put(&mut self, run: &[CodePoint]) -> Result<Option<usize>, Error> {
        self.exit().put(run)
    }

    /// Passes the characters that the bytes at `range` of the chunk are read as through the stages.
    pub(super) fn repaired(
        &mut self,
        chunk: &Chunk<'_>,
        range: Range<usize>,
        characters: &[CodePoint],
    ) -> Passed {
        let (pipeline, mut origin, exit) = self.stages(chunk, OriginBytes::At(range, None));
        pipeline.group(characters, &mut origin, exit)
    }

    /// Passes the text before byte `at` of `bytes`, the unconsumed part of the input, to a reporter that shows findings
    /// in context.
    pub(super) fn show_text_before(&mut self, at: usize, bytes: &[u8]) {
        if let Some(context) = &mut self.text.context {
            let encoding = self.text.findings.encoding;
            context.show_text_before(at, bytes, self.text.offset, self.reporter, encoding);
        }
    }

    /// Passes the bytes that stop the conversion, at the start of `rest`, to a reporter that judges causes.
    pub(super) fn pass_stop(&mut self, rest: &[u8]) {
        if let Some(evidence) = &mut self.text.evidence {
            evidence.stop(rest, self.text.offset, self.reporter, self.text.findings.encoding);
        }
    }
}
