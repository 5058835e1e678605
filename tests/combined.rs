//! Several changes to a text in one conversion. The result is as if the steps ran one after the other: denied
//! characters, normalization, line endings, encoding. It does not depend on how the input is split, and positions refer
//! to the input.
//!
//! Expected values were written by hand, or come from running these steps over the whole text in memory.

use std::num::NonZeroU64;

use crate::support::{Outcome, With, convert, convert_cut, encode, encoding, every_cut, strict};
use oxiconv::NormalizationForm::{self, Nfc, Nfd, Nfkc};
use oxiconv_transcode::diagnostic::DeniedKind;
use oxiconv_transcode::{NewlineMode, OnDenied, OnIllFormed, OnUnmappable, Options};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

fn text(outcome: &Outcome) -> String {
    String::from_utf8(outcome.output.clone()).unwrap()
}

fn records(options: Options, bytes: u64) -> Options {
    options.record_length(NonZeroU64::new(bytes).unwrap())
}

#[test]
fn a_letter_and_its_mark_meet_after_a_character_is_left_out() {
    let input = "e\0\u{301}\r\0\n";
    for (mode, expected) in [
        (OnDenied::Skip, "é\n"),
        (OnDenied::Pass, "e\0\u{301}\n\0\n"),
        (OnDenied::Replace, "e\u{FFFD}\u{301}\n\u{FFFD}\n"),
        (OnDenied::Escape, "e\\u{0}\u{301}\n\\u{0}\n"),
        (OnDenied::Stop, "e"),
    ] {
        for (from, to) in [("UTF-8", "UTF-8"), ("UTF-8", "UTF-16LE"), ("UTF-16BE", "UTF-8")] {
            let conversion = strict(from, to).with(|it| {
                it.deny([DeniedKind::Nul])
                    .on_denied(mode)
                    .normalize(Nfc)
                    .write_newlines(NewlineMode::LineFeed)
            });
            let done = every_cut(&conversion, &encode(input, from));
            assert_eq!(done.output, encode(expected, to), "{mode:?} {from} {to}");
            let count = if mode == OnDenied::Stop { 1 } else { 6 };
            assert_eq!(done.summary.characters, count, "{mode:?} {from}");
        }
    }
    let latin1 = strict("UTF-8", "ISO-8859-1").with(|it| {
        it.deny([DeniedKind::Nul])
            .on_denied(OnDenied::Skip)
            .normalize(Nfc)
            .write_newlines(NewlineMode::Both)
            .write_final_newline(true)
    });
    assert_eq!(every_cut(&latin1, input.as_bytes()).output, b"\xE9\r\n");
    assert_eq!(every_cut(&latin1, "\0e\0\0\u{301}\0".as_bytes()).output, b"\xE9\r\n");
}

/// Whether an invisible character has an effect is known only when the next character arrives.
#[test]
fn a_letter_and_its_mark_meet_after_an_invisible_character() {
    let conversion = strict("UTF-8", "UTF-8")
        .with(|it| it.deny([DeniedKind::Invisible]).on_denied(OnDenied::Skip).normalize(Nfc));
    for (input, expected) in [
        ("e\u{200D}\u{301}", "é"),
        ("e\u{200C}\u{200D}\u{301}\u{200D}", "é"),
        ("\u{1100}\u{200D}\u{1161}\u{AD}\u{11A8}", "각"),
        // The joiner has an effect between emoji.
        ("e\u{301}👨\u{200D}👩e\u{301}", "é👨\u{200D}👩é"),
    ] {
        assert_eq!(text(&every_cut(&conversion, input.as_bytes())), expected, "{input:?}");
    }
    // An invisible character that is kept separates a letter from its mark.
    let kept = conversion.with(|it| it.on_denied(OnDenied::Pass));
    let done = every_cut(&kept, "e\u{200D}\u{301}".as_bytes());
    assert_eq!(text(&done), "e\u{200D}\u{301}");
    assert_eq!(done.places(), [("invisible", 1, 3, 1, 2)]);
}

/// An empty replacement has the same effect as skipping.
#[test]
fn a_letter_and_its_mark_meet_after_an_empty_replacement() {
    let replace = strict("UTF-8", "ISO-8859-1").with(|it| {
        it.on_ill_formed(OnIllFormed::Replace)
            .on_unmappable(OnUnmappable::Replace)
            .replacement("")
            .normalize(Nfc)
    });
    let skip = replace.with(|it| it.on_ill_formed(OnIllFormed::Skip));
    let input = b"e\xFF\xCC\x81 \xD0\xB2\xD0x\xB5";
    let (replaced, skipped) = (every_cut(&replace, input), every_cut(&skip, input));
    assert_eq!(replaced.output, b"\xE9 x");
    assert_eq!((&replaced.output, replaced.places()), (&skipped.output, skipped.places()));
}

#[test]
fn findings_are_at_their_places_in_the_input() {
    let conversion = strict("UTF-8", "ISO-8859-1").with(|it| {
        it.deny([DeniedKind::Nul, DeniedKind::Invisible])
            .on_denied(OnDenied::Skip)
            .on_unmappable(OnUnmappable::Replace)
            .normalize(Nfc)
            .write_newlines(NewlineMode::LineFeed)
    });
    // 61 0D 0A 65 00 CC 86 62 E2 80 8D 65 CC 81
    let done = every_cut(&conversion, "a\r\ne\0\u{306}b\u{200D}e\u{301}".as_bytes());
    assert_eq!(done.output, b"a\n?b\xE9");
    assert_eq!(
        done.places(),
        [("nul", 4, 1, 2, 2), ("unmappable", 3, 3, 2, 1), ("invisible", 8, 3, 2, 5)]
    );
    assert_eq!(done.found[1].bytes, b"e\xCC\x86");
    assert_eq!(done.summary.characters, 10);
    // The text is checked for one normalization form and written in another.
    let conversion = strict("UTF-8", "UTF-8").with(|it| {
        it.deny([DeniedKind::NotNfc, DeniedKind::Nul, DeniedKind::Crlf])
            .on_denied(OnDenied::Pass)
            .normalize(Nfd)
            .write_newlines(NewlineMode::CarriageReturn)
    });
    let done = every_cut(&conversion, "é\0e\u{301}\r\n\0\u{301}".as_bytes());
    assert_eq!(text(&done), "e\u{301}\0e\u{301}\r\0\u{301}");
    assert_eq!(
        done.places(),
        [("nul", 2, 1, 1, 2), ("not-nfc", 3, 3, 1, 3), ("crlf", 6, 1, 1, 5), ("nul", 8, 1, 2, 1)]
    );
}

/// A strict conversion writes everything before the first fault, including characters that are held back.
#[test]
fn a_stop_is_before_the_first_fault() {
    let conversion = strict("UTF-8", "ISO-8859-1").with(|it| {
        it.deny([DeniedKind::Nul, DeniedKind::Crlf])
            .on_denied(OnDenied::Stop)
            .normalize(Nfc)
            .write_final_newline(true)
    });
    for (input, output, place) in [
        ("ae\u{301}\0b", &b"a\xE9"[..], ("nul", 4, 1, 1, 4)),
        ("ae\u{306}\0b", b"a", ("unmappable", 1, 3, 1, 2)),
        ("ae\u{301}\r\nb", b"a\xE9", ("crlf", 4, 1, 1, 4)),
        ("ae\u{306}\r\nb", b"a", ("unmappable", 1, 3, 1, 2)),
    ] {
        let done = every_cut(&conversion, input.as_bytes());
        assert_eq!((&done.output[..], done.places()), (output, vec![place]), "{input:?}");
        assert!(done.summary.stopped);
    }
}

#[test]
fn a_letter_meets_a_mark_that_is_read_in_another_encoding() {
    // In windows-1258, EC is U+0301 and D2 is U+0309.
    let conversion = strict("UTF-8", "UTF-8").with(|it| {
        it.fallback(encoding("windows-1258"))
            .deny([DeniedKind::Nul])
            .on_denied(OnDenied::Skip)
            .normalize(Nfc)
            .write_newlines(NewlineMode::LineFeed)
    });
    assert_eq!(text(&every_cut(&conversion, b"xe\0\xEC\r\0\ne\xEC\0\xD2")), "xé\né\u{309}");
    // A character from the fallback can also be denied: 9D in ISO-8859-1 is a control code.
    let conversion = strict("UTF-8", "UTF-8")
        .with(|it| it.fallback(encoding("ISO-8859-1")).deny([DeniedKind::Control]).normalize(Nfc));
    for (mode, expected) in [
        (OnDenied::Skip, "é\u{301}"),
        (OnDenied::Replace, "e\u{FFFD}\u{301}\u{301}"),
        (OnDenied::Escape, "e\\u{9D}\u{301}\u{301}"),
    ] {
        let conversion = conversion.with(|it| it.on_denied(mode));
        let done = every_cut(&conversion, b"e\x9D\xCC\x81\xCC\x81");
        assert_eq!(text(&done), expected, "{mode:?}");
        assert_eq!((done.summary.denied(), done.summary.ill_formed()), (1, 1));
    }
}

#[cfg(feature = "detection")]
#[test]
fn a_letter_meets_a_mark_that_was_damaged() {
    use oxiconv_transcode::OnMojibake;
    // The damaged text is NFD in UTF-8 that was misread as ISO-8859-1 and encoded as UTF-8 again.
    let meant = "Tiếng Việt: Hà Nội, cà phê sữa đá, phở bò, bánh mì.\n";
    let decomposed: String = meant.nfd().collect();
    let damaged: String = decomposed
        .chars()
        .map(|c| match c.is_ascii() {
            true => c.to_string(),
            false => {
                let bytes = c.to_string().into_bytes();
                let read = convert(&strict("ISO-8859-1", "UTF-8"), &bytes);
                text(&read)
            }
        })
        .collect();
    let repair = strict("UTF-8", "UTF-8").with(|it| it.on_mojibake(OnMojibake::Repair));
    assert_eq!(text(&every_cut(&repair, damaged.as_bytes())), decomposed);
    let both = repair.with(|it| it.normalize(Nfc));
    assert_eq!(text(&every_cut(&both, damaged.as_bytes())), meant);
}

#[cfg(feature = "transliteration")]
#[test]
fn what_is_transliterated_is_denied_and_normalized_first() {
    let conversion = strict("UTF-8", "US-ASCII").with(|it| {
        it.deny([DeniedKind::Nul, DeniedKind::Invisible])
            .on_denied(OnDenied::Skip)
            .normalize(Nfkc)
            .transliterate(true)
            .write_newlines(NewlineMode::Both)
    });
    for (input, expected) in [
        ("e\0\u{301}\r\0\n", "e\r\n"),
        ("①\u{200D}\u{301}é\0…\n", "1?e...\r\n"),
        ("ж\u{200B}\u{301}\r", "zh\r\n"),
    ] {
        let conversion = conversion.with(|it| it.on_unmappable(OnUnmappable::Replace));
        let done = every_cut(&conversion, input.as_bytes());
        let plain: String =
            input.chars().filter(|c| !"\0\u{200B}\u{200D}".contains(*c)).nfkc().collect();
        let plain = plain.replace("\r\n", "\n").replace('\r', "\n").replace('\n', "\r\n");
        let alone = strict("UTF-8", "US-ASCII")
            .with(|it| it.transliterate(true).on_unmappable(OnUnmappable::Replace));
        assert_eq!(done.output, convert(&alone, plain.as_bytes()).output, "{input:?}");
        assert_eq!(text(&done), expected, "{input:?}");
    }
}

#[test]
fn records_are_lines_with_the_line_end_that_is_named() {
    for (mode, end) in [
        (NewlineMode::Keep, "\n"),
        (NewlineMode::LineFeed, "\n"),
        (NewlineMode::Both, "\r\n"),
        (NewlineMode::CarriageReturn, "\r"),
        (NewlineMode::NextLine, "\u{85}"),
    ] {
        for last in [false, true] {
            let conversion = strict("UTF-8", "UTF-8")
                .with(|it| records(it, 3).write_newlines(mode).write_final_newline(last));
            let done = every_cut(&conversion, b"abcde fg");
            assert_eq!(text(&done), ["abc", "de ", "fg", ""].join(end), "{mode:?}");
            assert_eq!(done.summary.lines, 3);
            let trimmed = conversion.with(|it| it.trim_records(true));
            assert_eq!(text(&every_cut(&trimmed, b"abcde fg")), ["abc", "de", "fg", ""].join(end));
            // Blank records, and an empty input.
            assert_eq!(text(&every_cut(&trimmed, b"      ")), ["", "", ""].join(end));
            assert_eq!(text(&every_cut(&trimmed, b"")), "");
        }
    }
    // CR at the end of a record merges with the line ending after it. LF there is a line ending of its own.
    let conversion =
        strict("UTF-8", "UTF-8").with(|it| records(it, 3).write_newlines(NewlineMode::LineFeed));
    assert_eq!(text(&every_cut(&conversion, b"ab\rcd\n\nef")), "ab\ncd\n\n\nef\n");
    // EBCDIC: A, NEL, B
    let conversion =
        strict("IBM1047", "UTF-8").with(|it| records(it, 3).write_newlines(NewlineMode::LineFeed));
    assert_eq!(text(&every_cut(&conversion, b"\xC1\x15\xC2\xC3\x40\x40")), "A\nB\nC  \n");
}

#[test]
fn records_with_denied_characters_and_normalization() {
    let conversion = strict("UTF-8", "UTF-8").with(|it| {
        records(it, 8)
            .trim_records(true)
            .deny([DeniedKind::Nul, DeniedKind::Invisible])
            .on_denied(OnDenied::Skip)
            .normalize(Nfc)
            .write_newlines(NewlineMode::Both)
    });
    // 65 00 CC 81 62 20 20 20 | 61 20 20 00 20 20 20 20 | 65 E2 80 8D 20 E2 80 8D | CC 81 20 65
    let done =
        every_cut(&conversion, "e\0\u{301}b   a  \0    e\u{200D} \u{200D}\u{301} e".as_bytes());
    // Blanks before a character that is left out are not trailing blanks.
    assert_eq!(text(&done), "éb\r\na  \r\ne \r\n\u{301} e\r\n");
    assert_eq!(
        done.places(),
        [
            ("nul", 1, 1, 1, 2),
            ("nul", 11, 1, 2, 4),
            ("invisible", 17, 3, 3, 2),
            ("invisible", 21, 3, 3, 4)
        ]
    );
    // The same with ill-formed bytes that are skipped.
    let conversion = strict("UTF-8", "UTF-8").with(|it| {
        records(it, 5).trim_records(true).on_ill_formed(OnIllFormed::Skip).normalize(Nfc)
    });
    assert_eq!(text(&every_cut(&conversion, b"a \xFF b \xFF   e\xFF\xCC\x81")), "a  b\n \né\n");
}

/// Runs the three steps over a text in memory: denied characters, normalization, line endings.
fn in_steps(input: &str, form: NormalizationForm, end: Option<&str>) -> String {
    let kept = input.chars().filter(|c| !"\0\u{200D}\u{AD}".contains(*c));
    let normal: String = match form {
        Nfc => kept.nfc().collect(),
        Nfd => kept.nfd().collect(),
        _ => kept.nfkc().collect(),
    };
    match end {
        Some(end) => normal.replace("\r\n", "\n").replace('\r', "\n").replace('\n', end),
        None => normal,
    }
}

proptest! {
    #[test]
    fn changes_are_made_one_after_the_other(
        // Without emoji and joining letters, an invisible character never has an effect, so all of them are denied.
        input in prop::collection::vec(prop::sample::select(vec![
            'e', 'A', '<', ' ', '\0', '\u{200D}', '\u{AD}', '\r', '\n', '\u{301}', '\u{327}', '\u{308}', '\u{338}',
            'é', '\u{FB01}', '\u{1100}', '\u{1161}', '\u{11A8}', '\u{AC00}', '\u{212B}', '\u{344}', '中',
        ]), 0..40),
        form in prop::sample::select(vec![Nfc, Nfd, Nfkc]),
        (mode, end) in prop::sample::select(vec![
            (NewlineMode::Keep, None), (NewlineMode::LineFeed, Some("\n")), (NewlineMode::Both, Some("\r\n")),
        ]),
        (from, to) in prop::sample::select(vec![
            ("UTF-8", "UTF-8"), ("UTF-8", "UTF-16BE"), ("UTF-16LE", "UTF-8"),
        ]),
        cuts in prop::collection::vec(0usize..120, 0..6),
    ) {
        let input: String = input.into_iter().collect();
        let marks = input.chars().filter(|c| "\u{301}\u{327}\u{308}\u{338}\u{344}".contains(*c)).count();
        prop_assume!(marks < 15);
        let conversion = strict(from, to).with(|it| {
            it.deny([DeniedKind::Nul, DeniedKind::Invisible])
                .on_denied(OnDenied::Skip)
                .normalize(form)
                .write_newlines(mode)
        });
        let bytes = encode(&input, from);
        let whole = convert(&conversion, &bytes);
        prop_assert_eq!(&whole.output, &encode(&in_steps(&input, form, end), to));
        prop_assert_eq!(whole.summary.characters, input.chars().count() as u64);
        let mut cuts: Vec<_> = cuts.into_iter().filter(|cut| *cut < bytes.len()).collect();
        cuts.sort_unstable();
        prop_assert_eq!(&convert_cut(&conversion, &bytes, &cuts, true), &whole);
        let each: Vec<_> = (1..bytes.len()).collect();
        prop_assert_eq!(&convert_cut(&conversion, &bytes, &each, false), &whole);
    }
}

#[test]
fn the_program_combines_them() {
    let run = |args: &[&str], input: &[u8]| {
        let output = crate::common::oxiconv().args(args).write_stdin(input).output().unwrap();
        (output.status.code(), output.stdout, String::from_utf8(output.stderr).unwrap())
    };
    let (status, out, err) = run(
        &[
            "--deny",
            "nul",
            "--denied",
            "skip",
            "--normalize",
            "nfc",
            "--newline",
            "lf",
            "--final-newline",
        ],
        "e\0\u{301}\r\0\nx".as_bytes(),
    );
    assert_eq!((status, String::from_utf8(out).unwrap()), (Some(0), "é\nx\n".to_owned()));
    assert_eq!(err, "oxiconv: (standard input): 2 denied characters were left out\n");
    let (status, out, _) = run(
        &["-f", "cp037", "--record-length", "4", "--trim-records", "--newline", "crlf"],
        b"\xC1\xC2\x40\x40\xC3",
    );
    assert_eq!((status, &out[..]), (Some(0), &b"AB\r\nC\r\n"[..]));
    let (status, _, err) = run(&["--deny", "not-nfc", "--denied", "skip"], b"a");
    assert_eq!(status, Some(2));
    assert!(err.contains("not-nfc is not a kind of character"), "{err}");
}

#[test]
fn files_are_changed_in_place_and_compared() {
    let dir = crate::common::Dir::new();
    dir.write("a.txt", "e\0\u{301}\r\n\0x".as_bytes());
    dir.write("b.txt", "é\nx\n".as_bytes());
    let args = [
        "-i",
        "--verify",
        "--deny",
        "nul",
        "--denied",
        "skip",
        "--normalize",
        "nfc",
        "--newline",
        "lf",
        "--final-newline",
        "a.txt",
        "b.txt",
    ];
    let (status, _, err) = dir.run(&args);
    assert_eq!((status, err.lines().last()), (0, Some("oxiconv: 1 written, 1 unchanged")), "{err}");
    for name in ["a.txt", "b.txt"] {
        assert_eq!(dir.read(name), "é\nx\n".as_bytes(), "{name}");
    }
}

/// Each line occurs as NFD in UTF-8 and as ISO-8859-1.
#[cfg(feature = "detection")]
#[test]
fn lines_in_different_encodings_are_normalized_and_ended() {
    use oxiconv::Detector;
    use oxiconv_transcode::{InputEncoding, OptionsError};
    let lines = InputEncoding::Lines(Detector::new());
    let mut input = Vec::new();
    let mut expected = String::new();
    for line in [
        "Der Käse schmeckt schön süß",
        "Les élèves étaient là, déjà à l'école",
        "Größe und Höhe über Straße",
    ] {
        let decomposed: String = line.nfd().collect();
        for bytes in [decomposed.clone().into_bytes(), encode(line, "ISO-8859-1")] {
            input.extend_from_slice(&bytes);
            input.extend_from_slice(b"\0\r\n");
            expected += &format!("{line}\n");
        }
    }
    let conversion = Options::new()
        .deny([DeniedKind::Nul])
        .on_denied(OnDenied::Skip)
        .normalize(Nfc)
        .write_newlines(NewlineMode::LineFeed)
        .build(lines, encoding("UTF-8"))
        .unwrap();
    assert_eq!(text(&every_cut(&conversion, &input)), expected);
    let refused = records(Options::new(), 80).build(lines, encoding("UTF-8"));
    assert!(matches!(refused, Err(OptionsError::LinesOfRecords)));
}
