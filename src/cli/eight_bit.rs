//! Encodings in which nearly every text is well-formed, so that being well-formed there says nothing of it.

use oxiconv::codec::{ByteOrder, DecodeStop, MIN_PIVOT};
use oxiconv::encoding::Encoding;
use oxiconv::transcode::is_single_byte;

/// Whether `encoding` has one byte for each character, and characters for bytes past 7F: all but US-ASCII have.
pub(crate) fn is_eight_bit(encoding: &Encoding) -> bool {
    is_single_byte(encoding) && (0x80..=0xFF).any(|byte| is_well_formed(encoding, &[byte]))
}

/// Whether being well-formed in `encoding` tells a text in it from others: it must not take both a text in ISO-8859-1 and
/// one in UTF-8. Where the encoding begins with a byte order mark, that tells it.
pub(crate) fn tells_its_texts(encoding: &Encoding) -> bool {
    // Both of an even length, for units of two bytes.
    let texts = [&b"caf\xE9 na\xEFve au lait"[..], "café naïf ".as_bytes()];
    let takes_all = texts.iter().all(|text| is_well_formed(encoding, text));
    encoding.mark.gives_order() || !is_eight_bit(encoding) && !takes_all
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
    use oxiconv::encoding::find;

    #[test]
    fn encodings_that_take_nearly_every_text_are_known() {
        for (name, eight_bit, tells) in [
            ("utf-8", false, true),
            ("us-ascii", false, true),
            ("windows-1252", true, false),
            ("windows-1253", true, false),
            ("koi8-r", true, false),
            // Units of two bytes take nearly any two.
            ("utf-16le", false, false),
            ("utf-16", false, true),
            ("utf-32le", false, true),
            ("scsu", false, false),
            ("gb18030", false, true),
            ("euc-jp", false, true),
        ] {
            let encoding = find(name).unwrap();
            assert_eq!(
                (is_eight_bit(encoding), tells_its_texts(encoding)),
                (eight_bit, tells),
                "{name}"
            );
        }
    }
}
