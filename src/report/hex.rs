//! Rows of bytes in hexadecimal and as text, with some bytes marked.

use super::palette::{Palette, paint};

/// The most rows of marked bytes; if there are more, those in the middle are left out.
const MOST_ROWS: usize = 4;

/// The bytes of a text, with the marked ones in between.
pub(super) struct Bytes<'a> {
    pub(super) before: &'a [u8],
    pub(super) marked: &'a [u8],
    pub(super) after: &'a [u8],
    /// The offset of the first marked byte.
    pub(super) offset: u64,
}

impl Bytes<'_> {
    /// Returns the byte at an offset, and whether it is marked.
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

    /// Formats the rows that have marked bytes, with one row before and after.
    pub(super) fn rows(&self, columns: usize, palette: &Palette) -> String {
        let last = self.offset + (self.marked.len() as u64).saturating_sub(1);
        let layout = HexLayout::fitting(columns, last + self.after.len() as u64);
        let per_row = layout.per_row as u64;
        let (first_row, last_row) = (self.offset / per_row, last / per_row);
        let mut text = String::new();
        let mut gap = false;
        for row in first_row.saturating_sub(1)..=last_row + 1 {
            let marked = (first_row..=last_row).contains(&row);
            let index = row.saturating_sub(first_row);
            if marked && index as usize >= MOST_ROWS - 1 && row != last_row {
                if !gap {
                    text.push_str(&layout.indent);
                    text.push_str("...\n");
                }
                gap = true;
                continue;
            }
            text.push_str(&self.row(row * per_row, &layout, palette));
        }
        text
    }

    /// Formats one row and the marks below it; empty if it has no bytes.
    fn row(&self, start: u64, layout: &HexLayout, palette: &Palette) -> String {
        let (mut hex, mut shown, mut marks) = (String::new(), String::new(), String::new());
        let mut any = false;
        for index in 0..layout.per_row {
            if index > 0 {
                let half = layout.per_row == 16 && index == 8;
                hex.push_str(if half { "  " } else { " " });
                marks.push_str(if half { "  " } else { " " });
            }
            let Some((byte, marked)) = self.at(start + index as u64) else {
                hex.push_str("  ");
                marks.push_str("  ");
                shown.push(' ');
                continue;
            };
            any = true;
            let colour = if marked { palette.found } else { palette.of_byte(byte) };
            hex.push_str(&paint(colour, &format!("{byte:02x}")));
            let c = if matches!(byte, b' '..=b'~') { byte.into() } else { '.' };
            shown.push_str(&paint(colour, &String::from(c)));
            marks.push_str(if marked { "^^" } else { "  " });
        }
        if !any {
            return String::new();
        }
        let HexLayout { indent, digits, .. } = layout;
        let offset = paint(palette.frame, &format!("{start:0digits$x}"));
        let mut text = format!("{indent}{offset}  {hex} |{shown}|\n");
        let marks = marks.trim_end();
        if !marks.is_empty() {
            let blanks = " ".repeat(indent.len() + digits + 2);
            text.push_str(&format!("{blanks}{}\n", paint(palette.found, marks)));
        }
        text
    }
}

/// The layout of a row.
struct HexLayout {
    indent: String,
    digits: usize,
    per_row: usize,
}

impl HexLayout {
    fn fitting(columns: usize, last_offset: u64) -> Self {
        let digits = format!("{last_offset:x}").len().next_multiple_of(2).max(4);
        let indent = if columns < 60 { "" } else { "  " };
        let per_row = [16, 8].into_iter().find(|per_row| {
            let hex = 3 * per_row + usize::from(*per_row == 16);
            indent.len() + digits + 2 + hex + 2 + per_row <= columns
        });
        Self { indent: indent.to_owned(), digits, per_row: per_row.unwrap_or(4) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_show_what_is_around_and_mark_what_is_meant() {
        let bytes =
            Bytes { before: b"abcdefghijklmnopqr", marked: b"\xE9", after: b"\x00tuv", offset: 18 };
        assert_eq!(
            bytes.rows(80, &Palette::default()),
            "  0000  61 62 63 64 65 66 67 68  69 6a 6b 6c 6d 6e 6f 70 |abcdefghijklmnop|\n\
             \x20 0010  71 72 e9 00 74 75 76                             |qr..tuv         |\n\
             \x20             ^^\n"
        );
        assert_eq!(
            bytes.rows(40, &Palette::default()),
            "0008  69 6a 6b 6c 6d 6e 6f 70 |ijklmnop|\n\
             0010  71 72 e9 00 74 75 76    |qr..tuv |\n\
             \x20           ^^\n"
        );
    }

    #[test]
    fn rows_hold_the_width_whatever_the_offset() {
        for offset in [0, 0xFFFF, 0x1_0000, 0xFFFF_FFFF, u64::MAX / 2] {
            let bytes =
                Bytes { before: &[b'a'; 64], marked: &[0xFF; 40], after: &[b'b'; 64], offset };
            for columns in [40, 80, 132] {
                let rows = bytes.rows(columns, &Palette::default());
                assert!(rows.lines().all(|line| line.len() <= columns), "{rows}");
            }
        }
    }
}
