//! The output for each file, printed in the order of the files however many are processed at once.
//!
//! Each file has a [`FileOutput`]. The output whose turn it is writes straight through. The others buffer, and block
//! until their turn only if they have buffered much, or if many (1,024) are waiting. So order costs little, and memory
//! grows neither with the findings nor with the number of files.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use oxiconv_report::OutputFormat;

use super::console::{Console, message};
use super::output_streams::Stream;

/// How many outputs may wait after the one whose turn it is, however little they hold.
const MAX_WAITING: usize = 1024;
/// The most bytes that all waiting outputs together may buffer.
const MAX_BUFFERED: usize = 4 << 20;
/// Bytes that one output buffers before it tries to print them.
const FLUSH_BYTES: usize = 32 << 10;
/// How long it buffers before it tries.
const FLUSH_INTERVAL: Duration = Duration::from_millis(100);

/// The outputs of all files, in order.
pub(crate) struct OrderedOutput<'a> {
    console: &'a Console,
    /// The stream of the document.
    to: Stream,
    /// Its format. Each item on that stream begins with its separator, which is removed from the first one.
    format: &'a dyn OutputFormat,
    state: Mutex<OrderState>,
    turn_changed: Condvar,
}

#[derive(Default)]
struct OrderState {
    /// The index of the output whose turn it is.
    turn: usize,
    /// The messages of outputs that were closed before their turn.
    closed: BTreeMap<usize, Vec<BufferedMessage>>,
    buffered: usize,
    /// How many threads wait for a change: to notify nobody takes a system call too.
    waiting: usize,
    /// Whether an item was printed.
    has_printed: bool,
    /// What is kept for the end of the run.
    kept: Vec<u8>,
    error: Option<io::Error>,
}

type BufferedMessage = (MessageTarget, Vec<u8>);

/// Where a message goes when its turn comes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MessageTarget {
    Stream(Stream),
    /// Kept for the end of the run.
    Kept,
}

impl<'a> OrderedOutput<'a> {
    /// Creates the outputs. The stream `to` has a document in `format`.
    pub(crate) fn new(console: &'a Console, to: Stream, format: &'a dyn OutputFormat) -> Self {
        Self { console, to, format, state: Mutex::default(), turn_changed: Condvar::new() }
    }

    /// Returns the output of the file with this index. Every index from 0 must be taken, and its output closed.
    pub(crate) fn file_output(&self, index: usize) -> FileOutput<'_> {
        FileOutput {
            order: self,
            index,
            messages: Vec::new(),
            bytes: 0,
            counted: 0,
            printed: Instant::now(),
        }
    }

    /// Waits until the output with this index may begin: if too many outputs wait for their turn already, or hold too much,
    /// the next ones would only add to them.
    pub(crate) fn wait_to_begin(&self, index: usize) {
        let mut state = self.state();
        while state.turn < index
            && (index - state.turn > MAX_WAITING || state.buffered > MAX_BUFFERED)
            && state.error.is_none()
        {
            state = self.wait(state);
        }
    }

    /// Waits until an output is closed.
    fn wait<'s>(&'s self, mut state: MutexGuard<'s, OrderState>) -> MutexGuard<'s, OrderState> {
        state.waiting += 1;
        let mut state = self.turn_changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        state
    }

    /// Returns the next output, for files that are processed one by one.
    pub(crate) fn next_output(&self) -> FileOutput<'_> {
        let turn = self.state().turn;
        self.file_output(turn)
    }

    /// Returns what all outputs have kept so far, in order.
    pub(crate) fn take_kept(&self) -> Vec<u8> {
        std::mem::take(&mut self.state().kept)
    }

    /// Whether standard output failed: nothing more will be printed there.
    pub(crate) fn has_failed(&self) -> bool {
        self.state().error.is_some()
    }

    /// Returns the first error of standard output, if any.
    pub(crate) fn take_error(&self) -> Option<io::Error> {
        self.state().error.take()
    }

    fn state(&self) -> MutexGuard<'_, OrderState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn print(&self, state: &mut OrderState, messages: Vec<BufferedMessage>) {
        for (destination, bytes) in messages {
            match destination {
                MessageTarget::Kept => self.format.keep(&mut state.kept, &bytes),
                MessageTarget::Stream(_) if state.error.is_some() => {}
                MessageTarget::Stream(to) => {
                    let first = to == self.to && !std::mem::replace(&mut state.has_printed, true);
                    let start = if first { self.format.facts().separator } else { b"" };
                    let bytes = bytes.strip_prefix(start).unwrap_or(&bytes);
                    state.error = self.console.write(to, bytes).err();
                }
            }
        }
    }
}

/// The output for one file.
pub(crate) struct FileOutput<'a> {
    order: &'a OrderedOutput<'a>,
    index: usize,
    messages: Vec<BufferedMessage>,
    /// Bytes of the messages, and how many of them count towards the total of all outputs.
    bytes: usize,
    counted: usize,
    /// When it last tried to print.
    printed: Instant,
}

impl<'o> FileOutput<'o> {
    pub(crate) fn write(&mut self, to: Stream, bytes: &[u8]) -> io::Result<()> {
        self.buffer(MessageTarget::Stream(to), bytes);
        if self.bytes < FLUSH_BYTES && self.printed.elapsed() < FLUSH_INTERVAL {
            return Ok(());
        }
        self.print()
    }

    /// Keeps bytes for the end of the run.
    pub(crate) fn keep(&mut self, bytes: &[u8]) {
        self.buffer(MessageTarget::Kept, bytes);
    }

    fn buffer(&mut self, destination: MessageTarget, bytes: &[u8]) {
        match self.messages.last_mut() {
            Some((last, buffered)) if *last == destination => buffered.extend_from_slice(bytes),
            _ => self.messages.push((destination, bytes.to_vec())),
        }
        self.bytes += bytes.len();
    }

    /// Prints what is buffered, if it is this output's turn. Otherwise waits if too much is buffered.
    fn print(&mut self) -> io::Result<()> {
        let mut state = self.order.state();
        state.buffered += self.bytes - self.counted;
        self.counted = self.bytes;
        while state.turn != self.index && state.buffered > MAX_BUFFERED && state.error.is_none() {
            state = self.order.wait(state);
        }
        if state.turn == self.index {
            self.order.print(&mut state, std::mem::take(&mut self.messages));
            state.buffered = state.buffered.saturating_sub(self.counted);
            (self.bytes, self.counted) = (0, 0);
        }
        self.printed = Instant::now();
        match &state.error {
            Some(error) => Err(error.kind().into()),
            None => Ok(()),
        }
    }

    /// Returns the index of its file.
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// Prints one line on standard error, with the program's name.
    pub(crate) fn error(&mut self, words: &str) {
        // Errors of standard output are noticed at the end.
        let _ = self.write(Stream::Err, message(words).as_bytes());
    }

    /// Returns a writer to one of the streams.
    pub(crate) fn to(&mut self, to: Stream) -> FileOutputWriter<'_, 'o> {
        FileOutputWriter { file_output: self, to }
    }

    /// Closes the output: what is left of it is printed when its turn comes.
    pub(crate) fn close(self) {
        let mut state = self.order.state();
        state.buffered += self.bytes - self.counted;
        state.closed.insert(self.index, self.messages);
        while let Some(messages) = {
            let turn = state.turn;
            state.closed.remove(&turn)
        } {
            let bytes: usize = messages.iter().map(|(_, bytes)| bytes.len()).sum();
            state.buffered = state.buffered.saturating_sub(bytes);
            self.order.print(&mut state, messages);
            state.turn += 1;
        }
        if state.waiting > 0 {
            self.order.turn_changed.notify_all();
        }
    }
}

/// Writes to one stream of an output.
pub(crate) struct FileOutputWriter<'s, 'o> {
    file_output: &'s mut FileOutput<'o>,
    to: Stream,
}

impl Write for FileOutputWriter<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file_output.write(self.to, bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.file_output.bytes > 0 { self.file_output.print() } else { Ok(()) }
    }
}
