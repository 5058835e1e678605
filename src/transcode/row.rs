//! Ill-formed subsequences side by side, which a reporter may take in one go if it knows all that it would say of them.

use super::Error;
use super::newlines::Newlines;
use super::policy::OnIllFormed;
use super::text::Text;
use super::transcoder::Transcoder;
use crate::diagnostic::{Context, Outcome, Row};
use crate::io::Chunk;
use crate::unicode::{CodePoint, REPLACEMENT_CHARACTER};

/// Subsequences of one row.
const MOST: usize = 256;

impl Transcoder<'_> {
    /// Goes past the row of ill-formed subsequences at byte `at` of the chunk, before `limit`, and returns whether it did:
    /// nothing may be written for any of them, and the reporter must take them so.
    pub(super) fn passes_row(
        &self,
        text: &mut Text<'_>,
        chunk: &Chunk<'_>,
        at: &mut usize,
        limit: usize,
    ) -> Result<bool, Error> {
        let Some(context_buffer) = &mut text.context_buffer else { return Ok(false) };
        let offset = text.offset + *at as u64;
        let stops = self.conversion.on_ill_formed == OnIllFormed::Stop;
        let quiet = self.conversion.to.is_none() && self.conversion.fallback.is_none() && !stops;
        // A carriage return that is held back is settled by the first of them.
        let held = text.newlines.as_ref().is_some_and(Newlines::holds);
        if !quiet || held || offset < context_buffer.no_row_before {
            return Ok(false);
        }
        let mut subsequences = std::mem::take(&mut context_buffer.row);
        subsequences.clear();
        let input = &chunk.bytes[*at..limit];
        let ends = text.decoder.ill_formed_row(input, MOST, &mut subsequences);
        let count = subsequences.len();
        let len: usize = subsequences.iter().map(|one| one.len).sum();
        let row = Row {
            subsequences: &subsequences,
            bytes: &chunk.bytes[*at..],
            offset,
            line: text.position.line,
            column: text.position.column.max(1),
            encoding: text.encoding,
            ends,
        };
        let taken = count > 0 && text.reporter.row(&row).map_err(Error::Report)?;
        if taken {
            let outcome = match self.conversion.on_ill_formed {
                OnIllFormed::Skip => Outcome::Dropped,
                OnIllFormed::Escape => Outcome::Escaped,
                OnIllFormed::Replace | OnIllFormed::Stop => Outcome::Replaced,
            };
            text.summary.of_ill_formed.count(outcome, count as u64);
            text.position.pass_many(count as u64);
            *at += len;
        }
        if let Some(context_buffer) = &mut text.context_buffer {
            if taken {
                for one in &subsequences {
                    context_buffer.row_counts[one.kind as usize] += 1;
                }
                const MARKS: [CodePoint; Context::CHARACTERS] =
                    [REPLACEMENT_CHARACTER; Context::CHARACTERS];
                context_buffer.pass(&MARKS[..count.min(MARKS.len())]);
            } else {
                // They are taken one by one.
                context_buffer.no_row_before = offset + len as u64;
            }
            context_buffer.row = subsequences;
        }
        Ok(taken)
    }
}
