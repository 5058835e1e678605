//! EUC-JP, in IANA's packed format: US-ASCII, JIS X 0208, and, after single shifts, half-width katakana and JIS X 0212.
//!
//! ```text
//! 00..7F   8E A1..DF (katakana)   A1..FE A1..FE (JIS X 0208)   8F A1..FE A1..FE (JIS X 0212)   other 80..9F: C1
//! ```
//!
//! The tables come from encoding_rs. In its JIS X 0208, rows 13 and 89 to 92 are NEC's and IBM's, and six signs are
//! Microsoft's fullwidth forms: EUC-JP has neither. ISO-2022-JP uses the same JIS X 0208.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use super::codes::EncodeTable;
use super::decode_table::DecodeTable;
use super::whatwg::visit_rows;
use super::{Decoded, Encoded, StatelessCodec};
use crate::kernels::Progress;
use crate::unicode::{CodePoint, IllFormed, IllFormedKind};

/// Single shift two: one katakana byte follows.
const SS2: u8 = 0x8E;
/// Single shift three: two bytes of JIS X 0212 follow.
const SS3: u8 = 0x8F;
const KATAKANA: RangeInclusive<u8> = 0xA1..=0xDF;
/// The distance from a katakana byte to its code point, U+FF61 at A1.
const KATAKANA_OFFSET: u16 = 0xFF61 - 0xA1;
/// Bytes of 94-character sets.
const GRAPHIC: RangeInclusive<u8> = 0xA1..=0xFE;

/// The rows of JIS X 0208, without those of NEC (AD) and IBM (F9 to FC).
const JIS_X_0208_ROWS: [RangeInclusive<u8>; 2] = [0xA1..=0xAC, 0xAE..=0xF8];

/// Signs of JIS X 0208 for which the source has Microsoft's mapping.
const SIGNS: [(u16, u16); 6] = [
    (0xA1C1, 0x301C),
    (0xA1C2, 0x2016),
    (0xA1DD, 0x2212),
    (0xA1F1, 0x00A2),
    (0xA1F2, 0x00A3),
    (0xA2CC, 0x00AC),
];

/// Signs of JIS X 0201 that are encoded as the US-ASCII codes in their places.
const ONLY_WRITTEN: [(u16, u16); 2] = [(0x00A5, 0x5C), (0x203E, 0x7E)];

/// The tables for decoding.
struct EucJpDecodeTables {
    /// With US-ASCII and the controls.
    jis_x_0208: DecodeTable,
    /// Indexed by the two bytes after the single shift.
    jis_x_0212: DecodeTable,
}

static DECODE_TABLES: LazyLock<EucJpDecodeTables> = LazyLock::new(|| {
    let mut jis_x_0208 = DecodeTable::of_ascii();
    let mut jis_x_0212 = DecodeTable::empty();
    controls().for_each(|byte| jis_x_0208.insert(byte, byte));
    visit_jis_x_0208(|code, cp| jis_x_0208.insert(code, cp));
    visit_jis_x_0212(|code, cp| jis_x_0212.insert(code, cp));
    EucJpDecodeTables { jis_x_0208, jis_x_0212 }
});

/// The tables for encoding.
struct EucJpEncodeTables {
    /// Everything except JIS X 0212.
    most: EncodeTable,
    /// Characters only in JIS X 0212: the two bytes after the single shift.
    jis_x_0212: EncodeTable,
}

static ENCODE_TABLES: LazyLock<EucJpEncodeTables> = LazyLock::new(|| {
    let mut most = EncodeTable::of_ascii();
    let mut jis_x_0212 = EncodeTable::empty();
    controls().for_each(|byte| most.insert(byte, byte));
    for byte in KATAKANA {
        most.insert(KATAKANA_OFFSET + u16::from(byte), u16::from_be_bytes([SS2, byte]));
    }
    visit_jis_x_0208(|code, cp| most.insert(cp, code));
    visit_jis_x_0212(|code, cp| jis_x_0212.insert(cp, code));
    for (cp, code) in ONLY_WRITTEN {
        most.insert(cp, code);
    }
    EucJpEncodeTables { most, jis_x_0212 }
});

/// Iterates over the bytes that are C1 controls.
fn controls() -> impl Iterator<Item = u16> {
    (0x80..=0x9F).filter(|byte| ![SS2, SS3].map(u16::from).contains(byte))
}

fn visit_jis_x_0208(mut visit: impl FnMut(u16, u16)) {
    visit_rows(encoding_rs::EUC_JP, &[], &JIS_X_0208_ROWS, &[GRAPHIC], |code, cp| {
        let sign = SIGNS.iter().find(|(sign, _)| *sign == code);
        visit(code, sign.map_or(cp, |(_, cp)| *cp));
    });
}

fn visit_jis_x_0212(visit: impl FnMut(u16, u16)) {
    visit_rows(encoding_rs::EUC_JP, &[SS3], &[GRAPHIC], &[GRAPHIC], visit);
}

/// The decode table of EUC-JP's JIS X 0208, for encodings that use it in another form. Codes are those of EUC-JP, A1A1
/// to FEFE.
#[derive(Clone, Copy)]
pub(super) struct DecodeJisX0208(&'static DecodeTable);

impl DecodeJisX0208 {
    pub(super) fn new() -> Self {
        Self(&DECODE_TABLES.jis_x_0208)
    }

    #[inline]
    pub(super) fn character(self, code: u16) -> Option<u16> {
        let cp = self.0.get(code);
        (cp != 0).then_some(cp)
    }
}

/// The encode table of EUC-JP's JIS X 0208.
#[derive(Clone, Copy)]
pub(super) struct EncodeJisX0208(&'static EncodeTable);

impl EncodeJisX0208 {
    pub(super) fn new() -> Self {
        Self(&ENCODE_TABLES.most)
    }

    #[inline]
    pub(super) fn code(self, cp: CodePoint) -> Option<u16> {
        let is_graphic = |code: &u16| code.to_be_bytes().iter().all(|byte| GRAPHIC.contains(byte));
        self.0.get(cp).filter(is_graphic)
    }
}

/// The codec. The first use of each direction builds its tables, in about a millisecond.
#[derive(Clone, Copy, Debug)]
pub struct EucJp;

impl EucJpDecodeTables {
    #[inline]
    fn one(&self, input: &[u8]) -> Decoded {
        let (table, at) = match input[0] {
            SS2 => return katakana(input.get(1).copied()),
            SS3 => (&self.jis_x_0212, 1),
            byte if GRAPHIC.contains(&byte) => (&self.jis_x_0208, 0),
            byte @ 0..=0x9F => return Decoded::Character { cp: byte.into(), len: 1 },
            _ => return ill_formed(1, IllFormedKind::InvalidByte),
        };
        for len in at..at + 2 {
            match input.get(len) {
                None => return Decoded::Incomplete,
                Some(byte) if GRAPHIC.contains(byte) => {}
                Some(_) => return ill_formed(len, IllFormedKind::Truncated),
            }
        }
        match table.get(u16::from_be_bytes([input[at], input[at + 1]])) {
            0 => ill_formed(at + 2, IllFormedKind::UndefinedSequence),
            cp => Decoded::Character { cp: cp.into(), len: at + 2 },
        }
    }
}

impl EucJpEncodeTables {
    /// Encodes a character that is only in JIS X 0212.
    #[inline]
    fn other(&self, cp: CodePoint) -> Option<Encoded> {
        let [first, second] = self.jis_x_0212.get(cp)?.to_be_bytes();
        Some(Encoded::new(&[SS3, first, second]))
    }
}

impl StatelessCodec for EucJp {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        let tables = &*DECODE_TABLES;
        tables.jis_x_0208.decode(input, output, |input| tables.one(input))
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        DECODE_TABLES.one(input)
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        let tables = &*ENCODE_TABLES;
        tables.most.encode(input, output, |cp| tables.other(cp))
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        ENCODE_TABLES.most.bytes(cp).or_else(|| ENCODE_TABLES.other(cp))
    }
}

fn katakana(second: Option<u8>) -> Decoded {
    match second {
        None => Decoded::Incomplete,
        Some(byte) if KATAKANA.contains(&byte) => {
            Decoded::Character { cp: (KATAKANA_OFFSET + u16::from(byte)).into(), len: 2 }
        }
        Some(_) => ill_formed(1, IllFormedKind::Truncated),
    }
}

fn ill_formed(len: usize, kind: IllFormedKind) -> Decoded {
    Decoded::IllFormed(IllFormed::new(len, kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use IllFormedKind::{InvalidByte, Truncated, UndefinedSequence};

    #[test]
    fn an_ill_formed_subsequence_ends_before_the_byte_that_cannot_go_on() {
        for (input, len, kind) in [
            (&b"\xA0\xA1"[..], 1, InvalidByte),
            (b"\xFF\xA1", 1, InvalidByte),
            (b"\xA4A", 1, Truncated),
            (b"\xA4\x8E\xB1", 1, Truncated),
            (b"\x8EA", 1, Truncated),
            (b"\x8E\xE0", 1, Truncated),
            (b"\x8FA", 1, Truncated),
            (b"\x8F\xB0A", 2, Truncated),
            (b"\x8F\xB0\xFF", 2, Truncated),
            (b"\xAD\xA1", 2, UndefinedSequence),
            (b"\xF9\xA1", 2, UndefinedSequence),
            (b"\x8F\xA1\xA1", 3, UndefinedSequence),
        ] {
            assert_eq!(EucJp.decode_one(input), ill_formed(len, kind), "{input:X?}");
        }
        for input in [&b"\xA4"[..], b"\x8E", b"\x8F", b"\x8F\xB0"] {
            assert_eq!(EucJp.decode_one(input), Decoded::Incomplete, "{input:X?}");
        }
    }
}
