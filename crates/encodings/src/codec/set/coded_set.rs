//! A set, and the location of its parts in the files that all sets share.
//!
//! A set is only a number. What belongs to it is found through its record, an entry of the generated list in
//! `records.rs`, which has eight numbers per line.

/// The location of the parts of a set, and the lengths of its extras.
#[derive(Debug)]
pub(super) struct Record {
    /// Index of the first row in `set_rows.bin`.
    pub(super) rows: u32,
    /// Index of the first 16-bit word in `extras.bin`.
    pub(super) extras: u32,
    // The number of entries in each section of the extras.
    pub(super) only_read: u16,
    pub(super) only_written: u16,
    pub(super) fit_blocks: u16,
    pub(super) sequences: u16,
    /// Whether a character is in plane 2.
    pub(super) wide: bool,
    /// Whether it has two-byte codes.
    pub(super) pairs: bool,
}

pub(super) const fn record(
    [rows, extras, only_read, only_written, fit_blocks, sequences, wide, pairs]: [u32; 8],
) -> Record {
    Record {
        rows,
        extras,
        only_read: only_read as u16,
        only_written: only_written as u16,
        fit_blocks: fit_blocks as u16,
        sequences: sequences as u16,
        wide: wide == 1,
        pairs: pairs == 1,
    }
}

/// A character set: codes of one byte, or of one and two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CodedSet(pub(crate) u16);
