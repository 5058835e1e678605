//! The legacy charsets against tables from tests/data/legacy/make.py, most of which come from glibc's iconv, and
//! against the iconv of this machine if it is glibc's.

use crate::support::skipped;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Stdio};

use oxiconv_encodings::codec::{ByteOrder, DecodeStop, EncodeStop};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::{IllFormed, IllFormedKind};

/// What a charset must decode and encode: the character of each code, and the code of each character.
#[derive(Default)]
struct Oracle {
    decode: BTreeMap<Vec<u8>, u32>,
    encode: BTreeMap<u32, Vec<u8>>,
}

const DOUBLE_BYTE: [&str; 5] = ["CP932", "EUC-JP", "GBK", "BIG5", "CP949"];

fn data(file: &str) -> String {
    let path = format!("{}/tests/data/legacy/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn unhex(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

impl Oracle {
    fn ascii() -> Self {
        let mut oracle = Self::default();
        for byte in 0..0x80_u8 {
            oracle.add(vec![byte], byte.into());
        }
        oracle
    }

    fn add(&mut self, code: Vec<u8>, cp: u32) {
        self.encode.insert(cp, code.clone());
        self.decode.insert(code, cp);
    }

    fn add_row(&mut self, start: &[u8], first: u8, characters: &str) {
        for (last, c) in (first..=0xFF).zip(characters.chars()) {
            if c != '\u{FFFD}' {
                self.add([start, &[last]].concat(), c.into());
            }
        }
    }

    /// Reads the table of a charset with one- and two-byte codes, and its part of `exceptions.txt`.
    fn of_rows(name: &str) -> Self {
        let mut oracle = Self::ascii();
        for line in data(&format!("{name}.txt")).lines() {
            let (start, characters) = line.split_once(' ').unwrap();
            match start {
                "-" => oracle.add_row(&[], 0x80, characters),
                _ => oracle.add_row(&unhex(start), 0x40, characters),
            }
        }
        let exceptions = data("exceptions.txt");
        let of_name: Vec<_> = exceptions.lines().map(words).filter(|w| w[0] == name).collect();
        let only_read: BTreeSet<_> =
            of_name.iter().filter(|w| w[1] == "only-read").map(|w| unhex(w[2])).collect();
        for (code, cp) in &oracle.decode {
            if !only_read.contains(code) {
                oracle.encode.insert(*cp, code.clone());
            }
        }
        for w in of_name.iter().filter(|w| w[1] == "only-written") {
            oracle.encode.insert(u32::from_str_radix(w[2], 16).unwrap(), unhex(w[3]));
        }
        oracle
    }

    fn gb18030() -> Self {
        let mut oracle = Self::of_rows("GB18030");
        for line in data("gb18030.txt").lines() {
            let w = words(line);
            let number: u32 = w[0].parse().unwrap();
            let cp = u32::from_str_radix(w[1], 16).unwrap();
            let len: u32 = w[2].parse().unwrap();
            // All of the BMP. Above it, each boundary and a sample.
            for i in (0..len).filter(|i| len <= 0x1_0000 || i % 251 == 0 || i + 1 == len) {
                let n = number + i;
                let [a, b, c, d] = [n / 12_600, n / 1260 % 10, n / 10 % 126, n % 10];
                let code = [0x81 + a, 0x30 + b, 0x81 + c, 0x30 + d].map(|byte| byte as u8);
                oracle.add(code.to_vec(), cp + i);
            }
        }
        oracle
    }
}

fn single_byte() -> Vec<(String, Oracle)> {
    let table = data("single-byte.txt");
    let of_line = |line: &str| {
        let (name, characters) = line.split_once(' ').unwrap();
        let mut oracle = Oracle::ascii();
        oracle.add_row(&[], 0x80, characters);
        for line in data("composing.txt").lines() {
            match words(line)[..] {
                [of, "encode", cp, code] if of == name => {
                    oracle.encode.insert(u32::from_str_radix(cp, 16).unwrap(), unhex(code));
                }
                _ => {}
            }
        }
        // Without the suffix, `macintosh` is glibc's table, which differs at C6 and F0.
        let name = if name == "macintosh" { "macintosh@whatwg" } else { name };
        (name.to_owned(), oracle)
    };
    table.lines().map(of_line).collect()
}

fn all() -> Vec<(String, Oracle)> {
    let mut all = single_byte();
    all.extend(DOUBLE_BYTE.map(|name| (name.to_owned(), Oracle::of_rows(name))));
    all.push(("GB18030".to_owned(), Oracle::gb18030()));
    all
}

/// One step in the output of a decoder.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Event {
    Character(u32),
    IllFormed { at: usize, len: usize, kind: IllFormedKind },
}

/// Decodes pieces as a stream does: bytes that are left unread are passed again, together with the next piece.
fn decode_pieces(name: &str, pieces: &[&[u8]]) -> Vec<Event> {
    let mut decoder = Encoding::for_name(name).unwrap().new_decoder(ByteOrder::Big);
    let (mut events, mut held, mut passed) = (Vec::new(), Vec::new(), 0);
    for (i, piece) in pieces.iter().enumerate() {
        held.extend_from_slice(piece);
        let mut at = 0;
        loop {
            let mut output = [0; 61];
            let done = decoder.decode(&held[at..], &mut output, i + 1 == pieces.len());
            events.extend(output[..done.written].iter().map(|cp| Event::Character(*cp)));
            at += done.read;
            match done.stop {
                DecodeStop::Large { .. } => panic!("no value of Unicode is that large"),
                DecodeStop::InputEmpty => break,
                DecodeStop::OutputFull => {}
                DecodeStop::IllFormed(IllFormed { len, kind }) => {
                    events.push(Event::IllFormed { at: passed + at, len, kind });
                    at += len;
                }
            }
        }
        held.drain(..at);
        passed += at;
    }
    assert!(held.is_empty(), "{name}: {held:X?} is left over");
    events
}

fn decode(name: &str, input: &[u8]) -> Vec<Event> {
    decode_pieces(name, &[input])
}

/// Encodes the mappable characters. Returns their bytes, and the unmappable characters.
fn encode(name: &str, input: &[u32]) -> (Vec<u8>, Vec<u32>) {
    let mut encoder = Encoding::for_name(name).unwrap().new_encoder(ByteOrder::Big);
    let (mut bytes, mut unmappable, mut at, mut output) = (Vec::new(), Vec::new(), 0, [0; 4096]);
    loop {
        let done = encoder.encode(&input[at..], &mut output);
        bytes.extend_from_slice(&output[..done.written]);
        at += done.read;
        match done.stop {
            EncodeStop::InputEmpty => break,
            EncodeStop::OutputFull => {}
            EncodeStop::Unmappable => {
                unmappable.push(input[at]);
                at += 1;
            }
        }
    }
    let len = encoder.finish(&mut output);
    bytes.extend_from_slice(&output[..len]);
    (bytes, unmappable)
}

/// Returns the BMP, the boundaries and a sample of the other planes, and numbers beyond Unicode.
fn numbers() -> impl Iterator<Item = u32> {
    let past = (0x1_0000..0x11_0000).filter(|cp| cp % 251 == 0 || cp & 0xFFFE == 0xFFFE);
    (0..0x1_0000).chain(past).chain([0x11_0000, 0x7FFF_FFFF, u32::MAX])
}

#[test]
fn every_code_decodes_as_the_table_says() {
    for (name, oracle) in all() {
        // A line feed after each code keeps letters and marks from composing.
        let input: Vec<u8> =
            oracle.decode.keys().flat_map(|code| [code, &b"\n"[..]].concat()).collect();
        let expected = oracle.decode.values().flat_map(|cp| [*cp, 0x0A]);
        let got = decode(&name, &input);
        for (i, (got, expected)) in got.iter().zip(expected.map(Event::Character)).enumerate() {
            assert_eq!(*got, expected, "{name}, {:X?}", oracle.decode.keys().nth(i / 2));
        }
        assert_eq!(got.len(), oracle.decode.len() * 2, "{name}");
    }
}

#[test]
fn what_the_table_does_not_have_is_ill_formed() {
    for (name, oracle) in all() {
        let begins_known = |code: &[u8]| {
            let next = oracle.decode.range(code.to_vec()..).next();
            next.is_some_and(|(known, _)| known.starts_with(code))
        };
        let mut unknown: Vec<Vec<u8>> = Vec::new();
        for a in 0x80..=0xFF_u8 {
            if oracle.decode.contains_key(&vec![a]) {
                continue;
            }
            // The shortest sequences that begin no code, extended to three bytes where EUC-JP has three-byte codes.
            let codes = match begins_known(&[a]) {
                false => vec![vec![a]],
                true => (0..=0xFF).map(|b| vec![a, b]).collect(),
            };
            for code in codes {
                match begins_known(&code) {
                    false => unknown.push(code),
                    true if oracle.decode.contains_key(&code) => {}
                    true if name == "GB18030" => {}
                    true => unknown.extend((0..=0xFF).map(|b| [&code[..], &[b]].concat())),
                }
            }
        }
        unknown.retain(|code| !oracle.decode.contains_key(code));
        let input: Vec<u8> = unknown.iter().flat_map(|code| [code, &b"\n"[..]].concat()).collect();
        let found: BTreeSet<usize> = decode(&name, &input)
            .iter()
            .filter_map(|event| match event {
                Event::IllFormed { at, .. } => Some(*at),
                Event::Character(_) => None,
            })
            .collect();
        let mut at = 0;
        for code in unknown {
            assert!(found.contains(&at), "{name}: {code:X?}");
            at += code.len() + 1;
        }
    }
}

#[test]
fn every_character_encodes_as_the_table_says_and_no_other_does() {
    for (name, oracle) in all() {
        // Above the BMP, the oracle of GB18030 has only a sample.
        let wanted =
            |cp: &u32| name != "GB18030" || *cp < 0x1_0000 || oracle.encode.contains_key(cp);
        let numbers: Vec<u32> = numbers().filter(wanted).collect();
        let (known, unknown): (Vec<u32>, Vec<u32>) =
            numbers.iter().partition(|cp| oracle.encode.contains_key(cp));
        let (bytes, unmappable) = encode(&name, &numbers);
        assert!(unmappable == unknown, "{name}: {:X?}", first_difference(&unmappable, &unknown));
        let mut at = 0;
        for cp in known {
            let code = &oracle.encode[&cp];
            assert!(bytes[at..].starts_with(code), "{name}: {cp:X}");
            at += code.len();
        }
        assert_eq!(at, bytes.len(), "{name}");
    }
}

fn first_difference<'a>(left: &'a [u32], right: &'a [u32]) -> Option<(&'a u32, &'a u32)> {
    left.iter().zip(right).find(|(left, right)| left != right)
}

#[test]
fn the_whole_repertoire_comes_back() {
    for (name, oracle) in all() {
        let repertoire: Vec<u32> = oracle.decode.values().copied().collect();
        let text: Vec<u32> = repertoire.iter().flat_map(|cp| [*cp, 0x0A]).collect();
        let (bytes, unmappable) = encode(&name, &text);
        assert_eq!(unmappable, [0; 0], "{name}");
        let expected: Vec<_> = text.into_iter().map(Event::Character).collect();
        assert!(decode(&name, &bytes) == expected, "{name}");
    }
}

#[test]
fn letters_and_marks_compose_as_in_iconv() {
    for line in data("composing.txt").lines() {
        if let [name, "decode", code, cp] = words(line)[..] {
            let cp = u32::from_str_radix(cp, 16).unwrap();
            assert_eq!(decode(name, &unhex(code)), [Event::Character(cp)], "{line}");
        }
    }
}

#[test]
fn no_other_pair_composes() {
    let table = data("composing.txt");
    for (name, oracle) in single_byte().iter().filter(|(name, _)| table.contains(name.as_str())) {
        let composed: BTreeSet<_> = table
            .lines()
            .map(words)
            .filter(|w| w[0] == name && w[1] == "decode")
            .map(|w| unhex(w[2]))
            .collect();
        let (mut input, mut expected) = (Vec::new(), Vec::new());
        for (a, first) in &oracle.decode {
            for (b, second) in &oracle.decode {
                let pair = [a.as_slice(), b.as_slice()].concat();
                if !composed.contains(&pair) {
                    input.extend([&pair[..], b"\n"].concat());
                    expected.extend([*first, *second, 0x0A].map(Event::Character));
                }
            }
        }
        assert!(decode(name, &input) == expected, "{name}");
    }
}

/// Without their high bits, the two-byte codes of EUC-JP are those of ISO-2022-JP after ESC $ B.
#[test]
fn iso_2022_jp_has_the_jis_x_0208_of_euc_jp() {
    let euc = Oracle::of_rows("EUC-JP");
    let jis = |code: &&Vec<u8>| code.len() == 2 && code[0] >= 0xA1;
    let codes: Vec<_> = euc.decode.keys().filter(jis).collect();
    assert_eq!(codes.len(), 6879, "the characters of JIS X 0208");
    let text: Vec<u32> = codes.iter().map(|code| euc.decode[*code]).collect();
    let seven_bits = codes.iter().flat_map(|code| code.iter().map(|byte| byte & 0x7F));
    let mut bytes = b"\x1B$B".to_vec();
    bytes.extend(seven_bits);
    bytes.extend(b"\x1B(B");
    let expected: Vec<_> = text.iter().copied().map(Event::Character).collect();
    assert!(decode("ISO-2022-JP", &bytes) == expected);
    assert!(encode("ISO-2022-JP", &text) == (bytes, vec![]));
    let repertoire: BTreeSet<u32> = text.into_iter().chain([0xA5, 0x203E]).collect();
    let known = |cp: u32| cp < 0x80 && cp != 0x1B || repertoire.contains(&cp);
    let unknown: Vec<u32> = numbers().filter(|cp| !known(*cp)).collect();
    assert!(encode("ISO-2022-JP", &numbers().collect::<Vec<_>>()).1 == unknown);
}

#[test]
fn iso_2022_jp_switches_sets_as_iconv_does() {
    for line in data("iso-2022-jp.txt").lines() {
        let w = words(line);
        let text = String::from_utf8(unhex(w[0])).unwrap();
        let cps: Vec<u32> = text.chars().map(u32::from).collect();
        assert_eq!(encode("ISO-2022-JP", &cps), (unhex(w[1]), vec![]), "{text}");
        let expected: Vec<_> = cps.into_iter().map(Event::Character).collect();
        assert_eq!(decode("ISO-2022-JP", &unhex(w[1])), expected, "{text}");
    }
    // ESC $ @, the other escape sequence for JIS X 0208, and a line feed while that set is active.
    let expected = [0x65E5, 0x0A, 0x672C, 0x20, 0x61].map(Event::Character);
    assert_eq!(decode("ISO-2022-JP", b"\x1B$@F|\nK\\ \x1B(Ba"), expected);
}

#[test]
fn ill_formed_iso_2022_jp() {
    use IllFormedKind::{InvalidByte, InvalidEscape, Truncated, TruncatedAtEnd, UndefinedSequence};
    for (input, at, len, kind) in [
        (&b"\x1B"[..], 0, 1, TruncatedAtEnd),
        (b"a\x1B$", 1, 2, TruncatedAtEnd),
        (b"\x1B(", 0, 2, TruncatedAtEnd),
        (b"\x1B$BF", 3, 1, TruncatedAtEnd),
        (b"\x1BA", 0, 1, InvalidEscape),
        (b"\x1B(I1", 0, 1, InvalidEscape),
        (b"\x1B$(D", 0, 1, InvalidEscape),
        (b"\x80", 0, 1, InvalidByte),
        (b"\x1B(J\xB1", 3, 1, InvalidByte),
        (b"\x1B$B\xC6|", 3, 1, InvalidByte),
        (b"\x1B$BF\n", 3, 1, Truncated),
        (b"\x1B$BF\x1B(B", 3, 1, Truncated),
        (b"\x1B$BF\xFC", 3, 1, Truncated),
        (b"\x1B$B-!", 3, 2, UndefinedSequence),
    ] {
        let found = decode("ISO-2022-JP", input);
        assert!(found.contains(&Event::IllFormed { at, len, kind }), "{input:X?}: {found:X?}");
    }
    // Only the ESC of an unknown escape sequence is ill-formed. The bytes after it are text.
    let [escape, a, b] = &decode("ISO-2022-JP", b"\x1B(I")[..] else { panic!() };
    assert_eq!(*escape, Event::IllFormed { at: 0, len: 1, kind: InvalidEscape });
    assert_eq!([a, b], [&Event::Character(0x28), &Event::Character(0x49)]);
}

#[test]
fn a_sequence_that_the_end_cuts_is_truncated_at_the_end() {
    for (name, input, at, len) in [
        ("CP932", &b"a\x81"[..], 1, 1),
        ("EUC-JP", b"\xA4\xA2\x8F\xB0", 2, 2),
        ("EUC-JP", b"\x8E", 0, 1),
        ("GBK", b"\x81", 0, 1),
        ("GB18030", b"\x81", 0, 1),
        ("GB18030", b"x\x81\x30", 1, 2),
        ("GB18030", b"\x81\x30\x81", 0, 3),
        ("BIG5", b"\xA4", 0, 1),
        ("CP949", b"\xB0\xA1\xB0", 2, 1),
    ] {
        let kind = IllFormedKind::TruncatedAtEnd;
        let found = decode(name, input);
        assert_eq!(found.last(), Some(&Event::IllFormed { at, len, kind }), "{name} {input:X?}");
    }
}

#[test]
fn the_result_does_not_depend_on_where_the_input_is_cut() {
    let inputs: [(&str, &[u8]); 10] = [
        ("windows-1252", b"caf\xE9 \x81 0123456789012345\x80\x8D"),
        ("windows-1255", b"\xF9\xCC\xD1\xF9\xD1\xCC\xE0\xC7 \xF9\xCC\xCA\xE1\xCC"),
        ("windows-1258", b"Vi\xEA\xF2t \x81Nam A\xF2\xF2 0123456789 \xE2\xEC\nA"),
        ("CP932", b"abc\x82\xA0\xB1\x81\x20\x85\x9F\x85A\x80\xFD 0123456789012\x83\x5C\xFA\x40\x81"),
        ("EUC-JP", b"\xA4\xA2\x8E\xB1\x8F\xB0\xA1\x8F\xB0A\x8F\xA1\xA1\xA4\x20\xAD\xA1\xFF 0123456789\x8F\xB0"),
        ("ISO-2022-JP", b"a\x1B$BF|\nK\\-!F\x1B(J\\~\x1B(I\x1B$@F|\x1B(B\x80z\x1B$B$\"\x1B("),
        ("GBK", b"\xC4\xE3\x80\xFFa\x81\x30\xA2\xE3\xA1\x40 0123456789012\xBA\xC3\x81"),
        ("GB18030", b"\xC4\xE3\x81\x30\x81\x30\x84\x31\xA5\x30\x90\x30\x81\x30\x81\x30\x81\x40\xFF 012345678\x81\x30\x81"),
        ("BIG5", b"\xA7\x41\xA4\x80\xFA\x40\xA3\xFE\xC6\xA1\x80 0123456789012345\xA4"),
        ("CP949", b"\xB0\xA1\x81\x41\x81\x5B\xFE\xA1\xC9\x41\x80\xFF 0123456789012345\xB0"),
    ];
    for (name, input) in inputs {
        let whole = decode(name, input);
        assert!(whole.iter().any(|event| matches!(event, Event::IllFormed { .. })), "{name}");
        for first in 0..=input.len() {
            for second in first..=input.len() {
                let pieces = [&input[..first], &input[first..second], &input[second..]];
                assert_eq!(
                    decode_pieces(name, &pieces),
                    whole,
                    "{name}, cut at {first} and {second}"
                );
            }
        }
        let bytes: Vec<_> = input.chunks(1).collect();
        assert_eq!(decode_pieces(name, &bytes), whole, "{name}, byte by byte");
    }
}

/// Runs glibc's iconv, which leaves out what it cannot convert; `None` if it is not installed.
fn iconv(arguments: [&str; 4], input: &[u8]) -> Option<Vec<u8>> {
    let version = Command::new("iconv").arg("--version").output().ok()?;
    if !String::from_utf8_lossy(&version.stdout).contains("GLIBC") {
        return None;
    }
    let mut child = Command::new("iconv")
        .arg("-c")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let (mut stdin, input) = (child.stdin.take()?, input.to_vec());
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().ok()?;
    writer.join().unwrap().ok()?;
    Some(output.stdout)
}

/// Except for GB18030, of which glibc had the 2005 edition for a long time, and macintosh (see make.py).
#[test]
fn the_iconv_of_this_machine_agrees() {
    let mut names: Vec<_> = all().into_iter().map(|(name, _)| name).collect();
    names.retain(|name| !["GB18030", "macintosh@whatwg"].contains(&name.as_str()));
    names.push("ISO-2022-JP".to_owned());
    let text = |but: u32| -> Vec<u32> {
        let scalar = (0..0x1_0000).filter(|cp| char::from_u32(*cp).is_some() && *cp != but);
        scalar.flat_map(|cp| [cp, 0x0A]).collect()
    };
    if iconv(["-f", "UTF-8", "-t", "UTF-8"], b"a").is_none() {
        skipped("this machine has no iconv of glibc");
        return;
    }
    let mut compared = 0;
    for name in names {
        // iconv writes nothing if it does not know the name.
        if iconv(["-f", "UTF-8", "-t", &name], b"a").is_none_or(|text| text.is_empty()) {
            skipped(&format!("{name}, which the iconv of this machine does not know"));
            continue;
        }
        // iconv writes U+001B as it is, but would read it back as the start of an escape sequence.
        let but = if name == "ISO-2022-JP" { 0x1B } else { u32::MAX };
        let text = text(but);
        let utf_8: String = text.iter().filter_map(|cp| char::from_u32(*cp)).collect();
        let expected = iconv(["-f", "UTF-8", "-t", &name], utf_8.as_bytes()).unwrap();
        compared += 1;
        let (bytes, _) = encode(&name, &text);
        assert!(bytes == expected, "UTF-8 to {name}");
        let expected = iconv(["-f", &name, "-t", "UTF-8"], &bytes).unwrap();
        let mut decoded = String::new();
        for event in decode(&name, &bytes) {
            let Event::Character(cp) = event else { panic!("{name}: {event:?}") };
            decoded.push(char::from_u32(cp).unwrap());
        }
        assert!(decoded.as_bytes() == expected, "{name} to UTF-8");
    }
    assert!(compared > 0, "iconv knows none of the names");
}
