//! The inner half of the chunk loop: one chunk through the engine, which stops whenever something has to be decided.

use super::characters::Looked;
use super::context_buffer::READ_AHEAD;
#[cfg(feature = "detection")]
use super::damaged_parts::NextDamage;
use super::deceptions::Honest;
use super::engine::{Part, Stop};
use super::error::Error;
#[cfg(feature = "detection")]
use super::interrupted_parts::NextPlace;
use super::parts::NextPart;
use super::session::{Flow, Session};
use crate::diagnostic::Context;
use crate::io::Chunk;
use crate::unicode::{CARRIAGE_RETURN, CodePoint, IllFormedKind, LINE_FEED};

/// What is to be done next in a chunk.
enum Step<'c> {
    /// The engine converts these bytes.
    Convert(Part<'c>),
    /// Something was dealt with, up to this byte.
    Passed(usize, Flow),
    /// More of the text must be read.
    Wait,
}

impl Session<'_, '_> {
    /// Converts as much of `chunk` as possible, and returns the number of bytes consumed.
    pub(super) fn convert_chunk(&mut self, chunk: &Chunk<'_>) -> Result<(usize, Flow), Error> {
        let (mut at, len) = (0, chunk.bytes.len());
        while let Some(label) = self.next_label(&chunk.part(at, len)) {
            let part = chunk.part(at, len);
            let (used, flow) = self.convert_settled(&part, label.start)?;
            at += used;
            if flow != Flow::On || used < label.start || label.end > part.bytes.len() {
                return Ok((at, flow));
            }
            let flow = self.rewrite_label(&chunk.part(at, len), label.len())?;
            if flow != Flow::On {
                return Ok((at, flow));
            }
            at += label.len();
        }
        let chunk = chunk.part(at, len);
        let judged_by = if self.text.context.is_none() || chunk.last { 0 } else { READ_AHEAD };
        let (used, flow) =
            self.convert_settled(&chunk, chunk.bytes.len().saturating_sub(judged_by))?;
        Ok((at + used, flow))
    }

    /// Whether the context of what ends at byte `end` of the chunk is in memory, if it is shown.
    pub(super) fn has_context(&self, chunk: &Chunk<'_>, end: usize) -> bool {
        self.text.context.is_none() || chunk.last || end + Context::BYTES <= chunk.bytes.len()
    }

    /// Converts the bytes of `chunk` before `limit`.
    fn convert_settled(&mut self, chunk: &Chunk<'_>, limit: usize) -> Result<(usize, Flow), Error> {
        let done = self.convert(chunk, limit);
        if done.as_ref().is_err_and(|error| !error.leaves_output()) {
            return done;
        }
        if done.is_err() {
            self.output.flush()?;
        }
        done
    }

    /// Converts the bytes of `chunk` before `limit`, and returns the number of bytes consumed. The bytes after `limit`
    /// are only lookahead.
    pub(super) fn convert(
        &mut self,
        chunk: &Chunk<'_>,
        limit: usize,
    ) -> Result<(usize, Flow), Error> {
        #[cfg(feature = "detection")]
        if self.text.is_deferred() {
            return self.convert_deferred(chunk, limit);
        }
        self.convert_known(chunk, limit)
    }

    /// The same, in the encoding that the engine reads.
    pub(super) fn convert_known(
        &mut self,
        chunk: &Chunk<'_>,
        limit: usize,
    ) -> Result<(usize, Flow), Error> {
        match self.text.records {
            None => self.convert_text(chunk, limit),
            Some(_) => self.convert_records(chunk, limit),
        }
    }

    /// The same, for a text or a record of it.
    pub(super) fn convert_text(
        &mut self,
        chunk: &Chunk<'_>,
        limit: usize,
    ) -> Result<(usize, Flow), Error> {
        self.prepared = false;
        let mut at = 0;
        let mut flow = Flow::On;
        while flow == Flow::On && at <= limit {
            let part = match self.next_step(chunk, at, limit)? {
                Step::Convert(part) => part,
                Step::Passed(place, after) => {
                    (at, flow) = (place, after);
                    continue;
                }
                Step::Wait => break,
            };
            #[cfg(feature = "detection")]
            let clean = at + part.limit;
            let advance = self.engine.advance(part, self.output.room()?);
            self.count(&advance);
            at += advance.read;
            let Some(stop) = advance.stop else { continue };
            if stop == Stop::InputEmpty && (advance.read == 0 || at == limit) {
                break;
            }
            let past;
            #[cfg(feature = "detection")]
            let limit = if self.units().is_some() { clean.max(at) } else { limit };
            (past, flow) = self.deal_with(stop, chunk, at, limit)?;
            at += past;
        }
        if flow == Flow::On && chunk.last && at == chunk.bytes.len() {
            flow = self.end_text(chunk)?;
        }
        if let Flow::Stop(place) = flow {
            at = place;
        }
        let (done, rest) = chunk.bytes.split_at(at);
        self.consume(done);
        if flow != Flow::On {
            self.pass_stop(rest);
        }
        Ok((at, flow))
    }

    /// Does what is to be done at byte `at` of the chunk before the engine converts: each layer deals with what begins there, and
    /// says how far the text before the next such place goes.
    fn next_step<'c>(
        &mut self,
        chunk: &Chunk<'c>,
        at: usize,
        limit: usize,
    ) -> Result<Step<'c>, Error> {
        let (clean, flow) = self.foreign_units_to(chunk, at, limit)?;
        if flow != Flow::On {
            return Ok(Step::Passed(at, flow));
        }
        let clean = self.clean_to(chunk, at, clean);
        match self.next_part(chunk, at) {
            NextPart::None => {}
            NextPart::Unknown => return Ok(Step::Wait),
            NextPart::At(part) => {
                let end = part.end;
                self.pass_identifiers(chunk, at, end);
                return Ok(Step::Passed(end, self.convert_part(chunk, part)?));
            }
        }
        #[cfg(feature = "detection")]
        let clean = {
            let sound = self.sound_to(chunk, at, clean);
            match self.next_damage(chunk, at) {
                NextDamage::None => sound,
                NextDamage::Overlaps => return Ok(Step::Passed(at, Flow::On)),
                NextDamage::Unknown => return Ok(Step::Wait),
                NextDamage::At(range, damage) => {
                    self.pass_identifiers(chunk, at, range.end);
                    let (past, flow) = self.convert_damage(chunk, range, &damage)?;
                    return Ok(Step::Passed(at + past, flow));
                }
            }
        };
        let clean = match self.honest_to(chunk, at, clean)? {
            Honest::To(clean) => clean,
            Honest::Stopped(stop) => return Ok(Step::Passed(at, stop)),
        };
        self.prepare_engine();
        #[cfg(feature = "detection")]
        let (clean, around) = {
            let settled = self.units_to(chunk, at, clean);
            match self.next_place(chunk, at) {
                // What is next may belong to what follows it.
                NextPlace::Units if settled.0 == at && at < clean => return Ok(Step::Wait),
                NextPlace::Units => settled,
                NextPlace::UnitsAgain => return Ok(Step::Passed(at, Flow::On)),
                NextPlace::Unknown => return Ok(Step::Wait),
                NextPlace::At(range, what) => {
                    let end = range.end;
                    return Ok(Step::Passed(end, self.convert_interruption(chunk, range, what)?));
                }
            }
        };
        #[cfg(feature = "detection")]
        let (bytes, last) = self.ahead_of(chunk, at, clean, limit);
        #[cfg(not(feature = "detection"))]
        let (bytes, last, around) = (&chunk.bytes[at..], chunk.last, None);
        let (bytes, last) = match self.part_cuts_sequence(chunk, at, clean) {
            true => (&chunk.bytes[at..clean], true),
            false => (bytes, last),
        };
        Ok(Step::Convert(Part { bytes, limit: clean - at, last, around }))
    }

    /// Deals with what stopped the engine at byte `at`, and returns the number of bytes consumed by it.
    fn deal_with(
        &mut self,
        stop: Stop,
        chunk: &Chunk<'_>,
        at: usize,
        limit: usize,
    ) -> Result<(usize, Flow), Error> {
        match stop {
            Stop::InputEmpty => Ok((0, Flow::On)),
            #[cfg(feature = "detection")]
            Stop::Unsettled(bytes) => {
                let offset = self.text.offset + at as u64;
                self.text.interruptions.look_closely(offset, bytes);
                Ok((0, Flow::On))
            }
            Stop::OutputFull => self.output.flush().map(|()| (0, Flow::On)),
            Stop::Watched(cp) => self.watched(cp, chunk, at).map(|flow| (0, flow)),
            Stop::Unmappable(cp) => Ok((0, self.unmappable_character(cp, chunk, at)?)),
            Stop::Large { value, len } => Ok((len, self.large(chunk, at..at + len, value)?)),
            Stop::IllFormed(ill_formed) => match self.pass_row(chunk, at, limit)? {
                0 => {
                    let range = at..at + ill_formed.len;
                    let kind = match ill_formed.kind {
                        // A part in another encoding follows.
                        IllFormedKind::TruncatedAtEnd if range.end < chunk.bytes.len() => {
                            IllFormedKind::Truncated
                        }
                        kind => kind,
                    };
                    Ok((ill_formed.len, self.ill_formed(chunk, range, kind)?))
                }
                row => Ok((row, Flow::On)),
            },
        }
    }

    /// Ends the text, or the record: nothing follows what is still held back.
    fn end_text(&mut self, chunk: &Chunk<'_>) -> Result<Flow, Error> {
        let undecided = self.text.undecided.as_ref();
        let after_return = undecided.is_some_and(|held| held.cp == CARRIAGE_RETURN);
        if let stop @ Flow::Stop(_) = self.settle_undecided(None)? {
            return Ok(stop);
        }
        // Blanks at the end of a record are dropped.
        if let Some(records) = &mut self.text.records {
            records.blanks = 0;
        }
        if let stop @ Flow::Stop(_) = self.settle_held()? {
            return Ok(stop);
        }
        // Each record ends its line, and each piece but the last a line or a character.
        if self.text.records.is_none() && !self.text.goes_on() {
            if let stop @ Flow::Stop(_) = self.look_at_end(chunk, after_return)? {
                return Ok(stop);
            }
            self.end_last_line()?;
        }
        Ok(Flow::On)
    }

    /// Adds a line end to a text that lacks one, if that is wanted.
    fn end_last_line(&mut self) -> Result<(), Error> {
        let wanted = self.conversion.options.write_final_newline;
        let missing = self.engine.line_ends().filter(|_| wanted).and_then(|it| it.missing());
        if let Some(missing) = missing
            && self.put(missing)?.is_some()
        {
            // The target lacks the text's own line end.
            self.put(&[LINE_FEED])?;
        }
        Ok(())
    }

    /// Looks at a watched character, and passes it on.
    fn watched(&mut self, cp: CodePoint, chunk: &Chunk<'_>, at: usize) -> Result<Flow, Error> {
        match self.look_at(cp, chunk, at)? {
            Looked::Stopped(place) => {
                return Ok(match self.settle_held()? {
                    Flow::On => Flow::Stop(place),
                    earlier => earlier,
                });
            }
            Looked::Held => self.engine.skip(),
            Looked::Replaced => {
                self.engine.skip();
                self.pass(&[cp]);
            }
            Looked::Passed => {
                if let Some(flow) = self.hold_back(cp, chunk, at)? {
                    return Ok(flow);
                }
                if self.output.is_under_way() {
                    self.engine.release();
                    return Ok(Flow::On);
                }
                // The first character decides what comes before it.
                if self.put(&[cp])?.is_some() {
                    return self.unmappable_character(cp, chunk, at);
                }
                self.engine.skip();
                self.pass(&[cp]);
            }
        }
        Ok(Flow::On)
    }
}
