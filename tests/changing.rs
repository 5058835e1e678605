//! A file that another program rewrites, cuts or replaces while it is converted: the output is well-formed, or there is an
//! error, however the file is read and for every set of kernels that this machine supports.

mod common;

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use oxiconv::internals::kernels::{EncodingForm, available};

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

/// Bytes of a long file: pieces for several threads.
const LONG: usize = 5 * 1024 * 1024;

#[test]
fn the_program_never_writes_ill_formed_text_while_its_input_changes() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("changing");
    for len in [300 * 1024, LONG] {
        let texts = ["é", "aé"].map(|text| {
            let whole = text.repeat(len / text.len());
            let mut bytes = whole.as_bytes()[..whole.len() - whole.len() % 3].to_vec();
            bytes.resize(len, b'.');
            bytes
        });
        let [one, other] = &texts;
        File::create(&path).unwrap().write_all(one).unwrap();
        while_rewritten(&path, [one, other], || {
            for set in available() {
                for to in ["utf-8", "utf-16le"] {
                    for mmap in ["--mmap=never", "--mmap=always"] {
                        never_ill_formed(&path, set.name, to, mmap);
                    }
                }
            }
        });
    }
}

/// Converts a file a few times, and examines the result.
fn never_ill_formed(path: &Path, kernels: &str, to: &str, mmap: &str) {
    for _ in 0..4 {
        let output = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
            .env("OXICONV_KERNELS", kernels)
            .args(["-e", "replace", "-q", "-j2", "-t", to, mmap])
            .arg(path)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{kernels} {mmap}");
        let form = if to == "utf-8" { EncodingForm::Utf8 } else { EncodingForm::Utf16Le };
        assert!(is_well_formed(form, &output.stdout), "{kernels} to {to} {mmap}");
    }
}

/// A file that becomes shorter while it is read is an error, however it is read, and what was written is well-formed.
#[test]
fn a_file_that_becomes_shorter_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("shorter");
    let text = "é".repeat(32 * 1024 * 1024 / 2);
    for mmap in ["--mmap=never", "--mmap=always"] {
        for threads in ["-j1", "-j2"] {
            File::create(&path).unwrap().write_all(text.as_bytes()).unwrap();
            let mut program = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
                .args(["-t", "utf-16le", mmap, threads])
                .arg(&path)
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            // It waits for the pipe to be read, with most of the file unread.
            let mut written = vec![0; 1024];
            let mut stdout = program.stdout.take().unwrap();
            stdout.read_exact(&mut written).unwrap();
            File::options().write(true).open(&path).unwrap().set_len(1000).unwrap();
            stdout.read_to_end(&mut written).unwrap();
            let output = program.wait_with_output().unwrap();
            let err = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{mmap} {threads}: {err}");
            assert!(err.contains("the file became shorter while it was read"), "{mmap}: {err}");
            assert!(is_well_formed(EncodingForm::Utf16Le, &written), "{mmap} {threads}");
            assert!(written.len() < 2 * text.len(), "not all of it");
        }
    }
}

/// A file that another one replaces while it is read is the one that was opened, to its end.
#[test]
fn a_file_that_is_replaced_is_read_to_its_end() {
    let dir = tempfile::tempdir().unwrap();
    let (path, other) = (dir.path().join("replaced"), dir.path().join("other"));
    let text = "é".repeat(LONG / 2);
    for mmap in ["--mmap=never", "--mmap=always"] {
        for threads in ["-j1", "-j2"] {
            File::create(&path).unwrap().write_all(text.as_bytes()).unwrap();
            let mut program = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
                .args(["-t", "utf-16le", mmap, threads])
                .arg(&path)
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let mut written = vec![0; 1024];
            let mut stdout = program.stdout.take().unwrap();
            stdout.read_exact(&mut written).unwrap();
            File::create(&other).unwrap().write_all(b"new").unwrap();
            std::fs::rename(&other, &path).unwrap();
            stdout.read_to_end(&mut written).unwrap();
            assert!(program.wait().unwrap().success(), "{mmap} {threads}");
            let right: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            assert!(written == right, "{mmap} {threads}");
        }
    }
}

/// What a file grows by while it is read is left alone: it may be what the program writes. Who shares its position gets it.
#[test]
fn what_a_file_grows_by_is_not_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("growing");
    let text = "é".repeat(LONG / 2);
    for mmap in ["--mmap=never", "--mmap=always"] {
        for threads in ["-j1", "-j2"] {
            File::create(&path).unwrap().write_all(text.as_bytes()).unwrap();
            let mut input = File::open(&path).unwrap();
            let mut program = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
                .args(["-t", "utf-8", mmap, threads])
                .stdin(input.try_clone().unwrap())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let mut written = vec![0; 1024];
            let mut stdout = program.stdout.take().unwrap();
            stdout.read_exact(&mut written).unwrap();
            File::options().append(true).open(&path).unwrap().write_all(&written).unwrap();
            stdout.read_to_end(&mut written).unwrap();
            assert!(program.wait().unwrap().success(), "{mmap} {threads}");
            assert!(written == text.as_bytes(), "{mmap} {threads}");
            let mut rest = Vec::new();
            input.read_to_end(&mut rest).unwrap();
            assert_eq!(rest.len(), 1024, "{mmap} {threads}");
        }
    }
}
