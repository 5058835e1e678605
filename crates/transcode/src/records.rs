//! The records of an input: see `record_lines.rs`.

use super::conversion::Conversion;

#[derive(Debug)]
pub(super) struct Records {
    /// The length of each in bytes.
    pub(super) length: u64,
    /// The offset of the current one.
    pub(super) start: u64,
}

impl Records {
    /// Creates the state before the first record, if the input consists of records.
    pub(super) fn of(conversion: &Conversion) -> Option<Self> {
        let length = conversion.options.reading.record_length?.get();
        Some(Self { length, start: 0 })
    }

    /// Returns how many bytes of the current record are left from `offset` on.
    pub(super) fn left(&self, offset: u64) -> u64 {
        self.start.saturating_add(self.length).saturating_sub(offset)
    }
}
