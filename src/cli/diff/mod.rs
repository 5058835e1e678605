//! `--diff`: how a file would change, as a unified diff.
//!
//! ```text
//! old bytes ─► decoded, unless the encoding includes ASCII ─┐
//!                                                           ├─► LineChanges ─► DiffPage ─► hunks
//! new bytes ─► decoded, unless the encoding includes ASCII ─┘
//! ```
//!
//! What a user wants to see is which bytes change, so bytes are shown as they are where that says something: in an
//! encoding that includes ASCII, most of the text can be read, and the bytes that are not UTF-8 stand out as `\xE9`. Of
//! UTF-16 or EBCDIC, bytes would say nothing. They are decoded first, and if the text is then the same on both sides,
//! one line says so.
//!
//! Memory is bounded: both texts are in memory, so neither may be larger than [`MAX_COMPARED`], and files are processed
//! one at a time (`Config::threads`). The diff itself is written as it is made.

mod line_changes;
mod page;

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::diagnostic::Summary;
use oxiconv_transcode::{Conversion, InputEncoding};

use page::DiffPage;

/// The most bytes of a file that is compared.
const MAX_COMPARED: usize = 4 << 20;

/// The byte order mark as UTF-8 has it.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// What would be written to a file, kept to be compared with it. If it becomes too long for that, it is dropped.
pub(crate) struct KeptText(Option<Vec<u8>>);

impl KeptText {
    /// Begins a text that is kept if `keeps`, and is dropped otherwise.
    pub(crate) fn new(keeps: bool) -> Self {
        Self(keeps.then(Vec::new))
    }

    /// Returns the text, unless it was too long.
    pub(crate) fn text(&self) -> Option<&[u8]> {
        self.0.as_deref()
    }
}

impl Write for KeptText {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(text) = &mut self.0 {
            if text.len() + bytes.len() > MAX_COMPARED {
                self.0 = None;
            } else {
                text.extend_from_slice(bytes);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file and what a conversion makes of it.
pub(crate) struct FileDiff<'a> {
    /// The name of the file, on one line.
    pub(crate) label: &'a str,
    /// `None` if it is too large.
    pub(crate) old: Option<Vec<u8>>,
    pub(crate) new: KeptText,
    pub(crate) conversion: &'a Conversion,
    /// The encoding in which the old text was read; `None` if each line has its own.
    pub(crate) from: Option<&'static Encoding>,
}

impl<'a> FileDiff<'a> {
    /// Returns the difference between the file at `path` and `new`, which `conversion` has made of it.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(crate) fn of_file(
        path: &Path,
        label: &'a str,
        new: KeptText,
        conversion: &'a Conversion,
        summary: &Summary,
    ) -> anyhow::Result<Self> {
        let mut old = Vec::new();
        File::open(path)?.take(MAX_COMPARED as u64 + 1).read_to_end(&mut old)?;
        let from = match (conversion.from(), &summary.detected) {
            (InputEncoding::Named(from), _) => Some(from),
            // UTF-8, and encodings that include ASCII.
            (InputEncoding::Lines(_), _) => None,
            (_, detected) => detected.as_ref().map(|detection| detection.read_as()),
        };
        let old = Some(old).filter(|old| old.len() <= MAX_COMPARED);
        Ok(Self { label, old, new, conversion, from })
    }

    /// Writes the difference as a unified diff with the headers of git.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub(crate) fn write(self, coloured: bool, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut page = DiffPage::new(coloured, out);
        page.header(self.label);
        let Self { old: Some(mut old), new: KeptText(Some(mut new)), conversion, from, .. } = self
        else {
            page.note(&["The file is too large to show: over 4 MiB (--dry-run says whether it would change)"]);
            return Ok(page.finish()?);
        };
        let to = conversion.to().unwrap_or(Encoding::UTF_8);
        let from_decoded = from.filter(|from| !from.has_ascii());
        if let Some(from) = from_decoded {
            old = conversion.text_of_input(&old, from)?;
        }
        if !to.has_ascii() {
            new = conversion.text_of_output(&new, to)?;
        }
        let (mut old, mut new) = (&old[..], &new[..]);
        if from_decoded.is_some() || !to.has_ascii() {
            // Decoding leaves out the mark of UTF-16. That of UTF-8 on the other side would seem to be a difference.
            old = old.strip_prefix(MARK).unwrap_or(old);
            new = new.strip_prefix(MARK).unwrap_or(new);
        }
        if old == new {
            let from = from.unwrap_or(to);
            page.note(&[from.name(), " to ", to.name(), ": the text stays the same"]);
        } else {
            page.hunks(old, new);
        }
        Ok(page.finish()?)
    }
}

#[cfg(test)]
mod tests;
