//! Conversion from one buffer to another, as iconv() does it: each call stops exactly before the first character that
//! cannot be converted, that is incomplete, or whose output has no room.
//!
//! ```text
//! held letter + input ─► direct path ─► decode a run ─► encode it ─► all of it? on
//!                                           └── no: decode again what was encoded ─► the next character by itself:
//!                                                   its remedy, or stop before it
//! ```
//!
//! In an encoding form, each code point is a sequence of bytes of its own: there, a run goes on after a remedy.
//!
//! Whoever calls it sees every byte count, so nothing is read ahead, with one exception: a letter that the next call may
//! compose with a mark (windows-1258) is read and held back. Such a letter is complete, so a caller must not be told that
//! it is not. [`ExactConverter::finish`] writes it.

use std::borrow::Cow;
use std::ops::Range;

use super::direct::Direct;
use super::iconv::IconvPair;
use super::opening::Opening;
use super::remedy::{Remedies, Remedy};
use crate::codec::{
    DecodeProgress, DecodeStop, Decoder, EncodeStop, Encoder, MIN_OUTPUT, MIN_PIVOT, Value,
};
use crate::diagnostic::Outcome;
use crate::encoding::{Family, NATIVE};
use crate::transliteration::{TransliterationLocale, extends, may_drop};
use crate::unicode::{BYTE_ORDER_MARK, CodePoint};

/// The most code points of a run.
const PIVOT: usize = 256;
/// The code points of a run after one that stopped in the middle, as runs do in text with much to transliterate: what is
/// not encoded is decoded again. Runs that do not stop grow.
const SHORT: usize = 16;
/// Bytes of input and output with which a kernel is worthwhile.
const WORTH: usize = 32;
/// The most bytes held back. The longest composition takes 12.
const MOST_HELD: usize = 24;

/// What one call of [`ExactConverter::convert`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Converted {
    /// Bytes read: those of the characters that are written, left out or held back.
    pub read: usize,
    /// Bytes written.
    pub written: usize,
    /// Characters for which something similar was written.
    pub irreversible: usize,
    /// Unmappable characters that were left out.
    pub left_out: usize,
    /// Ill-formed subsequences that were left out.
    pub ill_formed: usize,
    /// Why it stopped.
    pub stop: ConvertedStop,
}

/// Why a conversion stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConvertedStop {
    /// Everything is read.
    InputEmpty,
    /// The input ends inside the next character, which is not read.
    Incomplete,
    /// The output has no room for the next character, which is not read.
    OutputFull,
    /// An ill-formed subsequence is next. It is not read.
    IllFormed,
    /// The target lacks the next character, which is not read.
    Unmappable,
}

impl Converted {
    /// What is done if there is nothing to convert.
    pub const NOTHING: Self = Self {
        read: 0,
        written: 0,
        irreversible: 0,
        left_out: 0,
        ill_formed: 0,
        stop: ConvertedStop::InputEmpty,
    };

    fn stopped(self, stop: ConvertedStop) -> Self {
        Self { stop, ..self }
    }

    /// Adds what the next call did.
    pub fn add_call(&mut self, next: &Self) {
        self.read += next.read;
        self.add(next);
    }

    /// Adds what was done after it, except for the bytes read, which are counted elsewhere.
    fn add(&mut self, next: &Self) {
        self.written += next.written;
        self.irreversible += next.irreversible;
        self.left_out += next.left_out;
        self.ill_formed += next.ill_formed;
        self.stop = next.stop;
    }
}

/// Complete characters that are read but not written, because what follows may compose with them.
#[derive(Clone, Copy, Debug)]
struct Held {
    bytes: [u8; MOST_HELD],
    len: usize,
}

impl Held {
    const NOTHING: Self = Self { bytes: [0; MOST_HELD], len: 0 };

    fn new(bytes: &[u8]) -> Self {
        let mut held = Self { len: bytes.len(), ..Self::NOTHING };
        held.bytes[..bytes.len()].copy_from_slice(bytes);
        held
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// The characters of the next sequence of bytes.
struct Unit {
    characters: [CodePoint; MIN_PIVOT],
    count: usize,
    len: usize,
    /// The decoder after them.
    after: Box<dyn Decoder>,
}

impl Unit {
    /// Decodes it; `None` if there is no complete and well-formed one.
    fn next(decoder: &dyn Decoder, bytes: &[u8], last: bool) -> Option<Self> {
        let mut characters = [0; MIN_PIVOT];
        let mut after = decoder.fork();
        for most in 1..=MIN_PIVOT {
            let decoded = after.decode(bytes, &mut characters[..most], last);
            if decoded.written > 0 {
                return Some(Self { characters, count: decoded.written, len: decoded.read, after });
            }
            if decoded.stop != DecodeStop::OutputFull {
                return None;
            }
        }
        None
    }

    fn characters(&self) -> &[CodePoint] {
        &self.characters[..self.count]
    }
}

/// How the next character is written.
enum Substitute {
    /// As these characters, of which so many are irreversible or left out.
    Text { text: Vec<CodePoint>, irreversible: usize, left_out: usize, replaced: bool },
    /// The conversion stops before it.
    Stop,
}

/// A conversion from buffer to buffer, between two calls.
pub struct ExactConverter {
    pair: IconvPair,
    remedies: Remedies,
    /// `None` until the first bytes give the byte order.
    decoder: Option<Box<dyn Decoder>>,
    encoder: Box<dyn Encoder>,
    direct: Option<Direct>,
    /// Whether a byte order mark must be written before anything else.
    mark_due: bool,
    /// Whether a U+FEFF that is next would be a second byte order mark, and is left out.
    bare: bool,
    held: Held,
    /// The letter that a mark which comes next belongs to; 0 if no letter comes before it, or if that one was replaced.
    letter: CodePoint,
    pivot: [CodePoint; PIVOT],
    /// Code points of the next run.
    most: usize,
}

impl ExactConverter {
    /// Creates a conversion at the start of a text. Transliterations follow the rules of `locale`.
    ///
    /// # Errors
    ///
    /// The message, if the target cannot be written with these options.
    pub fn new(pair: IconvPair, locale: TransliterationLocale) -> Result<Self, String> {
        let options = pair.options().transliteration_locale(locale);
        let conversion =
            options.build(pair.from.read, pair.to.written).map_err(|error| error.to_string())?;
        let mut converter = Self {
            pair,
            remedies: Remedies::new(conversion),
            decoder: None,
            encoder: pair.to.written.new_encoder(NATIVE),
            direct: None,
            mark_due: false,
            bare: false,
            held: Held::NOTHING,
            letter: 0,
            pivot: [0; PIVOT],
            most: PIVOT,
        };
        converter.reset();
        Ok(converter)
    }

    /// Returns the encodings, and what becomes of what cannot be converted.
    #[must_use]
    pub fn pair(&self) -> &IconvPair {
        &self.pair
    }

    /// Changes what becomes of what cannot be converted, from the next call on. The encodings must be the same.
    ///
    /// # Errors
    ///
    /// See [`ExactConverter::new`].
    pub fn set_pair(
        &mut self,
        pair: IconvPair,
        locale: TransliterationLocale,
    ) -> Result<(), String> {
        let Self { remedies, .. } = Self::new(pair, locale)?;
        (self.pair, self.remedies) = (pair, remedies);
        self.choose_path();
        Ok(())
    }

    /// Whether both encodings are the same.
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        self.pair.from == self.pair.to
    }

    /// Returns to the initial state, and forgets what is held back.
    pub fn reset(&mut self) {
        self.encoder = self.pair.to.written.new_encoder(NATIVE);
        let from = self.pair.from.read;
        self.decoder = (!from.mark.gives_order()).then(|| from.new_decoder(NATIVE));
        self.held = Held::NOTHING;
        self.letter = 0;
        (self.mark_due, self.bare) = (self.pair.to.marked, self.pair.to.marked);
        self.choose_path();
    }

    /// Converts from the start of `input` into `output`.
    pub fn convert(&mut self, input: &[u8], output: &mut [u8]) -> Converted {
        let mut done = Converted::NOTHING;
        while self.held.len > 0 && done.read < input.len() {
            let step = self.convert_after_held(&input[done.read..], &mut output[done.written..]);
            done.add(&step);
            done.read += step.read;
            if done.stop != ConvertedStop::InputEmpty {
                return done;
            }
        }
        let rest = &input[done.read..];
        let step = self.run(rest, &mut output[done.written..]);
        done.add(&step);
        done.read += step.read;
        if done.stop == ConvertedStop::Incomplete {
            done.read += self.hold(&rest[step.read..]);
            if done.read == input.len() {
                return done.stopped(ConvertedStop::InputEmpty);
            }
        }
        done
    }

    /// Ends the text: writes what is held back and what returns the output to its initial state, and returns to the
    /// initial state itself. If there is no room for it, it can be called again.
    pub fn finish(&mut self, output: &mut [u8]) -> Converted {
        let mut done = Converted::NOTHING;
        if self.held.len > 0 {
            done = self.write_held(output);
        }
        if done.stop != ConvertedStop::InputEmpty {
            return done;
        }
        let room = &mut output[done.written..];
        let pending = self.encoder.pending();
        if pending > room.len() {
            return done.stopped(ConvertedStop::OutputFull);
        }
        let mut bytes = [0; MIN_OUTPUT];
        let len = self.encoder.finish(&mut bytes);
        room[..len].copy_from_slice(&bytes[..len]);
        done.written += len;
        self.reset();
        done
    }

    /// Finds the fastest path. A kernel knows nothing of the letter before a mark.
    fn choose_path(&mut self) {
        let direct = self.decoder.as_ref().filter(|_| !self.pair.suffixes.transliterate);
        self.direct = direct.and_then(|decoder| Direct::of(&**decoder, Some(&*self.encoder)));
    }

    /// Holds back what is complete at the start of `tail`, although more may follow, and returns its length in bytes. What
    /// the target lacks is not held back, because what it composes to may exist: two letters of Hangul, and their syllable.
    /// Neither is what another byte could make ill-formed: the last digits of base64 in UTF-7. The start of an escape is
    /// plain text only if the text ends there, so it is incomplete.
    ///
    /// If the target has a letter and lacks what it composes to, the letter is held back without its mark: a call that ended
    /// after the letter would have read it as well.
    fn hold(&mut self, tail: &[u8]) -> usize {
        let escaped = matches!(self.pair.from.read.family, Family::Escapes { .. });
        if escaped || tail.len() > MOST_HELD {
            return 0;
        }
        let held = (1..=tail.len()).rev().find_map(|len| self.holdable(&tail[..len]));
        self.held = held.unwrap_or(Held::NOTHING);
        self.held.len
    }

    /// Returns what is complete at the start of `tail` if the target has it, and another byte does not make it ill-formed.
    fn holdable(&self, tail: &[u8]) -> Option<Held> {
        let decoder = self.decoder.as_ref()?;
        let mut characters = [0; 2 * MOST_HELD];
        let decoded = decoder.fork().decode(tail, &mut characters, true);
        let characters = &characters[..decoded.written];
        if characters.is_empty() || matches!(self.substitute(characters), Substitute::Stop) {
            return None;
        }
        // Nothing composes with a zero byte.
        let mut followed = [0; MOST_HELD + 1];
        followed[..decoded.read].copy_from_slice(&tail[..decoded.read]);
        let followed = &followed[..=decoded.read];
        let again = decoder.fork().decode(followed, &mut [0; 2 * MOST_HELD], false);
        (again.read >= decoded.read).then(|| Held::new(&tail[..decoded.read]))
    }

    /// Converts what is held back together with what follows it, as far as that matters; `input` is not empty.
    fn convert_after_held(&mut self, input: &[u8], output: &mut [u8]) -> Converted {
        let held = std::mem::replace(&mut self.held, Held::NOTHING);
        let mut joined = [0; 2 * MOST_HELD];
        let fresh = input.len().min(joined.len() - held.len);
        joined[..held.len].copy_from_slice(held.bytes());
        joined[held.len..held.len + fresh].copy_from_slice(&input[..fresh]);
        let text = &joined[..held.len + fresh];
        let step = self.run(text, output);
        if let Some(read) = step.read.checked_sub(held.len) {
            // The rest is converted where it is.
            let stop = match step.stop {
                ConvertedStop::Incomplete => ConvertedStop::InputEmpty,
                stop => stop,
            };
            return Converted { read, stop, ..step };
        }
        let left = Held::new(&held.bytes()[step.read..]);
        self.held = left;
        let stopped = Converted { read: 0, ..step };
        match step.stop {
            ConvertedStop::Incomplete if fresh == input.len() => {
                // What is held back now may be longer, but not shorter.
                match self.hold(&text[step.read..]).checked_sub(left.len) {
                    Some(read) if read == fresh => {
                        Converted { read, ..stopped }.stopped(ConvertedStop::InputEmpty)
                    }
                    Some(read) => Converted { read, ..stopped },
                    None => {
                        self.held = left;
                        stopped
                    }
                }
            }
            ConvertedStop::OutputFull => stopped,
            // It is complete as it is.
            _ => {
                let written = self.write_held(&mut output[step.written..]);
                let mut done = stopped;
                done.add(&written);
                done
            }
        }
    }

    /// Writes what is held back as it is.
    fn write_held(&mut self, output: &mut [u8]) -> Converted {
        let held = std::mem::replace(&mut self.held, Held::NOTHING);
        let (mut done, mut at) = (Converted::NOTHING, 0);
        while let Some(unit) = self
            .decoder
            .as_ref()
            .and_then(|decoder| Unit::next(&**decoder, &held.bytes()[at..], true))
        {
            let len = unit.len;
            let step = self.put_unit(unit, &mut output[done.written..]);
            done.add(&step);
            match step.stop {
                ConvertedStop::InputEmpty => at += len,
                ConvertedStop::OutputFull => {
                    self.held = Held::new(&held.bytes()[at..]);
                    break;
                }
                // It cannot be read again, so it is gone.
                _ => break,
            }
        }
        Converted { read: 0, ..done }
    }

    /// Converts from the start of `text`. What its end cuts, or may continue, is left unread.
    fn run(&mut self, text: &[u8], output: &mut [u8]) -> Converted {
        let mut done = Converted::NOTHING;
        loop {
            let (rest, room) = (&text[done.read..], &mut output[done.written..]);
            if rest.is_empty() {
                return done.stopped(ConvertedStop::InputEmpty);
            }
            if self.decoder.is_none() {
                let Some(len) = self.open(rest) else {
                    return done.stopped(ConvertedStop::Incomplete);
                };
                done.read += len;
                continue;
            }
            if self.bare || self.mark_due {
                let shift = self.shift(rest);
                if shift > 0 {
                    done.read += shift;
                    continue;
                }
                // What is ill-formed or incomplete begins no text, and is dealt with below.
                if let Some(unit) = self.next_unit(rest) {
                    let step = self.put_unit(unit, room);
                    done.read += step.read;
                    done.add(&step);
                    if step.stop != ConvertedStop::InputEmpty {
                        return done;
                    }
                    continue;
                }
            }
            let direct = self.direct.filter(|_| rest.len().min(room.len()) >= WORTH);
            if let (Some(direct), Some(decoder)) = (direct, &self.decoder) {
                let run = direct.convert(&**decoder, Some(&*self.encoder), rest, room);
                done.read += run.read;
                done.written += run.written;
                if run.read > 0 {
                    continue;
                }
            }
            let step = self.step(rest, room);
            done.read += step.read;
            done.add(&step);
            if step.stop != ConvertedStop::InputEmpty || step.read == 0 {
                return done;
            }
        }
    }

    /// Reads the byte order mark, and returns its length in bytes; `None` if more bytes are needed.
    fn open(&mut self, start: &[u8]) -> Option<usize> {
        let from = self.pair.from.read;
        let opening = Opening::of(from, NATIVE, start, false)?;
        self.decoder = Some(from.new_decoder(opening.order));
        self.choose_path();
        Some(opening.mark_len)
    }

    /// Reads what only changes the state, and returns its length in bytes.
    fn shift(&mut self, rest: &[u8]) -> usize {
        let Some(decoder) = &mut self.decoder else { return 0 };
        let mut after = decoder.fork();
        // There is no room for any character.
        let shift = after.decode(rest, &mut [], false);
        if shift.read == 0 || matches!(shift.stop, DecodeStop::IllFormed(_)) {
            return 0;
        }
        *decoder = after;
        shift.read
    }

    /// Returns the characters of the next sequence of bytes. If the target lacks what a letter and its marks compose to,
    /// this is the letter, with as many marks as there can be: so it is the same whether or not the input ends there.
    fn next_unit(&self, rest: &[u8]) -> Option<Unit> {
        let decoder = &**self.decoder.as_ref()?;
        let unit = Unit::next(decoder, rest, false)?;
        if !matches!(self.substitute(unit.characters()), Substitute::Stop) {
            return Some(unit);
        }
        let shorter = (1..unit.len).rev().filter_map(|len| {
            let part = &rest[..len];
            let shorter = Unit::next(decoder, part, true).filter(|it| it.len == len)?;
            let goes_on = Unit::next(decoder, part, false).is_none();
            let is_written = !matches!(self.substitute(shorter.characters()), Substitute::Stop);
            (goes_on && is_written).then_some(shorter)
        });
        Some(shorter.into_iter().next().unwrap_or(unit))
    }

    /// Converts the characters of one sequence of bytes, which may be the first ones of the text.
    fn put_unit(&mut self, unit: Unit, output: &mut [u8]) -> Converted {
        if self.bare || self.mark_due {
            self.begin(unit, output)
        } else {
            self.convert_unit(unit, output)
        }
    }

    /// Deals with the first character of a text that gets a byte order mark.
    fn begin(&mut self, unit: Unit, output: &mut [u8]) -> Converted {
        let is_mark = *unit.characters() == [BYTE_ORDER_MARK];
        let begins = is_mark
            || match self.substitute(unit.characters()) {
                Substitute::Text { text, .. } => !text.is_empty(),
                Substitute::Stop => return Converted::NOTHING.stopped(ConvertedStop::Unmappable),
            };
        let mut done = Converted::NOTHING;
        if begins && self.mark_due {
            let mark = self.encoder.encode(&[BYTE_ORDER_MARK], output);
            if mark.read == 0 {
                return done.stopped(ConvertedStop::OutputFull);
            }
            done.written = mark.written;
            self.mark_due = false;
        }
        if is_mark {
            done.read = unit.len;
            self.decoder = Some(unit.after);
            return done;
        }
        self.bare = !begins;
        let step = self.convert_unit(unit, &mut output[done.written..]);
        done.read = step.read;
        done.add(&step);
        done
    }

    /// Converts a run through code points, or deals with what stops that at its start.
    fn step(&mut self, rest: &[u8], output: &mut [u8]) -> Converted {
        let mut done = Converted::NOTHING;
        let Some(decoder) = &mut self.decoder else { return done };
        // No more than may fit; a character takes one byte at least.
        let most = self.most.min(output.len() + MIN_PIVOT);
        let mut again = decoder.fork();
        let mut decoded = decoder.decode(rest, &mut self.pivot[..most], false);
        if decoded.written > 0 && matches!(decoded.stop, DecodeStop::IllFormed(_)) {
            // It is in the state after the ill-formed subsequence, which is dealt with only once what is before it is written.
            *decoder = again.fork();
            decoded = decoder.decode(rest, &mut self.pivot[..decoded.written], false);
        }
        if decoded.written == 0 {
            return self.deal_with(&decoded, again, rest, output);
        }
        let run = &self.pivot[..decoded.written];
        let before = self.encoder.fork();
        let encoded = self.encoder.encode(run, output);
        if encoded.stop == EncodeStop::InputEmpty {
            self.letter = letter_of(self.letter, run);
            self.most = PIVOT.min(2 * self.most);
            return Converted { read: decoded.read, written: encoded.written, ..done };
        }
        let mut counted = [0; PIVOT];
        let one_by_one = again.form().is_some();
        if one_by_one && encoded.stop == EncodeStop::Unmappable {
            self.letter = letter_of(self.letter, &run[..encoded.read]);
            done.written = encoded.written;
            let (from, end) = (encoded.read, decoded.written);
            let at = self.encode_with_losses(from..end, output, &mut done);
            if at == end {
                self.most = PIVOT.min(2 * self.most);
                return Converted { read: decoded.read, ..done };
            }
            if at > from {
                self.most = SHORT;
                done.read = again.decode(rest, &mut counted[..at], false).read;
                self.decoder = Some(again);
                return done;
            }
        }
        self.most = SHORT;
        // The bytes of what was encoded, and the state after them. A code for two characters is never divided.
        let run = &self.pivot[..decoded.written];
        let part = again.decode(rest, &mut counted[..encoded.read], false);
        done.written = encoded.written;
        if part.written < encoded.read {
            self.encoder = before;
            done.written = self.encoder.encode(&run[..part.written], output).written;
        }
        self.letter = letter_of(self.letter, &run[..part.written]);
        done.read = part.read;
        if encoded.stop == EncodeStop::OutputFull || done.written == output.len() {
            self.decoder = Some(again);
            return done.stopped(ConvertedStop::OutputFull);
        }
        self.decoder = Some(again);
        // It is no part of the unmappable character.
        done.read += self.shift(&rest[part.read..]);
        let Some(unit) = self.next_unit(&rest[done.read..]) else {
            return done.stopped(ConvertedStop::Unmappable);
        };
        let step = self.convert_unit(unit, &mut output[done.written..]);
        done.read += step.read;
        done.add(&step);
        done
    }

    /// Deals with what stops a run at its start, before any character. `again` is the decoder at the start of `rest`.
    fn deal_with(
        &mut self,
        decoded: &DecodeProgress,
        mut again: Box<dyn Decoder>,
        rest: &[u8],
        output: &mut [u8],
    ) -> Converted {
        let mut done = Converted::NOTHING;
        done.read = decoded.read;
        match decoded.stop {
            DecodeStop::InputEmpty if decoded.read == rest.len() => done,
            DecodeStop::InputEmpty | DecodeStop::OutputFull => {
                done.stopped(ConvertedStop::Incomplete)
            }
            DecodeStop::IllFormed(ill_formed) => {
                if self.pair.suffixes.skips_ill_formed() {
                    self.letter = 0;
                    let read = decoded.read + ill_formed.len;
                    return Converted { read, ill_formed: 1, ..done };
                }
                // Whoever looks at the same bytes again must find the same.
                again.decode(&rest[..decoded.read], &mut self.pivot, false);
                self.decoder = Some(again);
                done.stopped(ConvertedStop::IllFormed)
            }
            DecodeStop::Large { value, len } => {
                let step = self.convert_large(value, output);
                done.add(&step);
                if step.stop == ConvertedStop::InputEmpty {
                    done.read += len;
                }
                done
            }
        }
    }

    /// Encodes a part of the run, of which the target lacks the first: its remedy, what is encoded after it, and so on. Each
    /// code point must be a sequence of bytes of its own. Returns the place of the first that is not encoded.
    fn encode_with_losses(
        &mut self,
        run: Range<usize>,
        output: &mut [u8],
        done: &mut Converted,
    ) -> usize {
        let mut at = run.start;
        // Where nothing fits, nothing is left out yet: see `convert_unit`.
        while at < run.end && done.written < output.len() {
            let cp = self.pivot[at];
            let remedy = if self.drops(self.letter, cp) {
                Remedy::Write(Cow::Borrowed(&[]), Outcome::Transliterated)
            } else {
                self.remedies.for_unmappable(cp.into())
            };
            let mut letter = letter_of(self.letter, &[cp]);
            match remedy {
                Remedy::Write(text, outcome) => {
                    let before = self.encoder.fork();
                    let encoded = self.encoder.encode(&text, &mut output[done.written..]);
                    if encoded.stop != EncodeStop::InputEmpty {
                        self.encoder = before;
                        break;
                    }
                    done.written += encoded.written;
                    done.irreversible += 1;
                    if outcome == Outcome::Replaced {
                        letter = 0;
                    }
                }
                Remedy::LeaveOut => done.left_out += 1,
                Remedy::Stop | Remedy::Repair(_) => break,
            }
            at += 1;
            let rest = &self.pivot[at..run.end];
            let encoded = self.encoder.encode(rest, &mut output[done.written..]);
            done.written += encoded.written;
            self.letter = letter_of(letter, &rest[..encoded.read]);
            at += encoded.read;
            if encoded.stop == EncodeStop::OutputFull {
                break;
            }
        }
        at
    }

    /// Converts the characters of one sequence of bytes: all of them or none.
    fn convert_unit(&mut self, unit: Unit, output: &mut [u8]) -> Converted {
        let nothing = Converted::NOTHING;
        if output.is_empty() {
            // Where nothing fits, nothing is left out or refused yet, so the call that reads the last of a text reports it.
            return nothing.stopped(ConvertedStop::OutputFull);
        }
        let Substitute::Text { text, irreversible, left_out, replaced } =
            self.substitute(unit.characters())
        else {
            return nothing.stopped(ConvertedStop::Unmappable);
        };
        let before = self.encoder.fork();
        let encoded = self.encoder.encode(&text, output);
        let stop = match encoded.stop {
            EncodeStop::InputEmpty => {
                let letter = letter_of(self.letter, unit.characters());
                self.letter = if replaced { 0 } else { letter };
                self.decoder = Some(unit.after);
                let (read, written) = (unit.len, encoded.written);
                return Converted { read, written, irreversible, left_out, ..nothing };
            }
            EncodeStop::OutputFull => ConvertedStop::OutputFull,
            EncodeStop::Unmappable => ConvertedStop::Unmappable,
        };
        self.encoder = before;
        nothing.stopped(stop)
    }

    /// Returns how `characters` are written.
    fn substitute(&self, characters: &[CodePoint]) -> Substitute {
        let (mut text, mut irreversible, mut left_out) = (Vec::new(), 0, 0);
        let (mut letter, mut replaced) = (self.letter, false);
        for &cp in characters {
            if self.encoder.fork().encode(&[cp], &mut [0; MIN_OUTPUT]).read == 1 {
                text.push(cp);
            } else if self.drops(letter, cp) {
                irreversible += 1;
            } else {
                match self.remedies.for_unmappable(cp.into()) {
                    Remedy::Write(form, outcome) => {
                        text.extend_from_slice(&form);
                        irreversible += 1;
                        replaced = outcome == Outcome::Replaced;
                    }
                    Remedy::LeaveOut => left_out += 1,
                    Remedy::Stop | Remedy::Repair(_) => return Substitute::Stop,
                }
            }
            letter = letter_of(letter, &[cp]);
        }
        Substitute::Text { text, irreversible, left_out, replaced }
    }

    /// Whether `cp`, which the target lacks, is a mark that transliteration leaves out after `letter`.
    fn drops(&self, letter: CodePoint, cp: CodePoint) -> bool {
        self.pair.suffixes.transliterate && extends(cp) && may_drop(letter, cp)
    }

    /// Converts a character whose value is too large for a code point.
    fn convert_large(&mut self, value: Value, output: &mut [u8]) -> Converted {
        let done = Converted::NOTHING;
        let mut encoder = self.encoder.fork();
        let mut bytes = [0; MIN_OUTPUT];
        if let Some(len) = encoder.encode_large(value, &mut bytes) {
            let Some(place) = output.get_mut(..len) else {
                return done.stopped(ConvertedStop::OutputFull);
            };
            place.copy_from_slice(&bytes[..len]);
            self.encoder = encoder;
            return Converted { written: len, ..done };
        }
        match self.remedies.for_unmappable(value) {
            Remedy::LeaveOut => Converted { left_out: 1, ..done },
            Remedy::Write(text, _) => {
                let encoded = encoder.encode(&text, output);
                if encoded.stop != EncodeStop::InputEmpty {
                    return done.stopped(ConvertedStop::OutputFull);
                }
                self.encoder = encoder;
                Converted { written: encoded.written, irreversible: 1, ..done }
            }
            Remedy::Stop | Remedy::Repair(_) => done.stopped(ConvertedStop::Unmappable),
        }
    }
}

/// Returns the letter that a mark after `text` belongs to, if `letter` is the one before it.
fn letter_of(letter: CodePoint, text: &[CodePoint]) -> CodePoint {
    text.iter().rev().copied().find(|cp| !extends(*cp)).unwrap_or(letter)
}
