//! What a damaged part meant: the cheapest reading, given what was found before.
//!
//! ```text
//! ÃƒÂ© ─► windows-1252: C3 83 C2 A9 ─► Ã© ─► windows-1252: C3 A9 ─► é
//!          layer 0                           layer 1
//! ```
//!
//! Every mistake that may have made the part is undone, and the result is undone again, up to `MAX_LAYERS` deep. The
//! cost of a reading is what its text costs by the model plus a penalty for each mistake; it wins if it is clearly
//! below the cost of the part as it stands. A budget of characters bounds the search, because hostile text can be
//! readable in many charsets at every layer.

use super::mistake::{Mistake, PartReading};
use super::mistake_evidence::{CLEARLY, CLEARLY_USUAL, MistakeEvidence, NEVER};
use super::sequences::{MisreadSequence, SequenceReading};
use super::suspect_part::{LetterScript, SuspectPart, count_letters};
use super::swapped;
use super::weigh::Scale;
use crate::language::Script;
use oxiconv_encodings::unicode::{CodePoint, REPLACEMENT_CHARACTER, is_alphabetic as is_letter};

/// The most layers of mistakes to undo.
const MAX_LAYERS: u32 = 6;
/// If a byte was lost, its character is restored only with this lead, in bits, over all others that fit.
const LOST_BYTE_MARGIN: f32 = 3.0;
/// Penalty, in bits, for a letter inside a word whose last byte became a space: most such letters end a word.
const SPACE_INSIDE_WORD: f32 = 2.5;
/// The chance that a reading is wrong, for two causes: another reading is right, or the text is sound. Each starts at
/// `WRONG_…` and halves with every `HALVES_…` bits, of the lead over the next reading and of the bits saved.
///
/// ```text
/// lead over the next reading     0: 10 %      4: 5 %       8: 2.5 %
/// bits saved                     0: 20 %      6: 10 %     12: 5 %
/// ```
///
/// The larger of the two counts. So a reading that saves just the six bits of [`CLEARLY`] is about 90 % sure, the least
/// that is repaired without asking.
const HALVES_APART: f32 = 4.0;
const HALVES_GAIN: f32 = 6.0;
const WRONG_APART: f32 = 0.1;
const WRONG_GAIN: f32 = 0.2;
/// With this many bits of both, the result is 1 within the precision that is shown.
const CERTAIN: f32 = 48.0;
/// Bits that do not count for a mistake whose signs occur in sound text.
const RARE: f32 = 2.0;
/// The same for a rare charset. One or two words may be words in one of many rare charsets by chance, and nothing else
/// in the text confirms this one. Long text is hardly affected: of 500 Russian lines in MacCyrillic, 461 come back, and
/// 462 would without this. Of texts of one to three words, it is 228 instead of 357.
const RARE_CHARSET: f32 = 26.0;
/// A text that costs more than this, in bits per character, is in no language of the model, so a small advantage of a
/// reading says little. Each bit above it takes `NOISE` bits from the lead over the next reading.
pub(super) const UNREADABLE: f32 = 10.0;
const NOISE: f32 = 2.0;

/// Judges a part by the evidence so far.
pub(super) struct DamageJudge<'a> {
    pub(super) scale: &'a mut Scale,
    pub(super) evidence: &'a MistakeEvidence,
}

impl DamageJudge<'_> {
    /// Returns the reading of a damaged part, and the bits that it saves.
    pub fn judge(&mut self, part: SuspectPart<'_>) -> Option<(PartReading, f32)> {
        // Every repair makes text shorter, so real damage stays far below this. Without a limit, six layers of a dozen
        // readings each would be three million texts.
        let mut budget = 4096 + 64 * part.own.len();
        let best = self.best(part, 0, &mut budget)?;
        let own = part.with(part.own);
        let mut gain = self.scale.cost_as_is(&own) - best.cost;
        let is_foreign = |letters: LetterScript| letters != LetterScript::In(Script::Latin);
        if self.evidence.suffices(&best, gain)
            && part.isolated_new_script(&best.text).is_some_and(is_foreign)
        {
            // The reading is weighed in the languages of its script, the text as it stands in those of Latin. Languages
            // that use few ASCII letters price them low, which is no evidence for a reading in that script. So both are
            // compared in the same languages, too.
            let reading = part.with(&best.text);
            gain = gain.min(self.scale.cost_beside(&own, &reading) - best.cost);
        }
        self.evidence.suffices(&best, gain).then_some((best, gain))
    }

    /// Returns the cheapest reading, with any number of layers from here on.
    ///
    /// Each mistake that may have made the part is tried in three steps. Cheap tests on the characters rule most of
    /// them out: it must explain the whole word, and a quotation or a letter with a sign must not be sound as it is.
    /// The rest is read, and equal texts are merged, since relatives read most bytes alike. Only then is a text
    /// weighed, and read again as the next layer.
    fn best(
        &mut self,
        part: SuspectPart<'_>,
        layers: u32,
        budget: &mut usize,
    ) -> Option<PartReading> {
        // Sequences are searched once for all charsets in which the part is the same bytes.
        let mut readings: Vec<(Vec<CodePoint>, Vec<Mistake>)> = Vec::new();
        let mut known: Vec<(Mistake, Vec<MisreadSequence>)> = Vec::new();
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
        let mut best: Option<PartReading> = None;
        for (text, mistakes) in readings {
            let mut alone = [None; 2];
            let penalty = |mistake: Mistake| {
                let is_usual = self.evidence.is_usual(mistake);
                let of = || self.evidence.coincidence_penalty(is_usual, &text, part);
                let alone = *alone[usize::from(is_usual)].get_or_insert_with(of);
                (self.evidence.penalty(mistake, layers) + alone, mistake)
            };
            let mut mistakes: Vec<_> = mistakes.into_iter().map(penalty).collect();
            let least = mistakes.iter().enumerate().min_by(|(_, a), (_, b)| a.0.total_cmp(&b.0));
            let Some((least, _)) = least else { continue };
            let (penalty, mistake) = mistakes.swap_remove(least);
            let relatives = mistakes.into_iter().map(|(_, mistake)| mistake).collect();
            let is_no_text = part.has_stray_mark(&text)
                || !self.evidence.is_overwhelming && part.mixes_scripts(&text);
            // A reading that is ruled out is not weighed, but the next layer still starts from it: C1 controls between
            // two layers are normal.
            let cost = match is_no_text || penalty >= NEVER {
                true => NEVER,
                false => self.scale.cost(&part.with(&text)) + penalty,
            };
            let mistakes = vec![mistake];
            let candidate = PartReading { cost, next: f32::INFINITY, text, mistakes, relatives };
            *budget = budget.saturating_sub(candidate.text.len());
            let inner = SuspectPart { own: &candidate.text, ..part };
            if layers + 1 < MAX_LAYERS
                && *budget > 0
                && let Some(deeper) = self.best(inner, layers + 1, budget)
            {
                let relatives = candidate.relatives.clone();
                let mistakes = [mistake].into_iter().chain(deeper.mistakes).collect();
                let (cost, next) = (deeper.cost + penalty, deeper.next + penalty);
                best = better(best, PartReading { cost, next, mistakes, relatives, ..deeper });
            }
            best = better(best, candidate);
        }
        best
    }

    /// Returns the part with these sequences replaced by their readings.
    ///
    /// Where a sequence has several readings, the one is chosen that costs least in its context: up to eight characters
    /// before it, as read so far, and the next two sequences by their first reading. Choosing left to right is not
    /// optimal, but all combinations would be exponential in the number of lost bytes.
    fn read(&mut self, part: SuspectPart<'_>, found: &[MisreadSequence]) -> Vec<CodePoint> {
        let SuspectPart { before, own, after, .. } = part;
        let mut text = Vec::with_capacity(own.len());
        let mut at = 0;
        for (index, sequence) in found.iter().enumerate() {
            text.extend_from_slice(&own[at..sequence.range.start]);
            at = sequence.range.end;
            let mut reading = &sequence.reading;
            if !sequence.others.is_empty() {
                // The context after the sequence.
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
                let mut cost = |reading: &SequenceReading| {
                    let space = reading.keeps_space.then_some(0x20);
                    let own: Vec<_> =
                        reading.text.characters().iter().copied().chain(space).collect();
                    let cost = self.scale.cost(&[near, &own, &rest].concat());
                    let goes_on = rest.first().is_some_and(|cp| is_letter(*cp));
                    // With the space gone, a letter would be inside a word.
                    let inside = !reading.keeps_space && !sequence.is_cut && goes_on;
                    if inside { cost + SPACE_INSIDE_WORD } else { cost }
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
                // A byte was lost, and several characters fit about equally.
                if sequence.is_cut && next - least < LOST_BYTE_MARGIN {
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

    /// Returns how sure a reading is, from 0 to 1, if it saves `gain` bits.
    pub(super) fn sureness(
        &mut self,
        part: SuspectPart<'_>,
        found: &PartReading,
        gain: f32,
    ) -> f32 {
        let PartReading { cost, next, text, mistakes, .. } = found;
        let is_usual = mistakes.iter().all(|mistake| self.evidence.is_usual(*mistake));
        let rare = |mistake: &Mistake| match *mistake {
            mistake if self.evidence.is_usual(mistake) => 0.0,
            Mistake::Single(set) if set.needs_more() => RARE,
            Mistake::Swapped(index) if swapped::pairs()[index].needs_more() => RARE_CHARSET,
            _ => 0.0,
        };
        let rare: f32 = mistakes.iter().map(rare).sum();
        // Text without letters is in no language, which says nothing against it.
        let noise = if is_usual || count_letters(text) == 0 {
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

/// Returns the cheaper of two readings, with the cost of the next best text as its `next`.
fn better(one: Option<PartReading>, other: PartReading) -> Option<PartReading> {
    let Some(one) = one else { return Some(other) };
    let (best, worse) = if other.cost < one.cost { (other, one) } else { (one, other) };
    let next = if worse.text == best.text { worse.next } else { worse.cost };
    Some(PartReading { next: best.next.min(next), ..best })
}
