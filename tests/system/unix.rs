use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

/// The variable that names the directory of the user's configurations.
pub const CONFIG_HOME: &str = "XDG_CONFIG_HOME";

/// A directory of configurations without any.
pub const NO_CONFIG: &str = "/dev/null";

/// What a file has beside its bytes: mode, owner and group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attributes {
    pub mode: u32,
    pub owner: (u32, u32),
    pub list: Option<Vec<u8>>,
}

impl Attributes {
    pub fn of(path: &Path) -> Self {
        let metadata = fs::metadata(path).unwrap();
        Self {
            mode: metadata.permissions().mode() & 0o7777,
            owner: (metadata.uid(), metadata.gid()),
            list: crate::scene::attribute(path, crate::scene::ACCESS),
        }
    }

    /// Checks that a file that had these attributes is no more accessible with others.
    #[track_caller]
    pub fn assert_no_wider(&self, now: &Self, path: &Path) {
        let (path, wider) = (path.display(), now.mode & !self.mode);
        assert_eq!(wider, 0, "{path} is more accessible: {:o}, not {:o}", now.mode, self.mode);
        assert_eq!((&now.list, now.owner), (&self.list, self.owner), "{path}");
    }
}

/// Opens a temporary directory, which is private, so that only the permissions of the files themselves count.
pub fn open_directory(dir: &Path) {
    fs::set_permissions(dir, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Restores the default action of signals. The tests may have been started with some of them ignored, by nohup or by a
/// shell in the background, and child processes inherit that.
pub fn heed_signals(command: &mut Command) {
    let heed = || {
        for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM] {
            // SAFETY: `signal` is async-signal-safe, and `SIG_DFL` installs no handler.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
        }
        Ok(())
    };
    // SAFETY: the closure calls only async-signal-safe functions between fork and exec.
    unsafe { command.pre_exec(heed) };
}

/// Returns the status as a shell reports it: the exit status, or 128 plus the number of the signal that ended the run.
pub fn status(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap())
}

/// Returns the path that has this name in bytes.
pub fn name(bytes: &[u8]) -> &OsStr {
    OsStr::from_bytes(bytes)
}

/// Overwrites bytes of an open file.
pub fn write_at(file: &File, bytes: &[u8], at: u64) {
    file.write_all_at(bytes, at).unwrap();
}

/// Returns what is another for each file that is made under a name.
pub fn identity(path: &Path) -> u64 {
    fs::metadata(path).unwrap().ino()
}

/// Returns what the program printed, as it is.
pub fn portable(output: Vec<u8>, _: Option<&Path>, _: &[String]) -> Vec<u8> {
    output
}

/// Returns the path of a link in `dir` that gives the program another name.
pub fn program_named(name: &str, dir: &Path) -> PathBuf {
    let link = dir.join(name);
    if !link.exists() {
        symlink(assert_cmd::cargo::cargo_bin!("oxiconv"), &link).unwrap();
    }
    link
}

/// Returns the canonical path of a file, as messages show it.
pub fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap()
}
