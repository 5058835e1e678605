//! The library's API: single calls for text in memory, adaptors over readers and writers, and errors as values. All
//! agree with the streaming `Transcoder`, wherever the input is cut.

use std::borrow::Cow;
use std::io::{self, BufRead, Read, Write};
use std::num::NonZeroUsize;
use std::sync::OnceLock;

use crate::sample;
use crate::support::{Collector, Found, Pieces, With, encode as encoded, run, strictly};
use oxiconv::Detector;
use oxiconv::{
    Chunk, Conversion, DeniedKind, Detail, Encoding, Error, Finding, InputEncoding, Kind, OnDenied,
    OnIllFormed, OnUnmappable, Options, Reader, Reporter, Silent, Source, Stopped, Summary,
    Threads, Transcoder, Writer, convert, decode, decode_lossy, encode, ill_formed, validate,
};
use oxiconv_encodings::encoding::Mark;
use proptest::prelude::*;

fn stopped(error: Error) -> Box<Stopped> {
    match error {
        Error::Stopped(stopped) => stopped,
        error => panic!("{error}"),
    }
}

fn ids(text: &[u8], encoding: &'static Encoding) -> Vec<(&'static str, u64, Vec<u8>)> {
    let found = ill_formed(text, encoding);
    found.map(|finding| (finding.kind.id(), finding.offset, finding.bytes.to_vec())).collect()
}

#[test]
fn what_is_utf_8_already_is_borrowed() {
    for text in ["", "plain", "grün €", "\u{FEFF}marked"] {
        let decoded = decode(text.as_bytes(), Encoding::UTF_8).unwrap();
        assert!(matches!(decoded, Cow::Borrowed(_)), "{text}");
        assert_eq!(decoded, text.trim_start_matches('\u{FEFF}'));
        assert!(matches!(decode_lossy(text.as_bytes(), Encoding::UTF_8), Cow::Borrowed(_)));
        assert!(matches!(encode(text, Encoding::UTF_8).unwrap(), Cow::Borrowed(_)));
    }
}

/// Only the first U+FEFF is a mark. In the LE and BE schemes, none is.
#[test]
fn a_mark_is_no_part_of_what_is_decoded_except_where_it_is_a_character() {
    for (encoding, bytes, text) in [
        (Encoding::UTF_8, &b"\xEF\xBB\xBF\xEF\xBB\xBFa"[..], "\u{FEFF}a"),
        (Encoding::UTF_16, b"\xFE\xFF\0a", "a"),
        (Encoding::UTF_16, b"\xFF\xFEa\0", "a"),
        (Encoding::UTF_16, b"\0a", "a"),
        (Encoding::UTF_16LE, b"\xFF\xFEa\0", "\u{FEFF}a"),
        (Encoding::UTF_32BE, b"\0\0\xFE\xFF\0\0\0a", "\u{FEFF}a"),
        (crate::support::encoding("SCSU"), b"\x0E\xFE\xFFa", "a"),
        (crate::support::encoding("UTF-7"), b"+/v8-a", "a"),
        (crate::support::encoding("WTF-8"), b"\xEF\xBB\xBFa", "\u{FEFF}a"),
    ] {
        assert_eq!(decode(bytes, encoding).unwrap(), text, "{}", encoding.name());
        assert_eq!(decode_lossy(bytes, encoding), text, "{}", encoding.name());
    }
}

#[test]
fn what_is_encoded_keeps_its_characters_and_gets_a_mark_only_if_it_needs_one() {
    let encoded = |text, encoding| encode(text, encoding).map(Cow::into_owned).unwrap();
    assert_eq!(encoded("a", Encoding::UTF_16), b"\xFF\xFEa\0");
    assert_eq!(encoded("\u{FEFF}a", Encoding::UTF_16), b"\xFF\xFEa\0");
    assert_eq!(encoded("a", Encoding::UTF_16LE), b"a\0");
    assert_eq!(encoded("\u{FEFF}a", Encoding::UTF_16LE), b"\xFF\xFEa\0");
    assert_eq!(encoded("", Encoding::UTF_16), b"");
    let stopped = stopped(encode("\u{FEFF}a", Encoding::ISO_8859_1).unwrap_err());
    assert_eq!((stopped.finding.kind, stopped.finding.offset), (Kind::Unmappable, 0));
}

#[test]
fn a_strict_stop_is_an_error_with_the_finding_and_how_much_was_written() {
    let stopped_at = stopped(decode(b"ab\nc\xFFd", Encoding::UTF_8).unwrap_err());
    let finding = &stopped_at.finding;
    assert_eq!((finding.kind.id(), finding.offset), ("invalid-byte", 4));
    assert_eq!((finding.line, finding.column, &*finding.bytes), (2, 2, &b"\xFF"[..]));
    assert!(finding.stops);
    assert_eq!((stopped_at.summary.bytes_read, stopped_at.summary.bytes_written), (4, 4));

    let error = convert("5 €".as_bytes(), Encoding::UTF_8, Encoding::ISO_8859_1, &Options::new());
    let error = error.unwrap_err();
    let words = error.to_string();
    assert!(words.starts_with("U+20AC (€) ") && words.contains("ISO-8859-1"), "{words}");
    assert!(words.ends_with(", at byte 2, line 1, column 3"), "{words}");
    let stopped_at = stopped(error);
    assert_eq!((stopped_at.finding.offset, stopped_at.summary.bytes_written), (2, 2));

    // Some encodings have surrogates, but a Rust string cannot hold them.
    let surrogate =
        stopped(decode(b"a\xED\xA0\x80", crate::support::encoding("WTF-8")).unwrap_err());
    assert_eq!((surrogate.finding.kind, surrogate.finding.value), (Kind::Unmappable, Some(0xD800)));
    assert_eq!(decode_lossy(b"a\xED\xA0\x80", crate::support::encoding("WTF-8")), "a\u{FFFD}");
}

#[test]
fn options_that_do_not_go_together_are_an_error_of_the_call() {
    let options = Options::new().replacement("€");
    let error = convert(b"a", Encoding::UTF_8, Encoding::US_ASCII, &options).unwrap_err();
    assert!(matches!(error, Error::Options(_)));
    assert_eq!(error.to_string(), "the replacement '€' cannot be written in US-ASCII");
}

#[test]
fn only_what_is_asked_for_is_looked_for() {
    let text = [b"\xFF".to_vec(), vec![b'a'; 1 << 20], b"\xFE".to_vec()].concat();
    let mut found = ill_formed(&text, Encoding::UTF_8);
    assert_eq!(found.next().unwrap().offset, 0);
    assert_eq!(found.next().unwrap().offset, (1 << 20) + 1);
    assert!(found.next().is_none() && found.next().is_none());
    assert!(validate(b"", Encoding::UTF_8).is_ok());
    assert_eq!(
        ids(b"\xFF\xFEa\0\0\xD8", Encoding::UTF_16),
        [("unpaired-high-surrogate", 4, b"\0\xD8".to_vec())]
    );
    assert_eq!(validate(b"a\x80", Encoding::US_ASCII).unwrap_err().column, 2);
}

/// A long text in memory is split between threads, like a mapped file.
#[test]
fn several_threads_convert_what_is_in_memory() {
    let text = "Größe €100\n".repeat(700_000);
    let convert = |threads| {
        let options = Options::new().threads(threads);
        convert(text.as_bytes(), Encoding::UTF_8, Encoding::UTF_16LE, &options).unwrap()
    };
    assert!(convert(Threads::One) == convert(Threads::AtMost(NonZeroUsize::new(4).unwrap())));
}

/// Reads until the end or an error. Returns the output, and where the error stopped the conversion.
fn read_all(reader: &mut impl Read) -> (Vec<u8>, Option<Stopped>) {
    let mut output = Vec::new();
    let stopped = reader.read_to_end(&mut output).err().map(|error| {
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        let inner = error.into_inner().expect("an error of ours");
        *stopped(*inner.downcast::<Error>().expect("an error of ours"))
    });
    (output, stopped)
}

/// Converts through a reader and a writer, with cuts at `cuts`, and compares output, findings and summary with those of
/// the transcoder.
fn every_way_agrees(conversion: &Conversion, input: &[u8], cuts: &[usize]) {
    let (whole, _) = run(conversion, &mut &input[..]);
    let pieces = || {
        let ends = cuts.iter().copied().chain([input.len()]);
        let starts = [0].into_iter().chain(cuts.iter().copied());
        starts.zip(ends).map(|(start, end)| &input[start..end])
    };
    let same = |output: &[u8], found: &[Found], summary: &Summary| {
        assert_eq!(output, &whole.output);
        assert_eq!(found, &whole.found);
        assert_eq!(summary, &whole.summary);
    };

    let mut reader = Reader::with_reporter(Pieces::new(pieces()), conversion, Collector::default());
    let (output, stop) = read_all(&mut reader);
    assert_eq!(stop.is_some(), whole.summary.stopped);
    if let Some(stopped) = stop {
        assert_eq!(stopped.summary, whole.summary);
        assert_eq!(stopped.finding.offset, whole.found.last().unwrap().offset);
        // Every later call fails too.
        assert!(reader.fill_buf().is_err());
    }
    same(&output, &reader.reporter().found, reader.summary().unwrap());

    let mut output = Vec::new();
    let mut writer = Writer::with_reporter(&mut output, conversion, Collector::default());
    let written = pieces().try_for_each(|piece| {
        writer.write_all(piece)?;
        if piece.len() % 2 == 0 { writer.flush() } else { Ok(()) }
    });
    match written {
        Err(error) => {
            assert!(whole.summary.stopped && error.kind() == io::ErrorKind::InvalidData);
            assert!(writer.write(b"a").is_err() && writer.finish().is_err());
            assert_eq!(output, whole.output);
        }
        Ok(()) => match writer.finish_with_reporter() {
            Ok((_, collector, summary)) => same(&output, &collector.found, &summary),
            Err(error) => {
                assert_eq!(stopped(error).summary, whole.summary);
                assert_eq!(output, whole.output);
            }
        },
    }
}

#[test]
fn adaptors_agree_with_the_transcoder_at_every_cut() {
    let inputs: [(&str, &[u8]); 9] = [
        ("UTF-8", b"\xEF\xBB\xBFa\xE2\x82\xAC\n\xFFb\xE2\x82"),
        ("UTF-16", b"\xFF\xFEa\0\x3D\xD8\0\xDE\n\0\0\xD8b"),
        ("UTF-32BE", b"\0\0\0a\0\x11\0\0\0\0\0b\0"),
        ("GB18030", b"a\x81\x30\x81\x30\xB0\xA1\xFF\n\x81"),
        ("ISO-2022-JP", b"a\x1B$B$3$s\x1B(Bb\x1B$B$"),
        ("UTF-7", b"+/v8-A+ImIDkQ.Hi +Jjo--!+-"),
        ("BOCU-1", b"\xFB\xEE\x28\xB1\xC3"),
        ("UTF-8-65BIT", b"a\xFD\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8A\x8Bb"),
        ("ISO-8859-1", b"caf\xE9\r\n\r"),
    ];
    let modes: [fn(Options) -> Options; 6] = [
        |it| it,
        |it| it.on_ill_formed(OnIllFormed::Replace).on_unmappable(OnUnmappable::Replace),
        |it| it.on_ill_formed(OnIllFormed::Escape).on_unmappable(OnUnmappable::Xml),
        |it| it.on_ill_formed(OnIllFormed::Skip).on_unmappable(OnUnmappable::Skip),
        |it| it.deny(DeniedKind::ALL).on_denied(OnDenied::Stop),
        |it| it.on_ill_formed(OnIllFormed::Replace).detail(Detail::Context),
    ];
    for (from, input) in inputs {
        for to in ["UTF-8", "UTF-16", "US-ASCII", "ISO-2022-JP", "UTF-7"] {
            for mode in modes {
                let conversion = crate::support::strict(from, to).with(mode);
                every_way_agrees(&conversion, input, &[]);
                for cut in 1..input.len() {
                    every_way_agrees(&conversion, input, &[cut]);
                }
                let each: Vec<_> = (1..input.len()).collect();
                every_way_agrees(&conversion, input, &each);
            }
        }
    }
    for input in [&b"caf\xE9 au lait"[..], b"\xFF\xFEa\0", b""] {
        let each: Vec<_> = (1..input.len()).collect();
        every_way_agrees(
            &strictly(InputEncoding::Detected(Detector::new()), Encoding::UTF_8),
            input,
            &each,
        );
    }
}

#[test]
fn a_reader_gives_what_has_come_before_it_waits_for_more() {
    struct Then<'a>(Option<&'a [u8]>);
    impl Read for Then<'_> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            self.0.take().ok_or(io::ErrorKind::WouldBlock)?.read(room)
        }
    }
    let conversion = crate::support::strict("UTF-8", "UTF-16LE");
    let mut reader = Reader::new(Then(Some(b"ab\xE2\x82")), &conversion);
    assert_eq!(reader.fill_buf().unwrap(), b"a\0b\0");
    reader.consume(4);
    assert_eq!(reader.fill_buf().unwrap_err().kind(), io::ErrorKind::WouldBlock);
    assert!(reader.summary().is_none());
}

#[test]
fn adaptors_can_be_sent_to_another_thread() {
    fn sent(_: impl Send) {}
    let conversion = crate::support::strict("UTF-8", "UTF-16LE");
    sent(Reader::new(io::empty(), &conversion));
    sent(Writer::new(io::sink(), &conversion));
    sent(ill_formed(b"", Encoding::UTF_8));
    sent(conversion);
}

fn texts() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        "[a-z\n]{0,20}".prop_map(String::into_bytes),
        "[à-ÿ€一😀\u{FEFF}]{0,6}".prop_map(String::into_bytes),
        "[à-ÿ€一😀]{0,6}".prop_map(|text| encoded(&text, "UTF-16LE")),
        proptest::collection::vec(any::<u8>(), 0..8),
    ];
    proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

/// Returns a sample of encodings. Every text is tried in each of them.
fn encodings() -> impl Iterator<Item = &'static Encoding> {
    static ENCODINGS: OnceLock<Vec<&Encoding>> = OnceLock::new();
    ENCODINGS.get_or_init(|| sample::encodings(8, Encoding::all())).iter().copied()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// `ill_formed` yields the findings that a conversion reports, at the same places. It does not look for text in
    /// other code units, so the conversion must not either (`keep_units`).
    #[test]
    fn the_walk_finds_what_a_conversion_reports(text in texts()) {
        for encoding in encodings() {
            let looking = strictly(encoding, None).with(|it| it.on_ill_formed(OnIllFormed::Replace).keep_units(true));
            let (whole, next) = run(&looking, &mut &text[..]);
            let found: Vec<_> = ill_formed(&text, encoding).collect();
            prop_assert_eq!(found.len(), whole.found.len(), "{}", encoding.name());
            for (index, finding) in found.iter().enumerate() {
                let mut collector = Collector::default();
                collector.finding(finding).unwrap();
                prop_assert_eq!(&collector.found[0], &whole.found[index], "{}", encoding.name());
                prop_assert_eq!(finding.next, next[index], "{}", encoding.name());
            }
            let first = validate(&text, encoding).err().map(Finding::into_owned);
            prop_assert_eq!(first.as_ref(), found.first());
        }
    }

    #[test]
    fn utf_8_is_decoded_as_the_standard_library_does(text in texts()) {
        let unmarked = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&text);
        prop_assert_eq!(decode_lossy(&text, Encoding::UTF_8), String::from_utf8_lossy(unmarked));
        let strict = decode(&text, Encoding::UTF_8).map_err(|error| stopped(error).finding.offset);
        let offset = |error: std::str::Utf8Error| {
            (error.valid_up_to() + text.len() - unmarked.len()) as u64
        };
        prop_assert_eq!(strict, std::str::from_utf8(unmarked).map(Cow::Borrowed).map_err(offset));
    }

    /// Every encoding reads back what it writes, except for U+FEFF at the start if that is the encoding's mark. Texts
    /// with one-way entries of a charset are skipped: such a character is written as the code of another one.
    #[test]
    fn what_is_encoded_is_decoded_to_the_same(text in "[a-z\n]{0,9}[à-ÿ€一😀\u{FEFF}\\\\&~]{0,9}") {
        for encoding in encodings() {
            let Ok(bytes) = encode(&text, encoding) else { continue };
            let Ok(decoded) = decode(&bytes, encoding) else {
                return Err(TestCaseError::fail(encoding.name()));
            };
            let marked = encoding.mark.gives_order() || encoding.mark == Mark::Signature;
            let expected = text.strip_prefix('\u{FEFF}').filter(|_| marked).unwrap_or(&text);
            let one_way = |c: char| {
                let text = c.to_string();
                let read = encode(&text, encoding).ok().and_then(|bytes| decode(&bytes, encoding).ok().map(Cow::into_owned));
                c != '\u{FEFF}' && read != Some(text)
            };
            if encoding.structure().is_some() && text.chars().any(one_way) {
                continue;
            }
            prop_assert_eq!(&decoded, expected, "{}", encoding.name());
        }
    }

    #[test]
    fn adaptors_agree_with_the_transcoder(
        text in texts(),
        (from, to) in (proptest::sample::select(Encoding::all().collect::<Vec<_>>()), proptest::sample::select(Encoding::all().collect::<Vec<_>>())),
        cuts in proptest::collection::btree_set(1_usize..60, 0..6),
        lossy in any::<bool>(),
    ) {
        let conversion = strictly(from, to).with(|it| match lossy {
            true => it.on_ill_formed(OnIllFormed::Replace).on_unmappable(OnUnmappable::Replace),
            false => it,
        });
        let cuts: Vec<_> = cuts.into_iter().filter(|cut| *cut < text.len()).collect();
        every_way_agrees(&conversion, &text, &cuts);
    }
}

/// A sink or a reporter that fails once and then works.
struct FailsOnce<T>(T, bool);

impl Write for FailsOnce<Vec<u8>> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if std::mem::replace(&mut self.1, false) {
            return Err(io::Error::other("once"));
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Reporter for FailsOnce<()> {
    fn finding(&mut self, _: &Finding<'_>) -> io::Result<()> {
        if std::mem::replace(&mut self.1, false) { Err(io::Error::other("once")) } else { Ok(()) }
    }
}

#[test]
fn a_writer_that_has_failed_to_flush_does_not_go_on() {
    let conversion = Options::new().build(Encoding::UTF_8, Encoding::UTF_8).unwrap();
    let mut writer = Writer::new(FailsOnce(Vec::new(), true), &conversion);
    writer.write_all(b"hello ").unwrap();
    assert!(writer.flush().is_err());
    assert!(writer.write_all(b"world").is_err());
    assert!(writer.flush().is_err());
    assert!(writer.finish().is_err());
}

#[test]
fn a_writer_takes_any_number_of_bytes_at_once() {
    let conversion = Options::new().build(Encoding::UTF_8, Encoding::UTF_16LE).unwrap();
    let mut writer = Writer::new(Vec::new(), &conversion);
    writer.write_all(&b"a".repeat(1 << 20)).unwrap();
    assert!(writer.finish().unwrap().0 == b"a\0".repeat(1 << 20));
}

#[test]
fn a_reader_whose_reporter_has_failed_does_not_begin_again() {
    let options = Options::new().on_ill_formed(OnIllFormed::Replace);
    let conversion = options.build(Encoding::UTF_8, Encoding::UTF_8).unwrap();
    let mut reader = Reader::with_reporter(&b"ab\xFFcd"[..], &conversion, FailsOnce((), true));
    let mut text = Vec::new();
    for _ in 0..3 {
        assert!(reader.read_to_end(&mut text).is_err());
    }
    assert_eq!(text, b"ab", "the text before the finding, once");
}

#[test]
fn what_stands_before_a_finding_that_cannot_be_reported_is_written() {
    let options = Options::new().on_ill_formed(OnIllFormed::Replace);
    let conversion = options.build(Encoding::UTF_8, Encoding::UTF_16LE).unwrap();
    let mut text = Vec::new();
    let mut transcoder = Transcoder::new(&conversion, &mut text);
    let error = transcoder.input(&mut &b"ab\xFFcd"[..], &mut FailsOnce((), true)).unwrap_err();
    assert!(matches!(error, Error::Report(_)));
    transcoder.finish().unwrap();
    assert_eq!(text, b"a\0b\0");
}

/// A source that shows one byte and never more.
struct Stingy;

impl Source for Stingy {
    fn fill(&mut self, _: usize) -> io::Result<Chunk<'_>> {
        Ok(Chunk::more(b"\xC3"))
    }

    fn consume(&mut self, _: usize) {}

    fn may_block(&self) -> bool {
        false
    }
}

#[test]
fn a_source_that_shows_less_than_was_requested_is_an_error_and_no_loop_without_end() {
    let conversion = Options::new().build(Encoding::UTF_8, Encoding::UTF_16LE).unwrap();
    let mut text = Vec::new();
    let mut transcoder = Transcoder::new(&conversion, &mut text);
    let error = transcoder.input(&mut Stingy, &mut Silent).unwrap_err();
    assert!(matches!(error, Error::Read(_)));
}
