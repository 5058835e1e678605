//! The properties that rows declare are those of their codecs.

use super::*;
use crate::codec::{ByteOrder, DecodeStop, EncodeStop, MIN_OUTPUT, MIN_PIVOT, Value};
use crate::unicode::CodePoint;

#[test]
fn each_row_is_an_encoding_of_its_own() {
    for (index, &encoding) in ALL.iter().enumerate() {
        for (other_index, &other) in ALL.iter().enumerate() {
            assert_eq!(encoding == other, index == other_index, "{encoding:?} {other:?}");
        }
        assert!(!encoding.name.is_empty() && !encoding.source.is_empty(), "{encoding:?}");
    }
    assert_eq!(Encoding::UTF_8.name, "UTF-8");
    assert_eq!(Encoding::WINDOWS_1252.name, "windows-1252");
    assert_eq!(Encoding::for_name("latin1"), Ok(Encoding::ISO_8859_1));
}

/// Whether `encoding` can represent the number.
fn encodes(encoding: &Encoding, value: Value) -> bool {
    let mut encoder = encoding.new_encoder(ByteOrder::Big);
    let mut output = [0; MIN_OUTPUT];
    match CodePoint::try_from(value) {
        Ok(cp) => encoder.encode(&[cp], &mut output).stop == EncodeStop::InputEmpty,
        Err(_) => encoder.encode_large(value, &mut output).is_some(),
    }
}

#[test]
fn the_bits_of_a_row_are_those_of_its_encoder() {
    for encoding in ALL {
        match encoding.bits {
            Some(bits) => {
                let past = 1 << bits;
                assert!(encodes(encoding, past - 1), "{encoding:?} holds {bits} bits");
                assert!(!encodes(encoding, past), "{encoding:?} holds no more than {bits} bits");
                // The greatest values of fewer bits, except surrogates.
                for fewer in 1..bits {
                    assert!(encodes(encoding, (1 << fewer) - 1), "{encoding:?} {fewer}");
                }
            }
            // It encodes characters: none is above U+10FFFF.
            None => assert!(!encodes(encoding, 0x11_0000), "{encoding:?}"),
        }
    }
}

/// Whether a byte is a character, or ill-formed, by itself.
fn stands_for_itself(encoding: &Encoding, byte: u8) -> bool {
    let mut pivot = [0; MIN_PIVOT];
    let decoded = encoding.new_decoder(ByteOrder::Big).decode(&[byte], &mut pivot, false);
    (decoded.read, decoded.written) == (1, 1) || matches!(decoded.stop, DecodeStop::IllFormed(_))
}

#[test]
fn a_row_of_single_bytes_is_one_whose_decoder_takes_each_by_itself() {
    for encoding in ALL {
        let each = encoding.mark == Mark::None
            && (0..=u8::MAX).all(|byte| stands_for_itself(encoding, byte));
        assert_eq!(encoding.single_byte, each, "{encoding:?}");
    }
}

#[test]
fn what_takes_its_byte_order_from_a_mark_has_a_scheme_for_each() {
    for &encoding in ALL {
        for order in [ByteOrder::Big, ByteOrder::Little] {
            let scheme = encoding.in_order(order);
            if encoding.mark.gives_order() {
                assert_eq!(scheme.order, Some(order), "{encoding:?}");
                assert_eq!(scheme.unmarked(), encoding, "{encoding:?}");
                assert_eq!((scheme.family, scheme.unit), (encoding.family, encoding.unit));
                assert_eq!(scheme.bits, encoding.bits, "{encoding:?}");
            } else {
                assert_eq!(scheme, encoding);
            }
        }
        let (letter, mut output) = ([0x61], [0; MIN_OUTPUT]);
        let Some(order) = encoding.order else { continue };
        let len = encoding.new_encoder(order).encode(&letter, &mut output).written;
        let end = if order == ByteOrder::Big { len - 1 } else { 0 };
        assert_eq!((len, output[end]), (encoding.unit, 0x61), "{encoding:?}");
    }
}

#[test]
fn only_wide_units_have_a_byte_order() {
    for encoding in ALL {
        let has_order = encoding.order.is_some() || encoding.mark.gives_order();
        assert_eq!(encoding.family.is_wide(), has_order, "{encoding:?}");
    }
}
