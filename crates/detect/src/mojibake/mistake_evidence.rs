//! What was found in a text so far, which makes the same likelier in the rest.
//!
//! One text was mostly damaged in one way. So every repair makes its mistake cheaper and, once a mistake is usual, all
//! others more expensive:
//!
//! ```text
//! bits saved by repairs of a mistake:   0 ────────────── 40 ──────────►
//! penalty of the mistake:               full, falls by a quarter of each bit, down to 1
//! required lead:                        6 bits            2 bits
//! ```
//!
//! Scripts are learned the same way: a single Cyrillic letter is no evidence in a French text, but it is one after
//! Cyrillic words.
//!
//! Evidence is a sum of bits and not a count of repairs, because a long word says more than a short one. Seven words
//! that each save the least that a repair takes (6 bits) make a mistake usual, and so does one long word.

use std::sync::OnceLock;

use super::double_byte::DoubleByteCharset;
use super::foreign::CharsetPrior;
use super::mistake::{DAMAGED, Mistake, PartReading};
use super::suspect_part::{LetterScript, SuspectPart, count_letters};
use crate::language::{Script, models};
use oxiconv_encodings::unicode::{CodePoint, is_alphabetic};

/// Required lead of a reading over the text as it stands, in bits, and the same if its mistake is usual in the text.
pub(super) const CLEARLY: f32 = 6.0;
pub(super) const CLEARLY_USUAL: f32 = 2.0;
/// A mistake is usual after its repairs have saved this many bits.
const USUAL: f32 = 40.0;
/// How much each bit saved lowers the penalty of the same mistake.
const SHARE: f32 = 0.25;
/// What a mistake costs extra, in bits, if another one is usual. Half of it if this one has saved an eighth as much.
const UNLIKE: f32 = 8.0;
/// The part of each bit saved that counts for mistakes that read the same. Otherwise a relative would cost extra as
/// soon as the other one is usual. When this was added, three whole files in four of ISO-8859-15 came back instead of a
/// half.
const RELATIVE: f32 = 0.25;
/// Penalties, in bits: isolated letters of a new script (and if the mistake is usual), a word of one letter, and a sign
/// that becomes another sign. The last one leaves `┬⌐` as it is, which may be `©`, unless the text has other damage of
/// the same kind.
const ALONE: f32 = 18.0;
const ALONE_USUAL: f32 = 2.0;
const ONE_LETTER: f32 = 11.0;
/// The same for `à`, which is a word. `Ã©` by itself is mostly an example of damage.
const ONE_LETTER_WORD: f32 = 6.0;
const SIGNS: f32 = 6.0;
/// A penalty that rules a reading out.
pub(super) const NEVER: f32 = 1e6;
/// A script is one of the text after this many of its letters.
const KNOWN: u32 = 8;

/// How likely a mistake is, given the evidence.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Stance {
    is_usual: bool,
    /// The penalty in bits, as the outermost layer and below another one.
    penalty: [f32; 2],
}

impl Stance {
    /// Computes the stance from the bits saved by repairing this mistake, and from those of the mistake that saved
    /// most.
    fn of(mistake: Mistake, gained: f32, most: f32) -> Self {
        // One text was mostly damaged in one way, so other mistakes than the usual one are less likely than before.
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

/// The evidence for one mistake.
#[derive(Clone)]
struct Support {
    mistake: Mistake,
    /// Bits saved by repairing it.
    gained: f32,
    stance: Stance,
}

/// The evidence that one text has given so far.
#[derive(Clone)]
pub(super) struct MistakeEvidence {
    /// The evidence for each mistake, by [`Mistake::index`].
    mistakes: Vec<Support>,
    /// The indices of the mistakes that were found, and the most bits that one of them saved.
    found: Vec<usize>,
    most: f32,
    /// Letters of each script in repaired text, by the position of the script's bit.
    letters: [u32; u32::BITS as usize],
    /// The known scripts, and those of which at least two letters were found; bit sets.
    scripts: u32,
    seen: u32,
    /// Counts changes of anything that verdicts depend on. Cached verdicts are valid as long as it stays the same.
    pub(super) changes: u64,
    /// Whether everything that may be damage is taken for it, to find what cannot be.
    pub(super) is_overwhelming: bool,
}

impl Default for MistakeEvidence {
    fn default() -> Self {
        static NONE: OnceLock<MistakeEvidence> = OnceLock::new();
        NONE.get_or_init(|| Self::new(0.0)).clone()
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

    /// Creates more evidence than any text has, for every mistake. What is sound under it is sound in any text.
    pub(super) fn overwhelming() -> Self {
        let all = models().iter().fold(0, |all, model| all | model.script.bit());
        Self { is_overwhelming: true, scripts: all, seen: all, ..Self::new(f32::INFINITY) }
    }

    /// Returns the prior of a mistake, for the judge of words in another charset.
    pub(super) fn of(&self, mistake: Mistake) -> CharsetPrior {
        let is_usual = self.is_usual(mistake);
        let least = if is_usual { CLEARLY_USUAL } else { CLEARLY };
        CharsetPrior { penalty: self.penalty(mistake, 0), least, is_usual }
    }

    /// Whether much text was read in a wrong single-byte charset.
    pub(super) fn has_foreign(&self) -> bool {
        let is_foreign = |mistake| matches!(mistake, Mistake::Swapped(_));
        self.mistakes.iter().any(|it| it.stance.is_usual && is_foreign(it.mistake))
    }

    /// Whether a reading that saves this many bits is clear enough.
    pub(super) fn suffices(&self, found: &PartReading, gain: f32) -> bool {
        let is_usual = found.mistakes.iter().all(|mistake| self.is_usual(*mistake));
        gain >= if is_usual { CLEARLY_USUAL } else { CLEARLY }
    }

    /// Learns from a repaired part, which saves this many bits.
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
        // For mistakes that were never found, only one thing matters: whether any mistake is usual. So until then, only
        // those that were found need updating.
        if !was_usual && self.most > USUAL {
            self.found = (0..self.mistakes.len()).collect();
        }
        // Verdicts are cached until `changes` moves, so it must move if and only if a penalty or a set of scripts did.
        // Once every penalty has reached its minimum, repairs change nothing more, and the cache lasts.
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
            // A known script needs no more letters.
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

    /// Whether it is usual in the text that a charset of two bytes a character was read.
    pub(super) fn is_double_byte_usual(&self) -> bool {
        DoubleByteCharset::all().any(|set| self.is_usual(Mistake::DoubleByte(set)))
    }

    /// Whether a mistake was found at least once.
    pub(super) fn found(&self, mistake: Mistake) -> bool {
        self.mistakes[mistake.index()].gained > 0.0
    }

    fn has_seen(&self, letters: LetterScript) -> bool {
        letters.bit() & self.seen != 0
    }

    fn knows(&self, letters: LetterScript) -> bool {
        letters.bit() & self.scripts != 0
    }

    /// Returns the penalty of a mistake in bits. It falls with the evidence.
    pub(super) fn penalty(&self, mistake: Mistake, layers: u32) -> f32 {
        self.mistakes[mistake.index()].stance.penalty[layers.min(1) as usize]
    }

    /// Returns a penalty, in bits, for a reading that is hardly more than a coincidence: isolated letters of a new
    /// script, a word of one letter, or a sign for other signs. `is_usual` says whether its mistake is usual.
    pub(super) fn coincidence_penalty(
        &self,
        is_usual: bool,
        text: &[CodePoint],
        part: SuspectPart<'_>,
    ) -> f32 {
        let SuspectPart { before, own, after, line, .. } = part;
        let script = |cp: &CodePoint| Script::of(*cp);
        if part.has_misplaced_accent(text) {
            return NEVER;
        }
        // `Γ ` is a symbol, unless the rest of the line shows that it was `à`.
        if part.is_letter_for_a(text) && !part.is_in_line() && !self.is_overwhelming {
            return NEVER;
        }
        if let Some(one) = part.isolated_new_script(text) {
            if part.is_greek_symbol(text, is_usual) {
                return 0.0;
            }
            let near = [line[0], before, after, line[1]];
            let around =
                near.iter().copied().flatten().any(|cp| LetterScript::of(*cp) == Some(one));
            return if around || self.knows(one) {
                0.0
            } else if (own.len() == 2 || one == LetterScript::Rare) && !self.has_seen(one) {
                // Any two characters are a letter of some script by chance, and three are one of a rare script.
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
        // A word of one letter: `В ` is both a Russian preposition with a space and a no-break space read as
        // windows-1251.
        let is_word = |cp: &CodePoint| script(cp).is_some_and(|script| script != Script::Latin);
        let is_space = text.iter().all(|cp| matches!(cp, 0x20 | 0xA0));
        if is_space && own.iter().any(is_word) {
            return ALONE;
        }
        if count_letters(own) + count_letters(text) == 0 {
            let opens_word = matches!(text, [0xA1 | 0xBF]) && count_letters(after) > 0;
            return if opens_word { 0.0 } else { SIGNS };
        }
        let letters = count_letters(before) + count_letters(text) + count_letters(after);
        match text.iter().find(|cp| is_alphabetic(**cp)) {
            Some(0xE0) if letters == 1 => ONE_LETTER_WORD,
            Some(_) if letters == 1 => ONE_LETTER,
            _ => 0.0,
        }
    }
}
