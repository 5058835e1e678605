//! The order in which evidence is examined. The first kind that has an answer decides.
//!
//! The order is from what cannot be chance to what may be:
//!
//! 1. A byte order mark.
//! 2. Wide code units. They come before anything that looks at single bytes, because the bytes of UTF-16 may all be
//!    ASCII: Latin letters with a NUL after each, or `4E 0A`, which is U+4E0A.
//! 3. Escape sequences and shifts. All but one of these encodings are made of ASCII bytes, so ASCII must wait for them.
//! 4. A declaration, but only in two cases: the sample is ASCII, or the little UTF-8 in it may be chance.
//! 5. Pure ASCII. Hebrew in EBCDIC is ASCII bytes too, and is looked for here.
//! 6. UTF-8 and its relatives. Well-formed UTF-8 is text, whatever controls it has. In anything else, too many controls
//!    mean data, which is examined before nearly valid UTF-8 is accepted.
//! 7. Data that is not text, whatever it declares.
//! 8. A declaration in all other cases.
//! 9. Letters. They come last because some charset is always the most likely one, so they have an answer for anything.
//!
//! A declaration takes part twice because both errors are common. A text with the single word `Её` in windows-1251 is
//! well-formed UTF-8 by chance (C5 B8 is Ÿ), and the declaration is right. But a page that was converted to UTF-8 often
//! keeps its old declaration. When that was believed, `-f auto -i` converted 112 of 418 such files, each with one or
//! two letters beyond ASCII, a second time. `declaration/credibility.rs` tells the two apart.

use std::cell::OnceCell;

use super::answer::{Detection, Evidence};
use super::detection_sample::{DetectionSample, MARK, SAMPLE};
use super::expected::Expected;
use super::letter_lists::is_letter_list;
use super::other_lines::OtherLines;
use super::restored_answer::of_escaped;
use super::strays::{self, Strays};
use super::utf8_census::{Census, Utf8Verdict};
use super::{binary_data, declaration, escape_sequences, few_letters, letters, wide};
use crate::language::{Language, LanguageSet, Script};
use oxiconv_encodings::codec::{Preceding, RestoredText, UsualBytes, not_letters};
use oxiconv_encodings::encoding::{Encoding, LONGEST_MARK, marked};

/// Detects the encoding of a text.
///
/// ```
/// # use oxiconv_detect as oxiconv;
/// use oxiconv::{Detector, Encoding};
///
/// let detection = Detector::new().detect("grün".as_bytes());
/// assert_eq!(detection.encoding, Encoding::UTF_8);
/// assert!(detection.is_enough());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detector {
    ignores_declarations: bool,
    expected: Expected,
}

impl Detector {
    /// Creates a detector that believes declarations and expects any language.
    #[must_use]
    pub const fn new() -> Self {
        let expected = Expected { languages: LanguageSet::new(), candidates: None };
        Self { ignores_declarations: false, expected }
    }

    /// Ignores what a text declares about its own encoding.
    #[must_use]
    pub const fn ignore_declarations(mut self) -> Self {
        self.ignores_declarations = true;
        self
    }

    /// Expects the text to be in this language; called repeatedly, in one of several languages. Only encodings that
    /// were used for them are tried.
    #[must_use]
    pub const fn language(mut self, language: Language) -> Self {
        self.expected.languages = self.expected.languages.with(language);
        self
    }

    /// Expects the text to be in one of these encodings. Pure ASCII, UTF-8 and texts with a byte order mark are still
    /// recognized, because they need no guess.
    #[must_use]
    pub const fn candidates(mut self, candidates: &'static [&'static Encoding]) -> Self {
        self.expected.candidates = Some(candidates);
        self
    }

    /// Returns the answer for the start of a text without ASCII, if it is in EBCDIC.
    #[doc(hidden)]
    pub fn ebcdic(&self, start: &[u8]) -> Option<Detection> {
        letters::ebcdic(&DetectionSample::of(start, false), self.expected)
    }

    #[doc(hidden)]
    pub const fn expected(&self) -> Expected {
        self.expected
    }

    /// Returns the most likely encoding of a whole text. It is judged by its first 4 KiB and the first 128 KiB from
    /// where it stops being ASCII.
    #[must_use]
    pub fn detect(&self, text: &[u8]) -> Detection {
        let sample = DetectionSample::of(text, true);
        self.judge_behind_mark(&sample).unwrap_or_else(Detection::nothing)
    }

    /// Returns the most likely encoding of a text that begins with `start`; `None` if more of it is needed. `last` says
    /// that this is all of it.
    #[doc(hidden)]
    pub fn detect_start(&self, start: &[u8], last: bool) -> Option<Detection> {
        self.judge_behind_mark(&DetectionSample::of(start, last))
    }

    /// Returns the most likely encoding of a text; `None` if more of it is needed. A byte order mark is enough,
    /// whatever follows.
    ///
    /// Anything else is judged only when the sample is full or the text has ended. If less were enough in clear cases,
    /// the answer would depend on how many bytes happened to have arrived.
    #[doc(hidden)]
    pub fn judge(&self, sample: &DetectionSample<'_>) -> Option<Detection> {
        // FF FE is the mark of UTF-16LE, but it may also be the start of FF FE 00 00, the mark of UTF-32LE.
        let awaits_mark = !sample.whole && sample.head.len() < LONGEST_MARK;
        if let Some(scheme) = marked(sample.head).filter(|_| !awaits_mark) {
            return Some(Detection::new(scheme, 100, Evidence::Mark));
        }
        let is_enough = sample.whole || sample.bytes.len() >= SAMPLE;
        is_enough.then(|| self.judge_without_mark(sample).0.complete())
    }

    /// Does the same, and for a text with a byte order mark of UTF-8 also reports what is ill-formed after it.
    ///
    /// The rest is judged by [`Self::judge_without_mark`] and not by [`Self::judge`]: it is three bytes shorter than a
    /// full sample, so `judge` would ask for more. The mark decides that the text is UTF-8. What the rest looks like
    /// only says what its ill-formed bytes are: stray bytes if it looks like UTF-8, or letters of the charset that it
    /// looks like as a whole.
    pub(super) fn judge_behind_mark(&self, sample: &DetectionSample<'_>) -> Option<Detection> {
        let detection = self.judge(sample)?;
        let rest = sample
            .bytes
            .strip_prefix(MARK.as_bytes())
            .filter(|_| detection.evidence == Evidence::Mark);
        let Some(rest) = rest else { return Some(detection) };
        if !sample.whole && sample.bytes.len() < SAMPLE {
            return None;
        }
        let rest = DetectionSample { head: &sample.head[MARK.len()..], bytes: rest, ..*sample };
        let census = Census::alone(rest.bytes, None, rest.whole);
        let of_rest = self.judge_without_mark(&rest).0;
        if let Some(others) = of_rest.others.filter(|others| others.escaped > 0) {
            return Some(Detection { others: Some(others), ..detection });
        }
        let of_letters = of_rest.is_by_letters().then_some(of_rest.encoding);
        let fallback = of_rest.others.and_then(|others| others.fallback).or(of_letters);
        Some(Detection { others: census.others(fallback), ..detection })
    }

    /// Returns the most likely encoding of a text without a byte order mark, and its stray bytes if it is UTF-8 that
    /// has any. Bytes that Python has escaped are restored first.
    pub(super) fn judge_without_mark(
        &self,
        sample: &DetectionSample<'_>,
    ) -> (Detection, Option<Strays>) {
        let restored = RestoredText::of(sample.bytes, sample.whole);
        let of_restored = restored.and_then(|RestoredText { bytes, restored }| {
            let detection = self.judge_bytes(&DetectionSample { bytes: &bytes, ..*sample }).0;
            of_escaped(detection, restored.len() as u64)
        });
        match of_restored {
            Some(detection) => (detection, None),
            None => self.judge_bytes(sample),
        }
    }

    /// Does the same, and takes all bytes for what they are.
    ///
    /// The chain below is the order of evidence in the module's header. Only answers by letters are examined further: a
    /// single sign may have decided them (`few_letters.rs`), or the lines may be in several charsets.
    fn judge_bytes(&self, sample: &DetectionSample<'_>) -> (Detection, Option<Strays>) {
        let alone = |detection| (detection, None);
        let allows = |detection: &Detection| self.expected.allows(detection.encoding);
        let declared = (!self.ignores_declarations).then(|| declaration::judge(sample)).flatten();
        let declared = declared.filter(|it| it.encoding == Encoding::UTF_8 || allows(it));
        let declared = declared.filter(|it| !declaration::is_refuted(sample, it, self.expected));
        let is_ascii = sample.bytes.is_ascii();
        let decided = declared
            .clone()
            .filter(|declared| is_ascii || declaration::reads_better_than_utf8(sample, declared));
        // What only the shape of a few bytes says is compared with what their letters say.
        let by_letters = OnceCell::new();
        let by_letters =
            || by_letters.get_or_init(|| letters::judge(sample, self.expected)).clone();
        let answer = wide::judge(sample)
            .filter(|it| {
                allows(it) && !(may_be_words(sample) && contradicts(&by_letters(), it.confidence))
            })
            .or_else(|| escape_sequences::judge(sample, self.expected))
            .or(decided)
            .or_else(|| ascii(sample, self.expected))
            .map(alone)
            .or_else(|| utf8(sample, &by_letters))
            .or_else(|| binary_data::judge(sample).or(declared).map(alone))
            .unwrap_or_else(|| alone(by_letters()));
        let (detection, strays) = answer;
        let is_by_letters = detection.evidence == Evidence::Letters;
        // The rules below count non-ASCII bytes and look for UTF-8, which makes sense only in supersets of ASCII. In
        // EBCDIC, many letters are bytes of ASCII, so a long text may seem to have few letters, and a capital and a
        // small letter in a row may form a character of UTF-8.
        if !is_by_letters || !detection.encoding.has_ascii() {
            return (detection, strays);
        }
        if is_letter_list(sample) {
            let confidence = detection.confidence.min(Detection::ENOUGH - 1);
            return alone(Detection { confidence, ..detection });
        }
        let detection = few_letters::weigh(sample, detection, self.expected);
        unless_of_lines(sample, detection, self.expected)
    }
}

/// Returns the answer for a sample of ASCII bytes, which may still be Hebrew in EBCDIC, or data.
fn ascii(sample: &DetectionSample<'_>, expected: Expected) -> Option<Detection> {
    let nothing = || binary_data::judge(sample).unwrap_or_else(Detection::nothing);
    sample.bytes.is_ascii().then(|| letters::ebcdic(sample, expected).unwrap_or_else(nothing))
}

/// Returns the answer for UTF-8 and its relatives unless they occur by chance, and the stray bytes.
///
/// The census counts sequences and says which of the cases it is. Three questions remain. Is it data, which has a few
/// well-formed sequences as well? What are the stray bytes, if any? And are the lines in several charsets, so that no
/// single fallback reads them?
fn utf8(
    sample: &DetectionSample<'_>,
    by_letters: &dyn Fn() -> Detection,
) -> Option<(Detection, Option<Strays>)> {
    let before = &sample.ascii();
    let census = Census::alone(sample.bytes, before.last().copied(), sample.whole);
    let (evidence, encoding) = match census.verdict() {
        Utf8Verdict::WellFormed => {
            return Some((Detection::new(Encoding::UTF_8, 99, Evidence::WellFormed), None));
        }
        _ if binary_data::judge(sample).is_some() => return None,
        // In IBM866, р to я are lead bytes of UTF-8 and а to п are continuation bytes, so a word often contains a
        // well-formed sequence.
        Utf8Verdict::WithOthers
            if census.may_be_chance() && contradicts(&by_letters(), census.confidence()) =>
        {
            return None;
        }
        Utf8Verdict::WithOthers | Utf8Verdict::Lines => {
            (Evidence::MostlyWellFormed, Encoding::UTF_8)
        }
        Utf8Verdict::Relative(encoding) => (Evidence::SurrogatePairs, encoding),
        Utf8Verdict::Other => return None,
    };
    let mut strays = strays::judge(before, sample.bytes, sample.whole);
    // If nothing but surrogate pairs is UTF-8, then the letters between them are all in a charset. They are judged as a
    // text without the pairs. As stray bytes, they would be compared with the non-ASCII letters of the well-formed
    // part, and there are none.
    if let (Utf8Verdict::Relative(_), 0, Some(strays)) =
        (census.verdict(), census.characters, &mut strays)
    {
        let bytes = without_wide_sequences(sample.bytes);
        let of_rest =
            letters::judge(&DetectionSample { bytes: &bytes, ..*sample }, Expected::default());
        if of_rest.is_enough() && strays::may_be_among_utf8(of_rest.encoding) {
            (strays.encoding, strays.tells) = (of_rest.encoding, true);
        }
    }
    let told = strays.as_ref().filter(|strays| strays.tells);
    let fallback = told.map(|strays| strays.encoding);
    let detection = Detection::new(encoding, census.confidence(), evidence);
    // Lines in two legacy charsets may contain enough well-formed sequences by chance to pass for UTF-8 with stray
    // bytes. Then no single fallback reads them, so the lines are compared before that answer is given.
    let of_several =
        || census.may_be_of_lines().then(|| OtherLines::main_of_several(sample.bytes)).flatten();
    if evidence == Evidence::MostlyWellFormed
        && let Some(encoding) = of_several()
    {
        return Some((Detection { encoding, evidence: Evidence::Lines, ..detection }, None));
    }
    let detection = match (census.verdict(), fallback) {
        (Utf8Verdict::Lines, Some(encoding)) => {
            Detection { encoding, evidence: Evidence::Lines, ..detection }
        }
        _ => Detection { others: census.others(fallback), ..detection },
    };
    Some((detection, strays))
}

/// A text with fewer bytes may look like UTF-16 by chance, and words have at least so many letters beyond ASCII.
const SHORT: usize = 64;
const LETTERS_OF_WORDS: usize = 3;
/// The confidence, in percent, from which an answer by letters contradicts one by the shape of a few bytes, and from
/// which the latter is not contradicted.
const SURE: u8 = 90;

/// Whether a short text may be words in a charset: it has some letters, and no control, which UTF-16 has in many places.
fn may_be_words(sample: &DetectionSample<'_>) -> bool {
    let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    sample.whole
        && sample.head.len() < SHORT
        && !sample.head.iter().any(is_control)
        && sample.head.iter().filter(|byte| !byte.is_ascii()).count() >= LETTERS_OF_WORDS
}

/// Whether the letters of a text are sure evidence against an answer by the shape of a few bytes, which has a
/// confidence of `by_shape` percent. Only words in other scripts than Latin are: all of their letters are non-ASCII.
fn contradicts(by_letters: &Detection, by_shape: u8) -> bool {
    let is_latin = |language: Language| language.model().script == Script::Latin;
    by_shape < SURE
        && by_letters.confidence >= SURE
        && by_letters.language.is_some_and(|language| !is_latin(language))
}

/// Removes surrogates and the other sequences of RFC 2279, which are letters in no charset. What remains is the text
/// between them: the ranges from the end of each sequence to the start of the next one.
fn without_wide_sequences(text: &[u8]) -> Vec<u8> {
    let all = 0..text.len();
    let forms = not_letters(text, all, Preceding::Start, true, &UsualBytes::default());
    let starts = forms.iter().map(|form| form.end);
    let ends = forms.iter().map(|form| form.start).chain([text.len()]);
    [0].into_iter()
        .chain(starts)
        .zip(ends)
        .flat_map(|(start, end)| &text[start..end])
        .copied()
        .collect()
}

/// Returns the answer for a text in a charset, unless its lines are in several encodings: in two charsets, or in one
/// with words in UTF-8. In the latter case, the bytes that are not UTF-8 decide which charset it is, because the
/// letters that were judged included the words in UTF-8.
///
/// Lines are not compared if the caller expects a language or an encoding, since the comparison tries all charsets.
fn unless_of_lines(
    sample: &DetectionSample<'_>,
    detection: Detection,
    expected: Expected,
) -> (Detection, Option<Strays>) {
    if expected == Expected::default()
        && let Some(encoding) = OtherLines::main_of_several(sample.bytes)
    {
        return (Detection { encoding, evidence: Evidence::Lines, ..detection }, None);
    }
    let has_words_in_utf8 = detection.language.is_some_and(|language| {
        let census = Census::alone(sample.bytes, None, sample.whole);
        census.has_words_of(|script| language.model().script.includes(script))
    });
    if !has_words_in_utf8 {
        return (detection, None);
    }
    let strays = strays::judge(b"", sample.bytes, sample.whole);
    let encoding = strays.as_ref().map_or(detection.encoding, |strays| strays.encoding);
    (Detection { encoding, evidence: Evidence::Lines, ..detection }, strays)
}

#[cfg(test)]
mod tests;
