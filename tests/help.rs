//! Help, usage errors, the man page, and other generated files.

use std::collections::BTreeSet;
use std::fs;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::common::{Dir, oxiconv};
#[cfg(unix)]
use crate::scene::Scene;
use crate::scene::skipped;

/// Returns the help for a terminal of 80 columns.
fn help(option: &str) -> String {
    let output = oxiconv().arg(option).env("COLUMNS", "80").output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{option}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the long options at the start of indented lines of a help text.
fn options(help: &str) -> BTreeSet<String> {
    let words = help.lines().filter(|line| line.starts_with("  ")).filter_map(|line| {
        let option = line.trim_start().split(", ").find(|word| word.starts_with("--"))?;
        (line.trim_start().starts_with('-')).then_some(option)
    });
    words.map(|word| word.split([' ', '[', '.', '\n']).next().unwrap().to_owned()).collect()
}

#[test]
fn the_summary_fits_a_screen() {
    let summary = help("-h");
    assert!(summary.lines().count() <= 40, "{} lines:\n{summary}", summary.lines().count());
    for line in summary.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let all = options(&help("--help"));
    assert!(options(&summary).is_subset(&all));
    for option in ["--from", "--to", "--check", "--explain", "--in-place", "--fallback", "--list"] {
        assert!(options(&summary).contains(option), "{option}");
    }
    // -h prints the summary and ignores what follows, even an unknown option.
    assert_eq!(summary, help("-h"));
    let output = oxiconv().args(["-h", "--no-such-option"]).env("COLUMNS", "80").output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), summary);
}

/// Without arguments on a terminal, the program would seem to hang. The note must not appear if the input is not a
/// terminal, or if there are arguments.
#[cfg(unix)]
#[test]
fn alone_on_a_terminal_it_says_what_it_waits_for() {
    let program = assert_cmd::cargo::cargo_bin!("oxiconv").display().to_string();
    let shown = |command: &str| {
        let output = Command::new("script").args(["-qec", command, "/dev/null"]).output().ok()?;
        Some(String::from_utf8(output.stdout).unwrap())
    };
    let note = "oxiconv: reading standard input; Ctrl-D ends, -h shows help";
    let Some(text) = shown(&program) else { return skipped("script is not installed") };
    assert_eq!(text.lines().next(), Some(note));
    assert!(!shown(&format!("{program} </dev/null")).unwrap().contains(note));
    assert!(!shown(&format!("{program} -f latin1")).unwrap().contains(note));
    let piped = oxiconv().write_stdin("a").output().unwrap();
    assert_eq!((&piped.stdout[..], piped.stderr.len()), (&b"a"[..], 0));
}

#[cfg(unix)]
#[test]
fn help_that_cannot_be_printed_is_an_error() {
    for option in ["-h", "--help", "--version", "--list"] {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"));
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = command.arg(option).stdout(full).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(text, "oxiconv: (standard output): No space left on device\n", "{option}");
        assert_eq!(output.status.code(), Some(2), "{option}");
    }
}

/// Scripts read the first line. Reports of bugs need the others.
#[test]
fn the_version_says_what_was_built_and_which_instructions_run() {
    let first = format!("oxiconv {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(help("-V"), first);
    let features = "archive, character-names, compression, detection, formats, legacy, normalization, transliteration";
    let output = oxiconv().arg("--version").env("OXICONV_KERNELS", "portable").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text, format!("{first}features: {features}\ninstruction set: portable\n"));
    let best = oxiconv_kernels::active().name;
    assert!(help("--version").ends_with(&format!("\ninstruction set: {best}\n")));
}

#[test]
fn help_has_every_option_every_value_and_the_exit_statuses() {
    let all = help("--help");
    let shown = options(&all);
    let mut seen = 0;
    for file in fs::read_dir(root().join("src/cli/args")).unwrap() {
        let source = fs::read_to_string(file.unwrap().path()).unwrap();
        let groups = source.split("#[command(next_help_heading").skip(1);
        for group in groups.map(|group| group.split("\n}\n").next().unwrap()) {
            for field in group.lines().filter_map(|line| line.trim().strip_prefix("pub(crate) ")) {
                let Some((field, _)) = field.split_once(": ") else { continue };
                let name = field.replace('_', "-");
                if name != "skip" {
                    seen += 1;
                    assert!(shown.contains(&format!("--{name}")), "{name}");
                }
            }
        }
    }
    assert!(seen > 60, "only {seen} option definitions found");
    for words in ["- strict: ", "- mixed-newlines: ", "- sarif:", "128 + n", "\n  -c\n"] {
        assert!(all.contains(words), "{words}");
    }
    assert!(!all.contains("--complete"));
}

/// The option groups of the help and the man page, in order.
const GROUPS: [&str; 8] =
    ["Convert", "Check", "Detect", "Repair", "Files", "Output", "Advanced", "Lists and help"];

#[test]
fn help_begins_with_uses_and_examples_and_groups_the_options() {
    let all = help("--help");
    let headings = all.lines().filter_map(|line| line.strip_suffix(':'));
    let headings: Vec<_> = headings.filter(|line| !line.starts_with([' ', '-'])).collect();
    let expected = [&["Usage", "Examples", "Arguments"][..], &GROUPS, &["Exit status"]].concat();
    assert_eq!(headings, expected);
    let uses = all.split("Usage:\n").nth(1).unwrap().lines();
    assert_eq!(uses.take_while(|line| line.starts_with("  oxiconv ")).count(), 6);
}

/// Runs each example on empty files with the names that it uses.
#[cfg(unix)]
#[test]
fn the_examples_of_help_are_valid_commands() {
    let all = help("--help");
    let examples = all.split("\nExamples:\n").nth(1).unwrap().split("\nArguments:").next().unwrap();
    let commands: Vec<_> =
        examples.lines().filter_map(|line| line.strip_prefix("      ")).collect();
    assert!(commands.len() >= 10, "{examples}");
    for command in commands {
        let dir = Dir::new();
        for name in
            ["old.txt", "bad.txt", "mixed.txt", "a.csv", "app.log", "docs/a.txt", "music/a.txt"]
        {
            dir.write(name, b"");
        }
        let command = command.replace("tail -f", "cat");
        let output = crate::common::shell(&format!("{command}; echo $?"), dir.0.path());
        let text = String::from_utf8(output).unwrap();
        assert_eq!(text.lines().last(), Some("0"), "{command}: {text}");
    }
}

#[test]
fn the_texts_of_the_options_are_the_agreed_ones() {
    let all = help("--help");
    for text in [
        "Also report these characters (comma-separated list)",
        "Text that replaces what cannot be converted",
        "Follow each encoding's own rule",
    ] {
        assert!(all.contains(text), "{text}");
    }
}

/// A usage error is one line and a pointer to the help.
#[test]
fn errors_of_usage_are_like_all_others() {
    for (args, message) in [
        (&["--froom", "x"][..], "unknown option '--froom'; did you mean --from?"),
        (&["-x"], "unknown option '-x'"),
        (&["--add-signature"], "unknown option '--add-signature'; did you mean --bom add?"),
        (&["--to-callback", "x"], "unknown option '--to-callback'; did you mean --unmappable?"),
        (
            &["--newline", "dos"],
            "invalid value 'dos' for --newline; did you mean crlf? (values: keep, lf, crlf, cr, nel)",
        ),
        (
            &["--newline", "unix"],
            "invalid value 'unix' for --newline; did you mean lf? (values: keep, lf, crlf, cr, nel)",
        ),
        (
            &["--newline", "mac"],
            "invalid value 'mac' for --newline; did you mean cr? (values: keep, lf, crlf, cr, nel)",
        ),
        (
            &["--bom", "remove"],
            "invalid value 'remove' for --bom; did you mean strip? (values: auto, keep, strip, add, forbid, require)",
        ),
        (
            &["--bom", "yes"],
            "invalid value 'yes' for --bom; did you mean add? (values: auto, keep, strip, add, forbid, require)",
        ),
        (
            &["--bom", "no"],
            "invalid value 'no' for --bom; did you mean strip? (values: auto, keep, strip, add, forbid, require)",
        ),
        (
            &["--color", "no"],
            "invalid value 'no' for --color; did you mean never? (values: auto, always, never)",
        ),
        (
            &["-e", "IGNORE"],
            "invalid value 'IGNORE' for --errors; did you mean skip? (values: strict, replace, report, skip, escape, \
             xml, xml-dec, java, c, percent, unicode)",
        ),
        (
            &["-e", "html"],
            "invalid value 'html' for --errors; did you mean xml? (values: strict, replace, report, skip, escape, xml, \
             xml-dec, java, c, percent, unicode)",
        ),
        (
            &["--generate", "zsh"],
            "invalid value 'zsh' for --generate; did you mean complete-zsh? (values: man, complete-bash, \
             complete-elvish, complete-fish, complete-powershell, complete-zsh)",
        ),
        (
            &["--normalize", "Any-NFKD"],
            "invalid value 'Any-NFKD' for --normalize; did you mean nfkd? (values: nfc, nfd, nfkc, nfkd)",
        ),
        (
            &["--language", "Czech"],
            "invalid value 'Czech' for --language; did you mean cs? (--language help lists all)",
        ),
        (&["-L", "czech"], "unknown option '-L'; did you mean --language?"),
        (&["--remove-bom"], "unknown option '--remove-bom'; did you mean --bom strip?"),
        (&["--eol", "lf"], "unknown option '--eol'; did you mean --newline?"),
        (&["-f", "l1..u8"], "unknown encoding 'l1..u8'; did you mean -f l1 -t u8?"),
        (&["-t", "..u16"], "unknown encoding '..u16'; did you mean -t u16?"),
        (
            &["-f", "l1..nonsense"],
            "unknown encoding 'l1..nonsense' (--list PART lists the names that contain PART)",
        ),
        (
            &["--normalize", "NFC"],
            "invalid value 'NFC' for --normalize; did you mean nfc? (values: nfc, nfd, nfkc, nfkd)",
        ),
        (
            &["--denied", "ignore"],
            "invalid value 'ignore' for --denied; did you mean skip? (values: pass, strict, skip, replace, escape)",
        ),
        (
            &["-e", "escape-xml-hex"],
            "invalid value 'escape-xml-hex' for --errors; did you mean xml? (values: strict, replace, report, skip, \
             escape, xml, xml-dec, java, c, percent, unicode)",
        ),
        (
            &["-f", "utf9"],
            "unknown encoding 'utf9'; did you mean UTF-8, UTF-1 or UTF-7? (--list PART lists the names that contain PART)",
        ),
        (
            &["-t", "latin1//FOO"],
            "unknown suffix '//FOO' (known: //TRANSLIT, //IGNORE and //NON_IDENTICAL_DISCARD)",
        ),
        (&["-f"], "--from requires a value"),
        (&[""], "empty file name"),
        (&["--replacement="], "--replacement requires a value"),
        (&["-e", "translit"], "invalid value 'translit' for --errors; use --unmappable translit"),
        (&["--endian", "b"], "invalid value 'b' for --endian; did you mean be? (values: be, le)"),
        (
            &["--bom", "stripp"],
            "invalid value 'stripp' for --bom; did you mean strip? (values: auto, keep, strip, add, forbid, require)",
        ),
        (&["-j", "0"], "--jobs must be at least 1"),
        (&["-j", "x"], "--jobs must be a number, not 'x'"),
        (&["-j", "99999999999999999999999"], "--jobs is too large: 99999999999999999999999"),
        (&["--max-reports", "many"], "--max-reports must be a number, not 'many'"),
        (&["--check=x"], "--check does not take a value: 'x'"),
        (&["-f", "utf-8", "-f", "utf-8"], "--from can be given only once"),
        (&["-i", ".bak", "f"], "--in-place takes its suffix after '=': -i=.bak"),
        (&["--in-place", ".bak", "f"], "--in-place takes its suffix after '=': --in-place=.bak"),
        (&["--explain", "all", "f"], "--explain takes its value after '=': --explain=all"),
        (
            &["--explain=al", "f"],
            "invalid value 'al' for --explain; did you mean all? (values: findings, all)",
        ),
    ] {
        let output = oxiconv().args(args).write_stdin("").output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        let expected = format!(
            "oxiconv: {message}\nTry 'oxiconv -h' for a summary, or 'oxiconv --help' for all options.\n"
        );
        assert_eq!((output.status.code(), &text), (Some(2), &expected), "{args:?}");
        assert!(output.stdout.is_empty());
    }
    // Of errors that are detected after parsing, only the first line is compared.
    for (args, message) in [
        (
            &["--explain=all", "--format", "json"][..],
            "--explain cannot be combined with --format json (to report findings: --check --format json)",
        ),
        (&["--bom", "forbid", "f"], "--bom forbid requires --check"),
        (&["--include", "x", "--check"], "--include requires --recursive"),
        (&["--check", "-i"], "--check cannot be combined with --in-place"),
        (&["--backup-dir", "d", "f"], "--backup-dir requires --in-place or --fix"),
        (&["-i", "--list"], "--list cannot be combined with --in-place"),
        (&["--list", "-o", "names"], "--list cannot be combined with --output"),
        (&["-c", "-e", "skip"], "-c cannot be combined with --errors"),
        (
            &["--explain", "--json"],
            "--explain cannot be combined with --json (to report findings: --check --json)",
        ),
        (&["--list-translit", "--json"], "--list-translit cannot be combined with --json"),
        (&["--check", "--json", "--format", "sarif"], "--json cannot be combined with --format"),
        (&["--list", "--format=json", "--json"], "--json cannot be combined with --format"),
        (&["-v", "-q"], "--verbose cannot be combined with --quiet"),
        (&["--check", "-0", "f"], "--null requires --files-with-findings"),
        (
            &["--merge-findings", "--no-verify", "f"],
            "--merge-findings cannot be combined with --no-verify",
        ),
        (
            &["--list-translit", "--format", "json"],
            "--list-translit cannot be combined with --format json",
        ),
        (
            &["--check", "-r", "--exclude", "", "."],
            "--exclude requires a glob, not an empty argument",
        ),
        (&["."], ".: is a directory (use -r to descend)"),
        (&["l1..u8", "f"], "l1..u8: No such file or directory (did you mean -f l1 -t u8?)"),
        (&["--check", "u16.."], "u16..: No such file or directory (did you mean -f u16?)"),
        (&["../none"], "../none: No such file or directory"),
        (&["-f", "./nothing.ucm"], "./nothing.ucm: No such file or directory"),
    ] {
        let output = oxiconv().args(args).write_stdin("").output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(text.lines().next(), Some(&format!("oxiconv: {message}")[..]), "{args:?}");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
}

/// The error for an invalid value names the option or the value.
#[test]
fn every_option_says_which_value_it_refuses() {
    let mut refused = 0;
    for option in options(&help("--help")) {
        let output = oxiconv().args([&format!("{option}=%no/such"), "-"]).write_stdin("").output();
        let text = String::from_utf8(output.unwrap().stderr).unwrap();
        if let Some((message, _)) = text.split_once("\nTry 'oxiconv -h'") {
            assert!(message.starts_with("oxiconv: "), "{option}: {text}");
            assert!(message.contains(&option) || message.contains("%no/such"), "{option}: {text}");
            refused += 1;
        }
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn a_file_that_exists_is_not_taken_for_a_value() {
    let dir = Dir::new();
    dir.write("all", b"caf\xE9\n");
    dir.write(".bak", b"caf\xE9");
    assert_eq!(dir.run(&["--explain", "all"]).0, 1);
    assert_eq!(dir.run(&["-f", "latin1", "-i", ".bak"]).0, 0);
    assert_eq!(dir.read(".bak"), "café".as_bytes());
    // After --, every word is a file. So is a word that cannot be the value of the option before it.
    let (status, _, err) = dir.run(&["--explain", "--", "findings"]);
    assert_eq!((status, &err[..]), (2, "oxiconv: findings: No such file or directory\n"));
    assert_eq!(dir.run(&["-f", "latin1", "-i", "-q", "all"]).0, 0);
    let (status, _, err) = dir.run(&["-i", "missing"]);
    assert_eq!((status, &err[..]), (2, "oxiconv: missing: No such file or directory\n"));
}

#[cfg(unix)]
#[test]
fn a_directory_that_cannot_be_read_is_reported_like_a_file() {
    if !crate::scene::is_root() {
        return skipped("only root can run the program as another user");
    }
    let scene = Scene::new();
    fs::set_permissions(scene.dir(), fs::Permissions::from_mode(0o755)).unwrap();
    fs::create_dir(scene.path("closed")).unwrap();
    fs::set_permissions(scene.path("closed"), fs::Permissions::from_mode(0o700)).unwrap();
    let ended = scene.run_as_nobody(&["--check", "-r", "."]);
    assert_eq!(ended.status(), 2);
    assert_eq!(ended.err().lines().next(), Some("oxiconv: ./closed: Permission denied"));
}

/// The sections of the man page, in order.
const SECTIONS: [&str; 15] = [
    "NAME",
    "SYNOPSIS",
    "DESCRIPTION",
    "OPTIONS",
    "MODES",
    "FINDINGS",
    "DETECTION",
    "BYTE ORDER MARKS",
    "TRANSLITERATION",
    "ENVIRONMENT",
    "FILES",
    "EXIT STATUS",
    "EXAMPLES",
    "DIFFERENCES FROM ICONV",
    "SEE ALSO",
];

#[test]
fn the_man_page_has_its_sections_once_and_every_option() {
    let page = fs::read_to_string(root().join("man/oxiconv.1")).unwrap();
    let sections: Vec<_> = page.lines().filter_map(|line| line.strip_prefix(".SH ")).collect();
    assert_eq!(sections, SECTIONS);
    let subsections: Vec<_> = page.lines().filter_map(|line| line.strip_prefix(".SS ")).collect();
    assert_eq!(subsections, GROUPS);
    for option in options(&help("--help")) {
        let name = option.replace('-', "\\-");
        assert!(page.contains(&format!("\\fB{name}\\fR")), "{option}");
    }
    let uses: Vec<_> = page.split(".SY oxiconv\n").skip(1).collect();
    assert_eq!(uses.len(), 6);
    let convert = r"[\fB\-f\fR \fIENC\fR] [\fB\-t\fR \fIENC\fR] [\fIFILE\fR]...";
    assert_eq!(uses[0], format!("{convert}\n.YS\n"));
    assert!(uses[1].contains(r" \fB\-i\fR[=\fISUFFIX\fR] "), "{}", uses[1]);
    assert!(page.is_ascii());
}

#[test]
fn the_man_page_is_correct_roff() {
    let page = root().join("man/oxiconv.1");
    for (program, args) in
        [("groff", &["-man", "-Tutf8", "-ww", "-z"][..]), ("mandoc", &["-Tlint", "-Wwarning"])]
    {
        let Ok(output) = Command::new(program).args(args).arg(&page).output() else {
            skipped(&format!("{program} is not installed"));
            continue;
        };
        let said = [output.stdout, output.stderr].concat();
        assert_eq!(String::from_utf8_lossy(&said), "", "{program}");
    }
}

#[test]
fn the_man_page_fits_80_columns() {
    let page = root().join("man/oxiconv.1");
    let output =
        Command::new("groff").args(["-man", "-Tascii", "-P-c", "-rLL=78n"]).arg(page).output();
    let Ok(output) = output else { return skipped("groff is not installed") };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let wide: Vec<_> = text
        .lines()
        .map(|line| {
            line.chars().fold(0, |width: usize, c| if c == '\u{8}' { width - 1 } else { width + 1 })
        })
        .filter(|width| *width > 80)
        .collect();
    assert!(wide.is_empty(), "{wide:?}");
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files in the repository are up to date. `cargo run -- --generate man >man/oxiconv.1` regenerates the man page.
#[test]
fn generated_files_are_what_the_program_makes() {
    for (what, file) in [
        ("man", "man/oxiconv.1"),
        ("complete-bash", "completions/oxiconv.bash"),
        ("complete-elvish", "completions/oxiconv.elv"),
        ("complete-fish", "completions/oxiconv.fish"),
        ("complete-powershell", "completions/oxiconv.ps1"),
        ("complete-zsh", "completions/_oxiconv"),
    ] {
        let output = oxiconv().args(["--generate", what]).output().unwrap();
        assert!(output.status.success());
        let made = String::from_utf8(output.stdout).unwrap();
        let kept = fs::read_to_string(root().join(file)).unwrap();
        assert!(made == kept, "{file} is out of date: regenerate it with --generate {what}");
    }
}
