//! One call of iconv(3), and what it did.

/// What one call of [`ExactConverter::convert`](super::ExactConverter::convert) did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactProgress {
    /// Bytes read: those of characters that were written, left out or held.
    pub read: usize,
    /// Bytes written.
    pub written: usize,
    /// Characters that were replaced by something similar.
    pub irreversible: usize,
    /// Unmappable characters that were left out.
    pub left_out: usize,
    /// Ill-formed subsequences that were left out.
    pub ill_formed: usize,
    /// Why it stopped.
    pub stop: ExactStop,
}

/// Why a conversion stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExactStop {
    /// Everything is read.
    InputEmpty,
    /// The input ends inside the next character, which is not read.
    Incomplete,
    /// The output has no room for the next character, which is not read.
    OutputFull,
    /// An ill-formed subsequence is next. It is not read.
    IllFormed,
    /// The target lacks the next character, which is not read.
    Unmappable,
}

impl ExactProgress {
    /// A call that had nothing to convert.
    pub const NOTHING: Self = Self {
        read: 0,
        written: 0,
        irreversible: 0,
        left_out: 0,
        ill_formed: 0,
        stop: ExactStop::InputEmpty,
    };

    pub(super) fn stopped(self, stop: ExactStop) -> Self {
        Self { stop, ..self }
    }

    /// Adds the progress of the next call.
    pub fn add_call(&mut self, next: &Self) {
        self.read += next.read;
        self.add(next);
    }

    /// Adds what was done afterwards, except for the bytes read, which are counted elsewhere.
    pub(super) fn add(&mut self, next: &Self) {
        self.written += next.written;
        self.irreversible += next.irreversible;
        self.left_out += next.left_out;
        self.ill_formed += next.ill_formed;
        self.stop = next.stop;
    }
}

/// The buffers of a call, and the progress made in them.
pub(super) struct ExactCall<'c> {
    text: &'c [u8],
    output: &'c mut [u8],
    pub(super) done: ExactProgress,
}

impl<'c> ExactCall<'c> {
    pub(super) fn new(text: &'c [u8], output: &'c mut [u8]) -> Self {
        Self { text, output, done: ExactProgress::NOTHING }
    }

    /// Returns the unread part of the text.
    pub(super) fn rest(&self) -> &'c [u8] {
        &self.text[self.done.read..]
    }

    /// Returns the free part of the output.
    pub(super) fn room(&mut self) -> &mut [u8] {
        &mut self.output[self.done.written..]
    }

    /// Whether the output is full. Then nothing may be left out or refused either, although neither needs room: the
    /// caller will pass the same bytes again, and the call that reads them reports the loss.
    pub(super) fn is_full(&self) -> bool {
        self.done.written == self.output.len()
    }
}
