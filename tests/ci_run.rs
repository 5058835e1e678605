//! `.ci/run`, which decides whether a change lands: which sample of the cases it tests, and that it lists at its end
//! whatever was left out. It runs in a temporary repository with stubs instead of cargo and the other tools.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::support::skipped;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A repository with one commit: `.ci/run`, the check `ci/loom`, which leaves something out, and `ci/platforms`, whose
/// exit status is in the file `status`.
struct Checks(TempDir);

impl Checks {
    fn new() -> Self {
        let checks = Self(tempfile::tempdir().unwrap());
        checks.write(".ci/run", &fs::read_to_string(root().join(".ci/run")).unwrap());
        checks.write(
            "ci/loom",
            "#!/bin/sh\necho \"== left out: the models, since it is $OXICONV_SAMPLE\"\n\
             echo 'test a::b ... skipped: a::b: there is no c'\necho the end\n",
        );
        checks.write("ci/platforms", "#!/bin/sh\ncat status\nexit $(cat status)\n");
        checks.write("status", "0");
        for (name, status) in [("cargo", 0), ("rustup", 0), ("python3", 0), ("apt-get", 1)] {
            checks.write(&format!("bin/{name}"), &format!("#!/bin/sh\nexit {status}\n"));
        }
        for args in [
            &["init", "-q"][..],
            &["add", "."],
            &["-c", "user.name=a", "-c", "user.email=b", "commit", "-q", "-m", "all"],
        ] {
            assert!(checks.command("git").args(args).status().unwrap().success());
        }
        checks
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let bin = self.0.path().join("bin");
        command
            .current_dir(self.0.path())
            .env("PATH", format!("{}:/usr/bin:/bin", bin.display()))
            .env("HOME", self.0.path())
            .env_remove("OXICONV_SAMPLE");
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command("bash").arg(".ci/run").args(args).output().unwrap()
    }

    /// The seed that `.ci/run` derives from the commit.
    fn seed(&self) -> String {
        let head = self.command("git").args(["rev-parse", "HEAD"]).output().unwrap().stdout;
        let head = String::from_utf8(head).unwrap();
        u32::from_str_radix(&head[..8], 16).unwrap().to_string()
    }
}

fn text(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

/// Returns the list at the end of the output.
fn end(output: &Output) -> &str {
    text(output).split_once("\n== left out\n").expect("it says what is left out").1
}

#[test]
fn the_commit_chooses_the_sample_unless_all_or_another_is_asked_for() {
    let checks = Checks::new();
    let sample = |output: &Output, expected: &str| {
        assert!(output.status.success(), "{output:?}");
        let said = format!("since it is {expected}\n");
        assert!(end(output).contains(&said), "{expected}: {output:?}");
    };
    let seed = checks.seed();
    let output = checks.run(&["loom"]);
    sample(&output, &seed);
    let again = format!("to repeat an item: OXICONV_SAMPLE={seed} .ci/run ITEM\n");
    assert_eq!(text(&output).matches(&again).count(), 2, "{output:?}");
    let mut other = checks.command("bash");
    other.args([".ci/run", "loom"]).env("OXICONV_SAMPLE", "7");
    sample(&other.output().unwrap(), "7");
    let mut none = checks.command("bash");
    none.args([".ci/run", "loom"]).env("OXICONV_SAMPLE", "all");
    let none = none.output().unwrap();
    assert_eq!(none.status.code(), Some(2), "{none:?}");
    assert!(String::from_utf8_lossy(&none.stderr).contains("--full tries all cases"), "{none:?}");
    let output = checks.run(&["--full", "loom"]);
    sample(&output, "all");
    assert!(text(&output).contains("to repeat an item: .ci/run --full ITEM\n"), "{output:?}");
}

#[test]
fn what_is_left_out_is_said_at_the_end_even_if_an_item_fails() {
    let checks = Checks::new();
    for (status, expected) in [("0", Some(0)), ("3", Some(1))] {
        checks.write("status", status);
        let output = checks.run(&["platforms", "loom"]);
        assert_eq!(output.status.code(), expected, "{output:?}");
        let lines: Vec<_> = end(&output).lines().filter(|line| line.contains("[loom]")).collect();
        let left_out = format!("[loom] left out: the models, since it is {}", checks.seed());
        assert_eq!(lines, [&left_out, "[loom] test a::b ... skipped: a::b: there is no c"]);
        let failed = String::from_utf8_lossy(&output.stderr).contains("failed: platforms\n");
        assert_eq!(failed, status == "3", "{output:?}");
    }
    assert_eq!(checks.run(&["no-such-item"]).status.code(), Some(2));
}

#[test]
fn a_step_that_does_not_end_fails_and_the_others_go_on() {
    let checks = Checks::new();
    checks.write("ci/platforms", "#!/bin/sh\nsleep 1000\n");
    let mut command = checks.command("bash");
    let output = command.args([".ci/run", "platforms", "loom"]).env("OXICONV_STEP_LIMIT", "1");
    let output = output.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(
        text(&output).contains("it did not end within 1, or was killed: ci/platforms\n"),
        "{output:?}"
    );
    assert!(text(&output).contains("[loom] the end\n"), "{output:?}");
    let failed = String::from_utf8_lossy(&output.stderr).contains("failed: platforms\n");
    assert!(failed, "{output:?}");
}

#[test]
fn what_a_sample_cannot_be_is_refused() {
    let checks = Checks::new();
    checks.write("ci/cross", &fs::read_to_string(root().join("ci/cross")).unwrap());
    for (script, sample) in [("ci/cross", "5/4"), ("ci/cross", "x"), (".ci/run", "5/4")] {
        let mut command = checks.command("bash");
        let output = command.arg(script).env("OXICONV_SAMPLE", sample).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let message = format!("{script}: OXICONV_SAMPLE is \"{sample}\"; it must be a number");
        assert!(String::from_utf8_lossy(&output.stderr).contains(&message), "{output:?}");
    }
}

/// The seed chooses which of three processors also tests the layers above the codecs. If that one is not available, the
/// next one does, and no other. Seed 1 chooses s390x, for which the stub of rustc has no standard library.
#[test]
fn what_is_above_codecs_is_tested_on_the_first_processor_that_can_be_had() {
    let checks = Checks::new();
    checks.write("ci/cross", &fs::read_to_string(root().join("ci/cross")).unwrap());
    checks.write("lib/libstd-1.rlib", "");
    checks.write(
        "bin/rustc",
        "#!/bin/sh\ncase \"$*\" in *s390x*) echo none ;; *) echo \"$PWD/lib\" ;; esac\n",
    );
    checks.write("bin/rustup", "#!/bin/sh\nexit 1\n");
    checks.write("bin/cargo", "#!/bin/sh\necho \"tested $*\"\n");
    let mut command = checks.command("bash");
    let output = command.arg("ci/cross").env("OXICONV_SAMPLE", "1").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(text(&output).contains("== left out: the tests for s390x, since "), "{output:?}");
    let tested: Vec<_> =
        text(&output).lines().filter(|line| line.contains("-p oxiconv-encodings ")).collect();
    if tested.is_empty() {
        return skipped("there are neither a 32-bit C library nor one of aarch64");
    }
    let is_whole = |line: &&str| line.contains("-p oxiconv-detect ");
    assert!(is_whole(&tested[0]), "{tested:?}");
    assert_eq!(tested.iter().filter(|line| is_whole(line)).count(), 1, "{tested:?}");
}

/// Every sample of `ci/charsets` has the charsets that `ci/tables` does not compare. Samples with consecutive seeds
/// together have all charsets. The charsets IBM85. and IBM86. of Python are published tables, but EUC-JP is not.
#[test]
fn samples_of_charsets_have_each_that_is_no_published_table_and_all_in_turn() {
    let table = std::env::current_exe().unwrap().with_file_name("../examples/charset_table");
    if !table.exists() {
        return skipped("examples/charset_table is not built");
    }
    if Command::new("python3").arg("--version").output().is_err() {
        return skipped("there is no python3");
    }
    let compared = |sample: &str| {
        let output = Command::new("python3")
            .arg(root().join("ci/charsets"))
            .args(["python", "--every", "2", "--only", "IBM85.|IBM86.|euc_jp", "--table"])
            .arg(&table)
            .env("OXICONV_SAMPLE", sample)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let lines = text(&output).lines().filter_map(|line| line.split_once(" python:"));
        lines.map(|(_, rest)| rest.split(' ').next().unwrap().to_owned()).collect::<BTreeSet<_>>()
    };
    let [all, even, odd] = ["all", "0", "1"].map(compared);
    assert!(all.len() > 10, "{all:?}");
    assert_eq!(&even | &odd, all);
    assert_eq!(&even & &odd, BTreeSet::from(["euc_jp".to_owned()]));
}

/// `.ci/run` runs the README's `cargo test` natively with four times as many cases, or with all under `--full`.
#[test]
fn the_command_of_the_readme_tries_four_times_as_many_cases_as_without_the_variable() {
    let script = fs::read_to_string(root().join(".ci/run")).unwrap();
    let tests: Vec<_> = script
        .lines()
        .map(str::trim)
        .filter(|line| line.contains("step cargo test --locked") && !line.contains(" -- "))
        .collect();
    assert!(script.contains(" most=$OXICONV_SAMPLE/4\n"));
    assert!(script.contains(" most=all\n"));
    let most = "OXICONV_SAMPLE=$most step cargo test --locked";
    assert_eq!(tests, [most, "step cargo test --locked -p oxiconv-capi"]);
}

/// `.ci/run` searches the output for fixed words. Scripts must print `left out: `, with the colon. Tests must
/// call `support::skipped`, because the harness hides the standard output of a test that passes.
#[test]
fn what_is_left_out_is_said_in_the_same_words_everywhere() {
    let mut wrong = Vec::new();
    let mut look = |path: &Path, is_wrong: &dyn Fn(&str) -> bool| {
        let Ok(text) = fs::read_to_string(path) else { return };
        let lines = text.lines().enumerate().filter(|(_, line)| is_wrong(line));
        let places = lines.map(|(at, line)| format!("{}:{}: {line}", path.display(), at + 1));
        wrong.extend(places);
    };
    let in_script = |line: &str| {
        let prints = ["echo ", "printf ", "print("].iter().any(|print| line.contains(print));
        prints && line.to_lowercase().contains("left out") && !line.contains("left out: ")
    };
    let files = |folder: &str| {
        let files = fs::read_dir(root().join(folder)).unwrap();
        files.map(|file| file.unwrap().path()).collect::<Vec<_>>()
    };
    let others = ["scale/test", "benches/detection"].map(|name| root().join(name));
    for script in [files("ci"), others.to_vec()].concat() {
        look(&script, &in_script);
    }
    // Assembled here, so that this file does not match.
    let in_test = |line: &str| {
        let words =
            ["left out", "skipped", "not tested"].map(|words| format!("println!(\"{words}"));
        words.iter().any(|words| line.contains(words))
    };
    for test in [files("tests"), files("tests/public_reports")].concat() {
        look(&test, &in_test);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `ci/cross` must name the tests that it does not emulate by module and function. A part of a name could match other
/// tests too.
#[test]
fn the_tests_that_are_not_emulated_exist() {
    let script = fs::read_to_string(root().join("ci/cross")).unwrap();
    let list = script.split_once("\nsame=(\n").unwrap().1.split_once("\n)\n").unwrap().0;
    let sources: String = ["src", "crates", "tests"]
        .iter()
        .flat_map(|folder| rust_files(&root().join(folder)))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    for name in list.lines().map(str::trim) {
        let (_, function) = name.rsplit_once("::").expect("a module and a function");
        assert!(sources.contains(&format!("fn {function}() {{")), "{name} does not exist");
    }
    assert!(list.lines().count() < 14, "few tests are independent of the processor: {list}");
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = paths.flat_map(|path| if path.is_dir() { rust_files(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|it| it == "rs")).collect()
}
