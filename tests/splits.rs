//! The result does not depend on how the input arrives.
//!
//! Output, findings, offsets, lines, columns and the summary are the same for a text in one piece, split at any byte,
//! byte by byte, across the boundaries of internal buffers, and from memory, a file or a pipe.
//!
//! Whether the result is right is tested in `unicode.rs`. The oracle here is the same text in one piece.

use crate::sample;
use crate::support::{
    Cut, Outcome, Random, With, convert, convert_cut, convert_pieces, encode, encoding, every_cut,
    run, strict, strictly, with,
};
use oxiconv::{DeniedKind, Detail, Detector, OnUncertain};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::diagnostic::{Details, Finding, Kind, Reporter, Silent};
use oxiconv_transcode::io::ReadSource;
#[cfg(feature = "cli")]
use oxiconv_transcode::io::{Access, Input};
use oxiconv_transcode::{
    Conversion, Fallback, InputEncoding, MarkMode, OnForeignMark, OnIllFormed, OnInnerMark,
    OnMojibake, OnUnmappable, Options, Transcoder,
};

/// Inputs that a split could cause to be misread: the ill-formed examples of the Unicode Standard, section 3.9, byte
/// order marks, surrogate pairs, ill-formed subsequences of every kind, and line endings.
const INPUTS: &[(&str, &[u8])] = &[
    ("UTF-8", b"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"),
    ("UTF-8", b"\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"),
    ("UTF-8", b"\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"),
    ("UTF-8", b"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"),
    ("UTF-8", b"\x41\xC2\xC3\xB1\x42"),
    ("UTF-8", b"\xC2\x41\x42"),
    ("UTF-8", b"\xF0\x80\x80\x41"),
    ("UTF-8", b"\xF4\x80\x83\x92"),
    ("UTF-8", b"\xC0\x80\x61\xF3"),
    ("UTF-8", b"\xEF\xBB\xBFa\xE2\x82\xAC"),
    ("UTF-8", b"\xEF\xBB\xBF\xEF\xBB\xBFb\xEF\xBB"),
    ("UTF-8", b"\xEF\xBB\xBE\xEF\xBB"),
    ("UTF-8", b"1\r\n\xE2\x82\n\xF0\x9F\x98\x80\xFF\r\n\n\xF0\x9F\x98"),
    ("UTF-8", b"\xF0\x9F\x98\x80\xE4\xBA\x8C\xC3\xA9a\xED\xA0\xBD\xED\xB8\x80"),
    ("UTF-16", b"\xFE\xFF\0M\xD8\0\xDF\x02\0M\xDF\x02\xD8\0\0\n\xD8"),
    ("UTF-16", b"\xFF\xFEM\0\0\xD8\x02\xDFM\0\x02\xDF\0\xD8\n\0\0\xD8"),
    ("UTF-16", b"M\0N\0O\0P\0\n\0\xAC"),
    ("UTF-16BE", b"\0M\xD8\0\xDF\x02\0M"),
    ("UTF-16BE", b"\xFE\xFF\xD8\0\xD8\0\xDF\x02\xDF\x02\0\n\x20\xAC\0"),
    ("UTF-16LE", b"\xFF\xFE\x3D\xD8\0\xDEa\0\x3D\xD8\n\0\x3D\xD8\0"),
    ("UTF-32", b"\0\0\xFE\xFF\0\0\xD8\0\0\0\xDF\x02\0\x01\x03\x02\0\0\0\n\0\x11\0\0\0\0"),
    ("UTF-32", b"\xFF\xFE\0\0\0\xD8\0\0\x02\xDF\0\0\x02\x03\x01\0\n\0\0\0\0\0\x11\0\0"),
    ("UTF-32BE", b"\0\0\xFE\xFF\0\0\xFE\xFF\0\0\0\xE9\xFF\xFF\xFF\xFF\0\0\x20\xAC\0\0\0"),
    ("UTF-32LE", b"\xFF\xFE\0\0\xE9\0\0\0\xFF\xFF\xFF\xFF\xAC\x20\0\0\0\0"),
    // Wide units interrupted by text in single bytes, or by line endings that another program changed.
    ("UTF-16LE", b"\x1F\x04>\x04\n\0done ok\r\nna\xC3\xAFve\nx\0y\0z\0\r\0\n\0"),
    ("UTF-16BE", b"\x4E\x2D\x65\x87ab\r\n\0a\0\r\0\r\n\0b\0\0\n\0cdone\n"),
    ("UTF-16LE", b"a\0\r\0\r\n\0b\0\0\n\0c\0Xd\0e\0f\0\n\0g\0h\0i\0j\0k\0l\0\n\0\xAC done"),
    ("UTF-32LE", b"a\0\0\0hi you\r\nb\0\0\0\r\n\0\0\0c\0\0\0"),
    ("US-ASCII", b"a\x80\n\xFFb"),
    ("ISO-8859-1", b"\x80caf\xE9\n\xFF"),
];

const TARGETS: [&str; 5] = ["UTF-8", "UTF-16", "UTF-32BE", "US-ASCII", "ISO-8859-1"];

fn modes(from: &str, to: &str) -> Vec<Conversion> {
    let mut modes = vec![
        with(from, to, OnIllFormed::Stop, OnUnmappable::Stop),
        with(from, to, OnIllFormed::Replace, OnUnmappable::Replace),
        with(from, to, OnIllFormed::Skip, OnUnmappable::Skip),
        with(from, to, OnIllFormed::Escape, OnUnmappable::Xml),
        with(from, to, OnIllFormed::Replace, OnUnmappable::Xml).with(|it| {
            it.transliterate(true).marks(MarkMode::Keep).on_inner_mark(OnInnerMark::Note)
        }),
        with(from, to, OnIllFormed::Replace, OnUnmappable::Stop),
    ];
    if let Ok(fallback) = Encoding::for_name("windows-1252") {
        let repaired = with(from, to, OnIllFormed::Replace, OnUnmappable::Replace);
        modes.push(repaired.with(|it| it.fallback(fallback)));
    }
    modes
}

/// Returns `len` ASCII characters. The eighth is a line feed, so that lines and columns are tested as well.
fn plain(len: usize) -> String {
    (0..len).map(|at| if at == 7 { '\n' } else { 'x' }).collect()
}

fn scheme_of(name: &str, input: &[u8]) -> &'static str {
    match (name, input) {
        ("UTF-16", [0xFF, 0xFE, ..]) => "UTF-16LE",
        ("UTF-16", _) => "UTF-16BE",
        ("UTF-32", [0xFF, 0xFE, 0, 0, ..]) => "UTF-32LE",
        ("UTF-32", _) => "UTF-32BE",
        ("UTF-16LE", _) => "UTF-16LE",
        ("UTF-16BE", _) => "UTF-16BE",
        ("UTF-32LE", _) => "UTF-32LE",
        ("UTF-32BE", _) => "UTF-32BE",
        _ => "UTF-8",
    }
}

/// Returns `input` with `text` in front of it. A byte order mark that the encoding recognizes stays at the start.
fn after(name: &str, text: &str, input: &[u8]) -> Vec<u8> {
    let mark = match (name, input) {
        ("UTF-16", [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) => 2,
        ("UTF-32", [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..]) => 4,
        _ => 0,
    };
    [&input[..mark], &encode(text, scheme_of(name, input)), &input[mark..]].concat()
}

#[track_caller]
fn same(got: &Outcome, whole: &Outcome, what: impl Fn() -> String) {
    assert_eq!(got, whole, "{}", what());
}

/// Asserts that a split at any byte from `from` on, and at every byte at once, gives the same as one piece.
///
/// `late_end` is how a pipe differs from a file: its end is known only once a read returns nothing.
fn every_split(conversion: &Conversion, input: &[u8], from: usize) {
    let whole = convert(conversion, input);
    let bytes: Vec<usize> = (1..input.len()).collect();
    for late_end in [false, true] {
        for at in from..=input.len() {
            for cuts in [&[at][..], &[1, at]] {
                let got = convert_cut(conversion, input, cuts, late_end);
                same(&got, &whole, || {
                    format!("{conversion:?} of {input:X?} cut {cuts:?}, {late_end}")
                });
            }
        }
        let got = convert_cut(conversion, input, &bytes, late_end);
        same(&got, &whole, || format!("{conversion:?} of {input:X?} byte by byte, {late_end}"));
    }
}

#[test]
fn every_split_point_in_every_mode() {
    let pairs = INPUTS.iter().flat_map(|input| TARGETS.map(|to| (to, input)));
    for (to, (from, input)) in sample::every_of_each(4, pairs, |(to, _)| *to) {
        modes(from, to).iter().for_each(|mode| every_split(mode, input, 0));
    }
}

#[test]
fn every_split_point_after_0_to_31_characters_of_ascii() {
    // Sampled by length, so that four consecutive seeds try each input after each length.
    let pairs = (0..32).flat_map(|len| INPUTS.iter().map(move |input| (len, input)));
    for (len, (from, input)) in sample::every_of_each(4, pairs, |(len, _)| *len) {
        let input = after(from, &plain(len), input);
        for to in ["UTF-8", "ISO-8859-1"] {
            let mode = with(from, to, OnIllFormed::Replace, OnUnmappable::Replace);
            every_split(&mode, &input, input.len().saturating_sub(34));
        }
        for mode in modes(from, "US-ASCII").iter().filter(|_| len % 5 == 1) {
            every_split(mode, &input, input.len().saturating_sub(34));
        }
    }
}

/// Mixtures of UTF-8 and another encoding. Some bytes of the other encoding are well-formed UTF-8 by chance.
const MIXTURES: [(&str, &[u8]); 5] = [
    ("KOI8-R", b"\xD0\xA7\xD1\x82\xD0\xBE \xC5\xDD\xA3 \xD3\xA6 \xC4\xC1\r\n\xD0\xB4\xD0\xB0"),
    ("GB18030", b"\xE4\xBD\xA0\xE5\xA5\xBD\xC4\xE3\xBA\xC3\xE5\xA5\xBD \xFF\n\xE5\xA5"),
    // 任何行為之害 after 人任何人: the last three bytes of 行為 are 欰 in UTF-8.
    (
        "BIG5-HKSCS",
        b"\xE4\xBA\xBA\xE4\xBB\xBB\xE4\xBD\x95\xE4\xBA\xBA\xE4\xBD\x95\xA6\xE6\xAC\xB0\xE4\xB9\x8B\xE5\xAE\xB3",
    ),
    ("CP932", b"a \x83|\x83X\x83g\xE5\xA5\xBD b\n\x83"),
    ("windows-1252", b"\x93\xD0\xB4\xD0\xB0\x94, na\xC3\xAFve \xE9\x81"),
];

#[test]
fn every_split_point_of_a_mixture() {
    let mut modes = Vec::new();
    for (name, input) in MIXTURES {
        let Ok(named) = Encoding::for_name(name) else { return };
        for fallback in [Fallback::Named(named), Fallback::Detected] {
            let mut add = |mode: Conversion| {
                modes.push((name, input, mode.with(|it| it.fallback(fallback))));
            };
            for to in ["UTF-8", "UTF-16LE", "ISO-8859-1"] {
                add(with("UTF-8", to, OnIllFormed::Replace, OnUnmappable::Xml));
            }
            // Stops at the first character that US-ASCII lacks. If that comes before the first part in the fallback,
            // the fallback is never used.
            add(strict("UTF-8", "US-ASCII"));
        }
    }
    for (_, input, mode) in sample::every_of_each(3, modes, |(name, ..)| *name) {
        every_split(&mode, input, 0);
    }
}

/// Here the part in the fallback has 8,000 bytes, about two of the regions of 4 KiB that are judged at once.
#[test]
fn long_parts_are_converted_as_short_ones() {
    let Ok(gb18030) = Encoding::for_name("GB18030") else { return };
    let chinese = "你好世界".repeat(1000);
    let input =
        [chinese.as_bytes(), &b"\xC4\xE3\xBA\xC3\xCA\xC0\xBD\xE7".repeat(1000), b"\n"].concat();
    let mode = with("UTF-8", "UTF-8", OnIllFormed::Stop, OnUnmappable::Stop);
    let mode = mode.with(|it| it.fallback(gb18030));
    let whole = convert(&mode, &input);
    assert_eq!(String::from_utf8_lossy(&whole.output), format!("{chinese}{chinese}\n"));
    for cuts in [[4095], [12_001], [12_002], [15_999]] {
        same(&convert_cut(&mode, &input, &cuts, true), &whole, || format!("cut at {cuts:?}"));
    }
}

/// A region has at most 4 KiB. If this limit falls within a UTF-8 character, the region ends before the character.
#[test]
fn where_a_long_region_ends_no_character_is_cut() {
    let Ok(windows) = Encoding::for_name("windows-1252") else { return };
    let mode = strict("UTF-8", "UTF-8").with(|it| it.fallback(windows));
    for c in ["é", "€", "😀"] {
        for before in 4096 - 1 - c.len()..=4096 {
            let (letters, rest) = ("a".repeat(before), "a".repeat(5000));
            let text = format!("{letters}{c}{rest}\n");
            let outcome = convert(&mode, &[b"\xE9", text.as_bytes()].concat());
            assert!(outcome.output == format!("é{text}").as_bytes(), "{before} letters before {c}");
        }
    }
}

/// The fallback is detected at the first region, with up to 128 KiB of the text after it. Detection waits for this text
/// after each cut, so two cuts must not make it judge less.
#[test]
fn a_mixture_whose_fallback_is_detected_is_cut_twice() {
    if Encoding::for_name("KOI8-R").is_err() {
        return;
    }
    // `И` and `Съешь ещё этих мягких французских булок` in KOI8-R, by Python.
    let pangram = b"\xF3\xDF\xC5\xDB\xD8 \xC5\xDD\xA3 \xDC\xD4\xC9\xC8 \
        \xCD\xD1\xC7\xCB\xC9\xC8 \xC6\xD2\xC1\xCE\xC3\xD5\xDA\xD3\xCB\xC9\xC8 \
        \xC2\xD5\xCC\xCF\xCB\n";
    let input = [b"No, No\nYes: \xE9\n", &pangram[..], "да\n".as_bytes(), pangram].concat();
    let text = "Съешь ещё этих мягких французских булок\n";
    let mode = strict("UTF-8", "UTF-8").with(|it| it.fallback(Fallback::Detected));
    let whole = convert(&mode, &input);
    assert_eq!(String::from_utf8_lossy(&whole.output), format!("No, No\nYes: И\n{text}да\n{text}"));
    for a in [1, 8, 20] {
        for b in (a..input.len()).step_by(3) {
            let got = convert_cut(&mode, &input, &[a, b], true);
            same(&got, &whole, || format!("cut at {a} and {b}"));
        }
    }
}

#[test]
fn two_cuts_at_once() {
    for (from, input) in INPUTS {
        let mode = with(from, "UTF-8", OnIllFormed::Replace, OnUnmappable::Replace);
        let whole = convert(&mode, input);
        for a in 0..input.len() {
            for b in a..=input.len() {
                let got = convert_cut(&mode, input, &[a, b], true);
                same(&got, &whole, || format!("{from} {input:X?} cut at {a} and {b}"));
            }
        }
    }
}

#[test]
fn every_split_point_with_the_encoding_detected() {
    let others: [&[u8]; 8] = [
        b"caf\xE9 \x80",
        b"\xFF\xFE",
        b"h\0i\0",
        b"a first line\ncaf\xE9 \x80",
        b"a first line\n~",
        b"a first line\n~~{<:Ky2;~}",
        b"a first line\n\x1B$B$\"\x1B(B\n",
        "\na\r\nb\nc\u{FEFF}\u{301}é\r\n".as_bytes(),
    ];
    for input in INPUTS.iter().map(|(_, input)| *input).chain(others) {
        every_split(&detected("UTF-8"), input, 0);
    }
    for input in others {
        every_split(&detected("UTF-8").with(|it| it.detail(Detail::Context)), input, 0);
        let other = detected("ISO-8859-1");
        every_split(&other.with(|it| it.transliterate(true).deny([DeniedKind::Nul])), input, 0);
    }
}

/// Returns a conversion from the detected encoding that accepts even an uncertain guess and never stops.
fn detected(to: &str) -> Conversion {
    strictly(InputEncoding::Detected(Detector::new()), encoding(to)).with(|it| {
        it.on_ill_formed(OnIllFormed::Replace)
            .on_unmappable(OnUnmappable::Replace)
            .on_uncertain(OnUncertain::Guess)
    })
}

const RUSSIAN: &str =
    "Съешь же ещё этих мягких французских булок, да выпей чаю, и будь здоров как бык.\n";

/// ASCII is passed on before the encoding is detected. However much of it there is, the result is that of the encoding
/// given by name. The lengths lie on both sides of the sizes of the head (4 KiB) and the sample (128 KiB) that are
/// judged, and the details take different paths through the engine.
#[test]
fn ascii_before_the_sample_changes_nothing() {
    let cyrillic: Vec<u8> = convert(&strict("UTF-8", "windows-1251"), RUSSIAN.as_bytes()).output;
    let lengths = [cyrillic.len(), 128 << 10, (128 << 10) + 1, 1 << 20];
    let pairs = [0, 4 << 10, 200 << 10, 2 << 20]
        .into_iter()
        .flat_map(|before| lengths.map(|after| (before, after)));
    for (before, after) in sample::every(5, pairs) {
        let plain = "plain\ttext of ASCII\r\n".repeat(before / 22);
        let mut input = plain.into_bytes();
        if before > 0 {
            input.extend(b"denied: \x07\n");
        }
        input.extend(cyrillic.iter().cycle().take(after));
        input.extend(b"\xFF\xFE end");
        let cuts: Vec<usize> = (0..input.len()).step_by(70_001).collect();
        for (detail, denied) in [
            (Detail::Findings, &[][..]),
            (Detail::Evidence, &[DeniedKind::Control]),
            (Detail::Context, &[DeniedKind::Control]),
        ] {
            let with = |it: Options| it.detail(detail).deny(denied.iter().copied());
            let auto = detected("UTF-16LE").with(with);
            let expected = convert(&strict("windows-1251", "UTF-16LE").with(with), &input);
            for cuts in [&[][..], &[input.len() - 1], &cuts] {
                for late_end in [false, true] {
                    let mut got = convert_cut(&auto, &input, cuts, late_end);
                    let detection = got.summary.detected.take().unwrap();
                    assert_eq!(detection.encoding, encoding("windows-1251"));
                    // Findings in the ASCII part name UTF-8: no other encoding was known yet.
                    got.found.iter_mut().for_each(|found| found.encoding = "windows-1251");
                    same(&got, &expected, || format!("{before} {after} {detail:?} {cuts:?}"));
                }
            }
        }
    }
}

#[test]
fn every_split_point_of_a_text_with_the_mark_of_another_encoding() {
    for (from, input, found) in [
        ("UTF-8", &b"\xFF\xFEa\0\x3D\xD8\0\xDE\n\0"[..], true),
        ("UTF-8", b"\0\0\xFE\xFF\0\0\0a", true),
        ("windows-1252", b"\xFE\xFF\0a\0\n", true),
        ("UTF-16", b"\xFF\xFE\0\0a\0\0\0", true),
        ("UTF-16", b"\xFF\xFEa\0", false),
        ("UTF-8", b"\xFF\xFE\0\xD8", false),
        ("UTF-8", b"\xFF", false),
    ] {
        let conversion = strictly(encoding(from), None).with(|it| {
            it.on_ill_formed(OnIllFormed::Replace).on_foreign_mark(OnForeignMark::Report)
        });
        let whole = convert(&conversion, input);
        assert_eq!(whole.found.first().map(|found| found.id) == Some("other-encoding"), found);
        every_split(&conversion, input, 0);
    }
}

#[test]
fn a_reader_that_hands_out_pieces() {
    for (from, input) in INPUTS {
        let mode = with(from, "UTF-16LE", OnIllFormed::Replace, OnUnmappable::Replace);
        let whole = convert(&mode, input);
        for at in 0..=input.len() {
            let got = convert_pieces(&mode, &[&input[..at], &input[at..]]);
            same(&got, &whole, || format!("{from} {input:X?} cut at {at}"));
        }
        let bytes: Vec<&[u8]> = input.chunks(1).collect();
        same(&convert_pieces(&mode, &bytes), &whole, || format!("{from} {input:X?} byte by byte"));
    }
}

#[test]
fn the_byte_after_a_finding_is_there_however_the_text_is_cut() {
    for (from, input) in INPUTS {
        let mode = with(from, "UTF-8", OnIllFormed::Replace, OnUnmappable::Replace);
        let (_, whole) = run(&mode, &mut Cut::new(input, &[], false));
        for at in 1..input.len() {
            for cuts in [&[at][..], &[1, at]] {
                let (_, next) = run(&mode, &mut Cut::new(input, cuts, false));
                assert_eq!(next, whole, "{from} {input:X?} cut at {cuts:?}");
            }
        }
    }
}

/// Collects findings with their contexts, as text.
#[derive(Default)]
struct Contexts(Vec<String>);

impl Reporter for Contexts {
    fn finding(&mut self, finding: &Finding<'_>) -> std::io::Result<()> {
        self.0.push(format!("{finding:?}"));
        Ok(())
    }
}

/// Asserts that `text` has exactly one finding, with the same context at every split.
fn assert_context(conversion: &Conversion, text: &[u8]) {
    let contexts = |cuts: &[usize]| {
        let (mut sink, mut contexts) = (std::io::sink(), Contexts::default());
        let mut transcoder = Transcoder::new(conversion, &mut sink);
        transcoder.input(&mut Cut::new(text, cuts, true), &mut contexts).unwrap();
        contexts.0
    };
    let whole = contexts(&[]);
    assert_eq!(whole.len(), 1);
    for cut in 1..text.len() {
        assert_eq!(contexts(&[cut]), whole, "{cut}");
    }
    assert_eq!(contexts(&(1..text.len()).collect::<Vec<_>>()), whole);
}

#[test]
fn the_context_of_a_mark_does_not_depend_on_the_split() {
    let text = [&b"\xEF\xBB\xBF"[..], &b"ab\n".repeat(200)].concat();
    for (marks, text) in [(MarkMode::Require, &text[3..]), (MarkMode::Forbid, &text)] {
        let conversion = strict("UTF-8", "UTF-8");
        assert_context(&conversion.with(|it| it.marks(marks).detail(Detail::Context)), text);
    }
}

#[test]
fn the_context_of_ill_formed_bytes_does_not_depend_on_the_split() {
    let around = "aé€😀 ".repeat(20);
    let utf8 = [around.as_bytes(), b"\xE2\x82", around.as_bytes()].concat();
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let utf16 = [&wide(&around)[..], b"\x3D\xD8", &wide(&around)].concat();
    let kana = b"\x1B$B$3$s\x1B(B ab".repeat(20);
    let iso2022 = [&kana[..], b"\xFF", &kana].concat();
    for (from, text) in [("UTF-8", utf8), ("UTF-16LE", utf16), ("ISO-2022-JP", iso2022)] {
        let conversion = with(from, "UTF-8", OnIllFormed::Replace, OnUnmappable::Replace);
        assert_context(&conversion.with(|it| it.detail(Detail::Context)), &text);
    }
}

/// A finding that is shown in its context is held back until the text after it has arrived. Each encoding is tested
/// with bytes that are mostly ill-formed, split so that the engine has to wait at each of these bytes.
///
/// A stateful decoder once judged a sequence twice after such a wait, so that the next finding was lost in UTF-7 and
/// others.
#[test]
fn findings_that_wait_for_their_context_are_the_same() {
    /// A finding is reported only once this many bytes after it are in memory: 128 to decide the sequence, and 128 of
    /// context.
    const AHEAD: usize = 256;
    let mut random = Random(20);
    let utf7 = b"Z\xC3&AAAA\\u00e9 +AAA\\x &AAAA,\xFF-";
    let scsu =
        [&[0x1B; 47][..], b"\0\0a", &[0x1B; 137], b"\xCA\x1B\0\xAB\xAB", &[0x1B; 90]].concat();
    for encoding in Encoding::all().filter(|it| !it.is_single_byte()) {
        let mut bytes = || random.number().to_le_bytes();
        let mut texts = vec![[bytes(), bytes()].concat()];
        match encoding.name() {
            "UTF-7" | "UTF-7-IMAP" => texts.push(utf7.to_vec()),
            "SCSU" => texts.push(scsu.clone()),
            _ => {}
        }
        for text in texts {
            let conversion =
                with(encoding.name(), "UTF-8", OnIllFormed::Replace, OnUnmappable::Replace);
            let input = [&text[..], &[b'0'; 2 * AHEAD]].concat();
            let found = |detail, cuts: &[usize]| {
                let conversion = conversion.with(|it| it.detail(detail));
                let (mut output, mut all) = (Vec::new(), All::default());
                let mut transcoder = Transcoder::new(&conversion, &mut output);
                transcoder.input(&mut Cut::new(&input, cuts, true), &mut all).unwrap();
                transcoder.finish().unwrap();
                (output, all.0)
            };
            let whole = found(Detail::Context, &[]);
            let without = found(Detail::Findings, &[]);
            let mut detached: Vec<_> = whole.1.iter().map(Finding::detached).collect();
            // Details of an unmappable character are looked up only if the reporter shows them.
            for finding in detached.iter_mut().filter(|it| it.kind == Kind::Unmappable) {
                finding.details = Details::None;
            }
            assert!(without == (whole.0.clone(), detached), "{}", encoding.name());
            for cut in AHEAD..=AHEAD + text.len() {
                let what = || format!("{} {}, {cut}", encoding.name(), text.escape_ascii());
                assert!(found(Detail::Context, &[cut]) == whole, "{}", what());
            }
        }
    }
}

/// Parts in the fallback and damaged parts are converted as a whole, outside of the engine, so they wait separately.
#[test]
fn findings_in_long_parts_wait_for_their_context_too() {
    let fallback = Encoding::for_name("windows-1252").unwrap();
    let plain = with("UTF-8", "US-ASCII", OnIllFormed::Replace, OnUnmappable::Replace);
    let stray = plain.with(|it| it.fallback(fallback));
    let damaged = plain.with(|it| it.on_mojibake(OnMojibake::Repair));
    for (conversion, part) in [(stray, &b"\xE9"[..]), (damaged, "Ã©".as_bytes())] {
        let input = [b"caf\xC3\xA9 ", &part.repeat(6000)[..], &[b' '; 400]].concat();
        let found = |cuts: &[usize]| {
            let conversion = conversion.with(|it| it.detail(Detail::Context));
            let (mut output, mut all) = (Vec::new(), All::default());
            let mut transcoder = Transcoder::new(&conversion, &mut output);
            transcoder.input(&mut Cut::new(&input, cuts, true), &mut all).unwrap();
            transcoder.finish().unwrap();
            (output, all.0)
        };
        let whole = found(&[]);
        assert!(whole.1.len() > 1, "{conversion:?}");
        for step in [997, 4096, 4300] {
            let cuts: Vec<_> = (1..input.len()).step_by(step).collect();
            let cut = found(&cuts);
            for (a, b) in cut.1.iter().zip(&whole.1) {
                assert!(a == b, "{conversion:?} {step}: {} at {}", b.kind.id(), b.offset);
            }
            assert!(cut == whole, "{conversion:?} {step}");
        }
    }
}

/// Bytes inserted into UTF-16 or UTF-32, or lost from it, are recognized by the text on both sides, which a split must
/// not hide.
#[test]
fn every_split_point_of_a_repaired_text_in_wide_units() {
    let lines = "Привет, мир\r\nแบบชื่อ\r\n中文上下\r\nnaïve café\r\n";
    let changed = |text: &[u8]| -> Vec<u8> {
        let bytes = text
            .iter()
            .map(|byte| if *byte == b'\n' { &b"\r\n"[..] } else { std::slice::from_ref(byte) });
        bytes.collect::<Vec<_>>().concat()
    };
    for name in ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"] {
        let conversion = strict(name, "UTF-8").with(|it| it.on_mojibake(OnMojibake::Repair));
        let replacing = with(name, "UTF-8", OnIllFormed::Replace, OnUnmappable::Replace);
        let replacing = replacing.with(|it| it.on_mojibake(OnMojibake::Repair));
        let text = encode(lines, name);
        let long = encode(&lines.repeat(7), name);
        for input in [
            changed(&text),
            text.iter().copied().filter(|byte| *byte != b'\r').collect(),
            text[1..].to_vec(),
            [&text, &b"appended\r\nand \xC3\xA9\r\n"[..], &text].concat(),
            [b"a head\r\n", &text[..]].concat(),
            [&long, &b"appended\r\n"[..]].concat(),
            [&text, &b"\r\n\n\n"[..]].concat(),
            [&text, &[0x1A; 12][..]].concat(),
        ] {
            every_cut(&conversion, &input);
            every_cut(&replacing, &input);
        }
    }
}

#[derive(Default)]
struct All(Vec<Finding<'static>>);

impl Reporter for All {
    fn finding(&mut self, finding: &Finding<'_>) -> std::io::Result<()> {
        self.0.push(finding.clone().into_owned());
        Ok(())
    }
}

#[test]
fn notes_stand_among_the_findings_in_the_order_of_their_offsets() {
    let strict = with("UTF-8", "US-ASCII", OnIllFormed::Replace, OnUnmappable::Replace);
    let conversion = strict.with(|it| it.on_inner_mark(OnInnerMark::Note));
    let outcome = convert(&conversion, b"a\xC3\xA9b\xEF\xBB\xBFc\xC3\xA9");
    let ids: Vec<_> = outcome.found.iter().map(|found| (found.id, found.offset)).collect();
    assert_eq!(ids, [("unmappable", 1), ("bom-inside", 4), ("unmappable", 4), ("unmappable", 8)]);
}

/// A reader of pieces, each given with its conversion. Before it yields the next one, it asserts that the conversions
/// of those before have been written.
struct Watching<'a> {
    pieces: std::vec::IntoIter<(&'a [u8], &'a [u8])>,
    output: std::rc::Rc<std::cell::RefCell<Vec<u8>>>,
    awaited: Vec<u8>,
}

impl std::io::Read for Watching<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let written = self.output.borrow();
        assert_eq!(*written, self.awaited, "read again before all output was written");
        let Some((piece, converted)) = self.pieces.next() else { return Ok(0) };
        buffer[..piece.len()].copy_from_slice(piece);
        self.awaited.extend(converted);
        Ok(piece.len())
    }
}

struct Shared(std::rc::Rc<std::cell::RefCell<Vec<u8>>>);

impl std::io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn what_a_pipe_gave_is_written_before_the_next_read() {
    for (from, pieces) in [
        (
            "UTF-8",
            vec![(&b"a\n"[..], &b"a\n"[..]), (b"b\xE2\x82", b"b"), (b"\xACc", "€c".as_bytes())],
        ),
        ("US-ASCII", vec![(b"a\n", b"a\n"), (b"b", b"b")]),
        ("UTF-16", vec![(b"\xFF\xFE", b""), (b"a\0\x3D", b"a"), (b"\xD8\0\xDE", "😀".as_bytes())]),
        ("UTF-16LE", vec![(b"a\0\n\0", b"a\n"), (b"b\0", b"b")]),
    ] {
        let output = std::rc::Rc::default();
        let reader = Watching {
            pieces: pieces.into_iter(),
            output: std::rc::Rc::clone(&output),
            awaited: Vec::new(),
        };
        let conversion = with(from, "UTF-8", OnIllFormed::Stop, OnUnmappable::Stop);
        let mut sink = Shared(output);
        let mut transcoder = Transcoder::new(&conversion, &mut sink);
        transcoder.input(&mut ReadSource::new(reader), &mut Silent).unwrap();
        transcoder.finish().unwrap();
    }
}

/// Boundaries of internal buffers: 1 MiB is two blocks of a file, 256 KiB is the buffer of a stream, both in bytes. A
/// run of the engine has 4,096 code points.
const WINDOW: usize = 1024 * 1024;
const BUFFER: usize = 256 * 1024;
const PIVOT: usize = 4096;

/// Returns the places of the findings once `chars` characters, which are `bytes` bytes, precede the first line.
fn moved(short: &Outcome, bytes: usize, chars: usize) -> Vec<(&'static str, u64, usize, u64, u64)> {
    let place = |(kind, offset, len, line, column)| {
        let column = if line == 1 { column + chars as u64 } else { column };
        (kind, offset + bytes as u64, len, line, column)
    };
    short.places().into_iter().map(place).collect()
}

const OVER_EDGES: &[(&str, &[u8])] = &[
    ("UTF-8", b"\xF0\x9F\x98\x80\xE4\xBA\x8C\xC3\xA9"),
    ("UTF-8", b"\xF0\x9F\x98\xE2\x82\n\xFF\xED\xA0\x80\xF0\x9F"),
    ("UTF-16BE", b"\xD8\x3D\xDE\0\xD8\x3D\xD8\x3D\xDE\0\xDE\0\0"),
    ("UTF-16LE", b"\x3D\xD8\0\xDE\x3D\xD8\x3D\xD8\0\xDE\0\xDE\0"),
    ("UTF-32BE", b"\0\x01\xF6\0\0\0\xD8\0\0\0\0\n\0\x11\0\0\0\0\0"),
];

/// Runs `check` on each of [`OVER_EDGES`] with ASCII in front of it, from four characters less than reach the boundary
/// to four more.
fn over(
    edges: &[usize],
    in_characters: bool,
    mut check: impl FnMut(&str, &[u8], usize, &[u8], usize),
) {
    for (from, tail) in OVER_EDGES {
        let unit = encoding(from).unit();
        for edge in edges {
            let edge = if in_characters { *edge } else { edge / unit };
            for chars in edge - 4..=edge + 4 {
                let bytes = chars * unit;
                let input = [encode(&"x".repeat(chars), from), tail.to_vec()].concat();
                check(from, tail, chars, &input, bytes);
            }
        }
    }
}

#[test]
fn over_the_edge_of_a_run_of_code_points() {
    over(&[PIVOT, 2 * PIVOT], true, |from, tail, chars, input, bytes| {
        for to in ["UTF-8", "UTF-16BE", "ISO-8859-1"] {
            for mode in modes(from, to) {
                let short = convert(&mode, tail);
                let long = convert(&mode, input);
                assert_eq!(long.places(), moved(&short, bytes, chars), "{mode:?} after {chars}");
                let head = encode(&"x".repeat(chars), to);
                assert!(long.output == [head, short.output].concat(), "{mode:?} after {chars}");
            }
        }
    });
}

#[test]
fn over_the_edges_of_the_stream_buffer_and_of_the_map_window() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("text");
    over(&[BUFFER, WINDOW], false, |from, tail, chars, input, bytes| {
        let mode = with(from, "UTF-8", OnIllFormed::Replace, OnUnmappable::Replace);
        let short = convert(&mode, tail);
        let head = "x".repeat(chars).into_bytes();
        let output = [head, short.output.clone()].concat();
        std::fs::write(&path, input).unwrap();
        let mapped = run_file(&mode, &path);
        for (way, long) in [("mapped", mapped), ("read", convert_pieces(&mode, &[input]))] {
            assert_eq!(long.places(), moved(&short, bytes, chars), "{from} {way}, after {chars}");
            assert!(long.output == output, "{from} {way}, after {chars}");
            assert_eq!(long.summary.bytes_read, input.len() as u64);
        }
    });
}

/// Converts a file as the program reads it (in blocks, from 256 KiB on), or with the reader of the library alone.
fn run_file(mode: &Conversion, path: &std::path::Path) -> Outcome {
    #[cfg(feature = "cli")]
    let mut source = Input::open(path, Access::default()).unwrap().source;
    #[cfg(not(feature = "cli"))]
    let mut source = Box::new(ReadSource::of_file(std::fs::File::open(path).unwrap()));
    run(mode, &mut *source).0
}

#[test]
fn lines_are_counted_over_all_edges() {
    // 2.5 MiB of lines of 77 bytes, each with an ill-formed byte before its line feed.
    let line = [&[b'y'; 75][..], b"\xFF\n"].concat();
    let lines = 5 * WINDOW / 2 / line.len();
    let input = line.repeat(lines);
    let mode = with("UTF-8", "UTF-16LE", OnIllFormed::Replace, OnUnmappable::Replace);
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &input).unwrap();
    let expected: Vec<_> =
        (0..lines as u64).map(|line| ("invalid-byte", line * 77 + 75, 1, line + 1, 76)).collect();
    let mapped = run_file(&mode, file.path());
    assert!(mapped.places() == expected);
    assert!(convert_pieces(&mode, &[&input]) == mapped);
    let odd: Vec<&[u8]> = input.chunks(65_537).collect();
    assert!(convert_pieces(&mode, &odd) == mapped);
}

#[cfg(feature = "cli")]
mod program {
    use std::io::Write as _;
    use std::process::{Command, Output, Stdio};

    use super::*;

    fn program(arguments: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"));
        command.args(arguments).env_remove("CLICOLOR_FORCE");
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn said(output: &Output, name: &str) -> String {
        String::from_utf8_lossy(&output.stderr).replace(name, "NAME")
    }

    /// Removes the hints. They differ for a pipe: after a finding that stops the conversion, a file is read on for
    /// evidence, while a pipe is not, because it may block.
    fn without_hints(said: &str) -> String {
        let is_hint = |line: &&str| {
            line.starts_with("oxiconv: NAME: ")
                && (line.contains("(try ") || line.contains("the rest was not read"))
        };
        said.split_inclusive('\n').filter(|line| !is_hint(line)).collect()
    }

    fn piped(arguments: &[&str], pieces: &[&[u8]], pause: std::time::Duration) -> Output {
        let mut child = program(arguments).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let output = std::thread::scope(|scope| {
            scope.spawn(move || {
                for piece in pieces {
                    // The pipe is closed early if the conversion stops at a finding.
                    if stdin.write_all(piece).and_then(|()| stdin.flush()).is_err() {
                        return;
                    }
                    std::thread::sleep(pause);
                }
            });
            child.wait_with_output()
        });
        output.unwrap()
    }

    #[test]
    fn the_program_reads_a_map_a_file_on_its_standard_input_and_a_pipe_alike() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("text");
        let name = path.to_str().unwrap();
        for (from, tail) in OVER_EDGES {
            for (chars, mode) in [
                (BUFFER - 3, "replace"),
                (WINDOW - 2, "report"),
                (WINDOW + 1, "strict"),
                (BUFFER, "skip"),
                (9, "escape"),
            ] {
                let head = encode(&"x".repeat(chars / encoding(from).unit()), from);
                let input = [&head[..], tail].concat();
                std::fs::write(&path, &input).unwrap();
                let arguments = ["-f", from, "-t", "utf-8", "-e", mode, "--stats"];
                let file = program(&[&arguments[..], &[name]].concat()).output().unwrap();
                let stdin = program(&arguments)
                    .stdin(std::fs::File::open(&path).unwrap())
                    .output()
                    .unwrap();
                let pieces: Vec<&[u8]> = input.chunks(10_007).collect();
                let pipe = piped(&arguments, &pieces, std::time::Duration::ZERO);
                for (way, other, label) in [
                    ("standard input", stdin, "(standard input)"),
                    ("pipe", pipe, "(standard input)"),
                ] {
                    let what = format!("{from}, {mode}, {chars} characters, {way}");
                    assert!(other.stdout == file.stdout, "{what}");
                    let (said, of_file) = (said(&other, label), said(&file, name));
                    if way == "pipe" {
                        assert_eq!(without_hints(&said), without_hints(&of_file), "{what}");
                    } else {
                        assert_eq!(said, of_file, "{what}");
                    }
                    assert_eq!(other.status.code(), file.status.code(), "{what}");
                }
            }
        }
    }

    #[test]
    fn a_slow_pipe_cut_at_every_place() {
        let pause = std::time::Duration::from_millis(2);
        for (from, input) in sample::every(4, INPUTS) {
            let arguments = ["-f", from, "-t", "utf-8", "-e", "report"];
            let whole = piped(&arguments, &[input], std::time::Duration::ZERO);
            let check = |pieces: &[&[u8]]| {
                let cut = piped(&arguments, pieces, pause);
                assert_eq!(cut, whole, "{from} {input:X?} as {pieces:X?}");
            };
            (1..input.len()).for_each(|at| check(&[&input[..at], &input[at..]]));
            check(&input.chunks(1).collect::<Vec<_>>());
        }
    }

    /// Threads convert a file in pieces of 512 KiB. Ill-formed bytes are placed across the boundaries between pieces,
    /// where a boundary would divide a sequence.
    #[test]
    fn any_number_of_threads_gives_the_same() {
        const PIECE: usize = 512 * 1024;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("large");
        let run = |args: &[&str], jobs: &str| {
            let output = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
                .args(args)
                .args(["--stats", "--max-reports", "0", "-j", jobs])
                .arg(&path)
                .output()
                .unwrap();
            (output.status.code(), output.stdout, String::from_utf8(output.stderr).unwrap())
        };
        let text: Vec<u8> = "grüße, привет\n你好 😀 ok\n".bytes().cycle().take(5 << 20).collect();
        /// Bytes that overwrite the text, and at which offset.
        type Faults = Vec<(usize, &'static [u8])>;
        let faults: [(&str, Faults); 4] = [
            ("clean", vec![]),
            ("one late", vec![(4 * PIECE + 77, b"\xFF")]),
            (
                "at the edges",
                (2..9)
                    .map(|piece| {
                        (piece * PIECE - 3, &b"\xF0\x9F\x98\xE2\x82\x80\x80\x80\x80\x80"[..])
                    })
                    .collect(),
            ),
            ("at the end", vec![((5 << 20) - 3, b"\xF0\x9F\x98")]),
        ];
        const ARGUMENTS: [&[&str]; 9] = [
            &["-t", "utf-16le"],
            &["-t", "utf-16", "-e", "report"],
            &["-e", "replace", "-t", "utf-32be"],
            &["-e", "report", "-t", "koi8-r"],
            &["--check"],
            &["-f", "utf-16le", "-e", "replace"],
            &["-f", "utf-16", "-e", "replace"],
            &["-f", "gb18030", "-e", "replace"],
            &["-f", "latin1"],
        ];
        let pairs = (0..faults.len()).flat_map(|of| ARGUMENTS.map(|args| (of, args)));
        let pairs = sample::every(8, pairs);
        for (number, (what, faults)) in faults.into_iter().enumerate() {
            let mut bytes = text.clone();
            for (at, fault) in faults {
                bytes[at..at + fault.len()].copy_from_slice(fault);
            }
            std::fs::write(&path, &bytes).unwrap();
            for (_, args) in pairs.iter().filter(|(of, _)| *of == number) {
                let mut one = run(args, "1");
                assert_eq!(run(args, "3"), one, "{what} {args:?}");
                // A pipe that is always full is read ahead by a separate thread.
                let args = [&["--stats", "--max-reports", "0", "-j", "3"][..], args].concat();
                let piped = piped(&args, &[&bytes], std::time::Duration::ZERO);
                let said = said(&piped, "(standard input)");
                if one.1.len() < 10_000 {
                    // So short an output is the report of --check, which names the input.
                    let findings = String::from_utf8(one.1).unwrap();
                    one.1 = findings.replace(path.to_str().unwrap(), "(standard input)").into();
                }
                assert!(piped.stdout == one.1, "{what} {args:?} from a pipe");
                // This note is only printed for files, which could be converted in place.
                let note = |line: &&str| !line.contains(": the input is already valid UTF-8");
                let of_file: Vec<_> = one.2.split_inclusive('\n').filter(note).collect();
                let of_file = of_file.concat().replace(path.to_str().unwrap(), "NAME");
                assert_eq!(without_hints(&said), without_hints(&of_file), "{what} {args:?}");
                assert_eq!(piped.status.code(), one.0, "{what} {args:?} from a pipe");
            }
        }
    }
}

/// D8 00 DC 0D is U+1000D, and the 0A after it is half a code unit. Together 0D 0A look like a line ending in single
/// bytes that interrupts UTF-16. The search for such interruptions once found one here, within the pair: the engine
/// stopped before the pair, and the end of the text was lost without a finding.
#[test]
fn no_pair_is_interrupted() {
    for before in [&b""[..], b"\x80\x12", &b"\0a".repeat(100)] {
        let input = [before, b"\xD8\x00\xDC\x0D\x0A"].concat();
        let conversion = strict("UTF-16BE", "UTF-8");
        let whole = convert(&conversion, &input);
        assert!(whole.summary.stopped);
        assert_eq!(whole.summary.bytes_read, input.len() as u64 - 1);
        assert!(whole.output.ends_with("\u{1000D}".as_bytes()));
        for cut in 1..input.len() {
            assert_eq!(convert_cut(&conversion, &input, &[cut], true), whole, "{cut}");
        }
    }
}
