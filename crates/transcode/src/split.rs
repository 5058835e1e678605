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
mod tests {
    use super::*;

    #[test]
    fn a_text_is_split_where_each_part_can_be_decoded_by_itself() {
        let cuts = |cut, text: &[u8], places: std::ops::RangeInclusive<usize>| -> Vec<_> {
            places.map(|at| next_split(cut, text, at).unwrap()).collect()
        };
        let utf8 = "aé€😀".as_bytes();
        assert_eq!(cuts(SplitRule::Utf8, utf8, 0..=10), [0, 1, 3, 3, 6, 6, 6, 10, 10, 10, 10]);
        let never_further = next_split(SplitRule::Utf8, &[0x80; 9], 2);
        assert_eq!(never_further, Some(5), "never further than three bytes");
        let utf16 = [0x00, 0x41, 0xD8, 0x3D, 0xDE, 0x00, 0x00, 0x42];
        assert_eq!(cuts(SplitRule::Utf16(0), &utf16, 0..=8), [0, 2, 2, 6, 6, 6, 6, 8, 8]);
        let little = [0x41, 0x00, 0x3D, 0xD8, 0x00, 0xDE, 0x42, 0x00];
        assert_eq!(cuts(SplitRule::Utf16(1), &little, 0..=8), [0, 2, 2, 6, 6, 6, 6, 8, 8]);
        assert_eq!(cuts(SplitRule::Units(4), &[0; 9], 5..=9), [8, 8, 8, 8, 9]);
        assert_eq!(cuts(SplitRule::Units(1), &[0xFF; 3], 0..=3), [0, 1, 2, 3]);
        assert_eq!(cuts(SplitRule::AfterLow, b"ab\ncd !0", 0..=8), [3, 3, 3, 6, 6, 6, 7, 8, 8]);
        assert_eq!(next_split(SplitRule::Never, b"abc", 1), None);
        let long = [&[0x81; SEARCH][..], b" ", &[0x81; SEARCH + 1]].concat();
        assert_eq!(next_split(SplitRule::AfterLow, &long, 0), None);
        assert_eq!(next_split(SplitRule::AfterLow, &long, 1), Some(SEARCH + 1));
        assert_eq!(next_split(SplitRule::AfterLow, &long, SEARCH + 1), None);
        assert_eq!(next_split(SplitRule::AfterLow, &long, SEARCH + 2), Some(long.len()), "the end");
        for (before, len) in [(0, 64), (63, 64), (64, 65), (130, 200), (5, 6)] {
            let mut bytes = vec![0x30; len];
            bytes[before] = 0x2F;
            assert_eq!(first_low(&bytes), Some(before));
        }
        assert_eq!(first_low(&[0x30; 200]), None);
    }

    /// A window that is read again for each piece, and ends with the text if it is the last.
    struct RereadWindow<'t>(&'t [u8], bool);

    impl Window for RereadWindow<'_> {
        fn size(&self) -> usize {
            self.0.len()
        }

        fn is_last(&self) -> bool {
            self.1
        }

        fn read(&self, range: Range<usize>, mut buffer: Vec<u8>) -> std::io::Result<Cow<'_, [u8]>> {
            buffer.clear();
            buffer.extend_from_slice(&self.0[range]);
            Ok(Cow::Owned(buffer))
        }
    }

    /// Returns where the pieces begin and end in the window; `None` for one that could not be split.
    fn pieces(rule: SplitRule, window: &dyn Window, start: usize) -> Vec<Option<Range<usize>>> {
        let place = |piece: SplitPiece<'_>| {
            let Range { start, end } = piece.range();
            let range = piece.place(start)..piece.place(end);
            assert_eq!(piece.chunk().bytes[start..end].len(), range.len());
            range
        };
        let pieces = SplitPieces::new(rule, window, start, 16);
        pieces.map(|unread| unread.read(vec![7; 5]).map(place)).collect()
    }

    #[test]
    fn pieces_follow_each_other_whoever_reads_them() {
        // A three-byte character lies across each border.
        let text = "€".repeat(PIECE);
        let ends: Vec<_> =
            (0..=3).map(|number| number * PIECE).map(|at| at.next_multiple_of(3)).collect();
        let whole: Vec<_> = ends.windows(2).map(|ends| Some(ends[0]..ends[1])).collect();
        assert_eq!(pieces(SplitRule::Utf8, &RereadWindow(text.as_bytes(), true), 0), whole);
        // The end may belong to what follows.
        assert_eq!(pieces(SplitRule::Utf8, &RereadWindow(text.as_bytes(), false), 0), whole[..2]);
        // Units are counted from the start.
        let odd = pieces(SplitRule::Units(4), &RereadWindow(&vec![0; 2 * PIECE + 8], true), 3);
        let middle = 3 + PIECE;
        assert_eq!(odd[0], Some(3..middle));
        assert_eq!(odd[1], Some(middle..middle + PIECE));
        assert_eq!(odd[2], Some(middle + PIECE..2 * PIECE + 8));
    }

    #[test]
    fn a_window_without_a_place_to_split_it_has_no_pieces() {
        let mut text = vec![0x81; 5 * PIECE];
        for last in [false, true] {
            let found = pieces(SplitRule::AfterLow, &RereadWindow(&text, last), 0);
            assert_eq!(found[0], None, "{last}");
            let short = pieces(SplitRule::AfterLow, &RereadWindow(&text[..PIECE + 5], last), 0);
            let all = Some(0..PIECE + 5);
            assert_eq!(short.first(), Some(&all).filter(|_| last).or(Some(&None)), "{last}");
        }
        assert!(pieces(SplitRule::Never, &RereadWindow(&text, true), 0).is_empty());
        // A split point beyond what is read at first.
        text[PIECE + SEARCH / 2] = b' ';
        let found = pieces(SplitRule::AfterLow, &RereadWindow(&text, true), 0);
        assert_eq!(found[0], Some(0..PIECE + SEARCH / 2 + 1));
    }
}
