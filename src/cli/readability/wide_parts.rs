//! Wide units within a text in bytes, and UTF-8 within a text in wide units, as when programs with different encodings
//! append to one file.
//!
//! The second kind is the dangerous one, because hardly anything is ill-formed in UTF-16:
//!
//! ```text
//! 41 00 0A 00 68 65 6C 6C 6F 20   "A", a line feed, then "hello " as the ideographs 敨汬⁯
//! ```

use std::ops::Range;

use oxiconv_detect::detection::by_units;
use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::encoding::{Encoding, wide_mark};

use super::decoded_part::{CLEAR, DecodedPart, PART};

/// Returns the encoding scheme of a text in wide units, by its mark or by the statistics of its units.
pub(super) fn wide_scheme(start: &[u8]) -> Option<&'static Encoding> {
    wide_mark(start).map(|(_, scheme)| scheme).or_else(|| by_units(start))
}

/// Returns the encoding of a part in wide units: four ASCII characters in a row, each with its zero bytes.
pub(super) fn wide_parts(bytes: &[u8]) -> Option<&'static Encoding> {
    const IN_A_ROW: usize = 4;
    memchr::memchr(0, bytes)?;
    let is_text =
        |byte: u8| byte >= 0x20 && byte.is_ascii() || matches!(byte, b'\t' | b'\n' | b'\r');
    // `at` is the index of the character's byte in its unit: 0 in little-endian, the last in big-endian.
    let has = |width: usize, at: usize| {
        let is_unit = |unit: &[u8]| {
            is_text(unit[at]) && unit.iter().filter(|byte| **byte == 0).count() == width - 1
        };
        bytes.windows(IN_A_ROW * width).any(|units| units.chunks_exact(width).all(is_unit))
    };
    let wide = [(Encoding::UTF_16, 2), (Encoding::UTF_32, 4)];
    let mut wide = wide.into_iter();
    wide.find(|(_, width)| has(*width, 0) || has(*width, width - 1)).map(|(wide, _)| wide)
}

/// Whether a byte occurs in text in single bytes. Of the controls, only tabs, line ends, form feeds and ESC do.
pub(super) const fn is_of_bytes(byte: u8) -> bool {
    byte >= 0x20 || matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B)
}

/// The search for parts in UTF-8 anywhere in a text in wide units, chunk by chunk.
pub(crate) struct PartsInUtf8 {
    pub(crate) wide: &'static Encoding,
    order: ByteOrder,
    /// The offset of the next chunk, by which its first whole unit is found.
    at: u64,
}

impl PartsInUtf8 {
    pub(super) const fn new(wide: &'static Encoding, order: ByteOrder) -> Self {
        Self { wide, order, at: 0 }
    }

    /// Examines the next chunk, and returns whether it contains such a part.
    pub(crate) fn look(&mut self, bytes: &[u8]) -> bool {
        /// In bytes. A long text has shorter runs of well-formed UTF-8 by chance.
        const MIN_LEN: usize = 24;
        let unit = self.wide.unit() as u64;
        let first = (self.at.next_multiple_of(unit) - self.at) as usize;
        self.at += bytes.len() as u64;
        let whole = bytes.get(first..).unwrap_or_default();
        // There need not be a control between a part and the units around it. But units beyond ASCII are not
        // well-formed UTF-8 for long, so runs end at the first ill-formed byte too.
        let mut at = 0;
        let runs = whole.utf8_chunks().flat_map(|chunk| {
            let valid = at..at + chunk.valid().len();
            at = valid.end + chunk.invalid().len();
            text_runs(whole, valid)
        });
        has_parts_in_utf8(whole, runs, self.wide, self.order, MIN_LEN)
    }
}

/// Whether the start or the end of a text in wide units contains parts in UTF-8. Both are only a few KiB, so chance is
/// excluded by much shorter parts than in a whole file.
pub(super) fn has_end_in_utf8(bytes: &[u8], wide: &Encoding, order: ByteOrder) -> bool {
    /// In bytes. Anything shorter is likely to be units.
    const MIN_LEN: usize = 4;
    has_parts_in_utf8(bytes, text_runs(bytes, 0..bytes.len()), wide, order, MIN_LEN)
}

/// Whether any of these runs of bytes is a part in UTF-8: at least `min_len` bytes, well-formed, and clearly more
/// plausible text than as wide units.
fn has_parts_in_utf8(
    bytes: &[u8],
    runs: impl Iterator<Item = Range<usize>>,
    wide: &Encoding,
    order: ByteOrder,
    min_len: usize,
) -> bool {
    /// The parts that are decoded at most, since decoding is the expensive step.
    const MAX_PARTS: usize = 64;

    let unit = wide.unit();
    let continues = |at: &usize| bytes.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let parts = runs.filter_map(|run| {
        // A part begins between two units, and not within a character.
        let mut starts = (run.start.next_multiple_of(unit)..run.end).step_by(unit);
        let part = &bytes[starts.find(|at| !continues(at))?..run.end];
        (part.len() >= min_len && std::str::from_utf8(part).is_ok()).then_some(part)
    });
    // Units of one script share a byte, which may be printable ASCII: in Tifinagh every unit has 2D, and the other byte
    // may be ASCII too. Such a run is no UTF-8, however likely its letters are.
    let is_script = |part: &[u8]| {
        let is_same = |at| part.chunks_exact(unit).all(|bytes| bytes[at] == part[at]);
        (0..unit).any(is_same)
    };
    let mut parts = parts.filter(|part| !is_script(part)).take(MAX_PARTS);
    parts.any(|part| {
        let part = &part[..part.len().min(PART)];
        let plain = DecodedPart::of(Encoding::UTF_8, ByteOrder::Big, &[part]);
        plain.cost() + CLEAR < DecodedPart::of(wide, order, &[part]).cost()
    })
}

/// Splits `range` at controls that text in bytes does not have, and returns the runs between them.
fn text_runs(bytes: &[u8], range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut at = range.start;
    bytes[range].split(|byte| !is_of_bytes(*byte)).map(move |run| {
        let start = at;
        at += run.len() + 1;
        start..start + run.len()
    })
}
