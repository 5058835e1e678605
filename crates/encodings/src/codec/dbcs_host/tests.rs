use IllFormedKind::{InvalidByte, Truncated, TruncatedAtEnd, UndefinedSequence};

use super::*;
use crate::codec::test_support::{
    WalkStep, WalkStep::Bad, WalkStep::Is, encoded_in_parts, walk_in_parts,
};
use crate::codec::{Joining, Stateful};

/// Returns the sets of a charset of the archive.
fn host(name: &str) -> Host {
    let name = match name {
        "IBM-930" => "ibm-930_P120-1999",
        _ => "ibm-1390_P110-2003",
    };
    crate::encoding::Encoding::for_name(name).unwrap().host().unwrap()
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
