//! Finds sequences of characters that are UTF-8 as bytes of a single-byte charset.
//!
//! ```text
//! Ã©          C3 A9 in windows-1252, which is é in UTF-8
//! voilÃ_la    C3 A0, if a program turned the no-break space A0 into a space: à, and perhaps a space too
//! â€U+FFFD    E2 80 and a byte that windows-1252 does not define: any of 81, 8D, 8F, 90 and 9D may have been there
//! Ã?ber       C3 and a byte that ISO-8859-1 has no sign for, so that a program wrote a question mark: any of 80 to 9F
//! ```
//!
//! A sequence may therefore mean several characters (`others`), and the judge chooses by the text around it.

use std::ops::Range;
use std::sync::OnceLock;

use super::double_byte::DoubleByteCharset;
use super::tables::{
    A0, MisreadCharset, QUESTION_MARK, SPACE, entry, follows, losing_controls, pair,
};
use crate::language::{Script, models};
use oxiconv_encodings::unicode::{CodePoint, REPLACEMENT_CHARACTER, is_alphabetic, is_reserved};

/// The most bytes of a character: two surrogates in CESU-8.
pub(super) const MAX_LEN: usize = 6;
/// A letter that is a word by itself.
const A_GRAVE: CodePoint = 0xE0;
/// How many characters at the end of a long text are searched for a place to cut it.
const CUT_WINDOW: usize = 256;

/// Characters that were one character of UTF-8. In a charset of two bytes a character, the first of them may be a part of
/// the character before as well, and the last one of a character of ASCII after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MisreadSequence {
    pub(super) range: Range<usize>,
    /// The first reading; the only one, unless a byte was lost or became a space.
    pub(super) reading: SequenceReading,
    pub(super) others: Vec<SequenceReading>,
    pub(super) lost: Lost,
}

/// What a sequence lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lost {
    Nothing,
    /// A byte of a single-byte charset: it is U+FFFD or a question mark.
    Byte,
    /// Bytes in a code of two, which became one mark.
    Code,
}

impl MisreadSequence {
    /// Whether a part of it was lost.
    pub(super) fn is_cut(&self) -> bool {
        self.lost != Lost::Nothing
    }

    pub(super) fn readings(&self) -> impl Iterator<Item = &SequenceReading> + Clone {
        std::iter::once(&self.reading).chain(&self.others)
    }
}

/// What a sequence meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SequenceReading {
    pub(super) text: SequenceText,
    /// Whether its last character, a space, is a space besides: `sÃ ng` is `sàng`, but `voilÃ la` is `voilà la`.
    pub(super) keeps_space: bool,
}

/// The characters of a reading. Nearly always one, which needs no allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SequenceText {
    One(CodePoint),
    Several(Vec<CodePoint>),
}

impl SequenceText {
    /// Adds a character.
    pub(super) fn push(&mut self, cp: CodePoint) {
        *self = Self::Several([self.characters(), &[cp]].concat());
    }

    pub(super) fn characters(&self) -> &[CodePoint] {
        match self {
            Self::One(cp) => std::slice::from_ref(cp),
            Self::Several(text) => text,
        }
    }
}

/// Returns the sequences of a text in a charset, left to right without overlap.
pub(super) fn sequences(text: &[CodePoint], set: MisreadCharset) -> Vec<MisreadSequence> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let begins = entry(text[at]).lead >> set.0 & 1 == 1;
        match begins.then(|| sequence(&text[at..], set)).flatten() {
            Some((len, reading, others)) => {
                let range = at..at + len;
                let is_cut = text[range.clone()].iter().any(|cp| is_lost(*cp));
                let lost = if is_cut { Lost::Byte } else { Lost::Nothing };
                found.push(MisreadSequence { range, reading, others, lost });
                at += len;
            }
            None => at += 1,
        }
    }
    found
}

/// Returns the charsets in which a text may have sequences, as a bit set. Looks at two characters at a time, to rule
/// out charsets before any sequence is read.
pub(super) fn possible(text: &[CodePoint]) -> u32 {
    let begins = |two: &[CodePoint]| match two[0] {
        0..0x80 => 0,
        lead => entry(lead).lead & follows(two[1]),
    };
    text.windows(2).fold(0, |sets, two| sets | begins(two))
}

/// Returns the charsets in which a character may begin a sequence, as a bit set. `high` has, for each of the two
/// characters before it, the charsets in which that is a byte that needs a continuation.
///
/// After such a byte without its continuation, the text is not UTF-8 in that charset. One exception: charsets with C1
/// controls lose continuation bytes, since programs delete controls. There it takes two bad bytes in a row.
///
/// ```text
/// high[0] high[1] cp next
///    –       C3   C3  A9     other charsets: nothing begins here     with C1 controls: é, after half a character
///    C3      C3   C3  A9     nothing begins here in either
/// ```
#[inline]
pub(super) fn beginning(high: [u32; 2], cp: CodePoint, next: CodePoint) -> u32 {
    pair(cp, next) & !ill_formed(high)
}

/// Returns the charsets in which nothing begins after two such characters.
#[inline]
fn ill_formed(high: [u32; 2]) -> u32 {
    high[1] & (high[0] | !losing_controls())
}

/// Returns the ranges of the sequences in a text, from `from` on: at each place the longest one in any single-byte
/// charset.
///
/// Sequences of different charsets may overlap here. Which charset it was is decided later, and for whole words; this
/// only finds the places.
pub(super) fn places(text: &[CodePoint], from: usize) -> Vec<Range<usize>> {
    let high = |at: usize| text.get(at).map_or(0, |cp| entry(*cp).high);
    let mut near = [high(from.wrapping_sub(2)), high(from.wrapping_sub(1))];
    let mut places = Vec::new();
    for at in from..text.len() {
        let cp = text[at];
        if cp < 0x80 {
            near = [near[1], 0];
            continue;
        }
        // The text is suspicious already, so that any two letters may be a sequence (`pair` has other rules).
        let next = text.get(at + 1).copied().unwrap_or(0);
        let before = at.checked_sub(1).map_or(SPACE, |at| text[at]);
        let sets = entry(cp).lead & follows(next) & !ill_formed(near);
        near = [near[1], entry(cp).high];
        // Relatives read the same: only a longer sequence than the one found says anything new.
        let longest =
            MisreadCharset::of(sets).fold(0, |longest, set| match len_of(&text[at..], set) {
                Some(len) if len > longest => {
                    sequence_len(before, &text[at..], set).unwrap_or(longest)
                }
                _ => longest,
            });
        if longest > 0 {
            places.push(at..at + longest);
        }
    }
    places
}

/// Returns how many bytes the sequence at the start of a text must have in a charset. Six are a character beyond U+FFFF
/// in CESU-8: ED A0 to AF begins the first surrogate of two.
fn len_of(text: &[CodePoint], set: MisreadCharset) -> Option<usize> {
    let byte = |at: usize| entry(*text.get(at)?).byte(set);
    match byte(0)? {
        0xC2..=0xDF => Some(2),
        0xED if matches!(byte(1), Some(0xA0..=0xAF)) => Some(MAX_LEN),
        0xE0..=0xEF => Some(3),
        0xF0..=0xF4 => Some(4),
        _ => None,
    }
}

/// Returns the last place where a long text can be cut: after a character of ASCII or, if there is none near its end,
/// between two sequences.
pub fn between(text: &str) -> usize {
    let near: Vec<_> = text.char_indices().rev().take(CUT_WINDOW).collect();
    let ascii = |(_, c): &&(usize, char)| c.is_ascii() && *c != ' ';
    if let Some((at, _)) = near.iter().find(ascii) {
        return at + 1;
    }
    let characters: Vec<_> = near.iter().rev().map(|(_, c)| CodePoint::from(*c)).collect();
    let mut found = places(&characters, 0);
    for set in DoubleByteCharset::all() {
        found.extend(set.sequences(&characters).into_iter().map(|found| found.range));
    }
    // The last five characters may be the start of a sequence that continues after the text.
    let is_between = |place: &usize| !found.iter().any(|it| it.start < *place && *place < it.end);
    let place = (1..characters.len().saturating_sub(MAX_LEN - 1)).rev().find(is_between);
    place.map_or(text.len(), |place| near[near.len() - 1 - place].0)
}

/// Reads the sequence at the start of a text: its length in characters, and its readings.
fn sequence(
    text: &[CodePoint],
    set: MisreadCharset,
) -> Option<(usize, SequenceReading, Vec<SequenceReading>)> {
    let (mut first, mut others) = (None, Vec::new());
    let len = each_reading(text, set, &mut |cp, keeps_space| {
        let reading = SequenceReading { text: SequenceText::One(cp), keeps_space };
        match first {
            None => first = Some(reading),
            Some(_) => others.push(reading),
        }
    })?;
    Some((len, first?, others))
}

/// Returns the length of the sequence at the start of a text, in characters. `before` precedes the text.
pub(super) fn sequence_len(
    before: CodePoint,
    text: &[CodePoint],
    set: MisreadCharset,
) -> Option<usize> {
    let mut stands_for_any = false;
    let len = each_reading(text, set, &mut |_, _| stands_for_any = true)?;
    (stands_for_any && !ends_in_question(before, text, len)).then_some(len)
}

/// Calls `each` with every character that the sequence at the start of a text may mean, and whether a space at its end
/// remains a space. Returns the length of the sequence in characters; `None` if there is no sequence.
///
/// At most one byte may be lost: U+FFFD was one of the bytes that the charset does not define, so each of these is
/// tried. A question mark was one too or, in Latin text, any byte from 80 to 9F, since ISO-8859-1 has no signs there. A space in place of the last
/// byte was A0. With more lost bytes, nearly any letter could be meant, except that `â??` was a quotation mark or a dash.
fn each_reading(
    text: &[CodePoint],
    set: MisreadCharset,
    each: &mut dyn FnMut(CodePoint, bool),
) -> Option<usize> {
    let len = len_of(text, set)?;
    let mut bytes = [0; MAX_LEN];
    let mut lost = None;
    let mut spaced = false;
    for (at, byte) in bytes.iter_mut().enumerate().take(len) {
        let cp = *text.get(at)?;
        *byte = match entry(cp).byte(set) {
            Some(lead) if at == 0 => lead,
            Some(0xED) if at == 3 && len == MAX_LEN => 0xED,
            Some(byte @ 0x80..=0xBF) => byte,
            None if is_lost(cp) && lost.is_none() && may_be_lost(text[0], cp) => {
                lost = Some(at);
                0x80
            }
            None if at == 2 && cp == QUESTION_MARK && starts_with_e2_lost(text) => {
                lost = Some(at);
                0x80
            }
            None if cp == SPACE && at == len - 1 && set.loses_a0() => {
                spaced = true;
                A0
            }
            _ => return None,
        };
    }
    let meant = |bytes: [u8; MAX_LEN]| {
        let cp = decode(&bytes[..len]).filter(|cp| is_plausible(*cp))?;
        if !spaced || cp == CodePoint::from(A0) {
            return Some(cp);
        }
        // A letter of another script than Latin, before a space, is mostly the last letter of a sound word. With the
        // space as A0, it must still make a letter of its own script, or a no-break space.
        let script = Script::of(text[0]).filter(|script| *script != Script::Latin);
        // Words end in letters, not in digits or accents.
        let is_word_end = is_alphabetic(cp) || Script::of(cp).is_none();
        let is_of_script = script.is_none_or(|script| Script::of(cp) == Some(script));
        // `Г ` may be French, too.
        let is_of_script = is_of_script || cp == A_GRAVE;
        (is_word_end && is_of_script).then_some(cp)
    };
    if let Some(at) = lost {
        // Text in other scripts would have lost every other letter.
        let may_be_any = text[at] == QUESTION_MARK && may_be_any(text[0]);
        for byte in 0x80..=0xBF {
            if may_be_any && byte < 0xA0 || set.gaps().contains(&byte) {
                bytes[at] = byte;
                if let Some(cp) = meant(bytes) {
                    each(cp, false);
                }
            }
        }
    } else if let Some(cp) = meant(bytes) {
        // C2 A0 is the space itself. For anything else, the space may be both.
        if spaced && bytes[..2] != [0xC2, A0] {
            each(cp, true);
        }
        each(cp, false);
    }
    Some(len)
}

/// Whether a character stands for a lost byte.
pub(super) fn is_lost(cp: CodePoint) -> bool {
    matches!(cp, REPLACEMENT_CHARACTER | QUESTION_MARK)
}

/// Whether a question mark after this character may be any byte from 80 to 9F: the sequence is a letter of the blocks
/// Latin-1 Supplement or Latin Extended-A, `ș`, `ț`, or a mark.
pub(super) fn may_be_any(lead: CodePoint) -> bool {
    matches!(lead, 0xC3..=0xC5 | 0xC8 | 0xE2)
}

/// Whether a byte after this character may have become U+FFFD or a question mark. With question marks, only text in
/// Latin and Cyrillic letters is restored: in other scripts too many bytes would be lost.
fn may_be_lost(lead: CodePoint, lost: CodePoint) -> bool {
    lost != QUESTION_MARK || may_be_any(lead) || matches!(lead, 0xD0 | 0xD1)
}

/// Whether a text begins with `â?`, which is E2 80 if a mark follows.
fn starts_with_e2_lost(text: &[CodePoint]) -> bool {
    text.starts_with(&[0xE2, QUESTION_MARK])
}

/// Whether a sequence at the start of a text is a letter and a question mark that ends a sentence: it is not between a
/// damaged letter and another one. `â??` must be between two letters, where it is an apostrophe, and `â€?`, a closing
/// quotation mark, before none.
fn ends_in_question(before: CodePoint, text: &[CodePoint], len: usize) -> bool {
    let goes_on = text.get(len).is_some_and(|cp| is_alphabetic(*cp));
    match (text[1], text[len - 1], len) {
        (QUESTION_MARK, QUESTION_MARK, 2) => before < 0x80 && !goes_on,
        (QUESTION_MARK, QUESTION_MARK, _) => !is_alphabetic(before) || !goes_on,
        (0x20AC, QUESTION_MARK, _) => goes_on,
        _ => false,
    }
}

/// Decodes two to four bytes, the first of which is a lead byte, or the two surrogates of CESU-8; `None` if they are
/// ill-formed. The bits of the bytes are put together first. Then an overlong form is below the least value of its
/// length, and surrogates and values above U+10FFFF are no `char`.
fn decode(bytes: &[u8]) -> Option<CodePoint> {
    if let &[_, high, high_end, second, low, low_end] = bytes {
        let bits =
            |byte: u8, end: u8| CodePoint::from(byte & 0x0F) << 6 | CodePoint::from(end & 0x3F);
        let cp = 0x1_0000 + (bits(high, high_end) << 10) + bits(low, low_end);
        return (second == 0xED && low >= 0xB0).then_some(cp);
    }
    let (lead, rest) = bytes.split_first()?;
    let (mask, least) = [(0x1F, 0x80), (0x0F, 0x800), (0x07, 0x1_0000)][rest.len() - 1];
    let append = |cp, byte: &u8| cp << 6 | CodePoint::from(byte & 0x3F);
    let cp = rest.iter().fold(CodePoint::from(lead & mask), append);
    let is_well_formed = cp >= least && rest.iter().all(|byte| byte & 0xC0 == 0x80);
    char::from_u32(cp).filter(|_| is_well_formed).map(CodePoint::from)
}

/// Whether a character may occur in text: a letter of a language of the model, or a mark or sign in common use. A
/// sequence that means anything else is a coincidence.
///
/// The blocks of Latin, Cyrillic, Greek and Armenian have many letters of historical or minority orthographies, so
/// these are looked up in the alphabets. Other scripts are accepted by block.
pub(super) fn is_plausible(cp: CodePoint) -> bool {
    static LETTERS: OnceLock<Vec<bool>> = OnceLock::new();
    let letters = || {
        let mut letters = vec![false; 0x3000];
        for letter in models().iter().flat_map(|model| model.letters()) {
            let upper = char::from_u32(letter).into_iter().flat_map(char::to_uppercase);
            for cp in upper.map(CodePoint::from).chain([letter]) {
                if let Some(place) = letters.get_mut(cp as usize) {
                    *place = true;
                }
            }
        }
        letters
    };
    match cp {
        0xA0..=0x17F | 0x300..=0x345 | 0x361 | 0x391..=0x3C9 | 0x386..=0x390 | 0x3CA..=0x3CE => {
            true
        }
        0x400..=0x45F | 0x5B0..=0x5EA | 0x60C..=0x669 => true,
        0x2002..=0x200F | 0x2010..=0x2044 | 0x20A0..=0x20BF | 0x2100..=0x27BF => true,
        0x2900..=0x2BFF | 0x3000..=0x30FF | 0xFE0F | 0xFEFF | 0xFF00..=0xFFEF | 0xFFFD => true,
        0x1_F000..=0x1_FAFF => !is_reserved(cp),
        0xFB00..=0xFB06 | 0x1EA0..=0x1EF9 | 0x1F00..=0x1FFF => true,
        _ if entry(cp).is_in_any() => true,
        0x1E00..=0x1EFF | 0x180..=0x2FF => {
            letters_has(LETTERS.get_or_init(letters), cp) || matches!(cp, 0x2BC | 0x2C6..=0x2DD)
        }
        0x1_0000.. | 0..0x80 => false,
        // Text that was misread twice has them after the first repair.
        0x80..0xA0 => true,
        0x700..0x2000 | 0xA000..0xAC00 => {
            char::from_u32(cp).is_some_and(char::is_alphanumeric) || !is_reserved(cp)
        }
        _ if Script::of(cp).is_some() => {
            !matches!(Script::of(cp), Some(Script::Cyrillic | Script::Greek | Script::Armenian))
                || letters_has(LETTERS.get_or_init(letters), cp)
        }
        _ => false,
    }
}

fn letters_has(letters: &[bool], cp: CodePoint) -> bool {
    letters.get(cp as usize).is_some_and(|it| *it)
}

#[cfg(test)]
mod tests;
