//! Backups of replaced files: a hard link to the old file, or a copy if the file system has no hard links or the backup
//! is on another one. A backup never replaces an existing file.

use std::fs::{self, File, FileTimes};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use oxiconv_os::{
    FileStatus, create_private_directory, hand_over, parent, sync_directory, sync_file,
};

use super::note::Note;
use super::unfinished::{CriticalSection, Temporary};

const MAX_BACKUPS: u32 = 1_000_000;

/// How the old file is kept.
#[derive(Debug)]
pub(super) enum Backup {
    Link,
    /// As a complete copy, which only needs its name.
    Copy(Temporary),
}

/// A backup that is in place.
#[derive(Debug)]
pub(super) struct KeptBackup {
    pub(super) path: PathBuf,
    /// Whether it has the path that was asked for. If not, an older backup has it.
    pub(super) is_first_choice: bool,
    /// Whether this run has made it.
    pub(super) is_new: bool,
}

impl Backup {
    /// Copies the file at `target` with its attributes and times, to a temporary file in the directory of `place`. It
    /// gets its name only in [`Backup::keep`], so a run that ends before leaves no incomplete backup.
    pub(super) fn copy(
        target: &Path,
        place: &Path,
        sync: bool,
        notes: &mut Vec<Note>,
    ) -> io::Result<Self> {
        let mut old = File::open(target)?;
        let (metadata, status) = (old.metadata()?, FileStatus::of_file(&old)?);
        let mut copy = Temporary::private_in(parent(place))?;
        io::copy(&mut old, copy.file_mut())?;
        let mut unkept = Vec::new();
        hand_over(copy.file(), target, &status, &mut unkept)?;
        notes.extend(unkept.into_iter().map(Note::Unkept));
        let times = FileTimes::new();
        let times = match (metadata.accessed(), metadata.modified()) {
            (Ok(accessed), Ok(modified)) => times.set_accessed(accessed).set_modified(modified),
            _ => times,
        };
        copy.file().set_times(times)?;
        if sync {
            sync_file(copy.file())?;
        }
        Ok(Self::Copy(copy))
    }

    /// Gives the old file at `target` the first free name: `place`, then `place` with `.1`, `.2`, … appended.
    ///
    /// With `sync`, the name of a copy is on disk afterwards. The journal of a file system keeps the order of a link
    /// and the rename that follows, but there is no order between two file systems. The rename could reach the disk
    /// first, and a crash would then leave neither the old file nor its backup.
    pub(super) fn keep(
        &self,
        target: &Path,
        place: &Path,
        sync: bool,
        section: &CriticalSection,
    ) -> io::Result<KeptBackup> {
        for number in 0..MAX_BACKUPS {
            let mut is_new = true;
            let mut path = place.as_os_str().to_owned();
            if number > 0 {
                path.push(format!(".{number}"));
            }
            let path = PathBuf::from(path);
            let kept = match self {
                Self::Link => fs::hard_link(target, &path),
                Self::Copy(copy) => copy.rename_new(&path, section),
            };
            match kept {
                Ok(()) if sync && matches!(self, Self::Copy(_)) => sync_directory(parent(&path))
                    .inspect_err(|_| {
                        let _ = fs::remove_file(&path);
                    })?,
                Ok(()) => {}
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                // The link exists already: an earlier run was killed between making it and the rename.
                Err(_) if is_second_name(&path, target) => is_new = false,
                Err(_) => continue,
            }
            return Ok(KeptBackup { path, is_first_choice: number == 0, is_new });
        }
        Err(io::Error::other("it has too many backups already"))
    }
}

/// Whether `path` is another name of the file at `target`, and not the same one by another path. The latter would go
/// with the rename.
fn is_second_name(path: &Path, target: &Path) -> bool {
    let (Ok(one), Ok(two)) = (FileStatus::of_name(path), FileStatus::of_name(target)) else {
        return false;
    };
    let directory = |path| FileStatus::of_path(parent(path)).ok();
    let is_same_directory =
        directory(path).zip(directory(target)).is_some_and(|(one, two)| one.is_same_file(&two));
    let is_same_name = path.file_name() == target.file_name() && is_same_directory;
    one.is_same_file(&two) && two.links() > 1 && !is_same_name
}

/// Creates the missing directories of a backup, for nobody but this user: what keeps others from the original may be
/// the permissions of a directory above it.
pub(super) fn make_directories(directory: &Path, sync: bool) -> io::Result<()> {
    let is_missing = |path: &&Path| !path.as_os_str().is_empty() && !path.is_dir();
    let missing: Vec<_> = directory.ancestors().take_while(is_missing).collect();
    for directory in missing.into_iter().rev() {
        match create_private_directory(directory) {
            // Another thread or run may have created it meanwhile.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                // What is no directory cannot be listed.
                if !directory.is_dir() {
                    fs::read_dir(directory)?;
                }
            }
            created => created?,
        }
        if sync {
            sync_directory(parent(directory))?;
        }
    }
    Ok(())
}

/// Returns the path of a backup as messages show it: only its name if it is beside the file.
pub(super) fn shown<'p>(backup: &'p Path, target: &Path) -> &'p Path {
    match backup.file_name() {
        Some(name) if parent(backup) == parent(target) => Path::new(name),
        _ => backup,
    }
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use std::os::unix::fs::PermissionsExt;
    use std::time::{Duration, SystemTime};

    use super::*;

    #[test]
    fn a_copy_has_what_its_original_has_and_takes_nobodys_place() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("f");
        fs::write(&target, "text").unwrap();
        fs::write(dir.path().join("f.bak"), "older").unwrap();
        #[cfg(unix)]
        fs::set_permissions(&target, fs::Permissions::from_mode(0o4640)).unwrap();
        let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        File::options().write(true).open(&target).unwrap().set_modified(then).unwrap();
        let mut notes = Vec::new();
        let place = dir.path().join("f.bak");
        let copy = Backup::copy(&target, &place, true, &mut notes).unwrap();
        let section = CriticalSection::enter();
        let kept = copy.keep(&target, &place, true, &section).unwrap();
        drop(section);
        drop(copy);
        assert!(notes.is_empty() && !kept.is_first_choice);
        assert_eq!(kept.path, dir.path().join("f.bak.1"));
        assert_eq!(fs::read(&kept.path).unwrap(), b"text");
        let metadata = fs::metadata(&kept.path).unwrap();
        #[cfg(unix)]
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
        let place = dir.path().join("f.bak");
        let section = CriticalSection::enter();
        let kept = Backup::Link.keep(&target, &place, false, &section).unwrap();
        assert!(kept.is_first_choice && !kept.is_new && kept.path == place);
    }

    /// The plan of a run refuses this. If it could not know, because a directory is mounted in two places for example,
    /// the file gets another name.
    #[cfg(unix)]
    #[test]
    fn a_file_is_no_backup_of_itself_by_whatever_path() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("f");
        fs::write(&target, "text").unwrap();
        std::os::unix::fs::symlink(".", dir.path().join("here")).unwrap();
        let place = dir.path().join("here/f");
        // The second time, the file has two names.
        for _ in 0..2 {
            let section = CriticalSection::enter();
            let kept = Backup::Link.keep(&target, &place, false, &section).unwrap();
            assert!(!kept.is_first_choice && kept.path == dir.path().join("here/f.1"));
        }
    }
}
