//! The definition of all options, for clap: one struct per group (`*_args.rs`), and the parsers of their values. Help,
//! the man page and completions are generated from it. CONTRIBUTING.md has the steps to add an option.
//!
//! clap only parses. [`Args`] may still be nonsense as a whole; `combinations` refuses that, and `config.rs` turns the
//! rest into what the program works with.

mod detection_args;
mod encoding_args;
mod encoding_name;
mod finding_args;
mod fix_value;
mod help;
mod information_args;
mod input_args;
mod language;
mod line_args;
mod mark_args;
mod message_args;
mod name_args;
mod output_args;
mod repair_args;
mod repair_value;
mod substitution_args;
mod value_parsers;
mod work_args;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser};

use oxiconv_os::write_stdout;

use super::{raw_args, usage, version};

pub(crate) use encoding_name::{Named, input_encoding, output_encoding};
pub(crate) use finding_args::{DENY, SECURITY};
pub(crate) use fix_value::FixMode;
pub(crate) use help::{EXAMPLES, USES};
pub(crate) use information_args::Generated;
pub(crate) use line_args::RecordDelimiter;
pub(crate) use message_args::{MessageArgs, When};
pub(crate) use substitution_args::{OnErrors, Unmappable};
pub(crate) use work_args::ShardSpec;

/// The outcome of parsing a command line.
pub(crate) enum Parsed {
    Args(Box<Args>),
    /// Help or the version was printed, and nothing is left to do. The error is that of printing.
    Printed(io::Result<()>),
    /// The command line is invalid, for this reason.
    Wrong(String),
}

/// Parses the command line. Prints help and the version if they are asked for.
pub(crate) fn parse(words: &[OsString]) -> Parsed {
    // Building the definition takes longer than converting a short text, so it is built once, and error messages use
    // the same one.
    let mut command = Args::command();
    match read(&mut command, words) {
        Ok(args) => match raw_args::missing_equals_sign(words, &command) {
            None => {
                // Leaked on purpose: freeing its many small allocations would only delay a short run, and the
                // process ends soon.
                std::mem::forget(command);
                Parsed::Args(Box::new(args))
            }
            Some(message) => Parsed::Wrong(message),
        },
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp if words.iter().all(|word| word != "--help") => {
                Parsed::Printed(help::summary().print_help())
            }
            ErrorKind::DisplayHelp => Parsed::Printed(help::everything().print_long_help()),
            ErrorKind::DisplayVersion if words.iter().all(|word| word != "--version") => {
                Parsed::Printed(error.print())
            }
            ErrorKind::DisplayVersion => {
                Parsed::Printed(write_stdout(version::version().as_bytes()))
            }
            _ => Parsed::Wrong(usage::message(&error, &command)),
        },
    }
}

pub(crate) fn read(command: &mut clap::Command, words: &[OsString]) -> Result<Args, clap::Error> {
    let mut matches = command.try_get_matches_from_mut(words)?;
    let mut given = GivenArgs::new(&matches);
    let mut args = Args::from_arg_matches_mut(&mut matches)?;
    if args.repair.fix.is_some() {
        args.inputs.recursive = true;
        given.add("recursive");
    }
    Ok(Args { given, ..args })
}

#[derive(Debug, Default, Parser)]
#[command(name = "oxiconv", version, about = help::ABOUT, max_term_width = 100)]
#[command(disable_help_flag = true, disable_version_flag = true)]
pub(crate) struct Args {
    /// Files to read; standard input if there are none, or for -
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) encodings: encoding_args::EncodingArgs,
    #[command(flatten)]
    pub(crate) substitution: substitution_args::SubstitutionArgs,
    #[command(flatten)]
    pub(crate) marks: mark_args::MarkArgs,
    #[command(flatten)]
    pub(crate) lines: line_args::LineArgs,
    #[command(flatten)]
    pub(crate) findings: finding_args::FindingArgs,
    #[command(flatten)]
    pub(crate) detection: detection_args::DetectionArgs,
    #[command(flatten)]
    pub(crate) repair: repair_args::RepairArgs,
    #[command(flatten)]
    pub(crate) inputs: input_args::InputArgs,
    #[command(flatten)]
    pub(crate) names: name_args::NameArgs,
    #[command(flatten)]
    pub(crate) output: output_args::OutputArgs,
    #[command(flatten)]
    pub(crate) messages: MessageArgs,
    #[command(flatten)]
    pub(crate) work: work_args::WorkArgs,
    #[command(flatten)]
    pub(crate) information: information_args::InformationArgs,
    /// The options that were given, as opposed to those with their default.
    #[arg(skip)]
    pub(crate) given: GivenArgs,
}

/// The options on the command line, by their field names. An option that was given with its default value counts as
/// given: in a mode that does not have it, it is refused like any other.
#[derive(Debug, Default)]
pub(crate) struct GivenArgs(BTreeSet<String>);

impl GivenArgs {
    fn new(matches: &ArgMatches) -> Self {
        let is_given =
            |id: &&clap::Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
        Self(matches.ids().filter(is_given).map(ToString::to_string).collect())
    }

    pub(crate) fn has(&self, option: &str) -> bool {
        self.0.contains(option)
    }

    /// Adds an option. Returns whether it is new.
    pub(crate) fn add(&mut self, option: &str) -> bool {
        self.0.insert(option.to_owned())
    }

    pub(crate) fn remove(&mut self, option: &str) {
        self.0.remove(option);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Args::command().debug_assert();
    }
}
