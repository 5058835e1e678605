use super::*;
use crate::detection::{Detector, Recovery, TextStart};

/// Returns the text as Python writes it after it has decoded it as UTF-8, or as ASCII, with `surrogateescape`.
fn escaped(text: &[u8], as_ascii: bool) -> Vec<u8> {
    let mut written = Vec::new();
    let escape = |byte: u8| [0xED, if byte < 0xC0 { 0xB2 } else { 0xB3 }, byte & 0xBF];
    for chunk in text.utf8_chunks() {
        for byte in chunk.valid().bytes() {
            match as_ascii && !byte.is_ascii() {
                true => written.extend(escape(byte)),
                false => written.push(byte),
            }
        }
        written.extend(chunk.invalid().iter().flat_map(|byte| escape(*byte)));
    }
    written
}

const FRENCH: &[u8] =
    b"\xC0 No\xEBl, l'\xE9t\xE9 fut tr\xE8s \xE0 l'aise; une le\xE7on \xE0 l'\xE9cole\n";
const RUSSIAN: &[u8] = b"\xCF\xF0\xE8\xE2\xE5\xF2, \xFD\xF2\xEE \xF2\xE5\xEA\xF1\xF2 \xED\xE0 \
    \xF0\xF3\xF1\xF1\xEA\xEE\xEC \xFF\xE7\xFB\xEA\xE5\n";

/// A text, whether Python decoded it as ASCII, how many bytes it escaped, how many of them are stray, and the
/// fallback.
type EscapedCase<'a> = (&'a [u8], bool, u64, u64, Option<&'a str>);

#[test]
fn the_bytes_are_judged_as_they_were_before_they_were_escaped() {
    let beside = "Größe, Straße, Übermaß und Käse aus Köln\n".as_bytes();
    let strays = [beside, b"M\xFCnchen und N\xFCrnberg\n"].concat();
    let cases: [EscapedCase<'_>; 6] = [
        // Nine characters of two bytes, all escaped.
        ("é à è ç ü ö ä ß ñ\n".as_bytes(), true, 18, 0, None),
        (FRENCH, false, 9, 9, Some("windows-1252")),
        (FRENCH, true, 9, 9, Some("windows-1252")),
        (RUSSIAN, true, 28, 28, Some("windows-1251")),
        (&strays, false, 2, 2, Some("windows-1252")),
        // One letter by itself may be in any charset.
        (b"\xE9\n", false, 1, 1, None),
    ];
    for (text, as_ascii, count, strays, fallback) in cases {
        let text = escaped(text, as_ascii);
        let what = text.escape_ascii();
        let detection = Detector::new().detect(&text);
        let fallback = fallback.map(|name| Encoding::for_name(name).unwrap());
        let others = Some(Others { strays, fallback, cut: 0, escaped: count });
        assert_eq!((detection.encoding, detection.others), (Encoding::UTF_8, others), "{what}");
        // What reads them says the same, and only with the bytes restored.
        let start = text.iter().position(|byte| *byte == 0xED).unwrap();
        let mut before = TextStart::default();
        before.look(&text[..start]);
        let (same, recovery) = before.judge(&text[start..], true);
        assert_eq!(same.others, others, "{what}");
        let Recovery::Escaped(recovery) = recovery else { panic!("{what}: {recovery:?}") };
        let read = match *recovery {
            Recovery::Whole(encoding) => Some(encoding),
            Recovery::Among(strays) => Some(strays.encoding),
            _ => None,
        };
        assert_eq!(read, fallback, "{what}");
    }
}

/// "Компанії Японії" in windows-1251 ends with ED B3 BF, as U+DCFF would. Pairs are CESU-8, and other surrogates
/// are no bytes.
#[test]
fn other_texts_have_no_escaped_bytes() {
    for text in [
        &b"\xCA\xEE\xEC\xEF\xE0\xED\xB3\xBF \xDF\xEF\xEE\xED\xB3\xBF \xE4\xF3\xE6\xE5 \xE2\xE5\xEB\xE8\xEA\xB3\n"[..],
        b"x \xED\xA0\xBD\xED\xB2\x80 y",
        b"caf\xED\xB3\xA9 \xED\xA0\x80 d",
        b"caf\xED\xB3\xA9 \xED\xB1\xBF d",
    ] {
        let detection = Detector::new().detect(text);
        let escaped = detection.others.map_or(0, |others| others.escaped);
        assert_eq!(escaped, 0, "{}", text.escape_ascii());
    }
}

#[test]
fn the_words_say_what_they_are() {
    let utf8 = Encoding::UTF_8;
    let others = |strays, fallback, escaped| Others { strays, fallback, cut: 0, escaped };
    assert_eq!(others(0, None, 1).to_string(), "1 byte escaped by Python's surrogateescape");
    let fits = others(2, Some(Encoding::WINDOWS_1252), 2).to_string();
    assert_eq!(fits, "2 bytes escaped by Python's surrogateescape that fit windows-1252");
    let answer =
        |others| Detection { others: Some(others), ..Detection::new(utf8, 98, Evidence::Mark) };
    assert_eq!(answer(others(2, Some(Encoding::WINDOWS_1252), 2)).options(), ["--repair"]);
    assert!(answer(others(2, None, 2)).options().is_empty());
}
