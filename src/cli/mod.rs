//! The command line: raw arguments, then a checked configuration, then the run.
//!
//! ```text
//! fast_args, or args (clap) ─► combinations ─► mode ─┬─► list, translit_list, merge, generate
//!                                                    │
//! config (requested_conversion, files, …) ◄─ defaults┘
//!   ├─► join  (all files to standard output or to one file)  ┐
//!   ├─► batch (each file to a file, or checked)              ┼─► run_report, result_totals, exit_status
//!   └─► names (names instead of text)                        ┘
//! called as iconv: iconv/
//! ```
//!
//! Only this module prints or ends the process. It belongs to the library's package, hidden from the users of the
//! library, so that tests and fuzz targets can use it.

mod args;
mod ask;
mod backup_place;
mod baseline;
mod batch;
mod batch_file;
mod batch_plan;
mod binary_files;
mod bounded_file;
mod closing;
mod code_pages;
mod combinations;
mod commit;
mod common_encodings;
mod complete;
mod config;
mod console;
mod defaults;
mod detect;
mod diff;
mod digests;
mod eight_bit;
mod end_baseline;
mod exit_status;
mod fallback;
mod fast_args;
mod file_input;
mod file_names;
mod file_policy;
mod file_sample;
mod files;
mod fix;
mod generate;
mod iconv;
mod if_invalid;
mod ignore_rules;
mod input_list;
mod input_queue;
mod join;
mod list;
mod man;
mod manifest;
mod merge;
mod mode;
mod name_list;
mod names;
mod ordered_output;
mod output_streams;
mod own_output;
mod places;
mod progress;
mod raw_args;
mod readability;
mod refusal;
mod replace;
mod repository;
mod requested_conversion;
mod result_totals;
mod run_context;
mod run_report;
mod screen_line;
mod shard;
mod shard_piece;
mod signals;
mod skipped;
mod stats;
mod summary_words;
mod tapped_source;
mod toml_reader;
mod translit_list;
mod tree_walk;
mod unchanged;
pub mod untrusted;
mod usage;
mod user_tables;
mod verify_result;
mod version;
mod whole_file;

use std::io::{self, IsTerminal};

use anyhow::Context;

use args::{Args, Parsed};
use config::{Config, RunAction};
use console::{Console, chain};
use exit_status::{ExitStatus, is_closed_pipe};
use mode::Mode;
use output_streams::Stream;
use repository::DeclaringLine;
use run_report::RunReport;

use oxiconv_os::{END_KEYS, check_stdout, expand_wildcards, prepare_streams};

/// Runs the program with the arguments of the process, and returns its exit status.
///
/// The order of the steps matters. Descriptors are put right before anything can open a file, or that file could become
/// standard output. The name `iconv` is looked at before any option, because under that name the same letters mean
/// something else. Completion comes before parsing: its words are an unfinished command line, which clap would refuse.
/// The suffix of `-i.bak` is rewritten before either parser sees the words, so that both see the same.
pub fn main() -> u8 {
    prepare_streams();
    let mut words = std::env::args_os().peekable();
    if words.peek().is_some_and(|program| iconv::is_called_by(program)) {
        return iconv::main(words);
    }
    let words: Vec<_> = words.collect();
    if let [_, request, words @ ..] = &words[..]
        && request == complete::REQUEST
    {
        let answer = complete::answer(words);
        // A shell that no longer reads the completions does not need them.
        let _ = Console::new(None).write(Stream::Out, answer.as_bytes());
        return ExitStatus::Clean.status();
    }
    if words.len() == 1 && io::stdin().is_terminal() {
        Console::new(None).error(&format!("reading standard input; {END_KEYS}, -h shows help"));
    }
    let words: Vec<_> = raw_args::with_suffixes(words.into_iter()).collect();
    let parsed = match fast_args::parse(&words) {
        Some(args) => Parsed::Args(Box::new(args)),
        None => args::parse(&words),
    };
    let exit = match parsed {
        Parsed::Args(args) => with_defaults(*args),
        Parsed::Printed(printed) => {
            check_stdout().and(printed).context("(standard output)").map(|()| ExitStatus::Clean)
        }
        Parsed::Wrong(message) => {
            Console::new(None).error(&format!("{message}\n{}", usage::HELP));
            Ok(ExitStatus::Trouble)
        }
    };
    let exit = exit.unwrap_or_else(|error| {
        if is_closed_pipe(&error) {
            signals::end_as_by_closed_pipe();
        }
        Console::new(None).error(&chain(&error));
        ExitStatus::Trouble
    });
    exit.status()
}

/// Runs what the command line asks for. A conversion has the defaults of the user and of the repository.
///
/// They are added before combinations are checked, because `--language` on the command line may need a default of
/// `--from`. They do not change the mode.
fn with_defaults(mut args: Args) -> anyhow::Result<ExitStatus> {
    let defaults = match Mode::of(&args).converts() && !args.inputs.no_config {
        true => defaults::apply(&mut args)?,
        false => Vec::new(),
    };
    let mode = combinations::mode(&args)?;
    run(args, mode, defaults)
}

/// Does what the mode says. Modes that need no files work with the arguments as they are; all others get a checked
/// configuration. Every mode is listed, without a wildcard, so that the compiler asks for an arm when one is added.
fn run(args: Args, mode: Mode, defaults: Vec<DeclaringLine>) -> anyhow::Result<ExitStatus> {
    match mode {
        Mode::Generate => generate::generate(&args).map(|()| ExitStatus::Clean),
        Mode::List => list::list(&args).map(|()| ExitStatus::Clean),
        Mode::ListTranslit => translit_list::list(&args).map(|()| ExitStatus::Clean),
        Mode::Merge => merge::merge(&with_files(args)),
        Mode::Convert
        | Mode::ToFile
        | Mode::InPlace
        | Mode::Fix
        | Mode::IntoDirectory
        | Mode::Check
        | Mode::Explain
        | Mode::FilesWithFindings
        | Mode::Detect
        | Mode::Names
        | Mode::UndoRename => work(&Config { defaults, ..Config::new(with_files(args), mode)? }),
    }
}

/// Replaces wildcards by the files that match them, where the shell has not done that. Modes that take no files have
/// patterns of their own.
fn with_files(args: Args) -> Args {
    Args { files: expand_wildcards(args.files), ..args }
}

fn work(config: &Config) -> anyhow::Result<ExitStatus> {
    match &config.action {
        RunAction::Join(target) => join::join(config, target),
        RunAction::Check | RunAction::Detect(_) | RunAction::Each(_) | RunAction::Fix(_) => {
            batch::batch(config)
        }
        RunAction::Names(task) => names::names(config, task),
    }
    .or_else(|error| {
        if config.findings.format.facts().is_for_people || is_closed_pipe(&error) {
            return Err(error);
        }
        // A program that reads the document must find the error in it, not an empty document.
        RunReport::new(config).only_error(&Console::new(None), &chain(&error));
        Ok(ExitStatus::Trouble)
    })
}
