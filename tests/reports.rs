//! The formats junit and gitlab. Every report is validated against its schema, whatever the text and the file names.

use std::collections::HashSet;
#[cfg(unix)]
use std::ffi::OsStr;
use std::fs;
#[cfg(unix)]
use std::fs::File;
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;
#[cfg(unix)]
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
#[cfg(unix)]
use std::process::Stdio;

use roxmltree::{Document, Node};
use serde_json::{Value, json};

use crate::formats::{Dir, Run};
use crate::scene::skipped;

/// File names that could break an XML attribute or element, a JSON string or a terminal, and how a report shows them.
const ODD_NAMES: [(&[u8], &str); 11] = [
    (b"plain.txt", "plain.txt"),
    (b"-dash", "-dash"),
    (b"two  words", "two  words"),
    (b"new\nline\ttab", "new\\u{a}line\\u{9}tab"),
    (b"<b>&amp;\"'", "<b>&amp;\"'"),
    (b"]]>", "]]>"),
    ("é€😀".as_bytes(), "é€😀"),
    (b"caf\xE9", "caf\\xE9"),
    (b"esc\x1B[31m\x7F", "esc\\u{1b}[31m\\u{7f}"),
    ("gpj\u{202E}txt".as_bytes(), "gpj\\u{202e}txt"),
    ("\u{FFFE}\u{9B}".as_bytes(), "\\u{fffe}\\u{9b}"),
];

fn check(dir: &Dir, format: &str, args: &[&str]) -> Run {
    dir.run(&[&["--check", "--format", format], args].concat())
}

/// A test of a JUnit report: its name, and the name and text of the element in it if it did not pass.
#[derive(Debug, PartialEq, Eq)]
struct Test {
    name: String,
    outcome: Option<(String, String)>,
}

/// Returns the tests of a junit report, and the other messages with the names of their suites.
fn junit(output: &[u8]) -> (Vec<Test>, Vec<(String, String)>) {
    let text = std::str::from_utf8(output).unwrap();
    let document = Document::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    validate(output);
    let (mut tests, mut messages) = (Vec::new(), Vec::new());
    for suite in document.root_element().children().filter(Node::is_element) {
        let name = suite.attribute("name").unwrap().to_owned();
        let inside = suite.first_element_child().unwrap();
        let count = |name: &str| suite.attribute(name).unwrap().parse::<usize>().unwrap();
        let counts = ["tests", "failures", "errors", "skipped"].map(count);
        if inside.has_tag_name("system-out") {
            assert_eq!(counts, [0, 0, 0, 0]);
            messages.push((name, inside.text().unwrap().to_owned()));
            continue;
        }
        assert_eq!(inside.attribute("name"), Some(&*name));
        assert_eq!(inside.attribute("classname"), Some("oxiconv"));
        let outcome = inside.first_element_child().map(|element| {
            let text = element.text().or(element.attribute("message")).unwrap();
            (element.tag_name().name().to_owned(), text.to_owned())
        });
        let is = |name: &str| usize::from(outcome.as_ref().is_some_and(|(it, _)| it == name));
        assert_eq!(counts, [1, is("failure"), is("error"), is("skipped")]);
        tests.push(Test { name, outcome });
    }
    (tests, messages)
}

/// Validates a report with xmllint, if it is installed.
fn validate(output: &[u8]) {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), output).unwrap();
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/junit.xsd");
    let result = Command::new("xmllint")
        .args(["--nonet", "--noout", "--huge", "--schema"])
        .arg(schema)
        .arg(file.path())
        .output();
    match result {
        Ok(result) => {
            assert!(result.status.success(), "{}", String::from_utf8_lossy(&result.stderr))
        }
        Err(_) => skipped("xmllint is not installed, so nothing is compared with the schema"),
    }
}

fn test(name: &str) -> Test {
    Test { name: name.to_owned(), outcome: None }
}

fn failed(name: &str, outcome: &str, text: &str) -> Test {
    Test { name: name.to_owned(), outcome: Some((outcome.to_owned(), text.to_owned())) }
}

/// Returns the issues of a gitlab report. It must conform to the schema, and the fingerprints must be unique.
fn gitlab(output: &[u8]) -> Vec<Value> {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/gitlab.schema.json");
    let schema = serde_json::from_str(&fs::read_to_string(schema).unwrap()).unwrap();
    let report: Value = serde_json::from_slice(output).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<_> = validator.iter_errors(&report).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{report:#}");
    let issues = report.as_array().unwrap().clone();
    let prints: HashSet<_> = issues.iter().map(|issue| issue["fingerprint"].to_string()).collect();
    assert_eq!(prints.len(), issues.len());
    issues
}

fn of<'a>(issues: &'a [Value], member: &str) -> Vec<&'a Value> {
    issues.iter().map(|issue| issue.pointer(member).unwrap()).collect()
}

#[test]
fn an_issue_has_what_gitlab_asks_for() {
    let dir = Dir::new();
    dir.write(b"src/notes.txt", b"fine\nab\xE2\x82A\n");
    let issues = gitlab(&check(&dir, "gitlab", &["-r", "."]).out);
    // FNV-1a of the path, then FNV-1a of kind, encoding, bytes and next byte, with FF after each field.
    let fingerprint = format!(
        "{:016x}:{:016x}:1",
        fnv(b"src/notes.txt"),
        fnv(b"truncated\xFFUTF-8\xFF\xE2\x82\xFFA\xFF")
    );
    assert_eq!(
        issues,
        [json!({
            "description": "E2 82 at byte 7 (0x7): E2 82 begins a 3-byte character, but 41 ('A') follows",
            "check_name": "truncated",
            "fingerprint": fingerprint,
            "severity": "major",
            "location": { "path": "src/notes.txt", "lines": { "begin": 2 } },
        })]
    );
    let clean = Dir::new();
    clean.write(b"f", b"fine");
    let run = check(&clean, "gitlab", &["f"]);
    assert_eq!((run.status, run.out()), (0, "[\n]\n"));
}

/// FNV-1a with 64 bits, written after the published algorithm, independently of the program's.
fn fnv(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(1_099_511_628_211);
    bytes.iter().fold(14_695_981_039_346_656_037, step)
}

#[test]
fn a_fingerprint_stays_if_lines_move_and_differs_between_files() {
    let dir = Dir::new();
    dir.write(b"a", b"\xFF\xFE\n\xFF\n");
    dir.write(b"b", b"\xFF\xFE\n\xFF\n");
    let before = gitlab(&check(&dir, "gitlab", &["a", "b"]).out);
    assert_eq!(before.len(), 6);
    dir.write(b"a", b"a new line\n\n\xFF\xFE\n\xFF\n");
    let after = gitlab(&check(&dir, "gitlab", &["a", "b"]).out);
    assert_eq!(of(&before, "/fingerprint"), of(&after, "/fingerprint"));
    assert_ne!(of(&before, "/location/lines/begin"), of(&after, "/location/lines/begin"));
}

#[test]
fn a_path_is_the_one_of_the_repository() {
    let dir = Dir::new();
    dir.write(b"sub/f", b"\xFF");
    let absolute = dir.path(b"sub/f");
    let path = |args: &[&str]| {
        let issues = gitlab(&check(&dir, "gitlab", args).out);
        of(&issues, "/location/path")[0].as_str().unwrap().to_owned()
    };
    assert_eq!(path(&["sub/f"]), "sub/f");
    assert_eq!(path(&["./sub/f"]), "sub/f");
    assert_eq!(path(&["-r", "."]), "sub/f");
    assert_eq!(path(&["sub/../sub/f"]), "sub/../sub/f");
    let absolute = absolute.to_str().unwrap();
    assert_eq!(path(&[absolute]), absolute.replace('\\', "/"));
    let run = dir.run_on(&["--check", "--format", "gitlab"], b"\xFF");
    assert_eq!(gitlab(&run.out)[0]["location"]["path"], "(standard input)");
}

#[cfg(unix)]
#[test]
fn every_name_is_in_both_formats() {
    let dir = Dir::new();
    for (name, _) in ODD_NAMES {
        dir.write(name, &[name, b"\xFF"].concat());
    }
    let args = |format: &'static str| {
        let options = ["--check", "-t", "ascii", "--format", format, "--"].map(OsStr::new);
        let names = ODD_NAMES.iter().map(|(name, _)| OsStr::from_bytes(name));
        options.into_iter().chain(names).collect::<Vec<_>>()
    };
    let hides = |c: char| c.is_control() && c != '\n' || c == '\u{202E}';

    let output = dir.run(&args("junit"));
    assert!(!output.out().contains(hides));
    let (tests, messages) = junit(&output.out);
    let names: Vec<_> = tests.iter().map(|test| &*test.name).collect();
    assert_eq!(names, ODD_NAMES.map(|(_, shown)| shown));
    assert!(tests.iter().all(|test| test.outcome.as_ref().is_some_and(|(it, _)| it == "failure")));
    assert!(messages.is_empty());

    let output = dir.run(&args("gitlab"));
    assert!(!output.out().contains(hides));
    let issues = gitlab(&output.out);
    let mut paths: Vec<_> =
        of(&issues, "/location/path").into_iter().map(|path| path.as_str().unwrap()).collect();
    paths.dedup();
    // A JSON string can hold every name exactly, except one that is not UTF-8.
    let exact = ODD_NAMES.map(|(name, shown)| std::str::from_utf8(name).unwrap_or(shown));
    assert_eq!(paths, exact);
}

#[test]
fn a_file_is_a_test_with_its_findings_as_in_the_text_format() {
    let dir = Dir::new();
    dir.write(b"d/bad", b"caf\xE9 \xFF\n");
    dir.write(b"d/binary", b"\0\x01");
    dir.write(b"d/good", b"fine\n");
    let run = check(&dir, "junit", &["-r", "d", "missing"]);
    assert_eq!(run.status, 2);
    assert_eq!(run.err(), "oxiconv: missing: No such file or directory\n");
    let text = check(&dir, "text", &["d/bad"]);
    assert_eq!(text.out().lines().count(), 2);
    // The hint is also the same.
    let hint = text.err().strip_prefix("oxiconv: d/bad: ").unwrap_or_default().to_owned();
    let (tests, messages) = junit(&run.out);
    assert_eq!(
        tests,
        [
            failed("d/bad", "failure", &(text.out().to_owned() + &hint)),
            failed("d/binary", "skipped", "looks binary"),
            test("d/good"),
            failed("missing", "error", "missing: No such file or directory"),
        ]
    );
    assert!(messages.is_empty());
    let document = Document::parse(run.out()).unwrap();
    let failure = document.descendants().find(|node| node.has_tag_name("failure")).unwrap();
    assert_eq!(failure.attribute("type"), Some("truncated"));
    assert_eq!(failure.attribute("message"), text.out().lines().next());
}

#[test]
fn text_that_xml_does_not_allow_is_written_as_escapes() {
    let dir = Dir::new();
    dir.write(b"f", "a\u{1}\u{FFFE}\u{9B}]]>&<\u{202E}\n".as_bytes());
    let run = check(&dir, "junit", &["--deny", "control,noncharacter,bidi", "-t", "ascii", "f"]);
    let (tests, _) = junit(&run.out);
    let (_, text) = tests[0].outcome.as_ref().unwrap();
    assert_eq!(
        text,
        check(&dir, "text", &["--deny", "control,noncharacter,bidi", "-t", "ascii", "f"]).out()
    );
    assert_eq!(text.lines().count(), 7);
}

#[test]
fn the_limit_and_the_hint_are_told_inside_the_failure() {
    let dir = Dir::new();
    dir.write(b"f", &b"\xFF\n".repeat(25));
    let text = check(&dir, "text", &["--max-reports", "0", "f"]);
    let all = text.out().lines().last().unwrap();
    for (args, lines, last) in [
        (&[][..], 21, "5 more not shown; --max-reports 0 shows all"),
        (&["--max-reports", "3"], 4, "22 more not shown; --max-reports 0 shows all"),
        (&["--max-reports", "0"], 25, all),
    ] {
        let (tests, messages) = junit(&check(&dir, "junit", &[args, &["f"]].concat()).out);
        let (_, text) = tests[0].outcome.as_ref().unwrap();
        assert_eq!((text.lines().count(), text.lines().last()), (lines, Some(last)));
        assert_eq!((tests.len(), messages.len()), (1, 0));
    }
    // The hint comes before the number of findings not shown. -q omits both.
    let dir = Dir::new();
    dir.write(b"f", "é €, \u{2192} ü ".as_bytes());
    dir.write(
        b"f",
        &[&fs::read(dir.path(b"f")).unwrap()[..], &b"\xE9 and \xE8 so\n".repeat(2)].concat(),
    );
    let last = |args: &[&str]| {
        let (tests, _) =
            junit(&check(&dir, "junit", &[args, &["--max-reports", "1", "f"]].concat()).out);
        let text = tests[0].outcome.as_ref().unwrap().1.clone();
        text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        last(&[]),
        [
            "all 4 stray bytes fit windows-1252, and the rest is valid UTF-8 (try --fallback windows-1252)",
            "3 more not shown; --max-reports 0 shows all",
        ]
    );
    assert_eq!(last(&["-q"]), [""; 0]);
    let dir = Dir::new();
    dir.write(b"f", &b"\xFF\n".repeat(25));
    // A gitlab report has all findings by default. With a limit, an issue says how many are missing.
    assert_eq!(gitlab(&check(&dir, "gitlab", &["f"]).out).len(), 25);
    let issues = gitlab(&check(&dir, "gitlab", &["--max-reports", "3", "f"]).out);
    assert_eq!(
        of(&issues, "/check_name"),
        ["invalid-byte", "invalid-byte", "invalid-byte", "note"]
    );
    assert_eq!(issues[3]["severity"], "info");
}

#[test]
fn a_note_fails_no_test() {
    let dir = Dir::new();
    dir.write(b"joined", "a\u{FEFF}b\n".as_bytes());
    dir.write(b"bad", "a\u{FEFF}\n".as_bytes());
    let bad =
        [&fs::read(dir.path(b"bad")).unwrap()[..], b"\xFF\n", "\u{FEFF}x".as_bytes()].concat();
    dir.write(b"bad", &bad);
    let run = check(&dir, "junit", &["-v", "joined", "bad"]);
    let (tests, messages) = junit(&run.out);
    assert_eq!(tests[0], test("joined"));
    let (_, text) = tests[1].outcome.as_ref().unwrap();
    assert!(text.starts_with("bad:2:1: error[invalid-byte]: "), "{text}");
    assert_eq!((tests.len(), text.lines().count()), (2, 2));
    let notes: Vec<_> = messages.iter().map(|(name, _)| &**name).collect();
    assert_eq!(notes, ["joined", "bad"]);
    assert!(messages[0].1.starts_with("joined:1:2: note[bom-inside]: "), "{messages:?}");
    let issues = gitlab(&check(&dir, "gitlab", &["-v", "joined"]).out);
    assert_eq!(
        (&issues[0]["check_name"], &issues[0]["severity"]),
        (&json!("bom-inside"), &json!("info"))
    );
}

#[test]
fn a_conversion_fails_the_test_if_it_stops_or_loses_something() {
    let input = b"a\xFFb";
    for (args, status, outcome) in [
        (&[][..], 1, Some("failure")),
        (&["-e", "report"], 1, Some("failure")),
        (&["-e", "replace"], 0, None),
        (&["-e", "escape"], 0, None),
        (&["-c"], 1, Some("failure")),
    ] {
        let run = Dir::new().run_on(&[&["--format", "junit"], args].concat(), input);
        assert_eq!(run.status, status, "{args:?}");
        let (tests, _) = junit(&run.err);
        let found = tests[0].outcome.as_ref().map(|(outcome, _)| &**outcome);
        assert_eq!(
            (tests.len(), &*tests[0].name, found),
            (1, "(standard input)", outcome),
            "{args:?}"
        );
    }
    // With -s no finding is printed, but the test still fails.
    let run = Dir::new().run_on(&["--check", "-s", "--format", "junit"], input);
    assert_eq!(junit(&run.out).0, [failed("(standard input)", "failure", "1 finding")]);
}

#[test]
fn a_refused_file_is_in_both_formats() {
    let dir = Dir::new();
    dir.write(b"f", "déjà vu, là-bas\n".as_bytes());
    let args = |format| ["--format", format, "-f", "latin1", "-i", "f"];
    let run = dir.run(&args("junit"));
    assert_eq!(run.status, 1);
    let (tests, _) = junit(&run.err);
    let (outcome, text) = tests[0].outcome.as_ref().unwrap();
    assert_eq!((&*tests[0].name, &**outcome), ("f", "failure"));
    let issues = gitlab(&dir.run(&args("gitlab")).err);
    assert_eq!(of(&issues, "/check_name"), ["refused"]);
    assert_eq!(issues[0]["description"], **text);
}

#[test]
fn a_known_finding_is_no_issue_and_fails_no_test() {
    let dir = Dir::new();
    dir.write(b"f", b"\xFF\n\xFF\n");
    check(&dir, "text", &["--write-baseline", "known", "f"]);
    let known = ["--baseline", "known", "f"];
    assert_eq!(gitlab(&check(&dir, "gitlab", &known).out), [Value::Null; 0]);
    let run = check(&dir, "junit", &known);
    assert_eq!((run.status, junit(&run.out)), (0, (vec![test("f")], vec![])));
    // A baseline does not change the fingerprint of a new finding.
    dir.write(b"f", b"\xFF\n\xFF\n\xFF\n");
    let new = gitlab(&check(&dir, "gitlab", &known).out);
    let all = gitlab(&check(&dir, "gitlab", &["f"]).out);
    assert_eq!((new.len(), all.len()), (1, 3));
    assert_eq!(new[0]["fingerprint"], all[2]["fingerprint"]);
    let (tests, _) = junit(&check(&dir, "junit", &known).out);
    assert_eq!(tests[0].outcome.as_ref().unwrap().1.lines().count(), 1);
    // A known finding that no longer occurs is a note.
    dir.write(b"f", b"\xFF\n");
    let (tests, messages) = junit(&check(&dir, "junit", &known).out);
    assert_eq!((tests, messages.len()), (vec![test("f")], 1));
    let issues = gitlab(&check(&dir, "gitlab", &known).out);
    assert_eq!(of(&issues, "/check_name"), ["note"]);
}

/// Some formats collect the findings until the end of the text. The declared severity must not be lost until then.
#[test]
fn a_severity_that_a_repository_declares_is_in_every_format() {
    let dir = Dir::new();
    dir.write(b"oxiconv.toml", b"[[rule]]\nseverity = { invalid-byte = \"warning\" }\n");
    dir.write(b"f", b"\xFF\n");
    for (format, shown) in [
        ("text", "warning[invalid-byte]"),
        ("json", "\"level\":\"warning\""),
        ("sarif", "\"level\":\"warning\""),
        ("gitlab", "\"severity\":\"minor\""),
        ("html", "(warning), line 1"),
    ] {
        let run = check(&dir, format, &["f"]);
        assert_eq!(run.status, 0, "{format}");
        assert!(run.out().contains(shown), "{format}: {}", run.out());
    }
    let (tests, messages) = junit(&check(&dir, "junit", &["f"]).out);
    assert_eq!(tests, [test("f")]);
    assert!(messages[0].1.starts_with("f:1:1: warning[invalid-byte]: "), "{messages:?}");
}

#[test]
fn an_error_is_a_critical_issue_at_its_file() {
    let dir = Dir::new();
    let issues = gitlab(&check(&dir, "gitlab", &["missing"]).out);
    assert_eq!(
        (&issues[0]["check_name"], &issues[0]["severity"], &issues[0]["location"]),
        (
            &json!("error"),
            &json!("critical"),
            &json!({ "path": "missing", "lines": { "begin": 1 } })
        )
    );
    assert_eq!(issues[0]["description"], "missing: No such file or directory");
}

/// The lengths of the files differ so much that threads finish them out of order.
#[test]
fn reports_are_the_same_for_any_number_of_threads() {
    let dir = Dir::new();
    let names: Vec<_> = (0..40).map(|n| format!("f{n:02}")).collect();
    for (n, name) in names.iter().enumerate() {
        let clean = b"clean text\n".repeat(if n % 3 == 0 { 20_000 } else { 1 });
        dir.write(name.as_bytes(), &[&clean[..], &b"\x80".repeat(n)].concat());
    }
    for format in ["junit", "gitlab"] {
        let of = |jobs: &'static str| {
            let mut args = vec!["-j", jobs];
            args.extend(names.iter().map(String::as_str));
            check(&dir, format, &args)
        };
        let (one, eight) = (of("1"), of("8"));
        assert!(one.out == eight.out, "{format}");
        if format == "junit" {
            let tests = junit(&one.out).0;
            assert!(tests.iter().map(|test| &test.name).eq(&names));
        } else {
            assert_eq!(gitlab(&one.out).len(), (0..40).sum::<usize>());
        }
    }
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_and_a_full_disk_end_every_format_as_they_end_text() {
    let dir = Dir::new();
    dir.write(b"bad", &b"\xFFa\x80\n".repeat(50_000));
    for format in ["junit", "gitlab", "html"] {
        let program = || {
            let mut command = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"));
            command
                .args(["--check", "--max-reports", "0", "--format", format])
                .arg(dir.path(b"bad"));
            command
        };
        let mut child = program().stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        // SIGPIPE.
        assert_eq!(output.status.signal(), Some(13), "{format}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{format}");

        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = program().stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{format}");
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            "oxiconv: (standard output): cannot write: No space left on device\n",
            "{format}"
        );
    }
}

/// Half a million findings. The limit on the address space, 50,000 KiB, is less than the size of the report.
#[cfg(unix)]
#[test]
fn findings_are_written_as_they_come_and_not_kept() {
    let dir = Dir::new();
    dir.write(b"bad", &b"\x80".repeat(500_000));
    for format in ["junit", "gitlab"] {
        let script = format!(
            "set -o pipefail; ulimit -v 50000; \
             exec {} --check --max-reports 0 -j 1 --format {format} bad | wc -c",
            assert_cmd::cargo::cargo_bin!("oxiconv").display()
        );
        let output =
            Command::new("bash").args(["-c", &script]).current_dir(dir.path(b"")).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{format}: {output:?}");
        let bytes: u64 = String::from_utf8(output.stdout).unwrap().trim().parse().unwrap();
        assert!(bytes > 51_200_000, "{format}: {bytes}");
    }
}
