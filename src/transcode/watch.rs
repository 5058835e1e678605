//! The characters of a text that may have to be reported: the engine stops in front of each.

use super::conversion::Conversion;
use super::denied::Denied;
use super::newlines::Newlines;
use super::policy::Detail;
use crate::unicode::{BYTE_ORDER_MARK, CARRIAGE_RETURN, CodePoint, LINE_FEED};

/// A set of characters to stop in front of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    denied: Denied,
    marks: bool,
    returns: bool,
    line_feeds: bool,
    every: bool,
}

impl Watch {
    /// All characters.
    pub(super) const EVERY: Self =
        Self { denied: Denied::NONE, marks: false, returns: false, line_feeds: false, every: true };

    /// Returns the characters that matter to a conversion; `None` if none does.
    pub(super) fn of(conversion: &Conversion) -> Option<Self> {
        let newlines = Newlines::of(conversion);
        let (line_feeds, returns) = newlines.map_or((false, false), |it| it.interest());
        conversion.looks_at_characters().then_some(Self {
            denied: conversion.options.denied,
            marks: conversion.notes_marks(),
            returns,
            line_feeds,
            every: conversion.options.detail == Detail::Characters,
        })
    }

    /// Returns the set without line feeds, and without carriage returns unless `returns` is set.
    pub(super) const fn without_line_feeds(self, returns: bool) -> Self {
        Self { line_feeds: false, returns, ..self }
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
                CARRIAGE_RETURN => self.returns,
                LINE_FEED => self.line_feeds,
                _ => false,
            }
    }
}
