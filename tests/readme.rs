//! Every example of the README that shows its output is run, and shows that output.

mod common;

use std::path::Path;

#[test]
fn every_example_of_the_readme_gives_what_it_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let examples = common::examples(&readme);
    assert!(examples.len() >= 8, "the README has lost its examples");
    for (command, shown) in examples {
        let got = String::from_utf8(common::shell(command, root)).unwrap();
        assert_eq!(got.trim_end(), shown, "{command}");
    }
}
