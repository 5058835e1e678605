//! What a file has on macOS alone: flags, and a time of creation that can be set.

#[cfg(target_vendor = "apple")]
pub(super) use apple::{check_unlocked, keep_flags_and_creation};
#[cfg(not(target_vendor = "apple"))]
pub(super) use others::{check_unlocked, keep_flags_and_creation};

#[cfg(target_vendor = "apple")]
mod apple {
    use std::fs::{File, FileTimes, Metadata};
    use std::io;
    use std::os::fd::AsRawFd;
    use std::os::macos::fs::{FileTimesExt, MetadataExt};

    use crate::Unkept;

    /// The file is hidden, or no part of a dump. Other flags are the system's own, or lock the file.
    const KEPT: u32 = libc::UF_HIDDEN | libc::UF_NODUMP;
    const LOCKS: u32 = libc::UF_IMMUTABLE | libc::UF_APPEND | libc::SF_IMMUTABLE | libc::SF_APPEND;

    /// Fails if flags of the file keep it from being replaced. Without this, the system would only say that the
    /// operation is not permitted.
    pub(in super::super) fn check_unlocked(old: &Metadata) -> io::Result<()> {
        if old.st_flags() & LOCKS == 0 {
            return Ok(());
        }
        let words = "it is locked by a file flag (`ls -lO` shows it, `chflags` removes it)";
        Err(io::Error::new(io::ErrorKind::PermissionDenied, words))
    }

    /// Gives the new file the flags of the old one that are kept, and its time of creation, which the Finder shows.
    pub(in super::super) fn keep_flags_and_creation(
        new: &File,
        old: &Metadata,
        notes: &mut Vec<Unkept>,
    ) {
        // A file system may not have this time, and nothing depends on it.
        let created = old.created().map(|time| FileTimes::new().set_created(time));
        let _ = created.and_then(|times| new.set_times(times));
        let flags = old.st_flags() & KEPT;
        if flags == 0 {
            return;
        }
        // SAFETY: the descriptor is open, and the call does not touch the memory of the process.
        if unsafe { libc::fchflags(new.as_raw_fd(), flags) } != 0 {
            notes.push(Unkept::Attributes(vec!["the file flags".into()]));
        }
    }

    #[cfg(test)]
    mod tests {
        use std::process::Command;
        use std::time::{Duration, UNIX_EPOCH};

        use super::*;

        #[test]
        fn flags_and_creation_are_kept_and_a_locked_file_is_named() {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("f");
            let old = File::create(&path).unwrap();
            let chflags = |flags: &str| {
                let mut command = Command::new("/usr/bin/chflags");
                assert!(command.arg(flags).arg(&path).status().unwrap().success());
            };
            chflags("hidden");
            let created = UNIX_EPOCH + Duration::from_secs(1_000_000_000);
            old.set_times(FileTimes::new().set_created(created)).unwrap();
            let new = File::create(dir.path().join("new")).unwrap();
            let mut notes = Vec::new();
            keep_flags_and_creation(&new, &old.metadata().unwrap(), &mut notes);
            let is = new.metadata().unwrap();
            assert!(is.st_flags() & KEPT == libc::UF_HIDDEN && notes.is_empty());
            assert_eq!(is.created().unwrap(), created);
            check_unlocked(&old.metadata().unwrap()).unwrap();
            chflags("uchg");
            let refused = check_unlocked(&old.metadata().unwrap()).unwrap_err();
            chflags("nouchg");
            assert!(refused.to_string().contains("chflags"), "{refused}");
        }
    }
}

#[cfg(not(target_vendor = "apple"))]
mod others {
    use std::fs::{File, Metadata};
    use std::io;

    use crate::Unkept;

    pub(in super::super) fn check_unlocked(_: &Metadata) -> io::Result<()> {
        Ok(())
    }

    pub(in super::super) fn keep_flags_and_creation(_: &File, _: &Metadata, _: &mut Vec<Unkept>) {}
}
