//! Decodes and encodes a test text as a whole, and split at every one and two positions, which must give the same
//! result.
//!
//! Two splits are the least that cover a call whose input is only the middle of a character: it starts with bytes left
//! unread by the call before, and leaves them unread again.

use super::{DecodeStop, Decoder, EncodeStop, Encoder, MIN_OUTPUT, MIN_PIVOT};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind};

/// What a decoder returned for a piece of its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WalkStep {
    /// A code point.
    Is(CodePoint),
    /// An ill-formed subsequence of this many bytes.
    Bad(usize, IllFormedKind),
}

/// Decodes `input` with forks of `decoder`, in every split into up to three pieces.
pub(super) fn walk_in_parts(decoder: &dyn Decoder, input: &[u8]) -> Vec<WalkStep> {
    let whole = walk(decoder.fork(), &[input.len()], input);
    for first in 0..input.len() {
        for second in first..input.len() {
            let parts = walk(decoder.fork(), &[first, second, input.len()], input);
            assert_eq!(parts, whole, "cut at {first} and {second}: {input:X?}");
        }
    }
    whole
}

fn walk(mut decoder: Box<dyn Decoder>, ends: &[usize], input: &[u8]) -> Vec<WalkStep> {
    let (mut seen, mut at, mut room) = (Vec::new(), 0, [0; MIN_PIVOT]);
    for &end in ends {
        let last = end == input.len();
        loop {
            let done = decoder.decode(&input[at.min(end)..end], &mut room, last);
            seen.extend(room[..done.written].iter().map(|cp| WalkStep::Is(*cp)));
            at += done.read;
            match done.stop {
                DecodeStop::InputEmpty => break,
                DecodeStop::OutputFull => assert!(done.read > 0, "no progress at {at}"),
                DecodeStop::IllFormed(IllFormed { len, kind }) => {
                    assert!(len > 0 && at + len <= end);
                    seen.push(WalkStep::Bad(len, kind));
                    at += len;
                }
                DecodeStop::Large { .. } => panic!("no value of Unicode is that large"),
            }
        }
    }
    assert_eq!(at, input.len(), "at the end nothing is left of {input:X?}");
    seen
}

/// Encodes `text`, all of which must be representable, with clones of `encoder`: in every split into up to three
/// pieces, and with little output at a time.
pub(super) fn encoded_in_parts<E: Encoder + Clone>(encoder: &E, text: &[CodePoint]) -> Vec<u8> {
    let whole = encoded(encoder.clone(), &[text.len()], text, MIN_OUTPUT);
    for first in 0..text.len() {
        for second in first..text.len() {
            let parts = encoded(encoder.clone(), &[first, second, text.len()], text, MIN_OUTPUT);
            assert_eq!(parts, whole, "cut at {first} and {second}: {text:X?}");
        }
    }
    for room in [1, 2, 3, 5, 8, 16] {
        assert_eq!(encoded(encoder.clone(), &[text.len()], text, room), whole, "{room} bytes");
    }
    whole
}

/// Encodes with `least` bytes of output, and with more where not even one character fits.
fn encoded(mut encoder: impl Encoder, ends: &[usize], text: &[CodePoint], least: usize) -> Vec<u8> {
    let (mut bytes, mut at, mut buffer, mut room) = (Vec::new(), 0, [0; MIN_OUTPUT], least);
    for &end in ends {
        loop {
            let done = encoder.encode(&text[at..end], &mut buffer[..room]);
            bytes.extend(&buffer[..done.written]);
            at += done.read;
            match done.stop {
                EncodeStop::InputEmpty => break,
                EncodeStop::OutputFull if done.read > 0 || done.written > 0 => room = least,
                EncodeStop::OutputFull => room += 1,
                EncodeStop::Unmappable => panic!("{:X} is unmappable", text[at]),
            }
        }
    }
    let pending = encoder.pending();
    let len = encoder.finish(&mut buffer);
    assert_eq!((len, encoder.pending(), encoder.finish(&mut [])), (pending, 0, 0));
    bytes.extend(&buffer[..len]);
    bytes
}
