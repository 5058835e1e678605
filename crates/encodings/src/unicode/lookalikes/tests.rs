use super::*;
use unicode_normalization::UnicodeNormalization as _;
use unicode_script::{Script as Of, UnicodeScript as _};

/// Scripts written from right to left. Their letters cannot replace one in a word that is written from left to
/// right.
const RIGHT_TO_LEFT: [Of; 10] = [
    Of::Arabic,
    Of::Hebrew,
    Of::Nko,
    Of::Mandaic,
    Of::Hanifi_Rohingya,
    Of::Old_Hungarian,
    Of::Old_Turkic,
    Of::Lydian,
    Of::Old_Italic,
    Of::Syriac,
];
/// Scripts that "Highly Restrictive" (UTS 39, 5.2) allows together with Latin, and those that belong to all.
const WITH_LATIN: [Of; 8] = [
    Of::Latin,
    Of::Han,
    Of::Hiragana,
    Of::Katakana,
    Of::Bopomofo,
    Of::Hangul,
    Of::Common,
    Of::Inherited,
];

fn skeleton(c: char) -> Option<char> {
    let skeleton: Vec<char> = unicode_security::skeleton(c.encode_utf8(&mut [0; 4])).collect();
    let [only] = skeleton[..] else { return None };
    only.is_ascii_alphanumeric().then_some(only)
}

fn expected(c: char) -> Option<char> {
    let is_letter = unicode_ident::is_xid_continue(c)
        && !unicode_normalization::char::is_combining_mark(c)
        && !c.is_numeric();
    let script = c.script();
    if c.is_ascii()
        || !is_letter
        || !c.nfkc().eq([c])
        || RIGHT_TO_LEFT.contains(&script)
        || WITH_LATIN.contains(&script)
    {
        return None;
    }
    skeleton(c)
}

#[test]
fn lookalikes_and_scripts_are_those_of_the_unicode_character_database() {
    for c in ('\0'..=char::MAX).filter(|c| !c.is_ascii()) {
        let cp = CodePoint::from(c);
        let found =
            lookalike(cp).filter(|_| IdentifierClasses::all().of(cp) != IdentifierClass::Styled);
        assert_eq!(found, expected(c), "{cp:X}");
        assert_eq!(is_within(LATIN, cp), c.script() == Of::Latin, "{cp:X}");
        let script = c.script().full_name().replace('_', " ");
        match script_of_lookalikes(cp) {
            Some(name) => assert_eq!(name, script, "{cp:X}"),
            None => assert!(SCRIPTS.iter().all(|it| it.name != script), "{cp:X}"),
        }
    }
}

/// The lookalike of a styled letter is its compatibility normalization. The skeleton may be another letter: I
/// becomes l.
#[test]
fn styled_letters_are_those_of_ascii_in_another_style() {
    let mut count = 0;
    for cp in
        (0..0x11_0000).filter(|cp| IdentifierClasses::all().of(*cp) == IdentifierClass::Styled)
    {
        let Some(c) = char::from_u32(cp) else { panic!("{cp:X}") };
        // Reserved: these are among the letterlike symbols, such as U+210E.
        if c.nfkc().eq([c]) {
            assert!(cp > 0x1_D400 && super::super::is_reserved(cp), "{cp:X}");
            continue;
        }
        assert!(c.nfkc().eq(lookalike(cp)), "{cp:X}");
        count += 1;
    }
    assert_eq!(count, 52 + 13 * 52 - 24);
}

#[test]
fn a_character_is_what_its_properties_say() {
    for (c, expected) in [
        ('_', IdentifierClass::None),
        (' ', IdentifierClass::None),
        ('-', IdentifierClass::None),
        ('7', IdentifierClass::Common),
        ('\u{301}', IdentifierClass::Common),
        ('z', IdentifierClass::Latin),
        ('é', IdentifierClass::Latin),
        ('ı', IdentifierClass::Latin),
        ('Ｚ', IdentifierClass::Styled),
        ('𝐚', IdentifierClass::Styled),
        ('а', IdentifierClass::Lookalike(0)),
        ('ж', IdentifierClass::Own(0)),
        ('ο', IdentifierClass::Lookalike(1)),
        ('λ', IdentifierClass::Own(1)),
        ('µ', IdentifierClass::Other),
        ('中', IdentifierClass::Other),
        ('。', IdentifierClass::Other),
    ] {
        assert_eq!(IdentifierClasses::all().of(c.into()), expected, "{c}");
    }
    assert!(continues_identifier('中'.into()) && !continues_identifier('。'.into()));
    assert_eq!(script_of_lookalikes('ꓢ'.into()), Some("Lisu"));
}
