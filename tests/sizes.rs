//! Limits on the size of functions, structs and files, so that a reader never has to keep too much in mind at once.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Whether a line begins a function item. Function-pointer types and closures do not count.
fn begins_function(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_modifier =
        |word: &&str| word.starts_with("pub") || ["const", "unsafe", "super)", "in"].contains(word);
    words.by_ref().find(|word| !is_modifier(word) && !word.ends_with("super)")) == Some("fn")
}

/// Limits the lines of a function and the fields of a struct. The code is formatted by rustfmt, so the closing line of
/// a block has the same indentation as its first line.
#[test]
fn functions_and_structs_stay_small() {
    const MOST_LINES: usize = 80;
    const MOST_FIELDS: usize = 15;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["crates/transcode/src", "crates/report/src", "src"] {
        sources(&root.join(folder), &mut files);
    }
    let mut large = Vec::new();
    let mut seen = (0, 0);
    for path in files.iter().filter(|path| !path.ends_with("tests.rs")) {
        let source = fs::read_to_string(path).unwrap();
        let lines: Vec<_> = source.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let is_struct = line.trim_start().trim_start_matches("pub").contains("struct ")
                && line.ends_with('{')
                && !line.contains("//");
            let is_function = begins_function(line);
            if !(is_struct || is_function) {
                continue;
            }
            let indent = &line[..line.len() - line.trim_start().len()];
            let is_end =
                |line: &&str| **line == format!("{indent}}}") || **line == format!("{indent});");
            let Some(len) = lines[at..].iter().position(is_end) else { continue };
            let body = &lines[at + 1..at + len];
            if is_function {
                seen.0 += 1;
                if len + 1 > MOST_LINES {
                    large.push(format!("{}:{}: {} lines", path.display(), at + 1, len + 1));
                }
            } else {
                seen.1 += 1;
                let is_field = |line: &&&str| {
                    let line = line.trim();
                    line.ends_with(',') && line.contains(": ") && !line.starts_with(['/', '#'])
                };
                let fields = body.iter().filter(is_field).count();
                if fields > MOST_FIELDS {
                    large.push(format!("{}:{}: {fields} fields", path.display(), at + 1));
                }
            }
        }
    }
    assert!(seen.0 > 1000 && seen.1 > 150, "too few functions and structs were found: {seen:?}");
    assert!(large.is_empty(), "larger than they should be:\n{}", large.join("\n"));
}

#[test]
fn files_of_the_program_stay_short() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    assert!(files.len() > 100, "too few files were found: {}", files.len());
    for path in files {
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines < 500, "{}: {lines} lines", path.display());
    }
}
