//! The rules of the architecture that a program can check: which module may import which, and generated files.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules, from the bottom up: `(module, modules it may import)`.
const MODULES: &[(&str, &[&str])] = &[
    ("unicode", &[]),
    ("kernels", &["unicode"]),
    ("codec", &["unicode", "kernels"]),
    ("encoding", &["unicode", "codec"]),
    ("io", &[]),
    ("diagnostic", &["unicode", "codec", "encoding"]),
    ("transcode", &["unicode", "kernels", "codec", "encoding", "io", "diagnostic"]),
    ("report", &["unicode", "encoding", "diagnostic"]),
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
    for (module, allowed) in MODULES {
        let mut files = Vec::new();
        sources(&root().join("src").join(module), &mut files);
        assert!(!files.is_empty(), "{module}");
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            for (at, _) in text.match_indices("crate::") {
                let path = &text[at + "crate::".len()..];
                let named = path.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
                assert!(
                    named == *module || allowed.contains(&named),
                    "{} of module {module} imports {named}",
                    file.display()
                );
            }
            assert!(!text.contains("oxiconv::cli"), "{}", file.display());
        }
    }
    // Every folder of the library is a module of the list.
    for entry in fs::read_dir(root().join("src")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let known = name == "cli" || MODULES.iter().any(|(module, _)| *module == name);
        assert!(!entry.path().is_dir() || known, "{name} is not in the list of modules");
    }
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

/// What is checked in is what the program prints; `cargo run -- --generate WHAT` makes it anew.
#[test]
fn generated_files_are_what_the_program_makes() {
    for (what, file) in [
        ("man", "man/oxiconv.1"),
        ("complete-bash", "completions/oxiconv.bash"),
        ("complete-fish", "completions/oxiconv.fish"),
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
