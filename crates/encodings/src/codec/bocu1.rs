//! BOCU-1 (UTN #6): each character is encoded as a difference from the middle of the block of the previous one.
//!
//! ```text
//! lead    00..20        21     22..24  25..4F  50..CF  D0..FA  FB..FD  FE     FF
//! means   that control  ◄──── less, in 4, 3, 2 bytes ── 1 ── more, in 2, 3, 4 bytes ────►    back to the initial state
//! ```
//!
//! So the letters of an alphabet take one byte each, after two or three for the first one:
//!
//! ```text
//! П  U+041F    041F - 0040 (initial)        = 3DF    D3 D3
//! р  U+0440    0440 - 0440 (middle of П's)  = 0      90
//! и  U+0438    0438 - 0440                  = -8     88
//! ```
//!
//! U+0000 to U+0020 stand for themselves, and all except the space restore the initial state. A trail byte is a digit
//! in base 243: any byte except the 13 controls that mail and terminals act on. Each character has exactly one sequence
//! in each state, so the encoder's output is unique, and bytes sort in code point order.

use super::stateful_codec::{self, CharBytes, DecodeStep, EncodeState, StatefulCodec};
use super::{EncodeProgress, Encoder};
use crate::unicode::{CodePoint, IllFormedKind, MAX_CODE_POINT, is_scalar_value, is_surrogate};

/// The base of the first difference: the middle of ASCII.
const INITIAL: CodePoint = 0x40;
/// The number of different trail bytes.
const BASE: i32 = 243;
/// The trail bytes below 21, with the values 0 to 19. From 21 on, the value is the byte minus 13.
const LOW_TRAILS: [u8; 20] = [
    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19,
    0x1C, 0x1D, 0x1E, 0x1F,
];

/// The lead bytes of one length and one sign.
struct LeadRange {
    first: u8,
    last: u8,
    /// The difference that the first lead byte stands for, with trail bytes of value 0.
    start: i32,
    trails: u32,
}

/// The ranges, from the lowest differences to the highest. Each begins where the one before ends: a range of n lead
/// bytes and t trail bytes has n × 243ᵗ differences. The first and the last one, of three trail bytes, reach beyond
/// what any two code points differ by.
const ROWS: [LeadRange; 7] = [
    LeadRange { first: 0x21, last: 0x21, start: -187_660 - BASE.pow(3), trails: 3 },
    LeadRange { first: 0x22, last: 0x24, start: -10_513 - 3 * BASE.pow(2), trails: 2 },
    LeadRange { first: 0x25, last: 0x4F, start: -64 - 43 * BASE, trails: 1 },
    LeadRange { first: 0x50, last: 0xCF, start: -64, trails: 0 },
    LeadRange { first: 0xD0, last: 0xFA, start: 64, trails: 1 },
    LeadRange { first: 0xFB, last: 0xFD, start: 10_513, trails: 2 },
    LeadRange { first: 0xFE, last: 0xFE, start: 187_660, trails: 3 },
];

fn digit(byte: u8) -> Option<i32> {
    if byte > 0x20 {
        return Some(i32::from(byte) - 13);
    }
    LOW_TRAILS.binary_search(&byte).ok().map(|at| at as i32)
}

/// Returns the trail byte of a value below 243.
fn trail(value: i32) -> u8 {
    usize::try_from(value)
        .ok()
        .and_then(|at| LOW_TRAILS.get(at).copied())
        .unwrap_or((value + 13) as u8)
}

/// The state: the base of the next difference.
#[derive(Clone, Copy, Debug)]
pub struct Bocu1 {
    middle: CodePoint,
}

impl Bocu1 {
    /// Creates the state at the start of a text.
    pub const fn new() -> Self {
        Self { middle: INITIAL }
    }

    /// Returns the state after `cp`: the middle of its block of 128, or of its script if that is larger. The space
    /// keeps the state, so that words of a script remain short.
    const fn after(self, cp: CodePoint) -> CodePoint {
        match cp {
            0x20 => self.middle,
            0..0x20 => INITIAL,
            0x3040..=0x309F => 0x3070,
            0x4E00..=0x9FA5 => 0x7711,
            0xAC00..=0xD7A3 => 0xC1D1,
            _ => (cp & !0x7F) + 0x40,
        }
    }
}

impl Default for Bocu1 {
    fn default() -> Self {
        Self::new()
    }
}

impl StatefulCodec for Bocu1 {
    type Change = CodePoint;

    /// The lead byte and the trail bytes are the digits of a number that counts from the start of their range. A
    /// difference that leads to U+0020 or below is overlong, since those characters stand for themselves.
    fn step(&self, input: &[u8], last: bool) -> DecodeStep<CodePoint> {
        let lead = input[0];
        if lead <= 0x20 {
            let cp = lead.into();
            return DecodeStep::Character { cp, len: 1, change: self.after(cp) };
        }
        let Some(row) = ROWS.iter().find(|row| (row.first..=row.last).contains(&lead)) else {
            return DecodeStep::Shift { len: 1, change: INITIAL };
        };
        let mut value = i32::from(lead - row.first);
        let mut len = 1;
        for _ in 0..row.trails {
            match input.get(len).map(|byte| digit(*byte)) {
                Some(Some(digit)) => value = value * BASE + digit,
                Some(None) => return DecodeStep::bad(len, IllFormedKind::Truncated, self.middle),
                None if last => {
                    return DecodeStep::bad(len, IllFormedKind::TruncatedAtEnd, self.middle);
                }
                None => return DecodeStep::Incomplete,
            }
            len += 1;
        }
        let cp = self.middle.checked_add_signed(row.start + value);
        match cp.filter(|cp| *cp <= MAX_CODE_POINT) {
            None => DecodeStep::bad(len, IllFormedKind::OutOfRange, self.middle),
            Some(0..=0x20) => DecodeStep::bad(len, IllFormedKind::Overlong, self.middle),
            Some(cp) if is_surrogate(cp) => {
                DecodeStep::bad(len, IllFormedKind::Surrogate, self.middle)
            }
            Some(cp) => DecodeStep::Character { cp, len, change: self.after(cp) },
        }
    }

    fn apply(&mut self, change: CodePoint) {
        self.middle = change;
    }
}

impl EncodeState for Bocu1 {
    fn write(&mut self, cp: CodePoint, piece: &mut CharBytes) -> bool {
        if !is_scalar_value(cp) {
            return false;
        }
        let difference = cp as i32 - self.middle as i32;
        self.middle = self.after(cp);
        if cp <= 0x20 {
            piece.add(&[cp as u8]);
            return true;
        }
        let Some(row) = ROWS.iter().rfind(|row| row.start <= difference) else { return false };
        let mut value = difference - row.start;
        let mut bytes = [0; 4];
        let len = row.trails as usize + 1;
        for slot in bytes[1..len].iter_mut().rev() {
            *slot = trail(value % BASE);
            value /= BASE;
        }
        bytes[0] = row.first + value as u8;
        piece.add(&bytes[..len]);
        true
    }
}

impl Encoder for Bocu1 {
    fn encode(&mut self, input: &[CodePoint], output: &mut [u8]) -> EncodeProgress {
        stateful_codec::encode(self, input, output)
    }

    fn fork(&self) -> Box<dyn Encoder> {
        Box::new(*self)
    }
}
