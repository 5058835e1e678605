//! Tests that `benches/cli` works. Its results do not matter here.
#![cfg(target_os = "linux")]

use std::path::Path;

use assert_cmd::Command;

/// Returns the script as a command, with a folder of its own for its files.
fn script(folder: &Path) -> Command {
    let mut command = Command::new("bash");
    command
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/cli"))
        .env("TMPDIR", folder)
        .env_remove("SUTF");
    command
}

#[test]
fn contests_are_held_and_leave_tables_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let run = script(folder.path())
        .args(["--quick", "--markdown", "-r", "check,bad", "-t", "russian"])
        .arg(assert_cmd::cargo::cargo_bin!("oxiconv"))
        .assert()
        .success();
    let tables = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let row = |first: &str, second: &str| {
        tables
            .lines()
            .map(|line| line.split('|').map(str::trim).collect::<Vec<_>>())
            .find(|cells| cells.len() > 5 && cells[1] == first && cells[2] == second)
            .unwrap_or_else(|| panic!("no row of {first}, {second} in\n{tables}"))
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let check = row("check", "cat");
    assert!(check[3].parse::<f64>().unwrap() > 0.0, "{check:?}");
    assert_eq!(check[4], "bar 1.5");
    let bad = row("1 bad byte in 100, replace, UTF-8 to UTF-16LE", "clean text");
    assert_eq!(bad[4], "bar 0.5");
    assert!(row("nothing but bad, check", "UTF-16LE: low surrogates")[3].ends_with(" MB/s"));
    assert!(row("check", "russian")[3].ends_with(" ms"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "it left something behind");
}

#[test]
fn a_program_whose_result_is_not_the_right_one_is_not_timed() {
    let folder = tempfile::tempdir().unwrap();
    // It ends with status 0 and passes its last argument through unchanged.
    let copier = folder.path().join("copier");
    std::fs::write(&copier, "#!/bin/sh\nfor last; do :; done\ncat \"$last\"\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&copier, mode).unwrap();
    let run = script(folder.path())
        .args(["--quick", "-r", "null", "-t", "russian"])
        .arg(&copier)
        .assert()
        .code(1);
    let tables = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    assert!(
        tables.contains(
            "Left out: oxiconv in UTF-8 to UTF-16LE, /dev/null, russian (it gave another result)"
        ),
        "{tables}"
    );
    assert!(!tables.contains(" ms"), "{tables}");
}

#[test]
fn what_it_does_not_know_is_wrong_usage() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in
        [&["-r", "chess"][..], &["-t", "klingon"], &["-s", "big"], &["-n", "0"], &["-x"]]
    {
        script(folder.path()).args(arguments).assert().code(2);
    }
    let help = script(folder.path()).arg("-h").assert().success();
    assert!(String::from_utf8_lossy(&help.get_output().stdout).contains("Examples:"));
}
