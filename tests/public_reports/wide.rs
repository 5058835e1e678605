//! UTF-16 and UTF-32 with foreign bytes in them, hints that name a superset, and hints about a mark inside a text.

use crate::common::{Dir, run, run_text};
use crate::sample;

fn utf16le(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn utf16be(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_be_bytes).collect()
}

fn utf32le(text: &str) -> Vec<u8> {
    text.chars().flat_map(|char| u32::from(char).to_le_bytes()).collect()
}

fn utf32be(text: &str) -> Vec<u8> {
    text.chars().flat_map(|char| u32::from(char).to_be_bytes()).collect()
}

type Encode = fn(&str) -> Vec<u8>;

const SCHEMES: [(&str, Encode); 4] =
    [("utf-16le", utf16le), ("utf-16be", utf16be), ("utf-32le", utf32le), ("utf-32be", utf32be)];

/// Replaces each byte 0A with 0D 0A, as C's text mode does on Windows.
fn inserted(bytes: &[u8]) -> Vec<u8> {
    bytes
        .iter()
        .flat_map(|byte| if *byte == b'\n' { vec![b'\r', b'\n'] } else { vec![*byte] })
        .collect()
}

/// PowerShell's `>>` can leave such a tail (PowerShell #9423).
#[test]
fn a_tail_in_single_bytes_is_found_and_repaired() {
    let text = [&b"\xFF\xFE"[..], &utf16le("hi\r\n"), b"hi\r\n"].concat();
    let (status, out, err) = run_text(&["--check", "-f", "utf-16"], &text);
    assert_eq!(status, 1);
    assert_eq!(
        out,
        "(standard input):2:1: error[other-units]: 68 69 0D 0A at byte 10 (0xa): from here on, the text consists \
         of single bytes, not UTF-16LE code units\n"
    );
    assert_eq!(
        err,
        "oxiconv: (standard input): looks like UTF-16LE with other bytes in it: single-byte text was appended at byte \
         10 (try -f utf-16 --repair)\n"
    );
    // The finding has said what was appended. Only the command is new.
    let dir = Dir::new();
    dir.write("tail.txt", &text);
    let (_, _, err) = dir.run(&["--check", "-f", "utf-16", "tail.txt"]);
    assert_eq!(
        err,
        "oxiconv: tail.txt: to repair it: oxiconv -f utf-16 --repair -i.bak tail.txt\n"
    );
    let (status, out, _) = run_text(&["-f", "utf-16"], &text);
    assert_eq!((status, &*out), (1, "hi\r\n"), "nothing of the tail is written as other text");
    let (status, out, _) = run_text(&["-f", "utf-16", "--repair"], &text);
    assert_eq!((status, &*out), (0, "hi\r\nhi\r\n"));
}

#[test]
fn tails_and_parts_between_come_back_in_every_scheme() {
    let parts = [
        "done\n",
        "2024-05-01 12:00:01 started\r\n",
        "na\u{EF}ve caf\u{E9}\n",
        "строка лога\r\nещё одна\r\n",
    ];
    let texts =
        ["Hello, world\r\n", "привет\r\nмир\r\n", "日本語です\n中文\n", "한국어 문장\n", "Grüße\n"];
    for (name, encode) in SCHEMES {
        for text in texts {
            for part in parts {
                let whole = format!("{text}{part}");
                let (status, out, err) =
                    run_text(&["-f", name, "--repair"], &[&encode(text), part.as_bytes()].concat());
                assert_eq!((status, &*out), (0, &*whole), "{name}: {err}");
                // Between two others, a short part without CR gives too little evidence.
                if !part.ends_with("\r\n") {
                    continue;
                }
                let between = [&encode(text), part.as_bytes(), &encode(text)].concat();
                let (status, out, err) = run_text(&["-f", name, "--repair"], &between);
                assert_eq!((status, out), (0, format!("{whole}{text}")), "{name}: {err}");
                let (status, ..) = run(&["--check", "-f", name], &between);
                assert_eq!(status, 1, "{name}: {whole:?}");
            }
        }
    }
}

/// Few characters that are repeated are no evidence, whatever their bytes are in another reading: letters of two alphabets,
/// or blanks and digits.
#[test]
fn repeated_characters_are_no_evidence() {
    for text in [
        "\u{FB01}中\u{FB01}中\u{FB01}",
        "\u{2A98}\u{2A97}\u{2A96}\u{2A96}\u{2A96}",
        "\u{FE4F}\u{FE4F}\u{FE4F}\u{FE4F}\u{FE4F}\u{FE4F}\u{FE4F}\u{FE4F}",
        "††††††††",
        "‰‰‰‰‰‰‰‰",
        "\u{200A}\u{200A}\u{200A}\u{200A}\u{200A}\u{200A}\u{200A}\u{200A}",
    ] {
        for length in [1, 5, 20] {
            let text = text.repeat(length);
            for (scheme, encode) in &SCHEMES[..2] {
                let (status, out, err) = run_text(&["-f", scheme], &encode(&text));
                assert_eq!((status, &*out), (0, &*text), "{scheme}: {err}");
            }
        }
    }
}

/// Few different characters are enough where the bytes can hardly be anything else: in UTF-32, in an odd number of bytes,
/// or if the first byte was lost and all letters are ASCII. A lost byte is found even if the end is damaged, too.
#[test]
fn damage_is_found_in_short_and_repeated_text() {
    let lost = |text: &str| [b"\xFF\xFE", &utf16le(text)[1..]].concat();
    for (scheme, text, place) in [
        ("utf-32le", [utf32le("hi\n"), b"goodbye".to_vec()].concat(), 12),
        ("utf-16le", [utf16le("hi\n"), b"hahahah".to_vec()].concat(), 6),
        ("utf-16", [lost("Привет, мир\n"), b"\n".to_vec()].concat(), 2),
        ("utf-16le", [b"\xFE".to_vec(), utf16le("Привет, мир"), b"\n".to_vec()].concat(), 0),
        ("utf-16", lost(&format!("{}\nHello world\n", "=".repeat(40))), 2),
        ("utf-16", lost("hahahaha"), 2),
        ("utf-16le", [utf16le("hi\r\n"), b"    \r\n".to_vec()].concat(), 8),
    ] {
        let (status, out, _) = run_text(&["--check", "-f", scheme], &text);
        assert_eq!(status, 1, "{}", text.escape_ascii());
        let first = out.lines().next().unwrap();
        assert!(first.contains(&format!(" at byte {place} (")), "{first}");
        assert!(first.contains("[misaligned]") || first.contains("[other-units]"), "{first}");
    }
}

/// Detection recognizes the encoding in spite of the damage, even with `-f auto-lines`.
#[test]
fn a_detected_text_is_repaired_too() {
    for name in ["auto", "auto-lines"] {
        for (text, repaired) in [
            (
                [&b"\xFF\xFE"[..], &utf16le("привет\r\n"), b"done\r\n"].concat(),
                "привет\r\ndone\r\n",
            ),
            (
                [&b"\xFF\xFE"[..], &inserted(&utf16le("first\r\nsecond\r\n"))].concat(),
                "first\r\nsecond\r\n",
            ),
            (utf16be("first\r\nsecond\r\n"), "first\r\nsecond\r\n"),
        ] {
            let (status, out, err) = run_text(&["-f", name, "--repair"], &text);
            assert_eq!((status, &*out), (0, repaired), "{name}: {err}");
        }
    }
}

/// A single-byte part without CR between two others gives no certainty, and one of odd length shifts all code units
/// after it. The repair must be right or fail.
#[test]
fn what_is_not_certain_is_never_written_as_if_it_were() {
    for text in
        ["привет, как дела\nхорошо\n", "hello there, how are you\nfine\n", "Grüße aus Köln\n"]
    {
        for (name, encode) in SCHEMES {
            for part in ["done\n", "ok\n", "na\u{EF}ve\n", "12:00 up\n", "строка\n"] {
                let damaged = [&encode(text), part.as_bytes(), &encode(&text.repeat(2))].concat();
                let (status, out, err) = run_text(&["-f", name, "--repair"], &damaged);
                let whole = format!("{text}{part}{}", text.repeat(2));
                assert!(status == 1 || out == whole, "{name} {text:?} {part:?}: {out:?} {err}");
            }
        }
    }
}

/// `echo. >>` appends CR LF, and CP/M pads with 1A. As code units these are U+0D0A, U+0A0D and U+1A1A, letters of
/// scripts that the text does not use.
#[test]
fn appended_line_ends_are_no_letters() {
    for (scheme, encode) in &SCHEMES[..2] {
        for tail in ["\r\n", "\n\n", "\x1A\x1A\x1A\x1A"] {
            let text = [encode("Привет, мир\r\n"), tail.into()].concat();
            let (status, out, err) = run_text(&["--check", "-f", scheme], &text);
            assert_eq!((status, out.matches("error[other-units]").count()), (1, 1), "{out}");
            assert!(out.contains(" at byte 26 (0x1a): "), "{scheme} {tail:?}: {out}");
            assert!(err.contains("appended"), "{scheme} {tail:?}: {err}");
            let (status, out, _) = run_text(&["-f", scheme, "--repair"], &text);
            // 1A is not text, so nothing proves that this tail is single-byte text, and it is not repaired.
            let repaired = if tail.contains('\x1A') { (1, "") } else { (0, tail) };
            assert_eq!((status, out), (repaired.0, format!("Привет, мир\r\n{}", repaired.1)));
        }
        // The mark is not part of the finding.
        let marked = [encode("\u{FEFF}"), b"\r\n".into()].concat();
        let (_, out, _) = run_text(&["--check", "-f", scheme, "--bom", "forbid"], &marked);
        assert!(out.contains("0D 0A at byte 2 (0x2): "), "{scheme}: {out}");
        // The same code unit is sound as the last line of a text in its own script.
        for sound in ["ਪੰਜਾਬੀ\nਊ", "മലയാളം\nഊ"] {
            let (status, out, _) = run_text(&["-f", scheme], &encode(sound));
            assert_eq!((status, &*out), (0, sound), "{scheme}");
        }
    }
}

/// Nothing tells which code page it is, so the repair must not guess.
#[test]
fn a_tail_in_a_code_page_is_found_and_stays() {
    let tail = b"\xF1\xF2\xF0\xEE\xEA\xE0 \xEB\xEE\xE3\xE0\r\n\xE5\xF9\xB8 \xEE\xE4\xED\xE0\r\n";
    let text = [&utf16le("привет\r\n"), &tail[..]].concat();
    let (status, out, err) = run_text(&["-f", "utf-16le", "--repair"], &text);
    assert_eq!((status, &*out), (1, "привет\r\n"));
    assert!(err.contains("other-units"), "{err}");
}

/// A program that writes UTF-16 in text mode does this (Windows-classic-samples #5).
#[test]
fn line_ends_changed_byte_by_byte_are_found_and_repaired() {
    for lines in [
        "[a]\r\nx=1\r\n",
        "[a]\r\nx=1\r\ny=2\r\n",
        "ключ=да\r\nnext\r\n\r\nlast=1\r\n",
        "a\nb\nc\n",
    ] {
        for (name, encode) in SCHEMES {
            let text = inserted(&encode(lines));
            let (status, out, err) = run_text(&["-f", name, "--repair"], &text);
            assert_eq!((status, &*out), (0, lines), "{name}: {err}");
            let (status, out, err) = run_text(&["--check", "-f", name], &text);
            assert_eq!(status, 1);
            assert_eq!(
                out.matches("error[misaligned]").count(),
                lines.matches('\n').count(),
                "{out}"
            );
            assert!(
                err.contains("its line breaks were converted byte by byte (try -f utf-"),
                "{err}"
            );
        }
    }
}

/// `tr -d '\r'` and similar tools remove the byte 0D and leave the rest of its code unit.
#[test]
fn lost_carriage_returns_come_back() {
    let lines = "[a]\r\nx=1\r\nyy=22\r\n";
    for (name, encode) in SCHEMES {
        let text: Vec<u8> = encode(lines).into_iter().filter(|byte| *byte != b'\r').collect();
        let (status, out, err) = run_text(&["-f", name, "--repair"], &text);
        assert_eq!((status, &*out), (0, lines), "{name}: {err}");
    }
}

/// Nothing tells which byte it was, so there is no repair.
#[test]
fn a_byte_too_many_or_too_few_is_found_at_the_next_line_end() {
    for text in
        ["hello world, this is a text\nand this\n", "съешь же ещё этих булок, да выпей чаю\n"]
    {
        for (name, encode) in &SCHEMES[..2] {
            let whole = encode(&text.repeat(3));
            for at in [20, 21, 40, 43] {
                let lost = [&whole[..at], &whole[at + 1..]].concat();
                let more = [&whole[..at], b"X", &whole[at..]].concat();
                for damaged in [lost, more] {
                    let (status, _, err) = run_text(&["-f", *name, "--repair"], &damaged);
                    assert!(status == 1 && err.contains("misaligned"), "{name} {at}: {err}");
                    let (status, out, err) = run_text(&["--check", "-f", *name], &damaged);
                    assert_eq!(status, 1);
                    assert_eq!(out.matches("error[misaligned]").count(), 1, "{name} {at}: {out}");
                    assert!(!err.contains("--repair"), "{err}");
                }
            }
        }
    }
}

/// Each of these characters alone looks like a sign of damage.
#[test]
fn sound_text_has_no_findings() {
    for text in [
        "ഊണ് കഴിച്ചു\nമലയാളം\n",
        "ਪੰਜਾਬੀ ਵਿੱਚ ਲਿਖਤ\n",
        "不上不下\n上\n不\n中文不上\n",
        "─────────────────────\n══════════════════\n",
        "　　　　　　　　　　　　　　　　中\n",
        "慡慢慣慤慥慦慧慨慩慪\n",
        "漢字 mixed with English words 中文 and so on\n",
    ] {
        for (name, encode) in SCHEMES {
            let (status, out, _) = run_text(&["--check", "-f", name], &encode(&text.repeat(3)));
            assert_eq!((status, &*out), (0, ""), "{name}: {text}");
        }
    }
}

/// The text is converted in pieces, and the longer ones by several threads.
#[test]
fn a_part_is_found_at_any_place_of_a_long_text() {
    let line = "The quick brown fox; 中文 und Grüße.\r\n";
    for (name, encode) in SCHEMES {
        for lines in [1700, 20_000] {
            let before = encode(&line.repeat(lines));
            let text = [&before[..], b"appended\r\n", &encode(line)].concat();
            let repaired = format!("{}appended\r\n{line}", line.repeat(lines));
            for threads in ["-j1", "-j2", "-j3", "-j4"] {
                let (status, out, err) = run_text(&["-f", name, "--repair", threads], &text);
                assert_eq!(status, 0, "{err}");
                assert!(out == repaired, "{name} {lines}");
                let (_, out, _) = run_text(&["--check", "-f", name, threads], &text);
                let place = format!("{}:1: error[other-units]: 61 70", lines + 1);
                assert!(out.contains(&place) && out.lines().count() == 1, "{out}");
            }
        }
    }
}

/// Text mode has damaged every line of a long text.
#[test]
fn any_number_of_threads_repairs_the_same() {
    let lines = "ключ=да; и ещё\r\nnaïve café\r\n".repeat(20_000);
    let threads = ["-j1", "-j2", "-j3", "-j4"];
    let pairs = SCHEMES.into_iter().flat_map(|scheme| threads.map(|threads| (scheme, threads)));
    for ((name, encode), threads) in sample::every(5, pairs) {
        let text = inserted(&encode(&lines));
        let (status, out, err) = run_text(&["-f", name, "--repair", threads], &text);
        assert_eq!(status, 0, "{name}: {err}");
        assert!(out == lines, "{name} {threads}");
    }
}

#[test]
fn a_text_that_lost_its_first_byte_is_aligned() {
    for text in ["Hello, world\r\nbye\r\n", "Привет, мир\n", "नमस्ते दुनिया\n", "こんにちは世界\n"]
    {
        let lost = [b"\xFF\xFE", &utf16le(text)[1..]].concat();
        let (status, out, err) = run_text(&["-f", "utf-16", "--repair"], &lost);
        let rest: String = text.chars().skip(1).collect();
        assert_eq!((status, out), (0, format!("\u{FFFD}{rest}")), "{err}");
        let (status, _, err) = run_text(&["-f", "utf-16"], &lost);
        assert!(status == 1 && err.contains("part of the first code unit of"), "{err}");
        // Without a mark, a text whose characters all have the same high byte looks like the other byte order.
        let lost = &utf16le(text)[1..];
        let (status, _, err) = run_text(&["--check", "-f", "utf-16le"], lost);
        assert!(status == 1 && (err.contains("-f utf-16be") || err.contains("or lost")), "{err}");
        // If only half of the mark is lost, the repair restores the whole text.
        let cut = &[&b"\xFF\xFE"[..], &utf16le(text)].concat()[1..];
        let (status, out, err) = run_text(&["-f", "utf-16le", "--repair"], cut);
        assert_eq!((status, &*out), (0, text), "{err}");
    }
}

/// Returns the texts of the detection tests, in more than 80 languages, with their paths.
fn texts() -> impl Iterator<Item = (String, String)> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/detection");
    let mut paths: Vec<_> =
        std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ext| ext == "txt"));
    paths.sort();
    paths
        .into_iter()
        .map(|path| (path.display().to_string(), std::fs::read_to_string(&path).unwrap()))
}

#[test]
fn repair_changes_no_text_that_is_sound() {
    for (path, text) in sample::every(3, texts()) {
        for (name, encode) in SCHEMES {
            let (status, out, err) = run_text(&["-f", name, "--repair"], &encode(&text));
            assert_eq!((status, &*err), (0, ""), "{path} {name}");
            assert!(out == text, "{path} {name}");
        }
    }
}

/// In any language, a repair of any of these kinds of damage either restores the text or fails.
#[test]
fn no_repair_makes_other_text() {
    let mut repaired = 0;
    for (path, text) in texts().step_by(3) {
        let text: String = text.lines().take(4).map(|line| format!("{line}\r\n")).collect();
        for (name, encode) in SCHEMES {
            let whole = encode(&text);
            let lost = whole.iter().copied().filter(|byte| *byte != b'\r').collect();
            for (damaged, meant) in [
                (
                    [&whole, &b"2024-05-01 appended\r\n"[..]].concat(),
                    format!("{text}2024-05-01 appended\r\n"),
                ),
                (inserted(&whole), text.clone()),
                (lost, text.clone()),
            ] {
                let (status, out, err) = run_text(&["-f", name, "--repair"], &damaged);
                assert!(status == 1 || out == meant, "{path} {name}: {out} {err}");
                repaired += u32::from(status == 0);
            }
        }
    }
    assert!(repaired > 200, "{repaired}");
}

/// PowerShell's `>>` appends UTF-16 without a mark to a log in UTF-8. Other programs then continue in UTF-8.
#[test]
fn utf16_in_utf8_is_found_where_it_begins() {
    for before in ["", "ok\n", "no line end", "Grüße\r\n", "лог запущен\n", "日本語\n"]
    {
        for (name, encode) in &SCHEMES[..2] {
            // Without a line ending before UTF-16BE, the last character of the UTF-8 part could belong to either.
            if *name == "utf-16be" && before == "no line end" {
                continue;
            }
            for part in ["done\r\n", "2024-05-01 12:00 start\n", "a b c d e"] {
                for after in ["", "then\n", "\u{E4}\n"] {
                    let text = [before.as_bytes(), &encode(part), after.as_bytes()].concat();
                    let (status, out, err) = run_text(&["--check"], &text);
                    let place = format!("at byte {} ", before.len());
                    let is =
                        if before.is_empty() { "the text is" } else { "from here on, the text is" };
                    let is = format!("{is} {}", name.to_uppercase());
                    assert_eq!((status, out.lines().count()), (1, 1), "{text:?}: {out} {err}");
                    assert!(out.contains("error[other-encoding]"), "{out}");
                    assert!(out.contains(&place) && out.contains(&is), "{text:?}: {out}");
                }
            }
        }
    }
}

#[test]
fn a_few_zeros_in_utf8_are_no_utf16() {
    for text in [
        &b"one\0two\0"[..],
        b"a\0b\0c\0",
        b"text\n\0\0\0\0\0\0\0\0\0",
        b"\0a\0b\0c",
        b"k=v\0\0k=v\0\0",
    ] {
        let (status, out, _) = run_text(&["--check"], text);
        assert_eq!((status, &*out), (0, ""), "{text:?}");
    }
}

#[test]
fn utf16_is_found_at_any_place_of_a_long_text_in_utf8() {
    let line = "The quick brown fox; 中文 und Grüße.\n";
    for lines in [1, 400, 1700, 60_000] {
        for (_, encode) in &SCHEMES[..2] {
            for zeros in ["", "\0.", "a\0."] {
                let before = format!("{}{zeros}\n", line.repeat(lines));
                let part = encode("appended by another program\r\n").repeat(500);
                let text = [before.as_bytes(), &part, line.as_bytes()].concat();
                for threads in ["-j1", "-j2", "-j4"] {
                    let (status, out, _) = run_text(&["--check", threads], &text);
                    let place = format!("at byte {} ", before.len());
                    assert_eq!((status, out.lines().count()), (1, 1), "{lines} {zeros:?}: {out}");
                    assert!(out.contains(&place), "{lines} {zeros:?} {threads}: {out}");
                }
            }
        }
    }
}

/// Two concatenated files with marks (hledger #2189).
#[test]
fn a_mark_inside_names_the_options_that_leave_it_out() {
    let text = "\u{FEFF}a\n\u{FEFF}b\n";
    let options = "(--deny bom --denied skip removes it)";
    let (status, _, err) = run_text(&["-t", "latin1"], text);
    assert_eq!(status, 1);
    assert!(err.contains(options), "{err}");
    let (_, out, _) = run_text(&["--explain", "-t", "latin1"], text);
    assert!(out.contains("--denied skip"), "{out}");
    let (_, out, _) = run_text(&["-t", "latin1", "--deny", "bom", "--denied", "skip"], text);
    assert_eq!(out, "a\nb\n");
}

/// From sogo #380, with the additions of other vendors.
#[test]
fn a_superset_that_reads_the_text_is_named() {
    for (from, text, superset) in [
        ("iso-2022-jp", &b"\x1B$B-!\x1B(B\n"[..], "iso-2022-jp-ms"),
        ("tis-620", b"\xA1 \x80 5\n", "windows-874"),
        ("euc-jp", b"\xA4\xA2 \xAD\xA1\n", "euc-jp-ms"),
        ("shift_jis", b"\x87\x40 \x83\x65\n", "cp932"),
        ("gb2312", b"\x81\x40 \xD6\xD0\n", "gbk"),
        ("gbk", b"\xD6\xD0 \xB9\xFA \x81\x30\x81\x30\n", "gb18030"),
        ("windows-1251", "Ирина, привет\n".as_bytes(), "utf-8"),
    ] {
        for args in [&["--check", "-f", from][..], &["-f", from]] {
            let (status, _, err) = run(args, text);
            assert_eq!(status, 1, "{from}");
            assert!(err.contains(&format!("(try -f {superset})")), "{from}: {err}");
        }
        let (status, ..) = run(&["-f", superset], text);
        assert_eq!(status, 0, "{superset}");
    }
    let (_, _, err) = run_text(&["-f", "latin1", "-t", "windows-1250"], &b"it\x92s\n"[..]);
    assert!(err.contains("in windows-1252 92 is \u{2019} (try -f windows-1252)"), "{err}");
}

/// The NUL bytes of a sparse file are not UTF-16, but the text after them may be.
#[test]
fn runs_of_nul_are_no_units() {
    let dir = Dir::new();
    for len in [3, 70_000, 3 << 20, 9 << 20] {
        let nul = vec![0; len];
        let sound = [b"text\n", &nul[..], b"\xFF\n"].concat();
        let units = [b"text\n", &nul[..], b"\0h\0e\0l\0l\0o\0\n"].concat();
        dir.write("sound", &sound);
        dir.write("units", &units);
        for jobs in ["-j1", "-j4"] {
            let (status, out, _) = dir.run(&["--check", jobs, "sound"]);
            assert!(status == 1 && out.contains("invalid-byte"), "{len}: {out}");
            assert!(!out.contains("other-encoding"), "{len}: {out}");
            let (status, out, _) = dir.run(&["--check", jobs, "units"]);
            assert!(status == 1 && out.contains("other-encoding"), "{len}: {out}");
        }
    }
}
