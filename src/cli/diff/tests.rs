use oxiconv_encodings::codec::{ByteOrder, EbcdicNewline};
use oxiconv_transcode::Options;

use super::*;

fn kept(text: &[u8]) -> KeptText {
    let mut kept = KeptText::new(true);
    kept.write_all(text).unwrap();
    kept
}

/// Returns the diff of two texts, read and written in these encodings.
fn diff_with(
    options: Options,
    [from, to]: [&str; 2],
    [old, new]: [&[u8]; 2],
    coloured: bool,
) -> String {
    let [from, to] = [from, to].map(|name| Encoding::for_name(name).unwrap());
    let conversion = &options.build(from, to).unwrap();
    let old = Some(old.to_vec()).filter(|old| old.len() <= MAX_COMPARED);
    let diff = FileDiff { label: "f", old, new: kept(new), conversion, from: Some(from) };
    let mut text = Vec::new();
    diff.write(coloured, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// Returns the diff of two texts in UTF-8 without its headers, which are always the same.
fn diff(old: &[u8], new: &[u8]) -> String {
    let diff = diff_with(Options::new(), ["utf-8"; 2], [old, new], false);
    diff.strip_prefix("--- a/f\n+++ b/f\n").unwrap().to_owned()
}

#[test]
fn a_change_has_three_lines_around_it() {
    let old = b"1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    let new = b"1\n2\n3\n4\nfive\n6\n7\n8\n9\n";
    assert_eq!(diff(old, new), "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
    assert_eq!(
        diff(b"1\n2\n3\n4\n5\n", b"one\n2\n3\n4\n5\n"),
        "@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n"
    );
    assert_eq!(
        diff(b"1\n2\n3\n4\n5\n", b"1\n2\n3\n4\nfive\n"),
        "@@ -2,4 +2,4 @@\n 2\n 3\n 4\n-5\n+five\n"
    );
    assert_eq!(diff(b"1\n", b"2\n"), "@@ -1 +1 @@\n-1\n+2\n");
}

#[test]
fn changes_close_to_each_other_are_one_hunk() {
    assert_eq!(
        diff(b"a\n1\n2\n3\n4\n5\n6\nb\n", b"A\n1\n2\n3\n4\n5\n6\nB\n"),
        "@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n"
    );
    assert_eq!(
        diff(b"a\n1\n2\n3\n4\n5\n6\n7\nb\n", b"A\n1\n2\n3\n4\n5\n6\n7\nB\n"),
        "@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n"
    );
    // What is removed comes before what is added, however many lines in a row change.
    assert_eq!(
        diff(b"a\nb\nc\nd\n", b"A\nB\nc\nD\n"),
        "@@ -1,4 +1,4 @@\n-a\n-b\n+A\n+B\n c\n-d\n+D\n"
    );
}

#[test]
fn lines_may_be_added_and_removed() {
    assert_eq!(
        diff(b"1\n2\n3\n4\nx\ry\n5\n", b"1\n2\n3\n4\nx\ny\n5\n"),
        "@@ -2,5 +2,6 @@\n 2\n 3\n 4\n-x\\ry\n+x\n+y\n 5\n"
    );
    // The numbers of a later hunk differ by the lines that are added before it.
    assert_eq!(
        diff(b"x\ry\n1\n2\n3\n4\n5\n6\n7\nz\rz\n", b"x\ny\n1\n2\n3\n4\n5\n6\n7\nz\nz\n"),
        "@@ -1,4 +1,5 @@\n-x\\ry\n+x\n+y\n 1\n 2\n 3\n@@ -6,4 +7,5 @@\n 5\n 6\n 7\n-z\\rz\n+z\n+z\n"
    );
    assert_eq!(diff(b"", b"a\n"), "@@ -0,0 +1 @@\n+a\n");
    assert_eq!(diff(b"a\nb\n", b""), "@@ -1,2 +0,0 @@\n-a\n-b\n");
}

#[test]
fn a_line_without_an_end_is_told() {
    const NONE: &str = "\\ No newline at end of file\n";
    assert_eq!(diff(b"a", b"b"), format!("@@ -1 +1 @@\n-a\n{NONE}+b\n{NONE}"));
    assert_eq!(diff(b"a", b"a\n"), format!("@@ -1 +1 @@\n-a\n{NONE}+a\n"));
    assert_eq!(diff(b"a\nb", b"A\nb"), format!("@@ -1,2 +1,2 @@\n-a\n+A\n b\n{NONE}"));
    assert_eq!(diff(b"a\r\n", b"a\n"), "@@ -1 +1 @@\n-a\\r\n+a\n");
    assert_eq!(
        diff(b"a\r\nb\r", b"a\n\n"),
        format!("@@ -1,2 +1,2 @@\n-a\\r\n-b\\r\n{NONE}+a\n+\n")
    );
}

#[test]
fn what_must_not_reach_a_terminal_is_escaped() {
    assert_eq!(
        diff(b"caf\xE9\t\x1B[2J\n", "café\t\u{9B}2J\0\u{202E}\u{7F}\n".as_bytes()),
        "@@ -1 +1 @@\n-caf\\xE9\t\\u{1B}[2J\n+café\t\\u{9B}2J\\u{0}\\u{202E}\\u{7F}\n"
    );
    assert_eq!(
        diff(b"\xEF\xBB\xBFa\xE2\x82 \xC0\xAF\n", b"a\n"),
        "@@ -1 +1 @@\n-\\u{FEFF}a\\xE2\\x82 \\xC0\\xAF\n+a\n"
    );
}

#[test]
fn colours_tell_an_escape_from_the_text() {
    let diff = diff_with(
        Options::new(),
        ["utf-8"; 2],
        [b"0\x07\nx\xE9\xE9y\\xE9\r\n", "0\x07\nxéy\n".as_bytes()],
        true,
    );
    assert_eq!(
        diff,
        "\x1B[1m--- a/f\x1B[0m\n\x1B[1m+++ b/f\x1B[0m\n\x1B[36m@@ -1,2 +1,2 @@\x1B[0m\n \
         0\x1B[7m\\u{7}\x1B[27m\n\
         \x1B[31m-x\x1B[7m\\xE9\\xE9\x1B[27my\\xE9\x1B[7m\\r\x1B[27m\x1B[0m\n\
         \x1B[32m+xéy\x1B[0m\n"
    );
}

#[test]
fn a_name_is_below_a_and_b_and_ends_with_a_tab_if_it_has_blanks() {
    for (label, name) in [
        ("dir/f", "dir/f"),
        ("./f", "f"),
        ("/tmp/f", "tmp/f"),
        ("../f", "../f"),
        ("my notes", "my notes\t"),
    ] {
        let mut text = Vec::new();
        let conversion = &Options::new().build(Encoding::UTF_8, Encoding::UTF_8).unwrap();
        let (old, new) = (Some(b"a\n".to_vec()), kept(b"b\n"));
        let diff = FileDiff { label, old, new, conversion, from: None };
        diff.write(false, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let expected = format!("--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-a\n+b\n");
        assert_eq!(text, expected);
    }
}

/// Returns the diff without its headers, for other encodings than UTF-8.
fn decoded(options: Options, encodings: [&str; 2], texts: [&[u8]; 2]) -> String {
    let diff = diff_with(options, encodings, texts, false);
    diff.strip_prefix("--- a/f\n+++ b/f\n").unwrap().to_owned()
}

#[test]
fn bytes_that_tell_nothing_are_decoded() {
    let plain = |encodings, texts| decoded(Options::new(), encodings, texts);
    let utf16 = b"\xFE\xFF\0h\0\xE9\0\n\0x\0\n";
    assert_eq!(
        plain(["utf-16", "utf-8"], [utf16, "hé\nx\n".as_bytes()]),
        "UTF-16 to UTF-8: the text stays the same\n"
    );
    assert_eq!(
        plain(["utf-16", "utf-8"], [utf16, "hé\r\nx\n".as_bytes()]),
        "@@ -1,2 +1,2 @@\n-hé\n+hé\\r\n x\n"
    );
    // The new side is decoded, and the old one is not: the bytes that were read as é can be seen.
    assert_eq!(
        plain(["latin1", "utf-16le"], [b"h\xE9\nx\n", b"h\0\xE9\0\n\0x\0\n\0"]),
        "@@ -1,2 +1,2 @@\n-h\\xE9\n+hé\n x\n"
    );
    // Both are.
    assert_eq!(
        plain(["utf-16be", "utf-16le"], [b"\0a\0\n", b"a\0\n\0"]),
        "UTF-16BE to UTF-16LE: the text stays the same\n"
    );
    // What includes ASCII is shown byte by byte.
    assert_eq!(
        plain(["utf-8", "latin1"], ["é\n".as_bytes(), b"\xE9\n"]),
        "@@ -1 +1 @@\n-é\n+\\xE9\n"
    );
    // An unpaired surrogate, and half a unit.
    assert_eq!(
        plain(["utf-16be", "utf-8"], [b"\0a\xD8\0\0\n\0", b"a\n"]),
        "@@ -1,2 +1 @@\n-a\\xD8\\x00\n-\\x00\n\\ No newline at end of file\n+a\n"
    );
    assert_eq!(
        plain(["ibm1047", "utf-8"], [b"\x88\x89\x25\x7B", b"hi\n#"]),
        "IBM1047 to UTF-8: the text stays the same\n"
    );
}

#[test]
fn text_is_decoded_as_the_options_say() {
    let little = Options::new().byte_order(ByteOrder::Little);
    assert_eq!(
        decoded(little, ["utf-16", "utf-8"], [b"a\0\n\0", b"a\n"]),
        "UTF-16 to UTF-8: the text stays the same\n"
    );
    let unix = Options::new().ebcdic_newline(EbcdicNewline::LineFeed);
    assert_eq!(
        decoded(unix.clone(), ["ibm1047", "utf-8"], [b"\x81\x15", b"a\n"]),
        "IBM1047 to UTF-8: the text stays the same\n"
    );
    assert_eq!(
        decoded(unix, ["utf-8", "ibm1047"], [b"a\n", b"\x81\x15"]),
        "UTF-8 to IBM1047: the text stays the same\n"
    );
    let records = Options::new().record_length(2.try_into().unwrap()).trim_records(true);
    assert_eq!(
        decoded(records, ["ibm1047", "utf-8"], [b"\x81\x82\x81\x40", b"ab\na\n"]),
        "@@ -1,2 +1,2 @@\n ab\n-a \n+a\n"
    );
}

/// The mark is no part of the text in UTF-16, so it is no difference that UTF-8 has one or has none.
#[test]
fn marks_are_left_out_of_text_that_is_decoded() {
    let plain = |encodings, texts| decoded(Options::new(), encodings, texts);
    assert_eq!(
        plain(["utf-8", "utf-16"], [b"\xEF\xBB\xBFa\n", b"\xFF\xFEa\0\n\0"]),
        "UTF-8 to UTF-16: the text stays the same\n"
    );
    assert_eq!(
        plain(["utf-16le", "utf-8"], [b"\xFF\xFEa\0\n\0", b"\xEF\xBB\xBFa\n"]),
        "UTF-16LE to UTF-8: the text stays the same\n"
    );
}

#[test]
fn what_is_too_large_is_not_compared() {
    let most = vec![b'a'; MAX_COMPARED];
    let more = vec![b'a'; MAX_COMPARED + 1];
    let note =
        "The file is too large to show: over 4 MiB (--dry-run says whether it would change)\n";
    assert_eq!(diff(&more, b"b"), note);
    assert_eq!(diff(b"b", &more), note);
    assert!(diff(&most, b"b").starts_with("@@ -1 +1 @@\n-aaa"));
}

/// A line as long as a file may be, all of it ill-formed.
#[test]
fn a_long_line_is_escaped_piece_by_piece() {
    let old = vec![0xE9; MAX_COMPARED];
    let shown = diff(&old, b"e\n");
    let (first, rest) = shown.split_at("@@ -1 +1 @@\n-".len());
    assert_eq!(first, "@@ -1 +1 @@\n-");
    let (line, rest) = rest.split_at(4 * MAX_COMPARED);
    assert!(line.as_bytes().chunks(4).all(|escape| escape == b"\\xE9"));
    assert_eq!(rest, "\n\\ No newline at end of file\n+e\n");
}
