//! Single conversions with the program: modes, messages, exit statuses, names of encodings.

use crate::common::{oxiconv, run};
use predicates::prelude::*;
use predicates::str::contains;

const STDIN: &str = "(standard input)";

#[test]
fn strict_writes_what_stands_before_the_first_bad_place_and_says_where_it_is() {
    let (status, out, err) = run(&["-f", "utf-8"], b"ok\ncaf\xE9\nmore");
    assert_eq!((status, &out[..]), (1, &b"ok\ncaf"[..]));
    assert_eq!(
        err,
        format!(
            "{STDIN}:2:4: error[truncated]: E9 at byte 6 (0x6): \
             E9 begins a 3-byte character, but 0A (line feed) follows\n\
             oxiconv: {STDIN}: E9 is é in windows-1252, and the text before it is plain ASCII \
             (try --fallback windows-1252)\n"
        )
    );
}

#[test]
fn strict_stops_at_an_unmappable_character_and_calls_it_so() {
    let (status, out, err) = run(&["-t", "ISO-8859-1"], b"a\xE2\x82\xACb");
    assert_eq!((status, &out[..]), (1, &b"a"[..]));
    assert_eq!(
        err,
        format!(
            "{STDIN}:1:2: error[unmappable]: E2 82 AC at byte 1 (0x1): \
             U+20AC (€) cannot be represented in ISO-8859-1\n"
        )
    );
    assert!(!err.contains("ill-formed"));
}

/// The input has one character that ISO-8859-1 lacks (U+20AC) and one byte that is ill-formed (FF).
#[test]
fn modes_write_their_marks_count_them_and_end_with_their_status() {
    let both = |ill: &str, unm: &str| {
        format!(
            "oxiconv: {STDIN}: 1 invalid byte sequence was {ill}, 1 unmappable character was {unm}\n"
        )
    };
    for (args, status, out, err) in [
        (vec!["-e", "replace"], 0, "a?b?c", both("replaced", "replaced")),
        (vec!["-e", "skip"], 1, "abc", both("left out", "left out")),
        (vec!["-c"], 1, "abc", both("left out", "left out")),
        (vec!["-e", "escape"], 0, r"a\u{20AC}b\xFFc", both("escaped", "escaped")),
        (
            vec!["-e", "replace", "--unmappable", "xml"],
            0,
            "a&#x20AC;b?c",
            both("replaced", "written as character references"),
        ),
        (
            vec!["-e", "replace", "--unmappable", "translit"],
            0,
            "aEURb?c",
            both("replaced", "transliterated"),
        ),
        (vec!["-e", "c"], 0, r"a\u20ACb\xFFc", both("escaped", "escaped")),
        (vec!["-e", "java"], 0, r"a\u20ACb%XFFc", both("escaped", "escaped")),
        (vec!["-e", "percent"], 0, "a%U20ACb%XFFc", both("escaped", "escaped")),
        (vec!["-e", "unicode"], 0, "a{U+20AC}b%XFFc", both("escaped", "escaped")),
        (
            vec!["-e", "xml"],
            0,
            "a&#x20AC;b&#xFF;c",
            both("written as character references", "written as character references"),
        ),
        (
            vec!["-e", "xml-dec"],
            0,
            "a&#8364;b&#255;c",
            both("written as character references", "written as character references"),
        ),
        (
            vec!["-e", "skip", "--unmappable", "xml-dec"],
            1,
            "a&#8364;bc",
            both("left out", "written as character references"),
        ),
        (
            vec!["-e", "replace", "--unmappable", "java"],
            0,
            r"a\u20ACb?c",
            both("replaced", "escaped"),
        ),
        (vec!["-e", "replace", "--unmappable", "c"], 0, r"a\u20ACb?c", both("replaced", "escaped")),
        (
            vec!["-e", "replace", "--unmappable", "percent"],
            0,
            "a%U20ACb?c",
            both("replaced", "escaped"),
        ),
        (
            vec!["-e", "replace", "--unmappable", "unicode"],
            0,
            "a{U+20AC}b?c",
            both("replaced", "escaped"),
        ),
        (vec!["-e", "escape", "--unmappable", "skip"], 1, r"ab\xFFc", both("escaped", "left out")),
        (
            vec!["-e", "replace", "--replacement", "<?>"],
            0,
            "a<?>b<?>c",
            both("replaced", "replaced"),
        ),
        (vec!["-q", "-e", "replace"], 0, "a?b?c", String::new()),
        (vec!["-q", "-c"], 1, "abc", String::new()),
    ] {
        let args = [vec!["-t", "latin1"], args].concat();
        let (got_status, got, got_err) = run(&args, b"a\xE2\x82\xACb\xFFc");
        assert_eq!(String::from_utf8_lossy(&got), out, "{args:?}");
        assert_eq!((got_status, got_err), (status, err), "{args:?}");
    }
}

#[test]
fn report_converts_as_replace_does_and_prints_every_finding() {
    let (status, out, err) = run(&["-e", "report", "-t", "latin1"], b"a\xE2\x82\xACb\nc\xFFd");
    assert_eq!((status, &out[..]), (1, &b"a?b\nc?d"[..]));
    let lines: Vec<_> = err.lines().collect();
    assert!(lines[0].starts_with(&format!("{STDIN}:1:2: error[unmappable]: E2 82 AC at byte 1 ")));
    assert!(lines[1].starts_with(&format!("{STDIN}:2:2: error[invalid-byte]: FF at byte 7 (0x7)")));
    // Two more lines follow: the hint and the counts.
    assert_eq!(lines.len(), 4, "{err}");
}

#[test]
fn replacement_is_fffd_where_the_target_has_it() {
    for (to, expected) in [
        ("utf-8", &b"a\xEF\xBF\xBDb"[..]),
        ("utf-16le", b"a\0\xFD\xFFb\0"),
        ("utf-32be", b"\0\0\0a\0\0\xFF\xFD\0\0\0b"),
        ("us-ascii", b"a?b"),
    ] {
        let (status, out, _) = run(&["-e", "replace", "-t", to], b"a\xFFb");
        assert_eq!((status, &out[..]), (0, expected), "{to}");
    }
}

#[test]
fn a_replacement_that_the_target_lacks_is_refused_before_anything_is_written() {
    let (status, out, err) = run(&["-e", "replace", "--replacement", "€", "-t", "latin1"], b"abc");
    assert_eq!((status, &out[..]), (2, &b""[..]));
    assert_eq!(err, "oxiconv: the replacement '€' cannot be written in ISO-8859-1\n");
}

#[test]
fn iconv_suffixes_mean_what_they_mean_there() {
    let text = "“a” 漢 ﬁ\n".as_bytes();
    let (status, out, _) = run(&["-t", "ascii//TRANSLIT"], text);
    assert_eq!((status, &out[..]), (0, &b"\"a\" ? fi\n"[..]));
    let (status, out, _) = run(&["-t", "ascii//IGNORE"], b"a\xE2\x82\xACb\xFFc");
    assert_eq!((status, &out[..]), (1, &b"abc"[..]));
    // Suffixes work on either encoding.
    let (status, out, _) = run(&["-f", "utf-8//IGNORE", "-t", "ascii"], b"a\xE2\x82\xACb\xFFc");
    assert_eq!((status, &out[..]), (1, &b"abc"[..]));
    let both = ["-f", "utf-8//ignore", "-t", "latin1//TRANSLIT,IGNORE/"];
    let (status, out, _) = run(&both, "a€\u{E000}".as_bytes());
    assert_eq!((status, &out[..]), (1, &b"aEUR"[..]));
    let discard = ["-t", "ascii//NON_IDENTICAL_DISCARD"];
    let (status, out, _) = run(&discard, "a€b".as_bytes());
    assert_eq!((status, &out[..]), (1, &b"ab"[..]));
    assert_eq!(run(&discard, b"a\xFFb").1, b"a");
    let (status, _, err) = run(&["-t", "ascii//FOO"], b"");
    assert_eq!(status, 2);
    assert!(err.contains("unknown suffix '//FOO'"), "{err}");
}

#[test]
fn a_fallback_repairs_stray_bytes_and_leaves_what_it_lacks_to_the_mode() {
    // ISO-8859-1 defines every byte. US-ASCII, below, defines none above 7F.
    let (status, out, err) = run(&["--fallback", "latin1"], b"caf\xE9 \xC3\xA9 \xE2\x82!");
    assert_eq!((status, String::from_utf8(out).unwrap()), (0, "café é â\u{82}!".to_owned()));
    assert_eq!(
        err,
        format!("oxiconv: {STDIN}: 2 invalid byte sequences were read as ISO-8859-1\n")
    );
    let (status, out, _) = run(&["--fallback", "ascii"], b"caf\xE9");
    assert_eq!((status, &out[..]), (1, &b"caf"[..]));
    let (status, out, _) = run(&["--fallback", "latin1", "-t", "ascii"], b"caf\xE9");
    assert_eq!((status, &out[..]), (1, &b"caf"[..]));
    let (status, _, err) = run(&["--fallback", "utf-16"], b"");
    assert_eq!(status, 2);
    assert!(err.contains("a stateless encoding that includes ASCII"), "{err}");
}

#[test]
fn a_fallback_may_have_characters_of_several_bytes() {
    // 你好 in GB18030, then 好 in UTF-8. E3 BA could begin a UTF-8 character, but the fallback must read C4 E3 and BA C3.
    let input = b"\xC4\xE3\xBA\xC3 \xE5\xA5\xBD\n";
    let (status, out, err) = run(&["--fallback", "gb18030"], input);
    assert_eq!((status, String::from_utf8(out).unwrap()), (0, "你好 好\n".to_owned()));
    assert_eq!(err, format!("oxiconv: {STDIN}: 3 invalid byte sequences were read as GB18030\n"));
    // FF occurs in no GB18030 character.
    let (status, out, _) = run(&["--fallback", "gb18030"], b"a \xC4\xE3 \xFF");
    assert_eq!((status, String::from_utf8(out).unwrap()), (1, "a 你 ".to_owned()));
    // The last three bytes of 行為 in Big5 are a character of UTF-8. But then 何 before them would be none.
    let input = ["任何人的任何".as_bytes(), b"\xA6\xE6\xAC\xB0", "之害\n".as_bytes()].concat();
    let (status, out, _) = run(&["--fallback", "big5"], &input);
    assert_eq!((status, out), (0, "任何人的任何行為之害\n".into()));
    let (status, _, err) = run(&["-f", "cesu-8", "--fallback", "gb18030"], b"");
    assert_eq!(status, 2);
    assert!(err.contains("the fallback GB18030 requires input in UTF-8"), "{err}");
}

/// The text around stray bytes shows its language: Russian makes them KOI8-R, and Polish ISO-8859-2.
#[test]
fn auto_finds_out_the_encoding_of_stray_bytes() {
    let russian = "Однажды весною, в час небывало жаркого заката, в Москве, на Патриарших прудах, \
                   появились два гражданина. Первый из них был маленького роста, упитан, лыс.\n";
    let koi8_r =
        [russian.as_bytes(), b"\xC4\xD7\xC1 \xC7\xD2\xC1\xD6\xC4\xC1\xCE\xC9\xCE\xC1\n"].concat();
    let (status, out, err) = run(&["--fallback", "auto"], &koi8_r);
    assert_eq!(
        (status, String::from_utf8(out).unwrap()),
        (0, format!("{russian}два гражданина\n"))
    );
    assert!(err.ends_with("read as KOI8-R\n"), "{err}");
    let polish = "Zażółć gęślą jaźń. Pchnąć w tę łódź jeża lub ośm skrzyń fig.\n";
    let latin2 = [polish.as_bytes(), b"\xBCd\xBCb\xB3o\n"].concat();
    let (status, out, err) = run(&["--fallback", "auto"], &latin2);
    assert_eq!((status, String::from_utf8(out).unwrap()), (0, format!("{polish}źdźbło\n")));
    assert!(err.ends_with("read as ISO-8859-2\n"), "{err}");
    // The hint names the same encoding.
    let (_, _, err) = run(&["--check"], &koi8_r);
    assert!(err.ends_with("(try --fallback koi8-r)\n"), "{err}");
}

/// A line in windows-1252 and one in CP932: no single encoding reads both.
#[test]
fn auto_says_if_no_encoding_is_clear() {
    let mixed = b"sshd: caf\xE9 login\napp: caf\xC3\xA9 ok\njp: \x93\xFA\x96\x7B\x8C\xEA\x83\x65\x83\x58\x83\x67\n";
    let said = format!(
        "oxiconv: {STDIN}: no encoding is clear for the bytes that are not UTF-8 (name it with --fallback, or detect it \
         for each line with -f auto-lines)\n"
    );
    for (args, expected) in [(&["-e", "strict"][..], 1), (&["-e", "replace"], 0)] {
        let (status, _, err) = run(&[args, &["--fallback", "auto"]].concat(), mixed);
        assert!(status == expected && err.contains(&said), "{err}");
        assert!(!run(&[args, &["--fallback", "auto", "-q"]].concat(), mixed).2.contains(&said));
    }
    let (status, out, _) = run(&["-f", "auto-lines"], mixed);
    let read = "sshd: café login\napp: café ok\njp: 日本語テスト\n";
    assert_eq!((status, out), (0, read.as_bytes().to_vec()));
    // Surrogates and overlong forms are in no other encoding, and a byte order mark says more.
    for other in ["sound: é\n".as_bytes(), b"\xED\xA0\xBD", b"\xC0\xAF", b"\xFF\xFEh\0i\0"] {
        assert!(!run(&["--fallback", "auto"], other).2.contains(&said), "{}", other.escape_ascii());
    }
}

/// A dry run says what would happen to damaged text, not what has happened.
#[test]
fn a_dry_run_has_repaired_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("d");
    std::fs::write(&path, "fÃ¼r\n").unwrap();
    let (status, _, err) = run(&["--repair", "-i", "--dry-run", path.to_str().unwrap()], b"");
    assert!(status == 0 && err.contains(": 1 damaged part would be repaired\n"), "{err}");
    assert!(!err.contains("was repaired") && std::fs::read(&path).unwrap() == "fÃ¼r\n".as_bytes());
}

#[test]
fn check_prints_findings_on_standard_output_and_writes_no_text() {
    let (status, out, err) = run(&["--check"], b"good\n");
    assert_eq!((status, &out[..], &err[..]), (0, &b""[..], ""));
    let (status, out, err) = run(&["--check"], b"a\n\x80\xC0");
    assert_eq!((status, &err[..]), (1, ""));
    assert_eq!(
        String::from_utf8(out).unwrap(),
        format!(
            "{STDIN}:2:1: error[unexpected-continuation]: 80 at byte 2 (0x2): \
             80 is a continuation byte without a lead byte\n\
             {STDIN}:2:2: error[overlong]: C0 at byte 3 (0x3): C0 never occurs in UTF-8; it would begin an overlong form\n"
        )
    );
}

#[test]
fn check_with_a_target_also_asks_whether_every_character_fits() {
    let (status, out, _) = run(&["--check", "-t", "latin1"], "aé€".as_bytes());
    assert_eq!(status, 1);
    assert!(
        String::from_utf8(out).unwrap().contains(":1:3: error[unmappable]: E2 82 AC at byte 3 ")
    );
    assert_eq!(run(&["--check", "-t", "latin1"], "aé".as_bytes()).0, 0);
    assert_eq!(run(&["--check"], "aé€".as_bytes()).0, 0);
}

#[test]
fn check_writes_nothing_so_options_that_say_how_to_write_are_refused() {
    for option in ["-c", "-eskip", "-ofile", "-i", "-Odir", "--fallback=latin1", "--unmappable=xml"]
    {
        let (status, out, err) = run(&["--check", option], b"");
        assert_eq!((status, &out[..]), (2, &b""[..]), "{option}");
        assert!(err.contains("cannot be combined with"), "{option}: {err}");
    }
}

#[test]
fn at_most_20_findings_are_printed_unless_told_otherwise_and_all_are_counted() {
    let bad = [b"\xFF\n".repeat(25), b"x".to_vec()].concat();
    let (_, out, err) = run(&["--check"], &bad);
    assert_eq!(out.iter().filter(|byte| **byte == b'\n').count(), 20);
    assert_eq!(err, format!("oxiconv: {STDIN}: 5 more not shown; --max-reports 0 shows all\n"));
    let (_, out, err) = run(&["--check", "--max-reports", "0"], &bad);
    assert_eq!((out.iter().filter(|byte| **byte == b'\n').count(), &err[..]), (25, ""));
    let (_, _, err) = run(&["--check", "--stats", "--max-reports", "3"], &bad);
    assert!(err.contains("\nfindings        25\n"), "{err}");
    assert!(err.contains("\n  invalid-byte  25\n"), "{err}");
    let unmappable = "€\n".repeat(25);
    let (_, _, err) =
        run(&["-e", "report", "-t", "ascii", "--max-reports", "1"], unmappable.as_bytes());
    assert!(err.contains("24 more not shown"), "{err}");
    assert!(err.contains("25 unmappable characters were replaced"), "{err}");
}

#[test]
fn silent_leaves_errors_only() {
    assert_eq!(run(&["-s"], b"a\xFF"), (1, b"a".to_vec(), String::new()));
    assert_eq!(run(&["-s", "-c"], b"a\xFF"), (1, b"a".to_vec(), String::new()));
    assert_eq!(run(&["-s", "--check"], b"a\xFF"), (1, Vec::new(), String::new()));
    let (status, _, err) = run(&["-s", "no such file"], b"");
    assert_eq!((status, &err[..]), (2, "oxiconv: no such file: No such file or directory\n"));
}

#[test]
fn quiet_leaves_findings_but_no_counts() {
    let (_, _, err) = run(&["-q"], b"a\xFF");
    assert!(err.contains("error[invalid-byte]"), "{err}");
    let (_, _, err) = run(&["-q", "-f", "utf-16"], b"h\0i\0");
    assert_eq!(err, "");
}

#[test]
fn verbose_says_what_was_done_and_stats_count() {
    let (status, _, err) = run(&["-v", "-f", "latin1"], b"caf\xE9");
    assert_eq!(status, 0);
    assert_eq!(err, format!("oxiconv: {STDIN}: ISO-8859-1 to UTF-8: 4 bytes read, 5 written\n"));
    let (_, _, err) = run(&["--stats", "-t", "utf-16le"], "é\n€\n".as_bytes());
    assert_eq!(
        err,
        "files          1\n\
         bytes read     7\n\
         bytes written  8\n\
         characters     4\n\
         line ends      2\n\
         findings       0\n"
    );
}

#[test]
fn unknown_encodings_get_a_suggestion_and_status_2() {
    for (option, name) in [("-f", "utf9"), ("-t", "utf9"), ("--fallback", "latinn-1")] {
        let (status, out, err) = run(&[option, name], b"abc");
        assert_eq!((status, &out[..]), (2, &b""[..]));
        assert!(err.contains(&format!("unknown encoding '{name}'; did you mean ")), "{err}");
    }
}

#[test]
fn names_are_looked_up_without_regard_to_case_hyphens_underscores_and_blanks() {
    for name in ["UTF-16LE", "utf16le", "Utf_16 le"] {
        assert_eq!(run(&["-t", name], b"a").1, b"a\0", "{name}");
    }
    // As in iconv, latin1 is ISO-8859-1 and not windows-1252: 92 is the control U+0092, not a quotation mark.
    assert_eq!(run(&["-f", "latin1"], b"\x92").1, "\u{92}".as_bytes());
}

#[test]
fn wrong_usage_is_status_2() {
    for args in [
        &["--no-such-option"][..],
        &["-e", "maybe"],
        &["-r"],
        &["--dry-run"],
        &["-i"],
        &["--bom", "forbid"],
        &["--check", "--bom", "add"],
        &["--check", "--bom", "require", "-f", "ascii"],
        &["--bom", "add", "-t", "latin1"],
        &["--max-reports", "-1"],
        &["-j", "0"],
        &["--replacement", ""],
    ] {
        let (status, out, err) = run(args, b"");
        assert_eq!((status, &out[..]), (2, &b""[..]), "{args:?}: {err}");
        assert!(!err.is_empty(), "{args:?}");
    }
}

#[test]
fn list_shows_each_encoding_with_its_aliases() {
    oxiconv()
        .arg("--list")
        .assert()
        .success()
        .stdout(contains("UTF-8 ").and(contains("ISO-8859-1")).and(contains("latin1")))
        .stderr("");
    let (_, out, _) = run(&["-l"], b"");
    let out = String::from_utf8(out).unwrap();
    let names: Vec<_> = out.lines().map(|line| line.split(' ').next().unwrap()).collect();
    let registry: Vec<_> = oxiconv::Encoding::all().map(|encoding| encoding.name()).collect();
    assert_eq!(names, registry);
    let (_, details, _) = run(&["-l", "-v"], b"");
    assert!(String::from_utf8(details).unwrap().contains("source: Unicode 3.9, D92"));
}

#[test]
fn list_shows_the_encodings_that_are_named() {
    let (status, out, err) = run(&["--list", "latin1", "CP1047"], b"");
    assert_eq!((status, &err[..]), (0, ""));
    let out = String::from_utf8(out).unwrap();
    let names: Vec<_> = out.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(names, ["ISO-8859-1", "IBM1047"]);
}

/// JIS X 0201 has a yen sign at 5C and an overline at 7E. Python's shift_jis differs only there: it has US-ASCII.
#[test]
fn list_says_which_vendors_mean_another_table_and_how_many_codes_differ() {
    let (status, out, err) = run(&["-lv", "SHIFT_JIS"], b"");
    assert_eq!((status, &err[..]), (0, ""));
    let out = String::from_utf8(out).unwrap();
    let lines: Vec<_> = out.lines().map(str::trim).collect();
    for line in [
        "SHIFT_JIS@python: shift_jis@python, in which 2 codes differ",
        "structure: one byte or more",
        "year: 2003",
        "known to: glibc, recode, databases",
    ] {
        assert!(lines.contains(&line), "{line}: {out}");
    }
    // All vendors agree on KOI8-R, so nothing is listed.
    let out = String::from_utf8(run(&["-lv", "KOI8-R"], b"").1).unwrap();
    assert!(!out.contains("@"), "{out}");
}

#[test]
fn list_refuses_an_unknown_name_with_the_nearest_one() {
    let (status, out, err) = run(&["--list", "latin1", "wndows-1252"], b"");
    assert_eq!((status, &out[..]), (2, &b""[..]));
    assert_eq!(
        err,
        "oxiconv: unknown encoding 'wndows-1252'; did you mean windows-1252? (--list PART lists the names that contain PART)\n"
    );
}

/// A similar alias is suggested together with the encoding that it names.
///
/// A name that differs in the number of a code page is never suggested, because it names a different charset.
#[test]
fn did_you_mean_offers_no_other_charset() {
    for (name, message) in [
        ("latinn1", "unknown encoding 'latinn1'; did you mean latin1 (ISO-8859-1)?"),
        ("CP437x", "unknown encoding 'CP437x'; did you mean CP437 (IBM437)?"),
        ("CP43777", "unknown encoding 'CP43777'"),
        ("ISO-8859-17", "unknown encoding 'ISO-8859-17'"),
        ("IBM-10477", "unknown encoding 'IBM-10477'"),
    ] {
        for args in [&["--list", name][..], &["-f", name]] {
            let (status, _, err) = run(args, b"");
            assert_eq!(status, 2, "{name}");
            let message = format!("{message} (--list PART lists the names that contain PART)");
            assert!(err.lines().next().unwrap().ends_with(&message), "{err}");
        }
    }
}

#[test]
fn auto_detects_and_says_so_when_asked() {
    let (status, out, err) = run(&["-f", "auto", "-v"], b"\xFF\xFEh\0i\0");
    assert_eq!((status, &out[..]), (0, &b"hi"[..]));
    assert!(err.contains("UTF-16 (detected, 100 %) to UTF-8"), "{err}");
    let russian = "Съешь же ещё этих мягких французских булок, да выпей чаю. ".repeat(4);
    let koi8 = run(&["-t", "koi8-r"], russian.as_bytes()).1;
    let (status, out, _) = run(&["-f", "auto"], &koi8);
    assert_eq!((status, String::from_utf8(out).unwrap()), (0, russian));
}

#[test]
fn colour_is_for_terminals_or_on_demand() {
    assert!(!run(&[], b"\xFF").2.contains('\x1b'));
    assert!(
        run(&["--color", "always"], b"\xFF")
            .2
            .contains("\x1b[1m\x1b[31merror[invalid-byte]:\x1b[0m")
    );
    assert!(!run(&["--color", "never"], b"\xFF").2.contains('\x1b'));
}

#[test]
fn no_character_of_the_text_reaches_the_terminal_raw() {
    let (_, _, err) = run(&["-t", "ascii"], "\u{9B}31m".as_bytes());
    assert!(!err.contains('\u{9B}'), "{err:?}");
    assert!(err.contains("U+009B cannot be represented in US-ASCII"), "{err}");
}

/// The output is the same as iconv's, which leaves JIS X 0201 Roman before any character that is not one of its
/// printing characters.
#[test]
fn iso_2022_jp_goes_back_to_ascii_for_blanks() {
    assert_eq!(run(&["-t", "iso-2022-jp"], "¥ x".as_bytes()).1, b"\x1B(J\\\x1B(B x");
    assert_eq!(run(&["-t", "iso-2022-jp"], "¥x".as_bytes()).1, b"\x1B(J\\x\x1B(B");
}

#[test]
fn suffixes_of_a_target_have_no_meaning_for_check() {
    let (status, _, err) = run(&["--check", "-t", "latin1//TRANSLIT"], b"");
    assert_eq!(status, 2);
    assert!(err.contains("//TRANSLIT"), "{err}");
}

#[test]
fn the_line_ends_of_ebcdic_are_those_that_were_asked_for() {
    for (args, input, output) in [
        (["-f", "IBM1047", "--ebcdic-newline", "lf"], &b"\xC1\x15\x25"[..], "A\n\u{85}".as_bytes()),
        (["-f", "IBM1047", "--ebcdic-newline", "nel"], b"\xC1\x15\x25", "A\u{85}\n".as_bytes()),
        (["-t", "IBM1047", "--ebcdic-newline", "lf"], "A\n\u{85}".as_bytes(), b"\xC1\x15\x25"),
        (["-t", "IBM1047", "--ebcdic-newline", "nel"], "A\n\u{85}".as_bytes(), b"\xC1\x25\x15"),
    ] {
        let (status, out, err) = run(&args, input);
        assert_eq!((status, &out[..], &err[..]), (0, output, ""), "{args:?}");
    }
    let (status, _, err) = run(&["-f", "latin1", "--ebcdic-newline", "lf"], b"");
    let message =
        "oxiconv: --ebcdic-newline requires an EBCDIC encoding (given: ISO-8859-1, UTF-8)\n";
    assert_eq!((status, &err[..]), (2, message));
}
