//! A conversion whose input is handed to it piece by piece, by whoever has it: the other way round from a
//! [`Transcoder`](super::Transcoder), which fetches it.

use std::fmt;
use std::io::Write;

use super::conversion::Conversion;
use super::converter::Converter;
use super::error::Error;
use super::output::{Gathered, Output};
use super::session::Flow;
use super::text::Text;
use crate::diagnostic::{Reporter, Summary};
use crate::io::Chunk;

/// One input on its way to one output, between two pieces.
pub(super) struct Incremental {
    converter: Converter,
    /// `None` only while a piece is converted.
    gathered: Option<Gathered>,
    /// `None` until the start of the input says how to go on.
    input: Option<Text>,
}

impl Incremental {
    pub(super) fn new(conversion: &Conversion) -> Self {
        let converter = Converter::new(conversion);
        let gathered = Some(converter.gathered());
        Self { converter, gathered, input: None }
    }

    /// Converts what can be converted of `bytes`, and returns how many of them are done with. The others are to be shown
    /// again, with more after them.
    pub(super) fn feed(
        &mut self,
        bytes: &[u8],
        sink: &mut dyn Write,
        reporter: &mut dyn Reporter,
    ) -> Result<usize, Error> {
        let chunk = Chunk::new(bytes, false);
        let mut output = self.output(sink);
        let done = self.convert(&chunk, &mut output, reporter);
        self.gathered = Some(output.into_gathered());
        done.map(|(done, _)| done)
    }

    /// Converts `bytes`, which nothing follows, and completes the output.
    pub(super) fn end(
        &mut self,
        bytes: &[u8],
        sink: &mut dyn Write,
        reporter: &mut dyn Reporter,
    ) -> Result<Summary, Error> {
        let chunk = Chunk::new(bytes, true);
        let mut output = self.output(sink);
        let ended = self.convert(&chunk, &mut output, reporter);
        self.gathered = Some(output.into_gathered());
        ended.map(|(_, summary)| summary.unwrap_or_default())
    }

    /// Hands all that is converted to `sink`.
    pub(super) fn flush(&mut self, sink: &mut dyn Write) -> Result<(), Error> {
        let mut output = self.output(sink);
        let flushed = output.flush();
        self.gathered = Some(output.into_gathered());
        flushed
    }

    fn output<'a>(&mut self, sink: &'a mut dyn Write) -> Output<'a> {
        let gathered = self.gathered.take().unwrap_or_else(|| self.converter.gathered());
        Output::new(sink, gathered)
    }

    /// Converts what there is of a chunk. After the last one, and at a stop, it ends the input and completes the output.
    fn convert(
        &mut self,
        chunk: &Chunk<'_>,
        output: &mut Output<'_>,
        reporter: &mut dyn Reporter,
    ) -> Result<(usize, Option<Summary>), Error> {
        let (mut session, begun) = match self.input.take() {
            Some(text) => (self.converter.resume(output, reporter, text), 0),
            None => match self.converter.beginning(chunk) {
                Some(beginning) => self.converter.begin(output, reporter, &beginning, chunk)?,
                None => return Ok((0, None)),
            },
        };
        let rest = chunk.part(begun, chunk.bytes.len());
        let (done, flow) = session.convert_chunk(&rest)?;
        if !chunk.last && flow == Flow::On {
            self.input = Some(session.into_text());
            return Ok((begun + done, None));
        }
        // Also at a stop, what is written is whole.
        let ended = session.close(flow != Flow::On);
        self.converter.finish(output)?;
        ended.map(|summary| (begun + done, Some(summary)))
    }
}

impl fmt::Debug for Incremental {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Incremental").finish_non_exhaustive()
    }
}
