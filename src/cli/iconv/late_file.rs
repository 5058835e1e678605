//! `-o`: a file that is created when there is something to write, and put in place at the end.

use std::io::{self, Write};
use std::path::Path;

use oxiconv_transcode::io::{Completion, Note, Replacement, Version};

/// The output file. As in glibc, it is not touched before the first byte: if the first input cannot be converted, an
/// older file stays as it is.
pub(super) struct LateFile<'a> {
    path: &'a Path,
    /// The version to replace, if the file is also an input: a result never replaces what was not read.
    read: Option<Version>,
    file: Option<Replacement>,
    /// Whether it could not be created.
    pub(super) refused: bool,
}

impl<'a> LateFile<'a> {
    pub(super) fn new(path: &'a Path, read: Option<Version>) -> Self {
        Self { path, read, file: None, refused: false }
    }

    /// Creates the file unless that is done.
    pub(super) fn open(&mut self) -> io::Result<&mut Replacement> {
        match &mut self.file {
            Some(file) => Ok(file),
            empty => {
                // An empty name is a file that cannot be, to the system too.
                let new = match self.path.as_os_str().is_empty() {
                    true => Err(rustix::io::Errno::NOENT.into()),
                    false => Replacement::new(self.path),
                };
                let mut file = new.inspect_err(|_| self.refused = true)?;
                file.only_over(self.read.take());
                Ok(empty.insert(file))
            }
        }
    }

    /// Puts what was written in place, if there is anything.
    pub(super) fn complete(self) -> io::Result<Vec<Note>> {
        let Some(file) = self.file else { return Ok(Vec::new()) };
        // Like glibc, iconv does not wait for the disk.
        let completion = Completion::new(false);
        let placed = completion.place(vec![file.ready(None)?]);
        placed.into_iter().collect::<io::Result<Vec<_>>>().map(|notes| notes.concat())
    }
}

impl Write for LateFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.open()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
