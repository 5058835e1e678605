//! Tests every kernel of every set against an oracle made with the standard library, one character at a time: all pairs
//! of forms, lengths, alignments, output sizes and truncations, with a character that cannot be converted at every
//! place. Both slices end where inaccessible memory begins, or begin where it ends.
//!
//! Nothing here depends on how a set works, so a new one is tested as soon as [`available`] returns it.

use super::*;
use crate::EncodingForm::*;

/// Returns the sets to test: all that this processor supports, or the one that `OXICONV_KERNELS` names, which it must
/// support.
fn tested() -> Vec<&'static Kernels> {
    let all = available();
    let Ok(name) = std::env::var("OXICONV_KERNELS") else { return all };
    let named: Vec<_> = all.into_iter().filter(|set| set.name == name).collect();
    assert!(!named.is_empty(), "this processor does not support the kernels {name}");
    named
}

/// Decodes the well-formed start of the input.
///
/// This is the oracle of most tests, and an emulated processor is slow, so each text is decoded once, as a whole.
fn decode(form: EncodingForm, input: &[u8]) -> Vec<char> {
    fn utf16(units: impl Iterator<Item = u16>) -> Vec<char> {
        char::decode_utf16(units).map_while(Result::ok).collect()
    }
    fn utf32(units: impl Iterator<Item = u32>) -> Vec<char> {
        units.map_while(char::from_u32).collect()
    }
    let (units16, units32) =
        (input.as_chunks().0.iter().copied(), input.as_chunks().0.iter().copied());
    match form {
        Ascii => {
            input.iter().take_while(|byte| byte.is_ascii()).map(|byte| char::from(*byte)).collect()
        }
        Latin1 => input.iter().map(|byte| char::from(*byte)).collect(),
        Utf8 => {
            let first = input.utf8_chunks().next();
            first.map_or_else(Vec::new, |chunk| chunk.valid().chars().collect())
        }
        Utf16Le => utf16(units16.map(u16::from_le_bytes)),
        Utf16Be => utf16(units16.map(u16::from_be_bytes)),
        Utf32Le => utf32(units32.map(u32::from_le_bytes)),
        Utf32Be => utf32(units32.map(u32::from_be_bytes)),
    }
}

/// Appends the bytes of a character, and returns whether the form has it.
///
/// Slices, not iterators over bytes, which take several times as long at the level that tests are built with.
fn push(form: EncodingForm, c: char, to: &mut Vec<u8>) -> bool {
    fn utf16(c: char, to: &mut Vec<u8>, bytes: fn(u16) -> [u8; 2]) {
        for unit in c.encode_utf16(&mut [0; 2]) {
            to.extend_from_slice(&bytes(*unit));
        }
    }
    let cp = u32::from(c);
    match form {
        _ if !has(form, c) => return false,
        Ascii | Latin1 => to.push(cp as u8),
        Utf8 => to.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        Utf16Le => utf16(c, to, u16::to_le_bytes),
        Utf16Be => utf16(c, to, u16::to_be_bytes),
        Utf32Le => to.extend_from_slice(&cp.to_le_bytes()),
        Utf32Be => to.extend_from_slice(&cp.to_be_bytes()),
    }
    true
}

fn has(form: EncodingForm, c: char) -> bool {
    match form {
        Ascii => c <= '\x7F',
        Latin1 => c <= '\u{FF}',
        _ => true,
    }
}

/// Returns the length in bytes of a character that the form has.
fn encoded_len(form: EncodingForm, c: char) -> usize {
    match form {
        Ascii | Latin1 => 1,
        Utf8 => c.len_utf8(),
        Utf16Le | Utf16Be => 2 * c.len_utf16(),
        Utf32Le | Utf32Be => 4,
    }
}

/// Returns what a kernel must do by the contract: the number of bytes read, and the bytes written.
fn expected(
    from: EncodingForm,
    to: EncodingForm,
    characters: &[char],
    room: usize,
) -> (usize, Vec<u8>) {
    let (mut read, mut output) = (0, Vec::with_capacity(4 * characters.len()));
    for c in characters {
        let before = output.len();
        if !push(to, *c, &mut output) || output.len() > room {
            output.truncate(before);
            break;
        }
        read += encoded_len(from, *c);
    }
    (read, output)
}

/// Memory between two fences. A fence is an inaccessible page, so that touching it is a crash. On systems without such
/// pages, it is bytes that must not change, which shows writes only.
struct Fenced {
    #[cfg(unix)]
    memory: memmap2::MmapMut,
    #[cfg(not(unix))]
    memory: Vec<u8>,
    page: usize,
}

impl Fenced {
    const PAGES: usize = 8;

    #[cfg(unix)]
    fn new() -> Self {
        let page = rustix::param::page_size();
        let mut memory = memmap2::MmapMut::map_anon((Self::PAGES + 2) * page).unwrap();
        for fence in [0, (Self::PAGES + 1) * page] {
            // SAFETY: this page belongs to this map alone, and no reference to it is ever made.
            unsafe {
                rustix::mm::mprotect(
                    memory.as_mut_ptr().add(fence).cast(),
                    page,
                    rustix::mm::MprotectFlags::empty(),
                )
            }
            .unwrap();
        }
        Self { memory, page }
    }

    #[cfg(not(unix))]
    fn new() -> Self {
        let page = 4096;
        Self { memory: vec![0xFE; (Self::PAGES + 2) * page], page }
    }

    fn assert_intact(&self) {
        #[cfg(not(unix))]
        for fence in [0, (Self::PAGES + 1) * self.page] {
            let bytes = &self.memory[fence..fence + self.page];
            assert_eq!(bytes.iter().fold(0, |any, byte| any | byte ^ 0xFE), 0, "a fence is hit");
        }
    }

    /// Returns `len` bytes: they end `shift` bytes before the upper fence if `at_end`, and otherwise begin `shift`
    /// bytes after the lower one.
    fn bytes(&mut self, len: usize, shift: usize, at_end: bool) -> &mut [u8] {
        let start =
            if at_end { (Self::PAGES + 1) * self.page - len - shift } else { self.page + shift };
        // SAFETY: these bytes are between the fences, and all the memory is uniquely borrowed.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().add(start), len) }
    }
}

/// Runs kernels between fences and checks the results.
struct Fences {
    sets: Vec<&'static Kernels>,
    input: Fenced,
    output: Fenced,
}

impl Fences {
    fn new() -> Self {
        Self { sets: tested(), input: Fenced::new(), output: Fenced::new() }
    }

    fn convert(&mut self, pair: (EncodingForm, EncodingForm), input: &[u8], room: usize) {
        self.convert_decoded(pair, input, &decode(pair.0, input), room);
    }

    /// Checks the conversions of an input to every form, and what is validated of it.
    fn convert_to_each(&mut self, from: EncodingForm, input: &[u8], room: usize) {
        let characters = decode(from, input);
        for to in EncodingForm::ALL {
            self.convert_decoded((from, to), input, &characters, room);
        }
        self.validate_decoded(from, input, &characters);
    }

    fn convert_decoded(
        &mut self,
        pair: (EncodingForm, EncodingForm),
        input: &[u8],
        characters: &[char],
        room: usize,
    ) {
        let expected = expected(pair.0, pair.1, characters, room);
        for set in &self.sets.clone() {
            self.compare(set, pair, input, room, &expected);
        }
    }

    fn compare(
        &mut self,
        set: &Kernels,
        pair: (EncodingForm, EncodingForm),
        input: &[u8],
        room: usize,
        (read, bytes): &(usize, Vec<u8>),
    ) {
        for (at_end, shift) in [(true, 0), (false, 0), (false, input.len() % 7 * 9 + 1)] {
            let from = self.input.bytes(input.len(), shift, at_end);
            from.copy_from_slice(input);
            let to = self.output.bytes(room, 0, at_end);
            to.fill(0xEE);
            let done = (set.convert)(pair.0, pair.1)(from, to);
            let what = || format!("{} {pair:?} {input:X?} to room {room}", set.name);
            assert_eq!(done, Progress { read: *read, written: bytes.len() }, "{}", what());
            assert_eq!(to[..done.written], bytes[..], "{}", what());
            self.output.assert_intact();
        }
    }

    /// Checks what every set validates of an input, and what it counts in that.
    fn validate(&mut self, form: EncodingForm, input: &[u8]) {
        self.validate_decoded(form, input, &decode(form, input));
    }

    fn validate_decoded(&mut self, form: EncodingForm, input: &[u8], characters: &[char]) {
        let read: usize = characters.iter().map(|c| encoded_len(form, *c)).sum();
        let mut expected = Measured {
            characters: characters.len(),
            line_feeds: characters.iter().filter(|c| **c == '\n').count(),
            ..Measured::default()
        };
        if form.unit() > 1 {
            let is_sign = |at: &usize| form.is_sign(&input[..read], *at, true);
            expected.signs = (0..read).step_by(form.unit()).filter(is_sign).count();
        }
        for set in &self.sets {
            let what = || format!("{} {form:?} {input:X?}", set.name);
            for at_end in [true, false] {
                let from = self.input.bytes(input.len(), 0, at_end);
                from.copy_from_slice(input);
                assert_eq!((set.validate)(form)(from), read, "{}", what());
            }
            assert_eq!((set.measure)(form)(&input[..read]), expected, "{}", what());
        }
    }
}

fn pairs() -> impl Iterator<Item = (EncodingForm, EncodingForm)> {
    EncodingForm::ALL.into_iter().flat_map(|from| EncodingForm::ALL.map(|to| (from, to)))
}

/// Returns a character `times` times, and then one of four bytes.
fn run_then(c: char, times: usize) -> Vec<char> {
    [vec![c; times], vec!['😀']].concat()
}

/// Returns texts of `len` characters that `form` has: of one width each, and mixed.
fn texts(len: usize, form: EncodingForm) -> Vec<Vec<char>> {
    // As many characters of one kind as a fast path takes at once, then one of another.
    let (threes, ones) = (run_then('二', 15), run_then('A', 70));
    [
        &['A', '\n', '\x7F', '\0'][..],
        &['é', '\u{80}', '\u{FF}'],
        &['A', 'b', 'é', 'c'],
        &['\u{7FF}', '\u{100}'],
        &['ж', 'ж', 'ж', ' ', 'ж', '\n'],
        &['二', '\u{800}', '\u{D7FF}', '\u{E000}', '\u{FFFF}', '\u{FEFF}', '\u{D000}'],
        &['😀', '\u{1_0000}', '\u{10_FFFF}', '\u{4_0000}'],
        &['A', 'é', '二', '😀'],
        &['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'O', '\n', '😀'],
        &threes,
        &ones,
    ]
    .into_iter()
    .filter(|pattern| pattern.iter().all(|c| has(form, *c)))
    .map(|pattern| pattern.iter().copied().cycle().take(len).collect())
    .collect()
}

fn encode_all(form: EncodingForm, text: &[char]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(4 * text.len());
    for c in text {
        assert!(push(form, *c, &mut bytes), "in the repertoire");
    }
    bytes
}

/// Returns ill-formed sequences of a form.
fn bad(form: EncodingForm) -> &'static [&'static [u8]] {
    match form {
        Ascii => &[b"\x80", b"\xFF"],
        Latin1 => &[],
        Utf8 => &[
            b"\xFF",
            b"\x80",
            b"\xBF\xBF",
            b"\xC0\xAF",
            b"\xC1\xBF",
            b"\xC3",
            b"\xE0\x9F\x80",
            b"\xE2\x82",
            b"\xE2",
            b"\xED\xA0\x80",
            b"\xED\xBF\xBF",
            b"\xE2\x82\xAC\xAC",
            b"\xF0\x8F\x80\x80",
            b"\xF0\x9F\x98",
            b"\xF0\x9F",
            b"\xF4\x90\x80\x80",
            b"\xF5\x80\x80\x80",
            b"\xF8\x88\x80\x80\x80",
        ],
        Utf16Le => &[b"\0\xD8", b"\xFF\xDB", b"\0\xDC", b"\xFF\xDF", b"\0\xD8\0\xD8\0\xDC"],
        Utf16Be => &[b"\xD8\0", b"\xDB\xFF", b"\xDC\0", b"\xDF\xFF", b"\xD8\0\xD8\0\xDC\0"],
        Utf32Le => &[b"\0\xD8\0\0", b"\xFF\xDF\0\0", b"\0\0\x11\0", b"A\0\0\x80"],
        Utf32Be => &[b"\0\0\xD8\0", b"\0\0\xDF\xFF", b"\0\x11\0\0", b"\x80\0\0A"],
    }
}

/// Returns an output size that is enough for this many characters in any form.
const fn ample(characters: usize) -> usize {
    4 * characters + 300
}

/// `ci/cross` says which set the processor that it emulates must have.
#[test]
fn the_best_set_is_the_one_for_the_processor() {
    if let Ok(name) = std::env::var("OXICONV_BEST_KERNELS") {
        assert_eq!(available()[0].name, name);
    }
}

#[test]
fn all_lengths() {
    let mut fences = Fences::new();
    for len in 0..=131 {
        for from in EncodingForm::ALL {
            for text in texts(len, from) {
                fences.convert_to_each(from, &encode_all(from, &text), ample(len));
            }
        }
    }
}

/// Continuation bytes without a first byte, and a part of a unit at the end.
#[test]
fn what_is_not_well_formed_is_counted_without_overflow() {
    for set in tested() {
        for form in EncodingForm::ALL {
            for byte in [0, b'\n', 0x80, 0xDC, 0xFF] {
                for len in 0..300 {
                    let _ = (set.measure)(form)(&vec![byte; len]);
                }
            }
        }
    }
}

#[test]
fn long_texts_are_counted_without_overflow() {
    let mut fences = Fences::new();
    for form in EncodingForm::ALL {
        for text in ["\n", "\n\u{E9}\n", "\u{1_F600}\n\n"] {
            let text: Vec<char> = text.chars().filter(|c| has(form, *c)).collect();
            let all: Vec<_> = text.iter().copied().cycle().take(5000).collect();
            fences.validate(form, &encode_all(form, &all));
            // More units of one kind in one lane than a byte can count.
            let many = encode_all(form, &vec!['\n'; 70_000]);
            for set in tested() {
                let counted = (set.measure)(form)(&many);
                let expected = Measured { characters: 70_000, line_feeds: 70_000, signs: 0 };
                assert_eq!(counted, expected);
            }
        }
    }
}

#[test]
fn what_cannot_be_converted_at_every_place() {
    let mut fences = Fences::new();
    for len in [1, 5, 16, 31, 33, 63, 64, 66, 97, 129] {
        for at in 0..len {
            for from in EncodingForm::ALL {
                let bad = bad(from);
                for (number, text) in texts(len, from).into_iter().enumerate() {
                    let Some(bad) = bad.get((at + len + number) % bad.len().max(1)) else {
                        continue;
                    };
                    let (before, after) = text.split_at(at);
                    let (before, after) = (encode_all(from, before), encode_all(from, after));
                    let bytes = [&before, *bad, &after].concat();
                    fences.convert_to_each(from, &bytes, ample(len));
                }
            }
        }
    }
}

#[test]
fn each_thing_that_cannot_be_converted_within_a_block_and_after_it() {
    let mut fences = Fences::new();
    for at in [0, 1, 14, 15, 16, 30, 31, 32, 59, 60, 61, 62, 63, 64, 65] {
        for from in EncodingForm::ALL {
            for bad in bad(from) {
                for text in texts(100, from) {
                    let (before, after) = text.split_at(at);
                    let (before, after) = (encode_all(from, before), encode_all(from, after));
                    let bytes = [&before, *bad, &after].concat();
                    fences.convert_to_each(from, &bytes, ample(100));
                }
            }
        }
    }
}

/// The edges are where the first chunks of kernels that copy their input ended when chunks grew from 256 bytes on. The
/// chunks of `copy.rs` are longer than these texts.
#[test]
fn what_cannot_be_converted_around_the_ends_of_parts() {
    let mut fences = Fences::new();
    for (from, to) in pairs() {
        let edges: &[usize] = if from == to { &[256, 768, 1792] } else { &[256, 768] };
        for (number, text) in texts(4200, from).into_iter().enumerate() {
            for &edge in edges {
                let mut at = 0;
                let before = encode_all(from, &text);
                let mut lengths = text.iter().map(|c| encoded_len(from, *c)).peekable();
                while let Some(len) = lengths.next_if(|len| at + len + 9 < edge) {
                    at += len;
                }
                let all = &before[..edge + 40];
                fences.convert((from, to), all, ample(all.len()));
                let Some(bad) = bad(from).get(number % bad(from).len().max(1)) else {
                    continue;
                };
                while at < edge + 4 {
                    let bytes = [&before[..at], *bad, &before[at..edge + 40]].concat();
                    fences.convert((from, to), &bytes, ample(bytes.len()));
                    at += lengths.next().expect("the text is longer");
                }
            }
        }
    }
}

/// Kernels have a fast path for long runs of US-ASCII. It must not overlook a truncated character before the run.
#[test]
fn what_is_cut_before_a_long_run_of_ascii() {
    let mut fences = Fences::new();
    for character in ["é", "二", "😀"] {
        for len in 1..=character.len() {
            for at in (50..=68).chain(120..=132).chain(250..=260) {
                let mut bytes = [b'x'; 600];
                bytes[at..at + len].copy_from_slice(&character.as_bytes()[..len]);
                fences.validate(Utf8, &bytes);
                for to in [Utf8, Utf16Le] {
                    fences.convert((Utf8, to), &bytes, ample(600));
                }
            }
        }
    }
}

#[test]
fn what_the_other_side_lacks_at_every_place() {
    let mut fences = Fences::new();
    for (to, lacked) in [(Ascii, '\u{80}'), (Latin1, '\u{100}'), (Latin1, '二'), (Ascii, '😀')] {
        for from in EncodingForm::ALL.into_iter().filter(|from| has(*from, lacked)) {
            for len in [1, 17, 63, 64, 65, 130] {
                for at in 0..len {
                    for mut text in texts(len, to) {
                        text[at] = lacked;
                        fences.convert((from, to), &encode_all(from, &text), ample(len));
                    }
                }
            }
        }
    }
}

#[test]
fn every_room_and_every_cut_of_the_input() {
    let mut fences = Fences::new();
    for len in [1, 16, 33, 65, 110] {
        for (from, to) in pairs() {
            for text in texts(len, from) {
                let bytes = encode_all(from, &text);
                let all = expected(from, to, &text, usize::MAX).1.len();
                for room in (0..=all + 1).step_by(1 + len / 40) {
                    fences.convert((from, to), &bytes, room);
                }
                for cut in (0..bytes.len()).step_by(1 + len / 40) {
                    fences.convert((from, to), &bytes[..cut], ample(len));
                }
            }
        }
    }
}

/// All scalar values, a few thousand at a time, to every form.
#[test]
fn every_character() {
    let mut fences = Fences::new();
    let sets = tested();
    let all: Vec<char> = ('\0'..=char::MAX).collect();
    for form in [Utf8, Utf16Le, Utf16Be, Utf32Le, Utf32Be] {
        for text in all.chunks(2000) {
            let bytes = encode_all(form, text);
            for to in EncodingForm::ALL {
                let expected = expected(form, to, text, usize::MAX);
                for set in &sets {
                    fences.compare(set, (form, to), &bytes, ample(2000), &expected);
                }
            }
        }
    }
}

/// A character that the form lacks stops a kernel, so each such character must come first once.
#[test]
fn every_character_that_the_other_side_lacks() {
    let sets = tested();
    let all: Vec<char> = ('\0'..=char::MAX).collect();
    for form in [Utf8, Utf16Le, Utf16Be, Utf32Le, Utf32Be] {
        let bytes = encode_all(form, &all);
        for to in [Ascii, Latin1] {
            let mut at = 0;
            for c in &all {
                if !has(to, *c) {
                    let rest = &bytes[at..bytes.len().min(at + 70)];
                    for set in &sets {
                        let done = (set.convert)(form, to)(rest, &mut [0; 140]);
                        assert_eq!(done, Progress::default(), "{} {form:?} {c:?}", set.name);
                    }
                }
                at += encoded_len(form, *c);
            }
        }
    }
}

/// All bytes after a first byte, in the middle of a block of two-byte characters.
#[test]
fn every_pair_of_bytes() {
    let mut fences = Fences::new();
    for first in 0x80..=0xFF {
        for second in 0x00..=0xFF {
            let mut bytes = "é".repeat(40).into_bytes();
            bytes[20..24].copy_from_slice(&[first, second, 0x80, 0x80]);
            fences.convert((Utf8, Utf16Le), &bytes, ample(100));
            fences.validate(Utf8, &bytes);
        }
    }
}

/// All sequences of four bytes that begin or end a range of Table 3-7.
#[test]
fn every_sequence_of_bytes_at_the_ends_of_ranges() {
    const ENDS: [u8; 24] = [
        0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
        0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ];
    let kernels: Vec<_> = available().iter().map(|set| (set.name, (set.validate)(Utf8))).collect();
    for number in 0..ENDS.len().pow(4) {
        let mut text = *b"before it, and after it";
        for place in 0..4 {
            text[5 + place] = ENDS[number / ENDS.len().pow(place as u32) % ENDS.len()];
        }
        let expected =
            std::str::from_utf8(&text).map_or_else(|error| error.valid_up_to(), str::len);
        for (name, validate) in &kernels {
            assert_eq!(validate(&text), expected, "{name} {text:X?}");
        }
    }
}

#[test]
fn a_table_of_256_codes() {
    let over_ascii = |upper: fn(u16) -> u16| -> [u16; 256] {
        std::array::from_fn(|byte| match byte as u16 {
            ascii @ 0..0x80 => ascii,
            byte => upper(byte - 0x80),
        })
    };
    let full = over_ascii(|place| 0x100 + 37 * place);
    let with_holes = |mut characters: [u16; 256], places: &[usize]| {
        places.iter().for_each(|place| characters[*place] = Codes::NONE);
        characters
    };
    let upper_holes = [0x80, 0x81, 0xBF, 0xC0, 0xDA, 0xFF];
    let sets = [
        full,
        with_holes(full, &upper_holes),
        // Undefined bytes; characters next to them with all ones in one byte; and U+0000 above 7F.
        with_holes(over_ascii(|place| [0xFF, 0xFF00, 0, 0x41][usize::from(place % 4)]), &[0xC4]),
        // Like EBCDIC: ASCII letters above 7F, other characters below, U+0000 not at 00.
        std::array::from_fn(|byte| (byte as u16 + 0x40) % 0x100),
        with_holes(std::array::from_fn(|byte| 0x1_00 * (byte as u16 % 0xFF)), &[0, 1, 0x41, 0xFE]),
        // Like a 7-bit national variant: one character differs from ASCII.
        std::array::from_fn(|byte| if byte == 0x5C { 0xA5 } else { full[byte] }),
    ];
    for (number, ascii) in [true, true, true, false, false, false].into_iter().enumerate() {
        assert_eq!(Codes::new(sets[number]).is_ascii(), ascii, "{number}");
    }
    let all: Vec<u8> = (0..=0xFF).collect();
    let mut texts: Vec<Vec<u8>> =
        (0..256).map(|start| [&all[start..], &all[..start]].concat().repeat(2)).collect();
    texts.push(b"all of it is ASCII ".repeat(20));
    texts.push(b"all of it\0is ASCII\\".repeat(20));
    let mut fences = Fences::new();
    for set in tested() {
        for characters in sets {
            let codes = Codes::new(characters);
            for (number, text) in texts.iter().enumerate() {
                let len = [0, 1, 17, 63, 64, 65, 130, 300][number % 8];
                let room = [len, len + 70, len / 2][number % 3];
                let expected: Vec<u32> = text[..len]
                    .iter()
                    .map(|byte| u32::from(characters[usize::from(*byte)]))
                    .take_while(|cp| *cp != 0xFFFF)
                    .take(room)
                    .collect();
                let input = fences.input.bytes(len, 0, true);
                input.copy_from_slice(&text[..len]);
                let output = bytemuck::cast_slice_mut(fences.output.bytes(4 * room, 0, true));
                let done = (set.table)(&codes, input, output);
                assert_eq!(output[..done], expected, "{} {number}", set.name);
            }
        }
    }
}

/// Each byte, at each place of a block and around its ends.
#[test]
fn bytes_that_may_tell_an_encoding_are_not_skipped() {
    let tells = |byte: u8| byte == 0 || byte >= 0x7F || [b'\x1B', b'&', b'+', b'~'].contains(&byte);
    let mut fences = Fences::new();
    for set in tested() {
        for byte in 0..=0xFF_u8 {
            for at in [0, 1, 31, 63, 64, 127, 128, 200, 255, 256, 300] {
                let input = fences.input.bytes(300, 0, true);
                input.fill(b'x');
                if let Some(place) = input.get_mut(at) {
                    *place = byte;
                }
                let first = if tells(byte) { at.min(300) } else { 300 };
                assert_eq!(
                    (set.skip_neutral)(input),
                    first / 128 * 128,
                    "{} {byte:X} {at}",
                    set.name
                );
            }
        }
    }
}

/// Seven units of ASCII make a sign of the line feed after them. Where a text begins with fewer, what is before it may
/// have been the others.
#[test]
fn a_sign_at_the_start_of_a_text_depends_on_what_is_known_before_it() {
    let ascii = "\u{2041}\u{4261}\u{2063}\u{4464}\u{2065}\u{4666}\u{2068}\u{4A6A}";
    let mut fences = Fences::new();
    for known in 0..8 {
        for (first, enough) in [("", 0), ("\u{4E9C}", 7), ("\u{80}", 7)] {
            let known_units: String = ascii.chars().take(known).collect();
            let text: Vec<char> = format!("{first}{known_units}\u{680A}\u{2020}").chars().collect();
            for form in [EncodingForm::Utf16Le, EncodingForm::Utf16Be] {
                let bytes = encode_all(form, &text);
                fences.validate(form, &bytes);
                for set in tested() {
                    let found = (set.measure)(form)(&bytes).signs;
                    let expected = usize::from(known >= enough);
                    assert_eq!(found, expected, "{} {form:?} {known} {first:?}", set.name);
                }
            }
        }
    }
}

/// A line feed of each kind of unit, among ideographs and letters of Gurmukhi, at each place of a block and around its
/// ends.
#[test]
fn signs_in_wide_units_are_counted() {
    let mut fences = Fences::new();
    let rows = [
        // U+000A, U+4E0A and U+010A are none; shifted by a byte, or after CR, they are.
        ("\n", 0, 0),
        ("\u{4E0A}", 0, 0),
        ("\u{10A}", 0, 0),
        ("\u{A00}", 1, 1),
        ("\u{D0A}", 0, 1),
        ("\u{A0D}", 1, 0),
        ("\u{A05}\u{A05}", 0, 0),
        ("\u{6968}\u{0A0D}", 1, 0),
        ("\u{2041}\u{4261}\u{2063}\u{4464}\u{2065}\u{4666}\u{2068}\u{680A}", 1, 1),
    ];
    for (unit, little, big) in rows {
        for (before, others) in [(16, "\u{4E2D}"), (31, "\u{B2C}"), (63, "\u{1101}\u{D7A3}")] {
            for at in [before, before + 1, before + 64, 2047, 2048, 2100] {
                let filler = others.repeat(3000);
                let text: String = filler.chars().take(at).collect();
                let text = format!("{text}{unit}{others}{others}");
                for (form, signs) in [(EncodingForm::Utf16Le, little), (EncodingForm::Utf16Be, big)]
                {
                    let characters: Vec<char> = text.chars().collect();
                    let bytes = encode_all(form, &characters);
                    fences.validate(form, &bytes);
                    for set in tested() {
                        let found = (set.measure)(form)(&bytes).signs;
                        assert_eq!(found, signs, "{} {form:?} {unit:?} {others} {at}", set.name);
                    }
                }
            }
        }
    }
}
