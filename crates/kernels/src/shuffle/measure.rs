//! Counting characters, line feeds and signs of interruption in UTF-16, for the sets of this folder. Each unit has a
//! bit in the masks of a block.
//!
//! A sign needs a byte 0A that is not part of U+000A, so a block whose bytes 0A are all line feeds, as nearly all are,
//! is done after two comparisons and two bit counts. If it has others, [`SignMasks`] rules out the common ideographs.
//! Only what is left is examined unit by unit.

use super::{Vector, at, utf16 as form_of};
use crate::contract::Measured;
use crate::interruption_signs::{self, BLOCK, SignMasks};

/// A low surrogate begins no character.
#[inline(always)]
pub(crate) fn utf16<V: Vector>(simd: V, big: bool, text: &[u8]) -> Measured {
    let form = form_of(big);
    let unit = |unit: u16| simd.splat16(if big { unit.swap_bytes() } else { unit });
    let (line_feed, surrogates, low) = (unit(0x0A), unit(0xFC00), unit(0xDC00));
    let byte = simd.splat8(b'\n');
    let mut all = Measured { characters: text.len() / 2, ..Measured::default() };
    let (blocks, rest) = text.as_chunks::<BLOCK>();
    let mut padded = [0; BLOCK];
    // Half a unit at the end is no character, and the zeros after it must not complete it.
    let rest = &rest[..rest.len() - rest.len() % 2];
    padded[..rest.len()].copy_from_slice(rest);
    for (number, block) in blocks.iter().chain([&padded]).enumerate() {
        let units = [simd.load(at(block, 0)), simd.load(at(block, 32))];
        let count =
            |mask: [V; 2]| mask[0].movemask16().count_ones() + mask[1].movemask16().count_ones();
        let bits =
            |mask: [V; 2]| u64::from(mask[0].movemask8()) | u64::from(mask[1].movemask8()) << 32;
        let line_feeds = count(units.map(|units| units.cmpeq16(line_feed)));
        all.characters -= count(units.map(|units| units.and(surrogates).cmpeq16(low))) as usize;
        all.line_feeds += line_feeds as usize;
        let found = bits(units.map(|units| units.cmpeq8(byte)));
        if found.count_ones() == line_feeds {
            continue;
        }
        let ascii = |units: V| {
            let from_tab = units.cmpgt8(simd.splat8(b'\t' - 1));
            from_tab.and(simd.splat8(0x7F).cmpgt8(units))
        };
        let masks = SignMasks {
            found,
            zeros: bits(units.map(|units| units.cmpeq8(simd.splat8(0)))),
            returns: bits(units.map(|units| units.cmpeq8(simd.splat8(b'\r')))),
            ascii: bits(units.map(ascii)),
        };
        if masks.may_be_signs(big) {
            let start = number * BLOCK;
            all.signs +=
                interruption_signs::count(form, text, start..text.len().min(start + BLOCK));
        }
    }
    all
}
