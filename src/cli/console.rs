//! Standard output and standard error as messages reach them: whole, in turn, and not into the bar.

use std::io::{self, Write};

use crate::io::BlockingFile;
use crate::report::visible;

use super::line;
use super::progress::Bar;
use super::terminal::Stream;

/// The two streams, and the bar that must not be in their way.
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
    /// Those of standard output. If standard error cannot be written to, there is nobody to say so to.
    pub(crate) fn write(&self, to: Stream, bytes: &[u8]) -> io::Result<()> {
        let write = || match to {
            Stream::Out => {
                let mut out = BlockingFile(io::stdout().lock());
                out.write_all(bytes).and_then(|()| out.flush())
            }
            Stream::Err => {
                let _ = BlockingFile(io::stderr().lock()).write_all(&[line::end(), bytes].concat());
                Ok(())
            }
        };
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// One line on standard error, with the program's name.
    pub(crate) fn error(&self, words: &str) {
        // Standard error never fails here.
        let _ = self.write(Stream::Err, message(words).as_bytes());
    }
}

/// A line with the program's name before it.
pub(crate) fn message(words: &str) -> String {
    format!("oxiconv: {words}\n")
}

/// An error and what it comes from, on one line.
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

/// What the system says, without its number.
fn reason(error: &io::Error) -> String {
    let words = error.to_string();
    match words.rfind(" (os error ") {
        Some(end) => words[..end].to_owned(),
        None => words,
    }
}
