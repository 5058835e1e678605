//! US-ASCII (ISO/IEC 646 IRV) and ISO-8859-1: a byte is a code point, up to 7F or up to FF.

use super::{Decoded, Encoded, StatelessCodec};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind};
use oxiconv_kernels::{EncodingForm, Progress, decode, encode};

/// US-ASCII: bytes 80 to FF are ill-formed.
#[derive(Clone, Copy, Debug)]
pub struct AsciiCodec;

impl StatelessCodec for AsciiCodec {
    fn form(&self) -> Option<EncodingForm> {
        Some(EncodingForm::Ascii)
    }

    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        decode(EncodingForm::Ascii, input, output)
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        match input[0] {
            byte @ 0..=0x7F => Decoded::Character { cp: byte.into(), len: 1 },
            _ => Decoded::IllFormed(IllFormed::new(1, IllFormedKind::InvalidByte)),
        }
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        encode(EncodingForm::Ascii, input, output)
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        (cp <= 0x7F).then(|| Encoded::new(&[cp as u8]))
    }
}

/// ISO-8859-1 as IANA and iconv mean it: all 256 bytes, 80 to 9F the C1 controls.
#[derive(Clone, Copy, Debug)]
pub struct Latin1Codec;

impl StatelessCodec for Latin1Codec {
    fn form(&self) -> Option<EncodingForm> {
        Some(EncodingForm::Latin1)
    }

    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        decode(EncodingForm::Latin1, input, output)
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        Decoded::Character { cp: input[0].into(), len: 1 }
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        encode(EncodingForm::Latin1, input, output)
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        (cp <= 0xFF).then(|| Encoded::new(&[cp as u8]))
    }
}
