//! `--list`: patterns, and the list on a terminal, which is grouped by script and family.

use crate::support::skipped;
use std::fs;
use std::path::Path;
use std::process::Command;

use oxiconv::{Encoding, Options};

fn run(args: &[&str]) -> (i32, String, String) {
    let output = crate::common::oxiconv().args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Returns the encoding's name in each line, which is its first word.
fn names(list: &str) -> Vec<&str> {
    list.lines().map(|line| line.split(' ').next().unwrap()).collect()
}

#[test]
fn a_name_lists_its_encoding_alone_and_a_part_lists_what_contains_it() {
    let (status, list, err) = run(&["--list", "latin2"]);
    assert_eq!((status, &err[..]), (0, ""));
    assert_eq!(names(&list), ["ISO-8859-2"]);
    let (status, list, err) = run(&["--list", "cp125"]);
    assert_eq!((status, &err[..]), (0, ""));
    let found = names(&list);
    for number in 0..=8 {
        let name = format!("windows-125{number}");
        assert!(found.contains(&&name[..]), "{name}");
        // Of the aliases, only the one that matched is shown.
        let line = list.lines().find(|line| line.starts_with(&name)).unwrap();
        assert!(line.contains(&format!(" CP125{number}")), "{line}");
        assert!(!line.contains("MS-"), "{line}");
    }
    assert!(!found.contains(&"UTF-8"));
}

#[test]
fn case_hyphens_and_underscores_make_no_difference() {
    let expected = run(&["--list", "iso-ir-19"]);
    assert_eq!(expected.0, 0);
    for part in ["ISO-IR-19", "iso_ir_19", "IsoIr19"] {
        assert_eq!(run(&["--list", part]), expected, "{part}");
    }
}

#[test]
fn a_glob_lists_what_it_matches_as_a_whole() {
    let (_, list, _) = run(&["--list", "utf-16*"]);
    assert_eq!(names(&list), ["UTF-16", "UTF-16LE", "UTF-16BE"]);
    assert_eq!(names(&run(&["--list", "utf-??"]).1), ["UTF-16", "UTF-32"]);
    assert_eq!(names(&run(&["--list", "koi8-[ru]"]).1), ["KOI8-R", "KOI8-U"]);
    assert_eq!(names(&run(&["--list", "KOI8-{R,T}"]).1), ["KOI8-R", "KOI8-T"]);
}

#[test]
fn arguments_are_listed_in_their_order() {
    let (_, list, _) = run(&["--list", "koi8-[u]", "latin1"]);
    assert_eq!(names(&list), ["KOI8-U", "ISO-8859-1"]);
}

#[test]
fn what_matches_nothing_is_an_error() {
    for (word, message) in [
        (
            "latinn1",
            "unknown encoding 'latinn1'; did you mean latin1 (ISO-8859-1)? (--list PART lists the names that contain PART)",
        ),
        (
            "nothing-like-it",
            "unknown encoding 'nothing-like-it' (--list PART lists the names that contain PART)",
        ),
        ("x*y*z", "no encoding has a name that matches 'x*y*z'"),
        ("-", "unknown encoding '-' (--list PART lists the names that contain PART)"),
        ("_", "unknown encoding '_' (--list PART lists the names that contain PART)"),
    ] {
        let (status, list, err) = run(&["--list", "latin1", word]);
        assert_eq!((status, &list[..], err), (2, "", format!("oxiconv: {message}\n")), "{word}");
    }
    let (status, _, err) = run(&["--list", "[a"]);
    assert_eq!(status, 2);
    assert!(err.starts_with("oxiconv: --list '[a': "), "{err}");
}

#[test]
fn json_is_filtered_and_keeps_all_names() {
    let (_, list, _) = run(&["--list", "--format=json", "koi8-[r]"]);
    let rows: Vec<serde_json::Value> =
        list.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[1]["name"], "KOI8-R");
    assert!(rows[1]["aliases"].as_array().unwrap().contains(&"csKOI8R".into()));
    // `-v` lists all names too.
    assert!(run(&["--list", "-v", "koi8-[r]"]).1.contains(" csKOI8R "));
}

/// Returns the program's output on a terminal of this width; `None` if `script` is not installed.
fn on_terminal(columns: u16, command: &str) -> Option<String> {
    let program = Path::new(assert_cmd::cargo::cargo_bin!("oxiconv")).display();
    let output = Command::new("script")
        .args(["-qec", &format!("stty rows 24 cols {columns}; {program} {command}"), "/dev/null"])
        .env_remove("NO_COLOR")
        .env_remove("COLUMNS")
        .env("TERM", "xterm")
        .output()
        .ok()?;
    Some(String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n"))
}

#[test]
fn a_terminal_gets_groups_and_a_pipe_one_line_per_encoding() {
    let Some(list) = on_terminal(80, "--list all --color never") else {
        skipped("script, which gives the program a terminal, is not installed");
        return;
    };
    assert!(list.starts_with("Unicode\n  UTF                 UTF-8  UTF-16  UTF-16LE"), "{list}");
    assert!(list.contains("\n\nCyrillic\n  Windows             windows-1251"), "{list}");
    assert!(!list.contains('\x1b'));
    for line in list.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    // Every encoding is listed, those of the archive only by their vendor.
    let words: Vec<_> = list.split_whitespace().collect();
    for encoding in Encoding::all() {
        let vendor = format!("{}-*", encoding.name().split('-').next().unwrap());
        let is_there = words.contains(&encoding.name()) || words.contains(&&vendor[..]);
        assert!(is_there, "{}", encoding.name());
    }
    // `--list all` prints the same list to a pipe, so that it can be read in a pager.
    assert_eq!(run(&["--list", "all"]).1, list);
    let wide = on_terminal(110, "--list all --color never").unwrap();
    assert!(wide.lines().count() < list.lines().count());
    assert!(
        wide.lines().any(|line| line.len() > 100) && wide.lines().all(|line| line.len() <= 110)
    );
    assert!(on_terminal(80, "--list all").unwrap().starts_with("\x1b[1mUnicode\x1b[0m\n"));
    assert!(!on_terminal(80, "--list latin1").unwrap().contains("Unicode\n"));
    assert!(run(&["--list"]).1.starts_with("UTF-8  "));
}

#[test]
fn a_terminal_gets_the_encodings_that_people_use_and_how_to_see_all() {
    let Some(list) = on_terminal(80, "--list --color never") else {
        skipped("script, which gives the program a terminal, is not installed");
        return;
    };
    assert!(list.starts_with("Unicode              UTF-8  UTF-16  UTF-16LE"), "{list}");
    assert!(list.contains("\nCyrillic             windows-1251  KOI8-R  KOI8-U"), "{list}");
    assert!(list.contains("oxiconv --list all\n"), "{list}");
    assert!(list.lines().count() <= 24, "{list}");
}

#[test]
fn encodings_are_found_by_language_script_and_use() {
    let (status, list, err) = run(&["--list", "russian"]);
    assert_eq!((status, &err[..]), (0, ""));
    assert_eq!(names(&list)[..3], ["windows-1251", "KOI8-R", "KOI8-U"]);
    assert!(list.contains("\nKOI8-R            Russian\n"), "{list}");
    assert!(names(&run(&["--list", "Excel"]).1).contains(&"windows-1252"));
    assert!(names(&run(&["--list", "western"]).1).contains(&"ISO-8859-14"));
    // If a word is also a name, the encoding of that name comes first, with its aliases.
    let (_, list, _) = run(&["--list", "greek"]);
    assert_eq!(names(&list)[..2], ["ISO-8859-7", "windows-1253"]);
    assert!(list.lines().next().unwrap().contains(" ISO-IR-126 "), "{list}");
    let (_, list, _) = run(&["--list", "--format=json", "ukrainian"]);
    assert!(list.contains(r#""csKOI8U""#), "{list}");
}

/// Letters of each script. Every encoding in the script's groups has at least one of them, except for the family
/// `sets`, whose encodings are sets of further letters.
const LETTERS: [(&str, &str); 16] = [
    ("Western European", "Aéß\u{301}⅓"),
    ("Central European", "ŠŁĐĦŽŐȚŢÉ"),
    ("Baltic and North European", "ŠÕŽŊ"),
    ("Turkish", "ĞŞİ"),
    ("Vietnamese", "ƠĐ"),
    ("Cyrillic", "ЖжЂҒ"),
    ("Greek", "Ωα"),
    ("Armenian and Georgian", "Աა"),
    ("Hebrew", "א"),
    ("Arabic", "ﺏبا"),
    ("Indic", "अஅঅਅઅଅఅಅഅ"),
    ("Thai and Lao", "กກ"),
    ("Japanese", "ア亜ｱ¥ー〃"),
    ("Korean", "가ㄱ₩ﾡ"),
    ("Simplified Chinese", "中¥"),
    ("Traditional Chinese", "中¢"),
];

/// The groups come from charsets.tsv. The oracle is the encoding itself.
#[test]
fn an_encoding_can_write_the_script_of_its_group() {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/charsets/charsets.tsv");
    let table = fs::read_to_string(table).unwrap();
    let mut wrong = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<_> = line.split('\t').collect();
        let group = columns.get(9).and_then(|group| group.split_once('/'));
        let Some((script, _)) = group.filter(|(_, family)| *family != "sets") else { continue };
        let Some((_, letters)) = LETTERS.iter().find(|(known, _)| *known == script) else {
            continue;
        };
        let encoding = Encoding::for_name(columns[0]).unwrap();
        let writes = |letter: char| {
            let text = letter.to_string();
            oxiconv::convert(text.as_bytes(), Encoding::UTF_8, encoding, &Options::new()).is_ok()
        };
        if !letters.chars().any(writes) {
            wrong.push(format!("{} cannot write {script}", encoding.name()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
