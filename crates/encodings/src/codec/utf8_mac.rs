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
mod tests;
