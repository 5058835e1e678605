//! What is found in a text: findings, the summary of them, and the trait that takes them.
//!
//! A finding is a value. It is made where the text is read (`transcode`) and pushed to a [`Reporter`], which may print,
//! count or drop it. It never decides what happens to the text.

mod context;
mod counted;
mod denied;
mod detail;
pub mod guess;
mod outcome;
mod row;
mod rule;
mod sentence;
mod sequence;
mod stateful;

use std::collections::BTreeMap;
use std::io;

pub use context::Context;
pub use counted::counted;
pub use denied::DeniedKind;
pub use detail::Detail;
pub use outcome::{Outcome, Outcomes};
pub use row::Row;

use crate::encoding::Encoding;
use crate::unicode::IllFormedKind;

/// What is said of a U+FEFF inside a text, whether it is a fault or not.
const MARK_INSIDE: &str = "U+FEFF inside the text, where it is no byte order mark but a character";

/// What kind of thing was found. [`Kind::id`] is the stable name of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// Bytes that the input's encoding does not allow.
    IllFormed(IllFormedKind),
    /// A valid character for which the target encoding has no room.
    Unmappable,
    /// A byte order mark where `--bom forbid` wants none.
    MarkForbidden,
    /// No byte order mark where `--bom require` wants one.
    MarkMissing,
    /// The byte order mark of UTF-16 or UTF-32, and text that is well-formed there, in a text that is read in another
    /// encoding.
    OtherEncoding,
    /// U+FEFF inside a text, as files joined with their marks have it. No fault: a note.
    MarkInside,
    /// What is well-formed, but denied by a policy.
    Denied(DeniedKind),
}

impl Kind {
    /// The stable short id.
    pub const fn id(self) -> &'static str {
        match self {
            Self::IllFormed(kind) => kind.id(),
            Self::Unmappable => "unmappable",
            Self::MarkForbidden => "bom-forbidden",
            Self::MarkMissing => "bom-missing",
            Self::OtherEncoding => "other-encoding",
            Self::MarkInside => "bom-inside",
            Self::Denied(kind) => kind.id(),
        }
    }

    /// Whether the text is at fault. What is no fault is a note: shown, but not counted.
    pub const fn is_fault(self) -> bool {
        !matches!(self, Self::MarkInside)
    }
}

/// One place of a text, and what is to be said of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding<'a> {
    /// What it is.
    pub kind: Kind,
    /// Where it begins: bytes from the start of the file, from 0.
    pub offset: u64,
    /// The line, from 1; lines end with U+000A.
    pub line: u64,
    /// The column, from 1, in characters; an ill-formed subsequence counts as one.
    pub column: u64,
    /// The bytes themselves.
    pub bytes: &'a [u8],
    /// The byte that follows them, where it is what makes them ill-formed.
    pub next: Option<u8>,
    /// The value of the character, where there is one: a code point, or what an extended encoding holds beyond.
    pub value: Option<u128>,
    /// Whether the conversion stops in front of it.
    pub stops: bool,
    /// The encoding whose rule it is: the input's, or for an unmappable character the target.
    pub encoding: &'static Encoding,
    /// The text around it, where that was asked for.
    pub context: Context<'a>,
}

/// One character of a text, as it stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Character<'a> {
    /// Its value: a code point, or what an extended encoding holds beyond.
    pub value: u128,
    /// Its bytes. Where several characters come from one sequence, each has all its bytes.
    pub bytes: &'a [u8],
    /// Where they begin: bytes from the start of the file, from 0.
    pub offset: u64,
}

/// Takes findings, in the order of their offsets.
pub trait Reporter {
    /// Takes one finding.
    ///
    /// # Errors
    ///
    /// Where it cannot be told: that ends the conversion.
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()>;

    /// Takes ill-formed subsequences that stand side by side, if it needs nothing of the text around them; returns whether
    /// it did. If not, each comes as a finding.
    ///
    /// # Errors
    ///
    /// As [`Reporter::finding`].
    fn row(&mut self, row: &Row<'_>) -> io::Result<bool> {
        let _ = row;
        Ok(false)
    }

    /// Whether it takes findings now. Where it does not, only [`Reporter::unplaced`] is told of them, and nobody has to
    /// look for their places. The one that stops a conversion it is told of in any case. Having said no, it must not say
    /// yes again in the same text: nobody may know the places by then.
    fn wants_places(&self) -> bool {
        true
    }

    /// Takes `count` findings of which only the kind is known.
    fn unplaced(&mut self, kind: Kind, count: u64) {
        let _ = (kind, count);
    }

    /// Takes a character, where the conversion was asked to tell of each. Findings come among them, in their places.
    ///
    /// # Errors
    ///
    /// As [`Reporter::finding`].
    fn character(&mut self, character: &Character<'_>) -> io::Result<()> {
        let _ = character;
        Ok(())
    }

    /// Takes the bytes of the text itself, in order, where findings come with the text around them: they may be cut
    /// anywhere, and follow the findings that are in them. `encoding` is the one in force.
    fn text(&mut self, bytes: &[u8], encoding: &'static Encoding) {
        let _ = (bytes, encoding);
    }

    /// Shows what it has taken so far: somebody may have to wait for what comes next.
    ///
    /// # Errors
    ///
    /// As [`Reporter::finding`].
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Takes a word on the text as a whole that a person should hear.
    fn note(&mut self, words: &str) {
        let _ = words;
    }

    /// Takes a word on the text as a whole that matters to the curious only.
    fn remark(&mut self, words: &str) {
        let _ = words;
    }
}

/// A reporter that drops everything; the summary still counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Reporter for Silent {
    fn finding(&mut self, _: &Finding<'_>) -> io::Result<()> {
        Ok(())
    }

    fn wants_places(&self) -> bool {
        false
    }
}

/// The count of what one text held, and of what became of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    /// What became of the ill-formed subsequences that the conversion went past.
    pub of_ill_formed: Outcomes,
    /// What became of the unmappable characters that the conversion went past.
    pub of_unmappable: Outcomes,
    /// Whether the conversion stopped at a fault.
    pub stopped: bool,
}

impl Summary {
    /// Counts one finding, unless it is only a note.
    pub fn count(&mut self, kind: Kind) {
        self.count_many(kind, 1);
    }

    /// Counts as many findings, unless they are only notes.
    pub fn count_many(&mut self, kind: Kind, count: u64) {
        if kind.is_fault() {
            *self.found.entry(kind).or_default() += count;
        }
    }

    /// Counts what became of as many faults of a kind.
    pub fn count_outcome(&mut self, kind: Kind, outcome: Outcome, count: u64) {
        let outcomes = match kind {
            Kind::Unmappable => &mut self.of_unmappable,
            _ => &mut self.of_ill_formed,
        };
        outcomes.count(outcome, count);
    }

    /// Faults in whose place something was written: U+FFFD, an escape, a transliteration, a fallback character.
    pub fn substituted(&self) -> u64 {
        self.of_ill_formed.substituted() + self.of_unmappable.substituted()
    }

    /// Faults that were left out.
    pub fn dropped(&self) -> u64 {
        self.of_ill_formed.of(Outcome::Dropped) + self.of_unmappable.of(Outcome::Dropped)
    }

    /// All faults.
    pub fn total(&self) -> u64 {
        self.found.values().sum()
    }

    /// The unmappable characters among the faults.
    pub fn unmappable(&self) -> u64 {
        self.found.get(&Kind::Unmappable).copied().unwrap_or(0)
    }

    /// The ill-formed subsequences among the faults.
    pub fn ill_formed(&self) -> u64 {
        self.found
            .iter()
            .filter(|(kind, _)| matches!(kind, Kind::IllFormed(_)))
            .map(|(_, count)| count)
            .sum()
    }

    /// What is denied by a policy among the faults.
    pub fn denied(&self) -> u64 {
        let denied = self.found.iter().filter(|(kind, _)| matches!(kind, Kind::Denied(_)));
        denied.map(|(_, count)| count).sum()
    }

    /// Adds the counts of another text.
    pub fn add(&mut self, other: &Self) {
        self.bytes_read += other.bytes_read;
        self.bytes_written += other.bytes_written;
        self.characters += other.characters;
        self.lines += other.lines;
        self.of_ill_formed.add(&other.of_ill_formed);
        self.of_unmappable.add(&other.of_unmappable);
        self.stopped |= other.stopped;
        for (kind, count) in &other.found {
            *self.found.entry(*kind).or_default() += count;
        }
    }
}
