//! `--verify`: before a file is replaced, the new one is decoded and must give the characters that were to be written.

use std::io;
use std::path::Path;

use anyhow::{Context, bail};

use oxiconv_encodings::encoding::Encoding;
use oxiconv_report::visible_path;
use oxiconv_transcode::diagnostic::Silent;
use oxiconv_transcode::io::{Input, Replacement};
use oxiconv_transcode::{Comparison, Conversion, Difference, Error, TextFingerprint, Transcoder};

use super::files::FileArg;
use super::input::{name_error, open};

/// Refuses a result whose fingerprint is not `wanted`, with the place of the first difference.
pub(crate) fn verify(
    conversion: &Conversion,
    file: &FileArg,
    target: &Path,
    replacement: &Replacement,
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
    // Either a fault, or characters that the target reads back as others: compare the text character by character.
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
            "{label}: not replaced: U+{lost:04X} (character {character}) would become a control, as the table of {} says \
             (--no-verify replaces the file without comparing)",
            conversion.to().unwrap_or(Encoding::UTF_8).name()
        ),
        Some(difference) => bail!(
            "{label}: not replaced: {difference} (the disk, the memory or another program changed it; --no-verify \
             replaces the file without comparing)"
        ),
    }
}
