//! What a part of a text was, if it is damaged: the reading that costs least in the light of what was found before.

use std::ops::Range;

use super::foreign::Known;
use super::sequences::{Reading, Sequence, beginning, possible, sequences};
use super::tables::{COUNT, SPACE, Set, entry};
use super::weigh::Scale;
use super::{gb, swapped};
use crate::encoding::Encoding;
use crate::language::{Script, models};
use crate::unicode::{CodePoint, REPLACEMENT_CHARACTER, is_alphabetic as is_letter};

/// Layers that are removed at most.
const LAYERS: u32 = 6;
/// Bits that damage costs: how much rarer it is than sound text; half as many for each layer after the first.
const DAMAGED: f32 = 6.0;
/// The same for UTF-8 read as GB18030, in addition, and for text in one charset that was read in another.
const GB: f32 = 4.0;
const SWAPPED: f32 = 14.0;
/// Bits for each bit of rarity of a charset that text may be in.
const RARITY: f32 = 2.0;
/// Bits by which a reading must be cheaper, and if its mistake is usual in the text.
const CLEARLY: f32 = 6.0;
const CLEARLY_USUAL: f32 = 2.0;
/// A mistake is usual in a text after its repairs have gained this many bits.
const USUAL: f32 = 40.0;
/// Of each bit gained, the share that makes the same mistake cheaper.
const SHARE: f32 = 0.25;
/// Bits that another mistake than the usual one costs, and half as many if it is usual too.
const UNLIKE: f32 = 8.0;
/// Of each bit gained, the share that makes a relative of a mistake likelier, which reads the same.
const RELATIVE: f32 = 0.25;
/// Bits that single letters of another script cost, a word of a single letter, and a sign in place of signs.
const ALONE: f32 = 18.0;
const ALONE_USUAL: f32 = 2.0;
const ONE_LETTER: f32 = 11.0;
const SIGNS: f32 = 6.0;
/// Bits that rule out a reading.
const NEVER: f32 = 1e6;
/// Letters of a script that make it one of the text.
const KNOWN: u32 = 8;
/// Bits by which one character must fit better than all others in place of a lost byte.
const ONLY: f32 = 3.0;
/// Bits that a letter whose last byte became a space costs inside a word.
const WITHIN: f32 = 2.5;
/// Characters on both sides of damage that it is judged by.
pub(super) const AROUND: usize = 24;
/// Characters before damage in which a quotation mark is looked for that is open.
const QUOTED: usize = 128;

/// How a part of a text was damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mistake {
    /// UTF-8 was read in a charset of one byte.
    Single(Set),
    /// UTF-8 was read as GB18030.
    Gb,
    /// Text in this one of [`swapped::charsets`] was read as windows-1252.
    Swapped(usize),
}

impl Mistake {
    /// All that there are, in the order of their numbers.
    fn all() -> impl Iterator<Item = Self> {
        let of_utf8 = Set::all().map(Self::Single).chain([Self::Gb]);
        of_utf8.chain((0..swapped::charsets().len()).map(Self::Swapped))
    }

    /// Those that may have made a text of UTF-8, by the first two bytes of its sequences.
    fn possible(text: &[CodePoint]) -> impl Iterator<Item = Self> {
        Set::of(possible(text)).map(Self::Single).chain([Self::Gb])
    }

    /// Its number among all.
    fn index(self) -> usize {
        match self {
            Self::Single(set) => usize::from(set.0),
            Self::Gb => COUNT,
            Self::Swapped(index) => COUNT + 1 + index,
        }
    }

    pub(super) fn sequences(self, text: &[CodePoint]) -> Vec<Sequence> {
        match self {
            Self::Single(set) => sequences(text, set),
            Self::Gb => gb::sequences(text),
            Self::Swapped(_) => Vec::new(),
        }
    }

    /// Whether a text has the same sequences as in another charset, because it is the same bytes and none of them was lost.
    fn is_alike(self, other: Self, text: &[CodePoint]) -> bool {
        let (Self::Single(one), Self::Single(other)) = (self, other) else { return false };
        let is_same = |cp: &CodePoint| {
            let entry = entry(*cp);
            *cp != SPACE && *cp != REPLACEMENT_CHARACTER && entry.byte(one) == entry.byte(other)
        };
        text.iter().all(is_same)
    }

    /// Whether a character beyond ASCII is bytes in the charset that UTF-8 was read in.
    fn has(self, cp: CodePoint) -> bool {
        match self {
            Self::Single(set) => entry(cp).byte(set).is_some(),
            Self::Gb => gb::is_ideograph(cp),
            Self::Swapped(_) => false,
        }
    }

    /// Whether sequences explain a word: where its bytes were read in a charset, all characters of the word that are in the
    /// charset are UTF-8. What is left would be half a word. Only marks that are typed next to a word may be left.
    fn explains(self, part: Part<'_>, found: &[Sequence]) -> bool {
        let Part { before, own, after, .. } = part;
        let ends = found.iter().map(|sequence| sequence.range.end);
        let starts = found.iter().map(|sequence| sequence.range.start);
        let gaps = [0].into_iter().chain(ends).zip(starts.chain([own.len()]));
        let left = gaps.map(|(end, start)| &own[end..start]);
        !left.chain([before, after]).any(|left| self.has_rest(left))
    }

    /// Whether what is left of a word is a part of it: a character of the charset that is no mark next to it, or is with the
    /// one after it the bytes of a letter that no language of the model has, as `“•` is ҥ in Mac Roman.
    fn has_rest(self, left: &[CodePoint]) -> bool {
        let begins = |cp: CodePoint, next: Option<&CodePoint>| match (self, next) {
            (Self::Single(set), Some(next)) => {
                Set::of(beginning([0; 2], cp, *next)).any(|other| other == set)
            }
            _ => false,
        };
        let is_rest = |(at, cp): (usize, &CodePoint)| {
            *cp >= 0x80 && self.has(*cp) && (!is_beside_words(*cp) || begins(*cp, left.get(at + 1)))
        };
        left.iter().enumerate().any(is_rest)
    }

    /// Whether a part may be what it makes of sound text.
    pub(super) fn may_have_made(self, part: Part<'_>) -> bool {
        let found = self.sequences(part.own);
        !found.is_empty() && self.explains(part, &found)
    }

    /// Whether characters can not all be what it makes of UTF-8: a charset has no control code where it has a sign, so both
    /// are not of one charset.
    fn is_ruled_out(self, own: &[CodePoint], found: &[Sequence]) -> bool {
        let Self::Single(set) = self else { return false };
        let mut all = found.iter().flat_map(|sequence| &own[sequence.range.clone()]);
        let is_sign =
            |cp: &CodePoint| *cp >= 0xA0 && entry(*cp).byte(set).is_some_and(|byte| byte < 0xA0);
        all.clone().any(is_sign) && all.any(|cp| set.has_sign_for(*cp))
    }

    /// What it costs, in bits, as long as none was found.
    fn penalty(self) -> f32 {
        match self {
            Self::Single(set) => DAMAGED + set.rarity(),
            Self::Gb => DAMAGED + GB,
            Self::Swapped(index) => SWAPPED + RARITY * swapped::charsets()[index].rarity,
        }
    }

    /// What the bytes were in, and what they were read in.
    pub(super) fn encodings(self) -> (&'static Encoding, &'static Encoding) {
        match self {
            Self::Single(set) => (Encoding::UTF_8, set.encoding()),
            Self::Gb => (Encoding::UTF_8, gb::encoding()),
            Self::Swapped(index) => (swapped::charsets()[index].encoding, Encoding::WINDOWS_1252),
        }
    }
}

/// A reading of a cluster.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// What it costs with the words around it, in bits.
    pub(super) cost: f32,
    /// What the next best reading costs that is another text.
    pub(super) next: f32,
    pub(super) text: Vec<CodePoint>,
    /// The mistakes, the last one first.
    pub(super) mistakes: Vec<Mistake>,
    /// Others that the last one may have been: relatives read most bytes alike.
    pub(super) relatives: Vec<Mistake>,
}

/// What the evidence for a mistake comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Stance {
    /// Whether it is usual in the text.
    is_usual: bool,
    /// What it costs in bits as the first layer and below others.
    penalty: [f32; 2],
}

impl Stance {
    /// Weighs the bits gained by repairing a mistake, and those of the one that gained most.
    fn of(mistake: Mistake, support: f32, most: f32) -> Self {
        // One text was mostly damaged in one way.
        let unlike = match most > USUAL {
            true if support < most / 8.0 => UNLIKE,
            true if support < most => UNLIKE / 2.0,
            _ => 0.0,
        };
        let first = mistake.penalty();
        let less = |penalty: f32| penalty - (support * SHARE).min(penalty - 1.0);
        let penalty = [less(first) + unlike, less(first - DAMAGED / 2.0)];
        Self { is_usual: support > USUAL, penalty }
    }
}

/// What was found in a text so far, which makes the same likelier in the rest.
pub(super) struct Evidence {
    /// All mistakes, with the bits gained by repairing each, and what these come to.
    mistakes: Vec<(Mistake, f32, Stance)>,
    /// The numbers of those that were found, and the most bits that one gained.
    found: Vec<usize>,
    most: f32,
    /// Letters of each script in what was found, by the number of its bit.
    letters: [u32; u32::BITS as usize],
    /// The scripts, a bit each, that are known, and those of which two letters were found.
    scripts: u32,
    seen: u32,
    /// How often anything changed but the bits gained.
    pub(super) changes: u64,
    /// Whether anything is taken for damage that may be some, in order to find what cannot be.
    is_overwhelming: bool,
}

impl Default for Evidence {
    fn default() -> Self {
        Self::new(0.0)
    }
}

impl Evidence {
    fn new(support: f32) -> Self {
        let of = |mistake| (mistake, support, Stance::of(mistake, support, support));
        Self {
            mistakes: Mistake::all().map(of).collect(),
            found: Vec::new(),
            most: support,
            letters: [0; u32::BITS as usize],
            scripts: 0,
            seen: 0,
            changes: 0,
            is_overwhelming: false,
        }
    }

    /// More than any text has, for all mistakes: what is not damaged in its light is not damaged anywhere.
    pub(super) fn overwhelming() -> Self {
        let all = models().iter().fold(0, |all, model| all | model.script.bit());
        Self { is_overwhelming: true, scripts: all, seen: all, ..Self::new(f32::INFINITY) }
    }

    /// Returns what was learned of a mistake.
    pub(super) fn of(&self, mistake: Mistake) -> Known {
        let is_usual = self.is_usual(mistake);
        let least = if is_usual { CLEARLY_USUAL } else { CLEARLY };
        Known { penalty: self.penalty(mistake, 0), least, is_usual }
    }

    /// Whether much text in one charset was found that was read in another.
    pub(super) fn has_foreign(&self) -> bool {
        let is_foreign = |mistake| matches!(mistake, Mistake::Swapped(_));
        self.mistakes.iter().any(|(mistake, _, stance)| stance.is_usual && is_foreign(*mistake))
    }

    /// Whether a reading that gains so many bits is clear enough.
    pub(super) fn suffices(&self, found: &Candidate, gain: f32) -> bool {
        let is_usual = found.mistakes.iter().all(|mistake| self.is_usual(*mistake));
        gain >= if is_usual { CLEARLY_USUAL } else { CLEARLY }
    }

    /// Remembers a reading, which gains so many bits.
    pub(super) fn add(&mut self, found: &Candidate, gain: f32) {
        let was_usual = self.most > USUAL;
        let mistakes = found.mistakes.iter().map(|mistake| (mistake, gain));
        let relatives = found.relatives.iter().map(|mistake| (mistake, gain * RELATIVE));
        for (mistake, gain) in mistakes.chain(relatives) {
            let support = &mut self.mistakes[mistake.index()].1;
            if *support == 0.0 {
                self.found.push(mistake.index());
            }
            *support += gain;
            self.most = self.most.max(*support);
        }
        // To what was never found, it only matters whether something is usual.
        if !was_usual && self.most > USUAL {
            self.found = (0..self.mistakes.len()).collect();
        }
        let mut is_changed = false;
        for index in &self.found {
            let (mistake, support, stance) = &mut self.mistakes[*index];
            let now = Stance::of(*mistake, *support, self.most);
            is_changed |= now != *stance;
            *stance = now;
        }
        self.found.retain(|index| self.mistakes[*index].1 > 0.0);
        for script in found.text.iter().filter_map(|cp| Script::of(*cp)) {
            let script = script.bit();
            // Of what is known, no more letters are needed.
            if self.scripts & script != 0 {
                continue;
            }
            let count = &mut self.letters[script.trailing_zeros() as usize];
            *count += 1;
            is_changed |= *count == 2 || *count > KNOWN;
            self.seen |= if *count > 1 { script } else { 0 };
            self.scripts |= if *count > KNOWN { script } else { 0 };
        }
        self.changes += u64::from(is_changed);
    }

    pub(super) fn is_usual(&self, mistake: Mistake) -> bool {
        self.mistakes[mistake.index()].2.is_usual
    }

    /// Whether anything was found of a mistake.
    fn found(&self, mistake: Mistake) -> bool {
        self.mistakes[mistake.index()].1 > 0.0
    }

    fn has_seen(&self, letters: Letters) -> bool {
        letters.bit() & self.seen != 0
    }

    fn knows(&self, letters: Letters) -> bool {
        letters.bit() & self.scripts != 0
    }

    /// Returns what a mistake costs, in bits: the less, the more was found of it.
    fn penalty(&self, mistake: Mistake, layers: u32) -> f32 {
        self.mistakes[mistake.index()].2.penalty[layers.min(1) as usize]
    }

    /// Returns what it costs, in bits, that a reading has but single letters of another script, is but one letter, or
    /// a sign in place of signs, if the mistake is usual or not.
    fn alone(&self, is_usual: bool, text: &[CodePoint], part: Part<'_>) -> f32 {
        let Part { before, own, after, .. } = part;
        let script = |cp: &CodePoint| Script::of(*cp);
        if part.has_accent_elsewhere(text) {
            return NEVER;
        }
        if let Some(one) = part.new_letters_alone(text) {
            let around = before.iter().chain(after).any(|cp| Letters::of(*cp) == Some(one));
            return if around || self.knows(one) {
                0.0
            } else if (own.len() == 2 || one == Letters::Rare) && !self.has_seen(one) {
                // Two characters are a letter of any script by chance, three one of a script that hardly any text has.
                NEVER
            } else if is_usual {
                ALONE_USUAL
            } else {
                ALONE
            };
        }
        if is_usual {
            return 0.0;
        }
        // A word of one letter: `В ` is what became of a no-break space in windows-1251.
        let is_word = |cp: &CodePoint| script(cp).is_some_and(|script| script != Script::Latin);
        let is_space = text.iter().all(|cp| matches!(cp, 0x20 | 0xA0));
        if is_space && own.iter().any(is_word) {
            return ALONE;
        }
        if letters_of(own) + letters_of(text) == 0 {
            return SIGNS;
        }
        let letters = letters_of(before) + letters_of(text) + letters_of(after);
        if letters == 1 && letters_of(text) == 1 { ONE_LETTER } else { 0.0 }
    }
}

/// The script of a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Letters {
    In(Script),
    /// One in which no language of the model is written, such as Thaana.
    Rare,
}

impl Letters {
    fn of(cp: CodePoint) -> Option<Self> {
        let is_rare = |cp: &CodePoint| {
            // Syriac to Samaritan: their marks tell of them too.
            *cp >= 0x530 && is_letter(*cp) || matches!(cp, 0x700..0x900)
        };
        Script::of(cp).map(Self::In).or_else(|| Some(cp).filter(is_rare).map(|_| Self::Rare))
    }

    /// Returns a bit of its own.
    fn bit(self) -> u32 {
        match self {
            Self::In(script) => script.bit(),
            Self::Rare => 1 << 31,
        }
    }

    /// Whether one word may have letters of both.
    fn goes_with(self, other: Self) -> bool {
        let (Self::In(one), Self::In(other)) = (self, other) else { return false };
        one.includes(other) || other.includes(one)
    }
}

/// A part of a text that may be damaged, and the words around it by which it is judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    before: &'a [CodePoint],
    own: &'a [CodePoint],
    after: &'a [CodePoint],
    /// The quotation mark that is open before it.
    open: Option<CodePoint>,
}

impl<'a> Part<'a> {
    /// Returns the parts of a text at these places.
    pub(super) fn all(text: &'a [CodePoint], ranges: &[Range<usize>]) -> Vec<Self> {
        let opening = |at: &usize| opens(text[*at]) && (*at == 0 || begins_word(text[*at - 1]));
        let openings: Vec<usize> = (0..text.len()).filter(opening).collect();
        let of = |range: &Range<usize>| {
            // What is before the window is not known: it may begin inside a quotation.
            let start = range.start.saturating_sub(QUOTED);
            let after = openings.partition_point(|opening| *opening < start);
            let first = openings.get(after).copied().unwrap_or(range.start).min(range.start);
            let first = if opens(text[start]) { start } else { first };
            Self::of(text, range, open_quotation(None, &text[first..range.start]))
        };
        ranges.iter().map(of).collect()
    }

    fn of(text: &'a [CodePoint], range: &Range<usize>, open: Option<CodePoint>) -> Self {
        let is_near = |cp: &&CodePoint| is_near(**cp);
        let left = text[..range.start].iter().rev().take(AROUND).take_while(is_near).count();
        let right = text[range.end..].iter().take(AROUND).take_while(is_near).count();
        Self {
            before: &text[range.start - left..range.start],
            own: &text[range.clone()],
            after: &text[range.end..range.end + right],
            open,
        }
    }

    /// Writes what tells it from all others.
    pub(super) fn write_key(self, key: &mut Vec<CodePoint>) {
        const BORDER: CodePoint = CodePoint::MAX;
        key.clear();
        key.push(self.open.unwrap_or(0));
        key.extend_from_slice(self.before);
        key.push(BORDER);
        key.extend_from_slice(self.own);
        key.push(BORDER);
        key.extend_from_slice(self.after);
    }

    /// Returns the first script of a text that none of its own characters is in, if no two letters in such a script stand
    /// next to each other.
    fn new_letters_alone(self, text: &[CodePoint]) -> Option<Letters> {
        let own = self.own.iter().filter_map(|cp| Letters::of(*cp));
        let own = own.fold(0, |own, letters| own | letters.bit());
        let (mut first, mut before) = (None, None);
        for cp in text {
            let new = Letters::of(*cp).filter(|letters| letters.bit() & own == 0);
            if before.is_some() && new.is_some() {
                return None;
            }
            first = first.or(new);
            before = new;
        }
        first
    }

    /// Whether a reading has an accent of Hebrew or Arabic that no letter of its script stands before.
    fn has_accent_elsewhere(self, text: &[CodePoint]) -> bool {
        let is_accent = |cp: CodePoint| matches!(cp, 0x591..=0x5BD | 0x610..=0x61A | 0x64B..=0x65F);
        let before = self.before.last().into_iter().chain(text);
        before
            .zip(text.get(usize::from(self.before.is_empty())..).unwrap_or_default())
            .any(|(before, cp)| is_accent(*cp) && Script::of(*before) != Script::of(*cp))
    }

    /// Whether a reading has a control code that was none, or an accent that no letter stands before.
    fn has_mark_alone(self, text: &[CodePoint]) -> bool {
        let is_accent = |cp: CodePoint| matches!(cp, 0x300..=0x36F);
        let before = [self.before.last().copied().unwrap_or(0x20)];
        let before = before.iter().chain(text);
        before.zip(text).any(|(before, cp)| {
            is_accent(*cp) && !is_letter(*before) && !is_accent(*before)
                || matches!(cp, 0x80..0xA0) && !self.own.contains(cp)
        })
    }

    /// Returns the character at a place after the start of its own, which may be after their end.
    fn at(self, place: usize) -> CodePoint {
        self.own.iter().chain(self.after).nth(place).copied().unwrap_or(0x20)
    }

    /// Returns the two characters before a place of its own, the nearer one last.
    fn before(self, place: usize) -> [CodePoint; 2] {
        let mut before = self.own[..place].iter().rev().chain(self.before.iter().rev()).copied();
        let nearest = before.next().unwrap_or(0x20);
        [before.next().unwrap_or(0x20), nearest]
    }

    /// Whether sequences take the mark that closes a quotation: the mark that opened it is not damaged, so this one is not
    /// either, nor is the no-break space before it.
    fn closes_quotation(self, found: &[Sequence]) -> bool {
        let begins = |pair: &[CodePoint]| begins_word(pair[0]) && opens(pair[1]);
        if self.open.is_none() && !opens(self.own[0]) && !self.own.windows(2).any(begins) {
            return false;
        }
        found.iter().any(|Sequence { range, .. }| {
            let Some(open) = open_quotation(self.open, &self.own[..range.start]) else {
                return false;
            };
            let [last, next, after_next] =
                [range.end - 1, range.end, range.end + 1].map(|place| self.at(place));
            closes(open, last) && !is_letter(next)
                || last == 0xA0 && closes(open, next) && !is_letter(after_next)
        })
    }

    /// Whether all that looks damaged is a letter and a sign that both are right where they stand, as in `SLÅ²`, `5 Å·s` or
    /// `Γ’s`. Then nothing says that they are one character.
    fn is_sound_pair(self, found: &[Sequence]) -> bool {
        let [sequence @ Sequence { range, .. }] = found else { return false };
        let [lead, sign] = self.own[range.clone()] else { return false };
        // What follows a letter that means nothing by itself, as `Â` in `Â²`, is what was meant.
        let mut readings = sequence.readings().map(|reading| reading.text.characters());
        if !is_letter(lead) || readings.clone().any(|text| text == [sign]) {
            return false;
        }
        let [second, before] = self.before(range.start);
        let next = self.at(range.end);
        let is_capital = is_upper(lead) && is_upper(before);
        // After one capital, a small letter would go on the word as usual: `SÃ³` is `Só`.
        let is_capital_meant = readings.any(|text| text.iter().any(|cp| is_upper(*cp)));
        let is_in_capitals = is_capital && (is_upper(second) || is_capital_meant);
        let is_unit = matches!(before, 0x30..=0x39);
        // A letter of Western Europe begins a word of one letter only by damage.
        let is_symbol = !is_letter(before) && entry(lead).byte(Set::WESTERN).is_none();
        let is_right = is_in_capitals || is_unit || is_symbol;
        if is_symbol && sign >= 0x80 && !is_letter(sign) && !is_letter(next) {
            return true;
        }
        match sign {
            0xA0 => is_right && !(is_in_capitals && is_upper(next)),
            0xB7 => is_right,
            0xB2 | 0xB3 | 0xB9 => is_right && !is_lower(next),
            // An apostrophe with an ending: one letter, or small ones after capitals.
            0x2019 if is_letter(next) => {
                let is_ending = is_lower(next) || !is_letter(self.at(range.end + 1));
                is_symbol || is_capital && is_ending
            }
            _ => false,
        }
    }

    /// Whether letters of two scripts would stand next to each other, of which one is Latin beyond ASCII or none is: a brand
    /// may be `iФирма`, but no word is `盵ª`.
    fn mixes_scripts(self, text: &[CodePoint]) -> bool {
        let is_mixed = |pair: &[CodePoint]| {
            if pair.iter().any(|cp| *cp < 0x80) {
                return false;
            }
            let (Some(one), Some(other)) = (Letters::of(pair[0]), Letters::of(pair[1])) else {
                return false;
            };
            one != other && !one.goes_with(other) && pair.iter().all(|cp| is_letter(*cp))
        };
        let near = |cp: Option<&CodePoint>| cp.copied().unwrap_or(0x20);
        let first = [near(self.before.last()), near(text.first())];
        let last = [near(text.last()), near(self.after.first())];
        is_mixed(&first) || is_mixed(&last) || text.windows(2).any(is_mixed)
    }

    /// Returns the words with another text in place of its own.
    fn with(self, own: &[CodePoint]) -> Vec<CodePoint> {
        [self.before, own, self.after].concat()
    }
}

/// Bits, by which halve the chances that the next best reading is the right one, and that the text is sound; what both are
/// without any.
const HALVES_APART: f32 = 4.0;
const HALVES_GAIN: f32 = 6.0;
const WRONG_APART: f32 = 0.1;
const WRONG_GAIN: f32 = 0.2;
/// Bits of both from which on nothing is surer: that 99 % are right.
const CERTAIN: f32 = 48.0;
/// Bits of the gain that are no evidence for a mistake whose signs short text has by chance.
const RARE: f32 = 2.0;
/// The same for a charset that hardly any text is in: a word or two may be a word in one of many such charsets by chance, and
/// no other text shows that it is this one.
const RARE_CHARSET: f32 = 26.0;
/// Bits for a character above which a text is not in any language of the model, so that what fits better says little; and
/// what each of them takes from the distance to the next best reading.
const UNREADABLE: f32 = 10.0;
const NOISE: f32 = 2.0;

impl Judge<'_> {
    /// Returns how sure a reading of a part is that gains so many bits.
    pub(super) fn sureness(&mut self, part: Part<'_>, found: &Candidate, gain: f32) -> f32 {
        let Candidate { cost, next, text, mistakes, .. } = found;
        let is_usual = mistakes.iter().all(|mistake| self.evidence.is_usual(*mistake));
        let rare = |mistake: &Mistake| match *mistake {
            mistake if self.evidence.is_usual(mistake) => 0.0,
            Mistake::Single(set) if set.needs_more() => RARE,
            Mistake::Swapped(index) if swapped::charsets()[index].needs_more() => RARE_CHARSET,
            _ => 0.0,
        };
        let rare: f32 = mistakes.iter().map(rare).sum();
        // Signs are in no language.
        let noise = if is_usual || letters_of(text) == 0 {
            0.0
        } else {
            let text = part.with(text);
            NOISE * (self.scale.cost(&text) / text.len() as f32 - UNREADABLE).max(0.0)
        };
        let apart = next - cost - noise;
        let gain = gain - rare + if is_usual { CLEARLY - CLEARLY_USUAL } else { 0.0 };
        if apart >= CERTAIN && gain >= CERTAIN {
            return 1.0;
        }
        let wrong =
            |first: f32, halves: f32, bits: f32| first * libm::exp2f(-bits.max(-halves) / halves);
        1.0 - wrong(WRONG_APART, HALVES_APART, apart).max(wrong(WRONG_GAIN, HALVES_GAIN, gain))
    }
}

/// Weighs the readings of a part.
pub(super) struct Judge<'a> {
    pub(super) scale: &'a mut Scale,
    pub(super) evidence: &'a Evidence,
}

impl Judge<'_> {
    /// Returns what a part was, with the bits gained, if it is damaged.
    pub(super) fn judge(&mut self, part: Part<'_>) -> Option<(Candidate, f32)> {
        // Damage that was repaired is shorter: real text needs less.
        let mut budget = 4096 + 64 * part.own.len();
        let best = self.best(part, 0, &mut budget)?;
        let own = part.with(part.own);
        let mut gain = self.scale.cost_of_any(&own) - best.cost;
        let is_foreign = |letters: Letters| letters != Letters::In(Script::Latin);
        if self.evidence.suffices(&best, gain)
            && part.new_letters_alone(&best.text).is_some_and(is_foreign)
        {
            // Letters of ASCII cost less in languages that have few: that says nothing for a reading in one.
            let reading = part.with(&best.text);
            gain = gain.min(self.scale.cost_beside(&own, &reading) - best.cost);
        }
        self.evidence.suffices(&best, gain).then_some((best, gain))
    }

    /// Returns the cheapest reading of damaged text.
    fn best(&mut self, part: Part<'_>, layers: u32, budget: &mut usize) -> Option<Candidate> {
        // Relatives read most bytes alike.
        let mut readings: Vec<(Vec<CodePoint>, Vec<Mistake>)> = Vec::new();
        let mut known: Vec<(Mistake, Vec<Sequence>)> = Vec::new();
        for mistake in Mistake::possible(part.own) {
            let alike = known.iter().position(|(other, _)| mistake.is_alike(*other, part.own));
            let place = alike.unwrap_or_else(|| {
                known.push((mistake, mistake.sequences(part.own)));
                known.len() - 1
            });
            let found = &known[place].1;
            let explains = self.evidence.is_overwhelming || mistake.explains(part, found);
            if found.is_empty() || !explains || mistake.is_ruled_out(part.own, found) {
                continue;
            }
            let is_sound = layers == 0
                && (part.closes_quotation(found)
                    || part.is_sound_pair(found) && !self.evidence.found(mistake));
            if is_sound {
                continue;
            }
            let text = self.read(part, found);
            match readings.iter_mut().find(|(known, _)| *known == text) {
                Some((_, mistakes)) => mistakes.push(mistake),
                None => readings.push((text, vec![mistake])),
            }
        }
        let mut best: Option<Candidate> = None;
        for (text, mistakes) in readings {
            let mut alone = [None; 2];
            let penalty = |mistake: Mistake| {
                let is_usual = self.evidence.is_usual(mistake);
                let of = || self.evidence.alone(is_usual, &text, part);
                let alone = *alone[usize::from(is_usual)].get_or_insert_with(of);
                (self.evidence.penalty(mistake, layers) + alone, mistake)
            };
            let mut mistakes: Vec<_> = mistakes.into_iter().map(penalty).collect();
            mistakes.sort_by(|one, other| one.0.total_cmp(&other.0));
            let (penalty, mistake) = mistakes.remove(0);
            let relatives = mistakes.into_iter().map(|(_, mistake)| mistake).collect();
            let is_no_text = part.has_mark_alone(&text)
                || !self.evidence.is_overwhelming && part.mixes_scripts(&text);
            // What is ruled out need not be weighed.
            let cost = match is_no_text || penalty >= NEVER {
                true => NEVER,
                false => self.scale.cost(&part.with(&text)) + penalty,
            };
            let mistakes = vec![mistake];
            let candidate = Candidate { cost, next: f32::INFINITY, text, mistakes, relatives };
            *budget = budget.saturating_sub(candidate.text.len());
            let inner = Part { own: &candidate.text, ..part };
            if layers + 1 < LAYERS
                && *budget > 0
                && let Some(deeper) = self.best(inner, layers + 1, budget)
            {
                let relatives = candidate.relatives.clone();
                let mistakes = [mistake].into_iter().chain(deeper.mistakes).collect();
                let (cost, next) = (deeper.cost + penalty, deeper.next + penalty);
                best = better(best, Candidate { cost, next, mistakes, relatives, ..deeper });
            }
            best = better(best, candidate);
        }
        best
    }

    /// Returns the text with these sequences read.
    fn read(&mut self, part: Part<'_>, found: &[Sequence]) -> Vec<CodePoint> {
        let Part { before, own, after, .. } = part;
        let mut text = Vec::with_capacity(own.len());
        let mut at = 0;
        for (index, sequence) in found.iter().enumerate() {
            text.extend_from_slice(&own[at..sequence.range.start]);
            at = sequence.range.end;
            let mut reading = &sequence.reading;
            if !sequence.others.is_empty() {
                // The next sequence as usual, and some characters more.
                let mut rest = Vec::new();
                let mut from = at;
                for next in found[index + 1..].iter().take(2) {
                    rest.extend_from_slice(&own[from..next.range.start]);
                    rest.extend_from_slice(next.reading.text.characters());
                    from = next.range.end;
                }
                rest.extend(own[from..].iter().chain(after).take(6));
                let near: Vec<_> = before.iter().chain(&text).copied().collect();
                let near = &near[near.len().saturating_sub(8)..];
                let mut cost = |reading: &Reading| {
                    let space = reading.keeps_space.then_some(0x20);
                    let own: Vec<_> =
                        reading.text.characters().iter().copied().chain(space).collect();
                    let cost = self.scale.cost(&[near, &own, &rest].concat());
                    let goes_on = rest.first().is_some_and(|cp| is_letter(*cp));
                    // Most words end with such a letter.
                    let inside = !reading.keeps_space && !sequence.is_cut && goes_on;
                    if inside { cost + WITHIN } else { cost }
                };
                let (mut least, mut next) = (cost(reading), f32::INFINITY);
                for other in &sequence.others {
                    let cost = cost(other);
                    if cost < least {
                        (reading, next, least) = (other, least, cost);
                    } else {
                        next = next.min(cost);
                    }
                }
                // A byte was lost, and several characters fit.
                if sequence.is_cut && next - least < ONLY {
                    text.push(REPLACEMENT_CHARACTER);
                    continue;
                }
            }
            text.extend_from_slice(reading.text.characters());
            if reading.keeps_space {
                text.push(0x20);
            }
        }
        text.extend_from_slice(&own[at..]);
        text
    }
}

/// Returns the cheaper one of two readings, which knows what the other one costs.
fn better(one: Option<Candidate>, other: Candidate) -> Option<Candidate> {
    let Some(one) = one else { return Some(other) };
    let (best, worse) = if other.cost < one.cost { (other, one) } else { (one, other) };
    let next = if worse.text == best.text { worse.next } else { worse.cost };
    Some(Candidate { next: best.next.min(next), ..best })
}

fn letters_of(text: &[CodePoint]) -> usize {
    text.iter().filter(|cp| is_letter(**cp)).count()
}

/// Returns the quotation mark that is open at the end of a text, at whose start `open` is. A mark that begins a word is not
/// damaged: in damaged text, the rest of a character stands before it.
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

/// Whether a word begins after a character.
fn begins_word(before: CodePoint) -> bool {
    before < 0x80 && !is_of_word(before)
}

fn opens(cp: CodePoint) -> bool {
    matches!(cp, 0xAB | 0xBB | 0x2018 | 0x201A | 0x201C..=0x201E | 0x2039 | 0x203A)
}

/// Whether a quotation mark closes what another one opened, in any language.
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

/// Whether a character is a mark that stands next to words: a quotation mark, a dash, an ellipsis or a blank.
fn is_beside_words(cp: CodePoint) -> bool {
    matches!(cp, 0..0x80 | 0xA0 | 0xAB | 0xBB | 0x2010..=0x2026 | 0x2039 | 0x203A | 0x3000..=0x301F)
}

/// Whether a character may stand inside a word.
pub(super) fn is_of_word(cp: CodePoint) -> bool {
    cp >= 0x80 || cp == 0x27 || is_letter(cp)
}

/// Whether a character is of the words around a part.
pub(super) fn is_near(cp: CodePoint) -> bool {
    is_of_word(cp) || matches!(cp, 0x30..=0x39)
}

fn is_upper(cp: CodePoint) -> bool {
    char::from_u32(cp).is_some_and(char::is_uppercase)
}

fn is_lower(cp: CodePoint) -> bool {
    char::from_u32(cp).is_some_and(char::is_lowercase)
}
