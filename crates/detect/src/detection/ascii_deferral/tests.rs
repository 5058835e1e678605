use super::*;
use oxiconv_encodings::encoding::Encoding;

#[test]
fn a_first_line_of_ascii_is_passed_and_a_start_that_may_be_wide_is_held() {
    for (start, begins) in [
        (&b""[..], false),
        (b"line", false),
        (b"line\n", true),
        (b"\tline\r\n", true),
        (b"ok\n", true),
        (b"\nok", false),
        (b"a\nbc", false),
        (b"a\nbc\n", true),
        // U+4E0A in UTF-16BE and UTF-16LE.
        (b"N\n", false),
        (b"\nN", false),
        // A line of Devanagari, and one of hiragana, in UTF-16LE: NUL may follow the line feed.
        (b"H\t\n", false),
        (b"H\t\nx", true),
        (b"g0M0~0Y0\n", false),
        (b"g0M0~0Y0\n\r", true),
        // Cyrillic in UTF-16LE, with U+040A.
        (b"\x1F\x04\x40\x04\x0A\x04", false),
    ] {
        assert_eq!(Deferral::begins_as_ascii(start), begins, "{start:?}");
    }
    assert!(!Deferral::begins_as_ascii(&[b'x'; HEAD - 1]));
    assert!(Deferral::begins_as_ascii(&[b'x'; HEAD]));
}

#[test]
fn a_text_is_judged_by_its_head_and_its_sample_however_it_was_passed() {
    let ascii = "plain text\n".repeat(1000);
    let mut deferral = Deferral::new(Detector::new());
    for piece in ascii.as_bytes().chunks(700) {
        assert_eq!(deferral.ascii(piece, false), (piece.len(), false));
        deferral.pass(piece);
    }
    let ahead = "and ünd".as_bytes();
    assert_eq!(deferral.ascii(ahead, false), (4, true));
    assert_eq!(deferral.judge(ahead, 4, false), None, "the sample is not full");
    let detection = deferral.judge(ahead, 4, true).unwrap();
    assert_eq!((detection.encoding, detection.evidence), (Encoding::UTF_8, Evidence::WellFormed));
    assert_eq!(deferral.head, &ascii.as_bytes()[..HEAD]);
    let long = [ahead, &[b'x'; SAMPLE]].concat();
    assert!(deferral.judge(&long, 4, false).is_some());
    let sample = &long[..4 + SAMPLE];
    assert_eq!(deferral.judge(sample, 4, false), None, "whether the text ends here is not known");
    assert!(deferral.judge(sample, 4, true).is_some());
}

/// "wir können" in windows-1252. "nnen" alone would not be a word.
#[test]
fn the_word_before_the_first_signal_is_known_after_any_length_of_ascii() {
    let word = b"wir k\xF6nnen";
    for before in [0, 10, HEAD - 6, HEAD - 5, HEAD, HEAD + 50, HEAD + 70, 3 * HEAD] {
        let text = [&b"0123456789\n".repeat(3 * HEAD)[..before], &word[..]].concat();
        let whole = Detector::new().detect(&text);
        assert_eq!(whole.encoding, Encoding::WINDOWS_1252, "{before}");
        assert!(whole.confidence >= 90, "{before}: {whole}");
        for size in [1, 5, 70, 700] {
            let mut deferral = Deferral::new(Detector::new());
            text[..before].chunks(size).for_each(|piece| deferral.pass(piece));
            let ahead = &text[before..];
            assert_eq!(deferral.judge(ahead, 5, true), Some(whole.clone()), "{before} {size}");
        }
    }
}

#[test]
fn a_sample_without_any_letter_beyond_ascii_is_passed_with_its_signals() {
    let mut deferral = Deferral::new(Detector::new());
    let text = [b"go \x1B$%there ".repeat(SAMPLE / 12 + 1), b"\x1B$% \xFF".to_vec()].concat();
    assert_eq!(deferral.ascii(&text, true), (3, true));
    let detection = deferral.judge(&text, 3, true).unwrap();
    assert_eq!(detection.evidence, Evidence::Ascii);
    assert!(deferral.goes_on(&detection, &text, 3, true));
    let (ascii, tells) = deferral.ascii(&text, true);
    assert!(tells && ascii >= SAMPLE, "{ascii}");
    deferral.pass(&text[..ascii]);
    let rest = &text[ascii..];
    let detection = deferral.judge(rest, 0, true).unwrap();
    assert!(!deferral.goes_on(&detection, rest, 0, true));
    // For a later part of the text, nothing was judged yet.
    assert_eq!(deferral.for_later_part().ascii(&text, true), (3, true));
}
