//! What the program says of itself, instead of working.

use clap::{ArgAction, Args};

use super::word::{Word, one_of, word};

#[derive(Debug, Default, Args)]
#[group(skip)]
#[command(next_help_heading = "Information")]
pub(crate) struct InformationArgs {
    /// List encodings: all, or those whose names match
    ///
    /// In place of files, give names, parts of names, or globs: --list latin1 cp125 'ibm-*'. With -v, also print the source,
    /// the structure and, for a name, which vendors mean another table by it. --format=json is possible too.
    #[arg(short, long)]
    pub(crate) list: bool,

    /// List what is written for characters under transliteration
    ///
    /// In place of files, give characters: €, U+20AC, U+2190-U+21FF. With -t, the list is for that encoding.
    #[arg(long)]
    pub(crate) list_translit: bool,

    /// Print help (-h: a summary; --help: everything)
    #[arg(short, long, action = ArgAction::Help)]
    help: Option<bool>,

    /// Print the version
    #[arg(short = 'V', long, action = ArgAction::Version)]
    version: Option<bool>,

    /// Print the man page or a shell's completions
    #[arg(long, value_name = "WHAT", value_parser = one_of(GENERATED), hide = true)]
    pub(crate) generate: Option<Generated>,
}

/// A file that is made from the definition of the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Generated {
    Man,
    CompleteBash,
    CompleteElvish,
    CompleteFish,
    CompletePowershell,
    CompleteZsh,
}

const GENERATED: [Word<Generated>; 6] = [
    word("man", Generated::Man, ""),
    word("complete-bash", Generated::CompleteBash, ""),
    word("complete-elvish", Generated::CompleteElvish, ""),
    word("complete-fish", Generated::CompleteFish, ""),
    word("complete-powershell", Generated::CompletePowershell, ""),
    word("complete-zsh", Generated::CompleteZsh, ""),
];
