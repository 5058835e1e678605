//! Detection of the encoding by letters and escape sequences.

use crate::common::{oxiconv, run, run_text};

/// Returns the name of the detected encoding.
fn detected(args: &[&str], text: &[u8]) -> String {
    let (_, out, _) = run_text(&[&["--detect", "-q"], args].concat(), text);
    out.trim_end().to_owned()
}

/// charset_normalizer #357: half-width katakana are the bytes A1 to DF, which are letters in other encodings.
#[test]
fn katakana_of_half_width_are_japanese() {
    let report = b"\xCA\xDD\xB6\xB8\xB6\xC5\x82\xCC\x83e\x83X\x83g \xB6\xC5\x95\xCF\x8A\xB7 \xC3\xBD\xC4\xC3\xDE\xB0\xC0\n\
        \xCA\xDF\xBD\xDC\xB0\xC4\xDE\x82\xF0\x93\xFC\x97\xCD\n";
    assert_eq!(detected(&[], report), "CP932");
    // ﾌｧｲﾙを保存しました
    assert_eq!(
        detected(
            &[],
            b"\xCC\xA7\xB2\xD9\x82\xF0\x95\xDB\x91\xB6\x82\xB5\x82\xDC\x82\xB5\x82\xBD\n"
        ),
        "CP932"
    );
    // Words with ideographs (ﾌｧｲﾙ一覧 ﾃｽﾄ結果), and katakana alone (ｻﾄｳ ｲﾁﾛｳ, ｵｵｻｶｼ ｷﾀｸ, a line of CSV).
    for text in [
        &b"\xCC\xA7\xB2\xD9\x88\xEA\x97\x97 \xC3\xBD\xC4\x8C\x8B\x89\xCA\n"[..],
        b"\xBB\xC4\xB3 \xB2\xC1\xDB\xB3\n",
        b"\xB5\xB5\xBB\xB6\xBC \xB7\xC0\xB8\n",
        b"1,\xD4\xCF\xC0\xDE \xC0\xDB\xB3,\xC4\xB3\xB7\xAE\xB3\xC4\n",
    ] {
        assert_eq!(detected(&[], text), "CP932", "{}", text.escape_ascii());
    }
    // "ЗАКАЗ ПРИНЯТ" has the same bytes as katakana, in windows-1251 and in ISO-8859-5.
    assert_eq!(detected(&[], b"\xC7\xC0\xCA\xC0\xC7 \xCF\xD0\xC8\xCD\xDF\xD2\n"), "windows-1251");
    assert_eq!(detected(&[], b"\xB7\xB0\xBA\xB0\xB7 \xBF\xC0\xB8\xBD\xCF\xC2\n"), "ISO-8859-5");
}

/// vscode #56115: `--language` restricts the answer to encodings that were used for the language.
#[test]
fn a_language_leaves_the_encodings_that_were_used_for_it() {
    let japanese = ["CP932", "EUC-JP", "SHIFT_JISX0213", "EUC-JISX0213", "unknown"];
    let korean = ["CP949", "JOHAB", "unknown"];
    for text in [&b"\xD6\xD0\xCE\xC4\n"[..], b"\xC4\xE3\xBA\xC3\xA3\xAC\xCA\xC0\xBD\xE7\n"] {
        let answer = detected(&["--language", "ja"], text);
        assert!(japanese.contains(&&*answer), "{answer}");
    }
    for text in [&b"\x83\x65\x83\x58\x83\x67\n"[..], b"\x93\xFA\x96\x7B\x8C\xEA\n"] {
        let answer = detected(&["--language", "ko"], text);
        assert!(korean.contains(&&*answer), "{answer}");
    }
    // Several languages are separated by commas, or the option is repeated.
    for args in [&["--language", "ru,ja"][..], &["--language", "ru", "--language", "ja"]] {
        assert_eq!(detected(args, b"\x83\x65\x83\x58\x83\x67\n"), "CP932");
        assert_eq!(detected(args, b"\xEF\xF0\xE8\xE2\xE5\xF2 \xEC\xE8\xF0\n"), "windows-1251");
    }
}

/// The same report: `--candidates` lists the possible encodings.
#[test]
fn an_answer_is_one_of_the_candidates_that_are_given() {
    let candidates = &["--candidates", "cp932,euc-jp,iso-2022-jp"];
    assert_eq!(detected(candidates, b"\x83\x65\x83\x58\x83\x67\n"), "CP932");
    assert_eq!(detected(candidates, b"\xA5\xC6\xA5\xB9\xA5\xC8\n"), "EUC-JP");
    assert_eq!(detected(candidates, b"\x1B$B%F%9%H\x1B(B\n"), "ISO-2022-JP");
    let of_korea = detected(candidates, b"\x1B$)C\x0E0!3*\x0F\n");
    assert_ne!(of_korea, "ISO-2022-KR");
    // The answer is ISO-8859-1 as given, and not windows-1252, which agrees on these bytes.
    assert_eq!(
        detected(&["--candidates", "iso-8859-1,iso-8859-2"], b"caf\xE9 cr\xE8me\n"),
        "ISO-8859-1"
    );
    // UTF-8 is known and not guessed, so the candidates do not matter.
    assert_eq!(detected(candidates, "grün".as_bytes()), "UTF-8");
    let (status, out, _) =
        run(&["-f", "auto", candidates[0], candidates[1]], b"\x83\x65\x83\x58\x83\x67");
    assert_eq!((status, &*out), (0, "テスト".as_bytes()));
    oxiconv().args(["--candidates", "cp932"]).assert().code(2);
}

/// imapsync #23: mailbox names, one per line, are in UTF-7-IMAP and never in UTF-7.
#[test]
fn names_of_mailboxes_are_utf7_imap() {
    for name in
        [&b"&BB8EQAQ+BDUEOgRC-"[..], b"INBOX\nINBOX.&BB8EQAQ+BDUEOgRC-\n", b"&ZeVnLIqe-/&U,BTFw-\n"]
    {
        assert_eq!(detected(&[], name), "UTF-7-IMAP", "{}", name.escape_ascii());
    }
    assert_eq!(detected(&[], b"Tom & Jerry &- &amp; R&D\n"), "US-ASCII");
    let list = b"INBOX\r\nINBOX.&BB8EQAQ+BDUEOgRC-\nSent\n";
    let (status, out, _) = run_text(&["-f", "utf-7-imap"], list);
    assert_eq!((status, &*out), (0, "INBOX\r\nINBOX.Проект\nSent\n"));
}

/// charlock_holmes #192: text that is padded to the size of a block with NUL or 1A is no binary data.
#[test]
fn text_that_is_padded_is_no_data() {
    let padded = |text: &[u8], end: &[u8], size: usize| [text, end, &vec![0; size]].concat();
    assert_eq!(detected(&[], &padded(b"some text\r\n", b"\x1A", 31)), "US-ASCII");
    assert_eq!(detected(&[], &padded(b"x", b"", 511)), "US-ASCII");
    assert_eq!(detected(&[], &padded("grüne Äpfel".as_bytes(), b"", 100)), "UTF-8");
    assert_eq!(
        detected(
            &[],
            &padded(
                b"\xEF\xF0\xE8\xE2\xE5\xF2 \xEC\xE8\xF0, \xEA\xE0\xEA \xE4\xE5\xEB\xE0",
                b"\x1A",
                90
            )
        ),
        "windows-1251"
    );
    assert_eq!(detected(&[], &padded(b"Smith", b"", 15).repeat(60)), "US-ASCII");
    assert_eq!(detected(&[], &[0; 64]), "binary");
}

/// w3lib #300: Windows and browsers decode 80 as the euro sign in GBK. It must not count against GBK.
#[test]
fn a_euro_sign_in_gbk_hides_nothing() {
    let text = b"\xD5\xE2\xB8\xF6\xC9\xCC\xC6\xB7\xB5\xC4\xBC\xDB\xB8\xF1\xCA\xC7 5\x80\n";
    let (status, out, _) = run_text(&["-f", "auto"], text);
    assert_eq!((status, &*out), (0, "这个商品的价格是 5€\n"));
}

/// fo-dicom #1805: DICOM designates character sets to G1, the bytes from A0 on, by escape sequences of ISO 2022.
#[test]
fn text_of_dicom_is_found_detected_and_read() {
    let name = b"Zhang=\x1B$)A\xD5\xC5^\x1B$)A\xD0\xA1\xB6\xAB=";
    assert_eq!(detected(&[], name), "ISO-2022-DICOM");
    for (bytes, text) in [
        (&name[..], "Zhang=张^小东="),
        (b"Hong^Gildong=\x1B$)C\xFB\xF3^\x1B$)C\xD1\xCE\xD4\xD7=", "Hong^Gildong=洪^吉洞="),
        (b"Yamada=\x1B)I\xD4\xCF\xC0\xDE", "Yamada=ﾔﾏﾀﾞ"),
        (b"\x1B$B;3ED\x1B(B^\x1B-A\xE9", "山田^é"),
    ] {
        assert_eq!(run_text(&["-f", "dicom"], bytes).1, text);
        assert_eq!(run_text(&["-f", "auto"], bytes).1, text);
    }
    // The encoder designates the set of G1 again after the delimiter `^` (DICOM PS3.5, 6.1.2.5.3).
    let (_, written, _) = run(&["-t", "dicom"], "张^东");
    assert_eq!(written, b"\x1B$)A\xD5\xC5^\x1B$)A\xB6\xAB");
    let (_, list, _) = run_text(&["--list", "dicom"], "");
    assert!(list.contains("ISO-2022-DICOM"), "{list}");
}

/// A4 is the euro sign, A5 and B5 are quotation marks in ISO-8859-16, but in no other encoding of Romanian.
#[test]
fn romanian_in_iso_8859_16_is_told_by_its_signs() {
    // Prețul este 15 € și începe mâine. „Țara noastră”
    let text = b"Pre\xFEul este 15 \xA4 \xBAi \xEEncepe m\xE2ine. \xA5\xDEara noastr\xE3\xB5\n";
    assert_eq!(detected(&[], text), "ISO-8859-16");
}

#[test]
fn no_confidence_is_0_percent() {
    for text in [&b"caf\xE9\n"[..], b"\xD6\xD0\n", b"\xFF\xFE\xFD\xFC\xFB\n", b"\xE9\n"] {
        let (_, out, _) = run_text(&["--detect", "-v"], text);
        assert!(!out.contains(" 0 %"), "{out}");
    }
}
