//! `--verify`: before a file is replaced, the new one is read back and decoded, and must give the characters that were
//! to be written.
//!
//! While the file was converted, a fingerprint of the characters was taken. Normally, the fingerprint of the new file
//! is the same, and that is all. Otherwise the input is converted once more, and compared with the new file character
//! by character, which shows where they differ, and whether the difference is one that the tables of the target
//! explain.

use std::io;
use std::path::Path;

use anyhow::{Context, bail};

use oxiconv_encodings::encoding::Encoding;
use oxiconv_report::visible_path;
use oxiconv_transcode::diagnostic::Silent;
use oxiconv_transcode::io::{FileReplacement, Input};
use oxiconv_transcode::{Comparison, Conversion, Difference, Error, TextFingerprint, Transcoder};

use super::file_input::{name_error, open};
use super::files::FileArg;

/// Compares a result with the fingerprint `wanted` of what was to be written.
///
/// # Errors
///
/// If they differ, with the position of the first difference, or if a file cannot be read.
pub(crate) fn verify(
    conversion: &Conversion,
    file: &FileArg,
    target: &Path,
    replacement: &FileReplacement,
    wanted: TextFingerprint,
) -> anyhow::Result<()> {
    let label = visible_path(target);
    let cannot_compare = || format!("{label}: cannot read what was written");
    let result = || replacement.written().and_then(Input::of);
    let mut input = match result() {
        // What went to a device or a pipe cannot be read back.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => return Ok(()),
        result => result.with_context(cannot_compare)?,
    };
    let got =
        TextFingerprint::of_result(conversion, &mut *input.source).with_context(cannot_compare)?;
    if got == Some(wanted) {
        return Ok(());
    }
    // Either a fault, or characters that the target reads back as others: one-way entries of its table.
    let mut input = result().with_context(cannot_compare)?;
    let Some(mut comparison) = Comparison::new(conversion, &mut *input.source) else {
        return Ok(());
    };
    let mut sink = io::sink();
    let mut transcoder = Transcoder::new(conversion, &mut sink).observed_by(&mut comparison);
    transcoder
        .input(&mut *open(file)?.source, &mut Silent)
        .or_else(Error::into_summary)
        .map_err(|error| name_error(error, &file.label(), &label))?;
    transcoder.finish().map_err(|error| name_error(error, "", &label))?;
    match comparison.finish().with_context(cannot_compare)? {
        None => Ok(()),
        Some(Difference { lost: Some(lost), character, .. }) => bail!(
            "{label}: not replaced: U+{lost:04X} (character {character}) would be lost, because {} writes it as a control \
             code (--no-verify replaces the file without comparing)",
            conversion.to().unwrap_or(Encoding::UTF_8).name()
        ),
        Some(difference) => bail!(
            "{label}: not replaced: {difference} (a fault of the disk or the memory, or another program; \
             --no-verify replaces the file without comparing)"
        ),
    }
}
