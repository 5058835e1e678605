//! Runs every example of the README and of the pages in docs/ that shows its output, and compares the output.
//! Also tests what the README says without an example: its picture, its numbers and its words.

use std::path::Path;

#[test]
fn every_example_of_the_readme_gives_what_it_shows() {
    assert!(examples("README.md") >= 4, "the README has lost its examples");
}

#[test]
fn every_example_of_the_guide_gives_what_it_shows() {
    assert!(examples("docs/guide.md") >= 12, "the guide has lost its examples");
}

/// README and guide are read as a whole, so they stay short. The set-up commands and the picture come first.
#[test]
fn the_readme_and_the_guide_are_short() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (page, most) in [("README.md", 200), ("docs/guide.md", 400)] {
        let lines = std::fs::read_to_string(root.join(page)).unwrap().lines().count();
        assert!(lines <= most, "{page} has {lines} lines");
    }
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let top: Vec<_> = readme.lines().take(20).collect();
    assert!(top.iter().any(|line| line.ends_with("](docs/answers.svg)")));
    for command in
        ["    cargo run --release -- --fallback windows-1252 examples/mixed.txt", "    cargo test"]
    {
        assert!(top.contains(&command), "{command}");
    }
}

#[test]
fn every_example_of_the_page_on_findings_gives_what_it_shows() {
    assert!(examples("docs/findings.md") >= 4, "the page has lost its examples");
}

/// Kinds, json, baselines and text that deceives have a page each.
#[test]
fn every_example_of_the_pages_that_findings_refer_to_gives_what_it_shows() {
    for (page, least) in [
        ("docs/kinds.md", 1),
        ("docs/json.md", 4),
        ("docs/baseline.md", 2),
        ("docs/security.md", 4),
    ] {
        assert!(examples(page) >= least, "{page} has lost its examples");
    }
}

#[test]
fn every_example_of_the_page_on_rules_gives_what_it_shows() {
    assert!(examples("docs/configuration.md") >= 4, "the page has lost its examples");
}

#[test]
fn every_example_of_the_page_on_encodings_gives_what_it_shows() {
    assert!(examples("docs/encodings.md") >= 6, "the page has lost its examples");
}

/// The families of encodings have a page each.
#[test]
fn every_example_of_the_pages_on_families_gives_what_it_shows() {
    for (page, least) in [
        ("docs/escapes.md", 4),
        ("docs/legacy-encodings.md", 6),
        ("docs/mainframe.md", 10),
        ("docs/own-tables.md", 4),
        ("docs/unicode-encodings.md", 2),
    ] {
        assert!(examples(page) >= least, "{page} has lost its examples");
    }
}

#[test]
fn every_example_of_the_page_on_detection_gives_what_it_shows() {
    assert!(examples("docs/detection.md") >= 8, "the page has lost its examples");
}

#[test]
fn every_example_of_the_page_on_iconv_gives_what_it_shows() {
    // Its examples call the program by the name iconv, too.
    let folder = tempfile::tempdir().unwrap();
    let program = assert_cmd::cargo::cargo_bin!("oxiconv");
    std::os::unix::fs::symlink(program, folder.path().join("iconv")).unwrap();
    let setup = format!("export LC_ALL=C.UTF-8 PATH='{}':$PATH; ", folder.path().display());
    assert!(examples_after(&setup, "docs/iconv.md") >= 6, "the page has lost its examples");
}

#[test]
fn every_example_of_the_page_on_migration_gives_what_it_shows() {
    assert!(examples("docs/migrating.md") >= 3, "the page has lost its examples");
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
fn every_example_of_the_page_on_declarations_gives_what_it_shows() {
    assert!(examples("docs/declarations.md") >= 5, "the page has lost its examples");
}

#[test]
fn every_example_of_the_page_on_mixed_encodings_gives_what_it_shows() {
    assert!(examples("docs/mixed.md") >= 6, "the page has lost its examples");
}

#[test]
fn every_example_of_the_page_on_repair_gives_what_it_shows() {
    assert!(examples("docs/repair.md") >= 5, "the page has lost its examples");
}

#[test]
fn every_example_of_the_page_on_large_data_gives_what_it_shows() {
    assert!(examples("docs/scale.md") >= 4, "the page has lost its examples");
}

#[test]
fn every_example_of_the_page_on_safety_gives_what_it_shows() {
    assert!(examples("docs/safety.md") >= 1, "the page has lost its examples");
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
    let page = std::fs::read_to_string(root.join("docs/scale-cost.md")).unwrap();
    assert!(page.contains(&table), "docs/scale-cost.md shows another table than:\n{table}");
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

/// The picture of the two answers is drawn from what the program prints.
#[test]
fn the_picture_of_the_answers_shows_what_the_program_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let run = std::process::Command::new("python3")
        .arg("tools/picture")
        .arg(assert_cmd::cargo::cargo_bin!("oxiconv"))
        .current_dir(root)
        .output();
    let Ok(run) = run else {
        crate::support::skipped("python3 is not installed: the picture is not drawn");
        return;
    };
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let picture = String::from_utf8(run.stdout).unwrap();
    let drawn = std::fs::read_to_string(root.join("docs/answers.svg")).unwrap();
    assert!(picture == drawn, "tools/picture > docs/answers.svg");
    // The repair is in the picture, and in the text for screen readers.
    let repair = "oxiconv --fallback windows-1252 examples/mixed.txt";
    assert_eq!(drawn.matches(repair).count(), 2);
    assert!(roxmltree::Document::parse(&drawn).is_ok());
    // It is safe to embed.
    let outside = drawn.replace("http://www.w3.org/2000/svg", "");
    for word in ["<script", "href", "http", "url(", "@import"] {
        assert!(!outside.contains(word), "{word}");
    }
}

/// The answer of iconv was recorded with glibc 2.36, and is compared if that is the installed one.
#[test]
fn the_answer_of_iconv_is_its_own() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let script = std::fs::read_to_string(root.join("tools/picture")).unwrap();
    let recorded = |name: &str| {
        let start = format!("{name} = \"");
        let line = script.lines().find_map(|line| line.strip_prefix(start.as_str())).unwrap();
        line.strip_suffix('"').unwrap()
    };
    assert_eq!(recorded("ICONV_VERSION"), "glibc 2.36");
    let version = String::from_utf8(crate::common::shell("iconv --version", root)).unwrap();
    let first = version.lines().next().unwrap_or_default();
    if !(first.contains("GLIBC") && first.ends_with(" 2.36")) {
        crate::support::skipped("glibc 2.36 is not installed: its answer is not compared");
        return;
    }
    let scratch = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root.join("examples"), scratch.path().join("examples")).unwrap();
    let got = crate::common::shell(recorded("ICONV_COMMAND"), scratch.path());
    assert_eq!(String::from_utf8(got).unwrap().trim_end(), recorded("ICONV_ANSWER"));
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

/// Guide, help and man page describe each exit status in the same words.
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
    let guide = read("docs/guide.md");
    let table = guide.split("\n## Exit statuses").nth(1).unwrap().split("\n\n").nth(1).unwrap();
    let rows: Vec<_> = table.lines().skip(2).map(|row| row.trim_matches(['|', ' '])).collect();
    let statuses: Vec<_> = rows.iter().map(|row| row.split_once(" | ").unwrap().0).collect();
    assert_eq!(statuses, ["0", "1", "2", "128 + n"]);
    for row in rows {
        let (status, meaning) = row.split_once(" | ").unwrap();
        assert!(help.contains(&format!("{status} {meaning}")), "{row}: {help}");
        assert!(man.contains(&format!("fB{status}fR {meaning}.")), "{row}: {man}");
    }
}
