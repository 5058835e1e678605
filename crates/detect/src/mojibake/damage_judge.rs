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
use super::sequences::MisreadSequence;
use super::suspect_part::{LetterScript, SuspectPart, count_letters};
use super::weigh::Scale;
use super::{controls, lost_bytes, swapped};
use crate::language::{MISPLACED, Script};
use oxiconv_encodings::unicode::CodePoint;

/// The most layers of mistakes to undo.
const MAX_LAYERS: u32 = 6;
/// Penalty, in bits, for a combining accent without a letter before it. It belongs to nothing, except in crossed-out
/// digits and in faces such as `(ง'̀⌣'́)ง`.
const STRAY_ACCENT: f32 = 20.0;
/// Rebate, in bits, for signs in place of control codes, which sound text does not have.
const CONTROL: f32 = 6.0;
/// Rebate, in bits, for a Greek letter as a symbol, compared with any other sign.
const SYMBOL: f32 = 8.0;
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
    /// Whether only mistakes that were found before are looked for.
    pub(super) only_found: bool,
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
        if part.is_in_line() {
            // A letter of another script in the line would have all of it weighed in the languages of that script.
            gain = gain.min(self.scale.cost_beside(&own, &part.with(&best.text)) - best.cost);
        }
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

    /// Returns the cheapest reading, with any number of layers from here on. A reading that is itself damaged is read
    /// again, as the next layer.
    fn best(
        &mut self,
        part: SuspectPart<'_>,
        layers: u32,
        budget: &mut usize,
    ) -> Option<PartReading> {
        let mut best: Option<PartReading> = None;
        let readings = self.readings(part, layers);
        let is_utf8 = readings.iter().any(|(_, mistakes)| mistakes[0] != Mistake::Controls);
        for (text, mistakes) in readings {
            let mut alone = [None; 2];
            let penalty = |mistake: Mistake| {
                let is_usual = self.evidence.is_usual(mistake);
                let of = || match mistake == Mistake::Controls {
                    true => 0.0,
                    false => self.evidence.coincidence_penalty(is_usual, &text, part),
                };
                let alone = *alone[usize::from(is_usual)].get_or_insert_with(of);
                (self.evidence.penalty(mistake, layers) + alone, mistake)
            };
            let mut mistakes: Vec<_> = mistakes.into_iter().map(penalty).collect();
            let least = mistakes.iter().enumerate().min_by(|(_, a), (_, b)| a.0.total_cmp(&b.0));
            let Some((least, _)) = least else { continue };
            let (penalty, mistake) = mistakes.swap_remove(least);
            let relatives = mistakes.into_iter().map(|(_, mistake)| mistake).collect();
            let is_no_text = part.has_new_control(&text)
                || mistake == Mistake::Controls
                    && (controls::are_no_signs(part, &text) || self.is_windows_1250(part, &text))
                || !self.evidence.is_usual(mistake) && part.mixes_scripts(&text);
            // A reading that is ruled out is not weighed, but the next layer still starts from it: C1 controls between
            // two layers are normal.
            let cost = match is_no_text || penalty >= NEVER {
                true => NEVER,
                false => self.cost(part, &text, mistake) + penalty,
            };
            let mistakes = vec![mistake];
            let candidate = PartReading { cost, next: f32::INFINITY, text, mistakes, relatives };
            *budget = budget.saturating_sub(candidate.text.len());
            let inner = SuspectPart { own: &candidate.text, ..part };
            // With its signs, UTF-8 says the same as without.
            let is_last = layers + 1 == MAX_LAYERS || mistake == Mistake::Controls && is_utf8;
            if !is_last
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

    /// Returns the readings of a part, and the mistakes that each of them undoes.
    ///
    /// Cheap tests on the characters rule most mistakes out: one must explain the whole word, and a quotation or a
    /// letter with a sign must not be sound as it is. The rest is read, and equal texts are merged, since relatives read
    /// most bytes alike.
    fn readings(
        &mut self,
        part: SuspectPart<'_>,
        layers: u32,
    ) -> Vec<(Vec<CodePoint>, Vec<Mistake>)> {
        // Sequences are searched once for all charsets in which the part is the same bytes.
        let mut readings: Vec<(Vec<CodePoint>, Vec<Mistake>)> = Vec::new();
        let mut known: Vec<(Mistake, Vec<MisreadSequence>)> = Vec::new();
        let (only_found, evidence) = (self.only_found, self.evidence);
        let may_be = |mistake: &Mistake| {
            // Two layers of ISO-8859-1 have control codes between them.
            (layers == 0 || *mistake != Mistake::Controls)
                && (!only_found || evidence.found(*mistake))
        };
        for mistake in Mistake::possible(part.own).filter(may_be) {
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
            let text = lost_bytes::read(self.scale, part, found);
            match readings.iter_mut().find(|(known, _)| *known == text) {
                Some((_, mistakes)) => mistakes.push(mistake),
                None => readings.push((text, vec![mistake])),
            }
        }
        readings
    }

    /// Whether control codes are letters of windows-1250 rather than those of windows-1252 that `text` has:
    /// `wyj\u{9C}cie` is `wyjście`.
    fn is_windows_1250(&mut self, part: SuspectPart<'_>, text: &[CodePoint]) -> bool {
        let central = controls::as_central(part.own);
        central != text && self.scale.cost(&part.with(&central)) < self.scale.cost(&part.with(text))
    }

    /// Returns what a reading costs with the words around it, in bits.
    fn cost(&mut self, part: SuspectPart<'_>, text: &[CodePoint], mistake: Mistake) -> f32 {
        let whole = part.with(text);
        if part.is_greek_symbol(text, self.evidence.is_usual(mistake)) {
            let is_in_word = !part.before.is_empty() || !part.after.is_empty();
            let rebate = SYMBOL + if is_in_word { MISPLACED as f32 } else { 0.0 };
            return self.scale.cost_beside(&whole, part.own) - rebate;
        }
        let penalty = match mistake == Mistake::Controls {
            true => -CONTROL,
            false if part.has_stray_accent(text) => STRAY_ACCENT,
            false => 0.0,
        };
        self.scale.cost(&whole) + penalty
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
        // Among signs that occur in sound text, letters that are no word are chance: `├┤a┼┐a` would be `ôaſa`.
        let is_of_signs =
            |mistake: &Mistake| matches!(mistake, Mistake::Single(set) if set.needs_more());
        let is_latin = text.iter().all(|cp| matches!(Script::of(*cp), None | Some(Script::Latin)));
        let unreadable = match is_latin && mistakes.iter().any(is_of_signs) {
            true => noise / NOISE * part.with(text).len() as f32,
            false => 0.0,
        };
        let apart = next - cost - noise;
        let gain = gain - rare - unreadable + if is_usual { CLEARLY - CLEARLY_USUAL } else { 0.0 };
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
