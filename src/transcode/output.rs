//! The output's side: the mark that is due, the encoder, and the buffer in front of the sink.

use std::io::Write;

use super::Error;
use super::buffer::Buffer;
use super::direct::Direct;
use super::parallel::Converted;
use super::policy::encodes;
use super::verify::Observer;
use crate::codec::{Decoder, EncodeProgress, EncodeStop, Encoder, MIN_OUTPUT, Value};
use crate::encoding::Encoding;
use crate::io::{Memory, Pipe};
use crate::kernels::Progress;
use crate::unicode::{BYTE_ORDER_MARK, CodePoint};

/// What may be asked before bytes go out: whether what they were made of was really there.
pub(super) type Intact<'a> = &'a dyn Fn() -> std::io::Result<()>;

/// How an output begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    /// With a U+FEFF of its own, before the first character, in this encoding.
    pub(super) mark_due: Option<&'static Encoding>,
    /// Without those that the text brings along.
    pub(super) bare: bool,
}

pub(super) struct Output<'a> {
    /// `None` where nothing is to be written, not even to see whether it could be.
    encoder: Option<Box<dyn Encoder>>,
    sink: &'a mut dyn Write,
    /// The same, where it is a pipe that memory can be given to.
    pub(super) pipe: Option<Pipe>,
    buffer: Buffer,
    filled: usize,
    /// As much of it is known to be made of bytes that were really there.
    settled: usize,
    /// The encoding of the output where U+FEFF comes before the first character.
    mark_due: Option<&'static Encoding>,
    /// Whether U+FEFF in front of the first other character is left out.
    bare: bool,
    /// Bytes handed to the sink or gathered for it.
    written: u64,
    /// Who sees every character that is written.
    pub(super) observer: Option<&'a mut dyn Observer>,
}

impl<'a> Output<'a> {
    pub(super) fn new(
        encoder: Option<Box<dyn Encoder>>,
        sink: &'a mut dyn Write,
        start: Start,
    ) -> Self {
        let Start { mark_due, bare } = start;
        let buffer = Buffer::new(encoder.is_some());
        Self {
            encoder,
            sink,
            pipe: None,
            buffer,
            filled: 0,
            settled: 0,
            mark_due,
            bare,
            written: 0,
            observer: None,
        }
    }

    /// Bytes of the output so far, with those that its end would bring if it came now.
    pub(super) fn written(&self) -> u64 {
        self.written + self.encoder.as_ref().map_or(0, |encoder| encoder.pending()) as u64
    }

    /// Encodes `run` up to the first unmappable character, and returns its index; `None` where there is none.
    pub(super) fn put(
        &mut self,
        run: &[CodePoint],
        intact: Intact<'_>,
    ) -> Result<Option<usize>, Error> {
        if self.encoder.is_none() {
            return Ok(None);
        }
        let mut read = self.leading_marks(run);
        if let (Some(target), Some(first)) = (self.mark_due, run.get(read)) {
            // A stop at the very first character leaves nothing behind, not even the mark.
            if !encodes(target, &[*first]) {
                return Ok(Some(read));
            }
            self.mark_due = None;
            self.encode(&[BYTE_ORDER_MARK]);
            // It stands for the U+FEFF that the text itself begins with: there are never two.
            read += usize::from(*first == BYTE_ORDER_MARK);
        }
        loop {
            let encoded = self.encode(&run[read..]);
            read += encoded.read;
            match encoded.stop {
                EncodeStop::InputEmpty => return Ok(None),
                EncodeStop::Unmappable => return Ok(Some(read)),
                EncodeStop::OutputFull => {
                    self.settle(intact)?;
                    self.flush()?;
                }
            }
        }
    }

    /// How many code points of `run` are marks to be left out at the start of the output.
    fn leading_marks(&mut self, run: &[CodePoint]) -> usize {
        if !self.bare {
            return 0;
        }
        let marks = run.iter().take_while(|cp| **cp == BYTE_ORDER_MARK).count();
        self.bare = marks == run.len();
        marks
    }

    /// The direct path from `decoder`, if there is one.
    pub(super) fn direct_from(&self, decoder: &dyn Decoder) -> Option<Direct> {
        Direct::of(decoder, self.encoder.as_deref())
    }

    /// Takes the direct path, which is `run`, as far as it leads, and returns the bytes read.
    pub(super) fn put_direct(
        &mut self,
        input: &[u8],
        intact: Intact<'_>,
        mut run: impl FnMut(&[u8], &mut [u8]) -> Progress,
    ) -> Result<usize, Error> {
        let mut read = 0;
        loop {
            let room = &mut self.buffer.room()[self.filled..];
            let run = run(&input[read..], room);
            let left = room.len() - run.written;
            read += run.read;
            self.filled += run.written;
            self.written += run.written as u64;
            // No character is longer than what is left where it stopped for want of room.
            if read == input.len() || left >= MIN_OUTPUT || self.encoder.is_none() {
                return Ok(read);
            }
            self.settle(intact)?;
            self.flush()?;
        }
    }

    /// Encodes into the free part of the buffer.
    fn encode(&mut self, run: &[CodePoint]) -> EncodeProgress {
        let room = &mut self.buffer.room()[self.filled..];
        let encoded = match &mut self.encoder {
            Some(encoder) => encoder.encode(run, room),
            None => EncodeProgress { read: run.len(), written: 0, stop: EncodeStop::InputEmpty },
        };
        self.filled += encoded.written;
        self.written += encoded.written as u64;
        if let Some(observer) = &mut self.observer {
            observer.run(&run[..encoded.read]);
        }
        encoded
    }

    /// Writes the mark if it is still due.
    pub(super) fn put_mark(&mut self) -> Result<(), Error> {
        if self.mark_due.take().is_some() {
            self.encode(&[BYTE_ORDER_MARK]);
            self.settle(&|| Ok(()))?;
        }
        Ok(())
    }

    /// Encodes one value that no run holds; `false` where it is unmappable.
    pub(super) fn put_large(&mut self, value: Value, intact: Intact<'_>) -> Result<bool, Error> {
        let Some(encoder) = &mut self.encoder else { return Ok(true) };
        let mut bytes = [0; MIN_OUTPUT];
        let Some(len) = encoder.encode_large(value, &mut bytes) else { return Ok(false) };
        self.bare = false;
        self.put_mark()?;
        if self.buffer.room().len() - self.filled < len {
            self.settle(intact)?;
            self.flush()?;
        }
        self.buffer.room()[self.filled..self.filled + len].copy_from_slice(&bytes[..len]);
        self.filled += len;
        self.written += len as u64;
        if let Some(observer) = &mut self.observer {
            observer.large(value);
        }
        Ok(true)
    }

    /// Asks whether all that is gathered was really there, and forgets what may not have been.
    pub(super) fn settle(&mut self, intact: Intact<'_>) -> Result<(), Error> {
        let answer = intact().map_err(Error::Read);
        match answer {
            Ok(()) => self.settled = self.filled,
            Err(_) => self.filled = self.settled,
        }
        answer
    }

    /// Whether what other threads make is to be memory that can be given away.
    pub(super) fn splices(&self) -> bool {
        self.pipe.is_some()
    }

    /// Hands on what another thread has made, once all before it is known to have been there. Returns the buffer, if it
    /// can be used again.
    pub(super) fn put_converted(
        &mut self,
        text: Converted,
        intact: Intact<'_>,
    ) -> Result<Option<Memory>, Error> {
        self.settle(intact)?;
        self.flush()?;
        match (&self.pipe, text) {
            (Some(pipe), Converted::SplicedPages(pages)) => {
                self.written += pages.len() as u64;
                pipe.splice(&pages).map_err(Error::Write)?;
                Ok(None)
            }
            (None, Converted::SplicedPages(pages)) => self.write(&pages).map(|()| None),
            (_, Converted::Buffer(buffer, len)) => {
                self.write(&buffer[..len])?;
                Ok(Some(buffer))
            }
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.written += bytes.len() as u64;
        if bytes.is_empty() { Ok(()) } else { self.sink.write_all(bytes).map_err(Error::Write) }
    }

    /// Whether the next character needs nothing done before it.
    pub(super) fn is_under_way(&self) -> bool {
        self.mark_due.is_none() && !self.bare
    }

    /// Hands what is gathered and settled to the sink.
    pub(super) fn flush(&mut self) -> Result<(), Error> {
        let len = std::mem::take(&mut self.settled);
        self.filled = 0;
        if len == 0 {
            return Ok(());
        }
        let pipe = self.pipe.as_ref();
        self.buffer.hand_over(len, self.sink, pipe).map_err(Error::Write)?;
        self.buffer.note_length(self.written, pipe);
        Ok(())
    }

    /// Brings the encoding to its initial state and hands the rest to the sink.
    pub(super) fn finish(&mut self) -> Result<(), Error> {
        self.flush()?;
        if let Some(encoder) = &mut self.encoder {
            self.filled = encoder.finish(self.buffer.room());
            self.settled = self.filled;
            self.written += self.filled as u64;
            self.flush()?;
        }
        self.sink.flush().map_err(Error::Write)
    }
}
