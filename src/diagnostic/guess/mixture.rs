//! Whether a text with ill-formed bytes is UTF-8 with stray bytes, or a text in which UTF-8 occurs by chance.
//!
//! ```text
//! café and caf<E9>      C3 A9 is alone between ASCII: somebody wrote UTF-8
//! <C5 DD A3> in KOI8-R  DD A3 is next to C5, as everywhere in the text: a word in another encoding
//! ```

/// Counts the UTF-8 characters that are alone, and those next to ill-formed bytes.
#[derive(Clone, Debug)]
pub struct Mixture {
    /// Bytes that the end of the last piece cuts.
    cut: Vec<u8>,
    /// Characters and ill-formed bytes since the last ASCII byte.
    run: (u64, u64),
    /// Characters of more than one byte in runs without ill-formed bytes, and in runs with them.
    alone: u64,
    beside: u64,
    ill_formed: u64,
    /// Which bytes are ill-formed.
    strays: [bool; 256],
}

impl Default for Mixture {
    fn default() -> Self {
        Self {
            cut: Vec::new(),
            run: (0, 0),
            alone: 0,
            beside: 0,
            ill_formed: 0,
            strays: [false; 256],
        }
    }
}

impl Mixture {
    /// Fewer ill-formed bytes, or fewer different ones, prove nothing.
    const ENOUGH: u64 = 6;
    const ENOUGH_DIFFERENT: usize = 4;

    /// Examines the next bytes of the text. Pieces may be cut anywhere.
    pub fn look(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        // A cut sequence is decided with a few more bytes: as many as a character may still have.
        while !self.cut.is_empty() && !rest.is_empty() {
            let (next, later) = rest.split_at(1);
            rest = later;
            let piece = [&std::mem::take(&mut self.cut), next].concat();
            self.look_at(&piece, false);
        }
        self.look_at(rest, false);
    }

    /// Ends the text.
    pub fn finish(&mut self) {
        let piece = std::mem::take(&mut self.cut);
        self.look_at(&piece, true);
        self.end_run();
    }

    /// Whether there are enough ill-formed bytes to identify an encoding by their frequency. Quotation marks alone
    /// could be letters in many encodings.
    pub fn tells(&self) -> bool {
        self.ill_formed >= Self::ENOUGH && self.strays().count() >= Self::ENOUGH_DIFFERENT
    }

    /// Whether all UTF-8 in the text may be chance: the ill-formed bytes outnumber the characters next to them, and
    /// even more those that are alone. In Thai text in windows-874 there is one of the former for four ill-formed
    /// bytes; in Russian text in KOI8-R, one of the latter for thirteen thousand.
    pub fn is_by_chance(&self) -> bool {
        self.tells() && self.ill_formed >= 3 * self.beside && self.ill_formed >= 100 * self.alone
    }

    /// Whether any character of more than one byte is alone.
    pub fn any_alone(&self) -> bool {
        self.alone > 0
    }

    /// Returns the number of UTF-8 characters of more than one byte.
    pub fn characters(&self) -> u64 {
        self.alone + self.beside
    }

    /// Iterates over the ill-formed bytes, each once.
    pub fn strays(&self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(|byte| self.strays[usize::from(*byte)])
    }

    fn look_at(&mut self, bytes: &[u8], end: bool) {
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.look_at_text(chunk.valid().as_bytes());
            let invalid = chunk.invalid();
            if chunks.peek().is_none() && !end && is_start(invalid) {
                self.cut = invalid.to_vec();
                return;
            }
            self.run.1 += invalid.len() as u64;
            for byte in invalid {
                self.strays[usize::from(*byte)] = true;
            }
        }
    }

    /// Examines well-formed UTF-8.
    fn look_at_text(&mut self, bytes: &[u8]) {
        // Most of it is ASCII, of which only the first byte matters.
        let from = if bytes.is_ascii() { bytes.len().saturating_sub(1) } else { 0 };
        for byte in &bytes[from..] {
            match byte {
                0..=0x7F if self.run != (0, 0) => self.end_run(),
                0..=0xBF => {}
                _ => self.run.0 += 1,
            }
        }
    }

    fn end_run(&mut self) {
        match std::mem::take(&mut self.run) {
            (characters, 0) => self.alone += characters,
            (characters, ill_formed) => {
                self.beside += characters;
                self.ill_formed += ill_formed;
            }
        }
    }
}

/// Whether more bytes could complete these to a character.
fn is_start(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(bytes: &[u8], pieces: usize) -> Mixture {
        let mut mixture = Mixture::default();
        bytes.chunks(pieces).for_each(|piece| mixture.look(piece));
        mixture.finish();
        mixture
    }

    #[test]
    fn characters_by_chance_stand_next_to_ill_formed_bytes() {
        for (bytes, characters, strays, by_chance) in [
            // "ещё" and "всё" in KOI8-R: DD A3 is U+0763 by chance.
            (&b"\xC5\xDD\xA3 \xD7\xD3\xA3 \xD7\xC1\xCD"[..], 2, &b"\xC1\xC5\xCD\xD7"[..], false),
            (b"\xC5\xDD\xA3 \xD7\xC1\xCD \xD7\xC1\xCD", 1, b"\xC1\xC5\xCD\xD7", true),
            // One character that is alone was written on purpose.
            (b"\xC3\xA9 \xC5\xDD\xA3 \xD7\xC1\xCD \xD7\xC1\xCD", 2, b"\xC1\xC5\xCD\xD7", false),
            (b"caf\xC3\xA9 caf\xE9", 1, b"\xE9", false),
            (b"\x93\xC3\xA9\x94", 1, b"\x93\x94", false),
            (b"\xE2\x82", 0, b"\x82\xE2", false),
            (b"plain", 0, b"", false),
            (b"", 0, b"", false),
        ] {
            for pieces in 1..=bytes.len().max(1) {
                let mixture = look(bytes, pieces);
                let seen: Vec<_> = mixture.strays().collect();
                assert_eq!(
                    (mixture.characters(), &seen[..], mixture.is_by_chance()),
                    (characters, strays, by_chance),
                    "{bytes:?} in pieces of {pieces}"
                );
            }
        }
    }
}
