use super::*;

fn encoding(words: &KnownWords, before: &[u8], line: &[u8]) -> Option<&'static Encoding> {
    words.encoding(LineWords::non_ascii(before, line))
}

fn learn(words: &mut KnownWords, before: &[u8], line: &[u8], encoding: &'static Encoding) {
    words.learn(LineWords::non_ascii(before, line), encoding, 1);
}

#[test]
fn a_word_is_known_after_a_few_lines_and_unless_it_was_read_in_two_ways() {
    let mut words = KnownWords::default();
    // "été" is the same in both, "œuf" is in one of them only.
    for _ in 0..MIN_LINES {
        assert_eq!(encoding(&words, b"un ", b"\xE9t\xE9"), None);
        learn(&mut words, b"un ", b"\xE9t\xE9", Encoding::ISO_8859_1);
        learn(&mut words, b"", b"\x9Cuf", Encoding::WINDOWS_1252);
    }
    assert_eq!(encoding(&words, b"l'", b"\xE9t\xE9 + x"), Some(Encoding::ISO_8859_1));
    assert_eq!(encoding(&words, b"x", b"\xE9t\xE9"), None, "another word");
    learn(&mut words, b"", b"\xE9t\xE9", Encoding::WINDOWS_1252);
    assert_eq!(encoding(&words, b"", b"\xE9t\xE9 \x9Cuf"), Some(Encoding::WINDOWS_1252));
    // A word that was read in two ways stays unknown, whatever later lines are in.
    learn(&mut words, b"", b"\xE9t\xE9", Encoding::KOI8_R);
    learn(&mut words, b"", b"\xE9t\xE9", Encoding::WINDOWS_1252);
    assert_eq!(encoding(&words, b"", b"\xE9t\xE9"), None);
    let other = encoding(&words, b"", b"\xE9t\xE9 \x9Cuf");
    assert_eq!(other, Some(Encoding::WINDOWS_1252), "the other word tells");
}

#[test]
fn what_is_remembered_is_bounded() {
    let mut words = KnownWords::default();
    for number in 0..2 * MAX_WORDS {
        learn(&mut words, format!("x{number}").as_bytes(), b"\xE9", Encoding::ISO_8859_1);
    }
    assert_eq!(words.words.len(), MAX_WORDS);
}
