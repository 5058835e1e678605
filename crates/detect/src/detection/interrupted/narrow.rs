//! Text in units of one byte within text in wide units: where it begins, and how far it reaches.

use super::{
    CLEAR, CLEAR_PER_BYTE, Interruption, LONGEST_PLACE, WideUnits, is_control, may_be_bytes,
};
use crate::detection::wide::{by_units, cost, cost_of_bytes};
use oxiconv_encodings::codec::ByteOrder;
use oxiconv_kernels::{MIN_ASCII_UNITS, is_of_ascii};

/// Bytes that tell whether a part in single bytes goes on.
const BLOCK: usize = 64;

/// What follows in a part in units of one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextNarrow {
    /// A line, or a part of a long one.
    Line(usize),
    /// Text that may be in single bytes or not, up to its next line feed.
    Unclear(usize),
    /// More bytes are needed.
    Unknown,
    /// The part has ended.
    End,
}

impl WideUnits {
    /// Returns what follows in a part in units of one byte; `begins` says that it begins here.
    pub fn next_narrow(self, bytes: &[u8], begins: bool, last: bool) -> NextNarrow {
        if bytes.is_empty() {
            return if last { NextNarrow::End } else { NextNarrow::Unknown };
        }
        if !begins {
            if bytes.len() < BLOCK && !last {
                return NextNarrow::Unknown;
            }
            let start = &bytes[..bytes.len().min(BLOCK)];
            let is_marked = matches!(start, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]);
            if is_marked || by_units(start) == Some(self.encoding()) {
                return NextNarrow::End;
            }
        }
        let most = &bytes[..bytes.len().min(LONGEST_PLACE)];
        let line = match memchr::memchr(b'\n', most) {
            Some(at) => &most[..=at],
            None if most.len() == LONGEST_PLACE || last => most,
            None => return NextNarrow::Unknown,
        };
        // What a part begins with was compared before it was found, and less than a unit is nothing else.
        let start = &bytes[..bytes.len().min(BLOCK)];
        let is_clear = begins || start.len() < self.width || self.is_clearly_narrow(start);
        if !is_clear || line.iter().any(|byte| is_control(*byte)) {
            NextNarrow::Unclear(line.len())
        } else {
            NextNarrow::Line(line.len())
        }
    }

    /// Returns where text in units of one byte begins, if the line that ends before `end` is such text; `at` is the first
    /// unit after those that may be of it as a whole.
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
                && is_utf8_or_line(text)
                && self.is_clearly_narrow(text))
            .then_some((start, Interruption::Narrow { is_proved: false }))
        })
    }

    /// Returns where line ends, or the 1A by which CP/M ends a text, were appended in single bytes, as `echo. >>` does: as
    /// UTF-16 they are letters of a script that the text before does not have.
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

    /// Whether a text is clearly likelier in units of one byte.
    fn is_clearly_narrow(self, text: &[u8]) -> bool {
        let margin = CLEAR + CLEAR_PER_BYTE * text.len() as f32;
        cost(self.scheme, text) - cost_of_bytes(text) >= margin
    }

    /// Returns the bytes that a line in single bytes takes to be certain. No character has the last bytes of some.
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

/// Whether text is a line in single bytes: words, without controls, and longer if less shows that it is one.
fn is_line(text: &[u8], enough: usize) -> bool {
    let is_of_word = |byte: &&u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x80..)
    };
    let lone = |pair: &[u8]| pair[0] == b'\r' && pair[1] != b'\n';
    text.len() >= enough
        && !text.windows(2).any(lone)
        && !text.iter().any(|byte| is_control(*byte))
        && text.iter().filter(is_of_word).count() * 2 >= text.len()
}

/// Whether a line is well-formed UTF-8, or ends as no text in ideographs does.
fn is_utf8_or_line(text: &[u8]) -> bool {
    text.ends_with(b"\r\n") || std::str::from_utf8(text).is_ok()
}
