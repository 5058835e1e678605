//! `-o`: a file that is created when the first byte is written, and put in place at the end.

use std::io::{self, Write};
use std::path::Path;

use oxiconv_os::FileVersion;
use oxiconv_transcode::io::{Completion, FileReplacement, Note};

/// The output file. As in glibc, it is not touched before the first byte of output, so an existing file survives if the
/// first input cannot be converted at all.
pub(super) struct LateFile<'a> {
    path: &'a Path,
    /// If the file is also an input: the version that was read, the only one that may be replaced.
    read: Option<FileVersion>,
    file: Option<FileReplacement>,
    /// Whether creating it failed, which has a message of its own.
    pub(super) refused: bool,
}

impl<'a> LateFile<'a> {
    pub(super) fn new(path: &'a Path, read: Option<FileVersion>) -> Self {
        Self { path, read, file: None, refused: false }
    }

    /// Creates the file unless it exists already.
    pub(super) fn open(&mut self) -> io::Result<&mut FileReplacement> {
        match &mut self.file {
            Some(file) => Ok(file),
            empty => {
                // As open(2) does for an empty path.
                let new = match self.path.as_os_str().is_empty() {
                    true => std::fs::metadata(self.path).and(Err(io::ErrorKind::NotFound.into())),
                    false => FileReplacement::new(self.path),
                };
                let mut file = new.inspect_err(|_| self.refused = true)?;
                file.only_over(self.read.take());
                Ok(empty.insert(file))
            }
        }
    }

    /// Puts the file in place, if it was created.
    pub(super) fn complete(self) -> io::Result<Vec<Note>> {
        let Some(file) = self.file else { return Ok(Vec::new()) };
        // No sync: glibc's iconv does not wait for the disk either.
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
