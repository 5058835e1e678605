//! The properties of an encoding are fields of its row. No code may derive them from the name.

use std::fs;
use std::path::{Path, PathBuf};

use oxiconv::Encoding;
use oxiconv_encodings::encoding::{names, normalize};

/// Code in these folders may print names but not compare them.
const FOLDERS: [&str; 3] = ["crates/transcode/src", "crates/report/src", "src/cli"];

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        // Input and output deal with files, not with encodings.
        if path.is_dir() && !path.ends_with("transcode/src/io") {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Returns the code of a file without comments and tests.
fn code(file: &Path) -> String {
    if file.ends_with("tests.rs") {
        return String::new();
    }
    let text = fs::read_to_string(file).unwrap();
    let text = text.split("\nmod tests {").next().unwrap();
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    text.lines().filter(is_code).collect::<Vec<_>>().join("\n")
}

/// Returns the string literals in some code, each with the code before it.
fn literals(code: &str) -> Vec<(&str, &str)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(start) = code[at..].find('"').map(|start| at + start) {
        let is_char = code[..start].ends_with('\'') && code[start + 1..].starts_with('\'');
        if is_char || code[..start].ends_with("'\\") {
            at = start + 1;
            continue;
        }
        let mut end = start + 1;
        while !code[end..].starts_with('"') {
            end += if code[end..].starts_with('\\') { 2 } else { 1 };
            while !code.is_char_boundary(end) {
                end += 1;
            }
        }
        found.push((&code[..start], &code[start + 1..end]));
        at = end + 1;
    }
    found
}

/// Lists the names of common encodings. Its own test compares them with the registry.
const LIST_OF_NAMES: &str = "src/cli/common_encodings.rs";

/// Literals that are also names of encodings but mean something else here: ids of causes, values of `--errors` and
/// `--unmappable`, a script, an output format, values of EditorConfig, the default in the help, a roff request, and
/// what other programs call a line end or a value, languages and countries.
const SOMETHING_ELSE: [(&str, &str); 24] = [
    ("crates/report/src/guess/mod.rs", "cesu-8"),
    ("crates/report/src/repair.rs", "xml"),
    ("src/cli/args/substitution_args.rs", "java"),
    ("src/cli/args/substitution_args.rs", "unicode"),
    ("src/cli/args/substitution_args.rs", "xml"),
    ("crates/transcode/src/diagnostic/sentence.rs", "Latin"),
    ("crates/report/src/html.rs", "html"),
    ("src/cli/repository/editorconfig.rs", "latin1"),
    ("src/cli/repository/editorconfig.rs", "utf-8"),
    ("src/cli/repository/editorconfig.rs", "utf-8-bom"),
    ("src/cli/repository/editorconfig.rs", "utf-16le"),
    ("src/cli/repository/editorconfig.rs", "utf-16be"),
    ("src/cli/args/encoding_args.rs", "utf-8"),
    ("src/cli/generate.rs", "fi"),
    ("src/cli/args/language.rs", "cn"),
    ("src/cli/args/language.rs", "dk"),
    ("src/cli/args/language.rs", "jp"),
    ("src/cli/args/language.rs", "no"),
    ("src/cli/args/language.rs", "uk"),
    ("src/cli/usage.rs", "dos"),
    ("src/cli/usage.rs", "html"),
    ("src/cli/usage.rs", "mac"),
    ("src/cli/usage.rs", "no"),
    ("src/cli/usage.rs", "xml"),
];

#[cfg(unix)]
#[test]
fn no_code_asks_an_encoding_for_its_name() {
    let known: Vec<String> = Encoding::all().flat_map(names).map(normalize).collect();
    let canonical: Vec<String> = Encoding::all().map(|it| it.name().to_ascii_lowercase()).collect();
    let mut files = Vec::new();
    for folder in FOLDERS {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut files);
    }
    assert!(files.len() > 50);
    let mut seen = 0;
    for path in files {
        let file = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap();
        if file == Path::new(LIST_OF_NAMES) {
            continue;
        }
        let code = code(&path);
        for (before, literal) in literals(&code) {
            seen += 1;
            let name = literal.to_ascii_lowercase();
            let is_name = known.contains(&normalize(literal))
                && !SOMETHING_ELSE.iter().any(|it| *it == (&*file.to_string_lossy(), literal));
            assert!(!is_name, "{}: \"{literal}\" is a name: use the row", file.display());
            // A comparison with part of a name.
            let asks =
                ["starts_with(", "ends_with(", "strip_prefix(", "strip_suffix(", "contains("];
            let letters = literal.starts_with(char::is_alphanumeric)
                && literal.chars().any(char::is_alphabetic);
            let is_part = letters && canonical.iter().any(|it| it.contains(&name));
            let asked = asks.iter().any(|ask| before.ends_with(ask)) && is_part;
            assert!(!asked, "{}: \"{literal}\" is part of a name", file.display());
        }
        let asks_name = ["name ==", "name !=", "match encoding.name()", "name.starts_with"];
        for ask in asks_name {
            assert!(!code.contains(&format!("encoding.{ask}")), "{}: {ask}", file.display());
        }
    }
    assert!(seen > 500, "{seen}");
}

#[test]
fn the_literals_of_some_code_are_found() {
    let code = r#"let a = "one\"two"; b('"', "three", '\'', "UTF-8")"#;
    let found: Vec<_> = literals(code).into_iter().map(|(_, literal)| literal).collect();
    assert_eq!(found, [r#"one\"two"#, "three", "UTF-8"]);
}

/// What differs between systems is in `crates/os`, where each system has the same interface. The entry point of the
/// program depends on the C library.
#[cfg(unix)]
#[test]
fn only_one_crate_asks_which_system_it_runs_on() {
    const ASK: [&str; 8] = [
        "cfg(unix",
        "cfg(windows",
        "(target_os",
        "(target_vendor",
        "std::os::",
        "libc::",
        "rustix::",
        "windows_sys::",
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "crates"] {
        all_sources(&root.join(folder), &mut files);
    }
    files
        .retain(|file| !file.starts_with(root.join("crates/os")) && !file.ends_with("src/main.rs"));
    assert!(files.len() > 400, "{}", files.len());
    for file in files {
        let code = code(&file);
        let asks: Vec<_> = ASK.iter().filter(|ask| code.contains(**ask)).collect();
        assert!(asks.is_empty(), "{}: {asks:?}", file.display());
    }
}

/// Alternatives under `cfg`: a program has one of each.
const ALTERNATIVES: [&str; 6] =
    ["Around", "Arena", "MemoryBacking", "Pipe", "Registers", "SplicedPages"];

/// A reader who sees `State` should not have to find out which one. Types that a function declares for itself are left
/// out, as are those of tests.
#[test]
fn a_type_has_its_name_for_itself() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "crates", "capi/src"] {
        all_sources(&root.join(folder), &mut files);
    }
    // It has the types of `crates/os/src/unix`, by the same names.
    files.retain(|file| !file.starts_with(root.join("crates/os/src/windows")));
    let mut places = std::collections::BTreeMap::<String, Vec<PathBuf>>::new();
    for file in &files {
        for line in code(file).lines() {
            if let Some(name) = declared_type(line) {
                places.entry(name.to_owned()).or_default().push(file.clone());
            }
        }
    }
    assert!(places.len() > 800, "{} types in {} files", places.len(), files.len());
    places.retain(|name, files| files.len() > 1 && !ALTERNATIVES.contains(&&name[..]));
    assert!(places.is_empty(), "{places:#?}");
}

fn all_sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("tests") && !path.ends_with("benches") {
                all_sources(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Returns the name of the type that a line declares, if it declares one for a module.
fn declared_type(line: &str) -> Option<&str> {
    if line.starts_with(' ') {
        return None;
    }
    let line = match line.strip_prefix("pub") {
        Some(rest) => rest.strip_prefix('(').map_or(rest, |rest| rest.split_once(')').unwrap().1),
        None => line,
    };
    let mut words = line.split_whitespace();
    let keyword = words.next()?;
    if !["struct", "enum", "trait", "type", "union"].contains(&keyword) {
        return None;
    }
    words.next()?.split(|c: char| !c.is_alphanumeric()).next()
}

#[test]
fn declarations_of_types_are_found() {
    for (line, name) in [
        ("struct WorkQueue;", Some("WorkQueue")),
        ("pub(in super::super) struct Held<'a> {", Some("Held")),
        ("pub enum Kind {", Some("Kind")),
        ("pub(crate) type Convert = fn(&[u8]) -> usize;", Some("Convert")),
        ("    struct Local;", None),
        ("impl WorkQueue {", None),
        ("pub fn structure() {", None),
    ] {
        assert_eq!(declared_type(line), name, "{line}");
    }
}
