use super::*;
use oxiconv_transcode::io::ReadSource;
use std::io::Read;

/// Returns the names of the encodings of a text that arrives in two pieces, each with that of the stray bytes.
fn detected(text: &[u8], split: usize) -> Vec<(&'static str, Option<&'static str>)> {
    let (first, second) = text.split_at(split);
    let mut found = Vec::new();
    let read = each_line(&mut ReadSource::new(first.chain(second)), Detector::new(), |line| {
        let Some(line) = line else { return Ok(()) };
        let name = |encoding: &'static Encoding| encoding.name();
        found.push((line.encoding.map_or("unknown", name), line.fallback.map(name)));
        assert_eq!(line.number, found.len() as u64);
        Ok(())
    });
    let TextRead { bytes, line_feeds, start } = read.unwrap();
    assert_eq!(bytes, text.len() as u64);
    assert_eq!(line_feeds, memchr::memchr_iter(b'\n', text).count() as u64);
    let text = text.strip_prefix(MARK).unwrap_or(text);
    assert_eq!(start, text[..text.len().min(HEAD)]);
    found
}

/// Python encoded "ошибка: файл не найден" and "März für große Öfen, schön süß", the latter with its first word in
/// windows-1252.
#[test]
fn a_text_is_cut_anywhere_and_its_lines_are_the_same() {
    let text = b"\xEF\xBB\xBFa\n\r\nb\rc\r\r\n\
        \xEE\xF8\xE8\xE1\xEA\xE0: \xF4\xE0\xE9\xEB \xED\xE5 \xED\xE0\xE9\xE4\xE5\xED\r\n\
        M\xE4rz f\xC3\xBCr gro\xC3\x9Fe \xC3\x96fen, sch\xC3\xB6n s\xC3\xBC\xC3\x9F\n\
        \xD0\xB4\xD0\xB0\n";
    // Bytes without any order.
    let text = &[
        &text[..],
        &(1..80).map(|at: u32| ((at * at * 77) >> 3) as u8 | 0x80).collect::<Vec<_>>(),
    ]
    .concat();
    let ascii = ("US-ASCII", None);
    let expected = vec![
        ("UTF-8", None),
        ascii,
        ascii,
        ascii,
        ascii,
        ("windows-1251", None),
        ("UTF-8", Some("windows-1252")),
        ("UTF-8", None),
        ("unknown", None),
    ];
    for split in 0..=text.len() {
        assert_eq!(detected(text, split), expected, "{split}");
    }
}

#[test]
fn a_line_ends_with_the_text_too() {
    for (text, lines) in [(&b""[..], 0), (b"\n", 1), (b"\r", 1), (b"\r\n", 1), (b"a\nb", 2)] {
        assert_eq!(detected(text, 0).len(), lines, "{text:?}");
    }
    assert_eq!(detected(b"\xEF\xBB\xBF", 0), [("UTF-8", None)]);
}

/// A line is judged by its first 64 KiB from the first non-ASCII byte on, wherever a character is then cut.
#[test]
fn a_long_line_is_judged_by_its_start() {
    for ascii in 0..4 {
        let before = "a".repeat(300_000 + ascii);
        let utf8 = format!("{before}{}\nx", "aжж".repeat(LONGEST_LINE));
        let ends = |end: &[u8]| [utf8.trim_end().as_bytes(), end].concat();
        assert_eq!(detected(utf8.as_bytes(), 7), [("UTF-8", None), ("US-ASCII", None)]);
        assert_eq!(detected(&ends(b"\xFF\xFF\xFF"), 7)[0], ("UTF-8", None));
    }
}
