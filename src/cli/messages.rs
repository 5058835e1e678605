//! What people read: errors, findings, counts, in the order of the files however many are worked on at once.
//!
//! Each file has a [`FileOutput`]. The output whose turn it is writes straight through; the others gather, and wait for their
//! turn only when they have gathered much. So order costs little, and memory does not grow with the findings.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::io::BlockingFile;
use crate::report::{Palette, Style, visible};
use anstream::{AutoStream, ColorChoice};

use super::args::When;
use super::line;
use super::output_format::OutputFormat;
use super::progress::Bar;

/// Bytes that all waiting slots together may gather.
const GATHERED: usize = 4 << 20;
/// Bytes that one output gathers before it tries to hand them on.
const PIECE: usize = 32 << 10;
/// And how long it does so.
const PATIENCE: Duration = Duration::from_millis(100);

/// Which stream a message is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Standard output: what was asked for.
    Out,
    /// Standard error: all else.
    Err,
}

/// The two streams, and the bar that must not be in their way.
pub(crate) struct Console {
    colours: [ColorChoice; 2],
    bar: Option<Bar>,
}

impl Console {
    pub(crate) fn new(color: When, bar: Option<Bar>) -> Self {
        let choice = |auto: ColorChoice| match color {
            When::Auto => auto,
            When::Always => ColorChoice::Always,
            When::Never => ColorChoice::Never,
        };
        let out = choice(AutoStream::choice(&io::stdout()));
        let err = choice(AutoStream::choice(&io::stderr()));
        Self { colours: [out, err], bar }
    }

    /// Without colours or a bar: for errors before there is a configuration.
    pub(crate) fn plain() -> Self {
        Self { colours: [ColorChoice::Never; 2], bar: None }
    }

    pub(crate) fn style(&self, to: Stream) -> Style {
        match self.colours[usize::from(to == Stream::Err)] {
            ColorChoice::Never => Style::default(),
            _ => Style {
                error: "\x1b[1;31m",
                note: "\x1b[1;36m",
                place: "\x1b[1m",
                reset: "\x1b[0m",
            },
        }
    }

    pub(crate) fn palette(&self, to: Stream) -> Palette {
        match self.colours[usize::from(to == Stream::Err)] {
            ColorChoice::Never => Palette::default(),
            _ => Palette::COLOURS,
        }
    }

    pub(crate) fn bar(&self) -> Option<&Bar> {
        self.bar.as_ref()
    }

    /// Writes to a stream.
    ///
    /// # Errors
    ///
    /// Those of standard output. Standard error that cannot be written to leaves nobody to tell.
    pub(crate) fn write(&self, to: Stream, bytes: &[u8]) -> io::Result<()> {
        let write = || match to {
            Stream::Out => {
                let mut out = BlockingFile(io::stdout().lock());
                out.write_all(bytes).and_then(|()| out.flush())
            }
            Stream::Err => {
                let _ = BlockingFile(io::stderr().lock()).write_all(&[line::end(), bytes].concat());
                Ok(())
            }
        };
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// One line on standard error, with the program's name.
    pub(crate) fn error(&self, words: &str) {
        // Standard error never fails here.
        let _ = self.write(Stream::Err, line(words).as_bytes());
    }
}

/// A line with the program's name before it.
pub(crate) fn line(words: &str) -> String {
    format!("oxiconv: {words}\n")
}

/// An error and what it comes from, on one line.
pub(crate) fn chain(error: &anyhow::Error) -> String {
    let causes: Vec<_> = error
        .chain()
        .map(|cause| match cause.downcast_ref::<io::Error>() {
            Some(error) => reason(error),
            None => visible(&cause.to_string()),
        })
        .collect();
    causes.join(": ")
}

/// What the system says, without its number.
pub(crate) fn reason(error: &io::Error) -> String {
    let words = error.to_string();
    match words.rfind(" (os error ") {
        Some(end) => words[..end].to_owned(),
        None => words,
    }
}

/// The messages of files that are worked on side by side, in the order of the files.
pub(crate) struct OrderedOutput<'a> {
    console: &'a Console,
    /// A stream to which a list is written: each item begins with a comma, which the first one loses.
    list: Option<Stream>,
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Default)]
struct State {
    /// The output whose turn it is.
    turn: usize,
    /// What slots have left that were done before their turn.
    left: BTreeMap<usize, Vec<Message>>,
    gathered: usize,
    /// Whether the list has an item.
    begun: bool,
    trouble: Option<io::Error>,
}

type Message = (Stream, Vec<u8>);

impl<'a> OrderedOutput<'a> {
    pub(crate) fn new(console: &'a Console, output_format: &OutputFormat) -> Self {
        let list = output_format.is_list().then_some(output_format.to());
        Self { console, list, state: Mutex::default(), moved: Condvar::new() }
    }

    /// The output of the file with this index; each index from 0 must be taken, and its output closed.
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

    /// The output whose turn it is: for work that is done one by one.
    pub(crate) fn next_slot(&self) -> FileOutput<'_> {
        let turn = self.state().turn;
        self.file_output(turn)
    }

    /// Whether there was trouble with standard output: nothing more will be printed there.
    pub(crate) fn is_in_trouble(&self) -> bool {
        self.state().trouble.is_some()
    }

    /// The first trouble with standard output, if there was any.
    pub(crate) fn into_trouble(self) -> Option<io::Error> {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).trouble
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn print(&self, state: &mut State, messages: Vec<Message>) {
        for (to, bytes) in messages {
            if state.trouble.is_some() {
                continue;
            }
            let mut bytes = &bytes[..];
            if self.list == Some(to) && !std::mem::replace(&mut state.begun, true) {
                bytes = bytes.strip_prefix(b",").unwrap_or(bytes);
            }
            state.trouble = self.console.write(to, bytes).err();
        }
    }
}

/// The messages of one file.
pub(crate) struct FileOutput<'a> {
    order: &'a OrderedOutput<'a>,
    index: usize,
    messages: Vec<Message>,
    /// Bytes of the messages, and how many of them all know of.
    bytes: usize,
    counted: usize,
    /// When it last tried to print.
    printed: Instant,
}

impl<'o> FileOutput<'o> {
    pub(crate) fn write(&mut self, to: Stream, bytes: &[u8]) -> io::Result<()> {
        match self.messages.last_mut() {
            Some((last, text)) if *last == to => text.extend_from_slice(bytes),
            _ => self.messages.push((to, bytes.to_vec())),
        }
        self.bytes += bytes.len();
        if self.bytes < PIECE && self.printed.elapsed() < PATIENCE {
            return Ok(());
        }
        self.print()
    }

    /// Prints what is gathered, if it is this output's turn; if not, waits for it where too much is gathered.
    fn print(&mut self) -> io::Result<()> {
        let mut state = self.order.state();
        state.gathered += self.bytes - self.counted;
        self.counted = self.bytes;
        while state.turn != self.index && state.gathered > GATHERED {
            state = self.order.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.turn == self.index {
            self.order.print(&mut state, std::mem::take(&mut self.messages));
            state.gathered = state.gathered.saturating_sub(self.counted);
            (self.bytes, self.counted) = (0, 0);
        }
        self.printed = Instant::now();
        match &state.trouble {
            Some(error) => Err(error.kind().into()),
            None => Ok(()),
        }
    }

    /// The index of its file.
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// How findings look on a stream.
    pub(crate) fn style(&self, to: Stream) -> Style {
        self.order.console.style(to)
    }

    /// How pictures of findings look on a stream.
    pub(crate) fn palette(&self, to: Stream) -> Palette {
        self.order.console.palette(to)
    }

    /// One line on standard error, with the program's name.
    pub(crate) fn error(&mut self, words: &str) {
        // Trouble with standard output is seen at the end.
        let _ = self.write(Stream::Err, line(words).as_bytes());
    }

    /// A writer to one of the streams.
    pub(crate) fn to(&mut self, to: Stream) -> FileOutputWriter<'_, 'o> {
        FileOutputWriter { file_output: self, to }
    }

    /// The file is done with: its messages are printed when its turn comes.
    pub(crate) fn close(self) {
        let mut state = self.order.state();
        state.gathered += self.bytes - self.counted;
        state.left.insert(self.index, self.messages);
        while let Some(messages) = {
            let turn = state.turn;
            state.left.remove(&turn)
        } {
            let bytes: usize = messages.iter().map(|(_, bytes)| bytes.len()).sum();
            state.gathered = state.gathered.saturating_sub(bytes);
            self.order.print(&mut state, messages);
            state.turn += 1;
        }
        self.order.moved.notify_all();
    }
}

/// Writes to one stream of a output.
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
