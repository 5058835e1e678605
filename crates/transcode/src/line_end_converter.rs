//! Changes how the lines of an output end: the last step between the characters of a text and the encoder.
//!
//! ```text
//! text     a CR LF b CR c     in runs, cut anywhere: [a CR] [LF b CR] [c]
//! output   a LF    b LF c
//! ```
//!
//! A carriage return becomes a line end at once, and `after_return` remembers to drop a line feed after it. So nothing
//! waits for the next character, and a run that ends in CR is written like any other.
//!
//! The hard case is an output that is full in the middle of a line end. With CR LF as the new line end and room for one
//! byte, the encoder takes CR and stops. The line feed of the text counts as read then, since it cannot be passed again
//! without a second CR; the LF is `due`, and goes out before the next run.
//!
//! Positions and findings refer to the text before this step. An observer sees what comes out of it.

use super::conversion::Conversion;
use super::policy::NewlineMode;
use oxiconv_encodings::codec::{EncodeProgress, EncodeStop, Encoder};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::{
    BYTE_ORDER_MARK, CARRIAGE_RETURN, CodePoint, LINE_FEED, NEXT_LINE,
};

/// Converts the line ends of one text after the other, and remembers how each text ends.
#[derive(Debug)]
pub(super) struct LineEndConverter {
    mode: NewlineMode,
    next_line: bool,
    /// Whether the last character was a carriage return: a line feed now belongs to it.
    after_return: bool,
    /// The rest of a line end that was cut by a full output.
    due: Option<CodePoint>,
    /// How the first line of the text ends. Noted only if line ends are kept, for a line end that is added to the last
    /// line.
    first: Option<&'static [CodePoint]>,
    last: Option<CodePoint>,
    changed: Vec<CodePoint>,
}

impl LineEndConverter {
    pub(super) fn of(conversion: &Conversion) -> Option<Self> {
        conversion.changes_line_ends().then(|| Self {
            mode: conversion.options.line_ends.write_newlines,
            next_line: false,
            after_return: false,
            due: None,
            first: None,
            last: None,
            changed: Vec::new(),
        })
    }

    pub(super) fn begin(&mut self, encoding: &Encoding) {
        self.next_line = encoding.has_ebcdic_newlines();
        self.after_return = false;
        self.first = None;
        self.last = None;
    }

    /// Encodes `run` with its new line ends. The progress counts characters of `run`, not of what they become.
    ///
    /// The whole run is changed first and then encoded. If the encoder takes all of it, the state after the run is
    /// right. If it stops within, the state went too far: it is set back to that before the run, and
    /// [`LineEndConverter::read_for`] walks through the run again as far as its changed form was written.
    pub(super) fn encode(
        &mut self,
        encoder: &mut dyn Encoder,
        run: &[CodePoint],
        output: &mut [u8],
    ) -> EncodeProgress {
        let Some((_, end)) = self.mode.written() else {
            let done = encoder.encode(run, output);
            self.note(&run[..done.read]);
            return done;
        };
        let after_return = self.after_return;
        let mut changed = std::mem::take(&mut self.changed);
        changed.clear();
        changed.extend(self.due);
        self.change(run, end, &mut changed);
        let mut done = encoder.encode(&changed, output);
        if done.stop == EncodeStop::Unmappable && done.read == 0 && self.due.take().is_some() {
            // The target has every line end, but not in its present state. What is due is dropped, and the run is tried
            // again without it.
            (self.after_return, self.changed) = (after_return, changed);
            return self.encode(encoder, run, output);
        }
        if done.read == changed.len() {
            self.due = None;
            done.read = run.len();
        } else {
            changed.truncate(done.read);
            self.after_return = after_return;
            done.read = self.read_for(run, end, done.read);
            if done.stop == EncodeStop::Unmappable {
                // A line feed after a character that the target lacks is a line end of its own, whatever is written for
                // that character.
                self.after_return = false;
                self.due = None;
            }
        }
        self.note(&changed);
        self.changed = changed;
        done
    }

    /// Returns how many characters of `run` are behind the first `written` characters of the changed text, and leaves
    /// the state as it is after those.
    ///
    /// Each character is changed again by itself: CR LF may become one character, and LF two. A line end that is
    /// written in part counts as read, and its rest becomes due. A character that becomes nothing, such as the LF of CR
    /// LF, counts with the one before it.
    fn read_for(&mut self, run: &[CodePoint], end: &[CodePoint], written: usize) -> usize {
        let Some(mut left) = written.checked_sub(usize::from(self.due.is_some())) else { return 0 };
        self.due = None;
        let mut one = Vec::new();
        for (at, cp) in run.iter().enumerate() {
            let before = self.after_return;
            one.clear();
            self.change(&[*cp], end, &mut one);
            if left == 0 && !one.is_empty() {
                self.after_return = before;
                return at;
            }
            if one.len() > left {
                self.due = one.get(left).copied();
                return at + 1;
            }
            left -= one.len();
        }
        run.len()
    }

    /// Appends `run` with its new line ends to `changed`.
    ///
    /// A carriage return writes the line end at once. A line feed, or U+0085 in EBCDIC, writes one too, unless the
    /// character before it was a carriage return. Lines between are copied as a whole, and their ends found by blocks
    /// ([`first_of`]).
    fn change(&mut self, run: &[CodePoint], end: &[CodePoint], changed: &mut Vec<CodePoint>) {
        let wanted =
            [CARRIAGE_RETURN, LINE_FEED, if self.next_line { NEXT_LINE } else { LINE_FEED }];
        let mut rest = run;
        while let Some((first, after)) = rest.split_first() {
            if wanted.contains(first) {
                if !(std::mem::take(&mut self.after_return) && *first != CARRIAGE_RETURN) {
                    changed.extend_from_slice(end);
                    self.after_return = *first == CARRIAGE_RETURN;
                }
                rest = after;
                continue;
            }
            self.after_return = false;
            let line = first_of(rest, wanted).unwrap_or(rest.len());
            changed.extend_from_slice(&rest[..line]);
            rest = &rest[line..];
        }
    }

    fn note(&mut self, written: &[CodePoint]) {
        let Some(last) = written.last() else { return };
        if self.mode == NewlineMode::Keep && self.first.is_none() {
            self.note_first(written);
        }
        // A mark at the start is not text.
        if self.last.is_some() || written.iter().any(|cp| *cp != BYTE_ORDER_MARK) {
            self.last = Some(*last);
        }
    }

    fn note_first(&mut self, written: &[CodePoint]) {
        for cp in written {
            let after_return = std::mem::replace(&mut self.after_return, *cp == CARRIAGE_RETURN);
            self.first = match (*cp, after_return) {
                (LINE_FEED, true) => Some(&[CARRIAGE_RETURN, LINE_FEED]),
                (NEXT_LINE, true) if self.next_line => Some(&[CARRIAGE_RETURN, NEXT_LINE]),
                (_, true) => Some(&[CARRIAGE_RETURN]),
                (LINE_FEED, false) => Some(&[LINE_FEED]),
                (NEXT_LINE, false) if self.next_line => Some(&[NEXT_LINE]),
                _ => continue,
            };
            return;
        }
    }

    pub(super) fn note_large(&mut self) {
        self.note(&[CodePoint::MAX]);
        self.after_return = false;
    }

    /// Returns what was encoded last: `run`, or its changed form.
    pub(super) fn written<'r>(&'r self, run: &'r [CodePoint]) -> &'r [CodePoint] {
        if self.mode == NewlineMode::Keep { run } else { &self.changed }
    }

    /// Returns the line end to add to the text: `None` if it is empty or ends with one.
    pub(super) fn missing(&self) -> Option<&'static [CodePoint]> {
        let ended = match self.last? {
            LINE_FEED | CARRIAGE_RETURN => true,
            NEXT_LINE => self.next_line || self.mode == NewlineMode::NextLine,
            _ => false,
        };
        let end = self.mode.written().map(|(_, end)| end).or(self.first);
        (!ended).then_some(end.unwrap_or(&[LINE_FEED]))
    }
}

/// Returns the index of the first of the `wanted` code points in `run`.
///
/// A block without any of them is passed by a fold that has no branch per character, so that the compiler can vectorize
/// it. Only a block with a hit is searched.
pub(super) fn first_of(run: &[CodePoint], wanted: [CodePoint; 3]) -> Option<usize> {
    const BLOCK: usize = 64;
    let [a, b, c] = wanted;
    let has_any = |block: &[CodePoint]| {
        block.iter().fold(false, |any, cp| any | (*cp == a) | (*cp == b) | (*cp == c))
    };
    let blocks = run.chunks(BLOCK).zip((0..).step_by(BLOCK));
    blocks
        .filter(|(block, _)| has_any(block))
        .find_map(|(block, start)| Some(start + block.iter().position(|cp| wanted.contains(cp))?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;

    /// The output has room for U+000D only, and a character that the target lacks follows.
    #[test]
    fn a_line_end_that_was_cut_is_written_before_what_is_unmappable() {
        let (options, latin1) = (Options::new(), Encoding::for_name("ISO-8859-1").unwrap());
        let options = options.write_newlines(NewlineMode::Both);
        let conversion = options.build(Encoding::UTF_8, latin1).unwrap();
        let mut encoder = conversion.new_encoder(latin1, conversion.output_order());
        let (mut ends, mut output) = (LineEndConverter::of(&conversion).unwrap(), [0; 4]);
        let done = ends.encode(&mut *encoder, &[0x61, LINE_FEED, 0x20AC], &mut output[..2]);
        assert_eq!((done.read, done.written, done.stop), (2, 2, EncodeStop::OutputFull));
        let done = ends.encode(&mut *encoder, &[0x20AC, 0x62], &mut output[2..]);
        assert_eq!((done.read, done.written, done.stop), (0, 1, EncodeStop::Unmappable));
        assert_eq!(output[..3], *b"a\r\n");
        let done = ends.encode(&mut *encoder, &[0x62], &mut output);
        assert_eq!((done.read, done.written, output[0]), (1, 1, b'b'));
    }
}
