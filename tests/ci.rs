//! Checks in CI: the pre-commit hooks, the GitHub action and the examples of the documentation are read from their
//! files and run, in a repository of clean files and in one with bad files. `ci_fix.rs` has what fixes files.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;
use yaml_rust2::{Yaml, YamlLoader};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn program() -> PathBuf {
    assert_cmd::cargo::cargo_bin!("oxiconv").to_owned()
}

pub fn yaml(text: &str) -> Yaml {
    let mut documents = YamlLoader::load_from_str(text).unwrap();
    assert_eq!(documents.len(), 1);
    documents.remove(0)
}

fn yaml_file(name: &str) -> Yaml {
    yaml(&fs::read_to_string(root().join(name)).unwrap())
}

pub fn str_of(value: &Yaml) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value:?} is not a string"))
}

fn strings(value: &Yaml) -> Vec<&str> {
    value.as_vec().unwrap_or_else(|| panic!("{value:?} is not a list")).iter().map(str_of).collect()
}

fn keys(value: &Yaml) -> Vec<&str> {
    value.as_hash().unwrap_or_else(|| panic!("{value:?} is not a map")).keys().map(str_of).collect()
}

const PAGES: [&str; 4] = ["docs/ci.md", "docs/baseline.md", "docs/security.md", "docs/json.md"];

/// Returns the code blocks in `language` from all [`PAGES`].
fn blocks(language: &str) -> Vec<String> {
    blocks_of(&PAGES, language)
}

/// Returns the code blocks in `language` from these pages.
pub fn blocks_of(pages: &[&str], language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let mut blocks = Vec::new();
    for page in pages {
        let page = fs::read_to_string(root().join(page)).unwrap();
        let parts = page.split(&fence).skip(1);
        blocks.extend(parts.map(|rest| rest.split("```").next().unwrap().to_owned()));
    }
    assert!(!blocks.is_empty(), "{language}");
    blocks
}

/// A git repository with the program on the path. Its last commit, which is not on `origin/main`, adds the files.
pub struct Repository(TempDir);

pub const CLEAN: [(&str, &[u8]); 4] = [
    ("README.md", "# Käse\n".as_bytes()),
    ("docs/a b.txt", b"plain\n"),
    ("docs/-dash.txt", b"plain\n"),
    ("docs/picture", b"\x89PNG\r\n\x1A\n\0\0\0\r"),
];

impl Repository {
    pub fn new(files: &[(&str, &[u8])]) -> Self {
        let repository = Self(tempfile::tempdir().unwrap());
        fs::create_dir(repository.path(".bin")).unwrap();
        symlink(program(), repository.path(".bin/oxiconv")).unwrap();
        repository.write("first", b"");
        repository.git(&["init", "-q", "-b", "main"]);
        fs::write(repository.path(".git/info/exclude"), ".bin\n.home\n").unwrap();
        repository.commit();
        repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
        for (name, bytes) in files {
            repository.write(name, bytes);
        }
        repository.commit();
        repository
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub fn command(&self, name: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(name);
        let path = std::env::var("PATH").unwrap();
        command
            .current_dir(self.0.path())
            .env("PATH", format!("{}:{path}", self.path(".bin").display()))
            .env("HOME", self.path(".home"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .stdin(Stdio::null());
        for name in ["GIT_AUTHOR", "GIT_COMMITTER"] {
            command.env(format!("{name}_NAME"), "n").env(format!("{name}_EMAIL"), "n@example.org");
        }
        command
    }

    pub fn git(&self, args: &[&str]) {
        let output = self.command("git").args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {output:?}");
    }

    pub fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", "m"]);
    }

    /// Runs a script with bash and its options as on GitHub: the first failing command ends it.
    pub fn script(&self, script: &str) -> Output {
        self.bash(script, &[])
    }

    pub fn bash(&self, script: &str, environment: &[(&str, &str)]) -> Output {
        self.command("bash")
            .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script])
            .envs(environment.iter().copied())
            .output()
            .unwrap()
    }
}

pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn every_shell_example_passes_clean_files_and_fails_bad_ones() {
    let scripts = blocks("sh");
    assert!(scripts.len() >= 9);
    let clean = Repository::new(&CLEAN);
    // The examples look for a byte order mark, a stray byte, or a character that a legacy encoding lacks.
    let bad = Repository::new(
        &[&CLEAN[..], &[("bad.md", b"\xEF\xBB\xBFcaf\xE9\n"), ("bad.csv", "字\n".as_bytes())]]
            .concat(),
    );
    for script in &scripts {
        let output = clean.script(script);
        assert_eq!(output.status.code(), Some(0), "{script}: {output:?}");
        let output = bad.script(script);
        assert_eq!(output.status.code(), Some(1), "{script}: {output:?}");
        let shown = if script.contains("> findings.jsonl") { "summary" } else { "bad." };
        assert!(text(&output.stdout).contains(shown), "{script}: {output:?}");
    }
}

#[test]
fn the_examples_of_a_baseline_pass_known_findings_and_fail_new_ones() {
    let examples = blocks("console");
    let [write, compare] = &examples[..] else { panic!("{examples:?}") };
    let repository = Repository::new(&[&CLEAN[..], &[("old.md", b"caf\xE9\n")]].concat());
    let status = |script: &str| repository.script(script).status.code();
    assert_eq!(status(write), Some(0));
    assert_eq!(status(compare), Some(0));
    repository.write("new.md", b"caf\xE9\n");
    assert_eq!(status(compare), Some(1));
    repository.git(&["ls-files", "--error-unmatch", "text-baseline.jsonl"]);
}

#[test]
fn the_json_example_leaves_a_whole_run() {
    let scripts = blocks("sh");
    let script = scripts.iter().find(|script| script.contains("findings.jsonl")).unwrap();
    let bad = Repository::new(&[("bad.txt", b"\xFF")]);
    assert_eq!(bad.script(script).status.code(), Some(1));
    let written = String::from_utf8(bad.read("findings.jsonl")).unwrap();
    let last: serde_json::Value = serde_json::from_str(written.lines().last().unwrap()).unwrap();
    assert_eq!((&last["type"], &last["findings"]), (&"summary".into(), &1.into()));
}

#[test]
fn the_gitlab_example_runs() {
    let blocks = blocks("yaml");
    let jobs: Vec<_> = blocks
        .iter()
        .map(|block| yaml(block))
        .filter(|block| !block["text"]["script"].is_badvalue())
        .collect();
    assert_eq!(jobs.len(), 1);
    let job = &jobs[0]["text"];
    assert_eq!(keys(job), ["image", "script", "after_script", "artifacts"]);
    let (install, run): (Vec<_>, Vec<_>) =
        strings(&job["script"]).into_iter().partition(|line| line.starts_with("pip install "));
    let url = concat!("git+https://github.com/OWNER/oxiconv@v", env!("CARGO_PKG_VERSION"));
    assert_eq!(install, [format!("pip install {url}")]);
    // Its image has git, too, which pip calls.
    assert_eq!(str_of(&job["image"]), "python:3");
    assert!(!run.is_empty());
    for (files, status) in [(&CLEAN[..], 0), (&[("bad.txt", &b"\xFF"[..])], 1)] {
        let repository = Repository::new(files);
        assert_eq!(repository.script(&run.join("\n")).status.code(), Some(status));
        repository.script(&strings(&job["after_script"]).join("\n"));
        let (artifacts, bad) = (&job["artifacts"], usize::from(status == 1));
        let report = |name| repository.read(str_of(&artifacts["reports"][name]));
        let issues: serde_json::Value = serde_json::from_slice(&report("codequality")).unwrap();
        assert_eq!(issues.as_array().unwrap().len(), bad);
        let tests = report("junit");
        assert_eq!(text(&tests).matches("<failure ").count(), bad);
        assert!(text(&tests).ends_with("</testsuites>\n"));
        for path in strings(&artifacts["paths"]) {
            let page = repository.read(path);
            assert_eq!(text(&page).matches("<article ").count(), bad);
            assert!(text(&page).ends_with("</html>\n"), "{path}");
        }
    }
}

/// The inputs and hooks in the examples exist, and the versions are that of the package.
#[test]
fn the_github_and_pre_commit_examples_name_what_there_is() {
    let (action, hooks) = (yaml_file("action.yml"), yaml_file(".pre-commit-hooks.yaml"));
    let inputs = keys(&action["inputs"]);
    let ids: Vec<_> = hooks.as_vec().unwrap().iter().map(|hook| str_of(&hook["id"])).collect();
    let version = format!("v{}", env!("CARGO_PKG_VERSION"));
    let (mut uses, mut used) = (0, 0);
    for block in blocks_of(&[&PAGES[..], &["docs/ci-fix.md"]].concat(), "yaml") {
        let block = yaml(&block);
        for step in block["jobs"]["text"]["steps"].as_vec().into_iter().flatten() {
            if step["uses"].as_str().is_some_and(|uses| uses.starts_with("OWNER/")) {
                assert_eq!(str_of(&step["uses"]), format!("OWNER/oxiconv@{version}"));
                for name in keys(&step["with"]) {
                    assert!(inputs.contains(&name), "{name}");
                }
                uses += 1;
            }
        }
        for repository in block["repos"].as_vec().into_iter().flatten() {
            assert_eq!(str_of(&repository["rev"]), version);
            for hook in repository["hooks"].as_vec().unwrap() {
                assert!(ids.contains(&str_of(&hook["id"])), "{hook:?}");
                used += 1;
            }
        }
    }
    assert!(uses >= 4 && used >= 4);
    let page = fs::read_to_string(root().join("docs/ci.md")).unwrap();
    assert!(page.contains(concat!("Rust ", env!("CARGO_PKG_RUST_VERSION"), " or newer")));
}

/// Runs the second step of the action, which checks or fixes, with `inputs` instead of their defaults. The first
/// installs the program.
pub fn run_action(repository: &Repository, inputs: &[(&str, &str)]) -> Output {
    let action = yaml_file("action.yml");
    let step = &action["runs"]["steps"][1];
    let mut environment = Vec::new();
    for name in keys(&step["env"]) {
        let expression = str_of(&step["env"][name]);
        let input = expression.strip_prefix("${{ inputs.").unwrap().strip_suffix(" }}").unwrap();
        let default = str_of(&action["inputs"][input]["default"]);
        let given = inputs.iter().find(|(name, _)| *name == input).map(|(_, value)| *value);
        environment.push((name, given.unwrap_or(default)));
    }
    let temporary = repository.path(".bin/runner");
    fs::create_dir_all(temporary.join("oxiconv/bin")).unwrap();
    let _ = symlink(program(), temporary.join("oxiconv/bin/oxiconv"));
    environment.push(("RUNNER_TEMP", temporary.to_str().unwrap()));
    let summary = temporary.join("summary.md");
    environment.push(("GITHUB_STEP_SUMMARY", summary.to_str().unwrap()));
    repository.bash(str_of(&step["run"]), &environment)
}

#[test]
fn the_action_has_the_shape_that_github_asks_for() {
    let action = yaml_file("action.yml");
    assert_eq!(keys(&action), ["name", "description", "author", "branding", "inputs", "runs"]);
    assert_eq!(str_of(&action["runs"]["using"]), "composite");
    let steps = action["runs"]["steps"].as_vec().unwrap();
    assert_eq!(steps.len(), 2);
    for step in steps {
        // A composite action must name the shell. Inputs are passed in the environment: GitHub would paste the value of
        // an expression into the script, and bash would run it.
        assert_eq!(str_of(&step["shell"]), "bash");
        assert!(!str_of(&step["run"]).contains("${{"));
    }
    // ci/packages runs the first step, with a release and without a compiler.
    let install = str_of(&steps[0]["run"]);
    assert!(install.contains(" -m pip install ") && install.contains("\"$GITHUB_ACTION_PATH\""));
    for name in keys(&action["inputs"]) {
        let input = &action["inputs"][name];
        assert_eq!(keys(input), ["description", "required", "default"], "{name}");
        assert_eq!(input["required"].as_bool(), Some(false), "{name}");
        str_of(&input["default"]);
    }
}

#[test]
fn the_action_annotates_and_fails_where_there_are_findings() {
    let clean = Repository::new(&CLEAN);
    let output = run_action(&clean, &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(!text(&output.stdout).contains("::"), "{output:?}");

    let bad = Repository::new(&[&CLEAN[..], &[("docs/bad.txt", b"caf\xE9\n")]].concat());
    let output = run_action(&bad, &[]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let shown = text(&output.stdout);
    assert!(shown.starts_with("::error file=docs/bad.txt,line=1,col=4,title=oxiconv truncated::"));
    assert!(shown.contains("\n::notice title=oxiconv::5 files, "), "{shown}");
}

#[test]
fn the_inputs_of_the_action_are_heeded() {
    let bad = Repository::new(&[
        ("bad one.txt", b"\xFF"),
        ("$(touch pwned).txt", b"\xFF"),
        ("marked.csv", b"\xEF\xBB\xBFa"),
        ("clean.txt", b"a"),
    ]);
    let run = |inputs: &[(&str, &str)]| {
        let output = run_action(&bad, inputs);
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    assert_eq!(run(&[("paths", "clean.txt\nmarked.csv")]).0, 0);
    assert_eq!(run(&[("paths", "clean.txt\nmarked.csv"), ("options", "--bom=forbid")]).0, 1);
    let (status, shown) = run(&[("paths", "bad one.txt\n\n$(touch pwned).txt\n")]);
    assert_eq!(status, 1);
    assert_eq!(shown.lines().filter(|line| line.starts_with("::error file=")).count(), 2);
    assert!(!bad.path("pwned").exists());
    assert_eq!(run(&[("paths", "bad one.txt"), ("encoding", "windows-1252")]).0, 0);
    // Without an encoding, that of the repository counts.
    bad.write("rules/.editorconfig", b"root = true\n[*.txt]\ncharset = latin1\n");
    bad.write("rules/latin.txt", b"\xFF");
    assert_eq!(run(&[("paths", "rules")]).0, 0);
    fs::remove_dir_all(bad.path("rules")).unwrap();
    assert_eq!(run(&[("options", "--exclude=*.txt\n--stats\n")]).0, 0);
    assert_eq!(run(&[("paths", "missing")]).0, 2);
    assert_eq!(run(&[("options", "--no-such-option")]).0, 2);
    // With the input `sarif`, the file is written even without findings and after an error.
    for (paths, status, results) in [("clean.txt", 0, 0), ("bad one.txt", 1, 1), ("missing", 2, 0)]
    {
        assert_eq!(run(&[("paths", paths), ("sarif", "out.sarif")]).0, status, "{paths}");
        let sarif: serde_json::Value = serde_json::from_slice(&bad.read("out.sarif")).unwrap();
        assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), results, "{paths}");
    }
    assert_ne!(run(&[("paths", "clean.txt"), ("sarif", "no/such/place")]).0, 0);
}

fn hook(id: &str) -> Yaml {
    let hooks = yaml_file(".pre-commit-hooks.yaml");
    hooks.as_vec().unwrap().iter().find(|hook| str_of(&hook["id"]) == id).unwrap().clone()
}

/// Runs a hook as pre-commit does: entry, then args, then file names, with a variable that says so.
pub fn run_hook(repository: &Repository, id: &str, files: &[&str]) -> Output {
    let hook = hook(id);
    let mut words = str_of(&hook["entry"]).split(' ');
    repository
        .command(words.next().unwrap())
        .args(words)
        .args(strings(&hook["args"]))
        .args(files)
        .env("PRE_COMMIT", "1")
        .output()
        .unwrap()
}

#[test]
fn the_hooks_have_the_shape_that_pre_commit_asks_for() {
    let hooks = yaml_file(".pre-commit-hooks.yaml");
    let ids: Vec<_> = hooks.as_vec().unwrap().iter().map(|hook| str_of(&hook["id"])).collect();
    assert_eq!(ids, ["oxiconv-check", "oxiconv-fix"]);
    for id in ids {
        let hook = hook(id);
        assert_eq!(
            keys(&hook),
            ["id", "name", "description", "entry", "args", "language", "types", "require_serial"]
        );
        assert_eq!(str_of(&hook["language"]), "python");
        assert_eq!(strings(&hook["types"]), ["text"]);
        assert_eq!(hook["require_serial"].as_bool(), Some(true));
    }
}

#[test]
fn the_check_hook_finds() {
    let repository =
        Repository::new(&[("-stray.txt", b"caf\xE9 \x80\n"), ("good.txt", "é\n".as_bytes())]);
    let found = run_hook(&repository, "oxiconv-check", &["-stray.txt", "good.txt"]);
    assert_eq!(found.status.code(), Some(1), "{found:?}");
    assert!(text(&found.stdout).starts_with("-stray.txt:1:4: error[truncated]: E9 "), "{found:?}");
    let found = run_hook(&repository, "oxiconv-check", &["good.txt"]);
    assert_eq!(found.status.code(), Some(0), "{found:?}");
}

#[test]
fn pre_commit_runs_the_hooks() {
    if Command::new("pre-commit").arg("--version").output().is_err() {
        return crate::scene::skipped("pre-commit is not on the path: pip install pre-commit");
    }
    let hooks = Repository::new(&[]);
    // `language: python` has pre-commit install the program, as ci/packages tries. `system` takes the one on the path.
    let copy = fs::read_to_string(root().join(".pre-commit-hooks.yaml")).unwrap();
    hooks.write(
        ".pre-commit-hooks.yaml",
        copy.replace("language: python", "language: system").as_bytes(),
    );
    hooks.commit();
    let repository = Repository::new(&CLEAN);
    let config = |ids: &[&str]| {
        let ids: String = ids.iter().map(|id| format!("      - id: {id}\n")).collect();
        let place = hooks.path("").display().to_string();
        format!("repos:\n  - repo: {place}\n    rev: HEADREV\n    hooks:\n{ids}")
    };
    let head = hooks.command("git").args(["rev-parse", "HEAD"]).output().unwrap().stdout;
    let config = config(&["oxiconv-fix", "oxiconv-check"]).replace("HEADREV", text(&head).trim());
    repository.write(".pre-commit-config.yaml", config.as_bytes());
    repository.commit();
    let run = |expected: i32| {
        let output =
            repository.command("pre-commit").args(["run", "--all-files", "-v"]).output().unwrap();
        assert_eq!(output.status.code(), Some(expected), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    // pre-commit takes the picture for binary and does not pass it on.
    let shown = run(0);
    assert_eq!(shown.matches("Passed").count(), 2, "{shown}");
    assert!(shown.contains(" no findings"), "{shown}");
    assert!(!shown.contains("picture"), "{shown}");

    repository.write("-stray\n.txt", b"caf\xE9\n");
    repository.commit();
    let shown = run(1);
    assert!(shown.contains("files were modified by this hook"), "{shown}");
    assert!(shown.contains("stage it (git add)"), "{shown}");
    assert_eq!(repository.read("-stray\n.txt"), "café\n".as_bytes());
    repository.commit();
    run(0);

    // The hook gets file names, and still follows the declarations of the repository as a check of the tree does.
    let rules = [
        (
            ".editorconfig",
            "root = true\n[*.txt]\nend_of_line = lf\ncharset = utf-8\n[*.l1]\ncharset = latin1\n",
        ),
        (".gitattributes", "*.dat binary\n*.bat eol=crlf\n"),
        (
            "oxiconv.toml",
            "exclude = [\"vendor/\"]\n[[rule]]\nfiles = [\"*.md\"]\nfinal-newline = true\n",
        ),
    ];
    let texts: [(&str, &[u8]); 7] = [
        ("a.txt", b"a\r\n"),
        ("b.l1", b"caf\xE9\n"),
        ("c.l1", b"caf\xC3\xA9\n"),
        ("d.dat", b"\xFF\n"),
        ("e.bat", b"a\n"),
        ("vendor/f.txt", b"\xFF\n"),
        ("g.md", b"no line end"),
    ];
    for (name, bytes) in rules.iter().map(|(name, text)| (*name, text.as_bytes())).chain(texts) {
        repository.write(name, bytes);
    }
    let check = config.replace("      - id: oxiconv-fix\n", "");
    repository.write(".pre-commit-config.yaml", check.as_bytes());
    repository.git(&["add", "-A"]);
    let findings = |out: &str| -> std::collections::BTreeSet<String> {
        let lines = out.lines().filter(|line| line.contains(": error["));
        lines.map(|line| line.strip_prefix("./").unwrap_or(line).replace(" ./", " ")).collect()
    };
    let by_hook = findings(&run(1));
    let output = repository.command("oxiconv").args(["--check", "-r", "."]).output().unwrap();
    assert_eq!(by_hook, findings(text(&output.stdout)));
    let kinds: Vec<_> =
        by_hook.iter().map(|line| line.split([':', '[', ']']).next().unwrap()).collect();
    assert_eq!(kinds, ["a.txt", "c.l1", "e.bat", "g.md"]);
}
