//! The classes of bytes and characters that pictures colour, independent of any palette: a terminal and a page choose
//! their own colours.

use oxiconv_encodings::unicode::{CodePoint, is_unprintable};

/// The class of a cell, which shows a byte or a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellClass {
    /// A printing ASCII character.
    Printing,
    /// A blank or a line break.
    Blank,
    Zero,
    /// Another ASCII control code, or a character that is shown as an escape.
    Control,
    /// A byte from 80 to FF, or a character above U+007F.
    High,
    /// A byte of the finding, or what is shown for it.
    Found,
    /// An ellipsis for what does not fit.
    Omitted,
}

impl CellClass {
    /// Returns the class of a byte outside the finding.
    pub(super) const fn of_byte(byte: u8) -> Self {
        match byte {
            0 => Self::Zero,
            b'\t' | b'\n' | b'\r' | b' ' => Self::Blank,
            b'!'..=b'~' => Self::Printing,
            0x80.. => Self::High,
            _ => Self::Control,
        }
    }

    /// Returns the class of a character outside the finding.
    pub(super) fn of_character(cp: CodePoint) -> Self {
        match u8::try_from(cp) {
            Ok(byte) if byte.is_ascii() => Self::of_byte(byte),
            _ if is_unprintable(cp) => Self::Control,
            _ => Self::High,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_ascii_have_the_classes_of_their_bytes() {
        for (cp, class) in [
            (0, CellClass::Zero),
            (0x0A, CellClass::Blank),
            (0x1B, CellClass::Control),
            (0x20, CellClass::Blank),
            (0x7E, CellClass::Printing),
            (0x7F, CellClass::Control),
            (0x9B, CellClass::Control),
            (0xE9, CellClass::High),
            (0x202E, CellClass::Control),
            (0x65E5, CellClass::High),
            (0x11_0000, CellClass::Control),
        ] {
            assert_eq!(CellClass::of_character(cp), class, "{cp:x}");
        }
        assert_eq!(CellClass::of_byte(0x9B), CellClass::High);
    }
}
