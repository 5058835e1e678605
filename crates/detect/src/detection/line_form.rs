//! Whether a line is UTF-8, UTF-8 with stray bytes, or in another encoding.

use super::utf8_census::{Census, Utf8Verdict};

/// A line is UTF-8 with stray bytes if it has at least this many multi-byte characters per ill-formed subsequence.
const CHARACTERS_PER_FAULT: usize = 4;

/// What a line is with respect to UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineForm {
    /// UTF-8. Its end may truncate a character.
    Utf8,
    /// UTF-8 with stray bytes: nearly all non-ASCII characters are well-formed.
    WithStrays,
    /// The same, or chance: most of a few characters are well-formed.
    Unclear,
    /// Another encoding, in which UTF-8 occurs by chance.
    Other,
}

impl LineForm {
    /// Returns the form of a line from its first non-ASCII byte on, or of the first part of it. `after` is the byte
    /// before that.
    pub fn of(line: &[u8], after: Option<u8>) -> Self {
        match characters_beyond_ascii(line) {
            (2.., 0) => Self::Utf8,
            (multi, ill_formed) if multi >= CHARACTERS_PER_FAULT * ill_formed.max(1) => {
                Self::WithStrays
            }
            // A few characters are not UTF-8 by chance if they complete the words around them.
            (1.., _) if Census::alone(line, after, true).verdict() == Utf8Verdict::WithOthers => {
                Self::WithStrays
            }
            (multi, ill_formed) if multi > ill_formed.max(1) => Self::Unclear,
            _ => Self::Other,
        }
    }
}

/// Returns the number of multi-byte characters of a line, and of its ill-formed subsequences, except for one that its
/// end may truncate.
pub(super) fn characters_beyond_ascii(line: &[u8]) -> (usize, usize) {
    let (mut multi, mut ill_formed, mut at) = (0, 0, 0);
    for chunk in line.utf8_chunks() {
        multi += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        at += chunk.valid().len() + chunk.invalid().len();
        let error = std::str::from_utf8(chunk.invalid()).err();
        let is_cut = at == line.len() && error.is_some_and(|error| error.error_len().is_none());
        ill_formed += usize::from(!chunk.invalid().is_empty() && !is_cut);
    }
    (multi, ill_formed)
}
