//! Encodings in which nearly every text is well-formed, so that being well-formed proves nothing.

use crate::codec::{ByteOrder, DecodeStop, MIN_PIVOT};
use crate::encoding::Encoding;

/// Whether `encoding` has one byte per character and defines bytes above 7F. This is every single-byte encoding except
/// US-ASCII.
pub(crate) fn is_eight_bit(encoding: &Encoding) -> bool {
    encoding.single_byte && (0x80..=0xFF).any(|byte| is_well_formed(encoding, &[byte]))
}

/// Whether a text that is well-formed in `encoding` is likely to be in it. The encoding must reject text in ISO-8859-1,
/// and reject text in UTF-8 unless it accepts all of it, as a relative of UTF-8 does. Multi-byte character sets accept
/// many texts of both.
pub(crate) fn tells_its_texts(encoding: &Encoding) -> bool {
    // Even and odd lengths, for two-byte units.
    let latin = [&b"caf\xE9 na\xEFve au lait"[..], b"caf\xE9", b"\xC4\xD6", b"\xE9t\xE9 "];
    let utf8 = ["café naïf ", "é", "привет, мир", "中文文字", "日本語テキスト ", "한국어"];
    let takes = |text: &[u8]| is_well_formed(encoding, text);
    let of_utf8 = utf8.iter().filter(|text| takes(text.as_bytes())).count();
    !latin.iter().any(|text| takes(text)) && (of_utf8 == 0 || of_utf8 == utf8.len())
}

/// Whether all of `text` is well-formed in `encoding`.
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
        for (name, eight_bit, tells) in [
            ("utf-8", false, true),
            ("us-ascii", false, true),
            ("windows-1252", true, false),
            ("windows-1253", true, false),
            ("koi8-r", true, false),
            // Nearly any two bytes are a valid two-byte unit.
            ("utf-16le", false, false),
            ("utf-16", false, false),
            ("utf-32le", false, true),
            ("scsu", false, false),
            ("gb18030", false, false),
            ("cp932", false, false),
            ("iso-2022-jp", false, true),
            ("cesu-8", false, true),
            ("euc-jp", false, false),
        ] {
            let encoding = Encoding::for_name(name).unwrap();
            assert_eq!(
                (is_eight_bit(encoding), tells_its_texts(encoding)),
                (eight_bit, tells),
                "{name}"
            );
        }
    }
}
