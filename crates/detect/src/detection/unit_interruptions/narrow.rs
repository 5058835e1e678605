//! Single-byte text within wide units: where it begins, and how far it reaches.
//!
//! ```text
//! 6F 00 6B 00 0A 00 │ 66 69 6E 65 0D 0A │ 6F 00      "ok" LF, then "fine" CR LF appended by a shell
//!                     楦   敮   U+0A0D       what UTF-16LE makes of the appended bytes
//! ```

use super::{
    Interruption, MAX_PLACE, MIN_DIFFERENT_UNITS, MIN_MARGIN, MIN_MARGIN_PER_BYTE, WideUnits,
    is_control, may_be_bytes,
};
use crate::detection::wide::{by_units, cost, cost_of_bytes};
use oxiconv_encodings::codec::ByteOrder;
use oxiconv_kernels::{MIN_ASCII_UNITS, is_of_ascii};

const PROBE: usize = 64;

/// What follows within a single-byte part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextNarrow {
    /// A line of this length, or a part of a long one.
    Line(usize),
    /// Text of this length that may be single-byte text or not, up to its next line feed.
    Unclear(usize),
    /// More bytes are needed.
    Unknown,
    /// The part has ended.
    End,
}

impl WideUnits {
    /// Returns what follows in a single-byte part. `begins` says that the part begins here, `last` that the text ends
    /// with `bytes`.
    ///
    /// Within a part, the burden of proof is reversed: the part ends only where the next `PROBE` bytes clearly show
    /// wide units again, or a byte order mark. Otherwise one unusual line would end it, and the lines after that would
    /// be read as ideographs.
    pub fn next_narrow(self, bytes: &[u8], begins: bool, last: bool) -> NextNarrow {
        if bytes.is_empty() {
            return if last { NextNarrow::End } else { NextNarrow::Unknown };
        }
        if !begins {
            if bytes.len() < PROBE && !last {
                return NextNarrow::Unknown;
            }
            let start = &bytes[..bytes.len().min(PROBE)];
            let is_marked = matches!(start, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]);
            if is_marked || by_units(start) == Some(self.encoding()) {
                return NextNarrow::End;
            }
        }
        let most = &bytes[..bytes.len().min(MAX_PLACE)];
        let line = match memchr::memchr(b'\n', most) {
            Some(at) => &most[..=at],
            None if most.len() == MAX_PLACE || last => most,
            None => return NextNarrow::Unknown,
        };
        // The first line was compared when the part was found, and less than a unit can be nothing else.
        let start = &bytes[..bytes.len().min(PROBE)];
        let is_clear = begins || start.len() < self.width || self.is_clearly_narrow(start);
        if !is_clear || line.iter().any(|byte| is_control(*byte)) {
            NextNarrow::Unclear(line.len())
        } else {
            NextNarrow::Line(line.len())
        }
    }

    /// Returns where a single-byte line begins that ends before `end`, if there is one. `at` is the first unit that
    /// belongs to it only in part.
    ///
    /// Two starts are tried: after the last unit that is not ASCII, and after the last one that cannot be single-byte
    /// text in any charset. The former is right for English, the latter for text with non-ASCII letters. English comes
    /// first because the second search goes further back: before `fine` it would also take units of the text itself, if
    /// none of their bytes is a control.
    pub(super) fn narrow(
        self,
        bytes: &[u8],
        at: usize,
        end: usize,
    ) -> Option<(usize, Interruption)> {
        let starts = [is_of_ascii as fn(&[u8]) -> bool, may_be_bytes];
        starts.into_iter().find_map(|of_line| {
            let start = self.start_of(bytes, at, of_line);
            let text = &bytes[start..end];
            (is_line(text, self.enough(text))
                && (!self.may_be_repeated(text)
                    || self.different_units(text) >= MIN_DIFFERENT_UNITS)
                && is_utf8_or_line(text)
                && self.is_clearly_narrow(text))
            .then_some((start, Interruption::Narrow { is_proved: false }))
        })
    }

    /// Returns where line ends or the 1A of CP/M were appended in single bytes, as `echo. >>` does. Read as UTF-16,
    /// they are letters of a script that does not occur before them: 0D 0A is U+0A0D or U+0D0A, and 1A 1A is a letter
    /// of Buginese.
    pub(super) fn appended_ends(self, bytes: &[u8]) -> Option<(usize, Interruption)> {
        let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n' | 0x1A);
        let len = bytes.iter().rev().take(Self::LOOK).take_while(|byte| is_end(byte)).count();
        let start = (bytes.len() - len).next_multiple_of(self.width);
        let row = |at| self.form.unit_at(bytes, at).map(|unit| unit >> 8);
        let mut before = (start.saturating_sub(Self::LOOK)..start).step_by(self.width);
        let is_alone = self.width == 2
            && start > 0
            && row(start).is_some_and(|own| before.all(|at| row(at) != Some(own)));
        is_alone.then_some((start, Interruption::Narrow { is_proved: false }))
    }

    /// Whether a text without a line end may be one character of UTF-16 over and over. In UTF-32, letters of
    /// single-byte text are out of range.
    fn may_be_repeated(self, text: &[u8]) -> bool {
        self.width == 2 && text.len().is_multiple_of(2) && !text.ends_with(b"\n")
    }

    /// Whether a text is clearly cheaper as single bytes.
    fn is_clearly_narrow(self, text: &[u8]) -> bool {
        let margin = MIN_MARGIN + MIN_MARGIN_PER_BYTE * text.len() as f32;
        cost(self.scheme, text) - cost_of_bytes(text) >= margin
    }

    /// Returns the least length of a single-byte line that is certain.
    ///
    /// It depends on how the line ends. Hardly any character has the bytes 0D 0A, so a CR LF needs little else. A line
    /// feed needs a few bytes more if the line is not a whole number of units, or if it is the high byte of a
    /// little-endian unit (Gurmukhi and Gujarati). Without a line end, at the end of the text, it takes a few more
    /// bytes, and again not a whole number of units. Otherwise the bytes could be ideographs, and only a long run rules
    /// that out. A run of one character proves nothing: `††††` are the bytes of eight spaces.
    fn enough(self, text: &[u8]) -> usize {
        let is_whole = text.len().is_multiple_of(self.width);
        let is_little = self.order == ByteOrder::Little;
        match text {
            [.., b'\r', b'\n'] => 3,
            [.., b'\n'] if !is_whole || is_little => 4,
            _ if !is_whole => 6,
            _ => MIN_ASCII_UNITS * self.width,
        }
    }
}

/// Whether text looks like a single-byte line: mostly words, not only blanks before a LF, without controls or a lone
/// CR, and at least `enough` bytes long.
fn is_line(text: &[u8], enough: usize) -> bool {
    let is_of_word = |byte: &&u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x80..)
    };
    let lone = |pair: &[u8]| pair[0] == b'\r' && pair[1] != b'\n';
    text.len() >= enough
        && (text.ends_with(b"\r\n") || !text.trim_ascii().is_empty())
        && !text.windows(2).any(lone)
        && !text.iter().any(|byte| is_control(*byte))
        && text.iter().filter(is_of_word).count() * 2 >= text.len()
}

/// Whether a line is well-formed UTF-8, or ends with CR LF, by which text in ideographs never ends.
fn is_utf8_or_line(text: &[u8]) -> bool {
    text.ends_with(b"\r\n") || std::str::from_utf8(text).is_ok()
}
