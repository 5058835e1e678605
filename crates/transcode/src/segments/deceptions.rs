//! The segmenter of identifiers that look like others. `identifiers.rs` finds them.
//!
//! ```text
//! look ─► the next letter of such an identifier ─► the engine, up to it
//!      ─► convert: a finding; the engine then converts the letter like any other
//! ```
//!
//! So a segment is not converted here, only reported, unless the conversion stops in front of it.

use std::borrow::Cow;
use std::ops::Range;

use super::super::origin::OriginBytes;
use super::super::pipeline_exit::Passed;
use super::super::segment::{SegmentLookahead, Segmenter, View};
use super::super::stage::FollowedBy;
use super::super::text_walk::TextWalk;
use super::identifiers::{Deceptive, Identifiers};
use crate::diagnostic::{Details, Finding};
use crate::io::Chunk;
use oxiconv_encodings::codec::MIN_PIVOT;

impl Segmenter for Identifiers {
    fn look<'c>(&mut self, view: &View<'_, 'c>, at: usize, limit: usize) -> SegmentLookahead<'c> {
        let offset = view.base + at as u64;
        self.begin(offset, view.encoding, view.decoder);
        let honest = self.settle(view.chunk, view.base, at, limit);
        // What begins at the limit may be a segment of another kind.
        match self.next_at(offset).filter(|_| at < limit) {
            Some(deceptive) => {
                let len = (deceptive.range.end - deceptive.range.start) as usize;
                SegmentLookahead::Segment(at..at + len)
            }
            None if at == limit => SegmentLookahead::Clear(limit),
            None => SegmentLookahead::Clear(honest),
        }
    }

    /// Reports the identifier whose letter is at `range`. No byte is converted.
    fn convert(
        &mut self,
        walk: &mut TextWalk<'_, '_>,
        chunk: &Chunk<'_>,
        range: Range<usize>,
    ) -> Passed<usize> {
        let Some(Deceptive { kind, letter, identifier, .. }) = self.take() else { return Ok(0) };
        let stops = walk.conversion.stops_at_denied();
        walk.settle(if stops { FollowedBy::Break } else { FollowedBy::Character(letter) })?;
        let fault = Finding::denied(kind, Some(letter.into()))
            .with(Details::Identifier(Cow::Owned(identifier)));
        // The context after the finding begins behind the letter, but the engine has not decoded that yet.
        let after = walk.text.context.as_ref().map(|_| {
            let mut decoder = walk.engine.decoder().fork();
            decoder.decode(&chunk.bytes[range.clone()], &mut [0; MIN_PIVOT], false);
            decoder
        });
        walk.report_at(fault.stopping(stops), chunk, OriginBytes::At(range, after))?;
        Ok(0)
    }

    fn next_known(&self) -> Option<u64> {
        self.first_decided().map(|deceptive| deceptive.range.start)
    }

    fn overtaken(&mut self, view: &View<'_, '_>, at: usize, end: usize) {
        self.begin(view.base + at as u64, view.encoding, view.decoder);
        self.pass_to(view.chunk, view.base, end);
    }

    fn is_for_one_thread(&self) -> bool {
        true
    }
}
