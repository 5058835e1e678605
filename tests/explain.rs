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
