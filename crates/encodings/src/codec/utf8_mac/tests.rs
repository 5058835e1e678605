use super::super::test_support::{
    WalkStep, WalkStep::Bad, WalkStep::Is, encoded_in_parts, walk_in_parts,
};
use super::*;
use crate::codec::Stateless;

fn walk(input: &[u8]) -> Vec<WalkStep> {
    walk_in_parts(&Stateless(Utf8Mac), input)
}

#[test]
fn letters_and_marks_are_decomposed_in_the_file_and_composed_in_the_text() {
    for (file, text) in [
        ("e\u{301}a", "\u{E9}a"),
        // Vietnamese, with two marks.
        ("Vie\u{323}\u{302}t", "Vi\u{1EC7}t"),
        // Three letters, and two.
        ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}", "\u{D55C}\u{ADF8}"),
        // か and the voiced sound mark.
        ("\u{304B}\u{3099}", "\u{304C}"),
        // A syllable of two letters before what is no third one: another character, a second letter, another
        // syllable.
        (
            "\u{1100}\u{1161}\u{4E2D}\u{1100}\u{1161}\u{11A7}\u{1100}\u{1161}\u{1162}\u{1100}\u{1161}",
            "\u{AC00}\u{4E2D}\u{AC00}\u{11A7}\u{AC00}\u{1162}\u{AC00}",
        ),
        // Neither composed nor decomposed: singletons, exclusions, symbols.
        ("\u{212B}\u{915}\u{93C}\u{338}\u{226E}", "\u{212B}\u{915}\u{93C}\u{338}\u{226E}"),
    ] {
        let text: Vec<u32> = text.chars().map(u32::from).collect();
        let read: Vec<_> = text.iter().map(|cp| Is(*cp)).collect();
        assert_eq!(walk(file.as_bytes()), read);
        assert_eq!(encoded_in_parts(&Stateless(Utf8Mac), &text), file.as_bytes());
    }
}

#[test]
fn what_is_ill_formed_is_so_in_utf_8() {
    let cut = IllFormedKind::TruncatedAtEnd;
    assert_eq!(walk(b"e\xCC"), [Is(0x65), Bad(1, cut)]);
    assert_eq!(walk(b"e\xCC\x81\xFFe"), [Is(0xE9), Bad(1, IllFormedKind::InvalidByte), Is(0x65)]);
    assert_eq!(walk(b"\xE3\x81"), [Bad(2, cut)]);
    assert_eq!(Utf8Mac.encode_one(0xD800), None);
}

/// Against the standard's own composites: every syllable, and the longest decomposition.
#[test]
fn every_hangul_syllable_is_three_letters_or_two() {
    for cp in 0xAC00..=0xD7A3_u32 {
        let index = cp - 0xAC00;
        let letters = [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11A7 + index % 28];
        let count = if index % 28 == 0 { 2 } else { 3 };
        let file: String = letters[..count].iter().filter_map(|cp| char::from_u32(*cp)).collect();
        assert_eq!(Utf8Mac.encode_one(cp).unwrap().as_slice(), file.as_bytes());
        assert_eq!(Utf8Mac.at_end(file.as_bytes()), Decoded::Character { cp, len: file.len() });
    }
    let longest = Utf8Mac.encode_one(0x1F82).unwrap();
    assert_eq!(longest.as_slice(), "\u{3B1}\u{313}\u{300}\u{345}".as_bytes());
}
