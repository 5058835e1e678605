//! Detection of texts in many languages, each in the encodings used for it. An answer is right if it decodes the bytes
//! to the original text. The language model was not trained on these texts.

use std::fs;
use std::path::Path;

use oxiconv::{Detector, Encoding};

use crate::sample;

/// Encodings, and the languages that are written in them.
#[rustfmt::skip]
const NATURAL: &[(&str, &str)] = &[
    ("windows-1252", "en fr de es pt it nl sv da nb nn fi is fo ca gl eu oc ast br af lb id sq"),
    ("ISO-8859-15", "fr fi de es it pt sv"),
    ("macintosh", "fr de es it sv pt da nl nb"),
    ("CP437", "de es it sv"),
    ("CP850", "de fr es it pt da nb sv nl fi is ca"),
    ("CP860", "pt"), ("CP861", "is"), ("CP863", "fr"), ("CP865", "da nb"),
    ("HP-ROMAN8", "de fr sv"),
    ("CP037", "en pt"), ("CP500", "fr"), ("CP273", "de"), ("CP277", "da nb"), ("CP278", "sv fi"), ("CP280", "it"), ("CP284", "es"), ("CP297", "fr"),
    ("windows-1250", "pl cs sk hu ro sl hr bs sr-Latn hsb"),
    ("ISO-8859-2", "pl cs sk hu ro sl hr bs sr-Latn hsb"),
    ("ISO-8859-16", "ro"),
    ("CP852", "pl cs sk hu sl hr ro bs"),
    ("MAC-CENTRALEUROPE", "pl cs sk hu"),
    ("CP870", "pl cs hu hr"),
    ("windows-1257", "et lv lt"), ("ISO-8859-4", "et lv lt"), ("ISO-8859-13", "lv lt"), ("CP775", "et lv lt"),
    ("windows-1251", "ru uk be bg mk sr"), ("KOI8-R", "ru bg"), ("KOI8-U", "uk"), ("ISO-8859-5", "ru uk be bg mk sr"), ("CP866", "ru bg"),
    ("CP855", "ru bg mk sr"), ("MAC-CYRILLIC", "ru bg mk sr"), ("CP1125", "uk"), ("KOI8-T", "tg"), ("PT154", "kk ky tt"), ("CP1025", "ru bg mk"),
    ("windows-1253", "el"), ("ISO-8859-7", "el"), ("CP737", "el"), ("CP869", "el"), ("MacGreek", "el"), ("CP875", "el"),
    ("windows-1254", "tr ku"), ("CP857", "tr"), ("MacTurkish", "tr"), ("CP1026", "tr"),
    ("windows-1255", "he yi"), ("ISO-8859-8", "he"), ("CP862", "he"),
    ("windows-1256", "ar"), ("ISO-8859-6", "ar"), ("CP720", "ar"),
    ("windows-874", "th"), ("windows-1258", "vi"), ("VISCII", "vi"), ("TCVN5712-1", "vi"), ("VPS", "vi"), ("VNI", "vi"),
    ("MAZOVIA", "pl"), ("KOI8-CS2", "cs"),
    ("ARMSCII-8", "hy"), ("GEORGIAN-PS", "ka"), ("GEORGIAN-ACADEMY", "ka"), ("ISO-8859-14", "cy ga gd"), ("ISO-8859-3", "mt eo"),
    ("CP932", "ja"), ("EUC-JP", "ja"), ("GBK", "zh_CN zh_TW"), ("GB18030", "zh_CN"), ("BIG5", "zh_TW"), ("EUC-TW", "zh_TW"),
    ("BIG5-HKSCS", "zh_TW"), ("CP949", "ko"), ("EUC-KR", "ko"), ("JOHAB", "ko"),
];

/// Encodings whose bytes are all ASCII.
const ESCAPES: &[(&str, &str)] =
    &[("ISO-2022-JP", "ja"), ("ISO-2022-KR", "ko"), ("HZ", "zh_CN"), ("UTF-7", "de ru ja")];

/// Characters, mostly typographic marks, and their substitutes in charsets that lack them.
const MARKS: &[(char, &str)] = &[
    ('\u{201c}', "\""),
    ('\u{201d}', "\""),
    ('\u{201e}', "\""),
    ('\u{2018}', "'"),
    ('\u{2019}', "'"),
    ('\u{2bc}', "'"),
    ('\u{2024}', "."),
    ('\u{2013}', "-"),
    ('\u{2014}', "-"),
    ('\u{ab}', "\""),
    ('\u{bb}', "\""),
    ('\u{a0}', " "),
    ('\u{219}', "ş"),
    ('\u{21b}', "ţ"),
    ('\u{218}', "Ş"),
    ('\u{21a}', "Ţ"),
];

fn text(language: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/detection");
    fs::read_to_string(folder.join(format!("{language}.txt"))).unwrap()
}

/// Returns the lines of a text that an encoding can represent, about 1 KB of them.
fn fitting(text: &str, encoding: &'static Encoding) -> String {
    let mut kept = String::new();
    for line in text.lines() {
        let line: String = line
            .chars()
            .map(|c| {
                let fits = oxiconv::encode(c.encode_utf8(&mut [0; 4]), encoding).is_ok();
                let mark = MARKS.iter().find(|(mark, _)| !fits && *mark == c);
                mark.map_or_else(|| c.to_string(), |(_, instead)| (*instead).to_owned())
            })
            .collect();
        if oxiconv::encode(&line, encoding).is_ok() && kept.len() < 1000 {
            kept.push_str(&line);
            kept.push('\n');
        }
    }
    kept
}

/// Reads bytes in an encoding. Romanian letters with a comma below count as those with a cedilla: for Romanian, that is
/// the only difference between ISO-8859-16 and windows-1250.
fn read(bytes: &[u8], encoding: &'static Encoding) -> Option<String> {
    let text = oxiconv::decode(bytes, encoding).ok()?;
    Some(text.replace('ș', "ş").replace('ț', "ţ").replace('Ș', "Ş").replace('Ț', "Ţ"))
}

/// Detects the text in each encoding; returns the wrong answers, with language and encoding.
fn wrong(cases: impl IntoIterator<Item = (String, &'static Encoding)>) -> Vec<String> {
    let detector = Detector::new();
    let mut wrong = Vec::new();
    for (language, encoding) in cases {
        let text = fitting(&text(&language), encoding);
        assert!(text.len() > 300, "{language} does not fit in {}", encoding.name());
        let bytes = oxiconv::encode(&text, encoding).unwrap();
        let answer = detector.detect(&bytes).encoding;
        if read(&bytes, answer) != read(&bytes, encoding) {
            wrong.push(format!("{language} in {}: {}", encoding.name(), answer.name()));
        }
    }
    wrong
}

fn pairs(of: &[(&'static str, &'static str)]) -> Vec<(String, &'static Encoding)> {
    of.iter()
        .flat_map(|(encoding, languages)| {
            let encoding = Encoding::for_name(encoding).unwrap();
            languages.split(' ').map(move |language| (language.to_owned(), encoding))
        })
        .collect()
}

#[test]
fn languages_are_detected_in_their_natural_encodings() {
    assert_eq!(wrong(pairs(NATURAL)), Vec::<String>::new());
}

#[test]
fn languages_are_detected_in_escape_sequences_and_shifts() {
    assert_eq!(wrong(pairs(ESCAPES)), Vec::<String>::new());
}

#[test]
fn every_language_is_detected_in_unicode_without_a_mark() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/detection");
    let languages: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| {
            entry.unwrap().file_name().to_str().unwrap().strip_suffix(".txt").map(str::to_owned)
        })
        .collect();
    assert!(languages.len() > 80);
    let forms = ["UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"];
    let cases = forms.iter().flat_map(|form| {
        let form = Encoding::for_name(form).unwrap();
        languages.iter().map(move |language| (language.clone(), form))
    });
    let cases = sample::every_of_each(3, cases, |(_, form)| form.name());
    // Known limitation: Amharic that separates words by U+1361 has no blanks, and looks like ASCII in UTF-16.
    let wrong: Vec<_> =
        wrong(cases).into_iter().filter(|wrong| !wrong.starts_with("am in UTF-16")).collect();
    assert_eq!(wrong, Vec::<String>::new());
}
