//! A file that replaces another when it is complete, and until then is nothing anybody sees.
//!
//! ```text
//! create a temporary file beside the target ─► write ─► permissions ─► [backup] ─► rename onto the target
//!                        └─ dropped at any point: the temporary file goes, the target is as it was
//! ```

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::fs::{FallocateFlags, XattrFlags};
use rustix::io::Errno;
use tempfile::NamedTempFile;

/// How the names of temporary files begin.
const TEMPORARY: &str = ".oxiconv-";

/// The temporary files that are now on disk.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes every temporary file that is not complete, and lets no other be made or completed from then on.
///
/// For a process that is about to be ended by a signal.
pub fn discard_unfinished() {
    let guard = unfinished();
    for path in guard.iter() {
        // The process is ending: there is nobody to tell, and nothing more to try.
        let _ = fs::remove_file(path);
    }
    std::mem::forget(guard);
}

/// Where the bytes of an output go until it is complete.
#[derive(Debug)]
enum Place {
    /// A temporary file, to be renamed.
    Beside(NamedTempFile),
    /// Straight into what is there: a device or a pipe, which cannot be replaced.
    Into(File),
}

/// A new file on its way to `target`.
#[derive(Debug)]
pub struct Replacement {
    place: Place,
    target: PathBuf,
    old: Option<fs::Metadata>,
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
            let flags = FallocateFlags::KEEP_SIZE;
            // Only quicker: where the file system cannot, it is not asked again.
            let reserved = rustix::fs::fallocate(file, flags, self.written, Self::STEP);
            self.reserved = if reserved.is_ok() { self.written + Self::STEP } else { u64::MAX };
        }
    }

    /// Gives back what has not been written to.
    fn trim(self, file: &File) -> io::Result<()> {
        if self.reserved > self.written { file.set_len(self.written) } else { Ok(()) }
    }
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
        Self::with_mode(target, fs::metadata(model)?.permissions().mode() & 0o777)
    }

    fn with_mode(target: &Path, mode: u32) -> io::Result<Self> {
        let old = match fs::metadata(target) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let target = match &old {
            Some(old) if old.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
            }
            Some(old) if !old.is_file() => {
                let place = Place::Into(File::options().write(true).open(target)?);
                let target = target.to_owned();
                return Ok(Self { place, target, old: None, room: Room::default() });
            }
            Some(_) => {
                rustix::fs::access(target, rustix::fs::Access::WRITE_OK)?;
                target.canonicalize()?
            }
            None => where_links_lead(target)?,
        };
        // Held over the creation, so that no file is made that `discard_unfinished` does not see.
        let mut unfinished = unfinished();
        let temporary = tempfile::Builder::new()
            .prefix(TEMPORARY)
            .permissions(Permissions::from_mode(if old.is_some() { 0o600 } else { mode }))
            .tempfile_in(parent(&target))?;
        unfinished.insert(temporary.path().to_owned());
        let place = Place::Beside(temporary);
        Ok(Self { place, target, old, room: Room::default() })
    }

    /// Puts the complete file in its place. With `suffix`, what stood there is kept under its name and `suffix`.
    ///
    /// # Errors
    ///
    /// Those of the system; then the old file is as it was.
    pub fn complete(mut self, suffix: Option<&OsStr>) -> io::Result<()> {
        let Place::Beside(temporary) = &self.place else { return Ok(()) };
        self.room.trim(temporary.as_file())?;
        if let Some(old) = &self.old {
            hand_over(temporary.as_file(), &self.target, old)?;
            if let Some(suffix) = suffix {
                self.keep_old(suffix)?;
            }
        }
        let mut unfinished = unfinished();
        let placeholder = Place::Into(temporary.as_file().try_clone()?);
        let Place::Beside(temporary) = std::mem::replace(&mut self.place, placeholder) else {
            return Ok(());
        };
        unfinished.remove(temporary.path());
        temporary.persist(&self.target).map_err(|failed| failed.error)?;
        Ok(())
    }

    /// Gives the old file its backup name as well, in one step; it is not copied where the file system can do without.
    fn keep_old(&self, suffix: &OsStr) -> io::Result<()> {
        let mut backup = OsString::from(&self.target);
        backup.push(suffix);
        let linked = tempfile::Builder::new()
            .prefix(TEMPORARY)
            .make_in(parent(&self.target), |path| fs::hard_link(&self.target, path));
        match linked {
            Ok(linked) => linked.into_temp_path().persist(backup).map_err(|failed| failed.error),
            Err(_) => {
                let mut copy =
                    tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(parent(&self.target))?;
                io::copy(&mut File::open(&self.target)?, &mut copy)?;
                copy.as_file().set_permissions(fs::metadata(&self.target)?.permissions())?;
                copy.persist(backup).map(drop).map_err(|failed| failed.error)
            }
        }
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.place {
            Place::Beside(temporary) => {
                let written = temporary.write(bytes)?;
                self.room.wrote(temporary.as_file(), written);
                Ok(written)
            }
            Place::Into(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Place::Beside(temporary) = &self.place {
            let path = temporary.path().to_owned();
            let mut unfinished = unfinished();
            // Removed here, under the lock; the file's own drop then finds nothing to do.
            let _ = fs::remove_file(&path);
            unfinished.remove(&path);
        }
    }
}

/// The directory that a path stands in.
fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Gives a new file the owner, the permissions and the access list of the old one, or where the system refuses, less:
/// nobody gets at it who did not get at the old one.
fn hand_over(new: &File, old_path: &Path, old: &fs::Metadata) -> io::Result<()> {
    let (owner, group) = (Some(old.uid()), Some(old.gid()));
    let grouped = fchown(new, owner, group).or_else(|_| fchown(new, None, group)).is_ok();
    let listed = copy_access_list(new, old_path);
    let mut mode = old.permissions().mode();
    if !grouped || listed.is_err() {
        mode &= !0o070;
    }
    if listed.is_ok_and(|listed| listed) {
        // The list holds the mode, whose group bits are its mask.
        return Ok(());
    }
    new.set_permissions(Permissions::from_mode(mode))
}

/// Copies the POSIX access list, and says whether there was one.
fn copy_access_list(new: &File, old: &Path) -> io::Result<bool> {
    const NAME: &str = "system.posix_acl_access";
    let mut list = vec![0; 64 * 1024];
    let len = match rustix::fs::getxattr(old, NAME, &mut list[..]) {
        Ok(len) => len,
        Err(Errno::NODATA | Errno::NOTSUP) => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    rustix::fs::fsetxattr(new, NAME, &list[..len], XattrFlags::empty())?;
    Ok(true)
}

/// Where a path leads through symbolic links although nothing is there yet.
fn where_links_lead(path: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const MOST: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST {
        match fs::read_link(&path) {
            Ok(next) if next.is_absolute() => path = next,
            Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
            // No link, or nothing there: this is the place.
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}
