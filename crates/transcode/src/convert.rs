//! The inner half of the chunk loop: one chunk through the engine, which stops whenever something has to be decided.
//!
//! ```text
//! convert ─► convert_deferred    encoding not known yet: ASCII now, the rest when it is      (deferred_detection.rs)
//!        └─► convert_known ─► convert_records    records of a fixed length                   (record_lines.rs)
//!                         └─► convert_text       segments and the engine, in turns
//! ```
//!
//! Each of these takes a chunk and a limit. What follows the limit is in memory but must not be converted yet: it is
//! the lookahead that shows a finding in its context, or the piece after this one. A call may consume less than the
//! limit allows, for instance up to a truncated character. The rest comes again at the start of the next chunk.

use super::context_buffer::READ_AHEAD;
use super::engine::EngineStop;
use super::error::Error;
use super::origin::OriginBytes;
use super::pipeline_exit::{Halt, Passed};
use super::segments::SegmentStep;
use super::session::{Flow, Session};
use super::stage::{FollowedBy, TextEnd};
use crate::io::Chunk;
use oxiconv_encodings::unicode::{IllFormedKind, LINE_FEED};

impl Session<'_, '_> {
    /// Converts as much of `chunk` as possible, and returns the number of bytes consumed.
    ///
    /// If findings are shown in context, the last bytes of a chunk are left for the next one, because the text after a
    /// finding there is not known yet. So a finding shows the same context wherever the chunks end.
    pub(super) fn convert_chunk(&mut self, chunk: &Chunk<'_>) -> Result<(usize, Flow), Error> {
        let shown = if self.walk.text.context.is_none() || chunk.last { 0 } else { READ_AHEAD };
        let converted = self.convert(chunk, chunk.bytes.len().saturating_sub(shown));
        if converted.as_ref().is_err_and(Error::leaves_output) {
            self.walk.output.flush()?;
        }
        converted
    }

    /// Converts the bytes of `chunk` before `limit`, and returns the number of bytes consumed. What follows `limit` is
    /// lookahead only.
    pub(super) fn convert(
        &mut self,
        chunk: &Chunk<'_>,
        limit: usize,
    ) -> Result<(usize, Flow), Error> {
        #[cfg(feature = "detection")]
        if self.walk.text.is_deferred() {
            return self.convert_deferred(chunk, limit);
        }
        self.convert_known(chunk, limit)
    }

    /// The same, for a text whose encoding is known.
    pub(super) fn convert_known(
        &mut self,
        chunk: &Chunk<'_>,
        limit: usize,
    ) -> Result<(usize, Flow), Error> {
        match self.walk.text.records {
            None => self.convert_text(chunk, limit),
            Some(_) => self.convert_records(chunk, limit),
        }
    }

    /// The same, for a text without records, or for one record.
    pub(super) fn convert_text(
        &mut self,
        chunk: &Chunk<'_>,
        limit: usize,
    ) -> Result<(usize, Flow), Error> {
        let mut at = 0;
        let converted = self.convert_from(&mut at, chunk, limit);
        let stop = self.stop_of(converted)?;
        let (done, rest) = chunk.bytes.split_at(stop.unwrap_or(at));
        self.consume(done);
        if stop.is_some() {
            self.walk.pass_stop(rest);
            return Ok((done.len(), Flow::Stop));
        }
        Ok((at, Flow::Continue))
    }

    /// Returns where in the chunk the conversion stops, if it does. A stop at a held character may lie in an earlier
    /// chunk; then the offset of the text goes back to it.
    fn stop_of(&mut self, passed: Passed) -> Result<Option<usize>, Error> {
        match passed {
            Ok(()) => Ok(None),
            Err(Halt::Error(error)) => Err(error),
            Err(Halt::Stop(offset)) => {
                let at = offset.saturating_sub(self.walk.text.offset);
                self.walk.text.offset = self.walk.text.offset.min(offset);
                Ok(Some(at as usize))
            }
        }
    }

    /// Converts from byte `at` of the chunk on, and advances `at`.
    ///
    /// Each turn asks the segmenters how far the text is clear, lets the engine take one step in it, and handles the
    /// stop.
    fn convert_from(&mut self, at: &mut usize, chunk: &Chunk<'_>, limit: usize) -> Passed {
        // The part that a held run began with: the engine needs the same bytes again. It also saves the search for
        // segments, which would otherwise be repeated at each character that the target lacks.
        let mut held = None;
        while *at <= limit {
            self.walk.prepare_engine();
            let part = match held {
                Some(part) => part,
                None => match self.segments.next(&mut self.walk, chunk, *at, limit)? {
                    SegmentStep::Convert(part) => part,
                    SegmentStep::Passed(place) => {
                        *at = place;
                        continue;
                    }
                    SegmentStep::Wait => break,
                },
            };
            let clear = *at + part.limit;
            let advance = self.walk.advance(part)?;
            *at += advance.read;
            held = self.walk.engine.holds_run().then_some(part);
            let Some(stop) = advance.stop else { continue };
            if stop == EngineStop::InputEmpty && (advance.read == 0 || *at == limit) {
                break;
            }
            *at += self.handle_stop(stop, chunk, *at, clear.max(*at))?;
        }
        if chunk.last && *at == chunk.bytes.len() {
            self.end_text(chunk)?;
        }
        Ok(())
    }

    /// Handles what stopped the engine at byte `at`, and returns the number of bytes consumed by that.
    fn handle_stop(
        &mut self,
        stop: EngineStop,
        chunk: &Chunk<'_>,
        at: usize,
        limit: usize,
    ) -> Passed<usize> {
        match stop {
            EngineStop::InputEmpty => {}
            #[cfg(feature = "detection")]
            EngineStop::Unsettled(bytes) => {
                let offset = self.walk.text.offset + at as u64;
                if let Some(interruptions) = &mut self.segments.interruptions {
                    interruptions.look_closely(offset, bytes);
                }
            }
            EngineStop::OutputFull => self.walk.output.flush()?,
            EngineStop::Stage => self.walk.pass_one_by_one(chunk, at, None)?,
            EngineStop::Unmappable(cp) => self.walk.unmappable(cp, chunk, at)?,
            EngineStop::Large { value, len } => {
                self.walk.large(chunk, at..at + len, value)?;
                return Ok(len);
            }
            EngineStop::IllFormed(ill_formed) => {
                // A row might continue in a line whose encoding has not been judged yet.
                let is_mixture = self.segments.is_mixture(self.walk.text.findings.encoding);
                let row = if is_mixture { 0 } else { self.walk.pass_row(chunk, at, limit)? };
                if row > 0 {
                    return Ok(row);
                }
                let range = at..at + ill_formed.len;
                let kind = match ill_formed.kind {
                    // The text does not end there. The engine was told so, because what follows is a part in another
                    // encoding, in which no sequence of this one continues.
                    IllFormedKind::TruncatedAtEnd if range.end < chunk.bytes.len() => {
                        IllFormedKind::Truncated
                    }
                    kind => kind,
                };
                self.walk.ill_formed(chunk, range, kind)?;
                return Ok(ill_formed.len);
            }
        }
        Ok(0)
    }

    /// Ends the text or the record: nothing follows what stages still hold.
    fn end_text(&mut self, chunk: &Chunk<'_>) -> Passed {
        self.walk.settle(FollowedBy::End)?;
        // What is checked or added here concerns the last line of a text. Each record ends its line. Each piece but the
        // last ends after a line or a character, and the text continues elsewhere.
        if self.walk.text.records.is_none() && !self.walk.text.goes_on() {
            let end = TextEnd { lacks_line_feed: self.walk.text.lacks_line_feed() };
            let len = chunk.bytes.len();
            let (pipeline, mut origin, exit) =
                self.walk.stages(chunk, OriginBytes::At(len..len, None));
            pipeline.end(&end, &mut origin, exit)?;
            self.end_last_line()?;
        }
        Ok(())
    }

    /// Adds a line end to a text that lacks one, if requested.
    fn end_last_line(&mut self) -> Result<(), Error> {
        let wanted = self.walk.conversion.options.line_ends.write_final_newline;
        if wanted
            && let Some(missing) = self.walk.output.target().missing_line_end()
            && self.walk.put(missing)?.is_some()
        {
            // The target lacks the line end that the text uses.
            self.walk.put(&[LINE_FEED])?;
        }
        Ok(())
    }
}
