//! Tables with the UTF-8 of each code.
//!
//! An entry is the UTF-8 of a character as a number, the first byte lowest: é, C3 A9, is A9C3. The number of its bytes
//! that are not zero is the length, so none is stored. U+0000 has no entry. Neither do characters of four bytes, which
//! are rare.

use std::hint::select_unpredictable;

use oxiconv_kernels::Codes;

/// The UTF-8 of a character of at most three bytes; 0 for a code without one.
pub(in crate::codec) type Utf8Entry = u32;

pub(in crate::codec) type Utf8Pairs = [Utf8Entry; 0x1_0000];

#[derive(Debug)]
pub(in crate::codec) struct Utf8Bytes {
    pub(in crate::codec) entries: [Utf8Entry; 256],
    /// Whether bytes below 80 are US-ASCII.
    pub(in crate::codec) ascii: bool,
    /// The characters of US-ASCII, and 80 for every other byte.
    pub(in crate::codec) of_ascii: [u8; 256],
}

impl Utf8Bytes {
    pub(super) fn new(codes: &Codes) -> Self {
        // `Codes::NONE` would be U+FFFF.
        let entries = codes.characters().map(|cp| if cp == Codes::NONE { 0 } else { entry(cp) });
        let of_ascii =
            codes.characters().map(|cp| u8::try_from(cp).map_or(0x80, |cp| cp.min(0x80)));
        Self { entries, ascii: codes.is_ascii(), of_ascii }
    }
}

/// Returns the entry of a character, without a branch that depends on it.
#[inline(always)]
pub(in crate::codec) fn entry(cp: u16) -> Utf8Entry {
    let cp = Utf8Entry::from(cp);
    let last = 0x80 | cp & 0x3F;
    let two = last << 8 | 0xC0 | cp >> 6;
    let three = last << 16 | (0x80 | cp >> 6 & 0x3F) << 8 | 0xE0 | cp >> 12;
    select_unpredictable(cp < 0x80, cp, select_unpredictable(cp < 0x800, two, three))
}
