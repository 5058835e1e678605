//! Encoding to character sets with one- and two-byte codes: the table and the loop over long runs. `pair_runs.rs` is
//! the other direction, with the same idea.
//!
//! ```text
//! decode: eight bytes at a time: all US-ASCII │ four pairs │ four characters of one or two bytes, without a branch
//! encode: eight code points at a time: all US-ASCII │ eight codes of one or two bytes, without a branch
//! ```
//!
//! Where the lengths of characters change within a word, as in Japanese or accented text, a branch on them is hard to
//! predict, and a misprediction costs more than five characters. So the last variant of each has no branch that depends
//! on the text: it always stores two bytes, advances by the length of the code, and lets the next code overwrite the
//! rest.
//!
//! ```text
//! codes 00 61, 82 A0, 00 62     61 00 .. ..  ─►  61 82 A0 ..  ─►  61 82 A0 62 00
//!                               len = 1          len = 3          len = 4
//! ```
//!
//! Whatever is not in the table is passed to the codec, one character at a time, before the loop continues.
//!
//! # What the tables hold
//!
//! Single characters are decoded from the shared tables in `set/`, long runs from a flat copy. The loop for pairs takes
//! any byte from 80 on as a lead byte; sets with other lead bytes, or with shifts, have loops of their own.
//!
//! The encode table is built from a set when something is first encoded. It holds the codes of at most 16 bits for the
//! Basic Multilingual Plane. Characters above U+FFFF and codes of three or four bytes are in [`LongCodes`]; both are
//! rare. Codes for sequences of code points are left to the codec, which gets everything that is not in the table.

use std::collections::HashMap;
use std::hint::select_unpredictable;
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

use once_cell::race::OnceBox;

use super::Encoded;
use super::set::{self, CodedSet};
use crate::unicode::CodePoint;
use oxiconv_kernels::Progress;

/// The arguments of [`EncodeTable::of_two`].
type TwoSets = (CodedSet, u8, CodedSet);

/// The tables of [`EncodeTable::of_two`].
static OF_TWO: LazyLock<Mutex<HashMap<TwoSets, &'static EncodeTable>>> =
    LazyLock::new(Mutex::default);

const PLANE: usize = 0x1_0000;
/// Code points, or bytes, per iteration.
pub(super) const BLOCK: usize = 8;

/// Maps code points to codes of one or two bytes.
#[derive(Debug)]
pub struct EncodeTable {
    /// The code of each code point. 0 means none, because the system hands out zeroed pages and provides memory only
    /// for those that are written: pages without a character of the set take none.
    pub(super) codes: Box<[u16; PLANE]>,
    /// The code point whose code is 0, usually U+0000.
    of_zero: Option<u16>,
    /// Code points above U+FFFF and codes of more than two bytes. Built on the first lookup, since most texts need
    /// none.
    others: OnceLock<LongCodes>,
    /// The sets, each with the prefix of its codes.
    sets: Vec<(u16, CodedSet)>,
    single: bool,
    /// 80 if the code points below are encoded as themselves and need no lookup, otherwise 0.
    pub(super) plain_below: CodePoint,
    /// The bytes of US-ASCII, if they are not all themselves.
    pub(super) of_ascii: Option<Box<AsciiBytes>>,
}

/// The bytes of a set, such as an EBCDIC one, that encode US-ASCII.
#[derive(Debug)]
pub(super) struct AsciiBytes {
    /// By character: [`Self::none`] for all that are not US-ASCII, or have no single byte.
    pub(super) bytes: [u8; 256],
    /// A byte that stands for no character of US-ASCII.
    pub(super) none: u8,
}

impl AsciiBytes {
    fn new(byte_of: impl Fn(CodePoint) -> Option<u8>) -> Self {
        let bytes: Vec<_> = (0..0x80).map(byte_of).collect();
        // Always found: at most 128 of the 256 values are in use.
        let none = (0..=0xFF).rev().find(|byte| !bytes.contains(&Some(*byte))).unwrap_or_default();
        let byte = |at: usize| bytes.get(at).copied().flatten().unwrap_or(none);
        Self { bytes: std::array::from_fn(byte), none }
    }
}

impl EncodeTable {
    pub(super) fn empty() -> Self {
        let codes = vec![0; PLANE].into_boxed_slice();
        let codes = codes.try_into().expect("as long as that");
        Self {
            codes,
            of_zero: None,
            others: OnceLock::new(),
            sets: Vec::new(),
            single: false,
            plain_below: 0,
            of_ascii: None,
        }
    }

    pub(super) fn of_set(set: CodedSet) -> Self {
        Self::of_sets(&[(0, set)])
    }

    /// Creates the table of several sets, each with the prefix of its codes. If several have a character, the first
    /// wins.
    pub(super) fn of_sets(sets: &[(u16, CodedSet)]) -> Self {
        // Sets after a prefix have codes of three or four bytes, which are in `LongCodes` only.
        let mut table = Self::empty();
        table.sets = sets.to_vec();
        table.single = sets.len() == 1 && !sets[0].1.has_pairs();
        for (_, set) in sets.iter().filter(|(prefix, _)| *prefix == 0) {
            table.add(0, *set);
        }
        let byte_of = |cp| table.get(cp).and_then(|code| u8::try_from(code).ok());
        if (0..0x80).all(|cp| byte_of(cp).map(CodePoint::from) == Some(cp)) {
            table.plain_below = 0x80;
        } else if (0..0x80).any(|cp| byte_of(cp).is_some()) {
            table.of_ascii = Some(Box::new(AsciiBytes::new(byte_of)));
        }
        table
    }

    /// Returns the table of a set of single bytes and of a second set: pairs, or single bytes after `escape` if that is
    /// not 0. The first call builds it. If both have a character, the first wins.
    pub(super) fn of_two(first: CodedSet, escape: u8, second: CodedSet) -> &'static Self {
        let mut tables = OF_TWO.lock().unwrap_or_else(PoisonError::into_inner);
        tables.entry((first, escape, second)).or_insert_with(|| {
            let table = if escape == 0 {
                Self::of_sets(&[(0, first), (0, second)])
            } else {
                let mut table = Self::of_set(first);
                table.single = false;
                table.add(u16::from(escape) << 8, second);
                table
            };
            // Not a growing leak: there is one table per charset.
            Box::leak(Box::new(table))
        })
    }

    /// Adds the codes of a set up to U+FFFF, each on top of `base`.
    fn add(&mut self, base: u16, set: CodedSet) {
        visit_written(set, |cp, code| match (u16::try_from(cp), base | code) {
            (Ok(cp), 0) => self.of_zero = Some(cp),
            (Ok(cp), code) if self.get(cp.into()).is_none() => self.codes[usize::from(cp)] = code,
            _ => {}
        });
    }

    fn others(&self) -> &LongCodes {
        self.others.get_or_init(|| {
            let mut others = LongCodes::default();
            if self.sets.iter().all(|(prefix, set)| *prefix == 0 && !set.is_wide()) {
                return others;
            }
            for &(prefix, set) in &self.sets {
                visit_written(set, |cp, code| {
                    if cp >= PLANE as u32 || prefix != 0 && self.get(cp).is_none() {
                        others.insert(cp, u32::from(prefix) << 16 | u32::from(code));
                    }
                });
            }
            others
        })
    }

    /// Returns the code of `cp`; `None` if it has none of at most 16 bits, or is above U+FFFF.
    #[inline]
    pub(super) fn get(&self, cp: CodePoint) -> Option<u16> {
        let cp = u16::try_from(cp).ok()?;
        match self.codes[usize::from(cp)] {
            0 => (self.of_zero == Some(cp)).then_some(0),
            code => Some(code),
        }
    }

    /// Returns the code of `cp`; 0 if [`Self::get`] returns none, and also if the code itself is 0.
    #[inline(always)]
    pub(super) fn quick_code(&self, cp: CodePoint) -> u16 {
        match self.codes.get(cp as usize) {
            Some(code) => *code,
            None => 0,
        }
    }

    /// Returns the code of `cp`, if it has at most two bytes.
    #[inline]
    pub fn code(&self, cp: CodePoint) -> Option<u16> {
        self.long_code(cp)?.try_into().ok()
    }

    /// Returns the code of `cp` of any length, the first byte highest.
    #[inline]
    pub(super) fn long_code(&self, cp: CodePoint) -> Option<u32> {
        self.get(cp).map(u32::from).or_else(|| self.others().get(cp))
    }

    /// Returns the bytes of `cp`. Their number follows from the code, as no code of several bytes begins with 00.
    #[inline]
    pub(super) fn bytes(&self, cp: CodePoint) -> Option<Encoded> {
        Some(encoded(self.long_code(cp)?))
    }

    /// Encodes a run of code points with this table, and those that it lacks with `other`, under the contract of
    /// [`oxiconv_kernels`].
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
                // What precedes the first character without a code counts. Else German in GB18030, with an umlaut in
                // most blocks, would be encoded one by one.
                let (characters, len) = self.encode_block(from, to);
                read += characters;
                written += len;
                if characters == BLOCK {
                    continue;
                }
            }
            let Some(one) = self.bytes(input[read]).or_else(|| other(input[read])) else { break };
            let bytes = one.as_slice();
            let Some(slot) = output.get_mut(written..written + bytes.len()) else { break };
            slot.copy_from_slice(bytes);
            written += bytes.len();
            read += 1;
        }
        Progress { read, written }
    }

    /// Encodes characters up to the first that is not in the table. Returns the number of characters read and of bytes
    /// written. `to` holds two bytes per character, so the two-byte stores stay in bounds: `len` grows by at most two
    /// each.
    #[inline(always)]
    fn encode_block(&self, from: &[CodePoint; BLOCK], to: &mut [u8; 2 * BLOCK]) -> (usize, usize) {
        let any = from.iter().fold(0, |any, cp| any | cp);
        if any < self.plain_below {
            for (to, cp) in to.iter_mut().zip(from) {
                *to = *cp as u8;
            }
            return (BLOCK, BLOCK);
        }
        // In a single-byte set the place of each code is known, so no lengths have to be summed up. Here and below, the
        // index is taken modulo the plane to save the bounds check; a code point above it is sorted out afterwards.
        if self.single {
            let codes = from.map(|cp| self.codes[cp as usize % PLANE]);
            if any < PLANE as u32 && !codes.contains(&0) {
                to[..BLOCK].copy_from_slice(&codes.map(|code| code as u8));
                return (BLOCK, BLOCK);
            }
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

/// Maps code points to codes of up to four bytes, in pages that exist only if a code point of theirs has a code.
#[derive(Debug, Default)]
struct LongCodes {
    /// The page of each 1024 code points, counted from 1; 0 means none. A `u8` suffices, because the characters are in
    /// planes 0 to 2, which have 192 pages.
    numbers: Vec<u8>,
    pages: Vec<[u32; LongCodes::PAGE]>,
}

impl LongCodes {
    const PAGE: usize = 0x400;

    fn insert(&mut self, cp: CodePoint, code: u32) {
        let (page, at) = (cp as usize / Self::PAGE, cp as usize % Self::PAGE);
        if self.numbers.len() <= page {
            self.numbers.resize(page + 1, 0);
        }
        if self.numbers[page] == 0 {
            self.pages.push([0; Self::PAGE]);
            self.numbers[page] = self.pages.len() as u8;
        }
        let slot = &mut self.pages[usize::from(self.numbers[page]) - 1][at];
        if *slot == 0 {
            *slot = code;
        }
    }

    fn get(&self, cp: CodePoint) -> Option<u32> {
        let number = *self.numbers.get(cp as usize / Self::PAGE)?;
        let page = self.pages.get(usize::from(number).checked_sub(1)?)?;
        Some(page[cp as usize % Self::PAGE]).filter(|code| *code != 0)
    }
}

/// The encode tables of the sets, each built on first use.
static ENCODINGS: [OnceBox<EncodeTable>; set::COUNT] = [const { OnceBox::new() }; set::COUNT];

impl CodedSet {
    /// Returns the encode table. The first call builds it, in some microseconds for 256 codes and in less than a tenth
    /// of a millisecond for thousands.
    pub fn encoding(self) -> &'static EncodeTable {
        ENCODINGS[usize::from(self.0)].get_or_init(|| Box::new(EncodeTable::of_set(self)))
    }
}

/// Calls `visit` with each character that a set can encode, and its code. No character comes twice.
#[inline]
fn visit_written(set: CodedSet, mut visit: impl FnMut(CodePoint, u16)) {
    set.visit(|code, cp, written| {
        if written {
            visit(cp, code);
        }
    });
    set.only_written().for_each(|(cp, code)| visit(cp, code));
}

/// Returns the bytes of a code, without leading zeros; one byte at least.
#[inline]
pub(super) fn encoded(code: u32) -> Encoded {
    let bytes = code.to_be_bytes();
    Encoded::new(&bytes[(code.leading_zeros() as usize / 8).min(3)..])
}
