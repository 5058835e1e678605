//! A competitor for `benches/cli`: converts a file with the best build of simdutf, as simdutf's own tool does. One
//! thread reads 1 MiB, converts it, writes the result, and repeats.
//!
//! ```text
//! sutf -f FROM -t TO FILE [-o OUTPUT]      from UTF-8 to UTF-16LE or UTF-32LE, or back
//! ```

use std::fs::File;
use std::io::{self, Read, Write};

mod simdutf;

const BLOCK: usize = 1 << 20;

/// Converts input that begins and ends on character boundaries. Returns the number of bytes written, or 0 if the input
/// is ill-formed.
type Convert = fn(&[u8], &mut [u32]) -> usize;

fn units<A, B>(
    function: unsafe fn(*const A, usize, *mut B) -> usize,
    from: &[u8],
    to: &mut [u32],
) -> usize {
    // SAFETY: the output has room for four bytes per byte of input, and both buffers are aligned for 32-bit units.
    let written = unsafe {
        function(from.as_ptr().cast(), from.len() / size_of::<A>(), to.as_mut_ptr().cast())
    };
    written * size_of::<B>()
}

fn function(from: &str, to: &str) -> Option<Convert> {
    Some(match (from, to) {
        ("UTF-8", "UTF-16LE") => |a, b| units(simdutf::convert_utf8_to_utf16le, a, b),
        ("UTF-8", "UTF-32LE") => |a, b| units(simdutf::convert_utf8_to_utf32, a, b),
        ("UTF-16LE", "UTF-8") => |a, b| units(simdutf::convert_utf16le_to_utf8, a, b),
        ("UTF-32LE", "UTF-8") => |a, b| units(simdutf::convert_utf32_to_utf8, a, b),
        _ => return None,
    })
}

/// Returns the length without a character that is truncated at the end.
fn whole(form: &str, bytes: &[u8]) -> usize {
    let cut = match (form, bytes) {
        ("UTF-8", [.., last]) if *last >= 0xC0 => 1,
        ("UTF-8", [.., second, _]) if *second >= 0xE0 => 2,
        ("UTF-8", [.., third, _, _]) if *third >= 0xF0 => 3,
        ("UTF-16LE", [.., high]) if bytes.len() % 2 == 0 && high & 0xFC == 0xD8 => 2,
        ("UTF-16LE", _) => bytes.len() % 2,
        ("UTF-32LE", _) => bytes.len() % 4,
        _ => 0,
    };
    bytes.len() - cut
}

fn main() -> io::Result<()> {
    let (mut from, mut to, mut input, mut output) = (String::new(), String::new(), None, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().expect("a value");
        match argument.as_str() {
            "-f" => from = value(),
            "-t" => to = value(),
            "-o" => output = Some(value()),
            _ => input = Some(argument),
        }
    }
    let convert = function(&from, &to).expect("a pair that it knows");
    let mut input = File::open(input.expect("a file"))?;
    let mut output: Box<dyn Write> = match output {
        Some(path) => Box::new(File::create(path)?),
        None => Box::new(unbuffered()?),
    };
    // Buffers of `u32` are aligned for every code unit.
    let mut read = vec![0_u32; BLOCK / 4 + 1];
    let mut converted = vec![0_u32; BLOCK + 4];
    let mut held = 0;
    loop {
        let (bytes, end) = {
            // SAFETY: every bit pattern is valid for both `u8` and `u32`, and the slice covers exactly `read`.
            let bytes = unsafe {
                std::slice::from_raw_parts_mut(read.as_mut_ptr().cast::<u8>(), 4 * read.len())
            };
            let end = held + input.read(&mut bytes[held..BLOCK])?;
            (bytes, end)
        };
        if end == held {
            assert_eq!(held, 0, "the input ends inside a character");
            return Ok(());
        }
        let len = whole(&from, &bytes[..end]);
        let written = convert(&bytes[..len], &mut converted);
        assert!(written > 0 || len == 0, "the input is ill-formed");
        // SAFETY: `converted` begins with the `written` bytes of the conversion.
        output
            .write_all(unsafe { std::slice::from_raw_parts(converted.as_ptr().cast(), written) })?;
        bytes.copy_within(len..end, 0);
        held = end - len;
    }
}

/// Returns standard output without the standard library's line buffering, which would scan every block for line feeds.
fn unbuffered() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}
