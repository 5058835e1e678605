//! The intended length of a truncated sequence, by its first unit.
//!
//! In UTF-8 and most of its relatives, the leading ones of the first unit are as many as the sequence has units (RFC
//! 2279; "Extending UTF-8 to eight bytes", tables one and nine):
//!
//! ```text
//! E2 = 1110 0010   3 bytes      FE = 1111 1110   7 bytes, in the 7-byte variant
//! ```
//!
//! The 65-bit variant (table ten) counts in twos: *n* ones and a zero begin a sequence of 2*n* - 1 bytes, or one more
//! if the bit after the zero is set. FE begins 13 bytes, and FF, which has no zero, 14.

use oxiconv_encodings::encoding::{Family, FirstUnit};

/// Returns the length of the sequence that `bytes` begin, in words: `3-byte`, `4-unit`. `None` if they do not tell it.
///
/// Units of fewer than 16 bits are shifted to the top of 16, so that `leading_ones` counts from their own highest bit.
/// UTF-8-HUNK9 stores its units of nine bits in two bytes each.
pub(super) fn length(family: Family, bytes: &[u8]) -> Option<String> {
    let first = *bytes.first()?;
    let ones = first.leading_ones();
    let bytes = match family.first_unit()? {
        FirstUnit::OnesOf { bits } => {
            let unit = match bits {
                9 => u16::from_be_bytes([first, *bytes.get(1)?]),
                _ => first.into(),
            };
            return Some(format!("{}-unit", (unit << (u16::BITS - bits)).leading_ones()));
        }
        FirstUnit::Ones { most } => (2..=most).contains(&ones).then_some(ones)?,
        FirstUnit::Pairs => match ones {
            0 => 1,
            7.. => ones + 6,
            _ => 2 * ones - 1 + u32::from(first << (ones + 1) >> 7),
        },
    };
    Some(format!("{bytes}-byte"))
}

/// Returns the number of bits per unit for the encodings that store each unit separately (UTF-8-HUNK1 to -HUNK9).
pub(super) const fn unit_bits(family: Family) -> Option<u32> {
    match family.first_unit() {
        Some(FirstUnit::OnesOf { bits }) => Some(bits),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxiconv_encodings::encoding::Encoding;

    #[test]
    fn the_first_unit_says_how_many_there_are() {
        for (encoding, bytes, expected) in [
            ("UTF-8", &b"\xC2"[..], "2-byte"),
            ("UTF-8", b"\xF4\x80", "4-byte"),
            ("UTF-8-RFC2279", b"\xFD\xBF", "6-byte"),
            ("UTF-8-7BYTE", b"\xFE", "7-byte"),
            ("UTF-8-8BYTE", b"\xFF", "8-byte"),
            ("UTF-8-65BIT", b"\xA4", "2-byte"),
            ("UTF-8-65BIT", b"\xC4", "3-byte"),
            ("UTF-8-65BIT", b"\xD0", "4-byte"),
            ("UTF-8-65BIT", b"\xE1", "5-byte"),
            ("UTF-8-65BIT", b"\xE8", "6-byte"),
            ("UTF-8-65BIT", b"\xF1", "7-byte"),
            ("UTF-8-65BIT", b"\xF4", "8-byte"),
            ("UTF-8-65BIT", b"\xF9", "9-byte"),
            ("UTF-8-65BIT", b"\xFA", "10-byte"),
            ("UTF-8-65BIT", b"\xFC", "11-byte"),
            ("UTF-8-65BIT", b"\xFD", "12-byte"),
            ("UTF-8-65BIT", b"\xFE", "13-byte"),
            ("UTF-8-65BIT", b"\xFF", "14-byte"),
            ("UTF-8-HUNK9", b"\x01\x80", "2-unit"),
            ("UTF-8-HUNK9", b"\x01\xFF", "9-unit"),
            ("UTF-8-HUNK5", b"\x18", "2-unit"),
            ("UTF-8-HUNK5", b"\x1F", "5-unit"),
            ("UTF-8-HUNK4", b"\x0E", "3-unit"),
        ] {
            assert_eq!(
                length(Encoding::for_name(encoding).unwrap().family, bytes).unwrap(),
                expected,
                "{encoding} {bytes:X?}"
            );
        }
        assert_eq!(length(Encoding::for_name("UTF-8-HUNK9").unwrap().family, b"\x01"), None);
        assert_eq!(length(Encoding::for_name("GB18030").unwrap().family, b"\x81"), None);
    }
}
