//! A user's table and a built-in structure with the same codes classify all bytes in the same way.

use super::*;
use crate::codec::test_support::walk_in_parts;
use crate::codec::{ByteOrder, Decoder, MIN_PIVOT, Stateful, Stateless};
use crate::encoding::Encoding;

/// Returns all sequences of up to four bytes that a decoder reads as a character. Memory grows only with their number.
fn codes(encoding: &Encoding, start: &mut Vec<u8>, most: usize, builder: &mut TableBuilder) {
    for byte in 0..=u8::MAX {
        start.push(byte);
        let mut pivot = [0; MIN_PIVOT];
        let mut decoder: Box<dyn Decoder> = encoding.new_decoder(ByteOrder::Big);
        let done = decoder.decode(start, &mut pivot, false);
        if done.read == start.len() && done.written > 0 {
            builder.add(start, &pivot[..done.written], Direction::Both, 1).unwrap();
        } else if done.read == 0
            && done.stop == crate::codec::DecodeStop::InputEmpty
            && start.len() < most
        {
            codes(encoding, start, most, builder);
        }
        start.pop();
    }
}

fn own(name: &str, most: usize) -> (&'static Encoding, &'static OwnTable) {
    let encoding = Encoding::for_name(name).unwrap();
    let mut builder = TableBuilder::default();
    codes(encoding, &mut Vec::new(), most, &mut builder);
    (encoding, Box::leak(Box::new(builder.build().unwrap())))
}

#[test]
fn what_is_ill_formed_is_the_same_as_in_the_structures_of_the_program() {
    // Every two bytes, with a letter after them; every three after a prefix.
    for (name, most) in [("KOI8-R", 1), ("EUC-KR", 2), ("EUC-JP", 3), ("EUC-TW", 4)] {
        let (encoding, table) = own(name, most);
        let own = Stateless(OwnCodec(table));
        let mut texts: Vec<Vec<u8>> = Vec::new();
        for first in 0..=u8::MAX {
            for second in 0..=u8::MAX {
                texts.push(vec![first, second, b'a']);
                texts.push(vec![0x8F, first, second]);
                if most == 4 {
                    texts.push(vec![0x8E, 0xA2, first, second]);
                    texts.push(vec![0x8E, first, second, b'a']);
                }
            }
        }
        for text in texts {
            let ours = seen(Box::new(own.clone()), &text);
            let theirs = seen(encoding.new_decoder(ByteOrder::Big), &text);
            assert_eq!(ours, theirs, "{name}: {text:X?}");
        }
        assert_eq!(table.splits_after_low(), name != "KOI8-R" || most == 1, "{name}");
    }
}

/// Returns the characters of a text, and the positions of faults.
fn seen(mut decoder: Box<dyn Decoder>, text: &[u8]) -> Vec<(usize, u32, Option<IllFormed>)> {
    let (mut at, mut found) = (0, Vec::new());
    while at < text.len() {
        let mut pivot = [0; MIN_PIVOT];
        let done = decoder.decode(&text[at..], &mut pivot, true);
        found.extend(pivot[..done.written].iter().map(|cp| (at, *cp, None)));
        at += done.read;
        match done.stop {
            crate::codec::DecodeStop::IllFormed(fault) => {
                found.push((at, 0, Some(fault)));
                at += fault.len;
            }
            crate::codec::DecodeStop::InputEmpty => break,
            stop => panic!("{stop:?}"),
        }
    }
    found
}

#[test]
fn shifts_are_those_of_the_program() {
    let mut builder = TableBuilder::default();
    builder.shifts = true;
    for (code, cps) in [
        (&b"\x81"[..], &[0x61][..]),
        (b"\x25", &[0x0A]),
        (b"\x42\x81", &[0xFF41]),
        (b"\x44\x86", &[0x304B]),
        (b"\xEC\xB5", &[0x304B, 0x309A]),
    ] {
        builder.add(code, cps, Direction::Both, 1).unwrap();
    }
    let table: &'static OwnTable = Box::leak(Box::new(builder.build().unwrap()));
    assert!(table.has_shifts() && !table.is_single() && !table.splits_after_low());
    use crate::codec::test_support::WalkStep::{Bad, Is};
    let walk = |input: &[u8]| {
        walk_in_parts(
            &Stateful::new(super::super::dbcs_host::HostDecoder::of(OwnHost(table))),
            input,
        )
    };
    assert_eq!(
        walk(b"\x81\x0E\x42\x81\xEC\xB5\x0F\x25"),
        [Is(0x61), Is(0xFF41), Is(0x304B), Is(0x309A), Is(0x0A)]
    );
    assert_eq!(walk(b"\x0E\x42\x0F\x81"), [Bad(1, IllFormedKind::Truncated), Is(0x61)]);
    assert_eq!(walk(b"\x0E\xFE\xFD"), [Bad(2, IllFormedKind::UndefinedSequence)]);
    let encoder =
        crate::codec::Joining::new(super::super::dbcs_host::HostEncoder::of(OwnHost(table)));
    let text = [0x61, 0x304B, 0x309A, 0x304B, 0x0A, 0xFF41];
    assert_eq!(
        crate::codec::test_support::encoded_in_parts(&encoder, &text),
        b"\x81\x0E\xEC\xB5\x44\x86\x0F\x25\x0E\x42\x81\x0F"
    );
}

#[test]
fn scattered_codes_do_not_fill_the_memory() {
    let mut builder = TableBuilder::default();
    let mut cp = 0x1_0000;
    // Each third byte has a node with 254 cells, of which two are in use. No number of such nodes has exactly the most
    // cells.
    for first in 0..=0xFF_u8 {
        for second in 0..=0xFF {
            builder.add(&[first, second, 0], &[cp], Direction::Both, 1).unwrap();
            builder.add(&[first, second, 0xFD], &[cp + 1], Direction::Both, 1).unwrap();
            cp += 2;
        }
    }
    assert_eq!(builder.build().unwrap_err(), (0, TableFault::Scattered));
}
