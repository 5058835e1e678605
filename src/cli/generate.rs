//! The man page and the completions.

use anyhow::Context;

use oxiconv_transcode::io::write_stdout;

use super::man;
use super::values::Generated;

/// Prints the man page or the completions of a shell.
pub(crate) fn generate(what: Generated) -> anyhow::Result<()> {
    let page;
    let text = match what {
        Generated::Man => {
            page = man::page();
            &page
        }
        Generated::CompleteBash => include_str!("../../completions/oxiconv.bash"),
        Generated::CompleteElvish => include_str!("../../completions/oxiconv.elv"),
        Generated::CompleteFish => include_str!("../../completions/oxiconv.fish"),
        Generated::CompletePowershell => include_str!("../../completions/oxiconv.ps1"),
        Generated::CompleteZsh => include_str!("../../completions/_oxiconv"),
    };
    write_stdout(text.as_bytes()).context("(standard output)")
}
