//! Other programs as oracles: glibc's iconv for the output of each pair of encodings and for the first ill-formed
//! sequence in UTF-8, Python's codecs for the number and places of U+FFFD. A test is skipped with a message if its
//! oracle or its texts are missing.
//!
//! The random inputs are the same on every run.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::sample;
use crate::support::{Random, UNICODE, With, convert, encode, replacing, skipped, strict};

/// Runs a program on `input`. Returns `None` if it is not installed.
fn piped(program: &str, arguments: &[&str], input: &[u8]) -> Option<Output> {
    let spawned = Command::new(program)
        .args(arguments)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = spawned else {
        skipped(&format!("no {program} on this machine"));
        return None;
    };
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        // The result is ignored: the write fails if the program stops early.
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().ok()
    })
}

/// Whether iconv is that of the GNU C library. Others differ in what they accept.
fn has_iconv() -> bool {
    let version = piped("iconv", &["--version"], b"");
    let known = version.is_some_and(|output| {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.contains("GNU libc") || text.contains("GLIBC")
    });
    if !known {
        skipped("no iconv of the GNU C library on this machine");
    }
    known
}

fn python(program: &str, input: &[u8]) -> Option<Output> {
    let output = piped("python3", &["-c", program], input)?;
    if !output.status.success() {
        skipped(&format!("python3 on this machine: {}", String::from_utf8_lossy(&output.stderr)));
        return None;
    }
    Some(output)
}

fn iconv(from: &str, to: &str, input: &[u8]) -> Output {
    piped("iconv", &["-f", from, "-t", to], input).expect("iconv ran a moment ago")
}

fn same_as_iconv(from: &str, to: &str, input: &[u8], what: &str) {
    let ours = convert(&strict(from, to), input);
    assert_eq!(ours.places(), [], "{what}: {from} to {to}");
    let theirs = iconv(from, to, input);
    let said = String::from_utf8_lossy(&theirs.stderr);
    assert!(theirs.status.success(), "{what}: {from} to {to}: iconv says {said}");
    if ours.output != theirs.stdout {
        let mut pairs = ours.output.iter().zip(&theirs.stdout);
        let at = pairs.position(|(a, b)| a != b);
        let (a, b) = (ours.output.len(), theirs.stdout.len());
        panic!("{what}: {from} to {to}: {a} bytes, iconv's {b}, first difference at {at:?}");
    }
}

#[test]
fn random_text_through_every_pair_as_iconv_has_it() {
    if !has_iconv() {
        return;
    }
    let mut random = Random(1);
    for (last, also) in
        [(0x7F, &["US-ASCII", "ISO-8859-1"][..]), (0xFF, &["ISO-8859-1"]), (0x10_FFFF, &[])]
    {
        // The letter keeps a random U+FEFF from being first, where programs treat it differently. Other tests cover
        // byte order marks.
        let text = format!("a{}", random.text(20_000, last));
        let names: Vec<&str> = UNICODE.iter().chain(also).copied().collect();
        for from in &names {
            let input = encode(&text, from);
            for to in &names {
                same_as_iconv(from, to, &input, &format!("up to {last:X}"));
            }
        }
    }
}

#[test]
fn mutated_utf_8_is_accepted_as_far_as_iconv_accepts_it() {
    if !has_iconv() {
        return;
    }
    let mut random = Random(2);
    for case in 0..400 {
        let len = 1 + random.below(60);
        let mut input = format!("a{}", random.text(len, 0x10_FFFF)).into_bytes();
        for _ in 0..random.below(3) {
            let at = random.below(input.len());
            let any = random.number() as u8;
            match random.below(4) {
                0 => {
                    input[at] =
                        random.pick(&[0x80, 0xBF, 0xC0, 0xC1, 0xE0, 0xED, 0xF0, 0xF4, 0xF5, 0xFF])
                }
                1 => input[at] ^= 1 << (any % 8),
                2 => input.truncate(at.max(1)),
                _ => input.insert(at, any),
            }
        }
        // The target is UTF-16, which rejects the values above U+10FFFF that glibc's UTF-8 accepts.
        let ours = convert(&strict("UTF-8", "UTF-16LE"), &input);
        let theirs = iconv("UTF-8", "UTF-16LE", &input);
        assert_eq!(ours.found.is_empty(), theirs.status.success(), "case {case}: {input:X?}");
        assert_eq!(ours.output, theirs.stdout, "case {case}: {input:X?}");
        let valid = std::str::from_utf8(&input).map_or_else(|error| error.valid_up_to(), str::len);
        assert_eq!(ours.summary.bytes_read, valid as u64, "case {case}: {input:X?}");
    }
}

/// Each line of the input is an encoding and bytes in hexadecimal. Each line of the output is the decoded text, as
/// UTF-8 in hexadecimal.
const DECODE_WITH_REPLACEMENT: &str = "
import sys
for line in sys.stdin:
    name, _, text = line.rstrip('\\n').partition(' ')
    print(bytes.fromhex(text).decode(name, 'replace').encode('utf-8').hex().upper())
";

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

#[test]
fn replacement_characters_where_python_has_them() {
    let mut random = Random(3);
    let utf8 = [
        0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xE2, 0xED, 0xEF,
        0xF0, 0xF1, 0xF4, 0xF5, 0xFF,
    ];
    let units16 = [0x41, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF];
    let units32 =
        [0x41, 0xD7FF, 0xD800, 0xDFFF, 0xE000, 0xFFFF, 0x1_0000, 0x10_FFFF, 0x11_0000, u32::MAX];
    let mut cases = Vec::new();
    for case in 0..4000 {
        let len = random.below(24);
        cases.push(("UTF-8", (0..len).map(|_| random.pick(&utf8)).collect::<Vec<u8>>()));
        cases.push(("UTF-8", (0..len).map(|_| random.number() as u8).collect()));
        // No half code unit at the end of UTF-16: Python counts it and a high surrogate before it as one error.
        let any = case % 4 == 0;
        let units: Vec<u16> = (0..len)
            .map(|_| if any { random.number() as u16 } else { random.pick(&units16) })
            .collect();
        cases.push(("UTF-16LE", units.iter().flat_map(|unit| unit.to_le_bytes()).collect()));
        cases.push(("UTF-16BE", units.iter().flat_map(|unit| unit.to_be_bytes()).collect()));
        let units: Vec<u32> = (0..len).map(|_| random.pick(&units32)).collect();
        let cut = random.below(4);
        let cut_off = |mut bytes: Vec<u8>| {
            bytes.truncate(bytes.len().saturating_sub(cut));
            bytes
        };
        cases.push((
            "UTF-32LE",
            cut_off(units.iter().flat_map(|unit| unit.to_le_bytes()).collect()),
        ));
        cases.push((
            "UTF-32BE",
            cut_off(units.iter().flat_map(|unit| unit.to_be_bytes()).collect()),
        ));
    }
    let lines: String =
        cases.iter().map(|(name, bytes)| format!("{name} {}\n", hex(bytes))).collect();
    let Some(theirs) = python(DECODE_WITH_REPLACEMENT, lines.as_bytes()) else { return };
    let theirs = String::from_utf8(theirs.stdout).unwrap();
    assert_eq!(theirs.lines().count(), cases.len());
    for ((name, input), theirs) in cases.iter().zip(theirs.lines()) {
        // Without this, random code units could be taken for UTF-16 that is interrupted by other bytes.
        let conversion = replacing(name, "UTF-8").with(|it| it.keep_units(true));
        let ours = convert(&conversion, input);
        assert_eq!(hex(&ours.output), theirs, "{name} {}", hex(input));
        // The text may also contain U+FFFD of its own.
        let shown = String::from_utf8(ours.output).unwrap().matches('\u{FFFD}').count();
        assert!(shown >= ours.found.len(), "{name} {}", hex(input));
    }
}

/// Adds the non-ASCII UTF-8 files below `directory` to `found`, sorted by path, until it has `most`.
fn texts(directory: &Path, most: usize, found: &mut Vec<(PathBuf, String)>) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if found.len() >= most {
            return;
        }
        let Ok(metadata) = path.symlink_metadata() else { continue };
        if metadata.is_dir() {
            texts(&path, most, found);
        } else if metadata.is_file()
            && (100..2_000_000).contains(&metadata.len())
            && let Ok(text) = std::fs::read_to_string(&path)
            && !text.is_ascii()
            && !text.starts_with('\u{FEFF}')
        {
            found.push((path, text));
        }
    }
}

#[test]
fn real_multilingual_text_through_every_pair_as_iconv_has_it() {
    if !has_iconv() {
        return;
    }
    let mut found = Vec::new();
    for directory in [
        "i18n/locales",
        "i18n/charmaps",
        "perl",
        "perl5",
        "doc",
        "locale",
        "vim",
        "zoneinfo",
        "unicode",
        "mime",
        "python3",
        "misc",
    ] {
        let most = found.len() + 100;
        texts(&Path::new("/usr/share").join(directory), most, &mut found);
    }
    if found.is_empty() {
        skipped("no text that is not ASCII below /usr/share of this machine");
        return;
    }
    // Texts with the most non-ASCII characters first: of all of them together, only the first million characters are
    // compared for every pair, and a quarter of them in a plain run.
    found
        .sort_by_key(|(_, text)| std::cmp::Reverse(text.chars().filter(|c| !c.is_ascii()).count()));
    found.truncate(if sample::is_thorough() { 80 } else { 30 });
    println!("{} files", found.len());
    let whole: String = found.iter().map(|(_, text)| text.as_str()).collect();
    let most = if sample::is_thorough() { 1_000_000 } else { 250_000 };
    let whole: String = whole.chars().take(most).collect();
    let scripts = whole.chars().filter(|c| !c.is_ascii()).count();
    println!("{} bytes for every pair, {scripts} characters past ASCII", whole.len());
    for from in UNICODE {
        let input = encode(&whole, from);
        for to in sample::every(3, UNICODE) {
            same_as_iconv(from, to, &input, "the texts together");
        }
    }
    for (path, text) in &found {
        same_as_iconv("UTF-8", "UTF-16LE", text.as_bytes(), &path.to_string_lossy());
    }
    let latin: String = whole.chars().filter(|c| *c <= '\u{FF}').collect();
    same_as_iconv("UTF-8", "ISO-8859-1", latin.as_bytes(), "the characters of Latin-1");
}
