//! Which character a sequence meant that lost a byte.
//!
//! ```text
//! StraÃ?e      C3 and any of 80 to 9F: ß costs least in this word
//! voilÃ la     C3 A0, and the space is a space besides: `voilàla` is no word
//! Ã s          C3 A0 and an s: `às` is a word of Portuguese
//! 縺・※         E3 81 and 84 in a code that CP932 does not define: い is likelier than う before て
//! ```
//!
//! Choosing left to right is not optimal, but all combinations would be exponential in the number of lost bytes.

use super::sequences::{Lost, MisreadSequence, SequenceReading, may_be_any};
use super::suspect_part::SuspectPart;
use super::tables::{MisreadCharset, QUESTION_MARK, SPACE};
use super::weigh::Scale;
use oxiconv_encodings::unicode::{CodePoint, REPLACEMENT_CHARACTER, is_alphabetic as is_letter};

/// If a byte was lost, its character is restored only with this lead, in bits, over all others that fit.
const LOST_BYTE_MARGIN: f32 = 3.0;
/// The same if a code of two bytes was lost. Of the characters that this decides, 91 in 100 are right
/// (`benches/repair --set codes`, texts that nothing was fitted to).
const LOST_CODE_MARGIN: f32 = 4.0;
/// The same for a byte that windows-1252 does not define and that became a question mark. That may also be a real one.
const LOST_GAP: f32 = 6.0;
/// The same for a question mark that may be any byte from 80 to 9F, by the line around it, and by its own word.
const LOST_SIGN_IN_LINE: f32 = 4.0;
const LOST_SIGN_IN_WORD: f32 = 7.0;
/// Penalties, in bits, where the last byte of a letter became a space. Most such letters end a word, so one is for a
/// letter inside a word, and for `à` as the start of one. The other is for what hardly any language has: a word of one
/// letter that is not `à`, and `qu'` before a word that begins with `à`.
const SPACE_INSIDE_WORD: f32 = 2.5;
const WRONG_SPACE: f32 = 8.0;
/// What follows `à` in the Portuguese words that begin with it: `às`, `àquele`.
const AFTER_A: [&str; 6] = ["s", "quele", "quela", "queles", "quelas", "quilo"];
/// U+2010, which nobody types: keyboards have the hyphen of ASCII.
const HYPHEN: CodePoint = 0x2010;
/// The characters on each side of a sequence by which its reading is chosen: of its words, and of the line around them.
const NEAR_BEFORE: usize = 8;
const NEAR_AFTER: usize = 6;
const NEAR_IN_LINE: usize = 20;

/// Returns a part with these sequences replaced by their readings. Where a sequence has several readings, it is the one
/// that costs least in its context, in which the next two sequences have their first reading.
pub(super) fn read(
    scale: &mut Scale,
    part: SuspectPart<'_>,
    found: &[MisreadSequence],
) -> Vec<CodePoint> {
    let SuspectPart { own, .. } = part;
    let mut text = Vec::with_capacity(own.len());
    let mut at = 0;
    let mut language = None;
    for (index, sequence) in found.iter().enumerate() {
        text.extend_from_slice(&own[at..sequence.range.start]);
        at = sequence.range.end;
        let reading = match sequence.lost {
            Lost::Nothing if sequence.others.is_empty() => Some(&sequence.reading),
            Lost::Nothing | Lost::Byte => best(scale, part, &text, &found[index..]),
            Lost::Code => {
                let language = *language.get_or_insert_with(|| language_of(scale, part, found));
                let before = text.last().or(part.before.last()).copied().unwrap_or(SPACE);
                best_character(scale, language, before, &found[index..])
            }
        };
        let own = &own[sequence.range.clone()];
        match reading {
            Some(reading) => {
                text.extend_from_slice(reading.text.characters());
                text.extend(reading.keeps_space.then_some(0x20));
            }
            None if sequence.lost == Lost::Code || own.contains(&REPLACEMENT_CHARACTER) => {
                text.push(REPLACEMENT_CHARACTER)
            }
            None => text.extend_from_slice(own),
        }
    }
    text.extend_from_slice(&own[at..]);
    text
}

/// Returns the best reading of the first of these sequences, after `text`; `None` if it lost a byte, and several fit
/// about equally.
fn best<'s>(
    scale: &mut Scale,
    part: SuspectPart<'_>,
    text: &[CodePoint],
    found: &'s [MisreadSequence],
) -> Option<&'s SequenceReading> {
    let SuspectPart { before, own, after, line, .. } = part;
    let (sequence, next) = found.split_first()?;
    let is_question = own[sequence.range.clone()].contains(&QUESTION_MARK);
    // If a byte beside it was lost as well, nothing tells what fits.
    let is_beside =
        |next: &MisreadSequence| next.is_cut() && next.range.start == sequence.range.end;
    let is_lost_beside = text.last() == Some(&QUESTION_MARK) || next.first().is_some_and(is_beside);
    if is_question && !part.has_signs && (is_lost_beside || !may_be_any(own[sequence.range.start]))
    {
        return None;
    }
    let mut rest = Vec::new();
    let mut from = sequence.range.end;
    for next in next.iter().take(2) {
        rest.extend_from_slice(&own[from..next.range.start]);
        rest.extend_from_slice(next.reading.text.characters());
        from = next.range.end;
    }
    rest.extend(own[from..].iter().chain(after).take(NEAR_AFTER));
    rest.extend(line[1].iter().take(NEAR_IN_LINE));
    let near = [before, text].concat();
    let near = &near[near.len().saturating_sub(NEAR_BEFORE)..];
    let near = [&line[0][line[0].len().saturating_sub(NEAR_IN_LINE)..], near].concat();
    let mut cost = |reading: &SequenceReading| {
        let space: &[CodePoint] = if reading.keeps_space { &[0x20] } else { &[] };
        let cost = scale.cost(&[&near[..], reading.text.characters(), space, &rest].concat());
        cost + if sequence.is_cut() { 0.0 } else { space_cost(&near, reading, &rest) }
    };
    let own = &own[sequence.range.clone()];
    // If signs of windows-1252 are left, only bytes without one were lost.
    let is_undefined = is_question && part.has_signs;
    let is_typed = |reading: &SequenceReading| reading.text.characters() != [HYPHEN];
    let may_be =
        |reading: &&SequenceReading| !is_undefined || lost_gap(own, reading) && is_typed(reading);
    let (mut best, mut least, mut next) = (&sequence.reading, f32::INFINITY, f32::INFINITY);
    for reading in sequence.readings().filter(may_be) {
        let cost = cost(reading);
        if cost < least {
            (best, next, least) = (reading, least, cost);
        } else {
            next = next.min(cost);
        }
    }
    let margin = match (is_question, part.has_signs) {
        (false, _) => LOST_BYTE_MARGIN,
        (true, true) => LOST_GAP,
        (true, false) if part.is_in_line() => LOST_SIGN_IN_LINE,
        (true, false) => LOST_SIGN_IN_WORD,
    };
    (!sequence.is_cut() || least < f32::INFINITY && next - least >= margin).then_some(best)
}

/// Returns the language of what is known of a part.
fn language_of(scale: &mut Scale, part: SuspectPart<'_>, found: &[MisreadSequence]) -> usize {
    let whole = found.iter().filter(|sequence| !sequence.is_cut());
    let whole = whole.flat_map(|sequence| sequence.reading.text.characters());
    let text: Vec<_> = part.before.iter().chain(whole).copied().collect();
    scale.language(&text)
}

/// Returns the best reading of the first of these sequences, of which a code of two bytes became a mark, by the
/// characters before and after it; `None` if several fit about equally.
fn best_character<'s>(
    scale: &mut Scale,
    language: usize,
    before: CodePoint,
    found: &'s [MisreadSequence],
) -> Option<&'s SequenceReading> {
    let after = found.get(1).map_or(&[SPACE][..], |next| next.reading.text.characters());
    let (mut best, mut least, mut next) = (&found[0].reading, f32::INFINITY, f32::INFINITY);
    for reading in found[0].readings() {
        let text = [&[before], reading.text.characters(), &after[..1]].concat();
        let cost = scale.cost_in(language, &text);
        if cost < least {
            (best, next, least) = (reading, least, cost);
        } else {
            next = next.min(cost);
        }
    }
    (next - least >= LOST_CODE_MARGIN).then_some(best)
}

/// Whether the byte that a sequence lost is one that windows-1252 does not define, if this is what it meant.
fn lost_gap(sequence: &[CodePoint], reading: &SequenceReading) -> bool {
    let mut utf8 = [0; 4];
    let meant = reading.text.characters().first().and_then(|cp| char::from_u32(*cp));
    let utf8 = meant.map_or(&[][..], |c| c.encode_utf8(&mut utf8).as_bytes());
    let mut lost = sequence.iter().zip(utf8).filter(|(cp, _)| **cp == QUESTION_MARK);
    lost.all(|(_, byte)| MisreadCharset::WESTERN.gaps().contains(byte))
}

/// Returns what speaks against a reading of a letter and a space, in bits. The space was the last byte of the letter,
/// and may be a space besides.
fn space_cost(before: &[CodePoint], reading: &SequenceReading, after: &[CodePoint]) -> f32 {
    const A_GRAVE: &[CodePoint] = &[0xE0];
    if !after.first().is_some_and(|cp| is_letter(*cp)) {
        return 0.0;
    }
    let is_inside = before.last().is_some_and(|cp| is_letter(*cp));
    let word = || after.iter().map_while(|cp| char::from_u32(*cp).filter(|c| c.is_alphabetic()));
    let is_portuguese = || AFTER_A.iter().any(|rest| rest.chars().eq(word()));
    let is_word = reading.text.characters() == A_GRAVE && !is_portuguese();
    let is_of_europe = reading.text.characters().iter().all(|cp| *cp < 0x250 && is_letter(*cp));
    match reading.keeps_space {
        true if is_inside || is_word || !is_of_europe => 0.0,
        // `qu'à`
        false if is_word && matches!(before, [.., 0x75, 0x27 | 0x2019]) => WRONG_SPACE,
        false if is_inside || is_word => SPACE_INSIDE_WORD,
        false => 0.0,
        true => WRONG_SPACE,
    }
}

#[cfg(test)]
mod tests;
