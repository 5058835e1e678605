//! Tests that the fields of a row agree with what its codec does.

use super::*;
use crate::codec::{ByteOrder, CodeValue, DecodeStop, EncodeStop, MIN_OUTPUT, MIN_PIVOT};
use crate::unicode::CodePoint;

#[test]
fn each_row_is_an_encoding_of_its_own() {
    let mut names = std::collections::HashSet::new();
    for encoding in Encoding::all() {
        assert!(names.insert(encoding.name()), "{encoding:?}");
        assert!(Encoding::all().filter(|other| *other == encoding).count() == 1, "{encoding:?}");
        assert!(!encoding.name().is_empty() && !encoding.source().is_empty(), "{encoding:?}");
    }
    assert_eq!(Encoding::UTF_8.name(), "UTF-8");
    assert_eq!(Encoding::WINDOWS_1252.name(), "windows-1252");
    assert_eq!(Encoding::for_name("latin1"), Ok(Encoding::ISO_8859_1));
}

/// Whether `encoding` can represent the number.
fn encodes(encoding: &Encoding, value: CodeValue) -> bool {
    let mut encoder = encoding.new_encoder(ByteOrder::Big);
    let mut output = [0; MIN_OUTPUT];
    match CodePoint::try_from(value) {
        Ok(cp) => encoder.encode(&[cp], &mut output).stop == EncodeStop::InputEmpty,
        Err(_) => encoder.encode_large(value, &mut output).is_some(),
    }
}

#[test]
fn the_bits_of_a_row_are_those_of_its_encoder() {
    for encoding in Encoding::all() {
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

/// Whether a byte is a character by itself, or ill-formed by itself.
fn stands_for_itself(encoding: &Encoding, byte: u8) -> bool {
    let mut pivot = [0; MIN_PIVOT];
    let decoded = encoding.new_decoder(ByteOrder::Big).decode(&[byte], &mut pivot, false);
    (decoded.read, decoded.written) == (1, 1) || matches!(decoded.stop, DecodeStop::IllFormed(_))
}

#[test]
fn a_row_of_single_bytes_is_one_whose_decoder_takes_each_by_itself() {
    for encoding in Encoding::all() {
        let each = encoding.mark == Mark::None
            && (0..=u8::MAX).all(|byte| stands_for_itself(encoding, byte));
        assert_eq!(encoding.single_byte, each, "{encoding:?}");
    }
}

#[test]
fn what_takes_its_byte_order_from_a_mark_has_a_scheme_for_each() {
    for encoding in Encoding::all() {
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
    for encoding in Encoding::all() {
        let has_order = encoding.order.is_some() || encoding.mark.gives_order();
        assert_eq!(encoding.family.is_wide(), has_order, "{encoding:?}");
    }
}

#[cfg(feature = "legacy")]
mod charsets {
    use proptest::prelude::*;

    use super::*;
    use crate::unicode::{IllFormed, IllFormedKind};
    use IllFormedKind::{InvalidByte, Truncated, UndefinedSequence};

    /// Decodes with an output of one code point at a time, which keeps the decoder out of its fast paths.
    fn one_by_one(encoding: &Encoding, input: &[u8]) -> (Vec<CodePoint>, DecodeStop) {
        let mut decoder = encoding.new_decoder(ByteOrder::Big);
        let (mut read, mut cps) = (0, Vec::new());
        loop {
            let mut one = [0];
            let done = decoder.decode(&input[read..], &mut one, true);
            read += done.read;
            cps.extend_from_slice(&one[..done.written]);
            if done.stop != DecodeStop::OutputFull {
                return (cps, done.stop);
            }
        }
    }

    /// Checks that fast paths for runs give the same as one character at a time, in both directions.
    fn runs_are_characters_one_by_one(encoding: &Encoding, input: &[u8], room: usize) {
        let (expected, stop) = one_by_one(encoding, input);
        let mut output = vec![0; room];
        let done = encoding.new_decoder(ByteOrder::Big).decode(input, &mut output, true);
        if done.stop == DecodeStop::OutputFull {
            assert_eq!(output[..done.written], expected[..done.written], "{encoding:?} {input:X?}");
        } else {
            assert_eq!(
                (&output[..done.written], done.stop),
                (&expected[..], stop),
                "{encoding:?} {input:X?}"
            );
        }
        // The characters, with some between them that may not be in the set.
        let text = [&expected[..], &[0x20AC, 0, 0x1_F600], &expected[..]].concat();
        let mut one = encoding.new_encoder(ByteOrder::Big);
        let (mut bytes, mut buffer) = (Vec::new(), [0; MIN_OUTPUT]);
        let encoded = text.iter().take_while(|cp| {
            let done = one.encode(&[**cp], &mut buffer);
            bytes.extend_from_slice(&buffer[..done.written]);
            done.stop == EncodeStop::InputEmpty
        });
        let count = encoded.count();
        let mut output = vec![0; bytes.len() + 2 * MIN_OUTPUT];
        let done = encoding.new_encoder(ByteOrder::Big).encode(&text, &mut output);
        assert_eq!(
            (done.read, &output[..done.written]),
            (count, &bytes[..]),
            "{encoding:?} {text:X?}"
        );
    }

    proptest! {
        #[test]
        fn a_run_is_its_characters(
            parts in prop::collection::vec(
                prop_oneof![
                    4 => (0x81..=0xFE_u8, 0xA1..=0xFE_u8).prop_map(|(lead, trail)| vec![lead, trail]),
                    4 => prop::collection::vec(0x20..=0x7E_u8, 1..12),
                    1 => prop::collection::vec(any::<u8>(), 1..4),
                    1 => (0x81..=0x84_u8, 0x30..=0x39_u8, 0x81..=0xFE_u8, 0x30..=0x39_u8)
                        .prop_map(|(a, b, c, d)| vec![a, b, c, d]),
                ],
                0..40,
            ),
            room in 0..200_usize,
        ) {
            let input = parts.concat();
            for name in ["CP932", "GBK", "BIG5", "CP949", "EUC-JP", "GB18030", "windows-1252", "ISO-8859-3"] {
                runs_are_characters_one_by_one(Encoding::for_name(name).unwrap(), &input, room);
            }
        }
    }

    fn ill_formed(encoding: &Encoding, input: &[u8], len: usize, kind: IllFormedKind) {
        let done = encoding.new_decoder(ByteOrder::Big).decode(input, &mut [0; MIN_PIVOT], false);
        let expected = (0, DecodeStop::IllFormed(IllFormed::new(len, kind)));
        assert_eq!((done.read, done.stop), expected, "{encoding:?} {input:X?}");
    }

    #[test]
    fn an_ascii_byte_is_never_part_of_an_ill_formed_subsequence() {
        for (encoding, input, kind) in [
            (Encoding::CP932, b"\x81\x20", Truncated),
            (Encoding::CP932, b"\x85\x41", UndefinedSequence),
            (Encoding::GBK, b"\x81\x30", Truncated),
            (Encoding::GBK, b"\xA1\x40", UndefinedSequence),
            (Encoding::BIG5, b"\xA1\x3F", Truncated),
            (Encoding::BIG5, b"\xFA\x40", UndefinedSequence),
            (Encoding::CP949, b"\x81\x5B", Truncated),
            (Encoding::CP949, b"\xC9\x41", UndefinedSequence),
            (Encoding::EUC_JP, b"\xA4\x41", Truncated),
            (Encoding::EUC_JP, b"\x8E\x41", Truncated),
            (Encoding::EUC_JP, b"\x8F\x41", Truncated),
        ] {
            ill_formed(encoding, input, 1, kind);
        }
        ill_formed(Encoding::EUC_JP, b"\x8F\xB0\x41", 2, Truncated);
    }

    #[test]
    fn a_sequence_of_the_right_shape_without_a_character_is_one_subsequence() {
        ill_formed(Encoding::CP932, b"\x85\x9F", 2, UndefinedSequence);
        ill_formed(Encoding::GBK, b"\xA2\xE3", 2, UndefinedSequence);
        ill_formed(Encoding::BIG5, b"\xA3\xFE", 2, UndefinedSequence);
        ill_formed(Encoding::CP949, b"\xFE\xA1", 2, UndefinedSequence);
        ill_formed(Encoding::EUC_JP, b"\xAD\xA1", 2, UndefinedSequence);
        ill_formed(Encoding::EUC_JP, b"\x8F\xA1\xA1", 3, UndefinedSequence);
    }

    #[test]
    fn a_byte_that_no_trail_can_be_cuts_the_lead_short() {
        ill_formed(Encoding::CP932, b"\x81\xFD", 1, Truncated);
        ill_formed(Encoding::GBK, b"\x81\xFF", 1, Truncated);
        ill_formed(Encoding::BIG5, b"\xA4\x80", 1, Truncated);
        ill_formed(Encoding::CP949, b"\xB0\x80", 1, Truncated);
        ill_formed(Encoding::EUC_JP, b"\x8F\xB0\xFF", 2, Truncated);
    }

    #[test]
    fn a_byte_that_begins_nothing_is_invalid() {
        for byte in [0xA0, 0xFD, 0xFE, 0xFF] {
            ill_formed(Encoding::CP932, &[byte, 0x41], 1, InvalidByte);
        }
        for byte in [0x81, 0x8D, 0x8F, 0x90, 0x9D] {
            ill_formed(Encoding::WINDOWS_1252, &[byte], 1, InvalidByte);
        }
        ill_formed(Encoding::GBK, b"\xFF\x41", 1, InvalidByte);
        ill_formed(Encoding::BIG5, b"\xFF\x41", 1, InvalidByte);
        ill_formed(Encoding::CP949, b"\x80\x41", 1, InvalidByte);
        ill_formed(Encoding::CP949, b"\xFF\x41", 1, InvalidByte);
        ill_formed(Encoding::EUC_JP, b"\xFF\xA1", 1, InvalidByte);
    }
}

/// A decoder that says so has no code for several code points, among those of two bytes, and of three after 8F and
/// after a shift out. The encodings are dealt out to threads, because this takes longer than all other tests here.
#[test]
fn a_decoder_without_sequences_has_none() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for first in 0..threads {
            scope.spawn(move || {
                Encoding::all().skip(first).step_by(threads).for_each(has_no_unsaid_sequence);
            });
        }
    });
}

fn has_no_unsaid_sequence(encoding: &Encoding) {
    let decoder = encoding.new_decoder(ByteOrder::Big);
    if decoder.has_sequences() {
        return;
    }
    // What one byte alone stands for does not depend on those before it.
    let seconds = if encoding.single_byte { 0x30..=0x30 } else { 0x30..=0xFF };
    for (a, b) in (0x41..=0xFF).flat_map(|a| seconds.clone().map(move |b| (a, b))) {
        for bytes in [&[a, b][..], &[0x8F, a, b], &[0x0E, a, b]] {
            // A sequence does not fit where there is room for one code point.
            let (mut decoder, mut at) = (decoder.fork(), 0);
            let stop = loop {
                let decoded = decoder.decode(&bytes[at..], &mut [0], true);
                at += decoded.read;
                if decoded.stop != DecodeStop::OutputFull || decoded.written == 0 {
                    break decoded.stop;
                }
            };
            assert_ne!(stop, DecodeStop::OutputFull, "{encoding:?}: {bytes:X?}");
        }
    }
}
