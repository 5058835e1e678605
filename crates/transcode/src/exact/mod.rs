//! Conversion from buffer to buffer, as iconv(3) does it: each call stops exactly before the first character that
//! cannot be converted, that is incomplete, or that has no room in the output.
//!
//! ```text
//! ExactConverter ─► held_bytes.rs         what was read but not written
//!                └► buffer_converter.rs   Engine ─► Pipeline ─► caller_output.rs
//! ```
//!
//! Engine, pipeline and exit are the same as in every other conversion; only the calls differ. A caller of iconv(3)
//! sees every byte count. So nothing may be read ahead, and no run may stay held when a call returns:
//! `Engine::give_back` returns the decoder to its state before what is not written. The pipeline has one stage,
//! for transliteration, and that holds nothing back (`stages/drop_marks.rs`). What is written for a character is
//! written as a whole or not at all.
//!
//! One exception needs a buffer. In windows-1258, `41` is A and `41 EC` is Á. A call whose input ends after `41` must
//! read it, because A is complete, but must not write it, because the next call may begin with `EC`. The byte is kept
//! in [`HeldBytes`], and the next call converts it together with what follows.

mod buffer_converter;
mod call;
mod caller_output;
mod decoded_sequence;
mod held_bytes;

use buffer_converter::BufferConverter;
use call::ExactCall;
pub use call::{ExactProgress, ExactStop};
use decoded_sequence::DecodedSequence;
use held_bytes::HeldBytes;

use super::conversion::Conversion;
use super::iconv_pair::IconvPair;
use crate::transliteration::TransliterationLocale;
use oxiconv_encodings::encoding::Family;

/// A conversion from buffer to buffer, between two calls.
pub struct ExactConverter {
    converter: BufferConverter,
    held: HeldBytes,
}

impl ExactConverter {
    /// Creates a conversion at the start of a text. Transliterations follow the rules of `locale`.
    ///
    /// # Errors
    ///
    /// If the target cannot be written with these options; the error is the message.
    pub fn new(pair: IconvPair, locale: TransliterationLocale) -> Result<Self, String> {
        let converter = BufferConverter::new(pair, conversion(&pair, locale)?);
        Ok(Self { converter, held: HeldBytes::NOTHING })
    }

    /// Returns the encodings, and the suffixes that say what happens to what cannot be converted.
    #[must_use]
    pub fn pair(&self) -> &IconvPair {
        self.converter.pair()
    }

    /// Changes what happens to what cannot be converted, from the next call on. The encodings must stay the same.
    ///
    /// # Errors
    ///
    /// See [`ExactConverter::new`].
    pub fn set_pair(
        &mut self,
        pair: IconvPair,
        locale: TransliterationLocale,
    ) -> Result<(), String> {
        self.converter.set_pair(pair, conversion(&pair, locale)?);
        Ok(())
    }

    /// Whether both encodings are the same.
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        self.pair().from == self.pair().to
    }

    /// Returns to the initial state and drops the held bytes.
    pub fn reset(&mut self) {
        self.converter.begin();
        self.held = HeldBytes::NOTHING;
    }

    /// Converts from the start of `input` into `output`.
    ///
    /// What is held comes first, with the start of the input after it, until nothing is held. The rest of the input is
    /// then converted where it is. If it ends in something incomplete, as much of that as possible is held: to the
    /// caller it is read, and only what cannot be held makes the call end with [`ExactStop::Incomplete`].
    pub fn convert(&mut self, input: &[u8], output: &mut [u8]) -> ExactProgress {
        let mut done = ExactProgress::NOTHING;
        while !self.held.is_empty() && done.read < input.len() {
            let step = self.convert_after_held(&input[done.read..], &mut output[done.written..]);
            done.add_call(&step);
            if done.stop != ExactStop::InputEmpty {
                return done;
            }
        }
        let rest = &input[done.read..];
        let step = self.converter.run(rest, &mut output[done.written..]);
        done.add_call(&step);
        if done.stop == ExactStop::Incomplete {
            done.read += self.hold(&rest[step.read..]);
            if done.read == input.len() {
                return done.stopped(ExactStop::InputEmpty);
            }
        }
        done
    }

    /// Ends the text: writes the held bytes and whatever returns the output to its initial state, and returns to the
    /// initial state itself. If there is no room, it can be called again.
    pub fn finish(&mut self, output: &mut [u8]) -> ExactProgress {
        let mut done = ExactProgress::NOTHING;
        if !self.held.is_empty() {
            done = self.write_held(output);
        }
        if done.stop != ExactStop::InputEmpty {
            return done;
        }
        let Some(len) = self.converter.finish(&mut output[done.written..]) else {
            return done.stopped(ExactStop::OutputFull);
        };
        done.written += len;
        self.reset();
        done
    }

    /// Holds the longest complete part at the start of `tail`, the incomplete end of the input, and returns its length
    /// in bytes.
    ///
    /// Three things are not held:
    ///
    /// * What the target lacks, because what it composes to may exist: two letters of Hangul, and their syllable.
    /// * What another byte could make ill-formed, such as the last digits of base64 in UTF-7.
    /// * The start of an escape. It is plain text only if the text ends there, so it is incomplete.
    ///
    /// If the target has a letter but lacks what the letter and its mark compose to, the letter is held without the
    /// mark. A call that ended after the letter would have read it as well, and how the input is divided must not
    /// matter.
    fn hold(&mut self, tail: &[u8]) -> usize {
        let escaped = matches!(self.pair().from.read.family, Family::Escapes { .. });
        let Some(decoder) =
            self.converter.decoder().filter(|_| !escaped && tail.len() <= held_bytes::MAX_HELD)
        else {
            return 0;
        };
        let start = |len| HeldBytes::start_of(&tail[..len], decoder, self.converter.remedies());
        self.held = (1..=tail.len()).rev().find_map(start).unwrap_or(HeldBytes::NOTHING);
        self.held.len
    }

    /// Converts the held bytes together with the start of `input`, which is not empty.
    ///
    /// Both are copied to a small buffer and converted as one text. Three outcomes are possible: everything held is
    /// read, and the caller continues in `input` itself; the input ends before the next composition is decided, so more
    /// is held; or the held bytes stand for themselves, and are written.
    fn convert_after_held(&mut self, input: &[u8], output: &mut [u8]) -> ExactProgress {
        let held = std::mem::replace(&mut self.held, HeldBytes::NOTHING);
        let mut joined = [0; 2 * held_bytes::MAX_HELD];
        let fresh = input.len().min(joined.len() - held.len);
        joined[..held.len].copy_from_slice(held.bytes());
        joined[held.len..held.len + fresh].copy_from_slice(&input[..fresh]);
        let text = &joined[..held.len + fresh];
        let step = self.converter.run(text, output);
        if let Some(read) = step.read.checked_sub(held.len) {
            // The rest of the input is converted in place by the caller.
            let stop = match step.stop {
                ExactStop::Incomplete => ExactStop::InputEmpty,
                stop => stop,
            };
            return ExactProgress { read, stop, ..step };
        }
        let left = HeldBytes::new(&held.bytes()[step.read..]);
        self.held = left;
        let stopped = ExactProgress { read: 0, ..step };
        match step.stop {
            ExactStop::Incomplete if fresh == input.len() => {
                // More may be held now than before, but not less: those bytes were read by an earlier call.
                match self.hold(&text[step.read..]).checked_sub(left.len) {
                    Some(read) if read == fresh => {
                        ExactProgress { read, ..stopped }.stopped(ExactStop::InputEmpty)
                    }
                    Some(read) => ExactProgress { read, ..stopped },
                    None => {
                        self.held = left;
                        stopped
                    }
                }
            }
            ExactStop::OutputFull => stopped,
            // No composition: the held bytes stand for themselves.
            _ => {
                let written = self.write_held(&mut output[step.written..]);
                let mut done = stopped;
                done.add(&written);
                done
            }
        }
    }

    /// Writes the held bytes as they are, as if the text ended after them.
    fn write_held(&mut self, output: &mut [u8]) -> ExactProgress {
        let held = std::mem::replace(&mut self.held, HeldBytes::NOTHING);
        let mut call = ExactCall::new(held.bytes(), output);
        let next = |converter: &BufferConverter, call: &ExactCall<'_>| {
            DecodedSequence::next(converter.decoder()?, call.rest(), true)
        };
        while let Some(sequence) = next(&self.converter, &call) {
            if let Some(stop) = self.converter.put_sequence(sequence, &mut call) {
                call.done.stop = stop;
                break;
            }
        }
        if call.done.stop == ExactStop::OutputFull {
            self.held = HeldBytes::new(call.rest());
        }
        // Anything else that stops it is dropped: these bytes were read by an earlier call, which cannot take them
        // back.
        let done = self.converter.end(call);
        ExactProgress { read: 0, ..done }
    }
}

/// Returns the conversion that iconv(3) means by these names.
fn conversion(pair: &IconvPair, locale: TransliterationLocale) -> Result<Conversion, String> {
    let options = pair.options().transliteration_locale(locale);
    options.build(pair.from.read, pair.to.written).map_err(|error| error.to_string())
}
