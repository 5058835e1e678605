//! UTF-8 as in the file names of macOS (UTF-8-MAC): letters with marks are decomposed.
//!
//! ```text
//! encode:  é ─► e, U+0301        ệ ─► e, U+0323, U+0302        한 ─► ᄒ, ᅡ, ᆫ
//! decode:  e, U+0323 ─► ẹ, with U+0302 ─► ệ, one code point
//! ```
//!
//! Only adjacent characters compose, and only to primary composites, which decompose again. Singletons, composition
//! exclusions and U+2000 to U+2FFF stay as they are, as on those systems, and marks are not reordered. So a text is
//! the same after encoding and decoding, unless it had decomposed letters.
//!
//! A character that may compose is left unread at the end of the input until the next one is known. Ill-formed
//! subsequences are those of UTF-8 ([`Utf8Codec`]).

use super::canonical_compositions as compositions;
use super::{Decoded, Encoded, StatelessCodec, Utf8Codec};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind};
use oxiconv_kernels::Progress;

/// The codec.
#[derive(Clone, Copy, Debug)]
pub struct Utf8Mac;

/// Appends the full canonical decomposition of a character.
fn decompose(cp: CodePoint, bytes: &mut Vec<u8>) -> Option<()> {
    match compositions::parts(cp) {
        Some(parts) => parts.into_iter().try_for_each(|part| decompose(part, bytes)),
        None => {
            bytes.extend_from_slice(Utf8Codec.encode_one(cp)?.as_slice());
            Some(())
        }
    }
}

/// Decodes the character at the start of `input`, and those after it that compose with it. `last` says that nothing
/// follows `input`.
fn one(input: &[u8], last: bool) -> Decoded {
    let first = Utf8Codec.decode_one(input);
    let Decoded::Character { mut cp, mut len } = first else { return first };
    // The common case, and a fast one: no composition has a second character of ASCII. It also avoids building the
    // tables for a text that is ASCII.
    if matches!(input[len..], [0..=0x7F, ..]) {
        return first;
    }
    loop {
        let rest = &input[len..];
        let next = if rest.is_empty() { Decoded::Incomplete } else { Utf8Codec.decode_one(rest) };
        match next {
            Decoded::Incomplete if !last && compositions::begins(cp) => return Decoded::Incomplete,
            Decoded::Character { cp: mark, len: more } => match compositions::compose([cp, mark]) {
                Some(composed) => {
                    cp = composed;
                    len += more;
                }
                None => return Decoded::Character { cp, len },
            },
            _ => return Decoded::Character { cp, len },
        }
    }
}

impl StatelessCodec for Utf8Mac {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        let (mut read, mut written) = (0, 0);
        while written < output.len() {
            match input[read..] {
                // No character below 80 composes with the one before it.
                [byte @ 0..=0x7F, 0..=0x7F, ..] => {
                    output[written] = byte.into();
                    read += 1;
                }
                [] => break,
                _ => {
                    let Decoded::Character { cp, len } = one(&input[read..], false) else { break };
                    output[written] = cp;
                    read += len;
                }
            }
            written += 1;
        }
        Progress { read, written }
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        one(input, false)
    }

    fn at_end(&self, rest: &[u8]) -> Decoded {
        match one(rest, true) {
            Decoded::Incomplete => {
                Decoded::IllFormed(IllFormed::new(rest.len(), IllFormedKind::TruncatedAtEnd))
            }
            one => one,
        }
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        let mut done = 0;
        for (cp, slot) in input.iter().zip(output) {
            if *cp >= 0x80 {
                break;
            }
            *slot = *cp as u8;
            done += 1;
        }
        Progress { read: done, written: done }
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        let mut bytes = Vec::with_capacity(Encoded::MAX_LEN);
        decompose(cp, &mut bytes)?;
        Some(Encoded::new(&bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{
        WalkStep, WalkStep::Bad, WalkStep::Is, encoded_in_parts, walk_in_parts,
    };
    use super::*;
    use crate::codec::Stateless;

    fn walk(input: &[u8]) -> Vec<WalkStep> {
        walk_in_parts(&Stateless(Utf8Mac), input)
    }

    #[test]
    fn letters_and_marks_are_decomposed_in_the_file_and_composed_in_the_text() {
        for (file, text) in [
            ("e\u{301}a", "\u{E9}a"),
            // Vietnamese, with two marks.
            ("Vie\u{323}\u{302}t", "Vi\u{1EC7}t"),
            // Three letters, and two.
            ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}", "\u{D55C}\u{ADF8}"),
            // か and the voiced sound mark.
            ("\u{304B}\u{3099}", "\u{304C}"),
            // A syllable of two letters before what is no third one: another character, a second letter, another
            // syllable.
            (
                "\u{1100}\u{1161}\u{4E2D}\u{1100}\u{1161}\u{11A7}\u{1100}\u{1161}\u{1162}\u{1100}\u{1161}",
                "\u{AC00}\u{4E2D}\u{AC00}\u{11A7}\u{AC00}\u{1162}\u{AC00}",
            ),
            // Neither composed nor decomposed: singletons, exclusions, symbols.
            ("\u{212B}\u{915}\u{93C}\u{338}\u{226E}", "\u{212B}\u{915}\u{93C}\u{338}\u{226E}"),
        ] {
            let text: Vec<u32> = text.chars().map(u32::from).collect();
            let read: Vec<_> = text.iter().map(|cp| Is(*cp)).collect();
            assert_eq!(walk(file.as_bytes()), read);
            assert_eq!(encoded_in_parts(&Stateless(Utf8Mac), &text), file.as_bytes());
        }
    }

    #[test]
    fn what_is_ill_formed_is_so_in_utf_8() {
        let cut = IllFormedKind::TruncatedAtEnd;
        assert_eq!(walk(b"e\xCC"), [Is(0x65), Bad(1, cut)]);
        assert_eq!(
            walk(b"e\xCC\x81\xFFe"),
            [Is(0xE9), Bad(1, IllFormedKind::InvalidByte), Is(0x65)]
        );
        assert_eq!(walk(b"\xE3\x81"), [Bad(2, cut)]);
        assert_eq!(Utf8Mac.encode_one(0xD800), None);
    }

    /// Against the standard's own composites: every syllable, and the longest decomposition.
    #[test]
    fn every_hangul_syllable_is_three_letters_or_two() {
        for cp in 0xAC00..=0xD7A3_u32 {
            let index = cp - 0xAC00;
            let letters = [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11A7 + index % 28];
            let count = if index % 28 == 0 { 2 } else { 3 };
            let file: String =
                letters[..count].iter().filter_map(|cp| char::from_u32(*cp)).collect();
            assert_eq!(Utf8Mac.encode_one(cp).unwrap().as_slice(), file.as_bytes());
            assert_eq!(Utf8Mac.at_end(file.as_bytes()), Decoded::Character { cp, len: file.len() });
        }
        let longest = Utf8Mac.encode_one(0x1F82).unwrap();
        assert_eq!(longest.as_slice(), "\u{3B1}\u{313}\u{300}\u{345}".as_bytes());
    }
}
