//! The plausible readings of a line: `--explain` shows them below the first picture, with the percentages of the
//! detector, and `--names` those of a name whose encoding is unclear.

use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use crate::common::{Dir, oxiconv};

/// A reading as it is shown: the encodings, the percentage, and the line.
type Shown = (String, u64, String);

/// Returns the readings in an explanation.
fn readings(text: &str) -> Vec<Shown> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("  readings  "));
    let first = lines.next().map(|line| &line["  readings  ".len()..]);
    let others = lines.take_while(|line| line.starts_with("            ")).map(str::trim_start);
    let parsed = |line: &str| {
        let (head, text) = line.split_once(" %  ").unwrap_or_else(|| panic!("{line}"));
        let (names, percent) = head.rsplit_once("  ").unwrap_or_else(|| panic!("{line}"));
        (names.trim_end().to_owned(), percent.trim().parse().unwrap(), text.to_owned())
    };
    first.into_iter().chain(others).map(parsed).collect()
}

/// Returns what `--explain` prints of a file in a terminal of this many columns.
fn explained(dir: &Dir, file: &str, columns: usize) -> String {
    let mut command = oxiconv();
    command.current_dir(dir.0.path()).args(["--explain", file]).env("COLUMNS", columns.to_string());
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

/// The line of a text in one charset has the percentages that `--detect` gives, and each charset reads it by its own
/// table: B5 is µ in windows-1252, ” in ISO-8859-16, ľ in ISO-8859-2, ĩ in ISO-8859-4, ṁ in ISO-8859-14.
#[test]
fn a_line_has_the_candidates_of_the_detector() {
    let dir = Dir::new();
    dir.write("f", b"Gr\xF6\xDFe: 5 \xB5m\nStra\xDFe\n");
    let shown = readings(&explained(&dir, "f", 80));
    let (_, out, _) = dir.run(&["--detect", "--json", "f"]);
    let row: Value = serde_json::from_str(out.lines().nth(1).unwrap()).unwrap();
    let candidate = |it: &Value| {
        let percent = (it["confidence"].as_f64().unwrap() * 100.0).round() as u64;
        (it["encoding"].as_str().unwrap().to_owned(), percent)
    };
    let runners_up = row["runners_up"].as_array().unwrap().iter().map(candidate);
    let expected: Vec<_> = std::iter::once(candidate(&row)).chain(runners_up).collect();
    let candidates: Vec<_> =
        shown.iter().map(|(name, percent, _)| (name.clone(), *percent)).collect();
    assert_eq!(candidates, expected);
    assert!(shown.len() >= 2, "{shown:?}");
    for (name, _, line) in shown {
        let sign = match &*name {
            "windows-1252" => 'µ',
            "ISO-8859-16" => '”',
            "ISO-8859-2" => 'ľ',
            "ISO-8859-4" => 'ĩ',
            "ISO-8859-14" => 'ṁ',
            _ => continue,
        };
        assert_eq!(line, format!("Größe: 5 {sign}m"), "{name}");
    }
}

/// Charsets that read the line alike are one reading. There are five at most, and only for the first line.
#[test]
fn readings_differ_and_are_few() {
    let dir = Dir::new();
    // E9 is é in most charsets for Western Europe, and 81 is assigned in few of them.
    dir.write("f", &b"gr\xC3\xBCn \x81 \xE9\n".repeat(40));
    let text = explained(&dir, "f", 80);
    assert_eq!(text.matches("  readings  ").count(), 1, "{text}");
    let shown = readings(&text);
    assert!((2..=5).contains(&shown.len()), "{text}");
    for (index, (_, _, line)) in shown.iter().enumerate() {
        assert!(line.starts_with("grün "), "{text}");
        assert!(shown[..index].iter().all(|(.., other)| other != line), "{text}");
    }
    assert!(shown.iter().any(|(names, ..)| names.contains(", ")), "{text}");
    assert!(shown.iter().map(|(_, percent, _)| percent).sum::<u64>() <= 101, "{text}");
}

/// What the hint names comes first, and what it reads is what its command writes.
#[cfg(unix)]
#[test]
fn the_first_reading_is_that_of_the_repair() {
    for text in [
        &b"Gr\xC3\xB6\xC3\x9Fe, Stra\xC3\x9Fe: M\xFCnchen und N\xFCrnberg\n"[..],
        b"\xCF\xF0\xE8\xE2\xE5\xF2, \xFD\xF2\xEE \xF2\xE5\xEA\xF1\xF2 \xED\xE0 \xF0\xF3\xF1\xF1\xEA\xEE\xEC\n",
        b"\x82\xB1\x82\xEA\x82\xCD\x93\xFA\x96\x7B\x8C\xEA\x82\xCC\x83\x65\x83\x4C\x83\x58\x83\x67\n",
        b"caf\xED\xB3\xA9 au lait, cr\xED\xB3\xA8me br\xED\xB3\xBBl\xED\xB3\xA9e\n",
        b"x \xED\xA0\xBD\xED\xB8\x80 y\n",
        "un cafÃ© noir, dÃ©jÃ\u{A0} vu\n".as_bytes(),
    ] {
        let dir = Dir::new();
        dir.write("f", text);
        let explained = explained(&dir, "f", 100);
        let (_, _, line) = &readings(&explained)[0];
        let command = explained.lines().find_map(|line| line.strip_prefix("  repair    oxiconv "));
        let command = command.unwrap_or_else(|| panic!("{explained}"));
        assert_eq!(dir.run(&command.split(' ').collect::<Vec<_>>()).0, 0, "{command}");
        let repaired = String::from_utf8(dir.read("f")).unwrap();
        assert_eq!(*line, repaired.trim_end(), "{explained}");
    }
}

/// A long line is cut around the bad bytes, and what cannot be shown is escaped.
#[test]
fn a_reading_fits_the_terminal_and_moves_no_cursor() {
    let dir = Dir::new();
    let long = [&b"Der schnelle braune Fuchs "[..]].repeat(20).concat();
    dir.write(
        "f",
        &[&long[..], b"\x1B[31m\xE2\x80\xAEGr\xC3\xB6\xC3\x9Fe M\xFCnchen ", &long, b"\n"].concat(),
    );
    for columns in [40, 60, 80, 132] {
        let text = explained(&dir, "f", columns);
        assert!(text.lines().all(|line| line.width() <= columns), "{columns}: {text}");
        assert!(!text.contains(['\x1B', '\u{202E}']), "{text}");
        let block = text.split("  readings  ").nth(1).unwrap_or_else(|| panic!("{text}"));
        assert!(block.contains("München") && block.contains("..."), "{text}");
    }
    assert!(readings(&explained(&dir, "f", 132))[0].2.contains("\\u{1b}[31m\\u{202e}"));
}

/// Wide units are no bytes in a charset, so there is nothing to compare, nor in a text whose lines are in several.
#[test]
fn no_reading_is_invented() {
    let dir = Dir::new();
    dir.write("wide", b"\xFF\xFEN\0a\0m\0e\0\r\0\n\0");
    dir.write("overlong", b"GET /..\xC0\xAF..\xC0\xAFetc/passwd\n");
    dir.write("sound", "Größe\n".as_bytes());
    for file in ["wide", "overlong", "sound"] {
        let text = explained(&dir, file, 80);
        assert_eq!(readings(&text), [], "{text}");
    }
}

#[cfg(unix)]
#[test]
fn a_name_whose_encoding_is_unclear_has_its_readings() {
    use std::os::unix::ffi::OsStrExt;
    let dir = Dir::new();
    dir.write("d/plain", b"");
    let name = std::ffi::OsStr::from_bytes(b"\xE9");
    std::fs::write(dir.path("d").join(name), b"").unwrap();
    let (status, _, err) = dir.run(&["--names", "-f", "auto", "-r", "d"]);
    assert_eq!(status, 1);
    // E9 is é in windows-1252, and И in KOI8-R (RFC 1489).
    let line = |name: &str| {
        let mut lines = err.lines().filter_map(|line| line.strip_prefix("oxiconv:   "));
        lines.find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {err}"))
    };
    assert!(line("windows-1252 ").ends_with(" %  é"), "{err}");
    assert!(line("KOI8-R ").ends_with(" %  И"), "{err}");
    assert!(!dir.run(&["--names", "-q", "-f", "auto", "-r", "d"]).2.contains("oxiconv:   "));
}
