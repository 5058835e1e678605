//! The first bytes of an input: its byte order mark, and the findings about it.
//!
//! What [`Beginning`] has read from the first bytes is only a value. Here it takes effect, once, in the session that
//! begins.

use std::ops::Range;

use super::error::Error;
use super::opening::{Beginning, OrderWatch, mark_goes_through};
use super::origin::OriginBytes;
use super::pipeline_exit::Halt;
use super::policy::{Detail, MarkMode};
use super::session::Session;
use crate::diagnostic::{Finding, Kind};
use crate::io::Chunk;
use oxiconv_encodings::codec::MIN_PIVOT;
use oxiconv_encodings::encoding::{Mark, may_be_wide_mark};
use oxiconv_encodings::unicode::BYTE_ORDER_MARK;

impl Session<'_, '_> {
    /// Handles the start of an input, and returns how many bytes it consumed: the mark, unless that is passed to the
    /// output.
    ///
    /// The findings come in a fixed order: what detection says, then the mark of another encoding, then a mark that is
    /// forbidden or missing. None of them stops the conversion. A mark that is not passed on is still decoded, shown
    /// and consumed like any text, because offsets count it and the decoder may need it.
    pub(super) fn begin(
        &mut self,
        beginning: Beginning,
        chunk: &Chunk<'_>,
    ) -> Result<usize, Error> {
        #[cfg(feature = "detection")]
        if let Some(detected) = beginning.detected {
            if detected.encoding().family.is_wide() {
                // Wide code units: no line is in another encoding.
                self.segments.mixture = None;
            }
            self.begin_detected(detected)?;
        }
        let Beginning { encoding, opening, other_mark_len, .. } = beginning;
        let other_mark_len =
            other_mark_len.or(self.walk.conversion.options.reading.known_encoding.map(|_| 0));
        if let Some(len) = other_mark_len {
            self.report_start(Kind::OtherEncoding, chunk, 0..len)?;
        }
        // A mark says that the text itself has wide code units, so none were appended to it.
        if other_mark_len.is_some() || may_be_wide_mark(chunk.bytes) {
            self.segments.foreign_units = None;
        }
        let mark = 0..opening.mark_len;
        match (self.walk.conversion.options.byte_order_marks.marks, mark.is_empty()) {
            (MarkMode::Forbid, false) => {
                self.report_start(Kind::MarkForbidden, chunk, mark.clone())?;
            }
            (MarkMode::Require, true) => {
                self.report_start(Kind::MarkMissing, chunk, mark.clone())?;
            }
            _ => {}
        }
        if mark.is_empty() {
            if encoding.mark.gives_order() {
                self.walk.text.order_watch = Some(OrderWatch::new(encoding, opening.order));
            }
            return Ok(0);
        }
        let is_text = encoding.mark == Mark::Character;
        self.walk.text.begins_with_mark = is_text;
        if mark_goes_through(self.walk.conversion, encoding) {
            if !is_text {
                self.walk.text.position.before_mark();
            }
            return Ok(0);
        }
        if is_text {
            self.walk.pass_unseen(&[BYTE_ORDER_MARK]);
        }
        let bytes = &chunk.bytes[mark.clone()];
        // The decoder must see the mark, because it may change how the rest is decoded, as in BOCU-1.
        self.walk.engine.decoder_mut().decode(bytes, &mut [0; MIN_PIVOT], false);
        if self.walk.conversion.options.detail == Detail::Characters {
            let (_, mut origin, mut exit) = self.walk.stages(chunk, OriginBytes::At(mark, None));
            exit.show(BYTE_ORDER_MARK.into(), &mut origin)?;
        }
        self.consume(bytes);
        Ok(bytes.len())
    }

    /// Reports a finding about the start. It never stops the conversion.
    fn report_start(
        &mut self,
        kind: Kind,
        chunk: &Chunk<'_>,
        range: Range<usize>,
    ) -> Result<(), Error> {
        match self.walk.report(Finding::new(kind), chunk, range) {
            Ok(()) | Err(Halt::Stop(_)) => Ok(()),
            Err(Halt::Error(error)) => Err(error),
        }
    }
}
