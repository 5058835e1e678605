//! Rows of bytes as a hex dump shows them, with those of a finding marked. Offsets are aligned to whole rows, so that
//! two findings in one row show the same row.

use super::cell_class::CellClass;

/// The most rows of marked bytes. Of more, those in the middle are left out.
const MAX_MARKED_ROWS: usize = 4;

/// The marked bytes, with the bytes around them.
#[derive(Debug)]
pub(super) struct MarkedBytes<'a> {
    pub(super) before: &'a [u8],
    pub(super) marked: &'a [u8],
    pub(super) after: &'a [u8],
    /// The offset of the first marked byte.
    pub(super) offset: u64,
}

impl MarkedBytes<'_> {
    /// Returns the byte at an offset, and whether it is marked. `None` for a place that is not known: the rows of a
    /// picture are aligned to multiples of their length, so the first may begin before the known bytes, and the last
    /// end after them.
    fn at(&self, offset: u64) -> Option<(u8, bool)> {
        if let Some(back) = self.offset.checked_sub(offset).filter(|back| *back > 0) {
            let index = self.before.len().checked_sub(usize::try_from(back).ok()?)?;
            return Some((self.before[index], false));
        }
        let index = usize::try_from(offset - self.offset).ok()?;
        match self.marked.get(index) {
            Some(byte) => Some((*byte, true)),
            None => self.after.get(index - self.marked.len()).map(|byte| (*byte, false)),
        }
    }

    /// Returns the rows with marked bytes, and one row before and after. Rows in the middle of a long run are replaced
    /// by a single [`HexRow::Omitted`]: the first `MAX_MARKED_ROWS` − 1 and the last one remain, which show how the run
    /// begins and ends.
    pub(super) fn rows(&self, per_row: usize) -> Vec<HexRow> {
        let len = per_row as u64;
        let last = self.offset + (self.marked.len() as u64).saturating_sub(1);
        let (first_row, last_row) = (self.offset / len, last / len);
        let mut rows = Vec::new();
        let mut gap = false;
        for row in first_row.saturating_sub(1)..=last_row + 1 {
            let marked = (first_row..=last_row).contains(&row);
            let index = row.saturating_sub(first_row);
            if marked && index as usize >= MAX_MARKED_ROWS - 1 && row != last_row {
                if !gap {
                    rows.push(HexRow::Omitted);
                }
                gap = true;
                continue;
            }
            let start = row * len;
            let cells: Vec<_> = (0..len).map(|index| self.cell(start + index)).collect();
            if cells.iter().any(Option::is_some) {
                rows.push(HexRow::Bytes { start, cells });
            }
        }
        rows
    }

    /// Returns how many hexadecimal digits each offset gets, so that the rows align.
    pub(super) fn digits(&self) -> usize {
        let end = self.offset + self.marked.len().max(1) as u64 - 1 + self.after.len() as u64;
        format!("{end:x}").len().next_multiple_of(2).max(4)
    }

    fn cell(&self, offset: u64) -> Option<(u8, CellClass)> {
        let (byte, marked) = self.at(offset)?;
        Some((byte, if marked { CellClass::Found } else { CellClass::of_byte(byte) }))
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum HexRow {
    /// Bytes; `None` is a place before the first or after the last one that is known.
    Bytes {
        start: u64,
        cells: Vec<Option<(u8, CellClass)>>,
    },
    Omitted,
}

/// Returns the character that is shown for a byte next to its hexadecimal digits.
pub(super) fn shown(byte: u8) -> char {
    if matches!(byte, b' '..=b'~') { byte.into() } else { '.' }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_bytes_around_and_mark_those_of_the_finding() {
        let bytes = MarkedBytes { before: b"ab", marked: b"\xE9", after: b"\0", offset: 2 };
        let cells = vec![
            Some((b'a', CellClass::Printing)),
            Some((b'b', CellClass::Printing)),
            Some((0xE9, CellClass::Found)),
            Some((0, CellClass::Zero)),
        ];
        assert_eq!(bytes.rows(4), [HexRow::Bytes { start: 0, cells }]);
        assert_eq!((shown(b' '), shown(b'~'), shown(0x7F), shown(0xE9)), (' ', '~', '.', '.'));
    }

    #[test]
    fn rows_in_the_middle_are_left_out() {
        let marked = [0xFF; 48];
        let bytes = MarkedBytes { before: b"", marked: &marked, after: b"", offset: 0 };
        let starts = |per_row| {
            let start = |row: &HexRow| match row {
                HexRow::Bytes { start, .. } => Some(*start),
                HexRow::Omitted => None,
            };
            bytes.rows(per_row).iter().map(start).collect::<Vec<_>>()
        };
        assert_eq!(starts(8), [Some(0), Some(8), Some(16), None, Some(40)]);
        assert_eq!(starts(16), [Some(0), Some(16), Some(32)]);
    }
}
