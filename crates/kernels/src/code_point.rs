//! Code points, scalar values and surrogates: the terms of the Unicode Standard, chapter 3.9, that need no encoding.

/// A number that decoders produce and encoders consume: the pivot of every conversion.
///
/// It is not a `char`: the pivot also carries surrogate code points and values above U+10FFFF, because some encodings
/// have them. An encoder that cannot represent one reports it as unmappable.
pub type CodePoint = u32;

/// The last code point of the Unicode codespace, U+10FFFF (D9).
pub const MAX_CODE_POINT: CodePoint = 0x10_FFFF;
/// U+FEFF: the byte order mark, or inside a text ZERO WIDTH NO-BREAK SPACE (D93 to D101).
pub const BYTE_ORDER_MARK: CodePoint = 0xFEFF;
/// U+000A, LINE FEED, which ends a line.
pub const LINE_FEED: CodePoint = 0x0A;
/// U+0020, SPACE.
pub const BLANK: CodePoint = 0x20;
/// U+000D, CARRIAGE RETURN.
pub const CARRIAGE_RETURN: CodePoint = 0x0D;
/// U+0085, NEXT LINE, which ends a line in EBCDIC.
pub const NEXT_LINE: CodePoint = 0x85;
/// U+FFFD REPLACEMENT CHARACTER.
pub const REPLACEMENT_CHARACTER: CodePoint = 0xFFFD;

/// Whether `cp` is a surrogate code point, U+D800 to U+DFFF (D71, D73).
pub const fn is_surrogate(cp: CodePoint) -> bool {
    cp & 0xFFFF_F800 == 0xD800
}

/// Whether `cp` is a high surrogate code point, U+D800 to U+DBFF (D71).
pub const fn is_high_surrogate(cp: CodePoint) -> bool {
    cp & 0xFFFF_FC00 == 0xD800
}

/// Whether `cp` is a low surrogate code point, U+DC00 to U+DFFF (D73).
pub const fn is_low_surrogate(cp: CodePoint) -> bool {
    cp & 0xFFFF_FC00 == 0xDC00
}

/// Whether `cp` is a scalar value: in the codespace and not a surrogate (D76).
pub const fn is_scalar_value(cp: CodePoint) -> bool {
    cp <= MAX_CODE_POINT && !is_surrogate(cp)
}

/// Returns the scalar value of a surrogate pair (D91, Table 3-5).
pub const fn join_surrogates(high: u16, low: u16) -> CodePoint {
    0x1_0000 + (((high as u32 & 0x3FF) << 10) | (low as u32 & 0x3FF))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalar_values_are_the_codespace_without_surrogates() {
        for (cp, expected) in [
            (0, true),
            (0xD7FF, true),
            (0xD800, false),
            (0xDBFF, false),
            (0xDC00, false),
            (0xDFFF, false),
            (0xE000, true),
            (0x10_FFFF, true),
            (0x11_0000, false),
            (0x1_D800, true),
            (u32::MAX, false),
        ] {
            assert_eq!(is_scalar_value(cp), expected, "{cp:X}");
        }
    }

    #[test]
    fn table_3_5_joins_d800_df02_to_10302() {
        assert_eq!(join_surrogates(0xD800, 0xDF02), 0x1_0302);
        assert_eq!(join_surrogates(0xD800, 0xDC00), 0x1_0000);
        assert_eq!(join_surrogates(0xDBFF, 0xDFFF), 0x10_FFFF);
    }
}
