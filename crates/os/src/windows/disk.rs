//! Waiting until files are on disk. Names are: NTFS writes changes of a directory to its journal in their order.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;

/// Waits until a file is on disk, with its metadata.
///
/// # Errors
///
/// If the sync fails.
pub fn sync_file(file: &File) -> io::Result<()> {
    file.sync_all()
}

/// Waits until these files are on disk, and returns the errors by their numbers.
pub fn sync_group(files: &[(usize, &File)]) -> HashMap<usize, io::Error> {
    let failed = files.iter().filter_map(|(at, file)| Some((*at, file.sync_all().err()?)));
    failed.collect()
}

/// Waits for nothing.
///
/// # Errors
///
/// Never.
pub fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}
