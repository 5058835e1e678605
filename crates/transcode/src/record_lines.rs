//! Input in records of a fixed length in bytes, as mainframes keep it (RECFM=FB). Each record becomes a line.
//!
//! ```text
//! chunk: │ record │ record │ rec…     each: as a text of its own, from the initial state ─► a line feed
//! ```
//!
//! A record is converted as it arrives, whatever its length, so the memory needed does not depend on that.

use super::error::Error;
use super::session::{Flow, Session};
use crate::diagnostic::{Kind, Message};
use crate::io::Chunk;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::LINE_FEED;

impl Session<'_, '_> {
    /// Converts the bytes of `chunk` before `limit`, record by record, and returns the number of bytes consumed.
    ///
    /// A record that ends in the chunk is passed on as the end of a text, so a sequence that its end truncates is
    /// ill-formed and takes nothing from the next record. One that does not end there is an ordinary chunk: what stays
    /// unread comes again with more of the record.
    pub(super) fn convert_records(
        &mut self,
        chunk: &Chunk<'_>,
        limit: usize,
    ) -> Result<(usize, Flow), Error> {
        let (mut at, len) = (0, chunk.bytes.len());
        loop {
            let offset = self.walk.text.offset;
            let left = self.walk.text.records.as_ref().map_or(0, |it| it.left(offset));
            // The label of a declaration is rewritten as a whole, so a record in which one begins reaches to its end.
            let left = self.segments.after_label(offset.saturating_add(left)) - offset;
            let left = usize::try_from(left).unwrap_or(usize::MAX);
            // The part is the rest of the record, or all of the chunk if the record continues in the next one. `wanted`
            // is as much of it as may be converted now; the limit may be within the record.
            let ends = left <= len - at;
            let end = if ends { at + left } else { len };
            let part = chunk.part(at, end);
            let record = if ends { part.ending() } else { part };
            let wanted = limit.min(end) - at;
            let (done, flow) = self.convert_text(&record, wanted)?;
            at += done;
            // The record continues in the next chunk if it does not end here, or if something at its end must be known
            // first. Then it must not be ended, because its line feed would come too early.
            if flow != Flow::Continue || done < wanted || !(at == end && record.last) {
                return Ok((at, flow));
            }
            self.end_record(!ends)?;
            if at >= limit {
                return Ok((at, Flow::Continue));
            }
        }
    }

    /// Ends the line of the current record. One that is truncated by the end of the text may be empty; then there is no
    /// line.
    fn end_record(&mut self, cut: bool) -> Result<(), Error> {
        let offset = self.walk.text.offset;
        let Some(records) = &mut self.walk.text.records else { return Ok(()) };
        let (read, length) = (offset - records.start, records.length);
        if cut && read == 0 {
            return Ok(());
        }
        records.start += if cut { read } else { length };
        if cut {
            let words = format!("the last record is short: {read} of {length} bytes");
            self.walk.reporter.message(Message::Note(words));
        }
        if self.walk.put(&[LINE_FEED])?.is_some() {
            self.walk.text.findings.report_unplaced(self.walk.reporter, Kind::Unmappable, 1);
            let remedies = self.walk.remedies;
            self.walk.apply(Kind::Unmappable, remedies.for_unmappable(LINE_FEED.into()))?;
        }
        self.walk.text.position.end_line();
        if let Some(context) = &mut self.walk.text.context {
            context.pass(&[LINE_FEED]);
        }
        self.walk.text.pipeline.passed(&[LINE_FEED]);
        self.begin_record(self.walk.text.findings.encoding);
        Ok(())
    }

    /// Returns the decoder to its initial state.
    fn begin_record(&mut self, encoding: &'static Encoding) {
        let order = encoding.order.unwrap_or_default();
        let decoder = self.walk.conversion.new_decoder(encoding, order);
        self.walk.engine.read_by(decoder, self.walk.output.target());
    }
}
