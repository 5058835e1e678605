//! Finds the interruptions of a text that is examined and not converted, at the same places as the engine would.

use std::ops::Range;

use super::{Interruption, NextInterruption, NextNarrow, ShiftedStart, WideUnits};

/// The search in one text, whose bytes arrive in pieces.
///
/// `text` has the bytes that are not passed yet, after up to [`WideUnits::LOOK`] bytes of context, and `offset` is its
/// offset in the whole text. `at`, `judged` and `since` are indices in it: of the first byte that is not passed, of the
/// one up to which signs are judged, and of the one at which the units begin, as they do anew after each interruption.
#[derive(Clone, Debug)]
pub struct InterruptionSearch {
    units: WideUnits,
    text: Vec<u8>,
    offset: u64,
    is_marked: bool,
    at: usize,
    judged: usize,
    since: usize,
    state: SearchState,
}

/// Where the search is.
///
/// ```text
/// Start ─┬─► Units ─► Narrow, a part in single bytes ─► Units ─► …
///        └─► Swapped, to the end
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SearchState {
    Start,
    Units,
    /// Whether the next line is the first one of the part. That line was compared when the part was found.
    Narrow {
        begins: bool,
    },
    /// In units of the other byte order. Interruptions are not searched for there.
    Swapped,
}

impl InterruptionSearch {
    /// Starts a search in a text in these units, after a byte order mark of `mark_len` bytes.
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

    /// Examines the next bytes; `last` says that the text ends with them. Calls `found` with each interruption, its
    /// offset, and the bytes that are not a whole unit, if any.
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
        // `incomplete` counts from the start of a unit, so nothing is dropped at the end.
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

    /// Returns the number of bytes at the end that are not a whole unit, after the last call of [`Self::look`].
    pub fn incomplete(&self) -> usize {
        match self.state {
            SearchState::Narrow { .. } | SearchState::Swapped => 0,
            SearchState::Start | SearchState::Units => {
                self.text.len().saturating_sub(self.since) % self.units.width()
            }
        }
    }

    fn start(&self) -> usize {
        self.since.max(self.at.saturating_sub(WideUnits::LOOK))
    }

    /// Returns the next interruption, and the bytes that it skips. `None` if there is none in the text so far, or if it
    /// takes more of the text to tell.
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

    /// Returns whether the text is shifted from its start; `None` if more of it is needed.
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

    /// Moves past bytes that are not a whole unit. The units begin anew after them, so that all that follows is aligned
    /// to their end.
    fn pass(&mut self, bytes: usize) -> Range<usize> {
        let range = self.at..self.text.len().min(self.at + bytes);
        (self.at, self.judged, self.since) = (range.end, range.end, range.end);
        self.state = SearchState::Units;
        range
    }
}

#[cfg(test)]
mod tests;
