//! Declarations of the encoding inside a text: `-f auto` believes them, and a conversion notes or rewrites them.

use crate::common::{Dir, oxiconv};

const NOTE: &str = " (--declaration=update rewrites it)\n";

/// Converts `text` with these options; returns the exit status, the output and the messages.
fn run(options: &[&str], text: &[u8]) -> (i32, Vec<u8>, String) {
    let output = oxiconv().args(options).write_stdin(text).output().unwrap();
    let messages = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), output.stdout, messages)
}

fn written(options: &[&str], text: &[u8]) -> String {
    let (status, text, messages) = run(options, text);
    assert_eq!((status, &messages[..]), (0, ""), "{options:?}");
    String::from_utf8(text).unwrap()
}

/// привет in windows-1251
const PRIVET: &[u8] = b"\xEF\xF0\xE8\xE2\xE5\xF2";

fn with_privet(start: &str) -> Vec<u8> {
    [start.as_bytes(), PRIVET].concat()
}

/// One word has too few letters for detection, so the declaration decides.
#[test]
fn a_declaration_decides_where_letters_cannot() {
    for start in [
        "<?xml version='1.0' encoding='windows-1251'?><a>",
        "<html><head><title>a</title><meta charset=\"windows-1251\">",
        "<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>",
        "@charset \"windows-1251\"; a:after { content: ",
        "#!/usr/bin/env python\n# -*- coding: windows-1251 -*-\n# ",
        ";; -*- mode: lisp; coding: windows-1251-unix -*-\n",
        "/* vim: set fileencoding=cp1251 : */ ",
        "From: a\nContent-Type: text/plain;\n charset=windows-1251\n\n",
        "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=CP1251\\n\"\n# ",
    ] {
        let text = with_privet(start);
        let output = written(&["-f", "auto", "--declaration", "keep"], &text);
        assert_eq!(output, format!("{start}привет"));
        // The same three bytes are different words in two Cyrillic encodings.
        let koi8 = start.replace("windows-1251", "koi8-r").replace("1251", "20866");
        for (start, word) in [(start, "мир"), (&koi8, "ЛХП")] {
            let text = [start.as_bytes(), b"\xEC\xE8\xF0"].concat();
            let output = written(&["-f", "auto", "--declaration=keep"], &text);
            assert_eq!(output, format!("{start}{word}"));
        }
    }
}

#[test]
fn a_declaration_is_ignored_on_request() {
    // German in ISO-8859-1. Its letters are enough to detect it, but not enough to refute the declaration.
    let german = b"Die gr\xF6\xDFte Stadt im Norden ist Hamburg, und sie liegt an der Elbe. ";
    let text = [b"<meta charset=koi8-r>", &german[..]].concat();
    let believed = written(&["-f", "auto", "--declaration=keep"], &text);
    assert!(believed.contains("grЖъte"), "{believed}");
    let ignored = written(&["-f", "auto", "--ignore-declaration", "--declaration=keep"], &text);
    assert!(ignored.contains("größte Stadt im Norden"), "{ignored}");
    let (status, _, message) = run(&["-f", "latin1", "--ignore-declaration"], b"");
    assert_eq!(status, 2);
    assert!(message.contains("--ignore-declaration requires"), "{message}");
}

#[test]
fn a_false_declaration_is_noted_once_for_each_file() {
    let dir = Dir::new();
    dir.write("a.html", &with_privet("<meta charset=windows-1251>"));
    dir.write("b.xml", &with_privet("<?xml version='1.0' encoding='windows-1251'?>"));
    dir.write("c.txt", &with_privet(""));
    dir.write("d.html", &with_privet("<meta charset=utf-8>"));
    let files = ["a.html", "b.xml", "c.txt", "d.html"];
    let (status, _, messages) = dir.run(&[&["-f", "cp1251"], &files[..]].concat());
    assert_eq!(status, 0);
    assert_eq!(
        messages,
        format!(
            "oxiconv: a.html: still declares charset=windows-1251{NOTE}\
             oxiconv: b.xml: still declares encoding=\"windows-1251\"{NOTE}"
        )
    );
    let (_, _, quiet) = dir.run(&[&["-q", "-f", "cp1251"], &files[..]].concat());
    assert_eq!(quiet, "");
    let (_, _, kept) = dir.run(&[&["--declaration=keep", "-f", "cp1251"], &files[..]].concat());
    assert_eq!(kept, "");
    let (_, _, checked) = dir.run(&["--check", "-f", "cp1251", "-t", "utf-8", "a.html"]);
    assert_eq!(checked, "");
    // If the encoding does not change, a wrong declaration is no more wrong than before.
    let (_, _, same) = dir.run(&["-f", "cp1251", "-t", "cp1251", "d.html", "-o", "out"]);
    assert_eq!(same, "");
    let (status, out, _) = dir.run(&["--format", "json", "-f", "cp1251", "-o", "out", "a.html"]);
    assert_eq!((status, &out[..]), (0, ""));
}

#[test]
fn forms_of_a_note() {
    for (start, shown) in [
        ("@charset \"windows-1251\";", "@charset \"windows-1251\""),
        ("# -*- coding: windows-1251 -*-\n", "coding: windows-1251"),
        ("// vim: fenc=cp1251\n", "fileencoding=cp1251"),
    ] {
        let (status, _, messages) = run(&["-f", "cp1251"], &with_privet(start));
        let expected = format!("oxiconv: (standard input): still declares {shown}{NOTE}");
        assert_eq!((status, messages), (0, expected));
    }
    // The header of a mail is never rewritten.
    let mail = with_privet("From: a\nContent-Type: text/plain; charset=windows-1251\n\n");
    for mode in ["note", "update"] {
        let (status, _, messages) = run(&["-f", "cp1251", "--declaration", mode], &mail);
        let expected = "oxiconv: (standard input): still declares charset=windows-1251\n";
        assert_eq!((status, &messages[..]), (0, expected));
    }
}

/// Nothing changes except the label.
#[test]
fn a_declaration_is_rewritten() {
    for (start, target, rewritten) in [
        (
            "<?xml  version='1.0'\n encoding = 'windows-1251' ?>",
            "utf-8",
            "<?xml  version='1.0'\n encoding = 'UTF-8' ?>",
        ),
        ("<META  CharSet=Windows-1251 />", "utf-8", "<META  CharSet=UTF-8 />"),
        (
            "<meta http-equiv=Content-Type content=\"text/html; charset=windows-1251\" >",
            "utf-8",
            "<meta http-equiv=Content-Type content=\"text/html; charset=UTF-8\" >",
        ),
        // All of them, because some programs read the second one.
        (
            "<?xml encoding='cp1251'?><html><meta charset=cp1251><meta charset=koi8-r><body>",
            "utf-8",
            "<?xml encoding='UTF-8'?><html><meta charset=UTF-8><meta charset=UTF-8><body>",
        ),
        ("@charset \"windows-1251\";", "utf-8", "@charset \"UTF-8\";"),
        ("#!python\n# -*- coding: cp1251 -*-\n", "utf-8", "#!python\n# -*- coding: utf-8 -*-\n"),
        (";; -*- coding: windows-1251-dos; -*-\r\n", "utf-8", ";; -*- coding: utf-8-dos; -*-\r\n"),
        ("\n// vim: fenc=cp1251 ts=4\n", "utf-8", "\n// vim: fenc=utf-8 ts=4\n"),
        (
            "msgid \"\"\n\"Content-Type: text/plain; charset=CP1251\\n\"\n",
            "utf-8",
            "msgid \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n",
        ),
        // Not a declaration, already correct, or an unknown label.
        ("<p>charset=windows-1251", "utf-8", "<p>charset=windows-1251"),
        ("<meta charset=Utf8>", "utf-8", "<meta charset=Utf8>"),
        ("<meta charset=nonsense>", "utf-8", "<meta charset=nonsense>"),
    ] {
        let output =
            written(&["-f", "cp1251", "-t", target, "--declaration=update"], &with_privet(start));
        assert_eq!(output, format!("{rewritten}привет"), "{start}");
    }
    for (target, label) in [("koi8-r", "KOI8-R"), ("cp866", "IBM866"), ("iso-8859-5", "ISO-8859-5")]
    {
        let html = with_privet("<meta charset=windows-1251>");
        let options = ["-f", "cp1251", "-t", target, "--declaration=update"];
        let (status, output, _) = run(&options, &html);
        assert_eq!(status, 0);
        assert!(output.starts_with(format!("<meta charset={label}>").as_bytes()), "{target}");
    }
    // CP932 is Shift_JIS on the web and Windows-31J at IANA.
    let both = "<?xml encoding='utf-8'?><meta charset=utf-8>あ".as_bytes();
    let (_, output, _) = run(&["-t", "cp932", "--declaration=update"], both);
    assert_eq!(output, b"<?xml encoding='Windows-31J'?><meta charset=Shift_JIS>\x82\xA0");
}

/// A label that continues in the next record is rewritten as a whole, and the line ending comes after it.
#[test]
fn a_label_in_several_records_is_rewritten() {
    // Records of 12 bytes: `# coding: la`, `tin-1 caf\xE9 a`, `bc`.
    let text = b"# coding: latin-1 caf\xE9 abc";
    let lines = "# coding: utf-8\n café a\nbc\n";
    // Records of 3 bytes: the label starts in the fourth, after a blank that stays, and ends in the sixth, before a
    // blank that stays. Nothing remains of the fifth.
    let narrow = "# c\nodi\nng:\n utf-8\n\n \ncaf\né a\nbc\n";
    for (length, expected) in [("12", lines), ("3", narrow)] {
        let options = ["-v", "-f", "latin1", "--declaration=update", "--record-length", length];
        let (status, output, messages) = run(&options, text);
        assert_eq!(status, 0, "{messages}");
        assert_eq!(String::from_utf8(output).unwrap(), expected, "{length}");
        assert!(messages.contains("rewritten as utf-8"), "{messages}");
    }
}

/// Input and output may have code units of two or four bytes and a byte order mark.
#[test]
fn declarations_in_wide_units_are_rewritten_too() {
    let xml = "<?xml version='1.0' encoding='utf-16'?><a>é</a>";
    let update = "--declaration=update";
    let utf8 = "\u{FEFF}<?xml version='1.0' encoding='UTF-8'?><a>é</a>";
    for name in ["utf-16", "utf-32"] {
        let (_, wide, _) = run(&["-t", name, "--declaration=keep"], xml.as_bytes());
        for from in [name, "auto"] {
            let output = written(&["-f", from, update], &wide);
            assert_eq!(output, utf8.trim_start_matches('\u{FEFF}'), "{name} {from}");
        }
    }
    let (status, wide, _) = run(&["-t", "utf-16", update], utf8.as_bytes());
    assert_eq!(status, 0);
    let units: Vec<u16> =
        wide.chunks(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect();
    let expected = "\u{FEFF}<?xml version='1.0' encoding='UTF-16'?><a>é</a>";
    assert_eq!(String::from_utf16(&units).unwrap(), expected);
    let output = run(&["-t", "IBM1047", update], xml.as_bytes()).1;
    let back = written(&["-f", "IBM1047", "--declaration=keep"], &output);
    assert_eq!(back, xml.replace("utf-16", "IBM1047"));
}

/// The result does not depend on how the text arrives or on the number of threads. The position of a fault refers to
/// the input, although the label changes the length of the text.
#[test]
fn the_way_of_the_text_makes_no_difference() {
    let head = "<meta charset=windows-1251>";
    let long = [head.as_bytes(), &[PRIVET, b"\n"].concat().repeat(1_000_000)].concat();
    let expected = "<meta charset=UTF-8>".to_owned() + &"привет\n".repeat(1_000_000);
    let dir = Dir::new();
    dir.write("long.html", &long);
    for jobs in ["1", "4"] {
        for from in ["cp1251", "auto"] {
            let args = ["-f", from, "-j", jobs, "--declaration=update"];
            let (status, text, message) = dir.run(&[&args[..], &["long.html"]].concat());
            assert_eq!((status, &message[..]), (0, ""));
            assert!(text == expected, "-j {jobs} -f {from}");
            assert!(written(&args, &long) == expected, "standard input");
        }
    }
    for at in [4_080, 4_090, 4_096, 5_000] {
        // Only the first 4096 bytes are searched. A declaration counts only if all of it is there.
        let text = format!("<!--{}--><meta charset=utf-8>€", "-".repeat(at - 30));
        let is_in_time = at - 30 + 7 + "<meta charset=utf-8>".len() <= 4_096;
        let (_, output, _) = run(&["-t", "utf-16le", "--declaration=update"], text.as_bytes());
        let utf16 =
            |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
        let label = if is_in_time { "UTF-16LE" } else { "utf-8" };
        assert!(output == utf16(&text.replace("utf-8", label)), "{at}");
    }
    let bad = b"<meta charset=latin1>\n<title>\xFF</title>\n";
    for mode in ["keep", "update"] {
        let option = format!("--declaration={mode}");
        let (status, output, messages) = run(&["-e", "report", "-t", "utf-16le", &option], bad);
        assert_eq!(status, 1);
        assert!(messages.contains(":2:8: error[invalid-byte]: FF at byte 29 (0x1d)"), "{messages}");
        assert_eq!(output.len() / 2, bad.len() + if mode == "update" { 2 } else { 0 });
    }
    // Faults before and after the label, which -c leaves out.
    let bad = b"<title>\xFF\xFE</title><meta charset=latin1>\xFF";
    let (_, output, _) = run(&["-q", "-c", "-t", "koi8-r", "--declaration=update"], bad);
    assert_eq!(output, b"<title></title><meta charset=KOI8-R>");
    // ASCII is a subset of Latin-1, so the declaration remains true.
    let (_, output, _) = run(&["-q", "-c", "-t", "ascii", "--declaration=update"], bad);
    assert_eq!(output, b"<title></title><meta charset=latin1>");
    // Transliteration handles characters one by one and holds back letters that may get a combining mark.
    let text = "<title>e\u{301}</title><meta charset=utf-8>e\u{301}".as_bytes();
    let (_, output, _) = run(&["-q", "-t", "latin1//TRANSLIT", "--declaration=update"], text);
    assert_eq!(output, b"<title>\xE9</title><meta charset=ISO-8859-1>\xE9");
}

/// A dry run reports what would be rewritten. `--verify` reads back the text with the new label.
#[test]
fn files_in_place_are_rewritten() {
    let dir = Dir::new();
    let page = with_privet("<meta charset=windows-1251>");
    dir.write("page.html", &page);
    // ASCII: no byte changes except in the label.
    dir.write("plain.html", b"<meta charset=windows-1251>");
    dir.write("done.html", b"<meta charset=utf-8>");
    let files = ["page.html", "plain.html", "done.html"];
    let update = ["-f", "cp1251", "-i", "--declaration=update"];
    let (status, _, messages) = dir.run(&[&update[..], &["--dry-run"], &files].concat());
    assert_eq!(status, 0);
    for name in ["page.html", "plain.html"] {
        let rewritten = format!("oxiconv: {name}: charset=windows-1251 rewritten as UTF-8\n");
        assert!(messages.contains(&rewritten), "{messages}");
        assert!(messages.contains(&format!("oxiconv: {name}: would be written\n")), "{messages}");
    }
    assert!(!messages.contains("done.html"), "{messages}");
    assert_eq!(dir.read("page.html"), page);
    let (status, _, messages) = dir.run(&[&update[..], &["--verify"], &files].concat());
    assert_eq!((status, &messages[..]), (0, "oxiconv: 2 written, 1 unchanged\n"));
    assert_eq!(dir.read("page.html"), "<meta charset=UTF-8>привет".as_bytes());
    assert_eq!(dir.read("plain.html"), b"<meta charset=UTF-8>");
    assert_eq!(dir.read("done.html"), b"<meta charset=utf-8>");
    // A second run: the files are UTF-8 and declare it.
    let again = ["-f", "auto", "-i", "--declaration=update"];
    let (status, _, messages) = dir.run(&[&again[..], &files].concat());
    assert_eq!((status, &messages[..]), (0, "oxiconv: 0 written, 3 unchanged\n"));
    // The encoding does not change, but the declaration is wrong.
    dir.write("lie.html", "<meta charset=koi8-r>привет".as_bytes());
    dir.run(&["-O", "out", "--declaration=update", "lie.html"]);
    assert_eq!(dir.read("out/lie.html"), "<meta charset=UTF-8>привет".as_bytes());
}

/// A stream is converted as it arrives, although a declaration may be noted at its end. (`--declaration=update` has to
/// wait for the bytes that it searches.)
#[test]
fn notes_hold_nothing_back() {
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};

    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
        .args(["-f", "cp1251"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"<meta charset=windows-1251>\n").unwrap();
    let mut first = [0; 28];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(&first, b"<meta charset=windows-1251>\n");
    drop(input);
    let messages = child.wait_with_output().unwrap().stderr;
    assert!(String::from_utf8(messages).unwrap().ends_with(NOTE));
}

/// Under the name iconv, standard error has only what iconv prints.
#[cfg(unix)]
#[test]
fn iconv_says_nothing_of_declarations() {
    let dir = Dir::new();
    let program = assert_cmd::cargo::cargo_bin!("oxiconv");
    std::os::unix::fs::symlink(program, dir.path("iconv")).unwrap();
    let page = dir.write("page.html", &with_privet("<meta charset=windows-1251>"));
    let output = std::process::Command::new(dir.path("iconv"))
        .args(["-f", "CP1251", "-t", "UTF-8"])
        .arg(page)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.stdout, "<meta charset=windows-1251>привет".as_bytes());
}

#[test]
fn a_check_writes_no_declaration() {
    let (status, _, message) = run(&["--check", "--declaration=update"], b"");
    assert_eq!(status, 2);
    assert!(message.contains("--check cannot be combined with --declaration"), "{message}");
}
