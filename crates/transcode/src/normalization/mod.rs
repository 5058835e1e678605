//! The normalization forms of Unicode (UAX 15) over a stream, in constant memory.
//!
//! ```text
//! run ─► QuickCheck: which characters may change? ─► the others pass as they are
//!                         └─► ComposingSequence: a letter and what composes with it ─► decompose, order, compose
//! ```
//!
//! A sequence is held until the next character begins another one. To bound it, a text is made stream-safe (UAX 15,
//! section 13): U+034F is written after 30 marks in a row. Real text has at most four.
//!
//! Decompositions, compositions and combining classes come from the crate `unicode-normalization`.

mod composing_sequence;
mod normalization_form;
mod quick_check;

pub use composing_sequence::{ComposingSequence, NormalizedCharacter, SequenceStep};
pub use normalization_form::NormalizationForm;
pub use quick_check::QuickCheck;

use oxiconv_encodings::unicode::{CodePoint, is_letter};
use unicode_normalization::char::{canonical_combining_class, compose};

/// U+034F COMBINING GRAPHEME JOINER, which divides a sequence with too many marks.
pub const JOINER: CodePoint = 0x34F;

/// Returns the Canonical_Combining_Class; 0 for what is not a scalar value.
pub fn class(cp: CodePoint) -> u8 {
    char::from_u32(cp).map_or(0, canonical_combining_class)
}

/// Whether `cp` is a letter, or a sign that composes with a mark.
pub fn is_base(cp: CodePoint) -> bool {
    match cp {
        0..=0x3B | 0x3F | 0x40 | 0x5B..=0x60 | 0x7B..=0xA7 => false,
        _ => is_letter(cp) || composes(cp, '\u{338}') || composes(cp, '\u{301}'),
    }
}

fn composes(cp: CodePoint, mark: char) -> bool {
    char::from_u32(cp).is_some_and(|base| compose(base, mark).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_is_what_marks_may_change() {
        assert!(
            [0x41, 0x7A, 0xE9, 0x3C, 0x3D, 0x3E, 0xA8, 0x2208, 0x44F, 0x1100]
                .into_iter()
                .all(is_base)
        );
        assert!(
            ![0x0A, 0x20, 0x2E, 0x30, 0x40, 0x5B, 0x7B, 0xA0, 0x301, 0x2019]
                .into_iter()
                .any(is_base)
        );
    }
}
