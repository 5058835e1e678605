//! Charsets built at run time, from a table that a user brings.
//!
//! The built-in sets (`set/`) share blocks, and can hold only what published tables have: planes 0 and 2, and codes
//! that their structure allows. A user's table may have anything, so it is a trie:
//!
//! ```text
//! decode:  byte ─► node ─► byte ─► node ─► … ─► character, or two        encode:  code point ─► page of 256 ─► code
//! ```
//!
//! A node has a cell for each byte between its lowest and its highest one. What is ill-formed follows the rules of the
//! built-in structures (`multi_byte.rs`, `dbcs_host.rs`), so that a published table gives the same findings either way.

mod build;
mod own_host;
mod trie;

use super::multi_byte::cut_before_ascii;
use super::{Decoded, Encoded, StatelessCodec};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind};
pub use build::{Direction, TableBuilder, TableFault};
pub use own_host::OwnHost;
use oxiconv_kernels::Progress;
use trie::{Trie, TrieMatch};

const PAGE: usize = 0x100;

/// A charset built at run time.
#[derive(Debug)]
pub struct OwnTable {
    /// All codes, or those of one byte if there are shifts.
    codes: Trie,
    /// The two-byte codes between the shifts, if there are shifts.
    shifted: Option<Trie>,
    /// The lowest byte of a code between the shifts.
    low: u8,
    /// Whether each byte below 30 is a character by itself, and never part of a longer code.
    low_alone: bool,
    /// The page of each 256 code points, counted from 1; 0 means none.
    page_numbers: Box<[u16]>,
    /// The code of each code point, with its length in bits 32 and above; 0 means none.
    pages: Vec<[u64; PAGE]>,
    /// Best fits, sorted.
    fits: Vec<(CodePoint, CodePoint)>,
    sequences: Vec<([CodePoint; 2], Encoded)>,
}

impl OwnTable {
    /// Whether a text can be split after any byte below 30: each is a character by itself, and never part of a longer
    /// code.
    pub const fn splits_after_low(&self) -> bool {
        self.low_alone && self.shifted.is_none()
    }

    /// Whether there are shifts to codes of two bytes.
    pub const fn has_shifts(&self) -> bool {
        self.shifted.is_some()
    }

    /// Whether all codes have one byte.
    pub const fn is_single(&self) -> bool {
        self.shifted.is_none() && self.codes.longest() <= 1
    }

    #[inline]
    fn code(&self, cp: CodePoint) -> Option<Encoded> {
        let number = *self.page_numbers.get(cp as usize / PAGE)?;
        let page = self.pages.get(usize::from(number).checked_sub(1)?)?;
        match page[cp as usize % PAGE] {
            0 => None,
            code => Some(encoded(code)),
        }
    }

    fn best_fit(&self, cp: CodePoint) -> Option<CodePoint> {
        let at = self.fits.binary_search_by_key(&cp, |(cp, _)| *cp).ok()?;
        Some(self.fits[at].1)
    }
}

/// Returns the bytes of a code with its length in bits 32 and above.
#[inline]
fn encoded(code: u64) -> Encoded {
    let len = (code >> 32) as usize;
    Encoded::new(&(code as u32).to_be_bytes()[4 - len..])
}

/// The codec of a charset without shifts.
#[derive(Clone, Copy, Debug)]
pub struct OwnCodec(pub &'static OwnTable);

impl StatelessCodec for OwnCodec {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        let (mut read, mut written) = (0, 0);
        while let Some(slot) = output.get_mut(written)
            && let TrieMatch::Character { cp, len } = self.0.codes.find(&input[read..])
        {
            *slot = cp;
            written += 1;
            read += len;
        }
        Progress { read, written }
    }

    fn has_sequences(&self) -> bool {
        true
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        let (len, kind) = match self.0.codes.find(input) {
            TrieMatch::Character { cp, len } => return Decoded::Character { cp, len },
            TrieMatch::Sequence { cps, len } => return Decoded::Sequence { cps, len },
            TrieMatch::Incomplete => return Decoded::Incomplete,
            TrieMatch::Undefined { len: 1 } => (1, IllFormedKind::InvalidByte),
            TrieMatch::Undefined { len } => (len, IllFormedKind::UndefinedSequence),
            TrieMatch::Truncated { len } => (len, IllFormedKind::Truncated),
        };
        let is_character = |byte| matches!(self.0.codes.find(&[byte]), TrieMatch::Character { .. });
        Decoded::IllFormed(IllFormed::new(cut_before_ascii(&input[..len], is_character), kind))
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        let (mut read, mut written) = (0, 0);
        for cp in input {
            let Some(code) = self.0.code(*cp) else { break };
            let bytes = code.as_slice();
            let Some(slot) = output.get_mut(written..written + bytes.len()) else { break };
            slot.copy_from_slice(bytes);
            written += bytes.len();
            read += 1;
        }
        Progress { read, written }
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        self.0.code(cp)
    }

    fn best_fit(&self, cp: CodePoint) -> Option<CodePoint> {
        self.0.best_fit(cp)
    }

    fn sequences(&self) -> Vec<([CodePoint; 2], Encoded)> {
        self.0.sequences.clone()
    }
}

#[cfg(test)]
mod tests;
