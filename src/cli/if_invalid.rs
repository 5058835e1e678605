//! `--if-invalid`: leaves files alone that are already valid in the target encoding, whatever `-f` says. To find out,
//! all of a file is read.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, bail};

use oxiconv_encodings::encoding::{Encoding, Mark};
use oxiconv_report::visible_path;
use oxiconv_transcode::diagnostic::DeniedKind;
use oxiconv_transcode::io::FileReplacement;
use oxiconv_transcode::{Conversion, InputEncoding, MarkMode, OnDenied, Options};

use super::eight_bit::identifies_its_texts;
use super::files::FileArg;
use super::whole_file::{any_chunk, is_regular, summary_of};

/// Rejects a target in which nearly every text is valid.
pub(crate) fn check_target(conversion: &Conversion) -> anyhow::Result<()> {
    // Nearly any bytes are valid UTF-16, but what `-t utf-16` or `-t utf-32` writes begins with a byte order mark,
    // which identifies it.
    let has_mark = |target: &Encoding| {
        target.mark == Mark::ByteOrder
            && conversion.options().byte_order_marks.marks != MarkMode::Strip
    };
    match conversion.to() {
        Some(target) if !has_mark(target) && !identifies_its_texts(target) => bail!(
            "--if-invalid cannot tell which files are already in {}: nearly every text is valid in it (name the files to \
             convert)",
            target.name()
        ),
        _ => Ok(()),
    }
}

/// Whether a file is already valid in the target of `asked`.
pub(crate) fn is_valid(asked: &Conversion, file: &FileArg, path: &Path) -> anyhow::Result<bool> {
    let Some(target) = asked.to().filter(|_| is_regular(path)) else { return Ok(false) };
    let mut options = Options::new().threads(asked.options().threads);
    if target.mark == Mark::ByteOrder {
        // Without the mark, being valid would prove nothing.
        options = options.marks(MarkMode::Require);
    }
    let from_wide = matches!(asked.from(), InputEncoding::Named(from) if from.unit > 1);
    if from_wide && target.unit == 1 {
        // ASCII in UTF-16 without a mark is also valid UTF-8: `61 00 62 00` is `a NUL b NUL`. So a NUL counts as
        // invalid if the input is in wide units.
        options = options.deny([DeniedKind::Nul]).on_denied(OnDenied::Stop);
    }
    let summary = summary_of(&options.build(target, None)?, file)?;
    Ok(!summary.stopped && summary.total() == 0)
}

/// Copies the text of a valid file to its place in the output directory. Returns the copy and its length in bytes.
pub(crate) fn copy(
    file: &FileArg,
    from: &Path,
    to: &Path,
) -> anyhow::Result<(FileReplacement, u64)> {
    let cannot_write = || format!("{}: cannot write", visible_path(to));
    if !file.opening.decompress {
        let mut source = File::open(from).with_context(|| visible_path(from))?;
        let mut copy = FileReplacement::like(to, from).with_context(cannot_write)?;
        let bytes = io::copy(&mut source, &mut copy).with_context(cannot_write)?;
        return Ok((copy, bytes));
    }
    let mut copy = FileReplacement::like(to, from).with_context(cannot_write)?;
    let (mut bytes, mut written) = (0, Ok(()));
    any_chunk(file, &mut |chunk| {
        written = copy.write_all(chunk);
        bytes += chunk.len() as u64;
        written.is_err()
    })?;
    written.with_context(cannot_write)?;
    Ok((copy, bytes))
}
