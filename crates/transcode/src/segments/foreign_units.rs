//! The segmenter of UTF-16 that was appended to UTF-8, as `>>` of PowerShell does. The result is well-formed UTF-8 in
//! which every second character is NUL, so nothing else would report it:
//!
//! ```text
//! 6F 6B 0A 68 00 69 00 0D 00 0A 00     "ok", and from 68 on "hi" in UTF-16LE
//! ```
//!
//! UTF-8 text has no NUL, so a check searches for one with `memchr`, up to the first place where a few code units of
//! ASCII begin, and reports that. A single place is enough: the rest of the text is in the other encoding.

use std::ops::Range;

use super::super::conversion::Conversion;
use super::super::pipeline_exit::Passed;
use super::super::policy::{Detail, OnForeignMark};
use super::super::segment::{SegmentLookahead, Segmenter, View};
use super::super::stage::FollowedBy;
use super::super::text_walk::TextWalk;
use crate::diagnostic::{Finding, Kind};
use crate::io::Chunk;
use oxiconv_encodings::encoding::{Encoding, Family};

/// The length of the code units that prove UTF-16. Fewer may be a few fields of binary data.
const MIN_UNIT_BYTES: usize = 8;

#[derive(Default)]
pub(in super::super) struct ForeignUnits {
    /// The offset up to which no units have been found.
    searched: u64,
    found: Option<u64>,
    is_reported: bool,
}

impl ForeignUnits {
    pub(in super::super) fn of(conversion: &Conversion, encoding: &Encoding) -> Option<Self> {
        let options = &conversion.options;
        let reports = options.byte_order_marks.on_foreign_mark == OnForeignMark::Report;
        let seeks = reports || options.detail == Detail::Context;
        (seeks && encoding.family == Family::Utf8).then(Self::default)
    }

    pub(in super::super) fn seeks(&self) -> bool {
        !self.is_reported
    }

    /// Returns up to where the chunk, which is at the offset `base`, has no such units; at most `limit`. It may stop
    /// earlier if the next bytes are needed to know.
    ///
    /// For each NUL there are three cases. Units begin near it: that ends the search for good. None begin, and the
    /// chunk has all of the bytes that they would have: the search continues after the NUL, or after a whole run of
    /// them. Or the chunk ends before that: then the byte before the NUL is not clear yet, because it may be the first
    /// of a unit.
    #[inline(never)]
    pub(in super::super) fn search(
        &mut self,
        base: u64,
        chunk: &Chunk<'_>,
        at: usize,
        limit: usize,
    ) -> usize {
        let searched = |this: &Self| (this.searched.saturating_sub(base) as usize).max(at);
        while self.found.is_none() {
            let from = searched(self);
            // More may have been searched before, in a longer chunk.
            if from > limit {
                return limit;
            }
            let end = chunk.bytes.len().min(limit + 1);
            let Some(zero) = memchr::memchr(0, &chunk.bytes[from..end]).map(|zero| from + zero)
            else {
                // The last byte may be the first one of a unit, whose NUL is not there yet.
                let held = usize::from(end == chunk.bytes.len() && !chunk.last);
                let clean = end.saturating_sub(held).max(at).min(limit);
                self.searched = self.searched.max(base + clean as u64);
                return clean;
            };
            let first = zero.saturating_sub(1).max(from);
            match begin_near(&chunk.bytes[first..], zero - first) {
                None if chunk.bytes.len() < zero + MIN_UNIT_BYTES && !chunk.last => {
                    return first.min(limit);
                }
                // Of several NULs in a row, units of UTF-16BE may begin with the last one.
                None => {
                    let last = zero + zeros(&chunk.bytes[zero..end]) - 1;
                    self.searched = base + last.max(zero + 1) as u64;
                }
                Some(start) => self.found = Some(base + (first + start) as u64),
            }
        }
        let found = self.found.map_or(limit, |found| found.saturating_sub(base) as usize);
        found.clamp(at, limit)
    }
}

impl Segmenter for ForeignUnits {
    fn look<'c>(&mut self, view: &View<'_, 'c>, at: usize, limit: usize) -> SegmentLookahead<'c> {
        // In text whose encoding is not known yet, NUL is evidence, and none is passed on as ASCII.
        if view.is_deferred || self.is_reported {
            return SegmentLookahead::Clear(limit);
        }
        let clear = self.search(view.base, view.chunk, at, limit);
        match self.found {
            Some(found) if found == view.base + at as u64 => {
                SegmentLookahead::Segment(at..at + MIN_UNIT_BYTES)
            }
            _ => SegmentLookahead::Clear(clear),
        }
    }

    fn next_known(&self) -> Option<u64> {
        self.found.filter(|_| !self.is_reported)
    }

    #[cold]
    #[inline(never)]
    fn convert(
        &mut self,
        walk: &mut TextWalk<'_, '_>,
        chunk: &Chunk<'_>,
        range: Range<usize>,
    ) -> Passed<usize> {
        self.is_reported = true;
        // Units at the start, or after a mark, are the whole text, not something appended to it. The picture of a text
        // says that by itself, so they are reported only if foreign marks are not ignored.
        let is_whole = walk.text.offset + range.start as u64 <= 2;
        if !is_whole
            || walk.conversion.options.byte_order_marks.on_foreign_mark != OnForeignMark::Ignore
        {
            walk.settle(FollowedBy::Break)?;
            walk.report(Finding::new(Kind::OtherEncoding), chunk, range)?;
        }
        Ok(0)
    }
}

/// Returns the number of NULs at the start of `text`. Sparse files have gigabytes of them, so whole blocks are
/// compared.
fn zeros(text: &[u8]) -> usize {
    const ZEROS: &[u8] = &[0; 4096];
    let whole = text.chunks(ZEROS.len()).take_while(|block| *block == &ZEROS[..block.len()]);
    let passed: usize = whole.map(<[u8]>::len).sum();
    passed + text[passed..].iter().take_while(|byte| **byte == 0).count()
}

/// Returns where units begin near the first NUL of `bytes`, which is at `zero`.
///
/// The byte before the NUL is the first one of a unit in UTF-16LE. But if it is a line feed, it rather ends a line of
/// UTF-8, and the NUL begins a unit in UTF-16BE. So that is tried last.
fn begin_near(bytes: &[u8], zero: usize) -> Option<usize> {
    let before = zero.checked_sub(1).filter(|before| bytes[*before] != b'\n');
    let starts = [before, Some(zero), zero.checked_sub(1)];
    starts.into_iter().flatten().find(|start| begin_units(&bytes[*start..]))
}

/// Whether `bytes` begin with a few units of ASCII text, in either byte order.
fn begin_units(bytes: &[u8]) -> bool {
    let Some((units, _)) = bytes.get(..MIN_UNIT_BYTES).map(<[u8]>::as_chunks::<2>) else {
        return false;
    };
    let is_text = |byte: u8| matches!(byte, b' '..=b'~' | b'\t' | b'\r' | b'\n' | 0x1B);
    units.iter().all(|[low, high]| *high == 0 && is_text(*low))
        || units.iter().all(|[high, low]| *high == 0 && is_text(*low))
}

/// Returns how many bytes of `window[start..end]` come before the first NUL and the byte in front of it, which may
/// belong to the same unit. The byte at `end` is looked at too. Worker threads convert only these. Whether units begin
/// at the NUL is decided by the thread that writes.
pub(in super::super) fn without_zeros(window: &[u8], start: usize, end: usize) -> usize {
    let with_next = window.len().min(end + 1);
    let zero = memchr::memchr(0, &window[start..with_next]);
    zero.map_or(end - start, |zero| zero.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_may_be_empty_or_end_before_what_tells() {
        let text = b"ok\nh\0i\0 \0y\0";
        for end in 0..text.len() {
            let mut units = ForeignUnits::default();
            let part = Chunk::new(&text[..end], false);
            assert_eq!(units.search(0, &part, 0, end), end.saturating_sub(1).min(3), "{end}");
            let whole = Chunk::new(text, true);
            assert_eq!(units.search(0, &whole, 0, text.len()), 3, "{end}");
            assert_eq!(units.found, Some(3), "{end}");
        }
    }
}
