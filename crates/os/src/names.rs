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

/// Returns why a file must not get this name on this system, as the end of a sentence that begins with "the new name
/// would": it would be a path, or a name that other programs cannot open.
pub fn fault_of_name(name: &[u8]) -> Option<&'static str> {
    match name {
        [] => Some("be empty"),
        b"." | b".." => Some("be . or .."),
        name if name.contains(&b'/') => Some("contain a slash"),
        name if name.contains(&0) => Some("contain a NUL character"),
        name if MAIN_SEPARATOR == '\\' => fault_on_windows(name),
        _ => None,
    }
}

/// Windows itself only refuses such a name in a path that it parses, and not in a verbatim one. See "Naming Files,
/// Paths, and Namespaces" by Microsoft.
fn fault_on_windows(name: &[u8]) -> Option<&'static str> {
    const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
    // Each has a digit after it, which may be a superscript.
    const PORTS: [&str; 2] = ["COM", "LPT"];
    if name.iter().any(|byte| *byte < b' ' || br#"<>:"\|?*"#.contains(byte)) {
        return Some("contain a character that Windows does not allow");
    }
    if name.ends_with(b".") || name.ends_with(b" ") {
        return Some("end with a dot or a space, which Windows drops");
    }
    let stem = name.split(|byte| *byte == b'.').next().unwrap_or_default();
    let stem = String::from_utf8_lossy(stem).trim_end().to_uppercase();
    let port = |port: &&str| stem.strip_prefix(*port).map(|number| number.chars().collect());
    let is_digit = |number: Vec<char>| matches!(number[..], ['0'..='9' | '¹' | '²' | '³']);
    if DEVICES.contains(&&stem[..]) || PORTS.iter().find_map(port).is_some_and(is_digit) {
        return Some("be that of a device");
    }
    None
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
mod tests;
