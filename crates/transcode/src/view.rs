//! What a segmenter looks at.

use crate::diagnostic::Context;
use crate::io::Chunk;
use oxiconv_encodings::codec::Decoder;
use oxiconv_encodings::encoding::Encoding;

pub(super) struct View<'v, 'c> {
    pub(super) chunk: &'v Chunk<'c>,
    /// The offset of the chunk.
    pub(super) base: u64,
    /// Whether the text continues after the last chunk.
    #[cfg_attr(not(feature = "detection"), expect(dead_code, reason = "only wide units need it"))]
    pub(super) goes_on: bool,
    /// Whether the encoding of the text is not known yet, so that this is ASCII.
    pub(super) is_deferred: bool,
    /// The encoding of the text, and its decoder at the place looked at.
    pub(super) encoding: &'static Encoding,
    pub(super) decoder: &'v dyn Decoder,
    /// Whether findings are shown in context.
    pub(super) shows_context: bool,
    /// Whether the engine measures what it converts next.
    #[cfg_attr(not(feature = "detection"), expect(dead_code, reason = "only wide units need it"))]
    pub(super) measures: bool,
}

impl View<'_, '_> {
    /// Whether the context of a finding that ends at byte `end` of the chunk is in memory, if it is shown.
    pub(super) fn has_context(&self, end: usize) -> bool {
        !self.shows_context || self.chunk.last || end + Context::BYTES <= self.chunk.bytes.len()
    }
}
