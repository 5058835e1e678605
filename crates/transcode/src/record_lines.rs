//! Input in records, as mainframes keep it: all of the same length in bytes (RECFM=F, FB), or each with its length
//! before it (RECFM=V, VB). Each record becomes a line.
//!
//! ```text
//! chunk: │ record │ record │ rec…     each: as a text of its own, from the initial state ─► a line feed
//! ```
//!
//! A record is converted as it arrives, whatever its length, so the memory needed does not depend on that. A record
//! descriptor word is no text: it only moves the offset, and no decoder, segmenter or reporter sees it.

use super::error::Error;
use super::pipeline_exit::Halt;
use super::records::{DESCRIPTOR, described_length};
use super::session::{Flow, Session};
use crate::diagnostic::{Finding, Kind, Message};
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
            if self.is_before_descriptor() {
                let rest = chunk.part(at, len);
                let shown = if rest.last { rest.bytes.len() } else { limit.saturating_sub(at) };
                if shown < DESCRIPTOR && !rest.last || rest.bytes.is_empty() {
                    return Ok((at, Flow::Continue));
                }
                match self.read_descriptor(&rest)? {
                    Flow::Continue => at += DESCRIPTOR,
                    Flow::Stop => return Ok((at, Flow::Stop)),
                }
            }
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
            if let Some(records) = &mut self.walk.text.records {
                records.packed_decimals.look(&chunk.bytes[at..at + done]);
            }
            at += done;
            // The record continues in the next chunk if it does not end here, or if something at its end must be known
            // first. Then it must not be ended, because its line feed would come too early.
            if flow != Flow::Continue || done < wanted || !(at == end && record.last) {
                return Ok((at, flow));
            }
            let flow = self.end_record(!ends)?;
            if at >= limit || flow == Flow::Stop {
                return Ok((at, flow));
            }
        }
    }

    fn is_before_descriptor(&self) -> bool {
        self.walk.text.records.as_ref().is_some_and(|records| records.length.is_none())
    }

    /// Moves past the record descriptor word at the start of `rest`, unless it is wrong or truncated. The rest of the
    /// input cannot be divided into records then, so the conversion stops, whatever is done about other faults.
    fn read_descriptor(&mut self, rest: &Chunk<'_>) -> Result<Flow, Error> {
        let word = rest.bytes.first_chunk();
        let Some(length) = word.and_then(|word| described_length(*word)) else {
            return self.stop_at_record(rest, rest.bytes.len().min(DESCRIPTOR));
        };
        self.walk.text.offset += DESCRIPTOR as u64;
        if let Some(records) = &mut self.walk.text.records {
            records.start = self.walk.text.offset;
            records.length = Some(length.into());
        }
        Ok(Flow::Continue)
    }

    /// Reports that the record is invalid, because of the first bytes of `rest`.
    fn stop_at_record(&mut self, rest: &Chunk<'_>, len: usize) -> Result<Flow, Error> {
        let fault = Finding::new(Kind::InvalidRecord).stopping(true);
        match self.walk.report(fault, rest, 0..len) {
            Err(Halt::Error(error)) => Err(error),
            Ok(()) | Err(Halt::Stop(_)) => Ok(Flow::Stop),
        }
    }

    /// Ends the line of the current record. One that is truncated by the end of the text may be empty; then there is no
    /// line.
    fn end_record(&mut self, cut: bool) -> Result<Flow, Error> {
        let offset = self.walk.text.offset;
        let Some(records) = &mut self.walk.text.records else { return Ok(Flow::Continue) };
        let (read, length) = (offset - records.start, records.length.unwrap_or(0));
        let must_be_whole = records.must_be_whole();
        if cut && read == 0 && !must_be_whole {
            return Ok(Flow::Continue);
        }
        if cut {
            let words = format!("the last record is short: {read} of {length} bytes");
            self.walk.reporter.message(Message::Note(words));
        }
        if cut && must_be_whole {
            return self.stop_at_record(&Chunk::last(&[]), 0);
        }
        records.begin_at(if cut { offset } else { records.start + length });
        records.packed_decimals.end_record();
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
        Ok(Flow::Continue)
    }

    /// Returns the decoder to its initial state.
    fn begin_record(&mut self, encoding: &'static Encoding) {
        let order = encoding.order.unwrap_or_default();
        let decoder = self.walk.conversion.new_decoder(encoding, order);
        self.walk.engine.read_by(decoder, self.walk.output.target());
    }
}
