use super::*;
use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::unicode::{IllFormed, IllFormedKind};

/// Encodes the parts of a text that are between brackets.
fn mixture(text: &str, encoding: &Encoding) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (index, part) in text.split(['⟦', '⟧']).enumerate() {
        if index % 2 == 0 {
            bytes.extend_from_slice(part.as_bytes());
            continue;
        }
        let characters: Vec<u32> = part.chars().map(u32::from).collect();
        let mut room = [0; 256];
        let encoded = encoding.new_encoder(ByteOrder::Big).encode(&characters, &mut room);
        assert_eq!(encoded.read, characters.len(), "{part}");
        bytes.extend_from_slice(&room[..encoded.written]);
    }
    bytes
}

fn judged(text: &str, name: &str) -> &'static str {
    let bytes = mixture(text, Encoding::for_name(name).unwrap());
    judge(b"", &bytes, true).map_or("none", |strays| strays.encoding.name())
}

/// A0 is á in IBM850, and a no-break space in windows-1252, which does not occur within a word.
#[test]
fn a_space_does_not_stand_inside_a_word() {
    let spanish = "La respiración m⟦á⟧s elevada que se midió entonces fue la de los niños.";
    assert!(matches!(judged(spanish, "IBM850"), "IBM850" | "IBM437" | "IBM858"));
}

/// A stray letter in Russian text is Russian, not ë.
#[test]
fn stray_bytes_are_letters_of_the_text_around_them() {
    let russian = "Однажды весною, в час небывало жаркого заката, в Москве, на Патриарших прудах, \
                   появились два гражданина. Пер⟦в⟧ый из них был мале⟦н⟧ького роста, упитан, лыс.";
    for name in ["KOI8-R", "windows-1251", "IBM866"] {
        assert_eq!(judged(russian, name), name);
    }
    let polish = "Zażółć gęślą jaźń. Pchnąć w tę łódź jeża lub ośm skrzyń fig, ⟦źdźbło⟧ i ⟦żółw⟧.";
    for name in ["windows-1250", "ISO-8859-2", "IBM852"] {
        assert_eq!(judged(polish, name), name);
    }
    let french = "Où est passé l’élève ? Il a été à l’école, très tôt, et il a ⟦mangé⟧ un gâteau.";
    for name in ["windows-1252", "macintosh"] {
        assert_eq!(judged(french, name), name);
    }
    assert_eq!(
        judged("他说：这是一个中文文本，⟦今天天气很好⟧，我们去公园。", "GB18030"),
        "GB18030"
    );
    assert_eq!(
        judged("これは日本語のテキストです。⟦今日は天気がいい⟧と言った。", "EUC-JP"),
        "EUC-JP"
    );
    assert_eq!(
        judged("이것은 한국어로 된 텍스트 ⟦파일입니다⟧. 오늘은 날씨가 좋다.", "CP949"),
        "CP949"
    );
}

/// A text with letters that windows-1252 lacks was never in windows-1252, and no word has a punctuation mark
/// inside.
#[test]
fn a_few_lines_tell_in_what_a_single_letter_is() {
    for (text, name) in [
        ("Zamknij tę stronę.\nOtwórz stron⟦ę⟧ główną.\n", "windows-1250"),
        ("Ustaw żądaną wartość.\n⟦notatkę⟧\n", "windows-1250"),
        ("Peržiūrėti paskutinį įrašą.\n⟦ketvirtį⟧\n", "windows-1257"),
        ("Değişiklikler kaydedildi mi?\n⟦değil⟧\n", "windows-1254"),
        ("Die Größe der Datei.\n⟦Kontrollkästchen⟧\n", "IBM850"),
    ] {
        assert_eq!(judged(text, name), name, "{text}");
    }
}

/// A sign that occurs twice is no more evidence than one; a letter within a word is.
#[test]
fn signs_that_are_repeated_are_windows_1252() {
    for (text, name) in [
        ("Le café ⟦—⟧ déjà froid ⟦—⟧ est prêt.\n", "windows-1252"),
        ("Gemäß ⟦§⟧ 5 und ⟦§⟧ 7 für alle.\n", "windows-1252"),
        ("Größe 5 ⟦µ⟧m, die Fläche 30 m⟦²⟧, über 20 ⟦°⟧C\n", "windows-1252"),
        ("Die Größe der ⟦Kontrollkästchen⟧ für ⟦Männer⟧\n", "IBM850"),
    ] {
        assert_eq!(judged(text, name), name, "{text}");
    }
}

/// With as many kana as ideographs, the main script must not depend on the order of a hash table.
#[test]
fn the_answer_is_the_same_each_time() {
    let japanese = "これは日本語のテキストです。⟦今日は天気がいい⟧と言った。";
    for _ in 0..64 {
        assert_eq!(judged(japanese, "EUC-JP"), "EUC-JP");
    }
}

#[test]
fn nothing_is_judged_without_stray_bytes() {
    assert!(judge(b"", "grün".as_bytes(), true).is_none());
    assert!(judge(b"plain", b"", true).is_none());
}

/// F9 and E8 with the digit after them are characters of JOHAB (禾, 紊), and D6 with the letter is one of GBK (謑).
#[test]
fn an_ascii_character_is_not_taken_for_an_ideograph() {
    for bytes in [&b"\xF92"[..], b"\xE82", b"\xD6l2"] {
        let strays = judge(b"1", bytes, true).unwrap();
        let mut mixed = strays.encoding.mixed_with_utf8();
        let parts = mixed.split(bytes, &strays.known, false, &[]);
        let first = 0..1;
        assert_eq!(parts, [first], "{bytes:X?} in {}", strays.encoding.name());
    }
}

/// The parts of `region` that are not UTF-8, for a text that has the characters of `known`.
fn parts(name: &str, region: &[u8], text: &str) -> Vec<String> {
    let mut known = TextRepertoire::default();
    known.look(text);
    parts_beside(name, region, &known)
}

fn parts_beside(name: &str, region: &[u8], known: &TextRepertoire) -> Vec<String> {
    let mut mixed = Encoding::for_name(name).unwrap().mixed_with_utf8();
    let parts = mixed.split(region, known, false, &[]).into_iter();
    parts
        .map(|part| {
            let units = mixed.units(&region[part.start..], part.len());
            units.characters().iter().copied().filter_map(char::from_u32).collect()
        })
        .collect()
}

#[test]
fn bytes_that_are_utf8_by_chance_belong_to_the_part_around_them() {
    // DD A3 is U+0763, an Arabic letter.
    assert_eq!(parts("KOI8-R", b"\xC5\xDD\xA3", "Что"), ["ещё"]);
    // E0 A5 A7 is U+0967, a digit of Devanagari.
    assert_eq!(parts("IBM866", b"\xE0\xA5\xA7\xAA\xAE", "Что"), ["резко"]);
    // So does a word between two parts of a line: D3 A6 is U+04E6, which Ukrainian does not have.
    assert_eq!(parts("KOI8-U", b"\xC4\xD7\xC1 \xD3\xA6 \xC4\xD7\xC1", "Що"), ["два", "сі", "два"]);
    // The second character of C4 E3 BA C3 in GB18030 does not begin where a UTF-8 sequence does.
    assert_eq!(parts("GB18030", b"\xC4\xE3\xBA\xC3", "你好"), ["你好"]);
    // A trail byte that is ASCII: 7C in CP932.
    assert_eq!(parts("CP932", b"\x83|\x83X\x83g", "ポスト"), ["ポスト"]);
}

/// 行為 in Big5 is A6 E6 AC B0, of which the last three bytes are 欰 in UTF-8. What is read otherwise is 何, and the
/// text has 何 beside letters that are certainly UTF-8.
#[test]
fn words_beside_stray_bytes_tell_what_the_text_has() {
    let line = ["任何人的任何".as_bytes(), b"\xA6\xE6\xAC\xB0", "之害".as_bytes()].concat();
    let known = repertoire(b"", &line, true).unwrap();
    assert_eq!(parts_beside("BIG5-HKSCS", &line, &known), ["行為"]);
}

/// E2 82 AC is a character, but E2 82 alone is not. A unit ends where both readings have a boundary.
#[test]
fn a_character_that_goes_on_after_the_part_is_cut() {
    let mut mixed = Encoding::WINDOWS_1252.mixed_with_utf8();
    let units = mixed.units(b"\xE9\xE2\x82\xAC", 3);
    let ranges: Vec<_> = units.iter().map(|unit| unit.range.clone()).collect();
    assert_eq!(ranges, [0..1, 1..3]);
    let faults: Vec<_> = units.iter().map(|unit| unit.ill_formed.to_vec()).collect();
    let truncated = |len| IllFormed::new(len, IllFormedKind::Truncated);
    assert_eq!(faults, [vec![(0, truncated(1))], vec![(1, truncated(2))]]);
    let characters: Vec<_> = units.iter().flat_map(|unit| unit.characters.to_vec()).collect();
    assert_eq!(characters, [0xE9, 0xE2, 0x201A]);
}

#[test]
fn characters_of_the_text_stay_as_they_are() {
    // In windows-1252, D0 B4 D0 B0 would be Ð´Ð°, and C3 A9 would be Ã©.
    assert_eq!(parts("windows-1252", b"\x93\xD0\xB4\xD0\xB0\x94", "да"), ["“", "”"]);
    assert_eq!(parts("windows-1252", b"\xE9\xC3\xA9", "é"), ["é"]);
    assert_eq!(parts("windows-1252", "\u{EF}".as_bytes(), "é"), [""; 0]);
    let text = "世界你好吗";
    let region = [b"\xC4\xE3\xBA\xC3", text.as_bytes()].concat();
    assert_eq!(parts("GB18030", &region, text), ["你好"]);
    // 81 is undefined.
    assert_eq!(parts("windows-1252", b"a\x81b", ""), [""; 0]);
}
