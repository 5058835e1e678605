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
mod tests;
