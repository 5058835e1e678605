//! Common parts of character sets with one- and two-byte codes: the tables of both directions, and the loops over long
//! runs.
//!
//! ```text
//! decode: eight bytes at a time: all US-ASCII │ four pairs │ four characters of one or two bytes, without a branch
//! encode: eight code points at a time: all US-ASCII │ eight codes of one or two bytes, without a branch
//! ```
//!
//! Text in a language of such a set is hard to predict, and a branch misprediction costs more than five characters. So
//! the last variant of each has no branch that depends on the text. Whatever is not in the table is passed to the
//! codec, one character at a time, before the loop continues.
//!
//! # What the tables hold
//!
//! They hold any code of 16 bits, and characters of the Basic Multilingual Plane. Whether bytes below 80 are US-ASCII
//! is a property of the table. The loop of `DecodeTable` takes any byte from 80 on as the first of a pair: sets that
//! shift to two bytes (as in EBCDIC) decode with `DecodeTable::get` in a loop of their own. Characters above U+FFFF,
//! codes of three or four bytes, and codes for several code points are left to the codec, which is asked about
//! everything that is not in the table (as in GB 18030, EUC-JP and `composing.rs`).

use std::hint::select_unpredictable;

use super::Encoded;
use crate::kernels::{Codes, Progress};
use crate::unicode::CodePoint;

/// Code points of the Basic Multilingual Plane.
const PLANE: usize = 0x1_0000;
/// Code points, or bytes, per iteration.
pub(super) const BLOCK: usize = 8;

/// Maps code points to codes of one or two bytes.
#[derive(Debug)]
pub(super) struct EncodeTable {
    /// The code of each code point. 0 means none, so that memory is touched only for characters in the set.
    codes: Box<[u16; PLANE]>,
    /// The code point whose code is 0.
    of_zero: Option<u16>,
    /// 80 if code points below it are encoded as themselves and need no lookup, otherwise 0.
    plain_below: CodePoint,
}

impl EncodeTable {
    /// Creates a table without characters.
    pub(super) fn empty() -> Self {
        // The system zeroes pages when they are first touched.
        let codes = vec![0; PLANE].into_boxed_slice();
        let codes = codes.try_into().expect("as long as that");
        Self { codes, of_zero: None, plain_below: 0 }
    }

    /// Creates a table with US-ASCII.
    pub(super) fn of_ascii() -> Self {
        let mut table = Self::empty();
        (0..0x80).for_each(|cp| table.insert(cp, cp));
        table.plain_below = 0x80;
        table
    }

    /// Creates the inverse of a table of 256 codes.
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

    /// Returns the code of `cp`, or `None`.
    #[inline]
    pub(super) fn get(&self, cp: CodePoint) -> Option<u16> {
        let cp = u16::try_from(cp).ok()?;
        match self.codes[usize::from(cp)] {
            0 => (self.of_zero == Some(cp)).then_some(0),
            code => Some(code),
        }
    }

    /// Returns the bytes of `cp`: the high byte first, or one byte for a code up to FF.
    #[inline]
    pub(super) fn bytes(&self, cp: CodePoint) -> Option<Encoded> {
        Some(match self.get(cp)?.to_be_bytes() {
            [0, byte] => Encoded::new(&[byte]),
            pair => Encoded::new(&pair),
        })
    }

    /// Encodes a run of code points with this table, and others with `other`, under the contract of [`crate::kernels`].
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

    /// Encodes characters up to the first that is not in the table. Returns the number of characters read and of bytes
    /// written.
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
