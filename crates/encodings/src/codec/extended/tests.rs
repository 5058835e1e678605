//! The tables of "Extending UTF-8 to eight bytes", written by hand: rows, capacities and byte patterns.

use super::*;
use IllFormedKind::{InvalidByte, Overlong, Truncated, UnexpectedContinuation};
use std::collections::HashSet;

/// Decodes the start of `bytes`. Returns the value and its length in bytes.
fn value(scheme: Extended, bytes: &[u8]) -> Option<(CodeValue, usize)> {
    match scheme.decode_one(bytes) {
        Decoded::Character { cp, len } => Some((cp.into(), len)),
        Decoded::Large { value, len } => {
            assert!(value > u32::MAX.into(), "{value:X} goes as a code point");
            Some((value, len))
        }
        _ => None,
    }
}

#[track_caller]
fn holds(scheme: Extended, number: CodeValue, bytes: &[u8]) {
    let encoded = scheme.encode_large(number);
    assert_eq!(encoded.as_ref().map(Encoded::as_slice), Some(bytes), "{number:X}");
    assert_eq!(value(scheme, bytes), Some((number, bytes.len())), "{number:X} {bytes:X?}");
    if let Ok(cp) = CodePoint::try_from(number) {
        assert_eq!(scheme.encode_one(cp), encoded);
    }
    for cut in 0..bytes.len() {
        assert_eq!(
            scheme.decode_one(&bytes[..cut]),
            Decoded::Incomplete,
            "{bytes:X?} cut at {cut}"
        );
    }
}

#[track_caller]
fn ill_formed(scheme: Extended, bytes: &[u8], len: usize, kind: IllFormedKind) {
    assert_eq!(
        scheme.decode_one(bytes),
        Decoded::IllFormed(IllFormed::new(len, kind)),
        "{bytes:X?}"
    );
}

/// Returns `head` followed by `count` times `tail`.
fn run(head: &[u8], tail: &[u8], count: usize) -> Vec<u8> {
    [head, &tail.repeat(count)].concat()
}

const fn hunk(bits: usize) -> Extended {
    Extended::HUNKS[bits - 1]
}

/// The 8-bit encodings of the main scheme, each with its longest sequence.
const OCTETS: [(Extended, usize); 4] =
    [(Extended::RFC_2279, 6), (Extended::SEVEN_BYTES, 7), (Extended::EIGHT_BYTES, 8), (hunk(8), 8)];

#[test]
fn table_three_edges_of_the_rows() {
    let rows: [(CodeValue, &[u8], CodeValue, &[u8]); 8] = [
        (0, b"\x00", 0x7F, b"\x7F"),
        (0x80, b"\xC2\x80", 0x7FF, b"\xDF\xBF"),
        (0x800, b"\xE0\xA0\x80", 0xFFFF, b"\xEF\xBF\xBF"),
        (0x1_0000, b"\xF0\x90\x80\x80", 0x1F_FFFF, b"\xF7\xBF\xBF\xBF"),
        (0x20_0000, b"\xF8\x88\x80\x80\x80", 0x3FF_FFFF, b"\xFB\xBF\xBF\xBF\xBF"),
        (0x400_0000, b"\xFC\x84\x80\x80\x80\x80", 0x7FFF_FFFF, b"\xFD\xBF\xBF\xBF\xBF\xBF"),
        (
            0x8000_0000,
            b"\xFE\x82\x80\x80\x80\x80\x80",
            0xF_FFFF_FFFF,
            b"\xFE\xBF\xBF\xBF\xBF\xBF\xBF",
        ),
        (
            0x10_0000_0000,
            b"\xFF\x81\x80\x80\x80\x80\x80\x80",
            0x3FF_FFFF_FFFF,
            b"\xFF\xBF\xBF\xBF\xBF\xBF\xBF\xBF",
        ),
    ];
    for (scheme, longest) in OCTETS {
        for (first, first_bytes, last, last_bytes) in rows {
            if first_bytes.len() <= longest {
                holds(scheme, first, first_bytes);
                holds(scheme, last, last_bytes);
            } else {
                assert_eq!(scheme.encode_large(first), None);
                ill_formed(scheme, first_bytes, 1, InvalidByte);
            }
        }
        assert_eq!(scheme.encode_large(0x400_0000_0000), None);
        assert_eq!(scheme.encode_large(CodeValue::MAX), None);
    }
}

#[test]
fn table_six_split_of_row_g_and_surrogates_as_numbers() {
    for (scheme, _) in OCTETS {
        holds(scheme, 0x10_FFFF, b"\xF4\x8F\xBF\xBF");
        holds(scheme, 0x11_0000, b"\xF4\x90\x80\x80");
        holds(scheme, 0xD800, b"\xED\xA0\x80");
        holds(scheme, 0xDFFF, b"\xED\xBF\xBF");
    }
}

#[test]
fn table_three_overlong_rows() {
    let rows: [(&[u8], &[u8]); 7] = [
        (b"\xC0\x80", b"\xC1\xBF"),
        (b"\xE0\x80\x80", b"\xE0\x9F\xBF"),
        (b"\xF0\x80\x80\x80", b"\xF0\x8F\xBF\xBF"),
        (b"\xF8\x80\x80\x80\x80", b"\xF8\x87\xBF\xBF\xBF"),
        (b"\xFC\x80\x80\x80\x80\x80", b"\xFC\x83\xBF\xBF\xBF\xBF"),
        (b"\xFE\x80\x80\x80\x80\x80\x80", b"\xFE\x81\xBF\xBF\xBF\xBF\xBF"),
        (b"\xFF\x80\x80\x80\x80\x80\x80\x80", b"\xFF\x80\xBF\xBF\xBF\xBF\xBF\xBF"),
    ];
    for (scheme, longest) in OCTETS {
        for bytes in rows.iter().flat_map(|(first, last)| [first, last]) {
            let kind = if bytes.len() <= longest { Overlong } else { InvalidByte };
            ill_formed(scheme, bytes, 1, kind);
        }
    }
    // Table eight.
    holds(Extended::EIGHT_BYTES, 0x25, b"\x25");
    for bytes in [&b"\xC0\xA5"[..], b"\xE0\x80\xA5", b"\xF0\x80\x80\xA5"] {
        ill_formed(Extended::EIGHT_BYTES, bytes, 1, Overlong);
    }
}

/// The lengths in units of all sequences in use, and the bits that they hold. With four-bit units a sequence of two
/// holds no more than a single unit, and with smaller units no sequence holds more: those are always overlong.
const CAPACITIES: [(Extended, &[(usize, u32)]); 10] = [
    (hunk(1), &[(1, 0)]),
    (hunk(2), &[(1, 1)]),
    (hunk(3), &[(1, 2)]),
    (hunk(4), &[(1, 3), (3, 4), (4, 6)]),
    (hunk(5), &[(1, 4), (2, 5), (3, 7), (4, 9), (5, 12)]),
    (hunk(6), &[(1, 5), (2, 7), (3, 10), (4, 13), (5, 16), (6, 20)]),
    (hunk(7), &[(1, 6), (2, 9), (3, 13), (4, 17), (5, 21), (6, 25), (7, 30)]),
    (hunk(8), &[(1, 7), (2, 11), (3, 16), (4, 21), (5, 26), (6, 31), (7, 36), (8, 42)]),
    (hunk(9), &[(1, 8), (2, 13), (3, 19), (4, 25), (5, 31), (6, 37), (7, 43), (8, 49), (9, 56)]),
    (
        Extended::OF_65_BITS,
        &[
            (1, 7),
            (2, 10),
            (3, 14),
            (4, 19),
            (5, 23),
            (6, 28),
            (7, 32),
            (8, 37),
            (9, 41),
            (10, 46),
            (11, 50),
            (12, 55),
            (13, 60),
            (14, 65),
        ],
    ),
];

#[test]
fn tables_nine_and_ten_capacities() {
    for (scheme, forms) in CAPACITIES {
        let unit = if scheme.0.unit_bits == 9 { 2 } else { 1 };
        let len = |value| scheme.encode_large(value).map(|one| one.as_slice().len() / unit);
        for (at, (units, bits)) in forms.iter().enumerate() {
            assert_eq!(len((1 << bits) - 1), Some(*units), "{bits} bits");
            assert_eq!(len(1 << bits), forms.get(at + 1).map(|next| next.0), "past {bits} bits");
        }
        assert_eq!(Some(scheme.0.bits), forms.last().map(|form| form.1));
        assert_eq!(len(0), Some(1));
    }
    let bits = [Extended::RFC_2279, Extended::SEVEN_BYTES, Extended::EIGHT_BYTES].map(|s| s.0.bits);
    assert_eq!(bits, [31, 36, 42]);
}

#[test]
fn table_nine_bit_by_bit() {
    // 1'1000'0010 1'0000'0000; 1'1100'0000 1'0100'0001 1'0010'1100.
    holds(hunk(9), 0xFF, b"\x00\xFF");
    holds(hunk(9), 0x100, b"\x01\x82\x01\x00");
    holds(hunk(9), 0x20AC, b"\x01\xC0\x01\x41\x01\x2C");
    holds(hunk(9), 0xFF_FFFF_FFFF_FFFF, &run(b"\x01\xFF", b"\x01\x7F", 8));
    // 110'0010 100'0000; 110'0111 100'1001.
    holds(hunk(7), 0x3F, b"\x3F");
    holds(hunk(7), 0x40, b"\x62\x40");
    holds(hunk(7), 0xE9, b"\x67\x49");
    holds(hunk(7), 0x3FFF_FFFF, &run(b"\x7F", b"\x5F", 6));
    // 11'0010 10'0000; 11'0100 10'0001.
    holds(hunk(6), 0x20, b"\x32\x20");
    holds(hunk(6), 0x41, b"\x34\x21");
    holds(hunk(6), 0xF_FFFF, &run(b"\x3F", b"\x2F", 5));
    // 1'1010 1'0000; 1'1101 1'0000 1'0001.
    holds(hunk(5), 0x10, b"\x1A\x10");
    holds(hunk(5), 0x41, b"\x1D\x10\x11");
    holds(hunk(5), 0xFFF, &run(b"\x1F", b"\x17", 4));
    // 1110 1010 1000; 1111 1001 1000 1000.
    holds(hunk(4), 7, b"\x07");
    holds(hunk(4), 8, b"\x0E\x0A\x08");
    holds(hunk(4), 0xF, b"\x0E\x0B\x0B");
    holds(hunk(4), 0x10, b"\x0F\x09\x08\x08");
    holds(hunk(4), 0x3F, b"\x0F\x0B\x0B\x0B");
    holds(hunk(3), 3, b"\x03");
    holds(hunk(2), 1, b"\x01");
    holds(hunk(1), 0, b"\x00");
}

#[test]
fn table_ten_bit_by_bit() {
    let scheme = Extended::OF_65_BITS;
    for (number, bytes) in [
        (0x7F, &b"\x7F"[..]),
        (0x80, b"\xA4\x80"),
        (0x3FF, b"\xBF\x9F"),
        (0x400, b"\xC1\x80\x80"),
        (0x20AC, b"\xC8\x85\x8C"),
        (0x3FFF, b"\xCF\x9F\x9F"),
        (0x4000, b"\xD0\x90\x80\x80"),
        (0x10_FFFF, b"\xE1\x81\x9F\x9F\x9F"),
        (0x8000_0000, &run(b"\xF2", b"\x80", 6)),
        (0xFFFF_FFFF, &run(b"\xF3", b"\x9F", 6)),
        (0x1_0000_0000, &run(b"\xF4\x84", b"\x80", 6)),
        (1 << 60, &run(b"\xFF\x81", b"\x80", 12)),
        (1 << 63, &run(b"\xFF\x88", b"\x80", 12)),
        (u64::MAX.into(), &run(b"\xFF\x8F", b"\x9F", 12)),
        ((1 << 65) - 1, &run(b"\xFF", b"\x9F", 13)),
    ] {
        holds(scheme, number, bytes);
    }
    for first in [0xA0, 0xA3, 0xC0] {
        ill_formed(scheme, &[first], 1, Overlong);
    }
    // The last overlong second byte of each longer sequence. The next one begins the least value of that length.
    for (first, second) in [
        (0xD0, 0x8F),
        (0xE0, 0x8F),
        (0xE8, 0x87),
        (0xF0, 0x87),
        (0xF4, 0x83),
        (0xF8, 0x83),
        (0xFA, 0x81),
        (0xFC, 0x81),
        (0xFD, 0x80),
        (0xFE, 0x80),
        (0xFF, 0x80),
    ] {
        ill_formed(scheme, &[first, second], 1, Overlong);
        assert_eq!(scheme.decode_one(&[first, second + 1]), Decoded::Incomplete);
    }
    ill_formed(scheme, b"\x80", 1, UnexpectedContinuation);
    ill_formed(scheme, b"\xFF\x81\x9F\xA4", 3, Truncated);
}

#[test]
fn an_ill_formed_subsequence_is_a_maximal_subpart() {
    let scheme = Extended::EIGHT_BYTES;
    for (bytes, len) in [
        (&b"\xF8A"[..], 1),
        (b"\xF8\x88A", 2),
        (b"\xFC\x84\x80\xC2", 3),
        (b"\xFE\x82\xBF\xBF\xBF\xBFA", 6),
        (b"\xFF\x81\x80\x80\x80\x80\x80\xFF", 7),
    ] {
        ill_formed(scheme, bytes, len, Truncated);
    }
    ill_formed(scheme, b"\xBF", 1, UnexpectedContinuation);
    assert_eq!(scheme.decode_one(b"\xF8\x88\x80"), Decoded::Incomplete);
    ill_formed(Extended::RFC_2279, b"\xC2\xFE", 1, Truncated);
    // A unit with too many bits is invalid everywhere.
    ill_formed(hunk(7), b"\x80", 1, InvalidByte);
    ill_formed(hunk(7), b"\x62\xC0", 1, Truncated);
    ill_formed(hunk(4), b"\x10", 1, InvalidByte);
    ill_formed(hunk(1), b"\x01", 1, InvalidByte);
    ill_formed(hunk(2), b"\x04", 1, InvalidByte);
    ill_formed(hunk(9), b"\x02\x00", 2, InvalidByte);
    ill_formed(hunk(9), b"\x01\x82\x00\x41", 2, Truncated);
    ill_formed(hunk(9), b"\x01\x80\x01\x41", 2, Overlong);
    ill_formed(hunk(9), b"\x01\xC0\x01\x3F\x01\x00", 2, Overlong);
    // Half a unit that cannot continue the sequence, and half a unit that can.
    ill_formed(hunk(9), b"\x01\x82\x00", 2, Truncated);
    assert_eq!(hunk(9).decode_one(b"\x01\x82\x01"), Decoded::Incomplete);
    // Sequences that hold no more than a shorter one.
    for (bits, units) in [(2, &b"\x03"[..]), (3, b"\x06\x07"), (4, b"\x0C\x0D")] {
        for unit in units {
            ill_formed(hunk(bits), &[*unit], 1, Overlong);
        }
    }
    ill_formed(hunk(4), b"\x0E\x09\x0B", 1, Overlong);
    ill_formed(hunk(4), b"\x0F\x08", 1, Overlong);
    for (bits, unit) in [(2, 0x02), (3, 0x04), (3, 0x05), (4, 0x08), (4, 0x0B)] {
        ill_formed(hunk(bits), &[unit], 1, UnexpectedContinuation);
    }
}

/// Pseudo-random numbers (xorshift), with each length in bits about equally frequent.
struct ValueGenerator(u64);

impl ValueGenerator {
    fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn value(&mut self, most_bits: u32) -> CodeValue {
        let bits = self.number() % (u64::from(most_bits) + 1);
        let wide = CodeValue::from(self.number()) << 64 | CodeValue::from(self.number());
        wide & ((1 << bits) - 1)
    }
}

/// Returns all values if there are few, otherwise a million.
fn values(bits: u32) -> Box<dyn Iterator<Item = CodeValue>> {
    let mut generator = ValueGenerator(0x9E37_79B9_7F4A_7C15);
    if bits <= 20 {
        Box::new(0..1 << bits)
    } else {
        Box::new((0..1_000_000).map(move |_| generator.value(bits)))
    }
}

fn all() -> Vec<(Extended, u32)> {
    let octets = [(Extended::RFC_2279, 31), (Extended::SEVEN_BYTES, 36)];
    let others = CAPACITIES.map(|(scheme, forms)| (scheme, forms[forms.len() - 1].1));
    octets.into_iter().chain(others).collect()
}

#[test]
fn every_value_comes_back() {
    for (scheme, bits) in all() {
        for number in values(bits) {
            let one = scheme.encode_large(number).unwrap();
            let bytes = one.as_slice();
            assert_eq!(value(scheme, bytes), Some((number, bytes.len())), "{bytes:X?}");
        }
        assert_eq!(scheme.encode_large(1 << bits), None);
    }
}

#[test]
fn byte_order_is_value_order() {
    for (scheme, bits) in all() {
        let mut last = (0, scheme.encode_large(0).unwrap());
        for number in values(bits).take(200_000) {
            let one = scheme.encode_large(number).unwrap();
            let order = one.as_slice().cmp(last.1.as_slice());
            assert_eq!(order, number.cmp(&last.0), "{number:X} {:X}", last.0);
            last = (number, one);
        }
    }
}

/// Table seven, and its equivalent for the other tables: numbers of this many bits never use units from this one on.
#[test]
fn a_shorter_limit_excludes_the_first_units_of_longer_forms() {
    let octets =
        &[(7, 0xC0), (11, 0xE0), (16, 0xF0), (21, 0xF8), (26, 0xFC), (31, 0xFE), (36, 0xFF)];
    let of_65: &[(u32, u8)] = &[
        (7, 0xA0),
        (10, 0xC0),
        (14, 0xD0),
        (19, 0xE0),
        (23, 0xE8),
        (28, 0xF0),
        (32, 0xF4),
        (37, 0xF8),
        (41, 0xFA),
        (46, 0xFC),
        (50, 0xFD),
        (55, 0xFE),
        (60, 0xFF),
    ];
    let of_5: &[(u32, u8)] = &[(4, 0x18), (5, 0x1C), (7, 0x1E), (9, 0x1F)];
    for (scheme, limits) in
        [(Extended::EIGHT_BYTES, &octets[..]), (Extended::OF_65_BITS, of_65), (hunk(5), of_5)]
    {
        for (bits, excluded) in limits {
            let last = (1 << bits) - 1;
            for number in values(*bits).take(20_000).chain([last]) {
                let one = scheme.encode_large(number).unwrap();
                assert!(one.as_slice().iter().all(|unit| unit < excluded), "{number:X} {one:X?}");
            }
        }
    }
}

/// The rule of D93b stated without ranges: the prefixes of the sequences that the encoder writes, over all units.
#[test]
fn the_longest_start_of_a_sequence_that_is_written_ends_an_ill_formed_one() {
    for (bits, capacity) in [(1, 0), (2, 1), (3, 2), (4, 6), (5, 12)] {
        let scheme = hunk(bits);
        let written: HashSet<Vec<u8>> = (0..1 << capacity)
            .map(|number| scheme.encode_large(number).unwrap().as_slice().to_vec())
            .collect();
        let starts: HashSet<&[u8]> =
            written.iter().flat_map(|bytes| (1..=bytes.len()).map(|len| &bytes[..len])).collect();
        let mut generator = ValueGenerator(bits as u64);
        for _ in 0..200_000 {
            let number = generator.number().to_be_bytes();
            let bytes: Vec<u8> = number[..6].iter().map(|byte| byte % ((1 << bits) + 1)).collect();
            let len = (1..=6).take_while(|len| starts.contains(&bytes[..*len])).last();
            let whole = len.filter(|len| written.contains(&bytes[..*len]));
            match scheme.decode_one(&bytes) {
                Decoded::Character { len, .. } => assert_eq!(Some(len), whole, "{bytes:X?}"),
                Decoded::IllFormed(ill_formed) => {
                    assert_eq!((ill_formed.len, whole), (len.unwrap_or(1), None), "{bytes:X?}");
                }
                other => panic!("{bytes:X?}: {other:?}"),
            }
        }
    }
}
