use super::*;
use crate::codec::MIN_OUTPUT;
use crate::codec::test_support::{WalkStep, encoded_in_parts, walk_in_parts};

fn read(bytes: &[u8]) -> String {
    walk_in_parts(&Tscii, bytes)
        .into_iter()
        .map(|seen| match seen {
            WalkStep::Is(cp) => char::from_u32(cp).unwrap(),
            WalkStep::Bad(1, IllFormedKind::InvalidByte) => '\u{FFFD}',
            bad => panic!("{bad:?}"),
        })
        .collect()
}

fn written(text: &str) -> Vec<u8> {
    let text: Vec<u32> = text.chars().map(u32::from).collect();
    encoded_in_parts(&TsciiEncoder::default(), &text)
}

/// As glibc's iconv writes and reads them.
#[test]
fn tscii_has_the_order_of_writing() {
    for (text, bytes) in [
        (
            "கெ கே கை கொ கோ கௌ",
            &b"\xA6\xB8 \xA7\xB8 \xA8\xB8 \xA6\xB8\xA1 \xA7\xB8\xA1 \xA7\xB8\xAA"[..],
        ),
        ("கு ஙு சு ஞு டு ணு னு", b"\xCC \x99 \xCD \x9A \xCE \xCF \xDB"),
        ("கூ ஙூ சூ ஞூ டூ ணூ னூ", b"\xDC \x9B \xDD \x9C \xDE \xDF \xEB"),
        ("டி டீ கி கீ ஜு ஸு ஹூ", b"\xCA \xCB \xB8\xA2 \xB8\xA3 \x83\xA4 \x8A\xA4 \x8B\xA5"),
        ("க் ன் ஜ் ஸ் க்ஷ க்ஷ் க்க் ஸ்ரீ ஸ்ர", b"\xEC \xFD \x88 \x8A \x87 \x8C \xEC\xEC \x82 \x8A\xC3"),
        ("தமிழ் அஆஇஃ ௧௲ ‘’“”©", b"\xBE\xC1\xA2\xFA \xAB\xAC\xFE\xB7 \x81\x9F \x91\x92\x93\x94\xA9"),
        ("ொ ோ ௌ", b"\xA6\xA1 \xA7\xA1 \xA7\xAA"),
        ("க்கை ஸ்ஸ்ரீக", b"\xEC\xA8\xB8 \x8A\x82\xB8"),
    ] {
        assert_eq!(written(text), bytes, "{text}");
        assert_eq!(read(bytes), text);
    }
    assert_eq!(written("ஸெ க்ஷு ஸ்ரு ஸ்ரெ"), b"\x85\xA6 \x87\xA4 \x8A\xC3\xA4 \x8A\xC3\xA6");
    assert_eq!(written("ஸ்ர்"), b"\x8A\xF7");
    assert_eq!(read(b"\xAD\xA6\x85\xA6"), "இெஸெ");
    assert_eq!(read(b"\xA0\xA6\xFF"), "\u{FFFD}ெ\u{FFFD}");
}

#[test]
fn tscii_writes_what_it_holds_before_what_is_unmappable() {
    let (mut encoder, mut room) = (TsciiEncoder::default(), [0; MIN_OUTPUT]);
    let done = encoder.encode(&[KA, 0xE9], &mut room);
    assert_eq!((done.read, done.written, done.stop), (1, 1, EncodeStop::Unmappable));
    assert_eq!((room[0], encoder.pending()), (0xB8, 0));
    let done = encoder.encode(&[VIRAMA], &mut room);
    assert_eq!((done.read, done.written, done.stop), (0, 0, EncodeStop::Unmappable));
}
