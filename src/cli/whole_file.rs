//! Reads a whole file to find something out about it, before it is converted. Every function opens the file anew, so it
//! must be one that can be read more than once.

use std::fs::File;
use std::io;
use std::path::Path;

use anyhow::Context;

use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::diagnostic::{Finding, Message, Reporter, Silent, Summary};
use oxiconv_transcode::io::{Access, Chunk, Input};
use oxiconv_transcode::{Conversion, Error, Options, Transcoder, WithoutDescriptors};

use super::file_input::{name_error, open};
use super::files::FileArg;

pub(crate) fn is_regular(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
}

/// Reads a file in `encoding` up to the first fault, with as many threads as `asked` allows, and returns the counts.
pub(crate) fn read_through(
    asked: &Conversion,
    file: &FileArg,
    encoding: &'static Encoding,
) -> anyhow::Result<Summary> {
    let options = Options::new().threads(asked.options().threads);
    summary_of(&options.build(encoding, None)?, file)
}

/// Passes a file through a conversion whose output is dropped, and returns the counts.
pub(crate) fn summary_of(conversion: &Conversion, file: &FileArg) -> anyhow::Result<Summary> {
    pass_through(conversion, file, &mut Silent)
}

/// Returns what a conversion of a file would damage, if it knows.
pub(crate) fn damage(conversion: &Conversion, file: &FileArg) -> anyhow::Result<Option<String>> {
    let mut warnings = Warnings(None);
    if conversion.options().reading.records.is_some() {
        pass_through(conversion, file, &mut warnings)?;
    }
    Ok(warnings.0)
}

/// Keeps the last warning about a text.
struct Warnings(Option<String>);

impl Reporter for Warnings {
    fn finding(&mut self, _: &Finding<'_>) -> io::Result<()> {
        Ok(())
    }

    fn wants_places(&self) -> bool {
        false
    }

    fn message(&mut self, message: Message) {
        if let Message::Warning(words) = message {
            self.0 = Some(words);
        }
    }
}

fn pass_through(
    conversion: &Conversion,
    file: &FileArg,
    reporter: &mut dyn Reporter,
) -> anyhow::Result<Summary> {
    let mut input = open(file)?;
    Transcoder::new(conversion, &mut io::sink())
        .input(&mut *input.source, reporter)
        .or_else(Error::into_summary)
        .map_err(|error| name_error(error, &file.label(), ""))
}

/// Passes the bytes of a file to `found`, chunk by chunk, until it returns true. Returns whether it did. Record
/// descriptor words are left out, because they are no part of the text.
pub(crate) fn any_chunk(
    file: &FileArg,
    found: &mut dyn FnMut(&[u8]) -> bool,
) -> anyhow::Result<bool> {
    let mut source = open(file)?.source;
    let mut records = file.opening.has_descriptors.then(WithoutDescriptors::default);
    let mut done = false;
    while !done {
        let (len, result) = source
            .fill(1)
            .map(|chunk: Chunk<'_>| {
                done = chunk.last;
                let text = records.as_mut().map(|records| records.text(chunk.bytes));
                (chunk.bytes.len(), found(text.as_deref().unwrap_or(chunk.bytes)))
            })
            .with_context(|| format!("{}: cannot read", file.label()))?;
        if result {
            return Ok(true);
        }
        source.consume(len);
    }
    Ok(false)
}

/// Returns the last bytes of a file, at most `most`. They begin at a multiple of four bytes, so that code units of any
/// width are whole. With decompression there are none, because the end of the text cannot be read without the rest.
pub(crate) fn last_bytes(file: &FileArg, most: usize) -> anyhow::Result<Vec<u8>> {
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
