//! Memory between inaccessible pages: whatever reads or writes outside of it ends the process, also without
//! AddressSanitizer.

use memmap2::MmapMut;
use rustix::mm::{MprotectFlags, mprotect};

/// Some pages of memory between two inaccessible ones.
pub struct Fenced {
    memory: MmapMut,
    page: usize,
    pages: usize,
}

impl Fenced {
    /// Maps memory for `bytes` bytes.
    ///
    /// # Panics
    ///
    /// If the system has none.
    pub fn new(bytes: usize) -> Self {
        let page = rustix::param::page_size();
        let pages = bytes.div_ceil(page);
        let mut memory = MmapMut::map_anon((pages + 2) * page).expect("memory");
        for fence in [0, (pages + 1) * page] {
            // SAFETY: this page belongs to this map alone, and no reference to it is ever made.
            unsafe {
                mprotect(memory.as_mut_ptr().add(fence).cast(), page, MprotectFlags::empty())
            }
            .expect("a page of the map");
        }
        Self { memory, page, pages }
    }

    /// Returns `len` bytes, just before the fence after them or just after the fence before them.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    pub fn bytes(&mut self, len: usize, at_end: bool) -> &mut [u8] {
        assert!(len <= self.pages * self.page);
        let start = if at_end { (self.pages + 1) * self.page - len } else { self.page };
        // SAFETY: these bytes are between the fences, and all the memory is uniquely borrowed.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().add(start), len) }
    }
}
