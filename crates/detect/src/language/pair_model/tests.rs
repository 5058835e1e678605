use super::*;

/// Articles 1 and 3 of the Universal Declaration of Human Rights, or their beginning.
const TEXTS: [(&str, &str); 12] = [
    ("en", "All human beings are born free and equal in dignity and rights."),
    ("de", "Alle Menschen sind frei und gleich an Würde und Rechten geboren."),
    ("fr", "Tous les êtres humains naissent libres et égaux en dignité et en droits."),
    ("pl", "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw."),
    ("cs", "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv."),
    ("tr", "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar."),
    ("ru", "Все люди рождаются свободными и равными в своем достоинстве и правах."),
    ("el", "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα."),
    ("he", "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם."),
    ("ar", "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق."),
    ("ja", "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。"),
    ("ko", "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다."),
];

fn cost(model: &Model, text: &str) -> u32 {
    let symbols = text.chars().map(|c| model.symbol(FoldedCharacter::from(CodePoint::from(c))));
    let symbols: Vec<_> = [Symbol::default()].into_iter().chain(symbols).collect();
    symbols.windows(2).map(|pair| model.cost(pair[0], pair[1])).sum()
}

#[test]
fn the_files_are_read_to_their_ends() {
    let pairs: usize = models().iter().map(|model| model.pairs.len()).sum();
    let ideographs = models().iter().filter_map(|model| model.ideographs);
    assert_eq!(pairs, PAIRS.len());
    assert_eq!(ideographs.map(|(_, costs)| costs.len()).sum::<usize>(), IDEOGRAPHS.len());
    assert_eq!(models().len(), LANGUAGES.lines().count());
    assert!(models().len() <= usize::from(u8::MAX));
    assert!(models().is_sorted_by_key(|model| model.tag));
    for model in models() {
        assert!(model.letters().is_sorted(), "{}", model.tag);
        assert!(model.letters().all(|it| model.ideograph(it).is_none()), "{}", model.tag);
        let mut ascii = model.alphabet.chars().filter(char::is_ascii);
        assert!(ascii.all(|letter| letter.is_ascii_lowercase()), "{}", model.tag);
    }
}

#[test]
fn text_costs_least_in_its_own_language() {
    for (tag, text) in TEXTS {
        let best = models().iter().min_by_key(|model| cost(model, text)).map(|model| model.tag);
        assert_eq!(best, Some(tag), "{text}");
    }
}

#[test]
fn text_costs_fewer_bits_than_its_letters_in_disorder() {
    for (tag, text) in TEXTS {
        let model = Language::for_tag(tag).unwrap().model();
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable_by_key(|c| u32::from(*c).wrapping_mul(0x9E37_79B1));
        let disorder: String = letters.into_iter().collect();
        assert!(cost(model, &disorder) > cost(model, text) + 16, "{tag}");
    }
}

#[test]
fn upper_case_inside_a_word_costs_more_than_at_its_start() {
    let english = Language::for_tag("en").unwrap().model();
    assert!(cost(english, "a frEe word") > cost(english, "a Free word"));
    assert!(cost(english, "a Free word") > cost(english, "a free word"));
}

#[test]
fn romanian_may_have_cedillas() {
    let romanian = Language::for_tag("ro").unwrap().model();
    assert_eq!(cost(romanian, "toți și viață"), cost(romanian, "toţi şi viaţă"));
}
