//! The caller's output buffer, at the end of the pipeline: all that stands for a character is written, or nothing.
//!
//! Take € to ISO-2022-JP with `//TRANSLIT`, which writes `EUR`, after a kanji and with four bytes of room. `ESC ( B E`
//! fits, and `U` does not. The call must end before €, so all four bytes are taken back, and the encoder returns to its
//! state before them.

use super::super::error::Error;
use super::super::pipeline_exit::CodePointSink;
use super::super::target_encoder::TargetEncoder;
use oxiconv_encodings::codec::{EncodeStop, Encoder, MIN_OUTPUT};
use oxiconv_encodings::unicode::{BYTE_ORDER_MARK, CodePoint};

/// What is still to be done at the start of a text with a byte order mark.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MarkState {
    pub(super) mark_due: bool,
    /// Whether a U+FEFF at the start of the input is dropped, because it would be a second mark.
    pub(super) strips_mark: bool,
}

impl MarkState {
    pub(super) fn is_special(self) -> bool {
        self.mark_due || self.strips_mark
    }
}

/// The free part of the output. What does not fit is an error of kind `WriteZero`.
pub(super) struct CallerOutput<'r> {
    target: &'r mut TargetEncoder,
    start: &'r mut MarkState,
    output: &'r mut [u8],
    written: usize,
    /// Where to return to if the rest does not fit: the state of the encoder and the bytes written. `None` until
    /// something is encoded, so a mark that is dropped after the encoder has refused it costs no copy of the encoder.
    committed: Option<(Option<Box<dyn Encoder>>, usize)>,
}

impl<'r> CallerOutput<'r> {
    pub(super) fn new(
        target: &'r mut TargetEncoder,
        start: &'r mut MarkState,
        output: &'r mut [u8],
    ) -> Self {
        Self { target, start, output, written: 0, committed: None }
    }

    /// Writes the byte order mark. It stays even if the character after it does not fit: the output has begun then, and
    /// the next call must not write a second mark.
    pub(super) fn begin(&mut self) -> Result<(), Error> {
        self.encode(&[BYTE_ORDER_MARK])?;
        self.start.mark_due = false;
        self.committed = Some((self.target.state(), self.written));
        Ok(())
    }

    pub(super) fn is_full(&self) -> bool {
        self.written == self.output.len()
    }

    /// Commits what was written, and returns its length in bytes.
    pub(super) fn commit(&mut self) -> usize {
        self.committed = None;
        self.written
    }

    /// Takes back what is not committed, and returns the number of bytes that stay.
    pub(super) fn roll_back(&mut self) -> usize {
        if let Some((state, written)) = self.committed.take() {
            self.target.restore(state);
            self.written = written;
        }
        self.written
    }

    /// Encodes a run as far as possible, and commits it; returns how many code points it encoded, and why it stopped.
    pub(super) fn put_run(&mut self, run: &[CodePoint]) -> (usize, EncodeStop) {
        let encoded = self.target.encode(run, &mut self.output[self.written..]);
        self.written += encoded.written;
        (encoded.read, encoded.stop)
    }

    fn encode(&mut self, run: &[CodePoint]) -> Result<Option<usize>, Error> {
        let (target, written) = (&*self.target, self.written);
        self.committed.get_or_insert_with(|| (target.state(), written));
        self.target.put(run, self.output, &mut self.written)
    }
}

impl CodePointSink for CallerOutput<'_> {
    fn put(&mut self, run: &[CodePoint]) -> Result<Option<usize>, Error> {
        let [first, ..] = run else { return Ok(None) };
        if self.start.is_special() {
            // A character that the target lacks does not begin the text: the mark is not written for it. Whether the
            // target lacks it is tried in a copy of the encoder, because the mark must be written first.
            let (mut state, mut room) = (self.target.state(), [0; MIN_OUTPUT]);
            let encoded = state.as_mut().map(|encoder| encoder.encode(&[*first], &mut room).stop);
            if encoded == Some(EncodeStop::Unmappable) {
                return Ok(Some(0));
            }
            if self.start.mark_due {
                self.begin()?;
            }
            self.start.strips_mark = false;
        }
        self.encode(run)
    }
}
