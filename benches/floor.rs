//! The floor of any program that reads a file: maps it, and reads all of its words with as many threads as there are
//! processors. Uses the standard library alone: `rustc -O floor.rs`.
//!
//! ```text
//! floor FILE
//! ```

use std::ffi::{c_int, c_void};
use std::fs::File;
use std::hint::black_box;
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes that a thread takes at a time.
const PIECE: usize = 4 << 20;

unsafe extern "C" {
    fn mmap(at: *mut c_void, len: usize, protection: c_int, flags: c_int, fd: c_int, offset: i64) -> *mut c_void;
}

fn main() {
    let path = std::env::args_os().nth(1).expect("usage: floor FILE");
    let file = File::open(&path).expect("a file that can be read");
    let len = file.metadata().expect("its length").len() as usize;
    if len == 0 {
        return;
    }
    const READ: c_int = 1;
    const SHARED: c_int = 1;
    // SAFETY: a new map, of which nothing else knows.
    let map = unsafe { mmap(std::ptr::null_mut(), len, READ, SHARED, file.as_raw_fd(), 0) };
    assert_ne!(map as isize, -1, "the file can be mapped");
    // SAFETY: the map has that many bytes. Its file is one of the benches', which nobody changes.
    let bytes = unsafe { std::slice::from_raw_parts(map.cast::<u8>(), len) };
    let next = AtomicUsize::new(0);
    let read = || {
        loop {
            let start = next.fetch_add(PIECE, Ordering::Relaxed);
            let Some(rest) = bytes.get(start..).filter(|rest| !rest.is_empty()) else { return };
            let piece = &rest[..PIECE.min(rest.len())];
            let words = piece.as_chunks::<8>().0;
            black_box(words.iter().fold(0, |all, word| all | u64::from_ne_bytes(*word)));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(read);
        }
        read();
    });
}
