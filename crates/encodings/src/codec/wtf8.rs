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
mod tests {
    use super::*;
    use crate::codec::{DecodeProgress, DecodeStop, Decoder, MIN_OUTPUT, Stateless};

    #[test]
    fn the_bytes_after_a_high_surrogate_say_what_its_form_is() {
        let lone = Decoded::Character { cp: 0xD83D, len: 3 };
        let half = Decoded::IllFormed(IllFormed::new(3, IllFormedKind::Surrogate));
        for (following, expected) in [
            (&b""[..], Decoded::Incomplete),
            (b"\xED", Decoded::Incomplete),
            (b"\xED\xB8", Decoded::Incomplete),
            (b"\xED\xB8\x80", half),
            (b"\xED\xB0\x80", half),
            (b"\xED\xBF\xBF", half),
            (b"\xED\xB8a", lone),
            (b"\xED\xAF", lone),
            (b"\xED\x9F\xBF", lone),
            (b"\xEE", lone),
            (b"a", lone),
        ] {
            let input = [b"\xED\xA0\xBD", following].concat();
            assert_eq!(Wtf8.decode_one(&input), expected, "{input:X?}");
            assert_eq!(GeneralizedUtf8.decode_one(&input), lone, "{input:X?}");
            if expected == Decoded::Incomplete {
                assert_eq!(Wtf8.at_end(&input), lone, "{input:X?}");
            }
        }
        assert_eq!(Wtf8.decode_one(b"\xED\xB8\x80"), Decoded::Character { cp: 0xDE00, len: 3 });
        assert_eq!(Wtf8.decode_one(b"\xED\xA0"), Decoded::Incomplete);
        let cut = IllFormed::new(2, IllFormedKind::TruncatedAtEnd);
        assert_eq!(Wtf8.at_end(b"\xED\xA0"), Decoded::IllFormed(cut));
        let truncated = IllFormed::new(2, IllFormedKind::Truncated);
        assert_eq!(Wtf8.decode_one(b"\xED\xA0\xED"), Decoded::IllFormed(truncated));
    }

    #[test]
    fn a_high_surrogate_at_the_end_of_a_piece_is_not_read_and_at_the_end_of_the_text_is() {
        let (mut decoder, mut pivot) = (Stateless(Wtf8), [0; 8]);
        let mut decode = |last| decoder.decode(b"a\xED\xA0\xBD\xED\xB8", &mut pivot, last);
        assert_eq!(
            decode(false),
            DecodeProgress { read: 1, written: 1, stop: DecodeStop::InputEmpty }
        );
        let cut = IllFormed::new(2, IllFormedKind::TruncatedAtEnd);
        assert_eq!(
            decode(true),
            DecodeProgress { read: 4, written: 2, stop: DecodeStop::IllFormed(cut) }
        );
        assert_eq!(pivot[..2], [0x61, 0xD83D]);
    }

    /// Encodes in calls of these lengths, and finishes.
    fn encoded(calls: &[&[CodePoint]]) -> Vec<u8> {
        let (mut encoder, mut bytes) = (Wtf8Encoder::default(), Vec::new());
        let mut room = [0; MIN_OUTPUT];
        for call in calls {
            let done = encoder.encode(call, &mut room);
            assert_eq!((done.read, done.stop), (call.len(), EncodeStop::InputEmpty));
            bytes.extend(&room[..done.written]);
        }
        let pending = encoder.pending();
        let len = encoder.finish(&mut room);
        assert_eq!((pending, encoder.pending(), encoder.finish(&mut [])), (len, 0, 0));
        bytes.extend(&room[..len]);
        bytes
    }

    #[test]
    fn pairs_are_joined_however_they_come() {
        assert_eq!(encoded(&[&[0xD83D, 0xDE00]]), b"\xF0\x9F\x98\x80");
        assert_eq!(encoded(&[&[0xD83D], &[], &[0xDE00]]), b"\xF0\x9F\x98\x80");
        assert_eq!(
            encoded(&[&[0x61, 0xD800, 0xD800], &[0xDC00, 0xDC00]]),
            b"a\xED\xA0\x80\xF0\x90\x80\x80\xED\xB0\x80"
        );
        assert_eq!(encoded(&[&[0xDBFF], &[0xDFFF, 0xDBFF]]), b"\xF4\x8F\xBF\xBF\xED\xAF\xBF");
        assert_eq!(encoded(&[&[0xDBFF], &[0x61]]), b"\xED\xAF\xBFa");
    }

    #[test]
    fn a_half_waits_for_room_and_past_what_is_unmappable() {
        let (mut encoder, mut room) = (Wtf8Encoder::default(), [0; MIN_OUTPUT]);
        let done = |read, written, stop| EncodeProgress { read, written, stop };
        assert_eq!(
            encoder.encode(&[0xD83D, 0xDE00], &mut room[..3]),
            done(1, 0, EncodeStop::OutputFull)
        );
        assert_eq!(encoder.encode(&[0x61], &mut room[..2]), done(0, 0, EncodeStop::OutputFull));
        // The caller leaves out the unmappable value: what comes next meets the half that is held.
        assert_eq!(encoder.encode(&[0x11_0000], &mut room), done(0, 0, EncodeStop::Unmappable));
        assert_eq!(encoder.encode(&[0xDE00], &mut room), done(1, 4, EncodeStop::InputEmpty));
        assert_eq!(&room[..4], b"\xF0\x9F\x98\x80");
    }
}
