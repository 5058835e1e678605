//! UTF-7, UTF-7-IMAP, SCSU and BOCU-1 against glibc's iconv and ICU's uconv as oracles, with every scalar value and
//! with random text, in both directions. docs/escapes.md and docs/unicode-encodings.md explain the differences.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use crate::support::{Random, convert, skipped, strict};

/// Runs a converter. Returns `None` if it is not installed.
fn converter(program: &str, from: &str, to: &str, input: &[u8]) -> Option<Output> {
    let spawned = Command::new(program)
        .args(["-f", from, "-t", to])
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
        // Writing fails if the program stops before it has read everything.
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().ok()
    })
}

/// Whether `program` supports the encoding `name`. glibc has had UTF-7-IMAP since 2.36. No other iconv is used as an
/// oracle.
fn knows(program: &str, name: &str) -> bool {
    let Some(output) = converter(program, name, "UTF-8", b"a") else { return false };
    let known = output.status.success() && (program != "iconv" || is_glibc());
    if !known {
        skipped(&format!("the {program} of this machine has no {name} that these tests know"));
    }
    known
}

fn is_glibc() -> bool {
    Command::new("iconv").arg("--version").output().is_ok_and(|output| {
        let text = String::from_utf8_lossy(&output.stdout).to_uppercase();
        text.contains("GLIBC") || text.contains("GNU LIBC")
    })
}

/// Returns texts of every scalar value in both orders, of random scalar values, and of runs in one script after
/// another. None begins with U+FEFF, which would be a signature.
fn texts() -> Vec<String> {
    let all: String = std::iter::once('a').chain('\0'..=char::MAX).collect();
    let mut random = Random(0x7BC5);
    let mut texts = vec![all.chars().rev().collect(), all];
    texts.push(format!("a{}", random.text(300_000, 0x10_FFFF)));
    texts.push(format!("a{}", random.text(50_000, 0xFFF)));
    let blocks = [
        0x20, 0xA0, 0x100, 0x370, 0x400, 0x600, 0x900, 0x2000, 0x3000, 0x3040, 0x30A0, 0x4E00,
        0x8000, 0xAC00, 0xE000, 0xFF00, 0x1_F600, 0x2_0000, 0xE_0000,
    ];
    let mut runs = String::from("a");
    while runs.len() < 500_000 {
        let block = random.pick(&blocks);
        for _ in 0..1 + random.below(9) {
            let ascii = random.below(4) == 0;
            let cp =
                if ascii { random.below(0x80) as u32 } else { block + random.below(0x60) as u32 };
            runs.push(char::from_u32(cp).unwrap());
        }
    }
    texts.push(runs);
    texts
}

#[track_caller]
fn same(ours: &[u8], theirs: &[u8], what: &str) {
    if ours != theirs {
        let at = ours.iter().zip(theirs).position(|(a, b)| a != b);
        panic!(
            "{what}: {} bytes, theirs {}, the first difference at {at:?}",
            ours.len(),
            theirs.len()
        );
    }
}

/// Checks that we read what `program` writes and that it reads what we write. If `alike`, both must write the same
/// bytes.
fn against(program: &str, name: &str, theirs: &str, alike: bool) {
    if !knows(program, theirs) {
        return;
    }
    for (at, text) in texts().iter().enumerate() {
        let what = format!("{name}, text {at}, {program}");
        let ours = convert(&strict("UTF-8", name), text.as_bytes());
        assert_eq!(ours.places(), [], "{what}");
        let written = converter(program, "UTF-8", theirs, text.as_bytes()).unwrap();
        assert!(written.status.success(), "{what}: {}", String::from_utf8_lossy(&written.stderr));
        if alike {
            same(&ours.output, &written.stdout, &what);
        }
        let back = convert(&strict(name, "UTF-8"), &written.stdout);
        assert_eq!(back.places(), [], "{what}");
        same(&back.output, text.as_bytes(), &what);
        let read = converter(program, theirs, "UTF-8", &ours.output).unwrap();
        assert!(read.status.success(), "{what}: {}", String::from_utf8_lossy(&read.stderr));
        same(text.as_bytes(), &read.stdout, &what);
    }
}

#[test]
fn utf_7_as_iconv_has_it() {
    against("iconv", "UTF-7", "UTF-7", true);
}

#[test]
fn utf_7_imap_as_iconv_has_it() {
    against("iconv", "UTF-7-IMAP", "UTF-7-IMAP", true);
}

#[test]
fn utf_7_as_uconv_has_it() {
    // uconv writes the characters of RFC 2152's set O directly. We encode them, as iconv does.
    against("uconv", "UTF-7", "UTF-7", false);
}

#[test]
fn utf_7_imap_as_uconv_has_it() {
    against("uconv", "UTF-7-IMAP", "IMAP-mailbox-name", true);
}

#[test]
fn scsu_as_uconv_has_it() {
    against("uconv", "SCSU", "SCSU", false);
}

#[test]
fn bocu_1_as_uconv_has_it() {
    against("uconv", "BOCU-1", "BOCU-1", true);
}

#[test]
fn scsu_is_hardly_longer_than_that_of_uconv() {
    if !knows("uconv", "SCSU") {
        return;
    }
    for text in [
        "Les naïfs ægithales hâtifs pondant à Noël où il gèle sont sûrs d’être déçus en voyant leurs drôles d’œufs abîmés.",
        "Příliš žluťoučký kůň úpěl ďábelské ódy. Zażółć gęślą jaźń. Pijamalı hasta yağız şoföre çabucak güvendi.",
        "Съешь же ещё этих мягких французских булок, да выпей чаю — «и вот тогда»… Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.",
        "いろはにほへと ちりぬるを 我が世誰ぞ 常ならむ 有為の奥山 今日越えて 浅き夢見じ 酔ひもせず。パソコンを12台買った。",
        "天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。2024年 UTF-8 编码。키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다.",
        "नहीं नजर किसी की बुरी है । เป็นมนุษย์สุดประเสริฐเลิศคุณค่า نص حكيم له سر قاطع וذו שאן عظيم 😀😁😂",
    ] {
        let text = text.repeat(20);
        let ours = convert(&strict("UTF-8", "SCSU"), text.as_bytes()).output.len();
        let theirs = converter("uconv", "UTF-8", "SCSU", text.as_bytes()).unwrap().stdout.len();
        assert!(ours * 100 <= theirs * 106, "{ours} bytes, uconv's {theirs}: {text:.60}");
    }
}

#[test]
fn mutated_text_is_read_as_far_as_the_others_read_it() {
    // Mutations reach every rule of UTF-7 and BOCU-1. The other programs accept more, by design. If we reject a text,
    // the outputs therefore need to agree only as far as the shorter one goes.
    let mut random = Random(0x5EED);
    let mut accepted = 0;
    for (program, name, theirs) in
        [("iconv", "UTF-7", "UTF-7"), ("uconv", "BOCU-1", "BOCU-1"), ("uconv", "SCSU", "SCSU")]
    {
        if !knows(program, theirs) {
            continue;
        }
        for case in 0..150 {
            let len = 1 + random.below(20);
            let text = format!("a{}", random.text(len, 0x10_FFFF));
            let mut bytes = convert(&strict("UTF-8", name), text.as_bytes()).output;
            for _ in 0..1 + random.below(2) {
                let at = random.below(bytes.len());
                bytes[at] =
                    if name == "UTF-7" { random.pick(b"+-A3D2aQ!") } else { random.number() as u8 };
            }
            let ours = convert(&strict(name, "UTF-16BE"), &bytes);
            let output = converter(program, theirs, "UTF-16BE", &bytes).unwrap();
            if ours.found.is_empty() {
                accepted += 1;
                assert!(output.status.success(), "{name} case {case}: {bytes:X?}");
                same(&ours.output, &output.stdout, &format!("{name} case {case}: {bytes:X?}"));
            } else {
                assert!(
                    output.stdout.starts_with(&ours.output)
                        || ours.output.starts_with(&output.stdout),
                    "{name} case {case}: {bytes:X?}"
                );
            }
        }
        assert!(accepted > 0);
    }
}
