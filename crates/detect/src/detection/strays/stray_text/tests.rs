use super::*;
use crate::detection::Detector;

/// The pieces make no difference.
#[test]
fn a_text_may_come_in_pieces() {
    // AF and BC are Ż and ź.
    let text = [
        "Zażółć gęślą jaźń. Pchnąć w tę łódź jeża lub ośm skrzyń fig. ".as_bytes(),
        b"\xAF\xF3\xB3w i \xBCd\xBCb\xB3o ",
    ]
    .concat();
    let clean = text.iter().position(|byte| *byte == 0xAF).unwrap();
    let mut pieces = StrayText::default();
    pieces.look(&text[..clean], false);
    pieces.look(&text[clean..], true);
    let Some((_, Recovery::Among(strays))) = pieces.judge(true) else { panic!("no strays") };
    assert_eq!(strays.encoding.name(), "ISO-8859-2");
}

/// The hints judge the first word with a non-ASCII byte as a whole, as the detector does.
#[test]
fn the_answer_is_that_of_the_detector_after_any_length_of_ascii() {
    for word in [&b"k\xF6nnen"[..], b"f\x81r", b"sekund\xE6rt", b"hinzugef\x9Fgt", b"\xFAdaje"] {
        for lines in [0, 10, 120, 2000] {
            let ascii = b"The quick brown fox jumps over the lazy dog.\n".repeat(lines);
            let detection = Detector::new().detect(&[&ascii[..], word, b"\n"].concat());
            for piece in [1, 700, 10_000] {
                let mut pieces = StrayText::default();
                ascii.chunks(piece).for_each(|piece| pieces.look(piece, false));
                pieces.look(&[word, b"\n"].concat(), true);
                let (answer, _) = pieces.judge(true).unwrap();
                let what = || format!("{} after {lines} lines", word.escape_ascii());
                assert_eq!(answer, detection, "{}", what());
            }
        }
    }
}
