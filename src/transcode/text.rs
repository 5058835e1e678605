//! What is known of one input between two chunks: where it is, what was found in it, and what stands around the place.

use super::backoff::Backoff;
use super::context_buffer::ContextBuffer;
use super::conversion::Conversion;
use super::findings::Findings;
use super::newlines::Newlines;
use super::opening::OrderWatch;
use super::policy::Detail;
use super::position::Position;
use super::watch::Watch;
use crate::diagnostic::DeniedKind;
use crate::encoding::Encoding;

/// One input.
pub(super) struct Text {
    /// Bytes done with: those before the present chunk.
    pub(super) offset: u64,
    /// Where the next character stands.
    pub(super) position: Position,
    pub(super) findings: Findings,
    /// What stands around the present place, if somebody wants to see it.
    pub(super) context: Option<ContextBuffer>,
    /// How its lines end, if line ends that differ are denied.
    pub(super) newlines: Option<Newlines>,
    pub(super) order_watch: Option<OrderWatch>,
    /// Which characters have to be looked at.
    pub(super) watch: Option<Watch>,
    /// When several threads are worth a try: not before this offset.
    pub(super) threads_from: u64,
    pub(super) threads_backoff: Backoff,
    /// Bytes of the output that come from the inputs before.
    pub(super) written_before: u64,
}

impl Text {
    /// Nothing yet, of an input in `encoding` before which so many bytes were written.
    pub(super) fn new(
        conversion: &Conversion,
        encoding: &'static Encoding,
        written_before: u64,
    ) -> Self {
        const MEBIBYTE: u64 = 1024 * 1024;
        let newlines = conversion.options.denied.has(DeniedKind::MixedNewlines);
        let context = conversion.options.detail == Detail::Context;
        Self {
            offset: 0,
            position: Position::START,
            findings: Findings::new(encoding),
            context: context.then(ContextBuffer::default),
            newlines: newlines.then(Newlines::default),
            order_watch: None,
            watch: Watch::of(conversion),
            threads_from: 0,
            threads_backoff: Backoff::new(2 * MEBIBYTE, 64 * MEBIBYTE),
            written_before,
        }
    }

    /// Whether nothing of it has gone by.
    pub(super) fn is_at_start(&self) -> bool {
        self.position.line == 1 && self.position.column <= 1
    }
}
