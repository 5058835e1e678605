//! The output side: a pending byte order mark, and the buffer in front of the sink.

use std::io::Write;

use super::buffer::{Buffer, Converted};
use super::error::Error;
use super::exit::Put;
use super::observer::Observer;
use super::opening::Start;
use super::target::Target;
use crate::io::{Memory, Pipe};
use oxiconv_encodings::codec::{CodeValue, EncodeStop, MIN_OUTPUT};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::{BYTE_ORDER_MARK, CodePoint};

/// Buffers the output.
pub(super) struct Output<'a> {
    sink: &'a mut dyn Write,
    /// Sees every character that is written.
    pub(super) observer: Option<&'a mut dyn Observer>,
    pub(super) gathered: Gathered,
}

/// The state of an output between two chunks, without the sink.
pub(super) struct Gathered {
    /// The sink, if it is a pipe that pages can be spliced to.
    pub(super) pipe: Option<Pipe>,
    pub(super) target: Target,
    buffer: Buffer,
    filled: usize,
    /// The encoding of the output, if U+FEFF is to be written before the first character.
    mark_due: Option<&'static Encoding>,
    /// Whether U+FEFF is removed from the start of the output.
    bare: bool,
    /// Whether a mark that is still due at the end is written: an input had bytes, even if no characters.
    mark_without_text: bool,
    /// Bytes passed to the sink or buffered for it.
    written: u64,
}

impl Gathered {
    /// Creates the state of an empty output that begins with `start`. `None` means that nothing is written, and takes
    /// no memory.
    pub(super) fn new(start: Option<Start>, target: Target) -> Self {
        let Start { mark_due, bare } = start.unwrap_or_default();
        Self {
            pipe: None,
            target,
            buffer: Buffer::new(start.is_some()),
            filled: 0,
            mark_due,
            bare,
            mark_without_text: false,
            written: 0,
        }
    }
}

impl<'a> Output<'a> {
    /// Continues the output that `gathered` describes, to `sink`.
    pub(super) fn new(sink: &'a mut dyn Write, gathered: Gathered) -> Self {
        Self { sink, observer: None, gathered }
    }

    /// Releases the sink.
    pub(super) fn into_gathered(self) -> Gathered {
        self.gathered
    }

    /// Returns the length of the output so far, in bytes.
    pub(super) fn written(&self) -> u64 {
        self.gathered.written
    }

    /// Makes it the rest of an output that began elsewhere.
    #[cfg(feature = "program")]
    pub(super) fn go_on(&mut self) {
        self.gathered.mark_due = None;
        self.gathered.bare = false;
    }

    /// Whether the next character can be written without a mark to add or to remove first.
    pub(super) fn is_under_way(&self) -> bool {
        self.gathered.mark_due.is_none() && !self.gathered.bare
    }

    /// Returns the free part of the buffer, at least [`MIN_OUTPUT`] bytes; empty if there is no output.
    pub(super) fn room(&mut self) -> Result<&mut [u8], Error> {
        let size = self.gathered.buffer.size();
        if size > 0 && size - self.gathered.filled < MIN_OUTPUT {
            self.flush()?;
        }
        Ok(&mut self.gathered.buffer.room()[self.gathered.filled..])
    }

    /// Returns what writes, and the free part of the buffer.
    pub(super) fn target_and_room(&mut self) -> Result<(&mut Target, &mut [u8]), Error> {
        self.room()?;
        let Gathered { target, buffer, filled, .. } = &mut self.gathered;
        Ok((target, &mut buffer.room()[*filled..]))
    }

    /// Returns what writes.
    pub(super) fn target(&self) -> &Target {
        &self.gathered.target
    }

    /// Marks the next `len` bytes of the free part as filled.
    pub(super) fn fill(&mut self, len: usize) {
        self.gathered.filled += len;
        self.gathered.written += len as u64;
    }

    /// Shows the observer what was written for `run`, which was encoded last.
    pub(super) fn observe(&mut self, run: &[CodePoint]) {
        if let Some(observer) = &mut self.observer {
            observer.run(self.gathered.target.written(run));
        }
    }

    /// Returns how many code points of `run` are marks to remove from the start of the output.
    fn leading_marks(&mut self, run: &[CodePoint]) -> usize {
        if !self.gathered.bare {
            return 0;
        }
        let marks = run.iter().take_while(|cp| **cp == BYTE_ORDER_MARK).count();
        self.gathered.bare = marks == run.len();
        marks
    }

    /// Encodes the mark if it is still due; if it is, the buffer is empty.
    fn put_mark(&mut self) {
        if self.gathered.mark_due.take().is_some() {
            let Gathered { target, buffer, filled, .. } = &mut self.gathered;
            let encoded = target.encode(&[BYTE_ORDER_MARK], &mut buffer.room()[*filled..]);
            self.fill(encoded.written);
            self.observe(&[BYTE_ORDER_MARK]);
        }
    }

    /// Whether worker threads write to pages that can be spliced.
    pub(super) fn splices(&self) -> bool {
        self.gathered.pipe.is_some()
    }

    /// Passes on what another thread has converted, after everything buffered. Returns the buffer if it can be
    /// reused.
    pub(super) fn put_converted(&mut self, text: Converted) -> Result<Option<Memory>, Error> {
        self.flush()?;
        match (&self.gathered.pipe, text) {
            (Some(pipe), Converted::Pages(pages)) => {
                self.gathered.written += pages.len() as u64;
                pipe.splice(&pages).map_err(Error::Write)?;
                Ok(None)
            }
            (None, Converted::Pages(pages)) => self.write(&pages).map(|()| None),
            (_, Converted::Buffer(buffer, len)) => {
                self.write(&buffer[..len])?;
                Ok(Some(buffer))
            }
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.gathered.written += bytes.len() as u64;
        if bytes.is_empty() { Ok(()) } else { self.sink.write_all(bytes).map_err(Error::Write) }
    }

    /// Writes everything that is buffered to the sink.
    pub(super) fn flush(&mut self) -> Result<(), Error> {
        let len = std::mem::take(&mut self.gathered.filled);
        if len == 0 {
            return Ok(());
        }
        let pipe = self.gathered.pipe.as_ref();
        self.gathered.buffer.hand_over(len, self.sink, pipe).map_err(Error::Write)?;
        self.gathered.buffer.note_length(self.gathered.written, pipe);
        Ok(())
    }

    /// Records the end of an input of this many bytes.
    pub(super) fn end_input(&mut self, bytes: u64, stopped: bool) {
        let mark = &mut self.gathered.mark_without_text;
        *mark = (*mark || bytes > 0) && !stopped;
    }

    /// Returns the encoder to its initial state and writes the rest to the sink.
    pub(super) fn finish(&mut self) -> Result<(), Error> {
        self.flush()?;
        if self.gathered.mark_without_text {
            self.put_mark();
        }
        let Gathered { target, buffer, filled, .. } = &mut self.gathered;
        if target.writes() {
            let len = target.finish(&mut buffer.room()[*filled..]);
            self.fill(len);
        }
        self.flush()?;
        self.sink.flush().map_err(Error::Write)
    }

    /// Writes a value that is too large for a code point; returns `false` if the target lacks it.
    pub(super) fn put_large(&mut self, value: CodeValue) -> Result<bool, Error> {
        if !self.gathered.target.writes() {
            return Ok(true);
        }
        let mut bytes = [0; MIN_OUTPUT];
        let Some(len) = self.gathered.target.encode_large(value, &mut bytes) else {
            return Ok(false);
        };
        self.gathered.bare = false;
        self.put_mark();
        self.room()?[..len].copy_from_slice(&bytes[..len]);
        self.fill(len);
        if let Some(observer) = &mut self.observer {
            observer.large(value);
        }
        Ok(true)
    }
}

impl Put for Output<'_> {
    fn put(&mut self, run: &[CodePoint]) -> Result<Option<usize>, Error> {
        if !self.gathered.target.writes() {
            return Ok(None);
        }
        let mut read = self.leading_marks(run);
        if let (Some(target), Some(first)) = (self.gathered.mark_due, run.get(read)) {
            // A stop at the very first character leaves an empty output, without even the mark.
            if !target.encodes(&[*first]) {
                return Ok(Some(read));
            }
            self.put_mark();
            // The mark replaces a U+FEFF at the start of the text: there are never two.
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
