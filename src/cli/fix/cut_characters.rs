//! Finds stray bytes in UTF-8 that may be the rest of a character that lost a byte.

use std::collections::HashSet;

use oxiconv_encodings::codec::RestoredText;

use super::super::files::FileArg;
use super::super::whole_file::any_chunk;

/// Whether a run of stray bytes may be the rest of a character that lost a byte. `é` in UTF-8 without one of its bytes
/// is C3 or A9, and both are characters in other encodings.
///
/// C2 to C5, with which the letters of Latin begin, and E2, with which typographic signs do, always may be such a rest,
/// and any other first byte if characters of the text begin with it. A later byte may be one if a character of the text
/// has it as such; several of them in a row always may, and so may A0, which ends `à`, and a first byte with a later
/// one.
pub(super) fn has_halves(file: &FileArg) -> anyhow::Result<bool> {
    let mut search = HalfSearch::default();
    any_chunk(file, &mut |chunk| {
        search.look(chunk);
        false
    })?;
    search.end();
    Ok(search.strays.iter().any(|stray| search.is_half(stray)))
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
            [0xC2..=0xC5 | 0xE2 | 0xA0] | [0xE0..=0xEF, 0x80..=0xBF] => true,
            [first @ 0xC6..=0xFF] => self.firsts.contains(&first),
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
