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
