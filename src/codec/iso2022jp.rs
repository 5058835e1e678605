//! ISO-2022-JP (RFC 1468): 7-bit text with escape sequences that switch between character sets.
//!
//! ```text
//! ESC ( B  US-ASCII     ESC ( J  JIS X 0201 Roman     ESC $ @  JIS X 0208-1978     ESC $ B  JIS X 0208-1983
//! ```
//!
//! Text begins and ends in US-ASCII. The encoder returns to it before each line end, as the RFC requires. The decoder
//! accepts line ends, spaces and controls in every set and stays in the set, as iconv does. It reads both editions of
//! JIS X 0208 with the same table. The encoder cannot write U+001B: it would begin an escape sequence.

use super::set::EUC_JP_PAIRS;
use super::stateful::{CharBytes, EncodeState, StatefulCodec, Step, encode};
use super::{EncodeProgress, Encoder};
use crate::unicode::{CodePoint, IllFormedKind};

const ESC: u8 = 0x1B;

/// The current character set of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharacterSet {
    Ascii,
    Roman,
    Jis,
}

/// The escape sequences that the decoder accepts.
const DESIGNATIONS: [(&[u8; 3], CharacterSet); 4] = [
    (b"\x1B(B", CharacterSet::Ascii),
    (b"\x1B(J", CharacterSet::Roman),
    (b"\x1B$@", CharacterSet::Jis),
    (b"\x1B$B", CharacterSet::Jis),
];

impl CharacterSet {
    /// Returns the escape sequence that the encoder writes.
    const fn designation(self) -> &'static [u8; 3] {
        match self {
            Self::Ascii => b"\x1B(B",
            Self::Roman => b"\x1B(J",
            Self::Jis => b"\x1B$B",
        }
    }
}

/// The codec from which [`super::Stateful`] makes the decoder.
#[derive(Clone)]
pub struct Iso2022Jp {
    set: CharacterSet,
}

impl Iso2022Jp {
    /// Creates the state at the start of a text.
    pub fn new() -> Self {
        Self { set: CharacterSet::Ascii }
    }

    fn character(cp: CodePoint, len: usize) -> Step<Option<CharacterSet>> {
        Step::Character { cp, len, change: None }
    }

    fn bad(len: usize, kind: IllFormedKind) -> Step<Option<CharacterSet>> {
        Step::bad(len, kind, None)
    }

    /// Classifies `len` bytes at the end of the input that may be incomplete.
    fn cut(len: usize, last: bool) -> Step<Option<CharacterSet>> {
        if last { Self::bad(len, IllFormedKind::TruncatedAtEnd) } else { Step::Cut }
    }

    #[inline(always)]
    fn pair(&self, first: u8, second: Option<u8>, last: bool) -> Step<Option<CharacterSet>> {
        let second = match second {
            None => return Self::cut(1, last),
            Some(second @ 0x21..=0x7E) => second,
            Some(_) => return Self::bad(1, IllFormedKind::Truncated),
        };
        match EUC_JP_PAIRS.character(u16::from_be_bytes([first | 0x80, second | 0x80])) {
            Some(cp) => Self::character(cp, 2),
            None => Self::bad(2, IllFormedKind::UndefinedSequence),
        }
    }

    #[inline(always)]
    fn escape(input: &[u8], last: bool) -> Step<Option<CharacterSet>> {
        if let Some((_, set)) = DESIGNATIONS.iter().find(|(escape, _)| input.starts_with(*escape)) {
            return Step::Shift { len: 3, change: Some(*set) };
        }
        if DESIGNATIONS.iter().any(|(escape, _)| escape.starts_with(input)) {
            return Self::cut(input.len(), last);
        }
        Self::bad(1, IllFormedKind::InvalidEscape)
    }
}

impl Default for Iso2022Jp {
    fn default() -> Self {
        Self::new()
    }
}

impl StatefulCodec for Iso2022Jp {
    /// The set of the text from here on, if it changes.
    type Change = Option<CharacterSet>;

    #[inline(always)]
    fn step(&self, input: &[u8], last: bool) -> Step<Option<CharacterSet>> {
        match (self.set, input[0]) {
            (CharacterSet::Jis, first @ 0x21..=0x7E) => {
                self.pair(first, input.get(1).copied(), last)
            }
            (_, ESC) => Self::escape(input, last),
            (CharacterSet::Roman, 0x5C) => Self::character(0xA5, 1),
            (CharacterSet::Roman, 0x7E) => Self::character(0x203E, 1),
            (_, byte @ 0..=0x7F) => Self::character(byte.into(), 1),
            _ => Self::bad(1, IllFormedKind::InvalidByte),
        }
    }

    fn apply(&mut self, set: Option<CharacterSet>) {
        if let Some(set) = set {
            self.set = set;
        }
    }
}

/// The encoder.
#[derive(Clone)]
pub struct Iso2022JpEncoder {
    set: CharacterSet,
}

impl Iso2022JpEncoder {
    /// Creates an encoder for the start of a text.
    pub fn new() -> Self {
        Self { set: CharacterSet::Ascii }
    }

    /// Returns the set in which `cp` is written, preferably the current one, and its code in it.
    fn place(&self, cp: CodePoint) -> Option<(CharacterSet, u16)> {
        Some(match (cp, self.set) {
            (0x1B, _) => return None,
            (0x0A | 0x0D | 0x5C | 0x7E, _) => (CharacterSet::Ascii, cp as u16),
            (0x21..=0x7D, CharacterSet::Roman) => (CharacterSet::Roman, cp as u16),
            (0..=0x7F, _) => (CharacterSet::Ascii, cp as u16),
            (0xA5, _) => (CharacterSet::Roman, 0x5C),
            (0x203E, _) => (CharacterSet::Roman, 0x7E),
            _ => (
                CharacterSet::Jis,
                EUC_JP_PAIRS
                    .encoding()
                    .code(cp)
                    .filter(|code| code & 0x8080 == 0x8080 && code >> 8 != 0x8E)?
                    & 0x7F7F,
            ),
        })
    }
}

impl Default for Iso2022JpEncoder {
    fn default() -> Self {
        Self::new()
    }
}

impl EncodeState for Iso2022JpEncoder {
    #[inline]
    fn write(&mut self, cp: CodePoint, piece: &mut CharBytes) -> bool {
        let Some((set, code)) = self.place(cp) else { return false };
        if set != self.set {
            piece.add(set.designation());
            self.set = set;
        }
        match code.to_be_bytes() {
            pair if set == CharacterSet::Jis => piece.add(&pair),
            [_, byte] => piece.add(&[byte]),
        }
        true
    }
}

impl Encoder for Iso2022JpEncoder {
    fn encode(&mut self, input: &[CodePoint], output: &mut [u8]) -> EncodeProgress {
        encode(self, input, output)
    }

    fn pending(&self) -> usize {
        if self.set == CharacterSet::Ascii { 0 } else { CharacterSet::Ascii.designation().len() }
    }

    fn finish(&mut self, output: &mut [u8]) -> usize {
        if self.set == CharacterSet::Ascii {
            return 0;
        }
        self.set = CharacterSet::Ascii;
        let escape = CharacterSet::Ascii.designation();
        output[..escape.len()].copy_from_slice(escape);
        escape.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::{DecodeProgress, DecodeStop, Decoder, EncodeStop, MIN_OUTPUT, Stateful};

    #[test]
    fn without_room_only_a_change_of_state_is_read() {
        let mut decoder = Stateful(Iso2022Jp::new());
        let done = decoder.decode(b"\x1B$BF|", &mut [], false);
        assert_eq!(done, DecodeProgress { read: 3, written: 0, stop: DecodeStop::OutputFull });
        let mut output = [0; 2];
        let done = decoder.fork().decode(b"F|F|", &mut output, true);
        assert_eq!(done, DecodeProgress { read: 4, written: 2, stop: DecodeStop::InputEmpty });
        assert_eq!(output, [0x65E5, 0x65E5]);
    }

    #[test]
    fn an_escape_sequence_after_the_last_character_that_fits_is_not_read() {
        let done = Stateful(Iso2022Jp::new()).decode(b"a\x1B$BF|", &mut [0], true);
        assert_eq!(done, DecodeProgress { read: 1, written: 1, stop: DecodeStop::OutputFull });
    }

    #[test]
    fn an_escape_sequence_is_written_with_its_character_or_not_at_all() {
        let mut encoder = Iso2022JpEncoder::new();
        let mut output = [0; MIN_OUTPUT];
        let done = encoder.encode(&[0x61, 0x65E5], &mut output[..5]);
        assert_eq!(done, EncodeProgress { read: 1, written: 1, stop: EncodeStop::OutputFull });
        let done = encoder.encode(&[0x65E5], &mut output[..5]);
        assert_eq!(done, EncodeProgress { read: 1, written: 5, stop: EncodeStop::InputEmpty });
        assert_eq!(&output[..5], b"\x1B$BF|");
        assert_eq!((encoder.finish(&mut output), encoder.finish(&mut output[8..])), (3, 0));
        assert_eq!(&output[..3], b"\x1B(B");
    }

    #[test]
    fn the_escape_character_itself_is_unmappable() {
        let done = Iso2022JpEncoder::new().encode(&[0x1B], &mut [0; MIN_OUTPUT]);
        assert_eq!(done, EncodeProgress { read: 0, written: 0, stop: EncodeStop::Unmappable });
    }
}
