//! An output that is also an input: it is left out, or the run is refused before anything is written.

use std::path::Path;

use crate::io::Identity;
use anyhow::bail;

use super::files::FileArg;

/// Leaves out standard output if it was found among the inputs: `-r . >findings` does not mean to read it.
pub(crate) fn without_own_output(mut inputs: Vec<FileArg>) -> Vec<FileArg> {
    if let Some(output) = Identity::of_stdout() {
        let is_output = |path: &Path| Identity::of_path(path) == Some(output);
        inputs.retain(|file| !file.found || !file.path.as_deref().is_some_and(is_output));
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
