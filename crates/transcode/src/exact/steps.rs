//! Conversion from the start of one buffer to another that reads nothing ahead.
//!
//! ```text
//! Engine: a kernel, or a run ─► all of it? on
//!              └── no: what is left of the run is given back ─► the next sequence of bytes by itself (unit.rs) ─►
//!                      Pipeline ─► room.rs: all that stands for it, or nothing
//! ```
//!
//! In an encoding form, each code point is a sequence of bytes of its own: there, a run goes on.

use super::super::conversion::Conversion;
use super::super::engine::{Engine, Part, Stop};
use super::super::exit::{Exit, Halt, Passed};
use super::super::findings::Findings;
use super::super::iconv::IconvPair;
use super::super::opening::Opening;
use super::super::origin::{self, Origin, Place};
use super::super::pipeline::Pipeline;
use super::super::remedy::Remedies;
use super::super::stage::Before;
use super::super::target::Target;
use super::converted::{Call, Converted, ConvertedStop};
use super::room::{Room, Start};
use super::unit::Unit;
use crate::diagnostic::{Outcome, Silent};
use oxiconv_encodings::codec::{CodeValue, DecodeStop, Decoder, EncodeStop, MIN_OUTPUT};
use oxiconv_encodings::encoding::NATIVE;
use oxiconv_encodings::unicode::{BYTE_ORDER_MARK, CodePoint};

/// The most code points of a run.
const MOST: usize = 256;
/// The code points of a run after one that was given back, as runs are in text with much to transliterate: what is given back
/// is decoded again. Runs that are not given back grow.
const SHORT: usize = 16;

/// A conversion that stops exactly before what it cannot convert.
pub(super) struct Steps {
    pair: IconvPair,
    remedies: Remedies,
    engine: Engine,
    pipeline: Pipeline,
    target: Target,
    findings: Findings,
    /// Whether the byte order is known.
    is_open: bool,
    /// Whether a sequence of bytes may stand for several characters.
    has_sequences: bool,
    /// Whether what the target lacks is left out within a run.
    leaves_out: bool,
    start: Start,
    /// Code points of the next run.
    most: usize,
}

impl Steps {
    /// Begins a text.
    pub(super) fn new(pair: IconvPair, conversion: Conversion) -> Self {
        let mut engine = Engine::new();
        engine.locate_characters(true);
        engine.without_counts();
        let mut steps = Self {
            pair,
            engine,
            pipeline: Pipeline::empty(),
            target: Target::default(),
            remedies: Remedies::new(conversion),
            findings: Findings::new(pair.from.read),
            is_open: false,
            has_sequences: false,
            leaves_out: false,
            start: Start::default(),
            most: MOST,
        };
        steps.begin();
        steps
    }

    /// Returns the encodings, and what becomes of what cannot be converted.
    pub(super) fn pair(&self) -> &IconvPair {
        &self.pair
    }

    /// Changes what becomes of what cannot be converted.
    pub(super) fn set_pair(&mut self, pair: IconvPair, conversion: Conversion) {
        self.pair = pair;
        self.pipeline = Pipeline::build_exact(&conversion);
        self.remedies = Remedies::new(conversion);
        if self.is_open {
            let decoder = self.engine.decoder().fork();
            self.read_by(decoder);
        }
    }

    /// Begins another text.
    pub(super) fn begin(&mut self) {
        let IconvPair { from, to, .. } = self.pair;
        self.start = Start { mark_due: to.marked, bare: to.marked };
        self.target = Target::new(Some(to.written.new_encoder(NATIVE)), None);
        self.pipeline = Pipeline::build_exact(&self.remedies.conversion);
        self.limit_runs(MOST);
        self.is_open = false;
        if !from.read.mark.gives_order() {
            self.open(from.read.new_decoder(NATIVE));
        }
    }

    /// Begins to read with `decoder`.
    fn open(&mut self, decoder: Box<dyn Decoder>) {
        self.is_open = true;
        self.has_sequences = decoder.has_sequences();
        self.read_by(decoder);
    }

    /// Returns the decoder, if the byte order is known.
    pub(super) fn decoder(&self) -> Option<&dyn Decoder> {
        self.is_open.then(|| self.engine.decoder())
    }

    /// Returns what becomes of what cannot be converted.
    pub(super) fn remedies(&self) -> &Remedies {
        &self.remedies
    }

    /// Writes what returns the output to its initial state. Returns the number of bytes, or `None` if there is no room.
    pub(super) fn finish(&mut self, output: &mut [u8]) -> Option<usize> {
        if self.target.pending_bytes() > output.len() {
            return None;
        }
        let mut bytes = [0; MIN_OUTPUT];
        let len = self.target.finish(&mut bytes);
        output[..len].copy_from_slice(&bytes[..len]);
        Some(len)
    }

    /// Converts from the start of `text`. What its end cuts, or may continue, is left unread.
    pub(super) fn run(&mut self, text: &[u8], output: &mut [u8]) -> Converted {
        let mut call = Call::new(text, output);
        while !call.rest().is_empty() {
            if let Some(stop) = self.step(&mut call) {
                call.done.stop = stop;
                break;
            }
        }
        self.end(call)
    }

    /// Ends a call: adds what became of the characters that the target lacks, and returns what was done.
    pub(super) fn end(&mut self, call: Call<'_>) -> Converted {
        let outcomes = std::mem::take(&mut self.findings.summary.of_unmappable);
        let mut done = call.done;
        done.irreversible += outcomes.substituted() as usize;
        done.left_out += (outcomes.of(Outcome::Dropped)
            + self.engine.take_unmappable().of(Outcome::Dropped)) as usize;
        done
    }

    /// Converts a part of the text; returns why it stops, if it does.
    fn step(&mut self, call: &mut Call<'_>) -> Option<ConvertedStop> {
        if !self.is_open {
            let from = self.pair.from.read;
            let Some(opening) = Opening::of(from, NATIVE, call.rest(), false) else {
                return Some(ConvertedStop::Incomplete);
            };
            self.open(from.new_decoder(opening.order));
            call.done.read += opening.mark_len;
            return None;
        }
        // What is ill-formed or incomplete begins no text.
        if self.start.is_special()
            && let Some(unit) = self.next_unit(call)
        {
            return self.put_unit(unit, call);
        }
        self.convert_run(call)
    }

    /// Converts by a kernel, or a run.
    fn convert_run(&mut self, call: &mut Call<'_>) -> Option<ConvertedStop> {
        let (rest, start) = (call.rest(), call.done.written);
        let before = self.has_sequences.then(|| self.target.state());
        let instead = self.leaves_out.then_some(&self.remedies);
        let part = Part { instead, ..Part::all(rest, false) };
        let room = call.room();
        let advance = self.engine.advance(part, &mut self.pipeline, &mut self.target, room);
        call.done.read += advance.read;
        call.done.written += advance.written;
        let written = self.engine.code_points(&advance);
        match advance.stop {
            None | Some(Stop::InputEmpty) => {
                self.pipeline.passed(written);
                self.limit_runs(2 * self.most);
                let is_cut = advance.stop.is_some() && advance.read < rest.len();
                return is_cut.then_some(ConvertedStop::Incomplete);
            }
            Some(Stop::IllFormed(ill_formed)) => {
                self.pipeline.passed(written);
                if !self.pair.suffixes.skips_ill_formed() {
                    // The next call gets the same bytes, and must find the same.
                    self.engine.give_back(rest);
                    return Some(ConvertedStop::IllFormed);
                }
                call.done.read += ill_formed.len;
                call.done.ill_formed += 1;
                return self.pass(call, |pipeline, exit| pipeline.settle(Before::Break, exit));
            }
            Some(Stop::Large { value, len }) => {
                let stop = self.put_large(value, call);
                if stop.is_none() {
                    call.done.read += len;
                }
                return stop;
            }
            // The run goes on after what stands for one of its characters.
            Some(Stop::Stage | Stop::Unmappable(_)) if self.engine.decoder().form().is_some() => {
                self.pipeline.passed(written);
                let stop = match call.is_full() {
                    true => Some(ConvertedStop::OutputFull),
                    false => self.pass_refused(call),
                };
                if stop.is_some() {
                    call.done.read += self.engine.give_back(rest).0;
                }
                return stop;
            }
            Some(_) => {}
        }
        self.limit_runs(SHORT);
        let (read, divided) = self.engine.give_back(rest);
        call.done.read += read;
        let written = self.engine.code_points(&advance);
        let whole = &written[..written.len() - divided];
        self.pipeline.passed(whole);
        if let Some(before) = before.filter(|_| divided > 0) {
            // A sequence that stands for two characters is written as a whole.
            self.target.restore(before);
            call.done.written = start;
            call.done.written += self.target.encode(whole, call.room()).written;
        }
        if advance.stop == Some(Stop::OutputFull) || call.is_full() {
            return Some(ConvertedStop::OutputFull);
        }
        match self.next_unit(call) {
            Some(unit) => self.put_unit(unit, call),
            None => Some(ConvertedStop::Unmappable),
        }
    }

    /// Sets how many code points the next run has at most.
    fn limit_runs(&mut self, most: usize) {
        self.most = MOST.min(most);
        self.engine.limit_runs(self.most);
    }

    /// Reads what only changes the state, and returns the next sequence of bytes, if there is a complete and well-formed one.
    fn next_unit(&mut self, call: &mut Call<'_>) -> Option<Unit> {
        let mut after = self.engine.decoder().fork();
        // There is no room for any character.
        let shift = after.decode(call.rest(), &mut [], false);
        if shift.read > 0 && !matches!(shift.stop, DecodeStop::IllFormed(_)) {
            self.read_by(after);
            call.done.read += shift.read;
        }
        Unit::next_written(self.engine.decoder(), call.rest(), &self.remedies)
    }

    /// Writes the characters of one sequence of bytes, which may be the first ones of the text.
    pub(super) fn put_unit(&mut self, unit: Unit, call: &mut Call<'_>) -> Option<ConvertedStop> {
        let stop = match *unit.characters() {
            [BYTE_ORDER_MARK] if self.start.mark_due => {
                let mut room = Room::new(&mut self.target, &mut self.start, call.room());
                let begun = room.begin();
                call.done.written += room.commit();
                begun.err().map(|_| ConvertedStop::OutputFull)
            }
            [BYTE_ORDER_MARK] if self.start.bare => None,
            _ => self.put(unit.characters(), call),
        };
        if stop.is_none() {
            self.read_by(unit.after);
            call.done.read += unit.len;
        }
        stop
    }

    /// Writes a value that is too large for a code point, or what stands for it.
    fn put_large(&mut self, value: CodeValue, call: &mut Call<'_>) -> Option<ConvertedStop> {
        let mut bytes = [0; MIN_OUTPUT];
        let before = self.target.state();
        let Some(len) = self.target.encode_large(value, &mut bytes) else {
            return self.pass(call, |_, mut exit| exit.unmappable(value, &mut nowhere()));
        };
        let Some(place) = call.room().get_mut(..len) else {
            self.target.restore(before);
            return Some(ConvertedStop::OutputFull);
        };
        place.copy_from_slice(&bytes[..len]);
        call.done.written += len;
        None
    }

    /// Writes these characters, or what stands for them: all or nothing.
    fn put(&mut self, characters: &[CodePoint], call: &mut Call<'_>) -> Option<ConvertedStop> {
        if call.is_full() {
            return Some(ConvertedStop::OutputFull);
        }
        let group = |pipeline: &mut Pipeline, exit: Exit<'_>| {
            pipeline.group(characters, &mut nowhere(), exit)
        };
        let outcomes = self.findings.summary.of_unmappable.clone();
        let stop = self.pass(call, group);
        if stop.is_some() {
            self.findings.summary.of_unmappable = outcomes;
        }
        stop
    }

    /// Passes on the next character of the run, which the target has just refused, and the rest of the run. The stage of this
    /// pipeline must see only what the target refuses.
    fn pass_refused(&mut self, call: &mut Call<'_>) -> Option<ConvertedStop> {
        let Self { engine, pipeline, .. } = self;
        let mut room = Room::new(&mut self.target, &mut self.start, call.room());
        let (mut silent, mut stop) = (Silent, None);
        while let Some((cp, _)) = engine.next() {
            let exit = Exit {
                refused: Some(cp),
                ..Exit::new(&self.remedies, &mut self.findings, &mut silent, &mut room)
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
                stop = Some(ConvertedStop::OutputFull);
                break;
            }
        }
        call.done.written += room.roll_back();
        stop
    }

    /// Passes something through the pipeline: all of it is written, or nothing.
    fn pass(
        &mut self,
        call: &mut Call<'_>,
        pass: impl FnOnce(&mut Pipeline, Exit<'_>) -> Passed,
    ) -> Option<ConvertedStop> {
        let mut room = Room::new(&mut self.target, &mut self.start, call.room());
        let mut silent = Silent;
        let exit = Exit::new(&self.remedies, &mut self.findings, &mut silent, &mut room);
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

    /// Continues with what `decoder` reads.
    fn read_by(&mut self, decoder: Box<dyn Decoder>) {
        // In an encoding form, each code point is a sequence of bytes of its own, so it can be left out by itself.
        let has_form = decoder.form().is_some();
        self.leaves_out = has_form && self.remedies.conversion.leaves_out_unmappable();
        // A kernel knows nothing of the letter before a mark.
        self.engine.use_kernels(!self.pipeline.sees_characters());
        self.engine.read_by(decoder, &self.target);
    }
}

fn stop_of(halt: &Halt) -> ConvertedStop {
    match halt {
        Halt::Stop(_) => ConvertedStop::Unmappable,
        Halt::Error(_) => ConvertedStop::OutputFull,
    }
}

/// Nobody asks for the place of a character.
fn nowhere() -> Origin<'static> {
    static NOWHERE: [origin::Held; 1] = [origin::Held { cp: 0, place: Some(Place::NOWHERE) }];
    Origin::Held(&NOWHERE)
}
