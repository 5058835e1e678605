//! Converts files in order, concatenated, to standard output or to one file.
//!
//! As in glibc, a file that cannot be opened is skipped, with an error, and the others are converted. Any other error
//! ends the run, but what was converted before it is written.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use oxiconv_encodings::unicode::IllFormedKind;
use oxiconv_os::{
    BlockingFile, FileKind, FileStatus, FileVersion, Identity, stdin_file, stdout_file,
};
use oxiconv_report::{FormatOptions, Subject, format, visible_path};
use oxiconv_transcode::diagnostic::{Finding, Kind, Reporter, Summary};
use oxiconv_transcode::io::{Input, LastWords, Pipe, ReadSource};
use oxiconv_transcode::{Conversion, Error, Transcoder};

use super::super::args::When;
use super::super::commit::words;
use super::super::config::JoinTarget;
use super::super::files::FileArg;
use super::super::output_streams::Stream;
use super::super::screen_line::{self, Screen};
use super::super::signals;
use super::iconv_options::IconvSettings;
use super::late_file::LateFile;
use super::stderr::{FAILURE, IconvMessages};
use oxiconv_os::{is_broken_pipe, reason};

/// The buffer size of C's stdio, in bytes.
const STDIO: usize = 4096;

const INCOMPLETE: &str = "incomplete character or shift sequence at end of buffer";

pub(super) struct IconvRun<'a> {
    settings: &'a IconvSettings,
    conversion: &'a Conversion,
    messages: &'a IconvMessages,
    inputs: Vec<FileArg>,
    status: u8,
    opened: bool,
    /// Whether all inputs so far were converted to their ends.
    whole: bool,
}

struct Unwritten {
    error: io::Error,
    /// Whether glibc would notice only when it closes the file, after everything was read.
    at_end: bool,
}

impl<'a> IconvRun<'a> {
    pub(super) fn new(
        settings: &'a IconvSettings,
        conversion: &'a Conversion,
        messages: &'a IconvMessages,
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
        let read = is_input.then(|| FileVersion::of_path(path)).flatten();
        let mut sink = LateFile::new(path, read);
        let written = self.convert_all(&mut sink, None);
        // glibc before 2.38 creates no file if there is nothing to write. Here an empty input gives an empty file.
        let written = written.and_then(|()| match self.opened && self.whole {
            true => sink.open().map(drop).map_err(|error| Unwritten { error, at_end: true }),
            false => Ok(()),
        });
        match written {
            Err(Unwritten { error, .. }) if sink.refused => {
                self.fail(&format!("cannot open output file: {}", capitalized(&reason(&error))));
            }
            Err(unwritten) => self.fail_to_write(&unwritten),
            // glibc's iconv would have truncated the file by now. Here an output that is also an input is replaced only
            // by a complete conversion.
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

    /// Converts the inputs in order, up to the first that cannot be converted completely.
    fn convert_all(&mut self, sink: &mut dyn Write, pipe: Option<Pipe>) -> Result<(), Unwritten> {
        let mut sink = Counted { sink, offered: 0 };
        let converted = self.convert_to(&mut sink, pipe);
        // Output that fits stdio's buffer is written only when glibc's iconv closes the file. A write error is then an
        // error in closing, which has another message than one in writing.
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

    /// Converts one input, and prints what stops it. Returns whether it was converted completely.
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
        let mut stop = StopReporter { subject: file.subject(), found: None };
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

    /// Fails if text was left out. Returns whether the input counts as converted completely.
    fn judge(&mut self, summary: &Summary) -> bool {
        if summary.dropped() > 0 {
            self.status = FAILURE;
        }
        // In glibc, -c leaves out ill-formed text, but a character truncated by the end of the file is an error
        // nevertheless.
        let at_end = Kind::IllFormed(IllFormedKind::TruncatedAtEnd);
        let cut = !summary.stopped && summary.found.contains_key(&at_end);
        if cut && self.settings.byte_subst.is_none() {
            self.fail(INCOMPLETE);
        }
        !summary.stopped && !cut
    }

    /// Prints an error that iconv has, and makes the exit status that of a failure.
    fn fail(&mut self, message: &str) {
        self.status = FAILURE;
        self.messages.line(message);
    }

    /// Prints a line that iconv does not have, unless `-s`.
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

/// A sink that counts the bytes offered to it, whether or not they can be written.
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

struct StopReporter<'a> {
    subject: Subject<'a>,
    /// iconv's message, and the finding as `oxiconv` prints it.
    found: Option<(String, String)>,
}

impl Reporter for StopReporter<'_> {
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

/// Whether a finding is a character truncated by the end of the input. `next` is the byte after it.
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

/// Returns a reason with a capital letter, as strerror(3) has it.
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

/// Opens an input. A directory can be opened, as in glibc; reading it fails.
///
/// If standard output is appended to the input itself (`iconv f >>f`), the input is limited to its present length, or
/// the run would read its own output forever.
fn open(file: &FileArg) -> io::Result<Input> {
    let mut opened = match &file.path {
        Some(path) => File::open(path)?,
        None => stdin_file()?,
    };
    let status = FileStatus::of_file(&opened)?;
    let grows = identity_of(file).is_some_and(|it| Identity::of_stdout() == Some(it));
    if status.kind() == FileKind::Directory {
        return Ok(Input { source: Box::new(ReadSource::of_file(opened)), is_regular: false });
    }
    if grows {
        let left = status.len().saturating_sub(opened.stream_position()?);
        let source = Box::new(ReadSource::of_file(opened.take(left)));
        return Ok(Input { source, is_regular: true });
    }
    Input::of(opened)
}
