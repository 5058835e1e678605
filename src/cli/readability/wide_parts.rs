//! Parts in wide units in a text in bytes, and parts in bytes in a text in wide units.

use std::ops::Range;

use oxiconv_detect::detection::by_units;
use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::encoding::{Encoding, wide_mark};

use super::decoded_part::{CLEAR, DecodedPart, PART};

/// Returns the scheme of a text in wide units, as detection sees it by a mark or by the units.
pub(super) fn wide_scheme(start: &[u8]) -> Option<&'static Encoding> {
    wide_mark(start).map(|(_, scheme)| scheme).or_else(|| by_units(start))
}

/// Returns the encoding of a part in wide units: four characters of ASCII in a row, with 00 before or after each.
pub(super) fn wide_parts(bytes: &[u8]) -> Option<&'static Encoding> {
    const IN_A_ROW: usize = 4;
    memchr::memchr(0, bytes)?;
    let is_text =
        |byte: u8| byte >= 0x20 && byte.is_ascii() || matches!(byte, b'\t' | b'\n' | b'\r');
    // `at` is the place of the character in its unit.
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

/// Whether a byte may be one of a text in bytes: no control but those of a space, a page or a terminal.
pub(super) const fn is_of_bytes(byte: u8) -> bool {
    byte >= 0x20 || matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B)
}

/// The search for parts in UTF-8 in a text in wide units, wherever they are.
pub(crate) struct PartsInUtf8 {
    pub(crate) wide: &'static Encoding,
    order: ByteOrder,
    /// How many bytes were examined.
    at: u64,
}

impl PartsInUtf8 {
    pub(super) const fn new(wide: &'static Encoding, order: ByteOrder) -> Self {
        Self { wide, order, at: 0 }
    }

    /// Examines the next bytes; returns whether they have such a part.
    pub(crate) fn look(&mut self, bytes: &[u8]) -> bool {
        /// A few bytes are UTF-8 by chance somewhere in a long text.
        const SHORTEST: usize = 24;
        let unit = self.wide.unit() as u64;
        let first = (self.at.next_multiple_of(unit) - self.at) as usize;
        self.at += bytes.len() as u64;
        let whole = bytes.get(first..).unwrap_or_default();
        // No control need stand between a part and the units beside it, but these are not well-formed for long.
        let mut at = 0;
        let runs = whole.utf8_chunks().flat_map(|chunk| {
            let valid = at..at + chunk.valid().len();
            at = valid.end + chunk.invalid().len();
            text_runs(whole, valid)
        });
        has_parts_in_utf8(whole, runs, self.wide, self.order, SHORTEST)
    }
}

/// Whether the start or the end of a text in wide units has parts in UTF-8.
pub(super) fn has_end_in_utf8(bytes: &[u8], wide: &Encoding, order: ByteOrder) -> bool {
    /// Shorter parts are units by chance.
    const SHORTEST: usize = 4;
    has_parts_in_utf8(bytes, text_runs(bytes, 0..bytes.len()), wide, order, SHORTEST)
}

/// Whether some of these runs of bytes in wide units are parts in UTF-8: of at least `shortest` bytes, well-formed, and clearly
/// likelier text there.
fn has_parts_in_utf8(
    bytes: &[u8],
    runs: impl Iterator<Item = Range<usize>>,
    wide: &Encoding,
    order: ByteOrder,
    shortest: usize,
) -> bool {
    /// The most parts that are looked at.
    const MOST: usize = 64;

    let unit = wide.unit();
    let continues = |at: &usize| bytes.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let parts = runs.filter_map(|run| {
        // Between two units, and not within a character.
        let mut starts = (run.start.next_multiple_of(unit)..run.end).step_by(unit);
        let part = &bytes[starts.find(|at| !continues(at))?..run.end];
        (part.len() >= shortest && std::str::from_utf8(part).is_ok()).then_some(part)
    });
    // Units of one script have the same first byte, which may be one of ASCII: 2D in Tifinagh.
    let is_script = |part: &[u8]| {
        let is_same = |at| part.chunks_exact(unit).all(|bytes| bytes[at] == part[at]);
        (0..unit).any(is_same)
    };
    let mut parts = parts.filter(|part| !is_script(part)).take(MOST);
    parts.any(|part| {
        let part = &part[..part.len().min(PART)];
        let plain = DecodedPart::of(Encoding::UTF_8, ByteOrder::Big, &[part]);
        plain.cost() + CLEAR < DecodedPart::of(wide, order, &[part]).cost()
    })
}

/// Returns the runs of bytes in `range` that are of text.
fn text_runs(bytes: &[u8], range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut at = range.start;
    bytes[range].split(|byte| !is_of_bytes(*byte)).map(move |run| {
        let start = at;
        at += run.len() + 1;
        start..start + run.len()
    })
}
