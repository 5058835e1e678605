//! The final counts say what happened to each fault, not which mode was requested.

use crate::common::run_text;

/// U+20AC has a transliteration and U+E000 has none, so one run ends with two different counts.
#[test]
fn transliteration_counts_what_it_found_no_text_for_as_what_became_of_it() {
    let text = "a€b\u{E000}c".as_bytes();
    for (args, status, out, err) in [
        (
            &["-t", "ascii//TRANSLIT"][..],
            0,
            "aEURb?c",
            "1 unmappable character was replaced, 1 unmappable character was transliterated",
        ),
        (
            &["-t", "ascii//TRANSLIT", "--replacement", "<>"],
            0,
            "aEURb<>c",
            "1 unmappable character was replaced, 1 unmappable character was transliterated",
        ),
        (
            &["-t", "ascii//TRANSLIT//IGNORE"],
            1,
            "aEURbc",
            "1 unmappable character was transliterated, 1 unmappable character was left out",
        ),
        (
            &["-c", "-t", "ascii//TRANSLIT"],
            1,
            "aEURbc",
            "1 unmappable character was transliterated, 1 unmappable character was left out",
        ),
        (
            &["-e", "skip", "-t", "ascii", "--unmappable", "translit"],
            1,
            "aEURbc",
            "1 unmappable character was transliterated, 1 unmappable character was left out",
        ),
        (
            &["-e", "replace", "-t", "ascii", "--unmappable", "translit"],
            0,
            "aEURb?c",
            "1 unmappable character was replaced, 1 unmappable character was transliterated",
        ),
    ] {
        let expected = format!("oxiconv: (standard input): {err}\n");
        assert_eq!(run_text(args, text), (status, out.to_owned(), expected), "{args:?}");
    }
    // A count of zero is not mentioned.
    let (_, _, err) = run_text(&["-t", "ascii//TRANSLIT"], "\u{E000}".as_bytes());
    assert_eq!(err, "oxiconv: (standard input): 1 unmappable character was replaced\n");
    let (_, _, err) = run_text(&["-c", "-t", "ascii//TRANSLIT"], "\u{E000}\u{E000}".as_bytes());
    assert_eq!(err, "oxiconv: (standard input): 2 unmappable characters were left out\n");
}

/// The two letters compose to one syllable, which has no transliteration. One replacement stands for two characters.
#[test]
fn what_is_replaced_by_one_text_is_counted_by_its_characters() {
    let (status, out, err) = run_text(&["-t", "ascii//TRANSLIT"], "\u{1100}\u{1161}".as_bytes());
    assert_eq!((status, &out[..]), (0, "?"));
    assert_eq!(err, "oxiconv: (standard input): 2 unmappable characters were replaced\n");
}

/// `x-MacDingbat` has neither U+FFFD nor a question mark, so even `-e replace` has nothing to write.
#[test]
fn what_nothing_can_replace_is_left_out() {
    let (status, out, err) = run_text(&["-e", "replace", "-t", "x-MacDingbat"], "é".as_bytes());
    assert_eq!((status, &out[..]), (1, ""));
    assert_eq!(err, "oxiconv: (standard input): 1 unmappable character was left out\n");
}

/// windows-1252 does not define 81, but defines 80.
#[test]
fn a_byte_that_the_fallback_lacks_is_not_read_by_it() {
    let lacks = ", and byte 81 is not assigned in windows-1252";
    let fallback = ["--fallback", "cp1252"];
    let (status, out, err) = run_text(&fallback, b"a\x81b");
    assert_eq!((status, &out[..]), (1, "a"));
    assert_eq!(
        err,
        format!(
            "(standard input):1:2: error[unexpected-continuation]: 81 at byte 1 (0x1): 81 is a continuation byte \
             without a lead byte{lacks}\n"
        )
    );
    // Sequences decoded by the fallback before the stop are counted. The sequence that stops is not.
    let (status, out, err) = run_text(&fallback, b"5 \x80 \x81");
    assert_eq!((status, &out[..]), (1, "5 € "));
    assert!(
        err.ends_with(
            "\noxiconv: (standard input): 1 invalid byte sequence was read as windows-1252\n"
        ),
        "{err}"
    );
    for (mode, status, out, became) in [
        ("replace", 0, "€\u{FFFD}", "replaced"),
        ("skip", 1, "€", "left out"),
        ("escape", 0, "€\\x81", "escaped"),
    ] {
        let (got, text, err) = run_text(&[&fallback[..], &["-e", mode]].concat(), b"\x80\x81");
        assert_eq!((got, &text[..]), (status, out), "{mode}");
        let expected = format!(
            "oxiconv: (standard input): 1 invalid byte sequence was read as windows-1252, 1 invalid byte sequence was {became}\n"
        );
        assert_eq!(err, expected);
    }
    let (_, _, err) = run_text(&[&fallback[..], &["-e", "report"]].concat(), b"\x80\x81");
    assert!(err.lines().nth(1).unwrap().ends_with(lacks), "{err}");
    assert!(!err.lines().next().unwrap().contains("is not assigned"), "{err}");
    // Of several bytes, the message names the first one that the fallback does not define.
    let (_, _, err) = run_text(&fallback, b"\xE2\x81");
    assert!(err.ends_with(&format!("{lacks}\n")), "{err}");
    let (_, _, err) = run_text(&[&fallback[..], &["--format", "json"]].concat(), b"\x81");
    assert!(err.contains(&format!("{lacks}\"")), "{err}");
}

/// The fallback decodes 80 as U+20AC, which the target lacks, so the run stops.
///
/// Nothing of that sequence was written, so no count may claim that it was read.
#[test]
fn a_stop_inside_what_the_fallback_read_is_no_reading() {
    let (status, out, err) = run_text(&["--fallback", "cp1252", "-t", "ascii"], b"a\x80");
    assert_eq!((status, &out[..]), (1, "a"));
    assert!(err.contains("U+20AC (€) cannot be represented in US-ASCII"), "{err}");
    assert!(!err.contains("read as"), "{err}");
    let (status, out, err) = run_text(&["--fallback", "cp1252", "-t", "ascii//TRANSLIT"], b"a\x80");
    assert_eq!((status, &out[..]), (0, "aEUR"));
    assert_eq!(
        err,
        "oxiconv: (standard input): 1 invalid byte sequence was read as windows-1252, 1 unmappable character was transliterated\n"
    );
}
