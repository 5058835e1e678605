//! The minimum time for any program that reads a file: every word is read, with one thread per processor, and nothing
//! else is done. It needs only the standard library: `rustc --edition 2024 -O floor.rs`.
//!
//! ```text
//! floor blocks|map FILE
//! ```

use std::ffi::{c_int, c_void};
use std::fs::File;
use std::hint::black_box;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The bytes that a thread reads at a time. The buffer stays in its cache.
const BLOCK: usize = 512 << 10;
/// The bytes of a map that a thread takes at a time.
const PIECE: usize = 4 << 20;

fn main() {
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    let [way, path] = &args[..] else { panic!("usage: floor blocks|map FILE") };
    let file = File::open(path).expect("a file that can be read");
    let len = file.metadata().expect("its length").len() as usize;
    let next = AtomicUsize::new(0);
    match way.to_str() {
        Some("blocks") => on_all_processors(|| read_blocks(&file, &next)),
        Some("map") if len > 0 => {
            let map = map(&file, len);
            on_all_processors(|| touch_pieces(map, &next));
        }
        Some("map") => {}
        _ => panic!("no way to read: {way:?}"),
    }
}

fn on_all_processors(read: impl Fn() + Sync) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(&read);
        }
        read();
    });
}

fn read_blocks(file: &File, next: &AtomicUsize) {
    let mut buffer = vec![0; BLOCK];
    loop {
        let start = next.fetch_add(BLOCK, Ordering::Relaxed);
        let mut filled = 0;
        while filled < BLOCK {
            match file.read_at(&mut buffer[filled..], (start + filled) as u64) {
                Ok(0) => break,
                Ok(got) => filled += got,
                Err(error) => panic!("cannot read: {error}"),
            }
        }
        touch(&buffer[..filled]);
        if filled < BLOCK {
            return;
        }
    }
}

fn touch_pieces(bytes: &[u8], next: &AtomicUsize) {
    loop {
        let start = next.fetch_add(PIECE, Ordering::Relaxed);
        let Some(rest) = bytes.get(start..).filter(|rest| !rest.is_empty()) else { return };
        touch(&rest[..PIECE.min(rest.len())]);
    }
}

fn touch(bytes: &[u8]) {
    let words = bytes.as_chunks::<8>().0;
    black_box(words.iter().fold(0, |all, word| all | u64::from_ne_bytes(*word)));
}

unsafe extern "C" {
    fn mmap(at: *mut c_void, len: usize, protection: c_int, flags: c_int, fd: c_int, offset: i64) -> *mut c_void;
}

fn map(file: &File, len: usize) -> &[u8] {
    const READ: c_int = 1;
    const SHARED: c_int = 1;
    // SAFETY: a new map at an address that the system chooses. Nothing else refers to it.
    let map = unsafe { mmap(std::ptr::null_mut(), len, READ, SHARED, file.as_raw_fd(), 0) };
    assert_ne!(map as isize, -1, "the file can be mapped");
    // SAFETY: the map has `len` bytes and is never unmapped. Nothing changes the file during a bench.
    unsafe { std::slice::from_raw_parts(map.cast::<u8>(), len) }
}
