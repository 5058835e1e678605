use super::*;

fn beyond(text: &[u8]) -> Vec<u8> {
    SampleWords::of(&DetectionSample::of(text, true)).non_ascii
}

#[test]
fn only_words_that_a_sentence_may_have_tell_the_language() {
    for (text, expected) in [
        ("Say \"Hello,\" (please) OK?", "Say Hello please OK"),
        // Base64, hexadecimal numbers, code.
        ("R28/aGVsbG8+d29y", ""),
        ("deadbeef0 0xABCDEF", ""),
        ("fooBar(x, self.len); get_it", ""),
    ] {
        let words =
            SampleWords::of(&DetectionSample::of(&[text.as_bytes(), b" \xE9"].concat(), true));
        let words = String::from_utf8(words.ascii).unwrap();
        assert_eq!(words.trim(), expected, "{text}");
    }
}

#[test]
fn tags_are_no_part_of_words() {
    assert_eq!(beyond(b"<item id=\"0\"><b>\xC4\xEE\xEC</b></item>"), b" \xC4\xEE\xEC ");
    assert_eq!(beyond(b"<a\xE9>b</\nc> \xE9<"), b" <a\xE9>b< \xE9< ");
}

#[test]
fn what_is_repeated_counts_a_few_times() {
    assert_eq!(beyond(&b"na\xEFve, caf\xE9; ".repeat(2)), b" na\xEFve caf\xE9; na\xEFve caf\xE9; ");
    assert_eq!(beyond(&b"caf\xE9 ".repeat(9)), b" caf\xE9 caf\xE9 caf\xE9 ");
    assert_eq!(beyond(b"\xA31 \xA32 and \xA344 or \xB01"), b" \xA31 \xB01 ");
}
