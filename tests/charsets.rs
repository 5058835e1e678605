//! Every charset of the registry: names, round trips, ill-formed input, and input split anywhere. One charset of each
//! structure is also tested with vectors from its standard. `ci/charsets` compares all codes with other programs.

use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::sample;
use crate::support::{Outcome, Random, convert, convert_cut, skipped};
use oxiconv_encodings::codec::ByteOrder;
use oxiconv_encodings::encoding::{Encoding, Family, SplitRule};
use oxiconv_transcode::{Conversion, MarkMode, OnIllFormed, OnUnmappable, Options};

// ---- Names ----------------------------------------------------------------------------------------------------------

/// Returns the folder of other programs' charset names. The published package does not include it.
fn lists() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/charsets/names");
    if !folder.exists() {
        skipped("tools/charsets/names is not here; it is not in the package");
        return None;
    }
    Some(folder)
}

fn lines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}

#[test]
fn every_name_of_the_lists_is_accepted() {
    let Some(folder) = lists() else { return };
    let left_out: BTreeSet<String> = lines(&folder.join("left-out.txt"))
        .iter()
        .map(|line| line.split('\t').next().unwrap().to_lowercase())
        .collect();
    let mut unknown = Vec::new();
    let mut count = 0;
    let mut files: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|it| it == "tsv")) {
        for line in lines(file) {
            for name in line.split('\t').filter(|name| !left_out.contains(&name.to_lowercase())) {
                count += 1;
                if Encoding::for_name(name).is_err() {
                    let list = file.file_stem().unwrap().to_string_lossy();
                    unknown.push(format!("{list}:{name}"));
                }
            }
        }
    }
    assert!(count > 4000, "the lists have only {count} names");
    assert!(unknown.is_empty(), "{} of {count}: {}", unknown.len(), unknown.join(" "));
}

/// A name is left out because it names no charset here. If it is accepted, its line in `left-out.txt` is out of date.
#[test]
fn no_name_that_is_left_out_is_accepted() {
    let Some(folder) = lists() else { return };
    let known: Vec<_> = lines(&folder.join("left-out.txt"))
        .iter()
        .map(|line| line.split('\t').next().unwrap().to_owned())
        .filter(|name| Encoding::for_name(name).is_ok())
        .collect();
    assert!(known.is_empty(), "{}", known.join(" "));
}

// ---- All charsets ---------------------------------------------------------------------------------------------------

/// A charset with its conversions from and to UTF-8, and its own random numbers.
struct Charset {
    encoding: &'static Encoding,
    decoding: Conversion,
    encoding_all: Conversion,
    lossy: Conversion,
    skipping: Conversion,
    random: Random,
}

impl Charset {
    fn new(encoding: &'static Encoding) -> Self {
        let utf_8 = Encoding::UTF_8;
        let options = || Options::new().marks(MarkMode::Keep);
        let seed = encoding
            .name()
            .bytes()
            .fold(0xC0DE, |seed: u64, byte| seed.wrapping_mul(0x100_0000_01B3) ^ u64::from(byte));
        let replace = options().on_ill_formed(OnIllFormed::Replace);
        Self {
            encoding,
            decoding: options().build(encoding, utf_8).unwrap(),
            encoding_all: options().build(utf_8, encoding).unwrap(),
            lossy: replace.on_unmappable(OnUnmappable::Replace).build(encoding, utf_8).unwrap(),
            skipping: options().on_unmappable(OnUnmappable::Skip).build(utf_8, encoding).unwrap(),
            random: Random(seed),
        }
    }

    fn name(&self) -> &'static str {
        self.encoding.name()
    }

    /// Decodes strictly. The error is the outcome with its findings.
    fn decode(&self, bytes: &[u8]) -> Result<String, Box<Outcome>> {
        let outcome = convert(&self.decoding, bytes);
        match outcome.found.is_empty() {
            true => Ok(String::from_utf8(outcome.output).unwrap()),
            false => Err(outcome.into()),
        }
    }

    fn decode_lossy(&self, bytes: &[u8]) -> String {
        String::from_utf8(convert(&self.lossy, bytes).output).expect("well-formed output")
    }

    /// Encodes strictly. Returns `None` if there are findings.
    fn encode(&self, text: &str) -> Option<Vec<u8>> {
        let outcome = convert(&self.encoding_all, text.as_bytes());
        outcome.found.is_empty().then_some(outcome.output)
    }

    /// Returns random bytes that mix ASCII, bytes above 7F and the shifts and escapes of many charsets.
    fn bytes(&mut self, len: usize) -> Vec<u8> {
        const SHIFTS: [&[u8]; 10] = [
            b"\x0E",
            b"\x0F",
            b"\x1B$B",
            b"\x1B(B",
            b"\x1B$)C",
            b"\x1B$)A",
            b"~{",
            b"~}",
            b"\n",
            b"\x8E\xA2",
        ];
        let mut bytes = Vec::new();
        while bytes.len() < len {
            match self.random.below(16) {
                0 => bytes.extend_from_slice(self.random.pick(&SHIFTS)),
                1..4 => bytes.push(self.random.below(0x80) as u8),
                _ => bytes.push(self.random.below(0x100) as u8),
            }
        }
        bytes
    }

    /// Returns up to 150 characters that the charset both decodes and encodes, taken from random bytes and from ASCII.
    fn repertoire(&mut self) -> Vec<char> {
        let bytes = self.bytes(1500);
        let read: BTreeSet<char> = self.decode_lossy(&bytes).chars().chain(' '..='~').collect();
        let mut read: Vec<char> =
            read.into_iter().filter(|c| *c != '\u{FFFD}' && *c != '\u{FEFF}').collect();
        while read.len() > 150 {
            read.swap_remove(self.random.below(read.len()));
        }
        let text: String = read.iter().collect();
        let written = convert(&self.skipping, text.as_bytes());
        let unmappable: BTreeSet<u128> =
            written.found.iter().filter_map(|found| found.value).collect();
        read.retain(|c| !unmappable.contains(&u128::from(u32::from(*c))));
        read
    }
}

/// Returns whether any sequence of characters decodes to itself.
///
/// That is not so if escapes are plain text, or if letters compose with what follows them.
fn is_plain(encoding: &Encoding) -> bool {
    const COMPOSING: [&str; 11] = [
        "1255", "1258", "TCVN", "TSCII", "ISCII", "6937", "T.61", "X3.110", "MAC", "ANSEL", "MARC",
    ];
    let composes = COMPOSING.iter().any(|part| encoding.name().to_uppercase().contains(part));
    !composes && !matches!(encoding.family, Family::Escapes { .. })
}

/// Calls `check` with each charset, on all processors. Panics with the names of all charsets that fail.
fn each(check: impl Fn(&mut Charset) + Sync) {
    let all: Vec<&Encoding> = Encoding::all().collect();
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(encoding) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let checked = AssertUnwindSafe(|| check(&mut Charset::new(encoding)));
                    if catch_unwind(checked).is_err() {
                        failed.lock().unwrap().push(encoding.name());
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{} of {}: {}", failed.len(), all.len(), failed.join(" "));
}

#[test]
fn any_bytes_are_read_alike_wherever_they_are_cut() {
    each(|charset| {
        let name = charset.name();
        let text: String = charset.repertoire().into_iter().take(4).collect();
        let mut inputs = vec![charset.bytes(12), charset.bytes(12)];
        // Well-formed text, and the same text with one byte missing and the last one cut off.
        let mut written = convert(&charset.skipping, text.as_bytes()).output;
        inputs.push([&written[..], b"\n"].concat());
        if written.len() > 1 {
            written.remove(charset.random.below(written.len()));
            written.pop();
        }
        inputs.push(written);
        for input in inputs {
            let whole = convert(&charset.lossy, &input);
            std::str::from_utf8(&whole.output).expect("well-formed output");
            for at in 0..=input.len() {
                let got = convert_cut(&charset.lossy, &input, &[at], at % 2 == 0);
                assert_eq!(got, whole, "{name}: {input:X?} cut at {at}");
            }
            let bytes: Vec<usize> = (1..input.len()).collect();
            let got = convert_cut(&charset.lossy, &input, &bytes, true);
            assert_eq!(got, whole, "{name}: {input:X?} byte by byte");
        }
    });
}

#[test]
fn long_random_bytes_become_well_formed_text() {
    each(|charset| {
        let bytes = charset.bytes(4000);
        charset.decode_lossy(&bytes);
    });
}

/// Encoded text decodes to itself.
///
/// The exception is a character with a one-way mapping to bytes: they decode to another character, which must encode to
/// the same bytes.
#[test]
fn written_text_comes_back() {
    each(|charset| {
        let name = charset.name();
        let repertoire = charset.repertoire();
        let mut kept = Vec::new();
        for c in &repertoire {
            let Some(bytes) = charset.encode(&c.to_string()) else { continue };
            let back = charset.decode(&bytes).unwrap_or_else(|found| {
                panic!("{name}: {c:?} is written as {bytes:X?}: {:?}", found.found)
            });
            if back == c.to_string() {
                kept.push(*c);
            } else {
                assert_eq!(
                    charset.encode(&back),
                    Some(bytes),
                    "{name}: {c:?} comes back as {back:?}"
                );
            }
        }
        // Charsets of digits and symbols alone may have no character that round-trips.
        if kept.is_empty() {
            return;
        }
        let plain = is_plain(charset.encoding);
        for _ in 0..3 {
            let text: String = (0..60)
                .flat_map(|_| {
                    let end = if plain { None } else { Some('\n') };
                    [Some(charset.random.pick(&kept)), end].into_iter().flatten()
                })
                .collect();
            let Some(bytes) = charset.encode(&text) else {
                // The charset has no line feed.
                assert!(!plain, "{name}: {text:?} is not written");
                continue;
            };
            assert_eq!(charset.decode(&bytes).ok().as_ref(), Some(&text), "{name}: {bytes:X?}");
        }
    });
}

/// The encoder ORs the characters of a block together to decide how to write it.
///
/// Each character here has a single bit set and U+0000 has none, so one character decides for the whole block.
#[test]
fn a_character_among_nuls_is_written_as_by_itself() {
    let nuls = "\0".repeat(64);
    each(|charset| {
        if !charset.encoding.is_single_byte() {
            return;
        }
        for c in (7..16).filter_map(|bit| char::from_u32(1 << bit)) {
            let alone = charset.encode(&c.to_string());
            let among = charset.encode(&format!("{nuls}{c}{nuls}"));
            let codes = charset.encode(&nuls).zip(alone);
            let expected = codes.map(|(nuls, code)| [&nuls[..], &code, &nuls].concat());
            assert_eq!(among, expected, "{} U+{:04X}", charset.name(), u32::from(c));
        }
    });
}

/// Returns the bytes that begin a longer sequence; none if the code unit is not a byte.
fn leads(charset: &Charset) -> Vec<u8> {
    let is_lead = |byte: &u8| {
        let Err(outcome) = charset.decode(&[*byte]) else { return false };
        outcome.found[0].id == "truncated-at-end"
    };
    if charset.encoding.unit() != 1 { Vec::new() } else { (0..=0xFF).filter(is_lead).collect() }
}

#[test]
fn a_lead_byte_takes_no_ascii_with_it() {
    each(|charset| {
        let name = charset.name();
        if !matches!(charset.encoding.family, Family::Other) {
            return;
        }
        let mut leads = leads(charset);
        while leads.len() > 12 {
            leads.swap_remove(charset.random.below(leads.len()));
        }
        for lead in leads {
            for c in ['a', '0', '"', '\n', '@', '|', '~'] {
                // Only characters that are one byte by themselves are tested.
                let Some(second) = charset.encode(&c.to_string()) else { continue };
                let [second] = second[..] else { continue };
                if charset.decode(&[second]) != Ok(c.to_string()) {
                    continue;
                }
                let Err(outcome) = charset.decode(&[lead, second]) else { continue };
                if outcome.found[0].id == "truncated-at-end" {
                    continue;
                }
                let text = charset.decode_lossy(&[lead, second]);
                assert!(text.ends_with(c), "{name}: {lead:X} {second:X} is {text:?}");
            }
        }
    });
}

#[test]
fn a_sequence_that_the_end_cuts_is_reported_as_such() {
    each(|charset| {
        let name = charset.name();
        let Some(a) = charset.encode("a") else { return };
        for lead in leads(charset) {
            let input = [&a[..], &[lead]].concat();
            let outcome = convert(&charset.lossy, &input);
            let places: Vec<_> =
                outcome.found.iter().map(|it| (it.id, it.offset, it.bytes.len())).collect();
            // `a` may take several bytes, for example after a return to ASCII.
            assert_eq!(places, [("truncated-at-end", a.len() as u64, 1)], "{name}: {input:X?}");
        }
    });
}

/// If text may be split at a place, the two parts decode to the same text as the whole.
#[test]
fn parts_between_which_text_may_be_split_are_read_alone() {
    each(|charset| {
        let name = charset.name();
        let bytes = charset.bytes(300);
        let whole = charset.decode_lossy(&bytes);
        let places: Vec<usize> = match charset.encoding.split {
            SplitRule::Units(1) => vec![1, 100, 200],
            SplitRule::AfterLow => {
                (1..bytes.len()).filter(|at| bytes[at - 1] < 0x30).take(20).collect()
            }
            _ => return,
        };
        for at in places {
            let parts = [charset.decode_lossy(&bytes[..at]), charset.decode_lossy(&bytes[at..])];
            let near = &bytes[at.saturating_sub(8)..bytes.len().min(at + 8)];
            assert!(parts.concat() == whole, "{name}: at {at}, in the middle of {near:X?}");
        }
    });
}

// ---- Standards ------------------------------------------------------------------------------------------------------

/// Name, bytes, text and source: at least one charset of each structure.
const VECTORS: &[(&str, &[u8], &str, &str)] = &[
    ("IBM1047", b"\xC8\x85\x93\x93\x96\xAD\xBD", "Hello[]", "IBM CDRA, CPGID 01047: single bytes"),
    ("IBM037", b"\xC8\x85\x93\x93\x96\xBA\xBB", "Hello[]", "IBM CDRA, CPGID 00037"),
    ("ARMSCII-8", b"\xB2\xB3", "Աա", "AST 34.002"),
    ("VISCII", b"Vi\xAEt", "Việt", "RFC 1456"),
    ("VPS", b"Vi\x8Ct Nam, \xF1\xA5ng", "Việt Nam, Đặng", "Mozilla's test of x-viet-vps"),
    ("VNI", b"Vie\xE4t Nam, Xin cha\xF8o", "Việt Nam, Xin chào", "the fonts of VNI Software"),
    (
        "MAZOVIA",
        b"Za\xA7\xA2\x92\x8D g\x91\x9El\x86 ja\xA6\xA4",
        "Zażółć gęślą jaźń",
        "the layout of the Mazovia 1016",
    ),
    (
        "MAZOVIA",
        b"\x8F\x95\x90\x9C\xA5\xA3\x98\xA0\xA1 \xC9\xCD\xBB",
        "ĄĆĘŁŃÓŚŹŻ ╔═╗",
        "the layout of the Mazovia 1016",
    ),
    (
        "KOI8-CS2",
        b"P\xD2\xC9li\xD3 \xDAlu\xD4ou\xC3k\xD9 k\xCA\xCE",
        "Příliš žluťoučký kůň",
        "the encodings of Czech and Slovak, by Lukáš Petrlík",
    ),
    ("GB2312", b"\xD6\xD0\xCE\xC4", "中文", "GB/T 2312-1980, 54-48 and 46-36: G1"),
    ("EUC-KR", b"\xC7\xD1\xB1\xDB", "한글", "KS X 1001, 39-49 and 17-59"),
    ("EUC-JP", b"\x8E\xB1\x8F\xB0\xA1\xA4\xA2", "ｱ丂あ", "JIS X 0201, 0212, 0208: G2, G3 and G1"),
    (
        "EUC-TW",
        b"\xC4\xE3\xC5\xC6\x8E\xA2\xA1\xA1",
        "中文乂",
        "CNS 11643, planes 1 and 2: G2 of four bytes",
    ),
    ("GBK", b"\x81\x40\xC4\xE3", "丂你", "GBK/1 and GBK/3: lead and trail"),
    ("BIG5", b"\xA4\xA4\xA4\xE5", "中文", "Big5"),
    ("SHIFT_JIS", b"\x82\xA0\xB1", "あｱ", "JIS X 0208:1997, annex 1"),
    ("JOHAB", b"\x88\x61\xD0\x65\x8B\x69", "가한글", "KS X 1001, annex 3"),
    ("BIG5-HKSCS", b"\x88\x62\x88\x66", "Ê\u{304}Ê", "HKSCS-2004: two code points"),
    (
        "SHIFT_JISX0213",
        b"\x82\xF5\x82\xA9",
        "か\u{309A}か",
        "JIS X 0213:2000, annex 1: two code points",
    ),
    ("EUC-JISX0213", b"\xA4\xF7\xA4\xAB", "か\u{309A}か", "JIS X 0213:2000, annex 3"),
    (
        "GB18030:2005",
        b"\xA8\xBC\x81\x30\x81\x30\x90\x30\x81\x30",
        "ḿ\u{80}\u{10000}",
        "GB 18030-2005: four bytes",
    ),
    (
        "GB18030:2022",
        b"\xFE\x59\x82\x35\x90\x37",
        "\u{9FB4}\u{E81E}",
        "GB 18030-2022, which changed 18 pairs",
    ),
    ("IBM930", b"\x0E\x45\x62\x45\x66\x0F\xC1", "日本A", "IBM CDRA, CCSID 00930: shift out and in"),
    ("IBM939", b"\x0E\x45\x62\x45\x66\x48\xE7\x0F\xC1", "日本語A", "IBM CDRA, CCSID 00939"),
    ("ISO-2022-JP", b"\x1B$BF|K\\\x1B(BA", "日本A", "RFC 1468"),
    ("ISO-2022-JP-2", b"\x1B$A<:\x1B$(C0!\x1B.A\x1BNi\x1B(Bx", "己가éx", "RFC 1554"),
    ("ISO-2022-KR", b"\x1B$)C\x0E>H3g\x0F!", "안녕!", "RFC 1557"),
    ("ISO-2022-CN", b"\x1B$)A\x0E=;;;\x1B$)GG(_P\x0F", "交换交換", "RFC 1922, 7.1"),
    ("HZ", b"~{<:Ky2;S{#,NpJ)l6HK!#~}", "己所不欲，勿施於人。", "RFC 1843"),
    ("windows-1258", b"Vi\xEA\xF2t", "Vi\u{1EC7}t", "a letter and a tone, composed"),
    ("ISO_6937", b"\xC2e\xC8u", "éü", "ISO/IEC 6937: the accent first"),
    ("T.61-8BIT", b"\xC2e", "é", "ITU-T T.61"),
    ("TSCII", b"\xAB\xA6\xAB", "அெஅ", "TSCII 1.7"),
    ("ANSEL", b"P\xEAal \xA1\xE2od\xE2z \xCF", "Pål Łódź ß", "ANSI/NISO Z39.47; GEDCOM 5.5.1"),
    ("MARC-8", b"\xF2\xE3e\x1B(Nm\x1B$1!Bs\x1B(B", "ệМ日", "the Library of Congress's code tables"),
    ("CP50220", b"\x1B$B%Q\x1B(B", "パ", "Microsoft's code page 50220"),
    (
        "GB18030@whatwg",
        b"\x80\xA6\xD9\x84\x31\x82\x36",
        "€\u{FE10}\u{FE10}",
        "the Encoding Standard, 10.2",
    ),
    ("ISO-2022-JP@whatwg", b"\x1B(I6\x1B$B-!\x1B(B", "ｶ①", "the Encoding Standard, 12.2"),
    ("gsm-03.38-2009", b"\x00\x1B\x65", "@€", "3GPP TS 23.038, 6.2.1: an extension"),
    ("UTF8-MAC", b"e\xCC\x81", "é", "decomposed text, composed"),
];

#[test]
fn vectors_of_the_standards_are_read() {
    let wrong: Vec<String> = VECTORS
        .iter()
        .filter_map(|(name, bytes, text, source)| {
            let Ok(encoding) = Encoding::for_name(name) else {
                return Some(format!("{name} is unknown ({source})"));
            };
            let got = Charset::new(encoding).decode_lossy(bytes);
            (got != *text).then(|| format!("{name}: {bytes:X?} is {got:?} ({source})"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn vectors_of_the_standards_are_written() {
    // These charsets encode the text in another way that is just as valid: a composed letter, one designation for the
    // whole text, or other Vietnamese accents. Those of the Encoding Standard decode some codes that they never encode.
    let other = [
        "GB18030:2005",
        "ISO-2022-JP-2",
        "ISO-2022-CN",
        "windows-1258",
        "UTF8-MAC",
        "TSCII",
        "GB18030@whatwg",
        "ISO-2022-JP@whatwg",
    ];
    for (name, bytes, text, source) in VECTORS.iter().filter(|(name, ..)| !other.contains(name)) {
        let Ok(encoding) = Encoding::for_name(name) else { continue };
        let got = Charset::new(encoding).encode(text);
        assert_eq!(got.as_deref(), Some(*bytes), "{name} ({source})");
    }
}

/// Microsoft's best-fit table for windows-1252 maps U+221E (∞) to `8`.
///
/// That loses text, so it applies only if transliteration was requested.
#[test]
#[cfg(all(feature = "transliteration", feature = "archive"))]
fn a_best_fit_is_written_only_as_a_transliteration() {
    let target = Encoding::for_name("windows-1252-2000").unwrap();
    let text = "∞ Σ";
    assert_eq!(Charset::new(target).encode(text), None);
    let options = Options::new().transliterate(true);
    let outcome = convert(&options.build(Encoding::UTF_8, target).unwrap(), text.as_bytes());
    assert_eq!(outcome.output, b"8 S");
    let replace = Options::new().on_unmappable(OnUnmappable::Replace);
    let outcome = convert(&replace.build(Encoding::UTF_8, target).unwrap(), text.as_bytes());
    assert_eq!(outcome.output, b"? ?");
}

// ---- Runs to and from UTF-8 -----------------------------------------------------------------------------------------

/// The direct conversions between a charset and UTF-8 give the same result as the path through code points.
///
/// A direct conversion may stop anywhere; the result is compared up to there. The inputs are every pair of bytes (in a
/// plain run, every third), and the characters of the charset with ill-formed UTF-8 in between.
#[test]
fn runs_to_and_from_utf8_are_those_through_code_points() {
    /// A limit on the characters, because the direct conversion stops often and is called anew after each stop.
    const MOST: usize = 20_000;
    let encodings = sample::encodings(16, Encoding::all());
    let nth = if sample::is_thorough() { 1 } else { 3 };
    let pairs: Vec<u8> = (0..=u16::MAX)
        .step_by(nth)
        .flat_map(|pair| {
            let [lead, trail] = pair.to_be_bytes();
            let filler: &[u8] = if pair % 5 == 0 { b"sixteen of ASCII" } else { b"" };
            [&[lead, trail], filler].concat()
        })
        .collect();
    let (mut writing, mut reading, mut all_direct) = (0, 0, 0);
    for encoding in &encodings {
        let order = ByteOrder::Big;
        let (mut decoder, mut encoder) = (encoding.new_decoder(order), encoding.new_encoder(order));
        let mut output = vec![0; 4 * pairs.len()];
        let mut characters = vec![0; pairs.len()];
        let (mut at, mut direct) = (0, 0);
        while decoder.writes_utf8() && at < pairs.len() {
            let run = decoder.decode_to_utf8(&pairs[at..], &mut output);
            let through = decoder.decode(&pairs[at..at + run.read], &mut characters, true);
            assert_eq!(through.read, run.read, "{} at {at}", encoding.name());
            let text = characters[..through.written].iter().map(|cp| char::from_u32(*cp).unwrap());
            let text: String = text.collect();
            assert_eq!(text.as_bytes(), &output[..run.written], "{} at {at}", encoding.name());
            direct += run.read;
            at += run.read + 1;
        }
        if decoder.writes_utf8() {
            writing += 1;
            all_direct += direct;
        }
        if !encoder.reads_utf8() {
            continue;
        }
        reading += 1;
        let mut known: Vec<char> = "a€ß中\u{1F600}\0".chars().collect();
        at = 0;
        while at < pairs.len() {
            let decoded = decoder.decode(&pairs[at..], &mut characters, true);
            known.extend(characters[..decoded.written].iter().filter_map(|cp| char::from_u32(*cp)));
            at += decoded.read + 1;
        }
        known.sort_unstable();
        known.dedup();
        let mut text: Vec<u8> = Vec::new();
        for (number, character) in known.iter().take(MOST).enumerate() {
            text.extend(character.encode_utf8(&mut [0; 4]).as_bytes());
            let after: &[u8] = match number % 64 {
                // Unicode, Table 3-7: a stray continuation byte, overlong forms, a surrogate, truncated sequences.
                7 => b"\x80",
                14 => b"\xC1\xBF",
                21 => b"\xE0\x9F\xBF",
                28 => b"\xED\xA0\x80",
                35 => b"\xE4\xB8",
                42 => b"\xC3",
                _ => b" of ASCII",
            };
            text.extend(after);
        }
        (at, direct) = (0, 0);
        while at < text.len() {
            let run = encoder.encode_from_utf8(&text[at..], &mut output);
            let well_formed = std::str::from_utf8(&text[at..at + run.read]).unwrap();
            let cps: Vec<u32> = well_formed.chars().map(u32::from).collect();
            let mut through = vec![0; 8 * cps.len() + 64];
            let encoded = encoder.encode(&cps, &mut through);
            assert_eq!(encoded.read, cps.len(), "{} at {at}", encoding.name());
            let (got, expected) = (&output[..run.written], &through[..encoded.written]);
            assert_eq!(got, expected, "{} at {at}", encoding.name());
            direct += run.read;
            at += run.read + 1;
        }
        // A charset without all letters of US-ASCII may leave most of the text to the path through code points.
        let is_ascii = encoder.encode_from_utf8(&[b'a'; 4096], &mut output).read > 4000;
        assert!(!is_ascii || direct > text.len() / 2, "{}: only {direct} bytes", encoding.name());
    }
    // The limit is low because many charsets leave many codes undefined.
    assert!(all_direct > writing * pairs.len() / 4, "{all_direct} bytes of {writing} charsets");
    let most = encodings.len() / 2;
    assert!(writing > most && reading > most, "{writing} write UTF-8, {reading} read it");
}
