//! Backups of replaced files: a hard link to the old file, or a copy if the file system has no hard links. A backup
//! never replaces an existing file.

use std::ffi::OsStr;
use std::fs::{self, File, FileTimes, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::attributes::hand_over;
use super::note::Note;
use super::target_path::parent;
use super::unfinished::{CriticalSection, Temporary};

const MAX_BACKUPS: u32 = 1_000_000;

/// How the old file is kept.
#[derive(Debug)]
pub(super) enum Backup {
    Link,
    /// As a complete copy, which only needs its name.
    Copy(Temporary),
}

impl Backup {
    /// Copies the file at `target` with its attributes and times, to a temporary file. It gets its name only in
    /// [`Backup::keep`], so a run that ends before leaves no incomplete backup.
    pub(super) fn copy(target: &Path, notes: &mut Vec<Note>) -> io::Result<Self> {
        let mut old = File::open(target)?;
        let metadata = old.metadata()?;
        let mut copy = Temporary::new_in(parent(target), 0o600)?;
        io::copy(&mut old, copy.file_mut())?;
        hand_over(copy.file(), target, &metadata, notes)?;
        let times = FileTimes::new();
        let times = match (metadata.accessed(), metadata.modified()) {
            (Ok(accessed), Ok(modified)) => times.set_accessed(accessed).set_modified(modified),
            _ => times,
        };
        copy.file().set_times(times)?;
        Ok(Self::Copy(copy))
    }

    /// Returns the file of the copy.
    pub(super) fn file(&self) -> Option<&File> {
        match self {
            Self::Link => None,
            Self::Copy(copy) => Some(copy.file()),
        }
    }

    /// Gives the old file at `target` the first free name: `target` with `suffix`, then with `.1`, `.2`, … appended.
    /// Returns the name, and whether it is the first choice.
    pub(super) fn keep(
        &self,
        target: &Path,
        suffix: &OsStr,
        section: &CriticalSection,
    ) -> io::Result<(PathBuf, bool)> {
        for number in 0..MAX_BACKUPS {
            let mut name = target.as_os_str().to_owned();
            name.push(suffix);
            if number > 0 {
                name.push(format!(".{number}"));
            }
            let name = PathBuf::from(name);
            let kept = match self {
                Self::Link => fs::hard_link(target, &name),
                Self::Copy(copy) => copy.rename_new(&name, section),
            };
            match kept {
                Ok(()) => return Ok((name, number == 0)),
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                // The link exists already: an earlier run was killed between making it and the rename.
                Err(_) if is_the_same(target, &name) => return Ok((name, number == 0)),
                Err(_) => {}
            }
        }
        Err(io::Error::other("it has too many backups already"))
    }
}

fn is_the_same(target: &Path, name: &Path) -> bool {
    let id = |metadata: Metadata| (metadata.dev(), metadata.ino());
    match (fs::symlink_metadata(target), fs::symlink_metadata(name)) {
        (Ok(one), Ok(two)) => id(one) == id(two),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::time::{Duration, SystemTime};

    use super::*;

    #[test]
    fn a_copy_has_what_its_original_has_and_takes_nobodys_place() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("f");
        fs::write(&target, "text").unwrap();
        fs::write(dir.path().join("f.bak"), "older").unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o4640)).unwrap();
        let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        File::options().write(true).open(&target).unwrap().set_modified(then).unwrap();
        let mut notes = Vec::new();
        let copy = Backup::copy(&target, &mut notes).unwrap();
        let section = CriticalSection::enter();
        let (name, first) = copy.keep(&target, OsStr::new(".bak"), &section).unwrap();
        drop(section);
        drop(copy);
        assert!(notes.is_empty() && !first);
        assert_eq!(name, dir.path().join("f.bak.1"));
        assert_eq!(fs::read(&name).unwrap(), b"text");
        let metadata = fs::metadata(&name).unwrap();
        assert_eq!(metadata.permissions().mode() & 0o7777, 0o4640);
        assert_eq!(metadata.modified().unwrap(), then);
        assert_eq!(fs::read(dir.path().join("f.bak")).unwrap(), b"older");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3);
    }

    #[test]
    fn a_second_name_that_a_killed_run_left_is_the_backup() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("f");
        fs::write(&target, "text").unwrap();
        fs::hard_link(&target, dir.path().join("f.bak")).unwrap();
        let section = CriticalSection::enter();
        let (name, first) = Backup::Link.keep(&target, OsStr::new(".bak"), &section).unwrap();
        assert!(first && name == dir.path().join("f.bak"));
    }
}
