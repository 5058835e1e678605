//! Standard output and standard error: messages are written whole, one at a time, and not into the progress bar.

use std::io::{self, Write};

use oxiconv_report::visible;
use oxiconv_transcode::io::{BlockingFile, write_stdout};

use super::output_streams::Stream;
use super::progress::Bar;
pub(crate) use super::reason::reason;
use super::screen_line;

/// The two streams, and the progress bar that shares the terminal.
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

    /// Writes to a stream.
    ///
    /// # Errors
    ///
    /// If standard output cannot be written to. If standard error cannot, there is nobody to tell.
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

    /// Prints one line on standard error, with the program's name.
    pub(crate) fn error(&self, words: &str) {
        // Errors of standard error are ignored by `write`.
        let _ = self.write(Stream::Err, message(words).as_bytes());
    }
}

/// Returns a line with the program's name before it.
pub(crate) fn message(words: &str) -> String {
    format!("oxiconv: {words}\n")
}

/// Formats an error and its causes on one line.
pub(crate) fn chain(error: &anyhow::Error) -> String {
    let causes: Vec<_> = error
        .chain()
        .map(|cause| match cause.downcast_ref::<io::Error>() {
            Some(error) => reason(error),
            None => visible(&cause.to_string()),
        })
        .collect();
    causes.join(": ")
}
