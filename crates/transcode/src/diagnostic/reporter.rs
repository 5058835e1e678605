//! The trait of everything that receives findings.
//!
//! Only [`Reporter::finding`] has to be written. Every other method has a default that fits a reporter which wants
//! findings and nothing else. The conversion asks what is wanted, because some of it costs far more than the conversion
//! itself: a place means that a run of text is decoded again, and context that bytes are kept and more of them are
//! awaited.

use std::io;

use super::finding::Finding;
use super::kind::Kind;
use super::message::Message;
use super::row::Row;
use oxiconv_encodings::encoding::Encoding;

/// A character of a text, as it was decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Character<'a> {
    /// Its value: a code point, or a larger number in an extended encoding.
    pub value: u128,
    /// Its bytes. If a sequence encodes several characters, each of them has all of its bytes.
    pub bytes: &'a [u8],
    /// Their offset from the start of the file in bytes, starting with 0.
    pub offset: u64,
}

/// Receives findings, in the order of their offsets.
///
/// ```
/// # use oxiconv_transcode as oxiconv;
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
    /// Receives one finding.
    ///
    /// # Errors
    ///
    /// If it cannot be reported. That ends the conversion.
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()>;

    /// Receives adjacent ill-formed subsequences at once, if it does not need their context. Returns whether it took
    /// them; if not, each is passed as a finding.
    ///
    /// # Errors
    ///
    /// The same as [`Reporter::finding`].
    fn row(&mut self, row: &Row<'_>) -> io::Result<bool> {
        let _ = row;
        Ok(false)
    }

    /// Whether to repair a damaged part of the text, if the conversion asks
    /// ([`OnMojibake::Ask`](crate::OnMojibake::Ask)). The same finding has been received before.
    ///
    /// # Errors
    ///
    /// If nobody can be asked. That ends the conversion.
    fn accepts(&mut self, finding: &Finding<'_>) -> io::Result<bool> {
        let _ = finding;
        Ok(true)
    }

    /// Whether it wants findings with their places now. If not, it only receives counts through [`Reporter::unplaced`],
    /// which saves locating them. It always receives the finding that stops a conversion. After it has returned false,
    /// it must not return true again in the same text, because the places may be unknown by then.
    fn wants_places(&self) -> bool {
        true
    }

    /// Receives the number of findings of a kind whose places are not known.
    fn unplaced(&mut self, kind: Kind, count: u64) {
        let _ = (kind, count);
    }

    /// Receives a character, if the conversion reports all of them. Findings come in order between them.
    ///
    /// # Errors
    ///
    /// The same as [`Reporter::finding`].
    fn character(&mut self, character: &Character<'_>) -> io::Result<()> {
        let _ = character;
        Ok(())
    }

    /// Receives the bytes of the text, in order, if the [`Detail`](super::Detail) asks for them. They may be cut
    /// anywhere, and come after the findings in them. `encoding` is the encoding in force. If the conversion stops, the
    /// bytes that stop it come last.
    fn text(&mut self, bytes: &[u8], encoding: &'static Encoding) {
        let _ = (bytes, encoding);
    }

    /// Receives the size of a part of the text that is not passed to [`Reporter::text`]: well-formed, between the start
    /// of the text and the first finding. `characters` is exact in UTF-8.
    fn text_skipped(&mut self, bytes: u64, characters: u64) {
        let _ = (bytes, characters);
    }

    /// Receives what follows the bytes that stop a conversion, if the [`Detail`](super::Detail) asks for the text and
    /// more of it can be read without waiting: a part of at most 128 KiB, which is no longer converted but says more of
    /// what the text is. `last` says that the text ends with it.
    fn text_after_stop(&mut self, bytes: &[u8], encoding: &'static Encoding, last: bool) {
        let _ = (bytes, encoding, last);
    }

    /// Shows everything received so far, because the conversion may have to wait for input.
    ///
    /// # Errors
    ///
    /// The same as [`Reporter::finding`].
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Receives a message about the whole text.
    fn message(&mut self, message: Message) {
        let _ = message;
    }
}

/// A reporter that drops everything. Findings are still counted in the [`Summary`](super::Summary).
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
impl Reporter for Vec<Finding<'static>> {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.push(finding.detached());
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

    fn accepts(&mut self, finding: &Finding<'_>) -> io::Result<bool> {
        (**self).accepts(finding)
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

    fn text_skipped(&mut self, bytes: u64, characters: u64) {
        (**self).text_skipped(bytes, characters);
    }

    fn text_after_stop(&mut self, bytes: &[u8], encoding: &'static Encoding, last: bool) {
        (**self).text_after_stop(bytes, encoding, last);
    }

    fn flush(&mut self) -> io::Result<()> {
        (**self).flush()
    }

    fn message(&mut self, message: Message) {
        (**self).message(message);
    }
}
