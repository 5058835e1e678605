//! Finds UTF-16 or UTF-32 text that is read in another encoding: it has a byte order mark, and is well-formed after it.
//!
//! A mark alone proves little, since some binary files also begin with FF FE. So the text after it is decoded strictly,
//! and must not contain controls that text never has.
//!
//! This serves detection, hints and `OnForeignMark`. A conversion asks the encoder instead how U+FEFF is encoded
//! (`opening.rs` of `transcode`), because it needs the mark of whatever encoding it reads.

use super::Encoding;
use crate::codec::{ByteOrder, DecodeStop, MIN_OUTPUT, MIN_PIVOT};
use crate::unicode::{BYTE_ORDER_MARK, CodePoint};

/// Bytes examined at the start of a text.
const SAMPLE: usize = 8 * 1024;

/// The marks, and their encoding schemes. Longer marks come first, because that of UTF-32LE begins with that of
/// UTF-16LE.
const MARKS: [(&[u8], &Encoding); 5] = [
    (&[0xFF, 0xFE, 0, 0], Encoding::UTF_32LE),
    (&[0, 0, 0xFE, 0xFF], Encoding::UTF_32BE),
    (&[0xEF, 0xBB, 0xBF], Encoding::UTF_8),
    (&[0xFE, 0xFF], Encoding::UTF_16BE),
    (&[0xFF, 0xFE], Encoding::UTF_16LE),
];

/// Length in bytes of the longest mark.
pub const LONGEST_MARK: usize = 4;

/// Returns the encoding whose byte order mark, which is not part of the text, is at the start of a text.
#[cfg(feature = "legacy")]
pub fn marked(start: &[u8]) -> Option<&'static Encoding> {
    mark_of(start).map(|(_, scheme)| scheme.unmarked())
}

/// Returns the byte order mark of UTF-16 or UTF-32 that a text begins with, and its scheme (such as UTF-16LE).
#[cfg(feature = "legacy")]
pub fn wide_mark(start: &[u8]) -> Option<(&'static [u8], &'static Encoding)> {
    mark_of(start).filter(|(_, scheme)| scheme.family.is_wide())
}

/// Returns the mark that a text begins with, and its scheme.
#[cfg(feature = "legacy")]
fn mark_of(start: &[u8]) -> Option<(&'static [u8], &'static Encoding)> {
    MARKS.into_iter().find(|(mark, _)| start.starts_with(mark))
}

/// Whether `start` begins with a byte order mark of UTF-16 or UTF-32, or is the start of one.
pub fn may_be_wide_mark(start: &[u8]) -> bool {
    let wide = MARKS.into_iter().filter(|(_, scheme)| scheme.family.is_wide());
    wide.into_iter().any(|(mark, _)| start.starts_with(mark) || mark.starts_with(start))
}

/// Whether a text has the byte order mark of another encoding than the one in which it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marked {
    /// It does not.
    No,
    /// More of the text is needed to know.
    Unknown,
    /// It looks like text in `scheme` (such as UTF-16LE), with a mark of `mark_len` bytes.
    Otherwise {
        /// The encoding that it looks like.
        scheme: &'static Encoding,
        /// The length of the mark in bytes.
        mark_len: usize,
    },
}

/// Checks whether the text that begins with `start`, and is read in `read_as`, has the mark of another encoding and is
/// well-formed in that. `last` says that `start` is the whole text.
pub fn marked_otherwise(read_as: &Encoding, start: &[u8], last: bool) -> Marked {
    let sample = &start[..start.len().min(SAMPLE)];
    let whole = last && sample.len() == start.len();
    for (mark, scheme) in MARKS.into_iter().filter(|(_, scheme)| scheme.family.is_wide()) {
        if !last && mark.starts_with(start) {
            return Marked::Unknown;
        }
        if !start.starts_with(mark) {
            continue;
        }
        // In the encoding in which it is read, it is U+FEFF too: FF FE in UTF-16, UCS-2 and WTF-16LE.
        if is_mark_of(read_as, mark) {
            return Marked::No;
        }
        if !last && start.len() < SAMPLE {
            return Marked::Unknown;
        }
        // Where the mark is ill-formed, as in UTF-8, well-formed text after it suffices. Where the mark is text, as in
        // windows-1252, what follows may be text as well. But such text has no zero bytes, and UTF-16 nearly always
        // has.
        let text = &sample[mark.len()..];
        if (text.contains(&0) || !allows(read_as, mark)) && is_text(scheme, text, whole) {
            return Marked::Otherwise { scheme, mark_len: mark.len() };
        }
    }
    Marked::No
}

/// Whether U+FEFF is encoded as `bytes` in `encoding`, in either byte order.
fn is_mark_of(encoding: &Encoding, bytes: &[u8]) -> bool {
    [ByteOrder::Big, ByteOrder::Little].into_iter().any(|order| {
        let mut room = [0; MIN_OUTPUT];
        let len = encoding.new_encoder(order).encode(&[BYTE_ORDER_MARK], &mut room).written;
        room[..len] == *bytes
    })
}

/// Whether `bytes` are well-formed at the start of a text in `encoding`.
fn allows(encoding: &Encoding, bytes: &[u8]) -> bool {
    let mut pivot = [0; MIN_PIVOT];
    let decoded = encoding.new_decoder(ByteOrder::Big).decode(bytes, &mut pivot, false);
    !matches!(decoded.stop, DecodeStop::IllFormed(_))
}

/// Whether `bytes` are well-formed text in `scheme`, of at least one character, without controls that text never has. A
/// character that the end of the sample truncates is no fault unless it is the `whole` text.
fn is_text(scheme: &Encoding, bytes: &[u8], whole: bool) -> bool {
    let is_control = |cp: &CodePoint| matches!(cp, 0..=8 | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F..=0x9F);
    let mut decoder = scheme.new_decoder(ByteOrder::Big);
    let mut pivot = [0; 1024];
    let (mut at, mut characters) = (0, 0);
    loop {
        let decoded = decoder.decode(&bytes[at..], &mut pivot, whole);
        at += decoded.read;
        characters += decoded.written;
        if pivot[..decoded.written].iter().any(is_control) {
            return false;
        }
        match decoded.stop {
            DecodeStop::OutputFull => {}
            DecodeStop::InputEmpty => return characters > 0,
            DecodeStop::IllFormed(_) | DecodeStop::Large { .. } => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(read_as: &str, start: &[u8]) -> Option<&'static str> {
        match marked_otherwise(Encoding::for_name(read_as).unwrap(), start, true) {
            Marked::Otherwise { scheme, .. } => Some(scheme.name()),
            Marked::No => None,
            Marked::Unknown => panic!("the whole text is there"),
        }
    }

    #[test]
    fn a_mark_with_clean_text_after_it_is_that_of_another_encoding() {
        for (read_as, start, expected) in [
            ("utf-8", &b"\xFF\xFEa\0"[..], Some("UTF-16LE")),
            ("utf-8", b"\xFE\xFF\0a", Some("UTF-16BE")),
            ("utf-8", b"\xFF\xFE\0\0a\0\0\0", Some("UTF-32LE")),
            ("utf-8", b"\0\0\xFE\xFF\0\0\0a", Some("UTF-32BE")),
            // U+3042 has no zero byte, and FF is invalid in UTF-8; in windows-1252 it is text.
            ("utf-8", b"\xFF\xFE\x42\x30", Some("UTF-16LE")),
            ("windows-1252", b"\xFF\xFE\x42\x30", None),
            ("windows-1252", b"\xFF\xFE\x42\x30\n\0", Some("UTF-16LE")),
            ("utf-16", b"\xFF\xFE\0\0a\0\0\0", Some("UTF-32LE")),
            ("utf-16be", b"\xFF\xFEa\0", Some("UTF-16LE")),
            ("utf-32", b"\xFF\xFEa\0b\0", Some("UTF-16LE")),
            // It is the mark of the encoding that it is read in.
            ("utf-16", b"\xFF\xFEa\0", None),
            ("utf-16le", b"\xFF\xFEa\0", None),
            ("wtf-16le", b"\xFF\xFEa\0", None),
            ("ucs-2", b"\xFE\xFF\0a", None),
            ("utf-32", b"\xFF\xFE\0\0a\0\0\0", None),
            // Ill-formed there, cut, without text, or with controls.
            ("utf-8", b"\xFF\xFE\0\xD8a\0", None),
            ("utf-8", b"\xFF\xFEa\0b", None),
            ("utf-8", b"\xFF\xFE", None),
            ("utf-8", b"\xFF\xFE\x01\0", None),
            ("utf-8", b"\xEF\xBB\xBFa", None),
            ("utf-8", b"", None),
        ] {
            assert_eq!(seen(read_as, start), expected, "{read_as} {start:?}");
        }
    }

    #[test]
    fn what_is_needed_to_know_is_awaited_and_no_more() {
        let utf8 = Encoding::for_name("utf-8").unwrap();
        assert_eq!(marked_otherwise(utf8, b"a", false), Marked::No);
        assert_eq!(marked_otherwise(utf8, b"\xFF", false), Marked::Unknown);
        assert_eq!(marked_otherwise(utf8, b"\xFF\xFEa\0", false), Marked::Unknown);
        assert_eq!(marked_otherwise(utf8, b"\xFFa", false), Marked::No);
        // A sample that ends in the middle of a surrogate pair.
        let long = [&b"\xFF\xFEab"[..], &b"\x3D\xD8\0\xDE".repeat(SAMPLE)].concat();
        let as_utf16 = marked_otherwise(utf8, &long, false);
        assert!(
            matches!(as_utf16, Marked::Otherwise { scheme, mark_len: 2 } if scheme.name() == "UTF-16LE")
        );
    }
}
