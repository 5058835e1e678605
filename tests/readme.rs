//! Runs every example of the README and of the pages in docs/ that shows its output, and compares the output.

use std::path::Path;

#[test]
fn every_example_of_the_readme_gives_what_it_shows() {
    assert!(examples("README.md") >= 8, "the README has lost its examples");
}

#[test]
fn every_example_of_the_page_on_findings_gives_what_it_shows() {
    assert!(examples("docs/findings.md") >= 4, "the page has lost its examples");
}

#[test]
fn every_example_of_the_page_on_rules_gives_what_it_shows() {
    assert!(examples("docs/configuration.md") >= 4, "the page has lost its examples");
}

#[test]
fn every_example_of_the_page_on_encodings_gives_what_it_shows() {
    assert!(examples("docs/encodings.md") >= 6, "the page has lost its examples");
}

#[test]
fn every_example_of_the_page_on_detection_gives_what_it_shows() {
    assert!(examples("docs/detection.md") >= 4, "the page has lost its examples");
}

#[test]
fn every_example_of_the_page_on_iconv_gives_what_it_shows() {
    // Its examples call the program by the name iconv, too.
    let folder = tempfile::tempdir().unwrap();
    let program = assert_cmd::cargo::cargo_bin!("oxiconv");
    std::os::unix::fs::symlink(program, folder.path().join("iconv")).unwrap();
    let setup = format!("export LC_ALL=C.UTF-8 PATH='{}':$PATH; ", folder.path().display());
    assert!(examples_after(&setup, "docs/iconv.md") >= 9, "the page has lost its examples");
}

#[test]
fn every_example_of_the_page_on_small_changes_gives_what_it_shows() {
    assert!(examples("docs/changes.md") >= 8, "the page has lost its examples");
}

#[test]
fn every_example_of_the_page_on_transliteration_gives_what_it_shows() {
    assert!(examples("docs/transliteration.md") >= 6, "the page has lost its examples");
}

#[test]
fn every_example_of_the_page_on_changes_gives_what_it_shows() {
    assert!(examples("docs/changes.md") >= 5, "the page has lost its examples");
}

#[test]
fn every_example_of_the_page_on_large_data_gives_what_it_shows() {
    assert!(examples("docs/scale.md") >= 4, "the page has lost its examples");
}

/// The simulation comes within 20% of the times that were measured, and the page shows both as they are.
#[test]
fn the_simulation_of_many_machines_agrees_with_what_was_measured() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let simulate = ["scale/simulate.py", "--check", "scale/measured.json"];
    let run = std::process::Command::new("python3").args(simulate).current_dir(root).output();
    let Ok(run) = run else {
        crate::support::skipped("python3 is not installed: the simulation is not compared");
        return;
    };
    let table = String::from_utf8(run.stdout).unwrap();
    assert!(run.status.success(), "{table}");
    let page = std::fs::read_to_string(root.join("docs/scale.md")).unwrap();
    assert!(page.contains(&table), "docs/scale.md shows another table than:\n{table}");
}

/// Runs the examples of a page; returns how many there are.
fn examples(page: &str) -> usize {
    examples_after("", page)
}

/// Runs the examples of a page after a command that prepares them; returns how many there are.
fn examples_after(setup: &str, page: &str) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join(page)).unwrap();
    let examples = crate::common::examples(&text);
    for (command, shown) in &examples {
        let got =
            String::from_utf8(crate::common::shell(&format!("{setup}{command}"), root)).unwrap();
        assert_eq!(got.trim_end(), shown, "{page}: {command}");
    }
    examples.len()
}

/// The answer of iconv was recorded with glibc 2.36, and is compared if that is the installed one.
#[test]
fn the_answer_of_iconv_is_its_own() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    assert!(readme.contains("(glibc 2.36):\n\n```console\n"));
    let block = readme.split("```console\n$ ").nth(1).unwrap().split("\n```").next().unwrap();
    let (command, answer) = block.split_once('\n').unwrap();
    let version = String::from_utf8(crate::common::shell("iconv --version", root)).unwrap();
    let first = version.lines().next().unwrap_or_default();
    if !(first.contains("GLIBC") && first.ends_with(" 2.36")) {
        crate::support::skipped("glibc 2.36 is not installed: its answer is not compared");
        return;
    }
    let scratch = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root.join("examples"), scratch.path().join("examples")).unwrap();
    let got = crate::common::shell(command, scratch.path());
    assert_eq!(String::from_utf8(got).unwrap().trim_end(), answer);
}

/// The table that compares with other programs says how many names there are.
#[test]
fn the_number_of_names_is_that_of_the_list() {
    let names = oxiconv::Encoding::all()
        .flat_map(|encoding| std::iter::once(encoding.name()).chain(encoding.aliases()));
    let mut number = names.count().to_string();
    number.insert(number.len() - 3, ',');
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let row = format!("| names of encodings | {number} |");
    assert!(readme.contains(&row), "the README does not have: {row}");
}

/// The library example is also on the front page of the library's documentation, where it is run.
#[test]
fn the_example_of_the_library_is_the_one_that_is_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |page: &str| std::fs::read_to_string(root.join(page)).unwrap();
    let (readme, front_page) = (read("README.md"), read("src/lib.rs"));
    let example = readme.split("```rust\n").nth(1).unwrap().split("```").next().unwrap();
    assert_eq!(example.lines().count(), 3);
    for line in example.lines() {
        assert!(front_page.contains(&format!("//! {line}\n")), "{line}");
    }
}

/// README, help and man page describe each exit status in the same words.
#[test]
fn every_exit_status_is_described_with_the_same_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |page: &str| std::fs::read_to_string(root.join(page)).unwrap();
    let program = assert_cmd::cargo::cargo_bin!("oxiconv");
    let help = std::process::Command::new(program).arg("--help").output().unwrap().stdout;
    // Lines are wrapped; the man page has backslashes before hyphens.
    let words =
        |text: &str| text.replace('\\', "").split_whitespace().collect::<Vec<_>>().join(" ");
    let (help, man) = (words(&String::from_utf8(help).unwrap()), words(&read("man/oxiconv.1")));
    let readme = read("README.md");
    let table = readme.split("## Exit statuses").nth(1).unwrap().split("\n\n").nth(1).unwrap();
    let rows: Vec<_> = table.lines().skip(2).map(|row| row.trim_matches(['|', ' '])).collect();
    let statuses: Vec<_> = rows.iter().map(|row| row.split_once(" | ").unwrap().0).collect();
    assert_eq!(statuses, ["0", "1", "2", "128 + n"]);
    for row in rows {
        let (status, meaning) = row.split_once(" | ").unwrap();
        assert!(help.contains(&format!("{status} {meaning}")), "{row}: {help}");
        assert!(man.contains(&format!("fB{status}fR {meaning}.")), "{row}: {man}");
    }
}
