//! iconv(3) for C programs, including those that are already compiled: `iconv_open`, `iconv` and `iconv_close` of
//! POSIX, and `iconvctl` of GNU libiconv. `include/oxiconv.h` declares them, and docs/c-library.md describes them.
//!
//! ```text
//! C ─► lib.rs: pointers become slices ─► guard.rs: no panic leaves ─► descriptor.rs: results and errors of C
//!              and an output_cursor.rs;                                  └─► oxiconv: ExactConverter
//!              cancellation.rs: no thread is cancelled meanwhile
//! ```
//!
//! Programs that were compiled for the iconv of the C library rely on more than POSIX says, and LD_PRELOAD gives them
//! no chance to adapt. So this crate follows glibc, also for arguments that are wrong: lengths below zero, null
//! pointers, descriptors of another library. `ci/capi` compares the two, and docs/c-library.md lists what differs. The
//! functions that are exported only sort out such arguments. What a call does to the text is decided in `descriptor.rs`
//! and in `ExactConverter`.
//!
//! In tests and fuzz targets the functions are not exported, so that `iconv` of the test process stays that of the C
//! library.

mod cancellation;
mod descriptor;
mod guard;
mod output_cursor;
#[cfg(any(test, fuzzing))]
pub mod random_calls;
mod system;
mod thread_locale;

use std::ffi::{CStr, c_char, c_int, c_void};
use std::slice;

use cancellation::Uncancelled;
use descriptor::{Answer, Descriptor};
use guard::Guarded;
use output_cursor::OutputCursor;

/// A descriptor, as C sees it.
type IconvT = *mut c_void;

/// What a descriptor points to. With `repr(C)`, `owner` is at its start.
#[repr(C)]
struct Handle {
    /// [`Handle::OURS`] in every descriptor of this library. Under LD_PRELOAD, glibc's own descriptors come here too
    /// (`system.rs`); they begin with a small number, the count of their conversion steps.
    owner: usize,
    descriptor: Guarded<Descriptor>,
}

impl Handle {
    const OURS: usize = usize::from_ne_bytes([b'O'; size_of::<usize>()]);
}

/// The library that a descriptor belongs to.
enum Owner<'a> {
    Ours(&'a mut Handle),
    System,
    Nobody,
}

/// What `iconv_open` returns if there is no such conversion.
const NO_DESCRIPTOR: IconvT = std::ptr::without_provenance_mut(usize::MAX);
/// The longest buffer that Rust allows. Programs may pass a larger number for "enough".
const MOST: usize = isize::MAX as usize;
/// `(size_t) -1`, which `iconv` returns for an error.
const ERROR: usize = usize::MAX;

fn set_errno(error: c_int) {
    // SAFETY: the C library returns the address of this thread's errno, which is always valid.
    unsafe { *libc::__errno_location() = error };
}

/// Opens a conversion from `from` to `to`: names of encodings, with the suffixes of glibc. An empty name is the charset
/// of the locale.
///
/// Returns `(iconv_t) -1` with errno EINVAL if there is no such conversion.
///
/// # Safety
///
/// Both must be null or point to strings that end in a zero byte.
#[cfg_attr(not(any(test, fuzzing)), unsafe(no_mangle))]
pub unsafe extern "C" fn iconv_open(to: *const c_char, from: *const c_char) -> IconvT {
    let _uncancelled = Uncancelled::new();
    let name = |text: *const c_char| {
        // SAFETY: it is not null, so it is a string of C, which the caller keeps during this call.
        (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_str().ok()).flatten()
    };
    if let (Some(system::LISTED), Some(system::LISTED)) = (name(to), name(from))
        && let Some(open) = system::iconv_open()
    {
        // SAFETY: both are strings of C.
        return unsafe { open(to, from) };
    }
    let opened = guard::catch(|| {
        let (to, from) = name(to).zip(name(from))?;
        let descriptor = Guarded::new(Descriptor::new(to, from)?);
        Some(Box::new(Handle { owner: Handle::OURS, descriptor }))
    });
    match opened.flatten() {
        Some(descriptor) => Box::into_raw(descriptor).cast(),
        None => {
            set_errno(libc::EINVAL);
            NO_DESCRIPTOR
        }
    }
}

/// Returns what `cd` points to.
///
/// # Safety
///
/// `cd` must be null, or come from [`iconv_open`] or from the system's, and nothing else may use it at the same time.
unsafe fn owner<'a>(cd: IconvT) -> Owner<'a> {
    let handle = cd.cast::<Handle>();
    if handle.is_null() || cd == NO_DESCRIPTOR {
        return Owner::Nobody;
    }
    // SAFETY: by the contract it is a descriptor. Either kind begins with a number of this size, so reading `owner` is
    // valid. Only one that begins with our number comes from `Box::into_raw` and is a `Handle`.
    unsafe {
        match (*handle).owner {
            Handle::OURS => Owner::Ours(&mut *handle),
            _ => Owner::System,
        }
    }
}

/// Returns the length of a buffer of `len` bytes; `None` if it would extend beyond the last address. Some programs
/// count below zero by mistake and pass such a length; glibc converts nothing then. A length that does not reach so
/// far, but is longer than Rust allows, means "enough" and is shortened.
fn length(start: *const c_char, len: usize) -> Option<usize> {
    start.addr().checked_add(len).map(|_| len.min(MOST))
}

/// Returns the buffer at `*start`, which is empty if `start` or `*start` is null; `None` if it cannot have `len` bytes.
///
/// # Safety
///
/// `start` must be null or valid, and `*start` null or valid for `len` bytes during `'a`.
unsafe fn input<'a>(start: *mut *mut c_char, len: usize) -> Option<&'a [u8]> {
    // SAFETY: by the contract, each is valid if it is not null.
    unsafe {
        match start.as_ref() {
            Some(bytes) if !bytes.is_null() => {
                length(*bytes, len).map(|len| slice::from_raw_parts(bytes.cast(), len))
            }
            _ => Some(&[]),
        }
    }
}

/// Returns the output at `*start`, without room if it cannot have `len` bytes; `None` if `start` or `*start` is null.
/// Only the bytes that are written have to exist: the length may be wrong, as long as the text that is written fits.
/// That is why the output is no slice.
///
/// # Safety
///
/// As for [`input`]; nothing else may use the bytes.
unsafe fn output<'a>(start: *mut *mut c_char, len: usize) -> Option<OutputCursor<'a>> {
    // SAFETY: by the contract, each is valid if it is not null.
    unsafe {
        match start.as_ref() {
            Some(bytes) if !bytes.is_null() => {
                Some(OutputCursor::new(*bytes, length(*bytes, len).unwrap_or(0)))
            }
            _ => None,
        }
    }
}

/// Converts from `*inbuf` to `*outbuf`, and moves both past what was read and written.
///
/// Without input it ends the text: it writes the held bytes and what returns the output to its initial state. Without
/// output either, it drops both. Returns the number of characters that were transliterated, or left out as `iconvctl`
/// requested. Ill-formed bytes are not counted.
///
/// Returns `(size_t) -1` with errno E2BIG if the next character has no room, EILSEQ if it is ill-formed or the target
/// lacks it, EINVAL if the input ends inside it, EBADF if `cd` is not a descriptor. With `//IGNORE`, EILSEQ at the end
/// of the input says that something before it was left out.
///
/// # Safety
///
/// `cd` must be a descriptor, of this library or of the system's, and be used by one thread at a time. Each pointer
/// must be null or valid, and the buffers valid for as many bytes as said; they must not overlap.
#[cfg_attr(not(any(test, fuzzing)), unsafe(no_mangle))]
pub unsafe extern "C" fn iconv(
    cd: IconvT,
    inbuf: *mut *mut c_char,
    inbytesleft: *mut usize,
    outbuf: *mut *mut c_char,
    outbytesleft: *mut usize,
) -> usize {
    cancellation::take_out();
    // SAFETY: by the contract of this function.
    let handle = match unsafe { owner(cd) } {
        Owner::Ours(handle) => Some(handle),
        Owner::Nobody => None,
        Owner::System => match system::iconv() {
            Some(iconv) => {
                let _uncancelled = Uncancelled::new();
                // SAFETY: the system's descriptor, with the arguments of a function of the same contract.
                return unsafe { iconv(cd, inbuf, inbytesleft, outbuf, outbytesleft) };
            }
            None => None,
        },
    };
    // SAFETY: by the contract of this function. A missing length counts as 0.
    let (from, to) = unsafe {
        let len = |left: *mut usize| left.as_ref().copied().unwrap_or(0);
        (input(inbuf, len(inbytesleft)), output(outbuf, len(outbytesleft)))
    };
    // SAFETY: by the contract, a pointer that is not null is valid.
    let ends = unsafe { inbuf.as_ref() }.is_none_or(|bytes| bytes.is_null());
    // POSIX distinguishes by null pointers: without input, the text ends; without output either, it is dropped. Input
    // without output converts into a buffer without room, so E2BIG says that there is something to write.
    let answer = handle.and_then(|handle| {
        handle.descriptor.call(|descriptor| match (ends, from, to) {
            (true, _, Some(to)) => descriptor.finish(to),
            (true, _, None) => descriptor.reset(),
            (false, Some(from), to) => {
                descriptor.convert(from, to.unwrap_or(OutputCursor::NOTHING))
            }
            (false, None, _) => Answer::error(libc::EINVAL),
        })
    });
    let Answer { read, written, result } = answer.unwrap_or(Answer::error(libc::EBADF));
    // SAFETY: by the contract. Only as many bytes were read and written as there were, and 0 if there was no buffer.
    unsafe {
        advance(inbuf, inbytesleft, read);
        advance(outbuf, outbytesleft, written);
    }
    result.unwrap_or_else(|error| {
        set_errno(error);
        ERROR
    })
}

/// Moves a buffer past its first bytes.
///
/// # Safety
///
/// If `by` is not 0, both must be valid, and the buffer have as many bytes.
unsafe fn advance(start: *mut *mut c_char, left: *mut usize, by: usize) {
    if by > 0 {
        // SAFETY: by the contract.
        unsafe {
            *start = (*start).add(by);
            *left -= by;
        }
    }
}

/// Closes a conversion.
///
/// Returns -1 with errno EBADF if `cd` is null or `(iconv_t) -1`, otherwise 0.
///
/// # Safety
///
/// `cd` must be a descriptor, of this library or of the system's, and not be used again.
#[cfg_attr(not(any(test, fuzzing)), unsafe(no_mangle))]
pub unsafe extern "C" fn iconv_close(cd: IconvT) -> c_int {
    let _uncancelled = Uncancelled::new();
    // SAFETY: by the contract of this function.
    let close = match unsafe { owner(cd) } {
        Owner::Ours(handle) => {
            // SAFETY: it comes from `Box::into_raw`, and is not used again.
            let handle = unsafe { Box::from_raw(handle) };
            guard::catch(|| drop(handle));
            return 0;
        }
        // Looked up only here, because the lookup changes what dlerror() returns.
        Owner::System => system::iconv_close(),
        Owner::Nobody => None,
    };
    match close {
        // SAFETY: the system's descriptor.
        Some(close) => unsafe { close(cd) },
        None => {
            set_errno(libc::EBADF);
            -1
        }
    }
}

/// Queries or changes how a descriptor converts, with the requests of GNU libiconv. docs/c-library.md lists them.
///
/// Returns 0, or -1 with errno EINVAL for an unknown request or a null argument, or EBADF.
///
/// # Safety
///
/// `cd` must be a descriptor, of this library or of the system's, and be used by one thread at a time. `argument` must
/// be null or point to an `int`.
#[cfg_attr(not(any(test, fuzzing)), unsafe(no_mangle))]
pub unsafe extern "C" fn iconvctl(cd: IconvT, request: c_int, argument: *mut c_void) -> c_int {
    let _uncancelled = Uncancelled::new();
    // SAFETY: by the contract of this function. If the request takes another kind of argument, what it points to is not
    // read.
    let (owner, argument) = unsafe { (owner(cd), argument.cast::<c_int>().as_mut()) };
    let done = match owner {
        Owner::Ours(handle) => handle.descriptor.call(|it| it.control(request, argument)),
        Owner::System | Owner::Nobody => None,
    };
    match done.unwrap_or(Err(libc::EBADF)) {
        Ok(()) => 0,
        Err(error) => {
            set_errno(error);
            -1
        }
    }
}

#[cfg(test)]
mod tests;
