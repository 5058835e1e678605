//! What the program does. One option chooses the mode; without any, files are converted to one output.
//!
//! To add a mode, write a variant of `Mode` and its option in `CHOOSING`. The compiler then asks for an arm in
//! `cli::run`, and for a `RunAction`. An option with a row in `combinations` is refused in the new mode until that row
//! names it.

use super::args::Args;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Converts all files, one after the other, to standard output.
    Convert,
    /// Converts all files, one after the other, to one file.
    ToFile,
    InPlace,
    /// Makes each file right, in place.
    Fix,
    /// Converts each file to one below a directory.
    IntoDirectory,
    /// Checks each file, and writes no text.
    Check,
    /// Checks each file, and shows each finding in its context.
    Explain,
    /// Checks each file, and prints the names of those with findings.
    FilesWithFindings,
    Detect,
    Names,
    /// Restores the names that a list says were changed.
    UndoRename,
    List,
    ListTranslit,
    Merge,
    /// Prints the man page or shell completions.
    Generate,
}

/// The options that choose a mode. If two are given, the message names them in this order.
///
/// The first one that is given decides. So `check` comes after `explain` and `files_with_findings`: these are kinds of
/// check, `--check` is accepted beside them (`combinations`), and must not win.
pub(super) const CHOOSING: [(&str, Mode); 13] = [
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
    ("fix", Mode::Fix),
    ("in_place", Mode::InPlace),
    ("output_dir", Mode::IntoDirectory),
];

/// Chooses a conversion in place, unless another option chooses the mode.
const DIFF: &str = "diff";

impl Mode {
    /// Returns the option that has chosen this mode; `None` if it is the default.
    pub(super) fn chosen_by(self, args: &Args) -> Option<&'static str> {
        let (option, _) = CHOOSING.iter().find(|(_, mode)| *mode == self)?;
        Some(if args.given.has(option) { option } else { DIFF })
    }

    /// Returns the mode that the command line requests, by the first option of `CHOOSING` in it.
    pub(super) fn of(args: &Args) -> Self {
        let chosen = CHOOSING.into_iter().find(|(option, _)| args.given.has(option));
        chosen.map(|(_, mode)| mode).unwrap_or_else(|| match args.output_file() {
            _ if args.given.has(DIFF) => Self::InPlace,
            Some(_) => Self::ToFile,
            None => Self::Convert,
        })
    }

    /// Whether texts are checked and no text is written.
    pub(crate) fn checks(self) -> bool {
        matches!(self, Self::Check | Self::Explain | Self::FilesWithFindings)
    }

    /// Whether each input is converted to a file of its own.
    pub(crate) fn writes_each(self) -> bool {
        matches!(self, Self::InPlace | Self::IntoDirectory)
    }

    pub(crate) fn converts(self) -> bool {
        matches!(self, Self::Convert | Self::ToFile) || self.writes_each()
    }
}
