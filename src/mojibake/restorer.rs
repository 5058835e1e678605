//! Finds the damage in a text, and what it was.

use std::collections::BTreeMap;
use std::ops::Range;

use super::foreign::{self, Foreign, Known};
use super::sequences::{Sequence, sequences};
use super::tables::{COUNT, Set};
use super::weigh::Scale;
use super::{gb, swapped};
use crate::encoding::Encoding;
use crate::language::Script;
use crate::unicode::{CodePoint, REPLACEMENT_CHARACTER};

/// The most bytes of a region. A longer line is cut at the last space before, or else between two characters.
pub const REGION: usize = 4096;

/// Characters on both sides of damage that it is judged by.
const AROUND: usize = 24;
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
/// Bits that another mistake than the usual one costs.
const UNLIKE: f32 = 8.0;
/// Bits that a single letter of another script costs, and a word of a single letter.
const ALONE: f32 = 18.0;
const ALONE_USUAL: f32 = 2.0;
const ONE_LETTER: f32 = 11.0;
/// Letters of a script that make it one of the text.
const KNOWN: u32 = 8;
/// Bits by which one character must fit better than all others in place of a lost byte.
const ONLY: f32 = 3.0;
/// Bits that a letter whose last byte became a space costs inside a word.
const WITHIN: f32 = 4.0;

/// A damaged part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// The text that was meant.
    pub meant: String,
    /// The encoding that its bytes were in.
    pub written_in: &'static Encoding,
    /// The charset that they were read in by mistake; the last one, if there were several.
    pub read_as: &'static Encoding,
    /// How many times.
    pub times: u32,
    /// How sure this is, in percent.
    pub confidence: u8,
}

/// Finds the damage in one text, region by region.
pub struct Restorer {
    scale: Scale,
    /// What makes a mistake likelier: bits gained by repairing it so far.
    support: Vec<f32>,
    /// Letters of scripts other than Latin in what was found.
    scripts: BTreeMap<Script, u32>,
    /// The characters before the next region.
    before: Vec<CodePoint>,
}

impl Default for Restorer {
    fn default() -> Self {
        Self {
            scale: Scale::default(),
            support: vec![0.0; COUNT + 1 + swapped::charsets().len()],
            scripts: BTreeMap::new(),
            before: Vec::new(),
        }
    }
}

/// How a part of a text was damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mistake {
    /// UTF-8 was read in a charset of one byte.
    Single(Set),
    /// UTF-8 was read as GB18030.
    Gb,
    /// Text in this one of [`swapped::charsets`] was read as windows-1252.
    Swapped(usize),
}

impl Mistake {
    /// All that UTF-8 may be mistaken for.
    fn of_utf8() -> impl Iterator<Item = Self> {
        Set::all().map(Self::Single).chain([Self::Gb])
    }

    /// Its number among all.
    fn index(self) -> usize {
        match self {
            Self::Single(set) => usize::from(set.0),
            Self::Gb => COUNT,
            Self::Swapped(index) => COUNT + 1 + index,
        }
    }

    fn sequences(self, text: &[CodePoint]) -> Vec<Sequence> {
        match self {
            Self::Single(set) => sequences(text, set),
            Self::Gb => gb::sequences(text),
            Self::Swapped(_) => Vec::new(),
        }
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
    fn encodings(self) -> (&'static Encoding, &'static Encoding) {
        match self {
            Self::Single(set) => (Encoding::UTF_8, set.encoding()),
            Self::Gb => (Encoding::UTF_8, gb::encoding()),
            Self::Swapped(index) => (swapped::charsets()[index].encoding, Encoding::WINDOWS_1252),
        }
    }
}

/// A reading of a cluster.
#[derive(Clone, Debug)]
struct Candidate {
    /// What it costs with the words around it, in bits.
    cost: f32,
    text: Vec<CodePoint>,
    /// The mistakes, the last one first.
    mistakes: Vec<Mistake>,
}

impl Restorer {
    /// Returns the character before the next text.
    pub fn last(&self) -> char {
        self.before.last().copied().and_then(char::from_u32).unwrap_or(' ')
    }

    /// Whether text in one charset was found that was read in another.
    pub fn found_foreign(&self) -> bool {
        self.support[COUNT + 1..].iter().any(|support| *support > USUAL)
    }

    /// Learns the text before the next region.
    pub fn pass(&mut self, text: &str) {
        let start = text.char_indices().rev().nth(AROUND).map_or(0, |(at, _)| at);
        self.before.extend(text[start..].chars().map(CodePoint::from));
        let excess = self.before.len().saturating_sub(AROUND);
        self.before.drain(..excess);
    }

    /// Returns the damaged parts of a region.
    pub fn look(&mut self, region: &str) -> Vec<Damage> {
        let mut text = std::mem::take(&mut self.before);
        let own = text.len();
        text.extend(region.chars().map(CodePoint::from));
        let mut clusters = clusters(&text, own);
        // What is sure first: it makes the same damage likelier in the rest.
        let mut found: Vec<Option<(Candidate, f32)>> = vec![None; clusters.len()];
        for _ in 0..2 {
            for (cluster, found) in clusters.iter().zip(&mut found) {
                if found.is_none() {
                    *found = self.judge(&text, cluster);
                }
            }
        }
        self.look_for_foreign(&text, own, &mut clusters, &mut found);
        let mut offsets: Vec<usize> = region.char_indices().map(|(at, _)| at).collect();
        offsets.push(region.len());
        let damages = clusters.iter().zip(found).filter_map(|(cluster, found)| {
            let (candidate, gain) = found?;
            let before = &text[cluster.clone()];
            let after = &candidate.text;
            let same = |(one, two): &(&CodePoint, &CodePoint)| one == two;
            let front = before.iter().zip(after).take_while(same).count();
            let (before, after) = (&before[front..], &after[front..]);
            let back = before.iter().rev().zip(after.iter().rev()).take_while(same).count();
            let range = cluster.start + front - own..cluster.end - back - own;
            let after = &after[..after.len() - back];
            Some(Damage {
                range: offsets[range.start]..offsets[range.end],
                meant: after.iter().filter_map(|cp| char::from_u32(*cp)).collect(),
                written_in: candidate.mistakes[candidate.mistakes.len() - 1].encodings().0,
                read_as: candidate.mistakes[0].encodings().1,
                times: candidate.mistakes.len() as u32,
                confidence: confidence(gain),
            })
        });
        let damages: Vec<_> = damages.collect();
        // What follows is judged by what was meant.
        let mut at = 0;
        let mut passed = String::new();
        for damage in &damages {
            passed.push_str(&region[at..damage.range.start]);
            passed.push_str(&damage.meant);
            at = damage.range.end;
        }
        passed.push_str(&region[at..]);
        self.pass(&passed);
        damages
    }

    /// Returns what a cluster of `text` was, with the bits gained, if it is damaged.
    fn judge(&mut self, text: &[CodePoint], cluster: &Range<usize>) -> Option<(Candidate, f32)> {
        let is_of_word = |cp: &&CodePoint| is_of_word(**cp) || matches!(**cp, 0x30..=0x39);
        let left = text[..cluster.start].iter().rev().take(AROUND).take_while(is_of_word).count();
        let right = text[cluster.end..].iter().take(AROUND).take_while(is_of_word).count();
        let before = &text[cluster.start - left..cluster.start];
        let after = &text[cluster.end..cluster.end + right];
        let own = &text[cluster.clone()];
        let raw = self.scale.cost_of_any(&joined(before, own, after));
        // Damage that was repaired is shorter: real text needs less.
        let mut budget = 4096 + 64 * own.len();
        let best = self.best(before, own, after, 0, &mut budget)?;
        let gain = raw - best.cost;
        self.accept(best, gain)
    }

    /// Looks for words in another charset. Puts them in the place of the clusters, if they gain more.
    fn look_for_foreign(
        &mut self,
        text: &[CodePoint],
        from: usize,
        clusters: &mut Vec<Range<usize>>,
        found: &mut Vec<Option<(Candidate, f32)>>,
    ) {
        let mut scale = std::mem::take(&mut self.scale);
        let foreign = foreign::judge(&mut scale, text, from, |index| {
            let mistake = Mistake::Swapped(index);
            let is_usual = self.support[mistake.index()] > USUAL;
            let least = if is_usual { CLEARLY_USUAL } else { CLEARLY };
            Known { penalty: self.penalty(mistake, 0), least, is_usual }
        });
        self.scale = scale;
        let Some(Foreign { index, gain, saved, words }) = foreign else { return };
        let overlaps = |range: &Range<usize>| {
            let after = words.partition_point(|(word, _)| word.end <= range.start);
            words.get(after).is_some_and(|(word, _)| word.start < range.end)
        };
        let all = clusters.iter().zip(&*found).filter(|(range, _)| overlaps(range));
        let other: f32 = all.filter_map(|(_, found)| Some(found.as_ref()?.1)).sum();
        if other >= saved {
            return;
        }
        let mut all: Vec<_> = clusters
            .drain(..)
            .zip(found.drain(..))
            .filter(|(range, found)| found.is_some() && !overlaps(range))
            .collect();
        let mistakes = vec![Mistake::Swapped(index)];
        let letters = words.iter().flat_map(|(_, text)| text).copied().collect();
        self.accept(Candidate { cost: 0.0, text: letters, mistakes: mistakes.clone() }, gain);
        all.extend(words.into_iter().map(|(word, text)| {
            (word, Some((Candidate { cost: 0.0, text, mistakes: mistakes.clone() }, gain)))
        }));
        all.sort_by_key(|(range, _)| range.start);
        (*clusters, *found) = all.into_iter().unzip();
    }

    /// Returns a reading, if it is clear enough, and remembers it.
    fn accept(&mut self, found: Candidate, gain: f32) -> Option<(Candidate, f32)> {
        let support = |mistake: &Mistake| self.support[mistake.index()];
        let is_usual = found.mistakes.iter().all(|mistake| support(mistake) > USUAL);
        if gain < if is_usual { CLEARLY_USUAL } else { CLEARLY } {
            return None;
        }
        for mistake in &found.mistakes {
            self.support[mistake.index()] += gain;
        }
        for script in found.text.iter().filter_map(|cp| Script::of(*cp)) {
            *self.scripts.entry(script).or_default() += 1;
        }
        Some((found, gain))
    }

    /// Returns the cheapest reading of damaged text.
    fn best(
        &mut self,
        before: &[CodePoint],
        own: &[CodePoint],
        after: &[CodePoint],
        layers: u32,
        budget: &mut usize,
    ) -> Option<Candidate> {
        let mut seen: Vec<Vec<CodePoint>> = Vec::new();
        let mut best: Option<Candidate> = None;
        for mistake in Mistake::of_utf8() {
            let found = mistake.sequences(own);
            if found.is_empty() {
                continue;
            }
            if !covers(own, &found) {
                continue;
            }
            let text = self.read(before, own, after, &found);
            if seen.contains(&text) {
                continue;
            }
            let penalty =
                self.penalty(mistake, layers) + self.alone(mistake, &text, own, before, after);
            let cost = self.scale.cost(&joined(before, &text, after)) + penalty;
            let mut candidate = Candidate { cost, text, mistakes: vec![mistake] };
            *budget = budget.saturating_sub(candidate.text.len());
            if layers + 1 < LAYERS
                && *budget > 0
                && let Some(deeper) = self.best(before, &candidate.text, after, layers + 1, budget)
                && deeper.cost + penalty < candidate.cost
            {
                candidate.cost = deeper.cost + penalty;
                candidate.mistakes.extend(deeper.mistakes);
                seen.push(std::mem::replace(&mut candidate.text, deeper.text));
            } else {
                seen.push(candidate.text.clone());
            }
            if best.as_ref().is_none_or(|best| candidate.cost < best.cost) {
                best = Some(candidate);
            }
        }
        best
    }

    /// Returns what it costs, in bits, that a reading has but one letter of a script other than Latin, or is but one letter.
    fn alone(
        &self,
        mistake: Mistake,
        text: &[CodePoint],
        own: &[CodePoint],
        before: &[CodePoint],
        after: &[CodePoint],
    ) -> f32 {
        let script = |cp: &CodePoint| Script::of(*cp).filter(|script| *script != Script::Latin);
        let is_new = |it: &Script| !own.iter().any(|cp| script(cp) == Some(*it));
        let mut letters = text.iter().filter_map(script).filter(is_new);
        if let (Some(one), None) = (letters.next(), letters.next()) {
            let around = before.iter().chain(after).any(|cp| script(cp) == Some(one));
            let is_known = self.scripts.get(&one).is_some_and(|count| *count > KNOWN);
            let is_usual = self.support[mistake.index()] > USUAL;
            return if around || is_known {
                0.0
            } else if is_usual {
                ALONE_USUAL
            } else {
                ALONE
            };
        }
        let letters = letters_of(before) + letters_of(text) + letters_of(after);
        let is_usual = self.support[mistake.index()] > USUAL;
        if letters == 1 && letters_of(text) == 1 && !is_usual { ONE_LETTER } else { 0.0 }
    }

    /// Returns what a mistake costs, in bits: the less, the more was found of it.
    fn penalty(&self, mistake: Mistake, layers: u32) -> f32 {
        let first = mistake.penalty();
        let penalty = if layers == 0 { first } else { first - DAMAGED / 2.0 };
        let support = self.support[mistake.index()];
        // One text was mostly damaged in one way.
        let other = self.support.iter().copied().fold(0.0, f32::max);
        let unlike =
            if layers == 0 && other > USUAL && support < other / 8.0 { UNLIKE } else { 0.0 };
        penalty + unlike - (support * SHARE).min(penalty - 1.0)
    }

    /// Returns the text with these sequences read.
    fn read(
        &mut self,
        before: &[CodePoint],
        own: &[CodePoint],
        after: &[CodePoint],
        found: &[Sequence],
    ) -> Vec<CodePoint> {
        let mut text = Vec::with_capacity(own.len());
        let mut at = 0;
        for (index, sequence) in found.iter().enumerate() {
            text.extend_from_slice(&own[at..sequence.range.start]);
            at = sequence.range.end;
            let mut readings = sequence.readings.iter();
            let Some(mut reading) = readings.next() else { continue };
            if sequence.readings.len() > 1 {
                // The next sequence as usual, and some characters more.
                let mut rest = Vec::new();
                let mut from = at;
                for next in found[index + 1..].iter().take(2) {
                    rest.extend_from_slice(&own[from..next.range.start]);
                    rest.extend_from_slice(&next.readings[0].text);
                    from = next.range.end;
                }
                rest.extend(own[from..].iter().chain(after).take(6));
                let near: Vec<_> = before.iter().chain(&text).copied().collect();
                let near = &near[near.len().saturating_sub(8)..];
                let mut cost = |reading: &super::sequences::Reading| {
                    let space = reading.keeps_space.then_some(0x20);
                    let own: Vec<_> = reading.text.iter().copied().chain(space).collect();
                    let cost = self.scale.cost(&joined(near, &own, &rest));
                    let goes_on = rest.first().is_some_and(|cp| is_letter(*cp));
                    // Most words end with such a letter.
                    let inside = !reading.keeps_space && !sequence.is_cut && goes_on;
                    if inside { cost + WITHIN } else { cost }
                };
                let (mut least, mut next) = (cost(reading), f32::INFINITY);
                for other in readings {
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
            text.extend_from_slice(&reading.text);
            if reading.keeps_space {
                text.push(0x20);
            }
        }
        text.extend_from_slice(&own[at..]);
        text
    }
}

fn letters_of(text: &[CodePoint]) -> usize {
    text.iter().filter(|cp| is_letter(**cp)).count()
}

/// Whether sequences are at least half of the characters beyond ASCII in the runs in which they are.
fn covers(own: &[CodePoint], found: &[Sequence]) -> bool {
    let mut is_in = vec![false; own.len()];
    found.iter().for_each(|sequence| is_in[sequence.range.clone()].fill(true));
    let mut at = 0;
    while at < own.len() {
        let len = own[at..].iter().take_while(|cp| **cp >= 0x80).count();
        let read = (at..at + len).filter(|at| is_in[*at]).count();
        if read > 0 && 2 * read < len {
            return false;
        }
        at += len.max(1);
    }
    true
}

/// Whether a character may stand inside a word.
fn is_of_word(cp: CodePoint) -> bool {
    cp >= 0x80 || cp == 0x27 || is_letter(cp)
}

fn is_letter(cp: CodePoint) -> bool {
    char::from_u32(cp).is_some_and(char::is_alphabetic)
}

fn joined(before: &[CodePoint], own: &[CodePoint], after: &[CodePoint]) -> Vec<CodePoint> {
    [before, own, after].concat()
}

fn confidence(gain: f32) -> u8 {
    (100.0 * (1.0 - (-gain / 6.0).exp2())) as u8
}

/// Returns the parts of a text from `from` on that may be damaged: sequences in any charset, joined if they are in one
/// word.
fn clusters(text: &[CodePoint], from: usize) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Mistake::of_utf8()
        .flat_map(|mistake| mistake.sequences(&text[from..]))
        .map(|sequence| from + sequence.range.start..from + sequence.range.end)
        .collect();
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    let mut clusters: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match clusters.last_mut() {
            Some(last)
                if range.start <= last.end
                    || text[last.end..range.start].iter().all(|cp| is_of_word(*cp)) =>
            {
                last.end = last.end.max(range.end);
            }
            _ => clusters.push(range),
        }
    }
    clusters
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a text with its damage repaired, and how each was damaged.
    fn repaired(text: &str) -> (String, Vec<String>) {
        let mut restorer = Restorer::default();
        let (mut result, mut how, mut at) = (String::new(), Vec::new(), 0);
        for damage in restorer.look(text) {
            result.push_str(&text[at..damage.range.start]);
            result.push_str(&damage.meant);
            at = damage.range.end;
            let Damage { written_in, read_as, times, .. } = damage;
            how.push(format!("{written_in} as {read_as}, {times}"));
        }
        (result + &text[at..], how)
    }

    /// Each row is what a program shows that reads the bytes of the text in a charset: by hand from the tables.
    #[test]
    fn what_was_meant_comes_back() {
        for (damaged, meant, how) in [
            ("Ã©tÃ©", "été", "UTF-8 as windows-1252, 1"),
            ("PolÃ\u{AD}tica", "Política", "UTF-8 as windows-1252, 1"),
            ("Itâ€™s", "It’s", "UTF-8 as windows-1252, 1"),
            ("â€œquotedâ€\u{9D}", "“quoted”", "UTF-8 as windows-1252, 1"),
            ("cafÃƒÂ©", "café", "UTF-8 as windows-1252, 2"),
            ("doesnÃƒÂ¢Ã¢â€šÂ¬Ã¢â€žÂ¢t", "doesn’t", "UTF-8 as windows-1252, 3"),
            ("Ð¿Ñ€Ð¸Ð²ÐµÑ‚", "привет", "UTF-8 as windows-1252, 1"),
            ("РїСЂРёРІРµС‚", "привет", "UTF-8 as windows-1251, 1"),
            ("g√¢teaux", "gâteaux", "UTF-8 as macintosh, 1"),
            ("├⌐t├⌐", "été", "UTF-8 as IBM437, 1"),
            ("├®t├®", "été", "UTF-8 as IBM850, 1"),
            ("Ă®nceĹŁoĹźat", "înceţoşat", "UTF-8 as windows-1250, 1"),
            ("caf茅", "café", "UTF-8 as GB18030, 1"),
            ("浣犲ソ", "你好", "UTF-8 as GB18030, 1"),
            ("Ïðèâåò", "Привет", "windows-1251 as windows-1252, 1"),
            ("ÐÒÉ×ÅÔ", "привет", "KOI8-R as windows-1252, 1"),
            ("Åëëçíéêüò", "Ελληνικός", "windows-1253 as windows-1252, 1"),
        ] {
            assert_eq!(repaired(damaged), (meant.to_owned(), vec![how.to_owned()]), "{damaged}");
        }
    }

    #[test]
    fn a_lost_byte_comes_back_where_one_character_fits() {
        assert_eq!(repaired("â€œquotedâ€\u{FFFD}").0, "“quoted”");
        assert_eq!(repaired("voilÃ le travail").0, "voilà le travail");
        assert_eq!(repaired("dÃ©jÃ  vu").0, "déjà vu");
        assert_eq!(repaired("HÃ¶he: 5Â mm").0, "Höhe: 5\u{A0}mm");
    }

    #[test]
    fn sound_text_is_not_changed() {
        for text in [
            "4288×…",
            "NESTLÉ®",
            "AHÅ™, the new sofa",
            "SELKÄ EDELLÄ",
            "l’été à « Paris »",
            "Різдво",
            "жёлтый",
            "├─────┤",
            "ÀÁÂÃÄÅ",
            "贵州茅台什么没有",
            "«СССР»",
            "PODRÓŻ",
            "5 €",
            "",
        ] {
            assert_eq!(repaired(text), (text.to_owned(), vec![]), "{text}");
        }
    }

    /// The layers must not be tried in every combination.
    #[test]
    fn hostile_text_takes_no_long_time() {
        repaired(&"ÃƒÂ√Γ├ƒГВ".repeat(200));
    }
}
