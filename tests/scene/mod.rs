//! A directory of files in Latin-1, and the guarantees that must hold for it after any fault.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
#[cfg(unix)]
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

pub use crate::support::skipped;
use crate::system::{self, Attributes, heed_signals, open_directory};
#[cfg(unix)]
use rustix::fs::{XattrFlags, getxattr, setxattr};
#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

pub const LATIN1: &[u8] = b"caf\xE9\n";
pub const UTF8: &[u8] = "café\n".as_bytes();
/// The id of an unprivileged user, for tests that run as root.
#[cfg(unix)]
pub const NOBODY: u32 = 1234;
/// The attribute in which the kernel keeps the access control list of a file.
#[cfg(unix)]
pub const ACCESS: &str = "system.posix_acl_access";
#[cfg(unix)]
pub const DEFAULT: &str = "system.posix_acl_default";

/// Converts Latin-1 to UTF-8. Each byte is the code point of the same number.
pub fn converted(latin1: &[u8]) -> Vec<u8> {
    latin1.iter().map(|byte| char::from(*byte)).collect::<String>().into_bytes()
}

#[cfg(unix)]
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Builds an access control list in the kernel's format from (tag, permissions, id) entries.
#[cfg(unix)]
pub fn list(entries: &[(u16, u16, u32)]) -> Vec<u8> {
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, may, id) in entries {
        list.extend(tag.to_le_bytes());
        list.extend(may.to_le_bytes());
        list.extend(id.to_le_bytes());
    }
    list
}

/// Returns a list that lets the user [`NOBODY`] read and write and denies everything to other users.
#[cfg(unix)]
pub fn list_for_nobody() -> Vec<u8> {
    list(&[(1, 6, !0), (2, 6, NOBODY), (4, 4, !0), (16, 6, !0), (32, 0, !0)])
}

/// Sets an attribute. Returns `false`, after reporting that the test is skipped, if the file system does not support
/// it.
#[cfg(unix)]
pub fn set(path: &Path, name: &str, value: &[u8]) -> bool {
    let set = setxattr(path, name, value, XattrFlags::empty());
    if set.is_err() {
        skipped(&format!("this file system has no {name}"));
    }
    set.is_ok()
}

#[cfg(unix)]
pub fn attribute(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut value = vec![0; 4096];
    let len = getxattr(path, name, &mut value[..]).ok()?;
    value.truncate(len);
    Some(value)
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    bytes: Vec<u8>,
    attributes: Attributes,
}

impl State {
    fn of(path: &Path) -> Self {
        Self { bytes: fs::read(path).unwrap(), attributes: Attributes::of(path) }
    }
}

/// A directory, and the state of its files before the fault.
pub struct Scene {
    dir: TempDir,
    before: BTreeMap<PathBuf, State>,
}

impl Scene {
    pub fn new() -> Self {
        Self::of(tempfile::tempdir().unwrap())
    }

    pub fn of(dir: TempDir) -> Self {
        open_directory(dir.path());
        Self { dir, before: BTreeMap::new() }
    }

    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir().join(name)
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub fn write(&mut self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        self.remember(name);
        path
    }

    /// Records the current state of a file as the original, with which [`Self::assert_safe`] compares.
    pub fn remember(&mut self, name: &str) {
        let path = self.path(name);
        let state = State::of(&path);
        self.before.insert(path, state);
    }

    #[cfg(unix)]
    pub fn set_mode(&mut self, name: &str, mode: u32) {
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(mode)).unwrap();
        self.remember(name);
    }

    #[cfg(unix)]
    pub fn mkfifo(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    }

    #[cfg(unix)]
    pub fn mode(&self, name: &str) -> u32 {
        fs::metadata(self.path(name)).unwrap().permissions().mode() & 0o7777
    }

    /// Returns a command that runs the program in the directory.
    pub fn program(&self, args: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"));
        command.current_dir(self.dir()).args(args);
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS"] {
            command.env_remove(name);
        }
        command.env(system::CONFIG_HOME, system::NO_CONFIG);
        heed_signals(&mut command);
        command
    }

    pub fn run(&self, args: &[&str]) -> Ended {
        Ended(self.program(args).output().unwrap())
    }

    /// Runs the program as the user [`NOBODY`]. Only root can do this.
    #[cfg(unix)]
    pub fn run_as_nobody(&self, args: &[&str]) -> Ended {
        let mut command = self.program(args);
        command.uid(NOBODY).gid(NOBODY);
        Ended(command.output().unwrap())
    }

    /// Returns a command that runs the program after bash commands such as `ulimit -n 4;`.
    #[cfg(unix)]
    pub fn limited(&self, before: &str, args: &[&str]) -> Command {
        let mut command = Command::new("bash");
        command.current_dir(self.dir()).args(["-c", &format!("{before} exec \"$0\" \"$@\"")]);
        command.arg(assert_cmd::cargo::cargo_bin!("oxiconv")).args(args);
        heed_signals(&mut command);
        command
    }

    /// Starts the program. Its output is not read until [`Running::end`].
    pub fn start(&self, args: &[&str]) -> Running {
        Running::new(self.program(args))
    }

    /// Returns the paths of all files below the directory, relative to it and sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        collect(self.dir(), self.dir(), &mut names);
        names.sort();
        names
    }

    pub fn temporaries(&self) -> Vec<String> {
        let names = self.names().into_iter();
        names.filter(|name| name.contains(".oxiconv-")).collect()
    }

    /// Checks that every original is either unchanged or fully converted and no more accessible than before, that every
    /// backup is complete and no more accessible either, and that no temporary file is left over.
    #[track_caller]
    pub fn assert_safe(&self) {
        assert_eq!(self.temporaries(), [""; 0], "temporary files are left over");
        for (path, before) in &self.before {
            let now = State::of(path);
            assert!(
                now.bytes == before.bytes || now.bytes == converted(&before.bytes),
                "{} is neither unchanged nor fully converted: {} bytes of {}",
                path.display(),
                now.bytes.len(),
                before.bytes.len()
            );
            before.attributes.assert_no_wider(&now.attributes, path);
            for backup in self.backups(path) {
                let kept = State::of(&backup);
                assert!(kept.bytes == before.bytes, "{} is incomplete", backup.display());
                before.attributes.assert_no_wider(&kept.attributes, &backup);
            }
        }
    }

    /// Returns the number of originals that have changed.
    pub fn converted(&self) -> usize {
        let is = |(path, before): (&PathBuf, &State)| fs::read(path).unwrap() != before.bytes;
        self.before.iter().filter(|it| is(*it)).count()
    }

    /// Returns the backups of a file: those beside it whose names end in `.bak`, and those below the directory `kept`,
    /// each also with a number.
    pub fn backups(&self, path: &Path) -> Vec<PathBuf> {
        let kept = self.path("kept").join(path.strip_prefix(self.dir()).unwrap());
        let beside = PathBuf::from(format!("{}.bak", path.display()));
        let mut backups = Vec::new();
        for first in [beside, kept] {
            let entries = fs::read_dir(first.parent().unwrap()).into_iter().flatten();
            let numbered = |path: &PathBuf| {
                let number = path.extension().and_then(|number| number.to_str());
                path.with_extension("") == first
                    && number.is_some_and(|it| it.parse::<u32>().is_ok())
            };
            let paths = entries.map(|entry| entry.unwrap().path());
            backups.extend(paths.filter(|path| *path == first || numbered(path)));
        }
        backups.retain(|path| !self.before.contains_key(path));
        backups
    }
}

fn collect(top: &Path, dir: &Path, names: &mut Vec<String>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            collect(top, &path, names);
        } else {
            names.push(path.strip_prefix(top).unwrap().to_string_lossy().into_owned());
        }
    }
}

/// The outcome of a finished run.
pub struct Ended(pub Output);

impl Ended {
    /// Returns the status as a shell reports it.
    pub fn status(&self) -> i32 {
        system::status(self.0.status)
    }

    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.0.stdout).into_owned()
    }

    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.0.stderr).into_owned()
    }

    /// Checks the status and all of standard error.
    #[track_caller]
    pub fn assert(&self, status: i32, err: &str) {
        assert_eq!((self.status(), self.err()), (status, err.to_owned()), "{}", self.out());
    }

    /// Checks the status, and that a line of standard error begins with `start` and contains `cause`.
    #[track_caller]
    pub fn assert_says(&self, status: i32, start: &str, cause: &str) {
        let err = self.err();
        let says = err.lines().any(|line| line.starts_with(start) && line.contains(cause));
        assert!(self.status() == status && says, "{}: {err}", self.status());
    }
}

/// A program that is still running. It is killed if the test ends first.
pub struct Running(Option<Child>);

impl Running {
    pub fn new(mut command: Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self(Some(command.spawn().unwrap()))
    }

    pub fn child(&mut self) -> &mut Child {
        self.0.as_mut().unwrap()
    }

    #[cfg(unix)]
    pub fn signal(&mut self, signal: Signal) {
        let child = self.child();
        // The id of a process that has been waited for may already belong to another process.
        if child.try_wait().unwrap().is_none() {
            kill_process(Pid::from_child(child), signal).unwrap();
        }
    }

    pub fn end(mut self) -> Ended {
        Ended(self.0.take().unwrap().wait_with_output().unwrap())
    }

    /// Waits for the end while draining standard error. Returns that and the status as a shell reports it.
    pub fn status(mut self) -> (i32, String) {
        let mut child = self.0.take().unwrap();
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        let status = child.wait().unwrap();
        (system::status(status), err)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Polls until a condition holds. Panics after a minute.
#[track_caller]
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(60), "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Returns a text in Latin-1, of this length.
pub fn text(bytes: usize) -> Vec<u8> {
    let line = b"caf\xE9 au lait, na\xEFve, \xC5ngstr\xF6m, a line of text\n";
    line.iter().copied().cycle().take(bytes).collect()
}

/// Whether the program sleeps, as it does while it opens or reads a FIFO.
#[cfg(unix)]
pub fn is_waiting(run: &mut Running) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", run.child().id())).unwrap();
    let state = stat.rsplit(')').next().unwrap().trim_start().starts_with('S');
    // A single look could catch a momentary sleep, so look again after a while.
    state && {
        std::thread::sleep(Duration::from_millis(20));
        let stat = fs::read_to_string(format!("/proc/{}/stat", run.child().id())).unwrap();
        stat.rsplit(')').next().unwrap().trim_start().starts_with('S')
    }
}
