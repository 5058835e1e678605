//! `--fix`: each file becomes right or stays as it is.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::{MetadataExt, symlink};

use serde_json::Value;

use crate::common::{Dir, answer_on_terminal, oxiconv, type_on_terminal};
use crate::support::skipped;

/// "Не удалось открыть файл" in windows-1251.
const RUSSIAN_1251: &[u8] =
    b"\xCD\xE5 \xF3\xE4\xE0\xEB\xEE\xF1\xFC \xEE\xF2\xEA\xF0\xFB\xF2\xFC \xF4\xE0\xE9\xEB\n";
const RUSSIAN: &str = "Не удалось открыть файл\n";
/// "échec de la requête à été créé" in windows-1252.
const FRENCH_1252: &[u8] = b"\xE9chec de la requ\xEAte \xE0 \xE9t\xE9 cr\xE9\xE9\n";
const FRENCH: &str = "échec de la requête à été créé\n";
/// "これは日本語の文章です。" in CP932 and ISO-2022-JP.
const JAPANESE_932: &[u8] =
    b"\x82\xB1\x82\xEA\x82\xCD\x93\xFA\x96{\x8C\xEA\x82\xCC\x95\xB6\x8F\xCD\x82\xC5\x82\xB7\x81B\n";
const JAPANESE_2022: &[u8] = b"\x1B$B$3$l$OF|K\\8l$NJ8>O$G$9!#\x1B(B\n";
const JAPANESE: &str = "これは日本語の文章です。\n";
/// "Ein schöner Tag für die Bürger von Köln." and NEL in IBM273.
const GERMAN_273: &[u8] = b"\xC5\x89\x95@\xA2\x83\x88j\x95\x85\x99@\xE3\x81\x87@\x86\xD0\x99@\x84\x89\x85@\xC2\xD0\x99\x87\x85\x99@\xA5\x96\x95@\xD2j\x93\x95K\x15";
const GERMAN: &str = "Ein schöner Tag für die Bürger von Köln.\n";

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Returns UTF-8 that was read as ISO-8859-1 and encoded again.
fn damaged(text: &str) -> String {
    text.bytes().map(char::from).collect()
}

/// Returns the second and third columns of the row of a file: what it was, and what was done.
fn row<'o>(out: &'o str, name: &str) -> (&'o str, &'o str) {
    let line = out.lines().find(|line| line.split_whitespace().next() == Some(name));
    let line = line.unwrap_or_else(|| panic!("no row of {name}: {out}"));
    let (was, done) = line[name.len()..].trim_start().split_once("  ").expect(line);
    (was, done.trim_start())
}

#[test]
fn each_file_becomes_utf8_in_whatever_encoding_it_is() {
    let strays = [FRENCH.repeat(3).as_bytes(), b"na\xEFve caf\xE9\n"].concat();
    let log =
        [&RUSSIAN_1251.repeat(5)[..], FRENCH.repeat(5).as_bytes(), RUSSIAN.as_bytes()].concat();
    let files: [(&str, Vec<u8>, String, &str); 10] = [
        ("legacy", RUSSIAN_1251.repeat(3), RUSSIAN.repeat(3), "converted to UTF-8"),
        ("multi", JAPANESE_932.repeat(3), JAPANESE.repeat(3), "converted to UTF-8"),
        ("escapes", JAPANESE_2022.repeat(3), JAPANESE.repeat(3), "converted to UTF-8"),
        ("marked", utf16(&format!("\u{FEFF}{RUSSIAN}")), RUSSIAN.to_owned(), "converted to UTF-8"),
        // Every byte is below 80, so it is well-formed UTF-8 as well.
        ("unmarked", utf16(&RUSSIAN.repeat(3)), RUSSIAN.repeat(3), "converted to UTF-8"),
        (
            "ebcdic",
            GERMAN_273.repeat(4),
            GERMAN.repeat(4),
            "converted to UTF-8; changed the line ends to LF",
        ),
        ("strays", strays, FRENCH.repeat(3) + "naïve café\n", "read 2 stray bytes as windows-1252"),
        (
            "lines",
            log,
            RUSSIAN.repeat(5) + &FRENCH.repeat(5) + RUSSIAN,
            "read 5 lines as windows-1251",
        ),
        ("damaged", damaged("schön\n").into(), "schön\n".to_owned(), "repaired 1 damaged part"),
        // A declaration that would be false is corrected.
        (
            "page",
            [&b"<meta charset=\"windows-1251\"><p>"[..], RUSSIAN_1251].concat(),
            format!("<meta charset=\"UTF-8\"><p>{RUSSIAN}"),
            "converted to UTF-8",
        ),
    ];
    let dir = Dir::new();
    for (name, bytes, ..) in &files {
        dir.write(&format!("d/{name}"), bytes);
    }
    let (status, out, err) = dir.run(&["--fix", "--dry-run", "d"]);
    assert_eq!((status, out.lines().count()), (0, files.len()), "{out}{err}");
    assert_eq!(err, "oxiconv: 10 would be fixed\n");
    assert_eq!(row(&out, "d/legacy"), ("windows-1251, 99 %", "would convert it to UTF-8"));
    for (name, bytes, ..) in &files {
        assert_eq!(dir.read(&format!("d/{name}")), *bytes, "{name}");
    }
    let (status, out, err) = dir.run(&["--fix", "d"]);
    assert_eq!((status, &err[..]), (0, "oxiconv: 10 fixed\n"), "{out}");
    for (name, _, text, done) in &files {
        let name = format!("d/{name}");
        assert_eq!(String::from_utf8(dir.read(&name)).unwrap(), *text, "{name}");
        assert_eq!(row(&out, &name).1, *done, "{name}");
    }
    let (status, out, err) = dir.run(&["--fix", "d"]);
    assert_eq!((status, &out[..], &err[..]), (0, "", "oxiconv: 0 fixed, 10 right already\n"));
}

#[cfg(unix)]
#[test]
fn a_file_that_is_right_is_not_touched() {
    let dir = Dir::new();
    let texts = ["", "plain\n", "schön\r\n", "\u{FEFF}mark", RUSSIAN, "a\x1Bb"];
    let inode = |name: &str| fs::metadata(dir.path(name)).unwrap().ino();
    for (number, text) in texts.iter().enumerate() {
        dir.write(&format!("d/{number}"), text.as_bytes());
    }
    let before: Vec<_> = (0..texts.len()).map(|it| inode(&format!("d/{it}"))).collect();
    let (status, out, err) = dir.run(&["--fix", "d"]);
    assert_eq!((status, &out[..], &err[..]), (0, "", "oxiconv: 0 fixed, 6 right already\n"));
    let after: Vec<_> = (0..texts.len()).map(|it| inode(&format!("d/{it}"))).collect();
    assert_eq!(before, after);
    let (_, out, _) = dir.run(&["--fix", "-v", "d"]);
    assert_eq!(row(&out, "d/0"), ("empty", "nothing to do"));
    assert_eq!(row(&out, "d/4"), ("UTF-8", "nothing to do"));
}

/// What is not certain is left, with the reason and a command, and the status says so.
#[cfg(unix)]
#[test]
fn what_is_not_certain_is_left_to_a_person() {
    let dir = Dir::new();
    // E9 is é in windows-1252, and a letter in most other charsets.
    // A declaration that the letters contradict.
    let declared = b"<?xml version=\"1.0\" encoding=\"windows-1251\"?>\n<a>gr\xF6\xDFer sch\xF6ner \xDCberfluss</a>\n";
    let two = [&RUSSIAN_1251.repeat(5)[..], &FRENCH_1252.repeat(5)].concat();
    // 85 is à in IBM850 and … in windows-1252.
    let several = ["la libertà e la dignità\n".as_bytes(), b"libert\x85; dignit\x85\n"].concat();
    let files: [(&str, &[u8]); 15] = [
        ("several", &several),
        ("few", b"\xE9\n"),
        ("declared", declared),
        ("surrogate", b"abc \xED\xA0\x80 d\n"),
        ("mark", b"\x84\x31\x95\x33hello"),
        // In UTF-7, these would be ☺ and ≢Α.
        ("plus", b"# RFC 2152 example: \"Hi Mom +Jjo-!\" and \"A+ImIDkQ.\"\n"),
        // U+0000 in MUTF-8 would make it binary.
        ("nul", b"caf\xC3\xA9 \xC0\x80 x\n"),
        // A line by itself may fit either of them.
        ("lines", &two),
        // "vací" without its last byte, where í occurs elsewhere: C3 is Ã in windows-1252.
        ("half", b"aqu\xC3\xAD est\xC3\xA1: vac\xC3o\n"),
        // "Ein Tag!" in IBM273. Code pages of EBCDIC have ! in different places.
        ("sign", b"\xC5\x89\x95@\xE3\x81\x87O\x15"),
        // Five bytes without a word around them, which fit windows-1256.
        ("chance", b"\x81\xFF\x81 \xFF"),
        // Norwegian in windows-1252, but one word has æ as in IBM850, where it would become a quotation mark.
        ("word", b"Kunne ikke \xE5pne filen for \xE5 skrive: st\xF8rrelsen er for stor, pr\xF8v igjen\nbekr\x91ftelse\n"),
        ("cut", &"日本語の文章です。".as_bytes()[..26]),
        ("list", b"\xE5 \xE4 \xF6 \xE9 \xC5 \xC4 \xD6\n"),
        ("sound", "schön\n".as_bytes()),
    ];
    for (name, bytes) in files {
        dir.write(&format!("d/{name}"), bytes);
    }
    let (status, out, err) = dir.run(&["--fix", "d"]);
    assert_eq!((status, &err[..]), (1, "oxiconv: 0 fixed, 1 right already, 14 left\n"), "{out}");
    for (name, bytes) in files {
        assert_eq!(dir.read(&format!("d/{name}")), bytes, "{name}");
    }
    let several = row(&out, "d/several").1;
    assert!(several.starts_with("left: its stray bytes fit several encodings"), "{several}");
    let cut = "left: 1 character was cut off (to see where: oxiconv --explain d/cut)";
    assert_eq!(row(&out, "d/cut").1, cut);
    let (was, few) = row(&out, "d/few");
    assert!(
        few.starts_with("left: ")
            && few.contains("(to convert it: oxiconv ")
            && few.ends_with(" -i.bak d/few)"),
        "{was} {few}"
    );
    // -q leaves the rows of what is left, -s none.
    assert_eq!(dir.run(&["--fix", "-q", "d"]).1, out);
    assert_eq!(dir.run(&["--fix", "-s", "d"]), (1, String::new(), String::new()));
}

/// "Feil i filen: kunne ikke åpne den, prøv igjen" in windows-1252.
const NORWEGIAN_1252: &[u8] = b"Feil i filen: kunne ikke \xE5pne den, pr\xF8v igjen\n";
const NORWEGIAN: &str = "Feil i filen: kunne ikke åpne den, prøv igjen\n";

/// A file is searched for doubts in parts of 256 KiB, or as much as is read at once. The doubt is in one of them.
#[test]
fn every_part_of_a_long_file_is_looked_at() {
    let words = "left: some of its words look wrong in that encoding";
    let lines = "left: the encoding of some lines is not certain";
    // "bekræftelse" in windows-1252 and in IBM850. Then, among text in UTF-8, a line in windows-1251, and one in
    // windows-1252 besides.
    let one = [RUSSIAN_1251, RUSSIAN.as_bytes()].concat();
    let two = [RUSSIAN_1251, FRENCH_1252].concat();
    for (text, utf8, clear, clear_utf8, doubtful, why) in [
        (
            NORWEGIAN_1252,
            NORWEGIAN,
            &b"bekr\xE6ftelse\n"[..],
            "bekræftelse\n",
            &b"bekr\x91ftelse\n"[..],
            words,
        ),
        (FRENCH.as_bytes(), FRENCH, &one, &RUSSIAN.repeat(2), &two, lines),
    ] {
        let dir = Dir::new();
        let count = 2_700_000 / text.len();
        let places = [0, count / 2, count];
        for (number, &place) in places.iter().enumerate() {
            let around = [text.repeat(place), text.repeat(count - place)];
            dir.write(&format!("clear{number}"), &around.join(clear));
            dir.write(&format!("doubtful{number}"), &around.join(doubtful));
        }
        let (status, out, err) = dir.run(&["--fix", "--no-ignore", "."]);
        assert_eq!((status, &err[..]), (1, "oxiconv: 3 fixed, 3 left\n"), "{out}");
        for (number, &place) in places.iter().enumerate() {
            let expected = [utf8.repeat(place), utf8.repeat(count - place)].join(clear_utf8);
            assert!(dir.read(&format!("clear{number}")) == expected.as_bytes(), "{number} {out}");
            assert_eq!(row(&out, &format!("./doubtful{number}")).1, why);
            let around = [text.repeat(place), text.repeat(count - place)];
            assert!(dir.read(&format!("doubtful{number}")) == around.join(doubtful), "{number}");
        }
    }
}

/// The words of a text may be in one part, and a dash in another.
#[test]
fn the_letters_of_all_parts_count() {
    let dir = Dir::new();
    let plain = "nothing but words in English on this line\n".repeat(60_000);
    let dash = [FRENCH_1252, plain.as_bytes(), b"one \x97 two\n"].concat();
    dir.write("f", &dash);
    let (status, out, _) = dir.run(&["--fix", "f"]);
    let expected = format!("{FRENCH}{plain}one — two\n");
    assert!((status, dir.read("f")) == (0, expected.into_bytes()), "{out}");
    // Without words in any part, it is not certain what the sign is.
    let dash = [plain.as_bytes(), b"one \x97 two\n", plain.as_bytes(), b"two \x97\n"].concat();
    dir.write("f", &dash);
    let (status, out, _) = dir.run(&["--fix", "--min-confidence", "50", "f"]);
    assert_eq!((status, row(&out, "f").1), (1, "left: it has too few letters to be certain"));
    assert!(dir.read("f") == dash);
}

/// A line may be longer than a part. No character is cut for that, or its halves would be stray bytes too.
#[test]
fn a_part_of_a_long_line_ends_between_two_words() {
    // The last byte of "créé" is in a place that is a multiple of 32, and so is that to which a file is read at once.
    let text = "une fois créé, tout ira bien. ";
    let before = "-".repeat(64 - text.find(',').unwrap() + 1) + &text.repeat(20_000);
    let dir = Dir::new();
    dir.write("f", &[before.as_bytes(), b"na\xEFve caf\xE9 ", before.as_bytes()].concat());
    let (status, out, _) = dir.run(&["--fix", "f"]);
    let expected = format!("{before}naïve café {before}");
    assert!((status, text.len(), dir.read("f")) == (0, 32, expected.into_bytes()), "{out}");
}

#[test]
fn the_confidence_that_is_wanted_can_be_named() {
    let dir = Dir::new();
    let text = b"S\xEC o no, pi\xF9 caff\xE8\n";
    dir.write("f", text);
    let confidence = |args: &[&str]| {
        let (_, out, _) = dir.run(&[&["--fix", "--dry-run", "--format", "json"], args].concat());
        let row: Value = serde_json::from_str(out.lines().nth(1).unwrap()).unwrap();
        (row["outcome"].as_str().unwrap().to_owned(), row["confidence"].as_f64().unwrap())
    };
    let (_, known) = confidence(&["f"]);
    let percent = (known * 100.0).round() as u32;
    assert!((51..100).contains(&percent), "{percent}");
    let at = |percent: u32| confidence(&["--min-confidence", &percent.to_string(), "f"]).0;
    assert_eq!((at(percent), at(percent + 1)), ("fixed".to_owned(), "left".to_owned()));
    // What is expected makes it certain.
    assert_eq!(confidence(&["--candidates", "windows-1252", "f"]).0, "fixed");
    // A text that is UTF-8 already takes no conversion.
    dir.write("g", "voilÃ\u{A0}, CafÃ©\n".as_bytes());
    let (status, out, _) = dir.run(&["--fix", "--min-confidence", "100", "g"]);
    let command = "(to fix it: oxiconv --fix --min-confidence 99 g)";
    assert!(status == 1 && row(&out, "g").1.ends_with(command), "{out}");
    assert_eq!(dir.run(&["--fix", "--min-confidence", "99", "g"]).0, 0);
    for wrong in ["49", "101", "x"] {
        let (status, _, err) = dir.run(&["--fix", "--min-confidence", wrong, "f"]);
        assert!(status == 2 && err.contains("--min-confidence must be"), "{err}");
    }
}

/// A message catalogue of gettext has the letter frequencies of a text, and zeros that no text has.
#[test]
fn what_looks_binary_is_skipped() {
    let dir = Dir::new();
    let catalogue = [b"\xDE\x12\x04\x95\0\0\0\0\x02\0\0\0", &RUSSIAN_1251.repeat(3)[..]].concat();
    dir.write("d/x.mo", &catalogue);
    dir.write("d/data", &(0..=255).collect::<Vec<u8>>());
    // Too short for the letters to be certain, but text has no zero byte.
    dir.write("d/picture", b"\x89PNG\r\n\x1A\n\0\0\0\r");
    let (status, out, err) = dir.run(&["--fix", "d"]);
    assert_eq!((status, &out[..], &err[..]), (0, "", "oxiconv: 0 fixed, 3 skipped as binary\n"));
    assert_eq!(dir.read("d/x.mo"), catalogue);
    let (status, out, _) = dir.run(&["--fix", "--dry-run", "d/x.mo"]);
    assert_eq!((status, row(&out, "d/x.mo")), (0, ("binary", "skipped")));
}

#[test]
fn the_rules_of_the_repository_say_what_is_right() {
    let dir = Dir::new();
    dir.write(
        ".editorconfig",
        b"root = true\n[*]\nend_of_line = crlf\ncharset = utf-8\ninsert_final_newline = true\n\
          [*.marked]\ncharset = utf-8-bom\n[*.latin1]\ncharset = latin1\n[*.wide]\ncharset = utf-16le\n",
    );
    dir.write(
        "oxiconv.toml",
        b"exclude = [\"vendor/**\"]\n[[rule]]\nfiles = [\"*.strict\"]\ndeny = [\"bidi\"]\n\
          [[rule]]\nfiles = [\"*.any\"]\nencoding = \"auto\"\nnewline = \"any\"\n",
    );
    dir.write("vendor/x", RUSSIAN_1251);
    for (name, bytes, expected, done) in [
        ("ends", &b"a\nb\r\n"[..], &b"a\r\nb\r\n"[..], "changed the line ends to CRLF"),
        ("last", b"a\r\nb", b"a\r\nb\r\n", "added a final line end"),
        ("bom", b"\xEF\xBB\xBFa\r\n", b"a\r\n", "removed the byte order mark"),
        ("x.marked", b"a\r\n", b"\xEF\xBB\xBFa\r\n", "added a byte order mark"),
        ("x.latin1", "é à ç\r\n".as_bytes(), b"\xE9 \xE0 \xE7\r\n", "converted to ISO-8859-1"),
        ("x.wide", b"a\r\n", b"a\0\r\0\n\0", "converted to UTF-16LE"),
    ] {
        dir.write(name, bytes);
        let (status, out, err) = dir.run(&["--fix", name]);
        assert_eq!((status, dir.read(name)), (0, expected.to_vec()), "{name}: {out}{err}");
        assert_eq!(row(&out, name).1, done);
        assert_eq!(dir.run(&["--fix", name]).1, "", "{name}");
    }
    // Where any encoding is right, the row says which one it is.
    dir.write("x.any", RUSSIAN_1251);
    let (status, out, _) = dir.run(&["--fix", "-v", "x.any"]);
    let was = row(&out, "x.any").0;
    assert!(status == 0 && was.starts_with("windows-1251, "), "{out}");
    // These are right as they are.
    dir.write("y.latin1", b"\xE9 \xE0 \xE7\r\n");
    assert_eq!(dir.run(&["--fix", "y.latin1", "vendor/x"]).1, "");
    assert_eq!(dir.read("vendor/x"), RUSSIAN_1251);
    // -t and --no-config override the rules.
    dir.write("z.latin1", FRENCH_1252);
    dir.run(&["--fix", "-t", "utf-8", "--no-config", "z.latin1"]);
    assert_eq!(dir.read("z.latin1"), FRENCH.as_bytes());
    // What a rule denies is not changed, and is left.
    dir.write("x.strict", "a \u{202E}b\n".as_bytes());
    let (status, out, _) = dir.run(&["--fix", "x.strict"]);
    let done = "changed the line ends to CRLF; left: 1 character that a rule denies (1 bidi)";
    assert_eq!((status, row(&out, "x.strict").1), (1, done));
    assert_eq!(dir.read("x.strict"), "a \u{202E}b\r\n".as_bytes());
}

/// The target may lack a character of the text. Then nothing is written.
#[test]
fn a_character_that_the_target_lacks_leaves_the_file() {
    let dir = Dir::new();
    dir.write("f", "naïve 5 €\n".as_bytes());
    let (status, out, _) = dir.run(&["--fix", "-t", "latin1", "f"]);
    let left = row(&out, "f").1;
    assert!(status == 1 && left.starts_with("left: line 1, column 9: U+20AC (€) "), "{left}");
    assert_eq!(dir.read("f"), "naïve 5 €\n".as_bytes());
}

/// The mark of UTF-16LE is no text of UTF-16BE, although it is well-formed in it. `--check` reports it too.
#[test]
fn a_mark_of_the_other_byte_order_is_not_what_the_rule_wants() {
    let dir = Dir::new();
    dir.write(".editorconfig", b"root = true\n[*]\ncharset = utf-16be\n");
    dir.write("f", &utf16("\u{FEFF}Straße\n"));
    assert_eq!(dir.run(&["--check", "f"]).0, 1);
    let (status, out, _) = dir.run(&["--fix", "f"]);
    let wanted: Vec<u8> = "Straße\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!((status, dir.read("f")), (0, wanted), "{out}");
}

/// "schön", damaged, in UTF-16. Damage is looked for in UTF-8 only, so a second run would find it in the result.
#[test]
fn the_result_is_right_or_is_not_written() {
    let dir = Dir::new();
    let wide = utf16(&format!("\u{FEFF}{}\n", damaged("schön")));
    dir.write("wide", &wide);
    for args in [&["--fix", "--dry-run", "wide"][..], &["--fix", "wide"]] {
        let (status, out, _) = dir.run(args);
        let left = "left: the result would not be right either";
        assert_eq!((status, row(&out, "wide").1), (1, left));
    }
    assert_eq!(dir.read("wide"), wide);
    // What ends with CR has a line end, but not the one that the rule wants. `--check` reports it too.
    dir.write("return/.editorconfig", b"root = true\n[*]\ninsert_final_newline = true\n");
    dir.write("return/f", b"a\r");
    assert_eq!(dir.run(&["--check", "return/f"]).0, 1);
    let (status, out, _) = dir.run(&["--fix", "return/f"]);
    let left = "left: the result would not be right either";
    assert_eq!((status, row(&out, "return/f").1), (1, left));
    // ESC $ B begins JIS X 0208. The text was plain ASCII before, and its result is.
    dir.write(".editorconfig", b"root = true\n[escape]\nend_of_line = lf\n");
    dir.write("escape", b"a \x1B$B\r\n");
    let (status, out, _) = dir.run(&["--fix", "escape"]);
    assert_eq!((status, dir.read("escape")), (0, b"a \x1B$B\n".to_vec()), "{out}");
    // A text that is partly in ISO-2022-JP and partly damaged is not right with the damage repaired.
    let both = [JAPANESE_2022, damaged("schön\n").as_bytes()].concat();
    dir.write("both", &both);
    let (status, out, _) = dir.run(&["--fix", "both"]);
    assert_eq!((status, row(&out, "both").1, dir.read("both")), (1, left, both), "{out}");
    // What interrupts the units of UTF-16 is repaired: a line in single bytes that a shell appended.
    dir.write("f", b"\xFF\xFEh\0i\0\n\0hi there\n");
    let (status, out, _) = dir.run(&["--fix", "f"]);
    assert_eq!((status, dir.read("f")), (0, b"hi\nhi there\n".to_vec()), "{out}");
}

#[cfg(unix)]
#[test]
fn a_file_with_two_names_is_fixed_once() {
    let dir = Dir::new();
    dir.write("d/a", &RUSSIAN_1251.repeat(3));
    symlink("a", dir.path("d/link")).unwrap();
    let (status, out, err) = dir.run(&["--fix", "d/link", "d/a", "d", "d/a"]);
    assert_eq!((status, out.lines().count()), (0, 1), "{out}{err}");
    assert_eq!(dir.read("d/a"), RUSSIAN.repeat(3).as_bytes());
    assert!(fs::symlink_metadata(dir.path("d/link")).unwrap().is_symlink());
}

/// Replacing a file by one of its hard links leaves the others as they are, so each is fixed.
#[test]
fn each_hard_link_is_fixed() {
    let dir = Dir::new();
    dir.write("d/a", &RUSSIAN_1251.repeat(3));
    for name in ["d/b", "d/c"] {
        fs::hard_link(dir.path("d/a"), dir.path(name)).unwrap();
    }
    let (status, out, err) = dir.run(&["--fix", "d/b", "d", "d/b"]);
    assert_eq!((status, out.lines().count()), (0, 3), "{out}{err}");
    for name in ["d/a", "d/b", "d/c"] {
        assert_eq!(dir.read(name), RUSSIAN.repeat(3).as_bytes(), "{name}");
    }
    assert_eq!(dir.run(&["--fix", "d"]).2, "oxiconv: 0 fixed, 3 right already\n");
}

#[test]
fn the_change_is_shown_as_a_diff() {
    let dir = Dir::new();
    dir.write("d/a", b"Gr\xFC\xDFe aus K\xF6ln\nund sonst nichts\n");
    dir.write("d/b", b"right\n");
    let (status, out, err) = dir.run(&["--fix", "--diff", "d"]);
    let expected = "--- a/d/a\n+++ b/d/a\n@@ -1,2 +1,2 @@\n-Gr\\xFC\\xDFe aus K\\xF6ln\n\
                    +Grüße aus Köln\n und sonst nichts\n";
    assert_eq!((status, &out[..]), (0, expected), "{err}");
    assert_eq!(dir.read("d/a"), b"Gr\xFC\xDFe aus K\xF6ln\nund sonst nichts\n");
}

#[test]
fn originals_are_kept_below_a_directory() {
    let dir = Dir::new();
    dir.write("d/a", &RUSSIAN_1251.repeat(3));
    dir.write("d/b", b"right\n");
    let args = ["--fix", "--backup-dir", "d/old", "d"];
    assert_eq!(dir.run(&[&args[..], &["--dry-run"]].concat()).0, 0);
    assert!(!dir.path("d/old").exists());
    for _ in 0..2 {
        let (status, out, err) = dir.run(&args);
        assert_eq!(status, 0, "{out}{err}");
    }
    assert_eq!(dir.read("d/old/d/a"), RUSSIAN_1251.repeat(3));
    assert!(!dir.path("d/old/d/b").exists() && !dir.path("d/old/d/old").exists());
}

#[test]
fn json_and_html_have_each_file() {
    let dir = Dir::new();
    dir.write("d/a", &RUSSIAN_1251.repeat(3));
    dir.write("d/b", b"right\n");
    dir.write("d/c", b"\xE9\n");
    let (status, out, _) = dir.run(&["--fix", "--dry-run", "--format", "json", "d"]);
    assert_eq!(status, 1);
    let events: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events[0]["task"], "fix");
    let of = |name: &str| {
        events.iter().find(|it| it["type"] == "fix" && it["path"]["text"] == name).unwrap()
    };
    let first = of("d/a");
    assert_eq!((&first["outcome"], &first["detected"]), (&"fixed".into(), &"windows-1251".into()));
    assert_eq!(first["changes"], serde_json::json!([{"change": "converted", "encoding": "UTF-8"}]));
    assert_eq!((&first["proposed"], &of("d/b")["outcome"]), (&true.into(), &"right".into()));
    assert!(of("d/c")["left"].is_string());
    let summary = events.last().unwrap();
    assert_eq!(
        ["written", "unchanged", "refused"].map(|it| summary[it].as_u64()),
        [Some(1), Some(1), Some(1)]
    );
    let (_, page, _) = dir.run(&["--fix", "--format", "html", "d"]);
    assert!(page.contains("windows-1251, 99 %; converted to UTF-8"), "{page}");
    for format in ["sarif", "gitlab", "junit"] {
        let (status, _, err) = dir.run(&["--fix", "--format", format, "d"]);
        assert!(status == 2 && err.contains("only with text, json, github and html"), "{err}");
    }
}

/// What was done is a notice, what would be done a warning, and what is left an error, which also fails the run.
#[test]
fn github_annotates_each_file_that_changes_or_is_left() {
    let dir = Dir::new();
    dir.write("d/a", &RUSSIAN_1251.repeat(3));
    dir.write("d/b", b"right\n");
    dir.write("d/c", b"\xE9\n");
    let lines = |args: &[&str]| {
        let (status, out, _) = dir.run(&[&["--fix", "--format", "github"], args, &["d"]].concat());
        assert_eq!(status, 1);
        out.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let left = "::error file=d/c,title=oxiconv left::unclear; left: ";
    let proposed = lines(&["--dry-run"]);
    assert_eq!(
        proposed[0],
        "::warning file=d/a,title=oxiconv proposal::windows-1251, 99 %25; would convert it to UTF-8"
    );
    assert!(proposed[1].starts_with(left), "{proposed:?}");
    assert_eq!(
        proposed[2..],
        ["::notice title=oxiconv::1 would be fixed, 1 right already, 1 left"]
    );
    let done = lines(&[]);
    assert_eq!(
        done[0],
        "::notice file=d/a,title=oxiconv fixed::windows-1251, 99 %25; converted to UTF-8"
    );
    assert!(done[1].starts_with(left), "{done:?}");
    assert_eq!(done[2..], ["::notice title=oxiconv::1 fixed, 1 right already, 1 left"]);
    dir.write("d/a", &RUSSIAN_1251.repeat(3));
    let quiet = lines(&["-q"]);
    assert!(quiet.len() == 1 && quiet[0].starts_with(left), "{quiet:?}");
}

#[cfg(unix)]
#[test]
fn wrong_usage_is_refused() {
    let dir = Dir::new();
    dir.write("f", RUSSIAN_1251);
    for (args, words) in [
        (&["--fix"][..], "--fix requires a PATH (--fix . fixes"),
        (&["--fix", "-"], "--fix requires a PATH"),
        (&["--fix", "-f", "latin1", "f"], "--fix cannot be combined with --from"),
        (&["--fix", "-i", "f"], "--fix cannot be combined with --in-place"),
        (&["--fix", "-e", "replace", "f"], "--fix cannot be combined with --errors"),
        (
            &["--fix", "-t", "ascii//TRANSLIT", "f"],
            "//TRANSLIT and //IGNORE cannot be combined with --fix",
        ),
        (&["--fix=some", "f"], "invalid value 'some' for --fix"),
        (&["--min-confidence", "95", "f"], "--min-confidence requires --fix"),
        (&["--fix", "/dev/null"], "/dev/null: not a regular file"),
    ] {
        let (status, _, err) = dir.run(args);
        assert!(status == 2 && err.contains(words), "{args:?}: {err}");
    }
    let (status, _, err) = dir.run(&["--fix", "none", "f"]);
    assert!(status == 2 && err.contains("none: "), "{err}");
    assert_eq!(dir.read("f"), RUSSIAN.as_bytes(), "the other file is fixed");
}

/// A killed run may leave its temporary file. The next run that changes a file in that directory removes it, and never
/// takes it for an input.
#[test]
fn what_a_killed_run_left_is_removed() {
    let dir = Dir::new();
    dir.write("d/f", &RUSSIAN_1251.repeat(3));
    dir.write("d/.oxiconv-0123456789abcdef", RUSSIAN_1251);
    let (status, out, err) = dir.run(&["--fix", "--hidden", "d"]);
    assert_eq!((status, out.lines().count()), (0, 1), "{out}{err}");
    assert_eq!(dir.read("d/f"), RUSSIAN.repeat(3).as_bytes());
}

#[test]
fn each_file_is_asked_about() {
    let asked = |dir: &Dir, answers: &str| type_on_terminal(dir, "--fix=ask d", answers);
    if asked(&Dir::new(), "").is_none() {
        skipped("script is not here");
        return;
    }
    let asked = |dir: &Dir, answers: &str| asked(dir, answers).unwrap();
    for (answers, fixed) in [
        ("y\nn\ny\n", ["a", "c"].as_slice()),
        ("?\nd\nn\na\n", &["b", "c"]),
        ("q\n", &[]),
        ("a\n", &["a", "b", "c"]),
    ] {
        let dir = Dir::new();
        for name in ["a", "b", "c"] {
            dir.write(&format!("d/{name}"), &RUSSIAN_1251.repeat(3));
        }
        let shown = asked(&dir, answers);
        for name in ["a", "b", "c"] {
            let text = dir.read(&format!("d/{name}"));
            assert_eq!(
                fixed.contains(&name),
                text == RUSSIAN.repeat(3).as_bytes(),
                "{name} {shown}"
            );
        }
        assert!(shown.contains("would convert it to UTF-8"), "{shown}");
        assert!(shown.contains("Do it? [y/n/a/q/d/e/?]"), "{shown}");
    }
    let dir = Dir::new();
    dir.write("d/f", &RUSSIAN_1251.repeat(3));
    let shown = asked(&dir, "d\nn\n");
    assert!(shown.contains("+Не удалось открыть файл"), "{shown}");
    // A file of unclear encoding is read in the one that is named.
    let dir = Dir::new();
    dir.write("d/f", b"\xE9\n");
    let shown = asked(&dir, "e\nnone\ne\niso-8859-7\ny\n");
    assert_eq!(String::from_utf8(dir.read("d/f")).unwrap(), "ι\n", "{shown}");
    assert!(shown.contains("unknown encoding") && shown.contains("none"), "{shown}");
    // The last row names the encoding that was chosen, not the one that was found.
    let last = shown.lines().rfind(|line| line.contains("d/f")).unwrap_or_default();
    assert!(last.contains("ISO-8859-7") && !last.contains("unclear"), "{shown}");
    // What was agreed to is done although the terminal is closed before the next question.
    let dir = Dir::new();
    for name in ["a", "b", "c"] {
        dir.write(&format!("d/{name}"), &RUSSIAN_1251.repeat(3));
    }
    let shown = asked(&dir, "y\n\u{4}");
    assert_eq!(dir.read("d/a"), RUSSIAN.repeat(3).as_bytes(), "{shown}");
    assert_eq!(dir.read("d/c"), RUSSIAN_1251.repeat(3), "{shown}");
    assert_eq!(shown.matches("Do it?").count(), 2, "{shown}");
    // The same for an interrupt at the next question.
    let dir = Dir::new();
    for name in ["a", "b", "c"] {
        dir.write(&format!("d/{name}"), &RUSSIAN_1251.repeat(3));
    }
    let answers = [("Do it? [y/n/a/q/d/e/?] ", "y\n"), ("Do it? [y/n/a/q/d/e/?] ", "\u{3}")];
    let (status, shown) = answer_on_terminal(&dir, "--fix=ask d", &answers).unwrap();
    assert_eq!(status, Some(130), "{shown}");
    assert!(shown.contains("oxiconv: interrupted: 1 fixed, the others unchanged"), "{shown}");
    assert_eq!(dir.read("d/a"), RUSSIAN.repeat(3).as_bytes(), "{shown}");
    for name in ["b", "c"] {
        assert_eq!(dir.read(&format!("d/{name}")), RUSSIAN_1251.repeat(3), "{shown}");
    }
    // Without a terminal, nothing is asked, and nothing is done.
    let output = oxiconv().args(["--fix=ask", "d"]).current_dir(dir.0.path()).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.code() != Some(2) || err.contains("--fix=ask requires a terminal"),
        "{err}"
    );
}
