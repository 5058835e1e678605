//! `--files0-from`: a list of names, each terminated by a zero byte and passed on as soon as it is read.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};

use oxiconv_os::{BlockingFile, name_of_bytes, stdin_file};
use oxiconv_report::visible_path;

/// The name of standard input on the command line and in lists.
pub(crate) const STDIN: &str = "-";
/// The most bytes of a name. No system opens a path nearly as long, and without a limit, a large file that is not a
/// list would be read into memory as a single name.
const MAX_NAME_BYTES: u64 = 64 * 1024;

pub(crate) struct NameList {
    /// The name of the list for messages.
    label: String,
    names: Box<dyn BufRead + Send>,
    begun: bool,
    ended: bool,
}

impl NameList {
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let label = visible_path(path);
        let file = if is_stdin(path) { stdin_file() } else { File::open(path) };
        let file = file.with_context(|| cannot_read(&label))?;
        Ok(Self::of(label, Box::new(BufReader::new(BlockingFile(file)))))
    }

    /// Lists the names in bytes that were read from the list at `path` before.
    pub(crate) fn kept(path: &Path, bytes: Arc<[u8]>) -> Self {
        Self::of(visible_path(path), Box::new(Cursor::new(bytes)))
    }

    fn of(label: String, names: Box<dyn BufRead + Send>) -> Self {
        Self { label, names, begun: false, ended: false }
    }

    /// Reads the whole list, without looking at the names.
    pub(crate) fn read_all(mut self) -> anyhow::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.names.read_to_end(&mut bytes).with_context(|| cannot_read(&self.label))?;
        Ok(bytes)
    }

    /// Reads the next name; `None` at the end of the list. The zero byte after the last name may be missing.
    ///
    /// ```text
    /// a 0 b 0      a, b
    /// a 0 b        a, b
    ///              nothing
    /// 0            nothing: printf '%s\0' "${files[@]}" writes that if there are no files
    /// a 0 0        a, then an error: an empty name
    /// ```
    fn read(&mut self) -> anyhow::Result<Option<PathBuf>> {
        let mut name = Vec::new();
        let read = |list: &mut Self, name: &mut Vec<u8>| -> io::Result<bool> {
            list.names.by_ref().take(MAX_NAME_BYTES + 1).read_until(0, name)?;
            let ends = name.pop_if(|last| *last == 0).is_some();
            let is_end =
                !ends || !list.begun && name.is_empty() && list.names.fill_buf()?.is_empty();
            Ok(name.is_empty() && is_end)
        };
        let is_over = read(self, &mut name).with_context(|| cannot_read(&self.label))?;
        self.begun = true;
        if is_over {
            return Ok(None);
        }
        if name.is_empty() {
            bail!("{}: empty file name", self.label);
        }
        if name.len() as u64 > MAX_NAME_BYTES {
            bail!("{}: a file name is longer than 64 KiB (names end with a zero byte)", self.label);
        }
        match name_of_bytes(name) {
            Some(name) => Ok(Some(name.into())),
            None => bail!("{}: a file name is not UTF-8", self.label),
        }
    }
}

impl Iterator for NameList {
    type Item = anyhow::Result<PathBuf>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let name = self.read().transpose();
        self.ended = !matches!(name, Some(Ok(_)));
        name
    }
}

pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == STDIN
}

/// Whether the list can be read more than once.
pub(crate) fn is_rereadable(path: &Path) -> bool {
    !is_stdin(path) && std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
}

fn cannot_read(label: &str) -> String {
    format!("cannot read the names in {label}")
}
