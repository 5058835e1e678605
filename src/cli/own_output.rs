//! A file of the run itself that is also an input: it is left out, or the run is refused before anything is written.

use std::path::Path;

use anyhow::bail;
use oxiconv_transcode::io::Identity;

use super::files::{FileArg, FileSelection};

/// Returns the files of the run itself that are left out if they are found among the inputs: standard output, because
/// `-r . >findings` does not mean to read it, the baseline, and the manifest.
pub(crate) fn own_files(paths: [Option<&Path>; 2]) -> Vec<Identity> {
    let paths = paths.into_iter().flatten().filter_map(Identity::of_path);
    Identity::of_stdout().into_iter().chain(paths).collect()
}

/// Refuses standard output that is also an input: it would grow forever, or be gone before it is read.
pub(crate) fn refuse_own_output(inputs: &[FileArg]) -> anyhow::Result<()> {
    refuse_output(inputs, Identity::of_stdout())
}

/// The same for the inputs that are named, as far as the names can be read beforehand.
pub(crate) fn refuse_named_output(files: &FileSelection) -> anyhow::Result<()> {
    let Some(output) = Identity::of_stdout() else { return Ok(()) };
    files.known_paths()?.try_for_each(|path| refuse_one(&FileArg::named(path?), output))
}

/// Refuses any output that is also an input, if it is written to rather than replaced.
pub(crate) fn refuse_output(inputs: &[FileArg], output: Option<Identity>) -> anyhow::Result<()> {
    let Some(output) = output else { return Ok(()) };
    inputs.iter().try_for_each(|file| refuse_one(file, output))
}

/// Refuses an input that is the output.
pub(crate) fn refuse_one(file: &FileArg, output: Identity) -> anyhow::Result<()> {
    let identity = match &file.path {
        Some(path) => Identity::of_path(path),
        None => Identity::of_stdin(),
    };
    if identity == Some(output) {
        bail!("{}: is also the output (use -i or -o to convert it in place)", file.label());
    }
    Ok(())
}
