use super::*;
use crate::detection::charsets::charset;
use crate::language::models;
use oxiconv_encodings::encoding::Encoding;

fn cost_in(
    (encoding, language): (&'static Encoding, &str),
    before: u8,
    line: &[u8],
    most: u64,
) -> Option<u64> {
    let model = models().iter().find(|model| model.language().tag() == language).unwrap();
    cost(charset(encoding).unwrap(), model, before, line, most)
}

#[test]
fn a_text_costs_least_in_its_charset() {
    // "сервер недоступен" in windows-1251.
    let text = b"\xF1\xE5\xF0\xE2\xE5\xF0 \xED\xE5\xE4\xEE\xF1\xF2\xF3\xEF\xE5\xED";
    let (own, other) = ((Encoding::WINDOWS_1251, "ru"), (Encoding::KOI8_R, "ru"));
    assert_eq!(pairs(b' ', text), 17, "with the blank before and those beside it");
    let cost = cost_in(own, b' ', text, u64::MAX).unwrap();
    assert!(cost_in(other, b' ', text, u64::MAX) > Some(2 * cost));
    assert_eq!(cost_in(other, b' ', text, cost), None);
    assert_eq!(cost_in(own, b' ', text, cost), Some(cost));
    // Two bytes of it are a half of a character of CP932.
}

#[test]
fn ascii_costs_nothing_and_what_is_no_character_too_much() {
    let french = (Encoding::WINDOWS_1252, "fr");
    assert_eq!(cost_in(french, b'x', b"abc\n", 0), Some(0));
    assert_eq!(pairs(b'x', b"abc\n"), 0);
    // 81 is undefined there.
    assert_eq!(cost_in(french, b'a', b"\x81", u64::MAX), Some(NOT_TEXT));
}
