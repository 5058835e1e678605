//! C1 control codes that were signs of windows-1252, in text that was read as ISO-8859-1.
//!
//! ```text
//! it\u{92}s        it’s          92 is an apostrophe in windows-1252 and a control code in ISO-8859-1
//! â\u{80}\u{99}\u{85}    ’…            UTF-8 and a sign: first the signs, â€™…, and then UTF-8
//! ```
//!
//! No text has C1 control codes, except NEL (U+0085). That ends a line in text from mainframes, and is an ellipsis
//! where no line ends.

use std::ops::Range;
use std::sync::OnceLock;

use super::foreign::is_torn;
use super::sequences::{Lost, MisreadSequence, SequenceReading, SequenceText};
use super::suspect_part::{SuspectPart, count_letters};
use super::tables::{MisreadCharset, SPACE};
use oxiconv_encodings::codec::{ByteOrder, MIN_PIVOT};
use oxiconv_encodings::unicode::{CodePoint, is_alphabetic};

pub(super) const NEL: CodePoint = 0x85;

/// Whether a character is a C1 control code that may have been a sign, given the characters around it. It is none where
/// NEL may end a line, or where a control sequence of a terminal begins.
pub(super) fn is_sign(before: CodePoint, cp: CodePoint, after: CodePoint) -> bool {
    const CSI: CodePoint = 0x9B;
    match cp {
        NEL if before == NEL || after == NEL => false,
        NEL => before > SPACE && after == SPACE || is_control(before) || is_control(after),
        CSI => !matches!(after, 0x30..=0x3F | 0x41..=0x5A | 0x61..=0x7A),
        _ => is_control(cp),
    }
}

fn is_control(cp: CodePoint) -> bool {
    matches!(cp, 0x80..=0x9F)
}

/// Whether a control code is a byte of a character of UTF-8 that was read as ISO-8859-1, of any character.
fn is_of_utf8(text: &[CodePoint], at: usize) -> bool {
    let is_whole = |start: usize| {
        let len = match text[start] {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => return false,
        };
        let rest = text.get(start + 1..start + len).unwrap_or_default();
        at < start + len && rest.len() + 1 == len && rest.iter().all(|cp| matches!(cp, 0x80..=0xBF))
    };
    (at.saturating_sub(3)..at).any(is_whole)
}

/// Returns the places of control codes in a text, from `from` on, that may have been signs; none if one of them cannot
/// be.
pub(super) fn places(text: &[CodePoint], from: usize) -> Vec<Range<usize>> {
    const LINE_FEED: CodePoint = 0x0A;
    let near = |at: usize| text.get(at).copied().unwrap_or(LINE_FEED);
    let ends_lines = ends_lines(text, from);
    let may_be_sign = |at: &usize| {
        let is_before_indent = [at + 1, at + 2].map(near) == [SPACE; 2];
        let is_line_end = text[*at] == NEL && (ends_lines || is_before_indent);
        is_control(text[*at])
            && !is_line_end
            && is_sign(near(at.wrapping_sub(1)), text[*at], near(at + 1))
            && !is_of_utf8(text, *at)
    };
    let places: Vec<_> = (from..text.len()).filter(may_be_sign).map(|at| at..at + 1).collect();
    if places.is_empty() || with_signs(text).is_some() { places } else { Vec::new() }
}

/// Whether NEL ends the lines of a text, from `from` on: it is directly before the next line, and not before a space or a
/// mark, as an ellipsis or the last letter of a word would be. If there is a line feed before the text, the lines end in
/// that.
pub(super) fn ends_lines(text: &[CodePoint], from: usize) -> bool {
    let (before, text) = text.split_at(from);
    let begins_line = |cp: CodePoint| {
        let is_mark = "!\"'),-.:;?".chars().any(|mark| CodePoint::from(mark) == cp);
        (matches!(cp, 0x21..=0x7E | NEL) || is_alphabetic(cp)) && !is_mark
    };
    let is_end = |pair: &[CodePoint]| pair[0] == NEL && begins_line(pair[1]);
    let ends_in_it = matches!(text, [.., last, NEL] if !is_control(*last));
    !before.contains(&0x0A) && (ends_in_it || text.windows(2).any(is_end))
}

/// Returns the sign of windows-1252 with the number of a C1 control code.
fn sign(cp: CodePoint) -> Option<CodePoint> {
    static SIGNS: OnceLock<[Option<CodePoint>; 32]> = OnceLock::new();
    let sign_of = |index: usize| {
        let mut pivot = [0; MIN_PIVOT];
        let mut decoder = MisreadCharset::WESTERN.encoding().new_decoder(ByteOrder::Big);
        let done = decoder.decode(&[0x80 + index as u8], &mut pivot, true);
        (done.written == 1 && pivot[0] > 0x9F).then_some(pivot[0])
    };
    let signs = SIGNS.get_or_init(|| std::array::from_fn(sign_of));
    *signs.get(cp.checked_sub(0x80)? as usize)?
}

/// Returns the control codes of a text that may be signs; none if one of them cannot be.
pub(super) fn sequences(text: &[CodePoint]) -> Vec<MisreadSequence> {
    let controls = text.iter().enumerate().filter(|(_, cp)| matches!(cp, 0x80..=0x9F));
    let sequence = |(at, cp): (usize, &CodePoint)| {
        let text = SequenceText::One(sign(*cp)?);
        let reading = SequenceReading { text, keeps_space: false };
        let (range, others, lost) = (at..at + 1, Vec::new(), Lost::Nothing);
        Some(MisreadSequence { range, reading, others, lost })
    };
    controls.map(sequence).collect::<Option<_>>().unwrap_or_default()
}

/// Whether a reading of control codes is no text: signs that are none in their word, or a letter by itself, which may be
/// any.
pub(super) fn are_no_signs(part: SuspectPart<'_>, text: &[CodePoint]) -> bool {
    let is_lone = count_letters(part.before) + count_letters(part.after) == 0;
    is_lone && count_letters(text) > 0
        || part.with(text).split(|cp| *cp == SPACE).any(has_misplaced_sign)
}

/// Whether a word has a sign in it, an opening quotation mark after a letter (`utilis‚` for `utilisé`), a quotation mark
/// at its start before what ends a word (`”®â®` for `Фото`), or a dash beside a single consonant (`ci—n` for `ción`).
fn has_misplaced_sign(word: &[CodePoint]) -> bool {
    let is_dash = |cp: &CodePoint| matches!(cp, 0x2013 | 0x2014);
    let is_vowel = |cp: &CodePoint| "aeiouy".chars().any(|vowel| (*cp | 0x20) == vowel.into());
    let is_consonant = |part: &[CodePoint]| {
        count_letters(part) == 1 && part.iter().any(|cp| is_alphabetic(*cp) && !is_vowel(cp))
    };
    let opens_after_letter =
        |pair: &[CodePoint]| is_alphabetic(pair[0]) && matches!(pair[1], 0x201A | 0x201E);
    let opens_end = matches!(word, [0x2018..=0x201E, 0xA0 | 0xAE, ..]);
    is_torn(word)
        || opens_end
        || word.windows(2).any(opens_after_letter)
        || word.iter().any(is_dash) && word.split(is_dash).any(is_consonant)
}

/// Returns a text with the letters that its control codes are in windows-1250 and not in windows-1252.
pub(super) fn as_central(text: &[CodePoint]) -> Vec<CodePoint> {
    let letter = |cp: &CodePoint| match *cp {
        0x8C => 0x15A,
        0x9C => 0x15B,
        0x9F => 0x17A,
        other => sign(other).unwrap_or(other),
    };
    text.iter().map(letter).collect()
}

/// Returns a text with the quotation marks and dashes that are control codes in it, which are the same bytes in all
/// charsets of Windows. `None` if the text is in another charset, because some of them would be misplaced. Words with
/// bytes that begin a character of UTF-8 do not count.
pub(super) fn with_signs(text: &[CodePoint]) -> Option<Vec<CodePoint>> {
    let sign = |cp: &CodePoint| {
        let sign = sign(*cp).filter(|sign| !is_alphabetic(*sign));
        sign.unwrap_or(*cp)
    };
    let signs: Vec<CodePoint> = text.iter().map(sign).collect();
    let is_wrong = |(word, signs): (&[CodePoint], &[CodePoint])| {
        let may_be_utf8 = word.iter().any(|cp| matches!(cp, 0xC2..=0xF4));
        word != signs && !may_be_utf8 && has_misplaced_sign(signs)
    };
    let is_space = |cp: &CodePoint| *cp == SPACE;
    (!text.split(is_space).zip(signs.split(is_space)).any(is_wrong)).then_some(signs)
}

#[cfg(test)]
mod tests;
