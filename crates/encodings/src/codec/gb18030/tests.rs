use super::*;
use IllFormedKind::{InvalidByte, Truncated, UndefinedSequence};

#[test]
fn the_digits_of_a_four_byte_code_are_never_part_of_an_ill_formed_subsequence() {
    for (input, kind) in [
        (&b"\x80"[..], InvalidByte),
        (b"\xFF\x30", InvalidByte),
        (b"\x81\x20", Truncated),
        (b"\x81\x7F", Truncated),
        (b"\x81\xFF", Truncated),
        (b"\x81\x30\x30", Truncated),
        (b"\x81\x30\x80", Truncated),
        (b"\x81\x30\x81\x40", Truncated),
        (b"\x81\x30\x81\x81", Truncated),
        // The codes after U+FFFF and after U+10FFFF, and the last of all.
        (b"\x84\x31\xA5\x30", UndefinedSequence),
        (b"\xE3\x32\x9A\x36", UndefinedSequence),
        (b"\xFE\x39\xFE\x39", UndefinedSequence),
    ] {
        assert_eq!(Gb18030::new(Edition::Of2022).decode_one(input), ill_formed(kind), "{input:X?}");
    }
    for input in [&b"\x81"[..], b"\x81\x30", b"\x81\x30\x81"] {
        assert_eq!(
            Gb18030::new(Edition::Of2022).decode_one(input),
            Decoded::Incomplete,
            "{input:X?}"
        );
    }
}

#[test]
fn the_exchanged_characters_are_those_of_the_edition_of_2022() {
    for (bytes, cp) in [
        (&b"\xA8\xBC"[..], 0x1E3F),
        (b"\x81\x35\xF4\x37", 0xE7C7),
        (b"\xA6\xD9", 0xFE10),
        (b"\x84\x31\x82\x36", 0xE78D),
        (b"\xFE\x59", 0x9FB4),
        (b"\x82\x35\x90\x37", 0xE81E),
        (b"\xFE\x51", 0xE816),
        (b"\x95\x32\x90\x31", 0x2_0087),
        (b"\xA3\xA0", 0xE5E5),
        (b"\x84\x31\xA4\x39", 0xFFFF),
        (b"\x90\x30\x81\x30", 0x1_0000),
        (b"\xE3\x32\x9A\x35", 0x10_FFFF),
    ] {
        let len = bytes.len();
        assert_eq!(
            Gb18030::new(Edition::Of2022).decode_one(bytes),
            Decoded::Character { cp, len },
            "{bytes:X?}"
        );
        assert_eq!(
            Gb18030::new(Edition::Of2022).encode_one(cp),
            Some(Encoded::new(bytes)),
            "{cp:X}"
        );
    }
}

#[test]
fn an_earlier_edition_has_private_characters_where_later_ones_have_real_ones() {
    for (bytes, cps) in [
        (&b"\xA8\xBC"[..], [0xE7C7, 0x1E3F, 0x1E3F]),
        (b"\x81\x35\xF4\x37", [0x1E3F, 0xE7C7, 0xE7C7]),
        (b"\xA6\xD9", [0xE78D, 0xE78D, 0xFE10]),
        (b"\x84\x31\x82\x36", [0xFE10, 0xFE10, 0xE78D]),
        (b"\xFE\x59", [0xE81E, 0xE81E, 0x9FB4]),
        (b"\x82\x35\x90\x37", [0x9FB4, 0x9FB4, 0xE81E]),
        (b"\x84\x31\xA4\x39", [0xFFFF; 3]),
    ] {
        for (edition, cp) in [Edition::Of2000, Edition::Of2005, Edition::Of2022].iter().zip(cps) {
            let (codec, len) = (Gb18030::new(*edition), bytes.len());
            assert_eq!(codec.decode_one(bytes), Decoded::Character { cp, len }, "{bytes:X?}");
            assert_eq!(codec.encode_one(cp), Some(Encoded::new(bytes)), "{cp:X}");
        }
    }
}

/// The Encoding Standard, 10.2: the decoder, the encoder and its table of private-use code points.
#[test]
fn the_web_reads_both_codes_of_a_character_and_writes_private_ones_as_two_bytes() {
    let codec = Gb18030::new(Edition::OfTheWeb);
    for (bytes, cp, written) in [
        (&b"\x80"[..], 0x20AC, &b"\xA2\xE3"[..]),
        (b"\xA2\xE3", 0x20AC, b"\xA2\xE3"),
        (b"\xA3\xA0", 0x3000, b"\xA1\xA1"),
        (b"\xA6\xD9", 0xFE10, b"\xA6\xD9"),
        (b"\x84\x31\x82\x36", 0xFE10, b"\xA6\xD9"),
        (b"\xFE\x59", 0x9FB4, b"\xFE\x59"),
        (b"\x82\x35\x90\x37", 0x9FB4, b"\xFE\x59"),
        (b"\x81\x35\xF4\x37", 0xE7C7, b"\x81\x35\xF4\x37"),
        (b"\xA8\xBC", 0x1E3F, b"\xA8\xBC"),
        (b"\xE3\x32\x9A\x35", 0x10_FFFF, b"\xE3\x32\x9A\x35"),
    ] {
        let len = bytes.len();
        assert_eq!(codec.decode_one(bytes), Decoded::Character { cp, len }, "{bytes:X?}");
        assert_eq!(codec.encode_one(cp), Some(Encoded::new(written)), "{cp:X}");
    }
    assert_eq!(codec.encode_one(0xE78D), Some(Encoded::new(b"\xA6\xD9")));
    assert_eq!(codec.encode_one(0xE864), Some(Encoded::new(b"\xFE\xA0")));
    assert_eq!(codec.encode_one(0xE5E5), None);
    // In long runs, between characters for the fast loops.
    let text = b"5\x80 \xB5\xB1\x80\x84\x31\x82\x36\xB5\xB1\xB5\xB1\x805";
    let expected = [0x35, 0x20AC, 0x20, 0x5F53, 0x20AC, 0xFE10, 0x5F53, 0x5F53, 0x20AC, 0x35];
    let (mut characters, mut read, mut written) = ([0; 16], 0, 0);
    while read < text.len() {
        let run = codec.decode_run(&text[read..], &mut characters[written..]);
        (read, written) = (read + run.read, written + run.written);
        if let Some(rest) = text.get(read..).filter(|rest| !rest.is_empty()) {
            let Decoded::Character { cp, len } = codec.decode_one(rest) else { panic!() };
            characters[written] = cp;
            (read, written) = (read + len, written + 1);
        }
    }
    assert_eq!(&characters[..written], expected);
    let private = [0xFE10, 0xE78D, 0x10000, 0xFE10, 0xE78D, 0x10000, 0xFE10, 0xE78D];
    let mut bytes = [0; 64];
    let run = codec.encode_run(&private, &mut bytes);
    let pair = b"\xA6\xD9\xA6\xD9\x90\x30\x81\x30".repeat(3);
    assert_eq!(&bytes[..run.written], &pair[..20]);
}

#[test]
fn runs_have_every_code_of_four_bytes_and_nothing_else() {
    let codec = Gb18030::new(Edition::Of2022);
    let (mut number, mut characters, mut bytes) = (0, [0; 1260], vec![0; 4 * 1260]);
    for first in (0x81..=0xFE).flat_map(|a| (0x30..=0x39).map(move |b| [a, b])) {
        let second = (0x81..=0xFE).flat_map(|c| (0x30..=0x39).map(move |d| [c, d]));
        let text: Vec<u8> = second.flat_map(|[c, d]| [first[0], first[1], c, d]).collect();
        let run = codec.decode_run(&text, &mut characters);
        // The standard has 39,420 codes for the BMP, none up to 189,000, and 16 planes.
        let known = match number {
            0..189_000 => 39_420_usize.saturating_sub(number),
            _ => (189_000_usize + (16 << 16)).saturating_sub(number),
        };
        assert_eq!(run.written, known.min(1260), "{first:X?}");
        assert_eq!(run.read, 4 * run.written, "{first:X?}");
        if number >= 189_000 {
            let expected = (0x1_0000 + number - 189_000..).take(run.written);
            assert!(expected.eq(characters[..run.written].iter().map(|cp| *cp as usize)));
        }
        let back = codec.encode_run(&characters[..run.written], &mut bytes);
        assert_eq!(bytes[..back.written], text[..run.read], "{first:X?}");
        number += 1260;
    }
    for (position, byte) in (0..4).flat_map(|at| (0..=u8::MAX).map(move |byte| (at, byte))) {
        let mut code = [0x90, 0x30, 0x81, 0x30];
        code[position] = byte;
        // A lead byte from 85 to 8F, or above E3, has no characters.
        let defined = match position {
            0 => (0x81..=0x84).contains(&byte) || (0x90..=0xE3).contains(&byte),
            2 => (0x81..=0xFE).contains(&byte),
            _ => byte.is_ascii_digit(),
        };
        let (_, none) = FourBytes::of(Edition::Of2022).look_up(u32::from_le_bytes(code));
        assert_eq!(none, !defined, "{code:X?}");
    }
}
