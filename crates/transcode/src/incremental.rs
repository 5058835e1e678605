//! A conversion whose input the caller pushes piece by piece. A [`Transcoder`](super::Transcoder) pulls its input
//! instead.
//!
//! Between two pieces nothing may stay borrowed, neither the sink nor the reporter, because the caller owns both. So
//! the session and the output are taken apart after each piece, and put together from their states for the next one.

use std::fmt;
use std::io::Write;

use super::buffered_output::{BufferedOutput, OutputState};
use super::conversion::Conversion;
use super::converter::Converter;
use super::error::Error;
use super::session::{Flow, Suspended};
use crate::diagnostic::{Reporter, Summary};
use crate::io::Chunk;

/// The conversion of one input to one output, suspended between two pieces.
pub(super) struct Incremental {
    converter: Converter,
    /// `None` only while a piece is being converted.
    state: Option<OutputState>,
    /// `None` until enough of the input has been seen to begin.
    input: Option<Suspended>,
}

impl Incremental {
    pub(super) fn new(conversion: &Conversion) -> Self {
        let converter = Converter::new(conversion);
        let state = Some(converter.new_output_state());
        Self { converter, state, input: None }
    }

    /// Converts as much of `bytes` as possible and returns the number of bytes consumed. The caller passes the rest
    /// again, followed by more.
    pub(super) fn feed(
        &mut self,
        bytes: &[u8],
        sink: &mut dyn Write,
        reporter: &mut dyn Reporter,
    ) -> Result<usize, Error> {
        let chunk = Chunk::more(bytes);
        let mut output = self.output(sink);
        let done = self.convert(&chunk, &mut output, reporter);
        self.state = Some(output.into_state());
        done.map(|(done, _)| done)
    }

    /// Converts `bytes`, the last bytes of the input, and completes the output.
    pub(super) fn end(
        &mut self,
        bytes: &[u8],
        sink: &mut dyn Write,
        reporter: &mut dyn Reporter,
    ) -> Result<Summary, Error> {
        let chunk = Chunk::last(bytes);
        let mut output = self.output(sink);
        let ended = self.convert(&chunk, &mut output, reporter);
        self.state = Some(output.into_state());
        ended.map(|(_, summary)| summary.unwrap_or_default())
    }

    pub(super) fn flush(&mut self, sink: &mut dyn Write) -> Result<(), Error> {
        let mut output = self.output(sink);
        let flushed = output.flush();
        self.state = Some(output.into_state());
        flushed
    }

    fn output<'a>(&mut self, sink: &'a mut dyn Write) -> BufferedOutput<'a> {
        let state = self.state.take().unwrap_or_else(|| self.converter.new_output_state());
        BufferedOutput::new(sink, state)
    }

    /// Converts what it can of a chunk. After the last chunk, and at a stop, ends the input and completes the output.
    ///
    /// An error leaves no input behind to continue with. The adaptors remember that they have failed, and pass no more.
    fn convert(
        &mut self,
        chunk: &Chunk<'_>,
        output: &mut BufferedOutput<'_>,
        reporter: &mut dyn Reporter,
    ) -> Result<(usize, Option<Summary>), Error> {
        let (mut session, begun) = match self.input.take() {
            Some(input) => (self.converter.resume(output, reporter, input), 0),
            None => match self.converter.beginning(chunk) {
                Some(beginning) => self.converter.begin(output, reporter, beginning, chunk)?,
                None => return Ok((0, None)),
            },
        };
        let rest = chunk.part(begun, chunk.bytes.len());
        let (done, flow) = session.convert_chunk(&rest)?;
        if !chunk.last && flow == Flow::Continue {
            self.input = Some(session.suspend());
            return Ok((begun + done, None));
        }
        let ended = session.close(flow != Flow::Continue);
        output.finish()?;
        ended.map(|summary| (begun + done, Some(summary)))
    }
}

impl fmt::Debug for Incremental {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Incremental").finish_non_exhaustive()
    }
}
