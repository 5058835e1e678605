//! UCS-2 and UCS-4 (ISO/IEC 10646) in either byte order. An ill-formed subsequence is one code unit, or part of one at
//! the end of the text.
//!
//! UCS-2 holds the scalar values of the Basic Multilingual Plane and has no surrogate pairs. UCS-4 holds plain numbers
//! of 31 bits, including D800 to DFFF and those above 10FFFF.

use super::{ByteOrder, Decoded, Encoded, StatelessCodec};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind, is_surrogate};
use oxiconv_kernels::Progress;

/// UCS-2BE or UCS-2LE: scalar values up to U+FFFF.
#[derive(Clone, Copy, Debug)]
pub struct Ucs2(pub ByteOrder);

impl Ucs2 {
    fn unit(self, bytes: [u8; 2]) -> CodePoint {
        CodePoint::from(match self.0 {
            ByteOrder::Big => u16::from_be_bytes(bytes),
            ByteOrder::Little => u16::from_le_bytes(bytes),
        })
    }

    fn bytes(self, cp: CodePoint) -> Option<[u8; 2]> {
        let unit = u16::try_from(cp).ok().filter(|_| !is_surrogate(cp))?;
        Some(match self.0 {
            ByteOrder::Big => unit.to_be_bytes(),
            ByteOrder::Little => unit.to_le_bytes(),
        })
    }
}

impl StatelessCodec for Ucs2 {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        decode_units(input, output, |bytes| {
            Some(self.unit(bytes)).filter(|unit| !is_surrogate(*unit))
        })
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        let Some(&bytes) = input.first_chunk() else { return Decoded::Incomplete };
        let cp = self.unit(bytes);
        if is_surrogate(cp) {
            Decoded::IllFormed(IllFormed::new(2, IllFormedKind::Surrogate))
        } else {
            Decoded::Character { cp, len: 2 }
        }
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        encode_units(input, output, |cp| self.bytes(cp))
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        self.bytes(cp).map(|bytes| Encoded::new(&bytes))
    }
}

/// UCS-4BE or UCS-4LE: numbers of 31 bits.
#[derive(Clone, Copy, Debug)]
pub struct Ucs4(pub ByteOrder);

impl Ucs4 {
    const LAST: CodePoint = 0x7FFF_FFFF;

    fn unit(self, bytes: [u8; 4]) -> CodePoint {
        match self.0 {
            ByteOrder::Big => u32::from_be_bytes(bytes),
            ByteOrder::Little => u32::from_le_bytes(bytes),
        }
    }

    fn bytes(self, cp: CodePoint) -> Option<[u8; 4]> {
        (cp <= Self::LAST).then_some(match self.0 {
            ByteOrder::Big => cp.to_be_bytes(),
            ByteOrder::Little => cp.to_le_bytes(),
        })
    }
}

impl StatelessCodec for Ucs4 {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        decode_units(input, output, |bytes| {
            Some(self.unit(bytes)).filter(|unit| *unit <= Self::LAST)
        })
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        let Some(&bytes) = input.first_chunk() else { return Decoded::Incomplete };
        let cp = self.unit(bytes);
        if cp > Self::LAST {
            Decoded::IllFormed(IllFormed::new(4, IllFormedKind::OutOfRange))
        } else {
            Decoded::Character { cp, len: 4 }
        }
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        encode_units(input, output, |cp| self.bytes(cp))
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        self.bytes(cp).map(|bytes| Encoded::new(&bytes))
    }
}

/// Decodes units of `N` bytes up to the first that `value` rejects.
fn decode_units<const N: usize>(
    input: &[u8],
    output: &mut [CodePoint],
    value: impl Fn([u8; N]) -> Option<CodePoint>,
) -> Progress {
    let mut done = 0;
    for (bytes, slot) in input.as_chunks().0.iter().zip(output) {
        let Some(cp) = value(*bytes) else { break };
        *slot = cp;
        done += 1;
    }
    Progress { read: N * done, written: done }
}

/// Encodes to units of `N` bytes up to the first code point that `bytes` rejects.
fn encode_units<const N: usize>(
    input: &[CodePoint],
    output: &mut [u8],
    bytes: impl Fn(CodePoint) -> Option<[u8; N]>,
) -> Progress {
    let mut done = 0;
    for (cp, slot) in input.iter().zip(output.as_chunks_mut().0) {
        let Some(unit) = bytes(*cp) else { break };
        *slot = unit;
        done += 1;
    }
    Progress { read: done, written: N * done }
}
