use super::*;
use crate::codec::test_support::{
    WalkStep, WalkStep::Bad, WalkStep::Is, encoded_in_parts, walk_in_parts,
};

fn read(variant: Variant, bytes: &[u8]) -> Vec<WalkStep> {
    walk_in_parts(&Marc8::new(variant), bytes)
}

fn written(variant: Variant, text: &str) -> Vec<u8> {
    let text: Vec<u32> = text.chars().map(u32::from).collect();
    encoded_in_parts(&Marc8Encoder::new(variant), &text)
}

fn both(variant: Variant, text: &str, bytes: &[u8]) {
    assert_eq!(written(variant, text), bytes, "{text}");
    let expected: Vec<_> = text.chars().map(|c| Is(c.into())).collect();
    assert_eq!(read(variant, bytes), expected, "{text}");
}

/// ANSI/NISO Z39.47, table 1; GEDCOM 5.5.1, appendix C.
#[test]
fn a_mark_comes_before_its_letter() {
    for variant in [Variant::Marc, Variant::Gedcom] {
        both(variant, "På l", b"P\xEAa l");
        both(variant, "Łódź", b"\xA1\xE2od\xE2z");
        both(variant, "Việt Nữ", b"Vi\xF2\xE3et N\xE4\xBD");
        both(
            variant,
            "ơ æ œ ß",
            if variant == Variant::Marc { b"\xBC \xB5 \xB6 \xC7" } else { b"\xBC \xB5 \xB6 \xCF" },
        );
        both(variant, "q\u{303}", b"\xE4q");
        both(variant, " \u{301}", b"\xE2 ");
    }
    // Both orders of marks, and the additional letters of GEDCOM.
    assert_eq!(read(Variant::Gedcom, b"\xE3\xF2e"), [Is(0x1EC7)]);
    assert_eq!(read(Variant::Gedcom, b"\xC7\xCD\xCE\xBE"), [0xDF, 0x65, 0x6F, 0x25A1].map(Is));
    assert_eq!(read(Variant::Gedcom, b"\x1B(N"), [0x1B, 0x28, 0x4E].map(Is));
}

/// The Library of Congress's code tables.
#[test]
fn other_scripts_follow_escape_sequences() {
    both(Variant::Marc, "Москва a", b"\x1B(NmOSKWA\x1B(B a");
    both(Variant::Marc, "H₂O", b"H\x1Bb2\x1BsO");
    both(Variant::Marc, "日本", b"\x1B$1\x21\x42\x73\x21\x43\x69\x1B(B");
    for (bytes, cps) in [
        (&b"\x1B)N\xED\x1B-!E\xE2e"[..], &[0x41C, 0xE9][..]),
        (b"\x1B$)1\xA1\xC2\xF3a", &[0x65E5, 0x61]),
        // The letter of a mark may be in another set.
        (b"\xE2\x1B(NA", &[0x430, 0x301]),
        (b"\x1B(S\x22A", &[0x386]),
        (b"\x88The \x89Cat", &[0x98, 0x54, 0x68, 0x65, 0x20, 0x9C, 0x43, 0x61, 0x74]),
    ] {
        let expected: Vec<_> = cps.iter().map(|cp| Is(*cp)).collect();
        assert_eq!(read(Variant::Marc, bytes), expected, "{bytes:X?}");
    }
}

#[test]
fn marks_without_a_letter_are_ill_formed() {
    use IllFormedKind::{InvalidByte, InvalidEscape, Truncated, TruncatedAtEnd, UndefinedSequence};
    for (bytes, expected) in [
        (&b"\xE2\n"[..], &[Bad(1, Truncated), Is(0x0A)][..]),
        (b"a\xE2\xE3", &[Is(0x61), Bad(2, TruncatedAtEnd)]),
        (b"\xE2\xFF", &[Bad(1, Truncated), Bad(1, InvalidByte)]),
        (b"\xE1\xE1\xE1\xE1\xE1e", &[Bad(4, Truncated), Is(0xE8)]),
        (b"\x1B(X", &[Bad(1, InvalidEscape), Is(0x28), Is(0x58)]),
        (b"a\x1B(", &[Is(0x61), Bad(2, TruncatedAtEnd)]),
        (b"\x1B$1\x21\x43\n", &[Bad(2, Truncated), Is(0x0A)]),
        (b"\x1B$1\x21\x43", &[Bad(2, TruncatedAtEnd)]),
        (b"\x1B$1\x7E\x7E\x7E", &[Bad(3, UndefinedSequence)]),
        (b"\xAF\x80", &[Bad(1, InvalidByte), Bad(1, InvalidByte)]),
    ] {
        assert_eq!(read(Variant::Marc, bytes), expected, "{bytes:X?}");
    }
}

#[test]
fn a_mark_needs_a_letter_to_be_written() {
    for (text, read) in [("\u{301}", 0), ("a\n\u{301}", 2), ("a\u{301}\u{20D0}", 2)] {
        let text: Vec<u32> = text.chars().map(u32::from).collect();
        let done = Marc8Encoder::new(Variant::Marc).encode(&text, &mut [0; 64]);
        assert_eq!((done.read, done.stop), (read, EncodeStop::Unmappable), "{text:X?}");
    }
}
