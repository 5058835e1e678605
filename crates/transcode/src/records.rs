//! The records of an input: how long each is. `record_lines.rs` converts them.

use std::num::NonZeroU64;

use super::conversion::Conversion;
use super::packed_decimals::PackedDecimalWatch;

/// What tells where a record ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordFormat {
    /// All have this length in bytes.
    Fixed(NonZeroU64),
    /// Each begins with its length.
    Variable,
}

/// The length of a record descriptor word in bytes.
pub(super) const DESCRIPTOR: usize = 4;
/// The longest length that such a word gives.
pub(crate) const MAX_LENGTH: u16 = 0x7FFF;

/// Returns the length in bytes of a record without its descriptor word; `None` if this is no such word.
///
/// ```text
/// 00 09 00 00 │ C8 C5 D3 D3 D6      IBM, z/OS DFSMS Using Data Sets, "Format-V Records"
/// length with  zeros  text
/// the word
/// ```
pub(super) fn described_length(word: [u8; DESCRIPTOR]) -> Option<u16> {
    let [high, low, 0, 0] = word else { return None };
    let length = u16::from_be_bytes([high, low]);
    length.checked_sub(DESCRIPTOR as u16).filter(|_| length <= MAX_LENGTH)
}

/// Takes the record descriptor words out of an input, for what judges its text. From a wrong one on, it leaves the
/// input as it is.
#[cfg(feature = "program")]
#[derive(Debug, Default)]
pub struct WithoutDescriptors {
    word: Vec<u8>,
    /// The bytes that are left of the current record.
    left: usize,
    is_wrong: bool,
}

#[cfg(feature = "program")]
impl WithoutDescriptors {
    /// Returns the text in the next bytes of the input.
    pub fn text(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut text = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() {
            let wanted = if self.left > 0 { self.left } else { DESCRIPTOR - self.word.len() };
            let wanted = if self.is_wrong { rest.len() } else { wanted };
            let (part, after) = rest.split_at(wanted.min(rest.len()));
            rest = after;
            if self.left > 0 || self.is_wrong {
                text.extend_from_slice(part);
                self.left = self.left.saturating_sub(part.len());
                continue;
            }
            self.word.extend_from_slice(part);
            let Some(word) = self.word.first_chunk() else { continue };
            match described_length(*word) {
                Some(length) => self.left = length.into(),
                None => {
                    self.is_wrong = true;
                    text.append(&mut self.word);
                }
            }
            self.word.clear();
        }
        text
    }
}

#[derive(Debug)]
pub(super) struct Records {
    format: RecordFormat,
    /// The length of the current one in bytes, without its descriptor word; `None` before that.
    pub(super) length: Option<u64>,
    /// The offset of its text.
    pub(super) start: u64,
    pub(super) packed_decimals: PackedDecimalWatch,
}

impl Records {
    /// Creates the state before the first record, if the input consists of records.
    pub(super) fn of(conversion: &Conversion) -> Option<Self> {
        let mut records = Self {
            format: conversion.options.reading.records?,
            length: None,
            start: 0,
            packed_decimals: PackedDecimalWatch::default(),
        };
        records.begin_at(0);
        Some(records)
    }

    /// Begins the record at this offset.
    pub(super) fn begin_at(&mut self, offset: u64) {
        self.start = offset;
        self.length = match self.format {
            RecordFormat::Fixed(length) => Some(length.get()),
            RecordFormat::Variable => None,
        };
    }

    /// Whether a record that the input ends in is a fault. A short last record of a fixed length is only noted.
    pub(super) fn must_be_whole(&self) -> bool {
        self.format == RecordFormat::Variable
    }

    /// Returns how many bytes of the current record are left from `offset` on.
    pub(super) fn left(&self, offset: u64) -> u64 {
        self.start.saturating_add(self.length.unwrap_or(0)).saturating_sub(offset)
    }
}
