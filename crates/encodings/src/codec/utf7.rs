//! UTF-7 (RFC 2152), and its variant for mailbox names (RFC 3501, 5.1.3; RFC 9051, A.1): ASCII, in which a shift
//! character begins UTF-16 in base64.
//!
//! ```text
//! A + I m I D k Q .        A, +, 00100010 01100010 0000001110010001 00 (≢ and Α, two spare bits), .
//!     ─────┬─────
//!     a code unit ends with the character that has its last bit: 3, 3, 2, 3, 3, 2 … characters, 2, 4 or 0 spare bits
//! ```
//!
//! Base64 characters have six bits and code units sixteen, so a character may belong to two units. It counts as the
//! last byte of the first one, and its spare bits are part of the state:
//!
//! * The state between two characters is the mode and up to four spare bits.
//! * The bytes of a character are those that complete its bits (both units of a surrogate pair), and the `+` if it is
//!   the first.
//! * Spare bits that are not zero must continue as another code unit, so the byte after them decides whether they are
//!   well-formed. At the end of the input they are not checked: any prefix of a text is a text.

use std::hint::select_unpredictable;

use super::stateful_codec::{self, CharBytes, DecodeStep, EncodeState, StatefulCodec};
use super::{EncodeProgress, Encoder};
use crate::unicode::{
    CodePoint, IllFormedKind, is_high_surrogate, is_low_surrogate, is_surrogate, join_surrogates,
};
use oxiconv_kernels::Progress;

/// The variant of UTF-7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Utf7Variant {
    /// RFC 2152: mail text.
    Mail,
    /// RFC 3501: mailbox names.
    Mailbox,
}

/// The current mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Utf7Mode {
    /// ASCII characters stand for themselves.
    Direct,
    /// Base64.
    Base64(SpareBits),
}

/// The bits of the last base64 character that belong to the next code unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpareBits {
    bits: u8,
    count: u8,
}

use Utf7Mode::{Base64, Direct};

const NONE: SpareBits = SpareBits { bits: 0, count: 0 };

impl Utf7Variant {
    const fn shift(self) -> u8 {
        match self {
            Self::Mail => b'+',
            Self::Mailbox => b'&',
        }
    }

    const fn last_of_64(self) -> u8 {
        match self {
            Self::Mail => b'/',
            Self::Mailbox => b',',
        }
    }

    const fn value(self, byte: u8) -> Option<u8> {
        Some(match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            _ if byte == self.last_of_64() => 63,
            _ => return None,
        })
    }

    const fn digit(self, bits: u32) -> u8 {
        match (bits & 0x3F) as u8 {
            v @ 0..26 => b'A' + v,
            v @ 26..52 => b'a' + v - 26,
            v @ 52..62 => b'0' + v - 52,
            62 => b'+',
            _ => self.last_of_64(),
        }
    }

    /// Whether a byte is read as itself. In mail, these are sets D and O of RFC 2152, space, tab, CR and LF. In mailbox
    /// names, they are printable ASCII, and also CR and LF: no name has them, but a list of names can be decoded as a
    /// whole.
    const fn reads_directly(self, byte: u8) -> bool {
        match self {
            Self::Mail => {
                matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'}') && !matches!(byte, b'+' | b'\\')
            }
            Self::Mailbox => matches!(byte, b'\n' | b'\r' | b' '..=b'~') && byte != b'&',
        }
    }

    /// Whether a character is written as itself. In mail, these are set D of RFC 2152, space, tab, CR and LF, as in
    /// iconv. In mailbox names, they are printable ASCII (RFC 3501, 5.1.3).
    const fn writes_directly(self, byte: u8) -> bool {
        match self {
            Self::Mail => matches!(byte,
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'\'' | b'(' | b')' | b','..=b'/' | b':' | b'?'
                | b' ' | b'\t' | b'\n' | b'\r'),
            Self::Mailbox => matches!(byte, b' '..=b'~') && byte != b'&',
        }
    }

    /// Whether base64 must end with a `-` before this character: if it would be read as base64, or as that `-`. In
    /// RFC 3501, base64 has no other end, so there it always must.
    const fn needs_end(self, byte: u8) -> bool {
        matches!(self, Self::Mailbox) || byte == b'-' || self.value(byte).is_some()
    }

    const fn tables(self) -> &'static Utf7Tables {
        const MAIL: Utf7Tables = Utf7Tables::of(Utf7Variant::Mail);
        const MAILBOX: Utf7Tables = Utf7Tables::of(Utf7Variant::Mailbox);
        match self {
            Self::Mail => &MAIL,
            Self::Mailbox => &MAILBOX,
        }
    }
}

/// The rules of a variant as tables by byte, for the loops over long runs: there a branch misprediction costs more than
/// a lookup.
struct Utf7Tables {
    /// The six bits of a base64 character; of any other byte, [`NO_VALUE`].
    values: [u8; 256],
    digits: [u8; 64],
    read: [bool; 256],
    /// Whether a character is written as itself, without a `-` after it.
    written: [bool; 256],
    /// Whether base64 must end with a `-` before this character.
    needs_end: [bool; 256],
}

/// The entry of a byte that is not base64. It has a bit that no six-bit value has.
const NO_VALUE: u8 = 0x80;

impl Utf7Tables {
    const fn of(form: Utf7Variant) -> Self {
        let mut tables = Self {
            values: [NO_VALUE; 256],
            digits: [0; 64],
            read: [false; 256],
            written: [false; 256],
            needs_end: [false; 256],
        };
        let mut byte = 0;
        while byte < 0x100 {
            let of = byte as u8;
            if let Some(value) = form.value(of) {
                tables.values[byte] = value;
                tables.digits[value as usize] = of;
            }
            tables.read[byte] = form.reads_directly(of) && of != form.shift();
            tables.written[byte] = form.writes_directly(of) && of != form.shift();
            tables.needs_end[byte] = form.needs_end(of);
            byte += 1;
        }
        tables
    }
}

/// The state of the decoder.
#[derive(Clone, Copy, Debug)]
pub struct Utf7 {
    form: Utf7Variant,
    mode: Utf7Mode,
}

/// A code unit in base64, up to the character that holds its last bit.
struct Base64Unit {
    value: u16,
    end: usize,
    spare: SpareBits,
}

impl Utf7 {
    /// Creates the state at the start of a text.
    pub const fn new(form: Utf7Variant) -> Self {
        Self { form, mode: Direct }
    }

    fn shift(self, input: &[u8], last: bool) -> DecodeStep<Utf7Mode> {
        match input.get(1) {
            None if last => DecodeStep::bad(1, IllFormedKind::TruncatedAtEnd, Direct),
            None => DecodeStep::Incomplete,
            Some(b'-') => {
                DecodeStep::Character { cp: self.form.shift().into(), len: 2, change: Direct }
            }
            Some(&byte) if self.form.value(byte).is_some() => self.base64(input, 1, NONE, last),
            Some(_) => DecodeStep::bad(1, IllFormedKind::Truncated, Direct),
        }
    }

    /// Reads the code unit that consists of the spare bits and the base64 from `at` on. If the base64 ends before,
    /// returns the byte that ends it, if any, and its offset.
    fn unit(
        self,
        input: &[u8],
        at: usize,
        spare: SpareBits,
    ) -> Result<Base64Unit, (Option<u8>, usize)> {
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
        let spare = SpareBits { bits: (bits & ((1 << count) - 1)) as u8, count };
        Ok(Base64Unit { value: (bits >> count) as u16, end, spare })
    }

    /// Reads the code unit that consists of the spare bits and the start of `input`, if four bytes are enough to see
    /// that it is a well-formed character.
    ///
    /// A unit takes 16 bits. With 4 spare bits it ends after two base64 characters, with 0 left; with 0 or 2 spare bits
    /// it ends within the third one, with 2 or 4 left. How these cases alternate is the same in each run, but runs are
    /// short, so no branch depends on the case: three characters are always combined, and the results are selected.
    #[inline(always)]
    fn quick_unit(self, tables: &Utf7Tables, input: &[u8], spare: SpareBits) -> Option<Base64Unit> {
        let values = input.first_chunk::<4>()?.map(|byte| tables.values[usize::from(byte)]);
        let bits = values
            .iter()
            .take(3)
            .fold(u32::from(spare.bits), |bits, value| bits << 6 | u32::from(value & 0x3F));
        let is_short = spare.count == 4;
        let unused = spare.count + 2;
        let value = (bits >> unused) as u16;
        let count = select_unpredictable(is_short, 0, unused);
        let spare = SpareBits { bits: (bits & ((1 << count) - 1)) as u8, count };
        let [first, second, third, fourth] = values;
        let last = select_unpredictable(is_short, 0, third);
        let next = select_unpredictable(is_short, third, fourth);
        let is_no_unit = (first | second | last) & NO_VALUE != 0;
        let is_unfinished = (spare.bits != 0) & (next & NO_VALUE != 0);
        let is_direct = (self.form == Utf7Variant::Mailbox) & (0x20..=0x7E).contains(&value);
        let is_usual = !(is_no_unit | is_unfinished | is_direct | is_surrogate(value.into()));
        is_usual.then_some(Base64Unit { value, end: 3 - usize::from(is_short), spare })
    }

    /// Decodes the character in base64 from offset `at` on, which is 1 after a shift character and 0 otherwise.
    ///
    /// What the bytes up to the last bit of the unit decide comes first: surrogates, and in mailbox names a character
    /// that must not be in base64. Only then may the next byte be needed, to check the spare bits.
    fn base64(self, input: &[u8], at: usize, spare: SpareBits, last: bool) -> DecodeStep<Utf7Mode> {
        let unit = match self.unit(input, at, spare) {
            Ok(unit) => unit,
            Err((Some(_), end)) => {
                return DecodeStep::bad(end, IllFormedKind::Truncated, Base64(NONE));
            }
            Err((None, _)) if !last => return DecodeStep::Incomplete,
            Err((None, end)) => {
                return DecodeStep::bad(end, IllFormedKind::TruncatedAtEnd, Base64(NONE));
            }
        };
        let mut end = unit;
        let mut cp = CodePoint::from(end.value);
        let next_state = Base64(end.spare);
        if is_low_surrogate(cp) {
            return DecodeStep::bad(end.end, IllFormedKind::UnpairedLowSurrogate, next_state);
        }
        if is_high_surrogate(cp) {
            match self.unit(input, end.end, end.spare) {
                Ok(low) if is_low_surrogate(low.value.into()) => {
                    cp = join_surrogates(end.value, low.value);
                    end = low;
                }
                Err((None, _)) if !last => return DecodeStep::Incomplete,
                // The text ends within the next unit, which could have become the other half.
                Err((None, text_end)) if text_end > end.end => {
                    return DecodeStep::bad(text_end, IllFormedKind::TruncatedAtEnd, Base64(NONE));
                }
                _ => {
                    return DecodeStep::bad(
                        end.end,
                        IllFormedKind::UnpairedHighSurrogate,
                        next_state,
                    );
                }
            }
        }
        let (len, next_state) = (end.end, Base64(end.spare));
        if self.form == Utf7Variant::Mailbox && matches!(cp, 0x20..=0x7E) {
            return DecodeStep::bad(len, IllFormedKind::Overlong, next_state);
        }
        if end.spare.bits != 0 {
            match input.get(len) {
                None if !last => return DecodeStep::Incomplete,
                Some(&byte) if self.form.value(byte).is_none() => {
                    return DecodeStep::bad(len, IllFormedKind::UndefinedSequence, Base64(NONE));
                }
                _ => {}
            }
        }
        DecodeStep::Character { cp, len, change: next_state }
    }
}

impl StatefulCodec for Utf7 {
    type Change = Utf7Mode;

    fn step(&self, input: &[u8], last: bool) -> DecodeStep<Utf7Mode> {
        let byte = input[0];
        let direct = DecodeStep::Character { cp: byte.into(), len: 1, change: Direct };
        match self.mode {
            Direct if byte == self.form.shift() => self.shift(input, last),
            Direct if self.form.reads_directly(byte) => direct,
            Base64(spare) if self.form.value(byte).is_some() => self.base64(input, 0, spare, last),
            Base64(_) if byte == b'-' => DecodeStep::Shift { len: 1, change: Direct },
            Base64(_) if self.form == Utf7Variant::Mail && self.form.reads_directly(byte) => direct,
            _ => DecodeStep::bad(1, IllFormedKind::InvalidByte, Direct),
        }
    }

    fn apply(&mut self, change: Utf7Mode) {
        self.mode = change;
    }

    /// Characters that stand for themselves and base64, in turn, as far as a lookup per byte and `quick_unit` can tell.
    /// The rest is left to `step`: `+-`, surrogates, faults, and base64 near the end of the input.
    fn run(&mut self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        let tables = self.form.tables();
        let (mut read, mut written) = (0, 0);
        // If the output is full, the `-` after a character stays unread, as in `Stateful::decode`.
        while let Some(slot) = output.get_mut(written)
            && let Some(&byte) = input.get(read)
        {
            let is_read = tables.read[usize::from(byte)];
            let (spare, begin) = match self.mode {
                Direct if is_read => {
                    *slot = byte.into();
                    (read, written) = (read + 1, written + 1);
                    continue;
                }
                Direct if byte == self.form.shift() => (NONE, 1),
                Direct => break,
                Base64(spare) => (spare, 0),
            };
            if let Some(unit) = self.quick_unit(tables, &input[read + begin..], spare) {
                *slot = unit.value.into();
                (read, written) = (read + begin + unit.end, written + 1);
                self.mode = Base64(unit.spare);
            } else if begin == 0 && byte == b'-' {
                read += 1;
                self.mode = Direct;
            } else if begin == 0
                && self.form == Utf7Variant::Mail
                && is_read
                && tables.values[usize::from(byte)] == NO_VALUE
            {
                self.mode = Direct;
            } else {
                break;
            }
        }
        Progress { read, written }
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

    /// Leaves base64: writes the spare bits padded with zeros, and a `-` if needed. The `-` may be left out before a
    /// character that is not base64, as in `+AOk.`: it ends base64 by itself, and is not consumed.
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

    fn end(&mut self) -> CharBytes {
        let mut piece = CharBytes::default();
        self.leave(&mut piece, true);
        piece
    }

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
        self.mode = Base64(SpareBits { bits: (bits & ((1 << count) - 1)) as u8, count });
    }
}

impl EncodeState for Utf7Encoder {
    /// In mail, a `+` within base64 stays in base64 like any other character that is not written directly. In mailbox
    /// names every character of printable ASCII ends base64, and so does `&`.
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

    fn run(&mut self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        let Utf7Tables { digits, written: is_direct, needs_end, .. } = self.form.tables();
        let (mut read, mut written) = (0, 0);
        // At most four bytes are stored for a character: a `+` and three digits. (Leaving base64 takes three: a digit
        // with the spare bits, a `-` and the character.) If the unit ends within two digits, the next character
        // overwrites the third.
        while let Some(to) = output[written..].first_chunk_mut::<8>()
            && let Some(unit) = input.get(read).and_then(|cp| u16::try_from(*cp).ok())
        {
            let byte = u8::try_from(unit).ok();
            let mut at = 0;
            match (byte.filter(|byte| is_direct[usize::from(*byte)]), self.mode) {
                (Some(byte), Direct) => {
                    to[0] = byte;
                    at = 1;
                }
                (Some(byte), Base64(SpareBits { bits, count })) => {
                    // The spare bits, padded with zeros, then a `-`. If there are no bits, or no `-` is needed, the
                    // next store is at the same place.
                    to[0] = digits[usize::from(bits) << ((6 - count) % 6) & 0x3F];
                    at += usize::from(count > 0);
                    to[at] = b'-';
                    at += usize::from(needs_end[usize::from(byte)]);
                    to[at] = byte;
                    at += 1;
                    self.mode = Direct;
                }
                (None, _) if byte == Some(self.form.shift()) || is_surrogate(unit.into()) => break,
                (None, mode) => {
                    let SpareBits { bits, count } = match mode {
                        Base64(spare) => spare,
                        Direct => {
                            to[0] = self.form.shift();
                            at = 1;
                            NONE
                        }
                    };
                    // The bits are moved to the top of 24, which makes three digits. With 16 bits, only two of the
                    // digits are whole; what is left of the bits stays in the state.
                    let (bits, count) = (u32::from(bits) << 16 | u32::from(unit), count + 16);
                    for (digit, shift) in to[at..at + 3].iter_mut().zip([18, 12, 6]) {
                        *digit = digits[(bits << (24 - count) >> shift & 0x3F) as usize];
                    }
                    at += usize::from(count / 6);
                    let count = count % 6;
                    self.mode =
                        Base64(SpareBits { bits: (bits & ((1 << count) - 1)) as u8, count });
                }
            }
            read += 1;
            written += at;
        }
        Progress { read, written }
    }
}

impl Encoder for Utf7Encoder {
    fn encode(&mut self, input: &[CodePoint], output: &mut [u8]) -> EncodeProgress {
        stateful_codec::encode(self, input, output)
    }

    fn pending(&self) -> usize {
        let mut end = *self;
        end.end().len()
    }

    fn finish(&mut self, output: &mut [u8]) -> usize {
        self.end().put(output).expect("there is room for the end")
    }

    fn fork(&self) -> Box<dyn Encoder> {
        Box::new(*self)
    }
}
