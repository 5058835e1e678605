//! The register of unfinished files: what to remove if the process is ended by a signal.
//!
//! ```text
//! thread:   add ─► enter, create, leave ─► … ─► enter, rename, leave ─► take
//! handler:  end: no section begins any more ─► wait until none is open ─► take every path, remove the file
//! ```
//!
//! The handler runs in any thread at any moment, possibly in the middle of an allocation or while a lock is held. So it
//! can use neither a lock nor the allocator, and reads a list of atomic pointers instead. Nodes are only ever added or
//! reused, never freed, so walking the list is always safe. A node owns its path through a raw pointer, and whoever
//! swaps the pointer for null owns the path from then on: the thread that is done with the file, or the handler, never
//! both.
//!
//! A file exists under its temporary name only while its path is in the register. Sections close the gap between the
//! two: without them, the handler could look for a file just before the thread creates it, and it would stay. Renames
//! are in sections too, so that no file is completed after the handler has said how many are.

use std::ffi::{CStr, CString, c_char};
use std::ptr;
use std::time::{Duration, Instant};

use crate::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering, fence};

/// How long [`UnfinishedRegister::end`] waits for open sections before it gives up. A section that hangs in a system
/// call, as on a network file system that does not answer, can delay the end of the process, but not prevent it.
/// Windows leaves a process five seconds after its console was closed.
const MAX_WAIT: Duration = Duration::from_secs(4);

pub(super) struct UnfinishedRegister {
    first: AtomicPtr<RegisterNode>,
    /// Whether the process is about to end.
    ending: AtomicBool,
    open_sections: AtomicUsize,
}

struct RegisterNode {
    /// The path of an unfinished file, or null.
    path: AtomicPtr<c_char>,
    next: *const RegisterNode,
}

impl UnfinishedRegister {
    #[cfg(not(all(test, loom)))]
    pub(super) const fn new() -> Self {
        Self {
            first: AtomicPtr::new(ptr::null_mut()),
            ending: AtomicBool::new(false),
            open_sections: AtomicUsize::new(0),
        }
    }

    /// Not `const`, because loom creates its atomics at run time.
    #[cfg(all(test, loom))]
    pub(super) fn new() -> Self {
        Self {
            first: AtomicPtr::new(ptr::null_mut()),
            ending: AtomicBool::new(false),
            open_sections: AtomicUsize::new(0),
        }
    }

    /// Adds the path of a file that is about to be created, in a free node or a new one. So the list has only as many
    /// nodes as there were unfinished files at the same time, however many files the run has.
    ///
    /// A new node is linked in by compare and exchange, as on a lock-free stack. The usual danger of that, a head that
    /// was removed and added again in between (ABA), does not exist here, because no node is ever removed.
    pub(super) fn add(&self, path: CString) -> RegisterEntry {
        let path = path.into_raw();
        for node in self.nodes() {
            let free = node.path.compare_exchange(
                ptr::null_mut(),
                path,
                Ordering::SeqCst,
                Ordering::SeqCst,
            );
            if free.is_ok() {
                return RegisterEntry(&node.path);
            }
        }
        let node =
            Box::leak(Box::new(RegisterNode { path: AtomicPtr::new(path), next: ptr::null() }));
        let mut first = self.first.load(Ordering::SeqCst);
        loop {
            node.next = first;
            match self.first.compare_exchange(first, node, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(_) => return RegisterEntry(&node.path),
                Err(other) => first = other,
            }
        }
    }

    /// Opens a section, which [`UnfinishedRegister::end`] will wait for. Returns `None` if that has been called.
    ///
    /// Each side first writes its own variable and then reads the other's: this one `open_sections` and `ending`, `end`
    /// the other way round. The fences order each write before the read that follows it, so at least one side sees the
    /// other. Either this thread sees `ending` and backs off, or `end` sees the section and waits.
    pub(super) fn enter(&self) -> Option<OpenSection<'_>> {
        self.open_sections.fetch_add(1, Ordering::SeqCst);
        let open = OpenSection(self);
        fence(Ordering::SeqCst);
        (!self.ending.load(Ordering::SeqCst)).then_some(open)
    }

    /// Lets no further section begin, waits with `wait` until none is open, and calls `remove` with every path. The
    /// register is empty afterwards. Returns `false` and does nothing if it was called before.
    /// A path may be in the register although its file does not exist: the file is not created yet, and now never will
    /// be, or it was renamed and the thread has not taken the path yet. Removing it then fails, which does no harm.
    ///
    /// It is called by a signal handler, so it neither allocates nor frees anything: the paths are leaked.
    pub(super) fn end(&self, wait: impl Fn(), remove: impl Fn(&CStr)) -> bool {
        if self.ending.swap(true, Ordering::SeqCst) {
            return false;
        }
        fence(Ordering::SeqCst);
        // The clock may be read in a signal handler (`clock_gettime` in POSIX.1-2024, 2.4.3).
        let begun = Instant::now();
        while self.open_sections.load(Ordering::SeqCst) != 0 && begun.elapsed() < MAX_WAIT {
            wait();
        }
        for node in self.nodes() {
            let path = node.path.swap(ptr::null_mut(), Ordering::SeqCst);
            if !path.is_null() {
                // SAFETY: it came from `CString::into_raw`, and whoever takes it out of the list owns it.
                remove(unsafe { CStr::from_ptr(path) });
            }
        }
        true
    }

    fn nodes(&self) -> impl Iterator<Item = &'static RegisterNode> + use<> {
        let mut next = self.first.load(Ordering::SeqCst).cast_const();
        std::iter::from_fn(move || {
            // SAFETY: a pointer in the list is null or points to a node that was leaked when it was added.
            let node = unsafe { next.as_ref() }?;
            next = node.next;
            Some(node)
        })
    }
}

/// An open section, which dropping this closes.
pub(super) struct OpenSection<'r>(&'r UnfinishedRegister);

impl Drop for OpenSection<'_> {
    fn drop(&mut self) {
        self.0.open_sections.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A path in the register.
#[derive(Debug)]
pub(super) struct RegisterEntry(&'static AtomicPtr<c_char>);

impl RegisterEntry {
    /// Takes the path out of the register. Returns `None` if [`UnfinishedRegister::end`] has taken it.
    pub(super) fn take(&self) -> Option<CString> {
        let path = self.0.swap(ptr::null_mut(), Ordering::SeqCst);
        // SAFETY: it came from `CString::into_raw`, and whoever takes it out of the list owns it.
        (!path.is_null()).then(|| unsafe { CString::from_raw(path) })
    }
}

#[cfg(all(test, loom))]
mod model {
    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    /// A directory with one target, and a temporary file per thread.
    struct RegisterModel {
        register: UnfinishedRegister,
        temporary: [AtomicBool; 2],
        replaced: AtomicUsize,
    }

    impl RegisterModel {
        fn new() -> Arc<Self> {
            Arc::new(Self {
                register: UnfinishedRegister::new(),
                temporary: [AtomicBool::new(false), AtomicBool::new(false)],
                replaced: AtomicUsize::new(0),
            })
        }

        /// Replaces the target as `Temporary` does; `None` if the process ends meanwhile.
        fn replace(&self, number: u8) -> Option<()> {
            let temporary = &self.temporary[usize::from(number)];
            let place = self.register.add(CString::new([b'0' + number]).unwrap());
            let section = self.register.enter()?;
            temporary.store(true, Ordering::SeqCst);
            drop(section);
            let section = self.register.enter()?;
            temporary.store(false, Ordering::SeqCst);
            self.replaced.fetch_add(1, Ordering::SeqCst);
            drop(section);
            place.take().map(drop)
        }

        /// Ends the process as the handler does. Returns whether it did, and how often the target had been replaced by
        /// then.
        fn end(&self) -> (bool, usize) {
            let ended = self.register.end(thread::yield_now, |path| {
                let number = usize::from(path.to_bytes()[0] - b'0');
                self.temporary[number].store(false, Ordering::SeqCst);
            });
            (ended, self.replaced.load(Ordering::SeqCst))
        }

        /// Checks what is left after the end.
        fn check(&self, replaced: usize) {
            let left = |file: &AtomicBool| file.load(Ordering::SeqCst);
            assert!(!self.temporary.iter().any(left), "a temporary file is left");
            let now = self.replaced.load(Ordering::SeqCst);
            assert_eq!(now, replaced, "a file was replaced after the end had been told");
        }
    }

    #[test]
    fn whenever_the_process_ends_no_temporary_file_is_left_and_none_is_completed_later() {
        loom::model(|| {
            let scene = RegisterModel::new();
            let same = Arc::clone(&scene);
            let working = thread::spawn(move || same.replace(0));
            let (ended, replaced) = scene.end();
            assert!(ended);
            working.join().unwrap();
            scene.check(replaced);
        });
    }

    #[test]
    fn so_it_is_with_two_threads_that_share_the_list() {
        loom::model(|| {
            let scene = RegisterModel::new();
            let threads = [0, 1].map(|number| {
                let same = Arc::clone(&scene);
                thread::spawn(move || same.replace(number))
            });
            let (_, replaced) = scene.end();
            for thread in threads {
                thread.join().unwrap();
            }
            scene.check(replaced);
        });
    }

    #[test]
    fn only_one_thread_ends_the_process() {
        loom::model(|| {
            let scene = RegisterModel::new();
            let same = Arc::clone(&scene);
            let working = thread::spawn(move || same.replace(0).is_some());
            let same = Arc::clone(&scene);
            let other = thread::spawn(move || same.end().0);
            let ended = scene.end().0;
            assert!(ended != other.join().unwrap());
            working.join().unwrap();
        });
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_path_is_taken_once_and_its_node_is_used_again() {
        let register = UnfinishedRegister::new();
        let path = |name: &str| CString::new(name).unwrap();
        let (a, b) = (register.add(path("a")), register.add(path("b")));
        assert_eq!((a.take(), a.take()), (Some(path("a")), None));
        let c = register.add(path("c"));
        assert_eq!(register.nodes().count(), 2);
        assert_eq!((b.take(), c.take()), (Some(path("b")), Some(path("c"))));
    }

    /// The process does not end late for sections that are closed, nor before those that are open.
    #[test]
    fn the_end_waits_for_open_sections_and_for_nothing_else() {
        for (is_open, expected) in [(false, 0), (true, 3)] {
            let (register, waits) = (UnfinishedRegister::new(), Cell::new(0));
            let open = Cell::new(register.enter().filter(|_| is_open));
            let wait = || {
                waits.set(waits.get() + 1);
                if waits.get() == 3 {
                    open.take();
                }
            };
            assert!(register.end(wait, |_| ()));
            assert_eq!(waits.get(), expected);
            assert!(register.enter().is_none() && !register.end(|| (), |_| ()));
        }
    }
}
