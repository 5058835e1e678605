//! Memory between inaccessible pages. Any access outside of it crashes the process, even without AddressSanitizer.

use memmap2::MmapMut;
use rustix::mm::{MprotectFlags, mprotect};

/// Pages of memory between two inaccessible ones.
pub struct Fenced {
    memory: MmapMut,
    page: usize,
    pages: usize,
}

impl Fenced {
    /// Maps at least `bytes` bytes.
    ///
    /// # Panics
    ///
    /// If the memory cannot be mapped.
    pub fn new(bytes: usize) -> Self {
        let page = rustix::param::page_size();
        let pages = bytes.div_ceil(page);
        let mut memory = MmapMut::map_anon((pages + 2) * page).expect("memory can be mapped");
        for fence in [0, (pages + 1) * page] {
            // SAFETY: the page belongs to this mapping alone, and no reference to it is ever made.
            unsafe {
                mprotect(memory.as_mut_ptr().add(fence).cast(), page, MprotectFlags::empty())
            }
            .expect("the page is mapped");
        }
        Self { memory, page, pages }
    }

    /// Returns `len` bytes that end at the second fence if `at_end`, or else begin right after the first one.
    ///
    /// # Panics
    ///
    /// If fewer bytes are mapped.
    pub fn bytes(&mut self, len: usize, at_end: bool) -> &mut [u8] {
        assert!(len <= self.pages * self.page);
        let start = if at_end { (self.pages + 1) * self.page - len } else { self.page };
        // SAFETY: the bytes are between the fences, and `&mut self` borrows the whole mapping exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().add(start), len) }
    }
}
