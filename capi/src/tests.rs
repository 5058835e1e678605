//! The semantics of iconv(3), call by call. Expected values are those of POSIX and of glibc 2.36, which ci/capi
//! compares at length.

use std::ffi::{CString, c_int};
use std::ptr;

use super::*;

/// A descriptor, closed at the end.
struct Cd(IconvT);

impl Cd {
    fn open(to: &str, from: &str) -> Self {
        Self::try_open(to, from).unwrap()
    }

    fn try_open(to: &str, from: &str) -> Result<Self, c_int> {
        let (to, from) = (CString::new(to).unwrap(), CString::new(from).unwrap());
        // SAFETY: both are strings of C.
        let cd = unsafe { iconv_open(to.as_ptr(), from.as_ptr()) };
        if cd == NO_DESCRIPTOR { Err(errno()) } else { Ok(Self(cd)) }
    }

    /// Converts, and returns the bytes read, the bytes written, and the result or errno.
    fn convert(&self, input: &[u8], room: usize) -> (usize, Vec<u8>, Result<usize, c_int>) {
        let mut bytes = vec![0; room];
        let mut from = input.as_ptr().cast_mut().cast();
        let mut to = bytes.as_mut_ptr().cast();
        let (mut in_left, mut out_left) = (input.len(), room);
        // SAFETY: the descriptor is open, and the buffers have as many bytes; the input is not written.
        let result = unsafe { iconv(self.0, &mut from, &mut in_left, &mut to, &mut out_left) };
        bytes.truncate(room - out_left);
        (input.len() - in_left, bytes, if result == ERROR { Err(errno()) } else { Ok(result) })
    }

    fn finish(&self, room: usize) -> (Vec<u8>, Result<usize, c_int>) {
        let mut bytes = vec![0; room];
        let (mut to, mut left) = (bytes.as_mut_ptr().cast(), room);
        // SAFETY: the descriptor is open, and the buffer has as many bytes.
        let result = unsafe { iconv(self.0, ptr::null_mut(), ptr::null_mut(), &mut to, &mut left) };
        bytes.truncate(room - left);
        (bytes, if result == ERROR { Err(errno()) } else { Ok(result) })
    }

    /// Forgets the text.
    fn reset(&self) -> usize {
        let null = ptr::null_mut();
        // SAFETY: the descriptor is open.
        unsafe { iconv(self.0, null, ptr::null_mut(), ptr::null_mut(), ptr::null_mut()) }
    }

    fn control(&self, request: c_int, value: &mut c_int) -> Result<(), c_int> {
        // SAFETY: the descriptor is open.
        match unsafe { iconvctl(self.0, request, (&raw mut *value).cast()) } {
            0 => Ok(()),
            _ => Err(errno()),
        }
    }
}

impl Drop for Cd {
    fn drop(&mut self) {
        // SAFETY: it is open, and not used again.
        assert_eq!(unsafe { iconv_close(self.0) }, 0);
    }
}

fn errno() -> c_int {
    // SAFETY: the address of errno is always valid.
    unsafe { *libc::__errno_location() }
}

#[test]
fn a_call_stops_before_the_character_that_has_no_room() {
    let cd = Cd::open("UTF-16LE", "UTF-8");
    assert_eq!(cd.convert("a€".as_bytes(), 3), (1, b"a\0".to_vec(), Err(libc::E2BIG)));
    assert_eq!(cd.convert("€".as_bytes(), 1), (0, vec![], Err(libc::E2BIG)));
    assert_eq!(cd.convert("€".as_bytes(), 2), (3, b"\xAC\x20".to_vec(), Ok(0)));
    assert_eq!(cd.convert("😀".as_bytes(), 3), (0, vec![], Err(libc::E2BIG)));
    assert_eq!(cd.convert(b"", 0), (0, vec![], Ok(0)));
}

/// Programs rely on the zeros that their buffers begin with, and some pass a length beyond the end of their buffer.
#[test]
fn nothing_is_written_after_what_is_written() {
    for (to, from, text, len) in [
        ("UTF-16LE", "UTF-8", "a sentence of forty-four characters, or more".as_bytes(), 88),
        ("UTF-8", "UTF-16LE", &[b'a', 0].repeat(100), 100),
        ("UTF-8", "ISO-8859-1", b"gr\xFC\xDFe".as_slice(), 7),
        ("ISO-2022-JP", "UTF-8", "日本".as_bytes(), 7),
    ] {
        let cd = Cd::open(to, from);
        let mut bytes = vec![0xA5; 200];
        let mut from = text.as_ptr().cast_mut().cast();
        let mut to = bytes.as_mut_ptr().cast();
        let (mut in_left, mut out_left) = (text.len(), 1 << 40);
        // SAFETY: the descriptor is open, and the buffers have as many bytes as are read and written.
        let result = unsafe { iconv(cd.0, &mut from, &mut in_left, &mut to, &mut out_left) };
        assert_eq!((result, in_left, (1 << 40) - out_left), (0, 0, len));
        assert!(bytes[len..].iter().all(|byte| *byte == 0xA5));
    }
}

/// A program has counted the length below zero. glibc reads and writes nothing then.
#[test]
fn a_buffer_does_not_go_on_after_the_last_address() {
    let cd = Cd::open("UTF-8", "ISO-8859-1");
    for (lengths, error) in
        [((0_usize.wrapping_sub(4), 7), libc::EINVAL), ((1, usize::MAX), libc::E2BIG)]
    {
        let (mut text, mut bytes) = (*b"a", [0; 8]);
        let (mut from, mut to) = (text.as_mut_ptr().cast(), bytes.as_mut_ptr().cast());
        let (mut in_left, mut out_left) = lengths;
        // SAFETY: the descriptor is open; of buffers that cannot be, nothing is touched.
        let result = unsafe { iconv(cd.0, &mut from, &mut in_left, &mut to, &mut out_left) };
        assert_eq!((result, errno()), (ERROR, error));
        assert_eq!(((in_left, out_left), bytes), (lengths, [0; 8]));
    }
}

#[test]
fn longer_texts_than_are_converted_at_once() {
    let text = "Füße, 日本\n".repeat(5000);
    let cd = Cd::open("ISO-8859-1//TRANSLIT", "UTF-8");
    let written = b"F\xFC\xDFe, ??\n".repeat(5000);
    assert_eq!(cd.convert(text.as_bytes(), 100_000), (text.len(), written.clone(), Ok(10_000)));
    let (read, part, result) = cd.convert(text.as_bytes(), 9 * 3333 + 5);
    assert_eq!((read, result), (15 * 3333 + 7, Err(libc::E2BIG)));
    assert_eq!(part, written[..9 * 3333 + 5]);
}

#[test]
fn a_call_stops_before_what_is_ill_formed_unmappable_or_incomplete() {
    let cd = Cd::open("ISO-8859-1", "UTF-8");
    assert_eq!(cd.convert(b"ab\xFFc", 9), (2, b"ab".to_vec(), Err(libc::EILSEQ)));
    assert_eq!(cd.convert(b"\xFFc", 9), (0, vec![], Err(libc::EILSEQ)));
    assert_eq!(cd.convert("é€".as_bytes(), 9), (2, b"\xE9".to_vec(), Err(libc::EILSEQ)));
    assert_eq!(cd.convert(b"a\xC3", 9), (1, b"a".to_vec(), Err(libc::EINVAL)));
    assert_eq!(cd.convert(b"\xC3\xA9", 9), (2, b"\xE9".to_vec(), Ok(0)));
}

#[test]
fn state_goes_on_from_call_to_call_and_ends_with_the_text() {
    let cd = Cd::open("ISO-2022-JP", "UTF-8");
    assert_eq!(cd.convert("日".as_bytes(), 9), (3, b"\x1B$BF|".to_vec(), Ok(0)));
    assert_eq!(cd.convert("本".as_bytes(), 9), (3, b"K\\".to_vec(), Ok(0)));
    assert_eq!(cd.finish(2), (vec![], Err(libc::E2BIG)));
    assert_eq!(cd.finish(3), (b"\x1B(B".to_vec(), Ok(0)));
    assert_eq!(cd.finish(0), (vec![], Ok(0)));
    assert_eq!(cd.convert("日".as_bytes(), 9), (3, b"\x1B$BF|".to_vec(), Ok(0)));
    assert_eq!(cd.reset(), 0);
    assert_eq!(cd.convert("日".as_bytes(), 9), (3, b"\x1B$BF|".to_vec(), Ok(0)));
    let cd = Cd::open("UTF-8", "ISO-2022-JP");
    assert_eq!(cd.convert(b"\x1B$B", 9), (3, vec![], Ok(0)));
    assert_eq!(cd.convert(b"\x1B$BF", 9), (3, vec![], Err(libc::EINVAL)));
    assert_eq!(cd.convert(b"F|\x1B(B", 9), (5, "日".into(), Ok(0)));
}

#[test]
fn a_letter_that_may_compose_is_read_and_written_later() {
    let cd = Cd::open("UTF-8", "windows-1258");
    assert_eq!(cd.convert(b"xA", 9), (2, b"x".to_vec(), Ok(0)));
    assert_eq!(cd.convert(b"\xEC", 9), (1, "Á".into(), Ok(0)));
    assert_eq!(cd.convert(b"A", 9), (1, vec![], Ok(0)));
    assert_eq!(cd.convert(b"x", 1), (0, b"A".to_vec(), Err(libc::E2BIG)));
    assert_eq!(cd.convert(b"x", 1), (1, b"x".to_vec(), Ok(0)));
    assert_eq!(cd.convert(b"A", 9), (1, vec![], Ok(0)));
    assert_eq!(cd.finish(0), (vec![], Err(libc::E2BIG)));
    assert_eq!(cd.finish(1), (b"A".to_vec(), Ok(0)));
    assert_eq!(cd.convert(b"A", 9), (1, vec![], Ok(0)));
    assert_eq!(cd.reset(), 0);
    assert_eq!(cd.finish(1), (vec![], Ok(0)));
    // However much text follows.
    assert_eq!(cd.convert(b"A", 9), (1, vec![], Ok(0)));
    let text = format!("Á{}", "x".repeat(500));
    let followed = [b"\xEC", &text.as_bytes()[2..]].concat();
    assert_eq!(cd.convert(&followed, 999), (501, text.into_bytes(), Ok(0)));
    // The target lacks the composition: the letter is written, and the mark is unmappable.
    let cd = Cd::open("KOI8-R", "windows-1258");
    assert_eq!(cd.convert(b"A", 9), (1, vec![], Ok(0)));
    assert_eq!(cd.convert(b"\xEC", 9), (0, b"A".to_vec(), Err(libc::EILSEQ)));
    assert_eq!(cd.convert(b"A\xEC", 9), (1, b"A".to_vec(), Err(libc::EILSEQ)));
    // The target lacks the letter, but may have what it composes to.
    let cd = Cd::open("EUC-KR", "UTF-8-MAC");
    assert_eq!(cd.convert("\u{1100}".as_bytes(), 9), (0, vec![], Err(libc::EINVAL)));
    assert_eq!(cd.convert("\u{1100}\u{1161}".as_bytes(), 9), (6, vec![], Ok(0)));
    assert_eq!(cd.convert("\u{11A8}!".as_bytes(), 9), (4, b"\xB0\xA2!".to_vec(), Ok(0)));
}

/// RFC 2152 pads the last digit of base64 with zeros. Here it has ones, which only the next code unit can use.
#[test]
fn what_another_byte_makes_ill_formed_is_not_read() {
    let cd = Cd::open("UTF-16LE", "UTF-7");
    assert_eq!(cd.convert(b"++++", 9), (0, vec![], Err(libc::EINVAL)));
    assert_eq!(cd.convert(b"++++.", 9), (0, vec![], Err(libc::EILSEQ)));
    assert_eq!(cd.convert(b"+++++", 9), (4, b"\xEF\xFB".to_vec(), Err(libc::EINVAL)));
}

/// As in libiconv: the start of an escape is plain text only if the text ends there.
#[test]
fn an_escape_that_the_input_cuts_is_not_read() {
    let cd = Cd::open("UTF-8", "JAVA");
    for cut in ["a\\", "a\\u", "a\\ude", "a\\udef"] {
        assert_eq!(cd.convert(cut.as_bytes(), 9), (1, b"a".to_vec(), Err(libc::EINVAL)), "{cut}");
    }
    assert_eq!(cd.convert(b"\\udefcx", 9), (0, vec![], Err(libc::EILSEQ)));
    assert_eq!(cd.convert(b"\\u00e9x", 9), (7, "éx".into(), Ok(0)));
    assert_eq!(cd.convert(b"\\x", 9), (2, b"\\x".to_vec(), Ok(0)));
    for (name, cut, escape) in [
        ("C99", "\\U0001f60", "\\U0001f600"),
        ("XML", "&#x1f60", "&#x1f600;"),
        ("HTML", "&am", "&amp;"),
        ("C-ESCAPES", "\\10", "\\101"),
    ] {
        let cd = Cd::open("UTF-8", name);
        assert_eq!(cd.convert(cut.as_bytes(), 9), (0, vec![], Err(libc::EINVAL)), "{name}");
        assert_eq!(cd.convert(escape.as_bytes(), 9).0, escape.len(), "{name}");
    }
}

#[test]
fn a_code_for_two_characters_is_written_whole_or_not_at_all() {
    let cd = Cd::open("UTF-8", "BIG5-HKSCS");
    assert_eq!(cd.convert(b"a\x88\x62", 4), (1, b"a".to_vec(), Err(libc::E2BIG)));
    assert_eq!(cd.convert(b"\x88\x62", 4), (2, "Ê\u{304}".into(), Ok(0)));
    let cd = Cd::open("ISO-8859-1", "BIG5-HKSCS");
    assert_eq!(cd.convert(b"a\x88\x62", 9), (1, b"a".to_vec(), Err(libc::EILSEQ)));
    // The other way, U+00CA is held: it may be the first of such a code.
    let cd = Cd::open("BIG5-HKSCS", "UTF-8");
    assert_eq!(cd.convert("Ê".as_bytes(), 9), (2, vec![], Ok(0)));
    assert_eq!(cd.convert("\u{304}Ê".as_bytes(), 9), (4, b"\x88\x62".to_vec(), Ok(0)));
    assert_eq!(cd.finish(9), (b"\x88\x66".to_vec(), Ok(0)));
}

#[test]
fn a_text_has_one_byte_order_mark() {
    let cd = Cd::open("UTF-16", "UTF-8");
    for _ in 0..2 {
        assert_eq!(cd.convert(b"a", 1), (0, vec![], Err(libc::E2BIG)));
        assert_eq!(cd.convert(b"a", 2), (0, b"\xFF\xFE".to_vec(), Err(libc::E2BIG)));
        assert_eq!(cd.convert(b"a", 2), (1, b"a\0".to_vec(), Ok(0)));
        assert_eq!(cd.finish(0), (vec![], Ok(0)));
    }
    assert_eq!(cd.convert("\u{FEFF}a".as_bytes(), 9), (4, b"\xFF\xFEa\0".to_vec(), Ok(0)));
    // With a full output nothing is refused yet, as in any text.
    let cd = Cd::open("UNICODE", "UTF-8");
    assert_eq!(cd.convert("😀".as_bytes(), 0), (0, vec![], Err(libc::E2BIG)));
    let cd = Cd::open("UTF-8", "UTF-16");
    assert_eq!(cd.convert(b"\xFE", 9), (0, vec![], Err(libc::EINVAL)));
    assert_eq!(cd.convert(b"\xFE\xFF\0a\xFE\xFF", 9), (6, "a\u{FEFF}".into(), Ok(0)));
    assert_eq!(cd.convert(b"\0b", 9), (2, b"b".to_vec(), Ok(0)));
    assert_eq!(cd.finish(0), (vec![], Ok(0)));
    assert_eq!(cd.convert(b"a\0", 9), (2, b"a".to_vec(), Ok(0)));
}

#[test]
fn what_is_transliterated_is_counted() {
    let cd = Cd::open("ASCII//TRANSLIT", "UTF-8");
    assert_eq!(cd.convert("10 € “é”".as_bytes(), 20), (15, b"10 EUR \"e\"".to_vec(), Ok(4)));
    assert_eq!(cd.convert("a€".as_bytes(), 3), (1, b"a".to_vec(), Err(libc::E2BIG)));
    assert_eq!(cd.convert("अ".as_bytes(), 3), (3, b"?".to_vec(), Ok(1)));
    // A mark belongs to its letter even if they come in two calls; alone it has no form.
    assert_eq!(cd.convert(b"u", 3), (1, b"u".to_vec(), Ok(0)));
    assert_eq!(cd.convert("\u{308}".as_bytes(), 3), (2, vec![], Ok(1)));
    assert_eq!(cd.convert(b"\xFF", 3), (0, vec![], Err(libc::EILSEQ)));
}

#[test]
fn what_is_left_out_is_an_error_at_the_end_of_the_input() {
    let cd = Cd::open("ASCII//IGNORE", "UTF-8");
    assert_eq!(cd.convert("aéb\u{FFFD}".as_bytes(), 9), (7, b"ab".to_vec(), Err(libc::EILSEQ)));
    assert_eq!(cd.convert(b"a\xFFb", 9), (3, b"ab".to_vec(), Err(libc::EILSEQ)));
    assert_eq!(cd.convert("aéb".as_bytes(), 1), (1, b"a".to_vec(), Err(libc::E2BIG)));
    assert_eq!(cd.convert("éb".as_bytes(), 1), (3, b"b".to_vec(), Err(libc::EILSEQ)));
    assert_eq!(cd.convert(b"ab", 9), (2, b"ab".to_vec(), Ok(0)));
    let cd = Cd::open("ASCII//NON_IDENTICAL_DISCARD", "UTF-8");
    assert_eq!(cd.convert("é\u{FF}".as_bytes(), 9), (4, vec![], Err(libc::EILSEQ)));
    assert_eq!(cd.convert(b"\xFF", 9), (0, vec![], Err(libc::EILSEQ)));
}

#[test]
fn iconvctl_asks_and_changes() {
    let cd = Cd::open("ASCII//TRANSLIT", "UTF-8");
    let get = |request| {
        let mut value = -1;
        cd.control(request, &mut value).map(|()| value)
    };
    assert_eq!((get(0), get(1), get(3)), (Ok(0), Ok(1), Ok(0)));
    cd.control(2, &mut 0).unwrap();
    assert_eq!(get(1), Ok(0));
    assert_eq!(cd.convert("€".as_bytes(), 9), (0, vec![], Err(libc::EILSEQ)));
    cd.control(4, &mut 1).unwrap();
    assert_eq!(get(3), Ok(1));
    // As in libiconv, a loss is no error then.
    assert_eq!(cd.convert("a€\u{FF}".as_bytes(), 9), (6, b"a".to_vec(), Ok(2)));
    // Ill-formed bytes are not counted, as in libiconv.
    assert_eq!(cd.convert(b"a\xFFb", 9), (3, b"ab".to_vec(), Ok(0)));
    for unknown in [5, 6, 7, 10, 15, -1] {
        assert_eq!(get(unknown), Err(libc::EINVAL));
    }
    // SAFETY: the descriptor is open; a null argument is allowed.
    assert_eq!(unsafe { iconvctl(cd.0, 0, ptr::null_mut()) }, -1);
    for (to, from, expected) in [
        ("utf8", "UTF-8", 1),
        ("UTF-16", "UTF-16", 1),
        ("UTF-32", "UTF32", 1),
        ("UNICODE", "UNICODE", 1),
        ("UCS-2", "UCS-2", 1),
        ("latin1", "ISO-8859-1", 1),
        ("UTF-16", "UTF-16LE", 0),
        ("UTF-16LE", "UTF-16", 0),
        ("UTF-16LE", "UTF-16BE", 0),
    ] {
        let mut trivial = -1;
        Cd::open(to, from).control(0, &mut trivial).unwrap();
        assert_eq!(trivial, expected, "{from} to {to}");
    }
}

/// The requests 11 to 14 of libiconv 1.18, together with the older ones and the suffixes.
#[test]
fn iconvctl_discards_what_is_ill_formed_or_unmappable() {
    let flags = |cd: &Cd| {
        [3, 11, 13].map(|request| {
            let mut value = -1;
            cd.control(request, &mut value).map(|()| value).unwrap()
        })
    };
    for (name, expected) in [
        ("ISO-8859-1", [0, 0, 0]),
        ("ISO-8859-1//TRANSLIT", [0, 0, 0]),
        ("ISO-8859-1//IGNORE", [1, 1, 1]),
        ("ISO-8859-1//NON_IDENTICAL_DISCARD", [0, 0, 1]),
        ("ISO-8859-1//NON_IDENTICAL_DISCARD//IGNORE", [1, 1, 1]),
    ] {
        assert_eq!(flags(&Cd::open(name, "UTF-8")), expected, "{name}");
    }
    let text = b"a\xFF\xE2\x82\xAC\xC3\xA9";
    for (requests, expected, call) in [
        (&[(12, 1)][..], [0, 1, 0], (2, b"a".to_vec(), Err(libc::EILSEQ))),
        (&[(14, 1)], [0, 0, 1], (1, b"a".to_vec(), Err(libc::EILSEQ))),
        (&[(12, 1), (14, 1)], [1, 1, 1], (7, b"a\xE9".to_vec(), Ok(1))),
        (&[(4, 1)], [1, 1, 1], (7, b"a\xE9".to_vec(), Ok(1))),
        (&[(4, 1), (14, 0)], [0, 1, 0], (2, b"a".to_vec(), Err(libc::EILSEQ))),
        (&[(4, 1), (12, 0)], [0, 0, 1], (1, b"a".to_vec(), Err(libc::EILSEQ))),
        (&[(12, 1), (14, 1), (4, 0)], [0, 0, 0], (1, b"a".to_vec(), Err(libc::EILSEQ))),
        (&[(12, 1), (2, 1)], [0, 1, 0], (7, b"aEUR\xE9".to_vec(), Ok(1))),
    ] {
        let cd = Cd::open("ISO-8859-1", "UTF-8");
        for &(request, value) in requests {
            cd.control(request, &mut { value }).unwrap();
        }
        assert_eq!(flags(&cd), expected, "{requests:?}");
        assert_eq!(cd.convert(text, 9), call, "{requests:?}");
    }
}

#[test]
fn there_is_no_such_conversion() {
    for (to, from) in [("none", "UTF-8"), ("UTF-8", "none"), ("/dev/null", "UTF-8")] {
        assert_eq!(Cd::try_open(to, from).err(), Some(libc::EINVAL), "{from} to {to}");
    }
    // The locale of a program that has set none is C.
    assert_eq!(Cd::open("", "UTF-8").convert("aé".as_bytes(), 9).0, 1);
    // SAFETY: null is allowed everywhere.
    unsafe {
        let null = ptr::null_mut();
        assert_eq!(iconv_open(ptr::null(), c"UTF-8".as_ptr()), NO_DESCRIPTOR);
        for cd in [null, NO_DESCRIPTOR] {
            let result =
                iconv(cd, ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
            assert_eq!((result, errno()), (ERROR, libc::EBADF));
            assert_eq!((iconv_close(cd), errno()), (-1, libc::EBADF));
            assert_eq!((iconvctl(cd, 0, null), errno()), (-1, libc::EBADF));
        }
    }
}

#[test]
fn long_texts_are_the_same_in_pieces_of_any_size() {
    let text: String = "Straße, 日本語 €, ascii ascii ascii ascii ascii; ".repeat(400);
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (size, room) in [(7, 9), (100, 64), (5000, 333), (100_000, 100_000)] {
        let cd = Cd::open("UTF-16LE", "UTF-8");
        let (mut bytes, mut at) = (Vec::new(), 0);
        while at < text.len() {
            let end = text.len().min(at + size);
            let (read, written, _) = cd.convert(&text.as_bytes()[at..end], room);
            at += read;
            bytes.extend(written);
        }
        assert!(bytes == utf16, "{size} {room}");
    }
}

/// Under LD_PRELOAD, glibc's program iconv passes such descriptors.
#[test]
fn a_descriptor_of_the_system_goes_on_to_the_system() {
    // Tests export no C symbols, so this is the function of the system.
    unsafe extern "C" {
        #[link_name = "iconv_open"]
        fn system_iconv_open(to: *const c_char, from: *const c_char) -> IconvT;
    }
    // SAFETY: both are strings of C.
    let cd = unsafe { system_iconv_open(c"UTF-16LE".as_ptr(), c"UTF-8".as_ptr()) };
    assert_ne!(cd, NO_DESCRIPTOR);
    let cd = Cd(cd);
    assert_eq!(cd.convert("aé".as_bytes(), 9), (3, b"a\0\xE9\0".to_vec(), Ok(0)));
    assert_eq!(cd.control(0, &mut 0), Err(libc::EBADF));
}

/// Runs `work` in a thread with this locale, if the system has it.
fn with_locale(name: &CStr, work: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = scope.spawn(move || {
            // SAFETY: the name is a string of C, and no locale is changed.
            let locale =
                unsafe { libc::newlocale(libc::LC_ALL_MASK, name.as_ptr(), ptr::null_mut()) };
            if locale.is_null() {
                return println!("left out: the system lacks the locale {name:?}");
            }
            // SAFETY: it is a locale, and no other thread has it. It is freed after its last use.
            unsafe {
                let before = libc::uselocale(locale);
                work();
                libc::uselocale(before);
                libc::freelocale(locale);
            }
        });
        thread.join().unwrap();
    });
}

/// The locale of the program is C.
#[test]
fn the_locale_is_that_of_the_thread() {
    with_locale(c"C.UTF-8", || {
        assert_eq!(
            (thread_locale::name(), thread_locale::charset()),
            ("C.UTF-8".into(), "UTF-8".into())
        );
        assert_eq!(Cd::open("", "UTF-8").convert("é".as_bytes(), 9), (2, "é".into(), Ok(0)));
    });
    assert_eq!(thread_locale::name(), "C");
    let cd = Cd::open("ASCII//TRANSLIT", "UTF-8");
    assert_eq!(cd.convert("ü".as_bytes(), 9), (2, b"u".to_vec(), Ok(1)));
    with_locale(c"de_DE.UTF-8", || {
        let cd = Cd::open("ASCII//TRANSLIT", "UTF-8");
        assert_eq!(cd.convert("ü".as_bytes(), 9), (2, b"ue".to_vec(), Ok(1)));
    });
}

#[test]
fn the_file_of_pkg_config_has_the_version() {
    let version = concat!("Version: ", env!("CARGO_PKG_VERSION"));
    assert!(include_str!("../oxiconv.pc").lines().any(|line| line == version));
}

/// Different descriptors may be used by different threads.
#[test]
fn descriptors_are_independent() {
    std::thread::scope(|scope| {
        for (name, expected) in
            [("KOI8-R", b"\xF0"), ("windows-1251", b"\xCF"), ("IBM866", b"\x8F")]
        {
            scope.spawn(move || {
                for _ in 0..1000 {
                    let cd = Cd::open(name, "UTF-8");
                    assert_eq!(cd.convert("П".as_bytes(), 1), (2, expected.to_vec(), Ok(0)));
                }
            });
        }
    });
}

/// The C library would unwind the thread through Rust, which ends the program.
#[test]
fn a_thread_is_not_cancelled_inside_a_call() {
    unsafe extern "C" {
        fn pthread_setcancelstate(state: c_int, before: *mut c_int) -> c_int;
    }

    /// Runs `work` in a new thread with a pending cancellation, and returns whether it can be cancelled after that.
    fn run(work: fn(&[Cd]), open: &[Cd]) -> bool {
        struct Argument<'a>(fn(&[Cd]), &'a [Cd]);
        extern "C" fn start(argument: *mut c_void) -> *mut c_void {
            // SAFETY: `run` passes it, and waits for the thread.
            let Argument(work, open) = unsafe { &*argument.cast::<Argument<'_>>() };
            // SAFETY: a thread may cancel itself. It ends at the next cancellation point where that is enabled.
            unsafe { libc::pthread_cancel(libc::pthread_self()) };
            work(open);
            let mut state = -1;
            // SAFETY: `state` is valid for writes.
            unsafe { pthread_setcancelstate(1, &mut state) };
            ptr::without_provenance_mut(if state == 0 { 1 } else { 2 })
        }
        let (mut thread, mut result) = (0, ptr::null_mut());
        let argument = Argument(work, open);
        // SAFETY: the argument is valid until the thread is joined.
        unsafe {
            let argument = (&raw const argument).cast_mut().cast();
            assert_eq!(libc::pthread_create(&mut thread, ptr::null(), start, argument), 0);
            assert_eq!(libc::pthread_join(thread, &mut result), 0);
        }
        // PTHREAD_CANCELED is -1.
        result.addr() == 1
    }

    let open_and_close = |_: &[Cd]| {
        let cd = Cd::open("windows-1258", "windows-1255");
        cd.control(2, &mut 1).unwrap();
    };
    assert!(run(open_and_close, &[]));
    let convert = |open: &[Cd]| {
        for cd in open {
            assert_eq!(cd.convert(b"a", 20).0, 1);
            cd.finish(20).1.unwrap();
        }
    };
    let names = ["EUC-JP", "GB18030", "BIG5-HKSCS", "ISO-2022-KR", "TCVN", "TSCII", "IBM1390"];
    let both = |name| [Cd::open(name, "UTF-8"), Cd::open("UTF-8", name)];
    let open: Vec<_> = names.into_iter().flat_map(both).collect();
    assert!(run(convert, &open));
}
