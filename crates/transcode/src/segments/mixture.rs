//! Texts in UTF-8 with parts in another encoding, the fallback (`--fallback`).
//!
//! ```text
//! look ─► clean_to: the next region with an ill-formed subsequence ─► its parts in the fallback
//!      ─► the engine, up to the first part ─► convert: its findings, and what it is read as
//! ```
//!
//! A part is often longer than what is ill-formed: bytes next to it may be well-formed UTF-8 only by chance. So a
//! region, from the first to the last ill-formed subsequence of a line, is read as a whole (`codec/mixed.rs`). The
//! result depends on the region, which is in memory, and on the characters of the text before it, so no split of the
//! text changes it.
//!
//! If the fallback is to be detected, that happens once, at the first region, with 128 KiB of text after it. If a pipe
//! delivers less than that, the conversion waits. Text without ill-formed bytes never does, since nothing has to be
//! detected for it.
//!
//! This file holds what is known of the parts, `mixed_parts.rs` goes through the text with it. With `--repair`, bytes
//! that Python has escaped are parts as well, with or without a fallback (`escaped_parts.rs`). With `-f auto-lines`
//! there is no fallback for the text as a whole. Then `line_parts.rs` finds the parts, line by line, and they are
//! converted in the same way.

use std::collections::VecDeque;
use std::ops::Range;

use super::super::conversion::Conversion;
use super::super::policy::Fallback;
#[cfg(feature = "detection")]
use super::super::policy::InputEncoding;
#[cfg(feature = "detection")]
use super::escaped_parts::EscapedParts;
#[cfg(feature = "detection")]
use super::line_parts::LineParts;
#[cfg(feature = "detection")]
use oxiconv_detect::detection::{RecoveringEncoding, TextStart};
use oxiconv_encodings::codec::{Mixed, NextRegion, REGION, TextRepertoire, next_region};
#[cfg(feature = "detection")]
use oxiconv_encodings::codec::{Preceding, not_letters};
use oxiconv_encodings::encoding::Encoding;

/// The length of the start of a text by which its usual characters are learned if the fallback is named. It is counted
/// from the start of the text and not of a chunk, so what has been learned before a region is the same for every way to
/// read the text.
const LEARNED_PREFIX: usize = 64 * 1024;

/// The parts of one input that are not UTF-8.
pub(in super::super) struct Mixture {
    pub(in super::super) fallback: Fallback,
    pub(in super::super) reader: Option<Mixed>,
    pub(in super::super) encoding: Option<&'static Encoding>,
    /// Whether no encoding was found that reads the stray bytes.
    pub(in super::super) given_up: bool,
    pub(in super::super) known: TextRepertoire,
    /// The last byte of the text passed.
    pub(in super::super) passed: Option<u8>,
    /// What was learned from the text before the first part, if the encoding is to be detected.
    #[cfg(feature = "detection")]
    pub(in super::super) start: TextStart,
    /// Whether all of the text is in the other encoding, from the first part on.
    pub(in super::super) whole: bool,
    /// The offset up to which the text was learned from.
    pub(in super::super) learned: u64,
    /// The offset up to which all parts are known.
    pub(in super::super) settled: u64,
    /// The parts that have not been converted yet, in order.
    pub(in super::super) parts: VecDeque<Range<u64>>,
    /// Whether the part that ends at `settled` may continue after it. A part that is longer than a region is found in
    /// pieces, and the next piece must not be taken for the start of a new word (see [`Self::split`]).
    pub(in super::super) within: bool,
    /// The lines, if each has an encoding of its own. There is no fallback then.
    #[cfg(feature = "detection")]
    pub(in super::super) lines: Option<LineParts>,
    /// The bytes that Python has escaped, if they are to be restored.
    #[cfg(feature = "detection")]
    pub(super) escaped: Option<EscapedParts>,
}

impl Mixture {
    pub(in super::super) fn of(conversion: &Conversion) -> Option<Self> {
        #[cfg(feature = "detection")]
        if let InputEncoding::Lines(detector) = conversion.from {
            let lines = Some(LineParts::new(detector));
            return Some(Self { lines, ..Self::new(Fallback::Detected) });
        }
        let fallback = conversion.options.substitution.fallback;
        #[cfg(feature = "detection")]
        if let Some(escaped) = EscapedParts::of(conversion.options.on_mojibake, fallback.is_none())
        {
            let mixture = Self::new(fallback.unwrap_or(Fallback::Detected));
            return Some(Self { escaped: Some(escaped), ..mixture });
        }
        fallback.map(Self::new)
    }

    fn new(fallback: Fallback) -> Self {
        let encoding = fallback.named();
        Self {
            fallback,
            reader: encoding.map(Encoding::mixed_with_utf8),
            encoding,
            given_up: false,
            known: TextRepertoire::default(),
            passed: None,
            #[cfg(feature = "detection")]
            start: TextStart::default(),
            whole: false,
            learned: 0,
            settled: 0,
            parts: VecDeque::new(),
            within: false,
            #[cfg(feature = "detection")]
            lines: None,
            #[cfg(feature = "detection")]
            escaped: None,
        }
    }

    pub(in super::super) fn is_of_lines(&self) -> bool {
        #[cfg(feature = "detection")]
        let is_of_lines = self.lines.is_some();
        #[cfg(not(feature = "detection"))]
        let is_of_lines = false;
        is_of_lines
    }

    pub(in super::super) fn reader(&mut self) -> Option<&mut Mixed> {
        #[cfg(feature = "detection")]
        if let Some(lines) = &mut self.lines {
            return lines.reader();
        }
        self.reader.as_mut()
    }

    pub(in super::super) fn encoding(&self) -> Option<&'static Encoding> {
        self.encoding
    }

    /// Learns the usual characters of the text from `bytes`, which are at `offset` and have no unknown parts in another
    /// encoding.
    /// With a named fallback, the first 64 KiB of the text count. With one that is to be detected, all text before the
    /// first region counts, and nothing after it: the detector has decided by then, and `judge` replaces what is known
    /// by what the detector learned. What is certain in a region itself is learned when it is split.
    ///
    /// `learned` is an offset, so the same bytes may be passed twice: before a region is split, and again when the text
    /// is passed. The second time they are skipped.
    pub(in super::super) fn learn(&mut self, bytes: &[u8], offset: u64) {
        let is_named = matches!(self.fallback, Fallback::Named(_));
        let end = offset + bytes.len() as u64;
        let end = if is_named { end.min(LEARNED_PREFIX as u64) } else { end };
        if self.learned >= end || self.is_of_lines() || !is_named && self.encoding.is_some() {
            return;
        }
        let from = self.learned.saturating_sub(offset) as usize;
        let new = &bytes[from..(end - offset) as usize];
        self.learned = end;
        if is_named {
            new.utf8_chunks().for_each(|chunk| self.known.look(chunk.valid()));
        }
        #[cfg(feature = "detection")]
        if !is_named {
            self.start.look(new);
        }
    }

    /// Detects what reads the text from `rest` on, its first region. `last` says that the text ends with `rest`. If
    /// nothing is sure enough, the search for parts is given up, and what is ill-formed is treated as without a
    /// fallback.
    #[cfg(feature = "detection")]
    pub(in super::super) fn judge(&mut self, rest: &[u8], last: bool) {
        let recovery = std::mem::take(&mut self.start).judge(rest, last).1;
        let Some(RecoveringEncoding { encoding, whole, known }) = recovery.encoding() else {
            self.given_up = true;
            return;
        };
        (self.whole, self.known) = (whole, known);
        self.encoding = Some(encoding);
        self.reader = Some(encoding.mixed_with_utf8());
    }

    /// Finds the next parts in `bytes`, which are at `offset`, if all of the text is in the other encoding; `None` if
    /// it is not. Returns the length of what is settled.
    #[cfg(feature = "detection")]
    pub(in super::super) fn next_of_whole(
        &mut self,
        bytes: &[u8],
        offset: u64,
        last: bool,
    ) -> Option<usize> {
        let reader = self.reader.as_mut().filter(|_| self.whole)?;
        let (settled, parts) = reader.next_readable(bytes, last);
        self.parts.extend(
            parts.into_iter().map(|part| offset + part.start as u64..offset + part.end as u64),
        );
        Some(settled)
    }

    /// Returns the ranges of `region` that are no letters of the fallback, such as a truncated character. Only a
    /// detected fallback has any: one that is named reads every ill-formed byte. Ranges are relative to the region.
    #[cfg(feature = "detection")]
    pub(in super::super) fn not_letters(
        &self,
        bytes: &[u8],
        region: Range<usize>,
        last: bool,
    ) -> Vec<Range<usize>> {
        let usual = self.known.usual().filter(|_| matches!(self.fallback, Fallback::Detected));
        let Some(usual) = usual else { return Vec::new() };
        let before = region.start.checked_sub(1).map(|at| bytes[at]).or(self.passed);
        let start = region.start;
        not_letters(bytes, region, Preceding::of_byte(before), last, usual)
            .into_iter()
            .map(|range| range.start - start..range.end - start)
            .collect()
    }

    /// Finds the parts in `region`, which is at `offset`; `cuts` are its ranges that are no letters. Returns how much
    /// of it is settled.
    /// A region usually ends before a byte below 30, where no character continues in any encoding. But a region that
    /// reaches its maximum length ends anywhere, and in both encodings a character may reach across that end:
    ///
    /// * The last bytes may begin a character of UTF-8, as the second D0 in `D0 B4 D0 │ B0`. They are left, and
    ///   examined again with what follows.
    /// * A part may continue in the other encoding. What comes after it is left, and `within` says that the next region
    ///   begins inside a part. This holds for a part up to three bytes before the end too, because these may begin a
    ///   character of the other encoding, the longest of which have four.
    pub(in super::super) fn split(
        &mut self,
        region: &[u8],
        cuts: &[Range<usize>],
        offset: u64,
        last: bool,
    ) -> usize {
        if matches!(self.fallback, Fallback::Named(_)) && offset < LEARNED_PREFIX as u64 {
            self.known.look_at_region(region);
        }
        let Some(reader) = &mut self.reader else { return region.len() };
        let is_cut = region.len() >= REGION && !last;
        let region = &region[..region.len() - if is_cut { unfinished(region) } else { 0 }];
        let mut len = region.len();
        let cuts: Vec<_> = cuts.iter().filter(|cut| cut.end <= len).cloned().collect();
        let parts = reader.split(region, &self.known, self.within, &cuts);
        self.within = false;
        if let Some(part) = parts.last().filter(|part| is_cut && part.end + 3 >= region.len()) {
            (len, self.within) = (part.end, true);
        }
        let offsets =
            parts.into_iter().map(|part| offset + part.start as u64..offset + part.end as u64);
        self.parts.extend(offsets);
        len
    }
}

/// Returns how many bytes at the end of `bytes` may be the start of a character of UTF-8: the last lead byte and the
/// continuation bytes after it, of which there are at most three. Whether they are a whole character is not checked.
/// The caller examines them again with what follows, and a whole character is read then as well as now.
pub(super) fn unfinished(bytes: &[u8]) -> usize {
    let continues = bytes.iter().rev().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count();
    match bytes.len().checked_sub(continues + 1).map(|at| bytes[at]) {
        Some(0xC0..) => continues + 1,
        _ => 0,
    }
}

/// Returns how many bytes at the start of a piece of text, which ends after a low byte or with the text, come before
/// its first region. Worker threads convert only these: how a region is read depends on the text before it, which they
/// do not know, so the writing thread converts the rest of the piece.
pub(in super::super) fn clean_start(piece: &[u8]) -> usize {
    match next_region(piece, true, false) {
        NextRegion::None(end) | NextRegion::From(end) => end,
        NextRegion::At(region) => region.start,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_that_may_go_on_is_unfinished() {
        for (bytes, expected) in [
            (&b""[..], 0),
            (b"a", 0),
            (b"\xC3", 1),
            (b"a\xC3", 1),
            (b"a\xE2\x82", 2),
            (b"a\xF0\x9F\x98", 3),
            (b"\x80", 0),
            (b"a\x80\xBF", 0),
            (b"\xF0\x80\x80\x80\x80", 0),
            (b"\xC3a", 0),
        ] {
            assert_eq!(unfinished(bytes), expected, "{}", bytes.escape_ascii());
        }
    }
}
