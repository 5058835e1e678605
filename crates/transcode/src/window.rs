//! Converts a window, a long part of an input, with several threads. They read and convert it piece by piece, and the
//! writing thread takes the results in order.
//!
//! ```text
//! Window ─► SplitPieces (split.rs) ─► PieceQueue (piece_queue.rs) ─► Workers (worker.rs) ─► PieceQueue ─► writer
//! ```
//!
//! A worker reads its piece with a little of the text around it, and finds the split points near its ends. If a piece
//! does not begin where the one before it ended, because the file has changed meanwhile, the window ends and one thread
//! continues from there.
//!
//! The result must be the one of a single thread, to the last finding. Workers therefore decide nothing. A worker
//! converts a piece as long as there is nothing to decide, and hands over what it has; the writing thread adds that to
//! the output and converts the rest of the piece with the same code as ever. After each piece the writing thread is in
//! exactly the state in which a single thread would be there, so it can leave the window after any piece:
//!
//! ```text
//! piece 1   ├──────────── clean ────────────┤      written as it is
//! piece 2   ├──── clean ────┤ FF …          │      the clean start written, and the rest converted by the writer
//! piece 3   ├──────────── clean ────────────┤      written as it is, unless piece 2 has stopped the conversion
//! ```
//!
//! Three things must not make threads slower than one: a text without split points for a long way, pieces with little
//! clean text, and text whose pieces depend on each other. Each ends the window, and one thread continues. After each
//! window in which threads did not pay off, twice as many bytes pass before the next attempt. (Once, a text without
//! split points was searched for one to its end again and again. Two threads then took eight times as long as one.)

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::OnceLock;
use std::thread::Builder;

use super::conversion::Conversion;
use super::error::Error;
use super::piece_queue::{CleanStart, NextStep, PieceBuffers, PieceQueue};
use super::pipeline::Pipeline;
use super::policy::Threads;
use super::session::{Flow, Session};
use super::split::{PIECE, SplitPiece, SplitPieces, next_split};
use super::target_encoder::TargetEncoder;
use super::worker::{Worker, WorkerChain};
use crate::io::{Chunk, Memory, Source, Window};
#[cfg(feature = "detection")]
use oxiconv_detect::detection::{Deferral, WideUnits};
use oxiconv_encodings::encoding::SplitRule;

const MIN_WINDOW: usize = if cfg!(fuzzing) { 200 } else { 3 * 1024 * 1024 };
/// More threads than this do not help the writing thread, and each needs memory.
const MAX_THREADS: usize = 4;
/// Bytes read after a piece, to convert a truncated sequence at its end and to show what follows a finding. A text with
/// parts in another encoding needs more, because its regions are judged as a whole.
const LOOKAHEAD: usize = 4096;
const MIXTURE_LOOKAHEAD: usize = 128 * 1024;
/// After this many pieces in a row with next to no clean text, the window ends: the next ones will be no better.
const MAX_GIVEN_BACK: usize = 4;

pub(super) fn allowed_threads(conversion: &Conversion) -> usize {
    // Cached: to find out, the system reads several files.
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    let processors = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    match conversion.options.threads {
        Threads::One => 1,
        Threads::AtMost(threads) => threads.get(),
        Threads::All => *PROCESSORS.get_or_init(processors),
    }
}

impl Session<'_, '_> {
    /// Converts a window of the input with several threads, if that is allowed and worthwhile. Returns the number of
    /// bytes consumed.
    pub(super) fn convert_window(&mut self, source: &dyn Source) -> Result<(usize, Flow), Error> {
        let nothing = Ok((0, Flow::Continue));
        let Some(window) = source.window() else { return nothing };
        let window = &*window;
        let threads = self.threads_for(window.size(), source.threads());
        let too_early = self.walk.text.offset < self.walk.text.threads_from;
        let is_of_records = self.walk.text.records.is_some();
        if threads < 2 || too_early || is_of_records || self.segments.waits() {
            return nothing;
        }
        // A letter held by a stage is unknown to other threads, and so is the text before the window by which code
        // units are judged. In both cases this thread first converts up to the next split point.
        let begun = self.walk.text.pipeline.holds().then_some(1);
        #[cfg(feature = "detection")]
        let begun = begun.or(self.units().map(|_| WideUnits::LOOK));
        let mut at = 0;
        if let Some(least) = begun {
            let Ok(head) = window.read(0..window.size().min(2 * PIECE), Vec::new()) else {
                return nothing;
            };
            let is_inside = |end: &usize| *end < head.len();
            if let Some(end) = next_split(self.split_rule(), &head, least).filter(is_inside) {
                let flow;
                (at, flow) = self.convert_rest(&Chunk::more(&head), 0..end)?;
                if flow != Flow::Continue || at != end || self.walk.text.pipeline.holds() {
                    return Ok((at, flow));
                }
            }
        }
        #[cfg(feature = "detection")]
        if self.units().is_some() && self.segments.is_judged_alone(self.walk.text.offset) {
            self.note_threads(false);
            return Ok((at, Flow::Continue));
        }
        self.convert_pieces(window, at, threads)
    }

    /// Converts a window from byte `start` on with this many threads, if it can be split. Returns the place reached.
    ///
    /// The engine is configured before the workers are made: they begin in its state, and the pieces take from it what
    /// is written for faults.
    fn convert_pieces(
        &mut self,
        window: &dyn Window,
        start: usize,
        threads: usize,
    ) -> Result<(usize, Flow), Error> {
        let ahead = if self.is_mixture() { MIXTURE_LOOKAHEAD } else { LOOKAHEAD };
        let pieces = SplitPieces::new(self.split_rule(), window, start, ahead);
        if self.walk.text.pipeline.holds() || pieces.clone().next().is_none() {
            self.note_threads(false);
            return Ok((start, Flow::Continue));
        }
        let queue = PieceQueue::new(pieces, threads);
        self.walk.prepare_engine();
        queue.give_back(None, self.walk.engine.lossy());
        let mut own = self.worker();
        let others: Vec<_> = (1..threads).map(|_| self.worker()).collect();
        std::thread::scope(|scope| {
            let _guard = queue.close_on_drop();
            for mut worker in others {
                let queue = &queue;
                // If the system cannot start a thread, fewer do the work: this thread alone, if need be.
                let _ = Builder::new().spawn_scoped(scope, move || worker.work(queue));
            }
            self.write_pieces(&queue, start, &mut own)
        })
    }

    fn is_mixture(&self) -> bool {
        self.segments.is_mixture(self.walk.text.findings.encoding)
    }

    /// Returns the code units of the text, if other bytes may interrupt them.
    #[cfg(feature = "detection")]
    fn units(&self) -> Option<WideUnits> {
        self.segments.units(self.walk.text.findings.encoding)
    }

    /// Returns how many threads are worthwhile for this many bytes, if `busy` ones have other work; 1 is this thread
    /// alone.
    ///
    /// Several threads need a text that can be split, an output that can be joined, and nothing that sees single
    /// characters. A pending byte order mark is written before the first character, so this thread converts up to there
    /// alone.
    fn threads_for(&mut self, bytes: usize, busy: usize) -> usize {
        let Conversion { to, .. } = self.walk.conversion;
        let order = self.walk.conversion.output_order();
        let joinable = to.is_none_or(|to| to.in_order(order).split.is_for_threads());
        let splits = self.split_rule().is_for_threads();
        let ready = self.walk.output.is_under_way() && !self.walk.sees_characters();
        let joinable = joinable && self.walk.output.target().concatenates();
        let one = self.segments.is_for_one_thread();
        if one || !splits || !joinable || !ready || bytes < MIN_WINDOW {
            return 1;
        }
        allowed_threads(self.walk.conversion).saturating_sub(busy).min(MAX_THREADS)
    }

    fn split_rule(&self) -> SplitRule {
        match self.walk.text.findings.encoding.split {
            // A letter must not be split from its mark. What is below 30 is nothing that a mark changes
            // (`normalization::is_base`).
            SplitRule::Utf8 | SplitRule::AfterLow if self.walk.text.pipeline.joins() => {
                SplitRule::AfterLow
            }
            _ if self.walk.text.pipeline.joins() => SplitRule::Never,
            // Each line is judged as a whole, by what the lines before it were, which other threads do not know.
            SplitRule::Utf8 if self.segments.is_of_lines() => SplitRule::Never,
            // A character of a part in another encoding must not be split. No fallback has a trail byte below 30.
            SplitRule::Utf8 if self.is_mixture() => SplitRule::AfterLow,
            rule => rule,
        }
    }

    fn worker(&self) -> Worker {
        let order = self.walk.conversion.output_order();
        let encoder = self.walk.conversion.to.map(|to| self.walk.conversion.new_encoder(to, order));
        let chain = WorkerChain {
            engine: self.walk.engine.for_worker(),
            pipeline: Pipeline::build(self.walk.conversion, self.walk.text.findings.encoding),
            target: TargetEncoder::new(encoder, None),
        };
        let worker = Worker::new(chain, self.walk.output.splices(), self.is_mixture())
            .seek_units(self.segments.seeks_units());
        #[cfg(feature = "detection")]
        let worker = worker
            .defer(self.walk.text.deferral.as_ref().map(Deferral::for_later_part))
            .of_units(self.units());
        worker
    }

    /// Records whether the threads paid off up to here. The wait is counted in bytes of the text and not in time, so it
    /// does not depend on how busy the machine is.
    fn note_threads(&mut self, led: bool) {
        if led {
            self.walk.text.threads_backoff.succeeded()
        } else {
            self.walk.text.threads_backoff.failed()
        }
        self.walk.text.threads_from = self.walk.text.offset + self.walk.text.threads_backoff.wait();
    }

    /// Writes the results in order, and converts pieces with `own` while the next one is not done.
    fn write_pieces(
        &mut self,
        queue: &PieceQueue<'_>,
        start: usize,
        own: &mut Worker,
    ) -> Result<(usize, Flow), Error> {
        let (mut at, mut given_back) = (start, 0);
        let is_deferred = self.walk.text.is_deferred();
        #[cfg(feature = "detection")]
        let since = self.segments.units_since();
        loop {
            // One piece per turn: its clean start is written as the worker made it, and the rest of it is converted
            // here. After each piece this thread is in the state that one thread would be in, so every reason to leave
            // the loop simply returns the place reached.
            let done = match queue.next_step() {
                NextStep::End => {
                    self.note_threads(true);
                    return Ok((at, Flow::Continue));
                }
                NextStep::Convert(job) => {
                    own.work_on(job, queue);
                    continue;
                }
                NextStep::Piece(done) => done,
            };
            // It could not be read or split, or it does not begin where the one before it ended because the file has
            // changed.
            let begins_at = |piece: &SplitPiece<'_>| piece.place(piece.range().start) == at;
            let Some((piece, clean)) = done.filter(|(piece, _)| begins_at(piece)) else {
                self.note_threads(false);
                return Ok((at, Flow::Continue));
            };
            let (text, range) = (piece.chunk(), piece.range());
            let (read, output) = self.write_clean(&text.bytes[range.clone()], clean)?;
            let (done, flow) = self.convert_rest(&text, range.start + read..range.end)?;
            at = piece.place(done);
            // The workers began with the state that this thread had at the start of the window. After a change of
            // decoders, or after a place where the code units begin anew, they have converted the pieces that follow
            // with the wrong one, so the window ends.
            if flow != Flow::Continue
                || done != range.end
                || self.walk.text.is_deferred() != is_deferred
            {
                return Ok((at, flow));
            }
            #[cfg(feature = "detection")]
            if self.segments.units_since() != since {
                self.note_threads(false);
                return Ok((at, flow));
            }
            self.walk.prepare_engine();
            let buffers = PieceBuffers { input: piece.into_buffer(), output };
            queue.give_back(Some(buffers), self.walk.engine.lossy());
            // Nearly all of such a piece falls to this thread, so nothing is gained by dividing the text.
            given_back = if read < range.len() / 8 { given_back + 1 } else { 0 };
            if given_back >= MAX_GIVEN_BACK {
                self.note_threads(false);
                return Ok((at, Flow::Continue));
            }
        }
    }

    /// Writes what another thread made of a piece, unless a part in another encoding reaches into it, which that thread
    /// could not know: such a part may have words that are UTF-8 by chance, and a thread that begins between them takes
    /// them for UTF-8. Then its work was in vain, and the caller converts the piece from its first byte.
    ///
    /// Returns the number of bytes consumed, and the buffer to reuse.
    fn write_clean(
        &mut self,
        piece: &[u8],
        clean: Option<CleanStart>,
    ) -> Result<(usize, Option<Memory>), Error> {
        let offset = self.walk.text.offset;
        let mut reaches_in = |clean: &CleanStart| self.segments.reaches(offset + clean.read as u64);
        let Some(clean) = clean.filter(|clean| !reaches_in(clean)) else {
            return Ok((0, None));
        };
        let buffer = self.walk.output.put_converted(clean.text)?;
        self.pass_bytes(&piece[..clean.read]);
        self.walk.pass_counted(clean.passed);
        if let Some(faults) = &clean.faults {
            self.walk.count_faults(faults);
        }
        Ok((clean.read, buffer))
    }

    /// Converts the rest of a piece in this thread, and returns the place in its text that was reached.
    ///
    /// It goes in steps of a piece, although a rest is hardly longer: the text before a window, which is converted here
    /// up to the next split point, may be two pieces long.
    fn convert_rest(
        &mut self,
        text: &Chunk<'_>,
        rest: Range<usize>,
    ) -> Result<(usize, Flow), Error> {
        let mut at = rest.start;
        while at < rest.end {
            let part = text.part(at, text.bytes.len());
            let limit = rest.end.min(at + PIECE) - at;
            let (used, flow) = self.convert(&part, limit)?;
            at += used;
            if flow != Flow::Continue || used == 0 {
                return Ok((at, flow));
            }
        }
        Ok((at, Flow::Continue))
    }
}
