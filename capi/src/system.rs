//! The iconv(3) of the system's C library. If this library is in LD_PRELOAD, it gets some descriptors of the system:
//! glibc's program iconv opens its conversions with a private function, but converts and closes them with the public
//! ones.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

use super::IconvT;

type IconvFn = unsafe extern "C" fn(
    IconvT,
    *mut *mut c_char,
    *mut usize,
    *mut *mut c_char,
    *mut usize,
) -> usize;
type IconvOpenFn = unsafe extern "C" fn(*const c_char, *const c_char) -> IconvT;
type IconvCloseFn = unsafe extern "C" fn(IconvT) -> c_int;

/// Returns the next definition of a function after the one in this library.
fn next(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: the name is a C string, and looking it up changes nothing.
    let found = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

/// The name that glibc's program iconv opens a conversion from and to, before `iconv -l` lists what the system has. So
/// the system must open that one, or the list would be wrong; gdb runs `iconv -l`.
pub(super) const LISTED: &str = "L1";

pub(super) fn iconv_open() -> Option<IconvOpenFn> {
    static FOUND: OnceLock<Option<IconvOpenFn>> = OnceLock::new();
    // SAFETY: POSIX defines the type of a function of this name.
    *FOUND.get_or_init(|| next(c"iconv_open").map(|it| unsafe { std::mem::transmute(it) }))
}

pub(super) fn iconv() -> Option<IconvFn> {
    static FOUND: OnceLock<Option<IconvFn>> = OnceLock::new();
    // SAFETY: POSIX defines the type of a function of this name.
    *FOUND.get_or_init(|| next(c"iconv").map(|it| unsafe { std::mem::transmute(it) }))
}

pub(super) fn iconv_close() -> Option<IconvCloseFn> {
    static FOUND: OnceLock<Option<IconvCloseFn>> = OnceLock::new();
    // SAFETY: POSIX defines the type of a function of this name.
    *FOUND.get_or_init(|| next(c"iconv_close").map(|it| unsafe { std::mem::transmute(it) }))
}
