use super::*;

#[test]
fn well_formed_wtf_8_is_decoded_and_nothing_else() {
    for (bytes, expected) in [
        (&b"a\xC3\xA4"[..], Some(vec![0x61, 0xE4])),
        (b"\xF0\x9F\x98\x8D", Some(vec![0xD83D, 0xDE0D])),
        (b"\xED\xA0\xBDx", Some(vec![0xD83D, 0x78])),
        (b"\xED\xB8\x8D\xED\xA0\xBD", Some(vec![0xDE0D, 0xD83D])),
        (b"\xED\xA0\xBDx\xED\xB8\x8D", Some(vec![0xD83D, 0x78, 0xDE0D])),
        (b"\xED\xA0\xBD\xED\xB8\x8D", None),
        (b"caf\xE9", None),
        (b"\xED\xA0", None),
        (b"\xED\x9F\xBF", Some(vec![0xD7FF])),
    ] {
        assert_eq!(wide(bytes), expected, "{}", bytes.escape_ascii());
    }
}

#[test]
fn a_name_is_no_path() {
    for name in ["", ".", "..", "a/b", "/", "a\0"] {
        assert!(fault_of_name(name.as_bytes()).is_some(), "{name:?}");
    }
    for name in ["a", "...a", "größe", "名前", "a b"] {
        assert_eq!(fault_of_name(name.as_bytes()), None, "{name:?}");
    }
    assert_eq!(fault_of_name(b"caf\xE9"), None);
}

#[test]
fn windows_has_no_such_names() {
    for name in [
        r"..\x", r"a\b", "C:x", "a:b", "a?", "*", "a|b", "<a>", "\"", "a\n", "a.", "a ", "...",
        "nul", "CON.txt", "Aux .c", "com1", "LPT9.log", "COM².x", "conin$",
    ] {
        assert!(fault_on_windows(name.as_bytes()).is_some(), "{name:?}");
    }
    for name in ["a", ".a", "a.b c", "größe", "名前", "console", "com", "COM10", "nul1", "lpt-1"]
    {
        assert_eq!(fault_on_windows(name.as_bytes()), None, "{name:?}");
    }
}

#[cfg(windows)]
#[test]
fn a_verbatim_path_is_shortened_if_that_is_the_same_path() {
    for (path, expected) in [
        (r"\\?\C:\a\b.txt", r"C:\a\b.txt"),
        (r"\\?\C:\a.\b", r"\\?\C:\a.\b"),
        (r"\\?\UNC\server\share\a", r"\\?\UNC\server\share\a"),
        (r"C:\a", r"C:\a"),
        (r"a\b", r"a\b"),
    ] {
        assert_eq!(plain_path(Path::new(path)).as_os_str(), expected);
    }
}

#[test]
fn a_path_for_other_systems_has_slashes() {
    let path: std::path::PathBuf = ["a", "ä", "c"].iter().collect();
    assert_eq!(slashed_path(&path).as_os_str(), "a/ä/c");
}

#[test]
fn the_bytes_of_a_name_make_the_name_again() {
    for name in ["", "a", "ä😍"] {
        assert_eq!(name_of_bytes(name.into()).unwrap(), name);
    }
}
