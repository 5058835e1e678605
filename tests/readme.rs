//! Runs every example with output in the README and in docs/, and compares the output. Also checks what the README says
//! outside of examples: its picture, its numbers and its wording.

use std::path::Path;

/// The pages whose examples are run here, each with the minimum number of examples.
const PAGES: [(&str, usize); 29] = [
    ("README.md", 4),
    ("docs/baseline.md", 2),
    ("docs/changes.md", 8),
    ("docs/ci-fix.md", 1),
    ("docs/configuration.md", 4),
    ("docs/declarations.md", 5),
    ("docs/defaults.md", 4),
    ("docs/detection.md", 8),
    ("docs/editors.md", 1),
    ("docs/encodings.md", 6),
    ("docs/escapes.md", 4),
    ("docs/findings.md", 4),
    ("docs/fix.md", 2),
    ("docs/guide.md", 12),
    ("docs/iconv.md", 6),
    ("docs/json.md", 4),
    ("docs/kinds.md", 1),
    ("docs/legacy-encodings.md", 6),
    ("docs/mainframe.md", 7),
    ("docs/migrating.md", 3),
    ("docs/mixed.md", 6),
    ("docs/own-tables.md", 4),
    ("docs/records.md", 6),
    ("docs/repair.md", 5),
    ("docs/safety.md", 1),
    ("docs/scale.md", 4),
    ("docs/security.md", 4),
    ("docs/transliteration.md", 6),
    ("docs/unicode-encodings.md", 2),
];

/// Pages whose examples need files or tools beyond the repository. tests/explain.rs, tests/file_names.rs and ci/capi
/// run them.
const ELSEWHERE: [&str; 3] = ["docs/explain.md", "docs/names.md", "docs/c-library.md"];

#[cfg(unix)]
#[test]
fn every_example_gives_what_it_shows() {
    // Some examples run the program under the name iconv.
    let folder = tempfile::tempdir().unwrap();
    let program = assert_cmd::cargo::cargo_bin!("oxiconv");
    std::os::unix::fs::symlink(program, folder.path().join("iconv")).unwrap();
    let iconv = format!("export LC_ALL=C.UTF-8 PATH='{}':$PATH; ", folder.path().display());
    for (page, least) in PAGES {
        let setup = if page == "docs/iconv.md" { &iconv } else { "" };
        let count = examples_after(setup, page);
        assert!(count >= least, "{page} has lost its examples: {count}");
    }
}

/// Examples that are never run go out of date, and nobody reads long pages.
#[test]
fn every_page_with_examples_is_run_and_every_page_is_short() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut seen = 0;
    for entry in std::fs::read_dir(root.join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let page = format!("docs/{}", path.file_name().unwrap().to_str().unwrap());
        let text = std::fs::read_to_string(&path).unwrap();
        let is_run =
            PAGES.iter().any(|(known, _)| *known == page) || ELSEWHERE.contains(&&page[..]);
        assert!(is_run || crate::common::examples(&text).is_empty(), "{page} is not run");
        let most = if page == "docs/guide.md" { 400 } else { 150 };
        assert!(text.lines().count() <= most, "{page} has {} lines", text.lines().count());
        seen += 1;
    }
    assert!(seen > 25);
}

/// People read the README from start to end, so it stays short. The set-up commands and the picture come first.
#[test]
fn the_readme_is_short_and_begins_with_what_to_do() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    assert!(readme.lines().count() <= 200, "{} lines", readme.lines().count());
    let architecture = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    assert!(architecture.len() <= 10 << 10, "ARCHITECTURE.md has {} bytes", architecture.len());
    let top: Vec<_> = readme.lines().take(20).collect();
    assert!(top.iter().any(|line| line.ends_with("](docs/answers.svg)")));
    for command in
        ["    cargo run --release -- --fallback windows-1252 examples/mixed.txt", "    cargo test"]
    {
        assert!(top.contains(&command), "{command}");
    }
}

/// The simulated times are within 20% of the measured ones, and the page shows the current table of both.
#[cfg(unix)]
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

/// Runs the examples of a page, each after a setup command. Returns their number.
#[cfg(unix)]
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

/// The picture is generated from the output of the program.
#[cfg(unix)]
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
    // The command occurs twice: in the picture and in its text for screen readers.
    let repair = "oxiconv --fallback windows-1252 -i.bak examples/mixed.txt";
    assert_eq!(drawn.matches(repair).count(), 2);
    assert!(roxmltree::Document::parse(&drawn).is_ok());
    // The SVG is safe to embed: it has no scripts and loads nothing.
    let outside = drawn.replace("http://www.w3.org/2000/svg", "");
    for word in ["<script", "href", "http", "url(", "@import"] {
        assert!(!outside.contains(word), "{word}");
    }
}

/// The answer of iconv was recorded with glibc 2.36, so it is compared only if that version is installed.
#[cfg(unix)]
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

/// The README's comparison with other programs states the number of names.
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

/// The README's library example is also on the front page of the library's documentation, where it runs as a doctest.
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

/// The guide, the help text and the man page use the same words.
#[test]
fn every_exit_status_is_described_with_the_same_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |page: &str| std::fs::read_to_string(root.join(page)).unwrap();
    let program = assert_cmd::cargo::cargo_bin!("oxiconv");
    let help = std::process::Command::new(program).arg("--help").output().unwrap().stdout;
    // Undo line wrapping, and the man page's backslashes before hyphens.
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
