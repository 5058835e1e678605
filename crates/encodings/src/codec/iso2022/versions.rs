//! The versions of ISO 2022: the sets of each, and how they are designated.

use super::{Controls, Designated, GraphicSet, Iso2022Version, WrittenCodes};
use crate::codec::set::CodedSet;
use crate::codec::set::{
    CNS_11643_1, CNS_11643_2, CNS_11643_3, CNS_11643_4, CNS_11643_5, CNS_11643_6, CNS_11643_7,
    GB_2312, ISO_8859_1_HIGH, ISO_8859_2_HIGH, ISO_8859_3_HIGH, ISO_8859_4_HIGH, ISO_8859_5_HIGH,
    ISO_8859_6_HIGH, ISO_8859_7_HIGH, ISO_8859_8_HIGH, ISO_8859_9_HIGH, ISO_8859_10_HIGH,
    ISO_8859_15_HIGH, ISO_IR_165, JIS_X_0201_KATAKANA, JIS_X_0201_ROMAN, JIS_X_0208,
    JIS_X_0208_FULL, JIS_X_0208_MS, JIS_X_0208_WHATWG, JIS_X_0212, JIS_X_0213_1, JIS_X_0213_2,
    KS_C_5601, TIS_620_HIGH,
};

impl Designated {
    /// Creates a set of single bytes in G0.
    const fn single(characters: GraphicSet, escapes: &'static [&'static [u8]]) -> Self {
        Self {
            characters,
            escapes,
            element: 0,
            pairs: false,
            of_96: false,
            writes: WrittenCodes::All,
            controls: Controls::Read,
        }
    }

    /// Creates a set of two-byte codes in G0.
    const fn double(set: CodedSet, escapes: &'static [&'static [u8]]) -> Self {
        Self { pairs: true, ..Self::single(GraphicSet::Coded(set), escapes) }
    }

    /// Puts it into another element.
    const fn in_element(self, element: usize) -> Self {
        Self { element, ..self }
    }

    const fn of_96(self) -> Self {
        Self { of_96: true, ..self }
    }

    const fn only_read(self) -> Self {
        Self { writes: WrittenCodes::Nothing, ..self }
    }
}

const NONE: [Option<u8>; 3] = [None; 3];
/// The base of all versions: 7 bits, without shifts.
const PLAIN: Iso2022Version = Iso2022Version {
    sets: &[],
    initial: NONE,
    header: b"",
    shifts: false,
    right: false,
    renewed_after: b"\n",
    web: false,
    voices: false,
};

const ASCII: Designated = Designated::single(GraphicSet::Ascii, &[b"\x1B(B"]);
const ROMAN: Designated = Designated::single(GraphicSet::Coded(JIS_X_0201_ROMAN), &[b"\x1B(J"]);
const KATAKANA: Designated =
    Designated::single(GraphicSet::Coded(JIS_X_0201_KATAKANA), &[b"\x1B(I"]);
/// JIS X 0208. The same table serves for the editions of 1978 (`@`) and 1983 (`B`).
const JIS: Designated = Designated::double(JIS_X_0208, &[b"\x1B$B", b"\x1B$@"]);
const SUPPLEMENT: Designated = Designated::double(JIS_X_0212, &[b"\x1B$(D"]);
const LATIN_1: Designated =
    Designated::single(GraphicSet::Coded(ISO_8859_1_HIGH), &[b"\x1B.A"]).in_element(2).of_96();
const GREEK: Designated =
    Designated::single(GraphicSet::Coded(ISO_8859_7_HIGH), &[b"\x1B.F"]).in_element(2).of_96();
const CHINESE: Designated = Designated::double(GB_2312, &[b"\x1B$A"]);
const KOREAN: Designated = Designated::double(KS_C_5601, &[b"\x1B$(C"]);

/// ISO-2022-JP (RFC 1468).
pub static ISO_2022_JP: Iso2022Version = Iso2022Version { sets: &[ASCII, ROMAN, JIS], ..PLAIN };

/// The Encoding Standard's `iso-2022-jp`: with the rows of NEC and IBM. Half-width katakana are read, and written in
/// full width.
pub static ISO_2022_JP_WHATWG: Iso2022Version = Iso2022Version {
    sets: &[
        ASCII,
        Designated { controls: Controls::Written, ..ROMAN },
        Designated {
            controls: Controls::IllFormed,
            ..Designated::double(JIS_X_0208_WHATWG, &[b"\x1B$B", b"\x1B$@"])
        },
        Designated { controls: Controls::IllFormed, ..KATAKANA.only_read() },
    ],
    web: true,
    ..PLAIN
};

/// ISO-2022-JP-1 (RFC 2237): with JIS X 0212.
pub static ISO_2022_JP_1: Iso2022Version =
    Iso2022Version { sets: &[ASCII, ROMAN, JIS, SUPPLEMENT], ..PLAIN };

/// ISO-2022-JP-EXT, as in Python: with JIS X 0212 and half-width katakana.
pub static ISO_2022_JP_EXT: Iso2022Version =
    Iso2022Version { sets: &[ASCII, ROMAN, JIS, SUPPLEMENT, KATAKANA], ..PLAIN };

/// ISO-2022-JP-2 (RFC 1554): with the sets of other languages, and half-width katakana as glibc has them.
pub static ISO_2022_JP_2: Iso2022Version = Iso2022Version {
    sets: &[ASCII, ROMAN, JIS, SUPPLEMENT, LATIN_1, GREEK, CHINESE, KOREAN, KATAKANA],
    ..PLAIN
};

/// The codes that the edition of 2004 added to plane 1 of JIS X 0213. They are written after the escape sequence of
/// that edition, `ESC $ ( Q`, and all others after that of 2000, `ESC $ ( O`. Both are read with the same table.
const SINCE_2004: &[u16] =
    &[0x2E21, 0x2F7E, 0x4F54, 0x4F7E, 0x7427, 0x7E7A, 0x7E7B, 0x7E7C, 0x7E7D, 0x7E7E];

/// ISO-2022-JP-3 and ISO-2022-JP-2004 (JIS X 0213, Annex 2): with both planes of JIS X 0213.
pub static ISO_2022_JP_3: Iso2022Version = Iso2022Version {
    sets: &[
        ASCII,
        ROMAN,
        JIS,
        Designated {
            writes: WrittenCodes::Except(SINCE_2004),
            ..Designated::double(JIS_X_0213_1, &[b"\x1B$(O"])
        },
        Designated::double(JIS_X_0213_1, &[b"\x1B$(Q"]),
        Designated::double(JIS_X_0213_2, &[b"\x1B$(P"]),
        KATAKANA,
    ],
    ..PLAIN
};

/// JIS X 0208 in Microsoft's versions.
const JIS_MS: Designated = Designated::double(JIS_X_0208_MS, &[b"\x1B$B", b"\x1B$@"]);
/// JIS X 0201 Roman in Microsoft's versions, which read it as US-ASCII.
const ROMAN_MS: Designated = Designated::single(GraphicSet::Ascii, &[b"\x1B(J"]).only_read();
/// Half-width katakana in G1.
const RIGHT_KATAKANA: Designated =
    Designated::single(GraphicSet::Coded(JIS_X_0201_KATAKANA), &[b"\x1B)I"]).in_element(1);

/// Code page 50221 and ISO-2022-JP-MS: half-width katakana in G0. 8-bit katakana are read too.
pub static CP50221: Iso2022Version = Iso2022Version {
    sets: &[ASCII, ROMAN_MS, JIS_MS, KATAKANA, SUPPLEMENT, RIGHT_KATAKANA.only_read()],
    initial: [Some(5), None, None],
    shifts: true,
    right: true,
    renewed_after: b"",
    ..PLAIN
};

/// Code page 50220: the same, but half-width katakana are written in full width.
pub static CP50220: Iso2022Version = Iso2022Version {
    sets: &[
        ASCII,
        ROMAN_MS,
        Designated::double(JIS_X_0208_FULL, &[b"\x1B$B", b"\x1B$@"]),
        KATAKANA.only_read(),
        SUPPLEMENT,
        RIGHT_KATAKANA.only_read(),
    ],
    voices: true,
    ..CP50221
};

/// Code page 50222: half-width katakana after SO.
pub static CP50222: Iso2022Version = Iso2022Version {
    sets: &[ASCII, ROMAN_MS, JIS_MS, RIGHT_KATAKANA, SUPPLEMENT, KATAKANA.only_read()],
    initial: [Some(3), None, None],
    shifts: true,
    right: true,
    renewed_after: b"",
    ..PLAIN
};

/// JIS7 (ICU's `ISO_2022,locale=ja,version=3`): ISO-2022-JP-2 with half-width katakana after SO.
pub static JIS_7: Iso2022Version = Iso2022Version {
    sets: &[
        ASCII,
        ROMAN,
        LATIN_1,
        JIS,
        GREEK,
        SUPPLEMENT,
        CHINESE,
        KOREAN,
        RIGHT_KATAKANA,
        KATAKANA.only_read(),
    ],
    initial: [Some(8), None, None],
    shifts: true,
    ..PLAIN
};

/// JIS8 (ICU's `ISO_2022,locale=ja,version=4`): ISO-2022-JP-2 with half-width katakana as bytes A1 to DF.
pub static JIS_8: Iso2022Version = Iso2022Version { shifts: false, right: true, ..JIS_7 };

/// ISO-2022-KR (RFC 1557).
pub static ISO_2022_KR: Iso2022Version = Iso2022Version {
    sets: &[ASCII, Designated::double(KS_C_5601, &[b"\x1B$)C"]).in_element(1)],
    initial: [Some(1), None, None],
    header: b"\x1B$)C",
    shifts: true,
    ..PLAIN
};

const SO_GB: Designated = Designated::double(GB_2312, &[b"\x1B$)A"]).in_element(1);
const SO_CNS: Designated = Designated::double(CNS_11643_1, &[b"\x1B$)G"]).in_element(1);
const SS2_CNS: Designated = Designated::double(CNS_11643_2, &[b"\x1B$*H"]).in_element(2);

/// ISO-2022-CN (RFC 1922).
pub static ISO_2022_CN: Iso2022Version =
    Iso2022Version { sets: &[ASCII, SO_GB, SO_CNS, SS2_CNS], shifts: true, ..PLAIN };

/// ISO-2022-CN-EXT (RFC 1922): with ISO-IR-165 and planes 3 to 7 of CNS 11643. Plane 2 comes before ISO-IR-165, as in
/// glibc.
pub static ISO_2022_CN_EXT: Iso2022Version = Iso2022Version {
    sets: &[
        ASCII,
        SO_GB,
        SS2_CNS,
        Designated::double(ISO_IR_165, &[b"\x1B$)E"]).in_element(1),
        SO_CNS,
        Designated::double(CNS_11643_3, &[b"\x1B$+I"]).in_element(3),
        Designated::double(CNS_11643_4, &[b"\x1B$+J"]).in_element(3),
        Designated::double(CNS_11643_5, &[b"\x1B$+K"]).in_element(3),
        Designated::double(CNS_11643_6, &[b"\x1B$+L"]).in_element(3),
        Designated::double(CNS_11643_7, &[b"\x1B$+M"]).in_element(3),
    ],
    shifts: true,
    ..PLAIN
};

/// ICU's ISO-2022-CN-CNS: CNS 11643 takes precedence over GB 2312.
pub static ISO_2022_CN_CNS: Iso2022Version =
    Iso2022Version { sets: &[ASCII, SO_CNS, SS2_CNS, SO_GB], shifts: true, ..PLAIN };

const fn right_of_96(set: CodedSet, escapes: &'static [&'static [u8]]) -> Designated {
    Designated::single(GraphicSet::Coded(set), escapes).in_element(1).of_96()
}

/// The Compound Text Encoding of the X Consortium, without extended segments.
pub static COMPOUND_TEXT: Iso2022Version = Iso2022Version {
    sets: &[
        ASCII,
        right_of_96(ISO_8859_1_HIGH, &[b"\x1B-A"]),
        right_of_96(ISO_8859_2_HIGH, &[b"\x1B-B"]),
        right_of_96(ISO_8859_3_HIGH, &[b"\x1B-C"]),
        right_of_96(ISO_8859_4_HIGH, &[b"\x1B-D"]),
        right_of_96(ISO_8859_7_HIGH, &[b"\x1B-F"]),
        right_of_96(ISO_8859_6_HIGH, &[b"\x1B-G"]),
        right_of_96(ISO_8859_8_HIGH, &[b"\x1B-H"]),
        right_of_96(ISO_8859_5_HIGH, &[b"\x1B-L"]),
        right_of_96(ISO_8859_9_HIGH, &[b"\x1B-M"]),
        right_of_96(ISO_8859_10_HIGH, &[b"\x1B-V"]),
        right_of_96(ISO_8859_15_HIGH, &[b"\x1B-b"]),
        right_of_96(TIS_620_HIGH, &[b"\x1B-T"]),
        Designated::double(JIS_X_0208, &[b"\x1B$)B"]).in_element(1),
        Designated::double(GB_2312, &[b"\x1B$)A"]).in_element(1),
        Designated::double(KS_C_5601, &[b"\x1B$)C"]).in_element(1),
        Designated::double(JIS_X_0212, &[b"\x1B$)D"]).in_element(1),
        SO_CNS,
        Designated::double(CNS_11643_2, &[b"\x1B$)H"]).in_element(1),
        RIGHT_KATAKANA,
        ROMAN.only_read(),
        Designated::double(JIS_X_0208, &[b"\x1B$(B"]).only_read(),
        Designated::double(GB_2312, &[b"\x1B$(A"]).only_read(),
        KOREAN.only_read(),
        SUPPLEMENT.only_read(),
        Designated::double(CNS_11643_1, &[b"\x1B$(G"]).only_read(),
        Designated::double(CNS_11643_2, &[b"\x1B$(H"]).only_read(),
    ],
    initial: [Some(1), None, None],
    right: true,
    renewed_after: b"",
    ..PLAIN
};

/// DICOM's character sets with code extensions (PS3.3, C.12.1.1.2; PS3.5, 6.1.2.4 and 6.1.2.5): the supplementary sets
/// of single bytes, GB 2312 and KS X 1001 in G1, those of Japan in G0. The encoder designates G1 anew after each
/// delimiter of values and of parts of a name, as 6.1.2.5.3 requires. The decoder does not insist on that.
pub static DICOM: Iso2022Version = Iso2022Version {
    sets: &[
        ASCII,
        right_of_96(ISO_8859_1_HIGH, &[b"\x1B-A"]),
        right_of_96(ISO_8859_2_HIGH, &[b"\x1B-B"]),
        right_of_96(ISO_8859_3_HIGH, &[b"\x1B-C"]),
        right_of_96(ISO_8859_4_HIGH, &[b"\x1B-D"]),
        right_of_96(ISO_8859_5_HIGH, &[b"\x1B-L"]),
        right_of_96(ISO_8859_6_HIGH, &[b"\x1B-G"]),
        right_of_96(ISO_8859_7_HIGH, &[b"\x1B-F"]),
        right_of_96(ISO_8859_8_HIGH, &[b"\x1B-H"]),
        right_of_96(ISO_8859_9_HIGH, &[b"\x1B-M"]),
        right_of_96(ISO_8859_15_HIGH, &[b"\x1B-b"]),
        right_of_96(TIS_620_HIGH, &[b"\x1B-T"]),
        JIS,
        SUPPLEMENT,
        Designated::double(KS_C_5601, &[b"\x1B$)C"]).in_element(1),
        SO_GB,
        RIGHT_KATAKANA,
        ROMAN.only_read(),
    ],
    right: true,
    renewed_after: b"\t\n\x0C\r\\^=",
    ..PLAIN
};
