//! Several threads give the same as one, in encodings of every kind that can be split, whatever the shape of the text: with
//! places to split everywhere, far apart, or nowhere.

mod support;

use oxiconv::internals::EncodingInternals;
use std::fs::File;
use std::io::Write;
use std::num::NonZeroUsize;

use oxiconv::internals::diagnostic::{Silent, Summary};
use oxiconv::internals::encoding::{Encoding, SplitRule};
use oxiconv::internals::io::Map;
use oxiconv::internals::transcode::{
    Conversion, OnIllFormed, OnUnmappable, Options, Threads, Transcoder,
};
use support::{Random, With};

/// Bytes of a text: enough to make several threads worthwhile.
const LEN: usize = 7 << 19;

fn conversion(from: &'static Encoding, to: &'static Encoding, threads: usize) -> Conversion {
    let threads = Threads::AtMost(NonZeroUsize::new(threads).expect("not zero"));
    Options::new()
        .on_ill_formed(OnIllFormed::Skip)
        .on_unmappable(OnUnmappable::Skip)
        .threads(threads)
        .build(from, to)
        .unwrap()
}

fn converted(conversion: &Conversion, input: &File) -> (Vec<u8>, Summary) {
    let mut output = Vec::new();
    let mut transcoder = Transcoder::new(conversion, &mut output);
    let mut map = Map::new(input, 0).unwrap();
    let summary = transcoder.input(&mut map, &mut Silent).unwrap();
    transcoder.finish().unwrap();
    (output, summary)
}

fn file(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}

/// Returns random text in UTF-8, made of characters of an encoding: random bytes, decoded leniently.
fn clean(encoding: &'static Encoding, random: &mut Random, keep: impl Fn(&u8) -> bool) -> Vec<u8> {
    let utf8 = support::encoding("UTF-8");
    let bytes: Vec<u8> =
        (0..LEN / 128).flat_map(|_| random.number().to_le_bytes()).filter(keep).collect();
    let (text, _) = converted(&conversion(encoding, utf8, 1), &file(&bytes));
    repeated(&text)
}

/// Repeats a text until it is long enough; its end may be cut inside a character.
fn repeated(text: &[u8]) -> Vec<u8> {
    let mut text = text.repeat(LEN.div_ceil(text.len().max(1)));
    text.truncate(LEN);
    text
}

/// Parts in another encoding are found alike, wherever a piece of the text begins.
#[test]
fn parts_in_another_encoding_are_read_alike() {
    let (utf8, utf16) = (support::encoding("UTF-8"), support::encoding("UTF-16LE"));
    let Ok(fallback) = oxiconv::internals::encoding::find("KOI8-R") else { return };
    let clean = "Съешь же ещё этих мягких французских булок, да выпей чаю.\n";
    for lines in [1, 50, 9000] {
        // ещё: DD A3 is well-formed.
        let part = [clean.repeat(lines).as_bytes(), b"\xC5\xDD\xA3 \xC5\xDD\xA3\n"].concat();
        let text = format!("{}ещё ещё\n", clean.repeat(lines));
        let count = LEN.div_ceil(part.len());
        let input = file(&part.repeat(count));
        for to in [utf8, utf16] {
            let one = conversion(utf8, to, 1).with(|it| it.fallback(fallback));
            let four = conversion(utf8, to, 4).with(|it| it.fallback(fallback));
            let whole = converted(&one, &input);
            assert!(converted(&four, &input) == whole, "{lines} lines");
            assert!(to == utf16 || whole.0 == text.repeat(count).as_bytes(), "{lines} lines");
        }
    }
}

/// Every fourth of them: only their tables differ. `tests/line_cuts.rs` cuts every one.
#[test]
fn single_byte_sets_are_cut_both_ways() {
    cut_both_ways(Encoding::all().filter(|it| it.is_single_byte()).step_by(4), true);
}

#[test]
fn other_encodings_are_cut_both_ways() {
    cut_both_ways(Encoding::all().filter(|it| !it.is_single_byte()), true);
}

/// Without bytes below 30, a multi-byte encoding can be split only at the end.
#[test]
fn multi_byte_encodings_are_cut_both_ways_without_low_bytes() {
    let is_multi_byte = |it: &&Encoding| !it.is_single_byte() && it.unit() == 1;
    cut_both_ways(Encoding::all().filter(is_multi_byte), false);
}

/// Encodings with a state, one of each kind: several threads are allowed, and none may be used.
#[test]
fn what_cannot_be_cut_is_not_cut() {
    let utf8 = support::encoding("UTF-8");
    let text = repeated("これは日本語です。 Hello, Ελλάδα, Việt Nam!\n".as_bytes()).repeat(3);
    for name in ["ISO-2022-JP", "ISO-2022-CN", "HZ", "UTF-7", "SCSU", "IBM930", "UTF-16"] {
        let Ok(encoding) = oxiconv::internals::encoding::find(name) else { continue };
        let (mut encoded, _) = converted(&conversion(utf8, encoding, 1), &file(&text));
        let with_four = converted(&conversion(utf8, encoding, 4), &file(&text)).0;
        assert!(with_four == encoded, "to {name}");
        encoded = repeated(&encoded);
        let one = converted(&conversion(encoding, utf8, 1), &file(&encoded));
        let four = converted(&conversion(encoding, utf8, 4), &file(&encoded));
        assert!(four == one, "from {name}");
    }
}

/// Converts text in each of these encodings that can be cut, from and to UTF-8, with one thread and with four.
fn cut_both_ways(encodings: impl Iterator<Item = &'static Encoding>, low: bool) {
    let utf8 = support::encoding("UTF-8");
    let mut random = Random(1 + u64::from(low));
    for encoding in encodings.filter(|it| it.split() != SplitRule::Never) {
        let keep = |byte: &u8| low || *byte >= 0x30;
        let text = file(&clean(encoding, &mut random, keep));
        let encoded = converted(&conversion(utf8, encoding, 1), &text);
        let words = format!("{}, low bytes: {low}", encoding.name());
        assert!(encoded == converted(&conversion(utf8, encoding, 4), &text), "to {words}");
        // A text in a single-byte encoding is shorter than in UTF-8.
        let bytes = file(&repeated(&encoded.0));
        let decoded = converted(&conversion(encoding, utf8, 1), &bytes);
        assert!(decoded == converted(&conversion(encoding, utf8, 4), &bytes), "from {words}");
    }
}

/// Each byte is a character: they can be split anywhere, whatever the text.
#[test]
fn single_byte_sets_can_be_cut_anywhere() {
    for encoding in Encoding::all() {
        let anywhere = encoding.split() == SplitRule::Units(1);
        assert!(encoding.is_single_byte() || !anywhere, "{}", encoding.name());
        let somewhere = encoding.split() != SplitRule::Never;
        assert!(anywhere || !(encoding.is_single_byte() && somewhere), "{}", encoding.name());
    }
}

/// Faults of every kind, at any place of a piece: they are found, at their places.
#[test]
fn faults_anywhere_have_the_places_that_one_thread_gives_them() {
    let mut random = Random(2);
    for (from, to) in [
        ("UTF-8", "UTF-16LE"),
        ("UTF-8", "ISO-8859-1"),
        ("UTF-16BE", "UTF-8"),
        ("GB18030", "UTF-8"),
        ("UTF-8", "GB18030"),
        ("windows-1252", "UTF-8"),
        ("windows-1258", "UTF-16BE"),
    ] {
        let (utf8, source) = (support::encoding("UTF-8"), support::encoding(from));
        let text = "Grüße, 中文 \u{E9}t\u{E9}\r\n".repeat(LEN / 24);
        let (mut bytes, _) = converted(&conversion(utf8, source, 1), &file(text.as_bytes()));
        for count in [1, 3, 40] {
            for _ in 0..count {
                let place = random.below(bytes.len());
                bytes[place] = random.pick(&[0x81, 0xFF, 0xD8, 0xDC, 0x00]);
            }
            for on_ill_formed in [OnIllFormed::Stop, OnIllFormed::Replace] {
                let input = file(&bytes);
                let outcome = |threads| {
                    let conversion =
                        conversion(source, support::encoding(to), threads).with(|it| {
                            it.on_ill_formed(on_ill_formed).on_unmappable(OnUnmappable::Escape)
                        });
                    support::run(&conversion, &mut Map::new(&input, 0).unwrap()).0
                };
                assert!(outcome(1) == outcome(4), "{from} to {to}, {count} faults");
            }
        }
    }
}

#[test]
fn places_to_cut_that_are_far_apart_or_end() {
    let (from, to) = (support::encoding("GB18030"), support::encoding("UTF-8"));
    let run = |len: usize| "中文".as_bytes().repeat(len / 6);
    for lengths in
        [&[600_000, 1_100_000, 50_000, 3_000_000][..], &[4_000_000, 10, 900_000, 900_000]]
    {
        let text: Vec<u8> =
            lengths.iter().flat_map(|len| [run(*len), b"\n".to_vec()].concat()).collect();
        let (input, _) = converted(&conversion(to, from, 1), &file(&text));
        let input = file(&input);
        let one = converted(&conversion(from, to, 1), &input);
        assert!(one == converted(&conversion(from, to, 4), &input), "{lengths:?}");
        assert!(one.0 == text);
    }
}
