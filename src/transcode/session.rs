//! One input on its way to the output: the state that all its layers share.
//!
//! ```text
//! chunk loop (convert) ─► Engine ─► what it stops at:  characters.rs   watched: denied, noted, shown, line ends
//!                                                      faults.rs       ill-formed, unmappable, too large
//!                                                      rows.rs         many ill-formed ones in one go
//! ```

use std::ops::Range;

use super::conversion::Conversion;
use super::engine::{Advance, Engine};
use super::error::{Error, Stopped};
use super::findings::Findings;
use super::output::Output;
use super::position::RunCounts;
use super::remedy::{Remedies, Remedy};
use super::text::Text;
use super::watch::Watch;
use crate::codec::{Decoder, Lossy, MIN_PIVOT, Value};
#[cfg(feature = "detection")]
use crate::detection::Detection;
use crate::diagnostic::{Character, Context, Finding, Kind, Message, Outcome, Reporter, Summary};
use crate::io::Chunk;
use crate::unicode::{CodePoint, REPLACEMENT_CHARACTER};

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    On,
    /// Not beyond this byte of the chunk.
    Stop(usize),
}

/// Where something stands in a chunk.
pub(super) struct Located {
    pub(super) range: Range<usize>,
    /// A decoder in the state after it, if the engine's decoder is further on and the text after it is shown.
    decoder_after: Option<Box<dyn Decoder>>,
}

impl From<Range<usize>> for Located {
    fn from(range: Range<usize>) -> Self {
        Self { range, decoder_after: None }
    }
}

/// The conversion of one input, while a chunk of it is in memory.
pub(super) struct Session<'s, 'a> {
    pub(super) remedies: &'s Remedies,
    pub(super) conversion: &'s Conversion,
    pub(super) engine: &'s mut Engine,
    pub(super) output: &'s mut Output<'a>,
    pub(super) reporter: &'s mut dyn Reporter,
    pub(super) text: Text,
    /// Whether the engine knows what to watch for now.
    pub(super) prepared: bool,
}

impl<'s, 'a> Session<'s, 'a> {
    /// Resumes an input; the engine already has its decoder.
    pub(super) fn new(
        remedies: &'s Remedies,
        engine: &'s mut Engine,
        output: &'s mut Output<'a>,
        reporter: &'s mut dyn Reporter,
        text: Text,
    ) -> Self {
        let conversion = &remedies.conversion;
        Self { remedies, conversion, engine, output, reporter, text, prepared: false }
    }

    /// Releases everything borrowed, until there is more of the input.
    pub(super) fn into_text(self) -> Text {
        self.text
    }

    /// Whether single characters matter in any way. If so, no path that skips characters is taken.
    pub(super) fn sees_characters(&self) -> bool {
        self.conversion.sees_characters() || self.output.observer.is_some()
    }

    /// Configures the engine for what matters now, if that has changed.
    pub(super) fn prepare_engine(&mut self) {
        if std::mem::replace(&mut self.prepared, true) {
            return;
        }
        let held = self.holds_characters();
        // The first character decides what comes before it, and the next one what is held back.
        let one_by_one = held || !self.output.is_under_way();
        self.engine.watch(if one_by_one { Some(Watch::EVERY) } else { self.text.watch });
        let wants_places = self.reporter.wants_places();
        let strict = self.conversion.stops_at_unmappable();
        let may_ask = self.conversion.to.is_some() && (strict || wants_places);
        self.engine.locate_characters(self.text.watch.is_some() || may_ask);
        self.engine.keep_sequences_whole(strict);
        // A letter that is held back must not be followed by a fault that a kernel passes.
        let passes = !wants_places && !self.engine.holds_letters();
        if passes && self.engine.lossy().is_none() {
            let lossy = self.engine.kernels().and_then(|pair| self.remedies.lossy(pair.to));
            self.engine.pass_faults(lossy);
        }
    }

    /// Stops watching for line ends that no longer matter.
    pub(super) fn watch_newlines(&mut self) {
        self.prepared = false;
        if let (Some(watch), Some(newlines)) = (&mut self.text.watch, &self.text.newlines) {
            *watch = watch.with_line_ends(newlines.interest());
        }
    }

    /// Counts what the engine has written and read.
    pub(super) fn count(&mut self, advance: &Advance) {
        self.output.fill(advance.written);
        self.pass_counted(advance.passed);
        if let Some(faults) = self.engine.take_faults() {
            self.count_faults(&faults);
        }
        let code_points = self.engine.code_points(advance);
        if let Some(context) = &mut self.text.context {
            context.pass(code_points);
        }
        if let Some(trail) = &mut self.text.trail {
            trail.pass(code_points);
        }
        self.output.observe(self.engine.written(code_points));
    }

    /// Counts characters that were converted as a run.
    pub(super) fn pass_counted(&mut self, passed: RunCounts) {
        match self.text.records {
            None => self.text.position.pass_all(passed.moved),
            // A line is a record.
            Some(_) => self.text.position.pass_many(passed.characters),
        }
        self.text.findings.summary.characters += passed.characters;
    }

    /// Counts the faults that an engine replaced because nobody asks for their places.
    pub(super) fn count_faults(&mut self, faults: &Lossy) {
        let outcome = self.conversion.options.on_ill_formed.outcome();
        for (kind, count) in faults.counts() {
            let kind = Kind::IllFormed(kind);
            self.text.findings.report_unplaced(self.reporter, kind, count);
            self.text.findings.summary.count_outcome(kind, outcome, count);
        }
    }

    /// Counts characters that were converted one by one.
    pub(super) fn pass(&mut self, run: &[CodePoint]) {
        match self.text.records {
            None => self.text.position.pass(run),
            Some(_) => self.text.position.pass_many(run.len() as u64),
        }
        self.text.findings.summary.characters += run.len() as u64;
        if let Some(context) = &mut self.text.context {
            context.pass(run);
        }
        if let Some(trail) = &mut self.text.trail {
            trail.pass(run);
        }
    }

    /// Moves past an ill-formed subsequence, or a character that is too large for a run.
    pub(super) fn pass_fault(&mut self) {
        self.text.position.pass_many(1);
        if let Some(context) = &mut self.text.context {
            context.pass(&[REPLACEMENT_CHARACTER]);
        }
        if let Some(trail) = &mut self.text.trail {
            trail.clear();
        }
    }

    /// Locates in the chunk the character that stopped the engine at byte `at`, if it can be located.
    pub(super) fn locate(&mut self, chunk: &Chunk<'_>, at: usize) -> Option<Located> {
        let part = &chunk.bytes[at..];
        let range = self.engine.locate(part)?;
        let decoder_after =
            self.text.context.as_ref().and_then(|_| self.engine.decoder_after(part));
        Some(Located { range: at + range.start..at + range.end, decoder_after })
    }

    /// Returns the place of the character at `range` of the chunk, which the engine has not decoded yet.
    pub(super) fn locate_next(&self, chunk: &Chunk<'_>, range: Range<usize>) -> Located {
        let decoder_after = self.text.context.as_ref().map(|_| {
            let mut decoder = self.engine.decoder().fork();
            decoder.decode(&chunk.bytes[range.clone()], &mut [0; MIN_PIVOT], false);
            decoder
        });
        Located { range, decoder_after }
    }

    /// Reports a fault at the present position.
    pub(super) fn report(
        &mut self,
        fault: Finding<'_>,
        chunk: &Chunk<'_>,
        place: impl Into<Located>,
    ) -> Result<(), Error> {
        if !(fault.stops || self.reporter.wants_places()) {
            self.text.findings.report_unplaced(self.reporter, fault.kind, 1);
            return Ok(());
        }
        let Located { range, decoder_after } = place.into();
        self.show_text_before(range.start, chunk.bytes);
        let bytes = &chunk.bytes[range.clone()];
        let next = chunk.bytes.get(range.end).copied();
        let is_ill_formed = matches!(fault.kind, Kind::IllFormed(_));
        let next = next.filter(|_| is_ill_formed && self.engine.judges_by_next(bytes));
        let offset = self.text.offset + range.start as u64;
        if let Some(evidence) = &mut self.text.evidence
            && fault.kind.is_of_bytes()
        {
            let stop = fault.stops.then(|| range.len() + usize::from(next.is_some()));
            evidence.found(offset, self.text.findings.summary.characters, stop);
        }
        let context = match &mut self.text.context {
            Some(context) => {
                let decoder = decoder_after.unwrap_or_else(|| self.engine.decoder().fork());
                context.gather(decoder, chunk, &range)
            }
            None => Context::default(),
        };
        self.prepared = false;
        let finding = self.text.findings.placed(fault, offset, self.text.position, bytes);
        self.text.findings.report(self.reporter, &Finding { next, context, ..finding })
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

    /// Returns the context of a place, to be kept longer than the chunk.
    pub(super) fn context_of(
        &mut self,
        chunk: &Chunk<'_>,
        place: Located,
    ) -> Option<Context<'static>> {
        let context = self.text.context.as_mut()?;
        let decoder = place.decoder_after.unwrap_or_else(|| self.engine.decoder().fork());
        Some(context.gather(decoder, chunk, &place.range).into_owned())
    }

    /// Shows the reporter the character of this value at `range` of the chunk.
    pub(super) fn report_character(
        &mut self,
        value: Value,
        chunk: &Chunk<'_>,
        range: Range<usize>,
    ) -> Result<(), Error> {
        let offset = self.text.offset + range.start as u64;
        self.report_character_at(value, offset, &chunk.bytes[range])
    }

    /// Shows the reporter a character whose chunk may no longer be in memory.
    pub(super) fn report_character_at(
        &mut self,
        value: Value,
        offset: u64,
        bytes: &[u8],
    ) -> Result<(), Error> {
        self.reporter.character(&Character { value, bytes, offset }).map_err(Error::Report)
    }

    /// Encodes code points that do not come from the engine's run, up to the first unmappable one, and returns its
    /// index.
    pub(super) fn put(&mut self, run: &[CodePoint]) -> Result<Option<usize>, Error> {
        self.prepared &= self.output.is_under_way();
        self.output.put(self.engine, run)
    }

    /// Writes what stands for a fault that does not stop the conversion, and counts the outcome.
    pub(super) fn apply(&mut self, kind: Kind, remedy: Remedy<'_>) -> Result<(), Error> {
        let outcome = self.write_remedy(remedy)?;
        self.text.findings.count_outcome(kind, outcome);
        Ok(())
    }

    /// The same, without counting: the fault goes on.
    pub(super) fn write_remedy(&mut self, remedy: Remedy<'_>) -> Result<Outcome, Error> {
        let Remedy::Write(code_points, meant) = remedy else { return Ok(Outcome::Dropped) };
        let mut done = 0;
        let (mut whole, mut as_meant) = (true, true);
        // What the target lacks, or cannot write here, is itself replaced, by U+FFFD in the worst case.
        while let Some(good) = self.put(&code_points[done..])? {
            whole &= self.put(self.remedies.replacement())?.is_none()
                || self.put(&[REPLACEMENT_CHARACTER])?.is_none();
            as_meant = false;
            done += good + 1;
        }
        Ok(match (whole, as_meant) {
            (false, _) => Outcome::Dropped,
            (true, false) => Outcome::Replaced,
            (true, true) => meant,
        })
    }

    /// Flushes the output and the reports.
    pub(super) fn flush(&mut self) -> Result<(), Error> {
        self.output.flush()?;
        self.reporter.flush().map_err(Error::Report)
    }

    /// Moves past `bytes`, which are consumed.
    pub(super) fn consume(&mut self, bytes: &[u8]) {
        self.show_text_before(bytes.len(), bytes);
        self.pass_bytes(bytes);
        if let Some(context) = &mut self.text.context {
            context.leave(bytes);
        }
    }

    /// Shows the reporter the text before byte `at` of what is not consumed yet, which `bytes` begins with, if it shows
    /// findings in their text. What it makes of a finding then depends on the text before it, and not on its chunks.
    pub(super) fn show_text_before(&mut self, at: usize, bytes: &[u8]) {
        let Some(context) = &mut self.text.context else { return };
        let shown = usize::try_from(context.shown_to.saturating_sub(self.text.offset));
        // An empty text too: it says in which encoding the text is read.
        if let Some(text) = shown.ok().and_then(|shown| bytes.get(shown..at)) {
            context.shown_to = self.text.offset + at as u64;
            self.reporter.text(text, self.text.findings.encoding);
        }
    }

    /// Moves past `bytes`, which were converted here or by another thread.
    pub(super) fn pass_bytes(&mut self, bytes: &[u8]) {
        if let Some(evidence) = &mut self.text.evidence {
            evidence.leave(bytes, self.text.offset, self.reporter, self.text.findings.encoding);
        }
        if let Some(watch) = &mut self.text.order_watch {
            watch.look(bytes);
        }
        #[cfg(feature = "detection")]
        if self.units().is_some() {
            self.text.interruptions.pass(bytes);
        }
        self.text.declarations.pass(bytes, self.text.offset);
        if let Some(mixture) = &mut self.text.mixture {
            mixture.pass(bytes, self.text.offset);
        }
        #[cfg(feature = "detection")]
        if let Some(deferral) = &mut self.text.deferral {
            deferral.pass(bytes);
        }
        self.text.offset += bytes.len() as u64;
    }

    /// Passes on the bytes that stop the conversion, which `rest` of the chunk begins with, if their cause is judged.
    pub(super) fn pass_stop(&mut self, rest: &[u8]) {
        if let Some(evidence) = &mut self.text.evidence {
            evidence.stop(rest, self.text.offset, self.reporter, self.text.findings.encoding);
        }
    }

    /// Ends the input and returns what it held.
    ///
    /// # Errors
    ///
    /// [`Error::Stopped`] if a fault stopped it; another error if the rest cannot be written.
    pub(super) fn close(mut self, stopped: bool) -> Result<Summary, Error> {
        // If text and reports go to the same terminal, they appear in this order.
        self.output.flush()?;
        self.output.end_input(self.text.offset, stopped);
        let written = self.output.written() + self.engine.pending_bytes() as u64;
        if !stopped {
            self.note_declaration();
        }
        let mut summary = std::mem::take(&mut self.text.findings.summary);
        summary.bytes_read = self.text.offset;
        #[cfg(feature = "cli")]
        if let Some(piece) = &self.text.piece {
            summary.bytes_read -= piece.start;
            summary.extent = Some(piece.extent(self.text.offset, self.text.position));
        }
        let Findings { encoding, stopped_at, .. } = self.text.findings;
        let reporter = self.reporter;
        if self.text.order_watch.as_ref().is_some_and(|watch| watch.looks_swapped()) {
            let name = encoding.name();
            reporter.message(Message::Note(format!(
                "read as {name}, but nearly every code unit looks byte-swapped, and \
                 there is no byte order mark (see --endian)"
            )));
        }
        for (kind, count) in self.text.rows.counts() {
            summary.count_many(Kind::IllFormed(kind), count);
        }
        // Text that stops early may end before or after its fallback is detected.
        let used = summary.of_ill_formed.of(Outcome::ReadByFallback) > 0;
        let mixture = self.text.mixture.filter(|_| used);
        summary.fallback = mixture.and_then(|mixture| mixture.encoding());
        #[cfg(feature = "detection")]
        if self.text.deferral.is_some() && !stopped {
            summary.detected = Some(Box::new(Detection::nothing()));
        }
        summary.stopped = stopped;
        summary.bytes_written = written - self.text.written_before;
        summary.lines = self.text.position.line - 1;
        match stopped_at.filter(|_| stopped) {
            Some(finding) => Err(Box::new(Stopped { finding: *finding, summary }).into()),
            None => Ok(summary),
        }
    }
}
