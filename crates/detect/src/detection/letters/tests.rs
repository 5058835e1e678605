use super::super::detector::Detector;
use super::super::encoded::encode;
use super::*;

fn named(name: &str) -> &'static Encoding {
    Encoding::for_name(name).unwrap()
}

fn judged(bytes: &[u8]) -> Detection {
    judge(&DetectionSample::of(bytes, true), Expected::default())
}

/// Article 1 of the Universal Declaration of Human Rights, and charsets in which it was written.
const TEXTS: [(&str, &str, &[&str]); 14] = [
    (
        "de",
        "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt \
         und sollen einander im Geist der Brüderlichkeit begegnen.",
        &["windows-1252", "IBM850", "macintosh", "IBM273"],
    ),
    (
        "fr",
        "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de \
         conscience et doivent agir les uns envers les autres dans un esprit de fraternité.",
        &["windows-1252", "IBM850", "macintosh", "IBM297"],
    ),
    (
        "pl",
        "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i \
         sumieniem i powinni postępować wobec innych w duchu braterstwa.",
        &["windows-1250", "ISO-8859-2", "IBM852", "MAC-CENTRALEUROPE"],
    ),
    (
        "lt",
        "Visi žmonės gimsta laisvi ir lygūs savo orumu ir teisėmis. Jiems suteiktas protas ir sąžinė ir jie turi \
         elgtis vienas kito atžvilgiu kaip broliai.",
        &["windows-1257", "ISO-8859-4", "CP775"],
    ),
    (
        "tr",
        "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve birbirlerine \
         karşı kardeşlik zihniyeti ile hareket etmelidirler.",
        &["windows-1254", "IBM857", "MacTurkish"],
    ),
    (
        "ru",
        "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны \
         поступать в отношении друг друга в духе братства.",
        &["windows-1251", "KOI8-R", "ISO-8859-5", "IBM866", "IBM855", "MAC-UK", "IBM1025"],
    ),
    (
        "el",
        "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με \
         λογική και συνείδηση, και οφείλουν να συμπεριφέρονται μεταξύ τους με πνεύμα αδελφοσύνης.",
        &["windows-1253", "CP737", "IBM875"],
    ),
    (
        "he",
        "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון, לפיכך חובה עליהם לנהוג איש ברעהו \
         ברוח של אחווה.",
        &["windows-1255", "IBM862"],
    ),
    (
        "ar",
        "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء.",
        &["windows-1256", "ISO-8859-6"],
    ),
    (
        "th",
        "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม และควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ",
        &["windows-874"],
    ),
    (
        "ja",
        "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、\
         互いに同胞の精神をもって行動しなければならない。",
        &["CP932", "EUC-JP"],
    ),
    (
        "ko",
        "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 \
         형제애의 정신으로 행동하여야 한다.",
        &["CP949", "JOHAB"],
    ),
    (
        "zh-Hans",
        "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
        &["GB18030"],
    ),
    (
        "zh-Hant",
        "人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。",
        &["BIG5-HKSCS", "EUC-TW"],
    ),
];

/// Two charsets may yield the same text; either is right.
fn reads(encoding: &Encoding, bytes: &[u8], text: &str) -> bool {
    let read = crate::detection::charsets::decode(encoding, bytes, 0);
    read.is_some_and(|(cps, _)| cps.into_iter().eq(text.chars().map(u32::from)))
}

#[test]
fn each_text_is_told_in_each_of_its_charsets() {
    for (language, text, names) in TEXTS {
        for name in names {
            let bytes = encode(text, named(name));
            let detection = judged(&bytes);
            assert!(reads(detection.encoding, &bytes, text), "{language} {name}: {detection:?}");
            assert_eq!(detection.language.map(Language::tag), Some(language), "{name}");
            assert!(detection.is_enough(), "{language} {name}: {detection:?}");
            let others = &detection.runners_up;
            let same = others.iter().find(|other| reads(other.encoding, &bytes, text));
            assert!(same.is_none(), "{language} {name}: {detection:?}");
        }
    }
}

#[test]
fn marks_of_ascii_text_around_it_change_nothing() {
    let page =
        "<p class=\"menu\"><a href=\"/index.html\">Home</a> | About us | Contact</p>\n".repeat(20);
    for (language, text, names) in TEXTS {
        for name in names.iter().filter(|name| !EBCDIC_NAMES.contains(name)) {
            let words = encode(text, named(name));
            let bytes = [page.as_bytes(), b"<b>", &words, b"</b>\n", page.as_bytes()].concat();
            let detection = judged(&bytes);
            assert!(reads(detection.encoding, &words, text), "{language} {name}: {detection:?}");
        }
    }
}

/// Those of [`TEXTS`] that are EBCDIC.
const EBCDIC_NAMES: [&str; 4] = ["IBM273", "IBM297", "IBM1025", "IBM875"];

#[test]
fn a_text_that_is_cut_inside_a_character_is_told() {
    for (language, text, names) in &TEXTS[10..] {
        for name in *names {
            let mut bytes = encode(text, named(name));
            let whole = encode(text, named(name));
            bytes.pop();
            let detection = judged(&bytes);
            assert!(reads(detection.encoding, &whole, text), "{language} {name}: {detection:?}");
        }
    }
}

/// In a dozen bytes, a truncated one is more than one error in twenty. As many arbitrary bytes are still not text.
#[test]
fn a_short_text_that_is_cut_inside_a_character_is_told() {
    for (text, name) in [
        ("人間は、理性と良心", "CP932"),
        ("人間は、理性と良心", "EUC-JP"),
        ("모든 인간은 태어날", "CP949"),
        ("人人生而自由，在尊", "GB18030"),
        ("人人生而自由，在尊", "BIG5-HKSCS"),
    ] {
        let mut bytes = encode(text, named(name));
        bytes.pop();
        let detection = judged(&bytes);
        assert_eq!(detection.encoding, named(name), "{detection:?}");
        assert!(detection.is_enough(), "{detection:?}");
    }
    let detection = judged(b"\xFE\x81\x9D\xFA\x88\xC3\xF0\x90\xFF\x84\xB1\x9C\xE4");
    assert!(!detection.is_enough(), "{detection:?}");
}

#[test]
fn one_error_in_many_bytes_is_forgiven_and_several_are_not() {
    let russian = TEXTS[5].1.repeat(20);
    let mut bytes = encode(&russian, named("windows-1251"));
    // 98 is undefined in windows-1251.
    bytes.splice(50..50, *b"\x98");
    assert_eq!(judged(&bytes).encoding, named("windows-1251"));
    for at in (100..2000).step_by(50) {
        bytes[at] = 0x98;
    }
    assert_ne!(judged(&bytes).encoding, named("windows-1251"));
}

#[test]
fn a_language_that_is_given_decides() {
    // "e ove" in Cyrillic, and é between other letters.
    let of = |word, tag| {
        let expected = Expected {
            languages: [tag].into_iter().filter_map(Language::for_tag).collect(),
            ..Expected::default()
        };
        judge(&DetectionSample::of(word, true), expected).encoding
    };
    assert_eq!(of(b"\xEE\xE2\xE5", "ru"), named("windows-1251"));
    assert_eq!(of(b"\xE9t\xE9", "fr"), named("windows-1252"));
}

#[test]
fn hebrew_in_ebcdic_is_told_though_its_letters_are_bytes_of_ascii() {
    let (_, text, _) = TEXTS[7];
    let bytes = encode(text, named("IBM424"));
    assert!(bytes.is_ascii());
    assert_eq!(Detector::new().detect(&bytes).encoding, named("IBM424"));
    let mail = Detector::new().detect(b"someone@example.org");
    assert_eq!(mail.evidence, Evidence::Ascii);
}

#[test]
fn random_bytes_are_not_told() {
    let mut state = 1u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let bytes: Vec<u8> = (0..4000).map(|_| random()).collect();
    let detection = judged(&bytes);
    assert!(!detection.is_enough(), "{detection:?}");
}

/// Reads lines of `benches/calibration --grounds` from the file that GROUNDS names, and prints those of `--fit`.
#[test]
#[ignore = "prints what benches/calibration --fit reads"]
fn grounds_of_answers() {
    let lines = std::fs::read_to_string(std::env::var("GROUNDS").unwrap()).unwrap();
    for line in lines.lines() {
        let fields: Vec<_> = line.split('\t').collect();
        let [path, _, language, .., right] = fields[..] else { continue };
        let bytes = std::fs::read(path).unwrap();
        let sample = DetectionSample::of(&bytes, true);
        let words = SampleWords::of(&sample);
        let trial = Trial { line_ends: LineEndEvidence::of(&sample), ..Trial::with_ascii(&words) };
        let readings = trial.readings(Expected::default());
        let scored = trial.scored(
            &readings,
            Expected::default(),
            SearchWidth::cheapest(SHORTLIST),
            &Priors::default(),
        );
        let Some(first) = scored.first().filter(|_| words.high_bytes > 0) else { continue };
        let Grounds { odds, bits } = trial.grounds(first, &trial.others(&scored));
        println!("{odds:e}\t{bits}\t{}\t{language}", u8::from(right == "True"));
    }
}
