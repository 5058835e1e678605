//! Splits a text into pieces that can be decoded separately. The `SplitRule` of an encoding says where; text in an
//! encoding with state is never split.
//!
//! A piece nominally has 512 KiB. Its real ends are the first split points at or after the nominal ones. Whoever reads
//! a piece finds both from the bytes around them, so neighbours agree without talking to each other:
//!
//! ```text
//! nominal end           │
//! bytes         … 20 E2 82 AC 20 …        € in UTF-8
//! real end                   │
//! ```
//!
//! The thread that reads the left piece looks at the bytes after its nominal end, and the thread that reads the right
//! piece looks at the same bytes from its nominal start. Both see the same continuation bytes 82 AC and move past them.
//! That only works if a split point can be recognized from the bytes next to it alone. A text in ISO-2022-JP has no
//! such places: whether `24 22` is hiragana or `$"` depends on the last escape sequence, however far back that is.

use std::borrow::Cow;
use std::ops::Range;

use crate::io::{Chunk, Window};
use oxiconv_encodings::encoding::SplitRule;

/// Nominal size of a piece in bytes.
pub(super) const PIECE: usize = if cfg!(fuzzing) { 64 } else { 512 * 1024 };
/// How far to search for a split point, in bytes. If there is none, one thread converts the text.
const SEARCH: usize = PIECE;
/// Bytes before a piece that may be needed to convert it. A multiple of every code unit, so units stay aligned.
const LOOKBEHIND: usize = 4096;

/// Returns the first split point at or after byte `at`: a place where `text` can be divided into two parts that are
/// decoded separately, whatever the bytes are. The end of the text is one. `None` if there is none nearby.
pub(super) fn next_split(rule: SplitRule, text: &[u8], at: usize) -> Option<usize> {
    if at >= text.len() {
        return Some(text.len());
    }
    match rule {
        SplitRule::Never | SplitRule::AfterLine => None,
        SplitRule::Units(unit) => Some(at.next_multiple_of(unit).min(text.len())),
        // In front of any byte that is not a continuation byte. After three continuation bytes in a row a fourth cannot
        // belong to the same sequence, so the search ends there in ill-formed text.
        SplitRule::Utf8 => {
            let tail = text[at..].iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80);
            Some(at + tail.count())
        }
        // Between two code units, unless the second is a low surrogate (DC00 to DFFF), which may belong to the first.
        // One that does not is ill-formed wherever it is read, so it does not matter that the split moves past it.
        SplitRule::Utf16(high) => {
            let at = at.next_multiple_of(2);
            let second = text.get(at + high).is_some_and(|byte| byte & 0xFC == 0xDC);
            Some((at + if second { 2 } else { 0 }).min(text.len()))
        }
        // After a byte below 30 hex, such as a space or a line feed. In these charsets it is a character of its own and
        // never a trail byte, so a sequence cannot continue across it. Text in them may be kanji for a long way, so the
        // search is bounded; without the bound, such a text would be scanned to its end again and again.
        SplitRule::AfterLow => {
            let near = &text[at..text.len().min(at + SEARCH)];
            let to_end = near.len() == text.len() - at;
            first_low(near).map(|found| at + found + 1).or(to_end.then_some(text.len()))
        }
    }
}

/// Returns the index of the first byte below 30 hex. Blocks without one are passed by a fold, which the compiler can
/// vectorize.
fn first_low(bytes: &[u8]) -> Option<usize> {
    const BLOCK: usize = 64;
    let is_low = |byte: &u8| *byte < 0x30;
    let block =
        bytes.chunks(BLOCK).position(|block| block.iter().fold(false, |any, b| any | is_low(b)))?;
    let start = block * BLOCK;
    bytes[start..].iter().position(is_low).map(|found| start + found)
}

/// The pieces of a window, from byte `start` on. They have equal nominal sizes; the thread that reads a piece finds its
/// real ends.
#[derive(Clone)]
pub(super) struct SplitPieces<'t> {
    rule: SplitRule,
    window: &'t dyn Window,
    start: usize,
    at: usize,
    ahead: usize,
}

/// A piece that was handed to a thread. Only its nominal place is known: that thread reads it and finds its ends, so
/// the queue is never locked during a read.
pub(super) struct UnreadPiece<'t> {
    pieces: SplitPieces<'t>,
    end: usize,
}

#[derive(Debug)]
pub(super) struct SplitPiece<'t> {
    /// The bytes read: the piece and what is around it.
    text: Cow<'t, [u8]>,
    /// Where `text` begins in the window.
    start: usize,
    /// The piece, as a range of `text`.
    range: Range<usize>,
    /// Whether `text` ends the whole text.
    last: bool,
}

impl<'t> SplitPieces<'t> {
    /// Splits `window` from byte `start` on. The rest at the end of the window is left for the next one, where its
    /// split point may lie; it is a piece only if this is the last window.
    pub(super) fn new(rule: SplitRule, window: &'t dyn Window, start: usize, ahead: usize) -> Self {
        Self { rule, window, start, at: start, ahead }
    }
}

impl<'t> Iterator for SplitPieces<'t> {
    type Item = UnreadPiece<'t>;

    fn next(&mut self) -> Option<UnreadPiece<'t>> {
        let (len, is_last) = (self.window.size(), self.window.is_last());
        let end = len.min(self.at + PIECE);
        if matches!(self.rule, SplitRule::Never | SplitRule::AfterLine)
            || self.at == end
            || end == len && !is_last
        {
            return None;
        }
        let unread = UnreadPiece { pieces: self.clone(), end };
        self.at = end;
        Some(unread)
    }
}

impl<'t> UnreadPiece<'t> {
    /// Reads the piece into `buffer`, unless it is in memory already; `None` if it cannot be read or split. If no split
    /// point is near its end, it is read once more with more of the text after it.
    pub(super) fn read(self, buffer: Vec<u8>) -> Option<SplitPiece<'t>> {
        let text = self.read_with(self.pieces.ahead, buffer)?;
        match self.split(text) {
            Ok(piece) => Some(piece),
            Err(text) => {
                let buffer = if let Cow::Owned(buffer) = text { buffer } else { Vec::new() };
                let text = self.read_with(self.pieces.ahead.max(SEARCH), buffer)?;
                self.split(text).ok()
            }
        }
    }

    fn from(&self) -> usize {
        let SplitPieces { at, start, .. } = self.pieces;
        at.saturating_sub(LOOKBEHIND).max(start)
    }

    fn read_with(&self, ahead: usize, buffer: Vec<u8>) -> Option<Cow<'t, [u8]>> {
        let window = self.pieces.window;
        let to = window.size().min(self.end + ahead);
        window.read(self.from()..to, buffer).ok()
    }

    /// Finds the real ends of the piece; returns the text if they cannot be found.
    fn split(&self, text: Cow<'t, [u8]>) -> Result<SplitPiece<'t>, Cow<'t, [u8]>> {
        let SplitPieces { rule, window, start: first, at, .. } = self.pieces;
        let start = self.from();
        let last = window.is_last() && start + text.len() == window.size();
        // `text` begins where the first piece does, or a multiple of every code unit after that. So counting units from
        // its start gives the same split points in every piece.
        let split =
            |at: usize| next_split(rule, &text, at - start).filter(|end| *end < text.len() || last);
        let begin = if at == first { Some(at - start) } else { split(at) };
        match (begin, split(self.end)) {
            (Some(begin), Some(end)) if begin < end => {
                Ok(SplitPiece { range: begin..end, text, start, last })
            }
            _ => Err(text),
        }
    }
}

impl SplitPiece<'_> {
    pub(super) fn chunk(&self) -> Chunk<'_> {
        Chunk::new(&self.text, self.last)
    }

    pub(super) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Returns where in the window byte `at` of the chunk is.
    pub(super) fn place(&self, at: usize) -> usize {
        self.start + at
    }

    pub(super) fn into_buffer(self) -> Vec<u8> {
        if let Cow::Owned(buffer) = self.text { buffer } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests;
