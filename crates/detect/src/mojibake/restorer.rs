//! Finds the damage in a text, region by region, and what it meant.
//!
//! A region is a line, or a part of a long one. It is judged in these steps:
//!
//! ```text
//! 1. clusters       places that may be damaged, joined within a word (`region.rs`)
//! 2. find           judges each cluster, and again if anything was found: that makes the same damage elsewhere likelier
//! 3. look_again     clusters that were judged before the rest of the region was known
//! 4. foreign        one charset for all words, if that saves more bits than 2 and 3 did
//! 5. look_at_rest   what is left or unclear, in the language of the line as it is now
//! 6. sureness       given what the other clusters turned out to be
//! ```
//!
//! What a region teaches (`MistakeEvidence`) is kept for the regions after it. A reading may itself be damaged, since
//! text may have been misread twice, so `DamageJudge` reads it again.
//!
//! `transcode` asks in two steps, so that sound text stays cheap. `suspect` finds a suspicious character, and
//! `Restorer::words` judges its words alone. Only if they could be damage under any circumstances is the line held back
//! and examined by `Restorer::look`.

use std::cell::{Cell, LazyCell};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::damage::Damage;
use super::damage_judge::DamageJudge;
use super::double_byte::Ideographs;
use super::foreign::{self, Foreign, GainCache};
use super::ideographs::is_east_asian;
use super::layer_conflict::{LayerConflict, most_layers};
use super::misreading::Misreading;
use super::mistake::{Mistake, PartReading};
use super::mistake_evidence::MistakeEvidence;
use super::region::{
    clusters, damages, has_lost_byte, ideographs, is_all_found, outside, repaired_line,
    repeats_ending,
};
use super::sequences::between;
use super::suspect::{Suspect, suspect};
use super::suspect_part::{CONTEXT, SuspectPart, is_near};
use super::weigh::Scale;
use oxiconv_encodings::unicode::CodePoint;

/// The most bytes of a region. A longer line is cut at the last space before this, or else between two characters.
pub const REGION: usize = 4096;

/// The least confidence, in percent, that is repaired without asking.
pub const SURE: u8 = 90;
/// A reading with less of a lead, in bits, over the next one is judged again by the line around it.
const CLEAR: f32 = 12.0;
/// The lead of the reading that then replaces it.
const CLEAR_IN_LINE: f32 = 4.0;
/// The most confidence where parts of a region contradict each other. It is below [`SURE`].
const DOUBTFUL: f32 = 0.7;
/// The most characters of suspicious words that are judged by themselves, and the size of the caches.
const MAX_WORD_CHARACTERS: usize = 96;
const CACHE_ENTRIES: usize = 1 << 14;

/// The reading of a damaged part and the bits that it saves; `None` if the part is sound.
pub(super) type JudgedPart = Option<Arc<(PartReading, f32)>>;

/// Finds the damage in one text, region by region.
#[derive(Default)]
pub struct Restorer {
    evidence: MistakeEvidence,
    /// The last characters before the next region, as they were meant.
    before: Vec<CodePoint>,
    /// Reusable buffer for those characters and the region.
    text: Vec<CodePoint>,
    /// What holds in any text; `None` until it is needed.
    lasting: Option<Box<LastingVerdicts>>,
    /// Parts that were judged since the evidence changed last, and the count of changes at that time.
    judged: HashMap<Vec<CodePoint>, JudgedPart>,
    judged_after: u64,
    /// Reusable buffer for lookups in `judged`.
    key: Vec<CodePoint>,
    /// The misreading that the user named. Then nothing is weighed.
    known_misreading: Option<Misreading>,
}

/// What was weighed and judged without regard to the text around it. Each thread keeps it from one text to the next,
/// because most texts are short, and to fill these caches takes longer than to look through such a text.
struct LastingVerdicts {
    scale: Scale,
    gained: GainCache,
    /// Evidence for everything: what it does not make damage is sound in any text.
    overwhelming: MistakeEvidence,
    /// Suspicious words with the characters before them, and whether they are sound whatever the rest of the text is.
    known: HashMap<Vec<CodePoint>, bool>,
}

thread_local! {
    /// The verdicts that no restorer of this thread has now.
    static KEPT: Cell<Option<Box<LastingVerdicts>>> = const { Cell::new(None) };
}

impl LastingVerdicts {
    /// Returns those in `place`. If there are none yet, they are those that the thread has kept, or new ones.
    fn in_place(place: &mut Option<Box<Self>>) -> &mut Self {
        let new = || Self {
            scale: Scale::default(),
            gained: GainCache::default(),
            overwhelming: MistakeEvidence::overwhelming(),
            known: HashMap::new(),
        };
        place.get_or_insert_with(|| KEPT.take().unwrap_or_else(|| Box::new(new())))
    }

    fn judge<'a>(&'a mut self, evidence: &'a MistakeEvidence) -> DamageJudge<'a> {
        DamageJudge { scale: &mut self.scale, evidence, only_found: false }
    }

    /// Whether words are sound whatever the rest of the text is. `key` has them from character `own` on, after those
    /// before them.
    fn is_sound(&mut self, key: Vec<CodePoint>, own: usize) -> bool {
        if let Some(is_sound) = self.known.get(&key) {
            return *is_sound;
        }
        let evidence = &self.overwhelming;
        let mut judge = DamageJudge { scale: &mut self.scale, evidence, only_found: false };
        let is_damaged = |part: &SuspectPart<'_>| judge.judge(*part).is_some();
        let is_sound = !SuspectPart::all(&key, own, &clusters(&key, own)).iter().any(is_damaged);
        if self.known.len() >= CACHE_ENTRIES {
            self.known.clear();
        }
        self.known.insert(key, is_sound);
        is_sound
    }
}

impl Drop for Restorer {
    fn drop(&mut self) {
        // There is nothing to keep them for if the thread is ending.
        let _ = KEPT.try_with(|kept| kept.set(self.lasting.take().or_else(|| kept.take())));
    }
}

/// The verdict on suspicious words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuspectWords {
    /// Sound, up to this byte.
    Sound(usize),
    /// Perhaps damaged, if other parts of the text are.
    Doubtful,
    /// Unknown until more of the text is read.
    Cut,
}

impl Restorer {
    /// Creates a restorer that undoes one known misreading.
    pub fn undoing(misreading: Misreading) -> Self {
        let mut restorer = Self::default();
        restorer.known_misreading = Some(misreading);
        restorer
    }

    /// Whether every character beyond ASCII is suspicious.
    pub fn suspects_all(&self) -> bool {
        self.known_misreading.is_some()
    }

    /// Returns where a long text without spaces can be cut.
    pub fn cut(&self, text: &str) -> usize {
        self.known_misreading.map_or_else(|| between(text), |known| known.boundary(text))
    }

    /// Whether the text so far has words that were read in a wrong single-byte charset.
    pub fn found_foreign(&self) -> bool {
        self.evidence.has_foreign()
    }

    /// Finds the first suspicious character of `text` from byte `at` on. Up to byte `sound`, it is known to have no
    /// UTF-8. `ends` says that nothing follows the text.
    pub fn suspect(&mut self, text: &str, at: usize, sound: usize, ends: bool) -> Suspect {
        let lasting = &mut self.lasting;
        let is_foreign = |word: &[CodePoint]| {
            let lasting = LastingVerdicts::in_place(lasting);
            lasting.gained.is_foreign(word, &mut lasting.scale)
        };
        suspect(&self.before, text, at, sound, ends, is_foreign)
    }

    /// Passes over sound text before the next region. Its last characters are the context of that region.
    pub fn pass(&mut self, text: &str) {
        let start = text.char_indices().rev().nth(CONTEXT).map_or(0, |(at, _)| at);
        self.before.extend(text[start..].chars().map(CodePoint::from));
        let excess = self.before.len().saturating_sub(CONTEXT);
        self.before.drain(..excess);
    }

    /// Judges suspicious words from byte `at` of a text on. `ends` says that nothing follows the text.
    ///
    /// This is the second filter, after `suspect`. Most suspicious words are sound whatever else the text contains:
    /// `всё` looks like UTF-8 in KOI8-R, `ή` and a space in windows-1253. They are judged once, under evidence for
    /// every mistake, and cached. Only a word that could be damage under that evidence makes its line a region.
    pub fn words(&mut self, text: &str, at: usize, ends: bool) -> SuspectWords {
        let (before, text) = text.split_at(at);
        let before =
            before.chars().rev().map(CodePoint::from).chain(self.before.iter().rev().copied());
        let mut key: Vec<_> = before.take(CONTEXT).take_while(|cp| is_near(*cp)).collect();
        key.reverse();
        let own = key.len();
        let mut end = None;
        for (place, c) in text.char_indices() {
            let previous = key.last().copied().unwrap_or(0);
            let cp = CodePoint::from(c);
            // The space may be the last byte of a character: a program turned A0, a no-break space, into it. A question
            // mark may be any byte of one.
            let is_byte =
                matches!(c, ' ' | '?') && (previous >= 0x80 || key.ends_with(&[0xE2, 0x3F]));
            if !(is_near(cp) || is_byte) {
                end = Some(place);
                break;
            }
            if key.len() == own + MAX_WORD_CHARACTERS {
                return SuspectWords::Doubtful;
            }
            key.push(cp);
        }
        // The words may continue in the next chunk. To judge them now would make the result depend on where chunks end.
        let Some(end) = end.or(ends.then_some(text.len())) else { return SuspectWords::Cut };
        let is_sound = LastingVerdicts::in_place(&mut self.lasting).is_sound(key, own);
        if is_sound { SuspectWords::Sound(at + end) } else { SuspectWords::Doubtful }
    }

    /// Returns the damaged parts of a region, in order.
    pub fn look(&mut self, region: &str) -> Vec<Damage> {
        if let Some(misreading) = self.known_misreading {
            return misreading.look(region);
        }
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        text.append(&mut self.before);
        let own = text.len();
        text.extend(region.chars().map(CodePoint::from));
        let mut clusters = clusters(&text, own);
        let mut parts = SuspectPart::all(&text, own, &clusters);
        let mut found = self.find(&text, own, &clusters, &parts);
        self.look_again(&parts, &mut found);
        if !is_all_found(&text, own, &clusters, &found)
            && self.look_for_foreign(&text, own, &mut clusters, &mut found)
        {
            parts = SuspectPart::all(&text, own, &clusters);
        }
        let repaired = repaired_line(&text, &clusters, &found);
        self.look_at_rest(&repaired, &mut parts, &mut found);
        let sureness = self.sureness(&text, own, &clusters, &parts, &found);
        let damages = damages(&text, own, &clusters, &found, &sureness);
        // The context of the next region is built from its end: sound text as it is, damage as it was meant.
        let mut end = region.len();
        for damage in damages.iter().rev() {
            let sound = region[damage.range.end..end].chars();
            prepend_context(&mut self.before, sound.rev().chain(damage.meant.chars().rev()));
            end = damage.range.start;
        }
        prepend_context(&mut self.before, region[..end].chars().rev());
        self.before.reverse();
        self.text = text;
        damages
    }

    /// Judges the parts of a region one by one.
    fn find(
        &mut self,
        text: &[CodePoint],
        from: usize,
        clusters: &[Range<usize>],
        parts: &[SuspectPart<'_>],
    ) -> Vec<JudgedPart> {
        let repeats_ending = LazyCell::new(|| repeats_ending(text, from, clusters));
        // Two passes. The first judges a part by what was found before it, so an unclear part may be missed although
        // the same damage is clear later in the line. The second judges the missed ones again, by everything that the
        // first has found; if that changed no evidence, there is nothing to gain.
        //
        // An ideograph by itself teaches nothing, since it may be sound (`Nyan猫`), however often it occurs.
        let mut found: Vec<JudgedPart> = vec![None; clusters.len()];
        for _ in 0..2 {
            let changes = self.evidence.changes;
            for ((cluster, part), found) in clusters.iter().zip(parts).zip(&mut found) {
                if found.is_none() {
                    *found = self.judge(*part);
                    let Some((candidate, gain)) = found.as_deref() else { continue };
                    let alone = ideographs(text, cluster, candidate) == Some(Ideographs::Alone);
                    if !alone || self.evidence.is_double_byte_usual() || *repeats_ending {
                        self.evidence.add(candidate, *gain);
                    }
                }
            }
            if self.evidence.changes == changes {
                break;
            }
        }
        found
    }

    /// Judges parts again that were judged before the rest of the region was known, unless they are sure and were
    /// repaired as many times as any other part.
    fn look_again(&mut self, parts: &[SuspectPart<'_>], found: &mut [JudgedPart]) {
        if found.iter().flatten().count() < 2 {
            return;
        }
        let most = most_layers(found);
        for (part, found) in parts.iter().zip(found) {
            let Some((candidate, gain)) = found.as_deref() else { continue };
            let lasting = LastingVerdicts::in_place(&mut self.lasting);
            let sureness = lasting.judge(&self.evidence).sureness(*part, candidate, *gain);
            if is_sure(sureness) && candidate.layers() == most {
                continue;
            }
            if let again @ Some(_) = self.judge(*part) {
                *found = again;
            }
        }
    }

    /// Judges again what is not repaired, or not clearly, with the line around it. The line is mostly sound now, and so
    /// shows the language: `Å veices` is Swedish as it stands, but not among Latvian words.
    fn look_at_rest<'a>(
        &mut self,
        (line, ranges): &'a (Vec<CodePoint>, Vec<Range<usize>>),
        parts: &mut [SuspectPart<'a>],
        found: &mut [JudgedPart],
    ) {
        if found.iter().all(Option::is_none) {
            return;
        }
        let is_clear = |(reading, _): &(PartReading, f32)| {
            !has_lost_byte(reading) && reading.next - reading.cost > CLEAR
        };
        for ((part, found), range) in parts.iter_mut().zip(found).zip(ranges) {
            if found.as_deref().is_some_and(is_clear) {
                continue;
            }
            let lasting = LastingVerdicts::in_place(&mut self.lasting);
            let mut judge = lasting.judge(&self.evidence);
            judge.only_found = true;
            let in_line = part.in_line(line, range);
            let Some((candidate, gain)) = judge.judge(in_line) else { continue };
            let is_clear = candidate.next - candidate.cost > CLEAR_IN_LINE;
            let replaces = |(found, _): &(PartReading, f32)| match has_lost_byte(found) {
                // Nothing else may be undone with the byte.
                true => found.mistakes == candidate.mistakes,
                false => is_clear && !has_lost_byte(&candidate),
            };
            if found.as_deref().is_none_or(replaces) {
                (*part, *found) = (in_line, Some(Arc::new((candidate, gain))));
            }
        }
    }

    /// Returns how sure each reading is, from 0 to 1, given the rest of the region. The region begins at `from`.
    fn sureness(
        &mut self,
        text: &[CodePoint],
        from: usize,
        clusters: &[Range<usize>],
        parts: &[SuspectPart<'_>],
        found: &[JudgedPart],
    ) -> Vec<f32> {
        let layers = LayerConflict::of(found);
        let ideographs = |(cluster, found): (&Range<usize>, &JudgedPart)| {
            ideographs(text, cluster, &found.as_ref()?.0)
        };
        // An ideograph by itself is damage only if there is other damage by GB18030, and no ideograph is where East
        // Asian text is sound.
        let supports = |found| ideographs(found).is_some_and(|it| it != Ideographs::Alone);
        let is_supported = LazyCell::new(|| {
            self.evidence.is_double_byte_usual()
                || clusters.iter().zip(found).any(supports)
                || repeats_ending(text, from, clusters)
        });
        let is_east_asian = LazyCell::new(|| {
            outside(text, from, clusters).any(|text| text.iter().any(|cp| is_east_asian(*cp)))
        });
        let may_be_sound = |ideographs| match ideographs {
            Some(Ideographs::Alone) => *is_east_asian || !*is_supported,
            Some(Ideographs::InWord) => *is_east_asian,
            Some(Ideographs::InARow) | None => false,
        };
        let mut judge = LastingVerdicts::in_place(&mut self.lasting).judge(&self.evidence);
        let mut own =
            |((cluster, found), part): ((&Range<usize>, &JudgedPart), &SuspectPart<'_>)| {
                let Some((candidate, gain)) = found.as_deref() else { return 0.0 };
                let sureness = judge.sureness(*part, candidate, *gain);
                let is_doubtful =
                    layers.contradict(candidate) || may_be_sound(ideographs((cluster, found)));
                if is_doubtful { sureness.min(DOUBTFUL) } else { sureness }
            };
        let mut all: Vec<f32> = clusters.iter().zip(found).zip(parts).map(&mut own).collect();
        // Words of one line that one mistake damaged are repaired together or not at all, unless the mistake is usual
        // in the text. So if one is sure and another may have the same damage but is not sure, both are doubtful.
        let halves = |mistake: Mistake| {
            let is_left = |(part, sureness): (&SuspectPart<'_>, &f32)| {
                !is_sure(*sureness) && mistake.may_have_made(*part)
            };
            !self.evidence.is_usual(mistake) && parts.iter().zip(&all).any(is_left)
        };
        let sure = found.iter().zip(&all).filter(|(_, sureness)| is_sure(**sureness));
        let mut mistakes = sure.filter_map(|(found, _)| Some(found.as_ref()?.0.mistakes[0]));
        if mistakes.any(halves) {
            all.iter_mut().for_each(|sureness| *sureness = sureness.min(DOUBTFUL));
        }
        all
    }

    /// Judges a part under the current evidence, or returns the cached verdict.
    ///
    /// A verdict is valid as long as the evidence stays the same. Evidence changes with every repair at first, but
    /// penalties have a minimum: in a text that is damaged throughout they soon reach it, and then the cache holds.
    fn judge(&mut self, part: SuspectPart<'_>) -> JudgedPart {
        if self.judged_after != self.evidence.changes || self.judged.len() >= CACHE_ENTRIES {
            self.judged.clear();
            self.judged_after = self.evidence.changes;
        }
        part.write_key(&mut self.key);
        if let Some(judged) = self.judged.get(&self.key) {
            return judged.clone();
        }
        let lasting = LastingVerdicts::in_place(&mut self.lasting);
        let judged = lasting.judge(&self.evidence).judge(part).map(Arc::new);
        self.judged.insert(self.key.clone(), judged.clone());
        judged
    }

    /// Looks for words in another charset, and returns whether they replaced the clusters that they overlap.
    ///
    /// UTF-8 and a single-byte charset are rival explanations of the same characters: `Ð¿Ñ€Ð¸` is `при` in UTF-8, and
    /// also letters in windows-1251. The one that saves more bits wins, counted over the overlapping characters only.
    fn look_for_foreign(
        &mut self,
        text: &[CodePoint],
        from: usize,
        clusters: &mut Vec<Range<usize>>,
        found: &mut Vec<JudgedPart>,
    ) -> bool {
        let known = |index| self.evidence.of(Mistake::Swapped(index));
        let lasting = LastingVerdicts::in_place(&mut self.lasting);
        let foreign = foreign::judge(&mut lasting.scale, &mut lasting.gained, text, from, known);
        let Some(Foreign { index, relatives, gain, saved, words }) = foreign else { return false };
        let overlaps = |range: &Range<usize>| {
            let after = words.partition_point(|(word, _)| word.end <= range.start);
            words.get(after).is_some_and(|(word, _)| word.start < range.end)
        };
        // Signs of windows-1252 are no rival: `pu\u{9A}èica` has `š` there, but the word is windows-1250.
        let is_rival = |found: &&Arc<(PartReading, f32)>| found.0.layers() > 0;
        let all = clusters.iter().zip(&*found).filter(|(range, _)| overlaps(range));
        let other: f32 =
            all.filter_map(|(_, found)| Some(found.as_ref().filter(is_rival)?.1)).sum();
        // It may also say nothing new: the sign is `œ` in `c\u{9C}ur` in several charsets.
        let is_known = |(range, meant): &(Range<usize>, Vec<CodePoint>)| {
            let is_inside = |it: &Range<usize>| range.start <= it.start && it.end <= range.end;
            let inside = clusters.iter().zip(&*found).filter(|(it, _)| is_inside(it));
            let (clusters, found): (Vec<_>, Vec<_>) = inside
                .map(|(it, found)| (it.start - range.start..it.end - range.start, found.clone()))
                .unzip();
            repaired_line(&text[range.clone()], &clusters, &found).0 == *meant
        };
        if other >= saved || words.iter().all(is_known) {
            return false;
        }
        let mut all: Vec<_> = clusters
            .drain(..)
            .zip(found.drain(..))
            .filter(|(range, found)| found.is_some() && !overlaps(range))
            .collect();
        let relatives: Vec<_> = relatives.into_iter().map(Mistake::Swapped).collect();
        let candidate = |text| PartReading {
            cost: 0.0,
            next: f32::INFINITY,
            text,
            mistakes: vec![Mistake::Swapped(index)],
            relatives: relatives.clone(),
        };
        let letters = words.iter().flat_map(|(_, text)| text).copied().collect();
        self.evidence.add(&candidate(letters), gain);
        let judged = |text| Some(Arc::new((candidate(text), gain)));
        all.extend(words.into_iter().map(|(word, text)| (word, judged(text))));
        all.sort_unstable_by_key(|(range, _)| range.start);
        (*clusters, *found) = all.into_iter().unzip();
        true
    }
}

/// Adds characters in front of those before a region, the last one first, up to `CONTEXT` of them.
fn prepend_context(before: &mut Vec<CodePoint>, text: impl Iterator<Item = char>) {
    let missing = CONTEXT.saturating_sub(before.len());
    before.extend(text.take(missing).map(CodePoint::from));
}

fn is_sure(sureness: f32) -> bool {
    percent(sureness) >= SURE
}

pub(super) fn percent(sureness: f32) -> u8 {
    (100.0 * sureness).clamp(1.0, 99.0) as u8
}

#[cfg(test)]
pub(super) mod tests;
