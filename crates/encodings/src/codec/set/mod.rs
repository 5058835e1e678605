//! Character sets as data: tables of one- and two-byte codes, used in place, or copied into a flat table for the loops
//! over long runs.
//!
//! A table is a trie of three levels: the first byte of a code selects a row, the high bits of the second one a block
//! in it, and the low five bits a cell.
//!
//! ```text
//! CodedSet ──► 256 rows, or one if single-byte ──► 8 blocks per row ──► 32 cells per block ──► character
//!              set_rows.bin                        rows.bin             blocks.bin
//!
//! B0 A1        row B0                              block A1 >> 5 = 5    cell A1 & 1F = 1
//! ```
//!
//! All sets share the rows and the blocks, so a set that differs from another in a few codes takes little space: the
//! 1,345 sets take 2.4 MB. A cell has the low 16 bits of a character; [`UNDEFINED`] and [`SEQUENCE`] are noncharacters.
//! Block 0 is all undefined. A bit per cell says that the character is in plane 2 (`planes.bin`); no set here has one
//! in another plane above 0.
//!
//! Nothing is computed when the program starts. The flat table for decoding pairs is copied for the first text that is
//! long enough to be worth it, and the encode table is built when something is first encoded. Each takes less than a
//! tenth of a millisecond.
//!
//! What the cells cannot express is in `extras.bin`, per set, in this order:
//!
//! ```text
//! codes that are only read
//! characters that are only written, each with its code
//! best fits: blocks of codes, by the character
//! codes of two characters
//! the lead bytes of pairs, and the trail bytes, as bitmaps
//! ```
//!
//! tools/charsets/generate.py makes these files. The parts that only tables of ICU's archive use come last, so that
//! they can be left out without the feature `archive`.

mod coded_set;
mod records;
mod utf8_tables;

use std::sync::OnceLock;

use once_cell::race::OnceBox;

use crate::unicode::CodePoint;
pub use coded_set::CodedSet;
use coded_set::Record;
use oxiconv_kernels::Codes;
pub use records::*;
pub(super) use utf8_tables::{Utf8Bytes, Utf8Entry, Utf8Pairs, entry};

/// The cell of a code without a character.
const UNDEFINED: u16 = 0xFFFF;
/// The cell of a code that stands for two characters.
pub(super) const SEQUENCE: u16 = 0xFFFE;
pub(super) const CELLS: usize = 32;
const BLOCKS: usize = 256 / CELLS;

/// Defines a static with the bytes of a file, followed by those of a second one with the feature `archive`.
macro_rules! bytes {
    ($name:ident, $main:literal, $archive:literal) => {
        static $name: [u8; {
            include_bytes!($main).len() + archive(include_bytes!($archive)).len()
        }] = joined(include_bytes!($main), archive(include_bytes!($archive)));
    };
}

const fn archive(bytes: &'static [u8]) -> &'static [u8] {
    if cfg!(feature = "archive") { bytes } else { &[] }
}

const fn joined<const LEN: usize>(first: &[u8], second: &[u8]) -> [u8; LEN] {
    let mut all = [0; LEN];
    let (start, rest) = all.split_at_mut(first.len());
    start.copy_from_slice(first);
    rest.copy_from_slice(second);
    all
}

bytes!(BLOCK_BYTES, "blocks.bin", "blocks_archive.bin");
bytes!(PLANE_BYTES, "planes.bin", "planes_archive.bin");
bytes!(ROW_BYTES, "rows.bin", "rows_archive.bin");
bytes!(SET_ROW_BYTES, "set_rows.bin", "set_rows_archive.bin");
bytes!(EXTRA_BYTES, "extras.bin", "extras_archive.bin");

#[cfg(not(feature = "archive"))]
static ARCHIVE: [Record; 0] = [];
#[cfg(not(feature = "archive"))]
static PREFIXED_ARCHIVE: [(u16, CodedSet); 0] = [];

/// A little-endian number of 16 bits, as stored in the files.
type LeU16 = [u8; 2];

pub(super) type CellBlock = [LeU16; CELLS];

#[inline]
pub(super) fn blocks() -> &'static [CellBlock] {
    BLOCK_BYTES.as_chunks().0.as_chunks().0
}

/// Returns the first code point of the plane of a cell.
#[inline]
pub(super) fn plane(block: usize, cell: usize) -> CodePoint {
    let bits: &[[u8; 4]] = PLANE_BYTES.as_chunks().0;
    (u32::from_le_bytes(bits[block]) >> cell & 1) << 17
}

#[inline]
fn number(word: LeU16) -> usize {
    usize::from(u16::from_le_bytes(word))
}

/// The number of prefixes of longer codes, in all sets.
pub(super) const PREFIXES: usize = PREFIXED_MAIN.len() + PREFIXED_ARCHIVE.len();

/// The tables that codecs build from a set on first use.
///
/// Not `OnceLock`: its empty state is not all zeros, so these arrays took 88 KB in the program's file. An empty
/// [`OnceBox`] is a null pointer. In exchange, two threads that use a charset for the first time may both build its
/// table, and one is dropped.
static INDEXES: [OnceBox<PairIndex>; COUNT] = [const { OnceBox::new() }; COUNT];
static SINGLES: [OnceBox<Codes>; COUNT] = [const { OnceBox::new() }; COUNT];
static UTF8_BYTES: [OnceBox<Utf8Bytes>; COUNT] = [const { OnceBox::new() }; COUNT];
pub(super) const COUNT: usize = MAIN.len() + ARCHIVE.len();

/// The least length of a text for which the flat table is worth copying. Building this and other tables only where they
/// pay reduced the conversion of one line of GB18030 from 5.7 to 0.75 million instructions. In tests the length is
/// short, so that they cover both ways of looking up.
const LONG: usize = if cfg!(any(test, fuzzing)) { 20 } else { 4096 };

pub(super) type Cells = [u16; 0x1_0000];

/// The blocks of a set in the order of its codes, and the tables derived from them.
#[derive(Debug)]
pub(super) struct PairIndex {
    pub(super) blocks: [u16; 0x1_0000 / CELLS],
    cells: OnceLock<Box<Cells>>,
    entries: OnceLock<Box<Utf8Pairs>>,
    // The shape of pairs. A byte may be a lead byte although no pair with it has a character, as in an empty row: then
    // a pair is undefined as a whole, and not truncated after the lead byte.
    pub(super) is_lead: [bool; 256],
    pub(super) is_trail: [bool; 256],
    /// Whether each byte below 80 is the character of US-ASCII, so that it can be copied.
    pub(super) ascii: bool,
    /// The characters of US-ASCII, and 80 for every other byte.
    pub(super) of_ascii: [u8; 256],
    /// Whether all lead bytes are from 80 on. The loops over long runs tell pairs from single bytes by the high bit.
    pub(super) high: bool,
    /// Whether a character is in plane 2.
    pub(super) wide: bool,
}

impl CodedSet {
    fn record(self) -> &'static Record {
        let at = usize::from(self.0);
        MAIN.get(at).unwrap_or_else(|| &ARCHIVE[at - MAIN.len()])
    }

    /// Returns the numbers of the blocks of a row; row 0 has the one-byte codes.
    fn row(self, lead: u8) -> &'static [LeU16; BLOCKS] {
        let rows: &[LeU16] = SET_ROW_BYTES.as_chunks().0;
        let row = number(rows[self.record().rows as usize + usize::from(lead)]);
        &ROW_BYTES.as_chunks().0.as_chunks().0[row]
    }

    /// Whether the set has two-byte codes.
    pub fn has_pairs(self) -> bool {
        self.record().pairs
    }

    /// Whether a character is in plane 2.
    pub(super) fn is_wide(self) -> bool {
        self.record().wide
    }

    /// Returns a section of the set's extras. The record has the number of entries of each section, which have one,
    /// three, two and three words each; the bitmaps have 16 words each. The start of a section is the sum of the
    /// lengths before.
    fn extras(self, part: ExtrasSection) -> &'static [LeU16] {
        let record = self.record();
        let lengths = [
            usize::from(record.only_read),
            3 * usize::from(record.only_written),
            2 * usize::from(record.fit_blocks),
            3 * usize::from(record.sequences),
            if record.pairs { 32 } else { 0 },
        ];
        let start = record.extras as usize + lengths[..part as usize].iter().sum::<usize>();
        let words: &[LeU16] = EXTRA_BYTES.as_chunks().0;
        &words[start..start + lengths[part as usize]]
    }

    /// Returns the character of a code; `None` if it has none, or two.
    #[inline]
    pub fn character(self, code: u16) -> Option<CodePoint> {
        let [lead, trail] = code.to_be_bytes();
        if lead != 0 && !self.has_pairs() {
            return None;
        }
        let block = number(self.row(lead)[usize::from(trail) / CELLS]);
        character_in(block, usize::from(trail) % CELLS)
    }

    /// Returns the two characters of a code that stands for two.
    pub fn sequence(self, code: u16) -> Option<[CodePoint; 2]> {
        let sequences: &[[LeU16; 3]] = self.extras(ExtrasSection::Sequences).as_chunks().0;
        let at = sequences.binary_search_by_key(&usize::from(code), |some| number(some[0])).ok()?;
        let [_, first, second] = sequences[at].map(u16::from_le_bytes);
        Some([first.into(), second.into()])
    }

    /// Iterates over the codes that stand for two characters.
    pub fn sequences(self) -> impl Iterator<Item = (u16, [CodePoint; 2])> {
        let sequences: &[[LeU16; 3]] = self.extras(ExtrasSection::Sequences).as_chunks().0;
        sequences.iter().map(|some| {
            let [code, first, second] = some.map(u16::from_le_bytes);
            (code, [first.into(), second.into()])
        })
    }

    /// Calls `visit` with each code that has one character, the character, and whether it is also written. The codes
    /// are in ascending order, like the list of those that are only read, so one pass goes through both.
    #[inline]
    pub fn visit(self, mut visit: impl FnMut(u16, CodePoint, bool)) {
        let mut only_read = self
            .extras(ExtrasSection::OnlyRead)
            .iter()
            .map(|word| u16::from_le_bytes(*word))
            .peekable();
        let leads = if self.has_pairs() { 0..=0xFF } else { 0..=0 };
        let wide = self.is_wide();
        for lead in leads {
            for (part, block) in self.row(lead).iter().enumerate() {
                let block = number(*block);
                if block == 0 {
                    continue;
                }
                let first = u16::from_be_bytes([lead, (part * CELLS) as u8]);
                for (cell, low) in blocks()[block].iter().enumerate() {
                    let code = first + cell as u16;
                    let low = u16::from_le_bytes(*low);
                    if low < SEQUENCE {
                        let plane = if wide { plane(block, cell) } else { 0 };
                        let written = only_read.next_if_eq(&code).is_none();
                        visit(code, plane | CodePoint::from(low), written);
                    }
                }
            }
        }
    }

    /// Iterates over the characters that are written, but never read from their codes.
    pub fn only_written(self) -> impl Iterator<Item = (CodePoint, u16)> {
        let some: &[[LeU16; 3]] = self.extras(ExtrasSection::OnlyWritten).as_chunks().0;
        some.iter().map(|some| {
            let [low, high, code] = some.map(u16::from_le_bytes);
            (CodePoint::from(high) << 16 | CodePoint::from(low), code)
        })
    }

    /// Returns the best fit of a character that the set lacks: one that it has, and that looks or means much the same.
    ///
    /// Best fits share the blocks with the sets, but in the other direction: the character selects a block (in a sorted
    /// list, as few exist) and a cell, and the cell has the code of the best fit.
    pub fn best_fit(self, cp: CodePoint) -> Option<CodePoint> {
        let fits: &[[LeU16; 2]] = self.extras(ExtrasSection::Fits).as_chunks().0;
        let wanted = cp as usize / CELLS;
        let at = fits.binary_search_by_key(&wanted, |some| number(some[0])).ok()?;
        let code = u16::from_le_bytes(blocks()[number(fits[at][1])][cp as usize % CELLS]);
        if code == UNDEFINED { None } else { self.character(code) }
    }

    pub(super) fn codes(self) -> &'static Codes {
        SINGLES[usize::from(self.0)].get_or_init(|| {
            let row = self.row(0);
            Box::new(Codes::new(std::array::from_fn(|byte| {
                character_in(number(row[byte / CELLS]), byte % CELLS)
                    .map_or(Codes::NONE, |cp| cp as u16)
            })))
        })
    }

    pub(super) fn utf8_bytes(self) -> &'static Utf8Bytes {
        UTF8_BYTES[usize::from(self.0)].get_or_init(|| Box::new(Utf8Bytes::new(self.codes())))
    }

    pub(super) fn pair_index(self) -> &'static PairIndex {
        INDEXES[usize::from(self.0)].get_or_init(|| Box::new(PairIndex::new(self)))
    }
}

/// The sections of a set's extras, in the order of the file.
#[derive(Clone, Copy)]
enum ExtrasSection {
    OnlyRead,
    OnlyWritten,
    Fits,
    Sequences,
    Shape,
}

#[inline]
pub(super) fn character_in(block: usize, cell: usize) -> Option<CodePoint> {
    let low = u16::from_le_bytes(blocks()[block][cell]);
    if low >= SEQUENCE {
        return None;
    }
    Some(plane(block, cell) | CodePoint::from(low))
}

impl PairIndex {
    fn new(set: CodedSet) -> Self {
        let mut blocks = [0; 0x1_0000 / CELLS];
        for (lead, row) in (0..=0xFF).zip(blocks.as_chunks_mut::<BLOCKS>().0) {
            *row = set.row(lead).map(u16::from_le_bytes);
        }
        let (leads, trails) = set.extras(ExtrasSection::Shape).split_at(16);
        let holds = |bits: &[LeU16], byte: usize| {
            u16::from_le_bytes(bits[byte / 16]) >> (byte % 16) & 1 == 1
        };
        let is_lead = std::array::from_fn(|byte| holds(leads, byte));
        let is_trail = std::array::from_fn(|byte| holds(trails, byte));
        let of_ascii = std::array::from_fn(|byte| match set.character(byte as u16) {
            Some(cp @ 0..0x80) if !is_lead[byte] => cp as u8,
            _ => 0x80,
        });
        let ascii = (0..0x80).all(|byte: u8| of_ascii[usize::from(byte)] == byte);
        let high = !is_lead[..0x80].contains(&true);
        let (cells, entries) = (OnceLock::new(), OnceLock::new());
        Self {
            blocks,
            cells,
            entries,
            is_lead,
            is_trail,
            ascii,
            of_ascii,
            high,
            wide: set.record().wide,
        }
    }

    /// Returns the flat table: the cells of all 16-bit codes. The first call copies them, in some hundredths of a
    /// millisecond. A lookup there takes half as long as through the blocks.
    pub(super) fn cells(&self) -> &Cells {
        self.cells.get_or_init(|| {
            let mut cells = vec![0; 0x1_0000].into_boxed_slice();
            for (to, block) in cells.as_chunks_mut::<CELLS>().0.iter_mut().zip(self.blocks) {
                *to = blocks()[usize::from(block)].map(u16::from_le_bytes);
            }
            cells.try_into().expect("as long as that")
        })
    }

    /// Returns the flat table for a text of this many bytes; `None` if it does not exist and the text is too short to
    /// be worth copying it.
    pub(super) fn cells_for(&self, len: usize) -> Option<&Cells> {
        if len < LONG { self.cells.get().map(|cells| &**cells) } else { Some(self.cells()) }
    }

    /// Returns the entries of all codes; see `utf8_tables.rs`. The first call makes them, in about a tenth of a
    /// millisecond.
    pub(super) fn entries(&self) -> &Utf8Pairs {
        self.entries.get_or_init(|| {
            let mut entries = vec![0; 0x1_0000].into_boxed_slice();
            for (to, block) in entries.as_chunks_mut::<CELLS>().0.iter_mut().zip(self.blocks) {
                let block = usize::from(block);
                // Skip block 0, which is undefined. The memory is zero already, and its pages remain untouched.
                for (cell, to) in to.iter_mut().enumerate().filter(|_| block != 0) {
                    let cp = character_in(block, cell).and_then(|cp| u16::try_from(cp).ok());
                    *to = cp.map_or(0, entry);
                }
            }
            entries.try_into().expect("as long as that")
        })
    }

    #[inline]
    pub(super) fn character(&self, code: u16) -> Option<CodePoint> {
        character_in(usize::from(self.blocks[usize::from(code) / CELLS]), usize::from(code) % CELLS)
    }
}

/// Returns `count` sets of longer codes from index `first` on, each as its prefix and the set of the two bytes after
/// it.
pub(super) fn prefixed(first: u16, count: u16) -> &'static [(u16, CodedSet)] {
    let (first, end) = (usize::from(first), usize::from(first) + usize::from(count));
    if first < PREFIXED_MAIN.len() {
        &PREFIXED_MAIN[first..end]
    } else {
        &PREFIXED_ARCHIVE[first - PREFIXED_MAIN.len()..end - PREFIXED_MAIN.len()]
    }
}
