//! The list of all encodings. Each is a row here; lookup, `--list`, completions and the conformance tests use the rows.
//!
//! Names and aliases mean what they mean in iconv and IANA. Aliases that differ only in case, `-`, `_` or spaces from
//! another name of the row are not repeated: `lookup.rs` makes them equal.
//!
//! A row sets what differs from [`Encoding::coded_by`]. Its identifier is also a constant: [`Encoding::UTF_8`].

use super::{Encoding, Family, FirstUnit, Mark, SplitRule};
use crate::codec::{
    self, Ascii, Bocu1, ByteOrder, CEscapes, Cesu8, Extended, GeneralizedUtf8, Html, Java, Latin1,
    Mutf8, Scsu, ScsuEncoder, SingleByte, SingleByteSet, Stateful, Stateless, Ucs2, Ucs4, Utf1,
    Utf7, Utf7Encoder, Utf7Variant, Utf8, Utf16, Utf32, UtfEbcdic, Watching, Wtf8, Wtf8Encoder,
    Wtf16, Xml, tables,
};
#[cfg(feature = "legacy")]
use crate::codec::{
    Composing, ComposingDecoder, DoubleByte, EucJp, Gb18030, Iso2022Jp, Iso2022JpEncoder, sets,
};

/// Defines the rows, [`ALL`] of them in this order, and a constant of [`Encoding`] for each.
macro_rules! encodings {
    ($($(#[$condition:meta])? $id:ident {
        name: $name:literal,
        aliases: $aliases:expr,
        summary: $summary:literal,
        $($rest:tt)*
    })*) => {
        $($(#[$condition])? static $id: Encoding =
            Encoding { name: $name, aliases: $aliases, summary: $summary, $($rest)* };)*

        /// Every encoding, in the order in which `--list` shows them.
        pub static ALL: &[&Encoding] = &[$($(#[$condition])? &$id),*];

        /// The encodings as constants.
        impl Encoding {
            $($(#[$condition])? #[doc = concat!($name, ": ", $summary, ".")] pub const $id: &'static Self = &$id;)*
        }
    };
}

/// The defaults of a row with the given decoder and encoder: one codec for both, one for each, or one that depends on
/// the byte order.
macro_rules! coded_by {
    ($codec:expr) => {
        coded_by!($codec, $codec)
    };
    ($decoder:expr, $encoder:expr) => {
        Encoding::coded_by(|_| Box::new($decoder), |_| Box::new($encoder))
    };
    ($order:ident => $codec:expr) => {
        Encoding::coded_by(|$order| Box::new($codec), |$order| Box::new($codec))
    };
}

/// The same for a single-byte character set, from its table or as a constant in `sets`.
macro_rules! single_byte {
    (table $table:path) => {{
        static SET: SingleByteSet = SingleByteSet::table(&$table);
        single_byte!(&SET)
    }};
    ($set:expr) => {
        Encoding {
            single_byte: true,
            split: SplitRule::Units(1),
            ..coded_by!(Stateless(SingleByte::new($set)))
        }
    };
}

encodings! {
    UTF_8 {
        name: "UTF-8",
        aliases: &["ISO-10646/UTF-8", "csUTF8"],
        summary: "one to four bytes per character",
        source: "Unicode 3.9, D92",
        family: Family::Utf8,
        mark: Mark::Signature,
        split: SplitRule::Utf8,
        ..coded_by!(Stateless(Utf8))
    }
    UTF_16 {
        name: "UTF-16",
        aliases: &["csUTF16"],
        summary: "16-bit units, byte order from the byte order mark",
        source: "Unicode 3.9, D91 and 3.10, D98",
        family: Family::Utf16,
        unit: 2,
        orders: Some([&UTF_16BE, &UTF_16LE]),
        mark: Mark::ByteOrder,
        ..coded_by!(order => Stateless(Utf16(order)))
    }
    UTF_16LE {
        name: "UTF-16LE",
        aliases: &["csUTF16LE"],
        summary: "16-bit units, least significant byte first",
        source: "Unicode 3.9, D91 and 3.10, D97",
        family: Family::Utf16,
        unit: 2,
        order: Some(ByteOrder::Little),
        unmarked: Some(&UTF_16),
        mark: Mark::Character,
        split: SplitRule::Utf16(1),
        ..coded_by!(Stateless(Utf16(ByteOrder::Little)))
    }
    UTF_16BE {
        name: "UTF-16BE",
        aliases: &["csUTF16BE"],
        summary: "16-bit units, most significant byte first",
        source: "Unicode 3.9, D91 and 3.10, D96",
        family: Family::Utf16,
        unit: 2,
        order: Some(ByteOrder::Big),
        unmarked: Some(&UTF_16),
        mark: Mark::Character,
        split: SplitRule::Utf16(0),
        ..coded_by!(Stateless(Utf16(ByteOrder::Big)))
    }
    UTF_32 {
        name: "UTF-32",
        aliases: &["csUTF32"],
        summary: "32-bit units, byte order from the byte order mark",
        source: "Unicode 3.9, D90 and 3.10, D101; UAX 19, D36c",
        family: Family::Utf32,
        unit: 4,
        orders: Some([&UTF_32BE, &UTF_32LE]),
        mark: Mark::ByteOrder,
        ..coded_by!(order => Stateless(Utf32(order)))
    }
    UTF_32LE {
        name: "UTF-32LE",
        aliases: &["csUTF32LE"],
        summary: "32-bit units, least significant byte first",
        source: "Unicode 3.9, D90 and 3.10, D100; UAX 19, D36b",
        family: Family::Utf32,
        unit: 4,
        order: Some(ByteOrder::Little),
        unmarked: Some(&UTF_32),
        mark: Mark::Character,
        split: SplitRule::Units(4),
        ..coded_by!(Stateless(Utf32(ByteOrder::Little)))
    }
    UTF_32BE {
        name: "UTF-32BE",
        aliases: &["csUTF32BE"],
        summary: "32-bit units, most significant byte first",
        source: "Unicode 3.9, D90 and 3.10, D99; UAX 19, D36a",
        family: Family::Utf32,
        unit: 4,
        order: Some(ByteOrder::Big),
        unmarked: Some(&UTF_32),
        mark: Mark::Character,
        split: SplitRule::Units(4),
        ..coded_by!(Stateless(Utf32(ByteOrder::Big)))
    }
    UCS_2 {
        name: "UCS-2",
        aliases: &["ISO-10646-UCS-2", "ISO-10646/UCS2", "csUnicode"],
        summary: "16-bit units, scalar values of the BMP, byte order from the byte order mark",
        source: "ISO/IEC 10646",
        family: Family::Ucs2,
        unit: 2,
        orders: Some([&UCS_2BE, &UCS_2LE]),
        mark: Mark::OptionalByteOrder,
        bits: Some(16),
        ..coded_by!(order => Stateless(Ucs2(order)))
    }
    UCS_2LE {
        name: "UCS-2LE",
        aliases: &["UNICODELITTLE"],
        summary: "16-bit units, scalar values of the BMP, least significant byte first",
        source: "ISO/IEC 10646",
        family: Family::Ucs2,
        unit: 2,
        order: Some(ByteOrder::Little),
        unmarked: Some(&UCS_2),
        mark: Mark::Character,
        split: SplitRule::Units(2),
        bits: Some(16),
        ..coded_by!(Stateless(Ucs2(ByteOrder::Little)))
    }
    UCS_2BE {
        name: "UCS-2BE",
        aliases: &["UNICODEBIG"],
        summary: "16-bit units, scalar values of the BMP, most significant byte first",
        source: "ISO/IEC 10646",
        family: Family::Ucs2,
        unit: 2,
        order: Some(ByteOrder::Big),
        unmarked: Some(&UCS_2),
        mark: Mark::Character,
        split: SplitRule::Units(2),
        bits: Some(16),
        ..coded_by!(Stateless(Ucs2(ByteOrder::Big)))
    }
    UCS_4 {
        name: "UCS-4",
        aliases: &[
            "ISO-10646-UCS-4", "ISO-10646/UCS4", "csUCS4", "10646-1:1993", "10646-1:1993/UCS4",
        ],
        summary: "32-bit units, 31-bit numbers, byte order from the byte order mark",
        source: "ISO/IEC 10646",
        family: Family::Ucs4,
        unit: 4,
        orders: Some([&UCS_4BE, &UCS_4LE]),
        mark: Mark::OptionalByteOrder,
        bits: Some(31),
        ..coded_by!(order => Stateless(Ucs4(order)))
    }
    UCS_4LE {
        name: "UCS-4LE",
        aliases: &[],
        summary: "32-bit units, 31-bit numbers, least significant byte first",
        source: "ISO/IEC 10646",
        family: Family::Ucs4,
        unit: 4,
        order: Some(ByteOrder::Little),
        unmarked: Some(&UCS_4),
        mark: Mark::Character,
        split: SplitRule::Units(4),
        bits: Some(31),
        ..coded_by!(Stateless(Ucs4(ByteOrder::Little)))
    }
    UCS_4BE {
        name: "UCS-4BE",
        aliases: &[],
        summary: "32-bit units, 31-bit numbers, most significant byte first",
        source: "ISO/IEC 10646",
        family: Family::Ucs4,
        unit: 4,
        order: Some(ByteOrder::Big),
        unmarked: Some(&UCS_4),
        mark: Mark::Character,
        split: SplitRule::Units(4),
        bits: Some(31),
        ..coded_by!(Stateless(Ucs4(ByteOrder::Big)))
    }
    UTF_8_RFC2279 {
        name: "UTF-8-RFC2279",
        aliases: &[],
        summary: "one to six bytes per number",
        source: "RFC 2279",
        family: Family::Extended(FirstUnit::Ones { most: 6 }),
        bits: Some(31),
        ..coded_by!(Stateless(Extended::RFC_2279))
    }
    UTF_8_7BYTE {
        name: "UTF-8-7BYTE",
        aliases: &[],
        summary: "one to seven bytes per number",
        source: "Extending UTF-8 to eight bytes, table two",
        family: Family::Extended(FirstUnit::Ones { most: 7 }),
        bits: Some(36),
        ..coded_by!(Stateless(Extended::SEVEN_BYTES))
    }
    UTF_8_8BYTE {
        name: "UTF-8-8BYTE",
        aliases: &[],
        summary: "one to eight bytes per number",
        source: "Extending UTF-8 to eight bytes, table two",
        family: Family::Extended(FirstUnit::Ones { most: 8 }),
        bits: Some(42),
        ..coded_by!(Stateless(Extended::EIGHT_BYTES))
    }
    UTF_8_65BIT {
        name: "UTF-8-65BIT",
        aliases: &[],
        summary: "one to fourteen bytes per number",
        source: "Extending UTF-8 to eight bytes, table ten",
        family: Family::Extended(FirstUnit::Pairs),
        bits: Some(65),
        ..coded_by!(Stateless(Extended::OF_65_BITS))
    }
    UTF_8_HUNK1 {
        name: "UTF-8-HUNK1",
        aliases: &[],
        summary: "units of one bit, each in a byte",
        source: "Extending UTF-8 to eight bytes, table nine",
        family: Family::Extended(FirstUnit::OnesOf { bits: 1 }),
        single_byte: true,
        bits: Some(0),
        ..coded_by!(Stateless(Extended::HUNKS[0]))
    }
    UTF_8_HUNK2 {
        name: "UTF-8-HUNK2",
        aliases: &[],
        summary: "units of two bits, each in a byte",
        source: "Extending UTF-8 to eight bytes, table nine",
        family: Family::Extended(FirstUnit::OnesOf { bits: 2 }),
        single_byte: true,
        bits: Some(1),
        ..coded_by!(Stateless(Extended::HUNKS[1]))
    }
    UTF_8_HUNK3 {
        name: "UTF-8-HUNK3",
        aliases: &[],
        summary: "units of three bits, each in a byte",
        source: "Extending UTF-8 to eight bytes, table nine",
        family: Family::Extended(FirstUnit::OnesOf { bits: 3 }),
        single_byte: true,
        bits: Some(2),
        ..coded_by!(Stateless(Extended::HUNKS[2]))
    }
    UTF_8_HUNK4 {
        name: "UTF-8-HUNK4",
        aliases: &[],
        summary: "units of four bits, each in a byte",
        source: "Extending UTF-8 to eight bytes, table nine",
        family: Family::Extended(FirstUnit::OnesOf { bits: 4 }),
        bits: Some(6),
        ..coded_by!(Stateless(Extended::HUNKS[3]))
    }
    UTF_8_HUNK5 {
        name: "UTF-8-HUNK5",
        aliases: &[],
        summary: "units of five bits, each in a byte",
        source: "Extending UTF-8 to eight bytes, table nine",
        family: Family::Extended(FirstUnit::OnesOf { bits: 5 }),
        bits: Some(12),
        ..coded_by!(Stateless(Extended::HUNKS[4]))
    }
    UTF_8_HUNK6 {
        name: "UTF-8-HUNK6",
        aliases: &[],
        summary: "units of six bits, each in a byte",
        source: "Extending UTF-8 to eight bytes, table nine",
        family: Family::Extended(FirstUnit::OnesOf { bits: 6 }),
        bits: Some(20),
        ..coded_by!(Stateless(Extended::HUNKS[5]))
    }
    UTF_8_HUNK7 {
        name: "UTF-8-HUNK7",
        aliases: &[],
        summary: "units of seven bits, each in a byte",
        source: "Extending UTF-8 to eight bytes, table nine",
        family: Family::Extended(FirstUnit::OnesOf { bits: 7 }),
        bits: Some(30),
        ..coded_by!(Stateless(Extended::HUNKS[6]))
    }
    UTF_8_HUNK8 {
        name: "UTF-8-HUNK8",
        aliases: &[],
        summary: "units of eight bits, each in a byte",
        source: "Extending UTF-8 to eight bytes, table nine",
        family: Family::Extended(FirstUnit::OnesOf { bits: 8 }),
        bits: Some(42),
        ..coded_by!(Stateless(Extended::HUNKS[7]))
    }
    UTF_8_HUNK9 {
        name: "UTF-8-HUNK9",
        aliases: &[],
        summary: "units of nine bits, each in two bytes",
        source: "Extending UTF-8 to eight bytes, table nine",
        family: Family::Extended(FirstUnit::OnesOf { bits: 9 }),
        unit: 2,
        bits: Some(56),
        ..coded_by!(Stateless(Extended::HUNKS[8]))
    }
    WTF_8 {
        name: "WTF-8",
        aliases: &[],
        summary: "UTF-8 with unpaired surrogates; not for interchange",
        source: "WTF-8 specification, The WTF-8 encoding",
        family: Family::Wtf8,
        mark: Mark::Character,
        ..coded_by!(Stateless(Wtf8), Wtf8Encoder::default())
    }
    GENERALIZED_UTF_8 {
        name: "GENERALIZED-UTF-8",
        aliases: &["GENERALISED-UTF-8"],
        summary: "UTF-8 with all surrogates; not for interchange",
        source: "WTF-8 specification, Generalized UTF-8",
        family: Family::GeneralizedUtf8,
        mark: Mark::Character,
        ..coded_by!(Stateless(GeneralizedUtf8))
    }
    WTF_16LE {
        name: "WTF-16LE",
        aliases: &["POTENTIALLY-ILL-FORMED-UTF-16LE"],
        summary: "any 16-bit units, least significant byte first; not for interchange",
        source: "WTF-8 specification, Potentially ill-formed UTF-16",
        family: Family::Wtf16,
        unit: 2,
        order: Some(ByteOrder::Little),
        mark: Mark::Character,
        ..coded_by!(Stateless(Wtf16(ByteOrder::Little)))
    }
    WTF_16BE {
        name: "WTF-16BE",
        aliases: &["POTENTIALLY-ILL-FORMED-UTF-16BE"],
        summary: "any 16-bit units, most significant byte first; not for interchange",
        source: "WTF-8 specification, Potentially ill-formed UTF-16",
        family: Family::Wtf16,
        unit: 2,
        order: Some(ByteOrder::Big),
        mark: Mark::Character,
        ..coded_by!(Stateless(Wtf16(ByteOrder::Big)))
    }
    CESU_8 {
        name: "CESU-8",
        aliases: &["csCESU-8", "IBM-9400"],
        summary: "supplementary characters as pairs of three bytes each",
        source: "UTR 26",
        family: Family::Cesu8,
        mark: Mark::Character,
        ..coded_by!(Stateless(Cesu8))
    }
    MUTF_8 {
        name: "MUTF-8",
        aliases: &["MODIFIED-UTF-8", "JAVA-UTF-8", "JAVA-MODIFIED-UTF-8"],
        summary: "Java's variant of CESU-8, with unpaired surrogates, and NUL as C0 80",
        source: "JVM specification, 4.4.7",
        family: Family::Mutf8,
        mark: Mark::Character,
        ..coded_by!(Stateless(Mutf8))
    }
    US_ASCII {
        name: "US-ASCII",
        aliases: &[
            "ASCII", "ANSI_X3.4-1968", "ANSI_X3.4-1986", "ANSI_X3.4", "ISO_646.IRV:1991",
            "ISO646-US", "ISO-IR-6", "646", "US", "CP367", "IBM367", "csASCII",
        ],
        summary: "7 bits: U+0000 to U+007F",
        source: "ANSI X3.4-1986, ISO/IEC 646 IRV",
        family: Family::Ascii,
        single_byte: true,
        split: SplitRule::Units(1),
        ..coded_by!(Stateless(Ascii))
    }
    ISO_8859_1 {
        name: "ISO-8859-1",
        aliases: &[
            "ISO_8859-1:1987", "8859_1", "ISO-IR-100", "latin1", "l1", "CP819", "IBM819",
            "csISOLatin1",
        ],
        summary: "Latin-1, Western European: U+0000 to U+00FF",
        source: "ISO/IEC 8859-1, with the C0 and C1 controls as in IANA's registration",
        single_byte: true,
        split: SplitRule::Units(1),
        ..coded_by!(Stateless(Latin1))
    }
    UTF_1 {
        name: "UTF-1",
        aliases: &["ISO-10646-UTF-1", "csISO10646UTF1", "ISO-IR-178"],
        summary: "one to five bytes, controls never inside a sequence; withdrawn in 1996",
        source: "ISO/IEC 10646-1:1993, Annex G",
        mark: Mark::Signature,
        ..coded_by!(Stateless(Utf1))
    }
    UTF_EBCDIC {
        name: "UTF-EBCDIC",
        aliases: &["CP1210", "IBM1210"],
        summary: "one to five bytes, ASCII and the controls where EBCDIC has them",
        source: "UTR #16",
        mark: Mark::Signature,
        ..coded_by!(Stateless(UtfEbcdic))
    }
    C99 {
        name: "C99",
        aliases: &[],
        summary: "ASCII with \\uXXXX and \\UXXXXXXXX; all else is plain text",
        source: "GNU libiconv's C99; ISO/IEC 9899:1999, 6.4.3",
        family: Family::Escapes { of_ascii: false },
        ..coded_by!(Stateless(codec::C99), Watching::new(codec::C99))
    }
    JAVA {
        name: "JAVA",
        aliases: &[],
        summary: "ASCII (read: Latin-1) with \\uXXXX, pairs past FFFF; all else is plain text",
        source: "GNU libiconv's JAVA",
        family: Family::Escapes { of_ascii: true },
        ..coded_by!(Stateless(Java), Watching::new(Java))
    }
    XML {
        name: "XML",
        aliases: &["XML-REFERENCES"],
        summary: "ASCII with character references, &amp;, &lt; and &gt;",
        source: "XML 1.0, 4.1 and 4.6",
        family: Family::Escapes { of_ascii: true },
        ..coded_by!(Stateless(Xml))
    }
    HTML {
        name: "HTML",
        aliases: &["HTML-REFERENCES"],
        summary: "ASCII with character references: &#x20AC;, and reading also the names of HTML",
        source: "the HTML standard, 13.2.5 and 13.5",
        family: Family::Escapes { of_ascii: true },
        ..coded_by!(Stateless(Html))
    }
    C_ESCAPES {
        name: "C-ESCAPES",
        aliases: &["C-STRING"],
        summary: "ASCII as inside a C string literal: \\n, \\\", \\\\, \\033, \\uXXXX, \\UXXXXXXXX",
        source: "ISO/IEC 9899:2011, 6.4.3 and 6.4.4.4",
        family: Family::Escapes { of_ascii: true },
        ..coded_by!(Stateless(CEscapes))
    }
    #[cfg(feature = "legacy")]
    WINDOWS_1250 {
        name: "windows-1250",
        aliases: &["CP1250", "MS-EE", "cswindows1250"],
        summary: "Central European, Windows",
        source: "Microsoft's code page 1250, as in glibc's iconv and Unicode's CP1250.TXT",
        ..single_byte!(&sets::WINDOWS_1250)
    }
    #[cfg(feature = "legacy")]
    WINDOWS_1251 {
        name: "windows-1251",
        aliases: &["CP1251", "MS-CYRL", "cswindows1251"],
        summary: "Cyrillic, Windows",
        source: "Microsoft's code page 1251, as in glibc's iconv and Unicode's CP1251.TXT",
        ..single_byte!(&sets::WINDOWS_1251)
    }
    #[cfg(feature = "legacy")]
    WINDOWS_1252 {
        name: "windows-1252",
        aliases: &["CP1252", "MS-ANSI", "cswindows1252"],
        summary: "Western European, Windows",
        source: "Microsoft's code page 1252, as in glibc's iconv and Unicode's CP1252.TXT",
        ..single_byte!(&sets::WINDOWS_1252)
    }
    #[cfg(feature = "legacy")]
    WINDOWS_1253 {
        name: "windows-1253",
        aliases: &["CP1253", "MS-GREEK", "cswindows1253"],
        summary: "Greek, Windows",
        source: "Microsoft's code page 1253, as in glibc's iconv and Unicode's CP1253.TXT",
        ..single_byte!(&sets::WINDOWS_1253)
    }
    #[cfg(feature = "legacy")]
    WINDOWS_1254 {
        name: "windows-1254",
        aliases: &["CP1254", "MS-TURK", "cswindows1254"],
        summary: "Turkish, Windows",
        source: "Microsoft's code page 1254, as in glibc's iconv and Unicode's CP1254.TXT",
        ..single_byte!(&sets::WINDOWS_1254)
    }
    #[cfg(feature = "legacy")]
    WINDOWS_1255 {
        name: "windows-1255",
        aliases: &["CP1255", "MS-HEBR", "cswindows1255"],
        summary: "Hebrew, Windows; points compose with their letter",
        source: "Microsoft's code page 1255, as in glibc's iconv and Unicode's CP1255.TXT, composing as iconv does",
        split: SplitRule::AfterLow,
        ..coded_by!(
            ComposingDecoder(Composing::new(&codec::WINDOWS_1255)),
            Stateless(Composing::new(&codec::WINDOWS_1255))
        )
    }
    #[cfg(feature = "legacy")]
    WINDOWS_1256 {
        name: "windows-1256",
        aliases: &["CP1256", "MS-ARAB", "cswindows1256"],
        summary: "Arabic, Windows",
        source: "Microsoft's code page 1256, as in glibc's iconv and Unicode's CP1256.TXT",
        ..single_byte!(&sets::WINDOWS_1256)
    }
    #[cfg(feature = "legacy")]
    WINDOWS_1257 {
        name: "windows-1257",
        aliases: &["CP1257", "WINBALTRIM", "cswindows1257"],
        summary: "Baltic, Windows",
        source: "Microsoft's code page 1257, as in glibc's iconv and Unicode's CP1257.TXT",
        ..single_byte!(&sets::WINDOWS_1257)
    }
    #[cfg(feature = "legacy")]
    WINDOWS_1258 {
        name: "windows-1258",
        aliases: &["CP1258", "cswindows1258"],
        summary: "Vietnamese, Windows; tone marks compose with their letter",
        source: "Microsoft's code page 1258, as in glibc's iconv and Unicode's CP1258.TXT, composing as iconv does",
        split: SplitRule::AfterLow,
        ..coded_by!(
            ComposingDecoder(Composing::new(&codec::WINDOWS_1258)),
            Stateless(Composing::new(&codec::WINDOWS_1258))
        )
    }
    #[cfg(feature = "legacy")]
    WINDOWS_874 {
        name: "windows-874",
        aliases: &["CP874", "874", "IBM874", "cswindows874"],
        summary: "Thai, Windows",
        source: "Microsoft's code page 874, as in glibc's iconv and Unicode's CP874.TXT",
        ..single_byte!(&sets::WINDOWS_874)
    }
    #[cfg(feature = "legacy")]
    ISO_8859_2 {
        name: "ISO-8859-2",
        aliases: &[
            "ISO_8859-2:1987", "8859_2", "ISO-IR-101", "latin2", "l2", "CP912", "IBM912",
            "OSF00010002", "csISOLatin2",
        ],
        summary: "Latin-2, Central European",
        source: "ISO/IEC 8859-2, with the C0 and C1 controls as in IANA's registration",
        ..single_byte!(&sets::ISO_8859_2)
    }
    #[cfg(feature = "legacy")]
    ISO_8859_3 {
        name: "ISO-8859-3",
        aliases: &[
            "ISO_8859-3:1988", "8859_3", "ISO-IR-109", "latin3", "l3", "OSF00010003", "csISOLatin3",
        ],
        summary: "Latin-3, South European",
        source: "ISO/IEC 8859-3, with the C0 and C1 controls as in IANA's registration",
        ..single_byte!(&sets::ISO_8859_3)
    }
    #[cfg(feature = "legacy")]
    ISO_8859_4 {
        name: "ISO-8859-4",
        aliases: &[
            "ISO_8859-4:1988", "8859_4", "ISO-IR-110", "latin4", "l4", "OSF00010004", "csISOLatin4",
        ],
        summary: "Latin-4, North European",
        source: "ISO/IEC 8859-4, with the C0 and C1 controls as in IANA's registration",
        ..single_byte!(&sets::ISO_8859_4)
    }
    #[cfg(feature = "legacy")]
    ISO_8859_5 {
        name: "ISO-8859-5",
        aliases: &[
            "ISO_8859-5:1988", "8859_5", "ISO-IR-144", "cyrillic", "CP915", "IBM915", "OSF00010005",
            "csISOLatinCyrillic",
        ],
        summary: "Latin/Cyrillic",
        source: "ISO/IEC 8859-5, with the C0 and C1 controls as in IANA's registration",
        ..single_byte!(&sets::ISO_8859_5)
    }
    #[cfg(feature = "legacy")]
    ISO_8859_6 {
        name: "ISO-8859-6",
        aliases: &[
            "ISO_8859-6:1987", "8859_6", "ISO-IR-127", "arabic", "ASMO-708", "ECMA-114", "CP1089",
            "IBM1089", "OSF00010006", "csISOLatinArabic",
        ],
        summary: "Latin/Arabic",
        source: "ISO/IEC 8859-6, with the C0 and C1 controls as in IANA's registration",
        ..single_byte!(&sets::ISO_8859_6)
    }
    #[cfg(feature = "legacy")]
    ISO_8859_7 {
        name: "ISO-8859-7",
        aliases: &[
            "ISO_8859-7:1987", "ISO_8859-7:2003", "8859_7", "ISO-IR-126", "greek", "greek8",
            "ELOT_928", "ECMA-118", "CP813", "IBM813", "OSF00010007", "csISOLatinGreek",
        ],
        summary: "Latin/Greek",
        source: "ISO/IEC 8859-7:2003, with the C0 and C1 controls as in IANA's registration",
        ..single_byte!(&sets::ISO_8859_7)
    }
    #[cfg(feature = "legacy")]
    ISO_8859_8 {
        name: "ISO-8859-8",
        aliases: &[
            "ISO_8859-8:1988", "8859_8", "ISO-IR-138", "hebrew", "CP916", "IBM916", "OSF00010008",
            "csISOLatinHebrew",
        ],
        summary: "Latin/Hebrew",
        source: "ISO/IEC 8859-8, with the C0 and C1 controls as in IANA's registration",
        ..single_byte!(&sets::ISO_8859_8)
    }
    #[cfg(feature = "legacy")]
    ISO_8859_9 {
        name: "ISO-8859-9",
        aliases: &[
            "ISO_8859-9:1989", "8859_9", "ISO-IR-148", "latin5", "l5", "ECMA-128", "TS-5881",
            "CP920", "IBM920", "OSF00010009", "csISOLatin5",
        ],
        summary: "Latin-5, Turkish",
        source: "ISO/IEC 8859-9, with the C0 and C1 controls as in IANA's registration",
        ..single_byte!(&sets::ISO_8859_9)
    }
    #[cfg(feature = "legacy")]
    ISO_8859_10 {
        name: "ISO-8859-10",
        aliases: &["ISO_8859-10:1992", "ISO-IR-157", "latin6", "l6", "OSF0001000A", "csISOLatin6"],
        summary: "Latin-6, Nordic",
        source: "ISO/IEC 8859-10, with the C0 and C1 controls as in IANA's registration",
        ..single_byte!(&sets::ISO_8859_10)
    }
    #[cfg(feature = "legacy")]
    ISO_8859_11 {
        name: "ISO-8859-11",
        aliases: &[],
        summary: "Latin/Thai",
        source: "ISO/IEC 8859-11, with the C0 and C1 controls as in IANA's registration",
        ..single_byte!(&sets::ISO_8859_11)
    }
    #[cfg(feature = "legacy")]
    ISO_8859_13 {
        name: "ISO-8859-13",
        aliases: &["ISO-IR-179", "latin7", "l7", "BALTIC", "csISO885913"],
        summary: "Latin-7, Baltic Rim",
        source: "ISO/IEC 8859-13, with the C0 and C1 controls as in IANA's registration",
        ..single_byte!(&sets::ISO_8859_13)
    }
    #[cfg(feature = "legacy")]
    ISO_8859_14 {
        name: "ISO-8859-14",
        aliases: &["ISO_8859-14:1998", "ISO-IR-199", "latin8", "l8", "ISO-CELTIC", "csISO885914"],
        summary: "Latin-8, Celtic",
        source: "ISO/IEC 8859-14, with the C0 and C1 controls as in IANA's registration",
        ..single_byte!(&sets::ISO_8859_14)
    }
    #[cfg(feature = "legacy")]
    ISO_8859_15 {
        name: "ISO-8859-15",
        aliases: &["ISO_8859-15:1998", "ISO-IR-203", "Latin-9", "csISO885915"],
        summary: "Latin-9, Western European with the euro sign",
        source: "ISO/IEC 8859-15, with the C0 and C1 controls as in IANA's registration",
        ..single_byte!(&sets::ISO_8859_15)
    }
    #[cfg(feature = "legacy")]
    ISO_8859_16 {
        name: "ISO-8859-16",
        aliases: &["ISO_8859-16:2001", "ISO-IR-226", "latin10", "l10", "csISO885916"],
        summary: "Latin-10, South-Eastern European",
        source: "ISO/IEC 8859-16, with the C0 and C1 controls as in IANA's registration",
        ..single_byte!(&sets::ISO_8859_16)
    }
    #[cfg(feature = "legacy")]
    KOI8_R {
        name: "KOI8-R",
        aliases: &["csKOI8R"],
        summary: "Russian",
        source: "RFC 1489",
        ..single_byte!(&sets::KOI8_R)
    }
    KOI8_U {
        name: "KOI8-U",
        aliases: &["csKOI8U"],
        summary: "Ukrainian",
        source: "RFC 2319",
        ..single_byte!(table tables::KOI8_U)
    }
    #[cfg(feature = "legacy")]
    IBM866 {
        name: "IBM866",
        aliases: &["CP866", "866", "csIBM866"],
        summary: "Cyrillic, DOS",
        source: "IBM's code page 866, as in glibc's iconv and Unicode's CP866.TXT",
        ..single_byte!(&sets::IBM866)
    }
    #[cfg(feature = "legacy")]
    MACINTOSH {
        name: "macintosh",
        aliases: &["MAC", "MacRoman", "csMacintosh"],
        summary: "Western European, Macintosh",
        source: "Apple's ROMAN.TXT, with the euro sign at DB",
        ..single_byte!(&sets::MACINTOSH)
    }
    #[cfg(feature = "legacy")]
    CP932 {
        name: "CP932",
        aliases: &["windows-31J", "MS932", "SJIS-WIN", "SJIS-OPEN", "csWindows31J"],
        summary: "Japanese, Windows: JIS X 0208 shifted, with NEC's and IBM's rows",
        source: "Microsoft's code page 932, as in glibc's iconv",
        common_name: Some("Shift_JIS (the Windows variant, CP932)"),
        split: SplitRule::AfterLow,
        ..coded_by!(Stateless(DoubleByte::new(&codec::CP932)))
    }
    #[cfg(feature = "legacy")]
    EUC_JP {
        name: "EUC-JP",
        aliases: &[
            "UJIS", "Extended_UNIX_Code_Packed_Format_for_Japanese", "OSF00030010",
            "csEUCPkdFmtJapanese",
        ],
        summary: "Japanese, Unix: JIS X 0208, half-width katakana, JIS X 0212",
        source: "IANA's EUC-JP, with the tables of glibc's iconv",
        split: SplitRule::AfterLow,
        ..coded_by!(Stateless(EucJp))
    }
    #[cfg(feature = "legacy")]
    ISO_2022_JP {
        name: "ISO-2022-JP",
        aliases: &["csISO2022JP"],
        summary: "Japanese, mail: 7 bits with escape sequences",
        source: "RFC 1468, with the tables of glibc's iconv",
        ..coded_by!(Stateful(Iso2022Jp::new()), Iso2022JpEncoder::new())
    }
    #[cfg(feature = "legacy")]
    GBK {
        name: "GBK",
        aliases: &["CP936", "MS936", "windows-936", "GB13000", "csGBK"],
        summary: "Simplified Chinese, Windows",
        source: "Microsoft's code page 936, as in glibc's iconv",
        split: SplitRule::AfterLow,
        ..coded_by!(Stateless(DoubleByte::new(&codec::GBK)))
    }
    #[cfg(feature = "legacy")]
    GB18030 {
        name: "GB18030",
        aliases: &["csGB18030"],
        summary: "Chinese, one, two or four bytes: every character of Unicode",
        source: "GB 18030-2022, in which 18 more two-byte codes mean real characters, not private ones",
        split: SplitRule::AfterLow,
        ..coded_by!(Stateless(Gb18030))
    }
    #[cfg(feature = "legacy")]
    BIG5 {
        name: "BIG5",
        aliases: &["BIG-FIVE", "CN-BIG5", "CP950", "csBig5"],
        summary: "Traditional Chinese, with the characters of ETEN and Windows in row F9",
        source: "Big5 and Microsoft's code page 950, as in glibc's iconv",
        common_name: Some("Big5"),
        split: SplitRule::AfterLow,
        ..coded_by!(Stateless(DoubleByte::new(&codec::BIG5)))
    }
    #[cfg(feature = "legacy")]
    CP949 {
        name: "CP949",
        aliases: &["UHC", "MSCP949", "OSF100203B5"],
        summary: "Korean, Windows: all Hangul syllables",
        source: "Microsoft's code page 949 (Unified Hangul Code), as in glibc's iconv",
        common_name: Some("EUC-KR (the Windows variant, CP949)"),
        split: SplitRule::AfterLow,
        ..coded_by!(Stateless(DoubleByte::new(&codec::CP949)))
    }
    UTF_7 {
        name: "UTF-7",
        aliases: &[
            "UNICODE-1-1-UTF-7", "UNICODE-2-0-UTF-7", "windows-65000", "CP65000", "csUTF7",
            "csUnicode11UTF7",
        ],
        summary: "7 bits: ASCII, and base64 between + and -",
        source: "RFC 2152",
        family: Family::Utf7,
        mark: Mark::Signature,
        ..coded_by!(Stateful(Utf7::new(Utf7Variant::Mail)), Utf7Encoder::new(Utf7Variant::Mail))
    }
    UTF_7_IMAP {
        name: "UTF-7-IMAP",
        aliases: &["IMAP-mailbox-name", "csUTF7IMAP"],
        summary: "UTF-7 for mailbox names: base64 between & and -",
        source: "RFC 3501, 5.1.3; RFC 9051, A.1",
        family: Family::Utf7Imap,
        ..coded_by!(Stateful(Utf7::new(Utf7Variant::Mailbox)), Utf7Encoder::new(Utf7Variant::Mailbox))
    }
    SCSU {
        name: "SCSU",
        aliases: &["csSCSU", "IBM-1212", "IBM-1213"],
        summary: "compressed: one byte a letter in most scripts, two an ideograph",
        source: "UTS #6",
        family: Family::Scsu,
        mark: Mark::Signature,
        ..coded_by!(Stateful(Scsu::new()), ScsuEncoder::new())
    }
    BOCU_1 {
        name: "BOCU-1",
        aliases: &["csBOCU1", "IBM-1214", "IBM-1215"],
        summary: "compressed: differences between characters; in the order of code points, and fit for mail",
        source: "UTN #6",
        family: Family::Bocu1,
        mark: Mark::Signature,
        ..coded_by!(Stateful(Bocu1::new()), Bocu1::new())
    }
}
