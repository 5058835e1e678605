//! Recognizes UTF-16 and UTF-32 that is read as something else or in the opposite byte order: by the byte order mark at
//! the start, or by the positions of zero bytes; and what is hardly text in units of one byte: by its controls.

use crate::encoding::Encoding;

/// Counts of one text.
#[derive(Clone, Debug, Default)]
pub(super) struct Zeros {
    start: Vec<u8>,
    /// Zero bytes at each offset modulo four.
    zeros: [u64; 4],
    /// Controls that do not occur in text.
    controls: u64,
    bytes: u64,
    /// Bytes that were not examined.
    skipped: u64,
}

impl Zeros {
    pub(super) fn look(&mut self, bytes: &[u8]) {
        let missing = 4 - self.start.len();
        self.start.extend(bytes.iter().take(missing));
        for at in memchr::memchr_iter(0, bytes) {
            self.zeros[((self.len() + at as u64) % 4) as usize] += 1;
        }
        self.controls += bytes.iter().filter(|byte| is_control(**byte)).count() as u64;
        self.bytes += bytes.len() as u64;
    }

    /// Whether several bytes, and more than one in a hundred, are controls that do not occur in text: wide units or
    /// binary data, in which single bytes mean nothing.
    pub(super) fn are_of_no_text(&self) -> bool {
        self.controls > 1 && self.controls * 100 > self.bytes
    }

    /// Moves past bytes that are not examined.
    pub(super) fn skip(&mut self, bytes: u64) {
        self.skipped += bytes;
    }

    /// Whether there may be zero bytes.
    pub(super) fn any(&self) -> bool {
        self.skipped > 0 || self.zeros != [0; 4]
    }

    fn len(&self) -> u64 {
        self.bytes + self.skipped
    }

    /// Returns the encoding whose mark the text begins with, and the bytes of the mark.
    pub(super) fn by_mark(&self) -> Option<(&'static Encoding, &'static str)> {
        match *self.start {
            // These could also be the mark of UTF-16LE and U+0000: it is UTF-32LE if the zeros agree.
            [0xFF, 0xFE, 0, 0] if self.by_zeros() != Some(Encoding::UTF_16LE) => {
                Some((Encoding::UTF_32LE, "FF FE 00 00"))
            }
            [0, 0, 0xFE, 0xFF] => Some((Encoding::UTF_32BE, "00 00 FE FF")),
            [0xFF, 0xFE, ..] if self.is_wide(Encoding::UTF_16LE) => {
                Some((Encoding::UTF_16LE, "FF FE"))
            }
            [0xFE, 0xFF, ..] if self.is_wide(Encoding::UTF_16BE) => {
                Some((Encoding::UTF_16BE, "FE FF"))
            }
            _ => None,
        }
    }

    /// Whether the text consists of whole units, or its zero bytes are where the encoding has them.
    fn is_wide(&self, scheme: &'static Encoding) -> bool {
        self.len().is_multiple_of(2) || self.by_zeros() == Some(scheme)
    }

    /// Returns the encoding whose pattern the zero bytes have: in at least four of five units where they should be, and
    /// in at most one of five elsewhere.
    pub(super) fn by_zeros(&self) -> Option<&'static Encoding> {
        let of = |places: &[usize], unit: u64| {
            let zeros: u64 = places.iter().map(|place| self.zeros[*place]).sum();
            let all = self.bytes * places.len() as u64 / 4;
            (self.bytes >= 2 * unit, zeros * 5 >= all * 4, zeros * 5 <= all)
        };
        let many = |places: &[usize], unit| matches!(of(places, unit), (true, true, _));
        let few = |places: &[usize], unit| matches!(of(places, unit), (true, _, true));
        match () {
            () if many(&[1, 2, 3], 4) && few(&[0], 4) => Some(Encoding::UTF_32LE),
            () if many(&[0, 1, 2], 4) && few(&[3], 4) => Some(Encoding::UTF_32BE),
            () if many(&[1, 3], 2) && few(&[0, 2], 2) => Some(Encoding::UTF_16LE),
            () if many(&[0, 2], 2) && few(&[1, 3], 2) => Some(Encoding::UTF_16BE),
            () => None,
        }
    }
}

/// Whether a byte is a C0 control other than those of line ends, tabs, pages, escapes and the end of a file.
const fn is_control(byte: u8) -> bool {
    matches!(byte, 0..=8 | 0x0B | 0x0E..=0x19 | 0x1C..=0x1F)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(bytes: &[u8]) -> Zeros {
        let mut zeros = Zeros::default();
        bytes.chunks(3).for_each(|piece| zeros.look(piece));
        zeros
    }

    #[test]
    fn zeros_tell_the_width_and_the_order() {
        for (bytes, expected) in [
            (&b"h\0e\0l\0l\0o\0"[..], Some("UTF-16LE")),
            (b"\0h\0e\0l\0l\0o", Some("UTF-16BE")),
            (b"h\0\0\0i\0\0\0", Some("UTF-32LE")),
            (b"\0\0\0h\0\0\0i", Some("UTF-32BE")),
            (b"\0\x01\xF6\x01\0\0\0h\0\0\0i\0\0\0j", Some("UTF-32BE")),
            (b"hello\0\0", None),
            (b"hello", None),
            (b"\0\0\0\0\0\0\0\0", None),
            (b"a\0", None),
            (b"", None),
        ] {
            assert_eq!(
                look(bytes).by_zeros().map(|encoding| encoding.name()),
                expected,
                "{bytes:?}"
            );
        }
    }

    #[test]
    fn marks_tell_it_too() {
        let name = |bytes| look(bytes).by_mark().map(|(encoding, _)| encoding.name());
        assert_eq!(name(b"\xFF\xFEa\0"), Some("UTF-16LE"));
        assert_eq!(name(b"\xFE\xFF\0a"), Some("UTF-16BE"));
        assert_eq!(name(b"\xFF\xFE\0\0a\0\0\0"), Some("UTF-32LE"));
        assert_eq!(name(b"\0\0\xFE\xFF\0\0\0a"), Some("UTF-32BE"));
        assert_eq!(name(b"\xFF\xFEabc"), None);
        assert_eq!(name(b"\xEF\xBB\xBFa"), None);
    }
}
