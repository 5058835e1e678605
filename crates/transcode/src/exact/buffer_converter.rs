//! Converts from the start of one buffer to another without reading ahead.
//!
//! ```text
//! Engine: a kernel, or a run ─► all of it written? the next run
//!              └── no: the rest of the run is given back ─► one sequence by itself (decoded_sequence.rs) ─►
//!                      Pipeline ─► caller_output.rs: all that stands for it, or nothing
//! ```
//!
//! A call may end anywhere, and must then have read exactly the bytes whose characters are in the output. A run cannot
//! promise that: it knows only its bytes as a whole, and one sequence of bytes may stand for several characters, of
//! which the output has room for the first. So whatever stops within a run is given back, and the sequence at that
//! place is decoded and written by itself. Most of a text never gets there.
//!
//! In an encoding form (UTF-8, UTF-16, UTF-32, ISO-8859-1, US-ASCII) each code point is a sequence of its own, so after
//! a replacement the run continues instead. Decoding a run again for each character that the target lacks made text
//! with many of them five times as slow.

use super::super::conversion::Conversion;
use super::super::engine::{Engine, EngineInput, EngineStop};
use super::super::iconv_pair::IconvPair;
use super::super::input_findings::InputFindings;
use super::super::opening::LeadingMark;
use super::super::origin::{self, Origin, OwnedPlace};
use super::super::pipeline::Pipeline;
use super::super::pipeline_exit::{Halt, Passed, PipelineExit};
use super::super::remedy::Remedies;
use super::super::stage::FollowedBy;
use super::super::target_encoder::TargetEncoder;
use super::call::{ExactCall, ExactProgress, ExactStop};
use super::caller_output::{CallerOutput, MarkState};
use super::decoded_sequence::DecodedSequence;
use crate::diagnostic::{Outcome, Silent};
use oxiconv_encodings::codec::{CodeValue, DecodeStop, Decoder, EncodeStop, MIN_OUTPUT};
use oxiconv_encodings::encoding::NATIVE;
use oxiconv_encodings::unicode::{BYTE_ORDER_MARK, CodePoint};

const MAX_RUN: usize = 256;
/// Length of the run after one that was given back. What is given back is decoded again, so in text with much to
/// transliterate short runs waste less. Runs that are not given back double, up to [`MAX_RUN`].
const SHORT_RUN: usize = 16;

pub(super) struct BufferConverter {
    pair: IconvPair,
    remedies: Remedies,
    engine: Engine,
    pipeline: Pipeline,
    target: TargetEncoder,
    findings: InputFindings,
    /// Whether the byte order is known, and so the decoder.
    is_open: bool,
    has_sequences: bool,
    /// Whether unmappable code points are dropped inside a run.
    leaves_out: bool,
    start: MarkState,
    max_run: usize,
}

impl BufferConverter {
    pub(super) fn new(pair: IconvPair, conversion: Conversion) -> Self {
        let mut engine = Engine::new();
        engine.locate_characters(true);
        engine.without_counts();
        let mut converter = Self {
            pair,
            engine,
            pipeline: Pipeline::empty(),
            target: TargetEncoder::default(),
            remedies: Remedies::new(conversion),
            findings: InputFindings::new(pair.from.read),
            is_open: false,
            has_sequences: false,
            leaves_out: false,
            start: MarkState::default(),
            max_run: MAX_RUN,
        };
        converter.begin();
        converter
    }

    pub(super) fn pair(&self) -> &IconvPair {
        &self.pair
    }

    pub(super) fn set_pair(&mut self, pair: IconvPair, conversion: Conversion) {
        self.pair = pair;
        self.pipeline = Pipeline::build_exact(&conversion);
        self.remedies = Remedies::new(conversion);
        if self.is_open {
            let decoder = self.engine.decoder().fork();
            self.read_by(decoder);
        }
    }

    pub(super) fn begin(&mut self) {
        let IconvPair { from, to, .. } = self.pair;
        self.start = MarkState { mark_due: to.marked, strips_mark: to.marked };
        self.target = TargetEncoder::new(Some(to.written.new_encoder(NATIVE)), None);
        self.pipeline = Pipeline::build_exact(&self.remedies.conversion);
        self.limit_runs(MAX_RUN);
        self.is_open = false;
        if !from.read.mark.gives_order() {
            self.open(from.read.new_decoder(NATIVE));
        }
    }

    fn open(&mut self, decoder: Box<dyn Decoder>) {
        self.is_open = true;
        self.has_sequences = decoder.has_sequences();
        self.read_by(decoder);
    }

    /// Returns the decoder, if the byte order is known.
    pub(super) fn decoder(&self) -> Option<&dyn Decoder> {
        self.is_open.then(|| self.engine.decoder())
    }

    pub(super) fn remedies(&self) -> &Remedies {
        &self.remedies
    }

    /// Writes what returns the output to its initial state, and returns its length in bytes; `None` if there is no
    /// room. The bytes go through a buffer of [`MIN_OUTPUT`] bytes, which an encoder may demand here, since the output
    /// may have exactly as many as there are and no more.
    pub(super) fn finish(&mut self, output: &mut [u8]) -> Option<usize> {
        if self.target.pending_bytes() > output.len() {
            return None;
        }
        let mut bytes = [0; MIN_OUTPUT];
        let len = self.target.finish(&mut bytes);
        output[..len].copy_from_slice(&bytes[..len]);
        Some(len)
    }

    /// Converts from the start of `text`. A truncated sequence, or one that may continue, is left unread.
    pub(super) fn run(&mut self, text: &[u8], output: &mut [u8]) -> ExactProgress {
        let mut call = ExactCall::new(text, output);
        while !call.rest().is_empty() {
            if let Some(stop) = self.step(&mut call) {
                call.done.stop = stop;
                break;
            }
        }
        self.end(call)
    }

    /// Ends a call: adds the outcomes of unmappable characters, and returns its progress.
    pub(super) fn end(&mut self, call: ExactCall<'_>) -> ExactProgress {
        let outcomes = std::mem::take(&mut self.findings.summary.of_unmappable);
        let mut done = call.done;
        done.irreversible += outcomes.substituted() as usize;
        done.left_out += (outcomes.of(Outcome::Dropped)
            + self.engine.take_unmappable().of(Outcome::Dropped)) as usize;
        done
    }

    /// Converts a part of the text. Returns why the call ends, if it does.
    fn step(&mut self, call: &mut ExactCall<'_>) -> Option<ExactStop> {
        if !self.is_open {
            let from = self.pair.from.read;
            let Some(opening) = LeadingMark::of(from, NATIVE, call.rest(), false) else {
                return Some(ExactStop::Incomplete);
            };
            self.open(from.new_decoder(opening.order));
            call.done.read += opening.mark_len;
            return None;
        }
        // An ill-formed or incomplete sequence does not begin the text: no mark is written for it.
        if self.start.is_special()
            && let Some(sequence) = self.next_sequence(call)
        {
            return self.put_sequence(sequence, call);
        }
        self.convert_run(call)
    }

    /// Converts with a kernel, or a run.
    ///
    /// Most stops end with the run given back and one sequence converted by itself, at the end of the function. The
    /// arms of the match are the stops that need none of that:
    ///
    /// * Everything was written. The next run may be twice as long.
    /// * An ill-formed subsequence is next, or a value that does not fit a code point. All of the run before it is
    ///   written, because the decoder stopped there and not the encoder.
    /// * The input is in an encoding form, and the encoder refuses a code point. The rest of the run stays held, and is
    ///   given back only if the call ends within it.
    fn convert_run(&mut self, call: &mut ExactCall<'_>) -> Option<ExactStop> {
        let (rest, start) = (call.rest(), call.done.written);
        let before = self.has_sequences.then(|| self.target.state());
        let inline_remedies = self.leaves_out.then_some(&self.remedies);
        let part = EngineInput { inline_remedies, ..EngineInput::all(rest, false) };
        let room = call.room();
        let advance = self.engine.advance(part, &mut self.pipeline, &mut self.target, room);
        call.done.read += advance.read;
        call.done.written += advance.written;
        let written = self.engine.code_points(&advance);
        match advance.stop {
            None | Some(EngineStop::InputEmpty) => {
                self.pipeline.passed(written);
                self.limit_runs(2 * self.max_run);
                let is_cut = advance.stop.is_some() && advance.read < rest.len();
                return is_cut.then_some(ExactStop::Incomplete);
            }
            Some(EngineStop::IllFormed(ill_formed)) => {
                self.pipeline.passed(written);
                if !self.pair.suffixes.skips_ill_formed() {
                    // The next call gets the same bytes and must find the same, so the decoder returns to its state in
                    // front of them.
                    self.engine.give_back(rest);
                    return Some(ExactStop::IllFormed);
                }
                call.done.read += ill_formed.len;
                call.done.ill_formed += 1;
                return self.pass(call, |pipeline, exit| pipeline.settle(FollowedBy::Break, exit));
            }
            Some(EngineStop::Large { value, len }) => {
                let stop = self.put_large(value, call);
                if stop.is_none() {
                    call.done.read += len;
                }
                return stop;
            }
            // In an encoding form, the run continues after the replacement.
            Some(EngineStop::Stage | EngineStop::Unmappable(_))
                if self.engine.decoder().form().is_some() =>
            {
                self.pipeline.passed(written);
                let stop = match call.is_full() {
                    true => Some(ExactStop::OutputFull),
                    false => self.pass_refused(call),
                };
                if stop.is_some() {
                    call.done.read += self.engine.give_back(rest).0;
                }
                return stop;
            }
            Some(_) => {}
        }
        self.limit_runs(SHORT_RUN);
        let (read, divided) = self.engine.give_back(rest);
        call.done.read += read;
        let written = self.engine.code_points(&advance);
        let whole = &written[..written.len() - divided];
        self.pipeline.passed(whole);
        if let Some(before) = before.filter(|_| divided > 0) {
            // The run ended inside a sequence for several characters. Its first ones are in the output already, so
            // everything before the sequence is encoded again, from the state before the run.
            self.target.restore(before);
            call.done.written = start;
            call.done.written += self.target.encode(whole, call.room()).written;
        }
        if advance.stop == Some(EngineStop::OutputFull) || call.is_full() {
            return Some(ExactStop::OutputFull);
        }
        match self.next_sequence(call) {
            Some(sequence) => self.put_sequence(sequence, call),
            None => Some(ExactStop::Unmappable),
        }
    }

    fn limit_runs(&mut self, max_run: usize) {
        self.max_run = MAX_RUN.min(max_run);
        self.engine.limit_runs(self.max_run);
    }

    /// Reads shift sequences, and returns the sequence after them if it is complete and well-formed.
    fn next_sequence(&mut self, call: &mut ExactCall<'_>) -> Option<DecodedSequence> {
        let mut after = self.engine.decoder().fork();
        // With no room for a character, the decoder reads only what yields none. These bytes count as read at once,
        // even if the character after them is refused: the next call then finds the decoder in the state after them.
        let shift = after.decode(call.rest(), &mut [], false);
        if shift.read > 0 && !matches!(shift.stop, DecodeStop::IllFormed(_)) {
            self.read_by(after);
            call.done.read += shift.read;
        }
        DecodedSequence::next_written(self.engine.decoder(), call.rest(), &self.remedies)
    }

    /// Writes the characters of one sequence, which may be the first of the text. U+FEFF at the start of the text never
    /// becomes a second mark: if a mark is still due, it stands for that, and otherwise it is dropped.
    ///
    /// Only if all of it was written does the decoder move past the sequence.
    pub(super) fn put_sequence(
        &mut self,
        sequence: DecodedSequence,
        call: &mut ExactCall<'_>,
    ) -> Option<ExactStop> {
        let stop = match *sequence.characters() {
            [BYTE_ORDER_MARK] if self.start.mark_due => {
                let mut room = CallerOutput::new(&mut self.target, &mut self.start, call.room());
                let begun = room.begin();
                call.done.written += room.commit();
                begun.err().map(|_| ExactStop::OutputFull)
            }
            [BYTE_ORDER_MARK] if self.start.strips_mark => None,
            _ => self.put(sequence.characters(), call),
        };
        if stop.is_none() {
            self.read_by(sequence.after);
            call.done.read += sequence.len;
        }
        stop
    }

    /// Writes a value that does not fit a code point, or its remedy.
    fn put_large(&mut self, value: CodeValue, call: &mut ExactCall<'_>) -> Option<ExactStop> {
        let mut bytes = [0; MIN_OUTPUT];
        let before = self.target.state();
        let Some(len) = self.target.encode_large(value, &mut bytes) else {
            return self.pass(call, |_, mut exit| exit.unmappable(value, &mut nowhere()));
        };
        let Some(place) = call.room().get_mut(..len) else {
            self.target.restore(before);
            return Some(ExactStop::OutputFull);
        };
        place.copy_from_slice(&bytes[..len]);
        call.done.written += len;
        None
    }

    /// Writes these characters or their remedies, all or nothing. If nothing is written, nothing is counted either: the
    /// caller passes the same bytes again, and the call that writes them counts them.
    fn put(&mut self, characters: &[CodePoint], call: &mut ExactCall<'_>) -> Option<ExactStop> {
        if call.is_full() {
            return Some(ExactStop::OutputFull);
        }
        let group = |pipeline: &mut Pipeline, exit: PipelineExit<'_>| {
            pipeline.group(characters, &mut nowhere(), exit)
        };
        let outcomes = self.findings.summary.of_unmappable.clone();
        let stop = self.pass(call, group);
        if stop.is_some() {
            self.findings.summary.of_unmappable = outcomes;
        }
        stop
    }

    /// Passes on the next character of the run, which the encoder has just refused, and then the rest of the run. This
    /// is only right for a pipeline whose stage needs to see nothing but what the encoder refuses.
    ///
    /// After each refused character the output is committed: it and everything before it stays, even if the next one
    /// does not fit. If the output is full where the encoder refuses one, the call ends there without asking for its
    /// remedy, even for one that takes no room ([`ExactCall::is_full`]).
    fn pass_refused(&mut self, call: &mut ExactCall<'_>) -> Option<ExactStop> {
        let Self { engine, pipeline, .. } = self;
        let mut room = CallerOutput::new(&mut self.target, &mut self.start, call.room());
        let (mut silent, mut stop) = (Silent, None);
        while let Some((cp, _)) = engine.next() {
            let exit = PipelineExit {
                refused: Some(cp),
                ..PipelineExit::new(&self.remedies, &mut self.findings, &mut silent, &mut room)
            };
            if let Err(halt) = pipeline.character(cp, None, &mut nowhere(), exit) {
                stop = Some(stop_of(&halt));
                break;
            }
            room.commit();
            engine.skip(1);
            let run = engine.pending();
            let (read, stopped) = room.put_run(run);
            pipeline.passed(&run[..read]);
            engine.skip(read);
            if stopped == EncodeStop::OutputFull
                || stopped == EncodeStop::Unmappable && room.is_full()
            {
                stop = Some(ExactStop::OutputFull);
                break;
            }
        }
        call.done.written += room.roll_back();
        stop
    }

    /// Passes something through the pipeline; all of it is written, or nothing.
    fn pass(
        &mut self,
        call: &mut ExactCall<'_>,
        pass: impl FnOnce(&mut Pipeline, PipelineExit<'_>) -> Passed,
    ) -> Option<ExactStop> {
        let mut room = CallerOutput::new(&mut self.target, &mut self.start, call.room());
        let mut silent = Silent;
        let exit = PipelineExit::new(&self.remedies, &mut self.findings, &mut silent, &mut room);
        match pass(&mut self.pipeline, exit) {
            Ok(()) => {
                call.done.written += room.commit();
                None
            }
            Err(halt) => {
                call.done.written += room.roll_back();
                Some(stop_of(&halt))
            }
        }
    }

    fn read_by(&mut self, decoder: Box<dyn Decoder>) {
        // In an encoding form, each code point is a sequence of its own, so it can be dropped alone.
        let has_form = decoder.form().is_some();
        self.leaves_out = has_form && self.remedies.conversion.leaves_out_unmappable();
        // The stage must know the letter before a mark. It learns the letters from the runs that pass, and a kernel has
        // none to show: after `e` by a kernel, U+0301 would be judged by whatever letter a run had last.
        self.engine.use_kernels(!self.pipeline.sees_characters());
        self.engine.read_by(decoder, &self.target);
    }
}

/// Returns how a call ends at a halt. The only error that [`CallerOutput`] returns is that something does not fit, and
/// nothing else behind the pipeline can fail here: nobody gets reports, and nothing is flushed.
fn stop_of(halt: &Halt) -> ExactStop {
    match halt {
        Halt::Stop(_) => ExactStop::Unmappable,
        Halt::Error(_) => ExactStop::OutputFull,
    }
}

/// An origin for characters whose place nobody wants. It has a place all the same, because a stop is reported with one.
fn nowhere() -> Origin<'static> {
    static NOWHERE: [origin::HeldCharacter; 1] =
        [origin::HeldCharacter { cp: 0, place: Some(OwnedPlace::NOWHERE) }];
    Origin::Held(&NOWHERE)
}
