//! Replacing files: which conversions in place are refused, and which are not.

use crate::common::{Dir, run, run_text};

/// Expects that converting a file in place is refused and leaves the file unchanged. Returns the message.
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

/// Expects that converting a file in place succeeds and gives this text.
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
    // Text without the characters that differ, and text that is more likely in this encoding, are converted.
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

/// Ill-formed bytes are not text, however long a run they form. A reading that has them is never likelier than UTF-8.
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
    // In these encodings, the bytes of "." and "-" begin multi-byte characters. The text is ASCII nonetheless.
    for from in ["gb_2312-80", "bocu-1", "ksc_5601"] {
        refused(b"....\n----\n", &["-f", from, "-e", "replace"]);
    }
    refused(b"\x1B[31mred\x1B[0m text\n", &["-f", "iso-2022-jp", "-e", "replace"]);
    // A terminal's escape sequence does not turn bytes into UTF-16.
    let legacy = [b"\x1B[1m".to_vec(), b"Gr\xFC\xDFe f\xFCr alle Menschen\n".repeat(20)].concat();
    let err = refused(&legacy, &["-f", "utf-16", "-e", "replace"]);
    assert!(err.contains("-f windows-1252 -i f"), "{err}");
    // UTF-16 with an unpaired surrogate, and UTF-16 with a single-byte line feed at its end, as `echo >>` appends it.
    converted(b"h\0i\0\0\xD8!\0\n\0", &["-f", "utf-16le", "-e", "replace"], "hi\u{FFFD}!\n");
    converted(b"h\0i\0!\0\n\0\n", &["-f", "utf-16le", "-e", "replace"], "hi!\n\u{FFFD}");
}

/// Padding, form feeds, terminal escapes and a byte order mark occur in text. That another encoding has letters at
/// these codes is no evidence for it.
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

/// A few bytes in another encoding, or a truncated character, do not change that a text is UTF-8.
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
    // The stray byte comes long after the part that is examined first.
    for from in ["windows-1252", "koi8-r", "utf-16le"] {
        let text = "Привет, как дела? Сегодня хорошая погода.\n".repeat(500);
        refused(&[text.as_bytes(), b"ok \x93x\x94\n\n"].concat(), &["-f", from]);
    }
    // A conversion to another file is not refused, but a note says the same.
    let dir = Dir::new();
    dir.write("f", &[german.as_bytes(), b"gro\xDF\n"].concat());
    let (status, _, err) = dir.run(&["-f", "windows-1252", "-o", "out", "f"]);
    assert_eq!(status, 0, "{err}");
    assert!(err.contains("the input is UTF-8 with 1 ill-formed byte, but -f says windows-1252"));
}

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

/// PowerShell's `>>` appends unmarked UTF-16LE to a log in UTF-8, and other programs continue in UTF-8. Terminal
/// escapes in UTF-8 are refused too.
#[test]
fn utf16_with_parts_in_utf8_is_refused() {
    for from in ["utf-16", "utf-16le"] {
        refused(b"log start\nh\0i\0 \0t\0h\0e\0r\0e\0\r\0\n\0done now\n\n", &["-f", from]);
        refused(b"\x1B[31mred\x1B[0m text\n", &["-f", from]);
    }
    refused(b"\xFF\xFEh\0i\0\r\0\n\0hi\r\n", &["-f", "utf-16"]);
    // Without a mark, `-f utf-16` reads big-endian.
    let err = refused(b"h\0i\0\n\0", &["-f", "utf-16"]);
    assert!(err.contains("oxiconv -f utf-16le -i f"), "{err}");
    converted(b"h\0i\0\n\0", &["-f", "utf-16le"], "hi\n");
}

/// Detected UTF-16 is examined just as UTF-16 requested with `-f`.
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

/// The output of an earlier run may look like another encoding to detection. A second run must not convert it again.
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

/// A file may contain ASCII and an occasional symbol for a long time before the text that shows its encoding. The
/// evidence counts wherever it is.
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
    // Many backslashes that are not escapes precede the text.
    for lines in [100, 3000] {
        let text = format!("{}später\n{plain}", "path C:\\dir\n".repeat(lines));
        let written = run(&["-t", "java"], &text).1;
        let err = refused(&written, &["-t", "java"]);
        assert!(err.contains("already JAVA"), "{err}");
        converted(text.as_bytes(), &["-t", "java"], &String::from_utf8(written).unwrap());
    }
    // An ampersand that is not escaped shows, wherever it is, that the text has not been escaped yet.
    for lines in [10, 3000] {
        let text = format!("{}&lt;\n", "AT&T\n".repeat(lines));
        converted(text.as_bytes(), &["-t", "xml"], &text.replace('&', "&amp;"));
    }
    // A part in UTF-8 at the end of a long text in UTF-16.
    for text in ["hello\r\n", "привет\r\n"] {
        let units = run(&["-t", "utf-16le"], &text.repeat(4000)).1;
        for tail in ["2024-01-01 ok.\r\n", "потом, да\r\n\n"] {
            let whole = [&units, tail.as_bytes()].concat();
            for from in ["utf-16le", "auto", "auto-lines"] {
                let err = refused(&whole, &["-f", from]);
                assert!(err.contains("UTF-16LE with parts in UTF-8"), "{from}: {err}");
            }
        }
        // A part in the middle with an even number of bytes, so that each pair is a letter in UTF-16.
        let part = "Привет, это строка журнала\n".repeat(2);
        let whole = [&units, part.as_bytes(), &units].concat();
        for from in ["utf-16le", "auto"] {
            let err = refused(&whole, &["-f", from]);
            assert!(err.contains("UTF-16LE with parts in UTF-8"), "{from}: {err}");
        }
    }
    // Ideographs have no control characters among their bytes that would set them apart from the part in UTF-8.
    let japanese = "すべての人間は、生まれながらにして自由であり".repeat(20);
    let units: Vec<u8> = japanese.encode_utf16().flat_map(u16::to_le_bytes).collect();
    converted(&units, &["-f", "utf-16le"], &japanese);
    let part = "Привет, это строка журнала\n".repeat(2);
    let err = refused(&[&units, part.as_bytes(), &units].concat(), &["-f", "utf-16le"]);
    assert!(err.contains("UTF-16LE with parts in UTF-8"), "{err}");
}

/// "möchte" in IBM500 and "Größe in Zeilen" in IBM273, encoded by Python. `-f auto-lines` used to read them as Korean
/// and Chinese.
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

/// Any two bytes of a byte-oriented text make an ideograph in UTF-16. That is no reason to convert the text, even if it
/// is ASCII without words, or legacy text.
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
    // Real UTF-16 can consist of ASCII bytes. Every other byte is then a control character: 0E in Thai, 04 in Cyrillic.
    for text in ["ยืนยันว่าเป็น", "Читаєморозширенівлас", "中文"]
    {
        let units = run(&["-t", "utf-16be"], text).1;
        converted(&units, &["-f", "utf-16be"], text);
    }
}

/// A legacy letter does not turn the ASCII around it into EBCDIC.
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

/// A log has lines in two encodings if its program switched to UTF-8, or if two programs write it. That is recognized
/// however late the second encoding begins.
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
    // Lines that end with CR, as on old Macs.
    let text = [latin1.repeat(2), utf8.repeat(2).into()].concat();
    let text: Vec<_> = text.iter().map(|b| if *b == b'\n' { b'\r' } else { *b }).collect();
    let err = refused(&text, &["-f", "latin1"]);
    assert!(err.contains("-f auto-lines -i f"), "{err}");
    // The same for Cyrillic, with the line in UTF-8 between other lines.
    let line = |text: &str| run(&["-t", "cp1251"], text).1;
    let russian = line("Все люди рождаются свободными\n").repeat(5);
    let mixed = [&russian[..], "равными в своём достоинстве\n".as_bytes(), &russian].concat();
    let err = refused(&mixed, &["-f", "windows-1251"]);
    assert!(err.contains("lines in UTF-8"), "{err}");
    // A line that is UTF-8 by chance hardly makes text: `только` in IBM866 would be an arrow and a Hangul syllable.
    let word = run(&["-t", "ibm866"], "только\n").1;
    assert!(std::str::from_utf8(&word).is_ok());
    let dos = [run(&["-t", "ibm866"], "Все люди рождаются свободными\n").1, word].concat();
    converted(&dos, &["-f", "ibm866"], "Все люди рождаются свободными\nтолько\n");
}

/// If the whole text is in another encoding, its letters are not stray bytes and must not be replaced with U+FFFD.
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

/// The same holds for letters of a text that has lines in UTF-8, or that is UTF-8 except for them.
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
    // Nothing is lost if all of the text is read in its encoding. A truncated character is no letter.
    let latin1 = b"Gr\xFC\xDFe f\xFCr alle Menschen\n";
    let read = "Grüße für alle Menschen\n";
    converted(latin1, &["-f", "auto", "-e", "replace"], read);
    converted(b"schr\xC3\xB6der gr\xC3\n", &["-e", "replace"], "schröder gr\u{FFFD}\n");
}

#[test]
fn lines_of_several_charsets_are_no_wide_units() {
    let hebrew = "כל בני האדם נולדו בני חורין\n";
    let lines = [run(&["-t", "cp1255"], hebrew).1.repeat(5), hebrew.repeat(2).into()].concat();
    let err = refused(&lines, &["-f", "utf-16le", "-e", "replace"]);
    assert!(err.contains("-f auto-lines -i f"), "{err}");
}

/// The bytes that would be replaced or escaped show that the text has already been converted.
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
    // In GSM 03.38, the euro sign, the backslash, brackets and braces are escape sequences.
    for text in ["€5\n", "C:\\dir\n", "a [b] {c}\n"] {
        let written = run(&["-t", "gsm0338"], text).1;
        let err = refused(&written, &["-t", "gsm0338", "--unmappable", "xml"]);
        assert!(err.contains("already GSM0338"), "{text}: {err}");
    }
    // UTF-8 with a stray byte is different: its other characters are multi-byte sequences, so it is not yet converted.
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

/// Lines of UTF-16 or UTF-32 cannot be split at the byte 0A, so `-f auto-lines` is refused.
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

/// The input is judged in the encoding that `--language` makes it, not in the one that detection alone would choose.
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

/// `-o` with any path of the input replaces it, as `-i` does, and obeys the same rule.
#[cfg(unix)]
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
    // An ampersand that is not escaped shows that the text has not been escaped yet.
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

/// Texts, each with its encoding and with those that it might be mistaken for.
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
            // The conversion is either refused with a command that gives the right text, or stops at a finding.
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

/// In files that are mostly ASCII, the keys and tags around words are no evidence of the words' encoding. Nor may an
/// ideograph tip the balance because it carries more bits than a letter: readings are compared over the whole text.
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

/// The user may know a language for which there is no model, and what the text is about. Unusual text is therefore
/// converted as requested.
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
        // In IBM1390, this is well-formed UTF-8 by chance, with many control characters.
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
        // A new file is written, with a note about the likely encoding. An existing file is not replaced.
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
    // Well-formed UTF-8 and damaged text are what these options are for.
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
    // From a pipe there is no note, because it would depend on how much has already arrived.
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
    // Homographs in words of several languages, with letters that are Cyrillic, Greek, Armenian, Cherokee, Lisu or
    // full-width.
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
