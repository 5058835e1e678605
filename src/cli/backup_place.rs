//! Where the original of a file is kept when the file is replaced. The plan of a run, the conversion and the messages
//! all ask here, so there is one rule for both kinds of backup.
//!
//! The library makes the backup, and never over another file (`io/replace/backup.rs`): if the path is taken, it appends
//! a number.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::Context;

use oxiconv_report::{option_word, shell_word, visible_path};
use oxiconv_transcode::io::place_of;

use super::args::Args;
use super::batch_plan::under;
use super::raw_args::takes_suffix;

#[derive(Debug)]
pub(crate) enum BackupPlace {
    /// Beside the file that is replaced, under its name and this suffix.
    Suffix(OsString),
    /// Below this directory, under the path by which the file was named or found.
    Under(PathBuf),
}

impl BackupPlace {
    /// Returns the place that the options ask for; `None` if no backups are kept. `combinations` has refused two places.
    pub(crate) fn of(args: &Args) -> Option<Self> {
        let suffix = args.output.in_place.clone().filter(|suffix| !suffix.is_empty());
        suffix.map(Self::Suffix).or_else(|| args.output.backup_dir.clone().map(Self::Under))
    }

    /// Returns the path of the backup of the file at `path`, if nothing is there yet.
    ///
    /// # Errors
    ///
    /// If there is no such path: below a directory, the same errors as for an output of `-O`.
    pub(crate) fn path(&self, path: &Path) -> anyhow::Result<PathBuf> {
        match self {
            Self::Suffix(suffix) => {
                // A link stays, and the file to which it leads is replaced.
                let mut name = place_of(path).with_context(|| visible_path(path))?.into_os_string();
                name.push(suffix);
                Ok(name.into())
            }
            Self::Under(dir) => under(dir, path, false),
        }
    }

    /// Returns the options that convert in place with such backups, as they are typed.
    pub(crate) fn options(&self) -> Vec<String> {
        match self {
            Self::Suffix(suffix) => {
                let option = if takes_suffix(suffix) { "-i" } else { "--in-place=" };
                vec![option_word(option, Path::new(suffix))]
            }
            Self::Under(dir) => {
                vec!["-i".to_owned(), "--backup-dir".to_owned(), shell_word(dir)]
            }
        }
    }
}
