//! C99 and JAVA, as in GNU libiconv: text with other characters as escapes.
//!
//! ```text
//! C99    00..9F themselves   \uXXXX  \UXXXXXXXX    from A0 on, and 24 $, 40 @, 60 `     (ISO/IEC 9899:1999, 6.4.3)
//! JAVA   00..FF themselves   \uXXXX                a surrogate pair above FFFF; written from 80 on
//! ```
//!
//! Anything that is not an escape is plain: `\`, `\n`, `\u12`. So plain text may look like an escape, which the encoder
//! has to prevent:
//!
//! ```text
//! \ u 0 0 4 ─► plain     1 ─► JAVA: \u0031, which completes no escape
//!                             C99:  plain if it completes a valid escape, as in libiconv; otherwise unmappable
//! ```

use super::one_to_one::plain_run;
use super::{Decoded, EncodeProgress, EncodeStop, Encoded, Encoder, StatelessCodec};
use crate::unicode::{
    CodePoint, IllFormed, IllFormedKind, MAX_CODE_POINT, is_high_surrogate, is_low_surrogate,
    is_scalar_value, is_surrogate, join_surrogates,
};
use oxiconv_kernels::Progress;

/// C99: ASCII, the C1 controls, `\uXXXX` and `\UXXXXXXXX`. Its encoder is [`EscapingEncoder`].
#[derive(Clone, Copy, Debug)]
pub struct C99;

/// JAVA: ISO-8859-1 and `\uXXXX`. Its encoder is [`EscapingEncoder`].
#[derive(Clone, Copy, Debug)]
pub struct Java;

/// A backslash that begins no escape.
const BACKSLASH: Decoded = Decoded::Character { cp: 0x5C, len: 1 };

/// The result of reading a number of hexadecimal digits.
pub(super) enum HexDigits {
    /// All of them.
    Value(u32),
    /// Some of them, and the input ends.
    Incomplete,
    /// Some of them, and then another byte at this index of the input.
    EndAt(usize),
}

/// Reads `count` hexadecimal digits from index `from` on; at most eight.
pub(super) fn hex_digits(input: &[u8], from: usize, count: usize) -> HexDigits {
    let mut value = 0;
    for at in from..from + count {
        let Some(byte) = input.get(at) else { return HexDigits::Incomplete };
        let Some(digit) = char::from(*byte).to_digit(16) else { return HexDigits::EndAt(at) };
        value = value << 4 | digit;
    }
    HexDigits::Value(value)
}

/// Returns why a value is not a scalar value, and so its escape names no character; `None` if it is one.
pub(super) const fn no_scalar_value(value: u32) -> Option<IllFormedKind> {
    match value {
        value if is_surrogate(value) => Some(IllFormedKind::Surrogate),
        value if value > MAX_CODE_POINT => Some(IllFormedKind::OutOfRange),
        _ => None,
    }
}

/// Returns `begin` followed by `count` hexadecimal digits of each of `values`, upper- or lower-case.
pub(super) fn escape(begin: &[u8], values: &[u32], count: usize, lower: bool) -> Encoded {
    let mut bytes = [0; Encoded::MAX_LEN];
    let mut len = 0;
    for value in values {
        bytes[len..len + begin.len()].copy_from_slice(begin);
        len += begin.len();
        for at in (0..count).rev() {
            let digit = (value >> (4 * at) & 0xF) as usize;
            let digits = if lower { b"0123456789abcdef" } else { b"0123456789ABCDEF" };
            bytes[len] = digits[digit];
            len += 1;
        }
    }
    Encoded::new(&bytes[..len])
}

impl C99 {
    /// Returns why an escape of C99's syntax is not allowed in C99, if it is not.
    const fn fault(value: u32) -> Option<IllFormedKind> {
        match value {
            0x24 | 0x40 | 0x60 => None,
            0..0xA0 => Some(IllFormedKind::InvalidEscape),
            value => no_scalar_value(value),
        }
    }
}

impl StatelessCodec for C99 {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        plain_run(input, output, |byte| (byte < 0xA0) & (byte != b'\\'), CodePoint::from)
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        let count = match *input {
            [b'\\'] => return Decoded::Incomplete,
            [b'\\', b'u', ..] => 4,
            [b'\\', b'U', ..] => 8,
            [byte @ 0..=0x9F, ..] => return Decoded::Character { cp: byte.into(), len: 1 },
            _ => return Decoded::IllFormed(IllFormed::new(1, IllFormedKind::InvalidByte)),
        };
        match hex_digits(input, 2, count) {
            HexDigits::Incomplete => Decoded::Incomplete,
            HexDigits::EndAt(_) => BACKSLASH,
            HexDigits::Value(cp) => match Self::fault(cp) {
                Some(kind) => Decoded::IllFormed(IllFormed::new(2 + count, kind)),
                None => Decoded::Character { cp, len: 2 + count },
            },
        }
    }

    fn at_end(&self, _: &[u8]) -> Decoded {
        BACKSLASH
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        plain_run(input, output, |cp| (cp < 0xA0) & (cp != 0x5C), |cp| cp as u8)
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        is_scalar_value(cp).then(|| match cp {
            0..0xA0 => Encoded::new(&[cp as u8]),
            0xA0..0x1_0000 => escape(b"\\u", &[cp], 4, true),
            _ => escape(b"\\U", &[cp], 8, true),
        })
    }
}

impl StatelessCodec for Java {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        plain_run(input, output, |byte| byte != b'\\', CodePoint::from)
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        match *input {
            [b'\\'] => return Decoded::Incomplete,
            [b'\\', b'u', ..] => {}
            [byte, ..] => return Decoded::Character { cp: byte.into(), len: 1 },
            [] => return Decoded::Incomplete,
        }
        let unit = match hex_digits(input, 2, 4) {
            HexDigits::Incomplete => return Decoded::Incomplete,
            HexDigits::EndAt(_) => return BACKSLASH,
            HexDigits::Value(unit) => unit,
        };
        if is_low_surrogate(unit) {
            return Decoded::IllFormed(IllFormed::new(6, IllFormedKind::UnpairedLowSurrogate));
        }
        if !is_high_surrogate(unit) {
            return Decoded::Character { cp: unit, len: 6 };
        }
        // A high surrogate needs a second escape. Whatever cannot become one makes the first ill-formed, and is left to
        // be decoded by itself.
        let low = match input[6..] {
            [] | [b'\\'] => HexDigits::Incomplete,
            [b'\\', b'u', ..] => hex_digits(input, 8, 4),
            _ => HexDigits::EndAt(6),
        };
        match low {
            HexDigits::Incomplete => Decoded::Incomplete,
            HexDigits::Value(low) if is_low_surrogate(low) => {
                Decoded::Character { cp: join_surrogates(unit as u16, low as u16), len: 12 }
            }
            _ => Decoded::IllFormed(IllFormed::new(6, IllFormedKind::UnpairedHighSurrogate)),
        }
    }

    fn at_end(&self, rest: &[u8]) -> Decoded {
        match hex_digits(rest, 2, 4) {
            // A whole escape is incomplete only if it is a high surrogate.
            HexDigits::Value(_) => {
                Decoded::IllFormed(IllFormed::new(6, IllFormedKind::UnpairedHighSurrogate))
            }
            _ => BACKSLASH,
        }
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        plain_run(input, output, |cp| (cp < 0x80) & (cp != 0x5C), |cp| cp as u8)
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        let character = char::from_u32(cp)?;
        if cp < 0x80 {
            return Some(Encoded::new(&[cp as u8]));
        }
        let mut units = [0; 2];
        let len = character.encode_utf16(&mut units).len();
        Some(escape(b"\\u", &units.map(u32::from)[..len], 4, true))
    }
}

/// An encoding whose plain text may look like an escape.
pub trait Escapes: StatelessCodec {
    /// Whether it has `\UXXXXXXXX`.
    const LONG: bool;

    /// Encodes the digit `cp` after plain text with which it would complete an escape for `value`.
    fn encode_last_digit(&self, cp: CodePoint, value: u32) -> Option<Encoded>;
}

impl Escapes for C99 {
    const LONG: bool = true;

    fn encode_last_digit(&self, cp: CodePoint, value: u32) -> Option<Encoded> {
        // Text with a valid C99 escape is written as it is, as in source code. One that would be ill-formed cannot be
        // written.
        Self::fault(value).is_none().then(|| self.encode_one(cp)).flatten()
    }
}

impl Escapes for Java {
    const LONG: bool = false;

    fn encode_last_digit(&self, cp: CodePoint, _: u32) -> Option<Encoded> {
        Some(escape(b"\\u", &[cp], 4, true))
    }
}

/// The encoder of C99 and JAVA, which keeps plain text from being read as an escape.
#[derive(Clone, Debug)]
pub struct EscapingEncoder<S> {
    scheme: S,
    looks: EscapePrefix,
}

/// The start of an escape that the last characters written look like:
///
/// ```text
/// \          Begun
/// \u00       Digits { left: 2, value: 0 }
/// \u00x      Plain
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EscapePrefix {
    Plain,
    /// A backslash.
    Begun,
    /// An escape that lacks `left` digits; `value` is that of the others.
    Digits {
        left: u8,
        value: u32,
    },
}

impl EscapePrefix {
    /// Returns what they look like with `cp` appended.
    fn then(self, cp: CodePoint, long: bool) -> Self {
        let character = char::from_u32(cp).unwrap_or_default();
        match (self, character) {
            (_, '\\') => Self::Begun,
            (Self::Begun, 'u') => Self::Digits { left: 4, value: 0 },
            (Self::Begun, 'U') if long => Self::Digits { left: 8, value: 0 },
            (Self::Digits { left, value }, character) => {
                character.to_digit(16).map_or(Self::Plain, |digit| Self::Digits {
                    left: left - 1,
                    value: value << 4 | digit,
                })
            }
            _ => Self::Plain,
        }
    }
}

impl<S: Escapes> EscapingEncoder<S> {
    /// Creates an encoder for the start of a text.
    pub fn new(scheme: S) -> Self {
        Self { scheme, looks: EscapePrefix::Plain }
    }
}

impl<S: Escapes> Encoder for EscapingEncoder<S> {
    fn encode(&mut self, input: &[CodePoint], output: &mut [u8]) -> EncodeProgress {
        let (mut read, mut written) = (0, 0);
        let stop = loop {
            // A run ends before a backslash, so it never writes the start of an escape. Its characters may only be
            // written while none has begun.
            if self.looks == EscapePrefix::Plain {
                let run = self.scheme.encode_run(&input[read..], &mut output[written..]);
                read += run.read;
                written += run.written;
            }
            let Some(&cp) = input.get(read) else { break EncodeStop::InputEmpty };
            let (one, looks) = match self.looks.then(cp, S::LONG) {
                EscapePrefix::Digits { left: 0, value } => {
                    (self.scheme.encode_last_digit(cp, value), EscapePrefix::Plain)
                }
                looks => (self.scheme.encode_one(cp), looks),
            };
            let Some(one) = one else { break EncodeStop::Unmappable };
            let bytes = one.as_slice();
            let Some(slot) = output.get_mut(written..written + bytes.len()) else {
                break EncodeStop::OutputFull;
            };
            slot.copy_from_slice(bytes);
            written += bytes.len();
            read += 1;
            self.looks = looks;
        };
        EncodeProgress { read, written, stop }
    }

    fn fork(&self) -> Box<dyn Encoder> {
        Box::new(self.clone())
    }
}
