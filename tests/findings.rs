//! Findings for machines: json, sarif and github report the same findings as text, all of them, in order, and on the
//! right stream.

#[cfg(unix)]
use std::ffi::OsStr;
use std::fs::{self, File};
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;
#[cfg(unix)]
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command as Process;
#[cfg(unix)]
use std::process::Stdio;

#[cfg(unix)]
use base64::Engine;
#[cfg(unix)]
use base64::prelude::BASE64_STANDARD;
use oxiconv::report::RULES;
use serde_json::{Value, json};

use crate::formats::{Dir, MACHINE_FORMATS, Run, commands, events, of_type, place, sarif_run};
use crate::sample;

/// File names that could be taken for an option, or break a line, a property, a URI or a terminal.
const ODD_NAMES: [&[u8]; 14] = [
    b"plain.txt",
    b"-dash",
    b"two words",
    b"new\nline",
    b"return\rhere",
    b"quote\"'\\",
    b"100%25",
    b"a:b,c=d",
    b"::error::x",
    "é€😀".as_bytes(),
    b"caf\xE9",
    b"esc\x1B[31m",
    "csi\u{9B}31m".as_bytes(),
    "gpj\u{202E}txt".as_bytes(),
];

/// Arguments, input, and the expected finding: kind, line, column and offset, bytes.
type Case = (&'static [&'static str], &'static [u8], &'static str, [u64; 3], &'static str);
const CASES: [Case; 20] = [
    (&[], b"ab\n\xE2\x82A", "truncated", [2, 1, 3], "E282"),
    (&[], b"a\xE2\x82", "truncated-at-end", [1, 2, 1], "E282"),
    (&[], b"a\nb\xC0", "overlong", [2, 2, 3], "C0"),
    (&["-f", "utf-32be"], b"\0\0\xD8\0", "surrogate", [1, 1, 0], "0000D800"),
    (&["-f", "utf-32be"], b"\0\0\0a\0\x11\0\0", "out-of-range", [1, 2, 4], "00110000"),
    (&[], b"a\x80", "unexpected-continuation", [1, 2, 1], "80"),
    (&[], b"\xFF", "invalid-byte", [1, 1, 0], "FF"),
    // Row 9 of JIS X 0208 is empty.
    (&["-f", "euc-jp"], b"a\xA9\xA1", "undefined-sequence", [1, 2, 1], "A9A1"),
    (&["-f", "c99"], br"\u0041", "invalid-escape", [1, 1, 0], "5C7530303431"),
    (&["-f", "utf-16be"], b"\xD8\0\0a", "unpaired-high-surrogate", [1, 1, 0], "D800"),
    (&["-f", "utf-16be"], b"\0a\xDC\0", "unpaired-low-surrogate", [1, 2, 2], "DC00"),
    (&["-t", "latin1"], "a€".as_bytes(), "unmappable", [1, 2, 1], "E282AC"),
    (
        &["-f", "utf-8-rfc2279", "-t", "utf-8"],
        b"\xFD\xBF\xBF\xBF\xBF\xBF",
        "unmappable",
        [1, 1, 0],
        "FDBFBFBFBFBF",
    ),
    (&["--bom", "forbid"], b"\xEF\xBB\xBFa", "bom-forbidden", [1, 1, 0], "EFBBBF"),
    (&["--bom", "require"], b"a", "bom-missing", [1, 1, 0], ""),
    (&["-v"], b"a\xEF\xBB\xBF", "bom-inside", [1, 2, 1], "EFBBBF"),
    (&["--deny", "nul"], b"a\0", "nul", [1, 2, 1], "00"),
    (&["--deny", "bidi,bom"], b"a\xEF\xBB\xBF", "bom", [1, 2, 1], "EFBBBF"),
    (&["--deny", "mixed-newlines"], b"a\nb\r\n", "mixed-newlines", [2, 2, 3], "0D"),
    (&["--deny", "not-nfc"], b"ae\xCC\x81", "not-nfc", [1, 2, 1], "65CC81"),
];

fn check(format: &str, args: &[&str], input: &[u8]) -> Run {
    Dir::new().run_on(&[&["--check", "--format", format], args].concat(), input)
}

#[test]
fn json_has_every_kind_with_its_place_and_bytes() {
    for (args, input, kind, [line, column, offset], bytes) in CASES {
        let run = check("json", args, input);
        let events = events(&run.out);
        let finding = of_type(&events, "finding")[0];
        assert_eq!(finding["kind"], kind, "{args:?}");
        assert_eq!(
            (&finding["line"], &finding["column"], &finding["offset"]),
            (&json!(line), &json!(column), &json!(offset)),
            "{kind}"
        );
        assert_eq!((&finding["bytes"], &finding["path"]), (&json!(bytes), &Value::Null), "{kind}");
        assert_eq!(finding["length"], bytes.len() / 2, "{kind}");
        let note = kind == "bom-inside";
        assert_eq!(finding["level"], if note { "note" } else { "error" }, "{kind}");
        assert_eq!(run.status, i32::from(!note), "{kind}");
        assert_eq!(events.last().unwrap()["by_kind"].get(kind), (!note).then_some(&json!(1)));
    }
    let values: Vec<_> = CASES
        .iter()
        .filter(|case| case.2 == "unmappable")
        .map(|(args, input, ..)| events(&check("json", args, input).out))
        .map(|events| of_type(&events, "finding")[0]["value"].clone())
        .collect();
    assert_eq!(values, ["20AC", "7FFFFFFF"]);
}

#[test]
fn sarif_has_every_kind_with_its_region() {
    for (args, input, kind, [line, column, offset], bytes) in CASES {
        let run = check("sarif", args, input);
        let sarif = sarif_run(&run.out);
        let result = &sarif["results"][0];
        assert_eq!(result["ruleId"], kind, "{args:?}");
        let length = bytes.len() as u64 / 2;
        assert_eq!(
            place(result)["region"],
            json!({
                "startLine": line,
                "startColumn": column,
                "endColumn": column + u64::from(length > 0),
                "byteOffset": offset,
                "byteLength": length,
            }),
            "{kind}"
        );
        assert_eq!(result["level"], if kind == "bom-inside" { "note" } else { "error" }, "{kind}");
        assert_eq!(place(result)["artifactLocation"]["uri"], "stdin:");
        assert_eq!(sarif["invocations"][0]["exitCode"], run.status, "{kind}");
        assert_eq!(sarif["invocations"][0]["executionSuccessful"], true, "{kind}");
    }
}

/// `sarif_run` validates each document against the schema in the variable, so the other tests here do as well.
#[test]
#[ignore = "needs the schema of OASIS: OXICONV_SARIF_SCHEMA=sarif-schema-2.1.0.json cargo test --test main findings:: -- --include-ignored"]
fn sarif_is_what_the_schema_of_the_standard_allows() {
    assert!(crate::formats::OFFICIAL_SARIF.is_some(), "OXICONV_SARIF_SCHEMA names no schema");
    for (args, input, ..) in CASES {
        sarif_run(&check("sarif", args, input).out);
    }
}

#[test]
fn github_has_every_kind_with_its_line_and_column() {
    for (args, input, kind, [line, column, _], _) in CASES {
        let run = check("github", args, input);
        let (commands, _) = commands(&run.out);
        let command = &commands[0];
        let text = check("text", args, input);
        assert_eq!(command.name, if kind == "bom-inside" { "notice" } else { "error" }, "{kind}");
        assert_eq!(command.get("line").unwrap(), line.to_string(), "{kind}");
        assert_eq!(command.get("col").unwrap(), column.to_string(), "{kind}");
        assert_eq!(command.get("title").unwrap(), format!("oxiconv {kind}"));
        assert_eq!(command.get("file"), None);
        // The message is the line of text without the kind, which is in the title.
        let line = text.out().lines().next().unwrap().replacen(&format!(" error[{kind}]:"), "", 1);
        let line = line.replacen(&format!(" note[{kind}]:"), "", 1);
        assert_eq!(command.message, line, "{kind}");
    }
}

/// The complete output, byte for byte.
#[test]
fn json_tells_of_each_file_in_order_and_sums_up() {
    let dir = Dir::new();
    dir.write(b"good", "é\n".as_bytes());
    dir.write(b"bad", b"caf\xE9\n");
    let run = dir.run(&["--check", "--format=json", "good", "missing", "bad"]);
    assert_eq!(run.status, 2);
    let counts = |bytes, characters, findings, by_kind| {
        format!(
            "\"bytes\":{bytes},\"bytes_written\":0,\"characters\":{characters},\"line_ends\":1,\
             \"findings\":{findings},\"by_kind\":{by_kind},\"withheld\":0"
        )
    };
    let expected = [
        format!(
            r#"{{"type":"start","version":2,"tool":"oxiconv","tool_version":"{}","task":"check"}}"#,
            env!("CARGO_PKG_VERSION")
        ),
        r#"{"type":"begin","path":{"text":"good"}}"#.to_owned(),
        format!(
            r#"{{"type":"end","path":{{"text":"good"}},"stopped":false,{}}}"#,
            counts(3, 2, 0, "{}")
        ),
        r#"{"type":"error","path":{"text":"missing"},"message":"missing: No such file or directory"}"#
            .to_owned(),
        r#"{"type":"begin","path":{"text":"bad"}}"#.to_owned(),
        r#"{"type":"finding","path":{"text":"bad"},"kind":"truncated","level":"error","line":1,"column":4,"offset":3,"length":1,"bytes":"E9","encoding":"UTF-8","stops":false,"message":"E9 begins a 3-byte character, but 0A (line feed) follows","cause":"single-byte","guess":"U+00E9 (é) LATIN SMALL LETTER E WITH ACUTE in windows-1252 or ISO-8859-1","evidence":"the text has no multi-byte UTF-8","repair":{"options":["--fallback","windows-1252"],"skip":0,"command":"oxiconv --fallback windows-1252 bad","loss":null}}"#
            .to_owned(),
        r#"{"type":"hint","path":{"text":"bad"},"cause":"single-byte","guess":"UTF-8 with bytes of windows-1252","evidence":"the stray byte fits windows-1252, and the rest is plain ASCII","repair":{"options":["--fallback","windows-1252"],"skip":0,"command":"oxiconv --fallback windows-1252 bad","loss":null},"message":"the stray byte fits windows-1252, and the rest is plain ASCII (try --fallback windows-1252)"}"#
            .to_owned(),
        format!(
            r#"{{"type":"end","path":{{"text":"bad"}},"stopped":false,{}}}"#,
            counts(5, 4, 1, r#"{"truncated":1}"#)
        ),
        format!(
            r#"{{"type":"summary","files":2,"files_with_findings":1,"passed_over":0,"refused":0,"left_alone":0,"errors":1,{},"exit_status":2}}"#,
            counts(8, 6, 1, r#"{"truncated":1}"#).replace("\"line_ends\":1", "\"line_ends\":2")
        ),
    ];
    assert_eq!(run.out().lines().collect::<Vec<_>>(), expected);
    assert_eq!(run.err(), "oxiconv: missing: No such file or directory\n");
    events(&run.out);
}

#[cfg(unix)]
#[test]
fn every_name_survives_in_every_form() {
    let dir = Dir::new();
    for name in ODD_NAMES {
        dir.write(name, b"\xFF");
    }
    let names = || ODD_NAMES.iter().map(|name| OsStr::from_bytes(name));
    let args = |format: &'static str| {
        let options = ["--check", "--format", format, "--"];
        options.into_iter().map(OsStr::new).chain(names()).collect::<Vec<_>>()
    };

    for format in ["text", "json", "sarif", "github"] {
        let run = dir.run(&args(format));
        let hides = |c: char| c.is_control() && c != '\n' || c == '\u{202E}';
        assert!(!run.out().contains(hides), "{format}: {:?}", run.out());
    }

    let events = events(&dir.run(&args("json")).out);
    let found: Vec<_> = of_type(&events, "finding")
        .iter()
        .map(|finding| match &finding["path"] {
            path if path["text"].is_string() => path["text"].as_str().unwrap().as_bytes().to_vec(),
            path => BASE64_STANDARD.decode(path["bytes"].as_str().unwrap()).unwrap(),
        })
        .collect();
    assert_eq!(found, ODD_NAMES);

    let sarif = sarif_run(&dir.run(&args("sarif")).out);
    let found: Vec<_> = sarif["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| percent_decoded(place(result)["artifactLocation"]["uri"].as_str().unwrap()))
        .collect();
    assert_eq!(found, ODD_NAMES);

    let output = dir.run(&args("github")).out;
    let (commands, others) = commands(&output);
    assert_eq!(others, [""; 0]);
    assert_eq!(commands.len(), ODD_NAMES.len() + 1);
    let found: Vec<_> = commands
        .iter()
        .filter(|command| command.name == "error")
        .map(|command| match command.message.split_once(" (path in base64: ") {
            Some((_, path)) => BASE64_STANDARD.decode(path.strip_suffix(')').unwrap()).unwrap(),
            None => command.get("file").unwrap().as_bytes().to_vec(),
        })
        .collect();
    assert_eq!(found, ODD_NAMES);
}

fn percent_decoded(uri: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = uri.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'%' => {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                let digits = std::str::from_utf8(&digits).unwrap();
                bytes.push(u8::from_str_radix(digits, 16).unwrap());
            }
            _ => bytes.push(byte),
        }
    }
    bytes
}

/// Every third file is long, so that threads finish out of order.
#[test]
fn findings_come_in_the_order_of_the_files_whatever_the_number_of_threads() {
    let dir = Dir::new();
    let names: Vec<_> = (0..40).map(|n| format!("f{n:02}")).collect();
    for (n, name) in names.iter().enumerate() {
        let clean = b"clean text\n".repeat(if n % 3 == 0 { 20_000 } else { 1 });
        dir.write(name.as_bytes(), &[&clean[..], b"\xFF\n", &b"\x80".repeat(n)].concat());
    }
    for format in MACHINE_FORMATS {
        let of = |jobs: &'static str| {
            let mut args = vec!["--check", "--max-reports", "0", "--format", format, "-j", jobs];
            args.extend(names.iter().map(String::as_str));
            dir.run(&args)
        };
        let (one, eight) = (of("1"), of("8"));
        assert_eq!(one.status, 1);
        assert!(one.out == eight.out, "{format}");
        let found: Vec<_> = match format {
            "json" => of_type(&events(&one.out), "finding")
                .iter()
                .flat_map(|finding| {
                    let path = finding["path"]["text"].as_str().unwrap().to_owned();
                    let count = finding["count"].as_u64().unwrap_or(1);
                    std::iter::repeat_n(path, count as usize)
                })
                .collect(),
            "sarif" => sarif_run(&one.out)["results"]
                .as_array()
                .unwrap()
                .iter()
                .map(|result| place(result)["artifactLocation"]["uri"].as_str().unwrap().to_owned())
                .collect(),
            _ => commands(&one.out)
                .0
                .iter()
                .filter(|command| command.name == "error")
                .filter_map(|command| command.get("file").map(str::to_owned))
                .collect(),
        };
        let expected: Vec<_> = names
            .iter()
            .enumerate()
            .flat_map(|(n, name)| std::iter::repeat_n(name.clone(), n + 1))
            .collect();
        assert_eq!(found, expected, "{format}");
    }
}

#[test]
fn check_writes_its_findings_to_standard_output_and_nothing_else_there() {
    let dir = Dir::new();
    dir.write(b"a", b"\xFF");
    dir.write(b"b", b"fine");
    for args in [&["a", "b"][..], &["-v", "a", "b"], &["--color", "always", "a", "b"], &["-q", "a"]]
    {
        for format in MACHINE_FORMATS {
            let run = dir.run(&[&["--check", "--format", format], args].concat());
            assert_eq!((run.status, run.err()), (1, ""), "{format} {args:?}");
            assert!(!run.out.contains(&0x1B), "{format}");
            match format {
                "json" => assert_eq!(of_type(&events(&run.out), "finding").len(), 1),
                "sarif" => assert_eq!(sarif_run(&run.out)["results"].as_array().unwrap().len(), 1),
                _ => assert_eq!(commands(&run.out).1, [""; 0]),
            }
        }
    }
}

#[test]
fn conversions_write_theirs_to_standard_error_and_nothing_else_there() {
    let input = b"a\xE2\x82\xACb\xFFc";
    for (args, status, out, listed) in [
        (&["-t", "latin1"][..], 1, "a", 1),
        (&["-t", "latin1", "-e", "report"], 1, "a?b?c", 2),
        (&["-t", "latin1", "-e", "replace"], 0, "a?b?c", 0),
        (&["-t", "latin1", "-c", "--stats"], 1, "abc", 0),
        (&["-t", "latin1", "-e", "report", "-v", "--stats"], 1, "a?b?c", 2),
        (&["-t", "latin1", "-e", "report", "--color=always", "--progress=always"], 1, "a?b?c", 2),
    ] {
        for format in MACHINE_FORMATS {
            let run = Dir::new().run_on(&[&["--format", format], args].concat(), input);
            assert_eq!((run.status, run.out()), (status, out), "{format} {args:?}");
            assert!(!run.err.contains(&0x1B), "{format} {args:?}");
            let found = match format {
                "json" => {
                    let events = events(&run.err);
                    assert_eq!(events[0]["task"], "convert");
                    let end = of_type(&events, "end")[0];
                    assert_eq!(end["stopped"], args.len() == 2, "{args:?}");
                    assert_eq!(end["bytes_written"], out.len());
                    of_type(&events, "finding").len()
                }
                "sarif" => sarif_run(&run.err)["results"].as_array().unwrap().len(),
                _ => {
                    let (commands, others) = commands(&run.err);
                    assert_eq!(others.len(), usize::from(status == 0), "{others:?}");
                    commands.iter().filter(|command| command.name == "error").count()
                }
            };
            assert_eq!(found, listed, "{format} {args:?}");
        }
    }
}

#[test]
fn exit_statuses_are_those_of_text() {
    let dir = Dir::new();
    dir.write(b"good", b"a");
    dir.write(b"bad", b"\xFF");
    for args in [
        &["--check", "good"][..],
        &["--check", "bad"],
        &["--check", "good", "missing", "bad"],
        &["--check", "-t", "ascii", "good"],
        &["bad"],
        &["-e", "replace", "bad"],
        &["-c", "bad"],
        &["-o", "out", "bad"],
        &["-o", "out", "good"],
        &["-i", "--dry-run", "good", "bad"],
        &["-O", "tree", "good", "bad"],
        &["-r", "good"],
        &["--check", "--files0-from", "missing"],
        &["--no-such-option"],
    ] {
        let text = dir.run(args).status;
        for format in MACHINE_FORMATS {
            let run = dir.run(&[&["--format", format], args].concat());
            assert_eq!(run.status, text, "{format} {args:?}");
        }
    }
}

#[test]
fn max_reports_bounds_what_is_printed_of_a_file_and_never_the_count() {
    let dir = Dir::new();
    for name in [b"one", b"two"] {
        dir.write(name, &b"\xFF\n".repeat(25));
    }
    // The number of findings printed by default, with a limit of 3 per file, and with 0, which is no limit.
    for (format, limits) in [("json", [50, 6, 50]), ("sarif", [50, 6, 50]), ("github", [40, 6, 50])]
    {
        for (option, printed) in
            [&[][..], &["--max-reports", "3"], &["--max-reports", "0"]].into_iter().zip(limits)
        {
            let run =
                dir.run(&[&["--check", "--format", format], option, &["one", "two"]].concat());
            let (found, total, withheld) = match format {
                "json" => {
                    let events = events(&run.out);
                    let summary = events.last().unwrap();
                    let withheld = of_type(&events, "end")
                        .iter()
                        .map(|end| end["withheld"].as_u64().unwrap())
                        .sum();
                    assert_eq!(summary["withheld"], withheld);
                    (of_type(&events, "finding").len(), summary["findings"].clone(), withheld)
                }
                "sarif" => {
                    let run = sarif_run(&run.out);
                    let counts = &run["properties"];
                    let notes = run["invocations"][0]["toolExecutionNotifications"].clone();
                    let withheld = counts["withheld"].as_u64().unwrap();
                    assert_eq!(notes.as_array().unwrap().len(), if withheld > 0 { 2 } else { 0 });
                    let found = run["results"].as_array().unwrap().len();
                    (found, counts["findings"].clone(), withheld)
                }
                _ => {
                    let (commands, others) = commands(&run.out);
                    let withheld = others
                        .iter()
                        .map(|line| line.split(' ').nth(2).unwrap().parse::<u64>().unwrap())
                        .sum();
                    let words = &commands.last().unwrap().message;
                    assert!(words.contains("50 findings in 2 files (50 invalid-byte)"), "{words}");
                    (commands.len() - 1, json!(50), withheld)
                }
            };
            assert_eq!((found, total), (printed, json!(50)), "{format} {option:?}");
            assert_eq!(withheld, 50 - printed as u64, "{format} {option:?}");
        }
    }
}

#[test]
fn a_file_that_cannot_be_read_is_told_of_in_its_place_and_the_others_are_checked() {
    let dir = Dir::new();
    dir.write(b"a", b"\xFF");
    dir.write(b"dir/x", b"");
    dir.write(b"z", b"\xFE");
    for format in MACHINE_FORMATS {
        let run = dir.run(&["--check", "--format", format, "a", "missing", "dir", "z"]);
        assert_eq!(run.status, 2, "{format}");
        let errors =
            ["missing: No such file or directory", "dir: is a directory (use -r to descend)"];
        assert_eq!(run.err().lines().collect::<Vec<_>>(), errors.map(|e| format!("oxiconv: {e}")));
        match format {
            "json" => {
                let events = events(&run.out);
                let order: Vec<_> = events
                    .iter()
                    .filter(|event| matches!(event["type"].as_str(), Some("finding" | "error")))
                    .map(|event| event["path"]["text"].as_str().unwrap())
                    .collect();
                assert_eq!(order, ["a", "missing", "dir", "z"]);
                let told: Vec<_> =
                    of_type(&events, "error").iter().map(|e| e["message"].clone()).collect();
                assert_eq!(told, errors);
                assert_eq!(events.last().unwrap()["errors"], 2);
                assert_eq!(events.last().unwrap()["exit_status"], 2);
            }
            "sarif" => {
                let sarif = sarif_run(&run.out);
                assert_eq!(sarif["results"].as_array().unwrap().len(), 2);
                let invocation = &sarif["invocations"][0];
                assert_eq!(invocation["executionSuccessful"], false);
                let told = invocation["toolExecutionNotifications"].as_array().unwrap();
                assert_eq!(told.len(), 2);
                assert_eq!(told[0]["message"]["text"], errors[0]);
                assert_eq!(place(&told[0])["artifactLocation"]["uri"], "missing");
                assert_eq!(told[1]["level"], "error");
            }
            _ => {
                let (commands, _) = commands(&run.out);
                let files: Vec<_> = commands.iter().filter_map(|c| c.get("file")).collect();
                assert_eq!(files, ["a", "missing", "dir", "z"]);
                assert!(commands.last().unwrap().message.ends_with(", 2 errors"));
            }
        }
    }
}

/// `/proc/self/mem` can be opened, but a read at offset 0 fails.
#[cfg(unix)]
#[test]
fn a_file_that_fails_on_the_way_has_a_beginning_and_no_end() {
    let dir = Dir::new();
    dir.write(b"good", b"abc");
    let run = dir.run(&["--check", "--format", "json", "/proc/self/mem", "good"]);
    assert_eq!(run.status, 2);
    let told = events(&run.out);
    let types: Vec<_> = told.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["start", "begin", "error", "begin", "end", "summary"]);
    assert_eq!(told[2]["message"], "/proc/self/mem: cannot read: Input/output error");
    assert_eq!(told[5]["files"], 1);
}

#[cfg(unix)]
#[test]
fn a_run_that_ends_by_an_error_is_a_whole_document_too() {
    let dir = Dir::new();
    dir.write(b"good", b"abc");
    for (args, words) in [
        (
            &["--check", "--files0-from", "missing"][..],
            "cannot read the names in missing: No such file or directory",
        ),
        (
            &["-o", "no/such/place", "good"],
            "no/such/place: cannot write: No such file or directory",
        ),
        (&["-o", "/dev/full", "good"], "/dev/full: cannot write: No space left on device"),
        (&["-i=.bak", "-"], "standard input cannot be converted in place or into a directory"),
    ] {
        for format in MACHINE_FORMATS {
            let run = dir.run(&[&["--format", format], args].concat());
            assert_eq!(run.status, 2);
            let stream = if args[0] == "--check" { &run.out } else { &run.err };
            let told = match format {
                "json" => {
                    let events = events(stream);
                    assert_eq!(events.last().unwrap()["exit_status"], 2);
                    of_type(&events, "error")[0]["message"].as_str().unwrap().to_owned()
                }
                "sarif" => {
                    let invocation = sarif_run(stream)["invocations"][0].clone();
                    assert_eq!(invocation["exitCode"], 2);
                    let told = &invocation["toolExecutionNotifications"][0];
                    told["message"]["text"].as_str().unwrap().to_owned()
                }
                _ => commands(stream).0[0].message.clone(),
            };
            assert!(told.starts_with(words), "{format} {args:?}: {told}");
        }
    }
}

#[test]
fn an_empty_run_is_a_whole_document_too() {
    let dir = Dir::new();
    fs::create_dir(dir.path(b"empty")).unwrap();
    let json = dir.run(&["--check", "-r", "--format", "json", "empty"]);
    assert_eq!(json.status, 0);
    let told = events(&json.out);
    assert_eq!((told.len(), &told[1]["files"]), (2, &json!(0)));
    let sarif = dir.run(&["--check", "-r", "--format", "sarif", "empty"]);
    assert_eq!(sarif_run(&sarif.out)["results"], json!([]));
    let github = dir.run(&["--check", "-r", "--format", "github", "empty"]);
    assert_eq!(github.out(), "oxiconv: 0 files, 0 bytes, 0 characters: no findings\n");
}

#[cfg(unix)]
#[test]
fn json_is_a_short_form_in_every_mode_that_has_the_format() {
    let dir = Dir::new();
    dir.write(b"bad", b"caf\xE9");
    dir.write(b"na\xEFf", b"a");
    let shard = dir.run(&["--check", "--json", "--shard", "1/1", "bad"]);
    dir.write(b"shard", &shard.out);
    for args in [
        &["--check", "bad"][..],
        &["-e", "report", "bad"],
        &["-o", "out", "-f", "latin1", "bad"],
        &["-i", "--dry-run", "-f", "latin1", "bad"],
        &["-O", "outs", "-f", "latin1", "bad"],
        &["--detect", "bad"],
        &["--names", "-f", "latin1", "-r", "."],
        &["--merge-findings", "shard"],
        &["--list", "koi8-r"],
    ] {
        let long = dir.run(&[args, &["--format", "json"]].concat());
        let short = dir.run(&[args, &["--json"]].concat());
        assert_eq!(short.status, long.status, "{args:?}");
        assert_eq!((short.out(), short.err()), (long.out(), long.err()), "{args:?}");
        let document = if short.out.starts_with(b"{") { &short.out } else { &short.err };
        assert!(document.starts_with(br#"{"type":"start","#), "{args:?}");
    }
}

#[test]
fn notes_are_told_unless_quiet() {
    let input = b"h\0i\0!\0";
    for (quiet, expected) in [(&[][..], 1), (&["-q"], 0)] {
        let args = [&["-f", "utf-16"], quiet].concat();
        let json = check("json", &args, input);
        assert_eq!(of_type(&events(&json.out), "note").len(), expected);
        let sarif = sarif_run(&check("sarif", &args, input).out);
        let told =
            sarif["invocations"][0]["toolExecutionNotifications"].as_array().unwrap().clone();
        assert_eq!(told.len(), expected);
        assert!(told.iter().all(|note| note["level"] == "note"));
        let github = check("github", &args, input);
        let (commands, _) = commands(&github.out);
        assert_eq!(commands.len(), expected);
        assert!(commands.iter().all(|command| command.message.contains("--endian")));
    }
}

#[test]
fn every_format_says_what_a_fallback_encoding_lacks() {
    let dir = Dir::new();
    dir.write(b"f", b"caf\xFF");
    for format in ["text", "json", "sarif", "github", "gitlab", "junit", "html"] {
        let strict = ["-f", "utf-8", "-t", "utf-8", "--fallback", "gb18030"];
        let done = dir.run(&[&strict[..], &["--format", format, "f"]].concat());
        assert!(
            done.err().contains("byte FF is not assigned in GB18030"),
            "{format}: {}",
            done.err()
        );
    }
}

#[test]
fn what_is_skipped_is_reported() {
    let dir = Dir::new();
    dir.write(b"d/bin", b"a\0b");
    dir.write(b"d/text", b"a");
    let events = events(&dir.run(&["--check", "-r", "--format", "json", "d"]).out);
    assert_eq!(of_type(&events, "passed-over")[0]["path"]["text"], "d/bin");
    let summary = events.last().unwrap();
    assert_eq!((&summary["files"], &summary["passed_over"]), (&json!(1), &json!(1)));
}

#[test]
fn fingerprints_stay_when_lines_move_and_tell_findings_apart() {
    let prints = |text: &[u8]| -> Vec<String> {
        let run = sarif_run(&check("sarif", &[], text).out);
        let results = run["results"].as_array().unwrap();
        let print = |result: &Value| result["partialFingerprints"]["oxiconvFinding/v1"].to_string();
        results.iter().map(print).collect()
    };
    let before = prints(b"one \xFF\ntwo \xFF\nthree \xE9!\n");
    let mut distinct = before.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!((before.len(), distinct.len()), (3, 3));
    assert_eq!(prints(b"put\nin\none \xFF\n\nmore two \xFF\nthree \xE9!\n"), before);
    // Another finding in the first line changes no fingerprint of the others.
    assert_eq!(prints(b"\xFE one \xFF\ntwo \xFF\nthree \xE9!\n")[1..], before);
}

/// A brace in a message would begin a placeholder (SARIF 3.11.5), so it is doubled.
#[test]
fn braces_in_messages_of_sarif_are_doubled() {
    let run = sarif_run(&check("sarif", &["-t", "utf-8-hunk4"], b"{").out);
    assert_eq!(
        run["results"][0]["message"]["text"],
        "U+007B ({{) cannot be represented in UTF-8-HUNK4"
    );
    assert_eq!(run["results"][0]["ruleId"], "unmappable");
}

#[test]
fn github_sums_up_at_the_end_and_knows_of_the_ten() {
    let ten = check("github", &[], &b"\xFF".repeat(10));
    let (told, _) = commands(&ten.out);
    assert_eq!(told.len(), 11);
    assert_eq!(told[10].name, "notice");
    assert_eq!(
        told[10].message,
        "1 file, 10 bytes, 0 characters: 10 findings in 1 file (10 invalid-byte)"
    );
    let eleven = check("github", &[], &b"\xFF".repeat(11));
    let words = &commands(&eleven.out).0[11].message;
    assert!(words.ends_with("; GitHub shows 10 annotations per step; the log has all"), "{words}");
    let quiet = check("github", &["-q"], &b"\xFF".repeat(11));
    assert_eq!(commands(&quiet.out).0.len(), 11);
    let clean = check("github", &[], b"fine");
    assert_eq!(clean.out(), "oxiconv: 1 file, 4 bytes, 4 characters: no findings\n");
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_every_form_as_it_ends_cat() {
    let dir = Dir::new();
    dir.write(b"bad", &b"\xFF\n".repeat(100_000));
    for format in ["text", "json", "sarif", "github"] {
        let mut child = Process::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
            .args(["--check", "--max-reports", "0", "--format", format])
            .arg(dir.path(b"bad"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.signal(), Some(13), "{format}: not ended by SIGPIPE");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{format}");
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_told_of_once() {
    let dir = Dir::new();
    dir.write(b"bad", b"\xFF\n");
    for format in ["text", "json", "sarif", "github"] {
        let output = Process::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
            .args(["--check", "--format", format])
            .arg(dir.path(b"bad"))
            .stdout(File::options().write(true).open("/dev/full").unwrap())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{format}");
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            "oxiconv: (standard output): cannot write: No space left on device\n",
            "{format}"
        );
    }
}

/// In each format, half a million findings are more output than the address space that the program gets (80 MB).
#[cfg(unix)]
#[test]
fn findings_are_written_as_they_come_and_not_kept() {
    let dir = Dir::new();
    // 80 and 81 alternate, because json prints a run of equal findings as one event.
    dir.write(b"bad", &b"\x80\x81".repeat(250_000));
    for format in sample::every(4, MACHINE_FORMATS) {
        let script = format!(
            "ulimit -v 80000; exec {} --check --max-reports 0 -j 1 --format {format} bad | wc -c",
            assert_cmd::cargo::cargo_bin!("oxiconv").display()
        );
        let output = Process::new("bash")
            .args(["-c", &format!("set -o pipefail; {script}")])
            .current_dir(dir.path(b""))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{format}: {output:?}");
        let bytes: u64 = String::from_utf8(output.stdout).unwrap().trim().parse().unwrap();
        assert!(bytes > 70_000_000, "{format}: {bytes}");
    }
}

#[test]
fn the_list_is_for_machines_too() {
    let dir = Dir::new();
    let run = dir.run(&["--list", "--format=json"]);
    assert_eq!((run.status, run.err()), (0, ""));
    let events = events(&run.out);
    assert_eq!(events[0]["task"], "list");
    let rows = &events[1..];
    assert_eq!(rows.len(), oxiconv::Encoding::all().count());
    for (row, encoding) in rows.iter().zip(oxiconv::Encoding::all()) {
        assert_eq!(row["type"], "encoding");
        assert_eq!(row["name"], encoding.name());
        assert_eq!(row["aliases"], json!(encoding.aliases().collect::<Vec<_>>()));
        assert_eq!(row["summary"], encoding.summary());
        assert_eq!(row["source"], encoding.source());
        assert_eq!(row["year"], json!(encoding.year()));
        assert_eq!(row["structure"], json!(encoding.structure()));
        assert_eq!(row["vendors"], json!(encoding.vendors().collect::<Vec<_>>()));
        assert_eq!(row["unit"], encoding.unit());
    }
    let bits = |name: &str| rows.iter().find(|row| row["name"] == name).unwrap()["bits"].clone();
    assert_eq!(
        (bits("UTF-8"), bits("UCS-4"), bits("UTF-8-65BIT")),
        (Value::Null, json!(31), json!(65))
    );
    for format in ["sarif", "github"] {
        let run = dir.run(&["--list", "--format", format]);
        assert_eq!((run.status, run.out()), (2, ""));
        assert_eq!(
            run.err(),
            format!(
                "oxiconv: --list cannot be combined with --format {format}, only with text and json\n"
            )
        );
    }
}

#[test]
fn check_of_many_files_sums_up_on_standard_error() {
    let dir = Dir::new();
    dir.write(b"d/a", "é\n".as_bytes());
    dir.write(b"d/b", b"\xFF\x80\n");
    dir.write(b"d/c", b"\xFF");
    dir.write(b"d/bin", b"a\0");
    let run = dir.run(&["--check", "-r", "d", "missing"]);
    assert_eq!((run.status, run.out().lines().count()), (2, 3));
    assert_eq!(
        run.err(),
        "oxiconv: missing: No such file or directory\n\
         oxiconv: 3 files, 7 bytes, 3 characters: 3 findings in 2 files \
         (1 unexpected-continuation, 2 invalid-byte), 1 binary file skipped, 1 error\n"
    );
    let clean = dir.run(&["--check", "d/a", "d/a"]);
    assert_eq!(clean.status, 0);
    assert_eq!(clean.err(), "oxiconv: 2 files, 6 bytes, 4 characters: no findings\n");
    // There is no such line for a single file, with -q, or with --stats, which prints more.
    assert_eq!(dir.run(&["--check", "d/b"]).err(), "");
    assert_eq!(dir.run(&["--check", "-q", "d/a", "d/b"]).err(), "");
    let stats = dir.run(&["--check", "--stats", "d/a", "d/b"]);
    assert!(stats.err().contains("findings                   2\n"), "{}", stats.err());
    assert!(!stats.err().contains("2 files,"), "{}", stats.err());
    // Nor for a conversion.
    assert_eq!(dir.run(&["d/a", "d/a"]).err(), "");
}

#[test]
fn silent_leaves_the_counts_to_machines() {
    let run = check("json", &["-s"], b"\xFF");
    let events = events(&run.out);
    assert_eq!((run.status, of_type(&events, "finding").len()), (1, 0));
    assert_eq!(events.last().unwrap()["findings"], 1);
}

/// Returns the table rows of a section of a page in docs/: the code span in the first cell, and the rest.
fn table(page: &str, section: &str) -> Vec<(String, String)> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let page = fs::read_to_string(docs.join(page)).unwrap();
    let (_, text) = page.split_once(&format!("\n## {section}\n")).unwrap();
    let text = text.split("\n## ").next().unwrap();
    text.lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once("` | "))
        .map(|(id, meaning)| (id.to_owned(), meaning.trim_end_matches(" |").to_owned()))
        .collect()
}

#[test]
fn every_rule_is_documented_and_no_other() {
    let rules: Vec<_> =
        RULES.iter().map(|rule| (rule.kind.id().to_owned(), rule.summary.to_owned())).collect();
    assert_eq!(table("kinds.md", "Kinds"), rules);
}

#[test]
fn every_event_is_documented_and_no_other() {
    let schema =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/findings.schema.json"))
            .unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let mut events: Vec<_> = schema["oneOf"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["$ref"].as_str().unwrap().rsplit('/').next().unwrap().to_owned())
        .collect();
    let mut told: Vec<_> = table("json.md", "Events").into_iter().map(|(event, _)| event).collect();
    events.sort();
    told.sort();
    assert_eq!(told, events);
}
