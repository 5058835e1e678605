//! A source that shows what is read from it to somebody else.

use std::io;

use oxiconv_transcode::io::{Chunk, Source};

/// Passes a source on, and shows `look` each byte once, in order, when it is consumed.
pub(crate) struct TappedSource<'a, F> {
    pub(crate) source: &'a mut dyn Source,
    pub(crate) look: F,
}

impl<F: FnMut(&[u8])> Source for TappedSource<'_, F> {
    fn fill(&mut self, at_least: usize) -> io::Result<Chunk<'_>> {
        self.source.fill(at_least)
    }

    fn consume(&mut self, bytes: usize) {
        // What is consumed was filled before, so this does not read.
        if let Ok(chunk) = self.source.fill(1) {
            (self.look)(&chunk.bytes[..bytes]);
        }
        self.source.consume(bytes);
    }

    fn may_block(&self) -> bool {
        self.source.may_block()
    }

    fn read_ahead(&mut self) {
        self.source.read_ahead();
    }

    fn threads(&self) -> usize {
        self.source.threads()
    }
}
