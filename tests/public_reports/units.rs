//! UTF-16 and UTF-32 with a mark and foreign bytes. The mark settles the encoding, and every command says the same
//! about the foreign bytes.

use crate::common::Dir;

/// Encodes a text with its mark.
fn marked(text: &str, scheme: &str) -> Vec<u8> {
    let text = format!("\u{FEFF}{text}");
    match scheme {
        "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "UTF-16BE" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        "UTF-32LE" => text.chars().flat_map(|char| u32::from(char).to_le_bytes()).collect(),
        _ => text.chars().flat_map(|char| u32::from(char).to_be_bytes()).collect(),
    }
}

const SCHEMES: [&str; 4] = ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"];

/// Checks that each command says `what` about a text and suggests these options, with which the program writes `read`.
/// If `options` is empty, no command may suggest anything.
fn every_way_says(text: &[u8], scheme: &str, what: &str, options: &str, read: &str) {
    let dir = Dir::new();
    dir.write("f", text);
    let run = |args: &[&str]| dir.run(&[args, &["f"]].concat());
    let shown = text.escape_ascii();
    let name = &scheme[..6];
    let repair = if options.is_empty() { "\n" } else { &format!(" (try {options}") };
    let said = format!("looks like {scheme} with {what}{repair}");
    for args in [&["--check"][..], &["--check", "-f", "auto"], &[], &["-f", "auto"]] {
        let (_, out, err) = run(args);
        // With -f auto the text is read in this encoding, so the finding at its end already says this.
        let is_finding = args.contains(&"auto") && what.starts_with("an incomplete code unit");
        // A finding has said this, too. For a file that is checked, the hint is then the command alone.
        let is_told = args == ["--check", "-f", "auto"] && what.contains(" appended at byte");
        let said = match is_finding {
            true => "error[truncated-at-end]",
            false if is_told && !options.is_empty() => {
                &format!("f: to repair it: oxiconv {options}")
            }
            false => &said,
        };
        let all = crate::common::options_of_hints(&[out, err].concat(), "f");
        assert!(all.contains(said), "{args:?} {shown}");
    }
    let fallback = run(&["--fallback", "auto"]);
    assert!(fallback.2.contains(&said), "{shown}\n{fallback:?}");
    let (_, detected, _) = run(&["--detect"]);
    assert!(detected.starts_with(&format!("f: {name}, 100 %")), "{shown}\n{detected}");
    let explained = run(&["--explain"]).1;
    if options.is_empty() {
        assert!(!explained.contains("repair "), "{shown}\n{explained}");
        return;
    }
    assert!(
        explained.contains(&format!("repair    oxiconv {options} -i.bak f")),
        "{shown}\n{explained}"
    );
    let options: Vec<_> = options.split(' ').collect();
    assert_eq!(run(&options).1, read, "{shown}");
}

#[test]
fn text_appended_after_a_mark_has_one_answer() {
    for scheme in SCHEMES {
        let family = scheme[..6].to_lowercase();
        for (text, appended) in [
            ("Lista of\n", "ok done\r\n"),
            ("Þáttarar fyrir\n", "ok done\r\n"),
            // More appended text than UTF-16 or UTF-32.
            ("h\n", "hello world\nanother line of text in single bytes\nand a third\n"),
        ] {
            let units = marked(text, scheme);
            let what =
                format!("other bytes in it: single-byte text was appended at byte {}", units.len());
            let all = [&units[..], appended.as_bytes()].concat();
            let options = format!("-f {family} --repair");
            every_way_says(&all, scheme, &what, &options, &format!("{text}{appended}"));
        }
    }
}

/// No code units follow the mark, so a repair has nothing to go by.
#[test]
fn a_mark_alone_before_single_bytes_has_no_command() {
    for scheme in SCHEMES {
        let mut text = marked("", scheme);
        let what =
            format!("other bytes in it: single-byte text was appended at byte {}", text.len());
        text.extend_from_slice(b"a line of text in single bytes\n");
        every_way_says(&text, scheme, &what, "", "");
    }
}

#[test]
fn a_part_of_a_unit_at_the_end_has_one_answer() {
    for scheme in SCHEMES {
        let family = scheme[..6].to_lowercase();
        for text in ["Lista of\r\n", "Þáttarar fyrir", "你好吗", "h"] {
            let mut units = marked(&format!("{text}z"), scheme);
            units.pop();
            let what = match scheme {
                "UTF-16LE" | "UTF-16BE" => {
                    "an incomplete code unit at its end: its last byte is not a whole code unit"
                }
                _ => {
                    "an incomplete code unit at its end: its last 3 bytes are not a whole code unit"
                }
            };
            every_way_says(&units, scheme, what, &format!("-f {family} -c"), text);
        }
    }
    // A single-byte line feed, as a shell appends it.
    let what = "an incomplete code unit at its end: its last byte is not a whole code unit";
    let text = b"\xFF\xFEL\0i\0s\0t\0a\0 \0o\0f\0\r\0\n\0\n";
    every_way_says(text, "UTF-16LE", what, "-f utf-16 -c", "Lista of\r\n");
}

/// The search covers the whole text, however long it is and whichever encoding it is read in.
#[test]
fn a_long_text_is_searched_to_its_end() {
    let line = "Þáttarar fyrir alla\r\n";
    let mut text = marked(&line.repeat(5000), "UTF-16LE");
    let first = text.len();
    text.extend_from_slice(b"ok done\r\n");
    text.extend(&marked(&line.repeat(5000), "UTF-16LE")[2..]);
    text.extend_from_slice(b"ok done\r\n");
    let dir = Dir::new();
    dir.write("f", &text);
    let said = "looks like UTF-16LE with other bytes in it: 2 parts of it are single-byte text (try -f utf-16 --repair)";
    for args in [&["--check", "f"][..], &["--check", "-f", "utf-16", "f"]] {
        let err = crate::common::options_of_hints(&dir.run(args).2, "f");
        assert!(err.contains(said), "{args:?}\n{err}");
    }
    let detected = dir.run(&["--detect", "f"]).1;
    assert!(detected.contains(&format!("2 places (the first at byte {first})")), "{detected}");
}
