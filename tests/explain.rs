//! `--explain`: the page of cases shows what the program prints; each case is named rightly; and the command that it is
//! told repairs it. Inputs and what they are meant to be are written out by hand.

mod common;

use std::fs;
use std::path::Path;

use common::{examples, oxiconv, shell};
use tempfile::TempDir;

/// A file: its name, its bytes, the options that it is explained with, what is said to be probable, and what the
/// command makes of it.
struct Case {
    file: &'static str,
    bytes: Vec<u8>,
    options: &'static [&'static str],
    probably: &'static [&'static str],
    repaired: Option<Vec<u8>>,
}

fn case(
    file: &'static str,
    bytes: impl Into<Vec<u8>>,
    options: &'static [&'static str],
    probably: &'static [&'static str],
    repaired: impl Into<Vec<u8>>,
) -> Case {
    Case { file, bytes: bytes.into(), options, probably, repaired: Some(repaired.into()) }
}

/// The cases of docs/explain.md, in its order.
fn cases() -> Vec<Case> {
    let log = "2026-01-01 08:00:00 started – ok\n".repeat(3);
    // The dash of the last line has its first two bytes.
    let cut = log.rfind('–').unwrap();
    let buffer = format!("{}é\nmore\n", "0123456789abcde\n".repeat(31) + "0123456789abcd");
    let mut buffer_cut = buffer.replace('é', "€").into_bytes();
    buffer_cut.truncate(512);
    buffer_cut.extend_from_slice(b"\nmore\n");
    vec![
        case(
            "notes.txt",
            b"Menu\ncaf\xE9 au lait, cr\xE8me br\xFBl\xE9e\n",
            &[],
            &[
                "U+00E9 (é) LATIN SMALL LETTER E WITH ACUTE in windows-1252 or ISO-8859-1: ",
                "U+00E8 (è) LATIN SMALL LETTER E WITH GRAVE in windows-1252 or ISO-8859-1: ",
                "U+00FB (û) LATIN SMALL LETTER U WITH CIRCUMFLEX in windows-1252 or ISO-8859-1: ",
                "windows-1252 or ISO-8859-1, which agree on its bytes: ",
            ],
            "Menu\ncafé au lait, crème brûlée\n",
        ),
        case(
            "mixed.txt",
            b"Gr\xC3\xBC\xC3\x9Fe\nShe said \x93hello\x94.\n",
            &[],
            &[
                "U+201C (“) LEFT DOUBLE QUOTATION MARK in windows-1252: ",
                "U+201D (”) RIGHT DOUBLE QUOTATION MARK in windows-1252: ",
            ],
            "Grüße\nShe said “hello”.\n",
        ),
        case(
            "dump.sql",
            b"INSERT INTO t VALUES ('caf\xC3\xA9 \xED\xA0\xBD\xED\xB8\x80');\n",
            &[],
            &["U+1F600 (😀) GRINNING FACE in CESU-8: "],
            "INSERT INTO t VALUES ('café 😀');\n",
        ),
        case(
            "modified.txt",
            b"a\xC0\x80b \xED\xA0\xBD\xED\xB8\x80\n",
            &[],
            &["U+0000 in MUTF-8, Java's modified UTF-8: ", "U+1F600 (😀) GRINNING FACE in CESU-8: "],
            "a\0b 😀\n",
        ),
        case(
            "name.ser",
            b"\xAC\xED\x00\x05t\x00\x0EGr\xC3\xBC\xC3\x9Fe \xED\xA0\xBD\xED\xB8\x80",
            &[],
            &["a string that Java wrote, in MUTF-8 behind its length: "],
            "Grüße 😀",
        ),
        case(
            "list.txt",
            b"\xFF\xFEN\0a\0m\0e\0\r\0\n\0G\0r\0\xF6\0\xDF\0e\0\r\0\n\0",
            &[],
            &["UTF-16, little-endian: "],
            "Name\r\nGröße\r\n",
        ),
        case(
            "cut.log",
            &log.as_bytes()[..cut + 2],
            &[],
            &["the first 2 bytes of a character of 3 bytes: the text ends there"],
            &log.as_bytes()[..cut],
        ),
        case(
            "buffer.txt",
            buffer_cut,
            &[],
            &[
                "the first 2 bytes of a character of 3 bytes: it ends at byte 512, where a buffer of \
                 512 bytes ends",
            ],
            buffer.replace('é', ""),
        ),
        case(
            "twice.csv",
            "name;city\r\nJÃ¼rgen;KÃ¶ln\r\nRenÃ©;BesanÃ§on\r\n",
            &[],
            &["UTF-8 that was encoded twice: well-formed, yet not what was meant: "],
            "name;city\r\nJürgen;Köln\r\nRené;Besançon\r\n",
        ),
        case(
            "sjis.txt",
            // The Japanese sentence of `repaired` in the two-byte codes of JIS X 0208, shifted.
            b"\x82\xB1\x82\xEA\x82\xCD\x93\xFA\x96\x7B\x8C\xEA\x82\xCC\x83\x65\x83\x4C\x83\x58\x83\x67\
              \x82\xC5\x82\xB7\x81\x42\n",
            &[],
            &["Shift_JIS (as Windows has it, CP932): "],
            "これは日本語のテキストです。\n",
        ),
        case(
            "swapped.txt",
            b"h\0e\0l\0l\0o\0,\0 \0w\0\xF6\0r\0l\0d\0\n\0",
            &["-f", "utf-16be"],
            &["UTF-16 in the other byte order, little-endian: "],
            "hello, wörld\n",
        ),
        case(
            "path.txt",
            b"GET /..\xC0\xAF..\xC0\xAFetc/passwd\n",
            &[],
            &["U+002F (/) SOLIDUS in an overlong form: 2 bytes where 1 would do"],
            "GET /..\u{FFFD}\u{FFFD}..\u{FFFD}\u{FFFD}etc/passwd\n",
        ),
        case(
            "names.txt",
            b"C:\\photos\\\xED\xA0\xBD.png\n",
            &[],
            &["the unpaired surrogate U+D83D, as WTF-8 has it: "],
            "C:\\photos\\\u{FFFD}.png\n",
        ),
        case(
            "rfc2279.txt",
            b"five \xF8\x88\x80\x80\x80 six \xFD\xBF\xBF\xBF\xBF\xBF\n",
            &[],
            &[
                "the value 200000 in the 5-byte form of RFC 2279: ",
                "the value 7FFFFFFF in the 6-byte form of RFC 2279: ",
            ],
            "five \\u{200000} six \\u{7FFFFFFF}\n",
        ),
        case(
            "price.txt",
            "café 5 €\n",
            &["-t", "iso-8859-1"],
            &[],
            b"caf\xE9 5 EUR\n",
        ),
        Case {
            file: "check.c",
            bytes: "if (admin) { /* \u{202E} */ }\n".into(),
            options: &["--deny", "bidi"],
            probably: &[],
            repaired: None,
        },
        case(
            "few.txt",
            b"a\0\xE9\0\x3D\xD8\x00\xDE\x00\xDC\n\0",
            &["-f", "utf-16le"],
            &["an unpaired surrogate, as WTF-16 has it: "],
            "aé😀\u{FFFD}\n",
        ),
    ]
}

/// The files of cases in a directory of their own.
fn written(cases: &[Case]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for case in cases {
        fs::write(dir.path().join(case.file), &case.bytes).unwrap();
    }
    dir
}

fn explain(dir: &Path, options: &[&str], file: &str) -> (i32, String) {
    let output =
        oxiconv().current_dir(dir).arg("--explain").args(options).arg(file).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

/// The words of all rows with this name, each with its lines joined.
fn rows(text: &str, name: &str) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        let lead = format!("  {name:10}");
        if let Some(words) = line.strip_prefix(&lead) {
            rows.push(words.to_owned());
            inside = true;
        } else if let Some(words) = line.strip_prefix("            ").filter(|_| inside) {
            let row = rows.last_mut().unwrap();
            match row.strip_suffix('\\') {
                Some(head) => *row = format!("{head}{words}"),
                None => *row = format!("{row} {words}"),
            }
        } else {
            inside = false;
        }
    }
    rows
}

/// The commands that are told, without what is said of what they lose.
fn commands(text: &str) -> Vec<String> {
    let without_loss = |row: String| row.split(" (").next().unwrap().to_owned();
    rows(text, "repair").into_iter().map(without_loss).collect()
}

#[test]
fn the_page_shows_what_the_program_prints() {
    let cases = cases();
    let dir = written(&cases);
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/explain.md");
    let page = fs::read_to_string(page).unwrap();
    let examples = examples(&page);
    assert!(examples.len() >= 12);
    // Each case is on the page, in this order.
    let files: Vec<_> =
        examples.iter().map(|(command, _)| command.split(' ').next_back()).collect();
    assert_eq!(files, cases.iter().map(|case| Some(case.file)).collect::<Vec<_>>());
    let (mut now, mut same) = (String::new(), true);
    let mut rest = &page[..];
    for (command, shown) in examples {
        let got = String::from_utf8(shell(command, dir.path())).unwrap();
        let got = got.trim_end();
        same &= got == shown;
        let line = format!("    $ {command}\n");
        let (before, behind) = rest.split_once(&line).unwrap();
        now += before;
        now += &line;
        for line in got.lines() {
            now += format!("    {line}").trim_end();
            now.push('\n');
        }
        // On to the heading behind the picture.
        rest = behind.find("\n## ").map_or("", |end| &behind[end..]);
    }
    // For who changes the pictures: the page as it would be, to be looked at.
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("explain.md");
    fs::write(&made, now).unwrap();
    assert!(same, "docs/explain.md shows something else than {}", made.display());
}

#[test]
fn each_case_is_named_and_its_command_repairs_it() {
    check_all(&cases());
}

fn check_all(cases: &[Case]) {
    let dir = written(cases);
    for case in cases {
        let (status, text) = explain(dir.path(), case.options, case.file);
        let probably = rows(&text, "probably");
        let named = probably.len() == case.probably.len()
            && probably.iter().zip(case.probably).all(|(row, start)| row.starts_with(start));
        assert!(named, "{}: {probably:#?}", case.file);
        let notes = text.contains(": note\n");
        assert_eq!(status, i32::from(!notes), "{}", case.file);
        let commands = commands(&text);
        assert_eq!(commands.is_empty(), case.repaired.is_none(), "{}: {text}", case.file);
        for command in commands {
            let got = shell(&format!("{command} 2>/dev/null"), dir.path());
            let repaired = case.repaired.as_ref().unwrap();
            assert_eq!(&got, repaired, "{}: {command}", case.file);
        }
    }
}

/// More of the kinds: other single-byte encodings, those of East Asia, wide units, and mixtures.
#[test]
fn other_cases_are_named_and_repaired_too() {
    let chinese = "这是一个中文文本文件。今天天气很好，我们去公园散步。\n";
    let taiwanese = "這是一個中文文字檔案。今天天氣很好，我們去公園散步。\n";
    let korean = "이것은 한국어로 된 텍스트 파일입니다. 오늘은 날씨가 매우 좋습니다.\n";
    let polish = "Zażółć gęślą jaźń.\n";
    check_all(&[
        case(
            "gb.txt",
            b"\xD5\xE2\xCA\xC7\xD2\xBB\xB8\xF6\xD6\xD0\xCE\xC4\xCE\xC4\xB1\xBE\xCE\xC4\xBC\xFE\xA1\xA3\
              \xBD\xF1\xCC\xEC\xCC\xEC\xC6\xF8\xBA\xDC\xBA\xC3\xA3\xAC\xCE\xD2\xC3\xC7\xC8\xA5\xB9\xAB\
              \xD4\xB0\xC9\xA2\xB2\xBD\xA1\xA3\n",
            &[],
            &["GB18030: by the frequency of its bytes"],
            chinese,
        ),
        case(
            "big5.txt",
            b"\xB3o\xACO\xA4@\xAD\xD3\xA4\xA4\xA4\xE5\xA4\xE5\xA6r\xC0\xC9\xAE\xD7\xA1C\xA4\xB5\xA4\xD1\
              \xA4\xD1\xAE\xF0\xAB\xDC\xA6n\xA1A\xA7\xDA\xAD\xCC\xA5h\xA4\xBD\xB6\xE9\xB4\xB2\xA8B\xA1C\n",
            &[],
            &["Big5: by the frequency of its bytes"],
            taiwanese,
        ),
        case(
            "kr.txt",
            b"\xC0\xCC\xB0\xCD\xC0\xBA \xC7\xD1\xB1\xB9\xBE\xEE\xB7\xCE \xB5\xC8 \
              \xC5\xD8\xBD\xBA\xC6\xAE \xC6\xC4\xC0\xCF\xC0\xD4\xB4\xCF\xB4\xD9. \
              \xBF\xC0\xB4\xC3\xC0\xBA \xB3\xAF\xBE\xBE\xB0\xA1 \xB8\xC5\xBF\xEC \
              \xC1\xC1\xBD\xC0\xB4\xCF\xB4\xD9.\n",
            &[],
            &["EUC-KR (as Windows has it, CP949): by the frequency of its bytes"],
            korean,
        ),
        case(
            "eucjp.txt",
            b"\xA4\xB3\xA4\xEC\xA4\xCF\xC6\xFC\xCB\xDC\xB8\xEC\xA4\xCE\xA5\xC6\xA5\xAD\xA5\xB9\xA5\xC8\
              \xA4\xC7\xA4\xB9\xA1\xA3\n",
            &[],
            &["EUC-JP: by the frequency of its bytes"],
            "これは日本語のテキストです。\n",
        ),
        case(
            "polish.txt",
            b"Za\xBF\xF3\xB3\xE6 g\xEA\x9Cl\xB9 ja\x9F\xF1.\n",
            &[],
            &[
                "\"żółć\" in windows-1250: nothing in the text is UTF-8",
                "\"ęś\" in windows-1250: ",
                "U+0105 (ą) LATIN SMALL LETTER A WITH OGONEK in windows-1250: ",
                "\"źń\" in windows-1250: ",
                "windows-1250: by the frequency of its bytes, 19 in all, none of them UTF-8",
            ],
            polish,
        ),
        // Cyrillic amid UTF-8.
        case(
            "cyrillic.txt",
            ["Первая строка в UTF-8, вторая нет.\n".as_bytes(), b"\xEF\xF0\xE8\xE2\xE5\xF2\n"].concat(),
            &[],
            &["\"привет\" in windows-1251: by such bytes in the whole text"],
            "Первая строка в UTF-8, вторая нет.\nпривет\n",
        ),
        case("be.txt", b"\xFE\xFF\0h\0\xE9", &[], &["UTF-16, big-endian: "], "hé"),
        case(
            "utf32.txt",
            b"\xFF\xFE\0\0h\0\0\0\xE9\0\0\0",
            &[],
            &["UTF-32, little-endian: the text begins with its byte order mark, FF FE 00 00"],
            "hé",
        ),
        // Well-formed UTF-8 as it is, and yet: a note.
        case("zeros.txt", b"h\0e\0l\0l\0o\0\n\0", &[], &["UTF-16, little-endian: its zero"], "hello\n"),
        case("wide.txt", b"\0\0\0h\0\0\0i\0\0\0\xE9", &[], &["UTF-32, big-endian: its zero"], "hié"),
        case("be-as-le.txt", b"\xFE\xFF\0h\0i", &["-f", "utf-16le"], &["UTF-16 in the other byte order, big-endian: the text begins"], "hi"),
        // UTF-8 taken for something else.
        case("ascii.txt", "naïve\n", &["-f", "ascii"], &["UTF-8: the whole text is well-formed UTF-8, with 1 character"], "naïve\n"),
        case("latin.txt", "naïve\n", &["-f", "latin1"], &["UTF-8: the whole text is"], "naïve\n"),
        case("utf16.txt", "hello, wörld\n", &["-f", "utf-16le"], &["UTF-8: the whole text is"], "hello, wörld\n"),
        case("cesu.txt", "😀\n", &["-f", "cesu-8"], &["UTF-8: the whole text is"], "😀\n"),
        // Mixtures that one command repairs.
        case(
            "pairs-and-bytes.txt",
            b"caf\xE9 \xED\xA0\xBD\xED\xB8\x80\n",
            &[],
            &["U+00E9 (é) LATIN SMALL LETTER E WITH ACUTE in ", "U+1F600 (😀) GRINNING FACE in CESU-8: "],
            "café 😀\n",
        ),
        case(
            "pairs-and-four.txt",
            b"\xF0\x9F\x98\x80 \xED\xA0\xBD\xED\xB8\x80\n",
            &[],
            &["U+1F600 (😀) GRINNING FACE in CESU-8: "],
            "😀 😀\n",
        ),
        case(
            "pairs-and-unpaired.txt",
            b"\xED\xA0\xBD\xED\xB8\x80 \xED\xA0\xBDx\n",
            &[],
            &["U+1F600 (😀) GRINNING FACE in CESU-8: ", "the unpaired surrogate U+D83D, as WTF-8 has it: "],
            "😀 \u{FFFD}x\n",
        ),
        // Quotation marks of French, of which one stands at the very start.
        case(
            "french.txt",
            b"\xABUn caf\xE9\xBB, dit-elle \xE0 la porte.\n",
            &[],
            &[
                "U+00AB («) LEFT-POINTING DOUBLE ANGLE QUOTATION MARK in ",
                "\"é»\" in windows-1252 or ISO-8859-1: ",
                "U+00E0 (à) LATIN SMALL LETTER A WITH GRAVE in ",
                "windows-1252 or ISO-8859-1, which agree on its bytes: ",
            ],
            "«Un café», dit-elle à la porte.\n",
        ),
        case("accent.txt", b"caf\xE9", &[], &["U+00E9 (é) LATIN SMALL LETTER E WITH ACUTE in "], "café"),
        case(
            "rest.txt",
            b"\x82\xAC, caf\xC3\xA9\n",
            &[],
            &["the end of a character whose start is missing: the text begins with it"],
            ", café\n",
        ),
        case(
            "field.txt",
            b"caf\xC3\xA9;5 \xE2\x82;x\n",
            &[],
            &["the first 2 bytes of a character of 3 bytes: the rest is missing"],
            "café;5 ;x\n",
        ),
        case(
            "euro.csv",
            "a;5 â‚¬\nb;JÃ¼rgen\n",
            &[],
            &["UTF-8 that was encoded twice: "],
            "a;5 €\nb;Jürgen\n",
        ),
        case(
            "head.bin",
            b"\0\x05a\xC0\x80bc",
            &[],
            &["a string that Java wrote, in MUTF-8 behind its length: "],
            "a\0bc",
        ),
        case("units.txt", b"h\0i\0x", &["-f", "utf-16le"], &["a character of which the end is missing: "], "hi\u{FFFD}"),
        // What nothing repairs, nothing is promised for.
        Case {
            file: "several.txt",
            bytes: b"caf\xC3\xA9, caf\xE9 \xC0\xAF\n".to_vec(),
            options: &[],
            probably: &["U+00E9 (é)", "U+002F (/) SOLIDUS in an overlong form: "],
            repaired: None,
        },
        Case {
            file: "cut-and-byte.txt",
            bytes: b"caf\xC3\xA9, caf\xE9 \xE2\x82".to_vec(),
            options: &[],
            probably: &["U+00E9 (é)", "the first 2 bytes of a character of 3 bytes: the text ends there"],
            repaired: None,
        },
        Case {
            file: "half-twice.txt",
            bytes: "é und Ã©\n".into(),
            options: &[],
            probably: &["UTF-8 that was encoded twice: "],
            repaired: None,
        },
        Case {
            file: "gap.txt",
            bytes: b"gr\xC3\xBCn \x81 \xE9\n".to_vec(),
            options: &[],
            probably: &[],
            repaired: None,
        },
    ]);
}

/// The command is one for a shell, whatever the file is called, and reads standard input where that was read.
#[test]
fn the_command_names_the_file_as_a_shell_wants_it() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["it's $(x) `y`.txt", "-dash", "two\nlines", "\u{202E}txt.exe", "tab\t&|;"] {
        fs::write(dir.path().join(name), b"caf\xE9 au lait\n").unwrap();
        let output =
            oxiconv().current_dir(dir.path()).args(["--explain", "--", name]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let commands = commands(&text);
        assert_eq!(commands.len(), 1, "{text}");
        assert_eq!(shell(&commands[0], dir.path()), "café au lait\n".as_bytes(), "{}", commands[0]);
    }
    let output =
        oxiconv().arg("--explain").write_stdin(&b"caf\xE9 au lait\n"[..]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(commands(&text), ["oxiconv -f windows-1252"]);
}
