//! Harmful repairs: `--fallback` replaces a file only if its text is UTF-8 except for stray bytes. A text that is
//! entirely in another encoding would be ruined.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use crate::common::{oxiconv, run_text};

fn run(dir: &Path, args: &[&str]) -> (i32, String) {
    let output = oxiconv().current_dir(dir).args(args).output().unwrap();
    assert!(output.stdout.is_empty(), "{output:?}");
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// Two Russian texts, encoded by Python. By chance, DD A3 in the first and D0 BB in the second are UTF-8 characters.
const KOI8_R: &[u8] = b"\xF3\xDF\xC5\xDB\xD8 \xC5\xDD\xA3 \xDC\xD4\xC9\xC8 \xCD\xD1\xC7\xCB\xC9\xC8 \xC6\xD2\xC1\xCE\xC3\xD5\
    \xDA\xD3\xCB\xC9\xC8 \xC2\xD5\xCC\xCF\xCB, \xC4\xC1 \xD7\xD9\xD0\xC5\xCA \xD6\xC5 \xDE\xC1\xC0. \xE5\xDD\xA3 \xD2\xC1\xDA: \
    \xD7\xD3\xA3.\n";
const KOI8_R_TEXT: &str =
    "Съешь ещё этих мягких французских булок, да выпей же чаю. Ещё раз: всё.\n";
const CP1251: &[u8] = b"\xC2 \xD1\xD1\xD1\xD0\xBB \xE8 \xAB\xD1\xD1\xD1\xD0\xBB \xE1\xFB\xEB\xEE \xEC\xED\xEE\xE3\xEE \xE7\xE0\
    \xE2\xEE\xE4\xEE\xE2, \xF4\xE0\xE1\xF0\xE8\xEA \xE8 \xAB\xEF\xE0\xF0\xEE\xF5\xEE\xE4\xEE\xE2\xBB.\n";
const CP1251_TEXT: &str = "В СССР» и «СССР» было много заводов, фабрик и «пароходов».\n";
/// No two bytes of this text form a UTF-8 character by chance.
const SHORT_KOI8_R: &[u8] =
    b"\xD0\xD2\xC9\xD7\xC5\xD4, \xCD\xC9\xD2! \xE8\xCF\xD2\xCF\xDB\xC9\xCA \xC4\xC5\xCE\xD8.\n";
const SHORT_TEXT: &str = "привет, мир! Хороший день.\n";

static LONG_TEXT: LazyLock<String> = LazyLock::new(|| KOI8_R_TEXT.repeat(9) + "фё");

/// Returns texts in other encodings: name, bytes, start of the encoding's name in the refusal, text.
fn others() -> Vec<(&'static str, Vec<u8>, &'static str, &'static str)> {
    vec![
        ("koi8-r", KOI8_R.to_vec(), "koi8-", KOI8_R_TEXT),
        ("short koi8-r", SHORT_KOI8_R.to_vec(), "koi8-", SHORT_TEXT),
        ("cp1251", CP1251.to_vec(), "windows-1251", CP1251_TEXT),
        // The last word is C6 A3, by chance U+01A3 in UTF-8.
        ("long koi8-r", [&KOI8_R.repeat(9)[..], b"\xC6\xA3"].concat(), "koi8-", LONG_TEXT.as_str()),
        ("marked utf-16", b"\xFF\xFEN\0a\0\xEF\0v\0e\0\n\0".to_vec(), "utf-16", "Naïve\n"),
        ("utf-16le", b"N\0a\0m\0e\0\n\0".to_vec(), "utf-16le", "Name\n"),
        ("cesu-8", b"smile \xED\xA0\xBD\xED\xB8\x80\n".to_vec(), "cesu-8", "smile 😀\n"),
    ]
}

#[cfg(unix)]
#[test]
fn a_fallback_does_not_ruin_in_place_what_is_another_text_as_a_whole() {
    for (name, bytes, option, text) in others() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("it's");
        fs::write(&path, &bytes).unwrap();
        fs::write(dir.path().join("z"), b"caf\xC3\xA9 and caf\xE9\n").unwrap();
        for args in [&["-i"][..], &["-i.bak"], &["-i", "--dry-run"], &["-i", "-q"]] {
            let (status, err) =
                run(dir.path(), &[&["--fallback", "windows-1252"], args, &["it's", "z"]].concat());
            assert_eq!(status, 1, "{name} {err}");
            assert!(
                err.starts_with("oxiconv: it's: not converted: it looks like "),
                "{name}: {err}"
            );
            assert!(err.contains(&format!("(to convert it: oxiconv -f {option}")), "{name}: {err}");
            assert_eq!(fs::read(&path).unwrap(), bytes, "{name}");
        }
        assert!(!dir.path().join("it's.bak").exists());
        // The refusal of one file does not keep the other from being converted.
        assert_eq!(fs::read(dir.path().join("z")).unwrap(), "café and café\n".as_bytes());
        let (_, err) = run(dir.path(), &["--fallback", "windows-1252", "-i", "it's"]);
        let command =
            err.split("(to convert it: ").nth(1).unwrap().split("; --force").next().unwrap();
        assert!(crate::common::shell(command, dir.path()).is_empty(), "{command}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "{name}: {command}");
    }
}

#[test]
fn force_repairs_all_the_same() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("f"), SHORT_KOI8_R).unwrap();
    let (status, err) = run(dir.path(), &["--fallback", "latin1", "-i", "--force", "f"]);
    assert_eq!(status, 0, "{err}");
    assert!(fs::read_to_string(dir.path().join("f")).unwrap().starts_with("ÐÒÉ×ÅÔ, "));
}

#[test]
fn what_is_utf8_but_for_stray_bytes_is_repaired() {
    for (bytes, text) in [
        (&b"caf\xE9 and caf\xC3\xA9\n"[..], "café and café\n"),
        // Text that is entirely in the fallback is safe: decoding its stray bytes decodes all of it.
        (b"caf\xE9 au lait, na\xEFve, d\xE9j\xE0 vu\n", "café au lait, naïve, déjà vu\n"),
        (b"\x93quoted\x94 \x96 it\x92s\n", "“quoted” – it’s\n"),
        (b"\x93\xC3\xA9\x94\n", "“é”\n"),
        // By byte frequencies, so few bytes could also be ISO-8859-2, which is too little for a refusal.
        (b"\xABtest\xBB\n", "«test»\n"),
        (b"foo\xAE\n", "foo®\n"),
        (
            &[&b"caf\xC3\xA9 "[..], &b"d\xE9j\xE0 na\xEFve \xEAtre ".repeat(100)].concat(),
            &["café ", &"déjà naïve être ".repeat(100)].concat(),
        ),
        (b"\xD0\xBF\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82 \x96 caf\xE9", "привет – café"),
        (b"", ""),
    ] {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("f"), bytes).unwrap();
        let (status, err) = run(dir.path(), &["--fallback", "windows-1252", "-i", "f"]);
        assert_eq!(status, 0, "{err}");
        assert_eq!(fs::read_to_string(dir.path().join("f")).unwrap(), text);
    }
}

/// The original is kept, so the file is repaired as requested, and a note is enough.
#[test]
fn a_directory_of_outputs_gets_the_repair_and_a_note() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("f"), SHORT_KOI8_R).unwrap();
    let (status, err) = run(dir.path(), &["--fallback", "windows-1252", "-O", "out", "f"]);
    assert_eq!(status, 0, "{err}");
    assert!(err.starts_with("oxiconv: f: the input looks like KOI8-"), "{err}");
    assert!(err.contains("-O out f)\n"), "{err}");
    assert!(dir.path().join("out/f").exists());
}

/// Words in UTF-8 stay as they are between stray bytes, whatever script they are in: their bytes are well-formed, and as
/// windows-1252, IBM850 or windows-1251 they would be no words.
#[test]
fn a_word_of_another_script_between_stray_bytes_stays() {
    for word in [
        "Привет",
        "мир",
        "Ελλάδα",
        "日本語",
        "日本",
        "こんにちは",
        "中文",
        "مرحبا",
        "שלום",
        "안녕",
        "ไทย",
        "Việt",
        "ąęść",
        "😀",
        "😀👍",
        "«Привет»",
        "x=Привет;",
        "naïve😀",
        "✅",
        "➡️",
        "Привет и мир",
    ] {
        for (name, before, after, expected) in [
            ("windows-1252", &b"M\xFCller "[..], &b" na\xEFve\n"[..], ["Müller ", " naïve\n"]),
            ("IBM850", b"M\x81ller ", b" na\x8Bve\n", ["Müller ", " naïve\n"]),
            ("windows-1251", b"\xCC\xE8\xF8\xE0 ", b" \xE4\xEE\xEC\xE0\n", ["Миша ", " дома\n"]),
        ] {
            let text = [before, word.as_bytes(), after].concat();
            let args = ["-q", "--fallback", name];
            let (status, output, err) = run_text(&args, &text);
            assert_eq!(output, format!("{}{word}{}", expected[0], expected[1]), "{name}");
            assert_eq!((status, err.as_str()), (0, ""), "{name} {word}");
        }
    }
}

/// What is a word in the fallback may be well-formed UTF-8 too: Ü“ is U+0713, ÉŠ does not exist, and щелчок in IBM866 is
/// two ideographs. Two such letters are not enough.
#[test]
fn a_word_of_the_fallback_that_is_utf8_by_chance_is_read_by_it() {
    for (name, text, expected) in [
        (
            "IBM866",
            &b"\xAA\xAD\xAE\xAF\xAA\xA0 \xE9\xA5\xAB\xE7\xAE\xAA \xAC\xEB\xE8\xA8\n"[..],
            "кнопка щелчок мыши\n",
        ),
        ("windows-1252", b"\x93LE CAF\xC9\x94 fran\xE7ais\n", "“LE CAFÉ” français\n"),
        ("ISO-8859-2", b"Tot\xE9\xBE je zvl\xE1\xB9\xBB vhodn\xE9.\n", "Totéž je zvlášť vhodné.\n"),
        (
            "ISO-8859-5",
            b"\xBF\xD5\xE0\xD2\xD0\xEF \xC7\xB0\xC8\xB0 \xDF\xE3\xE1\xE2\xD0\n",
            "Первая ЧАША пуста\n",
        ),
    ] {
        let (_, output, _) = run_text(&["-q", "--fallback", name], text);
        assert_eq!(output, expected, "{name}");
    }
}

/// A word of another script does not vouch for what may be a word of the fallback: шли is U+8AE8 by chance.
#[test]
fn a_word_vouches_only_for_what_is_no_word_of_the_fallback() {
    let ibm866 = [
        &b"\x8E\xE1\xE2\xA0\xA2\xA8\xA2 "[..],
        "日本語".as_bytes(),
        b" \xE8\xAB\xA8 \xA8\xA3\xE0\xAE\xAA\xA0\n",
    ]
    .concat();
    let (_, output, _) = run_text(&["-q", "--fallback", "IBM866"], &ibm866);
    assert_eq!(output, "Оставив 日本語 шли игрока\n");
}

/// A log whose lines are in UTF-8 and in one other encoding is what `--fallback` with that encoding is for: the result is
/// that of `-f auto-lines`. With lines in a third encoding it is not.
#[test]
fn a_fallback_converts_lines_in_place_if_it_reads_all_of_them() {
    let western = b"caf\xE9 \x93in\x94\ncaf\xC3\xA9 5 \xE2\x82\xAC\n";
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("log");
    fs::write(&path, western).unwrap();
    let args = ["-q", "--fallback", "windows-1252", "-i.bak", "log"];
    assert_eq!(run(dir.path(), &args), (0, String::new()));
    assert_eq!(fs::read_to_string(&path).unwrap(), "café “in”\ncafé 5 €\n");
    assert_eq!(fs::read(dir.path().join("log.bak")).unwrap(), western);

    let several = b"Jan app: Ge\xF6ffnet f\xFCr\n\
        Jan db: \xEF\xDB\xC9\xC2\xCB\xC1 \xD0\xCF\xC4\xCB\xCC\xC0\xDE\xC5\xCE\xC9\xD1\nutf: Gr\xC3\xB6\xC3\x9Fe\n";
    fs::write(&path, several).unwrap();
    for fallback in ["windows-1252", "koi8-r"] {
        let (status, err) = run(dir.path(), &["--fallback", fallback, "-i", "log"]);
        assert_eq!(status, 1, "{err}");
        assert!(err.contains("it looks like lines in several encodings"), "{err}");
        assert_eq!(fs::read(&path).unwrap(), several);
    }
    // So is a log with more lines than are looked at.
    let russian = b"\xCF\xF0\xE8\xE2\xE5\xF2 \xE2\xF1\xE5\xEC\n";
    let many = [&western.repeat(300)[..], russian].concat();
    fs::write(dir.path().join("many"), &many).unwrap();
    let (status, err) = run(dir.path(), &["--fallback", "windows-1252", "-i", "many"]);
    assert_eq!(status, 1, "{err}");
    assert_eq!(fs::read(dir.path().join("many")).unwrap(), many);
    // The hint names every encoding that `-f auto-lines` reads.
    let checked = oxiconv().current_dir(dir.path()).args(["--check", "log"]).output().unwrap();
    let err = String::from_utf8(checked.stderr).unwrap();
    assert!(err.contains("and of the others, 1 fits windows-1252, 1 fits KOI8-R"), "{err}");
}

/// A few stray bytes may fit an odd encoding by half a chance. The characters beside them that are UTF-8 are not given up for
/// that.
#[test]
fn utf8_is_not_given_up_for_an_encoding_that_is_not_clear() {
    for text in [&b"\xE7\xE1 \xC3\xA9\n"[..], b"\x8Aq \xC3\xA9\n"] {
        let (status, output, err) = run_text(&["--fallback", "auto"], text);
        assert_eq!((status, output.as_str()), (1, ""), "{err}");
        assert!(err.contains("no encoding is clear for the bytes that are not UTF-8"), "{err}");
    }
}

/// Lines in two encodings beside UTF-8 need `-f auto-lines`: one fallback would misread some of them.
#[test]
fn no_fallback_is_chosen_for_lines_in_two_encodings() {
    let western = b"subj=Gr\xFC\xDFe\nsubj=Gr\xC3\xBC\xC3\x9Fe\n";
    let russian = b"subj=\xCF\xF0\xE8\xE2\xE5\xF2 \xE2\xF1\xE5\xEC\n";
    let (status, output, err) = run_text(&["--fallback", "auto"], western);
    assert_eq!((status, output.as_str()), (0, "subj=Grüße\nsubj=Grüße\n"), "{err}");
    let (status, output, err) =
        run_text(&["--fallback", "auto"], &[&western[..], russian].concat());
    assert_eq!(status, 1, "{output}{err}");
    assert!(err.contains("or detect it for each line with -f auto-lines"), "{err}");
}
