//! The loops that stateful encodings share: UTF-7, SCSU, BOCU-1, ISO 2022, HZ, host charsets and others.
//!
//! ```text
//! decode: a run in the current state, if the encoding has a fast loop for it
//!         one step ─► a character or a shift: consume it, change the state
//!                     incomplete ─► stop;   ill-formed ─► change the state, stop
//! ```
//!
//! For example, `a+AOk-b` in UTF-7:
//!
//! ```text
//! bytes    step             state after it
//! a        character a      direct
//! +AOk     character é      base64, with two spare bits
//! -        shift            direct
//! b        character b      direct
//! ```
//!
//! The state is what the bytes so far mean for the next ones: a mode, windows, spare bits, the last character. It never
//! includes unread bytes. Everything that a step consumes belongs to one character, one change of state or one
//! ill-formed subsequence, so offsets are exact and do not depend on where the input is split.

use super::{DecodeProgress, DecodeStop, Decoder};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind};
use oxiconv_kernels::Progress;

/// The result of a step: what is at the start of the input, and the change of state that it causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeStep<C> {
    /// A character of `len` bytes.
    Character {
        /// Its code point.
        cp: CodePoint,
        /// Its length in bytes.
        len: usize,
        /// The change of state that it causes.
        change: C,
    },
    /// A character of `len` bytes for which Unicode has a sequence of two code points.
    Sequence {
        /// The code points.
        cps: [CodePoint; 2],
        /// Its length in bytes.
        len: usize,
        /// The change of state that it causes.
        change: C,
    },
    /// `len` bytes that only change the state.
    Shift {
        /// Their length in bytes.
        len: usize,
        /// The change.
        change: C,
    },
    /// The start of something that takes more bytes to decide. Returned only if more may follow.
    Incomplete,
    /// An ill-formed subsequence, and the change of state after it.
    IllFormed(IllFormed, C),
}

impl<C> DecodeStep<C> {
    pub(super) const fn bad(len: usize, kind: IllFormedKind, change: C) -> Self {
        Self::IllFormed(IllFormed::new(len, kind), change)
    }
}

/// An encoding in which the meaning of bytes depends on those before.
///
/// [`Self::step`] only looks, and [`Self::apply`] changes the state. So the loop can drop the result of a step that
/// does not fit into the output, without having to undo anything.
pub trait StatefulCodec: Clone + Send + 'static {
    /// A change of the state.
    type Change;

    /// Decodes or classifies the start of `input`, which is not empty. `last` says that nothing follows `input`; the
    /// result is then not [`DecodeStep::Incomplete`].
    fn step(&self, input: &[u8], last: bool) -> DecodeStep<Self::Change>;

    /// Whether it reads [`DecodeStep::Sequence`]s.
    fn has_sequences(&self) -> bool {
        false
    }

    /// Changes the state.
    fn apply(&mut self, change: Self::Change);

    /// Decodes a run, under the contract of [`oxiconv_kernels`] except that it may stop early, and changes the state as
    /// the steps would. This is only a fast path: any prefix of what the steps read will do, also nothing.
    fn run(&mut self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        let _ = (input, output);
        Progress::default()
    }
}

/// Converts each unit of a run to one unit, as long as they are `plain`, under the contract of [`oxiconv_kernels`].
///
/// The units of a block are tested together, with a single branch. The block that fails the test and the last few units
/// are converted one by one.
#[cfg(feature = "legacy")]
#[inline(always)]
fn one_for_one<A: Copy, B>(
    input: &[A],
    output: &mut [B],
    plain: impl Fn(A) -> bool,
    convert: impl Fn(A) -> B,
) -> Progress {
    const BLOCK: usize = 8;
    let mut done = 0;
    while let Some(from) = input[done..].first_chunk::<BLOCK>()
        && let Some(to) = output[done..].first_chunk_mut::<BLOCK>()
        && from.iter().fold(true, |all, unit| all & plain(*unit))
    {
        *to = from.map(&convert);
        done += BLOCK;
    }
    let rest = input[done..].iter().zip(&mut output[done..]);
    for (unit, slot) in rest.take_while(|(unit, _)| plain(**unit)) {
        *slot = convert(*unit);
        done += 1;
    }
    Progress { read: done, written: done }
}

#[cfg(feature = "legacy")]
#[inline(always)]
pub(super) fn read_plain(
    input: &[u8],
    output: &mut [CodePoint],
    plain: impl Fn(u8) -> bool,
) -> Progress {
    one_for_one(input, output, |byte| byte.is_ascii() & plain(byte), CodePoint::from)
}

/// The decoder of a stateful encoding.
#[derive(Clone, Debug)]
pub struct Stateful<W> {
    codec: W,
    /// The state before the last ill-formed subsequence, in which [`Decoder::judges_by_next`] has to judge it. In the
    /// state after it, the bytes may mean something else, and the answer would depend on whether the caller asks before
    /// or after it has passed more input.
    at_fault: Option<W>,
}

impl<W> Stateful<W> {
    /// Creates a decoder in the state of `codec`.
    pub const fn new(codec: W) -> Self {
        Self { codec, at_fault: None }
    }
}

impl<W: StatefulCodec> Decoder for Stateful<W> {
    fn has_sequences(&self) -> bool {
        self.codec.has_sequences()
    }

    fn decode(&mut self, input: &[u8], output: &mut [CodePoint], last: bool) -> DecodeProgress {
        let (mut read, mut written) = (0, 0);
        let stop = loop {
            let run = self.codec.run(&input[read..], &mut output[written..]);
            read += run.read;
            written += run.written;
            let rest = &input[read..];
            if rest.is_empty() {
                break DecodeStop::InputEmpty;
            }
            if written > 0 && written == output.len() {
                // Leave a shift after the last character that fits unread. A finding shows what a call with room for
                // one character has read as the bytes of that character. Were the shift read too, it would be shown as
                // well, but only where the input is not split before it: one text would have two different findings.
                break DecodeStop::OutputFull;
            }
            match self.codec.step(rest, last) {
                DecodeStep::Character { cp, len, change } => {
                    let Some(slot) = output.get_mut(written) else { break DecodeStop::OutputFull };
                    *slot = cp;
                    written += 1;
                    read += len;
                    self.codec.apply(change);
                }
                DecodeStep::Sequence { cps, len, change } => {
                    let Some(slot) = output.get_mut(written..written + 2) else {
                        break DecodeStop::OutputFull;
                    };
                    slot.copy_from_slice(&cps);
                    written += 2;
                    read += len;
                    self.codec.apply(change);
                }
                DecodeStep::Shift { len, change } => {
                    read += len;
                    self.codec.apply(change);
                }
                DecodeStep::Incomplete => break DecodeStop::InputEmpty,
                DecodeStep::IllFormed(ill_formed, change) => {
                    self.at_fault = Some(self.codec.clone());
                    self.codec.apply(change);
                    break DecodeStop::IllFormed(ill_formed);
                }
            }
        };
        DecodeProgress { read, written, stop }
    }

    fn judges_by_next(&self, bytes: &[u8]) -> bool {
        let codec = self.at_fault.as_ref().unwrap_or(&self.codec);
        !matches!(codec.step(bytes, false), DecodeStep::IllFormed(..))
    }

    fn fork(&self) -> Box<dyn Decoder> {
        Box::new(self.clone())
    }
}

/// The bytes of one code point, assembled in a register as a number, the first byte lowest.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CharBytes {
    word: u128,
    len: usize,
}

impl CharBytes {
    /// No character of these encodings takes more, including the shifts before it.
    const MAX_LEN: usize = size_of::<u128>();

    #[inline(always)]
    pub(super) fn add(&mut self, bytes: &[u8]) {
        debug_assert!(bytes.len() <= size_of::<u64>() && self.len + bytes.len() <= Self::MAX_LEN);
        let word = bytes.iter().rev().fold(0, |word: u64, byte| word << 8 | u64::from(*byte));
        self.word |= u128::from(word) << (8 * self.len);
        self.len += bytes.len();
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Writes the bytes, and returns their number; `None`, writing nothing, if there is no room.
    #[inline]
    pub(super) fn put(&self, output: &mut [u8]) -> Option<usize> {
        let bytes = self.word.to_le_bytes();
        match output.first_chunk_mut() {
            // A copy of constant length is faster than one of `len` bytes. The excess is overwritten later.
            Some(slot) => *slot = bytes,
            None => output.get_mut(..self.len)?.copy_from_slice(&bytes[..self.len]),
        }
        Some(self.len)
    }
}

/// The state of an encoder that writes one code point at a time.
pub(super) trait EncodeState: Clone {
    /// Appends the bytes of `cp`, and changes the state. If the encoding cannot represent it, returns false and changes
    /// nothing.
    fn write(&mut self, cp: CodePoint, piece: &mut CharBytes) -> bool;

    /// Encodes a run, under the contract of [`oxiconv_kernels`] except that it may stop early, and changes the state as
    /// [`Self::write`] would. This is only a fast path.
    fn run(&mut self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        let _ = (input, output);
        Progress::default()
    }
}

#[cfg(feature = "legacy")]
#[inline(always)]
pub(super) fn write_plain(
    input: &[CodePoint],
    output: &mut [u8],
    plain: impl Fn(u8) -> bool,
) -> Progress {
    one_for_one(input, output, |cp| (cp < 0x80) & plain(cp as u8), |cp| cp as u8)
}

/// Encodes a run under the contract of [`super::Encoder::encode`].
pub(super) fn encode<W: EncodeState>(
    state: &mut W,
    input: &[CodePoint],
    output: &mut [u8],
) -> super::EncodeProgress {
    use super::EncodeStop;
    let (mut read, mut written) = (0, 0);
    let stop = loop {
        let run = state.run(&input[read..], &mut output[written..]);
        read += run.read;
        written += run.written;
        let Some(&cp) = input.get(read) else { break EncodeStop::InputEmpty };
        // `write` changes the state before it is known whether the bytes fit. Save the state only if they may not, near
        // the end of the output, and not for every character.
        let before = (output.len() - written < CharBytes::MAX_LEN).then(|| state.clone());
        let mut piece = CharBytes::default();
        if !state.write(cp, &mut piece) {
            break EncodeStop::Unmappable;
        }
        let Some(len) = piece.put(&mut output[written..]) else {
            if let Some(before) = before {
                *state = before;
            }
            break EncodeStop::OutputFull;
        };
        written += len;
        read += 1;
    };
    super::EncodeProgress { read, written, stop }
}

#[cfg(test)]
mod tests;
