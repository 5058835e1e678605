//! Reading a file through a memory map (`--mmap always`).
//!
//! A map is not a snapshot. Its bytes change whenever another program writes to the file, and touching a page past the
//! end of a truncated file raises SIGBUS. So no other code ever sees a map: [`copy_at`] maps a part of the file, copies
//! it to a buffer, and unmaps it.
//!
//! ```text
//! map ─► copy ─┬──────────────────────────────────────────────► length unchanged? ─► bytes
//!              └─ SIGBUS: handler maps zeros over the page,
//!                 sets `was_missing`, the copy continues ─────► bytes dropped, `None`
//! ```
//!
//! The handler cannot unwind out of the copy, so it makes the access succeed instead. For any SIGBUS outside of the
//! range being copied it restores the previous handler, and the same access then raises the signal again.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use memmap2::MmapOptions;

/// Copies the bytes of a file at `offset` to `buffer`, as many as both have, and returns their number.
///
/// Returns `None` if there are none, if the system cannot map the file, or if it was truncated meanwhile. The caller
/// then reads it, which also reports the reason. So this function needs no errors of its own.
pub fn copy_at(file: &File, offset: u64, buffer: &mut [u8]) -> Option<usize> {
    let left = || Some(file.metadata().ok()?.len().saturating_sub(offset));
    let len = usize::try_from(left()?).unwrap_or(usize::MAX).min(buffer.len());
    if len == 0 {
        return None;
    }
    install().ok()?;
    // SAFETY: another program may change the file at any time, but no reference to the bytes of the map is made. They
    // are only copied, which is correct for any value of any byte, while SIGBUS is handled.
    let map = unsafe { MmapOptions::new().offset(offset).len(len).map(file) }.ok()?;
    // SAFETY: both are valid for `len` bytes and do not overlap.
    let was_missing = unsafe { copy_out(map.as_ptr(), &mut buffer[..len]) };
    // A truncated file reads as zeros up to the end of its last page, without a signal, so the length is checked too.
    let is_there = left().is_some_and(|left| left >= len as u64);
    (!was_missing && is_there).then_some(len)
}

/// The address range that is being copied, and whether a page of it was missing. The handler reads it, so it consists
/// of atomics; `end` is stored last and cleared first, and the range is empty while nothing is copied.
struct Copying {
    start: AtomicUsize,
    end: AtomicUsize,
    was_missing: AtomicBool,
}

static COPYING: Copying = Copying {
    start: AtomicUsize::new(0),
    end: AtomicUsize::new(0),
    was_missing: AtomicBool::new(false),
};

/// Copies bytes out of a map, and returns whether some of them were missing. Only one thread copies at a time, because
/// the handler of SIGBUS knows a single range.
///
/// # Safety
///
/// `from` must point to a map of at least `to.len()` bytes. Its file may have been truncated.
unsafe fn copy_out(from: *const u8, to: &mut [u8]) -> bool {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    COPYING.was_missing.store(false, Ordering::Relaxed);
    COPYING.start.store(from as usize, Ordering::Relaxed);
    COPYING.end.store(from as usize + to.len(), Ordering::SeqCst);
    // SAFETY: the map is valid for `to.len()` bytes by the contract, and does not overlap with `to`. A page that its
    // file no longer has is replaced by zeros. Bytes that another process writes meanwhile may be copied half old and
    // half new, which is as good as any other content: the caller relies on none.
    unsafe { from.copy_to_nonoverlapping(to.as_mut_ptr(), to.len()) };
    COPYING.end.store(0, Ordering::SeqCst);
    COPYING.was_missing.load(Ordering::Relaxed)
}

/// The handler of SIGBUS before ours.
static PREVIOUS: OnceLock<libc::sigaction> = OnceLock::new();

/// Installs the handler of SIGBUS, once per process. The previous handler is recorded first: ours may run as soon as it
/// is installed, and must then know where to send a signal that is not for it.
fn install() -> io::Result<()> {
    static DONE: OnceLock<Result<(), i32>> = OnceLock::new();
    let done = DONE.get_or_init(|| {
        // SAFETY: `sigaction` is a C struct for which all zeros is a valid value; both pointers are to live values; the
        // handler has the signature that SA_SIGINFO requires and calls only async-signal-safe functions.
        unsafe {
            let mut previous: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(libc::SIGBUS, std::ptr::null(), &mut previous) != 0 {
                return Err(io::Error::last_os_error().raw_os_error().unwrap_or(0));
            }
            PREVIOUS.get_or_init(|| previous);
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_sigbus as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigemptyset(&mut action.sa_mask);
            if libc::sigaction(libc::SIGBUS, &action, std::ptr::null_mut()) != 0 {
                return Err(io::Error::last_os_error().raw_os_error().unwrap_or(0));
            }
        }
        Ok(())
    });
    done.map_err(io::Error::from_raw_os_error)
}

extern "C" fn on_sigbus(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: with SA_SIGINFO the system passes a valid siginfo, whose address field is set for SIGBUS.
    let address = unsafe { (*info).si_addr() } as usize;
    let copied = COPYING.start.load(Ordering::Relaxed)..COPYING.end.load(Ordering::SeqCst);
    if copied.contains(&address) && zero_page_at(address) {
        COPYING.was_missing.store(true, Ordering::Relaxed);
        return;
    }
    // This access is not ours. It is retried after the handler returns, and then reaches the previous handler.
    if let Some(previous) = PREVIOUS.get() {
        // SAFETY: `previous` came from the system itself.
        unsafe { libc::sigaction(libc::SIGBUS, previous, std::ptr::null_mut()) };
    }
}

/// Maps a page of zeros over the page of `address`. Async-signal-safe.
fn zero_page_at(address: usize) -> bool {
    // SAFETY: `sysconf` has no preconditions. The page lies in a map that is being copied out; its owner unmaps it with
    // the rest.
    unsafe {
        let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
        let start = (address - address % page) as *mut libc::c_void;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
        libc::mmap(start, page, libc::PROT_READ, flags, -1, 0) != libc::MAP_FAILED
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn what_was_copied_was_there() {
        const PAGE: usize = 64 * 1024;
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&vec![b'a'; 3 * PAGE]).unwrap();
        let (start, len) = (PAGE as u64 + 3, 3 * PAGE as u64);
        let mut room = vec![0; PAGE + 10];
        assert_eq!(copy_at(&file, start, &mut room), Some(PAGE + 10));
        assert!(room.iter().all(|byte| *byte == b'a'));
        assert_eq!(copy_at(&file, len - 5, &mut room), Some(5));
        assert_eq!(copy_at(&file, len, &mut room), None);
        assert_eq!(copy_at(&file, len + 1, &mut room), None);
        assert_eq!(copy_at(&file, start, &mut []), None);
    }

    #[test]
    fn threads_that_copy_at_the_same_time_all_learn_what_was_missing() {
        const PAGE: usize = 64 * 1024;
        install().unwrap();
        let file = tempfile::tempfile().unwrap();
        file.set_len(8 * PAGE as u64).unwrap();
        // SAFETY: its bytes are touched by `copy_out` alone.
        let map = unsafe { MmapOptions::new().len(8 * PAGE).map(&file).unwrap() };
        file.set_len(4 * PAGE as u64).unwrap();
        std::thread::scope(|scope| {
            for number in 0..8 {
                let from = map[..].as_ptr().wrapping_add(number * PAGE) as usize;
                scope.spawn(move || {
                    // SAFETY: the map has a page there, and its file what is left of it.
                    let was_missing = unsafe { copy_out(from as *const u8, &mut vec![0; PAGE]) };
                    assert_eq!(was_missing, number >= 4);
                });
            }
        });
    }
}
