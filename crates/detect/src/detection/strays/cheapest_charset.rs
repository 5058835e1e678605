//! Chooses the charset in which the stray bytes cost least.
//!
//! Costs are bits. Most come from pairs of characters ([`RegionReading::cost`]); the constants below are added for what
//! pairs cannot express: how rare a charset is, that stray bytes are in the script and the language of their text, and
//! that most of them come from windows-1252.

use std::ops::Range;
use std::sync::OnceLock;

use super::own_pairs::{OwnPairs, TOP_LANGUAGES};
use super::region_reading::RegionReading;
use super::stray_region::StrayRegion;

use crate::detection::answer::RunnerUp;
use crate::detection::confidence::percent;
use crate::detection::detection_sample::SAMPLE;
use crate::detection::few_letters::is_vowel;
use crate::detection::typographic_signs::character;
use crate::language::{Model, Script, models};
use oxiconv_encodings::codec::{
    BytesAlone, NextRegion, Preceding, TextRepertoire, UsualBytes, next_region, not_letters,
};
use oxiconv_encodings::encoding::{CharsetCandidate, Encoding, candidates};

/// The bytes examined from the first region with a stray byte on.
pub const LOOK: usize = SAMPLE;
/// The most bytes of regions, and the most regions, by which charsets are compared.
const MAX_REGION_BYTES: usize = 8 * 1024;
const MAX_REGIONS: usize = 512;
/// With fewer distinct pairs than this, the language of a text is not certain.
const MIN_PAIRS: usize = 200;
/// The cost in bits of stray bytes in another language than the text, in another script, and in multi-byte characters
/// if the text has none. The last one is the highest, because any stray byte and the ASCII letter after it may form
/// such a character: D6 and `l` are 謑 in GBK.
const OTHER_LANGUAGE: f32 = 10.0;
const OTHER_SCRIPT: f32 = 18.0;
const EAST_ASIAN: f32 = 30.0;
/// The cost in bits of stray Latin letters in another charset than windows-1252, and of quotation marks, dashes and the
/// like, since most stray bytes come from there. A text with letters that windows-1252 lacks was hardly ever in it;
/// then it is the cost of a charset that lacks them too.
const NOT_WINDOWS_1252: f32 = 6.0;
const MARKS_NOT_WINDOWS_1252: f32 = 8.0;
/// The bits by which another encoding must be ahead of windows-1252 to be sure, in a text whose letters are known, and
/// in one of few letters.
const MIN_LEAD: f32 = 6.0;
const MIN_LEAD_IN_SHORT_TEXT: f32 = 16.0;

/// The answer for the stray bytes of a text.
#[derive(Clone, Debug)]
pub struct Strays {
    /// The encoding that most likely reads them.
    pub encoding: &'static Encoding,
    /// Whether there is evidence for that. In a short text, letters outside of words could be any, and are most likely
    /// windows-1252.
    pub(crate) tells: bool,
    /// Whether it is windows-1252, as for most stray bytes, or far more likely than that.
    pub is_sure: bool,
    /// Whether it can decode all ill-formed bytes.
    pub reads_all: bool,
    /// The characters of the well-formed part.
    pub known: TextRepertoire,
}

/// Judges the stray bytes of a text that begins with `start`. `rest` begins with the first region that has any; it may
/// be the whole text, with an empty `start`. `last` says that the text ends with it.
///
/// `None` if there are no stray bytes, or none that any charset reads. Surrogates and truncated characters are not
/// letters, so they do not count.
pub fn judge(start: &[u8], rest: &[u8], last: bool) -> Option<Strays> {
    let text = StrayEvidence::of(start, rest, last)?;
    let costs = text.costs();
    let (best, least) = text.best(&costs)?;
    let Costed { encoding, reads_all, .. } = *best;
    let western = costs.iter().find(|costed| costed.encoding == Encoding::WINDOWS_1252);
    let tells = text.tells(encoding);
    let is_western = encoding == Encoding::WINDOWS_1252;
    let is_ahead = western.is_none_or(|western| western.cost - least >= text.ahead());
    let is_sure = tells && (is_western || is_ahead);
    Some(Strays { encoding, tells, is_sure, reads_all, known: text.known })
}

/// Returns the characters of the well-formed part of a text, as [`judge`] does, for stray bytes whose encoding is
/// known.
pub fn repertoire(start: &[u8], rest: &[u8], last: bool) -> Option<TextRepertoire> {
    StrayEvidence::of(start, rest, last).map(|text| text.known)
}

/// Returns the charsets that may read the stray bytes of a text, the most likely one first, with their shares in
/// percent, and the characters of its well-formed part. Shares below 1 % are left out. The arguments are as for
/// [`judge`], and so is the first charset.
///
/// A share follows from the odds, which are taken from half the bits, as for whole texts (`letters.rs`). If the bytes
/// do not tell, the same few occur over and over, and are worth no more than once: then no share is 90 % or more.
pub fn ranking(start: &[u8], rest: &[u8], last: bool) -> Option<(Vec<RunnerUp>, TextRepertoire)> {
    let text = StrayEvidence::of(start, rest, last)?;
    let costs = text.costs();
    let (best, least) = text.best(&costs)?;
    let best = best.encoding;
    let (times, most) = if text.tells(best) { (1.0, 99) } else { (text.repetitions(), 89) };
    let odds = |costed: &Costed| match costed.encoding == best {
        true => 1.0,
        false => libm::exp2f((least - costed.cost) / times / 2.0),
    };
    let mut ranked: Vec<_> = costs.iter().map(|it| (it.encoding, odds(it))).collect();
    // One that is as likely as the answer comes after it.
    ranked.sort_by(|one, other| {
        (one.0 != best).cmp(&(other.0 != best)).then(other.1.total_cmp(&one.1))
    });
    let all: f32 = ranked.iter().map(|(_, odds)| odds).sum();
    let share = |odds: f32| percent((odds / all).into()).min(most);
    let ranked =
        ranked.into_iter().map(|(encoding, odds)| RunnerUp { encoding, confidence: share(odds) });
    Some((ranked.filter(|it| it.confidence > 0).collect(), text.known))
}

/// Whether what looks like truncated characters are in fact letters of the same encoding as the stray bytes. Among many
/// stray bytes, a few have that shape by chance.
pub fn are_letters_too(cut: u64, strays: u64) -> bool {
    /// The most stray bytes per truncated character.
    const STRAYS_PER_CUT: u64 = 8;
    cut * STRAYS_PER_CUT < strays
}

/// What the stray bytes of a text are judged by: the pairs of letters and the characters of its well-formed part, and
/// the regions that have stray bytes.
struct StrayEvidence<'t> {
    own: OwnPairs,
    known: TextRepertoire,
    regions: Vec<StrayRegion<'t>>,
}

impl<'t> StrayEvidence<'t> {
    /// Divides a text into its well-formed part and its regions with stray bytes.
    ///
    /// Truncated characters are excluded from the regions at first, because no charset should have to read them. But a
    /// few of many stray bytes have the shape of a truncated character by chance. So if such shapes are few compared to
    /// the stray bytes, all of them are letters, and the regions are made again.
    ///
    /// Everything well-formed is looked at, but only the first [`MAX_REGIONS`] regions are kept: each charset reads all
    /// of them, so their number bounds the work. They are made after the whole text was seen, because what a truncated
    /// character is depends on all of its well-formed characters.
    fn of(start: &[u8], rest: &'t [u8], last: bool) -> Option<Self> {
        let start = match std::str::from_utf8(start) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&start[..error.valid_up_to()]).unwrap_or_default(),
        };
        let rest = &rest[..rest.len().min(LOOK)];
        let (mut own, mut known) = (OwnPairs::default(), TextRepertoire::default());
        let look = |text: &str, own: &mut OwnPairs, known: &mut TextRepertoire| {
            own.look(text);
            known.look(text);
        };
        look(start, &mut own, &mut known);
        let mut before = start.chars().next_back().unwrap_or(' ');
        let (mut at, mut bytes, mut found) = (0, 0, Vec::new());
        while let NextRegion::At(region) = next_region(&rest[at..], last, false) {
            let region = at + region.start..at + region.end;
            let text = std::str::from_utf8(&rest[at..region.start]).unwrap_or_default();
            look(text, &mut own, &mut known);
            known.look_at_region(&rest[region.clone()]);
            before = text.chars().next_back().unwrap_or(before);
            if bytes < MAX_REGION_BYTES && found.len() < MAX_REGIONS {
                bytes += region.len();
                let after = rest.get(region.end).filter(|byte| byte.is_ascii());
                let after = after.map_or(' ', |byte| char::from(*byte));
                found.push((region.clone(), before, after));
            }
            before = ' ';
            at = region.end;
        }
        look(std::str::from_utf8(&rest[at..]).unwrap_or_default(), &mut own, &mut known);
        known.look_at_bytes(start.as_bytes());
        known.look_at_bytes(rest);
        let after = start.bytes().next_back();
        let region = |(region, before, next): &(Range<usize>, char, char),
                      usual: Option<&UsualBytes>| {
            let previous = region.start.checked_sub(1).map(|at| rest[at]).or(after);
            let before_it = Preceding::of_byte(previous);
            let cuts = usual.map(|usual| not_letters(rest, region.clone(), before_it, last, usual));
            let cuts = cuts.into_iter().flatten();
            let cuts = cuts.map(|cut| cut.start - region.start..cut.end - region.start).collect();
            StrayRegion { bytes: &rest[region.clone()], before: *before, after: *next, cuts }
        };
        let mut regions: Vec<_> = found.iter().map(|it| region(it, known.usual())).collect();
        let strays: usize = regions.iter().map(StrayRegion::strays).sum();
        let cut: usize = regions.iter().map(StrayRegion::cut).sum();
        if are_letters_too(cut as u64, strays as u64) {
            known.take_all_for_letters();
            regions = found.iter().map(|it| region(it, known.usual())).collect();
        }
        regions.retain(|region| region.strays() > 0);
        (!regions.is_empty()).then_some(StrayEvidence { own, known, regions })
    }

    /// Returns what the regions cost in each charset that reads any of them.
    ///
    /// On top of what the pairs cost, a charset pays for its rarity, and for not being windows-1252 (`usual`). The arms
    /// give the cases in order: windows-1252 itself, if it has the letters of the text; readings of quotation marks and
    /// dashes only; other signs, which no other charset is believed to explain; Latin letters in a text with letters
    /// that windows-1252 lacks, such as Polish, where any charset that has them is as usual; other Latin letters; and
    /// letters of other scripts, for which windows-1252 is no rival.
    fn costs(&self) -> Vec<Costed> {
        let Self { own, known, regions } = self;
        let languages = own.languages();
        let letters = own.latin_letters();
        let western_has_letters = Encoding::WINDOWS_1252.encodes(&letters);
        let costed = charsets().iter().filter_map(|(candidate, bytes)| {
            let CharsetCandidate { encoding, rarity, .. } = *candidate;
            let mut mixed = encoding.mixed_by(bytes.clone());
            let reading = RegionReading::of(regions, &mut mixed, known)?;
            let is_east_asian =
                matches!(reading.script(), Some(Script::Han | Script::Kana | Script::Hangul));
            // A single multi-byte character is no evidence unless the text has others: any byte and the ASCII letter
            // after it may form one.
            if is_east_asian && reading.longest < 2 && !known.has_east_asian() {
                return None;
            }
            let is_western = encoding == Encoding::WINDOWS_1252;
            let lacks_letters = !encoding.encodes(&letters);
            let usual = match reading.script() {
                _ if is_western && !lacks_letters => 0.0,
                None if reading.is_of_marks() => MARKS_NOT_WINDOWS_1252,
                None if !is_western => return None,
                None => NOT_WINDOWS_1252,
                Some(Script::Latin) if !western_has_letters && !lacks_letters => 0.0,
                Some(Script::Latin) => NOT_WINDOWS_1252,
                Some(_) => 0.0,
            };
            let cost = cost(&reading, own, &languages) + rarity as f32 + usual;
            let (reads_all, is_of_marks) = (reading.is_complete(), reading.is_of_marks());
            let is_in_words = reading.is_inside_words();
            let is_of_signs = reading.script().is_none();
            Some(Costed {
                cost,
                encoding,
                reads_all,
                lacks_letters,
                is_of_marks,
                is_of_signs,
                is_in_words,
            })
        });
        costed.collect()
    }

    /// Returns the charset that is the answer, and the cost of the cheapest one.
    fn best<'c>(&self, costs: &'c [Costed]) -> Option<(&'c Costed, f32)> {
        let best = costs.iter().min_by(|one, other| one.cost.total_cmp(&other.cost))?;
        let western = costs.iter().find(|costed| costed.encoding == Encoding::WINDOWS_1252);
        let western = western.filter(|it| self.is_usual(it, it.cost - best.cost));
        Some((western.unwrap_or(best), best.cost))
    }

    /// Whether windows-1252 is the answer although its reading is `behind` bits more expensive than the cheapest,
    /// because most stray bytes come from it. That holds if the cheapest reading has little evidence: a single byte in
    /// a short text, quotation marks and dashes, which are the most frequent, or one sign over and over. A repeated
    /// sign is worth no more than one, so the bits are divided by the number of repetitions.
    fn is_usual(&self, western: &Costed, behind: f32) -> bool {
        if !western.reads_all || western.is_in_words || western.lacks_letters {
            return false;
        }
        if self.regions.iter().flat_map(StrayRegion::stray_bytes).count() == 1 {
            let most = if western.is_of_marks { self.ahead() } else { MIN_LEAD };
            return self.is_short() && behind < most;
        }
        western.is_of_signs
            && behind / self.repetitions() < self.ahead()
            && self.regions.iter().all(StrayRegion::stands_as_signs)
    }

    /// Returns how many times each stray byte occurs, on average.
    fn repetitions(&self) -> f32 {
        let (mut count, mut is_stray) = (0, [false; 256]);
        for byte in self.regions.iter().flat_map(StrayRegion::stray_bytes) {
            count += 1;
            is_stray[usize::from(byte)] = true;
        }
        let different = is_stray.iter().filter(|is_stray| **is_stray).count();
        count as f32 / different.max(1) as f32
    }

    /// Whether there is evidence for an encoding. In a short text, a letter outside of a word could be any.
    fn tells(&self, encoding: &Encoding) -> bool {
        let is_long = encoding == Encoding::WINDOWS_1252
            || !self.is_short()
            || self.regions.iter().any(StrayRegion::is_of_word);
        is_long && self.goes_with_letters(encoding)
    }

    /// Whether the letters beside a single stray byte agree with what an encoding makes of it. A Latin letter does not
    /// stand next to a Japanese one. A letter by itself is a word only if it is a vowel in Latin text.
    fn goes_with_letters(&self, encoding: &Encoding) -> bool {
        let [region] = &self.regions[..] else { return true };
        let Some((byte, beside)) = region.only_stray() else { return true };
        // The byte may be part of a multi-byte character.
        let Some(cp) = character(encoding, byte) else { return true };
        let script = Script::of(cp);
        let beside: Vec<_> = beside.into_iter().filter_map(|c| Script::of(c.into())).collect();
        if beside.is_empty() {
            let languages = self.own.languages();
            let is_latin = || languages.first().is_none_or(|it| it.script == Script::Latin);
            return script.is_none_or(|it| it == Script::Latin && is_vowel(cp) && is_latin());
        }
        let goes = |beside: &&Script| match (script, beside) {
            (None, Script::Han | Script::Kana | Script::Hangul) => false,
            (script, beside) => script.is_none_or(|script| script == **beside),
        };
        2 * beside.iter().filter(goes).count() > beside.len()
    }

    fn is_short(&self) -> bool {
        self.own.different() < MIN_PAIRS / 2
    }

    fn ahead(&self) -> f32 {
        if self.is_short() { MIN_LEAD_IN_SHORT_TEXT } else { MIN_LEAD }
    }
}

/// The cost of the stray bytes in an encoding, in bits, and what it makes of them: whether it `reads_all` of them,
/// `lacks_letters` that the well-formed part has, and whether the bytes are punctuation marks, not letters at all, or
/// within words where they do not belong.
struct Costed {
    cost: f32,
    encoding: &'static Encoding,
    reads_all: bool,
    lacks_letters: bool,
    is_of_marks: bool,
    is_of_signs: bool,
    is_in_words: bool,
}

/// Returns the cost of a reading in bits, in the language in which it is least.
///
/// The likely languages of the text come first. Other languages with the script of the reading are tried if none of
/// those has that script, or if the text is too short to know its language. They cost extra. If no likely language has
/// the script, the likely ones cost extra as well.
fn cost(reading: &RegionReading, own: &OwnPairs, languages: &[&Model]) -> f32 {
    let script = reading.script();
    let includes = |model: &&Model| script.is_none_or(|script| model.script.includes(script));
    let is_known = languages.iter().any(includes);
    let rise = match script {
        _ if is_known => OTHER_LANGUAGE,
        Some(Script::Han | Script::Kana | Script::Hangul) => EAST_ASIAN,
        _ => OTHER_SCRIPT,
    };
    let of_text = languages.iter().map(|model| reading.cost(own, model));
    let of_text = of_text.map(|cost| if is_known { cost } else { cost + rise });
    let foreign = models().iter().filter(|model| script == Some(model.script));
    let foreign = foreign.filter(|_| !is_known || own.different() < MIN_PAIRS);
    let foreign = reading.cheapest(foreign, TOP_LANGUAGES).into_iter();
    let foreign = foreign.map(|model| reading.cost(own, model) + rise);
    of_text.chain(foreign).fold(f32::INFINITY, f32::min)
}

/// Returns the charsets that stray bytes among UTF-8 can be in: stateless supersets of ASCII.
fn charsets() -> &'static [(CharsetCandidate, BytesAlone)] {
    static CHARSETS: OnceLock<Vec<(CharsetCandidate, BytesAlone)>> = OnceLock::new();
    CHARSETS.get_or_init(|| {
        let all = candidates().filter(|candidate| may_be_among_utf8(candidate.encoding));
        all.map(|candidate| (candidate, candidate.encoding.bytes_alone())).collect()
    })
}

/// Whether stray bytes among UTF-8 can be in this encoding.
pub fn may_be_among_utf8(encoding: &Encoding) -> bool {
    encoding.may_be_fallback() && encoding.has_ascii()
}

#[cfg(test)]
mod tests;
