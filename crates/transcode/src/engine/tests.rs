use super::super::options::Options;
use super::super::policy::OnUnmappable;
use super::*;
use crate::diagnostic::{DeniedKind, Outcome};
use oxiconv_encodings::codec::{ByteOrder, CodeValue};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::{IllFormed, IllFormedKind, REPLACEMENT_CHARACTER};

/// An engine with the stages and the target of its text.
struct TestChain {
    engine: Engine,
    pipeline: Pipeline,
    target: TargetEncoder,
}

impl TestChain {
    fn advance(&mut self, part: EngineInput<'_>, output: &mut [u8]) -> Advance {
        self.engine.advance(part, &mut self.pipeline, &mut self.target, output)
    }
}

fn chain(from: &Encoding, to: Option<&Encoding>) -> TestChain {
    let target = TargetEncoder::new(to.map(|to| to.new_encoder(ByteOrder::Big)), None);
    let mut engine = Engine::new();
    engine.read_by(from.new_decoder(ByteOrder::Big), &target);
    TestChain { engine, pipeline: Pipeline::empty(), target }
}

/// All of `bytes`, as the end of a text.
fn whole(bytes: &[u8]) -> EngineInput<'_> {
    EngineInput::all(bytes, true)
}

/// Returns what the engine stops at, each with the number of bytes read before it, and what it writes with this much
/// free output at a time.
fn walk(
    chain: &mut TestChain,
    text: &[u8],
    room: usize,
) -> (Vec<(usize, EngineStop)>, Vec<u8>, RunCounts) {
    let (mut at, mut stops, mut written) = (0, Vec::new(), Vec::new());
    let mut passed = RunCounts::default();
    loop {
        let mut output = vec![0; room];
        let advance = chain.advance(whole(&text[at..]), &mut output);
        written.extend_from_slice(&output[..advance.written]);
        passed.add(advance.passed);
        at += advance.read;
        let Some(stop) = advance.stop else { continue };
        match stop {
            EngineStop::InputEmpty if at == text.len() => return (stops, written, passed),
            EngineStop::InputEmpty => panic!("the end of a text leaves nothing"),
            EngineStop::OutputFull => continue,
            EngineStop::Stage | EngineStop::Unmappable(_) => chain.engine.skip(1),
            EngineStop::IllFormed(ill_formed) => at += ill_formed.len,
            EngineStop::Large { len, .. } => at += len,
            #[cfg(feature = "detection")]
            EngineStop::Unsettled(_) => panic!("nothing is to be judged"),
        }
        stops.push((at, stop));
    }
}

#[test]
fn it_stops_in_front_of_what_is_not_clean_whatever_the_room() {
    // a é FF b € c: written by hand from Table 3-7 and D97.
    let text = b"a\xC3\xA9\xFFb\xE2\x82\xACc";
    let bad = IllFormed { len: 1, kind: IllFormedKind::InvalidByte };
    for room in [MIN_OUTPUT, MIN_OUTPUT + 1, 200] {
        for kernels in [true, false] {
            let mut chain = chain(Encoding::UTF_8, Some(Encoding::UTF_16LE));
            if !kernels {
                chain.engine.without_kernels();
            }
            let (stops, written, passed) = walk(&mut chain, text, room);
            assert_eq!(stops, [(4, EngineStop::IllFormed(bad))], "{room} {kernels}");
            assert_eq!(written, b"a\0\xE9\0b\0\xAC\x20c\0", "{room} {kernels}");
            let moved = Position { line: 1, column: 6 };
            assert_eq!(passed, RunCounts { characters: 5, moved }, "{room} {kernels}");
        }
    }
}

#[test]
fn a_run_that_is_held_is_read_when_all_of_it_is_written() {
    let mut chain = chain(Encoding::UTF_8, Some(Encoding::US_ASCII));
    chain.engine.without_kernels();
    chain.engine.locate_characters(true);
    let text = "aéb€c".as_bytes();
    let mut output = [0; MIN_OUTPUT];
    let first = chain.advance(whole(text), &mut output);
    assert_eq!((first.read, first.written, first.stop), (0, 1, Some(EngineStop::Unmappable(0xE9))));
    assert_eq!(chain.engine.locate(text), Some(1..3));
    assert_eq!(chain.engine.pending(), [0xE9, 0x62, 0x20AC, 0x63]);
    chain.engine.skip(1);
    let second = chain.advance(whole(text), &mut output);
    assert_eq!(
        (second.read, second.written, second.stop),
        (0, 1, Some(EngineStop::Unmappable(0x20AC)))
    );
    assert_eq!(chain.engine.code_points(&second), [0x62]);
    assert_eq!(chain.engine.locate(text), Some(4..7));
    chain.engine.skip(1);
    let third = chain.advance(whole(text), &mut output);
    assert_eq!((third.read, third.written, third.stop), (8, 1, Some(EngineStop::InputEmpty)));
}

#[test]
fn kernels_can_be_used_again() {
    let mut chain = chain(Encoding::UTF_8, Some(Encoding::UTF_16LE));
    assert!(chain.engine.kernels().is_some());
    for uses in [false, true] {
        chain.engine.use_kernels(uses);
        chain.engine.read_by(Encoding::UTF_8.new_decoder(ByteOrder::Big), &chain.target);
        assert_eq!(chain.engine.kernels().is_some(), uses);
    }
}

#[test]
fn what_the_target_lacks_is_left_out_if_anything_fits() {
    let remedies = remedies(Options::new().on_unmappable(OnUnmappable::Skip));
    let mut chain = chain(Encoding::UTF_8, Some(Encoding::US_ASCII));
    chain.engine.without_kernels();
    let text = "aéb€cé".as_bytes();
    let part = EngineInput { inline_remedies: Some(&remedies), ..whole(text) };
    let mut output = [0; 4];
    let first = chain.advance(part, &mut output[..1]);
    assert_eq!((first.written, first.stop), (1, Some(EngineStop::OutputFull)));
    assert_eq!(chain.engine.take_unmappable(), Outcomes::default(), "é may yet be left out");
    let second = chain.advance(part, &mut output[1..]);
    assert_eq!((second.read, second.written, second.stop), (10, 2, Some(EngineStop::InputEmpty)));
    assert_eq!(&output[..3], b"abc");
    assert_eq!(chain.engine.take_unmappable().of(Outcome::Dropped), 3);
    assert_eq!(chain.engine.take_unmappable(), Outcomes::default());
}

/// Room for the remedies of a few characters.
const ROOM: usize = 64 * MIN_OUTPUT;

fn remedies(options: Options) -> Remedies {
    Remedies::new(options.build(Encoding::UTF_8, Encoding::US_ASCII).unwrap())
}

#[test]
fn what_stands_for_a_character_is_written_within_a_run_if_it_surely_fits() {
    let remedies = remedies(Options::new().on_unmappable(OnUnmappable::Xml));
    let mut chain = chain(Encoding::UTF_8, Some(Encoding::US_ASCII));
    chain.engine.without_kernels();
    let text = "aéb€".as_bytes();
    let part = EngineInput { inline_remedies: Some(&remedies), ..whole(text) };
    let mut output = [0; ROOM];
    let first = chain.advance(part, &mut output[..MIN_OUTPUT]);
    assert_eq!((first.written, first.stop), (1, Some(EngineStop::Unmappable(0xE9))));
    let second = chain.advance(part, &mut output[1..]);
    assert_eq!((second.read, second.stop), (text.len(), Some(EngineStop::InputEmpty)));
    assert_eq!(&output[..1 + second.written], b"a&#xE9;b&#x20AC;");
    assert_eq!(chain.engine.take_unmappable().of(Outcome::Reference), 2);
}

/// A mark changes the remedy of the letter before it, even of one that the target has, and so may what follows the run.
#[cfg(all(feature = "transliteration", feature = "legacy"))]
#[test]
fn a_letter_before_a_mark_is_looked_at_by_itself() {
    // With the Â of ISO 9 at C2, and U+0301, but no other mark of these.
    let vietnamese = Encoding::for_name("windows-1258").unwrap();
    for (text, to, begins, alone, stop) in [
        ("\u{42F}\u{434}", Encoding::US_ASCII, "Ya", 1, EngineStop::Stage),
        ("\u{42F}\u{434}\u{308}x", Encoding::US_ASCII, "Ya", 1, EngineStop::Stage),
        ("\u{42F}\u{434}\u{301}x", vietnamese, "\u{C2}", 1, EngineStop::Unmappable(0x434)),
        ("\u{42F}\u{434}xy", vietnamese, "\u{C2}", 3, EngineStop::Stage),
    ] {
        let options = Options::new().on_unmappable(OnUnmappable::Replace).transliterate(true);
        let remedies = Remedies::new(options.build(Encoding::UTF_8, to).unwrap());
        let mut chain = chain(Encoding::UTF_8, Some(to));
        chain.engine.without_kernels();
        chain.pipeline = Pipeline::build(&remedies.conversion, Encoding::UTF_8);
        let part = EngineInput { inline_remedies: Some(&remedies), ..whole(text.as_bytes()) };
        let mut output = [0; ROOM];
        let advance = chain.advance(part, &mut output);
        assert_eq!(advance.stop, Some(stop), "{text}");
        assert_eq!(chain.engine.code_points(&advance).len(), alone, "{text}");
        let begins: Vec<_> = begins.chars().map(|letter| letter as u8).collect();
        assert!(output.starts_with(&begins), "{text}");
    }
}

/// Sequences from BIG5-HKSCS and ISO-2022-KR.
#[cfg(all(feature = "transliteration", feature = "legacy"))]
#[test]
fn what_is_left_of_a_run_is_given_back() {
    for (from, text, room, written, expected) in [
        ("UTF-8", "aé€b".as_bytes(), 4, 3, (3, 0)),
        ("UTF-8", "aé€b".as_bytes(), 9, 7, (7, 0)),
        // 88 62 is U+00CA U+0304: two and two bytes.
        ("BIG5-HKSCS", b"a\x88\x62b", 2, 1, (1, 0)),
        ("BIG5-HKSCS", b"a\x88\x62b", 4, 3, (1, 1)),
        // 0E is a shift. It is given back with what follows it, unless nothing does.
        ("ISO-2022-KR", b"\x1B$)Ca\x0E\x30\x21", 2, 1, (5, 0)),
        ("ISO-2022-KR", b"\x1B$)C\x0E\x30\x21", 2, 0, (5, 0)),
        ("ISO-2022-KR", b"\x1B$)Ca\x0E", 2, 1, (6, 0)),
    ] {
        let from = Encoding::for_name(from).unwrap();
        let mut chain = chain(from, Some(Encoding::UTF_8));
        chain.engine.without_kernels();
        chain.engine.locate_characters(true);
        let part = EngineInput { last: false, ..whole(text) };
        let mut output = vec![0; room];
        let advance = chain.advance(part, &mut output);
        assert_eq!(advance.written, written, "{text:X?}");
        assert_eq!(chain.engine.give_back(text), expected, "{text:X?}");
        // What was given back is read by the next call.
        let read = expected.0;
        let mut rest = vec![0; 20];
        let next = chain.advance(whole(&text[read..]), &mut rest);
        let all = crate::in_memory::decode(text, from);
        let known = written - if expected.1 > 0 { 2 } else { 0 };
        let joined = [&output[..known], &rest[..next.written]].concat();
        assert_eq!(joined, all.unwrap().as_bytes(), "{text:X?}");
    }
}

#[test]
fn it_stops_in_front_of_what_a_stage_must_see() {
    let options = Options::new().deny([DeniedKind::Control]);
    let conversion = options.build(Encoding::UTF_8, None).unwrap();
    let mut chain = chain(Encoding::UTF_8, Some(Encoding::UTF_8));
    chain.engine.without_kernels();
    chain.pipeline = Pipeline::build(&conversion, Encoding::UTF_8);
    let (stops, written, _) = walk(&mut chain, b"a\x07b\ncd\x1B", MIN_OUTPUT);
    let stops: Vec<_> = stops.into_iter().map(|(_, stop)| stop).collect();
    assert_eq!(stops, [EngineStop::Stage, EngineStop::Stage]);
    assert_eq!(written, b"ab\ncd");
}

#[test]
fn what_follows_the_limit_only_helps_to_judge() {
    let text = b"ab\xE2\x82\xACc";
    let mut chain = chain(Encoding::UTF_8, Some(Encoding::UTF_8));
    let mut output = [0; MIN_OUTPUT];
    let mut to_limit = |bytes: &'static [u8], limit| {
        let mut read = 0;
        loop {
            let part = EngineInput { limit: limit - read, ..whole(&bytes[read..]) };
            let advance = chain.advance(part, &mut output);
            read += advance.read;
            match advance.stop {
                None => {}
                Some(EngineStop::InputEmpty) if advance.read > 0 && read < limit => {}
                stop => return (read, stop),
            }
        }
    };
    // The limit is inside a character, which is left for later, or inside a sequence that the bytes after it prove
    // ill-formed.
    assert_eq!(to_limit(text, 3), (2, Some(EngineStop::InputEmpty)));
    assert_eq!(to_limit(text, 5), (5, Some(EngineStop::InputEmpty)));
    let cut = IllFormed { len: 2, kind: IllFormedKind::Truncated };
    assert_eq!(to_limit(b"ab\xE2\x82c", 3), (2, Some(EngineStop::IllFormed(cut))));
}

#[test]
fn faults_are_gone_past_and_counted_if_nobody_wants_their_places() {
    let mut chain = chain(Encoding::UTF_8, Some(Encoding::UTF_16LE));
    let to = chain.engine.kernels().unwrap().to;
    chain.engine.pass_faults(Some(Lossy::new(Some(REPLACEMENT_CHARACTER), to)));
    let (stops, written, passed) = walk(&mut chain, b"a\xFFb\n\xFF", MIN_OUTPUT);
    assert_eq!(stops, []);
    assert_eq!(written, b"a\0\xFD\xFFb\0\n\0\xFD\xFF");
    assert_eq!((passed.characters, passed.moved.line), (3, 2));
    let faults = chain.engine.take_faults().unwrap();
    assert_eq!(faults.counts().collect::<Vec<_>>(), [(IllFormedKind::InvalidByte, 2)]);
    assert!(chain.engine.take_faults().is_none());
}

#[test]
fn a_value_past_32_bits_is_a_stop_of_its_own() {
    let mut chain = chain(Encoding::for_name("UTF-8-8BYTE").unwrap(), None);
    // FF and seven bytes: 42 bits, the highest of them set.
    let text = [&b"a"[..], b"\xFF\xA0\x80\x80\x80\x80\x80\x80", b"b"].concat();
    let (stops, _, passed) = walk(&mut chain, &text, 0);
    let value: CodeValue = 1 << 41;
    assert_eq!(stops, [(9, EngineStop::Large { value, len: 8 })]);
    assert_eq!(passed.characters, 2);
}

/// A worker's engine converts a piece like that of the chunk loop.
#[cfg(feature = "legacy")]
#[test]
fn a_worker_s_engine_begins_in_the_same_state() {
    let mut worker = chain(Encoding::GB18030, Some(Encoding::UTF_8));
    worker.engine = worker.engine.for_worker();
    // 中文, in GB 2312.
    let (stops, written, _) = walk(&mut worker, b"\xD6\xD0\xCE\xC4", MIN_OUTPUT);
    assert_eq!((stops, &written[..]), (vec![], "中文".as_bytes()));
}

#[test]
fn the_path_by_code_points_takes_longer_steps_if_the_kernel_leads_nowhere() {
    let mut chain = chain(Encoding::UTF_8, Some(Encoding::US_ASCII));
    let text = "é".repeat(100);
    let steps: Vec<_> = (0..4)
        .map(|_| {
            chain.advance(whole(text.as_bytes()), &mut [0; MIN_OUTPUT]);
            let step = chain.engine.pending().len();
            chain.engine.forget_run();
            step
        })
        .collect();
    assert_eq!(steps, [2, 4, 8, 16]);
    // This kernel run resets the backoff: the next step is a short one again.
    chain.advance(whole(&[b'a'; 100]), &mut [0; 200]);
    chain.advance(whole(text.as_bytes()), &mut [0; MIN_OUTPUT]);
    assert_eq!(chain.engine.pending().len(), 2);
}

/// If sequences are kept whole, nothing of one is written if the target lacks any of its characters, wherever the
/// output ends. Otherwise the first characters are written.
#[cfg(feature = "legacy")]
#[test]
fn sequences_are_kept_whole() {
    // Big5-HKSCS:2008 has U+00CA U+0304 at 88 62; ISO-8859-1 has only the first of them.
    let text = b"one\x88\x62two";
    for (keeps, wanted) in [(true, &b"one"[..]), (false, b"one\xCA")] {
        let from = Encoding::for_name("BIG5-HKSCS").unwrap();
        let mut chain = chain(from, Some(Encoding::ISO_8859_1));
        chain.engine.locate_characters(true);
        chain.engine.keep_sequences_whole(keeps);
        let (mut output, mut all, mut at) = ([0; MIN_OUTPUT], Vec::new(), 0);
        let stop = loop {
            let advance = chain.advance(whole(&text[at..]), &mut output);
            all.extend_from_slice(&output[..advance.written]);
            at += advance.read;
            if let Some(stop) = advance.stop {
                break stop;
            }
        };
        assert_eq!((stop, &*all), (EngineStop::Unmappable(0x304), wanted));
        assert_eq!(
            chain.engine.locate(&text[at..]).map(|range| range.start + at..range.end + at),
            Some(3..5)
        );
    }
}
