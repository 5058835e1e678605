//! Host charsets: EBCDIC with two-byte codes. A shift switches to two bytes per character, another one back to one.
//!
//! ```text
//! one byte:   00..FF    0E ─► two bytes          two bytes:  40..FE 40..FE    0F ─► one byte
//! ```
//!
//! These are the shifts of IBM's hosts ("DBCS-Host"); [`Shifts`] has those of others. The lowest byte of a two-byte code
//! is 40 in EBCDIC, 21 in a 7-bit set. A repeated shift is accepted, as in iconv. The encoder shifts if the next
//! character has a code of the other length, and returns to one byte at the end.
//!
//! An ill-formed subsequence is one byte, and does not change the state: a single byte without a character, or, in the
//! two-byte state, a byte outside the range (such as a control) and a first byte before it. Two bytes in the range
//! without a character are one subsequence.

use std::hint::select_unpredictable;

use super::encode_table::EncodeTable;
use super::joining::WritesSequences;
use super::set::{CodedSet, PairIndex};
use super::stateful_codec::{DecodeStep, StatefulCodec};
use super::{EncodeProgress, EncodeStop, Encoder};
use crate::unicode::{CodePoint, IllFormedKind};
use oxiconv_kernels::{Codes, Progress, suited};

/// The shifts of a vendor's hosts.
#[derive(Clone, Copy, Debug)]
pub enum Shifts {
    /// SO and SI.
    Ibm,
    /// Hitachi's KEIS.
    Keis,
    /// Fujitsu's JEF.
    Jef,
}

const IBM: &ShiftCodes = &ShiftCodes {
    read: &[(&[0x0E], true), (&[0x0F], false)],
    first_bytes: [0x0E, 0x0F, 0x0F],
    written: [0x0F, 0x0E],
    len: 1,
};

impl Shifts {
    /// Returns their codes.
    fn codes(self) -> &'static ShiftCodes {
        static KEIS: ShiftCodes = ShiftCodes {
            read: &[(&[0x0A, 0x42], true), (&[0x0A, 0x41], false)],
            first_bytes: [0x0A; 3],
            written: [0x410A, 0x420A],
            len: 2,
        };
        // 38 shifts to pairs that are printed smaller.
        static JEF: ShiftCodes = ShiftCodes {
            read: &[(&[0x28], true), (&[0x38], true), (&[0x29], false)],
            first_bytes: [0x28, 0x29, 0x38],
            written: [0x29, 0x28],
            len: 1,
        };
        match self {
            Self::Ibm => IBM,
            Self::Keis => &KEIS,
            Self::Jef => &JEF,
        }
    }
}

/// The codes that switch between single bytes and pairs. The first byte of each is never a character.
#[derive(Debug)]
pub struct ShiftCodes {
    /// The codes that are read, each with whether pairs follow.
    read: &'static [(&'static [u8], bool)],
    /// The first bytes of these. Where there are fewer, one comes again.
    first_bytes: [u8; 3],
    /// The codes that are written, to single bytes and to pairs: the first byte lowest.
    written: [u32; 2],
    /// Their length in bytes, 1 or 2.
    len: usize,
}

/// The start of a text, as far as shifts are concerned.
enum Start {
    /// A shift of `len` bytes.
    Shift {
        len: usize,
        pairs: bool,
    },
    /// A byte that begins a shift, at the end of the input.
    Incomplete,
    /// A byte that begins a shift, but another byte follows.
    Broken,
    Other,
}

impl ShiftCodes {
    #[inline(always)]
    fn may_begin(&self, byte: u8) -> bool {
        let [first, second, third] = self.first_bytes;
        (byte == first) | (byte == second) | (byte == third)
    }

    #[inline(always)]
    fn start(&self, input: &[u8]) -> Start {
        if !input.first().is_some_and(|first| self.may_begin(*first)) {
            return Start::Other;
        }
        match self.read.iter().find(|(code, _)| input.starts_with(code)) {
            Some(&(code, pairs)) => Start::Shift { len: code.len(), pairs },
            None if input.len() < self.len => Start::Incomplete,
            None => Start::Broken,
        }
    }
}

/// The sets of a charset with shifts.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// Codes of one byte.
    pub(crate) single: CodedSet,
    /// Codes of two bytes.
    pub(crate) pairs: CodedSet,
    /// The lowest byte of a two-byte code.
    pub(crate) low: u8,
    /// The codes that switch between them.
    pub(crate) shifts: Shifts,
}

/// The meaning of a two-byte code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoubleByte {
    /// One character.
    Character(CodePoint),
    /// Two characters.
    Sequence([CodePoint; 2]),
    /// No character.
    Undefined,
}

/// The sets of a host charset, for decoding.
pub trait HostReader: Clone + Send + 'static {
    /// Returns the lowest byte of a two-byte code.
    fn low(&self) -> u8;

    /// Returns the shifts.
    fn shifts(&self) -> Shifts;

    /// Returns the character of a code of one byte.
    fn single(&self, code: u8) -> Option<CodePoint>;

    /// Returns the meaning of a two-byte code.
    fn pair(&self, code: u16) -> DoubleByte;

    /// Whether any code stands for two characters.
    fn has_sequences(&self) -> bool;

    /// Decodes characters of one byte, or of two if `pairs`, up to the next shift at most, under the contract of
    /// [`oxiconv_kernels`] except that it may stop early.
    #[inline(always)]
    fn run(
        &self,
        shifts: &ShiftCodes,
        pairs: bool,
        input: &[u8],
        output: &mut [CodePoint],
    ) -> Progress {
        let _ = (shifts, pairs, input, output);
        Progress::default()
    }
}

/// The sets of a host charset, for encoding.
pub trait HostWriter: Clone + Send + 'static {
    /// Returns the shifts.
    fn shifts(&self) -> Shifts;

    /// Returns the code of a character; those up to FF are single bytes.
    fn code(&self, cp: CodePoint) -> Option<u16>;

    /// Returns the code of a character, or 0 if it has none or the lookup would be slow.
    fn quick_code(&self, cp: CodePoint) -> u16 {
        self.code(cp).unwrap_or(0)
    }

    /// Returns the best fit of a character that has no code.
    fn best_fit(&self, cp: CodePoint) -> Option<CodePoint>;

    /// Returns the sequences of two characters that have one code.
    fn sequences(&self) -> Vec<([CodePoint; 2], u16)>;
}

/// The built-in sets, with their tables for decoding.
#[derive(Clone, Copy, Debug)]
pub struct HostSets {
    host: Host,
    singles: &'static Codes,
    index: &'static PairIndex,
}

impl HostReader for HostSets {
    fn has_sequences(&self) -> bool {
        self.host.pairs.sequences().next().is_some()
    }

    fn low(&self) -> u8 {
        self.host.low
    }

    fn shifts(&self) -> Shifts {
        self.host.shifts
    }

    fn single(&self, code: u8) -> Option<CodePoint> {
        self.singles.character(code).map(CodePoint::from)
    }

    fn pair(&self, code: u16) -> DoubleByte {
        match self.index.character(code) {
            Some(cp) => DoubleByte::Character(cp),
            None => {
                self.host.pairs.sequence(code).map_or(DoubleByte::Undefined, DoubleByte::Sequence)
            }
        }
    }

    #[inline(always)]
    fn run(
        &self,
        shifts: &ShiftCodes,
        pairs: bool,
        input: &[u8],
        output: &mut [CodePoint],
    ) -> Progress {
        if pairs {
            return self.index.decode_pairs(input, output);
        }
        /// Bytes looked up one by one before a kernel is called. Between two shifts there is often only a space, which
        /// is not worth the call.
        const SCALAR_FIRST: usize = 8;
        let is_shift = |byte: &u8| shifts.may_begin(*byte);
        let mut done = 0;
        for (byte, slot) in input.iter().zip(output.iter_mut()).take(SCALAR_FIRST) {
            let Some(cp) = self.single(*byte).filter(|_| !is_shift(byte)) else {
                return Progress { read: done, written: done };
            };
            *slot = cp;
            done += 1;
        }
        let most = &input[done..input.len().min(output.len())];
        let run = &most[..most.iter().position(is_shift).unwrap_or(most.len())];
        done += (suited(run.len()).table)(self.singles, run, &mut output[done..]);
        Progress { read: done, written: done }
    }
}

/// The built-in sets, with their table for encoding.
#[derive(Clone, Copy, Debug)]
pub struct HostCodes {
    host: Host,
    codes: &'static EncodeTable,
}

impl HostWriter for HostCodes {
    fn shifts(&self) -> Shifts {
        self.host.shifts
    }

    fn code(&self, cp: CodePoint) -> Option<u16> {
        self.codes.code(cp)
    }

    #[inline(always)]
    fn quick_code(&self, cp: CodePoint) -> u16 {
        self.codes.quick_code(cp)
    }

    fn best_fit(&self, cp: CodePoint) -> Option<CodePoint> {
        self.host.single.best_fit(cp).or_else(|| self.host.pairs.best_fit(cp))
    }

    fn sequences(&self) -> Vec<([CodePoint; 2], u16)> {
        self.host.pairs.sequences().map(|(code, cps)| (cps, code)).collect()
    }
}

/// The codec from which [`super::Stateful`] makes the decoder.
#[derive(Clone, Copy, Debug)]
pub struct HostDecoder<S> {
    sets: S,
    pairs: bool,
}

impl HostDecoder<HostSets> {
    /// Creates the state at the start of a text.
    pub fn new(host: Host) -> Self {
        let (singles, index) = (host.single.codes(), host.pairs.pair_index());
        Self::of(HostSets { host, singles, index })
    }
}

impl<S: HostReader> HostDecoder<S> {
    /// Creates the state at the start of a text in these sets.
    pub fn of(sets: S) -> Self {
        Self { sets, pairs: false }
    }

    fn in_pair(&self, byte: u8) -> bool {
        (self.sets.low()..=0xFE).contains(&byte)
    }

    fn pair(&self, code: u16) -> DecodeStep<bool> {
        let (len, change) = (2, true);
        match self.sets.pair(code) {
            DoubleByte::Character(cp) => DecodeStep::Character { cp, len, change },
            DoubleByte::Sequence(cps) => DecodeStep::Sequence { cps, len, change },
            DoubleByte::Undefined => DecodeStep::bad(len, IllFormedKind::UndefinedSequence, change),
        }
    }
}

impl<S: HostReader> StatefulCodec for HostDecoder<S> {
    type Change = bool;

    fn has_sequences(&self) -> bool {
        self.sets.has_sequences()
    }

    /// Shifts come first, in either state: their bytes are never characters, and are below the lowest byte of a pair. So
    /// a text that has lost a byte of a pair is right again after the next shift.
    fn step(&self, input: &[u8], last: bool) -> DecodeStep<bool> {
        match self.sets.shifts().codes().start(input) {
            Start::Shift { len, pairs } => return DecodeStep::Shift { len, change: pairs },
            Start::Incomplete if !last => return DecodeStep::Incomplete,
            Start::Incomplete | Start::Broken => {
                return DecodeStep::bad(1, IllFormedKind::InvalidEscape, self.pairs);
            }
            Start::Other => {}
        }
        let first = input[0];
        match (first, input.get(1)) {
            _ if !self.pairs => match self.sets.single(first) {
                Some(cp) => DecodeStep::Character { cp, len: 1, change: false },
                None => DecodeStep::bad(1, IllFormedKind::InvalidByte, false),
            },
            _ if !self.in_pair(first) => DecodeStep::bad(1, IllFormedKind::InvalidByte, true),
            (_, None) if last => DecodeStep::bad(1, IllFormedKind::TruncatedAtEnd, true),
            (_, None) => DecodeStep::Incomplete,
            (_, Some(second)) if !self.in_pair(*second) => {
                DecodeStep::bad(1, IllFormedKind::Truncated, true)
            }
            (_, Some(second)) => self.pair(u16::from_be_bytes([first, *second])),
        }
    }

    fn apply(&mut self, pairs: bool) {
        self.pairs = pairs;
    }

    fn run(&mut self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        match self.sets.shifts() {
            Shifts::Ibm => self.run_with(IBM, input, output),
            shifts => self.run_with(shifts.codes(), input, output),
        }
    }
}

impl<S: HostReader> HostDecoder<S> {
    /// Inlined, so that the most common shifts are constants in it.
    #[inline(always)]
    fn run_with(
        &mut self,
        shifts: &ShiftCodes,
        input: &[u8],
        output: &mut [CodePoint],
    ) -> Progress {
        let mut done = self.sets.run(shifts, self.pairs, input, output);
        // Continue after shifts: mixed text has one on either side of each word. If the output is full, a shift stays
        // unread, as in `Stateful::decode`.
        while done.written < output.len()
            && let Start::Shift { len, pairs } = shifts.start(&input[done.read..])
        {
            done.read += len;
            self.pairs = pairs;
            let (rest, room) = (&input[done.read..], &mut output[done.written..]);
            let more = self.sets.run(shifts, self.pairs, rest, room);
            done.read += more.read;
            done.written += more.written;
        }
        done
    }
}

/// The encoder.
#[derive(Clone, Copy, Debug)]
pub struct HostEncoder<S> {
    sets: S,
    pairs: bool,
}

impl HostEncoder<HostCodes> {
    /// Creates an encoder for the start of a text.
    pub fn new(host: Host) -> Self {
        let codes = EncodeTable::of_two(host.single, 0, host.pairs);
        Self::of(HostCodes { host, codes })
    }
}

impl<S: HostWriter> HostEncoder<S> {
    /// Creates an encoder for the start of a text in these sets.
    pub fn of(sets: S) -> Self {
        Self { sets, pairs: false }
    }
}

const BLOCK: usize = 8;
/// The most bytes of a code and the shift before it, and the bytes that are stored for each code.
const WITH_SHIFT: usize = 4;

/// Whether a code is a byte of a shift, which is never a character, or 0, which tables return for no character.
#[inline(always)]
fn is_of_none(shifts: &ShiftCodes, code: u16) -> bool {
    ((code as u8 == 0) | shifts.may_begin(code as u8)) & (code <= 0xFF)
}

/// Returns the bytes of a code, after a shift if it needs one, and their number. `pairs` is the state before the code,
/// and is updated to the one after it.
///
/// Where words end is hard to predict, so no branch depends on the code. The bytes are assembled as a number, the first
/// one lowest:
///
/// ```text
/// code     before: one byte     two bytes
/// 0081     81                   0F 81
/// 4281     0E 42 81             42 81
/// ```
#[inline(always)]
fn with_shift(shifts: &ShiftCodes, pairs: &mut bool, code: u16) -> ([u8; WITH_SHIFT], usize) {
    let is_pair = code > 0xFF;
    let changes = is_pair != *pairs;
    *pairs = is_pair;
    let bytes = u32::from(code.swap_bytes()) >> select_unpredictable(is_pair, 0, 8);
    let shift = shifts.written[usize::from(is_pair)];
    let bytes = select_unpredictable(changes, bytes << (8 * shifts.len) | shift, bytes);
    let shift_len = select_unpredictable(changes, shifts.len, 0);
    (bytes.to_le_bytes(), 1 + usize::from(is_pair) + shift_len)
}

impl<S: HostWriter> HostEncoder<S> {
    /// Inlined, so that the most common shifts are constants in it.
    #[inline(always)]
    fn encode_with(
        &mut self,
        shifts: &ShiftCodes,
        input: &[CodePoint],
        output: &mut [u8],
    ) -> EncodeProgress {
        let (mut read, mut written, mut pairs) = (0, 0, self.pairs);
        let stop = loop {
            while let Some(from) = input[read..].first_chunk::<BLOCK>()
                && let Some(to) = output[written..].first_chunk_mut::<{ WITH_SHIFT * BLOCK }>()
            {
                // A code of 0 may also mean that the lookup would be slow, or be that of U+0000. The loop below finds
                // out, one character at a time, and then tries this one again.
                let codes = from.map(|cp| self.sets.quick_code(cp));
                if codes.iter().fold(false, |any, code| any | is_of_none(shifts, *code)) {
                    break;
                }
                // `WITH_SHIFT` bytes are stored for each code, and the next one overwrites the excess.
                let mut len = 0;
                for code in codes {
                    let (bytes, some) = with_shift(shifts, &mut pairs, code);
                    to[len..len + bytes.len()].copy_from_slice(&bytes);
                    len += some;
                }
                read += BLOCK;
                written += len;
            }
            let Some(&cp) = input.get(read) else { break EncodeStop::InputEmpty };
            let code = self.sets.code(cp).filter(|code| *code == 0 || !is_of_none(shifts, *code));
            let Some(code) = code else { break EncodeStop::Unmappable };
            let mut shifted = pairs;
            let (bytes, len) = with_shift(shifts, &mut shifted, code);
            let Some(slot) = output.get_mut(written..written + len) else {
                break EncodeStop::OutputFull;
            };
            slot.copy_from_slice(&bytes[..len]);
            pairs = shifted;
            written += len;
            read += 1;
        };
        self.pairs = pairs;
        EncodeProgress { read, written, stop }
    }
}

impl<S: HostWriter> Encoder for HostEncoder<S> {
    fn encode(&mut self, input: &[CodePoint], output: &mut [u8]) -> EncodeProgress {
        match self.sets.shifts() {
            Shifts::Ibm => self.encode_with(IBM, input, output),
            shifts => self.encode_with(shifts.codes(), input, output),
        }
    }

    fn best_fit(&self, cp: CodePoint) -> Option<CodePoint> {
        self.sets.best_fit(cp)
    }

    fn pending(&self) -> usize {
        if self.pairs { self.sets.shifts().codes().len } else { 0 }
    }

    fn finish(&mut self, output: &mut [u8]) -> usize {
        let len = self.pending();
        self.pairs = false;
        let [to_single, _] = self.sets.shifts().codes().written;
        output[..len].copy_from_slice(&to_single.to_le_bytes()[..len]);
        len
    }

    fn fork(&self) -> Box<dyn Encoder> {
        Box::new(self.clone())
    }
}

impl<S: HostWriter> WritesSequences for HostEncoder<S> {
    type Code = u16;

    fn sequences(&self) -> Vec<([CodePoint; 2], u16)> {
        self.sets.sequences()
    }

    fn write_sequence(&mut self, code: u16, output: &mut [u8]) -> Option<usize> {
        let mut pairs = self.pairs;
        let (bytes, len) = with_shift(self.sets.shifts().codes(), &mut pairs, code);
        output.get_mut(..len)?.copy_from_slice(&bytes[..len]);
        self.pairs = pairs;
        Some(len)
    }
}

#[cfg(test)]
mod tests;
