use super::*;
use crate::codec::set;

static WINDOWS_1255: (CodedSet, &CharsetCompositions) =
    (set::WINDOWS_1255, &compositions::WINDOWS_1255);
static WINDOWS_1258: (CodedSet, &CharsetCompositions) =
    (set::WINDOWS_1258, &compositions::WINDOWS_1258);

/// Returns the codec of VNI.
fn vni() -> Composing {
    crate::encoding::Encoding::for_name("VNI").unwrap().composing().unwrap()
}

fn decode(
    set: &(CodedSet, &'static CharsetCompositions),
    input: &[u8],
    last: bool,
) -> (usize, Vec<CodePoint>) {
    let mut output = [0; 64];
    let done = ComposingDecoder(Composing::new(set.0, set.1)).decode(input, &mut output, last);
    assert_eq!(done.stop, DecodeStop::InputEmpty);
    (done.read, output[..done.written].to_vec())
}

#[test]
fn a_mark_composes_with_the_letter_before_it() {
    // Circumflex and dot below: U+1EC7.
    assert_eq!(decode(&WINDOWS_1258, b"Vi\xEA\xF2t.", true).1, [0x56, 0x69, 0x1EC7, 0x74, 0x2E]);
    assert_eq!(decode(&WINDOWS_1258, b"\xF2.", true).1, [0x323, 0x2E]);
    // Shin, dagesh and shin dot, in both orders.
    assert_eq!(decode(&WINDOWS_1255, b"\xF9\xCC\xD1.", true).1, [0xFB2C, 0x2E]);
    assert_eq!(decode(&WINDOWS_1255, b"\xF9\xD1\xCC.", true).1, [0xFB2C, 0x2E]);
}

#[test]
fn a_letter_waits_for_what_follows_it() {
    assert_eq!(decode(&WINDOWS_1258, b".A", false), (1, vec![0x2E]));
    assert_eq!(decode(&WINDOWS_1258, b".A", true), (2, vec![0x2E, 0x41]));
    assert_eq!(decode(&WINDOWS_1258, b"A\n", false), (2, vec![0x41, 0x0A]));
    assert_eq!(decode(&WINDOWS_1255, b"\xF9\xCC", false), (0, vec![]));
    assert_eq!(decode(&WINDOWS_1255, b"\xF9\xCC", true), (2, vec![0xFB49]));
}

#[test]
fn a_composed_character_is_written_as_letter_and_mark() {
    for (set, cp, bytes) in [
        (&WINDOWS_1258, 0x1EC7, &b"\xEA\xF2"[..]),
        (&WINDOWS_1258, 0xC0, b"\xC0"),
        (&WINDOWS_1258, 0x341, b"\xEC"),
        (&WINDOWS_1258, 0x1FEE, b"\xA8\xEC"),
        (&WINDOWS_1255, 0xFB2C, b"\xF9\xCC\xD1"),
        (&WINDOWS_1255, 0xFB2A, b"\xF9\xD1"),
    ] {
        let one = Composing::new(set.0, set.1).encode_one(cp);
        assert_eq!(one, Some(Encoded::new(bytes)), "{cp:X}");
    }
}

/// The layout of the fonts of VNI Software: `Xin chaøo caùc baïn` in windows-1252 is "Xin chào các bạn".
#[test]
fn in_vni_a_byte_after_a_letter_is_all_its_marks() {
    for (bytes, text) in [
        (&b"Xin cha\xF8o ca\xF9c ba\xEFn"[..], "Xin chào các bạn"),
        (b"Tie\xE1ng Vie\xE4t", "Tiếng Việt"),
        (b"\xD1\xD6\xD4\xD8NG \xF1\xF6\xF4\xF8ng", "ĐƯỜNG đường"),
        (b"VIE\xC4T NAM, MY\xD5, THUY\xDB", "VIỆT NAM, MỸ, THUỶ"),
        (b"t\xE6 l\xF3 k\xEC d\xF2 \xF1\xED ky\xD9".as_slice(), "tỉ lĩ kì dị đí ký"),
        (b"ky\xF9 \xEE a\xEA A\xCB o\xE3", "ký ỵ ă Ặ ỗ"),
        (b"\x93a\x94 \x96 99\x80", "“a” – 99€"),
    ] {
        let mut output = [0; 64];
        let done = ComposingDecoder(vni()).decode(bytes, &mut output, true);
        let decoded: String =
            output[..done.written].iter().filter_map(|cp| char::from_u32(*cp)).collect();
        assert_eq!((done.read, decoded.as_str()), (bytes.len(), text));
        let encoded: Vec<u8> = text
            .chars()
            .flat_map(|c| vni().encode_one(c.into()).unwrap().as_slice().to_vec())
            .collect();
        // A capital mark after a small letter is only read.
        let written: Vec<u8> = bytes.iter().map(|b| if *b == 0xD9 { 0xF9 } else { *b }).collect();
        assert_eq!(encoded, written, "{text}");
    }
}

#[test]
fn in_vni_a_mark_without_its_letter_is_ill_formed() {
    use crate::codec::test_support::{WalkStep::Bad, WalkStep::Is, walk_in_parts};
    for (bytes, expected) in [
        (&b"\xE1a"[..], &[Bad(1, IllFormedKind::InvalidByte), Is(0x61)][..]),
        (b"b\xF9", &[Is(0x62), Bad(1, IllFormedKind::InvalidByte)]),
        (b"a\xF9\xF9", &[Is(0xE1), Bad(1, IllFormedKind::InvalidByte)]),
        (b"u\xE2", &[Is(0x75), Bad(1, IllFormedKind::InvalidByte)]),
        (b"\xF4\xE1", &[Is(0x1A1), Bad(1, IllFormedKind::InvalidByte)]),
    ] {
        assert_eq!(walk_in_parts(&ComposingDecoder(vni()), bytes), expected, "{bytes:X?}");
    }
}
