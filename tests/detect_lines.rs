//! `--detect --lines`: the encoding of each line.

use serde_json::json;

use crate::formats::{Dir, events, of_type};
use crate::support::Random;
use oxiconv::Encoding;

fn encoded(text: &str, encoding: &str) -> Vec<u8> {
    oxiconv::encode(text, Encoding::for_name(encoding).unwrap()).unwrap().into_owned()
}

/// Lines in five encodings, with a stray byte in the one before the last.
fn log() -> Vec<u8> {
    [
        b"started\n".to_vec(),
        encoded("ошибка: файл не найден\r\n", "windows-1251"),
        "соединение открыто\n".into(),
        encoded("соединение закрыто, доступ запрещён\n", "koi8-r"),
        encoded("エラー: ファイルが見つかりません\n", "cp932"),
        [b"M\xE4rz ", "für große Öfen, schön süß\n".as_bytes()].concat(),
        encoded("доступ запрещён", "windows-1251"),
    ]
    .concat()
}

const ENCODINGS: [&str; 7] =
    ["US-ASCII", "windows-1251", "UTF-8", "KOI8-R", "CP932", "UTF-8", "windows-1251"];

#[test]
fn each_line_has_an_answer() {
    let dir = Dir::new();
    dir.write(b"a.log", &log());
    dir.write(b"b.log", "ä".as_bytes());
    let run = dir.run(&["--detect", "--lines", "a.log", "b.log"]);
    assert_eq!((run.status, run.err()), (0, ""));
    let mut expected: Vec<_> =
        (1..).zip(ENCODINGS).map(|(line, name)| format!("a.log:{line}: {name}")).collect();
    expected[5] += ", stray bytes that fit windows-1252";
    expected.push("b.log:1: UTF-8".to_owned());
    assert_eq!(run.out().lines().collect::<Vec<_>>(), expected);
    let run = dir.run(&["--detect", "--lines", "-q", "a.log"]);
    assert_eq!(run.out().lines().collect::<Vec<_>>(), ENCODINGS);
    let run = dir.run(&["--detect", "--lines", "-q", "b.log", "b.log"]);
    assert_eq!(run.out(), "b.log:1: UTF-8\n".repeat(2));
    let run = dir.run_on(&["--detect", "--lines"], b"\xC3\xA9\rx");
    assert_eq!(run.out(), "(standard input):1: UTF-8\n(standard input):2: US-ASCII\n");
    assert_eq!(dir.run_on(&["--detect", "--lines"], b"").out(), "");
}

/// In TCVN and windows-1258, a letter and a mark after it are two bytes. VNI cannot be the encoding of a part of a text,
/// since its marks are no characters by themselves.
#[test]
fn lines_may_be_in_any_encoding_of_vietnamese() {
    let dir = Dir::new();
    let text = "Xin chào các bạn, chúng tôi rất vui được gặp lại mọi người ở đây.\n\
                Tiếng Việt có nhiều dấu thanh, nên cần nhiều chữ cái hơn tiếng Anh.\n";
    dir.write(b"a.txt", &encoded(text, "VNI"));
    assert_eq!(dir.run(&["--detect", "--lines", "-q", "a.txt"]).out(), "unknown\n".repeat(2));
    dir.write(b"a.txt", &encoded(text, "VNI").repeat(20));
    let out = dir.run(&["--detect", "a.txt"]);
    assert!(out.out().starts_with("a.txt: VNI, 99 %"), "{}", out.out());
    for encoding in ["TCVN5712-1", "windows-1258", "VISCII", "VPS"] {
        dir.write(b"a.txt", &encoded(text, encoding));
        let run = dir.run(&["--detect", "--lines", "-q", "a.txt"]);
        assert_eq!(run.out(), format!("{encoding}\n").repeat(2), "{encoding}");
        let run = dir.run(&["-q", "-f", "auto-lines", "a.txt"]);
        let composed = run.out().replace("a\u{323}", "ạ");
        assert_eq!(composed, text, "{encoding}");
    }
}

#[test]
fn in_json_a_line_is_an_event() {
    let dir = Dir::new();
    dir.write(b"a.log", &log());
    let run = dir.run(&["--detect", "--lines", "--json", "a.log"]);
    let events = events(&run.out);
    let lines = of_type(&events, "line");
    let names: Vec<_> = lines.iter().map(|line| line["encoding"].as_str().unwrap()).collect();
    assert_eq!(names, ENCODINGS);
    let path = json!({"text": "a.log"});
    let strays = json!({"type": "line", "path": path, "line": 6, "known": true, "encoding": "UTF-8",
        "fallback": "windows-1252"});
    assert_eq!(*lines[5], strays);
}

/// Bytes without any order are no text. Only they are unknown, and only they change the exit status.
#[test]
fn a_line_that_is_no_text_is_unknown() {
    let dir = Dir::new();
    let mut random = Random(7);
    let noise: Vec<u8> = (0..120).map(|_| random.below(256) as u8 | 0x80).collect();
    dir.write(b"a.log", &[&b"x\n"[..], &noise, b"\ny\n"].concat());
    let run = dir.run(&["--detect", "--lines", "-q", "a.log"]);
    assert_eq!((run.status, run.out()), (1, "US-ASCII\nunknown\nUS-ASCII\n"));
    let run = dir.run(&["--detect", "--lines", "-s", "a.log"]);
    assert_eq!((run.status, run.out()), (1, ""));
    let run = dir.run(&["--detect", "--lines", "--json", "a.log"]);
    let events = events(&run.out);
    let lines = of_type(&events, "line");
    assert_eq!((&lines[1]["known"], &lines[1]["encoding"]), (&json!(false), &json!(null)));
}

/// Whatever the lines are, what `-f auto-lines` makes of each is what its answer makes of it.
#[test]
fn the_answers_are_those_of_auto_lines() {
    let dir = Dir::new();
    let mut random = Random(42);
    let log = log();
    let lines: Vec<&[u8]> = log.split(|byte| *byte == b'\n').collect();
    for _ in 0..12 {
        // Lines with parts of others, and some bytes changed.
        let mut text = Vec::new();
        for _ in 0..30 {
            let mut line: Vec<u8> = Vec::new();
            for _ in 0..=random.below(2) {
                let words: Vec<&[u8]> =
                    lines[random.below(lines.len())].split(|byte| *byte == b' ').collect();
                let from = random.below(words.len());
                line.extend(words[from..].join(&b' '));
            }
            if random.below(6) == 0 && !line.is_empty() {
                let at = random.below(line.len());
                line[at] = random.below(256) as u8;
            }
            line.retain(|byte| !matches!(byte, b'\n' | b'\r'));
            text.extend(line);
            text.push(b'\n');
        }
        dir.write(b"a.log", &text);
        let answers = dir.run(&["--detect", "--lines", "--json", "a.log"]);
        let answers = events(&answers.out);
        let answers = of_type(&answers, "line");
        let read = dir.run(&["-f", "auto-lines", "-e", "replace", "-q", "a.log"]);
        let read: Vec<&str> = read.out().split('\n').collect();
        let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
        assert_eq!((answers.len(), read.len()), (lines.len() - 1, lines.len()));
        let mut compared = 0;
        for (answer, (line, read)) in answers.iter().zip(lines.iter().zip(read)) {
            let Some(name) = answer["encoding"].as_str().filter(|_| answer["fallback"].is_null())
            else {
                continue;
            };
            let encoding = Encoding::for_name(name).unwrap();
            if let Ok(expected) = oxiconv::decode(line, encoding) {
                assert_eq!(read, expected, "{answer}: {line:02X?}");
                compared += 1;
            }
        }
        assert!(compared > 15, "{compared} of {}", lines.len());
    }
}

#[test]
fn a_text_in_wide_units_has_no_lines_in_other_encodings() {
    let dir = Dir::new();
    dir.write(b"a.txt", b"\xFF\xFEa\0\n\0");
    let run = dir.run(&["--detect", "--lines", "a.txt"]);
    let expected = "oxiconv: a.txt: the text is UTF-16 as a whole (leave out --lines)\n";
    assert_eq!((run.status, run.err()), (2, expected));
}

/// What is not text in bytes has lines that look like ASCII. The answers are then followed by what it is.
#[test]
fn the_lines_of_what_is_no_text_in_bytes_are_not_known() {
    let dir = Dir::new();
    let wide: Vec<u8> = "hello\nworld\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let data: Vec<u8> = (0..=u8::MAX).cycle().take(1000).collect();
    for (bytes, words) in [
        (wide, "the text looks like UTF-16LE"),
        (b"\x1B$B4A;z\x1B(B\n".to_vec(), "the text looks like ISO-2022-JP"),
        (data, "the file looks binary"),
    ] {
        dir.write(b"a", &bytes);
        let run = dir.run(&["--detect", "--lines", "a"]);
        let expected = format!("oxiconv: a: {words} (leave out --lines)\n");
        assert_eq!((run.status, run.err()), (1, &expected[..]));
        let run = dir.run(&["--detect", "--lines", "--json", "a"]);
        let events = events(&run.out);
        assert_eq!(of_type(&events, "note").len(), 1, "{events:?}");
    }
    dir.write(b"d/b", &[0; 500]);
    dir.write(b"d/t", b"x\0y\n\xE9t\xE9\n");
    let run = dir.run(&["--detect", "--lines", "-q", "-r", "d"]);
    assert_eq!(run.out(), "d/t:1: US-ASCII\nd/t:2: windows-1252\n");
}

/// A text in two encodings costs more in each than a text in one, and is no surer because readings that cost even more
/// are not looked at.
#[test]
fn a_text_in_two_encodings_is_not_taken_for_one() {
    let dir = Dir::new();
    let ebcdic = encoded("iteraciones para rec", "ibm037");
    let latin =
        b"\nConsiderando esencial que los derechos humanos sean protegidos por un r\xE9gimen de\n";
    dir.write(b"a", &[&ebcdic[..], latin].concat());
    let run = dir.run(&["--detect", "-q", "a"]);
    assert_eq!((run.status, run.out()), (1, "unknown\n"));
}
