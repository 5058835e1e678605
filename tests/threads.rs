//! Several threads give the same result as one, in every kind of encoding that can be split. The texts have split
//! points everywhere, far apart, or nowhere.

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

/// The length of a text in bytes: enough for several threads to be worthwhile after the first window.
const LEN: usize = 9 << 19;

/// A file that records the most bytes consumed at once. A single thread consumes at most a block, which is less than 1
/// MiB, so more than that proves that several threads shared a window.
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

    /// Whether several threads have converted a window of the text.
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

/// Like [`conversion`], for random bytes. It must not search them for single-byte text between code units.
fn of_units(from: &'static Encoding, to: &'static Encoding, threads: usize) -> Conversion {
    conversion(from, to, threads).with(|it| it.keep_units(true))
}

fn converted(conversion: &Conversion, input: &File) -> (Vec<u8>, Summary) {
    convert(conversion, input).0
}

/// Converts a text and panics if one thread did everything. Without this check, a text that became too short for
/// several threads would make its test pass without testing anything.
fn shared(conversion: &Conversion, input: &File, what: &str) -> (Vec<u8>, Summary) {
    let (converted, was_shared) = convert(conversion, input);
    assert!(was_shared, "{what}: one thread did everything");
    converted
}

/// Converts a text. Also returns whether several threads shared it.
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

/// Returns random text in UTF-8 that uses the characters of an encoding. It is made by decoding random bytes and
/// skipping the ill-formed ones.
fn clean(encoding: &'static Encoding, random: &mut Random, keep: impl Fn(&u8) -> bool) -> Vec<u8> {
    let utf8 = crate::support::encoding("UTF-8");
    let bytes: Vec<u8> =
        (0..LEN / 128).flat_map(|_| random.number().to_le_bytes()).filter(keep).collect();
    let (text, _) = converted(&of_units(encoding, utf8, 1), &file(&bytes));
    repeated(&text)
}

/// Repeats a text up to [`LEN`] bytes. The last character may be truncated.
fn repeated(text: &[u8]) -> Vec<u8> {
    let mut text = text.repeat(LEN.div_ceil(text.len().max(1)));
    text.truncate(LEN);
    text
}

/// The note about the byte order depends only on the start of the text.
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

/// A fallback reads the same parts of a text in another encoding, wherever a thread's piece begins.
#[test]
fn parts_in_another_encoding_are_read_alike() {
    let (utf8, utf16) = (crate::support::encoding("UTF-8"), crate::support::encoding("UTF-16LE"));
    let Ok(fallback) = Encoding::for_name("KOI8-R") else { return };
    let clean = "Съешь же ещё этих мягких французских булок, да выпей чаю.\n";
    for lines in [1, 50, 9000] {
        // ещё in KOI8-R is C5 DD A3, of which DD A3 is well-formed UTF-8.
        let part = [clean.repeat(lines).as_bytes(), b"\xC5\xDD\xA3 \xC5\xDD\xA3\n"].concat();
        let text = format!("{}ещё ещё\n", clean.repeat(lines));
        let count = LEN.div_ceil(part.len());
        let input = file(&part.repeat(count));
        for to in [utf8, utf16] {
            let one = conversion(utf8, to, 1).with(|it| it.fallback(fallback));
            let four = conversion(utf8, to, 4).with(|it| it.fallback(fallback));
            let whole = converted(&one, &input);
            // If much of the text is damaged, the conversion may use one thread.
            let four = match lines {
                1 => converted(&four, &input),
                _ => shared(&four, &input, &format!("{lines} lines")),
            };
            assert!(four == whole, "{lines} lines");
            assert!(to == utf16 || whole.0 == text.repeat(count).as_bytes(), "{lines} lines");
        }
    }
}

/// Words that are UTF-8 by chance are read in the encoding of the other words in their line. A thread whose piece began
/// in the middle of such a line used to take them for UTF-8.
#[test]
fn parts_are_read_alike_in_lines_that_pieces_divide() {
    let utf8 = crate::support::encoding("UTF-8");
    let Ok(fallback) = Encoding::for_name("KOI8-R") else { return };
    let clean = "Some lines are clean.\n".repeat(3000);
    for words in sample::every(2, [3, 100, 1000]) {
        // ещё in KOI8-R, C5 DD A3, is ill-formed as UTF-8. лё, CC A3, is well-formed.
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

/// A letter that is held back where the first window begins is composed with its mark, and no other thread writes it.
#[test]
fn a_letter_that_is_held_where_a_window_begins_is_written_once() {
    let utf8 = crate::support::encoding("UTF-8");
    // Each line has 64 bytes and ends in a letter and its mark. A window that begins at a multiple of 64 follows such a
    // pair.
    let lines = |letter: &str| format!("\n{}{letter}", "a".repeat(60)).repeat(LEN / 64);
    let input = file(lines("e\u{301}").as_bytes());
    let with =
        |threads| conversion(utf8, utf8, threads).with(|it| it.normalize(NormalizationForm::Nfc));
    assert!(converted(&with(1), &input).0 == lines("é").as_bytes());
    assert!(shared(&with(4), &input, "held").0 == lines("é").as_bytes());
}

/// Tries at most every fourth set, since only their tables differ. `tests/line_cuts.rs` covers all of them.
#[test]
fn single_byte_sets_are_cut_both_ways() {
    cut_both_ways(16, Encoding::all().filter(|it| it.is_single_byte()).step_by(4), true);
}

#[test]
fn other_encodings_are_cut_both_ways() {
    cut_both_ways(32, Encoding::all().filter(|it| !it.is_single_byte()), true);
}

/// Most multi-byte encodings are split after a byte below 30. Without such bytes, the only split point is the end.
#[test]
fn multi_byte_encodings_are_cut_both_ways_without_low_bytes() {
    let is_multi_byte = |it: &&Encoding| !it.is_single_byte() && it.unit() == 1;
    cut_both_ways(32, Encoding::all().filter(is_multi_byte), false);
}

/// One stateful encoding of each kind. Even if several threads are allowed, the result is that of one.
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

/// Converts text to and from UTF-8 with one thread and with four, in a sample of those encodings that can be split. If
/// `low`, the text contains bytes below 30.
fn cut_both_ways(nth: usize, encodings: impl Iterator<Item = &'static Encoding>, low: bool) {
    let utf8 = crate::support::encoding("UTF-8");
    // Encodings that are split after lines are split into shards only, not among threads.
    let is_split = |it: &&Encoding| !matches!(it.split, SplitRule::Never | SplitRule::AfterLine);
    for encoding in sample::encodings(nth, encodings.filter(is_split)) {
        // The seed is the encoding's number in the list, so the text does not depend on the sample.
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
        // These sets have single codes for a letter with its mark. Their encoders hold such a letter back, and another
        // thread could not continue from that state.
        let name = encoding.name().to_lowercase();
        let holds = ["hkscs", "0213", "2004"].iter().any(|part| name.contains(part));
        let what = format!("to {words}");
        assert!(encoded == by_four(utf8, encoding, &text, low && !holds, &what), "{what}");
        // Repeat the text, because a single-byte encoding is shorter than UTF-8.
        let bytes = file(&repeated(&encoded.0));
        let decoded = converted(&of_units(encoding, utf8, 1), &bytes);
        let what = format!("from {words}");
        assert!(decoded == by_four(encoding, utf8, &bytes, low, &what), "{what}");
    }
}

/// Only single-byte sets can be split between any two bytes. Each of them can, unless it cannot be split at all.
#[test]
fn single_byte_sets_can_be_cut_anywhere() {
    for encoding in Encoding::all() {
        let anywhere = encoding.split == SplitRule::Units(1);
        assert!(encoding.is_single_byte() || !anywhere, "{}", encoding.name());
        let somewhere = encoding.split != SplitRule::Never;
        assert!(anywhere || !(encoding.is_single_byte() && somewhere), "{}", encoding.name());
    }
}

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
