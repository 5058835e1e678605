//! The stateful Unicode encodings UTF-7, UTF-7-IMAP, SCSU and BOCU-1, through the whole library.
//!
//! The tests cover the examples of their specifications, each kind of ill-formed subsequence with its place, and input
//! split anywhere. Expected values are written by hand from RFC 2152, RFC 3501, UTS #6 and UTN #6.

use crate::support::{Cut, With, convert, convert_cut, encoding, replacing, run, strict, with};
use oxiconv_transcode::{MarkMode, OnIllFormed, OnUnmappable};

/// The example of UTS #6, 9.3.
const JAPANESE: &str = "\u{3000}♪リンゴ可愛いや可愛いやリンゴ。半世紀も前に流行した「リンゴの歌」がぴったりするかもしれない。米アップルコンピュータ社のパソコン「マック（マッキントッシュ）」を、こよなく愛する人たちのことだ。「アップル信者」なんて言い方まである。";
const JAPANESE_SCSU: &str = "08001B4CEA16CAD3940F53EF611BE584C40F53EF611BE584C416CAD39408020F534A4E167D0030\
82524D306B6D41884CE5979F080C16CAD39415AE0E6B4C080D8CB4A39FCA99CB8BC297CCAA8408020E7C73E216A3B7CB93D3B4C5DC\
9F0E793E06AEB19D93D3080CBEA38F0888BEA38DD3A8A397C51789080D15D2080193C8AA8F0E611B99CB0E4EBA9FA1AE93A8A00802\
080CE216A3B7CB0F4FE18005EC608DEA06D3E60F8A00304465B9E4FEE7C206CB82";

fn unhex(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

#[track_caller]
fn decoded(from: &str, bytes: &[u8], text: &str) {
    let outcome = convert(&strict(from, "UTF-8"), bytes);
    assert_eq!(outcome.places(), [], "{from} {bytes:X?}");
    assert_eq!(String::from_utf8(outcome.output).unwrap(), text, "{from} {bytes:X?}");
}

#[track_caller]
fn both(name: &str, bytes: &[u8], text: &str) {
    decoded(name, bytes, text);
    let outcome = convert(&strict("UTF-8", name), text.as_bytes());
    assert_eq!(outcome.output, bytes, "{name} {text:?}");
}

/// Checks the text under `replace`, and the kind, offset and length of each finding.
#[track_caller]
fn replaced(from: &str, input: &[u8], text: &str, places: &[(&str, u64, usize)]) {
    let outcome = convert(&replacing(from, "UTF-8"), input);
    let found: Vec<_> = outcome.found.iter().map(|f| (f.id, f.offset, f.bytes.len())).collect();
    assert_eq!(found, places, "{from} {input:X?}");
    assert_eq!(String::from_utf8(outcome.output).unwrap(), text, "{from} {input:X?}");
}

#[test]
fn examples_of_rfc_2152() {
    both("UTF-7", b"A+ImIDkQ.", "A\u{2262}\u{391}.");
    decoded("UTF-7", b"Hi Mom -+Jjo--!", "Hi Mom -\u{263A}-!");
    both("UTF-7", b"+ZeVnLIqe-", "\u{65E5}\u{672C}\u{8A9E}");
    both("UTF-7", b"Item 3 is +AKM-1.", "Item 3 is £1.");
    both("UTF-7", b"+-", "+");
    // The same text has several encodings: set O written directly, a `-` that is not needed, one shift per character.
    decoded("UTF-7", b"!\"#$%&*;<=>@[]^_`{|}", "!\"#$%&*;<=>@[]^_`{|}");
    decoded("UTF-7", b"+AOk--+AOk- +AGE-x+ACs", "é-é ax+");
}

#[test]
fn utf_7_as_iconv_writes_it() {
    both("UTF-7", b"+ACE-", "!");
    both("UTF-7", b"a+AOkAIQ-b", "aé!b");
    both("UTF-7", b"a+-+AOkAKw-b", "a+é+b");
    both("UTF-7", b"+AOk\n+AOk.+AOk--+AOk-/", "é\né.é-é/");
    both("UTF-7", b"+2D3eAADp2D3eAA-", "😀é😀");
    both("UTF-7", b"+AAAAfw-", "\0\x7F");
    both("UTF-7", b"+AFwAfg-", "\\~");
}

#[test]
fn examples_of_rfc_3501() {
    both(
        "UTF-7-IMAP",
        b"~peter/mail/&U,BTFw-/&ZeVnLIqe-",
        "~peter/mail/\u{53F0}\u{5317}/\u{65E5}\u{672C}\u{8A9E}",
    );
    both("UTF-7-IMAP", b"R&-D + &AOkACg-!&2D3eAA-&-", "R&D + é\n!😀&");
    decoded("UTF-7-IMAP", b"&Jjo-&Jjo-", "\u{263A}\u{263A}");
    decoded("UTF-7-IMAP", b"&Jjo", "\u{263A}");
}

#[test]
fn ill_formed_utf_7() {
    replaced(
        "UTF-7",
        b"a\xFFb~\\\0\x7F",
        "a\u{FFFD}b\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}",
        &[
            ("invalid-byte", 1, 1),
            ("invalid-byte", 3, 1),
            ("invalid-byte", 4, 1),
            ("invalid-byte", 5, 1),
            ("invalid-byte", 6, 1),
        ],
    );
    // A shift without base64 after it.
    replaced("UTF-7", b"a+!", "a\u{FFFD}!", &[("truncated", 1, 1)]);
    replaced(
        "UTF-7",
        b"a+\xFFb",
        "a\u{FFFD}\u{FFFD}b",
        &[("truncated", 1, 1), ("invalid-byte", 2, 1)],
    );
    replaced("UTF-7", b"a+", "a\u{FFFD}", &[("truncated-at-end", 1, 1)]);
    // A truncated code unit: six or more bits are left over when base64 ends.
    replaced("UTF-7", b"+AG-b", "\u{FFFD}b", &[("truncated", 0, 3)]);
    replaced("UTF-7", b"+AOkA.b", "é\u{FFFD}.b", &[("truncated", 4, 1)]);
    replaced("UTF-7", b"+AOkAA-b", "é\u{FFFD}b", &[("truncated", 4, 2)]);
    replaced("UTF-7", b"+AOkA", "é\u{FFFD}", &[("truncated-at-end", 4, 1)]);
    // Leftover bits that are not zero: two bits, then four.
    replaced("UTF-7", b"+AOl-b", "\u{FFFD}b", &[("undefined-sequence", 0, 4)]);
    replaced("UTF-7", b"+AOkAYX.", "é\u{FFFD}.", &[("undefined-sequence", 4, 3)]);
    replaced("UTF-7", b"+AOl", "é", &[]);
    // Unpaired surrogates.
    replaced("UTF-7", b"+2AA-b", "\u{FFFD}b", &[("unpaired-high-surrogate", 0, 4)]);
    replaced("UTF-7", b"+2AAAYQ-", "\u{FFFD}a", &[("unpaired-high-surrogate", 0, 4)]);
    replaced("UTF-7", b"+2ADYPd4A-", "\u{FFFD}😀", &[("unpaired-high-surrogate", 0, 4)]);
    replaced("UTF-7", b"+3AAAYQ", "\u{FFFD}a", &[("unpaired-low-surrogate", 0, 4)]);
    replaced("UTF-7", b"+2AA", "\u{FFFD}", &[("unpaired-high-surrogate", 0, 4)]);
    // The leftover bits may begin the low surrogate, so the whole is one truncated pair.
    replaced("UTF-7", b"+2ADc", "\u{FFFD}", &[("truncated-at-end", 0, 5)]);
    replaced("UTF-7-IMAP", b"a&2ADcA", "a\u{FFFD}", &[("truncated-at-end", 1, 6)]);
}

#[test]
fn ill_formed_utf_7_imap() {
    replaced(
        "UTF-7-IMAP",
        b"a\t\n\x7F\r\xC3b",
        "a\u{FFFD}\n\u{FFFD}\r\u{FFFD}b",
        &[("invalid-byte", 1, 1), ("invalid-byte", 3, 1), ("invalid-byte", 5, 1)],
    );
    replaced("UTF-7-IMAP", b"a&!", "a\u{FFFD}!", &[("truncated", 1, 1)]);
    replaced("UTF-7-IMAP", b"&AOk!b", "é\u{FFFD}b", &[("invalid-byte", 4, 1)]);
    replaced("UTF-7-IMAP", b"&AOk/b", "é\u{FFFD}b", &[("invalid-byte", 4, 1)]);
    replaced(
        "UTF-7-IMAP",
        b"&AGE-&ACY-",
        "\u{FFFD}\u{FFFD}",
        &[("overlong", 0, 4), ("overlong", 5, 4)],
    );
    replaced("UTF-7-IMAP", b"&AOkAYQDp-", "é\u{FFFD}é", &[("overlong", 4, 3)]);
    replaced("UTF-7-IMAP", b"&AOl-b", "\u{FFFD}b", &[("undefined-sequence", 0, 4)]);
    replaced("UTF-7-IMAP", b"&", "\u{FFFD}", &[("truncated-at-end", 0, 1)]);
}

#[test]
fn examples_of_uts_6() {
    both("SCSU", b"\xD6l flie\xDFt", "Öl fließt");
    both("SCSU", b"\x12\x9C\xBE\xC1\xBA\xB2\xB0", "Москва");
    decoded("SCSU", &unhex(JAPANESE_SCSU), JAPANESE);
    let all = "A\u{DF}\u{401}\u{15F}\u{DF}\u{1DF}\u{F000}\u{10FFFF}\r\nA\u{DF}\u{401}\u{15F}\u{DF}\u{1DF}\u{F000}\u{10FFFF}";
    decoded(
        "SCSU",
        b"\x41\xDF\x12\x81\x03\x5F\x10\xDF\x1B\x03\xDF\x1C\x88\x80\x0B\xBF\xFF\xFF\r\n\
          \x41\x10\xDF\x12\x81\x03\x5F\x10\xDF\x13\xDF\x14\x80\x15\xFF",
        all,
    );
    // A full-width letter is quoted; the second in a row selects their window, 7.
    both("SCSU", b"a\x08\xA1\x17\xA2\xA3", "aＡＢＣ");
    // The examples in UTS #6 take 178 and 35 bytes. Our encoder may choose differently, but not much worse.
    let ours = |text: &str| convert(&strict("UTF-8", "SCSU"), text.as_bytes()).output.len();
    assert!(ours(JAPANESE) <= 190, "{}", ours(JAPANESE));
    assert!(ours(all) <= 40, "{}", ours(all));
}

#[test]
fn each_tag_of_scsu() {
    // SQ0 to SQ7, each with its static window and then with its dynamic window.
    decoded(
        "SCSU",
        b"\x01\x01\x02\x29\x03\x5F\x04\x11\x05\x19\x06\x2C\x07\x22\x08\x02",
        "\u{1}©\u{15F}\u{311}\u{2019}\u{20AC}\u{2122}\u{3002}",
    );
    decoded(
        "SCSU",
        b"\x01\xA9\x02\xFF\x03\x81\x04\xA7\x05\x85\x06\x82\x07\x82\x08\xA1",
        "©\u{13F}\u{401}\u{627}\u{905}\u{3042}\u{30A2}\u{FF21}",
    );
    // SC0 to SC7, then SD0 to SD7 with each kind of offset.
    decoded(
        "SCSU",
        b"\x11\xFF\x12\x81\x13\xA7\x14\x85\x15\x82\x16\x82\x17\xA1\x10\xA9",
        "\u{13F}\u{401}\u{627}\u{905}\u{3042}\u{30A2}\u{FF21}©",
    );
    decoded(
        "SCSU",
        b"\x18\x01\x80\x19\x67\xFF\x1A\x68\x80\x1B\xA7\xFF\x1C\xF9\x80\x1D\xFA\x80\x1E\xFB\x80\x1F\xFC\x80",
        "\u{80}\u{33FF}\u{E000}\u{FFFF}\u{C0}\u{250}\u{370}\u{530}",
    );
    decoded("SCSU", b"\x18\xFD\x80\x18\xFE\x80\x18\xFF\x80", "\u{3040}\u{30A0}\u{FF60}");
    // SDX and UDX: three bits of window and thirteen of offset. UDX defined window 7, which SC7 then selects.
    decoded(
        "SCSU",
        b"\x0B\xE0\0\x80\x0F\xF1\xFF\xFF\xFFa\x10\xA9\x17\x80",
        "\u{10000}\u{10FFFF}a©\u{10FF80}",
    );
    // SQU by itself and as a surrogate pair. Then SCU, UC2, UC7, UD1 and, further down, UQU.
    decoded("SCSU", b"\x0E\x4E\x8Ca\x0E\xD8\x3D\x0E\xDE\0", "二a😀");
    decoded(
        "SCSU",
        b"\x0F\x4E\x8C\0a\xD8\x3D\xDE\0\xE2\x81\x0F\xE7\xA1\x0F\xE9\x03\x83",
        "二a😀\u{401}\u{FF21}\u{183}",
    );
    decoded("SCSU", b"\x0F\xF0\xE0\0\xF0\xF2\xFF\xF0\x4E\x8C\xF3\0", "\u{E000}\u{F2FF}二\u{F300}");
    decoded("SCSU", b"\0\t\n\r", "\0\t\n\r");
}

#[test]
fn ill_formed_scsu() {
    replaced("SCSU", b"a\x0Cb", "a\u{FFFD}b", &[("invalid-byte", 1, 1)]);
    replaced("SCSU", b"\x0F\xF2\x4E\x8C", "\u{FFFD}二", &[("invalid-byte", 1, 1)]);
    for offset in [0, 0xA8, 0xF8] {
        replaced("SCSU", &[0x1A, offset, b'a'], "\u{FFFD}a", &[("undefined-sequence", 0, 2)]);
        replaced("SCSU", &[0x0F, 0xEA, offset], "\u{FFFD}", &[("undefined-sequence", 1, 2)]);
    }
    for cut in [&b"\x01"[..], b"\x08", b"\x0B", b"\x0B\xBF", b"\x0E", b"\x0E\x4E", b"\x18", b"\x1F"]
    {
        replaced("SCSU", cut, "\u{FFFD}", &[("truncated-at-end", 0, cut.len())]);
    }
    for cut in [&b"\x4E"[..], b"\xD8", b"\xE8", b"\xF0", b"\xF0\xE0", b"\xF1\xBF"] {
        let input = [b"\x0F", cut].concat();
        replaced("SCSU", &input, "\u{FFFD}", &[("truncated-at-end", 1, cut.len())]);
    }
    replaced("SCSU", b"\x0E\xD8\0a", "\u{FFFD}a", &[("unpaired-high-surrogate", 0, 3)]);
    replaced("SCSU", b"\x0E\xDC\0a", "\u{FFFD}a", &[("unpaired-low-surrogate", 0, 3)]);
    replaced("SCSU", b"\x0E\xD8\0", "\u{FFFD}", &[("unpaired-high-surrogate", 0, 3)]);
    // The input ends where a low surrogate could follow, so the whole is one truncated pair.
    replaced("SCSU", b"\x0E\xD8\0\x0E", "\u{FFFD}", &[("truncated-at-end", 0, 4)]);
    replaced("SCSU", b"\x0E\xD8\0\x0E\xDC", "\u{FFFD}", &[("truncated-at-end", 0, 5)]);
    replaced("SCSU", b"\x0F\xD8\0\xDC", "\u{FFFD}", &[("truncated-at-end", 1, 3)]);
    replaced(
        "SCSU",
        b"\x0F\xD8\0\x4E\x8C\xDC\0",
        "\u{FFFD}二\u{FFFD}",
        &[("unpaired-high-surrogate", 1, 2), ("unpaired-low-surrogate", 5, 2)],
    );
    // A tag between the two surrogates.
    replaced(
        "SCSU",
        b"\x0F\xD8\0\xE0\x0E\xDC\0",
        "\u{FFFD}\u{FFFD}",
        &[("unpaired-high-surrogate", 1, 2), ("unpaired-low-surrogate", 4, 3)],
    );
}

#[test]
fn scsu_is_written_compactly() {
    for (text, bytes) in [
        ("caf\u{E9} \u{2019}\u{20AC}", &b"caf\xE9 \x05\x19\x06\x2C"[..]),
        ("\u{1}\u{1F}", b"\x01\x01\x01\x1F"),
        ("\u{FEFF}a", b"\x0E\xFE\xFFa"),
        // A switch to another window, and the definition of a new one.
        ("\u{3B1}\u{3B2}\u{3B3}", b"\x1F\xFB\xC1\xC2\xC3"),
        ("\u{3B1}\u{416}\u{3B1}", b"\x1F\xFB\xC1\x12\x96\x17\xC1"),
        // The first character of another block is quoted. The second one switches windows, even above the BMP.
        ("\u{15F}a\u{15F}\u{161}", b"\x03\x5Fa\x1F\x02\xDF\xE1"),
        ("\u{E01}\u{E02}", b"\x1F\x1C\x81\x82"),
        ("\u{1F600}\u{1F601}", b"\x0B\xE1\xEC\x80\x81"),
        // Unicode mode, which the encoder leaves for alphabetic text.
        ("\u{4E8C}\u{E000}\u{AC00}", b"\x0F\x4E\x8C\xEF\x68\x80\x0F\xAC\0"),
        ("\u{4E8C}1\u{4E8C}12", b"\x0F\x4E\x8C\0\x31\x4E\x8C\0\x31\xE0\x32"),
        ("\u{4E8C}\u{3042}\u{3044}", b"\x0F\x4E\x8C\xE5\x82\x84"),
        ("\u{20000}", b"\x0F\xD8\x40\xDC\0"),
    ] {
        both("SCSU", bytes, text);
    }
}

#[test]
fn bocu_1_by_hand() {
    // Each sequence length at its limits. From U+0040, the differences are 63, 64, 10511 to 10513, 187659 and 187660.
    for (text, bytes) in [
        ("\0\t\n\r \u{1F}", &b"\0\t\n\r \x1F"[..]),
        ("A", b"\x91"),
        ("!", b"\x71"),
        ("\u{7F}", b"\xCF"),
        ("\u{80}", b"\xD0\x01"),
        ("\u{294F}\n\u{2950}\n\u{2951}", b"\xFA\xFE\n\xFA\xFF\n\xFB\x01\x01"),
        ("\u{2DD4B}\n\u{2DD4C}", b"\xFD\xFF\xFF\n\xFE\x01\x01\x01"),
        ("\u{10FFFF}", b"\xFE\x19\xB4\x54"),
        ("\u{FEFF}", b"\xFB\xEE\x28"),
        // A space keeps the state, but a line ending resets it.
        ("\u{416} \u{416}\n\u{416}", b"\xD3\xCA \x66\n\xD3\xCA"),
        // From U+0440, back by 64 and by 65.
        ("\u{440}\u{400}\u{440}\u{3FF}", b"\xD3\xF4\x50\x90\x4F\xFF"),
        // Hiragana counts as one block, like ideographs and Hangul syllables.
        ("\u{3042}\u{3093}", b"\xFB\x11\x59\xB3"),
    ] {
        both("BOCU-1", bytes, text);
    }
}

#[test]
fn ill_formed_bocu_1() {
    replaced("BOCU-1", b"\xD0\0\x91", "\u{FFFD}\0A", &[("truncated", 0, 1)]);
    for stop in [0x00, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x1A, 0x1B, 0x20] {
        let text = format!("\u{FFFD}{}", char::from(stop));
        replaced("BOCU-1", &[0xFB, 0x01, stop], &text, &[("truncated", 0, 2)]);
    }
    replaced("BOCU-1", b"\xD0", "\u{FFFD}", &[("truncated-at-end", 0, 1)]);
    replaced("BOCU-1", b"\xFE\x01\x01", "\u{FFFD}", &[("truncated-at-end", 0, 3)]);
    replaced("BOCU-1", b"\xFE\x19\xB4\x55\x91", "\u{FFFD}A", &[("out-of-range", 0, 4)]);
    replaced("BOCU-1", b"\xFE\xFF\xFF\xFF", "\u{FFFD}", &[("out-of-range", 0, 4)]);
    replaced(
        "BOCU-1",
        b"\x4F\xFF\x21\x01\x01\x01",
        "\u{FFFD}\u{FFFD}",
        &[("out-of-range", 0, 2), ("out-of-range", 2, 4)],
    );
    // U+0000 and U+0020 are encoded as differences, but must be written directly.
    replaced(
        "BOCU-1",
        b"\x50\x70\x71",
        "\u{FFFD}\u{FFFD}!",
        &[("overlong", 0, 1), ("overlong", 1, 1)],
    );
    // U+D800. The difference from U+0040 is 55232. Less 10513, the first one of three bytes, it is 184 * 243 + 7.
    replaced("BOCU-1", b"\xFB\xC5\x11", "\u{FFFD}", &[("surrogate", 0, 3)]);
    // FF resets the state.
    decoded("BOCU-1", b"\xD0\x01\xFF\x91\xFF\xFF", "\u{80}A");
}

#[test]
fn marks_are_signatures() {
    for (name, mark) in
        [("UTF-7", &b"+/v8-"[..]), ("SCSU", b"\x0E\xFE\xFF"), ("BOCU-1", b"\xFB\xEE\x28")]
    {
        let text = "\u{FEFF}a\u{E9}";
        let bytes = convert(&strict("UTF-8", name), text.as_bytes()).output;
        decoded(name, &bytes, text);
        assert_eq!(convert(&strict("UTF-8", name), text.as_bytes()).output, bytes);
        // In UTF-16LE, U+FEFF would be a character, so the signature is dropped.
        assert_eq!(convert(&strict(name, "UTF-16LE"), &bytes).output, b"a\0\xE9\0", "{name}");
        let strip = strict(name, "UTF-8").with(|it| it.marks(MarkMode::Strip));
        assert_eq!(convert(&strip, &bytes).output, "aé".as_bytes(), "{name}");
        let add = strict("UTF-8", name).with(|it| it.marks(MarkMode::Add));
        assert_eq!(convert(&add, "aé".as_bytes()).output, bytes, "{name}");
        let forbid = replacing(name, "UTF-8").with(|it| it.marks(MarkMode::Forbid));
        let first = convert(&forbid, &bytes).places()[0];
        assert_eq!((first.0, first.1, first.2), ("bom-forbidden", 0, mark.len()));
    }
}

/// Inputs with state, incomplete sequences or pairs at many places, which could be misread if split there.
const INPUTS: &[(&str, &[u8])] = &[
    ("UTF-7", b"+/v8-A+ImIDkQ.Hi +Jjo--!+-+ZeVnLIqe-\n+2D3eAADp2D3eAA"),
    ("UTF-7", b"+AG-b+AOkA.b+AOl-b+AOkAYX.+2AA-+2AAAYQ-+2ADYPd4A-+3AAAYQ-+!+\xFF+AOk~+2ADc"),
    ("UTF-7-IMAP", b"&U,BTFw-/&-&ZeVnLIqe-&AOk!&AGEA6QBh-&2D3eAADp-&AOl-&2AA-\n&A-&2AAA"),
    ("SCSU", b"\x0E\xFE\xFF\x41\xDF\x12\x81\x03\x5F\x10\xDF\x1B\x03\xDF\x1C\x88\x80\x0B\xBF\xFF\xFF\r\n\x0F\x4E\x8C\xD8\x3D\xDE\0\xF0\xE0\0\xF1\xE0\0\x80\x0E\xD8"),
    ("SCSU", b"\x0C\x18\xA8\x0E\xD8\0\x0E\xDC\0\x0E\xD8\0a\x0E\xDC\0\x0F\xF2\xD8\0\xE0\x80\x0F\xEA\0\xD8\0\xF0\xDC\0\xD8"),
    ("BOCU-1", b"\xFB\xEE\x28\x91 \xD3\xCA\n\xD0\0\xFE\x19\xB4\x54\xFF\x91\x50\x21\x01\x01\x01\xFE\xFF\xFF\xFF\xFB\xC5\x11\xFB\x01"),
];

#[test]
fn any_cut_gives_the_same() {
    let japanese = unhex(JAPANESE_SCSU);
    for (from, input) in INPUTS.iter().copied().chain([("SCSU", &japanese[..])]) {
        for to in ["UTF-8", "US-ASCII", "ISO-8859-1", "UTF-7", "SCSU", "BOCU-1"] {
            for (ill, unmappable) in [
                (OnIllFormed::Stop, OnUnmappable::Stop),
                (OnIllFormed::Replace, OnUnmappable::Stop),
                (OnIllFormed::Replace, OnUnmappable::Xml),
                (OnIllFormed::Skip, OnUnmappable::Skip),
            ] {
                let conversion = with(from, to, ill, unmappable);
                let whole = convert(&conversion, input);
                for late in [false, true] {
                    for at in 0..=input.len() {
                        let cut = convert_cut(&conversion, input, &[at], late);
                        assert_eq!(cut, whole, "{from} to {to}, cut at {at}");
                    }
                    let each: Vec<usize> = (1..input.len()).collect();
                    assert_eq!(
                        convert_cut(&conversion, input, &each, late),
                        whole,
                        "{from} to {to}"
                    );
                }
            }
        }
    }
}

#[test]
fn an_unmappable_character_has_the_bytes_that_complete_it() {
    let places = |from, input: &[u8]| {
        let outcome = convert(&replacing(from, "US-ASCII"), input);
        outcome
            .found
            .iter()
            .map(|f| (f.offset, f.bytes.len(), f.value.unwrap()))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        places("UTF-7", b"a+AOkAYQDp2D3eAADp-\n+IKw"),
        [(1, 4, 0xE9), (8, 2, 0xE9), (10, 6, 0x1F600), (16, 2, 0xE9), (20, 4, 0x20AC)]
    );
    assert_eq!(
        places("SCSU", b"\x12\x80a\xFF\x0F\x4E\x8C\xD8\x3D\xDE\0\xE0\xE9"),
        [(1, 1, 0x400), (3, 1, 0x47F), (5, 2, 0x4E8C), (7, 4, 0x1F600), (12, 1, 0xE9)]
    );
    assert_eq!(
        places("BOCU-1", b"\x91\xD0\x01\x90\xFF\x91\xD0\x02"),
        [(1, 2, 0x80), (3, 1, 0xC0), (6, 2, 0x81)]
    );
}

#[test]
fn sentences() {
    let sentence =
        |from, input: &[u8]| convert(&replacing(from, "UTF-8"), input).found.remove(0).sentence;
    for (from, input, words) in [
        ("UTF-7", &b"\xFF"[..], "no character of UTF-7 begins with FF"),
        ("UTF-7", b"+AG", "the input ends inside a base64 character"),
        ("UTF-7", b"+AG-", "2D follows, but the base64 character is incomplete"),
        ("UTF-7", b"+2AA-", "no low surrogate follows the high surrogate in 2B 32 41 41"),
        ("UTF-7", b"+AOl-", "base64 ends after 2B 41 4F 6C, but its leftover bits are not zero"),
        ("UTF-7-IMAP", b"&AOk!", "21 is not a base64 digit; only 2D ends the base64"),
        (
            "UTF-7-IMAP",
            b"&AGE-",
            "26 41 47 45 is the base64 of a character that must be written directly",
        ),
        ("SCSU", b"\x0C", "0C is a reserved tag of SCSU"),
        ("SCSU", b"\x18\0", "18 00 defines a window at a reserved offset"),
        ("SCSU", b"\x0E", "the input ends inside a multi-byte SCSU character"),
        ("BOCU-1", b"\xD0\n", "D0 begins a multi-byte BOCU-1 character, but 0A follows"),
        ("BOCU-1", b"\x50", "50 encodes a character that must be written directly"),
        ("BOCU-1", b"\xFB\xC5\x11", "FB C5 11 encodes a surrogate code point"),
        ("BOCU-1", b"\xFE\xFF\xFF\xFF", "FE FF FF FF encodes a value outside U+0000 to U+10FFFF"),
    ] {
        assert_eq!(sentence(from, input), words);
    }
}

/// A finding reports the next byte only if that byte makes the sequence ill-formed, however the text arrives.
///
/// `;` makes the base64 before it incomplete. `;` itself is invalid because it comes after base64, whatever follows.
#[test]
fn the_next_byte_is_judged_in_the_state_of_the_sequence() {
    let conversion = replacing("UTF-7-IMAP", "UTF-8");
    let input = b"&MEste; a";
    let each: Vec<_> = (1..input.len()).collect();
    for cuts in [&[][..], &each] {
        for late_end in [false, true] {
            let (outcome, next) = run(&conversion, &mut Cut::new(input, cuts, late_end));
            assert_eq!(
                outcome.places().iter().map(|it| it.0).collect::<Vec<_>>(),
                ["truncated", "invalid-byte"]
            );
            assert_eq!(next, [Some(b';'), None], "{cuts:?} {late_end}");
        }
    }
    let next = |finding: oxiconv::Finding<'_>| finding.next;
    let all: Vec<_> = oxiconv::ill_formed(input, encoding("UTF-7-IMAP")).map(next).collect();
    assert_eq!(all, [Some(b';'), None]);
}
