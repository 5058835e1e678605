use super::*;
use crate::diagnostic::Silent;
use crate::io::ReadSource;
use crate::{NewlineMode, OnIllFormed, OnUnmappable, Options, Transcoder};
use oxiconv_encodings::encoding::Encoding;

fn conversion(from: &str, to: &str) -> Conversion {
    Options::new()
        .on_ill_formed(OnIllFormed::Replace)
        .on_unmappable(OnUnmappable::Escape)
        .build(Encoding::for_name(from).unwrap(), Encoding::for_name(to).unwrap())
        .unwrap()
}

fn observed(conversion: &Conversion, input: &[u8], observer: &mut dyn Observer) -> Vec<u8> {
    let mut output = Vec::new();
    let mut transcoder = Transcoder::new(conversion, &mut output).observed_by(observer);
    transcoder
        .input(&mut ReadSource::of_file(input), &mut Silent)
        .or_else(Error::into_summary)
        .unwrap();
    transcoder.finish().unwrap();
    output
}

fn difference(conversion: &Conversion, input: &[u8], result: &[u8]) -> Option<Difference> {
    let mut result = ReadSource::of_file(result);
    let mut comparison = Comparison::new(conversion, &mut result).unwrap();
    observed(conversion, input, &mut comparison);
    comparison.finish().unwrap()
}

/// Computes the fingerprints of what was to be written and of the result.
fn fingerprints(
    conversion: &Conversion,
    input: &[u8],
    result: &[u8],
) -> (TextFingerprint, Option<TextFingerprint>) {
    let mut wanted = TextFingerprint::default();
    observed(conversion, input, &mut wanted);
    let mut result = ReadSource::of_file(result);
    (wanted, TextFingerprint::of_result(conversion, &mut result).unwrap())
}

/// Whether a target writes a character as a control, as tables of glibc do for letters that the charset lacks.
fn becomes_a_control(lost: u32, to: &'static Encoding) -> bool {
    let options = Options::new();
    let written =
        crate::in_memory::convert(&lost.to_be_bytes(), Encoding::UTF_32BE, to, &options).unwrap().0;
    let read = crate::in_memory::convert(&written, to, Encoding::UTF_32BE, &options).unwrap().0;
    read.as_chunks().0.iter().any(|one| is_control(u32::from_be_bytes(*one)))
}

/// For any target, with marks and remedies: the result is what was to be written, except for a character for which the
/// target has a control.
#[test]
fn no_result_of_ours_differs_from_itself() {
    let text = "a&é \\ ß€😀\u{FEFF}\u{301}日本\r\n\u{D7FF}~+ợ £¥‾\u{E000}".repeat(40);
    for to in Encoding::all() {
        let from_utf8 = conversion("UTF-8", to.name());
        for input in [text.as_bytes(), b"", b"caf\xE9 \xFF"] {
            let output = observed(&from_utf8, input, &mut TextFingerprint::default());
            match difference(&from_utf8, input, &output) {
                Some(Difference { lost: Some(lost), .. }) => {
                    assert!(becomes_a_control(lost, to), "{}: {lost:X}", to.name());
                }
                found => assert_eq!(found, None, "{}", to.name()),
            }
        }
        // Values above 10FFFF, and pairs of surrogates that are two characters of the input.
        let conversion = conversion("UTF-8-65BIT", to.name());
        let large =
            [&b"a\xFD\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8A\x8Bb"[..], b"\xE3\x9A\x81"].concat();
        let output = observed(&conversion, &large, &mut TextFingerprint::default());
        assert_eq!(difference(&conversion, &large, &output), None, "{}", to.name());
    }
}

/// Wherever CR LF falls in the buffer of the output, also when CR is the last that fits, both are observed.
#[test]
fn a_line_end_that_is_cut_by_a_full_buffer_is_observed_whole() {
    let latin1 = Encoding::ISO_8859_1;
    for to in [Encoding::UTF_8, latin1, Encoding::UTF_16LE, Encoding::UTF_32BE] {
        let options = Options::new().write_newlines(NewlineMode::Both);
        let conversion = options.build(latin1, to).unwrap();
        for line in 0..24 {
            // Lines of 24 characters, of which one ends next to each multiple of a power of two, in the text as in the
            // output: CR is the last of a run, and there is no room for LF.
            let text = [&[b'x'; 24][line..], &b"0123456789012345678901\r\n".repeat(2048)].concat();
            let wanted = String::from_utf8(text.clone()).unwrap();
            let mut seen = Seen::default();
            observed(&conversion, &text, &mut seen);
            assert!(seen.0.iter().copied().eq(wanted.chars().map(u32::from)), "{line}");
        }
    }
}

/// All characters that an observer is shown.
#[derive(Default)]
struct Seen(Vec<CodePoint>);

impl Observer for Seen {
    fn run(&mut self, run: &[CodePoint]) {
        self.0.extend_from_slice(run);
    }

    fn large(&mut self, _: CodeValue) {
        unreachable!("no value is that large")
    }
}

/// C99 cannot write a backslash that would begin an escape. Such a text is lost, and that is reported.
#[test]
fn what_an_encoding_cannot_hold_is_a_difference() {
    let conversion = conversion("UTF-8", "C99");
    let input = b"ab\\u00e9";
    let output = observed(&conversion, input, &mut TextFingerprint::default());
    assert_eq!(output, input);
    let found = difference(&conversion, input, &output);
    assert_eq!(found, Some(Difference { offset: 2, character: 3, lost: None }));
}

#[test]
fn fingerprints_agree_where_the_characters_do() {
    let text = "a é 日本 😀\n".repeat(3000);
    for to in ["UTF-8", "UTF-16", "UTF-32BE", "GB18030", "UTF-7", "SCSU", "windows-1252", "HTML"] {
        let conversion = conversion("UTF-8", to);
        let output = observed(&conversion, text.as_bytes(), &mut TextFingerprint::default());
        let (wanted, got) = fingerprints(&conversion, text.as_bytes(), &output);
        assert_eq!(got, Some(wanted), "{to}");
        for at in [0, output.len() / 2, output.len() - 1] {
            let mut bad = output.clone();
            bad[at] ^= 1;
            assert_ne!(
                fingerprints(&conversion, text.as_bytes(), &bad).1,
                Some(wanted),
                "{to} {at}"
            );
        }
        for short in [0, 1, output.len() - 1] {
            let got = fingerprints(&conversion, text.as_bytes(), &output[..short]).1;
            assert_ne!(got, Some(wanted), "{to} cut at {short}");
        }
        let twice = [&output[..], &output].concat();
        assert_ne!(
            fingerprints(&conversion, text.as_bytes(), &twice).1,
            Some(wanted),
            "{to} twice"
        );
    }
}

/// Fingerprints do not depend on how the characters are split into runs.
#[test]
fn a_fingerprint_depends_on_the_order_and_not_on_the_pieces() {
    let of = |runs: &[&[CodePoint]]| {
        let mut fingerprint = TextFingerprint::default();
        runs.iter().for_each(|run| fingerprint.run(run));
        fingerprint
    };
    let all: Vec<CodePoint> = (0..40).collect();
    for cut in 0..all.len() {
        for second in cut..all.len() {
            let pieces = [&all[..cut], &all[cut..second], &all[second..]];
            assert_eq!(of(&pieces), of(&[&all]), "{cut} {second}");
        }
    }
    for swapped in 0..39 {
        let mut other = all.clone();
        other.swap(swapped, swapped + 1);
        assert_ne!(of(&[&other]), of(&[&all]), "{swapped}");
        other = all.clone();
        other.remove(swapped);
        assert_ne!(of(&[&other]), of(&[&all]), "{swapped}");
    }
    assert_ne!(of(&[&[1, 2]]), of(&[&[2, 1]]));
    assert_ne!(of(&[&[]]), of(&[&[0]]));
    assert_ne!(of(&[&[0]]), of(&[&[0, 0]]));
}

#[test]
fn a_difference_has_its_place() {
    let conversion = conversion("ISO-8859-1", "UTF-8");
    let input = b"ab\xE9cd";
    let good = "abécd".as_bytes();
    assert_eq!(difference(&conversion, input, good), None);
    for (result, offset, character) in [
        (&b"Xb\xC3\xA9cd"[..], 0, 1),
        (b"ab\xC3\xA8cd", 2, 3),
        (b"ab\xC3\xA9cX", 5, 5),
        (b"ab\xC3\xA9c", 5, 5),
        (b"ab\xC3\xA9cde", 6, 6),
        (b"ab\xFF\xA9cd", 2, 3),
        (b"", 0, 1),
        (b"abcd", 2, 3),
    ] {
        let found = difference(&conversion, input, result);
        assert_eq!(found, Some(Difference { offset, character, lost: None }), "{result:X?}");
    }
}

/// A character that a table writes and reads back as another is no difference; any other change is one.
#[test]
fn one_way_entries_compare_as_they_read_back() {
    // As in glibc's CP932 (IBM943's yen sign): U+00A5 is written as 5C, which reads as a backslash.
    let to_cp932 = conversion("UTF-8", "CP932");
    let input = "100¥\n".as_bytes();
    let output = observed(&to_cp932, input, &mut TextFingerprint::default());
    assert_eq!(output, b"100\x5C\n");
    let (wanted, got) = fingerprints(&to_cp932, input, &output);
    assert_ne!(got, Some(wanted), "the fingerprints report_character them apart");
    assert_eq!(difference(&to_cp932, input, &output), None);
    let found = difference(&to_cp932, input, b"100\x5B\n");
    assert_eq!(found, Some(Difference { offset: 3, character: 4, lost: None }));
    // A letter and its tone mark, which windows-1258 reads as one character.
    let to_1258 = conversion("UTF-8", "windows-1258");
    let input = "xa\u{301}y".as_bytes();
    let output = observed(&to_1258, input, &mut TextFingerprint::default());
    assert_eq!(output, b"xa\xECy");
    assert_eq!(difference(&to_1258, input, &output), None);
    assert_eq!(
        difference(&to_1258, input, b"xa\xCCy"),
        Some(Difference { offset: 1, character: 2, lost: None })
    );
}
