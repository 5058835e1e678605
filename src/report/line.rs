//! The line of a finding, made safe for a terminal and cut to its width.

use super::layout::{cell, width};
use super::palette::{Palette, paint};
use crate::unicode::CodePoint;

const DOTS: &str = "...";

/// A line around the marked part.
pub(super) struct Line<'a> {
    pub(super) before: &'a [CodePoint],
    /// Whether the line begins before `before`.
    pub(super) more_before: bool,
    pub(super) marked: String,
    pub(super) after: &'a [CodePoint],
    /// Whether the line continues after `after`.
    pub(super) more_after: bool,
}

impl Line<'_> {
    /// Formats the line in at most `columns`, and the marks below it: `<E9>` under `^^^^`.
    pub(super) fn fitted(&self, columns: usize, palette: &Palette) -> (String, String) {
        let marked = shortened(&self.marked, columns / 2);
        let room = columns.saturating_sub(width(&marked));
        let after: Vec<_> = self.after.iter().map(|cp| cell(*cp)).collect();
        let before: Vec<_> = self.before.iter().rev().map(|cp| cell(*cp)).collect();
        let all_after: usize = after.iter().map(|cell| width(cell)).sum();
        let for_before = room.saturating_sub(all_after).max(room / 2);
        let mut head = taken(&before, for_before, self.more_before);
        head.reverse();
        let head = head.concat();
        let tail = taken(&after, room - width(&head), self.more_after).concat();
        let marks = format!("{}{}", " ".repeat(width(&head)), "^".repeat(width(&marked).max(1)));
        let text = format!("{head}{}{tail}", paint(palette.found, &marked));
        (text, marks)
    }
}

/// Returns as many of the cells as fit, with dots instead of those that do not.
fn taken(cells: &[String], room: usize, more: bool) -> Vec<&str> {
    let all: usize = cells.iter().map(|cell| width(cell)).sum();
    if all <= room && !more {
        return cells.iter().map(String::as_str).collect();
    }
    let room = room.saturating_sub(DOTS.len());
    let mut used = 0;
    let mut taken: Vec<_> = cells
        .iter()
        .take_while(|cell| {
            used += width(cell);
            used <= room
        })
        .map(String::as_str)
        .collect();
    taken.push(DOTS);
    taken
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
        let line = Line {
            before: &before,
            more_before: false,
            marked: marked.to_owned(),
            after: &after,
            more_after: false,
        };
        line.fitted(columns, &Palette::default())
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
        // Each takes two columns.
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
