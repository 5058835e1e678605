//! The line of a finding, with escapes for what is invisible, cut to a width.
//!
//! ```text
//! ...6789<E9>abcd...        both sides are cut, the marked part is kept
//!        ^^^^
//! ```

use super::cell_class::CellClass;
use super::layout::{cell, width};
use oxiconv_encodings::unicode::CodePoint;

const DOTS: &str = "...";

/// A line, with a marked part in the middle.
#[derive(Debug)]
pub(super) struct MarkedLine<'a> {
    pub(super) before: &'a [CodePoint],
    /// Whether the line begins before `before`.
    pub(super) more_before: bool,
    pub(super) marked: String,
    pub(super) after: &'a [CodePoint],
    /// Whether the line continues after `after`.
    pub(super) more_after: bool,
}

impl MarkedLine<'_> {
    /// Returns as much of the line as fits in `columns`. The marked part gets half of them at most. The rest is divided
    /// between both sides: each gets at least half of it, and what the other side does not need.
    ///
    /// The side before is cut in reverse, so that what is dropped is farthest from the marked part.
    pub(super) fn fitted(&self, columns: usize) -> FittedLine {
        let marked = shortened(&self.marked, columns / 2);
        let room = columns.saturating_sub(width(&marked));
        let after: Vec<_> = self.after.iter().map(|cp| LineCell::of(*cp)).collect();
        let before: Vec<_> = self.before.iter().rev().map(|cp| LineCell::of(*cp)).collect();
        let all_after = width_of(&after);
        let for_before = room.saturating_sub(all_after).max(room / 2);
        let mut before = taken(before, for_before, self.more_before);
        before.reverse();
        let after = taken(after, room - width_of(&before), self.more_after);
        FittedLine { before, marked, after }
    }
}

/// A line cut to a width: `caf<E9> au lait`.
#[derive(Debug)]
pub(super) struct FittedLine {
    pub(super) before: Vec<LineCell>,
    pub(super) marked: String,
    pub(super) after: Vec<LineCell>,
}

impl FittedLine {
    /// Returns the number of columns before the marked part, and those of the marked part.
    pub(super) fn marked_columns(&self) -> (usize, usize) {
        (width_of(&self.before), width(&self.marked))
    }
}

/// A character of a line as it is displayed.
#[derive(Debug)]
pub(super) struct LineCell {
    pub(super) class: CellClass,
    pub(super) text: String,
}

impl LineCell {
    fn of(cp: CodePoint) -> Self {
        Self { class: CellClass::of_character(cp), text: cell(cp) }
    }

    fn dots() -> Self {
        Self { class: CellClass::Omitted, text: DOTS.to_owned() }
    }
}

pub(super) fn text_of(cells: &[LineCell]) -> String {
    cells.iter().map(|cell| &*cell.text).collect()
}

fn width_of(cells: &[LineCell]) -> usize {
    cells.iter().map(|cell| width(&cell.text)).sum()
}

/// Returns as many cells as fit, with an ellipsis in place of the others.
fn taken(mut cells: Vec<LineCell>, room: usize, more: bool) -> Vec<LineCell> {
    if width_of(&cells) <= room && !more {
        return cells;
    }
    let room = room.saturating_sub(DOTS.len());
    let mut used = 0;
    let fitting = cells.iter().take_while(|cell| {
        used += width(&cell.text);
        used <= room
    });
    let fitting = fitting.count();
    cells.truncate(fitting);
    cells.push(LineCell::dots());
    cells
}

fn shortened(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        if width(&short) + 1 + DOTS.len() > columns {
            break;
        }
        short.push(c);
    }
    short + DOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(before: &str, marked: &str, after: &str, columns: usize) -> (String, String) {
        let cps = |text: &str| text.chars().map(u32::from).collect::<Vec<_>>();
        let (before, after) = (cps(before), cps(after));
        let line = MarkedLine {
            before: &before,
            more_before: false,
            marked: marked.to_owned(),
            after: &after,
            more_after: false,
        };
        let line = line.fitted(columns);
        let (before, marked) = line.marked_columns();
        let marks = " ".repeat(before) + &"^".repeat(marked);
        (text_of(&line.before) + &line.marked + &text_of(&line.after), marks)
    }

    #[test]
    fn the_marked_part_is_shown_and_the_rest_as_far_as_it_fits() {
        assert_eq!(
            fitted("caf", "<E9>", " au lait", 40),
            ("caf<E9> au lait".into(), "   ^^^^".into())
        );
        assert_eq!(
            fitted("0123456789", "<E9>", "abcdefghij", 18),
            ("...6789<E9>abcd...".into(), "       ^^^^".into())
        );
        assert_eq!(
            fitted("0123456789", "<E9>", "", 14),
            ("0123456789<E9>".into(), "          ^^^^".into())
        );
        // Each ideograph takes two columns.
        assert_eq!(fitted("\u{65E5}\u{672C}", "<E9>", "", 20).1, "    ^^^^");
        assert_eq!(fitted("a\x1B[31m", "<E9>", "", 20).0, "a\\u{1b}[31m<E9>");
    }

    #[test]
    fn no_line_is_too_long() {
        let long = "\u{65E5}x\x1By".repeat(30);
        for columns in 20..90 {
            let (text, marks) = fitted(&long, &"<E9>".repeat(20), &long, columns);
            assert!(width(&text) <= columns, "{columns}: {text}");
            assert!(marks.len() <= columns, "{columns}");
        }
    }
}
