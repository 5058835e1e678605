//! `--detect --lines`: prints the encoding of each line.
//!
//! ```text
//! input ─► lines, up to LF, CR or CR LF ─► ASCII │ UTF-8 │ LineDetector::read ─► a row
//! ```
//!
//! The answers are those of `-f auto-lines`, since both ask the same detector for the same part of a line. It learns
//! from each line, so the lines of a file are read in order, by one thread.

use std::io;

use anyhow::bail;

use oxiconv_detect::detection::{
    Detection, Detector, Evidence, HEAD, LINE_CONTEXT, LONGEST_LINE, LineDetector, LineVerdict,
};
use oxiconv_encodings::encoding::{Encoding, LONGEST_MARK, may_be_wide_mark, wide_mark};
use oxiconv_report::DetectedLine;
use oxiconv_transcode::Error;
use oxiconv_transcode::diagnostic::Summary;
use oxiconv_transcode::io::Source;

use super::result;
use crate::cli::file_input::name_error;
use crate::cli::files::FileArg;
use crate::cli::ordered_output::FileOutput;
use crate::cli::result_totals::InputResult;
use crate::cli::run_context::RunContext;

const MARK: &[u8] = "\u{FEFF}".as_bytes();

/// Prints the encoding of each line of a file, and returns whether all are known. Returns `None` without printing for a
/// file that was found by `-r` and is binary.
pub(super) fn detect(
    ctx: &RunContext<'_>,
    source: &mut dyn Source,
    detector: Detector,
    file: &FileArg,
    out: &mut FileOutput<'_>,
) -> anyhow::Result<Option<(InputResult, bool)>> {
    let name = |error| name_error(Error::Read(error), &file.label(), "");
    if file.found && is_binary(source.fill(HEAD).map_err(name)?.bytes) {
        return Ok(None);
    }
    if may_be_wide_mark(source.fill(1).map_err(name)?.bytes)
        && let Some((_, scheme)) = wide_mark(source.fill(LONGEST_MARK).map_err(name)?.bytes)
    {
        bail!("{}: the text is {} as a whole (leave out --lines)", file.label(), scheme.unmarked());
    }
    let mut are_known = true;
    let read = each_line(source, detector, |line| match line {
        Some(line) => {
            are_known &= line.encoding.is_some();
            if !ctx.config.messages.silent {
                ctx.report.detected_line(out, file, line);
            }
            Ok(())
        }
        None => ctx.report.flush(out),
    });
    let TextRead { bytes, line_feeds, start } = read.map_err(name)?;
    // The answers for lines are only right for text in bytes. That is known when the start has arrived, which may be
    // after the first answers.
    if let Some(words) = not_in_bytes(&start) {
        are_known = false;
        if !ctx.config.messages.silent {
            ctx.report.note(out, file, &format!("{words} (leave out --lines)"));
        }
    }
    let mut summary = Summary::default();
    (summary.bytes_read, summary.lines) = (bytes, line_feeds);
    Ok(Some(result(summary, are_known)))
}

fn is_binary(start: &[u8]) -> bool {
    let start = &start[..start.len().min(HEAD)];
    Detector::new().detect(start).evidence == Evidence::Binary
}

/// Returns what a text is that begins with `start`, if its bytes are not characters or parts of such.
fn not_in_bytes(start: &[u8]) -> Option<String> {
    let Detection { evidence, encoding, .. } = Detector::new().detect(start);
    match evidence {
        Evidence::Binary => Some("the file looks binary".to_owned()),
        Evidence::Units | Evidence::Escapes => Some(format!("the text looks like {encoding}")),
        _ => None,
    }
}

/// What was read of a text: the number of bytes and of line feeds, and its first [`HEAD`] bytes.
#[derive(Default)]
struct TextRead {
    bytes: u64,
    line_feeds: u64,
    start: Vec<u8>,
}

/// Passes each line of a text to `report`, and `None` before more of the text is read, which may take long.
fn each_line(
    source: &mut dyn Source,
    detector: Detector,
    mut report: impl FnMut(Option<&DetectedLine>) -> io::Result<()>,
) -> io::Result<TextRead> {
    let mut lines = LineDetector::new(detector.expected());
    let (mut line, mut number, mut read) = (PartialLine::default(), 0, TextRead::default());
    if source.fill(1)?.bytes.first() == Some(&MARK[0])
        && source.fill(MARK.len())?.bytes.starts_with(MARK)
    {
        line.is_marked = true;
        source.consume(MARK.len());
        read.bytes += MARK.len() as u64;
    }
    let mut after_return = false;
    loop {
        report(None)?;
        let mut bytes = source.fill(1)?.bytes;
        let len = bytes.len();
        let rest_of_start = HEAD - read.start.len();
        read.start.extend_from_slice(&bytes[..len.min(rest_of_start)]);
        if len == 0 {
            break;
        }
        while !bytes.is_empty() {
            // The second half of CR LF.
            if std::mem::take(&mut after_return) && bytes[0] == b'\n' {
                bytes = &bytes[1..];
                read.line_feeds += 1;
                continue;
            }
            let Some(end) = memchr::memchr2(b'\n', b'\r', bytes) else {
                line.push(bytes);
                break;
            };
            line.push(&bytes[..end]);
            number += 1;
            report(Some(&line.take(&mut lines, number)))?;
            read.line_feeds += u64::from(bytes[end] == b'\n');
            after_return = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
        }
        source.consume(len);
        read.bytes += len as u64;
    }
    if !line.is_empty() {
        report(Some(&line.take(&mut lines, number + 1)))?;
    }
    Ok(read)
}

/// A line as far as it has arrived.
#[derive(Default)]
struct PartialLine {
    /// The end of the ASCII that it begins with, at most [`LINE_CONTEXT`] bytes.
    ascii: Vec<u8>,
    /// The bytes from the first non-ASCII byte on, at most [`LONGEST_LINE`].
    rest: Vec<u8>,
    /// Whether there are more.
    is_cut: bool,
    /// Whether a byte order mark precedes it.
    is_marked: bool,
}

impl PartialLine {
    fn push(&mut self, mut bytes: &[u8]) {
        if self.rest.is_empty() {
            let start = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(bytes.len());
            self.ascii.extend_from_slice(&bytes[start.saturating_sub(LINE_CONTEXT)..start]);
            self.ascii.drain(..self.ascii.len().saturating_sub(LINE_CONTEXT));
            bytes = &bytes[start..];
        }
        let room = LONGEST_LINE - self.rest.len();
        self.is_cut |= bytes.len() > room;
        self.rest.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn is_empty(&self) -> bool {
        self.ascii.is_empty() && self.rest.is_empty() && !self.is_marked
    }

    /// Returns what the line is, and begins the next one.
    fn take(&mut self, lines: &mut LineDetector, number: u64) -> DetectedLine {
        let (text, is_utf8) = match std::str::from_utf8(&self.rest) {
            Ok(text) => (text, true),
            Err(error) => {
                let valid = self.rest.get(..error.valid_up_to()).unwrap_or_default();
                let text = std::str::from_utf8(valid).unwrap_or_default();
                (text, self.is_cut && error.error_len().is_none())
            }
        };
        let (encoding, fallback) = if self.rest.is_empty() && !self.is_marked {
            (Some(Encoding::US_ASCII), None)
        } else if is_utf8 {
            lines.learn(text);
            (Some(Encoding::UTF_8), None)
        } else {
            match lines.read(&self.ascii, &self.rest) {
                LineVerdict::Utf8 => (Some(Encoding::UTF_8), None),
                LineVerdict::WithStrays(strays, _) => (Some(Encoding::UTF_8), Some(strays)),
                LineVerdict::Whole(encoding) => (Some(encoding), None),
                LineVerdict::Unknown => (None, None),
            }
        };
        self.ascii.clear();
        self.rest.clear();
        (self.is_cut, self.is_marked) = (false, false);
        DetectedLine { number, encoding, fallback }
    }
}

#[cfg(test)]
mod tests;
