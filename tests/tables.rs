//! Charmaps and UCM files that a user provides, through the library and through the program.
//!
//! Expected values were written by hand after POSIX.1-2017, XBD 6.4, and ICU's description of UCM files. glibc's iconv
//! is the oracle for charmaps, if it is installed. `ci/tables` compares every published table.

use std::collections::BTreeMap;
use std::process::Command;

use crate::common::Dir;
use crate::support::{convert, convert_cut, skipped, strictly};
use oxiconv::Encoding;
use oxiconv_transcode::diagnostic::Outcome as Became;
use oxiconv_transcode::{OnIllFormed, OnUnmappable, Options, Threads};
use proptest::prelude::*;

fn table(text: &str) -> &'static Encoding {
    Encoding::from_table("mine", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

fn decoded(encoding: &'static Encoding, bytes: &[u8]) -> String {
    oxiconv::decode_lossy(bytes, encoding).into_owned()
}

/// Returns the code of a text; `None` if the text is unmappable.
fn encoded(encoding: &'static Encoding, text: &str) -> Option<Vec<u8>> {
    oxiconv::encode(text, encoding).ok().map(|bytes| bytes.into_owned())
}

/// A charmap with every construct of the format.
const CHARMAP: &str = "\
<code_set_name> X-STEP
<comment_char> %
<escape_char> /
<mb_cur_max> 2
<mb_cur_min> 1
% alias STEP
CHARMAP
% Every second one, then all, then in decimal: 8, 9, 10, 11, 12 without A to F.
<U0041>..(2)..<U0047> /x41 LATIN CAPITAL LETTER A
<U0061>..<U0064>     /x61 LATIN SMALL LETTER A
<U0008>...<U0012>    /xa0 BACKSPACE
<U0099>...<U0101>    /xa8 a nine that carries twice
<U0028>....<U0032>   /xb0 LEFT PARENTHESIS
<U00E0>              /d201 in decimal
<U00E1>              /312 in octal
<U00FC>/x34
<U00FD>\t/x35\tLATIN SMALL LETTER Y WITH ACUTE

<U4E00>              /x81/x40 a pair
<U4E01>..<U4E03>     /x81/xFE a range that carries
END CHARMAP

WIDTH
<U4E00> 2
END WIDTH
";

/// The codes of [`CHARMAP`] and their characters.
const CODES: &[(&[u8], &str)] = &[
    (b"\x41", "A"),
    (b"\x42", "C"),
    (b"\x43", "E"),
    (b"\x44", "G"),
    (b"\x61", "a"),
    (b"\x64", "d"),
    (b"\xA0", "\u{8}"),
    (b"\xA1", "\u{9}"),
    (b"\xA2", "\u{10}"),
    (b"\xA3", "\u{11}"),
    (b"\xA4", "\u{12}"),
    (b"\xA8", "\u{99}"),
    (b"\xA9", "\u{100}"),
    (b"\xAA", "\u{101}"),
    (b"\xB0", "("),
    (b"\xB1", ")"),
    (b"\xB2", "0"),
    (b"\xB4", "2"),
    (b"\xC9", "à"),
    (b"\xCA", "á"),
    (b"\x34", "ü"),
    (b"\x35", "ý"),
    (b"\x81\x40", "\u{4E00}"),
    (b"\x81\xFE", "\u{4E01}"),
    (b"\x81\xFF", "\u{4E02}"),
    (b"\x82\x00", "\u{4E03}"),
];

#[test]
fn a_charmap_means_what_posix_says() {
    let step = table(CHARMAP);
    for (code, text) in CODES {
        assert_eq!(decoded(step, code), *text, "{code:X?}");
        assert_eq!(encoded(step, text).as_deref(), Some(*code), "{text}");
    }
    for lacking in ["B", "D", "H", "e", "\u{A}", "*", "\u{4E04}", "ö"] {
        assert_eq!(encoded(step, lacking), None, "{lacking}");
    }
    for undefined in [&b"\x45"[..], b"\x65", b"\xA5", b"\xB5", b"\x80", b"\x81", b"\x81\x41"] {
        assert!(decoded(step, undefined).contains('\u{FFFD}'), "{undefined:X?}");
    }
    assert_eq!(step.summary(), "X-STEP, a charmap");
}

#[cfg(unix)]
#[test]
fn glibc_reads_the_same_charmap_alike() {
    let dir = Dir::new();
    dir.write("step.cm", CHARMAP.as_bytes());
    for (code, text) in CODES {
        for (from, to, input, output) in [
            ("./step.cm", "UTF-8", *code, text.as_bytes()),
            ("UTF-8", "./step.cm", text.as_bytes(), *code),
        ] {
            dir.write("input", input);
            let done = Command::new("iconv")
                .current_dir(dir.0.path())
                .args(["-f", from, "-t", to, "input"])
                .output();
            match done {
                Ok(done) if done.status.success() => assert_eq!(done.stdout, output, "{code:X?}"),
                Ok(done) => {
                    let words = String::from_utf8_lossy(&done.stderr).into_owned();
                    // Without the charmaps of the package locales, iconv cannot combine a charmap with UTF-8.
                    assert!(!words.contains("cannot convert"), "{code:X?}: {words}");
                    skipped(&format!("iconv takes no charmap here: {words}"));
                    return;
                }
                Err(error) => {
                    skipped(&format!("no iconv on this machine: {error}"));
                    return;
                }
            }
        }
    }
}

#[test]
fn names_lead_to_characters_in_other_ways_too() {
    let old = table(
        "<escape_char> /\n<comment_char> %\nCHARMAP\n\
         <NUL> /x00 <U0000> NULL\n\
         <Co> /x00 <U00A9> not in this set\n\
         <A/>> /xc2 <U00C2> LATIN CAPITAL LETTER A WITH CIRCUMFLEX\n\
         <//> /x2f <U002F> SOLIDUS\n\
         <U:> /xdc <U00DC> LATIN CAPITAL LETTER U WITH DIAERESIS\n\
         <dollar-sign> /x24\n\
         <a> /x61\n\
         <nobody> /x62\n\
         %IRREVERSIBLE%<U2015> /x2d\n\
         <U00C0>..<U00C1> /xc0\n\
         <U00C0> /xe0 again\n\
         <U0101> /xc0 again\n\
         END CHARMAP\n",
    );
    assert_eq!(decoded(old, b"\0\xC2\x2F\xDC\x24\x61\x2D\xC0\xC1\xE0"), "\0Â/Ü$a\u{2015}ÀÁÀ");
    assert_eq!(decoded(old, b"\x62"), "\u{FFFD}");
    // RFC 1345 gives code 00 to characters that the charset lacks. An irreversible mapping is only read. A character
    // with several codes is written as the first one.
    assert_eq!((encoded(old, "©"), encoded(old, "\u{2015}")), (None, None));
    assert_eq!(encoded(old, "ÀÁ"), Some(b"\xC0\xC1".to_vec()));
    // A code with two characters is read as the first. The second is still written.
    assert_eq!(encoded(old, "ā"), Some(b"\xC0".to_vec()));
    // If the table has no NUL, 00 is an ordinary code, as in GSM 03.38.
    let gsm = table("CHARMAP\n<U0040> \\x00\n<U0041> \\x41\nEND CHARMAP\n");
    assert_eq!((decoded(gsm, b"\0A"), encoded(gsm, "@")), ("@A".to_owned(), Some(b"\0".to_vec())));
}

#[test]
fn the_charset_of_the_encoding_standard_writes_no_sequence_whose_first_character_it_lacks() {
    // The Encoding Standard's Big5 reads 88 62 as two characters, but can write neither.
    let big5 = Encoding::for_name("Big5@whatwg").unwrap();
    assert_eq!(decoded(big5, b"\x88\x62"), "\u{CA}\u{304}");
    for text in ["\u{CA}", "\u{CA}\u{304}", "\u{CA}x"] {
        assert_eq!(encoded(big5, text), None, "{text}");
    }
}

#[test]
fn a_mnemonic_that_begins_with_u_is_no_code_point() {
    // The charmap has the line <U6> /x33 <U30A6>, where U6 is a mnemonic of RFC 1345.
    let kana = Encoding::for_name("JIS_C6220-1969-JP").unwrap();
    assert_eq!(decoded(kana, b"\x32\x33\x34"), "\u{30A4}\u{30A6}\u{30A8}");
}

/// A UCM file with every construct of the format. Its states allow A1 to FE after 81 to 84.
const UCM: &str = "\
# A comment
<code_set_name> \"mine\"   # another one
<uconv_class>   \"MBCS\"
<mb_cur_max>    4
<subchar>       \\x3F
<icu:state>     0-80, 81-84:1, 90:2
<icu:state>     a1-fe
<icu:state>     30-39:3
<icu:state>     41-42
CHARMAP
<U000A> \\x0A |0
<U0041> \\x41 |0
<U0042> \\x42 |0
<U0061> \\x61 |0  # an a
<U20AC> \\x80|0
<UFF21> \\x41 |1
<U0394> \\x3F |2
<U2126> \\x62 |3
<U03A9> \\x62 |4
<U03C9> \\x63 |4
<U1F600> \\x81\\xA1 |0
<U10FFFD> \\x81\\xA2 |0
<UE000> \\x81+\\xA3 |0
<U0061><U0301> \\x81\\xA4 |0
<U0042>+<U0301> \\x81\\xA5 |0
<U03B1><U0301> \\x81\\xA6 |0
<U5000> \\x90\\x30\\x41 |0
<U5001> \\x90\\x39\\x42\\x43 |0
END CHARMAP
";

#[test]
fn a_ucm_file_means_what_icu_says() {
    let mine = table(UCM);
    for (code, text) in [
        (&b"\x80"[..], "€"),
        (b"\x81\xA1", "😀"),
        (b"\x81\xA2", "\u{10FFFD}"),
        (b"\x81\xA3", "\u{E000}"),
        (b"\x81\xA4", "a\u{301}"),
        (b"\x81\xA5", "B\u{301}"),
        (b"\x90\x30\x41", "\u{5000}"),
        (b"\x90\x39\x42\x43", "\u{5001}"),
    ] {
        assert_eq!(decoded(mine, code), text, "{code:X?}");
        assert_eq!(encoded(mine, text).as_deref(), Some(code), "{text}");
    }
    // |3 is only read. |4 is only written, and only if its code can be read. 63 cannot.
    assert_eq!((decoded(mine, b"\x62"), encoded(mine, "\u{2126}")), ("\u{2126}".to_owned(), None));
    assert_eq!(
        (encoded(mine, "\u{3A9}"), encoded(mine, "\u{3C9}")),
        (Some(b"\x62".to_vec()), None)
    );
    // |2 is left to the converter. A sequence whose first character has no code cannot be written.
    assert_eq!((encoded(mine, "\u{394}"), encoded(mine, "\u{3B1}\u{301}")), (None, None));
    assert_eq!(decoded(mine, b"\x81\xA6"), "\u{3B1}\u{301}");
    assert_eq!(encoded(mine, "aaa\u{301}a").unwrap(), b"aa\x81\xA4a");
    // A best fit (|1) is used only for transliteration.
    assert_eq!(encoded(mine, "\u{FF21}"), None);
    let options = Options::new().transliterate(true);
    let (text, summary) =
        oxiconv::convert("\u{FF21}".as_bytes(), Encoding::UTF_8, mine, &options).unwrap();
    assert_eq!((&text[..], summary.of_unmappable.of(Became::Transliterated)), (&b"A"[..], 1));
}

#[test]
fn the_form_of_codes_says_how_long_an_ill_formed_subsequence_is() {
    let places = |input: &[u8]| {
        let found = convert(&strictly(table(UCM), None), input).found;
        let replacing = Options::new().on_ill_formed(OnIllFormed::Replace);
        let conversion = replacing.build(table(UCM), Encoding::UTF_8).unwrap();
        let all = convert(&conversion, input).found;
        assert!(found.len() <= 1);
        all.iter().map(|one| (one.id, one.offset, one.bytes.len())).collect::<Vec<_>>()
    };
    assert_eq!(places(b"\xFF"), [("invalid-byte", 0, 1)]);
    // The states make 82 a lead byte, but no pair with it is mapped.
    assert_eq!(places(b"\x82\xA1a"), [("undefined-sequence", 0, 2)]);
    assert_eq!(places(b"\x81\xFEa"), [("undefined-sequence", 0, 2)]);
    assert_eq!(places(b"\x81a"), [("truncated", 0, 1)]);
    assert_eq!(places(b"\x81"), [("truncated-at-end", 0, 1)]);
    assert_eq!(places(b"\x90\x39\x42"), [("truncated-at-end", 0, 3)]);
    // 39 is unmapped as a single byte, so it belongs to the ill-formed subsequence. 42 and 61 are characters.
    assert_eq!(places(b"\x90\x39\x42a"), [("truncated", 0, 2)]);
}

/// A stateful EBCDIC charset. 0E is a shift, although the table maps it to a character.
const HOST: &str = "\
<code_set_name> \"host\"
<uconv_class> \"EBCDIC_STATEFUL\"
CHARMAP
<U000E> \\x0E |0
<U0061> \\x81 |0
<U000A> \\x25 |0
<U304B> \\x44\\x86 |0
<U65E5> \\x45\\x62 |0
<U304B><U309A> \\xEC\\xB5 |0
<U65E6> \\x45\\x62 |1
END CHARMAP
";

#[test]
fn a_table_with_shifts_shifts() {
    let host = table(HOST);
    let bytes = b"\x81\x0E\x45\x62\xEC\xB5\x44\x86\x0F\x25";
    let text = "a日か\u{309A}か\n";
    assert_eq!(decoded(host, bytes), text);
    assert_eq!(encoded(host, text).unwrap(), bytes);
    assert_eq!(encoded(host, "a日").unwrap(), b"\x81\x0E\x45\x62\x0F");
    assert_eq!(encoded(host, "\u{E}"), None);
    assert_eq!(host.structure(), Some("bytes and pairs, with shifts"));
}

#[test]
fn no_cut_changes_the_result() {
    for (text, input) in [
        (UCM, &b"A\x81\xA1\x81\xA4\x90\x39\x42\x43\x90\x39\x42A\x82\xA1\x81a\x80\xFF\x81"[..]),
        (HOST, b"\x81\x0E\x45\x62\xEC\xB5\x0F\x25\x0E\x44\x25\x44\x86\xFF\x44"),
        (CHARMAP, b"ABC\x81\x40\x81\xFE\x82\x00\x81\x41\x82"),
    ] {
        let mine = table(text);
        let options =
            || Options::new().on_ill_formed(OnIllFormed::Escape).on_unmappable(OnUnmappable::Xml);
        let reading = options().build(mine, Encoding::UTF_8).unwrap();
        let whole = convert(&reading, input);
        let writing = options().build(Encoding::UTF_8, mine).unwrap();
        let written = convert(&writing, &whole.output);
        for first in 0..=input.len() {
            for second in first..=input.len() {
                assert_eq!(convert_cut(&reading, input, &[first, second], true), whole);
            }
        }
        for cut in 0..=whole.output.len() {
            assert_eq!(convert_cut(&writing, &whole.output, &[cut], true), written);
        }
    }
}

#[test]
fn several_threads_give_the_same() {
    let mine = table(UCM);
    let line = b"A\x81\xA1\x81\xA4\x90\x39\x42\x43\x82\xA1a\x80\n";
    let input = line.repeat(400_000);
    let with = |threads| {
        let options = Options::new().on_ill_formed(OnIllFormed::Replace).threads(threads);
        crate::support::run(&options.build(mine, Encoding::UTF_8).unwrap(), &mut &input[..]).0
    };
    let (one, all) = (with(Threads::One), with(Threads::All));
    assert_eq!(one.summary, all.summary);
    assert!(one.output == all.output && one.found == all.found);
    assert_eq!(one.summary.ill_formed(), 400_000);
}

const SMALL: &[u8] = b"CHARMAP\n<U0041> \\x41\n<U000A> \\x0A\n<U20AC> \\x80\nEND CHARMAP\n";

/// A charmap with A (41) and the euro sign (80), compressed with `gzip -9n`.
const COMPRESSED: &[u8] = b"\x1f\x8b\x08\0\0\0\0\0\x02\x03\x73\xf6\x70\x0c\xf2\x75\x0c\xe0\xb2\x09\x35\x30\x30\x31\xb4\
    \x53\x88\xa9\x30\x31\x04\x72\x8c\x0c\x1c\x9d\x41\x1c\x0b\x03\x2e\x57\x3f\x17\x05\x67\xa8\x2a\x00\x26\x28\x9a\xf0\
    \x2e\0\0\0";

#[test]
fn a_path_is_a_name_wherever_one_is() {
    let dir = Dir::new();
    dir.write("small", SMALL);
    dir.write("small.gz", COMPRESSED);
    dir.write("sub/deep/small", SMALL);
    dir.write("text", b"A\x80");
    dir.write("utf8", "A€".as_bytes());
    let path = dir.path("sub/deep/small");
    let path = path.to_str().unwrap();
    for from in ["./small", "./small.gz", "sub/deep/small", "sub//deep/small", path] {
        assert_eq!(dir.run(&["-f", from, "text"]), (0, "A€".to_owned(), String::new()), "{from}");
    }
    let bytes = |args: &[&str]| {
        let output =
            crate::common::oxiconv().current_dir(dir.0.path()).args(args).output().unwrap();
        (output.status.code().unwrap(), output.stdout)
    };
    assert_eq!(bytes(&["-t", "./small", "utf8"]), (0, b"A\x80".to_vec()));
    dir.write("utf8", "A€Ω\u{4E00}".as_bytes());
    for suffixed in ["./small//IGNORE", "./small//ignore//", "sub//deep/small//IGNORE,TRANSLIT"] {
        let (status, text) = bytes(&["-q", "-t", suffixed, "utf8"]);
        assert_eq!((status, &text[..2]), (1, &b"A\x80"[..]), "{suffixed}");
    }
    // As source and target at once, and as the fallback.
    assert_eq!(bytes(&["-f", "./small", "-t", "sub/deep/small", "text"]), (0, b"A\x80".to_vec()));
    let (status, out, _) = dir.run(&["-q", "--fallback", "./small", "text"]);
    assert_eq!((status, &out[..]), (0, "A€"));
    // Findings name the encoding by the path.
    dir.write("bad", b"A\x81");
    let (status, _, err) = dir.run(&["-f", "./small", "bad"]);
    assert_eq!(status, 1);
    assert!(err.contains("byte 81 is not assigned in ./small"), "{err}");
    let (status, out, _) = dir.run(&["-l", "-v", "./small"]);
    assert_eq!(status, 0);
    assert!(out.contains("a charmap") && out.contains("structure: one byte"), "{out}");
}

#[test]
fn an_encoding_of_the_program_wins_over_a_file() {
    let dir = Dir::new();
    dir.write("ISO-10646/UCS2", SMALL);
    dir.write("latin1", SMALL);
    dir.write("mine", SMALL);
    dir.write("text", b"\0A");
    let (_, out, _) = dir.run(&["-f", "ISO-10646/UCS2", "text"]);
    assert_eq!(out, "A");
    dir.write("text", b"\x80");
    assert_eq!(dir.run(&["-f", "latin1", "text"]).1, "\u{80}");
    assert_eq!(dir.run(&["-f", "./latin1", "text"]).1, "€");
    // A name without a slash is not a path.
    let (status, _, err) = dir.run(&["-f", "mine", "text"]);
    assert_eq!(status, 2);
    assert!(err.contains("unknown encoding 'mine'") && err.contains("./mine?"), "{err}");
    // A name with a slash that is neither an encoding nor a file.
    let (status, _, err) = dir.run(&["-f", "ISO-10646/UCS5", "text"]);
    assert_eq!(status, 2);
    assert!(err.contains("unknown encoding 'ISO-10646/UCS5'"), "{err}");
    let (status, _, err) = dir.run(&["-t", "latin1//FOO", "text"]);
    assert_eq!(status, 2);
    assert!(err.contains("unknown suffix '//FOO'"), "{err}");
}

#[cfg(unix)]
#[test]
fn what_is_no_table_is_said_with_file_and_line() {
    let dir = Dir::new();
    dir.write("text", b"A");
    dir.write("broken.ucm", b"CHARMAP\n<U0041> \\x41\n<U0042> oops\nEND CHARMAP\n");
    dir.write("binary", b"\x7FELF\x02\x01\x01\0\0\0\0\0");
    dir.write("cut.gz", &COMPRESSED[..40]);
    let mut wrong = COMPRESSED.to_vec();
    wrong[50] ^= 0x10;
    dir.write("wrong.gz", &wrong);
    dir.write("sub/file", b"");
    for (name, words) in [
        ("./broken.ucm", "./broken.ucm:3: oops is not a code such as \\x41"),
        ("./broken.ucm//TRANSLIT", "./broken.ucm:3: oops is not a code such as \\x41"),
        ("./binary", "./binary:1: not a charmap or UCM file: found a NUL byte"),
        (
            "./text",
            "./text:1: not a charmap or UCM file: found neither <code_set_name> nor CHARMAP",
        ),
        ("./sub/file", "./sub/file:1: not a charmap or UCM file: CHARMAP is missing"),
        ("./sub", "./sub: is a directory, not a charmap or UCM file"),
        ("/dev/zero", "/dev/zero: is a device, not a charmap or UCM file"),
        ("./nothing", "./nothing: No such file or directory"),
        ("./cut.gz", "./cut.gz: "),
        ("./wrong.gz", "./wrong.gz: "),
        ("./\u{1b}[31m", r"./\u{1b}[31m: No such file or directory"),
    ] {
        for args in [["-f", name], ["-t", name], ["--fallback", name]] {
            // --fallback does not accept suffixes.
            if args[0] == "--fallback" && name.contains("//") {
                continue;
            }
            let (status, out, err) = dir.run(&[args[0], args[1], "text"]);
            assert_eq!((status, &out[..]), (2, ""), "{name}: {err}");
            assert!(err.contains(words), "{name}: {err}");
            assert!(!err.contains('\u{1b}') && !err.contains("os error"), "{err}");
        }
    }
}

/// Prefix-free codes and their characters: lead bytes below 80 are single-byte codes, and others start codes of two or
/// three bytes.
fn mappings() -> impl Strategy<Value = BTreeMap<Vec<u8>, char>> {
    let code = prop_oneof![
        (0_u8..0x80).prop_map(|byte| vec![byte]),
        (0x80_u8..0xC0, any::<u8>()).prop_map(|(first, second)| vec![first, second]),
        (0xC0_u8..=0xFF, 0x30_u8..0x34, any::<u8>()).prop_map(|(a, b, c)| vec![a, b, c]),
    ];
    prop::collection::btree_map(code, any::<char>(), 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Each code is read as its character. Each character is written as its first code.
    #[test]
    fn a_table_of_any_mappings_has_exactly_these(mappings in mappings(), picks in prop::collection::vec(any::<prop::sample::Index>(), 0..40)) {
        let lines: String = mappings
            .iter()
            .map(|(code, character)| {
                let bytes: String = code.iter().map(|byte| format!("\\x{byte:02X}")).collect();
                format!("<U{:04X}> {bytes} |0\n", u32::from(*character))
            })
            .collect();
        let mine = table(&format!("CHARMAP\n{lines}END CHARMAP\n"));
        let all: Vec<_> = mappings.iter().collect();
        let (mut bytes, mut text, mut rewritten) = (Vec::<u8>::new(), String::new(), Vec::<u8>::new());
        for pick in picks {
            let (code, character) = all[pick.index(all.len())];
            bytes.extend(code);
            text.push(*character);
            let first = all.iter().find(|(_, other)| *other == character).unwrap();
            rewritten.extend(first.0);
        }
        let read = oxiconv::decode(&bytes, mine).unwrap();
        prop_assert_eq!(&*read, &text);
        let written = oxiconv::encode(&text, mine).unwrap();
        prop_assert_eq!(&*written, &rewritten);
        // Single bytes are read only if the table has them.
        for first in 0..=u8::MAX {
            let known = mappings.get(&vec![first]);
            prop_assert_eq!(oxiconv::decode(&[first], mine).ok().as_deref().map(str::to_owned), known.map(char::to_string));
        }
    }

    /// A broken table is at most an error.
    #[test]
    fn no_text_makes_the_readers_fail_otherwise(
        which in 0_usize..3,
        edits in prop::collection::vec((any::<prop::sample::Index>(), "[ -~\n]{0,6}", 0_usize..6), 0..8),
        input in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let mut text = [CHARMAP, UCM, HOST][which].to_owned();
        for (place, with, len) in edits {
            let start = place.index(text.len() + 1);
            let end = (start + len).min(text.len());
            text.replace_range(start..end, &with);
        }
        if let Ok(mine) = Encoding::from_table("mine", text.as_bytes()) {
            // Arbitrary input can be read with replacement, and what is then written can be read strictly.
            let read = oxiconv::decode_lossy(&input, mine).into_owned();
            let skip = Options::new().on_unmappable(OnUnmappable::Skip);
            let (bytes, _) = oxiconv::convert(read.as_bytes(), Encoding::UTF_8, mine, &skip).unwrap();
            prop_assert!(oxiconv::decode(&bytes, mine).is_ok());
        }
    }

    /// The same for arbitrary bytes.
    #[test]
    fn no_bytes_make_the_readers_fail_otherwise(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Encoding::from_table("mine", &bytes[..]);
        let _ = Encoding::from_table("mine", &[b"CHARMAP\n<", &bytes[..]].concat()[..]);
    }
}
