//! Compares kernels in memory: every kernel set of oxiconv that this processor supports, `simdutf`, `encoding_rs` and
//! `std`.
//!
//! ```text
//! cargo bench --manifest-path benches/Cargo.toml [--no-default-features] [-- FILTER [FILE…]]
//! ```
//!
//! `--no-default-features` leaves out `simdutf`, so no C++ compiler is needed for the target. If `SIMDUTF_DIR` names a
//! checkout of simdutf, that is built and measured instead of the release in the crate. `OFFSET` is the distance of
//! each text from the start of a page, in bytes. The default is 0, as in file buffers; `malloc` gives 16.
//!
//! Each output line is one text and one pair of forms. A figure is input in GB per second, the best of many turns. The
//! contestants take turns, so that a busy machine slows all of them equally. In brackets is the speed of oxiconv's best
//! set divided by this speed. `read` and `copy` are the floors: a search for a byte that the text lacks, and a copy of
//! the input. The texts are synthetic, with the character mix of each kind of text. Files given as arguments are
//! measured too.

use std::hint::black_box;
use std::time::{Duration, Instant};

use oxiconv_kernels::{EncodingForm, EncodingForm::*};

#[cfg(feature = "simdutf")]
mod simdutf;
mod texts;
use texts::{TEXTS, encode};

/// The length of each text in bytes: larger than the caches nearest to the core, smaller than the last-level cache.
const SIZE: usize = 256 * 1024;
/// The number of turns for each contestant. There are many short ones, so that at least one runs uninterrupted.
const TURNS: u32 = 300;
/// The minimum duration of a turn.
const TURN: Duration = Duration::from_micros(200);

/// A buffer for texts. It begins `OFFSET` bytes after the start of a page.
struct Buffer {
    memory: Vec<u8>,
    start: usize,
}

impl Buffer {
    fn new(bytes: usize) -> Self {
        const PAGE: usize = 4096;
        let offset = std::env::var("OFFSET").map_or(0, |offset| offset.parse().expect("a number"));
        let memory = vec![0; bytes + PAGE + offset];
        let start = memory.as_ptr().align_offset(PAGE) + offset;
        Self { memory, start }
    }

    fn bytes(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..]
    }
}

struct Contestant<'a> {
    name: &'a str,
    run: Box<dyn Fn(&[u8], &mut [u8]) + 'a>,
    best: Duration,
}

impl<'a> Contestant<'a> {
    fn new(name: &'a str, run: impl Fn(&[u8], &mut [u8]) + 'a) -> Self {
        Self { name, run: Box::new(run), best: Duration::MAX }
    }

    /// Repeats the conversion for [`TURN`] and records the mean duration if it is the best so far.
    fn turn(&mut self, input: &[u8], output: &mut [u8]) {
        let start = Instant::now();
        let mut runs = 0;
        let took = loop {
            (self.run)(black_box(input), black_box(&mut *output));
            runs += 1;
            let took = start.elapsed();
            if took >= TURN {
                break took;
            }
        };
        self.best = self.best.min(took / runs);
    }
}

/// Runs the contestants in turn. They share their buffers, so that none benefits from better placed pages.
fn race(what: &str, input: &[u8], output: &mut [u8], mut contestants: Vec<Contestant<'_>>) {
    for _ in 0..TURNS {
        for contestant in &mut contestants {
            contestant.turn(input, output);
        }
    }
    let ours = contestants[0].best;
    print!("{what:<28}");
    for contestant in &contestants {
        let speed = input.len() as f64 / contestant.best.as_secs_f64() / 1e9;
        let ratio = contestant.best.as_secs_f64() / ours.as_secs_f64();
        print!("  {} {speed:.1} [{ratio:.2}]", contestant.name);
    }
    println!();
}

type Function = Box<dyn Fn(&[u8], &mut [u8])>;

#[cfg(not(feature = "simdutf"))]
fn simdutf(_: EncodingForm, _: EncodingForm) -> Option<Function> {
    None
}

/// Returns simdutf's function for a pair, if it has one. The function casts both buffers to the code units it expects.
#[cfg(feature = "simdutf")]
fn simdutf(from: EncodingForm, to: EncodingForm) -> Option<Function> {
    type Unsafe<A, B> = unsafe fn(*const A, usize, *mut B) -> usize;
    fn of<A: 'static, B: 'static>(function: Unsafe<A, B>) -> Option<Function> {
        Some(Box::new(move |input, output| {
            // SAFETY: the output has room for the longest sequence per code unit; both buffers are aligned for their
            // units.
            black_box(unsafe {
                function(
                    input.as_ptr().cast(),
                    input.len() / size_of::<A>(),
                    output.as_mut_ptr().cast(),
                )
            });
        }))
    }
    match (from, to) {
        (Utf8, Utf16Le) => of(simdutf::convert_utf8_to_utf16le),
        (Utf8, Utf16Be) => of(simdutf::convert_utf8_to_utf16be),
        (Utf8, Utf32Le) => of(simdutf::convert_utf8_to_utf32),
        (Utf8, Latin1) => of(simdutf::convert_utf8_to_latin1),
        (Utf16Le, Utf8) => of(simdutf::convert_utf16le_to_utf8),
        (Utf16Be, Utf8) => of(simdutf::convert_utf16be_to_utf8),
        (Utf16Le, Utf32Le) => of(simdutf::convert_utf16le_to_utf32),
        (Utf32Le, Utf8) => of(simdutf::convert_utf32_to_utf8),
        (Utf32Le, Utf16Le) => of(simdutf::convert_utf32_to_utf16le),
        (Latin1, Utf8) => of(simdutf::convert_latin1_to_utf8),
        (Latin1, Utf16Le) => of(simdutf::convert_latin1_to_utf16le),
        (Utf16Le, Utf16Be) => {
            Some(Box::new(|input, output| {
                // SAFETY: as above.
                unsafe {
                    simdutf::change_endianness_utf16(
                        input.as_ptr().cast(),
                        input.len() / 2,
                        output.as_mut_ptr().cast(),
                    );
                }
            }))
        }
        _ => None,
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let filter = arguments.first().map_or("", String::as_str);
    let mut texts: Vec<(String, String)> = TEXTS
        .iter()
        .map(|(name, words)| ((*name).to_owned(), words.repeat(SIZE / words.len())))
        .collect();
    for file in arguments.iter().skip(1) {
        let text = std::fs::read_to_string(file).expect("a file of UTF-8");
        let end = text.floor_char_boundary(SIZE.min(text.len()));
        let name = file.rsplit('/').next().unwrap_or(file).to_owned();
        texts.push((name, text[..end].to_owned()));
    }
    let sets = oxiconv_kernels::available();
    println!("sets: {}", sets.iter().map(|set| set.name).collect::<Vec<_>>().join(", "));
    const PAIRS: &[(EncodingForm, EncodingForm)] = &[
        (Utf8, Utf16Le),
        (Utf8, Utf16Be),
        (Utf8, Utf32Le),
        (Utf8, Latin1),
        (Utf16Le, Utf8),
        (Utf16Be, Utf8),
        (Utf16Le, Utf32Le),
        (Utf16Le, Utf16Be),
        (Utf32Le, Utf8),
        (Utf32Le, Utf16Le),
        (Latin1, Utf8),
        (Latin1, Utf16Le),
    ];
    let mut input = Buffer::new(8 * SIZE);
    let mut output = Buffer::new(8 * SIZE);
    for (name, text) in &texts {
        validations(filter, name, text, &sets, &mut input);
        for (from, to) in PAIRS {
            let what = format!("{name} {from:?}>{to:?}");
            if !what.contains(filter) {
                continue;
            }
            let (Some(text), Some(expected)) = (encode(*from, text), encode(*to, text)) else {
                continue;
            };
            let (input, output) = (&mut input.bytes()[..text.len()], output.bytes());
            input.copy_from_slice(&text);
            let mut contestants = Vec::new();
            for set in &sets {
                let kernel = (set.convert)(*from, *to);
                let done = kernel(input, output);
                assert!(
                    (done.read, &output[..done.written]) == (input.len(), &expected[..]),
                    "{what}: {} is wrong",
                    set.name
                );
                contestants.push(Contestant::new(set.name, move |input, output| {
                    black_box(kernel(input, output));
                }));
            }
            if let Some(function) = simdutf(*from, *to) {
                contestants.push(Contestant::new("simdutf", function));
            }
            if (*from, *to) == (Utf8, Utf16Le) {
                contestants.push(Contestant::new("encoding_rs", |input, output| {
                    black_box(encoding_rs::mem::convert_utf8_to_utf16(input, units_mut(output)));
                }));
            }
            if (*from, *to) == (Utf16Le, Utf8) {
                contestants.push(Contestant::new("encoding_rs", |input, output| {
                    black_box(encoding_rs::mem::convert_utf16_to_utf8(units(input), output));
                }));
            }
            // The floor: a kernel that writes as many bytes as it reads cannot beat a copy.
            if from.unit() == to.unit() && (from.unit(), *to) != (1, Utf8) {
                contestants.push(Contestant::new("copy", |input, output| {
                    output[..input.len()].copy_from_slice(input);
                }));
            }
            race(&what, input, output, contestants);
        }
    }
}

fn validations(
    filter: &str,
    name: &str,
    text: &str,
    sets: &[&'static oxiconv_kernels::Kernels],
    input: &mut Buffer,
) {
    for form in [Utf8, Utf16Le, Utf32Le] {
        let what = format!("{name} {form:?}");
        if !format!("{what} validate").contains(filter) {
            continue;
        }
        let text = encode(form, text).expect("these have all");
        let input = &mut input.bytes()[..text.len()];
        input.copy_from_slice(&text);
        let mut contestants = Vec::new();
        for set in sets {
            let kernel = (set.validate)(form);
            assert_eq!(kernel(input), input.len());
            contestants.push(Contestant::new(set.name, move |input, _| {
                black_box(kernel(input));
            }));
        }
        #[cfg(feature = "simdutf")]
        contestants.push(Contestant::new("simdutf", move |input, _| {
            black_box(match form {
                Utf8 => simdutf::validate_utf8(input),
                Utf16Le => simdutf::validate_utf16le(units(input)),
                _ => simdutf::validate_utf32(units(input)),
            });
        }));
        if form == Utf8 {
            contestants.push(Contestant::new("encoding_rs", |input, _| {
                black_box(encoding_rs::Encoding::utf8_valid_up_to(input));
            }));
            contestants.push(Contestant::new("std", |input, _| {
                let _ = black_box(std::str::from_utf8(input));
            }));
        }
        // The floor: a search for an absent byte reads the whole text.
        if let Some(absent) = (0..=0xFF).find(|byte| !input.contains(byte)) {
            contestants.push(Contestant::new("read", move |input, _| {
                black_box(memchr::memchr(absent, input));
            }));
        }
        race(&format!("{what} validate"), input, &mut [], contestants);
        let mut contestants = Vec::new();
        for set in sets {
            let kernel = (set.measure)(form);
            contestants.push(Contestant::new(set.name, move |input, _| {
                black_box(kernel(input));
            }));
        }
        race(&format!("{what} measure"), input, &mut [], contestants);
    }
}

/// Views a text as code units. The buffer must be aligned for them.
fn units<T>(text: &[u8]) -> &[T] {
    // SAFETY: `T` is always an unsigned integer, and every bit pattern is a valid one.
    unsafe { text.align_to() }.1
}

fn units_mut(text: &mut [u8]) -> &mut [u16] {
    // SAFETY: every bit pattern is valid for both `u8` and `u16`.
    unsafe { text.align_to_mut() }.1
}
