//! The text around the current place, kept only if findings are shown in their context.
//!
//! Before the place, a little of what was read is kept here. After it is what the chunk holds, and the chunk must hold
//! enough ([`READ_AHEAD`]). So a finding's context does not depend on how the text was cut into chunks.

use std::ops::Range;

use crate::diagnostic::{Context, Reporter};
use crate::io::Chunk;
use oxiconv_encodings::codec::{DecodeStop, Decoder};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::{CodePoint, LINE_FEED, REPLACEMENT_CHARACTER};

/// Lookahead that is enough to decide a sequence which begins before a place and ends after it, in bytes.
pub(super) const SEQUENCE: usize = 128;
/// Bytes that must be in memory after a place before a finding there is reported: a sequence, and the bytes shown after
/// it.
pub(super) const READ_AHEAD: usize = SEQUENCE + Context::BYTES;

#[derive(Default)]
pub(super) struct ContextBuffer {
    bytes: Vec<u8>,
    line: Vec<CodePoint>,
    /// The offset up to which the reporter was given the text.
    shown_to: u64,
    before: Vec<u8>,
    line_after: Vec<CodePoint>,
}

impl ContextBuffer {
    pub(super) fn pass(&mut self, run: &[CodePoint]) {
        let rest = match run.iter().rposition(|cp| *cp == LINE_FEED) {
            Some(end) => {
                self.line.clear();
                &run[end + 1..]
            }
            None => run,
        };
        keep_last(&mut self.line, rest, Context::CHARACTERS);
    }

    /// Moves past a row of ill-formed subsequences. Each is shown as U+FFFD, and only so many of them as can be shown.
    pub(super) fn pass_row(&mut self, count: usize) {
        const MARKS: [CodePoint; Context::CHARACTERS] =
            [REPLACEMENT_CHARACTER; Context::CHARACTERS];
        self.pass(&MARKS[..count.min(MARKS.len())]);
    }

    /// Moves past the bytes of a chunk.
    pub(super) fn leave(&mut self, bytes: &[u8]) {
        keep_last(&mut self.bytes, bytes, Context::BYTES);
    }

    /// Gives a reporter the text before byte `at` of `bytes`, which begin at `offset`, as far as it has not seen it.
    pub(super) fn show_text_before(
        &mut self,
        at: usize,
        bytes: &[u8],
        offset: u64,
        reporter: &mut dyn Reporter,
        encoding: &'static Encoding,
    ) {
        let shown = usize::try_from(self.shown_to.saturating_sub(offset));
        // Even an empty text: it tells the reporter the encoding.
        if let Some(text) = shown.ok().and_then(|shown| bytes.get(shown..at)) {
            self.shown_to = offset + at as u64;
            reporter.text(text, encoding);
        }
    }

    /// Returns the context of the bytes at `range` of the chunk. `decoder` is in the state after them, so it reads the
    /// rest of the line as the conversion will. The text before was decoded already, and is kept as code points.
    pub(super) fn gather(
        &mut self,
        mut decoder: Box<dyn Decoder>,
        chunk: &Chunk<'_>,
        range: &Range<usize>,
    ) -> Context<'_> {
        self.before.clear();
        self.before.extend_from_slice(&self.bytes);
        keep_last(&mut self.before, &chunk.bytes[..range.start], Context::BYTES);
        let rest = &chunk.bytes[range.end..];
        let after = &rest[..rest.len().min(Context::BYTES)];
        self.line_after.clear();
        let last = chunk.last && after.len() == rest.len();
        let ended = decode_line(&mut *decoder, after, last, &mut self.line_after);
        // The bytes after are copied too, because the result outlives the chunk.
        let start = self.before.len();
        self.before.extend_from_slice(after);
        let (before, after) = self.before.split_at(start);
        Context {
            before: before.into(),
            after: after.into(),
            line_before: (&self.line).into(),
            line_after: (&self.line_after).into(),
            line_goes_on: !ended,
        }
    }
}

pub(super) fn keep_last<T: Copy>(kept: &mut Vec<T>, new: &[T], most: usize) {
    let new = &new[new.len().saturating_sub(most)..];
    let too_many = (kept.len() + new.len()).saturating_sub(most);
    kept.drain(..too_many);
    kept.extend_from_slice(new);
}

/// Decodes to the end of the line, unless too much of it is ill-formed. Returns whether the end was reached.
fn decode_line(
    decoder: &mut dyn Decoder,
    bytes: &[u8],
    last: bool,
    line: &mut Vec<CodePoint>,
) -> bool {
    // Text after a finding may be binary. A line of replacement characters tells a reader nothing, so decoding it stops
    // early.
    const MAX_FAULTS: usize = 16;
    let (mut at, mut room, mut faults) = (0, [0; Context::BYTES], 0);
    while at < bytes.len() && faults < MAX_FAULTS {
        let decoded = decoder.decode(&bytes[at..], &mut room, last);
        at += decoded.read;
        for &cp in &room[..decoded.written] {
            if cp == LINE_FEED {
                return true;
            }
            line.push(cp);
        }
        let len = match decoded.stop {
            DecodeStop::OutputFull => 0,
            DecodeStop::IllFormed(ill_formed) => ill_formed.len,
            DecodeStop::Large { len, .. } => len,
            DecodeStop::InputEmpty => 0,
        };
        if len > 0 {
            faults += 1;
            line.push(REPLACEMENT_CHARACTER);
        } else if decoded.read == 0 {
            break;
        }
        at += len;
    }
    last && at == bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_are_kept_however_they_come() {
        for most in 0..8 {
            for piece in 1..6 {
                let all: Vec<_> = (0..20).collect();
                let mut kept = Vec::new();
                all.chunks(piece).for_each(|piece| keep_last(&mut kept, piece, most));
                assert_eq!(kept, all[20 - most..], "{most} of pieces of {piece}");
            }
        }
    }
}
