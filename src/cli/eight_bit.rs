//! Encodings in which nearly every text is well-formed, so that being well-formed proves nothing.
//!
//! In windows-1252 any bytes are text, and in UTF-16 nearly any two bytes are a code unit; in UTF-8 hardly any text of
//! another encoding is well-formed. Instead of a list of names, a few texts in Latin-1 and UTF-8 are decoded in the
//! encoding in question, so a table that the user brings is classified too.

use oxiconv_encodings::codec::{ByteOrder, DecodeStop, MIN_PIVOT};
use oxiconv_encodings::encoding::Encoding;

/// Whether `encoding` has one byte per character and defines bytes above 7F: every single-byte encoding except US-ASCII
/// and its like.
pub(crate) fn is_eight_bit(encoding: &Encoding) -> bool {
    encoding.single_byte && (0x80..=0xFF).any(|byte| is_well_formed(encoding, &[byte]))
}

/// Whether a text that is well-formed in `encoding` is likely to be in it.
///
/// The encoding must reject text in ISO-8859-1. It must also reject text in UTF-8, unless it accepts all of it as a
/// relative of UTF-8 does. The East Asian multi-byte encodings fail: they accept many texts of both kinds.
pub(crate) fn identifies_its_texts(encoding: &Encoding) -> bool {
    let of_utf8 = utf8_texts(encoding);
    !accepts_latin(encoding) && (of_utf8 == 0 || of_utf8 == UTF8.len())
}

/// Whether `encoding` is UTF-8 or a relative of it, which accepts text in UTF-8 and rejects text in ISO-8859-1.
pub(crate) fn is_like_utf8(encoding: &Encoding) -> bool {
    !accepts_latin(encoding) && utf8_texts(encoding) == UTF8.len()
}

/// Whether text in UTF-8 may be well-formed in `encoding` and mean something else there.
pub(crate) fn misreads_utf8(encoding: &Encoding) -> bool {
    !is_like_utf8(encoding) && (is_eight_bit(encoding) || utf8_texts(encoding) > 0)
}

/// Texts in ISO-8859-1. Some have an odd and some an even number of bytes, because two-byte units reject the odd ones
/// for their length alone.
const LATIN: [&[u8]; 4] = [b"caf\xE9 na\xEFve au lait", b"caf\xE9", b"\xC4\xD6", b"\xE9t\xE9 "];
const UTF8: [&str; 6] = ["café naïf ", "é", "привет, мир", "中文文字", "日本語テキスト ", "한국어"];

fn accepts_latin(encoding: &Encoding) -> bool {
    LATIN.iter().any(|text| is_well_formed(encoding, text))
}

fn utf8_texts(encoding: &Encoding) -> usize {
    UTF8.iter().filter(|text| is_well_formed(encoding, text.as_bytes())).count()
}

pub(crate) fn is_well_formed(encoding: &Encoding, text: &[u8]) -> bool {
    let mut decoder = encoding.new_decoder(ByteOrder::Big);
    let mut pivot = [0; 4 * MIN_PIVOT];
    let mut at = 0;
    loop {
        let decoded = decoder.decode(&text[at..], &mut pivot, true);
        at += decoded.read;
        match decoded.stop {
            DecodeStop::OutputFull => {}
            DecodeStop::InputEmpty => return true,
            DecodeStop::IllFormed(_) | DecodeStop::Large { .. } => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_that_take_nearly_every_text_are_known() {
        for (name, eight_bit, tells, like_utf8, misreads) in [
            ("utf-8", false, true, true, false),
            ("us-ascii", false, true, false, false),
            ("windows-1252", true, false, false, true),
            ("windows-1253", true, false, false, true),
            ("koi8-r", true, false, false, true),
            ("utf-16le", false, false, false, true),
            ("utf-16", false, false, false, true),
            ("utf-32le", false, true, false, false),
            ("scsu", false, false, false, true),
            ("gb18030", false, false, false, true),
            ("cp932", false, false, false, true),
            ("iso-2022-jp", false, true, false, false),
            ("utf-7", false, true, false, false),
            ("cesu-8", false, true, true, false),
            ("utf8-mac", false, true, true, false),
            ("euc-jp", false, false, false, true),
        ] {
            let encoding = Encoding::for_name(name).unwrap();
            assert_eq!(
                (
                    is_eight_bit(encoding),
                    identifies_its_texts(encoding),
                    is_like_utf8(encoding),
                    misreads_utf8(encoding)
                ),
                (eight_bit, tells, like_utf8, misreads),
                "{name}"
            );
        }
    }
}
