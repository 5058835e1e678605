//! C-ESCAPES: the inside of a C string literal; text and escapes map one to one (ISO/IEC 9899:2011, 6.4.4.4 and 6.4.3).
//!
//! ```text
//! written   \a \b \t \n \v \f \r \" \\    \ooo other ASCII controls    \uXXXX from 80    \UXXXXXXXX above FFFF
//! read      also \' \?, one to three octal digits up to \377, \xHH, and \u and \U for any scalar value
//! ```
//!
//! A backslash that begins none of these is ill-formed. `\xHH` has exactly two digits; like `\ooo` it stands for the
//! code point of that number.

use super::one_to_one::plain_run;
use super::unicode_escapes::{HexDigits, escape, hex_digits, no_scalar_value};
use super::{Decoded, Encoded, StatelessCodec};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind, is_scalar_value};
use oxiconv_kernels::Progress;

/// The escapes of C's string literals.
#[derive(Clone, Copy, Debug)]
pub struct CEscapes;

/// The letters after a backslash, and their characters. The last two are only read.
const LETTERS: [(u8, u8); 11] = [
    (b'a', 0x07),
    (b'b', 0x08),
    (b't', 0x09),
    (b'n', 0x0A),
    (b'v', 0x0B),
    (b'f', 0x0C),
    (b'r', 0x0D),
    (b'"', b'"'),
    (b'\\', b'\\'),
    (b'\'', b'\''),
    (b'?', b'?'),
];
const WRITTEN: usize = LETTERS.len() - 2;

impl StatelessCodec for CEscapes {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        plain_run(input, output, |byte| (byte < 0x80) & (byte != b'\\'), CodePoint::from)
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        match *input {
            [b'\\'] => Decoded::Incomplete,
            [b'\\', b'0'..=b'7', ..] => octal(input, false),
            [b'\\', b'x', ..] => number(input, 2),
            [b'\\', b'u', ..] => number(input, 4),
            [b'\\', b'U', ..] => number(input, 8),
            [b'\\', letter, ..] => match LETTERS.iter().find(|(known, _)| *known == letter) {
                Some((_, cp)) => Decoded::Character { cp: (*cp).into(), len: 2 },
                None => Decoded::IllFormed(IllFormed::new(1, IllFormedKind::InvalidEscape)),
            },
            [byte @ 0..=0x7F, ..] => Decoded::Character { cp: byte.into(), len: 1 },
            _ => Decoded::IllFormed(IllFormed::new(1, IllFormedKind::InvalidByte)),
        }
    }

    fn at_end(&self, rest: &[u8]) -> Decoded {
        match rest {
            [b'\\', b'0'..=b'7', ..] => octal(rest, true),
            _ => Decoded::IllFormed(IllFormed::new(rest.len(), IllFormedKind::TruncatedAtEnd)),
        }
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        let plain = |cp| (0x20..=0x7E).contains(&cp) & (cp != 0x22) & (cp != 0x5C);
        plain_run(input, output, plain, |cp| cp as u8)
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        if let Some((letter, _)) =
            LETTERS[..WRITTEN].iter().find(|(_, known)| CodePoint::from(*known) == cp)
        {
            return Some(Encoded::new(&[b'\\', *letter]));
        }
        let octal = |shift: u32| b'0' + (cp >> shift & 7) as u8;
        is_scalar_value(cp).then(|| match cp {
            0x20..=0x7E => Encoded::new(&[cp as u8]),
            0..=0x7F => Encoded::new(&[b'\\', octal(6), octal(3), octal(0)]),
            0x80..=0xFFFF => escape(b"\\u", &[cp], 4, false),
            _ => escape(b"\\U", &[cp], 8, false),
        })
    }
}

/// Decodes an escape of one to three octal digits at the start of `input`.
fn octal(input: &[u8], last: bool) -> Decoded {
    let digits = input[1..].iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7'));
    let (value, count) = digits.fold((0, 0), |(value, count), byte| {
        (value << 3 | CodePoint::from(byte - b'0'), count + 1)
    });
    let len = 1 + count;
    if count < 3 && len == input.len() && !last {
        Decoded::Incomplete
    } else if value > 0xFF {
        Decoded::IllFormed(IllFormed::new(len, IllFormedKind::InvalidEscape))
    } else {
        Decoded::Character { cp: value, len }
    }
}

/// Decodes an escape of `count` hexadecimal digits at the start of `input`.
fn number(input: &[u8], count: usize) -> Decoded {
    match hex_digits(input, 2, count) {
        HexDigits::Incomplete => Decoded::Incomplete,
        HexDigits::EndAt(at) => Decoded::IllFormed(IllFormed::new(at, IllFormedKind::Truncated)),
        HexDigits::Value(cp) => match no_scalar_value(cp) {
            Some(kind) => Decoded::IllFormed(IllFormed::new(2 + count, kind)),
            None => Decoded::Character { cp, len: 2 + count },
        },
    }
}
