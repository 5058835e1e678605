//! Detects the encoding of a text from its start, for `-f auto`.
//!
//! ```text
//! a mark? ─► zero bytes as in UTF-16 or UTF-32? ─► escapes of ISO-2022-JP? ─► well-formed UTF-8? ─► chardetng's guess
//! ```

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

use super::Encoding;
use super::marked::MARKS;

/// Bytes examined. A longer text is judged by its start, however it is split into chunks.
const SAMPLE: usize = 128 * 1024;
/// Length of the longest mark in bytes.
const LONGEST_MARK: usize = 4;

/// Returns the most likely encoding of a whole text, from its first 128 KiB.
///
/// ```
/// use oxiconv::{Encoding, detect};
///
/// assert_eq!(detect(b"\xFF\xFEa\0"), Encoding::UTF_16);
/// assert_eq!(detect("grün".as_bytes()), Encoding::UTF_8);
/// ```
#[must_use]
pub fn detect(text: &[u8]) -> &'static Encoding {
    detect_in(text, true).unwrap_or(Encoding::UTF_8)
}

/// Returns the most likely encoding of a text that goes on after `start`; `None` if more of it is needed.
///
/// ```
/// use oxiconv::{Encoding, detect_start};
///
/// assert_eq!(detect_start(b"\xFF\xFEa\0"), Some(Encoding::UTF_16));
/// assert_eq!(detect_start(b"gr"), None);
/// ```
#[must_use]
pub fn detect_start(start: &[u8]) -> Option<&'static Encoding> {
    detect_in(start, false)
}

/// Returns the most likely encoding of the text that begins with `start`, which is all of it if it is the `last` part.
pub(crate) fn detect_in(start: &[u8], last: bool) -> Option<&'static Encoding> {
    // Input that is shorter than the longest mark may be the start of another mark.
    if let Some(marked) = by_mark(start).filter(|_| last || start.len() >= LONGEST_MARK) {
        return Some(marked);
    }
    if !last && start.len() < SAMPLE {
        return None;
    }
    let sample = &start[..start.len().min(SAMPLE)];
    let whole = last && sample.len() == start.len();
    by_zeros(sample)
        .or_else(|| by_escapes(sample, whole))
        .or_else(|| is_utf8(sample, whole).then_some(Encoding::UTF_8))
        .or_else(|| Some(by_frequency(sample, whole)))
}

/// Returns the encoding whose mark is at the start.
fn by_mark(start: &[u8]) -> Option<&'static Encoding> {
    MARKS.into_iter().find_map(|(mark, scheme)| start.starts_with(mark).then(|| scheme.unmarked()))
}

fn by_zeros(sample: &[u8]) -> Option<&'static Encoding> {
    /// Whether at least nine in ten units are zero in exactly the places that `zero` says.
    fn mostly<const N: usize>(sample: &[u8], zero: [bool; N]) -> bool {
        let units = sample.as_chunks::<N>().0;
        let fit = units.iter().filter(|unit| unit.map(|byte| byte == 0) == zero).count();
        !units.is_empty() && fit * 10 >= units.len() * 9
    }
    if mostly(sample, [true, true, true, false]) {
        Some(Encoding::UTF_32BE)
    } else if mostly(sample, [false, true, true, true]) {
        Some(Encoding::UTF_32LE)
    } else if mostly(sample, [true, false]) {
        Some(Encoding::UTF_16BE)
    } else if mostly(sample, [false, true]) {
        Some(Encoding::UTF_16LE)
    } else {
        None
    }
}

/// Recognizes ISO-2022-JP, which is ASCII with escape sequences and so well-formed UTF-8 too.
fn by_escapes(sample: &[u8], whole: bool) -> Option<&'static Encoding> {
    (sample.is_ascii() && sample.contains(&0x1B)).then_some(())?;
    (guess(sample, whole) == encoding_rs::ISO_2022_JP).then_some(Encoding::ISO_2022_JP)
}

fn is_utf8(sample: &[u8], whole: bool) -> bool {
    match std::str::from_utf8(sample) {
        Ok(_) => true,
        Err(error) => !whole && error.error_len().is_none(),
    }
}

fn guess(sample: &[u8], whole: bool) -> &'static encoding_rs::Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(sample, whole);
    detector.guess(None, Utf8Detection::Allow)
}

fn by_frequency(sample: &[u8], whole: bool) -> &'static Encoding {
    of_the_web(guess(sample, whole)).unwrap_or(Encoding::WINDOWS_1252)
}

/// Encodings of the web that have another name here. GBK is read as its superset GB18030.
const OTHERWISE_CALLED: [(&encoding_rs::Encoding, &Encoding); 4] = [
    (encoding_rs::SHIFT_JIS, Encoding::CP932),
    (encoding_rs::EUC_KR, Encoding::CP949),
    (encoding_rs::GBK, Encoding::GB18030),
    (encoding_rs::ISO_8859_8_I, Encoding::ISO_8859_8),
];

/// Returns the encoding here that is closest to one of the web.
pub(crate) fn of_the_web(web: &'static encoding_rs::Encoding) -> Option<&'static Encoding> {
    match OTHERWISE_CALLED.into_iter().find(|(other, _)| *other == web) {
        Some((_, encoding)) => Some(encoding),
        None => Encoding::for_name(web.name()).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &[u8]) -> &'static str {
        detect_in(text, true).unwrap().name()
    }

    #[test]
    fn marks_zeros_and_well_formedness_decide_before_frequency() {
        assert_eq!(name(b"\xEF\xBB\xBFa"), "UTF-8");
        assert_eq!(name(b"\xFF\xFEa\0"), "UTF-16");
        assert_eq!(name(b"\xFF\xFE\0\0a\0\0\0"), "UTF-32");
        assert_eq!(name(b"\0\0\xFE\xFF\0\0\0a"), "UTF-32");
        assert_eq!(name(b"h\0e\0l\0l\0o\0"), "UTF-16LE");
        assert_eq!(name(b"\0h\0e\0l\0l\0o"), "UTF-16BE");
        assert_eq!(name(b"h\0\0\0i\0\0\0"), "UTF-32LE");
        assert_eq!(name("grüße".as_bytes()), "UTF-8");
        assert_eq!(name(b"plain"), "UTF-8");
        assert_eq!(name(b"\x1B$B$3$s$K$A$O\x1B(B"), "ISO-2022-JP");
        assert_eq!(name(b"\x1B[31mred\x1B[0m"), "UTF-8");
        assert_eq!(name(b""), "UTF-8");
    }

    /// Every name that the detector may return exists here; and GBK is read as its superset, as with --explain.
    #[test]
    fn encodings_of_the_web_have_names_here() {
        // A sentence in GBK, from the tables of GB 2312: 今天天气很好，我们去公园散步。
        let text =
            b"\xBD\xF1\xCC\xEC\xCC\xEC\xC6\xF8\xBA\xDC\xBA\xC3\xA3\xAC\xCE\xD2\xC3\xC7\xC8\xA5\
            \xB9\xAB\xD4\xB0\xC9\xA2\xB2\xBD\xA1\xA3";
        assert_eq!(name(text), "GB18030");
        for (web, expected) in [
            (encoding_rs::SHIFT_JIS, "CP932"),
            (encoding_rs::EUC_KR, "CP949"),
            (encoding_rs::BIG5, "BIG5"),
            (encoding_rs::GBK, "GB18030"),
            (encoding_rs::GB18030, "GB18030"),
            (encoding_rs::ISO_8859_8_I, "ISO-8859-8"),
            (encoding_rs::KOI8_U, "KOI8-U"),
            (encoding_rs::EUC_JP, "EUC-JP"),
        ] {
            assert_eq!(of_the_web(web).map(|encoding| encoding.name()), Some(expected));
        }
    }

    #[test]
    fn a_sample_is_awaited_unless_a_mark_decides() {
        assert_eq!(detect_in(b"abc", false), None);
        assert_eq!(detect_in(b"\xFF\xFE", false), None);
        assert_eq!(detect_in(b"\xFF\xFEa\0", false).unwrap().name(), "UTF-16");
        assert_eq!(detect_in(b"\xFF\xFE\0\0", false).unwrap().name(), "UTF-32");
        assert!(detect_in(&vec![b'a'; SAMPLE], false).is_some());
    }
}
