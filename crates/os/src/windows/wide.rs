//! Paths as Windows takes them.

use std::io;
use std::os::windows::ffi::OsStrExt;
use std::path::Path;

/// Returns the units of an absolute path and a NUL.
///
/// # Errors
///
/// If it has a NUL, or if the current directory is unknown.
pub(super) fn absolute(path: &Path) -> io::Result<Vec<u16>> {
    /// `MAX_PATH`, less what the system may append.
    const LONG: usize = 248;
    let absolute = std::path::absolute(path)?;
    let mut units: Vec<u16> = absolute.as_os_str().encode_wide().collect();
    if units.contains(&0) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a path has a NUL character"));
    }
    let starts_with =
        |prefix: &str| units.iter().copied().zip(prefix.encode_utf16()).all(|(a, b)| a == b);
    if units.len() >= LONG && !starts_with(r"\\?\") {
        let (prefix, skipped) = if starts_with(r"\\") { (r"\\?\UNC\", 2) } else { (r"\\?\", 0) };
        units = prefix.encode_utf16().chain(units.drain(skipped..)).collect();
    }
    units.push(0);
    Ok(units)
}

/// Returns the result of a call that says by 0 that it has failed.
pub(super) fn checked(result: i32) -> io::Result<()> {
    if result == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_path_is_verbatim() {
        let text = |path: &str| {
            let units = absolute(Path::new(path)).unwrap();
            String::from_utf16(&units[..units.len() - 1]).unwrap()
        };
        let long = "x".repeat(300);
        for (path, expected) in [
            (r"C:\a\..\b".to_owned(), r"C:\b".to_owned()),
            (format!(r"C:\{long}"), format!(r"\\?\C:\{long}")),
            (format!(r"\\server\share\{long}"), format!(r"\\?\UNC\server\share\{long}")),
            (format!(r"\\?\C:\{long}"), format!(r"\\?\C:\{long}")),
        ] {
            assert_eq!(text(&path), expected);
        }
        assert!(absolute(Path::new("a\0b")).is_err());
    }
}
