//! Conversions of a text in every way in which it can arrive, with results that can be compared.

use std::fmt;
use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::sync::Arc;

use oxiconv::{
    Character, Conversion, Error, Finding, IllFormedKind, Kind, Message, ReadSource, Reader,
    Reporter, Source, Stopped, Summary, Threads, Transcoder, Undetected, Writer,
};
use oxiconv_transcode::{Cuts, HEAD, MARGIN, TextPiece};

pub use crate::cut::{Cut, Pieces};

/// What a reporter received.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Collector {
    /// The findings.
    pub findings: Vec<Finding<'static>>,
    /// The text around each finding, as far as it was requested.
    pub contexts: Vec<String>,
    /// The value, bytes and offset of each character.
    pub characters: Vec<(u128, Vec<u8>, u64)>,
    /// Messages about the whole text.
    pub notes: Vec<Message>,
    asked: usize,
}

impl Reporter for Collector {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.findings.push(finding.detached());
        self.contexts.push(format!("{:?}", finding.context));
        Ok(())
    }

    /// Accepts two of three findings.
    fn accepts(&mut self, _: &Finding<'_>) -> io::Result<bool> {
        self.asked += 1;
        Ok(!self.asked.is_multiple_of(3))
    }

    fn character(&mut self, character: &Character<'_>) -> io::Result<()> {
        self.characters.push((character.value, character.bytes.to_vec(), character.offset));
        Ok(())
    }

    fn message(&mut self, message: Message) {
        self.notes.push(message);
    }
}

/// How a conversion ended.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    /// The whole text was read.
    Done(Box<Summary>),
    /// A finding stopped the conversion.
    Stopped(Box<Stopped>),
    /// The encoding could not be detected.
    Undetected(Box<Undetected>),
}

impl End {
    /// Returns how a conversion ended.
    ///
    /// # Panics
    ///
    /// On an error that in-memory I/O cannot cause.
    pub fn of(result: Result<Summary, Error>) -> Self {
        match result {
            Ok(summary) => Self::Done(Box::new(summary)),
            Err(Error::Stopped(stopped)) => Self::Stopped(stopped),
            Err(Error::Undetected(undetected)) => Self::Undetected(undetected),
            Err(error) => panic!("in-memory I/O failed: {error:?}"),
        }
    }
}

/// The complete result of a conversion, for comparison.
#[derive(PartialEq, Eq)]
pub struct Outcome {
    /// The bytes written.
    pub output: Vec<u8>,
    /// What the reporter received.
    pub collector: Collector,
    /// How the conversion ended.
    pub end: End,
}

impl fmt::Debug for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "output: {}\nend: {:?}", self.output.escape_ascii(), self.end)?;
        let Collector { findings, contexts, characters, notes, .. } = &self.collector;
        for (finding, context) in findings.iter().zip(contexts) {
            writeln!(f, "{finding:?} {context}")?;
        }
        for (value, bytes, offset) in characters {
            writeln!(f, "{value:X} at {offset}: {}", bytes.escape_ascii())?;
        }
        writeln!(f, "{notes:?}")
    }
}

/// Converts all that a source yields.
pub fn from_source(conversion: &Conversion, source: &mut dyn Source) -> Outcome {
    let (mut output, mut collector) = (Vec::new(), Collector::default());
    let mut transcoder = Transcoder::new(conversion, &mut output);
    let end = End::of(transcoder.input(source, &mut collector));
    transcoder.finish().expect("writing to memory succeeds");
    Outcome { output, collector, end }
}

/// Converts a text in one piece.
pub fn whole(conversion: &Conversion, text: &[u8]) -> Outcome {
    from_source(conversion, &mut Cut::new(text, &[], false))
}

/// Converts a text through a [`Reader`] whose inner reader yields the pieces between `cuts`.
pub fn through_reader(conversion: &Conversion, text: &[u8], cuts: &[usize]) -> Outcome {
    let mut reader =
        Reader::with_reporter(Pieces::new(pieces(text, cuts)), conversion, Collector::default());
    let mut output = Vec::new();
    let read = reader.read_to_end(&mut output);
    let end = match (read, reader.summary()) {
        (Ok(_), Some(summary)) => End::Done(Box::new(summary.clone())),
        (Ok(_), None) => panic!("a text that was read to its end has no summary"),
        (Err(error), _) => End::of(Err(inner(error))),
    };
    let (_, collector) = reader.into_parts();
    Outcome { output, collector, end }
}

/// Converts a text through a [`Writer`], which gets the pieces between `cuts` and is flushed after every other piece.
pub fn through_writer(conversion: &Conversion, text: &[u8], cuts: &[usize]) -> Outcome {
    let (mut output, mut collector) = (Vec::new(), Collector::default());
    let mut writer = Writer::with_reporter(&mut output, conversion, Borrowed(&mut collector));
    let mut written = Ok(());
    for (at, piece) in pieces(text, cuts).enumerate() {
        written = writer.write_all(piece);
        if written.is_ok() && at.is_multiple_of(2) {
            written = writer.flush();
        }
        if written.is_err() {
            break;
        }
    }
    let end = match written {
        Ok(()) => End::of(writer.finish_with_reporter().map(|(_, _, summary)| summary)),
        Err(error) => {
            drop(writer);
            End::of(Err(inner(error)))
        }
    };
    Outcome { output, collector, end }
}

/// Returns the conversion error inside of an I/O error.
fn inner(error: io::Error) -> Error {
    let inner = error.into_inner().expect("in-memory I/O succeeds");
    *inner.downcast().expect("an error of a conversion")
}

/// A reporter that borrows its collector, so that the findings are still available after an error of the [`Writer`].
struct Borrowed<'a>(&'a mut Collector);

impl Reporter for Borrowed<'_> {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.0.finding(finding)
    }

    fn accepts(&mut self, finding: &Finding<'_>) -> io::Result<bool> {
        self.0.accepts(finding)
    }

    fn character(&mut self, character: &Character<'_>) -> io::Result<()> {
        self.0.character(character)
    }

    fn message(&mut self, message: Message) {
        self.0.message(message);
    }
}

/// Iterates over the pieces of a text between `cuts`.
pub fn pieces<'a>(text: &'a [u8], cuts: &'a [usize]) -> impl Iterator<Item = &'a [u8]> {
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([text.len()]);
    starts.zip(ends).map(|(start, end)| &text[start..end])
}

/// Converts a text in one piece and in every other way in which it can arrive. All results must be equal. Returns that
/// result.
///
/// # Panics
///
/// If a result differs.
pub fn every_way(conversion: &Conversion, text: &[u8], cuts: &[usize]) -> Outcome {
    let expected = whole(conversion, text);
    let same = |way: &str, got: Outcome| {
        assert!(
            got == expected,
            "{way}, cut at {cuts:?}\n{conversion:?}\n{}\ngot {got:?}\nexpected {expected:?}",
            text.escape_ascii()
        );
    };
    for late_end in [false, true] {
        same("a source", from_source(conversion, &mut Cut::new(text, cuts, late_end)));
    }
    same("a pipe", from_source(conversion, &mut ReadSource::new(Pieces::new(pieces(text, cuts)))));
    same("a reader", through_reader(conversion, text, cuts));
    same("a writer", through_writer(conversion, text, cuts));
    let mut slice = text;
    same("a slice", from_source(conversion, &mut slice));
    if text.len() > 256 {
        let threads = Threads::AtMost(NonZeroUsize::new(3).expect("not zero"));
        let options = conversion.options().clone().threads(threads);
        let threaded = options.build(conversion.from(), conversion.to());
        let mut slice = text;
        same("threads", from_source(&threaded.expect("the options are valid"), &mut slice));
    }
    expected
}

/// Converts a text in shards with these borders, and checks that their results add up to `whole`, the result of the
/// text in one piece. Does nothing if `whole` stopped.
///
/// # Panics
///
/// If they do not add up.
pub fn in_shards(conversion: &Conversion, text: &[u8], borders: &[usize], whole: &Outcome) {
    let End::Done(summary) = &whole.end else { return };
    // An interruption is single-byte text or stray bytes between code units. A piece that begins inside of one cannot
    // detect it.
    let is_interruption = |kind: &Kind| {
        matches!(kind, Kind::IllFormed(IllFormedKind::OtherUnits | IllFormedKind::Misaligned))
    };
    if summary.found.keys().any(is_interruption) {
        return;
    }
    let head = &text[..text.len().min(HEAD)];
    let Ok(cuts) = Cuts::new(conversion, Some(head)) else { return };
    let size = text.len() as u64;
    let cut = |border: &usize| {
        let margin = &text[*border..text.len().min(border + MARGIN)];
        cuts.cut(*border as u64, margin, size)
    };
    let Some(mut places) = borders.iter().map(cut).collect::<Option<Vec<_>>>() else { return };
    places.retain(|place| (1..size).contains(place));
    places.dedup();
    let starts = std::iter::once(0).chain(places.iter().copied());
    let (mut output, mut collector, mut total) =
        (Vec::new(), Collector::default(), Summary::default());
    for (start, end) in starts.zip(places.iter().copied().chain([size])) {
        let piece = TextPiece { encoding: cuts.encoding(), start, end: Arc::new(end.into()), size };
        let mut transcoder = Transcoder::new(conversion, &mut output);
        let mut bytes = &text[start as usize..end as usize];
        let ended = transcoder.piece(&mut bytes, &mut collector, &piece);
        transcoder.finish().expect("writing to memory succeeds");
        total.add(&ended.expect("the whole text did not stop"));
    }
    let what = || format!("cut at {places:?}\n{conversion:?}\n{}", text.escape_ascii());
    assert!(output == whole.output, "{}\n{}\n{whole:?}", what(), output.escape_ascii());
    // Lines and columns are not compared, because they count from the start of the piece.
    let places = |collector: &Collector| -> Vec<_> {
        let place = |it: &Finding<'_>| (it.kind, it.offset, it.bytes.to_vec(), it.value);
        collector.findings.iter().map(place).collect()
    };
    assert_eq!(places(&collector), places(&whole.collector), "{}", what());
    let counts = |it: &Summary| {
        let outcomes = (it.of_ill_formed.clone(), it.of_unmappable.clone(), it.of_denied.clone());
        (it.bytes_read, it.characters, it.lines, it.found.clone(), outcomes)
    };
    assert_eq!(counts(&total), counts(summary), "{}", what());
}
