//! `--detect`: prints the encoding of each file.
//!
//! ```text
//! input ─► skip ASCII ─► sample ─► Detector ─► decode the rest in that encoding ─► lower the confidence ─► row
//!          └──────────────── line ends are counted ────────────────┘
//! ```
//!
//! The detector sees only a sample. The rest of the file is decoded too, because a fault in it may refute the answer: a
//! file that begins with megabytes of UTF-8 may continue in another encoding.

mod line_end_counter;
mod lines;
mod sampled_start;

use std::io;

use oxiconv_detect::detection::{Detection, Detector, Evidence, Others};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::IllFormedKind;
use oxiconv_report::guess::TextJudge;
use oxiconv_report::{DetectionRow, LineEnds};
use oxiconv_transcode::diagnostic::{Detail, Finding, Kind, Reporter, Summary};
use oxiconv_transcode::io::Source;
use oxiconv_transcode::{Error, InputEncoding, OnIllFormed, Options, Threads, Transcoder};

use super::config::DetectedUnit;
use super::exit_status::ExitStatus;
use super::file_input::{name_error, open};
use super::files::FileArg;
use super::ordered_output::FileOutput;
use super::progress::MeteredSource;
use super::result_totals::InputResult;
use super::run_context::RunContext;
use super::tapped_source::TappedSource;
use line_end_counter::LineEndCounter;
use sampled_start::SampledStart;

/// A text is not in the detected encoding if more than one in this many non-ASCII bytes is ill-formed.
const TOLERATED: u64 = 200;
/// The same if the detection accounts for the ill-formed bytes, which it has weighed against the well-formed ones
/// already: only if they outnumber all non-ASCII bytes do they refute it.
const TOLERATED_IF_EXPLAINED: u64 = 1;
/// The highest confidence in an encoding in which the text has ill-formed sequences, in percent.
const MAX_WITH_FAULTS: u8 = 90;

/// How much text is kept to judge stray bytes after the sample: the start of the text, and what follows the first of
/// them.
const MAX_JUDGED: usize = 256 * 1024;

/// Prints the encoding of a file or of its lines, and returns whether it is known. Returns `None` without printing for
/// a file that was found by `-r` and looks binary.
pub(super) fn detect(
    ctx: &RunContext<'_>,
    unit: DetectedUnit,
    file: &FileArg,
    out: &mut FileOutput<'_>,
) -> anyhow::Result<Option<(InputResult, bool)>> {
    let input = open(file)?;
    if let Some(bar) = ctx.bar {
        bar.begin_file(file);
    }
    let mut source = MeteredSource { source: input.source, bar: ctx.bar };
    let asked = &ctx.config.conversion;
    let detector = match asked.from() {
        InputEncoding::Detected(detector) | InputEncoding::Lines(detector) => detector,
        _ => Detector::new(),
    };
    if unit == DetectedUnit::Line {
        return lines::detect(ctx, &mut source, detector, file, out);
    }
    let threads = asked.options().threads;
    let examined = examine(&mut source, detector, threads)
        .map_err(|error| name_error(error, &file.label(), ""))?;
    let ExaminedFile { detection, line_ends, mut summary, first_ill_formed } = examined;
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
    if !ctx.config.messages.silent {
        ctx.report.detection(out, file, &row);
    }
    Ok(Some(result(summary, row.is_known())))
}

fn result(summary: Summary, is_known: bool) -> (InputResult, bool) {
    let exit = if is_known { ExitStatus::Clean } else { ExitStatus::Found };
    (InputResult { summary, exit, shown: 0, withheld: 0, known: 0, gone: 0 }, is_known)
}

/// What is known about a file once it was read.
#[derive(Default)]
pub(super) struct ExaminedFile {
    /// `None` if it is empty.
    pub(super) detection: Option<Detection>,
    pub(super) line_ends: LineEnds,
    pub(super) summary: Summary,
    pub(super) first_ill_formed: Option<u64>,
}

/// Reads a text to its end, unless it is plainly not text.
pub(super) fn examine(
    source: &mut dyn Source,
    detector: Detector,
    threads: Threads,
) -> Result<ExaminedFile, Error> {
    let start = SampledStart::of(source, detector).map_err(Error::Read)?;
    let SampledStart { detection, order, skipped, mut line_ends, cut, .. } = start;
    let Some(mut detection) = detection else { return Ok(ExaminedFile::default()) };
    if detection.evidence == Evidence::Binary {
        return Ok(ExaminedFile { detection: Some(detection), ..ExaminedFile::default() });
    }
    let skipped_lines = line_ends.line_feeds();
    line_ends.switch_to(detection.encoding, order);
    let mut counts = ByteCounts { line_ends, non_ascii: 0 };
    let mut counting = TappedSource { source, look: |bytes: &[u8]| counts.count(bytes) };
    // If the sample is clean UTF-8, the first stray bytes may come after it. They are collected as evidence, and judged
    // at the end together with the text around them.
    let is_utf8 = detection.encoding == Encoding::UTF_8 && detection.others.is_none();
    let mut first = FirstIllFormed::default();
    let conversion = Options::new()
        .on_ill_formed(OnIllFormed::Replace)
        .threads(threads)
        .detail(if is_utf8 { Detail::Evidence } else { Detail::Findings })
        .build(detection.encoding, None)?;
    let mut summary =
        Transcoder::new(&conversion, &mut io::sink()).input(&mut counting, &mut first)?;
    let ByteCounts { line_ends, non_ascii } = counts;
    summary.bytes_read += skipped;
    summary.characters += skipped;
    summary.lines += skipped_lines;
    // Other bytes that interrupt UTF-16 have a report of their own, and do not speak against UTF-16.
    let mut ill_formed = summary.ill_formed() - summary.interrupted();
    if detection.evidence == Evidence::Letters || detection.encoding.family.is_wide() {
        // Neither does a character that the start or the end of the file truncates, as after `tail -c` or `head -c`.
        let at_end = summary.found.get(&Kind::IllFormed(IllFormedKind::TruncatedAtEnd));
        ill_formed = ill_formed.saturating_sub(cut + at_end.copied().unwrap_or(0));
    }
    if is_utf8
        && ill_formed > 0
        && let Some(later) = first.judge.detection(first.judged < MAX_JUDGED)
    {
        // The stray bytes came after the sample. If they are in lines of another encoding, that is the answer.
        // Otherwise the text is still UTF-8, and no more certain than what the stray bytes are.
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
            1 => non_ascii,
            unit => summary.bytes_read / unit as u64,
        };
        detection.confidence =
            detection.confidence.min(most_confidence(&detection, ill_formed, units));
    }
    Ok(ExaminedFile {
        detection: Some(detection),
        line_ends: line_ends.line_ends(),
        summary,
        first_ill_formed: first.offset.map(|offset| offset + skipped),
    })
}

/// Returns the highest confidence, in percent, in the encoding of a text with ill-formed sequences among this many
/// units beyond ASCII.
///
/// ```text
/// more than are tolerated            just less than enough: the encoding is unknown
/// accounted for by the detection     no limit: the confidence allows for them already
/// a few                              MAX_WITH_FAULTS: probably this encoding, but not for certain
/// ```
fn most_confidence(detection: &Detection, ill_formed: u64, units: u64) -> u8 {
    // If the detection says what the ill-formed bytes are (lines in other encodings, stray bytes with a fallback,
    // surrogate pairs), its confidence allows for them already.
    let is_mixed = matches!(
        detection.evidence,
        Evidence::Lines | Evidence::MostlyWellFormed | Evidence::SurrogatePairs
    );
    let is_told = |others: Others| others.fallback.is_some() || others.strays == 0;
    let tolerated = match detection.others.is_some_and(is_told) || is_mixed {
        true => TOLERATED_IF_EXPLAINED,
        false => TOLERATED,
    };
    match ill_formed * tolerated > units {
        true => Detection::ENOUGH - 1,
        false if is_mixed || detection.others.is_some() => u8::MAX,
        false => MAX_WITH_FAULTS,
    }
}

/// What is counted in all bytes of a text: its line ends, and its non-ASCII bytes.
struct ByteCounts {
    line_ends: LineEndCounter,
    non_ascii: u64,
}

impl ByteCounts {
    fn count(&mut self, bytes: &[u8]) {
        self.line_ends.count(bytes);
        self.non_ascii += count_non_ascii(bytes);
    }
}

fn count_non_ascii(bytes: &[u8]) -> u64 {
    const LANES: usize = 64;
    let (blocks, rest) = bytes.as_chunks::<LANES>();
    let mut sum = rest.iter().map(|byte| u64::from(byte >> 7)).sum();
    // Sums in lanes of 8 bits, so that the compiler vectorizes the loop. After 255 blocks a lane could overflow, so the
    // lanes are added up before.
    for blocks in blocks.chunks(u8::MAX.into()) {
        let mut counts = [0_u8; LANES];
        for block in blocks {
            counts.iter_mut().zip(block).for_each(|(count, byte)| *count += byte >> 7);
        }
        sum += counts.into_iter().map(u64::from).sum::<u64>();
    }
    sum
}

/// Remembers the offset of the first ill-formed sequence, and passes text to a judge of stray bytes, up to
/// `MAX_JUDGED`.
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
        let bytes = &bytes[..bytes.len().min(MAX_JUDGED - self.judged)];
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
            assert_eq!(count_non_ascii(&text), (len - len.div_ceil(3)) as u64, "{len}");
        }
    }
}
