//! Large inputs for the stateful encodings UTF-7, UTF-7-IMAP, SCSU and BOCU-1: every scalar value in both directions,
//! long hostile inputs, and random bytes that are nearly text, cut and stopped anywhere.

use crate::sample;
use crate::support::{Random, convert, convert_cut, encode, replacing, strict, with};
use oxiconv_transcode::{OnIllFormed, OnUnmappable};

const NAMES: [&str; 4] = ["UTF-7", "UTF-7-IMAP", "SCSU", "BOCU-1"];

#[test]
fn all_scalar_values_in_one_stream() {
    let all: String = ('\0'..=char::MAX).collect();
    let mut random = Random(7);
    let text = random.text(200_000, 0x10_FFFF);
    let backwards: String = all.chars().rev().collect();
    for name in NAMES {
        for text in sample::every(3, [&all, &backwards, &text]) {
            // The `a` keeps U+FEFF away from the start, where it would be a byte order mark.
            let input = encode(&format!("a{text}"), "UTF-32LE");
            let there = convert(&strict("UTF-32LE", name), &input);
            assert_eq!(there.places(), [], "{name}");
            let back = convert(&strict(name, "UTF-32LE"), &there.output);
            assert_eq!(back.places(), [], "{name}");
            assert!(back.output == input, "{name}");
        }
    }
}

#[test]
fn each_scalar_value_alone() {
    use oxiconv_encodings::codec::{ByteOrder, DecodeStop, EncodeStop, MIN_OUTPUT, MIN_PIVOT};
    for name in NAMES {
        let encoding = crate::support::encoding(name);
        for cp in ('\0'..=char::MAX).map(u32::from) {
            let mut encoder = encoding.new_encoder(ByteOrder::Big);
            let mut room = [0; 2 * MIN_OUTPUT];
            let done = encoder.encode(&[cp], &mut room[..MIN_OUTPUT]);
            assert_eq!((done.read, done.stop), (1, EncodeStop::InputEmpty), "{name} {cp:X}");
            let len = done.written + encoder.finish(&mut room[done.written..]);
            let mut pivot = [0; MIN_PIVOT];
            let back = encoding.new_decoder(ByteOrder::Big).decode(&room[..len], &mut pivot, true);
            assert_eq!(
                (back.read, back.written, back.stop),
                (len, 1, DecodeStop::InputEmpty),
                "{name} {cp:X}"
            );
            assert_eq!(pivot[0], cp, "{name}");
        }
        for cp in [0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x11_0000, u32::MAX] {
            let done = encoding.new_encoder(ByteOrder::Big).encode(&[cp], &mut [0; MIN_OUTPUT]);
            assert_eq!(
                (done.read, done.written, done.stop),
                (0, 0, EncodeStop::Unmappable),
                "{name} {cp:X}"
            );
        }
    }
}

#[test]
fn hundreds_of_thousands_of_the_worst_bytes() {
    for (name, bytes) in [
        ("UTF-7", &b"+"[..]),
        ("UTF-7", b"2AA"),
        ("UTF-7", b"+2AA-"),
        ("UTF-7", b"+-+!"),
        ("UTF-7-IMAP", b"&"),
        ("UTF-7-IMAP", b"&AGE"),
        ("SCSU", b"\x0F"),
        ("SCSU", b"\x10"),
        ("SCSU", b"\x0E\xD8\0"),
        ("SCSU", b"\x18\x01\x0B\xFF\xFF"),
        ("BOCU-1", b"\xFF"),
        ("BOCU-1", b"\xFE\x01\x01"),
        ("BOCU-1", b"\x21"),
    ] {
        let input = bytes.repeat(300_000 / bytes.len());
        for (to, unmappable) in
            [("UTF-8", OnUnmappable::Replace), ("US-ASCII", OnUnmappable::Replace)]
        {
            let outcome = convert(&with(name, to, OnIllFormed::Replace, unmappable), &input);
            assert_eq!(outcome.summary.bytes_read, input.len() as u64);
        }
    }
}

/// Generates bytes that are, or nearly are, text in the encoding.
fn nearly(name: &str, random: &mut Random) -> Vec<u8> {
    let len = 1 + random.below(24);
    let mut bytes: Vec<u8> = match name {
        "UTF-7" => (0..len).map(|_| random.pick(b"++--AAD23dlYQ/!a\n~\xFF")).collect(),
        "UTF-7-IMAP" => (0..len).map(|_| random.pick(b"&&--AAD23dlYQ,!a\n/\xFF")).collect(),
        "SCSU" => {
            let tags =
                b"\x01\x08\x0B\x0B\x0C\x0E\x0E\x0F\x0F\x10\x17\x18\x1F\xE0\xE7\xE8\xEF\xF0\xF1\xF2";
            let others = b"\0\n a\x4E\x68\x80\xA8\xD8\xD8\xDC\xDC\xF9\xFF";
            let mut one =
                || if random.below(2) == 0 { random.pick(tags) } else { random.pick(others) };
            (0..len).map(|_| one()).collect()
        }
        _ => {
            let some =
                b"\0\n \x01\x1F\x21\x22\x24\x25\x4F\x50\x6F\x71\x90\xCF\xD0\xFA\xFB\xFD\xFE\xFF";
            (0..len).map(|_| random.pick(some)).collect()
        }
    };
    if random.below(3) == 0 {
        let text = random.text(6, 0x10_FFFF);
        bytes.extend(convert(&strict("UTF-8", name), text.as_bytes()).output);
    }
    bytes
}

#[test]
fn random_bytes_however_cut_and_stopped() {
    let mut random = Random(0xCAFE);
    for name in NAMES {
        for case in 0..4000 {
            let input = nearly(name, &mut random);
            let to = random.pick(&["UTF-8", "US-ASCII", "UTF-7", "SCSU", "BOCU-1"]);
            let what = format!("{name} to {to}, case {case}: {input:X?}");
            let conversion = replacing(name, to);
            let whole = convert(&conversion, &input);
            let cuts: Vec<usize> = (1..input.len()).filter(|_| random.below(2) == 0).collect();
            assert_eq!(convert_cut(&conversion, &input, &cuts, case % 2 == 0), whole, "{what}");
            assert_eq!(convert(&strict(to, "UTF-32LE"), &whole.output).places(), [], "{what}");
            let mut end = 0;
            for found in &whole.found {
                assert!(found.offset >= end && !found.bytes.is_empty(), "{what}");
                end = found.end();
            }
            assert!(end <= input.len() as u64, "{what}");
            // The bytes before the first fault are well-formed, and a strict conversion writes them.
            let stopped = convert(&strict(name, to), &input);
            if let Some(first) = whole.found.first() {
                assert_eq!(stopped.places()[0], first.place(), "{what}");
                let good = convert(&strict(name, to), &input[..first.offset as usize]);
                assert_eq!(good.places(), [], "{what}");
                assert_eq!(good.output, stopped.output, "{what}");
            } else {
                assert_eq!(stopped.output, whole.output, "{what}");
            }
        }
    }
}
