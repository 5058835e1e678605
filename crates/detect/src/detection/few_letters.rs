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
mod tests;
