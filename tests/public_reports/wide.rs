//! Hints that name a superset, and what to do with a mark inside a text.

use crate::common::{run, run_text};

/// hledger #2189: two files with marks, joined.
#[test]
fn a_mark_inside_names_the_options_that_leave_it_out() {
    let text = "\u{FEFF}a\n\u{FEFF}b\n";
    let options = "(--deny bom --denied skip leaves it out)";
    let (status, _, err) = run_text(&["-t", "latin1"], text);
    assert_eq!(status, 1);
    assert!(err.contains(options), "{err}");
    let (_, out, _) = run_text(&["--explain", "-t", "latin1"], text);
    assert!(out.contains("--denied skip"), "{out}");
    let (_, out, _) = run_text(&["-t", "latin1", "--deny", "bom", "--denied", "skip"], text);
    assert_eq!(out, "a\nb\n");
}

/// sogo #380, and other vendors' additions.
#[test]
fn a_superset_that_reads_the_text_is_named() {
    for (from, text, superset) in [
        ("iso-2022-jp", &b"\x1B$B-!\x1B(B\n"[..], "iso-2022-jp-ms"),
        ("tis-620", b"\xA1 \x80 5\n", "windows-874"),
        ("euc-jp", b"\xA4\xA2 \xAD\xA1\n", "euc-jp-ms"),
        ("shift_jis", b"\x87\x40 \x83\x65\n", "cp932"),
        ("gb2312", b"\x81\x40 \xD6\xD0\n", "gbk"),
        ("gbk", b"\xD6\xD0 \xB9\xFA \x81\x30\x81\x30\n", "gb18030"),
        ("windows-1251", "Ирина, привет\n".as_bytes(), "utf-8"),
    ] {
        for args in [&["--check", "-f", from][..], &["-f", from]] {
            let (status, _, err) = run(args, text);
            assert_eq!(status, 1, "{from}");
            assert!(err.contains(&format!("(try -f {superset})")), "{from}: {err}");
        }
        let (status, ..) = run(&["-f", superset], text);
        assert_eq!(status, 0, "{superset}");
    }
    let (_, _, err) = run_text(&["-f", "latin1", "-t", "windows-1250"], &b"it\x92s\n"[..]);
    assert!(err.contains("in windows-1252 92 is \u{2019} (-f windows-1252)"), "{err}");
}
