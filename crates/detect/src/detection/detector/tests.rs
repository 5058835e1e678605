use super::*;

fn judged(text: &[u8]) -> (&'static str, Evidence) {
    let detection = Detector::new().detect(text);
    (detection.encoding.name(), detection.evidence)
}

#[test]
fn a_few_ill_formed_bytes_do_not_hide_utf8() {
    let text = "Grüße aus Köln. ".repeat(4);
    assert_eq!(judged(text.as_bytes()), ("UTF-8", Evidence::WellFormed));
    let with_strays = |count| [text.as_bytes(), &b"caf\xE9. ".repeat(count)].concat();
    assert_eq!(judged(&with_strays(2)), ("UTF-8", Evidence::MostlyWellFormed));
    // There are more of them than letters in UTF-8, but those are still beyond chance.
    assert_eq!(judged(&with_strays(30)), ("UTF-8", Evidence::MostlyWellFormed));
    assert_ne!(judged(&with_strays(300)).1, Evidence::MostlyWellFormed);
}

/// "Сообщение об ошибке записано в журнал" and "Температура воды" in two charsets, and in one.
#[test]
fn lines_in_two_charsets_are_no_text_in_one_of_them() {
    let windows = b"\xD1\xEE\xEE\xE1\xF9\xE5\xED\xE8\xE5 \xEE\xE1 \xEE\xF8\xE8\xE1\xEA\xE5 \xE7\xE0\xEF\xE8\xF1\xE0\xED\xEE\n\
        \xD2\xE5\xEC\xEF\xE5\xF0\xE0\xF2\xF3\xF0\xE0 \xE2\xEE\xE4\xFB\n";
    let koi = b"\xF3\xCF\xCF\xC2\xDD\xC5\xCE\xC9\xC5 \xCF\xC2 \xCF\xDB\xC9\xC2\xCB\xC5 \xDA\xC1\xD0\xC9\xD3\xC1\xCE\xCF\n\
        \xF4\xC5\xCD\xD0\xC5\xD2\xC1\xD4\xD5\xD2\xC1 \xD7\xCF\xC4\xD9\n";
    for text in [[&windows[..], koi].concat(), [&koi[..], windows].concat()] {
        assert_eq!(Detector::new().detect(&text).of_lines(), Some("auto-lines"));
    }
    assert_eq!(judged(&[&windows[..], windows].concat()).0, "windows-1251");
    assert_eq!(judged(&[&koi[..], koi].concat()).0, "KOI8-R");
}

#[test]
fn a_character_that_the_sample_cuts_is_no_error() {
    let long = "é".repeat(SAMPLE);
    assert_eq!(judged(long.as_bytes()), ("UTF-8", Evidence::WellFormed));
    let shifted = format!("{}{long}", "x".repeat(3));
    assert_eq!(judged(shifted.as_bytes()), ("UTF-8", Evidence::WellFormed));
    let cut = &long.as_bytes()[..41];
    assert_eq!(judged(cut), ("UTF-8", Evidence::MostlyWellFormed));
}
