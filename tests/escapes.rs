//! C99, JAVA, XML and C-ESCAPES: what they write, what they read, and what is not an escape.
//!
//! The expected values are written by hand, from the standards and the sources of GNU libiconv. Python and uconv are
//! oracles if they are installed.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::support::{
    Random, With, convert, convert_cut, encoding, replacing, skipped, strict, with,
};
use oxiconv_encodings::codec::{ByteOrder, EncodeStop, MIN_OUTPUT, MIN_PIVOT};
use oxiconv_transcode::{OnIllFormed, OnUnmappable};

const NAMES: [&str; 4] = ["C99", "JAVA", "XML", "C-ESCAPES"];

/// Kind, offset and length of a finding.
type Place = (&'static str, u64, usize);

/// Encoding, text, output.
const WRITTEN: &[(&str, &str, &[u8])] = &[
    ("C99", "a$@`\\n\u{7F}", b"a$@`\\n\x7F"),
    (
        "C99",
        "\u{80}\u{9F}\u{A0}é€\u{FFFF}😀\u{10FFFF}",
        b"\x80\x9F\\u00a0\\u00e9\\u20ac\\uffff\\U0001f600\\U0010ffff",
    ),
    ("JAVA", "a\\n\u{80}é€\u{FFFF}", br"a\n\u0080\u00e9\u20ac\uffff"),
    ("JAVA", "\0\n\u{7F}", b"\0\n\x7F"),
    ("JAVA", "😀\u{10000}\u{10FFFF}", br"\ud83d\ude00\ud800\udc00\udbff\udfff"),
    ("XML", "a & b < c > \"d\" 'e'\n", b"a &amp; b &lt; c &gt; \"d\" 'e'\n"),
    ("HTML", "a & b < c >> \"d\" 'e'é\n", b"a &amp; b &lt; c &gt;&gt; \"d\" 'e'&#xE9;\n"),
    ("XML", "\u{80}é€😀\u{10FFFF}&lt;", b"&#x80;&#xE9;&#x20AC;&#x1F600;&#x10FFFF;&amp;lt;"),
    ("C-ESCAPES", "\u{7}\u{8}\t\n\u{B}\u{C}\r\"\\'?", br#"\a\b\t\n\v\f\r\"\\'?"#),
    ("C-ESCAPES", "\0\x017\u{1B}[\u{7F}", br"\000\0017\033[\177"),
    ("C-ESCAPES", "\u{80}é€\u{FFFF}😀\u{10FFFF}", br"\u0080\u00E9\u20AC\uFFFF\U0001F600\U0010FFFF"),
    // Plain text that looks like an escape. JAVA escapes its last character, so that it is decoded to the same text.
    // C99 writes it unchanged, like GNU libiconv, so it is decoded as an escape.
    (
        "JAVA",
        r"\u0041 \u00e9 \ud83d \u004 \u004g \\u0041 \U00000041",
        br"\u004\u0031 \u00e\u0039 \ud83\u0064 \u004 \u004g \\u004\u0031 \U00000041",
    ),
    ("C99", r"\u00e9 \U0001F600 \u0024 \u004 \u004g", br"\u00e9 \U0001F600 \u0024 \u004 \u004g"),
    ("C-ESCAPES", r"\u0041", br"\\u0041"),
];

/// Encoding, input, text.
const READ: &[(&str, &[u8], &str)] = &[
    ("C99", br"\u20AC\u20ac\U000020AC\u0024\u0040\u0060\U00000024", "€€€$@`$"),
    (
        "C99",
        b"\\ \\n \\u12 \\u12g4 \\U0001f60 \\\\u20ac \x85",
        "\\ \\n \\u12 \\u12g4 \\U0001f60 \\€ \u{85}",
    ),
    ("C99", br"\u2\u20ac", r"\u2€"),
    ("C99", b"\\", "\\"),
    ("C99", b"a\\U0001F60", "a\\U0001F60"),
    ("JAVA", br"\u0041\u20AC\uD83D\uDE00\u005c\ud800\udc00", "A€😀\\𐀀"),
    ("JAVA", b"\\ \\n \\u12 \\u12G4 \\U0001f600 \xE9", "\\ \\n \\u12 \\u12G4 \\U0001f600 é"),
    ("JAVA", b"\\", "\\"),
    ("JAVA", b"\\u", "\\u"),
    ("JAVA", b"\\u004", "\\u004"),
    ("XML", b"&amp;&lt;&gt;&quot;&apos;&#x20AC;&#x20ac;&#X20AC;&#8364;", "&<>\"'€€€€"),
    ("XML", b"&#0;&#x0000000041;&#0000000065;", "\0AA"),
    (
        "XML",
        b"AT&T & &; &amp &lt&gt; &eacute; &#; &#x; &#xg; &#65",
        "AT&T & &; &amp &lt> &eacute; &#; &#x; &#xg; &#65",
    ),
    ("XML", b"&#x00000000041;&#00000000065;", "&#x00000000041;&#00000000065;"),
    ("XML", b"&&amp;&#x4&#x41;", "&&&#x4A"),
    ("XML", b"&amp;lt;", "&lt;"),
    ("C-ESCAPES", br#"\a\b\t\n\v\f\r\"\\\'\?'"?"#, "\u{7}\u{8}\t\n\u{B}\u{C}\r\"\\'?'\"?"),
    ("C-ESCAPES", br"\0\7\78\101\1011\377\x41\x41B\xe9", "\0\x07\x078AA1ÿAABé"),
    ("C-ESCAPES", br"\u0041\u20ac\U0001f600\U0010FFFF", "A€😀\u{10FFFF}"),
    ("C-ESCAPES", b"tab\there\nline\\1", "tab\there\nline\x01"),
];

/// Encoding, input, text with replacement characters, findings.
const ILL_FORMED: &[(&str, &[u8], &str, &[Place])] = &[
    ("C99", br"a\uD800b", "a\u{FFFD}b", &[("surrogate", 1, 6)]),
    ("C99", br"\uD83D\uDE00", "\u{FFFD}\u{FFFD}", &[("surrogate", 0, 6), ("surrogate", 6, 6)]),
    ("C99", br"\U0000DFFF", "\u{FFFD}", &[("surrogate", 0, 10)]),
    ("C99", br"\U00110000", "\u{FFFD}", &[("out-of-range", 0, 10)]),
    ("C99", br"\UFFFFFFFF", "\u{FFFD}", &[("out-of-range", 0, 10)]),
    (
        "C99",
        br"\u0041\u009f",
        "\u{FFFD}\u{FFFD}",
        &[("invalid-escape", 0, 6), ("invalid-escape", 6, 6)],
    ),
    ("C99", b"\xA0\xFF", "\u{FFFD}\u{FFFD}", &[("invalid-byte", 0, 1), ("invalid-byte", 1, 1)]),
    ("JAVA", br"\uD83D", "\u{FFFD}", &[("unpaired-high-surrogate", 0, 6)]),
    ("JAVA", br"\uD83Dx", "\u{FFFD}x", &[("unpaired-high-surrogate", 0, 6)]),
    ("JAVA", br"\uD83D\", "\u{FFFD}\\", &[("unpaired-high-surrogate", 0, 6)]),
    ("JAVA", br"\uD83D\uDE", "\u{FFFD}\\uDE", &[("unpaired-high-surrogate", 0, 6)]),
    ("JAVA", br"\uD83D\u0041", "\u{FFFD}A", &[("unpaired-high-surrogate", 0, 6)]),
    ("JAVA", br"\uD83D\uD83D\uDE00", "\u{FFFD}😀", &[("unpaired-high-surrogate", 0, 6)]),
    ("JAVA", br"a\uDE00", "a\u{FFFD}", &[("unpaired-low-surrogate", 1, 6)]),
    ("XML", b"&#xD800;&#57343;", "\u{FFFD}\u{FFFD}", &[("surrogate", 0, 8), ("surrogate", 8, 8)]),
    (
        "XML",
        b"&#x110000;&#1114112;",
        "\u{FFFD}\u{FFFD}",
        &[("out-of-range", 0, 10), ("out-of-range", 10, 10)],
    ),
    (
        "XML",
        b"&#x1000000041;&#9999999999;",
        "\u{FFFD}\u{FFFD}",
        &[("out-of-range", 0, 14), ("out-of-range", 14, 13)],
    ),
    ("XML", b"\x80&\xFF", "\u{FFFD}&\u{FFFD}", &[("invalid-byte", 0, 1), ("invalid-byte", 2, 1)]),
    ("C-ESCAPES", br"a\qb", "a\u{FFFD}qb", &[("invalid-escape", 1, 1)]),
    (
        "C-ESCAPES",
        b"\\\xFF",
        "\u{FFFD}\u{FFFD}",
        &[("invalid-escape", 0, 1), ("invalid-byte", 1, 1)],
    ),
    (
        "C-ESCAPES",
        br"\400\777",
        "\u{FFFD}\u{FFFD}",
        &[("invalid-escape", 0, 4), ("invalid-escape", 4, 4)],
    ),
    ("C-ESCAPES", br"\x4g", "\u{FFFD}g", &[("truncated", 0, 3)]),
    ("C-ESCAPES", br"\u12\n", "\u{FFFD}\n", &[("truncated", 0, 4)]),
    ("C-ESCAPES", br"\uD800", "\u{FFFD}", &[("surrogate", 0, 6)]),
    ("C-ESCAPES", br"\U00110000", "\u{FFFD}", &[("out-of-range", 0, 10)]),
    ("C-ESCAPES", br"a\", "a\u{FFFD}", &[("truncated-at-end", 1, 1)]),
    ("C-ESCAPES", br"\U0001F60", "\u{FFFD}", &[("truncated-at-end", 0, 9)]),
];

/// Asserts that the input converts the same at every split. `late` is whether the end is known only when nothing more
/// comes.
#[track_caller]
fn however_cut(name: &str, input: &[u8]) {
    let conversion = replacing(name, "UTF-8");
    let whole = convert(&conversion, input);
    let each: Vec<usize> = (1..input.len()).collect();
    for late in [false, true] {
        for at in 1..input.len() {
            assert_eq!(convert_cut(&conversion, input, &[at], late), whole, "{name} at {at}");
        }
        assert_eq!(convert_cut(&conversion, input, &each, late), whole, "{name} byte by byte");
    }
}

#[test]
fn what_is_written() {
    for (name, text, written) in WRITTEN {
        let there = convert(&strict("UTF-8", name), text.as_bytes());
        assert_eq!(there.places(), [], "{name}: {text}");
        assert_eq!(there.output.escape_ascii().to_string(), written.escape_ascii().to_string());
        if *name != "C99" || !text.contains(r"\u00e9") {
            let back = convert(&strict(name, "UTF-8"), written);
            assert_eq!(String::from_utf8_lossy(&back.output), *text, "{name}");
        }
        however_cut(name, written);
        let conversion = strict("UTF-8", name);
        for at in 1..text.len() {
            assert_eq!(
                convert_cut(&conversion, text.as_bytes(), &[at], true),
                there,
                "{name} {at}"
            );
        }
    }
}

#[test]
fn what_is_read() {
    for (name, input, text) in READ {
        let read = convert(&strict(name, "UTF-8"), input);
        assert_eq!(read.places(), [], "{name}: {}", input.escape_ascii());
        assert_eq!(String::from_utf8_lossy(&read.output), *text, "{name}");
        however_cut(name, input);
    }
}

#[test]
fn what_is_ill_formed() {
    for (name, input, text, places) in ILL_FORMED {
        let read = convert(&replacing(name, "UTF-8"), input);
        let found: Vec<_> = read.places().iter().map(|place| (place.0, place.1, place.2)).collect();
        assert_eq!(found, *places, "{name}: {}", input.escape_ascii());
        assert_eq!(String::from_utf8_lossy(&read.output), *text, "{name}");
        however_cut(name, input);
    }
}

#[test]
fn sentences() {
    for (name, input, sentence) in [
        ("C99", &br"\uD800"[..], r"\uD800 stands for a surrogate, not a character"),
        ("C99", br"\U00110000", r"\U00110000 stands for a value above U+10FFFF"),
        ("C99", br"\u0041", r"\u0041 is not an escape in C99"),
        ("JAVA", br"\uD83Dx", r"no low surrogate follows high surrogate \uD83D"),
        ("JAVA", br"\uD83D", r"the input ends after high surrogate \uD83D"),
        ("JAVA", br"\uDE00", r"no high surrogate precedes low surrogate \uDE00"),
        ("XML", b"&#xD800;", "&#xD800; stands for a surrogate, not a character"),
        ("XML", b"\xE9", "no character of XML begins with E9"),
        ("C-ESCAPES", br"\q", r"\ followed by 71 does not begin an escape in C-ESCAPES"),
        ("C-ESCAPES", br"\400", r"\400 is not an escape in C-ESCAPES"),
        ("C-ESCAPES", br"\x4g", r"\x4 begins an escape of C-ESCAPES, but 67 ('g') follows"),
        ("C-ESCAPES", br"\x4", "the input ends inside an escape of C-ESCAPES"),
    ] {
        assert_eq!(convert(&strict(name, "UTF-8"), input).found[0].sentence, sentence);
    }
}

#[test]
fn c99_never_makes_an_ill_formed_escape_of_plain_text() {
    for (text, strictly, replaced, at) in [
        (r"\u0041", &br"\u004"[..], &br"\u004\ufffd"[..], 5),
        (r"x\uD800y", br"x\uD80", br"x\uD80\ufffdy", 6),
        (r"\U00110000", br"\U0011000", br"\U0011000\ufffd", 9),
    ] {
        let outcome = convert(&strict("UTF-8", "C99"), text.as_bytes());
        assert_eq!((&outcome.output[..], outcome.found[0].offset), (strictly, at));
        let last = text.trim_end_matches('y').chars().last().unwrap();
        assert_eq!(
            outcome.found[0].sentence,
            format!(
                "U+{:04X} ({last}) would turn plain text into an escape that C99 does not allow",
                last as u32
            )
        );
        assert_eq!(convert(&replacing("UTF-8", "C99"), text.as_bytes()).output, replaced);
        let skip = with("UTF-8", "C99", OnIllFormed::Skip, OnUnmappable::Skip);
        let skipped = convert(&skip, format!("{text}{last}").as_bytes()).output;
        assert_eq!(convert(&strict("C99", "UTF-8"), &skipped).places(), []);
    }
}

#[test]
fn what_a_fallback_reads_may_be_the_digit_that_c99_cannot_write() {
    // In UTF-16BE the last byte is half a code unit. The fallback decodes it as the digit 1, which would complete the
    // escape `\u0041`.
    let input = b"\0\\\0u\0\x30\0\x30\0\x34\x31";
    let repaired = with("UTF-16BE", "C99", OnIllFormed::Replace, OnUnmappable::Stop);
    let outcome = convert(&repaired.with(|it| it.fallback(encoding("latin1"))), input);
    assert_eq!(outcome.output, br"\u004");
    let places = [("truncated-at-end", 10, 1, 1, 6), ("unmappable", 10, 1, 1, 6)];
    assert_eq!((outcome.places(), outcome.summary.stopped), (places.to_vec(), true));
}

#[test]
fn all_scalar_values_there_and_back_alone_and_in_one_stream() {
    let text: String = ('\0'..=char::MAX).collect();
    for name in NAMES {
        let there = convert(&strict("UTF-8", name), text.as_bytes());
        assert_eq!((there.places(), there.summary.characters), (vec![], 0x10_F800), "{name}");
        let back = convert(&strict(name, "UTF-8"), &there.output);
        assert_eq!(back.places(), [], "{name}");
        assert!(back.output == text.as_bytes(), "{name}");
        let row = encoding(name);
        let mut decoder = row.new_decoder(ByteOrder::Big);
        for c in '\0'..=char::MAX {
            let (mut bytes, mut pivot) = ([0; MIN_OUTPUT], [0; MIN_PIVOT]);
            let mut encoder = row.new_encoder(ByteOrder::Big);
            let len = encoder.encode(&[c.into()], &mut bytes).written;
            let decoded = decoder.decode(&bytes[..len], &mut pivot, true);
            assert_eq!((decoded.read, decoded.written), (len, 1), "{name} {c:?}");
            assert_eq!(pivot[0], u32::from(c), "{name}");
        }
        for cp in [0xD800, 0xDFFF, 0x11_0000, u32::MAX] {
            let mut encoder = row.new_encoder(ByteOrder::Big);
            let stop = encoder.encode(&[cp], &mut [0; MIN_OUTPUT]).stop;
            assert_eq!(stop, EncodeStop::Unmappable, "{name} {cp:X}");
        }
    }
}

/// Generates text from the parts that escapes consist of.
fn tricky(random: &mut Random, len: usize) -> String {
    let pieces = [
        "\\",
        "\\u",
        "\\U",
        "u",
        "U",
        "0",
        "00",
        "0041",
        "d83d",
        "\\ud83d\\ude00",
        "D8",
        "12",
        "7",
        "x",
        "\\x4",
        "&",
        "&#",
        "&#x",
        "&amp",
        ";",
        "lt;",
        "g",
        "é",
        "€",
        "😀",
        "\n",
        "\"",
        "\u{85}",
        "A",
    ];
    (0..len).map(|_| random.pick(&pieces)).collect()
}

#[test]
fn text_full_of_escapes_comes_back_and_nothing_ill_formed_is_written() {
    let mut random = Random(7);
    for case in 0..600 {
        let len = 1 + random.below(30);
        let text = tricky(&mut random, len);
        for name in NAMES {
            let there = convert(&replacing("UTF-8", name), text.as_bytes());
            let back = convert(&strict(name, "UTF-8"), &there.output);
            assert_eq!(back.places(), [], "{name}, case {case}: {text:?}");
            if name != "C99" {
                assert_eq!(String::from_utf8_lossy(&back.output), text, "{name}, case {case}");
                assert_eq!(there.places(), [], "{name}, case {case}: {text:?}");
            }
        }
        if case % 10 == 0 {
            let bytes: Vec<u8> = text.chars().map(|c| u8::try_from(c).unwrap_or(b'\\')).collect();
            NAMES.iter().for_each(|name| however_cut(name, &bytes));
        }
    }
}

/// Half a megabyte of the start of an escape, repeated or followed by zeros. In quadratic time this would take an hour.
#[test]
fn hostile_input_takes_linear_time() {
    for (name, piece) in [
        ("C99", &br"\"[..]),
        ("C99", br"\U0001F60"),
        ("C99", b"\x80\x80"),
        ("JAVA", br"\uD83"),
        ("JAVA", br"\uD83D"),
        ("XML", b"&"),
        ("XML", b"&#"),
        ("XML", b"&#x000000000"),
        ("C-ESCAPES", br"\"),
        ("C-ESCAPES", br"\1"),
        ("C-ESCAPES", br"\U"),
    ] {
        let input = piece.repeat(500_000 / piece.len());
        let outcome = convert(&with(name, "UTF-8", OnIllFormed::Skip, OnUnmappable::Skip), &input);
        assert_eq!(outcome.summary.bytes_read, input.len() as u64);
        let zeros = [piece, &b"0".repeat(500_000)[..]].concat();
        let outcome = convert(&with(name, "UTF-8", OnIllFormed::Skip, OnUnmappable::Skip), &zeros);
        assert_eq!(outcome.summary.bytes_read, zeros.len() as u64);
    }
}

/// Runs a program on `input`. Returns `None` if the program is not installed or fails.
pub fn piped(program: &str, arguments: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    let spawned = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let output = spawned.ok().and_then(|mut child| {
        let mut stdin = child.stdin.take()?;
        std::thread::scope(|scope| {
            scope.spawn(move || stdin.write_all(input));
            child.wait_with_output().ok()
        })
    });
    let output = output.filter(|output| output.status.success());
    if output.is_none() {
        skipped(&format!("no {program} on this machine"));
    }
    output.map(|output| output.stdout)
}

#[test]
fn written_as_uconv_writes_it() {
    let text =
        format!("a{}", Random(11).text(20_000, 0x10_FFFF)).replace(['\\', '&', '<', '>'], "");
    let upper = |bytes: Vec<u8>| bytes.to_ascii_uppercase();
    for (name, rule, text) in [
        ("JAVA", "::[^\\u0000-\\u007F] Any-Hex/Java;", text.clone()),
        ("XML", "::[^\\u0000-\\u007F] Any-Hex/XML;", text.clone()),
        (
            "C99",
            "::[^\\u0000-\\u009F] Any-Hex/C;",
            text.replace(|c| ('\u{80}'..='\u{9F}').contains(&c), ""),
        ),
        (
            "C-ESCAPES",
            "::[^\\u0000-\\u007F] Any-Hex/C;",
            text.replace(|c: char| c.is_ascii_control() || c == '"', ""),
        ),
    ] {
        let Some(theirs) =
            piped("uconv", &["-f", "UTF-8", "-t", "UTF-8", "-x", rule], text.as_bytes())
        else {
            return;
        };
        let ours = convert(&strict("UTF-8", name), text.as_bytes()).output;
        assert!(upper(ours) == upper(theirs), "{name}");
    }
}

#[test]
fn read_and_written_as_python_does() {
    let mut random = Random(13);
    let text = format!("a{}{}", random.text(20_000, 0x10_FFFF), tricky(&mut random, 2000));
    let escaped = convert(&strict("UTF-8", "C-ESCAPES"), text.as_bytes()).output;
    let program = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read().decode('unicode_escape').encode())";
    let Some(theirs) = piped("python3", &["-c", program], &escaped) else { return };
    assert!(theirs == text.as_bytes(), "C-ESCAPES");
    // Python's `html.unescape` follows HTML: it maps C1 controls by windows-1252, and drops noncharacters and some
    // controls.
    let tame = |c: &char| {
        matches!(*c as u32, 0x20..=0x7E | 0xA0..=0xFDCF | 0xFDF0..=0xFFFD)
            || *c as u32 & 0xFFFE < 0xFFFE && *c > '\u{FFFF}'
    };
    let tame: String = text.chars().filter(tame).collect();
    let written = convert(&strict("UTF-8", "XML"), tame.as_bytes()).output;
    let program = "import sys, html; sys.stdout.buffer.write(html.unescape(sys.stdin.buffer.read().decode()).encode())";
    let theirs = piped("python3", &["-c", program], &written).unwrap();
    assert!(theirs == tame.as_bytes(), "XML, read");
    let program = "import sys, xml.sax.saxutils as s; sys.stdout.buffer.write(s.escape(sys.stdin.buffer.read().decode()).encode('ascii', 'xmlcharrefreplace'))";
    let theirs = piped("python3", &["-c", program], tame.as_bytes()).unwrap();
    let read = convert(&strict("XML", "UTF-8"), &theirs);
    assert!(read.output == tame.as_bytes() && read.found.is_empty(), "XML, decimal");
}

/// After `\u004`, a replacement of `1` would complete an escape. U+FFFD is written instead, so that the ill-formed byte
/// does not disappear without a trace.
#[test]
fn a_replacement_that_would_complete_an_escape_of_c99_gives_way() {
    for (input, replacement, expected) in
        [(&b"\\u004\xFF"[..], "1", "\\u004\\ufffd"), (b"x\\u004\xFFy", "19", "x\\u004\\ufffd9y")]
    {
        let output = std::process::Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
            .args(["-q", "-t", "c99", "-e", "replace", "--replacement", replacement])
            .arg(write_temporary(input).path())
            .output()
            .unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
        assert_eq!(output.status.code(), Some(0));
    }
}

fn write_temporary(bytes: &[u8]) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    file
}
