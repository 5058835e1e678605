//! The loops that all stateless encodings share.
//!
//! ```text
//! loop: the kernel converts a well-formed run ─► where it stops, one step of the scalar decoder:
//!       a character (the kernel gave up early) ─► continue
//!       incomplete ─► stop, or decide at the end of the text;   ill-formed ─► stop
//! ```
//!
//! Only the scalar decoder says what is wrong, so the rules of ill-formed subsequences are written once per encoding.

use super::{
    CodeValue, DecodeProgress, DecodeStop, Decoder, EncodeProgress, EncodeStop, Encoder, Lossy,
};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind};
use oxiconv_kernels::{EncodingForm, FormPair, Progress};

/// What is at the start of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decoded {
    /// A character of `len` bytes.
    Character {
        /// Its code point.
        cp: CodePoint,
        /// Its length in bytes.
        len: usize,
    },
    /// A character of `len` bytes for which Unicode has no code point of its own, but a sequence of two.
    Sequence {
        /// The code points.
        cps: [CodePoint; 2],
        /// Its length in bytes.
        len: usize,
    },
    /// A character of `len` bytes whose value has more bits than a code point.
    Large {
        /// Its value.
        value: CodeValue,
        /// Its length in bytes.
        len: usize,
    },
    /// The start of a character; the input ends inside it.
    Incomplete,
    /// An ill-formed subsequence.
    IllFormed(IllFormed),
}

/// The bytes of one encoded character, without allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoded {
    bytes: [u8; Self::MAX_LEN],
    len: u8,
}

impl Encoded {
    /// The length of the longest: nine units of nine bits, each in two octets.
    pub const MAX_LEN: usize = 18;

    /// Creates it from at most [`Encoded::MAX_LEN`] bytes.
    pub fn new(bytes: &[u8]) -> Self {
        let mut one = Self { bytes: [0; Self::MAX_LEN], len: bytes.len() as u8 };
        one.bytes[..bytes.len()].copy_from_slice(bytes);
        one
    }

    /// Returns the bytes.
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

/// An encoding without state between characters, in which each sequence of bytes stands for one code point.
pub trait StatelessCodec: Clone + Send + 'static {
    /// Returns the encoding form, if the encoding is exactly what the kernels for that form read and write.
    fn form(&self) -> Option<EncodingForm> {
        None
    }

    /// Decodes a well-formed run, under the contract of [`oxiconv_kernels`].
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress;

    /// Decodes or classifies the start of `input`, which is not empty.
    fn decode_one(&self, input: &[u8]) -> Decoded;

    /// Classifies `rest`, which [`StatelessCodec::decode_one`] has called incomplete, if the text ends after it. It may
    /// be a character after all: in C-ESCAPES `\12` could have become `\123`, but it is complete.
    fn at_end(&self, rest: &[u8]) -> Decoded {
        Decoded::IllFormed(IllFormed::new(rest.len(), IllFormedKind::TruncatedAtEnd))
    }

    /// Encodes a run of code points that the encoding can represent, under the contract of [`oxiconv_kernels`].
    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress;

    /// Encodes one code point; `None` if the encoding cannot represent it.
    fn encode_one(&self, cp: CodePoint) -> Option<Encoded>;

    /// Whether [`StatelessCodec::decode_to_utf8`] converts.
    fn writes_utf8(&self) -> bool {
        false
    }

    /// Converts a run to UTF-8; see [`Decoder::decode_to_utf8`].
    fn decode_to_utf8(&self, input: &[u8], output: &mut [u8]) -> Progress {
        let _ = (input, output);
        Progress::default()
    }

    /// Whether [`StatelessCodec::encode_from_utf8`] converts.
    fn reads_utf8(&self) -> bool {
        false
    }

    /// Converts a run from UTF-8; see [`Encoder::encode_from_utf8`].
    fn encode_from_utf8(&self, input: &[u8], output: &mut [u8]) -> Progress {
        let _ = (input, output);
        Progress::default()
    }

    /// Returns the best fit of a code point that the encoding lacks: see [`Encoder::best_fit`].
    fn best_fit(&self, cp: CodePoint) -> Option<CodePoint> {
        let _ = cp;
        None
    }

    /// Encodes one value that is too large for a code point; `None` if the encoding cannot represent it.
    fn encode_large(&self, value: CodeValue) -> Option<Encoded> {
        let _ = value;
        None
    }

    /// Whether it reads [`Decoded::Sequence`]s.
    fn has_sequences(&self) -> bool {
        false
    }

    /// Returns the sequences of two code points that have a single code, each with that code.
    fn sequences(&self) -> Vec<([CodePoint; 2], Encoded)> {
        Vec::new()
    }
}

/// The decoder and the encoder of a [`StatelessCodec`].
#[derive(Clone, Debug)]
pub struct Stateless<S>(pub S);

impl<S: StatelessCodec> Decoder for Stateless<S> {
    fn has_sequences(&self) -> bool {
        self.0.has_sequences()
    }

    fn decode(&mut self, input: &[u8], output: &mut [CodePoint], last: bool) -> DecodeProgress {
        let (mut read, mut written) = (0, 0);
        let stop = loop {
            let run = self.0.decode_run(&input[read..], &mut output[written..]);
            read += run.read;
            written += run.written;
            let rest = &input[read..];
            if rest.is_empty() {
                break DecodeStop::InputEmpty;
            }
            let one = match self.0.decode_one(rest) {
                Decoded::Incomplete if last => self.0.at_end(rest),
                one => one,
            };
            match one {
                Decoded::Character { cp, len } => {
                    let Some(slot) = output.get_mut(written) else { break DecodeStop::OutputFull };
                    *slot = cp;
                    written += 1;
                    read += len;
                }
                Decoded::Sequence { cps, len } => {
                    let Some(slot) = output.get_mut(written..written + 2) else {
                        break DecodeStop::OutputFull;
                    };
                    slot.copy_from_slice(&cps);
                    written += 2;
                    read += len;
                }
                Decoded::Large { value, len } => break DecodeStop::Large { value, len },
                Decoded::Incomplete => break DecodeStop::InputEmpty,
                Decoded::IllFormed(ill_formed) => break DecodeStop::IllFormed(ill_formed),
            }
        };
        DecodeProgress { read, written, stop }
    }

    // The same loop with bytes on both sides: the kernel, then the ill-formed subsequences where it stopped. Of the
    // scalar decoder's results only these are handled here. Anything else returns, and the caller goes through code
    // points.
    fn convert_lossy(
        &mut self,
        pair: &FormPair,
        input: &[u8],
        output: &mut [u8],
        lossy: &mut Lossy,
    ) -> Progress {
        let (mut read, mut written) = (0, 0);
        loop {
            let run = pair.run(&input[read..], &mut output[written..]);
            lossy.measured(pair.measure(&input[read..read + run.read]));
            read += run.read;
            written += run.written;
            // Replace adjacent ill-formed subsequences without trying the kernel between them: each call would return
            // at once, having read nothing.
            let before = read;
            while read < input.len()
                && let Decoded::IllFormed(ill_formed) = self.0.decode_one(&input[read..])
                && let Some(len) = lossy.put(ill_formed, &mut output[written..])
            {
                written += len;
                read += ill_formed.len;
            }
            if read == before {
                return Progress { read, written };
            }
        }
    }

    fn ill_formed_row(&self, input: &[u8], most: usize, row: &mut Vec<IllFormed>) -> bool {
        let mut at = 0;
        for _ in 0..most {
            match input
                .get(at..)
                .filter(|rest| !rest.is_empty())
                .map(|rest| self.0.decode_one(rest))
            {
                Some(Decoded::IllFormed(ill_formed)) => {
                    at += ill_formed.len;
                    row.push(ill_formed);
                }
                Some(
                    Decoded::Character { .. } | Decoded::Sequence { .. } | Decoded::Large { .. },
                ) => return true,
                // What it becomes depends on bytes that are not in `input`.
                Some(Decoded::Incomplete) | None => return false,
            }
        }
        false
    }

    fn judges_by_next(&self, bytes: &[u8]) -> bool {
        !matches!(self.0.decode_one(bytes), Decoded::IllFormed(_))
    }

    fn form(&self) -> Option<EncodingForm> {
        self.0.form()
    }

    fn writes_utf8(&self) -> bool {
        self.0.writes_utf8()
    }

    fn decode_to_utf8(&self, input: &[u8], output: &mut [u8]) -> Progress {
        self.0.decode_to_utf8(input, output)
    }

    fn fork(&self) -> Box<dyn Decoder> {
        Box::new(self.clone())
    }
}

impl<S: StatelessCodec> Encoder for Stateless<S> {
    fn encode(&mut self, input: &[CodePoint], output: &mut [u8]) -> EncodeProgress {
        let (mut read, mut written) = (0, 0);
        // The caller handles an unmappable character and calls again. If the next one is unmappable too, as in text of
        // a script that the encoding lacks, this saves a call of the kernel that would write nothing.
        if input.first().is_some_and(|cp| self.0.encode_one(*cp).is_none()) {
            return EncodeProgress { read, written, stop: EncodeStop::Unmappable };
        }
        let stop = loop {
            let run = self.0.encode_run(&input[read..], &mut output[written..]);
            read += run.read;
            written += run.written;
            let Some(&cp) = input.get(read) else { break EncodeStop::InputEmpty };
            let Some(one) = self.0.encode_one(cp) else { break EncodeStop::Unmappable };
            let bytes = one.as_slice();
            let Some(slot) = output.get_mut(written..written + bytes.len()) else {
                break EncodeStop::OutputFull;
            };
            slot.copy_from_slice(bytes);
            written += bytes.len();
            read += 1;
        };
        EncodeProgress { read, written, stop }
    }

    fn encode_large(&mut self, value: CodeValue, output: &mut [u8]) -> Option<usize> {
        let one = self.0.encode_large(value)?;
        let bytes = one.as_slice();
        output[..bytes.len()].copy_from_slice(bytes);
        Some(bytes.len())
    }

    fn best_fit(&self, cp: CodePoint) -> Option<CodePoint> {
        self.0.best_fit(cp)
    }

    fn reads_utf8(&self) -> bool {
        self.0.reads_utf8()
    }

    fn encode_from_utf8(&self, input: &[u8], output: &mut [u8]) -> Progress {
        self.0.encode_from_utf8(input, output)
    }

    fn form(&self) -> Option<EncodingForm> {
        self.0.form()
    }

    fn fork(&self) -> Box<dyn Encoder> {
        Box::new(self.clone())
    }
}
