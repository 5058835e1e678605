//! Sets of 256 codes: a byte is a character. 00 to 7F is US-ASCII in all of them.
//!
//! ```text
//! facts (below) ──► Tables, once a set: decode [256], encode in two steps ──► SingleByte, a StatelessCodec
//! ```
//!
//! The tables come from encoding_rs, which follows the WHATWG Encoding Standard. Where a name means something else to
//! IANA and iconv, the difference stands in the set's facts: above all, the WHATWG standard gives to the bytes that
//! Microsoft's code pages leave undefined the C1 controls, and iconv gives them nothing.

use std::sync::OnceLock;

use encoding_rs::Encoding;

use super::codes::EncodeTable;
use super::{Decoded, Encoded, StatelessCodec};
use crate::kernels::{Codes, Progress, active};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind};

/// What a set is: a table of encoding_rs, and where it is not what the name means.
#[derive(Debug)]
pub struct SingleByteSet {
    source: &'static Encoding,
    /// 80 to 9F are the C1 controls, whatever the source says.
    controls: bool,
    /// Bytes that are no character, whatever the source says.
    undefined: &'static [u8],
    /// Bytes that are another character than the source says.
    changed: &'static [(u8, u16)],
    tables: OnceLock<Tables>,
}

impl SingleByteSet {
    const fn of(source: &'static Encoding) -> Self {
        Self { source, controls: false, undefined: &[], changed: &[], tables: OnceLock::new() }
    }

    const fn without(source: &'static Encoding, undefined: &'static [u8]) -> Self {
        Self { source, controls: false, undefined, changed: &[], tables: OnceLock::new() }
    }

    const fn with_controls(source: &'static Encoding) -> Self {
        Self { source, controls: true, undefined: &[], changed: &[], tables: OnceLock::new() }
    }

    const fn with(source: &'static Encoding, changed: &'static [(u8, u16)]) -> Self {
        Self { source, controls: false, undefined: &[], changed, tables: OnceLock::new() }
    }
}

/// The sets.
pub mod sets {
    use super::SingleByteSet;

    /// Windows code page 1250, Central European.
    pub static WINDOWS_1250: SingleByteSet =
        SingleByteSet::without(encoding_rs::WINDOWS_1250, b"\x81\x83\x88\x90\x98");
    /// Windows code page 1251, Cyrillic.
    pub static WINDOWS_1251: SingleByteSet =
        SingleByteSet::without(encoding_rs::WINDOWS_1251, b"\x98");
    /// Windows code page 1252, Western European.
    pub static WINDOWS_1252: SingleByteSet =
        SingleByteSet::without(encoding_rs::WINDOWS_1252, b"\x81\x8D\x8F\x90\x9D");
    /// Windows code page 1253, Greek.
    pub static WINDOWS_1253: SingleByteSet = SingleByteSet::without(
        encoding_rs::WINDOWS_1253,
        b"\x81\x88\x8A\x8C\x8D\x8E\x8F\x90\x98\x9A\x9C\x9D\x9E\x9F",
    );
    /// Windows code page 1254, Turkish.
    pub static WINDOWS_1254: SingleByteSet =
        SingleByteSet::without(encoding_rs::WINDOWS_1254, b"\x81\x8D\x8E\x8F\x90\x9D\x9E");
    /// Windows code page 1255, Hebrew. CA (U+05BA) came into the WHATWG table only.
    pub static WINDOWS_1255: SingleByteSet = SingleByteSet::without(
        encoding_rs::WINDOWS_1255,
        b"\x81\x8A\x8C\x8D\x8E\x8F\x90\x9A\x9C\x9D\x9E\x9F\xCA",
    );
    /// Windows code page 1256, Arabic.
    pub static WINDOWS_1256: SingleByteSet = SingleByteSet::of(encoding_rs::WINDOWS_1256);
    /// Windows code page 1257, Baltic.
    pub static WINDOWS_1257: SingleByteSet = SingleByteSet::without(
        encoding_rs::WINDOWS_1257,
        b"\x81\x83\x88\x8A\x8C\x90\x98\x9A\x9C\x9F",
    );
    /// Windows code page 1258, Vietnamese.
    pub static WINDOWS_1258: SingleByteSet =
        SingleByteSet::without(encoding_rs::WINDOWS_1258, b"\x81\x8A\x8D\x8E\x8F\x90\x9A\x9D\x9E");
    /// Windows code page 874, Thai.
    pub static WINDOWS_874: SingleByteSet = SingleByteSet::without(
        encoding_rs::WINDOWS_874,
        b"\x81\x82\x83\x84\x86\x87\x88\x89\x8A\x8B\x8C\x8D\x8E\x8F\x90\x98\x99\x9A\x9B\x9C\x9D\x9E\x9F",
    );
    /// ISO/IEC 8859-2, Latin-2.
    pub static ISO_8859_2: SingleByteSet = SingleByteSet::of(encoding_rs::ISO_8859_2);
    /// ISO/IEC 8859-3, Latin-3.
    pub static ISO_8859_3: SingleByteSet = SingleByteSet::of(encoding_rs::ISO_8859_3);
    /// ISO/IEC 8859-4, Latin-4.
    pub static ISO_8859_4: SingleByteSet = SingleByteSet::of(encoding_rs::ISO_8859_4);
    /// ISO/IEC 8859-5, Cyrillic.
    pub static ISO_8859_5: SingleByteSet = SingleByteSet::of(encoding_rs::ISO_8859_5);
    /// ISO/IEC 8859-6, Arabic.
    pub static ISO_8859_6: SingleByteSet = SingleByteSet::of(encoding_rs::ISO_8859_6);
    /// ISO/IEC 8859-7:2003, Greek.
    pub static ISO_8859_7: SingleByteSet = SingleByteSet::of(encoding_rs::ISO_8859_7);
    /// ISO/IEC 8859-8, Hebrew.
    pub static ISO_8859_8: SingleByteSet = SingleByteSet::of(encoding_rs::ISO_8859_8);
    /// ISO/IEC 8859-9, Latin-5: windows-1254 has its graphic characters.
    pub static ISO_8859_9: SingleByteSet = SingleByteSet::with_controls(encoding_rs::WINDOWS_1254);
    /// ISO/IEC 8859-10, Latin-6.
    pub static ISO_8859_10: SingleByteSet = SingleByteSet::of(encoding_rs::ISO_8859_10);
    /// ISO/IEC 8859-11, Thai: windows-874 has its graphic characters.
    pub static ISO_8859_11: SingleByteSet = SingleByteSet::with_controls(encoding_rs::WINDOWS_874);
    /// ISO/IEC 8859-13, Latin-7.
    pub static ISO_8859_13: SingleByteSet = SingleByteSet::of(encoding_rs::ISO_8859_13);
    /// ISO/IEC 8859-14, Latin-8.
    pub static ISO_8859_14: SingleByteSet = SingleByteSet::of(encoding_rs::ISO_8859_14);
    /// ISO/IEC 8859-15, Latin-9.
    pub static ISO_8859_15: SingleByteSet = SingleByteSet::of(encoding_rs::ISO_8859_15);
    /// ISO/IEC 8859-16, Latin-10.
    pub static ISO_8859_16: SingleByteSet = SingleByteSet::of(encoding_rs::ISO_8859_16);
    /// RFC 1489, Russian.
    pub static KOI8_R: SingleByteSet = SingleByteSet::of(encoding_rs::KOI8_R);
    /// RFC 2319, Ukrainian. The WHATWG table has the Belarusian letter of KOI8-RU in two places.
    pub static KOI8_U: SingleByteSet =
        SingleByteSet::with(encoding_rs::KOI8_U, &[(0xAE, 0x255D), (0xBE, 0x256C)]);
    /// IBM code page 866, Russian.
    pub static IBM866: SingleByteSet = SingleByteSet::of(encoding_rs::IBM866);
    /// Mac OS Roman, with the euro sign.
    pub static MACINTOSH: SingleByteSet = SingleByteSet::of(encoding_rs::MACINTOSH);
}

/// Both directions of a set.
#[derive(Debug)]
struct Tables {
    decode: Codes,
    encode: EncodeTable,
}

impl Tables {
    fn new(set: &SingleByteSet) -> Self {
        let mut decode: Codes = std::array::from_fn(|byte| byte as u16);
        let mut encode = EncodeTable::new();
        for byte in 0x80..=0xFF_u8 {
            let cp = Self::character(set, byte);
            decode[usize::from(byte)] = cp;
            if cp != 0 {
                encode.insert(cp, byte.into());
            }
        }
        Self { decode, encode }
    }

    fn character(set: &SingleByteSet, byte: u8) -> u16 {
        if set.controls && byte < 0xA0 {
            return byte.into();
        }
        if set.undefined.contains(&byte) {
            return 0;
        }
        if let Some((_, cp)) = set.changed.iter().find(|(changed, _)| *changed == byte) {
            return *cp;
        }
        let bytes = [byte];
        let text = set.source.decode_without_bom_handling_and_without_replacement(&bytes);
        text.and_then(|text| text.encode_utf16().next()).unwrap_or(0)
    }
}

/// The scheme of a set of 256 codes.
#[derive(Clone, Copy, Debug)]
pub struct SingleByte(&'static Tables);

impl SingleByte {
    /// The scheme of `set`. The first call for a set makes its tables, in some microseconds.
    pub fn new(set: &'static SingleByteSet) -> Self {
        Self(set.tables.get_or_init(|| Tables::new(set)))
    }

    /// The character of a byte, or `None`.
    pub(super) fn character(self, byte: u8) -> Option<u16> {
        let cp = self.0.decode[usize::from(byte)];
        (cp != 0 || byte == 0).then_some(cp)
    }

    /// The byte of a character, or `None`.
    pub(super) fn byte(self, cp: CodePoint) -> Option<u8> {
        if cp < 0x80 { Some(cp as u8) } else { self.0.encode.get(cp).map(|code| code as u8) }
    }
}

impl StatelessCodec for SingleByte {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        let done = (active().table)(&self.0.decode, input, output);
        Progress { read: done, written: done }
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        match self.character(input[0]) {
            Some(cp) => Decoded::Character { cp: cp.into(), len: 1 },
            None => Decoded::IllFormed(IllFormed::new(1, IllFormedKind::InvalidByte)),
        }
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        self.0.encode.encode(self, input, output)
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        self.byte(cp).map(|byte| Encoded::new(&[byte]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_that_the_code_page_leaves_undefined_is_ill_formed() {
        let scheme = SingleByte::new(&sets::WINDOWS_1252);
        assert_eq!(scheme.decode_one(b"\x80"), Decoded::Character { cp: 0x20AC, len: 1 });
        for byte in [0x81, 0x8D, 0x8F, 0x90, 0x9D] {
            let expected = Decoded::IllFormed(IllFormed::new(1, IllFormedKind::InvalidByte));
            assert_eq!(scheme.decode_one(&[byte]), expected, "{byte:X}");
            assert_eq!(scheme.encode_one(byte.into()), None, "{byte:X}");
        }
    }

    #[test]
    fn a_run_stops_in_front_of_what_it_cannot_convert() {
        let scheme = SingleByte::new(&sets::WINDOWS_1252);
        let input = b"0123456789 0123456789\x80 \x93x\x94 \x9D rest";
        let hole = input.iter().position(|byte| *byte == 0x9D).unwrap();
        let mut output = [0; 64];
        let run = scheme.decode_run(input, &mut output);
        assert_eq!(run, Progress { read: hole, written: hole });
        assert_eq!(output[21..26], [0x20AC, 0x20, 0x201C, 0x78, 0x201D]);
        let mut bytes = [0; 64];
        let back = scheme.encode_run(&[&output[..hole], &[0x9D]].concat(), &mut bytes);
        assert_eq!(back, Progress { read: hole, written: hole });
        assert_eq!(bytes[..hole], input[..hole]);
    }
}
