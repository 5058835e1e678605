use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::windows::fs::FileExt;
use std::os::windows::io::AsRawHandle;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, GetFileInformationByHandle,
};

/// The variable that names the directory of the user's configurations.
pub const CONFIG_HOME: &str = "APPDATA";

/// A directory of configurations without any.
pub const NO_CONFIG: &str = r"C:\no\such\directory";

/// What a file has beside its bytes: nothing that the tests compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attributes;

impl Attributes {
    pub fn of(path: &Path) -> Self {
        assert!(fs::metadata(path).is_ok());
        Self
    }

    pub fn assert_no_wider(&self, _: &Self, _: &Path) {}
}

/// A temporary directory has what its parent gives.
pub fn open_directory(_: &Path) {}

/// No process inherits what another does with signals.
pub fn heed_signals(_: &mut Command) {}

/// Returns the exit status, which every process has.
pub fn status(status: ExitStatus) -> i32 {
    status.code().unwrap()
}

/// Returns the path of this name, which must be UTF-8.
pub fn name(bytes: &[u8]) -> &OsStr {
    OsStr::new(std::str::from_utf8(bytes).expect("a name that Windows can have"))
}

/// Overwrites bytes of an open file.
pub fn write_at(file: &File, mut bytes: &[u8], mut at: u64) {
    while !bytes.is_empty() {
        let written = file.seek_write(bytes, at).unwrap();
        bytes = &bytes[written..];
        at += written as u64;
    }
}

/// Returns what is another for each file that is made under a name: where the volume has it.
pub fn identity(path: &Path) -> u64 {
    let file = File::open(path).unwrap();
    let mut information = BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: the handle is open, and the pointer is to a live value.
    let done = unsafe { GetFileInformationByHandle(file.as_raw_handle(), &mut information) };
    assert_ne!(done, 0);
    u64::from(information.nFileIndexHigh) << 32 | u64::from(information.nFileIndexLow)
}

/// Returns the path of a copy in `dir` that gives the program another name. Not every user may make links.
pub fn program_named(name: &str, dir: &Path) -> PathBuf {
    let copy = dir.join(format!("{name}.exe"));
    if !copy.exists() {
        let program = fs::read(assert_cmd::cargo::cargo_bin!("oxiconv")).unwrap();
        fs::write(&copy, program).unwrap();
    }
    copy
}

/// The numbers of errors, and what other systems say for them.
const ERRORS: [(i32, &str); 6] = [
    (2, "No such file or directory"),
    (3, "No such file or directory"),
    (5, "Permission denied"),
    (80, "File exists"),
    (183, "File exists"),
    (206, "File name too long"),
];

/// Returns what the program printed as other systems would print it: with their words for the errors of the system, and
/// with `/` in paths: those of files below this directory, and those that these arguments make. Nothing else changes,
/// so every other difference is seen.
pub fn portable(output: Vec<u8>, dir: Option<&Path>, args: &[String]) -> Vec<u8> {
    let mut text = match String::from_utf8(output) {
        Ok(text) => text,
        Err(error) => return error.into_bytes(),
    };
    for (number, words) in ERRORS {
        let error = std::io::Error::from_raw_os_error(number).to_string();
        let system = error.strip_suffix(&format!(" (os error {number})")).unwrap();
        // Messages of the program end without a full stop.
        text = text.replace(system, words).replace(system.trim_end_matches('.'), words);
    }
    // PowerShell would split it at the full stop.
    text = text.replace(r#"\"-i.bak\""#, "-i.bak").replace("\"-i.bak\"", "-i.bak");
    let mut paths = Vec::new();
    if let Some(dir) = dir.filter(|_| text.contains('\\')) {
        collect(dir, "", &mut paths);
        let words: Vec<_> = args.iter().filter(|it| !it.starts_with('-')).take(20).collect();
        let below = paths.clone();
        for dir in &words {
            let names = words.iter().copied().chain(below.iter().take(200));
            paths.extend(names.map(|name| format!("{dir}/{name}")));
        }
        paths.extend(words.iter().filter(|it| it.contains('/')).map(|it| it.to_string()));
        // A walk of the directory itself begins with its name.
        let below: Vec<_> = paths.iter().map(|path| format!("./{path}")).collect();
        paths.extend(below);
        // Of paths that begin alike, the longest is replaced.
        paths.sort_by_key(|path| std::cmp::Reverse(path.len()));
    }
    if paths.is_empty() { text.into_bytes() } else { with_slashes(&text, &paths).into_bytes() }
}

/// Adds the paths below a directory, with `/`.
fn collect(dir: &Path, prefix: &str, paths: &mut Vec<String>) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(&entry.path(), &format!("{path}/"), paths);
        }
        paths.push(path);
    }
}

/// Replaces each of these paths in a text, whose separators are `\`, or `\\` in a string of JSON.
fn with_slashes(text: &str, paths: &[String]) -> String {
    let (mut replaced, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(first) = rest.chars().next() {
        let found = paths.iter().find_map(|path| Some((path, without_path(rest, path)?)));
        rest = if let Some((path, after)) = found {
            replaced.push_str(path);
            after
        } else {
            replaced.push(first);
            &rest[first.len_utf8()..]
        };
    }
    replaced
}

/// Returns what follows a path at the start of a text.
fn without_path<'a>(text: &'a str, path: &str) -> Option<&'a str> {
    let mut parts = path.split('/');
    let mut rest = text.strip_prefix(parts.next()?)?;
    for part in parts {
        rest = ["/", r"\\", r"\"].iter().find_map(|separator| rest.strip_prefix(*separator))?;
        rest = rest.strip_prefix(part)?;
    }
    Some(rest)
}

/// Returns the canonical path of a file, as messages show it: without the prefix of a path that Windows does not parse.
pub fn canonical(path: &Path) -> PathBuf {
    let path = path.canonicalize().unwrap();
    path.to_str().unwrap().strip_prefix(r"\\?\").map_or(path.clone(), PathBuf::from)
}
