//! Codes that stand for two code points: か゚ in JIS X 0213, Ê̄ in Big5-HKSCS.
//!
//! ```text
//! JIS X 0213     か U+304B   24 2B          か゚ U+304B U+309A   24 77
//! ```
//!
//! An encoder writes the longest match. So it holds back a code point that may begin a sequence until the next one is
//! known, even if that comes in the next call. Decoders return both code points at once
//! ([`super::Decoded::Sequence`]), so that the bytes of either are those of the whole code.

use std::sync::Arc;

use super::{EncodeProgress, EncodeStop, Encoded, Encoder, MIN_OUTPUT, Stateless, StatelessCodec};
use crate::unicode::CodePoint;
use oxiconv_kernels::EncodingForm;

/// An encoder that has codes for sequences of two code points.
pub trait WritesSequences: Encoder + Clone + 'static {
    /// The code of a sequence, before it is written in the current state.
    type Code: Copy + Send + Sync;

    /// Returns the sequences, each with its code.
    fn sequences(&self) -> Vec<([CodePoint; 2], Self::Code)>;

    /// Writes the code of a sequence, and returns the number of bytes written; `None`, changing nothing, if there is no
    /// room.
    fn write_sequence(&mut self, code: Self::Code, output: &mut [u8]) -> Option<usize>;
}

impl<S: StatelessCodec> WritesSequences for Stateless<S> {
    type Code = Encoded;

    fn sequences(&self) -> Vec<([CodePoint; 2], Encoded)> {
        self.0.sequences()
    }

    fn write_sequence(&mut self, code: Encoded, output: &mut [u8]) -> Option<usize> {
        let bytes = code.as_slice();
        output.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(bytes.len())
    }
}

/// The sequences of an encoder, arranged to be searched for in a run of text.
///
/// First code points such as か are frequent, second ones are few and rare. So the search looks for the second ones, and
/// then at the code point before.
#[derive(Debug)]
struct Sequences<C> {
    /// Sorted by the sequence.
    codes: Vec<([CodePoint; 2], C)>,
    /// The second code points, sorted, without duplicates.
    seconds: Vec<CodePoint>,
    /// A Bloom filter of `seconds`, by their low six bits. It rules out nearly all other code points in one test.
    low_bits: u64,
}

/// Returns the bit of a code point in [`Sequences::low_bits`].
fn low_bits(cp: CodePoint) -> u64 {
    1 << (cp % u64::BITS)
}

impl<C: Copy> Sequences<C> {
    fn new(mut codes: Vec<([CodePoint; 2], C)>) -> Self {
        codes.sort_unstable_by_key(|(cps, _)| *cps);
        let mut seconds: Vec<_> = codes.iter().map(|([_, second], _)| *second).collect();
        seconds.sort_unstable();
        seconds.dedup();
        let low_bits = seconds.iter().fold(0, |all, cp| all | low_bits(*cp));
        Self { codes, seconds, low_bits }
    }

    fn code(&self, cps: [CodePoint; 2]) -> Option<C> {
        let at = self.codes.binary_search_by_key(&cps, |(cps, _)| *cps).ok()?;
        Some(self.codes[at].1)
    }

    fn begins_with(&self, cp: CodePoint) -> bool {
        let at = self.codes.partition_point(|([first, _], _)| *first < cp);
        self.codes.get(at).is_some_and(|([first, _], _)| *first == cp)
    }

    /// Returns how many code points of `input`, which is not empty, are encoded one by one: those before the first
    /// sequence, or before a last one that may begin a sequence.
    ///
    /// ```text
    /// 本 か ゚ か     1    か and ゚ are a sequence
    /// 本 か         1    か may begin one: the next call knows
    /// か 本         2    か begins none
    /// ```
    fn plain(&self, input: &[CodePoint]) -> usize {
        if self.seconds.is_empty() {
            return input.len();
        }
        let second = |at: &usize| {
            let cp = input[*at];
            low_bits(cp) & self.low_bits != 0
                && self.seconds.contains(&cp)
                && self.code([input[at - 1], cp]).is_some()
        };
        match (1..input.len()).find(second) {
            Some(at) => at - 1,
            None => input.len() - usize::from(self.begins_with(input[input.len() - 1])),
        }
    }
}

/// An encoder that writes each of its sequences as one code.
#[derive(Clone, Debug)]
pub struct Joining<E: WritesSequences> {
    encoder: E,
    sequences: Arc<Sequences<E::Code>>,
    /// A code point that may begin a sequence: read, but not written until the next one is known.
    held: Option<CodePoint>,
}

impl<E: WritesSequences> Joining<E> {
    /// Creates it for an encoder at the start of a text.
    pub fn new(encoder: E) -> Self {
        // A code point that was held back has been read, so it must be possible to write it. One without a code of its
        // own would be lost at the end of the text: the Encoding Standard's Big5 reads 88 62 as U+00CA U+0304, but has
        // no U+00CA. Such sequences are dropped, and their first code point is unmappable at once.
        let mut sequences = encoder.sequences();
        sequences.retain(|([first, _], _)| {
            encoder.clone().encode(&[*first], &mut [0; MIN_OUTPUT]).read == 1
        });
        let sequences = Arc::new(Sequences::new(sequences));
        Self { encoder, sequences, held: None }
    }

    /// Writes the code point held back, together with `next` if they are a sequence. Returns the number of code points
    /// read (0 or 1) and of bytes written; `None`, changing nothing, if there is no room.
    fn settle(
        &mut self,
        held: CodePoint,
        next: CodePoint,
        output: &mut [u8],
    ) -> Option<(usize, usize)> {
        let done = match self.sequences.code([held, next]) {
            Some(code) => (1, self.encoder.write_sequence(code, output)?),
            None => {
                let one = self.encoder.encode(&[held], output);
                (one.read == 1).then_some((0, one.written))?
            }
        };
        self.held = None;
        Some(done)
    }
}

impl<E: WritesSequences> Encoder for Joining<E> {
    fn encode(&mut self, input: &[CodePoint], output: &mut [u8]) -> EncodeProgress {
        let (mut read, mut written) = (0, 0);
        let stop = loop {
            let Some(&next) = input.get(read) else { break EncodeStop::InputEmpty };
            if let Some(held) = self.held {
                let Some((used, len)) = self.settle(held, next, &mut output[written..]) else {
                    break EncodeStop::OutputFull;
                };
                read += used;
                written += len;
                continue;
            }
            // Encode up to the next sequence in one call, hold its first code point back, and let the next round settle
            // it. A run that ends with a code point that may begin a sequence is handled alike.
            let rest = &input[read..];
            let plain = self.sequences.plain(rest);
            let run = self.encoder.encode(&rest[..plain], &mut output[written..]);
            read += run.read;
            written += run.written;
            if run.stop != EncodeStop::InputEmpty {
                break run.stop;
            }
            if let Some(&first) = rest.get(plain) {
                self.held = Some(first);
                read += 1;
            }
        };
        EncodeProgress { read, written, stop }
    }

    fn form(&self) -> Option<EncodingForm> {
        self.encoder.form().filter(|_| self.sequences.codes.is_empty())
    }

    fn best_fit(&self, cp: CodePoint) -> Option<CodePoint> {
        self.encoder.best_fit(cp)
    }

    fn joins(&self) -> bool {
        !self.sequences.codes.is_empty() || self.encoder.joins()
    }

    fn pending(&self) -> usize {
        let mut encoder = self.encoder.clone();
        let held =
            self.held.map_or(0, |held| encoder.encode(&[held], &mut [0; MIN_OUTPUT]).written);
        held + encoder.pending()
    }

    fn finish(&mut self, output: &mut [u8]) -> usize {
        let held = self.held.take().map_or(0, |held| self.encoder.encode(&[held], output).written);
        held + self.encoder.finish(&mut output[held..])
    }

    fn fork(&self) -> Box<dyn Encoder> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests;
