//! What the sets of codes of one and two bytes share: the tables of both directions, and the loops over long runs.
//!
//! ```text
//! decode: eight bytes at a time: all US-ASCII │ four pairs │ four characters, each of one byte or two, without a branch
//! encode: eight code points at a time: all US-ASCII │ eight codes, each of one byte or two, without a branch
//! ```
//!
//! In text of a language with such a set, what comes next is hard to foresee, and a wrong guess of the processor's costs
//! more than five characters. So the last way of each has no branch that depends on the text. What is in no table goes to
//! the codec, one by one, before the loop goes on.
//!
//! # What the tables hold
//!
//! Any code of 16 bits, and characters of the Basic Multilingual Plane. Whether bytes below 80 are US-ASCII is a fact of a
//! table. The loop of [`DecodeTable`] takes a byte from 80 on for the first of a pair: sets that shift to two bytes
//! (EBCDIC's) decode by [`DecodeTable::get`] in a loop of their own. What is past U+FFFF, in three bytes or four, or several
//! code points is for the codec, which is asked about all that is not here (GB 18030, EUC-JP and `composing.rs` do it).

use std::hint::select_unpredictable;

use super::{Decoded, Encoded};
use crate::kernels::{Codes, Progress};
use crate::unicode::CodePoint;

/// Code points of the Basic Multilingual Plane.
const PLANE: usize = 0x1_0000;
/// Code points, or bytes, that a loop takes at a time.
const BLOCK: usize = 8;
/// The first bit of each byte of a word.
const HIGH: u64 = 0x8080_8080_8080_8080;
/// That of each byte that is the first of a pair, where four pairs are a word.
const LEADS: u64 = 0x0080_0080_0080_0080;

/// From code points to codes of one or two bytes.
#[derive(Debug)]
pub(super) struct EncodeTable {
    /// The code of each code point. Code 0 stands for none, so that memory is touched only for characters that there are.
    codes: Box<[u16; PLANE]>,
    /// The code point that has code 0.
    of_zero: Option<u16>,
    /// 80 if code points below are written as they are, or 0: none has to be looked up then.
    plain_below: CodePoint,
}

impl EncodeTable {
    /// One without characters.
    pub(super) fn empty() -> Self {
        // Zeroed by the system where it is touched, and only there.
        let codes = vec![0; PLANE].into_boxed_slice();
        let codes = codes.try_into().expect("as long as that");
        Self { codes, of_zero: None, plain_below: 0 }
    }

    /// One with US-ASCII.
    pub(super) fn of_ascii() -> Self {
        let mut table = Self::empty();
        (0..0x80).for_each(|cp| table.insert(cp, cp));
        table.plain_below = 0x80;
        table
    }

    /// The other direction of a set of 256 codes.
    pub(super) fn of(codes: &Codes) -> Self {
        let mut table = if codes.is_ascii() { Self::of_ascii() } else { Self::empty() };
        for byte in 0..=0xFF {
            if let Some(cp) = codes.character(byte) {
                table.insert(cp, byte.into());
            }
        }
        table
    }

    /// Gives `cp` a code, unless it has one already.
    pub(super) fn insert(&mut self, cp: u16, code: u16) {
        match (self.get(cp.into()), code) {
            (Some(_), _) => {}
            (None, 0) => self.of_zero = Some(cp),
            (None, code) => self.codes[usize::from(cp)] = code,
        }
    }

    /// The code of `cp`, or `None`.
    #[inline]
    pub(super) fn get(&self, cp: CodePoint) -> Option<u16> {
        let cp = u16::try_from(cp).ok()?;
        match self.codes[usize::from(cp)] {
            0 => (self.of_zero == Some(cp)).then_some(0),
            code => Some(code),
        }
    }

    /// The bytes of `cp`, high byte first, and one byte for a code up to FF.
    #[inline]
    pub(super) fn bytes(&self, cp: CodePoint) -> Option<Encoded> {
        Some(match self.get(cp)?.to_be_bytes() {
            [0, byte] => Encoded::new(&[byte]),
            pair => Encoded::new(&pair),
        })
    }

    /// Encodes a run of code points as [`EncodeTable::bytes`], and others as `other` has it. On the contract of
    /// [`crate::kernels`].
    pub(super) fn encode(
        &self,
        input: &[CodePoint],
        output: &mut [u8],
        other: impl Fn(CodePoint) -> Option<Encoded>,
    ) -> Progress {
        let (mut read, mut written) = (0, 0);
        while read < input.len() {
            if let Some(from) = input[read..].first_chunk::<BLOCK>()
                && let Some(to) = output[written..].first_chunk_mut::<{ 2 * BLOCK }>()
            {
                let (characters, len) = self.encode_block(from, to);
                read += characters;
                written += len;
                if characters == BLOCK {
                    continue;
                }
            }
            let Some(one) = self.bytes(input[read]).or_else(|| other(input[read])) else { break };
            let bytes = one.as_slice();
            let Some(place) = output.get_mut(written..written + bytes.len()) else { break };
            place.copy_from_slice(bytes);
            written += bytes.len();
            read += 1;
        }
        Progress { read, written }
    }

    /// Returns the characters read, up to the first that is not in the map, and the bytes written.
    #[inline(always)]
    fn encode_block(&self, from: &[CodePoint; BLOCK], to: &mut [u8; 2 * BLOCK]) -> (usize, usize) {
        let any = from.iter().fold(0, |any, cp| any | cp);
        if any < self.plain_below {
            for (to, cp) in to.iter_mut().zip(from) {
                *to = *cp as u8;
            }
            return (BLOCK, BLOCK);
        }
        let mut len = 0;
        for (number, cp) in from.iter().enumerate() {
            let code = self.codes[*cp as usize % PLANE];
            if code == 0 || *cp >= PLANE as u32 {
                return (number, len);
            }
            let pair = code > 0xFF;
            let bytes = select_unpredictable(pair, code, code << 8).to_be_bytes();
            to[len..len + 2].copy_from_slice(&bytes);
            len += 1 + usize::from(pair);
        }
        (BLOCK, len)
    }
}

/// From codes of one or two bytes to code points. A code of one byte is a number below 100.
#[derive(Debug)]
pub(super) struct DecodeTable {
    /// The code point of each code; 0: none. The system gives memory where it is touched, and only there.
    characters: Box<[u16; DecodeTable::LEN]>,
    ascii: bool,
}

impl DecodeTable {
    const LEN: usize = 0x1_0000;

    /// One without characters.
    pub(super) fn empty() -> Self {
        let characters = vec![0; Self::LEN].into_boxed_slice();
        Self { characters: characters.try_into().expect("as long as that"), ascii: false }
    }

    /// One with US-ASCII.
    pub(super) fn of_ascii() -> Self {
        let mut table = Self::empty();
        (0..0x80).for_each(|byte| table.insert(byte, byte));
        table.ascii = true;
        table
    }

    pub(super) fn insert(&mut self, code: u16, cp: u16) {
        self.characters[usize::from(code)] = cp;
    }

    /// The code point of `code`; 0 if there is none.
    #[inline]
    pub(super) fn get(&self, code: u16) -> u16 {
        self.characters[usize::from(code)]
    }

    /// Decodes a run of bytes below 80 and of pairs that begin with one from 80 on, if they are here, and others as `other`
    /// has it. On the contract of [`crate::kernels`].
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

    /// Returns the bytes read and the characters written; `None` where something is not in the table.
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
    use super::super::{SingleByte, StatelessCodec, sets};
    use super::*;

    /// What `decode_run` and `encode_run` give is what one character after the other gives, up to the same place.
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

        // The characters, with some between them that the set may not have.
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
