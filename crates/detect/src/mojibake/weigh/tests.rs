use super::*;

#[test]
fn a_text_costs_in_all_languages_what_it_costs_in_the_best() {
    for text in ["", "été", "Ã©tÃ© â€\u{9D}", "привет, МИР", "مرحبا", &"Łódź ".repeat(40)]
    {
        let text: Vec<_> = text.chars().map(CodePoint::from).collect();
        for most in [MAX_SIGN_COST * UNIT, u32::MAX] {
            let (mut characters, mut known) = (TraitCache::default(), Vec::new());
            characters.read(&text, &mut known);
            for (_, languages) in scripts().iter().filter(|it| it.1.len() >= MIN_BATCHED_LANGUAGES)
            {
                assert!(languages.len() <= LANES * MAX_LANE_GROUPS);
                let cost = |language: &usize| characters.cost(*language, &known, most, u32::MAX);
                let least = languages.iter().map(cost).min().unwrap();
                let mut pairs = PairCostCache::default();
                let mut weigh = || pairs.least(languages, &known, &mut characters, most);
                // The second time, every pair comes from its slot.
                assert_eq!([weigh(), weigh()], [least; 2], "{text:?}");
            }
        }
    }
}
