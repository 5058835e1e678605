//! The chunk loop.
//!
//! ```text
//! for each input:   open ─► loop: flush if the next read may wait ─► fill ─► convert ─► consume ─► a window by threads
//! convert:          Engine ─► stop ─► decide ─► Engine …
//! ```

use std::io::Write;

use super::Error;
use super::context_buffer::READ_AHEAD;
use super::engine::Engine;
use super::opening::{Beginning, Start};
use super::output::Output;
use super::policy::Conversion;
use super::remedy::Remedies;
use super::session::{Flow, Session};
use super::verify::Observer;
use super::window::allowed_threads;
use crate::diagnostic::{Reporter, Summary};
use crate::io::{Chunk, Pipe, Source};

/// Bytes of an input after which it is a long one.
const LONG: u64 = 1024 * 1024;

/// Converts one input or more to one output. Each input is decoded from a fresh state; the outputs are joined.
pub struct Transcoder<'a> {
    conversion: &'a Conversion,
    remedies: Remedies<'a>,
    engine: Engine,
    output: Output<'a>,
    /// Whether a mark that is still due at the end is written: an input had bytes, if no characters.
    mark_without_text: bool,
    /// Whether kernels may lead past the code points; tests take the other path, to see that nothing depends on it.
    pub(super) direct_path: bool,
}

impl<'a> Transcoder<'a> {
    /// To `sink`, which should have no buffer of its own: it is handed large pieces.
    pub fn new(conversion: &'a Conversion, sink: &'a mut dyn Write) -> Self {
        let encoder = conversion.to.map(|to| to.new_encoder(conversion.output_order()));
        Self {
            conversion,
            remedies: Remedies::new(conversion),
            engine: Engine::new(encoder),
            output: Output::new(sink, Start::of(conversion)),
            mark_without_text: false,
            direct_path: true,
        }
    }

    /// The same, if the sink is the pipe that `pipe` is too: long texts are given to it rather than copied into it.
    pub fn splicing_to(mut self, pipe: Option<Pipe>) -> Self {
        self.output.pipe = pipe;
        self
    }

    /// The same, with every character that is written shown to `observer`. Then all go by way of code points, by one
    /// thread.
    pub fn observed_by(mut self, observer: &'a mut dyn Observer) -> Self {
        self.output.observer = Some(observer);
        self
    }

    /// Converts one input to its end, or to the fault that stops it.
    ///
    /// # Errors
    ///
    /// If the input cannot be read or the output cannot be written. What was converted before is written as far as that
    /// is possible.
    pub fn input(
        &mut self,
        source: &mut dyn Source,
        reporter: &mut dyn Reporter,
    ) -> Result<Summary, Error> {
        let written_before = self.written();
        let reads_ahead = allowed_threads(self.conversion) > 1;
        let mut session = self.open(source, reporter)?;
        let (mut unread, mut long) = (0, false);
        let stopped = loop {
            if !long && session.offset >= LONG {
                long = true;
                if reads_ahead {
                    source.read_ahead();
                }
            }
            if source.may_block() {
                session.flush()?;
            }
            let chunk = fill(session.output, source, unread + 1)?;
            let (all, last) = (chunk.bytes.len(), chunk.last);
            let judged_by = if session.context.is_none() || last { 0 } else { READ_AHEAD };
            let (used, mut flow) = session.convert(&chunk, all.saturating_sub(judged_by))?;
            session.output.settle(&chunk)?;
            unread = all - used;
            source.consume(used);
            if flow == Flow::On && !last {
                let used;
                (used, flow) = session.convert_window(source)?;
                source.consume(used);
                unread = unread.saturating_sub(used);
            }
            if last || flow != Flow::On {
                break flow != Flow::On;
            }
        };
        // Who reads the text and what is said of it on one terminal sees them in this order.
        session.output.flush()?;
        let mut summary = session.close(stopped);
        summary.bytes_written = self.written() - written_before;
        self.mark_without_text |= summary.bytes_read > 0;
        self.mark_without_text &= !summary.stopped;
        Ok(summary)
    }

    /// Completes the output.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn finish(mut self) -> Result<(), Error> {
        self.output.finish(&mut self.engine, self.mark_without_text)
    }

    /// Bytes of the output so far, with those that its end would bring if it came now.
    fn written(&self) -> u64 {
        self.output.written() + self.engine.pending_bytes() as u64
    }

    /// Reads as much of the start of an input as it takes to know how to go on.
    fn open<'s>(
        &'s mut self,
        source: &mut dyn Source,
        reporter: &'s mut dyn Reporter,
    ) -> Result<Session<'s, 'a>, Error> {
        let mut at_least = 1;
        loop {
            let chunk = fill(&mut self.output, source, at_least)?;
            at_least = chunk.bytes.len() + 1;
            let Some(beginning) = Beginning::of(self.conversion, chunk.bytes, chunk.last) else {
                continue;
            };
            let Beginning { encoding, opening, .. } = beginning;
            self.engine.read_by(encoding.new_decoder(opening.order));
            let encoding = encoding.in_order(opening.order);
            let (engine, output) = (&mut self.engine, &mut self.output);
            let mut session =
                Session::new(self.conversion, &self.remedies, engine, output, encoding, reporter);
            if !self.direct_path || session.sees_characters() {
                session.engine.without_kernels();
            }
            let read = session.begin(&beginning, &chunk)?;
            source.consume(read);
            return Ok(session);
        }
    }
}

/// The next chunk. What the last one gave is written before anybody may have to wait.
fn fill<'s>(
    output: &mut Output<'_>,
    source: &'s mut dyn Source,
    at_least: usize,
) -> Result<Chunk<'s>, Error> {
    if source.may_block() {
        output.flush()?;
    }
    source.fill(at_least).map_err(|error| match output.flush() {
        Ok(()) => Error::Read(error),
        Err(error) => error,
    })
}
