//! Recognizes UTF-16 and UTF-32 that is read as something else or in the opposite byte order: by the byte order mark at
//! the start, or by its code units, with the test that detection uses. Also recognizes by its control codes what is
//! hardly text at all.

use oxiconv_detect::detection::{HEAD, by_units};
use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::encoding::{Encoding, wide_mark};

/// What shows wide units or binary data: the start of the text, whether it has zero bytes, and the number of its
/// controls.
#[derive(Clone, Debug, Default)]
pub(super) struct WideEvidence {
    start: Vec<u8>,
    found: bool,
    controls: u64,
    bytes: u64,
    skipped: u64,
}

impl WideEvidence {
    pub(super) fn look(&mut self, bytes: &[u8]) {
        let missing = HEAD - self.start.len();
        self.start.extend(bytes.iter().take(missing));
        self.found |= memchr::memchr(0, bytes).is_some();
        self.controls += bytes.iter().filter(|byte| is_control(**byte)).count() as u64;
        self.bytes += bytes.len() as u64;
    }

    /// Whether several bytes, and more than 1 %, are controls that do not occur in text. Then it is wide units or
    /// binary data, in which single bytes mean nothing.
    pub(super) fn are_of_no_text(&self) -> bool {
        self.controls > 1 && self.controls * 100 > self.bytes
    }

    pub(super) fn skip(&mut self, bytes: u64) {
        self.skipped += bytes;
    }

    /// Whether there may be zero bytes: skipped bytes count as possible ones.
    pub(super) fn any(&self) -> bool {
        self.skipped > 0 || self.found
    }

    /// Returns the encoding scheme whose byte order mark the text begins with, and the mark. What follows it may be
    /// anything.
    pub(super) fn by_mark(&self) -> Option<(&'static Encoding, &'static [u8])> {
        let (mark, scheme) = wide_mark(&self.start)?;
        // FF FE 00 00 is the mark of UTF-32LE, or that of UTF-16LE and U+0000. The units after it decide.
        let is_shorter = mark.starts_with(&[0xFF, 0xFE, 0])
            && self.by_units().is_some_and(|units| units != scheme);
        Some(if is_shorter { (Encoding::UTF_16LE, &mark[..2]) } else { (scheme, mark) })
    }

    /// Returns the encoding scheme of the code units at the start of the text.
    pub(super) fn by_units(&self) -> Option<&'static Encoding> {
        by_units(&self.start)
    }

    /// Whether at least four in five units have their zero bytes where ASCII characters have them in `scheme`.
    ///
    /// The index of the byte that is not zero is `low`: `61 00` has it at 0, and `00 00 00 61` at 3. This only chooses
    /// the words of the evidence. That the text is in `scheme` has been decided by then.
    pub(super) fn are_of_ascii(&self, scheme: &Encoding) -> bool {
        let low = if scheme.order == Some(ByteOrder::Little) { 0 } else { scheme.unit - 1 };
        let is_ascii = |unit: &&[u8]| (0..unit.len()).all(|at| (unit[at] == 0) == (at != low));
        let units = self.start.chunks_exact(scheme.unit);
        let all = units.len();
        units.filter(is_ascii).count() * 5 >= all * 4
    }
}

/// Whether a byte is a C0 control that text does not contain: not a line break, a tab, FF, SUB or ESC.
const fn is_control(byte: u8) -> bool {
    matches!(byte, 0..=8 | 0x0B | 0x0E..=0x19 | 0x1C..=0x1F)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(bytes: &[u8]) -> WideEvidence {
        let mut zeros = WideEvidence::default();
        bytes.chunks(3).for_each(|piece| zeros.look(piece));
        zeros
    }

    #[test]
    fn units_tell_the_width_and_the_order() {
        for (bytes, expected) in [
            (&b"h\0e\0l\0l\0o\0"[..], Some("UTF-16LE")),
            (b"\0h\0e\0l\0l\0o", Some("UTF-16BE")),
            (b"h\0\0\0i\0\0\0", Some("UTF-32LE")),
            (b"\0\0\0h\0\0\0i", Some("UTF-32BE")),
            (b"\0\x01\xF6\x01\0\0\0h\0\0\0i\0\0\0j", Some("UTF-32BE")),
            (b"\x3C\x04\x38\x04\x40\x04\x0A\0", Some("UTF-16LE")),
            (b"\x04\x3C\x04\x38\x04\x40\0\x0A", Some("UTF-16BE")),
            (b"hello\0\0", None),
            (b"hello", None),
            (b"\0\0\0\0\0\0\0\0", None),
            (b"a\0", None),
            (b"", None),
        ] {
            assert_eq!(
                look(bytes).by_units().map(|encoding| encoding.name()),
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
        assert_eq!(name(b"\xFF\xFEabc"), Some("UTF-16LE"));
        assert_eq!(name(b"\xEF\xBB\xBFa"), None);
    }
}
