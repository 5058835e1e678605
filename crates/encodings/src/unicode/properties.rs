//! Properties of code points from the Unicode Character Database, and their names.

#[cfg(feature = "legacy")]
use std::sync::OnceLock;

use unicode_properties::GeneralCategoryGroup;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

#[cfg(feature = "character-names")]
use super::is_surrogate;
use super::{CodePoint, MAX_CODE_POINT};

/// Whether `cp` is one of the 66 noncharacters (D14).
pub const fn is_noncharacter(cp: CodePoint) -> bool {
    cp <= MAX_CODE_POINT && (cp & 0xFFFE == 0xFFFE || (cp >= 0xFDD0 && cp <= 0xFDEF))
}

/// Whether `cp` is for private use (D49).
pub const fn is_private_use(cp: CodePoint) -> bool {
    matches!(cp, 0xE000..=0xF8FF | 0xF_0000..=0xF_FFFD | 0x10_0000..=0x10_FFFD)
}

/// Whether `cp` is a control code: C0, U+007F, C1 (General_Category Cc).
pub const fn is_control(cp: CodePoint) -> bool {
    matches!(cp, 0..=0x1F | 0x7F..=0x9F)
}

/// Whether `cp` is an embedding, an override or an isolate for bidirectional text, or ends one (UAX 9, 2.1 to 2.5).
pub const fn is_bidi_control(cp: CodePoint) -> bool {
    matches!(cp, 0x202A..=0x202E | 0x2066..=0x2069)
}

/// Whether `cp` has the property Alphabetic.
#[cfg(feature = "legacy")]
pub fn is_alphabetic(cp: CodePoint) -> bool {
    /// Below this, a bitmap answers: the alphabets of most languages, and the signs of their charsets. The table of the
    /// standard library takes hundreds of steps for each code point, and detection asks for very many. A word of the
    /// bitmap is computed when it is first asked for, since a text has few alphabets.
    const LOW: usize = 0x2200;
    static ALPHABETIC: [OnceLock<u64>; LOW / 64] = [const { OnceLock::new() }; LOW / 64];
    let is = |cp: CodePoint| char::from_u32(cp).is_some_and(char::is_alphabetic);
    let Some(word) = ALPHABETIC.get(cp as usize / 64) else { return is(cp) };
    let first = cp & !63;
    let word = word.get_or_init(|| (0..64).map(|bit| u64::from(is(first + bit)) << bit).sum());
    word >> (cp % 64) & 1 == 1
}

/// Whether `cp` is a letter (General_Category L).
pub fn is_letter(cp: CodePoint) -> bool {
    char::from_u32(cp)
        .is_some_and(|char| char.general_category_group() == GeneralCategoryGroup::Letter)
}

/// Code points with the property Default_Ignorable_Code_Point, from DerivedCoreProperties.txt of Unicode 16.0: soft
/// hyphens, zero-width characters, directional marks, fillers, variation selectors, tags. Reserved code points in these
/// ranges have the property in advance.
const DEFAULT_IGNORABLE: [(CodePoint, CodePoint); 17] = [
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1_BCA0, 0x1_BCA3),
    (0x1_D173, 0x1_D17A),
    (0xE_0000, 0xE_0FFF),
];

/// Whether `cp` is usually not shown at all (Default_Ignorable_Code_Point; Unicode 5.21).
pub fn is_default_ignorable(cp: CodePoint) -> bool {
    // Fast path: the first range is above ASCII.
    cp >= DEFAULT_IGNORABLE[0].0
        && DEFAULT_IGNORABLE.iter().any(|(first, last)| (*first..=*last).contains(&cp))
}

/// Whether `cp` must not be shown as it is, because it may move the cursor, end a line, reverse text, be invisible, or
/// have an unknown width. This holds for controls, default-ignorable code points (including bidirectional controls and
/// tags), line and paragraph separators, interlinear annotation marks, surrogates, noncharacters, reserved code points,
/// and values above U+10FFFF. Messages and reports show an escape instead.
pub fn is_unprintable(cp: CodePoint) -> bool {
    if matches!(cp, 0x20..=0x7E) {
        return false;
    }
    is_control(cp)
        || is_default_ignorable(cp)
        || matches!(cp, 0x2028 | 0x2029 | 0xFFF9..=0xFFFB)
        || is_noncharacter(cp)
        || char::from_u32(cp).is_none()
        || is_reserved(cp)
}

/// Whether `cp` is a reserved code point, to which no character is assigned yet (D15). Noncharacters are not reserved.
pub fn is_reserved(cp: CodePoint) -> bool {
    !is_noncharacter(cp)
        && char::from_u32(cp).is_some_and(|c| c.general_category() == GeneralCategory::Unassigned)
}

/// Returns the name of `cp` in the Unicode Character Database. If it has none, returns its label (4.8), followed by its
/// alias if it is a control code: `<control-000A> LINE FEED`.
#[cfg(feature = "character-names")]
pub fn name(cp: CodePoint) -> String {
    if let Some(name) = char::from_u32(cp).and_then(unicode_names2::name) {
        return name.to_string();
    }
    let label = match cp {
        _ if is_control(cp) => "control",
        _ if is_surrogate(cp) => "surrogate",
        _ if is_private_use(cp) => "private-use",
        _ if is_noncharacter(cp) => "noncharacter",
        _ if cp <= MAX_CODE_POINT => "reserved",
        _ => return "a value past U+10FFFF".to_owned(),
    };
    match control_alias(cp) {
        Some(alias) => format!("<{label}-{cp:04X}> {alias}"),
        None => format!("<{label}-{cp:04X}>"),
    }
}

/// Returns the first alias of a control code in NameAliases.txt. The only aliases of U+0080, U+0081 and U+0099 were
/// never standardized, and are left out.
#[cfg(feature = "character-names")]
fn control_alias(cp: CodePoint) -> Option<&'static str> {
    const C0: [&str; 32] = [
        "NULL",
        "START OF HEADING",
        "START OF TEXT",
        "END OF TEXT",
        "END OF TRANSMISSION",
        "ENQUIRY",
        "ACKNOWLEDGE",
        "ALERT",
        "BACKSPACE",
        "CHARACTER TABULATION",
        "LINE FEED",
        "LINE TABULATION",
        "FORM FEED",
        "CARRIAGE RETURN",
        "SHIFT OUT",
        "SHIFT IN",
        "DATA LINK ESCAPE",
        "DEVICE CONTROL ONE",
        "DEVICE CONTROL TWO",
        "DEVICE CONTROL THREE",
        "DEVICE CONTROL FOUR",
        "NEGATIVE ACKNOWLEDGE",
        "SYNCHRONOUS IDLE",
        "END OF TRANSMISSION BLOCK",
        "CANCEL",
        "END OF MEDIUM",
        "SUBSTITUTE",
        "ESCAPE",
        "INFORMATION SEPARATOR FOUR",
        "INFORMATION SEPARATOR THREE",
        "INFORMATION SEPARATOR TWO",
        "INFORMATION SEPARATOR ONE",
    ];
    Some(match cp {
        0..=0x1F => C0[cp as usize],
        0x7F => "DELETE",
        0x82 => "BREAK PERMITTED HERE",
        0x83 => "NO BREAK HERE",
        0x84 => "INDEX",
        0x85 => "NEXT LINE",
        0x86 => "START OF SELECTED AREA",
        0x87 => "END OF SELECTED AREA",
        0x88 => "CHARACTER TABULATION SET",
        0x89 => "CHARACTER TABULATION WITH JUSTIFICATION",
        0x8A => "LINE TABULATION SET",
        0x8B => "PARTIAL LINE FORWARD",
        0x8C => "PARTIAL LINE BACKWARD",
        0x8D => "REVERSE LINE FEED",
        0x8E => "SINGLE SHIFT TWO",
        0x8F => "SINGLE SHIFT THREE",
        0x90 => "DEVICE CONTROL STRING",
        0x91 => "PRIVATE USE ONE",
        0x92 => "PRIVATE USE TWO",
        0x93 => "SET TRANSMIT STATE",
        0x94 => "CANCEL CHARACTER",
        0x95 => "MESSAGE WAITING",
        0x96 => "START OF GUARDED AREA",
        0x97 => "END OF GUARDED AREA",
        0x98 => "START OF STRING",
        0x9A => "SINGLE CHARACTER INTRODUCER",
        0x9B => "CONTROL SEQUENCE INTRODUCER",
        0x9C => "STRING TERMINATOR",
        0x9D => "OPERATING SYSTEM COMMAND",
        0x9E => "PRIVACY MESSAGE",
        0x9F => "APPLICATION PROGRAM COMMAND",
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
