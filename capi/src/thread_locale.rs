//! The locale of the calling thread: that of uselocale(), or else that of the program.

use std::ffi::{CStr, c_char};

/// The item of `nl_langinfo` for the name of the locale: `NL_LOCALE_NAME(LC_CTYPE)` of glibc and musl. `setlocale`
/// cannot be asked, because it knows the locale of the program only, and not one that uselocale() has set for a thread.
const NAME: libc::nl_item = libc::LC_CTYPE << 16 | 0xFFFF;

pub(super) fn charset() -> String {
    // SAFETY: the result is null or a C string that is valid until the next call, and is copied before that.
    let charset = unsafe { copied(libc::nl_langinfo(libc::CODESET)) };
    charset.unwrap_or_else(|| "US-ASCII".to_owned())
}

/// Returns the name of the locale whose rules of transliteration apply.
pub(super) fn name() -> String {
    // SAFETY: the result is null or a C string that is valid until the locale changes, and is copied before that. A
    // program that changes its locale in another thread must not call iconv_open meanwhile.
    unsafe { copied(libc::nl_langinfo(NAME)) }.unwrap_or_default()
}

/// Copies a C string of the system; `None` if it is null.
///
/// # Safety
///
/// `text` must be null or point to a C string.
unsafe fn copied(text: *const c_char) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: it is not null, so by the contract it points to a C string.
    Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}
