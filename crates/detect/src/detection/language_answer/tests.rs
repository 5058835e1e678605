use super::*;

/// Returns the answer for languages that cost so many bits.
fn answer(costs: &[(&str, u64)]) -> LanguageAnswer {
    judge(costs.iter().map(|(tag, bits)| (language(tag), bits * u64::from(UNIT)))).unwrap()
}

fn language(tag: &str) -> Language {
    Language::for_tag(tag).unwrap()
}

fn family(costs: &[(&str, u64)]) -> Option<&'static str> {
    match answer(costs) {
        LanguageAnswer::Unclear(_, family) => family.map(LanguageFamily::tag),
        LanguageAnswer::Clear(language) => panic!("{}", language.tag()),
    }
}

#[test]
fn a_language_with_a_lead_is_clear() {
    let costs = [("da", 103), ("nb", 100), ("sv", 120)];
    assert_eq!(answer(&costs), LanguageAnswer::Clear(language("nb")));
    assert_eq!(judge(std::iter::empty()), None);
}

#[test]
fn of_close_languages_the_family_is_said() {
    assert_eq!(family(&[("da", 102), ("nb", 100), ("sv", 120)]), Some("gmq"));
    assert_eq!(family(&[("da", 102), ("nb", 100), ("de", 101)]), Some("gem"));
    assert_eq!(family(&[("eu", 100), ("fi", 101)]), None);
}

#[test]
fn a_language_that_is_seldom_written_needs_evidence() {
    assert_eq!(answer(&[("ru", 100), ("rue", 100)]), LanguageAnswer::Clear(language("ru")));
    assert_eq!(family(&[("ru", 100), ("rue", 97)]), Some("zle"));
    assert_eq!(answer(&[("ru", 100), ("rue", 91)]), LanguageAnswer::Clear(language("rue")));
}
