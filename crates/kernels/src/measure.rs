//! Counting characters and line feeds: loops that the compiler vectorizes, compiled for each set with its instructions.
//!
//! A count in a `usize` would take 64 bits of a register per unit. So each of 64 lanes has a count of its own, in a
//! byte, which is summed up before it can overflow:
//!
//! ```text
//! block   a  b  \n c …    lane 0, 1, 2, 3 …
//! counts  0  0  1  0 …    after at most 255 blocks, added to the total
//! ```

use super::contract::{EncodingForm, Measured};
use super::interruption_signs;
use crate::code_point::is_low_surrogate;

const LANES: usize = 64;
/// The most blocks that a count in a byte can take.
const MAX_BLOCKS: usize = 255;

/// Counts the units of `N` bytes for which `first` holds, and those for which `second` does. Bytes after the last whole
/// unit count for neither.
#[inline(always)]
fn count<const N: usize>(
    text: &[u8],
    first: impl Fn([u8; N]) -> bool,
    second: impl Fn([u8; N]) -> bool,
) -> (usize, usize) {
    let (units, _) = text.as_chunks::<N>();
    let (blocks, rest) = units.as_chunks::<LANES>();
    let mut sums = (0, 0);
    for blocks in blocks.chunks(MAX_BLOCKS) {
        let (mut firsts, mut seconds) = ([0_u8; LANES], [0_u8; LANES]);
        for block in blocks {
            for lane in 0..LANES {
                firsts[lane] += u8::from(first(block[lane]));
                seconds[lane] += u8::from(second(block[lane]));
            }
        }
        let sum = |lanes: [u8; LANES]| lanes.into_iter().map(usize::from).sum::<usize>();
        sums.0 += sum(firsts);
        sums.1 += sum(seconds);
    }
    sums.0 += rest.iter().filter(|unit| first(**unit)).count();
    sums.1 += rest.iter().filter(|unit| second(**unit)).count();
    sums
}

#[inline(always)]
pub(super) fn bytes(text: &[u8]) -> Measured {
    let (line_feeds, _) = count(text, |[byte]| byte == b'\n', |_| false);
    Measured { characters: text.len(), line_feeds, signs: 0 }
}

#[inline(always)]
pub(super) fn utf8(text: &[u8]) -> Measured {
    let (tails, line_feeds) = count(text, |[byte]| byte & 0xC0 == 0x80, |[byte]| byte == b'\n');
    Measured { characters: text.len() - tails, line_feeds, signs: 0 }
}

/// Bytes of UTF-16 and UTF-32 that are searched for signs together. If the bytes 0A among them are as many as the line
/// feeds, as is usual, there is no sign.
const SIGN_BLOCK: usize = 2048;

#[inline(always)]
pub(super) fn utf16<const BIG: bool>(text: &[u8]) -> Measured {
    let form = if BIG { EncodingForm::Utf16Be } else { EncodingForm::Utf16Le };
    let unit = |bytes| if BIG { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) };
    let mut all = Measured { characters: text.len() / 2, ..Measured::default() };
    for start in (0..text.len()).step_by(SIGN_BLOCK) {
        let group = start..text.len().min(start + SIGN_BLOCK);
        let (tails, line_feeds) = count(
            &text[group.clone()],
            |bytes| is_low_surrogate(unit(bytes).into()),
            |bytes| unit(bytes) == u16::from(b'\n'),
        );
        all.characters -= tails;
        all.line_feeds += line_feeds;
        all.signs += interruption_signs::among(form, text, group, line_feeds);
    }
    all
}

#[inline(always)]
pub(super) fn utf32<const BIG: bool>(text: &[u8]) -> Measured {
    let form = if BIG { EncodingForm::Utf32Be } else { EncodingForm::Utf32Le };
    let unit = |bytes| if BIG { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) };
    let mut all = Measured { characters: text.len() / 4, ..Measured::default() };
    for start in (0..text.len()).step_by(SIGN_BLOCK) {
        let group = start..text.len().min(start + SIGN_BLOCK);
        let (line_feeds, _) =
            count(&text[group.clone()], |bytes| unit(bytes) == u32::from(b'\n'), |_| false);
        all.line_feeds += line_feeds;
        all.signs += interruption_signs::among(form, text, group, line_feeds);
    }
    all
}

/// The loops above, compiled with the instructions of a set; for UTF-16, the counting by masks.
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
macro_rules! measure_with {
    ($features:literal, $vector:ty) => {
        #[target_feature(enable = $features)]
        fn measure_utf16(big: bool, text: &[u8]) -> $crate::Measured {
            $crate::shuffle::measure::utf16(<$vector>::zeroed(), big, text)
        }

        pub(super) fn measure(form: $crate::EncodingForm) -> $crate::contract::Measure {
            use $crate::{EncodingForm, Measured, measure as bodies};
            match form {
                EncodingForm::Ascii | EncodingForm::Latin1 => {
                    scan_with!($features, bodies::bytes, Measured)
                }
                EncodingForm::Utf8 => scan_with!($features, bodies::utf8, Measured),
                // SAFETY: a set is returned only if the processor has its instructions.
                EncodingForm::Utf16Le => |text| unsafe { measure_utf16(false, text) },
                // SAFETY: the same.
                EncodingForm::Utf16Be => |text| unsafe { measure_utf16(true, text) },
                EncodingForm::Utf32Le => scan_with!($features, bodies::utf32::<false>, Measured),
                EncodingForm::Utf32Be => scan_with!($features, bodies::utf32::<true>, Measured),
            }
        }
    };
}
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
pub(super) use measure_with;
