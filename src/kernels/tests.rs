//! Every kernel of a set against a one-line oracle made with the standard library: all lengths, alignments, places of
//! what cannot be converted and rooms, on the contract that `mod.rs` states.
//!
//! Nothing here knows how a set works.

use super::*;

/// The sets that this machine can run.
fn sets() -> Vec<&'static Kernels> {
    available()
}

/// What stands at the start of the input, and its length in bytes; `None` where that cannot be converted.
type DecodeOne = fn(&[u8]) -> Option<(u32, usize)>;
/// The bytes of a code point.
type EncodeOne = fn(u32) -> Option<Vec<u8>>;

fn char_of(result: Option<char>) -> Option<u32> {
    result.map(u32::from)
}

const ASCII: DecodeOne = |i| Some((u32::from(*i.first().filter(|b| b.is_ascii())?), 1));
const LATIN1: DecodeOne = |i| Some((u32::from(char::from(*i.first()?)), 1));
const UTF8: DecodeOne = |i| {
    (1..=4.min(i.len())).find_map(|n| {
        let text = std::str::from_utf8(&i[..n]).ok()?;
        Some((text.chars().next()?.into(), n))
    })
};
fn utf16(units: impl Iterator<Item = u16>) -> Option<(u32, usize)> {
    let c = char::decode_utf16(units).next()?.ok()?;
    Some((c.into(), 2 * c.len_utf16()))
}
const UTF16LE: DecodeOne = |i| utf16(i.as_chunks().0.iter().copied().map(u16::from_le_bytes));
const UTF16BE: DecodeOne = |i| utf16(i.as_chunks().0.iter().copied().map(u16::from_be_bytes));
const UTF32LE: DecodeOne =
    |i| Some((char_of(char::from_u32(u32::from_le_bytes(*i.first_chunk()?)))?, 4));
const UTF32BE: DecodeOne =
    |i| Some((char_of(char::from_u32(u32::from_be_bytes(*i.first_chunk()?)))?, 4));

const TO_ASCII: EncodeOne = |cp| Some(vec![u8::try_from(cp).ok().filter(u8::is_ascii)?]);
const TO_LATIN1: EncodeOne = |cp| Some(vec![u8::try_from(cp).ok()?]);
const TO_UTF8: EncodeOne = |cp| Some(char::from_u32(cp)?.to_string().into_bytes());
const TO_UTF16LE: EncodeOne = |cp| {
    Some(
        char::from_u32(cp)?
            .encode_utf16(&mut [0; 2])
            .iter()
            .flat_map(|u| u.to_le_bytes())
            .collect(),
    )
};
const TO_UTF16BE: EncodeOne = |cp| {
    Some(
        char::from_u32(cp)?
            .encode_utf16(&mut [0; 2])
            .iter()
            .flat_map(|u| u.to_be_bytes())
            .collect(),
    )
};
const TO_UTF32LE: EncodeOne = |cp| char::from_u32(cp).map(|_| cp.to_le_bytes().to_vec());
const TO_UTF32BE: EncodeOne = |cp| char::from_u32(cp).map(|_| cp.to_be_bytes().to_vec());

/// A kernel from bytes with its oracle, the oracle of the way back, and what it stops at.
struct Decoding {
    name: &'static str,
    kernel: Decode,
    oracle: DecodeOne,
    encode: EncodeOne,
    bad: &'static [&'static [u8]],
}

fn decodings(set: &Kernels) -> Vec<Decoding> {
    const BAD_8: &[&[u8]] = &[
        b"\xFF",
        b"\x80",
        b"\xC0\xAF",
        b"\xE0\x9F\x80",
        b"\xE2\x82",
        b"\xED\xA0\x80",
        b"\xF0\x8F\x80\x80",
        b"\xF0\x9F\x98",
        b"\xF4\x90\x80\x80",
        b"\xF5\x80\x80\x80",
    ];
    let row = |name, kernel, oracle, encode, bad| Decoding { name, kernel, oracle, encode, bad };
    vec![
        row("ASCII", set.ascii_to_code_points, ASCII, TO_ASCII, &[b"\x80", b"\xFF"]),
        row("ISO-8859-1", set.latin1_to_code_points, LATIN1, TO_LATIN1, &[]),
        row("UTF-8", set.utf8_to_code_points, UTF8, TO_UTF8, BAD_8),
        row(
            "UTF-16LE",
            set.utf16le_to_code_points,
            UTF16LE,
            TO_UTF16LE,
            &[b"\0\xD8", b"\xFF\xDB", b"\0\xDC", b"\xFF\xDF"],
        ),
        row(
            "UTF-16BE",
            set.utf16be_to_code_points,
            UTF16BE,
            TO_UTF16BE,
            &[b"\xD8\0", b"\xDB\xFF", b"\xDC\0", b"\xDF\xFF"],
        ),
        row(
            "UTF-32LE",
            set.utf32le_to_code_points,
            UTF32LE,
            TO_UTF32LE,
            &[b"\0\xD8\0\0", b"\xFF\xDF\0\0", b"\0\0\x11\0", b"A\0\0\x80"],
        ),
        row(
            "UTF-32BE",
            set.utf32be_to_code_points,
            UTF32BE,
            TO_UTF32BE,
            &[b"\0\0\xD8\0", b"\0\0\xDF\xFF", b"\0\x11\0\0", b"\x80\0\0A"],
        ),
    ]
}

fn encodings(set: &Kernels) -> Vec<(&'static str, Encode, EncodeOne, &'static [u32])> {
    const NO_SCALARS: &[u32] = &[0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x11_0000, 0x8000_0041, u32::MAX];
    vec![
        (
            "ASCII",
            set.code_points_to_ascii,
            TO_ASCII,
            &[0x80, 0xFF, 0x100, 0xD800, 0x1_0041, 0x8000_0041],
        ),
        (
            "ISO-8859-1",
            set.code_points_to_latin1,
            TO_LATIN1,
            &[0x100, 0xD800, 0x1_0041, 0x8000_0041],
        ),
        ("UTF-8", set.code_points_to_utf8, TO_UTF8, NO_SCALARS),
        ("UTF-16LE", set.code_points_to_utf16le, TO_UTF16LE, NO_SCALARS),
        ("UTF-16BE", set.code_points_to_utf16be, TO_UTF16BE, NO_SCALARS),
        ("UTF-32LE", set.code_points_to_utf32le, TO_UTF32LE, NO_SCALARS),
        ("UTF-32BE", set.code_points_to_utf32be, TO_UTF32BE, NO_SCALARS),
    ]
}

/// Texts of `len` code points: of one width each, and mixed. `encode` says what the encoding has.
fn texts(len: usize, encode: EncodeOne) -> Vec<Vec<u32>> {
    [
        &[0x41, 0x0A, 0x7F, 0x00][..],
        &[0xE9, 0x80, 0xFF],
        &[0x7FF, 0x100],
        &[0x4E8C, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0xFEFF],
        &[0x1_F600, 0x1_0000, 0x10_FFFF],
        &[0x41, 0xE9, 0x4E8C, 0x1_F600],
        &[
            0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E,
            0x4F, 0x50, 0x51, 0x1_F600,
        ],
    ]
    .into_iter()
    .filter(|pattern| pattern.iter().all(|cp| encode(*cp).is_some()))
    .map(|pattern| pattern.iter().copied().cycle().take(len).collect())
    .collect()
}

/// Lengths that are all of the shorter ones, and those about the edges of blocks.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=34).chain(47..=49).chain(62..=66).chain(94..=98).chain(126..=130)
}

const GUARD: usize = 8;

/// Runs a decoding kernel on an output `room` long, `shift` into its allocation, and judges what it did.
fn judge_decode(set: &str, row: &Decoding, input: &[u8], room: usize, shift: usize) {
    const FRESH: u32 = 0xEEEE_EEEE;
    let mut allocation = vec![FRESH; shift + room + GUARD];
    let done = (row.kernel)(input, &mut allocation[shift..shift + room]);
    let what = || {
        format!("{set}, {} of {} bytes {input:X?} to room {room}: {done:?}", row.name, input.len())
    };
    let (before, rest) = allocation.split_at(shift);
    let (output, after) = rest.split_at(room);
    assert!(before.iter().chain(after).all(|cp| *cp == FRESH), "{} writes outside", what());
    let (mut read, mut written) = (0, 0);
    while (read, written) != (done.read, done.written) {
        let one = (row.oracle)(&input[read..]).filter(|_| written < room);
        let (cp, len) = one.unwrap_or_else(|| panic!("{} goes past {read}", what()));
        assert_eq!(output[written], cp, "{} at {written}", what());
        read += len;
        written += 1;
    }
    let could = written < room && (row.oracle)(&input[read..]).is_some();
    assert!(!could || input.len() - read < SLACK || room - written < SLACK, "{} gives up", what());
}

fn judge_encode(
    set: &str,
    name: &str,
    kernel: Encode,
    oracle: EncodeOne,
    input: &[u32],
    room: usize,
    shift: usize,
) {
    const FRESH: u8 = 0xEE;
    let mut allocation = vec![FRESH; shift + room + GUARD];
    let done = kernel(input, &mut allocation[shift..shift + room]);
    let what = || {
        format!("{set}, {name} of {} code points {input:X?} to room {room}: {done:?}", input.len())
    };
    let (before, rest) = allocation.split_at(shift);
    let (output, after) = rest.split_at(room);
    assert!(before.iter().chain(after).all(|byte| *byte == FRESH), "{} writes outside", what());
    let next = |read: usize, written: usize| {
        let bytes = oracle(*input.get(read)?)?;
        (written + bytes.len() <= room).then_some(bytes)
    };
    let (mut read, mut written) = (0, 0);
    while (read, written) != (done.read, done.written) {
        let bytes = next(read, written).unwrap_or_else(|| panic!("{} goes past {read}", what()));
        assert_eq!(output[written..written + bytes.len()], bytes, "{} at {written}", what());
        read += 1;
        written += bytes.len();
    }
    let could = next(read, written).is_some();
    assert!(!could || input.len() - read < SLACK || room - written < SLACK, "{} gives up", what());
}

fn encode_all(text: &[u32], encode: EncodeOne) -> Vec<u8> {
    text.iter().flat_map(|cp| encode(*cp).expect("in the repertoire")).collect()
}

#[test]
fn all_lengths_from_all_alignments() {
    for set in sets() {
        for len in 0..=130 {
            let shift = len % 17;
            for row in decodings(set) {
                for text in texts(len, row.encode) {
                    let bytes = [vec![0xEE; shift], encode_all(&text, row.encode)].concat();
                    judge_decode(set.name, &row, &bytes[shift..], len + 3, len % 5);
                }
            }
            for (name, kernel, oracle, _) in encodings(set) {
                for text in texts(len, oracle) {
                    let shifted = [vec![0xEE; len % 5], text.clone()].concat();
                    judge_encode(
                        set.name,
                        name,
                        kernel,
                        oracle,
                        &shifted[len % 5..],
                        4 * len + 3,
                        shift,
                    );
                }
            }
        }
        for shift in 0..=64 {
            for row in decodings(set) {
                for text in texts(67, row.encode) {
                    let bytes = [vec![0xEE; shift], encode_all(&text, row.encode)].concat();
                    judge_decode(set.name, &row, &bytes[shift..], 67, shift % 16);
                }
            }
        }
    }
}

#[test]
fn what_cannot_be_converted_at_every_place() {
    for set in sets() {
        for len in lengths() {
            for at in 0..len {
                for row in decodings(set).iter().filter(|row| !row.bad.is_empty()) {
                    let bad = row.bad[(at + len) % row.bad.len()];
                    for text in texts(len, row.encode) {
                        let bytes = [
                            &encode_all(&text[..at], row.encode),
                            bad,
                            &encode_all(&text[at..], row.encode),
                        ]
                        .concat();
                        judge_decode(set.name, row, &bytes, len + 8, 0);
                    }
                }
                for (name, kernel, oracle, bad) in encodings(set) {
                    for mut text in texts(len, oracle) {
                        text[at] = bad[(at + len) % bad.len()];
                        judge_encode(set.name, name, kernel, oracle, &text, 4 * len, 0);
                    }
                }
            }
        }
    }
}

#[test]
fn each_thing_that_cannot_be_converted_within_a_block_and_after_it() {
    for set in sets() {
        for at in [0, 1, 5, 15, 16, 17, 31, 32, 63, 64] {
            for row in decodings(set) {
                for bad in row.bad {
                    for text in texts(100, row.encode) {
                        let bytes = [
                            &encode_all(&text[..at], row.encode),
                            *bad,
                            &encode_all(&text[at..], row.encode),
                        ]
                        .concat();
                        judge_decode(set.name, &row, &bytes, 120, 0);
                    }
                }
            }
            for (name, kernel, oracle, bad) in encodings(set) {
                for bad in bad {
                    for mut text in texts(100, oracle) {
                        text[at] = *bad;
                        judge_encode(set.name, name, kernel, oracle, &text, 400, 0);
                    }
                }
            }
        }
    }
}

#[test]
fn every_room_and_every_cut_of_the_input() {
    for set in sets() {
        for len in [1, 15, 16, 17, 33, 64, 65, 130] {
            for row in decodings(set) {
                for text in texts(len, row.encode) {
                    let bytes = encode_all(&text, row.encode);
                    (0..=len + 1).for_each(|room| judge_decode(set.name, &row, &bytes, room, 1));
                    for cut in 0..bytes.len() {
                        judge_decode(set.name, &row, &bytes[..cut], len, 0);
                    }
                }
            }
            for (name, kernel, oracle, _) in encodings(set) {
                for text in texts(len, oracle) {
                    let most = encode_all(&text, oracle).len() + 1;
                    for room in 0..=most {
                        judge_encode(set.name, name, kernel, oracle, &text, room, 1);
                    }
                }
            }
        }
    }
}
