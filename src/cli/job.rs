//! What joined and single files have in common: one input through a transcoder, and what is said of it.

use std::io::{self, ErrorKind};

use anyhow::anyhow;

use crate::diagnostic::{Character, Finding, Kind, Outcome, Reporter, Row, Summary};
use crate::encoding::Encoding;
use crate::io::Input;
use crate::report::Remainder;
use crate::transcode::{Error, InputEncoding, OnDenied, Transcoder};

use super::config::{Action, Config};
use super::exit::Listed;
use super::files::FileArg;
use super::messages::FileOutput;
use super::output_format::OutputFormat;
use super::progress::{Bar, Watched};
use super::renderer::Renderer;

/// One input that is done with.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) summary: Summary,
    /// Findings that were shown.
    pub(crate) shown: u64,
    /// Findings that were not, for the limit's sake.
    pub(crate) withheld: u64,
}

/// Opens an input.
pub(crate) fn open(file: &FileArg) -> anyhow::Result<Input> {
    let opened = match &file.path {
        Some(path) => Input::open(path),
        None => Input::stdin(),
    };
    opened.map_err(|error| match error.kind() {
        ErrorKind::IsADirectory => {
            anyhow!("{}: is a directory; -r takes the files below it", file.label())
        }
        _ => anyhow::Error::new(error).context(file.label()),
    })
}

/// Sends one input through `transcoder`. What there is to say goes to `file_output`; an error is of reading or writing.
pub(crate) fn run(
    config: &Config,
    output_format: &OutputFormat,
    transcoder: &mut Transcoder<'_>,
    file: &FileArg,
    input: Input,
    file_output: &mut FileOutput<'_>,
    bar: Option<&Bar>,
) -> Result<Done, Error> {
    output_format.begin(file_output, file);
    let mut source = Watched { source: input.source, bar };
    let printer = Renderer::new(config, output_format, file, file_output);
    let mut reporter = Selected { printer, listed: config.listed, silent: config.silent };
    let result = transcoder.input(&mut source, &mut reporter).or_else(Error::into_summary);
    let remainder = reporter.printer.close().map_err(Error::Report)?;
    let summary = match result {
        Ok(summary) => summary,
        Err(error) => {
            // How many more there are is of no account where the text was not read to its end.
            output_format.rest(file_output, file, &Remainder { withheld: 0, ..remainder });
            return Err(error);
        }
    };
    output_format.rest(file_output, file, &remainder);
    if let Some(count) = account(config, &summary).filter(|_| !config.quiet) {
        output_format.aside(file_output, file, &count);
    }
    if config.verbose && !summary.stopped {
        output_format.aside(file_output, file, &what_was_done(config, &summary));
    }
    output_format.end(file_output, file, &summary, remainder.withheld);
    Ok(Done { summary, shown: remainder.shown, withheld: remainder.withheld })
}

/// Passes on the findings that are to be printed: the one that stops the conversion, and those that are listed.
struct Selected<R> {
    printer: R,
    listed: Listed,
    silent: bool,
}

impl<R: Reporter> Reporter for Selected<R> {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        if (self.listed.has(finding.kind) || finding.stops) && !self.silent {
            self.printer.finding(finding)?;
        }
        Ok(())
    }

    fn row(&mut self, row: &Row<'_>) -> io::Result<bool> {
        Ok(self.listed.ill_formed && !self.silent && self.printer.row(row)?)
    }

    fn wants_places(&self) -> bool {
        !self.silent && self.listed.any() && self.printer.wants_places()
    }

    fn unplaced(&mut self, kind: Kind, count: u64) {
        if self.listed.has(kind) && !self.silent {
            self.printer.unplaced(kind, count);
        }
    }

    fn character(&mut self, character: &Character<'_>) -> io::Result<()> {
        if self.silent { Ok(()) } else { self.printer.character(character) }
    }

    fn text(&mut self, bytes: &[u8], encoding: &'static Encoding) {
        if !self.silent {
            self.printer.text(bytes, encoding);
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.printer.flush()
    }

    fn note(&mut self, words: &str) {
        self.printer.note(words);
    }

    fn remark(&mut self, words: &str) {
        self.printer.remark(words);
    }
}

/// One line on what became of the faults that the conversion went past; `None` where there is nothing to say.
fn account(config: &Config, summary: &Summary) -> Option<String> {
    if matches!(config.action, Action::Check) {
        return None;
    }
    let Summary { of_ill_formed, of_unmappable, .. } = summary;
    let mut parts: Vec<_> =
        [(of_ill_formed, "ill-formed subsequence"), (of_unmappable, "unmappable character")]
            .into_iter()
            .flat_map(|(outcomes, what)| {
                outcomes.iter().map(move |(outcome, count)| (outcome, count, what))
            })
            .map(|(outcome, count, what)| {
                format!("{} {}", counted(count, what), became(config, outcome))
            })
            .collect();
    if summary.denied() > 0 && config.conversion.options().on_denied == OnDenied::Pass {
        parts.push(format!("{} let through", counted(summary.denied(), "denied character")));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn became(config: &Config, outcome: Outcome) -> String {
    let words = match outcome {
        Outcome::ReadByFallback => {
            let name = config
                .conversion
                .options()
                .fallback
                .map_or("the fallback", |fallback| fallback.name);
            return format!("read as {name}");
        }
        Outcome::Replaced => "replaced",
        Outcome::Escaped => "escaped",
        Outcome::Reference => "written as character references",
        Outcome::Transliterated => "transliterated",
        Outcome::Dropped => "left out",
    };
    words.to_owned()
}

/// `1 byte`, `2 bytes`.
pub(crate) fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn what_was_done(config: &Config, summary: &Summary) -> String {
    let from = match config.conversion.from() {
        InputEncoding::Named(encoding) => encoding.name,
        InputEncoding::Detected => "detected",
    };
    match config.conversion.to() {
        Some(to) if !matches!(config.action, Action::Check) => format!(
            "{from} to {}: {} read, {} written",
            to.name,
            counted(summary.bytes_read, "byte"),
            summary.bytes_written
        ),
        _ => format!(
            "{from}: {}, {}, {}",
            counted(summary.bytes_read, "byte"),
            counted(summary.characters, "character"),
            counted(summary.total(), "finding")
        ),
    }
}

/// Gives an error of the conversion the name of the file that it is about.
pub(crate) fn name_error(error: Error, input: &str, output: &str) -> anyhow::Error {
    let name = match error {
        Error::Read(_) => input,
        Error::Write(_) => output,
        Error::Report(_) => "(findings)",
        Error::Options(_) | Error::Stopped(_) => input,
    };
    anyhow::Error::new(error).context(name.to_owned())
}

/// Whether an error with a name is not of one input alone.
pub(crate) fn is_of_output(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Error>().is_some_and(|error| !matches!(error, Error::Read(_)))
}
