//! Runs the tasks of the README and the guide as a new user would: the exact commands, in a directory that has only
//! the files that they mention. Expected results are written by hand.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use tempfile::TempDir;

/// Returns the heading and the commands of each task on a page. It leaves out examples that show their output, which
/// tests/readme.rs runs.
fn tasks(page: &str) -> Vec<(String, String)> {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page)).unwrap();
    page.split("\n## ")
        .flat_map(|section| section.split("\n### ").skip(1))
        .map(|task| {
            let (heading, text) = task.split_once('\n').unwrap();
            let commands = text
                .split("\n\n")
                .filter(|block| !block.starts_with("    $ "))
                .flat_map(str::lines)
                .filter_map(|line| line.strip_prefix("    "));
            (heading.to_owned(), commands.collect::<Vec<_>>().join("\n"))
        })
        .collect()
}

/// A directory in which the commands of one task run.
struct Scratch {
    directory: TempDir,
    commands: String,
}

impl Scratch {
    /// Prepares the task with this heading, and creates its input files.
    fn new(heading: &str, files: &[(&str, &[u8])]) -> Self {
        let mut all = ["README.md", "docs/guide.md"].into_iter().flat_map(tasks);
        let Some((_, commands)) = all.find(|(found, _)| found == heading) else {
            panic!("there is no task \"{heading}\"");
        };
        let scratch = Self { directory: tempfile::tempdir().unwrap(), commands };
        for (name, bytes) in files {
            let path = scratch.directory.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        scratch
    }

    /// Returns a shell that runs a script in the directory, which is also the user's home directory.
    fn shell(&self, script: &str) -> Command {
        let program = Path::new(assert_cmd::cargo::cargo_bin!("oxiconv")).parent().unwrap();
        let path = std::env::var("PATH").unwrap();
        let home = self.directory.path();
        let mut shell = Command::new("bash");
        shell
            .args(["-c", script])
            .current_dir(home)
            .env("HOME", home)
            .env("PATH", format!("{}/.local/bin:{}:{path}", home.display(), program.display()))
            .env("LC_ALL", "C.UTF-8");
        for variable in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS"] {
            shell.env_remove(variable);
        }
        shell
    }

    fn run(&self) -> Output {
        self.shell(&self.commands).output().unwrap()
    }

    /// Runs the commands of the task. They must succeed and leave these files.
    fn gives(&self, files: &[(&str, &[u8])]) {
        let output = self.run();
        assert!(output.status.success(), "{}: {output:?}", self.commands);
        for (name, expected) in files {
            let got = fs::read(self.directory.path().join(name)).unwrap();
            assert_eq!(
                got.escape_ascii().to_string(),
                expected.escape_ascii().to_string(),
                "{name}"
            );
        }
    }
}

#[test]
fn the_readme_has_six_tasks_of_a_few_lines() {
    let tasks = tasks("README.md");
    assert_eq!(tasks.len(), 6);
    for (heading, commands) in tasks {
        assert!((1..=3).contains(&commands.lines().count()), "{heading}");
    }
}

#[test]
fn csv_files_for_excel_get_a_mark_and_those_from_it_lose_theirs() {
    let scratch = Scratch::new(
        "CSV files for Excel, and from Excel",
        &[
            ("report.csv", "name;city\nZoë;Köln\n".as_bytes()),
            ("from-excel.csv", b"\xEF\xBB\xBFname;city\r\nZo\xC3\xAB;K\xC3\xB6ln\r\n"),
        ],
    );
    scratch.gives(&[
        ("for-excel.csv", b"\xEF\xBB\xBFname;city\nZo\xC3\xAB;K\xC3\xB6ln\n"),
        ("clean.csv", "name;city\r\nZoë;Köln\r\n".as_bytes()),
    ]);
}

#[test]
fn a_file_that_powershell_wrote_becomes_utf8() {
    let scratch = Scratch::new(
        "A file that PowerShell wrote",
        &[("list.txt", b"\xFF\xFEN\0\xE9\0\x3D\xD8\x00\xDE\r\0\n\0")],
    );
    scratch.gives(&[("list.txt", "Né😀\r\n".as_bytes())]);
}

#[test]
fn files_become_utf8_except_what_is_utf8_already() {
    let scratch = Scratch::new(
        "Make these files UTF-8",
        &[
            ("old.txt", b"5 \x80\n"),
            ("new.txt", "café\n".as_bytes()),
            ("src/old.txt", b"Gr\xFC\xDFe aus K\xF6ln\n"),
            ("src/deep/er/old.c", b"// d\xE9j\xE0 vu \xE0 No\xEBl\n"),
            ("src/new.txt", "café\n".as_bytes()),
            ("src/ascii.txt", b"plain\n"),
            ("other.c", b"caf\xE9\n"),
        ],
    );
    scratch.gives(&[
        ("old.txt", "5 €\n".as_bytes()),
        ("new.txt", "café\n".as_bytes()),
        ("src/old.txt", "Grüße aus Köln\n".as_bytes()),
        ("originals/src/old.txt", b"Gr\xFC\xDFe aus K\xF6ln\n"),
        ("src/deep/er/old.c", "// déjà vu à Noël\n".as_bytes()),
        ("src/new.txt", "café\n".as_bytes()),
        ("src/ascii.txt", b"plain\n"),
        ("other.c", b"caf\xE9\n"),
    ]);
}

#[test]
fn the_check_fails_and_prints_each_place() {
    let files: [(&str, &[u8]); 2] =
        [("a.txt", "Grüße\n".as_bytes()), ("docs/b.txt", b"a\ncaf\xE9\n")];
    let task = "Gate a repository";
    let output = Scratch::new(task, &files).run();
    assert_eq!(output.status.code(), Some(1));
    let findings = String::from_utf8(output.stdout).unwrap();
    assert_eq!(findings.lines().count(), 1, "{findings}");
    assert!(
        findings.contains("docs/b.txt:2:4: error[truncated]: E9 at byte 5 (0x5)"),
        "{findings}"
    );

    let output = Scratch::new(task, &files[..1]).run();
    assert_eq!((output.status.code(), output.stdout), (Some(0), Vec::new()));
}

#[test]
fn a_log_with_mixed_encodings_becomes_utf8() {
    let scratch = Scratch::new(
        "Clean a log",
        &[("server.log", b"caf\xE9 \x93in\x94\ncaf\xC3\xA9 \xE2\x82\xAC\n")],
    );
    scratch.gives(&[("clean.log", "café “in”\ncafé €\n".as_bytes())]);
}

#[test]
fn dumps_from_oracle_and_java_become_utf8() {
    let scratch = Scratch::new(
        "Dumps from Oracle and Java",
        &[
            ("oracle.sql", b"'caf\xC3\xA9 \xED\xA0\xBD\xED\xB8\x80'\n"),
            ("java.bin", b"a\xC0\x80b \xED\xA0\xBD\xED\xB8\x80\n"),
        ],
    );
    scratch
        .gives(&[("dump.sql", "'café 😀'\n".as_bytes()), ("strings.txt", "a\0b 😀\n".as_bytes())]);
}

#[test]
fn each_line_of_a_stream_is_written_as_soon_as_it_arrives() {
    let scratch = Scratch::new("A stream", &[("app.log", b"\x93\xFA\x96\x7B\n")]);
    // A process group of its own, because `tail -f` never ends and must be killed together with the shell.
    let mut shell =
        scratch.shell(&scratch.commands).stdout(Stdio::piped()).process_group(0).spawn().unwrap();
    let (sender, lines) = mpsc::channel();
    let output = BufReader::new(shell.stdout.take().unwrap());
    let reader = std::thread::spawn(move || {
        for line in output.lines() {
            // The receiver is gone if the test has already ended.
            let _ = sender.send(line.unwrap());
        }
    });
    let first = lines.recv_timeout(Duration::from_secs(20));
    let log = scratch.directory.path().join("app.log");
    let mut log = fs::OpenOptions::new().append(true).open(log).unwrap();
    log.write_all(b"\x8C\xEA\n").unwrap();
    let second = lines.recv_timeout(Duration::from_secs(20));
    let group = format!("-{}", shell.id());
    assert!(Command::new("kill").args(["--", &group]).status().unwrap().success());
    shell.wait().unwrap();
    reader.join().unwrap();
    assert_eq!((first.as_deref(), second.as_deref()), (Ok("日本"), Ok("語")));
}

#[test]
fn a_large_file_is_converted() {
    let line = "Zoë paid 10 € 😀\n";
    let times = 1 << 20;
    let units = line.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let scratch = Scratch::new("Gigabytes", &[("dump.utf16", &units.repeat(times))]);
    let output = scratch.run();
    assert!(output.status.success(), "{output:?}");
    let got = fs::read(scratch.directory.path().join("dump.txt")).unwrap();
    assert!(got == line.repeat(times).as_bytes());
}

#[test]
fn the_command_that_explain_prints_repairs_the_file() {
    let scratch = Scratch::new(
        "What is wrong with this file?",
        &[("letter.txt", b"Menu\ncaf\xE9 au lait, cr\xE8me br\xFBl\xE9e\n")],
    );
    let output = scratch.run();
    assert_eq!(output.status.code(), Some(1));
    let picture = String::from_utf8(output.stdout).unwrap();
    assert!(
        picture.contains("letter.txt:2:4: error[truncated]: E9 at byte 8 (0x8)\n"),
        "{picture}"
    );
    assert!(picture.contains("U+00E9 (é) LATIN SMALL LETTER E WITH ACUTE"), "{picture}");
    let repair = picture.lines().find_map(|line| line.trim().strip_prefix("repair ")).unwrap();
    let repaired = scratch.shell(repair).output().unwrap();
    assert!(repaired.status.success() && repaired.stdout.is_empty());
    let text = fs::read(scratch.directory.path().join("letter.txt")).unwrap();
    assert_eq!(text, "Menu\ncafé au lait, crème brûlée\n".as_bytes());
}

/// Russian, in KOI8-R: "Every person shall have every right and every freedom proclaimed by this declaration".
#[test]
fn the_encoding_is_printed_and_taken() {
    let text = "Каждый человек должен обладать всеми правами и всеми свободами, провозглашенными настоящей Декларацией.\n";
    let koi8 = oxiconv::Encoding::for_name("koi8-r").unwrap();
    let bytes = oxiconv::encode(text, koi8).unwrap();
    let scratch = Scratch::new("Which encoding is it?", &[("notes.txt", &bytes)]);
    let output = scratch.run();
    let line = String::from_utf8(output.stdout).unwrap();
    assert!(line.starts_with("notes.txt: KOI8-R, "), "{line}");
    assert_eq!(fs::read_to_string(scratch.directory.path().join("notes.utf8.txt")).unwrap(), text);
}

#[test]
fn a_link_with_the_name_iconv_is_iconv() {
    let scratch = Scratch::new("Replace iconv", &[("old.txt", b"caf\xE9 \xA9\n")]);
    scratch.gives(&[("new.txt", b"cafe (C)\n")]);
    let link = fs::read_link(scratch.directory.path().join(".local/bin/iconv")).unwrap();
    assert_eq!(link, Path::new(assert_cmd::cargo::cargo_bin!("oxiconv")));
}
