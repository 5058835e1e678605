use super::*;

/// What is written for a target with ASCII and the characters of `also`.
fn written(text: &str, also: &str, locale: &str) -> Option<String> {
    let cps: Vec<_> = text.chars().map(CodePoint::from).collect();
    let has = |cp: &CodePoint| *cp < 0x80 || also.chars().any(|one| CodePoint::from(one) == *cp);
    let locale = TransliterationLocale::of_environment(locale);
    let found = Forms::new(locale).find(&cps, &|text| text.iter().all(has))?;
    Some(found.into_iter().filter_map(char::from_u32).collect())
}

#[test]
fn a_letter_keeps_the_marks_that_the_target_has() {
    let all = |also| {
        ["\u{1EC7}", "e\u{323}\u{302}", "e\u{302}\u{323}", "ê\u{323}", "ẹ\u{302}"]
            .map(|text| written(text, also, ""))
    };
    for (also, expected) in [("", "e"), ("ê", "ê"), ("ẹ", "ẹ"), ("êẹ", "ẹ"), ("ệêẹ", "ệ")]
    {
        assert_eq!(all(also), [(); 5].map(|()| Some(expected.to_owned())), "{also}");
    }
    // With a mark of the target's own.
    assert_eq!(written("ế", "ê\u{301}", "").as_deref(), Some("ê\u{301}"));
    // Marks beyond those of real text are dropped all the same.
    let many: String = std::iter::once('e').chain((0..20).map(|_| '\u{301}')).collect();
    assert_eq!(written(&many, "é", "").as_deref(), Some("é"));
}

#[test]
fn a_mark_that_changes_the_meaning_is_not_dropped() {
    for text in
        ["∉", "∈\u{338}", "=\u{301}", "P\u{20E0}", "A\u{305}", "1\u{304}", "が", "か\u{3099}"]
    {
        assert_eq!(written(text, "∈か", ""), None, "{text}");
    }
    for text in ["≠", "=\u{338}"] {
        assert_eq!(written(text, "", "").as_deref(), Some("!="), "{text}");
    }
    assert_eq!(written("\u{301}", "", ""), None, "a mark alone");
}

#[test]
fn the_rules_of_a_locale_come_before_all_but_the_repertoire() {
    for text in ["ü", "u\u{308}"] {
        assert_eq!(written(text, "", "").as_deref(), Some("u"));
        assert_eq!(written(text, "", "de_DE").as_deref(), Some("ue"));
        assert_eq!(written(text, "ü", "de_DE").as_deref(), Some("ü"));
    }
    // A form of the whole letter says more than what the locale writes for less of it.
    assert_eq!(written("Ё", "", "uk_UA").as_deref(), Some("Yo"));
    assert_eq!(written("Й", "", "uk_UA").as_deref(), Some("Y"));
    assert_eq!(written("ǚ", "", "de_DE").as_deref(), Some("ue"));
    assert_eq!(written("ǽ", "æ", "da_DK").as_deref(), Some("æ"), "it has the letter");
    assert_eq!(written("зг", "", "uk_UA").as_deref(), Some("zgh"));
    assert!(Forms::new(TransliterationLocale::of_environment("uk")).is_pair(0x437, 0x433));
    assert_eq!(written("ь", "", "uz_UZ").as_deref(), Some(""));
}

#[test]
fn a_letter_without_a_form_of_its_own_has_that_of_the_letter_without_marks() {
    assert_eq!(written("й", "", "").as_deref(), Some("j"));
    assert_eq!(written("и\u{306}", "", "").as_deref(), Some("j"));
    assert_eq!(written("ѝ", "", "").as_deref(), Some("i"));
    assert_eq!(written("ή", "", "").as_deref(), Some("ii"));
    assert_eq!(written("\u{3A9}", "", "").as_deref(), Some("Oo"));
    assert_eq!(written("\u{2126}", "", "").as_deref(), Some("Ohm"), "the sign says more");
    assert_eq!(written("\u{2126}", "\u{3A9}", "").as_deref(), Some("\u{3A9}"));
    assert_eq!(written("한", "ᄒ\u{1161}\u{11AB}", "").as_deref(), Some("ᄒ\u{1161}\u{11AB}"));
    assert_eq!(written("ᄒ\u{1161}\u{11AB}", "한", "").as_deref(), Some("한"));
}
