//! A worker thread: an engine of its own, which converts pieces of a text into memory as far as they are clean.
//!
//! At the first fault whose place is wanted it returns what it has. The writing thread takes the pieces in order and
//! converts the rest of such a piece with the chunk loop. A worker does not know the line number, what was found
//! before, or whether a limit of findings is reached, and need not: findings, offsets, lines, columns and the place of
//! a stop come from one thread by construction.
//!
//! Its engine never holds a run from one call to the next. Where encoding stops inside a run, the output of that run is
//! dropped, and the piece counts as clean only up to its start; the writing thread decodes those code points again.

use super::engine::{Around, Engine, EngineInput, EngineStop};
use super::output_buffer::PieceOutput;
use super::piece_queue::{CleanStart, ConvertedPiece, PieceBuffers, PieceJob, PieceQueue};
use super::pipeline::Pipeline;
use super::position::RunCounts;
use super::segments::{clean_start, without_zeros};
use super::split::SplitPiece;
use super::target_encoder::TargetEncoder;
#[cfg(feature = "detection")]
use crate::io::Chunk;
use crate::io::{Arena, Memory};
#[cfg(feature = "detection")]
use oxiconv_detect::detection::{Deferral, WideUnits};
use oxiconv_encodings::codec::Lossy;

/// Bytes examined at a time for ASCII while the encoding of a text is unknown. They are read twice, once to examine
/// them and once to convert them, and at this size the second time from the L1 cache.
#[cfg(feature = "detection")]
pub(super) const STEP: usize = if cfg!(fuzzing) { 32 } else { 16 * 1024 };

pub(super) struct WorkerChain {
    pub(super) engine: Engine,
    pub(super) pipeline: Pipeline,
    pub(super) target: TargetEncoder,
}

pub(super) struct Worker {
    chain: WorkerChain,
    is_mixture: bool,
    /// Decides how much of a piece may be converted while the encoding of the text is unknown; `None` if it is known.
    #[cfg(feature = "detection")]
    deferral: Option<Deferral>,
    /// The code units of a UTF-16 or UTF-32 text, if other bytes may interrupt them.
    #[cfg(feature = "detection")]
    units: Option<WideUnits>,
    /// Whether UTF-16 is looked for in UTF-8.
    seeks_units: bool,
    splices: bool,
    arena: Option<Arena>,
}

struct PieceProgress {
    read: usize,
    written: usize,
    passed: RunCounts,
}

impl Worker {
    pub(super) fn new(chain: WorkerChain, splices: bool, is_mixture: bool) -> Self {
        Self {
            chain,
            is_mixture,
            #[cfg(feature = "detection")]
            deferral: None,
            #[cfg(feature = "detection")]
            units: None,
            seeks_units: false,
            splices,
            arena: None,
        }
    }

    #[cfg(feature = "detection")]
    pub(super) fn defer(mut self, deferral: Option<Deferral>) -> Self {
        self.deferral = deferral;
        self
    }

    /// Makes it stop before NUL, with which UTF-16 may begin.
    pub(super) fn seek_units(mut self, seeks: bool) -> Self {
        self.seeks_units = seeks;
        self
    }

    /// Makes it stop where these code units may be interrupted.
    #[cfg(feature = "detection")]
    pub(super) fn of_units(mut self, units: Option<WideUnits>) -> Self {
        self.units = units;
        self
    }

    pub(super) fn work(&mut self, queue: &PieceQueue<'_>) {
        while let Some(job) = queue.take() {
            self.work_on(job, queue);
        }
    }

    pub(super) fn work_on<'t>(&mut self, job: PieceJob<'t>, queue: &PieceQueue<'t>) {
        queue.complete(job, |job| self.convert(job));
    }

    /// Reads a piece, and converts its clean start into memory. If there is no memory, the result is none and the
    /// writing thread converts the piece. To fail would be wrong: with one thread, the same text needs no such buffer.
    fn convert<'t>(&mut self, job: PieceJob<'t>) -> ConvertedPiece<'t> {
        let PieceJob { piece, lossy, buffers: PieceBuffers { input, output }, .. } = job;
        let piece = piece.read(input)?;
        let clean = self.convert_clean(&piece, lossy, output);
        Some((piece, clean))
    }

    /// Converts the clean start of a piece into memory of its own.
    ///
    /// Before the engine sees the piece, it is shortened to what this thread may judge. What could be a segment needs
    /// the text before it, which only the writing thread has: a NUL where UTF-16 may have been appended to UTF-8, a
    /// byte with which a part in another encoding may begin, a sign of interrupted code units.
    ///
    /// The memory is large enough for all of the output. It is an arena if the result is to be spliced to a pipe, whose
    /// pages can never be reused, and otherwise the buffer of an earlier piece if that is large enough.
    fn convert_clean(
        &mut self,
        piece: &SplitPiece<'_>,
        lossy: Option<Lossy>,
        buffer: Option<Memory>,
    ) -> Option<CleanStart> {
        let (text, range) = (piece.chunk(), piece.range());
        let piece = &text.bytes[range.clone()];
        let piece = match self.seeks_units {
            true => &piece[..without_zeros(text.bytes, range.start, range.end)],
            false => piece,
        };
        let piece = if self.is_mixture { &piece[..clean_start(piece)] } else { piece };
        self.chain.engine.pass_faults(lossy);
        #[cfg(feature = "detection")]
        let (piece, around) = self.units_of(&text, range.start, piece);
        #[cfg(not(feature = "detection"))]
        let around = None;
        let most = self.chain.engine.at_most(piece.len(), &self.chain.target);
        let (converting, text) = if let Some(mut arena) = self.arena_for(most) {
            let converting = self.convert_piece(piece, around, arena.room());
            let pages = arena.split_off(converting.written);
            self.arena = Some(arena);
            (converting, PieceOutput::Pages(pages))
        } else {
            let buffer = buffer.filter(|buffer| buffer.len() >= most);
            let mut buffer = buffer.or_else(|| Memory::new(most).ok())?;
            let converting = self.convert_piece(piece, around, &mut buffer);
            let written = converting.written;
            (converting, PieceOutput::Buffer(buffer, written))
        };
        let PieceProgress { read, passed, .. } = converting;
        Some(CleanStart { read, text, passed, faults: self.chain.engine.take_faults() })
    }

    /// Returns how much of a piece of wide code units can be converted, or the evidence by which the engine is to judge
    /// that while it converts. The piece begins at byte `at` of its text.
    #[cfg(feature = "detection")]
    fn units_of<'p>(
        &self,
        text: &Chunk<'p>,
        at: usize,
        piece: &'p [u8],
    ) -> (&'p [u8], Option<Around<'p>>) {
        match self.units.map(|units| Around::of_piece(units, text, at)) {
            Some(around) if self.chain.engine.takes_direct() => (piece, Some(around)),
            Some(around) => (&piece[..around.uninterrupted(piece.len())], None),
            None => (piece, None),
        }
    }

    /// Returns an arena with this much room, if results are spliced and one can be that large.
    fn arena_for(&mut self, most: usize) -> Option<Arena> {
        if !self.splices || most > Arena::SIZE {
            return None;
        }
        let enough = |arena: &mut Arena| arena.room().len() >= most;
        self.arena.take_if(enough).or_else(|| Arena::new().ok())
    }

    /// Converts the clean start of a piece; only its ASCII if the encoding is unknown.
    fn convert_piece(
        &mut self,
        piece: &[u8],
        around: Option<Around<'_>>,
        output: &mut [u8],
    ) -> PieceProgress {
        #[cfg(feature = "detection")]
        if let Some(deferral) = self.deferral.take() {
            let converting = self.convert_ascii(&deferral, piece, output);
            self.deferral = Some(deferral);
            return converting;
        }
        self.convert_into(piece, around, output)
    }

    /// Converts the ASCII at the start of a piece, in steps, up to the first byte that may tell the encoding. Only the
    /// writing thread can judge that byte, since the sample begins there.
    #[cfg(feature = "detection")]
    fn convert_ascii(
        &mut self,
        deferral: &Deferral,
        piece: &[u8],
        output: &mut [u8],
    ) -> PieceProgress {
        let mut all = PieceProgress { read: 0, written: 0, passed: RunCounts::default() };
        while all.read < piece.len() {
            let rest = &piece[all.read..];
            let (ascii, tells) = deferral.ascii(&rest[..rest.len().min(STEP)], false);
            let done = self.convert_into(&rest[..ascii], None, &mut output[all.written..]);
            all.read += done.read;
            all.written += done.written;
            all.passed.add(done.passed);
            if tells || done.read == 0 || done.read < ascii {
                break;
            }
        }
        all
    }

    /// Converts the clean start of a piece. A truncated sequence at its end is left: this decoder cannot know whether
    /// the text ends there.
    fn convert_into(
        &mut self,
        piece: &[u8],
        around: Option<Around<'_>>,
        output: &mut [u8],
    ) -> PieceProgress {
        let mut done = PieceProgress { read: 0, written: 0, passed: RunCounts::default() };
        loop {
            let bytes = &piece[done.read..];
            #[cfg(feature = "detection")]
            let around = around.map(|around| around.after(done.read));
            let part = EngineInput { around, ..EngineInput::all(bytes, false) };
            let WorkerChain { engine, pipeline, target } = &mut self.chain;
            let advance = engine.advance(part, pipeline, target, &mut output[done.written..]);
            // The engine stopped inside a run. How many bytes belong to the part of the run that was written is unknown
            // without locating them, so that output is dropped, and the writing thread converts the run again.
            if matches!(
                advance.stop,
                Some(EngineStop::Unmappable(_) | EngineStop::Stage | EngineStop::OutputFull)
            ) {
                engine.forget_run();
                return done;
            }
            done.read += advance.read;
            done.written += advance.written;
            done.passed.add(advance.passed);
            match advance.stop {
                None => {}
                Some(EngineStop::InputEmpty) if advance.read > 0 => {}
                Some(_) => return done,
            }
        }
    }
}
