//! Checks that any calls with any bytes keep the promises of iconv(3). A fuzz target and a property test choose the
//! bytes, the first of which choose the encodings, the sizes of the calls and the requests of `iconvctl`; the rest is
//! the text.
//!
//! No expected output is needed for this. The same text is converted twice, in one call and in small ones, and the
//! results must be equal: bytes, skipped places, and where it ended. What a single call must keep is checked in each
//! ([`OpenDescriptor::call`]).

use std::ffi::{CString, c_int};
use std::ptr;

use super::{ERROR, NO_DESCRIPTOR, iconv, iconv_close, iconv_open, iconvctl};

/// Encodings with state, marks, compositions and long characters, and one that does not exist.
const NAMES: [&str; 36] = [
    "UTF-8",
    "UTF-16",
    "UTF-16LE",
    "UTF-16BE",
    "UTF-32",
    "UCS-2",
    "UCS-4",
    "UNICODE",
    "WCHAR_T",
    "ASCII",
    "ISO-8859-1",
    "windows-1252",
    "KOI8-R",
    "CP1255",
    "CP1258",
    "TCVN",
    "ISO-2022-JP-3",
    "ISO-2022-KR",
    "ISO-2022-CN-EXT",
    "EUC-JISX0213",
    "BIG5-HKSCS",
    "SHIFT_JIS",
    "GB18030",
    "HZ",
    "IBM1390",
    "UTF-7",
    "UTF-7-IMAP",
    "UTF-8-MAC",
    "TSCII",
    "SCSU",
    "JAVA",
    "no such encoding",
    "C99",
    "XML",
    "HTML",
    "C-ESCAPES",
];
const SUFFIXES: [&str; 6] =
    ["", "//TRANSLIT", "//IGNORE", "//TRANSLIT//IGNORE", "//NON_IDENTICAL_DISCARD", "//"];
/// The bytes around every buffer, which must not change.
const GUARD: u8 = 0xA5;
const MARGIN: usize = 16;

/// Bytes that choose what is done next; zeros after their end.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn next(&mut self) -> usize {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        (*first).into()
    }
}

#[derive(Debug, PartialEq, Eq)]
struct CallOutcome {
    read: usize,
    written: Vec<u8>,
    result: Result<usize, c_int>,
}

/// A descriptor that is closed when dropped.
struct OpenDescriptor(super::IconvT);

impl OpenDescriptor {
    fn open(to: &str, from: &str) -> Option<Self> {
        let (to, from) = (CString::new(to).ok()?, CString::new(from).ok()?);
        // SAFETY: both are strings of C.
        let cd = unsafe { iconv_open(to.as_ptr(), from.as_ptr()) };
        (cd != NO_DESCRIPTOR).then(|| Self(cd))
    }

    /// Calls `iconv` with `room` bytes of output; `None` as the input ends the text. Checks that nothing but the output
    /// is written, and that pointers and counts agree.
    fn call(&mut self, input: Option<&[u8]>, room: usize) -> CallOutcome {
        // The margins are outside of what the call may use.
        let mut from = vec![GUARD; MARGIN];
        from.extend_from_slice(input.unwrap_or_default());
        from.extend_from_slice(&[GUARD; MARGIN]);
        let mut to = vec![GUARD; MARGIN + room + MARGIN];
        let len = input.map_or(0, <[u8]>::len);
        let (mut in_left, mut out_left) = (len, room);
        let from_start = from[MARGIN..].as_mut_ptr().cast();
        let to_start = to[MARGIN..].as_mut_ptr().cast();
        let (mut from_at, mut to_at) = (from_start, to_start);
        let start = if input.is_some() { &raw mut from_at } else { ptr::null_mut() };
        // SAFETY: the descriptor is open, and the buffers have as many bytes.
        let result = unsafe { iconv(self.0, start, &mut in_left, &mut to_at, &mut out_left) };
        // SAFETY: the address of errno is always valid.
        let errno = unsafe { *libc::__errno_location() };
        let (read, written) = (len - in_left, room - out_left);
        assert_eq!(from_at.addr() - from_start.addr(), read);
        assert_eq!(to_at.addr() - to_start.addr(), written);
        assert_eq!(&from[MARGIN..MARGIN + len], input.unwrap_or_default());
        // The free room must not change either.
        assert!(to[..MARGIN].iter().chain(&to[MARGIN + written..]).all(|byte| *byte == GUARD));
        let result = if result == ERROR { Err(errno) } else { Ok(result) };
        match result {
            Ok(_) => assert_eq!(read, len, "no error, so everything is read"),
            Err(error) => {
                let known = [libc::E2BIG, libc::EILSEQ, libc::EINVAL];
                assert!(known.contains(&error), "errno {error}");
                assert!(error != libc::EINVAL || read < len, "something is incomplete");
            }
        }
        CallOutcome { read, written: to[MARGIN..MARGIN + written].to_vec(), result }
    }
}

impl Drop for OpenDescriptor {
    fn drop(&mut self) {
        // SAFETY: it is open, and not used again.
        assert_eq!(unsafe { iconv_close(self.0) }, 0);
    }
}

/// Converts all of `text` with calls that get `sizes` of input and output in turn, as a program would that reads and
/// writes in pieces. Returns the output, and the places of bytes that were skipped because of EILSEQ. Ends at the first
/// call that cannot continue.
///
/// After E2BIG, what was not read is given again with twice the room, so a size of 0 is allowed and any character fits
/// in the end. After EILSEQ one byte is skipped, which is what programs do that continue. Input that a call leaves
/// unread comes again in front of the next piece.
fn converted(
    conversion: &mut OpenDescriptor,
    text: &[u8],
    sizes: &[(usize, usize)],
) -> (Vec<u8>, Vec<usize>) {
    /// No character needs more room, and no shift sequence after it.
    const ENOUGH: usize = 256;
    let (mut bytes, mut skipped) = (Vec::new(), Vec::new());
    let (mut at, mut given, mut room, mut turn) = (0, 0, 0, 0);
    loop {
        let (input, output) = sizes[turn % sizes.len()];
        turn += 1;
        if room == 0 {
            room = output;
        }
        given = text.len().min(given.max(at) + input.max(1));
        let call = conversion.call(Some(&text[at..given]), room);
        at += call.read;
        bytes.extend(&call.written);
        match call.result {
            Err(libc::E2BIG) => {
                assert!(room < ENOUGH || call.read > 0 || !call.written.is_empty(), "stuck");
                room = ENOUGH.min(2 * room + 1);
                continue;
            }
            // At the end of the input, EILSEQ says that something was left out.
            Err(libc::EILSEQ) if at < given => {
                skipped.push(at);
                at += 1;
            }
            _ => {}
        }
        room = 0;
        if given == text.len() && (at == given || call.result == Err(libc::EINVAL)) {
            break;
        }
    }
    skipped.push(at);
    loop {
        let call = conversion.call(None, room);
        bytes.extend(&call.written);
        match call.result {
            // Held bytes may be left out only now.
            Ok(_) | Err(libc::EILSEQ) => return (bytes, skipped),
            Err(error) => assert_eq!(error, libc::E2BIG),
        }
        assert!(room < ENOUGH, "stuck at the end");
        room = ENOUGH.min(2 * room + 1);
    }
}

/// Opens a conversion that `data` names, makes the calls that it describes, and checks them: no byte outside the
/// buffers is written, pointers and counts agree, errors are those of POSIX, and the result is the same however the
/// text is divided.
///
/// # Panics
///
/// If a promise is broken.
pub fn random_calls(data: &[u8]) {
    let mut choices = Choices(data);
    let from = NAMES[choices.next() % NAMES.len()];
    let name = NAMES[choices.next() % NAMES.len()];
    let suffix = SUFFIXES[choices.next() % SUFFIXES.len()];
    let sizes: Vec<_> = (0..4).map(|_| (choices.next() % 24, choices.next() % 24)).collect();
    let controls =
        [(choices.next() % 16, choices.next() % 3), (choices.next() % 16, choices.next() % 3)];
    let text = choices.0;
    let Some(mut conversion) = OpenDescriptor::open(&format!("{name}{suffix}"), from) else {
        assert!([from, name].contains(&"no such encoding"), "{from} to {name}");
        return;
    };
    for (request, value) in controls {
        let mut value = value as c_int;
        // SAFETY: the descriptor is open, and the argument an int.
        let done = unsafe { iconvctl(conversion.0, request as c_int, (&raw mut value).cast()) };
        assert_eq!(done == 0, matches!(request, 0..=4 | 11..=14), "request {request}");
    }
    let whole = converted(&mut conversion, text, &[(text.len(), 4096)]);
    let divided = converted(&mut conversion, text, &sizes);
    assert_eq!(divided, whole, "{from} to {name}{suffix}, {sizes:?}");
    // An abandoned text must not change the next one.
    let _ = conversion.call(Some(text), sizes[0].1);
    // SAFETY: the descriptor is open.
    let reset = unsafe {
        iconv(conversion.0, ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), ptr::null_mut())
    };
    assert_eq!(reset, 0);
    assert_eq!(converted(&mut conversion, text, &[(text.len(), 4096)]), whole, "after a reset");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// ASCII has the letter without its mark, which may come in the same call or in a later one. Ill-formed bytes are
    /// left out.
    #[test]
    fn a_letter_before_a_mark_is_read_however_the_text_is_divided() {
        let of = |name: &str| NAMES.iter().position(|it| *it == name).unwrap() as u8;
        for sizes in [[3, 1, 0, 0, 0, 0, 0, 0], [1, 9, 2, 9, 1, 9, 2, 9], [1; 8]] {
            let mut data = vec![of("UTF-8-MAC"), of("ASCII"), 0];
            data.extend(sizes);
            data.extend([12, 1, 0, 0]);
            data.extend("\u{309A}a\u{323}".bytes());
            random_calls(&data);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_calls_keep_the_promises(data in prop::collection::vec(any::<u8>(), 0..80)) {
            random_calls(&data);
        }

        /// Text that is mostly well-formed.
        #[test]
        fn any_calls_with_text_keep_the_promises(
            choices in prop::collection::vec(any::<u8>(), 15),
            text in "[a-zà-ÿ\u{300}-\u{304}か゚カ\u{309A}あ日本ÊạΑ-ω€😀\u{FEFF}\u{FF}\n+~-]{0,30}",
        ) {
            let mut data = choices;
            data[0] = 0;
            data.extend(text.bytes());
            random_calls(&data);
        }

        /// Escapes, some of them truncated or ill-formed.
        #[test]
        fn any_calls_with_escapes_keep_the_promises(
            choices in prop::collection::vec(any::<u8>(), 15),
            name in prop::sample::select(vec!["JAVA", "C99", "XML", "HTML", "C-ESCAPES"]),
            text in "(\\\\u?|\\\\ud83d|\\\\udefc|\\\\[0-7]{1,3}|&#?x?|D800;|&lt|&am|[0-9a-f;pé ]){0,8}",
        ) {
            let mut data = choices;
            data[0] = NAMES.iter().position(|it| *it == name).unwrap() as u8;
            data.extend(text.chars().map(|character| character as u8));
            random_calls(&data);
        }

        /// Losses in a run of UTF-8 are handled together, those in GB18030 one by one.
        #[test]
        fn losses_do_not_depend_on_how_the_text_is_read(
            text in "[a-zà-ÿ\u{300}-\u{304}か゚カあ日本ÊạΑ-ω€😀“”…½ﬁ\u{FFFD}\u{ADFF} ]{0,60}",
            name in prop::sample::select(vec!["ASCII", "ISO-8859-1", "KOI8-R", "EUC-JISX0213", "ISO-2022-KR", "C99", "CP1258"]),
            suffix in prop::sample::select(SUFFIXES.to_vec()),
            room in prop_oneof![Just(4096), 0_usize..200],
        ) {
            let mut encoder = OpenDescriptor::open("GB18030", "UTF-8").unwrap();
            let encoded = encoder.call(Some(text.as_bytes()), 4096);
            assert_eq!(encoded.result, Ok(0));
            let to = format!("{name}{suffix}");
            let [one_by_one, together] = [("GB18030", &encoded.written[..]), ("UTF-8", text.as_bytes())]
                .map(|(from, text)| {
                    let call = OpenDescriptor::open(&to, from).unwrap().call(Some(text), room);
                    (call.written, call.result, call.read == text.len())
                });
            assert_eq!(together, one_by_one, "to {to}, room for {room}");
        }

        /// Text in another encoding, which is encoded first.
        #[test]
        fn any_calls_with_text_of_other_encodings_keep_the_promises(
            choices in prop::collection::vec(any::<u8>(), 15),
            text in "[a-zà-ÿ\u{300}-\u{304}か゚カ\u{309A}あ日本ÊạΑ-ω€😀\n+~-]{0,30}",
        ) {
            let name = NAMES[usize::from(choices[0]) % NAMES.len()];
            if let Some(mut conversion) = OpenDescriptor::open(&format!("{name}//IGNORE"), "UTF-8") {
                let (bytes, _) = converted(&mut conversion, text.as_bytes(), &[(1000, 4096)]);
                let mut data = choices;
                data.extend(bytes);
                random_calls(&data);
            }
        }
    }
}
