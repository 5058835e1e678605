//! `-f auto-lines`: texts whose lines are in different encodings. Python encoded the sample lines.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

use crate::common::{Dir, oxiconv};
use crate::support::{Random, convert, convert_cut, convert_pieces, every_cut};
use oxiconv::{Conversion, Detector, Encoding};
use oxiconv_transcode::diagnostic::Outcome::ReadByFallback;
use oxiconv_transcode::{InputEncoding, OnIllFormed, Options};

/// The bytes of each line of a log, and its text.
const LINES: &[(&[u8], &str)] = &[
    (b"started, no errors\n", "started, no errors\n"),
    ("соединение открыто\n".as_bytes(), "соединение открыто\n"),
    // windows-1251
    (b"\xEE\xF8\xE8\xE1\xEA\xE0: \xF4\xE0\xE9\xEB \xED\xE5 \xED\xE0\xE9\xE4\xE5\xED\n", "ошибка: файл не найден\n"),
    // CP932, with ASCII trail bytes such as 5B and 74
    (
        b"2024-02-03 WARN \x83G\x83\x89\x81[: \x83t\x83@\x83C\x83\x8B\x82\xAA\x8C\xA9\x82\xC2\x82\xA9\x82\xE8\x82\xDC\x82\xB9\x82\xF1\r\n",
        "2024-02-03 WARN エラー: ファイルが見つかりません\r\n",
    ),
    (b"\xE4\xEE\xF1\xF2\xF3\xEF \xE7\xE0\xEF\xF0\xE5\xF9\xB8\xED\n", "доступ запрещён\n"),
    ("日本語と русский\n".as_bytes(), "日本語と русский\n"),
    // KOI8-R
    (b"\xD3\xCF\xC5\xC4\xC9\xCE\xC5\xCE\xC9\xC5 \xDA\xC1\xCB\xD2\xD9\xD4\xCF\n", "соединение закрыто\n"),
    (b"done\n", "done\n"),
    // CP932, windows-1251 and KOI8-R again, each too short to be recognized without the lines before
    (b"\x95\x5C\x8E\xA6\n", "表示\n"),
    (b"\xED\xE5\xF2\n", "нет\n"),
    (b"\xCE\xC5\xD4\n", "нет\n"),
];

fn log() -> (Vec<u8>, String) {
    let bytes = LINES.iter().flat_map(|(bytes, _)| bytes.to_vec()).collect();
    (bytes, LINES.iter().map(|(_, text)| *text).collect())
}

fn conversion(options: Options, to: impl Into<Option<&'static Encoding>>) -> Conversion {
    options.build(InputEncoding::Lines(Detector::new()), to).unwrap()
}

fn to_utf8() -> Conversion {
    conversion(Options::new(), Encoding::UTF_8)
}

const COUNTS: &str =
    "3 lines were read as windows-1251, 2 lines were read as CP932, 2 lines were read as KOI8-R";

#[test]
fn a_log_of_several_encodings_comes_back_byte_for_byte() {
    let dir = Dir::new();
    let (bytes, text) = log();
    dir.write("a.log", &bytes);
    let (status, out, err) = dir.run(&["-f", "auto-lines", "a.log"]);
    assert_eq!((status, out), (0, text.clone()));
    assert_eq!(err, format!("oxiconv: a.log: {COUNTS}\n"));
    let (status, out, err) = dir.run(&["-f", "AUTO-LINES", "-q", "a.log"]);
    assert_eq!((status, out, err), (0, text.clone(), String::new()));
    // From a pipe, and to another encoding.
    let output = oxiconv().args(["-f", "auto-lines", "-t", "utf-16le"]).write_stdin(bytes).output();
    let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(output.unwrap().stdout, units);
}

#[test]
fn in_place_the_text_replaces_the_file() {
    let dir = Dir::new();
    let (bytes, text) = log();
    // Of the other two files, one has no line in UTF-8, and one only such lines.
    let legacy = b"\xEE\xF8\xE8\xE1\xEA\xE0: \xF4\xE0\xE9\xEB \xED\xE5 \xED\xE0\xE9\xE4\xE5\xED\n"
        .repeat(20);
    for (name, bytes) in [("a.log", &bytes[..]), ("b.log", &legacy), ("c.log", text.as_bytes())] {
        dir.write(name, bytes);
    }
    let (status, _, err) = dir.run(&["-f", "auto-lines", "-i.bak", "a.log", "b.log", "c.log"]);
    assert_eq!(status, 0, "{err}");
    assert_eq!(dir.read("a.log"), text.as_bytes());
    assert_eq!(dir.read("a.log.bak"), bytes);
    assert_eq!(dir.read("b.log"), "ошибка: файл не найден\n".repeat(20).as_bytes());
    assert_eq!(dir.read("c.log"), text.as_bytes());
    assert!(err.contains(COUNTS) && err.contains("20 lines were read as windows-1251"), "{err}");
    // A second run changes nothing.
    let (status, _, err) = dir.run(&["-f", "auto-lines", "-i", "a.log", "b.log"]);
    assert_eq!((status, dir.read("a.log")), (0, text.into_bytes()), "{err}");
}

#[test]
fn the_pieces_of_a_text_do_not_matter() {
    let (bytes, text) = log();
    let whole = convert(&to_utf8(), &bytes);
    assert_eq!(String::from_utf8(whole.output.clone()).unwrap(), text);
    // One finding for each of the seven lines that are not UTF-8.
    let counts = (whole.summary.ill_formed(), whole.summary.of_ill_formed.of(ReadByFallback));
    assert_eq!(counts, (7, 7));
    for cut in 0..bytes.len() {
        for late_end in [false, true] {
            assert_eq!(convert_cut(&to_utf8(), &bytes, &[cut], late_end), whole, "{cut}");
        }
        let mut output = Vec::new();
        let mut writer = oxiconv::Writer::new(&mut output, &to_utf8());
        writer.write_all(&bytes[..cut]).unwrap();
        writer.write_all(&bytes[cut..]).unwrap();
        writer.finish().unwrap();
        assert!(output == text.as_bytes(), "{cut}");
    }
    let every: Vec<_> = (1..bytes.len()).collect();
    assert_eq!(convert_cut(&to_utf8(), &bytes, &every, true), whole);
    assert_eq!(convert_pieces(&to_utf8(), &bytes.chunks(1).collect::<Vec<_>>()), whole);
    // Without the final line ending.
    let open = &bytes[..bytes.len() - 1];
    let whole = convert(&to_utf8(), open);
    assert_eq!(whole.output, &text.as_bytes()[..text.len() - 1]);
    assert_eq!(convert_cut(&to_utf8(), open, &every, true), whole);
}

/// E1 is į in windows-1257 and á in windows-1252. The UTF-8 lines show the language, which decides between the two.
#[test]
fn the_lines_in_utf8_tell_what_a_short_line_is() {
    for (line, expected) in [
        ("ąžuolas ir šermukšnis, kurie gražiai žydėjo vėlyvą pavasarį\n", "pavasarį\n"),
        ("el camión está aquí, y mañana estará también en España\n", "pavasará\n"),
    ] {
        let lines = line.repeat(5);
        let outcome = convert(&to_utf8(), &[lines.as_bytes(), b"pavasar\xE1\n"].concat());
        assert_eq!(String::from_utf8_lossy(&outcome.output), format!("{lines}{expected}"));
    }
}

/// Random sequences of lines, truncated lines, line endings and other bytes, split at random offsets.
#[test]
fn the_pieces_of_any_bytes_do_not_matter() {
    let mut random = Random(5);
    let modes = [OnIllFormed::Replace, OnIllFormed::Skip, OnIllFormed::Stop];
    for _ in 0..150 {
        let mut input = Vec::new();
        for _ in 0..1 + random.below(12) {
            let (line, _) = LINES[random.below(LINES.len())];
            match random.below(6) {
                0 => input.extend((0..random.below(9)).map(|_| random.number() as u8)),
                1 => input.extend_from_slice(&line[..random.below(line.len())]),
                2 => input
                    .extend_from_slice([&b"\r"[..], b"\n", b"\r\n", b"\xE3\x81"][random.below(4)]),
                _ => input.extend_from_slice(line),
            }
        }
        let conversion =
            conversion(Options::new().on_ill_formed(modes[random.below(3)]), Encoding::UTF_8);
        let whole = convert(&conversion, &input);
        let mut cuts: Vec<_> =
            (0..1 + random.below(6)).map(|_| random.below(input.len() + 1)).collect();
        cuts.sort_unstable();
        for late_end in [false, true] {
            assert_eq!(
                convert_cut(&conversion, &input, &cuts, late_end),
                whole,
                "{input:?} {cuts:?}"
            );
        }
        let every: Vec<_> = (1..input.len()).collect();
        assert_eq!(convert_cut(&conversion, &input, &every, true), whole, "{input:?}");
    }
}

/// A part in another encoding may follow a truncated UTF-8 sequence. Its first bytes could continue that sequence, but
/// do not belong to it. When they were read as part of it, the arithmetic on the rest of the part underflowed.
#[test]
fn no_sequence_of_utf8_goes_on_in_another_encoding() {
    // Big5, partly with bytes that are not text in Big5.
    let [words, signs] =
        [&b"\xA5H\xA5i\xA5a\xA5[\xA5^\xA5k"[..], b"\xA3\xE9\xA3\xCDq\xA3\xCD\xA3\xE9"];
    let [name, others] = [&b"Gr\xA0\xF6\xA0\xDFe"[..], b"\xA0\xE9e\xA3\xC7\xB6\xAC\xB7"];
    let input = [
        &[words, words, words].join(&b' ')[..],
        &[signs, others, b".", signs, name, b" ", signs, name].concat(),
        &[signs, name, b" ", signs, others, b".", signs, others].concat(),
        &[words, &[b".", signs, others].concat().repeat(4), b".", signs, name].concat(),
    ]
    .join(&b'\n');
    for to in [Some(Encoding::UTF_8), None] {
        let conversion = conversion(Options::new().on_ill_formed(OnIllFormed::Replace), to);
        let whole = convert(&conversion, &input);
        assert!(whole.found.iter().all(|found| found.end() <= input.len() as u64));
        for cut in 1..input.len() {
            assert_eq!(convert_cut(&conversion, &input, &[cut], true), whole, "{cut}");
        }
    }
}

#[test]
fn each_line_is_one_finding_that_names_the_encoding() {
    let (bytes, _) = log();
    let found = convert(&to_utf8(), &bytes).found;
    let lines: Vec<_> = found.iter().map(|found| (found.line, found.column)).collect();
    assert_eq!(lines, [(3, 1), (4, 17), (5, 1), (7, 1), (9, 1), (10, 1), (11, 1)]);
    let named: Vec<_> = found
        .iter()
        .map(|found| found.sentence.rsplit("; the line is read as ").next().unwrap())
        .collect();
    let (cyrillic, japanese, koi8) = ("windows-1251", "CP932", "KOI8-R");
    assert_eq!(named, [cyrillic, japanese, cyrillic, koi8, japanese, cyrillic, koi8]);
    let dir = Dir::new();
    dir.write("a.log", &bytes);
    let (status, out, err) = dir.run(&["-f", "auto-lines", "--check", "a.log"]);
    assert_eq!((status, out.matches("the line is read as").count()), (1, 7), "{out}{err}");
    let (status, out, _) = dir.run(&["-f", "auto-lines", "--check", "--format", "json", "a.log"]);
    assert_eq!((status, out.matches(r#""read_as":"CP932""#).count()), (1, 2), "{out}");
    let counts = r#""lines_read_as":{"CP932":2,"KOI8-R":2,"windows-1251":3}"#;
    assert_eq!(out.matches(counts).count(), 2, "{out}");
    let (_, _, err) = dir.run(&["-f", "auto-lines", "-v", "-o", "b.log", "a.log"]);
    assert!(err.contains("a.log: each line to UTF-8: "), "{err}");
}

#[test]
fn the_encodings_of_one_file_say_nothing_of_the_next() {
    let dir = Dir::new();
    dir.write(
        "a.log",
        &b"\xD3\xCF\xC5\xC4\xC9\xCE\xC5\xCE\xC9\xC5 \xDA\xC1\xCB\xD2\xD9\xD4\xCF\n".repeat(3),
    );
    dir.write(
        "b.log",
        b"\xEE\xF8\xE8\xE1\xEA\xE0: \xF4\xE0\xE9\xEB \xED\xE5 \xED\xE0\xE9\xE4\xE5\xED\n",
    );
    let (status, out, err) = dir.run(&["-f", "auto-lines", "a.log", "b.log"]);
    assert_eq!(status, 0);
    assert_eq!(out, format!("{}ошибка: файл не найден\n", "соединение закрыто\n".repeat(3)));
    let lines: Vec<_> = err.lines().collect();
    assert_eq!(
        lines,
        [
            "oxiconv: a.log: 3 lines were read as KOI8-R",
            "oxiconv: b.log: 1 line was read as windows-1251"
        ]
    );
}

#[test]
fn what_the_target_lacks_is_unmappable_as_always() {
    let dir = Dir::new();
    dir.write("a.log", &log().0);
    let args = ["-f", "auto-lines", "-t", "windows-1251", "--unmappable", "replace", "-o", "b.log"];
    let (status, _, err) = dir.run(&[&args[..], &["a.log"]].concat());
    let expected = format!("oxiconv: a.log: 21 unmappable characters were replaced, {COUNTS}\n");
    assert_eq!((status, err), (0, expected));
    let lines = dir.read("b.log");
    let lines: Vec<_> = lines.split(|byte| *byte == b'\n').collect();
    assert_eq!(lines[3], b"2024-02-03 WARN ???: ????????????\r");
    assert_eq!(lines[6], b"\xF1\xEE\xE5\xE4\xE8\xED\xE5\xED\xE8\xE5 \xE7\xE0\xEA\xF0\xFB\xF2\xEE");
    // A strict conversion stops at the first unmappable character and names its line.
    let (status, _, err) =
        dir.run(&["-f", "auto-lines", "-t", "windows-1251", "-o", "c.log", "a.log"]);
    assert!(status == 1 && err.contains("a.log:4:17: error[unmappable]: "), "{err}");
    let (status, _, err) = dir.run(&["-f", "auto-lines", "--deny", "control", "a.log"]);
    assert_eq!(status, 0, "{err}");
}

/// Returns 300 pseudorandom bytes from 80 to FF, which are not text in any encoding.
fn no_text() -> Vec<u8> {
    let mut state = 7u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as u8
    };
    (0..300).map(|_| random() | 0x80).collect()
}

#[test]
fn what_no_encoding_reads_is_ill_formed_utf8() {
    let line = [&no_text()[..], b"\n"].concat();
    let input =
        [b"ok\n", &line[..], b"\xEE\xF8\xE8\xE1\xEA\xE0 \xF1\xE5\xF0\xE2\xE5\xF0\xE0\n"].concat();
    let skipped = convert(
        &conversion(Options::new().on_ill_formed(OnIllFormed::Skip), Encoding::UTF_8),
        &input,
    );
    let out = String::from_utf8(skipped.output).unwrap();
    assert!(out.starts_with("ok\n") && out.ends_with("\nошибка сервера\n"), "{out}");
    assert!(skipped.summary.dropped() > 100, "{:?}", skipped.summary);
    assert_eq!(skipped.summary.lines_read_as.len(), 1);
    let dir = Dir::new();
    dir.write("a.log", &input);
    let (status, out, err) = dir.run(&["-f", "auto-lines", "a.log"]);
    assert_eq!((status, out.as_str()), (1, "ok\n"));
    assert!(err.contains("a.log:2:1: error["), "{err}");
}

#[test]
fn what_an_encoding_lacks_is_ill_formed() {
    // The last character of the first line is truncated.
    let input = b"\x83G\x83\x89\x81[: \x83t\x83@\x83C\x83\x8B\x82\xAA\x8C\xA9\x82\xC2\x82\xA9\x82\xE8\x82\n\x95\x5C\x8E\xA6\n";
    let replace = conversion(Options::new().on_ill_formed(OnIllFormed::Replace), Encoding::UTF_8);
    let whole = convert(&replace, input);
    assert_eq!(
        String::from_utf8(whole.output.clone()).unwrap(),
        "エラー: ファイルが見つかり\u{FFFD}\n表示\n"
    );
    for cut in 1..input.len() {
        assert_eq!(convert_cut(&replace, input, &[cut], true), whole, "{cut}");
    }
}

#[test]
fn a_line_that_is_mostly_utf8_stays_so() {
    // A stray windows-1252 byte in the first line, and a truncated character in the second.
    let input = b"Gr\xC3\xBC\xC3\x9Fe, sch\xC3\xB6n, m\xC3\xBCde, na\xEFve\nGr\xC3\xBC\xC3\x9Fe aus K\xC3\xB6ln, \xC3\n";
    let replace = conversion(Options::new().on_ill_formed(OnIllFormed::Replace), Encoding::UTF_8);
    let done = convert(&replace, input);
    assert_eq!(
        String::from_utf8(done.output).unwrap(),
        "Grüße, schön, müde, naïve\nGrüße aus Köln, \u{FFFD}\n"
    );
    assert_eq!(done.summary.lines_read_as, [(Encoding::WINDOWS_1252, 1)]);
}

/// Words with UTF-8 letters are not UTF-8 by chance, so the line is, and only the stray byte is read otherwise.
#[test]
fn a_short_line_in_utf8_with_a_stray_byte_stays_utf8() {
    for (line, expected, read_as) in [
        (&b"caf\xE9 \xC3\x83\xC2\xA9t\xC3\xA9\n"[..], "café Ã©té\n", Encoding::WINDOWS_1252),
        (b"Z\xC3\xBCrich und K\xF6ln\n", "Zürich und Köln\n", Encoding::WINDOWS_1252),
        (b"M\xC3\xA4rz gro\xDF\n", "März groß\n", Encoding::WINDOWS_1252),
        (b"caf\xC3\xA9 na\xEFve\n", "café naïve\n", Encoding::WINDOWS_1252),
        (
            b"tama\xC3\xB1o y ubicaci\xA2n\n",
            "tamaño y ubicación\n",
            Encoding::for_name("IBM850").unwrap(),
        ),
    ] {
        let to_utf8 = conversion(Options::new(), Encoding::UTF_8);
        let whole = every_cut(&to_utf8, line);
        assert_eq!(String::from_utf8(whole.output).unwrap(), expected);
        assert_eq!(whole.summary.lines_read_as, [(read_as, 1)], "{expected}");
        // Between other lines.
        let more = [b"first\n", line, b"Best\xC3\xA4tigung\n"].concat();
        let whole = convert(&to_utf8, &more);
        let expected = format!("first\n{expected}Bestätigung\n");
        assert_eq!(String::from_utf8(whole.output).unwrap(), expected);
    }
}

/// CC A3 is лё in KOI8-R and U+0323 in UTF-8. The blank after it is the only place in the line where a text could be
/// split into shards. Up to there the line is valid UTF-8, so a split would read it wrongly.
#[test]
fn threads_divide_no_line() {
    let dir = Dir::new();
    let clean = "Some lines are clean.\n".repeat(4700);
    let before = "a".repeat(100);
    // KOI8-R.
    let rest = b"\xCC\xA3 \xD3\xCF\xC5\xC4\xC9\xCE\xC5\xCE\xC9\xC5_\xDA\xC1\xCB\xD2\xD9\xD4\xCF_\
        \xC4\xCF\xD3\xD4\xD5\xD0_\xDA\xC1\xD0\xD2\xC5\xDD\xA3\xCE\n";
    let text = format!("{before}лё соединение_закрыто_доступ_запрещён\n");
    let bytes = [clean.as_bytes(), before.as_bytes(), rest].concat();
    dir.write("a.log", &bytes.repeat(46));
    let expected = format!("{clean}{text}").repeat(46);
    for jobs in ["1", "4"] {
        let (status, out, _) = dir.run(&["-f", "auto-lines", "-q", "-j", jobs, "a.log"]);
        assert!(status == 0 && out == expected, "-j {jobs}");
    }
}

/// 400,000 bytes: a line of well-formed UTF-8 is converted before it is complete.
#[test]
fn a_line_of_utf8_may_be_longer_than_what_a_source_can_show() {
    let text = "é".repeat(200_000);
    let pieces: Vec<_> = text.as_bytes().chunks(1 << 16).collect();
    assert!(convert_pieces(&to_utf8(), &pieces).output == text.as_bytes());
}

#[test]
fn a_long_line_is_read_as_its_first_part_says() {
    // 105,000 bytes of CP932. The first 64 KiB decide what the line is read as. Most of the cuts below are
    // around that boundary.
    let japanese = b"\x83G\x83\x89\x81[a".repeat(15_000);
    let text = "エラーa".repeat(15_000);
    let input = [
        &japanese[..],
        b"\n\xD3\xCF\xC5\xC4\xC9\xCE\xC5\xCE\xC9\xC5 \xDA\xC1\xCB\xD2\xD9\xD4\xCF\n",
    ]
    .concat();
    let whole = convert(&to_utf8(), &input);
    assert!(whole.output == format!("{text}\nсоединение закрыто\n").as_bytes());
    for cut in [
        1, 65_535, 65_536, 65_537, 65_538, 65_539, 65_540, 65_541, 80_000, 80_001, 105_000, 105_001,
    ] {
        assert!(convert_cut(&to_utf8(), &input, &[cut], true) == whole, "{cut}");
    }
    let pieces: Vec<_> = input.chunks(997).collect();
    assert!(convert_pieces(&to_utf8(), &pieces) == whole);
    // The line is well-formed UTF-8 up to that boundary, and ill-formed only after it.
    let utf8 = "ü".repeat(40_000);
    let input = [utf8.as_bytes(), b"\xE9 caf\xE9\ncaf\xE9 au lait\n"].concat();
    let replace = conversion(Options::new().on_ill_formed(OnIllFormed::Replace), Encoding::UTF_8);
    let whole = convert(&replace, &input);
    assert!(whole.output == format!("{utf8}\u{FFFD} caf\u{FFFD}\ncafé au lait\n").as_bytes());
    for cut in [1, 65_535, 65_536, 65_537, 65_540, 65_541, 79_999, 80_000, 80_001] {
        assert!(convert_cut(&replace, &input, &[cut], true) == whole, "{cut}");
    }
}

#[test]
fn a_language_that_is_given_decides() {
    let read = |tag, line: &[u8]| {
        let detector = Detector::new().language(oxiconv::Language::for_tag(tag).unwrap());
        let conversion =
            Options::new().build(InputEncoding::Lines(detector), Encoding::UTF_8).unwrap();
        String::from_utf8(convert(&conversion, line).output).unwrap()
    };
    // ове is EE E2 E5 in windows-1251, and é is E9 in windows-1252.
    assert_eq!(read("ru", b"\xEE\xE2\xE5\n"), "ове\n");
    assert_eq!(read("fr", b"\xE9t\xE9\n"), "été\n");
    let args = ["-f", "auto-lines", "--language", "ru"];
    let output = oxiconv().args(args).write_stdin(&b"\xEE\xE2\xE5\n"[..]).output();
    assert_eq!(output.unwrap().stdout, "ове\n".as_bytes());
}

#[test]
fn a_line_is_written_as_soon_as_it_is_complete() {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
        .args(["-f", "auto-lines"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for (bytes, text) in LINES.iter().filter(|(bytes, _)| bytes.ends_with(b"\n")) {
        input.write_all(bytes).unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert_eq!(line, *text);
    }
    // ASCII is written before its line is complete.
    input.write_all(b"login: ").unwrap();
    let mut prompt = [0; 7];
    output.read_exact(&mut prompt).unwrap();
    assert_eq!(&prompt, b"login: ");
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn options_that_make_no_sense_with_it_are_errors_of_usage() {
    let dir = Dir::new();
    dir.write("a.log", b"a\n");
    for args in [
        &["--fallback", "windows-1252"][..],
        &["--detect"],
        &["--explain"],
        &["--ignore-declaration"],
        &["--declaration", "update"],
    ] {
        let (status, out, err) = dir.run(&[&["-f", "auto-lines", "a.log"], args].concat());
        let expected = "cannot be combined with -f auto-lines";
        assert!(status == 2 && out.is_empty() && err.contains(expected), "{args:?} {err}");
    }
    let lines = InputEncoding::Lines(Detector::new());
    let error = Options::new().fallback(Encoding::WINDOWS_1252).build(lines, Encoding::UTF_8);
    let words =
        "lines that are not UTF-8 are read in detected encodings, so a fallback has no effect";
    assert_eq!(error.unwrap_err().to_string(), words);
}

/// Words that are the same bytes in two encodings do not decide between them: in `które zmieniają`, only ą differs.
#[test]
fn known_words_do_not_hide_a_line_in_a_relative() {
    let encode = |name: &str, text: &str| {
        let to = Encoding::for_name(name).unwrap();
        convert(&Options::new().build(Encoding::UTF_8, to).unwrap(), text.as_bytes()).output
    };
    let (mut log, mut expected) = (Vec::new(), String::new());
    for at in 0..26 {
        let (name, line) = match at {
            0..20 => {
                ("windows-1250", format!("różnic {at}, które wysyłają żądanie, śledź źródła\n"))
            }
            20..25 => ("ISO-8859-2", format!("moduł {at} wysyłają żądanie, śledź źródła\n")),
            _ => ("ISO-8859-2", "różnic, które zmieniają\n".to_owned()),
        };
        log.extend(encode(name, &line));
        expected.push_str(&line);
    }
    let whole = convert(&conversion(Options::new(), Encoding::UTF_8), &log);
    assert_eq!(String::from_utf8(whole.output).unwrap(), expected);
}
