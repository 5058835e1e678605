//! Under the name iconv, the program must behave as glibc's iconv. `tests/iconv/matrix` records what glibc's iconv does
//! for several hundred calls, and `tests/iconv/known` lists the intended differences. `ci/iconv` makes the record, and
//! also compares with the installed iconv directly.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::thread;

use crate::common::Dir;
use crate::sample;
use crate::support::skipped;

/// A command and its expected result.
#[derive(Clone, Default)]
struct Call {
    command: String,
    /// The heading above it.
    section: String,
    needs: Option<String>,
    status: i32,
    out: Vec<u8>,
    err: Vec<u8>,
    /// A part of standard output, which is compared instead of `out`.
    says: Option<Vec<u8>>,
    reason: Option<String>,
}

#[derive(Clone, PartialEq)]
struct Done {
    status: i32,
    out: Vec<u8>,
    err: Vec<u8>,
}

impl Call {
    fn expects(&self, done: &Done) -> bool {
        let out = match &self.says {
            Some(says) => done.out.windows(says.len()).any(|part| part == says),
            None => done.out == self.out,
        };
        out && done.status == self.status && done.err == self.err
    }

    fn show(&self) -> String {
        let says = self.says.as_ref().map(|says| format!(" ...{}...", says.escape_ascii()));
        let done = Done { status: self.status, out: self.out.clone(), err: self.err.clone() };
        done.show() + &says.unwrap_or_default()
    }
}

impl Done {
    fn of(output: &Output) -> Self {
        let err = output.stderr.split(|&byte| byte == b'\n').next().unwrap_or_default().to_vec();
        Self { status: output.status.code().unwrap_or(-1), out: output.stdout.clone(), err }
    }

    fn show(&self) -> String {
        let out = &self.out[..self.out.len().min(300)];
        format!("{}  {}  ! {}", self.status, out.escape_ascii(), self.err.escape_ascii())
    }
}

fn page(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/iconv").join(name);
    fs::read_to_string(path).unwrap()
}

fn unescape(text: &str) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), text.bytes());
    while let Some(byte) = rest.next() {
        bytes.push(match (byte, if byte == b'\\' { rest.next() } else { None }) {
            (_, None) => byte,
            (_, Some(b'n')) => b'\n',
            (_, Some(b'r')) => b'\r',
            (_, Some(b't')) => b'\t',
            (_, Some(b'0')) => 0,
            (_, Some(b's')) => b' ',
            (_, Some(b'\\')) => b'\\',
            (_, Some(b'x')) => {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
            }
            (_, Some(other)) => panic!("what is \\{}?", other as char),
        });
    }
    bytes
}

fn calls(name: &str) -> Vec<Call> {
    let (mut calls, mut section): (Vec<Call>, _) = (Vec::new(), String::new());
    for line in page(name).lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            section = heading.to_owned();
        } else if let Some(command) = line.strip_prefix("$ ") {
            let (command, section) = (command.to_owned(), section.clone());
            calls.push(Call { command, section, ..Call::default() });
        } else if let Some((mark, value)) =
            line.split_at_checked(4).filter(|_| !line.starts_with('#'))
        {
            let call = calls.last_mut().unwrap();
            match mark {
                "  ? " => call.needs = Some(value.to_owned()),
                "  = " => call.status = value.parse().unwrap(),
                "  > " => call.out.extend(unescape(value)),
                "  ! " => call.err = unescape(value),
                "  ~ " => call.says = Some(unescape(value)),
                "  # " => call.reason = Some(value.to_owned()),
                _ => panic!("{name}: what is {line:?}?"),
            }
        }
    }
    calls
}

/// A directory with the inputs of the calls and a link to the program named iconv.
struct Scene(Dir);

impl Scene {
    fn new() -> Self {
        let scene = Dir::new();
        for line in page("inputs").lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            let (name, content) = line.split_once(' ').unwrap_or((line, ""));
            let content = content.trim_matches(' ');
            let count = content.split_once('*').and_then(|(count, rest)| {
                Some((count.parse().ok()?, rest))
                    .filter(|_| count.bytes().all(|b| b.is_ascii_digit()))
            });
            let (count, content) = count.unwrap_or((1, content));
            scene.write(&format!("in/{name}"), &unescape(content).repeat(count));
        }
        fs::create_dir(scene.path("bin")).unwrap();
        let program = assert_cmd::cargo::cargo_bin!("oxiconv");
        std::os::unix::fs::symlink(program, scene.path("bin/iconv")).unwrap();
        Self(scene)
    }

    /// Runs a command in an otherwise empty directory with the inputs in `in`, as the matrix specifies.
    fn run(&self, command: &str) -> Output {
        let scratch = tempfile::tempdir_in(self.0.0.path()).unwrap();
        std::os::unix::fs::symlink(self.0.path("in"), scratch.path().join("in")).unwrap();
        Command::new("sh")
            .args(["-c", command])
            .current_dir(scratch.path())
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", self.0.path("bin").display()))
            .env("LC_ALL", "C.UTF-8")
            .env("HOME", scratch.path())
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }
}

#[test]
fn every_call_does_what_iconv_does_or_differs_as_listed() {
    let (calls, scene) = (calls("matrix"), Scene::new());
    let known: BTreeMap<_, _> =
        self::calls("known").into_iter().map(|call| (call.command.clone(), call)).collect();
    for (command, call) in &known {
        assert!(calls.iter().any(|call| call.command == *command), "not in the matrix: {command}");
        assert!(call.reason.as_ref().is_some_and(|reason| reason.len() > 10), "why? {command}");
    }
    assert!(calls.len() >= 600, "the matrix has too few calls");

    // Calls that need other locales are left to `ci/iconv`, because a machine may lack them. Calls that depend on
    // permissions cannot be made as root, which may read and write everything.
    let can_make = |call: &&Call| match call.needs.as_deref() {
        None => true,
        Some("user") => !rustix::process::geteuid().is_root(),
        Some(_) => false,
    };
    let made = sample::every_of_each(8, calls.iter().filter(can_make), |call| &call.section);
    let (left, wrong) = (Mutex::new(made.into_iter()), Mutex::new(Vec::new()));
    let compare = |call: &Call| {
        let done = Done::of(&scene.run(&call.command));
        let equal = call.expects(&done);
        match known.get(&call.command) {
            None if equal => {}
            Some(known) if known.expects(&done) && !equal => {}
            Some(_) if equal => {
                wrong.lock().unwrap().push(format!("{}\n  does not differ", call.command))
            }
            known => {
                let (expected, command) = (known.unwrap_or(call).show(), &call.command);
                let line = format!("{command}\n  expected {expected}\n  found    {}", done.show());
                wrong.lock().unwrap().push(line);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some(call) = left.lock().unwrap().next() else { break };
                    compare(call);
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} calls differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// `tools/charsets/names/glibc.tsv` lists what glibc's `iconv -l` prints, without the trailing slashes.
#[test]
fn every_name_of_glibc_is_listed_in_its_form() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/charsets/names/glibc.tsv");
    let Ok(text) = fs::read_to_string(path) else {
        skipped("tools/charsets/names is not here; it is not in the package");
        return;
    };
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<_> = rows.flat_map(|row| row.split('\t')).collect();
    assert!(names.len() > 1100, "{}", names.len());
    let listed = String::from_utf8(Scene::new().run("iconv -l").stdout).unwrap();
    let listed: std::collections::BTreeSet<_> = listed.lines().collect();
    for name in names {
        let slashes = if name.contains('/') { "/" } else { "//" };
        assert!(listed.contains(format!("{name}{slashes}").as_str()), "{name}");
    }
}
