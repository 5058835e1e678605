//! The kinds of well-formed characters that a policy denies.

use crate::diagnostic::DeniedKind;
use oxiconv_encodings::codec::CodeValue;
use oxiconv_encodings::unicode::{
    BYTE_ORDER_MARK, CodePoint, REPLACEMENT_CHARACTER, is_bidi_control, is_control, is_invisible,
    is_noncharacter, is_private_use, is_reserved,
};

/// A set of denied kinds, one bit each; empty by default. The highest bit is [`DeniedSet::NO_LINES`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeniedSet(u32);

impl DeniedSet {
    /// Kinds that no single character is of by itself.
    const OF_SEVERAL: u32 = {
        let several = Self::bit(DeniedKind::MixedNewlines)
            | Self::bit(DeniedKind::Crlf)
            | Self::bit(DeniedKind::Lf)
            | Self::bit(DeniedKind::NoFinalNewline)
            | Self::bit(DeniedKind::Mojibake)
            | Self::OF_IDENTIFIERS;
        #[cfg(feature = "normalization")]
        let several = several | Self::bit(DeniedKind::NotNfc);
        several
    };

    /// Whether the text has no lines, so that tab, line feed and carriage return are controls like any other.
    const NO_LINES: u32 = 1 << 31;

    const OF_IDENTIFIERS: u32 =
        Self::bit(DeniedKind::MixedScript) | Self::bit(DeniedKind::Confusable);

    /// Adds `kind`.
    pub fn insert(&mut self, kind: DeniedKind) {
        self.0 |= Self::bit(kind);
    }

    /// Makes tab, line feed and carriage return controls like any other, if controls are in the set.
    pub(super) fn without_lines(self) -> Self {
        if self.has(DeniedKind::Control) { Self(self.0 | Self::NO_LINES) } else { self }
    }

    /// Whether `kind` is in the set.
    pub const fn has(self, kind: DeniedKind) -> bool {
        self.0 & Self::bit(kind) != 0
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it has a kind that is decided character by character. Damaged text and identifiers are found by
    /// segmenters instead.
    pub const fn is_of_characters(self) -> bool {
        self.0 & !(Self::bit(DeniedKind::Mojibake) | Self::OF_IDENTIFIERS) != 0
    }

    /// Whether it has a kind that single characters are of.
    pub(super) const fn is_of_single_characters(self) -> bool {
        self.0 & !Self::OF_SEVERAL != 0
    }

    pub(super) const fn is_of_identifiers(self) -> bool {
        self.0 & Self::OF_IDENTIFIERS != 0
    }

    pub(super) const fn without(self, kind: DeniedKind) -> Self {
        Self(self.0 & !Self::bit(kind))
    }

    /// Iterates over the kinds in the order of [`DeniedKind::ALL`], the order of precedence: a bit has the index of its
    /// kind, so the lowest bit is the first kind.
    pub(super) fn kinds(self) -> impl Iterator<Item = DeniedKind> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let kind = DeniedKind::ALL.get(left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(*kind)
        })
    }

    const fn bit(kind: DeniedKind) -> u32 {
        1 << kind as u16
    }

    /// Returns the kind for which the character of this value is denied, whatever its context. Of several kinds, the
    /// first by precedence. An invisible character may still have an effect, which depends on what is around it.
    #[inline]
    pub(super) fn why(self, value: CodeValue) -> Option<DeniedKind> {
        // Fast path: most text is of no kind.
        let of_one = Self(self.0 & !Self::OF_SEVERAL);
        if matches!(value, 0x20..=0x7E) || of_one.is_empty() {
            return None;
        }
        let is_line_control = self.0 & Self::NO_LINES != 0 && matches!(value, 0x09 | 0x0A | 0x0D);
        of_one
            .kinds()
            .find(|kind| is_of(value, *kind) || is_line_control && *kind == DeniedKind::Control)
    }
}

impl FromIterator<DeniedKind> for DeniedSet {
    fn from_iter<I: IntoIterator<Item = DeniedKind>>(kinds: I) -> Self {
        let mut denied = Self::default();
        kinds.into_iter().for_each(|kind| denied.insert(kind));
        denied
    }
}

fn is_of(value: CodeValue, kind: DeniedKind) -> bool {
    let is = |test: fn(CodePoint) -> bool| CodePoint::try_from(value).is_ok_and(test);
    match kind {
        DeniedKind::Nul => value == 0,
        DeniedKind::Bidi => is(is_bidi_control),
        DeniedKind::Bom => value == CodeValue::from(BYTE_ORDER_MARK),
        DeniedKind::Replacement => value == CodeValue::from(REPLACEMENT_CHARACTER),
        DeniedKind::Noncharacter => is(is_noncharacter),
        DeniedKind::PrivateUse => is(is_private_use),
        DeniedKind::Control => is(|cp| is_control(cp) && !matches!(cp, 0x09 | 0x0A | 0x0D)),
        DeniedKind::Unassigned => is(is_reserved),
        DeniedKind::Invisible => is(is_invisible),
        DeniedKind::NonBmp => value > 0xFFFF,
        // Decided by several characters: see `stages/line_end_check.rs`.
        DeniedKind::MixedNewlines
        | DeniedKind::Crlf
        | DeniedKind::Lf
        | DeniedKind::NoFinalNewline => false,
        // See `stages/normalize.rs`.
        #[cfg(feature = "normalization")]
        DeniedKind::NotNfc => false,
        // See `damaged_parts.rs`.
        DeniedKind::Mojibake => false,
        // See `identifiers.rs`.
        DeniedKind::MixedScript | DeniedKind::Confusable => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each row is written by hand: a value, and the kinds that it belongs to.
    #[test]
    fn each_class_is_what_it_says() {
        use DeniedKind::{
            Bidi, Bom, Control, Invisible, NonBmp, Noncharacter, Nul, PrivateUse, Replacement,
            Unassigned,
        };
        for (value, expected) in [
            (0, &[Nul, Control][..]),
            (0x09, &[]),
            (0x0A, &[]),
            (0x0D, &[]),
            (0x0B, &[Control]),
            (0x1B, &[Control]),
            (0x7F, &[Control]),
            (0x85, &[Control]),
            (0xA0, &[]),
            (0x41, &[]),
            (0x0378, &[Unassigned]),
            (0xAD, &[Invisible]),
            (0x200B, &[Invisible]),
            (0x200E, &[Invisible]),
            (0x2029, &[]),
            (0x202A, &[Bidi]),
            (0x202E, &[Bidi]),
            (0x2065, &[Unassigned, Invisible]),
            (0x2066, &[Bidi]),
            (0x2069, &[Bidi]),
            (0xD800, &[]),
            (0xE000, &[PrivateUse]),
            (0xFDD0, &[Noncharacter]),
            (0xFEFF, &[Bom]),
            (0xFFFD, &[Replacement]),
            (0xFFFF, &[Noncharacter]),
            (0x1_0000, &[NonBmp]),
            (0xE_0041, &[Invisible, NonBmp]),
            (0x10_FFFD, &[PrivateUse, NonBmp]),
            (0x10_FFFF, &[Noncharacter, NonBmp]),
            (0x11_0000, &[NonBmp]),
            (1 << 40, &[NonBmp]),
        ] {
            for kind in DeniedKind::ALL {
                let why = DeniedSet::from_iter([kind]).why(value);
                assert_eq!(why, expected.contains(&kind).then_some(kind), "{value:X}");
            }
            let all = DeniedSet::from_iter(DeniedKind::ALL);
            assert!(all.kinds().eq(DeniedKind::ALL));
            assert_eq!(all.why(value), expected.first().copied(), "{value:X}");
            assert_eq!(DeniedSet::default().why(value), None);
        }
    }
    #[test]
    fn without_lines_their_controls_are_denied_like_the_others() {
        use DeniedKind::{Bidi, Control};
        let denied = DeniedSet::from_iter([Control, Bidi]).without_lines();
        for value in [0x09, 0x0A, 0x0D, 0x1B] {
            assert_eq!(denied.why(value), Some(Control), "{value:X}");
        }
        assert_eq!(denied.why(0x202E), Some(Bidi));
        assert!(denied.kinds().eq([Bidi, Control]));
        assert_eq!(DeniedSet::from_iter([Bidi]).without_lines().why(0x0A), None);
    }
}
