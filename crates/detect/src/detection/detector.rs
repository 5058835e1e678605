//! The order in which a text is judged: the first kind of evidence that has an answer decides.

use super::answer::{Detection, Evidence};
use super::expected::Expected;
use super::form::{Census, Form};
use super::sample::{MARK, SAMPLE, Sample};
use super::strays::{self, Strays};
use super::{binary, declaration, escapes, few_letters, letters, lines, wide};
use crate::language::{Language, LanguageSet};
use oxiconv_encodings::codec::{Preceding, UsualBytes, not_letters};
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

    /// Pays no heed to what a text says of its own encoding.
    #[must_use]
    pub const fn ignore_declarations(mut self) -> Self {
        self.ignores_declarations = true;
        self
    }

    /// Takes it that the text is in this language; called again, in one of these languages. Only the encodings that were
    /// used for them are tried.
    #[must_use]
    pub const fn language(mut self, language: Language) -> Self {
        self.expected.languages = self.expected.languages.with(language);
        self
    }

    /// Takes it that the text is in one of these encodings. Plain ASCII, UTF-8 and texts with a byte order mark are
    /// recognized besides, since nothing has to be guessed there.
    ///
    /// ```
    /// # use oxiconv_detect as oxiconv;
    /// use oxiconv::{Detector, Encoding};
    ///
    /// let detector = Detector::new().candidates(&[Encoding::CP932, Encoding::EUC_JP]);
    /// assert_eq!(detector.detect(b"\xA5\xC6\xA5\xB9\xA5\xC8").encoding, Encoding::EUC_JP);
    /// ```
    #[must_use]
    pub const fn candidates(mut self, candidates: &'static [&'static Encoding]) -> Self {
        self.expected.candidates = Some(candidates);
        self
    }

    /// Returns the answer for the start of a text without ASCII, if it is one of the charsets of EBCDIC.
    #[doc(hidden)]
    pub fn ebcdic(&self, start: &[u8]) -> Option<Detection> {
        letters::ebcdic(&Sample::of(start, false), self.expected)
    }

    /// Returns what is known of the text.
    #[doc(hidden)]
    pub const fn expected(&self) -> Expected {
        self.expected
    }

    /// Returns the most likely encoding of a whole text, which is judged by its first 4 KiB and the first 128 KiB from
    /// where it stops being ASCII.
    #[must_use]
    pub fn detect(&self, text: &[u8]) -> Detection {
        let sample = Sample::of(text, true);
        self.judge_behind_mark(&sample).unwrap_or_else(Detection::nothing)
    }

    /// Returns the most likely encoding of a text that begins with `start`; `None` if more of it is needed. `last` says
    /// that this is all of it.
    #[doc(hidden)]
    pub fn detect_start(&self, start: &[u8], last: bool) -> Option<Detection> {
        self.judge_behind_mark(&Sample::of(start, last))
    }

    /// Returns the most likely encoding of a text; `None` if more of it is needed. A mark is enough, whatever follows.
    #[doc(hidden)]
    pub fn judge(&self, sample: &Sample<'_>) -> Option<Detection> {
        // Input that is shorter than the longest mark may be the start of another mark.
        let awaits_mark = !sample.whole && sample.head.len() < LONGEST_MARK;
        if let Some(scheme) = marked(sample.head).filter(|_| !awaits_mark) {
            return Some(Detection::new(scheme, 100, Evidence::Mark));
        }
        let is_enough = sample.whole || sample.bytes.len() >= SAMPLE;
        is_enough.then(|| self.judge_without_mark(sample).0)
    }

    /// Returns the same, with what a text with a mark has that is not UTF-8.
    pub(super) fn judge_behind_mark(&self, sample: &Sample<'_>) -> Option<Detection> {
        let detection = self.judge(sample)?;
        let rest = sample
            .bytes
            .strip_prefix(MARK.as_bytes())
            .filter(|_| detection.evidence == Evidence::Mark);
        let Some(rest) = rest else { return Some(detection) };
        if !sample.whole && sample.bytes.len() < SAMPLE {
            return None;
        }
        let rest = Sample { head: &sample.head[MARK.len()..], bytes: rest, ..*sample };
        let census = Census::alone(rest.bytes, None, rest.whole);
        let of_rest = self.judge_without_mark(&rest).0;
        let of_letters = of_rest.is_by_letters().then_some(of_rest.encoding);
        let fallback = of_rest.others.and_then(|others| others.fallback).or(of_letters);
        Some(Detection { others: census.others(fallback), ..detection })
    }

    /// Returns the most likely encoding of a text without a mark, and its stray bytes if it is UTF-8 that has any.
    pub(super) fn judge_without_mark(&self, sample: &Sample<'_>) -> (Detection, Option<Strays>) {
        let alone = |detection| (detection, None);
        let allows = |detection: &Detection| self.expected.allows(detection.encoding);
        let declared = (!self.ignores_declarations).then(|| declaration::judge(sample)).flatten();
        let declared = declared.filter(|it| it.encoding == Encoding::UTF_8 || allows(it));
        let declared = declared.filter(|it| !declaration::is_refuted(sample, it, self.expected));
        let is_ascii = sample.bytes.is_ascii();
        let decided = declared
            .clone()
            .filter(|declared| is_ascii || declaration::reads_better_than_utf8(sample, declared));
        let answer = wide::judge(sample)
            .filter(allows)
            .or_else(|| escapes::judge(sample, self.expected))
            .or(decided)
            .or_else(|| ascii(sample, self.expected))
            .map(alone)
            .or_else(|| utf8(sample))
            .or_else(|| binary::judge(sample).or(declared).map(alone))
            .unwrap_or_else(|| alone(letters::judge(sample, self.expected)));
        let (detection, strays) = answer;
        let is_by_letters = detection.evidence == Evidence::Letters;
        // In EBCDIC, letters are ASCII, and a capital and a small one may be a letter of UTF-8.
        if !is_by_letters || !detection.encoding.has_ascii() {
            return (detection, strays);
        }
        let detection = few_letters::weigh(sample, detection, self.expected);
        unless_of_lines(sample, detection, self.expected)
    }
}

/// Returns the answer for bytes of ASCII, which may be Hebrew in EBCDIC or data.
fn ascii(sample: &Sample<'_>, expected: Expected) -> Option<Detection> {
    let nothing = || binary::judge(sample).unwrap_or_else(Detection::nothing);
    sample.bytes.is_ascii().then(|| letters::ebcdic(sample, expected).unwrap_or_else(nothing))
}

/// Returns the answer for UTF-8 and its relatives, unless they are chance, and its stray bytes.
fn utf8(sample: &Sample<'_>) -> Option<(Detection, Option<Strays>)> {
    let before = &sample.ascii();
    let census = Census::alone(sample.bytes, before.last().copied(), sample.whole);
    let (evidence, encoding) = match census.form() {
        Form::WellFormed => {
            return Some((Detection::new(Encoding::UTF_8, 99, Evidence::WellFormed), None));
        }
        _ if binary::judge(sample).is_some() => return None,
        Form::WithOthers | Form::Lines => (Evidence::MostlyWellFormed, Encoding::UTF_8),
        Form::Relative(encoding) => (Evidence::SurrogatePairs, encoding),
        Form::Other => return None,
    };
    let mut strays = strays::judge(before, sample.bytes, sample.whole);
    // Where nothing else is UTF-8, the letters between surrogate pairs are those of a charset.
    if let (Form::Relative(_), 0, Some(strays)) = (census.form(), census.characters, &mut strays) {
        let bytes = without_forms(sample.bytes);
        let of_rest = letters::judge(&Sample { bytes: &bytes, ..*sample }, Expected::default());
        if of_rest.is_enough() && strays::may_be_among_utf8(of_rest.encoding) {
            (strays.encoding, strays.tells) = (of_rest.encoding, true);
        }
    }
    let told = strays.as_ref().filter(|strays| strays.tells);
    let fallback = told.map(|strays| strays.encoding);
    let detection = Detection::new(encoding, census.confidence(), evidence);
    let of_several = || {
        let found =
            census.may_be_of_lines().then(|| lines::encodings_of_lines(sample.bytes)).flatten();
        found.and_then(|lines| lines.first().map(|(encoding, _)| *encoding))
    };
    if evidence == Evidence::MostlyWellFormed
        && let Some(encoding) = of_several()
    {
        return Some((Detection { encoding, evidence: Evidence::Lines, ..detection }, None));
    }
    let detection = match (census.form(), fallback) {
        (Form::Lines, Some(encoding)) => {
            Detection { encoding, evidence: Evidence::Lines, ..detection }
        }
        _ => Detection { others: census.others(fallback), ..detection },
    };
    Some((detection, strays))
}

/// Returns a text without its surrogates and other sequences of RFC 2279.
fn without_forms(text: &[u8]) -> Vec<u8> {
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

/// Returns the answer for a text in a charset, unless its lines are in several encodings: they are clearly in two charsets, or
/// some of its words are UTF-8. Then the bytes that are not say which the other encoding is.
fn unless_of_lines(
    sample: &Sample<'_>,
    detection: Detection,
    expected: Expected,
) -> (Detection, Option<Strays>) {
    let found = (expected == Expected::default())
        .then(|| lines::encodings_of_lines(sample.bytes))
        .flatten();
    if let Some((encoding, _)) = found.as_ref().and_then(|found| found.first()) {
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
mod tests {
    use super::*;

    fn judged(text: &[u8]) -> (&'static str, Evidence) {
        let detection = Detector::new().detect(text);
        (detection.encoding.name(), detection.evidence)
    }

    #[test]
    fn a_few_ill_formed_bytes_do_not_hide_utf8() {
        let text = "Grüße aus Köln. ".repeat(4);
        assert_eq!(judged(text.as_bytes()), ("UTF-8", Evidence::WellFormed));
        let with_strays = |count| [text.as_bytes(), &b"caf\xE9. ".repeat(count)].concat();
        assert_eq!(judged(&with_strays(2)), ("UTF-8", Evidence::MostlyWellFormed));
        // More of them than letters in UTF-8, which still are no chance.
        assert_eq!(judged(&with_strays(30)), ("UTF-8", Evidence::MostlyWellFormed));
        assert_ne!(judged(&with_strays(300)).1, Evidence::MostlyWellFormed);
    }

    /// "Сообщение об ошибке записано в журнал" and "Температура воды" in two charsets each, and all in one.
    #[test]
    fn lines_in_two_charsets_are_no_text_in_one_of_them() {
        let windows = b"\xD1\xEE\xEE\xE1\xF9\xE5\xED\xE8\xE5 \xEE\xE1 \xEE\xF8\xE8\xE1\xEA\xE5 \xE7\xE0\xEF\xE8\xF1\xE0\xED\xEE\n\
            \xD2\xE5\xEC\xEF\xE5\xF0\xE0\xF2\xF3\xF0\xE0 \xE2\xEE\xE4\xFB\n";
        let koi = b"\xF3\xCF\xCF\xC2\xDD\xC5\xCE\xC9\xC5 \xCF\xC2 \xCF\xDB\xC9\xC2\xCB\xC5 \xDA\xC1\xD0\xC9\xD3\xC1\xCE\xCF\n\
            \xF4\xC5\xCD\xD0\xC5\xD2\xC1\xD4\xD5\xD2\xC1 \xD7\xCF\xC4\xD9\n";
        for text in [[&windows[..], koi].concat(), [&koi[..], windows].concat()] {
            assert_eq!(Detector::new().detect(&text).of_lines(), Some("auto-lines"));
        }
        assert_eq!(judged(&[&windows[..], windows].concat()).0, "windows-1251");
        assert_eq!(judged(&[&koi[..], koi].concat()).0, "KOI8-R");
    }

    #[test]
    fn a_character_that_the_sample_cuts_is_no_error() {
        let long = "é".repeat(SAMPLE);
        assert_eq!(judged(long.as_bytes()), ("UTF-8", Evidence::WellFormed));
        let shifted = format!("{}{long}", "x".repeat(3));
        assert_eq!(judged(shifted.as_bytes()), ("UTF-8", Evidence::WellFormed));
        let cut = &long.as_bytes()[..41];
        assert_eq!(judged(cut), ("UTF-8", Evidence::MostlyWellFormed));
    }
}
