//! A file that another program rewrites, truncates or replaces during the conversion. The output is well-formed or the
//! run fails, however the file is read and with every set of kernels that this machine supports.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use oxiconv_kernels::{EncodingForm, available};

use crate::sample;
use crate::system::write_at;

/// Returns whether a text is well-formed. The standard library is the oracle.
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

/// Runs `work` while a thread keeps overwriting a file with one text and then the other.
///
/// Only one test runs at a time: with two tests on two processors, hardly any read would coincide with a write.
fn while_rewritten<T>(path: &Path, texts: [&[u8]; 2], work: impl FnOnce() -> T) -> T {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let file = File::options().write(true).open(path).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                for text in texts {
                    write_at(&file, text, 0);
                }
            }
        });
        // Stops the thread even if `work` panics. The scope would wait for it forever.
        let _ending = Ending(&done);
        work()
    })
}

/// Stops the rewriting when dropped.
struct Ending<'a>(&'a AtomicBool);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The length of a file with pieces for several threads.
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
            let to = ["utf-8", "utf-16le"].into_iter();
            let ways = to.flat_map(|to| ["--mmap=never", "--mmap=always"].map(|mmap| (to, mmap)));
            let cases = available()
                .into_iter()
                .flat_map(|set| ways.clone().map(move |way| (set.name, way)));
            for (kernels, (to, mmap)) in sample::every(4, cases) {
                never_ill_formed(&path, kernels, to, mmap);
            }
        });
    }
}

/// Converts a changing file several times, and checks that each output is well-formed.
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

/// A run that is blocked on its output, with most of its input unread.
struct Waiting {
    program: Child,
    written: Vec<u8>,
}

impl Waiting {
    /// Starts converting a file of `text` to UTF-16LE.
    fn new(path: &Path, text: &str, args: [&str; 2]) -> (Self, File) {
        fs::write(path, text).unwrap();
        let input = File::open(path).unwrap();
        let mut program = Command::new(assert_cmd::cargo::cargo_bin!("oxiconv"))
            .args(["-f", "utf-8", "-t", "utf-16le"])
            .args(args)
            .stdin(input.try_clone().unwrap())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut written = vec![0; 1024];
        program.stdout.as_mut().unwrap().read_exact(&mut written).unwrap();
        (Self { program, written }, input)
    }

    /// Reads the rest of the output. Returns the exit status, all output, and the messages.
    fn end(mut self) -> (Option<i32>, Vec<u8>, String) {
        self.program.stdout.take().unwrap().read_to_end(&mut self.written).unwrap();
        let output = self.program.wait_with_output().unwrap();
        (output.status.code(), self.written, String::from_utf8(output.stderr).unwrap())
    }
}

/// Calls `test` for each way to read a file, mapped or not, on one thread and on two. Also passes the path of a new
/// file.
fn in_each_way(test: impl Fn([&str; 2], &Path)) {
    let dir = tempfile::tempdir().unwrap();
    for mmap in ["--mmap=never", "--mmap=always"] {
        for threads in ["-j1", "-j2"] {
            test([mmap, threads], &dir.path().join("file"));
        }
    }
}

fn to_utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn a_file_that_becomes_shorter_is_an_error() {
    in_each_way(|args, path| {
        let text = "é".repeat(32 * 1024 * 1024 / 2);
        let (run, _) = Waiting::new(path, &text, args);
        File::options().write(true).open(path).unwrap().set_len(1000).unwrap();
        let (status, written, err) = run.end();
        assert_eq!(status, Some(2), "{args:?}: {err}");
        assert!(err.contains("the file was truncated while it was being read"), "{args:?}: {err}");
        assert!(is_well_formed(EncodingForm::Utf16Le, &written), "{args:?}");
        assert!(written.len() < 2 * text.len(), "the whole text was written");
    });
}

#[cfg(unix)]
#[test]
fn a_file_that_is_replaced_is_read_to_its_end() {
    in_each_way(|args, path| {
        let text = "é".repeat(LONG / 2);
        let (run, _) = Waiting::new(path, &text, args);
        let other = path.with_extension("new");
        fs::write(&other, "new").unwrap();
        fs::rename(&other, path).unwrap();
        let (status, written, err) = run.end();
        assert_eq!(status, Some(0), "{args:?}: {err}");
        assert!(written == to_utf16(&text), "{args:?}");
    });
}

/// The appended bytes may be the program's own output. They are left for the next process that shares the file offset.
#[test]
fn what_is_appended_to_a_file_is_not_read() {
    in_each_way(|args, path| {
        let text = "é".repeat(LONG / 2);
        let (run, mut input) = Waiting::new(path, &text, args);
        File::options().append(true).open(path).unwrap().write_all(b"more").unwrap();
        let (status, written, err) = run.end();
        assert_eq!(status, Some(0), "{args:?}: {err}");
        assert!(written == to_utf16(&text), "{args:?}");
        let mut rest = String::new();
        input.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "more", "{args:?}");
    });
}
