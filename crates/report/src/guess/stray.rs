//! Single bytes of a legacy encoding among UTF-8, or instead of it.

use oxiconv_encodings::codec::{ByteOrder, MIN_PIVOT};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::{CodePoint, is_control};

/// A set of byte values.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ByteSet([u64; 4]);

impl ByteSet {
    pub(super) fn insert(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(mine, theirs)| *mine |= theirs);
    }

    pub(super) fn iter(self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(move |byte| self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1)
    }
}

/// An encoding of stray bytes, with the character of each byte. The table comes from the decoder that the repair will
/// use, so that a hint and its repair agree on every byte: AE in KOI8-U is U+255D, as RFC 2319 has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StrayEncoding {
    encoding: &'static Encoding,
    /// The character of each byte; 0 if the byte is undefined, or is not a character by itself.
    characters: [CodePoint; 256],
    /// Whether ISO-8859-1 has the same characters for all bytes in question.
    pub(super) like_latin1: bool,
}

impl StrayEncoding {
    pub(super) fn new(encoding: &'static Encoding) -> Self {
        let character = |byte: usize| {
            let mut pivot = [0; MIN_PIVOT];
            let decoded =
                encoding.new_decoder(ByteOrder::Big).decode(&[byte as u8], &mut pivot, true);
            if (decoded.read, decoded.written) == (1, 1) { pivot[0] } else { 0 }
        };
        Self { encoding, characters: std::array::from_fn(character), like_latin1: false }
    }

    /// Returns the encoding that was `judged` most likely for `bytes`, if it is `allowed` and defines all of them. The
    /// bytes of a multi-byte encoding are not tested: they are not characters by themselves.
    pub(super) fn of(
        judged: Option<Self>,
        bytes: ByteSet,
        allowed: impl Fn(&Self) -> bool,
    ) -> Option<Self> {
        let table = judged?;
        if !table.is_single() {
            return Some(table);
        }
        let western = table.encoding == Encoding::WINDOWS_1252;
        let like_latin1 = western && bytes.iter().all(|byte| byte > 0x9F);
        let has_all = allowed(&table) && bytes.iter().all(|byte| table.has(byte));
        has_all.then_some(Self { like_latin1, ..table })
    }

    pub(super) fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Describes a text with stray bytes in this encoding.
    pub(super) fn as_part(&self) -> String {
        format!("{} with bytes of {}", Encoding::UTF_8.name(), self.encoding.name())
    }

    /// Whether `--fallback` accepts it.
    pub(super) fn may_be_fallback(&self) -> bool {
        self.encoding.may_be_fallback()
    }

    /// Whether letters are single bytes, although some may compose with the one before.
    ///
    /// windows-1258 is no single-byte encoding, because a tone mark composes with its letter. But all its bytes are
    /// characters. In a multi-byte encoding, the bytes from E0 to F7 are lead bytes, and mean nothing by themselves.
    pub(super) fn is_single(&self) -> bool {
        self.encoding.single_byte || self.characters[0xE0..0xF8].iter().any(|cp| *cp >= 0x80)
    }

    /// Returns the characters of bytes; none if the encoding has several bytes per character.
    pub(super) fn read(&self, bytes: &[u8]) -> Vec<CodePoint> {
        let read = |byte: &u8| self.character(*byte);
        if self.is_single() { bytes.iter().map(read).collect() } else { Vec::new() }
    }

    /// Returns the character of a byte; U+0000 if it is undefined.
    pub(super) fn character(&self, byte: u8) -> CodePoint {
        self.characters[usize::from(byte)]
    }

    /// Whether it defines a character of text for a byte. C1 controls do not count.
    pub(super) fn has(&self, byte: u8) -> bool {
        byte < 0x80 || self.character(byte) != 0 && !is_control(self.character(byte))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(judged: &str, bytes: &[u8]) -> Option<(&'static str, bool)> {
        let mut set = ByteSet::default();
        set.insert(bytes);
        let judged = StrayEncoding::new(Encoding::for_name(judged).unwrap());
        StrayEncoding::of(Some(judged), set, |_| true)
            .map(|stray| (stray.encoding.name(), stray.like_latin1))
    }

    #[test]
    fn an_encoding_has_all_the_bytes_or_is_none() {
        assert_eq!(of("windows-1252", b"\xE9\xA0"), Some(("windows-1252", true)));
        assert_eq!(of("windows-1252", b"\xE9\x93"), Some(("windows-1252", false)));
        assert_eq!(of("windows-1252", b"\x81"), None);
        assert_eq!(of("windows-1251", b"\xEF\x81"), Some(("windows-1251", false)));
        // AA is undefined in windows-1253.
        assert_eq!(of("windows-1253", b"\xAA"), None);
        assert_eq!(of("SHIFT_JIS", b"\xE9\x41"), Some(("SHIFT_JIS", false)));
    }
}
