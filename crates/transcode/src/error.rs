//! The errors that end a conversion.

use std::fmt;
use std::io;

use crate::diagnostic::{Finding, Summary};
#[cfg(feature = "detection")]
use oxiconv_detect::detection::{Detection, Evidence};

use super::options::OptionsError;

/// Why a conversion failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The options cannot be combined, or not with these encodings.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The text has a fault that stops the conversion.
    #[error(transparent)]
    Stopped(#[from] Box<Stopped>),
    /// The encoding of the text cannot be told.
    #[cfg(feature = "detection")]
    #[error(transparent)]
    Undetected(#[from] Box<Undetected>),
    /// The input cannot be read.
    #[error("cannot read")]
    Read(#[source] io::Error),
    /// A finding cannot be reported.
    #[error("cannot write findings")]
    Report(#[source] io::Error),
    /// The output cannot be written.
    #[error("cannot write")]
    Write(#[source] io::Error),
}

impl Error {
    /// Returns what the text held if a fault stopped its conversion, for callers that do not treat that as an error.
    ///
    /// ```
    /// # use oxiconv_transcode as oxiconv;
    /// use oxiconv::{Encoding, Error, Options, Silent, Transcoder};
    ///
    /// let conversion = Options::new().build(Encoding::UTF_8, Encoding::UTF_16LE)?;
    /// let mut text = Vec::new();
    /// let mut transcoder = Transcoder::new(&conversion, &mut text);
    /// let summary =
    ///     transcoder.input(&mut &b"ab\xFFc"[..], &mut Silent).or_else(Error::into_summary)?;
    /// assert!(summary.stopped);
    /// assert_eq!((summary.bytes_read, summary.bytes_written), (2, 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the error is a different one, returns it unchanged.
    pub fn into_summary(self) -> Result<Summary, Self> {
        match self {
            Self::Stopped(stopped) => Ok(stopped.summary),
            error => Err(error),
        }
    }
}

impl Error {
    /// Whether what was converted before the error should still be written, by whoever sees the error first. It should
    /// after any error that does not come from the output. But a stop is written when the input is closed, and a failed
    /// read has flushed already (`transcoder.rs`), so only two errors are left.
    pub(super) fn leaves_output(&self) -> bool {
        match self {
            Self::Report(_) => true,
            #[cfg(feature = "detection")]
            Self::Undetected(_) => true,
            Self::Options(_) | Self::Stopped(_) | Self::Read(_) | Self::Write(_) => false,
        }
    }
}

/// For reading and writing through a conversion: system errors are passed on, others are wrapped as invalid data.
impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Read(error) | Error::Report(error) | Error::Write(error) => error,
            error => Self::new(io::ErrorKind::InvalidData, error),
        }
    }
}

/// A conversion stopped by a fault of the text. Everything before the fault is converted and written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stopped {
    /// The fault, and where it is.
    pub finding: Finding<'static>,
    /// What the text held up to the fault, with the bytes read and written.
    pub summary: Summary,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.finding.fmt(f)?;
        #[cfg(feature = "detection")]
        if let Some(words) = self.summary.doubt() {
            write!(f, " ({words})")?;
        }
        Ok(())
    }
}

impl std::error::Error for Stopped {}

/// A text whose encoding cannot be told. What precedes `offset` is ASCII, and is converted and written.
#[cfg(feature = "detection")]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Undetected {
    /// The best guess, and the runners-up.
    pub detection: Detection,
    /// The offset in bytes of the part that cannot be read.
    pub offset: u64,
}

#[cfg(feature = "detection")]
impl fmt::Display for Undetected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { detection, offset } = self;
        if detection.evidence == Evidence::Binary {
            return f.write_str("the bytes do not look like text");
        }
        if detection.of_lines().is_some() {
            return f.write_str("its lines are in several encodings");
        }
        let ranking = detection.ranking();
        if detection.is_enough() {
            // The guess is good enough, but its encoding does not contain the ASCII that was already converted.
            return write!(f, "encoding unclear: ASCII up to byte {offset}, then {ranking}");
        }
        write!(f, "encoding unclear: {ranking}")
    }
}

#[cfg(feature = "detection")]
impl std::error::Error for Undetected {}
