//! A mapped file, out of which bytes are copied.
//!
//! A map shows what the file is at each moment, and where the file has become shorter, a program that touches it gets SIGBUS.
//! So nothing works on it: [`Map::copy_at`] copies bytes out, checks that they were there, and is the only place that touches
//! it. The handler of SIGBUS puts a page of zeros where one is missing, so that the copy ends; what was copied is then dropped.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use memmap2::{Advice, Mmap, MmapOptions};

/// A mapped part of a file.
#[derive(Debug)]
pub(super) struct Map {
    map: Mmap,
    /// Where it begins in the file.
    start: u64,
    /// Whether a page of it was missing once. It holds zeros since.
    is_broken: AtomicBool,
}

impl Map {
    /// Maps these bytes of a file.
    ///
    /// # Errors
    ///
    /// If the system cannot map them. To read them may still be possible.
    pub(super) fn new(file: &File, range: Range<u64>) -> io::Result<Self> {
        let len =
            usize::try_from(range.end.saturating_sub(range.start)).map_err(io::Error::other)?;
        install()?;
        // SAFETY: another program may change the file at any time, and no reference to the bytes of the map exists: they are
        // copied out by `copy_at`, which relies on no value of any of them, and under which SIGBUS is handled.
        let map = unsafe { MmapOptions::new().offset(range.start).len(len).map(file)? };
        // Only advice: without it, reading still works.
        let _ = map.advise(Advice::Sequential);
        Ok(Self { map, start: range.start, is_broken: AtomicBool::new(false) })
    }

    /// Copies the bytes at `place` of the file, as many as are mapped and there is room for, and returns their number; `None`
    /// unless all of them were there. To read them tells why, or brings them back.
    pub(super) fn copy_at(&self, file: &File, place: u64, room: &mut [u8]) -> Option<usize> {
        let at = usize::try_from(place.checked_sub(self.start)?).ok()?;
        let len = self.map.len().checked_sub(at)?.min(room.len());
        // SAFETY: both are valid for `len` bytes and do not overlap; no reference to the bytes of the map is made.
        let was_missing = unsafe { copy_out(self.map.as_ptr().add(at), &mut room[..len]) };
        if was_missing {
            self.is_broken.store(true, Ordering::Relaxed);
        }
        // Between the new end of a file and the end of its page there are zeros and no signal.
        let is_there = || file.metadata().is_ok_and(|now| now.len() >= place + len as u64);
        (len > 0 && !self.is_broken.load(Ordering::Relaxed) && is_there()).then_some(len)
    }
}

/// The bytes that are being copied out, and whether a page of them was missing.
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

/// Copies bytes of a map, and returns whether some of them were missing. One thread at a time: the handler of SIGBUS knows one
/// range.
///
/// # Safety
///
/// `from` must be valid for as many bytes as `to` has, but for what its file does not have any more.
unsafe fn copy_out(from: *const u8, to: &mut [u8]) -> bool {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    COPYING.was_missing.store(false, Ordering::Relaxed);
    COPYING.start.store(from as usize, Ordering::Relaxed);
    COPYING.end.store(from as usize + to.len(), Ordering::SeqCst);
    // SAFETY: as the caller says. What another process writes meanwhile may be copied half old and half new, which the copy
    // may be.
    unsafe { from.copy_to_nonoverlapping(to.as_mut_ptr(), to.len()) };
    COPYING.end.store(0, Ordering::SeqCst);
    COPYING.was_missing.load(Ordering::Relaxed)
}

/// What SIGBUS did before.
static PREVIOUS: OnceLock<libc::sigaction> = OnceLock::new();

/// Installs the handler, once per process.
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
    // Not ours: restore the previous handler, which the same access reaches when it is retried.
    if let Some(previous) = PREVIOUS.get() {
        // SAFETY: `previous` came from the system itself.
        unsafe { libc::sigaction(libc::SIGBUS, previous, std::ptr::null_mut()) };
    }
}

/// Maps a page of zeros over the page that contains `address`; async-signal-safe.
fn zero_page_at(address: usize) -> bool {
    // SAFETY: `sysconf` has no preconditions. The page lies in a map that is being copied out; its owner unmaps it with the
    // rest.
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
        let (start, len) = (PAGE as u64, 3 * PAGE as u64);
        let map = Map::new(&file, start..len).unwrap();
        let mut room = vec![0; PAGE + 10];
        assert_eq!(map.copy_at(&file, start, &mut room), Some(PAGE + 10));
        assert!(room.iter().all(|byte| *byte == b'a'));
        assert_eq!(map.copy_at(&file, len - 5, &mut room), Some(5));
        assert_eq!(map.copy_at(&file, len, &mut room), None);
        assert_eq!(map.copy_at(&file, 0, &mut room), None, "not mapped");
        // The rest of the last page is zeros.
        file.set_len(len - 5).unwrap();
        assert_eq!(map.copy_at(&file, len - 10, &mut room), None);
        assert_eq!(map.copy_at(&file, len - 10, &mut room[..5]), Some(5));
        file.set_len(start).unwrap();
        assert_eq!(map.copy_at(&file, start, &mut room), None);
        // Where zeros were put, nothing is copied again, whatever the file is now.
        file.set_len(len).unwrap();
        assert_eq!(map.copy_at(&file, start, &mut room), None);
    }

    #[test]
    fn threads_that_copy_at_the_same_time_all_learn_what_was_missing() {
        const PAGE: usize = 64 * 1024;
        let file = tempfile::tempfile().unwrap();
        file.set_len(8 * PAGE as u64).unwrap();
        let map = Map::new(&file, 0..8 * PAGE as u64).unwrap();
        file.set_len(4 * PAGE as u64).unwrap();
        std::thread::scope(|scope| {
            for number in 0..8 {
                let (map, file) = (&map, &file);
                scope.spawn(move || {
                    let copied = map.copy_at(file, number * PAGE as u64, &mut vec![0; PAGE]);
                    assert!(number < 4 || copied.is_none());
                });
            }
        });
    }
}
