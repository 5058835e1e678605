//! The conversion: files in order, concatenated, to standard output or to one file.
//!
//! As in glibc, a file that cannot be opened is left out and the others are converted; after any other error nothing
//! more is read. What was converted before an error is written.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use oxiconv_encodings::unicode::IllFormedKind;
use oxiconv_report::{FormatOptions, Subject, format, visible_path};
use oxiconv_transcode::diagnostic::{Finding, Kind, Reporter, Summary};
use oxiconv_transcode::io::{
    BlockingFile, Identity, Input, LastWords, Pipe, ReadSource, Version, stdin_file, stdout_file,
};
use oxiconv_transcode::{Conversion, Error, Transcoder};

use super::super::args::When;
use super::super::commit::words;
use super::super::config::JoinTarget;
use super::super::console::reason;
use super::super::exit_status::is_broken_pipe;
use super::super::files::FileArg;
use super::super::output_streams::Stream;
use super::super::screen_line::{self, Screen};
use super::super::signals;
use super::messages::{FAILURE, Messages};
use super::options::Settings;
use super::output::LateFile;

/// The size of the buffer of C's standard output, in bytes.
const STDIO: usize = 4096;

const INCOMPLETE: &str = "incomplete character or shift sequence at end of buffer";

/// A run: its files, and what was asked for.
pub(super) struct Run<'a> {
    settings: &'a Settings,
    conversion: &'a Conversion,
    messages: &'a Messages,
    inputs: Vec<FileArg>,
    /// The exit status so far.
    status: u8,
    /// Whether any input was opened, and whether all text was read.
    opened: bool,
    whole: bool,
}

/// The output cannot be written.
struct Unwritten {
    error: io::Error,
    /// Whether everything was read before that.
    at_end: bool,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        settings: &'a Settings,
        conversion: &'a Conversion,
        messages: &'a Messages,
    ) -> Self {
        let input = |path: &PathBuf| {
            let path = (path.as_os_str() != "-").then(|| path.clone());
            FileArg { path, ..FileArg::default() }
        };
        let mut inputs: Vec<_> = settings.files.iter().map(input).collect();
        if inputs.is_empty() {
            inputs.push(FileArg::default());
        }
        Self { settings, conversion, messages, inputs, status: 0, opened: false, whole: true }
    }

    /// Converts everything, and returns the exit status.
    pub(super) fn status(mut self) -> u8 {
        match self.settings.output.as_deref() {
            None => self.write_stdout(),
            Some(path) => self.write_file(path),
        }
        self.status
    }

    fn write_stdout(&mut self) {
        signals::clean_up(&self.messages.program, signals::words_of_join(&JoinTarget::Stdout));
        let written =
            stdout_file().map_err(|error| Unwritten { error, at_end: true }).and_then(|stdout| {
                match screen_line::is_shared() {
                    true => self.convert_all(&mut Screen(BlockingFile(stdout)), None),
                    false => {
                        let pipe = Pipe::of(&stdout);
                        self.convert_all(&mut BlockingFile(stdout), pipe)
                    }
                }
            });
        match written {
            Ok(()) => LastWords::count(),
            Err(unwritten) => self.fail_to_write(&unwritten),
        }
    }

    fn write_file(&mut self, path: &Path) {
        let target = JoinTarget::File(path.to_owned());
        signals::clean_up(&self.messages.program, signals::words_of_join(&target));
        let identity = Identity::of_path(path);
        let is_input =
            identity.is_some() && self.inputs.iter().any(|it| identity_of(it) == identity);
        let read = is_input.then(|| Version::of_path(path)).flatten();
        let mut sink = LateFile::new(path, read);
        let written = self.convert_all(&mut sink, None);
        // glibc before 2.38 creates no file if there is nothing to write.
        let written = written.and_then(|()| match self.opened && self.whole {
            true => sink.open().map(drop).map_err(|error| Unwritten { error, at_end: true }),
            false => Ok(()),
        });
        match written {
            Err(Unwritten { error, .. }) if sink.refused => {
                self.fail(&format!("cannot open output file: {}", capitalized(&reason(&error))));
            }
            Err(unwritten) => self.fail_to_write(&unwritten),
            Ok(()) if is_input && !self.whole => {
                self.remark(&format!("{}: not written", visible_path(path)));
            }
            Ok(()) => match sink.complete() {
                Ok(notes) => {
                    for note in notes {
                        self.remark(&format!("{}: {}", visible_path(path), words(&note)));
                    }
                }
                Err(error) => self.fail_to_write(&Unwritten { error, at_end: true }),
            },
        }
    }

    /// Converts the inputs in order, up to the first that cannot be converted to its end.
    fn convert_all(&mut self, sink: &mut dyn Write, pipe: Option<Pipe>) -> Result<(), Unwritten> {
        let mut sink = Counted { sink, offered: 0 };
        let converted = self.convert_to(&mut sink, pipe);
        // glibc's iconv keeps so little in memory until it closes the file.
        converted
            .map_err(|error| Unwritten { at_end: error.at_end || sink.offered < STDIO, ..error })
    }

    fn convert_to(&mut self, sink: &mut dyn Write, pipe: Option<Pipe>) -> Result<(), Unwritten> {
        let mut transcoder = Transcoder::new(self.conversion, sink).splicing_to(pipe);
        for file in std::mem::take(&mut self.inputs) {
            if self.settings.verbose && !self.settings.files.is_empty() {
                let name = file.path.as_deref().map_or("-".to_owned(), visible_path);
                self.messages.note(&format!("{name}:"));
            }
            match open(&file) {
                Ok(input) => {
                    self.opened = true;
                    self.whole = self
                        .convert(&mut transcoder, &file, input)
                        .map_err(|error| Unwritten { error, at_end: false })?;
                    if !self.whole {
                        break;
                    }
                }
                Err(error) => {
                    let name = file.path.as_deref().map_or("-".to_owned(), visible_path);
                    let reason = reason(&error);
                    self.fail(&format!("cannot open input file `{name}': {reason}"));
                }
            }
        }
        match transcoder.finish() {
            Ok(()) => Ok(()),
            Err(error) => Err(Unwritten { error: error.into(), at_end: true }),
        }
    }

    /// Converts one input, and prints what stops it. Returns whether it was converted to its end.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    fn convert(
        &mut self,
        transcoder: &mut Transcoder<'_>,
        file: &FileArg,
        mut input: Input,
    ) -> io::Result<bool> {
        let mut stop = Stop { subject: file.subject(), found: None };
        let result = transcoder.input(&mut *input.source, &mut stop).or_else(Error::into_summary);
        if let Some((words, finding)) = stop.found {
            self.fail(&words);
            self.remark(finding.trim_end());
        }
        match result {
            Ok(summary) => Ok(self.judge(&summary)),
            Err(Error::Read(error)) => {
                self.fail(&format!("error while reading the input: {}", reason(&error)));
                Ok(false)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Fails if text was left out; returns whether the input is to count as converted to its end.
    fn judge(&mut self, summary: &Summary) -> bool {
        if summary.dropped() > 0 {
            self.status = FAILURE;
        }
        // To glibc, -c does not leave out what is cut short by the end of a file.
        let at_end = Kind::IllFormed(IllFormedKind::TruncatedAtEnd);
        let cut = !summary.stopped && summary.found.contains_key(&at_end);
        if cut && self.settings.byte_subst.is_none() {
            self.fail(INCOMPLETE);
        }
        !summary.stopped && !cut
    }

    /// Prints a message as iconv does; the exit status is that of a failure.
    fn fail(&mut self, message: &str) {
        self.status = FAILURE;
        self.messages.line(message);
    }

    /// Prints a message that iconv does not have.
    fn remark(&self, message: &str) {
        if !self.settings.silent {
            self.messages.note(message);
        }
    }

    fn fail_to_write(&mut self, unwritten: &Unwritten) {
        let Unwritten { error, at_end } = unwritten;
        if is_broken_pipe(error) {
            signals::end_as_by_closed_pipe();
        }
        let reason = reason(error);
        if *at_end {
            self.fail(&format!("error while closing output file: {reason}"));
        } else {
            self.fail("conversion stopped due to problem in writing the output");
            self.remark(&reason);
        }
    }
}

/// A sink, and how many bytes were offered to it.
struct Counted<'a> {
    sink: &'a mut dyn Write,
    offered: usize,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.offered += bytes.len();
        self.sink.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

/// The finding that stops a conversion.
struct Stop<'a> {
    subject: Subject<'a>,
    /// iconv's message, and the finding as text.
    found: Option<(String, String)>,
}

impl Reporter for Stop<'_> {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        if finding.stops {
            let message = match finding.kind {
                kind if is_cut(kind, finding.next) => INCOMPLETE.to_owned(),
                _ => format!("illegal input sequence at position {}", finding.offset),
            };
            self.found = Some((message, line_of(self.subject, finding)?));
        }
        Ok(())
    }

    fn wants_places(&self) -> bool {
        false
    }
}

/// Whether the end of the input cuts something short. `next` is the byte after it.
fn is_cut(kind: Kind, next: Option<u8>) -> bool {
    match kind {
        Kind::IllFormed(IllFormedKind::TruncatedAtEnd) => true,
        Kind::IllFormed(IllFormedKind::UnpairedHighSurrogate) => next.is_none(),
        _ => false,
    }
}

/// Formats a finding as `oxiconv` prints it.
fn line_of(subject: Subject<'_>, finding: &Finding<'_>) -> io::Result<String> {
    let mut line = Vec::new();
    let coloured = Stream::Err.is_coloured(When::Auto);
    let mut options = FormatOptions::default();
    options.coloured = coloured;
    if let Some(text) = format("text", &options) {
        let mut reporter = text.reporter(subject, None, &mut line);
        reporter.finding(finding)?;
        reporter.close()?;
    }
    Ok(String::from_utf8_lossy(&line).into_owned())
}

/// Returns a reason as the system begins its own.
fn capitalized(reason: &str) -> String {
    let mut letters = reason.chars();
    letters
        .next()
        .map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

fn identity_of(file: &FileArg) -> Option<Identity> {
    match &file.path {
        Some(path) => Identity::of_path(path),
        None => Identity::of_stdin(),
    }
}

/// Opens an input. A directory is opened too: it cannot be read.
///
/// Of a file to which standard output is appended (`iconv f >>f`), only what it has now is an input.
fn open(file: &FileArg) -> io::Result<Input> {
    let mut opened = match &file.path {
        Some(path) => File::open(path)?,
        None => stdin_file()?,
    };
    let metadata = opened.metadata()?;
    let grows = identity_of(file).is_some_and(|it| Identity::of_stdout() == Some(it));
    if metadata.is_dir() {
        return Ok(Input { source: Box::new(ReadSource::of_file(opened)), is_regular: false });
    }
    if grows {
        let left = metadata.len().saturating_sub(opened.stream_position()?);
        let source = Box::new(ReadSource::of_file(opened.take(left)));
        return Ok(Input { source, is_regular: true });
    }
    Input::of(opened)
}
