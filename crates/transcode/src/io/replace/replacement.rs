//! Writing the new content of a file.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use oxiconv_os::{
    BlockingFile, FileKind, FileStatus, FileVersion, Permissions, check_directory_writable,
    check_writable, hand_over, own_descriptor, parent, reserve,
};

use super::completion::{PendingRename, Ready};
use super::note::Note;
use super::target_path::{place_of, where_links_lead};
use super::unfinished::Temporary;

/// Where an output is written until it is complete.
#[derive(Debug)]
enum WriteTarget {
    /// To a temporary file in the directory of its target, to be renamed.
    Beside(Temporary),
    /// Directly to an existing device, pipe or descriptor, which cannot be replaced.
    Into(BlockingFile<File>),
}

/// A new file that will replace `target` once it is complete. If it is dropped before, `target` is unchanged.
#[derive(Debug)]
pub struct FileReplacement {
    destination: WriteTarget,
    target: PathBuf,
    old: Option<FileStatus>,
    version: Option<FileVersion>,
    preallocation: Preallocation,
}

/// Bytes of a file that are written, and those for which the file system has reserved space.
#[derive(Clone, Copy, Debug, Default)]
struct Preallocation {
    written: u64,
    reserved: u64,
}

impl Preallocation {
    /// The number of bytes to reserve at a time. Smaller files get no reservation.
    const STEP: u64 = 16 * 1024 * 1024;

    /// Counts bytes written, and reserves space ahead of them. That makes writing a large file much faster.
    fn record(&mut self, file: &File, bytes: usize) {
        self.written += bytes as u64;
        if self.written >= Self::STEP && self.written >= self.reserved {
            // If the file system cannot reserve space, it is not asked again.
            let reserved = reserve(file, self.written, Self::STEP);
            self.reserved = if reserved { self.written + Self::STEP } else { u64::MAX };
        }
    }

    /// Releases the reserved space behind the end of the file.
    fn trim(self, file: &File) -> io::Result<()> {
        if self.reserved > self.written { file.set_len(self.written) } else { Ok(()) }
    }
}

impl FileReplacement {
    /// Begins a file that will replace `target`, or the target of `target` if that is a symbolic link.
    ///
    /// # Errors
    ///
    /// If the system cannot create the file, or with [`io::ErrorKind::PermissionDenied`] if the old file is not
    /// writable.
    pub fn new(target: &Path) -> io::Result<Self> {
        Self::with(target, Permissions::USUAL)
    }

    /// Begins a file that will replace `target`. If `target` does not exist, the new file has at most the permissions
    /// of the file at `model`.
    ///
    /// # Errors
    ///
    /// The same errors as [`FileReplacement::new`], or if the system cannot examine `model`.
    pub fn like(target: &Path, model: &Path) -> io::Result<Self> {
        let place = where_links_lead(target).ok();
        Self::with(target, Permissions::like(model, place.as_deref().map(parent))?)
    }

    /// Checks whether `target` could be replaced now, without writing anything.
    ///
    /// # Errors
    ///
    /// The errors of [`FileReplacement::new`].
    pub fn is_possible(target: &Path) -> io::Result<()> {
        match FileStatus::of_path(target) {
            Ok(status) if status.kind() == FileKind::Directory => return Err(is_a_directory()),
            Ok(status) => {
                check_writable(target, &status)?;
                if !status.is_regular() || own_descriptor(target).is_some() {
                    return Ok(());
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        Self::may_create(&place_of(target)?)
    }

    /// Checks whether the directories above `path` let a file be created there now, without writing anything.
    ///
    /// # Errors
    ///
    /// If they do not. Missing directories will be created, so the first one that exists has to be writable.
    pub fn may_create(path: &Path) -> io::Result<()> {
        let above = path.ancestors().skip(1).find(|directory| directory.exists());
        check_directory_writable(above.unwrap_or(Path::new(".")))
    }

    /// Decides how `target` is written, by what is there:
    ///
    /// ```text
    /// a descriptor of this process    through it, at its position
    /// a directory                     refused
    /// a device, a FIFO                directly: it is not a file that another one could replace
    /// a regular file                  to a temporary file next to where the links lead, if the old file is writable
    /// nothing                         the same, with `permissions`
    /// ```
    /// A rename changes the directory, so the system would let a write-protected file be replaced. Such a file must
    /// stay as it is, so the permission is checked here.
    fn with(target: &Path, permissions: Permissions) -> io::Result<Self> {
        let into = |file| Self {
            destination: WriteTarget::Into(BlockingFile(file)),
            target: target.to_owned(),
            old: None,
            version: None,
            preallocation: Preallocation::default(),
        };
        if let Some(file) = own_descriptor(target) {
            return file.map(into);
        }
        let old = match FileStatus::of_path(target) {
            Ok(status) => Some(status),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let target = match &old {
            Some(old) if old.kind() == FileKind::Directory => {
                return Err(is_a_directory());
            }
            Some(old) if !old.is_regular() => {
                return File::options().write(true).open(target).map(into);
            }
            Some(old) => {
                check_writable(target, old)?;
                target.canonicalize()?
            }
            None => where_links_lead(target)?,
        };
        // Nobody else may read the new text before `hand_over` has set the permissions of the old file.
        let temporary = match old {
            Some(_) => Temporary::private_in(parent(&target))?,
            None => Temporary::new_in(parent(&target), permissions)?,
        };
        Ok(Self {
            destination: WriteTarget::Beside(temporary),
            target,
            old,
            version: None,
            preallocation: Preallocation::default(),
        })
    }

    /// Makes the replacement fail unless the target still has this version.
    pub fn only_over(&mut self, version: Option<FileVersion>) {
        self.version = version;
    }

    /// Returns a file to read what was written, from its start. Nothing may be written after this.
    ///
    /// # Errors
    ///
    /// If the system cannot seek, or with [`io::ErrorKind::Unsupported`] if the output is not a new file.
    pub fn written(&self) -> io::Result<File> {
        match &self.destination {
            WriteTarget::Beside(temporary) => temporary.written(),
            WriteTarget::Into(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Ends the writing and copies the attributes of the old file. With `backup`, the old file will be kept at that
    /// path, or with a number appended if something is there. Missing directories above it will be created.
    ///
    /// # Errors
    ///
    /// If the system cannot write the file; the old file is then unchanged.
    pub fn ready(self, backup: Option<PathBuf>) -> io::Result<Ready> {
        let Self { destination, target, old, version, preallocation } = self;
        let mut notes = Vec::new();
        let WriteTarget::Beside(temporary) = destination else {
            return Ok(Ready { new: None, notes });
        };
        preallocation.trim(temporary.file())?;
        if let Some(old) = &old {
            let mut unkept = Vec::new();
            hand_over(temporary.file(), &target, old, &mut unkept)?;
            notes.extend(unkept.into_iter().map(Note::Unkept));
            if old.links() > 1 {
                notes.push(Note::Links(old.links() - 1));
            }
        }
        let backup = backup.filter(|_| old.is_some());
        Ok(Ready { new: Some(PendingRename { temporary, target, version, backup }), notes })
    }
}

fn is_a_directory() -> io::Error {
    io::Error::new(io::ErrorKind::IsADirectory, "is a directory")
}

impl Write for FileReplacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.destination {
            WriteTarget::Beside(temporary) => {
                let written = temporary.file_mut().write(bytes)?;
                self.preallocation.record(temporary.file(), written);
                Ok(written)
            }
            WriteTarget::Into(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
