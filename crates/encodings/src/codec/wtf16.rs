//! Potentially ill-formed UTF-16, "WTF-16" (the WTF-8 specification): every sequence of 16-bit units is text. Pairs are
//! supplementary code points, as in UTF-16, and unpaired surrogates are the code points of their values.

use super::{ByteOrder, Decoded, Encoded, StatelessCodec, Utf16Codec};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind, is_surrogate};
use oxiconv_kernels::Progress;

/// WTF-16BE or WTF-16LE. Two surrogate code points written one after another may form a pair, which is read as one code
/// point: the specification leaves such input open, and no units are lost.
#[derive(Clone, Copy, Debug)]
pub struct Wtf16(pub ByteOrder);

impl Wtf16 {
    /// Decodes the first unit of `input` by itself.
    fn alone(self, input: &[u8]) -> Option<Decoded> {
        let unit = Utf16Codec(self.0).unit(input, 0)?;
        Some(Decoded::Character { cp: unit.into(), len: 2 })
    }
}

impl StatelessCodec for Wtf16 {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        Utf16Codec(self.0).decode_run(input, output)
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        match Utf16Codec(self.0).decode_one(input) {
            Decoded::IllFormed(unpaired) => {
                self.alone(input).unwrap_or(Decoded::IllFormed(unpaired))
            }
            one => one,
        }
    }

    fn at_end(&self, rest: &[u8]) -> Decoded {
        self.alone(rest).unwrap_or_else(|| {
            Decoded::IllFormed(IllFormed::new(rest.len(), IllFormedKind::TruncatedAtEnd))
        })
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        Utf16Codec(self.0).encode_run(input, output)
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        if !is_surrogate(cp) {
            return Utf16Codec(self.0).encode_one(cp);
        }
        let unit = cp as u16;
        Some(Encoded::new(&match self.0 {
            ByteOrder::Big => unit.to_be_bytes(),
            ByteOrder::Little => unit.to_le_bytes(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unicode::{IllFormed, IllFormedKind::TruncatedAtEnd};

    #[test]
    fn what_a_high_surrogate_is_the_next_unit_says_or_the_end() {
        let (lone, pair) = (
            Decoded::Character { cp: 0xD83D, len: 2 },
            Decoded::Character { cp: 0x1_F600, len: 4 },
        );
        let big = Wtf16(ByteOrder::Big);
        for (input, one, ended) in [
            (&b"\xD8\x3D"[..], Decoded::Incomplete, lone),
            (b"\xD8\x3D\xDE", Decoded::Incomplete, lone),
            (b"\xD8\x3D\xDE\0", pair, pair),
            (b"\xD8\x3D\0", Decoded::Incomplete, lone),
            (b"\xD8\x3D\0a", lone, lone),
            (b"\xD8\x3D\xD8\x3D", lone, lone),
            (b"\xDE", Decoded::Incomplete, Decoded::IllFormed(IllFormed::new(1, TruncatedAtEnd))),
        ] {
            assert_eq!(big.decode_one(input), one, "{input:X?}");
            if one == Decoded::Incomplete {
                assert_eq!(big.at_end(input), ended, "{input:X?}");
            }
        }
        let little = Wtf16(ByteOrder::Little);
        assert_eq!(
            little.decode_one(b"\x00\xDE\x3D\xD8"),
            Decoded::Character { cp: 0xDE00, len: 2 }
        );
        assert_eq!(little.encode_one(0xD83D), Some(Encoded::new(b"\x3D\xD8")));
        assert_eq!(big.encode_one(0xD83D), Some(Encoded::new(b"\xD8\x3D")));
        assert_eq!(big.encode_one(0x11_0000), None);
    }
}
