//! The single-byte character sets whose tables come from encoding_rs.
//!
//! It follows the WHATWG Encoding Standard. If IANA and iconv mean something else by a name, the set contains the
//! differences. Above all, the WHATWG standard maps bytes that Microsoft's code pages leave undefined to C1 controls,
//! and iconv does not map them.

use encoding_rs::Encoding;

use super::single_byte::SingleByteSet;
use super::web_table::WebTable;

const fn of(encoding: &'static Encoding) -> SingleByteSet {
    without(encoding, &[])
}

const fn without(encoding: &'static Encoding, undefined: &'static [u8]) -> SingleByteSet {
    SingleByteSet::web(WebTable { encoding, controls: false, undefined })
}

const fn with_controls(encoding: &'static Encoding) -> SingleByteSet {
    SingleByteSet::web(WebTable { encoding, controls: true, undefined: &[] })
}

/// Windows code page 1250, Central European.
pub static WINDOWS_1250: SingleByteSet =
    without(encoding_rs::WINDOWS_1250, b"\x81\x83\x88\x90\x98");
/// Windows code page 1251, Cyrillic.
pub static WINDOWS_1251: SingleByteSet = without(encoding_rs::WINDOWS_1251, b"\x98");
/// Windows code page 1252, Western European.
pub static WINDOWS_1252: SingleByteSet =
    without(encoding_rs::WINDOWS_1252, b"\x81\x8D\x8F\x90\x9D");
/// Windows code page 1253, Greek.
pub static WINDOWS_1253: SingleByteSet =
    without(encoding_rs::WINDOWS_1253, b"\x81\x88\x8A\x8C\x8D\x8E\x8F\x90\x98\x9A\x9C\x9D\x9E\x9F");
/// Windows code page 1254, Turkish.
pub static WINDOWS_1254: SingleByteSet =
    without(encoding_rs::WINDOWS_1254, b"\x81\x8D\x8E\x8F\x90\x9D\x9E");
/// Windows code page 1255, Hebrew. CA (U+05BA) came into the WHATWG table only.
pub static WINDOWS_1255: SingleByteSet =
    without(encoding_rs::WINDOWS_1255, b"\x81\x8A\x8C\x8D\x8E\x8F\x90\x9A\x9C\x9D\x9E\x9F\xCA");
/// Windows code page 1256, Arabic.
pub static WINDOWS_1256: SingleByteSet = of(encoding_rs::WINDOWS_1256);
/// Windows code page 1257, Baltic.
pub static WINDOWS_1257: SingleByteSet =
    without(encoding_rs::WINDOWS_1257, b"\x81\x83\x88\x8A\x8C\x90\x98\x9A\x9C\x9F");
/// Windows code page 1258, Vietnamese.
pub static WINDOWS_1258: SingleByteSet =
    without(encoding_rs::WINDOWS_1258, b"\x81\x8A\x8D\x8E\x8F\x90\x9A\x9D\x9E");
/// Windows code page 874, Thai.
pub static WINDOWS_874: SingleByteSet = without(
    encoding_rs::WINDOWS_874,
    b"\x81\x82\x83\x84\x86\x87\x88\x89\x8A\x8B\x8C\x8D\x8E\x8F\x90\x98\x99\x9A\x9B\x9C\x9D\x9E\x9F",
);
/// ISO/IEC 8859-2, Latin-2.
pub static ISO_8859_2: SingleByteSet = of(encoding_rs::ISO_8859_2);
/// ISO/IEC 8859-3, Latin-3.
pub static ISO_8859_3: SingleByteSet = of(encoding_rs::ISO_8859_3);
/// ISO/IEC 8859-4, Latin-4.
pub static ISO_8859_4: SingleByteSet = of(encoding_rs::ISO_8859_4);
/// ISO/IEC 8859-5, Cyrillic.
pub static ISO_8859_5: SingleByteSet = of(encoding_rs::ISO_8859_5);
/// ISO/IEC 8859-6, Arabic.
pub static ISO_8859_6: SingleByteSet = of(encoding_rs::ISO_8859_6);
/// ISO/IEC 8859-7:2003, Greek.
pub static ISO_8859_7: SingleByteSet = of(encoding_rs::ISO_8859_7);
/// ISO/IEC 8859-8, Hebrew.
pub static ISO_8859_8: SingleByteSet = of(encoding_rs::ISO_8859_8);
/// ISO/IEC 8859-9, Latin-5: windows-1254 has its graphic characters.
pub static ISO_8859_9: SingleByteSet = with_controls(encoding_rs::WINDOWS_1254);
/// ISO/IEC 8859-10, Latin-6.
pub static ISO_8859_10: SingleByteSet = of(encoding_rs::ISO_8859_10);
/// ISO/IEC 8859-11, Thai, with the graphic characters of windows-874.
pub static ISO_8859_11: SingleByteSet = with_controls(encoding_rs::WINDOWS_874);
/// ISO/IEC 8859-13, Latin-7.
pub static ISO_8859_13: SingleByteSet = of(encoding_rs::ISO_8859_13);
/// ISO/IEC 8859-14, Latin-8.
pub static ISO_8859_14: SingleByteSet = of(encoding_rs::ISO_8859_14);
/// ISO/IEC 8859-15, Latin-9.
pub static ISO_8859_15: SingleByteSet = of(encoding_rs::ISO_8859_15);
/// ISO/IEC 8859-16, Latin-10.
pub static ISO_8859_16: SingleByteSet = of(encoding_rs::ISO_8859_16);
/// RFC 1489, Russian.
pub static KOI8_R: SingleByteSet = of(encoding_rs::KOI8_R);
/// IBM code page 866, Russian.
pub static IBM866: SingleByteSet = of(encoding_rs::IBM866);
/// Mac OS Roman, with the euro sign.
pub static MACINTOSH: SingleByteSet = of(encoding_rs::MACINTOSH);
