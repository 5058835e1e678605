//! The locale of the process: the charset of its text, and its name.

use std::ffi::CStr;

/// What the environment says about text (LC_ALL, LC_CTYPE or LANG, in this order).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locale {
    /// The name of the charset, as `nl_langinfo(CODESET)` returns it.
    pub charset: String,
    /// The name of the locale. If the system does not have the one in the environment, this is `C`.
    pub name: String,
}

impl Locale {
    /// Returns the locale of the environment. The program calls it once, before it starts any thread.
    pub fn of_environment() -> Self {
        // SAFETY: the argument is a C string. No other thread exists that could use the locale at the same time. The
        // result is null or a C string that is valid until the next call, and is copied before that.
        let name = unsafe { copied(libc::setlocale(libc::LC_CTYPE, c"".as_ptr())) };
        // SAFETY: the result is a C string that is valid until the next call, and is copied before that.
        let charset = unsafe { copied(libc::nl_langinfo(libc::CODESET)) };
        let or_else = |text: Option<String>, other: &str| text.unwrap_or_else(|| other.to_owned());
        Self { charset: or_else(charset, "ANSI_X3.4-1968"), name: or_else(name, "C") }
    }
}

/// Copies a string of the system's; `None` if there is none.
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
