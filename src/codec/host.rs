//! Host sets (EBCDIC with two-byte codes): 0E shifts to two bytes a character, 0F back to one.
//!
//! ```text
//! one byte:   00..FF    0E ─► two bytes          two bytes:  low..FE low..FE    0F ─► one byte
//! ```
//!
//! `low` is 40 in EBCDIC, 21 in a 7-bit set. A repeated shift is accepted, as in iconv. The encoder shifts if the next
//! character has a code of the other length, and returns to one byte at the end.
//!
//! An ill-formed subsequence is one byte, and leaves the state: a byte without a character; in the state of two bytes a
//! byte outside the range, such as a control, and a first byte that is followed by such a byte. Two bytes in the range
//! without a character are one subsequence.

use super::joining::WritesSequences;
use super::set::Set;
use super::stateful::{StatefulCodec, Step};
use super::{EncodeProgress, EncodeStop, Encoder};
use crate::kernels::Progress;
use crate::unicode::{CodePoint, IllFormedKind};

const SHIFT_OUT: u8 = 0x0E;
const SHIFT_IN: u8 = 0x0F;

/// The codec from which [`super::Stateful`] makes the decoder.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    set: Set,
    low: u8,
    pairs: bool,
}

impl Host {
    /// Creates the state at the start of a text in EBCDIC. The codes up to FF of `set` are single bytes.
    pub const fn new(set: Set) -> Self {
        Self::from(set, 0x40)
    }

    /// Creates the state at the start of a text in which the bytes of a two-byte code are `low` to FE.
    pub const fn from(set: Set, low: u8) -> Self {
        Self { set, low, pairs: false }
    }

    fn in_pair(self, byte: u8) -> bool {
        (self.low..=0xFE).contains(&byte)
    }

    fn code(self, code: u16, len: usize, kind: IllFormedKind) -> Step<bool> {
        let change = self.pairs;
        match self.set.character(code) {
            Some(cp) => Step::Character { cp, len, change },
            None => match self.set.sequence(code) {
                Some(cps) => Step::Sequence { cps, len, change },
                None => Step::bad(len, kind, change),
            },
        }
    }
}

impl StatefulCodec for Host {
    /// Whether codes have two bytes from here on.
    type Change = bool;

    fn step(&self, input: &[u8], last: bool) -> Step<bool> {
        let first = input[0];
        match (first, input.get(1)) {
            (SHIFT_OUT, _) => Step::Shift { len: 1, change: true },
            (SHIFT_IN, _) => Step::Shift { len: 1, change: false },
            _ if !self.pairs => self.code(first.into(), 1, IllFormedKind::InvalidByte),
            _ if !self.in_pair(first) => Step::bad(1, IllFormedKind::InvalidByte, true),
            (_, None) if last => Step::bad(1, IllFormedKind::TruncatedAtEnd, true),
            (_, None) => Step::Cut,
            (_, Some(second)) if !self.in_pair(*second) => {
                Step::bad(1, IllFormedKind::Truncated, true)
            }
            (_, Some(second)) => {
                let code = u16::from_be_bytes([first, *second]);
                self.code(code, 2, IllFormedKind::UndefinedSequence)
            }
        }
    }

    fn apply(&mut self, pairs: bool) {
        self.pairs = pairs;
    }

    fn run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        let mut done = 0;
        if !self.pairs {
            for (byte, place) in input.iter().zip(output) {
                let shifts = matches!(*byte, SHIFT_OUT | SHIFT_IN);
                let Some(cp) = self.set.character((*byte).into()).filter(|_| !shifts) else {
                    break;
                };
                *place = cp;
                done += 1;
            }
            return Progress { read: done, written: done };
        }
        for (pair, place) in input.as_chunks::<2>().0.iter().zip(output) {
            let code = u16::from_be_bytes(*pair);
            let Some(cp) = self.set.character(code).filter(|_| pair[0] >= self.low) else { break };
            *place = cp;
            done += 1;
        }
        Progress { read: 2 * done, written: done }
    }
}

/// The encoder.
#[derive(Clone, Copy, Debug)]
pub struct HostEncoder {
    set: Set,
    pairs: bool,
}

impl HostEncoder {
    /// Creates an encoder for the start of a text.
    pub const fn new(set: Set) -> Self {
        Self { set, pairs: false }
    }

    /// Writes a code, after a shift if it needs one. Returns the number of bytes; `None`, changing nothing, if there is
    /// no room.
    #[inline(always)]
    fn write(&mut self, code: u16, output: &mut [u8]) -> Option<usize> {
        let pairs = code > 0xFF;
        let [high, low] = code.to_be_bytes();
        match (pairs == self.pairs, pairs) {
            (true, true) => *output.first_chunk_mut()? = [high, low],
            (true, false) => *output.first_mut()? = low,
            (false, true) => *output.first_chunk_mut()? = [SHIFT_OUT, high, low],
            (false, false) => *output.first_chunk_mut()? = [SHIFT_IN, low],
        }
        let len = 1 + usize::from(pairs) + usize::from(pairs != self.pairs);
        self.pairs = pairs;
        Some(len)
    }
}

impl Encoder for HostEncoder {
    fn encode(&mut self, input: &[CodePoint], output: &mut [u8]) -> EncodeProgress {
        let codes = self.set.encoding();
        let (mut read, mut written) = (0, 0);
        let stop = loop {
            let Some(&cp) = input.get(read) else { break EncodeStop::InputEmpty };
            let code = codes.code(cp);
            // The codes of the shifts stand for no character.
            let Some(code) = code.filter(|code| !matches!(code, 0x0E | 0x0F)) else {
                break EncodeStop::Unmappable;
            };
            let Some(len) = self.write(code, &mut output[written..]) else {
                break EncodeStop::OutputFull;
            };
            written += len;
            read += 1;
        };
        EncodeProgress { read, written, stop }
    }

    fn pending(&self) -> usize {
        usize::from(self.pairs)
    }

    fn finish(&mut self, output: &mut [u8]) -> usize {
        if std::mem::take(&mut self.pairs) {
            output[0] = SHIFT_IN;
            return 1;
        }
        0
    }
}

impl WritesSequences for HostEncoder {
    type Code = u16;

    fn sequences(&self) -> Vec<([CodePoint; 2], u16)> {
        self.set.sequences().map(|(code, cps)| (cps, code)).collect()
    }

    fn write_sequence(&mut self, code: u16, output: &mut [u8]) -> Option<usize> {
        self.write(code, output)
    }
}

#[cfg(test)]
mod tests {
    use IllFormedKind::{InvalidByte, Truncated, TruncatedAtEnd, UndefinedSequence};

    use super::*;
    use crate::codec::set::named::{IBM_930, IBM_1390};
    use crate::codec::walk::{Seen, Seen::Bad, Seen::Is, encoded_in_parts, walk_in_parts};
    use crate::codec::{Joining, Stateful};

    fn walk(input: &[u8]) -> Vec<Seen> {
        walk_in_parts(&Stateful(Host::new(IBM_930)), input)
    }

    #[test]
    fn shifts_say_how_long_a_code_is() {
        // IBM's registration of CCSID 930: 42 81 is FULLWIDTH a, 45 62 is the ideograph for the sun, 81 is ア.
        assert_eq!(
            walk(b"\x0E\x42\x81\x45\x62\x0F\x81\x25"),
            [Is(0xFF41), Is(0x65E5), Is(0xFF71), Is(0x0A)]
        );
        assert_eq!(walk(b"\x0E\x0E\x40\x40\x0F\x0F\x40"), [Is(0x3000), Is(0x20)]);
        assert_eq!(walk(b"\x0E"), []);
    }

    #[test]
    fn an_ill_formed_subsequence_leaves_the_state() {
        for (input, expected) in [
            (&b"\x0E\x42"[..], &[Bad(1, TruncatedAtEnd)][..]),
            (b"\x0E\x42\x0F\x81", &[Bad(1, Truncated), Is(0xFF71)]),
            (b"\x0E\x42\x25\x42\x81", &[Bad(1, Truncated), Bad(1, InvalidByte), Is(0xFF41)]),
            (b"\x0E\xFF\x42\x81", &[Bad(1, InvalidByte), Is(0xFF41)]),
            (b"\x0E\x42\xFF\x42\x81", &[Bad(1, Truncated), Bad(1, InvalidByte), Is(0xFF41)]),
            (b"\x0E\xFE\xFD\x42\x81", &[Bad(2, UndefinedSequence), Is(0xFF41)]),
            (b"\x0E\x00\x0F\x81", &[Bad(1, InvalidByte), Is(0xFF71)]),
        ] {
            assert_eq!(walk(input), expected, "{input:X?}");
        }
    }

    #[test]
    fn the_encoder_shifts_where_the_length_changes_and_at_the_end() {
        let text = "aか日\nb日".chars().map(u32::from).collect::<Vec<_>>();
        let expected = b"b\x0E\x44\x86\x45\x62\x0F\x25c\x0E\x45\x62\x0F";
        assert_eq!(encoded_in_parts(&HostEncoder::new(IBM_930), &text), expected);
        let mut encoder = HostEncoder::new(IBM_930);
        let done = encoder.encode(&[0x0E], &mut [0; 8]);
        assert_eq!((done.read, done.stop), (0, EncodeStop::Unmappable));
    }

    #[test]
    fn two_code_points_have_one_code() {
        let decoder = Stateful(Host::new(IBM_1390));
        assert_eq!(
            walk_in_parts(&decoder, b"\x0E\xEC\xB5\x44\x86"),
            [Is(0x304B), Is(0x309A), Is(0x304B)]
        );
        let encoder = Joining::new(HostEncoder::new(IBM_1390));
        let text = [0x304B, 0x309A, 0x61, 0x304B];
        assert_eq!(encoded_in_parts(&encoder, &text), b"\x0E\xEC\xB5\x0F\x62\x0E\x44\x86\x0F");
    }
}
