//! What the Unicode Character Database says of a code point, and the name by which a person may look it up.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use super::{CodePoint, MAX_CODE_POINT, is_surrogate};

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

/// Whether `cp` is an embedding, an override or an isolate of bidirectional text, or what ends one (UAX 9, 2.1 to 2.5).
pub const fn is_bidi_control(cp: CodePoint) -> bool {
    matches!(cp, 0x202A..=0x202E | 0x2066..=0x2069)
}

/// Whether `cp` is a reserved code point, to which no character is assigned yet (D15). Noncharacters are not reserved.
pub fn is_reserved(cp: CodePoint) -> bool {
    !is_noncharacter(cp)
        && char::from_u32(cp).is_some_and(|c| c.general_category() == GeneralCategory::Unassigned)
}

/// The name of `cp`, as the Unicode Character Database has it; for one without a name its label (4.8), and for a control
/// code also its alias: `<control-000A> LINE FEED`.
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

/// The first alias of a control code in NameAliases.txt. U+0080, U+0081 and U+0099 have only such as were never
/// standardized, and those are left out.
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

    /// D14: U+FDD0 to U+FDEF and the last two of each of the 17 planes. D49: 6400 and twice 65534.
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
}
