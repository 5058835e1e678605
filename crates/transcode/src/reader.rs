//! An adaptor that reads through a conversion.

use std::io::{self, BufRead, Read};

use super::conversion::Conversion;
use super::error::{Error, Stopped};
use super::incremental::Incremental;
use crate::diagnostic::{Reporter, Silent, Summary};
use crate::io::{ReadSource, Source};

/// Reads text in one encoding from a source in another: an adaptor over any [`Read`].
///
/// It has its own buffers and reads in large pieces. It passes on everything received, except for a truncated character
/// and the lookahead that [`Detail::Context`](crate::Detail::Context) and detection need.
///
/// # Errors
///
/// If the underlying reader fails. A fault that stops the conversion is reported after everything before it has been
/// read, as an error of the kind [`InvalidData`](io::ErrorKind::InvalidData) that holds an [`Error::Stopped`]. Every
/// later read returns it again.
///
/// ```
/// # use oxiconv_transcode as oxiconv;
/// use std::io::Read;
///
/// use oxiconv::{Encoding, Options, Reader};
///
/// let conversion = Options::new().build(Encoding::UTF_16LE, Encoding::UTF_8)?;
/// let mut text = String::new();
/// Reader::new(&b"a\0\xE9\0"[..], &conversion).read_to_string(&mut text)?;
/// assert_eq!(text, "aé");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reader<R, P = Silent> {
    source: ReadSource<R>,
    reporter: P,
    incremental: Incremental,
    /// Bytes of the source that were not consumed, and are passed again.
    unread: usize,
    /// Converted text, already read up to `start`.
    output: Vec<u8>,
    start: usize,
    ended: Option<Result<Summary, Box<Stopped>>>,
    /// Whether anything but the source has failed, so that the conversion cannot continue.
    failed: bool,
}

impl<R: Read> Reader<R> {
    /// Creates a reader over `reader`, which needs no buffer of its own.
    pub fn new(reader: R, conversion: &Conversion) -> Self {
        Self::with_reporter(reader, conversion, Silent)
    }
}

impl<R: Read, P: Reporter> Reader<R, P> {
    /// Creates a reader that passes its findings to `reporter`.
    pub fn with_reporter(reader: R, conversion: &Conversion, reporter: P) -> Self {
        Self {
            source: ReadSource::new(reader),
            reporter,
            incremental: Incremental::new(conversion),
            unread: 0,
            output: Vec::new(),
            start: 0,
            ended: None,
            failed: false,
        }
    }

    /// Returns what the text held, after it has been read to its end or to the fault that stops it.
    #[must_use]
    pub fn summary(&self) -> Option<&Summary> {
        match self.ended.as_ref()? {
            Ok(summary) => Some(summary),
            Err(stopped) => Some(&stopped.summary),
        }
    }

    /// Returns the reporter.
    #[must_use]
    pub fn reporter(&self) -> &P {
        &self.reporter
    }

    /// Returns the underlying reader, which may have been read further than the converted text, and the reporter.
    #[must_use]
    pub fn into_parts(self) -> (R, P) {
        (self.source.into_reader(), self.reporter)
    }

    /// Converts the next piece of the source. A stop is no error yet: it is kept, and what was converted before it is
    /// read first. Nothing after it is ever needed, so the rest of the piece counts as consumed.
    fn advance(&mut self) -> Result<(), Error> {
        self.output.clear();
        self.start = 0;
        let chunk = self.source.fill(self.unread + 1).map_err(Error::Read)?;
        let all = chunk.bytes.len();
        let done = if chunk.last {
            let ended = self.incremental.end(chunk.bytes, &mut self.output, &mut self.reporter);
            self.ended = Some(unless_stopped(ended)?);
            all
        } else {
            let fed = self.incremental.feed(chunk.bytes, &mut self.output, &mut self.reporter);
            let fed = fed.and_then(|done| {
                self.incremental.flush(&mut self.output)?;
                Ok(done)
            });
            match unless_stopped(fed)? {
                Ok(done) => done,
                Err(stopped) => {
                    self.ended = Some(Err(stopped));
                    all
                }
            }
        };
        self.unread = all - done;
        self.source.consume(done);
        Ok(())
    }
}

/// Separates a stop, which is reported later, from other errors.
fn unless_stopped<T>(result: Result<T, Error>) -> Result<Result<T, Box<Stopped>>, Error> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(Error::Stopped(stopped)) => Ok(Err(stopped)),
        Err(error) => Err(error),
    }
}

impl<R: Read, P: Reporter> Read for Reader<R, P> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let len = self.fill_buf()?.read(room)?;
        self.consume(len);
        Ok(len)
    }
}

impl<R: Read, P: Reporter> BufRead for Reader<R, P> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.start == self.output.len() {
            match &self.ended {
                None if self.failed => {
                    return Err(io::Error::other("an earlier read failed"));
                }
                None => self.advance().inspect_err(|error| {
                    // After an error of the underlying reader, the conversion can continue: nothing was taken from the
                    // source.
                    self.failed = !matches!(error, Error::Read(_));
                })?,
                Some(Ok(_)) => break,
                Some(Err(stopped)) => return Err(Error::Stopped(stopped.clone()).into()),
            }
        }
        Ok(&self.output[self.start..])
    }

    fn consume(&mut self, bytes: usize) {
        self.start += bytes;
    }
}
