//! Entry points for the fuzz targets: everything that parses words or files from outside, without the actions that
//! follow.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::Path;

use clap::CommandFactory;

use oxiconv_os::Locale;
use oxiconv_report::{Document, Merge};
use oxiconv_transcode::Conversion;

use super::args::{self, Args};
use super::config::Config;
use super::{
    baseline, combinations, complete, defaults, iconv, manifest, name_list, names, raw_args,
    repository, usage,
};

/// Reads the words of a command line, the first of which is the program's name, and checks what they ask for. Returns
/// the conversion that it is, or the message.
///
/// # Errors
///
/// The message that the program would print.
pub fn arguments(words: &[OsString]) -> Result<Conversion, String> {
    let words: Vec<_> = raw_args::with_suffixes(words.iter().cloned()).collect();
    let mut command = Args::command();
    let args = args::read(&mut command, &words);
    let args = args.map_err(|error| usage::message(&error, &command))?;
    if let Some(message) = raw_args::missing_equals_sign(&words, &command) {
        return Err(message);
    }
    let config = combinations::mode(&args).and_then(|mode| Config::new(args, mode));
    config.map(|config| config.conversion).map_err(|error| error.to_string())
}

/// Does the same for the words after the program's name `iconv`. `None` if they ask for something else than a
/// conversion.
///
/// # Errors
///
/// The message that the program would print first.
pub fn iconv_arguments(
    words: Vec<OsString>,
    in_order: bool,
    locale: &Locale,
) -> Result<Option<Conversion>, String> {
    iconv::conversion(words, in_order, locale)
}

/// Returns the shell completions for the last of these words.
pub fn completions(words: &[OsString]) -> String {
    complete::answer(words)
}

/// Reads rules as if they were in a file of this name. Returns what they say about `path`, and the notes on them.
///
/// # Errors
///
/// The message if they cannot be used at all.
pub fn rules(name: &str, bytes: &[u8], path: &Path) -> Result<String, String> {
    repository::read_rules(name, bytes, path)
}

/// Reads the defaults in an `oxiconv.toml` of a repository, and returns them.
///
/// # Errors
///
/// The message if they cannot be used.
pub fn defaults(text: &str) -> Result<String, String> {
    defaults::read("oxiconv.toml", text)
}

/// Reads a baseline, and returns how it would be written.
///
/// # Errors
///
/// What is wrong with it.
pub fn baseline(bytes: &[u8]) -> Result<Vec<u8>, String> {
    baseline::rewritten(bytes)
}

/// Reads a manifest, and returns how many tasks it has.
///
/// # Errors
///
/// What is wrong with it.
pub fn manifest(bytes: &[u8]) -> Result<usize, String> {
    manifest::count_tasks(bytes)
}

/// Reads a list of changed names, and returns how many there are to restore.
///
/// # Errors
///
/// What is wrong with it.
pub fn changed_names(bytes: &[u8]) -> Result<usize, String> {
    names::count_changes(bytes)
}

/// Reads a list of the names of files, and returns how many there are.
///
/// # Errors
///
/// What is wrong with it.
pub fn name_list(bytes: &[u8]) -> Result<usize, String> {
    let mut list = name_list::NameList::kept(Path::new("list"), bytes.into());
    list.try_fold(0, |count, name| name.map(|_| count + 1)).map_err(|error| error.to_string())
}

/// Merges the findings of shards, and returns the merged document.
///
/// # Errors
///
/// What is wrong with the documents.
pub fn merged(documents: &[&[u8]]) -> Result<Vec<u8>, String> {
    struct FuzzedDocument<'a>(&'a [u8]);

    impl Document for FuzzedDocument<'_> {
        fn label(&self) -> &str {
            "document"
        }

        fn open(&self) -> io::Result<Box<dyn Read + '_>> {
            Ok(Box::new(self.0))
        }
    }

    let documents: Vec<_> = documents.iter().map(|bytes| FuzzedDocument(bytes)).collect();
    let documents = documents.iter().map(|document| document as &dyn Document).collect();
    let merge = Merge::new(documents).map_err(|error| error.to_string())?;
    let mut merged = Vec::new();
    merge.write(&mut merged).map_err(|error| error.to_string())?;
    Ok(merged)
}
