//! Draws pictures for a terminal: in characters and colours, and never wider than its columns.

use super::cell_class::CellClass;
use super::command;
use super::hex::{HexRow, MarkedBytes, shown};
use super::layout::{width, wrap};
use super::marked_line::{MarkedLine, text_of};
use super::palette::{Palette, paint};
use super::picture::{Draw, Picture, PictureReading, PictureRow, RowContent, Statement};
use super::visible::visible;

const LABEL: usize = 10;

#[derive(Debug)]
pub(super) struct TerminalDrawing {
    /// The name of the text, on one line.
    pub(super) path: String,
    /// Columns of the terminal; at least 40.
    pub(super) columns: usize,
    pub(super) palette: Palette,
    /// Whether a text without findings gets a line.
    pub(super) shows_clean: bool,
}

impl Draw for TerminalDrawing {
    fn picture(&mut self, picture: &Picture<'_>) -> String {
        let mut text = self.head(picture);
        text.push_str(&self.line(picture));
        if !picture.bytes.marked.is_empty() {
            text.push_str(&self.bytes(&picture.bytes));
        }
        text.push('\n');
        text.extend(picture.rows.iter().map(|row| self.row(row)));
        text + "\n"
    }

    fn statement(&mut self, statement: &Statement) -> String {
        let mut text =
            wrap("", &format!("{}: {}", self.path, statement.words), self.columns) + "\n";
        if !statement.rows.is_empty() {
            text.extend(statement.rows.iter().map(|row| self.row(row)));
            text.push('\n');
        }
        text
    }

    fn clean(&mut self, words: &str) -> String {
        let line = || wrap("", &format!("{}: {words}", self.path), self.columns);
        if self.shows_clean { line() } else { String::new() }
    }
}

impl TerminalDrawing {
    /// `notes.txt:3:14: error[truncated]: E2 82 at byte 419 (0x1a3)`
    fn head(&self, picture: &Picture<'_>) -> String {
        let (colour, word) = (self.palette.of_severity(picture.severity), picture.severity.name());
        let start = format!("{}:{}:{}:", self.path, picture.at.line, picture.at.column);
        let kind = format!("{word}[{}]:", picture.kind.id());
        let rest = picture.bytes_and_offset(self.columns / 6);
        let all = width(&start) + width(&kind) + width(&rest) + 2;
        let painted = [paint(self.palette.place, &start), paint(colour, &kind)];
        if all <= self.columns {
            return format!("{} {rest}\n\n", painted.join(" "));
        }
        let fits = width(&start) + 1 + width(&kind) <= self.columns;
        let first = painted.join(if fits { " " } else { "\n  " });
        format!("{first}\n{}\n", wrap("  ", &rest, self.columns))
    }

    fn line(&self, picture: &Picture<'_>) -> String {
        let number = picture.at.line.to_string();
        let blanks = " ".repeat(number.len());
        let columns = self.columns.saturating_sub(number.len() + 5);
        let (text, marks) = self.fitted(&picture.line, columns);
        let frame = |text: &str| paint(self.palette.frame, text);
        let marks = paint(self.palette.found, &marks);
        let first = format!("  {} {text}", frame(&format!("{number} |")));
        let second = format!("  {} {marks}", frame(&format!("{blanks} |")));
        format!("{}\n{second}\n\n", first.trim_end())
    }

    /// Formats a line in at most `columns`, and the marks below it: `^^^^` under `<E9>`.
    fn fitted(&self, line: &MarkedLine<'_>, columns: usize) -> (String, String) {
        let line = line.fitted(columns);
        let (before, marked) = line.marked_columns();
        let marks = format!("{}{}", " ".repeat(before), "^".repeat(marked.max(1)));
        let marked = paint(self.palette.found, &line.marked);
        (text_of(&line.before) + &marked + &text_of(&line.after), marks)
    }

    fn bytes(&self, bytes: &MarkedBytes<'_>) -> String {
        let layout = HexLayout::fitting(self.columns, bytes.digits());
        let rows = bytes.rows(layout.per_row);
        rows.iter().map(|row| self.hex_row(row, &layout)).collect()
    }

    /// Formats a row, and the marks below it.
    fn hex_row(&self, row: &HexRow, layout: &HexLayout) -> String {
        let HexLayout { indent, digits, per_row } = layout;
        let HexRow::Bytes { start, cells } = row else { return format!("{indent}...\n") };
        let (mut hex, mut text, mut marks) = (String::new(), String::new(), String::new());
        for (index, cell) in cells.iter().enumerate() {
            if index > 0 {
                let half = *per_row == 16 && index == 8;
                hex.push_str(if half { "  " } else { " " });
                marks.push_str(if half { "  " } else { " " });
            }
            let Some((byte, class)) = *cell else {
                hex.push_str("  ");
                marks.push_str("  ");
                text.push(' ');
                continue;
            };
            let colour = self.palette.of(class);
            hex.push_str(&paint(colour, &format!("{byte:02x}")));
            text.push_str(&paint(colour, &String::from(shown(byte))));
            marks.push_str(if class == CellClass::Found { "^^" } else { "  " });
        }
        let offset = paint(self.palette.frame, &format!("{start:0digits$x}"));
        let mut row = format!("{indent}{offset}  {hex} |{text}|\n");
        let marks = marks.trim_end();
        if !marks.is_empty() {
            let blanks = " ".repeat(indent.len() + digits + 2);
            row.push_str(&format!("{blanks}{}\n", paint(self.palette.found, marks)));
        }
        row
    }

    fn row(&self, row: &PictureRow<'_>) -> String {
        let label = format!("  {:LABEL$}", row.label);
        let painted = paint(self.palette.frame, &label);
        match &row.content {
            RowContent::Words(words) => {
                let text = wrap(&label, &visible(words), self.columns);
                painted + &text[label.len()..]
            }
            RowContent::Line(line) => {
                let (text, _) = self.fitted(line, self.columns.saturating_sub(label.len()));
                format!("{painted}{text}\n")
            }
            RowContent::Command(words, loss) => painted + &self.command(words, *loss),
            RowContent::Readings(readings) => painted + &self.readings(readings),
        }
    }

    /// Formats readings one below the other, in columns. If the names leave too little room, each line is below its
    /// names.
    fn readings(&self, readings: &[PictureReading<'_>]) -> String {
        const LEAST: usize = 24;
        let blank = " ".repeat(LABEL + 2);
        let names = readings.iter().map(|reading| width(reading.names)).max().unwrap_or(0);
        // `93 %` is between two blanks on each side.
        let room = self.columns.saturating_sub(blank.len() + names + 8);
        let lines: Vec<_> = readings
            .iter()
            .map(|PictureReading { names: name, confidence, line }| {
                if room >= LEAST {
                    return format!(
                        "{name:names$}  {confidence:>2} %  {}",
                        self.fitted(line, room).0
                    );
                }
                let (text, _) = self.fitted(line, self.columns.saturating_sub(blank.len() + 2));
                let head = wrap("", &format!("{name}, {confidence} %"), self.columns - blank.len());
                format!("{}\n{blank}  {text}", head.trim_end().replace('\n', &format!("\n{blank}")))
            })
            .collect();
        lines.join(&format!("\n{blank}")) + "\n"
    }

    /// Formats a command next to its label, continued with backslashes.
    fn command(&self, words: &[String], loss: Option<&str>) -> String {
        let blank = " ".repeat(LABEL + 2);
        let lines = command::lines(&blank, words, self.columns);
        let colour = self.palette.command;
        let shown: Vec<_> = lines.lines().map(|line| paint(colour, &line[LABEL + 2..])).collect();
        let mut text = shown.join(&format!("\n{blank}")) + "\n";
        if let Some(loss) = loss {
            text.push_str(&wrap(&blank, &format!("({loss})"), self.columns));
        }
        text
    }
}

/// The layout of a row of bytes: 16, 8 or 4 per row, whichever fits.
struct HexLayout {
    indent: String,
    digits: usize,
    per_row: usize,
}

impl HexLayout {
    fn fitting(columns: usize, digits: usize) -> Self {
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

    fn terminal(columns: usize) -> TerminalDrawing {
        let (path, palette) = (String::new(), Palette::default());
        TerminalDrawing { path, columns, palette, shows_clean: false }
    }

    #[test]
    fn rows_show_what_is_around_and_mark_what_is_meant() {
        let bytes = MarkedBytes {
            before: b"abcdefghijklmnopqr",
            marked: b"\xE9",
            after: b"\x00tuv",
            offset: 18,
        };
        assert_eq!(
            terminal(80).bytes(&bytes),
            "  0000  61 62 63 64 65 66 67 68  69 6a 6b 6c 6d 6e 6f 70 |abcdefghijklmnop|\n\
             \x20 0010  71 72 e9 00 74 75 76                             |qr..tuv         |\n\
             \x20             ^^\n"
        );
        assert_eq!(
            terminal(40).bytes(&bytes),
            "0008  69 6a 6b 6c 6d 6e 6f 70 |ijklmnop|\n\
             0010  71 72 e9 00 74 75 76    |qr..tuv |\n\
             \x20           ^^\n"
        );
    }

    #[test]
    fn rows_hold_the_width_whatever_the_offset() {
        for offset in [0, 0xFFFF, 0x1_0000, 0xFFFF_FFFF, u64::MAX / 2] {
            let bytes = MarkedBytes {
                before: &[b'a'; 64],
                marked: &[0xFF; 40],
                after: &[b'b'; 64],
                offset,
            };
            for columns in [40, 80, 132] {
                let rows = terminal(columns).bytes(&bytes);
                assert!(rows.lines().all(|line| line.len() <= columns), "{rows}");
            }
        }
    }
}
