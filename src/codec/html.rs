//! HTML: text as the character data of HTML, in ASCII (the HTML standard, sections 13.2.5.72 to 13.2.5.80 and 13.5).
//!
//! It is XML's way with two differences in reading: HTML has two thousand names (`&eacute;`), and numeric references to 80
//! to 9F mean what windows-1252 has there (`&#128;` is the euro sign). So the C1 controls that windows-1252 replaces have
//! no reference, and are unmappable. References without their semicolon, which browsers mend, are plain text.

use std::sync::LazyLock;

use super::plain::plain_run;
use super::references::{AMPERSAND, Xml, number};
use super::{Decoded, Encoded, StatelessCodec};
use crate::kernels::Progress;
use crate::unicode::CodePoint;

/// The character references of HTML.
#[derive(Clone, Copy, Debug)]
pub struct Html;

/// Names and code points, sorted by name; made by `tables/html_names.py`. The few that stand for two are not there.
static NAMES: LazyLock<Vec<(&str, CodePoint)>> = LazyLock::new(|| {
    include_str!("tables/html-names.txt")
        .lines()
        .filter_map(|line| {
            let (name, cp) = line.split_once(' ')?;
            Some((name, CodePoint::from_str_radix(cp, 16).ok()?))
        })
        .collect()
});

/// Letters of the longest name, `CounterClockwiseContourIntegral`.
const LONGEST: usize = 31;

/// What the references to 80 to 9F mean (the table of section 13.2.5.80): 0 is the control itself.
const C1: [u16; 32] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
    0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
];

/// What a reference to the control `cp` means instead, if anything.
fn instead_of(cp: CodePoint) -> Option<CodePoint> {
    let index = usize::try_from(cp).ok()?.checked_sub(0x80)?;
    C1.get(index).copied().filter(|meant| *meant != 0).map(CodePoint::from)
}

impl StatelessCodec for Html {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        Xml.decode_run(input, output)
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        let one = match *input {
            [b'&', b'#', b'x' | b'X', ..] => number(input, 3, 16),
            [b'&', b'#', ..] if input.len() > 2 => number(input, 2, 10),
            [b'&', b'A'..=b'Z' | b'a'..=b'z', ..] => return named(input),
            _ => return Xml.decode_one(input),
        };
        match one {
            Decoded::Character { cp, len } if len > 1 => {
                Decoded::Character { cp: instead_of(cp).unwrap_or(cp), len }
            }
            one => one,
        }
    }

    fn at_end(&self, _: &[u8]) -> Decoded {
        AMPERSAND
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        let plain = |cp| (cp < 0x80) & (cp != 0x26) & (cp != 0x3C) & (cp != 0x3E);
        plain_run(input, output, plain, |cp| cp as u8)
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        if instead_of(cp).is_some() { None } else { Xml.encode_one(cp) }
    }
}

/// The named reference at the start of `input`.
fn named(input: &[u8]) -> Decoded {
    let name = &input[1..];
    let len = name.iter().take(LONGEST + 1).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    match name.get(len) {
        None => Decoded::Incomplete,
        Some(b';') => std::str::from_utf8(&name[..len])
            .ok()
            .and_then(|name| NAMES.binary_search_by_key(&name, |(known, _)| known).ok())
            .map_or(AMPERSAND, |index| Decoded::Character { cp: NAMES[index].1, len: len + 2 }),
        Some(_) => AMPERSAND,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unicode::{IllFormed, IllFormedKind};

    /// By hand from the standard's tables.
    #[test]
    fn names_and_numbers_are_read_as_the_standard_has_them() {
        let character = |cp, len| Decoded::Character { cp, len };
        for (input, expected) in [
            (&b"&eacute;x"[..], character(0xE9, 8)),
            (b"&AElig;", character(0xC6, 7)),
            (b"&CounterClockwiseContourIntegral;", character(0x2233, 33)),
            (b"&amp;amp;", character(0x26, 5)),
            (b"&Amp;", AMPERSAND),
            (b"&NotEqualTilde;", AMPERSAND),
            (b"&eacute ", AMPERSAND),
            (b"&eacut", Decoded::Incomplete),
            (b"&", Decoded::Incomplete),
            (b"&#", Decoded::Incomplete),
            (b"& ", AMPERSAND),
            (b"&#128;", character(0x20AC, 6)),
            (b"&#x9F;", character(0x178, 6)),
            (b"&#x81;", character(0x81, 6)),
            (b"&#8364;", character(0x20AC, 7)),
            (b"&#xD800;", Decoded::IllFormed(IllFormed::new(8, IllFormedKind::Surrogate))),
            (b"\xE9", Decoded::IllFormed(IllFormed::new(1, IllFormedKind::InvalidByte))),
        ] {
            assert_eq!(Html.decode_one(input), expected, "{}", input.escape_ascii());
        }
        let long = [&b"&"[..], &[b'a'; 40], b";"].concat();
        assert_eq!(Html.decode_one(&long), AMPERSAND);
    }

    #[test]
    fn what_is_written_is_read_back() {
        for cp in (0..0x11_0000).filter(|cp| char::from_u32(*cp).is_some()) {
            match Html.encode_one(cp) {
                Some(one) => {
                    let len = one.as_slice().len();
                    assert_eq!(Html.decode_one(one.as_slice()), Decoded::Character { cp, len });
                }
                None => assert!((0x80..0xA0).contains(&cp), "{cp:X}"),
            }
        }
    }

    #[test]
    fn the_table_is_sorted_and_whole() {
        assert!(NAMES.is_sorted_by(|a, b| a.0 < b.0));
        assert!(NAMES.iter().all(|(name, _)| name.len() <= LONGEST));
        // 2125 names with a semicolon, of which 93 stand for two code points.
        assert_eq!(NAMES.len(), 2125 - 93);
    }
}
