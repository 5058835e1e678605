//! The rules of the architecture that a program can check: which module may import which, and generated files.

use std::fs;
use std::path::{Path, PathBuf};

use crate::imports::Imports;

/// The modules, from bottom to top: `(module, modules it may import)`.
const MODULES: &[(&str, &[&str])] = &[
    ("unicode", &[]),
    ("kernels", &["unicode"]),
    ("codec", &["unicode", "kernels"]),
    ("encoding", &["unicode", "codec"]),
    ("language", &["unicode"]),
    ("detection", &["unicode", "kernels", "codec", "encoding", "language"]),
    ("mojibake", &["unicode", "codec", "encoding", "language"]),
    ("sync", &[]),
    ("io", &["sync"]),
    ("diagnostic", &["unicode", "codec", "encoding", "detection", "language", "mojibake"]),
    ("normalization", &["unicode"]),
    ("transliteration", &["unicode", "normalization"]),
    (
        "transcode",
        &[
            "unicode",
            "kernels",
            "codec",
            "encoding",
            "detection",
            "mojibake",
            "sync",
            "io",
            "diagnostic",
            "normalization",
            "transliteration",
        ],
    ),
    ("text", &["kernels", "encoding", "diagnostic", "transcode"]),
    ("report", &["unicode", "encoding", "language", "detection", "diagnostic"]),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

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

#[test]
fn a_module_imports_only_modules_below_it() {
    let imports = Imports::of(&root().join("src"));
    for (module, imported) in &imports.0 {
        let Some(own) = module.first() else { continue };
        if ["cli", "internals", "main"].contains(&own.as_str()) {
            continue;
        }
        let known = MODULES.iter().find(|(name, _)| name == own);
        let (_, allowed) = known.unwrap_or_else(|| panic!("{own} is not in the list of modules"));
        for other in imported.iter().filter_map(|imported| imported.first()) {
            let fits = other == own || allowed.contains(&other.as_str());
            assert!(fits, "{} imports {other}", module.join("::"));
        }
    }
}

#[test]
fn no_file_imports_itself_by_way_of_others() {
    let cycles = Imports::of(&root().join("src")).cycles();
    assert!(cycles.is_empty(), "cycles:\n{}", cycles.join("\n"));
}

/// The basis of the two tests above: imports are found in every form, including through re-exports.
#[test]
fn imports_are_read_off_the_sources() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("lib.rs", "mod a; mod b;");
    write("a/mod.rs", "mod one; mod two; pub use one::One; pub struct Own;");
    write("a/one.rs", "use super::two::{self, Two}; pub struct One;");
    write("a/two.rs", "#[cfg(test)] mod tests { use super::super::One; } pub struct Two;");
    write("b.rs", "use crate::a::One; fn f() { crate::a::Own; std::mem::drop(1); }");
    let imports = |folder: &Path| {
        let join = |module: &crate::imports::Module| module.join("::");
        let all = Imports::of(folder).0.into_iter();
        let line = |(module, to): (_, std::collections::BTreeSet<_>)| {
            format!("{}: {}", join(&module), to.iter().map(join).collect::<Vec<_>>().join(" "))
        };
        all.map(line).collect::<Vec<_>>()
    };
    assert_eq!(imports(folder.path()), [": ", "a: ", "a::one: a::two", "a::two: ", "b: a a::one"]);
    assert!(Imports::of(folder.path()).cycles().is_empty());
    write("a/two.rs", "fn f(one: super::One) {}");
    assert_eq!(Imports::of(folder.path()).cycles(), ["a::one <-> a::two"]);
    // A module that uses what it re-exports imports it.
    write("a/two.rs", "use super::Own;");
    write("a/mod.rs", "mod one; mod two; pub use one::One; pub struct Own(One);");
    assert_eq!(Imports::of(folder.path()).cycles(), ["a <-> a::one <-> a::two"]);
}

#[test]
fn unsafe_code_lives_in_the_kernels_and_at_the_system_only() {
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    for file in files {
        let inside = file.strip_prefix(root().join("src")).unwrap().to_owned();
        let text = fs::read_to_string(&file).unwrap();
        if text.contains("unsafe {") || text.contains("unsafe fn") {
            assert!(
                inside.starts_with("kernels") || inside.starts_with("io"),
                "{} holds unsafe code",
                inside.display()
            );
        }
    }
}

/// The committed files are what the program prints; `cargo run -- --generate man` regenerates the man page.
#[test]
fn generated_files_are_what_the_program_makes() {
    for (what, file) in [
        ("man", "man/oxiconv.1"),
        ("complete-bash", "completions/oxiconv.bash"),
        ("complete-elvish", "completions/oxiconv.elv"),
        ("complete-fish", "completions/oxiconv.fish"),
        ("complete-powershell", "completions/oxiconv.ps1"),
        ("complete-zsh", "completions/_oxiconv"),
    ] {
        let output = std::process::Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
            .args(["--generate", what])
            .output()
            .unwrap();
        assert!(output.status.success());
        let made = String::from_utf8(output.stdout).unwrap();
        let kept = fs::read_to_string(root().join(file)).unwrap();
        assert!(made == kept, "{file} is not what --generate {what} prints: make it anew");
    }
}

/// Whether a line of code begins a function, and not only declares one.
fn begins_function(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_modifier =
        |word: &&str| word.starts_with("pub") || ["const", "unsafe", "super)", "in"].contains(word);
    words.by_ref().find(|word| !is_modifier(word) && !word.ends_with("super)")) == Some("fn")
}

/// What a reader must hold in the head at once stays small: a function, and the parts of a struct. Code is formatted, so a
/// block ends where its first line is indented.
#[test]
fn functions_and_structs_stay_small() {
    const MOST_LINES: usize = 80;
    const MOST_FIELDS: usize = 15;
    let mut files = Vec::new();
    for module in ["transcode", "report", "diagnostic"] {
        sources(&root().join("src").join(module), &mut files);
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
    assert!(seen.0 > 1000 && seen.1 > 150, "functions and structs are found: {seen:?}");
    assert!(large.is_empty(), "larger than they should be:\n{}", large.join("\n"));
}
