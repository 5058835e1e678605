//! Names as bytes.
//!
//! On Unix a name is bytes. On Windows it is UTF-16 that need not be well-formed; the standard library holds it in
//! WTF-8 (<https://simonsapin.github.io/wtf-8/>), which is UTF-8 with three bytes for a surrogate that has no partner.
//! [`OsStr::as_encoded_bytes`](std::ffi::OsStr::as_encoded_bytes) returns either, and this is the way back.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{MAIN_SEPARATOR, Path, is_separator};

/// Whether some text has a character that separates the names of a path.
pub fn has_separator(text: &str) -> bool {
    text.bytes().any(|byte| is_separator(byte.into()))
}

/// Returns the bytes of a path with `/` between its names, as patterns, URIs and the formats of other programs have it
/// on every system.
pub fn slashed(path: &Path) -> Cow<'_, [u8]> {
    let bytes = path.as_os_str().as_encoded_bytes();
    match MAIN_SEPARATOR {
        '/' => Cow::Borrowed(bytes),
        // In WTF-8, as in UTF-8, an ASCII byte is always a character of its own.
        other => {
            let slash = |byte: &u8| if char::from(*byte) == other { b'/' } else { *byte };
            Cow::Owned(bytes.iter().map(slash).collect())
        }
    }
}

/// Returns a path with `/` between its names, for documents that are read on other systems. Every system takes it.
pub fn slashed_path(path: &Path) -> Cow<'_, Path> {
    match slashed(path) {
        Cow::Borrowed(_) => Cow::Borrowed(path),
        Cow::Owned(bytes) => {
            name_of_bytes(bytes).map_or(Cow::Borrowed(path), |name| Cow::Owned(name.into()))
        }
    }
}

/// Returns a path as people write it. Windows resolves a path to a verbatim one, `\\?\C:\a`, which most programs do not
/// take; it is shortened if the other form means the same, which it does not for a name that ends with a dot.
pub fn plain_path(path: &Path) -> &Path {
    let plain = path.to_str().and_then(|text| text.strip_prefix(r"\\?\")).map(Path::new);
    let means_the_same = |plain: &&Path| {
        plain.is_absolute() && std::path::absolute(plain).is_ok_and(|path| path == **plain)
    };
    match MAIN_SEPARATOR {
        '\\' => plain.filter(means_the_same).unwrap_or(path),
        _ => path,
    }
}

/// Returns the name that has these bytes. `None` if no name on this system has them.
#[cfg(unix)]
pub fn name_of_bytes(bytes: Vec<u8>) -> Option<OsString> {
    Some(std::os::unix::ffi::OsStringExt::from_vec(bytes))
}

/// Returns the name that has these bytes. `None` if no name on this system has them, since they are not WTF-8.
#[cfg(windows)]
pub fn name_of_bytes(bytes: Vec<u8>) -> Option<OsString> {
    use std::os::windows::ffi::OsStringExt;
    match String::from_utf8(bytes) {
        Ok(name) => Some(name.into()),
        Err(error) => Some(OsString::from_wide(&wide(error.as_bytes())?)),
    }
}

/// Returns the name that has these bytes. `None` if no name on this system has them.
#[cfg(not(any(unix, windows)))]
pub fn name_of_bytes(bytes: Vec<u8>) -> Option<OsString> {
    String::from_utf8(bytes).ok().map(OsString::from)
}

/// Decodes WTF-8 to UTF-16; `None` if it is ill-formed. Two surrogates that make a pair are written as one character,
/// so their six bytes are ill-formed.
#[cfg(any(windows, test))]
fn wide(mut bytes: &[u8]) -> Option<Vec<u16>> {
    let mut units: Vec<u16> = Vec::new();
    let mut after_high = false;
    while !bytes.is_empty() {
        let valid = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()?,
        };
        units.extend(valid.encode_utf16());
        after_high &= valid.is_empty();
        bytes = &bytes[valid.len()..];
        if let [0xED, second @ 0xA0..=0xBF, third @ 0x80..=0xBF, rest @ ..] = bytes {
            let is_low = *second >= 0xB0;
            if is_low && after_high {
                return None;
            }
            units.push(0xD000 | u16::from(*second & 0x3F) << 6 | u16::from(*third & 0x3F));
            after_high = !is_low;
            bytes = rest;
        } else if !bytes.is_empty() {
            return None;
        }
    }
    Some(units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_formed_wtf_8_is_decoded_and_nothing_else() {
        for (bytes, expected) in [
            (&b"a\xC3\xA4"[..], Some(vec![0x61, 0xE4])),
            (b"\xF0\x9F\x98\x8D", Some(vec![0xD83D, 0xDE0D])),
            (b"\xED\xA0\xBDx", Some(vec![0xD83D, 0x78])),
            (b"\xED\xB8\x8D\xED\xA0\xBD", Some(vec![0xDE0D, 0xD83D])),
            (b"\xED\xA0\xBDx\xED\xB8\x8D", Some(vec![0xD83D, 0x78, 0xDE0D])),
            (b"\xED\xA0\xBD\xED\xB8\x8D", None),
            (b"caf\xE9", None),
            (b"\xED\xA0", None),
            (b"\xED\x9F\xBF", Some(vec![0xD7FF])),
        ] {
            assert_eq!(wide(bytes), expected, "{}", bytes.escape_ascii());
        }
    }

    #[cfg(windows)]
    #[test]
    fn a_verbatim_path_is_shortened_if_that_is_the_same_path() {
        for (path, expected) in [
            (r"\\?\C:\a\b.txt", r"C:\a\b.txt"),
            (r"\\?\C:\a.\b", r"\\?\C:\a.\b"),
            (r"\\?\UNC\server\share\a", r"\\?\UNC\server\share\a"),
            (r"C:\a", r"C:\a"),
            (r"a\b", r"a\b"),
        ] {
            assert_eq!(plain_path(Path::new(path)).as_os_str(), expected);
        }
    }

    #[test]
    fn a_path_for_other_systems_has_slashes() {
        let path: std::path::PathBuf = ["a", "ä", "c"].iter().collect();
        assert_eq!(slashed_path(&path).as_os_str(), "a/ä/c");
    }

    #[test]
    fn the_bytes_of_a_name_make_the_name_again() {
        for name in ["", "a", "ä😍"] {
            assert_eq!(name_of_bytes(name.into()).unwrap(), name);
        }
    }
}
