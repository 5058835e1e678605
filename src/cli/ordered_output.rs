//! Prints the output for each file in the order of the files, although several are processed at once.
//!
//! ```text
//! turn = 4     file 4   writes straight through
//!              file 5   buffers, running
//!              file 6   closed: its buffer is printed right after 5 closes, by the thread that closes 5
//!              file 7   not begun: the buffers hold more than 4 MiB, so its thread waits
//! ```
//!
//! The thread whose turn it is never waits, so there is no deadlock. The others block only while the buffers together
//! hold more than 4 MiB, or while their file is more than 1,024 ahead of the turn. So order costs little, and memory
//! grows neither with the findings nor with the number of files.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use oxiconv_report::OutputFormat;

use super::console::{Console, message};
use super::output_streams::Stream;

/// How far a file may be ahead of the turn, however little its output holds.
const MAX_AHEAD: usize = 1024;
/// Bytes that all outputs together may buffer before threads wait for their turn.
const MAX_BUFFERED: usize = 4 << 20;
/// An output tries to print when it has buffered this many bytes, or for this long.
const FLUSH_BYTES: usize = 32 << 10;
const FLUSH_INTERVAL: Duration = Duration::from_millis(100);

pub(crate) struct OrderedOutput<'a> {
    console: &'a Console,
    /// The stream of the findings.
    to: Stream,
    /// Their format. Each item on that stream begins with a separator, which is removed from the first item: only here
    /// is it known which file prints first.
    format: &'a dyn OutputFormat,
    state: Mutex<OrderState>,
    /// Notified when an output closes. What the output whose turn it is prints in between lowers `buffered` too, but
    /// wakes nobody: the others wait until the next output closes.
    turn_changed: Condvar,
}

#[derive(Default)]
struct OrderState {
    turn: usize,
    /// The messages of outputs that were closed before their turn.
    closed: BTreeMap<usize, Vec<BufferedMessage>>,
    /// Bytes in the buffers of all outputs, closed ones included. An open output adds its bytes when it takes the lock,
    /// so the sum is as of the last attempt of each to print.
    buffered: usize,
    /// How many threads wait on `turn_changed`. Notifying takes a system call even if nobody waits.
    waiting: usize,
    /// Whether an item was printed on the stream of the findings.
    has_printed: bool,
    kept: Vec<u8>,
    /// The first error of standard output. Nothing is printed after it.
    error: Option<io::Error>,
}

type BufferedMessage = (MessageTarget, Vec<u8>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum MessageTarget {
    Stream(Stream),
    /// Kept for the end of the run.
    Kept,
}

impl<'a> OrderedOutput<'a> {
    /// Creates the outputs of a run whose findings are written to the stream `to` in `format`.
    pub(crate) fn new(console: &'a Console, to: Stream, format: &'a dyn OutputFormat) -> Self {
        Self { console, to, format, state: Mutex::default(), turn_changed: Condvar::new() }
    }

    /// Returns the output of the file with this index. Every index from 0 on must be taken and its output closed, or
    /// the turn never reaches those after it.
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

    /// Blocks until the file with this index may begin: while the buffers are full, further files would only add to
    /// them. The file whose turn it is never waits, and if standard output has failed, none does.
    pub(crate) fn wait_to_begin(&self, index: usize) {
        let mut state = self.state();
        while state.turn < index
            && (index - state.turn > MAX_AHEAD || state.buffered > MAX_BUFFERED)
            && state.error.is_none()
        {
            state = self.wait(state);
        }
    }

    fn wait<'s>(&'s self, mut state: MutexGuard<'s, OrderState>) -> MutexGuard<'s, OrderState> {
        state.waiting += 1;
        let mut state = self.turn_changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        state
    }

    /// Returns the output whose turn it is. Only for use while no other thread takes outputs.
    pub(crate) fn next_output(&self) -> FileOutput<'_> {
        let turn = self.state().turn;
        self.file_output(turn)
    }

    /// Takes what the closed outputs have kept for the end of the run, in order.
    pub(crate) fn take_kept(&self) -> Vec<u8> {
        std::mem::take(&mut self.state().kept)
    }

    /// Whether standard output has failed. Nothing more is printed then.
    pub(crate) fn has_failed(&self) -> bool {
        self.state().error.is_some()
    }

    /// Takes the error of standard output, if there was one.
    pub(crate) fn take_error(&self) -> Option<io::Error> {
        self.state().error.take()
    }

    fn state(&self) -> MutexGuard<'_, OrderState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prints the messages of an output, under the lock, so that those of another cannot come between them.
    ///
    /// Every item of a format such as sarif begins with its separator, because the thread that formatted it could not
    /// know whether it would come first. Here that is known. After an error of standard output, parts that are kept for
    /// the end of the run are still kept, and nothing else happens.
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

pub(crate) struct FileOutput<'a> {
    order: &'a OrderedOutput<'a>,
    index: usize,
    messages: Vec<BufferedMessage>,
    bytes: usize,
    /// How many of these bytes `OrderState::buffered` includes. It is updated only when the lock is taken anyway.
    counted: usize,
    /// When this output last tried to print.
    printed: Instant,
}

impl<'o> FileOutput<'o> {
    /// Writes to a stream: at once if it is this output's turn and enough has come together, or else into the buffer.
    ///
    /// # Errors
    ///
    /// If standard output has failed, whichever output wrote to it.
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

    /// Prints the buffer if it is this output's turn. If not, blocks while the buffers of all outputs are over their
    /// limit, and then lets this one grow further.
    ///
    /// This never blocks for good. Outputs are taken in order, so a thread has the one whose turn it is. That
    /// thread skips the loop, prints, and some day closes its output, which passes the turn on.
    fn print(&mut self) -> io::Result<()> {
        let mut state = self.order.state();
        // Count what was buffered since the last attempt before deciding whether the buffers are over the limit.
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

    pub(crate) fn index(&self) -> usize {
        self.index
    }

    pub(crate) fn error(&mut self, words: &str) {
        // `OrderedOutput` remembers the error of standard output, and the run reports it at the end.
        let _ = self.write(Stream::Err, message(words).as_bytes());
    }

    pub(crate) fn to(&mut self, to: Stream) -> FileOutputWriter<'_, 'o> {
        FileOutputWriter { file_output: self, to }
    }

    /// Closes the output. If it is its turn, this prints the rest of it, then each later output up to the first that is
    /// still open, because their threads have moved on to other files. If it is not, the messages are left for the
    /// thread that closes the output before it.
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
