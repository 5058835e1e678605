//! The fast path: the first place of a text that may be damaged. Nearly all text has none.

use super::sequences::sequence;
use super::tables::{Entry, Set, entry};
use super::{gb, swapped};
use crate::unicode::{CodePoint, REPLACEMENT_CHARACTER};

/// The most characters of a word that are examined.
const WORD: usize = 32;
const SPACE: CodePoint = 0x20;

/// Where the first place of a text that may be damaged is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suspect {
    /// Not before this byte; whether there is one after it depends on what follows the text.
    None(usize),
    /// At this byte.
    At(usize),
}

/// Finds the first character of `text`, which `before` precedes, that may be damaged. `last` says that nothing follows the
/// text.
pub fn suspect(before: char, text: &str, last: bool) -> Suspect {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += encoding_rs::Encoding::ascii_valid_up_to(&bytes[at..]);
        if at == bytes.len() {
            return Suspect::None(at);
        }
        let before = at.checked_sub(1).map_or(before, |before| char::from(bytes[before]));
        match is_swapped(before, &text[at..], last) {
            Some(true) => return Suspect::At(at),
            Some(false) => {}
            None if begins_here(&text[at..], last) => return Suspect::At(at),
            None => return Suspect::None(at),
        }
        // A run of characters beyond ASCII.
        let mut rest = text[at..].chars();
        while let Some(c) = rest.next() {
            if c.is_ascii() {
                break;
            }
            match begins(c, rest.clone(), last) {
                Some(true) if begins_sequence(&text[at..]) => return Suspect::At(at),
                Some(_) => {}
                None => return Suspect::None(at),
            }
            at += c.len_utf8();
        }
    }
}

/// Whether a text is known to begin with a sequence.
fn begins_here(text: &str, last: bool) -> bool {
    let mut rest = text.chars();
    let is_sequence = rest.next().is_some_and(|c| begins(c, rest, last) == Some(true));
    is_sequence && begins_sequence(text)
}

/// Whether the rest of a word may be in another charset; `None` if it depends on what follows.
fn is_swapped(before: char, text: &str, last: bool) -> Option<bool> {
    let mut word = [0; WORD + 1];
    word[0] = before.into();
    let mut len = 1;
    for (place, c) in word[1..].iter_mut().zip(text.chars()) {
        if c <= ' ' {
            return Some(swapped::is_suspect(&word[..len]));
        }
        if !c.is_ascii() && entry(c.into()).byte(Set::WESTERN).is_none() {
            return Some(false);
        }
        *place = c.into();
        len += 1;
    }
    let is_cut = len <= WORD && !last;
    (!is_cut).then(|| swapped::is_suspect(&word[..len]))
}

/// Whether a text begins with a sequence in any charset.
fn begins_sequence(text: &str) -> bool {
    let mut start = [0; 4];
    let mut len = 0;
    for (place, c) in start.iter_mut().zip(text.chars()) {
        *place = c.into();
        len += 1;
    }
    let start = &start[..len];
    gb::may_begin(start[0], start.get(1).copied().unwrap_or(SPACE))
        || Set::all().any(|set| sequence(start, set).is_some())
}

/// Whether a character and those after it may be a sequence; `None` if it depends on what follows them.
fn begins(c: char, mut rest: impl Iterator<Item = char>, last: bool) -> Option<bool> {
    let first = entry(c.into());
    if first.leads != [0; 3] {
        return may_follow(first, rest, last);
    }
    if c < '\u{2E80}' || !gb::is_lead(c.into()) {
        return Some(false);
    }
    match rest.next() {
        Some(next) => Some(gb::may_begin(c.into(), next.into())),
        None => last.then(|| gb::may_begin(c.into(), SPACE)),
    }
}

/// Whether characters may complete a sequence; `None` if it depends on what follows them.
fn may_follow(first: &Entry, rest: impl Iterator<Item = char>, last: bool) -> Option<bool> {
    let mut leads = first.leads;
    let mut rest = rest;
    for place in 0..3 {
        let Some(c) = rest.next() else { return last.then_some(false) };
        let cp = CodePoint::from(c);
        let (continues, ends) = match cp {
            SPACE => (0, u16::MAX),
            REPLACEMENT_CHARACTER => (u16::MAX, u16::MAX),
            _ if c.is_ascii() => return Some(false),
            _ => (entry(cp).continues, entry(cp).continues),
        };
        if leads[place] & ends != 0 {
            return Some(true);
        }
        leads[place] = 0;
        leads.iter_mut().for_each(|lead| *lead &= continues);
        if leads == [0; 3] {
            return Some(false);
        }
    }
    Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suspect_is_found_at_its_byte() {
        for (text, expected) in [
            ("", Suspect::None(0)),
            ("plain", Suspect::None(5)),
            // The word of the last letter may go on.
            ("été et è", Suspect::None(9)),
            ("a Ã©", Suspect::At(2)),
            ("été Ã©", Suspect::At(6)),
            ("a Ã", Suspect::None(2)),
            // F0 in windows-1251, which may begin a sequence.
            ("привет, мир", Suspect::None(18)),
            ("voilÃ la", Suspect::At(4)),
        ] {
            assert_eq!(suspect(' ', text, false), expected, "{text}");
        }
        assert_eq!(suspect(' ', "a Ã", true), Suspect::None(4));
    }
}
