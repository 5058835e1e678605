//! The man page and the completions.

use anyhow::Context;

use oxiconv_os::write_stdout;

use super::args::{Args, Generated};
use super::man;

pub(crate) fn generate(args: &Args) -> anyhow::Result<()> {
    let page;
    let text = match args.information.generate.unwrap_or(Generated::Man) {
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
