//! `--list all`: the main names of all encodings by script and family, wrapped to the width of the terminal.

use std::fmt::Write;

use anstyle::Style;

use oxiconv_encodings::encoding::{Encoding, groups};

pub(super) const INDENT: &str = "  ";

pub(super) const FURTHER: &str = "
All names of an encoding, and its source:   oxiconv --list -v NAME
By language, by use, by part of a name:     oxiconv --list russian excel cp125
";

pub(super) fn grouped(columns: usize, coloured: bool) -> String {
    let style = |style: Style| if coloured { style } else { Style::new() };
    let (heading, label) = (style(Style::new().bold()), style(Style::new().dimmed()));
    let groups: Vec<_> = groups().collect();
    let width = groups.iter().map(|group| group.family.len()).max().unwrap_or(0);
    let start = 2 * INDENT.len() + width;
    let mut list = String::new();
    let mut script = "";
    for group in &groups {
        if group.script != script {
            let gap = if script.is_empty() { "" } else { "\n" };
            script = group.script;
            let _ = writeln!(list, "{gap}{heading}{script}{heading:#}");
        }
        let names = group.encodings.iter().map(|encoding| encoding.name().to_owned());
        let family = format!("{INDENT}{label}{:width$}{label:#}{INDENT}", group.family);
        list += &family;
        list += &wrapped(names, start, columns);
    }
    let _ = writeln!(list, "\n{heading}Vendors' tables from ICU's archive{heading:#}");
    list += INDENT;
    list += &wrapped(archive(), INDENT.len(), columns);
    list += FURTHER;
    list
}

/// Returns a pattern for each vendor's tables in the archive, with their number: `ibm-* (N)`.
fn archive() -> impl Iterator<Item = String> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for encoding in Encoding::all().filter(|encoding| encoding.is_in_archive()) {
        let vendor = encoding.name().split('-').next().unwrap_or_default();
        match counts.iter_mut().find(|(known, _)| *known == vendor) {
            Some((_, count)) => *count += 1,
            None => counts.push((vendor, 1)),
        }
    }
    counts.into_iter().map(|(vendor, count)| format!("{vendor}-* ({count})"))
}

/// Wraps words to lines that begin in column `start`. The cursor is there already, so the first line is not indented.
pub(super) fn wrapped(words: impl Iterator<Item = String>, start: usize, columns: usize) -> String {
    let mut lines = String::new();
    let mut column = start;
    for word in words {
        let gap = if column == start { "" } else { INDENT };
        if column > start && column + gap.len() + word.len() > columns {
            let _ = write!(lines, "\n{:start$}{word}", "");
            column = start + word.len();
        } else {
            let _ = write!(lines, "{gap}{word}");
            column += gap.len() + word.len();
        }
    }
    lines.push('\n');
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_no_wider_than_the_terminal() {
        let longest = Encoding::all().map(|encoding| encoding.name().len()).max().unwrap();
        for columns in [40, 80, 100] {
            let list = grouped(columns, false);
            let names = list.lines().filter(|line| line.starts_with(INDENT));
            assert!(names.clone().count() > 100);
            for line in names {
                // A name that is wider than its column has a line of its own.
                assert!(line.len() <= columns.max(22 + longest), "{line}");
            }
        }
    }

    #[test]
    fn words_are_wrapped_between_them() {
        let words = ["ab", "cd", "ef"].map(str::to_owned);
        assert_eq!(wrapped(words.into_iter(), 2, 8), "ab  cd\n  ef\n");
    }
}
