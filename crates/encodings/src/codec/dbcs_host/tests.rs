use IllFormedKind::{InvalidByte, InvalidEscape, Truncated, TruncatedAtEnd, UndefinedSequence};

use super::*;
use crate::codec::test_support::{
    WalkStep, WalkStep::Bad, WalkStep::Is, encoded_in_parts, walk_in_parts,
};
use crate::codec::{Joining, Stateful};
use crate::encoding::Encoding;

/// Returns the sets of a charset of the archive.
fn host(name: &str) -> Host {
    let name = match name {
        "IBM-930" => "ibm-930_P120-1999",
        _ => "ibm-1390_P110-2003",
    };
    Encoding::for_name(name).unwrap().host().unwrap()
}

fn walk(input: &[u8]) -> Vec<WalkStep> {
    walk_in_parts(&Stateful::new(HostDecoder::new(host("IBM-930"))), input)
}

#[test]
fn shifts_say_how_long_a_code_is() {
    // IBM's registration of CCSID 930: 42 81 is FULLWIDTH a, 45 62 is the ideograph for the sun, 81 is ア.
    assert_eq!(
        walk(b"\x0E\x42\x81\x45\x62\x0F\x81\x25"),
        [Is(0xFF41), Is(0x65E5), Is(0xFF71), Is(0x0A)]
    );
    assert_eq!(walk(b"\x0E\x0E\x40\x40\x0F\x0F\x40"), [Is(0x3000), Is(0x20)]);
    assert_eq!(walk(b"\x0E"), []);
}

#[test]
fn an_ill_formed_subsequence_leaves_the_state() {
    for (input, expected) in [
        (&b"\x0E\x42"[..], &[Bad(1, TruncatedAtEnd)][..]),
        (b"\x0E\x42\x0F\x81", &[Bad(1, Truncated), Is(0xFF71)]),
        (b"\x0E\x42\x25\x42\x81", &[Bad(1, Truncated), Bad(1, InvalidByte), Is(0xFF41)]),
        (b"\x0E\xFF\x42\x81", &[Bad(1, InvalidByte), Is(0xFF41)]),
        (b"\x0E\x42\xFF\x42\x81", &[Bad(1, Truncated), Bad(1, InvalidByte), Is(0xFF41)]),
        (b"\x0E\xFE\xFD\x42\x81", &[Bad(2, UndefinedSequence), Is(0xFF41)]),
        (b"\x0E\x00\x0F\x81", &[Bad(1, InvalidByte), Is(0xFF71)]),
    ] {
        assert_eq!(walk(input), expected, "{input:X?}");
    }
}

#[test]
fn the_encoder_shifts_where_the_length_changes_and_at_the_end() {
    let text = "aか日\nb日".chars().map(u32::from).collect::<Vec<_>>();
    let expected = b"b\x0E\x44\x86\x45\x62\x0F\x25c\x0E\x45\x62\x0F";
    assert_eq!(encoded_in_parts(&HostEncoder::new(host("IBM-930")), &text), expected);
    let mut encoder = HostEncoder::new(host("IBM-930"));
    let done = encoder.encode(&[0x0E], &mut [0; 8]);
    assert_eq!((done.read, done.stop), (0, EncodeStop::Unmappable));
}

#[test]
fn characters_encoded_together_are_those_encoded_one_by_one() {
    // Characters of one byte and of two, NUL, a shift, and one that the charset lacks.
    const CHARACTERS: [CodePoint; 10] =
        [0x61, 0x20, 0x0A, 0x304B, 0x65E5, 0xFF71, 0, 0x62, 0x0E, 0x1F600];
    let mut state = 1_u32;
    for round in 0..2000 {
        let text: Vec<_> = (0..round % 50)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                // Some texts have only the first ones, which the fast loop encodes without a break.
                CHARACTERS[(state >> 16) as usize % if round % 2 == 0 { 6 } else { 10 }]
            })
            .collect();
        let (mut together, mut one_by_one) =
            (HostEncoder::new(host("IBM-930")), HostEncoder::new(host("IBM-930")));
        let mut room = [0; 200];
        let done = together.encode(&text, &mut room);
        let (mut bytes, mut stop) = (Vec::new(), EncodeStop::InputEmpty);
        for cp in &text[..text.len().min(done.read + 1)] {
            let mut room = [0; 3];
            let one = one_by_one.encode(&[*cp], &mut room);
            bytes.extend(&room[..one.written]);
            stop = one.stop;
        }
        assert_eq!((&room[..done.written], done.stop), (&bytes[..], stop), "{text:X?}");
    }
}

#[test]
fn two_code_points_have_one_code() {
    let decoder = Stateful::new(HostDecoder::new(host("IBM-1390")));
    assert_eq!(
        walk_in_parts(&decoder, b"\x0E\xEC\xB5\x44\x86"),
        [Is(0x304B), Is(0x309A), Is(0x304B)]
    );
    let encoder = Joining::new(HostEncoder::new(host("IBM-1390")));
    let text = [0x304B, 0x309A, 0x61, 0x304B];
    assert_eq!(encoded_in_parts(&encoder, &text), b"\x0E\xEC\xB5\x0F\x62\x0E\x44\x86\x0F");
}

/// The shifts of KEIS are two bytes: Hitachi's manual of uCosminexus Interschema (3020-3-J38), 6.3.1. C6FC CBDC is 日本 in
/// EUC-JP too.
#[test]
fn each_vendor_has_its_shifts() {
    let keis = Encoding::for_name("KEIS83-EBCDIK").unwrap().host().unwrap();
    let jef = Encoding::for_name("JEF-EBCDIC").unwrap().host().unwrap();
    let walk = |host, input: &[u8]| walk_in_parts(&Stateful::new(HostDecoder::new(host)), input);
    let text = [Is(0x41), Is(0x65E5), Is(0x672C), Is(0x42), Is(0x20)];
    assert_eq!(walk(keis, b"\xC1\x0A\x42\xC6\xFC\xCB\xDC\x0A\x41\xC2\x40"), text);
    assert_eq!(walk(jef, b"\xC1\x28\xC6\xFC\xCB\xDC\x29\xC2\x40"), text);
    assert_eq!(walk(jef, b"\xC1\x38\xC6\xFC\xCB\xDC\x29\xC2\x40"), text);
    // Both spaces between two shifts; a half one is below the codes of pairs.
    assert_eq!(walk(keis, b"\x0A\x42\x40\x40\xA1\xA1"), [Is(0x3000), Is(0x3000)]);
    let text: Vec<u32> = "A日本B\u{3000}ｱ".chars().map(u32::from).collect();
    assert_eq!(
        encoded_in_parts(&HostEncoder::new(keis), &text),
        b"\xC1\x0A\x42\xC6\xFC\xCB\xDC\x0A\x41\xC2\x0A\x42\x40\x40\x0A\x41\x81"
    );
    assert_eq!(
        encoded_in_parts(&HostEncoder::new(jef), &text[..5]),
        b"\xC1\x28\xC6\xFC\xCB\xDC\x29\xC2\x28\x40\x40\x29"
    );
}

#[test]
fn half_a_shift_is_ill_formed() {
    let keis = Encoding::for_name("KEIS83-EBCDIK").unwrap().host().unwrap();
    let walk = |input: &[u8]| walk_in_parts(&Stateful::new(HostDecoder::new(keis)), input);
    assert_eq!(walk(b"\xC1\x0A"), [Is(0x41), Bad(1, InvalidEscape)]);
    assert_eq!(walk(b"\x0A\xC1"), [Bad(1, InvalidEscape), Is(0x41)]);
    assert_eq!(walk(b"\x0A\x42\xC6\x0A\x41\xC1"), [Bad(1, Truncated), Is(0x41)]);
    assert_eq!(walk(b"\x0A\x42\x0A\xC6\xFC"), [Bad(1, InvalidEscape), Is(0x65E5)]);
    // U+008E has the code 0A in Hitachi's EBCDIK, which would begin a shift.
    let mut encoder = HostEncoder::new(keis);
    assert_eq!(encoder.encode(&[0x8E], &mut [0; 8]).stop, EncodeStop::Unmappable);
}

/// The characters that JIS X 0208:1983 exchanged: its explanation lists 22 pairs, of which B0B3 and F2CD are one.
#[test]
fn codes_of_1978_are_before_the_exchange() {
    for (charset, code, cp) in [
        ("KEIS78-EBCDIK", 0xB0B3, 0x9C3A),
        ("KEIS83-EBCDIK", 0xB0B3, 0x9BF5),
        ("JEF-EBCDIK", 0xF2CD, 0x9BF5),
        ("JEF-EBCDIK", 0xB6C6, 0x582F),
        ("KEIS83-EBCDIK", 0xF4A1, 0x582F),
        ("KEIS83-EBCDIK", 0x81A1, 0xE000),
        ("KEIS83-EBCDIK", 0xA0FE, 0xEBBF),
        ("JEF-EBCDIK", 0x80A1, 0xE000),
        ("JEF-EBCDIK", 0xA0FE, 0xEC1D),
    ] {
        let host = Encoding::for_name(charset).unwrap().host().unwrap();
        assert_eq!(host.pairs.pair_index().character(code), Some(cp), "{charset} {code:X}");
        let codes = HostEncoder::new(host).sets;
        assert_eq!(codes.code(cp), Some(code), "{charset} {cp:X}");
    }
    let jef = Encoding::for_name("JEF-EBCDIK").unwrap().host().unwrap();
    for added in [0xA2BA, 0xA8A1, 0xF4A1] {
        assert_eq!(jef.pairs.pair_index().character(added), None, "{added:X}");
    }
}
