//! The SCSU encoder (UTS #6), which compresses.
//!
//! ```text
//! single-byte   ASCII, the active window                     1 byte
//!               another window: activate it, or quote        2
//!               a new window: define it in place of the      3 (4 above the BMP)
//!               least recently used one
//!               ideographs, syllables: to Unicode mode       3, then 2 each
//! Unicode       letters of a window: back to it at once;     2, then 1 each
//!               ASCII and punctuation: at the second in a row
//! ```
//!
//! A character in another window costs two bytes whether the encoder activates the window or only quotes the character.
//! So each choice can depend only on the character and those before it, and nothing is held back until the next one
//! arrives: the first punctuation mark of another dynamic window is quoted, as it is usually alone, and the second in a
//! row activates the window. U+FEFF is always quoted as 0E FE FF, the signature.

use super::scsu::{ACROSS, INITIAL, STATIC, tag};
use super::stateful_codec::{self, CharBytes, EncodeState};
use super::{EncodeProgress, Encoder};
use crate::unicode::{BYTE_ORDER_MARK, CodePoint};

/// The state of the encoder.
#[derive(Clone, Copy, Debug)]
pub struct ScsuEncoder {
    unicode: bool,
    active: u8,
    windows: [CodePoint; 8],
    /// The windows, least recently used first.
    by_use: [u8; 8],
    /// In single-byte mode: the window of the last quoted character, unless another window was activated or used since.
    /// Static windows are 0 to 7, dynamic ones 8 to 15.
    quoted: Option<u8>,
    /// In Unicode mode: whether the last character could have been written in single-byte mode.
    could_leave: bool,
}

/// A window to define: by its offset byte, or above the BMP by its number.
enum WindowDefinition {
    Short(u8, CodePoint),
    Extended(u16, CodePoint),
}

/// Returns the window to define for `cp`; `None` if it would hold too few characters of its kind.
fn window_for(cp: CodePoint) -> Option<WindowDefinition> {
    if let Some(at) = ACROSS.iter().position(|start| within(*start, cp)) {
        return Some(WindowDefinition::Short(0xF9 + at as u8, ACROSS[at]));
    }
    let start = cp & !0x7F;
    match cp {
        0x80..0x3400 => Some(WindowDefinition::Short((start / 0x80) as u8, start)),
        0xE000..=0xFFFF => Some(WindowDefinition::Short(((start - 0xAC00) / 0x80) as u8, start)),
        0x1_0000..0x2_0000 | 0xE_0000.. => {
            Some(WindowDefinition::Extended(((start - 0x1_0000) / 0x80) as u16, start))
        }
        _ => None,
    }
}

const fn within(start: CodePoint, cp: CodePoint) -> bool {
    start <= cp && cp < start + 0x80
}

/// Whether characters of this window usually occur singly among others: punctuation and symbols.
const fn is_guest(start: CodePoint) -> bool {
    matches!(start, 0x80 | 0x2000..0x2C00 | 0x3000 | 0xFE00..=0xFF00)
}

impl ScsuEncoder {
    /// Creates the state at the start of a text.
    pub const fn new() -> Self {
        Self {
            unicode: false,
            active: 0,
            windows: INITIAL,
            by_use: [7, 6, 5, 4, 3, 2, 1, 0],
            quoted: None,
            could_leave: false,
        }
    }

    fn holder(&self, cp: CodePoint) -> Option<u8> {
        self.windows.iter().position(|start| within(*start, cp)).map(|at| at as u8)
    }

    /// Activates a window, and makes it the most recently used one. It moves to the end of `by_use`, unless it is there
    /// already, as in text that stays in one window.
    fn use_window(&mut self, n: u8) {
        if self.by_use[7] != n
            && let Some(at) = self.by_use.iter().position(|one| *one == n)
        {
            self.by_use[at..].rotate_left(1);
        }
        (self.unicode, self.active) = (false, n);
        self.quoted = None;
    }

    fn byte(&self, cp: CodePoint) -> u8 {
        0x80 | (cp - self.windows[usize::from(self.active)]) as u8
    }

    fn is_active(&self, cp: CodePoint) -> bool {
        within(self.windows[usize::from(self.active)], cp)
    }

    /// Switches to window `n`, which contains `cp`, and writes it there.
    fn select(&mut self, piece: &mut CharBytes, n: u8, cp: CodePoint) {
        piece.add(&[n + if self.unicode { tag::UC0 } else { tag::SC0 }]);
        self.use_window(n);
        piece.add(&[self.byte(cp)]);
    }

    /// Defines a window for `cp` and writes it there.
    fn define(&mut self, piece: &mut CharBytes, definition: &WindowDefinition, cp: CodePoint) {
        let n = self.by_use[0];
        let start = match *definition {
            WindowDefinition::Short(offset, start) => {
                piece.add(&[n + if self.unicode { tag::UD0 } else { tag::SD0 }, offset]);
                start
            }
            WindowDefinition::Extended(block, start) => {
                let [high, low] = block.to_be_bytes();
                let tag = if self.unicode { tag::UDX } else { tag::SDX };
                piece.add(&[tag, n << 5 | high, low]);
                start
            }
        };
        self.windows[usize::from(n)] = start;
        self.use_window(n);
        piece.add(&[self.byte(cp)]);
    }

    /// Writes a character in single-byte mode, the cheapest way first:
    ///
    /// 1. In the active window: one byte.
    /// 2. In another dynamic window: two bytes, to quote it or to activate the window. Letters come in words, so they
    ///    activate it at once; punctuation does at the second in a row.
    /// 3. In a static window: two bytes, to quote it. A second letter in a row from there is worth a window of its own.
    /// 4. In a new window: three or four bytes, which replaces the least recently used one.
    /// 5. In Unicode mode, if no window can hold the character or would hold few of its kind.
    fn single_byte(&mut self, piece: &mut CharBytes, c: char) {
        let cp = CodePoint::from(c);
        match cp {
            0x00 | 0x09 | 0x0A | 0x0D | 0x20..=0x7F => return piece.add(&[cp as u8]),
            0..0x20 => return piece.add(&[tag::SQ0, cp as u8]),
            BYTE_ORDER_MARK => return piece.add(&[tag::SQU, 0xFE, 0xFF]),
            _ => {}
        }
        if self.is_active(cp) {
            self.quoted = None;
            return piece.add(&[self.byte(cp)]);
        }
        let fixed = STATIC.iter().position(|start| within(*start, cp)).map(|at| at as u8);
        if let Some(n) = self.holder(cp) {
            let guest = is_guest(self.windows[usize::from(n)]);
            if guest && self.quoted != Some(n + 8) {
                self.quoted = Some(n + 8);
                let byte = 0x80 | (cp - self.windows[usize::from(n)]) as u8;
                return piece.add(&[tag::SQ0 + n, byte]);
            }
            return self.select(piece, n, cp);
        }
        if let Some(n) = fixed {
            let start = STATIC[usize::from(n)];
            if is_guest(start) || self.quoted != Some(n) {
                self.quoted = Some(n);
                return piece.add(&[tag::SQ0 + n, (cp - start) as u8]);
            }
        }
        match window_for(cp) {
            Some(definition) => self.define(piece, &definition, cp),
            None => {
                piece.add(&[tag::SCU]);
                (self.unicode, self.could_leave) = (true, false);
                self.units(piece, c);
            }
        }
    }

    /// Writes a character in Unicode mode, or leaves it. A letter of a window leaves at once, because the rest of the
    /// word will be shorter. ASCII and punctuation are frequent among ideographs too, so they leave only at the second
    /// in a row.
    fn unicode(&mut self, piece: &mut CharBytes, c: char) {
        let cp = CodePoint::from(c);
        let again = std::mem::take(&mut self.could_leave);
        if matches!(cp, 0x00 | 0x09 | 0x0A | 0x0D | 0x20..=0x7F) {
            if again || c.is_ascii_alphabetic() {
                piece.add(&[tag::UC0 + self.active, cp as u8]);
                return self.use_window(self.active);
            }
            self.could_leave = true;
        } else if let Some(n) = self.holder(cp)
            && cp != BYTE_ORDER_MARK
        {
            if again || !is_guest(self.windows[usize::from(n)]) {
                return self.select(piece, n, cp);
            }
            self.could_leave = true;
        } else if let Some(definition) = window_for(cp).filter(|_| cp != BYTE_ORDER_MARK) {
            let start = match definition {
                WindowDefinition::Short(_, start) | WindowDefinition::Extended(_, start) => start,
            };
            if !is_guest(start) {
                return self.define(piece, &definition, cp);
            }
        }
        self.units(piece, c);
    }

    /// Writes the UTF-16 code units of a character, quoted if they begin like a tag.
    fn units(&self, piece: &mut CharBytes, c: char) {
        for unit in c.encode_utf16(&mut [0; 2]) {
            let bytes = unit.to_be_bytes();
            if (tag::UC0..=tag::U_RESERVED).contains(&bytes[0]) {
                piece.add(&[tag::UQU]);
            }
            piece.add(&bytes);
        }
    }
}

impl Default for ScsuEncoder {
    fn default() -> Self {
        Self::new()
    }
}

impl EncodeState for ScsuEncoder {
    fn write(&mut self, cp: CodePoint, piece: &mut CharBytes) -> bool {
        let Some(c) = char::from_u32(cp) else { return false };
        if self.unicode {
            self.unicode(piece, c);
        } else {
            self.single_byte(piece, c);
        }
        true
    }
}

impl Encoder for ScsuEncoder {
    fn encode(&mut self, input: &[CodePoint], output: &mut [u8]) -> EncodeProgress {
        stateful_codec::encode(self, input, output)
    }

    fn fork(&self) -> Box<dyn Encoder> {
        Box::new(*self)
    }
}
