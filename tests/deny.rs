//! `--deny`: reports well-formed but unwanted characters, in every encoding, at their exact positions.

use crate::common::run_text;
use crate::support::{With, convert, convert_cut, encode, encoding, strict, strictly};
use oxiconv_transcode::diagnostic::DeniedKind;
use oxiconv_transcode::{Conversion, Newline, OnDenied, Threads};

fn check(from: &str, denied: impl IntoIterator<Item = DeniedKind>) -> Conversion {
    strictly(encoding(from), None).with(|it| it.deny(denied))
}

#[test]
fn each_kind_is_found_where_it_stands_and_says_what_it_is() {
    for (list, text, expected) in [
        ("nul", "a\0b", "1:2: error[nul]: 00 at byte 1 (0x1): U+0000 is the NUL character"),
        (
            "control",
            "é\tx\n\u{1B}[31m",
            "2:1: error[control]: 1B at byte 5 (0x5): \
             U+001B is a control code other than tab, line feed or carriage return",
        ),
        (
            "noncharacter",
            "ab\u{FFFE}",
            "1:3: error[noncharacter]: EF BF BE at byte 2 (0x2): \
             U+FFFE is a noncharacter, not meant for interchange",
        ),
        (
            "private-use",
            "\n\n\u{E001}",
            "3:1: error[private-use]: EE 80 81 at byte 2 (0x2): U+E001 is a private-use code point",
        ),
        (
            "unassigned",
            "€\u{0378}",
            "1:2: error[unassigned]: CD B8 at byte 3 (0x3): \
             U+0378 is an unassigned code point",
        ),
        (
            "non-bmp",
            "a😀",
            "1:2: error[non-bmp]: F0 9F 98 80 at byte 1 (0x1): \
             U+1F600 (😀) is above U+FFFF, outside the BMP",
        ),
        (
            "bidi",
            "if (x) {\u{202E}",
            "1:9: error[bidi]: E2 80 AE at byte 8 (0x8): \
             U+202E changes the direction of the text around it",
        ),
        (
            "replacement",
            "caf\u{FFFD}",
            "1:4: error[replacement]: EF BF BD at byte 3 (0x3): \
             U+FFFD (\u{FFFD}) stands for bytes that an earlier conversion could not read",
        ),
        (
            "bom",
            "a\u{FEFF}",
            "1:2: error[bom]: EF BB BF at byte 1 (0x1): \
             U+FEFF inside the text, where it is a character, not a byte order mark",
        ),
        (
            "mixed-newlines",
            "a\r\nb\nc\r\n",
            "2:2: error[mixed-newlines]: 0A at byte 4 (0x4): \
             line ends with LF, but line 1 ends with CRLF",
        ),
        (
            "invisible",
            "pass\u{200B}word",
            "1:5: error[invisible]: E2 80 8B at byte 4 (0x4): \
             U+200B is invisible and has no effect here",
        ),
        (
            "mixed-script",
            "if user == \"аdmin\"",
            "1:13: error[mixed-script]: D0 B0 at byte 12 (0xc): identifier \"аdmin\" mixes Cyrillic \
             and Latin, and looks like \"admin\": U+0430 (а), Cyrillic, is not \"a\"",
        ),
        (
            "confusable",
            "let\nѕсоре = 1",
            "2:1: error[confusable]: D1 95 at byte 4 (0x4): identifier \"ѕсоре\" is all Cyrillic, \
             but looks like \"scope\": U+0455 (ѕ), Cyrillic, is not \"s\"",
        ),
        (
            "confusable",
            "x = ｉf",
            "1:5: error[confusable]: EF BD 89 at byte 4 (0x4): identifier \"ｉf\" has letters in \
             several styles, and looks like \"if\": U+FF49 (ｉ) is not \"i\"",
        ),
        ("crlf", "a\nb\r\nc\r\n", "2:2: error[crlf]: 0D at byte 3 (0x3): line ends with CRLF"),
        ("lf", "a\r\nb\nc\n", "2:2: error[lf]: 0A at byte 4 (0x4): line ends with LF"),
        (
            "no-final-newline",
            "a\nbc",
            "2:3: error[no-final-newline]: byte 4 (0x4): the last line does not end with a newline",
        ),
    ] {
        let (status, out, err) = run_text(&["--check", "--deny", list], text.as_bytes());
        assert_eq!((status, &err[..]), (1, ""), "{list}");
        assert_eq!(out, format!("(standard input):{expected}\n"), "{list}");
        // Without --deny, none of these is a finding.
        assert_eq!(run_text(&["--check"], text.as_bytes()), (0, String::new(), String::new()));
    }
}

#[test]
fn what_is_not_denied_is_no_finding() {
    let all = "nul,control,noncharacter,private-use,unassigned,non-bmp,bidi,replacement,bom,\
               invisible,mixed-newlines,lf,no-final-newline";
    let text = "\u{FEFF}café\t5 €\r\nשלום\u{200F}\r\n";
    assert_eq!(run_text(&["--check", "--deny", all], text.as_bytes()).0, 0);
    assert_eq!(run_text(&["--check", "--deny", "all"], text.as_bytes()).0, 0);
    // An empty text has no last line that could lack a line ending. A byte order mark alone is also an empty text.
    assert_eq!(run_text(&["--check", "--deny", "crlf,no-final-newline"], b"").0, 0);
    let args = ["--check", "--deny", "no-final-newline", "-f", "utf-16le"];
    assert_eq!(run_text(&args, b"\xFF\xFE").0, 0);
    assert_eq!(run_text(&args, b"\xFF\xFEa\0").0, 1);
}

/// `all` covers the kinds of single characters, but not properties of the whole text such as mixed line endings.
#[test]
fn all_kinds_of_characters_can_be_denied_at_once() {
    let of_characters = DeniedKind::ALL.iter().filter(|kind| kind.is_of_characters());
    let of_characters: Vec<_> = of_characters.map(|kind| kind.id()).collect();
    for (id, text) in [
        ("nul", "\0"),
        ("bidi", "\u{202E}"),
        ("bom", "a\u{FEFF}"),
        ("replacement", "\u{FFFD}"),
        ("noncharacter", "\u{FFFF}"),
        ("private-use", "\u{E000}"),
        ("control", "\u{7F}"),
        ("unassigned", "\u{378}"),
        ("invisible", "\u{AD}"),
        ("non-bmp", "😀"),
    ] {
        assert!(of_characters.contains(&id), "{id}");
        if id == "non-bmp" {
            continue;
        }
        let (_, out, _) = run_text(&["--check", "--deny", "all"], text.as_bytes());
        assert!(out.contains(&format!("error[{id}]")), "{out}");
    }
    assert_eq!(of_characters.len(), 10);
    assert_eq!(run_text(&["--check", "--deny", "all"], b"a\r\nb\nc").0, 0);
    let (status, out, _) =
        run_text(&["--deny", "all", "--denied", "skip"], "\0a\u{AD}😀\r\n".as_bytes());
    assert_eq!((status, &out[..]), (0, "a😀\r\n"));
}

/// A character is reported once, as the first matching kind in the order of `DeniedKind::ALL`.
#[test]
fn a_character_of_two_kinds_is_one_finding() {
    let (_, out, _) = run_text(&["--check", "--deny", "control,nul"], b"\0\x01");
    assert!(out.contains(":1:1: error[nul]") && out.contains(":1:2: error[control]"), "{out}");
    assert_eq!(out.lines().count(), 2);
    let (_, out, _) = run_text(&["--check", "--deny", "control"], b"\0");
    assert!(out.contains(":1:1: error[control]"), "{out}");
}

/// Returns the skeleton (what the identifier looks like) of each finding in a text.
fn identifiers(text: &str) -> Vec<String> {
    let args = ["--check", "--deny", "mixed-script,confusable", "--format", "json"];
    let (_, out, err) = run_text(&args, text.as_bytes());
    assert_eq!(err, "");
    let events = out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let findings = events.filter(|event| event["type"] == "finding");
    findings.map(|finding| finding["skeleton"].as_str().unwrap().to_owned()).collect()
}

/// Homoglyphs in several scripts, like those of the Trojan Source paper. The expected skeletons were written by hand
/// after UTS 39.
#[test]
fn identifiers_that_look_like_others_are_found() {
    for (text, expected) in [
        // Cyrillic among Latin, at the start, in the middle and at the end of a word.
        ("def sayНello(): pass", "sayHello"),
        ("import оs", "os"),
        ("return Truе", "True"),
        ("x.іsdigit()", "isdigit"),
        ("MAX_СOUNT = 3", "COUNT"),
        ("https://pаypal.com/", "paypal"),
        ("user_іd2", "id2"),
        ("é = naïvе", "naïve"),
        ("pоšte", "pošte"),
        // Greek, Armenian, Cherokee, Lisu, Georgian, Coptic.
        ("nοw = 1", "now"),
        ("Αdmin", "Admin"),
        ("saνe", "save"),
        ("αdmin", "admin"),
        ("αccess(users)", "access"),
        ("desktoρ", "desktop"),
        ("ΝΟTE", "NOTE"),
        ("fօօ", "foo"),
        ("ᎪPI", "API"),
        ("ꓢtring", "String"),
        ("ცpu", ""),
        ("eⲟf", "eof"),
        // Two scripts in one identifier, neither of them Latin.
        ("a; сοр", "cop"),
        // The whole identifier is in one script, but the text does not use that script otherwise.
        ("if (ѕсоре > 0)", "scope"),
        ("сору(a, b)", "copy"),
        ("import ореn", "open"),
        ("x = ΟΝ", "ON"),
        ("a_ехес", "exec"),
        // Letters of different styles: mathematical and fullwidth.
        ("𝐩rint(1)", "print"),
        ("rｍ -r", "rm"),
        ("𝓪dmin", "admin"),
    ] {
        let expected = Some(expected.to_owned()).filter(|it| !it.is_empty());
        assert_eq!(identifiers(text), Vec::from_iter(expected), "{text}");
    }
    // All identifiers of a text are reported, in order.
    let text = "if ѕсоре: аdmin = ｒm\n\tсору(оs)\n";
    assert_eq!(identifiers(text), ["scope", "admin", "rm", "copy", "os"]);
    // Identifiers of more than 128 characters are not judged.
    let long = |count| format!("а{}", "x".repeat(count));
    assert_eq!(identifiers(&long(127)).len(), 1);
    assert_eq!(identifiers(&long(128)).len(), 0);
}

/// Mixed scripts and styles that are common in harmless text: comments, units, formulas, format strings.
#[test]
fn ordinary_words_and_symbols_are_no_such_identifiers() {
    for text in [
        "// Сначала проверим, есть ли файл; все права у root. А4, 3-й, с 5 до 10. КПД_max, max_КПД",
        "# Όλα τα αρχεία: για να δούμε. Ω = 5 kΩ, λ_max",
        "/* Све што је у овој датотеци: је, се, са */ int x;",
        "// 日本語のTシャツとWi-Fi、ＮＨＫ、Ｔシャツ。ABC株式会社",
        "// 使用UTF-8编码的API，版本v2，中文abc混排",
        "// 한글과 English를 함께, UTF8로",
        "µm Δx Ωm σ² αs νmax αmin PPARγ TNFα IFNγ ρ0 x̂ Å β_1 ∂x",
        "Čeština, Türkçe sıra, Tiếng Việt, naïve café, ĳs, Straße",
        "שלום API עברית; عربي abc; ไทยabc हिन्दीX",
        "iγewwaṛen d aγelsan",
        "МагIарул мацI, гIо",
        "сè што е, Сè",
        "printf(\"\\nСахар: %dс, %.1fс, %ldр\\tСорт\", x);",
        // The text has no ASCII letters, so there is nothing to imitate.
        "Все\nВес\nСорт\n",
        "για να",
        // The text uses the script elsewhere, before the identifier or soon after it.
        "{\"all\": \"Все\", \"none\": \"Ничего\"}",
        "{\"none\": \"Ничего\", \"all\": \"Все\"}",
        // A single letter.
        "а = б; x = \"с\"; с5",
        // At least one of the Cyrillic letters looks like no ASCII letter.
        "getИмя(Дата)",
        "userДата",
    ] {
        assert_eq!(identifiers(text), [""; 0], "{text}");
    }
    // The lookahead is 1,024 characters: `ж` is the last of them, then just beyond them.
    let after = |count| format!("x = \"Все\"{} ж", " ".repeat(count));
    assert_eq!(identifiers(&after(1021)).len(), 0);
    assert_eq!(identifiers(&after(1022)).len(), 1);
    assert_eq!(identifiers(&after(1_000_000)).len(), 1);
}

#[test]
fn identifiers_are_found_in_every_encoding_however_the_text_is_cut() {
    let text = "if ѕсоре == \"аdmin\" {\n\tоs.rеmove(МАХ)\u{301}; ж = 1 }\n// сору, привет, vоid";
    let expected = [("mixed-script", 1, 14), ("mixed-script", 2, 2), ("mixed-script", 2, 6)];
    let expected = [&expected[..], &[("mixed-script", 3, 19)]].concat();
    for name in [
        "UTF-8",
        "UTF-16LE",
        "UTF-16",
        "UTF-32BE",
        "UTF-7",
        "SCSU",
        "BOCU-1",
        "UTF-EBCDIC",
        "GB18030",
        "ISO-8859-5",
        "windows-1251",
        "IBM1025",
        "JAVA",
        "ISO-2022-JP-2",
        "CESU-8",
    ] {
        // The charsets have no U+0301, and ISO-2022-JP-2 has no Macedonian ѕ.
        let text = match name {
            "ISO-2022-JP-2" => text.replace('\u{301}', " ").replace('ѕ', "х"),
            "windows-1251" | "IBM1025" | "ISO-8859-5" => text.replace('\u{301}', " "),
            _ => text.to_owned(),
        };
        let bytes = convert(&strict("UTF-8", name), text.as_bytes()).output;
        let conversion = check(name, [DeniedKind::MixedScript, DeniedKind::Confusable]);
        let whole = convert(&conversion, &bytes);
        let places: Vec<_> = whole.found.iter().map(|f| (f.id, f.line, f.column)).collect();
        assert_eq!(places, expected, "{name}");
        for found in &whole.found {
            assert_eq!(found.bytes, bytes[found.offset as usize..found.end() as usize], "{name}");
        }
        for late_end in [false, true] {
            for cut in 1..bytes.len() {
                let there = convert_cut(&conversion, &bytes, &[cut], late_end);
                assert_eq!(there, whole, "{name} cut at {cut}");
            }
            let each: Vec<_> = (1..bytes.len()).collect();
            assert_eq!(convert_cut(&conversion, &bytes, &each, late_end), whole, "{name}");
        }
    }
}

/// An identifier may be incomplete at the end of a chunk, follow a long run of ASCII (which is skipped without
/// decoding), or adjoin an ill-formed subsequence.
#[test]
fn identifiers_are_found_however_long_the_text_and_whatever_is_beside_them() {
    let kinds = [DeniedKind::MixedScript, DeniedKind::Confusable];
    let conversion =
        check("UTF-8", kinds).with(|it| it.on_ill_formed(oxiconv_transcode::OnIllFormed::Replace));
    // Harmless Cyrillic and Latin words, mixed-script identifiers, and ill-formed bytes that separate identifiers.
    let found = [
        "сору, слова, mots français: ".as_bytes(),
        b"\xFFp",
        "аypal".as_bytes(),
        b"\xE2\x82",
        "中а аdmin\n".as_bytes(),
    ]
    .concat();
    // Every block after the first follows a run of ASCII, longer each time. No Cyrillic comes before the first one.
    let text = |count: usize, ascii: usize| {
        let lines =
            |step| ["int plain_ascii = 12345;\n".repeat(step * ascii).as_bytes(), &found].concat();
        (0..count).flat_map(lines).collect::<Vec<u8>>()
    };
    for (text, count, pieces) in [
        (text(8, 7), 8, &[1, 2, 3, 7, 100, 255, 256, 257][..]),
        (text(12, 100), 12, &[4096, 65_535, 65_536, 65_537]),
    ] {
        let whole = convert(&conversion, &text);
        let of_kind = |id| whole.found.iter().filter(|found| found.id == id).count();
        assert_eq!((of_kind("mixed-script"), of_kind("confusable")), (2 * count, 0));
        for &piece in pieces {
            let cuts: Vec<_> = (piece..text.len()).step_by(piece).collect();
            for late_end in [false, true] {
                assert_eq!(convert_cut(&conversion, &text, &cuts, late_end), whole, "{piece}");
            }
        }
    }
}

#[test]
fn a_conversion_stops_in_front_of_an_identifier_and_writes_the_text_before_it() {
    let text = "if (аdmin)".as_bytes();
    let (status, out, err) = run_text(&["--deny", "security"], text);
    assert_eq!((status, &out[..]), (1, "if ("));
    assert!(
        err.starts_with("(standard input):1:5: error[mixed-script]: D0 B0 at byte 4 "),
        "{err}"
    );
    let (status, out, _) = run_text(&["--deny", "security", "-e", "report"], text);
    assert_eq!((status, &out[..]), (1, "if (аdmin)"));
    // An identifier cannot be skipped, replaced or escaped, because it is not a single character.
    for mode in ["skip", "replace", "escape"] {
        let (status, out, err) = run_text(&["--deny", "security", "--denied", mode], text);
        assert_eq!((status, &out[..]), (2, ""));
        assert!(err.contains("--deny bidi,invisible,control,bom"), "{err}");
        let (status, _, err) = run_text(&["--deny", "mixed-script", "--denied", mode], text);
        assert_eq!(status, 2);
        assert!(err.contains("mixed-script is not a kind of character"), "{err}");
    }
    let (status, out, _) = run_text(&["--deny", "security", "--denied", "pass"], text);
    assert_eq!((status, &out[..]), (1, "if (аdmin)"));
}

#[test]
fn findings_are_counted_by_kind() {
    let (_, _, err) =
        run_text(&["--check", "--stats", "--deny", "nul,bidi"], "\0\0\u{2066}".as_bytes());
    assert!(err.contains("\nfindings       3\n"), "{err}");
    assert!(err.contains("\n  nul          2\n"), "{err}");
    assert!(err.contains("\n  bidi         1\n"), "{err}");
}

#[test]
fn a_conversion_stops_in_front_of_it_under_strict() {
    let (status, out, err) = run_text(&["--deny", "nul", "-t", "utf-16le"], b"ab\0c");
    assert_eq!((status, &out[..]), (1, "a\0b\0"));
    assert_eq!(
        err,
        "(standard input):1:3: error[nul]: 00 at byte 2 (0x2): U+0000 is the NUL character\n"
    );
}

#[test]
fn in_every_other_mode_it_goes_through_and_the_status_is_1() {
    let let_through = "oxiconv: (standard input): 2 denied characters were written unchanged\n";
    for mode in ["replace", "skip", "escape"] {
        let (status, out, err) = run_text(&["-e", mode, "--deny", "nul"], b"a\0b\0");
        assert_eq!((status, &out[..], &err[..]), (1, "a\0b\0", let_through), "{mode}");
    }
    let (status, out, err) = run_text(&["-e", "report", "--deny", "nul"], b"a\0b\0");
    assert_eq!((status, &out[..]), (1, "a\0b\0"));
    assert_eq!(err.lines().count(), 3);
    assert!(err.contains(":1:4: error[nul]: 00 at byte 3 "), "{err}");
    assert!(err.ends_with(let_through), "{err}");
    assert_eq!(run_text(&["-q", "-e", "replace", "--deny", "nul"], b"a\0").2, "");
}

#[test]
fn what_a_fallback_makes_of_stray_bytes_is_looked_at_too() {
    let args = ["--fallback", "latin1", "--deny", "control"];
    let (status, out, err) = run_text(&args, b"a\x9Bb");
    assert_eq!((status, &out[..]), (1, "a"));
    assert!(err.contains(":1:2: error[control]: 9B at byte 1 "), "{err}");
}

#[test]
fn an_unknown_kind_is_wrong_usage() {
    let (status, out, err) = run_text(&["--check", "--deny", "nul,tabs"], b"");
    assert_eq!((status, &out[..]), (2, ""));
    assert!(err.contains("'tabs'"), "{err}");
}

#[test]
fn every_encoding_and_every_cut_has_the_same_findings() {
    let text = "a\r\nb\0\r\n\r\n\u{2067}\u{E000}\rc\u{FFFD}\n\u{FEFF}é\u{200D}x\r";
    let expected = [
        ("crlf", 1, 2),
        ("nul", 2, 2),
        ("bidi", 4, 1),
        ("private-use", 4, 2),
        ("mixed-newlines", 4, 3),
        ("replacement", 4, 5),
        ("lf", 4, 6),
        ("bom", 5, 1),
        ("invisible", 5, 3),
    ];
    for name in ["UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "UTF-16", "UTF-32"] {
        let bytes = encode(text, name);
        let conversion = check(name, DeniedKind::ALL);
        let whole = convert(&conversion, &bytes);
        let places: Vec<_> = whole.found.iter().map(|f| (f.id, f.line, f.column)).collect();
        assert_eq!(places, expected, "{name}");
        for found in &whole.found {
            assert_eq!(found.bytes, bytes[found.offset as usize..found.end() as usize], "{name}");
        }
        for late_end in [false, true] {
            for cut in 1..bytes.len() {
                let cut_there = convert_cut(&conversion, &bytes, &[cut], late_end);
                assert_eq!(cut_there, whole, "{name} cut at {cut}");
            }
            let each: Vec<_> = (1..bytes.len()).collect();
            assert_eq!(convert_cut(&conversion, &bytes, &each, late_end), whole, "{name}");
        }
    }
}

/// A CR is judged only once it is known whether LF follows. In a stateful encoding, bytes that only change the state
/// may come between the two.
#[test]
fn line_ends_are_known_however_the_text_is_cut() {
    for name in ["UTF-8", "UTF-16", "UTF-7", "SCSU", "BOCU-1", "UTF-EBCDIC", "ISO-2022-JP"] {
        let text = "日\r本\r\r日\r\n\n";
        let bytes = convert(&strict("UTF-8", name), text.as_bytes()).output;
        let conversion = check(name, [DeniedKind::MixedNewlines]);
        let whole = convert(&conversion, &bytes);
        assert_eq!(whole.found.len(), 1, "{name}");
        assert_eq!((whole.found[0].line, whole.found[0].column), (1, 7), "{name}");
        assert!(whole.found[0].sentence.contains("ends with CRLF,"), "{name}");
        assert_eq!(whole.summary.characters, 9, "{name}");
        for cut in 1..bytes.len() {
            for late_end in [false, true] {
                let there = convert_cut(&conversion, &bytes, &[cut], late_end);
                assert_eq!(there, whole, "{name} cut at {cut}");
            }
        }
        let each: Vec<_> = (1..bytes.len()).collect();
        assert_eq!(convert_cut(&conversion, &bytes, &each, true), whole, "{name}");
    }
}

/// Expected values were written by hand.
#[test]
fn the_first_line_that_ends_differently_is_found_once() {
    let conversion = check("UTF-8", [DeniedKind::MixedNewlines]);
    for (text, expected) in [
        ("", None),
        ("a\nb\n\n", None),
        ("a\r\nb\r\n\r\n", None),
        ("a\rb\r\r", None),
        ("a\nb\r\nc\rd\n", Some((3, "CRLF, but line 1 ends with LF"))),
        ("\r\n\n\n", Some((2, "LF, but line 1 ends with CRLF"))),
        ("\n\r", Some((1, "CR, but line 1 ends with LF"))),
        ("\r\r\n", Some((1, "CRLF, but line 1 ends with CR"))),
        ("\r\u{FFFF}\n", Some((4, "LF, but line 1 ends with CR"))),
    ] {
        let found = convert(&conversion, text.as_bytes()).found;
        assert_eq!(found.len(), usize::from(expected.is_some()), "{text:?}");
        if let Some((offset, words)) = expected {
            assert_eq!(found[0].offset, offset, "{text:?}");
            assert_eq!(found[0].sentence, format!("line ends with {words}"), "{text:?}");
        }
    }
}

/// Any number of bytes that only change the state of an encoding may come between CR and LF.
#[cfg(unix)]
#[test]
fn a_carriage_return_waits_for_its_line_feed_in_little_memory_and_time() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("shifts");
    // 10 selects a window in SCSU; ESC ( B selects ASCII in ISO-2022-JP.
    for (name, shift) in [("scsu", &b"\x10"[..]), ("iso-2022-jp", b"\x1B(B")] {
        let text = [b"a\nb\r", &shift.repeat(2 << 20)[..], b"\nc\n"].concat();
        std::fs::write(&path, &text).unwrap();
        for stdin in [false, true] {
            let mut command = crate::common::oxiconv();
            command.args(["--check", "--deny", "mixed-newlines", "-f", name]);
            command.timeout(std::time::Duration::from_secs(60));
            if stdin {
                command.pipe_stdin(&path).unwrap();
            } else {
                command.arg(&path);
            }
            let output = command.output().unwrap();
            assert_eq!(output.status.code(), Some(1), "{name} {stdin}");
            let out = String::from_utf8(output.stdout).unwrap();
            let place = ":2:2: error[mixed-newlines]: 0D at byte 3 (0x3): line ends with CRLF,";
            assert!(out.contains(place), "{name} {stdin}: {out}");
        }
        let output = crate::common::oxiconv()
            .args(["--check", "--deny", "mixed-newlines", "-f", name])
            .write_stdin(text)
            .timeout(std::time::Duration::from_secs(60))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{name} through a pipe");
    }
}

/// The output ends before the CR, even if the LF that settles its kind is in the next chunk.
#[test]
fn a_conversion_stops_before_a_carriage_return_however_the_text_is_cut() {
    for (text, before) in [
        ("a\nb\r\nc", "a\nb"),
        ("a\nb\rc", "a\nb"),
        ("a\nb\r", "a\nb"),
        ("a\r\nb\rc", "a\r\nb"),
        ("a\rb\r\nc", "a\rb"),
        ("a\r\nb\r\n", "a\r\nb\r\n"),
        ("a\r\nb\r\u{1}", "a\r\nb"),
        ("a\nb\r\u{2}", "a\nb"),
    ] {
        // 01 in the table becomes an ill-formed byte. It also settles that no LF follows the CR.
        let input: Vec<u8> = text.bytes().map(|byte| if byte == 1 { 0xFF } else { byte }).collect();
        let conversion = strict("UTF-8", "UTF-16BE")
            .with(|it| it.deny([DeniedKind::MixedNewlines]).on_denied(OnDenied::Stop));
        let whole = convert(&conversion, &input);
        assert_eq!(whole.output, encode(before, "UTF-16BE"), "{text:?}");
        assert_eq!(whole.summary.stopped, before != text, "{text:?}");
        assert_eq!(whole.summary.bytes_read, before.len() as u64, "{text:?}");
        for late_end in [false, true] {
            let each: Vec<_> = (1..text.len()).collect();
            for cuts in each.iter().map(|cut| vec![*cut]).chain([each.clone()]) {
                let there = convert_cut(&conversion, &input, &cuts, late_end);
                assert_eq!(there, whole, "{text:?} cut at {cuts:?}");
            }
        }
    }
}

/// A CR that is held back and that the target lacks is reported at its own position, like any other character.
#[test]
fn a_carriage_return_that_the_target_lacks_has_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("f");
    std::fs::write(&path, "a\n\r").unwrap();
    let args = ["-t", "utf-8-hunk3", "-e", "report", "--deny", "mixed-newlines"];
    let (_, _, err) = run_text(&[&args[..], &[path.to_str().unwrap()]].concat(), b"");
    let places: Vec<_> = err
        .lines()
        .filter_map(|line| {
            Some(line.split_once("error[")?.1.split(": ").take(2).collect::<Vec<_>>())
        })
        .collect();
    assert!(
        places.iter().any(|it| it[0] == "unmappable]" && it[1].starts_with("0D at byte 2 ")),
        "{err}"
    );
    assert!(!err.contains("not shown"), "{err}");
}

/// The text is long enough for several shards, with the only fault inside.
#[test]
fn a_long_file_is_looked_at_whole() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("long");
    let mut text = b"0123456789abcde\n".repeat(512 * 1024);
    text[5_000_000] = 0;
    std::fs::write(&path, &text).unwrap();
    let path = path.to_str().unwrap();
    let (status, out, _) = run_text(&["--check", "--deny", "nul", "-j", "4", path], b"");
    assert_eq!(status, 1);
    assert!(out.contains(":312501:1: error[nul]: 00 at byte 5000000 (0x4c4b40)"), "{out}");
}

/// Declared line endings, including that of the last line, in code units of one, two and four bytes. Expected values
/// were written by hand.
#[test]
fn declared_line_ends_are_compared_however_the_text_is_cut() {
    use Newline::{Both, CarriageReturn, LineFeed};
    for (newline, text, expected) in [
        (Some(LineFeed), "", &[][..]),
        (Some(LineFeed), "a\nb\n", &[]),
        (Some(LineFeed), "a\nb\r\nc\r", &[("wrong-newline", 3), ("missing-final-newline", 7)]),
        (Some(LineFeed), "\r\u{FFFF}\n", &[("wrong-newline", 0)]),
        (Some(Both), "a\r\nb\r\n", &[]),
        (Some(Both), "a\r\n\n", &[("wrong-newline", 3)]),
        (Some(Both), "a\rb", &[("wrong-newline", 1), ("missing-final-newline", 3)]),
        (Some(CarriageReturn), "a\rb\r", &[]),
        (Some(CarriageReturn), "a\r\rb", &[("missing-final-newline", 4)]),
        (Some(CarriageReturn), "a\nb\r", &[("wrong-newline", 1)]),
        (Some(CarriageReturn), "a\r\n", &[("wrong-newline", 1)]),
        (None, "a\r\nb\n", &[]),
        (None, "a\nb", &[("missing-final-newline", 3)]),
        (None, "\n\n", &[]),
        (None, "a\r", &[("missing-final-newline", 2)]),
    ] {
        for (name, unit) in [("UTF-8", 1), ("UTF-16LE", 2), ("UTF-32BE", 4)] {
            let conversion = strictly(encoding(name), None).with(|it| {
                let it = it.final_newline(true);
                newline.map_or(it.clone(), |newline| it.newline(newline))
            });
            let bytes = encode(text, name);
            // Every character takes one code unit, except U+FFFF in UTF-8. No expected offset comes after that one.
            let wide = |offset: u64| if unit == 1 { offset } else { offset * unit };
            let whole = convert(&conversion, &bytes);
            let found: Vec<_> = whole.found.iter().map(|found| (found.id, found.offset)).collect();
            let expected: Vec<_> = expected.iter().map(|(id, at)| (*id, wide(*at))).collect();
            assert_eq!(found, expected, "{newline:?} {text:?} {name}");
            assert_eq!(whole.summary.total(), expected.len() as u64);
            for late_end in [false, true] {
                let each: Vec<_> = (1..bytes.len()).collect();
                for cuts in each.iter().map(|cut| vec![*cut]).chain([each.clone()]) {
                    let there = convert_cut(&conversion, &bytes, &cuts, late_end);
                    assert_eq!(there, whole, "{newline:?} {text:?} {name} cut at {cuts:?}");
                }
            }
        }
    }
}

/// If a line ending is declared, lines are compared with it, not with the first line. A missing final line ending is
/// reported at the right position even if several threads read the text.
#[test]
fn declared_line_ends_of_a_long_text_have_their_places() {
    let declared = strictly(encoding("UTF-8"), None)
        .with(|it| it.deny([DeniedKind::MixedNewlines]).newline(Newline::LineFeed));
    let found = convert(&declared, b"a\r\nb\n").found;
    assert_eq!(found.iter().map(|found| found.id).collect::<Vec<_>>(), ["wrong-newline"]);
    let mut text = b"0123456789abcde\n".repeat(512 * 1024);
    text.extend_from_slice(b"end");
    let last =
        strictly(encoding("UTF-8"), None).with(|it| it.final_newline(true).threads(Threads::All));
    let found = convert(&last, &text).found;
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].place(),
        ("missing-final-newline", text.len() as u64, 0, 512 * 1024 + 1, 4)
    );
}

/// Only the first line ending of each denied kind is reported, and no line ending twice. Expected values were written
/// by hand.
#[test]
fn line_ends_that_are_denied_are_found_once() {
    use DeniedKind::{Crlf, Lf, MixedNewlines, NoFinalNewline};
    for (denied, text, expected) in [
        (&[Crlf][..], "a\nb\rc", &[][..]),
        (&[Crlf], "a\r\r\nb\r\n", &[("crlf", 2)]),
        (&[Lf], "a\r\nb\rc\r\r\n", &[]),
        (&[Lf], "a\r\n\nb\n", &[("lf", 3)]),
        (&[Lf], "\n", &[("lf", 0)]),
        (&[Lf], "\r\u{FFFF}\n", &[("lf", 4)]),
        (&[Crlf, Lf], "a\nb\r\nc\n\r\n", &[("lf", 1), ("crlf", 3)]),
        (&[MixedNewlines, Crlf, Lf], "a\nb\r\nc\r\n", &[("lf", 1), ("mixed-newlines", 3)]),
        (&[NoFinalNewline], "", &[]),
        (&[NoFinalNewline], "a\n", &[]),
        (&[NoFinalNewline], "a\r", &[]),
        (&[NoFinalNewline], "a\nb\r\n", &[]),
        (&[NoFinalNewline], "a\r\nb", &[("no-final-newline", 4)]),
        (&[NoFinalNewline], "a\u{85}", &[("no-final-newline", 3)]),
        (&[NoFinalNewline], "a\u{2028}", &[("no-final-newline", 4)]),
        (&[NoFinalNewline, Crlf], "a\r\nb\r\n\r", &[("crlf", 1)]),
    ] {
        let conversion = check("UTF-8", denied.iter().copied());
        let whole = convert(&conversion, text.as_bytes());
        let found: Vec<_> = whole.found.iter().map(|found| (found.id, found.offset)).collect();
        assert_eq!(found, expected, "{denied:?} {text:?}");
        let each: Vec<_> = (1..text.len()).collect();
        for late_end in [false, true] {
            for cuts in each.iter().map(|cut| vec![*cut]).chain([each.clone()]) {
                let there = convert_cut(&conversion, text.as_bytes(), &cuts, late_end);
                assert_eq!(there, whole, "{denied:?} {text:?} cut at {cuts:?}");
            }
        }
    }
    // In EBCDIC, NEL (U+0085) is a line ending.
    let ebcdic = check("IBM1047", [NoFinalNewline]);
    for (bytes, missing) in
        [(&b"\xC1\x15"[..], false), (b"\xC1\x15\xC2", true), (b"\xC1\x0D\x15", false)]
    {
        for cuts in [&[][..], &[1], &[1, 2]] {
            assert_eq!(
                convert_cut(&ebcdic, bytes, cuts, true).summary.denied(),
                u64::from(missing),
                "{bytes:X?}"
            );
        }
    }
    // If a final line ending is also declared, the finding has the id of the declaration.
    let declared = check("UTF-8", [NoFinalNewline]).with(|it| it.final_newline(true));
    let found = convert(&declared, b"a").found;
    assert_eq!(found.iter().map(|found| found.id).collect::<Vec<_>>(), ["missing-final-newline"]);
}

/// Whether an invisible character has an effect depends on the characters before it and on the next one, which may be
/// in a later chunk.
#[test]
fn invisible_characters_are_judged_however_the_text_is_cut() {
    let text = "a\u{200D}b 👨\u{200D}👩\u{200D}👧 👨\u{200D}! ❤\u{FE0F}\u{FE0F} x\u{FE0F} می\u{200C}خواهم \
                🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} 🏴\u{E0067}\u{E0041}\u{E0067}. \
                \u{200E}א\u{200E}1\u{200E} \u{200D}";
    let columns = [2, 12, 17, 20, 41, 42, 49, 51];
    for name in ["UTF-8", "UTF-16LE", "UTF-32BE", "UTF-7", "SCSU", "GB18030"] {
        let bytes = convert(&strict("UTF-8", name), text.as_bytes()).output;
        let conversion = check(name, [DeniedKind::Invisible]);
        let whole = convert(&conversion, &bytes);
        assert_eq!(whole.found.iter().map(|it| it.column).collect::<Vec<_>>(), columns, "{name}");
        let each: Vec<_> = (1..bytes.len()).collect();
        for late_end in [false, true] {
            for cuts in each.iter().map(|cut| vec![*cut]).chain([each.clone()]) {
                let there = convert_cut(&conversion, &bytes, &cuts, late_end);
                assert_eq!(there, whole, "{name} cut at {cuts:?}");
            }
        }
        // Skipping removes exactly the reported characters, and a check of the result finds nothing.
        let removed = strict(name, "UTF-8")
            .with(|it| it.deny([DeniedKind::Invisible]).on_denied(OnDenied::Skip));
        let kept: Vec<char> = text.chars().collect();
        let kept = kept.iter().enumerate().filter(|(at, _)| !columns.contains(&(*at as u64 + 1)));
        let kept: String = kept.map(|(_, c)| *c).collect();
        for cuts in each.iter().map(|cut| vec![*cut]).chain([each.clone()]) {
            let there = convert_cut(&removed, &bytes, &cuts, true);
            assert_eq!(String::from_utf8(there.output).unwrap(), kept, "{name} cut at {cuts:?}");
        }
        assert_eq!(convert(&check("UTF-8", [DeniedKind::Invisible]), kept.as_bytes()).found, []);
    }
    // An ill-formed subsequence (01 in the table) is not a character, so a joiner next to it has no effect.
    let conversion = check("UTF-8", [DeniedKind::Invisible]);
    for (input, expected) in [
        ("👨\u{200D}\u{1}👩".as_bytes(), 1),
        ("\u{1}\u{200D}👩".as_bytes(), 1),
        ("👨\u{200D}👩".as_bytes(), 0),
    ] {
        let input: Vec<u8> =
            input.iter().map(|byte| if *byte == 1 { 0xFF } else { *byte }).collect();
        let conversion =
            conversion.with(|it| it.on_ill_formed(oxiconv_transcode::OnIllFormed::Replace));
        assert_eq!(convert(&conversion, &input).summary.denied(), expected, "{input:X?}");
    }
    // The engine converts runs of at most 4096 characters. The emoji sequence crosses the end of one.
    for before in 4080..4100 {
        let text = "x".repeat(before) + "👨\u{200D}👩\u{200D}.";
        let found = convert(&conversion, text.as_bytes()).found;
        assert_eq!(found.iter().map(|it| it.column).collect::<Vec<_>>(), [before as u64 + 4]);
    }
}
