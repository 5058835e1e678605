//! Generalized UTF-8 and WTF-8 (the WTF-8 specification): UTF-8 in which surrogate code points are three bytes.
//!
//! ```text
//! ED A0..AF xx   a high surrogate       ED B0..BF xx   a low surrogate       high before low: a pair
//! ```
//!
//! In generalized UTF-8 each of them is a character. In WTF-8 a pair is ill-formed, because its supplementary code
//! point has four bytes. So whether a high surrogate is valid depends on the three bytes after it. The ill-formed
//! subsequence of a pair is the high surrogate: it would be well-formed except for what follows. The low surrogate is
//! then examined by itself, and is a character. So a conversion that replaces writes one U+FFFD for each surrogate byte
//! sequence, paired or not, like the specification's lossy conversion to UTF-8.
//!
//! The encoder of WTF-8 joins pairs even if the halves come in two calls: it holds a high surrogate back until it sees
//! what follows.

use super::{Decoded, EncodeProgress, EncodeStop, Encoded, Encoder, StatelessCodec, Utf8Codec};
use crate::unicode::{
    CodePoint, IllFormed, IllFormedKind, is_high_surrogate, is_low_surrogate, is_surrogate,
    join_surrogates,
};
use oxiconv_kernels::{EncodingForm, Progress, decode, encode};

/// Generalized UTF-8 (Tables 2 and 3 of the WTF-8 specification): every code point by itself, including surrogates.
#[derive(Clone, Copy, Debug)]
pub struct GeneralizedUtf8;

impl StatelessCodec for GeneralizedUtf8 {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        decode(EncodingForm::Utf8, input, output)
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        surrogate_form(input).unwrap_or_else(|| Utf8Codec.decode_one(input))
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        encode(EncodingForm::Utf8, input, output)
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        if is_surrogate(cp) {
            Some(Encoded::new(&surrogate_bytes(cp)))
        } else {
            Utf8Codec.encode_one(cp)
        }
    }
}

/// The WTF-8 decoder. The encoder is [`Wtf8Encoder`]: joining pairs takes more than one code point at a time.
#[derive(Clone, Copy, Debug)]
pub struct Wtf8;

impl StatelessCodec for Wtf8 {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        GeneralizedUtf8.decode_run(input, output)
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        let one = GeneralizedUtf8.decode_one(input);
        match one {
            Decoded::Character { cp, len } if is_high_surrogate(cp) => {
                match following(&input[len..]) {
                    AfterHighSurrogate::Low => {
                        Decoded::IllFormed(IllFormed::new(len, IllFormedKind::Surrogate))
                    }
                    AfterHighSurrogate::Other => one,
                    AfterHighSurrogate::Unknown => Decoded::Incomplete,
                }
            }
            _ => one,
        }
    }

    fn at_end(&self, rest: &[u8]) -> Decoded {
        surrogate_at_end(rest)
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        GeneralizedUtf8.encode_run(input, output)
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        GeneralizedUtf8.encode_one(cp)
    }
}

/// The encoder of WTF-8: a high surrogate and a low one after it are written as one four-byte sequence.
#[derive(Clone, Debug, Default)]
pub struct Wtf8Encoder {
    /// A high surrogate: read, but not written until the next code point is known.
    held: Option<u16>,
}

impl Encoder for Wtf8Encoder {
    fn encode(&mut self, input: &[CodePoint], output: &mut [u8]) -> EncodeProgress {
        let (mut read, mut written) = (0, 0);
        let stop = loop {
            if self.held.is_none() {
                let run = GeneralizedUtf8.encode_run(&input[read..], &mut output[written..]);
                read += run.read;
                written += run.written;
            }
            let Some(&cp) = input.get(read) else { break EncodeStop::InputEmpty };
            // Do not write the surrogate held yet: if the caller leaves this value out, the next one may be its other
            // half.
            let Some(mut one) = GeneralizedUtf8.encode_one(cp) else {
                break EncodeStop::Unmappable;
            };
            // Four cases: the two halves of a pair, written together; a held surrogate without its other half, written
            // before `cp` is looked at again in the next round; a high surrogate, held back; and anything else.
            let mut used = 1;
            let mut hold = None;
            match self.held {
                Some(high) if is_low_surrogate(cp) => {
                    let Some(joined) = Utf8Codec.encode_one(join_surrogates(high, cp as u16))
                    else {
                        break EncodeStop::Unmappable;
                    };
                    one = joined;
                }
                Some(high) => {
                    one = Encoded::new(&surrogate_bytes(high.into()));
                    used = 0;
                }
                None if is_high_surrogate(cp) => {
                    one = Encoded::new(&[]);
                    hold = Some(cp as u16);
                }
                None => {}
            }
            let bytes = one.as_slice();
            let Some(slot) = output.get_mut(written..written + bytes.len()) else {
                break EncodeStop::OutputFull;
            };
            slot.copy_from_slice(bytes);
            self.held = hold;
            written += bytes.len();
            read += used;
        };
        EncodeProgress { read, written, stop }
    }

    fn pending(&self) -> usize {
        self.held.map_or(0, |high| surrogate_bytes(high.into()).len())
    }

    fn finish(&mut self, output: &mut [u8]) -> usize {
        let Some(high) = self.held.take() else { return 0 };
        let bytes = surrogate_bytes(high.into());
        output[..bytes.len()].copy_from_slice(&bytes);
        bytes.len()
    }

    fn fork(&self) -> Box<dyn Encoder> {
        Box::new(self.clone())
    }
}

/// Classifies the start of `input` if it begins with ED A0..BF: a surrogate byte sequence (Table 1), whole or not.
pub(super) fn surrogate_form(input: &[u8]) -> Option<Decoded> {
    let [0xED, second @ 0xA0..=0xBF, rest @ ..] = input else { return None };
    Some(match rest.first() {
        None => Decoded::Incomplete,
        Some(third @ 0x80..=0xBF) => Decoded::Character { cp: surrogate(*second, *third), len: 3 },
        Some(_) => Decoded::IllFormed(IllFormed::new(2, IllFormedKind::Truncated)),
    })
}

/// What follows the bytes of a high surrogate.
pub(super) enum AfterHighSurrogate {
    /// The bytes of a low surrogate.
    Low,
    /// Something else.
    Other,
    /// The input ends too early to tell.
    Unknown,
}

pub(super) fn following(rest: &[u8]) -> AfterHighSurrogate {
    match rest {
        [0xED, 0xB0..=0xBF, 0x80..=0xBF, ..] => AfterHighSurrogate::Low,
        [] | [0xED] | [0xED, 0xB0..=0xBF] => AfterHighSurrogate::Unknown,
        _ => AfterHighSurrogate::Other,
    }
}

/// Implements [`StatelessCodec::at_end`] for encodings in which unpaired surrogates are characters: at the end of the
/// text, a high surrogate can no longer become a pair.
pub(super) fn surrogate_at_end(rest: &[u8]) -> Decoded {
    match surrogate_form(rest) {
        Some(one @ Decoded::Character { .. }) => one,
        _ => Decoded::IllFormed(IllFormed::new(rest.len(), IllFormedKind::TruncatedAtEnd)),
    }
}

/// Returns the surrogate code point encoded by ED and these two bytes.
pub(super) const fn surrogate(second: u8, third: u8) -> CodePoint {
    0xD000 | (second as u32 & 0x3F) << 6 | third as u32 & 0x3F
}

/// Returns the three bytes of a surrogate code point.
pub(super) const fn surrogate_bytes(cp: CodePoint) -> [u8; 3] {
    [0xED, 0x80 | (cp >> 6 & 0x3F) as u8, 0x80 | (cp & 0x3F) as u8]
}

#[cfg(test)]
mod tests;
