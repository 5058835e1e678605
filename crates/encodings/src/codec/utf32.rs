//! UTF-32 (D90; UAX 19) in either byte order. An ill-formed subsequence is one code unit, or part of one at the end of
//! the text. So the irregular eight-byte surrogate sequences of UAX 19 (D36a to D36c, part c) are two.

use super::{ByteOrder, Decoded, Encoded, StatelessCodec};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind, is_scalar_value, is_surrogate};
use oxiconv_kernels::{EncodingForm, Progress, decode, encode};

/// UTF-32BE or UTF-32LE: scalar values only.
#[derive(Clone, Copy, Debug)]
pub struct Utf32Codec(pub ByteOrder);

impl StatelessCodec for Utf32Codec {
    fn form(&self) -> Option<EncodingForm> {
        Some(match self.0 {
            ByteOrder::Big => EncodingForm::Utf32Be,
            ByteOrder::Little => EncodingForm::Utf32Le,
        })
    }

    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        match self.0 {
            ByteOrder::Big => decode(EncodingForm::Utf32Be, input, output),
            ByteOrder::Little => decode(EncodingForm::Utf32Le, input, output),
        }
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        let Some(&bytes) = input.first_chunk() else { return Decoded::Incomplete };
        let cp = match self.0 {
            ByteOrder::Big => u32::from_be_bytes(bytes),
            ByteOrder::Little => u32::from_le_bytes(bytes),
        };
        if is_scalar_value(cp) {
            Decoded::Character { cp, len: 4 }
        } else if is_surrogate(cp) {
            Decoded::IllFormed(IllFormed::new(4, IllFormedKind::Surrogate))
        } else {
            Decoded::IllFormed(IllFormed::new(4, IllFormedKind::OutOfRange))
        }
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        match self.0 {
            ByteOrder::Big => encode(EncodingForm::Utf32Be, input, output),
            ByteOrder::Little => encode(EncodingForm::Utf32Le, input, output),
        }
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        is_scalar_value(cp).then(|| {
            Encoded::new(&match self.0 {
                ByteOrder::Big => cp.to_be_bytes(),
                ByteOrder::Little => cp.to_le_bytes(),
            })
        })
    }
}
