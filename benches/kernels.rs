//! Kernels in memory, compared: every set of oxiconv that this processor supports, `simdutf`, `encoding_rs` and `std`.
//!
//! ```text
//! cargo bench --manifest-path benches/Cargo.toml [--no-default-features] [-- FILTER [FILE…]]
//! ```
//!
//! Without default features it does without `simdutf`, and so without a C++ compiler for the target.
//!
//! Each line is one text and one pair of forms. Each figure is the best of many turns, which alternate between the
//! contestants so that a busy machine affects all alike: input in GB per second, and in brackets the ratio of oxiconv's
//! best set to it. `read` and `copy` are floors: a search for a byte that the text lacks, and a copy of the input. The
//! texts are made here, with characters as they occur in each kind of text; files given as arguments are measured too.

use std::hint::black_box;
use std::time::{Duration, Instant};

use oxiconv::internals::kernels::{self, EncodingForm, EncodingForm::*};

mod texts;
use texts::{TEXTS, encode};

/// Bytes of each text: more than the nearest caches hold, less than the last-level cache.
const SIZE: usize = 256 * 1024;
/// The number of turns for each contestant. Many short ones: the best of them is one that nothing interrupted.
const TURNS: u32 = 300;
/// The minimum duration of a turn.
const TURN: Duration = Duration::from_micros(200);

/// One implementation.
struct Contestant<'a> {
    name: &'a str,
    run: Box<dyn FnMut() + 'a>,
    best: Duration,
}

impl<'a> Contestant<'a> {
    fn new(name: &'a str, run: impl FnMut() + 'a) -> Self {
        Self { name, run: Box::new(run), best: Duration::MAX }
    }

    /// Runs one turn: repeats the work for the duration of a turn, and takes the mean.
    fn turn(&mut self) {
        let start = Instant::now();
        let mut runs = 0;
        let took = loop {
            (self.run)();
            runs += 1;
            let took = start.elapsed();
            if took >= TURN {
                break took;
            }
        };
        self.best = self.best.min(took / runs);
    }
}

fn race(what: &str, bytes: usize, mut contestants: Vec<Contestant<'_>>) {
    for _ in 0..TURNS {
        contestants.iter_mut().for_each(Contestant::turn);
    }
    let ours = contestants[0].best;
    print!("{what:<28}");
    for contestant in &contestants {
        let speed = bytes as f64 / contestant.best.as_secs_f64() / 1e9;
        let ratio = contestant.best.as_secs_f64() / ours.as_secs_f64();
        print!("  {} {speed:.1} [{ratio:.2}]", contestant.name);
    }
    println!();
}

/// A function of simdutf.
type Function = Box<dyn Fn(&[u8], &mut [u8])>;

#[cfg(not(feature = "simdutf"))]
fn simdutf(_: EncodingForm, _: EncodingForm) -> Option<Function> {
    None
}

/// Returns simdutf's function for a pair, if it has one; it takes the input in its own units.
#[cfg(feature = "simdutf")]
fn simdutf(from: EncodingForm, to: EncodingForm) -> Option<Function> {
    type Unsafe<A, B> = unsafe fn(*const A, usize, *mut B) -> usize;
    fn of<A: 'static, B: 'static>(function: Unsafe<A, B>) -> Option<Function> {
        Some(Box::new(move |input, output| {
            // SAFETY: the output has room for the longest sequence of every unit; allocations are aligned for both.
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
    let sets = kernels::available();
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
    for (name, text) in &texts {
        validations(filter, name, text, &sets);
        for (from, to) in PAIRS {
            let what = format!("{name} {from:?}>{to:?}");
            let (Some(input), Some(expected)) = (encode(*from, text), encode(*to, text)) else {
                continue;
            };
            if !what.contains(filter) {
                continue;
            }
            let mut buffers = vec![vec![0_u8; 4 * text.len() + 256]; sets.len() + 2];
            let mut contestants = Vec::new();
            let input = &input[..];
            let mut buffers = buffers.iter_mut();
            for set in &sets {
                let output = buffers.next().expect("one for each");
                let kernel = (set.convert)(*from, *to);
                let done = kernel(input, output);
                assert!(
                    (done.read, &output[..done.written]) == (input.len(), &expected[..]),
                    "{what}: {} is wrong",
                    set.name
                );
                contestants.push(Contestant::new(set.name, move || {
                    black_box(kernel(black_box(input), output));
                }));
            }
            let output = buffers.next().expect("one for each");
            if let Some(function) = simdutf(*from, *to) {
                contestants
                    .push(Contestant::new("simdutf", move || function(black_box(input), output)));
            }
            if (*from, *to) == (Utf8, Utf16Le) {
                let mut output = vec![0_u16; text.len() + 1];
                contestants.push(Contestant::new("encoding_rs", move || {
                    black_box(encoding_rs::mem::convert_utf8_to_utf16(
                        black_box(input),
                        &mut output,
                    ));
                }));
            }
            if (*from, *to) == (Utf16Le, Utf8) {
                let units: Vec<u16> = text.encode_utf16().collect();
                let mut output = vec![0_u8; 3 * units.len() + 1];
                contestants.push(Contestant::new("encoding_rs", move || {
                    black_box(encoding_rs::mem::convert_utf16_to_utf8(
                        black_box(&units),
                        &mut output,
                    ));
                }));
            }
            // The floor: nothing that writes as many bytes as it reads is faster than a copy.
            if from.unit() == to.unit() && (from.unit(), *to) != (1, Utf8) {
                let mut output = vec![0_u8; input.len()];
                contestants.push(Contestant::new("copy", move || {
                    black_box(&mut output).copy_from_slice(black_box(input));
                }));
            }
            race(&what, input.len(), contestants);
        }
    }
}

fn validations(filter: &str, name: &str, text: &str, sets: &[&'static kernels::Kernels]) {
    for form in [Utf8, Utf16Le, Utf32Le] {
        let what = format!("{name} {form:?}");
        if !format!("{what} validate").contains(filter) {
            continue;
        }
        let input = &encode(form, text).expect("these have all")[..];
        let mut contestants = Vec::new();
        for set in sets {
            let kernel = (set.validate)(form);
            assert_eq!(kernel(input), input.len());
            contestants.push(Contestant::new(set.name, move || {
                black_box(kernel(black_box(input)));
            }));
        }
        match form {
            Utf8 => {
                #[cfg(feature = "simdutf")]
                contestants.push(Contestant::new("simdutf", || {
                    black_box(simdutf::validate_utf8(black_box(input)));
                }));
                contestants.push(Contestant::new("encoding_rs", || {
                    black_box(encoding_rs::Encoding::utf8_valid_up_to(black_box(input)));
                }));
                contestants.push(Contestant::new("std", || {
                    let _ = black_box(std::str::from_utf8(black_box(input)));
                }));
            }
            Utf16Le => {
                #[cfg(feature = "simdutf")]
                let units: Vec<u16> = text.encode_utf16().collect();
                #[cfg(feature = "simdutf")]
                contestants.push(Contestant::new("simdutf", move || {
                    black_box(simdutf::validate_utf16le(black_box(&units)));
                }));
            }
            _ => {
                #[cfg(feature = "simdutf")]
                let units: Vec<u32> = text.chars().map(u32::from).collect();
                #[cfg(feature = "simdutf")]
                contestants.push(Contestant::new("simdutf", move || {
                    black_box(simdutf::validate_utf32(black_box(&units)));
                }));
            }
        }
        // The floor: a search for a byte that the text lacks.
        let absent = (0..=0xFF).find(|byte| !input.contains(byte)).expect("a text lacks some byte");
        contestants.push(Contestant::new("read", move || {
            black_box(memchr::memchr(absent, black_box(input)));
        }));
        race(&format!("{what} validate"), input.len(), contestants);
        let mut contestants = Vec::new();
        for set in sets {
            let kernel = (set.measure)(form);
            contestants.push(Contestant::new(set.name, move || {
                black_box(kernel(black_box(input)));
            }));
        }
        race(&format!("{what} measure"), input.len(), contestants);
    }
}
