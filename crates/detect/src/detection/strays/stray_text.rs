//! Collects what stray bytes are judged by, from a text that arrives in pieces.

use super::cheapest_charset::LOOK;
use crate::detection::answer::{Detection, RunnerUp};
use crate::detection::recovery::{Recovery, TextStart};
use oxiconv_encodings::codec::{NextRegion, TextRepertoire, next_region};

/// The part of a text by which its stray bytes are judged.
///
/// `start` is what comes before anything is ill-formed. `rest` is empty until then; its first region begins at index
/// `region`, and at most [`LOOK`] bytes from there on are kept. If the text `goes_on` after them, they are not its end.
#[derive(Debug, Default)]
pub struct StrayText {
    start: TextStart,
    rest: Vec<u8>,
    region: usize,
    goes_on: bool,
}

impl StrayText {
    /// Examines the next bytes of the text, which end with a whole character. `ill_formed` says whether anything up to
    /// here was ill-formed.
    pub fn look(&mut self, bytes: &[u8], ill_formed: bool) {
        if !ill_formed {
            self.start.look(bytes);
            return;
        }
        let is_first = self.rest.is_empty();
        let most = if is_first {
            bytes.len()
        } else {
            (self.region + LOOK).saturating_sub(self.rest.len())
        };
        self.rest.extend_from_slice(&bytes[..bytes.len().min(most)]);
        self.goes_on |= bytes.len() > most;
        if is_first {
            self.region = match next_region(&self.rest, false, false) {
                NextRegion::None(at) | NextRegion::From(at) => at,
                NextRegion::At(region) => region.start,
            };
        }
    }

    /// Skips `bytes` of well-formed text, before anything is ill-formed. `beyond_ascii` says whether they have
    /// non-ASCII characters.
    pub fn skip(&mut self, bytes: u64, beyond_ascii: bool) {
        self.start.skip(bytes, beyond_ascii);
    }

    /// Returns the text from a little before the first ill-formed bytes on, as far as it is examined.
    pub fn rest(&self) -> &[u8] {
        &self.rest
    }

    /// Returns the detector's answer and what reads the ill-formed bytes, if there are any. `last` says that the text
    /// ends here.
    pub fn judge(&self, last: bool) -> Option<(Detection, Recovery)> {
        if self.rest.is_empty() {
            return None;
        }
        let (start, rest) = self.split();
        Some(start.judge(rest, last && !self.goes_on))
    }

    /// Returns the charsets that may read the stray bytes among UTF-8, best first, with their shares in percent, and
    /// the characters of the UTF-8. `last` says that the text ends here.
    pub fn ranking(&self, last: bool) -> Option<(Vec<RunnerUp>, TextRepertoire)> {
        let (start, rest) = self.split();
        start.ranking(rest, last && !self.goes_on)
    }

    /// Returns what comes before the first region, and the text from there on.
    fn split(&self) -> (TextStart, &[u8]) {
        let (before, rest) = self.rest.split_at(self.region);
        let mut start = self.start.clone();
        start.look(before);
        (start, rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detection::Detector;

    /// The pieces make no difference.
    #[test]
    fn a_text_may_come_in_pieces() {
        // AF and BC are Ż and ź.
        let text = [
            "Zażółć gęślą jaźń. Pchnąć w tę łódź jeża lub ośm skrzyń fig. ".as_bytes(),
            b"\xAF\xF3\xB3w i \xBCd\xBCb\xB3o ",
        ]
        .concat();
        let clean = text.iter().position(|byte| *byte == 0xAF).unwrap();
        let mut pieces = StrayText::default();
        pieces.look(&text[..clean], false);
        pieces.look(&text[clean..], true);
        let Some((_, Recovery::Among(strays))) = pieces.judge(true) else { panic!("no strays") };
        assert_eq!(strays.encoding.name(), "ISO-8859-2");
    }

    /// The hints judge the first word with a non-ASCII byte as a whole, as the detector does.
    #[test]
    fn the_answer_is_that_of_the_detector_after_any_length_of_ascii() {
        for word in [&b"k\xF6nnen"[..], b"f\x81r", b"sekund\xE6rt", b"hinzugef\x9Fgt", b"\xFAdaje"]
        {
            for lines in [0, 10, 120, 2000] {
                let ascii = b"The quick brown fox jumps over the lazy dog.\n".repeat(lines);
                let detection = Detector::new().detect(&[&ascii[..], word, b"\n"].concat());
                for piece in [1, 700, 10_000] {
                    let mut pieces = StrayText::default();
                    ascii.chunks(piece).for_each(|piece| pieces.look(piece, false));
                    pieces.look(&[word, b"\n"].concat(), true);
                    let (answer, _) = pieces.judge(true).unwrap();
                    let what = || format!("{} after {lines} lines", word.escape_ascii());
                    assert_eq!(answer, detection, "{}", what());
                }
            }
        }
    }
}
