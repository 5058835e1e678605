//! The rule that a finding breaks: the byte that breaks it, what is allowed instead, and where the rule is defined.

use super::finding::Finding;
use super::kind::Kind;
use oxiconv_encodings::encoding::Family;
use oxiconv_encodings::unicode::IllFormedKind;

/// The rows of Table 3-7 for sequences of several bytes: the range of the first byte, and those of the others. Only the
/// second byte has other limits than 80 to BF, and only after E0, ED, F0 and F4: they exclude overlong forms,
/// surrogates, and values above U+10FFFF.
const TABLE_3_7: [(u8, u8, &str); 8] = [
    (0xC2, 0xDF, "80..BF"),
    (0xE0, 0xE0, "A0..BF 80..BF"),
    (0xE1, 0xEC, "80..BF 80..BF"),
    (0xED, 0xED, "80..9F 80..BF"),
    (0xEE, 0xEF, "80..BF 80..BF"),
    (0xF0, 0xF0, "90..BF 80..BF 80..BF"),
    (0xF1, 0xF3, "80..BF 80..BF 80..BF"),
    (0xF4, 0xF4, "80..8F 80..BF 80..BF"),
];

impl Finding<'_> {
    /// Describes the rule in a sentence or two, without the final full stop. `None` if there is no rule to name.
    pub fn rule(&self) -> Option<String> {
        match self.kind {
            Kind::IllFormed(kind) => Some(match self.encoding.family {
                Family::Utf8 => self.rule_of_utf8(),
                family => self.rule_of_others(family, kind),
            }),
            Kind::Denied(_) if self.declared.is_some() => None,
            Kind::Denied(kind) => Some(format!("well-formed, but denied by --deny {}", kind.id())),
            _ => None,
        }
    }

    /// Names the row that the first byte selects, and in it the range that the next byte would have to be in. The bytes
    /// of a finding are a maximal subpart, so all of them are allowed, and the byte after them is the one that breaks
    /// the rule: after two bytes of a sequence, that is the third, whose range is the second in `following`.
    fn rule_of_utf8(&self) -> String {
        let first = self.bytes.first().copied().unwrap_or_default();
        let row = TABLE_3_7.iter().find(|(low, high, _)| (*low..=*high).contains(&first));
        let Some((low, high, following)) = row else {
            let occurs = match first {
                0x80..=0xBF => "may occur only after a lead byte",
                _ => "never occurs",
            };
            return format!(
                "{first:02X} {occurs}; a character begins with 00..7F or C2..F4 (Unicode 3.9, Table 3-7)"
            );
        };
        let allowed = following.split(' ').nth(self.bytes.len() - 1).unwrap_or("80..BF");
        let found = match self.next {
            Some(byte) => format!("{byte:02X}"),
            None => "the end of the input".to_owned(),
        };
        let firsts =
            if low == high { format!("{low:02X}") } else { format!("{low:02X}..{high:02X}") };
        format!("{allowed} must follow, not {found} (Unicode 3.9, Table 3-7: {firsts} {following})")
    }

    fn rule_of_others(&self, family: Family, kind: IllFormedKind) -> String {
        match (family, kind) {
            (_, IllFormedKind::OtherUnits) => {
                "a text must be in one encoding; two ASCII bytes would be read as one ideograph"
                    .to_owned()
            }
            (_, IllFormedKind::Misaligned) => {
                format!("each code unit takes {} bytes (Unicode 3.9, D90, D91)", self.encoding.unit)
            }
            (Family::Utf16, IllFormedKind::UnpairedHighSurrogate) => {
                "DC00..DFFF must follow D800..DBFF (Unicode 3.9, D91, Table 3-5)".to_owned()
            }
            (Family::Utf16, IllFormedKind::UnpairedLowSurrogate) => {
                "DC00..DFFF may occur only after D800..DBFF (Unicode 3.9, D91, Table 3-5)"
                    .to_owned()
            }
            (Family::Utf32, IllFormedKind::Surrogate | IllFormedKind::OutOfRange) => {
                "a code unit must be in 0..D7FF or E000..10FFFF (Unicode 3.9, D90)".to_owned()
            }
            (Family::Utf16, IllFormedKind::TruncatedAtEnd) => {
                "a code unit takes two bytes, and a pair of surrogates two units (Unicode 3.9, D91)"
                    .to_owned()
            }
            (Family::Utf32, IllFormedKind::TruncatedAtEnd) => {
                "a code unit takes four bytes (Unicode 3.9, D90)".to_owned()
            }
            (Family::Ascii, _) => "a byte must be in 00..7F (ANSI X3.4)".to_owned(),
            _ => format!("{} is defined by: {}", self.encoding.name(), self.encoding.source()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxiconv_encodings::encoding::Encoding;

    fn rule(
        encoding: &'static Encoding,
        bytes: &[u8],
        next: Option<u8>,
        kind: IllFormedKind,
    ) -> String {
        let finding = Finding::new(Kind::IllFormed(kind));
        Finding { bytes: bytes.into(), next, encoding, ..finding }.rule().unwrap()
    }

    #[test]
    fn the_row_of_table_3_7_and_the_byte_that_breaks_it_are_named() {
        use IllFormedKind::{
            InvalidByte, Overlong, Surrogate, Truncated, TruncatedAtEnd, UnexpectedContinuation,
        };
        for (bytes, next, kind, expected) in [
            (
                &b"\xE9"[..],
                Some(0x20),
                Truncated,
                "80..BF must follow, not 20 (Unicode 3.9, Table 3-7: E1..EC 80..BF 80..BF)",
            ),
            (
                b"\xE2\x82",
                Some(0x41),
                Truncated,
                "80..BF must follow, not 41 (Unicode 3.9, Table 3-7: E1..EC 80..BF 80..BF)",
            ),
            (
                b"\xED",
                Some(0xA0),
                Surrogate,
                "80..9F must follow, not A0 (Unicode 3.9, Table 3-7: ED 80..9F 80..BF)",
            ),
            (
                b"\xF0",
                Some(0x8F),
                Overlong,
                "90..BF must follow, not 8F (Unicode 3.9, Table 3-7: F0 90..BF 80..BF 80..BF)",
            ),
            (
                b"\xF4\x80",
                None,
                TruncatedAtEnd,
                "80..BF must follow, not the end of the input (Unicode 3.9, Table 3-7: F4 80..8F 80..BF 80..BF)",
            ),
            (
                b"\xC0",
                None,
                Overlong,
                "C0 never occurs; a character begins with 00..7F or C2..F4 (Unicode 3.9, Table 3-7)",
            ),
            (
                b"\xFF",
                None,
                InvalidByte,
                "FF never occurs; a character begins with 00..7F or C2..F4 (Unicode 3.9, Table 3-7)",
            ),
            (
                b"\x93",
                None,
                UnexpectedContinuation,
                "93 may occur only after a lead byte; a character begins with 00..7F or C2..F4 (Unicode 3.9, Table 3-7)",
            ),
        ] {
            let expected = expected.to_owned();
            assert_eq!(rule(Encoding::UTF_8, bytes, next, kind), expected);
        }
    }

    #[test]
    fn other_encodings_name_their_clause() {
        let high =
            rule(Encoding::UTF_16LE, b"\x3D\xD8", None, IllFormedKind::UnpairedHighSurrogate);
        assert!(high.ends_with("(Unicode 3.9, D91, Table 3-5)"), "{high}");
        let unit = rule(Encoding::UTF_32BE, b"\0\x11\0\0", None, IllFormedKind::OutOfRange);
        assert!(unit.ends_with("(Unicode 3.9, D90)"), "{unit}");
    }
}
