//! The characters of a text that may have to be reported: the engine stops in front of each.

use super::conversion::Conversion;
use super::denied::Denied;
use super::newlines::{Interest, Newlines};
use super::policy::Detail;
use crate::encoding::Encoding;
use crate::unicode::{BYTE_ORDER_MARK, CARRIAGE_RETURN, CodePoint, LINE_FEED, NEXT_LINE};

/// Code points that are looked up in a table.
const LOW: usize = 128;

#[cfg(test)]
thread_local! {
    /// How many code points a watch was given, for tests of what an option costs.
    pub(super) static LOOKED_AT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// A set of characters to stop in front of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Watch {
    denied: Denied,
    marks: bool,
    line_ends: Interest,
    every: bool,
    /// Which of the first code points it has.
    low: [bool; LOW],
}

impl Watch {
    /// All characters.
    pub(super) const EVERY: Self = Self {
        denied: Denied::NONE,
        marks: false,
        line_ends: Interest::NONE,
        every: true,
        low: [true; LOW],
    };

    /// Returns the characters of a text in `encoding` that matter to a conversion; `None` if none does.
    pub(super) fn of(conversion: &Conversion, encoding: &Encoding) -> Option<Self> {
        let newlines = Newlines::of(conversion, encoding);
        conversion.looks_at_characters().then(|| {
            let watch = Self {
                denied: conversion.options.denied,
                marks: conversion.notes_marks(),
                line_ends: newlines.map_or(Interest::NONE, |newlines| newlines.interest()),
                every: conversion.options.detail == Detail::Characters,
                low: [true; LOW],
            };
            Self { low: std::array::from_fn(|cp| watch.looks_for(cp as CodePoint)), ..watch }
        })
    }

    /// Returns the set with these line ends instead.
    pub(super) fn with_line_ends(self, line_ends: Interest) -> Self {
        let mut watch = Self { line_ends, ..self };
        for cp in [CARRIAGE_RETURN, LINE_FEED] {
            watch.low[cp as usize] = watch.looks_for(cp);
        }
        watch
    }

    /// Returns the index of the first of them in `run`.
    pub(super) fn first_in(&self, run: &[CodePoint]) -> Option<usize> {
        #[cfg(test)]
        LOOKED_AT.with(|count| count.set(count.get() + run.len()));
        const BLOCK: usize = 32;
        // No branch for each character of a block of letters, digits and signs of ASCII, which are never looked for alone.
        let plain = |block: &[CodePoint]| {
            block.iter().fold(0, |most, cp| most.max(cp.wrapping_sub(0x20))) < 0x7F - 0x20
        };
        let blocks = run.chunks(BLOCK).zip((0..).step_by(BLOCK));
        blocks
            .filter(|(block, _)| self.every || !plain(block))
            .find_map(|(block, start)| Some(start + block.iter().position(|cp| self.has(*cp))?))
    }

    #[inline]
    fn has(&self, cp: CodePoint) -> bool {
        match self.low.get(cp as usize) {
            Some(low) => *low,
            None => self.looks_for(cp),
        }
    }

    fn looks_for(&self, cp: CodePoint) -> bool {
        self.every
            || self.denied.why(cp.into()).is_some()
            || match cp {
                BYTE_ORDER_MARK => self.marks,
                CARRIAGE_RETURN => self.line_ends.returns,
                LINE_FEED => self.line_ends.line_feeds,
                NEXT_LINE => self.line_ends.next_lines,
                _ => false,
            }
    }
}
