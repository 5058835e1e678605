use super::*;
#[cfg(unix)]
use std::ffi::OsStr;
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;

#[cfg(unix)]
#[test]
fn a_path_is_one_word_of_the_shell() {
    for (path, expected) in [
        (&b"notes.txt"[..], "notes.txt"),
        (b"a b", "'a b'"),
        (b"it's", "\"it's\""),
        (b"=ls", "'=ls'"),
        (b"a,b", "'a,b'"),
        (b"-x", "./-x"),
        (b"$(rm)", "'$(rm)'"),
        ("é".as_bytes(), "'é'"),
        (b"caf\xE9'\n", "$'caf\\xe9\\'\\x0a'"),
    ] {
        assert_eq!(posix_word(Path::new(OsStr::from_bytes(path))), expected);
    }
}

#[test]
fn a_path_is_one_word_of_powershell() {
    for (path, expected) in [
        ("notes.txt", "notes.txt"),
        (r"C:\a\b-c_1.txt", r"C:\a\b-c_1.txt"),
        ("a b", "'a b'"),
        ("it's", "'it''s'"),
        ("it\u{2019}s", "'it\u{2019}\u{2019}s'"),
        ("-x", r".\-x"),
        ("-x y", r"'.\-x y'"),
        ("$(rm)", "'$(rm)'"),
        ("", "''"),
    ] {
        assert_eq!(powershell_word(Path::new(path)), expected);
    }
}

/// The bytes to cut off are those of the decompressed text.
#[test]
fn bytes_are_cut_off_after_decompression() {
    let options = [DECOMPRESS, "-t", "utf-16"].map(String::from);
    for (skip, file, expected) in [
        (0, Some("a.gz"), "oxiconv -z -t utf-16 a.gz"),
        (3, Some("a.gz"), "gzip -dcf a.gz | tail -c +4 | oxiconv -t utf-16"),
        (3, Some("a.zst"), "zstd -dcf a.zst | tail -c +4 | oxiconv -t utf-16"),
        (3, None, "gzip -dcf | tail -c +4 | oxiconv -t utf-16"),
    ] {
        assert_eq!(command(&options, skip, file.map(Path::new)), expected);
    }
    let plain = command(&options[1..], 3, Some(Path::new("a.gz")));
    assert_eq!(plain, "tail -c +4 a.gz | oxiconv -t utf-16");
}

#[cfg(unix)]
#[test]
fn a_command_that_repairs_a_file_replaces_it_and_keeps_a_copy() {
    let options = ["--fallback", "windows-1252"].map(String::from);
    let compressed = [&[DECOMPRESS.to_owned()][..], &options].concat();
    let file = Some(Path::new("notes.txt"));
    for (options, skip, file, expected) in [
        (&options[..], 0, file, "oxiconv --fallback windows-1252 -i.bak notes.txt"),
        (&options, 0, None, "oxiconv --fallback windows-1252"),
        (&options, 2, file, "tail -c +3 notes.txt | oxiconv --fallback windows-1252"),
        (&options, 0, Some(Path::new("/dev/null")), "oxiconv --fallback windows-1252 /dev/null"),
        (&compressed, 0, file, "oxiconv -z --fallback windows-1252 notes.txt"),
    ] {
        assert_eq!(repairing(options, skip, file).join(" "), expected);
    }
}

#[cfg(unix)]
#[test]
fn long_commands_go_on_after_a_backslash() {
    let words: Vec<_> =
        ["oxiconv", "--fallback", "windows-1252", "notes.txt"].map(String::from).into();
    assert_eq!(
        lines("  repair  ", &words, 80),
        "  repair  oxiconv --fallback windows-1252 notes.txt\n"
    );
    assert_eq!(
        lines("  repair  ", &words, 40),
        "  repair  oxiconv --fallback \\\n          windows-1252 notes.txt\n"
    );
}
