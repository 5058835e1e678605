//! UTF-16 (D91) in either byte order (D96, D97). An ill-formed subsequence is one code unit.
//!
//! At the end of the text it may also be a truncated character: half a unit, or a high surrogate and half a unit, which
//! could have become a pair. Each is one error, as in the Encoding Standard's shared UTF-16 decoder and in Python.

use super::{ByteOrder, Decoded, Encoded, StatelessCodec};
use crate::unicode::{
    CodePoint, IllFormed, IllFormedKind, is_high_surrogate, is_low_surrogate, join_surrogates,
};
use oxiconv_kernels::{EncodingForm, Progress, decode, encode};

/// UTF-16BE or UTF-16LE: scalar values only, those above U+FFFF as a surrogate pair (Table 3-5).
#[derive(Clone, Copy, Debug)]
pub struct Utf16Codec(pub ByteOrder);

impl Utf16Codec {
    /// Returns the `index`th code unit of `input`, if it is whole.
    pub(super) fn unit(self, input: &[u8], index: usize) -> Option<u16> {
        let bytes = input.get(2 * index..2 * index + 2)?.try_into().ok()?;
        Some(match self.0 {
            ByteOrder::Big => u16::from_be_bytes(bytes),
            ByteOrder::Little => u16::from_le_bytes(bytes),
        })
    }
}

impl StatelessCodec for Utf16Codec {
    fn form(&self) -> Option<EncodingForm> {
        Some(match self.0 {
            ByteOrder::Big => EncodingForm::Utf16Be,
            ByteOrder::Little => EncodingForm::Utf16Le,
        })
    }

    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        match self.0 {
            ByteOrder::Big => decode(EncodingForm::Utf16Be, input, output),
            ByteOrder::Little => decode(EncodingForm::Utf16Le, input, output),
        }
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        let Some(unit) = self.unit(input, 0) else { return Decoded::Incomplete };
        let cp = CodePoint::from(unit);
        if is_low_surrogate(cp) {
            return Decoded::IllFormed(IllFormed::new(2, IllFormedKind::UnpairedLowSurrogate));
        }
        if !is_high_surrogate(cp) {
            return Decoded::Character { cp, len: 2 };
        }
        match self.unit(input, 1) {
            None => Decoded::Incomplete,
            Some(low) if is_low_surrogate(low.into()) => {
                Decoded::Character { cp: join_surrogates(unit, low), len: 4 }
            }
            Some(_) => Decoded::IllFormed(IllFormed::new(2, IllFormedKind::UnpairedHighSurrogate)),
        }
    }

    fn at_end(&self, rest: &[u8]) -> Decoded {
        Decoded::IllFormed(match rest.len() {
            2 => IllFormed::new(2, IllFormedKind::UnpairedHighSurrogate),
            len => IllFormed::new(len, IllFormedKind::TruncatedAtEnd),
        })
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        match self.0 {
            ByteOrder::Big => encode(EncodingForm::Utf16Be, input, output),
            ByteOrder::Little => encode(EncodingForm::Utf16Le, input, output),
        }
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        let mut bytes = [0; 4];
        let mut len = 0;
        for unit in char::from_u32(cp)?.encode_utf16(&mut [0; 2]) {
            bytes[len..len + 2].copy_from_slice(&match self.0 {
                ByteOrder::Big => unit.to_be_bytes(),
                ByteOrder::Little => unit.to_le_bytes(),
            });
            len += 2;
        }
        Some(Encoded::new(&bytes[..len]))
    }
}
