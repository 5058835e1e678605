//! Finds the damage in a text, and what it was.

use std::collections::HashMap;
use std::ops::Range;

use super::judge::{AROUND, Candidate, Evidence, Judge, Mistake, Part, is_near, is_of_word};
use super::sequences::places;
use super::weigh::Scale;
use super::{gb, swapped};
use crate::encoding::Encoding;
use crate::unicode::CodePoint;

/// The most bytes of a region. A longer line is cut at the last space before, or else between two characters.
pub const REGION: usize = 4096;

/// Bits that a byte beyond ASCII costs at most, if it may be any.
const BYTE: f32 = 6.5;
/// The most characters of suspicious words that are judged alone, and how many of such are remembered.
const WORDS: usize = 96;
const MOST: usize = 1 << 14;

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
    evidence: Evidence,
    /// The characters before the next region.
    before: Vec<CodePoint>,
    /// More than may be found.
    overwhelming: Evidence,
    /// Suspicious words that are known, with those before them, and whether they are sound whatever is found.
    known: HashMap<Vec<CodePoint>, bool>,
}

impl Default for Restorer {
    fn default() -> Self {
        Self {
            scale: Scale::default(),
            evidence: Evidence::default(),
            before: Vec::new(),
            overwhelming: Evidence::overwhelming(),
            known: HashMap::new(),
        }
    }
}

/// What suspicious words are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// Sound, up to this byte.
    Sound(usize),
    /// Perhaps damaged, if other parts are.
    Doubtful,
    /// This depends on what follows the text.
    Cut,
}

/// A part of a text, and what it was, with the bits gained; `None` if it is sound.
type Judged = (Range<usize>, Option<(Candidate, f32)>);

impl Restorer {
    /// Returns the last characters before the next text.
    pub fn before(&self) -> &[CodePoint] {
        &self.before
    }

    /// Learns the text before the next region.
    pub fn pass(&mut self, text: &str) {
        let start = text.char_indices().rev().nth(AROUND).map_or(0, |(at, _)| at);
        self.before.extend(text[start..].chars().map(CodePoint::from));
        let excess = self.before.len().saturating_sub(AROUND);
        self.before.drain(..excess);
    }

    /// Judges the words that a text begins with, which are suspicious: most are sound whatever is found in the text, and
    /// need no region. `ends` says that nothing follows the text.
    pub fn words(&mut self, text: &str, ends: bool) -> Words {
        let mut key = self.before.clone();
        let near = key.iter().rev().take_while(|cp| is_near(**cp)).count();
        key.drain(..key.len() - near);
        let own = key.len();
        let mut end = None;
        for (at, c) in text.char_indices() {
            let previous = key.last().copied().unwrap_or(0);
            let cp = CodePoint::from(c);
            // A space may be the last byte of a character.
            if !is_near(cp) && !(c == ' ' && previous >= 0x80) {
                end = Some(at);
                break;
            }
            if key.len() == own + WORDS {
                return Words::Doubtful;
            }
            key.push(cp);
        }
        let Some(end) = end.or(ends.then_some(text.len())) else { return Words::Cut };
        let is_sound = match self.known.get(&key) {
            Some(is_sound) => *is_sound,
            None => {
                let mut judge = Judge { scale: &mut self.scale, evidence: &self.overwhelming };
                let is_damaged = |part: &Range<usize>| judge.judge(Part::of(&key, part)).is_some();
                let is_sound = !clusters(&key, own).iter().any(is_damaged);
                if self.known.len() >= MOST {
                    self.known.clear();
                }
                self.known.insert(key, is_sound);
                is_sound
            }
        };
        if is_sound { Words::Sound(end) } else { Words::Doubtful }
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
            let known = self.evidence.found;
            for (cluster, found) in clusters.iter().zip(&mut found) {
                if found.is_none() {
                    let mut judge = Judge { scale: &mut self.scale, evidence: &self.evidence };
                    *found = judge.judge(Part::of(&text, cluster));
                    if let Some((candidate, gain)) = found {
                        self.evidence.add(candidate, *gain);
                    }
                }
            }
            if self.evidence.found == known {
                break;
            }
        }
        self.look_for_swapped(&text, own, &mut clusters, &mut found);
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

    /// Looks for words in another charset, other than those of the clusters that were found to be damaged. Adds them, in
    /// their places.
    fn look_for_swapped(
        &mut self,
        text: &[CodePoint],
        from: usize,
        clusters: &mut Vec<Range<usize>>,
        found: &mut Vec<Option<(Candidate, f32)>>,
    ) {
        let words = swapped::words(text, from);
        let mut added: Vec<Option<(Candidate, f32)>> = vec![None; words.len()];
        for _ in 0..2 {
            for (word, found) in words.iter().zip(&mut added) {
                if found.is_none() {
                    *found = self.judge_word(&text[word.clone()]);
                }
            }
        }
        let overlaps = |one: &Range<usize>, other: &Range<usize>| {
            one.start < other.end && other.start < one.end
        };
        let all: Vec<_> = clusters.drain(..).zip(found.drain(..)).collect();
        let gain = |range: &Range<usize>, all: &[Judged]| {
            let gains = all.iter().filter(|(other, _)| overlaps(range, other));
            gains.filter_map(|(_, found)| Some(found.as_ref()?.1)).sum::<f32>()
        };
        // What gains more is what it was.
        let added: Vec<_> = words
            .into_iter()
            .zip(added)
            .filter(|(word, found)| found.as_ref().is_some_and(|found| found.1 > gain(word, &all)))
            .collect();
        let mut all: Vec<_> = all
            .into_iter()
            .filter(|(range, found)| {
                found.is_some() && !added.iter().any(|(word, _)| overlaps(word, range))
            })
            .collect();
        all.extend(added);
        all.sort_by_key(|(range, _)| range.start);
        (*clusters, *found) = all.into_iter().unzip();
    }

    /// Returns what a word in another charset was, with the bits gained.
    fn judge_word(&mut self, word: &[CodePoint]) -> Option<(Candidate, f32)> {
        let high = word.iter().filter(|cp| **cp >= 0x80).count();
        let most = BYTE * word.len() as f32 + 8.0;
        let mut raw = self.scale.cost_of_any(word);
        // A list of letters is as likely as any other bytes.
        if high == word.len() {
            raw = raw.min(BYTE * high as f32 + 8.0);
        }
        let unclipped = raw;
        let tells = high > 2 || swapped::is_suspect(word);
        let mut best: Option<Candidate> = None;
        for (index, text) in swapped::readings(word) {
            let mistake = Mistake::Swapped(index);
            // A few letters or signs tell only more of what was found.
            if !tells && !self.evidence.is_usual(mistake) {
                continue;
            }
            // So are bytes of which any two are an ideograph.
            let raw = if text.len() < word.len() { raw.min(most) } else { raw };
            let cost = self.scale.cost(&text) + self.evidence.penalty(mistake, 0) + unclipped - raw;
            if best.as_ref().is_none_or(|best| cost < best.cost) {
                best = Some(Candidate { cost, text, mistakes: vec![mistake] });
            }
        }
        let best = best?;
        let gain = raw - best.cost;
        self.evidence.suffices(&best, gain).then(|| {
            self.evidence.add(&best, gain);
            (best, gain)
        })
    }
}

fn confidence(gain: f32) -> u8 {
    (100.0 * (1.0 - (-gain / 6.0).exp2())) as u8
}

/// Returns the parts of a text from `from` on that may be damaged: sequences in any charset, joined if they are in one
/// word.
fn clusters(text: &[CodePoint], from: usize) -> Vec<Range<usize>> {
    let mut ranges = places(text, from);
    let gb = gb::sequences(&text[from..]).into_iter();
    ranges.extend(gb.map(|found| from + found.range.start..from + found.range.end));
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
    use super::super::suspect::{Suspect, suspect};
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
            ("Gr枚脽e", "Größe", "UTF-8 as GB18030, 1"),
            ("袩褉懈胁械褌", "Привет", "UTF-8 as GB18030, 1"),
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

    /// Most text has places like UTF-8 in a charset of its own letters; it must not be judged line by line.
    #[test]
    fn sound_words_need_no_region() {
        for text in [
            "Всё, что ещё жёлтое, — «моё»; в доме ещё двое учёных и «ВСЁ» своё.",
            "Η γη ή η θάλασσα ήταν μεγάλη ή μικρή, ή και «ΟΛΑ».",
            "L’école, l’état et l’âge d’être à Paris – 12 × 18 ≈ 216.",
            "Příliš žluťoučký kůň úpěl ďábelské ódy…",
            "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
            "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
            "모든 인간은 태어날 때부터 자유로우며 – 그 존엄과 권리에 있어 동등하다.",
        ] {
            let mut restorer = Restorer::default();
            let (mut at, mut sound) = (0, 0);
            loop {
                let place = suspect(&restorer.before, &text[at..], sound - at, true);
                let clean = match place {
                    Suspect::None(_) => break,
                    Suspect::Sequence(clean) => clean,
                    Suspect::Swapped(_) => panic!("{text}"),
                };
                restorer.pass(&text[at..at + clean]);
                at += clean;
                match restorer.words(&text[at..], true) {
                    Words::Sound(len) => sound = at + len,
                    other => panic!("{other:?}: {}", &text[at..]),
                }
            }
        }
    }

    /// The layers must not be tried in every combination.
    #[test]
    fn hostile_text_takes_no_long_time() {
        repaired(&"ÃƒÂ√Γ├ƒГВ".repeat(200));
    }
}
