use super::*;

/// Splits a name into the name and the initials of its suffixes; lower case for an unknown one.
fn split(code: &str) -> (&str, String) {
    let SuffixedName { name, suffixes, unknown } = SuffixedName::new(code);
    let given = [
        (suffixes.transliterate, 'T'),
        (suffixes.ignore, 'I'),
        (suffixes.discard, 'D'),
        (unknown.is_some(), 'u'),
    ];
    (name, given.into_iter().filter_map(|(given, letter)| given.then_some(letter)).collect())
}

#[test]
fn only_known_words_after_two_slashes_are_suffixes_of_a_path() {
    let (none, both) = (
        Suffixes::default(),
        Suffixes { transliterate: true, ignore: true, ..Suffixes::default() },
    );
    for (code, path, suffixes) in [
        ("./x.ucm", "./x.ucm", none),
        ("/usr/share/x//", "/usr/share/x", none),
        ("a//b/x.ucm", "a//b/x.ucm", none),
        ("a//translit", "a", Suffixes { transliterate: true, ..none }),
        ("./x//TRANSLIT//IGNORE", "./x", both),
        ("a//b//IGNORE,TRANSLIT", "a//b", both),
        ("a//b//IGNORE/TRANSLIT//", "a//b", both),
        ("./x//FOO", "./x//FOO", none),
        ("./x//FOO,IGNORE", "./x//FOO,IGNORE", none),
        ("//IGNORE", "//IGNORE", none),
    ] {
        let split = SuffixedName::of_path(code);
        assert_eq!((split.name, split.suffixes, split.unknown), (path, suffixes, None), "{code}");
    }
}

#[test]
fn suffixes_are_split_as_in_glibc() {
    for (code, name, suffixes) in [
        ("UTF-8", "UTF-8", ""),
        ("UTF-8//", "UTF-8", ""),
        ("ISO-10646/UCS4/", "ISO-10646/UCS4", ""),
        ("ISO-10646/UCS4//TRANSLIT", "ISO-10646/UCS4", "T"),
        ("ISO-10646/UTF8/TRANSLIT/IGNORE", "ISO-10646/UTF8", "TI"),
        ("latin1//translit//Ignore", "latin1", "TI"),
        ("latin1//IGNORE,TRANSLIT", "latin1", "TI"),
        ("latin1//TRANSLIT/", "latin1", "T"),
        ("latin1//IGNORE, ", "latin1", "I"),
        ("latin1//NON_IDENTICAL_DISCARD", "latin1", "D"),
        ("latin1//FOO//IGNORE", "latin1", "Iu"),
        ("latin1//FOO", "latin1", "u"),
        // With one slash it is no suffix.
        ("latin1/TRANSLIT", "latin1/TRANSLIT", ""),
        ("//TRANSLIT", "", "T"),
        ("//", "", ""),
        ("", "", ""),
        ("UTF-16,version=1", "UTF-16,version=1", ""),
        ("ibm-37,swaplfnl//IGNORE", "ibm-37,swaplfnl", "I"),
    ] {
        assert_eq!(split(code), (name, suffixes.to_owned()), "{code}");
    }
}

#[test]
fn unmarked_names_mean_what_they_mean_to_glibc() {
    let of = |name: &str| {
        let it = IconvEncoding::for_name(name).unwrap();
        (it.read.name(), it.written.name(), it.marked)
    };
    let native = |little, big| if NATIVE == ByteOrder::Little { little } else { big };
    assert_eq!(of("utf-16"), ("UTF-16", native("UTF-16LE", "UTF-16BE"), true));
    assert_eq!(of("UTF32"), ("UTF-32", native("UTF-32LE", "UTF-32BE"), true));
    assert_eq!(of("unicode"), ("UCS-2", native("UCS-2LE", "UCS-2BE"), true));
    let ucs2 = native("UCS-2LE", "UCS-2BE");
    assert_eq!(of("UCS-2"), (ucs2, ucs2, false));
    assert_eq!(of("ISO-10646/UCS2"), (ucs2, ucs2, false));
    assert_eq!(of("UCS-4"), ("UCS-4BE", "UCS-4BE", false));
    let wide = native("UCS-4LE", "UCS-4BE");
    assert_eq!(of("wchar_t"), (wide, wide, false));
    assert_eq!(of("UTF-16BE"), ("UTF-16BE", "UTF-16BE", false));
    assert_eq!(of("latin1"), ("ISO-8859-1", "ISO-8859-1", false));
    assert_eq!(of("=utf+8"), ("UTF-8", "UTF-8", false));
    assert!(IconvEncoding::for_name("").is_err());
}
