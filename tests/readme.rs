//! Every example of the README and of the pages in docs/ that shows its output is run, and shows that output.

mod common;

use std::path::Path;

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
    let examples = common::examples(&text);
    for (command, shown) in &examples {
        let got = String::from_utf8(common::shell(command, root)).unwrap();
        assert_eq!(got.trim_end(), shown, "{page}: {command}");
    }
    examples.len()
}
