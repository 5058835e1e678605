//! The chunk loop.
//!
//! ```text
//! for each input:   open ─► convert_all: loop: flush if the next read may wait ─► fill ─► convert ─► consume
//!                                              ─► a window by several threads, if that pays
//! convert:          Engine ─► stop ─► decide ─► Engine …
//! ```
//!
//! A chunk is always converted first, and by this thread alone. A window, the unread rest of an input that can be read
//! at any place, is tried after each chunk but the last. So the start of a text, with its byte order mark, never
//! concerns the threads.

use std::fmt;
use std::io::{self, Write};

use super::buffered_output::BufferedOutput;
use super::conversion::Conversion;
use super::converter::Converter;
use super::error::Error;
use super::evidence_buffer::AFTER_STOP;
use super::session::{Flow, Session};
use super::window::allowed_threads;
use crate::diagnostic::{Reporter, Summary};
use crate::io::{Chunk, Source};

/// From this many bytes on, an input counts as long, and a thread of its own reads ahead if several are allowed.
const READ_AHEAD_FROM: u64 = 1024 * 1024;

/// Converts one or more inputs to one output. Each input is decoded from the initial state; the results are
/// concatenated.
///
/// ```
/// # use oxiconv_transcode as oxiconv;
/// use oxiconv::{Encoding, Options, ReadSource, Silent, Transcoder};
///
/// let conversion = Options::new().build(Encoding::UTF_16, Encoding::UTF_8)?;
/// let mut joined = Vec::new();
/// let mut transcoder = Transcoder::new(&conversion, &mut joined);
/// for input in [&b"\xFF\xFEa\0"[..], b"\xFE\xFF\0b"] {
///     transcoder.input(&mut ReadSource::new(input), &mut Silent)?;
/// }
/// transcoder.finish()?;
/// assert_eq!(joined, b"ab");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "an output is complete only when it is finished"]
pub struct Transcoder<'a> {
    pub(super) converter: Converter,
    pub(super) output: BufferedOutput<'a>,
}

impl<'a> Transcoder<'a> {
    /// Creates a transcoder that writes to `sink`, which needs no buffer of its own: it receives large pieces.
    pub fn new(conversion: &Conversion, sink: &'a mut dyn Write) -> Self {
        let converter = Converter::new(conversion);
        let output = BufferedOutput::new(sink, converter.new_output_state());
        Self { converter, output }
    }

    /// Converts one input to its end. After an error other inputs may follow, unless the output could not be written.
    ///
    /// # Errors
    ///
    /// [`Error::Stopped`] at a fault that stops the conversion; another error if the input cannot be read or the output
    /// cannot be written. What was converted before the error is written if possible.
    pub fn input(
        &mut self,
        source: &mut dyn Source,
        reporter: &mut dyn Reporter,
    ) -> Result<Summary, Error> {
        self.open(source, reporter)?.convert_all(source)
    }

    /// Completes the output.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub fn finish(mut self) -> Result<(), Error> {
        self.output.finish()
    }

    /// Reads as much of the start of an input as is needed to begin: usually the first chunk, but a byte order mark may
    /// arrive one byte at a time, and detection may ask for more. Each turn of the loop asks for one byte more than was
    /// there, and consumes nothing.
    pub(super) fn open<'s>(
        &'s mut self,
        source: &mut dyn Source,
        reporter: &'s mut dyn Reporter,
    ) -> Result<Session<'s, 'a>, Error> {
        let mut at_least = 1;
        loop {
            let chunk = fill(&mut self.output, source, at_least)?;
            at_least = chunk.bytes.len() + 1;
            let Some(beginning) = self.converter.beginning(&chunk) else { continue };
            let (session, read) =
                self.converter.begin(&mut self.output, reporter, beginning, &chunk)?;
            source.consume(read);
            return Ok(session);
        }
    }
}

impl Session<'_, '_> {
    pub(super) fn convert_all(mut self, source: &mut dyn Source) -> Result<Summary, Error> {
        // `unread` bytes are in memory already and were not enough, so the next chunk must have at least one more.
        // Without the one more, a truncated character at the end of a chunk would be passed to the engine again and
        // again.
        let (mut unread, mut long) = (0, false);
        // Whether another program or a person feeds the input, which then must not be read on after a stop. Asked now:
        // later, what was read ahead may be available at once although what follows it is not.
        let is_fed = source.may_block();
        let stopped = loop {
            if !long && self.walk.text.offset >= READ_AHEAD_FROM {
                long = true;
                // Finding the number of processors takes as long as converting a short input.
                if allowed_threads(self.walk.conversion) > 1 {
                    source.read_ahead();
                }
            }
            // `fill` flushes the output before it waits. The findings must be visible by then too.
            if source.may_block() {
                self.flush()?;
            }
            let chunk = fill(self.walk.output, source, unread + 1)?;
            let (all, last) = (chunk.bytes.len(), chunk.last);
            let (used, mut flow) = self.convert_chunk(&chunk)?;
            unread = all - used;
            source.consume(used);
            if flow == Flow::Continue && !last {
                let used;
                (used, flow) = self.convert_window(source)?;
                source.consume(used);
                unread = unread.saturating_sub(used);
            }
            // No segmenter may leave bytes of the last chunk unconverted: there is nothing more that it could wait for.
            // If one does, silence would lose them.
            if last && flow == Flow::Continue && unread > 0 {
                let lost =
                    format!("internal error: not converted to the end (bytes left: {unread})");
                return Err(Error::Read(io::Error::other(lost)));
            }
            if last || flow != Flow::Continue {
                break flow != Flow::Continue;
            }
        };
        if stopped && !is_fed {
            self.show_after_stop(source);
        }
        self.close(stopped)
    }

    /// Gives the reporter the text after the fault that stopped the conversion, if it judges causes: the first fault
    /// alone hardly tells what a text is. Only for a file, where reading on costs nobody anything. A pipe is never read
    /// on after a stop.
    fn show_after_stop(&mut self, source: &mut dyn Source) {
        let Some(evidence) = self.walk.text.evidence.as_ref().filter(|it| it.is_of_stop()) else {
            return;
        };
        // A read error does not matter any more: the result is known, and this text only helps to explain it.
        let Ok(chunk) = source.fill(AFTER_STOP) else { return };
        evidence.after_stop(&chunk, self.walk.reporter, self.walk.text.findings.encoding);
    }
}

impl fmt::Debug for Transcoder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transcoder").finish_non_exhaustive()
    }
}

/// Returns the next chunk. Flushes the output first if that may block, so that nobody waits for output while we wait
/// for input. It is flushed too if the read fails: what was converted before the error belongs to the result.
///
/// A source that breaks its promise and gives too little would make the loop run forever, so that is an error.
fn fill<'s>(
    output: &mut BufferedOutput<'_>,
    source: &'s mut dyn Source,
    at_least: usize,
) -> Result<Chunk<'s>, Error> {
    if source.may_block() {
        output.flush()?;
    }
    let chunk = source.fill(at_least).map_err(|error| match output.flush() {
        Ok(()) => Error::Read(error),
        Err(error) => error,
    })?;
    if !chunk.last && chunk.bytes.len() < at_least {
        let words = "the source provides fewer bytes than requested, but has not ended";
        return Err(Error::Read(io::Error::new(io::ErrorKind::InvalidData, words)));
    }
    Ok(chunk)
}
