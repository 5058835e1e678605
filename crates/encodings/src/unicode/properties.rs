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
mod tests {
    use super::*;

    #[cfg(feature = "character-names")]
    #[test]
    fn names_are_those_of_the_character_database() {
        for (cp, expected) in [
            (0xE9, "LATIN SMALL LETTER E WITH ACUTE"),
            (0x20AC, "EURO SIGN"),
            (0x1_F600, "GRINNING FACE"),
            (0x4E2D, "CJK UNIFIED IDEOGRAPH-4E2D"),
            (0xD55C, "HANGUL SYLLABLE HAN"),
            (0, "<control-0000> NULL"),
            (0x0A, "<control-000A> LINE FEED"),
            (0x1F, "<control-001F> INFORMATION SEPARATOR ONE"),
            (0x7F, "<control-007F> DELETE"),
            (0x80, "<control-0080>"),
            (0x9B, "<control-009B> CONTROL SEQUENCE INTRODUCER"),
            (0xD83D, "<surrogate-D83D>"),
            (0xE000, "<private-use-E000>"),
            (0xFFFE, "<noncharacter-FFFE>"),
            (0x10_FFFF, "<noncharacter-10FFFF>"),
            (0x0378, "<reserved-0378>"),
            (0x11_0000, "a value past U+10FFFF"),
        ] {
            assert_eq!(name(cp), expected, "{cp:X}");
        }
    }

    /// D14: U+FDD0 to U+FDEF and the last two code points of each of the 17 planes. D49: 6400 and twice 65534.
    #[test]
    fn noncharacters_and_private_use_are_as_many_as_the_standard_says() {
        let count = |is: fn(CodePoint) -> bool| (0..=MAX_CODE_POINT).filter(|cp| is(*cp)).count();
        assert_eq!(count(is_noncharacter), 66);
        assert_eq!(count(is_private_use), 6400 + 2 * 65534);
        assert_eq!(count(is_control), 65);
        assert_eq!(count(is_bidi_control), 9);
        assert!(!is_noncharacter(0x11_FFFF));
    }

    #[test]
    fn reserved_is_what_has_no_character_and_is_none_of_the_others() {
        for (cp, expected) in [
            (0x0378, true),
            (0x2FE0, true),
            (0xE_0000, true),
            (0x41, false),
            (0xD800, false),
            (0xE000, false),
            (0xFFFF, false),
            (0xFDD0, false),
            (0x11_0000, false),
        ] {
            assert_eq!(is_reserved(cp), expected, "{cp:X}");
        }
    }

    /// Each row is written by hand, from the standard.
    #[test]
    fn what_must_not_reach_a_terminal() {
        for (cp, expected) in [
            (0x41, false),
            (0xA0, false),
            (0xE9, false),
            (0x301, false),
            (0x4E2D, false),
            (0x1_F600, false),
            (0xE000, false),
            (0xFFFD, false),
            (0x00, true),
            (0x0A, true),
            (0x1B, true),
            (0x7F, true),
            (0x9B, true),
            (0xAD, true),
            (0x61C, true),
            (0x115F, true),
            (0x180E, true),
            (0x200B, true),
            (0x200D, true),
            (0x2028, true),
            (0x2029, true),
            (0x202E, true),
            (0x2066, true),
            (0x3164, true),
            (0xFE0F, true),
            (0xFEFF, true),
            (0xFFF9, true),
            (0xFFFF, true),
            (0xD800, true),
            (0x378, true),
            (0xE_0041, true),
            (0x11_0000, true),
        ] {
            assert_eq!(is_unprintable(cp), expected, "{cp:X}");
        }
    }

    /// The number at the end of the property's list in DerivedCoreProperties.txt; also compared with Perl's own tables,
    /// if Perl is installed.
    #[test]
    fn default_ignorable_is_what_the_character_database_says() {
        let all: Vec<_> = (0..=MAX_CODE_POINT).filter(|cp| is_default_ignorable(*cp)).collect();
        assert_eq!(all.len(), 4174);
        let script = r#"no warnings; for (0..0x10FFFF) { print "$_\n" if chr($_) =~ /\p{Default_Ignorable_Code_Point}/ }"#;
        match std::process::Command::new("perl").args(["-e", script]).output() {
            Ok(output) if output.status.success() => {
                let theirs = String::from_utf8(output.stdout).unwrap();
                let theirs: Vec<u32> = theirs.lines().map(|line| line.parse().unwrap()).collect();
                assert_eq!(all, theirs);
            }
            _ => println!("skipped: this machine has no perl to compare with"),
        }
    }
}
