//! A file that replaces another when it is complete; until then the old file is as it was.
//!
//! ```text
//! temporary file beside the target ─► write ─► ready: attributes ─► on the disk ─► [backup] ─► renamed onto the target
//!                 └─ dropped at any point: the temporary file goes, the target is as it was
//! ```
//!
//! | file | job |
//! |---|---|
//! | `place` | where an output really goes |
//! | `unfinished` | temporary files, and the list of those to remove at a sudden end |
//! | `attributes`, `access` | owner, mode, access list, extended attributes |
//! | `completion` | groups of files to the disk and into their places |
//! | `backup` | what is kept of the old file |

mod access;
mod attributes;
mod backup;
mod completion;
mod place;
mod unfinished;

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::Access;

pub use completion::{Completion, Ready};
pub use place::{place_of, written_through};
pub use unfinished::{Leftover, discard_unfinished, remove_leftovers};

use super::blocking::BlockingFile;
use completion::New;
use unfinished::Temporary;

/// Something that could not be kept as it was, or that has more to it than a user expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The owner or the group is another: user, group and mode, before and now.
    Owner {
        /// Before.
        old: (u32, u32, u32),
        /// Now.
        new: (u32, u32, u32),
    },
    /// Extended attributes, or an access list, that the system did not let the new file have.
    Attributes(Vec<OsString>),
    /// So many other names of the file keep the old text.
    Links(u64),
    /// The backup has this path, since the usual one was taken.
    Backup(PathBuf),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Owner { old: (old_user, old_group, old_mode), new: (user, group, mode) } => {
                f.write_str("the owner or the group could not be kept: ")?;
                write!(f, "it belonged to {old_user}:{old_group} with mode {old_mode:04o}, ")?;
                write!(f, "and belongs to {user}:{group} with mode {mode:04o} now")
            }
            Self::Attributes(lost) => write!(f, "could not keep {}", attributes::names(lost)),
            Self::Links(1) => f.write_str("1 other hard link of it keeps the old text"),
            Self::Links(count) => write!(f, "{count} other hard links of it keep the old text"),
            Self::Backup(path) => {
                write!(f, "an older backup is kept; this one is {}", path.display())
            }
        }
    }
}

/// A state of a file: another one has been written to, or is another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    file: (u64, u64),
    len: u64,
    modified: (i64, i64),
    /// When anything of it changed, its permissions among it; not known of a file with several names, since it changes when
    /// one of them goes.
    changed: Option<(i64, i64)>,
}

impl Version {
    /// That of the file at `path` now, if it is there.
    pub fn of_path(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().map(|metadata| Self::of(&metadata))
    }

    fn of(metadata: &Metadata) -> Self {
        Self {
            file: (metadata.dev(), metadata.ino()),
            len: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.nlink() == 1).then(|| (metadata.ctime(), metadata.ctime_nsec())),
        }
    }
}

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
        if attributes::has_list(model) || metadata.gid() != rustix::process::getegid().as_raw() {
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
                if !metadata.is_file() || place::own_descriptor(target).is_some() {
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
        if let Some(file) = place::own_descriptor(target) {
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
            None => place::where_links_lead(target)?,
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
            attributes::hand_over(temporary.file(), &target, old, &mut notes)?;
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

/// Descriptors that the process may have open at a time, if there is a limit.
pub fn most_descriptors() -> Option<usize> {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    limit.map(|most| usize::try_from(most).unwrap_or(usize::MAX))
}

/// The directory that a path stands in.
fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
