//! The command line: raw arguments, then a checked configuration, then the work.
//!
//! ```text
//! plain, or args (clap) ─► combinations ─► mode ─┬─► list, translit_list, merge, generate
//!                                                │
//!              config (conversion, files, …) ◄───┘
//!                ├─► join  (all files to standard output or to one file)  ┐
//!                ├─► batch (each file to a file, or checked)              ┼─► report, exit status
//!                └─► names (names instead of text)                        ┘
//! under the name iconv: iconv/
//! ```
//!
//! Only this module prints or ends the process. It is a module of the library's package, hidden from the users of the
//! library, so that tests and fuzz targets can use it.

mod args;
mod ask;
mod baseline;
mod batch;
mod binary;
mod bounded_file;
mod closing;
mod combinations;
mod common_encodings;
mod complete;
mod config;
mod console;
mod conversion;
mod detect;
mod digests;
mod each;
mod eight_bit;
mod end_baseline;
mod exit;
mod fallback;
mod file_names;
mod file_policy;
mod files;
mod finish;
mod generate;
mod iconv;
mod if_invalid;
mod ignored;
mod input;
mod inputs;
mod inspect;
mod job;
mod join;
mod line;
mod list;
mod loss;
mod man;
mod manifest;
mod merge;
mod mode;
mod name_list;
mod names;
mod ordered_output;
mod own_output;
mod piece;
mod plain;
mod progress;
mod readability;
mod reason;
mod refusal;
mod repository;
mod run_report;
mod sample;
mod shard;
mod signals;
mod skipped;
mod stats;
mod summary_words;
mod tables;
mod terminal;
mod totals;
mod translit_list;
mod tree_walk;
mod unchanged;
pub mod untrusted;
mod usage;
mod verify;
mod words;
mod work_queue;

use std::io::{self, IsTerminal};

use anyhow::Context;

use args::{Args, Parsed};
use config::{Action, Config};
use console::{Console, chain};
use exit::{Exit, is_closed_pipe};
use mode::Mode;
use run_report::RunReport;
use terminal::Stream;

use oxiconv_transcode::io::{check_stdout, prepare_streams};

/// Runs the program with the arguments of the process, and returns its exit status.
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
        // If the shell does not read it, nobody needs it.
        let _ = Console::new(None).write(Stream::Out, answer.as_bytes());
        return Exit::Clean.status();
    }
    if words.len() == 1 && io::stdin().is_terminal() {
        Console::new(None).error("reading standard input; Ctrl-D ends, -h shows help");
    }
    let words: Vec<_> = words::with_suffixes(words.into_iter()).collect();
    let parsed = match plain::parse(&words) {
        Some(args) => Parsed::Args(Box::new(args)),
        None => args::parse(&words),
    };
    let exit = match parsed {
        Parsed::Args(args) => combinations::mode(&args).and_then(|mode| run(*args, mode)),
        Parsed::Printed(printed) => {
            check_stdout().and(printed).context("(standard output)").map(|()| Exit::Clean)
        }
        Parsed::Wrong(message) => {
            Console::new(None).error(&format!("{message}\n{}", usage::HELP));
            Ok(Exit::Trouble)
        }
    };
    let exit = exit.unwrap_or_else(|error| {
        if is_closed_pipe(&error) {
            signals::end_as_by_closed_pipe();
        }
        Console::new(None).error(&chain(&error));
        Exit::Trouble
    });
    exit.status()
}

fn run(args: Args, mode: Mode) -> anyhow::Result<Exit> {
    match mode {
        Mode::Generate => generate::generate(&args).map(|()| Exit::Clean),
        Mode::List => list::list(&args).map(|()| Exit::Clean),
        Mode::ListTranslit => translit_list::list(&args).map(|()| Exit::Clean),
        Mode::Merge => merge::merge(&args),
        Mode::Convert
        | Mode::ToFile
        | Mode::InPlace
        | Mode::IntoDirectory
        | Mode::Check
        | Mode::Explain
        | Mode::FilesWithFindings
        | Mode::Detect
        | Mode::Names
        | Mode::UndoRename => work(&Config::new(args, mode)?),
    }
}

/// Works on files.
fn work(config: &Config) -> anyhow::Result<Exit> {
    match &config.action {
        Action::Join(target) => join::join(config, target),
        Action::Check | Action::Detect | Action::Each(_) => batch::batch(config),
        Action::Names(task) => names::names(config, task),
    }
    .or_else(|error| {
        if config.findings.format.facts().is_for_people || is_closed_pipe(&error) {
            return Err(error);
        }
        // A program that reads the findings also learns this way that there was no run.
        RunReport::new(config).only_error(&Console::new(None), &chain(&error));
        Ok(Exit::Trouble)
    })
}
