//! A part of a text that may be damaged, and what the words around it tell.
//!
//! Most of the rules here protect sound text. A letter and a sign next to each other are often a character of UTF-8 in
//! some charset, and often right as they are: `SLÅ²`, `5 Å·s`, `Γ’s`, `« Paris »`. So a part is compared with its
//! context before any reading is weighed.

use std::ops::Range;

use super::sequences::MisreadSequence;
use super::tables::{MisreadCharset, SPACE, entry};
use crate::language::Script;
use oxiconv_encodings::unicode::{CodePoint, is_alphabetic as is_letter};

/// The most characters of context on each side of a part. The context ends before that at an ASCII sign or a blank, so
/// a part is judged with its own word.
pub(super) const CONTEXT: usize = 24;
/// The most characters of the line on each side of the words.
const LINE_CONTEXT: usize = 40;
/// How far before a part an opening quotation mark is searched for.
const QUOTATION_WINDOW: usize = 128;

/// The script of a letter, including scripts that no language of the model uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LetterScript {
    In(Script),
    /// A script of no language in the model, such as Thaana.
    Rare,
}

impl LetterScript {
    pub(super) fn of(cp: CodePoint) -> Option<Self> {
        // Ligatures, such as `ﬁ`.
        if matches!(cp, 0xFB00..=0xFB06) {
            return Some(Self::In(Script::Latin));
        }
        let is_rare = |cp: &CodePoint| {
            // The blocks from Syriac to Samaritan. Their marks count too, not only their letters.
            *cp >= 0x530 && is_letter(*cp) || matches!(cp, 0x700..0x900)
        };
        Script::of(cp).map(Self::In).or_else(|| Some(cp).filter(is_rare).map(|_| Self::Rare))
    }

    /// Returns a distinct bit, for sets. No script of the model has bit 31.
    pub(super) fn bit(self) -> u32 {
        match self {
            Self::In(script) => script.bit(),
            Self::Rare => 1 << 31,
        }
    }

    fn goes_with(self, other: Self) -> bool {
        let (Self::In(one), Self::In(other)) = (self, other) else { return false };
        one.includes(other) || other.includes(one)
    }
}

/// A part of a text that may be damaged, with the words around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct SuspectPart<'a> {
    pub(super) before: &'a [CodePoint],
    pub(super) own: &'a [CodePoint],
    pub(super) after: &'a [CodePoint],
    /// The quotation mark that was opened before it and not closed yet.
    pub(super) open: Option<CodePoint>,
    /// Whether the region has signs of windows-1252 that ISO-8859-1 does not have.
    pub(super) has_signs: bool,
    /// The rest of the line near it, before and after its words. Empty while that may be damaged, too.
    pub(super) line: [&'a [CodePoint]; 2],
}

impl<'a> SuspectPart<'a> {
    /// Returns the parts of a text at these ranges. The region begins at `from`; what is before it is repaired.
    ///
    /// A quotation is followed from the first opening mark in the window before a part, so the marks are collected once
    /// for all parts, and the text before the first mark is skipped.
    pub(super) fn all(text: &'a [CodePoint], from: usize, ranges: &[Range<usize>]) -> Vec<Self> {
        let opening = |at: &usize| opens(text[*at]) && (*at == 0 || begins_word(text[*at - 1]));
        let openings: Vec<usize> = (0..text.len()).filter(opening).collect();
        let has_signs = text[from..].iter().any(|cp| is_lost_sign(*cp));
        let of = |range: &Range<usize>| {
            // What is before the window is unknown, so the window itself may begin inside a quotation.
            let start = range.start.saturating_sub(QUOTATION_WINDOW);
            let after = openings.partition_point(|opening| *opening < start);
            let first = openings.get(after).copied().unwrap_or(range.start).min(range.start);
            let first = if opens(text[start]) { start } else { first };
            let open = open_quotation(None, &text[first..range.start]);
            Self { has_signs, ..Self::of(text, range, open) }
        };
        ranges.iter().map(of).collect()
    }

    fn of(text: &'a [CodePoint], range: &Range<usize>, open: Option<CodePoint>) -> Self {
        let is_near = |cp: &&CodePoint| is_near(**cp);
        let left = text[..range.start].iter().rev().take(CONTEXT).take_while(is_near).count();
        let right = text[range.end..].iter().take(CONTEXT).take_while(is_near).count();
        Self {
            before: &text[range.start - left..range.start],
            own: &text[range.clone()],
            after: &text[range.end..range.end + right],
            open,
            has_signs: false,
            line: [&[]; 2],
        }
    }

    /// Returns the part with the line around it, which is otherwise sound. `range` is where it is in that line.
    pub(super) fn in_line(self, line: &'a [CodePoint], range: &Range<usize>) -> Self {
        let part = Self::of(line, range, None);
        let start = range.start - part.before.len();
        let end = range.end + part.after.len();
        let near = [
            &line[start.saturating_sub(LINE_CONTEXT)..start],
            &line[end..line.len().min(end + LINE_CONTEXT)],
        ];
        Self { before: part.before, after: part.after, line: near, ..self }
    }

    /// Whether the line around it is known.
    pub(super) fn is_in_line(self) -> bool {
        self.line.iter().any(|near| !near.is_empty())
    }

    /// Writes a key that is equal for equal parts in equal context.
    pub(super) fn write_key(self, key: &mut Vec<CodePoint>) {
        const BORDER: CodePoint = CodePoint::MAX;
        key.clear();
        key.push(self.open.unwrap_or(0));
        key.push(u32::from(self.has_signs));
        key.extend_from_slice(self.before);
        key.push(BORDER);
        key.extend_from_slice(self.own);
        key.push(BORDER);
        key.extend_from_slice(self.after);
    }

    /// Returns the first script in `text` that the part itself has no letters of, unless two letters of such a script
    /// are adjacent. A lone letter of a new script is weak evidence for a reading; two in a row are a word.
    pub(super) fn isolated_new_script(self, text: &[CodePoint]) -> Option<LetterScript> {
        let own = self.own.iter().filter_map(|cp| LetterScript::of(*cp));
        let own = own.fold(0, |own, letters| own | letters.bit());
        let (mut first, mut before) = (None, None);
        for cp in text {
            let new = LetterScript::of(*cp).filter(|letters| letters.bit() & own == 0);
            if before.is_some() && new.is_some() {
                return None;
            }
            first = first.or(new);
            before = new;
        }
        first
    }

    /// Whether a reading has an accent of Hebrew or Arabic without a letter of its script before it.
    pub(super) fn has_misplaced_accent(self, text: &[CodePoint]) -> bool {
        let is_accent = |cp: CodePoint| matches!(cp, 0x591..=0x5BD | 0x610..=0x61A | 0x64B..=0x65F);
        let before = self.before.last().into_iter().chain(text);
        before
            .zip(text.get(usize::from(self.before.is_empty())..).unwrap_or_default())
            .any(|(before, cp)| is_accent(*cp) && Script::of(*before) != Script::of(*cp))
    }

    /// Whether the part is `Î` or `Ï` and a sign, and a reading a Greek letter. Words have no such sign after these
    /// letters, so the Greek letter may be a symbol among Latin ones: `TNF-α`, `IL2Rγc`. After a capital, a quotation mark
    /// or a dash is just that. If the mistake is usual in the text, any two signs may be a Greek letter.
    pub(super) fn is_greek_symbol(self, text: &[CodePoint], is_usual: bool) -> bool {
        let after_capital = self.before.last().is_some_and(|cp| is_upper(*cp));
        let is_sign = |cp: CodePoint| match after_capital {
            true => matches!(cp, 0xB1 | 0xB3..=0xB6 | 0xB8 | 0xBA | 0xBC..=0xBE),
            false => matches!(cp, 0xA1..=0xBF | 0x2010..=0x2122),
        };
        let is_symbol = match self.own {
            [0xCE | 0xCF, sign] if is_sign(*sign) => true,
            own => is_usual && !own.contains(&SPACE) && count_letters(own) < own.len(),
        };
        // Capitals that look like Latin ones are no symbols.
        let is_letter = |cp: CodePoint| {
            matches!(cp, 0x393 | 0x394 | 0x398 | 0x39B | 0x39E | 0x3A0 | 0x3A3 | 0x3A6..=0x3C9)
        };
        is_symbol && matches!(text, [cp] if is_letter(*cp))
    }

    /// Whether the part is a letter of another script than Latin and a space, and a reading `à`.
    pub(super) fn is_letter_for_a(self, text: &[CodePoint]) -> bool {
        let is_other = |cp: CodePoint| Script::of(cp).is_some_and(|script| script != Script::Latin);
        matches!(self.own, [letter, 0x20] if is_other(*letter)) && text.first() == Some(&0xE0)
    }

    /// Whether a reading has a control code that the part did not have.
    pub(super) fn has_new_control(self, text: &[CodePoint]) -> bool {
        text.iter().any(|cp| matches!(cp, 0x80..0xA0) && !self.own.contains(cp))
    }

    /// Whether a reading has a combining accent without a letter before it. Lines under or through characters do not
    /// count: they may be anywhere.
    pub(super) fn has_stray_accent(self, text: &[CodePoint]) -> bool {
        let is_accent = |cp: CodePoint| matches!(cp, 0x300..=0x331 | 0x333..=0x335 | 0x337..=0x36F);
        let before = [self.before.last().copied().unwrap_or(0x20)];
        let mut pairs = before.iter().chain(text).zip(text);
        pairs.any(|(before, cp)| is_accent(*cp) && !is_letter(*before) && !is_accent(*before))
    }

    /// Returns the character at an index of its own characters, which may be past their end.
    fn at(self, place: usize) -> CodePoint {
        self.own.iter().chain(self.after).nth(place).copied().unwrap_or(0x20)
    }

    /// Returns the two characters before an index of its own characters, the nearer one last.
    fn before(self, place: usize) -> [CodePoint; 2] {
        let mut before = self.own[..place].iter().rev().chain(self.before.iter().rev()).copied();
        let nearest = before.next().unwrap_or(0x20);
        [before.next().unwrap_or(0x20), nearest]
    }

    /// Whether a sequence contains the mark that closes a quotation. The mark that opened it is intact, and one text
    /// was damaged as a whole, so the closing mark is intact too, and so is the no-break space before it (`« Paris »`).
    pub(super) fn closes_quotation(self, found: &[MisreadSequence]) -> bool {
        let begins = |pair: &[CodePoint]| begins_word(pair[0]) && opens(pair[1]);
        if self.open.is_none() && !opens(self.own[0]) && !self.own.windows(2).any(begins) {
            return false;
        }
        found.iter().any(|MisreadSequence { range, .. }| {
            let Some(open) = open_quotation(self.open, &self.own[..range.start]) else {
                return false;
            };
            let [last, next, after_next] =
                [range.end - 1, range.end, range.end + 1].map(|place| self.at(place));
            closes(open, last) && !is_letter(next)
                || last == 0xA0 && closes(open, next) && !is_letter(after_next)
        })
    }

    /// Whether all that looks damaged is one letter and one sign that are both right where they are, as in `SLÅ²`,
    /// `Γ’s` or `5 Å·s`. Then nothing says that they were one character.
    ///
    /// The letter must fit its neighbours: it continues a word in capitals, is a unit after a number, or is a symbol by
    /// itself. The sign must fit what follows: a superscript or a middle dot after a unit, an apostrophe before an
    /// ending, a no-break space before another word.
    pub(super) fn is_sound_pair(self, found: &[MisreadSequence]) -> bool {
        let [sequence @ MisreadSequence { range, .. }] = found else { return false };
        let [lead, sign] = self.own[range.clone()] else { return false };
        // `Â²` can be read as `²`: the letter is redundant, and the sign is what was meant.
        let mut readings = sequence.readings().map(|reading| reading.text.characters());
        if !is_letter(lead) || readings.clone().any(|text| text == [sign]) {
            return false;
        }
        let [second, before] = self.before(range.start);
        let next = self.at(range.end);
        let is_capital = is_upper(lead) && is_upper(before);
        // After a single capital, the rest of a word is usually lowercase: `SÃ³` is `Só`.
        let is_capital_meant = readings.any(|text| text.iter().any(|cp| is_upper(*cp)));
        let is_in_capitals = is_capital && (is_upper(second) || is_capital_meant);
        let is_unit = matches!(before, 0x30..=0x39);
        // A letter of windows-1252 is a word by itself only by damage. Other letters, such as Γ or Δ, are symbols.
        let is_symbol = !is_letter(before) && entry(lead).byte(MisreadCharset::WESTERN).is_none();
        let is_right = is_in_capitals || is_unit || is_symbol;
        if is_symbol && sign >= 0x80 && !is_letter(sign) && !is_letter(next) {
            return true;
        }
        match sign {
            0xA0 => is_right && !(is_in_capitals && is_upper(next)),
            0xB7 => is_right,
            0xB2 | 0xB3 | 0xB9 => is_right && !is_lower(next),
            // An apostrophe and an ending: one letter, or lowercase letters after capitals.
            0x2019 if is_letter(next) => {
                let is_ending = is_lower(next) || !is_letter(self.at(range.end + 1));
                is_symbol || is_capital && is_ending
            }
            _ => false,
        }
    }

    /// Whether a reading puts letters of two scripts next to each other, neither of them ASCII. A brand may be
    /// `iФирма`, but no word is `盵ª`.
    pub(super) fn mixes_scripts(self, text: &[CodePoint]) -> bool {
        let is_mixed = |pair: &[CodePoint]| {
            if pair.iter().any(|cp| *cp < 0x80) {
                return false;
            }
            let (Some(one), Some(other)) = (LetterScript::of(pair[0]), LetterScript::of(pair[1]))
            else {
                return false;
            };
            one != other && !one.goes_with(other) && pair.iter().all(|cp| is_letter(*cp))
        };
        let near = |cp: Option<&CodePoint>| cp.copied().unwrap_or(0x20);
        let first = [near(self.before.last()), near(text.first())];
        let last = [near(text.last()), near(self.after.first())];
        is_mixed(&first) || is_mixed(&last) || text.windows(2).any(is_mixed)
    }

    /// Returns the part in its context, with `own` in place of its own characters.
    pub(super) fn with(self, own: &[CodePoint]) -> Vec<CodePoint> {
        [self.line[0], self.before, own, self.after, self.line[1]].concat()
    }
}

/// Whether a character is a sign of windows-1252 at a byte where ISO-8859-1 has a control code.
fn is_lost_sign(cp: CodePoint) -> bool {
    cp > 0xFF && entry(cp).byte(MisreadCharset::WESTERN).is_some_and(|byte| byte < 0xA0)
}

pub(super) fn count_letters(text: &[CodePoint]) -> usize {
    text.iter().filter(|cp| is_letter(**cp)).count()
}

/// Returns the quotation mark that is open at the end of a text, if `open` is open at its start. A mark that begins a
/// word is intact: in damaged text, the rest of a character would come before it.
fn open_quotation(mut open: Option<CodePoint>, text: &[CodePoint]) -> Option<CodePoint> {
    let mut before = 0x20;
    for (at, cp) in text.iter().enumerate() {
        let goes_on = || text.get(at + 1).is_some_and(|cp| is_letter(*cp));
        match open {
            _ if *cp == 0x0A => open = None,
            Some(mark) if closes(mark, *cp) && !goes_on() => open = None,
            None if opens(*cp) && begins_word(before) => open = Some(*cp),
            _ => {}
        }
        before = *cp;
    }
    open
}

/// Whether a word may begin after this character.
fn begins_word(before: CodePoint) -> bool {
    before < 0x80 && !is_of_word(before)
}

fn opens(cp: CodePoint) -> bool {
    matches!(cp, 0xAB | 0xBB | 0x2018 | 0x201A | 0x201C..=0x201E | 0x2039 | 0x203A)
}

/// Whether a mark closes a quotation that `open` began, in the conventions of any language: `»` may close or open, `“`
/// closes German `„`.
fn closes(open: CodePoint, cp: CodePoint) -> bool {
    match open {
        0xAB => cp == 0xBB,
        0xBB => matches!(cp, 0xAB | 0xBB),
        0x2018 => cp == 0x2019,
        0x201A => matches!(cp, 0x2018 | 0x2019),
        0x201C | 0x201D => cp == 0x201D,
        0x201E => matches!(cp, 0x201C | 0x201D),
        0x2039 => cp == 0x203A,
        0x203A => matches!(cp, 0x2039 | 0x203A),
        _ => false,
    }
}

/// Whether a character is typed next to words: a quotation mark, a dash, an ellipsis or a space.
pub(super) fn is_beside_words(cp: CodePoint) -> bool {
    matches!(cp, 0..0x80 | 0xA0 | 0xAB | 0xBB | 0x2010..=0x2026 | 0x2039 | 0x203A | 0x3000..=0x301F)
}

/// Whether a character may be part of a word. Anything beyond ASCII may: in damaged text, signs are letters.
pub(super) fn is_of_word(cp: CodePoint) -> bool {
    cp >= 0x80 || cp == 0x27 || is_letter(cp)
}

/// Whether a character belongs to the context of a part.
pub(super) fn is_near(cp: CodePoint) -> bool {
    is_of_word(cp) || matches!(cp, 0x30..=0x39)
}

fn is_upper(cp: CodePoint) -> bool {
    char::from_u32(cp).is_some_and(char::is_uppercase)
}

fn is_lower(cp: CodePoint) -> bool {
    char::from_u32(cp).is_some_and(char::is_lowercase)
}
