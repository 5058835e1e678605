//! Files of the run itself that are also inputs. If they are found in a directory, they are left out. If they are
//! named, the run is refused before anything is written.

use std::path::Path;

use anyhow::bail;
use oxiconv_os::Identity;

use super::files::{FileArg, FileSelection};

/// Returns the files of the run itself that are left out if they are found among the inputs: the baseline, the
/// manifest, and standard output, because `oxiconv --check -r . >findings` is not meant to check `findings`.
pub(crate) fn own_files(paths: [Option<&Path>; 2]) -> Vec<Identity> {
    let paths = paths.into_iter().flatten().filter_map(Identity::of_path);
    Identity::of_stdout().into_iter().chain(paths).collect()
}

/// Refuses an input that is also standard output. With `>>`, the file would grow forever; with `>`, the shell has
/// truncated it already.
pub(crate) fn refuse_own_output(inputs: &[FileArg]) -> anyhow::Result<()> {
    refuse_output(inputs, Identity::of_stdout())
}

/// Does the same for the inputs that are named, as far as their names can be read beforehand. Names that come through a
/// pipe are compared as they come (`InputList`).
pub(crate) fn refuse_named_output(files: &FileSelection) -> anyhow::Result<()> {
    let Some(output) = Identity::of_stdout() else { return Ok(()) };
    files.rereadable_paths()?.try_for_each(|path| refuse_one(&FileArg::named(path?), output))
}

/// Refuses an input that is also the output, for an output that is written to rather than replaced.
pub(crate) fn refuse_output(inputs: &[FileArg], output: Option<Identity>) -> anyhow::Result<()> {
    let Some(output) = output else { return Ok(()) };
    inputs.iter().try_for_each(|file| refuse_one(file, output))
}

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
