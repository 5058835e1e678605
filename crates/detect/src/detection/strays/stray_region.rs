//! A region with stray bytes, and what its surroundings say of them.

use std::ops::Range;

use crate::detection::typographic_signs::stand_as_signs;
use oxiconv_encodings::encoding::Encoding;

/// A region of a text, the characters around it, and its truncated characters (`cuts`), which are not letters of
/// another encoding.
pub(super) struct StrayRegion<'t> {
    pub(super) bytes: &'t [u8],
    pub(super) before: char,
    pub(super) after: char,
    pub(super) cuts: Vec<Range<usize>>,
}

impl StrayRegion<'_> {
    pub(super) fn cut(&self) -> usize {
        self.cuts.iter().map(Range::len).sum()
    }

    /// Whether any of its non-ASCII bytes is next to another one, or to a letter.
    pub(super) fn is_of_word(&self) -> bool {
        let of_word = |byte: Option<&u8>, edge: char| {
            byte.map_or(edge.is_alphabetic(), |byte| !byte.is_ascii() || byte.is_ascii_alphabetic())
        };
        self.bytes.iter().enumerate().any(|(at, byte)| {
            let before = at.checked_sub(1).map(|at| &self.bytes[at]);
            !byte.is_ascii()
                && (of_word(before, self.before) || of_word(self.bytes.get(at + 1), self.after))
        })
    }

    /// Whether its ill-formed bytes are where signs of windows-1252 would be.
    pub(super) fn stands_as_signs(&self) -> bool {
        let mut chunks = self.bytes.utf8_chunks().peekable();
        let mut before = self.before;
        std::iter::from_fn(|| {
            let chunk = chunks.next()?;
            before = chunk.valid().chars().next_back().unwrap_or(before);
            let mut run = chunk.invalid().to_vec();
            // `utf8_chunks` makes each of several adjacent bytes a chunk of its own.
            while let Some(next) = chunks.next_if(|next| next.valid().is_empty()) {
                run.extend_from_slice(next.invalid());
            }
            let after = chunks
                .peek()
                .map_or(self.after, |next| next.valid().chars().next().unwrap_or(self.after));
            let (follows, precedes) = (before.is_alphabetic(), after.is_alphabetic());
            Some(run.is_empty() || stand_as_signs(follows, &run, Encoding::WINDOWS_1252, precedes))
        })
        .all(|stands| stands)
    }

    /// Returns the ill-formed byte and the characters before and after it, if it is the only one.
    pub(super) fn only_stray(&self) -> Option<(u8, [char; 2])> {
        let error = std::str::from_utf8(self.bytes).err()?;
        let (before, rest) = self.bytes.split_at(error.valid_up_to());
        let (byte, after) = rest.split_first()?;
        let before = str::from_utf8(before).ok()?.chars().next_back().unwrap_or(self.before);
        let after = str::from_utf8(after).ok()?.chars().next().unwrap_or(self.after);
        Some((*byte, [before, after]))
    }

    pub(super) fn stray_bytes(&self) -> impl Iterator<Item = u8> {
        self.bytes.utf8_chunks().flat_map(|chunk| chunk.invalid().iter().copied())
    }

    /// Returns the number of ill-formed bytes that are not part of truncated characters.
    pub(super) fn strays(&self) -> usize {
        let ill_formed = self.bytes.utf8_chunks().map(|chunk| chunk.invalid().len());
        ill_formed.sum::<usize>().saturating_sub(self.cut())
    }
}
