//! `--explain`: the picture of each case is the one on record, its diagnosis is correct, and the suggested command
//! repairs the text. Inputs and diagnoses are written by hand. The pictures are in tests/cases/pictures.md.

use std::fs;
use std::path::Path;

use crate::cases::{Case, case, cases, written};
#[cfg(unix)]
use crate::common::shell;
use crate::common::{examples, oxiconv};
use crate::sample;
use crate::support::{Cut, Random};
use oxiconv::report::{FormatOptions, PICTURES, Subject, TextReporter};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::diagnostic::{
    Character, DeniedKind, Detail, Finding, Reporter, Row, Summary,
};
use oxiconv_transcode::io::Source;
use oxiconv_transcode::{Error, OnIllFormed, OnUnmappable, Options, Transcoder};
use unicode_width::UnicodeWidthStr;

fn explain(dir: &Path, options: &[&str], file: &str) -> (i32, String) {
    let output =
        oxiconv().current_dir(dir).arg("--explain").args(options).arg(file).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

/// Returns the contents of all rows with this label. The lines of a wrapped row are joined.
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

/// Returns the suggested commands, without the notes on what they lose: those that repair, and those that write
/// something similar.
fn commands(text: &str) -> Vec<String> {
    let without_loss = |row: String| row.split(" (").next().unwrap().to_owned();
    ["repair", "try"].iter().flat_map(|label| rows(text, label)).map(without_loss).collect()
}

/// Returns a page in which the output of each command is replaced by what the command prints now.
#[cfg(unix)]
fn redrawn(page: &str, dir: &Path) -> String {
    let (mut now, mut rest) = (String::new(), page);
    for (command, shown) in examples(page) {
        let line = format!("    $ {command}\n");
        let (before, after) = rest.split_once(&line).unwrap();
        now += before;
        now += &line;
        let printed = String::from_utf8(shell(command, dir)).unwrap();
        for line in printed.trim_end().lines() {
            if !line.is_empty() {
                now += "    ";
                now += line;
            }
            now.push('\n');
        }
        // Continue after the old output.
        let lines = shown.lines().count();
        rest = after.splitn(lines + 1, '\n').nth(lines).unwrap_or_default();
    }
    now + rest
}

/// Returns the files that the commands on a page explain.
fn explained(page: &str) -> Vec<&str> {
    examples(page).iter().map(|(command, _)| command.rsplit(' ').next().unwrap()).collect()
}

#[cfg(unix)]
#[test]
fn the_pictures_show_what_the_program_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The redrawn pages are kept here, so that an intended change can be reviewed and copied.
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    let cases = cases();
    let dir = written(&cases);
    let mut different = Vec::new();
    for name in ["tests/cases/pictures.md", "docs/explain.md"] {
        let page = fs::read_to_string(root.join(name)).unwrap();
        let now = redrawn(&page, dir.path());
        if now != page {
            different.push(name);
        }
        let copy = made.join(name);
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::write(copy, now).unwrap();
    }
    assert!(
        different.is_empty(),
        "the pictures in {different:?} are out of date; to update them: cp -r {}/. .",
        made.display()
    );
}

/// The pictures are in the order of the cases. The page for users shows some of them.
#[test]
fn every_case_has_a_picture() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files: Vec<_> = cases().iter().map(|case| case.file).collect();
    let pictures = fs::read_to_string(root.join("tests/cases/pictures.md")).unwrap();
    assert_eq!(explained(&pictures), files);
    let page = fs::read_to_string(root.join("docs/explain.md")).unwrap();
    let shown = explained(&page);
    assert!(shown.len() >= 4, "the page has lost its examples");
    assert!(shown.iter().all(|file| files.contains(file)), "{shown:?}");
}

/// Every command in the user page's table of causes is one that the program suggests for some case.
#[test]
fn the_table_of_causes_names_commands_that_are_suggested() {
    let cases = cases();
    let dir = written(&cases);
    let suggested: Vec<_> = cases
        .iter()
        .flat_map(|case| {
            let commands = commands(&explain(dir.path(), case.options, case.file).1);
            commands.into_iter().map(move |command| command.replace(case.file, "FILE"))
        })
        .collect();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/explain.md");
    let page = fs::read_to_string(page).unwrap().replace("\\|", "|");
    let table = page.split("\n## Common causes\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let told: Vec<_> = table.split('`').filter(|span| span.contains("oxiconv ")).collect();
    assert!(told.len() >= 12, "{told:?}");
    for command in told {
        assert!(suggested.iter().any(|repair| repair == command), "{command}: {suggested:#?}");
    }
}

#[test]
fn each_case_is_named_and_its_command_repairs_it() {
    check_all(&cases());
}

/// Runs the command suggested for a file and returns the repaired text. A command with `-i.bak` replaces the file and
/// leaves a backup, from which the file is restored here. A pipeline writes to standard output and leaves the file
/// alone.
#[cfg(unix)]
fn repaired_by(command: &str, file: &Path) -> Vec<u8> {
    let before = fs::read(file).unwrap();
    let out = shell(&format!("{command} 2>/dev/null"), file.parent().unwrap());
    if !command.contains(" -i.bak ") {
        return out;
    }
    assert!(out.is_empty(), "{command}");
    let mut copy = file.as_os_str().to_owned();
    copy.push(".bak");
    if !Path::new(&copy).exists() {
        // There is no backup if no byte changes: the file was right and was only read in the wrong encoding.
        assert_eq!(fs::read(file).unwrap(), before, "{command}");
        return before;
    }
    assert_eq!(fs::read(&copy).unwrap(), before, "{command}");
    let repaired = fs::read(file).unwrap();
    fs::rename(copy, file).unwrap();
    repaired
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
        #[cfg(unix)]
        for command in commands {
            let got = repaired_by(&command, &dir.path().join(case.file));
            let repaired = case.repaired.as_ref().unwrap();
            assert_eq!(&got, repaired, "{}: {command}", case.file);
        }
    }
}

/// More causes: other single-byte encodings, East Asian encodings, UTF-16 and UTF-32, and mixtures.
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
            &["GB18030: judged by byte frequencies over "],
            chinese,
        ),
        case(
            "big5.txt",
            b"\xB3o\xACO\xA4@\xAD\xD3\xA4\xA4\xA4\xE5\xA4\xE5\xA6r\xC0\xC9\xAE\xD7\xA1C\xA4\xB5\xA4\xD1\
              \xA4\xD1\xAE\xF0\xAB\xDC\xA6n\xA1A\xA7\xDA\xAD\xCC\xA5h\xA4\xBD\xB6\xE9\xB4\xB2\xA8B\xA1C\n",
            &[],
            &["BIG5-HKSCS: judged by byte frequencies over "],
            taiwanese,
        ),
        case(
            "kr.txt",
            b"\xC0\xCC\xB0\xCD\xC0\xBA \xC7\xD1\xB1\xB9\xBE\xEE\xB7\xCE \xB5\xC8 \
              \xC5\xD8\xBD\xBA\xC6\xAE \xC6\xC4\xC0\xCF\xC0\xD4\xB4\xCF\xB4\xD9. \
              \xBF\xC0\xB4\xC3\xC0\xBA \xB3\xAF\xBE\xBE\xB0\xA1 \xB8\xC5\xBF\xEC \
              \xC1\xC1\xBD\xC0\xB4\xCF\xB4\xD9.\n",
            &[],
            &["EUC-KR (the Windows variant, CP949): judged by byte frequencies over "],
            korean,
        ),
        case(
            "eucjp.txt",
            b"\xA4\xB3\xA4\xEC\xA4\xCF\xC6\xFC\xCB\xDC\xB8\xEC\xA4\xCE\xA5\xC6\xA5\xAD\xA5\xB9\xA5\xC8\
              \xA4\xC7\xA4\xB9\xA1\xA3\n",
            &[],
            &["EUC-JP: judged by byte frequencies over "],
            "これは日本語のテキストです。\n",
        ),
        case(
            "polish.txt",
            b"Za\xBF\xF3\xB3\xE6 g\xEA\x9Cl\xB9 ja\x9F\xF1.\n",
            &[],
            &[
                "\"żółć\" in windows-1250: the text has no multi-byte UTF-8",
                "\"ęś\" in windows-1250: ",
                "U+0105 (ą) LATIN SMALL LETTER A WITH OGONEK in windows-1250: ",
                "\"źń\" in windows-1250: ",
                "windows-1250: judged by byte frequencies over 19 bytes, with no multi-byte UTF-8",
            ],
            polish,
        ),
        // A line in windows-1251 after Cyrillic in UTF-8.
        case(
            "cyrillic.txt",
            ["Первая строка в UTF-8, вторая нет.\n".as_bytes(), b"\xEF\xF0\xE8\xE2\xE5\xF2\n"].concat(),
            &[],
            &["\"привет\" in windows-1251: the rest is valid UTF-8, and all stray bytes fit it"],
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
        // As UTF-8, this is well-formed, since NUL is a character. The picture is therefore a note.
        case("zeros.txt", b"h\0e\0l\0l\0o\0\n\0", &[], &["UTF-16, little-endian: its zero"], "hello\n"),
        case("wide.txt", b"\0\0\0h\0\0\0i\0\0\0\xE9", &[], &["UTF-32, big-endian: its zero"], "hié"),
        // This one is a finding, because its byte order mark contradicts -f.
        case("be-as-le.txt", b"\xFE\xFF\0h\0i", &["-f", "utf-16le"], &["UTF-16 in the other byte order, big-endian: the text begins"], "hi"),
        // UTF-8 read in another encoding.
        case("ascii.txt", "naïve\n", &["-f", "ascii"], &["UTF-8: the whole text is well-formed UTF-8 with 1 multi-byte character"], "naïve\n"),
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
            &["U+1F600 (😀) GRINNING FACE in CESU-8: ", "the unpaired surrogate U+D83D in WTF-8: "],
            "😀 \u{FFFD}x\n",
        ),
        // French quotation marks, one of them at the very start.
        case(
            "french.txt",
            b"\xABUn caf\xE9\xBB, dit-elle \xE0 la porte.\n",
            &[],
            &[
                "U+00AB («) LEFT-POINTING DOUBLE ANGLE QUOTATION MARK in ",
                "\"é»\" in windows-1252 or ISO-8859-1: ",
                "U+00E0 (à) LATIN SMALL LETTER A WITH GRAVE in ",
                "windows-1252 or ISO-8859-1, which agree on these bytes: ",
            ],
            "«Un café», dit-elle à la porte.\n",
        ),
        case("accent.txt", b"caf\xE9", &[], &["U+00E9 (é) LATIN SMALL LETTER E WITH ACUTE in "], "café"),
        case(
            "rest.txt",
            b"\x82\xAC, caf\xC3\xA9, 5 \xE2\x82\xAC\n",
            &[],
            &["the end of a character whose start is missing: the text begins with it"],
            ", café, 5 €\n",
        ),
        case(
            "field.txt",
            b"caf\xC3\xA9;5 \xE2\x82;x\n",
            &[],
            &["the first 2 bytes of a 3-byte character: the rest is missing"],
            "café;5 ;x\n",
        ),
        case(
            "euro.csv",
            "a;5 â‚¬\nb;JÃ¼rgen\n",
            &[],
            &["damaged text: UTF-8 that was read as windows-1252: "],
            "a;5 €\nb;Jürgen\n",
        ),
        case(
            "head.bin",
            b"\0\x05a\xC0\x80bc",
            &[],
            &["a string written by Java: its length, then MUTF-8: "],
            "a\0bc",
        ),
        case("units.txt", b"h\0i\0x", &["-f", "utf-16le"], &["a character whose end is missing: "], "hi\u{FFFD}"),
        // Truncated characters alone are no evidence of another encoding, however many there are.
        case(
            "fields.txt",
            b"one \xE2\x82;two \xE2\x82;three \xE2\x80;four \xE2\x82;\n",
            &[],
            &[
                "the first 2 bytes of a 3-byte character: ",
                "the first 2 bytes of a 3-byte character: ",
            ],
            "one ;two ;three ;four ;\n",
        ),
        // The surrogate pair contains 81, which windows-1252 does not define. That must not affect the stray byte.
        case(
            "pair-and-byte.txt",
            b"caf\xE9, na\xC3\xAFve \xED\xA0\xBD\xED\xB8\x81\n",
            &[],
            &["U+00E9 (é) ", "U+1F601 (😁) GRINNING FACE WITH SMILING EYES in CESU-8: "],
            "café, naïve 😁\n",
        ),
        // If nothing repairs a text, no command is suggested.
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
            probably: &["U+00E9 (é)", "the first 2 bytes of a 3-byte character: the text ends there"],
            repaired: Some("café, café ".as_bytes().to_vec()),
        },
        case(
            "half-twice.txt",
            "grün und grÃ¼n\n",
            &[],
            &["damaged text: UTF-8 that was read as windows-1252: "],
            "grün und grün\n",
        ),
        Case {
            file: "gap.txt",
            bytes: b"gr\xC3\xBCn \x81 \xE9\n".to_vec(),
            options: &[],
            probably: &[],
            repaired: None,
        },
    ]);
}

/// The suggested command can be pasted into a shell whatever the file is called. It names no file if the text came from
/// standard input.
#[cfg(unix)]
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
        let got = repaired_by(&commands[0], &dir.path().join(name));
        assert_eq!(got, "café au lait\n".as_bytes(), "{}", commands[0]);
    }
    let output =
        oxiconv().arg("--explain").write_stdin(&b"caf\xE9 au lait\n"[..]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(commands(&text), ["oxiconv --fallback windows-1252"]);
}

fn picture_reporter(
    columns: usize,
    limit: Option<u64>,
    to: &mut Vec<u8>,
) -> Box<dyn TextReporter + '_> {
    let mut options = FormatOptions::default();
    options.columns = columns;
    let format = (PICTURES[0].new)(&options);
    format.reporter(Subject::StandardInput, limit, to)
}

/// Makes the pictures of a text with the library, from any source.
fn pictures(options: &[&str], source: &mut dyn Source, columns: usize) -> String {
    let option = |name| options.iter().position(|word| *word == name).map(|at| options[at + 1]);
    let from = Encoding::for_name(option("-f").unwrap_or("utf-8")).unwrap();
    let conversion = Options::new()
        .detail(Detail::Context)
        .on_ill_formed(OnIllFormed::Replace)
        .on_unmappable(OnUnmappable::Replace)
        .deny(DeniedKind::ALL.into_iter().filter(|_| option("--deny").is_some()))
        .build(from, option("-t").map(|to| Encoding::for_name(to).unwrap()))
        .unwrap();
    let mut sink = Vec::new();
    let mut transcoder = Transcoder::new(&conversion, &mut sink);
    let mut shown = Vec::new();
    let mut explain = picture_reporter(columns, Some(20), &mut shown);
    transcoder.input(source, &mut *explain).or_else(Error::into_summary).unwrap();
    explain.close().unwrap();
    String::from_utf8(shown).unwrap()
}

#[test]
fn pictures_do_not_depend_on_where_the_text_is_cut() {
    for case in cases() {
        let bytes = &case.bytes;
        let whole = pictures(case.options, &mut Cut::new(bytes, &[], false), 80);
        for late_end in [false, true] {
            for cut in 1..bytes.len() {
                let cut_there = pictures(case.options, &mut Cut::new(bytes, &[cut], late_end), 80);
                assert_eq!(cut_there, whole, "{} cut at {cut}", case.file);
            }
            let each: Vec<_> = (1..bytes.len()).collect();
            let one_by_one = pictures(case.options, &mut Cut::new(bytes, &each, late_end), 80);
            assert_eq!(one_by_one, whole, "{}", case.file);
        }
    }
}

/// The text is longer than a chunk and than the blocks in which stray bytes are judged, and has faults everywhere.
#[cfg(unix)]
#[test]
fn pictures_of_a_long_text_do_not_depend_on_cuts_either() {
    let mut random = Random(7);
    let mut bytes = Vec::new();
    while bytes.len() < 300_000 {
        let chars = random.below(40);
        bytes.extend_from_slice(random.text(chars, 0x10_FFFF).as_bytes());
        bytes.extend_from_slice(random.pick(&[
            &b"\n"[..],
            b"caf\xE9 ",
            b"\xC0\x80",
            b"\xED\xA0\xBD\xED\xB8\x80",
            b"\xF0\x9F\x98 ",
        ]));
    }
    let whole = pictures(&[], &mut Cut::new(&bytes, &[], false), 80);
    assert!(whole.contains("\n  more      ") && whole.contains("with different causes"), "{whole}");
    for size in [999, 4096, 65_536, 70_001] {
        let cuts: Vec<_> = (1..bytes.len() / size).map(|piece| piece * size).collect();
        assert_eq!(pictures(&[], &mut Cut::new(&bytes, &cuts, true), 80), whole, "{size}");
    }
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("file"), &bytes).unwrap();
    // Lines must not be wrapped differently for "file" and "(standard input)".
    let mapped = shell("COLUMNS=120 oxiconv --explain file", dir.path());
    let mapped = String::from_utf8(mapped).unwrap();
    let piped = shell("cat file | COLUMNS=120 oxiconv --explain", dir.path());
    let piped = String::from_utf8(piped).unwrap().replace("(standard input)", "file");
    let summary = "oxiconv: file: ";
    let piped = piped.lines().filter(|line| !line.starts_with(summary));
    assert!(
        mapped
            .lines()
            .filter(|line| !line.contains("oxiconv"))
            .eq(piped.filter(|line| !line.contains("oxiconv")))
    );
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for case in cases() {
        for columns in [40, 53, 80, 120] {
            let text = pictures(case.options, &mut Cut::new(&case.bytes, &[], false), columns);
            for line in text.lines() {
                assert!(line.width() <= columns, "{} at {columns}: {line}", case.file);
            }
        }
    }
}

#[test]
fn nothing_raw_reaches_the_terminal() {
    let mut bytes: Vec<u8> = (0..=255).collect();
    bytes
        .extend_from_slice("\u{202E}\u{9B}31m\u{1B}]0;x\u{7}\u{FEFF}\u{2028}\u{200F}\r".as_bytes());
    bytes.extend_from_slice(b"\xFF\xC0\x9B\n");
    // In windows-1255 FD and FE are directional marks.
    let hebrew = b"\xF9\xEC\xE5\xED \xFD\xFE \xF2\xE5\xEC\xED, \xEE\xE4 \xF9\xEC\xE5\xEE\xEA \xE4\xE9\xE5\xED?\n";
    for text in [&bytes[..], hebrew] {
        for options in [&["--explain"][..], &["--explain=all"], &["--explain", "-t", "ascii"]] {
            let output = oxiconv().args(options).write_stdin(text).output().unwrap();
            let shown = String::from_utf8(output.stdout).unwrap();
            assert!(!shown.is_empty());
            let raw = |c: &char| {
                c.is_control() && *c != '\n'
                    || matches!(
                        c,
                        '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2028}' | '\u{FEFF}'
                    )
            };
            assert_eq!(shown.chars().find(raw), None, "{options:?}: {shown}");
        }
    }
}

/// Colours are only added: without the escape sequences, the picture equals the plain one.
#[test]
fn colours_tell_classes_of_bytes_apart() {
    let bytes = b"a\0\x1B \xC3\xA9\xFF\n";
    let coloured = oxiconv()
        .args(["--explain", "--color", "always"])
        .write_stdin(&bytes[..])
        .output()
        .unwrap();
    let coloured = String::from_utf8(coloured.stdout).unwrap();
    let row = coloured.lines().find(|line| line.contains("  \u{1B}[36m61")).unwrap();
    assert!(
        row.starts_with(
            "  \x1b[2m0000\x1b[0m  \x1b[36m61\x1b[0m \x1b[90m00\x1b[0m \x1b[35m1b\x1b[0m \
             \x1b[32m20\x1b[0m \x1b[33mc3\x1b[0m \x1b[33ma9\x1b[0m \x1b[1m\x1b[31mff\x1b[0m \x1b[32m0a\x1b[0m"
        ),
        "{row:?}"
    );
    assert!(coloured.starts_with(
        "\x1b[1m(standard input):1:6:\x1b[0m \x1b[1m\x1b[31merror[invalid-byte]:\x1b[0m"
    ));
    assert!(
        coloured.contains("  \x1b[2m1 |\x1b[0m a\\0\\u{1b} é\x1b[1m\x1b[31m<FF>\x1b[0m\n"),
        "{coloured}"
    );
    let command = oxiconv()
        .args(["--explain", "--color", "always"])
        .write_stdin(&b"caf\xE9\n"[..])
        .output()
        .unwrap();
    let command = String::from_utf8(command.stdout).unwrap();
    assert!(command.contains("\x1b[1moxiconv --fallback windows-1252\x1b[0m\n"), "{command}");
    let plain = oxiconv().arg("--explain").write_stdin(&bytes[..]).output().unwrap();
    let mut stripped = String::new();
    for (index, part) in coloured.split("\x1b[").enumerate() {
        stripped.push_str(if index == 0 { part } else { part.split_once('m').unwrap().1 });
    }
    assert_eq!(stripped, String::from_utf8(plain.stdout).unwrap());
}

#[test]
fn equal_findings_are_folded_and_none_is_lost_from_the_count() {
    let text = b"\xE9, \xE9, \xE8,\n\xE9,\n".repeat(10);
    let (status, shown, err) = {
        let output =
            oxiconv().args(["--explain", "--stats"]).write_stdin(text.clone()).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    assert_eq!(status, Some(1));
    assert_eq!(rows(&shown, "what").len(), 2);
    // The text is 12 bytes and 2 lines, repeated ten times.
    assert_eq!(
        rows(&shown, "more"),
        [
            "29 more like it, the last at 20:1, byte 117 (0x75)",
            "9 more like it, the last at 19:7, byte 114 (0x72)"
        ]
    );
    let counted: Vec<_> = err.lines().filter_map(|line| line.strip_prefix("findings")).collect();
    assert_eq!(counted.iter().map(|count| count.trim()).collect::<Vec<_>>(), ["40"], "{err}");
    let output =
        oxiconv().args(["--explain", "--max-reports", "1"]).write_stdin(text).output().unwrap();
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "oxiconv: (standard input): 10 more not shown; --max-reports 0 shows all\n"
    );
}

/// There are more pictures than the reporter holds back at a time.
#[test]
fn without_a_limit_there_is_a_picture_for_each() {
    let text: String =
        (0..700).map(|n| format!("{}\n", char::from_u32(0x1000 + n).unwrap())).collect();
    let output = oxiconv()
        .args(["--explain", "--max-reports", "0", "-t", "latin1"])
        .write_stdin(text)
        .output()
        .unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert_eq!(shown.matches("error[unmappable]").count(), 700);
    assert_eq!(rows(&shown, "name").last().unwrap(), "ETHIOPIC SYLLABLE KXAA");
}

#[test]
fn every_character_is_shown_in_every_encoding() {
    // U+1F600 in several encodings, from the tables of the standards or derived from their definitions by hand.
    for (name, bytes, shown) in [
        ("utf-16be", &b"\xD8\x3D\xDE\x00"[..], "D8 3D DE 00"),
        ("utf-32le", b"\x00\xF6\x01\x00", "00 F6 01 00"),
        ("cesu-8", b"\xED\xA0\xBD\xED\xB8\x80", "ED A0 BD ED B8 80"),
        ("gb18030", b"\x94\x39\xFC\x36", "94 39 FC 36"),
        ("utf-7", b"+2D3eAA-", "2B 32 44 33 65 41 41"),
        ("xml", b"&#x1F600;", "26 23 78 31 46 36 30 30 3B"),
        ("utf-8-rfc2279", b"\xF0\x9F\x98\x80", "F0 9F 98 80"),
    ] {
        let output =
            oxiconv().args(["--explain=all", "-f", name]).write_stdin(bytes).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{name}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.starts_with(&format!("00000000  {shown}")), "{name}: {text}");
        assert!(text.contains("U+1F600 😀 GRINNING FACE\n"), "{name}: {text}");
        assert!(
            text.contains("UTF-8 F0 9F 98 80, UTF-16 D83D DE00, UTF-32 0001F600\n"),
            "{name}: {text}"
        );
    }
    // A byte order mark that is not part of the text; a value above U+10FFFF; an unpaired surrogate.
    let all = |name: &str, bytes: &[u8]| {
        let output =
            oxiconv().args(["--explain=all", "-f", name]).write_stdin(bytes).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(
        all("utf-16", b"\xFF\xFEa\0"),
        "00000000  FF FE        U+FEFF ZERO WIDTH NO-BREAK SPACE\n\
         \x20                      UTF-8 EF BB BF, UTF-16 FEFF, UTF-32 0000FEFF\n\
         00000002  61 00        U+0061 a LATIN SMALL LETTER A\n\
         \x20                      UTF-8 61, UTF-16 0061, UTF-32 00000061\n"
    );
    assert_eq!(
        all("utf-8-8byte", b"\xFE\x82\x80\x80\x80\x80\x80"),
        "00000000  FE 82 80 80 80 80 80\n          80000000 a value past U+10FFFF\n"
    );
    assert_eq!(all("wtf-8", b"\xED\xA0\xBD"), "00000000  ED A0 BD     U+D83D <surrogate-D83D>\n");
}

/// `--explain=all` lists findings in place among the characters and exits like `--check`.
#[test]
fn what_is_ill_formed_is_shown_among_the_characters() {
    let output = oxiconv().arg("--explain=all").write_stdin(&b"a\xE2\x82b"[..]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let starts: Vec<_> = text.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(
        starts,
        [
            "00000000  61           U+0061 a LATIN SMALL LETTER A",
            "00000001  E2 82        ill-formed [truncated]: E2 82 begins a 3-byte character,",
            "00000003  62           U+0062 b LATIN SMALL LETTER B",
        ]
    );
    assert!(text.contains("                       but 62 ('b') follows\n"), "{text}");
}

#[test]
fn every_character_is_shown_however_the_text_is_cut() {
    struct Entries(Vec<(u128, Vec<u8>, u64)>);
    impl Reporter for Entries {
        fn finding(&mut self, finding: &Finding<'_>) -> std::io::Result<()> {
            self.0.push((u128::MAX, finding.bytes.to_vec(), finding.offset));
            Ok(())
        }
        fn character(&mut self, character: &Character<'_>) -> std::io::Result<()> {
            self.0.push((character.value, character.bytes.to_vec(), character.offset));
            Ok(())
        }
    }
    for (name, bytes, count) in [
        ("UTF-8", "\u{FEFF}aé€😀\n".as_bytes(), 6),
        ("UTF-16", b"\xFE\xFF\0a\xD8\x3D\xDE\0\xD8\x3D\0\n", 5),
        ("CP932", b"a\x82\xB1\xB1\x82\n", 5),
        ("UTF-7", b"a+AOkA6Q-b+-", 5),
        ("windows-1258", b"a\xECo\xD2x", 3),
        // A value of 42 bits.
        ("UTF-8-8BYTE", b"a\xFF\xBF\xBF\xBF\xBF\xBF\xBF\xBFb", 3),
    ] {
        let conversion = Options::new()
            .detail(Detail::Characters)
            .on_ill_formed(OnIllFormed::Replace)
            .build(Encoding::for_name(name).unwrap(), None)
            .unwrap();
        let entries = |cuts: &[usize]| {
            let mut entries = Entries(Vec::new());
            let mut sink = std::io::sink();
            let mut transcoder = Transcoder::new(&conversion, &mut sink);
            transcoder
                .input(&mut Cut::new(bytes, cuts, true), &mut entries)
                .or_else(Error::into_summary)
                .unwrap();
            entries.0
        };
        let whole = entries(&[]);
        assert_eq!(whole.len(), count, "{name}");
        for (_, shown, offset) in &whole {
            assert_eq!(*shown, bytes[*offset as usize..*offset as usize + shown.len()], "{name}");
        }
        for cut in 1..bytes.len() {
            assert_eq!(entries(&[cut]), whole, "{name} cut at {cut}");
        }
        assert_eq!(entries(&(1..bytes.len()).collect::<Vec<_>>()), whole, "{name}");
    }
}

/// The program shows everything it has read from a pipe before it waits for more. It ends silently, by SIGPIPE, when
/// its own reader closes the pipe.
#[cfg(unix)]
#[test]
fn characters_are_shown_as_they_come_and_closed_pipes_end_it() {
    let dir = tempfile::tempdir().unwrap();
    let live = "{ printf 'a'; sleep 1; printf 'b'; } | oxiconv --explain=all | head -n 1; echo ${PIPESTATUS[1]}";
    // `head` exits after the first line, a second before the second letter arrives.
    let shown = String::from_utf8(shell(live, dir.path())).unwrap();
    assert!(shown.starts_with("00000000  61           U+0061 a LATIN SMALL LETTER A\n"), "{shown}");
    let many: String = (0x1000..0x1800).filter_map(char::from_u32).collect();
    fs::write(dir.path().join("many"), many).unwrap();
    for command in [
        "yes $'\\xFF\\xE9 \\xE8 x' | oxiconv --explain=all",
        "cat many | oxiconv --explain --max-reports 0 -t latin1",
    ] {
        let closed = format!("{command} | head -n 1 >/dev/null; echo ${{PIPESTATUS[1]}}");
        let shown = String::from_utf8(shell(&closed, dir.path())).unwrap();
        assert_eq!(shown, "141\n", "{command}");
    }
}

#[test]
fn it_goes_with_what_check_goes_with() {
    for option in ["-c", "-eskip", "-ofile", "-i", "-Odir", "--fallback=latin1", "--unmappable=xml"]
    {
        let output = oxiconv().args(["--explain", option]).write_stdin("").output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{option}");
    }
    for format in ["json", "sarif", "github"] {
        let args = ["--explain", "--format", format];
        let output = oxiconv().args(args).write_stdin("").output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{format}");
        let words = String::from_utf8(output.stderr).unwrap();
        assert!(words.contains(&format!("cannot be combined with --format {format}")), "{words}");
    }
    let output = oxiconv().args(["--explain=some"]).write_stdin("").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let output = oxiconv().args(["--explain", "--check"]).write_stdin("good\n").output().unwrap();
    assert_eq!(
        (output.status.code(), &output.stdout[..], &output.stderr[..]),
        (Some(0), &b"(standard input): no findings: 5 bytes of well-formed UTF-8\n"[..], &b""[..])
    );
    let output = oxiconv().args(["--explain", "-s"]).write_stdin(&b"\xFF"[..]).output().unwrap();
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(1), &b""[..]));
}

#[test]
fn several_files_are_explained_in_their_order() {
    let cases = cases();
    let dir = written(&cases);
    let files: Vec<_> =
        cases.iter().map(|case| case.file).filter(|file| *file != "check.c").collect();
    let each: String = files.iter().map(|file| explain(dir.path(), &[], file).1).collect();
    let output = oxiconv()
        .current_dir(dir.path())
        .args(["--explain", "-j", "4"])
        .args(&files)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), each);
}

/// COLUMNS sets the width of the picture.
#[test]
fn a_picture_holds_on_40_columns() {
    let output = oxiconv()
        .env("COLUMNS", "40")
        .arg("--explain")
        .write_stdin(
            &b"Der Gr\xC3\xB6\xC3\x9Fte sagt \x93ja\x94, und geht dann doch noch fort.\n"[..],
        )
        .output()
        .unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    let first = shown.split("\n\n(standard").next().unwrap();
    // PowerShell continues a command with a backtick.
    let first = first.replace(" `\n", " \\\n");
    assert_eq!(
        first,
        "\
(standard input):1:17:
  error[unexpected-continuation]:
  93 at byte 18 (0x12)

  1 | ...Größte sagt <93>ja\u{FFFD}, und geh...
    |                ^^^^

0008  c3 9f 74 65 20 73 61 67 |..te sag|
0010  74 20 93 6a 61 94 2c 20 |t .ja., |
            ^^
0018  75 6e 64 20 67 65 68 74 |und geht|

  what      93 is a continuation byte
            without a lead byte
  rule      93 may occur only after a
            lead byte; a character
            begins with 00..7F or C2..F4
            (Unicode 3.9, Table 3-7)
  replace   ...ößte sagt \u{FFFD}ja\u{FFFD}, und ge...
  probably  U+201C (“) LEFT DOUBLE
            QUOTATION MARK in
            windows-1252: the rest is
            valid UTF-8, and all stray
            bytes fit it
  repair    oxiconv --fallback \\
            windows-1252
  readings  windows-1252, windows-1255
            ..., 78 %
              ...ßte sagt “ja”, und g...
            IBM850, IBM852 ..., 19 %
              ...ßte sagt ôjaö, und g..."
    );
}

/// A forbidden mark and a missing one are errors. A mark inside the text is only a note.
#[test]
fn marks_have_their_pictures_too() {
    let run = |args: &[&str], input: &[u8]| {
        let output = oxiconv().args(args).write_stdin(input).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    let (status, shown) = run(&["--explain", "--bom", "forbid"], b"\xEF\xBB\xBFa");
    assert_eq!(status, 1);
    assert!(
        shown.starts_with("(standard input):1:1: error[bom-forbidden]: EF BB BF at byte 0"),
        "{shown}"
    );
    assert_eq!(rows(&shown, "what"), ["the text begins with a byte order mark"]);
    let (status, shown) = run(&["--explain", "--bom", "require"], b"a");
    assert_eq!(status, 1);
    assert_eq!(rows(&shown, "what"), ["the UTF-8 text does not begin with a byte order mark"]);
    let notes = "a\u{FEFF}b\u{FEFF}\n".repeat(30);
    let (status, shown) = run(&["--explain", "-v", "--max-reports", "1"], notes.as_bytes());
    assert_eq!(status, 0);
    assert!(
        shown.starts_with("(standard input):1:2: note[bom-inside]: EF BB BF at byte 1"),
        "{shown}"
    );
    assert!(rows(&shown, "more")[0].starts_with("59 more like it, the last at 30:4, "), "{shown}");
    // With a limit of one picture, a note must not hide that there is an error, whichever comes first.
    let text = ["\u{FEFF}a\u{FEFF}".as_bytes(), b"\xFF"].concat();
    assert_eq!(run(&["--explain", "-v", "--max-reports", "1"], &text).0, 1);
    let text = [b"\xFF", "a\u{FEFF}".as_bytes()].concat();
    assert_eq!(run(&["--explain", "-v", "--max-reports", "1"], &text).0, 1);
}

#[test]
fn denied_characters_are_shown_among_all() {
    let output = oxiconv()
        .args(["--explain=all", "--deny", "nul"])
        .write_stdin(&b"a\0"[..])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let starts: Vec<_> = text.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(
        starts,
        [
            "00000000  61           U+0061 a LATIN SMALL LETTER A",
            "00000001  00           [nul]: U+0000 is the NUL character",
            "00000001  00           U+0000 <control-0000> NULL",
        ]
    );
}

/// No input causes a panic. Input read as UTF-8 gets an error picture if and only if it is ill-formed.
#[test]
fn any_bytes_can_be_explained() {
    let mut random = Random(11);
    for _ in 0..300 {
        let len = random.below(60);
        let bytes: Vec<u8> = (0..len)
            .map(|_| {
                random.pick(&[
                    0x00, 0x0A, 0x41, 0x80, 0xA0, 0xBF, 0xC0, 0xC3, 0xE2, 0xED, 0xF0, 0xF8, 0xFC,
                    0xFF, 0xFE,
                ])
            })
            .collect();
        for options in [
            &[][..],
            &["-f", "utf-16be"],
            &["-f", "utf-32le"],
            &["-f", "cp932"],
            &["-f", "utf-7"],
            &["-f", "cesu-8"],
        ] {
            let shown = pictures(options, &mut Cut::new(&bytes, &[], true), 40);
            let utf8 = options.is_empty();
            assert!(
                !utf8 || shown.contains("error[") == std::str::from_utf8(&bytes).is_err(),
                "{bytes:X?}"
            );
        }
    }
}

/// The single-byte sets that the frequency detector can name, each with sentences in a language that it was made for.
const SENTENCES: [(&str, &str); 12] = [
    ("windows-1252", "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. "),
    ("windows-1250", "Zażółć gęślą jaźń, żółw i łódź na śniegu. "),
    ("windows-1251", "Съешь же ещё этих мягких французских булок, да выпей чаю. "),
    ("windows-1253", "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία, και τότε φεύγω. "),
    ("windows-1254", "Pijamalı hasta yağız şoföre çabucak güvendi, ışık İstanbul. "),
    ("windows-1256", "نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر. "),
    (
        "windows-1257",
        "Įlinkdama fechtuotojo špaga sublykčiojusi pragręžė apvalų arbūzą. Visi žmonės gimsta laisvi ir lygūs savo \
         orumu ir teisėmis. Jiems suteiktas protas ir sąžinė ir jie turi elgtis vienas kito atžvilgiu kaip broliai. ",
    ),
    ("windows-874", "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน "),
    ("ISO-8859-5", "Съешь же ещё этих мягких французских булок, да выпей чаю. "),
    (
        "ISO-8859-2",
        "Zażółć gęślą jaźń, żółw i łódź na śniegu. Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i \
         swych praw. Są oni obdarzeni rozumem i sumieniem i powinni postępować wobec innych w duchu braterstwa. ",
    ),
    ("KOI8-U", "Чуєш їх, доцю, га? Кумедна ж ти, прощайся без ґольфів! Ні, ні, під тією лінією. "),
    ("IBM866", "Съешь же ещё этих мягких французских булок, да выпей чаю. "),
];

/// The character that `--explain` names for a byte is the one that the suggested repair writes for it. This holds for
/// every byte of every set in [`SENTENCES`].
#[test]
fn a_byte_is_what_its_repair_writes() {
    let dir = tempfile::tempdir().unwrap();
    // What --fallback writes for each byte from 80 to FF, on a line of its own. The line of an undefined byte is empty.
    let fallback = |name: &str| {
        let lines: Vec<u8> = (0x80..=0xFF).flat_map(|byte| [byte, b'\n']).collect();
        let args = ["--fallback", name, "-e", "skip", "-q"];
        let output = oxiconv().args(args).write_stdin(lines).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let characters: Vec<_> = text.lines().map(|line| line.chars().next()).collect();
        assert_eq!(characters.len(), 0x80, "{name}");
        characters
    };
    let mut compared = 0;
    for (name, sentence) in SENTENCES {
        // A run of all bytes looks like no language, so the text declares its encoding.
        let text = format!("<?xml version=\"1.0\" encoding=\"{name}\"?>\n{}", sentence.repeat(60));
        let output = oxiconv().args(["-t", name]).write_stdin(text).output().unwrap();
        assert!(output.status.success(), "{name}");
        let mut bytes = output.stdout;
        // Bytes that are control characters are left out, since they do not occur in text.
        let set: Vec<(u8, char)> = (0x80..=0xFF_u8)
            .zip(fallback(name))
            .filter_map(|(byte, c)| Some((byte, c.filter(|c| !c.is_control())?)))
            .collect();
        let start = bytes.len();
        for (byte, _) in &set {
            bytes.extend_from_slice(&[*byte, b' ']);
        }
        fs::write(dir.path().join("text"), &bytes).unwrap();
        let (_, shown) = explain(dir.path(), &["--max-reports", "0"], "text");
        let told = commands(&shown);
        let told = told.last().unwrap_or_else(|| panic!("{name}: no repair: {shown}"));
        assert!(
            told.ends_with(&format!(" {name} -i.bak text"))
                || told.ends_with(&format!(" {} -i.bak text", name.to_lowercase())),
            "{name}: {told}"
        );
        for (index, (byte, c)) in set.iter().enumerate() {
            let head = format!("]: {byte:02X} at byte ");
            let Some(at) = shown.find(&head) else { continue };
            // This is the first occurrence of the byte, which may be inside a word of the sentences.
            let picture = shown[at..].split("\n\ntext:").next().unwrap();
            let probably = &rows(picture, "probably")[0];
            assert!(
                probably.starts_with(&format!("U+{:04X} ", u32::from(*c))),
                "{name} {byte:02X} ({start} + {index}): {probably}"
            );
            compared += 1;
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// An unpaired surrogate and a truncated code unit count as one cause, since one command repairs both. Nothing else is
/// suggested.
#[test]
fn faults_of_utf_16_are_not_of_several_causes() {
    let input = &b"\xFF\xFEa\0\x3D\xD8b\0c"[..];
    let output = oxiconv().args(["--explain", "-f", "utf-16"]).write_stdin(input).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(rows(&text, "repair").len(), 2, "{text}");
    assert!(!text.contains("different causes"), "{text}");
    let repair = oxiconv().args(["-e", "replace", "-f", "utf-16"]).write_stdin(input).output();
    assert_eq!(repair.unwrap().stdout, "a\u{FFFD}b\u{FFFD}".as_bytes());
}

/// If a picture offers a repair, the summary does not claim that no single command repairs the text.
#[test]
fn a_repair_that_is_shown_is_a_repair() {
    for (from, input) in [
        ("cp932", &b"\x81\xFF a \x83"[..]),
        ("utf-32le", b"a\0\0\0\xFF\xFF\xFF\xFFb\0\0"),
        ("euc-jp", b"\xFF \xFF \xA4"),
    ] {
        let run = |options: &[&str]| {
            let args = [&["-f", from], options].concat();
            let output = oxiconv().args(args).write_stdin(input).output().unwrap();
            (output.status.code(), String::from_utf8(output.stdout).unwrap())
        };
        let (_, shown) = run(&["--explain"]);
        assert!(commands(&shown).iter().any(|words| words.contains("-e replace")), "{shown}");
        assert!(!shown.contains("no single command"), "{shown}");
        let (status, text) = run(&["-e", "replace"]);
        assert!(status == Some(0) && text.contains('\u{FFFD}'), "{from}: {text}");
    }
}

/// In KOI8-U, "ні" is CE A6, which happens to be well-formed UTF-8. The diagnosis must not change because of it.
#[test]
fn ukrainian_text_has_one_diagnosis() {
    // Encoded by hand from RFC 2319.
    check_all(&[case(
        "ua.txt",
        b"\xEE\xA6, \xCE\xA6, \xC4\xCF\xC3\xC0! \xF0\xA6\xC4 \xD4\xA4\xC0 \xCC\xA6\xCE\xA6\xA4\xC0 \xA7\xC8 \xC2\xA6\xCC\xD8\xDB\xC5.\n",
        &[],
        &[
            "\"Ні\" in KOI8-U: all stray bytes fit it",
            "\"доцю\" in KOI8-U: ",
            "\"Під\" in KOI8-U: ",
            "U+044E (ю) CYRILLIC SMALL LETTER YU in KOI8-U: ",
            "\"єю\" in KOI8-U: ",
            "\"їх\" in KOI8-U: ",
            "\"льше\" in KOI8-U: ",
            "KOI8-U: judged by byte frequencies over 40 bytes, with 5 multi-byte UTF-8 characters by chance",
        ],
        "Ні, ні, доцю! Під тєю лінією їх більше.\n",
    )]);
}

/// Forwards everything to the reporter of `--explain`. If `rows` is false, it declines rows of adjacent findings, so
/// that they arrive one by one. Counts the findings that do.
struct Witness<'a> {
    explain: Box<dyn TextReporter + 'a>,
    rows: bool,
    findings: u64,
}

impl Reporter for Witness<'_> {
    fn finding(&mut self, finding: &Finding<'_>) -> std::io::Result<()> {
        self.findings += 1;
        self.explain.finding(finding)
    }
    fn row(&mut self, row: &Row<'_>) -> std::io::Result<bool> {
        Ok(self.rows && self.explain.row(row)?)
    }
    fn text(&mut self, bytes: &[u8], encoding: &'static oxiconv_encodings::encoding::Encoding) {
        self.explain.text(bytes, encoding);
    }
}

/// Rows of findings are only an optimization: they change nothing that is shown, withheld or counted. The test also
/// checks that most findings of a badly damaged text do arrive in rows.
#[test]
fn rows_of_findings_are_explained_as_each_by_itself() {
    let run = |bytes: &[u8], from: &str, limit: Option<u64>, cuts: &[usize], rows: bool| {
        let conversion = Options::new()
            .detail(Detail::Context)
            .on_ill_formed(OnIllFormed::Replace)
            .build(Encoding::for_name(from).unwrap(), None)
            .unwrap();
        let mut sink = std::io::sink();
        let mut transcoder = Transcoder::new(&conversion, &mut sink);
        let mut shown = Vec::new();
        let (kept, summary, findings) = {
            let explain = picture_reporter(80, limit, &mut shown);
            let mut witness = Witness { explain, rows, findings: 0 };
            let summary: Summary = transcoder
                .input(&mut Cut::new(bytes, cuts, true), &mut witness)
                .or_else(Error::into_summary)
                .unwrap();
            (witness.explain.close().unwrap(), summary, witness.findings)
        };
        (String::from_utf8(shown).unwrap(), kept, summary, findings)
    };
    let mut random = Random(23);
    // The first four texts are long. They are sampled as a kind of their own.
    for round in sample::every_of_each(6, 0..100, |round| *round < 4) {
        // From bytes with hardly any equal findings to bytes with nearly all findings equal.
        let values: &[u8] = match round % 4 {
            0 => &[],
            1 => &[0x80, 0xE9, b' ', b'\n'],
            2 => &[0xE2, 0x82, 0xED, 0xA0, 0xB0, 0xC0, b'a', b'\n'],
            _ => &[0xE9, 0xE8, b'a', b'b', b'c', b' ', b'\n'],
        };
        let is_long = round < 4;
        let len = if is_long { 40_000 } else { 1 + random.below(400) };
        let byte = |random: &mut Random| match values {
            [] => random.number() as u8 | 0x80,
            values => random.pick(values),
        };
        let bytes: Vec<u8> = (0..len).map(|_| byte(&mut random)).collect();
        let cuts: Vec<usize> = (0..random.below(4)).map(|_| random.below(len) + 1).collect();
        let mut cuts: Vec<_> = cuts.into_iter().filter(|cut| *cut < len).collect();
        cuts.sort_unstable();
        for limit in [Some(0), Some(1), Some(3), Some(20), Some(600), None] {
            let mut from = random.pick(&["UTF-8", "UTF-8", "UTF-16LE", "CP932", "US-ASCII"]);
            let has_rows = is_long && limit == Some(20);
            if has_rows {
                from = "UTF-8";
            }
            let slow = run(&bytes, from, limit, &cuts, false);
            let fast = run(&bytes, from, limit, &cuts, true);
            assert!(slow.0 == fast.0, "{from} {limit:?} {cuts:?} {bytes:X?}: {}{}", slow.0, fast.0);
            assert_eq!((slow.1, slow.2), (fast.1, fast.2), "{from} {limit:?} {bytes:X?}");
            if has_rows {
                assert!(slow.3 > 10_000, "{}", slow.3);
                assert!(fast.3 < slow.3 / 10, "{} of {}", fast.3, slow.3);
            }
        }
    }
}

/// This also holds if normalization held a letter back for its mark, or if an escape sequence follows the character.
#[test]
fn the_line_of_what_a_target_lacks_is_shown_as_a_whole() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("f"), "abc \u{5D0}\u{5B8} def\n").unwrap();
    // "ab日本x 語", encoded by Python.
    fs::write(dir.path().join("g"), b"ab\x1B$BF|K\\\x1B(Bx \x1B$B8l\x1B(B\n").unwrap();
    for (args, file, line, count) in [
        (&["-t", "ascii"][..], "f", "abc \u{5D0}\u{5B8} def", 2),
        (&["-t", "ascii", "--normalize", "nfc"], "f", "abc \u{5D0}\u{5B8} def", 2),
        (&["-f", "iso-2022-jp", "-t", "ascii"], "g", "ab日本x 語", 3),
    ] {
        let (_, text) = explain(dir.path(), args, file);
        let lines: Vec<_> = text.lines().filter_map(|row| row.strip_prefix("  1 | ")).collect();
        assert_eq!(lines, vec![line; count], "{args:?}");
    }
}

/// Each unmappable character lists its possible substitutions, whether or not normalization held it back.
#[test]
fn what_the_target_offers_is_said_of_what_it_lacks() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("f"), "\u{5D0}\u{5B8}\n€\n").unwrap();
    for more in [&[][..], &["--normalize", "nfc"]] {
        let (_, text) = explain(dir.path(), &[&["-t", "ascii"], more].concat(), "f");
        let expected = [
            "&#x5D0; (xml), \\u{5D0} (escape)",
            "&#x5B8; (xml), \\u{5B8} (escape)",
            "EUR (translit), &#x20AC; (xml), \\u{20AC} (escape)",
        ];
        assert_eq!(rows(&text, "offers"), expected, "{more:?}");
    }
}

/// A superset decodes whatever the encoding itself decodes, so it is no guess about a text without a fault.
#[test]
fn a_sound_text_is_not_said_to_be_in_a_superset() {
    let dir = tempfile::tempdir().unwrap();
    for (from, text) in [
        ("gbk", &b"\xC4\xE3\xBA\xC3 hello\n"[..]),
        ("gbk", b"plain text\n"),
        ("latin1", b"caf\xE9\n"),
        ("shift_jis", b"\x93\xFA\x96{\n"),
    ] {
        fs::write(dir.path().join("sound"), text).unwrap();
        let (status, shown) = explain(dir.path(), &["-f", from], "sound");
        assert_eq!(status, 0, "{from}: {shown}");
        assert!(!shown.contains("probably") && !shown.contains("repair"), "{from}: {shown}");
    }
    // 87 40 is ① in CP932 and nothing in Shift_JIS.
    fs::write(dir.path().join("sound"), b"\x93\xFA\x96{ \x87\x40\n").unwrap();
    let (status, shown) = explain(dir.path(), &["-f", "shift_jis"], "sound");
    assert_eq!(status, 1);
    assert!(shown.contains("CP932 extends SHIFT_JIS"), "{shown}");
}
