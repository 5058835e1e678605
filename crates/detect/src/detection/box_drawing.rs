//! Frames, trees and bars that DOS programs draw with box-drawing characters.
//!
//! ```text
//! C9 CD CD CD BB   ╔═══╗ in IBM437: each character has an arm to the next one
//!                  ЙНННЛ in windows-1251: no language has such a word
//! ```
//!
//! A drawing says nothing of the language, so its characters cost next to nothing in the charsets that draw it. When
//! each of them cost as much as a foreign sign, a long rule outweighed the words around it, and the text became
//! windows-1251, KOI8-R or CP932 with 90 % and more. But a single such character may be a letter that is misread, so
//! the discount applies only where characters join. `ДА` in windows-1251 is `─└` in IBM866: both are box-drawing
//! characters, but their arms do not meet.

use oxiconv_encodings::unicode::CodePoint;

/// Whether a character is in Unicode's blocks Box Drawing or Block Elements.
pub(super) fn is_drawing(cp: CodePoint) -> bool {
    matches!(cp, 0x2500..=0x259F)
}

/// Whether rows are made of a mark: dashes, dots, no-break spaces, and a few signs of Latin-1.
pub(super) fn makes_rows(cp: CodePoint) -> bool {
    matches!(
        cp,
        0xA0 | 0xA4 | 0xA6 | 0xA7 | 0xAB | 0xAC | 0xAF | 0xB7 | 0xBB | 0x2010
            ..=0x2015 | 0x2022 | 0x2026
    )
}

/// Whether two adjacent characters are one line, or parts of one bar.
pub(super) fn joins(before: CodePoint, after: CodePoint) -> bool {
    let is_block = |cp| matches!(cp, 0x2580..=0x259F);
    is_single(before).1 && is_single(after).0
        || is_double(before).1 && is_double(after).0
        || is_block(before) && is_block(after)
}

/// Whether a character has an arm to its left or right.
pub(super) fn has_arm(cp: CodePoint) -> bool {
    let ((one, two), (three, four)) = (is_single(cp), is_double(cp));
    one || two || three || four
}

/// Whether a character has a single line to its left, and to its right.
fn is_single(cp: CodePoint) -> (bool, bool) {
    let Some(c) = char::from_u32(cp) else { return (false, false) };
    let both = matches!(c, '─' | '┬' | '┴' | '┼' | '╥' | '╨' | '╫');
    let left = matches!(c, '┐' | '┘' | '┤' | '╖' | '╜' | '╢');
    let right = matches!(c, '┌' | '└' | '├' | '╓' | '╙' | '╟');
    (both || left, both || right)
}

/// The same for a double line.
fn is_double(cp: CodePoint) -> (bool, bool) {
    let Some(c) = char::from_u32(cp) else { return (false, false) };
    let both = matches!(c, '═' | '╤' | '╦' | '╧' | '╩' | '╪' | '╬');
    let left = matches!(c, '╕' | '╗' | '╛' | '╝' | '╡' | '╣');
    let right = matches!(c, '╒' | '╔' | '╘' | '╚' | '╞' | '╠');
    (both || left, both || right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_trees_and_bars_join() {
        let all_join = |text: &str| {
            let cps: Vec<CodePoint> = text.chars().map(CodePoint::from).collect();
            cps.windows(2).all(|pair| joins(pair[0], pair[1]))
        };
        for text in ["╔═╦══╗", "╚═╩══╝", "┌─┬──┐", "├──", "└─┴╨─┘", "╞═╪═╡", "██░░", "▀▄"]
        {
            assert!(all_join(text), "{text}");
        }
        // Words in windows-1251 that are read as IBM866: ДА, ВСЕ, and ends that face each other.
        for text in ["─└", "┬╤┼", "┐┌", "│─", "═─"] {
            assert!(!all_join(text), "{text}");
        }
    }
}
