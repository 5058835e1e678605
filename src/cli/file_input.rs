//! Opens inputs, and adds file names to errors. Everything that reads an input opens it here, so that all of it sees
//! the decompressed text of a compressed file.

use std::io::{self, ErrorKind};
use std::path::Path;

use anyhow::anyhow;

use oxiconv_detect::detection::Evidence;
use oxiconv_transcode::Error;
use oxiconv_transcode::io::Input;

use super::files::FileArg;
use super::user_tables::options_of_request;
use oxiconv_os::reason;

pub(crate) fn open(file: &FileArg) -> anyhow::Result<Input> {
    let opened = match &file.path {
        Some(path) => Input::open(path, file.opening.access),
        None => Input::stdin(file.opening.access),
    };
    let input = opened.map_err(|error| match error.kind() {
        ErrorKind::IsADirectory => {
            anyhow!("{}: is a directory (use -r to descend)", file.label())
        }
        ErrorKind::NotFound => missing(file, error),
        _ => anyhow::Error::new(error).context(file.label()),
    })?;
    if !file.opening.decompress {
        return Ok(input);
    }
    input.decompressed().map_err(|error| name_error(Error::Read(error), &file.label(), ""))
}

/// Returns the error about a file that does not exist. Users of recode write `l1..u8` before their files.
fn missing(file: &FileArg, error: io::Error) -> anyhow::Error {
    let path = file.path.as_deref().and_then(Path::to_str);
    match path.and_then(options_of_request) {
        Some(options) => {
            anyhow!("{}: {} (did you mean {options}?)", file.label(), reason(&error))
        }
        None => anyhow::Error::new(error).context(file.label()),
    }
}

/// Adds to a conversion error the name of the file that it is about.
pub(crate) fn name_error(error: Error, input: &str, output: &str) -> anyhow::Error {
    let name = match error {
        Error::Write(_) => output,
        Error::Report(_) => "(findings)",
        _ => input,
    };
    anyhow::Error::new(error).context(name.to_owned())
}

/// Whether an error is about the output, so that it concerns all inputs and not only the present one.
pub(crate) fn is_of_output(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<Error>()
        .is_some_and(|error| !matches!(error, Error::Read(_) | Error::Undetected(_)))
}

/// Returns why a file is refused, if the error is that its encoding cannot be detected.
pub(crate) fn undetected(error: &anyhow::Error) -> Option<String> {
    let Some(Error::Undetected(undetected)) = error.downcast_ref() else { return None };
    if let Some(lines) = undetected.detection.of_lines() {
        return Some(format!("{undetected} (try -f {lines})"));
    }
    if undetected.detection.evidence == Evidence::Binary {
        return Some(format!("{undetected} (if they are text, name their encoding with -f)"));
    }
    let force = match undetected.detection.is_enough() {
        false => "; --force uses the best guess",
        true => "",
    };
    Some(format!("{undetected} (name it with -f{force})"))
}
