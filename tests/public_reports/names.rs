//! Names of encodings, and the variants that vendors mean by them.

use crate::common::{run, run_text};

#[track_caller]
fn reads(name: &str, bytes: &[u8], text: &str) {
    let (status, output, error) = run_text(&["-f", name], bytes);
    assert_eq!((status, &*output), (0, text), "{name} {bytes:X?}: {error}");
}

#[track_caller]
fn writes(name: &str, text: &str, bytes: &[u8]) {
    let (status, output, error) = run(&["-q", "-t", name], text);
    assert_eq!((status, &*output), (0, bytes), "{name} {text}: {error}");
}

#[track_caller]
fn both(name: &str, bytes: &[u8], text: &str) {
    reads(name, bytes, text);
    writes(name, text, bytes);
}

/// Checks what `-f auto` reads.
#[track_caller]
fn detected(bytes: &[u8], text: &str) {
    let (status, output, error) = run_text(&["-f", "auto", "-q"], bytes);
    assert_eq!((status, &*output), (0, text), "{bytes:X?}: {error}");
}

/// w3lib #300, whatwg/encoding #335, #336
#[test]
fn gb18030_of_the_web() {
    reads("gb18030@whatwg", b"5\x80", "5€");
    reads("gb18030@whatwg", b"\xA3\xA0", "\u{3000}");
    reads("gb18030@whatwg", b"\x84\x31\x82\x36", "\u{FE10}");
    writes("gb18030@whatwg", "\u{E78D}", b"\xA6\xD9");
    detected(b"<meta charset=gb18030>\xB5\xB1 5\x80", "<meta charset=gb18030>当 5€");
    // Similar cases.
    reads("gbk@whatwg", b"\x80\xA3\xA0\x84\x31\x82\x36\x81\x30\x81\x30", "€\u{3000}\u{FE10}\u{80}");
    writes("gbk@whatwg", "€\u{E78D}", b"\x80\xA6\xD9");
    writes(
        "gb18030@whatwg",
        "€\u{FE10}\u{9FB4}\u{E81E}\u{E7C7}",
        b"\xA2\xE3\xA6\xD9\xFE\x59\xFE\x59\x81\x35\xF4\x37",
    );
    assert_eq!(run(&["-t", "gb18030@whatwg"], "\u{E5E5}").0, 1);
    assert_eq!(run(&["-t", "gbk@whatwg"], "😀").0, 1);
    detected(
        b"<meta charset=gbk>\xC4\xE3\xBA\xC3\xA3\xA0\xC4\xE3",
        "<meta charset=gbk>你好\u{3000}你",
    );
    detected(
        b"<html><meta charset='GB2312'>\xBC\xDB 20\x80\n",
        "<html><meta charset='GB2312'>价 20€\n",
    );
    // The plain name means the encoding of the standard GB 18030.
    assert_eq!(run(&["-f", "gb18030"], b"5\x80").0, 1);
    reads("gb18030", b"\x84\x31\x82\x36", "\u{E78D}");
}

/// whatwg/encoding #105
#[test]
fn iso_2022_jp_of_the_web() {
    let web = "iso-2022-jp@whatwg";
    reads(web, b"\x1B(I\x43\x3D\x44\x1B(B", "ﾃｽﾄ");
    both(web, b"\x1B$B-!\x1B(B", "①");
    writes(web, "ﾊ", b"\x1B$B%O\x1B(B");
    // The Encoding Standard, 12.2: marks do not compose, and Roman text keeps controls and spaces.
    writes(web, "ﾊﾟ", b"\x1B$B%O!,\x1B(B");
    writes(web, "¥ 1\n\\", b"\x1B(J\x5C 1\n\x1B(B\\");
    writes(web, "−", b"\x1B$B!]\x1B(B");
    for ill_formed in [
        &b"\x1B$B\x1B(B"[..],
        b"\x1B$B F|\x1B(B",
        b"\x1B$B\nF|\x1B(B",
        b"\x1B(I\n\x1B(B",
        b"a\x0E",
        b"\x0F",
        b"\x1B(Xa",
        b"\xB1",
    ] {
        assert_eq!(run(&["-f", web], ill_formed).0, 1, "{ill_formed:X?}");
    }
    reads(web, b"\x1B(J\x5C \n\x1B(B\\", "¥ \n\\");
    let (_, text, _) =
        run_text(&["-q", "-e", "replace", "-f", web], b"\x1B$BF\x1B(Ba\x1B$B\x1B(Bb");
    assert_eq!(text, "\u{FFFD}a\u{FFFD}b");
}

#[test]
fn half_width_katakana_are_transliterated_with_their_marks() {
    let read = |name: &str, text: &str| {
        let (status, bytes, _) = run(&["-q", "-t", &format!("{name}//TRANSLIT")], text);
        (status, run_text(&["-f", name], &bytes).1)
    };
    let same = |name: &str, text: &str, written: &str| {
        assert_eq!(read(name, text), (0, written.to_owned()), "{name} {text}");
    };
    same("iso-2022-jp", "ﾊﾟｽﾜｰﾄﾞ", "パスワード");
    same("gbk", "ﾊﾟｽﾜｰﾄﾞ ｶﾞｷﾞ", "パスワード ガギ");
    same("iso-2022-kr", "ｶﾞｽ", "ガス");
    same("iso-2022-jp", "ｳﾞｧｲｵﾘﾝ ﾌﾟﾘﾝﾀ", "ヴァイオリン プリンタ");
    same("iso-2022-jp", "ﾞ ｱﾞ aﾞ", "゛ ア゛ a゛");
    // ﾊ comes at the end of what is read at once, with its mark after that. The ｶ at the end has no mark.
    let long = format!("{}ﾊﾟ{}ｶ", "a".repeat(65534), "ﾄﾞ".repeat(40_000));
    same("iso-2022-jp", &long, &format!("{}パ{}カ", "a".repeat(65534), "ド".repeat(40_000)));
    // These encodings have half-width katakana, so nothing is transliterated.
    same("shift_jis", "ﾊﾟｽﾜｰﾄﾞ", "ﾊﾟｽﾜｰﾄﾞ");
    same("euc-jp", "ﾊﾟｽﾜｰﾄﾞ", "ﾊﾟｽﾜｰﾄﾞ");
}

#[test]
fn code_page_50220_writes_full_width() {
    for name in ["cp50220", "x-windows-50220", "50220", "iso-2022-jp@windows"] {
        writes(name, "ﾊﾟｽﾜｰﾄﾞ ｱﾞｯﾞ｡", b"\x1B$B%Q%9%o!<%I\x1B(B \x1B$B%\"!+%C!+!#\x1B(B");
        reads(name, b"\x1B(I\x4A\x5F\x1B(B", "ﾊﾟ");
    }
    for name in ["x-windows-50220", "x-windows-50221", "x-windows-iso2022jp", "cp50221"] {
        both(name, b"\x1B$B-!\x1B(B", "①");
    }
    writes("cp50221", "ﾊﾟ", b"\x1B(I\x4A\x5F\x1B(B");
}

/// EVKey #9, Funput #255
#[test]
fn names_of_tcvn_5712() {
    for name in ["vscii", "abc", "tcvn3", "TCVN", "ABC", "Tcvn-3"] {
        reads(name, b"Vi\xD6t\n", "Việt\n");
    }
    reads("tcvn3", b"\xAE\xB8 \xA8n", "đá ăn");
    reads("vscii@databases", b"Vi\xEA\xF2t\n", "Việt\n");
}

/// recode #62, gedcom4j #81
#[test]
fn ansel_and_marc_8() {
    both("ansel", b"P\xEAal\n", "Pål\n");
    both("marc-8", b"P\xEAal\n", "Pål\n");
    detected(
        b"0 HEAD\n1 SOUR X\n1 CHAR ANSEL\n0 @I1@ INDI\n1 NAME P\xEAal\n",
        "0 HEAD\n1 SOUR X\n1 CHAR ANSEL\n0 @I1@ INDI\n1 NAME Pål\n",
    );
    // Similar cases: names in other languages, and other GEDCOM headers.
    both("ansel", b"Dvo\xE9r\xE2ak, \xA1ukasz, Gro\xCF, F\xF0a", "Dvořák, Łukasz, Groß, Fa\u{327}");
    reads("ansel", b"Nguy\xE3\xE4en", "Nguyễn");
    both("marc8", b"\x1B(NdOSTOEWSKIJ,\x1B(B 1866", "Достоевский, 1866");
    detected(
        b"0 HEAD\r\n1 CHAR IBMPC\r\n1 NOTE M\x81ller\r\n",
        "0 HEAD\r\n1 CHAR IBMPC\r\n1 NOTE Müller\r\n",
    );
    detected(
        b"\xEF\xBB\xBF0 HEAD\n1 CHAR UTF-8\n1 NOTE \xC3\xBC\n",
        "\u{FEFF}0 HEAD\n1 CHAR UTF-8\n1 NOTE ü\n",
    );
    let (status, text, _) = run_text(
        &["-q", "-f", "ansel", "--declaration", "update"],
        b"0 HEAD\n1 CHAR ANSEL\n1 NOTE \xE8u\n",
    );
    assert_eq!((status, &*text), (0, "0 HEAD\n1 CHAR UTF-8\n1 NOTE ü\n"));
    detected(
        b"00092nam  2200049 a 4500245002000000\x1E10\x1Fa\xE2etude\x1E\x1D",
        "00092nam  2200049 a 4500245002000000\u{1E}10\u{1F}aétude\u{1E}\u{1D}",
    );
}

#[test]
fn a_target_with_a_mark_in_its_name_has_one() {
    for name in ["utf-8-sig", "utf-8-bom", "utf8bom", "UTF-8-SIG", "utf_8_sig"] {
        writes(name, "é", b"\xEF\xBB\xBF\xC3\xA9");
        writes(name, "\u{FEFF}é", b"\xEF\xBB\xBF\xC3\xA9");
        for text in [&b"\xEF\xBB\xBF\xC3\xA9"[..], b"\xC3\xA9"] {
            assert_eq!(run(&["-f", name, "-t", "latin1"], text).1, b"\xE9");
        }
    }
    let (_, bytes, _) = run(&["-f", "latin1", "-t", "utf-8-sig"], b"\xE9");
    assert_eq!(bytes, b"\xEF\xBB\xBF\xC3\xA9");
    let (_, bytes, _) = run(&["-t", "utf-8-sig", "--bom", "strip"], "\u{FEFF}é");
    assert_eq!(bytes, "é".as_bytes());
}

#[test]
fn ebcdic_is_a_family() {
    for args in [["-f", "ebcdic"], ["-t", "EBCDIC"]] {
        let (status, _, error) = run_text(&args, b"a");
        assert_eq!(status, 2);
        for page in ["IBM037", "IBM500", "IBM1047", "IBM273", "IBM1140"] {
            assert!(error.contains(page), "{error}");
        }
    }
    for (name, plain) in [
        ("IBM-1047/ZOS_UNIX", "IBM1047"),
        ("ibm037,swapnl", "IBM037"),
        ("IBM-273/ZOS_UNIX", "IBM273"),
    ] {
        let (status, _, error) = run_text(&["-f", name], b"a");
        let hint = format!("did you mean {plain} with --ebcdic-newline lf?");
        assert!(status == 2 && error.contains(&hint), "{error}");
    }
}
