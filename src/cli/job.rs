//! What joined and single files have in common: one input through a transcoder, and what is said of it.

use std::io::{self, ErrorKind};

use anyhow::anyhow;

use oxiconv::diagnostic::{Character, Finding, Kind, Reporter, Row, Summary};
use oxiconv::io::Input;
use oxiconv::report::Kept;
use oxiconv::transcode::{Error, From, OnIllFormed, OnUnmappable, Transcoder};

use super::config::{Action, Config};
use super::exit::Listed;
use super::files::FileArg;
use super::messages::Slot;
use super::progress::{Bar, Watched};
use super::renderer::Renderer;
use super::sheet::Sheet;

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

/// Sends one input through `transcoder`. What there is to say goes to `slot`; an error is of reading or writing.
pub(crate) fn run(
    config: &Config,
    sheet: &Sheet,
    transcoder: &mut Transcoder<'_>,
    file: &FileArg,
    input: Input,
    slot: &mut Slot<'_>,
    bar: Option<&Bar>,
) -> Result<Done, Error> {
    sheet.begin(slot, file);
    let mut source = Watched { source: input.source, bar };
    let printer = Renderer::new(config, sheet, file, slot);
    let mut reporter = Selected { printer, listed: config.listed, silent: config.silent };
    let result = transcoder.input(&mut source, &mut reporter);
    let kept = reporter.printer.close().map_err(Error::Report)?;
    let summary = match result {
        Ok(summary) => summary,
        Err(error) => {
            // How many more there are is of no account where the text was not read to its end.
            sheet.rest(slot, file, &Kept { withheld: 0, ..kept });
            return Err(error);
        }
    };
    sheet.rest(slot, file, &kept);
    if let Some(count) = account(config, &summary).filter(|_| !config.quiet) {
        sheet.aside(slot, file, &count);
    }
    if config.verbose && !summary.stopped {
        sheet.aside(slot, file, &what_was_done(config, &summary));
    }
    sheet.end(slot, file, &summary, kept.withheld);
    Ok(Done { summary, shown: kept.shown, withheld: kept.withheld })
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

    fn text(&mut self, bytes: &[u8], encoding: &'static str) {
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
    let ill_formed = match config.conversion.on_ill_formed {
        _ if config.conversion.fallback.is_some() => {
            format!("read as {}", config.conversion.fallback?.name)
        }
        OnIllFormed::Stop => String::new(),
        OnIllFormed::Replace => "replaced".to_owned(),
        OnIllFormed::Skip => "left out".to_owned(),
        OnIllFormed::Escape => "escaped".to_owned(),
    };
    let unmappable = match config.conversion.on_unmappable {
        OnUnmappable::Stop => "",
        OnUnmappable::Replace => "replaced",
        OnUnmappable::Skip => "left out",
        OnUnmappable::Escape => "escaped",
        OnUnmappable::Xml => "written as character references",
        OnUnmappable::Transliterate | OnUnmappable::TransliterateOrSkip => "transliterated",
    };
    let denied = if config.conversion.stop_at_denied { "" } else { "let through" };
    let parts: Vec<_> = [
        (summary.ill_formed(), "ill-formed subsequence", ill_formed.as_str()),
        (summary.unmappable(), "unmappable character", unmappable),
        (summary.denied(), "denied character", denied),
    ]
    .into_iter()
    .filter(|(count, _, became)| *count > 0 && !became.is_empty())
    .map(|(count, what, became)| format!("{} {became}", counted(count, what)))
    .collect();
    let mut account = parts.join(", ");
    let skips = config.conversion.on_ill_formed == OnIllFormed::Skip
        || config.conversion.on_unmappable == OnUnmappable::Skip;
    if summary.lost > 0 && !skips {
        // The target has nothing to put in their place.
        account.push_str(&format!(", {} of them left out", summary.lost));
    }
    (!account.is_empty()).then_some(account)
}

/// `1 byte`, `2 bytes`.
pub(crate) fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn what_was_done(config: &Config, summary: &Summary) -> String {
    let from = match config.conversion.from {
        From::Named(encoding) => encoding.name,
        From::Detected => "detected",
    };
    match config.conversion.to {
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
    };
    anyhow::Error::new(error).context(name.to_owned())
}

/// Whether an error with a name is not of one input alone.
pub(crate) fn is_of_output(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Error>().is_some_and(|error| !matches!(error, Error::Read(_)))
}
