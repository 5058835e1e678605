//! The rules of a repository for its files: `.editorconfig`, `.gitattributes` and `oxiconv.toml` under `--check` and
//! `--explain`. See docs/configuration.md.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use crate::common::Dir;

/// Creates a directory with these files. Its `.git` makes it the top of a repository, so rules above do not apply.
fn dir(files: &[(&str, &str)]) -> Dir {
    let dir = Dir::new();
    fs::create_dir(dir.path(".git")).unwrap();
    for (name, text) in files {
        dir.write(name, text.as_bytes());
    }
    dir
}

/// Creates a directory whose `.editorconfig` has these pairs for all files.
fn editorconfig(pairs: &str) -> Dir {
    dir(&[(".editorconfig", &format!("root = true\n[*]\n{pairs}\n"))])
}

/// Checks a file with these bytes; returns the level and kind of each finding.
fn kinds_of(dir: &Dir, name: &str, bytes: &[u8], options: &[&str]) -> Vec<String> {
    dir.write(name, bytes);
    let (status, out, err) = dir.run(&[&["--check"], options, &[name]].concat());
    assert!(status < 2, "{err}");
    let kinds: Vec<_> = out
        .lines()
        .filter_map(|line| Some(line.split_once("]: ")?.0.rsplit_once(": ")?.1.replace('[', " ")))
        .collect();
    let fails = kinds.iter().any(|kind| kind.starts_with("error "));
    assert_eq!(status, i32::from(fails), "{out}{err}");
    kinds
}

fn check(dir: &Dir, bytes: &[u8]) -> Vec<String> {
    kinds_of(dir, "f", bytes, &[])
}

// .editorconfig

#[test]
fn each_charset_of_editorconfig_is_checked() {
    for (charset, bytes, expected) in [
        ("latin1", &b"caf\xE9\n"[..], &[][..]),
        ("latin1", b"plain\n", &[]),
        ("latin1", "café\n".as_bytes(), &["error other-encoding"]),
        ("utf-8", "café\n".as_bytes(), &[]),
        ("utf-8", b"plain\n", &[]),
        ("utf-8", b"", &[]),
        ("utf-8", b"caf\xE9\n", &["error truncated"]),
        ("utf-8", b"\xEF\xBB\xBFa\n", &["error bom-forbidden"]),
        ("utf-8-bom", b"\xEF\xBB\xBFa\n", &[]),
        ("utf-8-bom", b"a\n", &["error bom-missing"]),
        ("utf-8-bom", b"", &[]),
        ("utf-8-bom", b"\xEF\xBB\xBF\xE9\n", &["error truncated"]),
        ("utf-16le", b"a\0\n\0", &[]),
        ("utf-16le", b"\xFF\xFEa\0\n\0", &[]),
        ("utf-16le", b"\x00\xD8\n\0", &["error unpaired-high-surrogate"]),
        // ASCII that would be read as Chinese, and Chinese whose bytes all happen to be ASCII.
        ("utf-16le", b"Hello, world, this is ASCII text.\n", &["error other-encoding"]),
        ("utf-16le", b"\x0A\x4E\x2D\x4E", &[]),
        ("utf-16be", b"\0a\0\n", &[]),
        ("utf-16be", b"\0a\0", &["error truncated-at-end"]),
    ] {
        assert_eq!(
            check(&editorconfig(&format!("charset = {charset}")), bytes),
            expected,
            "{charset}"
        );
    }
}

#[test]
fn each_line_end_of_editorconfig_is_checked() {
    let wrong = &["error wrong-newline"][..];
    for (end, bytes, expected) in [
        ("lf", &b"a\nb\n"[..], &[][..]),
        ("lf", b"a\r\nb\r\n", wrong),
        ("lf", b"a\nb\rc", wrong),
        ("lf", b"a", &[]),
        ("crlf", b"a\r\nb\r\n", &[]),
        ("crlf", b"a\r\nb\n", wrong),
        ("crlf", b"a\r", wrong),
        ("cr", b"a\rb\r", &[]),
        ("cr", b"a\nb\r", wrong),
        ("cr", b"a\r\nb", wrong),
    ] {
        let dir = editorconfig(&format!("end_of_line = {end}"));
        assert_eq!(check(&dir, bytes), expected, "{end} {bytes:?}");
    }
    // The finding names the actual line ending and its position, and the rule.
    let dir = editorconfig("end_of_line = lf");
    dir.write("f", b"a\nb\r\nc\r\n");
    let (_, out, _) = dir.run(&["--check", "f"]);
    assert_eq!(
        out,
        "f:2:2: error[wrong-newline]: 0D at byte 3 (0x3): line ends with CRLF, but .editorconfig:3 says end_of_line = lf\n"
    );
}

#[test]
fn line_ends_are_those_of_the_encoding() {
    let dir = editorconfig("charset = utf-16le\nend_of_line = crlf\ninsert_final_newline = true");
    assert!(check(&dir, b"a\0\r\0\n\0").is_empty());
    assert_eq!(check(&dir, b"a\0\n\0"), ["error wrong-newline"]);
    // U+010A and U+010D: bytes 0A and 0D that are not line endings.
    assert!(check(&dir, b"\x0A\x01\x0D\x01\r\0\n\0").is_empty());
    assert_eq!(check(&dir, b"\x0A\x01"), ["error missing-final-newline"]);
}

#[test]
fn a_final_line_end_is_required_only_by_true() {
    let missing = &["error missing-final-newline"][..];
    for (pairs, bytes, expected) in [
        ("insert_final_newline = true", &b"a\n"[..], &[][..]),
        ("insert_final_newline = true", b"a\r\n", &[]),
        ("insert_final_newline = true", b"", &[]),
        ("insert_final_newline = true", b"\xEF\xBB\xBF", &[]),
        ("insert_final_newline = true", b"a", missing),
        ("insert_final_newline = true", b"a\nb", missing),
        ("insert_final_newline = true", b"a\r", missing),
        ("insert_final_newline = true\nend_of_line = cr", b"a\r", &[]),
        ("insert_final_newline = true\nend_of_line = cr", b"a\rb", missing),
        ("insert_final_newline = true\nend_of_line = cr", b"a\nb\r", &["error wrong-newline"]),
        ("insert_final_newline = false", b"a", &[]),
        ("insert_final_newline = false", b"a\n", &[]),
    ] {
        assert_eq!(check(&editorconfig(pairs), bytes), expected, "{pairs} {bytes:?}");
    }
}

#[test]
fn case_quotes_and_comments_of_editorconfig_do_not_matter() {
    for pair in [
        "charset=UTF-8",
        "Charset = Utf-8",
        "charset = \"utf-8\"",
        "charset = 'UTF-8'",
        "charset : utf-8",
        "charset = utf-8 # as everywhere",
        "charset = utf-8\r",
        "# charset = latin1\n; charset = latin1\ncharset = utf-8",
    ] {
        let dir = editorconfig(pair);
        assert_eq!(check(&dir, b"\xE9\n"), ["error truncated"], "{pair}");
        assert_eq!(check(&dir, b"\xEF\xBB\xBFa"), ["error bom-forbidden"], "{pair}");
    }
    let dir = dir(&[(".editorconfig", "\u{FEFF}ROOT = True\n[*]\ncharset = utf-8-bom\n")]);
    assert_eq!(check(&dir, b"a"), ["error bom-missing"]);
}

#[test]
fn unset_takes_back_what_was_said_before() {
    let dir = dir(&[
        (
            ".editorconfig",
            "root = true\n[*]\ncharset = utf-8\nend_of_line = lf\ninsert_final_newline = true\n",
        ),
        (
            "d/.editorconfig",
            "[*]\ncharset = unset\nend_of_line = UNSET\ninsert_final_newline = unset\n",
        ),
    ]);
    let bytes = b"\xEF\xBB\xBFa\r\nb";
    let all = ["error bom-forbidden", "error wrong-newline", "error missing-final-newline"];
    assert_eq!(kinds_of(&dir, "f", bytes, &[]), all);
    assert!(kinds_of(&dir, "d/f", bytes, &[]).is_empty());
}

#[test]
fn an_unknown_value_is_a_note_and_has_no_effect() {
    for (pair, note) in [
        (
            "charset = utf8",
            "unknown value of charset: 'utf8' (known: latin1, utf-8, utf-8-bom, utf-16le, utf-16be); ignored",
        ),
        (
            "end_of_line = native",
            "unknown value of end_of_line: 'native' (known: lf, crlf, cr); ignored",
        ),
        (
            "insert_final_newline = yes",
            "unknown value of insert_final_newline: 'yes' (known: true, false); ignored",
        ),
        ("nonsense", "neither a section nor key = value; ignored"),
        ("[open", "not a section; its lines are ignored"),
    ] {
        let dir = editorconfig(pair);
        dir.write("f", b"\xEF\xBB\xBFa\r\nb");
        let (status, out, err) = dir.run(&["--check", "f"]);
        assert_eq!((status, out.as_str()), (0, ""), "{pair}");
        assert_eq!(err, format!("oxiconv: .editorconfig:3: {note}\n"), "{pair}");
        assert_eq!(dir.run(&["--check", "-q", "f"]).2, "", "{pair}");
        // In a machine-readable format, the note is part of the document.
        let (_, out, err) = dir.run(&["--check", "--format", "json", "f"]);
        let event = format!(
            "{{\"type\":\"note\",\"path\":{{\"text\":\".editorconfig\"}},\"message\":\"line 3: {note}\"}}"
        );
        assert!(out.contains(&event), "{out}");
        assert_eq!(err, "", "{pair}");
    }
    // The lines after an invalid one still apply.
    let dir = editorconfig("nonsense\ncharset = utf-8-bom");
    assert_eq!(check(&dir, b"a"), ["error bom-missing"]);
}

#[test]
fn closer_files_and_later_sections_win_up_to_the_root() {
    let dir = dir(&[
        (".editorconfig", "root = true\n[*]\ncharset = utf-8-bom\nend_of_line = lf\n"),
        ("d/.editorconfig", "[*]\ncharset = utf-8\n[*.l1]\ncharset = latin1\n"),
        ("d/e/.editorconfig", "root = true\n[*.txt]\nend_of_line = crlf\n"),
    ]);
    for (name, bytes, expected) in [
        ("f", &b"a\r\n"[..], &["error bom-missing", "error wrong-newline"][..]),
        ("d/f", b"a\r\n", &["error wrong-newline"]),
        ("d/f.l1", b"\xE9\n", &[]),
        ("d/f.txt", b"\xE9\n", &["error truncated"]),
        ("d/e/f", b"\xEF\xBB\xBFa\r\n", &[]),
        ("d/e/f.txt", b"a\n", &["error wrong-newline"]),
    ] {
        assert_eq!(kinds_of(&dir, name, bytes, &[]), expected, "{name}");
    }
}

#[test]
fn sections_match_as_editorconfig_has_them() {
    for (glob, name, matches) in [
        ("*.{c,h}", "a.h", true),
        ("*.{c,h}", "d/a.h", true),
        ("*.{c,h}", "a.x", false),
        ("d/*.c", "d/a.c", true),
        ("d/*.c", "e/d/a.c", false),
        ("d/**", "d/e/a.c", true),
        ("{d,e}/a[0-9].c", "e/a7.c", true),
        ("file{1..3}", "file2", true),
        ("file{1..3}", "file4", false),
    ] {
        let config = format!("root = true\n[{glob}]\ncharset = utf-8-bom\n");
        let found = kinds_of(&dir(&[(".editorconfig", &config)]), name, b"a", &[]);
        assert_eq!(found == ["error bom-missing"], matches, "{glob} {name}");
    }
}

// .gitattributes

#[test]
fn the_attributes_of_git_are_checked() {
    for (line, bytes, expected) in [
        ("* working-tree-encoding=latin1", &b"\xE9\n"[..], &[][..]),
        ("* working-tree-encoding=latin1", "é\n".as_bytes(), &["error other-encoding"]),
        ("* working-tree-encoding=SHIFT-JIS", b"\x82\xA0\n", &[]),
        ("* working-tree-encoding=SHIFT-JIS", b"\x82\n", &["error truncated"]),
        ("* working-tree-encoding=UTF-16", b"\xFF\xFEa\0", &[]),
        ("* working-tree-encoding=UTF-16", b"\0a", &["error bom-missing"]),
        ("* working-tree-encoding=UTF-16LE", b"a\0", &[]),
        ("* working-tree-encoding=UTF-16LE", b"\xFF\xFEa\0", &["error bom-forbidden"]),
        ("* working-tree-encoding=UTF-16LE-BOM", b"\xFF\xFEa\0", &[]),
        ("* working-tree-encoding=UTF-16LE-BOM", b"a\0", &["error bom-missing"]),
        ("* eol=lf", b"a\r\n", &["error wrong-newline"]),
        ("* eol=crlf", b"a\n", &["error wrong-newline"]),
        ("* EOL=crlf eol=crlf", b"a\n", &["error wrong-newline"]),
        // Git compares values case-sensitively, and one invalid attribute name invalidates the whole line.
        ("* EOL=crlf", b"a\n", &[]),
        ("* eol=CRLF", b"a\n", &[]),
        ("* eol=crlf # c", b"a\n", &[]),
        ("* eol=crlf builtin_a", b"a\n", &[]),
        ("* text eol=crlf", b"a\r\n", &[]),
        ("* text=auto eol=lf", b"a\r\n", &["error wrong-newline"]),
        // Only `eol` says how lines end in the working tree. `text` is about the repository.
        ("* text", b"a\r\nb\n", &[]),
        ("* text=auto", b"a\r\nb\n", &[]),
        ("* -eol", b"a\r\nb\n", &[]),
        ("* eol=crlf\nf !eol", b"a\n", &[]),
        ("* eol=crlf\nf eol=lf", b"a\n", &[]),
        ("\"f\" eol=crlf", b"a\n", &["error wrong-newline"]),
        ("# f eol=crlf", b"a\n", &[]),
        // Excluded from the check.
        ("* -text eol=crlf", b"\xFFa\n", &[]),
        ("* binary", b"\xFFa\n", &[]),
        ("[attr]blob binary\n* blob", b"\xFFa\n", &[]),
        ("* binary\nf text", b"\xFF\n", &["error invalid-byte"]),
    ] {
        let found = check(&dir(&[(".gitattributes", &format!("{line}\n"))]), bytes);
        assert_eq!(found, expected, "{line} {bytes:?}");
    }
}

#[test]
fn unknown_values_of_attributes_are_notes() {
    for (line, note) in [
        ("* eol=cr", ".gitattributes:1: eol=cr: unknown value of eol; ignored"),
        ("* eol=LF", ".gitattributes:1: eol=LF: unknown value of eol; ignored"),
        ("* eol=lf # c", ".gitattributes:1: invalid attribute name; the line is ignored"),
        ("!f eol=lf", ".gitattributes:1: negative patterns have no effect; ignored"),
        ("[attr]-a eol=lf", ".gitattributes:1: invalid macro name; ignored"),
        ("* eol", ".gitattributes:1: eol: unknown value of eol; ignored"),
        (
            "* working-tree-encoding=nope",
            ".gitattributes:1: working-tree-encoding=nope: unknown value of working-tree-encoding; ignored",
        ),
        ("* text=maybe", ".gitattributes:1: text=maybe: unknown value of text; ignored"),
    ] {
        let dir = dir(&[(".gitattributes", line), ("f", "a\r\n")]);
        let (status, out, err) = dir.run(&["--check", "f"]);
        assert_eq!((status, out.as_str(), err), (0, "", format!("oxiconv: {note}\n")), "{line}");
    }
    let dir = dir(&[(".gitattributes", "!f eol=lf\n* eol=lf\n"), ("f", "a\r\n")]);
    let (status, _, err) = dir.run(&["--check", "f"]);
    assert_eq!(status, 1);
    let note = "oxiconv: .gitattributes:1: negative patterns have no effect; ignored\n";
    assert!(err.starts_with(note), "{err}");
}

/// Precedence, macros and patterns are compared with `git check-attr`.
#[cfg(unix)]
#[test]
fn every_file_has_the_attributes_that_git_gives_it() {
    let dir = Dir::new();
    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        let output = git.current_dir(dir.0.path()).args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    git(&["init", "-q"]);
    for (name, text) in [
        (
            ".gitattributes",
            "[attr]windows text eol=crlf\n[attr]twice windows\n* text=auto eol=lf\n*.bat windows\n*.cmd twice\n\
             *.png binary\n/top.txt -text\nd/*.x eol=crlf\ndeep/**/z eol=crlf\n[ab].txt binary\n\"q\\\".t\" eol=crlf\n\
             *.un -text\n*.un !text\n*.ov binary text\n*.vo text binary\ndir/ eol=crlf\n *.sp eol=crlf\n\
             *.set eol=lf eol=crlf\n?.one eol=crlf\n\\!neg eol=crlf\n",
        ),
        ("sub/.gitattributes", "*.bat eol=lf\n/only -text\n*.png !text\ninner/*.y eol=crlf\n"),
        ("sub/inner/.gitattributes", "*.bat !eol\n* -windows\n"),
    ] {
        dir.write(name, text.as_bytes());
    }
    let names = [
        "a.bat",
        "a.cmd",
        "a.png",
        "top.txt",
        "sub/top.txt",
        "d/a.x",
        "e/d/a.x",
        "deep/z",
        "deep/1/2/z",
        "a.txt",
        "c.txt",
        "q\".t",
        "a.un",
        "a.ov",
        "a.vo",
        "dir/f",
        "a.sp",
        "a.set",
        "b.one",
        "bb.one",
        "!neg",
        "sub/a.bat",
        "sub/only",
        "sub/inner/only",
        "sub/a.png",
        "sub/inner/a.y",
        "sub/inner/a.bat",
        "sub/inner/a.cmd",
    ];
    for name in names {
        dir.write(name, b"a\n");
        let attributes = git(&["check-attr", "-z", "text", "eol", "--", name]);
        let fields: Vec<_> = attributes.split('\0').collect();
        let (text, eol) = (fields[2], fields[5]);
        let err = dir.run(&["--check", "-v", name]).2;
        assert_eq!(err.contains(": skipped: "), text == "unset", "{name} {attributes} {err}");
        if text != "unset" {
            assert_eq!(err.contains("eol=crlf"), eol == "crlf", "{name} {attributes} {err}");
            assert_eq!(err.contains("eol=lf"), eol == "lf", "{name} {attributes} {err}");
        }
    }
}

#[test]
fn attributes_end_at_the_top_of_the_repository() {
    let dir = dir(&[
        (".gitattributes", "* eol=crlf\n"),
        ("inner/.gitattributes", "[attr]mac eol=crlf\n*.txt mac\n"),
        ("other/.gitattributes", "[attr]mac eol=lf\n"),
        ("oxiconv.toml", "[[rule]]\nbom = \"require\"\n"),
    ]);
    fs::create_dir_all(dir.path("inner/.git")).unwrap();
    assert!(kinds_of(&dir, "inner/f", b"a\n", &[]).is_empty());
    assert_eq!(kinds_of(&dir, "inner/f.txt", b"a\n", &[]), ["error wrong-newline"]);
    assert_eq!(
        kinds_of(&dir, "other/f", b"a\n", &[]),
        ["error bom-missing", "error wrong-newline"]
    );
    let note = ".gitattributes:1: macros are defined only at the top of a repository; ignored";
    assert!(dir.run(&["--check", "other/f"]).2.contains(note));
}

// oxiconv.toml

#[test]
fn each_key_of_oxiconv_toml_is_checked() {
    for (rule, bytes, expected) in [
        ("encoding = \"windows-1252\"", &b"\x80\n"[..], &[][..]),
        ("encoding = \"windows-1252\"", b"\x81\n", &["error invalid-byte"]),
        ("encoding = \"windows-1252\"", "€\n".as_bytes(), &["error other-encoding"]),
        ("encoding = \"Auto\"", b"\xFF\xFEa\0\n\0", &[]),
        ("encoding = \"utf-8\"", b"\xEF\xBB\xBFa", &[]),
        ("bom = \"forbid\"", b"\xEF\xBB\xBFa", &["error bom-forbidden"]),
        ("bom = \"require\"", b"a", &["error bom-missing"]),
        ("bom = \"any\"", b"a", &[]),
        ("newline = \"lf\"", b"a\r\n", &["error wrong-newline"]),
        ("newline = \"CRLF\"", b"a\n", &["error wrong-newline"]),
        ("newline = \"cr\"", b"a\n", &["error wrong-newline"]),
        ("newline = \"any\"", b"a\nb\r\n", &[]),
        ("final-newline = true", b"a", &["error missing-final-newline"]),
        ("final-newline = false", b"a", &[]),
        ("deny = [\"nul\", \"bidi\"]", "\u{202E}".as_bytes(), &["error bidi"]),
        ("deny = [\"mixed-newlines\"]", b"a\nb\r\n", &["error mixed-newlines"]),
        (
            "deny = [\"all\", \"no-final-newline\"]",
            b"a\n\0",
            &["error nul", "error no-final-newline"],
        ),
        (
            "deny = [\"crlf\", \"invisible\"]",
            b"a\r\n\xE2\x80\x8B",
            &["error crlf", "error invisible"],
        ),
        ("exclude = true", b"\xFF", &[]),
        ("exclude = false", b"\xFF", &["error invalid-byte"]),
        // An encoding without byte order marks cannot lack one.
        ("encoding = \"latin1\"\nbom = \"require\"", b"a", &[]),
    ] {
        let found = check(&dir(&[("oxiconv.toml", &format!("[[rule]]\n{rule}\n"))]), bytes);
        assert_eq!(found, expected, "{rule} {bytes:?}");
    }
}

#[test]
fn severities_decide_about_the_exit_status() {
    let toml = "[[rule]]\ndeny = [\"bidi\", \"nul\"]\nseverity = { bidi = \"warning\", nul = \"note\", invalid-byte = \"off\" }\n";
    let dir = dir(&[("oxiconv.toml", toml)]);
    let text = "\u{202E}\0".as_bytes();
    assert_eq!(check(&dir, text), ["warning bidi", "note nul"]);
    assert!(check(&dir, b"\xFF\xFF\n").is_empty());
    assert_eq!(check(&dir, b"\xFF\xE9\n"), ["error truncated"]);
    dir.write("f", &[text, b"\xFF"].concat());
    for (format, level) in [
        ("json", "\"kind\":\"bidi\",\"level\":\"warning\""),
        ("sarif", "\"level\":\"warning\""),
        ("github", "::warning file=f,line=1,col=1,title=oxiconv bidi::"),
    ] {
        let (status, out, _) = dir.run(&["--check", "--format", format, "f"]);
        assert_eq!(status, 0, "{out}");
        assert!(out.contains(level), "{format}: {out}");
        assert!(!out.contains("invalid-byte at"), "{format}: {out}");
    }
    let (status, out, _) = dir.run(&["--explain", "f"]);
    assert_eq!(status, 0);
    assert!(out.contains("f:1:1: warning[bidi]: ") && out.contains("f:1:2: note[nul]: "), "{out}");
    assert!(!out.contains("invalid-byte"), "{out}");
    // Findings whose severity is off are not counted.
    let (_, out, _) = dir.run(&["--check", "--format", "json", "f"]);
    assert!(out.contains("\"findings\":2,\"by_kind\":{\"bidi\":1,\"nul\":1}"), "{out}");
}

#[test]
fn later_rules_win_and_globs_choose_the_files() {
    let toml = "exclude = [\"vendor/\", \"*.min.js\", \"/top\"]\n\n[[rule]]\nnewline = \"lf\"\nbom = \"forbid\"\n\n[[rule]]\n\
                files = [\"*.{bat,cmd}\", \"win/**\"]\nnewline = \"crlf\"\n\n[[rule]]\nfiles = [\"vendor/own/**\"]\nexclude = false\n";
    let dir = dir(&[("oxiconv.toml", toml)]);
    for (name, bytes, expected) in [
        ("a.txt", &b"a\r\n"[..], &["error wrong-newline"][..]),
        ("a.bat", b"a\r\n", &[]),
        ("win/d/a.txt", b"\xEF\xBB\xBFa\r\n", &["error bom-forbidden"]),
        ("vendor/d/a.txt", b"\xFF", &[]),
        ("d/vendor/a.txt", b"\xFF", &[]),
        ("d/top/a.txt", b"\xFF", &["error invalid-byte"]),
        ("top/a.txt", b"\xFF", &[]),
        ("d/a.min.js", b"\xFF", &[]),
        ("vendor/own/a.txt", b"\xFF", &["error invalid-byte"]),
    ] {
        assert_eq!(kinds_of(&dir, name, bytes, &[]), expected, "{name}");
    }
}

#[test]
fn the_closest_oxiconv_toml_alone_has_effect() {
    let dir = dir(&[
        ("oxiconv.toml", "[[rule]]\nbom = \"require\"\nnewline = \"crlf\"\n"),
        ("d/oxiconv.toml", "[[rule]]\nbom = \"forbid\"\n"),
    ]);
    assert_eq!(check(&dir, b"a\n"), ["error bom-missing", "error wrong-newline"]);
    assert!(kinds_of(&dir, "d/e/f", b"a\n", &[]).is_empty());
}

#[test]
fn a_wrong_oxiconv_toml_is_an_error_with_line_and_column() {
    for (toml, place, words) in [
        ("exclude = [", ":1:", ""),
        ("exclude = true", ":1:11: ", "this must be a list, such as [\"a\", \"b\"]"),
        ("exclude = [1]", ":1:12: ", "this must be a string"),
        (
            "[[rule]]\n  encodign = \"x\"",
            ":2:3: ",
            "unknown: encodign (known: files, encoding, bom",
        ),
        ("[[rule]]\nencoding = \"utf-9\"", ":2:12: ", "unknown encoding 'utf-9'"),
        ("[[rule]]\nbom = \"maybe\"", ":2:7: ", "unknown: maybe (known: forbid, require, any)"),
        ("[[rule]]\ndeny = [\"nul\", \"x\"]", ":2:16: ", "unknown: x (known: nul, control"),
        ("[[rule]]\nfinal-newline = \"yes\"", ":2:17: ", "this must be true or false"),
        ("[[rule]]\nseverity = \"off\"", ":2:12: ", "this must be a table"),
        ("[[rule]]\nseverity = { nope = \"off\" }", ":2:14: ", "unknown: nope (known: truncated"),
        ("[[rule]]\nseverity = { bom-inside = \"off\" }", ":2:14: ", "unknown: bom-inside"),
        (
            "[[rule]]\nseverity = { nul = \"fatal\" }",
            ":2:20: ",
            "unknown: fatal (known: error, warning, note, off)",
        ),
        ("rule = 1", ":1:1: ", "a rule begins with [[rule]]"),
        ("charset = \"x\"", ":1:1: ", "unknown: charset (known: exclude, rule, defaults)"),
        ("\"\u{1b}[31m\" = 1", ":1:2: ", ""),
        ("\u{1b} = 1", ":1:1: ", ""),
    ] {
        let dir = dir(&[("oxiconv.toml", toml), ("d/f", "a")]);
        let (status, out, err) = dir.run(&["--check", "d/f"]);
        assert_eq!((status, out.as_str()), (2, ""), "{toml}: {err}");
        assert!(err.starts_with(&format!("oxiconv: oxiconv.toml{place}")), "{toml}: {err}");
        assert!(err.contains(words) && err.lines().count() == 1, "{toml}: {err}");
        assert!(!err.contains('\u{1b}'), "{toml}: {err}");
        assert_eq!(dir.run(&["--check", "--no-config", "d/f"]).0, 0, "{toml}");
        // A conversion reads no rules, but it has to read the file to find defaults.
        let converted = (0, "a".to_owned(), String::new());
        let is_of_file = words.is_empty() || toml.starts_with("charset");
        let expected = if is_of_file { (2, String::new(), err) } else { converted.clone() };
        assert_eq!(dir.run(&["d/f"]), expected, "{toml}");
        assert_eq!(dir.run(&["--no-config", "d/f"]), converted, "{toml}");
    }
    let dir = dir(&[("f", "a")]);
    dir.write("oxiconv.toml", b"# \xE9\n");
    let (status, _, err) = dir.run(&["--check", "f"]);
    assert_eq!(status, 2, "{err}");
    assert!(err.starts_with("oxiconv: oxiconv.toml: ") && err.contains("utf-8"), "{err}");
    let (_, out, _) = dir.run(&["--check", "--format", "json", "f"]);
    assert!(out.contains("\"type\":\"error\"") && out.contains("\"exit_status\":2"), "{out}");
}

// Precedence

#[test]
fn the_command_line_wins_over_oxiconv_toml_over_gitattributes_over_editorconfig() {
    let config =
        ("editor", ".editorconfig", "root = true\n[*]\ncharset = utf-8-bom\nend_of_line = cr\n");
    let attributes = ("git", ".gitattributes", "* working-tree-encoding=UTF-16 eol=crlf\n");
    let own = ("own", "oxiconv.toml", "[[rule]]\nencoding = \"utf-16le\"\nnewline = \"lf\"\n");
    let files = [config, attributes, own];
    for present in 0..8_usize {
        let here: Vec<_> = (0..3).filter(|at| present >> at & 1 == 1).map(|at| files[at]).collect();
        let pairs: Vec<_> = here.iter().map(|(_, name, text)| (*name, *text)).collect();
        let dir = dir(&pairs);
        dir.write("f", b"a\0\n\0\n");
        let strongest = here.last().map(|(name, ..)| *name);
        let err = dir.run(&["--check", "-v", "f"]).2;
        let expected = match strongest {
            Some("editor") => [".editorconfig:3 says charset", ".editorconfig:4 says end_of_line"],
            Some("git") => {
                [".gitattributes:1 says working-tree-encoding=UTF-16", "1 says eol=crlf"]
            }
            Some(_) => ["oxiconv.toml:2 says encoding", "oxiconv.toml:3 says newline"],
            None => ["f: UTF-8: 5 bytes", "1 file"],
        };
        assert!(err.contains(expected[0]), "{strongest:?}: {err}");
        assert!(strongest.is_none() || err.contains(expected[1]), "{strongest:?}: {err}");
        // Overridden rules are not named.
        let named = err.matches(" says ").count();
        assert_eq!(named, if strongest.is_some() { 2 } else { 0 }, "{strongest:?}: {err}");
        // -f overrides every rule file, but only for the encoding and its byte order mark.
        let found = kinds_of(&dir, "f", b"\xE9\n", &["-f", "latin1"]);
        let newline = matches!(strongest, Some("editor" | "git"));
        assert_eq!(found.len(), usize::from(newline), "{strongest:?} {found:?}");
    }
}

#[test]
fn what_is_given_wins_even_if_it_is_the_default() {
    let dir = editorconfig("charset = latin1");
    assert_eq!(check(&dir, b"\xE9\n"), [""; 0]);
    assert_eq!(kinds_of(&dir, "f", b"\xE9\n", &["-f", "utf-8"]), ["error truncated"]);
    let dir = editorconfig("charset = utf-8-bom");
    assert_eq!(kinds_of(&dir, "f", b"a", &["--bom", "auto"]), [""; 0]);
    assert_eq!(
        kinds_of(&dir, "f", b"\xEF\xBB\xBFa", &["--bom", "forbid"]),
        ["error bom-forbidden"]
    );
    assert_eq!(kinds_of(&dir, "f", b"a", &["-f", "utf-8"]), [""; 0]);
    let toml = "[[rule]]\ndeny = [\"nul\"]\nbom = \"require\"\n";
    let dir = self::dir(&[("oxiconv.toml", toml)]);
    assert_eq!(check(&dir, b"\0\x01"), ["error bom-missing", "error nul"]);
    let options = ["--deny", "control", "--bom", "auto"];
    assert_eq!(kinds_of(&dir, "f", b"\0\x01", &options), ["error control", "error control"]);
    // The rule is overridden, so it is not given as the reason.
    assert!(!dir.run(&["--check", "--deny", "nul", "f"]).1.contains("says deny"));
}

#[test]
fn no_config_ignores_all() {
    let dir = dir(&[
        (".editorconfig", "root = true\n[*]\ncharset = utf-8-bom\n"),
        (".gitattributes", "* eol=crlf\n"),
        ("oxiconv.toml", "[[rule]]\nfinal-newline = true\n"),
    ]);
    assert_eq!(check(&dir, b"a\nb").len(), 3);
    assert!(kinds_of(&dir, "f", b"a\nb", &["--no-config"]).is_empty());
}

// Which files

#[cfg(unix)]
#[test]
fn a_file_is_treated_alike_however_it_is_named() {
    let dir = dir(&[
        (
            ".editorconfig",
            "root = true\n[*.txt]\ncharset = utf-8-bom\n[d/*.l1]\ncharset = latin1\n",
        ),
        (".gitattributes", "*.dat binary\n"),
        ("d/a.txt", "a\n"),
        ("d/b.dat", "\u{1}\n"),
    ]);
    dir.write("d/c.l1", b"\xE9\n");
    symlink("d", dir.path("link")).unwrap();
    let absolute = dir.path("d/a.txt").display().to_string();
    for args in [
        &["d/a.txt", "d/b.dat", "d/c.l1"][..],
        &["-r", "."],
        &["-r", "d"],
        &["./d/../d/a.txt", "d//b.dat", "d/../d/c.l1"],
        &["link/a.txt", "link/b.dat", "link/c.l1"],
        &[&absolute, "d/b.dat", "d/c.l1"],
    ] {
        let (status, out, err) = dir.run(&[&["--check"], args].concat());
        assert_eq!(status, 1, "{args:?}: {out}{err}");
        assert_eq!(out.lines().count(), 1, "{args:?}: {out}");
        assert!(out.contains("a.txt:1:1: error[bom-missing]"), "{args:?}: {out}");
        assert!(
            out.ends_with(", but .editorconfig:3 says charset = utf-8-bom\n"),
            "{args:?}: {out}"
        );
        assert!(err.contains("1 file excluded"), "{args:?}: {err}");
    }
    dir.write("list", b"d/a.txt\0d/b.dat\0");
    let (_, out, _) = dir.run(&["--check", "--files0-from", "list"]);
    assert!(out.contains("error[bom-missing]"), "{out}");
    // In a subdirectory the same rules apply. Their file is named relative to that directory.
    let output = crate::common::oxiconv()
        .current_dir(dir.path("d"))
        .args(["--check", "../d/a.txt"])
        .output()
        .unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.ends_with(", but ../.editorconfig:3 says charset = utf-8-bom\n"), "{out}");
    // Standard input has no path, so no rules apply.
    let stdin =
        crate::common::oxiconv().current_dir(dir.0.path()).arg("--check").write_stdin("a").assert();
    stdin.success();
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_has_the_rules_of_its_own_place() {
    let dir = editorconfig("");
    dir.write("d/.editorconfig", b"[*]\ncharset = utf-8-bom\n");
    dir.write("d/f", b"a");
    symlink("d/f", dir.path("link")).unwrap();
    assert_eq!(dir.run(&["--check", "link"]).0, 0);
    assert_eq!(dir.run(&["--check", "d/f"]).0, 1);
}

#[test]
fn excluded_files_are_counted_and_said_why() {
    let dir = dir(&[
        (".gitattributes", "*.dat binary\n*.raw -text\n"),
        ("oxiconv.toml", "exclude = [\"vendor/\"]\n"),
        ("a.dat", "a"),
        ("b.raw", "a"),
        ("vendor/c", "a"),
    ]);
    let (status, out, err) = dir.run(&["--check", "-v", "a.dat", "b.raw", "vendor/c"]);
    assert_eq!((status, out.as_str()), (0, ""));
    let lines: Vec<_> = err.lines().collect();
    assert_eq!(
        lines,
        [
            "oxiconv: a.dat: skipped: .gitattributes:1 says binary",
            "oxiconv: b.raw: skipped: .gitattributes:2 says -text",
            "oxiconv: vendor/c: skipped: oxiconv.toml:1 says exclude = [\"vendor/\"]",
            "oxiconv: 0 files, 0 bytes, 0 characters: no findings, 3 files excluded",
        ]
    );
    let (_, _, err) = dir.run(&["--check", "a.dat"]);
    assert_eq!(
        err,
        "oxiconv: skipped 1 file that the repository excludes (-v says why; --no-config includes them)\n"
    );
    let (_, out, _) = dir.run(&["--check", "--format", "json", "a.dat"]);
    assert!(out.contains("{\"type\":\"passed-over\",\"path\":{\"text\":\"a.dat\"}}"), "{out}");
    assert!(out.contains("\"passed_over\":1"), "{out}");
}

#[test]
fn what_is_declared_to_be_text_is_not_skipped_as_binary() {
    let dir = dir(&[(".gitattributes", "*.t text\n*.16 text working-tree-encoding=UTF-16LE\n")]);
    dir.write("a.t", b"a\0\xFF\n");
    dir.write("b.x", b"a\0\xFF\n");
    dir.write("c.16", b"a\0\n\0");
    let (_, out, err) = dir.run(&["--check", "-r", "."]);
    assert!(out.contains("a.t:1:3: error[invalid-byte]"), "{out}");
    assert_eq!(out.lines().count(), 1, "{out}");
    assert!(err.contains("1 binary file skipped"), "{err}");
}

/// With `text=auto`, git decides by the content whether a file is text. Such a file is skipped if it looks binary, even
/// if the command line names it.
#[test]
fn a_named_binary_file_that_git_leaves_alone_is_skipped() {
    let dir = dir(&[(".gitattributes", "* text=auto eol=lf\n*.t text eol=lf\n")]);
    dir.write("a.bin", b"\x89PNG\r\n\x1A\0\0\0\xFF");
    dir.write("b.txt", b"a\r\n");
    dir.write("c.t", b"\0\r\n");
    let (status, out, err) = dir.run(&["--check", "a.bin"]);
    assert_eq!((status, out.as_str()), (0, ""), "{err}");
    for name in ["b.txt", "c.t"] {
        let (status, out, _) = dir.run(&["--check", name]);
        assert_eq!(status, 1);
        assert!(out.contains("error[wrong-newline]"), "{out}");
    }
}

#[test]
fn verbose_names_the_rules_in_force() {
    let dir = editorconfig("charset = utf-8\nend_of_line = crlf");
    dir.write(".gitattributes", b"*.txt eol=lf\n");
    dir.write("oxiconv.toml", b"[[rule]]\ndeny = [\"nul\"]\nseverity.nul = \"warning\"\n");
    dir.write("a.txt", b"a\n");
    let err = dir.run(&["--check", "-v", "a.txt"]).2;
    assert_eq!(
        err.lines().next().unwrap(),
        "oxiconv: a.txt: .editorconfig:3 says charset = utf-8, .gitattributes:1 says eol=lf, oxiconv.toml:2 says \
         deny = [\"nul\"], oxiconv.toml:3 says severity of nul = \"warning\""
    );
}

#[test]
fn explain_applies_the_rules_too() {
    let dir = editorconfig("charset = latin1\nend_of_line = lf\ninsert_final_newline = true");
    for (bytes, words) in [
        ("é\n".as_bytes(), "error[other-encoding]: byte 0"),
        ("é\n".as_bytes(), "the text is valid UTF-8, but .editorconfig:3 says charset = latin1"),
        (b"a\r\n", "error[wrong-newline]: 0D"),
        (b"a\nb", "error[missing-final-newline]: byte 3"),
        (b"a\nb", "2 | b\n"),
    ] {
        dir.write("f", bytes);
        let (status, out, _) = dir.run(&["--explain", "f"]);
        assert_eq!(status, 1);
        assert!(out.contains(words), "{words}: {out}");
    }
}

// Unreadable rule files

#[cfg(unix)]
#[test]
fn rules_that_cannot_be_read_are_noted() {
    let dir = dir(&[("f", "a")]);
    fs::create_dir(dir.path(".editorconfig")).unwrap();
    assert!(Command::new("mkfifo").arg(dir.path(".gitattributes")).status().unwrap().success());
    let (status, _, err) = dir.run(&["--check", "f"]);
    assert_eq!(status, 0, "{err}");
    assert_eq!(
        err,
        "oxiconv: .editorconfig: cannot be read: not a regular file; ignored\n\
         oxiconv: .gitattributes: cannot be read: not a regular file; ignored\n"
    );
    fs::create_dir(dir.path("oxiconv.toml")).unwrap();
    let (status, _, err) = dir.run(&["--check", "f"]);
    assert_eq!((status, err.as_str()), (2, "oxiconv: oxiconv.toml: not a regular file\n"));

    let dir = self::dir(&[("f", "a"), (".gitattributes", "* eol=lf\n")]);
    dir.write(".editorconfig", &b"# long\n".repeat(100_000));
    let (status, _, err) = dir.run(&["--check", "f"]);
    assert_eq!(
        (status, err.as_str()),
        (0, "oxiconv: .editorconfig: cannot be read: larger than 256 KiB; ignored\n")
    );
    if !rustix::process::geteuid().is_root() {
        let mode = fs::Permissions::from_mode(0o000);
        fs::set_permissions(dir.path(".gitattributes"), mode).unwrap();
        let err = dir.run(&["--check", "f"]).2;
        assert!(
            err.contains(".gitattributes: cannot be read: Permission denied; ignored"),
            "{err}"
        );
    }
}

/// No content of a rule file causes a panic or a long run.
#[test]
fn hostile_rules_do_no_harm() {
    let braces = format!("[{}b]\ncharset = utf-8\n", "{a,aa}".repeat(150));
    let nested = format!("[{}{}]\ncharset = utf-8\n", "{a,".repeat(300), "}".repeat(300));
    let stars = format!("{}b eol=lf\n", "**/a/".repeat(60));
    let arrays = format!("exclude = {}{}", "[".repeat(50_000), "]".repeat(50_000));
    let deep = format!("a/{}f", "a/".repeat(100));
    for (name, text) in [
        (".editorconfig", braces.as_bytes()),
        (".editorconfig", nested.as_bytes()),
        (".editorconfig", b"[*]\n\xFF = \xFE\n[\xFF]\n=\n[]\n[[\n[{]\n[\\]\n[a\\]\ncharset=\n"),
        (".gitattributes", stars.as_bytes()),
        (
            ".gitattributes",
            b"\xFF \xFE\n\"\n\"\\\n[attr]\n[attr]\xFF\n* =\n* -\n* !\n[attr]x x\n* x\n",
        ),
        ("oxiconv.toml", arrays.as_bytes()),
        ("oxiconv.toml", b"\0\0\0"),
        ("oxiconv.toml", b"a.b.c.d = { e = [ { f = 1979-05-27 } ] }"),
    ] {
        let dir = dir(&[(&deep, "a\n"), (&"a".repeat(200), "a\n")]);
        dir.write(name, text);
        let begin = std::time::Instant::now();
        let output = crate::common::oxiconv()
            .current_dir(dir.0.path())
            .args(["--check", "-r", "."])
            .output()
            .unwrap();
        assert!(output.status.code().is_some_and(|status| status <= 2), "{name}: {output:?}");
        assert!(begin.elapsed().as_secs() < 10, "{name}: {:?}", begin.elapsed());
    }
}

#[test]
fn notes_come_first_and_in_the_same_order_with_any_number_of_threads() {
    let dir = editorconfig("charset = utf-8");
    for at in 0..20 {
        dir.write(&format!("d{at:02}/.editorconfig"), b"[*]\ncharset = nope\n");
        dir.write(&format!("d{at:02}/f"), b"\xFF\n");
    }
    let one = dir.run(&["--check", "-r", "-j", "1", "."]);
    assert_eq!(one.2.lines().take(20).filter(|line| line.contains("'nope'")).count(), 20);
    for _ in 0..3 {
        assert_eq!(dir.run(&["--check", "-r", "-j", "8", "."]), one);
    }
}

/// A chain of macros may have any length. Following it must not depend on the stack of the thread.
#[test]
fn a_long_chain_of_macros_is_followed() {
    let mut text = "* m0\n".to_owned();
    for at in 0..10_000 {
        text.push_str(&format!("[attr]m{at:x} m{:x}\n", at + 1));
    }
    text.push_str("[attr]m2710 eol=lf\n");
    let dir = dir(&[(".gitattributes", &text), ("f", "a\r\n"), ("g", "a\n")]);
    let (status, out, err) = dir.run(&["--check", "-j", "2", "f", "g"]);
    assert_eq!((status, err.contains("note")), (1, false), "{err}");
    assert_eq!(
        out,
        "f:1:2: error[wrong-newline]: 0D at byte 1 (0x1): line ends with CRLF, but .gitattributes:1 says eol=lf (m0)\n"
    );

    // The longest possible chain: a rule file has at most 256 KiB, and a line takes 14 bytes.
    let name = |mut at: usize| {
        let mut name = String::new();
        for _ in 0..3 {
            name.push(char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[at % 36]));
            at /= 36;
        }
        name
    };
    let mut text = format!("* {}\n", name(0));
    for at in 0..18_700 {
        text.push_str(&format!("[attr]{} {}\n", name(at), name(at + 1)));
    }
    let dir = self::dir(&[(".gitattributes", &text), ("f", "a\r\n"), ("g", "a\n")]);
    let (status, out, _) = dir.run(&["--check", "-j", "2", "f", "g"]);
    assert_eq!((status, out.as_str()), (0, ""));
}

/// Text from a rule file is escaped before it reaches the terminal or a workflow command.
#[test]
fn what_rules_contain_is_escaped() {
    let hostile = "\x1b]0;x\x07\u{202E}lf\0";
    let config = format!("[*]\nend_of_line = {hostile}\ncharset = x\r::error::pwned\n");
    let attributes =
        format!("[attr]x eol=lf\n* eol={hostile}\n* working-tree-encoding={hostile}\nf x\n");
    let own = "[[rule]]\nbom = \"any\" # \u{202E}\n";
    let dir = dir(&[
        (".editorconfig", &config),
        (".gitattributes", &attributes),
        ("oxiconv.toml", own),
        ("f", "a\r\n"),
    ]);
    for options in [&["-v"][..], &["--format", "github"]] {
        let (_, out, err) = dir.run(&[&["--check"], options, &["f"]].concat());
        let all = out + &err;
        assert!(all.contains("\\u{1b}]0;x\\u{7}\\u{202e}lf"), "{all}");
        assert!(all.contains("x\\u{d}::error::pwned"), "{all}");
        assert!(!all.contains(|c| (c < ' ' && c != '\n') || c == '\u{202E}'), "{all:?}");
    }
}

#[test]
fn only_the_first_notes_on_a_file_are_printed() {
    let dir = dir(&[(".gitattributes", &"a eol\n".repeat(42_000)), ("f", "a\n")]);
    let (status, _, err) = dir.run(&["--check", "f"]);
    assert_eq!((status, err.lines().count()), (0, 21), "{err}");
    assert_eq!(
        err.lines().nth(19).unwrap(),
        "oxiconv: .gitattributes:20: eol: unknown value of eol; ignored"
    );
    assert_eq!(
        err.lines().nth(20).unwrap(),
        "oxiconv: .gitattributes: 41,980 more notes not shown"
    );
}

#[test]
fn several_double_stars_match_as_in_git() {
    for (pattern, path, expected) in [
        ("**/a/**/f", "a/f", true),
        ("**/a/**/f", "x/a/y/z/f", true),
        ("**/a/**/f", "x/f", false),
        ("**/a/**", "x/a/f", true),
        ("**/a/**", "f", false),
        ("d/**/e/**/*.c", "d/e/x.c", true),
        ("d/**/e/**/*.c", "x/d/e/x.c", false),
        ("/**/e/**/*.c", "x/d/e/x.c", true),
        ("**/[ab]/**/?", "x/b/f", true),
        ("**/a/**/f/", "a/f", false),
        ("**/**/f", "f", true),
    ] {
        let dir = dir(&[(".gitattributes", &format!("{pattern} eol=lf\n"))]);
        let found = kinds_of(&dir, path, b"a\r\n", &[]);
        assert_eq!(!found.is_empty(), expected, "{pattern} {path}");
    }
}

/// Patterns with several wildcards are slow to match. Their total size in a file is limited, and rules past that limit
/// are a note in `.gitattributes` and an error in `oxiconv.toml`.
#[test]
fn patterns_with_many_wildcards_take_little_time() {
    let attributes = "**/**/**/**/**/**/**/**/*a*a*a*a*a*a*a*a*b eol=lf\n".repeat(5000);
    let own = format!("exclude = [\n{}]\n", "\"{**a,**b}\",\n".repeat(2000));
    let long = format!("exclude = [\n{}]\n", "\"{**a,**b}\",\n".repeat(4000));
    let deep = format!("{}{}", "aaaaaaaaaaaaaaaaa/".repeat(100), "a".repeat(200));
    for (name, text, status, words) in [
        (
            ".gitattributes",
            &attributes,
            0,
            ".gitattributes:800: more than 32 KiB of patterns with several wildcards; ignored",
        ),
        ("oxiconv.toml", &own, 0, ""),
        (
            "oxiconv.toml",
            &long,
            2,
            "oxiconv.toml:3642:1: more than 32 KiB of patterns with several wildcards",
        ),
    ] {
        let dir = dir(&[(name, text)]);
        let files: Vec<_> = (0..10).map(|at| format!("{deep}{at}")).collect();
        for file in &files {
            dir.write(file, b"a\n");
        }
        let begin = std::time::Instant::now();
        let (found, _, err) = dir.run(&["--check", "-r", "."]);
        assert_eq!((found, err.contains(words)), (status, true), "{name}: {err}");
        assert!(begin.elapsed().as_secs() < 5, "{name}: {:?}", begin.elapsed());
    }
}

/// A rule with `auto-lines` works as `-f auto-lines` does: a line in another encoding is a finding that names that
/// encoding. It does not violate the rule.
#[test]
fn lines_may_be_in_several_encodings() {
    let rules = "[[rule]]\nfiles = [\"*.log\"]\nencoding = \"auto-lines\"\n";
    let dir = dir(&[("oxiconv.toml", rules)]);
    dir.write(
        "a.log",
        b"ok\n\xEE\xF8\xE8\xE1\xEA\xE0: \xF4\xE0\xE9\xEB \xED\xE5 \xED\xE0\xE9\xE4\xE5\xED\n",
    );
    dir.write("b.log", "ошибка\n".as_bytes());
    let (status, out, err) = dir.run(&["--check", "a.log", "b.log"]);
    let start = "a.log:2:1: error[truncated]: EE at byte 3 (0x3): ";
    assert_eq!((status, out.lines().count()), (1, 1), "{out}{err}");
    assert!(
        out.starts_with(start) && out.ends_with("; the line is read as windows-1251\n"),
        "{out}"
    );
    assert!(!err.contains("looks like"), "{err}");
}
