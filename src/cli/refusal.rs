//! Conversions that are refused if each file becomes a file of its own: what is known of the text contradicts them.
//!
//! ```text
//! the mark of another encoding ─► UTF-8 already, read as what takes it for other text ─► [--fallback] not UTF-8 at all
//! ```
//!
//! `--force` converts anyway. Each check takes constant memory, and none changes the file.

use std::path::Path;

use crate::diagnostic::Repair;
use crate::encoding::{Encoding, Marked, marked_otherwise};
use crate::report::{DECOMPRESS, command, shell_word};
use crate::transcode::InputEncoding;

use super::config::{Action, Config, Destination};
use super::eight_bit::misreads_utf8;
use super::fallback::{Instead, instead};
use super::files::FileArg;
use super::inspect::{any_chunk, is_regular, read_through};

/// Bytes at the start of a file that are examined for a mark and the text after it.
const LOOK_AT: usize = 8 * 1024;

/// What a run refuses.
pub(crate) struct Refusals<'a> {
    config: &'a Config,
    place: Option<&'a Destination>,
    /// The encoding of the input, if text in UTF-8 may be other text there.
    misreads: Option<&'static Encoding>,
}

impl<'a> Refusals<'a> {
    pub(crate) fn new(config: &'a Config) -> Self {
        let place = match &config.action {
            Action::Each(place) if !config.force => Some(place),
            _ => None,
        };
        let misreads = match config.conversion.from() {
            InputEncoding::Named(encoding) => {
                Some(encoding).filter(|encoding| place.is_some() && misreads_utf8(encoding))
            }
            InputEncoding::Detected(_) | InputEncoding::Lines(_) => None,
        };
        Self { config, place, misreads }
    }

    /// Returns why the file at `path` is not converted, if there is a reason.
    pub(crate) fn of(&self, file: &FileArg, path: &Path) -> anyhow::Result<Option<String>> {
        let Some(place) = self.place else { return Ok(None) };
        // A pipe or a device can be read only once. A wrong path is reported when it is opened.
        if !is_regular(path) {
            return Ok(None);
        }
        if let Some(words) = self.marked(file, path)? {
            return Ok(Some(words));
        }
        if let (Destination::InPlace(_), Some(from)) = (place, self.misreads)
            && self.is_utf8_already(file, from)?
        {
            let words = "already valid UTF-8, but -f says";
            return Ok(Some(format!(
                "not converted: {words} {} (--force converts it anyway)",
                from.name()
            )));
        }
        if let (Destination::InPlace(_), Some(fallback)) =
            (place, self.config.conversion.options().fallback)
            && let Some(Instead { what, repair }) = instead(self.config, fallback.named(), file)?
        {
            let what = format!("{what}, not like UTF-8 with stray bytes");
            return Ok(Some(self.refused(&what, &repair, path)));
        }
        Ok(None)
    }

    /// Whether a file is text in UTF-8, and would be other text in `from`.
    fn is_utf8_already(&self, file: &FileArg, from: &Encoding) -> anyhow::Result<bool> {
        let read = read_through(&self.config.conversion, file, Encoding::UTF_8)?;
        if read.stopped || from.unit() == 1 {
            return Ok(!read.stopped && read.characters < read.bytes_read);
        }
        // In units of several bytes, US-ASCII is other text too; that text has controls where it is read as US-ASCII.
        let is_text = |byte: &u8| *byte >= 0x20 || b"\t\n\x0C\r".contains(byte);
        Ok(read.bytes_read > 0 && !any_chunk(file, |chunk| !chunk.iter().all(is_text))?)
    }

    /// Returns a note on a file that is kept: why its conversion would be refused in place.
    pub(crate) fn note_on(&self, file: &FileArg, path: &Path) -> anyhow::Result<Option<String>> {
        let (Some(Destination::Under(_)), Some(fallback)) =
            (self.place, self.config.conversion.options().fallback)
        else {
            return Ok(None);
        };
        if self.config.quiet || !is_regular(path) {
            return Ok(None);
        }
        let instead = instead(self.config, fallback.named(), file)?;
        Ok(instead.map(|Instead { what, repair }| {
            let command = self.command(&repair, path);
            format!("looks like {what}, not like UTF-8 with stray bytes (to convert it: {command})")
        }))
    }

    /// Refuses a text with the mark of another encoding.
    fn marked(&self, file: &FileArg, path: &Path) -> anyhow::Result<Option<String>> {
        // Detection reads a text by its mark.
        let InputEncoding::Named(from) = self.config.conversion.from() else { return Ok(None) };
        let mut start = Vec::new();
        any_chunk(file, |chunk| {
            start.extend_from_slice(&chunk[..chunk.len().min(LOOK_AT - start.len())]);
            start.len() == LOOK_AT
        })?;
        let seen = marked_otherwise(from, &start, start.len() < LOOK_AT);
        let Marked::Otherwise { scheme, .. } = seen else { return Ok(None) };
        // The mark is not part of the text if the encoding is named without a byte order.
        let repair = Repair::from(scheme.unmarked());
        let what = format!("{}, with a byte order mark", scheme.name());
        Ok(Some(self.refused(&what, &repair, path)))
    }

    /// Returns the message for a text that looks like something else, which `repair` reads.
    fn refused(&self, what: &str, repair: &Repair, path: &Path) -> String {
        format!(
            "not converted: it looks like {what} (to convert it: {}; --force converts it as requested)",
            self.command(repair, path)
        )
    }

    /// Returns the command that does what was asked, with other options for the input.
    fn command(&self, repair: &Repair, path: &Path) -> String {
        let to = self.config.conversion.to().filter(|to| *to != Encoding::UTF_8);
        let mut options = Repair { to: to.or(repair.to), ..repair.clone() }.options();
        if self.config.files.decompress {
            options.insert(0, DECOMPRESS.to_owned());
        }
        match self.place {
            // A command that cuts off bytes first reads from a pipe, and cannot replace the file.
            _ if repair.skip > 0 => {}
            Some(Destination::InPlace(None)) => options.push("-i".to_owned()),
            Some(Destination::InPlace(Some(suffix))) => {
                options.push(format!("--in-place={}", shell_word(Path::new(suffix))));
            }
            Some(Destination::Under(dir)) => options.extend(["-O".to_owned(), shell_word(dir)]),
            None => {}
        }
        command(&options, repair.skip, Some(path))
    }
}
