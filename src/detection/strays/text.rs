//! The parts of a text by which its stray bytes are judged, of a text that comes in pieces.

use super::judge::{LOOK, Strays, judge};
use crate::codec::{NextRegion, next_region};
use crate::detection::answer::{Detection, Evidence};
use crate::detection::detector::Detector;

/// Bytes at the start of a text that its letters are learned from.
const START: usize = 64 * 1024;

/// A text with stray bytes, as far as they are judged by it: its start, and what follows the first of them.
#[derive(Debug, Default)]
pub(crate) struct StrayText {
    start: Vec<u8>,
    /// From somewhere before the first region on; empty before there is one.
    rest: Vec<u8>,
    /// Where the first region begins in it.
    region: usize,
    /// Whether well-formed characters beyond ASCII are in neither.
    unseen: bool,
}

impl StrayText {
    /// Examines the next bytes of the text, which end with a character; `ill_formed` says whether any were ill-formed up
    /// to here.
    pub(crate) fn look(&mut self, bytes: &[u8], ill_formed: bool) {
        if !ill_formed {
            let room = START - self.start.len();
            let (start, unseen) = bytes.split_at(bytes.len().min(room));
            self.start.extend_from_slice(start);
            self.skip(!unseen.is_ascii());
            return;
        }
        let is_first = self.rest.is_empty();
        let most = if is_first {
            bytes.len()
        } else {
            (self.region + LOOK).saturating_sub(self.rest.len())
        };
        self.rest.extend_from_slice(&bytes[..bytes.len().min(most)]);
        if is_first {
            self.region = match next_region(&self.rest, false, false) {
                NextRegion::None(at) | NextRegion::From(at) => at,
                NextRegion::At(region) => region.start,
            };
        }
    }

    /// Moves past a well-formed part of the text, before anything is ill-formed; `beyond_ascii` says whether it has
    /// characters beyond ASCII.
    pub(crate) fn skip(&mut self, beyond_ascii: bool) {
        self.unseen |= beyond_ascii;
    }

    /// Returns the answer of the detector, as `--detect` gives it, if anything is ill-formed.
    pub(crate) fn detect(&self) -> Option<Detection> {
        if self.rest.is_empty() {
            return None;
        }
        let detection = Detector::new().detect(&[&self.start[..], &self.rest].concat());
        // Long text in another encoding is not well-formed for so long.
        Some(detection).filter(|it| !self.unseen || it.evidence != Evidence::Letters)
    }

    /// Returns what follows the first ill-formed bytes, and a little before them, as far as it is examined.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.rest
    }

    /// Judges it; `last` says that this is all of the text.
    pub(crate) fn judge(&self, last: bool) -> Option<Strays> {
        let (before, rest) = self.rest.split_at(self.region);
        let room = START - self.start.len();
        let start = [&self.start, &before[..before.len().min(room)]].concat();
        judge(&start, rest, last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is judged of pieces of a text is what is judged of all of it.
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
        assert_eq!(pieces.judge(true).unwrap().encoding.name(), "ISO-8859-2");
    }
}
