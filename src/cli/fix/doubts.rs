//! What speaks against the plan for a file although the detector is certain. A wrong answer costs the user a text, and
//! one that stays costs only a look. So these questions are asked of files that are about to be changed, and only
//! there.

use std::borrow::Cow;
use std::io::{self, Write};

use oxiconv_detect::detection::{
    Detection, Detector, Evidence, OtherLines, Others, are_strays_sure, has_odd_word,
    stray_confidence,
};
use oxiconv_encodings::codec::{RestoredText, escaped_byte};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::diagnostic::Silent;
use oxiconv_transcode::{Error, Options, Transcoder, decode_lossy};

use super::super::file_input::{name_error, open};
use super::super::files::FileArg;
use super::super::whole_file::any_chunk;
use super::cut_characters::has_halves;

/// How many bytes of a file are judged together.
const MAX_PART: usize = 256 * 1024;
/// Escape sequences that are less certain than this, in percent, may be plain text.
const CLEAR_ESCAPES: u8 = 95;
/// The same for the encoding of the lines of a log that are not UTF-8.
const CLEAR_LINES: u8 = 95;
/// From this confidence on, in percent, letters outweigh a declaration.
const REFUTES: u8 = 80;
/// Where an answer for EBCDIC is wrong, it is less certain than this, in percent.
const CLEAR_EBCDIC: u8 = 98;
/// With more stray bytes, not all of them are halves of characters by chance.
const MAX_HALVES: u64 = 3;
/// Fewer non-ASCII bytes than this are no text of their own.
const MIN_LETTERS: usize = 8;

const UNCLEAR_LINES: &str = "the encoding of some lines is not certain";

/// Returns a reason to leave a file with this answer to a person; `None` if there is none.
pub(super) fn doubt(detection: &Detection, file: &FileArg) -> anyhow::Result<Option<&'static str>> {
    Ok(match detection.others {
        _ if detection.evidence == Evidence::Lines => {
            let mut are_unclear = |part: &[u8]| {
                str::from_utf8(part).is_err() && !OtherLines::of(part).are_in_one(CLEAR_LINES)
            };
            any_part(file, &mut are_unclear)?.then_some(UNCLEAR_LINES)
        }
        Some(Others { strays: 1, fallback, .. }) if fallback != Some(Encoding::WINDOWS_1252) => {
            Some("a single stray byte does not tell in which encoding it is")
        }
        Some(Others { strays: 1..=MAX_HALVES, .. }) if has_halves(file)? => {
            Some("its stray bytes may be the rest of characters that were cut off")
        }
        Some(Others { strays: 1.., escaped: 1..=MAX_HALVES, .. })
            if !any_part(file, &mut |part| !begin_fields(part))? =>
        {
            Some("its surrogates may be the rest of emoji that were cut off")
        }
        Some(Others { strays: 1.., fallback: Some(fallback), .. })
            if are_strays_unclear(file, fallback)? =>
        {
            Some("its stray bytes fit several encodings")
        }
        Some(Others { strays: 1.., fallback: Some(fallback), .. })
            if any_part(file, &mut |part| {
                !are_strays_sure(&restored(part), fallback, CLEAR_LINES)
            })? =>
        {
            Some(UNCLEAR_LINES)
        }
        // A plus sign in source code begins the same sequences as in UTF-7.
        _ if detection.evidence == Evidence::Escapes && detection.confidence < CLEAR_ESCAPES => {
            Some("what look like escape sequences may be plain text")
        }
        // Code pages of EBCDIC differ in signs only, which no letter frequency tells apart.
        _ if !detection.read_as().has_ascii() && detection.encoding.unit() == 1 => {
            let is_clear =
                detection.confidence >= CLEAR_EBCDIC && !has_variant_signs(detection, file)?;
            (!is_clear)
                .then_some("EBCDIC code pages differ in signs that it contains, such as ! or $")
        }
        _ => match detection.evidence {
            Evidence::Letters | Evidence::Declaration => {
                let (mut doubt, mut has_few, mut has_many) = (None, false, false);
                any_part(file, &mut |part| {
                    // One part of a long text may have a dash and nothing else.
                    match has_few_letters(part) {
                        true => has_few = true,
                        false => has_many = true,
                    }
                    doubt = doubt_letters(detection, part);
                    doubt.is_some()
                })?;
                match has_few && !has_many && detection.evidence == Evidence::Letters {
                    true => Some("it has too few letters to be certain"),
                    false => doubt,
                }
            }
            _ => None,
        },
    })
}

/// Whether the first stray bytes of a text may well be in another encoding, which reads them as something else. All
/// parts have the same fallback, so those with a dash and nothing else are not asked.
fn are_strays_unclear(file: &FileArg, fallback: &'static Encoding) -> anyhow::Result<bool> {
    let mut is_unclear = false;
    any_part(file, &mut |part| {
        let part = restored(part);
        let has_strays = str::from_utf8(&part).is_err();
        is_unclear = has_strays && stray_confidence(&part, fallback) < CLEAR_LINES;
        has_strays
    })?;
    Ok(is_unclear)
}

/// Returns what speaks against an encoding that letters or a declaration tell.
fn doubt_letters(detection: &Detection, text: &[u8]) -> Option<&'static str> {
    let is_declared = detection.evidence == Evidence::Declaration;
    let is_of_single_bytes = detection.encoding.single_byte;
    if is_of_single_bytes && has_signs_of_unicode(text) {
        Some("it contains surrogates encoded like UTF-8, or the byte order mark of GB18030")
    } else if is_declared && is_refuted(detection, text) {
        Some("its letters do not fit the encoding that it declares")
    } else if is_of_single_bytes && has_odd_word(text, detection.encoding) {
        Some("some of its words look wrong in that encoding")
    } else if !is_declared && !OtherLines::of(text).are_all_read_by(detection.encoding, 1) {
        Some(UNCLEAR_LINES)
    } else {
        None
    }
}

/// Whether a text has only a few bytes beyond ASCII, none of them next to an ASCII letter. Then there is no word around
/// them that could tell more than chance.
fn has_few_letters(text: &[u8]) -> bool {
    let is_next_to_word = |two: &[u8]| {
        two[0].is_ascii_alphabetic() && !two[1].is_ascii()
            || !two[0].is_ascii() && two[1].is_ascii_alphabetic()
    };
    text.iter().filter(|byte| !byte.is_ascii()).count() < MIN_LETTERS
        && !text.windows(2).any(is_next_to_word)
}

/// Whether the surrogates in a text that may be escaped bytes are each at the start of a field or a line. U+DC80 to
/// U+DCFF are also the second halves of many emoji, and a string of JavaScript that was cut within an emoji begins with
/// one.
fn begin_fields(text: &[u8]) -> bool {
    let escaped = memchr::memchr_iter(0xED, text);
    let mut escaped = escaped.filter(|at| escaped_byte(&text[*at..]).is_some());
    escaped.all(|at| {
        matches!(text[..at].last(), None | Some(b'\n' | b'\t' | b'"' | b'\'' | b',' | b';'))
    })
}

/// Whether a text has a surrogate as UTF-8 would encode it (CESU-8, WTF-8), or begins with the byte order mark of
/// GB18030. Hardly any text in single bytes has these bytes.
fn has_signs_of_unicode(text: &[u8]) -> bool {
    let is_surrogate = |bytes: &[u8]| matches!(bytes, [0xED, 0xA0..=0xBF, 0x80..=0xBF]);
    text.starts_with(b"\x84\x31\x95\x33") || text.windows(3).any(is_surrogate)
}

/// Whether the letters of a text are in another encoding than the one that it declares.
fn is_refuted(declared: &Detection, text: &[u8]) -> bool {
    let read = |encoding| decode_lossy(text, encoding);
    let by_letters = Detector::new().ignore_declarations().detect(text);
    by_letters.confidence >= REFUTES
        && by_letters.encoding != declared.encoding
        && read(by_letters.encoding) != read(declared.encoding)
}

/// The signs of ASCII that code pages of EBCDIC have in different places: those outside of IBM's syntactic character
/// set (CDRA, set 00640). No letter tells where they are.
const VARIANT_SIGNS: &[u8] = b"!|^~[]{}\\@#$`";

/// Whether a text in EBCDIC has such signs, or those that take their places: `¢`, `£`, `§`, `¬`.
fn has_variant_signs(detection: &Detection, file: &FileArg) -> anyhow::Result<bool> {
    let mut text = SignSearch::default();
    let conversion = Options::new().build(detection.read_as(), Encoding::UTF_8)?;
    let mut transcoder = Transcoder::new(&conversion, &mut text);
    transcoder
        .input(&mut *open(file)?.source, &mut Silent)
        .or_else(Error::into_summary)
        .map_err(|error| name_error(error, &file.label(), ""))?;
    transcoder.finish().map_err(|error| name_error(error, &file.label(), ""))?;
    Ok(text.has_found)
}

/// Looks for signs in what is written to it, which is UTF-8.
#[derive(Default)]
struct SignSearch {
    has_found: bool,
    last: u8,
}

impl Write for SignSearch {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            let is_latin1_sign = self.last == 0xC2 && matches!(byte, 0xA2 | 0xA3 | 0xA7 | 0xAC);
            self.has_found |= is_latin1_sign || VARIANT_SIGNS.contains(&byte);
            self.last = byte;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Passes each part of a file that is not all ASCII to `found`, until it returns true. Returns whether it did. A part
/// begins and ends between two lines, or between two words of a line that is longer than [`MAX_PART`].
fn any_part(file: &FileArg, found: &mut dyn FnMut(&[u8]) -> bool) -> anyhow::Result<bool> {
    let mut part: Vec<u8> = Vec::new();
    let mut look = |part: &[u8]| !part.is_ascii() && found(part);
    let has_found = any_chunk(file, &mut |chunk| {
        part.extend_from_slice(chunk);
        if part.len() < MAX_PART {
            return false;
        }
        let end = memchr::memrchr(b'\n', &part).or_else(|| memchr::memrchr2(b'\r', b' ', &part));
        let end = end.map_or(part.len(), |at| at + 1);
        let rest = part.split_off(end);
        look(&std::mem::replace(&mut part, rest))
    })?;
    Ok(has_found || look(&part))
}

/// Returns a part of a text with the bytes that Python has escaped.
fn restored(part: &[u8]) -> Cow<'_, [u8]> {
    RestoredText::of(part, true).map_or(Cow::Borrowed(part), |restored| restored.bytes.into())
}
