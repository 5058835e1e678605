//! The console, which takes UTF-16.
//!
//! Bytes that are written to its handle are text in its code page, which is rarely UTF-8, and a character that this
//! code page lacks cannot be shown. `WriteConsoleW` shows every character.

use std::io;
use std::os::windows::io::{AsRawHandle, BorrowedHandle};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use windows_sys::Win32::System::Console::{GetConsoleMode, WriteConsoleW};

use super::wide::checked;

/// The most units of one call. Old consoles have a buffer of 64 KiB for all of them.
const MAX_UNITS: usize = 8192;

/// Whether this is a console, and not a file or a pipe.
pub(super) fn is_console(handle: BorrowedHandle<'_>) -> bool {
    let mut mode = 0;
    // SAFETY: the handle is open, and the pointer is to a live value.
    unsafe { GetConsoleMode(handle.as_raw_handle(), &mut mode) != 0 }
}

/// Writes UTF-8 to the console: all of it. A process has one console, so what is left of a truncated character waits
/// for the next call, whatever stream that is for. Ill-formed bytes are shown as U+FFFD.
pub(super) fn write_to_console(handle: BorrowedHandle<'_>, bytes: &[u8]) -> io::Result<usize> {
    static TRUNCATED: Mutex<Vec<u8>> = Mutex::new(Vec::new());
    let mut waiting = TRUNCATED.lock().unwrap_or_else(PoisonError::into_inner);
    waiting.extend_from_slice(bytes);
    let (text, rest) = split(&waiting);
    let units: Vec<u16> = text.encode_utf16().collect();
    *waiting = rest;
    drop(waiting);
    write_units(handle, &units)?;
    Ok(bytes.len())
}

/// Writes all of these units.
pub(super) fn write_units(handle: BorrowedHandle<'_>, mut units: &[u16]) -> io::Result<()> {
    while !units.is_empty() {
        let mut part = &units[..units.len().min(MAX_UNITS)];
        // The two halves of a character must be written together.
        if let [rest @ .., 0xD800..=0xDBFF] = part
            && !rest.is_empty()
        {
            part = rest;
        }
        let mut written = 0;
        // SAFETY: the handle is open, pointer and length are those of a live slice, and the last pointer must be null.
        checked(unsafe {
            WriteConsoleW(
                handle.as_raw_handle(),
                part.as_ptr(),
                part.len() as u32,
                &mut written,
                ptr::null(),
            )
        })?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        units = &units[written as usize..];
    }
    Ok(())
}

/// Decodes UTF-8 up to a character that is truncated at its end, whose bytes are the second value.
fn split(bytes: &[u8]) -> (String, Vec<u8>) {
    let mut text = String::with_capacity(bytes.len());
    let mut rest = &[][..];
    let mut chunks = bytes.utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        text.push_str(chunk.valid());
        let is_truncated =
            || std::str::from_utf8(chunk.invalid()).is_err_and(|error| error.error_len().is_none());
        if chunks.peek().is_none() && !chunk.invalid().is_empty() && is_truncated() {
            rest = chunk.invalid();
        } else if !chunk.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    (text, rest.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truncated_character_waits_and_an_ill_formed_one_is_replaced() {
        for (bytes, text, rest) in [
            (&b"abc"[..], "abc", &b""[..]),
            (b"a\xC3\xA4", "a\u{E4}", b""),
            (b"a\xE2\x82", "a", b"\xE2\x82"),
            (b"\xFFa\xE9", "\u{FFFD}a", b"\xE9"),
            (b"\xE2\x82a", "\u{FFFD}a", b""),
            (b"\xF0\x9F\x98\x8D", "\u{1F60D}", b""),
        ] {
            assert_eq!(split(bytes), (text.to_owned(), rest.to_vec()), "{}", bytes.escape_ascii());
        }
    }
}
