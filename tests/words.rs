//! The repository is written in plain English: none of the phrases below is in its sources, its documentation or its
//! scripts. Each was once read by users and had to be read twice. `plain` is the usual way to say the same.

use std::fs;
use std::path::{Path, PathBuf};

/// A phrase to avoid, and what to write instead.
///
/// A blank means any white space, so a phrase is also found where a line is wrapped. A phrase may begin with a capital;
/// otherwise its case matters, because Python's `is None` is no English. The ids `passed-over` and
/// `passed_over` are not matches: they are names in the JSON format, which do not change.
struct Phrase {
    avoid: &'static str,
    plain: &'static str,
    /// Words before the phrase with which it is plain English.
    unless_after: &'static [&'static str],
}

const fn phrase(avoid: &'static str, plain: &'static str) -> Phrase {
    Phrase { avoid, plain, unless_after: &[] }
}

const PHRASES: &[Phrase] = &[
    // Sentences of former messages.
    phrase("a text has no U+0000", "NUL character (U+0000) in text"),
    phrase("by such bytes in the whole text", "all stray bytes fit windows-1252"),
    phrase("which is UTF-8 otherwise", "the rest is valid UTF-8"),
    phrase("continues a sequence, and none", "is a continuation byte without a lead byte"),
    phrase("stands where", "found 20 where 80..BF is required"),
    phrase("stand where", "found 20 where 80..BF is required"),
    phrase("stands nowhere", "is never valid in UTF-8"),
    phrase("of several causes", "with different causes"),
    phrase("which no one command repairs", "no single command repairs both"),
    phrase("takes the files below it", "use -r to descend"),
    phrase("kinds of characters that are findings", "also report these characters"),
    phrase("to stand for what is replaced", "replacement text"),
    phrase("as the encodings have it", "follow each encoding's own rule"),
    phrase("makes pictures for people", "--explain cannot be combined with --format json"),
    phrase("detected to", "w.csv: windows-1252 (detected) to UTF-8"),
    phrase("number would be zero", "must be at least 1"),
    phrase("IO error for operation on", "PATH: what happened"),
    phrase("(os error 13)", "leave it out"),
    phrase("(os error 2)", "leave it out"),
    // Words.
    phrase("otherwise than", "differs from, unlike"),
    phrase("parted by", "separated by"),
    phrase("passed over", "skipped"),
    phrase("passes over", "skips"),
    phrase("told of", "reported"),
    phrase("are told", "is reported, is printed"),
    phrase("mend", "repair"),
    phrase("mends", "repairs"),
    phrase("mended", "repaired"),
    phrase("side by side with", "next to, with"),
    phrase("is not there", "is not found, is missing"),
    phrase("are not there", "are not found, are missing"),
    phrase("but if", "unless"),
    phrase("of which there", "divide the sentence"),
    phrase("as that has it", "as there"),
    phrase("as quick as", "as fast as"),
    phrase("begins nothing", "cannot begin a character, begins no escape"),
    Phrase {
        avoid: "is none",
        plain: "is not one, means none, is missing",
        unless_after: &["there", "default"],
    },
];

/// What is not written by hand for this repository, or shows what others say.
const NOT_OURS: [&str; 8] = [
    "tests/words.rs",
    "tests/data",
    "tests/iconv",
    "crates/encodings/src/encoding/charsets",
    "crates/encodings/src/codec/set",
    "tools/charsets/names",
    "tools/charsets/sources",
    "tools/charsets/tables",
];

/// Returns the text files of the repository, with their paths below its root.
fn texts() -> Vec<(String, String)> {
    fn walk(root: &Path, path: &Path, found: &mut Vec<(String, String)>) {
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        if NOT_OURS.contains(&name.as_str()) {
            return;
        }
        if path.is_dir() {
            let mut entries: Vec<PathBuf> =
                fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
            entries.sort();
            // The directory of git, and what was built.
            entries.retain(|entry| !entry.ends_with(".git") && !entry.ends_with("target"));
            entries.iter().for_each(|entry| walk(root, entry, found));
        } else if let Ok(text) = fs::read_to_string(path) {
            found.push((name, text));
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    walk(root, root, &mut found);
    found
}

/// Returns the words of a text with one blank between them, and where each line begins there.
///
/// The signs before a line of a comment are not words.
fn words(text: &str) -> (String, Vec<usize>) {
    let (mut words, mut lines) = (String::from(" "), Vec::new());
    for line in text.lines() {
        lines.push(words.len());
        let line = line.trim_start().trim_start_matches(['/', '!', '#', '*', '>']);
        for word in line.split_whitespace() {
            words.push_str(word);
            words.push(' ');
        }
    }
    (words, lines)
}

/// Returns the lines on which a text, in its words, has a phrase.
fn lines_with(phrase: &Phrase, (words, lines): &(String, Vec<usize>)) -> Vec<usize> {
    let is_word = |char: char| char.is_alphanumeric() || char == '_' || char == '-';
    let mut found = Vec::new();
    let (first, rest) = phrase.avoid.split_at(1);
    for avoid in [phrase.avoid.to_owned(), first.to_ascii_uppercase() + rest] {
        for (at, _) in words.match_indices(&avoid) {
            let (before, after) = (&words[..at], &words[at + avoid.len()..]);
            let previous = before.split_whitespace().next_back().unwrap_or_default();
            let is_whole = !before.ends_with(is_word) && !after.starts_with(is_word);
            if is_whole
                && !phrase.unless_after.contains(&previous.trim_start_matches(|c| !is_word(c)))
            {
                found.push(lines.partition_point(|&start| start <= at));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[test]
fn no_phrase_has_to_be_read_twice() {
    let texts = texts();
    for name in
        ["README.md", "man/oxiconv.1", "docs/ci.md", "src/cli/args/mod.rs", "action.yml", ".ci/run"]
    {
        assert!(texts.iter().any(|(path, _)| path == name), "{name} is not searched");
    }
    let mut found = Vec::new();
    for (path, text) in &texts {
        let text = words(text);
        for phrase in PHRASES {
            for line in lines_with(phrase, &text) {
                found.push(format!("{path}:{line}: \"{}\"; plain: {}", phrase.avoid, phrase.plain));
            }
        }
    }
    assert!(found.is_empty(), "{} phrases:\n{}", found.len(), found.join("\n"));
}

#[test]
fn a_phrase_is_found_where_a_line_is_wrapped_and_in_any_case() {
    let lines = |phrase: &Phrase, text: &str| lines_with(phrase, &words(text));
    let parted = phrase("parted by", "separated by");
    assert_eq!(lines(&parted, "one\n// Parted\n/// by commas, \"parted by\" dots\n"), [2, 3]);
    assert_eq!(lines(&parted, "departed by_name, parted bytes, parted-by"), [0; 0]);
    let none = PHRASES.iter().find(|phrase| phrase.avoid == "is none").unwrap();
    assert_eq!(lines(none, "if there is none, 0 is none,\nthe value is None"), [1]);
}

/// Some messages are made by libraries or of several parts, so they are in no source.
#[test]
fn no_message_has_to_be_read_twice() {
    let scratch = tempfile::tempdir().unwrap();
    for (name, bytes) in [
        ("bad", &b"caf\xE9, caf\xC3\xA9, \x93in\x94\n"[..]),
        ("mixed", b"a\r\nb\n"),
        ("differs", b"\xE2\x82 \xFF \xED\xA0\x80 \xC0\xAF\n"),
        ("korean", b"\xC7\xD1\xB1\xB9\xBE\xEE \xB9\xAE\xC0\xDA\n"),
        ("nul", b"a\0b\n"),
    ] {
        fs::write(scratch.path().join(name), bytes).unwrap();
    }
    let calls = [
        "--help",
        "-j 0 bad",
        "--jobs 0 bad",
        ".",
        "--check .",
        "missing",
        "--check missing",
        "--check -r missing",
        "--check bad",
        "--check --deny nul,mixed-newlines mixed nul",
        "--check --format sarif bad mixed nul",
        "--explain bad",
        "--explain differs",
        "--explain korean",
        "--explain --format json bad",
        "--explain all bad",
        "-i .bak bad",
        "-e translit bad",
        "-e none bad",
        "-f none bad",
        "-v -f auto korean",
        "-t ascii -v -e replace bad",
        "-i -f latin1 --dry-run bad mixed",
        "--fallback utf-16 bad",
        "--deny none bad",
        "--list none",
    ];
    let mut found = Vec::new();
    for call in calls {
        let mut program = std::process::Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"));
        let run = program.args(call.split(' ')).current_dir(scratch.path()).output().unwrap();
        for output in [run.stdout, run.stderr] {
            let text = String::from_utf8_lossy(&output).into_owned();
            for phrase in
                PHRASES.iter().filter(|phrase| !lines_with(phrase, &words(&text)).is_empty())
            {
                found
                    .push(format!("{call}: \"{}\"; plain: {}\n{text}", phrase.avoid, phrase.plain));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
