//! The engine: the only way from bytes to bytes. The chunk loop, every worker thread and iconv(3) use it, so the result
//! does not depend on who converts.
//!
//! ```text
//! advance:  a run is held?      ─► encode on
//!           a kernel leads on?  ─► as far as the text is clean
//!           otherwise           ─► decode a run ─► encode, up to one that a stage must see, or an unmappable one
//! ```
//!
//! It neither reports nor decides: it stops in front of what is not clean, and says what that is. Where a kernel stops,
//! the engine continues through code points, in steps that grow as long as the kernel makes no progress ([`Backoff`]).
//!
//! A run is at most 4096 code points. One that stops in the middle, before an unmappable character or one that a stage
//! must see, is *held*: its bytes count as read only when all of it is written. So clean text needs no positions of
//! single characters. `locator.rs` decodes a held run again to find the bytes of one of its characters.

mod instead;
mod part;
mod run;
mod stop;

use std::ops::Range;

use instead::Instead;
pub(super) use part::{Advance, Around, Part};
use run::{Broken, Run};
pub(super) use stop::Stop;

use super::backoff::Backoff;
use super::context_buffer::SEQUENCE;
use super::direct::{Direct, counts};
use super::locator::Locator;
use super::origin::Locate;
use super::pipeline::Pipeline;
use super::position::{Position, RunCounts};
use super::remedy::Remedies;
use super::stage::Path;
use super::target::Target;
use crate::diagnostic::Outcomes;
use oxiconv_encodings::codec::{
    DecodeProgress, DecodeStop, Decoder, EncodeStop, Encoder, Lossy, MIN_OUTPUT, MIN_PIVOT,
    Stateless, Utf8,
};
use oxiconv_encodings::unicode::CodePoint;
use oxiconv_kernels::{EncodingForm, FormPair, Progress};

/// Code points of a run. Run, input and output all stay in the nearest caches.
const PIVOT: usize = if cfg!(fuzzing) { 64 } else { 4096 };
/// A kernel run of at least this many bytes was worthwhile.
const WORTH: usize = 64;
/// The same of a charset, for which code points are a smaller detour.
const WORTH_OF_CHARSET: usize = if cfg!(fuzzing) { 32 } else { 2048 };
/// Bytes of output below which no kernel is tried.
const LITTLE_ROOM: usize = 32;

/// Converts from the encoding of an input to that of the output.
pub(super) struct Engine {
    decoder: Box<dyn Decoder>,
    direct: Option<Direct>,
    /// Whether it converts by kernels if there are any.
    has_kernels: bool,
    /// The replacement for ill-formed subsequences that a kernel may skip by itself.
    lossy: Option<Lossy>,
    /// Counts of those skipped.
    faults: Option<Lossy>,
    locates: bool,
    /// Whether nothing is written of a sequence of bytes that the target cannot represent as a whole.
    keeps_whole: bool,
    /// What became of the code points that the target lacks, of which nobody asks for the places.
    unmappable: Outcomes,
    /// Whether it counts what it converts.
    counts: bool,
    pivot: Vec<CodePoint>,
    /// The most code points of the next run.
    most: usize,
    run: Run,
    /// Whether the kernel has just stopped at something that it cannot convert.
    stopped: bool,
    backoff: Backoff,
}

impl Engine {
    /// Creates an engine. It reads UTF-8, through code points, until [`Engine::read_by`] is called.
    pub(super) fn new() -> Self {
        Self {
            decoder: Box::new(Stateless(Utf8)),
            direct: None,
            has_kernels: true,
            lossy: None,
            faults: None,
            locates: false,
            keeps_whole: false,
            unmappable: Outcomes::default(),
            counts: true,
            pivot: vec![0; PIVOT],
            most: PIVOT,
            run: Run::default(),
            stopped: false,
            backoff: Backoff::new(2, PIVOT as u64),
        }
    }

    /// Creates an engine for another thread, which starts in the state of this one's decoder.
    pub(super) fn for_worker(&self) -> Self {
        Self { decoder: self.decoder.fork(), direct: self.direct, ..Self::new() }
    }

    /// Continues with what `decoder` reads: the next input, or the rest of one after all of it that was passed is read. It
    /// is written to `target`.
    pub(super) fn read_by(&mut self, decoder: Box<dyn Decoder>, target: &Target) {
        let direct = Direct::of(&*decoder, target.encoder());
        self.direct = direct.filter(|_| self.has_kernels);
        self.decoder = decoder;
        self.run = Run::default();
        self.stopped = false;
        self.lossy = None;
    }

    /// Converts through code points only from now on.
    pub(super) fn without_kernels(&mut self) {
        self.use_kernels(false);
        self.direct = None;
    }

    /// Sets whether the kernels of the next decoder are used, if there are any.
    pub(super) fn use_kernels(&mut self, uses: bool) {
        self.has_kernels = uses;
    }

    /// Counts nothing from now on.
    #[cfg(feature = "transliteration")]
    pub(super) fn without_counts(&mut self) {
        self.counts = false;
    }

    /// Sets how many code points a run has at most from now on, as far as there is room for it.
    #[cfg(feature = "transliteration")]
    pub(super) fn limit_runs(&mut self, most: usize) {
        self.most = most.min(PIVOT);
    }

    /// Sets whether the places of single characters can be located in the runs to come.
    pub(super) fn locate_characters(&mut self, locates: bool) {
        self.locates = locates;
    }

    /// Sets whether the runs to come stop in front of a sequence of bytes that stands for several code points if the
    /// target lacks any of them, as they do in front of one that stands for a single one.
    pub(super) fn keep_sequences_whole(&mut self, keeps: bool) {
        self.keeps_whole = keeps;
    }

    /// Lets kernels replace ill-formed subsequences as `lossy` says. They are counted in [`Engine::take_faults`].
    pub(super) fn pass_faults(&mut self, lossy: Option<Lossy>) {
        self.lossy = lossy.filter(|_| self.kernels().is_some());
    }

    /// Returns what kernels write for ill-formed subsequences, if they may replace them.
    pub(super) fn lossy(&self) -> Option<&Lossy> {
        self.lossy.as_ref()
    }

    /// Returns the counts of what kernels have replaced since the last call, if they could.
    pub(super) fn take_faults(&mut self) -> Option<Lossy> {
        self.faults.take()
    }

    /// Returns how many code points were left out since the last call.
    pub(super) fn take_unmappable(&mut self) -> Outcomes {
        std::mem::take(&mut self.unmappable)
    }

    /// Returns the decoder, in its state after the bytes read and those of a held run.
    pub(super) fn decoder(&self) -> &dyn Decoder {
        &*self.decoder
    }

    /// Returns the decoder, to read something without the engine.
    pub(super) fn decoder_mut(&mut self) -> &mut dyn Decoder {
        &mut *self.decoder
    }

    /// Whether the ill-formed bytes that the engine stopped at could have become a character if another byte followed
    /// them.
    pub(super) fn judges_by_next(&self, bytes: &[u8]) -> bool {
        self.decoder.judges_by_next(bytes)
    }

    /// Returns the kernels for its pair of encoding forms, if any.
    pub(super) fn kernels(&self) -> Option<&FormPair> {
        self.direct.as_ref()?.kernels()
    }

    /// Whether the next bytes are converted without code points, as far as they are clean, and measured.
    #[cfg(feature = "detection")]
    pub(super) fn takes_direct(&self) -> bool {
        self.kernels().is_some() && self.lossy.is_none() && !self.stopped && !self.run.held
    }

    /// Returns an upper bound for the output of this many bytes, if nothing in them is ill-formed or if kernels replace
    /// it.
    pub(super) fn at_most(&self, bytes: usize, target: &Target) -> usize {
        let most = match (&self.direct, target.encoder()) {
            (_, None) => 0,
            // Ill-formed text may grow: in UTF-8, U+FFFD takes three bytes for one.
            (Some(direct), _) if self.lossy.is_some() => direct.at_most(bytes).max(3 * bytes),
            (Some(direct), _) => direct.at_most(bytes),
            (None, Some(encoder)) if encoder.form().is_some() => 4 * bytes,
            // The longest are escapes.
            (None, Some(_)) => 8 * bytes,
        };
        most + MIN_OUTPUT
    }

    /// Takes one step: converts from the start of `part` into `output`, up to something that stops it.
    ///
    /// With [`MIN_OUTPUT`] bytes of free output, a call makes progress or says what stops it. If the last call left a
    /// run held, the caller must pass the same bytes again.
    pub(super) fn advance(
        &mut self,
        part: Part<'_>,
        pipeline: &mut Pipeline,
        target: &mut Target,
        output: &mut [u8],
    ) -> Advance {
        if !self.run.held {
            if !std::mem::take(&mut self.stopped)
                && let Some(advance) = self.take_direct(part, pipeline, target, output)
            {
                return advance;
            }
            #[cfg(feature = "detection")]
            if part.around.is_some() {
                return Advance::unsettled(0);
            }
            self.decode(part, pipeline, target, output.len());
        }
        self.encode_run(part.instead, pipeline, target, output)
    }

    /// Converts as far as the kernel can; `None` if it makes no progress.
    fn take_direct(
        &mut self,
        part: Part<'_>,
        pipeline: &mut Pipeline,
        target: &Target,
        output: &mut [u8],
    ) -> Option<Advance> {
        let has_room = !target.writes() || output.len() >= LITTLE_ROOM;
        let direct = self.direct.as_ref().filter(|_| has_room && !pipeline.goes_one_by_one())?;
        let but_last = pipeline.path() == Path::KernelsButLast;
        let input = &part.bytes[..part.limit];
        #[cfg_attr(not(feature = "detection"), expect(unused_variables))]
        let (run, passed, signs) = match (direct.kernels(), &self.lossy) {
            (Some(pair), None) if but_last => {
                let mut run = pair.run(input, output);
                self.stopped = give_back_last(pair.from, pipeline, &mut run, output);
                (run, counts(pair, &input[..run.read]), 0)
            }
            (None, _) if but_last => {
                self.backoff.failed();
                return None;
            }
            _ if !self.counts => {
                let run = direct.convert(&*self.decoder, target.encoder(), input, output);
                self.stopped = run.read < input.len();
                (run, RunCounts::default(), 0)
            }
            (_, None) | (None, _) => direct.run(&*self.decoder, target.encoder(), input, output),
            (Some(pair), Some(lossy)) => {
                let mut lossy = lossy.clone();
                let run = self.decoder.convert_lossy(pair, input, output, &mut lossy);
                let well_formed = lossy.well_formed();
                self.faults.get_or_insert_default().add(&lossy);
                // Nobody asks for places here, so nobody needs the column.
                let line = Position::START.line + well_formed.line_feeds as u64;
                let moved = Position { line, ..Position::START };
                (run, RunCounts { characters: well_formed.characters as u64, moved }, 0)
            }
        };
        #[cfg(feature = "detection")]
        if let Some(around) = part.around
            && run.read > 0
            && !around.goes_on_after(run.read, signs)
        {
            return Some(Advance::unsettled(run.read));
        }
        if run.read >= direct.kernels().map_or(WORTH_OF_CHARSET, |_| WORTH) {
            self.backoff.succeeded()
        } else {
            self.backoff.failed()
        }
        (run.read > 0).then_some(Advance {
            read: run.read,
            written: run.written,
            passed,
            code_points: 0..0,
            stop: (run.read == input.len()).then_some(Stop::InputEmpty),
        })
    }

    /// Decodes the next run, which has this much room.
    fn decode(&mut self, part: Part<'_>, pipeline: &mut Pipeline, target: &Target, room: usize) {
        // What is written takes a byte for each character at least.
        let most = if target.writes() { self.most.min(room + MIN_PIVOT) } else { self.most };
        let step = match self.direct {
            Some(_) if target.writes() && room < LITTLE_ROOM => most,
            Some(direct) if direct.kernels().is_some() || !pipeline.goes_one_by_one() => {
                most.min(self.backoff.wait().max(1) as usize)
            }
            _ => most,
        };
        let locator = self.locates.then(|| Locator::new(self.decoder.fork()));
        let may_break = self.keeps_whole && !pipeline.joins() && self.may_break_sequences(target);
        let of_sequences = may_break.then(|| Locator::new(self.decoder.fork()));
        let Part { bytes, limit, last, .. } = part;
        let whole = limit == bytes.len();
        let mut decoded =
            self.decoder.decode(&bytes[..limit], &mut self.pivot[..step], last && whole);
        if decoded.read == 0 && decoded.stop == DecodeStop::InputEmpty && limit > 0 && !whole {
            // Cut by the limit: decoded with no room for a character, the bytes are either ill-formed or left for
            // later.
            let end = bytes.len().min(limit + SEQUENCE);
            decoded = self.decoder.decode(&bytes[..end], &mut [], last && end == bytes.len());
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
        // What stands after the limit may be read otherwise.
        let next = match stop {
            None | Some(Stop::InputEmpty)
                if pipeline.sees_characters() && (read < limit || whole) =>
            {
                first_of(&*self.decoder, &bytes[read..], last)
            }
            _ => None,
        };
        let broken = of_sequences.and_then(|locator| {
            Broken::find(target, locator, &bytes[..read], &self.pivot[..written])
        });
        pipeline.begin_run();
        let run = &mut self.run;
        (run.next, run.broken) = (next, broken);
        (run.held, run.left) = (true, 0..written);
        (run.bytes, run.stop) = (read, stop);
        if locator.is_some() || run.locator.is_some() {
            run.locator = locator;
        }
    }

    /// Whether a sequence of bytes may be broken: it may stand for several code points, and the target may lack some.
    fn may_break_sequences(&self, target: &Target) -> bool {
        let may_lack =
            |encoder: &dyn Encoder| !encoder.form().is_some_and(EncodingForm::is_unicode);
        target.encoder().is_some_and(may_lack) && self.decoder.has_sequences()
    }

    /// Encodes the rest of the run, up to what stops it.
    fn encode_run(
        &mut self,
        instead: Option<&Remedies>,
        pipeline: &mut Pipeline,
        target: &mut Target,
        output: &mut [u8],
    ) -> Advance {
        let Run { left, next, broken, bytes, stop, held, .. } = &mut self.run;
        let start = left.start;
        let last = broken.map_or(left.end, |broken| broken.start);
        let seen = pipeline.first_in(&self.pivot[..left.end], start, *next).filter(|at| *at < last);
        let end = seen.unwrap_or(last);
        let part = &self.pivot[start..end];
        let after = if end < left.end { Some(self.pivot[end]) } else { *next };
        let encoded = match instead {
            Some(remedies) => {
                let instead = Instead { remedies, pipeline, outcomes: &mut self.unmappable };
                instead.encode(part, after, target, output)
            }
            None => target.encode(part, output),
        };
        let code_points = start..start + encoded.read;
        left.start = code_points.end;
        let (read, stop) = match (encoded.stop, seen) {
            (EncodeStop::OutputFull, _) => (0, Some(Stop::OutputFull)),
            (EncodeStop::Unmappable, _) => (0, Some(Stop::Unmappable(self.pivot[code_points.end]))),
            (EncodeStop::InputEmpty, Some(_)) => (0, Some(Stop::Stage)),
            (EncodeStop::InputEmpty, None) => match broken {
                Some(broken) => (0, Some(Stop::Unmappable(broken.lacking))),
                None => {
                    *held = false;
                    (*bytes, *stop)
                }
            },
        };
        Advance {
            read,
            written: encoded.written,
            passed: match self.counts {
                true => RunCounts::of(&self.pivot[code_points.clone()]),
                false => RunCounts::default(),
            },
            code_points,
            stop,
        }
    }

    /// Returns the code points of the pivot that [`Advance::code_points`] refers to.
    pub(super) fn code_points(&self, advance: &Advance) -> &[CodePoint] {
        &self.pivot[advance.code_points.clone()]
    }

    /// Returns the next code point of the held run, and the one after it if that is certain.
    pub(super) fn next(&self) -> Option<(CodePoint, Option<CodePoint>)> {
        let (first, rest) = self.pivot[self.run.left.clone()].split_first()?;
        Some((*first, rest.first().copied().or(self.run.next)))
    }

    /// Returns the code points of the held run that are not encoded yet.
    pub(super) fn pending(&self) -> &[CodePoint] {
        &self.pivot[self.run.left.clone()]
    }

    /// Whether a run is held.
    pub(super) fn holds_run(&self) -> bool {
        self.run.held
    }

    /// Gives back what is left of the run, and what stopped it: the decoder returns to its state in front of that, or in front
    /// of the sequence of bytes that the next code point belongs to. `part` are the bytes that the run begins with; returns
    /// how many of them are read, and how many code points of that sequence were encoded before.
    #[cfg(feature = "transliteration")]
    pub(super) fn give_back(&mut self, part: &[u8]) -> (usize, usize) {
        let run = std::mem::take(&mut self.run);
        let Some(run::GivenBack { decoder, read, divided }) = run.give_back(part) else {
            return (0, 0);
        };
        self.decoder = decoder;
        (read, divided)
    }

    /// Drops the held run.
    pub(super) fn forget_run(&mut self) {
        self.run = Run::default();
    }

    /// Skips the next code points of the held run: the caller has dealt with them.
    pub(super) fn skip(&mut self, count: usize) {
        self.run.left.start += count;
    }
}

impl Locate for Engine {
    fn locate(&mut self, part: &[u8]) -> Option<Range<usize>> {
        self.run.locate(part)
    }

    fn decoder_after(&self, part: &[u8]) -> Option<Box<dyn Decoder>> {
        self.run.decoder_after(part)
    }

    fn decoder(&self) -> &dyn Decoder {
        &*self.decoder
    }
}

/// Returns the first code point of `bytes`, which `decoder` continues with, if one is there.
fn first_of(decoder: &dyn Decoder, bytes: &[u8], last: bool) -> Option<CodePoint> {
    const ENOUGH: usize = 64;
    let near = &bytes[..bytes.len().min(ENOUGH)];
    let mut room = [0; MIN_PIVOT];
    let decoded = decoder.fork().decode(near, &mut room, last && near.len() == bytes.len());
    (decoded.written > 0).then_some(room[0])
}

/// Takes the last character of a kernel's run back if a stage may have to hold it back, and returns whether it did. A target
/// that lacks marks and has kernels writes a byte for each character.
fn give_back_last(
    from: EncodingForm,
    pipeline: &mut Pipeline,
    run: &mut Progress,
    output: &[u8],
) -> bool {
    let last = run.written.checked_sub(1).map(|last| CodePoint::from(output[last]));
    let Some(last) = last.filter(|last| !pipeline.passes(&[*last])) else { return false };
    run.written -= 1;
    run.read -= if from == EncodingForm::Utf8 && last >= 0x80 { 2 } else { from.unit() };
    true
}

#[cfg(test)]
mod tests;
