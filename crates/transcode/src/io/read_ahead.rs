//! A source over a pipe, a terminal or a device. If the program at the other end of a pipe writes faster than the text
//! is converted, a thread reads ahead.
//!
//! ```text
//!   reading thread                   OneSlotChannel                 converting thread
//! pipe ─ read ─► block ──── put ────► full block ──── exchange ────► block ─► chunks, windows
//!                  ▲                                                   │
//!                  └───────────────── empty block ◄────────────────────┘
//! ```
//!
//! The reading thread fills a block, up to 4 MiB, until the converting thread asks for one or another read would block.
//! It then hands over the block, however little is in it: the program at the other end may wait for an answer to what
//! it has written, so received bytes must never be held back. See `one_slot.rs` for the rules of the exchange.
//!
//! Blocks are this large so that several threads can share one as a window. The thread is started only after
//! [`FULL_READS`] reads that filled their buffer: a slow pipe would gain nothing from it.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::sync::Arc;
use std::thread::Builder;

use oxiconv_os::BlockingFile;

use super::one_slot::{Exchanged, OneSlotChannel};
use super::slice::InMemory;
use super::{Chunk, MAX_FILL, Memory, ReadSource, Source, Window, bounded};

const BLOCK_SIZE: usize = 4 * 1024 * 1024;
/// Space at the start of a block for the unread bytes of the previous one. There are fewer than [`MAX_FILL`] of them:
/// the blocks are exchanged only while fewer bytes are unread than the caller asked for.
const HEADROOM: usize = MAX_FILL;
/// The number of successive reads that must fill their buffer before a thread is started. A read that fills it shows
/// that the other end is ahead. A single one may be chance.
const FULL_READS: usize = 8;

/// A [`Source`] over a file that is not a regular one: a pipe, a socket, a terminal, a device.
pub struct ReadAheadSource {
    stream: ReadSource<BlockingFile<File>>,
    /// Set once a thread reads ahead; nothing is left in the stream then.
    reader: Option<BlockReceiver>,
    /// Whether such a thread may be started.
    allowed: bool,
}

impl ReadAheadSource {
    /// Creates a source; `may_block` says whether reading may wait for a person or another program.
    pub fn new(file: File, may_block: bool) -> Self {
        let file = BlockingFile(file);
        let stream = if may_block { ReadSource::new(file) } else { ReadSource::of_file(file) };
        Self { stream, reader: None, allowed: false }
    }
}

impl Source for ReadAheadSource {
    fn fill(&mut self, at_least: usize) -> io::Result<Chunk<'_>> {
        if self.allowed && self.stream.full_reads() >= FULL_READS {
            self.allowed = false;
            // Without a thread or memory for it, the stream is read as before.
            self.reader = BlockReceiver::start(&mut self.stream).ok();
        }
        match &mut self.reader {
            None => self.stream.fill(at_least),
            Some(reader) => reader.fill(at_least),
        }
    }

    fn consume(&mut self, bytes: usize) {
        match &mut self.reader {
            None => self.stream.consume(bytes),
            Some(reader) => reader.block.start += bytes,
        }
    }

    fn window(&self) -> Option<Box<dyn Window + '_>> {
        let reader = self.reader.as_ref()?;
        Some(Box::new(InMemory(Chunk::new(reader.block.bytes(), reader.ended))))
    }

    fn may_block(&self) -> bool {
        match &self.reader {
            None => self.stream.may_block(),
            Some(reader) => reader.may_block(),
        }
    }

    fn read_ahead(&mut self) {
        self.allowed = self.reader.is_none();
    }

    fn threads(&self) -> usize {
        usize::from(self.reader.is_some())
    }
}

/// The converting thread's end: the block that is being converted, and the channel that the next one comes from.
struct BlockReceiver {
    channel: Arc<OneSlotChannel<ReadAheadBlock>>,
    block: ReadAheadBlock,
    ended: bool,
}

impl BlockReceiver {
    /// Starts the reading thread, and takes over the unread bytes of `stream`.
    ///
    /// The thread gets a duplicate of the descriptor. Both read the same pipe, but the stream is not read any more.
    /// Until the thread exists, `stream` is only looked at, so an error on the way leaves everything as it was, and the
    /// caller goes on without a thread.
    fn start(stream: &mut ReadSource<BlockingFile<File>>) -> io::Result<Self> {
        let (file, unread) = (stream.reader().0.try_clone()?, stream.unread());
        if unread.len() > HEADROOM {
            return Err(ErrorKind::FileTooLarge.into());
        }
        let (mut block, theirs) = (ReadAheadBlock::new()?, ReadAheadBlock::new()?);
        let channel = Arc::new(OneSlotChannel::new(ReadAheadBlock::new()?));
        let same = Arc::clone(&channel);
        // The thread is never joined: it may be blocked in a read of a pipe to which nothing is written any more.
        Builder::new().spawn(move || fill_blocks(BlockingFile(file), theirs, &same))?;
        block.put_before(unread);
        stream.consume(block.bytes().len());
        Ok(Self { channel, block, ended: false })
    }

    fn fill(&mut self, at_least: usize) -> io::Result<Chunk<'_>> {
        bounded(at_least)?;
        while !self.ended && self.block.bytes().len() < at_least {
            self.ended = !self.channel.exchange(&mut self.block)?;
        }
        let bytes = self.block.bytes();
        // A small part at a time: the rest can be a window for other threads.
        let shown = bytes.len().min(at_least.max(MAX_FILL));
        Ok(Chunk::new(&bytes[..shown], self.ended && shown == bytes.len()))
    }

    /// Whether the block has been shown to its end and the next one is not there yet. A block with more than
    /// [`MAX_FILL`] bytes has not been shown as a whole, since `fill` shows a part at a time, so there is something to
    /// convert before anybody has to wait.
    fn may_block(&self) -> bool {
        !self.ended && self.block.bytes().len() <= MAX_FILL && !self.channel.has_something()
    }
}

impl Drop for BlockReceiver {
    fn drop(&mut self) {
        self.channel.close();
    }
}

/// Reads `file` to its end, or until the channel is closed. The first bytes go into `block`.
fn fill_blocks(
    mut file: BlockingFile<File>,
    mut block: ReadAheadBlock,
    channel: &OneSlotChannel<ReadAheadBlock>,
) {
    loop {
        let end = match block.read_from(&mut file) {
            Ok(0) => Some(Ok(())),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        };
        match channel.put(block, end, || file.is_readable()) {
            Some(next) => block = next,
            None => return,
        }
    }
}

/// A buffer with free space on both sides of its bytes, which are `memory[start..end]`.
///
/// ```text
/// ├─ HEADROOM ──────────────┼─ BLOCK_SIZE ──────────────┤
/// │           unread of the │ read from the pipe ··free·│
/// │           last block    │
///             start                              end
/// ```
///
/// A chunk is contiguous, so the unread bytes of the last block, such as a truncated character, must come right before
/// the new ones. The new ones are up to 4 MiB, and are already in place when the blocks are exchanged. The unread bytes
/// are few, so they are the ones that move.
struct ReadAheadBlock {
    memory: Memory,
    start: usize,
    end: usize,
}

impl ReadAheadBlock {
    fn new() -> io::Result<Self> {
        Ok(Self { memory: Memory::new(HEADROOM + BLOCK_SIZE)?, start: HEADROOM, end: HEADROOM })
    }

    fn bytes(&self) -> &[u8] {
        &self.memory[self.start..self.end]
    }

    fn read_from(&mut self, file: &mut BlockingFile<File>) -> io::Result<usize> {
        let got = file.read(&mut self.memory[self.end..])?;
        self.end += got;
        Ok(got)
    }

    /// Prepends `bytes`, of which there are at most [`HEADROOM`].
    fn put_before(&mut self, bytes: &[u8]) {
        let start = self.start - bytes.len();
        self.memory[start..self.start].copy_from_slice(bytes);
        self.start = start;
    }
}

impl Exchanged for ReadAheadBlock {
    fn is_empty(&self) -> bool {
        self.bytes().is_empty()
    }

    fn has_room(&self) -> bool {
        self.end < self.memory.len()
    }

    fn take_unread(&mut self, old: &mut Self) {
        self.put_before(old.bytes());
        (old.start, old.end) = (HEADROOM, HEADROOM);
    }
}

#[cfg(all(test, unix, not(loom)))]
mod tests {
    use std::io::{PipeWriter, Write};
    use std::os::fd::OwnedFd;

    use super::*;

    /// Returns a source that reads ahead, and the write end of its pipe.
    fn reading_ahead() -> (ReadAheadSource, PipeWriter) {
        let (reader, writer) = io::pipe().unwrap();
        let mut ahead = ReadAheadSource::new(File::from(OwnedFd::from(reader)), true);
        ahead.reader = Some(BlockReceiver::start(&mut ahead.stream).unwrap());
        (ahead, writer)
    }

    fn bytes(count: usize) -> Vec<u8> {
        (0..count).map(|number| (number % 251) as u8).collect()
    }

    #[test]
    fn all_bytes_come_in_order_however_they_are_written_and_consumed() {
        let expected = bytes(3 * BLOCK_SIZE + 12_345);
        for (write, consume) in
            [(1000, 77), (200_000, MAX_FILL / 2), (BLOCK_SIZE, 1), (7_000_000, MAX_FILL)]
        {
            let (mut ahead, mut writer) = reading_ahead();
            let written = expected.clone();
            let writing = std::thread::spawn(move || {
                written.chunks(write).for_each(|piece| writer.write_all(piece).unwrap());
            });
            let (mut read, mut unread) = (Vec::new(), 0);
            loop {
                let chunk = ahead.fill(unread + 1).unwrap();
                assert!(chunk.last || chunk.bytes.len() > unread, "asked for one more");
                // Some bytes stay unread, like those of a truncated character.
                let used = if chunk.last {
                    chunk.bytes.len()
                } else {
                    chunk.bytes.len() / consume * consume
                };
                read.extend_from_slice(&chunk.bytes[..used]);
                unread = chunk.bytes.len() - used;
                let last = chunk.last;
                ahead.consume(used);
                if last {
                    break;
                }
                let window = ahead.window().unwrap();
                assert!(window.size() >= unread);
                let used = window.size() / 2;
                read.extend_from_slice(&window.read(0..used, Vec::new()).unwrap());
                drop(window);
                ahead.consume(used);
                unread = unread.saturating_sub(used);
            }
            assert!(read == expected, "{write} {consume}");
            writing.join().unwrap();
        }
    }

    #[test]
    fn what_has_come_is_not_kept_back_while_more_is_waited_for() {
        let (mut ahead, mut writer) = reading_ahead();
        assert!(ahead.may_block());
        for round in 0..3 {
            for piece in [&b"ab"[..], b"c"] {
                writer.write_all(piece).unwrap();
            }
            let mut got = Vec::new();
            while got.len() < 3 {
                let chunk = ahead.fill(1).unwrap();
                got.extend_from_slice(chunk.bytes);
                let len = chunk.bytes.len();
                ahead.consume(len);
            }
            assert_eq!(got, b"abc", "{round}");
            assert!(ahead.may_block());
        }
    }

    #[test]
    fn it_takes_over_what_the_stream_had_read() {
        let (reader, mut writer) = io::pipe().unwrap();
        let mut ahead = ReadAheadSource::new(File::from(OwnedFd::from(reader)), true);
        writer.write_all(b"abc").unwrap();
        assert_eq!(ahead.fill(1).unwrap().bytes, b"abc");
        ahead.consume(1);
        ahead.reader = Some(BlockReceiver::start(&mut ahead.stream).unwrap());
        assert_eq!(ahead.fill(1).unwrap().bytes, b"bc");
        writer.write_all(b"d").unwrap();
        assert_eq!(ahead.fill(3).unwrap().bytes, b"bcd");
        drop(writer);
        assert!(ahead.fill(4).unwrap().last);
    }

    /// Elsewhere, a pipe holds less than a full read.
    #[test]
    #[cfg(target_os = "linux")]
    fn only_where_it_may_and_the_other_end_is_ahead_there_is_a_thread() {
        for (allowed, piece, expected) in
            [(true, MAX_FILL, true), (false, MAX_FILL, false), (true, 9, false)]
        {
            let (reader, mut writer) = io::pipe().unwrap();
            let mut ahead = ReadAheadSource::new(File::from(OwnedFd::from(reader)), true);
            if allowed {
                ahead.read_ahead();
            }
            rustix::pipe::fcntl_setpipe_size(&writer, 2 * MAX_FILL).unwrap();
            for _ in 0..FULL_READS + 2 {
                writer.write_all(&vec![0; piece]).unwrap();
                let mut rest = piece;
                while rest > 0 {
                    let len = ahead.fill(1).unwrap().bytes.len();
                    ahead.consume(len);
                    rest -= len;
                }
            }
            assert_eq!(ahead.reader.is_some(), expected, "{allowed} {piece}");
        }
    }

    #[test]
    fn an_error_comes_after_what_was_read_before_it() {
        let (reader, mut writer) = io::pipe().unwrap();
        let mut file = BlockingFile(File::from(OwnedFd::from(reader)));
        let channel = OneSlotChannel::new(ReadAheadBlock::new().unwrap());
        let (mut block, mut other) =
            (ReadAheadBlock::new().unwrap(), ReadAheadBlock::new().unwrap());
        writer.write_all(b"ab").unwrap();
        block.read_from(&mut file).unwrap();
        assert!(channel.put(block, Some(Err(ErrorKind::Other.into())), || true).is_none());
        assert!(channel.exchange(&mut other).unwrap());
        assert_eq!(other.bytes(), b"ab");
        assert_eq!(channel.exchange(&mut other).unwrap_err().kind(), ErrorKind::Other);
        assert!(!channel.exchange(&mut other).unwrap());
        assert_eq!(other.bytes(), b"ab");
    }

    #[test]
    fn a_pipe_that_never_waits_is_waited_for() {
        let (reader, mut writer) = io::pipe().unwrap();
        rustix::io::ioctl_fionbio(&reader, true).unwrap();
        let mut ahead = ReadAheadSource::new(File::from(OwnedFd::from(reader)), true);
        let writing = std::thread::spawn(move || {
            for _ in 0..3 {
                std::thread::sleep(std::time::Duration::from_millis(5));
                writer.write_all(b"abc").unwrap();
            }
        });
        assert_eq!(ahead.fill(5).unwrap().bytes.len(), 6);
        ahead.reader = Some(BlockReceiver::start(&mut ahead.stream).unwrap());
        assert_eq!(ahead.fill(7).unwrap().bytes, b"abcabcabc");
        assert!(ahead.fill(10).unwrap().last);
        writing.join().unwrap();
    }

    #[test]
    fn the_thread_ends_when_nobody_wants_more() {
        let (ahead, mut writer) = reading_ahead();
        drop(ahead);
        // The reading thread has the last descriptor of the read end.
        while writer.write_all(b"x").is_ok() {
            std::thread::yield_now();
        }
    }
}
