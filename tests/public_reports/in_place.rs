//! Converts files in place to and from every encoding, each twice. No readable file may become unreadable.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::{Dir, oxiconv};
use crate::sample;
use oxiconv::Encoding;

/// Name and text of each file. `signs` has the ASCII that some encodings replace by letters or use in escapes.
const FILES: [(&str, &str); 8] = [
    ("prose", "The quick brown fox jumps over the lazy dog, said Tom.\nkey = value\n"),
    (
        "signs",
        "int main(void) { char a[3] = {'\\ ', '~', '^'}; return a[0] | #1; } `x` @y $z &c %d +e <f>\n",
    ),
    ("several", "Grüße aus Köln: Привет, 日本語 – “ok”\nGrüße aus Köln: Привет, 日本語 – “ok”\n"),
    ("colours", "\x1B[31mrouge\x1B[0m é\n\x1B[31mrouge\x1B[0m é\n"),
    ("pages", "page\x0Cdeux é è\n"),
    ("padded", "Grüße aus Köln, clé é\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
    ("russian", "Каждый человек имеет право на жизнь, на свободу\n"),
    ("chinese", "人人生而自由，在尊严和权利上一律平等。\n"),
];

type Texts = BTreeMap<&'static str, Vec<u8>>;

/// A directory with two copies of the files: one stays UTF-8, the other is converted to an encoding.
struct Files(Dir);

const PLAIN: &str = "plain";
const WRITTEN: &str = "written";

impl Files {
    fn new() -> Self {
        Self(Dir::new())
    }

    fn renew(&self) {
        for (name, text) in FILES {
            self.0.write(&format!("{PLAIN}/{name}"), text.as_bytes());
            self.0.write(&format!("{WRITTEN}/{name}"), text.as_bytes());
        }
    }

    /// Converts the files of these folders in place.
    fn convert(&self, option: &str, encoding: &str, folders: &[&str]) {
        let in_folder = |folder| FILES.map(|(name, _)| format!("{folder}/{name}"));
        let names: Vec<_> = folders.iter().copied().flat_map(in_folder).collect();
        let mut args = vec![option, encoding, "-i", "--no-sync", "-j1", "--no-config"];
        args.extend(names.iter().map(String::as_str));
        self.0.run(&args);
    }

    fn texts(&self, folder: &str) -> Texts {
        FILES.iter().map(|(name, _)| (*name, self.0.read(&format!("{folder}/{name}")))).collect()
    }
}

/// Returns the names of the files that differ.
fn differing(a: &Texts, b: &Texts) -> Vec<&'static str> {
    a.iter().filter(|(name, text)| b[*name] != **text).map(|(name, _)| *name).collect()
}

/// Returns what goes wrong with one encoding. Starting a process per step is most of its cost.
fn trial(files: &Files, encoding: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut note = |what: &str, files: Vec<&str>| {
        wrong.extend(files.into_iter().map(|file| format!("{encoding} {what}: {file}")));
    };
    files.renew();
    let plain = files.texts(PLAIN);
    files.convert("-t", encoding, &[WRITTEN]);
    let once = files.texts(WRITTEN);
    let converted = differing(&plain, &once);
    if converted.is_empty() {
        files.convert("-f", encoding, &[PLAIN]);
        note("read", differing(&plain, &files.texts(PLAIN)));
        return wrong;
    }
    files.convert("-t", encoding, &[WRITTEN]);
    note("written twice", differing(&once, &files.texts(WRITTEN)));
    files.convert("-f", encoding, &[PLAIN, WRITTEN]);
    note("read", differing(&plain, &files.texts(PLAIN)));
    // National 7-bit sets have letters in place of ASCII punctuation. A file with few of them may be refused. It is
    // unchanged then, and not lost.
    let back = files.texts(WRITTEN);
    // In these encodings, glibc's tables write a backslash as a currency sign.
    let is_one_way =
        |name: &str| name == "signs" && ["IBM930", "IBM939", "IBM1371"].contains(&encoding);
    let is_lost =
        |name: &&str| converted.contains(name) && back[*name] != once[*name] && !is_one_way(name);
    note("read back", differing(&plain, &back).into_iter().filter(is_lost).collect());
    // If every file is back to its original text, this would repeat the conversion of the plain files above.
    if !differing(&plain, &back).is_empty() {
        files.convert("-f", encoding, &[WRITTEN]);
        note("read twice", differing(&back, &files.texts(WRITTEN)));
    }
    wrong
}

#[test]
fn no_encoding_makes_a_readable_file_unreadable() {
    let names: Vec<_> =
        sample::encodings(16, Encoding::all()).into_iter().map(Encoding::name).collect();
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                let files = Files::new();
                while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                    wrong.lock().unwrap().extend(trial(&files, name));
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().unwrap();
    wrong.sort();
    assert_eq!(wrong, [""; 0]);
}

/// In place, a doubtful conversion is refused. To another file or to standard output, it is done with a note.
///
/// The note must appear for the same files, and give the same reason.
#[test]
fn what_is_refused_in_place_is_noted_elsewhere() {
    let dir = Dir::new();
    let mut files: Vec<_> = FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
    for (name, text) in FILES {
        dir.write(name, text.as_bytes());
    }
    for (encoding, name) in [
        ("koi8-r", "russian"),
        ("gb18030", "chinese"),
        ("ibm037", "prose"),
        ("utf-16le", "russian"),
        ("utf-16", "several"),
        ("xml", "signs"),
        ("utf-7", "several"),
        ("java", "russian"),
    ] {
        let file = format!("{name}.{encoding}");
        assert_eq!(
            dir.run(&["-t", encoding, "-o", &file, name]),
            (0, String::new(), String::new())
        );
        files.push(file);
    }
    let mut refusals = 0;
    for (option, encodings) in [
        (
            "-f",
            &[
                "windows-1251",
                "latin1",
                "shift_jis",
                "ibm1047",
                "utf-16",
                "utf-7",
                "iso646-de",
                "big5",
                "gsm0338",
            ][..],
        ),
        ("-t", &["utf-16le", "utf-16", "xml", "utf-7", "java", "ibm037", "koi8-r", "utf-8-hunk7"]),
    ] {
        for encoding in sample::every(3, encodings) {
            let names: Vec<_> = files.iter().map(String::as_str).collect();
            let err = dir.run(&[&[option, encoding, "-i", "--dry-run"], &names[..]].concat()).2;
            for file in names {
                let refused = reason(&err, &format!("oxiconv: {file}: not converted: "));
                refusals += usize::from(refused.is_some());
                for args in [&[option, encoding, file][..], &[option, encoding, "-o", "out", file]]
                {
                    let output = oxiconv().current_dir(dir.0.path()).args(args).output().unwrap();
                    let err = String::from_utf8_lossy(&output.stderr);
                    // A run that stops prints a hint of its own instead.
                    if err.contains(": error[") {
                        continue;
                    }
                    let noted = reason(&err, &format!("oxiconv: {file}: the input "));
                    assert_eq!(noted, refused, "{args:?}: {err}");
                }
            }
        }
    }
    assert!(refusals > 50, "{refusals}");
}

/// Returns the reason given in the message with this start, without the advice: `already valid UTF-8`.
fn reason(err: &str, start: &str) -> Option<String> {
    let line = err.lines().find_map(|line| line.strip_prefix(start))?;
    let line = line.strip_prefix("it ").or_else(|| line.strip_prefix("is ")).unwrap_or(line);
    let advice = [" (to convert", " (convert", " (-"].map(|start| line.find(start));
    let end = advice.into_iter().flatten().min().unwrap_or(line.len());
    Some(line[..end].to_owned())
}
