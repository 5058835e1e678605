//! A file of the run itself that is also an input: it is left out, or the run is refused before anything is written.

use std::path::Path;

use crate::io::Identity;
use anyhow::bail;

use super::files::FileArg;

/// Leaves out files of the run itself that were found among the inputs: standard output, because `-r . >findings` does
/// not mean to read it, and the baseline.
pub(crate) fn without_own_files(mut inputs: Vec<FileArg>, baseline: Option<&Path>) -> Vec<FileArg> {
    let own: Vec<_> =
        Identity::of_stdout().into_iter().chain(baseline.and_then(Identity::of_path)).collect();
    if !own.is_empty() {
        let is_own = |path: &Path| Identity::of_path(path).is_some_and(|it| own.contains(&it));
        inputs.retain(|file| !file.found || !file.path.as_deref().is_some_and(is_own));
    }
    inputs
}

/// Refuses standard output that is also an input: it would grow forever, or be gone before it is read.
pub(crate) fn refuse_own_output(inputs: &[FileArg]) -> anyhow::Result<()> {
    refuse_output(inputs, Identity::of_stdout())
}

/// Refuses any output that is also an input, if it is written to rather than replaced.
pub(crate) fn refuse_output(inputs: &[FileArg], output: Option<Identity>) -> anyhow::Result<()> {
    let Some(output) = output else { return Ok(()) };
    for file in inputs {
        let identity = match &file.path {
            Some(path) => Identity::of_path(path),
            None => Identity::of_stdin(),
        };
        if identity == Some(output) {
            bail!("{}: is also the output (use -i or -o to convert it in place)", file.label());
        }
    }
    Ok(())
}
