//! Whether it is certain how each line of a text in UTF-8 with stray bytes is read.
//!
//! ```text
//! café au lait          UTF-8
//! 2024-03-14 r\xE9duit  stray bytes: "réduit" in the fallback
//! ред                   in IBM866, E0 A5 A4, is also ।, a sign of Devanagari in UTF-8
//! ```
//!
//! `strays/` names the likeliest encoding of all stray bytes together, which may be only a little likelier than others:
//! [`stray_confidence`] says how much. And every line has to agree, because each of them is about to be rewritten: no
//! word may be odd in that encoding (`odd_words.rs`), none may be UTF-8 by chance, and the stray lines by themselves
//! must be in it too, as far as their letters tell.

use std::collections::HashSet;

use super::charsets::decode;
use super::detector::Detector;
use super::odd_words::is_any_odd;
use super::strays;
use crate::language::Script;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

/// A word of UTF-8 with so many letters of one script is no chance: of 672,912 words of 24 languages in 26 encodings,
/// none has them.
const MIN_LETTERS: usize = 3;
/// With so many non-ASCII bytes, the stray lines by themselves must be in the fallback.
const MIN_NON_ASCII: usize = 24;
/// With so many, they must at least not clearly be in another encoding. Of 651 texts whose stray bytes were read
/// rightly, this would have left none.
const MIN_TO_REFUTE: usize = 8;

/// Whether it is certain that all stray bytes of a text in UTF-8 are in `fallback`, and all else is UTF-8.
///
/// `confidence` (in percent) is what the stray lines by themselves must have.
pub fn are_strays_sure(text: &[u8], fallback: &'static Encoding, confidence: u8) -> bool {
    let lines: Vec<&[u8]> =
        text.split(|byte| matches!(byte, b'\n' | b'\r')).filter(|line| !line.is_ascii()).collect();
    let known: HashSet<char> = lines.iter().flat_map(|line| known_characters(line)).collect();
    let mut stray: Vec<u8> = Vec::new();
    for line in lines.into_iter().filter(|line| str::from_utf8(line).is_err()) {
        if !is_sure(line, fallback, &known) {
            return false;
        }
        if line.utf8_chunks().all(|chunk| chunk.valid().is_ascii()) {
            stray.extend_from_slice(line);
            stray.push(b'\n');
        }
    }
    let letters = stray.iter().filter(|byte| !byte.is_ascii()).count();
    letters < MIN_TO_REFUTE || {
        let detection = Detector::new().detect(&stray);
        let is_clear = detection.confidence >= confidence;
        let is_same = detection.encoding == fallback
            || read_all(&stray, detection.encoding) == read_all(&stray, fallback);
        if letters < MIN_NON_ASCII { is_same || !is_clear } else { is_same && is_clear }
    }
}

/// Returns the confidence, in percent, that the stray bytes of a text are what `fallback` makes of them. Encodings that
/// read all of them alike count together.
pub fn stray_confidence(text: &[u8], fallback: &'static Encoding) -> u8 {
    let mut strays = Vec::new();
    for chunk in text.utf8_chunks() {
        if !chunk.valid().is_empty() {
            strays.push(b'\n');
        }
        strays.extend_from_slice(chunk.invalid());
    }
    let own = read_all(&strays, fallback);
    let valid = str::from_utf8(text).map_or_else(|error| error.valid_up_to(), str::len);
    let line = memchr::memrchr2(b'\n', b'\r', &text[..valid]).map_or(0, |at| at + 1);
    let (start, rest) = text.split_at(line);
    let (ranked, _) = strays::ranking(start, rest, true).unwrap_or_default();
    let alike = ranked.iter().filter(|it| read_all(&strays, it.encoding) == own);
    alike.map(|it| it.confidence).sum::<u8>().min(99)
}

fn read_all(bytes: &[u8], encoding: &Encoding) -> Option<Vec<CodePoint>> {
    decode(encoding, bytes, usize::MAX).map(|(text, _)| text)
}

/// Returns the characters beyond ASCII that are certainly UTF-8: those of a line that is, and of words that are not so
/// by chance.
fn known_characters(line: &[u8]) -> Vec<char> {
    let is_utf8 = str::from_utf8(line).is_ok();
    let words = words(line).filter_map(|word| str::from_utf8(word).ok());
    let words = words.filter(|word| is_utf8 || is_no_chance(word));
    words.flat_map(str::chars).filter(|char| !char.is_ascii()).collect()
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric())
}

/// Whether the form of a word of UTF-8 is no chance: it has letters enough in one script, or letters of ASCII besides
/// others of Latin, or only punctuation.
fn is_no_chance(word: &str) -> bool {
    let is_punctuation = |char| matches!(char, '«' | '»' | '–' | '—' | '‘'..='‟' | '…');
    let scripts: Vec<_> = word.chars().filter_map(|char| Script::of(char.into())).collect();
    let has_ascii = word.bytes().any(|byte| byte.is_ascii_alphabetic());
    match scripts.first() {
        None => word.chars().all(is_punctuation),
        Some(first) => {
            scripts.iter().all(|script| script == first)
                && (has_ascii || scripts.len() >= MIN_LETTERS)
        }
    }
}

/// Whether each word of a line with stray bytes is certainly read as it was written.
fn is_sure(line: &[u8], fallback: &Encoding, known: &HashSet<char>) -> bool {
    let is_known = |word: &str| {
        is_no_chance(word) || word.chars().all(|char| char.is_ascii() || known.contains(&char))
    };
    if !fallback.single_byte {
        // Of the bytes of such an encoding, many are UTF-8 by chance, and some are ASCII. So words cannot be told
        // apart.
        return line.utf8_chunks().all(|chunk| {
            let mut words =
                words(chunk.valid().as_bytes()).filter_map(|word| str::from_utf8(word).ok());
            words.all(|word| word.is_ascii() || is_no_chance(word))
        });
    }
    let (mut is_latin, mut has_word) = (true, false);
    for word in words(line).filter(|word| !word.is_ascii()) {
        let valid: String = word.utf8_chunks().map(|chunk| chunk.valid()).collect();
        let stray: usize = word.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
        let sound = valid.chars().filter(|char| !char.is_ascii()).count();
        // Stray bytes may be in a word of UTF-8, but a character of UTF-8 among stray bytes is chance.
        if sound > 0 && !(sound >= stray && is_known(&valid)) {
            return false;
        }
        has_word |= sound > 0;
        let Some(characters) = read(word, fallback) else { return false };
        if is_any_odd(&characters) {
            return false;
        }
        let scripts = characters.iter().filter(|cp| **cp >= 0x80).filter_map(|cp| Script::of(*cp));
        is_latin &= scripts.clone().all(|script| script == Script::Latin);
        has_word |= characters.len() > 1;
    }
    // A letter of another script among Latin words may be a letter of these.
    is_latin || has_word
}

/// Reads a word of UTF-8 whose stray bytes are in `fallback`.
fn read(word: &[u8], fallback: &Encoding) -> Option<Vec<CodePoint>> {
    let mut characters = Vec::new();
    for chunk in word.utf8_chunks() {
        characters.extend(chunk.valid().chars().map(CodePoint::from));
        characters.extend(decode(fallback, chunk.invalid(), usize::MAX)?.0);
    }
    Some(characters)
}

#[cfg(test)]
mod tests {
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
        let russian =
            ["мосты и реки, дома и улицы\n".as_bytes(), b"\xEC\xEE\xF1\xF2\xFB\n"].concat();
        assert!(confidence(&russian, "windows-1251") >= 95);
        assert_eq!(confidence(&russian, "windows-1253"), 0);
        let late = [&"мосты и реки\n".repeat(20_000).into_bytes()[..], &russian].concat();
        assert!(confidence(&late, "windows-1251") >= 95);
    }
}
