//! Where a text can be split so that each part is converted separately and the results are joined.

use std::ops::Range;

use crate::encoding::SplitRule;
use crate::io::Chunk;

/// Size of a piece in bytes, not counting the distance to the next place where the text can be split.
pub(super) const PIECE: usize = if cfg!(fuzzing) { 64 } else { 512 * 1024 };
/// How far to search for a place, in bytes; if there is none, one thread converts the text.
const SEARCH: usize = PIECE;

/// Returns the first place at or after byte `at` where `text` can be split into two parts that are decoded separately,
/// whatever the bytes are. The end of the text is such a place. `None` if there is none near.
pub(super) fn next_split(rule: SplitRule, text: &[u8], at: usize) -> Option<usize> {
    if at >= text.len() {
        return Some(text.len());
    }
    match rule {
        SplitRule::Never | SplitRule::AfterLine => None,
        SplitRule::Units(unit) => Some(at.next_multiple_of(unit).min(text.len())),
        // Before a byte that begins a sequence, or after three that do not: no sequence is longer.
        SplitRule::Utf8 => {
            let tail = text[at..].iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80);
            Some(at + tail.count())
        }
        // Between two code units, unless the second may be the second half of a pair.
        SplitRule::Utf16(high) => {
            let at = at.next_multiple_of(2);
            let second = text.get(at + high).is_some_and(|byte| byte & 0xFC == 0xDC);
            Some((at + if second { 2 } else { 0 }).min(text.len()))
        }
        SplitRule::AfterLow => {
            let near = &text[at..text.len().min(at + SEARCH)];
            let to_end = near.len() == text.len() - at;
            first_low(near).map(|found| at + found + 1).or(to_end.then_some(text.len()))
        }
    }
}

/// Returns the index of the first byte below 30.
fn first_low(bytes: &[u8]) -> Option<usize> {
    const BLOCK: usize = 64;
    let is_low = |byte: &u8| *byte < 0x30;
    // No branch for each byte of a block.
    let block =
        bytes.chunks(BLOCK).position(|block| block.iter().fold(false, |any, b| any | is_low(b)))?;
    let start = block * BLOCK;
    bytes[start..].iter().position(is_low).map(|found| start + found)
}

/// The pieces of a window of text, each from one split to the next.
#[derive(Clone)]
pub(super) struct Pieces<'t> {
    rule: SplitRule,
    window: &'t Chunk<'t>,
    start: usize,
    at: usize,
}

impl<'t> Pieces<'t> {
    /// Splits `window` from byte `start` on, as far as there are places to split it. Unless it is the last window, the text
    /// after the last place is left for the next one.
    pub(super) fn new(rule: SplitRule, window: &'t Chunk<'t>, start: usize) -> Self {
        Self { rule, window, start, at: start }
    }

    pub(super) fn window(&self) -> &'t Chunk<'t> {
        self.window
    }
}

impl Iterator for Pieces<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let (text, start) = (self.window.bytes, self.at);
        // Units are counted from the start.
        let end = next_split(self.rule, &text[self.start..], start + PIECE - self.start)
            .map(|end| self.start + end)
            .filter(|end| *end < text.len() || self.window.last);
        self.at = end.unwrap_or(text.len());
        end.filter(|end| start < *end).map(|end| start..end)
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

    #[test]
    fn a_window_without_a_place_to_split_it_has_no_pieces() {
        let text = vec![0x81; 5 * PIECE];
        for last in [false, true] {
            let mut window = Chunk::new(&text, last);
            assert_eq!(Pieces::new(SplitRule::AfterLow, &window, 0).next(), None);
            window.bytes = &text[..PIECE + 5];
            let short: Vec<_> = Pieces::new(SplitRule::AfterLow, &window, 0).collect();
            assert_eq!(short.len(), usize::from(last), "up to the end of the text, or none");
        }
    }
}
