use IllFormedKind::{InvalidByte, InvalidEscape, Truncated, TruncatedAtEnd, UndefinedSequence};

use super::*;
use crate::codec::test_support::{
    WalkStep, WalkStep::Bad, WalkStep::Is, encoded_in_parts, walk_in_parts,
};
use crate::codec::{
    DecodeProgress, DecodeStop, Decoder, EncodeStop, Joining, MIN_OUTPUT, Stateful,
};

fn walk(version: &'static Iso2022Version, input: &[u8]) -> Vec<WalkStep> {
    walk_in_parts(&Stateful::new(Iso2022::new(version)), input)
}

fn written(version: &'static Iso2022Version, text: &str) -> Vec<u8> {
    let text: Vec<_> = text.chars().map(u32::from).collect();
    encoded_in_parts(&Joining::new(Iso2022Encoder::new(version)), &text)
}

/// Checks that the text is encoded to these bytes, and that they are decoded to the text.
fn both(version: &'static Iso2022Version, text: &str, bytes: &[u8]) {
    assert_eq!(written(version, text), bytes, "{text}");
    let read: Vec<_> = text.chars().map(|c| Is(c.into())).collect();
    assert_eq!(walk(version, bytes), read, "{text}");
}

#[test]
fn japanese_mail_returns_to_ascii_before_controls_and_at_the_end() {
    // RFC 1468 and JIS X 0208: 467C is the ideograph for the sun, 2421 small hiragana a.
    both(&ISO_2022_JP, "a日ぁ b\n日", b"a\x1B$BF|$!\x1B(B b\n\x1B$BF|\x1B(B");
    both(&ISO_2022_JP, "¥a\\日~", b"\x1B(J\\a\x1B(B\\\x1B$BF|\x1B(B~");
    assert_eq!(walk(&ISO_2022_JP, b"\x1B$@F|\n\x1B(J~"), [Is(0x65E5), Is(0x0A), Is(0x203E)]);
    both(&ISO_2022_JP_1, "丂", b"\x1B$(D0!\x1B(B");
}

#[test]
fn a_version_for_several_languages_prefers_what_is_designated() {
    both(&ISO_2022_JP_2, "中们们中日", b"\x1B$BCf\x1B$ACGCGVPHU\x1B(B");
    both(&ISO_2022_JP_2, "日가一", b"\x1B$BF|\x1B$(C0!li\x1B(B");
    // G2 keeps ISO-8859-1 up to the line feed.
    both(
        &ISO_2022_JP_2,
        "é·é\n·日·",
        b"\x1B$(D+1\x1B.A\x1BN7+1\x1B(B\n\x1B.A\x1BN7\x1B$BF|\x1BN7\x1B(B",
    );
    both(&ISO_2022_JP_2, "€α", b"\x1B.F\x1BN$\x1BNa");
    both(&ISO_2022_JP_2, "ｱa", b"\x1B(I1\x1B(Ba");
}

#[test]
fn jis_x_0213_has_codes_for_two_code_points() {
    both(&ISO_2022_JP_3, "日か゚日か", b"\x1B$BF|\x1B$(O$wF|$+\x1B(B");
    // A character that the edition of 2004 added needs the escape sequence of that edition.
    both(&ISO_2022_JP_3, "é噓é", b"\x1B$(O)_\x1B$(Qt')_\x1B(B");
    both(&ISO_2022_JP_3, "丂", b"\x1B$(P!\"\x1B(B");
}

#[test]
fn korean_mail_has_a_header_and_shifts() {
    both(&ISO_2022_KR, "a가b\n가", b"\x1B$)Ca\x0E0!\x0Fb\n\x0E0!\x0F");
    assert_eq!(written(&ISO_2022_KR, ""), b"");
    // A line end returns to ASCII, although SI should precede it.
    assert_eq!(walk(&ISO_2022_KR, b"\x0E0!\n0!"), [Is(0xAC00), Is(0x0A), Is(0x30), Is(0x21)]);
}

#[test]
fn chinese_mail_designates_anew_on_each_line() {
    both(&ISO_2022_CN, "a中 中\n中", b"a\x1B$)A\x0EVP\x0F \x0EVP\x0F\n\x1B$)A\x0EVP\x0F");
    both(&ISO_2022_CN, "中臺中", b"\x1B$)A\x0EVP\x1B$)GjWDc\x0F".as_slice());
    // Characters of plane 2 of CNS 11643 follow a single shift; U+4E42 is 2121.
    both(&ISO_2022_CN, "乂乂中", b"\x1B$*H\x1BN!!\x1BN!!\x1B$)A\x0EVP\x0F");
    both(&ISO_2022_CN_EXT, "𠀋中𠀋", b"\x1B$+I\x1BO!D\x1B$)A\x0EVP\x1BO!D\x0F");
}

#[test]
fn katakana_of_half_width_stand_where_the_version_has_them() {
    both(&CP50221, "ｱ日a", b"\x1B(I1\x1B$BF|\x1B(Ba");
    both(&CP50222, "ｱa", b"\x0E1\x0Fa");
    both(&JIS_7, "ｱa", b"\x0E1\x0Fa");
    both(&JIS_8, "ｱ日ｱ", b"\xB1\x1B$BF|\xB1\x1B(B");
    for version in [&CP50221, &CP50222] {
        let expected = [Is(0xFF71), Is(0xFF71), Is(0xFF71), Is(0x5C)];
        assert_eq!(walk(version, b"\xB1\x0E1\x0F\x1B(I1\x1B(J\\"), expected);
    }
}

#[test]
fn an_ill_formed_subsequence_leaves_what_follows_it() {
    for (input, expected) in [
        (&b"\x1B$(DA"[..], &[Bad(1, InvalidEscape), Is(0x24), Is(0x28), Is(0x44), Is(0x41)][..]),
        (b"\x1B$BF\nA", &[Bad(1, Truncated), Is(0x0A), Bad(1, TruncatedAtEnd)]),
        (b"\x1B$B)!F|", &[Bad(2, UndefinedSequence), Is(0x65E5)]),
        (b"\x1B$BF\x80", &[Bad(1, Truncated), Bad(1, InvalidByte)]),
        (b"\x0Ea\xFF", &[Is(0x0E), Is(0x61), Bad(1, InvalidByte)]),
        (b"\x1B", &[Bad(1, TruncatedAtEnd)]),
        (b"\x1B$", &[Bad(2, TruncatedAtEnd)]),
    ] {
        assert_eq!(walk(&ISO_2022_JP, input), expected, "{input:X?}");
    }
    for (input, expected) in [
        (&b"\x1BNi"[..], &[Bad(2, InvalidEscape), Is(0x69)][..]),
        (b"\x1B.A\x1BNi\x1BN\n", &[Is(0xE9), Bad(2, Truncated), Is(0x0A)]),
        (b"\x1B.F\x1BN\x7Fa", &[Bad(3, UndefinedSequence), Is(0x61)]),
        (b"\x1B.F\x1BN", &[Bad(2, TruncatedAtEnd)]),
        (b"\x1B.F\x1B", &[Bad(1, TruncatedAtEnd)]),
        (b"\x1B(Ia1", &[Bad(1, InvalidByte), Is(0xFF71)]),
    ] {
        assert_eq!(walk(&ISO_2022_JP_2, input), expected, "{input:X?}");
    }
    for (input, expected) in [
        (&b"\x0E0!"[..], &[Bad(1, InvalidByte), Is(0x30), Is(0x21)][..]),
        (b"\x1B$*H\x1BN!\n", &[Bad(2, Truncated), Is(0x21), Is(0x0A)]),
        (b"\x1B$*H\x1BN!", &[Bad(3, TruncatedAtEnd)]),
        (b"\x1B$*H\x1BN~~a", &[Bad(4, UndefinedSequence), Is(0x61)]),
    ] {
        assert_eq!(walk(&ISO_2022_CN, input), expected, "{input:X?}");
    }
}

#[test]
fn without_room_only_a_change_of_state_is_read() {
    let mut decoder = Stateful::new(Iso2022::new(&ISO_2022_JP));
    let done = decoder.decode(b"\x1B$BF|", &mut [], false);
    assert_eq!(done, DecodeProgress { read: 3, written: 0, stop: DecodeStop::OutputFull });
    let mut output = [0; 2];
    let done = decoder.fork().decode(b"F|F|", &mut output, true);
    assert_eq!(done, DecodeProgress { read: 4, written: 2, stop: DecodeStop::InputEmpty });
    assert_eq!(output, [0x65E5, 0x65E5]);
    let done = Stateful::new(Iso2022::new(&ISO_2022_JP)).decode(b"a\x1B$BF|", &mut [0], true);
    assert_eq!(done, DecodeProgress { read: 1, written: 1, stop: DecodeStop::OutputFull });
}

#[test]
fn an_escape_sequence_is_written_with_its_character_or_not_at_all() {
    let mut encoder = Iso2022Encoder::new(&ISO_2022_JP);
    let mut output = [0; MIN_OUTPUT];
    let done = encoder.encode(&[0x61, 0x65E5], &mut output[..5]);
    assert_eq!(done, EncodeProgress { read: 1, written: 1, stop: EncodeStop::OutputFull });
    let done = encoder.encode(&[0x65E5], &mut output[..5]);
    assert_eq!(done, EncodeProgress { read: 1, written: 5, stop: EncodeStop::InputEmpty });
    assert_eq!(&output[..5], b"\x1B$BF|");
    assert_eq!((encoder.finish(&mut output), encoder.finish(&mut output[8..])), (3, 0));
    assert_eq!(&output[..3], b"\x1B(B");
}

#[test]
fn what_would_be_an_escape_sequence_or_a_shift_is_unmappable() {
    for (version, cp, stop) in [
        (&ISO_2022_JP, 0x1B, EncodeStop::Unmappable),
        (&ISO_2022_JP, 0x0E, EncodeStop::InputEmpty),
        (&ISO_2022_KR, 0x0E, EncodeStop::Unmappable),
        (&ISO_2022_CN, 0x0F, EncodeStop::Unmappable),
        (&ISO_2022_JP, 0x80, EncodeStop::Unmappable),
    ] {
        let done = Iso2022Encoder::new(version).encode(&[cp], &mut [0; MIN_OUTPUT]);
        assert_eq!(done.stop, stop, "{cp:X}");
    }
}

#[test]
fn compound_text_has_latin_1_and_the_other_sets_on_the_right() {
    both(&COMPOUND_TEXT, "añ\nłłñ", b"a\xF1\n\x1B-B\xB3\xB3\x1B-A\xF1");
    both(&COMPOUND_TEXT, "я日가a", b"\x1B-L\xEF\x1B$)B\xC6\xFC\x1B$)C\xB0\xA1a");
    let read = walk(&COMPOUND_TEXT, b"\x1B$(BF|\x1B(J\\\x1B)I\xB1\x1B(Ba");
    assert_eq!(read, [Is(0x65E5), Is(0xA5), Is(0xFF71), Is(0x61)]);
    let read = walk(&COMPOUND_TEXT, b"\x1B$)B\xC6a\xC6\xE9\xFF\x80");
    let bad = |kind| Bad(1, kind);
    let expected = [bad(Truncated), Is(0x61), Is(0x934B), bad(InvalidByte), bad(InvalidByte)];
    assert_eq!(read, expected);
}

#[test]
fn a_code_of_94_characters_has_two_bytes_in_their_range() {
    for code in 0..=0xFFFF_u16 {
        let both = code.to_be_bytes().iter().all(|byte| (0x21..=0x7E).contains(byte));
        assert_eq!(is_in_94(code), both, "{code:X}");
    }
}
