//! Several threads give the same as one, in encodings of every kind that can be split, whatever the shape of the text: with
//! places to split everywhere, far apart, or nowhere.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::num::NonZeroUsize;

use crate::sample;
use crate::support::{Random, With};
use oxiconv::NormalizationForm;
use oxiconv_encodings::encoding::{Encoding, SplitRule};
use oxiconv_transcode::diagnostic::{Finding, Message, Reporter, Silent, Summary};
use oxiconv_transcode::io::{Chunk, Input, Source, Window};
use oxiconv_transcode::{Conversion, OnIllFormed, OnUnmappable, Options, Threads, Transcoder};

/// Bytes of a text: enough to make several threads worthwhile after the first window.
const LEN: usize = 9 << 19;

/// A file that records how many bytes were consumed at once. One thread consumes a block at most, which is less than 1 MiB.
struct Observed {
    source: Box<dyn Source>,
    most: usize,
}

impl Observed {
    fn new(input: &File) -> Self {
        let mut input = input.try_clone().unwrap();
        input.rewind().unwrap();
        Self { source: Input::of(input).unwrap().source, most: 0 }
    }

    /// Whether several threads have converted a part of the text.
    fn was_shared(&self) -> bool {
        self.most > 1 << 20
    }
}

impl Source for Observed {
    fn fill(&mut self, at_least: usize) -> io::Result<Chunk<'_>> {
        self.source.fill(at_least)
    }

    fn consume(&mut self, bytes: usize) {
        self.most = self.most.max(bytes);
        self.source.consume(bytes);
    }

    fn window(&self) -> Option<Box<dyn Window + '_>> {
        self.source.window()
    }

    fn may_block(&self) -> bool {
        self.source.may_block()
    }
}

fn conversion(from: &'static Encoding, to: &'static Encoding, threads: usize) -> Conversion {
    let threads = Threads::AtMost(NonZeroUsize::new(threads).expect("not zero"));
    Options::new()
        .on_ill_formed(OnIllFormed::Skip)
        .on_unmappable(OnUnmappable::Skip)
        .threads(threads)
        .build(from, to)
        .unwrap()
}

/// The same for random bytes, which are no text that something interrupts.
fn of_units(from: &'static Encoding, to: &'static Encoding, threads: usize) -> Conversion {
    conversion(from, to, threads).with(|it| it.keep_units(true))
}

fn converted(conversion: &Conversion, input: &File) -> (Vec<u8>, Summary) {
    convert(conversion, input).0
}

/// Converts a text that several threads must share.
fn shared(conversion: &Conversion, input: &File, what: &str) -> (Vec<u8>, Summary) {
    let (converted, was_shared) = convert(conversion, input);
    assert!(was_shared, "{what}: one thread did all");
    converted
}

/// Converts a text, and returns whether several threads did.
fn convert(conversion: &Conversion, input: &File) -> ((Vec<u8>, Summary), bool) {
    let mut output = Vec::new();
    let mut transcoder = Transcoder::new(conversion, &mut output);
    let mut source = Observed::new(input);
    let summary = transcoder.input(&mut source, &mut Silent).unwrap();
    transcoder.finish().unwrap();
    ((output, summary), source.was_shared())
}

fn file(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}

/// Returns random text in UTF-8, made of characters of an encoding: random bytes, decoded leniently.
fn clean(encoding: &'static Encoding, random: &mut Random, keep: impl Fn(&u8) -> bool) -> Vec<u8> {
    let utf8 = crate::support::encoding("UTF-8");
    let bytes: Vec<u8> =
        (0..LEN / 128).flat_map(|_| random.number().to_le_bytes()).filter(keep).collect();
    let (text, _) = converted(&of_units(encoding, utf8, 1), &file(&bytes));
    repeated(&text)
}

/// Repeats a text until it is long enough; its end may be cut inside a character.
fn repeated(text: &[u8]) -> Vec<u8> {
    let mut text = text.repeat(LEN.div_ceil(text.len().max(1)));
    text.truncate(LEN);
    text
}

/// The note on the byte order depends on the start of the text, not on the thread that converts it.
#[test]
fn a_text_in_the_other_byte_order_gets_its_note_from_any_thread() {
    struct Notes(Vec<String>);
    impl Reporter for Notes {
        fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
            panic!("{finding}");
        }

        fn message(&mut self, message: Message) {
            self.0.push(message.words().to_owned());
        }
    }
    let (utf16, utf8) = (crate::support::encoding("UTF-16"), crate::support::encoding("UTF-8"));
    let little: Vec<u8> = b"plain text\n".iter().flat_map(|byte| [*byte, 0]).collect();
    let input = file(&repeated(&little));
    for threads in [1, 4] {
        let conversion = conversion(utf16, utf8, threads);
        let mut notes = Notes(Vec::new());
        let mut output = Vec::new();
        let mut transcoder = Transcoder::new(&conversion, &mut output);
        let mut source = Observed::new(&input);
        transcoder.input(&mut source, &mut notes).unwrap();
        transcoder.finish().unwrap();
        assert_eq!(source.was_shared(), threads > 1);
        assert_eq!(notes.0.len(), 1, "{threads}: {:?}", notes.0);
        assert!(notes.0[0].starts_with("read as UTF-16"), "{}", notes.0[0]);
    }
}

/// Parts in another encoding are found alike, wherever a piece of the text begins.
#[test]
fn parts_in_another_encoding_are_read_alike() {
    let (utf8, utf16) = (crate::support::encoding("UTF-8"), crate::support::encoding("UTF-16LE"));
    let Ok(fallback) = Encoding::for_name("KOI8-R") else { return };
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
            // If most is damaged, one thread does better.
            let four = match lines {
                1 => converted(&four, &input),
                _ => shared(&four, &input, &format!("{lines} lines")),
            };
            assert!(four == whole, "{lines} lines");
            assert!(to == utf16 || whole.0 == text.repeat(count).as_bytes(), "{lines} lines");
        }
    }
}

/// Words that are well-formed by chance are read as the words before and after them in the same line, even if a piece of the
/// text begins between them.
#[test]
fn parts_are_read_alike_in_lines_that_pieces_divide() {
    let utf8 = crate::support::encoding("UTF-8");
    let Ok(fallback) = Encoding::for_name("KOI8-R") else { return };
    let clean = "Some lines are clean.\n".repeat(3000);
    for words in [3, 100, 1000] {
        // ещё: C5 DD A3 is ill-formed; лё: CC A3 is well-formed.
        let line = [b"\xC5\xDD\xA3 ", &b"\xCC\xA3 ".repeat(words)[..], b"\xC5\xDD\xA3\n"].concat();
        let text = format!("ещё {}ещё\n", "лё ".repeat(words));
        let lines = clean.len() / line.len();
        let count = LEN.div_ceil(2 * clean.len());
        let input = file(&[clean.as_bytes(), &line.repeat(lines)].concat().repeat(count));
        let text = [&clean[..], &text.repeat(lines)].concat().repeat(count);
        let with = |threads| conversion(utf8, utf8, threads).with(|it| it.fallback(fallback));
        let one = converted(&with(1), &input);
        let four = shared(&with(4), &input, &format!("{words} words"));
        assert!(one.0 == text.as_bytes(), "{words} words");
        assert_eq!(one.1.ill_formed(), 2 * (lines * count) as u64, "{words} words");
        assert!(one == four, "{words} words");
    }
}

/// A letter that is held back where the first window begins is composed with the mark before it, and no other thread has it.
#[test]
fn a_letter_that_is_held_where_a_window_begins_is_written_once() {
    let utf8 = crate::support::encoding("UTF-8");
    // Wherever a window begins, if that is a multiple of 64, a letter and its mark come before it.
    let lines = |letter: &str| format!("\n{}{letter}", "a".repeat(60)).repeat(LEN / 64);
    let input = file(lines("e\u{301}").as_bytes());
    let with =
        |threads| conversion(utf8, utf8, threads).with(|it| it.normalize(NormalizationForm::Nfc));
    assert!(converted(&with(1), &input).0 == lines("é").as_bytes());
    assert!(shared(&with(4), &input, "held").0 == lines("é").as_bytes());
}

/// At most every fourth of them: only their tables differ. `tests/line_cuts.rs` cuts every one.
#[test]
fn single_byte_sets_are_cut_both_ways() {
    cut_both_ways(8, Encoding::all().filter(|it| it.is_single_byte()).step_by(4), true);
}

#[test]
fn other_encodings_are_cut_both_ways() {
    cut_both_ways(16, Encoding::all().filter(|it| !it.is_single_byte()), true);
}

/// Without bytes below 30, a multi-byte encoding can be split only at the end.
#[test]
fn multi_byte_encodings_are_cut_both_ways_without_low_bytes() {
    let is_multi_byte = |it: &&Encoding| !it.is_single_byte() && it.unit() == 1;
    cut_both_ways(16, Encoding::all().filter(is_multi_byte), false);
}

/// Encodings with a state, one of each kind: several threads are allowed, and none may be used.
#[test]
fn what_cannot_be_cut_is_not_cut() {
    let utf8 = crate::support::encoding("UTF-8");
    let text = repeated("これは日本語です。 Hello, Ελλάδα, Việt Nam!\n".as_bytes()).repeat(3);
    for name in ["ISO-2022-JP", "ISO-2022-CN", "HZ", "UTF-7", "SCSU", "IBM930", "UTF-16"] {
        let Ok(encoding) = Encoding::for_name(name) else { continue };
        let (mut encoded, _) = converted(&conversion(utf8, encoding, 1), &file(&text));
        let with_four = converted(&conversion(utf8, encoding, 4), &file(&text)).0;
        assert!(with_four == encoded, "to {name}");
        encoded = repeated(&encoded);
        let one = converted(&conversion(encoding, utf8, 1), &file(&encoded));
        let four = converted(&conversion(encoding, utf8, 4), &file(&encoded));
        assert!(four == one, "from {name}");
    }
}

/// Converts text in a sample of these encodings that can be cut, from and to UTF-8, with one thread and with four.
fn cut_both_ways(nth: usize, encodings: impl Iterator<Item = &'static Encoding>, low: bool) {
    let utf8 = crate::support::encoding("UTF-8");
    // Those that end their state with each line are for shards alone.
    let is_split = |it: &&Encoding| !matches!(it.split, SplitRule::Never | SplitRule::AfterLine);
    for encoding in sample::encodings(nth, encodings.filter(is_split)) {
        // The same text in every sample.
        let number = Encoding::all().position(|it| it == encoding).expect("it is listed");
        let mut random = Random(number as u64);
        let keep = |byte: &u8| low || *byte >= 0x30;
        let text = file(&clean(encoding, &mut random, keep));
        let encoded = converted(&of_units(utf8, encoding, 1), &text);
        let words = format!("{}, low bytes: {low}", encoding.name());
        let by_four = |from, to, text: &File, is_shared: bool, what: &str| match is_shared {
            true => shared(&of_units(from, to, 4), text, what),
            false => converted(&of_units(from, to, 4), text),
        };
        // A letter that has one code with its mark is held back, and no other thread can go on with it.
        let name = encoding.name().to_lowercase();
        let holds = ["hkscs", "0213", "2004"].iter().any(|part| name.contains(part));
        let what = format!("to {words}");
        assert!(encoded == by_four(utf8, encoding, &text, low && !holds, &what), "{what}");
        // A text in a single-byte encoding is shorter than in UTF-8.
        let bytes = file(&repeated(&encoded.0));
        let decoded = converted(&of_units(encoding, utf8, 1), &bytes);
        let what = format!("from {words}");
        assert!(decoded == by_four(encoding, utf8, &bytes, low, &what), "{what}");
    }
}

/// Each byte is a character: they can be split anywhere, whatever the text.
#[test]
fn single_byte_sets_can_be_cut_anywhere() {
    for encoding in Encoding::all() {
        let anywhere = encoding.split == SplitRule::Units(1);
        assert!(encoding.is_single_byte() || !anywhere, "{}", encoding.name());
        let somewhere = encoding.split != SplitRule::Never;
        assert!(anywhere || !(encoding.is_single_byte() && somewhere), "{}", encoding.name());
    }
}

/// Faults of every kind, at any place of a piece: they are found, at their places.
#[test]
fn faults_anywhere_have_the_places_that_one_thread_gives_them() {
    let mut random = Random(2);
    let pairs = [
        ("UTF-8", "UTF-16LE"),
        ("UTF-8", "ISO-8859-1"),
        ("UTF-16BE", "UTF-8"),
        ("GB18030", "UTF-8"),
        ("UTF-8", "GB18030"),
        ("windows-1252", "UTF-8"),
        ("windows-1258", "UTF-16BE"),
    ];
    for (from, to) in sample::every(2, pairs) {
        let (utf8, source) = (crate::support::encoding("UTF-8"), crate::support::encoding(from));
        let text = "Grüße, 中文 \u{E9}t\u{E9}\r\n".repeat(1000);
        let (bytes, _) = converted(&conversion(utf8, source, 1), &file(text.as_bytes()));
        let mut bytes = repeated(&bytes);
        for count in [1, 3, 40] {
            for _ in 0..count {
                let place = random.below(bytes.len());
                bytes[place] = random.pick(&[0x81, 0xFF, 0xD8, 0xDC, 0x00]);
            }
            for on_ill_formed in [OnIllFormed::Stop, OnIllFormed::Replace] {
                let input = file(&bytes);
                let outcome = |threads| {
                    let conversion = conversion(source, crate::support::encoding(to), threads)
                        .with(|it| {
                            it.on_ill_formed(on_ill_formed).on_unmappable(OnUnmappable::Escape)
                        });
                    let mut source = Observed::new(&input);
                    (crate::support::run(&conversion, &mut source).0, source.was_shared())
                };
                let ((one, _), (four, was_shared)) = (outcome(1), outcome(4));
                assert!(one == four, "{from} to {to}, {count} faults");
                let may_stop_early = on_ill_formed == OnIllFormed::Stop;
                assert!(was_shared || may_stop_early, "{from} to {to}, {count} faults");
            }
        }
    }
}

#[test]
fn places_to_cut_that_are_far_apart_or_end() {
    let (from, to) = (crate::support::encoding("GB18030"), crate::support::encoding("UTF-8"));
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
