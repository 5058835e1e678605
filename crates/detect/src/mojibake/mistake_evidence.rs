//! What was found in a text so far: the same is likelier in the rest.

use super::foreign::CharsetPrior;
use super::mistake::{DAMAGED, Mistake, PartReading};
use super::suspect_part::{LetterScript, SuspectPart, letters_of};
use crate::language::{Script, models};
use oxiconv_encodings::unicode::CodePoint;

/// Bits by which a reading must be cheaper, and if its mistake is usual in the text.
pub(super) const CLEARLY: f32 = 6.0;
pub(super) const CLEARLY_USUAL: f32 = 2.0;
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
pub(super) const NEVER: f32 = 1e6;
/// Letters of a script that make it one of the text.
const KNOWN: u32 = 8;

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
    fn of(mistake: Mistake, gained: f32, most: f32) -> Self {
        // One text was mostly damaged in one way.
        let unlike = match most > USUAL {
            true if gained < most / 8.0 => UNLIKE,
            true if gained < most => UNLIKE / 2.0,
            _ => 0.0,
        };
        let first = mistake.penalty();
        let less = |penalty: f32| penalty - (gained * SHARE).min(penalty - 1.0);
        let penalty = [less(first) + unlike, less(first - DAMAGED / 2.0)];
        Self { is_usual: gained > USUAL, penalty }
    }
}

/// What is known of a mistake.
struct Support {
    mistake: Mistake,
    /// The bits gained by repairing it.
    gained: f32,
    stance: Stance,
}

/// What was found in a text so far, which makes the same likelier in the rest.
pub(super) struct MistakeEvidence {
    /// What is known of each mistake, by its number.
    mistakes: Vec<Support>,
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
    pub(super) is_overwhelming: bool,
}

impl Default for MistakeEvidence {
    fn default() -> Self {
        Self::new(0.0)
    }
}

impl MistakeEvidence {
    fn new(gained: f32) -> Self {
        let of = |mistake| Support { mistake, gained, stance: Stance::of(mistake, gained, gained) };
        Self {
            mistakes: Mistake::all().map(of).collect(),
            found: Vec::new(),
            most: gained,
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
    pub(super) fn of(&self, mistake: Mistake) -> CharsetPrior {
        let is_usual = self.is_usual(mistake);
        let least = if is_usual { CLEARLY_USUAL } else { CLEARLY };
        CharsetPrior { penalty: self.penalty(mistake, 0), least, is_usual }
    }

    /// Whether much text in one charset was found that was read in another.
    pub(super) fn has_foreign(&self) -> bool {
        let is_foreign = |mistake| matches!(mistake, Mistake::Swapped(_));
        self.mistakes.iter().any(|it| it.stance.is_usual && is_foreign(it.mistake))
    }

    /// Whether a reading that gains so many bits is clear enough.
    pub(super) fn suffices(&self, found: &PartReading, gain: f32) -> bool {
        let is_usual = found.mistakes.iter().all(|mistake| self.is_usual(*mistake));
        gain >= if is_usual { CLEARLY_USUAL } else { CLEARLY }
    }

    /// Remembers a reading, which gains so many bits.
    pub(super) fn add(&mut self, found: &PartReading, gain: f32) {
        let was_usual = self.most > USUAL;
        let mistakes = found.mistakes.iter().map(|mistake| (mistake, gain));
        let relatives = found.relatives.iter().map(|mistake| (mistake, gain * RELATIVE));
        for (mistake, gain) in mistakes.chain(relatives) {
            let Support { gained, .. } = &mut self.mistakes[mistake.index()];
            if *gained == 0.0 {
                self.found.push(mistake.index());
            }
            *gained += gain;
            self.most = self.most.max(*gained);
        }
        // To what was never found, it only matters whether something is usual.
        if !was_usual && self.most > USUAL {
            self.found = (0..self.mistakes.len()).collect();
        }
        let mut is_changed = false;
        for index in &self.found {
            let Support { mistake, gained, stance } = &mut self.mistakes[*index];
            let now = Stance::of(*mistake, *gained, self.most);
            is_changed |= now != *stance;
            *stance = now;
        }
        self.found.retain(|index| self.mistakes[*index].gained > 0.0);
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
        self.mistakes[mistake.index()].stance.is_usual
    }

    /// Whether anything was found of a mistake.
    pub(super) fn found(&self, mistake: Mistake) -> bool {
        self.mistakes[mistake.index()].gained > 0.0
    }

    fn has_seen(&self, letters: LetterScript) -> bool {
        letters.bit() & self.seen != 0
    }

    fn knows(&self, letters: LetterScript) -> bool {
        letters.bit() & self.scripts != 0
    }

    /// Returns what a mistake costs, in bits: the less, the more was found of it.
    pub(super) fn penalty(&self, mistake: Mistake, layers: u32) -> f32 {
        self.mistakes[mistake.index()].stance.penalty[layers.min(1) as usize]
    }

    /// Returns what it costs, in bits, that a reading has but single letters of another script, is but one letter, or
    /// a sign in place of signs, if the mistake is usual or not.
    pub(super) fn alone(&self, is_usual: bool, text: &[CodePoint], part: SuspectPart<'_>) -> f32 {
        let SuspectPart { before, own, after, .. } = part;
        let script = |cp: &CodePoint| Script::of(*cp);
        if part.has_accent_elsewhere(text) {
            return NEVER;
        }
        if let Some(one) = part.new_letters_alone(text) {
            let around = before.iter().chain(after).any(|cp| LetterScript::of(*cp) == Some(one));
            return if around || self.knows(one) {
                0.0
            } else if (own.len() == 2 || one == LetterScript::Rare) && !self.has_seen(one) {
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
