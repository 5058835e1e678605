//! Bytes that Python's `surrogateescape` has escaped (`ED B3 BC` for FC) are named as such, and `--repair` and `--fix`
//! restore and read them as the detector says. The escaped texts are made as PEP 383 describes it, and compared with
//! Python where it is installed.

use serde_json::Value;

use crate::common::Dir;
use crate::escapes::piped;
use crate::support::{With, convert, encoding, every_cut, replacing, strict};
use oxiconv::Detail;
use oxiconv_transcode::diagnostic::DeniedKind;
use oxiconv_transcode::{Conversion, Fallback, OnDenied, OnMojibake};

/// How Python has decoded a text before it wrote it.
#[derive(Clone, Copy, PartialEq)]
enum DecodedAs {
    Utf8,
    /// As in the C locale: every byte beyond ASCII is escaped.
    Ascii,
}

/// Returns a text as Python writes it with `surrogatepass`. PEP 383: a byte from 80 to FF that cannot be decoded
/// becomes U+DC80 to U+DCFF. In UTF-8, these would be ED B2 80 to ED B3 BF.
fn escaped(text: &[u8], decoded_as: DecodedAs) -> Vec<u8> {
    let mut written = Vec::new();
    let escape = |byte: u8| [0xED, 0xB0 | byte >> 6, byte & 0x3F | 0x80];
    for chunk in text.utf8_chunks() {
        for byte in chunk.valid().bytes() {
            match decoded_as == DecodedAs::Ascii && !byte.is_ascii() {
                true => written.extend(escape(byte)),
                false => written.push(byte),
            }
        }
        written.extend(chunk.invalid().iter().flat_map(|byte| escape(*byte)));
    }
    written
}

fn repairing() -> Conversion {
    strict("utf-8", "utf-8").with(|it| it.on_mojibake(OnMojibake::Repair))
}

/// "À Noël, l'été fut très à l'aise; une leçon à l'école" in windows-1252.
const FRENCH_1252: &[u8] =
    b"\xC0 No\xEBl, l'\xE9t\xE9 fut tr\xE8s \xE0 l'aise; une le\xE7on \xE0 l'\xE9cole\n";
const FRENCH: &str = "À Noël, l'été fut très à l'aise; une leçon à l'école\n";
/// "Привет, это ещё текст на русском языке" in KOI8-R. In ещё, DD A3 is U+0763 in UTF-8, which Python keeps.
const RUSSIAN_KOI8: &[u8] =
    b"\xF0\xD2\xC9\xD7\xC5\xD4, \xDC\xD4\xCF \xC5\xDD\xA3 \xD4\xC5\xCB\xD3\xD4 \xCE\xC1 \
    \xD2\xD5\xD3\xD3\xCB\xCF\xCD \xD1\xDA\xD9\xCB\xC5\n";
const RUSSIAN: &str = "Привет, это ещё текст на русском языке\n";
/// "これは日本語のテキストです。" in CP932, in which 83 65 is テ: its second byte is ASCII.
const JAPANESE_932: &[u8] =
    b"\x82\xB1\x82\xEA\x82\xCD\x93\xFA\x96\x7B\x8C\xEA\x82\xCC\x83\x65\x83\x4C\x83\x58\x83\x67\
    \x82\xC5\x82\xB7\x81\x42";
const JAPANESE: &str = "これは日本語のテキストです。";

#[test]
fn each_byte_is_escaped_as_python_escapes_it() {
    let all: Vec<u8> = (0x80..=0xFF).collect();
    let program = "import sys; t = sys.stdin.buffer.read(); \
        sys.stdout.buffer.write(b''.join(bytes([b]).decode('utf-8', 'surrogateescape').encode('utf-8', 'surrogatepass') for b in t))";
    let Some(theirs) = piped("python3", &["-c", program], &all) else { return };
    let ours: Vec<u8> = all.iter().flat_map(|byte| escaped(&[*byte], DecodedAs::Utf8)).collect();
    assert_eq!(theirs, ours);
}

/// Wherever a chunk ends, the bytes come back, and are read as the detector says: as parts of characters, as strays
/// among UTF-8, or in the charset of the whole text.
#[test]
fn escaped_bytes_are_restored_and_read() {
    let german = "Größe, Straße, Übermaß und Käse aus Köln\n";
    let strays = [german.as_bytes(), b"M\xFCnchen und N\xFCrnberg\n"].concat();
    let characters = "déjà vu, Ñandú, “quoted”, 5 €, 😀\n";
    for (text, decoded_as, expected, parts) in [
        // Each run of bytes that are next to each other is a part, of one character or of several.
        (characters.as_bytes(), DecodedAs::Ascii, characters.to_owned(), 8),
        (&strays[..], DecodedAs::Utf8, german.to_owned() + "München und Nürnberg\n", 2),
        (FRENCH_1252, DecodedAs::Utf8, FRENCH.to_owned(), 9),
        (FRENCH_1252, DecodedAs::Ascii, FRENCH.to_owned(), 9),
        (RUSSIAN_KOI8, DecodedAs::Utf8, RUSSIAN.to_owned(), 7),
        (RUSSIAN_KOI8, DecodedAs::Ascii, RUSSIAN.to_owned(), 7),
        (&[JAPANESE_932, b"\n"].concat(), DecodedAs::Utf8, JAPANESE.to_owned() + "\n", 1),
        (&[JAPANESE_932, b"\n"].concat(), DecodedAs::Ascii, JAPANESE.to_owned() + "\n", 1),
    ] {
        let input = escaped(text, decoded_as);
        for detail in [Detail::Findings, Detail::Context] {
            let outcome = every_cut(&repairing().with(|it| it.detail(detail)), &input);
            assert_eq!(String::from_utf8_lossy(&outcome.output), expected);
        }
        let dir = Dir::new();
        dir.write("f", &input);
        let words = if parts == 1 { "part was" } else { "parts were" };
        let message = format!("oxiconv: f: {parts} damaged {words} repaired\n");
        assert_eq!(dir.run(&["--repair", "f"]), (0, expected, message));
    }
}

/// A word that is longer than what is looked at in one go is cut where a character ends.
#[test]
fn long_words_are_restored_too() {
    let chinese = "这是一个中文文本文件。今天天气很好，我们去公园散步。".repeat(60);
    let japanese = JAPANESE_932.repeat(300);
    for (text, expected) in
        [(chinese.as_bytes(), chinese.clone()), (&japanese[..], JAPANESE.repeat(300))]
    {
        for decoded_as in [DecodedAs::Utf8, DecodedAs::Ascii] {
            let input = [b"a ", &escaped(text, decoded_as)[..], b"\n"].concat();
            let output = convert(&repairing(), &input).output;
            assert!(String::from_utf8_lossy(&output) == format!("a {expected}\n"));
        }
    }
}

/// A fallback that is named reads the bytes, and what it does not have stays ill-formed.
#[test]
fn a_fallback_that_is_named_reads_them() {
    let input = escaped(b"caf\xE9 gr\xC3\xBCn\n", DecodedAs::Utf8);
    let named = |name| Fallback::Named(encoding(name));
    for (fallback, expected) in
        [(named("windows-1252"), "café grün\n"), (named("koi8-r"), "cafИ grün\n")]
    {
        let conversion = repairing().with(|it| it.fallback(fallback));
        assert_eq!(String::from_utf8(every_cut(&conversion, &input).output).unwrap(), expected);
    }
}

/// Bytes below 80 are never escaped, pairs are CESU-8, and other surrogates are of WTF-8. Where anything else is
/// ill-formed, Python has not written the text. All of it stays as it is without the option.
#[test]
fn what_python_has_not_escaped_stays() {
    let replacing = replacing("utf-8", "utf-8");
    for input in [
        &b"a \xED\xB0\x80 b \xED\xB1\xBF c\n"[..],
        b"caf\xED\xB3\xA9 au lait \xED\xB1\xBF\n",
        b"caf\xED\xB3\xA9 au lait \xED\xA0\xBD\n",
        b"caf\xED\xB3\xA9 au lait \xED\xA0\xBD\xED\xB2\x80\n",
        b"caf\xED\xB3\xA9 au lait \xE9t\xE9\n",
        // "компанії Японії" in windows-1251 has ED B3 BF twice, and other bytes beyond ASCII.
        b"\xEA\xEE\xEC\xEF\xE0\xED\xB3\xBF \xDF\xEF\xEE\xED\xB3\xBF\n",
        // One byte that no letters are next to may be anything.
        b"\xED\xB3\xA9\n",
    ] {
        let plain = every_cut(&replacing, input);
        let repaired = every_cut(&replacing.with(|it| it.on_mojibake(OnMojibake::Repair)), input);
        assert_eq!(repaired.output, plain.output, "{}", input.escape_ascii());
    }
}

/// A finding after a part that was repaired is where it is without the repair: each of the three bytes of a surrogate
/// is ill-formed, and takes a column. So do the two letters of windows-1251 that Python has taken for a character of
/// UTF-8.
#[test]
fn positions_are_those_of_the_input() {
    for (input, column) in [
        // c, a, f, three bytes, nine characters.
        (&b"caf\xED\xB3\xA9 au lait \0x\n"[..], 16),
        (&[&escaped(RUSSIAN_KOI8, DecodedAs::Utf8)[..36], b" \0x\n"].concat(), 0),
    ] {
        let mut places = Vec::new();
        for mode in [OnMojibake::Ignore, OnMojibake::Repair] {
            let conversion = replacing("utf-8", "utf-8")
                .with(|it| it.on_mojibake(mode).deny([DeniedKind::Nul]).on_denied(OnDenied::Pass));
            let found = every_cut(&conversion, input).places();
            places.push(*found.iter().find(|(kind, ..)| *kind == "nul").unwrap());
        }
        assert_eq!(places[0], places[1]);
        assert!(column == 0 || places[0].4 == column, "{places:?}");
    }
}

/// Check, detection and repair say the same.
#[test]
fn the_cause_is_named_and_the_hint_repairs() {
    let dir = Dir::new();
    dir.write("f", b"caf\xED\xB3\xA9 au lait\n");
    let (status, out, err) = dir.run(&["--check", "--json", "f"]);
    assert_eq!(status, 1, "{err}");
    let events: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let finding = events.iter().find(|event| event["type"] == "finding").unwrap();
    assert_eq!(finding["cause"], "surrogate-escape");
    assert_eq!(finding["guess"], "the byte E9, as Python's surrogateescape writes it");
    let hint = events.iter().find(|event| event["type"] == "hint").unwrap();
    assert_eq!(hint["cause"], "surrogate-escape");
    let (_, _, err) = dir.run(&["--check", "f"]);
    let words = "it has 1 byte escaped by Python's surrogateescape that fits windows-1252, and the rest is plain ASCII";
    assert_eq!(err, format!("oxiconv: f: {words} (try oxiconv --repair -i.bak f)\n"));
    let (_, out, _) = dir.run(&["--detect", "--json", "f"]);
    let row: Value = serde_json::from_str(out.lines().nth(1).unwrap()).unwrap();
    let others =
        serde_json::json!({"strays": 1, "fallback": "windows-1252", "cut": 0, "escaped": 1});
    assert_eq!((&row["encoding"], &row["others"]), (&"UTF-8".into(), &others));
    assert_eq!(dir.run(&["--repair", "-i.bak", "f"]).0, 0);
    assert_eq!(dir.read("f"), "café au lait\n".as_bytes());
    // Nothing reads this byte for certain, so it gets the repair of any surrogate.
    dir.write("g", b"\xED\xB3\xA9\n");
    let (_, _, err) = dir.run(&["--check", "g"]);
    assert!(err.contains("1 byte escaped by Python's surrogateescape, and"), "{err}");
    assert!(err.contains("(try oxiconv -f wtf-8 --unmappable replace -i.bak g; "), "{err}");
}

#[test]
fn fix_restores_what_is_certain() {
    let dir = Dir::new();
    dir.write("d/french", &escaped(FRENCH_1252, DecodedAs::Utf8));
    dir.write("d/c-locale", &escaped("déjà vu\n".as_bytes(), DecodedAs::Ascii));
    let left: [(&str, &[u8]); 4] = [
        ("one", b"\xED\xB3\xA9\n"),
        // The second half of U+1F480, as JavaScript leaves it of a string, would be € in windows-1252.
        ("emoji", b"\xED\xB2\x80 for you, my dear friend\n"),
        // "Grüße aus M" and half an ü.
        ("cut", b"Gr\xC3\xBC\xC3\x9Fe aus M\xED\xB3\x83\n"),
        ("others", b"caf\xED\xB3\xA9 \xED\xA0\x80 d\n"),
    ];
    for (name, bytes) in left {
        dir.write(&format!("d/{name}"), bytes);
    }
    let (status, out, err) = dir.run(&["--fix", "d"]);
    assert_eq!((status, &*err), (1, "oxiconv: 2 fixed, 4 left\n"), "{out}");
    assert_eq!(dir.read("d/french"), FRENCH.as_bytes());
    assert_eq!(dir.read("d/c-locale"), "déjà vu\n".as_bytes());
    for (name, bytes) in left {
        assert_eq!(dir.read(&format!("d/{name}")), bytes, "{name}");
    }
    let row = out.lines().find(|line| line.starts_with("d/french ")).unwrap();
    assert!(row.ends_with("repaired 9 damaged parts"), "{row}");
    // A second run finds nothing to do in those that were fixed.
    assert_eq!(dir.run(&["--fix", "d/french", "d/c-locale"]).0, 0);
}
