//! Input in records of a fixed length in bytes, as mainframes keep it (RECFM=FB): each becomes a line.
//!
//! ```text
//! chunk: │ record │ record │ rec…     each: as a text of its own, from the initial state ─► a line end
//! ```
//!
//! A record is converted as it arrives, whatever its length. If the blanks at its end are to be dropped, blanks are held
//! back as their number until a character or the end of the record follows them.

use super::error::Error;
use super::session::{Flow, Session};
use crate::diagnostic::{Kind, Message};
use crate::encoding::Encoding;
use crate::io::Chunk;
use crate::unicode::{BLANK, CodePoint, LINE_FEED};

impl Session<'_, '_> {
    /// Converts the bytes of `chunk` before `limit`, record by record, and returns the number of bytes consumed.
    pub(super) fn convert_records(
        &mut self,
        chunk: &Chunk<'_>,
        limit: usize,
    ) -> Result<(usize, Flow), Error> {
        let (mut at, len) = (0, chunk.bytes.len());
        loop {
            let left = self.text.records.as_ref().map_or(0, |it| it.left(self.text.offset));
            let left = usize::try_from(left).unwrap_or(usize::MAX);
            let ends = left <= len - at;
            let end = if ends { at + left } else { len };
            let part = chunk.part(at, end);
            let record = if ends { part.ending() } else { part };
            let wanted = limit.min(end) - at;
            let (done, flow) = self.convert_text(&record, wanted)?;
            at += done;
            if flow != Flow::On || done < wanted || !(at == end && record.last) {
                return Ok((at, flow));
            }
            self.end_record(!ends)?;
            if at >= limit {
                return Ok((at, Flow::On));
            }
        }
    }

    /// Ends the line of the present record. If it is cut by the end of the text, it may be empty.
    fn end_record(&mut self, cut: bool) -> Result<(), Error> {
        let offset = self.text.offset;
        let Some(records) = &mut self.text.records else { return Ok(()) };
        let (read, length) = (offset - records.start, records.length);
        if cut && read == 0 {
            return Ok(());
        }
        records.start += if cut { read } else { length };
        if cut {
            let words = format!("the last record is short: {read} of {length} bytes");
            self.reporter.message(Message::Note(words));
        }
        if self.put(&[LINE_FEED])?.is_some() {
            self.text.findings.report_unplaced(self.reporter, Kind::Unmappable, 1);
            let remedies = self.remedies;
            self.apply(Kind::Unmappable, remedies.for_unmappable(LINE_FEED.into()))?;
        }
        self.text.position.end_line();
        if let Some(context) = &mut self.text.context {
            context.pass(&[LINE_FEED]);
        }
        if let Some(trail) = &mut self.text.trail {
            trail.pass(&[LINE_FEED]);
        }
        self.begin_record(self.text.findings.encoding);
        Ok(())
    }

    /// Returns the decoder to its initial state.
    fn begin_record(&mut self, encoding: &'static Encoding) {
        let order = encoding.order.unwrap_or_default();
        self.engine.read_by(self.conversion.new_decoder(encoding, order));
        self.prepared = false;
    }

    /// Holds back `cp` and the code points after it in the engine's run, if they are the blanks at its end. Returns
    /// whether it did.
    pub(super) fn hold_blanks(&mut self, cp: CodePoint) -> bool {
        let one_by_one = self.text.watch.is_some();
        let Some(records) = &mut self.text.records else { return false };
        if !records.trims || cp != BLANK || !self.engine.is_at_blanks() {
            return false;
        }
        let count = if one_by_one { 1 } else { self.engine.pending().len() };
        records.blanks += count as u64;
        self.prepared = false;
        for _ in 0..count {
            self.engine.skip();
            self.pass(&[BLANK]);
        }
        true
    }

    /// Writes the blanks that are held back, unless `next` is one more.
    pub(super) fn put_blanks_before(&mut self, next: CodePoint) -> Result<(), Error> {
        if next == BLANK { Ok(()) } else { self.put_blanks() }
    }

    /// Writes the blanks that are held back.
    pub(super) fn put_blanks(&mut self) -> Result<(), Error> {
        const MANY: [CodePoint; 256] = [BLANK; 256];
        let Some(records) = &mut self.text.records else { return Ok(()) };
        let mut left = std::mem::take(&mut records.blanks);
        while left > 0 {
            let count = left.min(MANY.len() as u64) as usize;
            left -= count as u64;
            // The target has them.
            self.put(&MANY[..count])?;
            self.prepared = false;
        }
        Ok(())
    }
}
