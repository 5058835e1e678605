use IllFormedKind::{
    InvalidByte, TruncatedAtEnd, UndefinedSequence, UnpairedHighSurrogate, UnpairedLowSurrogate,
};

use super::*;
use crate::codec::Stateful;
use crate::codec::test_support::{
    WalkStep, WalkStep::Bad, WalkStep::Is, encoded_in_parts, walk_in_parts,
};

fn walk(input: &[u8]) -> Vec<WalkStep> {
    walk_in_parts(&Stateful::new(Lmbcs), input)
}

fn written(text: &str) -> Vec<u8> {
    let text: Vec<u32> = text.chars().map(u32::from).collect();
    encoded_in_parts(&LmbcsEncoder::default(), &text)
}

/// As ICU writes and reads them.
#[test]
fn lmbcs_chooses_a_group_for_each_character() {
    for (text, bytes) in [
        ("Aé\u{9}\u{A}\u{D}\u{19}\u{1}\u{85}", &b"A\x82\x09\x0A\x0D\x19\x0F\x21\x0F\x85"[..]),
        ("Ωάж", b"\x02\xD5\x02\x9B\x05\xE6"),
        ("שа", b"\x03\xF9\x05\xE0"),
        ("سЖє", b"\x04\xD3\x05\xC6\x05\xBA"),
        ("ěűł", b"\x06\xD8\x06\xFB\x06\x88"),
        ("ğİ", b"\x08\xF0\x08\xDD"),
        ("กข", b"\x0B\xA1\x0B\xA2"),
        ("日本語カｶ", b"\x10\x93\xFA\x10\x96\x7B\x10\x8C\xEA\x10\x83J\x10\x10\xB6"),
        ("한글漢", b"\x11\xC7\xD1\x11\xB1\xDB\x11\xF9\xD3"),
        ("汉语们这", b"\x13\xBA\xBA\x13\xD3\xEF\x13\xC3\xC7\x13\xD5\xE2"),
        ("中文繁體囉", b"\x10\x92\x86\x10\x95\xB6\x10\x94\xC9\x10\xE9\x93\x12\xC5\x6F"),
        ("ĕЀ↔", b"\x14\x01\x15\x14\xF6\x04\x01\x1D"),
        ("Ⅰ中", b"\x10\x87T\x10\x92\x86"),
        ("ĀĔ", b"\x06\x2E\x14\x01\x14"),
        ("😀", b"\x14\xD8\x3D\x14\xF6\xDE"),
        ("‘’±é", b"\x03\x91\x03\x92\x03\xB1\x82"),
        ("ЯДя日Д", b"\x05\xDF\x05\xC4\x05\xFF\x10\x93\xFA\x10\x84D"),
        ("≈←√♪", b"\x02\x77\x10\x81\xA9\x10\x81\xE3\x10\x81\xF4"),
        ("\u{E000}", b"\x10\xF0\x40"),
    ] {
        assert_eq!(written(text), bytes, "{text}");
        let text: Vec<_> = text.chars().map(|c| Is(c.into())).collect();
        assert_eq!(walk(bytes), text);
    }
}

#[test]
fn lmbcs_keeps_us_ascii_out_of_what_is_ill_formed() {
    assert_eq!(
        walk(b"\x07A\x03\xD9\x03A\x0F\x0F\x20"),
        [
            Bad(1, InvalidByte),
            Is(0x41),
            Bad(2, UndefinedSequence),
            Bad(1, UndefinedSequence),
            Is(0x41),
            Bad(1, UndefinedSequence),
            Is(0)
        ]
    );
    assert_eq!(
        walk(b"\x10\xEFA\x10\x81\xFF\x10\x82"),
        [Bad(2, UndefinedSequence), Is(0x41), Bad(3, UndefinedSequence), Bad(2, TruncatedAtEnd)]
    );
    assert_eq!(
        walk(b"\x14\xD8\x3D\x14\xF6\xDC\x14\xD8\x3DA\x14\xDC\x01\x14\xF6\xD8"),
        [
            Is(0x1_F400),
            Bad(3, UnpairedHighSurrogate),
            Is(0x41),
            Bad(3, UnpairedLowSurrogate),
            Bad(3, UnpairedHighSurrogate)
        ]
    );
}
