//! Multi-byte character sets whose tables come from encoding_rs, and the codec that they share.
//!
//! ```text
//! encoding_rs, read row by row ─► corrections of the set (below) ─► a table for each direction ─► DoubleByte, a StatelessCodec
//! ```
//!
//! encoding_rs follows the WHATWG Encoding Standard, whose tables are made for the web. If IANA and iconv mean
//! something else by a name, the corrections of the set contain the differences.
//!
//! An ill-formed subsequence is the bytes before the first that cannot continue, or the whole sequence if its shape is
//! right and it has no character. A US-ASCII byte is never part of one: it may begin a character (Unicode 5.22).

use std::ops::RangeInclusive;
use std::sync::OnceLock;

use encoding_rs::{DecoderResult, Encoding};

use super::codes::EncodeTable;
use super::decode_table::DecodeTable;
use super::{Decoded, Encoded, StatelessCodec};
use crate::kernels::Progress;
use crate::unicode::{CodePoint, IllFormed, IllFormedKind};

/// A set of one- and two-byte codes: a table of encoding_rs, and its corrections.
#[derive(Debug)]
pub struct DoubleByteSet {
    corrections: Corrections,
    decode: OnceLock<DoubleByteTables>,
    encode: OnceLock<EncodeTable>,
}

impl DoubleByteSet {
    const fn new(corrections: Corrections) -> Self {
        Self { corrections, decode: OnceLock::new(), encode: OnceLock::new() }
    }

    /// Returns the tables for decoding.
    #[inline]
    fn decode_tables(&self) -> &DoubleByteTables {
        self.decode.get_or_init(|| DoubleByteTables::new(&self.corrections))
    }

    /// Returns the table for encoding.
    #[inline]
    fn encode_table(&self) -> &EncodeTable {
        self.encode.get_or_init(|| encode_table(&self.corrections))
    }
}

#[derive(Debug)]
struct Corrections {
    source: &'static Encoding,
    /// Single bytes above 7F, each range with its first character.
    singles: &'static [(RangeInclusive<u8>, u16)],
    /// Lead bytes. A character with several codes is written with the one whose lead comes first here.
    leads: &'static [RangeInclusive<u8>],
    /// Trail bytes.
    trails: &'static [RangeInclusive<u8>],
    private_use: PrivateUse,
    /// Codes that are undefined, whatever the source says.
    undefined: &'static [RangeInclusive<u16>],
    /// Codes with another character than in the source.
    changed: &'static [(u16, u16)],
    /// Codes that are read but never written, even if no earlier code has their character.
    only_read: &'static [u16],
    /// Additional characters, and the code with which each is written.
    only_written: &'static [(u16, u16)],
}

/// How the user-defined areas are mapped.
#[derive(Debug)]
enum PrivateUse {
    /// As in the source.
    Source,
    /// Undefined.
    Undefined,
    /// The codes of a range map to consecutive private-use characters from the given one on.
    Range(RangeInclusive<u16>, u16),
}

impl Corrections {
    const fn of(
        source: &'static Encoding,
        leads: &'static [RangeInclusive<u8>],
        trails: &'static [RangeInclusive<u8>],
    ) -> Self {
        Self {
            source,
            singles: &[],
            leads,
            trails,
            private_use: PrivateUse::Source,
            undefined: &[],
            changed: &[],
            only_read: &[],
            only_written: &[],
        }
    }
}

/// Windows code page 932: JIS X 0208 in shifted form, with the extensions of NEC and IBM, as Microsoft maps it.
///
/// A character with several codes is written with the first that exists in this order: JIS X 0208, NEC's row 13, IBM's
/// rows, the rows that NEC took over from IBM. The characters that are only written are those that other tables for JIS
/// X 0201 and JIS X 0208 have where Microsoft has US-ASCII and its fullwidth forms.
pub static CP932: DoubleByteSet = DoubleByteSet::new(Corrections {
    singles: &[(0xA1..=0xDF, 0xFF61)],
    only_written: &[
        (0x00A5, 0x5C),
        (0x203E, 0x7E),
        (0x00A2, 0x8191),
        (0x00A3, 0x8192),
        (0x00AC, 0x81CA),
        (0x2014, 0x815C),
        (0x2016, 0x8161),
        (0x2212, 0x817C),
        (0x301C, 0x8160),
    ],
    ..Corrections::of(
        encoding_rs::SHIFT_JIS,
        &[0x81..=0x9F, 0xE0..=0xEA, 0xF0..=0xFC, 0xEB..=0xEF],
        &[0x40..=0x7E, 0x80..=0xFC],
    )
});

/// GBK 1.0 as in Windows code page 936, with the euro sign at 80. The source has the repertoire of GB18030.
pub static GBK: DoubleByteSet = DoubleByteSet::new(Corrections {
    singles: &[(0x80..=0x80, 0x20AC)],
    private_use: PrivateUse::Undefined,
    undefined: &[
        0xA2E3..=0xA2E3,
        0xA3A0..=0xA3A0,
        0xA6D9..=0xA6DF,
        0xA6EC..=0xA6ED,
        0xA6F3..=0xA6F3,
        0xA8BC..=0xA8BC,
        0xA8BF..=0xA8BF,
        0xA989..=0xA995,
        0xFE50..=0xFEFE,
    ],
    ..Corrections::of(encoding_rs::GBK, &[0x81..=0xFE], &[0x40..=0x7E, 0x80..=0xFE])
});

/// Big5 with the characters that ETEN and Microsoft added in row F9 (Windows code page 950). The source also has the
/// Hong Kong supplement and ETEN's rows C6 to C8, which are a user-defined area here.
pub static BIG5: DoubleByteSet = DoubleByteSet::new(Corrections {
    singles: &[(0x80..=0x80, 0x0080)],
    private_use: PrivateUse::Range(0xC6A1..=0xC8FE, 0xF6B1),
    undefined: &[0x8140..=0xA0FE, 0xA3C0..=0xA3E0, 0xFA40..=0xFEFE],
    changed: &[(0xF9FE, 0x2593)],
    only_read: &[0xA2CC, 0xA2CE],
    ..Corrections::of(encoding_rs::BIG5, &[0x81..=0xFE], &[0x40..=0x7E, 0xA1..=0xFE])
});

/// Unified Hangul Code, Windows code page 949: KS X 1001 and the rest of the 11,172 Hangul syllables.
pub static CP949: DoubleByteSet = DoubleByteSet::new(Corrections::of(
    encoding_rs::EUC_KR,
    &[0x81..=0xFE],
    &[0x41..=0x5A, 0x61..=0x7A, 0x81..=0xFE],
));

/// Calls `visit` with every sequence of `prefix`, a lead and a trail byte that the source has, and its character.
/// Characters above U+FFFF are left out: no set here has one in two bytes.
pub(super) fn visit_rows(
    source: &'static Encoding,
    prefix: &[u8],
    leads: &[RangeInclusive<u8>],
    trails: &[RangeInclusive<u8>],
    mut visit: impl FnMut(u16, u16),
) {
    let trails: Vec<u8> = trails.iter().cloned().flatten().collect();
    let mut decoder = source.new_decoder_without_bom_handling();
    let stride = prefix.len() + 2;
    let (mut row, mut units) = (Vec::with_capacity(trails.len() * stride), [0; 256]);
    for lead in leads.iter().cloned().flatten() {
        row.clear();
        for &trail in &trails {
            row.extend_from_slice(prefix);
            row.extend_from_slice(&[lead, trail]);
        }
        // The part before each undefined code is decoded at once; the decoder stops after the lead of the undefined
        // code or after the code.
        let mut at = 0;
        while at < row.len() {
            let (result, read, written) =
                decoder.decode_to_utf16_without_replacement(&row[at..], &mut units, false);
            for (i, unit) in char::decode_utf16(units[..written].iter().copied()).enumerate() {
                let cp = unit.ok().and_then(|c| u16::try_from(u32::from(c)).ok());
                if let Some(cp) = cp {
                    visit(u16::from_be_bytes([lead, trails[at / stride + i]]), cp);
                }
            }
            at = match result {
                DecoderResult::Malformed(..) => (at + read).next_multiple_of(stride),
                _ => row.len(),
            };
        }
    }
}

impl Corrections {
    /// Calls `visit` with each two-byte code, its character, and whether it is also written.
    fn visit(&self, mut visit: impl FnMut(u16, u16, bool)) {
        visit_rows(self.source, &[], self.leads, self.trails, |code, cp| {
            let left_out = holds(self.undefined, code)
                || matches!(&self.private_use, PrivateUse::Undefined if is_private_use(cp))
                || matches!(&self.private_use, PrivateUse::Range(codes, _) if codes.contains(&code))
                || self.changed.iter().any(|(changed, _)| *changed == code);
            if !left_out {
                visit(code, cp, !self.only_read.contains(&code));
            }
        });
        for &(code, cp) in self.changed {
            visit(code, cp, true);
        }
        if let PrivateUse::Range(codes, first) = &self.private_use {
            let of_shape = codes.clone().filter(|code| holds(self.trails, *code as u8));
            for (code, cp) in of_shape.zip(*first..) {
                visit(code, cp, true);
            }
        }
    }

    /// Calls `visit` with each byte above 7F that is a character by itself, and its character.
    fn visit_singles(&self, mut visit: impl FnMut(u8, u16)) {
        for (bytes, first) in self.singles {
            bytes.clone().zip(*first..).for_each(|(byte, cp)| visit(byte, cp));
        }
    }
}

/// The tables for decoding a set.
#[derive(Debug)]
struct DoubleByteTables {
    is_lead: [bool; 256],
    is_trail: [bool; 256],
    codes: DecodeTable,
}

impl DoubleByteTables {
    fn new(set: &Corrections) -> Self {
        let mut codes = DecodeTable::of_ascii();
        set.visit_singles(|byte, cp| codes.insert(byte.into(), cp));
        set.visit(|code, cp, _| codes.insert(code, cp));
        Self {
            is_lead: std::array::from_fn(|byte| holds(set.leads, byte as u8)),
            is_trail: std::array::from_fn(|byte| holds(set.trails, byte as u8)),
            codes,
        }
    }

    /// Decodes or classifies the start of `input`.
    #[inline]
    fn one(&self, input: &[u8]) -> Decoded {
        let lead = input[0];
        if !self.is_lead[usize::from(lead)] {
            return match self.codes.get(lead.into()) {
                0 if lead != 0 => Decoded::IllFormed(IllFormed::new(1, IllFormedKind::InvalidByte)),
                cp => Decoded::Character { cp: cp.into(), len: 1 },
            };
        }
        let Some(&trail) = input.get(1) else { return Decoded::Incomplete };
        match self.codes.get(u16::from_be_bytes([lead, trail])) {
            0 if !self.is_trail[usize::from(trail)] => {
                Decoded::IllFormed(IllFormed::new(1, IllFormedKind::Truncated))
            }
            0 => Decoded::IllFormed(undefined_pair(trail)),
            cp => Decoded::Character { cp: cp.into(), len: 2 },
        }
    }
}

fn encode_table(set: &Corrections) -> EncodeTable {
    let mut table = EncodeTable::of_ascii();
    set.visit_singles(|byte, cp| table.insert(cp, byte.into()));
    set.visit(|code, cp, written| {
        if written {
            table.insert(cp, code);
        }
    });
    for &(cp, code) in set.only_written {
        table.insert(cp, code);
    }
    table
}

fn holds<T: PartialOrd>(ranges: &[RangeInclusive<T>], value: T) -> bool {
    ranges.iter().any(|range| range.contains(&value))
}

fn is_private_use(cp: u16) -> bool {
    (0xE000..=0xF8FF).contains(&cp)
}

/// The codec of a set of one- and two-byte codes.
#[derive(Clone, Copy, Debug)]
pub struct DoubleByte(&'static DoubleByteSet);

impl DoubleByte {
    /// Creates the codec of `set`. The first use of each direction builds its table, in about a millisecond.
    pub const fn new(set: &'static DoubleByteSet) -> Self {
        Self(set)
    }
}

impl StatelessCodec for DoubleByte {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        let tables = self.0.decode_tables();
        tables.codes.decode(input, output, |input| tables.one(input))
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        self.0.decode_tables().one(input)
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        self.0.encode_table().encode(input, output, |_| None)
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        self.0.encode_table().bytes(cp)
    }
}

/// Classifies a lead and a trail byte that together are undefined: a US-ASCII trail may be a character itself.
pub(super) fn undefined_pair(trail: u8) -> IllFormed {
    let len = if trail < 0x80 { 1 } else { 2 };
    IllFormed::new(len, IllFormedKind::UndefinedSequence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use IllFormedKind::{InvalidByte, Truncated, UndefinedSequence};

    fn ill_formed(set: &'static DoubleByteSet, input: &[u8], len: usize, kind: IllFormedKind) {
        let found = DoubleByte::new(set).decode_one(input);
        assert_eq!(found, Decoded::IllFormed(IllFormed::new(len, kind)), "{input:X?}");
    }

    #[test]
    fn an_ascii_byte_is_never_part_of_an_ill_formed_subsequence() {
        ill_formed(&CP932, b"\x81\x20", 1, Truncated);
        ill_formed(&CP932, b"\x85\x41", 1, UndefinedSequence);
        ill_formed(&GBK, b"\x81\x30\x81\x30", 1, Truncated);
        ill_formed(&GBK, b"\xA1\x40", 1, UndefinedSequence);
        ill_formed(&BIG5, b"\xA1\x3F", 1, Truncated);
        ill_formed(&BIG5, b"\xFA\x40", 1, UndefinedSequence);
        ill_formed(&CP949, b"\x81\x5B", 1, Truncated);
        ill_formed(&CP949, b"\xC9\x41", 1, UndefinedSequence);
    }

    #[test]
    fn a_pair_of_the_right_shape_without_a_character_is_one_subsequence() {
        ill_formed(&CP932, b"\x85\x9F", 2, UndefinedSequence);
        ill_formed(&GBK, b"\xA2\xE3", 2, UndefinedSequence);
        ill_formed(&BIG5, b"\xA3\xFE", 2, UndefinedSequence);
        ill_formed(&CP949, b"\xFE\xA1", 2, UndefinedSequence);
    }

    #[test]
    fn a_byte_that_no_trail_can_be_cuts_the_lead_short() {
        ill_formed(&CP932, b"\x81\xFD", 1, Truncated);
        ill_formed(&GBK, b"\x81\xFF", 1, Truncated);
        ill_formed(&BIG5, b"\xA4\x80", 1, Truncated);
        ill_formed(&CP949, b"\xB0\x80", 1, Truncated);
    }

    #[test]
    fn a_byte_that_begins_nothing_is_invalid() {
        for byte in [0x80, 0xA0, 0xFD, 0xFE, 0xFF] {
            ill_formed(&CP932, &[byte, 0x41], 1, InvalidByte);
        }
        ill_formed(&GBK, b"\xFF\x41", 1, InvalidByte);
        ill_formed(&BIG5, b"\xFF\x41", 1, InvalidByte);
        ill_formed(&CP949, b"\x80\x41", 1, InvalidByte);
        ill_formed(&CP949, b"\xFF\x41", 1, InvalidByte);
    }
}
