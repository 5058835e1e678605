//! `--names` converts file names instead of text. It never replaces an existing file, and it can be undone.
//!
//! Expected names follow from the rules of the encodings, or are written by hand. A byte of ISO-8859-1 is its code
//! point, and windows-1251 and KOI8-R each encode the Russian alphabet in 32 consecutive codes per case.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::scene::{
    Ended, NOBODY, Running, Scene, converted, is_root, is_waiting, skipped, wait_until,
};
use rustix::process::Signal;
use serde_json::Value;

/// A directory whose file names a test converts.
struct Names(Scene);

impl Names {
    /// Creates files at these paths, with their parent directories.
    ///
    /// Each file contains its original path, so that a test can tell which file got which name.
    fn new(paths: &[&[u8]]) -> Self {
        let names = Self(Scene::new());
        paths.iter().for_each(|path| names.write(path));
        names
    }

    fn path(&self, path: &[u8]) -> PathBuf {
        self.0.dir().join(OsStr::from_bytes(path))
    }

    fn write(&self, path: &[u8]) {
        let place = self.path(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, path).unwrap();
    }

    /// Returns all paths below a directory, sorted, each with its contents: the text of a file or the target of a link.
    ///
    /// Directories are `/`, and anything else is `|`.
    fn all(&self, top: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
        let mut all = Vec::new();
        let mut left = vec![self.path(top)];
        while let Some(dir) = left.pop() {
            for entry in fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                let kind = path.symlink_metadata().unwrap().file_type();
                let text = if kind.is_dir() {
                    left.push(path.clone());
                    b"/".to_vec()
                } else if kind.is_symlink() {
                    fs::read_link(&path).unwrap().into_os_string().into_vec()
                } else if kind.is_file() {
                    fs::read(&path).unwrap()
                } else {
                    b"|".to_vec()
                };
                let path = path.strip_prefix(self.0.dir()).unwrap();
                all.push((path.as_os_str().as_bytes().to_vec(), text));
            }
        }
        all.sort();
        all
    }

    /// Returns all paths below a directory, sorted.
    fn paths(&self, top: &[u8]) -> Vec<Vec<u8>> {
        self.all(top).into_iter().map(|(path, _)| path).collect()
    }

    fn run(&self, args: &[&str]) -> Ended {
        self.0.run(args)
    }

    /// Runs the program with arguments that need not be UTF-8.
    fn run_on(&self, args: &[&str], paths: &[&[u8]]) -> Ended {
        let mut program = self.0.program(args);
        program.args(paths.iter().map(|path| OsStr::from_bytes(path)));
        Ended(program.output().unwrap())
    }
}

fn is(ended: &Ended, status: i32, out: &str, err: &str) {
    assert_eq!((ended.status(), &ended.out()[..], &ended.err()[..]), (status, out, err));
}

/// Parses the events of a document, and validates each against the published schema.
fn events(document: &str) -> Vec<Value> {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/findings.schema.json");
    let schema: Value = serde_json::from_slice(&fs::read(schema).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let events = document.lines().map(|line| {
        let event: Value = serde_json::from_str(line).unwrap();
        let errors: Vec<_> = validator.iter_errors(&event).map(|it| it.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}\n{line}");
        event
    });
    events.collect()
}

fn types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().unwrap()).collect()
}

const LATIN1: &[&str] = &["--names", "-f", "latin1"];

#[test]
fn what_would_change_is_shown_and_nothing_is_changed() {
    let names = Names::new(&[b"d/M\xFCller/caf\xE9 \x1B", b"d/M\xFCller/plain", b"d/b\xF6se"]);
    let before = names.all(b"d");
    let lines = "d/M\\xFCller/caf\\xE9 \\u{1b} -> café \\u{1b}\nd/M\\xFCller -> Müller\nd/b\\xF6se -> böse\n";
    let shown = names.run(&[LATIN1, &["-r", "d"]].concat());
    let err = "oxiconv: 3 names would be renamed (--rename does it), 2 unchanged\n";
    is(&shown, 0, lines, err);
    for args in
        [&["--rename", "--dry-run"][..], &["--dry-run"], &["--rename", "--dry-run", "-o", "l"]]
    {
        let shown = names.run(&[LATIN1, args, &["-r", "d"]].concat());
        is(&shown, 0, lines, "oxiconv: 3 names would be renamed, 2 unchanged\n");
    }
    is(&names.run(&[LATIN1, &["-q", "-r", "d"]].concat()), 0, lines, "");
    assert_eq!(names.all(b"d"), before);
    assert!(!names.path(b"l").exists());
    // Without -r, only the last component of each path is converted.
    let shown = names.run_on(LATIN1, &[b"d", b"d/M\xFCller", b"./d/b\xF6se"]);
    let lines = "d/M\\xFCller -> Müller\n./d/b\\xF6se -> böse\n";
    is(&shown, 0, lines, "oxiconv: 2 names would be renamed (--rename does it), 1 unchanged\n");
}

/// Returns paths with pseudo-random names in ISO-8859-1, in a tree several levels deep.
fn tree(count: usize) -> Vec<Vec<u8>> {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let mut directories = vec![b"d".to_vec()];
    let mut all = Vec::new();
    for number in 0..count {
        let parent = directories[next(directories.len() as u64) as usize].clone();
        let name: Vec<u8> = (0..=next(12))
            .map(|_| match next(3) {
                // Includes C0 and C1 controls, but never NUL, a slash or a dot.
                0 => 0x80 + next(0x80) as u8,
                1 => b'0' + next(10) as u8,
                _ => 1 + next(0x2D) as u8,
            })
            .chain(number.to_string().into_bytes())
            .collect();
        // E9 keeps the name from being hidden, and FF from being UTF-8 by chance.
        let path = [&parent[..], b"/\xE9", &name, b"\xFF"].concat();
        if next(4) == 0 {
            directories.push(path);
        } else {
            all.push(path);
        }
    }
    all
}

#[test]
fn a_deep_tree_is_renamed_and_restored_byte_by_byte() {
    let paths = tree(400);
    let names = Names::new(&paths.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let before = names.all(b"d");
    let mut expected: Vec<_> =
        before.iter().map(|(path, text)| (converted(path), text.clone())).collect();
    expected.sort();
    let count = before.len();
    for to_file in [true, false] {
        let list: &[&str] = if to_file { &["-o", "list"] } else { &[] };
        let ended = names.run(&[LATIN1, &["-r", "--rename", "d"], list].concat());
        let err = format!("oxiconv: {count} names renamed, 1 unchanged\n");
        assert_eq!((ended.status(), &ended.err()[..]), (0, &err[..]));
        if to_file {
            assert_eq!(ended.out().lines().count(), count);
        } else {
            fs::write(names.path(b"list"), ended.out()).unwrap();
        }
        let listed = fs::read_to_string(names.path(b"list")).unwrap();
        let renames = types(&events(&listed)).iter().filter(|kind| **kind == "rename").count();
        assert_eq!(renames, count);
        assert_eq!(names.all(b"d"), expected);
        // The list can be undone from another directory.
        let mut undo = names.0.program(&["--undo-rename", "../list"]);
        let undo = Ended(undo.current_dir(names.path(b"d")).output().unwrap());
        let err = format!("oxiconv: {count} names restored\n");
        assert_eq!((undo.status(), &undo.err()[..]), (0, &err[..]));
        assert_eq!(undo.out().lines().count(), count);
        assert_eq!(names.all(b"d"), before);
        fs::remove_file(names.path(b"list")).unwrap();
    }
}

/// One file per byte that a name may contain.
#[test]
fn each_byte_becomes_its_code_point() {
    let bytes = (1..=255_u8).filter(|byte| !b"./".contains(byte));
    let paths: Vec<_> = bytes.clone().map(|byte| vec![b'd', b'/', byte]).collect();
    let names = Names::new(&paths.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let ended = names.run(&[LATIN1, &["-q", "-r", "--rename", "d"]].concat());
    assert_eq!((ended.status(), ended.err()), (0, String::new()));
    let mut expected: Vec<_> = paths.iter().map(|path| converted(path)).collect();
    expected.sort();
    assert_eq!(names.paths(b"d"), expected);
}

#[test]
fn nothing_is_renamed_onto_a_name_that_exists() {
    let names = Names::new(&[b"d/caf\xE9", "d/café".as_bytes(), b"d/\xFC", b"d/x\xE9/f"]);
    symlink("nowhere", names.path("d/ü".as_bytes())).unwrap();
    fs::create_dir(names.path("d/xé".as_bytes())).unwrap();
    let before = names.all(b"d");
    let err = "oxiconv: d/caf\\xE9: cannot be renamed: café already exists\n\
               oxiconv: d/x\\xE9: cannot be renamed: xé already exists\n\
               oxiconv: d/\\xFC: cannot be renamed: ü already exists\n";
    let left = ", 3 left as valid UTF-8 (--force converts them), 3 refused\n";
    let shown = names.run(&[LATIN1, &["-r", "d"]].concat());
    is(&shown, 1, "", &format!("{err}oxiconv: 0 names would be renamed, 2 unchanged{left}"));
    let ended = names.run(&[LATIN1, &["-r", "--rename", "-o", "list", "d"]].concat());
    is(&ended, 1, "", &format!("{err}oxiconv: 0 names renamed, 2 unchanged{left}"));
    assert_eq!(names.all(b"d"), before);
    let undo = names.run(&["--undo-rename", "list"]);
    is(&undo, 0, "", "oxiconv: 0 names restored\n");
    let silent = names.run(&[LATIN1, &["-r", "-s", "d"]].concat());
    is(&silent, 1, "", "");
}

#[test]
fn of_names_that_become_the_same_one_is_renamed() {
    let names = Names::new(&[b"d/a\xE4", b"d/a\xF6", b"d/b"]);
    let args = ["--names", "-f", "ascii", "-e", "replace", "--replacement", "_", "-r", "d"];
    let err = "oxiconv: d/a\\xF6: cannot be renamed: another file would also become a_\n";
    let shown = names.run(&args);
    assert_eq!((shown.status(), &shown.out()[..]), (1, "d/a\\xE4 -> a_\n"));
    assert!(shown.err().starts_with(err), "{}", shown.err());
    let ended = names.run(&[&args[..], &["--rename", "-o", "list"]].concat());
    is(
        &ended,
        1,
        "d/a\\xE4 -> a_\n",
        &format!("{err}oxiconv: 1 name renamed, 2 unchanged, 1 refused\n"),
    );
    assert_eq!(names.paths(b"d"), [&b"d/a_"[..], b"d/a\xF6", b"d/b"]);
    assert_eq!(fs::read(names.path(b"d/a_")).unwrap(), b"d/a\xE4");
}

/// From windows-1251 to KOI8-R, C0 (А) becomes E1 and E1 (б) becomes C2, so E1 must be renamed first.
///
/// C4 (Д) and E4 (д) swap, so neither can be renamed first. Both are refused.
#[test]
fn a_name_that_is_needed_by_another_is_renamed_first() {
    let names = Names::new(&[b"d/\xC0", b"d/\xE1", b"e/\xC4", b"e/\xE4"]);
    let args = ["--names", "-f", "cp1251", "-t", "koi8-r", "--rename", "-r"];
    let ended = names.run(&[&args[..], &["-o", "list", "d"]].concat());
    is(
        &ended,
        0,
        "d/\\xE1 -> \\xC2\nd/\\xC0 -> \\xE1\n",
        "oxiconv: 2 names renamed, 1 unchanged\n",
    );
    let expected = [(&b"d/\xC2"[..], &b"d/\xE1"[..]), (b"d/\xE1", b"d/\xC0")];
    assert_eq!(names.all(b"d"), expected.map(|(path, text)| (path.to_vec(), text.to_vec())));
    assert_eq!(names.run(&["--undo-rename", "list"]).status(), 0);
    assert_eq!(names.paths(b"d"), [b"d/\xC0", b"d/\xE1"]);
    let before = names.all(b"e");
    let ended = names.run(&[&args[..], &["-o", "list2", "e"]].concat());
    let err = "oxiconv: e/\\xC4: cannot be renamed: \\xE4 exists and cannot itself be renamed\n\
               oxiconv: e/\\xE4: cannot be renamed: \\xC4 exists and cannot itself be renamed\n\
               oxiconv: 0 names renamed, 1 unchanged, 2 refused\n";
    is(&ended, 1, "", err);
    assert_eq!(names.all(b"e"), before);
}

#[test]
fn names_that_nothing_can_have_are_refused() {
    let names = Names::new(&[b"d/a+AC8-b", b"d/a+AAA-b", b"d/+AC4-", b"d/+AC4ALg-", b"d/\xFF"]);
    let before = names.all(b"d");
    let ended = names.run(&["--names", "-f", "utf-7", "--rename", "-r", "-e", "skip", "d"]);
    let cannot = "cannot be converted: the new name would";
    let err = format!(
        "oxiconv: d/+AC4-: {cannot} be . or ..\n\
         oxiconv: d/+AC4ALg-: {cannot} be . or ..\n\
         oxiconv: d/a+AAA-b: {cannot} contain a NUL character\n\
         oxiconv: d/a+AC8-b: {cannot} contain a slash\n\
         oxiconv: d/\\xFF: {cannot} be empty\n\
         oxiconv: 0 names renamed, 1 unchanged, 5 refused\n"
    );
    assert_eq!((ended.status(), ended.err()), (1, err));
    assert_eq!(names.all(b"d"), before);
    let wide = names.run(&["--names", "-t", "utf-16", "d"]);
    let err = "oxiconv: --names requires encodings whose code units are bytes, unlike UTF-16\n";
    is(&wide, 2, "", err);
}

#[test]
fn a_name_that_is_too_long_is_refused_and_the_others_go_on() {
    let long = |count| [&b"d/"[..], &vec![b'\xE9'; count]].concat();
    let names = Names::new(&[&long(127), &long(128), b"d/\xE9x"]);
    let ended = names.run(&[LATIN1, &["-q", "--rename", "-r", "d"]].concat());
    let name = "\\xE9".repeat(128);
    let err = format!(
        "oxiconv: d/{name}: cannot be renamed: the new name would have 256 bytes, and the file system allows 255\n"
    );
    assert_eq!((ended.status(), ended.err()), (1, err));
    assert_eq!(names.paths(b"d"), [converted(b"d/\xE9x"), converted(&long(127)), long(128)]);
}

/// The same rule as for the contents of files: valid UTF-8 is not encoded a second time without `--force`.
#[test]
fn names_that_are_utf8_stay() {
    let utf8 = "d/schön".as_bytes();
    for from in ["latin1", "cp1251", "gb18030", "shift_jis", "ascii", "utf-7"] {
        let names = Names::new(&[utf8]);
        let ended = names.run(&["--names", "-f", from, "-r", "--rename", "-v", "-o", "l", "d"]);
        let err = "oxiconv: d/schön: left unchanged: already valid UTF-8\n\
                   oxiconv: 0 names renamed, 1 unchanged, 1 left as valid UTF-8 (--force converts them)\n";
        is(&ended, 0, "", err);
        assert_eq!(names.paths(b"d"), [utf8]);
    }
    let names = Names::new(&[utf8]);
    let ended = names.run(&[LATIN1, &["-r", "--rename", "-o", "l", "--force", "d"]].concat());
    is(&ended, 0, "d/schön -> schÃ¶n\n", "oxiconv: 1 name renamed, 1 unchanged\n");
    assert_eq!(names.paths(b"d"), ["d/schÃ¶n".as_bytes()]);
    // Names from macOS are UTF-8 too, but decomposed. They are composed.
    let names = Names::new(&["d/scho\u{308}n".as_bytes()]);
    let ended = names.run(&["--names", "-f", "utf8-mac", "-r", "--rename", "-o", "l", "d"]);
    assert_eq!((ended.status(), names.paths(b"d")), (0, vec![utf8.to_vec()]));
    let ended = names.run(&["--names", "-t", "utf8-mac", "-r", "--rename", "-o", "l2", "d"]);
    let apart = "d/scho\u{308}n".as_bytes().to_vec();
    assert_eq!((ended.status(), names.paths(b"d")), (0, vec![apart]));
}

#[test]
fn symbolic_links_are_renamed_and_never_followed() {
    let names = Names::new(&[b"d/s\xFC/f\xE9", b"outside/\xE9", b"outside/to/\xE9"]);
    symlink("../outside", names.path(b"d/l\xEFnk")).unwrap();
    symlink("nowhere", names.path(b"d/br\xF6ken")).unwrap();
    symlink(OsStr::from_bytes(b"s\xFC/f\xE9"), names.path(b"d/plain")).unwrap();
    names.0.mkfifo("d/fifo");
    // t1 and t2 lead through names that change, by another link and by an absolute path. t3 does not.
    symlink(OsStr::from_bytes(b"../also/../d/./s\xFC"), names.path(b"d/t1")).unwrap();
    symlink("d", names.path(b"also")).unwrap();
    symlink(names.path(b"also/s\xFC/f\xE9").canonicalize().unwrap(), names.path(b"d/t2")).unwrap();
    symlink(OsStr::from_bytes(b"../outside/\xE9"), names.path(b"d/t3")).unwrap();
    let leads = |link: &str| {
        format!(
            "oxiconv: d/{link}: the symbolic link goes through s\\xFC, which becomes sü, so it will be broken\n"
        )
    };
    let err = ["plain", "t1", "t2"].map(leads).concat() + "oxiconv: 4 names renamed, 6 unchanged\n";
    let ended = names.run(&[LATIN1, &["-r", "--rename", "-o", "list", "d"]].concat());
    assert_eq!((ended.status(), ended.err()), (0, err));
    let expected =
        ["d/bröken", "d/fifo", "d/lïnk", "d/plain", "d/sü", "d/sü/fé", "d/t1", "d/t2", "d/t3"];
    assert_eq!(names.paths(b"d"), expected.map(|path| path.as_bytes().to_vec()));
    assert_eq!(names.paths(b"outside"), [&b"outside/to"[..], b"outside/to/\xE9", b"outside/\xE9"]);
    assert_eq!(fs::read_link(names.path("d/bröken".as_bytes())).unwrap(), Path::new("nowhere"));
    // A link given by name is renamed itself. With a slash after it, the path means the directory that it points to.
    symlink("outside/to", names.path(b"l\xE9")).unwrap();
    let shown = names.run_on(&[LATIN1, &["-q", "-r"]].concat(), &[b"l\xE9"]);
    is(&shown, 0, "l\\xE9 -> lé\n", "");
    let shown = names.run_on(&[LATIN1, &["-q", "-r"]].concat(), &[b"l\xE9/"]);
    assert!(shown.out().contains("l\\xE9/\\xE9 -> é\n"), "{}", shown.out());
}

/// One file appears and another one disappears after the run has planned its renames, but before it gets to them.
///
/// The run is stopped in the middle by a full pipe, so both changes happen at a known point.
#[test]
fn a_name_that_appears_meanwhile_is_not_replaced() {
    let stuck = Stuck::new();
    let (gone, last) = (Stuck::COUNT - 2, Stuck::COUNT - 1);
    let precious = format!("d/n{last:04}é").into_bytes();
    fs::write(stuck.names.path(&precious), "precious").unwrap();
    let removed = [format!("d/n{gone:04}").as_bytes(), b"\xE9"].concat();
    fs::remove_file(stuck.names.path(&removed)).unwrap();
    let (names, ended) = stuck.end();
    let err = format!(
        "oxiconv: d/n{gone:04}\\xE9: cannot be renamed: No such file or directory\n\
         oxiconv: d/n{last:04}\\xE9: cannot be renamed: n{last:04}é already exists\n\
         oxiconv: {gone} names renamed, 1 unchanged, 1 refused, 1 error\n"
    );
    assert_eq!((ended.status(), ended.err()), (2, err));
    assert_eq!(fs::read(names.path(&precious)).unwrap(), b"precious");
    // The list records that those two were not renamed, so the undo leaves them alone.
    let undo = names.run(&["--undo-rename", "list"]);
    assert_eq!((undo.status(), undo.err()), (0, format!("oxiconv: {gone} names restored\n")));
    assert_eq!(fs::read(names.path(&precious)).unwrap(), b"precious");
    assert_eq!(names.paths(b"d").len(), Stuck::COUNT);
}

/// A run that is blocked in the middle, because it writes its list to a pipe that nobody reads.
struct Stuck {
    names: Names,
    run: Running,
    fifo: File,
}

impl Stuck {
    const COUNT: usize = 990;

    fn new() -> Self {
        let numbers = 0..Self::COUNT;
        let paths: Vec<_> =
            numbers.map(|it| [format!("d/n{it:04}").as_bytes(), b"\xE9"].concat()).collect();
        let names = Names::new(&paths.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let fifo = names.0.mkfifo("fifo");
        let both = File::options().read(true).write(true).open(&fifo).unwrap();
        let mut run = names.0.start(&[LATIN1, &["-r", "--rename", "-o", "fifo", "d"]].concat());
        wait_until("the list fills the pipe", || is_waiting(&mut run));
        let fifo = File::open(fifo).unwrap();
        drop(both);
        Self { names, run, fifo }
    }

    /// Lets the run finish by reading its whole list. Saves the list to a file.
    fn end(self) -> (Names, Ended) {
        let Self { names, run, mut fifo } = self;
        let mut list = Vec::new();
        fifo.read_to_end(&mut list).unwrap();
        fs::write(names.path(b"list"), list).unwrap();
        (names, run.end())
    }
}

#[test]
fn an_interrupt_loses_nothing_and_what_was_done_can_be_undone() {
    for (signal, word) in [(Signal::INT, "interrupted"), (Signal::TERM, "terminated")] {
        let mut stuck = Stuck::new();
        stuck.run.signal(signal);
        let (names, ended) = stuck.end();
        let (all, count) = (names.paths(b"d"), Stuck::COUNT);
        let done = all.iter().filter(|path| str::from_utf8(path).is_ok()).count();
        assert!(all.len() == count && done > 100 && done < count, "{done}");
        let err = format!("oxiconv: {word}: {done} of {count} names changed, the others not\n");
        ended.assert(128 + signal.as_raw(), &err);
        let undo = names.run(&["-q", "--undo-rename", "list"]);
        assert_eq!((undo.status(), undo.err()), (0, String::new()));
        assert!(names.paths(b"d").iter().all(|path| path.ends_with(b"\xE9")));
        assert_eq!(names.paths(b"d").len(), count);
    }
}

/// Runs the program under strace with these options; `None` if strace does not work here.
fn traced(names: &Names, strace: &[&str], args: &[&str]) -> Option<Ended> {
    if Command::new("strace")
        .args(["-o", "/dev/null", "true"])
        .output()
        .is_ok_and(|it| it.status.success())
    {
        let mut command = Command::new("strace");
        command.args(["-f", "-o", "calls"]).args(strace);
        command.arg(assert_cmd::cargo::cargo_bin!("oxiconv")).args(args);
        return Some(Ended(command.current_dir(names.0.dir()).output().unwrap()));
    }
    skipped("system calls cannot be watched here (needs strace)");
    None
}

fn many(count: usize) -> Names {
    let paths: Vec<_> =
        (0..count).map(|it| [format!("d/n{it:04}").as_bytes(), b"\xE9"].concat()).collect();
    Names::new(&paths.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// strace kills the run at its first rename, at its 300th, and at the first one of the next group.
///
/// A group is 512 renames, which are written to the list before the first of them happens.
#[test]
fn what_a_killed_run_has_done_can_be_undone() {
    for when in [1, 300, 513] {
        let names = many(700);
        let before = names.all(b"d");
        let kill = format!("inject=renameat2:signal=SIGKILL:when={when}");
        let args = [LATIN1, &["-q", "-r", "--rename", "-o", "list", "d"]].concat();
        if traced(&names, &["-e", &kill], &args).is_none() {
            return;
        }
        let done = names.paths(b"d").iter().filter(|path| str::from_utf8(path).is_ok()).count();
        assert!(done + 1 >= when && done <= when, "{done}");
        let undo = names.run(&["-q", "--undo-rename", "list"]);
        assert_eq!((undo.status(), undo.err()), (0, String::new()));
        assert_eq!(names.all(b"d"), before);
    }
}

/// No name changes before its entry in the list is synced.
#[test]
fn the_list_is_on_the_disk_before_the_names_change() {
    for (options, syncs) in [(&[][..], true), (&["--no-sync"], false)] {
        let names = many(600);
        let args = [LATIN1, options, &["-r", "--rename", "-o", "list", "d"]].concat();
        let calls = "trace=write,fsync,renameat2";
        let Some(ended) = traced(&names, &["-s", "16", "-e", calls], &args) else { return };
        assert_eq!(ended.status(), 0, "{}", ended.err());
        let (mut unsynced, mut renames, mut waits) = (0, 0, 0);
        for call in fs::read_to_string(names.path(b"calls")).unwrap().lines() {
            if call.contains(r#"{\"type\":\"ren"#) {
                unsynced += 1;
            } else if call.contains("fsync(") {
                (unsynced, waits) = (0, waits + 1);
            } else if call.contains("renameat2(") {
                renames += 1;
                assert!(!syncs || unsynced == 0, "{call}");
            }
        }
        assert_eq!(renames, 600);
        // One sync for each of the two groups and one at the end. The first one also syncs the directory.
        assert_eq!(waits, if syncs { 4 } else { 0 });
    }
}

/// EINVAL comes from a file system, and ENOSYS from a kernel, that cannot rename without replacing.
#[test]
fn what_cannot_be_renamed_without_replacing_is_refused() {
    for (error, words) in [
        ("EINVAL", "the file system forbids the new name, or cannot rename without replacing"),
        ("ENOSYS", "this system cannot rename without replacing (Linux 3.15 or later can)"),
    ] {
        let names = Names::new(&[b"d/\xE9"]);
        let inject = format!("inject=renameat2:error={error}");
        let args = [LATIN1, &["-r", "--rename", "-o", "list", "d"]].concat();
        let Some(ended) = traced(&names, &["-e", &inject], &args) else { return };
        let err = format!(
            "oxiconv: d/\\xE9: cannot be renamed: {words}\n\
             oxiconv: 0 names renamed, 1 unchanged, 1 refused\n"
        );
        is(&ended, 1, "", &err);
        assert_eq!(names.paths(b"d"), [b"d/\xE9"]);
        is(&names.run(&["--undo-rename", "list"]), 0, "", "oxiconv: 0 names restored\n");
    }
}

/// Two bytes are too little evidence for the encoding of a German name.
///
/// With `--language ru` they are the Russian word "да" in windows-1251.
#[test]
fn a_language_that_is_given_decides() {
    let names = Names::new(&[b"d/\xE4\xE0"]);
    let args = ["--names", "-f", "auto", "-q", "-r"];
    let german = names.run(&[&args[..], &["--language", "de", "d"]].concat());
    assert_eq!(german.status(), 1);
    assert!(german.err().starts_with("oxiconv: d: the encoding of 1 name is unclear: "));
    let russian = names.run(&[&args[..], &["--language", "ru", "d"]].concat());
    is(&russian, 0, "d/\\xE4\\xE0 -> да\n", "");
}

/// Encodes Russian text in KOI8-R or windows-1251, by the order of the alphabet in each.
fn russian(text: &str, koi8: bool) -> Vec<u8> {
    const KOI8: &str = "юабцдефгхийклмнопярстужвьызшэщчъ";
    let byte = |c: char| match c {
        c if c.is_ascii() => c as u8,
        c if koi8 => {
            let small = c.to_lowercase().next().unwrap();
            let at = KOI8.chars().position(|other| other == small).unwrap() as u8;
            at + if c == small { 0xC0 } else { 0xE0 }
        }
        c => (c as u32 - 'А' as u32 + 0xC0) as u8,
    };
    text.chars().map(byte).collect()
}

const RUSSIAN: [&str; 5] = [
    "Письма из деревни.txt",
    "Рецепты моей бабушки",
    "Музыка для души.mp3",
    "Старые фотографии семьи",
    "книги и словари",
];

/// One short name is too little evidence, but all names of a tree are enough. Each tree is judged separately.
#[test]
fn the_encoding_is_judged_by_all_names_of_a_tree() {
    let names = Names::new(&["w/уже в UTF-8".as_bytes(), b"w/plain", b"k/plain"]);
    for name in RUSSIAN {
        names.write(&[b"w/", &russian(name, false)[..]].concat());
        names.write(&[b"k/", &russian(name, true)[..]].concat());
    }
    // Too short to be detected alone.
    names.write(&[b"w/", &russian("да", false)[..]].concat());
    names.write(&[b"k/", &russian("да", true)[..]].concat());
    let ended = names.run(&["--names", "-f", "auto", "-v", "-r", "--rename", "-o", "l", "w", "k"]);
    assert_eq!(ended.status(), 0, "{}", ended.err());
    for (tree, encoding) in [("w", "windows-1251"), ("k", "KOI8-R")] {
        let words = format!("oxiconv: {tree}: names detected as {encoding}, ");
        assert!(ended.err().contains(&words), "{}", ended.err());
        let mut expected: Vec<_> = RUSSIAN
            .iter()
            .chain(&["да", "plain"])
            .map(|name| format!("{tree}/{name}").into_bytes())
            .collect();
        expected.extend((tree == "w").then(|| "w/уже в UTF-8".as_bytes().to_vec()));
        expected.sort();
        assert_eq!(names.paths(tree.as_bytes()), expected);
    }
    assert!(ended.err().ends_with("oxiconv: 12 names renamed, 5 unchanged\n"), "{}", ended.err());
    // Names given as arguments are judged together too.
    let names = Names(Scene::new());
    let paths: Vec<_> = RUSSIAN.iter().map(|name| russian(name, true)).collect();
    paths.iter().for_each(|path| names.write(path));
    let paths: Vec<_> = paths.iter().map(Vec::as_slice).collect();
    let shown = names.run_on(&["--names", "-f", "auto", "-q"], &paths);
    assert_eq!((shown.status(), shown.err()), (0, String::new()));
    let new: Vec<_> =
        shown.out().lines().map(|line| line.split(" -> ").nth(1).unwrap().to_owned()).collect();
    let mut expected: Vec<_> = RUSSIAN.map(|name| (russian(name, true), name)).to_vec();
    expected.sort();
    assert_eq!(new, expected.iter().map(|(_, name)| *name).collect::<Vec<_>>());
}

#[test]
fn an_encoding_that_is_unsure_is_not_taken() {
    let names = Names::new(&[b"d/\xE9", b"d/plain"]);
    let args = ["--names", "-f", "auto", "-r", "--rename", "d"];
    let ended = names.run(&args);
    assert_eq!(
        (ended.status(), names.paths(b"d")),
        (1, vec![b"d/plain".to_vec(), b"d/\xE9".to_vec()])
    );
    let first = ended.err().lines().next().unwrap().to_owned();
    let start = "oxiconv: d: the encoding of 1 name is unclear: ";
    assert!(first.starts_with(start) && first.contains(" %; "), "{first}");
    assert!(first.contains(" (name it with -f; --force uses "), "{first}");
    assert!(ended.err().ends_with("oxiconv: 0 names renamed, 2 unchanged, 1 refused\n"));
    let best = first.split("--force uses ").nth(1).unwrap().trim_end_matches(')');
    let forced = names.run(&[&args[..], &["--force"]].concat());
    assert_eq!(forced.status(), 0, "{}", forced.err());
    // `--force` gives the same result as naming the best guess with -f.
    let changed = names.paths(b"d");
    let names = Names::new(&[b"d/\xE9", b"d/plain"]);
    assert_eq!(names.run(&["--names", "-f", best, "-r", "--rename", "d"]).status(), 0);
    assert_eq!(changed, names.paths(b"d"));
    // Names that are ASCII or UTF-8 need no detection.
    let names = Names::new(&[b"d/plain", "d/é".as_bytes()]);
    let shown = names.run(&["--names", "-f", "auto", "-r", "d"]);
    is(&shown, 0, "", "oxiconv: 0 names would be renamed, 3 unchanged\n");
}

#[test]
fn names_are_selected_like_files() {
    let names = Names::new(&[
        b"d/\xE9.txt",
        b"d/\xE9.bin",
        b"d/.h\xE9/\xE9.txt",
        b"d/ign\xF6red",
        b"d/s\xFC/\xE9.txt",
    ]);
    fs::write(names.path(b"d/.gitignore"), "ign*\n").unwrap();
    let shown = |args: &[&str]| {
        let ended = names.run(&[LATIN1, &["-q"], args].concat());
        assert_eq!((ended.status(), ended.err()), (0, String::new()));
        ended.out().lines().map(|line| line.split(" -> ").next().unwrap().to_owned()).collect()
    };
    let shown: &dyn Fn(&[&str]) -> Vec<String> = &shown;
    let usual = ["d/s\\xFC/\\xE9.txt", "d/s\\xFC", "d/\\xE9.bin", "d/\\xE9.txt"];
    assert_eq!(shown(&["-r", "d"]), usual);
    assert_eq!(shown(&["-r", "--include", "*.txt", "d"]), [usual[0], usual[3]]);
    assert_eq!(shown(&["-r", "--include", "s*", "d"]), [usual[1]]);
    assert_eq!(shown(&["-r", "--exclude", "s*", "d"]), usual[2..]);
    // With `./` before it, as paths are shown, a glob is for the directory itself and not for those in it.
    assert_eq!(shown(&["-r", "--include", "./*.txt", "d"]), [usual[3]]);
    assert_eq!(shown(&["-r", "--exclude", "./s*", "d"]), usual[2..]);
    assert_eq!(shown(&["-r", "--exclude", "././s*", "d"]), usual[2..]);
    let hidden = ["d/.h\\xE9/\\xE9.txt", "d/.h\\xE9"];
    let all = [hidden[0], usual[0], hidden[1], usual[1], usual[2], usual[3]];
    assert_eq!(shown(&["-r", "--hidden", "d"]), all);
    let ignored = [usual[0], usual[1], usual[2], usual[3]];
    let all = shown(&["-r", "--no-ignore", "d"]);
    assert_eq!(all.len(), 5);
    assert!(
        all.contains(&"d/ign\\xF6red".to_owned())
            && ignored.iter().all(|it| all.contains(&(*it).to_owned()))
    );
    assert_eq!(shown(&["d"]), [""; 0]);
    // A name given twice is converted once. A list of names may contain any bytes.
    fs::write(names.path(b"list"), b"d/\xE9.bin\0d/s\xFC\0./d/\xE9.bin\0").unwrap();
    assert_eq!(shown(&["--files0-from", "list"]), [usual[1], usual[2]]);
    assert_eq!(shown(&["-r", "d", "d/."]), usual);
    // `.`, `..` and `/` do not name their directory, so there is nothing to rename.
    let mut program = names.0.program(&[LATIN1, &["-q", "-r"]].concat());
    let here = Ended(program.current_dir(names.path(b"d/s\xFC")).output().unwrap());
    is(&here, 0, "./\\xE9.txt -> é.txt\n", "");
    let mut program = names.0.program(&[LATIN1, &["-q", ".", "..", "/", "../s\u{FC}"]].concat());
    let missing = Ended(program.current_dir(names.path(b"d/s\xFC")).output().unwrap());
    is(&missing, 2, "", "oxiconv: ../sü: No such file or directory\n");
    // -vv lists what is skipped.
    let told = names.run(&[LATIN1, &["-vv", "-r", "d"]].concat());
    let hidden = "oxiconv: d/.h\\xE9: skipped: is hidden (--hidden includes it)\n";
    assert!(told.err().contains(hidden), "{}", told.err());
}

#[test]
fn every_mode_for_errors_works_on_names() {
    for (args, status, new, says) in [
        (
            &["-t", "ascii"][..],
            1,
            None,
            "cannot be converted: U+00E9 (é) cannot be represented in US-ASCII, at byte 3 of the name",
        ),
        (&["-t", "ascii", "-e", "replace"], 0, Some("caf?"), ""),
        (
            &["-t", "ascii", "-e", "report"],
            1,
            Some("caf?"),
            "U+00E9 (é) cannot be represented in US-ASCII, at byte 3 of the name",
        ),
        (&["-t", "ascii", "-c"], 1, Some("caf"), ""),
        (&["-t", "ascii", "-e", "escape"], 0, Some("caf\\u{E9}"), ""),
        (&["-t", "ascii", "--unmappable", "xml"], 0, Some("caf&#xE9;"), ""),
        (&["-t", "ascii//TRANSLIT"], 0, Some("cafe"), ""),
        (&["-t", "latin1"], 0, Some("caf\\xE9"), ""),
        (&["-t", "utf-8"], 0, None, ""),
        (&["--deny", "non-bmp"], 0, None, ""),
    ] {
        let names = Names::new(&["d/café".as_bytes()]);
        let ended = names.run(&[&["--names", "-r", "-q"], args, &["d"]].concat());
        let out = new.map(|new| format!("d/café -> {new}\n")).unwrap_or_default();
        let err =
            if says.is_empty() { String::new() } else { format!("oxiconv: d/café: {says}\n") };
        assert_eq!((ended.status(), ended.out(), ended.err()), (status, out, err), "{args:?}");
    }
    let names = Names::new(&[b"d/caf\xE9", "d/x\u{202E}y".as_bytes()]);
    let ended = names.run(&["--names", "-r", "--deny", "bidi", "d"]);
    let err = "oxiconv: d/x\\u{202e}y: U+202E changes the direction of the text around it, at byte 1 of the name\n\
               oxiconv: d/caf\\xE9: cannot be converted: the name ends inside a 3-byte character, at byte 3 of the name\n\
               oxiconv: some names are not UTF-8: give their encoding with -f, or detect it with -f auto\n\
               oxiconv: 0 names would be renamed, 1 unchanged, 2 refused\n";
    is(&ended, 1, "", err);
    // With a fallback, names may mix UTF-8 and stray bytes of another encoding.
    let ended = names.run(&["--names", "-r", "-q", "--fallback", "latin1", "d"]);
    is(&ended, 0, "d/caf\\xE9 -> café\n", "");
    // A name has no lines, so the controls of lines are like any other. In text, they are allowed.
    let names = Names::new(&[b"d/line\nfeed", b"d/tab\t", b"d/return\r", b"d/plain"]);
    let refused = |name: &str, code: &str, at: usize| {
        format!("oxiconv: d/{name}: {code} is a control code, at byte {at} of the name\n")
    };
    for deny in ["control", "security"] {
        let ended = names.run(&["--names", "-r", "-q", "--deny", deny, "d"]);
        let mut lines: Vec<_> = ended.err().split_inclusive('\n').map(str::to_owned).collect();
        lines.sort();
        let expected = [
            refused("line\\u{a}feed", "U+000A", 4),
            refused("return\\u{d}", "U+000D", 6),
            refused("tab\\u{9}", "U+0009", 3),
        ];
        assert_eq!((ended.status(), &lines[..]), (1, &expected[..]), "{deny}");
    }
    let ended = names.run(&["--names", "-r", "-q", "--deny", "control", "--denied", "skip", "d"]);
    let mut lines: Vec<_> = ended.out().lines().map(str::to_owned).collect();
    lines.sort();
    assert_eq!(
        lines,
        ["d/line\\u{a}feed -> linefeed", "d/return\\u{d} -> return", "d/tab\\u{9} -> tab"]
    );
}

#[test]
fn events_follow_the_schema_and_are_a_list() {
    let names = Names::new(&[b"d/M\xFCller/caf\xE9", b"d/x\xE9", "d/xé".as_bytes()]);
    let args = [LATIN1, &["--format", "json", "-r", "d"]].concat();
    let shown = names.run(&args);
    let all = events(&shown.out());
    assert_eq!(types(&all), ["start", "rename", "rename", "refused", "summary"]);
    assert_eq!(all[0]["task"], "names");
    // RFC 4648: 64 2F 4D FC 6C 6C 65 72 is ZC9N/Gxs ZXI=.
    assert_eq!(all[2]["path"]["bytes"], "ZC9N/GxsZXI=");
    assert_eq!((&all[2]["name"]["text"], &all[2]["directory"]), (&"Müller".into(), &Value::Null));
    assert_eq!(all[3]["message"], "cannot be renamed: xé already exists");
    let counts: BTreeMap<_, _> =
        ["files", "written", "unchanged", "refused", "left_alone", "errors", "exit_status"]
            .map(|count| (count, all[4][count].as_u64().unwrap()))
            .into();
    let expected = [
        ("files", 5),
        ("written", 2),
        ("unchanged", 1),
        ("refused", 1),
        ("left_alone", 1),
        ("errors", 0),
        ("exit_status", 1),
    ];
    assert_eq!(counts, expected.into());
    assert_eq!((shown.status(), shown.err()), (1, String::new()));
    // A list from a run without --rename has nothing to undo.
    fs::write(names.path(b"shown"), shown.out()).unwrap();
    is(&names.run(&["--undo-rename", "shown"]), 0, "", "oxiconv: 0 names restored\n");
    let before = names.all(b"d");
    let ended = names.run(&[&args[..], &["--rename"]].concat());
    let done = events(&ended.out());
    assert_eq!(types(&done), types(&all));
    let directory = names.path(b"d").canonicalize().unwrap();
    assert_eq!(done[2]["directory"]["text"].as_str(), directory.to_str());
    fs::write(names.path(b"done"), ended.out()).unwrap();
    let undo = names.run(&["--undo-rename", "done", "--format", "json", "-o", "redo"]);
    assert_eq!(types(&events(&undo.out())), ["start", "rename", "rename", "summary"]);
    assert_eq!(names.all(b"d"), before);
    // The undo writes a list too, and undoing that list renames the files again.
    assert_eq!(names.run(&["-q", "--undo-rename", "redo"]).status(), 0);
    assert!(names.path("d/Müller/café".as_bytes()).exists());
    for format in ["sarif", "github", "gitlab", "junit", "html"] {
        let ended = names.run(&[LATIN1, &["--format", format, "d"]].concat());
        let err =
            format!("--names cannot be combined with --format {format}, only with text and json");
        assert_eq!(ended.status(), 2);
        assert!(format!("{}{}", ended.out(), ended.err()).contains(&err), "{}", ended.err());
    }
}

#[test]
fn what_cannot_be_restored_is_reported_and_the_rest_is_restored() {
    let paths: [&[u8]; 6] =
        [b"d/a\xE9/x\xE9", b"d/b\xE9/x\xE9", b"d/c\xE9", b"d/e\xE9", b"d/f\xE9", b"d/g\xE9"];
    let names = Names::new(&paths);
    assert_eq!(names.run(&[LATIN1, &["-r", "--rename", "-o", "list", "d"]].concat()).status(), 0);
    // aé: its old name is taken by another directory, which contains the same names. cé: deleted. eé: already restored
    // by hand. fé: its old name is taken by another file.
    names.write(b"d/a\xE9/x\xC3\xA9");
    fs::remove_file(names.path("d/cé".as_bytes())).unwrap();
    fs::rename(names.path("d/eé".as_bytes()), names.path(b"d/e\xE9")).unwrap();
    fs::write(names.path(b"d/f\xE9"), "new").unwrap();
    let dir = names.path(b"d").canonicalize().unwrap().to_str().unwrap().to_owned();
    let refused = format!(
        "oxiconv: {dir}/fé: cannot be renamed: f\\xE9 already exists\n\
         oxiconv: {dir}/cé: cannot be renamed: it is missing\n\
         oxiconv: {dir}/aé: cannot be renamed: a\\xE9 already exists\n\
         oxiconv: {dir}/a\\xE9/xé: cannot be renamed: the name of its directory was not restored\n"
    );
    let restored = format!("{dir}/gé -> g\\xE9\n{dir}/bé -> b\\xE9\n{dir}/b\\xE9/xé -> x\\xE9\n");
    let before = names.all(b"d");
    let shown = names.run(&["--undo-rename", "list", "--dry-run"]);
    is(
        &shown,
        1,
        &restored,
        &format!("{refused}oxiconv: 3 names would be restored, 1 unchanged, 4 refused\n"),
    );
    assert_eq!(names.all(b"d"), before);
    let undo = names.run(&["--undo-rename", "list"]);
    is(
        &undo,
        1,
        &restored,
        &format!("{refused}oxiconv: 3 names restored, 1 unchanged, 4 refused\n"),
    );
    let expected = [
        &b"d/a\xC3\xA9"[..],
        b"d/a\xC3\xA9/x\xC3\xA9",
        b"d/a\xE9",
        b"d/a\xE9/x\xC3\xA9",
        b"d/b\xE9",
        b"d/b\xE9/x\xE9",
        b"d/e\xE9",
        b"d/f\xC3\xA9",
        b"d/f\xE9",
        b"d/g\xE9",
    ];
    assert_eq!(names.paths(b"d"), expected);
    assert_eq!(fs::read(names.path(b"d/f\xE9")).unwrap(), b"new");
}

#[test]
fn a_list_that_cannot_be_used_is_an_error_and_changes_nothing() {
    let names = Names::new(&[b"d/\xE9"]);
    let before = names.all(b"d");
    // If the list cannot be written, no name may change.
    for (list, cause) in [
        ("/dev/full", "/dev/full: cannot write: No space left on device"),
        ("no/list", "no/list: No such file or directory"),
        ("d", "d: Is a directory"),
    ] {
        let ended = names.run(&[LATIN1, &["-r", "--rename", "-o", list, "d"]].concat());
        is(&ended, 2, "", &format!("oxiconv: {cause}\n"));
        assert_eq!(names.all(b"d"), before);
    }
    let old = names.0.path("old");
    fs::write(&old, "an older list").unwrap();
    let ended = names.run(&[LATIN1, &["-r", "--rename", "-o", "old", "d"]].concat());
    is(
        &ended,
        2,
        "",
        "oxiconv: old: already exists, and a list of changed names is never overwritten\n",
    );
    assert_eq!(
        (fs::read(&old).unwrap(), names.all(b"d")),
        (b"an older list".to_vec(), before.clone())
    );
    let mut closed = names.0.limited("exec >&-;", &[LATIN1, &["-r", "--rename", "d"]].concat());
    let closed = Ended(closed.output().unwrap());
    assert_eq!((closed.status(), names.all(b"d")), (2, before.clone()), "{}", closed.err());
    // If the reader of standard output is gone, the run ends before it changes a name.
    let args = [LATIN1, &["-q", "-r", "--rename", "d"]].concat();
    let mut piped = names.0.limited("exec > >(exec true); sleep 0.2;", &args);
    let _ = piped.output().unwrap();
    assert_eq!(names.all(b"d"), before);
    for (list, cause) in [
        ("old", "old: line 1: not a line of a list of changed names (--rename writes the list)"),
        ("missing", "missing: No such file or directory"),
    ] {
        is(&names.run(&["--undo-rename", list]), 2, "", &format!("oxiconv: {cause}\n"));
    }
}

#[test]
fn a_directory_that_may_not_be_written_is_named() {
    if !is_root() {
        return skipped("only root can run the program as another user");
    }
    let names = Names::new(&[b"d/\xE9", b"closed/\xE9", b"w/\xE9"]);
    fs::set_permissions(names.path(b"closed"), fs::Permissions::from_mode(0o700)).unwrap();
    fs::set_permissions(names.path(b"w"), fs::Permissions::from_mode(0o777)).unwrap();
    let args = [LATIN1, &["-r", "--rename", "d", "closed", "w"]].concat();
    let ended = names.0.run_as_nobody(&args);
    let err = "oxiconv: closed: Permission denied\n\
               oxiconv: d/\\xE9: cannot be renamed: Permission denied\n\
               oxiconv: 1 name renamed, 3 unchanged, 2 errors\n";
    assert_eq!((ended.status(), &ended.err()[..]), (2, err));
    assert!(names.path("w/é".as_bytes()).exists());
    // A directory that is writable but not readable suffices if the name is given as an argument.
    names.write(b"blind/\xE9");
    fs::set_permissions(names.path(b"blind"), fs::Permissions::from_mode(0o733)).unwrap();
    let mut command = names.0.program(&[LATIN1, &["--rename"]].concat());
    command.arg(OsStr::from_bytes(b"blind/\xE9")).uid(NOBODY).gid(NOBODY);
    Ended(command.output().unwrap()).assert(0, "oxiconv: 1 name renamed\n");
    assert!(names.path("blind/é".as_bytes()).exists());
}

#[test]
fn a_file_system_that_ignores_case_replaces_nothing() {
    let names = Names(Scene::new());
    let image = names.0.path("image");
    File::create(&image).unwrap().set_len(8 << 20).unwrap();
    fs::create_dir(names.0.path("mounted")).unwrap();
    let setup = "mkfs.ext4 -q -O casefold image && mount -o loop image mounted && \
                 mkdir mounted/d && chattr +F mounted/d";
    let mut sh = Command::new("sh");
    let made = is_root()
        && sh.args(["-c", setup]).current_dir(names.0.dir()).output().unwrap().status.success();
    if made {
        names.write(b"mounted/d/\xE9x");
        names.write("mounted/d/ÉX".as_bytes());
        let ended = names.run(&[LATIN1, &["-r", "--rename", "mounted/d"]].concat());
        let err = "oxiconv: mounted/d/\\xE9x: cannot be renamed: éx already exists\n";
        assert_eq!(ended.status(), 1);
        assert!(ended.err().starts_with(err), "{}", ended.err());
        let inode = |name: &[u8]| names.path(name).metadata().unwrap().ino();
        assert_ne!(inode(b"mounted/d/\xE9x"), inode("mounted/d/éx".as_bytes()));
    }
    let _ = Command::new("umount").arg(names.0.path("mounted")).output();
    if !made {
        skipped("no file system that ignores case can be mounted here");
    }
}

/// Runs the examples of docs/names.md one after the other in one directory.
#[test]
fn the_examples_of_the_page_give_what_they_show() {
    let names = Names::new(&[
        b"music/Bj\xF6rk/J\xF3ga.ogg",
        b"music/Bj\xF6rk/Hyperballad.ogg",
        b"music/Sigur R\xF3s/\xC1g\xE6tis byrjun.ogg",
        "music/Mezzoforte/Þriðja.ogg".as_bytes(),
        b"music/caf\xE9.m3u",
        "music/café.m3u".as_bytes(),
    ]);
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/names.md");
    let page = fs::read_to_string(page).unwrap();
    let examples = crate::common::examples(&page);
    assert_eq!(examples.len(), 4, "the page has lost its examples");
    for (command, shown) in examples {
        let got = String::from_utf8(crate::common::shell(command, names.0.dir())).unwrap();
        assert_eq!(got.trim_end(), shown, "{command}");
    }
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let names = Names::new(&[b"d/\xE9"]);
    for (args, message) in [
        (&["--rename", "d"][..], "--rename requires --names"),
        (&["--names"], "--names requires a FILE, or -r"),
        (
            &["--names", "-o", "x", "d"],
            "--names takes --output only with --rename, for the list of changed names",
        ),
        (&["--names", "-i", "d"], "--names cannot be combined with --in-place"),
        (&["--names", "--bom", "add", "d"], "--names cannot be combined with --bom"),
        (&["--names", "--check", "d"], "--names cannot be combined with --check"),
        (
            &["--names", "--language", "ru", "d"],
            "--language requires --detect, -f auto or -f auto-lines",
        ),
        (
            &["--names", "--no-sync", "d"],
            "--names takes --no-sync only with --rename, for the list of changed names",
        ),
        (
            &["--undo-rename", "x", "--no-sync"],
            "--undo-rename takes --no-sync only with -o, for the list of changed names",
        ),
        (
            &["--names", "--if-invalid", "d"],
            "--names cannot be combined with --if-invalid, which requires --in-place or --output-dir",
        ),
        (&["--names", "--include", "x", "d"], "--include requires --recursive"),
        (&["--undo-rename", "x", "d"], "--undo-rename takes no FILE: its list names the files"),
        (&["--undo-rename", "x", "--names"], "--undo-rename cannot be combined with --names"),
        (&["--undo-rename", "x", "-f", "latin1"], "--undo-rename cannot be combined with --from"),
        (
            &["--names", "-f", "utf-16le", "d"],
            "--names requires encodings whose code units are bytes, unlike UTF-16LE",
        ),
    ] {
        let ended = names.run(args);
        let first = ended.err().lines().next().unwrap_or_default().to_owned();
        assert_eq!((ended.status(), first), (2, format!("oxiconv: {message}")), "{args:?}");
    }
    assert_eq!(names.paths(b"d"), [b"d/\xE9"]);
}
