use super::*;

/// Encodes a text by hand, independently of the codecs.
fn encoded(text: &str, scheme: &str) -> Vec<u8> {
    match scheme {
        "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "UTF-16BE" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        "UTF-32LE" => text.chars().flat_map(|char| u32::from(char).to_le_bytes()).collect(),
        _ => text.chars().flat_map(|char| u32::from(char).to_be_bytes()).collect(),
    }
}

fn seen(start: &[u8]) -> Option<&'static str> {
    by_units(start).map(|encoding| encoding.name())
}

const TEXTS: [&str; 22] = [
    "Hello, world! It was a dark and stormy night.",
    "Année après année, l’été « revient ».",
    "Съешь же ещё этих мягких французских булок",
    "Ελληνικό κείμενο χωρίς σημάδι",
    "זה טקסט קצר בעברית",
    "هذا نص قصير باللغة العربية",
    "यह हिन्दी में एक छोटा पाठ है।",
    "এটি বাংলা ভাষায় লেখা",
    "இது தமிழ் உரை",
    "ఇది తెలుగు వచనం",
    "ഇത് മലയാളം ആണ്",
    "นี่คือข้อความภาษาไทยสั้นๆ",
    "这是一段没有任何标记的中文文字，它没有换行。",
    "這是一段沒有任何標記的中文文字，它沒有換行。",
    "これは短い日本語の文章です。",
    "カタカナだけのテキスト",
    "이것은 짧은 한국어 문장입니다.",
    "ეს არის ქართული ტექსტი",
    "Սա հայերեն տեքստ է",
    "ይህ የአማርኛ ጽሑፍ ነው",
    "👍🎉😀 yes! 🚀🚀",
    "№ 5: «да» — 10 €",
];

#[test]
fn text_in_any_script_shows_its_units() {
    for scheme in ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"] {
        for text in TEXTS {
            let bytes = encoded(text, scheme);
            assert_eq!(seen(&bytes), Some(scheme), "{text}");
            // Truncated in the middle of a unit, and long.
            assert_eq!(seen(&bytes[..bytes.len() - 1]), Some(scheme), "{text}");
            let long = encoded(&format!("{text}\n").repeat(400), scheme);
            assert_eq!(seen(&long), Some(scheme), "{text}");
        }
    }
}

#[test]
fn a_few_characters_suffice() {
    for scheme in ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"] {
        for text in
            ["hi", "yes\n", "привет", "мир\n", "你好吗？", "日本語です", "नमस्ते", "안녕하세요"]
        {
            assert_eq!(seen(&encoded(text, scheme)), Some(scheme), "{text}");
        }
    }
}

/// A few wrong characters in a long text do not hide its encoding.
#[test]
fn a_damaged_place_hides_nothing() {
    let text = TEXTS[2].repeat(4);
    for (scheme, lone) in [("UTF-16LE", [0, 0xD8]), ("UTF-16BE", [0xDC, 0])] {
        let mut bytes = encoded(&text, scheme);
        bytes.splice(40..40, lone);
        assert_eq!(seen(&bytes), Some(scheme));
    }
    assert_eq!(seen(&encoded(&format!("\u{1}{text}"), "UTF-16LE")), Some("UTF-16LE"));
}

#[test]
fn text_in_bytes_has_no_units() {
    for text in TEXTS {
        assert_eq!(seen(text.as_bytes()), None, "{text}");
    }
    for text in [
        // Cyrillic in windows-1251 and KOI8-R, Shift_JIS, EUC-JP, GBK, Big5, EUC-KR: each says that it is short.
        &b"\xDD\xF2\xEE \xEA\xEE\xF0\xEE\xF2\xEA\xE8\xE9 \xF2\xE5\xEA\xF1\xF2"[..],
        b"\xFC\xD4\xCF \xCB\xCF\xD2\xCF\xD4\xCB\xC9\xCA \xD4\xC5\xCB\xD3\xD4",
        b"\x82\xB1\x82\xEA\x82\xCD\x92\x5A\x82\xA2\x95\xB6\x8F\xCD\x82\xC5\x82\xB7\x81\x42",
        b"\xA4\xB3\xA4\xEC\xA4\xCF\xC3\xBB\xA4\xA4\xCA\xB8\xBE\xCF\xA4\xC7\xA4\xB9\xA1\xA3",
        b"\xD5\xE2\xCA\xC7\xD2\xBB\xB6\xCE\xD6\xD0\xCE\xC4\xCE\xC4\xD7\xD6\xA1\xA3",
        b"\xB3\x6F\xAC\x4F\xA4\x40\xAC\x71\xA4\xA4\xA4\xE5\xA4\xE5\xA6\x72\xA1\x43",
        b"\xC0\xCC\xB0\xCD\xC0\xBA \xC2\xAA\xC0\xBA \xC7\xD1\xB1\xB9\xBE\xEE",
        b"Bush hid the facts",
        b"this app can break",
        b"caf\xE9 cr\xE8me br\xFBl\xE9e",
        b"one\0two\0three\0four\0",
        b"\x1B$B$3$l$OC;$$J8>O$G$9\x1B(B",
        b"a",
        b"",
    ] {
        assert_eq!(seen(text), None, "{}", text.escape_ascii());
    }
}

/// The lower-case letters of Russian in IBM866 and of Greek in CP737, and Czech ones in IBM852, one a line.
#[test]
fn a_column_of_letters_has_no_units() {
    let russian: Vec<u8> = (0xA0..=0xAF).chain(0xE0..=0xEF).collect();
    let greek: Vec<u8> = (0x98..=0xAF).chain([0xE0]).collect();
    let czech = b"\xA0\x9F\xD4\x82\xD8\xA1\xE5\xA2\xFD\xE7\x9C\xA3\x85\xEC\xA7".to_vec();
    for letters in [russian, greek, czech] {
        for letters in [&letters[..], &letters[2..5]] {
            for line_end in [&b"\n"[..], b"\r\n"] {
                let mut column: Vec<u8> =
                    letters.iter().flat_map(|byte| [&[*byte], line_end].concat()).collect();
                let escaped = column.escape_ascii().to_string();
                assert_eq!(seen(&column), None, "{escaped}");
                // Without the last line end, after a blank line, and with one in the middle and a line of two letters.
                assert_eq!(seen(&column[..column.len() - line_end.len()]), None, "{escaped}");
                assert_eq!(seen(&[line_end, &column].concat()), None, "{escaped}");
                column.splice(line_end.len() + 1..line_end.len() + 1, line_end.iter().copied());
                column.insert(0, letters[0]);
                assert_eq!(seen(&column), None, "{escaped}");
            }
        }
    }
}

#[test]
fn scripts_whose_high_byte_is_a_line_end_show_their_units() {
    for scheme in ["UTF-16LE", "UTF-16BE"] {
        // Sentences in Punjabi, Gujarati and Sinhala, and words of them, one a line.
        for text in [
            "ਇਹ ਪੰਜਾਬੀ ਵਿੱਚ ਇੱਕ ਛੋਟਾ ਪਾਠ ਹੈ।",
            "આ ગુજરાતીમાં એક ટૂંકું લખાણ છે.",
            "මෙය සිංහල භාෂාවෙන් ලියූ කෙටි පාඨයකි.",
            "ਪੰਜਾਬੀ\nਛੋਟਾ\nਪਾਠ\n",
            "ગુજરાતી\r\nલખાણ\r\n",
            "සිංහල\r\nපාඨය\r\n",
            "සිංහල",
        ] {
            assert_eq!(seen(&encoded(text, scheme)), Some(scheme), "{text}");
        }
    }
}

#[test]
fn data_has_no_units() {
    let numbers: Vec<u8> = (1..2000u32).flat_map(u32::to_le_bytes).collect();
    let small: Vec<u8> = (0..2000u16).map(|value| value % 300).flat_map(u16::to_le_bytes).collect();
    let mut seed = 1u32;
    let random: Vec<u8> = (0..4096)
        .map(|_| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8
        })
        .collect();
    let elf = [&b"\x7FELF\x02\x01\x01"[..], &[0; 9], b"\x03\0\x3E\0\x01\0\0\0", &[0; 64]].concat();
    for data in [&numbers[..], &small, &random, &elf, &[0; 100], &[0xFF; 100]] {
        assert_eq!(seen(data), None);
    }
}
