//! A table of encoding_rs as a single-byte character set.

use encoding_rs::Encoding;

use crate::kernels::Codes;

/// US-ASCII, with the upper half of a table of encoding_rs.
#[derive(Debug)]
pub struct WebTable {
    pub(super) encoding: &'static Encoding,
    /// Whether 80 to 9F are the C1 controls, whatever the table says.
    pub(super) controls: bool,
    /// Bytes that are undefined, whatever the table says.
    pub(super) undefined: &'static [u8],
}

impl WebTable {
    /// Returns the character of each byte, or [`Codes::NONE`].
    pub(super) fn characters(&self) -> [u16; 256] {
        std::array::from_fn(|byte| match byte as u8 {
            ascii @ 0..=0x7F => ascii.into(),
            control @ 0x80..=0x9F if self.controls => control.into(),
            byte if self.undefined.contains(&byte) => Codes::NONE,
            byte => self.character(byte).unwrap_or(Codes::NONE),
        })
    }

    /// Returns the character of a byte in the table.
    fn character(&self, byte: u8) -> Option<u16> {
        let bytes = [byte];
        let text = self.encoding.decode_without_bom_handling_and_without_replacement(&bytes)?;
        text.encode_utf16().next()
    }
}
