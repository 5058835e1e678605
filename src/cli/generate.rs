//! The man page and the completions, generated from the definition of the arguments.

use std::io::{self, Write};

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::io::BlockingFile;

use super::args::{Args, EXAMPLES};
use super::exit::MEANINGS;
use super::values::Generated;

/// Prints the man page or the completions.
pub(crate) fn generate(what: Generated) -> anyhow::Result<()> {
    let mut text = Vec::new();
    match what {
        Generated::Man => man(&mut text)?,
        Generated::CompleteBash => complete(Shell::Bash, &mut text),
        Generated::CompleteFish => complete(Shell::Fish, &mut text),
        Generated::CompleteZsh => complete(Shell::Zsh, &mut text),
    }
    BlockingFile(io::stdout().lock()).write_all(&text).context("(standard output)")
}

fn complete(shell: Shell, text: &mut Vec<u8>) {
    clap_complete::generate(shell, &mut Args::command(), "oxiconv", text);
}

fn man(text: &mut Vec<u8>) -> io::Result<()> {
    let man = Man::new(Args::command());
    man.render_title(text)?;
    man.render_name_section(text)?;
    man.render_synopsis_section(text)?;
    man.render_description_section(text)?;
    man.render_options_section(text)?;
    let mut more = Roff::new();
    more.control("SH", ["EXIT STATUS"]);
    for (status, meaning) in MEANINGS {
        more.control("TP", []).text([bold(status)]).text([roman(format!("{meaning}."))]);
    }
    more.control("SH", ["FINDINGS"]);
    more.text([roman(
        "A finding is printed on one line: path, line and column (from 1, in characters), kind, bytes, byte offset \
         (from 0), and reason; --format selects other formats. A subsequence is ill-formed if the encoding of the \
         input does not allow its bytes. A character is unmappable if the encoding of the output does not have it. \
         --explain draws a picture of each finding, says what it probably is, and gives the command that repairs it. \
         Pictures are as wide as COLUMNS says, or the terminal, or 80 columns.",
    )]);
    more.control("SH", ["EXAMPLES"]);
    more.control("nf", []);
    for line in EXAMPLES.lines() {
        more.text([roman(line)]);
    }
    more.control("fi", []);
    more.control("SH", ["SEE ALSO"]);
    more.text([
        bold("iconv"),
        roman("(1), "),
        bold("uconv"),
        roman("(1), "),
        bold("file"),
        roman("(1)"),
    ]);
    more.to_writer(text)
}
