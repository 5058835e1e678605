//! The encodings that have code of their own: all of Unicode's, and the charsets that share their structure with no
//! other. Charsets that consist of tables are only rows of `charsets/`. The names of all are there, too.
//!
//! A row sets what differs from [`Encoding::coded_by`]. The well-known ones are also constants: [`Encoding::UTF_8`].
//!
//! What `split` may be follows from what a decoder or an encoder keeps from one line to the next:
//!
//! ```text
//! nothing, and units or lead bytes can be told apart anywhere     Utf8, Utf16, Units, AfterLow
//! nothing                                                         AfterLine: CESU-8, UTF-1, the escapes
//! a state that a line feed ends, in both directions               AfterLine: UTF-7, HZ, BOCU-1, ISCII
//! a state that outlives a line feed                               Never: designated sets (ISO 2022, MARC-8), windows
//!                                                                 (SCSU), the last group (LMBCS-1)
//! ```
//!
//! Never is also the default. UTF-7-IMAP is left at it, because it writes a line feed in base64.

use super::charsets::hand;
use super::{Encoding, Family, FirstUnit, Mark, SplitRule};
use crate::codec::{
    self, AsciiCodec, Bocu1, ByteOrder, CEscapes, Cesu8, EscapingEncoder, Extended,
    GeneralizedUtf8, Html, Java, Latin1Codec, Mutf8, Scsu, ScsuEncoder, Stateful, Stateless, Ucs2,
    Ucs4, Utf1, Utf7, Utf7Encoder, Utf7Variant, Utf8Codec, Utf8Mac, Utf16Codec, Utf32Codec,
    UtfEbcdic, Wtf8, Wtf8Encoder, Wtf16, Xml,
};
#[cfg(feature = "legacy")]
use crate::codec::{
    Composing, ComposingDecoder, Edition, Gb18030, Hz, HzEncoder, Iscii, IsciiEncoder, Iso2022,
    Iso2022Encoder, Joining, Lmbcs, LmbcsEncoder, Marc8, Marc8Encoder, Marc8Variant, Multi,
    MultiByte, Tscii, TsciiEncoder, compositions, iso2022, set,
};

/// Defines the rows. `charsets/` has their names and the order in which `--list` shows them.
macro_rules! encodings {
    ($($(#[$condition:meta])? $id:ident { $($rest:tt)* })*) => {
        $($(#[$condition])? pub static $id: Encoding = Encoding { line: hand::$id, $($rest)* };)*
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

encodings! {
    UTF_8 {
        family: Family::Utf8,
        mark: Mark::Signature,
        split: SplitRule::Utf8,
        ..coded_by!(Stateless(Utf8Codec))
    }
    UTF_16 {
        family: Family::Utf16,
        unit: 2,
        orders: Some([&UTF_16BE, &UTF_16LE]),
        mark: Mark::ByteOrder,
        ..coded_by!(order => Stateless(Utf16Codec(order)))
    }
    UTF_16LE {
        family: Family::Utf16,
        unit: 2,
        order: Some(ByteOrder::Little),
        unmarked: Some(&UTF_16),
        mark: Mark::Character,
        split: SplitRule::Utf16(1),
        ..coded_by!(Stateless(Utf16Codec(ByteOrder::Little)))
    }
    UTF_16BE {
        family: Family::Utf16,
        unit: 2,
        order: Some(ByteOrder::Big),
        unmarked: Some(&UTF_16),
        mark: Mark::Character,
        split: SplitRule::Utf16(0),
        ..coded_by!(Stateless(Utf16Codec(ByteOrder::Big)))
    }
    UTF_32 {
        family: Family::Utf32,
        unit: 4,
        orders: Some([&UTF_32BE, &UTF_32LE]),
        mark: Mark::ByteOrder,
        ..coded_by!(order => Stateless(Utf32Codec(order)))
    }
    UTF_32LE {
        family: Family::Utf32,
        unit: 4,
        order: Some(ByteOrder::Little),
        unmarked: Some(&UTF_32),
        mark: Mark::Character,
        split: SplitRule::Units(4),
        ..coded_by!(Stateless(Utf32Codec(ByteOrder::Little)))
    }
    UTF_32BE {
        family: Family::Utf32,
        unit: 4,
        order: Some(ByteOrder::Big),
        unmarked: Some(&UTF_32),
        mark: Mark::Character,
        split: SplitRule::Units(4),
        ..coded_by!(Stateless(Utf32Codec(ByteOrder::Big)))
    }
    UCS_2 {
        family: Family::Ucs2,
        unit: 2,
        orders: Some([&UCS_2BE, &UCS_2LE]),
        mark: Mark::OptionalByteOrder,
        bits: Some(16),
        ..coded_by!(order => Stateless(Ucs2(order)))
    }
    UCS_2LE {
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
        family: Family::Ucs4,
        unit: 4,
        orders: Some([&UCS_4BE, &UCS_4LE]),
        mark: Mark::OptionalByteOrder,
        bits: Some(31),
        ..coded_by!(order => Stateless(Ucs4(order)))
    }
    UCS_4LE {
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
        family: Family::Extended(FirstUnit::Ones { most: 6 }),
        bits: Some(31),
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(Extended::RFC_2279))
    }
    UTF_8_7BYTE {
        family: Family::Extended(FirstUnit::Ones { most: 7 }),
        bits: Some(36),
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(Extended::SEVEN_BYTES))
    }
    UTF_8_8BYTE {
        family: Family::Extended(FirstUnit::Ones { most: 8 }),
        bits: Some(42),
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(Extended::EIGHT_BYTES))
    }
    UTF_8_65BIT {
        family: Family::Extended(FirstUnit::Pairs),
        bits: Some(65),
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(Extended::OF_65_BITS))
    }
    UTF_8_HUNK1 {
        family: Family::Extended(FirstUnit::OnesOf { bits: 1 }),
        single_byte: true,
        bits: Some(0),
        ..coded_by!(Stateless(Extended::HUNKS[0]))
    }
    UTF_8_HUNK2 {
        family: Family::Extended(FirstUnit::OnesOf { bits: 2 }),
        single_byte: true,
        bits: Some(1),
        ..coded_by!(Stateless(Extended::HUNKS[1]))
    }
    UTF_8_HUNK3 {
        family: Family::Extended(FirstUnit::OnesOf { bits: 3 }),
        single_byte: true,
        bits: Some(2),
        ..coded_by!(Stateless(Extended::HUNKS[2]))
    }
    UTF_8_HUNK4 {
        family: Family::Extended(FirstUnit::OnesOf { bits: 4 }),
        bits: Some(6),
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(Extended::HUNKS[3]))
    }
    UTF_8_HUNK5 {
        family: Family::Extended(FirstUnit::OnesOf { bits: 5 }),
        bits: Some(12),
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(Extended::HUNKS[4]))
    }
    UTF_8_HUNK6 {
        family: Family::Extended(FirstUnit::OnesOf { bits: 6 }),
        bits: Some(20),
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(Extended::HUNKS[5]))
    }
    UTF_8_HUNK7 {
        family: Family::Extended(FirstUnit::OnesOf { bits: 7 }),
        bits: Some(30),
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(Extended::HUNKS[6]))
    }
    UTF_8_HUNK8 {
        family: Family::Extended(FirstUnit::OnesOf { bits: 8 }),
        bits: Some(42),
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(Extended::HUNKS[7]))
    }
    UTF_8_HUNK9 {
        family: Family::Extended(FirstUnit::OnesOf { bits: 9 }),
        unit: 2,
        bits: Some(56),
        ..coded_by!(Stateless(Extended::HUNKS[8]))
    }
    WTF_8 {
        family: Family::Wtf8,
        mark: Mark::Character,
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(Wtf8), Wtf8Encoder::default())
    }
    GENERALIZED_UTF_8 {
        family: Family::GeneralizedUtf8,
        mark: Mark::Character,
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(GeneralizedUtf8))
    }
    WTF_16LE {
        family: Family::Wtf16,
        unit: 2,
        order: Some(ByteOrder::Little),
        mark: Mark::Character,
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(Wtf16(ByteOrder::Little)))
    }
    WTF_16BE {
        family: Family::Wtf16,
        unit: 2,
        order: Some(ByteOrder::Big),
        mark: Mark::Character,
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(Wtf16(ByteOrder::Big)))
    }
    CESU_8 {
        family: Family::Cesu8,
        mark: Mark::Character,
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(Cesu8))
    }
    MUTF_8 {
        family: Family::Mutf8,
        mark: Mark::Character,
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(Mutf8))
    }
    US_ASCII {
        family: Family::Ascii,
        single_byte: true,
        split: SplitRule::Units(1),
        ..coded_by!(Stateless(AsciiCodec))
    }
    ISO_8859_1 {
        single_byte: true,
        split: SplitRule::Units(1),
        ..coded_by!(Stateless(Latin1Codec))
    }
    UTF_1 {
        mark: Mark::Signature,
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(Utf1))
    }
    UTF_EBCDIC {
        mark: Mark::Signature,
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(UtfEbcdic))
    }
    C99 {
        family: Family::Escapes { of_ascii: false },
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(codec::C99), EscapingEncoder::new(codec::C99))
    }
    JAVA {
        family: Family::Escapes { of_ascii: true },
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(Java), EscapingEncoder::new(Java))
    }
    XML {
        family: Family::Escapes { of_ascii: true },
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(Xml))
    }
    HTML {
        family: Family::Escapes { of_ascii: true },
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(Html))
    }
    C_ESCAPES {
        family: Family::Escapes { of_ascii: true },
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(CEscapes))
    }
    #[cfg(feature = "legacy")]
    WINDOWS_1255 {
        split: SplitRule::AfterLow,
        ..coded_by!(
            ComposingDecoder(Composing::new(set::WINDOWS_1255, &compositions::WINDOWS_1255)),
            Stateless(Composing::new(set::WINDOWS_1255, &compositions::WINDOWS_1255))
        )
    }
    #[cfg(feature = "legacy")]
    WINDOWS_1258 {
        split: SplitRule::AfterLow,
        ..coded_by!(
            ComposingDecoder(Composing::new(set::WINDOWS_1258, &compositions::WINDOWS_1258)),
            Stateless(Composing::new(set::WINDOWS_1258, &compositions::WINDOWS_1258))
        )
    }
    #[cfg(feature = "legacy")]
    ISO_2022_JP {
        ..coded_by!(Stateful::new(Iso2022::new(&iso2022::ISO_2022_JP)), Iso2022Encoder::new(&iso2022::ISO_2022_JP))
    }
    #[cfg(feature = "legacy")]
    ISO_2022_JP_WHATWG {
        ..coded_by!(Stateful::new(Iso2022::new(&iso2022::ISO_2022_JP_WHATWG)), Iso2022Encoder::new(&iso2022::ISO_2022_JP_WHATWG))
    }
    #[cfg(feature = "legacy")]
    ISO_2022_JP_1 {
        ..coded_by!(Stateful::new(Iso2022::new(&iso2022::ISO_2022_JP_1)), Iso2022Encoder::new(&iso2022::ISO_2022_JP_1))
    }
    #[cfg(feature = "legacy")]
    ISO_2022_JP_2 {
        ..coded_by!(Stateful::new(Iso2022::new(&iso2022::ISO_2022_JP_2)), Iso2022Encoder::new(&iso2022::ISO_2022_JP_2))
    }
    #[cfg(feature = "legacy")]
    ISO_2022_JP_3 {
        ..coded_by!(Stateful::new(Iso2022::new(&iso2022::ISO_2022_JP_3)), Joining::new(Iso2022Encoder::new(&iso2022::ISO_2022_JP_3)))
    }
    #[cfg(feature = "legacy")]
    ISO_2022_JP_EXT {
        ..coded_by!(Stateful::new(Iso2022::new(&iso2022::ISO_2022_JP_EXT)), Iso2022Encoder::new(&iso2022::ISO_2022_JP_EXT))
    }
    #[cfg(feature = "legacy")]
    ISO_2022_JP_MS {
        ..coded_by!(Stateful::new(Iso2022::new(&iso2022::CP50221)), Iso2022Encoder::new(&iso2022::CP50221))
    }
    #[cfg(feature = "legacy")]
    CP50220 {
        ..coded_by!(Stateful::new(Iso2022::new(&iso2022::CP50220)), Joining::new(Iso2022Encoder::new(&iso2022::CP50220)))
    }
    #[cfg(feature = "legacy")]
    CP50222 {
        ..coded_by!(Stateful::new(Iso2022::new(&iso2022::CP50222)), Iso2022Encoder::new(&iso2022::CP50222))
    }
    #[cfg(feature = "legacy")]
    JIS7 {
        ..coded_by!(Stateful::new(Iso2022::new(&iso2022::JIS_7)), Iso2022Encoder::new(&iso2022::JIS_7))
    }
    #[cfg(feature = "legacy")]
    JIS8 {
        ..coded_by!(Stateful::new(Iso2022::new(&iso2022::JIS_8)), Iso2022Encoder::new(&iso2022::JIS_8))
    }
    #[cfg(feature = "legacy")]
    ISO_2022_KR {
        ..coded_by!(Stateful::new(Iso2022::new(&iso2022::ISO_2022_KR)), Iso2022Encoder::new(&iso2022::ISO_2022_KR))
    }
    #[cfg(feature = "legacy")]
    ISO_2022_CN {
        ..coded_by!(Stateful::new(Iso2022::new(&iso2022::ISO_2022_CN)), Iso2022Encoder::new(&iso2022::ISO_2022_CN))
    }
    #[cfg(feature = "legacy")]
    ISO_2022_CN_EXT {
        ..coded_by!(Stateful::new(Iso2022::new(&iso2022::ISO_2022_CN_EXT)), Iso2022Encoder::new(&iso2022::ISO_2022_CN_EXT))
    }
    #[cfg(feature = "legacy")]
    ISO_2022_CN_CNS {
        ..coded_by!(Stateful::new(Iso2022::new(&iso2022::ISO_2022_CN_CNS)), Iso2022Encoder::new(&iso2022::ISO_2022_CN_CNS))
    }
    #[cfg(feature = "legacy")]
    HZ {
        split: SplitRule::AfterLine,
        ..coded_by!(Stateful::new(Hz::default()), HzEncoder::default())
    }
    #[cfg(feature = "legacy")]
    GB18030 {
        split: SplitRule::AfterLow,
        ..coded_by!(Stateless(Gb18030::new(Edition::Of2022)))
    }
    #[cfg(feature = "legacy")]
    GB18030_2005 {
        split: SplitRule::AfterLow,
        ..coded_by!(Stateless(Gb18030::new(Edition::Of2005)))
    }
    #[cfg(feature = "legacy")]
    GB18030_2000 {
        split: SplitRule::AfterLow,
        ..coded_by!(Stateless(Gb18030::new(Edition::Of2000)))
    }
    #[cfg(feature = "legacy")]
    GB18030_WHATWG {
        split: SplitRule::AfterLow,
        ..coded_by!(Stateless(Gb18030::new(Edition::OfTheWeb)))
    }
    // By the Encoding Standard, GBK is read as GB18030, and written without codes of four bytes.
    #[cfg(feature = "legacy")]
    GBK_WHATWG {
        split: SplitRule::AfterLow,
        ..coded_by!(
            Stateless(Gb18030::new(Edition::OfTheWeb)),
            Stateless(MultiByte::new(Multi { set: set::GBK_WHATWG, prefixed: (0, 0), low: true }))
        )
    }
    #[cfg(feature = "legacy")]
    X_ISCII_DE {
        split: SplitRule::AfterLine,
        ..coded_by!(Stateful::new(Iscii::new(0)), Joining::new(IsciiEncoder::default()))
    }
    #[cfg(feature = "legacy")]
    X_ISCII_BE {
        split: SplitRule::AfterLine,
        ..coded_by!(Stateful::new(Iscii::new(1)), Joining::new(IsciiEncoder::default()))
    }
    #[cfg(feature = "legacy")]
    X_ISCII_PA {
        split: SplitRule::AfterLine,
        ..coded_by!(Stateful::new(Iscii::new(2)), Joining::new(IsciiEncoder::default()))
    }
    #[cfg(feature = "legacy")]
    X_ISCII_GU {
        split: SplitRule::AfterLine,
        ..coded_by!(Stateful::new(Iscii::new(3)), Joining::new(IsciiEncoder::default()))
    }
    #[cfg(feature = "legacy")]
    X_ISCII_OR {
        split: SplitRule::AfterLine,
        ..coded_by!(Stateful::new(Iscii::new(4)), Joining::new(IsciiEncoder::default()))
    }
    #[cfg(feature = "legacy")]
    X_ISCII_TA {
        split: SplitRule::AfterLine,
        ..coded_by!(Stateful::new(Iscii::new(5)), Joining::new(IsciiEncoder::default()))
    }
    #[cfg(feature = "legacy")]
    X_ISCII_TE {
        split: SplitRule::AfterLine,
        ..coded_by!(Stateful::new(Iscii::new(6)), Joining::new(IsciiEncoder::default()))
    }
    #[cfg(feature = "legacy")]
    X_ISCII_KA {
        split: SplitRule::AfterLine,
        ..coded_by!(Stateful::new(Iscii::new(7)), Joining::new(IsciiEncoder::default()))
    }
    #[cfg(feature = "legacy")]
    X_ISCII_MA {
        split: SplitRule::AfterLine,
        ..coded_by!(Stateful::new(Iscii::new(8)), Joining::new(IsciiEncoder::default()))
    }
    #[cfg(feature = "legacy")]
    X11_COMPOUND_TEXT {
        ..coded_by!(Stateful::new(Iso2022::new(&iso2022::COMPOUND_TEXT)), Iso2022Encoder::new(&iso2022::COMPOUND_TEXT))
    }
    #[cfg(feature = "legacy")]
    ISO_2022_DICOM {
        ..coded_by!(Stateful::new(Iso2022::new(&iso2022::DICOM)), Iso2022Encoder::new(&iso2022::DICOM))
    }
    #[cfg(feature = "legacy")]
    TSCII {
        split: SplitRule::AfterLine,
        ..coded_by!(Tscii, TsciiEncoder::default())
    }
    #[cfg(feature = "legacy")]
    ANSEL {
        split: SplitRule::AfterLine,
        ..coded_by!(Marc8::new(Marc8Variant::Gedcom), Marc8Encoder::new(Marc8Variant::Gedcom))
    }
    #[cfg(feature = "legacy")]
    MARC_8 {
        ..coded_by!(Marc8::new(Marc8Variant::Marc), Marc8Encoder::new(Marc8Variant::Marc))
    }
    #[cfg(feature = "legacy")]
    LMBCS_1 {
        ..coded_by!(Stateful::new(Lmbcs), LmbcsEncoder::default())
    }
    UTF8_MAC {
        split: SplitRule::AfterLine,
        ..coded_by!(Stateless(Utf8Mac))
    }
    UTF_7 {
        family: Family::Utf7,
        mark: Mark::Signature,
        split: SplitRule::AfterLine,
        ..coded_by!(Stateful::new(Utf7::new(Utf7Variant::Mail)), Utf7Encoder::new(Utf7Variant::Mail))
    }
    UTF_7_IMAP {
        family: Family::Utf7Imap,
        ..coded_by!(Stateful::new(Utf7::new(Utf7Variant::Mailbox)), Utf7Encoder::new(Utf7Variant::Mailbox))
    }
    SCSU {
        family: Family::Scsu,
        mark: Mark::Signature,
        ..coded_by!(Stateful::new(Scsu::new()), ScsuEncoder::new())
    }
    BOCU_1 {
        family: Family::Bocu1,
        mark: Mark::Signature,
        split: SplitRule::AfterLine,
        ..coded_by!(Stateful::new(Bocu1::new()), Bocu1::new())
    }
}
