use super::*;

/// By themselves, 236 of these lines would be in IBM866 and 18 in a code page of Japan.
#[test]
fn lines_of_utf8_with_stray_bytes_are_in_no_other_encoding() {
    let line = |index: u16| {
        let strays = [0x80 + (index >> 6) as u8, 0x80 + (index & 63) as u8];
        [format!("line {index}: é € ").as_bytes(), &strays, b"A\n"].concat()
    };
    let text: Vec<u8> = (0..500).flat_map(line).collect();
    assert!(!OtherLines::of(&text).are_in_several());
}

/// "русский" and "українська" in GB 2312 are ideographs of Big5.
#[test]
fn a_quotation_is_in_no_other_encoding() {
    let chinese = b"\xBB\xF0\xD0\xC7\xCA\xC7\xCC\xAB\xD1\xF4\xCF\xB5\xB5\xC4\xB5\xDA\xCB\xC4\xBF\xC5\xD0\xD0\xD0\xC7\n";
    let russian = b"[\xA7\xE2\xA7\xE5\xA7\xE3\xA7\xE3\xA7\xDC\xA7\xDA\xA7\xDB]\n";
    let dutch = b"Ze\xA8\xBAuws\n";
    let text = [&chinese.repeat(20)[..], russian, dutch].concat();
    assert!(!OtherLines::of(&text).are_in_several());
}
