//! A text whose first bytes are lost, so that all its units are shifted from its very start: `tail -c` cuts at any
//! byte.
//!
//! ```text
//! FF FE │ 61 00 62 00      a b in UTF-16LE, after its mark
//! FF FE │ 00 62 00         the 61 was lost: U+6200, and half a unit
//! ```

use super::{
    COMPARED_AFTER, MIN_DIFFERENT_UNITS, MIN_MARGIN, MIN_MARGIN_PER_BYTE, Meant, MisalignedBytes,
    WideUnits,
};
use crate::detection::ordinary::OrdinaryText;
use crate::detection::wide::cost;
use oxiconv_encodings::unicode::{LINE_FEED, MAX_CODE_POINT, REPLACEMENT_CHARACTER};

/// Whether the units of a text are shifted from its very start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShiftedStart {
    /// It begins with a whole unit.
    No,
    /// More bytes are needed.
    Unknown,
    /// It is in the other byte order, which looks the same as a shift by one byte.
    Swapped,
    /// These bytes are left of a unit; the first whole one follows them.
    Yes(MisalignedBytes),
}

impl WideUnits {
    /// Whether the start of a text lacks bytes, so that all its units are shifted. Only a text that looks shifted is
    /// held back for this, up to its first line end or `COMPARED_AFTER` bytes.
    pub fn shifted_start(self, bytes: &[u8], is_marked: bool, last: bool) -> ShiftedStart {
        let Some(first) = self.form.unit_at(bytes, 0) else {
            return if last { ShiftedStart::No } else { ShiftedStart::Unknown };
        };
        let is_in_place = match self.width {
            2 => {
                !(0x800..0xD800).contains(&first) && first < 0xE000
                    || first == REPLACEMENT_CHARACTER
            }
            _ => first <= MAX_CODE_POINT,
        };
        // A frame of box-drawing characters is not text in any byte order, so a comparison would say nothing. Text with
        // converted line ends may begin with an empty line.
        let is_symbol = self.width == 2 && (0x2190..0x2800).contains(&first);
        if is_in_place || is_symbol || bytes.starts_with(b"\r\n") {
            return ShiftedStart::No;
        }
        let mut units = (0..bytes.len()).step_by(self.width);
        let line_end = units.find(|at| self.form.unit_at(bytes, *at) == Some(LINE_FEED));
        let end = line_end.unwrap_or(bytes.len()).min(COMPARED_AFTER);
        if end < COMPARED_AFTER && line_end.is_none() && !last {
            return ShiftedStart::Unknown;
        }
        let present = self.whole_units(&bytes[..end]);
        // If all of a short text is there, a shift shows in its length, unless its end is damaged, too.
        let is_whole = line_end.is_none() && bytes.len() < COMPARED_AFTER;
        let are_enough = |lost: usize, shifted: &[u8]| {
            let is_doubtful = is_whole && bytes.len() % self.width != lost;
            let least = if is_doubtful { 2 * MIN_DIFFERENT_UNITS } else { MIN_DIFFERENT_UNITS };
            let is_ascii = |at| self.form.unit_at(shifted, at).is_some_and(|unit| unit < 0x80);
            // A heading may begin with a line of `=`. Few texts are made of characters such as U+3D00 alone.
            let mut units = (0..shifted.len()).step_by(self.width);
            self.different_units(shifted) >= least || !is_doubtful && units.all(is_ascii)
        };
        let is_shifted = |lost: &usize| {
            let shifted = self.whole_units(&bytes[*lost..end]);
            let margin = MIN_MARGIN + MIN_MARGIN_PER_BYTE * shifted.len() as f32;
            shifted.len() >= 4 * self.width
                && are_enough(*lost, shifted)
                && self.is_ordinary(None, shifted)
                && cost(self.scheme, shifted) + margin < cost(self.scheme, present)
        };
        let is_of_mark = !is_marked && matches!(bytes[0], 0xFE | 0xFF);
        let is_swapped =
            || OrdinaryText::default().strange(self.scheme.swapped(), present).is_none();
        if self.is_ordinary(None, present) {
            return ShiftedStart::No;
        }
        if !is_marked && !is_of_mark && is_swapped() {
            return ShiftedStart::Swapped;
        }
        match (1..self.width).find(is_shifted) {
            // The byte is left of a byte order mark, so no character was lost.
            Some(len @ 1) if is_of_mark => {
                ShiftedStart::Yes(MisalignedBytes::meaning(len, Meant::Nothing))
            }
            Some(len) => {
                let lost = Meant::Character(REPLACEMENT_CHARACTER);
                ShiftedStart::Yes(MisalignedBytes::meaning(len, lost))
            }
            None => ShiftedStart::No,
        }
    }
}
