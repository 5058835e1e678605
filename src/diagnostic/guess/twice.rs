//! UTF-8 encoded twice: well-formed, but with `Ã©` instead of `é`.
//!
//! A program took the bytes of UTF-8 for windows-1252 or ISO-8859-1, and encoded each as a character. Then every window
//! of non-ASCII characters, as bytes, is well-formed UTF-8 again.

use std::sync::OnceLock;

use super::stray::windows_1252;
use crate::encoding::Encoding;
use crate::unicode::CodePoint;

/// The longest window to examine as a whole, in bytes.
const LONGEST: usize = 4096;

/// Counts of one text.
#[derive(Clone, Debug, Default)]
pub(super) struct Twice {
    /// Windows that are UTF-8 again.
    pub(super) again: u64,
    /// Windows that are not.
    pub(super) others: u64,
    /// The first window that is: offset in bytes, line, the text as written, and as it was meant.
    pub(super) first: Option<(u64, u64, String, String)>,
    /// Whether some have characters only in windows-1252, and whether some have 80..9F of ISO-8859-1.
    windows: bool,
    controls: bool,
}

impl Twice {
    /// Examines well-formed text at `offset` in line `line`. Pieces are cut only between ASCII and non-ASCII.
    pub(super) fn look(&mut self, text: &str, offset: u64, line: u64) {
        let bytes = text.as_bytes();
        // A byte order mark is not part of the first window.
        let mark =
            if offset == 0 && text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
        let (mut at, mut line) = (mark, line);
        while at < bytes.len() {
            let rest = &bytes[at..];
            let ascii = encoding_rs::Encoding::ascii_valid_up_to(rest);
            if self.first.is_none() {
                line += memchr::memchr_iter(b'\n', &rest[..ascii]).count() as u64;
            }
            let start = at + ascii;
            let len = bytes[start..].iter().take_while(|byte| **byte >= 0x80).count();
            at = start + len;
            if len > 0 {
                self.window(&text[start..at], offset + start as u64, line);
            }
        }
    }

    fn window(&mut self, text: &str, offset: u64, line: u64) {
        let Some(meant) = again(text).filter(|_| text.len() <= LONGEST) else {
            self.others += 1;
            return;
        };
        self.again += 1;
        self.controls |= text.chars().any(|c| matches!(c, '\u{80}'..='\u{9F}'));
        self.windows |= text.chars().any(|c| c > '\u{FF}');
        if self.first.is_none() {
            let some = |text: &str| text.chars().take(12).collect();
            self.first = Some((offset, line, some(text), some(&meant)));
        }
    }

    /// Returns the encoding that the whole text was mistaken for, if there is one.
    pub(super) fn taken_for(&self) -> Option<&'static Encoding> {
        match (self.again, self.others, self.windows, self.controls) {
            (1.., 0, false, _) => Some(Encoding::ISO_8859_1),
            (1.., 0, true, false) => Some(Encoding::WINDOWS_1252),
            _ => None,
        }
    }
}

/// Returns the bytes that the non-ASCII characters of `text` stand for, if those are well-formed UTF-8.
fn again(text: &str) -> Option<String> {
    // Fast path: the first two characters decide nearly all text.
    let mut start = text.chars();
    let may_begin = matches!(byte(start.next()?)?, 0xC2..=0xF4);
    if !may_begin || !matches!(byte(start.next()?)?, 0x80..=0xBF) {
        return None;
    }
    let bytes: Option<Vec<_>> = text.chars().map(byte).collect();
    String::from_utf8(bytes?).ok()
}

/// Returns the byte of a character in ISO-8859-1 or windows-1252.
fn byte(c: char) -> Option<u8> {
    match u8::try_from(c) {
        Ok(byte) => Some(byte),
        Err(_) => {
            let table = beyond_latin1();
            let index = table.binary_search_by_key(&u32::from(c), |(cp, _)| *cp).ok()?;
            Some(table[index].1)
        }
    }
}

/// Returns the characters of windows-1252 that are not in ISO-8859-1, in order, with their bytes.
fn beyond_latin1() -> &'static [(CodePoint, u8)] {
    static TABLE: OnceLock<Vec<(CodePoint, u8)>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let table = windows_1252();
        let pairs = (0x80..=0xFF_u8).map(|byte| (table.character(byte), byte));
        let mut pairs: Vec<_> = pairs.filter(|(cp, _)| *cp > 0xFF).collect();
        pairs.sort_unstable();
        pairs
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(text: &str) -> Twice {
        let mut twice = Twice::default();
        twice.look(text, 0, 1);
        twice
    }

    #[test]
    fn what_is_utf8_again_is_found() {
        let found = look("a;Ã©tÃ©\nb;Ã\u{A0} x");
        assert_eq!((found.again, found.others), (3, 0));
        assert_eq!(found.first, Some((2, 1, "Ã©".to_owned(), "é".to_owned())));
        assert_eq!(found.taken_for(), Some(Encoding::ISO_8859_1));
        // The euro sign, E2 82 AC, whose bytes are â ‚ ¬ in windows-1252.
        assert_eq!(look("5 â‚¬").taken_for(), Some(Encoding::WINDOWS_1252));
        assert_eq!(look("\u{FEFF}Ã©").taken_for(), Some(Encoding::ISO_8859_1));
        // À is C3 80: U+0080 if ISO-8859-1 was meant.
        assert_eq!(look("Ã\u{80}").taken_for(), Some(Encoding::ISO_8859_1));
        assert_eq!(look("Ã\u{81} â‚¬").taken_for(), None);
    }

    #[test]
    fn a_text_that_is_right_is_let_alone() {
        for text in ["", "abc", "été", "naïve café", "«À»", "5 €", "привет", "中文", "😀"]
        {
            assert_eq!(look(text).again, 0, "{text}");
        }
        let mixed = look("Ã© et é");
        assert_eq!((mixed.again, mixed.others, mixed.taken_for()), (1, 1, None));
    }
}
