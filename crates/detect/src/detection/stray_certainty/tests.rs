use super::*;

fn are_sure(text: &[u8], fallback: &str) -> bool {
    are_strays_sure(text, Encoding::for_name(fallback).unwrap(), 90)
}

#[test]
fn words_in_the_fallback_or_in_utf8_are_certain() {
    // "née", "à" and quotation marks in windows-1252; "мост" in KOI8-R beside "мосты и реки".
    for (text, fallback) in [
        (&b"caf\xC3\xA9 au lait, n\xE9e \xE0 \x93Paris\x94\n"[..], "windows-1252"),
        ("мосты и реки \u{AB}Нева\u{BB}".as_bytes(), "KOI8-R"),
        (&["мосты и реки ".as_bytes(), b"\xCD\xCF\xD3\xD4\n"].concat()[..], "KOI8-R"),
        // A stray byte in a word of UTF-8: "überführen".
        (b"\xC3\xBCberf\xFChren\n", "windows-1252"),
    ] {
        assert!(are_sure(text, fallback), "{text:?}");
    }
}

#[test]
fn a_word_that_is_utf8_by_chance_or_odd_in_the_fallback_is_not() {
    for (text, fallback) in [
        // "ред отместване" in IBM866, of which the first word is U+0964 in UTF-8.
        (&b"\xE0\xA5\xA4 \xAE\xE2\xAC\xA5\xE1\xE2\xA2\xA0\xAD\xA5\n"[..], "IBM866"),
        // "щоб" in IBM866 is an ideograph, and "Підсилення" in KOI8-U begins with U+0426.
        (b"\xE9\xAE\xA1 \xAC\xAE\xE1\xE2\n", "IBM866"),
        (b"\xD0\xA6\xC4\xD3\xC9\xCC\xC5\xCE\xCE\xD1\n", "KOI8-U"),
        // "modèle" in ISO-8859-1 as Thai, and "è" as a Cyrillic letter alone.
        (b"nom du mod\xE8le\n", "windows-874"),
        (b"questa impostazione \xE8 stata\n", "windows-1251"),
        // "目录 已存在" in GBK, of which the first word is two characters of UTF-8.
        (b"\xC4\xBF\xC2\xBC \xD2\xD1\xB4\xE6\xD4\xDA\n", "GBK"),
    ] {
        assert!(!are_sure(text, fallback), "{text:?}");
    }
}

/// Ten lines of Turkish in windows-1254, beside one in UTF-8: İ is a letter in it, and Ý is none of Turkish.
#[test]
fn stray_lines_must_be_in_the_fallback_by_themselves() {
    let line = b"dosya a\xE7\xFDlamad\xFD: yaz\xFDlacak yer yok, i\xFElem iptal edildi\n";
    let text = ["görüntü açıldı\n".as_bytes(), &line.repeat(10)].concat();
    assert!(are_sure(&text, "windows-1254"));
    assert!(!are_sure(&text, "windows-1252"));
}

/// Lithuanian in windows-1257 beside Icelandic in UTF-8: þ and ø are letters of the text, and none of Lithuanian.
#[test]
fn a_few_stray_lines_speak_against_another_encoding() {
    let line = b"INFO jog b\xFBtinai reikia, kad \xFEmogaus teises saugot\xF8 \xE1statymo\n";
    let text = ["lýst yfir trú sinni á þjóðirnar\n".as_bytes(), &line.repeat(2)].concat();
    assert!(are_sure(&text, "windows-1257"));
    assert!(!are_sure(&text, "windows-1252"));
}

/// 85 is à in IBM850 and … in windows-1252, and both may end a word.
#[test]
fn what_several_encodings_may_be_has_no_confidence() {
    let confidence =
        |text: &[u8], name: &str| stray_confidence(text, Encoding::for_name(name).unwrap());
    let text = ["la dignità e la libertà\n".as_bytes(), b"libert\x85;\n"].concat();
    assert!(confidence(&text, "windows-1252") < 50);
    let russian = ["мосты и реки, дома и улицы\n".as_bytes(), b"\xEC\xEE\xF1\xF2\xFB\n"].concat();
    assert!(confidence(&russian, "windows-1251") >= 95);
    assert_eq!(confidence(&russian, "windows-1253"), 0);
    let late = [&"мосты и реки\n".repeat(20_000).into_bytes()[..], &russian].concat();
    assert!(confidence(&late, "windows-1251") >= 95);
}
