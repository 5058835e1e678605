//! Input compressed with gzip or zstd: the option `-z`, and `Decompressed` in the library.
//!
//! `make.py` in `tests/data/compressed` makes the files there, with Python's gzip and with zstd(1). Everything else is
//! built here by hand from RFC 1952 (gzip), RFC 1951 (deflate) and RFC 8878 (zstd).

use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::process::Child;
use std::time::Duration;

use crate::common::{Dir, run, start};
#[cfg(unix)]
use crate::common::{oxiconv, shell};
use crate::support::Pieces;
use oxiconv::{Decompressed, Encoding, Options, Reader};
use proptest::prelude::*;

const TEXT: &[u8] = include_bytes!("data/compressed/text.txt");
const GZIP: &[u8] = include_bytes!("data/compressed/text.txt.gz");
const ZSTD: &[u8] = include_bytes!("data/compressed/text.txt.zst");
/// 1 MiB of "a".
const LONG: &[u8] = include_bytes!("data/compressed/long.gz");

/// "ab" in a stored block. The header has no file name.
const AB: &[u8] = b"\x1F\x8B\x08\0\0\0\0\0\0\xFF\x01\x02\0\xFD\xFFab\x6D\x48\x83\x9E\x02\0\0\0";

const ZSTD_MAGIC: &[u8] = b"\x28\xB5\x2F\xFD";

/// Decompresses data that arrives in pieces of this many bytes.
fn decompressed_in(data: &[u8], piece: usize) -> io::Result<Vec<u8>> {
    let mut reader = Decompressed::new(Pieces::new(data.chunks(piece)));
    let (mut text, mut room) = (Vec::new(), vec![0; piece]);
    loop {
        match reader.read(&mut room)? {
            0 => return Ok(text),
            got => text.extend_from_slice(&room[..got]),
        }
    }
}

fn decompressed(data: &[u8]) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    Decompressed::new(data).read_to_end(&mut text).map(|_| text)
}

/// Returns the error message for invalid data.
#[track_caller]
fn fault(data: &[u8]) -> String {
    let error = decompressed(data).expect_err("refused");
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    error.to_string()
}

/// Returns a zstd frame. `header` starts with the frame header descriptor; `blocks` may end with a checksum.
fn frame(header: &[u8], blocks: &[u8]) -> Vec<u8> {
    [ZSTD_MAGIC, header, blocks].concat()
}

/// Returns a zstd block of this type: 0 is raw, 1 repeats one byte `len` times.
fn block(kind: u32, len: u32, last: bool, content: &[u8]) -> Vec<u8> {
    let header = len << 3 | kind << 1 | u32::from(last);
    [&header.to_le_bytes()[..3], content].concat()
}

/// Returns a zstd frame of "ab" with a window of 1 KiB. It has neither a checksum nor a content size.
fn zstd_ab() -> Vec<u8> {
    frame(&[0x00, 0x00], &block(0, 2, true, b"ab"))
}

/// Returns the name, the sample data and the file name extension of each format.
fn formats() -> [(&'static str, &'static [u8], &'static str); 2] {
    [("gzip", GZIP, "gz"), ("zstd", ZSTD, "zst")]
}

#[test]
fn the_text_is_that_which_was_compressed_however_it_is_read() {
    for (_, data, _) in formats() {
        for piece in [1, 2, 3, 7, 64, 1000, 1 << 20] {
            assert!(decompressed_in(data, piece).unwrap() == TEXT, "{piece}");
        }
    }
    assert!(decompressed(LONG).unwrap() == vec![b'a'; 1 << 20]);
    assert_eq!(decompressed(AB).unwrap(), b"ab");
    assert_eq!(decompressed(&zstd_ab()).unwrap(), b"ab");
}

#[test]
fn what_is_not_compressed_stays_as_it_is() {
    for plain in [
        &b""[..],
        b"text",
        b"(",
        b"(\xB5/",
        b"\x1F",
        b"\x1F\x8B",
        // Compression method 7. RFC 1952 defines only 8, deflate.
        b"\x1F\x8B\x07\0\0\0\0\0\0\xFF",
        b"P*M",
        b"P*M\x19 and more",
        b"`*M\x18",
        b"\x28\xB5\x2F\xFC",
        TEXT,
    ] {
        for piece in [1, 3, 1 << 20] {
            assert_eq!(decompressed_in(plain, piece).unwrap(), plain);
        }
    }
}

/// Truncated data yields at most a prefix of the text, and always an error, so it never looks complete.
#[test]
fn data_that_is_cut_off_anywhere_is_an_error() {
    for (name, data, _) in formats() {
        for len in 4..data.len() {
            let mut text = Vec::new();
            let error = Decompressed::new(&data[..len]).read_to_end(&mut text).unwrap_err();
            assert_eq!(error.to_string(), format!("the {name} data is truncated"), "{len}");
            assert!(TEXT.starts_with(&text), "{len}");
        }
    }
    let skippable = b"\x53\x2A\x4D\x18\x03\0\0\0abc";
    for len in 4..skippable.len() {
        assert_eq!(fault(&skippable[..len]), "the zstd data is truncated", "{len}");
    }
    let header = b"\x1F\x8B\x08\x1E\0\0\0\0\0\xFF\x02\0xyname\0comment\0\0\0";
    for len in 3..header.len() {
        assert_eq!(fault(&header[..len]), "the gzip data is truncated", "{len}");
    }
}

#[test]
fn the_text_before_a_fault_does_not_depend_on_pieces() {
    // A stored block, then one of the reserved type 3 (RFC 1951, 3.2.3).
    let reserved = b"\x1F\x8B\x08\0\0\0\0\0\0\xFF\0\x02\0\xFD\xFFab\x07";
    let mut wrong = AB.to_vec();
    wrong[17] ^= 1;
    for (data, fault) in [
        (&reserved[..], "the gzip data is corrupt"),
        (&wrong, "the gzip data is corrupt (checksum mismatch)"),
    ] {
        for piece in [1, 2, 7, 100] {
            let mut text = Vec::new();
            let error = Decompressed::new(Pieces::new(data.chunks(piece)))
                .read_to_end(&mut text)
                .unwrap_err();
            assert_eq!((error.to_string().as_str(), &text[..]), (fault, &b"ab"[..]), "{piece}");
        }
    }
}

/// Returns whether data is refused, or decompresses to [`TEXT`], or passes through because its magic number is gone.
fn is_refused_or_sound(changed: &[u8]) -> bool {
    match decompressed(changed) {
        Err(error) => error.kind() == ErrorKind::InvalidData,
        Ok(text) => text == TEXT || text == changed,
    }
}

/// Both samples have a checksum. In the first 32 bytes, which include the header, each byte takes every other value.
#[test]
fn no_changed_byte_gives_another_text() {
    for (name, data, _) in formats() {
        let mut changed = data.to_vec();
        for at in 0..data.len() {
            let differences: Vec<u8> = if at < 32 {
                (1..=u8::MAX).collect()
            } else {
                [1, 2, 4, 8, 16, 32, 64, 128, 0xFF, data[at]].into()
            };
            for difference in differences {
                changed[at] ^= difference;
                assert!(is_refused_or_sound(&changed), "{name}: {difference:02X} at {at}");
                changed[at] = data[at];
            }
        }
        // The last byte belongs to the checksum or the length after it, so a change must be refused.
        *changed.last_mut().unwrap() ^= 1;
        assert!(decompressed(&changed).is_err(), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4096) })]

    #[test]
    fn no_changed_bytes_give_another_text(
        is_gzip: bool,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut changed = if is_gzip { GZIP } else { ZSTD }.to_vec();
        for (at, byte) in changes {
            let at = at.index(changed.len());
            changed[at] = byte;
        }
        if let Some(cut) = cut {
            changed.truncate(cut.index(changed.len()));
        }
        prop_assert!(is_refused_or_sound(&changed));
    }

    #[test]
    fn no_bytes_after_a_magic_number_panic(
        magic in prop::sample::select(vec![&b"\x1F\x8B\x08\0\0\0\0\0\0\xFF"[..], b"\x1F\x8B\x08", ZSTD_MAGIC, b"\x28\xB5\x2F\xFD\0\0", b"\x50\x2A\x4D\x18"]),
        bytes in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        let _ = decompressed(&[magic, &bytes].concat());
    }

    /// The block headers are well-formed, so that the decoder gets as far as the contents.
    #[test]
    fn no_blocks_panic(blocks in prop::collection::vec((0_u32..3, prop::collection::vec(any::<u8>(), 0..60)), 1..6)) {
        let count = blocks.len();
        let blocks = blocks.iter().enumerate();
        let blocks = blocks.flat_map(|(at, (kind, bytes))| block(*kind, bytes.len() as u32, at + 1 == count, bytes));
        let _ = decompressed(&frame(&[0x00, 0x00], &blocks.collect::<Vec<_>>()));
    }
}

#[test]
fn members_and_frames_are_one_text() {
    let zstd = zstd_ab();
    let skippable = b"\x5F\x2A\x4D\x18\x03\0\0\0abc";
    let empty = frame(&[0x20, 0], &block(0, 0, true, b""));
    for (parts, expected) in [
        (&[AB, AB][..], &b"abab"[..]),
        (&[AB, b"\0"], b"ab"),
        (&[AB, &[0; 100_000]], b"ab"),
        (&[&zstd, &zstd], b"abab"),
        (&[skippable, &zstd, skippable, skippable, &empty, &zstd, skippable], b"abab"),
        (&[skippable], b""),
        (&[&empty], b""),
    ] {
        let data = parts.concat();
        for piece in [1, 5, 1 << 20] {
            assert_eq!(decompressed_in(&data, piece).unwrap(), expected);
        }
    }
}

#[test]
fn every_field_of_a_gzip_header_is_read() {
    let body = &AB[10..];
    for (flags, fields) in [
        (0x01, &b""[..]),
        (0x04, b"\x03\0xyz"),
        (0x08, b"name\0"),
        (0x10, b"comment\0"),
        (0x1C, b"\x02\0xyname\0comment\0"),
    ] {
        let header = [b"\x1F\x8B\x08", &[flags][..], b"\0\0\0\0\0\xFF", fields].concat();
        assert_eq!(decompressed(&[&header, body].concat()).unwrap(), b"ab", "{flags:02X}");
    }
    // FHCRC is set. According to Python's zlib, the CRC-32 of 1F 8B 08 02 00 00 00 00 00 FF is B857C990.
    let header = |crc: &[u8; 2]| [b"\x1F\x8B\x08\x02\0\0\0\0\0\xFF", &crc[..], body].concat();
    assert_eq!(decompressed(&header(b"\x90\xC9")).unwrap(), b"ab");
    assert_eq!(fault(&header(b"\x91\xC9")), "the gzip data is corrupt (checksum mismatch)");
    for flags in [0x20, 0x40, 0x80] {
        let header = [b"\x1F\x8B\x08", &[flags][..], b"\0\0\0\0\0\xFF"].concat();
        assert_eq!(fault(&[&header, body].concat()), "the gzip data is corrupt");
    }
}

#[test]
fn what_follows_compressed_data_is_an_error() {
    let zstd = zstd_ab();
    let gzip_ends = format!("the gzip data ends at byte {}, but other data follows", AB.len());
    let zstd_ends = format!("the zstd data ends at byte {}, but other data follows", zstd.len());
    for rest in [&b"x"[..], b"\0\0x", b"\x1F", b"\x1F\x8B\x07", &zstd] {
        assert_eq!(fault(&[AB, rest].concat()), gzip_ends);
    }
    for rest in [&b"x"[..], b"\0", b"\x28\xB5", AB] {
        assert_eq!(fault(&[&zstd, rest].concat()), zstd_ends);
    }
}

#[test]
fn checksums_and_lengths_are_compared() {
    let len = AB.len();
    for (at, expected) in [
        (len - 8, "the gzip data is corrupt (checksum mismatch)"),
        (len - 4, "the gzip data is corrupt (length mismatch)"),
    ] {
        let mut data = AB.to_vec();
        data[at] ^= 1;
        assert_eq!(fault(&data), expected);
    }
    let blocks = block(0, 2, true, b"ab");
    // The low four bytes of XXH64("ab"), as zstd(1) writes them.
    let with_checksum =
        |checksum: [u8; 4]| [&frame(&[0x04, 0x00], &blocks)[..], &checksum].concat();
    assert_eq!(decompressed(&with_checksum([0x61, 0x4A, 0xD0, 0x92])).unwrap(), b"ab");
    assert_eq!(
        fault(&with_checksum([0x61, 0x4A, 0xD0, 0x93])),
        "the zstd data is corrupt (checksum mismatch)"
    );
    // Frame_Content_Size in one byte (with a single segment), two (less 256), four and eight.
    let text = vec![b'a'; 258];
    let long = block(0, 258, true, &text);
    for (header, blocks, expected) in [
        (&b"\x20\x02"[..], &blocks, &b"ab"[..]),
        (b"\x40\0\x02\0", &long, &text),
        (b"\x80\0\x02\0\0\0", &blocks, b"ab"),
        (b"\xC0\0\x02\0\0\0\0\0\0\0", &blocks, b"ab"),
    ] {
        assert_eq!(decompressed(&frame(header, blocks)).unwrap(), expected);
        for (at, difference) in [(header.len() - 1, 1), (if header.len() == 2 { 1 } else { 2 }, 1)]
        {
            let mut header = header.to_vec();
            header[at] ^= difference;
            if header[0] == 0x20 {
                // In a single segment, the content size is also the window size, so the message may be another one.
                assert!(decompressed(&frame(&header, blocks)).is_err());
                continue;
            }
            let message = fault(&frame(&header, blocks));
            assert_eq!(message, "the zstd data is corrupt (length mismatch)");
        }
    }
    // The reserved bit of the descriptor, and the reserved block type.
    assert_eq!(fault(&frame(&[0x08, 0x00], &blocks)), "the zstd data is corrupt");
    assert_eq!(fault(&frame(&[0, 0], &block(3, 2, true, b"ab"))), "the zstd data is corrupt");
}

/// RFC 8878, 3.1.1.1.2: the window descriptor has an exponent of five bits and a mantissa of three.
#[test]
fn windows_of_more_than_8_mib_and_dictionaries_are_refused() {
    let blocks = block(0, 2, true, b"ab");
    assert_eq!(decompressed(&frame(&[0, 13 << 3], &blocks)).unwrap(), b"ab");
    let window = |bytes: u64| {
        format!(
            "the zstd data needs a window of {bytes} bytes, and at most 8388608 are supported (decompress it with zstd -d \
             --long=31)"
        )
    };
    assert_eq!(fault(&frame(&[0, 13 << 3 | 1], &blocks)), window(9 << 20));
    assert_eq!(fault(&frame(&[0, 17 << 3], &blocks)), window(128 << 20));
    assert_eq!(fault(&frame(&[0, 0xFF], &blocks)), window(15 << 38));
    // In a single segment, the content size is the window size.
    let single = |len: u32| frame(&[&[0xA0][..], &len.to_le_bytes()].concat(), &blocks);
    assert_eq!(fault(&single((8 << 20) + 1)), window((8 << 20) + 1));
    assert_eq!(fault(&single(8 << 20)), "the zstd data is corrupt (length mismatch)");
    for (header, id) in
        [(&b"\x01\0\x07"[..], 7), (b"\x02\0\x01\x02", 513), (b"\x03\0\0\0\0\x01", 1 << 24)]
    {
        let expected = format!(
            "the zstd data needs dictionary {id} (decompress it with zstd -d -D DICTIONARY)"
        );
        assert_eq!(fault(&frame(header, &blocks)), expected);
    }
    // Dictionary ID 0 means that there is none.
    assert_eq!(decompressed(&frame(&[1, 0, 0], &blocks)).unwrap(), b"ab");
}

#[test]
fn an_error_of_the_reader_is_passed_on_and_reading_ends_after_it() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::new(ErrorKind::TimedOut, "too late"))
        }
    }
    for (_, data, _) in formats() {
        for len in [0, 2, 5, 30, 300] {
            let mut reader = Decompressed::new(data[..len].chain(Failing));
            let error = reader.read_to_end(&mut Vec::new()).unwrap_err();
            assert_eq!((error.kind(), error.to_string()), (ErrorKind::TimedOut, "too late".into()));
            assert_eq!(reader.read(&mut [0; 9]).unwrap(), 0);
        }
    }
}

#[test]
fn the_library_converts_what_it_decompresses() {
    let conversion = Options::new().build(Encoding::UTF_8, Encoding::UTF_16LE).unwrap();
    for data in [AB, &zstd_ab(), b"ab"] {
        let mut text = Vec::new();
        Reader::new(Decompressed::new(data), &conversion).read_to_end(&mut text).unwrap();
        assert_eq!(text, b"a\0b\0");
    }
}

// ---- The program ----------------------------------------------------------------------------------------------------

/// Writes the text plain, and compressed in both formats.
fn texts(dir: &Dir) {
    dir.write("text.txt", TEXT);
    dir.write("text.txt.gz", GZIP);
    dir.write("text.txt.zst", ZSTD);
}

#[test]
fn findings_and_output_are_those_of_the_plain_file() {
    let dir = Dir::new();
    texts(&dir);
    let options: [&[&str]; 12] = [
        &["--check"],
        &["--check", "--format", "json"],
        &["--check", "--stats"],
        &["--check", "-f", "latin1", "--deny", "c1"],
        &["--explain"],
        &["--detect", "-v"],
        &["-f", "auto", "--errors", "replace"],
        &["--errors", "report"],
        &[],
        &["-f", "cp1252", "-t", "utf-7"],
        &["--fallback", "windows-1252", "-v"],
        &["--files-with-findings"],
    ];
    for options in options {
        let plain = dir.run(&[&["-z"], options, &["text.txt"]].concat());
        for name in ["text.txt.gz", "text.txt.zst"] {
            let (status, out, err) = dir.run(&[&["-z"], options, &[name]].concat());
            let named = |text: &str| text.replace(name, "text.txt");
            assert_eq!((status, named(&out), named(&err)), plain, "{options:?} {name}");
            if !options.contains(&"--files-with-findings") {
                let input = fs::read(dir.path(name)).unwrap();
                let (status, out, err) = run(&[&["-z"], options].concat(), &input);
                // Suggested commands differ: they include -z.
                let out = String::from_utf8(out).unwrap();
                let out = out.replace("\"-z\",", "").replace("oxiconv -z ", "oxiconv ");
                let compressed = (status, out.into_bytes(), err);
                assert_eq!(compressed, run(options, TEXT), "{options:?} {name}, standard input");
            }
        }
    }
    // The sample contains the faults that make.py put there, so the comparisons above were not of empty reports.
    let (status, out, _) = dir.run(&["-z", "--check", "text.txt.zst"]);
    let offset = TEXT.windows(5).position(|bytes| bytes == b"caf\xE9 ").unwrap() + 3;
    assert_eq!(status, 1);
    assert!(out.contains(&format!("E9 at byte {offset} ")), "{out}");
}

#[test]
fn plain_and_compressed_files_are_read_in_one_run() {
    let dir = Dir::new();
    texts(&dir);
    dir.write("ab", b"ab");
    dir.write("ab.gz", AB);
    dir.write("ab.zst", &zstd_ab());
    dir.write("not.gz", b"+");
    let files = ["ab", "not.gz", "ab.gz", "ab.zst"];
    assert_eq!(dir.run(&[&["-z"], &files[..]].concat()), (0, "ab+abab".into(), String::new()));
    dir.write("list", b"ab.gz\0ab\0not.gz\0");
    assert_eq!(dir.run(&["-z", "--files0-from", "list"]), (0, "abab+".into(), String::new()));
    let (status, out, err) = dir.run(&["-z", "--check", "--files0-from", "list"]);
    assert_eq!((status, out), (0, String::new()), "{err}");
    // Without -z, compressed files are not text.
    assert_eq!(dir.run(&["--check", "-q", "-s", "ab.gz"]).0, 1);
}

#[test]
fn a_tree_is_searched_as_if_its_files_were_plain() {
    let dir = Dir::new();
    dir.write("tree/good.txt.gz", AB);
    dir.write("tree/bad.txt.zst", &frame(&[0, 0], &block(0, 2, true, b"a\xFF")));
    dir.write("tree/bad.txt", b"a\xFE");
    let binary: Vec<u8> = (0..=u8::MAX).cycle().take(1024).collect();
    dir.write("tree/binary.gz", &gzip_of(&binary));
    dir.write("tree/binary", &binary);
    dir.write("tree/ignored.gz", &gzip_of(b"\xFF"));
    dir.write("tree/.ignore", b"ignored.gz\n");
    let (status, out, err) = dir.run(&["-z", "--check", "-r", "tree"]);
    let lines: Vec<_> = out.lines().map(|line| line.split(": error").next().unwrap()).collect();
    assert_eq!((status, lines), (1, vec!["tree/bad.txt:1:2", "tree/bad.txt.zst:1:2"]), "{err}");
    assert!(err.contains("2 binary files skipped"), "{err}");
    let (status, out, _) = dir.run(&["-z", "--check", "-r", "--include", "*.gz", "tree"]);
    assert_eq!((status, &*out), (0, ""));
    let (_, out, _) = dir.run(&["-z", "--detect", "-r", "tree"]);
    let names: Vec<_> = out.lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(names, ["tree/bad.txt", "tree/bad.txt.zst", "tree/good.txt.gz"]);
}

/// Compresses text into one stored block. The checksum follows the definition in RFC 1952, section 8.
fn gzip_of(text: &[u8]) -> Vec<u8> {
    let mut crc = u32::MAX;
    for byte in text {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { 0xEDB8_8320 ^ (crc >> 1) } else { crc >> 1 };
        }
    }
    let len = text.len() as u16;
    let block = [&[1][..], &len.to_le_bytes(), &(!len).to_le_bytes(), text].concat();
    let trailer = [!crc, u32::from(len)].map(u32::to_le_bytes).concat();
    [b"\x1F\x8B\x08\0\0\0\0\0\0\xFF", &block[..], &trailer].concat()
}

#[test]
fn the_vector_by_hand_has_the_right_checksum() {
    assert_eq!(gzip_of(b"ab"), AB);
}

#[test]
fn outputs_lose_the_end_of_the_name() {
    let dir = Dir::new();
    for (name, data) in [
        ("a.txt.gz", AB),
        ("b.txt.zst", &zstd_ab()),
        ("c.gz", b"plain"),
        ("sub/D.TXT.GZ", AB),
        ("e.txt", AB),
        (".gz", AB),
        ("f.gz.gz", AB),
    ] {
        dir.write(name, data);
    }
    let files = ["a.txt.gz", "b.txt.zst", "c.gz", "sub/D.TXT.GZ", "e.txt", ".gz", "f.gz.gz"];
    let (status, _, err) = dir.run(&[&["-z", "-O", "out"], &files[..]].concat());
    assert_eq!((status, &*err), (0, "oxiconv: 7 written\n"));
    for (name, text) in [
        ("out/a.txt", "ab"),
        ("out/b.txt", "ab"),
        ("out/c", "plain"),
        ("out/sub/D.TXT", "ab"),
        ("out/e.txt", "ab"),
        ("out/.gz", "ab"),
        ("out/f.gz", "ab"),
    ] {
        assert_eq!(dir.read(name), text.as_bytes(), "{name}");
    }
    // Without -z, file names are kept.
    assert_eq!(dir.run(&["-f", "latin1", "-O", "kept", "c.gz"]).0, 0);
    assert_eq!(dir.read("kept/c.gz"), b"plain");
}

#[test]
fn two_outputs_in_one_place_are_refused() {
    let dir = Dir::new();
    texts(&dir);
    let expected =
        |one, two| format!("oxiconv: {one} and {two} would both be written to out/text.txt\n");
    for (one, two) in [("text.txt", "text.txt.gz"), ("text.txt.gz", "text.txt.zst")] {
        let (status, out, err) = dir.run(&["-z", "-O", "out", one, two]);
        assert_eq!((status, &*out, err), (2, "", expected(one, two)));
        assert!(!dir.path("out").exists());
    }
    // The output would replace another input.
    dir.write("out/text.txt", b"other");
    let (status, _, err) = dir.run(&["-z", "-O", "out", "text.txt.gz", "out/text.txt"]);
    assert_eq!(status, 2, "{err}");
    assert_eq!(dir.read("out/text.txt"), b"other");
}

#[test]
fn what_would_replace_a_compressed_file_is_refused() {
    let dir = Dir::new();
    texts(&dir);
    for (args, expected) in [
        (
            &["-z", "-i", "text.txt.gz"][..],
            "oxiconv: --decompress cannot be combined with --in-place: compressed files would become plain text under the \
             same names (use --output-dir)\n",
        ),
        (
            &["-z", "-f", "latin1", "-o", "text.txt.gz", "text.txt.gz"],
            "oxiconv: text.txt.gz: is also an input, which --decompress reads but does not replace (write to another \
             file)\n",
        ),
    ] {
        let (status, out, err) = dir.run(args);
        assert_eq!((status, &*out, &*err), (2, "", expected));
        assert_eq!(dir.read("text.txt.gz"), GZIP);
    }
    for option in ["--names", "--list", "--list-translit", "--undo-rename=list"] {
        let (status, _, err) = dir.run(&["-z", option]);
        assert_eq!(status, 2);
        let option = option.split('=').next().unwrap();
        assert_eq!(err, format!("oxiconv: {option} cannot be combined with --decompress\n"));
    }
    let names = ["text.txt", "text.txt.gz", "text.txt.zst"];
    assert_eq!(dir.names(), names);
}

#[test]
fn no_output_is_put_in_place_if_the_data_is_corrupt() {
    let dir = Dir::new();
    let mut corrupt = AB.to_vec();
    corrupt[17] ^= 1;
    dir.write("corrupt.gz", &corrupt);
    dir.write("cut.zst", &ZSTD[..ZSTD.len() - 1]);
    dir.write("good.gz", AB);
    dir.write("out/corrupt", b"old");
    dir.write("joined", b"old");
    let corrupt =
        "oxiconv: corrupt.gz: cannot read: the gzip data is corrupt (checksum mismatch)\n";
    let cut = "oxiconv: cut.zst: cannot read: the zstd data is truncated\n";

    let (status, _, err) = dir.run(&["-z", "-q", "-o", "joined", "good.gz", "corrupt.gz"]);
    assert_eq!(status, 2);
    assert!(err.starts_with(corrupt), "{err}");
    assert_eq!(dir.read("joined"), b"old");

    let files = ["corrupt.gz", "cut.zst", "good.gz"];
    let args = ["-z", "-q", "-f", "latin1", "-O", "out"];
    let (status, _, err) = dir.run(&[&args, &files[..]].concat());
    assert_eq!((status, &*err), (2, &*format!("{corrupt}{cut}")));
    assert_eq!((dir.read("out/corrupt"), dir.read("out/good")), (b"old".to_vec(), b"ab".to_vec()));
    assert!(!dir.path("out/cut").exists());

    for task in ["--check", "--detect"] {
        let (status, _, err) = dir.run(&["-z", "-q", task, "corrupt.gz"]);
        assert_eq!((status, &*err), (2, corrupt), "{task}");
    }
    let (status, _, err) = run(&["-z"], &AB[..AB.len() - 1]);
    let expected = "oxiconv: (standard input): cannot read: the gzip data is truncated\n";
    assert_eq!((status, &*err), (2, expected));
}

#[test]
fn valid_files_are_copied_as_text() {
    let dir = Dir::new();
    dir.write("valid.gz", &gzip_of("é".as_bytes()));
    dir.write("old.gz", &gzip_of(b"\xE9"));
    dir.write("damaged.gz", &gzip_of("é".as_bytes())[..20]);
    let args = ["-z", "-f", "latin1", "--if-invalid", "-O", "out", "valid.gz", "old.gz"];
    assert_eq!(dir.run(&args).0, 0);
    assert_eq!((dir.read("out/valid"), dir.read("out/old")), ("é".into(), "é".into()));
    assert_eq!(dir.run(&["-z", "-f", "latin1", "--if-invalid", "-O", "out", "damaged.gz"]).0, 2);
    assert!(!dir.path("out/damaged").exists());
}

/// The checks before a conversion examine the decompressed text, too.
#[cfg(unix)]
#[test]
fn files_are_refused_by_their_text() {
    let dir = Dir::new();
    dir.write("utf16.gz", &gzip_of(b"\xFF\xFEa\0\n\0"));
    let (status, _, err) = dir.run(&["-z", "-O", "out", "-f", "latin1", "utf16.gz"]);
    assert_eq!(status, 1);
    let command = "oxiconv -z -f utf-16 -O out utf16.gz";
    assert!(err.contains("it looks like UTF-16LE with a byte order mark"), "{err}");
    assert!(err.contains(command), "{err}");
    assert!(!dir.path("out/utf16").exists());
    shell(command, dir.0.path());
    assert_eq!(dir.read("out/utf16"), b"a\n");
}

#[test]
fn what_a_repository_declares_is_compared_with_the_text() {
    let dir = Dir::new();
    dir.write(
        ".editorconfig",
        b"root = true\n[utf16*]\ncharset = utf-16le\n[bom*]\ncharset = utf-8-bom\n",
    );
    let ascii = "forty letters and more that are UTF-8 only\n";
    for (name, text) in [("utf16", ascii), ("bom", "")] {
        dir.write(&format!("{name}.txt"), text.as_bytes());
        dir.write(&format!("{name}.gz"), &gzip_of(text.as_bytes()));
    }
    for name in ["utf16", "bom"] {
        let (plain, compressed) = (format!("{name}.txt"), format!("{name}.gz"));
        let expected = dir.run(&["-z", "--check", "-q", &plain]);
        let (status, out, err) = dir.run(&["-z", "--check", "-q", &compressed]);
        assert_eq!((status, out.replace(&compressed, &plain), err), expected, "{name}");
        assert_eq!(expected.0, i32::from(name == "utf16"), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn suggested_commands_decompress() {
    let dir = Dir::new();
    dir.write("stray.gz", &gzip_of(b"caf\xE9 cr\xE8me, se\xF1or na\xEFve\n"));
    let (_, out, _) = dir.run(&["-z", "--explain", "stray.gz"]);
    let command = out.lines().find_map(|line| line.split_once("repair").map(|it| it.1.trim()));
    let command = command.expect("a command");
    assert!(command.starts_with("oxiconv -z "), "{command}");
    assert_eq!(shell(command, dir.0.path()), "café crème, señor naïve\n".as_bytes());
}

/// Returns the peak resident memory of a running process in KiB.
fn peak_kib(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// The limit on the peak resident memory of a run, in KiB.
const MOST_KIB: u64 = 64 * 1024;

/// Runs the program to the end of its output. Returns its peak resident memory in KiB, and the bytes it wrote.
fn peak_of(dir: &Dir, args: &[&str]) -> (u64, u64) {
    let mut child = start(dir.0.path(), args);
    let mut out = child.stdout.take().unwrap();
    let (mut room, mut read, mut peak) = (vec![0; 1 << 20], 0, 0);
    loop {
        // The peak is read while output is still coming, because it is gone once the process has ended.
        let got = out.read(&mut room).unwrap();
        if got == 0 {
            break;
        }
        read += got as u64;
        if let Ok(status) = fs::read_to_string(format!("/proc/{}/status", child.id()))
            && status.contains("VmHWM:")
        {
            peak = peak.max(peak_kib(&child));
        }
    }
    child.wait().unwrap();
    (peak, read)
}

/// Returns a frame with a window of 8 MiB and this many blocks of 128 KiB. Each block repeats one letter.
fn bomb(blocks: u32) -> Vec<u8> {
    let last = |at| at + 1 == blocks;
    let blocks = (0..blocks).flat_map(|at| block(1, 128 << 10, last(at), b"a"));
    frame(&[0, 13 << 3], &blocks.collect::<Vec<_>>())
}

#[cfg(unix)]
#[test]
fn memory_does_not_grow_with_the_text() {
    let dir = Dir::new();
    dir.write("bomb.gz", &LONG.repeat(256));
    dir.write("bomb.zst", &bomb(2048));
    for name in ["bomb.gz", "bomb.zst"] {
        let (peak, read) = peak_of(&dir, &["-z", name]);
        assert_eq!(read, 256 << 20, "{name}");
        assert!((1..MOST_KIB).contains(&peak), "{name}: {peak} KiB");
    }
}

#[cfg(unix)]
#[test]
fn memory_does_not_grow_with_the_number_of_files() {
    let dir = Dir::new();
    for number in 0..24 {
        dir.write(&format!("tree/{number}.zst"), &bomb(256));
    }
    // With a declared encoding, each file is read twice.
    dir.write("tree/.editorconfig", b"root = true\n[*]\ncharset = latin1\n");
    let args = ["-z", "--check", "-v", "-j8", "-r", "tree"];
    let mut child = start(dir.0.path(), &args);
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        if let Ok(status) = fs::read_to_string(format!("/proc/{}/status", child.id()))
            && status.contains("VmHWM:")
        {
            peak = peak.max(peak_kib(&child));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!((1..MOST_KIB).contains(&peak), "{peak} KiB");
}

#[test]
fn the_first_bytes_may_come_one_by_one() {
    let dir = Dir::new();
    for (name, data, _) in formats() {
        let mut child = start(dir.0.path(), &["-z", "-f", "latin1", "-t", "latin1"]);
        let mut to = child.stdin.take().unwrap();
        for byte in &data[..4] {
            to.write_all(&[*byte]).unwrap();
            std::thread::sleep(Duration::from_millis(20));
        }
        let rest = data[4..].to_vec();
        let writing = std::thread::spawn(move || to.write_all(&rest).unwrap());
        let mut got = Vec::new();
        child.stdout.take().unwrap().read_to_end(&mut got).unwrap();
        writing.join().unwrap();
        assert!(child.wait().unwrap().success() && got == TEXT, "{name}");
    }
}

#[test]
fn a_stream_is_shown_as_it_comes() {
    let dir = Dir::new();
    for first in [AB, b"ab", b"(", b"\x1F\x8A"] {
        let mut child = start(dir.0.path(), &["-z", "-f", "latin1"]);
        let mut to = child.stdin.take().unwrap();
        to.write_all(first).unwrap();
        let mut out = child.stdout.take().unwrap();
        let mut got = [0; 1];
        if first != b"(" {
            // The input is still open, so this would block forever if the program waited for more. It does wait after
            // `(`, which may be the start of a zstd magic number.
            out.read_exact(&mut got).unwrap();
            assert_eq!(got[0], if first == AB { b'a' } else { first[0] });
        }
        drop(to);
        let mut rest = Vec::new();
        out.read_to_end(&mut rest).unwrap();
        assert!(!rest.is_empty());
        assert!(child.wait().unwrap().success());
    }
}

#[cfg(unix)]
#[test]
fn under_the_name_iconv_nothing_changes() {
    let dir = Dir::new();
    let link = dir.path("iconv");
    std::os::unix::fs::symlink(assert_cmd::cargo::cargo_bin!("oxiconv"), &link).unwrap();
    dir.write("ab.gz", AB);
    let run = |args: &[&str]| {
        std::process::Command::new(&link).current_dir(dir.0.path()).args(args).output().unwrap()
    };
    assert_eq!(run(&["-f", "latin1", "-t", "latin1", "ab.gz"]).stdout, AB);
    assert!(!run(&["-z", "-f", "latin1", "ab.gz"]).status.success());
    assert!(
        oxiconv()
            .args(["-z", "-f", "latin1"])
            .arg(dir.path("ab.gz"))
            .output()
            .unwrap()
            .status
            .success()
    );
}
