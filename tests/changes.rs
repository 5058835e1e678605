//! Changes to a text while it is converted: line endings, a final line ending, and denied characters. Alone and
//! combined, for every split, through the library and in place.

use std::io::{Read, Write};

use crate::common::{Dir, run};
use crate::sample;
use crate::support::{
    Outcome, Random, With, convert, convert_cut, convert_pieces, encode, every_cut, strict,
};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::diagnostic::DeniedKind;
use oxiconv_transcode::{
    Conversion, Error, NewlineMode, OnDenied, OnIllFormed, OnUnmappable, Options, OptionsError,
    Reader, Threads, Writer,
};

/// The modes that change line endings: mode, command-line value, and the line ending that it writes.
const MODES: [(NewlineMode, &str, &str); 4] = [
    (NewlineMode::LineFeed, "lf", "\n"),
    (NewlineMode::Both, "crlf", "\r\n"),
    (NewlineMode::CarriageReturn, "cr", "\r"),
    (NewlineMode::NextLine, "nel", "\u{85}"),
];

/// Returns `text` with its line endings replaced. NEL is not one of them, as in any encoding except EBCDIC.
fn ended(text: &str, end: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").replace('\n', end)
}

fn newlines(from: &str, to: &str, mode: NewlineMode) -> Conversion {
    strict(from, to).with(|it| it.write_newlines(mode))
}

/// Converts with every cut, through a `Writer` byte by byte, and through a `Reader`. All results must be the same.
fn every_way(conversion: &Conversion, input: &[u8]) -> Outcome {
    let whole = every_cut(conversion, input);
    let mut writer = Writer::new(Vec::new(), conversion);
    let mut written = Ok(());
    for byte in input {
        written = written.and_then(|()| writer.write_all(&[*byte]));
    }
    match writer.finish() {
        Ok((output, summary)) => {
            assert_eq!((output, summary), (whole.output.clone(), whole.summary.clone()))
        }
        Err(error) => assert!(whole.summary.stopped, "{error}"),
    }
    if !whole.summary.stopped {
        let mut read = Vec::new();
        Reader::new(input, conversion).read_to_end(&mut read).unwrap();
        assert_eq!(read, whole.output);
    }
    whole
}

#[test]
fn all_line_ends_become_the_one_that_is_named_however_the_text_is_cut() {
    for text in [
        "",
        "\r",
        "\n",
        "\r\n",
        "a\r\nb\rc\nd",
        "\r\r\n\n\r",
        "é\n\r€\r\n😀\r",
        "a\u{85}\u{2028}\u{2029}\u{B}\u{C}b\r",
    ] {
        for (mode, _, end) in MODES {
            for (from, to) in [
                ("UTF-8", "UTF-8"),
                ("UTF-8", "UTF-16LE"),
                ("UTF-16BE", "UTF-8"),
                ("UTF-16", "UTF-16"),
                ("UTF-32LE", "UTF-16BE"),
            ] {
                let done = every_way(&newlines(from, to, mode), &encode(text, from));
                assert_eq!(done.output, encode(&ended(text, end), to), "{text:?} {mode:?} {from}");
                // Counts refer to the input, not to the output.
                assert_eq!(done.summary.characters, text.chars().count() as u64, "{text:?}");
                assert_eq!(done.summary.lines, text.matches('\n').count() as u64, "{text:?}");
            }
        }
        let kept = every_way(&newlines("UTF-8", "UTF-8", NewlineMode::Keep), text.as_bytes());
        assert_eq!(kept.output, text.as_bytes());
    }
}

/// In the table of IBM1047, byte 15 is NEL (U+0085) and byte 25 is LF (U+000A). `ebcdic_newline` swaps them.
#[test]
fn the_line_end_of_ebcdic_is_one_too() {
    use oxiconv_encodings::codec::EbcdicNewline;
    // A, NEL, B, LF, C, CR NEL, D, CR LF, E, CR, F
    let input = b"\xC1\x15\xC2\x25\xC3\x0D\x15\xC4\x0D\x25\xC5\x0D\xC6";
    for (mode, _, end) in MODES {
        let done = every_way(&newlines("IBM1047", "UTF-8", mode), input);
        assert_eq!(
            String::from_utf8(done.output).unwrap(),
            ["A", "B", "C", "D", "E", "F"].join(end)
        );
        let exchanged = newlines("IBM1047", "UTF-8", mode)
            .with(|it| it.ebcdic_newline(EbcdicNewline::LineFeed));
        let done = every_way(&exchanged, input);
        assert_eq!(
            String::from_utf8(done.output).unwrap(),
            ["A", "B", "C", "D", "E", "F"].join(end)
        );
    }
    for (newline, mode, byte) in [
        (EbcdicNewline::NextLine, NewlineMode::NextLine, 0x15),
        (EbcdicNewline::NextLine, NewlineMode::LineFeed, 0x25),
        (EbcdicNewline::LineFeed, NewlineMode::NextLine, 0x25),
        (EbcdicNewline::LineFeed, NewlineMode::LineFeed, 0x15),
    ] {
        let to = newlines("UTF-8", "IBM1047", mode).with(|it| it.ebcdic_newline(newline));
        assert_eq!(every_way(&to, b"A\r\nB\n").output, [0xC1, byte, 0xC2, byte]);
    }
    // Shifts between CR and NEL, in a double-byte EBCDIC charset.
    let done =
        every_way(&newlines("IBM930", "UTF-8", NewlineMode::LineFeed), b"\xC1\x0D\x0E\x0F\x15\xC2");
    assert_eq!(done.output, b"A\nB");
    // In other encodings U+0085 does not end a line. It is often a windows-1252 ellipsis, misread as ISO-8859-1.
    let latin1 = newlines("ISO-8859-1", "ISO-8859-1", NewlineMode::LineFeed);
    assert_eq!(every_way(&latin1, b"a\x85\r\x85\n").output, b"a\x85\n\x85\n");
}

/// Bytes that only change the state of an encoding do not separate CR from LF. An ill-formed subsequence does, if
/// something is written for it.
#[test]
fn a_carriage_return_belongs_to_the_line_feed_after_it_whatever_bytes_are_between() {
    let lf = |from: &str| newlines(from, "UTF-8", NewlineMode::LineFeed);
    let shifts = [b"a\r".as_slice(), &b"\x1B(B".repeat(3000), b"\nb\r\x1B$B$\"\x1B(B\n"].concat();
    assert_eq!(convert(&lf("ISO-2022-JP"), &shifts).output, "a\nb\nあ\n".as_bytes());
    assert_eq!(
        convert_cut(&lf("ISO-2022-JP"), &shifts, &[2, 4000, 9002], true).output,
        "a\nb\nあ\n".as_bytes()
    );
    assert_eq!(every_way(&lf("ISO-2022-JP"), b"a\r\x1B(B\x1B(B\nb\r\x1B(Bc").output, b"a\nb\nc");
    assert_eq!(every_way(&lf("SCSU"), b"a\r\x10\x11\nb").output, b"a\nb");
    assert_eq!(every_way(&lf("UTF-7"), b"a+AA0ACg-b+AA0-\nc").output, b"a\nb\nc");
    for (on_ill_formed, expected) in [
        (OnIllFormed::Replace, "a\n\u{FFFD}\nb"),
        (OnIllFormed::Escape, "a\n\\xFF\nb"),
        // Nothing is written between CR and LF, so the next program would see CRLF.
        (OnIllFormed::Skip, "a\nb"),
    ] {
        let conversion = lf("UTF-8").with(|it| it.on_ill_formed(on_ill_formed));
        assert_eq!(every_way(&conversion, b"a\r\xFF\nb").output, expected.as_bytes());
    }
    // Line endings are changed before the text is encoded, so an unmappable character separates CR from LF even if it
    // is skipped.
    for (on_unmappable, expected) in
        [(OnUnmappable::Skip, "a\r\n\r\nb"), (OnUnmappable::Xml, "a\r\n&#x20AC;\r\nb")]
    {
        let conversion = newlines("UTF-8", "US-ASCII", NewlineMode::Both)
            .with(|it| it.on_unmappable(on_unmappable));
        assert_eq!(every_way(&conversion, "a\r€\nb".as_bytes()).output, expected.as_bytes());
    }
    // A conversion that stops after a CR has written the line ending for it.
    let done = every_way(&lf("UTF-8"), b"a\r\n\r\xFF\n");
    assert_eq!(
        (done.output, done.summary.bytes_read, done.summary.stopped),
        (b"a\n\n".to_vec(), 4, true)
    );
}

/// A flush writes the line ending for a CR at once, although LF may follow. That LF then writes nothing.
#[test]
fn a_line_is_written_when_it_is_complete() {
    let conversion =
        newlines("UTF-8", "UTF-8", NewlineMode::LineFeed).with(|it| it.write_final_newline(true));
    let output = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    struct Shared(std::rc::Rc<std::cell::RefCell<Vec<u8>>>);
    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.borrow_mut().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut writer = Writer::new(Shared(std::rc::Rc::clone(&output)), &conversion);
    for (piece, expected) in [
        ("a\r", "a\n"),
        ("\nb", "a\nb"),
        ("\r\n", "a\nb\n"),
        ("\n", "a\nb\n\n"),
        ("c", "a\nb\n\nc"),
    ] {
        writer.write_all(piece.as_bytes()).unwrap();
        writer.flush().unwrap();
        assert_eq!(*output.borrow(), expected.as_bytes());
    }
    writer.finish().unwrap();
    assert_eq!(*output.borrow(), b"a\nb\n\nc\n");
}

/// The same through a pipe that delivers lines now and then, as `tail -f` does.
#[test]
fn a_line_of_a_pipe_is_written_while_the_pipe_is_open() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
        .args(["--newline", "lf", "--final-newline", "--deny", "nul", "--denied", "skip", "-q"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut to, mut from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    for (piece, expected) in [("a\r", "a\n"), ("\n\0b\r\n", "b\n"), ("c", "c"), ("\r", "\n")] {
        to.write_all(piece.as_bytes()).unwrap();
        let mut got = vec![0; expected.len()];
        from.read_exact(&mut got).unwrap();
        assert_eq!(got, expected.as_bytes());
    }
    to.write_all(b"\nd").unwrap();
    drop(to);
    let mut rest = String::new();
    from.read_to_string(&mut rest).unwrap();
    assert_eq!((&rest[..], child.wait().unwrap().code()), ("d\n", Some(0)));
}

/// Each file is a separate text: LF at its start does not belong to CR at the end of the previous file.
#[test]
fn texts_that_are_joined_have_their_own_line_ends() {
    let dir = Dir::new();
    dir.write("a", b"1\r");
    dir.write("b", b"\n2");
    dir.write("c", b"");
    dir.write("d", b"3\r\n4");
    let joined = |args: &[&str]| {
        let output = crate::common::oxiconv()
            .current_dir(dir.path(""))
            .args(args)
            .args(["a", "b", "c", "d"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(joined(&["--newline", "lf"]), "1\n\n23\n4");
    assert_eq!(joined(&["--final-newline"]), "1\r\n2\n3\r\n4\r\n");
    assert_eq!(joined(&["--final-newline", "--newline=crlf"]), "1\r\n\r\n2\r\n3\r\n4\r\n");
    assert_eq!(joined(&["--newline", "keep"]), "1\r\n23\r\n4");
}

/// If no line ending is requested, the added one is that of the first line. Expected values were written by hand.
#[test]
fn a_text_gets_a_line_end_if_it_is_not_empty_and_has_none() {
    for (text, expected) in [
        ("", ""),
        ("a", "a\n"),
        ("a\n", "a\n"),
        ("a\r", "a\r"),
        ("a\r\n", "a\r\n"),
        ("\n\n", "\n\n"),
        ("a\nb", "a\nb\n"),
        ("a\rb", "a\rb\r"),
        ("a\r\nb", "a\r\nb\r\n"),
        ("a\r\nb\nc\rd", "a\r\nb\nc\rd\r\n"),
        ("\u{FEFF}", "\u{FEFF}"),
        ("\u{FEFF}a", "\u{FEFF}a\n"),
        ("a\u{2028}", "a\u{2028}\n"),
        ("a\u{85}", "a\u{85}\n"),
        ("a\r\u{85}b", "a\r\u{85}b\r"),
    ] {
        for (from, to) in [("UTF-8", "UTF-8"), ("UTF-16LE", "UTF-16LE"), ("UTF-16BE", "UTF-32LE")] {
            let keep = strict(from, to).with(|it| it.write_final_newline(true));
            let done = every_way(&keep, &encode(text, from));
            assert_eq!(done.output, encode(expected, to), "{text:?} {from}");
            // A second conversion adds nothing.
            assert_eq!(
                convert(&strict(to, to).with(|it| it.write_final_newline(true)), &done.output)
                    .output,
                done.output
            );
            for (mode, _, end) in MODES {
                let both = keep.with(|it| it.write_newlines(mode));
                let mut expected = ended(text, end);
                if !expected.trim_start_matches('\u{FEFF}').is_empty() && !expected.ends_with(end) {
                    expected += end;
                }
                let done = every_way(&both, &encode(text, from));
                assert_eq!(done.output, encode(&expected, to), "{text:?} {mode:?}");
            }
        }
    }
    let ebcdic = strict("IBM1047", "UTF-8").with(|it| it.write_final_newline(true));
    assert_eq!(every_way(&ebcdic, b"\xC1\x15").output, "A\u{85}".as_bytes());
    assert_eq!(every_way(&ebcdic, b"\xC1\x15\xC2").output, "A\u{85}B\u{85}".as_bytes());
    assert_eq!(every_way(&ebcdic, b"\xC1\x0D\x15\xC2").output, "A\r\u{85}B\r\u{85}".as_bytes());
    assert_eq!(every_way(&ebcdic, b"\xC1").output, b"A\n");
    // Nothing is added if no text is left, or if the text ends with a line ending once its faults are skipped.
    let bare = ebcdic.with(|it| it.deny([DeniedKind::Nul]).on_denied(OnDenied::Skip));
    assert_eq!(every_way(&bare, b"\0\0").output, b"");
    let cut = strict("UTF-8", "UTF-8")
        .with(|it| it.on_ill_formed(OnIllFormed::Skip).write_final_newline(true));
    assert_eq!(every_way(&cut, b"a\n\xE2\x82").output, b"a\n");
    // Nothing is added after a stop.
    let stopped = strict("UTF-8", "UTF-8").with(|it| it.write_final_newline(true));
    assert_eq!(every_way(&stopped, b"a\xFFb").output, b"a");
    // Values above U+10FFFF are text too.
    let large = strict("UTF-8-8BYTE", "UTF-8-8BYTE").with(|it| it.write_final_newline(true));
    let value = b"\xFF\x88\x80\x80\x80\x80\x80\x80";
    assert_eq!(every_way(&large, value).output, [&value[..], b"\n"].concat());
    assert_eq!(
        every_way(
            &large.with(|it| it.write_newlines(NewlineMode::Both)),
            &[b"\r", &value[..], b"\n"].concat()
        )
        .output,
        [b"\r\n", &value[..], b"\r\n"].concat()
    );
}

/// The refusal comes before anything is read.
#[test]
fn a_line_end_that_the_target_lacks_is_refused() {
    let refused = |options: Options, to| {
        let to = Encoding::for_name(to).unwrap();
        options.build(Encoding::for_name("UTF-8").unwrap(), to).map(drop).unwrap_err().to_string()
    };
    let mode = |mode| Options::new().write_newlines(mode);
    let words = "US-ASCII has no line ending NEL";
    assert_eq!(refused(mode(NewlineMode::NextLine), "US-ASCII"), words);
    let words = "windows-1252 has no line ending NEL";
    assert_eq!(refused(mode(NewlineMode::NextLine), "windows-1252"), words);
    let words = "UTF-8-HUNK3 has no line ending CRLF";
    assert_eq!(refused(mode(NewlineMode::Both), "UTF-8-HUNK3"), words);
    let words = "UTF-8-HUNK3 has no line ending LF";
    assert_eq!(refused(Options::new().write_final_newline(true), "UTF-8-HUNK3"), words);
    for (to, mode) in
        [("ISO-8859-1", NewlineMode::NextLine), ("US-ASCII", NewlineMode::CarriageReturn)]
    {
        assert!(
            Options::new()
                .write_newlines(mode)
                .build(Encoding::for_name("UTF-8").unwrap(), Encoding::for_name(to).unwrap())
                .is_ok()
        );
    }
    // Without a target nothing is written, so the line ending does not matter.
    assert!(mode(NewlineMode::NextLine).build(Encoding::for_name("UTF-8").unwrap(), None).is_ok());
    let (status, out, err) = run(&["--newline", "nel", "-t", "us-ascii"], b"a\n");
    assert_eq!((status, &out[..]), (2, &b""[..]));
    assert!(err.starts_with("oxiconv: US-ASCII has no line ending NEL\n"), "{err}");
    // Only characters can be removed.
    for kind in DeniedKind::ALL {
        let options = Options::new().deny([kind]).on_denied(OnDenied::Skip);
        let built = options
            .build(Encoding::for_name("UTF-8").unwrap(), Encoding::for_name("UTF-8").unwrap());
        match kind.id() {
            id @ ("mixed-newlines" | "crlf" | "lf" | "no-final-newline" | "not-nfc"
            | "mojibake" | "mixed-script" | "confusable") => {
                assert!(matches!(built, Err(OptionsError::NotCharacters(found)) if found == id));
            }
            _ => assert!(built.is_ok(), "{}", kind.id()),
        }
    }
}

/// Texts longer than any buffer, with line endings across buffer boundaries: from files and pipes, with one thread and
/// with several.
#[test]
fn long_texts_are_changed_like_short_ones() {
    let mut random = Random(7);
    let mut text = String::new();
    while text.len() < 3 << 20 {
        match random.below(40) {
            0 => text.push_str("\r\n"),
            1 => text.push('\r'),
            2 => text.push('\n'),
            3 => text.push('é'),
            4 => text.push_str("\r\r\n\n"),
            _ => text.push_str("word "),
        }
    }
    text.push_str("\r\nend");
    let dir = Dir::new();
    let path = dir.write("long", text.as_bytes());
    let path = path.to_str().unwrap();
    for (mode, name, end) in sample::every(4, MODES) {
        let expected = ended(&text, end) + end;
        for jobs in ["1", "4"] {
            let args = ["--newline", name, "--final-newline", "-j", jobs];
            let (status, out, _) = run(&[&args[..], &[path]].concat(), b"");
            assert!(status == 0 && out == expected.as_bytes(), "{name} {jobs}");
            let (status, out, _) = run(&[&args[..], &["-t", "utf-16be"]].concat(), text.as_bytes());
            assert!(status == 0 && out == encode(&expected, "UTF-16BE"), "{name} {jobs}");
        }
        let conversion = newlines("UTF-8", "UTF-8", mode).with(|it| it.threads(Threads::All));
        let pieces: Vec<_> = text.as_bytes().chunks(4097).collect();
        assert!(convert_pieces(&conversion, &pieces).output == ended(&text, end).as_bytes());
    }
}

/// The position of a finding refers to the input, whatever happens to the line endings.
#[test]
fn findings_are_at_their_places_in_the_input() {
    let input = "a\r\nb€\r\0c\n\n".as_bytes();
    let input = [input, b"\xFF\r\n", "é".as_bytes()].concat();
    let plain = strict("UTF-8", "US-ASCII").with(|it| {
        it.on_ill_formed(OnIllFormed::Replace)
            .on_unmappable(OnUnmappable::Replace)
            .deny([DeniedKind::Nul])
    });
    let found = every_way(&plain, &input).found;
    assert_eq!(
        found.iter().map(|it| (it.id, it.line, it.column)).collect::<Vec<_>>(),
        [("unmappable", 2, 2), ("nul", 2, 4), ("invalid-byte", 4, 1), ("unmappable", 5, 1),]
    );
    for (mode, _, end) in &MODES[..3] {
        let changed = plain.with(|it| {
            it.write_newlines(*mode).write_final_newline(true).on_denied(OnDenied::Escape)
        });
        let done = every_way(&changed, &input);
        assert_eq!(done.found, found, "{mode:?}");
        let expected = ["a", "b?", "\\u{0}c", "", "?", "?", ""].join(end);
        assert_eq!(done.output, expected.as_bytes(), "{mode:?}");
    }
}

/// The result is as if each step read the output of the previous one: denied characters, line endings, encoding.
#[test]
fn changes_combine() {
    let conversion = newlines("UTF-8", "ISO-8859-1", NewlineMode::Both).with(|it| {
        it.write_final_newline(true)
            .deny([DeniedKind::Nul, DeniedKind::Bom, DeniedKind::Control])
            .on_denied(OnDenied::Skip)
            .on_unmappable(OnUnmappable::Xml)
    });
    let done = every_way(&conversion, "a\r\0\nb\u{FEFF}\u{85}€\r".as_bytes());
    assert_eq!(done.output, b"a\r\nb&#x20AC;\r\n");
    assert_eq!(done.summary.denied(), 3);
    // A denied character separates a letter from its combining mark. The target has the precomposed letter.
    let conversion = strict("UTF-8", "ISO-8859-1").with(|it| {
        it.deny([DeniedKind::Nul, DeniedKind::Invisible])
            .on_denied(OnDenied::Skip)
            .transliterate(true)
    });
    for text in
        ["xu\0\u{308}y", "u\u{200B}\u{308}", "u\u{200D}\u{308}\u{323}", "\u{2060}u\0\0\u{308}\0"]
    {
        let done = every_way(&conversion, text.as_bytes());
        let plain: String =
            text.chars().filter(|c| !"\0\u{200B}\u{200D}\u{2060}".contains(*c)).collect();
        let expected = convert(
            &strict("UTF-8", "ISO-8859-1").with(|it| it.transliterate(true)),
            plain.as_bytes(),
        );
        assert_eq!(done.output, expected.output, "{text:?}");
        assert!(done.output.contains(&0xFC), "{text:?}");
    }
    // Together with a rewritten declaration and an added byte order mark, then with a detected encoding.
    let (status, out, _) = run(
        &["-f", "latin1", "--declaration=update", "--newline=lf", "--final-newline", "--bom=add"],
        b"<?xml version='1.0' encoding='latin1'?>\r\n<a>\xE9</a>",
    );
    let expected = "\u{FEFF}<?xml version='1.0' encoding='UTF-8'?>\n<a>é</a>\n";
    assert_eq!((status, String::from_utf8(out).unwrap()), (0, expected.to_owned()));
    for text in ["plain\r\ntext", "caf\u{e9} et th\u{e9}\r\ndu jour\r"] {
        let input: Vec<u8> = text.chars().map(|c| c as u8).collect();
        let (status, out, err) =
            run(&["-f", "auto", "--force", "--newline=lf", "--final-newline"], &input);
        assert_eq!(status, 0, "{err}");
        assert_eq!(out, (ended(text, "\n").trim_end().to_owned() + "\n").as_bytes());
    }
    // Stray bytes that are read in the fallback encoding.
    let (status, out, err) = run(
        &["--fallback", "latin1", "--deny", "control", "--denied", "escape", "--newline", "crlf"],
        b"a\x9B\xE9\r\xC2\x85\nb",
    );
    assert_eq!(
        (status, String::from_utf8(out).unwrap()),
        (0, "a\\u{9B}é\r\n\\u{85}\r\nb".to_owned())
    );
    assert_eq!(
        err,
        "oxiconv: (standard input): 2 invalid byte sequences were read as ISO-8859-1, 2 denied characters were escaped\n"
    );
}

/// Expected values were written by hand.
#[test]
fn denied_characters_become_what_is_said() {
    for (mode, expected) in [
        (OnDenied::Pass, "a\0b\u{202E}€"),
        (OnDenied::Stop, "a"),
        (OnDenied::Skip, "ab€"),
        (OnDenied::Replace, "a\u{FFFD}b\u{FFFD}€"),
        (OnDenied::Escape, "a\\u{0}b\\u{202E}€"),
    ] {
        let conversion = strict("UTF-8", "UTF-16LE")
            .with(|it| it.deny([DeniedKind::Nul, DeniedKind::Bidi]).on_denied(mode));
        let done = every_way(&conversion, "a\0b\u{202E}€".as_bytes());
        assert_eq!(done.output, encode(expected, "UTF-16LE"), "{mode:?}");
        let found = if mode == OnDenied::Stop { 1 } else { 2 };
        assert_eq!((done.summary.denied(), done.summary.dropped()), (found, 0), "{mode:?}");
    }
    let ascii = strict("UTF-8", "US-ASCII")
        .with(|it| it.deny([DeniedKind::Bom, DeniedKind::NonBmp]).on_unmappable(OnUnmappable::Xml));
    let with = |mode| ascii.with(|it| it.on_denied(mode));
    let text = "😀a\u{FEFF}é".as_bytes();
    assert_eq!(every_way(&with(OnDenied::Replace), text).output, b"?a?&#xE9;");
    assert_eq!(every_way(&with(OnDenied::Escape), text).output, b"\\u{1F600}a\\u{FEFF}&#xE9;");
    let own = with(OnDenied::Replace).with(|it| it.replacement("<>"));
    assert_eq!(every_way(&own, text).output, b"<>a<>&#xE9;");
    let own = with(OnDenied::Escape).with(|it| it.unmappable_format("[%04x]".parse().unwrap()));
    assert_eq!(every_way(&own, text).output, b"[1f600]a[feff]&#xE9;");
    // U+FEFF at the start is a byte order mark, not a character of the text.
    assert_eq!(
        every_way(
            &strict("UTF-8", "UTF-8")
                .with(|it| it.deny([DeniedKind::Bom]).on_denied(OnDenied::Skip)),
            "\u{FEFF}a\u{FEFF}\u{FEFF}".as_bytes()
        )
        .output,
        "\u{FEFF}a".as_bytes()
    );
    // The output starts with a byte order mark even if the first characters of the text are skipped.
    let utf16 =
        strict("UTF-8", "UTF-16").with(|it| it.deny([DeniedKind::Nul]).on_denied(OnDenied::Skip));
    assert_eq!(every_way(&utf16, b"\0\0a").output, b"\xFF\xFEa\0");
    // Values above U+10FFFF.
    for (mode, expected) in [
        (OnDenied::Skip, &b"ab"[..]),
        (OnDenied::Replace, "a\u{FFFD}b".as_bytes()),
        (OnDenied::Escape, b"a\\u{8000000000}b"),
    ] {
        let large = strict("UTF-8-8BYTE", "UTF-8-8BYTE")
            .with(|it| it.deny([DeniedKind::NonBmp]).on_denied(mode));
        let done = every_way(&large, b"a\xFF\x88\x80\x80\x80\x80\x80\x80b");
        assert_eq!((&done.output[..], done.summary.denied()), (expected, 1), "{mode:?}");
    }
}

#[test]
fn what_is_left_out_replaced_or_escaped_is_counted_and_the_status_is_0() {
    for (mode, expected, words) in [
        ("skip", "ab", "2 denied characters were left out"),
        ("replace", "a\u{FFFD}b\u{FFFD}", "2 denied characters were replaced"),
        ("escape", "a\\u{0}b\\u{0}", "2 denied characters were escaped"),
    ] {
        for errors in ["strict", "replace", "report", "skip", "escape"] {
            let args = ["-e", errors, "--deny", "nul", "--denied", mode];
            let (status, out, err) = run(&args, b"a\0b\0");
            assert_eq!((status, &out[..]), (0, expected.as_bytes()), "{mode} {errors}");
            assert_eq!(err, format!("oxiconv: (standard input): {words}\n"), "{mode} {errors}");
            assert_eq!(run(&[&args[..], &["-q"]].concat(), b"a\0b\0").2, "");
        }
    }
    // Other faults set the exit status as usual.
    let (status, out, err) = run(&["-c", "--deny", "nul", "--denied", "skip"], b"a\0\xFFb");
    assert_eq!((status, &out[..]), (1, &b"ab"[..]));
    assert_eq!(
        err,
        "oxiconv: (standard input): 1 invalid byte sequence was left out, 1 denied character was left out\n"
    );
    let (status, out, _) = run(&["--deny", "nul", "--denied", "skip"], b"a\0b\xFFc");
    assert_eq!((status, &out[..]), (1, &b"ab"[..]));
    // The modes strict and pass.
    let (status, out, err) =
        run(&["-e", "replace", "--deny", "nul", "--denied", "strict"], b"a\0b");
    assert_eq!((status, &out[..]), (1, &b"a"[..]));
    assert!(err.contains(":1:2: error[nul]: 00 at byte 1 "), "{err}");
    let (status, out, err) = run(&["--deny", "nul", "--denied", "pass"], b"a\0b");
    assert_eq!((status, &out[..]), (1, &b"a\0b"[..]));
    assert_eq!(err, "oxiconv: (standard input): 1 denied character was written unchanged\n");
    // Removing NUL, which PostgreSQL does not accept in text, is not a failure in a report either.
    let args = ["--deny", "nul", "--denied", "skip", "--format", "junit"];
    let (status, _, err) = run(&args, b"a\0b");
    assert_eq!(status, 0);
    assert!(!err.contains("<failure"), "{err}");
}

#[test]
fn options_that_change_a_text_are_not_for_checks() {
    for option in
        [&["--newline", "lf"][..], &["--final-newline"], &["--denied", "skip", "--deny", "nul"]]
    {
        for check in ["--check", "--explain", "--files-with-findings", "--detect"] {
            if check == "--detect" && option.contains(&"--deny") {
                continue;
            }
            let (status, out, err) = run(&[option, &[check]].concat(), b"");
            assert_eq!((status, &out[..]), (2, &b""[..]), "{option:?} {check}");
            assert!(err.contains("cannot be combined with"), "{err}");
        }
    }
    let (status, _, err) = run(&["--denied", "skip"], b"a");
    assert_eq!(status, 2);
    assert!(err.starts_with("oxiconv: --denied requires --deny\n"), "{err}");
    let (status, _, err) = run(&["--deny", "nul,crlf", "--denied", "skip"], b"a");
    assert_eq!(status, 2);
    assert!(err.starts_with("oxiconv: crlf is not a kind of character"), "{err}");
}

/// A file keeps its inode if no byte changes. `--verify` reads back what was written.
#[cfg(unix)]
#[test]
fn files_are_changed_in_place_if_a_byte_changes() {
    use std::os::unix::fs::MetadataExt;
    let dir = Dir::new();
    let inode = |name: &str| std::fs::metadata(dir.path(name)).unwrap().ino();
    for (args, before, after) in [
        (&["--newline=lf"][..], &b"a\r\nb\r"[..], &b"a\nb\n"[..]),
        (&["--newline=lf"], b"a\nb", b"a\nb"),
        (&["--newline=crlf", "--final-newline"], b"a\nb", b"a\r\nb\r\n"),
        (&["--newline=crlf", "--final-newline"], b"a\r\n", b"a\r\n"),
        (&["--final-newline"], b"a\n", b"a\n"),
        (&["--final-newline"], b"", b""),
        (&["--final-newline"], b"a", b"a\n"),
        (&["--deny=nul", "--denied=skip"], b"a\0b", b"ab"),
        (&["--deny=nul", "--denied=skip"], b"ab", b"ab"),
        (&["--deny=nul", "--denied=escape", "--newline=cr"], b"a\0\n", b"a\\u{0}\r"),
        (&["-f=utf-16le", "-t=utf-16le", "--newline=crlf"], b"a\0\n\0", b"a\0\r\0\n\0"),
        (
            &["-f=IBM1047", "-t=IBM1047", "--newline=nel", "--final-newline"],
            b"\xC1\x0D\x25\xC2",
            b"\xC1\x15\xC2\x15",
        ),
        (
            &["-f=IBM1047", "-t=IBM1047", "--newline=nel", "--ebcdic-newline=lf"],
            b"\xC1\x15\xC2",
            b"\xC1\x25\xC2",
        ),
        (
            &["-f=utf-8", "-t=iso-2022-jp", "--newline=crlf"],
            "あ\nい".as_bytes(),
            b"\x1B$B$\"\x1B(B\r\n\x1B$B$$\x1B(B",
        ),
    ] {
        dir.write("f", before);
        let old = inode("f");
        let output = crate::common::oxiconv()
            .current_dir(dir.path(""))
            .args(args)
            .args(["-i", "--verify", "f"])
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{args:?} {err}");
        assert_eq!(dir.read("f"), after, "{args:?}");
        assert_eq!(inode("f") == old, before == after, "{args:?}");
    }
    // A file with a fault is not changed.
    dir.write("f", b"a\r\n\xFF");
    let output = crate::common::oxiconv()
        .current_dir(dir.path(""))
        .args(["-i", "--newline=lf", "f"])
        .output()
        .unwrap();
    assert_eq!((output.status.code(), dir.read("f")), (Some(1), b"a\r\n\xFF".to_vec()));
    // A file longer than any buffer.
    let long = "line of text é\r\n".repeat(100_000);
    dir.write("f", long.as_bytes());
    let output = crate::common::oxiconv()
        .current_dir(dir.path(""))
        .args(["-i", "--newline=lf", "f"])
        .output()
        .unwrap();
    assert!(output.status.success() && dir.read("f") == ended(&long, "\n").as_bytes());
}

/// The library returns the stop as an error, with the position of the finding.
#[test]
fn a_missing_line_end_stops_a_strict_conversion_at_the_end() {
    let conversion = strict("UTF-8", "UTF-16LE").with(|it| {
        it.deny([DeniedKind::NoFinalNewline]).on_denied(OnDenied::Stop).write_final_newline(true)
    });
    let done = every_way(&conversion, b"a\nb");
    assert_eq!((done.output, done.summary.stopped), (encode("a\nb", "UTF-16LE"), true));
    assert_eq!(done.found[0].place(), ("no-final-newline", 3, 0, 2, 2));
    let mut writer = Writer::new(Vec::new(), &conversion);
    writer.write_all(b"a\nb").unwrap();
    assert!(matches!(writer.finish(), Err(Error::Stopped(_))));
    assert!(!every_way(&conversion, b"a\nb\n").summary.stopped);
}
