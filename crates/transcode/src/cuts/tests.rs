use super::*;
use crate::Options;

fn cuts(from: &str, head: &[u8], options: Options) -> Cuts {
    let from = Encoding::for_name(from).unwrap();
    Cuts::new(&options.build(from, Encoding::UTF_8).unwrap(), Some(head)).unwrap()
}

fn all(cuts: &Cuts, text: &[u8]) -> Vec<Option<u64>> {
    let size = text.len() as u64;
    (0..=text.len()).map(|border| cuts.cut(border as u64, &text[border..], size)).collect()
}

#[test]
fn a_cut_is_after_the_next_line_feed() {
    let utf8 = cuts("utf-8", b"", Options::new());
    assert_eq!(all(&utf8, b"ab\n\nc\n"), [3, 3, 3, 4, 6, 6, 6].map(Some));
    // In UTF-16LE a line feed is 0A 00 between two units; 00 0A and 0A 0A 00 are not.
    let utf16 = cuts("utf-16", b"\xFF\xFE", Options::new());
    assert_eq!(utf16.encoding(), Encoding::UTF_16LE);
    let text = b"\xFF\xFEa\x0A\x0A\x0A\x0A\0b\0";
    assert_eq!(all(&utf16, text)[..8], [8, 8, 8, 8, 8, 8, 8, 10].map(Some));
    // Line feed is 25 in IBM1047, and 15 there means U+0085.
    let ebcdic = cuts("ibm1047", b"", Options::new());
    assert_eq!(all(&ebcdic, b"\x0A\x81\x25\x81\x81\x81\x81\x81\x81\x81")[0], Some(3));
}

#[test]
fn without_a_line_feed_a_cut_is_after_a_complete_character() {
    let text = "aaaaaaaaaé€😀é".as_bytes();
    let utf8 = cuts("utf-8", b"", Options::new());
    // Never within 8 bytes of the start, and never next to an ill-formed sequence.
    let expected = [9, 9, 9, 9, 9, 9, 9, 9, 9, 11, 14, 14, 18, 18, 18, 20, 20, 20, 20, 20, 20];
    assert_eq!(all(&utf8, text), expected.map(Some));
    let broken = b"aaaaaaaa\xE2\x82\x82\xFF\xE2\x82\xE2\x82\xACb";
    assert_eq!(all(&utf8, broken)[9..13], [17, 17, 17, 17].map(Some));
    let utf16 = cuts("utf-16be", b"", Options::new());
    let text = b"\0a\0a\0a\0a\xD8\x3D\xD8\x3D\xDE\0\0b";
    assert_eq!(all(&utf16, text)[8..], [14, 14, 14, 14, 14, 16, 16, 16, 16].map(Some));
    let ebcdic = cuts("ibm037", b"", Options::new());
    assert_eq!(all(&ebcdic, &[0x81; 11])[7..], [9, 9, 10, 11, 11].map(Some));
    let cp932 = cuts("cp932", b"", Options::new());
    let text = [&[0x82; 100][..], b" ", &[0x82; MARGIN]].concat();
    let size = 1 << 40;
    assert_eq!(cp932.cut(1000, &text[..MARGIN], size), Some(1101));
    assert_eq!(cp932.cut(1000, &text[101..], size), None);
    assert_eq!(cp932.cut(1000, &text[101..], 1000 + MARGIN as u64), Some(1000 + MARGIN as u64));
}

#[test]
fn what_is_held_from_character_to_character_is_cut_after_lines() {
    let text = b"aaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    let denied = Options::new().deny([crate::diagnostic::DeniedKind::Invisible]);
    assert_eq!(cuts("utf-8", b"", denied).cut(10, &text[10..20], 28), None);
    assert_eq!(cuts("cesu-8", b"", Options::new()).cut(10, &text[10..20], 28), None);
    assert_eq!(cuts("utf-8", b"", Options::new()).cut(10, &text[10..20], 28), Some(11));
}

#[test]
fn records_are_cut_between_records() {
    let length = |length| Options::new().record_length(std::num::NonZeroU64::new(length).unwrap());
    let ebcdic = cuts("ibm1047", b"", length(7));
    assert_eq!(all(&ebcdic, &[0x25; 16])[..9], [0, 7, 7, 7, 7, 7, 7, 7, 14].map(Some));
    assert_eq!(ebcdic.cut(15, &[0x25], 16), Some(16), "the last record is short");
}

#[test]
fn a_text_with_a_state_across_lines_is_not_cut() {
    let uncut = |from: &str, to: &str, head| {
        let from = Encoding::for_name(from).unwrap();
        let conversion = Options::new().build(from, Encoding::for_name(to).unwrap()).unwrap();
        Cuts::new(&conversion, head).map(drop).map_err(|error| error.to_string())
    };
    let error =
        "ISO-2022-JP is stateful, and its state carries over from line to line (convert the whole text in one run)"
            .to_owned();
    assert_eq!(uncut("iso-2022-jp", "utf-8", Some(b"")), Err(error.clone()));
    assert_eq!(uncut("utf-8", "iso-2022-jp", Some(b"")), Err(error));
    let error = "the byte order of UTF-16 depends on the first bytes of the text (name UTF-16BE or UTF-16LE)";
    assert_eq!(uncut("utf-16", "utf-8", None), Err(error.to_owned()));
    assert_eq!(uncut("utf-16be", "utf-8", None), Ok(()));
    assert_eq!(uncut("utf-8", "utf-16", None), Ok(()));
}
