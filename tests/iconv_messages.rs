//! What the program prints and does under the name iconv in addition to what glibc's iconv does. The rest is compared
//! with glibc in `tests/iconv.rs`.

use std::env::consts::EXE_SUFFIX;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
#[cfg(unix)]
use std::os::unix::fs::symlink;
use std::path::{MAIN_SEPARATOR, Path};
use std::process::{Command, Output, Stdio};

use crate::common::Dir;
use crate::support::skipped;
use crate::system::program_named;

/// Returns a command that runs the program in `dir` through a link called `name`.
fn named(name: &str, dir: &Path) -> Command {
    let mut command = Command::new(program_named(name, dir));
    command.current_dir(dir).env("LC_ALL", "C.UTF-8").stdin(Stdio::null());
    command.env_remove("POSIXLY_CORRECT").env_remove("CLICOLOR_FORCE");
    command
}

fn iconv(dir: &Dir, args: &[&str]) -> Output {
    named("iconv", dir.0.path()).args(args).output().unwrap()
}

/// Returns the lines on standard error. `iconv: ` replaces the path of the program.
fn lines(output: &Output) -> Vec<String> {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    let program = format!("{MAIN_SEPARATOR}iconv{EXE_SUFFIX}: ");
    let line = |line: &str| match line.split_once(&program) {
        Some((_, words)) => format!("iconv: {words}"),
        None => line.to_owned(),
    };
    text.lines().map(line).collect()
}

#[test]
fn the_name_of_the_link_decides() {
    let dir = Dir::new();
    for (name, status) in [("iconv", 1), ("giconv", 1), ("iconv2", 2), ("myiconv", 2)] {
        let output = named(name, dir.0.path()).args(["-f", "nonsense"]).output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{name}");
    }
}

#[test]
fn the_line_after_the_first_one_is_the_finding() {
    let dir = Dir::new();
    dir.write("bad", b"ab\xFFc");
    dir.write("cut", b"ab\xE2\x82");
    let output = iconv(&dir, &["-f", "utf-8", "-t", "latin1", "bad"]);
    assert_eq!(
        lines(&output),
        [
            "iconv: illegal input sequence at position 2",
            "bad:1:3: error[invalid-byte]: FF at byte 2 (0x2): FF never occurs in UTF-8",
        ]
    );
    let output = iconv(&dir, &["-f", "utf-8", "-t", "latin1", "cut"]);
    assert_eq!(lines(&output)[0], "iconv: incomplete character or shift sequence at end of buffer");
    assert!(lines(&output)[1].starts_with("cut:1:3: error[truncated-at-end]: E2 82"));
    let output = iconv(&dir, &["-s", "-f", "utf-8", "-t", "latin1", "bad"]);
    assert_eq!(lines(&output), ["iconv: illegal input sequence at position 2"]);
}

#[cfg(unix)]
#[test]
fn unknown_names_get_the_nearest_ones() {
    let dir = Dir::new();
    let output = iconv(&dir, &["-f", "latin-11", "-t", "utf9"]);
    assert_eq!(output.status.code(), Some(1));
    let lines = lines(&output);
    assert_eq!(lines[0], "iconv: conversions from `latin-11' and to `utf9' are not supported");
    assert!(lines[2].starts_with("unknown encoding 'utf9'; did you mean UTF-8"), "{lines:?}");
    assert_eq!(lines[3], "Try `iconv --help' or `iconv --usage' for more information.");
}

#[test]
fn what_is_left_out_is_not_mentioned() {
    let dir = Dir::new();
    dir.write("bad", b"a\xFF\xE2\x82\xACb");
    for args in
        [&["-c", "-t", "latin1"][..], &["-t", "latin1//IGNORE"], &["-t", "latin1//TRANSLIT", "-c"]]
    {
        let output = iconv(&dir, &[args, &["-f", "utf-8", "bad"]].concat());
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(output.stderr.is_empty(), "{args:?}");
    }
    let output = iconv(&dir, &["-f", "utf-8", "-t", "ascii//NON_IDENTICAL_DISCARD", "bad"]);
    assert_eq!(lines(&output)[0], "iconv: illegal input sequence at position 1");
    dir.write("euro", "a€b".as_bytes());
    let output = iconv(&dir, &["-f", "utf-8", "-t", "latin1//NON_IDENTICAL_DISCARD", "euro"]);
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(1), &b"ab"[..]));
    dir.write("quotes", "“a”".as_bytes());
    let output = iconv(&dir, &["-f", "utf-8", "-t", "ascii//TRANSLIT", "quotes"]);
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(0), &b"\"a\""[..]));
    assert!(output.stderr.is_empty());
}

/// These options and formats are those of GNU libiconv.
#[test]
fn formats_stand_for_what_cannot_be_converted() {
    let dir = Dir::new();
    dir.write("bad", b"a\xFF\xE2\x82\xACb\xE2\x82");
    let subst =
        |args: &[&str]| iconv(&dir, &[args, &["-f", "utf-8", "-t", "ascii", "bad"]].concat());
    let output = subst(&["--unicode-subst=<U+%04X>", "--byte-subst", "<%#x>"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stdout, b"a<0xff><U+20AC>b<0xe2><0x82>");
    // -c discards only what has no substitute.
    let output = subst(&["-c", "--widechar-subst=<%x>"]);
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(1), &b"a<20ac>b"[..]));
    for format in ["%s", "%x%x", "%lx", "%*x", "%", "%99999x"] {
        let output = subst(&[&format!("--byte-subst={format}")]);
        assert_eq!(output.status.code(), Some(1), "{format}");
        assert!(output.stdout.is_empty(), "{format}");
        assert!(
            lines(&output)[0].starts_with(&format!("iconv: --byte-subst '{format}': ")),
            "{format}"
        );
    }
}

/// glibc before 2.41 destroys the file.
#[cfg(unix)]
#[test]
fn an_input_that_is_the_output_is_converted_or_stays() {
    let dir = Dir::new();
    let long = "\u{E9}t\u{E9}\n".repeat(60_000);
    dir.write("f", long.as_bytes());
    symlink(dir.path("f"), dir.path("link")).unwrap();
    let output = iconv(&dir, &["-f", "utf-8", "-t", "latin1", "-o", "link", "f"]);
    assert!(output.status.success());
    assert_eq!(dir.read("f"), b"\xE9t\xE9\n".repeat(60_000));
    let output = iconv(&dir, &["-f", "utf-8", "-t", "latin1", "f", "-o", "f"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(lines(&output).last().unwrap(), "f: not written");
    assert_eq!(dir.read("f"), b"\xE9t\xE9\n".repeat(60_000));
}

#[test]
fn what_was_converted_before_an_error_is_in_the_output_file() {
    let dir = Dir::new();
    dir.write("bad", b"ab\xFFc");
    dir.write("worse", b"\xFFc");
    dir.write("out", b"old");
    assert_eq!(
        iconv(&dir, &["-f", "utf-8", "-t", "latin1", "-o", "out", "worse"]).status.code(),
        Some(1)
    );
    assert_eq!(dir.read("out"), b"old");
    assert_eq!(
        iconv(&dir, &["-f", "utf-8", "-t", "latin1", "-o", "out", "bad"]).status.code(),
        Some(1)
    );
    assert_eq!(dir.read("out"), b"ab");
    assert_eq!(iconv(&dir, &["-o", "out", "missing"]).status.code(), Some(1));
    assert_eq!(dir.read("out"), b"ab");
    assert_eq!(dir.names(), ["bad", &format!("iconv{EXE_SUFFIX}"), "out", "worse"]);
}

/// `iconv f >>f` must not read its own output. The end of the input is where the file ended when it was opened.
#[test]
fn a_file_to_which_the_output_is_appended_is_read_once() {
    for size in [10, 100_000] {
        let dir = Dir::new();
        let text = "é".repeat(size);
        let path = dir.write("f", text.as_bytes());
        let append = || OpenOptions::new().append(true).open(&path).unwrap();
        let mut command = named("iconv", dir.0.path());
        command.args(["-f", "utf-8", "-t", "latin1", "f"]).stdout(append());
        assert!(command.status().unwrap().success());
        let latin1 = b"\xE9".repeat(size);
        assert_eq!(dir.read("f"), [text.as_bytes(), &latin1].concat());
        fs::write(&path, &latin1).unwrap();
        let mut command = named("iconv", dir.0.path());
        command.args(["-f", "latin1", "-t", "utf-8"]).stdin(File::open(&path).unwrap());
        assert!(command.stdout(append()).status().unwrap().success());
        assert_eq!(dir.read("f"), [&latin1, text.as_bytes()].concat());
    }
}

/// glibc's iconv reads everything before it writes.
#[test]
fn lines_of_a_pipe_appear_at_once() {
    use std::io::{BufRead, BufReader};
    let dir = Dir::new();
    let mut command = named("iconv", dir.0.path());
    command.args(["-f", "latin1", "-t", "utf-8"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"caf\xE9\n").unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "café\n");
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    use std::os::unix::process::ExitStatusExt;
    let dir = Dir::new();
    dir.write("f", &b"y\n".repeat(1 << 20));
    for args in [&["-t", "utf-16", "f"][..], &["-l"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = named("iconv", dir.0.path());
        let output = command.args(args).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.signal(), Some(13), "{args:?}");
        assert!(output.stderr.is_empty(), "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_charmap_is_named_by_its_path() {
    let dir = Dir::new();
    dir.write("mine", b"CHARMAP\n<U0041> \\x41\n<U20AC> \\x80\nEND CHARMAP\n");
    dir.write("broken", b"CHARMAP\nU0041\nEND CHARMAP\n");
    dir.write("text", b"A\x80");
    let output = iconv(&dir, &["-f", "./mine", "-t", "UTF-8", "text"]);
    assert_eq!((output.status.code(), output.stdout), (Some(0), "A€".as_bytes().to_vec()));
    dir.write("text", "A€Ω".as_bytes());
    let output = iconv(&dir, &["-f", "UTF-8", "-t", "./mine//IGNORE", "text"]);
    assert_eq!((output.status.code(), output.stdout), (Some(1), b"A\x80".to_vec()));
    for (code, note) in [
        ("./broken", "./broken:2: expected a character such as <U0041>, found U0041"),
        ("./nothing", "./nothing: No such file or directory"),
    ] {
        let output = iconv(&dir, &["-f", code, "-t", "UTF-8", "text"]);
        assert_eq!(output.status.code(), Some(1), "{code}");
        let lines = lines(&output);
        assert_eq!(lines[0], format!("iconv: conversion from `{code}' is not supported"));
        assert!(lines[1].ends_with(note), "{lines:?}");
    }
}

/// Transliteration depends on the locale. The locales are built here, with glibc's `localedef`.
#[test]
fn similar_text_is_that_of_the_language_of_the_locale() {
    let dir = Dir::new();
    let folder = dir.0.path();
    for locale in ["de_DE", "uk_UA"] {
        let mut localedef = Command::new("localedef");
        localedef.args(["-c", "-i", locale, "-f", "UTF-8", &format!("./{locale}.UTF-8")]);
        let done =
            localedef.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !done.is_ok_and(|_| folder.join(format!("{locale}.UTF-8")).is_dir()) {
            skipped(&format!("there is no localedef, or no source of {locale}"));
            return;
        }
    }
    dir.write("text", "Grüße, Ёлка, зг ∉".as_bytes());
    for (variables, expected) in [
        (&[("LC_ALL", "de_DE.UTF-8")][..], "Gruesse, Yolka, zg ?"),
        (&[("LC_CTYPE", "de_DE.UTF-8"), ("LANG", "uk_UA.UTF-8")], "Gruesse, Yolka, zg ?"),
        (&[("LANG", "uk_UA.UTF-8")], "Grusse, Yolka, zgh ?"),
        (&[("LC_ALL", "C.UTF-8"), ("LC_CTYPE", "de_DE.UTF-8")], "Grusse, Yolka, zg ?"),
        (&[("LC_ALL", "de_XY.UTF-8")], "Grusse, Yolka, zg ?"),
    ] {
        let mut command = named("iconv", folder);
        for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
            command.env_remove(name);
        }
        command.env("LOCPATH", folder).envs(variables.iter().copied());
        let output =
            command.args(["-f", "utf-8", "-t", "ascii//TRANSLIT", "text"]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{variables:?}");
        assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]));
    }
}

/// As with GNU libiconv: glibc has neither the option nor the suffix `//NON_IDENTICAL_DISCARD`.
#[test]
fn what_has_no_similar_text_takes_the_format_of_the_option() {
    let dir = Dir::new();
    dir.write("text", "5 €, ∉".as_bytes());
    for (args, expected, status) in [
        (&["-t", "ascii//TRANSLIT", "--unicode-subst=<U+%04X>"][..], "5 EUR, <U+2209>", 0),
        (&["-t", "ascii//TRANSLIT"], "5 EUR, ?", 0),
        (&["-c", "-t", "ascii//TRANSLIT"], "5 EUR, ?", 0),
        (&["-t", "ascii//IGNORE,TRANSLIT"], "5 EUR, ?", 0),
        (&["-t", "ascii//TRANSLIT//NON_IDENTICAL_DISCARD"], "5 EUR, ", 1),
    ] {
        let output = iconv(&dir, &[&["-f", "utf-8"], args, &["text"]].concat());
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{args:?}");
        assert_eq!((output.status.code(), lines(&output)), (Some(status), vec![]), "{args:?}");
    }
}
