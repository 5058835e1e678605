//! The SCSU decoder (UTS #6). In single-byte mode, windows of 128 characters slide over Unicode; Unicode mode is
//! UTF-16BE.
//!
//! ```text
//! single-byte   00 09 0A 0D 20..7F  ASCII      80..FF  the active window
//!               01..08  quote one character from window n      0E  quote one UTF-16 code unit      0F  to Unicode mode
//!               10..17  activate window n      18..1F  define and activate it      0B  the same, above the BMP
//! Unicode       a code unit, except E0..E7  to single-byte mode, window n     E8..EF  define it    F1  above the BMP
//!               F0  quote one code unit
//! ```
//!
//! For example, При is 12 9F C0 B8: SC2 activates window 2, which begins at U+0400, and the letters are 80 plus their
//! offset there. A surrogate pair is two adjacent code units, or two adjacent quoted ones.

use super::stateful_codec::{DecodeStep, StatefulCodec};
use crate::unicode::{
    CodePoint, IllFormedKind, is_high_surrogate, is_low_surrogate, join_surrogates,
};

/// The tags (UTS #6, 5.1 and 5.2). Those with a window are the first of eight, one per window.
pub(super) mod tag {
    pub const SQ0: u8 = 0x01;
    pub const SDX: u8 = 0x0B;
    pub const RESERVED: u8 = 0x0C;
    pub const SQU: u8 = 0x0E;
    pub const SCU: u8 = 0x0F;
    pub const SC0: u8 = 0x10;
    pub const SD0: u8 = 0x18;
    pub const UC0: u8 = 0xE0;
    pub const UD0: u8 = 0xE8;
    pub const UQU: u8 = 0xF0;
    pub const UDX: u8 = 0xF1;
    pub const U_RESERVED: u8 = 0xF2;
}

/// The starts of the static windows (UTS #6, Table 4).
pub(super) const STATIC: [CodePoint; 8] =
    [0x0000, 0x0080, 0x0100, 0x0300, 0x2000, 0x2080, 0x2100, 0x3000];

/// The initial starts of the dynamic windows (UTS #6, Table 5).
pub(super) const INITIAL: [CodePoint; 8] =
    [0x0080, 0x00C0, 0x0400, 0x0600, 0x0900, 0x3040, 0x30A0, 0xFF00];

/// The windows that span several blocks (UTS #6, Table 3), from offset byte F9 on.
pub(super) const ACROSS: [CodePoint; 7] = [0x00C0, 0x0250, 0x0370, 0x0530, 0x3040, 0x30A0, 0xFF60];

/// Returns the start of the window for this offset byte; `None` for reserved ones (UTS #6, Table 3).
const fn offset(byte: u8) -> Option<CodePoint> {
    let block = byte as CodePoint * 0x80;
    match byte {
        0x01..=0x67 => Some(block),
        0x68..=0xA7 => Some(block + 0xAC00),
        0xF9..=0xFF => Some(ACROSS[byte as usize - 0xF9]),
        _ => None,
    }
}

/// Returns the window, and its start, for the two bytes after SDX or UDX.
const fn extended(high: u8, low: u8) -> ScsuChange {
    let block = ((high & 0x1F) as CodePoint) << 8 | low as CodePoint;
    ScsuChange::Define(high >> 5, 0x1_0000 + block * 0x80)
}

/// A change of the decoder's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScsuChange {
    /// No change.
    Stay,
    /// To Unicode mode.
    Unicode,
    /// To single-byte mode, with this window active.
    Select(u8),
    /// To single-byte mode, with this window active and a new start.
    Define(u8, CodePoint),
}

/// The state of the decoder.
#[derive(Clone, Copy, Debug)]
pub struct Scsu {
    unicode: bool,
    active: u8,
    windows: [CodePoint; 8],
}

impl Scsu {
    /// Creates the state at the start of a text.
    pub const fn new() -> Self {
        Self { unicode: false, active: 0, windows: INITIAL }
    }

    fn window(&self, n: u8) -> CodePoint {
        self.windows[usize::from(n & 7)]
    }

    fn single_byte(&self, input: &[u8], last: bool) -> DecodeStep<ScsuChange> {
        let byte = input[0];
        match byte {
            0x00 | 0x09 | 0x0A | 0x0D | 0x20..=0x7F => character(byte.into(), 1),
            0x80..=0xFF => character(self.window(self.active) + u32::from(byte - 0x80), 1),
            tag::SQ0..=0x08 => {
                // A byte below 80 is quoted from the static window with this number, one from 80 on from the dynamic
                // window.
                let n = byte - tag::SQ0;
                match input.get(1) {
                    Some(&low @ 0..0x80) => character(STATIC[usize::from(n)] + u32::from(low), 2),
                    Some(&high) => character(self.window(n) + u32::from(high - 0x80), 2),
                    None => incomplete(input, last),
                }
            }
            tag::SDX => define_extended(input, last),
            tag::RESERVED => DecodeStep::bad(1, IllFormedKind::InvalidByte, ScsuChange::Stay),
            tag::SQU => self.units(input, last),
            tag::SCU => DecodeStep::Shift { len: 1, change: ScsuChange::Unicode },
            tag::SC0..=0x17 => {
                DecodeStep::Shift { len: 1, change: ScsuChange::Select(byte - tag::SC0) }
            }
            tag::SD0..=0x1F => define(input, byte - tag::SD0, last),
        }
    }

    fn unicode(&self, input: &[u8], last: bool) -> DecodeStep<ScsuChange> {
        let byte = input[0];
        match byte {
            tag::UC0..=0xE7 => {
                DecodeStep::Shift { len: 1, change: ScsuChange::Select(byte - tag::UC0) }
            }
            tag::UD0..=0xEF => define(input, byte - tag::UD0, last),
            tag::UDX => define_extended(input, last),
            tag::U_RESERVED => DecodeStep::bad(1, IllFormedKind::InvalidByte, ScsuChange::Stay),
            _ => self.units(input, last),
        }
    }

    /// Reads the UTF-16 code unit at the start of `input`; its length includes the tag that quotes it.
    fn unit(&self, input: &[u8]) -> Option<(u16, usize)> {
        let quote = match (self.unicode, *input.first()?) {
            (false, tag::SQU) | (true, tag::UQU) => 1,
            // A tag, which cannot be the second half of a pair. Any unit that is no surrogate says so. (The first unit
            // of a character is never a tag.)
            (false, _) | (true, tag::UC0..=tag::U_RESERVED) => return Some((0, 0)),
            (true, _) => 0,
        };
        let unit = input.get(quote..quote + 2)?;
        Some((u16::from_be_bytes([unit[0], unit[1]]), quote + 2))
    }

    fn units(&self, input: &[u8], last: bool) -> DecodeStep<ScsuChange> {
        let Some((high, len)) = self.unit(input) else { return incomplete(input, last) };
        if is_low_surrogate(high.into()) {
            return DecodeStep::bad(len, IllFormedKind::UnpairedLowSurrogate, ScsuChange::Stay);
        }
        if !is_high_surrogate(high.into()) {
            return character(high.into(), len);
        }
        match self.unit(&input[len..]) {
            Some((low, more)) if is_low_surrogate(low.into()) => {
                character(join_surrogates(high, low), len + more)
            }
            None if !last => DecodeStep::Incomplete,
            // The text ends within the next unit, which could have become the other half.
            None if input.len() > len => incomplete(input, last),
            _ => DecodeStep::bad(len, IllFormedKind::UnpairedHighSurrogate, ScsuChange::Stay),
        }
    }
}

const fn character(cp: CodePoint, len: usize) -> DecodeStep<ScsuChange> {
    DecodeStep::Character { cp, len, change: ScsuChange::Stay }
}

const fn incomplete(input: &[u8], last: bool) -> DecodeStep<ScsuChange> {
    if last {
        DecodeStep::bad(input.len(), IllFormedKind::TruncatedAtEnd, ScsuChange::Stay)
    } else {
        DecodeStep::Incomplete
    }
}

fn define(input: &[u8], n: u8, last: bool) -> DecodeStep<ScsuChange> {
    match input.get(1).map(|byte| offset(*byte)) {
        Some(Some(start)) => DecodeStep::Shift { len: 2, change: ScsuChange::Define(n, start) },
        Some(None) => DecodeStep::bad(2, IllFormedKind::UndefinedSequence, ScsuChange::Stay),
        None => incomplete(input, last),
    }
}

fn define_extended(input: &[u8], last: bool) -> DecodeStep<ScsuChange> {
    match input.get(1..3) {
        Some(bytes) => DecodeStep::Shift { len: 3, change: extended(bytes[0], bytes[1]) },
        None => incomplete(input, last),
    }
}

impl Default for Scsu {
    fn default() -> Self {
        Self::new()
    }
}

impl StatefulCodec for Scsu {
    type Change = ScsuChange;

    fn step(&self, input: &[u8], last: bool) -> DecodeStep<ScsuChange> {
        if self.unicode { self.unicode(input, last) } else { self.single_byte(input, last) }
    }

    fn apply(&mut self, change: ScsuChange) {
        match change {
            ScsuChange::Stay => {}
            ScsuChange::Unicode => self.unicode = true,
            ScsuChange::Select(n) => (self.unicode, self.active) = (false, n),
            ScsuChange::Define(n, start) => {
                (self.unicode, self.active) = (false, n);
                self.windows[usize::from(n & 7)] = start;
            }
        }
    }
}
