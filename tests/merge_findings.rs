//! `--merge-findings`: the documents of shards become the document of a plain run. Most documents here are
//! hand-written, and their places and counts were counted by hand. Random ones are compared with a plain run.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::Dir;
use crate::formats::{events, of_type};
use crate::sample;
use proptest::prelude::*;
use serde_json::{Value, json};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns the start event of shard `index` of `of`.
fn start(index: u64, of: u64) -> String {
    let plain = plain_start();
    format!(r#"{},"shard":{{"index":{index},"of":{of}}}}}"#, &plain[..plain.len() - 1])
}

fn plain_start() -> String {
    let start = r#"{"type":"start","version":2,"tool":"oxiconv""#;
    format!(r#"{start},"tool_version":"{VERSION}","task":"check"}}"#)
}

fn begin(path: &str) -> String {
    format!(r#"{{"type":"begin","path":{{"text":"{path}"}}}}"#)
}

fn note(path: &str, message: &str) -> String {
    format!(r#"{{"type":"note","path":{{"text":"{path}"}},"message":"{message}"}}"#)
}

fn error(path: &str) -> String {
    format!(r#"{{"type":"error","path":{{"text":"{path}"}},"message":"{path}: broken"}}"#)
}

/// Returns a finding of the byte FF.
fn ff(path: &str, line: u64, column: u64, offset: u64) -> String {
    format!(
        r#"{{"type":"finding","path":{{"text":"{path}"}},"kind":"invalid-byte","level":"error","line":{line},"column":{column},"offset":{offset},"length":1,"bytes":"FF","encoding":"UTF-8","stops":false,"message":"FF never occurs in UTF-8"}}"#
    )
}

/// Bytes, characters, line ends and findings of FF in a text.
type Counts = [u64; 4];

fn counts([bytes, characters, line_ends, findings]: Counts) -> String {
    let by_kind =
        if findings > 0 { format!(r#""invalid-byte":{findings}"#) } else { String::new() };
    format!(
        r#""bytes":{bytes},"bytes_written":0,"characters":{characters},"line_ends":{line_ends},"findings":{findings},"by_kind":{{{by_kind}}},"withheld":0"#
    )
}

fn end(path: &str, of: Counts) -> String {
    let counts = counts(of);
    format!(r#"{{"type":"end","path":{{"text":"{path}"}},"stopped":false,{counts}}}"#)
}

/// Returns the end event of a piece. The last argument is the offset of the piece, the offset after it, the size of the
/// file, the number of lines in the piece, and the column after it.
fn part(path: &str, of: Counts, [start, end, size, lines, column]: [u64; 5]) -> String {
    let whole = self::end(path, of);
    format!(
        r#"{},"part":{{"start":{start},"end":{end},"size":{size},"lines":{lines},"column":{column}}}}}"#,
        &whole[..whole.len() - 1]
    )
}

fn summary(files: u64, with_findings: u64, of: Counts, errors: u64, status: u8) -> String {
    let counts = counts(of);
    format!(
        r#"{{"type":"summary","files":{files},"files_with_findings":{with_findings},"passed_over":0,"refused":0,"left_alone":0,"errors":{errors},{counts},"exit_status":{status}}}"#
    )
}

fn document(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A text of 24 bytes. Its lines are `abFFcdef`, `ghiFFjklFF` and `mFFnopq`, where FF is that byte.
const TEXT: &[u8] = b"ab\xFFcdef\nghi\xFFjkl\xFF\nm\xFFnopq\n";

/// Returns the documents of three shards of [`TEXT`]. Both borders, at bytes 10 and 14, are inside the second line.
fn three() -> [String; 3] {
    [
        document(&[
            start(1, 3),
            begin("t"),
            ff("t", 1, 3, 2),
            part("t", [10, 9, 1, 1], [0, 10, 24, 1, 3]),
            summary(1, 1, [10, 9, 1, 1], 0, 1),
        ]),
        document(&[
            start(2, 3),
            begin("t"),
            ff("t", 1, 2, 11),
            part("t", [4, 3, 0, 1], [10, 14, 24, 0, 5]),
            summary(1, 1, [4, 3, 0, 1], 0, 1),
        ]),
        document(&[
            start(3, 3),
            begin("t"),
            ff("t", 1, 2, 15),
            ff("t", 2, 2, 18),
            part("t", [10, 8, 2, 2], [14, 24, 24, 2, 1]),
            summary(1, 1, [10, 8, 2, 2], 0, 1),
        ]),
    ]
}

/// Returns the document of a plain run over [`TEXT`].
fn whole() -> String {
    document(&[
        plain_start(),
        begin("t"),
        ff("t", 1, 3, 2),
        ff("t", 2, 4, 11),
        ff("t", 2, 8, 15),
        ff("t", 3, 2, 18),
        end("t", [24, 20, 3, 4]),
        summary(1, 1, [24, 20, 3, 4], 0, 1),
    ])
}

/// Merges documents. Returns exit status, standard output and standard error.
fn merge(documents: &[String]) -> (i32, String, String) {
    let dir = Dir::new();
    let names: Vec<_> = (1..=documents.len()).map(|number| format!("{number}.json")).collect();
    for (name, document) in names.iter().zip(documents) {
        dir.write(name, document.as_bytes());
    }
    let mut args = vec!["--merge-findings"];
    args.extend(names.iter().map(String::as_str));
    dir.run(&args)
}

/// Merges documents that fit together. Returns the result, which must follow the published schema.
fn merged(documents: &[String], status: i32) -> String {
    let (ended, out, err) = merge(documents);
    assert_eq!((ended, &err[..]), (status, ""));
    events(out.as_bytes());
    out
}

/// Checks that documents are refused with this message and that nothing is written.
fn refused(documents: &[String], message: &str) {
    assert_eq!(merge(documents), (2, String::new(), format!("oxiconv: {message}\n")));
}

#[test]
fn the_documents_of_shards_follow_the_schema() {
    for document in three() {
        events(document.as_bytes());
    }
}

#[test]
fn pieces_of_a_file_become_one_file_with_the_places_of_the_whole() {
    assert_eq!(merged(&three(), 1), whole());
}

/// The hand-written document of [`whole`] is that of a real run.
#[test]
fn the_merged_document_is_that_of_a_plain_run() {
    let dir = Dir::new();
    dir.write("t", TEXT);
    let (status, out, _) = dir.run(&["--check", "--format", "json", "t"]);
    assert_eq!((status, without_guesses(&out)), (1, without_guesses(&whole())));
}

#[cfg(unix)]
#[test]
fn documents_may_come_in_any_order_and_through_pipes() {
    let [one, two, three] = three();
    let dir = Dir::new();
    for (name, document) in [("1", &one), ("2", &two), ("3", &three)] {
        dir.write(name, document.as_bytes());
    }
    assert_eq!(merged(&[three.clone(), one.clone(), two.clone()], 1), whole());
    let program = assert_cmd::cargo::cargo_bin!("oxiconv").display();
    for command in [
        "--merge-findings 3 - 1 <2",
        "--merge-findings --format json 1 <(cat 2) 3",
        "--merge-findings 1 2 - -o - < <(cat 3)",
        "--merge-findings 2 1 3 -o out; status=$?; cat out; (exit $status)",
    ] {
        let output = Command::new("bash")
            .args(["-c", &format!("'{program}' {command}")])
            .current_dir(dir.0.path())
            .output()
            .unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{command}");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), whole(), "{command}");
        assert_eq!(output.status.code(), Some(1), "{command}");
    }
    assert_eq!(dir.names(), ["1", "2", "3", "out"]);
}

#[test]
fn a_file_in_two_shards_is_counted_once() {
    let documents = [
        document(&[
            start(1, 3),
            begin("a"),
            ff("a", 1, 1, 0),
            end("a", [5, 4, 1, 1]),
            begin("b"),
            ff("b", 2, 1, 7),
            part("b", [9, 8, 2, 1], [0, 9, 20, 2, 1]),
            summary(2, 2, [14, 12, 3, 2], 0, 1),
        ]),
        document(&[
            start(2, 3),
            begin("b"),
            part("b", [6, 6, 1, 0], [9, 15, 20, 1, 1]),
            summary(1, 0, [6, 6, 1, 0], 0, 0),
        ]),
        document(&[
            start(3, 3),
            begin("b"),
            ff("b", 1, 4, 18),
            part("b", [5, 4, 1, 1], [15, 20, 20, 1, 1]),
            begin("c"),
            end("c", [3, 3, 1, 0]),
            summary(2, 1, [8, 7, 2, 1], 0, 1),
        ]),
    ];
    let expected = document(&[
        plain_start(),
        begin("a"),
        ff("a", 1, 1, 0),
        end("a", [5, 4, 1, 1]),
        begin("b"),
        ff("b", 2, 1, 7),
        ff("b", 4, 4, 18),
        end("b", [20, 18, 4, 2]),
        begin("c"),
        end("c", [3, 3, 1, 0]),
        summary(3, 2, [28, 25, 6, 3], 0, 1),
    ]);
    assert_eq!(merged(&documents, 1), expected);
}

#[test]
fn shards_without_a_byte_of_a_file_add_nothing() {
    // The second of five shards has the whole file. The fourth has no file at all.
    let empty = |index, at, file| {
        let mut lines = vec![start(index, 5)];
        if file {
            lines.extend([begin("t"), part("t", [0, 0, 0, 0], [at, at, 4, 0, 1])]);
        }
        lines.push(summary(u64::from(file), 0, [0, 0, 0, 0], 0, 0));
        document(&lines)
    };
    let expected = document(&[
        plain_start(),
        begin("t"),
        ff("t", 1, 2, 1),
        end("t", [4, 3, 1, 1]),
        summary(1, 1, [4, 3, 1, 1], 0, 1),
    ]);
    let of_all = [end("t", [4, 3, 1, 1]), part("t", [4, 3, 1, 1], [0, 4, 4, 1, 1])];
    for of_all in of_all {
        let all = document(&[
            start(2, 5),
            begin("t"),
            ff("t", 1, 2, 1),
            of_all,
            summary(1, 1, [4, 3, 1, 1], 0, 1),
        ]);
        let last = |file| {
            [
                empty(1, 0, true),
                all.clone(),
                empty(3, 4, true),
                empty(4, 4, false),
                empty(5, 4, file),
            ]
        };
        assert_eq!(merged(&last(false), 1), expected);
    }
    // A run without files.
    let nothing = document(&[start(1, 1), summary(0, 0, [0, 0, 0, 0], 0, 0)]);
    let expected = document(&[plain_start(), summary(0, 0, [0, 0, 0, 0], 0, 0)]);
    assert_eq!(merged(&[nothing], 0), expected);
}

#[test]
fn notes_come_once() {
    let documents = [
        document(&[
            start(1, 2),
            note(".editorconfig", "line 3: unknown"),
            begin("t"),
            note("t", "one"),
            note("t", "two"),
            part("t", [2, 2, 0, 0], [0, 2, 4, 0, 3]),
            summary(1, 0, [2, 2, 0, 0], 0, 0),
        ]),
        document(&[
            start(2, 2),
            note(".editorconfig", "line 3: unknown"),
            begin("t"),
            ff("t", 1, 1, 2),
            note("t", "two"),
            note("t", "three"),
            part("t", [2, 1, 1, 1], [2, 4, 4, 1, 1]),
            begin("u"),
            note("u", "two"),
            end("u", [0, 0, 0, 0]),
            summary(2, 1, [2, 1, 1, 1], 0, 1),
        ]),
    ];
    let expected = document(&[
        plain_start(),
        note(".editorconfig", "line 3: unknown"),
        begin("t"),
        ff("t", 1, 3, 2),
        note("t", "one"),
        note("t", "two"),
        note("t", "three"),
        end("t", [4, 3, 1, 1]),
        begin("u"),
        note("u", "two"),
        end("u", [0, 0, 0, 0]),
        summary(2, 1, [4, 3, 1, 1], 0, 1),
    ]);
    assert_eq!(merged(&documents, 1), expected);
}

#[test]
fn a_skipped_file_at_a_border_is_counted_once() {
    let skipped = r#"{"type":"passed-over","path":{"text":"x"}}"#.to_owned();
    let one = summary(0, 0, [0; 4], 0, 0).replace("\"passed_over\":0", "\"passed_over\":1");
    let documents = [1, 2, 3].map(|at| document(&[start(at, 3), skipped.clone(), one.clone()]));
    assert_eq!(merged(&documents, 0), document(&[plain_start(), skipped, one]));
}

#[test]
fn events_and_members_of_later_releases_stay_as_they_are() {
    let new = r#"{"type":"later","a" : [1, {"b":null}]}"#.to_owned();
    let [one, two, three] = three().map(|it| it.replace("\"stops\":", "\"new\":[1, 2],\"stops\":"));
    let two = two.replace("{\"type\":\"begin\"", &format!("{new}\n{{\"type\":\"begin\""));
    let two = two.replace("{\"type\":\"finding\"", &format!("{new}\n{{\"type\":\"finding\""));
    let one = one.replace("\"stopped\":", "\"fresh\":{\"x\":1.50},\"stopped\":");
    let (status, out, err) = merge(&[one, two, three]);
    assert_eq!((status, &err[..]), (1, ""));
    let expected = whole()
        .replace("\"stops\":", "\"new\":[1, 2],\"stops\":")
        .replace("\"stopped\":", "\"fresh\":{\"x\":1.50},\"stopped\":")
        .replace(&ff("t", 2, 4, 11)[..30], &format!("{new}\n{}", &ff("t", 2, 4, 11)[..30]));
    // The unknown event comes twice: before the `begin` of the second shard, and before its finding.
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines.iter().filter(|line| **line == new).count(), 2);
    let others = |text: &str| -> Vec<String> {
        text.lines().filter(|line| *line != new).map(str::to_owned).collect()
    };
    assert_eq!(others(&out), others(&expected));
}

/// Findings are copied byte for byte, except for characters that could control a terminal.
#[test]
fn strings_of_findings_are_not_touched() {
    let [one, two, three] = three();
    let odd = r#""message":"\"line\":9,\"column\":9 \u00e9 é \\""#;
    let [two, expected] = [two, whole()].map(|text| {
        let lines = text.lines().map(|line| match line.contains("\"offset\":11,") {
            true => line.replace(r#""message":"FF never occurs in UTF-8""#, odd),
            false => line.to_owned(),
        });
        document(&lines.collect::<Vec<_>>())
    });
    assert_eq!(merged(&[one.clone(), two.clone(), three.clone()], 1), expected);
    let two = two.replace('é', "\u{9B}\u{202E}");
    let expected = expected.replace('é', "\\u009b\\u202e");
    assert_eq!(merged(&[one, two, three], 1), expected);
}

#[test]
fn an_error_of_a_shard_ends_its_file() {
    let [one, _, three] = three();
    let expected_error = summary(0, 0, [0; 4], 1, 2);
    // The error is in the middle of the file.
    let two =
        document(&[start(2, 3), begin("t"), ff("t", 1, 2, 11), error("t"), expected_error.clone()]);
    let (status, out, err) = merge(&[one.clone(), two, three.clone()]);
    let words = "t: what follows its error is left out, because its lines are unknown";
    assert_eq!((status, err), (2, format!("oxiconv: {words}\n")));
    let with_errors = document(&[
        plain_start(),
        begin("t"),
        ff("t", 1, 3, 2),
        ff("t", 2, 4, 11),
        error("t"),
        expected_error.clone(),
    ]);
    assert_eq!(out, with_errors);
    events(out.as_bytes());
    // The second shard could not even open the file. Neither could the first.
    let failed = |index| document(&[start(index, 3), error("t"), expected_error.clone()]);
    let (status, out, _) = merge(&[one.clone(), failed(2), three.clone()]);
    let expected = document(&[
        plain_start(),
        begin("t"),
        ff("t", 1, 3, 2),
        error("t"),
        expected_error.clone(),
    ]);
    assert_eq!((status, out), (2, expected));
    let (status, out, _) = merge(&[failed(1), self::three()[1].clone(), three.clone()]);
    let expected = document(&[plain_start(), error("t"), expected_error.clone()]);
    assert_eq!((status, out), (2, expected));
    // The files after the failed one are complete.
    let three = three.replace(
        &summary(1, 1, [10, 8, 2, 2], 0, 1),
        &document(&[begin("u"), end("u", [7, 7, 1, 0]), summary(2, 1, [17, 15, 3, 2], 0, 1)]),
    );
    let (status, out, _) = merge(&[one, failed(2), three]);
    let expected = document(&[
        plain_start(),
        begin("t"),
        ff("t", 1, 3, 2),
        error("t"),
        begin("u"),
        end("u", [7, 7, 1, 0]),
        summary(1, 0, [7, 7, 1, 0], 1, 2),
    ]);
    assert_eq!((status, out), (2, expected));
}

#[test]
fn nothing_follows_the_finding_that_stops_a_conversion() {
    let convert = |text: String| text.replace("\"task\":\"check\"", "\"task\":\"convert\"");
    let [one, two, three] = three().map(convert);
    let two = two.replace("\"stopped\":false", "\"stopped\":true");
    let expected = document(&[
        convert(plain_start()),
        begin("t"),
        ff("t", 1, 3, 2),
        ff("t", 2, 4, 11),
        end("t", [14, 12, 1, 2]).replace("\"stopped\":false", "\"stopped\":true"),
        summary(1, 1, [14, 12, 1, 2], 0, 1),
    ]);
    assert_eq!(merged(&[one, two, three], 1), expected);
}

#[test]
fn only_all_shards_of_one_run_are_merged() {
    let [one, two, three] = three();
    let all = |two: &str| [one.clone(), two.to_owned(), three.clone()];
    refused(&[one.clone(), three.clone()], "shard 2 of 3 is missing");
    refused(std::slice::from_ref(&two), "shards 1, 3 of 3 are missing");
    refused(&all(&one), "2.json: shard 1 of 3, and so is 1.json");
    let other = two.replace("\"of\":3", "\"of\":4");
    refused(&all(&other), "2.json: is one of 4 shards, but 1.json is one of 3");
    let huge = one.replace("\"of\":3", &format!("\"of\":{}", u64::MAX));
    let message = format!(
        "shards 2, 3, 4, 5, 6, 7, 8, 9 and {} more of {} are missing",
        u64::MAX - 9,
        u64::MAX
    );
    refused(&[huge], &message);
    let other = two.replace("\"task\":\"check\"", "\"task\":\"convert\"");
    refused(&all(&other), "2.json: written by the task convert, but 1.json by check");
    let other = two.replace(VERSION, "99.0.0");
    let message = format!("2.json: written by oxiconv 99.0.0, but 1.json by {VERSION}");
    refused(&all(&other), &message);
    let other = two.replace("\"version\":2", "\"version\":1");
    refused(&all(&other), "2.json: line 1: version 1 of the format, not version 2");
    for index in [0, 4] {
        let other = two.replace("\"index\":2", &format!("\"index\":{index}"));
        refused(&all(&other), &format!("2.json: line 1: there is no shard {index} of 3"));
    }
    let other = two.replace(",\"shard\":{\"index\":2,\"of\":3}", "");
    let how = "(--shard K/N --format json writes them)";
    refused(&all(&other), &format!("2.json: the findings of a whole run, not of a shard {how}"));
    for other in
        ["", "\n", "t:1:3: error[invalid-byte]: FF", "[", "{\"type\":\"begin\"}", "{\"$schema\":"]
    {
        refused(&all(other), &format!("2.json: not a json document of findings {how}"));
    }
    let cut: String = two.lines().take(4).map(|line| format!("{line}\n")).collect();
    refused(&all(&cut), "2.json: no summary at its end: the run was cut off");
    let twice = format!("{two}{two}");
    refused(&all(&twice), "2.json: line 6: after the summary, which is the last event");
}

#[test]
fn the_pieces_of_a_file_must_fit() {
    let [one, two, three] = three();
    let with = |from: &str, to: &str| [one.clone(), two.replace(from, to), three.clone()];
    let at = "2.json: line 4:";
    refused(
        &with("\"start\":10", "\"start\":11"),
        &format!("{at} bytes 10 to 11 of t are missing"),
    );
    refused(
        &with("\"start\":10", "\"start\":9"),
        &format!("{at} bytes 9 to 10 of t are in two shards"),
    );
    let size = "t has 25 bytes here, and 24 in the shard before";
    refused(&with("\"size\":24", "\"size\":25"), &format!("{at} {size}"));
    refused(&with("\"t\"", "\"u\""), "2.json: bytes 10 to 24 of t are missing");
    for (from, to, what) in [
        ("\"end\":14", "\"end\":9", "bytes 10 to 9 of 24, and column 5,"),
        ("\"end\":14", "\"end\":25", "bytes 10 to 25 of 24, and column 5,"),
        ("\"column\":5", "\"column\":0", "bytes 10 to 14 of 24, and column 0,"),
    ] {
        refused(&with(from, to), &format!("{at} {what} are not a piece of a file"));
    }
    // The last piece does not reach the end of the file.
    let short = three.replace("\"end\":24", "\"end\":23");
    refused(&[one.clone(), two.clone(), short], "bytes 23 to 24 of t are missing");
    let nothing = document(&[start(2, 3), summary(0, 0, [0; 4], 0, 0)]);
    refused(&[one.clone(), nothing, three.clone()], "2.json: bytes 10 to 24 of t are missing");
    let whole = document(&[
        start(1, 3),
        begin("s"),
        end("s", [1, 1, 0, 0]),
        summary(1, 0, [1, 1, 0, 0], 0, 0),
    ]);
    let first = "2.json: line 4: bytes 0 to 10 of t are in no document before it";
    refused(&[whole, two.clone(), three.clone()], first);
    // Another file is between the pieces.
    let between = document(&[begin("s"), end("s", [1, 1, 0, 0])]);
    let other = one.replace("{\"type\":\"summary\"", &format!("{between}{{\"type\":\"summary\""));
    let other = other.replace("\"files\":1", "\"files\":2");
    refused(&[other, two.clone(), three.clone()], "1.json: bytes 10 to 24 of t are missing");
    let other = two.replace("\"files\":1", "\"files\":2");
    refused(&[one, other, three], "2.json: its summary has 2 files, but 1 have an end");
}

#[test]
fn hostile_documents_are_refused() {
    let [one, two, three] = three();
    let with = |from: &str, to: &str| [one.clone(), two.replace(from, to), three.clone()];
    let most = u64::MAX.to_string();
    let place = "2.json: line 3: a finding whose line or column is";
    refused_at_last(
        &with("\"line\":1,", &format!("\"line\":{most},")),
        &format!("{place} too large"),
    );
    refused_at_last(
        &with("\"column\":2,\"offset\"", &format!("\"column\":{most},\"offset\"")),
        &format!("{place} too large"),
    );
    for number in ["0", "-1", "1.5", "1e3", "\"1\"", "null", &format!("{most}0")] {
        refused_at_last(
            &with("\"line\":1,", &format!("\"line\":{number},")),
            &format!("{place} not a number from 1"),
        );
    }
    let lines = "2.json: line 4: its place in the file is too large";
    refused(&with("\"lines\":0", &format!("\"lines\":{most}")), lines);
    let column = with("\"lines\":0,\"column\":5", &format!("\"lines\":0,\"column\":{most}"));
    refused(&column, lines);
    let bytes = with("\"bytes\":4,", &format!("\"bytes\":{most},"));
    refused(&bytes, "2.json: the sum of bytes is too large");
    let fewer = with("\"exit_status\"", "\"bytes\":7,\"exit_status\"");
    assert_ne!(merge(&fewer).0, 101);
    let long = two.replace("FF never occurs", &"FF".repeat(2 << 20));
    refused(&[one.clone(), long, three.clone()], "2.json: line 3: longer than 4 MiB");
    let status = with("\"exit_status\":1", "\"exit_status\":3");
    refused(&status, "2.json: line 5: there is no exit status 3");
    let (begin, end) = (begin("t"), "{\"type\":\"end\"");
    refused(&with(&begin, ""), "2.json: line 3: a finding outside of a file");
    refused(
        &with(end, &format!("{end},\"path\":{{\"text\":\"u\"}}}}")),
        "2.json: line 4: not an event of --format json (trailing characters)",
    );
    let not_base64 = with(&begin, "{\"type\":\"begin\",\"path\":{\"bytes\":\"%\"}}");
    refused(&not_base64, "2.json: line 2: a path that is not in base64");
    // Deep nesting is harmless. Bytes that are not UTF-8 are refused.
    let deep =
        format!("{{\"type\":\"later\",\"x\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let deep = two.replace(&begin, &format!("{deep}\n{begin}"));
    assert_eq!(merge(&[one.clone(), deep, three.clone()]).0, 1);
    let dir = Dir::new();
    dir.write("1", one.as_bytes());
    dir.write("2", &[b"{\"type\":\"start\",\"\xFF\":1}\n", two.as_bytes()].concat());
    let (status, out, err) = dir.run(&["--merge-findings", "1", "2"]);
    assert_eq!((status, &out[..]), (2, ""));
    assert!(err.starts_with("oxiconv: 2: not a json document of findings"), "{err}");
}

/// Like [`refused`], for faults that are noticed only while the merged document is being written. With `-o`, no file is
/// left then.
fn refused_at_last(documents: &[String; 3], message: &str) {
    let dir = Dir::new();
    for (name, document) in ["1.json", "2.json", "3.json"].iter().zip(documents) {
        dir.write(name, document.as_bytes());
    }
    let args = ["--merge-findings", "1.json", "2.json", "3.json", "-o", "out"];
    let (status, out, err) = dir.run(&args);
    let message = format!("oxiconv: {message}\n");
    assert_eq!((status, &out[..], err), (2, "", message));
    assert_eq!(dir.names(), ["1.json", "2.json", "3.json"]);
}

#[test]
fn no_document_is_lost() {
    let dir = Dir::new();
    for (name, document) in ["1", "2", "3"].iter().zip(three()) {
        dir.write(name, document.as_bytes());
    }
    let (status, out, err) = dir.run(&["--merge-findings", "1", "2", "3", "-o", "2"]);
    assert_eq!((status, &out[..], &err[..]), (2, "", "oxiconv: 2: is also the output\n"));
    assert_eq!(dir.read("2"), self::three()[1].as_bytes());
    // An older result is kept if the run fails.
    dir.write("out", b"old");
    let (status, ..) = dir.run(&["--merge-findings", "1", "2", "-o", "out"]);
    assert_eq!((status, &dir.read("out")[..]), (2, &b"old"[..]));
    let (status, out, err) = dir.run(&["--merge-findings", "1", "2", "4", "-o", "out"]);
    assert_eq!((status, &out[..], &err[..]), (2, "", "oxiconv: 4: No such file or directory\n"));
    assert_eq!(dir.names(), ["1", "2", "3", "out"]);
}

#[test]
fn usage() {
    let dir = Dir::new();
    for (args, message) in [
        (&[][..], "--merge-findings requires the documents of all shards as files"),
        (
            &["--format", "sarif", "x"],
            "--merge-findings cannot be combined with --format sarif, only with json",
        ),
        (&["-", "-"], "- can be given only once: standard input has one document"),
        (&["."], ".: is a directory"),
        (&["x"], "x: No such file or directory"),
    ] {
        let args = [&["--merge-findings"], args].concat();
        let expected = (2, String::new(), format!("oxiconv: {message}\n"));
        assert_eq!(dir.run(&args), expected, "{args:?}");
    }
    let (status, _, err) = dir.run(&["--merge-findings", "--check", "x"]);
    assert_eq!(status, 2);
    assert!(err.contains("--merge-findings cannot be combined with --check"), "{err}");
}

#[cfg(unix)]
#[test]
fn memory_does_not_grow_with_the_findings() {
    /// KiB of address space: enough for the program, but not for the documents as well.
    const MOST: u64 = 96 * 1024;
    const FINDINGS: u64 = 200_000;
    let dir = Dir::new();
    for index in 1..=2 {
        let mut file =
            std::io::BufWriter::new(fs::File::create(dir.path(&format!("{index}"))).unwrap());
        let mut line = |line: String| writeln!(file, "{line}").unwrap();
        line(start(index, 2));
        line(begin("t"));
        let from = (index - 1) * FINDINGS;
        for at in 1..=FINDINGS {
            line(ff("t", 1, at, from + at - 1));
        }
        let counts = [FINDINGS, 0, 0, FINDINGS];
        line(part("t", counts, [from, from + FINDINGS, 2 * FINDINGS, 0, FINDINGS + 1]));
        line(summary(1, 1, counts, 0, 1));
    }
    let sizes: u64 =
        ["1", "2"].iter().map(|name| fs::metadata(dir.path(name)).unwrap().len()).sum();
    assert!(sizes / 1024 > MOST * 3 / 4, "{sizes}");
    let program = assert_cmd::cargo::cargo_bin!("oxiconv").display();
    let status = Command::new("bash")
        .args(["-c", &format!("ulimit -v {MOST}; '{program}' --merge-findings 1 2 -o out")])
        .current_dir(dir.0.path())
        .stdin(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(1));
    let out = fs::read_to_string(dir.path("out")).unwrap();
    let last = ff("t", 1, 2 * FINDINGS, 2 * FINDINGS - 1);
    assert_eq!(out.lines().rev().nth(2), Some(&last[..]));
    assert_eq!(out.lines().count() as u64, 4 + 2 * FINDINGS);
}

/// Returns the events of a document without what depends on the whole text: hints, and the guesses at the cause of a
/// finding. An event that stands for several equal findings is expanded, because such a run ends at a shard's border,
/// and where the guess changes.
fn without_guesses(document: &str) -> Vec<Value> {
    let mut events = events(document.as_bytes());
    events.retain(|event| event["type"] != "hint");
    let single = |mut event: Value| {
        for member in ["cause", "guess", "evidence", "repair"] {
            event.as_object_mut().unwrap().remove(member);
        }
        let count =
            event.as_object_mut().unwrap().remove("count").map_or(1, |it| it.as_u64().unwrap());
        let number = |name: &str| event[name].as_u64().unwrap();
        let (column, offset, length) = (number("column"), number("offset"), number("length"));
        let nth = |n: u64| {
            let mut event = event.clone();
            event["column"] = json!(column + n);
            event["offset"] = json!(offset + n * length);
            event
        };
        (0..count).map(nth).collect::<Vec<_>>()
    };
    let each = |event: Value| if event["type"] == "finding" { single(event) } else { vec![event] };
    events.into_iter().flat_map(each).collect()
}

/// Returns a text with faults in lines of many lengths. Some lines are longer than the margin in which a shard looks
/// for a line feed.
fn faulty(len: usize, seed: u64) -> Vec<u8> {
    let mut random = seed;
    let mut text = Vec::with_capacity(len + 80_000);
    while text.len() < len {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        match random >> 58 {
            0 => text.extend(b"\xFF"),
            1 => text.extend("\u{feff}é€😀".as_bytes()),
            2 => text.extend(b"\xE2\x82"),
            3 => text.extend(b"\r\n"),
            4..=9 => text.push(b'\n'),
            10 if random >> 40 & 0xFF == 0 => text.extend("ß".repeat(35_000).as_bytes()),
            _ => text.extend(b"plain text "),
        }
    }
    text
}

#[test]
fn the_documents_of_real_shards_become_the_one_of_a_plain_run() {
    let dir = Dir::new();
    for number in 0..12_usize {
        let len = [3000, 1_300_000, 0, 40, 2_000_000][number % 5];
        dir.write(&format!("tree/{number:02}"), &faulty(len, number as u64));
    }
    dir.write("tree/sound", "gr\u{fc}n\n".repeat(300_000).as_bytes());
    let runs = [
        (5, &["--check", "--no-config", "-r", "tree"][..]),
        (40, &["--check", "--no-config", "-r", "tree"]),
        (1, &["--check", "--no-config", "-r", "tree"]),
        (7, &["--check", "tree/04"]),
        (7, &["--check", "-v", "--bom", "require", "tree/06"]),
        (9, &["--check", "-t", "latin1", "--deny", "bom,control", "tree/01"]),
        (3, &["--check", "tree/sound"]),
        (2, &["--check", "tree/02"]),
    ];
    for (of, args) in sample::every(4, runs) {
        let args = [args, &["--format", "json"]].concat();
        let (plain_status, plain, _) = dir.run(&args);
        let mut documents: Vec<_> = (1..=of)
            .map(|k| {
                let shard = format!("{k}/{of}");
                dir.run(&[&args[..], &["--shard", &shard]].concat()).1
            })
            .collect();
        documents.reverse();
        let (status, merged, errors) = merge(&documents);
        assert_eq!((status, &*errors), (plain_status, ""), "{args:?} in {of}");
        let (merged, plain) = (without_guesses(&merged), without_guesses(&plain));
        for (merged, plain) in merged.iter().zip(&plain) {
            assert_eq!(merged, plain, "{args:?} in {of}");
        }
        assert_eq!(merged.len(), plain.len());
    }
}

/// The tokens of random texts. Each takes one column, unless it ends the line. The flag says whether a text may be cut
/// after the token: not if the next bytes decide what is wrong with it.
const TOKENS: [(&[u8], bool); 9] = [
    (b"a", true),
    (b"\xC3\xA9", true),
    (b"\xF0\x9F\x98\x80", true),
    (b"\n", true),
    (b"\n", true),
    (b"\xFF", true),
    (b"\xF8", true),
    (b"\xC0", true),
    (b"\xE2\x82", false),
];

/// Returns the bytes of a piece of a file, the number of its line ends, and the column after it.
fn piece(tokens: &[usize]) -> (Vec<u8>, u64, u64) {
    let (mut bytes, mut lines, mut column) = (Vec::new(), 0, 1);
    for token in tokens {
        let text = TOKENS[*token].0;
        bytes.extend(text);
        (lines, column) = if text == b"\n" { (lines + 1, 1) } else { (lines, column + 1) };
    }
    (bytes, lines, column)
}

/// Turns the document of a plain run over the pieces of a shard into that of the shard. `pieces` lists the name of each
/// file, and the `part` member for its `end` event.
fn shard_document(
    plain: &str,
    (index, of): (usize, usize),
    pieces: &[(String, Option<Value>)],
) -> String {
    let mut events = without_guesses(plain);
    for event in &mut events {
        let name = event["path"]["text"].as_str().unwrap_or_default().to_owned();
        let part =
            pieces.iter().find(|(known, _)| *known == name).and_then(|(_, part)| part.clone());
        match (event["type"].as_str().unwrap(), part) {
            ("start", _) => event["shard"] = json!({"index": index, "of": of}),
            ("finding", Some(part)) => {
                let offset = event["offset"].as_u64().unwrap() + part["start"].as_u64().unwrap();
                event["offset"] = json!(offset);
            }
            ("end", Some(part)) => event["part"] = part,
            _ => {}
        }
    }
    events.iter().map(|event| format!("{event}\n")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// Random files are cut into shards at random places, each shard is checked by itself, and the documents are
    /// merged. The result is that of one run over all files.
    #[test]
    fn merged_documents_are_what_one_run_finds(
        files in proptest::collection::vec(proptest::collection::vec(0..TOKENS.len(), 0..30), 1..4),
        cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..6),
        turn in any::<proptest::sample::Index>(),
    ) {
        let dir = Dir::new();
        let names: Vec<_> = (0..files.len()).map(|number| format!("f{number}")).collect();
        for (name, tokens) in names.iter().zip(&files) {
            dir.write(name, &piece(tokens).0);
        }
        let check = ["--check", "--no-config", "--format", "json"];
        let run = |dir: &Dir, names: &[String]| {
            let names = names.iter().map(String::as_str);
            dir.run(&check.into_iter().chain(names).collect::<Vec<_>>())
        };
        let (status, plain, _) = run(&dir, &names);
        // Where a shard may end: the number of a file, and how many of its tokens come before.
        let mut places = Vec::new();
        for (number, tokens) in files.iter().enumerate() {
            places.extend((0..=tokens.len()).filter(|at| *at == 0 || TOKENS[tokens[at - 1]].1).map(|at| (number, at)));
        }
        let mut borders: Vec<_> = cuts.iter().map(|cut| *cut.get(&places)).collect();
        borders.sort_unstable();
        borders.insert(0, (0, 0));
        borders.push((files.len() - 1, files[files.len() - 1].len()));
        let of = borders.len() - 1;
        let mut documents = Vec::new();
        for (index, border) in borders.windows(2).enumerate() {
            let ((first, from), (last, to)) = (border[0], border[1]);
            let shard = Dir::new();
            let mut pieces = Vec::new();
            for number in first..=last {
                let tokens = &files[number];
                let from = if number == first { from } else { 0 };
                let to = if number == last { to } else { tokens.len() };
                // An empty piece between two files may be left out.
                let is_outside = from == to && (from == 0 || to == tokens.len()) && !tokens.is_empty();
                let may_leave_out = is_outside && (files.len() > 1 || of > 1);
                // An empty file belongs to the first shard that reaches it.
                let is_given = documents.iter().any(|text: &String| text.contains(&format!("\"{}\"", names[number])));
                if may_leave_out || tokens.is_empty() && is_given {
                    continue;
                }
                let (bytes, lines, column) = piece(&tokens[from..to]);
                shard.write(&names[number], &bytes);
                let start = piece(&tokens[..from]).0.len();
                let part = json!({
                    "start": start, "end": start + bytes.len(), "size": piece(tokens).0.len(),
                    "lines": lines, "column": column,
                });
                let is_whole = from == 0 && to == tokens.len();
                pieces.push((names[number].clone(), (!is_whole).then_some(part)));
            }
            let given: Vec<_> = pieces.iter().map(|(name, _)| name.clone()).collect();
            let found = if given.is_empty() {
                document(&[plain_start(), summary(0, 0, [0; 4], 0, 0)])
            } else {
                run(&shard, &given).1
            };
            documents.push(shard_document(&found, (index + 1, of), &pieces));
        }
        let turn = turn.index(documents.len());
        documents.rotate_left(turn);
        let (merged_status, merged, err) = merge(&documents);
        prop_assert_eq!(err, "");
        prop_assert_eq!(without_guesses(&merged), without_guesses(&plain));
        prop_assert_eq!(merged_status, status);
        prop_assert_eq!(of_type(&events(merged.as_bytes()), "end").len(), files.len());
    }

    /// However a document is changed, the program ends with one of its own exit statuses.
    #[test]
    fn a_changed_document_never_causes_a_panic(
        which in 0..3_usize,
        at in any::<proptest::sample::Index>(),
        by in prop_oneof![
            Just(""), Just("0"), Just("9999999999999999999"), Just("-"), Just("\""), Just("}"), Just("{"),
            Just("\n"), Just("\\"), Just("\u{202E}"), Just("null"),
        ],
        removed in 0..40_usize,
    ) {
        let mut documents = three();
        let document = &mut documents[which];
        let at = at.index(document.len());
        let to = document.len().min(at + removed);
        document.replace_range(at..to, by);
        let (status, out, _) = merge(&documents);
        prop_assert!((0..=2).contains(&status), "{status}");
        prop_assert!(status == 2 || out.ends_with('\n'));
    }
}
