//! A new file on its way to its place.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::Access;

use super::super::blocking::BlockingFile;
use super::attributes::{hand_over, has_list};
use super::completion::{Completion, New, Ready};
use super::note::Note;
use super::place::{own_descriptor, parent, place_of, where_links_lead};
use super::unfinished::Temporary;
use super::version::Version;

/// Where the bytes of an output go until it is complete.
#[derive(Debug)]
enum WriteTarget {
    /// A temporary file, to be renamed.
    Beside(Temporary),
    /// Straight into what is there: a device, a pipe or a descriptor, which cannot be replaced.
    Into(BlockingFile<File>),
}

/// A new file on its way to `target`.
#[derive(Debug)]
pub struct Replacement {
    place: WriteTarget,
    target: PathBuf,
    old: Option<Metadata>,
    version: Option<Version>,
    room: Room,
}

/// Bytes of a file that are written, and those that the file system has been asked to have room for.
#[derive(Clone, Copy, Debug, Default)]
struct Room {
    written: u64,
    reserved: u64,
}

impl Room {
    /// Bytes of a file from which on it is worth it, and which are asked for at a time.
    const STEP: u64 = 16 * 1024 * 1024;

    /// Takes note of bytes written. For a large file room is reserved ahead, which makes writing it much quicker.
    fn wrote(&mut self, file: &File, bytes: usize) {
        self.written += bytes as u64;
        if self.written >= Self::STEP && self.written >= self.reserved {
            // Only quicker: if the file system cannot, it is not asked again.
            let reserved = reserve(file, self.written, Self::STEP);
            self.reserved = if reserved { self.written + Self::STEP } else { u64::MAX };
        }
    }

    /// Gives back what has not been written to.
    fn trim(self, file: &File) -> io::Result<()> {
        if self.reserved > self.written { file.set_len(self.written) } else { Ok(()) }
    }
}

/// Reserves room for `bytes` bytes from byte `start` on, without changing the length of the file; says whether it did.
#[cfg(target_os = "linux")]
fn reserve(file: &File, start: u64, bytes: u64) -> bool {
    rustix::fs::fallocate(file, rustix::fs::FallocateFlags::KEEP_SIZE, start, bytes).is_ok()
}

/// Other systems have no such call.
#[cfg(not(target_os = "linux"))]
fn reserve(_: &File, _: u64, _: u64) -> bool {
    false
}

impl Replacement {
    /// Begins a file that will stand at `target`, or where `target` as a symbolic link leads.
    ///
    /// # Errors
    ///
    /// Those of the system; [`io::ErrorKind::PermissionDenied`] where the file that is there may not be written.
    pub fn new(target: &Path) -> io::Result<Self> {
        Self::with_mode(target, 0o666)
    }

    /// The same; where nothing stands yet, the new file has at most the permissions of the file at `model`.
    ///
    /// # Errors
    ///
    /// As [`Replacement::new`].
    pub fn like(target: &Path, model: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(model)?;
        let mut mode = metadata.permissions().mode() & 0o777;
        // The group of the new file may have as much as its members had as others, if it is another group; and if there
        // is an access list, those bits are not the group's, but its mask.
        if has_list(model) || metadata.gid() != rustix::process::getegid().as_raw() {
            mode &= !0o070 | (mode & 0o007) << 3;
        }
        Self::with_mode(target, mode)
    }

    /// Whether one could stand at `target`, by what the system says of it now; nothing is written.
    ///
    /// # Errors
    ///
    /// Those that beginning it would have.
    pub fn is_possible(target: &Path) -> io::Result<()> {
        let may = |path: &Path, access| rustix::fs::access(path, access).map_err(io::Error::from);
        match fs::metadata(target) {
            Ok(metadata) if metadata.is_dir() => return Err(is_a_directory()),
            Ok(metadata) => {
                may(target, Access::WRITE_OK)?;
                if !metadata.is_file() || own_descriptor(target).is_some() {
                    return Ok(());
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        // Directories that are not there will be made.
        let place = place_of(target)?;
        let above = place.ancestors().skip(1).find(|directory| directory.exists());
        may(above.unwrap_or(Path::new(".")), Access::WRITE_OK | Access::EXEC_OK)
    }

    fn with_mode(target: &Path, mode: u32) -> io::Result<Self> {
        let into = |file| Self {
            place: WriteTarget::Into(BlockingFile(file)),
            target: target.to_owned(),
            old: None,
            version: None,
            room: Room::default(),
        };
        if let Some(file) = own_descriptor(target) {
            return file.map(into);
        }
        let old = match fs::metadata(target) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let target = match &old {
            Some(old) if old.is_dir() => {
                return Err(is_a_directory());
            }
            Some(old) if !old.is_file() => {
                return File::options().write(true).open(target).map(into);
            }
            Some(_) => {
                rustix::fs::access(target, Access::WRITE_OK)?;
                target.canonicalize()?
            }
            None => where_links_lead(target)?,
        };
        let mode = if old.is_some() { 0o600 } else { mode };
        let place = WriteTarget::Beside(Temporary::new_in(parent(&target), mode)?);
        Ok(Self { place, target, old, version: None, room: Room::default() })
    }

    /// Lets it replace nothing but a file that is still what `version` says.
    pub fn only_over(&mut self, version: Option<Version>) {
        self.version = version;
    }

    /// What was written, from its start; nothing may be written any more.
    ///
    /// # Errors
    ///
    /// Those of the system; [`io::ErrorKind::Unsupported`] if what is written to is no new file.
    pub fn written(&self) -> io::Result<File> {
        match &self.place {
            WriteTarget::Beside(temporary) => temporary.written(),
            WriteTarget::Into(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Ends the writing: what there is to keep of the old file is kept. With `suffix`, the old file will be as well,
    /// under its name and `suffix`.
    ///
    /// # Errors
    ///
    /// Those of the system; then the old file is as it was.
    pub fn ready(self, suffix: Option<&OsStr>) -> io::Result<Ready> {
        let Self { place, target, old, version, room } = self;
        let mut notes = Vec::new();
        let WriteTarget::Beside(temporary) = place else { return Ok(Ready { new: None, notes }) };
        room.trim(temporary.file())?;
        if let Some(old) = &old {
            hand_over(temporary.file(), &target, old, &mut notes)?;
            if old.nlink() > 1 {
                notes.push(Note::Links(old.nlink() - 1));
            }
        }
        let suffix = suffix.filter(|_| old.is_some()).map(OsStr::to_owned);
        Ok(Ready { new: Some(New { temporary, target, version, suffix }), notes })
    }

    /// Puts the complete file in its place, on the disk. With `suffix`, what stood there is kept under its name and
    /// `suffix`, or if that is taken, with a number after it.
    ///
    /// # Errors
    ///
    /// Those of the system; then the old file is as it was.
    pub fn complete(self, suffix: Option<&OsStr>) -> io::Result<Vec<Note>> {
        let completion = Completion::new(true);
        let placed = completion.place(vec![self.ready(suffix)?]);
        let notes = placed.into_iter().next().unwrap_or_else(|| Ok(Vec::new()))?;
        completion.settle()?;
        Ok(notes)
    }
}

fn is_a_directory() -> io::Error {
    io::Error::new(io::ErrorKind::IsADirectory, "is a directory")
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.place {
            WriteTarget::Beside(temporary) => {
                let written = temporary.file_mut().write(bytes)?;
                self.room.wrote(temporary.file(), written);
                Ok(written)
            }
            WriteTarget::Into(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
