//! The engine: the only code that turns bytes of one encoding into bytes of another. The chunk loop, every worker
//! thread and iconv(3) call it, so the result does not depend on the caller.
//!
//! ```text
//! advance:  a run is held?      ─► encode the rest of it
//!           a kernel is usable? ─► convert as far as the text is clean
//!           otherwise           ─► decode a run ─► encode it, up to what a stage must see or the target lacks
//! ```
//!
//! It neither reports nor decides. It stops before whatever is not clean and returns what that is ([`EngineStop`]); the
//! caller deals with it and calls again. Where a kernel stops, the engine continues through code points, in steps that
//! double as long as the kernel makes no progress ([`Backoff`]), so that text which no kernel can convert does not pay
//! for an attempt before each character.
//!
//! A run is at most 4096 code points. If encoding stops in the middle of a run, at an unmappable code point or at one
//! that a stage must see, the run is *held*: none of its bytes count as read until all of it is written. For the bytes
//! `61 C3 A9 62` to US-ASCII:
//!
//! ```text
//! decode   61 C3 A9 62 ─► a é b      one decode, four bytes
//! encode   a                         written 1, read 0, Unmappable(é); the run is held
//!          the caller writes something for é and calls skip(1)
//! encode   b                         written 1, read 4
//! ```
//!
//! The alternative is to note the byte position of every code point while decoding, which clean text would pay for and
//! never use. If the position of one code point is needed, `locator.rs` decodes the held run again up to there.
//!
//! So the caller sees two kinds of progress. `written` counts at once, and so do the code points that were converted.
//! `read` stays 0 while a run is held, and then jumps over all of its bytes. Until then the caller must keep these
//! bytes and pass them again with every call, because the locator decodes from them.

mod advance;
mod code_point_run;
mod inline_remedies;

use std::ops::Range;

pub(super) use advance::{Advance, Around, EngineInput, EngineStop};
use code_point_run::{BrokenSequence, CodePointRun};
use inline_remedies::InlineRemedies;

use super::backoff::Backoff;
use super::context_buffer::SEQUENCE;
use super::direct::{DirectPath, counts};
use super::locator::Locator;
use super::origin::Locate;
use super::pipeline::Pipeline;
use super::position::{Position, RunCounts};
use super::remedy::Remedies;
use super::stage::ConversionPath;
use super::target_encoder::TargetEncoder;
use crate::diagnostic::Outcomes;
use oxiconv_encodings::codec::{
    DecodeProgress, DecodeStop, Decoder, EncodeStop, Encoder, Lossy, MIN_OUTPUT, MIN_PIVOT,
    Stateless, Utf8Codec,
};
use oxiconv_encodings::unicode::CodePoint;
use oxiconv_kernels::{EncodingForm, FormPair, Progress};

/// Code points of a run. At this size the run, its input and its output stay in the L1 and L2 caches.
const PIVOT: usize = if cfg!(fuzzing) { 64 } else { 4096 };
/// A kernel run of at least this many bytes resets the backoff: the kernel was worth calling. What a shorter one has
/// written stays, but it counts as a failure. In Russian text to US-ASCII, the blank between two words is a kernel run
/// of one byte, and it must not bring back a call of the kernel before each word.
const MIN_KERNEL_RUN: usize = 64;
/// The same for the UTF-8 loop of a charset. The bar is higher because its detour through code points costs less than
/// that of a kernel.
const MIN_CHARSET_RUN: usize = if cfg!(fuzzing) { 32 } else { 2048 };
/// No kernel is called with less free output than this, in bytes.
const MIN_KERNEL_OUTPUT: usize = 32;

pub(super) struct Engine {
    decoder: Box<dyn Decoder>,
    direct: Option<DirectPath>,
    /// Whether kernels may be used at all.
    has_kernels: bool,
    /// What kernels write for ill-formed subsequences, if they may replace them without stopping.
    lossy: Option<Lossy>,
    /// Counts of the subsequences that kernels have replaced.
    faults: Option<Lossy>,
    locates: bool,
    /// Whether a sequence of bytes is written as a whole or not at all; see [`Engine::keep_sequences_whole`].
    keeps_whole: bool,
    unmappable: Outcomes,
    counts: bool,
    pivot: Vec<CodePoint>,
    max_run: usize,
    run: CodePointRun,
    /// Whether the kernel has just stopped at something that it cannot convert, so that trying it again is pointless.
    stopped: bool,
    /// How many code points to decode before the kernel is tried again.
    backoff: Backoff,
}

impl Engine {
    /// Creates an engine. It reads UTF-8, through code points, until [`Engine::read_by`] is called.
    pub(super) fn new() -> Self {
        Self {
            decoder: Box::new(Stateless(Utf8Codec)),
            direct: None,
            has_kernels: true,
            lossy: None,
            faults: None,
            locates: false,
            keeps_whole: false,
            unmappable: Outcomes::default(),
            counts: true,
            pivot: vec![0; PIVOT],
            max_run: PIVOT,
            run: CodePointRun::default(),
            stopped: false,
            backoff: Backoff::new(2, PIVOT as u64),
        }
    }

    /// Creates an engine for another thread. Its decoder starts in the state of this one, which is the right state for
    /// any piece: a text is divided for threads only where every piece can be decoded from the same state.
    pub(super) fn for_worker(&self) -> Self {
        Self { decoder: self.decoder.fork(), direct: self.direct, ..Self::new() }
    }

    /// Reads with `decoder` and writes to `target` from now on: the next input, or the rest of one. In the second case
    /// the caller must have read every byte that it passed, because a held run is dropped.
    pub(super) fn read_by(&mut self, decoder: Box<dyn Decoder>, target: &TargetEncoder) {
        let direct = DirectPath::of(&*decoder, target.encoder());
        self.direct = direct.filter(|_| self.has_kernels);
        self.decoder = decoder;
        self.run = CodePointRun::default();
        self.stopped = false;
        self.lossy = None;
    }

    /// Disables kernels for this input and the next ones.
    pub(super) fn without_kernels(&mut self) {
        self.use_kernels(false);
        self.direct = None;
    }

    /// Sets whether kernels are used, from the next decoder on. iconv(3) turns them off for transliteration, and on
    /// again when the caller turns that off between two calls.
    pub(super) fn use_kernels(&mut self, uses: bool) {
        self.has_kernels = uses;
    }

    #[cfg(feature = "transliteration")]
    pub(super) fn without_counts(&mut self) {
        self.counts = false;
    }

    #[cfg(feature = "transliteration")]
    pub(super) fn limit_runs(&mut self, max_run: usize) {
        self.max_run = max_run.min(PIVOT);
    }

    /// Sets whether [`Locate::locate`] works in the runs to come.
    pub(super) fn locate_characters(&mut self, locates: bool) {
        self.locates = locates;
    }

    /// Sets whether the runs to come stop before a sequence of bytes that stands for several code points if the
    /// target lacks any of them. By default they stop before the code point, so the first half of the sequence may
    /// already be written.
    ///
    /// In BIG5-HKSCS, 88 62 is U+00CA U+0304. ISO-8859-1 has U+00CA only. A conversion that stops there must not write
    /// it: the finding names the byte 88, so everything from that byte on must be missing in the output.
    pub(super) fn keep_sequences_whole(&mut self, keeps: bool) {
        self.keeps_whole = keeps;
    }

    /// Lets kernels replace ill-formed subsequences. [`Engine::take_faults`] returns their counts.
    pub(super) fn pass_faults(&mut self, lossy: Option<Lossy>) {
        self.lossy = lossy.filter(|_| self.kernels().is_some());
    }

    pub(super) fn lossy(&self) -> Option<&Lossy> {
        self.lossy.as_ref()
    }

    /// Returns the counts of what kernels have replaced since the last call; `None` if none has run in that mode.
    pub(super) fn take_faults(&mut self) -> Option<Lossy> {
        self.faults.take()
    }

    /// Returns the outcomes of unmappable code points that were handled inside runs since the last call.
    pub(super) fn take_unmappable(&mut self) -> Outcomes {
        std::mem::take(&mut self.unmappable)
    }

    /// Returns the decoder. Its state is the one after all bytes read, including those of a held run.
    pub(super) fn decoder(&self) -> &dyn Decoder {
        &*self.decoder
    }

    /// Returns the decoder, for reading something past the engine.
    pub(super) fn decoder_mut(&mut self) -> &mut dyn Decoder {
        &mut *self.decoder
    }

    /// Whether the ill-formed bytes that the engine stopped at could have become a character with another byte after
    /// them.
    pub(super) fn judges_by_next(&self, bytes: &[u8]) -> bool {
        self.decoder.judges_by_next(bytes)
    }

    pub(super) fn kernels(&self) -> Option<&FormPair> {
        self.direct.as_ref()?.kernels()
    }

    /// Whether the next call converts with a kernel, and therefore measures what it converts.
    #[cfg(feature = "detection")]
    pub(super) fn takes_direct(&self) -> bool {
        self.kernels().is_some() && self.lossy.is_none() && !self.stopped && !self.run.held
    }

    /// Returns an upper bound for the output of this many bytes. It holds as long as nothing in them is ill-formed, or
    /// if kernels replace what is. A worker allocates that much for a piece, so its output is not full before the piece
    /// ends.
    pub(super) fn at_most(&self, bytes: usize, target: &TargetEncoder) -> usize {
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
    /// With [`MIN_OUTPUT`] bytes of free output, a call makes progress or returns a stop. If the last call left a run
    /// held, the caller must pass the same bytes again: the run refers to them.
    ///
    /// A step makes progress with the kernel or with one run, never with both. So the caller can count what passed, and
    /// configure the engine anew, between any two of them: once the limit of findings is reached, for instance, nobody
    /// wants places any more, and the next kernel call may replace faults by itself.
    pub(super) fn advance(
        &mut self,
        part: EngineInput<'_>,
        pipeline: &mut Pipeline,
        target: &mut TargetEncoder,
        output: &mut [u8],
    ) -> Advance {
        if !self.run.held {
            // A kernel that has just stopped would stop at the same byte again, so a run goes first.
            if !std::mem::take(&mut self.stopped)
                && let Some(advance) = self.take_direct(part, pipeline, target, output)
            {
                return advance;
            }
            // The kernel has not measured these bytes, so they must be examined before they are decoded.
            #[cfg(feature = "detection")]
            if part.around.is_some() {
                return Advance::unsettled(0);
            }
            self.decode(part, pipeline, target, output.len());
        }
        self.encode_run(part.inline_remedies, pipeline, target, output)
    }

    /// Converts with the kernel; `None` if it makes no progress. Then [`Engine::advance`] decodes a run instead.
    ///
    /// The arms of the match, in their order:
    ///
    /// * A stage may have to hold the last letter: the kernel converts, and gives that letter back.
    /// * The same with the UTF-8 loop of a charset: no progress. The last byte of its output is a code of the charset,
    ///   from which the letter cannot be told, so the text goes through code points.
    /// * Nobody needs counts, as in iconv(3): they would take a second pass over the text.
    /// * The usual case: the kernel converts, and another one counts.
    /// * Nobody wants the places of faults: the kernel replaces ill-formed subsequences and continues after them.
    fn take_direct(
        &mut self,
        part: EngineInput<'_>,
        pipeline: &mut Pipeline,
        target: &TargetEncoder,
        output: &mut [u8],
    ) -> Option<Advance> {
        let has_room = !target.writes() || output.len() >= MIN_KERNEL_OUTPUT;
        let direct = self.direct.as_ref().filter(|_| has_room && !pipeline.goes_one_by_one())?;
        let but_last = pipeline.path() == ConversionPath::KernelsButLast;
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
                // Positions are not needed in this mode: it is only on if nobody wants the places of findings. The line
                // number is still counted, for the summary.
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
            // What the kernel has written is dropped: nothing counts before these bytes are examined. The output stays
            // as long as it was, since `written` is 0, and the next call overwrites it.
            return Some(Advance::unsettled(run.read));
        }
        if run.read >= direct.kernels().map_or(MIN_CHARSET_RUN, |_| MIN_KERNEL_RUN) {
            self.backoff.succeeded()
        } else {
            self.backoff.failed()
        }
        (run.read > 0).then_some(Advance {
            read: run.read,
            written: run.written,
            passed,
            code_points: 0..0,
            stop: (run.read == input.len()).then_some(EngineStop::InputEmpty),
        })
    }

    /// Decodes the next run.
    ///
    /// If a kernel could convert, the run is only as long as the backoff says: one code point after a kernel run that
    /// paid, then two, four, and so on. So `é` in English text costs a detour of one character, and Russian text to
    /// US-ASCII soon decodes full runs. With too little output for a kernel there is no point in short runs.
    ///
    /// Each code point takes at least a byte of output, so a run of more code points than `room` could not be written
    /// completely and would be held. A few more than `room` are decoded all the same: with room for [`MIN_PIVOT`] code
    /// points the decoder is sure to make progress.
    ///
    /// The locators are made first, because they start from the decoder's state before the run. There are two, since
    /// the search for a broken sequence moves the one that it uses.
    fn decode(
        &mut self,
        part: EngineInput<'_>,
        pipeline: &mut Pipeline,
        target: &TargetEncoder,
        room: usize,
    ) {
        let most = if target.writes() { self.max_run.min(room + MIN_PIVOT) } else { self.max_run };
        let step = match self.direct {
            Some(_) if target.writes() && room < MIN_KERNEL_OUTPUT => most,
            Some(direct) if direct.kernels().is_some() || !pipeline.goes_one_by_one() => {
                most.min(self.backoff.wait().max(1) as usize)
            }
            _ => most,
        };
        let locator = self.locates.then(|| Locator::new(self.decoder.fork()));
        let may_break = self.keeps_whole && !pipeline.joins() && self.may_break_sequences(target);
        let of_sequences = may_break.then(|| Locator::new(self.decoder.fork()));
        let EngineInput { bytes, limit, last, .. } = part;
        let whole = limit == bytes.len();
        let mut decoded =
            self.decoder.decode(&bytes[..limit], &mut self.pivot[..step], last && whole);
        if decoded.read == 0 && decoded.stop == DecodeStop::InputEmpty && limit > 0 && !whole {
            // Nothing was decoded, because the limit is inside a sequence. The bytes after it decide: with them the
            // sequence is either ill-formed here, or complete and then left for the next part. Decoding without room
            // for a code point tells which, and cannot run past the sequence: OutputFull means that it is complete.
            let end = bytes.len().min(limit + SEQUENCE);
            decoded = self.decoder.decode(&bytes[..end], &mut [], last && end == bytes.len());
            if decoded.stop == DecodeStop::OutputFull {
                decoded.stop = DecodeStop::InputEmpty;
            }
        }
        let DecodeProgress { read, written, stop } = decoded;
        let stop = match stop {
            DecodeStop::InputEmpty => Some(EngineStop::InputEmpty),
            DecodeStop::OutputFull => None,
            DecodeStop::IllFormed(ill_formed) => Some(EngineStop::IllFormed(ill_formed)),
            DecodeStop::Large { value, len } => Some(EngineStop::Large { value, len }),
        };
        // The bytes after the limit may be read in another encoding, so they say nothing about the next character.
        let next = match stop {
            None | Some(EngineStop::InputEmpty)
                if pipeline.sees_characters() && (read < limit || whole) =>
            {
                first_of(&*self.decoder, &bytes[read..], last)
            }
            _ => None,
        };
        let broken = of_sequences.and_then(|locator| {
            BrokenSequence::find(target, locator, &bytes[..read], &self.pivot[..written])
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

    /// Whether a run may contain a sequence for several code points of which the target lacks some. Unicode targets
    /// lack none.
    fn may_break_sequences(&self, target: &TargetEncoder) -> bool {
        let may_lack =
            |encoder: &dyn Encoder| !encoder.form().is_some_and(EncodingForm::is_unicode);
        target.encoder().is_some_and(may_lack) && self.decoder.has_sequences()
    }

    /// Encodes the rest of the run, up to what stops it.
    ///
    /// Three things can end it early, and the earliest wins: a code point that a stage must see (`seen`), a sequence
    /// that must be kept whole (`broken`), and whatever the encoder refuses. Only when the encoder reaches the end of
    /// the run do its bytes count as read, together with the stop that the decoder had at its end.
    fn encode_run(
        &mut self,
        inline_remedies: Option<&Remedies>,
        pipeline: &mut Pipeline,
        target: &mut TargetEncoder,
        output: &mut [u8],
    ) -> Advance {
        let CodePointRun { left, next, broken, bytes, stop, held, .. } = &mut self.run;
        let start = left.start;
        let last = broken.map_or(left.end, |broken| broken.start);
        let seen = pipeline.first_in(&self.pivot[..left.end], start, *next).filter(|at| *at < last);
        let end = seen.unwrap_or(last);
        let part = &self.pivot[start..end];
        let after = if end < left.end { Some(self.pivot[end]) } else { *next };
        let encoded = match inline_remedies {
            Some(remedies) => {
                let inline = InlineRemedies { remedies, pipeline, outcomes: &mut self.unmappable };
                inline.encode(part, after, target, output)
            }
            None => target.encode(part, output),
        };
        let code_points = start..start + encoded.read;
        left.start = code_points.end;
        let (read, stop) = match (encoded.stop, seen) {
            (EncodeStop::OutputFull, _) => (0, Some(EngineStop::OutputFull)),
            (EncodeStop::Unmappable, _) => {
                (0, Some(EngineStop::Unmappable(self.pivot[code_points.end])))
            }
            (EncodeStop::InputEmpty, Some(_)) => (0, Some(EngineStop::Stage)),
            (EncodeStop::InputEmpty, None) => match broken {
                Some(broken) => (0, Some(EngineStop::Unmappable(broken.lacking))),
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

    pub(super) fn holds_run(&self) -> bool {
        self.run.held
    }

    /// Gives back the rest of the run and what stopped it. The decoder returns to its state before that, or in
    /// front of the sequence of bytes that the next code point belongs to. `part` are the bytes that the run begins
    /// with.
    ///
    /// Returns how many bytes of `part` are read, and how many code points of a divided sequence were already encoded.
    #[cfg(feature = "transliteration")]
    pub(super) fn give_back(&mut self, part: &[u8]) -> (usize, usize) {
        let run = std::mem::take(&mut self.run);
        let Some(code_point_run::GivenBack { decoder, read, divided }) = run.give_back(part) else {
            return (0, 0);
        };
        self.decoder = decoder;
        (read, divided)
    }

    pub(super) fn forget_run(&mut self) {
        self.run = CodePointRun::default();
    }

    /// Skips the next code points of the held run, which the caller has dealt with.
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

/// Returns the first code point of `bytes` if `decoder`, which continues there, can tell. A fork decodes it, so nothing
/// is read. Only a stage needs this, and only at the end of a run: without it, the last letter of every run would have
/// to be held.
fn first_of(decoder: &dyn Decoder, bytes: &[u8], last: bool) -> Option<CodePoint> {
    const ENOUGH: usize = 64;
    let near = &bytes[..bytes.len().min(ENOUGH)];
    let mut room = [0; MIN_PIVOT];
    let decoded = decoder.fork().decode(near, &mut room, last && near.len() == bytes.len());
    (decoded.written > 0).then_some(room[0])
}

/// Takes back the last character of a kernel run if a stage may have to hold it, and returns whether it did.
///
/// This is for transliteration: in `u` U+0308 the target may lack the mark, and what is written for both depends on
/// `u`, which the kernel has already written. The last byte of the output is the last character, because the stage
/// exists only for targets that lack marks, and of those only US-ASCII and ISO-8859-1 have kernels. In UTF-8 such a
/// character is one byte, or two from U+0080 on.
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
