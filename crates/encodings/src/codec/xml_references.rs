//! XML: text as XML character data, in ASCII (XML 1.0, sections 2.4, 4.1 and 4.6).
//!
//! ```text
//! written   &amp; &lt; &gt;    &#x20AC; from 80 on
//! read      &amp; &lt; &gt; &quot; &apos;    &#x and 1 to 10 hexadecimal digits ;    &# and 1 to 10 decimal digits ;
//! ```
//!
//! An ampersand that begins none of these stands for itself. The number of digits is limited to bound the lookahead.

use super::one_to_one::plain_run;
use super::unicode_escapes::{escape, no_scalar_value};
use super::{Decoded, Encoded, StatelessCodec};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind, is_scalar_value};
use oxiconv_kernels::Progress;

/// The character references of XML, and its five predefined entities.
#[derive(Clone, Copy, Debug)]
pub struct Xml;

/// The most digits of a reference that is recognized.
const MAX_DIGITS: usize = 10;

const ENTITIES: [(&[u8], u8); 5] =
    [(b"&amp;", b'&'), (b"&lt;", b'<'), (b"&gt;", b'>'), (b"&quot;", b'"'), (b"&apos;", b'\'')];

/// An ampersand that begins no reference.
pub(super) const AMPERSAND: Decoded = Decoded::Character { cp: 0x26, len: 1 };

impl StatelessCodec for Xml {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        plain_run(input, output, |byte| (byte < 0x80) & (byte != b'&'), CodePoint::from)
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        match *input {
            [b'&'] | [b'&', b'#'] => Decoded::Incomplete,
            [b'&', b'#', b'x' | b'X', ..] => number(input, 3, 16),
            [b'&', b'#', ..] => number(input, 2, 10),
            [b'&', ..] => entity(input),
            [byte @ 0..=0x7F, ..] => Decoded::Character { cp: byte.into(), len: 1 },
            _ => Decoded::IllFormed(IllFormed::new(1, IllFormedKind::InvalidByte)),
        }
    }

    fn at_end(&self, _: &[u8]) -> Decoded {
        AMPERSAND
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        let plain = |cp| (cp < 0x80) & (cp != 0x26) & (cp != 0x3C) & (cp != 0x3E);
        plain_run(input, output, plain, |cp| cp as u8)
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        is_scalar_value(cp).then(|| match cp {
            0x26 => Encoded::new(b"&amp;"),
            0x3C => Encoded::new(b"&lt;"),
            0x3E => Encoded::new(b"&gt;"),
            0..=0x7F => Encoded::new(&[cp as u8]),
            _ => {
                let digits = (u32::BITS - cp.leading_zeros()).div_ceil(4) as usize;
                let start = escape(b"&#x", &[cp], digits, false);
                let mut bytes = [b';'; Encoded::MAX_LEN];
                bytes[..3 + digits].copy_from_slice(start.as_slice());
                Encoded::new(&bytes[..4 + digits])
            }
        })
    }
}

fn entity(input: &[u8]) -> Decoded {
    for (entity, character) in ENTITIES {
        if input.starts_with(entity) {
            return Decoded::Character { cp: character.into(), len: entity.len() };
        }
        if entity.starts_with(input) {
            return Decoded::Incomplete;
        }
    }
    AMPERSAND
}

/// Decodes the numeric reference at the start of `input`, with its digits from index `from` on.
pub(super) fn number(input: &[u8], from: usize, radix: u32) -> Decoded {
    let mut value = 0;
    for at in from..=from + MAX_DIGITS {
        match input.get(at).map(|byte| char::from(*byte)) {
            None => return Decoded::Incomplete,
            Some(';') if at > from => {
                // A value that exceeds 32 bits exceeds U+10FFFF too.
                let cp = u32::try_from(value).unwrap_or(u32::MAX);
                return match no_scalar_value(cp) {
                    Some(kind) => Decoded::IllFormed(IllFormed::new(at + 1, kind)),
                    None => Decoded::Character { cp, len: at + 1 },
                };
            }
            Some(character) => match character.to_digit(radix) {
                Some(digit) => value = value * u64::from(radix) + u64::from(digit),
                None => break,
            },
        }
    }
    AMPERSAND
}
