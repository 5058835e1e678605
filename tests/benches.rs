//! `benches/cli` and `benches/draw` work. The measurements themselves are not checked.

use crate::support::skipped;
use std::path::Path;

use assert_cmd::Command;

/// Returns a command that runs `benches/cli` with its temporary files in `folder`.
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
    if tables.contains("rustc is not installed") {
        skipped("the floor, which rustc compiles");
    } else {
        assert_eq!(row("check", "floor")[4], "bar 0.6");
    }
    assert_eq!(row("work", "against")[7], "cost");
    let bad = row("1 bad byte in 100, replace, UTF-8 to UTF-16LE", "clean text");
    assert_eq!(bad[4], "bar 0.5");
    assert!(row("only bad bytes, check", "UTF-16LE: low surrogates")[3].ends_with(" MB/s"));
    assert!(row("check", "russian")[3].ends_with(" ms"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "files were left behind");
}

#[test]
fn a_program_whose_result_is_not_the_right_one_is_not_timed() {
    let folder = tempfile::tempdir().unwrap();
    // This program succeeds, but it copies its input instead of converting it.
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

/// Draws results as SVG; `None` if python3 is not installed.
fn picture(results: &Path) -> Option<String> {
    let draw = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/draw");
    let run = std::process::Command::new("python3").arg(draw).arg(results).output();
    let Ok(run) = run else {
        crate::support::skipped("python3 is not installed: nothing is drawn");
        return None;
    };
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    Some(String::from_utf8(run.stdout).unwrap())
}

#[test]
fn the_picture_in_the_readme_is_drawn_from_the_recorded_results() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let drawn = std::fs::read_to_string(docs.join("speed.svg")).unwrap();
    if let Some(picture) = picture(&docs.join("speed.tsv")) {
        assert!(picture == drawn, "benches/draw docs/speed.tsv > docs/speed.svg");
    }
    // The picture is safe to embed, and screen readers can read it.
    assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
    assert!(
        drawn.contains("<title id=\"title\">")
            && drawn.contains("<desc id=\"desc\">Validate UTF-8: oxiconv ")
    );
    let outside = drawn.replace("http://www.w3.org/2000/svg", "");
    for word in ["<script", "href", "http", "url(", "@import"] {
        assert!(!outside.contains(word), "{word}");
    }
}

/// The geometric mean of the ratios 300 / 100 and 800 / 200 is √12, about 3.5. The mean speeds are 14 and 4 MB/s.
#[test]
fn a_bar_is_as_long_as_its_program_is_fast() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results.tsv");
    let lines = "# a machine\n\
        ratio\tcheck\tone\t1000\t100\tisutf8\t300\t-\t-\n\
        ratio\tcheck\ttwo\t4000\t200\tisutf8\t800\t-\t-\n\
        amount\tresident memory\tone\t7\tMiB\tat-most\t64\n";
    std::fs::write(&results, lines).unwrap();
    let Some(picture) = picture(&results) else { return };
    assert!(
        picture.contains("Validate UTF-8: oxiconv 0.01 GB/s, isutf8 0.00 GB/s (ratio 3.5)."),
        "{picture}"
    );
    let lengths: Vec<f64> = picture
        .lines()
        .filter(|line| {
            line.contains("<rect class=\"ours\"") || line.contains("<rect class=\"peer\"")
        })
        .map(|line| {
            line.split("width=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
        })
        .collect();
    assert_eq!(lengths.len(), 2);
    assert!((lengths[0] / lengths[1] - 12f64.sqrt()).abs() < 0.01, "{lengths:?}");
    assert!(picture.contains("a machine") && !picture.contains("MiB"));
}

#[test]
fn results_in_lines_can_be_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let run = script(folder.path())
        .args(["--quick", "--tsv", "-r", "check,start", "-t", "russian"])
        .arg(assert_cmd::cargo::cargo_bin!("oxiconv"))
        .assert()
        .success();
    let results = folder.path().join("results.tsv");
    std::fs::write(&results, &run.get_output().stdout).unwrap();
    let lines = std::fs::read_to_string(&results).unwrap();
    assert!(
        lines.lines().all(|line| line.starts_with("# ") || line.split('\t').count() >= 7),
        "{lines}"
    );
    let Some(picture) = picture(&results) else { return };
    assert!(
        picture.contains(">Validate UTF-8</text>")
            && picture.contains(">One line through a pipe</text>")
    );
}
