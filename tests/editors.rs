//! The recipes of docs/editors.md: what VS Code and Vim make of the output of `oxiconv --check`.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::common::{CONFIG_HOME, Dir, NO_CONFIG, oxiconv};
use crate::support::skipped;

/// Returns the first block of this language in docs/editors.md.
fn block(language: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/editors.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, after) = page.split_once(&format!("```{language}\n")).unwrap();
    after.split_once("```").unwrap().0.to_owned()
}

/// A file with two errors, one with a warning and one with a note. The names have a blank, a colon before a number, and
/// a directory.
fn files() -> Dir {
    let dir = Dir::new();
    fs::create_dir(dir.path(".git")).unwrap();
    dir.write("a b.txt", b"ok\ncaf\xE9 na\xC3\xAF \xFF\n");
    dir.write("t:1", b"a\r\n");
    dir.write("sub/f", b"a\r\n");
    let rules = "[[rule]]\nnewline = \"lf\"\nseverity = { wrong-newline = \"warning\" }\n\
                 [[rule]]\nfiles = [\"sub/**\"]\nseverity = { wrong-newline = \"note\" }\n";
    dir.write("oxiconv.toml", rules.as_bytes());
    dir
}

const TRUNCATED: &str = "E9 at byte 6 (0x6): E9 begins a 3-byte character, but 20 (space) follows";
const INVALID: &str = "FF at byte 13 (0xd): FF never occurs in UTF-8";
const NEWLINE: &str =
    "0D at byte 1 (0x1): line ends with CRLF, but oxiconv.toml:2 says newline = \"lf\"";

#[cfg(unix)]
#[test]
fn the_problem_matcher_of_vs_code_reads_every_finding() {
    let tasks: Value = serde_json::from_str(&block("json")).unwrap();
    let task = &tasks["tasks"][0];
    assert_eq!((&task["type"], &task["command"]), (&json!("process"), &json!("oxiconv")));
    let args = task["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap());
    let output = oxiconv().current_dir(files().0.path()).args(args).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let matcher = &task["problemMatcher"];
    assert_eq!(matcher["fileLocation"], json!(["relative", "${workspaceFolder}"]));
    // The lines of both streams are read, as in a terminal.
    let script = "const [pattern, ...lines] = require('fs').readFileSync(0, 'utf8').split('\\n');
        const { regexp, ...groups } = JSON.parse(pattern);
        const found = lines.map(line => new RegExp(regexp).exec(line)).filter(it => it);
        const names = ['file', 'line', 'column', 'severity', 'code', 'message'];
        console.log(JSON.stringify(found.map(it => names.map(name => it[groups[name]]))));";
    let node = Command::new("node")
        .args(["-e", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut node) = node else { return skipped("node is not installed") };
    let mut input = node.stdin.take().unwrap();
    writeln!(input, "{}", matcher["pattern"]).unwrap();
    input.write_all(&[output.stdout, output.stderr].concat()).unwrap();
    drop(input);
    let found: Value = serde_json::from_slice(&node.wait_with_output().unwrap().stdout).unwrap();
    let expected = json!([
        ["./a b.txt", "2", "4", "error", "truncated", TRUNCATED],
        ["./a b.txt", "2", "10", "error", "invalid-byte", INVALID],
        ["./sub/f", "1", "2", "note", "wrong-newline", NEWLINE],
        ["./t:1", "1", "2", "warning", "wrong-newline", NEWLINE],
    ]);
    assert_eq!(found, expected);
}

#[cfg(unix)]
#[test]
fn vim_lists_every_finding() {
    let version = Command::new("vim").arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let Ok(version) = version else { return skipped("vim is not installed") };
    if !version.contains("+quickfix") || !version.contains("+eval") {
        return skipped("this vim is built without quickfix or eval");
    }
    let dir = files();
    dir.write("vim/compiler/oxiconv.vim", block("vim").as_bytes());
    let script = "set runtimepath^=vim\ncompiler oxiconv\nsilent make -r .\nlet found = []\n\
                  for it in filter(getqflist(), 'v:val.valid')\n\
                  call add(found, [bufname(it.bufnr), it.lnum, it.col, it.vcol, it.type, it.text])\n\
                  endfor\n\
                  call writefile([json_encode(found)], 'found')\nquitall!\n";
    dir.write("script.vim", script.as_bytes());
    let program = Path::new(assert_cmd::cargo::cargo_bin!("oxiconv")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let status = Command::new("vim")
        .args(["-es", "-N", "-u", "NONE", "-i", "NONE", "-S", "script.vim"])
        .current_dir(dir.0.path())
        .env("PATH", path)
        .env("SHELL", "/bin/sh")
        .env("LC_ALL", "C.UTF-8")
        .env(CONFIG_HOME, NO_CONFIG)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status();
    assert!(status.unwrap().success());
    let found: Value = serde_json::from_slice(&dir.read("found")).unwrap();
    let expected = json!([
        ["./a b.txt", 2, 4, 1, "e", format!("[truncated]: {TRUNCATED}")],
        ["./a b.txt", 2, 10, 1, "e", format!("[invalid-byte]: {INVALID}")],
        ["./sub/f", 1, 2, 1, "n", format!("[wrong-newline]: {NEWLINE}")],
        ["./t:1", 1, 2, 1, "w", format!("[wrong-newline]: {NEWLINE}")],
    ]);
    assert_eq!(found, expected);
}
