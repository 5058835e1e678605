use super::*;

/// Returns the stray characters of a text.
fn stray(text: &str) -> Vec<CodePoint> {
    let text: Vec<_> = text.chars().map(CodePoint::from).collect();
    let next = |at: usize| {
        text.get(at + 1).map_or(NextCharacter::Nothing, |cp| NextCharacter::Character(*cp))
    };
    let invisible = text.iter().enumerate().filter(|(_, cp)| is_invisible(**cp));
    let stray = invisible.filter(|(at, cp)| {
        let start = at.saturating_sub(INVISIBLE_CONTEXT);
        let known = is_stray(&text[start..*at], **cp, next(*at)).unwrap();
        // What is decided without what follows is the same with it.
        let early = is_stray(&text[start..*at], **cp, NextCharacter::Unknown);
        assert!(early.is_none_or(|early| early == known), "{cp:X}");
        known
    });
    stray.map(|(_, cp)| *cp).collect()
}

/// By hand, from UTS 51, UTS 37, UAX 31 (2.3) and the chapters on the scripts.
#[test]
fn invisible_characters_are_stray_where_they_do_nothing() {
    for (text, expected) in [
        ("plain", &[][..]),
        ("a\u{200B}b", &[0x200B]),
        ("a\u{200C}b\u{200D}c\u{2060}", &[0x200C, 0x200D, 0x2060]),
        ("co\u{AD}operate", &[0xAD]),
        ("\u{200E}0f 1a", &[0x200E]),
        ("x\u{180E}y\u{3164}\u{FFA0}\u{115F}", &[0x180E, 0x3164, 0xFFA0, 0x115F]),
        ("2\u{2062}x", &[0x2062]),
        // A family, a rainbow flag, a scientist with a skin tone; and half of one.
        ("👨\u{200D}👩\u{200D}👧", &[]),
        ("🏳\u{FE0F}\u{200D}🌈 👩🏽\u{200D}🔬", &[]),
        ("👨\u{200D} \u{200D}👩", &[0x200D, 0x200D]),
        ("👨\u{200D}x", &[0x200D]),
        ("👨\u{200D}", &[0x200D]),
        // Scotland; a longer name; and tags that hide text.
        ("🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", &[]),
        ("🏴\u{E0067}\u{E0062}.", &[]),
        (
            "🏴\u{E0067}\u{E0067}\u{E0067}\u{E0067}\u{E0067}\u{E0067}\u{E0067}\u{E0068}\u{E007F}",
            &[0xE_0068, 0xE_007F],
        ),
        ("a\u{E0068}\u{E0069}", &[0xE_0068, 0xE_0069]),
        ("\u{E0001}", &[0xE_0001]),
        ("🏴\u{E0067}\u{E007F}", &[0xE_007F]),
        ("🏴\u{E0020}", &[0xE_0020]),
        // Variants of emoji, digits, ideographs, mathematics, Mongolian.
        ("❤\u{FE0F} 1\u{FE0F}\u{20E3} ©\u{FE0E}", &[]),
        ("葛\u{E0100} 神\u{FE00} ≨\u{FE00} 0\u{FE00}", &[]),
        ("ᠠ\u{180B} ᠨ\u{180E}ᠠ", &[]),
        ("a\u{FE0F} a\u{E0100} a\u{180B} ❤\u{FE00}", &[0xFE0F, 0xE_0100, 0x180B, 0xFE00]),
        ("❤\u{FE0F}\u{FE0F}", &[0xFE0F]),
        ("\u{FE0F}", &[0xFE0F]),
        // Persian, Devanagari, Malayalam; Khmer; Hebrew and Arabic.
        ("می\u{200C}خواهم ه\u{200D} \u{200D}ه", &[]),
        ("क्\u{200D}ष क्\u{200C}ष ന്\u{200D}", &[]),
        ("ភាសា\u{200B}ខ្មែរ", &[]),
        ("שלום\u{200F}! \u{200E}א \u{61C}ع", &[]),
        // Marks kept apart, old Korean, music.
        ("e\u{301}\u{34F}\u{323} e\u{34F}", &[0x34F]),
        ("\u{1100}\u{1160}\u{11A8} \u{115F}\u{1161} \u{115F}\u{1160}\u{11A8}", &[]),
        ("\u{115F}\u{1160} a\u{1160}", &[0x1160, 0x1160]),
        ("𝅘\u{1D173}", &[]),
        // Classes of their own.
        ("a\u{202E}\u{2066}\u{FEFF}", &[]),
    ] {
        assert_eq!(stray(text), expected, "{text:?}");
    }
}

/// What is left still has its effect, so a check passes after the repair. U+115F U+1160 alone is not tried, because
/// two characters decide about it.
#[test]
fn a_text_without_its_stray_characters_has_none() {
    let signs = "a\u{200B}\u{200C}\u{200D}\u{200E}\u{61C}\u{34F}\u{301}\u{180B}\u{180E}\u{1820}\u{FE0F}\u{FE00}❤👨\
                 \u{E0067}\u{E007F}🏴\u{17B4}ក中\u{E0100}ע\u{1D173}\u{1D158}";
    let signs: Vec<char> = signs.chars().collect();
    let mut seed = 1_u64;
    for _ in 0..200_000 {
        let mut text = String::new();
        for _ in 0..6 {
            seed = seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            text.push(signs[(seed >> 33) as usize % signs.len()]);
        }
        let left = without(&text);
        assert_eq!(without(&left), left, "{text:?}");
    }
}

/// Returns `text` without its stray characters.
fn without(text: &str) -> String {
    let cps: Vec<_> = text.chars().map(CodePoint::from).collect();
    let next = |at: usize| {
        cps.get(at + 1).map_or(NextCharacter::Nothing, |cp| NextCharacter::Character(*cp))
    };
    let stray = |at: usize| {
        let start = at.saturating_sub(INVISIBLE_CONTEXT);
        is_invisible(cps[at]) && is_stray(&cps[start..at], cps[at], next(at)).unwrap()
    };
    text.chars().enumerate().filter(|(at, _)| !stray(*at)).map(|(_, c)| c).collect()
}

/// The number at the end of the property's list in emoji-data.txt; also compared with Perl's own tables, if Perl is
/// installed and knows the property.
#[test]
fn pictographic_is_what_the_character_database_says() {
    let all: Vec<_> = (0..=0x10_FFFF).filter(|cp| is_pictographic(*cp)).collect();
    assert_eq!(all.len(), 3537);
    let script = r#"no warnings; for (0..0x10FFFF) { print "$_\n" if chr($_) =~ /\p{ExtPict}/ }"#;
    match std::process::Command::new("perl").args(["-e", script]).output() {
        Ok(output) if output.status.success() => {
            let theirs = String::from_utf8(output.stdout).unwrap();
            let theirs: Vec<u32> = theirs.lines().map(|line| line.parse().unwrap()).collect();
            assert_eq!(all, theirs);
        }
        _ => println!("skipped: this machine has no perl to compare with"),
    }
}
