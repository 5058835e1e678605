//! Counts of what one text held.

use std::collections::BTreeMap;
use std::ops::Range;

use super::kind::Kind;
use super::outcome::{Outcome, Outcomes};
#[cfg(feature = "detection")]
use oxiconv_detect::detection::Detection;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::IllFormedKind;

/// Counts of what one text held, and of the outcomes.
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
    /// The outcomes of denied characters that neither stopped the conversion nor were written unchanged.
    pub of_denied: Outcomes,
    /// Damaged parts of the text that were repaired.
    pub repaired: u64,
    /// Parts of the text that may be damaged, but are not surely so, and were left as they are.
    pub doubtful: u64,
    /// Whether the conversion stopped at a fault.
    pub stopped: bool,
    /// What was detected of the encoding, if it was not named.
    #[cfg(feature = "detection")]
    pub detected: Option<Box<Detection>>,
    /// The encoding in which stray bytes were read, if there were any.
    pub fallback: Option<&'static Encoding>,
    /// The encodings of the lines that are not UTF-8, in the order of their first lines, and how many are in each, if
    /// each line was read by itself.
    pub lines_read_as: Vec<(&'static Encoding, u64)>,
    /// What is to be known of a piece of a text in order to put the findings of all pieces together.
    #[doc(hidden)]
    pub extent: Option<PieceExtent>,
}

/// Where a piece of a text is, and how far it moves the place of what follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceExtent {
    /// Its bytes in the text.
    pub range: Range<u64>,
    /// The length of the text in bytes.
    pub size: u64,
    /// How many lines it ends.
    pub lines: u64,
    /// The column of what follows it, counted from column 1 at its start.
    pub column: u64,
}

impl Summary {
    /// Counts one finding, unless it is only a note.
    pub(crate) fn count(&mut self, kind: Kind) {
        self.count_many(kind, 1);
    }

    /// Counts `count` findings, unless they are only notes.
    pub(crate) fn count_many(&mut self, kind: Kind, count: u64) {
        if kind.is_fault() {
            *self.found.entry(kind).or_default() += count;
        }
    }

    /// Counts the outcome of `count` faults of a kind.
    pub(crate) fn count_outcome(&mut self, kind: Kind, outcome: Outcome, count: u64) {
        let outcomes = match kind {
            Kind::Unmappable => &mut self.of_unmappable,
            Kind::Denied(_) => &mut self.of_denied,
            _ => &mut self.of_ill_formed,
        };
        outcomes.count(outcome, count);
    }

    /// Counts lines that were read in an encoding of their own.
    pub(crate) fn count_lines(&mut self, encoding: &'static Encoding, count: u64) {
        match self.lines_read_as.iter_mut().find(|(known, _)| *known == encoding) {
            Some((_, lines)) => *lines += count,
            None => self.lines_read_as.push((encoding, count)),
        }
    }

    /// Takes out faults that a baseline lists, and returns how many there are.
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

    /// Returns the number of all faults.
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

    /// Returns the number of denied characters and line ends that are in the output, or that stopped the conversion.
    #[must_use]
    pub fn denied_unchanged(&self) -> u64 {
        let handled: u64 = self.of_denied.iter().map(|(_, count)| count).sum();
        self.denied().saturating_sub(handled)
    }

    /// Says how the encoding was detected, if something in the text is ill-formed in it.
    #[cfg(feature = "detection")]
    #[doc(hidden)]
    pub fn doubt(&self) -> Option<String> {
        let detection = self.detected.as_ref().filter(|_| self.ill_formed() > 0)?;
        Some(format!("the encoding was {}", detection.account()))
    }

    /// Returns what to do then: `try --fallback windows-1252`.
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

    /// Adds the counts of another text.
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
