//! Hand-written files with a known fault, what `--explain` and the hints say about it, and the repaired text.

use std::fs;

use tempfile::TempDir;

/// A faulty file, the options for explaining it, the expected diagnoses, and the output of the command that repairs it.
pub struct Case {
    pub file: &'static str,
    pub bytes: Vec<u8>,
    pub options: &'static [&'static str],
    pub probably: &'static [&'static str],
    pub repaired: Option<Vec<u8>>,
}

pub fn case(
    file: &'static str,
    bytes: impl Into<Vec<u8>>,
    options: &'static [&'static str],
    probably: &'static [&'static str],
    repaired: impl Into<Vec<u8>>,
) -> Case {
    Case { file, bytes: bytes.into(), options, probably, repaired: Some(repaired.into()) }
}

/// Returns the cases in the order of pictures.md.
pub fn cases() -> Vec<Case> {
    let log = "2026-01-01 08:00:00 started – ok\n".repeat(3);
    // The dash in the last line is truncated after the second of its three bytes.
    let cut = log.rfind('–').unwrap();
    let buffer = format!("{}é\nmore\n", "0123456789abcde\n".repeat(31) + "0123456789abcd");
    let mut buffer_cut = buffer.replace('é', "€").into_bytes();
    buffer_cut.truncate(512);
    buffer_cut.extend_from_slice(b"\nmore\n");
    vec![
        case(
            "notes.txt",
            b"Menu\ncaf\xE9 au lait, cr\xE8me br\xFBl\xE9e\n",
            &[],
            &[
                "U+00E9 (é) LATIN SMALL LETTER E WITH ACUTE in windows-1252 or ISO-8859-1: ",
                "U+00E8 (è) LATIN SMALL LETTER E WITH GRAVE in windows-1252 or ISO-8859-1: ",
                "U+00FB (û) LATIN SMALL LETTER U WITH CIRCUMFLEX in windows-1252 or ISO-8859-1: ",
                "windows-1252 or ISO-8859-1, which agree on these bytes: ",
            ],
            "Menu\ncafé au lait, crème brûlée\n",
        ),
        case(
            "mixed.txt",
            b"Gr\xC3\xBC\xC3\x9Fe\nShe said \x93hello\x94.\n",
            &[],
            &[
                "U+201C (“) LEFT DOUBLE QUOTATION MARK in windows-1252: ",
                "U+201D (”) RIGHT DOUBLE QUOTATION MARK in windows-1252: ",
            ],
            "Grüße\nShe said “hello”.\n",
        ),
        case(
            "dump.sql",
            b"INSERT INTO t VALUES ('caf\xC3\xA9 \xED\xA0\xBD\xED\xB8\x80');\n",
            &[],
            &["U+1F600 (😀) GRINNING FACE in CESU-8: "],
            "INSERT INTO t VALUES ('café 😀');\n",
        ),
        case(
            "modified.txt",
            b"a\xC0\x80b \xED\xA0\xBD\xED\xB8\x80\n",
            &[],
            &["U+0000 in MUTF-8, Java's modified UTF-8: ", "U+1F600 (😀) GRINNING FACE in CESU-8: "],
            "a\0b 😀\n",
        ),
        case(
            "name.ser",
            b"\xAC\xED\x00\x05t\x00\x0EGr\xC3\xBC\xC3\x9Fe \xED\xA0\xBD\xED\xB8\x80",
            &[],
            &["a string written by Java: its length, then MUTF-8: "],
            "Grüße 😀",
        ),
        case(
            "list.txt",
            b"\xFF\xFEN\0a\0m\0e\0\r\0\n\0G\0r\0\xF6\0\xDF\0e\0\r\0\n\0",
            &[],
            &["UTF-16, little-endian: "],
            "Name\r\nGröße\r\n",
        ),
        case(
            "cut.log",
            &log.as_bytes()[..cut + 2],
            &[],
            &["the first 2 bytes of a 3-byte character: the text ends there"],
            &log.as_bytes()[..cut],
        ),
        case(
            "buffer.txt",
            buffer_cut,
            &[],
            &[
                "the first 2 bytes of a 3-byte character: it ends at byte 512, where a 512-byte buffer \
                 ends",
            ],
            buffer.replace('é', ""),
        ),
        case(
            "twice.csv",
            "name;city\r\nJÃ¼rgen;KÃ¶ln\r\nRenÃ©;BesanÃ§on\r\n",
            &[],
            &["damaged text: UTF-8 that was read as windows-1252: "],
            "name;city\r\nJürgen;Köln\r\nRené;Besançon\r\n",
        ),
        case(
            "sjis.txt",
            // The sentence below in Shift_JIS: the two-byte codes of JIS X 0208, shifted.
            b"\x82\xB1\x82\xEA\x82\xCD\x93\xFA\x96\x7B\x8C\xEA\x82\xCC\x83\x65\x83\x4C\x83\x58\x83\x67\
              \x82\xC5\x82\xB7\x81\x42\n",
            &[],
            &["Shift_JIS (the Windows variant, CP932): "],
            "これは日本語のテキストです。\n",
        ),
        case(
            "swapped.txt",
            b"h\0e\0l\0l\0o\0,\0 \0w\0\xF6\0r\0l\0d\0\n\0",
            &["-f", "utf-16be"],
            &["UTF-16 in the other byte order, little-endian: "],
            "hello, wörld\n",
        ),
        case(
            "path.txt",
            b"GET /..\xC0\xAF..\xC0\xAFetc/passwd\n",
            &[],
            &["U+002F (/) SOLIDUS in an overlong form: 2 bytes where 1 would be enough"],
            "GET /..\u{FFFD}\u{FFFD}..\u{FFFD}\u{FFFD}etc/passwd\n",
        ),
        case(
            "names.txt",
            b"C:\\photos\\\xED\xA0\xBD.png\n",
            &[],
            &["the unpaired surrogate U+D83D in WTF-8: "],
            "C:\\photos\\\u{FFFD}.png\n",
        ),
        case(
            "python.txt",
            b"caf\xED\xB3\xA9 au lait\n",
            &[],
            &["the byte E9, as Python's surrogateescape writes it: the bytes fit windows-1252"],
            "café au lait\n",
        ),
        case(
            "rfc2279.txt",
            b"five \xF8\x88\x80\x80\x80 six \xFD\xBF\xBF\xBF\xBF\xBF\n",
            &[],
            &[
                "the value 200000 in the 5-byte form of RFC 2279: ",
                "the value 7FFFFFFF in the 6-byte form of RFC 2279: ",
            ],
            "five \\u{200000} six \\u{7FFFFFFF}\n",
        ),
        case(
            "price.txt",
            "café 5 €\n",
            &["-t", "iso-8859-1"],
            &[],
            b"caf\xE9 5 EUR\n",
        ),
        Case {
            file: "check.c",
            bytes: "if (admin) { /* \u{202E} */ }\n".into(),
            options: &["--deny", "bidi"],
            probably: &[],
            repaired: None,
        },
        case(
            "few.txt",
            b"a\0\xE9\0\x3D\xD8\x00\xDE\x00\xDC\n\0",
            &["-f", "utf-16le"],
            &["an unpaired surrogate, as in WTF-16: "],
            "aé😀\u{FFFD}\n",
        ),
    ]
}

/// Writes the files of the cases to a temporary directory.
pub fn written(cases: &[Case]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for case in cases {
        fs::write(dir.path().join(case.file), &case.bytes).unwrap();
    }
    dir
}
