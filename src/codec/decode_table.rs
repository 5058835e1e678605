//! The decode table of character sets with one- and two-byte codes. Its contents, and the loops that use it, are
//! described in `codes.rs`.

use std::hint::select_unpredictable;

use super::Decoded;
use super::codes::BLOCK;
use crate::kernels::Progress;
use crate::unicode::CodePoint;

/// The high bit of each byte of a word.
const HIGH: u64 = 0x8080_8080_8080_8080;
/// The high bit of each first byte, if a word is four pairs.
const LEADS: u64 = 0x0080_0080_0080_0080;

/// Maps codes of one or two bytes to code points. A one-byte code is a number below 100.
#[derive(Debug)]
pub(super) struct DecodeTable {
    /// The code point of each code, or 0. The system provides pages when they are first touched.
    characters: Box<[u16; DecodeTable::LEN]>,
    ascii: bool,
}

impl DecodeTable {
    const LEN: usize = 0x1_0000;

    /// Creates a table without characters.
    pub(super) fn empty() -> Self {
        let characters = vec![0; Self::LEN].into_boxed_slice();
        Self { characters: characters.try_into().expect("as long as that"), ascii: false }
    }

    /// Creates a table with US-ASCII.
    pub(super) fn of_ascii() -> Self {
        let mut table = Self::empty();
        (0..0x80).for_each(|byte| table.insert(byte, byte));
        table.ascii = true;
        table
    }

    pub(super) fn insert(&mut self, code: u16, cp: u16) {
        self.characters[usize::from(code)] = cp;
    }

    /// Returns the code point of `code`; 0 if there is none.
    #[inline]
    pub(super) fn get(&self, code: u16) -> u16 {
        self.characters[usize::from(code)]
    }

    /// Decodes a run of bytes below 80, and of pairs in the table whose first byte is at least 80; other bytes are
    /// passed to `other`. This is under the contract of [`crate::kernels`].
    pub(super) fn decode(
        &self,
        input: &[u8],
        output: &mut [CodePoint],
        other: impl Fn(&[u8]) -> Decoded,
    ) -> Progress {
        let (mut read, mut written) = (0, 0);
        loop {
            if let Some(from) = input[read..].first_chunk::<BLOCK>()
                && let Some(to) = output[written..].first_chunk_mut::<BLOCK>()
                && let Some((bytes, characters)) = self.decode_block(*from, to)
            {
                read += bytes;
                written += characters;
                continue;
            }
            for _ in 0..BLOCK / 2 {
                let rest = &input[read..];
                if rest.is_empty() || written == output.len() {
                    return Progress { read, written };
                }
                let Decoded::Character { cp, len } = other(rest) else {
                    return Progress { read, written };
                };
                output[written] = cp;
                written += 1;
                read += len;
            }
        }
    }

    /// Returns the number of bytes read and of characters written; `None` if something is not in the table.
    #[inline(always)]
    fn decode_block(
        &self,
        from: [u8; BLOCK],
        to: &mut [CodePoint; BLOCK],
    ) -> Option<(usize, usize)> {
        let mut word = u64::from_le_bytes(from);
        if word & HIGH == 0 && self.ascii {
            *to = from.map(CodePoint::from);
            return Some((BLOCK, BLOCK));
        }
        const CHARACTERS: usize = BLOCK / 2;
        let mut none = false;
        if word & LEADS == LEADS {
            for (to, pair) in to.iter_mut().zip(from.as_chunks().0) {
                let cp = self.get(u16::from_be_bytes(*pair));
                none |= cp == 0;
                *to = cp.into();
            }
            return (!none).then_some((BLOCK, CHARACTERS));
        }
        let mut bits = 0;
        for to in &mut to[..CHARACTERS] {
            let pair = word & 0x80 != 0;
            let code = (word as u16).swap_bytes();
            let cp = self.get(select_unpredictable(pair, code, word as u16 & 0xFF));
            none |= cp == 0;
            *to = cp.into();
            let len = select_unpredictable(pair, 16, 8);
            word = word.wrapping_shr(len);
            bits += len;
        }
        (!none).then_some((bits as usize / 8, CHARACTERS))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{BIG5, CP932, CP949, DoubleByte, EucJp, GBK, Gb18030};
    use super::super::{Encoded, SingleByte, StatelessCodec, sets};
    use super::*;

    /// Checks that `decode_run` and `encode_run` give the same as one character at a time, up to the same place.
    fn runs_are_characters_one_by_one(scheme: &impl StatelessCodec, input: &[u8], room: usize) {
        let mut expected = Vec::new();
        let mut read = 0;
        while read < input.len()
            && expected.len() < room
            && let Decoded::Character { cp, len } = scheme.decode_one(&input[read..])
        {
            expected.push(cp);
            read += len;
        }
        let mut output = vec![0; room];
        let run = scheme.decode_run(input, &mut output);
        assert_eq!((run.read, &output[..run.written]), (read, &expected[..]), "{input:X?}");

        // The characters, with some between them that may not be in the set.
        expected.extend([0x20AC, 0, 0x1_F600]);
        expected.extend(output[..run.written].iter().rev());
        let (mut bytes, mut read) = (Vec::new(), 0);
        for cp in &expected {
            let one = scheme.encode_one(*cp);
            let Some(one) = one.filter(|one| bytes.len() + one.as_slice().len() <= room) else {
                break;
            };
            bytes.extend_from_slice(Encoded::as_slice(&one));
            read += 1;
        }
        let mut output = vec![0; room];
        let run = scheme.encode_run(&expected, &mut output);
        assert_eq!((run.read, &output[..run.written]), (read, &bytes[..]), "{expected:X?}");
    }

    proptest! {
        #[test]
        fn a_run_is_its_characters(
            parts in prop::collection::vec(
                prop_oneof![
                    4 => (0x81..=0xFE_u8, 0xA1..=0xFE_u8).prop_map(|(lead, trail)| vec![lead, trail]),
                    4 => prop::collection::vec(0x20..=0x7E_u8, 1..12),
                    1 => prop::collection::vec(any::<u8>(), 1..4),
                    1 => (0x81..=0x84_u8, 0x30..=0x39_u8, 0x81..=0xFE_u8, 0x30..=0x39_u8)
                        .prop_map(|(a, b, c, d)| vec![a, b, c, d]),
                ],
                0..40,
            ),
            room in 0..200_usize,
        ) {
            let input = parts.concat();
            for set in [&CP932, &GBK, &BIG5, &CP949] {
                runs_are_characters_one_by_one(&DoubleByte::new(set), &input, room);
            }
            runs_are_characters_one_by_one(&Gb18030, &input, room);
            runs_are_characters_one_by_one(&EucJp, &input, room);
            for set in [&sets::WINDOWS_1252, &sets::KOI8_R, &sets::ISO_8859_3] {
                runs_are_characters_one_by_one(&SingleByte::new(set), &input, room);
            }
        }
    }
}
