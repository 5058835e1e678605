//! Corrects answers for texts whose non-ASCII bytes are too few, or too far apart, for letter frequencies.
//!
//! | bytes | answer |
//! |---|---|
//! | `FF`, `1;<FE>;2`: hardly any letter, and consonants or no words around them | unknown |
//! | `abcd<E9><88>`: one truncated character of UTF-8, or one of two bytes | unknown |
//! | `Price: 5 <80>`, `Copyright <AE>Foo`, `na<EF>ve`: a single byte that letters do not settle | windows-1252, as most such bytes are |
//! | `caf<82>`, `mogo<E8>e prenesti`: a single byte that completes a word in IBM850 or windows-1250 | unchanged |
//!
//! The model has an answer for a single byte as well, and may be sure of it: some charset makes of the byte the letter
//! that the rest of the word expects. But most such bytes are signs of windows-1252, and each of those is a letter
//! elsewhere. So the place of the byte matters more than the letters that it may be.
//!
//! The third row must stay narrow. When every single byte with less than 90 % became windows-1252, 55 of 75 such
//! answers were wrong, among them words of Polish and Italian that the model had read rightly.

use super::answer::{Detection, Evidence, RunnerUp};
use super::detection_sample::DetectionSample;
use super::expected::Expected;
use super::letters::{MAX_RUNNERS_UP, is_likelier_english};
use super::sample_words::of_sentences;
use super::typographic_signs::{all_stand_as_signs, character, is_sign, is_usual_sign};

use crate::language::Language;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

/// Confidences in percent: of an answer that is left alone, of windows-1252 if nothing else is known, and of a letter
/// that is not taken for a sign before a word.
const SURE: u8 = 90;
const WINDOWS_1252_CONFIDENCE: u8 = 60;
const SURE_OF_LETTER: u8 = 80;
/// How many times as likely as windows-1252 another encoding must be to win a text of a single word.
const MAX_ODDS_FOR_A_WORD: u16 = 25;
/// How clearly English the words of a text must be, in bits, for its non-ASCII bytes to be signs: so much likelier than
/// the other language if some bytes are inside words, and at most so much less likely otherwise.
const MARGIN_INSIDE_WORDS: i64 = 10;
const MARGIN_BESIDE_WORDS: i64 = 6;

/// Corrects an answer by letters for a text in a charset with ASCII.
///
/// The checks go from strong to weak:
///
/// 1. Bytes that are next to no letter and to no other such byte tell nothing if the text has no words, or if all of
///    them are consonants. The answer stays, with a confidence that is not enough.
/// 2. Neither does a truncated character of UTF-8, whose bytes are letters or ideographs of other charsets.
/// 3. Several bytes that are all where signs of windows-1252 would be are such signs, however sure the model is: what
///    is repeated is no more evidence. Only words that are clearly in the language of the answer speak against it.
/// 4. A single byte whose answer is not sure is windows-1252 if it is where a sign would be, if the answer makes a sign
///    of it too, or if there is no other word to tell the language. The five bytes that windows-1252 does not define
///    are left alone.
///
/// What the caller expects of the text is never overridden by windows-1252.
pub(super) fn weigh(
    sample: &DetectionSample<'_>,
    answer: Detection,
    expected: Expected,
) -> Detection {
    let bytes = sample.bytes;
    let mut beyond_ascii = (0..bytes.len()).filter(|at| !bytes[*at].is_ascii());
    let Some(first) = beyond_ascii.clone().next() else { return answer };
    let is_single = beyond_ascii.clone().nth(1).is_none();
    let ascii = sample.ascii();
    let follows_word = |at: usize| {
        at.checked_sub(1).map_or(ascii.last(), |at| bytes.get(at)).is_some_and(is_of_word)
    };
    let is_apart = |at: usize| !follows_word(at) && !bytes.get(at + 1).is_some_and(is_of_word);
    let beyond_ascii_is_apart = beyond_ascii.clone().all(is_apart);
    if beyond_ascii_is_apart {
        let has_words = ascii.iter().chain(bytes).any(u8::is_ascii_alphabetic);
        if !has_words || beyond_ascii.all(|at| is_consonant(bytes[at])) {
            let confidence = answer.confidence.min(Detection::ENOUGH - 1);
            return Detection { confidence, ..answer };
        }
    }
    let last = beyond_ascii.next_back().unwrap_or(first);
    if is_start_of_character(&bytes[first..=last]) {
        let confidence = answer.confidence.min(Detection::ENOUGH - 1);
        return Detection { confidence, ..answer };
    }
    let is_of_signs = || {
        expected == Expected::default()
            && answer.language.is_some_and(|language| {
                let text = [&ascii, bytes].concat();
                are_signs(&text, Encoding::WINDOWS_1252, answer.encoding, language)
            })
    };
    if !is_single && is_of_signs() {
        return in_windows_1252(answer);
    }
    let is_open = answer.confidence < SURE && expected == Expected::default();
    let byte = bytes[first];
    let is_untold = || {
        let may_be_sign = is_usual_sign(byte) && !follows_word(first);
        let is_apart = !answer.is_enough() && beyond_ascii_is_apart;
        let is_weak = answer.confidence < SURE_OF_LETTER;
        is_apart
            || may_be_sign && is_weak
            || is_sign(answer.encoding, byte)
            || is_usual_word(&[&ascii, bytes].concat(), &answer)
    };
    let is_defined = !matches!(byte, 0x81 | 0x8D | 0x8F | 0x90 | 0x9D);
    if is_single && is_open && is_defined && is_untold() { in_windows_1252(answer) } else { answer }
}

/// Whether bytes are a truncated character of UTF-8 and nothing else.
fn is_start_of_character(bytes: &[u8]) -> bool {
    let error = std::str::from_utf8(bytes).err();
    bytes.len() > 1
        && error.is_some_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
}

/// Whether two encodings read the non-ASCII bytes of a text alike, each as a character by itself.
fn agree(bytes: &[u8], one: &Encoding, other: &Encoding) -> bool {
    let mut is_there = [false; 256];
    bytes.iter().for_each(|byte| is_there[usize::from(*byte)] = true);
    (0x80..=u8::MAX).filter(|byte| is_there[usize::from(*byte)]).all(|byte| {
        let first = character(one, byte);
        first.is_some() && first == character(other, byte)
    })
}

/// Whether the non-ASCII bytes of a text are signs of an encoding, though they seem to be letters in `other` and a
/// language: they are where signs would be, and the words around them are not clearly in that language.
pub(super) fn are_signs(bytes: &[u8], of: &Encoding, other: &Encoding, language: Language) -> bool {
    all_stand_as_signs(bytes, of) && !agree(bytes, other, of) && !are_words_of(language, bytes)
}

/// Whether the words around the bytes that may be signs are clearly in a language in which these are letters. English
/// gets the benefit of the doubt, unless a byte divides a word, which signs seldom do: then the words must be clearly
/// English for it to be a sign.
///
/// ```text
/// Name<A0>: unknown user     beside a word: a sign, unless English is more than 6 bits less likely
/// it<92>s unknown            inside a word: a letter, unless English is at least 10 bits likelier
/// ```
fn are_words_of(language: Language, bytes: &[u8]) -> bool {
    let blank = |byte: &u8| if byte.is_ascii() { *byte } else { b' ' };
    let text: Vec<u8> = bytes.iter().map(blank).collect();
    let words: Vec<&[u8]> = of_sentences(&text).collect();
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphabetic);
    let divides =
        |three: &[u8]| !three[1].is_ascii() && is_letter(three.first()) && is_letter(three.last());
    let margin =
        if bytes.windows(3).any(divides) { MARGIN_INSIDE_WORDS } else { -MARGIN_BESIDE_WORDS };
    !is_likelier_english(&[b" ", &words.join(&b' ')[..], b" "].concat(), language, margin)
}

/// Whether a text with a single non-ASCII byte has no other words that would tell its language, and windows-1252 is not
/// too unlikely for the one word.
fn is_usual_word(bytes: &[u8], answer: &Detection) -> bool {
    let is_western = |other: &&RunnerUp| other.encoding == Encoding::WINDOWS_1252;
    let western = answer.runners_up.iter().find(is_western).map_or(0, |other| other.confidence);
    of_sentences(bytes).next().is_none()
        && u16::from(western) * MAX_ODDS_FOR_A_WORD >= u16::from(answer.confidence)
}

const fn is_of_word(byte: &u8) -> bool {
    !byte.is_ascii() || byte.is_ascii_alphabetic()
}

/// Puts windows-1252 before an answer and its runners-up, which share the remaining percentage.
fn in_windows_1252(answer: Detection) -> Detection {
    let western = Encoding::WINDOWS_1252;
    let others = std::iter::once(answer.first()).chain(answer.runners_up);
    let others = others.filter(|other| other.encoding != western && other.confidence > 0);
    let share =
        |percent: u8| (u16::from(percent) * u16::from(100 - WINDOWS_1252_CONFIDENCE) / 100) as u8;
    let others = others.map(|other| RunnerUp { confidence: share(other.confidence), ..other });
    let runners_up = others.take(MAX_RUNNERS_UP).collect();
    Detection { runners_up, ..Detection::new(western, WINDOWS_1252_CONFIDENCE, Evidence::Letters) }
}

/// Whether a byte is a consonant of windows-1252, such as ç, ñ or þ. Unlike an accented vowel, it hardly ends a word or
/// is one.
const fn is_consonant(byte: u8) -> bool {
    byte >= 0xC0 && !is_vowel(byte as CodePoint) && !matches!(byte, 0xD7 | 0xF7)
}

/// Whether a character is a vowel with a diacritic in Latin-1. Many words end in one, or consist of one.
pub const fn is_vowel(cp: CodePoint) -> bool {
    matches!(cp & !0x20, 0xC0..=0xC6 | 0xC8..=0xCF | 0xD2..=0xD6 | 0xD8..=0xDC)
}

#[cfg(test)]
mod tests {
    use crate::detection::Detector;

    #[test]
    fn a_byte_or_two_tell_little() {
        for (text, expected) in [
            // A price in euros, ®, ½ and ï are windows-1252; é and č complete words in others.
            (&b"Preis: 5 \x80\n"[..], Some("windows-1252")),
            (b"Copyright \xAEFoo Inc.\n", Some("windows-1252")),
            (b"Copyright \xBDFoo Inc.\n", Some("windows-1252")),
            (b"5 \xA3\n", None),
            (b"cost: 5 \xA3\n", Some("windows-1252")),
            (b"the \xB5m scale\n", Some("windows-1252")),
            (b"na\xEFve\n", Some("windows-1252")),
            (b"caf\x82\n", Some("IBM850")),
            (b"ni mogo\xE8e prenesti.\n", Some("windows-1250")),
            // "Modalità: differenza" in IBM850.
            (b"Modalit\x85: differenza\n", Some("IBM850")),
            (b"\xFF\n", None),
            (b"\xFF \xFE\n\xFF\n", None),
            (b"x \xFF y\n", None),
            (b"\xE9", None),
            // The start of U+9227, or U+95B3 in GB18030.
            (b"0123456789abcd\xE9\x88\nmore\n", None),
        ] {
            let detection = Detector::new().detect(text);
            let name = detection.is_enough().then(|| detection.encoding.name());
            assert_eq!(name, expected, "{}", text.escape_ascii());
            assert!(detection.runners_up.len() <= 4, "{}", text.escape_ascii());
        }
    }

    /// Repeating a sign of windows-1252 adds no evidence, unless the words are in a language that has a letter there:
    /// "Etter århundrer ... på" in IBM850.
    #[test]
    fn signs_that_are_repeated_are_windows_1252() {
        for (text, name) in [
            (&b"8.3 \xB0C\n9.1 \xB0C\n10 \xB0C\n"[..], "windows-1252"),
            (b"Introduction \x85\x85\x85 5\nSecond part \x85\x85 17\n", "windows-1252"),
            (b"Warning\xA0: the file is missing\nName\xA0: unknown user\n", "windows-1252"),
            (b"Etter \x86rhundrer med spansk styre p\x86 den andre siden", "IBM850"),
        ] {
            let detection = Detector::new().detect(text);
            assert_eq!(detection.encoding.name(), name, "{}", text.escape_ascii());
        }
    }

    /// A frame around "Name", the output of `tree`, a rule and a bar may be in any code page of DOS. "Внимание, файл не
    /// найден" in a frame is in IBM866.
    #[test]
    fn drawings_are_of_dos() {
        for (text, names) in [
            (
                &b"\xC9\xCD\xCD\xCD\xCD\xCD\xCD\xBB\r\n\xBA Name \xBA\r\n\xC8\xCD\xCD\xCD\xCD\xCD\xCD\xBC\r\n"[..],
                "IBM437 IBM850 IBM852",
            ),
            (
                b".\r\n\xC3\xC4\xC4\xC4docs\r\n\xB3   \xC0\xC4\xC4\xC4guide\r\n\xC0\xC4\xC4\xC4src\r\n",
                "IBM437 IBM850 IBM852",
            ),
            (b"Copying [\xDB\xDB\xDB\xDB\xDB\xB0\xB0\xB0\xB0\xB0] half\r\n", "IBM437 IBM850 IBM852"),
            (
                b"\xDA\xC4\xC4\xC4\xC4\xC4\xC4\xBF\r\n\xB3 \x82\xAD\xA8\xAC\xA0\xAD\xA8\xA5, \xE4\xA0\xA9\xAB \
                \xAD\xA5 \xAD\xA0\xA9\xA4\xA5\xAD \xB3\r\n\xC0\xC4\xC4\xC4\xC4\xC4\xC4\xD9\r\n",
                "IBM866",
            ),
        ] {
            let detection = Detector::new().detect(text);
            let name = detection.encoding.name();
            assert!(names.split(' ').any(|it| it == name), "{detection}: {}", text.escape_ascii());
            assert!(detection.is_enough(), "{detection}: {}", text.escape_ascii());
        }
    }

    /// The English words of code are no evidence for the language of a comment, and base64 has no words.
    #[test]
    fn a_word_among_code_and_base64_tells_its_own_language() {
        let code = "/* Returns the number of bytes that were read, or a negative error. */\n\
            static int read_header(struct reader *reader, unsigned char *buffer, size_t size)\n{\n    \
            if (reader->offset + size > reader->limit)\n        return -1; /* {} */\n    \
            memcpy(buffer, reader->data + reader->offset, size);\n    return (int)size;\n}\n";
        let base64 = "aGVsbG8gd29ybGQsIHRoaXMgaXMgYSBsb25nZXIgdGV4dCB0aGF0IHdhcyBlbmNvZGVk\n\
            Z/gX+bQx/Wv+Kd/Rea/Jkl+MnP/Qrs/Tuv+WxY/Zab/Cde+Fgh/IJK+lmN/Opq/rsT\n{}\n";
        for (word, name) in [
            // Tässä, felső, πρώτο, слово, длина, uživatel.
            (&b"T\xE4ss\xE4"[..], "windows-1252"),
            (b"fels\xF5", "windows-1250"),
            (b"\xF0\xF1\xFE\xF4\xEF", "windows-1253"),
            (b"\xD3\xCC\xCF\xD7\xCF", "KOI8-R"),
            (b"\xA4\xAB\xA8\xAD\xA0", "IBM866"),
            (b"u\x9Eivatel", "windows-1250"),
        ] {
            for text in [code, base64] {
                let (before, after) = text.split_once("{}").unwrap();
                let text = [before.as_bytes(), word, after.as_bytes()].concat();
                let detection = Detector::new().detect(&text);
                assert_eq!(detection.encoding.name(), name, "{}", text.escape_ascii());
                assert!(detection.confidence >= 90, "{detection}: {}", text.escape_ascii());
            }
        }
    }

    /// "שלום עולם, זה טקסט בעברית שנכתב במחשב מרכזי לפני שנים רבות" in IBM424, by Python. Its letters are bytes of ASCII.
    #[test]
    fn letters_of_ebcdic_are_not_few() {
        let text = b"iTFU@bFTUk@GE@IgYI@BbBhQq@iXSqB@BVHiB@VhSGQ@TdXQ@iXQU@hBFq";
        let detection = Detector::new().detect(text);
        assert!(detection.is_enough(), "{detection}");
        assert_eq!(detection.encoding.name(), "IBM424");
    }
}
