//! Options for where output is written, and how existing files are protected.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueHint};

#[derive(Debug, Default, Args)]
#[group(skip)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Write to FILE
    ///
    /// FILE is replaced when the output is complete, and unchanged after an error.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Convert each file in place; SUFFIX keeps a backup
    ///
    /// -i.bak or -i=.bak keeps the original as FILE.bak. --backup-dir keeps it elsewhere.
    #[arg(short, long, value_name = "SUFFIX", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "")]
    pub(crate) in_place: Option<OsString>,

    /// With -i or --fix, keep each original under its relative path below DIR
    ///
    /// If there is an older backup, a number is appended: DIR/FILE.1. Directories that are created are open to you
    /// alone. With -r, DIR is not searched.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) backup_dir: Option<PathBuf>,

    /// Write each file to the same relative path below DIR
    #[arg(short = 'O', long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output_dir: Option<PathBuf>,

    /// Also convert files that oxiconv would otherwise refuse
    ///
    /// With -i, -o onto the input, or -O onto a file that exists, a file is refused if its bytes contradict -f
    /// or --fallback. With -f auto, a file is refused if its encoding is unclear; --force uses the most likely one.
    /// Ill-formed text still stops the conversion, unless --errors says otherwise.
    #[arg(long)]
    pub(crate) force: bool,

    /// With -i or -O, convert only files that are not yet valid in the output encoding
    #[arg(long)]
    pub(crate) if_invalid: bool,

    /// Decode the output and compare it before it replaces a file; the default with -i
    #[arg(long, overrides_with = "no_verify")]
    pub(crate) verify: bool,

    /// Replace files without comparing the output
    #[arg(long, overrides_with = "verify")]
    pub(crate) no_verify: bool,

    /// Do not wait until the output is on disk
    ///
    /// Faster, but a system crash may leave empty files.
    #[arg(long)]
    #[arg(help_heading = "Advanced")]
    pub(crate) no_sync: bool,

    /// Show what would change; write nothing
    ///
    /// With --fix, -i, -O, --names or --undo-rename.
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Show how -i would change each file, as a unified diff; write nothing
    ///
    /// Implies -i --dry-run. Bytes that are not UTF-8 appear as \xE9, control and invisible characters as \u{1B}, and a
    /// carriage return as \r. Text without ASCII, such as UTF-16 and EBCDIC, is decoded first. Files over 4 MiB are not
    /// shown.
    #[arg(long)]
    pub(crate) diff: bool,
}
