//! Options for messages, progress and colours.

use clap::{ArgAction, Args};

use super::value_parsers::{Keyword, keyword, one_of};

#[derive(Debug, Default, Args)]
#[group(skip)]
#[command(next_help_heading = "Output")]
pub(crate) struct MessageArgs {
    /// Print no counts and no notes
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Print no findings either, only usage and input/output errors
    #[arg(short, long)]
    pub(crate) silent: bool,

    /// Print what is done with each file
    ///
    /// -vv also prints which files are skipped and why, the number of threads, and the vector instructions in use.
    #[arg(short, long, action = ArgAction::Count)]
    pub(crate) verbose: u8,

    /// Print totals at the end
    #[arg(long)]
    pub(crate) stats: bool,

    /// Show a progress bar on standard error
    ///
    /// auto shows it on a terminal if the job takes long.
    #[arg(long, value_name = "WHEN", value_parser = one_of(WHEN), default_value = "auto")]
    pub(crate) progress: When,

    /// Use colours
    ///
    /// auto uses them on a terminal unless the environment variable NO_COLOR is set.
    #[arg(long, value_name = "WHEN", value_parser = one_of(WHEN), default_value = "auto")]
    pub(crate) color: When,
}

/// When to use a feature that is meant for terminals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum When {
    /// Only on a terminal.
    #[default]
    Auto,
    Always,
    Never,
}

const WHEN: [Keyword<When>; 3] = [
    keyword("auto", When::Auto, "Only on a terminal"),
    keyword("always", When::Always, "Always"),
    keyword("never", When::Never, "Never"),
];
