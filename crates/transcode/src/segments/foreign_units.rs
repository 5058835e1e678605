//! Text in UTF-16 that was appended to text in UTF-8, as `>>` of PowerShell does it. It is well-formed UTF-8 with a NUL
//! as every second character.
//!
//! ```text
//! 6F 6B 0A 68 00 69 00 0D 00 0A 00     ok, and from 68 on UTF-16LE
//! ```
//!
//! A check searches for NUL, which text in UTF-8 does not have, up to the first place where a few units begin, and
//! reports it.

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

/// Bytes of units that are enough: less may be a few fields of binary data.
const ENOUGH: usize = 8;

/// The search for the place.
#[derive(Default)]
pub(in super::super) struct ForeignUnits {
    /// The offset up to which no units begin.
    searched: u64,
    /// The offset where they do.
    found: Option<u64>,
    /// Whether that was reported.
    is_reported: bool,
}

impl ForeignUnits {
    pub(in super::super) fn of(conversion: &Conversion, encoding: &Encoding) -> Option<Self> {
        let options = &conversion.options;
        let reports = options.byte_order_marks.on_foreign_mark == OnForeignMark::Report;
        let seeks = reports || options.detail == Detail::Context;
        (seeks && encoding.family == Family::Utf8).then(Self::default)
    }

    /// Whether they are still searched for.
    pub(in super::super) fn seeks(&self) -> bool {
        !self.is_reported
    }

    /// Returns up to where the chunk, whose start is at the offset `base`, has no such units, or none that would be known;
    /// at most `limit`.
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
            // A longer chunk may have been searched before.
            if from > limit {
                return limit;
            }
            let end = chunk.bytes.len().min(limit + 1);
            let Some(zero) = memchr::memchr(0, &chunk.bytes[from..end]).map(|zero| from + zero)
            else {
                // The first byte of a unit comes before its NUL.
                let held = usize::from(end == chunk.bytes.len() && !chunk.last);
                let clean = end.saturating_sub(held).max(at).min(limit);
                self.searched = self.searched.max(base + clean as u64);
                return clean;
            };
            let first = zero.saturating_sub(1).max(from);
            match begin_near(&chunk.bytes[first..], zero - first) {
                None if chunk.bytes.len() < zero + ENOUGH && !chunk.last => {
                    return first.min(limit);
                }
                // Of several, units may begin with the last one.
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
        // NUL is a signal: there is none in what is passed on as ASCII.
        if view.is_deferred || self.is_reported {
            return SegmentLookahead::Clear(limit);
        }
        let clear = self.search(view.base, view.chunk, at, limit);
        match self.found {
            Some(found) if found == view.base + at as u64 => {
                SegmentLookahead::Segment(at..at + ENOUGH)
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
        // Pictures say what a text as a whole is, which may begin with a mark.
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

/// Returns how many NUL a text begins with, as a sparse file has them for gigabytes.
fn zeros(text: &[u8]) -> usize {
    const ZEROS: &[u8] = &[0; 4096];
    let whole = text.chunks(ZEROS.len()).take_while(|block| *block == &ZEROS[..block.len()]);
    let passed: usize = whole.map(<[u8]>::len).sum();
    passed + text[passed..].iter().take_while(|byte| **byte == 0).count()
}

/// Returns where units begin at the first NUL of `bytes`, or one byte before. In the lines before it, UTF-16BE begins with
/// NUL, and UTF-16LE does not begin with the line feed.
fn begin_near(bytes: &[u8], zero: usize) -> Option<usize> {
    let before = zero.checked_sub(1).filter(|before| bytes[*before] != b'\n');
    let starts = [before, Some(zero), zero.checked_sub(1)];
    starts.into_iter().flatten().find(|start| begin_units(&bytes[*start..]))
}

/// Whether bytes begin with a few units of ASCII.
fn begin_units(bytes: &[u8]) -> bool {
    let Some((units, _)) = bytes.get(..ENOUGH).map(<[u8]>::as_chunks::<2>) else { return false };
    let is_text = |byte: u8| matches!(byte, b' '..=b'~' | b'\t' | b'\r' | b'\n' | 0x1B);
    units.iter().all(|[low, high]| *high == 0 && is_text(*low))
        || units.iter().all(|[high, low]| *high == 0 && is_text(*low))
}

/// Returns how much of a piece of a window has no NUL, and ends in front of none.
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
