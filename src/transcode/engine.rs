//! The engine: the one way from bytes to bytes. The chunk loop and every worker thread take it, so that a text becomes the
//! same whoever converts it.
//!
//! ```text
//! advance:  a run is held?      ─► encode on
//!           a kernel leads on?  ─► as far as the text is clean
//!           otherwise           ─► decode a run ─► encode, up to a watched or an unmappable character
//! ```
//!
//! It reports nothing and decides nothing: it stops in front of what is not clean, and says what stands there. What the
//! kernel stops at goes by way of code points, in steps that grow while the kernel leads nowhere ([`Backoff`]).

use std::ops::Range;

use super::backoff::Backoff;
use super::direct::Direct;
use super::locator::Locator;
use super::position::{Position, RunCounts};
use super::watch::Watch;
use crate::codec::{
    DecodeProgress, DecodeStop, Decoder, EncodeProgress, EncodeStop, Encoder, Lossy, MIN_OUTPUT,
    MIN_PIVOT, Stateless, Utf8, Value,
};
use crate::unicode::{CodePoint, IllFormed};

/// Code points of a run. It and what it comes from and becomes stay in the nearest caches.
const PIVOT: usize = 4096;
/// Bytes from which on a run of the kernel was worth it.
const WORTH: usize = 64;

/// Bytes to convert.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    /// The bytes, and those after them that only help to judge them.
    pub(super) bytes: &'a [u8],
    /// How many are to be converted.
    pub(super) limit: usize,
    /// Whether no byte follows `bytes` in the text.
    pub(super) last: bool,
}

/// How far one call of [`Engine::advance`] came.
#[derive(Debug)]
pub(super) struct Advance {
    /// Bytes read. Those of a run are read once all of it is written.
    pub(super) read: usize,
    /// Bytes written.
    pub(super) written: usize,
    /// The characters that went by.
    pub(super) passed: RunCounts,
    /// Which of the pivot's code points those are; none of what a kernel took.
    pub(super) code_points: Range<usize>,
    /// What it stopped at; `None` to call it again.
    pub(super) stop: Option<Stop>,
}

/// What stopped the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// All that is to be converted is read, except for a sequence that the end of the bytes cuts.
    InputEmpty,
    /// The output has no room for what comes next.
    OutputFull,
    /// This code point of the held run is watched.
    Watched(CodePoint),
    /// This code point of the held run has no form in the target.
    Unmappable(CodePoint),
    /// An ill-formed subsequence stands next.
    IllFormed(IllFormed),
    /// A character stands next whose value has more bits than a code point.
    Large {
        /// Its value.
        value: Value,
        /// Its length in bytes.
        len: usize,
    },
}

/// A run of code points on its way from the decoder to the encoder. While it is held, none of its bytes are read.
#[derive(Default)]
struct Run {
    held: bool,
    /// The code points of the pivot that are still to be encoded.
    left: Range<usize>,
    /// From here on nobody has looked at them.
    unwatched: usize,
    /// Bytes that it was decoded from.
    bytes: usize,
    stop: Option<Stop>,
    locator: Option<Locator>,
}

/// From the encoding of an input to that of the output.
pub(super) struct Engine {
    decoder: Box<dyn Decoder>,
    encoder: Option<Box<dyn Encoder>>,
    direct: Option<Direct>,
    /// What stands for ill-formed subsequences that the kernels' path may go past.
    lossy: Option<Lossy>,
    /// Those that it went past.
    faults: Option<Lossy>,
    watch: Option<Watch>,
    locates: bool,
    pivot: Vec<CodePoint>,
    run: Run,
    /// Whether the kernel has just stopped in front of something that it cannot do.
    stopped: bool,
    backoff: Backoff,
}

impl Engine {
    /// To what `encoder` writes; without one, the text is only looked at. It reads UTF-8 until [`Engine::read_by`] says
    /// otherwise.
    pub(super) fn new(encoder: Option<Box<dyn Encoder>>) -> Self {
        Self {
            decoder: Box::new(Stateless(Utf8)),
            direct: Direct::of(&Stateless(Utf8), encoder.as_deref()),
            encoder,
            lossy: None,
            faults: None,
            watch: None,
            locates: false,
            pivot: vec![0; PIVOT],
            run: Run::default(),
            stopped: false,
            backoff: Backoff::new(2, PIVOT as u64),
        }
    }

    /// One for another thread, which writes by `encoder` and begins in the state of this one's decoder.
    pub(super) fn for_worker(&self, encoder: Option<Box<dyn Encoder>>) -> Self {
        Self { decoder: self.decoder.fork(), direct: self.direct, ..Self::new(encoder) }
    }

    /// Goes on with the next input, which `decoder` reads.
    pub(super) fn read_by(&mut self, decoder: Box<dyn Decoder>) {
        self.direct = Direct::of(&*decoder, self.encoder.as_deref());
        self.decoder = decoder;
        self.run = Run::default();
        self.stopped = false;
        self.lossy = None;
    }

    /// Goes by way of code points only.
    pub(super) fn without_kernels(&mut self) {
        self.direct = None;
    }

    /// Stops in front of these characters from now on, those of a held run included.
    pub(super) fn watch(&mut self, watch: Option<Watch>) {
        self.watch = watch;
    }

    /// Whether the places of single characters may be asked for, in the runs to come.
    pub(super) fn locate_characters(&mut self, locates: bool) {
        self.locates = locates;
    }

    /// Goes past ill-formed subsequences as `lossy` says, if a kernel leads on; they are counted in [`Engine::take_faults`].
    pub(super) fn pass_faults(&mut self, lossy: Option<Lossy>) {
        self.lossy = lossy.filter(|_| self.direct.is_some());
    }

    /// What stands for those that it goes past, if it does.
    pub(super) fn lossy(&self) -> Option<&Lossy> {
        self.lossy.as_ref()
    }

    /// The ill-formed subsequences that were gone past since the last call, if any kernel's run could.
    pub(super) fn take_faults(&mut self) -> Option<Lossy> {
        self.faults.take()
    }

    /// The decoder, in the state that it has after the bytes read and those of a held run.
    pub(super) fn decoder(&self) -> &dyn Decoder {
        &*self.decoder
    }

    /// The same, to read something past the engine.
    pub(super) fn decoder_mut(&mut self) -> &mut dyn Decoder {
        &mut *self.decoder
    }

    /// Whether ill-formed bytes that it has stopped at could still have become a character, but for the byte that follows
    /// them.
    pub(super) fn judges_by_next(&self, bytes: &[u8]) -> bool {
        let decoded = self.decoder.fork().decode(bytes, &mut [0; MIN_PIVOT], false);
        !matches!(decoded.stop, DecodeStop::IllFormed(_))
    }

    /// Whether there is a target.
    pub(super) fn writes(&self) -> bool {
        self.encoder.is_some()
    }

    /// The kernels of its pair of forms, if there are some.
    pub(super) fn direct(&self) -> Option<Direct> {
        self.direct
    }

    /// The most bytes that so many bytes of text become, if none of them is ill-formed or is gone past.
    pub(super) fn at_most(&self, bytes: usize) -> usize {
        let most = match (&self.direct, &self.encoder) {
            (_, None) => 0,
            // What is ill-formed may become longer: U+FFFD of three bytes, in UTF-8, for one.
            (Some(direct), _) if self.lossy.is_some() => direct.at_most(bytes).max(3 * bytes),
            (Some(direct), _) => direct.at_most(bytes),
            (None, Some(encoder)) if encoder.form().is_some() => 4 * bytes,
            // Escapes.
            (None, Some(_)) => 8 * bytes,
        };
        most + MIN_OUTPUT
    }

    /// Takes one step: converts from the start of `part`, up to something that stops it, into `output`.
    ///
    /// With [`MIN_OUTPUT`] bytes of room a call makes progress or says what stops it. A caller whose last call left a run
    /// held shows the same bytes again.
    pub(super) fn advance(&mut self, part: Part<'_>, output: &mut [u8]) -> Advance {
        if !self.run.held {
            if !std::mem::take(&mut self.stopped)
                && let Some(advance) = self.take_direct(part, output)
            {
                return advance;
            }
            self.decode(part);
        }
        self.encode_run(output)
    }

    /// Goes as far as the kernel leads; `None` if that is nowhere.
    fn take_direct(&mut self, part: Part<'_>, output: &mut [u8]) -> Option<Advance> {
        let direct = self.direct.filter(|_| self.watch.is_none())?;
        let input = &part.bytes[..part.limit];
        let (run, passed) = match &self.lossy {
            None => {
                let run = direct.run(input, output);
                (run, direct.counts(&input[..run.read]))
            }
            Some(lossy) => {
                let mut lossy = lossy.clone();
                let run = self.decoder.convert_lossy(&direct.0, input, output, &mut lossy);
                let well_formed = lossy.well_formed();
                self.faults.get_or_insert_default().add(&lossy);
                // Where nobody asks for places, nobody asks for columns.
                let line = Position::START.line + well_formed.line_feeds as u64;
                let moved = Position { line, ..Position::START };
                (run, RunCounts { characters: well_formed.characters as u64, moved })
            }
        };
        if run.read >= WORTH {
            self.backoff.succeeded()
        } else {
            self.backoff.failed()
        }
        (run.read > 0).then(|| Advance {
            read: run.read,
            written: run.written,
            passed,
            code_points: 0..0,
            stop: (run.read == input.len()).then_some(Stop::InputEmpty),
        })
    }

    /// Decodes the next run.
    fn decode(&mut self, part: Part<'_>) {
        let most = self.pivot.len();
        let step = match self.direct {
            Some(_) => most.min(self.backoff.wait().max(1) as usize),
            None => most,
        };
        let locator = self.locates.then(|| Locator::new(self.decoder.fork()));
        let Part { bytes, limit, last } = part;
        let whole = limit == bytes.len();
        let mut decoded =
            self.decoder.decode(&bytes[..limit], &mut self.pivot[..step], last && whole);
        if decoded.read == 0 && limit > 0 && !whole {
            // Cut by the limit: with no room for a character, it is either ill-formed or left for later.
            decoded = self.decoder.decode(bytes, &mut [], last);
            if decoded.stop == DecodeStop::OutputFull {
                decoded.stop = DecodeStop::InputEmpty;
            }
        }
        let DecodeProgress { read, written, stop } = decoded;
        let stop = match stop {
            DecodeStop::InputEmpty => Some(Stop::InputEmpty),
            DecodeStop::OutputFull => None,
            DecodeStop::IllFormed(ill_formed) => Some(Stop::IllFormed(ill_formed)),
            DecodeStop::Large { value, len } => Some(Stop::Large { value, len }),
        };
        let run = &mut self.run;
        (run.held, run.left, run.unwatched) = (true, 0..written, 0);
        (run.bytes, run.stop) = (read, stop);
        if locator.is_some() || run.locator.is_some() {
            run.locator = locator;
        }
    }

    /// Encodes what is left of the run, up to what stops it.
    fn encode_run(&mut self, output: &mut [u8]) -> Advance {
        let start = self.run.left.start;
        let from = start.max(self.run.unwatched);
        let unwatched = &self.pivot[from..self.run.left.end];
        let watched = self.watch.and_then(|watch| watch.first_in(unwatched)).map(|at| from + at);
        let end = watched.unwrap_or(self.run.left.end);
        let encoded = encode(&mut self.encoder, &self.pivot[start..end], output);
        let code_points = start..start + encoded.read;
        self.run.left.start = code_points.end;
        let (read, stop) = match (encoded.stop, watched) {
            (EncodeStop::OutputFull, _) => (0, Some(Stop::OutputFull)),
            (EncodeStop::Unmappable, _) => (0, Some(Stop::Unmappable(self.pivot[code_points.end]))),
            (EncodeStop::InputEmpty, Some(at)) => (0, Some(Stop::Watched(self.pivot[at]))),
            (EncodeStop::InputEmpty, None) => {
                self.run.held = false;
                (self.run.bytes, self.run.stop)
            }
        };
        Advance {
            read,
            written: encoded.written,
            passed: RunCounts::of(&self.pivot[code_points.clone()]),
            code_points,
            stop,
        }
    }

    /// The code points of the pivot that [`Advance::code_points`] names.
    pub(super) fn code_points(&self, advance: &Advance) -> &[CodePoint] {
        &self.pivot[advance.code_points.clone()]
    }

    /// The code points of the held run that are still to be encoded; the first is the one that stopped the engine.
    pub(super) fn pending(&self) -> &[CodePoint] {
        &self.pivot[self.run.left.clone()]
    }

    /// The bytes of the first of them in `part`, which is what the engine was shown, if they may be asked for.
    pub(super) fn locate(&mut self, part: &[u8]) -> Option<Range<usize>> {
        let index = self.run.left.start;
        let locator = self.run.locator.as_mut()?;
        Some(locator.locate(&part[..self.run.bytes], index))
    }

    /// A decoder in the state after the code point located last.
    pub(super) fn decoder_after(&self, part: &[u8]) -> Option<Box<dyn Decoder>> {
        let locator = self.run.locator.as_ref()?;
        Some(locator.decoder_after(&part[..self.run.bytes]))
    }

    /// Lets the next code point of the held run be encoded, although it is watched.
    pub(super) fn release(&mut self) {
        self.run.unwatched = self.run.left.start + 1;
    }

    /// Forgets the held run.
    pub(super) fn forget_run(&mut self) {
        self.run = Run::default();
    }

    /// Goes past the next code point of the held run, which has been dealt with.
    pub(super) fn skip(&mut self) {
        self.run.left.start += 1;
    }

    /// Encodes code points that no input has, past the run.
    pub(super) fn encode(&mut self, run: &[CodePoint], output: &mut [u8]) -> EncodeProgress {
        encode(&mut self.encoder, run, output)
    }

    /// Encodes one value that a code point has no room for; see [`Encoder::encode_large`].
    pub(super) fn encode_large(&mut self, value: Value, output: &mut [u8]) -> Option<usize> {
        self.encoder.as_mut().map_or(Some(0), |encoder| encoder.encode_large(value, output))
    }

    /// How many bytes the end of the output would bring now.
    pub(super) fn pending_bytes(&self) -> usize {
        self.encoder.as_ref().map_or(0, |encoder| encoder.pending())
    }

    /// Ends the output; see [`Encoder::finish`].
    pub(super) fn finish(&mut self, output: &mut [u8]) -> usize {
        self.encoder.as_mut().map_or(0, |encoder| encoder.finish(output))
    }
}

fn encode(
    encoder: &mut Option<Box<dyn Encoder>>,
    run: &[CodePoint],
    output: &mut [u8],
) -> EncodeProgress {
    match encoder {
        Some(encoder) => encoder.encode(run, output),
        None => EncodeProgress { read: run.len(), written: 0, stop: EncodeStop::InputEmpty },
    }
}

#[cfg(test)]
mod tests;
