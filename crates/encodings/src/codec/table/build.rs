//! Builds a table from mappings. Memory is bounded, whatever they are: the file comes from a user.

use std::collections::HashMap;

use super::trie::{self, NOTHING, Trie, TrieBytes, TrieNode};
use super::{OwnTable, PAGE, encoded};
use crate::unicode::CodePoint;

/// The most mappings of a table: more than Unicode has assigned characters.
const MAX_MAPPINGS: usize = 1 << 19;
/// The most cells of a table, of 4 bytes each. Scattered codes need many more cells than characters.
const MAX_CELLS: usize = 1 << 21;
const MAX_CODE_LEN: usize = 4;

/// In which direction a mapping is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Read and written.
    Both,
    /// Only read.
    Read,
    /// Only written.
    Written,
    /// A best fit: written only on request.
    Fit,
}

/// A code and what it stands for.
#[derive(Clone, Copy, Debug)]
pub struct TableMapping {
    code: u32,
    first: CodePoint,
    /// The second character; [`CodePoint::MAX`] if there is none.
    second: CodePoint,
    line: u32,
    len: u8,
    direction: Direction,
}

/// Why mappings make no table. Codes are given as their bytes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableFault {
    /// A code is too long.
    #[error("the code {} has {} bytes (at most {MAX_CODE_LEN})", hex(.0), .0.len())]
    LongCode(Vec<u8>),
    /// A code with more characters than two.
    #[error("the code {} maps to {} characters (at most 2)", hex(.0), .1)]
    ManyCharacters(Vec<u8>, usize),
    /// Between shifts, codes have two bytes from 21 to FE; outside they have one.
    #[error("the code {} is not allowed in an encoding with shifts: a code has one byte, or two in 21..FE", hex(.0))]
    WithShifts(Vec<u8>),
    /// Two codes of which one is the start of the other.
    #[error(
        "the code {} begins with the code {} of line {}, so the two cannot be distinguished",
        hex(.0), hex(.1), .2
    )]
    Prefix(Vec<u8>, Vec<u8>, u64),
    /// There are too many mappings.
    #[error("there are more than {MAX_MAPPINGS} mappings")]
    TooMany,
    /// The codes need too much memory.
    #[error("the codes are too scattered")]
    Scattered,
    /// No code is read.
    #[error("the table maps no character")]
    Empty,
}

fn hex(bytes: &[u8]) -> String {
    let words: Vec<_> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    words.join(" ")
}

impl TableMapping {
    fn bytes(&self) -> Vec<u8> {
        self.code.to_be_bytes()[MAX_CODE_LEN - usize::from(self.len)..].to_vec()
    }

    /// Returns the code shifted so that its first byte is the highest. Codes sort by their bytes that way, whatever
    /// their lengths, and the codes of a node are adjacent.
    fn key(&self) -> u32 {
        self.code << (8 * (MAX_CODE_LEN - usize::from(self.len)))
    }

    fn byte(&self, at: usize) -> u8 {
        self.key().to_be_bytes()[at]
    }

    fn is_sequence(&self) -> bool {
        self.second != CodePoint::MAX
    }

    fn is_read(&self) -> bool {
        matches!(self.direction, Direction::Both | Direction::Read)
    }

    fn is_written(&self) -> bool {
        matches!(self.direction, Direction::Both | Direction::Written)
    }
}

/// Collects the mappings of a table.
#[derive(Debug, Default)]
pub struct TableBuilder {
    mappings: Vec<TableMapping>,
    /// Whether two-byte codes are between shifts.
    pub shifts: bool,
    /// The lead and the trail bytes of pairs, with characters or not, if the table lists them.
    pub pairs: Option<[Vec<u8>; 2]>,
}

/// A fault, and the line of its mapping; 0 if it concerns none in particular.
pub type Located = (u64, TableFault);

impl TableBuilder {
    /// Adds the mapping of a line.
    ///
    /// # Errors
    ///
    /// If there are too many mappings, or if no table can hold this one.
    pub fn add(
        &mut self,
        code: &[u8],
        characters: &[CodePoint],
        direction: Direction,
        line: u64,
    ) -> Result<(), TableFault> {
        if code.len() > MAX_CODE_LEN {
            return Err(TableFault::LongCode(code.to_vec()));
        }
        let in_pair = |byte: &u8| (0x21..=0xFE).contains(byte);
        if self.shifts && code.len() > 1 && !(code.len() == 2 && code.iter().all(in_pair)) {
            return Err(TableFault::WithShifts(code.to_vec()));
        }
        let (first, second) = match *characters {
            [only] => (only, CodePoint::MAX),
            [first, second] => (first, second),
            _ => return Err(TableFault::ManyCharacters(code.to_vec(), characters.len())),
        };
        if self.mappings.len() == MAX_MAPPINGS {
            return Err(TableFault::TooMany);
        }
        let number = code.iter().fold(0, |number, byte| number << 8 | u32::from(*byte));
        let (len, line) = (code.len() as u8, line.try_into().unwrap_or(u32::MAX));
        self.mappings.push(TableMapping { code: number, first, second, line, len, direction });
        Ok(())
    }

    /// Builds the table. Of several mappings of a code, the first is read. Of several mappings of a character, the
    /// first is written, unless its code is not read: then none is, because the output would be ill-formed.
    ///
    /// # Errors
    ///
    /// If the mappings contradict each other, or need too much memory.
    pub fn build(mut self) -> Result<OwnTable, Located> {
        let mut read: Vec<_> =
            self.mappings.iter().copied().filter(TableMapping::is_read).collect();
        sort(&mut read, |one| (one.key(), one.len.into()));
        read.dedup_by_key(|one| (one.key(), one.len));
        if read.is_empty() {
            return Err((0, TableFault::Empty));
        }
        let mut table = OwnTable {
            codes: Trie::default(),
            shifted: None,
            low: 0,
            low_alone: low_alone(&read),
            page_numbers: vec![0; 0x11_0000 / PAGE].into_boxed_slice(),
            pages: Vec::new(),
            fits: Vec::new(),
            sequences: Vec::new(),
        };
        if self.shifts {
            let (single, pairs): (Vec<_>, Vec<_>) =
                read.iter().copied().partition(|one| one.len == 1);
            let lowest = pairs.iter().flat_map(TableMapping::bytes).min().unwrap_or(0x40);
            table.low = if lowest >= 0x40 { 0x40 } else { 0x21 };
            table.codes = Nodes::default().trie(&single, None)?;
            table.shifted = Some(Nodes::default().trie(&pairs, None)?);
        } else {
            table.codes = Nodes::default().trie(&read, self.pairs.take())?;
        }
        let is_read = |code: &TableMapping| {
            read.binary_search_by_key(&(code.key(), code.len), |one| (one.key(), one.len)).is_ok()
        };
        self.write(&mut table, is_read);
        self.fit(&mut table, &read);
        Ok(table)
    }

    /// Fills in the codes that are written: one per character, and one per sequence of two.
    fn write(&self, table: &mut OwnTable, is_read: impl Fn(&TableMapping) -> bool) {
        let mut sequences: Vec<TableMapping> = Vec::new();
        // Characters whose first code is not read. They keep it until the end, so that no later mapping takes its
        // place.
        let mut without = Vec::new();
        for one in self.mappings.iter().filter(|one| one.is_written()) {
            if one.is_sequence() {
                sequences.push(*one);
                continue;
            }
            let code = u64::from(one.len) << 32 | u64::from(one.code);
            let slot = table.slot(one.first);
            if *slot == 0 {
                *slot = code;
                if !is_read(one) {
                    without.push(one.first);
                }
            }
        }
        for cp in without {
            *table.slot(cp) = 0;
        }
        sort(&mut sequences, |one| (one.first, one.second));
        sequences.dedup_by_key(|one| (one.first, one.second));
        for one in sequences.iter().filter(|one| is_read(one)) {
            let code = encoded(u64::from(one.len) << 32 | u64::from(one.code));
            table.sequences.push(([one.first, one.second], code));
        }
    }

    /// Fills in the best fits, for characters without a code of their own. A fit is kept as the character that its code
    /// is read as, so a code that is not read, or is read as two characters, makes none.
    fn fit(&self, table: &mut OwnTable, read: &[TableMapping]) {
        let fits = self.mappings.iter().filter(|one| one.direction == Direction::Fit);
        let mut fits: Vec<_> = fits.copied().collect();
        sort(&mut fits, |one| (one.first, 0));
        for one in fits {
            let key = (one.key(), one.len);
            if !one.is_sequence()
                && table.code(one.first).is_none()
                && let Ok(at) = read.binary_search_by_key(&key, |one| (one.key(), one.len))
                && !read[at].is_sequence()
            {
                table.fits.push((one.first, read[at].first));
            }
        }
        table.fits.dedup_by_key(|(cp, _)| *cp);
    }
}

impl OwnTable {
    fn slot(&mut self, cp: CodePoint) -> &mut u64 {
        let number = &mut self.page_numbers[cp as usize / PAGE];
        if *number == 0 {
            self.pages.push([0; PAGE]);
            *number = self.pages.len() as u16;
        }
        &mut self.pages[usize::from(*number) - 1][cp as usize % PAGE]
    }
}

/// Sorts mappings, keeping the order of those with the same key. With a function pointer and not a generic parameter,
/// the program has one copy of the sort.
fn sort(mappings: &mut [TableMapping], key: fn(&TableMapping) -> (u32, u32)) {
    mappings.sort_by_key(key);
}

/// Whether each byte below 30 is a character by itself and never part of a longer code.
fn low_alone(read: &[TableMapping]) -> bool {
    let is_low = |byte: u8| byte < 0x30;
    let mut alone = [false; 0x30];
    for one in read {
        match one.len {
            1 if is_low(one.byte(0)) => alone[usize::from(one.byte(0))] = true,
            1 => {}
            _ if one.bytes().into_iter().any(is_low) => return false,
            _ => {}
        }
    }
    !alone.contains(&false)
}

#[derive(Default)]
struct Nodes {
    trie: Trie,
    numbers: HashMap<TrieBytes, u32>,
}

impl Nodes {
    fn trie(
        mut self,
        codes: &[TableMapping],
        pairs: Option<[Vec<u8>; 2]>,
    ) -> Result<Trie, Located> {
        self.trie.longest = codes.iter().map(|one| one.len.into()).max().unwrap_or(0);
        let none = self.ends(TrieBytes::default());
        self.node(codes, 0, none, pairs)?;
        self.trie.cells.shrink_to_fit();
        self.trie.nodes.shrink_to_fit();
        Ok(self.trie)
    }

    /// Returns the number of a set of bytes, the same for equal sets.
    fn ends(&mut self, bytes: TrieBytes) -> u32 {
        *self.numbers.entry(bytes).or_insert_with(|| {
            self.trie.ends.push(bytes);
            self.trie.ends.len() as u32 - 1
        })
    }

    /// Adds the node for sorted codes that share their first `depth` bytes, and are longer. `ends` is the set of bytes
    /// that end a code there.
    fn node(
        &mut self,
        codes: &[TableMapping],
        depth: usize,
        ends: u32,
        pairs: Option<[Vec<u8>; 2]>,
    ) -> Result<usize, Located> {
        let (leads, trails) = self.shape(codes, depth, pairs);
        let none = self.ends(TrieBytes::default());
        let mut cells = [NOTHING; 256];
        let mut empty = None;
        // A lead byte without codes of its own leads to an empty node, shared by all of them. So a pair that begins
        // with it is undefined and not truncated, provided that the second byte is a trail byte.
        for lead in (0..=0xFF).filter(|byte| has_byte(&leads, *byte)) {
            let empty = *empty.get_or_insert_with(|| {
                self.trie.nodes.push(TrieNode { low: 0, len: 0, start: 0, ends: trails });
                self.trie.nodes.len() - 1
            });
            cells[usize::from(lead)] = trie::node(empty);
        }
        for group in codes.chunk_by(|a, b| a.byte(depth) == b.byte(depth)) {
            let first = &group[0];
            cells[usize::from(first.byte(depth))] = if usize::from(first.len) > depth + 1 {
                // A prefix of longer codes need not be a lead byte of pairs: after 8F of EUC-JP, no byte ends a code.
                let is_lead = has_byte(&leads, first.byte(depth));
                let ends = if is_lead { trails } else { none };
                trie::node(self.node(group, depth + 1, ends, None)?)
            } else if let Some(longer) = group.get(1) {
                let line = first.line.into();
                let fault = TableFault::Prefix(longer.bytes(), first.bytes(), line);
                return Err((longer.line.into(), fault));
            } else if first.is_sequence() {
                self.trie.sequences.push([first.first, first.second]);
                trie::sequence(self.trie.sequences.len() - 1)
            } else {
                trie::character(first.first)
            };
        }
        let low = cells.iter().position(|cell| *cell != NOTHING).unwrap_or(0);
        let end = cells.iter().rposition(|cell| *cell != NOTHING).map_or(low, |last| last + 1);
        let start = self.trie.cells.len();
        if start + end - low > MAX_CELLS {
            return Err((0, TableFault::Scattered));
        }
        self.trie.cells.extend(&cells[low..end]);
        let (low, len) = (low as u8, (end - low) as u16);
        self.trie.nodes.push(TrieNode { low, len, start: start as u32, ends });
        Ok(self.trie.nodes.len() - 1)
    }

    /// Returns the lead bytes of pairs after a prefix of `depth` bytes, with characters or not, and the number of the
    /// set of their trail bytes.
    ///
    /// The bytes in use are not enough: in EUC, a pair in an empty row is a well-shaped code without a character, two
    /// bytes, as in the built-in sets. So if all bytes are in A1 to FE (and 8E and 8F as prefixes), it is taken for a
    /// set of 94 by 94 codes, and gets that shape.
    fn shape(
        &mut self,
        codes: &[TableMapping],
        depth: usize,
        pairs: Option<[Vec<u8>; 2]>,
    ) -> (TrieBytes, u32) {
        let (mut leads, mut trails, mut alone) =
            (TrieBytes::default(), TrieBytes::default(), TrieBytes::default());
        for one in codes {
            match usize::from(one.len) - depth {
                1 => trie::add(&mut alone, one.byte(depth)),
                2 => {
                    trie::add(&mut leads, one.byte(depth));
                    trie::add(&mut trails, one.byte(depth + 1));
                }
                _ => {}
            }
        }
        if leads == TrieBytes::default() {
            return (leads, self.ends(trails));
        }
        if let Some([first, second]) = pairs {
            first.into_iter().for_each(|byte| trie::add(&mut leads, byte));
            second.into_iter().for_each(|byte| trie::add(&mut trails, byte));
        }
        let is_right = |byte: u8| (0xA1..=0xFE).contains(&byte);
        let every = |bytes: &TrieBytes, is: &dyn Fn(u8) -> bool| {
            (0..=0xFF).all(|byte| !has_byte(bytes, byte) || is(byte))
        };
        if every(&leads, &|byte| is_right(byte) || matches!(byte, 0x8E | 0x8F))
            && every(&trails, &is_right)
        {
            for byte in 0xA1..=0xFE {
                trie::add(&mut leads, byte);
                trie::add(&mut trails, byte);
            }
        }
        // A byte that is a character by itself is no lead byte, whatever the states of the file or the shape say: its
        // mapping counts.
        for (leads, alone) in leads.iter_mut().zip(alone) {
            *leads &= !alone;
        }
        (leads, self.ends(trails))
    }
}

fn has_byte(bytes: &TrieBytes, byte: u8) -> bool {
    trie::has(bytes, byte)
}
