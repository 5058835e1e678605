//! The output of a conversion: a pending byte order mark, and the buffer in front of the sink.
//!
//! An output has at most one mark, however many inputs it is made of and whichever of them have one. U+FEFF is dropped
//! from its start if marks are stripped or added, and one that is added is written before the first character. With
//! `MarkMode::Add`, `FEFF 61` and `61` both become `FEFF 61`.
//!
//! While a mark is due, or marks are to be dropped, the first character decides what happens. It must come through
//! [`CodePointSink::put`], which sees it; a kernel would write past all this. So the engine passes characters one by
//! one until [`BufferedOutput::is_under_way`], which is after the first one.

use std::io::Write;

use super::error::Error;
use super::observer::Observer;
use super::opening::OutputStart;
use super::output_buffer::{OutputBuffer, PieceOutput};
use super::pipeline_exit::CodePointSink;
use super::target_encoder::TargetEncoder;
use crate::io::{Memory, Pipe};
use oxiconv_encodings::codec::{CodeValue, EncodeStop, MIN_OUTPUT};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::{BYTE_ORDER_MARK, CodePoint};

pub(super) struct BufferedOutput<'a> {
    sink: &'a mut dyn Write,
    /// Sees every character that is written.
    pub(super) observer: Option<&'a mut dyn Observer>,
    pub(super) state: OutputState,
}

/// The state of an output between two chunks, when the sink is not borrowed.
pub(super) struct OutputState {
    /// The sink, if it is a pipe that pages can be spliced to.
    pub(super) pipe: Option<Pipe>,
    pub(super) target: TargetEncoder,
    buffer: OutputBuffer,
    filled: usize,
    /// The encoding of the output, if U+FEFF is to be written before the first character.
    mark_due: Option<&'static Encoding>,
    /// Whether U+FEFF is dropped from the start of the output.
    strips_marks: bool,
    /// Whether a mark that is still due at the end is written: some input had bytes, even if no characters. So a text
    /// of nothing but a mark keeps one, and the output of an empty file stays empty, as does one that stopped before
    /// its first character.
    mark_without_text: bool,
    written: u64,
}

impl OutputState {
    /// Creates the state of an empty output. With `None` as the start nothing is written, and no buffer is allocated.
    pub(super) fn new(start: Option<OutputStart>, target: TargetEncoder) -> Self {
        let OutputStart { mark_due, strips_marks } = start.unwrap_or_default();
        Self {
            pipe: None,
            target,
            buffer: OutputBuffer::new(start.is_some()),
            filled: 0,
            mark_due,
            strips_marks,
            mark_without_text: false,
            written: 0,
        }
    }
}

impl<'a> BufferedOutput<'a> {
    pub(super) fn new(sink: &'a mut dyn Write, state: OutputState) -> Self {
        Self { sink, observer: None, state }
    }

    /// Releases the sink, and returns the state to continue with.
    pub(super) fn into_state(self) -> OutputState {
        self.state
    }

    pub(super) fn written(&self) -> u64 {
        self.state.written
    }

    /// Makes it the continuation of an output that began elsewhere.
    #[cfg(feature = "program")]
    pub(super) fn go_on(&mut self) {
        self.state.mark_due = None;
        self.state.strips_marks = false;
    }

    /// Whether the next character can be written without adding or dropping a mark first.
    pub(super) fn is_under_way(&self) -> bool {
        self.state.mark_due.is_none() && !self.state.strips_marks
    }

    /// Returns the free part of the buffer, at least [`MIN_OUTPUT`] bytes; empty if there is no output.
    pub(super) fn room(&mut self) -> Result<&mut [u8], Error> {
        let size = self.state.buffer.size();
        if size > 0 && size - self.state.filled < MIN_OUTPUT {
            self.flush()?;
        }
        Ok(&mut self.state.buffer.room()[self.state.filled..])
    }

    pub(super) fn target_and_room(&mut self) -> Result<(&mut TargetEncoder, &mut [u8]), Error> {
        self.room()?;
        let OutputState { target, buffer, filled, .. } = &mut self.state;
        Ok((target, &mut buffer.room()[*filled..]))
    }

    pub(super) fn target(&self) -> &TargetEncoder {
        &self.state.target
    }

    pub(super) fn fill(&mut self, len: usize) {
        self.state.filled += len;
        self.state.written += len as u64;
    }

    pub(super) fn observe(&mut self, run: &[CodePoint]) {
        if let Some(observer) = &mut self.observer {
            observer.run(self.state.target.written(run));
        }
    }

    /// Returns how many code points at the start of `run` are marks to be dropped. Only those at the very start of the
    /// output are: the state belongs to the output and not to an input.
    fn leading_marks(&mut self, run: &[CodePoint]) -> usize {
        if !self.state.strips_marks {
            return 0;
        }
        let marks = run.iter().take_while(|cp| **cp == BYTE_ORDER_MARK).count();
        self.state.strips_marks = marks == run.len();
        marks
    }

    /// Encodes the mark if it is due. Nothing comes before the mark, so the buffer is empty then and has room for it.
    fn put_mark(&mut self) {
        if self.state.mark_due.take().is_some() {
            let OutputState { target, buffer, filled, .. } = &mut self.state;
            let encoded = target.encode(&[BYTE_ORDER_MARK], &mut buffer.room()[*filled..]);
            self.fill(encoded.written);
            self.observe(&[BYTE_ORDER_MARK]);
        }
    }

    /// Whether worker threads should write to pages that can be spliced.
    pub(super) fn splices(&self) -> bool {
        self.state.pipe.is_some()
    }

    /// Writes what another thread has converted, after everything buffered. Returns its buffer if that can be reused.
    /// Pages that were spliced cannot: the pipe keeps them.
    pub(super) fn put_converted(&mut self, text: PieceOutput) -> Result<Option<Memory>, Error> {
        self.flush()?;
        match (&self.state.pipe, text) {
            (Some(pipe), PieceOutput::Pages(pages)) => {
                self.state.written += pages.len() as u64;
                pipe.splice(&pages).map_err(Error::Write)?;
                Ok(None)
            }
            (None, PieceOutput::Pages(pages)) => self.write(&pages).map(|()| None),
            (_, PieceOutput::Buffer(buffer, len)) => {
                self.write(&buffer[..len])?;
                Ok(Some(buffer))
            }
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.state.written += bytes.len() as u64;
        if bytes.is_empty() { Ok(()) } else { self.sink.write_all(bytes).map_err(Error::Write) }
    }

    pub(super) fn flush(&mut self) -> Result<(), Error> {
        let len = std::mem::take(&mut self.state.filled);
        if len == 0 {
            return Ok(());
        }
        let pipe = self.state.pipe.as_ref();
        self.state.buffer.hand_over(len, self.sink, pipe).map_err(Error::Write)?;
        self.state.buffer.note_length(self.state.written, pipe);
        Ok(())
    }

    /// Records the end of an input of this many bytes.
    pub(super) fn end_input(&mut self, bytes: u64, stopped: bool) {
        let mark = &mut self.state.mark_without_text;
        *mark = (*mark || bytes > 0) && !stopped;
    }

    /// Returns the encoder to its initial state and writes the rest to the sink.
    pub(super) fn finish(&mut self) -> Result<(), Error> {
        self.flush()?;
        if self.state.mark_without_text {
            self.put_mark();
        }
        let OutputState { target, buffer, filled, .. } = &mut self.state;
        if target.writes() {
            let len = target.finish(&mut buffer.room()[*filled..]);
            self.fill(len);
        }
        self.flush()?;
        self.sink.flush().map_err(Error::Write)
    }

    /// Writes a value that is too large for a code point; returns `false` if the target lacks it.
    pub(super) fn put_large(&mut self, value: CodeValue) -> Result<bool, Error> {
        if !self.state.target.writes() {
            return Ok(true);
        }
        let mut bytes = [0; MIN_OUTPUT];
        let Some(len) = self.state.target.encode_large(value, &mut bytes) else {
            return Ok(false);
        };
        self.state.strips_marks = false;
        self.put_mark();
        self.room()?[..len].copy_from_slice(&bytes[..len]);
        self.fill(len);
        if let Some(observer) = &mut self.observer {
            observer.large(value);
        }
        Ok(true)
    }
}

impl CodePointSink for BufferedOutput<'_> {
    fn put(&mut self, run: &[CodePoint]) -> Result<Option<usize>, Error> {
        if !self.state.target.writes() {
            return Ok(None);
        }
        let mut read = self.leading_marks(run);
        if let (Some(target), Some(first)) = (self.state.mark_due, run.get(read)) {
            // The mark is written together with the first character, and not before: if the very first character stops
            // the conversion, the output stays empty, without even the mark.
            if !target.encodes(&[*first]) {
                return Ok(Some(read));
            }
            self.put_mark();
            // The mark stands for a U+FEFF at the start of the text: there are never two.
            read += usize::from(*first == BYTE_ORDER_MARK);
        }
        loop {
            let (target, room) = self.target_and_room()?;
            let encoded = target.encode(&run[read..], room);
            self.fill(encoded.written);
            self.observe(&run[read..read + encoded.read]);
            read += encoded.read;
            match encoded.stop {
                EncodeStop::InputEmpty => return Ok(None),
                EncodeStop::Unmappable => return Ok(Some(read)),
                EncodeStop::OutputFull => self.flush()?,
            }
        }
    }
}
