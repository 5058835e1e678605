//! The lines of a text that are not UTF-8: in which encodings they are, line by line (`line_detector.rs`) and taken
//! together.
//!
//! A line by itself may fit several encodings. So what is said of all lines is tested by their letters as one text.

use super::charsets::{charsets, decode};
use super::detection_sample::DetectionSample;
use super::detector::Detector;
use super::expected::Expected;
use super::letters::{SearchWidth, Trial};
use super::line_detector::{LONGEST_LINE, LineDetector};
use super::line_form::{LineForm, characters_beyond_ascii};
use super::odd_words::has_odd_word;
use super::priors::Priors;
use super::sample_words::SampleWords;
use crate::language::UNIT;
use oxiconv_encodings::encoding::Encoding;

/// A text has lines in two encodings only if the lines of each are cheaper in their own encoding, by this many bits.
/// For the rarer one, that must also hold without its longest line, and it must have so many lines. Only the first
/// lines of a text are examined for this. The bar is high because most texts are in one encoding: of 621 such texts,
/// one was called `auto-lines`.
const MIN_LEAD_OF_LINES: f64 = 64.0;
const MIN_LEAD_WITHOUT_LONGEST: f64 = 32.0;
const MIN_LINES: usize = 2;
const MAX_LINES: usize = 256;

/// The lines of a text that are not UTF-8.
#[derive(Debug, Default)]
pub struct OtherLines {
    /// The encodings in which `-f auto-lines` reads them, most frequent first.
    found: Vec<LinesInEncoding>,
    /// The UTF-8 characters in them, and what is ill-formed in UTF-8.
    multi: usize,
    ill_formed: usize,
    /// Whether there are lines that are not among those in `found`.
    has_more: bool,
}

#[derive(Debug)]
struct LinesInEncoding {
    encoding: &'static Encoding,
    all: Vec<u8>,
    count: usize,
}

impl OtherLines {
    /// Judges the first lines of a text that are not UTF-8, up to a limit.
    pub fn of(text: &[u8]) -> Self {
        let mut lines = LineDetector::default();
        let (mut others, mut judged) = (Self::default(), 0);
        for line in text.split(is_line_end) {
            let Some(start) = line.iter().position(|byte| !byte.is_ascii()) else { continue };
            let (before, line) = line.split_at(start);
            let line = &line[..line.len().min(LONGEST_LINE)];
            if let Ok(text) = std::str::from_utf8(line) {
                lines.learn(text);
                continue;
            }
            if judged == MAX_LINES {
                others.has_more = true;
                break;
            }
            let is_other = LineForm::of(line, before.last().copied()) == LineForm::Other;
            let encoding = is_other.then(|| lines.judge(before, line)).flatten();
            let Some(encoding) = encoding else {
                others.has_more = true;
                continue;
            };
            others.add(line, encoding);
            judged += 1;
        }
        for lines in std::mem::take(&mut others.found) {
            let at = others.found.partition_point(|it| it.count >= lines.count);
            others.found.insert(at, lines);
        }
        others
    }

    fn add(&mut self, line: &[u8], encoding: &'static Encoding) {
        let (multi, ill_formed) = characters_beyond_ascii(line);
        self.multi += multi;
        self.ill_formed += ill_formed;
        let number = self.found.iter().position(|lines| lines.encoding == encoding);
        let number = number.unwrap_or_else(|| {
            self.found.push(LinesInEncoding { encoding, all: Vec::new(), count: 0 });
            self.found.len() - 1
        });
        let lines = &mut self.found[number];
        lines.all.extend_from_slice(line);
        lines.all.push(b'\n');
        lines.count += 1;
    }

    /// Iterates over the encodings, most frequent first, with the number of lines in each.
    pub fn encodings(&self) -> impl Iterator<Item = (&'static Encoding, usize)> {
        self.found.iter().map(|lines| (lines.encoding, lines.count))
    }

    /// Whether these are all lines of the text that are not UTF-8.
    pub const fn are_all(&self) -> bool {
        !self.has_more
    }

    /// Returns the encoding of most lines, if the lines of a text are clearly in several encodings.
    pub(super) fn main_of_several(text: &[u8]) -> Option<&'static Encoding> {
        // Each of two encodings must have enough lines; a text with fewer need not be judged line by line.
        let mut others = text.split(is_line_end).filter(|line| std::str::from_utf8(line).is_err());
        others.nth(2 * MIN_LINES - 1)?;
        let lines = Self::of(text);
        lines
            .are_in_several()
            .then(|| lines.encodings().next())
            .flatten()
            .map(|(encoding, _)| encoding)
    }

    /// Whether an encoding reads all of the lines as they would be read line by line, except for those in an encoding in
    /// which fewer than `least` bytes are not ASCII. With few letters, a line may seem to be in any encoding.
    pub fn are_all_read_by(&self, encoding: &Encoding, least: usize) -> bool {
        let is_few = |lines: &LinesInEncoding| {
            lines.all.iter().filter(|byte| !byte.is_ascii()).count() < least
        };
        let read = |encoding: &Encoding, lines: &LinesInEncoding| {
            decode(encoding, &lines.all, usize::MAX).map(|(text, _)| text)
        };
        self.found
            .iter()
            .all(|lines| is_few(lines) || read(lines.encoding, lines) == read(encoding, lines))
    }

    /// Whether all lines that are not UTF-8 are known, and are in one encoding, also by their letters taken together
    /// and with a `confidence` (in percent) in that. A line by itself may fit a relative, such as windows-1253 instead
    /// of ISO-8859-7.
    pub fn are_in_one(&self, confidence: u8) -> bool {
        let [lines] = &self.found[..] else { return false };
        let read = |encoding| decode(encoding, &lines.all, usize::MAX).map(|(text, _)| text);
        let detection = Detector::new().detect(&lines.all);
        self.are_all()
            && detection.confidence >= confidence
            && (detection.encoding == lines.encoding
                || read(detection.encoding) == read(lines.encoding))
            && !has_odd_word(&lines.all, lines.encoding)
    }

    /// Whether the lines are clearly in several encodings and contain no more UTF-8 than by chance.
    ///
    /// A text in one charset may seem to have lines in several, because a short line fits many. So what was found is
    /// tested as a whole. All lines in the first encoding are read in the second one, and the other way round, and both
    /// readings must be clearly worse.
    pub fn are_in_several(&self) -> bool {
        let [one, other @ LinesInEncoding { count: MIN_LINES.., .. }, ..] = &self.found[..] else {
            return false;
        };
        let is_likelier = |lines: &[u8], own: &LinesInEncoding, rival: &LinesInEncoding, bits| {
            is_likelier(lines, own.encoding, rival.encoding, bits)
        };
        self.multi < self.ill_formed
            && is_likelier(&one.all, one, other, MIN_LEAD_OF_LINES)
            && is_likelier(&other.all, other, one, MIN_LEAD_OF_LINES)
            && is_likelier(&without_longest(&other.all), other, one, MIN_LEAD_WITHOUT_LONGEST)
    }
}

const fn is_line_end(byte: &u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Returns lines without the longest of them. A single line may be in another encoding by chance: the Cyrillic letters
/// of GB 2312 are ideographs in Big5, so one Russian line in GB 2312 may seem to be Big5.
fn without_longest(lines: &[u8]) -> Vec<u8> {
    let lines = lines.split_inclusive(|byte| *byte == b'\n');
    let longest = lines.clone().enumerate().max_by_key(|(_, line)| line.len());
    let longest = longest.map(|(number, _)| number);
    lines
        .enumerate()
        .filter(|(number, _)| Some(*number) != longest)
        .flat_map(|(_, line)| line)
        .copied()
        .collect()
}

/// Whether lines are cheaper in their own encoding than in another, by at least `bits`.
fn is_likelier(lines: &[u8], own: &Encoding, other: &Encoding, bits: f64) -> bool {
    let words = SampleWords::of(&DetectionSample::of(lines, true));
    let trial = Trial::with_ascii(&words);
    let cost = |encoding: &Encoding| {
        let charset = charsets().iter().find(|charset| charset.encoding == encoding)?;
        let readings = [trial.reading(charset)?];
        let scored = trial.scored(
            &readings,
            Expected::default(),
            SearchWidth::cheapest(1),
            &Priors::default(),
        );
        scored.first().map(|least| least.cost() as f64 / f64::from(UNIT))
    };
    let Some(own) = cost(own) else { return false };
    cost(other).is_none_or(|other| other - own >= bits)
}

#[cfg(test)]
mod tests;
