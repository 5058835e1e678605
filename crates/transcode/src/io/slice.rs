//! A source over bytes in memory.

use std::borrow::Cow;
use std::io;
use std::ops::Range;

use super::{Chunk, Source, Window};

/// The size of a chunk, unless more is asked for. The rest of the slice is left for other threads, as a window.
const CHUNK_SIZE: usize = if cfg!(fuzzing) { 256 } else { 1024 * 1024 };

/// The slice is advanced past the bytes that are consumed, as with [`io::Read`].
impl Source for &[u8] {
    fn fill(&mut self, at_least: usize) -> io::Result<Chunk<'_>> {
        let shown = self.len().min(at_least.max(CHUNK_SIZE));
        Ok(Chunk::new(&self[..shown], shown == self.len()))
    }

    fn consume(&mut self, bytes: usize) {
        *self = &self[bytes..];
    }

    fn window(&self) -> Option<Box<dyn Window + '_>> {
        Some(Box::new(InMemory(Chunk::last(self))))
    }

    fn may_block(&self) -> bool {
        false
    }
}

pub(crate) struct InMemory<'b>(pub(crate) Chunk<'b>);

impl Window for InMemory<'_> {
    fn size(&self) -> usize {
        self.0.bytes.len()
    }

    fn is_last(&self) -> bool {
        self.0.last
    }

    fn read(&self, range: Range<usize>, _: Vec<u8>) -> io::Result<Cow<'_, [u8]>> {
        Ok(Cow::Borrowed(&self.0.bytes[range]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unread_is_shown_again_and_more_if_it_is_asked_for() {
        let bytes = vec![7; CHUNK_SIZE + 2];
        let mut source = &bytes[..];
        let chunk = source.fill(1).unwrap();
        assert_eq!((chunk.bytes.len(), chunk.last), (CHUNK_SIZE, false));
        let chunk = source.fill(CHUNK_SIZE + 1).unwrap();
        assert_eq!((chunk.bytes.len(), chunk.last), (CHUNK_SIZE + 1, false));
        assert_eq!(source.window().unwrap().size(), CHUNK_SIZE + 2);
        source.consume(CHUNK_SIZE);
        let chunk = source.fill(9).unwrap();
        assert_eq!((chunk.bytes.len(), chunk.last), (2, true));
        source.consume(2);
        assert!(source.fill(1).unwrap().bytes.is_empty());
    }
}
