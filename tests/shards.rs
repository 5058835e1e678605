//! `--shard K/N`: each run converts one shard of the job and knows nothing of the others. Together they write and
//! report what a single run would.

use std::fs::File;

use crate::common::{Dir, oxiconv, run, texts};
use serde_json::Value;

/// How many bytes a stream must supply beyond the end of its piece.
const MARGIN: usize = 65_536;

/// Returns a text of about `len` bytes, in lines of many lengths, with characters of one to four bytes.
fn text(len: usize) -> String {
    let words = ["line", "größe", "Ж", "漢字", "😀", "a,b", "\t", "\""];
    let mut text = String::new();
    for number in 0_usize.. {
        if text.len() >= len {
            break;
        }
        text.push_str(&number.to_string());
        for at in 0..number * 7 % 13 {
            text.push_str(words[(number + at * 3) % words.len()]);
        }
        text.push('\n');
    }
    text
}

/// Runs every shard, each of which must exit with this status. Returns their outputs in order.
#[track_caller]
fn shards(dir: &Dir, of: usize, args: &[&str], status: i32) -> Vec<Vec<u8>> {
    let shard = |k| {
        let shard = format!("{k}/{of}");
        let args = [args, &["--shard", &shard]].concat();
        let output = oxiconv().current_dir(dir.0.path()).args(&args).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(status), "{args:?}: {errors}");
        output.stdout
    };
    (1..=of).map(shard).collect()
}

fn utf16(text: &str) -> Vec<u8> {
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

#[test]
fn the_outputs_of_the_pieces_of_a_file_are_the_output_of_the_whole() {
    let dir = Dir::new();
    let text = text(1_000_000);
    dir.write("utf8", text.as_bytes());
    dir.write("utf16", &utf16(&text));
    for of in [1, 2, 3, 7, 20] {
        assert_eq!(shards(&dir, of, &["-t", "utf-16", "utf8"], 0).concat(), utf16(&text), "{of}");
        let joined = shards(&dir, of, &["-f", "utf-16", "utf16"], 0);
        assert_eq!(joined.concat(), text.as_bytes(), "{of}");
        // Pieces consist of whole lines and have about the same length.
        for piece in &joined {
            assert!(piece.ends_with(b"\n"));
            assert!(piece.len().abs_diff(text.len() / of) < text.len() / 10 + 200, "{of}");
        }
    }
    // More pieces than bytes: most are empty.
    dir.write("short", "é\nb\n".as_bytes());
    assert_eq!(shards(&dir, 9, &["short"], 0).concat(), "é\nb\n".as_bytes());
    dir.write("empty", b"");
    assert_eq!(shards(&dir, 3, &["-t", "utf-16", "empty"], 0).concat(), b"");
}

/// Ideographs whose bytes are English words are reported at the end of a text, where the words may have been appended.
/// The end of a piece is not the end of the text.
#[test]
fn a_cut_in_a_line_of_utf_16_is_no_end_of_the_text() {
    let dir = Dir::new();
    let words = b"the quick brown fox jumps over the lazy dog and ".repeat(40);
    dir.write("appended", &words);
    let units: Vec<u8> = "文字".encode_utf16().flat_map(u16::to_le_bytes).collect();
    dir.write("inner", &[words, units].concat());
    let check = ["--check", "-f", "utf-16le", "inner"];
    assert_eq!(dir.run(&["--check", "-f", "utf-16le", "appended"]).0, 1);
    assert_eq!(dir.run(&check).0, 0);
    for of in [2, 3, 7, 50] {
        shards(&dir, of, &check, 0);
    }
}

#[test]
fn an_output_file_of_a_shard_is_complete_or_absent() {
    let dir = Dir::new();
    let text = text(10_000);
    dir.write("in", text.as_bytes());
    for k in 1..=4 {
        let (shard, output) = (format!("{k}/4"), format!("out.{k}"));
        assert_eq!(dir.run(&["--shard", &shard, "in", "-o", &output]).0, 0);
    }
    let parts: Vec<_> = (1..=4).flat_map(|k| dir.read(&format!("out.{k}"))).collect();
    assert_eq!(parts, text.as_bytes());
    // A shard with a fault writes no file. The others write theirs.
    dir.write("bad", &[text.as_bytes(), b"\xFF\n"].concat());
    assert_eq!(dir.run(&["--shard", "4/4", "bad", "-o", "none"]).0, 1);
    assert_eq!(dir.run(&["--shard", "1/4", "bad", "-o", "some"]).0, 0);
    assert_eq!(dir.names(), ["bad", "in", "out.1", "out.2", "out.3", "out.4", "some"]);
}

/// Returns what an engine that reads ranges of an object passes to shard `k`: the piece and the margin after it.
fn range(text: &[u8], k: usize, of: usize) -> &[u8] {
    let size = text.len();
    &text[size * (k - 1) / of..size.min(size * k / of + MARGIN)]
}

#[test]
fn a_part_may_come_through_standard_input() {
    for (text, of) in [(text(1_000_000), 5), (text(500), 5), ("a\n".repeat(3), 40)] {
        let text = text.as_bytes();
        let size = text.len().to_string();
        let mut joined = Vec::new();
        for k in 1..=of {
            let args = ["-f", "utf-8", "--shard", &format!("{k}/{of}"), "--size", &size];
            let (status, output, errors) = run(&args, range(text, k, of));
            assert_eq!((status, &*errors), (0, ""), "{k}");
            // Bytes after the margin are ignored.
            if range(text, k, of).len() >= MARGIN {
                let more = [range(text, k, of), b"\xFF\xFF"].concat();
                assert_eq!(run(&args, &more).1, output);
            }
            joined.extend(output);
        }
        assert_eq!(joined, text);
    }
}

#[test]
fn a_stream_that_ends_before_its_margin_does_is_an_error() {
    let text = text(1_000_000);
    let size = text.len().to_string();
    let whole = range(text.as_bytes(), 2, 4);
    let end = text.len() / 2 + MARGIN;
    for missing in [1, MARGIN, MARGIN + 1, whole.len() - 70_000, whole.len() - 10, whole.len()] {
        let args = ["--shard", "2/4", "--size", &size];
        let (status, _, errors) = run(&args, &whole[..whole.len() - missing]);
        assert_eq!(status, 2, "{missing}");
        let said = format!(
            "standard input ends at byte {} of the whole text, but must reach byte {end}",
            end - missing
        );
        assert!(errors.contains(&said) || missing + 70_000 > whole.len(), "{errors}");
        assert!(errors.contains("standard input ends at byte"), "{errors}");
    }
    let args = ["-f", "utf-16", "--shard", "1/2", "--size", "100"];
    let (status, output, errors) = run(&args, "");
    assert_eq!((status, &*output), (2, &b""[..]));
    assert_eq!(
        errors,
        "oxiconv: (standard input): cannot be split into shards: the byte order of UTF-16 depends on the first bytes of the text (name UTF-16BE or UTF-16LE)\n"
    );
}

/// The file is sparse and 64 GiB long. A run that read all of it would take minutes.
#[test]
fn a_shard_of_a_huge_file_reads_its_piece() {
    let dir = Dir::new();
    let file = File::create(dir.path("huge")).unwrap();
    file.set_len(64 << 30).unwrap();
    let (status, output, _) =
        dir.run(&["--check", "--format", "json", "--shard", "3000/65536", "huge"]);
    assert_eq!(status, 0);
    let end = events(output.as_bytes()).into_iter().find(|event| event["type"] == "end").unwrap();
    // Without line feeds, a piece ends after a character.
    let (start, part) = ((2999_u64 << 20) + 1, &end["part"]);
    assert_eq!((&part["start"], &part["end"]), (&start.into(), &(start + (1 << 20)).into()));
    assert_eq!((&end["bytes"], &part["size"]), (&(1 << 20).into(), &(64_u64 << 30).into()));
}

#[test]
fn where_a_text_cannot_be_cut_both_neighbours_stop() {
    let dir = Dir::new();
    // CP932: a line of 漢 (8A BF), in which nothing shows where a character begins.
    let long = b"\x8A\xBF".repeat(100_000);
    let text = [&b"begin\n"[..], &long, b"\nend\n", &b"x\n".repeat(200_000)].concat();
    dir.write("cp932", &text);
    let border = text.len() / 8;
    assert!(border + MARGIN < long.len());
    for (shard, status) in [("1/8", 2), ("2/8", 2), ("3/8", 0), ("8/8", 0)] {
        let (got, _, errors) = dir.run(&["-f", "cp932", "--shard", shard, "cp932", "-o", "out"]);
        assert_eq!(got, status, "{errors}");
        let said = format!(
            "oxiconv: cp932: no line ends within 65,536 bytes after byte {border} (0x{border:x}), where a shard would begin (use another number of shards)\n"
        );
        assert!(status == 0 || errors.starts_with(&said), "{errors}");
        assert_eq!(dir.path("out").exists(), status == 0);
    }
    // The same for a stream.
    let size = text.len().to_string();
    let args = ["-f", "cp932", "--shard", "1/8", "--size", &size, "-o", "none"];
    let mut program = oxiconv();
    let program = program.current_dir(dir.0.path()).args(args).write_stdin(range(&text, 1, 8));
    let (status, _, errors) = texts(program.output().unwrap());
    assert_eq!(status, 2);
    assert!(errors.contains(&format!("after byte {border}")), "{errors}");
    assert!(!dir.path("none").exists());
}

#[cfg(unix)]
#[test]
fn what_needs_the_whole_text_is_refused() {
    let dir = Dir::new();
    dir.write("in", b"a\nb\n");
    dir.write("dir/a", b"a\n");
    let whole_text = "which examines the whole text";
    let once = "which is reported once per text";
    for (args, said) in [
        (&["-f", "auto", "in"][..], whole_text),
        (&["-f", "auto-lines", "in"], whole_text),
        (&["--fallback", "windows-1252", "in"], "the first 64 KiB of the whole text"),
        (&["--normalize", "nfc", "in"], "--normalize"),
        (&["--repair", "in"], "--repair"),
        (&["--check", "--deny", "mixed-newlines", "in"], once),
        (&["--check", "--deny", "crlf", "in"], once),
        (&["--check", "--deny", "not-nfc", "in"], once),
        (&["--check", "--deny", "mojibake", "in"], once),
        (&["--final-newline", "in"], "--final-newline"),
        (&["--declaration", "update", "in"], "--declaration update"),
        (&["--check", "--baseline", "b", "in"], "--baseline"),
        (&["--check", "--format", "sarif", "in"], "only with text and json"),
        (&["--explain", "in"], "--explain"),
        (&["--detect", "in"], "--detect"),
        (&["-i", "in"], "--in-place"),
        (&["--size", "4", "in"], "--size is for standard input"),
        (&["-"], "only with --size"),
        (&["in", "-"], "only with --size"),
        (&["--check", "in", "/dev/null"], "/dev/null: not a regular file"),
        (
            &["-f", "iso-2022-jp", "in"],
            "ISO-2022-JP is stateful, and its state carries over from line to line",
        ),
        (&["-t", "scsu", "in"], "SCSU is stateful, and its state carries over from line to line"),
        // U+000A would reset the state, but with `--newline nel` it is not written.
        (&["-t", "bocu-1", "--newline", "nel", "in"], "BOCU-1 is stateful"),
    ] {
        let args = [args, &["--shard", "1/2"]].concat();
        let (status, output, errors) = dir.run(&args);
        assert_eq!((status, &*output), (2, ""), "{args:?}");
        assert!(errors.contains(said), "{args:?}: {errors}");
    }
    for (shard, said) in [
        ("3", "--shard must be K/N, such as 1/8, not '3'"),
        ("0/3", "K must be from 1 to N"),
        ("4/3", "K must be from 1 to N"),
        ("1/0", "K must be from 1 to N"),
        ("a/3", "--shard must be a number, not 'a'"),
    ] {
        let (status, _, errors) = dir.run(&["--shard", shard, "in"]);
        assert_eq!(status, 2);
        assert!(errors.contains(said), "{errors}");
    }
    let (status, _, errors) = dir.run(&["--size", "3"]);
    assert_eq!(status, 2);
    assert!(errors.contains("--size requires --shard"), "{errors}");
}

/// Makes a tree of many small files, an empty one and a large one. Returns their contents, file after file.
fn tree(dir: &Dir) -> String {
    let mut all = String::new();
    for number in 100..160 {
        let text = match number {
            120 => text(2_500_000),
            130 => String::new(),
            _ => text(number * 37 % 5_000),
        };
        dir.write(&format!("tree/{}/{number}", number % 3), text.as_bytes());
        all.push_str(&text);
    }
    all
}

#[test]
fn several_files_are_shared_by_their_bytes() {
    let dir = Dir::new();
    tree(&dir);
    let mut names: Vec<String> = Vec::new();
    let mut all = String::new();
    for sub in 0..3 {
        for number in (100..160).filter(|number| number % 3 == sub) {
            let name = format!("tree/{sub}/{number}");
            all.push_str(&String::from_utf8(dir.read(&name)).unwrap());
            names.push(name);
        }
    }
    let mut list = names.join("\0");
    list.push('\0');
    dir.write("list", list.as_bytes());
    // The last number is greater than that of the files.
    for of in [1, 2, 5, 70] {
        // The joined outputs have all files, and the byte order mark only once.
        let joined = shards(&dir, of, &["-t", "utf-16", "--files0-from", "list"], 0);
        assert_eq!(joined.concat(), utf16(&all), "{of}");
        let longest = joined.iter().map(Vec::len).max().unwrap();
        assert!(longest < 2 * (all.len() / of + 2 * MARGIN), "{of}: {longest}");
        // With `-O`, exactly one shard writes each file, and writes it whole.
        let out = format!("out{of}");
        let mut written = 0;
        for k in 1..=of {
            let shard = format!("{k}/{of}");
            let args = ["-v", "-f", "utf-8", "-r", "-O", &out, "--shard", &shard, "tree"];
            let (status, _, errors) = dir.run(&args);
            assert_eq!(status, 0, "{errors}");
            written += errors.matches(": UTF-8 to UTF-8: ").count();
        }
        assert_eq!(written, names.len());
        for name in &names {
            assert!(dir.read(&format!("{out}/{name}")) == dir.read(name), "{name}");
        }
    }
    // A list that comes through a pipe is read to its end first.
    let mut joined = Vec::new();
    for k in 1..=3 {
        let args = ["--files0-from", "-", "--shard", &format!("{k}/3")];
        let output = oxiconv().current_dir(dir.0.path()).args(args).write_stdin(&*list).output();
        joined.extend(output.unwrap().stdout);
    }
    assert_eq!(joined, all.as_bytes());
}

#[test]
fn an_error_belongs_to_one_shard() {
    let dir = Dir::new();
    dir.write("a", &b"x\n".repeat(100));
    dir.write("b", &b"x\n".repeat(100));
    let (mut failed, mut said) = (0, 0);
    for k in 1..=4 {
        let args = ["--check", "--shard", &format!("{k}/4"), "a", "missing", "b"];
        let (status, _, errors) = dir.run(&args);
        failed += i32::from(status == 2);
        said += errors.matches("missing: No such file").count();
    }
    assert_eq!((failed, said), (1, 1));
}

/// Compressed data does not show where a piece of the text begins, so a compressed file belongs to a single shard.
#[test]
fn compressed_files_are_not_cut() {
    let dir = Dir::new();
    // A file made by gzip, and the text in it.
    dir.write("a.gz", include_bytes!("data/compressed/text.txt.gz"));
    let text = include_bytes!("data/compressed/text.txt");
    let bytes = ["-z", "-f", "latin1", "-t", "latin1"];
    let plain = "plain\n".repeat(500_000);
    dir.write("b", plain.as_bytes());
    assert_eq!(shards(&dir, 3, &[&bytes[..], &["a.gz"]].concat(), 0), [&text[..], b"", b""]);
    let both = shards(&dir, 3, &[&bytes[..], &["a.gz", "b"]].concat(), 0).concat();
    assert!(both == [&text[..], plain.as_bytes()].concat());
    let (status, _, errors) = dir.run(&["-z", "--shard", "1/2", "--size", "9"]);
    assert!(status == 2 && errors.contains("--size cannot be combined with -z"), "{errors}");
}

/// If the only name is mistyped, every shard must fail. A shard that succeeded without output would look as if its
/// piece were empty.
#[test]
fn a_wrong_name_alone_is_an_error_of_every_shard() {
    let dir = Dir::new();
    dir.write("dir/a", b"a");
    for (name, said) in [
        ("missing", "oxiconv: missing: No such file or directory\n"),
        ("dir", "oxiconv: dir: is a directory (use -r to descend)\n"),
    ] {
        for k in ["1/3", "2/3", "3/3"] {
            for args in [&["--check"][..], &[], &["-O", "out"]] {
                let (status, output, errors) = dir.run(&[args, &["--shard", k, name]].concat());
                assert_eq!((status, &*output), (2, ""), "{args:?} {k}");
                assert!(errors.starts_with(said), "{args:?} {k}: {errors}");
            }
        }
    }
}

fn events(lines: &[u8]) -> Vec<Value> {
    let lines = lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
}

#[test]
fn findings_have_the_offsets_of_the_whole_and_the_lines_of_the_piece() {
    let dir = Dir::new();
    let text = [&b"a\nb \xFF\n"[..], &b"xyz\n".repeat(1000), b"cd\xE9e\n"].concat();
    dir.write("in", &text);
    let documents = shards_of(&dir, 2, &["--check", "--format", "json", "in"]);
    let middle = (6 + 4 * 1000 + 5) / 2;
    // The line that the border cuts belongs to the first piece.
    let cut = 6 + (middle - 6_u64).div_ceil(4) * 4;
    for (k, document) in documents.iter().enumerate() {
        let events = events(document);
        assert_eq!(events[0]["shard"], serde_json::json!({ "index": k + 1, "of": 2 }));
        let finding = &events[2];
        let place = ["line", "column", "offset"].map(|name| finding[name].as_u64().unwrap());
        let end = events.iter().find(|event| event["type"] == "end").unwrap();
        let part = &end["part"];
        let size = text.len();
        if k == 0 {
            assert_eq!((finding["kind"].as_str().unwrap(), place), ("invalid-byte", [2, 3, 4]));
            let lines = 2 + (cut - 6) / 4;
            let expected = serde_json::json!(
                { "start": 0, "end": cut, "size": size, "lines": lines, "column": 1 }
            );
            assert_eq!(*part, expected);
        } else {
            let line = 1 + (4006 - cut) / 4;
            assert_eq!((finding["kind"].as_str().unwrap(), place), ("truncated", [line, 3, 4008]));
            let expected = serde_json::json!(
                { "start": cut, "end": size, "size": size, "lines": line, "column": 1 }
            );
            assert_eq!(*part, expected);
        }
        assert!(!events.iter().any(|event| event["type"] == "hint"));
        assert!(finding.get("guess").is_none());
    }
    // The human-readable format says from where lines and columns count.
    let (status, output, errors) = dir.run(&["--check", "--shard", "2/2", "in"]);
    assert_eq!(status, 1);
    assert!(output.contains("E9 at byte 4008 (0xfa8)"), "{output}");
    assert!(
        errors.contains(&format!("lines and columns count from byte {cut} (0x{cut:x})")),
        "{errors}"
    );
    let (_, _, errors) = dir.run(&["--check", "--shard", "1/2", "in"]);
    assert!(!errors.contains("count from"), "{errors}");
}

/// Runs every shard, whatever its exit status. Returns their outputs in order.
fn shards_of(dir: &Dir, of: usize, args: &[&str]) -> Vec<Vec<u8>> {
    let shard = |k| {
        let shard = format!("{k}/{of}");
        let args = [args, &["--shard", &shard]].concat();
        oxiconv().current_dir(dir.0.path()).args(args).output().unwrap().stdout
    };
    (1..=of).map(shard).collect()
}

#[test]
fn a_binary_file_is_skipped_once() {
    let dir = Dir::new();
    let mut binary = vec![b'x'; 3_000_000];
    binary[100] = 0;
    dir.write("tree/binary", &binary);
    dir.write("tree/text", &b"text\n".repeat(10));
    let documents = shards_of(&dir, 4, &["--check", "--format", "json", "-r", "tree"]);
    let all: Vec<_> = documents.iter().flat_map(|document| events(document)).collect();
    let count = |kind: &str| all.iter().filter(|event| event["type"] == kind).count();
    assert_eq!((count("passed-over"), count("end")), (1, 1));
    let skipped: u64 = all.iter().filter_map(|event| event["passed_over"].as_u64()).sum();
    assert_eq!(skipped, 1);
}
