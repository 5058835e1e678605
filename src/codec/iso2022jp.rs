//! ISO-2022-JP (RFC 1468): 7-bit text that escape sequences switch between sets.
//!
//! ```text
//! ESC ( B  US-ASCII     ESC ( J  JIS X 0201 Roman     ESC $ @  JIS X 0208-1978     ESC $ B  JIS X 0208-1983
//! ```
//!
//! Text begins and ends in US-ASCII. The encoder goes back to it before each line end, as the RFC asks; the decoder reads
//! line ends, blanks and controls in every set, and stays in the set, as iconv does. Both editions of JIS X 0208 are read
//! by the same table. The encoder has no form for U+001B: it would begin an escape sequence.

use super::euc_jp::JisX0208;
use super::{DecodeProgress, DecodeStop, Decoder, EncodeProgress, EncodeStop, Encoder};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind};

const ESC: u8 = 0x1B;

/// The set that the text is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Ascii,
    Roman,
    Jis,
}

/// The escape sequences that are read.
const DESIGNATIONS: [(&[u8; 3], Set); 4] = [
    (b"\x1B(B", Set::Ascii),
    (b"\x1B(J", Set::Roman),
    (b"\x1B$@", Set::Jis),
    (b"\x1B$B", Set::Jis),
];

impl Set {
    /// The escape sequence that is written.
    const fn designation(self) -> &'static [u8; 3] {
        match self {
            Self::Ascii => b"\x1B(B",
            Self::Roman => b"\x1B(J",
            Self::Jis => b"\x1B$B",
        }
    }
}

/// What stands at the start of the input.
enum Item {
    Escape(Set),
    Character { cp: CodePoint, len: usize },
    Cut,
    IllFormed(IllFormed),
}

/// The decoder.
#[derive(Clone)]
pub struct Iso2022JpDecoder {
    set: Set,
    jis: JisX0208,
}

impl Iso2022JpDecoder {
    /// A decoder at the start of a text.
    pub fn new() -> Self {
        Self { set: Set::Ascii, jis: JisX0208::new() }
    }

    fn item(&self, input: &[u8]) -> Item {
        match (input[0], self.set) {
            (ESC, _) => escape(input),
            (0x5C, Set::Roman) => Item::Character { cp: 0xA5, len: 1 },
            (0x7E, Set::Roman) => Item::Character { cp: 0x203E, len: 1 },
            (first @ 0x21..=0x7E, Set::Jis) => self.pair(first, input.get(1).copied()),
            (byte @ 0..=0x7F, _) => Item::Character { cp: byte.into(), len: 1 },
            _ => Item::IllFormed(IllFormed::new(1, IllFormedKind::InvalidByte)),
        }
    }

    fn pair(&self, first: u8, second: Option<u8>) -> Item {
        let second = match second {
            None => return Item::Cut,
            Some(second @ 0x21..=0x7E) => second,
            Some(_) => return Item::IllFormed(IllFormed::new(1, IllFormedKind::Truncated)),
        };
        match self.jis.character(u16::from_be_bytes([first | 0x80, second | 0x80])) {
            Some(cp) => Item::Character { cp: cp.into(), len: 2 },
            None => Item::IllFormed(IllFormed::new(2, IllFormedKind::UndefinedSequence)),
        }
    }
}

fn escape(input: &[u8]) -> Item {
    if let Some((_, set)) = DESIGNATIONS.iter().find(|(escape, _)| input.starts_with(*escape)) {
        return Item::Escape(*set);
    }
    if DESIGNATIONS.iter().any(|(escape, _)| escape.starts_with(input)) {
        return Item::Cut;
    }
    Item::IllFormed(IllFormed::new(1, IllFormedKind::InvalidEscape))
}

impl Default for Iso2022JpDecoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder for Iso2022JpDecoder {
    fn decode(&mut self, input: &[u8], output: &mut [CodePoint], last: bool) -> DecodeProgress {
        let (mut read, mut written) = (0, 0);
        let stop = loop {
            let rest = &input[read..];
            if rest.is_empty() {
                break DecodeStop::InputEmpty;
            }
            if written > 0 && written == output.len() {
                // An escape sequence after the last character is no part of it, and waits.
                break DecodeStop::OutputFull;
            }
            match self.item(rest) {
                Item::Escape(set) => {
                    self.set = set;
                    read += 3;
                }
                Item::Character { cp, len } => {
                    let Some(place) = output.get_mut(written) else { break DecodeStop::OutputFull };
                    *place = cp;
                    written += 1;
                    read += len;
                }
                Item::Cut if last => {
                    let kind = IllFormedKind::TruncatedAtEnd;
                    break DecodeStop::IllFormed(IllFormed::new(rest.len(), kind));
                }
                Item::Cut => break DecodeStop::InputEmpty,
                Item::IllFormed(ill_formed) => break DecodeStop::IllFormed(ill_formed),
            }
        };
        DecodeProgress { read, written, stop }
    }

    fn fork(&self) -> Box<dyn Decoder> {
        Box::new(self.clone())
    }
}

/// The encoder.
pub struct Iso2022JpEncoder {
    set: Set,
    jis: JisX0208,
}

impl Iso2022JpEncoder {
    /// An encoder at the start of a text.
    pub fn new() -> Self {
        Self { set: Set::Ascii, jis: JisX0208::new() }
    }

    /// The set in which `cp` is written, the present one where that has it, and its code there.
    fn place(&self, cp: CodePoint) -> Option<(Set, u16)> {
        Some(match (cp, self.set) {
            (0x1B, _) => return None,
            (0x0A | 0x0D | 0x5C | 0x7E, _) => (Set::Ascii, cp as u16),
            (0x21..=0x7D, Set::Roman) => (Set::Roman, cp as u16),
            (0..=0x7F, _) => (Set::Ascii, cp as u16),
            (0xA5, _) => (Set::Roman, 0x5C),
            (0x203E, _) => (Set::Roman, 0x7E),
            _ => (Set::Jis, self.jis.code(cp)? & 0x7F7F),
        })
    }
}

impl Default for Iso2022JpEncoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Encoder for Iso2022JpEncoder {
    fn encode(&mut self, input: &[CodePoint], output: &mut [u8]) -> EncodeProgress {
        let (mut read, mut written) = (0, 0);
        let stop = loop {
            let Some(&cp) = input.get(read) else { break EncodeStop::InputEmpty };
            let Some((set, code)) = self.place(cp) else { break EncodeStop::Unmappable };
            let [high, low] = code.to_be_bytes();
            let escape: &[u8] = if set == self.set { &[] } else { set.designation() };
            let pair = [high, low];
            let character = if set == Set::Jis { &pair[..] } else { &pair[1..] };
            let len = escape.len() + character.len();
            let Some(place) = output.get_mut(written..written + len) else {
                break EncodeStop::OutputFull;
            };
            place[..escape.len()].copy_from_slice(escape);
            place[escape.len()..].copy_from_slice(character);
            self.set = set;
            written += len;
            read += 1;
        };
        EncodeProgress { read, written, stop }
    }

    fn pending(&self) -> usize {
        if self.set == Set::Ascii { 0 } else { Set::Ascii.designation().len() }
    }

    fn finish(&mut self, output: &mut [u8]) -> usize {
        if self.set == Set::Ascii {
            return 0;
        }
        self.set = Set::Ascii;
        let escape = Set::Ascii.designation();
        output[..escape.len()].copy_from_slice(escape);
        escape.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::MIN_OUTPUT;

    #[test]
    fn without_room_only_a_change_of_state_is_read() {
        let mut decoder = Iso2022JpDecoder::new();
        let done = decoder.decode(b"\x1B$BF|", &mut [], false);
        assert_eq!(done, DecodeProgress { read: 3, written: 0, stop: DecodeStop::OutputFull });
        let mut output = [0; 2];
        let done = decoder.fork().decode(b"F|F|", &mut output, true);
        assert_eq!(done, DecodeProgress { read: 4, written: 2, stop: DecodeStop::InputEmpty });
        assert_eq!(output, [0x65E5, 0x65E5]);
    }

    #[test]
    fn an_escape_sequence_after_the_last_character_that_fits_is_not_read() {
        let done = Iso2022JpDecoder::new().decode(b"a\x1B$BF|", &mut [0], true);
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
