//! Options that print information about the program and the encodings, and process no files.

use clap::{ArgAction, Args};

use super::value_parsers::{Keyword, keyword, one_of};

#[derive(Debug, Default, Args)]
#[group(skip)]
#[command(next_help_heading = "Lists and help")]
pub(crate) struct InformationArgs {
    /// List encodings: common ones, all, or matches
    ///
    /// On a terminal, --list shows common encodings, and --list all an overview of all. In a pipe, --list prints each
    /// encoding with its names. In place of files, it takes names, parts of names, globs, languages and uses: --list
    /// cp125 'ibm-*' russian excel. -v adds the source and the structure and, for a single name, the vendors that mean
    /// another table by it. --json prints JSON Lines.
    #[arg(short, long)]
    pub(crate) list: bool,

    /// List how characters are transliterated
    ///
    /// Takes characters in place of files: €, U+20AC, U+2190-U+21FF. With -t, lists what is written in that encoding.
    #[arg(long)]
    pub(crate) list_translit: bool,

    /// Print help (-h: a summary; --help: everything)
    #[arg(short, long, action = ArgAction::Help)]
    help: Option<bool>,

    /// Print the version
    ///
    /// --version also prints the features of the build and the instruction set in use; -V prints one line.
    #[arg(short = 'V', long, action = ArgAction::Version)]
    version: Option<bool>,

    /// Print the man page or a shell's completions
    #[arg(long, value_name = "WHAT", value_parser = one_of(GENERATED))]
    pub(crate) generate: Option<Generated>,
}

/// A file that is generated from the definition of the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Generated {
    Man,
    CompleteBash,
    CompleteElvish,
    CompleteFish,
    CompletePowershell,
    CompleteZsh,
}

const GENERATED: [Keyword<Generated>; 6] = [
    keyword("man", Generated::Man, "The man page, as roff"),
    keyword("complete-bash", Generated::CompleteBash, "Completions for bash"),
    keyword("complete-elvish", Generated::CompleteElvish, "Completions for elvish"),
    keyword("complete-fish", Generated::CompleteFish, "Completions for fish"),
    keyword("complete-powershell", Generated::CompletePowershell, "Completions for PowerShell"),
    keyword("complete-zsh", Generated::CompleteZsh, "Completions for zsh"),
];
