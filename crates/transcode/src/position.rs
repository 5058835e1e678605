//! Lines and columns, and how a run of text moves them.

use oxiconv_encodings::unicode::{CodePoint, LINE_FEED};

/// A place in a text, counted in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    /// From 1.
    pub(super) line: u64,
    /// From 1, in characters.
    pub(super) column: u64,
}

impl Position {
    pub(super) const START: Self = Self { line: 1, column: 1 };

    pub(super) fn pass(&mut self, run: &[CodePoint]) {
        // Summed as u32, the width of a code point, so that the compiler can vectorize it.
        let line_feeds: u32 = run.iter().map(|cp| u32::from(*cp == LINE_FEED)).sum();
        self.line += u64::from(line_feeds);
        if line_feeds == 0 {
            self.column += run.len() as u64;
        } else {
            let after = run.iter().rev().take_while(|cp| **cp != LINE_FEED).count();
            self.column = 1 + after as u64;
        }
    }

    pub(super) fn after(mut self, run: &[CodePoint]) -> Self {
        self.pass(run);
        self
    }

    /// Moves past a text that moves a position from the start of a text to `moved`. A text without a line feed adds its
    /// columns to the current line; any other sets the column, whatever it was. So the counts of kernel runs and of
    /// pieces that other threads convert can be added up afterwards.
    pub(super) fn pass_all(&mut self, moved: Self) {
        if moved.line == Self::START.line {
            self.column += moved.column - Self::START.column;
        } else {
            self.line += moved.line - Self::START.line;
            self.column = moved.column;
        }
    }

    pub(super) fn end_line(&mut self) {
        *self = Self { line: self.line + 1, ..Self::START };
    }

    /// Moves to before a mark that is not part of the text, so that the text after it begins at column 1.
    pub(super) fn before_mark(&mut self) {
        self.column = 0;
    }

    /// Moves past this many ill-formed subsequences, or characters that end no line.
    pub(super) fn pass_many(&mut self, count: u64) {
        self.column += count;
    }
}

/// What a run of text held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunCounts {
    pub(super) characters: u64,
    /// The position after it, if it were a text of its own.
    pub(super) moved: Position,
}

impl Default for RunCounts {
    fn default() -> Self {
        Self { characters: 0, moved: Position::START }
    }
}

impl RunCounts {
    pub(super) fn of(run: &[CodePoint]) -> Self {
        if run.is_empty() {
            return Self::default();
        }
        let mut moved = Position::START;
        moved.pass(run);
        Self { characters: run.len() as u64, moved }
    }

    /// Adds the counts of the run that follows.
    pub(super) fn add(&mut self, more: Self) {
        self.characters += more.characters;
        self.moved.pass_all(more.moved);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(runs: &[&str]) -> (u64, u64) {
        let mut position = Position::START;
        let mut counts = RunCounts::default();
        for run in runs {
            let run = run.chars().map(u32::from).collect::<Vec<_>>();
            position.pass(&run);
            counts.add(RunCounts::of(&run));
        }
        assert_eq!(counts.moved, position);
        (position.line, position.column)
    }

    #[test]
    fn lines_and_columns_count_from_one_and_add_up() {
        assert_eq!(after(&[]), (1, 1));
        assert_eq!(after(&["ab"]), (1, 3));
        assert_eq!(after(&["a\n"]), (2, 1));
        assert_eq!(after(&["a\nb", "c"]), (2, 3));
        assert_eq!(after(&["\n\nb€\n😀"]), (4, 2));
    }
}
