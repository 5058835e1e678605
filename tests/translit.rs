//! Transliteration must keep the meaning of the text. The result must not depend on how the text arrives, or on whether
//! its letters are composed.
//!
//! Expected values come from the sources listed in docs/transliteration.md: ISO 9, GOST 7.79, ISO 843, CLDR, glibc's
//! locales and ISO 4217. `ci/translit` compares with the iconv of the machine.

use std::num::NonZeroUsize;

#[cfg(feature = "cli")]
use crate::common::run_text;
use crate::sample;
use crate::support::{
    With, convert, convert_cut, convert_pieces, encode, encoding, every_cut, strict,
};
use oxiconv::TransliterationLocale;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::diagnostic::Outcome as Became;
use oxiconv_transcode::{Conversion, OnIllFormed, OnUnmappable, Options, Threads, Transcoder};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

/// Replaces a character that has no transliteration. No text in these tests contains it.
const MISSING: &str = "\u{1}";

fn conversion(from: &str, to: &str, locale: &str) -> Conversion {
    strict(from, to).with(|it| {
        it.on_unmappable(OnUnmappable::Replace)
            .transliterate(true)
            .on_ill_formed(OnIllFormed::Replace)
            .replacement(MISSING)
            .transliteration_locale(TransliterationLocale::of_environment(locale))
    })
}

/// Transliterates a text to a target, and decodes the result.
fn written(text: &str, to: &str, locale: &str) -> String {
    let output = convert(&conversion("UTF-8", to, locale), text.as_bytes()).output;
    let options = Options::new();
    let (text, _) = oxiconv::convert(&output, encoding(to), Encoding::UTF_8, &options).unwrap();
    String::from_utf8(text).unwrap()
}

fn ascii(text: &str) -> String {
    written(text, "US-ASCII", "")
}

#[test]
fn each_source_is_followed() {
    for (text, expected) in [
        // Our own reviewed table: quotes, dashes, currency, arrows, mathematics, boxes.
        ("“a” ‘b’ „c” «d»", "\"a\" 'b' ,,c\" <<d>>"),
        ("a–b — c…", "a-b -- c..."),
        ("€ £ ¥ ¢ ₽", "EUR GBP JPY ct RUB"),
        ("→ ← ↔ ⇒ ⇔", "-> <- <-> => <=>"),
        ("≠ ≤ ≥ ± × ÷ −", "!= <= >= +/- x / -"),
        ("┌─┐│└┘═", "+-+|++="),
        ("a\u{A0}b\u{200B}c\u{AD}d\u{FEFF}", "a bcd"),
        ("20 °C", "20 degC"),
        ("5 kΩ\u{2126}", "5 kOoOhm"),
        // CLDR's Latin-ASCII transform, and decomposition.
        ("Ærøskøbing Łódź straße Þór", "AEroskobing Lodz strasse THor"),
        ("½ 3⅔", " 1/2 3 2/3"),
        ("Việt Nam, Đà Nẵng", "Viet Nam, Da Nang"),
        // Compatibility mappings of Unicode, by their tags.
        ("ﬁ Ⅳ ㎏ ｗｉｄｅ 𝐱", "fi IV kg wide x"),
        ("m² H₂O x⁻¹ ㎡", "m^2 H_2O x^-^1 m^2"),
        ("① Ⓐ ⑴", "(1) (A) (1)"),
        ("٣ ३ 𝟛", "3 3 3"),
        // ISO 9, GOST 7.79 system B.
        (
            "Съешь ещё этих мягких французских булок",
            "S``esh` eshhyo e`tih myagkih francuzskih bulok",
        ),
        ("Й й Ы ы Э Щ", "J j Y y E` Shh"),
        // ISO 843.
        ("Ξεσκεπάζω την ψυχοφθόρα βδελυγμία", "Xeskepazoo tiin psychofthora vdelygmia"),
    ] {
        assert_eq!(ascii(text), expected, "{text}");
    }
}

#[test]
fn what_has_no_honest_form_is_unmappable() {
    for char in "∉∈⊕∑√¬†‡§¶↑↓日本한あعא≪≫∅∀∃😀".chars() {
        assert_eq!(ascii(&char.to_string()), MISSING, "{char}");
    }
    let done = convert(&conversion("UTF-8", "US-ASCII", ""), "a∉b≠".as_bytes());
    assert_eq!(done.output, b"a\x01b!=");
    let unmappable = |outcome| done.summary.of_unmappable.of(outcome);
    assert_eq!((unmappable(Became::Replaced), unmappable(Became::Transliterated)), (1, 1));
}

#[test]
fn the_repertoire_of_the_target_comes_first() {
    for (text, to, expected) in [
        ("“§ – €”", "windows-1252", "“§ – €”"),
        ("αβγ ή", "ISO-8859-7", "αβγ ή"),
        ("й ё ў ґ", "KOI8-U", "й ё у ґ"),
        ("жшщ", "ISO-8859-2", "žšshh"),
        ("ÀĀ", "ISO-8859-1", "ÀA"),
        ("ⅷ №", "EUC-KR", "ⅷ №"),
        ("½", "ISO-8859-1", "½"),
        ("ŀ", "ISO-8859-1", "l·"),
    ] {
        assert_eq!(written(text, to, ""), expected, "{text} {to}");
    }
}

#[test]
fn letters_and_marks_are_composed_or_keep_what_the_target_has() {
    for (text, to, expected) in [
        ("u\u{308}", "ISO-8859-1", "ü"),
        ("U\u{308}ber o\u{302}\u{301}", "ISO-8859-1", "Über ô"),
        ("\u{1EC7} e\u{323}\u{302} e\u{302}\u{323}", "ISO-8859-1", "ê ê ê"),
        ("\u{1EC7} e\u{323}\u{302}", "US-ASCII", "e e"),
        ("ǟ a\u{308}\u{304}", "ISO-8859-1", "ä ä"),
        ("и\u{306} И\u{306}", "KOI8-R", "й Й"),
        ("и\u{306}", "US-ASCII", "j"),
        ("\u{1112}\u{1161}\u{11AB}", "EUC-KR", "한"),
        ("=\u{338} ∈\u{338} <\u{338}", "US-ASCII", "!= \u{1} !<"),
        ("ש\u{5C1}\u{5B8}לום", "ISO-8859-8", "שלום"),
        ("ế e\u{302}\u{301}", "windows-1258", "ế ế"),
        // Marks that change the meaning are not dropped: negation, an enclosing mark, voicing. Nor is a mark by itself.
        ("P\u{20E0} A\u{305} 1\u{301} \u{301}", "US-ASCII", "P\u{1} A\u{1} 1\u{1} \u{1}"),
        ("か\u{3099}", "EUC-JP", "が"),
    ] {
        let same = |text: &str| text.nfc().collect::<String>();
        assert_eq!(same(&written(text, to, "")), same(expected), "{text} {to}");
    }
}

#[test]
fn a_dropped_mark_is_a_finding_with_its_place_and_its_outcome() {
    let done =
        convert(&conversion("UTF-8", "ISO-8859-1", ""), "au\u{308}\ne\u{323}\u{302}x".as_bytes());
    assert_eq!(done.output, b"a\xFC\n\xEAx");
    let places =
        [("unmappable", 2, 2, 1, 3), ("unmappable", 6, 2, 2, 2), ("unmappable", 8, 2, 2, 3)];
    assert_eq!(done.places(), places);
    assert_eq!(done.summary.of_unmappable.of(Became::Transliterated), 3);
    assert_eq!((done.summary.characters, done.summary.lines), (8, 1));
}

/// U+200B transliterates to nothing, because it has no visible form.
///
/// That counts as a transliteration. A character without one is dropped here, because the replacement is empty too.
#[test]
fn a_transliteration_to_nothing_is_one_where_the_replacement_is_nothing_too() {
    let conversion = conversion("UTF-8", "US-ASCII", "").with(|it| it.replacement(""));
    let done = every_cut(&conversion, "a\u{200B}b\u{200B}\u{6C34}\u{200B}".as_bytes());
    assert_eq!(done.output, b"ab");
    assert_eq!(done.summary.of_unmappable.of(Became::Transliterated), 3);
    assert_eq!(done.summary.of_unmappable.of(Became::Dropped), 1);
}

/// U+095E is excluded from composition, so composing the text decomposes it into two code points.
#[test]
fn a_letter_that_composition_takes_apart_is_one_character_still() {
    let done = convert(&conversion("UTF-8", "windows-1250", ""), "\u{95E}\u{951}".as_bytes());
    assert_eq!((&done.output[..], done.places().len()), (&b"\x01\x01"[..], 2));
    assert_eq!(done.summary.substituted() + done.summary.dropped(), 2);
}

#[test]
fn locales_write_as_their_language_does() {
    for (locale, text, to, expected) in [
        ("de_DE", "äöüÄÖÜß u\u{308} ǖ", "US-ASCII", "aeoeueAEOEUEss ue ue"),
        ("de_AT", "ü", "US-ASCII", "ue"),
        ("de_DE", "ü u\u{308}", "ISO-8859-1", "ü ü"),
        ("de_DE", "„a“", "ISO-8859-1", "»a«"),
        ("da_DK", "Ærø Å ö", "US-ASCII", "AEroe AA oe"),
        ("sv_SE", "Åäö", "US-ASCII", "AAaeoe"),
        ("hr_HR", "Đđ ć", "US-ASCII", "Djdj c"),
        ("uk_UA", "Київ, Згурський, Харків", "US-ASCII", "Kyyiv, Zghurs`kyy, KHarkiv"),
        ("uk_UA", "зг", "KOI8-U", "зг"),
        ("sr_RS", "Ђорђе ж", "US-ASCII", "Djordje z"),
        ("ro_RO", "șț", "ISO-8859-2", "şţ"),
        ("hu_HU", "ő", "US-ASCII", "o\""),
        ("tr_TR", "₺", "US-ASCII", "TL"),
        ("en_US", "ü", "US-ASCII", "u"),
        ("nosuch", "ü", "US-ASCII", "u"),
    ] {
        assert_eq!(written(text, to, locale), expected, "{locale} {text}");
    }
}

/// The pairs of characters in tests/data/different.tsv differ in meaning, so they must not transliterate alike.
#[test]
fn nothing_comes_out_like_something_else() {
    let pairs: Vec<(&str, &str)> = include_str!("data/different.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(|line| line.split('\t'))
        .map(|pair| pair.split_once(' ').expect("two characters"))
        .collect();
    assert!(pairs.len() >= 200);
    for (one, other) in pairs {
        assert_ne!(one, other);
        let (first, second) = (ascii(one), ascii(other));
        assert!(first != second || first.contains(MISSING), "{one} and {other} are both '{first}'");
    }
}

/// Text, target and locale. A split may separate letters from their marks, or letters that are written together.
const TEXTS: &[(&str, &str, &str)] = &[
    ("au\u{308}b\u{308}\r\ne\u{323}\u{302}", "ISO-8859-1", ""),
    ("=\u{338}e\u{301}\u{301}\u{301}1\u{301}", "US-ASCII", ""),
    ("згз гз\u{308}г", "US-ASCII", "uk_UA"),
    ("и\u{306}и и\u{301}€", "KOI8-R", ""),
    ("\u{1112}\u{1161}\u{11AB}\u{1112}\u{1161}", "EUC-KR", ""),
    ("e\u{301}x\u{302}e\u{302}\u{301}ế", "windows-1258", ""),
    ("\u{B5C}a\u{958}\u{2126}b", "US-ASCII", ""),
    ("ünlü\u{308} „\u{308}“", "US-ASCII", "de"),
];

#[test]
fn no_result_depends_on_cuts() {
    for &(text, to, locale) in TEXTS {
        for from in ["UTF-8", "UTF-16LE", "UTF-32BE"] {
            let conversion = conversion(from, to, locale);
            // The letters before it make a run for the kernels.
            for before in [0, 1, 63, 200] {
                let text: String = (0..before).map(|_| 'x').chain(text.chars()).collect();
                let input = encode(&text, from);
                let whole = convert(&conversion, &input);
                let bytes: Vec<usize> = (1..input.len()).collect();
                for late_end in [false, true] {
                    for at in 0..=input.len() {
                        let got = convert_cut(&conversion, &input, &[at], late_end);
                        assert_eq!(got, whole, "{from} {to} {text} cut at {at}");
                    }
                    let got = convert_cut(&conversion, &input, &bytes, late_end);
                    assert_eq!(got, whole, "{from} {to} {text} byte by byte");
                }
                let pieces: Vec<&[u8]> = input.chunks(3).collect();
                assert_eq!(convert_pieces(&conversion, &pieces), whole, "{from} {to} {text}");
            }
        }
    }
}

#[test]
fn a_letter_at_the_end_of_a_run_waits_for_its_mark() {
    // Lengths around the size of a run of code points and of a buffer.
    for len in [4090, 4095, 4096, 4097, 65535, 65536] {
        for (to, expected) in
            [("ISO-8859-1", "\u{FC}"), ("ISO-8859-2", "\u{FC}"), ("US-ASCII", "u")]
        {
            let before = "x".repeat(len);
            let done = written(&format!("{before}u\u{308}y"), to, "");
            assert_eq!(done, format!("{before}{expected}y"), "{len} {to}");
        }
    }
    // More marks than the converter holds back.
    let marks = "\u{301}".repeat(5000);
    let done = convert(&conversion("UTF-8", "ISO-8859-1", ""), format!("ae{marks}b").as_bytes());
    assert!(done.output.starts_with(b"a\xE9") && done.output.ends_with(b"b"));
    assert_eq!(done.found.len(), 5000);
}

/// A mark still belongs to the letter before it if ill-formed bytes between them are skipped, or if the mark itself
/// comes from a fallback encoding. CC is U+0300 in windows-1258.
#[test]
fn a_mark_belongs_to_its_letter_over_what_is_ill_formed() {
    let skipping =
        conversion("UTF-8", "ISO-8859-1", "").with(|it| it.on_ill_formed(OnIllFormed::Skip));
    let reading =
        conversion("UTF-8", "ISO-8859-1", "").with(|it| it.fallback(encoding("windows-1258")));
    for (conversion, text, expected) in
        [(&skipping, &b"u\xFF\xCC\x88x"[..], &b"\xFCx"[..]), (&reading, b"e\xCC x", b"\xE8 x")]
    {
        assert_eq!(convert(conversion, text).output, expected);
        let each: Vec<_> = (1..text.len()).collect();
        assert_eq!(convert_cut(conversion, text, &each, true).output, expected);
    }
}

#[test]
fn threads_change_nothing() {
    let line =
        "Ich weiß, daß u\u{308}ber allem — so heißt es — „Ruh“ ist; Việt e\u{323}\u{302}, 日本.\n";
    let text = line.repeat((9 << 20) / line.len());
    for to in sample::every(3, ["ISO-8859-1", "ISO-8859-2", "US-ASCII"]) {
        let convert = |threads| {
            let conversion = conversion("UTF-8", to, "").with(|it| it.threads(threads));
            let mut output = Vec::new();
            let mut transcoder = Transcoder::new(&conversion, &mut output);
            let mut silent = oxiconv::Silent;
            let summary = transcoder.input(&mut text.as_bytes(), &mut silent).unwrap();
            transcoder.finish().unwrap();
            (output, summary)
        };
        let four = NonZeroUsize::new(4).unwrap();
        let (one, several) = (convert(Threads::One), convert(Threads::AtMost(four)));
        assert!(one == several, "{to}");
    }
}

#[test]
fn a_stop_leaves_everything_before_it() {
    let conversion = strict("UTF-8", "ISO-8859-1").with(|it| it.transliterate(true));
    let done = convert(&conversion, b"au\xCC\x88e\xFF!");
    assert_eq!(done.output, b"a\xFCe");
    assert_eq!(done.places().last().unwrap().1, 5);
}

/// A character without a transliteration is treated according to the options for unmappable characters.
#[test]
#[cfg(feature = "cli")]
fn what_has_no_form_follows_the_mode_of_unmappable_characters() {
    let to = ["-q", "-t", "ascii//TRANSLIT"];
    for (modes, written, status) in [
        (&[][..], "EUR?n", 0),
        (&["--unmappable", "translit"], "EUR?n", 0),
        (&["--unmappable", "xml"], "EUR&#x2209;n", 0),
        (&["--unmappable", "java"], r"EUR\u2209n", 0),
        (&["--unmappable", "escape"], r"EUR\u{2209}n", 0),
        (&["--unmappable", "skip"], "EURn", 1),
        (&["-e", "percent"], "EUR%U2209n", 0),
        (&["-e", "report"], "EUR?n", 1),
        (&["-c"], "EURn", 1),
        (&["-c", "--unmappable", "translit"], "EURn", 1),
    ] {
        let (code, out, err) = run_text(&[&to[..], modes].concat(), "€∉ň");
        assert_eq!((code, out.as_str()), (status, written), "{modes:?}: {err}");
    }
    let (status, out, err) = run_text(&["-t", "ascii//TRANSLIT", "--unmappable", "strict"], "€");
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("--unmappable strict cannot be combined with //TRANSLIT"), "{err}");
    // The default of the library is to replace it, too.
    let done =
        convert(&strict("UTF-8", "US-ASCII").with(|it| it.transliterate(true)), "€∉".as_bytes());
    assert_eq!(done.output, b"EUR?");
}

#[test]
#[cfg(feature = "cli")]
fn the_program_takes_a_locale_only_where_it_has_an_effect() {
    let german = ["--translit-locale", "de_AT.UTF-8"];
    let translit = ["-q", "-t", "ascii", "--unmappable", "translit"];
    let done = (0, "ue".to_owned(), String::new());
    assert_eq!(run_text(&[&german[..], &translit].concat(), "ü"), done);
    let (status, _, err) = run_text(&german, "ü");
    assert_eq!(status, 2);
    assert!(err.contains("--translit-locale requires --unmappable translit"), "{err}");
    let (status, _, err) = run_text(&["-t", "ascii//TRANSLIT", "--translit-locale", "de_XY"], "ü");
    assert_eq!(status, 2);
    assert!(err.contains("unknown locale 'de_XY' (did you mean de_AT, de_BE, de_CH?)"), "{err}");
}

#[test]
#[cfg(feature = "cli")]
fn the_program_lists_what_becomes_of_characters() {
    let listed = |args: &[&str]| {
        let (status, out, err) = run_text(&[&["--list-translit"], args].concat(), "");
        assert_eq!((status, err.as_str()), (0, ""));
        out.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let rows = ["U+2192\t→\t'->'\treviewed", "U+2193\t↓\tunmappable\t-"];
    assert_eq!(listed(&["U+2192-U+2193"]), rows);
    assert_eq!(listed(&["→↓"]), rows);
    assert_eq!(listed(&["-t", "CP437", "ü"]), ["U+00FC\tü\titself\tdecomposition"]);
    assert_eq!(
        listed(&["--translit-locale", "de", "-t", "ascii", "ü"]),
        ["U+00FC\tü\t'ue'\tlocale"]
    );
    // Characters that must not reach a terminal are escaped.
    assert_eq!(listed(&["U+202E"]), ["U+202E\t\\u{202e}\t''\treviewed"]);
    let (all, ukrainian) = (listed(&[]), listed(&["--translit-locale", "uk"]));
    assert!(all.len() > 5000 && ukrainian.len() > all.len());
    assert!(ukrainian.contains(&"U+0437 U+0433\tзг\t'zgh'\tlocale".to_owned()));
    let (status, _, err) = run_text(&["--list-translit", "U+20-"], "");
    assert_eq!((status, err.contains("is not a character or a range")), (2, true));
}

/// Generates texts of letters that decompose, and of marks.
fn letters() -> impl Strategy<Value = String> {
    let decomposing: Vec<char> = ('\u{C0}'..='\u{24F}')
        .chain('\u{370}'..='\u{3FF}')
        .chain('\u{400}'..='\u{4FF}')
        .chain('\u{1E00}'..='\u{1FFF}')
        .filter(|char| char.nfd().count() > 1)
        .collect();
    let piece = prop_oneof![
        4 => proptest::sample::select(decomposing).prop_map(String::from),
        2 => "[a-zA-Z =<>0-9\n]",
        2 => "[а-яА-Яα-ωΑ-Ω]",
        1 => "[\u{300}-\u{304}\u{306}-\u{308}\u{30A}-\u{30C}\u{323}\u{327}\u{328}\u{338}]",
        1 => "[≠≮≯가-힣€—]",
    ];
    proptest::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn canonically_equivalent_texts_are_written_alike(text in letters()) {
        for (to, locale) in [("US-ASCII", ""), ("ISO-8859-1", ""), ("ISO-8859-2", "de_DE"), ("ISO-8859-7", ""), ("KOI8-R", "uk_UA"), ("EUC-KR", "")] {
            let composed = written(&text.nfc().collect::<String>(), to, locale);
            let decomposed = written(&text.nfd().collect::<String>(), to, locale);
            prop_assert_eq!(&composed, &decomposed, "{}", to);
        }
    }

    #[test]
    fn any_text_is_written_in_the_target_and_comes_out_the_same_in_pieces(text in "\\PC{0,30}", at in 0..100usize) {
        for to in ["US-ASCII", "ISO-8859-5", "Shift_JIS", "windows-1258"] {
            let conversion = conversion("UTF-8", to, "");
            let whole = convert(&conversion, text.as_bytes());
            let at = at.min(text.len());
            prop_assert_eq!(&convert_cut(&conversion, text.as_bytes(), &[at], true), &whole);
            prop_assert!(oxiconv::validate(&whole.output, encoding(to)).is_ok());
        }
    }
}
