//! What the program does: one option chooses it, otherwise files are converted to one output.
//!
//! To add a mode, write a variant of `Mode` and its option in `CHOOSING`; the compiler asks for its arm in `run` and
//! for its `Action`. An option with a row in `combinations` is refused in a new mode until its row names the mode.

use super::args::Args;

/// What the program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Converts all files, one after the other, to standard output.
    Convert,
    /// Converts all files, one after the other, to one file.
    ToFile,
    /// Converts each file in place.
    InPlace,
    /// Converts each file to one below a directory.
    IntoDirectory,
    /// Checks each file, and writes no text.
    Check,
    /// Does the same, and shows each finding in its context.
    Explain,
    /// Does the same, and prints the names of files with findings.
    FilesWithFindings,
    /// Prints the encoding of each file.
    Detect,
    /// Converts the names of files.
    Names,
    /// Restores names.
    UndoRename,
    /// Prints the encodings.
    List,
    /// Prints what is written for characters under transliteration.
    ListTranslit,
    /// Merges the findings of shards.
    Merge,
    /// Prints a file that is made from the definition of the options.
    Generate,
}

/// The options that choose what is done, those first that a message names first if there are two of them.
pub(super) const CHOOSING: [(&str, Mode); 12] = [
    ("generate", Mode::Generate),
    ("merge_findings", Mode::Merge),
    ("undo_rename", Mode::UndoRename),
    ("names", Mode::Names),
    ("detect", Mode::Detect),
    ("list_translit", Mode::ListTranslit),
    ("list", Mode::List),
    ("explain", Mode::Explain),
    ("files_with_findings", Mode::FilesWithFindings),
    ("check", Mode::Check),
    ("in_place", Mode::InPlace),
    ("output_dir", Mode::IntoDirectory),
];

impl Mode {
    /// Returns what the command line asks for, by the first option of `CHOOSING` that it has.
    pub(super) fn of(args: &Args) -> Self {
        let chosen = CHOOSING.into_iter().find(|(option, _)| args.given.has(option));
        chosen.map(|(_, mode)| mode).unwrap_or_else(|| match args.output_file() {
            Some(_) => Self::ToFile,
            None => Self::Convert,
        })
    }

    /// Whether texts are checked, and nothing is written.
    pub(crate) fn checks(self) -> bool {
        matches!(self, Self::Check | Self::Explain | Self::FilesWithFindings)
    }

    /// Whether each file gets a file of its own.
    pub(crate) fn writes_each(self) -> bool {
        matches!(self, Self::InPlace | Self::IntoDirectory)
    }

    /// Whether texts are converted.
    pub(crate) fn converts(self) -> bool {
        matches!(self, Self::Convert | Self::ToFile) || self.writes_each()
    }
}
