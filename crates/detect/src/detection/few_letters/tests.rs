use crate::detection::Detector;

#[test]
fn a_byte_or_two_tell_little() {
    for (text, expected) in [
        // A price in euros, ®, ½ and ï are windows-1252; é and č complete words in others.
        (&b"Preis: 5 \x80\n"[..], Some("windows-1252")),
        (b"Copyright \xAEFoo Inc.\n", Some("windows-1252")),
        (b"Copyright \xBDFoo Inc.\n", Some("windows-1252")),
        (b"5 \xA3\n", None),
        (b"cost: 5 \xA3\n", Some("windows-1252")),
        (b"the \xB5m scale\n", Some("windows-1252")),
        (b"na\xEFve\n", Some("windows-1252")),
        (b"caf\x82\n", Some("IBM850")),
        (b"ni mogo\xE8e prenesti.\n", Some("windows-1250")),
        // "Modalità: differenza" in IBM850.
        (b"Modalit\x85: differenza\n", Some("IBM850")),
        (b"\xFF\n", None),
        (b"\xFF \xFE\n\xFF\n", None),
        (b"x \xFF y\n", None),
        (b"\xE9", None),
        // The start of U+9227, or U+95B3 in GB18030.
        (b"0123456789abcd\xE9\x88\nmore\n", None),
    ] {
        let detection = Detector::new().detect(text);
        let name = detection.is_enough().then(|| detection.encoding.name());
        assert_eq!(name, expected, "{}", text.escape_ascii());
        assert!(detection.runners_up.len() <= 4, "{}", text.escape_ascii());
    }
}

/// Repeating a sign of windows-1252 adds no evidence, unless the words are in a language that has a letter there:
/// "Etter århundrer ... på" in IBM850.
#[test]
fn signs_that_are_repeated_are_windows_1252() {
    for (text, name) in [
        (&b"8.3 \xB0C\n9.1 \xB0C\n10 \xB0C\n"[..], "windows-1252"),
        (b"Introduction \x85\x85\x85 5\nSecond part \x85\x85 17\n", "windows-1252"),
        (b"Warning\xA0: the file is missing\nName\xA0: unknown user\n", "windows-1252"),
        (b"Etter \x86rhundrer med spansk styre p\x86 den andre siden", "IBM850"),
    ] {
        let detection = Detector::new().detect(text);
        assert_eq!(detection.encoding.name(), name, "{}", text.escape_ascii());
    }
}

/// A frame around "Name", the output of `tree`, a rule and a bar may be in any code page of DOS. "Внимание, файл не
/// найден" in a frame is in IBM866.
#[test]
fn drawings_are_of_dos() {
    for (text, names) in [
        (
            &b"\xC9\xCD\xCD\xCD\xCD\xCD\xCD\xBB\r\n\xBA Name \xBA\r\n\xC8\xCD\xCD\xCD\xCD\xCD\xCD\xBC\r\n"[..],
            "IBM437 IBM850 IBM852",
        ),
        (
            b".\r\n\xC3\xC4\xC4\xC4docs\r\n\xB3   \xC0\xC4\xC4\xC4guide\r\n\xC0\xC4\xC4\xC4src\r\n",
            "IBM437 IBM850 IBM852",
        ),
        (b"Copying [\xDB\xDB\xDB\xDB\xDB\xB0\xB0\xB0\xB0\xB0] half\r\n", "IBM437 IBM850 IBM852"),
        (
            b"\xDA\xC4\xC4\xC4\xC4\xC4\xC4\xBF\r\n\xB3 \x82\xAD\xA8\xAC\xA0\xAD\xA8\xA5, \xE4\xA0\xA9\xAB \
            \xAD\xA5 \xAD\xA0\xA9\xA4\xA5\xAD \xB3\r\n\xC0\xC4\xC4\xC4\xC4\xC4\xC4\xD9\r\n",
            "IBM866",
        ),
    ] {
        let detection = Detector::new().detect(text);
        let name = detection.encoding.name();
        assert!(names.split(' ').any(|it| it == name), "{detection}: {}", text.escape_ascii());
        assert!(detection.is_enough(), "{detection}: {}", text.escape_ascii());
    }
}

/// The English words of code are no evidence for the language of a comment, and base64 has no words.
#[test]
fn a_word_among_code_and_base64_tells_its_own_language() {
    let code = "/* Returns the number of bytes that were read, or a negative error. */\n\
        static int read_header(struct reader *reader, unsigned char *buffer, size_t size)\n{\n    \
        if (reader->offset + size > reader->limit)\n        return -1; /* {} */\n    \
        memcpy(buffer, reader->data + reader->offset, size);\n    return (int)size;\n}\n";
    let base64 = "aGVsbG8gd29ybGQsIHRoaXMgaXMgYSBsb25nZXIgdGV4dCB0aGF0IHdhcyBlbmNvZGVk\n\
        Z/gX+bQx/Wv+Kd/Rea/Jkl+MnP/Qrs/Tuv+WxY/Zab/Cde+Fgh/IJK+lmN/Opq/rsT\n{}\n";
    for (word, name) in [
        // Tässä, felső, πρώτο, слово, длина, uživatel.
        (&b"T\xE4ss\xE4"[..], "windows-1252"),
        (b"fels\xF5", "windows-1250"),
        (b"\xF0\xF1\xFE\xF4\xEF", "windows-1253"),
        (b"\xD3\xCC\xCF\xD7\xCF", "KOI8-R"),
        (b"\xA4\xAB\xA8\xAD\xA0", "IBM866"),
        (b"u\x9Eivatel", "windows-1250"),
    ] {
        for text in [code, base64] {
            let (before, after) = text.split_once("{}").unwrap();
            let text = [before.as_bytes(), word, after.as_bytes()].concat();
            let detection = Detector::new().detect(&text);
            assert_eq!(detection.encoding.name(), name, "{}", text.escape_ascii());
            assert!(detection.confidence >= 90, "{detection}: {}", text.escape_ascii());
        }
    }
}

/// "שלום עולם, זה טקסט בעברית שנכתב במחשב מרכזי לפני שנים רבות" in IBM424, by Python. Its letters are bytes of ASCII.
#[test]
fn letters_of_ebcdic_are_not_few() {
    let text = b"iTFU@bFTUk@GE@IgYI@BbBhQq@iXSqB@BVHiB@VhSGQ@TdXQ@iXQU@hBFq";
    let detection = Detector::new().detect(text);
    assert!(detection.is_enough(), "{detection}");
    assert_eq!(detection.encoding.name(), "IBM424");
}
