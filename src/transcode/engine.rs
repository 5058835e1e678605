//! The engine: the only way from bytes to bytes. The chunk loop and every worker thread use it, so the result does not
//! depend on who converts.
//!
//! ```text
//! advance:  a run is held?      ─► encode on
//!           a kernel leads on?  ─► as far as the text is clean
//!           otherwise           ─► decode a run ─► encode, up to a watched or an unmappable character
//! ```
//!
//! It reports and decides nothing: it stops in front of what is not clean, and says what that is. Where a kernel stops,
//! the engine goes on through code points, in steps that grow as long as the kernel makes no progress ([`Backoff`]).

use std::ops::Range;

use super::backoff::Backoff;
use super::clusters::Clusters;
use super::context_buffer::SEQUENCE;
use super::denied::Denied;
use super::direct::{Direct, counts};
#[cfg(feature = "detection")]
pub(super) use super::interruptions::Around;
use super::line_ends::LineEnds;
use super::locator::Locator;
use super::normalizing::Classes;
use super::position::{Position, RunCounts};
use super::watch::Watch;
use crate::codec::{
    DecodeProgress, DecodeStop, Decoder, EncodeProgress, EncodeStop, Encoder, Lossy, MIN_OUTPUT,
    MIN_PIVOT, Stateless, Utf8, Value,
};
use crate::kernels::{EncodingForm, Pair, Progress};
use crate::unicode::{BLANK, CodePoint, IllFormed, REPLACEMENT_CHARACTER};

/// Code points of a run. Run, input and output all stay in the nearest caches.
const PIVOT: usize = if cfg!(fuzzing) { 64 } else { 4096 };
/// A kernel run of at least this many bytes was worthwhile.
const WORTH: usize = 64;
/// The same of a charset, for which code points are a smaller detour.
const WORTH_OF_CHARSET: usize = if cfg!(fuzzing) { 32 } else { 2048 };

/// Without detection, nothing interrupts the units.
#[cfg(not(feature = "detection"))]
pub(super) type Around<'a> = std::marker::PhantomData<&'a [u8]>;

/// Bytes to convert.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    /// The bytes to convert, followed by bytes that are only lookahead.
    pub(super) bytes: &'a [u8],
    /// How many of them to convert.
    pub(super) limit: usize,
    /// Whether no byte follows `bytes` in the text.
    pub(super) last: bool,
    /// What the units among them are judged by, if nobody knows yet whether other bytes interrupt them.
    #[cfg_attr(not(feature = "detection"), expect(dead_code))]
    pub(super) around: Option<Around<'a>>,
}

/// What one call of [`Engine::advance`] did.
#[derive(Debug)]
pub(super) struct Advance {
    /// Bytes read. The bytes of a run count as read once all of it is written.
    pub(super) read: usize,
    /// Bytes written.
    pub(super) written: usize,
    /// The characters converted.
    pub(super) passed: RunCounts,
    /// Their range in the pivot; empty for what a kernel converted.
    pub(super) code_points: Range<usize>,
    /// What the engine stopped at; `None` if the caller should call again.
    pub(super) stop: Option<Stop>,
}

impl Advance {
    /// Nothing is converted before the units in these bytes are looked at.
    #[cfg(feature = "detection")]
    fn unsettled(bytes: usize) -> Self {
        Self {
            read: 0,
            written: 0,
            passed: RunCounts::default(),
            code_points: 0..0,
            stop: Some(Stop::Unsettled(bytes)),
        }
    }
}

/// What stopped the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Everything is read, except for a sequence that the end of the bytes cuts.
    InputEmpty,
    /// The output has no room for what comes next.
    OutputFull,
    /// This code point of the held run is watched.
    Watched(CodePoint),
    /// This code point of the held run cannot be represented in the target.
    Unmappable(CodePoint),
    /// An ill-formed subsequence is next.
    IllFormed(IllFormed),
    /// The next character has a value with more bits than a code point.
    Large {
        /// Its value.
        value: Value,
        /// Its length in bytes.
        len: usize,
    },
    /// Units are interrupted within these bytes, or must be looked at before they are decoded.
    #[cfg(feature = "detection")]
    Unsettled(usize),
}

/// A run of code points between the decoder and the encoder. While it is held, none of its bytes count as read.
#[derive(Default)]
struct Run {
    held: bool,
    /// The code points of the pivot that are not encoded yet.
    left: Range<usize>,
    /// Code points from this index on have not been checked against the watch.
    unwatched: usize,
    /// The index of the next one that is watched, or of the end of the run; `None` until it is looked for.
    watched: Option<usize>,
    /// The number of bytes that the run was decoded from.
    bytes: usize,
    /// The code point after the run, if it was looked up.
    next: Option<CodePoint>,
    /// The index of the next letter that must be held back, or of the end of the run; `None` until it is looked for.
    cluster: Option<usize>,
    /// The index of the next character that may be left out, or of the end of the run; `None` until it is looked for.
    removable: Option<usize>,
    /// The index from which on the run has nothing but blanks, if that matters; otherwise the end of the run.
    blanks: usize,
    /// The sequence of bytes that the target cannot represent as a whole, if each one is kept whole.
    broken: Option<Broken>,
    stop: Option<Stop>,
    locator: Option<Locator>,
}

/// A sequence of bytes that stands for several code points, of which the target has the first, but not all.
#[derive(Clone, Copy)]
struct Broken {
    /// The index of its first code point.
    start: usize,
    /// The first code point that the target lacks.
    lacking: CodePoint,
}

/// Converts from the encoding of an input to that of the output.
pub(super) struct Engine {
    decoder: Box<dyn Decoder>,
    encoder: Option<Box<dyn Encoder>>,
    direct: Option<Direct>,
    /// Whether it converts by kernels if there are any.
    has_kernels: bool,
    /// The replacement for ill-formed subsequences that a kernel may skip by itself.
    lossy: Option<Lossy>,
    /// Counts of those skipped.
    faults: Option<Lossy>,
    watch: Option<Watch>,
    clusters: Option<Clusters>,
    /// Characters that may be left out: what follows one of them may follow what is before it.
    removed: Denied,
    line_ends: Option<LineEnds>,
    classes: Option<Classes>,
    /// Whether ill-formed subsequences are left out, so that the characters next to them come together.
    joins_over_faults: bool,
    /// Whether it stops in front of the blanks at the end of a run.
    holds_blanks: bool,
    locates: bool,
    /// Whether nothing is written of a sequence of bytes that the target cannot represent as a whole.
    keeps_whole: bool,
    pivot: Vec<CodePoint>,
    run: Run,
    /// Whether the kernel has just stopped at something that it cannot convert.
    stopped: bool,
    backoff: Backoff,
}

impl Engine {
    /// Creates an engine that writes with `encoder`; without one, it only examines the text. It reads UTF-8 until
    /// [`Engine::read_by`] is called.
    pub(super) fn new(encoder: Option<Box<dyn Encoder>>) -> Self {
        Self {
            decoder: Box::new(Stateless(Utf8)),
            direct: Direct::of(&Stateless(Utf8), encoder.as_deref()),
            encoder,
            has_kernels: true,
            lossy: None,
            faults: None,
            watch: None,
            clusters: None,
            removed: Denied::NONE,
            line_ends: None,
            classes: None,
            joins_over_faults: false,
            holds_blanks: false,
            locates: false,
            keeps_whole: false,
            pivot: vec![0; PIVOT],
            run: Run::default(),
            stopped: false,
            backoff: Backoff::new(2, PIVOT as u64),
        }
    }

    /// Creates an engine for another thread, which writes with `encoder` and starts in the state of this one's decoder.
    pub(super) fn for_worker(&self, encoder: Option<Box<dyn Encoder>>) -> Self {
        Self {
            decoder: self.decoder.fork(),
            direct: self.direct,
            clusters: self.clusters.clone(),
            classes: self.classes.clone(),
            removed: self.removed,
            joins_over_faults: self.joins_over_faults,
            holds_blanks: self.holds_blanks,
            ..Self::new(encoder)
        }
    }

    /// Continues with what `decoder` reads: the next input, or the rest of one after all of it that was passed is read.
    pub(super) fn read_by(&mut self, decoder: Box<dyn Decoder>) {
        let direct = Direct::of(&*decoder, self.encoder.as_deref());
        self.direct = direct.filter(|_| self.has_kernels);
        self.decoder = decoder;
        self.run = Run::default();
        self.stopped = false;
        self.lossy = None;
    }

    /// Converts through code points only from now on.
    pub(super) fn without_kernels(&mut self) {
        self.has_kernels = false;
        self.direct = None;
    }

    /// Stops in front of these characters from now on, including those of a held run.
    pub(super) fn watch(&mut self, watch: Option<Watch>) {
        if self.watch != watch {
            self.watch = watch;
            self.run.watched = None;
        }
    }

    /// Stops in front of the letters that must be held back from now on.
    pub(super) fn hold_clusters(&mut self, clusters: Option<Clusters>) {
        self.clusters = clusters;
    }

    /// Expects that characters of these kinds may be left out from now on.
    pub(super) fn may_remove(&mut self, removed: Denied) {
        self.removed = removed;
    }

    /// Writes other line ends from now on.
    pub(super) fn change_line_ends(&mut self, line_ends: Option<LineEnds>) {
        self.line_ends = line_ends;
    }

    /// Returns the stage that writes other line ends, if there is one.
    pub(super) fn line_ends(&mut self) -> Option<&mut LineEnds> {
        self.line_ends.as_mut()
    }

    /// Stops in front of what may change under normalization from now on. Without kernels, which do not look at
    /// characters.
    pub(super) fn hold_sequences(&mut self, classes: Option<Classes>, joins_over_faults: bool) {
        self.joins_over_faults = joins_over_faults && classes.is_some();
        self.classes = classes;
        if self.classes.is_some() {
            self.without_kernels();
        }
    }

    /// Stops in front of blanks at the end of a run from now on.
    pub(super) fn hold_blanks(&mut self, holds: bool) {
        self.holds_blanks = holds;
        if holds {
            self.without_kernels();
        }
    }

    /// Whether it stops in front of letters that must be held back.
    pub(super) fn holds_letters(&self) -> bool {
        self.clusters.is_some() || self.classes.is_some()
    }

    /// Returns what finds the characters that may change under normalization, if any may.
    #[cfg(feature = "normalization")]
    pub(super) fn classes(&mut self) -> Option<&mut Classes> {
        self.classes.as_mut()
    }

    /// Returns what finds the letters that must be held back, if any must.
    #[cfg(feature = "transliteration")]
    pub(super) fn clusters(&mut self) -> Option<&mut Clusters> {
        self.clusters.as_mut()
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

    /// Whether the engine has a target.
    pub(super) fn writes(&self) -> bool {
        self.encoder.is_some()
    }

    /// Returns the kernels for its pair of encoding forms, if any.
    pub(super) fn kernels(&self) -> Option<&Pair> {
        self.direct.as_ref()?.kernels()
    }

    /// Whether the next bytes are converted without code points, as far as they are clean, and measured.
    #[cfg(feature = "detection")]
    pub(super) fn takes_direct(&self) -> bool {
        let is_plain = self.watch.is_none() && self.lossy.is_none() && self.clusters.is_none();
        is_plain && self.kernels().is_some() && !self.stopped && !self.run.held
    }

    /// Returns an upper bound for the output of this many bytes, if nothing in them is ill-formed or if kernels replace
    /// it.
    pub(super) fn at_most(&self, bytes: usize) -> usize {
        let most = match (&self.direct, &self.encoder) {
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
    pub(super) fn advance(&mut self, part: Part<'_>, output: &mut [u8]) -> Advance {
        if !self.run.held {
            if !std::mem::take(&mut self.stopped)
                && let Some(advance) = self.take_direct(part, output)
            {
                return advance;
            }
            #[cfg(feature = "detection")]
            if part.around.is_some() {
                return Advance::unsettled(0);
            }
            self.decode(part);
        }
        self.encode_run(output)
    }

    /// Converts as far as the kernel can; `None` if it makes no progress.
    fn take_direct(&mut self, part: Part<'_>, output: &mut [u8]) -> Option<Advance> {
        let direct = self.direct.as_ref().filter(|_| self.watch.is_none())?;
        let input = &part.bytes[..part.limit];
        #[cfg_attr(not(feature = "detection"), expect(unused_variables))]
        let (run, passed, signs) = match (direct.kernels(), &self.lossy) {
            (Some(pair), None) if self.clusters.is_some() => {
                let mut run = pair.run(input, output);
                self.stopped = give_back_base(pair.from, &mut run, output);
                (run, counts(pair, &input[..run.read]), 0)
            }
            (None, _) if self.clusters.is_some() => {
                self.backoff.failed();
                return None;
            }
            (_, None) | (None, _) => {
                direct.run(&*self.decoder, self.encoder.as_deref(), input, output)
            }
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

    /// Decodes the next run.
    fn decode(&mut self, part: Part<'_>) {
        let most = self.pivot.len();
        let step = match self.direct {
            Some(direct) if direct.kernels().is_some() || self.watch.is_none() => {
                most.min(self.backoff.wait().max(1) as usize)
            }
            _ => most,
        };
        let locator = self.locates.then(|| Locator::new(self.decoder.fork()));
        let of_sequences = self.may_break_sequences().then(|| Locator::new(self.decoder.fork()));
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
        let next = match stop {
            _ if !self.holds_letters() => None,
            Some(Stop::IllFormed(_) | Stop::Large { .. }) => Some(REPLACEMENT_CHARACTER),
            _ => first_of(&*self.decoder, &bytes[read..], last),
        };
        // What stands there, or after the limit, may not be written.
        let may_be_other = |next| next == REPLACEMENT_CHARACTER || read == limit && !whole;
        let next = next.filter(|next| !(self.joins_over_faults && may_be_other(*next)));
        let blanks = match self.holds_blanks {
            true => self.pivot[..written].iter().rev().take_while(|cp| **cp == BLANK).count(),
            false => 0,
        };
        let broken = of_sequences.and_then(|locator| {
            self.broken_sequence(locator, &bytes[..read], &self.pivot[..written])
        });
        let run = &mut self.run;
        (run.next, run.cluster, run.removable, run.broken) = (next, None, None, broken);
        run.blanks = written - blanks;
        (run.held, run.left, run.unwatched, run.watched) = (true, 0..written, 0, None);
        (run.bytes, run.stop) = (read, stop);
        if locator.is_some() || run.locator.is_some() {
            run.locator = locator;
        }
    }

    /// Whether a sequence of bytes may be broken: one is kept whole, may stand for several code points, and the target
    /// may lack some. What is held back is not written as it stands in the run.
    fn may_break_sequences(&self) -> bool {
        let may_lack =
            |encoder: &dyn Encoder| !encoder.form().is_some_and(EncodingForm::is_unicode);
        self.keeps_whole
            && !self.holds_letters()
            && self.encoder.as_deref().is_some_and(may_lack)
            && self.decoder.has_sequences()
    }

    /// Looks for the first code point of a run that the target lacks, and returns its sequence if that begins with
    /// another. `locator` begins with the run, and `bytes` are those of the run.
    fn broken_sequence(
        &self,
        mut locator: Locator,
        bytes: &[u8],
        run: &[CodePoint],
    ) -> Option<Broken> {
        let mut encoder = self.encoder.as_ref()?.fork();
        let (mut room, mut at) = ([0; 1024], 0);
        while at < run.len() {
            let encoded = encoder.encode(&run[at..], &mut room);
            at += encoded.read;
            if encoded.stop == EncodeStop::Unmappable {
                locator.locate(bytes, at);
                let start = locator.index();
                return (start < at).then_some(Broken { start, lacking: run[at] });
            }
        }
        None
    }

    /// Returns the index of the next code point that is watched, from this index on. Each is looked at once, however often the
    /// run is interrupted.
    fn next_watched(&mut self, from: usize) -> Option<usize> {
        let watch = self.watch.as_ref()?;
        let Run { left, watched, .. } = &mut self.run;
        let at = watched.filter(|at| *at >= from).unwrap_or_else(|| {
            watch.first_in(&self.pivot[from..left.end]).map_or(left.end, |at| from + at)
        });
        *watched = Some(at);
        (at < left.end).then_some(at)
    }

    /// Encodes the rest of the run, up to what stops it.
    fn encode_run(&mut self, output: &mut [u8]) -> Advance {
        let start = self.run.left.start;
        let last = self.run.broken.map_or(self.run.left.end, |broken| broken.start);
        let from = start.max(self.run.unwatched);
        let blank = Some(from.max(self.run.blanks));
        let held = [self.next_cluster(from), blank].into_iter().flatten().min();
        let held = held.filter(|at| *at < last);
        let watched = self.next_watched(from).filter(|at| *at < held.unwrap_or(last)).or(held);
        let end = watched.unwrap_or(last);
        let encoded =
            encode(&mut self.encoder, &mut self.line_ends, &self.pivot[start..end], output);
        let code_points = start..start + encoded.read;
        self.run.left.start = code_points.end;
        let (read, stop) = match (encoded.stop, watched) {
            (EncodeStop::OutputFull, _) => (0, Some(Stop::OutputFull)),
            (EncodeStop::Unmappable, _) => (0, Some(Stop::Unmappable(self.pivot[code_points.end]))),
            (EncodeStop::InputEmpty, Some(at)) => (0, Some(Stop::Watched(self.pivot[at]))),
            (EncodeStop::InputEmpty, None) => match self.run.broken {
                Some(broken) => (0, Some(Stop::Unmappable(broken.lacking))),
                None => {
                    self.run.held = false;
                    (self.run.bytes, self.run.stop)
                }
            },
        };
        Advance {
            read,
            written: encoded.written,
            passed: RunCounts::of(&self.pivot[code_points.clone()]),
            code_points,
            stop,
        }
    }

    /// Returns the index of the first code point from `from` on that must be held back. Each is looked for once.
    fn next_cluster(&mut self, from: usize) -> Option<usize> {
        let Engine { clusters, classes, removed, pivot, run, .. } = self;
        if clusters.is_none() && classes.is_none() {
            return None;
        }
        let end = run.left.end;
        let at = match run.cluster {
            Some(at) if at >= from => at,
            _ => {
                let mut start = from;
                loop {
                    // What follows a character that may be left out may follow what is before it.
                    let known = match run.removable {
                        Some(at) if at >= start => at,
                        _ => removed.first_in(&pivot[start..end]).map_or(end, |at| start + at),
                    };
                    run.removable = Some(known);
                    let next = if known < end { None } else { run.next };
                    let part = &pivot[start..known];
                    let changing = classes.as_mut().and_then(|it| it.first_in(part, next));
                    // No further than that.
                    let (part, next) = match changing {
                        Some(at) => (&part[..at], Some(part[at])),
                        None => (part, next),
                    };
                    let lacking = clusters.as_mut().and_then(|it| it.first_in(part, next));
                    match lacking.or(changing) {
                        Some(at) => break start + at,
                        None if known == end => break end,
                        None => start = known + 1,
                    }
                }
            }
        };
        run.cluster = Some(at);
        (at < end).then_some(at)
    }

    /// Returns the code points of the pivot that [`Advance::code_points`] refers to.
    pub(super) fn code_points(&self, advance: &Advance) -> &[CodePoint] {
        &self.pivot[advance.code_points.clone()]
    }

    /// Returns the code points that were written for `run`, which was encoded last.
    pub(super) fn written<'r>(&'r self, run: &'r [CodePoint]) -> &'r [CodePoint] {
        self.line_ends.as_ref().map_or(run, |line_ends| line_ends.written(run))
    }

    /// Returns the code points of the held run that are not encoded yet; the first is the one that stopped the engine.
    pub(super) fn pending(&self) -> &[CodePoint] {
        &self.pivot[self.run.left.clone()]
    }

    /// Returns the code point after the first pending one, if it is known.
    #[cfg(feature = "normalization")]
    pub(super) fn pending_after(&self) -> Option<CodePoint> {
        let next = match *self.pending() {
            [_, next, ..] => Some(next),
            _ => self.run.next,
        };
        next.filter(|next| self.keeps(*next))
    }

    /// Whether `cp` is certainly not left out.
    #[cfg(feature = "normalization")]
    pub(super) fn keeps(&self, cp: CodePoint) -> bool {
        self.removed.why(cp.into()).is_none()
    }

    /// Returns the code point after the run, if it is known.
    #[cfg(feature = "normalization")]
    pub(super) fn after_run(&self) -> Option<CodePoint> {
        self.run.next
    }

    /// Whether nothing but blanks is pending, and the run is to be held from there on.
    pub(super) fn is_at_blanks(&self) -> bool {
        self.run.blanks <= self.run.left.start && self.run.left.start < self.run.left.end
    }

    /// Returns the bytes of the first pending code point in `part`, the bytes last passed to the engine, if it can be
    /// located.
    pub(super) fn locate(&mut self, part: &[u8]) -> Option<Range<usize>> {
        let index = self.run.left.start;
        let locator = self.run.locator.as_mut()?;
        Some(locator.locate(&part[..self.run.bytes], index))
    }

    /// Returns a decoder in the state after the code point located last.
    pub(super) fn decoder_after(&self, part: &[u8]) -> Option<Box<dyn Decoder>> {
        let locator = self.run.locator.as_ref()?;
        Some(locator.decoder_after(&part[..self.run.bytes]))
    }

    /// Lets the next code point of the held run be encoded although it is watched.
    pub(super) fn release(&mut self) {
        self.run.unwatched = self.run.left.start + 1;
    }

    /// Drops the held run.
    pub(super) fn forget_run(&mut self) {
        self.run = Run::default();
    }

    /// Skips the next code point of the held run: the caller has dealt with it.
    pub(super) fn skip(&mut self) {
        self.run.left.start += 1;
    }

    /// Encodes code points that do not come from the run.
    pub(super) fn encode(&mut self, run: &[CodePoint], output: &mut [u8]) -> EncodeProgress {
        encode(&mut self.encoder, &mut self.line_ends, run, output)
    }

    /// Encodes one value that is too large for a code point; see [`Encoder::encode_large`].
    pub(super) fn encode_large(&mut self, value: Value, output: &mut [u8]) -> Option<usize> {
        let Some(encoder) = &mut self.encoder else { return Some(0) };
        let len = encoder.encode_large(value, output)?;
        if let Some(line_ends) = &mut self.line_ends {
            line_ends.note_large();
        }
        Some(len)
    }

    /// Whether the output of two parts of a text, converted separately, is that of the whole.
    pub(super) fn concatenates(&self) -> bool {
        self.encoder.as_ref().is_none_or(|encoder| !encoder.joins())
    }

    /// Returns how many bytes the end of the output would add now.
    pub(super) fn pending_bytes(&self) -> usize {
        self.encoder.as_ref().map_or(0, |encoder| encoder.pending())
    }

    /// Ends the output; see [`Encoder::finish`].
    pub(super) fn finish(&mut self, output: &mut [u8]) -> usize {
        self.encoder.as_mut().map_or(0, |encoder| encoder.finish(output))
    }
}

/// Returns the first code point of `bytes`, which `decoder` continues with, if it is there.
fn first_of(decoder: &dyn Decoder, bytes: &[u8], last: bool) -> Option<CodePoint> {
    const ENOUGH: usize = 64;
    let near = &bytes[..bytes.len().min(ENOUGH)];
    let mut room = [0; MIN_PIVOT];
    let decoded = decoder.fork().decode(near, &mut room, last && near.len() == bytes.len());
    match decoded.stop {
        _ if decoded.written > 0 => Some(room[0]),
        DecodeStop::IllFormed(_) | DecodeStop::Large { .. } => Some(REPLACEMENT_CHARACTER),
        _ => None,
    }
}

/// Takes the last character of a kernel's run back if a mark may follow it, and returns whether it did. A target that
/// lacks marks and has kernels writes a byte for each character.
fn give_back_base(from: EncodingForm, run: &mut Progress, output: &[u8]) -> bool {
    let last = run.written.checked_sub(1).map(|last| CodePoint::from(output[last]));
    let Some(last) = last.filter(|last| Clusters::holds(*last, None)) else { return false };
    run.written -= 1;
    run.read -= if from == EncodingForm::Utf8 && last >= 0x80 { 2 } else { from.unit() };
    true
}

fn encode(
    encoder: &mut Option<Box<dyn Encoder>>,
    line_ends: &mut Option<LineEnds>,
    run: &[CodePoint],
    output: &mut [u8],
) -> EncodeProgress {
    match (encoder, line_ends) {
        (Some(encoder), Some(line_ends)) => line_ends.encode(&mut **encoder, run, output),
        (Some(encoder), None) => encoder.encode(run, output),
        (None, _) => EncodeProgress { read: run.len(), written: 0, stop: EncodeStop::InputEmpty },
    }
}

#[cfg(test)]
mod tests;
