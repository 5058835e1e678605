use IllFormedKind::{InvalidByte, InvalidEscape, TruncatedAtEnd};

use super::*;
use crate::codec::test_support::{
    WalkStep, WalkStep::Bad, WalkStep::Is, encoded_in_parts, walk_in_parts,
};
use crate::codec::{Joining, Stateful};

fn walk(script: u8, input: &[u8]) -> Vec<WalkStep> {
    walk_in_parts(&Stateful::new(Iscii::new(script)), input)
}

fn written(text: &str) -> Vec<u8> {
    let text: Vec<u32> = text.chars().map(u32::from).collect();
    encoded_in_parts(&Joining::new(IsciiEncoder::default()), &text)
}

/// As ICU reads and writes them.
#[test]
fn scripts_share_codes() {
    assert_eq!(
        walk(0, b"\xB3\xEF\x43\xB3 \xB3\n\xB3"),
        [Is(0x915), Is(0x995), Is(0x20), Is(0x995), Is(0x0A), Is(0x915)]
    );
    assert_eq!(walk(1, b"\xB3\xEF\x40\xB3\xEF\x30\xB3"), [Is(0x995), Is(0x995), Is(0x995)]);
    assert_eq!(walk(0, b"\xB3\xE9\xE9\xA1\xE9"), [Is(0x958), Is(0x93C), Is(0x950)]);
    assert_eq!(walk(1, b"\xB3\xE9"), [Is(0x995), Is(0x9BC)]);
    assert_eq!(
        walk(0, b"\xE8\xE8\xE8\xE9\xE8\xD9\xEA\xEA\xEA"),
        [Is(0x94D), Is(0x200C), Is(0x94D), Is(0x200D), Is(0x94D), Is(0x200D), Is(0x965), Is(0x964),]
    );
    assert_eq!(written("क ক।\nকa"), b"\xEF\x42\xB3 \xEF\x43\xB3\xEF\x42\xEA\n\xEF\x43\xB3a");
    assert_eq!(
        written("क़र्\u{200D}र्\u{200C}॰"),
        b"\xEF\x42\xB3\xE9\xCF\xE8\xE9\xCF\xE8\xE8\xF0\xBF"
    );
}

#[test]
fn a_byte_without_a_letter_in_the_script_is_ill_formed() {
    assert_eq!(walk(5, b"\xA1\xB3\xFF"), [Bad(1, InvalidByte), Is(0xB95), Bad(1, InvalidByte)]);
    assert_eq!(walk(0, b"\xEFA\xEF"), [Bad(1, InvalidEscape), Is(0x41), Bad(1, TruncatedAtEnd)]);
    assert_eq!(walk(0, b"\xF0\xB3\xF0"), [Bad(1, InvalidByte), Is(0x915), Bad(1, TruncatedAtEnd)]);
}
