//! Standard output and standard error. Messages are written whole, one at a time, and around the progress bar.

use std::io::{self, Write};

use oxiconv_os::{BlockingFile, write_stdout};
use oxiconv_report::visible;

use super::output_streams::Stream;
use super::progress::Bar;
use super::screen_line;
use oxiconv_os::reason;

/// The two streams, and the progress bar that shares the terminal with them.
pub(crate) struct Console {
    bar: Option<Bar>,
}

impl Console {
    pub(crate) fn new(bar: Option<Bar>) -> Self {
        Self { bar }
    }

    pub(crate) fn bar(&self) -> Option<&Bar> {
        self.bar.as_ref()
    }

    /// Writes to a stream, with the progress bar hidden in the meantime.
    ///
    /// # Errors
    ///
    /// If standard output cannot be written to. Errors of standard error are ignored: there is nowhere to report them.
    pub(crate) fn write(&self, to: Stream, bytes: &[u8]) -> io::Result<()> {
        let write = || match to {
            Stream::Out => write_stdout(bytes),
            Stream::Err => {
                let _ = BlockingFile(io::stderr().lock())
                    .write_all(&[screen_line::end(), bytes].concat());
                Ok(())
            }
        };
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    pub(crate) fn error(&self, words: &str) {
        // `write` returns no errors of standard error.
        let _ = self.write(Stream::Err, message(words).as_bytes());
    }
}

/// Formats a message with the program's name before it and a line feed after it.
pub(crate) fn message(words: &str) -> String {
    format!("oxiconv: {words}\n")
}

/// Formats an error and its causes on one line.
pub(crate) fn chain(error: &anyhow::Error) -> String {
    let causes: Vec<_> = error
        .chain()
        .map(|cause| match cause.downcast_ref::<io::Error>() {
            // It may name a file.
            Some(error) => visible(&reason(error)),
            None => visible(&cause.to_string()),
        })
        .collect();
    causes.join(": ")
}
