//! Examines a whole file before it is converted.

use std::io;
use std::path::Path;

use crate::diagnostic::{Silent, Summary};
use crate::encoding::Encoding;
use crate::transcode::{Conversion, Error, Options, Transcoder};

use super::files::FileArg;
use super::input::{name_error, open};

/// Whether `path` is a regular file, which can be read more than once.
pub(crate) fn is_regular(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
}

/// Returns what a file holds, read in `encoding` up to the first fault, with as many threads as `asked` allows.
pub(crate) fn read_through(
    asked: &Conversion,
    file: &FileArg,
    encoding: &'static Encoding,
) -> anyhow::Result<Summary> {
    let options = Options::new().threads(asked.options().threads);
    summary_of(&options.build(encoding, None)?, file)
}

/// Returns what a file holds, from a conversion that writes nothing.
pub(crate) fn summary_of(conversion: &Conversion, file: &FileArg) -> anyhow::Result<Summary> {
    let mut input = open(file)?;
    Transcoder::new(conversion, &mut io::sink())
        .input(&mut *input.source, &mut Silent)
        .or_else(Error::into_summary)
        .map_err(|error| name_error(error, &file.label(), ""))
}
