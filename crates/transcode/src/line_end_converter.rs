//! How the lines of an output end: the stage between the characters of a text and the encoder.
//!
//! ```text
//! … a CR LF b CR c …  ─►  … a LF b LF c …  ─►  encoder
//! ```
//!
//! A carriage return becomes a line end at once, and a line feed after it is left out. So nothing waits for the next
//! character. Positions and findings are those of the text before this stage; an observer sees what comes out of it.

use super::conversion::Conversion;
use super::policy::NewlineMode;
use oxiconv_encodings::codec::{EncodeProgress, EncodeStop, Encoder};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::{
    BYTE_ORDER_MARK, CARRIAGE_RETURN, CodePoint, LINE_FEED, NEXT_LINE,
};

/// Changes the ends of the lines of one text after the other, and remembers how each text ends.
#[derive(Debug)]
pub(super) struct LineEndConverter {
    mode: NewlineMode,
    /// Whether U+0085 ends a line of the text.
    next_line: bool,
    /// Whether the last character was a carriage return, so that a line feed now belongs to it.
    after_return: bool,
    /// The second character of a line end whose first one was the last that the output had room for.
    due: Option<CodePoint>,
    /// How the first line of the text ends, if a line has ended and they are kept.
    first: Option<&'static [CodePoint]>,
    /// The last character that was written, if the text has any.
    last: Option<CodePoint>,
    /// What the last run became.
    changed: Vec<CodePoint>,
}

impl LineEndConverter {
    /// Returns the stage for a conversion that changes line ends.
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

    /// Begins a text in `encoding`.
    pub(super) fn begin(&mut self, encoding: &Encoding) {
        self.next_line = encoding.has_ebcdic_newlines();
        self.after_return = false;
        self.first = None;
        self.last = None;
    }

    /// Encodes `run` with other line ends. The progress counts the characters of `run`.
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
            // The target has all line ends, but not here.
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
                // No line end goes on after a character that the target lacks, whatever becomes of that.
                self.after_return = false;
                self.due = None;
            }
        }
        self.note(&changed);
        self.changed = changed;
        done
    }

    /// Returns how many characters of `run` the first `written` ones that they become stand for.
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

    /// Adds to `changed` what `run` becomes.
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

    /// Notes what was written.
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

    /// Looks for the end of the first line.
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

    /// Notes a character that is too large for a run.
    pub(super) fn note_large(&mut self) {
        self.note(&[CodePoint::MAX]);
        self.after_return = false;
    }

    /// Returns what the characters that were encoded last became: `run`, or something else.
    pub(super) fn written<'r>(&'r self, run: &'r [CodePoint]) -> &'r [CodePoint] {
        if self.mode == NewlineMode::Keep { run } else { &self.changed }
    }

    /// Returns the line end that the text lacks at its end, if it is not empty and lacks one.
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

/// Returns the index of the first of the `wanted` code points in `run`. No branch for each character of a block without any.
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

    /// The output had room for U+000D only. Then comes a character that the target lacks.
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
