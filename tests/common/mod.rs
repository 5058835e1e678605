//! What the tests through the binary share.
#![allow(dead_code, reason = "each test program uses a part of it")]

use std::path::Path;

use assert_cmd::Command;

/// The program, without anything of the environment that changes what it prints.
pub fn oxiconv() -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"));
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("COLUMNS");
    command
}

/// The commands of a page that show their output, and that output: an indented line that begins with `$`, and the
/// indented lines behind it.
pub fn examples(page: &str) -> Vec<(&str, String)> {
    let lines: Vec<_> = page.lines().collect();
    let indented = |at: usize| lines.get(at).and_then(|line| line.strip_prefix("    "));
    let mut examples = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(command) = line.strip_prefix("    $ ") else { continue };
        let mut shown = Vec::new();
        let mut next = at + 1;
        loop {
            match (lines.get(next), indented(next)) {
                (_, Some(line)) if !line.starts_with("$ ") => shown.push(line),
                // A blank line is part of it where it goes on behind it.
                (Some(&""), _) if indented(next + 1).is_some_and(|l| !l.starts_with("$ ")) => {
                    shown.push("");
                }
                _ => break,
            }
            next += 1;
        }
        examples.push((command, shown.join("\n")));
    }
    examples
}

/// What a shell prints for `command` in `dir`, on standard output and error, with the program in its path.
pub fn shell(command: &str, dir: &Path) -> Vec<u8> {
    let program = Path::new(assert_cmd::cargo::cargo_bin!("oxiconv"));
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let output = std::process::Command::new("bash")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(dir)
        .env("PATH", &path)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("COLUMNS")
        .output()
        .unwrap();
    output.stdout
}
