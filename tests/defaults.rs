//! Defaults of conversions in `oxiconv.toml`: which file applies, what overrides it, and what a repository cannot do.
//! See docs/defaults.md.

use std::collections::BTreeSet;
use std::fs;
#[cfg(unix)]
use std::os::unix::fs::{PermissionsExt, symlink};
#[cfg(unix)]
use std::os::unix::process::CommandExt;
use std::path::MAIN_SEPARATOR;
#[cfg(unix)]
use std::process::Command;

use crate::common::{CONFIG_HOME, Dir, Program, oxiconv, texts};
use crate::formats::{events, of_type};
#[cfg(unix)]
use crate::scene::{NOBODY, Scene, is_root, skipped};
use crate::system::canonical;

/// A directory `repo` that is a repository, and a directory `config` with the user's configuration.
struct Place(Dir);

impl Place {
    fn new() -> Self {
        let dir = Dir::new();
        fs::create_dir_all(dir.path("repo/.git")).unwrap();
        fs::create_dir(dir.path("config")).unwrap();
        Self(dir)
    }

    /// Writes `[defaults]` of the repository.
    fn repository(self, defaults: &str) -> Self {
        self.0.write("repo/oxiconv.toml", format!("[defaults]\n{defaults}\n").as_bytes());
        self
    }

    /// Writes `[defaults]` of the user.
    fn user(self, defaults: &str) -> Self {
        let text = format!("[defaults]\n{defaults}\n");
        self.0.write("config/oxiconv/oxiconv.toml", text.as_bytes());
        self
    }

    fn command(&self, below: &str) -> Program {
        let mut command = oxiconv();
        command.current_dir(self.0.path("repo").join(below));
        command.env(CONFIG_HOME, self.0.path("config"));
        command
    }

    fn run(&self, args: &[&str], input: &[u8]) -> (i32, String, String) {
        texts(self.command("").args(args).write_stdin(input).output().unwrap())
    }

    fn out(&self, args: &[&str], input: &[u8]) -> Vec<u8> {
        let output = self.command("").args(args).write_stdin(input).output().unwrap();
        assert!(output.status.success(), "{args:?}: {output:?}");
        output.stdout
    }

    /// Returns the message of a run that a file ends.
    fn refused(&self) -> String {
        let (status, out, err) = self.run(&[], b"a\n");
        assert_eq!((status, &out[..]), (2, ""), "{err}");
        err
    }
}

#[test]
fn a_default_applies_where_the_command_line_does_not_give_the_option() {
    let place = Place::new().repository("newline = \"crlf\"\nfinal-newline = true");
    // The first line is parsed without clap, the second with it.
    for args in [&["-f", "latin1"][..], &["-f", "latin1", "--endian", "be"]] {
        assert_eq!(place.out(args, b"caf\xE9\na"), "café\r\na\r\n".as_bytes(), "{args:?}");
    }
    assert_eq!(place.out(&["--newline", "keep"], b"a\nb"), b"a\nb\n");
    for args in [&["--no-config"][..], &["--no-config", "--endian", "be"]] {
        assert_eq!(place.out(args, b"a\nb"), b"a\nb", "{args:?}");
    }
    // In place, to a file, and into a directory.
    place.0.write("repo/f", b"a\n");
    for args in [&["-o", "new", "f"][..], &["-O", "out", "f"], &["-i", "f"]] {
        place.out(args, b"");
    }
    for name in ["repo/new", "repo/out/f", "repo/f"] {
        assert_eq!(place.0.read(name), b"a\r\n", "{name}");
    }
}

#[test]
fn verbose_says_which_line_applies() {
    let place = Place::new().repository("newline = \"lf\"").user("final-newline = true\njobs = 1");
    place.0.write("repo/sub/f", b"a");
    let user = canonical(&place.0.path("config/oxiconv/oxiconv.toml"));
    let user = user.display();
    let above = format!("..{MAIN_SEPARATOR}oxiconv.toml");
    let run = |below: &str, args: &[&str]| {
        let (_, _, err) = texts(place.command(below).args(args).output().unwrap());
        err
    };
    assert_eq!(
        run("sub", &["-v", "-t", "latin1", "f"]),
        format!(
            "oxiconv: {user}:3 says jobs = 1\n\
             oxiconv: {above}:2 says newline = \"lf\"\n\
             oxiconv: {user}:2 says final-newline = true\n\
             oxiconv: f: UTF-8 to ISO-8859-1: 1 byte read, 2 written\n"
        )
    );
    assert_eq!(run("sub", &["-t", "latin1", "f"]), "");
    assert!(run("sub", &["-v", "-i", "--dry-run", "f"]).starts_with(&format!("oxiconv: {user}:3")));
    // In a document, they are notes.
    let json = run("sub", &["-v", "--json", "-o", "new", "f"]);
    let notes = of_type(&events(json.as_bytes()), "note").into_iter().cloned().collect::<Vec<_>>();
    assert_eq!(notes.len(), 3);
    assert_eq!(notes[1]["path"]["text"], above);
    assert_eq!(notes[1]["message"], "line 2 says newline = \"lf\"");
}

#[cfg(unix)]
#[test]
fn the_file_of_the_user_is_where_xdg_says() {
    let place = Place::new();
    let home = |name: &str, newline: &str| {
        place.0.write(name, format!("[defaults]\nnewline = \"{newline}\"\n").as_bytes());
    };
    home("config/oxiconv/oxiconv.toml", "cr");
    home("home/.config/oxiconv/oxiconv.toml", "crlf");
    home("repo/relative/oxiconv/oxiconv.toml", "nel");
    let xdg = place.0.path("config");
    let nothing = place.0.path("nothing");
    for (variable, expected) in [
        (xdg.to_str(), &b"a\r"[..]),
        (nothing.to_str(), b"a\n"),
        (None, b"a\r\n"),
        // As the specification says, a relative path is ignored.
        (Some("relative"), b"a\r\n"),
        (Some(""), b"a\r\n"),
    ] {
        let mut command = place.command("");
        match variable {
            Some(variable) => command.env("XDG_CONFIG_HOME", variable),
            None => command.env_remove("XDG_CONFIG_HOME"),
        };
        let output = command.env("HOME", place.0.path("home")).write_stdin("a\n").output().unwrap();
        assert_eq!(output.stdout, expected, "{variable:?}");
    }
    let mut command = place.command("");
    command.env_remove("XDG_CONFIG_HOME").env_remove("HOME");
    assert_eq!(command.write_stdin("a\n").output().unwrap().stdout, b"a\n");
}

#[test]
fn the_repository_overrides_the_user() {
    let place = Place::new().user("newline = \"cr\"\nfinal-newline = true\nbom = \"add\"");
    assert_eq!(place.out(&[], b"a\nb"), b"\xEF\xBB\xBFa\rb\r");
    let place = place.repository("newline = \"crlf\"\nfinal-newline = false");
    assert_eq!(place.out(&[], b"a\nb"), b"\xEF\xBB\xBFa\r\nb");
    // A default that the command line gives is still checked.
    let place = place.user("newline = \"no\"");
    assert!(place.run(&["--newline", "lf"], b"a").2.contains("invalid value 'no' for --newline"));
}

#[test]
fn the_closest_file_of_the_repository_applies() {
    let place = Place::new().repository("newline = \"crlf\"");
    fs::create_dir_all(place.0.path("repo/a/b")).unwrap();
    fs::create_dir_all(place.0.path("repo/other/.git")).unwrap();
    let run = |below: &str| {
        place.command(below).write_stdin("a\n").output().unwrap().stdout.escape_ascii().to_string()
    };
    assert_eq!(run("a/b"), r"a\r\n");
    // Another repository inside of this one.
    assert_eq!(run("other"), r"a\n");
    place.0.write("repo/a/oxiconv.toml", b"[defaults]\nnewline = \"cr\"\n");
    assert_eq!(run("a/b"), r"a\r");
    // It has no defaults, and hides that above it.
    place.0.write("repo/a/b/oxiconv.toml", b"exclude = [\"x\"]\n");
    assert_eq!(run("a/b"), r"a\n");
    // Without a repository there is no file of one.
    fs::remove_dir(place.0.path("repo/.git")).unwrap();
    assert_eq!(run("a"), r"a\n");
    assert_eq!(run(""), r"a\n");
    // A worktree has a file of this name.
    place.0.write("repo/.git", b"gitdir: elsewhere\n");
    assert_eq!(run("a"), r"a\r");
}

/// Whoever keeps their configuration in a repository works in it, too.
#[test]
fn the_file_of_the_user_may_be_in_a_repository() {
    let place = Place::new().user("to = \"utf-16be\"");
    fs::create_dir(place.0.path("config/.git")).unwrap();
    let config = place.0.path("config/oxiconv");
    let mut command = place.command("");
    let output = command.current_dir(&config).write_stdin("a").output().unwrap();
    assert_eq!((&output.stdout[..], &output.stderr[..]), (&b"\0a"[..], &b""[..]));
    // The rules of a check do not mind the keys either.
    let output = place.command("").current_dir(&config).args(["--check", "."]).output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("is a directory"));
    let mut check = place.command("");
    assert!(
        check
            .current_dir(&config)
            .args(["--check", "oxiconv.toml"])
            .output()
            .unwrap()
            .status
            .success()
    );
}

#[test]
fn only_conversions_have_defaults() {
    let defaults = "newline = \"crlf\"\nto = \"ascii\"\nfrom = \"auto\"\nerrors = \"skip\"";
    let place = Place::new().user(defaults);
    place.0.write("repo/f", "é\n".as_bytes());
    place.0.write("repo/bad", b"caf\xE9\n");
    let of =
        |args: &[&str]| (place.run(args, b""), place.run(&[args, &["--no-config"]].concat(), b""));
    for args in [
        &["--check", "bad"][..],
        &["--explain", "bad"],
        &["--files-with-findings", "bad", "f"],
        &["--detect", "f"],
        &["--names", "-f", "latin1", "f"],
        &["--list", "koi8-r"],
        &["--list-translit", "ä"],
    ] {
        let (with, without) = of(args);
        assert_eq!(with, without, "{args:?}");
    }
    // They do not even look at the file.
    let place = place.user("nonsense = 1");
    assert_eq!(place.run(&["--check", "f"], b"").0, 0);
    assert_eq!(place.run(&["--version"], b"").0, 0);
    assert!(place.refused().contains("unknown: nonsense"));
}

#[cfg(unix)]
#[test]
fn called_as_iconv_it_has_no_defaults() {
    let place = Place::new().repository("newline = \"crlf\"").user("to = \"utf-16\"\nnonsense = 1");
    let iconv = place.0.path("iconv");
    symlink(assert_cmd::cargo::cargo_bin!("oxiconv"), &iconv).unwrap();
    place.0.write("repo/f", b"a\n");
    let output = Command::new(iconv)
        .args(["-f", "latin1", "-t", "utf-8", "f"])
        .current_dir(place.0.path("repo"))
        .env("XDG_CONFIG_HOME", place.0.path("config"))
        .output()
        .unwrap();
    assert_eq!((&output.stdout[..], &output.stderr[..]), (&b"a\n"[..], &b""[..]));
}

/// Each key does what the option does: options of the run, the default, the same as an option, and the input.
#[test]
fn every_key_means_its_option() {
    type Case = (&'static [&'static str], &'static str, &'static [&'static str], &'static [u8]);
    let cases: [Case; 16] = [
        (&[], "from = \"auto\"", &["-f", "auto"], b"\xFF\xFEh\0i\0"),
        (&[], "to = \"utf-16be\"", &["-t", "utf-16be"], b"a"),
        (&["-f", "utf-16"], "endian = \"le\"", &["--endian", "le"], b"a\0"),
        (
            &["-f", "ibm1047"],
            "ebcdic-newline = \"lf\"",
            &["--ebcdic-newline", "lf"],
            b"\xC1\x15\xC2\x25",
        ),
        (&["-t", "ascii"], "errors = \"replace\"", &["-e", "replace"], "aé".as_bytes()),
        (&["-t", "ascii"], "unmappable = \"xml\"", &["--unmappable", "xml"], "aé".as_bytes()),
        (
            &["-t", "ascii", "--unmappable", "translit"],
            "translit-locale = \"de_DE\"",
            &["--translit-locale", "de_DE"],
            "ü".as_bytes(),
        ),
        (&["-e", "replace"], "replacement = \"=\"", &["--replacement", "="], b"a\xFF"),
        (&[], "normalize = \"nfd\"", &["--normalize", "nfd"], "é".as_bytes()),
        (&[], "bom = \"add\"", &["--bom", "add"], b"a"),
        (&[], "newline = \"nel\"", &["--newline", "nel"], b"a\n"),
        (&[], "final-newline = true", &["--final-newline"], b"a"),
        (
            &["-f", "latin1"],
            "declaration = \"update\"",
            &["--declaration", "update"],
            b"<?xml version='1.0' encoding='latin1'?><a>\xE9</a>",
        ),
        (
            &["-f", "auto"],
            "language = [\"cs\", \"pl\"]",
            &["--language", "cs,pl"],
            b"P\xF8\xEDli\xB9 \xBElu\xBBou\xE8k\xFD k\xF9\xF2 \xFAp\xECl \xEF\xE1belsk\xE9 \xF3dy.",
        ),
        (
            &["-f", "auto"],
            "language = \"cs\"",
            &["--language", "cs"],
            b"\xBElu\xBBou\xE8k\xFD k\xF9\xF2",
        ),
        (&["-vv"], "jobs = 1", &["-j", "1"], b"a"),
    ];
    for (options, default, same, input) in cases {
        let place = Place::new().user(default);
        let plain = place.run(&[options, &["--no-config"]].concat(), input);
        let mut with = place.run(options, input);
        let typed = place.run(&[options, &["--no-config"], same].concat(), input);
        if options == ["-vv"] {
            // Without the line that names the default.
            with.2 = with.2.split_once('\n').unwrap().1.to_owned();
        } else if !default.starts_with("language") {
            assert_ne!(plain, with, "{default}");
        }
        assert_eq!(with, typed, "{default}");
    }
}

#[test]
fn the_command_line_replaces_what_its_options_include() {
    let place = Place::new().user("errors = \"escape\"\nunmappable = \"xml\"\nbom = \"strip\"");
    let input = "aé".as_bytes();
    assert_eq!(place.out(&["-t", "ascii"], input), b"a&#xE9;");
    assert_eq!(place.out(&["-t", "ascii"], b"\xFF"), br"\xFF");
    assert_eq!(place.out(&["-t", "ascii", "-e", "replace"], input), b"a?");
    assert_eq!(place.run(&["-t", "ascii", "-c"], input).1, "a");
    assert_eq!(place.run(&["-t", "ascii", "-c"], b"\xFF").1, "");
    assert_eq!(place.out(&["-t", "ascii//TRANSLIT"], input), b"ae");
    assert_eq!(place.run(&["-t", "ascii//IGNORE"], b"a\xFF\xC3\xA9").1, "a");
    assert_eq!(place.out(&["-t", "utf-8-bom"], b"a"), b"\xEF\xBB\xBFa");
    assert_eq!(place.out(&["-t", "utf-16be"], b"\xEF\xBB\xBFa"), b"\0a");
}

#[test]
fn a_default_that_does_not_fit_has_no_effect() {
    for (default, args, why) in [
        (
            "normalize = \"nfc\"",
            &["--shard", "1/1", "f"][..],
            "--shard cannot be combined with --normalize",
        ),
        ("language = \"ja\"", &[], "--language requires --detect, -f auto or -f auto-lines"),
        ("newline = \"nel\"", &["-t", "ascii"], "US-ASCII has no line ending NEL"),
        (
            "from = \"auto\"",
            &["--shard", "1/1", "f"],
            "--shard cannot be combined with -f auto, which examines the whole text",
        ),
        (
            "translit-locale = \"de_DE\"",
            &["-t", "ascii"],
            "--translit-locale requires --unmappable translit, or -t ENC//TRANSLIT",
        ),
        (
            "ebcdic-newline = \"lf\"",
            &[],
            "--ebcdic-newline requires an EBCDIC encoding (given: UTF-8, UTF-8)",
        ),
        ("unmappable = \"strict\"", &["-t", "ascii//NON_IDENTICAL_DISCARD//TRANSLIT"], ""),
    ] {
        let place = Place::new().user(default);
        place.0.write("repo/f", b"abc\n");
        let (status, out, err) = place.run(&[args, &["-v"]].concat(), b"abc\n");
        assert_eq!((status, &out[..]), (0, "abc\n"), "{default}: {err}");
        let no_effect = format!(":2 says {default}, which has no effect: {why}\n");
        assert_eq!(err.contains(&no_effect), !why.is_empty(), "{default}: {err}");
        assert!(place.run(args, b"abc\n").2.is_empty());
    }
    // The option that a default is for may need it: the command line alone would be refused.
    let place = Place::new().user("from = \"auto\"");
    assert_eq!(place.run(&["--language", "de"], b"a\n"), (0, "a\n".to_owned(), String::new()));
    let (status, _, err) = place.run(&["--language", "de", "--no-config"], b"a\n");
    assert_eq!(status, 2, "{err}");
}

#[test]
fn faults_are_named_with_file_and_line() {
    const USER: &str = "from, to, endian, ebcdic-newline, language, errors, unmappable, translit-locale, replacement, \
                        normalize, jobs, bom, declaration, newline, final-newline";
    let known_newlines = "(values: keep, lf, crlf, cr, nel)";
    let list = "(--list PART lists the names that contain PART)";
    for (text, message) in [
        ("nonsense = 1", format!("2:1: unknown: nonsense (known: {USER})")),
        ("in-place = true", format!("2:1: unknown: in-place (known: {USER})")),
        (
            "\nnewline = \"dos\"",
            format!("3:11: invalid value 'dos' for --newline; did you mean crlf? {known_newlines}"),
        ),
        ("newline = 1", "2:11: this must be a string".to_owned()),
        ("newline = \"\"", format!("2:11: --newline requires a value {known_newlines}")),
        ("newline = \"lf\"\nnewline = \"lf\"", "3:1: duplicate key".to_owned()),
        ("final-newline = 1", "2:17: this must be true or false".to_owned()),
        ("jobs = 0", "2:8: --jobs must be at least 1".to_owned()),
        ("jobs = \"2\"", "2:8: this must be a number".to_owned()),
        (
            "language = [\"cz\"]",
            "2:12: invalid value 'cz' for --language; did you mean cs? (--language help lists all)"
                .to_owned(),
        ),
        ("language = [1]", "2:13: this must be a string".to_owned()),
        ("language = 1", "2:12: this must be a list, such as [\"a\", \"b\"]".to_owned()),
        (
            "to = \"utf9\"",
            format!("2:6: unknown encoding 'utf9'; did you mean UTF-8, UTF-1 or UTF-7? {list}"),
        ),
        (
            "from = \"latin1\"",
            "2:8: only \"auto\" can be a default, since a text may be in any encoding".to_owned(),
        ),
        (
            "bom = \"require\"",
            "2:7: this is for --check, and defaults are for conversions".to_owned(),
        ),
        ("to = \"\\u001b[2J\"", format!("2:6: unknown encoding '\\u{{1b}}[2J' {list}")),
        ("[[rule]]", "2:3: unknown: rule (known: defaults)".to_owned()),
        ("[x", "2:3: unclosed table, expected `]`".to_owned()),
    ] {
        let place = Place::new().user(text);
        let path = canonical(&place.0.path("config/oxiconv/oxiconv.toml"));
        assert_eq!(place.refused(), format!("oxiconv: {}:{message}\n", path.display()), "{text}");
    }
    let place = Place::new();
    place.0.write("repo/oxiconv.toml", b"default = 1\n");
    let unknown = "oxiconv: oxiconv.toml:1:1: unknown: default (known: exclude, rule, defaults)\n";
    assert_eq!(place.refused(), unknown);
    assert_eq!(place.run(&["--check"], b"").0, 0, "standard input has no rules");
    place.0.write("repo/oxiconv.toml", b"defaults = 1\n");
    assert_eq!(place.refused(), "oxiconv: oxiconv.toml:1:12: this must be a table\n");
    assert_eq!(place.run(&["--check", "oxiconv.toml"], b"").2, place.refused());
    place.0.write("repo/oxiconv.toml", b"\xFF\n");
    assert!(place.refused().starts_with("oxiconv: oxiconv.toml: invalid utf-8 sequence"));
    fs::remove_file(place.0.path("repo/oxiconv.toml")).unwrap();
    fs::create_dir(place.0.path("repo/oxiconv.toml")).unwrap();
    assert_eq!(place.refused(), "oxiconv: oxiconv.toml: not a regular file\n");
    // Rules with faults concern checks alone.
    fs::remove_dir(place.0.path("repo/oxiconv.toml")).unwrap();
    place.0.write("repo/oxiconv.toml", b"[[rule]]\nnonsense = 1\n");
    assert_eq!(place.out(&[], b"a\n"), b"a\n");
}

/// Returns all long options of the program.
fn options() -> BTreeSet<String> {
    let output = oxiconv().args(["--complete", "--"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let words = text.lines().filter_map(|line| line.split('\t').next()?.strip_prefix("--"));
    words.map(|word| word.trim_end_matches('=').to_owned()).collect()
}

/// Somebody who clones a repository and converts files in it must get what they asked for. Its file may say how the
/// text is written down, and nothing else: every other option is refused, with any value.
#[test]
fn a_repository_cannot_choose_what_is_read_lost_or_written() {
    const ALLOWED: [&str; 4] = ["bom", "declaration", "final-newline", "newline"];
    let all = options();
    assert!(all.len() > 60, "{all:?}");
    for option in all.iter().filter(|option| !ALLOWED.contains(&&option[..])) {
        for value in ["true", "\"skip\""] {
            let place = Place::new().repository(&format!("{option} = {value}"));
            place.0.write("repo/f", b"caf\xE9\n");
            let (status, out, err) = place.run(&["-f", "latin1", "-i", "f"], b"");
            assert_eq!((status, &out[..]), (2, ""), "{option}");
            assert!(err.starts_with("oxiconv: oxiconv.toml:2:1: "), "{option}: {err}");
            assert_eq!(place.0.read("repo/f"), b"caf\xE9\n", "{option}");
        }
    }
    let errors = Place::new().repository("errors = \"skip\"").refused();
    assert_eq!(
        errors,
        "oxiconv: oxiconv.toml:2:1: errors is a default only in your own ~/.config/oxiconv/oxiconv.toml (in a \
         repository: bom, declaration, newline, final-newline)\n"
    );
}

/// Not even together with an option that leaves out what the target lacks.
#[test]
fn what_a_repository_may_choose_loses_no_text() {
    let text = "<?xml version='1.0' encoding='utf-8'?>\r\nä\nb\rç";
    let letters = |text: &[u8]| {
        let text = String::from_utf8(text.to_owned()).unwrap();
        let (before, after) = text.split_once("encoding='").unwrap();
        let (_, after) = after.split_once('\'').unwrap();
        format!("{before}{after}").replace(['\u{FEFF}', '\u{85}', '\r', '\n'], "")
    };
    assert_eq!(letters(text.as_bytes()), "<?xml version='1.0' ?>äbç");
    for (bom, declaration) in [("strip", "keep"), ("add", "update"), ("keep", "note")] {
        for newline in ["lf", "crlf", "cr", "nel"] {
            let place = Place::new().repository(&format!(
                "bom = \"{bom}\"\nnewline = \"{newline}\"\ndeclaration = \"{declaration}\"\nfinal-newline = true"
            ));
            for to in ["utf-8", "latin1", "utf-16", "utf-16le", "cp437", "ibm037"] {
                let output = place.out(&["-q", "-c", "-t", to], text.as_bytes());
                let back = place.out(&["-q", "--no-config", "-f", to], &output);
                assert_eq!(letters(&back), letters(text.as_bytes()), "{bom} {newline} {to}");
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn the_home_of_another_user_is_no_fault() {
    if !is_root() {
        return skipped("only root can run the program as another user");
    }
    let scene = Scene::new();
    fs::set_permissions(scene.dir(), fs::Permissions::from_mode(0o755)).unwrap();
    fs::create_dir_all(scene.path("home/.config/oxiconv")).unwrap();
    fs::write(scene.path("home/.config/oxiconv/oxiconv.toml"), "nonsense = 1\n").unwrap();
    fs::set_permissions(scene.path("home"), fs::Permissions::from_mode(0o700)).unwrap();
    fs::write(scene.path("f"), "a\n").unwrap();
    let mut command = scene.program(&["-f", "latin1", "f"]);
    command.uid(NOBODY).gid(NOBODY).env_remove("XDG_CONFIG_HOME").env("HOME", scene.path("home"));
    let output = command.output().unwrap();
    assert_eq!((&output.stdout[..], &output.stderr[..]), (&b"a\n"[..], &b""[..]));
}
