//! `--detect`: which encoding a file is in.
//!
//! ```text
//! input ─► past ASCII that tells nothing ─► sample ─► Detector ─► check of the rest in that encoding ─► row
//!          └──────────────────────────── line ends are counted ────────────────────────────┘
//! ```

mod line_ends;
mod start;

use std::io;

use oxiconv_detect::detection::{Detection, Detector, Evidence, Others};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::IllFormedKind;
use oxiconv_report::guess::TextJudge;
use oxiconv_report::{DetectionRow, LineEnds};
use oxiconv_transcode::diagnostic::{Detail, Finding, Kind, Reporter, Summary};
use oxiconv_transcode::io::{Chunk, Source};
use oxiconv_transcode::{Error, InputEncoding, OnIllFormed, Options, Transcoder};

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
/// The same for UTF-8, whose ill-formed bytes are judged by the well-formed ones.
const TOLERATED_IN_UTF8: u64 = 1;
/// The most confidence in the encoding of a text that has ill-formed sequences, in percent.
const WITH_FAULTS: u8 = 90;

/// The most bytes that stray bytes after the sample are judged by: the start of the text, and what follows the first of them.
const MOST_JUDGED: usize = 256 * 1024;

/// Prints which encoding a file is in, and returns whether it is known; `None` if the file looks binary and is to be
/// skipped.
pub(super) fn detect(
    job: &Job<'_>,
    file: &FileArg,
    out: &mut FileOutput<'_>,
) -> anyhow::Result<Option<(Done, bool)>> {
    let input = open(file)?;
    if let Some(bar) = job.bar {
        bar.begin_file(file);
    }
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
        interrupted: summary.interrupted(),
    };
    if !job.config.messages.silent {
        job.report.detection(out, file, &row);
    }
    let is_known = row.is_known();
    let exit = if is_known { Exit::Clean } else { Exit::Found };
    Ok(Some((Done { summary, exit, shown: 0, withheld: 0, known: 0, gone: 0 }, is_known)))
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
        _ => Detector::new(),
    };
    let start = Start::of(source, detector).map_err(Error::Read)?;
    let Start { detection, order, skipped, mut line_ends, cut, .. } = start;
    let Some(mut detection) = detection else { return Ok(Looked::default()) };
    if detection.evidence == Evidence::Binary {
        return Ok(Looked { detection: Some(detection), ..Looked::default() });
    }
    let skipped_lines = line_ends.line_feeds();
    line_ends.go_on_in(detection.encoding, order);
    let counts = Counts { line_ends, high: 0 };
    let mut counting = Counting { source, counts };
    // What it has that is not UTF-8 may come after the sample.
    let is_utf8 = detection.encoding == Encoding::UTF_8 && detection.others.is_none();
    let mut first = FirstIllFormed::default();
    let conversion = Options::new()
        .on_ill_formed(OnIllFormed::Replace)
        .threads(asked.options().threads)
        .detail(if is_utf8 { Detail::Evidence } else { Detail::Findings })
        .build(detection.encoding, None)?;
    let mut summary =
        Transcoder::new(&conversion, &mut io::sink()).input(&mut counting, &mut first)?;
    let Counts { line_ends, high, .. } = counting.counts;
    summary.bytes_read += skipped;
    summary.characters += skipped;
    summary.lines += skipped_lines;
    // What interrupts UTF-16 is no sign of another encoding.
    let mut ill_formed = summary.ill_formed() - summary.interrupted();
    if detection.evidence == Evidence::Letters || detection.encoding.family.is_wide() {
        // Nor is a character that the start or the end of the file cuts, as `head -c` and `tail -c` do.
        let at_end = summary.found.get(&Kind::IllFormed(IllFormedKind::TruncatedAtEnd));
        ill_formed = ill_formed.saturating_sub(cut + at_end.copied().unwrap_or(0));
    }
    if is_utf8
        && ill_formed > 0
        && let Some(later) = first.judge.detection(first.judged < MOST_JUDGED)
    {
        match later.of_lines().filter(|_| detection.evidence == Evidence::WellFormed) {
            Some(_) => detection = later,
            None => {
                detection.others = later.others;
                detection.confidence = detection.confidence.min(later.confidence);
            }
        }
    }
    if ill_formed > 0 {
        let units = match detection.encoding.unit() {
            1 => high,
            unit => summary.bytes_read / unit as u64,
        };
        // If the answer says what they are, they are judged already.
        let is_mixed = matches!(
            detection.evidence,
            Evidence::Lines | Evidence::MostlyWellFormed | Evidence::SurrogatePairs
        );
        let is_told = |others: Others| others.fallback.is_some() || others.strays == 0;
        let tolerated = match detection.others.is_some_and(is_told) || is_mixed {
            true => TOLERATED_IN_UTF8,
            false => TOLERATED,
        };
        let most = match ill_formed * tolerated > units {
            true => Detection::ENOUGH - 1,
            false if is_mixed || detection.others.is_some() => u8::MAX,
            false => WITH_FAULTS,
        };
        detection.confidence = detection.confidence.min(most);
    }
    Ok(Looked {
        detection: Some(detection),
        line_ends: line_ends.line_ends(),
        summary,
        first_ill_formed: first.offset.map(|offset| offset + skipped),
    })
}

/// A source that counts in what is consumed.
struct Counting<'a> {
    source: &'a mut dyn Source,
    counts: Counts,
}

struct Counts {
    line_ends: LineEndCounter,
    /// Bytes beyond ASCII.
    high: u64,
}

impl Counts {
    fn count(&mut self, bytes: &[u8]) {
        self.line_ends.count(bytes);
        self.high += high(bytes);
    }
}

impl Source for Counting<'_> {
    fn fill(&mut self, at_least: usize) -> io::Result<Chunk<'_>> {
        self.source.fill(at_least)
    }

    fn consume(&mut self, bytes: usize) {
        // They are in memory, so this reads nothing.
        if let Ok(chunk) = self.source.fill(1) {
            self.counts.count(&chunk.bytes[..bytes]);
        }
        self.source.consume(bytes);
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
    const LANES: usize = 64;
    let (blocks, rest) = bytes.as_chunks::<LANES>();
    let mut sum = rest.iter().map(|byte| u64::from(byte >> 7)).sum();
    // Summed in bytes as far as that goes, so that the compiler can vectorize it.
    for blocks in blocks.chunks(u8::MAX.into()) {
        let mut counts = [0_u8; LANES];
        for block in blocks {
            counts.iter_mut().zip(block).for_each(|(count, byte)| *count += byte >> 7);
        }
        sum += counts.into_iter().map(u64::from).sum::<u64>();
    }
    sum
}

/// Keeps the offset of the first ill-formed sequence, and the text from there on, as far as it is judged by it.
#[derive(Default)]
struct FirstIllFormed {
    offset: Option<u64>,
    judge: TextJudge,
    judged: usize,
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

    fn text(&mut self, bytes: &[u8], encoding: &'static Encoding) {
        let bytes = &bytes[..bytes.len().min(MOST_JUDGED - self.judged)];
        self.judged += bytes.len();
        self.judge.look(bytes, encoding);
    }

    fn text_skipped(&mut self, bytes: u64, characters: u64) {
        self.judge.skip(bytes, characters);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_beyond_ascii_are_counted() {
        for len in [0, 1, 63, 64, 65, 64 * 255, 3 * 64 * 255 + 7] {
            let text: Vec<u8> = [0x7F, 0x80, 0xFF].into_iter().cycle().take(len).collect();
            assert_eq!(high(&text), (len - len.div_ceil(3)) as u64, "{len}");
        }
    }
}
