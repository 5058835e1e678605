//! The locale of the process.

use std::env;
use std::ffi::CStr;
use std::path::PathBuf;

use crate::{CodePage, Locale};

impl Locale {
    /// Sets the locale of the process to that of the environment, and returns it. `setlocale` is not thread-safe: the
    /// program calls this once, before it starts any thread.
    pub fn of_environment() -> Self {
        // SAFETY: the argument is a C string. No other thread exists that could use the locale at the same time. The
        // result is null or a C string that is valid until the next call, and is copied before that.
        let name = unsafe { copied(libc::setlocale(libc::LC_CTYPE, c"".as_ptr())) };
        // SAFETY: the result is a C string that is valid until the next call, and is copied before that.
        let charset = unsafe { copied(libc::nl_langinfo(libc::CODESET)) };
        // If the C library does not answer, the locale counts as "C", whose charset glibc calls ANSI_X3.4-1968: ASCII.
        let or_else = |text: Option<String>, other: &str| text.unwrap_or_else(|| other.to_owned());
        Self { charset: or_else(charset, "ANSI_X3.4-1968"), name: or_else(name, "C") }
    }
}

/// Copies a C string; `None` if it is null or empty.
///
/// # Safety
///
/// `text` must be null or point to a C string.
unsafe fn copied(text: *const libc::c_char) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: it is not null, so by the contract it points to a C string.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
    (!text.is_empty()).then_some(text)
}

impl CodePage {
    /// Returns nothing: there is no such setting.
    pub fn number(self) -> Option<u32> {
        None
    }
}

/// Returns the directory in which programs keep the user's settings.
pub fn user_config_directory() -> Option<PathBuf> {
    // As the specification of XDG says, a relative path is ignored.
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")))
}
