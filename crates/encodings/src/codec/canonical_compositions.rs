//! Canonical compositions of two characters (Unicode 3.11): letters with marks, and Hangul syllables.
//!
//! Those in U+2000 to U+2FFF are left out. The file systems of macOS do not decompose them, and no charset with marks
//! has them.

use std::ops::Range;
use std::sync::LazyLock;

use unicode_normalization::char::{compose as compose_pair, decompose_canonical};

use crate::unicode::CodePoint;

/// What file systems leave alone.
const LEFT_OUT: Range<CodePoint> = 0x2000..0x3000;
/// Where composites are, but for the syllables of Hangul, which have a composition for each pair of letters.
const COMPOSITES: [Range<CodePoint>; 2] = [0xC0..0xAC00, 0xD7A4..0x1_E000];

/// The first characters of compositions, in order.
static FIRST: LazyLock<Vec<CodePoint>> = LazyLock::new(|| {
    let composites = COMPOSITES.into_iter().flatten();
    let mut first: Vec<CodePoint> = composites.filter_map(|cp| Some(parts(cp)?[0])).collect();
    first.sort_unstable();
    first.dedup();
    first
});

/// Returns the composite of two characters.
pub(super) fn compose([first, second]: [CodePoint; 2]) -> Option<CodePoint> {
    // The second part of every composition is at least U+0300. This rules out most text without a search.
    if second < 0x300 {
        return None;
    }
    let composite = compose_pair(char::from_u32(first)?, char::from_u32(second)?)?;
    Some(composite.into()).filter(|cp| !LEFT_OUT.contains(cp))
}

/// Whether a composition may begin with `cp`.
pub(super) fn begins(cp: CodePoint) -> bool {
    // A vowel of Hangul after a leading letter, and a trailing letter after a syllable.
    let is_hangul = || [0x1161, 0x11A8].into_iter().any(|next| compose([cp, next]).is_some());
    FIRST.binary_search(&cp).is_ok() || is_hangul()
}

/// Returns the two parts of a composite. The first may be a composite too.
pub(super) fn parts(cp: CodePoint) -> Option<[CodePoint; 2]> {
    let mut first = None;
    let mut last = None;
    decompose_canonical(char::from_u32(cp)?, |next| {
        first = match (first, last) {
            (None, before) => before,
            (Some(first), Some(before)) => compose_pair(first, before),
            (first, None) => first,
        };
        last = Some(next);
    });
    let parts = [first?.into(), last?.into()];
    (compose(parts) == Some(cp)).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values are from UnicodeData.txt and CompositionExclusions.txt.
    #[test]
    fn primary_composites_have_two_parts() {
        for (composite, two) in [
            (0xE9, [0x65, 0x301]),
            // The first part is a composite.
            (0x1EC7, [0x1EB9, 0x302]),
            (0x1D8, [0xFC, 0x301]),
            (0x30AC, [0x30AB, 0x3099]),
            (0x1109A, [0x11099, 0x110BA]),
            (0xAC00, [0x1100, 0x1161]),
            (0xAC01, [0xAC00, 0x11A8]),
        ] {
            assert_eq!(parts(composite), Some(two), "{composite:X}");
            assert_eq!(compose(two), Some(composite), "{composite:X}");
            assert!(begins(two[0]), "{composite:X}");
        }
    }

    /// Singletons, a composition exclusion, an arrow with a stroke, and what has no decomposition.
    #[test]
    fn others_stay_as_they_are() {
        for cp in [0x212B, 0x340, 0x958, 0x219A, 0x41, 0x4E00, 0x301, 0xD800, 0x11_0000] {
            assert_eq!(parts(cp), None, "{cp:X}");
        }
        for two in [[0x915, 0x93C], [0x2190, 0x338], [0x61, 0x62], [0xAC01, 0x11A8]] {
            assert_eq!(compose(two), None, "{two:X?}");
        }
        assert!(![0x301, 0xAC01, 0x4E00, 0xD800].into_iter().any(begins));
    }
}
