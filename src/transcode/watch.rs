//! The characters of a text that may have to be reported: the engine stops in front of each.

use super::conversion::Conversion;
use super::denied::Denied;
use super::newlines::{Interest, Newlines};
use super::policy::Detail;
use crate::encoding::Encoding;
use crate::unicode::{BYTE_ORDER_MARK, CARRIAGE_RETURN, CodePoint, LINE_FEED, NEXT_LINE};

/// A set of characters to stop in front of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    denied: Denied,
    marks: bool,
    line_ends: Interest,
    every: bool,
}

impl Watch {
    /// All characters.
    pub(super) const EVERY: Self =
        Self { denied: Denied::NONE, marks: false, line_ends: Interest::NONE, every: true };

    /// Returns the characters of a text in `encoding` that matter to a conversion; `None` if none does.
    pub(super) fn of(conversion: &Conversion, encoding: &Encoding) -> Option<Self> {
        let newlines = Newlines::of(conversion, encoding);
        conversion.looks_at_characters().then_some(Self {
            denied: conversion.options.denied,
            marks: conversion.notes_marks(),
            line_ends: newlines.map_or(Interest::NONE, |newlines| newlines.interest()),
            every: conversion.options.detail == Detail::Characters,
        })
    }

    /// Returns the set with these line ends instead.
    pub(super) const fn with_line_ends(self, line_ends: Interest) -> Self {
        Self { line_ends, ..self }
    }

    /// Returns the index of the first of them in `run`.
    pub(super) fn first_in(&self, run: &[CodePoint]) -> Option<usize> {
        run.iter().position(|cp| self.has(*cp))
    }

    #[inline]
    fn has(&self, cp: CodePoint) -> bool {
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
