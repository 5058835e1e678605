//! Invisible characters, and where they have an effect: between emoji, in scripts whose letters join, after a character
//! that has variants. Elsewhere they are stray: left by an editor, or put there to hide text.
//!
//! ```text
//! 👨 U+200D 👩      joins two emoji          a U+200D b         stray
//! ❤ U+FE0F         selects the emoji style  a U+FE0F           stray
//! می U+200C خواهم   separates two letters
//! ```
//!
//! Invisible are the code points with the property Default_Ignorable_Code_Point (Unicode 5.21), except for the controls
//! that reorder text and U+FEFF, which are classes of their own.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use super::properties::{is_bidi_control, is_default_ignorable};
use super::{BYTE_ORDER_MARK, CodePoint};

/// The number of characters before one that may decide about it: a flag, seven tags, and two more.
pub const INVISIBLE_CONTEXT: usize = 10;

/// Code points with the property Extended_Pictographic, from emoji-data.txt of Unicode 14.0: emoji, other
/// pictographs, and code points reserved for future ones.
const PICTOGRAPHIC: [(CodePoint, CodePoint); 78] = [
    (0x00A9, 0x00A9),
    (0x00AE, 0x00AE),
    (0x203C, 0x203C),
    (0x2049, 0x2049),
    (0x2122, 0x2122),
    (0x2139, 0x2139),
    (0x2194, 0x2199),
    (0x21A9, 0x21AA),
    (0x231A, 0x231B),
    (0x2328, 0x2328),
    (0x2388, 0x2388),
    (0x23CF, 0x23CF),
    (0x23E9, 0x23F3),
    (0x23F8, 0x23FA),
    (0x24C2, 0x24C2),
    (0x25AA, 0x25AB),
    (0x25B6, 0x25B6),
    (0x25C0, 0x25C0),
    (0x25FB, 0x25FE),
    (0x2600, 0x2605),
    (0x2607, 0x2612),
    (0x2614, 0x2685),
    (0x2690, 0x2705),
    (0x2708, 0x2712),
    (0x2714, 0x2714),
    (0x2716, 0x2716),
    (0x271D, 0x271D),
    (0x2721, 0x2721),
    (0x2728, 0x2728),
    (0x2733, 0x2734),
    (0x2744, 0x2744),
    (0x2747, 0x2747),
    (0x274C, 0x274C),
    (0x274E, 0x274E),
    (0x2753, 0x2755),
    (0x2757, 0x2757),
    (0x2763, 0x2767),
    (0x2795, 0x2797),
    (0x27A1, 0x27A1),
    (0x27B0, 0x27B0),
    (0x27BF, 0x27BF),
    (0x2934, 0x2935),
    (0x2B05, 0x2B07),
    (0x2B1B, 0x2B1C),
    (0x2B50, 0x2B50),
    (0x2B55, 0x2B55),
    (0x3030, 0x3030),
    (0x303D, 0x303D),
    (0x3297, 0x3297),
    (0x3299, 0x3299),
    (0x1_F000, 0x1_F0FF),
    (0x1_F10D, 0x1_F10F),
    (0x1_F12F, 0x1_F12F),
    (0x1_F16C, 0x1_F171),
    (0x1_F17E, 0x1_F17F),
    (0x1_F18E, 0x1_F18E),
    (0x1_F191, 0x1_F19A),
    (0x1_F1AD, 0x1_F1E5),
    (0x1_F201, 0x1_F20F),
    (0x1_F21A, 0x1_F21A),
    (0x1_F22F, 0x1_F22F),
    (0x1_F232, 0x1_F23A),
    (0x1_F23C, 0x1_F23F),
    (0x1_F249, 0x1_F3FA),
    (0x1_F400, 0x1_F53D),
    (0x1_F546, 0x1_F64F),
    (0x1_F680, 0x1_F6FF),
    (0x1_F774, 0x1_F77F),
    (0x1_F7D5, 0x1_F7FF),
    (0x1_F80C, 0x1_F80F),
    (0x1_F848, 0x1_F84F),
    (0x1_F85A, 0x1_F85F),
    (0x1_F888, 0x1_F88F),
    (0x1_F8AE, 0x1_F8FF),
    (0x1_F90C, 0x1_F93A),
    (0x1_F93C, 0x1_F945),
    (0x1_F947, 0x1_FAFF),
    (0x1_FC00, 0x1_FFFD),
];

fn is_in(ranges: &[(CodePoint, CodePoint)], cp: CodePoint) -> bool {
    let after = ranges.partition_point(|(first, _)| *first <= cp);
    after.checked_sub(1).is_some_and(|at| cp <= ranges[at].1)
}

fn is_pictographic(cp: CodePoint) -> bool {
    is_in(&PICTOGRAPHIC, cp)
}

/// Whether `cp` is never visible by itself, and neither a control that reorders text nor U+FEFF.
pub fn is_invisible(cp: CodePoint) -> bool {
    is_default_ignorable(cp) && !is_bidi_control(cp) && cp != BYTE_ORDER_MARK
}

/// What follows a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextCharacter {
    /// A character.
    Character(CodePoint),
    /// No character: the text ends, or something ill-formed follows.
    Nothing,
    /// Not known yet.
    Unknown,
}

impl NextCharacter {
    /// Whether `test` holds for what follows; `None` if that is not known yet.
    fn is(self, test: impl Fn(CodePoint) -> bool) -> Option<bool> {
        match self {
            Self::Character(cp) => Some(test(cp)),
            Self::Nothing => Some(false),
            Self::Unknown => None,
        }
    }
}

/// Whether the invisible character `cp` has no effect where it is; `None` if that depends on the next character, which
/// is not known yet. `before` ends with the characters before it: at least [`INVISIBLE_CONTEXT`], if there are so many.
///
/// What an invisible character does:
///
/// * U+200B allows a line break in scripts without spaces.
/// * U+200C and U+200D join and separate letters of Arabic, Syriac, Mongolian, the scripts of India and the like;
///   U+200D also joins emoji (UTS 51, ED-16).
/// * U+200E, U+200F and U+061C are directional marks next to letters that are written from right to left.
/// * U+034F keeps marks apart. U+115F and U+1160 complete syllables of old Korean.
/// * Variation selectors select a variant of the character before them, if it has any; U+180E separates a Mongolian
///   ending.
/// * Tags after the black flag name a region: seven at most, and U+E007F (UTS 51, ED-14a).
/// * The controls of musical notation and of shorthand are next to their signs.
pub fn is_stray(before: &[CodePoint], cp: CodePoint, next: NextCharacter) -> Option<bool> {
    let last = before.last().copied();
    // An invisible character gives no effect to another one, because it may be stray itself. If the stray one is
    // removed, what is left must still have its effect.
    let after = |test: fn(CodePoint) -> bool| last.is_some_and(|cp| test(cp) && !is_invisible(cp));
    // What comes before is tried first: if it settles the matter, nobody has to wait for the next character.
    let near = |test: fn(CodePoint) -> bool| {
        if after(test) { Some(true) } else { next.is(|cp| test(cp) && !is_invisible(cp)) }
    };
    let works = match cp {
        0x200B => near(has_no_spaces),
        0x200C => near(joins),
        0x200D if after(joins) => Some(true),
        0x200D if ends_emoji(before) && next.is(is_pictographic) != Some(false) => {
            next.is(is_pictographic)
        }
        0x200D => near(joins),
        0x061C | 0x200E | 0x200F => near(is_right_to_left),
        0x034F => Some(after(is_mark)),
        0x115F => next.is(|next| matches!(next, 0x1160..=0x11A7 | 0xD7B0..=0xD7C6)),
        0x1160 if last == Some(0x115F) => {
            next.is(|next| matches!(next, 0x11A8..=0x11FF | 0xD7CB..=0xD7FB))
        }
        0x1160 => Some(after(|last| matches!(last, 0x1100..=0x115E | 0xA960..=0xA97C))),
        0x180E => {
            let base = before.iter().rev().find(|cp| !matches!(cp, 0x180B..=0x180D | 0x180F));
            Some(base.is_some_and(|base| matches!(base, 0x1820..=0x18AA)))
        }
        0x1_BCA0..=0x1_BCA3 => near(|cp| matches!(cp, 0x1_BC00..=0x1_BC9F)),
        0x1_D173..=0x1_D17A => near(|cp| matches!(cp, 0x1_D100..=0x1_D1FF)),
        0xE_0020..=0xE_007F => Some(tags_flag(before, cp)),
        _ => Some(last.is_some_and(|last| has_variant(last, cp))),
    };
    works.map(|works| !works)
}

/// Whether `before` ends with an emoji, including its variation selector or its skin tone.
fn ends_emoji(before: &[CodePoint]) -> bool {
    match before {
        [.., base, 0xFE0F] => is_pictographic(*base),
        // A skin tone is also an emoji by itself.
        [.., last] => is_pictographic(*last) || matches!(last, 0x1_F3FB..=0x1_F3FF),
        [] => false,
    }
}

/// Whether `cp` continues the tags of a flag: two letters or three digits for a region, one to four for a part of it,
/// and the end. The black flag and up to seven tags must be before it.
fn tags_flag(before: &[CodePoint], cp: CodePoint) -> bool {
    const FLAG: CodePoint = 0x1_F3F4;
    const END: CodePoint = 0xE_007F;
    let names = |cp: CodePoint| matches!(cp, 0xE_0030..=0xE_0039 | 0xE_0061..=0xE_007A);
    let tags = before.iter().rev().take_while(|cp| names(**cp)).count();
    let base = before.len().checked_sub(tags + 1).map(|at| before[at]);
    let continues = if cp == END { (3..=7).contains(&tags) } else { names(cp) && tags < 7 };
    base == Some(FLAG) && continues
}

/// Whether `cp` is of a script that has no spaces between words: Thai, Lao, Tibetan, Myanmar, Khmer, Tai Le, New Tai
/// Lue, Tai Tham, Balinese, Javanese, Tai Viet and others. By blocks.
fn has_no_spaces(cp: CodePoint) -> bool {
    matches!(cp, 0x0E00..=0x109F | 0x1780..=0x17FF | 0x1950..=0x19FF | 0x1A00..=0x1AAF)
        || matches!(cp, 0x1B00..=0x1B7F | 0xA980..=0xA9FF | 0xAA60..=0xAADF)
}

/// Whether `cp` is of a script whose letters change their form next to each other: Arabic, Syriac, N'Ko, Mandaic, the
/// scripts of India and Southeast Asia, Mongolian, Manichaean, Adlam and others. By blocks, because the script property
/// of many marks is Inherited.
fn joins(cp: CodePoint) -> bool {
    match cp {
        0..=0x05FF => false,
        0x0600..=0x109F | 0x1780..=0x18AF | 0x1900..=0x194F | 0x1A00..=0x1CFF => true,
        0xA800..=0xA82F | 0xA840..=0xA8FF | 0xA930..=0xA9FF | 0xAA00..=0xAAFF => true,
        0xABC0..=0xABFF | 0xFB50..=0xFDFF | 0xFE70..=0xFEFC => true,
        0x1_0A00..=0x1_0AFF | 0x1_0B80..=0x1_0BAF | 0x1_0D00..=0x1_0D3F => true,
        0x1_0F30..=0x1_0FDF | 0x1_1000..=0x1_1FFF | 0x1_E900..=0x1_E95F => true,
        _ => false,
    }
}

/// Whether letters of this block are written from right to left.
fn is_right_to_left(cp: CodePoint) -> bool {
    matches!(cp, 0x0590..=0x061B | 0x061D..=0x08FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFC)
        || matches!(cp, 0x1_0800..=0x1_0FFF | 0x1_E800..=0x1_EFFF)
}

fn is_mark(cp: CodePoint) -> bool {
    use GeneralCategory::{EnclosingMark, NonspacingMark, SpacingMark};
    let category = char::from_u32(cp).map(|c| c.general_category());
    matches!(category, Some(NonspacingMark | SpacingMark | EnclosingMark))
}

/// Whether variation selector `selector` selects a variant of `base`: of an emoji (emoji-variation-sequences.txt), of
/// an ideograph (UTS 37), or of what StandardizedVariants.txt lists, by blocks.
fn has_variant(base: CodePoint, selector: CodePoint) -> bool {
    let ideograph = matches!(base, 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFD);
    match selector {
        0x180B..=0x180D | 0x180F => {
            matches!(base, 0x1800..=0x180A | 0x1820..=0x18AA | 0x1_1660..=0x1_166C)
        }
        0xFE0E | 0xFE0F => is_pictographic(base) || matches!(base, 0x23 | 0x2A | 0x30..=0x39),
        0xFE00..=0xFE0D => {
            ideograph
                || matches!(base, 0x30 | 0x2018 | 0x2019 | 0x201C | 0x201D | 0x3001 | 0x3002)
                // Mathematics, full-width punctuation, Myanmar, Phags-pa, Manichaean, hieroglyphs.
                || matches!(base, 0x2100..=0x22FF | 0x2A00..=0x2AFF | 0x1_D49C..=0x1_D4B5)
                || matches!(base, 0xFF01..=0xFF1F | 0x1000..=0x109F | 0xAA60..=0xAA7F)
                || matches!(base, 0xA840..=0xA877 | 0x1_0AC0..=0x1_0AFF | 0x1_3000..=0x1_43FF)
        }
        0xE_0100..=0xE_01EF => ideograph || base == 0x3007,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
