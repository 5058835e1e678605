//! What the tests through the binary share.

use assert_cmd::Command;

/// The program, without anything of the environment that changes what it prints.
pub fn oxiconv() -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"));
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}
