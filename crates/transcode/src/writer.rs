//! An adaptor that writes through a conversion.

use std::io::{self, Write};

use super::conversion::Conversion;
use super::error::Error;
use super::incremental::Incremental;
use crate::diagnostic::{Reporter, Silent, Summary};
use crate::io::{MAX_FILL, TooLong};

/// Takes text in one encoding and writes it in another: an adaptor over any [`Write`].
///
/// Its input may be cut anywhere, even in the middle of a character. It has a buffer of its own; [`flush`] writes
/// everything that is complete. Call [`Writer::finish`] to end the text: a writer that is dropped loses what it has
/// buffered, up to 256 KiB.
///
/// # Errors
///
/// If the underlying writer fails. A fault that stops the conversion is an error of the kind
/// [`InvalidData`](io::ErrorKind::InvalidData) that holds an [`Error::Stopped`]; everything before the fault is
/// written. After an error nothing more can be written.
///
/// [`flush`]: Write::flush
///
/// ```
/// # use oxiconv_transcode as oxiconv;
/// use std::io::Write;
///
/// use oxiconv::{Encoding, Options, Writer};
///
/// let conversion = Options::new().build(Encoding::UTF_8, Encoding::UTF_16LE)?;
/// let mut writer = Writer::new(Vec::new(), &conversion);
/// writer.write_all("aé".as_bytes())?;
/// let (written, summary) = writer.finish()?;
/// assert_eq!((&written[..], summary.characters), (&b"a\0\xE9\0"[..], 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "a text is complete only when it is finished"]
pub struct Writer<W, P = Silent> {
    writer: W,
    reporter: P,
    incremental: Incremental,
    /// The last bytes received, which cannot be converted until more follow.
    unread: Vec<u8>,
    /// Set before anything that may fail, and cleared after it. So it stays set after an error, whichever `?` returns
    /// it.
    failed: bool,
}

impl<W: Write> Writer<W> {
    /// Creates a writer over `writer`, which needs no buffer of its own.
    pub fn new(writer: W, conversion: &Conversion) -> Self {
        Self::with_reporter(writer, conversion, Silent)
    }
}

impl<W: Write, P: Reporter> Writer<W, P> {
    /// Creates a writer that passes its findings to `reporter`.
    pub fn with_reporter(writer: W, conversion: &Conversion, reporter: P) -> Self {
        let incremental = Incremental::new(conversion);
        Self { writer, reporter, incremental, unread: Vec::new(), failed: false }
    }

    /// Ends the text, and returns the underlying writer and what the text held.
    ///
    /// # Errors
    ///
    /// If the underlying writer fails, or if the text ends in a fault that stops the conversion.
    pub fn finish(self) -> Result<(W, Summary), Error> {
        self.finish_with_reporter().map(|(writer, _, summary)| (writer, summary))
    }

    /// Ends the text, and returns the underlying writer, the reporter and what the text held.
    ///
    /// # Errors
    ///
    /// The same errors as [`Writer::finish`].
    pub fn finish_with_reporter(mut self) -> Result<(W, P, Summary), Error> {
        if self.failed {
            return Err(Error::Write(after_a_failure()));
        }
        let Self { writer, reporter, incremental, unread, .. } = &mut self;
        let summary = incremental.end(unread, writer, reporter)?;
        Ok((self.writer, self.reporter, summary))
    }

    /// Converts as much of `bytes` as possible and returns the number of bytes consumed. No sequence is as long as
    /// [`MAX_FILL`]; to keep more than that unread would let the memory grow with a hostile input.
    fn feed(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.incremental.feed(bytes, &mut self.writer, &mut self.reporter)?;
        if bytes.len() - done > MAX_FILL {
            return Err(io::Error::new(io::ErrorKind::InvalidData, TooLong));
        }
        Ok(done)
    }

    /// Converts the unread bytes followed by `bytes`.
    fn write_on(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.unread.is_empty() {
            let done = self.feed(bytes)?;
            self.unread.extend_from_slice(&bytes[done..]);
        } else {
            let mut unread = std::mem::take(&mut self.unread);
            unread.extend_from_slice(bytes);
            let done = self.feed(&unread)?;
            unread.drain(..done);
            self.unread = unread;
        }
        Ok(())
    }
}

fn after_a_failure() -> io::Error {
    io::Error::other("an earlier write failed")
}

impl<W: Write, P: Reporter> Write for Writer<W, P> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failed {
            return Err(after_a_failure());
        }
        self.failed = true;
        self.write_on(bytes)?;
        self.failed = false;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.failed {
            return Err(after_a_failure());
        }
        self.failed = true;
        self.incremental.flush(&mut self.writer)?;
        self.writer.flush()?;
        self.failed = false;
        Ok(())
    }
}
