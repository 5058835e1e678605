//! The stages of the [pipeline](super::pipeline), one file each.

#[cfg(all(feature = "internals", feature = "transliteration"))]
mod drop_marks;
mod inspect;
mod line_end_check;
#[cfg(feature = "normalization")]
mod normalize;
#[cfg(feature = "transliteration")]
mod transliterate;
mod trim_records;

#[cfg(all(feature = "internals", feature = "transliteration"))]
pub(super) use drop_marks::DropMarks;
pub(super) use inspect::Inspect;
#[cfg(test)]
pub(super) use inspect::LOOKED_AT;
pub(super) use line_end_check::LineEndCheck;
#[cfg(feature = "normalization")]
pub(super) use normalize::Normalize;
#[cfg(feature = "transliteration")]
pub(super) use transliterate::Transliterate;
pub(super) use trim_records::TrimRecords;

use crate::unicode::CodePoint;

/// Returns the index of the first code point of `run` that `looks_for` is true of, which are controls, or beyond ASCII. No
/// branch for each character of a block of letters, digits and signs of ASCII.
fn first_but_plain(run: &[CodePoint], looks_for: impl Fn(CodePoint) -> bool) -> Option<usize> {
    const BLOCK: usize = 32;
    let plain = |block: &[CodePoint]| {
        block.iter().fold(0, |most, cp| most.max(cp.wrapping_sub(0x20))) < 0x7F - 0x20
    };
    let blocks = run.chunks(BLOCK).zip((0..).step_by(BLOCK));
    blocks
        .filter(|(block, _)| !plain(block))
        .find_map(|(block, start)| Some(start + block.iter().position(|cp| looks_for(*cp))?))
}

#[cfg(test)]
mod tests;
