//! `.editorconfig` compared with the EditorConfig core for Python, if this machine has it.

mod common;
mod scene;

use std::collections::BTreeSet;
use std::process::{Command, ExitCode};

use common::Dir;

/// Prints the files for which the core finds a charset, with it.
const CORE: &str = "
import os, editorconfig
for folder, _, names in os.walk('.'):
    for name in names:
        if name != '.editorconfig':
            path = os.path.join(folder, name)
            found = editorconfig.get_properties(os.path.abspath(path))
            print(path, found.get('charset'), found.get('end_of_line'), found.get('insert_final_newline'))
";

const GLOBS: &[&str] = &[
    "*",
    "**",
    "*.c",
    "/*.c",
    "d/*.c",
    "/d/*.c",
    "d/**.c",
    "d/**/a.c",
    "**/a.c",
    "**/d/*",
    "a**c",
    "?.c",
    "??.c",
    "[ab].c",
    "[!ab].c",
    "[a-c].c",
    "[a-].c",
    "[ab.c",
    "d[/]a",
    "*.{c,h}",
    "*.{c,h",
    "a{b,,c}",
    "{a{b,c},d}.c",
    "{d/*.c,*.h}",
    "{single}.c",
    "{}.c",
    "a},b",
    "{3..12}",
    "{3..12}.c",
    "{-3..3}.c",
    "\\*.c",
    "{*.c,*.h}",
    "{a.c,d/**}",
    "d/e/*",
    "d*",
    "*.[ch]",
    "{a,b}{b,c}.c",
    "a.c/",
    "d/",
    "é.c",
    "[é].c",
    "?.{c,h}",
];

const NAMES: &[&str] = &[
    "a.c",
    "b.c",
    "c.c",
    "d.c",
    "-.c",
    "ab.c",
    "ac.c",
    "bb.c",
    "bc.c",
    "a.h",
    ".c",
    "abc",
    "ab",
    "a",
    "{single}.c",
    "single.c",
    "{}.c",
    "a},b",
    "3",
    "12",
    "13",
    "2",
    "3.c",
    "-3.c",
    "4.c",
    "*.c",
    "[ab.c",
    "é.c",
    "a.cc",
    "a.{c,h",
    "d/a.c",
    "d/x.h",
    "d/e/a.c",
    "d/e/f/a.c",
    "x/d/a.c",
    "x/a.c",
    "d[/]a",
    "dx",
];

/// Returns what the core says of each file below a directory; `None` if there is no core.
fn core(dir: &Dir) -> Option<BTreeSet<String>> {
    let mut python = Command::new("python3");
    let output = python.args(["-c", CORE]).current_dir(dir.0.path()).output().ok()?;
    let lines = String::from_utf8(output.stdout).unwrap();
    output.status.success().then(|| lines.lines().map(str::to_owned).collect())
}

/// Returns the same of what the program says.
fn own(dir: &Dir) -> BTreeSet<String> {
    let (_, _, err) = dir.run(&["--check", "-v", "-r", "--hidden", "."]);
    let is_file = |line: &&str| line.contains(" byte") && line.contains(" character");
    let mut files = BTreeSet::new();
    for line in err.lines().filter(is_file) {
        let Some((name, _)) = line["oxiconv: ".len()..].rsplit_once(": UTF-8: ") else { continue };
        if name.ends_with("/.editorconfig") {
            continue;
        }
        let rules = err.lines().find(|line| {
            line["oxiconv: ".len()..]
                .strip_prefix(name)
                .is_some_and(|rest| rest.starts_with(": ") && rest.contains(" says "))
        });
        let value = |key: &str| {
            let rest = rules.and_then(|line| line.split_once(&format!(" says {key} = ")));
            rest.map_or("None", |(_, rest)| rest.split(',').next().unwrap()).to_owned()
        };
        let [charset, end, last] = ["charset", "end_of_line", "insert_final_newline"].map(value);
        files.insert(format!("{name} {charset} {end} {last}"));
    }
    files
}

fn sections_match_the_files_that_the_core_matches() {
    let dir = Dir::new();
    for (at, glob) in GLOBS.iter().enumerate() {
        let config = format!("root = true\n[{glob}]\ncharset = utf-8\n");
        dir.write(&format!("{at}/.editorconfig"), config.as_bytes());
        NAMES.iter().for_each(|name| drop(dir.write(&format!("{at}/{name}"), b"")));
    }
    let Some(core) = core(&dir) else {
        return scene::skipped("there is no editorconfig for python3: pip install editorconfig");
    };
    let own = own(&dir);
    let different: Vec<_> = core.symmetric_difference(&own).collect();
    let named = |line: &&String| {
        let at: usize = line[2..].split('/').next().unwrap().parse().unwrap();
        (GLOBS[at], line.to_string())
    };
    assert!(different.is_empty(), "{:#?}", different.iter().map(named).collect::<Vec<_>>());
    assert_eq!(core.len(), GLOBS.len() * NAMES.len());
}

fn files_add_up_as_the_core_adds_them_up() {
    let dir = Dir::new();
    for (name, text) in [
        (
            ".editorconfig",
            "root = true\n[*]\ncharset = utf-8\nend_of_line = lf\n[*.c]\ninsert_final_newline = true\n",
        ),
        (
            "d/.editorconfig",
            "; a comment\n[*.c]\nCharset = latin1\n\n[*.h]\nend_of_line=crlf\ncharset = utf-8 ; inline\n",
        ),
        ("d/e/.editorconfig", "root = false\n[a.*]\nend_of_line = cr\n[*.h]\ncharset: utf-8-bom\n"),
        ("d/r/.editorconfig", "ROOT = TRUE\n[*.c]\ninsert_final_newline = false\n"),
    ] {
        dir.write(name, text.as_bytes());
    }
    for folder in ["", "d/", "d/e/", "d/r/", "x/y/"] {
        ["a.c", "b.c", "a.h", "b"]
            .iter()
            .for_each(|name| drop(dir.write(&format!("{folder}{name}"), b"")));
    }
    let Some(core) = core(&dir) else {
        return scene::skipped("there is no editorconfig for python3: pip install editorconfig");
    };
    // The encoding of a file in Latin-1 is printed by its name.
    let own: BTreeSet<_> = own(&dir);
    let core: BTreeSet<_> = core.into_iter().filter(|line| !line.contains(" latin1 ")).collect();
    assert_eq!(own, core);
}

fn main() -> ExitCode {
    scene::run_all(scene::tests![
        sections_match_the_files_that_the_core_matches,
        files_add_up_as_the_core_adds_them_up,
    ])
}
