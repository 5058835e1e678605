//! Tests of the Unicode encoding forms against the standard: chapter 3.9 (Tables 3-4 to 3-7, D76, D90 to D93b) by hand,
//! and beyond that every input of a given length against the standard library as an independent oracle.
//!
//! These test only decoders and encoders. How faults are handled is tested in `tests/`.

use super::test_support::WalkStep::{self, Bad, Is};
use super::*;
use crate::unicode::IllFormedKind::*;
use ByteOrder::{Big, Little};

/// Decodes a whole text.
fn walk(scheme: impl StatelessCodec, input: &[u8]) -> Vec<WalkStep> {
    let mut decoder = Stateless(scheme);
    let (mut at, mut steps, mut pivot) = (0, Vec::new(), [0; 64]);
    loop {
        let decoded = decoder.decode(&input[at..], &mut pivot, true);
        at += decoded.read;
        steps.extend(pivot[..decoded.written].iter().map(|cp| Is(*cp)));
        match decoded.stop {
            DecodeStop::InputEmpty => {
                assert_eq!(at, input.len(), "at the end nothing is left of {input:X?}");
                return steps;
            }
            DecodeStop::OutputFull => assert!(decoded.read > 0, "no progress at {at}"),
            DecodeStop::IllFormed(IllFormed { len, kind }) => {
                assert!(len > 0 && at + len <= input.len());
                steps.push(Bad(len, kind));
                at += len;
            }
            DecodeStop::Large { .. } => panic!("no value of Unicode is that large"),
        }
    }
}

/// Encodes one code point.
fn encoded(scheme: impl StatelessCodec, cp: CodePoint) -> Option<Vec<u8>> {
    let mut room = [0xEE; MIN_OUTPUT];
    let result = Stateless(scheme).encode(&[cp], &mut room);
    match result.stop {
        EncodeStop::InputEmpty => {
            assert_eq!(result.read, 1);
            Some(room[..result.written].to_vec())
        }
        EncodeStop::Unmappable => {
            assert_eq!((result.read, result.written), (0, 0));
            None
        }
        EncodeStop::OutputFull => panic!("no room for {cp:X}"),
    }
}

fn scalar_values() -> impl Iterator<Item = char> {
    '\0'..=char::MAX
}

/// Encodes `text` with the standard library, in each scheme.
fn with_all_schemes(
    text: &str,
    mut check: impl FnMut(&str, Box<dyn Decoder>, Box<dyn Encoder>, Vec<u8>),
) {
    fn one<S: StatelessCodec>(scheme: S) -> (Box<dyn Decoder>, Box<dyn Encoder>) {
        (Box::new(Stateless(scheme.clone())), Box::new(Stateless(scheme)))
    }
    let units16 = || text.encode_utf16();
    let units32 = || text.chars().map(u32::from);
    for (name, (decoder, encoder), bytes) in [
        ("UTF-8", one(Utf8Codec), text.as_bytes().to_vec()),
        ("UTF-16LE", one(Utf16Codec(Little)), units16().flat_map(u16::to_le_bytes).collect()),
        ("UTF-16BE", one(Utf16Codec(Big)), units16().flat_map(u16::to_be_bytes).collect()),
        ("UTF-32LE", one(Utf32Codec(Little)), units32().flat_map(u32::to_le_bytes).collect()),
        ("UTF-32BE", one(Utf32Codec(Big)), units32().flat_map(u32::to_be_bytes).collect()),
    ] {
        check(name, decoder, encoder, bytes);
    }
}

#[test]
fn table_3_4_examples_of_the_encoding_forms() {
    type Example = (CodePoint, &'static [u8], &'static [u8], &'static [u8]);
    let rows: [Example; 4] = [
        (0x4D, b"\x4D", b"\x00\x4D", b"\x00\x00\x00\x4D"),
        (0x430, b"\xD0\xB0", b"\x04\x30", b"\x00\x00\x04\x30"),
        (0x4E8C, b"\xE4\xBA\x8C", b"\x4E\x8C", b"\x00\x00\x4E\x8C"),
        (0x1_0302, b"\xF0\x90\x8C\x82", b"\xD8\x00\xDF\x02", b"\x00\x01\x03\x02"),
    ];
    for (cp, utf8, utf16be, utf32be) in rows {
        let utf16le: Vec<u8> = utf16be.chunks(2).flat_map(|unit| [unit[1], unit[0]]).collect();
        let utf32le: Vec<u8> = utf32be.iter().rev().copied().collect();
        assert_eq!(encoded(Utf8Codec, cp).unwrap(), utf8);
        assert_eq!(encoded(Utf16Codec(Big), cp).unwrap(), utf16be);
        assert_eq!(encoded(Utf16Codec(Little), cp).unwrap(), utf16le);
        assert_eq!(encoded(Utf32Codec(Big), cp).unwrap(), utf32be);
        assert_eq!(encoded(Utf32Codec(Little), cp).unwrap(), utf32le);
        assert_eq!(walk(Utf8Codec, utf8), [Is(cp)]);
        assert_eq!(walk(Utf16Codec(Big), utf16be), [Is(cp)]);
        assert_eq!(walk(Utf16Codec(Little), &utf16le), [Is(cp)]);
        assert_eq!(walk(Utf32Codec(Big), utf32be), [Is(cp)]);
        assert_eq!(walk(Utf32Codec(Little), &utf32le), [Is(cp)]);
    }
}

#[test]
fn table_3_5_edges_of_the_utf_16_bit_distribution() {
    for (cp, units) in [
        (0x0000, &[0x00, 0x00][..]),
        (0xD7FF, &[0xD7, 0xFF]),
        (0xE000, &[0xE0, 0x00]),
        (0xFFFF, &[0xFF, 0xFF]),
        (0x1_0000, &[0xD8, 0x00, 0xDC, 0x00]),
        (0x1_03FF, &[0xD8, 0x00, 0xDF, 0xFF]),
        (0x1_0400, &[0xD8, 0x01, 0xDC, 0x00]),
        (0x1_FFFF, &[0xD8, 0x3F, 0xDF, 0xFF]),
        (0x2_0000, &[0xD8, 0x40, 0xDC, 0x00]),
        (0xF_FFFF, &[0xDB, 0xBF, 0xDF, 0xFF]),
        (0x10_0000, &[0xDB, 0xC0, 0xDC, 0x00]),
        (0x10_FFFF, &[0xDB, 0xFF, 0xDF, 0xFF]),
    ] {
        assert_eq!(encoded(Utf16Codec(Big), cp).unwrap(), units, "{cp:X}");
        assert_eq!(walk(Utf16Codec(Big), units), [Is(cp)], "{cp:X}");
    }
}

#[test]
fn table_3_6_and_3_7_edges_of_each_row() {
    for (cp, bytes) in [
        (0x00, &[0x00][..]),
        (0x7F, &[0x7F]),
        (0x80, &[0xC2, 0x80]),
        (0x7FF, &[0xDF, 0xBF]),
        (0x800, &[0xE0, 0xA0, 0x80]),
        (0xFFF, &[0xE0, 0xBF, 0xBF]),
        (0x1000, &[0xE1, 0x80, 0x80]),
        (0xCFFF, &[0xEC, 0xBF, 0xBF]),
        (0xD000, &[0xED, 0x80, 0x80]),
        (0xD7FF, &[0xED, 0x9F, 0xBF]),
        (0xE000, &[0xEE, 0x80, 0x80]),
        (0xFFFF, &[0xEF, 0xBF, 0xBF]),
        (0x1_0000, &[0xF0, 0x90, 0x80, 0x80]),
        (0x3_FFFF, &[0xF0, 0xBF, 0xBF, 0xBF]),
        (0x4_0000, &[0xF1, 0x80, 0x80, 0x80]),
        (0xF_FFFF, &[0xF3, 0xBF, 0xBF, 0xBF]),
        (0x10_0000, &[0xF4, 0x80, 0x80, 0x80]),
        (0x10_FFFF, &[0xF4, 0x8F, 0xBF, 0xBF]),
        // The example from the standard's text below the table.
        (0x10_00D2, &[0xF4, 0x80, 0x83, 0x92]),
    ] {
        assert_eq!(walk(Utf8Codec, bytes), [Is(cp)], "{bytes:X?}");
        assert_eq!(encoded(Utf8Codec, cp).unwrap(), bytes, "{cp:X}");
    }
}

#[test]
fn table_3_7_one_past_each_edge() {
    for (bytes, len, kind) in [
        // First byte.
        (&[0x80][..], 1, UnexpectedContinuation),
        (&[0xBF], 1, UnexpectedContinuation),
        (&[0xC0, 0x80], 1, Overlong),
        (&[0xC1, 0xBF], 1, Overlong),
        (&[0xF5, 0x80, 0x80, 0x80], 1, OutOfRange),
        (&[0xF7, 0xBF, 0xBF, 0xBF], 1, OutOfRange),
        (&[0xF8, 0x88, 0x80, 0x80, 0x80], 1, InvalidByte),
        (&[0xFE], 1, InvalidByte),
        (&[0xFF], 1, InvalidByte),
        // Second byte, one below and one above its range.
        (&[0xC2, 0x7F], 1, Truncated),
        (&[0xC2, 0xC0], 1, Truncated),
        (&[0xDF, 0x7F], 1, Truncated),
        (&[0xDF, 0xC0], 1, Truncated),
        (&[0xE0, 0x9F, 0xBF], 1, Overlong),
        (&[0xE0, 0x80, 0x80], 1, Overlong),
        (&[0xE0, 0x7F, 0x80], 1, Truncated),
        (&[0xE0, 0xC0, 0x80], 1, Truncated),
        (&[0xE1, 0x7F, 0x80], 1, Truncated),
        (&[0xE1, 0xC0, 0x80], 1, Truncated),
        (&[0xEC, 0x7F, 0x80], 1, Truncated),
        (&[0xEC, 0xC0, 0x80], 1, Truncated),
        (&[0xED, 0x7F, 0xBF], 1, Truncated),
        (&[0xED, 0xA0, 0x80], 1, Surrogate),
        (&[0xED, 0xBF, 0xBF], 1, Surrogate),
        (&[0xED, 0xC0, 0x80], 1, Truncated),
        (&[0xEE, 0x7F, 0x80], 1, Truncated),
        (&[0xEE, 0xC0, 0x80], 1, Truncated),
        (&[0xEF, 0x7F, 0xBF], 1, Truncated),
        (&[0xEF, 0xC0, 0xBF], 1, Truncated),
        (&[0xF0, 0x8F, 0xBF, 0xBF], 1, Overlong),
        (&[0xF0, 0x80, 0x80, 0x80], 1, Overlong),
        (&[0xF0, 0x7F, 0x80, 0x80], 1, Truncated),
        (&[0xF0, 0xC0, 0x80, 0x80], 1, Truncated),
        (&[0xF1, 0x7F, 0x80, 0x80], 1, Truncated),
        (&[0xF1, 0xC0, 0x80, 0x80], 1, Truncated),
        (&[0xF3, 0x7F, 0xBF, 0xBF], 1, Truncated),
        (&[0xF3, 0xC0, 0xBF, 0xBF], 1, Truncated),
        (&[0xF4, 0x7F, 0x80, 0x80], 1, Truncated),
        (&[0xF4, 0x90, 0x80, 0x80], 1, OutOfRange),
        (&[0xF4, 0xBF, 0xBF, 0xBF], 1, OutOfRange),
        (&[0xF4, 0xC0, 0x80, 0x80], 1, Truncated),
        // Third byte.
        (&[0xE0, 0xA0, 0x7F], 2, Truncated),
        (&[0xE0, 0xBF, 0xC0], 2, Truncated),
        (&[0xE1, 0x80, 0x7F], 2, Truncated),
        (&[0xED, 0x9F, 0xC0], 2, Truncated),
        (&[0xEF, 0xBF, 0x7F], 2, Truncated),
        (&[0xF0, 0x90, 0x7F, 0x80], 2, Truncated),
        (&[0xF1, 0x80, 0xC0, 0x80], 2, Truncated),
        (&[0xF4, 0x8F, 0xC0, 0x80], 2, Truncated),
        // Fourth byte.
        (&[0xF0, 0x90, 0x80, 0x7F], 3, Truncated),
        (&[0xF0, 0xBF, 0xBF, 0xC0], 3, Truncated),
        (&[0xF3, 0xBF, 0xBF, 0x7F], 3, Truncated),
        (&[0xF4, 0x8F, 0xBF, 0xC0], 3, Truncated),
    ] {
        assert_eq!(walk(Utf8Codec, bytes)[0], Bad(len, kind), "{bytes:X?}");
    }
}

#[test]
fn a_sequence_cut_by_the_end_waits_for_more_and_at_the_end_is_one_subpart() {
    for whole in [
        &b"\xC2\x80"[..],
        b"\xE0\xA0\x80",
        b"\xED\x9F\xBF",
        b"\xEF\xBB\xBF",
        b"\xF0\x90\x80\x80",
        b"\xF4\x8F\xBF\xBF",
    ] {
        for len in 1..whole.len() {
            let mut pivot = [0; 8];
            let cut = [b"a", &whole[..len]].concat();
            let decoded = Stateless(Utf8Codec).decode(&cut, &mut pivot, false);
            assert_eq!(
                decoded,
                DecodeProgress { read: 1, written: 1, stop: DecodeStop::InputEmpty }
            );
            assert_eq!(walk(Utf8Codec, &cut), [Is(0x61), Bad(len, TruncatedAtEnd)], "{cut:X?}");
        }
    }
    // A sequence that cannot become well-formed any more is reported at once.
    for (bytes, kind) in [
        (&b"\xE0\x80"[..], Overlong),
        (b"\xED\xA0", Surrogate),
        (b"\xF4\x90", OutOfRange),
        (b"\xF0\x8F", Overlong),
    ] {
        let decoded = Stateless(Utf8Codec).decode(bytes, &mut [0; 8], false);
        assert_eq!(decoded.stop, DecodeStop::IllFormed(IllFormed { len: 1, kind }), "{bytes:X?}");
    }
}

#[test]
fn utf_16_ill_formed_units_one_by_one() {
    let high = |at_end| {
        if at_end {
            vec![Bad(2, UnpairedHighSurrogate)]
        } else {
            vec![Bad(2, UnpairedHighSurrogate), Is(0x4D)]
        }
    };
    assert_eq!(walk(Utf16Codec(Big), b"\xD8\x00\0M"), high(false));
    assert_eq!(walk(Utf16Codec(Big), b"\xDB\xFF\0M"), high(false));
    assert_eq!(walk(Utf16Codec(Big), b"\xD8\x00"), high(true));
    assert_eq!(walk(Utf16Codec(Little), b"\x00\xD8M\0"), high(false));
    assert_eq!(walk(Utf16Codec(Big), b"\xDC\x00\0M"), [Bad(2, UnpairedLowSurrogate), Is(0x4D)]);
    assert_eq!(walk(Utf16Codec(Big), b"\xDF\xFF"), [Bad(2, UnpairedLowSurrogate)]);
    assert_eq!(walk(Utf16Codec(Little), b"\xFF\xDF"), [Bad(2, UnpairedLowSurrogate)]);
    // A pair in the wrong order is two faults; a high surrogate before a pair does not break the pair.
    assert_eq!(
        walk(Utf16Codec(Big), b"\xDF\x02\xD8\x00"),
        [Bad(2, UnpairedLowSurrogate), Bad(2, UnpairedHighSurrogate)]
    );
    assert_eq!(
        walk(Utf16Codec(Big), b"\xD8\x00\xD8\x00\xDF\x02"),
        [Bad(2, UnpairedHighSurrogate), Is(0x1_0302)]
    );
    assert_eq!(
        walk(Utf16Codec(Big), b"\xD8\x00\xDF\x02\xDF\x02"),
        [Is(0x1_0302), Bad(2, UnpairedLowSurrogate)]
    );
    // Half a code unit.
    assert_eq!(walk(Utf16Codec(Big), b"\0M\x4E"), [Is(0x4D), Bad(1, TruncatedAtEnd)]);
    // A high surrogate and half a unit could have become a pair. Of two high surrogates, only the second could.
    assert_eq!(walk(Utf16Codec(Big), b"\xD8\x00\xDF"), [Bad(3, TruncatedAtEnd)]);
    assert_eq!(walk(Utf16Codec(Big), b"\xD8\x00\x41"), [Bad(3, TruncatedAtEnd)]);
    assert_eq!(walk(Utf16Codec(Little), b"\x00\xD8\x41"), [Bad(3, TruncatedAtEnd)]);
    assert_eq!(
        walk(Utf16Codec(Big), b"\xD8\x00\xD8\x00\xDF"),
        [Bad(2, UnpairedHighSurrogate), Bad(3, TruncatedAtEnd)]
    );
    assert_eq!(walk(Utf16Codec(Big), b"\xD8"), [Bad(1, TruncatedAtEnd)]);
    for cut in [&b"\xD8"[..], b"\xD8\x00", b"\xD8\x00\xDF"] {
        let decoded = Stateless(Utf16Codec(Big)).decode(cut, &mut [0; 8], false);
        assert_eq!(
            decoded,
            DecodeProgress { read: 0, written: 0, stop: DecodeStop::InputEmpty },
            "{cut:X?}"
        );
    }
}

#[test]
fn utf_32_ill_formed_units_one_by_one() {
    for (unit, kind) in [
        (0xD800_u32, Surrogate),
        (0xDBFF, Surrogate),
        (0xDC00, Surrogate),
        (0xDFFF, Surrogate),
        (0x11_0000, OutOfRange),
        (0x7FFF_FFFF, OutOfRange),
        (0x8000_0000, OutOfRange),
        (0xFFFF_FFFF, OutOfRange),
    ] {
        assert_eq!(walk(Utf32Codec(Big), &unit.to_be_bytes()), [Bad(4, kind)], "{unit:X}");
        assert_eq!(walk(Utf32Codec(Little), &unit.to_le_bytes()), [Bad(4, kind)], "{unit:X}");
    }
    // UAX 19, D36a (c) and D36b (c): the irregular eight-byte sequence is two ill-formed units.
    assert_eq!(
        walk(Utf32Codec(Big), b"\0\0\xD8\0\0\0\xDF\x02"),
        [Bad(4, Surrogate), Bad(4, Surrogate)]
    );
    assert_eq!(
        walk(Utf32Codec(Little), b"\0\xD8\0\0\x02\xDF\0\0"),
        [Bad(4, Surrogate), Bad(4, Surrogate)]
    );
    for len in 1..4 {
        let cut = [&b"\0\0\0M"[..], &b"\0\x01\x03\x02"[..len]].concat();
        assert_eq!(walk(Utf32Codec(Big), &cut), [Is(0x4D), Bad(len, TruncatedAtEnd)]);
    }
}

#[test]
fn ascii_and_latin_1_are_their_repertoires() {
    for byte in 0..=u8::MAX {
        let expected = if byte < 0x80 { Is(byte.into()) } else { Bad(1, InvalidByte) };
        assert_eq!(walk(AsciiCodec, &[byte]), [expected]);
        assert_eq!(walk(Latin1Codec, &[byte]), [Is(byte.into())]);
    }
    for cp in 0..0x200 {
        assert_eq!(encoded(AsciiCodec, cp), (cp < 0x80).then(|| vec![cp as u8]));
        assert_eq!(encoded(Latin1Codec, cp), (cp < 0x100).then(|| vec![cp as u8]));
    }
    for cp in [0xD800, 0x1_0041, 0x8000_0041, u32::MAX] {
        assert_eq!((encoded(AsciiCodec, cp), encoded(Latin1Codec, cp)), (None, None), "{cp:X}");
    }
}

#[test]
fn what_is_no_scalar_value_is_unmappable_in_every_unicode_encoding_form() {
    for cp in (0xD800..=0xDFFF).chain([0x11_0000, 0x1F_FFFF, 0x7FFF_FFFF, 0x8000_0041, u32::MAX]) {
        assert_eq!(encoded(Utf8Codec, cp), None, "{cp:X}");
        for order in [Big, Little] {
            assert_eq!(encoded(Utf16Codec(order), cp), None, "{cp:X}");
            assert_eq!(encoded(Utf32Codec(order), cp), None, "{cp:X}");
        }
    }
}

#[test]
fn every_utf_8_input_of_one_two_and_three_bytes() {
    /// Returns the first step according to the standard library.
    fn oracle(input: &[u8]) -> Decoded {
        let first = |input: &[u8]| {
            let c = std::str::from_utf8(input).unwrap().chars().next().unwrap();
            Decoded::Character { cp: c.into(), len: c.len_utf8() }
        };
        match std::str::from_utf8(input) {
            Ok(_) => first(input),
            Err(error) if error.valid_up_to() > 0 => first(&input[..error.valid_up_to()]),
            Err(error) => match error.error_len() {
                // The standard library returns the length of a maximal subpart, but not its kind.
                Some(len) => Decoded::IllFormed(IllFormed { len, kind: Truncated }),
                None => Decoded::Incomplete,
            },
        }
    }
    let same_kind = |one| match one {
        Decoded::IllFormed(IllFormed { len, .. }) => {
            Decoded::IllFormed(IllFormed { len, kind: Truncated })
        }
        one => one,
    };
    for number in 0..=0xFF_FFFF_u32 {
        let [_, bytes @ ..] = number.to_be_bytes();
        let from = match number {
            0..=0xFF => 2,
            0x100..=0xFFFF => 1,
            0x1_0000.. => 0,
        };
        for input in (0..=from).map(|from| &bytes[from..]) {
            if same_kind(Utf8Codec.decode_one(input)) != oracle(input) {
                panic!("{input:X?}: {:?}, not {:?}", Utf8Codec.decode_one(input), oracle(input));
            }
        }
    }
}

/// Bytes at and next to each boundary of Table 3-7.
const EDGES: [u8; 24] = [
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
    0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5,
];

#[test]
fn as_many_replacement_characters_at_the_same_places_as_the_standard_library() {
    let check = |input: &[u8]| {
        let ours: String = walk(Utf8Codec, input)
            .iter()
            .map(|step| match step {
                Is(cp) => char::from_u32(*cp).expect("a scalar value"),
                Bad(..) => '\u{FFFD}',
            })
            .collect();
        assert_eq!(ours, String::from_utf8_lossy(input), "{input:X?}");
        assert_eq!(
            std::str::from_utf8(input).is_ok(),
            walk(Utf8Codec, input).iter().all(|step| matches!(step, Is(_)))
        );
    };
    (0..=u8::MAX).for_each(|a| check(&[a]));
    for a in 0..=u8::MAX {
        let apart: Vec<u8> = (0..=u8::MAX).flat_map(|b| [a, b, b'x']).collect();
        let touching: Vec<u8> = (0..=u8::MAX).flat_map(|b| [a, b]).collect();
        check(&apart);
        check(&touching);
    }
    for a in EDGES {
        for b in EDGES {
            let tails = EDGES.iter().flat_map(|c| EDGES.iter().map(move |d| [a, b, *c, *d]));
            let apart: Vec<u8> =
                tails.clone().flat_map(|[a, b, c, d]| [a, b, c, d, b'x']).collect();
            let touching: Vec<u8> = tails.clone().flatten().collect();
            check(&apart);
            check(&touching);
            EDGES.iter().for_each(|c| check(&[a, b, *c]));
        }
    }
}

#[test]
fn every_single_utf_16_unit_and_edges_in_threes() {
    let check = |units: &[u16]| {
        let expected: Vec<_> = char::decode_utf16(units.iter().copied())
            .map(|unit| match unit {
                Ok(c) => Is(c.into()),
                Err(error) if error.unpaired_surrogate() < 0xDC00 => Bad(2, UnpairedHighSurrogate),
                Err(_) => Bad(2, UnpairedLowSurrogate),
            })
            .collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        assert_eq!(walk(Utf16Codec(Big), &big), expected, "{units:X?}");
        assert_eq!(walk(Utf16Codec(Little), &little), expected, "{units:X?}");
    };
    for unit in 0..=u16::MAX {
        check(&[unit]);
    }
    for unit in 0xD7FF..=0xE000 {
        check(&[0x41, unit, 0x42, unit, 0xDC00, unit, 0xD800, unit]);
    }
    let edges = [0, 0x41, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFEFF, 0xFFFF];
    for a in edges {
        for b in edges {
            edges.iter().for_each(|c| check(&[a, b, *c]));
        }
    }
}

#[test]
fn every_utf_32_unit_of_the_codespace_and_single_bits_beyond() {
    let beyond = (21..32).flat_map(|bit| [1 << bit, 1 << bit | 0x41, (1 << bit) - 1]);
    for unit in (0..=0x11_0800_u32).chain(beyond) {
        let expected = match char::from_u32(unit) {
            Some(c) => Is(c.into()),
            None if unit < 0x1_0000 => Bad(4, Surrogate),
            None => Bad(4, OutOfRange),
        };
        let one = |one| match one {
            Decoded::Character { cp, len: 4 } => Is(cp),
            Decoded::IllFormed(IllFormed { len, kind }) => Bad(len, kind),
            other => panic!("{unit:X}: {other:?}"),
        };
        assert_eq!(one(Utf32Codec(Big).decode_one(&unit.to_be_bytes())), expected, "{unit:X}");
        assert_eq!(one(Utf32Codec(Little).decode_one(&unit.to_le_bytes())), expected, "{unit:X}");
    }
}

#[test]
fn all_scalar_values_through_each_encoder_and_decoder() {
    let text: String = scalar_values().collect();
    let code_points: Vec<CodePoint> = scalar_values().map(u32::from).collect();
    assert_eq!(code_points.len(), 0x11_0000 - 0x800);
    with_all_schemes(&text, |name, mut decoder, mut encoder, bytes| {
        let mut encoded = vec![0; bytes.len() + MIN_OUTPUT];
        let result = encoder.encode(&code_points, &mut encoded);
        let expected = EncodeProgress {
            read: code_points.len(),
            written: bytes.len(),
            stop: EncodeStop::InputEmpty,
        };
        assert_eq!(result, expected, "{name}");
        assert!(encoded[..bytes.len()] == bytes, "{name} encodes something else");

        let mut decoded = vec![0; code_points.len()];
        let result = decoder.decode(&bytes, &mut decoded, true);
        let expected = DecodeProgress {
            read: bytes.len(),
            written: code_points.len(),
            stop: DecodeStop::InputEmpty,
        };
        assert_eq!(result, expected, "{name}");
        assert!(decoded == code_points, "{name} decodes something else");
    });
}

#[test]
fn no_room_is_said_and_nothing_is_half_done() {
    let text = "aé二😀 plain ASCII that is longer than one block of a kernel 😀二éa";
    let code_points: Vec<CodePoint> = text.chars().map(u32::from).collect();
    with_all_schemes(text, |name, mut decoder, mut encoder, bytes| {
        // For every output size, whatever fits is written, and exactly its bytes are read.
        for room in 0..=code_points.len() {
            let mut pivot = vec![0; room];
            let decoded = decoder.decode(&bytes, &mut pivot, true);
            let mut prefix = vec![0; MIN_OUTPUT + bytes.len()];
            let prefix_len = encoder.encode(&code_points[..room], &mut prefix).written;
            assert_eq!((decoded.written, decoded.read), (room, prefix_len), "{name}, room {room}");
            let full = room < code_points.len();
            assert_eq!(decoded.stop == DecodeStop::OutputFull, full, "{name}, room {room}");
            assert_eq!(pivot, code_points[..room]);
        }
        for room in 0..=bytes.len() {
            let mut output = vec![0; room];
            let encoded = encoder.encode(&code_points, &mut output);
            assert_eq!(output[..encoded.written], bytes[..encoded.written], "{name}, room {room}");
            assert!(room - encoded.written < 4, "{name}, room {room}: {encoded:?}");
            let expected =
                if room < bytes.len() { EncodeStop::OutputFull } else { EncodeStop::InputEmpty };
            assert_eq!(encoded.stop, expected, "{name}, room {room}");
            let mut back = vec![0; code_points.len()];
            let decoded = decoder.decode(&output[..encoded.written], &mut back, true);
            assert_eq!(
                (decoded.written, decoded.stop),
                (encoded.read, DecodeStop::InputEmpty),
                "{name}, room {room}"
            );
        }
    });
}
