//! Every example of the README and of the pages in docs/ that shows its output is run, and shows that output.

use std::path::Path;
use std::process::Command;

#[test]
fn every_example_of_the_readme_gives_what_it_shows() {
    assert!(examples("README.md") >= 8, "the README has lost its examples");
}

#[test]
fn every_example_of_the_page_on_findings_gives_what_it_shows() {
    assert!(examples("docs/findings.md") >= 4, "the page has lost its examples");
}

/// Runs the examples of a page; returns how many there are.
fn examples(page: &str) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join(page)).unwrap();
    let program = Path::new(assert_cmd::cargo::cargo_bin!("oxiconv"));
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let mut lines = text.lines().peekable();
    let mut run = 0;
    while let Some(line) = lines.next() {
        let Some(command) = line.strip_prefix("    $ ") else { continue };
        let mut shown = Vec::new();
        while let Some(line) = lines.peek().and_then(|line| line.strip_prefix("    ")) {
            if line.starts_with("$ ") {
                break;
            }
            shown.push(line);
            lines.next();
        }
        let output = Command::new("bash")
            .args(["-c", &format!("{{ {command}\n}} 2>&1")])
            .current_dir(root)
            .env("PATH", &path)
            .output()
            .unwrap();
        let got = String::from_utf8(output.stdout).unwrap();
        assert_eq!(got.trim_end(), shown.join("\n"), "{page}: {command}");
        run += 1;
    }
    run
}
