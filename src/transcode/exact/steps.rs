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
use super::converted::{Converted, ConvertedStop};
use super::room::{Room, Start};
use super::unit::Unit;
use crate::codec::{DecodeStop, Decoder, EncodeStop, MIN_OUTPUT, Value};
use crate::diagnostic::{Outcome, Silent};
use crate::encoding::NATIVE;
use crate::unicode::{BYTE_ORDER_MARK, CodePoint};

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
            pipeline: Pipeline::build_exact(&conversion),
            target: Target::new(Some(pair.to.written.new_encoder(NATIVE)), None),
            remedies: Remedies::new(conversion),
            findings: Findings::new(pair.from.read),
            is_open: false,
            has_sequences: false,
            start: Start { mark_due: pair.to.marked, bare: pair.to.marked },
            most: MOST,
        };
        steps.begin();
        steps
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
        let mut done = Converted::NOTHING;
        while done.read < text.len() {
            if let Some(stop) = self.step(text, output, &mut done) {
                done.stop = stop;
                break;
            }
        }
        self.count_outcomes(&mut done);
        done
    }

    /// Adds to `done` what became of the characters that the target lacks.
    pub(super) fn count_outcomes(&mut self, done: &mut Converted) {
        let outcomes = std::mem::take(&mut self.findings.summary.of_unmappable);
        done.irreversible += outcomes.substituted() as usize;
        done.left_out += (outcomes.of(Outcome::Dropped) + self.engine.take_left_out()) as usize;
    }

    /// Converts a part of `text`, and adds to `done` what it did; returns why it stops, if it does.
    fn step(
        &mut self,
        text: &[u8],
        output: &mut [u8],
        done: &mut Converted,
    ) -> Option<ConvertedStop> {
        let rest = &text[done.read..];
        if !self.is_open {
            let from = self.pair.from.read;
            let Some(opening) = Opening::of(from, NATIVE, rest, false) else {
                return Some(ConvertedStop::Incomplete);
            };
            self.open(from.new_decoder(opening.order));
            done.read += opening.mark_len;
            return None;
        }
        // What is ill-formed or incomplete begins no text.
        if self.start.is_special()
            && let Some(unit) = self.next_unit(text, done)
        {
            return self.put_unit(unit, output, done);
        }
        self.convert_run(text, output, done)
    }

    /// Converts by a kernel, or a run.
    fn convert_run(
        &mut self,
        text: &[u8],
        output: &mut [u8],
        done: &mut Converted,
    ) -> Option<ConvertedStop> {
        let (rest, start) = (&text[done.read..], done.written);
        let before = self.has_sequences.then(|| self.target.state());
        let part = Part { bytes: rest, limit: rest.len(), last: false, around: None };
        let room = &mut output[start..];
        let advance = self.engine.advance(part, &mut self.pipeline, &mut self.target, room);
        done.read += advance.read;
        done.written += advance.written;
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
                    // Whoever looks at the same bytes again must find the same.
                    self.engine.give_back(rest);
                    return Some(ConvertedStop::IllFormed);
                }
                done.read += ill_formed.len;
                done.ill_formed += 1;
                return self
                    .pass(output, done, |pipeline, exit| pipeline.settle(Before::Break, exit));
            }
            Some(Stop::Large { value, len }) => {
                let stop = self.put_large(value, output, done);
                if stop.is_none() {
                    done.read += len;
                }
                return stop;
            }
            // The run goes on after what stands for one of its characters.
            Some(Stop::Stage | Stop::Unmappable(_)) if self.engine.decoder().form().is_some() => {
                self.pipeline.passed(written);
                let stop = match done.written == output.len() {
                    true => Some(ConvertedStop::OutputFull),
                    false => self.pass_refused(output, done),
                };
                if stop.is_some() {
                    done.read += self.engine.give_back(rest).0;
                }
                return stop;
            }
            Some(_) => {}
        }
        self.limit_runs(SHORT);
        let (read, divided) = self.engine.give_back(rest);
        done.read += read;
        let written = self.engine.code_points(&advance);
        let whole = &written[..written.len() - divided];
        self.pipeline.passed(whole);
        if let Some(before) = before.filter(|_| divided > 0) {
            // A sequence that stands for two characters is written as a whole.
            self.target.restore(before);
            done.written = start + self.target.encode(whole, &mut output[start..]).written;
        }
        if advance.stop == Some(Stop::OutputFull) || done.written == output.len() {
            return Some(ConvertedStop::OutputFull);
        }
        match self.next_unit(text, done) {
            Some(unit) => self.put_unit(unit, output, done),
            None => Some(ConvertedStop::Unmappable),
        }
    }

    /// Sets how many code points the next run has at most.
    fn limit_runs(&mut self, most: usize) {
        self.most = MOST.min(most);
        self.engine.limit_runs(self.most);
    }

    /// Reads what only changes the state, and returns the next sequence of bytes, if there is a complete and well-formed one.
    fn next_unit(&mut self, text: &[u8], done: &mut Converted) -> Option<Unit> {
        let mut after = self.engine.decoder().fork();
        // There is no room for any character.
        let shift = after.decode(&text[done.read..], &mut [], false);
        if shift.read > 0 && !matches!(shift.stop, DecodeStop::IllFormed(_)) {
            self.read_by(after);
            done.read += shift.read;
        }
        Unit::next_written(self.engine.decoder(), &text[done.read..], &self.remedies)
    }

    /// Writes the characters of one sequence of bytes, which may be the first ones of the text.
    pub(super) fn put_unit(
        &mut self,
        unit: Unit,
        output: &mut [u8],
        done: &mut Converted,
    ) -> Option<ConvertedStop> {
        let stop = match *unit.characters() {
            [BYTE_ORDER_MARK] if self.start.mark_due => {
                let room = &mut output[done.written..];
                let mut room = Room::new(&mut self.target, &mut self.start, room);
                let begun = room.begin();
                done.written += room.commit();
                begun.err().map(|_| ConvertedStop::OutputFull)
            }
            [BYTE_ORDER_MARK] if self.start.bare => None,
            _ => self.put(unit.characters(), output, done),
        };
        if stop.is_none() {
            self.read_by(unit.after);
            done.read += unit.len;
        }
        stop
    }

    /// Writes a value that is too large for a code point, or what stands for it.
    fn put_large(
        &mut self,
        value: Value,
        output: &mut [u8],
        done: &mut Converted,
    ) -> Option<ConvertedStop> {
        let mut bytes = [0; MIN_OUTPUT];
        let before = self.target.state();
        let Some(len) = self.target.encode_large(value, &mut bytes) else {
            return self.pass(output, done, |_, mut exit| exit.unmappable(value, &mut nowhere()));
        };
        let Some(place) = output.get_mut(done.written..done.written + len) else {
            self.target.restore(before);
            return Some(ConvertedStop::OutputFull);
        };
        place.copy_from_slice(&bytes[..len]);
        done.written += len;
        None
    }

    /// Writes these characters, or what stands for them: all or nothing.
    fn put(
        &mut self,
        characters: &[CodePoint],
        output: &mut [u8],
        done: &mut Converted,
    ) -> Option<ConvertedStop> {
        if done.written == output.len() {
            // Where nothing fits, nothing is left out or refused yet, so the call that reads the last of a text reports it.
            return Some(ConvertedStop::OutputFull);
        }
        let group = |pipeline: &mut Pipeline, exit: Exit<'_>| {
            pipeline.group(characters, &mut nowhere(), exit)
        };
        let outcomes = self.findings.summary.of_unmappable.clone();
        let stop = self.pass(output, done, group);
        if stop.is_some() {
            self.findings.summary.of_unmappable = outcomes;
        }
        stop
    }

    /// Passes on the next character of the run, which the target has just refused, and what follows it, to the end of the
    /// run. Stages see nothing else.
    fn pass_refused(&mut self, output: &mut [u8], done: &mut Converted) -> Option<ConvertedStop> {
        let Self { engine, pipeline, .. } = self;
        let room = &mut output[done.written..];
        let mut room = Room::new(&mut self.target, &mut self.start, room);
        let mut stop = None;
        while let Some((cp, _)) = engine.next() {
            let exit = Exit {
                remedies: &self.remedies,
                findings: &mut self.findings,
                reporter: &mut Silent,
                output: &mut room,
                explains: false,
                refused: Some(cp),
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
            // Where nothing fits, nothing is left out or refused yet, so the call that reads the last of a text reports it.
            if stopped == EncodeStop::OutputFull
                || stopped == EncodeStop::Unmappable && room.is_full()
            {
                stop = Some(ConvertedStop::OutputFull);
                break;
            }
        }
        done.written += room.roll_back();
        stop
    }

    /// Passes something through the pipeline, all of it or nothing.
    fn pass(
        &mut self,
        output: &mut [u8],
        done: &mut Converted,
        pass: impl FnOnce(&mut Pipeline, Exit<'_>) -> Passed,
    ) -> Option<ConvertedStop> {
        let room = &mut output[done.written..];
        let mut room = Room::new(&mut self.target, &mut self.start, room);
        let exit = Exit {
            remedies: &self.remedies,
            findings: &mut self.findings,
            reporter: &mut Silent,
            output: &mut room,
            explains: false,
            refused: None,
        };
        match pass(&mut self.pipeline, exit) {
            Ok(()) => {
                done.written += room.commit();
                None
            }
            Err(halt) => {
                done.written += room.roll_back();
                Some(stop_of(&halt))
            }
        }
    }

    /// Continues with what `decoder` reads.
    fn read_by(&mut self, decoder: Box<dyn Decoder>) {
        // There, each code point is a sequence of bytes of its own.
        let has_form = decoder.form().is_some();
        self.engine.leave_out(has_form && self.remedies.conversion.leaves_out_unmappable());
        self.engine.read_by(decoder, &self.target);
        if self.pipeline.sees_characters() {
            // A kernel knows nothing of the letter before a mark.
            self.engine.without_kernels();
        }
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
