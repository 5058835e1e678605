use super::super::sequences::Lost;
use super::codes::decode;
use super::*;

fn characters(text: &str) -> Vec<CodePoint> {
    text.chars().map(CodePoint::from).collect()
}

/// Returns the first reading of each sequence, with `~` where there are others, and what is between them.
fn read(charset: DoubleByteCharset, text: &str) -> String {
    let text = characters(text);
    let (mut read, mut at) = (Vec::new(), 0);
    for found in charset.sequences(&text) {
        read.extend(&text[at..found.range.start]);
        read.extend(found.reading.text.characters());
        read.extend((!found.others.is_empty()).then_some('~' as CodePoint));
        at = found.range.end;
    }
    read.extend(&text[at..]);
    read.into_iter().filter_map(char::from_u32).collect()
}

/// Reads UTF-8 in a charset, with a mark for each code that it does not define, as Windows and browsers do.
fn damaged(charset: DoubleByteCharset, text: &str, mark: char) -> String {
    let (mut bytes, mut damaged) = (text.as_bytes(), String::new());
    while let [first, rest @ ..] = bytes {
        let (encoding, first) = (charset.encoding(), *first);
        let pair = [first, rest.first().copied().unwrap_or(0)];
        let (len, c) = match (decode(encoding, &[first]), decode(encoding, &pair)) {
            (Ok(cp), _) => (1, char::from_u32(cp)),
            (_, Ok(cp)) => (2, char::from_u32(cp)),
            (_, Err(2)) => (2, None),
            // Windows reads bytes that begin nothing as control codes, and A0 as a no-break space.
            _ if matches!((charset, first), (_, 0x80) | (DoubleByteCharset::CP932, 0xA0)) => {
                (1, char::from_u32(first.into()))
            }
            _ => (1, None),
        };
        damaged.push(c.unwrap_or(mark));
        bytes = &bytes[len..];
    }
    damaged
}

#[test]
fn characters_of_utf_8_are_found_across_codes() {
    // The bytes were split by hand: E4 BD | A0 E5 | A5 BD is 浣犲ソ in GB 18030-2022, and E3 81 | 82 E3 | 81 84 is 縺ゅ＞ in
    // JIS X 0208 as Shift JIS.
    for (charset, text, expected) in [
        (DoubleByteCharset::GB18030, "浣犲ソ", "你好"),
        (DoubleByteCharset::GB18030, "caf茅 M眉ller", "café Müller"),
        // In GBK of Windows, 80 is the euro sign: E3 80 | 80 is a space of full width.
        (DoubleByteCharset::GB18030, "銆€x", "\u{3000}x"),
        (DoubleByteCharset::CP932, "縺ゅ＞", "あい"),
        (DoubleByteCharset::CP932, "cafﾃｩ", "café"),
        // E2 80 | 99 74: the second byte of the last code is ASCII.
        (DoubleByteCharset::CP932, "don窶冲", "don’t"),
        (DoubleByteCharset::CP932, "ﾃｽﾄ", "ýﾄ"),
        (DoubleByteCharset::CP932, "テスト", "テスト"),
        (DoubleByteCharset::CP932, "蝶の・漢字・・・", "蝶の・漢字・・・"),
    ] {
        assert_eq!(read(charset, text), expected, "{text}");
    }
}

#[test]
fn a_mark_is_the_bytes_that_fit_between_those_around() {
    for mark in ["・", "\u{FFFD}", "?"] {
        for (text, expected, others) in [
            // E3 81 | [84 E3] | 81 A6, and with 83, 85, 86 and 87.
            ("縺・※", "いて", "ぃぅうぇ"),
            // E3 81 | 9D E3 | [81 AE]
            ("縺昴・", "その", "そはそば"),
            // E3 81 | [99] at the end
            ("縺・", "す", "し"),
        ] {
            let text = characters(&text.replace('・', mark));
            let found = DoubleByteCharset::CP932.sequences(&text);
            let cut = found.iter().find(|found| found.lost == Lost::Code).unwrap();
            let readings: String = cut
                .readings()
                .flat_map(|it| it.text.characters())
                .filter_map(|cp| char::from_u32(*cp))
                .collect();
            let meant = expected.chars().find(|c| readings.contains(*c));
            assert!(meant.is_some(), "{expected} {readings}");
            assert!(others.chars().any(|c| readings.contains(c)), "{others} {readings}");
            let all: usize = found.iter().map(|found| found.range.len()).sum();
            assert_eq!(all, text.len());
        }
    }
}

/// Texts of kana, ideographs and punctuation, which a generator of Marsaglia (2003) chooses.
fn texts() -> impl Iterator<Item = String> {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut number = move |below: u32| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as u32 % below
    };
    let mut character = move || match number(8) {
        0..=2 => 0x3041 + number(83),
        3 => 0x30A1 + number(80),
        4 => 0x3001 + number(2),
        5 => 0xFF01 + number(94),
        _ => 0x4E00 + number(0x51A0),
    };
    (0..4000).map(move |len| (0..len % 12).filter_map(|_| char::from_u32(character())).collect())
}

#[test]
fn what_was_meant_is_always_among_the_readings() {
    for (charset, marks) in [
        (DoubleByteCharset::CP932, &['・', '\u{FFFD}'][..]),
        (DoubleByteCharset::GB18030, &['\u{FFFD}', '?']),
    ] {
        let (mut all, mut unknown) = (0, 0);
        for (mark, text) in marks.iter().flat_map(|mark| texts().map(move |text| (mark, text))) {
            let bytes = damaged(charset, &text, *mark);
            // A mark begins no sequence, nor do two in a row: sound text has them as dots.
            if bytes.starts_with(*mark) || bytes.contains(&String::from_iter([*mark; 2])) {
                continue;
            }
            let damaged = characters(&bytes);
            let found = charset.sequences(&damaged);
            let ends = found.iter().map(|found| found.range.end);
            let starts = found.iter().map(|found| found.range.start);
            assert!(
                [0].into_iter().chain(ends).eq(starts.chain([damaged.len()])),
                "{text} {bytes}"
            );
            assert_eq!(found.len(), text.chars().count(), "{text} {bytes}");
            for (meant, found) in text.chars().map(CodePoint::from).zip(found) {
                let mut readings = found.readings().map(|it| it.text.characters()[0]);
                let is_known = readings.any(|cp| cp == meant);
                let is_unknown = found.reading.text.characters() == [REPLACEMENT_CHARACTER];
                assert!(is_known || is_unknown, "{meant:X} in {text} {bytes}");
                assert!(is_known || found.lost == Lost::Code);
                all += 1;
                unknown += usize::from(is_unknown);
            }
        }
        assert!(unknown * 10 < all, "{unknown} of {all}");
    }
}

#[test]
fn ill_formed_bytes_are_no_character() {
    // E0 83 | A9 is an overlong é, ED A0 | 80 a surrogate.
    for bytes in [&b"\xE0\x83\xA9"[..], b"\xED\xA0\x80", b"\xC3\x41", b"\xA9\xC3"] {
        let text = encoding_rs::SHIFT_JIS.decode_without_bom_handling(bytes).0;
        let found = DoubleByteCharset::CP932.sequences(&characters(&text));
        assert!(found.iter().all(|it| it.lost == Lost::Code), "{bytes:X?} {found:?}");
    }
}

#[test]
fn ideographs_stand_in_latin_words_only_by_damage() {
    for (charset, text, expected) in [
        (DoubleByteCharset::GB18030, "Gr枚脽e", Ideographs::InARow),
        (DoubleByteCharset::GB18030, "浣犲ソ", Ideographs::InARow),
        (DoubleByteCharset::GB18030, "M眉ller", Ideographs::InWord),
        (DoubleByteCharset::GB18030, "M脺LLER", Ideographs::InWord),
        (DoubleByteCharset::GB18030, "d茅j脿", Ideographs::InWord),
        (DoubleByteCharset::GB18030, "Nyan猫", Ideographs::Alone),
        (DoubleByteCharset::GB18030, "脺bung", Ideographs::InWord),
        (DoubleByteCharset::GB18030, "Tom猫Jerry", Ideographs::Alone),
        (DoubleByteCharset::GB18030, "%d枚", Ideographs::Alone),
        (DoubleByteCharset::GB18030, "20掳C", Ideographs::Alone),
        (DoubleByteCharset::GB18030, "猫", Ideographs::Alone),
        (DoubleByteCharset::CP932, "縺ｮ", Ideographs::Alone),
        (DoubleByteCharset::CP932, "Mﾃｼller", Ideographs::InWord),
        // なし, `none`, in half width, and other words.
        (DoubleByteCharset::CP932, "ﾅｼ", Ideographs::Alone),
        (DoubleByteCharset::CP932, "ﾘｱﾙｹ", Ideographs::Alone),
        (DoubleByteCharset::CP932, "ﾃВ", Ideographs::Alone),
        (DoubleByteCharset::CP932, "ﾃ餌", Ideographs::Alone),
        (DoubleByteCharset::CP932, "Straﾃ歹", Ideographs::InWord),
        (DoubleByteCharset::CP932, "don窶冲", Ideographs::InARow),
        // One character of which only a part is left may be chance.
        (DoubleByteCharset::CP932, "caf蟄・", Ideographs::Alone),
        (DoubleByteCharset::CP932, "謖?謖?", Ideographs::Alone),
        (DoubleByteCharset::CP932, "笆ｸ", Ideographs::Alone),
        (DoubleByteCharset::GB18030, "ジャンル：・猫cat", Ideographs::Alone),
    ] {
        let cps = characters(text);
        assert_eq!(Ideographs::of(charset, &cps, &(0..cps.len())), expected, "{text}");
    }
}
