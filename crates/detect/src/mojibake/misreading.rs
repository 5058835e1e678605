//! A misreading that the user names (`--repair=FROM..TO`): text in one encoding was read in another, and the same two
//! steps lead back.
//!
//! ```text
//! ÉVé╡éó ─► IBM437: 90 56 82 B5 82 A2 ─► CP932: 新しい
//! ```
//!
//! No model decides here. A word is read back as a whole or left as it is, except that UTF-8 is read back character by
//! character: its sequences are recognizable by themselves.

use std::ops::Range;

use super::damage::Damage;
use oxiconv_encodings::codec::{ByteOrder, DecodeStop, MIN_OUTPUT, MIN_PIVOT};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

/// Text in one encoding that was read in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misreading {
    written_in: &'static Encoding,
    read_as: &'static Encoding,
}

/// Why two encodings are not a misreading that can be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MisreadingError {
    /// Both are the same encoding.
    #[error("text in {0} that was read as {0} is not damaged")]
    Same(&'static str),
    /// Words cannot be told apart in it, because ASCII is not ASCII there.
    #[error("{0} does not preserve ASCII, so only a whole text can be repaired (convert it twice)")]
    NotAscii(&'static str),
}

impl Misreading {
    /// Creates the misreading of text in `written_in` as `read_as`. Both must be stateless supersets of ASCII.
    ///
    /// # Errors
    ///
    /// If they are the same encoding, or if one of them is not a stateless superset of ASCII.
    pub fn new(
        written_in: &'static Encoding,
        read_as: &'static Encoding,
    ) -> Result<Self, MisreadingError> {
        if written_in == read_as {
            return Err(MisreadingError::Same(written_in.name()));
        }
        match [written_in, read_as].into_iter().find(|encoding| !keeps_ascii(encoding)) {
            Some(encoding) => Err(MisreadingError::NotAscii(encoding.name())),
            None => Ok(Self { written_in, read_as }),
        }
    }

    /// Returns the encoding that the bytes were in.
    #[must_use]
    pub fn written_in(self) -> &'static Encoding {
        self.written_in
    }

    /// Returns the encoding that they were read in.
    #[must_use]
    pub fn read_as(self) -> &'static Encoding {
        self.read_as
    }

    /// Returns what each word with characters beyond ASCII meant. A word that is not bytes of this misreading is damage
    /// of unknown meaning.
    pub(super) fn look(self, text: &str) -> Vec<Damage> {
        let mut found = Vec::new();
        for word in words(text) {
            let before = found.len();
            let runs = self.runs(&text[word.clone()]);
            let mut is_left = runs.is_empty();
            for run in runs {
                let run = word.start + run.start..word.start + run.end;
                match self.read(&text[run.clone()]) {
                    Some(meant) if meant == text[run.clone()] => {}
                    Some(meant) => found.push(self.damage(run, meant, SURE)),
                    None => is_left |= !self.read_parts(text, run, &mut found),
                }
            }
            if is_left && found.len() == before {
                found.push(self.damage(word, String::new(), 0));
            }
        }
        found
    }

    /// Returns where a text longer than a region can be cut: after its last complete character. The characters are
    /// encoded and decoded again; bytes that the decoder leaves over belong to the next region, and so do their
    /// characters.
    pub(super) fn boundary(self, text: &str) -> usize {
        let start = text
            .rfind(|c| self.bytes_of(c).is_none())
            .map_or(0, |at| at + text[at..].chars().next().map_or(0, char::len_utf8));
        let Some(bytes) = self.bytes(&text[start..]) else { return text.len() };
        let mut pivot = vec![0; bytes.len() + MIN_PIVOT];
        let read =
            self.written_in.new_decoder(ByteOrder::Big).decode(&bytes, &mut pivot, false).read;
        // Go back character by character until the bytes that the decoder left over are covered. More than eight bytes
        // are no incomplete character but ill-formed ones, and then any place is as good.
        let mut left = bytes.len() - read;
        let mut end = text.len();
        for (at, c) in text.char_indices().rev() {
            if left == 0 || left > 8 {
                break;
            }
            left = left.saturating_sub(self.bytes_of(c).map_or(1, |bytes| bytes.len()));
            end = at;
        }
        if end == 0 { text.len() } else { end }
    }

    fn damage(self, range: Range<usize>, meant: String, confidence: u8) -> Damage {
        let Self { written_in, read_as } = self;
        Damage { range, meant, written_in, read_as, times: 1, confidence }
    }

    /// Returns the runs of a word whose characters are all bytes of `read_as`, if they have any beyond ASCII.
    fn runs(self, word: &str) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        let mut start = None;
        for (at, c) in word.char_indices() {
            match (self.bytes_of(c).is_some(), start) {
                (true, None) => start = Some(at),
                (false, Some(from)) => {
                    runs.push(from..at);
                    start = None;
                }
                _ => {}
            }
        }
        runs.extend(start.map(|from| from..word.len()));
        runs.retain(|run| !word[run.clone()].is_ascii());
        runs
    }

    /// Reads the characters of UTF-8 in a run that is not all UTF-8, and returns whether there are any. From each
    /// character of the run on, bytes are added until they are a character of UTF-8, are none, or are four.
    fn read_parts(self, text: &str, run: Range<usize>, found: &mut Vec<Damage>) -> bool {
        if self.written_in != Encoding::UTF_8 {
            return false;
        }
        let before = found.len();
        let characters: Vec<(usize, Vec<u8>)> = text[run.clone()]
            .char_indices()
            .filter_map(|(at, c)| Some((run.start + at, self.bytes_of(c)?)))
            .collect();
        let mut at = 0;
        while at < characters.len() {
            let mut bytes = Vec::new();
            let mut end = at;
            let meant = loop {
                let Some((_, own)) = characters.get(end) else { break None };
                bytes.extend_from_slice(own);
                end += 1;
                match std::str::from_utf8(&bytes) {
                    Ok(meant) => break Some(meant.to_owned()),
                    Err(error) if error.error_len().is_some() || end - at == 4 => break None,
                    Err(_) => {}
                }
            };
            match meant.filter(|meant| !meant.is_ascii()) {
                Some(meant) => {
                    let end_byte = characters.get(end).map_or(run.end, |(place, _)| *place);
                    found.push(self.damage(characters[at].0..end_byte, meant, SURE));
                    at = end;
                }
                None => at += 1,
            }
        }
        found.len() > before
    }

    /// Returns what a text meant; `None` if its bytes are not text in `written_in`.
    fn read(self, text: &str) -> Option<String> {
        let bytes = self.bytes(text)?;
        let mut pivot = vec![0; bytes.len() + MIN_PIVOT];
        let done = self.written_in.new_decoder(ByteOrder::Big).decode(&bytes, &mut pivot, true);
        let is_whole = done.stop == DecodeStop::InputEmpty && done.read == bytes.len();
        is_whole.then(|| pivot[..done.written].iter().map(|cp| char::from_u32(*cp)).collect())?
    }

    fn bytes(self, text: &str) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(text.len());
        for c in text.chars() {
            bytes.extend(self.bytes_of(c)?);
        }
        Some(bytes)
    }

    /// Returns the bytes of a character in `read_as`. A byte that a charset does not define is a C1 control, as
    /// browsers and MySQL read it.
    fn bytes_of(self, c: char) -> Option<Vec<u8>> {
        if c.is_ascii() {
            return Some(vec![c as u8]);
        }
        let mut bytes = [0; MIN_OUTPUT];
        let done =
            self.read_as.new_encoder(ByteOrder::Big).encode(&[CodePoint::from(c)], &mut bytes);
        let control = matches!(c, '\u{80}'..='\u{9F}').then(|| vec![c as u8]);
        if done.read == 1 { Some(bytes[..done.written].to_vec()) } else { control }
    }
}

/// The confidence, in percent, of a word that is read back.
const SURE: u8 = 99;

fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at += text[at..].find(|c| c > ' ')?;
            let len = text[at..].find(|c| c <= ' ').unwrap_or(text.len() - at);
            let word = at..at + len;
            at = word.end;
            if !text[word.clone()].is_ascii() {
                return Some(word);
            }
        }
    })
}

/// Whether an encoding is a stateless superset of ASCII.
fn keeps_ascii(encoding: &'static Encoding) -> bool {
    const ASCII: &[u8] = b"AZaz09 \n\r\t.,-";
    let mut text = [0; ASCII.len() + MIN_PIVOT];
    let done = encoding.new_decoder(ByteOrder::Big).decode(ASCII, &mut text, true);
    (encoding == Encoding::UTF_8 || encoding.may_be_fallback())
        && done.stop == DecodeStop::InputEmpty
        && text[..done.written].iter().copied().eq(ASCII.iter().copied().map(CodePoint::from))
}

#[cfg(test)]
mod tests;
