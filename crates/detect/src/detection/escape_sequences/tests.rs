use super::*;

fn seen(text: &[u8]) -> Option<&'static str> {
    judge(&DetectionSample::of(text, true), Expected::default())
        .map(|detection| detection.encoding.name())
}

/// The bytes are those of the standards: RFC 1468, 1554, 1557, 1843, 1922, 2152, 2237, and JIS X 0213.
#[test]
fn the_first_edition_that_reads_everything_is_the_answer() {
    for (text, expected) in [
        (&b"\x1B$B$3$s$K$A$O\x1B(B hello\n"[..], Some("ISO-2022-JP")),
        (b"\x1B$@4A;z\x1B(J yen\n", Some("ISO-2022-JP")),
        // JIS X 0212, GB 2312 and the right half of ISO 8859-1.
        (b"\x1B$(D0!\x1B(B\n", Some("ISO-2022-JP-1")),
        (b"\x1B$A;*JV\x1B(B \x1B.A\x1BNi\n", Some("ISO-2022-JP-2")),
        // Half-width katakana, and a circled digit of NEC.
        (b"\x1B(I1234\x1B(B\n", Some("ISO-2022-JP-MS")),
        (b"\x1B$B-!\x1B(B\n", Some("ISO-2022-JP-MS")),
        // Plane 2 of JIS X 0213.
        (b"\x1B$(P!!!\"\x1B(B\n", Some("ISO-2022-JP-3")),
        (b"\x1B$)Chi \x0E0!3*\x0F\n", Some("ISO-2022-KR")),
        (b"\x1B$)A\x0E=;;;\x0F\n", Some("ISO-2022-CN")),
        (b"This is ~{VPND~} text.\n", Some("HZ")),
        (b"Hi Mom +Jjo-! caf+AOk-\n", Some("UTF-7")),
        (b"+BB8EQAQ4BDIENQRC, +BDwEOARA\n", Some("UTF-7")),
        (b"INBOX\nINBOX.&BB8EQAQ+BDUEOgRC-\n", Some("UTF-7-IMAP")),
        (b"mailbox &AOk-\n", Some("UTF-7-IMAP")),
        // DICOM: GB 2312, KS X 1001 and half-width katakana on the right.
        (b"\x1B$)A\xD5\xC5^\x1B$)A\xD0\xA1\xB6\xAB", Some("ISO-2022-DICOM")),
        (b"\x1B$)C\xB1\xE8", Some("ISO-2022-DICOM")),
        (b"\x1B)I\xD4\xCF\xC0\xDE=\x1B$B;3ED\x1B(B", Some("ISO-2022-DICOM")),
        // Truncated at the end; with the colours of a terminal.
        (b"\x1B$B$3$s$K$A$O\x1B", Some("ISO-2022-JP")),
        (b"\x1B$B$3$s$K$A$", Some("ISO-2022-JP")),
        (b"\x1B$B$3$s\x1B(B \x1B[31mred\x1B[0m", Some("ISO-2022-JP")),
        (b"This is ~{VPN", Some("HZ")),
        // Not text in these encodings.
        (b"\x1B[31mred\x1B[0m \x1B(B", None),
        (b"\x1B$B$3$s\xFF", None),
        (b"\x1B$)C only the header\n", None),
        (b"\x1B$Z12345\n", None),
        (b"g~{motion} and ~{}\n", None),
        (b"C++ caf+AOk- C+++\n", None),
        (b"R &- D &ambp;\n", None),
        (b"a + b = c\n", None),
    ] {
        assert_eq!(seen(text), expected, "{}", text.escape_ascii());
    }
}

#[test]
fn a_signal_by_chance_hides_no_other() {
    let text = b"x+AAA-; see ~{abcd~} \\ and then \x1B$B$3$s$K$A$O\x1B(B\n";
    assert_eq!(seen(text), Some("ISO-2022-JP"));
}
