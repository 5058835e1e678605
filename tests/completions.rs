//! Completion in real shells. The tests send keys to an interactive shell on a terminal and compare the command that it
//! then runs.
//!
//! The command is a shell function `args`, which has the completions of the program and prints its arguments, such as
//! `<-f><latin1>`.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::scene::skipped;
use tempfile::TempDir;

/// The prompt of a shell that is ready for keys.
const PROMPT: &str = "READY%";

/// The keys, and the arguments of the command that then runs.
const LINES: [(&str, &str); 16] = [
    ("-f windows-125\t8", "-f windows-1258"),
    ("-f WINDOWS-1252\t", "-f WINDOWS-1252"),
    ("-t ucs-2l\t", "-t ucs-2le"),
    ("-t UCS4B\t", "-t UCS4BE"),
    ("-tkoi8-u\t", "-tkoi8-u"),
    ("-feuc-jisx\t", "-feuc-jisx0213"),
    ("--from=ucs-2l\t", "--from=ucs-2le"),
    ("--fallback macgree\t", "--fallback macgreek"),
    ("-f ISO_8859-1:19\t", "-f ISO_8859-1:1987"),
    ("-t latin1//tr\t", "-t latin1//translit"),
    ("--deny nul,bi\t", "--deny nul,bidi"),
    ("--deny=nul,control,mixed-n\t", "--deny=nul,control,mixed-newlines"),
    ("--expla\t", "--explain"),
    ("--check te\t", "--check text.txt"),
    ("-o te\t", "-o text.txt"),
    ("-l gb1803\t", "-l gb18030"),
];

/// An interactive shell on a terminal, in a directory with the files `text.txt` and `folio` and the directory `folder`.
struct Shell {
    child: Child,
    output: Receiver<u8>,
    dir: TempDir,
}

impl Shell {
    /// Starts a shell and types the setup. `None` if the shell is not installed.
    fn start(program: &str, command: &str, setup: &str) -> Option<Self> {
        if !is_installed(program) {
            skipped(&format!("{program} is not installed"));
            return None;
        }
        if !is_installed("script") {
            skipped("script, which gives the shell a terminal, is not installed");
            return None;
        }
        let dir = tempfile::tempdir().unwrap();
        for file in ["text.txt", "folio"] {
            fs::write(dir.path().join(file), "").unwrap();
        }
        fs::create_dir(dir.path().join("folder")).unwrap();
        let mut child = Command::new("script")
            .args(["-qec", command, "/dev/null"])
            .current_dir(dir.path())
            .env("PATH", path())
            .env("TERM", "xterm")
            .env("HOME", dir.path())
            .env("XDG_CONFIG_HOME", dir.path())
            .env("XDG_DATA_HOME", dir.path())
            .env("COMPLETIONS", concat!(env!("CARGO_MANIFEST_DIR"), "/completions"))
            .env_remove("NO_COLOR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (sender, output) = channel();
        let mut screen = child.stdout.take().unwrap();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(len @ 1..) = screen.read(&mut buffer) {
                if buffer[..len].iter().any(|byte| sender.send(*byte).is_err()) {
                    break;
                }
            }
        });
        let mut shell = Self { child, output, dir };
        shell.send(setup);
        shell.wait_for(PROMPT);
        Some(shell)
    }

    fn send(&mut self, keys: &str) {
        let mut stdin = self.child.stdin.as_ref().unwrap();
        stdin.write_all(keys.as_bytes()).unwrap();
        stdin.flush().unwrap();
    }

    /// Waits until the shell prints `text`; returns everything from the last call up to there.
    fn wait_for(&mut self, text: &str) -> String {
        let end = Instant::now() + Duration::from_secs(20);
        let mut bytes = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(byte) = self.output.recv_timeout(left) else {
                let shown = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(600)..]);
                panic!("'{text}' is not shown, but {shown:?}");
            };
            bytes.push(byte);
            if bytes.ends_with(text.as_bytes()) {
                return String::from_utf8_lossy(&bytes).into_owned();
            }
        }
    }

    /// Types a line and returns the arguments of the command that it runs.
    fn arguments(&mut self, keys: &str) -> String {
        self.send(&format!("args {keys}\r"));
        self.wait_for("ARGS<");
        let shown = self.wait_for(">END");
        let shown = shown.strip_suffix(">END").unwrap();
        self.wait_for(PROMPT);
        shown.replace("><", " ")
    }

    fn assert_completes(&mut self, lines: &[(&str, &str)]) {
        for (keys, expected) in lines {
            assert_eq!(self.arguments(keys), *expected, "{keys:?}");
        }
    }

    /// Asserts that the shell shows all these words as candidates for a line. Consumes the shell, because the list
    /// stays on the screen.
    fn assert_offers(mut self, keys: &str, words: &[&str]) {
        self.send(&format!("args {keys}"));
        for word in words {
            self.wait_for(word);
        }
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn is_installed(program: &str) -> bool {
    let check = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
    check.unwrap().status.success()
}

/// Returns PATH with the directory of the program in front.
fn path() -> String {
    let program = Path::new(assert_cmd::cargo::cargo_bin!("oxiconv")).parent().unwrap();
    format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default())
}

/// Returns the program's candidates for the last of these arguments, without descriptions.
fn candidates(words: &[&str]) -> Vec<String> {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"));
    let output = command.arg("--complete").args(words).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect()
}

#[test]
fn the_program_answers_whatever_the_shell() {
    for (words, expected) in [
        (&["-f", "koi8-u"][..], &["koi8-u"][..]),
        (&["-cqf", "koi8-u"], &["koi8-u"]),
        (&["-cqfkoi8-u"], &["-cqfkoi8-u"]),
        (&["--from-code", "koi8-u"], &["koi8-u"]),
        (&["-f", "aut"], &["auto", "auto-lines"]),
        (&["--fallback", "aut"], &["auto"]),
        (&["-t", "aut"], &[]),
        (&["-t", "latin1//"], &["latin1//TRANSLIT", "latin1//IGNORE"]),
        (&["-t", "no-such-name//"], &[]),
        (&["--deny", "bom,b"], &["bom,bidi"]),
        (&["--deny", "no,b"], &[]),
        (&["--explain="], &["--explain=findings", "--explain=all"]),
        (&["--explain", "a"], &["::files"]),
        (&["-i", "a"], &["::files"]),
        (&["-O", ""], &["::directories"]),
        (&["-f", "./a"], &["::files"]),
        (&["--max-reports", ""], &[]),
        (&["--", "--from"], &["::files"]),
        (&["-l", "koi8-u"], &["koi8-u"]),
        (&["--gen"], &["--generate"]),
        (&["--comp"], &[]),
        (&["-f", "nf_z_62-010_("], &[]),
        (&["--from", "\u{1F600}"], &[]),
        (&["-\u{1F600}"], &[]),
        (&[], &[]),
    ] {
        assert_eq!(candidates(words), expected, "{words:?}");
    }
    let options = candidates(&["--"]);
    assert!(options.len() > 30 && options.contains(&"--fallback".to_owned()));
    assert_eq!(candidates(&["-"]), options);
    // Candidates must not have characters that are special in a shell.
    for typed in ["", "i", "n", "x", "ibm-", "UTF"] {
        let names = candidates(&["-f", typed]);
        assert!(!names.is_empty());
        let is_safe = |c: char| c.is_ascii_alphanumeric() || "-_.:,=/+@".contains(c);
        for name in names {
            assert!(name.chars().all(is_safe), "{name}");
            let is_auto = ["auto", "auto-lines"].contains(&name.as_str());
            assert!(is_auto || oxiconv::Encoding::for_name(&name).is_ok(), "{name}");
        }
    }
}

#[test]
fn bash_completes() {
    let setup = "args() { printf 'ARGS'; printf '<%s>' \"$@\"; echo END; }\r\
        source $COMPLETIONS/oxiconv.bash; complete -F _oxiconv args; PS1='READY''%'\r";
    let Some(mut shell) = Shell::start("bash", "bash --norc --noprofile -i", setup) else { return };
    shell.assert_completes(&LINES);
    shell.assert_completes(&[("-O fo\t", "-O folder/"), ("--output=te\t", "--output=text.txt")]);
    // Alt-* inserts all candidates.
    let all = shell.arguments("-f lat\x1b*");
    for name in ["latin1", "latin2", "latin10"] {
        assert!(all.split(' ').any(|word| word == name), "{all}");
    }
    assert!(shell.arguments("-f cp12\x1b*").contains(" cp1252 "));
    assert!(shell.arguments("-f win\x1b*").contains(" windows-1252 "));
    assert_eq!(shell.arguments("--deny nul,b\x1b*"), "--deny nul,bidi nul,bom");
    // Completion must not execute a command substitution in what was typed.
    assert_eq!(shell.arguments("-f 'x$(touch ran)\t'"), "-f x$(touch ran)");
    assert!(!shell.dir.path().join("ran").exists());
}

#[test]
fn zsh_completes() {
    let setup = "args() { print -rn ARGS; printf '<%s>' \"$@\"; print END }\r\
        autoload -Uz compinit; compinit -D; source $COMPLETIONS/_oxiconv; compdef _oxiconv args; PS1='READY''%%'\r";
    let Some(mut shell) = Shell::start("zsh", "zsh -f -i", setup) else { return };
    shell.assert_completes(&LINES);
    shell.assert_completes(&[("-O fo\t", "-O folder"), ("--output=te\t", "--output=text.txt")]);
    // Empty words count, both before the cursor word and as the cursor word.
    shell.assert_completes(&[
        ("--replacement '' te\t", "--replacement  text.txt"),
        ("-O \t", "-O folder"),
    ]);
    shell.assert_offers("--unmappable \t", &["strict ", "\\u20AC"]);
}

#[test]
fn fish_completes() {
    let setup = "function args; printf ARGS; printf '<%s>' $argv; echo END; end; \
        source $COMPLETIONS/oxiconv.fish; complete -c args -f -k -a '(__oxiconv_complete)'; \
        function fish_prompt; echo -n READY; echo -n %; end\r";
    let Some(mut shell) = Shell::start("fish", "fish --no-config -i", setup) else { return };
    shell.assert_completes(&LINES);
    shell.assert_offers("-f latin\t", &["latin1", "latin2"]);
}

#[test]
fn elvish_completes() {
    let setup = "fn args {|@a| print ARGS; each {|x| print '<'$x'>' } $a; echo END }; \
        eval (slurp < $E:COMPLETIONS/oxiconv.elv); \
        set edit:completion:arg-completer[args] = $edit:completion:arg-completer[oxiconv]; \
        set edit:rprompt = { }; set edit:prompt = { print READY; print '%' }\r";
    let Some(mut shell) = Shell::start("elvish", "elvish -norc", setup) else { return };
    // Elvish opens a list, and Enter accepts its first item. The first line has a key after the tab, which would go to
    // the list.
    let chosen = LINES.map(|(keys, expected)| (keys.replace('\t', "\t\r"), expected));
    for (keys, expected) in &chosen[1..] {
        assert_eq!(shell.arguments(keys), *expected, "{keys:?}");
    }
    shell.assert_offers("-f latin\t", &["latin1 (", "latin2 ("]);
}

#[test]
fn powershell_completes() {
    if !is_installed("pwsh") {
        return skipped("pwsh is not installed");
    }
    let complete = |line: &str| {
        let script = format!(
            ". $env:COMPLETIONS/oxiconv.ps1; (TabExpansion2 '{line}' {}).CompletionMatches.CompletionText",
            line.len()
        );
        let output = Command::new("pwsh")
            .args(["-NoProfile", "-Command", &script])
            .env("PATH", path())
            .env("COMPLETIONS", concat!(env!("CARGO_MANIFEST_DIR"), "/completions"))
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(complete("oxiconv -f lat").lines().any(|word| word == "latin1"));
    assert_eq!(complete("oxiconv --deny nul,b"), "nul,bidi\nnul,bom\n");
}
