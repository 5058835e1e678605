//! `.editorconfig`, with the EditorConfig core for Python as the oracle if it is installed.

use std::process::Command;

use crate::common::Dir;

/// Prints a line with the properties of each file in `list`.
const CORE: &str = "
import os, editorconfig
for path in open('list').read().split('\\0')[:-1]:
    found = editorconfig.get_properties(os.path.abspath(path))
    print(path, found.get('charset'), found.get('end_of_line'), found.get('insert_final_newline'))
";

/// Two things are left out, because the core is no oracle for them: it fails on an unclosed bracket, and does not let a
/// backslash escape a star.
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

/// Runs the core on `list`. Returns `None` if it is not installed.
fn core(dir: &Dir) -> Option<Vec<String>> {
    let mut python = Command::new("python3");
    let output = python.args(["-c", CORE]).current_dir(dir.0.path()).output().ok()?;
    let lines = String::from_utf8(output.stdout).unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    if error.contains("ModuleNotFoundError") {
        return None;
    }
    assert_eq!(error, "");
    Some(lines.lines().map(str::to_owned).collect())
}

/// Returns the same lines for the program, from its messages with `-v`.
fn own(dir: &Dir) -> Vec<String> {
    let (_, _, err) = dir.run(&["--check", "-v", "--files0-from", "list"]);
    let list = String::from_utf8(dir.read("list")).unwrap();
    let of = |name: &str| {
        let start = format!("oxiconv: {name}: ");
        let rules = err.lines().find(|line| line.starts_with(&start) && line.contains(" says "));
        let value = |key: &str| {
            let rest = rules.and_then(|line| line.split_once(&format!(" says {key} = ")));
            rest.map_or("None", |(_, rest)| rest.split(',').next().unwrap()).to_owned()
        };
        let [charset, end, last] = ["charset", "end_of_line", "insert_final_newline"].map(value);
        format!("{name} {charset} {end} {last}")
    };
    list.split_terminator('\0').map(of).collect()
}

fn compare(dir: &Dir, files: &[String]) {
    files.iter().for_each(|name| drop(dir.write(name, b"")));
    dir.write("list", files.iter().map(|name| format!("{name}\0")).collect::<String>().as_bytes());
    let Some(core) = core(dir) else {
        return crate::scene::skipped("python3 has no editorconfig: pip install editorconfig");
    };
    assert_eq!(core.len(), files.len());
    let different: Vec<_> =
        own(dir).into_iter().zip(core).filter(|(own, core)| own != core).collect();
    assert!(different.is_empty(), "{different:#?}");
}

#[cfg(unix)]
#[test]
fn sections_match_the_files_that_the_core_matches() {
    let dir = Dir::new();
    let mut files = Vec::new();
    for (at, glob) in GLOBS.iter().enumerate() {
        let config = format!("root = true\n[{glob}]\ncharset = utf-8\n");
        dir.write(&format!("{at}/.editorconfig"), config.as_bytes());
        files.extend(NAMES.iter().map(|name| format!("{at}/{name}")));
    }
    compare(&dir, &files);
}

#[test]
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
    let folders = ["", "d/", "d/e/", "d/r/", "x/y/"].iter();
    let names = |folder| ["a.c", "b.c", "a.h", "b"].map(|name| format!("{folder}{name}"));
    compare(&dir, &folders.flat_map(names).collect::<Vec<_>>());
}
