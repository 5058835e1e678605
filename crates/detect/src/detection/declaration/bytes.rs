//! What the scanners for declarations share: white space, words in any case, and lines. All indices are of the head. A
//! search from an index past its end finds nothing, so the scanners need no checks of their own.

use std::ops::Range;

use super::ascii_view::NON_ASCII;

/// Whether a byte is white space in XML or HTML, or a form feed.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}

/// Whether `bytes` begin with `word`, ignoring ASCII case.
pub(super) fn begins(bytes: &[u8], word: &[u8]) -> bool {
    bytes.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// Finds the first `word` from byte `from` on, ignoring ASCII case.
pub(super) fn find(bytes: &[u8], from: usize, word: &[u8]) -> Option<usize> {
    (from..bytes.len()).find(|at| begins(&bytes[*at..], word))
}

/// Returns the index of the first byte from `at` on that is not white space.
pub(super) fn skip_spaces(bytes: &[u8], at: usize) -> usize {
    end_of(bytes, at, is_space)
}

/// Returns the end of the bytes from `at` on that satisfy `belong`.
pub(super) fn end_of(bytes: &[u8], at: usize, belong: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| belong(**byte)).count()
}

/// Returns `range` without leading and trailing white space.
pub(super) fn trimmed(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let Range { mut start, mut end } = range;
    while start < end && is_space(bytes[start]) {
        start += 1;
    }
    while start < end && is_space(bytes[end - 1]) {
        end -= 1;
    }
    start..end
}

/// Returns the length of the byte order mark at the start: UTF-8's, or the one byte that stands for it in an
/// `AsciiView`.
pub(super) fn mark_len(head: &[u8]) -> usize {
    match head {
        [0xEF, 0xBB, 0xBF, ..] => 3,
        [NON_ASCII, ..] => 1,
        _ => 0,
    }
}

/// Iterates over the ranges of lines after the byte order mark, without their line ends.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = mark_len(bytes);
    std::iter::from_fn(move || {
        if at >= bytes.len() {
            return None;
        }
        let end = end_of(bytes, at, |byte| !matches!(byte, b'\r' | b'\n'));
        let line = at..end;
        at = match bytes.get(end..) {
            Some([b'\r', b'\n', ..]) => end + 2,
            _ => end + 1,
        };
        Some(line)
    })
}
