//! Finds the first place in a text that may be damaged. Nearly all words are passed over by `sound_words.rs`; the
//! others are examined here, with the characters around.
//!
//! Three kinds of places are suspicious:
//!
//! * `Ã©`, `voilÃ la`: a character that may begin UTF-8 as bytes of another charset, if the next ones continue it;
//! * a C1 control code, which was a sign;
//! * `Ïðèâåò`, `m”glich`: an unusual word (`unusual_word.rs`) that may be text in another charset.
//!
//! Each character costs two lookups, which answer for all charsets at once (`tables.rs`).

use super::ideographs::is_ideograph;
use super::sequences::{MAX_LEN, beginning, sequence_len};
use super::swapped::common;
use super::tables::{
    IBM866, MisreadCharset, SPACE, THAI, begins_own_letter, continues_own_letter, entry, follows,
    is_lowercase_cyrillic, is_own_letter,
};
use super::unusual_word::is_unusual;
use super::{controls, double_byte, sound_words};
use oxiconv_encodings::unicode::CodePoint;

/// The most characters of a word that are examined.
const MAX_WORD: usize = 32;

/// The most characters of a run beyond ASCII that are examined one after the other.
const MAX_EXAMINED: usize = 2 * MAX_WORD;

/// The first suspicious place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suspect {
    /// None before this byte. Whether there is one after it depends on what follows the text.
    None(usize),
    /// At this byte: UTF-8 as bytes of a charset.
    Sequence(usize),
    /// At this byte: a word in another charset.
    Swapped(usize),
}

/// Finds the first suspicious character of `text` from byte `at` on. The characters `before` precede the text, and up
/// to byte `sound` it is known to have no UTF-8. `last` says that nothing follows the text.
///
/// The answer must not depend on how a text was cut, so whatever needs a character that has not been read yet is not
/// answered: the caller gets the offset up to which the text is settled, and asks again with more.
///
/// `is_foreign` says whether an unusual word may be text in another charset.
pub(super) fn suspect(
    before: &[CodePoint],
    text: &str,
    at: usize,
    sound: usize,
    last: bool,
    is_foreign: impl FnMut(&[CodePoint]) -> bool,
) -> Suspect {
    let pass = |at| sound_words::pass(text, at, MAX_WORD + 1);
    suspect_beyond(before, text, at, sound, last, is_foreign, pass)
}

/// The same. `pass` returns the offset up to which the words from a byte on are sound.
fn suspect_beyond(
    before: &[CodePoint],
    text: &str,
    mut at: usize,
    sound: usize,
    last: bool,
    mut is_foreign: impl FnMut(&[CodePoint]) -> bool,
    pass: impl Fn(usize) -> usize,
) -> Suspect {
    loop {
        at = pass(at);
        if at == text.len() {
            return Suspect::None(at);
        }
        let mut near =
            text[..at].chars().rev().map(CodePoint::from).chain(before.iter().rev().copied());
        let (previous, one_before) = (near.next().unwrap_or(SPACE), near.next().unwrap_or(SPACE));
        // The first run beyond ASCII of a word decides whether the word is in another charset. The check looks at the
        // rest of the word too, so later runs of it need none.
        if previous < 0x80 {
            match is_swapped(previous, &text[at..], last) {
                Some(true) if is_foreign(&word_around(before, text, at)) => {
                    return Suspect::Swapped(at);
                }
                Some(true) => {}
                Some(false) => {}
                None => return Suspect::None(at),
            }
        }
        let mut previous = previous;
        // Whether the two characters before are bytes that need a continuation decides whether UTF-8 may begin here:
        // see `beginning`.
        let mut near = [entry(one_before).high, entry(previous).high];
        let mut rest = text[at..].chars();
        let mut next = rest.next();
        // A long run, such as a line in Chinese, goes back to the faster search.
        let mut examined = 0;
        while let Some(c) = next.filter(|c| !c.is_ascii() && examined < MAX_EXAMINED) {
            next = rest.next();
            examined += 1;
            if next.is_none() && !last {
                return Suspect::None(lowercase_start(text, sound, at));
            }
            let cp = CodePoint::from(c);
            let follower = next.map_or(SPACE, CodePoint::from);
            let mut sets = beginning(near, cp, follower);
            // Many words have three of these, so this is asked before a sequence is read.
            let is_lowercase = |c: Option<char>| c.is_some_and(|c| is_lowercase_cyrillic(c.into()));
            let are_lowercase =
                || [Some(c), next, rest.clone().next()].into_iter().all(is_lowercase);
            if sets & IBM866 != 0 && are_lowercase() {
                sets &= !IBM866;
            }
            if at >= sound && controls::is_sign(previous, cp, follower) {
                return Suspect::Sequence(at);
            }
            if at >= sound {
                match begins(sets, previous, &text[at..], last) {
                    None => return Suspect::None(lowercase_start(text, sound, at)),
                    Some(true) if sets & IBM866 != 0 => {
                        return Suspect::Sequence(lowercase_start(text, sound, at));
                    }
                    Some(true) => return Suspect::Sequence(at),
                    Some(false) => {}
                }
                if cp >= sound_words::FIRST_IDEOGRAPH
                    && !is_ideograph(previous)
                    && double_byte::may_begin(cp, follower)
                {
                    return Suspect::Sequence(at);
                }
            }
            near = [near[1], entry(cp).high];
            at += c.len_utf8();
            previous = cp;
        }
    }
}

/// Whether a word is unusual and all in one charset; `None` if that depends on what follows.
fn is_swapped(before: CodePoint, text: &str, last: bool) -> Option<bool> {
    let mut word = [0; MAX_WORD + 1];
    word[0] = before;
    let mut len = 1;
    let mut ends = last;
    for (place, c) in word[1..].iter_mut().zip(text.chars()) {
        ends |= c <= ' ';
        if c <= ' ' {
            break;
        }
        *place = c.into();
        len += 1;
    }
    let word = &word[..len];
    (ends || len > MAX_WORD).then(|| is_unusual(word) && common(&word[1..]) != 0)
}

/// Returns the word around a byte, as far as it is in `before` and `text`, but not more than [`MAX_WORD`] characters on
/// each side.
fn word_around(before: &[CodePoint], text: &str, at: usize) -> Vec<CodePoint> {
    let is_of_word = |cp: &CodePoint| *cp > 0x20;
    let left = text[..at].chars().rev().map(CodePoint::from).chain(before.iter().rev().copied());
    let mut word: Vec<_> = left.take_while(is_of_word).take(MAX_WORD).collect();
    word.reverse();
    let right = text[at..].chars().map(CodePoint::from);
    word.extend(right.take_while(is_of_word).take(MAX_WORD));
    word
}

/// Returns where the lowercase Cyrillic letters directly before byte `at` begin, at most [`MAX_WORD`] of them and none
/// before byte `sound`. Before a sequence of IBM866, they may be sequences too, although they are no sign of it.
fn lowercase_start(text: &str, sound: usize, at: usize) -> usize {
    let before = text.get(sound..at).unwrap_or_default();
    let letters = before.chars().rev().take(MAX_WORD);
    let is_lowercase = |c: &char| is_lowercase_cyrillic(CodePoint::from(*c));
    at - letters.take_while(is_lowercase).map(char::len_utf8).sum::<usize>()
}

/// Whether a text begins with a sequence in one of these charsets; `None` if that depends on what follows. `before`
/// precedes the text.
#[inline]
fn begins(mut sets: u32, before: CodePoint, text: &str, last: bool) -> Option<bool> {
    if sets == 0 {
        return Some(false);
    }
    let mut start = [0; MAX_LEN];
    let mut len = 0;
    for (place, c) in start.iter_mut().zip(text.chars()) {
        *place = c.into();
        len += 1;
    }
    let start = &start[..len];
    // `เธอ` is a word, and a character of UTF-8 in windows-874. Two of them are no word.
    if sets & THAI != 0 && len > 2 && start[1..3].iter().all(|cp| is_own_letter(*cp)) {
        match start[3..] {
            [lead, next, ..] if begins_own_letter(lead) && continues_own_letter(next) => {}
            [] | [_] if !last => return None,
            _ => sets &= !THAI,
        }
    }
    if MisreadCharset::of(sets).any(|set| sequence_len(before, start, set).is_some()) {
        return Some(true);
    }
    // The fourth of six bytes is a lead byte.
    let may_follow = |(at, cp): (usize, &CodePoint)| {
        (follows(*cp) | if at == 3 { entry(*cp).lead } else { 0 }) & sets != 0
    };
    let goes_on = !last && len < MAX_LEN && start.iter().enumerate().skip(1).all(may_follow);
    (!goes_on).then_some(false)
}

#[cfg(test)]
mod tests;
