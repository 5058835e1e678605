//! Single bytes of an older encoding amid UTF-8, or in its place.

use encoding_rs::Encoding;

use crate::unicode::{CodePoint, is_control};

/// A set of bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bytes([u64; 4]);

impl Bytes {
    pub(super) fn insert(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(mine, theirs)| *mine |= theirs);
    }

    fn iter(self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(move |byte| self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1)
    }
}

/// A single-byte encoding in which all the bytes in question are characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stray {
    table: &'static Encoding,
    /// Whether ISO-8859-1 has the same characters for all of them.
    pub(super) like_latin1: bool,
}

impl Stray {
    /// What `bytes` most likely are, where `guess` is what their frequency speaks for.
    pub(super) fn of(guess: &'static Encoding, bytes: Bytes) -> Option<Self> {
        [guess, encoding_rs::WINDOWS_1252].into_iter().find_map(|table| {
            let stray = Self { table, like_latin1: false };
            let all = table.is_single_byte() && bytes.iter().all(|byte| stray.has(byte));
            let latin1 = table == encoding_rs::WINDOWS_1252 && bytes.iter().all(|byte| byte > 0x9F);
            all.then_some(Self { like_latin1: latin1, ..stray })
        })
    }

    /// Its name, as options take it.
    pub(super) fn name(self) -> &'static str {
        match self.table.name() {
            "ISO-8859-8-I" => "ISO-8859-8",
            name => name,
        }
    }

    /// Whether each byte of it is a character whatever follows it: those of Hebrew and Vietnamese compose.
    pub(super) fn may_be_fallback(self) -> bool {
        !matches!(self.table.name(), "windows-1255" | "windows-1258")
    }

    /// The character of a byte.
    pub(super) fn character(self, byte: u8) -> CodePoint {
        let byte = [byte];
        let (text, _) = self.table.decode_without_bom_handling(&byte);
        text.chars().next().map_or(0, CodePoint::from)
    }

    /// Whether it has a character for a byte. The tables of the web have controls in the gaps, which is no sign of text.
    fn has(self, byte: u8) -> bool {
        let character = self.character(byte);
        byte < 0x80 || character != 0xFFFD && !is_control(character)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(guess: &'static Encoding, bytes: &[u8]) -> Option<(&'static str, bool)> {
        let mut set = Bytes::default();
        set.insert(bytes);
        Stray::of(guess, set).map(|stray| (stray.name(), stray.like_latin1))
    }

    #[test]
    fn an_encoding_has_all_the_bytes_or_is_none() {
        use encoding_rs::{SHIFT_JIS, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253};
        assert_eq!(of(WINDOWS_1252, b"\xE9\xA0"), Some(("windows-1252", true)));
        assert_eq!(of(WINDOWS_1252, b"\xE9\x93"), Some(("windows-1252", false)));
        assert_eq!(of(WINDOWS_1252, b"\x81"), None);
        assert_eq!(of(WINDOWS_1251, b"\xEF\x81"), Some(("windows-1251", false)));
        // AA is a gap in windows-1253.
        assert_eq!(of(WINDOWS_1253, b"\xAA"), Some(("windows-1252", true)));
        assert_eq!(of(SHIFT_JIS, b"\xE9"), Some(("windows-1252", true)));
    }
}
