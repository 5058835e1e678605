//! Which options can be combined. Checks run in this order, and the first one that fails is the message:
//!
//! 1. at most one option chooses the mode
//! 2. options that exclude each other (`PAIRS`)
//! 3. options that some modes do not have (`OPTIONS`)
//! 4. options without effect unless another is given (`NEEDS`)
//! 5. rules about values ([`values`])
//!
//! An option without a row is accepted in every mode, even where it has no effect: options for messages, and those that
//! people have in an alias, such as --jobs.

mod values;

use anyhow::bail;

use super::args::Args;
use super::mode::{CHOOSING, Mode};

/// Chooses the mode, and refuses options that make no sense in it or with each other.
///
/// # Errors
///
/// The message that says what cannot be combined.
pub(crate) fn mode(args: &Args) -> anyhow::Result<Mode> {
    let mode = Mode::of(args);
    only_one_mode(args, mode)?;
    pairs(args)?;
    for option in OPTIONS {
        option.check(args, mode)?;
    }
    for (option, needed) in NEEDS {
        if args.given.has(option) && !args.given.has(needed) {
            bail!("{} requires {}", shown(option), shown(needed));
        }
    }
    values::check(args, mode)?;
    Ok(mode)
}

/// Returns an option as it is typed.
fn shown(option: &str) -> String {
    match option {
        "skip" => "-c".to_owned(),
        option => format!("--{}", option.replace('_', "-")),
    }
}

const ONE_OUTPUT: &[Mode] = &[Mode::Convert, Mode::ToFile];
const EACH: &[Mode] = &[Mode::InPlace, Mode::IntoDirectory];
const CHECKS: &[Mode] = &[Mode::Check, Mode::Explain, Mode::FilesWithFindings];
const DETECT: &[Mode] = &[Mode::Detect];
const NAMES: &[Mode] = &[Mode::Names];
const FIX: &[Mode] = &[Mode::Fix];

/// Modes that convert texts or names.
const WRITING: &[&[Mode]] = &[ONE_OUTPUT, EACH, NAMES];
/// Modes that convert or check texts or names.
const READING: &[&[Mode]] = &[ONE_OUTPUT, EACH, CHECKS, NAMES];
/// Modes that read texts.
const TEXTS: &[&[Mode]] = &[ONE_OUTPUT, EACH, CHECKS, DETECT];
/// Modes that work on files, whether on their texts or on their names.
const FILES: &[&[Mode]] = &[ONE_OUTPUT, EACH, CHECKS, DETECT, NAMES];
/// Modes in which the encoding of a file may be detected.
const DETECTING: &[&[Mode]] = &[ONE_OUTPUT, EACH, CHECKS, DETECT, NAMES, FIX];

/// An option that not all modes have.
struct OptionModes {
    option: &'static str,
    modes: &'static [&'static [Mode]],
    /// The option that chooses such a mode, for the message. Empty if the conversion to standard output is such a mode:
    /// it is the default, and no option chooses it.
    requires: &'static str,
}

const fn row(option: &'static str, modes: &'static [&'static [Mode]]) -> OptionModes {
    OptionModes { option, modes, requires: "" }
}

const fn requires(
    option: &'static str,
    modes: &'static [&'static [Mode]],
    requires: &'static str,
) -> OptionModes {
    OptionModes { option, modes, requires }
}

const OPTIONS: &[OptionModes] = &[
    row("from", FILES),
    row("to", &[ONE_OUTPUT, EACH, CHECKS, NAMES, FIX, &[Mode::ListTranslit]]),
    row("bom", &[ONE_OUTPUT, EACH, CHECKS]),
    row("declaration", &[ONE_OUTPUT, EACH]),
    row("endian", READING),
    row("ebcdic_newline", READING),
    row("errors", WRITING),
    row("unmappable", WRITING),
    row("denied", WRITING),
    row("translit_locale", &[ONE_OUTPUT, EACH, NAMES, &[Mode::ListTranslit]]),
    row("skip", WRITING),
    row("replacement", WRITING),
    row("fallback", WRITING),
    row("repair", WRITING),
    row("newline", &[ONE_OUTPUT, EACH]),
    row("final_newline", &[ONE_OUTPUT, EACH]),
    row("normalize", READING),
    row("record_length", &[ONE_OUTPUT, EACH, CHECKS]),
    row("record_format", &[ONE_OUTPUT, EACH, CHECKS]),
    row("trim_records", &[ONE_OUTPUT, EACH, CHECKS]),
    row("language", DETECTING),
    row("candidates", DETECTING),
    row("ignore_declaration", DETECTING),
    row("deny", READING),
    requires("null", &[&[Mode::FilesWithFindings]], "--files-with-findings"),
    requires("baseline", &[CHECKS], "--check"),
    requires("write_baseline", &[CHECKS], "--check"),
    row("max_reports", READING),
    row("output", &[ONE_OUTPUT, NAMES, &[Mode::UndoRename, Mode::Merge]]),
    row("force", READING),
    requires("backup_dir", &[&[Mode::InPlace], FIX], "--in-place or --fix"),
    requires("if_invalid", &[EACH], "--in-place or --output-dir"),
    requires("verify", &[EACH], "--in-place or --output-dir"),
    row("no_verify", DETECTING),
    requires(
        "dry_run",
        &[EACH, NAMES, FIX, &[Mode::UndoRename]],
        "--fix, --in-place, --output-dir, --names or --undo-rename",
    ),
    requires("diff", &[&[Mode::InPlace], FIX], "a conversion in place"),
    requires(
        "recursive",
        &[EACH, CHECKS, DETECT, NAMES, FIX],
        "--fix, --check, --explain, --detect, --names, --in-place or --output-dir",
    ),
    row("files0_from", DETECTING),
    row("decompress", TEXTS),
    row("shard", &[ONE_OUTPUT, &[Mode::IntoDirectory, Mode::Check, Mode::FilesWithFindings]]),
    requires(
        "resume",
        &[&[Mode::ToFile, Mode::IntoDirectory, Mode::Check]],
        "-o, -O or --check, since standard output cannot be resumed",
    ),
    requires("rename", &[NAMES], "--names"),
    requires("min_confidence", &[FIX], "--fix"),
    row("stats", &[ONE_OUTPUT, EACH, DETECT, &[Mode::Check, Mode::Explain]]),
];

impl OptionModes {
    fn check(&self, args: &Args, mode: Mode) -> anyhow::Result<()> {
        let has_option = self.modes.iter().any(|modes| modes.contains(&mode));
        if has_option || !args.given.has(self.option) {
            return Ok(());
        }
        let (option, requires) = (shown(self.option), self.requires);
        let chosen = mode.chosen_by(args);
        // With --check, "cannot be used" would be misleading if another kind of check has the option: --explain or
        // --files-with-findings can be added. The message then says what is required.
        let is_check = |modes: &&[Mode]| mode == Mode::Check && modes.iter().any(|it| it.checks());
        match chosen.filter(|_| !self.modes.iter().any(is_check)) {
            Some(other) if requires.is_empty() => {
                bail!("{} cannot be combined with {option}", shown(other))
            }
            Some(other) => {
                bail!(
                    "{} cannot be combined with {option}, which requires {requires}",
                    shown(other)
                )
            }
            None => bail!("{option} requires {requires}"),
        }
    }
}

/// Options that have an effect only with a second one.
const NEEDS: [(&str, &str); 7] = [
    ("lines", "detect"),
    ("denied", "deny"),
    ("include", "recursive"),
    ("exclude", "recursive"),
    ("hidden", "recursive"),
    ("no_ignore", "recursive"),
    ("size", "shard"),
];

/// Options that exclude others in every mode.
const PAIRS: [(&str, &[&str]); 8] = [
    ("lines", &["ignore_declaration"]),
    ("skip", &["errors"]),
    ("baseline", &["write_baseline"]),
    ("files_with_findings", &["write_baseline"]),
    ("verbose", &["quiet", "silent"]),
    ("json", &["format"]),
    ("shard", &["baseline", "write_baseline", "normalize", "repair"]),
    ("resume", &["baseline", "write_baseline", "dry_run", "if_invalid", "size"]),
];

fn pairs(args: &Args) -> anyhow::Result<()> {
    for (option, others) in PAIRS.into_iter().filter(|(option, _)| args.given.has(option)) {
        if let Some(other) = others.iter().find(|other| args.given.has(other)) {
            bail!("{} cannot be combined with {}", shown(option), shown(other));
        }
    }
    Ok(())
}

/// Refuses a second option that chooses the mode. --check is accepted beside --explain and --files-with-findings, which
/// are kinds of check.
fn only_one_mode(args: &Args, mode: Mode) -> anyhow::Result<()> {
    let mut chosen = CHOOSING.into_iter().filter(|(option, _)| args.given.has(option));
    let Some((first, _)) = chosen.next() else { return Ok(()) };
    match chosen.find(|(_, other)| *other != Mode::Check || !mode.checks()) {
        Some((other, _)) => bail!("{} cannot be combined with {}", shown(first), shown(other)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn rows_are_about_options_that_exist_and_say_what_is_required() {
        let command = Args::command();
        let known = |id: &str| command.get_arguments().any(|arg| arg.get_id() == id);
        for row in OPTIONS {
            assert!(known(row.option), "{}", row.option);
            let converts = row.modes.iter().any(|modes| modes.contains(&Mode::Convert))
                && row.modes.iter().any(|modes| modes.contains(&Mode::ToFile));
            assert_eq!(converts, row.requires.is_empty(), "{}", row.option);
        }
        let pairs = PAIRS.iter().flat_map(|(one, others)| others.iter().chain([one]));
        let needs = NEEDS.iter().flat_map(|(one, other)| [one, other]);
        let choosing = CHOOSING.iter().map(|(option, _)| option);
        for option in pairs.chain(needs).chain(choosing) {
            assert!(known(option), "{option}");
        }
    }

    /// Returns the message about a command line with these options. Their values are not set.
    fn refused(options: &[&str]) -> Option<String> {
        let mut args = Args::default();
        for option in options {
            args.given.add(option);
        }
        mode(&args).err().map(|error| error.to_string())
    }

    #[test]
    fn an_option_is_refused_with_whatever_it_does_not_go_with() {
        for row in OPTIONS {
            for (option, mode) in CHOOSING {
                if !row.modes.iter().any(|modes| modes.contains(&mode)) {
                    let message = refused(&[option, row.option]).unwrap();
                    assert!(message.contains(&shown(row.option)), "{message}");
                }
            }
        }
        for (option, others) in PAIRS {
            for other in others {
                assert!(refused(&[option, other]).is_some(), "{option} {other}");
            }
        }
        for (option, _) in NEEDS {
            assert!(refused(&["check", option]).is_some(), "{option}");
        }
    }

    #[test]
    fn two_options_that_choose_what_is_done_are_refused_except_checks() {
        for (one, _) in CHOOSING {
            for (other, _) in CHOOSING.into_iter().filter(|(other, _)| *other != one) {
                let kinds_of_check = ["explain", "files_with_findings"];
                let is_check = [(one, other), (other, one)]
                    .iter()
                    .any(|(kind, check)| *check == "check" && kinds_of_check.contains(kind));
                assert_eq!(refused(&[one, other]).is_none(), is_check, "{one} {other}");
            }
        }
    }

    #[test]
    fn options_are_shown_as_they_are_typed() {
        for arg in Args::command().get_arguments().filter(|arg| !arg.is_positional()) {
            let typed = match (arg.get_long(), arg.get_short()) {
                (Some(long), _) => format!("--{long}"),
                (None, short) => format!("-{}", short.unwrap()),
            };
            assert_eq!(shown(arg.get_id().as_str()), typed);
        }
    }
}
