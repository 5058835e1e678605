//! Who takes findings.

use std::io;

use super::finding::Finding;
use super::kind::Kind;
use super::owned::OwnedFinding;
use super::row::Row;
use crate::encoding::Encoding;

/// One character of a text, as it stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Character<'a> {
    /// Its value: a code point, or what an extended encoding holds beyond.
    pub value: u128,
    /// Its bytes. Where several characters come from one sequence, each has all its bytes.
    pub bytes: &'a [u8],
    /// Where they begin: bytes from the start of the file, from 0.
    pub offset: u64,
}

/// Takes findings, in the order of their offsets.
///
/// ```
/// use std::io;
///
/// use oxiconv::{Encoding, Finding, Options, Reporter, Transcoder};
///
/// struct Print;
///
/// impl Reporter for Print {
///     fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
///         println!("{finding}");
///         Ok(())
///     }
/// }
///
/// let looking = Options::new().build(Encoding::UTF_8, None)?;
/// Transcoder::new(&looking, &mut io::sink()).input(&mut &b"fine"[..], &mut Print)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

/// Keeps every finding.
impl Reporter for Vec<OwnedFinding> {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.push(finding.into_owned());
        Ok(())
    }
}

impl<R: Reporter + ?Sized> Reporter for &mut R {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        (**self).finding(finding)
    }

    fn row(&mut self, row: &Row<'_>) -> io::Result<bool> {
        (**self).row(row)
    }

    fn wants_places(&self) -> bool {
        (**self).wants_places()
    }

    fn unplaced(&mut self, kind: Kind, count: u64) {
        (**self).unplaced(kind, count);
    }

    fn character(&mut self, character: &Character<'_>) -> io::Result<()> {
        (**self).character(character)
    }

    fn text(&mut self, bytes: &[u8], encoding: &'static Encoding) {
        (**self).text(bytes, encoding);
    }

    fn flush(&mut self) -> io::Result<()> {
        (**self).flush()
    }

    fn note(&mut self, words: &str) {
        (**self).note(words);
    }

    fn remark(&mut self, words: &str) {
        (**self).remark(words);
    }
}
