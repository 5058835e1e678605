//! Helpers for the tests that run the program.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::time::Duration;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use tempfile::TempDir;

// The defaults of whoever runs the tests do not apply.
use crate::system::portable;
pub use crate::system::{CONFIG_HOME, NO_CONFIG};

/// A command for the program, whose output is that of any system ([`portable`]).
pub struct Program {
    command: Command,
    dir: Option<PathBuf>,
    words: Vec<String>,
}

impl Program {
    pub fn arg(&mut self, arg: impl AsRef<OsStr>) -> &mut Self {
        self.words.extend(arg.as_ref().to_str().map(str::to_owned));
        self.command.arg(arg);
        self
    }

    pub fn args<A: AsRef<OsStr>>(&mut self, args: impl IntoIterator<Item = A>) -> &mut Self {
        for arg in args {
            self.arg(arg);
        }
        self
    }

    pub fn env(&mut self, name: &str, value: impl AsRef<OsStr>) -> &mut Self {
        self.command.env(name, value);
        self
    }

    pub fn env_remove(&mut self, name: &str) -> &mut Self {
        self.command.env_remove(name);
        self
    }

    pub fn current_dir(&mut self, dir: impl AsRef<Path>) -> &mut Self {
        self.command.current_dir(dir.as_ref());
        self.dir = Some(dir.as_ref().to_owned());
        self
    }

    pub fn write_stdin(&mut self, input: impl Into<Vec<u8>>) -> &mut Self {
        self.command.write_stdin(input);
        self
    }

    pub fn pipe_stdin(&mut self, file: impl AsRef<Path>) -> io::Result<&mut Self> {
        self.command.pipe_stdin(file)?;
        Ok(self)
    }

    pub fn timeout(&mut self, limit: Duration) -> &mut Self {
        self.command.timeout(limit);
        self
    }

    pub fn assert(&mut self) -> Assert {
        Assert::new(self.output().unwrap())
    }

    pub fn output(&mut self) -> io::Result<Output> {
        let mut output = self.command.output()?;
        let dir = self.dir.as_deref();
        output.stdout = portable(output.stdout, dir, &self.words);
        output.stderr = portable(output.stderr, dir, &self.words);
        Ok(output)
    }
}

/// Returns a command for the program, without the environment variables that change its output.
pub fn oxiconv() -> Program {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"));
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("COLUMNS");
    command.env(CONFIG_HOME, NO_CONFIG);
    Program { command, dir: None, words: Vec::new() }
}

/// Runs the program on standard input and returns (exit status, standard output, standard error).
pub fn run(args: &[&str], input: &(impl AsRef<[u8]> + ?Sized)) -> (i32, Vec<u8>, String) {
    let output = oxiconv().args(args).write_stdin(input.as_ref()).output().unwrap();
    let status = output.status.code().expect("not ended by a signal");
    (status, output.stdout, String::from_utf8(output.stderr).unwrap())
}

/// Like [`run`], for output that is UTF-8.
pub fn run_text(args: &[&str], input: &(impl AsRef<[u8]> + ?Sized)) -> (i32, String, String) {
    texts(oxiconv().args(args).write_stdin(input.as_ref()).output().unwrap())
}

/// Returns the exit status and both outputs, which must be UTF-8, of a finished program.
pub fn texts(output: Output) -> (i32, String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let status = output.status.code().expect("not ended by a signal");
    (status, text(output.stdout), text(output.stderr))
}

/// Starts the program in a directory, with pipes for all its streams.
pub fn start(dir: &Path, args: &[&str]) -> Child {
    std::process::Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
        .current_dir(dir)
        .env(CONFIG_HOME, NO_CONFIG)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs the program in a directory, with arguments as for a shell, on a terminal where these answers are typed. Returns
/// what the terminal showed; `None` if `script`, which provides it, is not installed.
pub fn type_on_terminal(dir: &Dir, args: &str, answers: &str) -> Option<String> {
    let mut child = start_on_terminal(dir, args)?;
    child.stdin.take().unwrap().write_all(answers.as_bytes()).unwrap();
    let shown = child.wait_with_output().unwrap();
    Some(String::from_utf8_lossy(&shown.stdout).into_owned())
}

/// Does the same, but types each answer only when the question before it is shown. A key that sends a signal needs
/// that, because it also discards what was typed and is not read yet. Returns the exit status too.
pub fn answer_on_terminal(
    dir: &Dir,
    args: &str,
    answers: &[(&str, &str)],
) -> Option<(Option<i32>, String)> {
    let mut child = start_on_terminal(dir, args)?;
    let (mut keys, mut screen) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let (mut shown, mut bytes, mut answered) = (String::new(), [0; 4096], 0);
    let mut answers = answers.iter().peekable();
    loop {
        let len = screen.read(&mut bytes).unwrap();
        if len == 0 {
            return Some((child.wait().unwrap().code(), shown));
        }
        shown.push_str(&String::from_utf8_lossy(&bytes[..len]));
        while let Some((question, answer)) = answers.peek()
            && let Some(at) = shown[answered..].find(question)
        {
            answered += at + question.len();
            keys.write_all(answer.as_bytes()).unwrap();
            answers.next();
        }
    }
}

fn start_on_terminal(dir: &Dir, args: &str) -> Option<Child> {
    // Whoever runs the tests may ignore these signals, as nohup does, and the program would inherit that.
    let program = assert_cmd::cargo::cargo_bin!("oxiconv").display();
    let command = format!("env --default-signal=INT,HUP {program} {args}");
    std::process::Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .current_dir(dir.0.path())
        .env(CONFIG_HOME, NO_CONFIG)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()
}

/// A separate directory for the files of a test.
pub struct Dir(pub TempDir);

impl Dir {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Runs the program in the directory.
    pub fn run(&self, args: &[&str]) -> (i32, String, String) {
        texts(oxiconv().current_dir(self.0.path()).args(args).output().unwrap())
    }

    /// Returns the names of all entries in the directory, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

/// Returns the examples of a page: each command with the output that the page shows for it. A command is an indented
/// line that begins with `$`; its output is the indented lines after it.
pub fn examples(page: &str) -> Vec<(&str, String)> {
    let lines: Vec<_> = page.lines().collect();
    let indented = |at: usize| lines.get(at).and_then(|line| line.strip_prefix("    "));
    let mut examples = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(command) = line.strip_prefix("    $ ") else { continue };
        let mut shown = Vec::new();
        let mut next = at + 1;
        loop {
            match (lines.get(next), indented(next)) {
                (_, Some(line)) if !line.starts_with("$ ") => shown.push(line),
                // A blank line is part of the output if the output continues after it.
                (Some(&""), _) if indented(next + 1).is_some_and(|l| !l.starts_with("$ ")) => {
                    shown.push("");
                }
                _ => break,
            }
            next += 1;
        }
        examples.push((command, shown.join("\n")));
    }
    examples
}

/// Runs `command` with bash in `dir`, with the program on its path. Returns standard output and standard error,
/// combined.
#[cfg(unix)]
pub fn shell(command: &str, dir: &Path) -> Vec<u8> {
    let program = Path::new(assert_cmd::cargo::cargo_bin!("oxiconv"));
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let output = std::process::Command::new("bash")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(dir)
        .env("PATH", &path)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("COLUMNS")
        .env(CONFIG_HOME, NO_CONFIG)
        .output()
        .unwrap();
    output.stdout
}

/// Reduces the commands in hints about this file to their options: `(try oxiconv -f cp932 -i.bak f)` becomes
/// `(try -f cp932)`, which is the form of hints about standard input.
pub fn options_of_hints(messages: &str, file: &str) -> String {
    messages.replace("(try oxiconv ", "(try ").replace(&format!(" -i.bak {file}"), "")
}
