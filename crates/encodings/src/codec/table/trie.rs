//! A trie of the codes of a table, by their bytes.
//!
//! ```text
//! codes 41 = A, 81 40 = U+3000, 82 41 = U+3001
//!
//! root       cells 41..82    41: A + 1    81: NODE | a    82: NODE | b    the others: NOTHING
//! node a     cell  40        U+3000 + 1
//! node b     cell  41        U+3001 + 1
//! ```
//!
//! A node also has the set of bytes that may end a code there, whether they have a character or not; here it is 40 and
//! 41 for both. It tells a well-shaped code without a character, such as 81 41, from a truncated one, such as 81 before
//! a line feed.

use crate::unicode::CodePoint;

pub(super) type TrieBytes = [u64; 4];

pub(super) fn add(bytes: &mut TrieBytes, byte: u8) {
    bytes[usize::from(byte) / 64] |= 1 << (byte % 64);
}

#[inline]
pub(super) fn has(bytes: &TrieBytes, byte: u8) -> bool {
    bytes[usize::from(byte) / 64] >> (byte % 64) & 1 == 1
}

/// The cell of a byte that begins no code.
pub(super) const NOTHING: u32 = 0;
/// The flag of a cell with the number of a node.
const NODE: u32 = 1 << 31;
/// The flag of a cell with the number of a sequence of two characters. A cell without a flag has a character plus 1.
const SEQUENCE: u32 = 1 << 30;

pub(super) fn character(cp: CodePoint) -> u32 {
    cp + 1
}

pub(super) fn sequence(number: usize) -> u32 {
    SEQUENCE | number as u32
}

pub(super) fn node(number: usize) -> u32 {
    NODE | number as u32
}

/// The codes that continue a given prefix.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrieNode {
    /// The byte of the first cell.
    pub(super) low: u8,
    /// The number of cells.
    pub(super) len: u16,
    /// The index of the first cell.
    pub(super) start: u32,
    /// The number of the set of bytes that end a code here, whether it has a character or not.
    pub(super) ends: u32,
}

/// The result of looking up the start of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TrieMatch {
    Character {
        cp: CodePoint,
        len: usize,
    },
    Sequence {
        cps: [CodePoint; 2],
        len: usize,
    },
    /// The start of a code, within which the input ends.
    Incomplete,
    /// `len` bytes that have the shape of a code, but no character.
    Undefined {
        len: usize,
    },
    /// `len` bytes that begin a code, which the byte after them cannot continue.
    Truncated {
        len: usize,
    },
}

#[derive(Debug, Default)]
pub(super) struct Trie {
    /// The root is the last one, because a node is added after those below it.
    pub(super) nodes: Vec<TrieNode>,
    pub(super) cells: Vec<u32>,
    pub(super) sequences: Vec<[CodePoint; 2]>,
    pub(super) ends: Vec<TrieBytes>,
    pub(super) longest: usize,
}

impl Trie {
    pub(super) const fn longest(&self) -> usize {
        self.longest
    }

    /// Looks up the start of an input; an empty one is incomplete.
    ///
    /// A first byte that begins no code is undefined. Where a later byte leads nowhere, the code is undefined, and
    /// includes that byte, if it may end a code there; otherwise it is truncated before it.
    #[inline]
    pub(super) fn find(&self, input: &[u8]) -> TrieMatch {
        let Some(mut at) = self.nodes.last() else {
            return if input.is_empty() {
                TrieMatch::Incomplete
            } else {
                TrieMatch::Undefined { len: 1 }
            };
        };
        for (before, byte) in input.iter().enumerate() {
            let len = before + 1;
            let cell = byte
                .checked_sub(at.low)
                .filter(|cell| u16::from(*cell) < at.len)
                .map_or(NOTHING, |cell| self.cells[at.start as usize + usize::from(cell)]);
            match cell {
                NOTHING if before == 0 || has(&self.ends[at.ends as usize], *byte) => {
                    return TrieMatch::Undefined { len };
                }
                NOTHING => return TrieMatch::Truncated { len: before },
                cell if cell & NODE != 0 => at = &self.nodes[(cell & !NODE) as usize],
                cell if cell & SEQUENCE != 0 => {
                    return TrieMatch::Sequence {
                        cps: self.sequences[(cell & !SEQUENCE) as usize],
                        len,
                    };
                }
                cell => return TrieMatch::Character { cp: cell - 1, len },
            }
        }
        TrieMatch::Incomplete
    }
}
