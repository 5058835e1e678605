//! The text around the options in `-h` and `--help`.

use clap::CommandFactory;

use super::Args;
use crate::cli::exit_status::MEANINGS;

pub(super) const ABOUT: &str = "Convert, validate and explain text encodings";

/// The uses of the program that begin `--help` and the man page.
pub(crate) const USES: [(&str, &str); 6] = [
    ("[-f ENC] [-t ENC] [FILE]...", "convert to standard output"),
    ("[-f ENC] [-t ENC] -i[=SUFFIX] FILE...", "convert in place"),
    ("--fix [--dry-run] PATH...", "make each file UTF-8, whatever it is"),
    ("--check [-r] [FILE]...", "validate"),
    ("--explain [FILE]...", "show what is wrong, and why"),
    ("--detect [FILE]...", "detect the encoding"),
];

pub(crate) const EXAMPLES: [(&str, &str); 13] = [
    ("oxiconv --fix --dry-run .", "Show what would make each file in a directory tree UTF-8."),
    ("oxiconv -f latin1 old.txt > new.txt", "Convert a file from Latin-1 to UTF-8."),
    ("oxiconv --detect *.txt", "Detect the encoding of each file."),
    ("oxiconv -f cp1252 -i.bak *.csv", "Convert files in place and keep backups."),
    ("oxiconv -f utf-16 -r -O out docs", "Convert a directory tree into another one."),
    ("oxiconv --check -r .", "Find files that are not valid UTF-8, and where."),
    (
        "oxiconv --check --format sarif -r . > out.sarif",
        "Check a directory tree and write a SARIF report.",
    ),
    ("oxiconv --explain bad.txt", "Show what is wrong with a file and how to repair it."),
    (
        "oxiconv --fallback windows-1252 -i.bak mixed.txt",
        "Repair UTF-8 with stray Windows bytes, in place.",
    ),
    (
        "oxiconv -f auto-lines app.log > clean.log",
        "Read a log whose lines are in several encodings.",
    ),
    ("tail -f app.log | oxiconv -f cp932", "Convert a stream as it arrives."),
    ("oxiconv --names -f latin1 -r music", "Show which file names would change to UTF-8."),
    ("oxiconv --list russian", "Find the name of an encoding."),
];

/// The options that `-h` shows. `--help` shows all of them.
const SUMMARY: [&str; 27] = [
    "files",
    "fix",
    "from",
    "to",
    "errors",
    "skip",
    "fallback",
    "repair",
    "bom",
    "check",
    "explain",
    "detect",
    "deny",
    "format",
    "output",
    "in_place",
    "output_dir",
    "dry_run",
    "recursive",
    "include",
    "exclude",
    "jobs",
    "quiet",
    "verbose",
    "list",
    "help",
    "version",
];

/// Returns the definition with the text of `--help`: uses, examples, all options, and exit statuses.
pub(super) fn everything() -> clap::Command {
    let width = USES.iter().map(|(usage, _)| usage.len()).max().unwrap_or(0);
    let uses = USES.map(|(usage, what)| format!("\n  oxiconv {usage:width$}  {what}"));
    let examples = EXAMPLES.map(|(command, what)| format!("\n  {what}\n      {command}\n"));
    let width = MEANINGS.iter().map(|(status, _)| status.len()).max().unwrap_or(0);
    let statuses = MEANINGS.map(|(status, meaning)| {
        let (first, others) = (format!("\n  {status:width$}  "), " ".repeat(width + 4));
        let options = textwrap::Options::new(79).initial_indent(&first).subsequent_indent(&others);
        textwrap::fill(meaning, options)
    });
    Args::command()
        .help_template(format!(
            "{{about}}\n\nUsage:{}\n\nExamples:{}\n{{all-args}}{{after-help}}",
            uses.concat(),
            examples.concat()
        ))
        .after_long_help(format!("Exit status:{}", statuses.concat()))
}

/// Returns the definition with the text of `-h`: a line or two for each of the most common options.
pub(super) fn summary() -> clap::Command {
    let command = Args::command();
    let command = command.mut_args(|arg| {
        let is_shown = SUMMARY.contains(&arg.get_id().as_str());
        let takes_value = arg.get_action().takes_values();
        let arg = arg.hide_short_help(!is_shown).help_heading(None);
        if takes_value { arg.hide_possible_values(true) } else { arg }
    });
    command
        .help_template("{about}\n\nUsage: {usage}\n\n{options}{after-help}")
        .override_usage("oxiconv [OPTIONS] [FILE]...    (no FILE, or -: standard input)")
        .after_help("'oxiconv --help' and the man page describe all options.")
}
