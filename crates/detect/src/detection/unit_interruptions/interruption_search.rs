//! What interrupts a text that is examined and not converted, found as the engine finds it in one that is.

use std::ops::Range;

use super::{Interruption, NextInterruption, NextNarrow, ShiftedStart, WideUnits};

/// The search for all that interrupts one text, whose bytes come piece by piece.
#[derive(Clone, Debug)]
pub struct InterruptionSearch {
    units: WideUnits,
    /// Bytes that are not passed yet, after those that they are judged by.
    text: Vec<u8>,
    /// The offset of them.
    offset: u64,
    is_marked: bool,
    /// The next byte of them that is not passed, and the one up to which signs are judged.
    at: usize,
    judged: usize,
    /// Where the units begin.
    since: usize,
    state: SearchState,
}

/// Where in a text the search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SearchState {
    Start,
    Units,
    /// In a part in units of one byte, which begins here or before.
    Narrow {
        begins: bool,
    },
    /// In units of the other byte order, which nothing interrupts.
    Swapped,
}

impl InterruptionSearch {
    /// Creates the search in a text in these units, after a mark of so many bytes.
    pub fn new(units: WideUnits, mark_len: usize) -> Self {
        Self {
            units,
            text: Vec::new(),
            offset: 0,
            is_marked: mark_len > 0,
            at: mark_len,
            judged: mark_len,
            since: mark_len,
            state: SearchState::Start,
        }
    }

    /// Looks at the next bytes, of which `last` says that nothing follows, and passes on what interrupts the text, with its
    /// offset and, of bytes that are no whole unit, these bytes.
    pub fn look(
        &mut self,
        bytes: &[u8],
        last: bool,
        mut found: impl FnMut(u64, Interruption, &[u8]),
    ) {
        if self.state == SearchState::Swapped {
            return;
        }
        self.text.extend_from_slice(bytes);
        if self.text.len() < self.at {
            return;
        }
        while let Some((range, what)) = self.next(last) {
            found(self.offset + range.start as u64, what, &self.text[range]);
        }
        // What is left at the end is counted from the start of a unit.
        if last {
            return;
        }
        let kept = self.start();
        self.text.drain(..kept);
        self.offset += kept as u64;
        self.at -= kept;
        self.judged = self.judged.saturating_sub(kept);
        self.since = self.since.saturating_sub(kept);
    }

    /// Returns the number of bytes at the end that are no whole unit, after all was looked at.
    pub fn incomplete(&self) -> usize {
        match self.state {
            SearchState::Narrow { .. } | SearchState::Swapped => 0,
            SearchState::Start | SearchState::Units => {
                self.text.len().saturating_sub(self.since) % self.units.width()
            }
        }
    }

    /// Returns where the text begins by which the next bytes are judged.
    fn start(&self) -> usize {
        self.since.max(self.at.saturating_sub(WideUnits::LOOK))
    }

    fn next(&mut self, last: bool) -> Option<(Range<usize>, Interruption)> {
        loop {
            match self.state {
                SearchState::Start => match self.shifted_start(last)? {
                    ShiftedStart::Yes(stray) => {
                        return Some((self.pass(stray.len), Interruption::Stray(stray)));
                    }
                    ShiftedStart::Swapped => {
                        self.state = SearchState::Swapped;
                        return None;
                    }
                    ShiftedStart::No | ShiftedStart::Unknown => self.state = SearchState::Units,
                },
                SearchState::Narrow { begins } => {
                    match self.units.next_narrow(&self.text[self.at..], begins, last) {
                        NextNarrow::Unknown => return None,
                        NextNarrow::Line(len) | NextNarrow::Unclear(len) => {
                            self.at += len;
                            self.state = SearchState::Narrow { begins: false };
                        }
                        // The end of the text is in the part.
                        NextNarrow::End if self.at == self.text.len() => return None,
                        NextNarrow::End => {
                            self.pass(0);
                        }
                    }
                }
                SearchState::Units => return self.next_in_units(last),
                SearchState::Swapped => return None,
            }
        }
    }

    /// Returns whether the text is shifted from its start, if enough of it is there.
    fn shifted_start(&self, last: bool) -> Option<ShiftedStart> {
        let rest = &self.text[self.at..];
        let start = &rest[..rest.len().min(2 * WideUnits::LOOK)];
        let shifted =
            self.units.shifted_start(start, self.is_marked, last && start.len() == rest.len());
        (last || shifted != ShiftedStart::Unknown).then_some(shifted)
    }

    fn next_in_units(&mut self, last: bool) -> Option<(Range<usize>, Interruption)> {
        let start = self.start();
        let text = &self.text[start..];
        match self.units.next(text, self.judged.max(self.at) - start, last, false) {
            NextInterruption::None { clean, judged } => {
                (self.at, self.judged) = (start + clean, start + judged);
                None
            }
            NextInterruption::At(at, what) => {
                self.at = start + at;
                let range = match what {
                    Interruption::Stray(stray) => self.pass(stray.len),
                    Interruption::Narrow { .. } => {
                        self.state = SearchState::Narrow { begins: true };
                        self.at..self.at
                    }
                };
                Some((range, what))
            }
        }
    }

    /// Moves past bytes that are no whole unit, and begins with the units after them.
    fn pass(&mut self, bytes: usize) -> Range<usize> {
        let range = self.at..self.text.len().min(self.at + bytes);
        (self.at, self.judged, self.since) = (range.end, range.end, range.end);
        self.state = SearchState::Units;
        range
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxiconv_encodings::encoding::Encoding;

    fn units(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    /// Returns the offsets of what interrupts a text that comes in pieces of so many bytes, and the bytes left at its end.
    fn found(text: &[u8], piece: usize) -> (Vec<u64>, usize) {
        let units = WideUnits::of(Encoding::UTF_16LE).unwrap();
        let mut search = InterruptionSearch::new(units, 2);
        let mut found = Vec::new();
        for piece in text.chunks(piece) {
            search.look(piece, false, |at, _, _| found.push(at));
        }
        search.look(b"", true, |at, _, _| found.push(at));
        (found, search.incomplete())
    }

    #[test]
    fn no_split_of_a_text_changes_what_is_found() {
        let lines = units(&"Þáttarar fyrir alla\r\n".repeat(40));
        let mark = &b"\xFF\xFE"[..];
        let narrow = &b"text in single bytes\r\n"[..];
        let [one, two] = [lines.len() + 2, 2 * lines.len() + narrow.len() + 2].map(|at| at as u64);
        // A line end that was changed byte by byte.
        let changed = units("ok\n");
        let changed = [&changed[..4], b"\r\n\0"].concat();
        for (parts, expected) in [
            (vec![mark, &lines], (vec![], 0)),
            (vec![mark, &lines, narrow], (vec![one], 0)),
            (vec![mark, &lines, narrow, &lines, narrow], (vec![one, two], 0)),
            (vec![mark, &changed, &lines], (vec![6], 0)),
            (vec![mark, &lines, b"a"], (vec![], 1)),
            (vec![mark], (vec![], 0)),
        ] {
            let text = parts.concat();
            for piece in [1, 2, 7, 64, 1000, text.len()] {
                assert_eq!(found(&text, piece), expected, "{piece} {}", text.escape_ascii());
            }
        }
    }
}
