//! A mapped file that another program rewrites while it is converted: the output is what was validated, for every set
//! of kernels that this machine supports, from every form to every form.

mod common;

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use oxiconv::internals::io::{Map, Source};
use oxiconv::internals::kernels::{EncodingForm, available};

/// Bytes of the file: more than one window of anything.
const LEN: usize = 32 * 1024;

/// Returns two well-formed texts of a form with the same length in bytes. A mixture of both is not well-formed if one
/// ends within a character of the other, or if a character is read half from one and half from the other.
fn texts(form: EncodingForm) -> [Vec<u8>; 2] {
    let encode = |text: &str| -> Vec<u8> {
        match form {
            EncodingForm::Ascii | EncodingForm::Latin1 => {
                text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
            }
            EncodingForm::Utf8 => text.as_bytes().to_vec(),
            EncodingForm::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            EncodingForm::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            EncodingForm::Utf32Le => {
                text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect()
            }
            EncodingForm::Utf32Be => {
                text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect()
            }
        }
    };
    let (one, other) = match form {
        // All bytes are characters: only characters that the target lacks make a difference.
        EncodingForm::Ascii | EncodingForm::Latin1 => {
            ("abcdefgh".to_owned(), "\u{01}\n\u{7F}AZ 09".to_owned())
        }
        // The second text begins its characters at other places: a first byte of one and later bytes of the other may
        // form a surrogate, or an overlong sequence.
        EncodingForm::Utf8 => {
            ("é€😀a\u{D7FF}ж".to_owned(), "a\u{10FFFF}é\u{FFFF}€\u{7FF}".to_owned())
        }
        EncodingForm::Utf16Le | EncodingForm::Utf16Be => ("😀a".to_owned(), "a😀".to_owned()),
        // Half of one and half of the other is above 10FFFF, or a surrogate.
        EncodingForm::Utf32Le | EncodingForm::Utf32Be => {
            ("\u{10_0000}\u{1_0041}".to_owned(), "\u{FFFF}\u{8800}".to_owned())
        }
    };
    let (one, other) = (encode(&one), encode(&other));
    let fill = |text: Vec<u8>| {
        let mut all = text.repeat(LEN / text.len());
        all.resize_with(LEN, || 0);
        all
    };
    [fill(one), fill(other)]
}

/// Whether a text is well-formed, according to the standard library.
fn is_well_formed(form: EncodingForm, text: &[u8]) -> bool {
    let utf16 = |unit: fn([u8; 2]) -> u16| {
        let (units, rest) = text.as_chunks();
        rest.is_empty()
            && char::decode_utf16(units.iter().copied().map(unit)).all(|unit| unit.is_ok())
    };
    let utf32 = |value: fn([u8; 4]) -> u32| {
        let (units, rest) = text.as_chunks();
        rest.is_empty() && units.iter().all(|unit| char::from_u32(value(*unit)).is_some())
    };
    match form {
        EncodingForm::Ascii => text.is_ascii(),
        EncodingForm::Latin1 => true,
        EncodingForm::Utf8 => std::str::from_utf8(text).is_ok(),
        EncodingForm::Utf16Le => utf16(u16::from_le_bytes),
        EncodingForm::Utf16Be => utf16(u16::from_be_bytes),
        EncodingForm::Utf32Le => utf32(u32::from_le_bytes),
        EncodingForm::Utf32Be => utf32(u32::from_be_bytes),
    }
}

/// Rewrites a file with one text and the other, alternately, while `work` runs.
///
/// One test at a time: two tests on two processors would hardly ever read and write at the same moment.
fn while_rewritten<T>(path: &Path, texts: [&[u8]; 2], work: impl FnOnce() -> T) -> T {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let file = File::options().write(true).open(path).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                for text in texts {
                    file.write_all_at(text, 0).unwrap();
                }
            }
        });
        // Also if `work` panics.
        let _ending = Ending(&done);
        work()
    })
}

/// Ends the rewriting when dropped.
struct Ending<'a>(&'a AtomicBool);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn every_kernel_writes_what_it_validated_while_the_file_changes() {
    for from in EncodingForm::ALL {
        let [one, other] = texts(from);
        assert!(is_well_formed(from, &one) && is_well_formed(from, &other), "{from:?}");
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().write_all_at(&one, 0).unwrap();
        let map = Map::new(file.as_file(), 0).unwrap();
        let input = map.window().unwrap().bytes;
        while_rewritten(file.path(), [&one, &other], || {
            for set in available() {
                for to in EncodingForm::ALL {
                    let convert = (set.convert)(from, to);
                    let mut output = vec![0; 4 * LEN + 64];
                    let end = Instant::now() + Duration::from_millis(30);
                    while Instant::now() < end {
                        let mut read = 0;
                        while let Some(rest) = input.get(read..) {
                            let done = convert(rest, &mut output);
                            assert!(
                                is_well_formed(to, &output[..done.written]),
                                "{} wrote ill-formed text from {from:?} to {to:?}",
                                set.name
                            );
                            // Skip some bytes after a stop, or a pass would take too long.
                            read += done.read + from.unit() * 61;
                        }
                    }
                }
            }
        });
    }
}

#[test]
fn the_program_never_writes_ill_formed_text_while_its_input_changes() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("changing");
    // Long enough to be mapped.
    let [one, other] = ["é", "aé"].map(|text| text.repeat(300 * 1024 / text.len()));
    let other = &other[..other.len() - other.len() % 3];
    let mut one = one.into_bytes();
    one.resize(300 * 1024, b'.');
    let mut other = other.as_bytes().to_vec();
    other.resize(300 * 1024, b'.');
    File::create(&path).unwrap().write_all(&one).unwrap();
    while_rewritten(&path, [&one, &other], || {
        for set in available() {
            for to in ["utf-8", "utf-16le"] {
                for _ in 0..12 {
                    let output =
                        std::process::Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
                            .env("OXICONV_KERNELS", set.name)
                            .args(["-e", "replace", "-q", "-t", to])
                            .arg(&path)
                            .stderr(Stdio::piped())
                            .output()
                            .unwrap();
                    assert_eq!(output.status.code(), Some(0), "{}", set.name);
                    let form =
                        if to == "utf-8" { EncodingForm::Utf8 } else { EncodingForm::Utf16Le };
                    assert!(is_well_formed(form, &output.stdout), "{} to {to}", set.name);
                }
            }
        }
    });
}
