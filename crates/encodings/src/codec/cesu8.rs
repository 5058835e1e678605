//! CESU-8 (UTR 26) and Java's modified UTF-8 (JVM specification, 4.4.7): UTF-16 code units as three-byte sequences.
//!
//! ```text
//!           supplementary   unpaired surrogates   U+0000   F0 to FF
//! CESU-8    six bytes       ill-formed            00       ill-formed
//! MUTF-8    six bytes       three bytes           C0 80    ill-formed, as is 00
//! ```
//!
//! The maximal subpart (D93b) of CESU-8's six bytes is a prefix of them of up to five bytes, with one exception: an ED
//! in the fourth place that begins another well-formed sequence is not part of it, because a well-formed sequence is
//! never consumed as part of an error (3.9, "Constraints on Conversion Processes"). ED B0..BF, which begins no sequence
//! of its own, is part of it.

use super::wtf8::{
    AfterHighSurrogate, following, surrogate, surrogate_at_end, surrogate_bytes, surrogate_form,
};
use super::{Decoded, Encoded, StatelessCodec, Utf8Codec};
use crate::unicode::{
    CodePoint, IllFormed, IllFormedKind, is_high_surrogate, is_surrogate, join_surrogates,
};
use oxiconv_kernels::{EncodingForm, Progress, decode, encode};

/// CESU-8: supplementary characters as two three-byte sequences, for their surrogate pair; scalar values only.
#[derive(Clone, Copy, Debug)]
pub struct Cesu8;

/// MUTF-8, Java's modified UTF-8: any sequence of UTF-16 code units, without a 00 byte.
#[derive(Clone, Copy, Debug)]
pub struct Mutf8;

impl StatelessCodec for Cesu8 {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        decode_run::<false>(input, output)
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        if let Some((cp, len)) = sequence::<false>(input) {
            return Decoded::Character { cp, len };
        }
        match input {
            [0xF0..=0xFF, ..] => Decoded::IllFormed(IllFormed::new(1, IllFormedKind::InvalidByte)),
            [0xED, 0xA0..=0xAF, ..] => broken_pair(input),
            _ => Utf8Codec.decode_one(input),
        }
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        encode_run::<false>(input, output)
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        pair_bytes(cp).or_else(|| Utf8Codec.encode_one(cp))
    }
}

impl StatelessCodec for Mutf8 {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        decode_run::<true>(input, output)
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        if let Some((cp, len)) = sequence::<true>(input) {
            return Decoded::Character { cp, len };
        }
        let ill_formed = |kind| Decoded::IllFormed(IllFormed::new(1, kind));
        match *input {
            [0 | 0xF0..=0xFF, ..] => ill_formed(IllFormedKind::InvalidByte),
            [0xC0] => Decoded::Incomplete,
            [0xC0, 0x80..=0xBF, ..] => ill_formed(IllFormedKind::Overlong),
            [0xC0, ..] => ill_formed(IllFormedKind::Truncated),
            _ => match surrogate_form(input) {
                Some(Decoded::Character { cp, len })
                    if is_high_surrogate(cp)
                        && matches!(following(&input[len..]), AfterHighSurrogate::Unknown) =>
                {
                    Decoded::Incomplete
                }
                Some(one) => one,
                None => Utf8Codec.decode_one(input),
            },
        }
    }

    fn at_end(&self, rest: &[u8]) -> Decoded {
        surrogate_at_end(rest)
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        encode_run::<true>(input, output)
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        match cp {
            0 => Some(Encoded::new(&[0xC0, 0x80])),
            _ if is_surrogate(cp) => Some(Encoded::new(&surrogate_bytes(cp))),
            _ => pair_bytes(cp).or_else(|| Utf8Codec.encode_one(cp)),
        }
    }
}

/// Characters converted one by one before the kernel is tried again. Trying it after each would cost a call for nothing
/// in text without ASCII.
const SCALAR_STEPS: usize = 16;
/// Units searched for U+0000 at a time, before the kernel gets them.
const WINDOW: usize = 1024;

/// Decodes the whole run, including pairs. Only ill-formed or incomplete sequences, and unpaired surrogates in MUTF-8,
/// are left to the scalar decoder.
fn decode_run<const JAVA: bool>(input: &[u8], output: &mut [CodePoint]) -> Progress {
    let (mut read, mut written) = (0, 0);
    loop {
        let mut plain = &input[read..];
        if JAVA {
            let window = plain.iter().take(WINDOW);
            plain = &plain[..window.take_while(|byte| (1..0x80).contains(*byte)).count()];
        }
        let run = decode(EncodingForm::Ascii, plain, &mut output[written..]);
        read += run.read;
        written += run.written;
        for _ in 0..SCALAR_STEPS {
            let Some(slot) = output.get_mut(written) else { return Progress { read, written } };
            let Some((cp, len)) = sequence::<JAVA>(&input[read..]) else {
                return Progress { read, written };
            };
            *slot = cp;
            written += 1;
            read += len;
        }
    }
}

/// Decodes the well-formed sequence at the start of `input`; `None` if it is incomplete or an unpaired surrogate.
///
/// C0 and C1 match no arm, except for MUTF-8's C0 80, and E0 80..9F fails the test for at least 800: so overlong forms
/// are left to the scalar decoder too.
#[inline(always)]
fn sequence<const JAVA: bool>(input: &[u8]) -> Option<(CodePoint, usize)> {
    let tail = |byte: u8| (byte & 0xC0 == 0x80).then_some(CodePoint::from(byte & 0x3F));
    match *input {
        [0, ..] if JAVA => None,
        [a @ 0..=0x7F, ..] => Some((a.into(), 1)),
        [0xC0, 0x80, ..] if JAVA => Some((0, 2)),
        [a @ 0xC2..=0xDF, b, ..] => Some((CodePoint::from(a & 0x1F) << 6 | tail(b)?, 2)),
        [0xED, b @ 0xA0..=0xAF, c, 0xED, e @ 0xB0..=0xBF, f, ..] => {
            tail(c).and(tail(f))?;
            Some((join_surrogates(surrogate(b, c) as u16, surrogate(e, f) as u16), 6))
        }
        [a @ 0xE0..=0xEF, b, c, ..] => {
            let cp = CodePoint::from(a & 0x0F) << 12 | tail(b)? << 6 | tail(c)?;
            (cp >= 0x800 && !is_surrogate(cp)).then_some((cp, 3))
        }
        _ => None,
    }
}

/// Classifies input that begins with a high surrogate, or with its first two bytes, but not with a whole pair.
///
/// ```text
/// ED A0 80             incomplete: a low surrogate may follow
/// ED A0 80 ED B0 61    five bytes are ill-formed: ED B0 could have been the start of the low surrogate
/// ED A0 80 ED 61       four: so could ED
/// ED A0 80 ED 9F       three: ED 9F begins a sequence of its own, which must not be consumed
/// ED A0 80 61          three
/// ```
fn broken_pair(input: &[u8]) -> Decoded {
    let ill_formed = |len, kind| Decoded::IllFormed(IllFormed::new(len, kind));
    match (surrogate_form(input), input.get(3..).unwrap_or_default()) {
        (Some(Decoded::Character { .. }), rest) => match rest {
            [] | [0xED] | [0xED, 0xB0..=0xBF] => Decoded::Incomplete,
            [0xED, 0x80..=0xAF, ..] => ill_formed(3, IllFormedKind::Surrogate),
            [0xED, 0xB0..=0xBF, ..] => ill_formed(5, IllFormedKind::Truncated),
            [0xED, ..] => ill_formed(4, IllFormedKind::Truncated),
            _ => ill_formed(3, IllFormedKind::Surrogate),
        },
        (one, _) => one.unwrap_or(Decoded::Incomplete),
    }
}

fn pair_bytes(cp: CodePoint) -> Option<Encoded> {
    let mut units = [0; 2];
    let [high, low] = *char::from_u32(cp)?.encode_utf16(&mut units) else { return None };
    let ([a, b, c], [d, e, f]) = (surrogate_bytes(high.into()), surrogate_bytes(low.into()));
    Some(Encoded::new(&[a, b, c, d, e, f]))
}

/// Encodes a run of scalar values. Those above U+007F, and U+0000 in MUTF-8, are encoded one by one.
fn encode_run<const JAVA: bool>(input: &[CodePoint], output: &mut [u8]) -> Progress {
    let (mut read, mut written) = (0, 0);
    loop {
        let mut plain = &input[read..];
        if JAVA {
            let window = plain.iter().take(WINDOW);
            plain = &plain[..window.take_while(|cp| (1..0x80).contains(*cp)).count()];
        }
        let run = encode(EncodingForm::Ascii, plain, &mut output[written..]);
        read += run.read;
        written += run.written;
        for _ in 0..SCALAR_STEPS {
            let Some(&cp) = input.get(read) else { return Progress { read, written } };
            let Some(len) = put::<JAVA>(cp, &mut output[written..]) else {
                return Progress { read, written };
            };
            read += 1;
            written += len;
        }
    }
}

/// Writes a scalar value at the start of `output` and returns its length; `None` if it is not one or does not fit.
#[inline(always)]
fn put<const JAVA: bool>(cp: CodePoint, output: &mut [u8]) -> Option<usize> {
    let tail = |shift: u32| (cp >> shift & 0x3F) as u8 | 0x80;
    Some(match cp {
        0 if JAVA => {
            *output.first_chunk_mut()? = [0xC0, 0x80];
            2
        }
        0..0x80 => {
            *output.first_chunk_mut()? = [cp as u8];
            1
        }
        0x80..0x800 => {
            *output.first_chunk_mut()? = [(cp >> 6) as u8 | 0xC0, tail(0)];
            2
        }
        0x800..0x1_0000 if !is_surrogate(cp) => {
            *output.first_chunk_mut()? = [(cp >> 12) as u8 | 0xE0, tail(6), tail(0)];
            3
        }
        0x1_0000..0x11_0000 => {
            output.get_mut(..6)?.copy_from_slice(pair_bytes(cp)?.as_slice());
            6
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
