//! The texts around the options in `-h` and `--help`.

use clap::CommandFactory;

use super::Args;
use crate::cli::exit::MEANINGS;

/// What the program is, in a line.
pub(super) const ABOUT: &str = "Convert, validate and explain text encodings";

/// Example commands, with what they do.
pub(crate) const EXAMPLES: [(&str, &str); 10] = [
    ("oxiconv -f latin1 old.txt > new.txt", "Convert a file from Latin-1 to UTF-8."),
    ("oxiconv --check *.txt", "Find files that are not valid UTF-8, and where."),
    (
        "oxiconv --check --format sarif -r . > out.sarif",
        "Check a directory tree; write a SARIF report.",
    ),
    ("oxiconv --explain bad.txt", "Show what is wrong with a file and how to repair it."),
    ("oxiconv --detect *.txt", "Print the encoding of each file."),
    ("oxiconv -f cp1252 -i.bak *.csv", "Convert files in place and keep backups."),
    ("oxiconv --fallback windows-1252 -o ok.log mixed.log", "Repair stray Windows bytes in UTF-8."),
    ("oxiconv -f utf-16 -r -O out docs", "Convert a directory tree into another one."),
    ("oxiconv --names -f latin1 -r music", "Show which file names would change to UTF-8."),
    ("tail -f log | oxiconv -f cp932", "Convert a stream as it arrives."),
];

/// The options that the summary of `-h` shows; `--help` shows all.
const SUMMARY: [&str; 27] = [
    "files",
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
    "stats",
    "list",
    "help",
    "version",
];

pub(super) fn after_long_help() -> String {
    let examples = EXAMPLES.map(|(command, what)| format!("\n  {what}\n      {command}\n"));
    let width = MEANINGS.iter().map(|(status, _)| status.len()).max().unwrap_or(0);
    let statuses = MEANINGS.map(|(status, meaning)| {
        let (first, others) = (format!("\n  {status:width$}  "), " ".repeat(width + 4));
        let options = textwrap::Options::new(79).initial_indent(&first).subsequent_indent(&others);
        textwrap::fill(meaning, options)
    });
    format!("Examples:{}\nExit status:{}", examples.concat(), statuses.concat())
}

/// Returns the definition with the help of `-h`: one line or two for each of the options that are used most.
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
