//! The words of a sample: those with a byte beyond ASCII, which tell the charset, and the others, which tell the
//! language alone.

use super::sample::Sample;

/// Words with bytes beyond ASCII that are taken, in bytes.
const MOST: usize = 16 * 1024;
/// Words of ASCII letters alone that are taken, in bytes.
const MOST_ASCII: usize = 4 * 1024;

/// The words of a sample, each with a space before and after it.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// Those with bytes beyond ASCII. A word goes from one byte below 30 to the next, none of which is part of a
    /// longer character in any charset without shifts.
    pub(super) beyond: Vec<u8>,
    /// Those of ASCII letters alone.
    pub(super) ascii: Vec<u8>,
    /// How many bytes of `beyond` are not ASCII.
    pub(super) high: usize,
}

impl Words {
    pub(super) fn of(sample: &Sample<'_>) -> Self {
        let mut words = Self { beyond: vec![b' '], ascii: vec![b' '], high: 0 };
        // The start has words of the language, and marks around the first word.
        let head = sample.head.len().min(usize::try_from(sample.offset).unwrap_or(usize::MAX));
        let start =
            sample.head[..head].iter().rposition(|byte| is_blank(*byte)).map_or(0, |at| at + 1);
        words.take_ascii(&sample.head[..start]);
        // If the head reaches up to the first signal, the first word begins in it.
        let joined = sample.head.len() as u64 >= sample.offset;
        let first = if joined { &sample.head[start..head] } else { &[] };
        let text = [first, sample.bytes].concat();
        let mut seen = [false; 256];
        for word in text.split(|byte| is_blank(*byte)).filter(|word| !word.is_empty()) {
            if word.is_ascii() {
                words.take_ascii(word);
                continue;
            }
            // A byte that comes late may be one that a charset lacks.
            let has_new = || word.iter().any(|byte| !byte.is_ascii() && !seen[usize::from(*byte)]);
            if words.beyond.len() >= MOST && (words.beyond.len() >= 2 * MOST || !has_new()) {
                continue;
            }
            let word = &word[..word.len().min(MOST)];
            word.iter().for_each(|byte| seen[usize::from(*byte)] = true);
            words.high += word.iter().filter(|byte| !byte.is_ascii()).count();
            words.beyond.extend_from_slice(word);
            words.beyond.push(b' ');
        }
        words
    }

    fn take_ascii(&mut self, text: &[u8]) {
        for word in text.split(|byte| is_blank(*byte)) {
            if self.ascii.len() < MOST_ASCII
                && !word.is_empty()
                && word.iter().all(u8::is_ascii_alphabetic)
            {
                self.ascii.extend_from_slice(word);
                self.ascii.push(b' ');
            }
        }
    }
}

/// Whether a byte is a character by itself in every superset of ASCII without shifts.
const fn is_blank(byte: u8) -> bool {
    byte < 0x30
}
