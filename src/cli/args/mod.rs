//! The arguments as typed, in groups: a file per concern. Help, the man page and completions are generated from these
//! definitions. `combinations` says which options go together. CONTRIBUTING.md has the steps to add an option.

mod detection;
mod encoding_name;
mod encodings;
mod findings;
mod help;
mod information;
mod inputs;
mod language;
mod lines;
mod marks;
mod messages;
mod misreading;
mod names;
mod output;
mod repair;
mod substitution;
mod word;
mod work;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser};

use super::{raw_args, usage};

pub(crate) use encoding_name::{Named, input_encoding, output_encoding};
pub(crate) use findings::{DENY, SECURITY};
pub(crate) use help::{EXAMPLES, USES};
pub(crate) use information::Generated;
pub(crate) use messages::{MessageArgs, When};
pub(crate) use substitution::{OnErrors, Unmappable};
pub(crate) use work::Shard;

/// What the command line asks for.
pub(crate) enum Parsed {
    /// To work.
    Args(Box<Args>),
    /// Nothing more: help or the version was printed, if that was possible.
    Printed(io::Result<()>),
    /// Something that makes no sense, for this reason.
    Wrong(String),
}

/// Parses the command line; prints help and the version.
pub(crate) fn parse(words: &[OsString]) -> Parsed {
    // The definition takes longer to build than a short text to convert, so it is built once.
    let mut command = Args::command();
    match read(&mut command, words) {
        Ok(args) => match raw_args::missing_equals_sign(words, &command) {
            None => {
                // To free its many parts one by one would take longer than the end of the process does.
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
            ErrorKind::DisplayVersion => Parsed::Printed(error.print()),
            _ => Parsed::Wrong(usage::message(&error, &command)),
        },
    }
}

/// Parses the command line.
pub(crate) fn read(command: &mut clap::Command, words: &[OsString]) -> Result<Args, clap::Error> {
    let mut matches = command.try_get_matches_from_mut(words)?;
    let given = Given::new(&matches);
    let args = Args::from_arg_matches_mut(&mut matches)?;
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
    pub(crate) encodings: encodings::EncodingArgs,
    #[command(flatten)]
    pub(crate) substitution: substitution::SubstitutionArgs,
    #[command(flatten)]
    pub(crate) marks: marks::MarkArgs,
    #[command(flatten)]
    pub(crate) lines: lines::LineArgs,
    #[command(flatten)]
    pub(crate) findings: findings::FindingArgs,
    #[command(flatten)]
    pub(crate) detection: detection::DetectionArgs,
    #[command(flatten)]
    pub(crate) repair: repair::RepairArgs,
    #[command(flatten)]
    pub(crate) inputs: inputs::InputArgs,
    #[command(flatten)]
    pub(crate) names: names::NameArgs,
    #[command(flatten)]
    pub(crate) output: output::OutputArgs,
    #[command(flatten)]
    pub(crate) messages: MessageArgs,
    #[command(flatten)]
    pub(crate) work: work::WorkArgs,
    #[command(flatten)]
    pub(crate) information: information::InformationArgs,
    /// The options that the command line has.
    #[arg(skip)]
    pub(crate) given: Given,
}

/// The options that the command line has, by the names of their fields, in the order of these names.
#[derive(Debug, Default)]
pub(crate) struct Given(BTreeSet<String>);

impl Given {
    fn new(matches: &ArgMatches) -> Self {
        let is_given =
            |id: &&clap::Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
        Self(matches.ids().filter(is_given).map(ToString::to_string).collect())
    }

    pub(crate) fn has(&self, option: &str) -> bool {
        self.0.contains(option)
    }

    /// Adds an option. Returns whether it is the first time.
    pub(crate) fn add(&mut self, option: &str) -> bool {
        self.0.insert(option.to_owned())
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
