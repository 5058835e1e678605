//! UTF-7 (RFC 2152), and its variant for mailbox names (RFC 3501, 5.1.3; RFC 9051, A.1): ASCII, in which a shift
//! character begins UTF-16 in base64.
//!
//! ```text
//! A + I m I D k Q .        A, +, 00100010 01100010 0000001110010001 00 (≢ and Α, two spare bits), .
//!     ─────┬─────
//!     a code unit is the characters up to its last bit: 3, 3, 2, 3, 3, 2 …, with 2, 4 or 0 bits to spare
//! ```
//!
//! So the state between two characters is the mode and up to four spare bits. The bytes of a character are those that
//! complete its bits (both units of a surrogate pair), and the `+` if it is the first. The meaning of spare bits is
//! known only from the byte after them: bits that are not zero must continue as another code unit. At the end of the
//! input they are not checked: any prefix of a text is a text.

use super::stateful::{self, CharBytes, EncodeState, StatefulCodec, Step};
use super::{EncodeProgress, Encoder};
use crate::kernels::Progress;
use crate::unicode::{
    CodePoint, IllFormedKind, is_high_surrogate, is_low_surrogate, join_surrogates,
};

/// The variant of UTF-7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Utf7Variant {
    /// RFC 2152: mail text.
    Mail,
    /// RFC 3501: mailbox names.
    Mailbox,
}

/// The mode of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Utf7Mode {
    /// ASCII characters stand for themselves.
    Direct,
    /// Base64.
    Base64(Spare),
}

/// The bits of the last base64 character that belong to the next code unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spare {
    bits: u8,
    count: u8,
}

use Utf7Mode::{Base64, Direct};

const NONE: Spare = Spare { bits: 0, count: 0 };

impl Utf7Variant {
    /// Returns the character that begins base64.
    const fn shift(self) -> u8 {
        match self {
            Self::Mail => b'+',
            Self::Mailbox => b'&',
        }
    }

    /// Returns the last character of the base64 alphabet.
    const fn last_of_64(self) -> u8 {
        match self {
            Self::Mail => b'/',
            Self::Mailbox => b',',
        }
    }

    /// Returns the six bits of a base64 character.
    fn value(self, byte: u8) -> Option<u8> {
        Some(match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            _ if byte == self.last_of_64() => 63,
            _ => return None,
        })
    }

    /// Returns the base64 character of the lowest six bits.
    const fn digit(self, bits: u32) -> u8 {
        match (bits & 0x3F) as u8 {
            v @ 0..26 => b'A' + v,
            v @ 26..52 => b'a' + v - 26,
            v @ 52..62 => b'0' + v - 52,
            62 => b'+',
            _ => self.last_of_64(),
        }
    }

    /// Whether a byte is read as itself. In mail: sets D and O of RFC 2152, space, tab, CR and LF. In mailbox names: printable
    /// ASCII, and CR and LF, which no name has, so that they end each of a list.
    const fn reads_directly(self, byte: u8) -> bool {
        match self {
            Self::Mail => {
                matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'}') && !matches!(byte, b'+' | b'\\')
            }
            Self::Mailbox => matches!(byte, b'\n' | b'\r' | b' '..=b'~') && byte != b'&',
        }
    }

    /// Whether a character is written as itself. In mail: set D of RFC 2152, space, tab, CR and LF, as in iconv. In mailbox
    /// names: printable ASCII (RFC 3501, 5.1.3).
    const fn writes_directly(self, byte: u8) -> bool {
        match self {
            Self::Mail => matches!(byte,
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'\'' | b'(' | b')' | b','..=b'/' | b':' | b'?'
                | b' ' | b'\t' | b'\n' | b'\r'),
            Self::Mailbox => matches!(byte, b' '..=b'~') && byte != b'&',
        }
    }

    /// Whether base64 needs a `-` at its end before this character.
    fn needs_end(self, byte: u8) -> bool {
        self == Self::Mailbox || byte == b'-' || self.value(byte).is_some()
    }
}

/// The state of the decoder.
#[derive(Clone, Copy, Debug)]
pub struct Utf7 {
    form: Utf7Variant,
    mode: Utf7Mode,
}

/// A code unit in base64, up to the character that holds its last bit.
struct Unit {
    value: u16,
    /// The offset of the next character.
    end: usize,
    spare: Spare,
}

impl Utf7 {
    /// Creates the state at the start of a text.
    pub const fn new(form: Utf7Variant) -> Self {
        Self { form, mode: Direct }
    }

    /// Decodes what follows a shift character.
    fn shift(self, input: &[u8], last: bool) -> Step<Utf7Mode> {
        match input.get(1) {
            None if last => Step::bad(1, IllFormedKind::TruncatedAtEnd, Direct),
            None => Step::Cut,
            Some(b'-') => Step::Character { cp: self.form.shift().into(), len: 2, change: Direct },
            Some(&byte) if self.form.value(byte).is_some() => self.base64(input, 1, NONE, last),
            Some(_) => Step::bad(1, IllFormedKind::Truncated, Direct),
        }
    }

    /// Reads the code unit that consists of the spare bits and base64 from `at` on. If there is none, returns the byte
    /// that ends it and its offset.
    fn unit(self, input: &[u8], at: usize, spare: Spare) -> Result<Unit, (Option<u8>, usize)> {
        let (mut bits, mut count, mut end) = (u32::from(spare.bits), spare.count, at);
        while count < 16 {
            let byte = input.get(end).copied();
            let Some(value) = byte.and_then(|byte| self.form.value(byte)) else {
                return Err((byte, end));
            };
            bits = bits << 6 | u32::from(value);
            count += 6;
            end += 1;
        }
        let count = count - 16;
        let spare = Spare { bits: (bits & ((1 << count) - 1)) as u8, count };
        Ok(Unit { value: (bits >> count) as u16, end, spare })
    }

    /// Decodes the character in base64 from `at` on.
    fn base64(self, input: &[u8], at: usize, spare: Spare, last: bool) -> Step<Utf7Mode> {
        let unit = match self.unit(input, at, spare) {
            Ok(unit) => unit,
            Err((Some(_), end)) => return Step::bad(end, IllFormedKind::Truncated, Base64(NONE)),
            Err((None, _)) if !last => return Step::Cut,
            Err((None, end)) => {
                return Step::bad(end, IllFormedKind::TruncatedAtEnd, Base64(NONE));
            }
        };
        let mut end = unit;
        let mut cp = CodePoint::from(end.value);
        let next_state = Base64(end.spare);
        if is_low_surrogate(cp) {
            return Step::bad(end.end, IllFormedKind::UnpairedLowSurrogate, next_state);
        }
        if is_high_surrogate(cp) {
            match self.unit(input, end.end, end.spare) {
                Ok(low) if is_low_surrogate(low.value.into()) => {
                    cp = join_surrogates(end.value, low.value);
                    end = low;
                }
                Err((None, _)) if !last => return Step::Cut,
                // A part of a unit could have become the other half.
                Err((None, text_end)) if text_end > end.end => {
                    return Step::bad(text_end, IllFormedKind::TruncatedAtEnd, Base64(NONE));
                }
                _ => return Step::bad(end.end, IllFormedKind::UnpairedHighSurrogate, next_state),
            }
        }
        let (len, next_state) = (end.end, Base64(end.spare));
        if self.form == Utf7Variant::Mailbox && matches!(cp, 0x20..=0x7E) {
            return Step::bad(len, IllFormedKind::Overlong, next_state);
        }
        if end.spare.bits != 0 {
            match input.get(len) {
                None if !last => return Step::Cut,
                Some(&byte) if self.form.value(byte).is_none() => {
                    return Step::bad(len, IllFormedKind::UndefinedSequence, Base64(NONE));
                }
                _ => {}
            }
        }
        Step::Character { cp, len, change: next_state }
    }
}

impl StatefulCodec for Utf7 {
    type Change = Utf7Mode;

    fn step(&self, input: &[u8], last: bool) -> Step<Utf7Mode> {
        let byte = input[0];
        let direct = Step::Character { cp: byte.into(), len: 1, change: Direct };
        match self.mode {
            Direct if byte == self.form.shift() => self.shift(input, last),
            Direct if self.form.reads_directly(byte) => direct,
            Base64(spare) if self.form.value(byte).is_some() => self.base64(input, 0, spare, last),
            Base64(_) if byte == b'-' => Step::Shift { len: 1, change: Direct },
            Base64(_) if self.form == Utf7Variant::Mail && self.form.reads_directly(byte) => direct,
            _ => Step::bad(1, IllFormedKind::InvalidByte, Direct),
        }
    }

    fn apply(&mut self, change: Utf7Mode) {
        self.mode = change;
    }

    fn run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        let is_direct = self.mode == Direct;
        stateful::read_plain(input, output, |byte| {
            is_direct && byte != self.form.shift() && self.form.reads_directly(byte)
        })
    }
}

/// The encoder.
#[derive(Clone, Copy, Debug)]
pub struct Utf7Encoder {
    form: Utf7Variant,
    mode: Utf7Mode,
}

impl Utf7Encoder {
    /// Creates an encoder for the start of a text.
    pub const fn new(form: Utf7Variant) -> Self {
        Self { form, mode: Direct }
    }

    /// Leaves base64: writes the spare bits padded with zeros, and a `-` if needed.
    fn leave(&mut self, piece: &mut CharBytes, with_end: bool) {
        let Base64(spare) = self.mode else { return };
        if spare.count > 0 {
            piece.add(&[self.form.digit(u32::from(spare.bits) << (6 - spare.count))]);
        }
        if with_end {
            piece.add(b"-");
        }
        self.mode = Direct;
    }

    /// Returns the bytes that end the text.
    fn end(&mut self) -> CharBytes {
        let mut piece = CharBytes::default();
        self.leave(&mut piece, true);
        piece
    }

    /// Adds a code unit to the base64.
    fn unit(&mut self, piece: &mut CharBytes, unit: u16) {
        let spare = match self.mode {
            Base64(spare) => spare,
            Direct => {
                piece.add(&[self.form.shift()]);
                NONE
            }
        };
        let bits = u32::from(spare.bits) << 16 | u32::from(unit);
        let mut count = spare.count + 16;
        while count >= 6 {
            count -= 6;
            piece.add(&[self.form.digit(bits >> count)]);
        }
        self.mode = Base64(Spare { bits: (bits & ((1 << count) - 1)) as u8, count });
    }
}

impl EncodeState for Utf7Encoder {
    fn write(&mut self, cp: CodePoint, piece: &mut CharBytes) -> bool {
        let Some(c) = char::from_u32(cp) else { return false };
        let shift = self.form.shift();
        let shift_as_itself =
            cp == u32::from(shift) && (self.mode == Direct || self.form == Utf7Variant::Mailbox);
        match u8::try_from(cp) {
            Ok(_) if shift_as_itself => {
                self.leave(piece, true);
                piece.add(&[shift, b'-']);
            }
            Ok(byte) if self.form.writes_directly(byte) => {
                self.leave(piece, self.form.needs_end(byte));
                piece.add(&[byte]);
            }
            _ => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| self.unit(piece, *unit)),
        }
        true
    }

    fn run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        let is_direct = self.mode == Direct;
        stateful::write_plain(input, output, |byte| {
            is_direct && byte != self.form.shift() && self.form.writes_directly(byte)
        })
    }
}

impl Encoder for Utf7Encoder {
    fn encode(&mut self, input: &[CodePoint], output: &mut [u8]) -> EncodeProgress {
        stateful::encode(self, input, output)
    }

    fn pending(&self) -> usize {
        // The state is only a few bytes, so the end is computed on a copy.
        let mut end = *self;
        end.end().as_slice().len()
    }

    fn finish(&mut self, output: &mut [u8]) -> usize {
        let piece = self.end();
        let bytes = piece.as_slice();
        output[..bytes.len()].copy_from_slice(bytes);
        bytes.len()
    }

    fn fork(&self) -> Box<dyn Encoder> {
        Box::new(*self)
    }
}
