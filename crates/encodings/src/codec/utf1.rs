//! UTF-1 (ISO/IEC 10646-1:1993, Annex G; ISO-IR-178): controls are never part of a longer sequence, so the other 190
//! bytes are digits in base 190, after a lead byte.
//!
//! ```text
//! 00..9F                   the byte           00..9F
//! A0 b        A0..FF       b                  A0..FF
//! A1..F5 d    d = T(z)     100 + digits       100..4015
//! F6..FB d d               4016 + digits      4016..38E2D
//! FC d d d d               38E2E + digits     38E2E..10FFFF (with FD to FF up to 7FFFFFFF: out of range)
//! T(z): 0..5D are 21..7E, 5E..BD are A0..FF
//! ```
//!
//! No value has two sequences. A digit may be a byte of ASCII or a lead byte, so a decoder cannot resynchronize within
//! a text.

use super::one_to_one::plain_run;
use super::subpart::{Lead, decode_digits};
use super::{Decoded, Encoded, StatelessCodec};
use crate::unicode::{CodePoint, is_scalar_value};
use oxiconv_kernels::Progress;

/// UTF-1: one, two, three or five bytes, scalar values only.
#[derive(Clone, Copy, Debug)]
pub struct Utf1;

/// The number of different trail bytes.
const RADIX: u32 = 190;
/// The least values with two bytes including a digit, with three bytes, and with five bytes.
const TWO: u32 = 0x100;
const THREE: u32 = 0x4016;
const FIVE: u32 = 0x3_8E2E;

/// Returns the byte of a digit: T(z) for z below 190.
const fn byte_of(z: u32) -> u8 {
    (if z < 0x5E { z + 0x21 } else { z + 0x42 }) as u8
}

/// Returns the digit of a byte: U(x), if there is one.
const fn digit_of(byte: u8) -> Option<u32> {
    match byte {
        0x21..=0x7E => Some(byte as u32 - 0x21),
        0xA0..=0xFF => Some(byte as u32 - 0x42),
        _ => None,
    }
}

/// Returns what a lead byte from A0 on determines. After A0, the second byte is the value itself, from A0 on.
const fn lead(first: u8) -> Lead {
    let (len, zero, base) = match first {
        0xA0 => (2, 0xA0, 0xA0),
        0xA1..=0xF5 => (2, 0xA1, TWO),
        0xF6..=0xFB => (3, 0xF6, THREE),
        _ => (5, 0xFC, FIVE),
    };
    let radix = if first == 0xA0 { 0x60 } else { RADIX as u64 };
    Lead { len, digit: (first - zero) as u32, radix, base: base as u64, least: 0 }
}

impl StatelessCodec for Utf1 {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        plain_run(input, output, |byte| byte < 0xA0, CodePoint::from)
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        match input[0] {
            byte @ 0..=0x9F => Decoded::Character { cp: byte.into(), len: 1 },
            0xA0 => decode_digits(&lead(0xA0), input, |byte| byte.checked_sub(0xA0).map(u32::from)),
            first => decode_digits(&lead(first), input, digit_of),
        }
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        plain_run(input, output, |cp| cp < 0xA0, |cp| cp as u8)
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        let digits = |first: u32, value: u32, following: u32| {
            let mut bytes = [0; 5];
            bytes[0] = (first + value / RADIX.pow(following)) as u8;
            for at in 1..=following {
                bytes[at as usize] = byte_of(value / RADIX.pow(following - at) % RADIX);
            }
            Encoded::new(&bytes[..=following as usize])
        };
        is_scalar_value(cp).then(|| match cp {
            0..0xA0 => Encoded::new(&[cp as u8]),
            0xA0..TWO => Encoded::new(&[0xA0, cp as u8]),
            TWO..THREE => digits(0xA1, cp - TWO, 1),
            THREE..FIVE => digits(0xF6, cp - THREE, 2),
            _ => digits(0xFC, cp - FIVE, 4),
        })
    }
}
