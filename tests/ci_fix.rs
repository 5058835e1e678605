//! What fixes files before a commit and in CI: the hook of pre-commit, the one of git in docs/ci-fix.md, and the action
//! with the input `fix`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Output;

use crate::ci::{CLEAN, Repository, blocks_of, run_action, run_hook, str_of, text, yaml};

/// "échec de la requête à été créé" in windows-1252, and in UTF-8.
const FRENCH_1252: &[u8] = b"\xE9chec de la requ\xEAte \xE0 \xE9t\xE9 cr\xE9\xE9\n";
const FRENCH: &str = "échec de la requête à été créé\n";
/// "name" in UTF-16, with a byte order mark.
const UTF_16: &[u8] = b"\xFF\xFEn\0a\0m\0e\0\n\0";
/// é in windows-1252, and a letter in most other charsets.
const UNCLEAR: &[u8] = b"\xE9\n";

const STAGE: &str =
    "oxiconv: look at what was fixed (git diff), stage it (git add), and commit again\n";
const DECIDE: &str = "oxiconv: what is left needs your decision: its line says why \
                      (to keep a file as it is, exclude it in oxiconv.toml)\n";

#[test]
fn the_hook_fixes_files_and_says_what_to_do_next() {
    let repository = Repository::new(&[
        ("-french.txt", FRENCH_1252),
        ("utf16.txt", UTF_16),
        ("good.txt", FRENCH.as_bytes()),
        ("unclear.txt", UNCLEAR),
    ]);
    let right = run_hook(&repository, "oxiconv-fix", &["good.txt"]);
    assert_eq!((right.status.code(), text(&right.stdout), text(&right.stderr)), (Some(0), "", ""));
    let all = ["-french.txt", "utf16.txt", "good.txt", "unclear.txt"];
    let fixed = run_hook(&repository, "oxiconv-fix", &all);
    assert_eq!(fixed.status.code(), Some(1), "{fixed:?}");
    assert_eq!(repository.read("-french.txt"), FRENCH.as_bytes());
    assert_eq!(repository.read("utf16.txt"), b"name\n");
    assert_eq!(repository.read("good.txt"), FRENCH.as_bytes());
    assert_eq!(repository.read("unclear.txt"), UNCLEAR);
    let rows: Vec<_> = text(&fixed.stdout).lines().collect();
    assert_eq!(rows.len(), 3, "{fixed:?}");
    assert!(rows[0].starts_with("-french.txt ") && rows[0].ends_with(" converted to UTF-8"));
    assert!(rows[2].contains("oxiconv -f windows-1252 -i.bak unclear.txt"));
    let totals = "oxiconv: 2 fixed, 1 right already, 1 left\n";
    assert_eq!(text(&fixed.stderr), format!("{totals}{STAGE}{DECIDE}"));
    // The same for a single file, which needs no totals.
    let left = run_hook(&repository, "oxiconv-fix", &["unclear.txt"]);
    assert_eq!((left.status.code(), text(&left.stderr)), (Some(1), DECIDE));
    repository.write("-french.txt", FRENCH_1252);
    let fixed = run_hook(&repository, "oxiconv-fix", &["-french.txt"]);
    assert_eq!((fixed.status.code(), text(&fixed.stderr)), (Some(0), STAGE));
}

/// The files that a hook gets are named, and the rules hold for them all the same.
#[test]
fn the_hook_obeys_the_rules_of_the_repository() {
    let repository = Repository::new(&[
        (".editorconfig", b"root = true\n[*.l1]\ncharset = latin1\n[*.bat]\nend_of_line = crlf\n"),
        ("oxiconv.toml", b"exclude = [\"vendor/\"]\n"),
        ("a.l1", FRENCH_1252),
        ("b.l1", FRENCH.as_bytes()),
        ("c.bat", b"echo\n"),
        ("vendor/d.txt", FRENCH_1252),
    ]);
    let fixed = run_hook(&repository, "oxiconv-fix", &["a.l1", "b.l1", "c.bat", "vendor/d.txt"]);
    assert_eq!(fixed.status.code(), Some(0), "{fixed:?}");
    assert_eq!(repository.read("a.l1"), FRENCH_1252);
    assert_eq!(repository.read("b.l1"), FRENCH_1252);
    assert_eq!(repository.read("c.bat"), b"echo\r\n");
    assert_eq!(repository.read("vendor/d.txt"), FRENCH_1252);
}

/// Returns the script of docs/ci-fix.md that is a hook of git.
fn git_hook() -> String {
    let [script] = &blocks_of(&["docs/ci-fix.md"], "sh")[..] else { panic!("it has one script") };
    script.clone()
}

#[test]
fn the_hook_of_git_stops_a_commit_of_what_it_fixes() {
    let repository = Repository::new(&CLEAN);
    let hook = repository.path(".git/hooks/pre-commit");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, git_hook()).unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    let commit = || repository.command("git").args(["commit", "-qm", "m"]).output().unwrap();
    let status = |output: &Output| output.status.code().unwrap();

    // Neither what is not staged nor what was committed before concerns a commit.
    repository.write("README.md", b"changed\n");
    repository.write("new\n.txt", FRENCH_1252);
    repository.git(&["add", "new\n.txt"]);
    let fixed = commit();
    assert_eq!(status(&fixed), 1, "{fixed:?}");
    assert!(text(&fixed.stderr).ends_with(STAGE), "{fixed:?}");
    assert_eq!(repository.read("new\n.txt"), FRENCH.as_bytes());
    repository.git(&["add", "new\n.txt"]);
    let right = commit();
    assert_eq!(status(&right), 0, "{right:?}");

    repository.write("unclear.txt", UNCLEAR);
    repository.git(&["add", "unclear.txt"]);
    let left = commit();
    assert_eq!(status(&left), 1, "{left:?}");
    assert!(text(&left.stderr).ends_with(DECIDE), "{left:?}");
    // Files that are removed are not looked for.
    repository.git(&["rm", "-qf", "unclear.txt", "docs/a b.txt"]);
    let removed = commit();
    assert_eq!(status(&removed), 0, "{removed:?}");
}

/// Runs the action. Returns its exit status, what it printed, and what it wrote to the summary of the job.
fn fixing(repository: &Repository, inputs: &[(&str, &str)]) -> (i32, String, String) {
    let summary = repository.path(".bin/runner/summary.md");
    let _ = fs::remove_file(&summary);
    let output = run_action(repository, inputs);
    let out = String::from_utf8(output.stdout).unwrap();
    (output.status.code().unwrap(), out, fs::read_to_string(summary).unwrap_or_default())
}

#[test]
fn the_action_fixes_and_annotates_each_file() {
    let repository = Repository::new(&[&CLEAN[..], &[("docs/french.txt", FRENCH_1252)]].concat());
    let (status, out, summary) = fixing(&repository, &[("fix", "true")]);
    assert_eq!(status, 0, "{out}");
    assert_eq!(repository.read("docs/french.txt"), FRENCH.as_bytes());
    let annotation = "::notice file=docs/french.txt,title=oxiconv fixed::windows-1252, 99 %25; \
                      converted to UTF-8\n";
    assert!(out.contains(annotation), "{out}");
    let diff = format!("-\\xE9chec de la requ\\xEAte \\xE0 \\xE9t\\xE9 cr\\xE9\\xE9\n+{}", FRENCH);
    assert!(out.contains(&diff), "{out}");
    let indented: String = diff.lines().map(|line| format!("    {line}\n")).collect();
    assert!(summary.starts_with("### oxiconv --fix\n\n    --- a/docs/french.txt\n"), "{summary}");
    assert!(summary.ends_with(&indented), "{summary}");
    // Nothing is left to do, and the log says only that.
    let (status, out, summary) = fixing(&repository, &[("fix", "true")]);
    assert_eq!((status, summary.as_str()), (0, ""));
    assert!(out.starts_with("oxiconv: 0 fixed, ") && out.lines().count() == 1, "{out}");

    repository.write("unclear.txt", UNCLEAR);
    let (status, out, summary) = fixing(&repository, &[("fix", "true"), ("paths", "unclear.txt")]);
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("::error file=unclear.txt,title=oxiconv left::unclear; left: "), "{out}");
    assert!(summary.contains("    unclear.txt "), "{summary}");
}

#[test]
fn the_action_proposes_changes_and_fails_if_there_are_any() {
    let repository = Repository::new(&[("french.txt", FRENCH_1252), ("good.txt", b"a\n")]);
    let (status, out, summary) = fixing(&repository, &[("fix", "propose")]);
    assert_eq!(status, 1, "{out}");
    assert_eq!(repository.read("french.txt"), FRENCH_1252);
    let annotation = "::warning file=french.txt,title=oxiconv proposal::windows-1252, 99 %25; \
                      would convert it to UTF-8\n";
    assert!(out.contains(annotation) && summary.contains("    +++ b/french.txt\n"), "{out}");
    let (status, out, _) = fixing(&repository, &[("fix", "propose"), ("paths", "good.txt")]);
    assert_eq!(status, 0, "{out}");
    assert_eq!(fixing(&repository, &[("fix", "propose"), ("paths", "missing")]).0, 2);
    assert_eq!(fixing(&repository, &[("fix", "yes")]).0, 2);
}

/// Lines of a file that look like workflow commands are printed while GitHub obeys none.
#[test]
fn no_text_of_a_file_is_a_command() {
    let mut evil = b"::error::context\n".to_vec();
    evil.extend(FRENCH_1252);
    let repository = Repository::new(&[("evil.txt", &evil)]);
    let (_, out, _) = fixing(&repository, &[("fix", "propose")]);
    let (before, rest) = out.split_once("::stop-commands::").unwrap();
    let (token, rest) = rest.split_once('\n').unwrap();
    let (inside, after) = rest.split_once(&format!("::{token}::\n")).unwrap();
    assert!(token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{token}");
    assert!(inside.contains("\n ::error::context\n"), "{out}");
    assert!(!before.contains("context") && !after.contains("context"), "{out}");
}

#[test]
fn the_encoding_of_the_action_is_the_one_that_files_get() {
    let repository = Repository::new(&[("french.txt", FRENCH.as_bytes())]);
    let (status, out, _) = fixing(&repository, &[("fix", "true"), ("encoding", "windows-1252")]);
    assert_eq!(status, 0, "{out}");
    assert_eq!(repository.read("french.txt"), FRENCH_1252);
}

/// The workflow of docs/ci-fix.md, from the action on, in a clone whose origin is another repository.
#[test]
fn the_workflow_commits_and_pushes_what_was_fixed() {
    let blocks = blocks_of(&["docs/ci-fix.md"], "yaml");
    let workflow = yaml(blocks.iter().find(|block| block.contains("git push")).unwrap());
    let [_, action, commit] = &workflow["jobs"]["text"]["steps"].as_vec().unwrap()[..] else {
        panic!("{workflow:?}")
    };
    assert_eq!(action["with"]["fix"].as_bool(), Some(true));
    let repository = Repository::new(&[("french.txt", FRENCH_1252), ("unclear.txt", UNCLEAR)]);
    let origin = tempfile::tempdir().unwrap();
    let place = origin.path().to_str().unwrap();
    repository.git(&["init", "-q", "--bare", place]);
    repository.git(&["remote", "add", "origin", place]);
    repository.git(&["push", "-q", "-u", "origin", "main"]);
    let pushed = |expected: &str| {
        let output = repository.script(str_of(&commit["run"]));
        assert!(output.status.success(), "{output:?}");
        let log = repository.script("git log --format=%s -1 origin/main");
        assert_eq!(text(&log.stdout).trim_end(), expected);
    };
    pushed("m");
    assert_eq!(fixing(&repository, &[("fix", "true")]).0, 1, "one file is left");
    pushed("Fix text encodings");
    let french = repository.script("git show origin/main:french.txt");
    assert_eq!(french.stdout, FRENCH.as_bytes());
}
