//! What speaks against the plan for a file although the detector is certain. A wrong answer costs the user a text, and
//! one that stays costs only a look. So these questions are asked of files that are about to be changed, and only
//! there.

use std::collections::HashSet;
use std::io::{self, Write};

use oxiconv_detect::detection::{Detection, Detector, Evidence, OtherLines, Others};
use oxiconv_encodings::codec::{RestoredText, escaped_byte};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::diagnostic::Silent;
use oxiconv_transcode::{Error, Options, Transcoder, decode_lossy};

use super::super::file_input::{name_error, open};
use super::super::files::FileArg;
use super::super::whole_file::any_chunk;

/// How much of a file is looked at, in bytes.
const MAX_SAMPLE: usize = 256 * 1024;
/// Escape sequences that are less certain than this, in percent, may be plain text.
const CLEAR_ESCAPES: u8 = 95;
/// From this confidence on, in percent, letters outweigh a declaration.
const REFUTES: u8 = 80;
/// Where an answer for EBCDIC is wrong, it is less certain than this, in percent.
const CLEAR_EBCDIC: u8 = 98;
/// With more stray bytes, not all of them are halves of characters by chance.
const MAX_HALVES: u64 = 3;

/// Returns a reason to leave a file with this answer to a person; `None` if there is none.
pub(super) fn doubt(detection: &Detection, file: &FileArg) -> anyhow::Result<Option<&'static str>> {
    Ok(match detection.others {
        _ if detection.evidence == Evidence::Lines => {
            let are_clear = OtherLines::of(&sample(file)?).are_in_one();
            (!are_clear).then_some("it is not certain for each line in which encoding it is")
        }
        Some(Others { strays: 1, fallback, .. }) if fallback != Some(Encoding::WINDOWS_1252) => {
            Some("a single stray byte does not tell in which encoding it is")
        }
        Some(Others { strays: 1..=MAX_HALVES, .. }) if are_halves(file)? => {
            Some("its stray bytes may be what is left of characters that were cut")
        }
        Some(Others { strays: 1.., escaped: 1..=MAX_HALVES, .. })
            if begin_fields(&sample(file)?) =>
        {
            Some("its surrogates may be what is left of emoji that were cut")
        }
        // A plus sign in source code begins the same sequences as in UTF-7.
        _ if detection.evidence == Evidence::Escapes && detection.confidence < CLEAR_ESCAPES => {
            Some("what seems to be escape sequences may be plain text")
        }
        _ if is_of_single_bytes(detection) && has_signs_of_unicode(&sample(file)?) => {
            Some("it has byte sequences of UTF-8's relatives, or a byte order mark of GB18030")
        }
        _ if detection.evidence == Evidence::Declaration && is_refuted(detection, file)? => {
            Some("its letters are not in the encoding that it declares")
        }
        // Code pages of EBCDIC differ in signs only, which no letter frequency tells apart.
        _ if !detection.read_as().has_ascii() && detection.encoding.unit() == 1 => {
            let is_clear =
                detection.confidence >= CLEAR_EBCDIC && !has_variant_signs(detection, file)?;
            (!is_clear).then_some(
                "code pages of EBCDIC have its signs, such as ! or $, in different places",
            )
        }
        _ => None,
    })
}

/// Whether an encoding was recognized by letters, each a byte.
fn is_of_single_bytes(detection: &Detection) -> bool {
    matches!(detection.evidence, Evidence::Letters | Evidence::Declaration)
        && detection.encoding.single_byte
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
fn is_refuted(declared: &Detection, file: &FileArg) -> anyhow::Result<bool> {
    let text = sample(file)?;
    let read = |encoding| decode_lossy(&text, encoding);
    let by_letters = Detector::new().ignore_declarations().detect(&text);
    Ok(by_letters.confidence >= REFUTES
        && by_letters.encoding != declared.encoding
        && read(by_letters.encoding) != read(declared.encoding))
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

/// Returns the text from the line of its first byte beyond ASCII on, as far as it is looked at.
fn sample(file: &FileArg) -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    any_chunk(file, |chunk| {
        let start = match text.is_empty() {
            true => chunk.iter().position(|byte| !byte.is_ascii()).unwrap_or(chunk.len()),
            false => 0,
        };
        // The line of the first byte that counts is whole, if the chunk has its start.
        let start = memchr::memrchr(b'\n', &chunk[..start]).map_or(0, |at| at + 1).min(start);
        if !(text.is_empty() && chunk[start..].is_ascii()) {
            text.extend_from_slice(&chunk[start..]);
        }
        text.len() >= MAX_SAMPLE
    })?;
    Ok(text)
}

/// Whether each run of stray bytes may be what is left of a character such as the text has elsewhere. One lost byte of
/// `é` in UTF-8 leaves C3 or A9, and both are characters in other encodings.
///
/// The first byte of a character is one if the text has others with it, and E2 in any case: all typographic signs begin
/// with it. A later byte is one if a character of the text has it as such, and several of them in a row always are.
fn are_halves(file: &FileArg) -> anyhow::Result<bool> {
    let mut search = HalfSearch::default();
    any_chunk(file, |chunk| {
        search.look(chunk);
        false
    })?;
    search.end();
    Ok(!search.strays.is_empty() && search.strays.iter().all(|stray| search.is_half(stray)))
}

/// The first and the later bytes of the characters of a text, and its runs of stray bytes.
#[derive(Default)]
struct HalfSearch {
    firsts: HashSet<u8>,
    later: HashSet<u8>,
    strays: Vec<Vec<u8>>,
    /// The end of the chunk before, from the last ASCII byte on.
    rest: Vec<u8>,
}

impl HalfSearch {
    /// The longest part without ASCII that is kept for the next chunk. A longer one is settled where it is cut.
    const MAX_REST: usize = 64 * 1024;

    fn look(&mut self, chunk: &[u8]) {
        self.rest.extend_from_slice(chunk);
        let end = self.rest.iter().rposition(u8::is_ascii).unwrap_or(0);
        let end = if self.rest.len() - end > Self::MAX_REST { self.rest.len() } else { end };
        let bytes = std::mem::take(&mut self.rest);
        self.settle(&bytes[..end]);
        self.rest = bytes[end..].to_vec();
    }

    fn end(&mut self) {
        let bytes = std::mem::take(&mut self.rest);
        self.settle(&bytes);
    }

    /// Examines bytes that begin and end between two characters.
    fn settle(&mut self, bytes: &[u8]) {
        let mut run: Vec<u8> = Vec::new();
        let restored = RestoredText::of(bytes, true);
        let bytes = restored.as_ref().map_or(bytes, |restored| &restored.bytes);
        for chunk in bytes.utf8_chunks() {
            for char in chunk.valid().chars().filter(|char| !char.is_ascii()) {
                let mut pieces = [0; 4];
                let pieces = char.encode_utf8(&mut pieces).as_bytes();
                self.firsts.insert(pieces[0]);
                self.later.extend(&pieces[1..]);
            }
            if !chunk.valid().is_empty() {
                self.add(std::mem::take(&mut run));
            }
            run.extend_from_slice(chunk.invalid());
        }
        self.add(run);
    }

    fn add(&mut self, run: Vec<u8>) {
        if !run.is_empty() {
            self.strays.push(run);
        }
    }

    fn is_half(&self, run: &[u8]) -> bool {
        let is_later = |byte: &u8| matches!(byte, 0x80..=0xBF);
        match *run {
            [0xE2] => true,
            [first @ 0xC2..=0xFF] => self.firsts.contains(&first),
            [byte] => self.later.contains(&byte),
            _ => run.iter().all(is_later),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn searched(text: &[u8], step: usize) -> HalfSearch {
        let mut search = HalfSearch::default();
        text.chunks(step).for_each(|chunk| search.look(chunk));
        search.end();
        search
    }

    /// "vací" and "Círculo", each with one byte lost, in a text that has í elsewhere, "도" without its first byte, and a
    /// quotation in windows-1252.
    #[test]
    fn what_is_left_of_a_character_is_found_wherever_chunks_end() {
        let text = b"aqu\xC3\xAD: vac\xC3o C\xADrculo \x8F\x84 \xE9 \x93quoted\x94";
        for step in 1..=text.len() {
            let search = searched(text, step);
            let halves: Vec<_> =
                search.strays.iter().map(|run| (&run[..], search.is_half(run))).collect();
            let expected: [(&[u8], bool); 6] = [
                (b"\xC3", true),
                (b"\xAD", true),
                (b"\x8F\x84", true),
                (b"\xE9", false),
                (b"\x93", false),
                (b"\x94", false),
            ];
            assert_eq!(halves, expected, "{step}");
        }
    }
}
