//! The names of files instead of their text.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Default, Args)]
#[group(skip)]
#[command(next_help_heading = "Files")]
pub(crate) struct NameArgs {
    /// Convert the names of files and directories, not their text
    ///
    /// Prints each name that would change, and changes nothing without --rename. With -r, also the names below directories.
    /// Symbolic links are never followed. -f auto judges all names of a directory tree together. Names that are valid UTF-8 stay,
    /// unless --force converts them.
    #[arg(long)]
    pub(crate) names: bool,

    /// With --names, change the names
    ///
    /// Never onto a name that exists. Standard output, or FILE of -o, gets a list from which --undo-rename restores the old
    /// names.
    #[arg(long)]
    pub(crate) rename: bool,

    /// Restore the names that --rename changed, as LIST says
    ///
    /// The newest comes first. Never onto a name that exists; names that are missing are reported. - is standard input.
    #[arg(long, value_name = "LIST")]
    pub(crate) undo_rename: Option<PathBuf>,
}
