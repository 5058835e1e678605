use super::*;

fn cut(text: &[u8]) -> Vec<&[u8]> {
    let mut usual = UsualBytes::default();
    text.utf8_chunks().for_each(|chunk| usual.look(chunk.valid().as_bytes()));
    let cuts = not_letters(text, 0..text.len(), Preceding::Start, true, &usual);
    cuts.into_iter().map(|range| &text[range]).collect()
}

#[test]
fn a_usual_first_byte_before_the_end_of_a_field_was_cut() {
    for (text, expected) in [
        (&b"Gr\xC3\xBC\xC3\x9Fe aus M\xC3\n"[..], &[&b"\xC3"[..]][..]),
        (b"Gr\xC3\xBC\xC3\x9Fe aus M\xC3", &[b"\xC3"]),
        (b"Gr\xC3\xBC\xC3\x9Fe;M\xC3;x", &[b"\xC3"]),
        (b"\"Gr\xC3\xBC\xC3\x9Fe\",\"M\xC3\"", &[b"\xC3"]),
        (b"\xD0\xB2\xD0\xB5\xD1\n\xD0\xBC", &[b"\xD1"]),
        (b"\xE2\x80\x9EA Desire\xE2\x80...", &[b"\xE2\x80"]),
        (b"\xE4\xBD\xA0\xE5\xA5\xBD\xE4\xBD\n", &[b"\xE4\xBD"]),
        (b"\xE4\xBD\xA0\xE5\xA5\xBD\xE4\n", &[b"\xE4"]),
        (b"it\xE2\x80\x99s don\xE2\n", &[b"\xE2"]),
        (b"\xBCnchen Gr\xC3\xBCn\n", &[b"\xBC"]),
        (b"Gr\xC3\xBCn\n\xBCnchen\n", &[b"\xBC"]),
        // "Αυτόματη", "עינת" and "í lýsigögnum" without their first bytes.
        (b"\x91\xCF\x85\xCF\x84\xCF\x8C\xCE\xBC\n", &[b"\x91"]),
        (b"\x98\xD7\xA2\xD7\x99\xD7\xA0\xD7\xAA\n", &[b"\x98"]),
        (b"\xAD l\xC3\xBDsig\xC3\xB6gnum\n", &[b"\xAD"]),
        (b"\x98\x80 rest \xF0\x9F\x98\x80 text\n", &[b"\x98\x80"]),
        // Surrogates, overlong forms and those of five bytes.
        (b"x \xED\xA0\xBD y\n", &[b"\xED\xA0\xBD"]),
        (b"\xED\xA0\xBD\xED\xB8\x80\n", &[b"\xED\xA0\xBD\xED\xB8\x80"]),
        (b"/\xC0\xAE\xC0\xAE/\n", &[b"\xC0\xAE", b"\xC0\xAE"]),
        (b"x\xF8\x88\x80\x80\x80\n", &[b"\xF8\x88\x80\x80\x80"]),
        // Letters next to others: мара in ISO-8859-5, and a syllable of EUC-KR in Korean.
        (b"\xDC\xD0\xE0\xD0 \xD1\x80\n", &[]),
        (b"\xED\x95\x9C\xEA\xB5\xAD\xC0\xAF\n", &[]),
        // A sign of windows-1252 begins a text or a line.
        (b"\xA9 1998 Gr\xC3\xBCn\n", &[]),
        (b"\x93Gr\xC3\xBCn\n", &[]),
        (b"Gr\xC3\xBCn\n\x98\xD7\xA2\n", &[]),
        // Stray letters.
        (b"Gr\xC3\xBCn gro\xDF\n", &[]),
        (b"n\xC3\xA3o IRM\xC3, \xC3\x83\n", &[]),
        (b"Gr\xC3\xBCn M\xC3 x\n", &[]),
        (b"\xC7\xC3\n\xC3\xA9", &[]),
        (b"char '\xE2' \xE2\x80\x99 \xC5\xA1", &[]),
        (b"\xD0\xB2 \xD7\xD3\xD1, \xD0\xBC", &[]),
        (b"\x93Hello\x94 it\xE2\x80\x93s\n", &[]),
    ] {
        assert_eq!(cut(text), expected, "{}", text.escape_ascii());
    }
}
