//! `tools/messages`, which lists everything that the program prints for people. The list is complete, and has nothing
//! else.

use std::path::Path;
use std::process::Command;

use crate::support::skipped;

/// Returns the list for `paths`. Returns `None` without python3, without git, or outside of a checkout.
fn list(paths: &[&str]) -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !root.join(".git").exists() || Command::new("git").arg("--version").output().is_err() {
        skipped("this is not a checkout of git: the messages are not listed");
        return None;
    }
    let Ok(run) = Command::new("python3").arg(root.join("tools/messages")).args(paths).output()
    else {
        skipped("python3 is not installed: the messages are not listed");
        return None;
    };
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    Some(String::from_utf8(run.stdout).unwrap())
}

/// One message of each form in the source: an error of a library, one that spans several lines, sentences of findings,
/// the title and the help of a kind, a hint, usage errors, an error context, a question, a note.
#[test]
fn it_has_the_messages_of_every_form() {
    let Some(list) = list(&[]) else { return };
    for message in [
        "the table maps no character",
        "damaged text can be repaired only in UTF-8, UTF-16 and UTF-32, but the input is in {0}",
        "{begun} begins {}, but {} follows",
        "{hex} never occurs in {name}",
        "Unpaired high surrogate.",
        "oxiconv --in-place --bom strip removes it.",
        "looks like {}: {}",
        "; did you mean {nearest}?",
        "--shard cannot be combined with --declaration update",
        "{label}: cannot read what was written",
        "Repair it? [y/n/a/q/?]",
        "reading standard input; {END_KEYS}, -h shows help",
    ] {
        assert!(list.contains(message), "{message}");
    }
}

#[test]
fn each_has_its_place_and_a_test_or_an_assertion_has_none() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Some(list) = list(&["src/cli/usage.rs", "src/cli/args", "crates/transcode"]) else {
        return;
    };
    for line in list.lines() {
        let mut parts = line.splitn(3, ':');
        let (file, number) = (parts.next().unwrap(), parts.next().unwrap());
        let number: usize = number.parse().unwrap_or_else(|_| panic!("{line}"));
        let source = std::fs::read_to_string(root.join(file)).unwrap();
        let at = source.lines().nth(number - 1).unwrap_or_else(|| panic!("{line}"));
        assert!(at.contains('"'), "{line}: {at}");
        let before = source.lines().take(number).any(|line| line.starts_with("mod tests {"));
        assert!(!before && !file.contains("/tests"), "{line}");
    }
    let place = "src/cli/usage.rs:";
    assert!(list.lines().any(|line| line.starts_with(place) && line.ends_with("empty file name")));
}

/// A misspelled path must not look like a list without messages.
#[test]
fn a_path_without_rust_files_is_an_error() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let run =
        Command::new("python3").arg(root.join("tools/messages")).arg("no-such-folder").output();
    let Ok(run) = run else { return skipped("python3 is not installed") };
    assert!(!run.status.success() && run.stdout.is_empty());
    assert_eq!(
        String::from_utf8_lossy(&run.stderr),
        "tools/messages: no Rust file in no-such-folder\n"
    );
}
