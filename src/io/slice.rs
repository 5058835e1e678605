//! A source over bytes that are already in memory, without a copy.

use std::io;

use super::{Chunk, Source};

/// Bytes in a chunk unless more are asked for. The whole slice is a window for several threads.
const SHOWN: usize = if cfg!(fuzzing) { 256 } else { 1024 * 1024 };

/// The slice advances to what is unread, as with [`io::Read`].
impl Source for &[u8] {
    fn fill(&mut self, at_least: usize) -> io::Result<Chunk<'_>> {
        let shown = self.len().min(at_least.max(SHOWN));
        Ok(Chunk::new(&self[..shown], shown == self.len()))
    }

    fn consume(&mut self, bytes: usize) {
        *self = &self[bytes..];
    }

    fn window(&self) -> Option<Chunk<'_>> {
        Some(Chunk::last(self))
    }

    fn may_block(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unread_is_shown_again_and_more_if_it_is_asked_for() {
        let bytes = vec![7; SHOWN + 2];
        let mut source = &bytes[..];
        let chunk = source.fill(1).unwrap();
        assert_eq!((chunk.bytes.len(), chunk.last), (SHOWN, false));
        let chunk = source.fill(SHOWN + 1).unwrap();
        assert_eq!((chunk.bytes.len(), chunk.last), (SHOWN + 1, false));
        assert_eq!(source.window().unwrap().bytes.len(), SHOWN + 2);
        source.consume(SHOWN);
        let chunk = source.fill(9).unwrap();
        assert_eq!((chunk.bytes.len(), chunk.last), (2, true));
        source.consume(2);
        assert!(source.fill(1).unwrap().bytes.is_empty());
    }
}
