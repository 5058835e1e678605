use super::*;

#[test]
fn signs_stand_beside_words_and_not_inside() {
    for text in [
        &b"8.3 \xB0C, 5 \xB5m, 30 m\xB2"[..],
        b"Name\xA0: \x93word\x94, it\x92s",
        b"Chapter \x85\x85\x85 5",
        b"\x97\x97\x97\x97\n\xA4\xA4\xA4",
        b"\xA9 1998 Word\x99 \x96 n.\xBA 5",
        b"plain",
    ] {
        assert!(all_stand_as_signs(text, Encoding::WINDOWS_1252), "{}", text.escape_ascii());
    }
    for text in [
        // "fällt" and "für" in IBM850, "był" in windows-1250 with a letter after it, "да" and "ВНИМАНИЕ" in IBM866.
        &b"f\x84llt"[..],
        b"f\x81r",
        b"by\xB3a",
        b"\xA4\xA0",
        b"\x82\x8D\x88\x8C\x80\x8D\x88\x85",
        // A bar of ░ and a frame in IBM437.
        b"\xB0\xB0\xB0\xB0",
        b"\xC9\xCD\xBB",
        // "café" in windows-1252, and in IBM850, whose 82 would be an opening quotation mark.
        b"caf\xE9",
        b"caf\x82",
    ] {
        assert!(!all_stand_as_signs(text, Encoding::WINDOWS_1252), "{}", text.escape_ascii());
    }
}
