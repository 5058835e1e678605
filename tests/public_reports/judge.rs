//! Text that is almost UTF-8: all commands agree on what it is and on the command that repairs it.
//!
//! ```text
//! well-formed sequences ─► UTF-8, with stray bytes that fit X      --fallback X
//!                                 with truncated characters        -c
//!                          CESU-8 or MUTF-8, by their pairs        -f cesu-8
//!                          lines in several encodings              -f auto-lines
//! ```

use std::fs;
use std::path::Path;

use oxiconv::Encoding;

use crate::common::options_of_hints;
use crate::common::{Dir, run_text};

/// What the five commands say about one text.
#[derive(Debug)]
struct Answers {
    /// The name of the encoding, which is the first field of `--detect`.
    name: String,
    detect: String,
    /// The options in the hint of `--check`.
    hint: String,
    /// The options in the repair of `--explain`.
    explain: String,
    /// The text that `--fallback auto` writes, and its messages.
    fallback: (String, String),
    /// The same for `-f auto`.
    auto: (String, String),
}

impl Answers {
    fn of(text: &[u8]) -> Self {
        let dir = Dir::new();
        dir.write("f", text);
        let run = |args: &[&str]| {
            let (_, out, err) = dir.run(&[args, &["f"]].concat());
            (out, err)
        };
        let lossy = |args: &[&str]| run(&[args, &["-e", "replace"]].concat());
        let detect = run(&["--detect"]).0;
        let name = detect.trim_start_matches("f: ").split([',', '(']).next().unwrap_or_default();
        let between = |text: &str, start: &str, ends: &[char]| {
            let rest = text.split_once(start).map_or("", |(_, rest)| rest);
            rest.split(ends).next().unwrap_or_default().trim().to_owned()
        };
        let hint = between(&options_of_hints(&run(&["--check"]).1, "f"), "(try ", &[')', ';']);
        let explain = between(&run(&["--explain"]).0, "repair    oxiconv ", &['\n']);
        Self {
            name: name.trim().to_owned(),
            hint,
            explain: explain.trim_end_matches(" -i.bak f").to_owned(),
            fallback: lossy(&["--fallback", "auto"]),
            auto: run(&["-f", "auto"]),
            detect,
        }
    }

    /// Checks that no answer contradicts another.
    fn agree(&self, text: &[u8]) {
        let shown = || format!("{}\n{self:#?}", text.escape_ascii());
        // Both are empty if nothing is certain.
        assert_eq!(self.hint, self.explain, "{}", shown());
        assert!(!self.detect.contains(" 0 %"), "{}", shown());
        let Self { hint, auto: (_, auto), fallback: (_, read), .. } = self;
        match &self.name[..] {
            "UTF-8" => {
                assert!(hint.is_empty() || !hint.starts_with("-f"), "{}", shown());
                let fits = self.detect.split_once(" fit ").or(self.detect.split_once(" fits "));
                let fits = fits.map(|(_, rest)| rest.split([',', ' ']).next().unwrap_or_default());
                if let Some((_, read)) = read.split_once(" read as ") {
                    let fits = fits.unwrap_or_else(|| panic!("{}", shown()));
                    assert_eq!(read.split([',', '\n', ' ']).next(), Some(fits), "{}", shown());
                }
                assert_eq!(fits.is_some(), hint.contains("--fallback "), "{}", shown());
                if let (Some(fits), Some((_, named))) = (fits, hint.split_once("--fallback ")) {
                    let named = named.split(' ').next().unwrap_or_default();
                    assert!(named == "auto" || named == fits.to_lowercase(), "{}", shown());
                }
                assert!(hint.is_empty() || auto.contains(&format!("(try {hint})")), "{}", shown());
            }
            "auto-lines" => {
                assert_eq!(hint, "-f auto-lines", "{}", shown());
                assert!(auto.contains("(try -f auto-lines)"), "{}", shown());
            }
            relative @ ("CESU-8" | "MUTF-8") => {
                assert!(
                    hint.starts_with(&format!("-f {}", relative.to_lowercase())),
                    "{}",
                    shown()
                );
                // If there are stray bytes, `-f auto` must also suggest the fallback that reads them.
                let has_strays = hint.contains("--fallback");
                assert!(!has_strays || auto.contains(&format!("(try {hint})")), "{}", shown());
            }
            _ if self.detect.contains("encoding unclear") => {
                assert!(!hint.contains("--fallback"), "{}", shown());
                assert!(!read.contains(" read as "), "{}", shown());
            }
            // A text in a legacy charset is read in that charset by all commands.
            charset => {
                assert_eq!(self.fallback.0, self.auto.0, "{}", shown());
                let named = hint.is_empty() || hint.ends_with(&charset.to_lowercase());
                assert!(named, "{}", shown());
            }
        }
    }
}

/// Checks that every command reads a text in the charset `name`, as `read`.
fn in_charset(text: &[u8], name: &str, read: &str) {
    let answers = Answers::of(text);
    let shown = || format!("{}\n{answers:#?}", text.escape_ascii());
    assert_eq!(answers.name, name, "{}", shown());
    assert_eq!(answers.fallback.0, read, "{}", shown());
    answers.agree(text);
}

/// Checks that the encoding of a text remains unclear to every command.
fn unknown(text: &[u8]) {
    let answers = Answers::of(text);
    assert!(answers.detect.contains("encoding unclear"), "{}\n{answers:#?}", text.escape_ascii());
    answers.agree(text);
}

/// Checks a text that is UTF-8 except for some bytes: the hint for it, and what `--fallback auto` writes.
fn almost(text: &[u8], hint: &str, read: &str) {
    let answers = Answers::of(text);
    let shown = || format!("{}\n{answers:#?}", text.escape_ascii());
    assert_eq!(answers.name, "UTF-8", "{}", shown());
    assert_eq!(answers.hint, hint, "{}", shown());
    assert_eq!(answers.fallback.0, read, "{}", shown());
    answers.agree(text);
}

#[test]
fn stray_letters_among_utf8() {
    // uchardet #2.
    let text = b"xxx\xe2\x80\x99xxx\nchar '\xe2' (in\nMilo\xc5\xa1_Forman\n";
    almost(text, "--fallback windows-1252", "xxx’xxx\nchar 'â' (in\nMiloš_Forman\n");
    let western = "--fallback windows-1252";
    almost(b"M\xc3\xa4rz f\xc3\xbcr gro\xdf\n", western, "März für groß\n");
    almost(
        b"caf\xc3\xa9 na\xc3\xafve d\xc3\xa9j\xc3\xa0 vu caf\xe9 \xe9t\xe9\n",
        western,
        "café naïve déjà vu café été\n",
    );
    almost(
        b"ni\xc3\xb1o a\xc3\xb1o coraz\xc3\xb3n canci\xc3\xb3n ma\xf1ana se\xf1or\n",
        western,
        "niño año corazón canción mañana señor\n",
    );
    // Similar texts: other languages, and a stray byte at the start.
    almost(b"\xe5r och \xc3\xb6rter p\xc3\xa5 \xc3\xa4ngen\n", western, "år och örter på ängen\n");
    almost(
        "при\u{432}ет мир"
            .as_bytes()
            .iter()
            .chain(b" \xec\xe8\xf0\n")
            .copied()
            .collect::<Vec<_>>()
            .as_slice(),
        "--fallback windows-1251",
        "привет мир мир\n",
    );
}

/// The expected texts are what Python decodes.
#[test]
fn a_text_in_a_charset_is_read_in_it_as_a_whole() {
    in_charset(b"caf\x82\n", "IBM850", "café\n");
    in_charset(b"ni mogo\xE8e prenesti.\n", "windows-1250", "ni mogoče prenesti.\n");
    in_charset(b"\xCB\xCF\xCD\xCD\xC9\xD4\n", "KOI8-R", "коммит\n");
    // C5 B0 is Ű in UTF-8, and 키 in EUC-KR.
    let korean =
        b"Ctrl \xC5\xB0\xB8\xA6 \xB4\xA9\xB8\xA3\xB0\xED \xB4\xD9\xC0\xBD \xC5\xB0\xB8\xA6 \
        \xC8\xAE\xC0\xCE\xC7\xD1\xB4\xD9.\n";
    in_charset(korean, "CP949", "Ctrl 키를 누르고 다음 키를 확인한다.\n");
    let spanish = b"msgid \"Installed packages\"\nmsgstr \"Los paquetes que est\xE1n instalados en el sistema\"\n";
    in_charset(
        spanish,
        "windows-1252",
        "msgid \"Installed packages\"\nmsgstr \"Los paquetes que están instalados en el sistema\"\n",
    );
    // All commands believe what a text declares.
    in_charset(
        b"# -*- coding: cp850 -*-\n# caf\x82\n",
        "IBM850",
        "# -*- coding: cp850 -*-\n# café\n",
    );
    let gedcom = b"0 HEAD\n1 CHAR IBMPC\n1 NAME M\x81ller\n";
    in_charset(gedcom, "IBM437", "0 HEAD\n1 CHAR IBMPC\n1 NAME Müller\n");
}

#[test]
fn bytes_that_tell_nothing_are_read_by_nobody() {
    for text in [&b"\xFF\n"[..], b"1;\xFE;2\n", b"a\0\x1B \xC3\xA9\xFF\n"] {
        unknown(text);
    }
}

/// Bytes of double-byte characters can look like overlong forms, forms of RFC 2279 or truncated characters. One example
/// is C1 A6, which is 제 in CP949.
#[test]
fn words_in_a_charset_of_two_bytes_have_one_answer() {
    let korean = b"\xEC\x83\x88 \xBE\xF0\xC1\xA6\xB3\xAA\n";
    let (_, out, _) = run_text(&["--detect"], korean);
    assert!(out.contains("6 stray bytes that fit CP949"), "{out}");
    let (_, _, err) = run_text(&["--check"], korean);
    assert!(err.contains("all 6 stray bytes fit CP949"), "{err}");
    assert!(err.contains("(try --fallback cp949)"), "{err}");
    let (status, out, _) = run_text(&["--fallback", "auto", "-q"], korean);
    assert_eq!((status, &*out), (0, "새 언제나\n"));
}

/// A signature makes a text UTF-8, whatever else is in it.
#[test]
fn a_text_with_a_signature_may_have_stray_bytes() {
    let hint = "--fallback windows-1252";
    almost(b"\xEF\xBB\xBFM\xC3\xA4rz f\xC3\xBCr gro\xDF\n", hint, "\u{FEFF}März für groß\n");
    almost(b"\xEF\xBB\xBFcaf\xE9\n", hint, "\u{FEFF}café\n");
    almost(b"\xEF\xBB\xBFvoil\xE0\n", hint, "\u{FEFF}voilà\n");
    // Longer than the sample that detection examines.
    let long = "März für Köln\n".repeat(20_000);
    let text = [b"\xEF\xBB\xBFgro\xDF\n", long.as_bytes()].concat();
    almost(&text, hint, &format!("\u{FEFF}groß\n{long}"));
}

/// The stray bytes come after the sample of 128 KiB. The commands used to disagree: `--detect` called the encoding
/// unclear, while `--fallback auto` read the text.
#[test]
fn stray_letters_after_the_sample() {
    let start = "café noir\n".repeat(14_000);
    let text = [start.as_bytes(), &b"caf\xE9 cr\xE8me\n".repeat(300)].concat();
    let answers = Answers::of(&text);
    assert!(answers.detect.contains("600 stray bytes that fit windows-1252"), "{}", answers.detect);
    let read = format!("{start}{}", "café crème\n".repeat(300));
    assert_eq!(answers.hint, "--fallback windows-1252");
    assert!(answers.fallback.0 == read);
    let text = [start.as_bytes(), b"caf\xC3\n"].concat();
    assert!(Answers::of(&text).detect.contains("1 character that was cut off"));
}

/// "Αυτόματη", "עינת", "í lýsigögnum" and "的方法" without their first bytes, as `tail -c` leaves them. The orphaned bytes
/// used to be taken for letters of other encodings: ‘, ר, a soft hyphen and „.
#[test]
fn a_text_that_begins_within_a_character() {
    for (text, rest) in [
        (&b"\x91\xCF\x85\xCF\x84\xCF\x8C\xCE\xBC\xCE\xB1\n"[..], "υτόμα\n"),
        (b"\x98\xD7\xA2\xD7\x99\xD7\xA0\xD7\xAA \xD7\x94\n", "עינת ה\n"),
        (b"\xAD l\xC3\xBDsig\xC3\xB6gnum\n", " lýsigögnum\n"),
        (b"\x84\xE6\x96\xB9\xE6\xB3\x95\n", "方法\n"),
    ] {
        almost(text, "-c", &format!("\u{FFFD}{rest}"));
    }
}

/// A letter alone on its line could be anything, so no command may read it; `--fallback auto` used to. A letter inside
/// a word has context, so the hints must name the same encoding as `--detect`. They used to omit it.
#[test]
fn a_single_stray_byte() {
    let text = ["Помери доле\n".as_bytes(), b"\xE8\n"].concat();
    almost(&text, "", "Помери доле\n\u{FFFD}\n");
    let start = "Текущий файл не найден, попробуйте ещё раз\nсообщени".as_bytes();
    let text = [start, b"\xA5\n"].concat();
    almost(&text, "--fallback ibm866", "Текущий файл не найден, попробуйте ещё раз\nсообщение\n");
}

/// `--detect` used to name one of the two charsets, and `--fallback auto` read the lines in the other charset with it
/// too.
#[test]
fn lines_in_two_charsets_are_read_in_neither() {
    let text = "Сообщение об ошибке записано\nТемпература воды\n";
    let encode = |name| oxiconv::encode(text, Encoding::for_name(name).unwrap()).unwrap();
    let (windows, koi, dos) = (encode("windows-1251"), encode("KOI8-R"), encode("IBM866"));
    for parts in [[&windows, &koi], [&koi, &windows], [&dos, &windows]] {
        let bytes = parts.map(|part| &part[..]).concat();
        let answers = Answers::of(&bytes);
        let shown = || format!("{}\n{answers:#?}", bytes.escape_ascii());
        assert_eq!(answers.name, "auto-lines", "{}", shown());
        assert!(!answers.fallback.1.contains(" read as "), "{}", shown());
        answers.agree(&bytes);
        let dir = Dir::new();
        dir.write("f", &bytes);
        let (status, _, err) = dir.run(&["--fallback", "auto", "f"]);
        assert!(status == 1 && err.contains("(try -f auto-lines)"), "{err}");
        assert_eq!(dir.run(&["-q", "-f", "auto-lines", "f"]).1, text.repeat(2), "{}", shown());
    }
    in_charset(&windows, "windows-1251", text);
}

/// The signature belongs to no line, whatever encoding the first line is in. A second run changes nothing.
#[test]
fn a_signature_before_lines_in_several_encodings_stays() {
    let dir = Dir::new();
    dir.write("f", b"\xEF\xBB\xBFcaf\xE9\n");
    for _ in 0..2 {
        let (status, _, err) = dir.run(&["-f", "auto-lines", "-i", "f"]);
        assert_eq!(status, 0, "{err}");
        assert_eq!(dir.read("f"), "\u{FEFF}café\n".as_bytes());
    }
}

/// Binary data is not text with stray bytes.
#[test]
fn data_is_read_in_no_encoding() {
    let data: Vec<u8> =
        (0..4000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let dir = Dir::new();
    dir.write("f", &data);
    let (status, _, err) = dir.run(&["--fallback", "auto", "-i", "f"]);
    assert_eq!(status, 1, "{err}");
    assert_eq!(dir.read("f"), data);
}

/// Overlong forms, surrogates and five-byte forms are not letters of a legacy charset.
#[test]
fn longer_sequences_are_no_letters() {
    for text in [
        &b"x\xC0\xAFy\n"[..],
        b"/a/\xC0\xAE\xC0\xAE/etc\n",
        b"caf\xC3\xA9 \xE0\x80\xAF\n",
        b"caf\xC3\xA9 \xF8\x88\x80\x80\x80 x\n",
        b"x \xED\xA0\xBD y caf\xC3\xA9\n",
    ] {
        let answers = Answers::of(text);
        let shown = || format!("{}\n{answers:#?}", text.escape_ascii());
        assert!(!answers.fallback.1.contains(" read as "), "{}", shown());
        assert!(!answers.hint.contains("--fallback"), "{}", shown());
        assert_eq!(answers.name, "UTF-8", "{}", shown());
    }
    almost(b"\x98\x80 rest \xF0\x9F\x98\x80 text\n", "-c", "\u{FFFD}\u{FFFD} rest 😀 text\n");
}

/// Text that was encoded twice is well-formed UTF-8 and therefore no evidence for a legacy charset.
#[test]
fn text_that_was_encoded_twice_is_utf8() {
    almost(
        b"M\xC3\x83\xC2\xA4rz f\xC3\x83\xC2\xBCr\ngro\xDF\n",
        "--fallback windows-1252",
        "MÃ¤rz fÃ¼r\ngroß\n",
    );
}

/// However many lines are in a legacy charset, the one in UTF-8 must not become `cittÃ `.
#[test]
fn a_line_in_utf8_among_many_in_a_charset() {
    let before = b"Oggi il tempo \xE8 bello, andr\xF2 al mare perch\xE9 c'\xE8 il sole.\n";
    for count in [8, 30] {
        let text = [&before.repeat(count)[..], "La città è già lì\n".as_bytes()].concat();
        let answers = Answers::of(&text);
        assert_eq!(answers.name, "auto-lines", "{count}: {}", answers.detect);
        assert!(answers.fallback.0.ends_with("La città è già lì\n"), "{count}");
        answers.agree(&text);
    }
}

#[test]
fn lines_of_which_one_is_utf8() {
    for text in [
        &b"na\xefve caf\xe9\nna\xefve caf\xe9\nna\xefve caf\xe9\nd\xc3\xa9j\xc3\xa0\n"[..],
        b"d\xc3\xa9j\xc3\xa0 vu\nna\xefve caf\xe9\n\xe9t\xe9 pass\xe9\n",
        b"gr\xfc\xdfe aus k\xf6ln\nsch\xf6ne gr\xfc\xdfe\nM\xc3\xa4rz f\xc3\xbcr alle\n",
    ] {
        let answers = Answers::of(text);
        assert_eq!(answers.name, "auto-lines", "{}\n{answers:#?}", text.escape_ascii());
        answers.agree(text);
    }
}

#[test]
fn surrogate_pairs_are_cesu_8() {
    let lines = b"emoji \xed\xa0\xbd\xed\xb9\x88 x \xed\xa0\xbd\xed\xb8\x80\n";
    for text in [
        lines.to_vec(),
        b"emoji \xed\xa0\xbd\xed\xb9\x88 x\nplain\n".to_vec(),
        lines.repeat(8),
        [&lines[..], "Grüße, привет, 你好\n".as_bytes()].concat(),
    ] {
        let answers = Answers::of(&text);
        assert_eq!(answers.name, "CESU-8", "{answers:#?}");
        assert_eq!(answers.hint, "-f cesu-8", "{answers:#?}");
        assert!(answers.auto.0.contains("🙈 x"), "{answers:#?}");
        answers.agree(&text);
    }
    let java = Answers::of(b"caf\xc3\xa9\xc0\x80cr\xc3\xa8me\n");
    assert_eq!((&java.name[..], &java.hint[..]), ("MUTF-8", "-f mutf-8"), "{java:#?}");
}

/// basex #1593, appwrite #13567.
#[test]
fn characters_that_were_cut_off_are_no_letters() {
    let text = b"Gr\xc3\xbc\xc3\x9fe aus K\xc3\xb6ln und M\xc3\n";
    almost(text, "-c", "Grüße aus Köln und M\u{FFFD}\n");
    let text = b"\xd0\x9f\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\n\xd0\xbc\xd0\xb8\xd1\x80\n";
    almost(text, "-c", "Приве\u{FFFD}\nмир\n");
    let text = b"\xe2\x80\x9eA Streetcar named Desire\xe2\x80...\nnext line caf\xc3\xa9\n";
    almost(text, "-c", "„A Streetcar named Desire\u{FFFD}...\nnext line café\n");
    // Truncated before a comma, a quotation mark and the end; orphaned at the start of a line; in other languages.
    almost(b"Gr\xc3\xbcn,M\xc3,x\nK\xc3\xb6ln\n", "-c", "Grün,M\u{FFFD},x\nKöln\n");
    almost(b"\"\xc5\x81\xc3\xb3d\xc5\xba\",\"Gda\xc5\"\n", "-c", "\"Łódź\",\"Gda\u{FFFD}\"\n");
    almost(
        "ελληνικά και ελληνικ\u{FFFD}"
            .replace('\u{FFFD}', "")
            .as_bytes()
            .iter()
            .chain(b"\xce")
            .copied()
            .collect::<Vec<_>>()
            .as_slice(),
        "-c",
        "ελληνικά και ελληνικ\u{FFFD}",
    );
    almost(b"Gr\xc3\xbcn\n\xbcnchen\n", "-c", "Grün\n\u{FFFD}nchen\n");
}

#[test]
fn cut_characters_and_stray_letters_in_one_text() {
    let text = b"Gr\xc3\xbc\xc3\x9fe aus K\xc3\xb6ln und M\xc3\nsch\xf6n gro\xdf, f\xfcr\n";
    almost(text, "--fallback auto -c", "Grüße aus Köln und M\u{FFFD}\nschön groß, für\n");
}

/// Random texts that mix words in UTF-8 with words in a legacy encoding of the same language.
mod mixtures {
    use super::*;

    struct Random(u64);

    impl Random {
        fn below(&mut self, most: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 33) as usize % most
        }
    }

    /// Returns the words of one of the texts that the detection tests use.
    fn words(language: &str) -> Vec<String> {
        let file = format!("{}/tests/data/detection/{language}.txt", env!("CARGO_MANIFEST_DIR"));
        let text = fs::read_to_string(Path::new(&file)).unwrap();
        text.split_whitespace().map(str::to_owned).collect()
    }

    /// Makes a text with 2 to 12 non-ASCII words in UTF-8, 1 to 3 in the legacy encoding, and the ASCII words between
    /// them.
    fn mixture(
        words: &[String],
        encoding: &'static Encoding,
        random: &mut Random,
    ) -> Option<Vec<u8>> {
        let most = (2 + random.below(11), 1 + random.below(3));
        let (mut of_utf8, mut strays, mut text) = (0, 0, Vec::new());
        let start = random.below(words.len());
        for word in words.iter().cycle().skip(start).take(words.len()) {
            let encoded = oxiconv::encode(word, encoding).ok().filter(|_| !word.is_ascii());
            match encoded {
                Some(encoded) if strays < most.1 && random.below(4) == 0 => {
                    strays += 1;
                    text.extend_from_slice(&encoded);
                }
                _ if of_utf8 == most.0 && !word.is_ascii() => break,
                _ => {
                    of_utf8 += usize::from(!word.is_ascii());
                    text.extend_from_slice(word.as_bytes());
                }
            }
            text.push(b' ');
        }
        text.push(b'\n');
        (of_utf8 >= 2 && strays > 0 && std::str::from_utf8(&text).is_err()).then_some(text)
    }

    fn agree(languages: &[(&str, &str)], each: usize) {
        for (language, encodings) in languages {
            let words = words(language);
            for name in encodings.split(' ') {
                let encoding = Encoding::for_name(name).unwrap();
                let mut random = Random(7);
                for _ in 0..each {
                    let Some(text) = mixture(&words, encoding, &mut random) else { continue };
                    let answers = Answers::of(&text);
                    let right =
                        ["UTF-8", "auto-lines", "encoding unclear"].contains(&&answers.name[..]);
                    assert!(right, "{language} {name} {}\n{answers:#?}", text.escape_ascii());
                    answers.agree(&text);
                }
            }
        }
    }

    #[test]
    fn no_third_encoding_is_named_in_languages_of_europe() {
        agree(
            &[
                ("de", "windows-1252 IBM850"),
                ("fr", "windows-1252 macintosh"),
                ("es", "windows-1252"),
                ("pl", "windows-1250 ISO-8859-2"),
                ("cs", "windows-1250"),
                ("ru", "windows-1251 KOI8-R"),
                ("uk", "windows-1251"),
                ("el", "windows-1253"),
                ("tr", "windows-1254"),
                ("lt", "windows-1257"),
            ],
            2,
        );
    }

    /// If all words are in the legacy encoding, no command reads some of them as UTF-8 or in yet another encoding.
    #[test]
    fn words_of_one_charset_have_one_answer() {
        for (language, name) in [
            ("pt", "windows-1252"),
            ("hu", "ISO-8859-2"),
            ("uk", "KOI8-U"),
            ("he", "windows-1255"),
            ("fa", "windows-1256"),
            ("ja", "EUC-JP"),
            ("ko", "CP949"),
        ] {
            let words = words(language);
            let encoding = Encoding::for_name(name).unwrap();
            let mut random = Random(11);
            for count in [1, 3, 40] {
                let start = random.below(words.len());
                let some: Vec<_> = words.iter().cycle().skip(start).take(count).cloned().collect();
                let some = some.join(" ");
                let Ok(text) = oxiconv::encode(&some, encoding) else { continue };
                if std::str::from_utf8(&text).is_err() {
                    Answers::of(&text).agree(&text);
                }
            }
        }
    }

    /// The table of bits in `detection/utf8_census.rs` was not tuned on these languages.
    #[test]
    fn nor_in_others() {
        agree(
            &[
                ("pt", "windows-1252"),
                ("sv", "windows-1252"),
                ("hu", "windows-1250"),
                ("bg", "windows-1251"),
                ("he", "windows-1255"),
                ("ar", "windows-1256"),
                ("th", "windows-874"),
                ("ja", "CP932 EUC-JP"),
                ("ko", "CP949"),
            ],
            2,
        );
    }
}

/// The command names both CESU-8 and the encoding of the stray bytes. Surrogate pairs do not count as stray bytes.
#[test]
fn stray_bytes_in_cesu_8_have_one_command() {
    for (text, charset, read) in [
        (
            &b"Maalaa v\xC3\xA4ri \xED\xA0\xBD\xED\xB1\x8D\nMaalaa v\xE4ri\n"[..],
            "windows-1252",
            "Maalaa väri 👍\nMaalaa väri\n",
        ),
        // The bytes of the surrogate pair are also letters of this charset.
        (
            b"K \xCE\x9A\xCE\xB1\xCF\x84 \xED\xA0\xB4\xED\xB4\x9E\n\
              \xCA\xE1\xF4\xE1\xE2\xDC\xEB\xE5\xF4\xE5 \xF4\xEF\xED \xE5\xF7\xE8\xF1\xFC!\n",
            "windows-1253",
            "K Κατ 𝄞\nΚαταβάλετε τον εχθρό!\n",
        ),
    ] {
        let answers = Answers::of(text);
        let shown = || format!("{}\n{answers:#?}", text.escape_ascii());
        answers.agree(text);
        assert_eq!(answers.name, "CESU-8", "{}", shown());
        assert_eq!(answers.hint, format!("-f cesu-8 --fallback {charset}"), "{}", shown());
        let options: Vec<_> = answers.hint.split(' ').collect();
        assert_eq!(run_text(&options, text).1, read, "{}", shown());
    }
}
