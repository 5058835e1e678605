//! `--detect`: which encoding a file is in.
//!
//! ```text
//! input ─► past ASCII that tells nothing ─► sample ─► Detector ─► check of the rest in that encoding ─► row
//!          └──────────────────────────── line ends are counted ────────────────────────────┘
//! ```

mod line_ends;
mod start;

use std::io;

use crate::detection::{Detection, Detector, Evidence};
use crate::diagnostic::{Finding, Kind, Reporter, Summary};
use crate::io::{Chunk, Source};
use crate::report::{DetectionRow, LineEnds};
use crate::transcode::{Error, InputEncoding, OnIllFormed, Options, Transcoder};

use super::exit::Exit;
use super::files::FileArg;
use super::input::{name_error, open};
use super::job::Job;
use super::ordered_output::FileOutput;
use super::progress::Watched;
use super::totals::Done;
use line_ends::LineEndCounter;
use start::Start;

/// If more than one in this many bytes beyond ASCII is ill-formed, the text is not in that encoding.
const TOLERATED: u64 = 200;
/// The most confidence in the encoding of a text that has ill-formed sequences, in percent.
const WITH_FAULTS: u8 = 90;

/// Prints which encoding a file is in, and returns whether it is known; `None` if the file looks binary and is to be
/// skipped.
pub(super) fn detect(
    job: &Job<'_>,
    file: &FileArg,
    out: &mut FileOutput<'_>,
) -> anyhow::Result<Option<(Done, bool)>> {
    let input = open(file)?;
    let mut source = Watched { source: input.source, bar: job.bar };
    let looked = look(job, &mut source).map_err(|error| name_error(error, &file.label(), ""))?;
    let Looked { detection, line_ends, mut summary, first_ill_formed } = looked;
    if file.found && detection.as_ref().is_some_and(|it| it.evidence == Evidence::Binary) {
        return Ok(None);
    }
    summary.detected = detection.clone().map(Box::new);
    let row = DetectionRow {
        detection: detection.as_ref(),
        bytes: summary.bytes_read,
        line_ends,
        ill_formed: summary.ill_formed(),
        first_ill_formed,
    };
    if !job.config.silent {
        job.report.detection(out, file, &row);
    }
    let is_known = row.is_known();
    let exit = if is_known { Exit::Clean } else { Exit::Found };
    Ok(Some((Done { summary, exit, shown: 0, withheld: 0, gone: 0 }, is_known)))
}

/// What a file looks like.
#[derive(Default)]
struct Looked {
    /// `None` if it is empty.
    detection: Option<Detection>,
    line_ends: LineEnds,
    summary: Summary,
    first_ill_formed: Option<u64>,
}

/// Reads a text to its end, or until it is plainly not text.
fn look(job: &Job<'_>, source: &mut dyn Source) -> Result<Looked, Error> {
    let asked = &job.config.conversion;
    let detector = match asked.from() {
        InputEncoding::Detected(detector) => detector,
        InputEncoding::Named(_) => Detector::new(),
    };
    let start = Start::of(source, detector).map_err(Error::Read)?;
    let Start { detection, order, skipped, mut line_ends, .. } = start;
    let Some(mut detection) = detection else { return Ok(Looked::default()) };
    if detection.evidence == Evidence::Binary {
        return Ok(Looked { detection: Some(detection), ..Looked::default() });
    }
    let skipped_lines = line_ends.line_feeds();
    line_ends.go_on_in(detection.encoding, order);
    let mut counting = Counting { source, line_ends, high: 0 };
    let mut first = FirstIllFormed { offset: None };
    let conversion = Options::new()
        .on_ill_formed(OnIllFormed::Replace)
        .threads(asked.options().threads)
        .build(detection.encoding, None)?;
    let mut summary =
        Transcoder::new(&conversion, &mut io::sink()).input(&mut counting, &mut first)?;
    summary.bytes_read += skipped;
    summary.characters += skipped;
    summary.lines += skipped_lines;
    let ill_formed = summary.ill_formed();
    if ill_formed > 0 {
        let units = match detection.encoding.unit() {
            1 => counting.high,
            unit => summary.bytes_read / unit as u64,
        };
        let most = match ill_formed * TOLERATED > units {
            true => Detection::ENOUGH - 1,
            false => WITH_FAULTS,
        };
        detection.confidence = detection.confidence.min(most);
    }
    Ok(Looked {
        detection: Some(detection),
        line_ends: counting.line_ends.line_ends(),
        summary,
        first_ill_formed: first.offset.map(|offset| offset + skipped),
    })
}

/// A source that counts in what is consumed.
struct Counting<'a> {
    source: &'a mut dyn Source,
    line_ends: LineEndCounter,
    /// Bytes beyond ASCII.
    high: u64,
}

impl Source for Counting<'_> {
    fn fill(&mut self, at_least: usize) -> io::Result<Chunk<'_>> {
        self.source.fill(at_least)
    }

    fn consume(&mut self, mut bytes: usize) {
        while bytes > 0 {
            // They are in memory already, or at least in a map: at most a part of them at a time.
            let Ok(chunk) = self.source.fill(1) else { return };
            let part = &chunk.bytes[..chunk.bytes.len().min(bytes)];
            let len = part.len();
            self.line_ends.count(part);
            self.high += high(part);
            self.source.consume(len);
            bytes -= len;
        }
    }

    fn window(&self) -> Option<Chunk<'_>> {
        self.source.window()
    }

    fn may_block(&self) -> bool {
        self.source.may_block()
    }

    fn read_ahead(&mut self) {
        self.source.read_ahead();
    }

    fn threads(&self) -> usize {
        self.source.threads()
    }
}

/// Returns the number of bytes beyond ASCII.
fn high(bytes: &[u8]) -> u64 {
    // Summed in a byte as far as that goes, so that the compiler can vectorize it.
    let sum = |part: &[u8]| u64::from(part.iter().map(|byte| byte >> 7).sum::<u8>());
    bytes.chunks(u8::MAX.into()).map(sum).sum()
}

/// Keeps the offset of the first ill-formed sequence.
struct FirstIllFormed {
    offset: Option<u64>,
}

impl Reporter for FirstIllFormed {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        if matches!(finding.kind, Kind::IllFormed(_)) {
            self.offset.get_or_insert(finding.offset);
        }
        Ok(())
    }

    fn wants_places(&self) -> bool {
        self.offset.is_none()
    }
}
