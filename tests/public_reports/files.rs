//! Files that are replaced, and what is refused.

use crate::common::{Dir, run, run_text};

/// Converts a file in place, and expects that it is refused and stays.
fn refused(bytes: &[u8], args: &[&str]) -> String {
    let dir = Dir::new();
    dir.write("f", bytes);
    let (status, out, err) = dir.run(&[args, &["-i", "f"]].concat());
    assert_eq!((status, &out[..]), (1, ""), "{args:?} {bytes:?}: {err}");
    assert!(err.starts_with("oxiconv: f: not converted: "), "{args:?}: {err}");
    assert!(err.contains("--force"), "{args:?}: {err}");
    assert_eq!(dir.read("f"), bytes, "{args:?}");
    err
}

/// Converts a file in place, and expects this text.
fn converted(bytes: &[u8], args: &[&str], text: &str) {
    let dir = Dir::new();
    dir.write("f", bytes);
    let (status, _, err) = dir.run(&[args, &["-i", "f"]].concat());
    assert_eq!(status, 0, "{args:?} {bytes:?}: {err}");
    assert_eq!(String::from_utf8_lossy(&dir.read("f")), text, "{args:?}");
}

/// omr #1830.
#[test]
fn ascii_is_not_read_as_an_encoding_whose_letters_are_elsewhere() {
    for from in ["ibm1047", "ibm037", "ibm273", "ebcdic-us", "utf-16le", "bocu-1"] {
        let err = refused(b"abc=1\nhello world\n", &["-f", from]);
        assert!(err.contains("already valid UTF-8"), "{err}");
        refused("Grüße, привет\n".as_bytes(), &["-f", from]);
    }
    let err = refused(b"abc=1\n", &["-f", "ibm1047", "-t", "utf-16"]);
    assert!(err.contains("oxiconv -f utf-8 -t utf-16 -i f"), "{err}");
    // The other files are converted.
    let dir = Dir::new();
    dir.write("a", b"plain\n");
    dir.write("b", &run(&["-t", "ibm1047"], "hello, world\n").1);
    assert_eq!(dir.run(&["-q", "-f", "ibm1047", "-i", "a", "b"]).0, 1);
    assert_eq!((dir.read("a"), dir.read("b")), (b"plain\n".to_vec(), b"hello, world\n".to_vec()));
    assert_eq!(dir.run(&["-q", "-f", "ibm1047", "-i", "--force", "a"]).0, 0);
    assert_ne!(dir.read("a"), b"plain\n");
}

#[test]
fn ascii_is_not_read_as_an_encoding_that_changes_some_of_it() {
    let err = refused(b"C:\\dir ~x\n", &["-f", "shift_jis"]);
    assert!(err.contains("-f cp932"), "{err}");
    refused(b"a\\b\n", &["-f", "johab"]);
    refused(b"a@b.com costs $5\n", &["-f", "gsm0338"]);
    refused(b"if (x) { a[i] = 1; }\n", &["-f", "iso646-de"]);
    refused(b"{\"a\": [1,2]}\n", &["-f", "iso646-se"]);
    // What is the same there, and what is likelier there.
    converted(b"plain text\n", &["-f", "shift_jis"], "plain text\n");
    converted(b"M{dchen\n", &["-f", "iso646-de"], "Mädchen\n");
    converted(b"Die M{dchen h|ren Musik\n", &["-f", "iso646-de"], "Die Mädchen hören Musik\n");
}

#[test]
fn utf8_is_not_read_as_something_else_whatever_is_around_it() {
    let long = format!("{}é\n", "plain text\n".repeat(20_000));
    for text in
        ["\x1B[31mGrüße\x1B[0m\n", "Grüße\0\0\0\0", "Grüße\x0C\n", "h\0i\0\n\0Grüße\n", &long]
    {
        refused(text.as_bytes(), &["-f", "windows-1252"]);
        refused(text.as_bytes(), &["-f", "utf-16le", "-e", "replace"]);
    }
}

/// What is ill-formed is no text, however long it is: a reading with it is never likelier than UTF-8.
#[test]
fn what_is_ill_formed_is_no_likelier_text() {
    let colour = format!("\x1B[1m{}", "Grüße aus Köln\n".repeat(600));
    for from in ["utf-32", "utf-32le", "ucs-4", "ucs-4le"] {
        for text in [&colour, "name\nTom\nJan\n", "5 °C\n", "é\n", "hello\0\0\0\0", "x\n"] {
            for options in [&["-e", "replace"][..], &["-c"], &["--fallback", "windows-1252"]] {
                let err = refused(text.as_bytes(), &[&["-f", from], options].concat());
                assert!(err.contains("already valid UTF-8"), "{from} {text:?}: {err}");
            }
        }
    }
    // A sign that waits for a second byte is one of text where letters are others too.
    for from in ["gb_2312-80", "bocu-1", "ksc_5601"] {
        refused(b"....\n----\n", &["-f", from, "-e", "replace"]);
    }
    refused(b"\x1B[31mred\x1B[0m text\n", &["-f", "iso-2022-jp", "-e", "replace"]);
    // An escape of a terminal makes no units of bytes.
    let legacy = [b"\x1B[1m".to_vec(), b"Gr\xFC\xDFe f\xFCr alle Menschen\n".repeat(20)].concat();
    let err = refused(&legacy, &["-f", "utf-16", "-e", "replace"]);
    assert!(err.contains("-f windows-1252 -i f"), "{err}");
    // Units with one that is ill-formed, and a line feed after the last one, as `echo >>` adds it.
    converted(b"h\0i\0\0\xD8!\0\n\0", &["-f", "utf-16le", "-e", "replace"], "hi\u{FFFD}!\n");
    converted(b"h\0i\0!\0\n\0\n", &["-f", "utf-16le", "-e", "replace"], "hi!\n\u{FFFD}");
}

/// Padding, a form feed and a byte order mark are of a text too.
#[test]
fn controls_of_text_are_not_letters() {
    refused(b"hello\0\0\0\0", &["-f", "gsm0338"]);
    for text in [&b"hello\0\0\0\0"[..], b"page\x0Cpage two\n", b"\x1B[31mred\x1B[0m\n"] {
        refused(text, &["-f", "utf-7-imap", "-e", "replace"]);
    }
    refused("\u{FEFF}hello world\n".as_bytes(), &["-f", "t.61-8bit"]);
    converted(b"Indtast en s\x0Cgning\n", &["-f", "gsm0338"], "Indtast en søgning\n");
    converted(b"b\x0Crn h\x0Crer p\x0F \x1Dr\x0C\n", &["-f", "gsm0338"], "børn hører på ærø\n");
}

/// One byte of another encoding, or a character that is cut, does not make a text another one.
#[test]
fn utf8_with_a_few_other_bytes_is_not_encoded_twice() {
    let german = "März für Köln, Grüße\n";
    let late = format!("{}{german}", "name;value;1234\n".repeat(2000));
    for (text, other, from, command) in [
        (german, &b"gro\xDF\n"[..], "windows-1252", "oxiconv --fallback windows-1252 -i f"),
        (german, b"gro\xDF\n", "ibm437", "oxiconv --fallback windows-1252 -i f"),
        (german, b"gro\xDF!\n", "utf-16le", "oxiconv --fallback windows-1252 -i f"),
        ("déjà vu, près d’ici, à côté\n", b"caf\xE9\n", "macintosh", "--fallback windows-1252"),
        ("Příliš žluťoučký kůň\n", b"p\xF8\xEDli\x9A\n", "latin1", "--fallback windows-1250"),
        ("Καλημέρα, τι κάνεις;\nΚαλά, \n", b"\xCE", "windows-1253", "oxiconv -c -i f"),
        (&late, b"gro\xDF\n", "windows-1252", "oxiconv --fallback windows-1252 -i f"),
        (&late, b"gro\xDF\n", "utf-16be", "oxiconv --fallback windows-1252 -i f"),
    ] {
        let mut bytes = [text.as_bytes(), other].concat();
        if from.starts_with("utf-16") && bytes.len() % 2 == 1 {
            bytes.push(b'\n');
        }
        let err = refused(&bytes, &["-f", from]);
        assert!(err.contains("UTF-8 with ") && err.contains(command), "{from}: {err}");
    }
    // The byte comes long after what is examined first.
    for from in ["windows-1252", "koi8-r", "utf-16le"] {
        let text = "Привет, как дела? Сегодня хорошая погода.\n".repeat(500);
        refused(&[text.as_bytes(), b"ok \x93x\x94\n\n"].concat(), &["-f", from]);
    }
    // Elsewhere, the same is said.
    let dir = Dir::new();
    dir.write("f", &[german.as_bytes(), b"gro\xDF\n"].concat());
    let (status, _, err) = dir.run(&["-f", "windows-1252", "-o", "out", "f"]);
    assert_eq!(status, 0, "{err}");
    assert!(err.contains("the input is UTF-8 with 1 ill-formed byte, but -f says windows-1252"));
}

/// Text in which UTF-8 occurs by chance.
#[test]
fn legacy_text_with_a_little_utf8_by_chance_is_converted() {
    converted(
        b"caf\xC3\xA9 \xE0 la carte, d\xE9j\xE0\n",
        &["-f", "windows-1252"],
        "cafÃ© à la carte, déjà\n",
    );
    converted(b"\xC5\xDD\xA3 \xD7\xD3\xA3\n", &["-f", "koi8-r"], "ещё всё\n");
    converted(b"\xC1\xAA\xCD\xA8\xC1\xCB\n", &["-f", "gbk"], "联通了\n");
}

/// UTF-8 log, then unmarked UTF-16LE, then UTF-8, as `>>` of PowerShell writes it; and escapes of a terminal.
#[test]
fn utf16_with_parts_in_utf8_is_refused() {
    for from in ["utf-16", "utf-16le"] {
        refused(b"log start\nh\0i\0 \0t\0h\0e\0r\0e\0\r\0\n\0done now\n\n", &["-f", from]);
        refused(b"\x1B[31mred\x1B[0m text\n", &["-f", from]);
    }
    refused(b"\xFF\xFEh\0i\0\r\0\n\0hi\r\n", &["-f", "utf-16"]);
    // The other byte order.
    let err = refused(b"h\0i\0\n\0", &["-f", "utf-16"]);
    assert!(err.contains("oxiconv -f utf-16le -i f"), "{err}");
    converted(b"h\0i\0\n\0", &["-f", "utf-16le"], "hi\n");
}

/// Detected UTF-16 is looked at as UTF-16 that is named.
#[test]
fn detected_utf16_with_parts_in_utf8_is_refused() {
    let (_, russian, _) = run(&["-t", "utf-16le"], "Привет, мир\r\nКак дела?\r\n");
    for from in ["auto", "auto-lines", "utf-16"] {
        for (tail, is_marked) in
            [("hi\r\n", true), ("2024-01-01 ok.\r\n", true), ("service stopped\n\n\n", false)]
        {
            let mark: &[u8] = if is_marked { b"\xFF\xFE" } else { b"" };
            let from = if !is_marked && from == "utf-16" { "utf-16le" } else { from };
            let err = refused(&[mark, &russian, tail.as_bytes()].concat(), &["-f", from]);
            assert!(err.contains("with parts in UTF-8"), "{from}: {err}");
        }
        refused(b"\xFF\xFEh\0i\0\r\0\n\0hi\r\n", &["-f", from]);
    }
    converted(&russian, &["-f", "auto"], "Привет, мир\r\nКак дела?\r\n");
}

/// What detection takes for another encoding may be the output of an earlier run.
#[test]
fn what_is_written_already_is_not_written_twice_if_the_input_is_detected() {
    for to in ["utf-1", "bocu-1", "marc-8", "lmbcs", "utf-8-hunk9", "utf-ebcdic", "utf-16", "utf-7"]
    {
        for text in ["Привет мир, как дела\n", "Grüße aus Köln, schöne Tage\n"]
        {
            let dir = Dir::new();
            dir.write("f", text.as_bytes());
            assert_eq!(dir.run(&["-f", "auto", "-t", to, "-i", "f"]).0, 0, "{to}");
            let once = dir.read("f");
            let (_, _, err) = dir.run(&["-f", "auto", "-t", to, "-i", "f"]);
            assert_eq!(dir.read("f"), once, "{to}: {err}");
        }
    }
    let (_, legacy, _) =
        run(&["-t", "windows-1251"], "Привет, как дела? Сегодня хорошая погода.\n");
    let dir = Dir::new();
    dir.write("f", &legacy);
    assert_eq!(dir.run(&["-f", "auto", "-t", "koi8-r", "-i", "f"]).0, 0);
    assert_ne!(dir.read("f"), legacy);
}

/// Text may be plain for long, with a sign in another encoding now and then, before it tells what it is.
#[test]
fn what_tells_may_be_anywhere_in_a_file() {
    let plain = "plain text here and there\n";
    let (_, russian, _) = run(&["-t", "koi8-r"], "Привет, как дела? Сегодня хорошая погода.\n");
    for (sign, from) in [(&b"\xA9 2020\n"[..], "latin1"), (b"\xA9 2020\n", "windows-1251")] {
        for lines in [40, 313, 315, 2600] {
            let plain = plain.repeat(lines).into_bytes();
            let err = refused(&[sign, &plain, &russian, &plain].concat(), &["-f", from]);
            assert!(err.contains("-f koi8-r -i f"), "{from} {lines}: {err}");
        }
        let long = [&[b'x'; 9000][..], b" "].concat();
        refused(&[&long, &*russian.repeat(3)].concat(), &["-f", from]);
    }
    // Backslashes that are no escapes come first.
    for lines in [100, 3000] {
        let text = format!("{}später\n{plain}", "path C:\\dir\n".repeat(lines));
        let written = run(&["-t", "java"], &text).1;
        let err = refused(&written, &["-t", "java"]);
        assert!(err.contains("already JAVA"), "{err}");
        converted(text.as_bytes(), &["-t", "java"], &String::from_utf8(written).unwrap());
    }
    // What is not escaped says that the text is not, wherever it is.
    for lines in [10, 3000] {
        let text = format!("{}&lt;\n", "AT&T\n".repeat(lines));
        converted(text.as_bytes(), &["-t", "xml"], &text.replace('&', "&amp;"));
    }
    // The end of a long text in UTF-16.
    for text in ["hello\r\n", "привет\r\n"] {
        let units = run(&["-t", "utf-16le"], &text.repeat(4000)).1;
        for tail in ["2024-01-01 ok.\r\n", "потом, да\r\n\n"] {
            let whole = [&units, tail.as_bytes()].concat();
            for from in ["utf-16le", "auto", "auto-lines"] {
                let err = refused(&whole, &["-f", from]);
                assert!(err.contains("UTF-16LE with parts in UTF-8"), "{from}: {err}");
            }
        }
        // A part in the middle, of an even number of bytes: each two are a letter in UTF-16.
        let part = "Привет, это строка журнала\n".repeat(2);
        let whole = [&units, part.as_bytes(), &units].concat();
        for from in ["utf-16le", "auto"] {
            let err = refused(&whole, &["-f", from]);
            assert!(err.contains("UTF-16LE with parts in UTF-8"), "{from}: {err}");
        }
    }
    // Ideographs have no controls among their bytes, so that nothing stands between them and the part.
    let japanese = "すべての人間は、生まれながらにして自由であり".repeat(20);
    let units: Vec<u8> = japanese.encode_utf16().flat_map(u16::to_le_bytes).collect();
    converted(&units, &["-f", "utf-16le"], &japanese);
    let part = "Привет, это строка журнала\n".repeat(2);
    let err = refused(&[&units, part.as_bytes(), &units].concat(), &["-f", "utf-16le"]);
    assert!(err.contains("UTF-16LE with parts in UTF-8"), "{err}");
}

/// "möchte" in IBM500 and "Größe in Zeilen" in IBM273, by Python: `-f auto-lines` read Korean and Chinese.
#[test]
fn lines_are_in_no_ebcdic() {
    for (text, name) in [
        (&b"\x94\xCC\x83\x88\xA3\x85\x25"[..], "IBM"),
        (b"\xC7\x99\x6A\xA1\x85\x40\x89\x95\x40\xE9\x85\x89\x93\x85\x95\x25", "IBM"),
    ] {
        let err = refused(text, &["-f", "auto-lines"]);
        assert!(err.contains(&format!("looks like {name}")), "{err}");
    }
}

/// Text in bytes is no UTF-16, though any two bytes of it are an ideograph: ASCII that is no words either, and legacy text.
#[test]
fn bytes_are_no_wide_units() {
    let (_, russian, _) =
        run(&["-t", "koi8-r"], "// Привет, как дела?\nint f(int a) { return a; }\n");
    for from in ["utf-16", "utf-16le", "utf-16be", "ucs-2"] {
        for text in [
            &b"BgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n\n"[..],
            b"\\frac{4}{x_{3}} \\ge \\sum_{i}\n\n",
            b"^\\s*(\\w+)=(.*)$\n[\\[\\](){}]+\n",
        ] {
            assert!(refused(text, &["-f", from]).contains("already valid UTF-8 (all ASCII)"));
        }
        let err = refused(b"Gr\xF6\xDFe f\xFCr alle Menschen\n", &["-f", from]);
        assert!(err.contains("-f windows-1252 -i f"), "{err}");
        let err = refused(&russian.repeat(20), &["-f", from]);
        assert!(err.contains("-f koi8-r -i f"), "{err}");
    }
    // Each byte is one of ASCII, and each second one is a control: 0E in Thai, 04 in Cyrillic.
    for text in ["ยืนยันว่าเป็น", "Читаєморозширенівлас", "中文"]
    {
        let units = run(&["-t", "utf-16be"], text).1;
        converted(&units, &["-f", "utf-16be"], text);
    }
}

/// A letter in a legacy encoding does not make EBCDIC of the ASCII around it.
#[test]
fn ascii_with_a_few_other_bytes_is_not_ebcdic() {
    let log = "INFO worker: request ok\n".repeat(300).into_bytes();
    for letter in [&b"note: caf\xE9\n"[..], b"k\xF6nnen\n", b"\xFF\n"] {
        for from in ["ibm1047", "cp037", "iso_11548-1"] {
            refused(&[&log, letter].concat(), &["-f", from]);
            refused(&[letter, &log[..24]].concat(), &["-f", from]);
        }
    }
}

/// A log whose program went over to UTF-8, or is written by two programs, however late that shows.
#[test]
fn lines_in_utf8_are_not_encoded_twice() {
    let utf8 = "Für die Ärzte: höhere Gebühren\n";
    let latin1 = "Grüße aus München, schöne Täler\n";
    let latin1: Vec<u8> = latin1.chars().map(|c| c as u8).collect();
    for (before, after) in [(20, 20), (20, 1), (1, 1), (6000, 1), (6000, 500)] {
        let text = [latin1.repeat(before), utf8.repeat(after).into()].concat();
        let err = refused(&text, &["-f", "windows-1252"]);
        assert!(err.contains("-f auto-lines -i f"), "{before} {after}: {err}");
        let dir = Dir::new();
        dir.write("f", &text);
        let (status, _, err) = dir.run(&["-f", "auto", "-i", "f"]);
        assert!(status == 1 && err.contains("-f auto-lines"), "{before} {after}: {err}");
        assert_eq!(dir.read("f"), text, "{before} {after}");
    }
    // Lines of an old Mac.
    let text = [latin1.repeat(2), utf8.repeat(2).into()].concat();
    let text: Vec<_> = text.iter().map(|b| if *b == b'\n' { b'\r' } else { *b }).collect();
    let err = refused(&text, &["-f", "latin1"]);
    assert!(err.contains("-f auto-lines -i f"), "{err}");
    // The same of Cyrillic, between other lines.
    let line = |text: &str| run(&["-t", "cp1251"], text).1;
    let russian = line("Все люди рождаются свободными\n").repeat(5);
    let mixed = [&russian[..], "равными в своём достоинстве\n".as_bytes(), &russian].concat();
    let err = refused(&mixed, &["-f", "windows-1251"]);
    assert!(err.contains("lines in UTF-8"), "{err}");
    // A line that is UTF-8 by chance is hardly text in it: `только` in IBM866 is an arrow and a Hangul.
    let word = run(&["-t", "ibm866"], "только\n").1;
    assert!(std::str::from_utf8(&word).is_ok());
    let dos = [run(&["-t", "ibm866"], "Все люди рождаются свободными\n").1, word].concat();
    converted(&dos, &["-f", "ibm866"], "Все люди рождаются свободными\nтолько\n");
}

/// The letters of a text in another encoding are no stray bytes, and are not replaced by U+FFFD.
#[test]
fn few_letters_of_another_encoding_are_not_lost() {
    let swedish = b"kan inte h\x84mta\nf\x94r att h\x84r\nl\x86sa upp f\x94r alla\ns\x94k h\x84r\n";
    let err = refused(swedish, &["--fallback", "windows-1252"]);
    assert!(err.contains("looks like IBM850"), "{err}");
    let latvian = b"Lai turpin\xE2tu, ievietojiet dro\xF0\xEEbas atsl\xE7gu un piesk\n";
    for errors in ["replace", "escape", "skip"] {
        let err = refused(latvian, &["-e", errors]);
        assert!(err.contains("-f windows-1257 -i f"), "{errors}: {err}");
    }
    let late = b"\xA4\xB3\xA4\xEC\xA4\xCF\xC6\xFC\xCB\xDC\xB8\xEC\xA4\xCE\xCA\xB8\xBE\xCF\xA4\xC7\xA4\xB9\xA1\xA3\n";
    for lines in [1, 60, 2000] {
        let late = [&b"The quick brown fox\n".repeat(lines)[..], late].concat();
        refused(&late, &["-t", "utf-16", "-e", "replace"]);
    }
}

/// The same of those of a text that is UTF-8 in a line, or except for them.
#[test]
fn letters_among_utf8_are_not_lost() {
    let russian =
        "Каждый человек имеет право на жизнь, на свободу и на личную неприкосновенность\n";
    let lines = [run(&["-t", "cp1251"], russian).1, russian.into()].concat();
    let german = "März für Köln, Grüße\n".repeat(3);
    let strays = [german.as_bytes(), b"gro\xDF, sch\xF6n, f\xFCr\n"].concat();
    for from in [&[][..], &["-f", "auto"], &["--repair"]] {
        for errors in ["replace", "skip", "escape"] {
            let err = refused(&lines, &[from, &["-e", errors]].concat());
            assert!(err.contains("--fallback windows-1251 -i f"), "{from:?} {errors}: {err}");
            let err = refused(&strays, &[from, &["-e", errors]].concat());
            assert!(err.contains("--fallback windows-1252 -i f"), "{from:?} {errors}: {err}");
        }
    }
    // All of it is read in another encoding, or only a character is cut.
    let latin1 = b"Gr\xFC\xDFe f\xFCr alle Menschen\n";
    let read = "Grüße für alle Menschen\n";
    converted(latin1, &["-f", "auto", "-e", "replace"], read);
    converted(b"schr\xC3\xB6der gr\xC3\n", &["-e", "replace"], "schröder gr\u{FFFD}\n");
}

/// Lines in several charsets are no wide units.
#[test]
fn lines_of_several_charsets_are_no_wide_units() {
    let hebrew = "כל בני האדם נולדו בני חורין\n";
    let lines = [run(&["-t", "cp1255"], hebrew).1.repeat(5), hebrew.repeat(2).into()].concat();
    let err = refused(&lines, &["-f", "utf-16le", "-e", "replace"]);
    assert!(err.contains("-f auto-lines -i f"), "{err}");
}

/// What would be replaced or escaped is a sign that the text is written already.
#[test]
fn what_is_written_already_loses_nothing() {
    let plain = "plain text here and there\n";
    for text in ["Grüße, später\n".to_owned(), format!("{}Grüße, später\n", plain.repeat(400))]
    {
        for to in ["latin1", "windows-1252", "macintosh"] {
            let written = run(&["-t", to], &text).1;
            for errors in ["replace", "escape", "skip"] {
                let err = refused(&written, &["-t", to, "-e", errors]);
                assert!(err.contains("encoded twice"), "{to} {errors}: {err}");
            }
        }
    }
    // The euro sign and the backslash are escapes of this encoding.
    for text in ["€5\n", "C:\\dir\n", "a [b] {c}\n"] {
        let written = run(&["-t", "gsm0338"], text).1;
        let err = refused(&written, &["-t", "gsm0338", "--unmappable", "xml"]);
        assert!(err.contains("already GSM0338"), "{text}: {err}");
    }
    // In UTF-8 with a stray byte, other characters have several.
    let dir = Dir::new();
    dir.write("f", b"sch\xC3\xB6ne Gr\xC3\xBC\xDFe\n");
    assert_eq!(dir.run(&["-t", "latin1", "-e", "replace", "-i", "f"]).0, 0);
    assert_eq!(dir.read("f"), b"sch\xF6ne Gr\xFC?e\n");
}

/// Without a mark, UTF-32 is written big-endian.
#[test]
fn what_is_written_without_a_mark_is_not_written_twice() {
    for to in ["utf-32", "utf-16", "ucs-4", "ucs-2"] {
        for text in ["hé\n", "name\nTom\n", "Привет\n"] {
            let options = &["-t", to, "--bom", "strip"];
            refused(&run(options, text).1, options);
        }
    }
}

/// No line of UTF-16 or UTF-32 is a line of bytes.
#[test]
fn wide_text_is_not_read_line_by_line() {
    for to in ["utf-16le", "utf-16be", "utf-32le"] {
        for text in ["hello\nthere\n", "привет\nмир\n"] {
            for mark in ["", "\u{FEFF}"] {
                let bytes = run(&["-t", to, "--bom", "keep"], &format!("{mark}{text}")).1;
                let err = refused(&bytes, &["-f", "auto-lines"]);
                let command = err.split("(to convert it: ").nth(1).expect("a command");
                let words: Vec<_> =
                    command.split("; ").next().unwrap().split(' ').skip(1).collect();
                let dir = Dir::new();
                dir.write("f", &bytes);
                assert_eq!(dir.run(&words).0, 0, "{to}: {err}");
                assert_eq!(String::from_utf8(dir.read("f")).unwrap(), text, "{to}: {err}");
            }
        }
        let part = run(&["-t", to], "hello\n").1;
        for args in [&["-f", "auto-lines"][..], &["-f", "latin1"], &["--fallback", "latin1"]] {
            refused(&[b"Gr\xF6\xDFe und Stra\xDFe\n", &part[..]].concat(), args);
        }
    }
}

/// What `--language` makes of the input counts, not what it would be without it.
#[test]
fn the_language_that_is_named_is_that_of_the_input() {
    for (text, to, language) in [
        ("日本語\n", "euc-jp", "zh-Hans"),
        ("テスト\n", "cp932", "ko"),
        ("שלום\n", "windows-1255", "ru"),
    ] {
        let written = run(&["-t", to], text).1;
        let err = refused(&written, &["-f", "auto", "--language", language, "-t", to]);
        assert!(err.contains("encoded twice"), "{to}: {err}");
    }
}

/// `-o` that names an input, by any of its names, replaces it as `-i` does.
#[test]
fn an_output_that_is_the_input_is_refused_as_in_place() {
    for (bytes, from) in [
        (&b"hello world\n"[..], "ibm1047"),
        ("Grüße, привет\n".as_bytes(), "windows-1252"),
        ("Grüßen".as_bytes(), "utf-16le"),
    ] {
        let dir = Dir::new();
        dir.write("f", bytes);
        let in_place = dir.run(&["-f", from, "-i", "f"]);
        assert_eq!(in_place.0, 1, "{}", in_place.2);
        std::os::unix::fs::symlink("f", dir.0.path().join("link")).unwrap();
        for output in ["f", "./f", "link"] {
            assert_eq!(dir.run(&["-f", from, "-o", output, "f"]), in_place, "{output}");
            assert_eq!(dir.read("f"), bytes, "{output}");
        }
        assert_eq!(dir.run(&["-f", from, "-o", "new", "f"]).0, 0);
        assert_eq!(dir.run(&["-q", "-f", from, "--force", "-o", "f", "f"]).0, 0);
        assert_ne!(dir.read("f"), bytes);
    }
    let dir = Dir::new();
    dir.write("f", b"caf\xE9\n");
    assert_eq!(dir.run(&["-f", "latin1", "-o", "f", "f"]), (0, String::new(), String::new()));
    assert_eq!(dir.read("f"), "café\n".as_bytes());
}

#[test]
fn what_is_written_already_is_not_written_twice() {
    let text = "Grüße & <b> “x” Привет\n";
    for to in
        ["utf-16le", "utf-16be", "utf-32le", "xml", "html", "utf-7", "java", "c99", "utf-8-hunk7"]
    {
        let dir = Dir::new();
        dir.write("f", text.as_bytes());
        assert_eq!(dir.run(&["-t", to, "-i", "f"]).0, 0, "{to}");
        let once = dir.read("f");
        let (status, _, err) = dir.run(&["-t", to, "-i", "f"]);
        assert!(status == 1 && err.contains("encoded twice"), "{to}: {err}");
        assert_eq!(dir.read("f"), once, "{to}");
        assert_eq!(dir.run(&["-q", "-f", to, "-i", "f"]).0, 0, "{to}");
        assert_eq!(dir.read("f"), text.as_bytes(), "{to}");
    }
    // An ampersand that is not escaped says that the text is not.
    let dir = Dir::new();
    dir.write("f", b"AT&T writes &lt;\n");
    assert_eq!(dir.run(&["-t", "xml", "-i", "f"]).0, 0);
    assert_eq!(dir.read("f"), b"AT&amp;T writes &amp;lt;\n");
}

#[test]
fn a_result_that_is_far_less_likely_is_refused() {
    let (_, ebcdic, _) =
        run(&["-t", "ibm037"], "Hello World, this is text in EBCDIC.\nAnd a second line, 1234.\n");
    for args in [&["--fallback", "auto"][..], &["-f", "latin1"], &["-e", "replace"]] {
        let err = refused(&ebcdic, args);
        assert!(err.contains("-f ibm037 -i f"), "{err}");
    }
}

/// Texts, the encoding that they are in, and those that they might be taken for.
const MISREAD: [(&str, &str, &[&str]); 12] = [
    ("Привет, мир! Как дела?\n", "koi8-r", &["windows-1251", "ibm866", "iso-8859-5", "latin1"]),
    (
        "Всего хорошего, до свидания.\n",
        "windows-1251",
        &["koi8-r", "ibm866", "macintosh", "latin1"],
    ),
    ("Каждый человек имеет право на жизнь.\n", "ibm866", &["windows-1251", "koi8-r"]),
    ("Це дуже гарний день, чи не так?\n", "koi8-u", &["windows-1251"]),
    ("Schöne Grüße aus Köln, für Jörg und Änne.\n", "latin1", &["ibm437", "ibm850", "koi8-r"]),
    (
        "Les élèves français étaient fâchés à Noël: ils ont préféré être chez leur mère.\n",
        "ibm850",
        &["latin1", "windows-1252"],
    ),
    ("Ola não está à mesa; amanhã há coração.\n", "macintosh", &["latin1", "ibm850"]),
    ("כל בני האדם נולדו בני חורין\n", "windows-1255", &["latin1", "windows-1252"]),
    ("Όλοι οι άνθρωποι γεννιούνται ελεύθεροι\n", "windows-1253", &["latin1", "windows-1251"]),
    ("人人生而自由，在尊嚴和權利上一律平等。\n", "big5", &["gb18030", "latin1"]),
    ("人人生而自由，在尊严和权利上一律平等。\n", "gbk", &["latin1", "windows-1251"]),
    (
        "すべての人間は、生まれながらにして自由である。\n",
        "euc-jp",
        &["shift_jis", "latin1", "ibm437"],
    ),
];

#[test]
fn a_file_that_is_clearly_in_another_encoding_is_refused() {
    for (text, right, wrong) in MISREAD {
        let bytes = run(&["-t", right], text).1;
        for from in wrong {
            // Each is refused with the command that gives the text, or stops.
            let dir = Dir::new();
            dir.write("f", &bytes);
            let (status, _, err) = dir.run(&["-f", from, "-i", "f"]);
            assert_eq!((status, dir.read("f")), (1, bytes.clone()), "{right} {from}: {err}");
            if err.contains("error[") {
                continue;
            }
            let command = err.split("(to convert it: ").nth(1).expect("a command");
            let command = command.split("; --force").next().expect("its end");
            let words: Vec<_> = command.split(' ').skip(1).collect();
            assert_eq!(dir.run(&words).0, 0, "{right} {from}: {err}");
            assert_eq!(String::from_utf8(dir.read("f")).unwrap(), text, "{right} {from}: {err}");
            dir.write("f", &bytes);
            let (_, _, err) = dir.run(&["-f", from, "-i", "--force", "f"]);
            assert!(!err.contains("not converted"), "{right} {from}: {err}");
        }
        converted(&bytes, &["-f", right], text);
    }
}

/// What is around words, in files that are mostly ASCII, says nothing of what they are; nor does how many bits an ideograph
/// has.
#[test]
fn words_among_keys_and_tags_are_as_clear_as_a_text() {
    let keys = "file.open=Открыть\nfile.save=Сохранить\nfile.exit=Выход\n";
    let rows =
        "INSERT INTO t VALUES (1,'Москва','Россия');\nINSERT INTO t VALUES (2,'Казань','');\n";
    let tags = "<item id=\"0\"><b>Документы</b></item>\n<item id=\"1\"><b>Настройки</b></item>\n";
    let menu = "MENUITEM \"&Άνοιγμα\", 1\nMENUITEM \"&Αποθήκευση\", 2\nMENUITEM \"&Έξοδος\", 3\n";
    for (text, right, args) in [
        (keys, "windows-1251", &["-f", "windows-1252"][..]),
        (keys, "windows-1251", &["-e", "replace"]),
        (keys, "windows-1251", &["-c"]),
        (rows, "windows-1251", &["-f", "windows-1252"]),
        (tags, "windows-1251", &["-f", "windows-1252"]),
        (menu, "windows-1253", &["-f", "windows-1252"]),
        ("没有新的稳定版本可用\n", "gbk", &["-f", "windows-874"]),
        ("开阳和辅（大熊座和大熊座）\n", "gbk", &["-f", "viscii"]),
        ("匹配資料庫中每個家庭\n", "big5", &["-f", "ibm866"]),
    ] {
        let bytes = run(&["-t", right], text).1;
        refused(&bytes, args);
        converted(&bytes, &["-f", right], text);
    }
}

/// Who names an encoding may know a language that no model does, and what a text is about.
#[test]
fn what_is_only_unusual_is_converted_as_requested() {
    for (text, from) in [
        // Erzya, Udmurt and Chuvash in encodings for Russian; names, abbreviations, drawings.
        ("Весе ломантне чачить олякс ды правас вейкетекс.\n", "windows-1251"),
        ("Вань адямиос эрико но огкадь правоосын вордско.\n", "koi8-r"),
        ("Ÿ\n", "windows-1252"),
        ("ÄÖÜ ÄÖÜ ÄÖÜ\n", "latin1"),
        ("┌──┐\n│░░│\n└──┘\n", "ibm437"),
        ("ЪЪЪ ЫЫЫ\n", "koi8-r"),
        ("±5 µm, 20 °C ½\n", "latin1"),
        ("ijzertijd coöperatie\n", "ibm850"),
        // Well-formed UTF-8 by chance, with many controls.
        ("Να είστε προσεκτικοί: είναι πιθανό", "ibm1390"),
    ] {
        converted(&run(&["-t", from], text).1, &["-f", from], text);
    }
}

#[test]
fn other_ways_to_replace_a_file_obey_the_same_rule() {
    for (text, right, wrong) in MISREAD {
        let bytes = run(&["-t", right], text).1;
        for args in
            [&["--fallback", "auto"][..], &["--repair"], &["--repair", "--fallback", "auto"]]
        {
            let dir = Dir::new();
            dir.write("f", &bytes);
            let (status, _, err) = dir.run(&[args, &["-i", "f"]].concat());
            let is_text = dir.read("f") == text.as_bytes();
            assert!(is_text || status == 1 && dir.read("f") == bytes, "{right} {args:?}: {err}");
        }
        // A new file is made, and a note says what it is not; an old file stays.
        for from in wrong {
            let dir = Dir::new();
            dir.write("f", &bytes);
            let (status, _, err) = dir.run(&["-f", from, "-O", "out", "f"]);
            if status == 1 {
                assert!(err.contains("error["), "{right} {from}: {err}");
                continue;
            }
            assert!(err.contains("f: the input looks like"), "{right} {from}: {err}");
            dir.write("out/f", text.as_bytes());
            let (status, _, err) = dir.run(&["-f", from, "-O", "out", "f"]);
            assert!(status == 1 && err.contains("not converted"), "{right} {from}: {err}");
            assert_eq!(dir.read("out/f"), text.as_bytes());
        }
    }
    // Well-formed UTF-8, and a damaged text, are what they are for these.
    for args in [&["--fallback", "auto"][..], &["--repair"]] {
        converted("Grüße, привет\n".as_bytes(), args, "Grüße, привет\n");
    }
    converted("GrÃ¼ÃŸe aus KÃ¶ln\n".as_bytes(), &["--repair"], "Grüße aus Köln\n");
}

#[test]
fn an_existing_file_in_the_output_directory_is_not_replaced_by_unreadable_text() {
    let dir = Dir::new();
    dir.write("f", b"abc\n");
    let (status, _, err) = dir.run(&["-f", "ibm1047", "-O", "out", "f"]);
    assert_eq!(status, 0);
    assert!(err.contains("f: the input is already valid UTF-8"), "{err}");
    let (status, _, err) = dir.run(&["-f", "ibm1047", "-O", "out", "f"]);
    assert!(status == 1 && err.contains("not converted"), "{err}");
}

#[test]
fn what_cannot_be_refused_is_noted() {
    let dir = Dir::new();
    dir.write("f", "é\n".as_bytes());
    let words = "oxiconv: f: the input is already valid UTF-8, but -f says ISO-8859-1\n";
    assert_eq!(dir.run(&["-f", "latin1", "f"]), (0, "Ã©\n".into(), words.into()));
    assert_eq!(dir.run(&["-f", "latin1", "-o", "g", "f"]), (0, String::new(), words.into()));
    for args in [["-q", "-f", "latin1", "f"], ["-q", "-f", "utf-8", "f"]] {
        assert_eq!(dir.run(&args).2, "", "{args:?}");
    }
    // Of a pipe, it would depend on how much is there already.
    assert_eq!(run_text(&["-f", "latin1"], "é\n").2, "");
}

/// eclint #4.
#[test]
fn a_declared_charset_that_a_short_file_contradicts_is_one_finding() {
    for (charset, bytes, found) in [
        ("utf-16le", &b"abc=1\n"[..], true),
        ("utf-16le", b"odd\n\n", true),
        ("utf-16be", "Grüße\n".as_bytes(), true),
        ("latin1", "Grüße\n".as_bytes(), true),
        ("latin1", b"abc=1\n", false),
        ("utf-16le", b"a\0b\0\n\0", false),
    ] {
        let dir = Dir::new();
        dir.write(".editorconfig", format!("[*]\ncharset = {charset}\n").as_bytes());
        dir.write("f.txt", bytes);
        let (status, out, _) = dir.run(&["--check", "f.txt"]);
        assert_eq!(status, i32::from(found), "{charset}: {out}");
        assert_eq!(out.lines().count(), usize::from(found), "{charset}: {out}");
        assert_eq!(out.contains("error[other-encoding]"), found, "{charset}: {out}");
    }
}

#[test]
fn deny_groups_are_what_their_names_say() {
    assert_eq!(run_text(&["--check", "--deny", "all"], "😀\n").0, 0);
    assert_eq!(run_text(&["--check", "--deny", "security"], "😀 \u{E000}\u{FFFD}\n").0, 0);
    for text in ["a\u{202E}b", "a\u{200B}b", "a\x08b", "a\u{FEFF}b"] {
        assert_eq!(run_text(&["--check", "--deny", "security"], text).0, 1, "{text:?}");
    }
    // Homographs in words of several languages, with a letter of Cyrillic, Greek, Armenian, Cherokee, Lisu, and full-width.
    for text in [
        "if user == \"аdmin\"",
        "Bestätigυng",
        "contraseñа",
        "nazwa_użytkοwnika",
        "fօnksiyon()",
        "Ꭺnmeldung",
        "ꓢécurité",
        "ｒoot",
        "x = ѕсоре",
    ] {
        let (status, out, _) = run_text(&["--check", "--deny", "security"], text);
        assert_eq!((status, out.lines().count()), (1, 1), "{text:?}: {out}");
    }
    for text in
        ["x = \"Все файлы\"", "# Όλα τα αρχεία, 5 kΩ", "日本語Tシャツ", "naïve, São, Čeština"]
    {
        assert_eq!(run_text(&["--check", "--deny", "security"], text).0, 0, "{text:?}");
    }
}
