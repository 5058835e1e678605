//! `--repair`: text that was damaged comes back byte for byte, sound text stays, and each change is a finding.

mod common;
mod support;

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use common::{Dir, oxiconv, run_text};
use oxiconv::internals::transcode::{Conversion, InputEncoding, OnMojibake, Options};
use oxiconv::{Detector, Encoding};
use support::{With, convert, convert_cut, every_cut, strict};

/// Reads each character of a text as a byte of windows-1252, whose gaps are control codes, and encodes it again: by the
/// table of the Encoding Standard, not by the program.
fn damaged(text: &str) -> String {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž',
        '\u{8F}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}',
        'ž', 'Ÿ',
    ];
    let shown = |byte: u8| match byte {
        0x80..=0x9F => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    };
    text.bytes().map(shown).collect()
}

fn repairing() -> Conversion {
    strict("utf-8", "utf-8").with(|it| it.on_mojibake(OnMojibake::Repair))
}

const CSV: &str = "Name;Ville;Prix\nÉlodie Lefèvre;Besançon;12 €\nJosé Núñez;Málaga;“7,50”\n\
                   Ångström;Örebro;½\nПётр Иванов;Москва;100 ₽\n";
const DUMP: &str = "INSERT INTO `posts` VALUES (1,'L’été à la plage','Où est passé l’élève ?'),\
                    (2,'Über uns','Größe, Maß und Ähnliches'),(3,'Á É Í Ó Ú','mañana está aquí');\n";
const HTML: [&str; 2] = [
    "<html><head><title>Café crème</title></head>\n<body>\n<p>Déjà vu : l’été à Besançon.</p>\n",
    "<p>Où est passé l’élève ? Il a été à l’école très tôt.</p>\n</body></html>\n",
];

#[test]
fn a_csv_that_was_encoded_twice_comes_back() {
    for times in 1..=3 {
        let input = (0..times).fold(CSV.to_owned(), |text, _| damaged(&text));
        let (status, output, messages) = run_text(&["--repair"], &input);
        assert_eq!((status, &*output), (0, CSV), "{times}");
        assert!(messages.ends_with(" damaged parts repaired\n"), "{messages}");
    }
}

#[test]
fn a_dump_of_mysql_comes_back() {
    assert!(damaged(DUMP).contains('\u{81}'));
    assert_eq!(run_text(&["--repair", "-q"], &damaged(DUMP)), (0, DUMP.to_owned(), String::new()));
}

#[test]
fn html_of_which_half_was_encoded_twice_comes_back() {
    let [one, two] = HTML;
    for input in [one.to_owned() + &damaged(two), damaged(one) + two] {
        assert_eq!(run_text(&["--repair", "-q"], &input), (0, HTML.concat(), String::new()));
    }
}

#[test]
fn no_cut_of_the_input_changes_what_is_repaired() {
    // What looks like damage, is sound, and stands next to some.
    let doubtful = "l’école, сё ещё В Gnumeric ή η 12 × 18 “ВСЁ» Ã l’Ã©tat voilÃ  » 目](/ — ÂВ Ж";
    let cases = [(damaged(CSV), Some(CSV)), (damaged(DUMP), Some(DUMP)), (doubtful.into(), None)];
    for (input, text) in cases {
        let whole = convert(&repairing(), input.as_bytes());
        assert!(text.is_none_or(|text| whole.output == text.as_bytes()));
        for cut in 0..=input.len() {
            let pieces = convert_cut(&repairing(), input.as_bytes(), &[cut], false);
            assert_eq!(pieces.output, whole.output, "{cut}");
            assert_eq!(pieces.places(), whole.places(), "{cut}");
        }
        let every: Vec<usize> = (0..input.len()).collect();
        assert_eq!(convert_cut(&repairing(), input.as_bytes(), &every, true).output, whole.output);
    }
}

/// A line longer than a region, with ill-formed bytes between.
#[test]
fn long_lines_and_ill_formed_bytes_do_not_hide_damage() {
    let mut input = Vec::new();
    let mut expected = Vec::new();
    for _ in 0..2000 {
        input.extend_from_slice(damaged("L’été à ").as_bytes());
        expected.extend_from_slice("L’été à ".as_bytes());
    }
    input.extend_from_slice(b"\xFF");
    expected.extend_from_slice("\u{FFFD}".as_bytes());
    input.extend_from_slice(damaged("très tôt").as_bytes());
    expected.extend_from_slice("très tôt".as_bytes());
    let output = oxiconv().args(["--repair", "-q", "-e", "replace"]).write_stdin(input).output();
    assert!(output.unwrap().stdout == expected);
}

#[test]
fn sound_text_stays_and_nothing_is_said() {
    let text = "NESTLÉ® 4288×… l’été à « Paris » Различие 贵州茅台 ─┤ 5 €\n";
    assert_eq!(run_text(&["--repair"], text), (0, text.to_owned(), String::new()));
    assert_eq!(
        run_text(&["--check", "--deny", "mojibake"], text),
        (0, String::new(), String::new())
    );
}

/// The byte offset, line and column are those of the input.
#[test]
fn each_change_is_a_finding() {
    let input = "naïf\nun cafÃ© noir\n";
    let place = "C3 83 C2 A9 at byte 12 (0xc): \"Ã©\" was \"é\": UTF-8 read as windows-1252, ";
    let (status, output, _) = run_text(&["--check", "--deny", "mojibake"], input);
    assert_eq!(status, 1);
    assert!(
        output.starts_with(&format!("(standard input):2:7: error[mojibake]: {place}")),
        "{output}"
    );
    let (status, output, messages) = run_text(&["--repair", "-v"], input);
    assert_eq!((status, &*output), (0, "naïf\nun café noir\n"));
    let note = format!("(standard input):2:7: note[mojibake]: {place}");
    assert!(messages.starts_with(&note), "{messages}");
    assert!(messages.contains("oxiconv: (standard input): 1 damaged part repaired\n"));
    let (_, output, _) = run_text(&["--check", "--deny", "mojibake", "--format", "json"], input);
    for member in [
        r#""kind":"mojibake""#,
        r#""meant":"é","written_in":"UTF-8","read_as":"windows-1252","times":1,"confidence":0."#,
    ] {
        assert!(output.contains(member), "{output}");
    }
}

#[test]
fn a_denied_part_stops_a_conversion_unless_it_is_repaired() {
    let input = "un cafÃ© noir\n";
    let (status, output, messages) = run_text(&["--deny", "mojibake"], input);
    assert_eq!((status, &*output), (1, "un caf"));
    assert!(messages.contains("error[mojibake]"), "{messages}");
    let (status, output, _) = run_text(&["--deny", "mojibake", "--repair"], input);
    assert_eq!((status, &*output), (0, "un café noir\n"));
}

#[test]
fn explain_shows_what_was_damaged() {
    let (status, output, _) = run_text(&["--explain"], "un cafÃ© noir\n");
    assert_eq!(status, 0);
    assert!(output.contains("\"Ã©\" was \"é\": UTF-8 read as windows-1252"), "{output}");
    assert!(output.contains("oxiconv --repair"), "{output}");
}

#[test]
fn only_files_with_damage_are_replaced() {
    let dir = Dir::new();
    dir.write("bad.txt", damaged("l’été à la plage\n").as_bytes());
    dir.write("good.txt", "l’été à la plage\n".as_bytes());
    let before = std::fs::metadata(dir.path("good.txt")).unwrap().modified().unwrap();
    let (status, output, messages) =
        dir.run(&["--repair", "-i", "--dry-run", "bad.txt", "good.txt"]);
    assert_eq!((status, &*output), (0, ""));
    assert!(messages.contains("bad.txt:1:2: note[mojibake]"), "{messages}");
    assert!(dir.read("bad.txt") == damaged("l’été à la plage\n").as_bytes());
    let (status, _, messages) = dir.run(&["--repair", "-i", "bad.txt", "good.txt"]);
    assert_eq!(status, 0, "{messages}");
    assert!(messages.contains("1 written, 1 unchanged"), "{messages}");
    assert_eq!(dir.read("bad.txt"), "l’été à la plage\n".as_bytes());
    assert_eq!(std::fs::metadata(dir.path("good.txt")).unwrap().modified().unwrap(), before);
}

#[test]
fn what_the_target_lacks_is_unmappable() {
    let (status, output, messages) =
        run_text(&["--repair", "-t", "us-ascii", "--unmappable", "xml"], "cafÃ© noir\n");
    assert_eq!((status, &*output), (0, "caf&#xE9; noir\n"), "{messages}");
}

#[test]
fn other_encodings_are_refused() {
    let (status, _, messages) = run_text(&["--repair", "-f", "latin1"], "");
    assert_eq!(status, 2);
    assert!(messages.contains("in UTF-8 only"), "{messages}");
    for option in ["--check", "--explain", "--detect"] {
        assert_eq!(run_text(&["--repair", option], "").0, 2);
    }
}

/// A line is written when it is complete, and one without damage at once.
#[test]
fn a_stream_is_repaired_line_by_line() {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
        .args(["--repair", "-q"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for line in ["plain", "l’été", "un café noir", "très tôt"] {
        for text in [line.to_owned(), damaged(line)] {
            writeln!(input, "{text}").unwrap();
            let mut got = String::new();
            output.read_line(&mut got).unwrap();
            assert_eq!(got.trim_end(), line);
        }
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// With `script`, which gives a program a terminal.
#[test]
fn questions_are_asked_on_the_terminal() {
    if Command::new("script").arg("--version").output().is_err() {
        eprintln!("skipped: script is not here");
        return;
    }
    let program = assert_cmd::cargo::cargo_bin!("oxiconv");
    for (answers, expected) in [
        ("y\nn\n", "café, thÃ© et pâté\n"),
        ("?\nn\na\n", "cafÃ©, thé et pâté\n"),
        ("q\n", "cafÃ©, thÃ© et pâté\n"),
    ] {
        let dir = Dir::new();
        dir.write("in.txt", "cafÃ©, thÃ© et pâté\n".as_bytes());
        let command = format!("{} --repair=ask -o out.txt in.txt", program.display());
        let mut child = Command::new("script")
            .args(["-qec", &command, "/dev/null"])
            .current_dir(dir.0.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(answers.as_bytes()).unwrap();
        let shown = child.wait_with_output().unwrap();
        let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
        assert_eq!(String::from_utf8(dir.read("out.txt")).unwrap(), expected, "{shown}");
        assert!(shown.contains("in.txt:1:4: \"Ã©\" was \"é\""), "{shown}");
        assert!(shown.contains("Repair it? [y/n/a/q/?]"), "{shown}");
    }
}

/// A log of three programs: one line is damaged, one is windows-1251, one is sound.
#[test]
fn lines_in_other_encodings_are_read_before_the_damage_is_repaired() {
    let mut log = damaged("Привет, мир, это журнал\n").into_bytes();
    log.extend_from_slice(
        b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0, \xFD\xF2\xEE \xE6\xF3\xF0\xED\xE0\xEB\n",
    );
    log.extend_from_slice("Привет, мир, это журнал\n".as_bytes());
    let output =
        oxiconv().args(["--repair", "-q", "-f", "auto"]).write_stdin(log).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "Привет, мир, это журнал\n".repeat(3));
}

/// A log of three programs, as above, in every way in which it may arrive: the same text and the same findings.
#[test]
fn no_cut_changes_what_is_found_in_lines_of_several_encodings() {
    let mut log = damaged("Où est l’été ?\n").into_bytes();
    log.extend_from_slice(
        b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0, \xFD\xF2\xEE \xE6\xF3\xF0\xED\xE0\xEB\n",
    );
    log.extend_from_slice(b"na\xEFve caf\xC3\xA9 d\xC3\xA9j\xC3\xA0 \xC3\xA9t\xC3\xA9\n");
    log.extend_from_slice(damaged("très tôt\n").as_bytes());
    let lines = InputEncoding::Lines(Detector::new());
    let options = Options::new().on_mojibake(OnMojibake::Repair);
    let conversion = options.build(lines, Encoding::UTF_8).unwrap();
    let whole = every_cut(&conversion, &log);
    let text = "Où est l’été ?\nПривет, мир, это журнал\nnaïve café déjà été\ntrès tôt\n";
    assert_eq!(String::from_utf8(whole.output.clone()).unwrap(), text);
    let found: Vec<_> = whole.found.iter().map(|it| (it.id == "mojibake", it.line)).collect();
    for line in [1, 4] {
        assert!(found.contains(&(true, line)), "{found:?}");
    }
    for line in [2, 3] {
        assert!(found.contains(&(false, line)) && !found.contains(&(true, line)), "{found:?}");
    }
}

/// Made by Python: `text.encode().decode("cp437")`, and `gb18030`.
#[test]
fn files_that_were_read_in_other_tables_come_back() {
    let dir = Dir::new();
    let french = "L’été dernier, où étiez-vous ? À la plage, près de l’île d’Oléron.\n";
    let russian = "Привет, мир! Это обычный текст на русском языке.\n";
    for (name, text, damaged) in [
        (
            "french.cp437",
            french,
            "LΓÇÖ├⌐t├⌐ dernier, o├╣ ├⌐tiez-vous ? ├Ç la plage, pr├¿s de lΓÇÖ├«le dΓÇÖOl├⌐ron.\n",
        ),
        (
            "russian.cp437",
            russian,
            "╨ƒ╤Ç╨╕╨▓╨╡╤é, ╨╝╨╕╤Ç! ╨¡╤é╨╛ ╨╛╨▒╤ï╤ç╨╜╤ï╨╣ ╤é╨╡╨║╤ü╤é ╨╜╨░ ╤Ç╤â╤ü╤ü╨║╨╛╨╝ ╤Å╨╖╤ï╨║╨╡.\n",
        ),
        (
            "french.gb",
            french,
            "L鈥櫭﹖茅 dernier, o霉 茅tiez-vous ? 脌 la plage, pr猫s de l鈥櫭甽e d鈥橭l茅ron.\n",
        ),
    ] {
        dir.write(name, damaged.as_bytes());
        let (status, out, messages) = dir.run(&["--repair", name]);
        assert_eq!((status, &*out), (0, text), "{messages}");
        let (status, _, messages) = dir.run(&["--repair", "-i.bak", name]);
        assert_eq!((status, dir.read(name)), (0, text.as_bytes().to_vec()), "{messages}");
        assert_eq!(dir.read(&format!("{name}.bak")), damaged.as_bytes());
        // What was repaired is sound.
        assert_eq!(dir.run(&["--repair", name]), (0, text.to_owned(), String::new()));
    }
}

/// The limit is on the data of the process. One line without an end, and findings that would take more than that.
#[test]
fn any_length_takes_little_memory() {
    let dir = Dir::new();
    let sound = "as plain as it is ".repeat((64 << 20) / 18);
    let line = format!("café {sound}");
    dir.write("line", format!("cafÃ© {sound}").as_bytes());
    let text = "L’été à la plage\n".repeat(20_000);
    dir.write("damaged", damaged(&text).as_bytes());
    let program = assert_cmd::cargo::cargo_bin!("oxiconv");
    for (name, expected) in [("line", &line), ("damaged", &text)] {
        let command = r#"ulimit -d 16384; "$0" --repair -q <"$1""#;
        let mut sh = Command::new("bash");
        let ended = sh.args(["-c", command]).arg(program).arg(dir.path(name)).output().unwrap();
        let messages = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.status.success() && ended.stdout == expected.as_bytes(), "{messages}");
    }
}

/// `setsid` runs a program without a terminal.
#[test]
fn questions_require_a_terminal() {
    if Command::new("setsid").arg("--version").output().is_err() {
        eprintln!("skipped: setsid is not here");
        return;
    }
    let dir = Dir::new();
    dir.write("in.txt", "cafÃ©\n".as_bytes());
    for to in [&[][..], &["-i"], &["-o", "out.txt"], &["-O", "out"]] {
        let mut command = Command::new("setsid");
        command.arg("--wait").arg(assert_cmd::cargo::cargo_bin!("oxiconv"));
        command.arg("--repair=ask").args(to).arg("in.txt").current_dir(dir.0.path());
        let ended = command.stdin(Stdio::null()).output().unwrap();
        let messages = String::from_utf8(ended.stderr).unwrap();
        assert_eq!((ended.status.code(), &ended.stdout[..]), (Some(2), &b""[..]), "{messages}");
        assert!(messages.starts_with("oxiconv: --repair=ask requires a terminal: "), "{messages}");
        assert_eq!(
            (dir.read("in.txt"), dir.names()),
            ("cafÃ©\n".into(), vec!["in.txt".to_owned()])
        );
    }
}

#[test]
fn names_are_repaired_too() {
    let dir = Dir::new();
    dir.write("rÃ©sumÃ©.txt", b"");
    dir.write("naïve.txt", b"");
    let (status, output, _) = dir.run(&["--names", "--repair", "-r", "."]);
    assert_eq!(status, 0);
    assert!(output.contains("rÃ©sumÃ©.txt -> résumé.txt"), "{output}");
    assert_eq!(dir.run(&["--names", "--repair", "--rename", "-r", "."]).0, 0);
    assert_eq!(dir.names(), ["naïve.txt", "résumé.txt"]);
}

/// Names have no lines; macOS decomposes them.
#[test]
fn names_are_normalized_and_have_no_lines() {
    let dir = Dir::new();
    dir.write("cafe\u{301}.txt", b"");
    for option in [&["--newline", "lf"][..], &["--final-newline"], &["--record-length", "8"]] {
        let args = [&["--names", "-r", "."], option].concat();
        let (status, _, messages) = dir.run(&args);
        assert_eq!(status, 2, "{messages}");
        assert!(messages.contains("--names has no lines"), "{messages}");
    }
    assert_eq!(dir.run(&["--names", "--normalize", "nfc", "--rename", "-r", "."]).0, 0);
    assert_eq!(dir.names(), ["café.txt"]);
}
