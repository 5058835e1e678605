//! Options for converting the names of files instead of their text.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Default, Args)]
#[group(skip)]
#[command(next_help_heading = "Files")]
pub(crate) struct NameArgs {
    /// Convert the names of files and directories, not their text
    ///
    /// Prints each name that would change; --rename changes them. With -r, also converts the names inside directories.
    /// Symbolic links are never followed. -f auto detects one encoding for all names of a directory tree. Names that are
    /// valid UTF-8 stay, unless --force is given.
    #[arg(long)]
    pub(crate) names: bool,

    /// With --names, rename the files
    ///
    /// Never overwrites an existing name. Prints a list to standard output, or to the FILE of -o, from which --undo-rename
    /// restores the old names.
    #[arg(long)]
    pub(crate) rename: bool,

    /// Restore the names that --rename changed, from its list
    ///
    /// Restores the most recent change first, and never overwrites an existing name. Missing files are reported. - reads
    /// the list from standard input.
    #[arg(long, value_name = "LIST")]
    pub(crate) undo_rename: Option<PathBuf>,
}
