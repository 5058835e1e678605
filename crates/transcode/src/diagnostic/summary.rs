//! Counts of what was found in one text.

use std::collections::BTreeMap;
use std::ops::Range;

use super::kind::Kind;
use super::outcome::{Outcome, Outcomes};
#[cfg(feature = "detection")]
use oxiconv_detect::detection::Detection;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::IllFormedKind;

/// Counts of what was found in one text, and of the outcomes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Bytes read.
    pub bytes_read: u64,
    /// Bytes written.
    pub bytes_written: u64,
    /// Characters decoded.
    pub characters: u64,
    /// Line ends (U+000A) decoded.
    pub lines: u64,
    /// Faults, by kind.
    pub found: BTreeMap<Kind, u64>,
    /// The outcomes of ill-formed subsequences that did not stop the conversion.
    pub of_ill_formed: Outcomes,
    /// The outcomes of unmappable characters that did not stop the conversion.
    pub of_unmappable: Outcomes,
    /// The outcomes of denied characters for which something else, or nothing, was written.
    pub of_denied: Outcomes,
    /// Damaged parts of the text that were repaired.
    pub repaired: u64,
    /// Parts of the text that are perhaps damaged, and were left as they are because that is not certain enough.
    pub doubtful: u64,
    /// Whether the conversion stopped at a fault.
    pub stopped: bool,
    /// The detection of the encoding, if it was not named.
    #[cfg(feature = "detection")]
    pub detected: Option<Box<Detection>>,
    /// The encoding in which stray bytes were read, if there were any.
    pub fallback: Option<&'static Encoding>,
    /// The encodings of lines that are not UTF-8, in the order of their first lines, with the number of lines, if each
    /// line was read in an encoding of its own.
    pub lines_read_as: Vec<(&'static Encoding, u64)>,
    /// If this is one piece of a text: what is needed to merge the findings of all pieces.
    #[doc(hidden)]
    pub extent: Option<PieceExtent>,
}

/// Where a piece of a text is, and by how many lines and columns it moves what follows it. Another process may have
/// read what comes before, so the lines and columns of a piece start with 1, and are corrected when all pieces are
/// merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceExtent {
    /// Its range in the text, in bytes.
    pub range: Range<u64>,
    /// The length of the text in bytes.
    pub size: u64,
    /// The number of line ends in it.
    pub lines: u64,
    /// The column of what follows it, if it starts at column 1.
    pub column: u64,
}

impl Summary {
    /// Counts a finding, unless it is only a note.
    pub(crate) fn count(&mut self, kind: Kind) {
        self.count_many(kind, 1);
    }

    /// Counts `count` findings, unless they are only notes.
    pub(crate) fn count_many(&mut self, kind: Kind, count: u64) {
        if kind.is_fault() {
            *self.found.entry(kind).or_default() += count;
        }
    }

    pub(crate) fn count_outcome(&mut self, kind: Kind, outcome: Outcome, count: u64) {
        let outcomes = match kind {
            Kind::Unmappable => &mut self.of_unmappable,
            Kind::Denied(_) => &mut self.of_denied,
            _ => &mut self.of_ill_formed,
        };
        outcomes.count(outcome, count);
    }

    /// Counts lines that were read in `encoding`.
    pub(crate) fn count_lines(&mut self, encoding: &'static Encoding, count: u64) {
        match self.lines_read_as.iter_mut().find(|(known, _)| *known == encoding) {
            Some((_, lines)) => *lines += count,
            None => self.lines_read_as.push((encoding, count)),
        }
    }

    /// Subtracts the faults that a baseline lists, and returns their number.
    #[doc(hidden)]
    pub fn take_known(&mut self, known: &BTreeMap<Kind, u64>) -> u64 {
        for (kind, count) in known {
            if let Some(found) = self.found.get_mut(kind) {
                *found = found.saturating_sub(*count);
            }
        }
        self.found.retain(|_, count| *count > 0);
        known.values().sum()
    }

    /// Returns the number of faults for which something was written: U+FFFD, an escape, a transliteration, a fallback
    /// character.
    #[must_use]
    pub fn substituted(&self) -> u64 {
        let Self { of_ill_formed, of_unmappable, of_denied, .. } = self;
        of_ill_formed.substituted() + of_unmappable.substituted() + of_denied.substituted()
    }

    /// Returns the number of ill-formed subsequences and unmappable characters that were left out.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.of_ill_formed.of(Outcome::Dropped) + self.of_unmappable.of(Outcome::Dropped)
    }

    /// Returns the number of faults of all kinds.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.found.values().sum()
    }

    /// Returns the number of unmappable characters.
    #[must_use]
    pub fn unmappable(&self) -> u64 {
        self.found.get(&Kind::Unmappable).copied().unwrap_or(0)
    }

    /// Returns the number of ill-formed subsequences.
    #[must_use]
    pub fn ill_formed(&self) -> u64 {
        self.found
            .iter()
            .filter(|(kind, _)| matches!(kind, Kind::IllFormed(_)))
            .map(|(_, count)| count)
            .sum()
    }

    /// Returns the number of ill-formed subsequences that are bytes of other text in UTF-16 or UTF-32, or between its
    /// units.
    #[doc(hidden)]
    pub fn interrupted(&self) -> u64 {
        let kinds = [IllFormedKind::OtherUnits, IllFormedKind::Misaligned].map(Kind::IllFormed);
        self.found.iter().filter(|(kind, _)| kinds.contains(kind)).map(|(_, count)| count).sum()
    }

    /// Returns the number of denied characters and line ends.
    #[must_use]
    pub fn denied(&self) -> u64 {
        let denied = self.found.iter().filter(|(kind, _)| matches!(kind, Kind::Denied(_)));
        denied.map(|(_, count)| count).sum()
    }

    /// Returns the number of denied characters and line ends that were written unchanged or stopped the conversion.
    #[must_use]
    pub fn denied_unchanged(&self) -> u64 {
        let handled: u64 = self.of_denied.iter().map(|(_, count)| count).sum();
        self.denied().saturating_sub(handled)
    }

    /// Says how the encoding was detected, if the text is ill-formed in it.
    #[cfg(feature = "detection")]
    #[doc(hidden)]
    pub fn doubt(&self) -> Option<String> {
        let detection = self.detected.as_ref().filter(|_| self.ill_formed() > 0)?;
        Some(format!("the encoding was {}", detection.account()))
    }

    /// Returns advice for that case: `try --fallback windows-1252`.
    #[cfg(feature = "detection")]
    #[doc(hidden)]
    pub fn advice(&self) -> String {
        let options = self.detected.as_ref().map(|detection| detection.options());
        let options = options.unwrap_or_default();
        match options.is_empty() {
            true => "name another with -f".to_owned(),
            false => format!("try {}", options.join(" ")),
        }
    }

    /// Adds the counts of another text. What is known of a single text, such as the detection of its encoding, is not
    /// taken over.
    pub fn add(&mut self, other: &Self) {
        self.bytes_read += other.bytes_read;
        self.bytes_written += other.bytes_written;
        self.characters += other.characters;
        self.lines += other.lines;
        self.of_ill_formed.add(&other.of_ill_formed);
        self.of_unmappable.add(&other.of_unmappable);
        self.of_denied.add(&other.of_denied);
        self.repaired += other.repaired;
        self.doubtful += other.doubtful;
        self.stopped |= other.stopped;
        for (encoding, count) in &other.lines_read_as {
            self.count_lines(encoding, *count);
        }
        for (kind, count) in &other.found {
            *self.found.entry(*kind).or_default() += count;
        }
    }
}
