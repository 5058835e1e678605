//! Normalization forms, in the output (`--normalize`) and as a rule for the input (`--deny not-nfc`).
//!
//! Expected values are hand-written, or come from Python's `unicodedata` or from the crate `unicode-normalization`,
//! which gets the whole text at once. The result does not depend on how the text arrives.

use std::io;
use std::num::NonZeroUsize;
use std::process::Command;

use crate::common::run;
use crate::sample;
use crate::support::{
    Random, With, convert, convert_cut, convert_without_places, encode, encoding, every_cut,
    replacing, skipped, strict, strictly,
};
use oxiconv::NormalizationForm::{self, Nfc, Nfd, Nfkc, Nfkd};
use oxiconv_transcode::diagnostic::{DeniedKind, Detail, Details, Finding, Reporter};
use oxiconv_transcode::{
    Conversion, OnDenied, OnIllFormed, OnUnmappable, Options, Reader, Threads, Transcoder, Writer,
};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

const FORMS: [NormalizationForm; 4] = [Nfc, Nfd, Nfkc, Nfkd];

fn to(form: NormalizationForm) -> Conversion {
    strict("UTF-8", "UTF-8").with(|it| it.normalize(form))
}

fn normalized(form: NormalizationForm, text: &str) -> String {
    String::from_utf8(convert(&to(form), text.as_bytes()).output).unwrap()
}

/// Normalizes the whole text at once.
fn at_once(form: NormalizationForm, text: &str) -> String {
    let text = text.chars().stream_safe();
    match form {
        Nfd => text.nfd().collect(),
        Nfkc => text.nfkc().collect(),
        Nfkd => text.nfkd().collect(),
        _ => text.nfc().collect(),
    }
}

/// Rows of NormalizationTest.txt, parts 0 and 1: source, NFC, NFD, NFKC, NFKD.
#[test]
fn rows_of_the_normalization_test() {
    for row in [
        ["1E0A", "1E0A", "0044 0307", "1E0A", "0044 0307"],
        ["1E0A 0323", "1E0C 0307", "0044 0323 0307", "1E0C 0307", "0044 0323 0307"],
        ["0044 0307 0323", "1E0C 0307", "0044 0323 0307", "1E0C 0307", "0044 0323 0307"],
        ["1E0A 031B", "1E0A 031B", "0044 031B 0307", "1E0A 031B", "0044 031B 0307"],
        ["1E14", "1E14", "0045 0304 0300", "1E14", "0045 0304 0300"],
        ["0112 0300", "1E14", "0045 0304 0300", "1E14", "0045 0304 0300"],
        ["1E14 0304", "1E14 0304", "0045 0304 0300 0304", "1E14 0304", "0045 0304 0300 0304"],
        [
            "05B8 05B9 05B1 0591 05C3 05B0 05AC 059F",
            "05B1 05B8 05B9 0591 05C3 05B0 05AC 059F",
            "05B1 05B8 05B9 0591 05C3 05B0 05AC 059F",
            "05B1 05B8 05B9 0591 05C3 05B0 05AC 059F",
            "05B1 05B8 05B9 0591 05C3 05B0 05AC 059F",
        ],
        ["1100 AC00 11A8", "1100 AC01", "1100 1100 1161 11A8", "1100 AC01", "1100 1100 1161 11A8"],
        [
            "1100 AC00 11A8 11A8",
            "1100 AC01 11A8",
            "1100 1100 1161 11A8 11A8",
            "1100 AC01 11A8",
            "1100 1100 1161 11A8 11A8",
        ],
        ["00A0", "00A0", "00A0", "0020", "0020"],
        ["00A8 0301", "0385", "00A8 0301", "0020 0308 0301", "0020 0308 0301"],
        ["2126", "03A9", "03A9", "03A9", "03A9"],
        ["FB1D", "05D9 05B4", "05D9 05B4", "05D9 05B4", "05D9 05B4"],
        ["1D15F", "1D158 1D165", "1D158 1D165", "1D158 1D165", "1D158 1D165"],
        [
            "FDFA",
            "FDFA",
            "FDFA",
            "0635 0644 0649 0020 0627 0644 0644 0647 0020 0639 0644 064A 0647 0020 0648 0633 0644 0645",
            "0635 0644 0649 0020 0627 0644 0644 0647 0020 0639 0644 064A 0647 0020 0648 0633 0644 0645",
        ],
        ["3192 FF9E", "3192 FF9E", "3192 FF9E", "4E00 3099", "4E00 3099"],
        ["FF76 FF9E", "FF76 FF9E", "FF76 FF9E", "30AC", "30AB 3099"],
        [
            "09C7 09BE 09C7 09D7",
            "09CB 09CC",
            "09C7 09BE 09C7 09D7",
            "09CB 09CC",
            "09C7 09BE 09C7 09D7",
        ],
        ["2F800", "4E3D", "4E3D", "4E3D", "4E3D"],
        ["0344", "0308 0301", "0308 0301", "0308 0301", "0308 0301"],
        ["0061 0344", "00E4 0301", "0061 0308 0301", "00E4 0301", "0061 0308 0301"],
    ] {
        let text = |column: &str| {
            let code = |code| char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap();
            column.split(' ').map(code).collect::<String>()
        };
        for (form, column) in FORMS.into_iter().zip(&row[1..]) {
            // Alone, between other characters, and on a line of its own.
            for (before, after) in [("", ""), ("(", "y"), ("\n", "\n")] {
                let source = format!("{before}{}{after}", text(row[0]));
                let expected = format!("{before}{}{after}", text(column));
                assert_eq!(normalized(form, &source), expected, "{form:?} of {}", row[0]);
                every_cut(&to(form), source.as_bytes());
            }
        }
    }
}

/// Python's `unicodedata` is the oracle for every character that normalization affects, and for random sequences of
/// them.
#[cfg(unix)]
#[test]
fn as_python_normalizes() {
    const SCRIPT: &str = r#"
import random, sys, unicodedata as u
chars = [c for c in map(chr, range(0x110000)) if u.category(c) not in ('Cs', 'Cn', 'Co')]
forms = ('NFC', 'NFD', 'NFKC', 'NFKD')
marks = [c for c in chars if u.combining(c)]
odd = [c for c in chars if any(u.normalize(f, c) != c for f in forms)]
seconds = sorted({u.normalize('NFD', c)[-1] for c in odd if len(u.normalize('NFD', c)) > 1})
print('\n'.join(odd + marks))
random.seed(7)
pools = [marks, odd, seconds, seconds, list('aeou<=>\u3046\u30ab\u0915\u1100\uac00 \n'), chars]
for _ in range(20000):
    print(''.join(random.choice(random.choice(pools)) for _ in range(random.randint(1, 9))))
sys.stdout.flush()
"#;
    const FORM: &str = "import sys, unicodedata as u; sys.stdout.write(u.normalize(sys.argv[1], sys.stdin.read()))";
    let python = |args: &[&str], input: &[u8]| {
        let mut command = assert_cmd::Command::new("python3");
        command.env("PYTHONIOENCODING", "utf-8:strict").args(["-X", "utf8", "-c"]).args(args);
        let output = command.write_stdin(input).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    if Command::new("python3").arg("--version").output().is_err() {
        skipped("there is no python3");
        return;
    }
    let text = String::from_utf8(python(&[SCRIPT], b"")).unwrap();
    assert!(text.chars().count() > 100_000);
    let mut random = Random(5);
    let forms = FORMS.into_iter().zip(["NFC", "NFD", "NFKC", "NFKD"]);
    for (form, name) in sample::every(4, forms) {
        let expected = String::from_utf8(python(&[FORM, name], text.as_bytes())).unwrap();
        let result = normalized(form, &text);
        let mut lines = text.split('\n').zip(result.split('\n').zip(expected.split('\n')));
        if let Some((line, (got, wanted))) = lines.find(|(_, (got, wanted))| got != wanted) {
            panic!("{name} of {:X?}: {:X?}, not {:X?}", chars(line), chars(got), chars(wanted));
        }
        assert_eq!(result, expected, "{name}");
        // In pieces of random sizes.
        let mut cuts = vec![0];
        while *cuts.last().unwrap() < text.len() {
            cuts.push(text.len().min(cuts.last().unwrap() + 1 + random.below(40)));
        }
        assert_eq!(convert_cut(&to(form), text.as_bytes(), &cuts, true).output, result.as_bytes());
        // Text in NFC has no findings. Other text has findings in exactly the lines that change.
        if form == Nfc {
            let check = strictly(encoding("UTF-8"), None).with(|it| it.deny([DeniedKind::NotNfc]));
            assert_eq!(convert(&check, result.as_bytes()).found, []);
            let lines = text.split('\n').zip(result.split('\n'));
            let differ = lines.filter(|(line, normal)| line != normal);
            let found = convert(&check, text.as_bytes()).found;
            let of_lines: std::collections::BTreeSet<_> = found.iter().map(|it| it.line).collect();
            assert_eq!(of_lines.len(), differ.count());
        }
    }
}

fn chars(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).collect()
}

/// Generates characters that normalization affects, and plain ones.
fn character() -> impl Strategy<Value = char> {
    prop_oneof![
        3 => prop::sample::select(vec!['a', 'e', 'u', '<', ' ', '\n', 'ж', 'é', 'ế', '가', 'ᄀ', 'か', '日', 'ﬁ', '½', '\u{9C7}', 'Å', '¯']),
        3 => prop::sample::select(vec!['\u{300}', '\u{301}', '\u{308}', '\u{327}', '\u{323}', '\u{316}', '\u{338}', '\u{344}', '\u{345}', '\u{3099}', '\u{1161}', '\u{11a8}', '\u{9be}', '\u{34f}', '\u{0e48}', '\u{93c}']),
        1 => any::<char>(),
        1 => prop::char::range('\u{300}', '\u{36F}'),
    ]
}

fn text() -> impl Strategy<Value = String> {
    let marks = prop::collection::vec(prop::char::range('\u{300}', '\u{33F}'), 0..80);
    let piece = prop_oneof![
        8 => prop::collection::vec(character(), 0..12).prop_map(String::from_iter),
        1 => marks.prop_map(String::from_iter),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    /// A stream is normalized like the whole text at once, with U+034F in long sequences of marks. Normalizing the
    /// result again changes nothing.
    #[test]
    fn a_stream_is_normalized_as_in_one_go(text in text(), cuts in prop::collection::vec(0usize..200, 0..6)) {
        let mut cuts: Vec<_> = cuts.into_iter().filter(|cut| *cut < text.len()).collect();
        cuts.sort_unstable();
        for form in FORMS {
            let whole = convert(&to(form), text.as_bytes());
            let result = String::from_utf8(whole.output.clone()).unwrap();
            prop_assert_eq!(chars(&result), chars(&at_once(form, &text)), "{:?} of {:X?}", form, chars(&text));
            prop_assert_eq!(normalized(form, &result), result, "{:?} twice", form);
            prop_assert_eq!(&convert_cut(&to(form), text.as_bytes(), &cuts, true), &whole);
            let each: Vec<_> = (1..text.len()).collect();
            prop_assert_eq!(&convert_cut(&to(form), text.as_bytes(), &each, true), &whole);
            // Random characters may look like single-byte text inside UTF-16.
            let utf16 = strict("UTF-16LE", "UTF-8").with(|it| it.normalize(form).keep_units(true));
            prop_assert_eq!(&convert(&utf16, &encode(&text, "UTF-16LE")).output, &whole.output);
        }
    }

    /// A text has a finding if and only if it is not in NFC.
    #[test]
    fn a_text_that_is_not_in_nfc_has_a_finding(text in prop::collection::vec(character(), 0..25)) {
        let text = String::from_iter(text);
        let check = strictly(encoding("UTF-8"), None).with(|it| it.deny([DeniedKind::NotNfc]));
        let found = convert(&check, text.as_bytes());
        prop_assert_eq!(found.found.is_empty(), text.nfc().eq(text.chars()), "{:X?}", chars(&text));
        // If only the findings are normalized, the whole text is.
        let mut rest = 0;
        let mut repaired = String::new();
        for found in &found.found {
            let range = found.offset as usize..found.end() as usize;
            prop_assert_eq!(&text.as_bytes()[range.clone()], &found.bytes[..]);
            repaired += &text[rest..range.start];
            repaired.extend(text[range.clone()].nfc());
            rest = range.end;
        }
        repaired += &text[rest..];
        prop_assert_eq!(repaired, text.nfc().collect::<String>());
        let each: Vec<_> = (1..text.len()).collect();
        prop_assert_eq!(&convert_cut(&check, text.as_bytes(), &each, true), &found);
    }
}

/// 卸 is D0 B6 in GB18030 and 32 37 in JIS X 0208. It is held back because marks may follow. Later characters must not
/// overtake it.
#[test]
fn what_a_fallback_reads_comes_before_what_follows_it() {
    for form in FORMS {
        let conversion = strict("UTF-8", "ISO-2022-JP")
            .with(|it| it.fallback(encoding("GB18030")).transliterate(true).normalize(form));
        let input = b"a  \xD0\xB6aa\xD0\xB6\xFFa";
        let whole = every_cut(&conversion, input);
        assert_eq!(whole.output, b"a  \x1B$B27\x1B(Baa\x1B$B27\x1B(B", "{form:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever the other options, the result does not depend on where the input is cut.
    #[test]
    fn nothing_depends_on_the_cuts(
        pieces in prop::collection::vec(
            prop_oneof![
                4 => character().prop_map(|c| c.to_string().into_bytes()),
                1 => prop::sample::select(vec![&b"\xFF"[..], b"\xE9", b"\xEC", b"\xCC", b"  ", b"\r\n"]).prop_map(<[u8]>::to_vec),
            ],
            0..25,
        ),
        form in prop::sample::select(vec![None, Some(Nfc), Some(Nfd), Some(Nfkc), Some(Nfkd)]),
        to in prop::sample::select(vec!["UTF-8", "UTF-16", "ISO-8859-1", "CP1258", "US-ASCII", "ISO-2022-JP"]),
        ill_formed in prop::sample::select(vec![OnIllFormed::Stop, OnIllFormed::Replace, OnIllFormed::Skip]),
        unmappable in prop::sample::select(vec![OnUnmappable::Stop, OnUnmappable::Xml, OnUnmappable::Skip]),
        fallback in prop::sample::select(vec![None, None, Some("CP1258"), Some("GB18030")]),
        denied in prop::sample::subsequence(vec![DeniedKind::NotNfc, DeniedKind::NonBmp, DeniedKind::MixedNewlines], 0..=3),
        stops in any::<bool>(),
        transliterates in any::<bool>(),
        record in prop::sample::select(vec![None, None, Some(5u64), Some(16)]),
        cuts in prop::collection::vec(0usize..100, 0..6),
    ) {
        let input = pieces.concat();
        let conversion = strict("UTF-8", to).with(|it| {
            let mut options = it.on_ill_formed(ill_formed).on_unmappable(unmappable).deny(denied.iter().copied());
            options = options.on_denied(if stops { OnDenied::Stop } else { OnDenied::Pass });
            options = options.transliterate(transliterates);
            if let Some(form) = form {
                options = options.normalize(form);
            }
            if let Some(name) = fallback {
                options = options.fallback(encoding(name));
            }
            if let Some(bytes) = record {
                options = options.record_length(bytes.try_into().unwrap()).trim_records(true);
            }
            options
        });
        let whole = convert(&conversion, &input);
        let mut cuts: Vec<_> = cuts.into_iter().filter(|cut| *cut < input.len()).collect();
        cuts.sort_unstable();
        prop_assert_eq!(&convert_cut(&conversion, &input, &cuts, false), &whole);
        let each: Vec<_> = (1..input.len()).collect();
        prop_assert_eq!(&convert_cut(&conversion, &input, &each, true), &whole);
        // Nor does it depend on whether the places of findings are requested.
        let (output, summary) = convert_without_places(&conversion, &input);
        prop_assert_eq!((&output, &summary), (&whole.output, &whole.summary));
        // The output is well-formed, even if a strict conversion stopped. The random code units may look as if a stray
        // byte interrupted them, hence `keep_units`.
        let as_they_are = oxiconv::Options::new();
        #[cfg(feature = "detection")]
        let as_they_are = as_they_are.keep_units(true);
        let (read_again, _) = oxiconv::convert(&whole.output, encoding(to), encoding("UTF-8"), &as_they_are).unwrap();
        // Output without other changes is in the form.
        if let (Some(form), "UTF-8", false, None) = (form, to, ill_formed == OnIllFormed::Replace, record) {
            let text = String::from_utf8(read_again).unwrap();
            if !whole.summary.stopped && fallback.is_none() {
                prop_assert_eq!(at_once(form, &text), text);
            }
        }
    }
}

/// Detection may switch decoders while a letter is held back.
#[cfg(feature = "detection")]
#[test]
fn a_detected_text_is_normalized() {
    let detects = oxiconv::Options::new()
        .normalize(Nfc)
        .build(oxiconv::InputEncoding::Detected(oxiconv::Detector::new()), encoding("UTF-8"))
        .unwrap();
    let text = "cafe\u{301} and nai\u{308}ve e\u{301}te\u{301}";
    let whole = convert(&detects, text.as_bytes());
    assert_eq!(String::from_utf8(whole.output).unwrap(), "café and naïve été");
    every_cut(&detects, text.as_bytes());
}

/// Characters are normalized, not bytes, whatever the encoding of the input and of the output.
#[test]
fn forms_are_those_of_characters_in_every_encoding() {
    let (composed, decomposed) =
        ("Việt é\n가 ế", "Vie\u{323}\u{302}t e\u{301}\n\u{1100}\u{1161} e\u{302}\u{301}");
    let names = [
        "UTF-8",
        "UTF-16LE",
        "UTF-32BE",
        "UTF-7",
        "SCSU",
        "BOCU-1",
        "GB18030",
        "UTF-EBCDIC",
        "JAVA",
    ];
    for from in names {
        for to in names {
            let encoded = |text: &str| convert(&strict("UTF-8", from), text.as_bytes()).output;
            let expected = |text: &str| convert(&strict("UTF-8", to), text.as_bytes()).output;
            for (form, result) in [(Nfc, composed), (Nfd, decomposed)] {
                let conversion = strict(from, to).with(|it| it.normalize(form));
                for text in [composed, decomposed] {
                    let output = convert(&conversion, &encoded(text)).output;
                    assert_eq!(output, expected(result), "{from} to {to} {form:?}");
                }
            }
        }
        let input = convert(&strict("UTF-8", from), decomposed.as_bytes()).output;
        every_cut(&strict(from, "UTF-16").with(|it| it.normalize(Nfc)), &input);
    }
    // A mark that the target lacks is no fault if it composes.
    for (form, to, text, expected) in [
        (Nfc, "ISO-8859-1", "cafe\u{301} na\u{308}ive", &b"caf\xE9 n\xE4ive"[..]),
        (Nfc, "CP1258", "e\u{302}\u{301}", b"\xEA\xEC"),
        (Nfkc, "US-ASCII", "ﬁ ２ ①", b"fi 2 1"),
        (Nfc, "KOI8-R", "и\u{306}", b"\xCA"),
    ] {
        let conversion = strict("UTF-8", to).with(|it| it.normalize(form));
        assert_eq!(convert(&conversion, text.as_bytes()).output, expected, "{to}");
        every_cut(&conversion, text.as_bytes());
    }
    // File names of macOS.
    let mac = strict("UTF8-MAC", "UTF-8").with(|it| it.normalize(Nfd));
    assert_eq!(convert(&mac, "e\u{301}".as_bytes()).output, "e\u{301}".as_bytes());
    let mac = strict("UTF-8", "UTF8-MAC").with(|it| it.normalize(Nfc));
    assert_eq!(convert(&mac, "e\u{301}".as_bytes()).output, "e\u{301}".as_bytes());
}

/// If the target lacks a character after normalization, the finding has the place and the bytes of its letter in the
/// input.
#[test]
fn an_unmappable_result_is_found_at_its_letter() {
    for (form, text, places, output) in [
        // U+0435 U+0306 compose to U+04D7.
        (
            Nfc,
            "a\nb\u{435}\u{306}\u{301}c",
            &[("unmappable", 3, 4, 2, 2), ("unmappable", 7, 2, 2, 4)][..],
            "a\nb??c",
        ),
        (
            Nfc,
            "x\u{10D}\u{316}\u{307}",
            &[("unmappable", 1, 2, 1, 2), ("unmappable", 3, 2, 1, 3), ("unmappable", 5, 2, 1, 4)],
            "x???",
        ),
        // The second mark composes with the letter, past the first one.
        (
            Nfc,
            "\u{435}\u{316}\u{306}",
            &[("unmappable", 0, 6, 1, 1), ("unmappable", 2, 2, 1, 2)],
            "??",
        ),
        // The target has the letter, but not its mark.
        (Nfd, "née\n", &[("unmappable", 1, 2, 1, 2)], "ne?e\n"),
        (Nfkd, "½", &[("unmappable", 0, 2, 1, 1)], "1?2"),
        (
            Nfc,
            "日\u{301}日",
            &[("unmappable", 0, 3, 1, 1), ("unmappable", 3, 2, 1, 2), ("unmappable", 5, 3, 1, 3)],
            "???",
        ),
    ] {
        let conversion = replacing("UTF-8", "ISO-8859-1").with(|it| it.normalize(form));
        let whole = convert(&conversion, text.as_bytes());
        assert_eq!(whole.places(), places, "{text:?}");
        for found in &whole.found {
            assert_eq!(text.as_bytes()[found.offset as usize..found.end() as usize], found.bytes);
        }
        assert_eq!(String::from_utf8(whole.output).unwrap(), output, "{text:?}");
        every_cut(&conversion, text.as_bytes());
    }
    // A strict conversion writes everything before the letter and nothing of the letter.
    let strictly = strict("UTF-8", "ISO-8859-1").with(|it| it.normalize(Nfc));
    for (text, output, place) in [
        ("e\u{301}\nq\u{301}x", "\u{E9}\nq", ("unmappable", 5, 2, 2, 2)),
        ("ab\u{435}\u{306}", "ab", ("unmappable", 2, 4, 1, 3)),
        ("e\u{301}x\u{435}\u{316}\u{306}\u{301}x", "\u{E9}x", ("unmappable", 4, 6, 1, 4)),
    ] {
        let whole = convert(&strictly, text.as_bytes());
        let output: Vec<u8> = output.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
        assert_eq!(whole.output, output, "{text:?}");
        assert_eq!(whole.places(), [place], "{text:?}");
        assert!(whole.summary.stopped);
        assert_eq!(whole.summary.bytes_read, place.1);
        assert_eq!(whole.summary.characters, text[..place.1 as usize].chars().count() as u64);
        every_cut(&strictly, text.as_bytes());
    }
}

/// A substitute that the target offers is in the details of its own finding, not in those of the next one.
#[test]
fn a_finding_says_nothing_of_what_was_unmappable_before() {
    #[derive(Default)]
    struct Offers(Vec<(&'static str, Option<String>, bool)>);

    impl Reporter for Offers {
        fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
            let offers = match &finding.details {
                Details::Unmappable { transliteration, writes_escapes } => {
                    (transliteration.as_deref().map(str::to_owned), *writes_escapes)
                }
                _ => (None, false),
            };
            self.0.push((finding.kind.id(), offers.0, offers.1));
            Ok(())
        }
    }

    let replacing = |it: Options| it.on_ill_formed(OnIllFormed::Replace).detail(Detail::Context);
    for form in [None, Some(Nfc)] {
        let options = replacing(Options::new()).on_unmappable(OnUnmappable::Replace);
        let options = form.into_iter().fold(options, Options::normalize);
        let conversion = options.build(encoding("UTF-8"), Some(encoding("US-ASCII"))).unwrap();
        let mut offers = Offers::default();
        let mut text = &b"\xE2\x82\xACx\xFFx\xE6\x97\xA5x\xFF"[..];
        Transcoder::new(&conversion, &mut Vec::new()).input(&mut text, &mut offers).unwrap();
        let expected = [
            ("unmappable", Some("EUR".to_owned()), true),
            ("invalid-byte", None, false),
            ("unmappable", None, true),
            ("invalid-byte", None, false),
        ];
        assert_eq!(offers.0, expected, "{form:?}");
    }
}

/// Surrogates and values above U+10FFFF are in no form. They are not changed, and they end a sequence.
#[test]
fn what_is_no_scalar_value_passes_through() {
    let conversion = strict("UCS-4BE", "UCS-4BE").with(|it| it.normalize(Nfc));
    let bytes = |values: &[u32]| values.iter().flat_map(|it| it.to_be_bytes()).collect::<Vec<_>>();
    let input = bytes(&[0x65, 0x11_0000, 0x301, 0x65, 0x301, 0x7FFF_FFFF, 0x327, 0xD800]);
    let output = convert(&conversion, &input);
    let expected = bytes(&[0x65, 0x11_0000, 0x301, 0xE9, 0x7FFF_FFFF, 0x327, 0xD800]);
    assert_eq!(output.output, expected);
    every_cut(&conversion, &input);
    let wtf = strict("WTF-8", "WTF-8").with(|it| it.normalize(Nfc));
    let input = b"e\xED\xA0\x80\xCC\x81e\xCC\x81";
    assert_eq!(convert(&wtf, input).output, b"e\xED\xA0\x80\xCC\x81\xC3\xA9");
    every_cut(&wtf, input);
    // Values of more than 32 bits.
    let large = strict("UTF-8-7BYTE", "UTF-8-7BYTE").with(|it| it.normalize(Nfc));
    let input = b"e\xFE\x84\x80\x80\x80\x80\x80\xCC\x81";
    assert_eq!(convert(&large, input).output, input);
    every_cut(&large, input);
}

/// A replacement or an escape ends a sequence. Bytes that are skipped, or read in a fallback encoding, do not.
#[test]
fn ill_formed_input_between_a_letter_and_its_mark() {
    for (mode, output) in [
        (OnIllFormed::Replace, "xe\u{FFFD}\u{301}y"),
        (OnIllFormed::Skip, "xéy"),
        (OnIllFormed::Escape, "xe\\xFF\u{301}y"),
    ] {
        let conversion = to(Nfc).with(|it| it.on_ill_formed(mode));
        let input = b"xe\xFF\xCC\x81y";
        let whole = convert(&conversion, input);
        assert_eq!(String::from_utf8(whole.output.clone()).unwrap(), output, "{mode:?}");
        assert_eq!(whole.places(), [("invalid-byte", 2, 1, 1, 3)]);
        every_cut(&conversion, input);
    }
    for (fallback, input, output) in [
        // EC is U+0301 in windows-1258. E9 is é in windows-1252.
        ("windows-1258", &b"e\xECe\xEC \xE9\xEC x"[..], "éé é\u{301} x"),
        ("windows-1252", b"\xE9\xCC\xA3 e\xCC\x81 \xE9", "ẹ\u{301} é é"),
        ("GB18030", b"e\xCC\x81 \xD6\xD0\xCE\xC4 e\xCC\x81\n", "é 中文 é\n"),
    ] {
        let conversion = to(Nfc).with(|it| it.fallback(encoding(fallback)));
        let whole = convert(&conversion, input);
        assert_eq!(String::from_utf8(whole.output.clone()).unwrap(), output, "{fallback}");
        every_cut(&conversion, input);
    }
    // A result that the target lacks is reported at the first of its bytes.
    let conversion = replacing("UTF-8", "ISO-8859-1")
        .with(|it| it.fallback(encoding("windows-1258")).normalize(Nfc));
    let whole = convert(&conversion, "a\u{435}\u{306}".as_bytes());
    assert_eq!(whole.places(), [("unmappable", 1, 4, 1, 2)]);
    let whole = convert(&conversion, b"w\xECq\xEC");
    assert_eq!(String::from_utf8(whole.output).unwrap(), "?q?");
    let unmappable: Vec<_> = whole.found.iter().filter(|it| it.id == "unmappable").collect();
    assert_eq!(unmappable.iter().map(|it| it.offset).collect::<Vec<_>>(), [0, 3]);
}

#[cfg(feature = "transliteration")]
#[test]
fn what_is_transliterated_is_normalized_first() {
    for (form, to, text, expected) in [
        (Nfc, "ISO-8859-1", "e\u{301}\u{327} ế ж\u{301} ﬁ", &b"\xE9 \xEA zh fi"[..]),
        (Nfd, "ISO-8859-1", "é ế x", b"\xE9 \xEA x"),
        (Nfkc, "US-ASCII", "① é…", b"1 e..."),
        (Nfc, "US-ASCII", "\u{1100}\u{1161} \u{E4}", b"? a"),
        (Nfd, "US-ASCII", "가 한", b"? ?"),
    ] {
        let conversion = replacing("UTF-8", to).with(|it| it.transliterate(true).normalize(form));
        let plain = replacing("UTF-8", to).with(|it| it.transliterate(true));
        let whole = convert(&conversion, text.as_bytes());
        assert_eq!(
            String::from_utf8_lossy(&whole.output),
            String::from_utf8_lossy(expected),
            "{form:?} {text}"
        );
        assert_eq!(whole.output, convert(&plain, at_once(form, text).as_bytes()).output);
        every_cut(&conversion, text.as_bytes());
    }
}

/// A line feed is complete by itself. A letter waits for the next character.
#[test]
fn what_is_complete_is_written_at_once() {
    #[derive(Clone, Default)]
    struct Sink(std::rc::Rc<std::cell::RefCell<Vec<u8>>>);
    impl std::io::Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.borrow_mut().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let written = Sink::default();
    let mut writer = Writer::new(written.clone(), &to(Nfc));
    let mut expect = |bytes: &str, expected: &str| {
        use std::io::Write;
        writer.write_all(bytes.as_bytes()).unwrap();
        writer.flush().unwrap();
        let written = String::from_utf8(written.0.borrow().clone()).unwrap();
        assert_eq!(written, expected, "after {bytes:?}");
    };
    expect("line\n", "line\n");
    expect("e", "line\n");
    expect("\u{301}", "line\n");
    expect(" ", "line\né ");
    expect("日本", "line\né 日");
    expect("\n", "line\né 日本\n");
    expect("e\u{301}\n", "line\né 日本\né\n");
    expect("=", "line\né 日本\né\n");
    expect(")", "line\né 日本\né\n=)");
}

/// Memory does not grow with the input, in any state: endless marks, letters that all change, a long pipe.
///
/// The text takes a quarter of the memory that the program may use, and at least twice that as code points.
#[cfg(unix)]
#[cfg(target_os = "linux")]
#[test]
fn any_length_takes_little_memory() {
    let most = |name: &str, text: &str, args: &[&str]| {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("text");
        std::fs::write(&path, text.repeat((4 << 20) / text.len())).unwrap();
        let program = assert_cmd::cargo::cargo_bin!("oxiconv");
        // `ulimit -d` limits the data of the process. A mapped file would not count.
        let command = format!(
            "ulimit -d 16384; cat '{}' | '{}' {} >/dev/null",
            path.display(),
            program.display(),
            args.join(" ")
        );
        let output = Command::new("bash").args(["-c", &command]).output().unwrap();
        assert!(output.status.code().is_some_and(|code| code < 2), "{name}: {output:?}");
    };
    let cases = [
        ("marks", "\u{301}\u{327}", &["--normalize", "nfc"][..]),
        ("letters", "e\u{301}", &["--normalize", "nfc", "-t", "latin1"]),
        ("ligatures", "\u{FDFA}", &["--normalize", "nfkd", "-j", "1"]),
        ("rules", "e\u{301} ", &["--check", "--deny", "not-nfc", "--max-reports", "1"]),
    ];
    for (name, text, args) in sample::every(4, cases) {
        most(name, text, args);
    }
}

/// In a sequence of more than 30 marks, U+034F is inserted after each 30, as in the Stream-Safe Text Format. This takes
/// constant memory and linear time.
#[test]
fn many_marks_are_separated() {
    let marks = |count| "\u{301}".repeat(count);
    for (count, expected) in [
        (30, format!("\u{E9}{}", marks(29))),
        (31, format!("\u{E9}{}\u{34F}\u{301}", marks(29))),
        (91, format!("\u{E9}{0}\u{34F}{1}\u{34F}{1}\u{34F}\u{301}", marks(29), marks(30))),
    ] {
        assert_eq!(normalized(Nfc, &format!("e{}", marks(count))), expected, "{count}");
        every_cut(&to(Nfc), format!("e{}", marks(count)).as_bytes());
    }
    // If the target lacks U+034F, it is left out without a finding.
    let conversion = with_skip("ISO-8859-1");
    let whole = convert(&conversion, format!("e{}x", marks(40)).as_bytes());
    assert_eq!(whole.output, b"\xE9x");
    assert!(whole.found.iter().all(|it| it.value == Some(0x301)));
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("marks");
    std::fs::write(&path, format!("e{}", "\u{316}\u{301}".repeat(1 << 20))).unwrap();
    for args in [
        &["--normalize", "nfc"][..],
        &["--normalize", "nfkd"],
        &["--check", "--deny", "not-nfc", "--max-reports", "1"],
    ] {
        let mut command = crate::common::oxiconv();
        let output = command
            .args(args)
            .arg(&path)
            .timeout(std::time::Duration::from_secs(120))
            .output()
            .unwrap();
        assert!(output.status.code().is_some_and(|code| code < 2), "{args:?}");
    }
}

fn with_skip(to: &str) -> Conversion {
    strict("UTF-8", to).with(|it| it.normalize(Nfc).on_unmappable(OnUnmappable::Skip))
}

/// A finding of `--deny not-nfc` covers the letter with its marks. The places are counted by hand.
#[test]
fn a_sequence_that_is_not_in_nfc_is_one_finding() {
    let check = strictly(encoding("UTF-8"), None).with(|it| it.deny([DeniedKind::NotNfc]));
    for (text, expected) in [
        ("cafe\u{301}\n", &[(3, 3, 1, 4)][..]),
        ("é ж\u{327} ก\u{E48}\u{E38} x", &[(8, 9, 1, 6)]),
        ("a\nx\u{327}\u{301}q\u{301}\u{327}z", &[(7, 5, 2, 4)]),
        ("\u{212B}\u{2126}", &[(0, 3, 1, 1), (3, 3, 1, 2)]),
        ("\u{1112}\u{1161}\u{11AB}글", &[(0, 9, 1, 1)]),
        ("e\u{316}", &[]),
        ("\u{301}\u{327}", &[(0, 4, 1, 1)]),
        ("é\u{316}ế", &[]),
        ("é\u{327}", &[(0, 4, 1, 1)]),
    ] {
        let whole = convert(&check, text.as_bytes());
        let expected: Vec<_> = expected
            .iter()
            .map(|(offset, len, line, column)| ("not-nfc", *offset, *len, *line, *column))
            .collect();
        assert_eq!(whole.places(), expected, "{text:?}");
        every_cut(&check, text.as_bytes());
        let utf16 = strictly(encoding("UTF-16BE"), None).with(|it| it.deny([DeniedKind::NotNfc]));
        assert_eq!(convert(&utf16, &encode(text, "UTF-16BE")).found.len(), expected.len());
        every_cut(&utf16, &encode(text, "UTF-16BE"));
    }
    // A strict conversion stops before the letter, even with `--normalize`, because the rule is for the input.
    for conversion in [strict("UTF-8", "UTF-8"), to(Nfc), to(Nfkd)] {
        let conversion =
            conversion.with(|it| it.deny([DeniedKind::NotNfc]).on_denied(OnDenied::Stop));
        let text = "ok\nabe\u{301}c";
        let whole = convert(&conversion, text.as_bytes());
        assert_eq!(whole.output, b"ok\nab");
        assert_eq!((whole.summary.bytes_read, whole.summary.characters), (5, 5));
        every_cut(&conversion, text.as_bytes());
    }
    // Otherwise the sequence is reported, and then normalized.
    let both = to(Nfd).with(|it| it.deny([DeniedKind::NotNfc]));
    let whole = convert(&both, "é e\u{301}".as_bytes());
    assert_eq!(whole.output, "e\u{301} e\u{301}".as_bytes());
    assert_eq!(whole.places(), [("not-nfc", 3, 3, 1, 3)]);
}

#[test]
fn rules_for_characters_are_for_those_of_the_input() {
    let conversion = to(Nfc).with(|it| it.deny([DeniedKind::NonBmp, DeniedKind::Bom]));
    // U+1D15E becomes U+1D157 U+1D165 in every form.
    let text = "e\u{301}\u{1D15E}x\u{FEFF}\u{301}";
    let whole = convert(&conversion, text.as_bytes());
    assert_eq!(whole.places(), [("non-bmp", 3, 4, 1, 3), ("bom", 8, 3, 1, 5)]);
    assert_eq!(String::from_utf8(whole.output).unwrap(), "é\u{1D157}\u{1D165}x\u{FEFF}\u{301}");
    every_cut(&conversion, text.as_bytes());
    let stops = to(Nfc).with(|it| it.deny([DeniedKind::Unassigned]).on_denied(OnDenied::Stop));
    let whole = convert(&stops, "ae\u{301}\u{378}".as_bytes());
    assert_eq!(String::from_utf8(whole.output).unwrap(), "aé");
}

/// The first character, a byte order mark before it, and several files in one output.
#[test]
fn the_start_and_the_end_of_a_text() {
    for (text, expected) in [
        ("", ""),
        ("e", "e"),
        ("e\u{301}", "é"),
        ("\u{301}", "\u{301}"),
        ("\u{FEFF}e\u{301}", "\u{FEFF}é"),
    ] {
        assert_eq!(normalized(Nfc, text), expected, "{text:?}");
        let utf16 = strict("UTF-8", "UTF-16").with(|it| it.normalize(Nfc));
        assert_eq!(
            convert(&utf16, text.as_bytes()).output,
            encode(expected.trim_start_matches('\u{FEFF}'), "UTF-16")
        );
        every_cut(&utf16, text.as_bytes());
    }
    // Each file is a text of its own: a mark at the start of the second does not compose with the end of the first.
    let scene = tempfile::tempdir().unwrap();
    let (a, b) = (scene.path().join("a"), scene.path().join("b"));
    std::fs::write(&a, "e").unwrap();
    std::fs::write(&b, "\u{301}\n").unwrap();
    let output =
        crate::common::oxiconv().args(["--normalize", "nfc"]).args([&a, &b]).output().unwrap();
    assert_eq!(output.stdout, "e\u{301}\n".as_bytes());
}

#[test]
fn adaptors_and_threads_do_the_same() {
    use std::io::{Read, Write};
    let line = "Съешь ещё этих мягких булок, Vie\u{323}\u{302}t Nam, 한국어, cafe\u{301}\n";
    let text = line.repeat(40);
    let expected: String = text.nfc().collect();
    let mut read = String::new();
    Reader::new(text.as_bytes(), &to(Nfc)).read_to_string(&mut read).unwrap();
    assert_eq!(read, expected);
    let mut writer = Writer::new(Vec::new(), &to(Nfc));
    text.bytes().for_each(|byte| writer.write_all(&[byte]).unwrap());
    let (written, _) = writer.finish().unwrap();
    assert_eq!(String::from_utf8(written).unwrap(), expected);
    // Long enough for several threads, with few characters that change.
    let plain = "Съешь ещё этих мягких французских булок, да выпей чаю\n".repeat(60_000);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("long");
    let text = format!("{plain}{line}{plain}cafe\u{301}");
    std::fs::write(&path, &text).unwrap();
    let expected: String = text.nfc().collect();
    for jobs in ["1", "2", "4"] {
        let output = crate::common::oxiconv()
            .args(["--normalize", "nfc", "-j", jobs])
            .arg(&path)
            .output()
            .unwrap();
        assert!(output.stdout == expected.as_bytes(), "-j {jobs}");
    }
    let threads = to(Nfc).with(|it| it.threads(Threads::AtMost(NonZeroUsize::new(3).unwrap())));
    assert!(convert(&threads, text.as_bytes()).output == expected.as_bytes());
}

/// A fault is at the first character of its sequence, even if no places are requested and only the error needs one.
#[test]
fn an_error_has_the_place_of_the_sequence_that_stops() {
    // ISO-8859-1 lacks U+01EB, to which U+006F U+0328 compose.
    let text = "a\nb e\u{301} o\u{328}x";
    let options = Options::new().normalize(Nfc);
    let (utf8, latin1) = (encoding("UTF-8"), encoding("ISO-8859-1"));
    let error = oxiconv::convert(text.as_bytes(), utf8, latin1, &options).unwrap_err();
    let oxiconv::Error::Stopped(stopped) = error else { panic!("{error}") };
    let found = &stopped.finding;
    assert_eq!((found.offset, found.line, found.column), (8, 2, 6), "{found:?}");
}

/// With `-i`, files that are in the form already are not written.
#[test]
fn files_are_normalized_in_place() {
    let scene = crate::common::Dir::new();
    scene.write("done", "café\n".as_bytes());
    scene.write("mac", "cafe\u{301}\n".as_bytes());
    let modified = |name: &str| std::fs::metadata(scene.path(name)).unwrap().modified().unwrap();
    let before = modified("done");
    let (status, out, err) = scene.run(&["-i", "--normalize", "nfc", "done", "mac"]);
    assert_eq!((status, &*out, &*err), (0, "", "oxiconv: 1 written, 1 unchanged\n"));
    assert_eq!(scene.read("mac"), "café\n".as_bytes());
    assert_eq!(modified("done"), before);
    let (status, out, _) = scene.run(&["-i", "--dry-run", "--normalize", "nfd", "done"]);
    assert_eq!(status, 0);
    let _ = out;
    assert_eq!(scene.read("done"), "café\n".as_bytes());
}

#[test]
fn the_program_says_what_does_not_go_together() {
    let (status, _, err) = run(&["--check", "--normalize", "nfc"], b"");
    assert_eq!(
        (status, err.lines().next()),
        (
            2,
            Some(
                "oxiconv: --normalize cannot be combined with --check, which writes no text (--deny not-nfc reports text that is not in NFC)"
            )
        )
    );
    // With a target, `--check` says whether the target has the normalized characters.
    let (status, out, _) =
        run(&["--check", "--normalize", "nfc", "-t", "latin1"], "e\u{301}".as_bytes());
    assert_eq!((status, out), (0, Vec::new()));
    let (status, _, err) = run(&["--normalize", "nfx"], b"");
    assert_eq!(status, 2);
    assert!(err.contains("nfx"), "{err}");
    let (status, out, _) = run(&["--check", "--deny", "not-nfc"], "a\u{30A}".as_bytes());
    assert_eq!(status, 1);
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "(standard input):1:1: error[not-nfc]: 61 CC 8A at byte 0 (0x0): \
         the sequence that begins with U+0061 (a) is not in Normalization Form C\n"
    );
    let (status, out, err) = run(&["--normalize", "nfc"], "a\u{30A}\n".as_bytes());
    assert_eq!((status, String::from_utf8(out).unwrap(), &*err), (0, "å\n".to_owned(), ""));
}
