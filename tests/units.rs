//! UTF-16 and UTF-32 without a byte order mark, 7-bit escapes, and binary data: `-f auto`, hints, and the note about
//! the byte order.

use std::fs;

use crate::common::{oxiconv, run};
use oxiconv::{Detector, Encoding, Evidence};

const TEXTS: [&str; 9] = [
    "Съешь же ещё этих мягких французских булок, да выпей чаю.\n",
    "यह हिन्दी में लिखा हुआ एक छोटा पाठ है।\n",
    "天地玄黃，宇宙洪荒。日月盈昃，辰宿列張。\n",
    "色は匂へど散りぬるを、我が世誰ぞ常ならむ。\n",
    "모든 인간은 태어날 때부터 자유로우며 동등하다.\n",
    "نص قصير باللغة العربية، وفيه علامات.\n",
    "Ξεσκεπάζω τὴν ψυχοφθόρα βδελυγμία.\n",
    "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า\n",
    "\"Quoth the raven: nevermore\" — 1845\n",
];

/// Encodes a text without the codecs under test.
fn encoded(text: &str, scheme: &str) -> Vec<u8> {
    match scheme {
        "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "UTF-16BE" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        "UTF-32LE" => text.chars().flat_map(|char| u32::from(char).to_le_bytes()).collect(),
        _ => text.chars().flat_map(|char| u32::from(char).to_be_bytes()).collect(),
    }
}

#[test]
fn auto_reads_wide_units_without_a_mark_in_any_script() {
    for scheme in ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"] {
        for text in TEXTS {
            for times in [1, 300] {
                let text = text.repeat(times);
                let got = run(&["-f", "auto"], &encoded(&text, scheme));
                let expected = (0, text.clone().into_bytes(), String::new());
                assert_eq!(got, expected, "{scheme} {text:.20}");
            }
        }
    }
}

/// The bytes of the first line, up to its LF, are also a valid line of ASCII.
#[test]
fn a_first_line_whose_bytes_are_printable_is_no_ascii() {
    let text = "できます\nフォントをカスタマイズします。\n";
    let got = run(&["-f", "auto"], &encoded(text, "UTF-16LE"));
    assert_eq!(got, (0, text.as_bytes().to_vec(), String::new()));
}

/// Every byte of the word in UTF-16 is ASCII, and none is NUL. Its high bytes, 04, are control codes.
#[test]
fn a_word_whose_bytes_are_ascii_is_recognized_by_its_controls() {
    for scheme in ["UTF-16LE", "UTF-16BE"] {
        assert_eq!(
            run(&["-f", "auto"], &encoded("привет", scheme)),
            (0, "привет".as_bytes().to_vec(), String::new())
        );
    }
}

#[test]
fn escapes_of_seven_bits_are_read_after_any_ascii() {
    let ascii = "plain text, a+b, C++ and ~home\n".repeat(3000);
    for (escaped, text) in [
        (&b"\x1B$B$3$s$K$A$O\x1B(B\n"[..], "こんにちは\n"),
        (b"\x1B(I1234\x1B(B\n", "ｱｲｳｴ\n"),
        (b"\x1B$)Chi \x0E0!3*\x0F\n", "hi 가나\n"),
        (b"\x1B$)A\x0E=;;;\x0F\n", "交换\n"),
        (b"This is ~{VPND~} text.\n", "This is 中文 text.\n"),
        (b"Hi caf+AOk-, +Jjo-!\n", "Hi café, ☺!\n"),
    ] {
        for before in ["", &ascii] {
            let input = [before.as_bytes(), escaped].concat();
            let (status, out, err) = run(&["-f", "auto"], &input);
            let got = String::from_utf8(out).unwrap();
            assert_eq!((status, err), (0, String::new()));
            assert_eq!(got.strip_prefix(before), Some(text));
        }
    }
}

#[test]
fn a_terminal_has_escapes_too() {
    let log = b"\x1B[31merror\x1B[0m \x1B(B\x1B[m a + b\n".repeat(100);
    assert_eq!(run(&["-f", "auto"], &log), (0, log.clone(), String::new()));
    assert_eq!(Detector::new().detect(&log).evidence, Evidence::Ascii);
}

#[cfg(unix)]
#[test]
fn a_hint_says_which_units_a_text_in_any_script_has() {
    let hint = |args: &[&str], text: &[u8]| {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("wide.txt");
        fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        let output = oxiconv().arg("--check").args(args).arg(path).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    for (text, scheme, order) in [
        (TEXTS[4], "UTF-16LE", "little-endian"),
        (TEXTS[2], "UTF-16BE", "big-endian"),
        (TEXTS[3], "UTF-16LE", "little-endian"),
        ("«Привет», — сказал он.\n", "UTF-16LE", "little-endian"),
    ] {
        let said = hint(&[], &encoded(text, scheme));
        let expected = format!(
            "looks like UTF-16, {order}: its code units are all characters of one script (try oxiconv -f {} -i.bak ",
            scheme.to_lowercase()
        );
        assert!(said.contains(&expected), "{said}");
    }
    // These bytes are ASCII and control codes, so a check has no finding and hence no hint. --explain tells it anyway.
    let output =
        oxiconv().arg("--explain").write_stdin(encoded("привет, мир", "UTF-16LE")).output();
    let page = String::from_utf8(output.unwrap().stdout).unwrap();
    assert!(page.contains("UTF-16, little-endian: its code units are"), "{page}");
}

#[test]
fn a_note_says_that_a_text_in_any_script_is_in_the_other_byte_order() {
    let swapped = encoded(TEXTS[0], "UTF-16LE");
    let (status, _, err) = run(&["-f", "utf-16"], &swapped);
    assert_eq!(status, 0);
    assert!(
        err.contains("read as UTF-16BE, but nearly every code unit looks byte-swapped"),
        "{err}"
    );
    for text in TEXTS {
        assert_eq!(run(&["-f", "utf-16"], &encoded(text, "UTF-16BE")).2, "", "{text}");
        assert_eq!(run(&["-f", "utf-32"], &encoded(text, "UTF-32BE")).2, "", "{text}");
    }
}

#[test]
fn data_that_is_no_text_is_told_apart() {
    let numbers: Vec<u8> = (0..3000u32).flat_map(|value| (value * 7).to_le_bytes()).collect();
    let header =
        b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0\x5C\x72\xA8\x66";
    for data in [&numbers[..], header] {
        let detection = Detector::new().detect(data);
        assert_eq!((detection.evidence, detection.is_enough()), (Evidence::Binary, false));
    }
    let names = b"one/name\0another/name\0and/a/third\0".repeat(9);
    assert_eq!(Detector::new().detect(&names).evidence, Evidence::Ascii);
    for text in ["caf\u{E9} \u{1}", "na\u{EF}ve \u{C}page"] {
        let latin1: Vec<u8> = text.chars().map(|char| char as u8).collect();
        assert_ne!(Detector::new().detect(&latin1).evidence, Evidence::Binary);
    }
}

/// A few characters give less confidence than many, or the same, but still enough to decide.
#[test]
fn more_text_is_surer() {
    let few = Detector::new().detect(&encoded("你好吗？", "UTF-16LE"));
    let many = Detector::new().detect(&encoded(&TEXTS[2].repeat(9), "UTF-16LE"));
    assert_eq!((few.encoding, many.encoding), (Encoding::UTF_16LE, Encoding::UTF_16LE));
    assert!(few.is_enough() && few.confidence <= many.confidence, "{few:?}");
}
