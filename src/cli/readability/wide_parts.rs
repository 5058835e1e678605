//! Parts in wide units in a text in bytes, and parts in bytes in a text in wide units.

use crate::codec::ByteOrder;
use crate::detection::by_units;
use crate::encoding::{Encoding, wide_mark};

use super::reading::{CLEAR, PART, Reading};

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

/// Whether a text in wide units, or the end of one, has parts in UTF-8: bytes without 00 that are clearly likelier text there.
pub(super) fn has_parts_in_utf8(bytes: &[u8], wide: &Encoding, order: ByteOrder) -> bool {
    /// Shorter parts are units by chance.
    const SHORTEST: usize = 4;
    /// The most parts that are looked at.
    const MOST: usize = 64;

    let unit = wide.unit();
    let mut at = 0;
    let parts = bytes.split_inclusive(|byte| !is_of_bytes(*byte)).filter_map(|part| {
        let start = at;
        at += part.len();
        let len = part.len() - usize::from(part.last().is_some_and(|byte| !is_of_bytes(*byte)));
        let first = start.next_multiple_of(unit);
        bytes[..start + len].get(first..).filter(|part| part.len() >= SHORTEST)
    });
    // Units of one script have the same first byte, which may be one of ASCII: 2D in Tifinagh.
    let is_script = |part: &[u8]| {
        let is_same = |at| part.chunks_exact(unit).all(|bytes| bytes[at] == part[at]);
        (0..unit).any(is_same)
    };
    let parts = parts.filter(|part| std::str::from_utf8(part).is_ok() && !is_script(part));
    let mut parts = parts.take(MOST);
    parts.any(|part| {
        let part = &part[..part.len().min(PART)];
        let plain = Reading::of(Encoding::UTF_8, ByteOrder::Big, &[part]);
        plain.cost() + CLEAR < Reading::of(wide, order, &[part]).cost()
    })
}
