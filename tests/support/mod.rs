//! Helpers for the conformance tests. They convert bytes in memory, in pieces that may be cut anywhere, and keep owned
//! copies of all findings, so that runs can be compared. The pseudo-random numbers are reproducible.

mod cut;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::diagnostic::{Finding, Message, Reporter, Silent, Summary};
use oxiconv_transcode::io::{ReadSource, Source};
use oxiconv_transcode::{
    Conversion, Error, InputEncoding, OnIllFormed, OnUnmappable, Options, Transcoder,
};

pub use cut::{Cut, Pieces};

/// Reports, once per test and reason, why a test cannot run here or runs only in part. It writes to the standard error
/// stream directly, because the harness captures `eprintln!` but not that. `.ci/run` repeats these lines at its end.
pub fn skipped(why: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let test = std::thread::current();
    let line = format!("skipped: {}: {why}\n", test.name().unwrap_or_default());
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if !said.contains(&line) {
        io::stderr().write_all(line.as_bytes()).expect("standard error can be written");
        said.insert(line);
    }
}

/// An owned copy of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub id: &'static str,
    pub offset: u64,
    pub line: u64,
    pub column: u64,
    pub bytes: Vec<u8>,
    pub value: Option<u128>,
    pub encoding: &'static str,
    pub sentence: String,
}

impl Found {
    /// Returns kind, offset, length, line and column.
    pub fn place(&self) -> (&'static str, u64, usize, u64, u64) {
        (self.id, self.offset, self.bytes.len(), self.line, self.column)
    }

    pub fn end(&self) -> u64 {
        self.offset + self.bytes.len() as u64
    }
}

#[derive(Debug, Default)]
pub struct Collector {
    pub found: Vec<Found>,
    pub next: Vec<Option<u8>>,
    pub words: Vec<String>,
}

impl Reporter for Collector {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.next.push(finding.next);
        self.found.push(Found {
            id: finding.kind.id(),
            offset: finding.offset,
            line: finding.line,
            column: finding.column,
            bytes: finding.bytes.to_vec(),
            value: finding.value,
            encoding: finding.encoding.name(),
            sentence: finding.sentence(),
        });
        Ok(())
    }

    fn message(&mut self, message: Message) {
        self.words.push(match message {
            Message::Note(words) => format!("note: {words}"),
            Message::Warning(words) => format!("warning: {words}"),
            message => format!("remark: {}", message.words()),
        });
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub output: Vec<u8>,
    pub found: Vec<Found>,
    pub words: Vec<String>,
    pub summary: Summary,
}

impl Outcome {
    pub fn places(&self) -> Vec<(&'static str, u64, usize, u64, u64)> {
        self.found.iter().map(Found::place).collect()
    }
}

/// Runs a conversion on a source. Also returns [`Finding::next`] of each finding.
pub fn run(conversion: &Conversion, source: &mut dyn Source) -> (Outcome, Vec<Option<u8>>) {
    let (mut output, mut collector) = (Vec::new(), Collector::default());
    let mut transcoder = Transcoder::new(conversion, &mut output);
    let summary = transcoder
        .input(source, &mut collector)
        .or_else(Error::into_summary)
        .expect("memory is read");
    transcoder.finish().expect("memory is written");
    let Collector { found, next, words } = collector;
    (Outcome { output, found, words, summary }, next)
}

/// Converts the input in one piece.
pub fn convert(conversion: &Conversion, input: &[u8]) -> Outcome {
    run(conversion, &mut Cut::new(input, &[], false)).0
}

/// Converts with [`Silent`] as the reporter, which lets the conversion skip the search for lines and columns.
pub fn convert_without_places(conversion: &Conversion, input: &[u8]) -> (Vec<u8>, Summary) {
    let mut output = Vec::new();
    let mut transcoder = Transcoder::new(conversion, &mut output);
    let summary = transcoder
        .input(&mut Cut::new(input, &[], false), &mut Silent)
        .or_else(Error::into_summary)
        .expect("memory is read");
    transcoder.finish().expect("memory is written");
    (output, summary)
}

/// Converts the input in pieces that end at `cuts`, which ascend.
pub fn convert_cut(
    conversion: &Conversion,
    input: &[u8],
    cuts: &[usize],
    late_end: bool,
) -> Outcome {
    run(conversion, &mut Cut::new(input, cuts, late_end)).0
}

/// Converts pieces that arrive through a reader, one per read, as from a pipe.
pub fn convert_pieces(conversion: &Conversion, pieces: &[&[u8]]) -> Outcome {
    let reader = Pieces::new(pieces.iter().copied());
    run(conversion, &mut ReadSource::new(reader)).0
}

/// Converts the input whole, with a cut at each position, with all cuts at once, and byte by byte as from a pipe. The
/// end of the input is announced with the last piece or only after it. All outcomes must be equal; returns that
/// outcome.
#[track_caller]
pub fn every_cut(conversion: &Conversion, input: &[u8]) -> Outcome {
    let whole = convert(conversion, input);
    let each: Vec<_> = (1..input.len()).collect();
    for late_end in [false, true] {
        for cuts in each.iter().map(|cut| vec![*cut]).chain([each.clone()]) {
            let cut = convert_cut(conversion, input, &cuts, late_end);
            assert_eq!(cut, whole, "{} cut at {cuts:?}", input.escape_ascii());
        }
    }
    let pieces: Vec<_> = input.chunks(1).collect();
    assert_eq!(convert_pieces(conversion, &pieces), whole, "{} in bytes", input.escape_ascii());
    whole
}

pub fn encoding(name: &str) -> &'static Encoding {
    Encoding::for_name(name).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns a strict conversion between two encodings, given by name.
pub fn strict(from: &str, to: &str) -> Conversion {
    strictly(encoding(from), encoding(to))
}

/// Returns a strict conversion, which has no target if `to` is `None`.
pub fn strictly(
    from: impl Into<InputEncoding>,
    to: impl Into<Option<&'static Encoding>>,
) -> Conversion {
    Options::new().build(from, to).expect("options that go together")
}

pub trait With {
    /// Returns a copy of the conversion with changed options.
    fn with(&self, change: impl FnOnce(Options) -> Options) -> Conversion;
}

impl With for Conversion {
    fn with(&self, change: impl FnOnce(Options) -> Options) -> Conversion {
        let options = change(self.options().clone());
        options.build(self.from(), self.to()).expect("options that go together")
    }
}

pub fn with(from: &str, to: &str, ill: OnIllFormed, unmappable: OnUnmappable) -> Conversion {
    strict(from, to).with(|it| it.on_ill_formed(ill).on_unmappable(unmappable))
}

pub fn replacing(from: &str, to: &str) -> Conversion {
    with(from, to, OnIllFormed::Replace, OnUnmappable::Replace)
}

/// Encodes text with the standard library alone, as an oracle. UTF-16 and UTF-32 are little-endian with a byte order
/// mark.
pub fn encode(text: &str, name: &str) -> Vec<u8> {
    let units16 = || text.encode_utf16();
    let units32 = || text.chars().map(u32::from);
    match name {
        "UTF-8" => text.as_bytes().to_vec(),
        "UTF-16LE" => units16().flat_map(u16::to_le_bytes).collect(),
        "UTF-16BE" => units16().flat_map(u16::to_be_bytes).collect(),
        "UTF-32LE" => units32().flat_map(u32::to_le_bytes).collect(),
        "UTF-32BE" => units32().flat_map(u32::to_be_bytes).collect(),
        "UTF-16" if text.is_empty() => Vec::new(),
        "UTF-32" if text.is_empty() => Vec::new(),
        "UTF-16" => [b"\xFF\xFE".to_vec(), encode(text, "UTF-16LE")].concat(),
        "UTF-32" => [b"\xFF\xFE\0\0".to_vec(), encode(text, "UTF-32LE")].concat(),
        "US-ASCII" | "ISO-8859-1" => {
            text.chars().map(|c| u8::try_from(c).expect("in the repertoire")).collect()
        }
        _ => panic!("no oracle for {name}"),
    }
}

/// The Unicode encodings.
pub const UNICODE: [&str; 7] =
    ["UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE", "UTF-32BE"];

/// SplitMix64: the same numbers for the same seed on every machine.
pub struct Random(pub u64);

#[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "codecs alone need only numbers"))]
impl Random {
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.number() % bound as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// Returns a scalar value up to `max`. All lengths in UTF-8 are about equally frequent.
    pub fn scalar(&mut self, max: u32) -> char {
        loop {
            let top = self.pick(&[0x7F_u32, 0x7FF, 0xFFFF, 0x10_FFFF]).min(max);
            if let Some(c) = char::from_u32((self.number() % (u64::from(top) + 1)) as u32) {
                return c;
            }
        }
    }

    pub fn text(&mut self, chars: usize, max: u32) -> String {
        (0..chars).map(|_| self.scalar(max)).collect()
    }
}
