use IllFormedKind::{InvalidByte, Truncated, TruncatedAtEnd, UndefinedSequence};

use super::*;
use crate::codec::Stateless;
use crate::codec::test_support::{WalkStep::Bad, WalkStep::Is, encoded_in_parts, walk_in_parts};
use crate::encoding::Encoding;

fn decoded(charset: &str, input: &[u8]) -> String {
    let mut decoder = Encoding::for_name(charset).unwrap().new_decoder(Default::default());
    let mut output = [0; 200];
    let done = decoder.decode(input, &mut output, true);
    assert_eq!(done.read, input.len(), "{charset}");
    output[..done.written].iter().map(|cp| char::from_u32(*cp).unwrap()).collect()
}

fn encoded(charset: &str, text: &str) -> Vec<u8> {
    let cps: Vec<CodePoint> = text.chars().map(u32::from).collect();
    let mut encoder = Encoding::for_name(charset).unwrap().new_encoder(Default::default());
    let mut output = [0; 200];
    let done = encoder.encode(&cps, &mut output);
    assert_eq!(done.read, cps.len(), "{charset}");
    output[..done.written].to_vec()
}

/// 3GPP TS 23.038, A.2 and A.3.
#[test]
fn each_language_has_its_tables() {
    for (charset, bytes, text) in [
        ("GSM0338", &b"\x00\x11 \x1B\x65"[..], "@_ €"),
        ("GSM0338-TURKISH", b"\x0C\x1D\x40\x07 \x60", "ğşİı ç"),
        ("GSM0338-TURKISH-SINGLE", b"da\x1B\x67 ye\x1B\x73il", "dağ yeşil"),
        ("GSM0338-TURKISH-LOCKING", b"da\x0C \x04 \x1B\x3C", "dağ € ["),
        ("GSM0338-SPANISH", b"r\x1B\x61pido", "rápido"),
        ("GSM0338-PORTUGUESE", b"n\x7Bo \x1B\x12", "não Φ"),
        ("GSM0338-PORTUGUESE-SINGLE", b"n\x1B\x7Bo", "não"),
        (
            "GSM0338-BENGALI",
            b"\x03\x15\x52\x62\x7F\x1B\x1D\x1B\x26\x1B\x2F\x1B\x41",
            "\u{985}\u{995}\u{9C0}b\u{9F1}\u{9E9}\u{9E1}\\A",
        ),
        (
            "GSM0338-GUJARATI",
            b"\x03\x15\x52\x62\x7F\x1B\x1D\x1B\x2F\x1B\x41",
            "\u{A85}\u{A95}\u{AC0}b\u{AF1}\u{AE7}\\A",
        ),
        (
            "GSM0338-HINDI",
            b"\x03\x15\x52\x62\x7F\x1B\x1D\x1B\x26\x1B\x2F\x1B\x41",
            "\u{905}\u{915}\u{940}b\u{97F}\u{967}\u{951}\\A",
        ),
        (
            "GSM0338-KANNADA",
            b"\x03\x15\x52\x62\x7F\x1B\x1D\x1B\x26\x1B\x2F\x1B\x41",
            "\u{C85}\u{C95}\u{CC0}b\u{CE3}\u{CE7}\u{CDE}\\A",
        ),
        (
            "GSM0338-MALAYALAM",
            b"\x03\x15\x52\x62\x7F\x1B\x1D\x1B\x26\x1B\x2F\x1B\x41",
            "\u{D05}\u{D15}\u{D40}b\u{D79}\u{D67}\u{D70}\\A",
        ),
        (
            "GSM0338-ORIYA",
            b"\x03\x15\x52\x62\x7F\x1B\x1D\x1B\x26\x1B\x2F\x1B\x41",
            "\u{B05}\u{B15}\u{B40}b\u{B63}\u{B67}\u{B5C}\\A",
        ),
        (
            "GSM0338-PUNJABI",
            b"\x03\x15\x52\x62\x7F\x1B\x1D\x1B\x26\x1B\x2F\x1B\x41",
            "\u{A05}\u{A15}\u{A40}b\u{A74}\u{A67}\u{A59}\\A",
        ),
        (
            "GSM0338-TAMIL",
            b"\x03\x15\x52\x62\x7F\x1B\x1D\x1B\x26\x1B\x2F\x1B\x41",
            "\u{B85}\u{B95}\u{BC0}b\u{BF9}\u{BE7}\u{BF3}\\A",
        ),
        (
            "GSM0338-TELUGU",
            b"\x03\x15\x52\x62\x7F\x1B\x1D\x1B\x26\x1B\x2F\x1B\x41",
            "\u{C05}\u{C15}\u{C40}b\u{C63}\u{C67}\u{C58}\\A",
        ),
        (
            "GSM0338-URDU",
            b"\x03\x15\x52\x62\x7F\x1B\x1D\x1B\x26\x1B\x2F\x1B\x41",
            "\u{67B}\u{685}\u{6BC}b\u{670}\u{6F1}\u{60C}\\A",
        ),
    ] {
        assert_eq!(decoded(charset, bytes), text, "{charset}");
        assert_eq!(encoded(charset, text), bytes, "{charset}");
    }
}

#[test]
fn a_character_in_both_tables_is_written_from_the_alphabet() {
    assert_eq!(decoded("GSM0338-TURKISH", b"\x1B\x67"), "ğ");
    assert_eq!(encoded("GSM0338-TURKISH", "ğ"), b"\x0C");
}

#[test]
fn an_ill_formed_subsequence_is_one_byte_except_for_the_reserved_code() {
    let row = Encoding::for_name("GSM0338").unwrap();
    let codec = row.extension().unwrap();
    for (input, expected) in [
        (&b"a\x1B"[..], &[Is(0x61), Bad(1, TruncatedAtEnd)][..]),
        (b"\x1Ba", &[Bad(1, Truncated), Is(0x61)]),
        (b"\x1B\x1B\x65", &[Bad(2, UndefinedSequence), Is(0x65)]),
        (b"\x1B\xE9", &[Bad(1, Truncated), Bad(1, InvalidByte)]),
        (b"\x80a", &[Bad(1, InvalidByte), Is(0x61)]),
    ] {
        assert_eq!(walk_in_parts(&Stateless(codec), input), expected, "{input:X?}");
    }
}

#[test]
fn characters_encoded_together_are_those_encoded_one_by_one() {
    let text: Vec<CodePoint> = "@£$ [brackets] {€} ~ é\n".chars().map(u32::from).collect();
    let codec = Encoding::for_name("GSM0338").unwrap().extension().unwrap();
    let together = encoded_in_parts(&Stateless(codec), &text);
    let one_by_one: Vec<u8> =
        text.iter().flat_map(|cp| codec.encode_one(*cp).unwrap().as_slice().to_vec()).collect();
    assert_eq!(together, one_by_one);
}
