use super::encoding_declaration::DeclarationKind;
use super::finder::{all, all_in};
use crate::detection::detection_sample::SAMPLE;
use crate::detection::encoded::encode;
use crate::detection::{Detector, Evidence};
use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::encoding::Encoding;

fn found(text: &str) -> Vec<(DeclarationKind, String)> {
    let found = all(text.as_bytes());
    for declaration in &found {
        assert_eq!(&text[declaration.range.clone()], declaration.label, "{text}");
    }
    found.into_iter().map(|declaration| (declaration.kind, declaration.label)).collect()
}

fn one(text: &str) -> Option<String> {
    found(text).into_iter().next().map(|(_, label)| label)
}

/// XML 1.0, 2.8 and 4.3.3.
#[test]
fn the_xml_declaration_is_the_first_thing_of_a_document() {
    for (text, label) in [
        ("<?xml version=\"1.0\" encoding=\"koi8-r\"?><a/>", Some("koi8-r")),
        ("<?xml version='1.0' encoding = 'koi8-r' standalone='yes' ?>", Some("koi8-r")),
        ("<?xml\tencoding='koi8-r'?>", Some("koi8-r")),
        ("\u{FEFF}<?xml version='1.0' encoding='utf-8'?>", Some("utf-8")),
        (" <?xml version='1.0' encoding='koi8-r'?>", None),
        ("<?xml version='1.0'?><a encoding='koi8-r'?>", None),
        ("<?xml-stylesheet encoding='koi8-r'?>", None),
        ("<?xml version='1.0' xencoding='koi8-r'?>", None),
        ("<?xml version='1.0' encoding='koi8-r", None),
    ] {
        assert_eq!(one(text).as_deref(), label, "{text}");
    }
}

/// HTML, 13.2.3.2, the prescan; 2.4.2.3 for the label in the attribute `content`.
#[test]
fn meta_elements_are_read_as_the_prescan_reads_them() {
    for (text, label) in [
        ("<meta charset=koi8-r>", Some("koi8-r")),
        ("<META CHARSET = 'koi8-r' />", Some("koi8-r")),
        ("<meta/charset=\"koi8-r\">", Some("koi8-r")),
        ("<meta charset=\" koi8-r \">", Some("koi8-r")),
        ("<!doctype html>\n<title>a</title><meta name=x charset=koi8-r>", Some("koi8-r")),
        (
            "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=koi8-r\">",
            Some("koi8-r"),
        ),
        (
            "<meta content='text/html; charset = \"koi8-r\"' http-equiv=content-type>",
            Some("koi8-r"),
        ),
        ("<meta http-equiv=content-type content='text/html;charset=koi8-r;x=y'>", Some("koi8-r")),
        ("<meta http-equiv=content-type content='charset charset=koi8-r'>", Some("koi8-r")),
        // Without http-equiv, `content` is ignored.
        ("<meta content='text/html; charset=koi8-r'>", None),
        ("<meta http-equiv=refresh content='text/html; charset=koi8-r'>", None),
        ("<meta http-equiv=content-type content='text/html; charset=\"koi8-r'>", None),
        // Comments end at the first `-->`, and may be empty.
        ("<!-- <meta charset=koi8-r> -->", None),
        ("<!--><meta charset=koi8-r>", Some("koi8-r")),
        ("<!-- > <meta charset=koi8-r> --><meta charset=big5>", Some("big5")),
        ("<a title=\"<meta charset=koi8-r>\"><meta charset=big5>", Some("big5")),
        ("</a title='<meta charset=koi8-r>'><meta charset=big5>", Some("big5")),
        ("<? <meta charset=koi8-r><meta charset=big5>", Some("big5")),
        ("<metadata charset=koi8-r>", None),
        ("<meta charset=\"koi8-r", None),
        ("<meta charset=>", None),
        // The first attribute with a name counts.
        ("<meta charset=koi8-r charset=big5>", Some("koi8-r")),
        // In the body, the prescan has ended.
        ("<body><meta charset=koi8-r>", None),
        // A text about HTML is not HTML.
        ("Write <meta charset=koi8-r> there.", None),
        ("Mind:\n<html><meta charset=koi8-r>", Some("koi8-r")),
    ] {
        assert_eq!(one(text).as_deref(), label, "{text}");
    }
    let both = "<meta charset=koi8-r><meta http-equiv=content-type content='a; charset=big5'>";
    assert_eq!(found(both).len(), 2);
}

/// CSS Syntax 3, 3.2: these bytes and no others.
#[test]
fn a_style_sheet_begins_with_its_charset() {
    assert_eq!(found("@charset \"koi8-r\";a{}"), [(DeclarationKind::Css, "koi8-r".to_owned())]);
    for text in [
        "@charset 'koi8-r';",
        "@CHARSET \"koi8-r\";",
        "@charset  \"koi8-r\";",
        " @charset \"koi8-r\";",
        "@charset \"koi8-r\" ;",
        "@charset \"koi8-r",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

/// PEP 263; the Emacs manual, specifying file variables.
#[test]
fn cookies_are_in_the_first_two_lines() {
    for (text, label) in [
        ("# -*- coding: koi8-r -*-\n", Some("koi8-r")),
        ("#!/usr/bin/python\n# -*- coding: koi8-r -*-\n", Some("koi8-r")),
        ("#!/usr/bin/ruby\r\n# encoding: koi8-r\r\n", Some("koi8-r")),
        ("\u{FEFF}# coding=utf-8", Some("utf-8")),
        ("# This file has the encoding:koi8-r", Some("koi8-r")),
        ("\n# coding: koi8-r", Some("koi8-r")),
        ("\n\n# coding: koi8-r", None),
        ("import os\n# coding: koi8-r", None),
        ("print('# coding: koi8-r')", None),
        ("# Coding: koi8-r", None),
        ("# coding : koi8-r", None),
        (";; -*- mode: lisp; coding: koi8-r-unix; -*-\n", Some("koi8-r")),
        ("/* -*- Coding: latin-1-dos -*- */", Some("latin-1")),
        ("\\input x % -*-coding:koi8-r-*-", Some("koi8-r")),
        (";; -*- lisp -*- coding: koi8-r", None),
        (";; -*- decoding: koi8-r -*-", None),
        (";;\n;;\n;; -*- coding: koi8-r -*-", None),
    ] {
        assert_eq!(one(text).as_deref(), label, "{text}");
    }
}

/// Vim's help on modelines; `modelines` is 5.
#[test]
fn a_modeline_of_vim_is_in_the_first_five_lines() {
    for (text, label) in [
        ("/* vim: set ts=8 fileencoding=koi8-r : */", Some("koi8-r")),
        ("\n\n\n\n// vim: fenc=koi8-r", Some("koi8-r")),
        ("vi:noai:fenc=koi8-r:", Some("koi8-r")),
        ("/* vim700: set fenc=koi8-r: */", Some("koi8-r")),
        ("\n\n\n\n\n// vim: fenc=koi8-r", None),
        ("// neovim: fenc=koi8-r", None),
        ("// vim: nofenc", None),
    ] {
        assert_eq!(one(text).as_deref(), label, "{text}");
    }
    // Python finds the same one.
    assert_eq!(found("# vim: set fileencoding=koi8-r :").len(), 1);
}

/// RFC 2045, 5.1; RFC 5322, 2.2.3.
#[test]
fn a_mail_declares_in_its_header() {
    for (text, label) in [
        ("From: a\nContent-Type: text/plain; charset=koi8-r\n\nb", Some("koi8-r")),
        (
            "Content-type: TEXT/PLAIN; format=flowed;\r\n\tCharset=\"koi8-r\"\r\n\r\n",
            Some("koi8-r"),
        ),
        (
            "From a Mon\nContent-Type: text/html; x=\"; charset=big5\"; charset=koi8-r (Cyrillic)\n",
            Some("koi8-r"),
        ),
        ("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=koi8-r\r\n\r\n", Some("koi8-r")),
        ("Content-Type: multipart/mixed; boundary=x; charset=koi8-r\n\n", None),
        ("Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: base64\n\n", None),
        ("Subject: a\n\nContent-Type: text/plain; charset=koi8-r\n", None),
        ("Dear all\nContent-Type: text/plain; charset=koi8-r\n", None),
        ("Content-Type: text/plain\n\n<meta charset=koi8-r>", None),
        ("Content-Type: text/plain; xcharset=koi8-r\n\n", None),
    ] {
        assert_eq!(one(text).as_deref(), label, "{text}");
    }
}

/// GNU gettext manual, the format of PO files.
#[test]
fn a_catalogue_declares_in_its_first_message() {
    let po = "# Russian\nmsgid \"\"\nmsgstr \"\"\n\"Language: ru\\n\"\n\
              \"Content-Type: text/plain; charset=koi8-r\\n\"\n";
    assert_eq!(found(po), [(DeclarationKind::Po, "koi8-r".to_owned())]);
    assert_eq!(found("\"Content-Type: text/plain; charset=koi8-r\\n\""), []);
    let template = all(po.replace("koi8-r", "CHARSET").as_bytes());
    assert!(!template[0].is_known());
}

/// GEDCOM 5.5.1: CHARACTER_SET in the header record.
#[test]
fn a_genealogy_declares_in_its_header_record() {
    for (text, label) in [
        ("0 HEAD\n1 SOUR X\n1 CHAR ANSEL\n0 TRLR\n", Some("ANSEL")),
        ("\u{FEFF}0 HEAD\r\n1 GEDC\r\n2 VERS 5.5.1\r\n1 CHAR UTF-8\r\n", Some("UTF-8")),
        ("0 HEAD\n  1 CHAR IBMPC\n", Some("IBMPC")),
        ("0 HEAD\n1 CHAR ANSI \n2 VERS 1\n", Some("ANSI")),
        ("0 HEAD\n0 @I1@ INDI\n1 CHAR ANSEL\n", None),
        ("1 HEAD\n1 CHAR ANSEL\n", None),
        ("0 HEAD\n1 CHAR\n2 VERS 1\n", None),
        ("0 HEAD\n2 CHAR ANSEL\n", None),
    ] {
        assert_eq!(one(text).as_deref(), label, "{text}");
    }
    for (word, bytes, name) in [
        ("ANSEL", &b"P\xEAal"[..], "ANSEL"),
        ("ansel", b"\xE8uber", "ANSEL"),
        ("ANSI", b"P\xE5l", "windows-1252"),
        ("IBMPC", b"P\x86l", "IBM437"),
        ("MACINTOSH", b"P\x8Cl", "macintosh"),
    ] {
        let text = [b"0 HEAD\n1 CHAR ", word.as_bytes(), b"\n0 @I1@ INDI\n1 NAME ", bytes, b"\n"];
        assert_eq!(declared(&text.concat()), Some(name), "{word}");
    }
    let label = |encoding| all(b"0 HEAD\n1 CHAR ANSEL\n")[0].label_of(encoding);
    assert_eq!(label(Encoding::UTF_8).as_deref(), Some("UTF-8"));
    assert_eq!(label(Encoding::UTF_16LE).as_deref(), Some("UNICODE"));
    assert_eq!(label(Encoding::GB18030), None);
}

/// MARC 21 Format for Bibliographic Data: leader.
#[test]
fn a_record_of_a_catalogue_declares_in_its_leader() {
    let record = |scheme: &str, text: &[u8]| {
        let leader = format!("00092nam {scheme}2200049 a 4500245002000000\x1E10\x1Fa");
        [leader.as_bytes(), text, b"\x1E\x1D"].concat()
    };
    assert_eq!(declared(&record(" ", b"\xE2et\xE2e")), Some("MARC-8"));
    assert_eq!(declared(&record(" ", b"\x88Le \x89caf\xE2e")), Some("MARC-8"));
    assert_eq!(declared(&record(" ", b"\x1B(NmOSKWA\x1B(B")), Some("MARC-8"));
    assert_eq!(detected(&record("a", "été".as_bytes())).0, "UTF-8");
    assert_eq!(declared(&record("x", b"\xE2et\xE2e")), None);
    assert_eq!(all(&record(" ", b""))[0].label_of(Encoding::UTF_8), None);
    assert_eq!(all(b"00092nam  2200049 a 450"), [], "it is too short");
}

/// Declarations are found in characters, and their ranges are in bytes.
#[test]
fn places_are_those_of_the_bytes() {
    let xml = "<?xml version='1.0' encoding='utf-16'?>";
    for (name, start) in [("UTF-16LE", 60), ("UTF-16BE", 60), ("UTF-32BE", 120), ("IBM037", 30)] {
        let encoding = Encoding::for_name(name).unwrap();
        let text = encode(xml, encoding);
        let found = all_in(encoding.new_decoder(ByteOrder::Big), &text);
        assert_eq!(found.len(), 1, "{name}");
        assert_eq!(found[0].range, start..start + start / 30 * 6, "{name}");
    }
    // The trail bytes of these characters are a backslash and a bracket in ASCII, and one byte is ill-formed.
    let html = b"<a title=\x83\x5C\x81\x5B \xFF><meta charset=Shift_JIS>";
    let found = all_in(Encoding::CP932.new_decoder(ByteOrder::Big), html);
    assert_eq!(&html[found[0].range.clone()], b"Shift_JIS");
}

fn detected(text: &[u8]) -> (&'static str, Evidence) {
    let detection = Detector::new().detect(text);
    (detection.encoding.name(), detection.evidence)
}

fn declared(text: &[u8]) -> Option<&'static str> {
    let (name, evidence) = detected(text);
    (evidence == Evidence::Declaration).then_some(name)
}

/// The labels of HTML, CSS and mail mean what the Encoding Standard says; others are iconv's names.
#[test]
fn labels_mean_what_their_readers_mean() {
    for (label, bytes, on_the_web, elsewhere) in [
        ("latin1", &b"caf\xE9"[..], "windows-1252", "ISO-8859-1"),
        ("iso-8859-9", b"\xFE", "windows-1254", "ISO-8859-9"),
        ("gb2312", b"\xC4\xE3\xBA\xC3\xA1\xA3", "GB18030", "EUC-CN"),
        ("gb2312", b"\x81\x40", "GB18030", "GB18030"),
        ("shift_jis", b"\x87\x40", "CP932", "CP932"),
        // A backslash, which is a yen sign in iconv's SHIFT_JIS.
        ("shift_jis", b"C:\\\x83\x65", "CP932", "CP932"),
        ("euc-kr", b"\xB0\xA1", "CP949", "EUC-KR"),
        ("tis-620", b"\xA1\xA2", "windows-874", "TIS-620"),
        ("koi8-r", b"\xC1", "KOI8-R", "KOI8-R"),
        ("windows-1251", b"\xC1", "windows-1251", "windows-1251"),
    ] {
        let html = [b"<meta charset=", label.as_bytes(), b">", bytes].concat();
        assert_eq!(declared(&html), Some(on_the_web), "{label} {bytes:X?}");
        let css = [b"@charset \"", label.as_bytes(), b"\";", bytes].concat();
        assert_eq!(declared(&css), Some(on_the_web), "{label}");
        let mail = [b"Content-Type: text/plain; charset=", label.as_bytes(), b"\n\n", bytes];
        assert_eq!(declared(&mail.concat()), Some(on_the_web), "{label}");
        let python = [b"# coding: ", label.as_bytes(), b"\n", bytes].concat();
        assert_eq!(declared(&python), Some(elsewhere), "{label}");
        let xml = [b"<?xml version='1.0' encoding='", label.as_bytes(), b"'?>", bytes].concat();
        assert_eq!(declared(&xml), Some(elsewhere), "{label}");
    }
    assert_eq!(declared(b"<meta charset=x-user-defined>caf\xE9"), Some("windows-1252"));
    // The web's tables have these characters; the standard lacks them, or has private-use ones.
    for (label, bytes) in [
        ("gb18030", &b"\xB5\xB1 5\x80"[..]),
        ("gb2312", b"5\x80 \xB5\xB1"),
        ("gbk", b"\xB5\xB1\xA3\xA0\xB5\xB1"),
    ] {
        let html = [b"<meta charset=", label.as_bytes(), b">", bytes].concat();
        let web = if label == "gb18030" { "GB18030@whatwg" } else { "GBK@whatwg" };
        assert_eq!(declared(&html), Some(web), "{label}");
    }
}

#[test]
fn what_the_bytes_contradict_is_not_believed() {
    for text in [
        &b"<meta charset=utf-8>caf\xE9 noir"[..],
        b"<meta charset=utf-16>caf\xE9 noir",
        b"<?xml version='1.0' encoding='utf-16'?>caf\xE9 noir",
        b"<?xml version='1.0' encoding='ibm037'?>caf\xE9 noir",
        b"<meta charset=euc-jp>caf\xE9 noir",
        b"# coding: us-ascii\ncaf\xE9 noir",
        b"# coding: nonsense\ncaf\xE9 noir",
        // C1 controls
        b"# coding: iso-8859-2\n\x8A\x9D\xE9 noir",
    ] {
        assert_eq!(declared(text), None, "{}", text.escape_ascii());
    }
    // One of the two was forgotten.
    let xhtml = b"<?xml version='1.0' encoding='utf-8'?><html><meta charset=koi8-r>\xC1";
    assert_eq!(declared(xhtml), Some("KOI8-R"));
    // As on the web.
    assert_eq!(declared(b"# coding: iso-8859-1\n\x93caf\xE9\x94"), Some("windows-1252"));
    // The sample ends in the middle of a character.
    let mut long = b"<meta charset=euc-jp>".to_vec();
    long.extend(b"\xA4\xA2 \xA4 ".iter().cycle().take(3 * SAMPLE));
    let detection = Detector::new().detect(&long);
    assert_eq!(detection.evidence, Evidence::Letters, "ill-formed");
    long.truncate(21);
    long.extend(b"\xA4\xA2 \xA4\xA4 ".iter().cycle().take(3 * SAMPLE));
    assert_eq!(declared(&long), Some("EUC-JP"));
}

/// A little well-formed UTF-8 may be chance, and is then in the declared encoding. More of it is UTF-8.
#[test]
fn a_little_utf8_may_be_chance() {
    // 一 and 魔 of GBK, Её of windows-1251
    assert_eq!(declared(b"<meta charset=gbk>\xD2\xBB \xC4\xA7"), Some("GB18030"));
    assert_eq!(declared(b"<meta charset=windows-1251>\xC5\xB8"), Some("windows-1251"));
    // In the declared encoding, é and © of UTF-8 are not two letters of a word.
    let utf8 = ("UTF-8", Evidence::WellFormed);
    assert_eq!(detected("<meta charset=latin1>café".as_bytes()), utf8);
    assert_eq!(detected("<meta charset=windows-1251>©".as_bytes()), utf8);
    assert_eq!(detected("<meta charset=gbk>grüße für Ömer".as_bytes()), utf8);
    assert_eq!(detected("<meta charset=utf-8>é".as_bytes()), utf8);
    // A stale declaration is recognized even by one letter.
    for (label, text) in [
        ("windows-1251", "п"),
        ("koi8-r", "Да"),
        ("iso-8859-7", "ο"),
        ("windows-1250", "ž"),
        ("windows-1255", "ש"),
        ("windows-1258", "á"),
        ("gbk", "中文"),
        ("shift_jis", "あい"),
        ("euc-kr", "안녕"),
    ] {
        let text = format!("<meta charset={label}>{text}");
        assert_eq!(detected(text.as_bytes()), utf8, "{text}");
    }
}

/// A template's label over text that is certainly in another encoding: "Привет, как дела?" in windows-1251.
#[test]
fn letters_refute_a_false_declaration() {
    let russian = b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEA\xE0\xEA \xE4\xE5\xEB\xE0?";
    for label in ["windows-1252", "iso-8859-1", "koi8-r", "iso-8859-2"] {
        let html = [b"<meta charset=", label.as_bytes(), b">", &russian[..]].concat();
        assert_eq!(detected(&html), ("windows-1251", Evidence::Letters), "{label}");
    }
    // Too little evidence, or text in the declared encoding.
    assert_eq!(declared(b"<meta charset=koi8-r>\xEA\xE0"), Some("KOI8-R"));
    assert_eq!(declared(b"<meta charset=latin1>\xCF\xE5\xE2"), Some("windows-1252"));
    let german = b"<meta charset=latin1>Gr\xFC\xDFe aus M\xFCnchen, f\xFCr \xC4rzte und B\xE4cker";
    assert_eq!(declared(german), Some("windows-1252"));
    // A letter of UTF-8 within a word, whose bytes are a letter of another script in the declared charset.
    let utf8 = ("UTF-8", Evidence::WellFormed);
    for label in ["windows-1251", "euc-kr", "shift_jis", "gb2312"] {
        let html = format!("<meta charset={label}>Müller");
        assert_eq!(detected(html.as_bytes()), utf8, "{label}");
    }
}

/// EBCDIC (XML 1.0, F.1), and encodings that write everything in ASCII.
#[test]
fn declarations_in_other_bytes_than_ascii() {
    let encoding = Encoding::for_name("IBM1047").unwrap();
    let xml = "<?xml version='1.0' encoding='IBM1047'?><a>é</a>";
    assert_eq!(declared(&encode(xml, encoding)), Some("IBM1047"));
    let mail = "Content-Type: text/plain; charset=hz-gb-2312\n\n";
    assert_eq!(detected(&[mail.as_bytes(), b"~{VP~}"].concat()).0, "HZ");
    assert_eq!(detected(&[mail.as_bytes(), b"~{ "].concat()).0, "US-ASCII");
    assert_eq!(detected(b"<meta charset=koi8-r>cafe"), ("US-ASCII", Evidence::Ascii));
}

#[test]
fn declarations_can_be_ignored() {
    let text = "<meta charset=koi8-r>".to_owned() + &"plain ".repeat(50);
    let text = [text.as_bytes(), b"\xC1"].concat();
    assert_eq!(Detector::new().detect(&text).evidence, Evidence::Declaration);
    let ignoring = Detector::new().ignore_declarations();
    assert_eq!(ignoring.detect(&text).evidence, Evidence::Letters);
}

/// IANA's names in XML and PO files, those of the Encoding Standard in HTML and CSS.
#[test]
fn encodings_are_named_as_readers_know_them() {
    for (name, on_the_web, elsewhere) in [
        ("UTF-8", "UTF-8", "UTF-8"),
        ("CP1251", "windows-1251", "windows-1251"),
        ("latin1", "ISO-8859-1", "ISO-8859-1"),
        ("CP932", "Shift_JIS", "Windows-31J"),
        ("CP949", "EUC-KR", "CP949"),
        ("BIG5", "Big5", "BIG5"),
        ("KOI8-R", "KOI8-R", "KOI8-R"),
        ("UTF-16", "UTF-16", "UTF-16"),
        ("Shift_JIS@whatwg", "Shift_JIS", "Shift_JIS"),
        ("IBM437", "IBM437", "IBM437"),
    ] {
        let encoding = Encoding::for_name(name).unwrap();
        let label = |text: &str| all(text.as_bytes())[0].label_of(encoding);
        assert_eq!(label("<meta charset=x>").as_deref(), Some(on_the_web), "{name}");
        assert_eq!(label("<?xml encoding='x'?>").as_deref(), Some(elsewhere), "{name}");
        let lower_case = elsewhere.to_ascii_lowercase();
        assert_eq!(label("# coding: x"), Some(lower_case), "{name}");
        assert_eq!(label("Content-Type: text/plain; charset=x\n"), None, "{name}");
    }
}
