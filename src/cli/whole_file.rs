//! Examines a whole file before it is converted.

use std::fs::File;
use std::io;
use std::path::Path;

use anyhow::Context;

use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::diagnostic::{Silent, Summary};
use oxiconv_transcode::io::{Access, Chunk, Input};
use oxiconv_transcode::{Conversion, Error, Options, Transcoder};

use super::files::FileArg;
use super::open_input::{name_error, open};

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

/// Passes the bytes of a file to `found`, piece by piece, until it returns true. Returns whether it did.
pub(crate) fn any_chunk(
    file: &FileArg,
    mut found: impl FnMut(&[u8]) -> bool,
) -> anyhow::Result<bool> {
    let mut source = open(file)?.source;
    let mut done = false;
    while !done {
        let (len, result) = source
            .fill(1)
            .map(|chunk: Chunk<'_>| {
                done = chunk.last;
                (chunk.bytes.len(), found(chunk.bytes))
            })
            .with_context(|| format!("{}: cannot read", file.label()))?;
        if result {
            return Ok(true);
        }
        source.consume(len);
    }
    Ok(false)
}

/// Returns the last bytes of a file, at most `most`, from a whole unit of any encoding on. Of compressed data, there
/// are none without all before.
pub(crate) fn last_bytes(file: &FileArg, most: usize) -> anyhow::Result<Vec<u8>> {
    /// The bytes of the widest code unit.
    const WIDEST_UNIT: u64 = 4;
    let Some(path) = file.path.as_ref().filter(|_| !file.opening.decompress) else {
        return Ok(Vec::new());
    };
    let read = || -> std::io::Result<_> {
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        let start = len.saturating_sub(most as u64).next_multiple_of(WIDEST_UNIT).min(len);
        let mut input = Input::of_range(file, start..len, Access::default())?;
        let chunk = input.source.fill((len - start) as usize)?;
        Ok(chunk.bytes.to_vec())
    };
    read().with_context(|| format!("{}: cannot read", file.label()))
}
