//! Mapped files that become shorter: the system answers a read past the new end with SIGBUS. So it does if a disk or a
//! network cannot give a page.
//!
//! Each map has a guard in a fixed table of address ranges. The signal handler finds the range that contains the
//! address, stores the address in that guard, and maps a page of zeros at the address, so that the read succeeds.
//! Whoever reads from a map checks its guard before writing anything made from it, so those zeros are never written.
//!
//! A SIGBUS from anywhere else goes to the previous handler.

use std::io;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The most maps that can be guarded at a time. Further files are read, not mapped.
const SLOTS: usize = 64;

#[derive(Debug)]
struct Slot {
    taken: AtomicBool,
    /// Odd while the range changes, and different after each change.
    version: AtomicUsize,
    start: AtomicUsize,
    end: AtomicUsize,
    /// An address that could not be read; 0 if there is none.
    missing: AtomicUsize,
}

impl Slot {
    /// Sets the range of addresses. Only the owner of the slot calls it.
    fn set(&self, range: Range<usize>) {
        self.version.fetch_add(1, Ordering::AcqRel);
        self.start.store(range.start, Ordering::Release);
        self.end.store(range.end, Ordering::Release);
        self.version.fetch_add(1, Ordering::Release);
    }

    /// Whether `address` is in its range. A range that is being changed does not count: the map of a guard outlives
    /// every read from it.
    fn covers(&self, address: usize) -> bool {
        let version = self.version.load(Ordering::Acquire);
        let range = self.start.load(Ordering::Acquire)..self.end.load(Ordering::Acquire);
        version.is_multiple_of(2)
            && range.contains(&address)
            && self.version.load(Ordering::Acquire) == version
    }
}

static TABLE: [Slot; SLOTS] = [const {
    Slot {
        taken: AtomicBool::new(false),
        version: AtomicUsize::new(0),
        start: AtomicUsize::new(0),
        end: AtomicUsize::new(0),
        missing: AtomicUsize::new(0),
    }
}; SLOTS];

static PREVIOUS: OnceLock<libc::sigaction> = OnceLock::new();

/// The guard of one map. It must be dropped no later than the map.
#[derive(Debug)]
pub(super) struct Guard {
    slot: &'static Slot,
}

impl Guard {
    /// Guards the bytes of a map.
    pub(super) fn new(map: &[u8]) -> io::Result<Self> {
        install()?;
        let slot = TABLE
            .iter()
            .find(|slot| !slot.taken.swap(true, Ordering::Acquire))
            .ok_or_else(|| io::Error::other("too many maps"))?;
        slot.missing.store(0, Ordering::Relaxed);
        let start = map.as_ptr() as usize;
        slot.set(start..start + map.len());
        Ok(Self { slot })
    }

    /// Returns a place in the map that was read and could not be; `None` if every byte that was read was there.
    pub(super) fn missing(&self) -> Option<usize> {
        let address = self.slot.missing.load(Ordering::Acquire);
        (address != 0).then(|| address - self.slot.start.load(Ordering::Acquire))
    }
}

/// Returns the error for a file that became shorter.
pub(super) fn error() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the file became shorter while it was read")
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.slot.set(0..0);
        self.slot.taken.store(false, Ordering::Release);
    }
}

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
    for slot in &TABLE {
        if slot.covers(address) && zero_page_at(address) {
            slot.missing.store(address, Ordering::Release);
            return;
        }
    }
    // Not ours: restore the previous handler, which the same access reaches when it is retried.
    if let Some(previous) = PREVIOUS.get() {
        // SAFETY: `previous` came from the system itself.
        unsafe { libc::sigaction(libc::SIGBUS, previous, std::ptr::null_mut()) };
    }
}

/// Maps a page of zeros over the page that contains `address`; async-signal-safe.
fn zero_page_at(address: usize) -> bool {
    // SAFETY: `sysconf` has no preconditions. The page lies in a mapping that a live guard covers; it can be read only
    // through that mapping, and its owner unmaps it with the rest.
    unsafe {
        let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
        let start = (address - address % page) as *mut libc::c_void;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
        libc::mmap(start, page, libc::PROT_READ, flags, -1, 0) != libc::MAP_FAILED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two threads reuse one slot for two ranges; a third asks for an address that only a mixture of both would
    /// contain.
    #[test]
    fn a_range_is_never_read_half_old_and_half_new() {
        let slot = &TABLE[SLOTS - 1];
        assert!(!slot.taken.swap(true, Ordering::Acquire), "nothing else maps here");
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..300_000 {
                    slot.set(100..200);
                    slot.set(900..1000);
                }
                done.store(true, Ordering::Release);
            });
            while !done.load(Ordering::Acquire) {
                assert!(!slot.covers(500));
            }
        });
        assert!(slot.covers(950) && !slot.covers(150));
        slot.set(0..0);
        slot.taken.store(false, Ordering::Release);
    }
}
