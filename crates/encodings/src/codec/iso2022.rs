//! ISO 2022: escape sequences designate character sets to the elements G0 to G3, and shifts invoke these. Each version,
//! such as ISO-2022-JP, is data ([`Iso2022Version`]).
//!
//! ```text
//! ESC ( F, ESC $ F, ESC $ ( F ─► G0   ESC ) F, ESC - F, ESC $ ) F ─► G1   ESC . F, ESC $ * F ─► G2   ESC $ + F ─► G3
//! bytes 21..7E: G0, after SO: G1, after SI: G0     ESC N: one character of G2     ESC O: one of G3     A0..FF: G1
//! ```
//!
//! Text begins and ends with US-ASCII in G0.
//!
//! The encoder writes a character in the set of G0 (or of G1 after SO) if that has it, otherwise in a designated one,
//! otherwise in the first of the version's list that has it, as glibc does. It returns to US-ASCII for controls and
//! spaces, so each line begins in it. After a line feed it designates G1 to G3 anew, as the RFCs require. It cannot
//! write U+001B, nor U+000E and U+000F in versions with shifts, because they would be read as escape and shifts.
//!
//! The decoder accepts controls and spaces in every set. A line end returns from SO to G0, as in ICU and Python (glibc
//! rejects it); designations stay, as in glibc.
//!
//! # Ill-formed subsequences
//!
//! | input | ill-formed subsequence |
//! |---|---|
//! | an escape sequence that the version lacks | ESC; the rest is text |
//! | SO without a set in G1 | SO |
//! | a single shift without a set in its element | its two bytes |
//! | a two-byte code whose second byte is out of range | its first byte, or the single shift before it |
//! | a two-byte code without a character | both bytes |

use super::joining::WritesSequences;
use super::set::CodedSet;
use super::stateful_codec::{
    CharBytes, DecodeStep, EncodeState, StatefulCodec, encode, write_plain,
};
use super::{EncodeProgress, Encoder};
use crate::unicode::{CARRIAGE_RETURN, CodePoint, IllFormedKind, LINE_FEED};
use oxiconv_kernels::Progress;

const ESC: u8 = 0x1B;
const SHIFT_OUT: u8 = 0x0E;
const SHIFT_IN: u8 = 0x0F;

/// A graphic character set, as ISO 2022 calls what can be designated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphicSet {
    /// US-ASCII, with the controls. It is the first set of every version.
    Ascii,
    /// Any other.
    Coded(CodedSet),
}

/// One character set of a version, and how it is designated.
#[derive(Debug)]
pub struct Designated {
    /// Its characters.
    pub characters: GraphicSet,
    /// The escape sequences that designate it. The encoder writes the first.
    pub escapes: &'static [&'static [u8]],
    /// The number of the element that it is designated to: 0 is G0.
    pub element: usize,
    /// Whether its codes have two bytes.
    pub pairs: bool,
    /// Whether 20 and 7F are codes too (sets of 96 characters).
    pub of_96: bool,
    /// Which characters are written in it.
    pub writes: WrittenCodes,
    /// What controls and spaces do while it is in G0.
    pub controls: Controls,
}

/// What controls and spaces do while a set is in G0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Controls {
    /// They are read, and the encoder returns to US-ASCII for them.
    Read,
    /// They are read and written without leaving the set.
    Written,
    /// They are ill-formed.
    IllFormed,
}

/// Which codes of a set the encoder writes.
#[derive(Debug, PartialEq, Eq)]
pub enum WrittenCodes {
    /// All.
    All,
    /// All except for these codes.
    Except(&'static [u16]),
    /// None: it is only read.
    Nothing,
}

impl Designated {
    const fn range(&self) -> std::ops::RangeInclusive<u8> {
        if self.of_96 { 0x20..=0x7F } else { 0x21..=0x7E }
    }

    fn len(&self) -> usize {
        1 + usize::from(self.pairs)
    }

    /// Returns the character of a code, whose bytes have the high bit clear.
    #[inline(always)]
    fn character(&self, code: u16) -> Option<CodePoint> {
        match self.characters {
            GraphicSet::Ascii => Some(code.into()),
            GraphicSet::Coded(set) => set.character(code),
        }
    }

    fn sequence(&self, code: u16) -> Option<[CodePoint; 2]> {
        match self.characters {
            GraphicSet::Coded(set) => set.sequence(code),
            _ => None,
        }
    }

    fn has_sequences(&self) -> bool {
        matches!(self.characters, GraphicSet::Coded(set) if set.sequences().next().is_some())
    }

    const fn in_right_half(&self, code: u16) -> u16 {
        code | if self.pairs { 0x8080 } else { 0x80 }
    }

    /// Returns the code with which `cp` is written; its bytes have the high bit clear.
    #[inline]
    fn code(&self, cp: CodePoint) -> Option<u16> {
        if self.writes == WrittenCodes::Nothing {
            return None;
        }
        let code = match self.characters {
            GraphicSet::Ascii => return (cp < 0x80).then_some(cp as u16),
            GraphicSet::Coded(set) => set.encoding().code(cp)?,
        };
        self.writes(code).then_some(code)
    }

    fn writes(&self, code: u16) -> bool {
        let [high, low] = code.to_be_bytes();
        let shaped = if self.pairs { self.range().contains(&high) } else { high == 0 };
        let written = match self.writes {
            WrittenCodes::All => true,
            WrittenCodes::Except(codes) => !codes.contains(&code),
            WrittenCodes::Nothing => false,
        };
        let is_control = self.controls == Controls::Written && matches!(low, 0..=0x20 | 0x7F);
        shaped && written && (is_control || self.range().contains(&low))
    }
}

/// Whether both bytes of a code are in the range of sets of 94 characters, 21 to 7E.
///
/// For each byte b, the high bit is set in b from 80 on, in b - 21 if b is lower, and in b + 1 if it is 7F. A borrow or
/// a carry out of the low byte may spoil the verdict on the high one, but only if the low byte has failed.
#[inline(always)]
const fn is_in_94(code: u16) -> bool {
    (code | code.wrapping_sub(0x2121) | code.wrapping_add(0x0101)) & 0x8080 == 0
}

/// A version of ISO 2022.
#[derive(Debug)]
pub struct Iso2022Version {
    /// The sets, in the order in which the encoder tries them for a character. US-ASCII is the first.
    pub sets: &'static [Designated],
    /// The initial sets of G1 to G3, as indices of the list.
    pub initial: [Option<u8>; 3],
    /// What every text that is not empty begins with. It designates the initial sets.
    pub header: &'static [u8],
    /// Whether SO and SI invoke G1 and G0.
    pub shifts: bool,
    /// Whether bytes from A0 on invoke G1.
    pub right: bool,
    /// The characters after which the encoder designates G1 to G3 anew: a line feed, and other delimiters.
    pub renewed_after: &'static [u8],
    /// Whether it is the Encoding Standard's. There SO and SI are ill-formed, as is an escape sequence right after
    /// another one, and an invalid second byte is part of the ill-formed subsequence, unless it is ESC.
    pub web: bool,
    /// Whether a half-width katakana and the half-width sound mark after it are written as one character: ﾊﾟ as パ.
    pub voices: bool,
}

impl Iso2022Version {
    fn set(&self, index: u8) -> &'static Designated {
        &self.sets[usize::from(index)]
    }

    fn renews_after(&self, cp: CodePoint) -> bool {
        self.renewed_after.iter().any(|byte| CodePoint::from(*byte) == cp)
    }

    fn single_shift(&self, byte: u8) -> Option<usize> {
        let element = match byte {
            b'N' => 2,
            b'O' => 3,
            _ => return None,
        };
        self.sets.iter().any(|set| set.element == element).then_some(element)
    }
}

/// The state that the bytes read or written so far have left.
#[derive(Clone, Copy, Debug)]
struct Iso2022State {
    /// The sets in G0 to G3, as indices of the version's list.
    elements: [Option<u8>; 4],
    /// Whether SO is in force.
    shifted: bool,
    /// Whether the last thing read was an escape sequence.
    escaped: bool,
}

impl Iso2022State {
    const fn new(version: &Iso2022Version) -> Self {
        let [g1, g2, g3] = version.initial;
        Self { elements: [Some(0), g1, g2, g3], shifted: false, escaped: false }
    }

    fn designate(&mut self, version: &Iso2022Version, index: u8) {
        self.elements[version.set(index).element] = Some(index);
    }
}

/// The codec from which [`super::Stateful`] makes the decoder.
#[derive(Clone, Debug)]
pub struct Iso2022 {
    version: &'static Iso2022Version,
    state: Iso2022State,
}

/// A change of the decoder's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iso2022Change {
    /// None.
    Stays,
    /// An escape sequence has designated the set with this index.
    Designates(u8),
    /// SO (`true`), or SI or a line end (`false`).
    Shifts(bool),
}

impl Iso2022 {
    /// Creates the state at the start of a text.
    pub const fn new(version: &'static Iso2022Version) -> Self {
        Self { version, state: Iso2022State::new(version) }
    }

    /// Returns the set for bytes below 80.
    #[inline(always)]
    fn left(&self) -> &'static Designated {
        let index = self.state.elements[usize::from(self.state.shifted)];
        self.version.set(index.unwrap_or(0))
    }

    fn bad(len: usize, kind: IllFormedKind) -> DecodeStep<Iso2022Change> {
        DecodeStep::bad(len, kind, Iso2022Change::Stays)
    }

    fn incomplete(len: usize, last: bool) -> DecodeStep<Iso2022Change> {
        if last { Self::bad(len, IllFormedKind::TruncatedAtEnd) } else { DecodeStep::Incomplete }
    }

    /// Decodes a code of `set` in `input`, after a single shift of `shift` bytes (0 if there is none). The caller has
    /// checked that the first byte of the code, unless it is missing, is in the set's range. `high` is the high bit
    /// that all bytes of the code must have.
    fn code(
        &self,
        set: &Designated,
        input: &[u8],
        shift: usize,
        high: u8,
        last: bool,
    ) -> DecodeStep<Iso2022Change> {
        let (len, change) = (shift + set.len(), Iso2022Change::Stays);
        let code = match *input.get(shift..len).unwrap_or_default() {
            [byte] => u16::from(byte & 0x7F),
            [first, second] => {
                if second & 0x80 != high || !set.range().contains(&(second & 0x7F)) {
                    let len = if self.version.web && second != ESC { len } else { shift.max(1) };
                    return Self::bad(len, IllFormedKind::Truncated);
                }
                u16::from_be_bytes([first & 0x7F, second & 0x7F])
            }
            _ => return Self::incomplete(input.len(), last),
        };
        let single = IllFormedKind::InvalidByte;
        let kind = if len == 1 { single } else { IllFormedKind::UndefinedSequence };
        match set.character(code) {
            Some(cp) => DecodeStep::Character { cp, len, change },
            None => match set.sequence(code) {
                Some(cps) => DecodeStep::Sequence { cps, len, change },
                None => Self::bad(len, kind),
            },
        }
    }

    fn single_shift(&self, element: usize, input: &[u8], last: bool) -> DecodeStep<Iso2022Change> {
        const SHIFT: usize = 2;
        let Some(set) = self.state.elements[element].map(|index| self.version.set(index)) else {
            return Self::bad(SHIFT, IllFormedKind::InvalidEscape);
        };
        if input.get(SHIFT).is_some_and(|byte| !set.range().contains(byte)) {
            return Self::bad(SHIFT, IllFormedKind::Truncated);
        }
        self.code(set, input, SHIFT, 0, last)
    }

    /// Returns the index of the set that an escape sequence at the start of `input` designates, and the sequence's
    /// length.
    fn designation(&self, input: &[u8]) -> Option<(u8, usize)> {
        // Not `starts_with`, which calls `memcmp`: for three or four bytes the call takes longer than the comparison.
        let begins = |escape: &[u8]| {
            escape.len() <= input.len()
                && escape.iter().zip(input).all(|(wanted, byte)| wanted == byte)
        };
        let in_set = |(index, set): (u8, &Designated)| {
            set.escapes.iter().find(|escape| begins(escape)).map(|escape| (index, escape.len()))
        };
        (0..).zip(self.version.sets).find_map(in_set)
    }

    /// Decodes a run in the set of the left half, up to what may change the state. In US-ASCII that is ESC, SO, SI and
    /// bytes from 80 on, but no line end, because SO is not in force there. In a set of pairs it is the first pair
    /// without a character, which also stops at ESC and controls. Sets of single bytes have no loop.
    fn run_in_set(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        let left = self.left();
        match left.characters {
            GraphicSet::Ascii => {
                let mut done = 0;
                for (byte, slot) in input.iter().zip(output) {
                    if matches!(*byte, ESC | SHIFT_OUT | SHIFT_IN | 0x80..) {
                        break;
                    }
                    *slot = (*byte).into();
                    done += 1;
                }
                Progress { read: done, written: done }
            }
            GraphicSet::Coded(set) if left.pairs => set.pair_index().decode_pairs(input, output),
            GraphicSet::Coded(_) => Progress::default(),
        }
    }

    fn escape(&self, input: &[u8], last: bool) -> DecodeStep<Iso2022Change> {
        if let Some((index, len)) = self.designation(input) {
            let change = Iso2022Change::Designates(index);
            return if self.version.web && self.state.escaped {
                DecodeStep::bad(len, IllFormedKind::InvalidEscape, change)
            } else {
                DecodeStep::Shift { len, change }
            };
        }
        if let Some(element) = input.get(1).and_then(|byte| self.version.single_shift(*byte)) {
            return self.single_shift(element, input, last);
        }
        // The single shifts of a version without sets in G2 and G3 are among the unknown sequences. What is left may be
        // the start of a known one.
        let mut escapes = self.version.sets.iter().flat_map(|set| set.escapes);
        if input.len() == 1 || escapes.any(|escape| escape.starts_with(input)) {
            return Self::incomplete(input.len(), last);
        }
        Self::bad(1, IllFormedKind::InvalidEscape)
    }
}

impl StatefulCodec for Iso2022 {
    type Change = Iso2022Change;

    fn has_sequences(&self) -> bool {
        self.version.sets.iter().any(Designated::has_sequences)
    }

    /// Whether a byte is a code of the set is asked before whether it is a control or a space, because sets of 96
    /// characters have codes at 20 and 7F.
    fn step(&self, input: &[u8], last: bool) -> DecodeStep<Iso2022Change> {
        let (first, left) = (input[0], self.left());
        match first {
            ESC => self.escape(input, last),
            SHIFT_OUT | SHIFT_IN if self.version.web => Self::bad(1, IllFormedKind::InvalidByte),
            SHIFT_OUT if self.version.shifts => match self.state.elements[1] {
                Some(_) => DecodeStep::Shift { len: 1, change: Iso2022Change::Shifts(true) },
                None => Self::bad(1, IllFormedKind::InvalidByte),
            },
            SHIFT_IN if self.version.shifts => {
                DecodeStep::Shift { len: 1, change: Iso2022Change::Shifts(false) }
            }
            0..=0x7F if left.range().contains(&first) => self.code(left, input, 0, 0, last),
            0..=0x7F if left.controls == Controls::IllFormed => {
                Self::bad(1, IllFormedKind::InvalidByte)
            }
            0..=0x7F => {
                let cp = first.into();
                let ends = matches!(cp, LINE_FEED | CARRIAGE_RETURN);
                let change = if ends { Iso2022Change::Shifts(false) } else { Iso2022Change::Stays };
                DecodeStep::Character { cp, len: 1, change }
            }
            _ => {
                let right = self.state.elements[1].filter(|_| self.version.right);
                match right.map(|index| self.version.set(index)) {
                    Some(set) if set.range().contains(&(first & 0x7F)) => {
                        self.code(set, input, 0, 0x80, last)
                    }
                    _ => Self::bad(1, IllFormedKind::InvalidByte),
                }
            }
        }
    }

    fn apply(&mut self, change: Iso2022Change) {
        self.state.escaped = matches!(change, Iso2022Change::Designates(_));
        match change {
            Iso2022Change::Stays => {}
            Iso2022Change::Designates(index) => self.state.designate(self.version, index),
            Iso2022Change::Shifts(out) => self.state.shifted = out,
        }
    }

    fn run(&mut self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        if self.version.web && self.state.escaped {
            // Leave the next character to `step`, which must see whether it is another escape sequence, and clears the
            // flag.
            return Progress::default();
        }
        let mut done = self.run_in_set(input, output);
        // Continue after escape sequences: mixed text has one on either side of each word. In the Encoding Standard's
        // version it matters what follows one, so that is left to `step`. If the output is full, an escape sequence
        // stays unread, as in `Stateful::decode`.
        while !self.version.web
            && done.written < output.len()
            && input.get(done.read) == Some(&ESC)
            && let Some((index, len)) = self.designation(&input[done.read..])
        {
            done.read += len;
            self.state.designate(self.version, index);
            let more = self.run_in_set(&input[done.read..], &mut output[done.written..]);
            done.read += more.read;
            done.written += more.written;
        }
        done
    }
}

/// The encoder.
#[derive(Clone, Debug)]
pub struct Iso2022Encoder {
    version: &'static Iso2022Version,
    state: Iso2022State,
    header_written: bool,
    /// A cache of [`Self::first_with`], indexed by the low bits of the code point. Each word in another set than the
    /// text before it needs a lookup of its first letter in all sets, and a text has few different first letters.
    recent: [(CodePoint, Option<(u8, u16)>); RECENT],
}

/// Entries of the cache. Alphabets have adjacent code points, so this many hold all letters of one.
const RECENT: usize = 64;

impl Iso2022Encoder {
    /// Creates an encoder for the start of a text.
    pub const fn new(version: &'static Iso2022Version) -> Self {
        // No code point: every entry is empty.
        let recent = [(CodePoint::MAX, None); RECENT];
        Self { version, state: Iso2022State::new(version), header_written: false, recent }
    }

    /// Returns the sets that take precedence over the order of the list, because they need no escape sequence: the set
    /// in force, and with `designated` also those of G1 to G3. While SO is in force, that of G0 is left out, because it
    /// needs an SI.
    fn preferred(&self, designated: bool) -> impl Iterator<Item = u8> + use<> {
        let Iso2022State { elements: [left, g1, g2, g3], shifted, .. } = self.state;
        let preferred = match (designated, shifted) {
            (true, true) => [g1, None, g2, g3],
            (true, false) => [left, g1, g2, g3],
            (false, true) => [None; 4],
            (false, false) => [left, None, None, None],
        };
        preferred.into_iter().flatten()
    }

    fn first_with(&mut self, cp: CodePoint) -> Option<(u8, u16)> {
        let recent = &mut self.recent[cp as usize % RECENT];
        if recent.0 != cp {
            let mut sets = (0..).zip(self.version.sets);
            *recent = (cp, sets.find_map(|(index, set)| Some((index, set.code(cp)?))));
        }
        recent.1
    }

    /// Appends a code of the set with this index, after the shifts and escape sequences that it needs.
    #[inline]
    fn add(&mut self, index: u8, mut code: u16, piece: &mut CharBytes) {
        if !self.header_written {
            self.header_written = true;
            piece.add(self.version.header);
        }
        // SO comes after the escape sequence for G1, since it is ill-formed while G1 has no set. Versions without
        // shifts invoke G1 with the high bits of the code. G2 and G3 take a single shift before each code.
        let set = self.version.set(index);
        if set.element == 0 && std::mem::take(&mut self.state.shifted) {
            piece.add(&[SHIFT_IN]);
        }
        if self.state.elements[set.element] != Some(index) {
            piece.add(set.escapes[0]);
            self.state.designate(self.version, index);
        }
        match set.element {
            1 if !self.version.shifts => code = set.in_right_half(code),
            1 if !std::mem::replace(&mut self.state.shifted, true) => piece.add(&[SHIFT_OUT]),
            2 => piece.add(b"\x1BN"),
            3 => piece.add(b"\x1BO"),
            _ => {}
        }
        match code.to_be_bytes() {
            pair if set.pairs => piece.add(&pair),
            [_, byte] => piece.add(&[byte]),
        }
    }

    /// Returns the shift and the escape sequence that end a text.
    fn end(&self) -> CharBytes {
        let mut end = CharBytes::default();
        if self.state.shifted {
            end.add(&[SHIFT_IN]);
        }
        if self.state.elements[0] != Some(0) {
            end.add(self.version.set(0).escapes[0]);
        }
        end
    }
}

impl EncodeState for Iso2022Encoder {
    #[inline]
    fn write(&mut self, cp: CodePoint, piece: &mut CharBytes) -> bool {
        let shift = matches!(cp, 0x0E | 0x0F) && (self.version.shifts || self.version.web);
        if shift || cp == CodePoint::from(ESC) {
            return false;
        }
        // For ASCII, only the set in G0 takes precedence, and after SO none does. So text in a set without the
        // character returns to US-ASCII, the first set of the list, at every space and line end.
        let code_in = |index| Some((index, self.version.set(index).code(cp)?));
        let preferred = self.preferred(cp >= 0x80).find_map(code_in);
        let Some((index, code)) = preferred.or_else(|| self.first_with(cp)) else { return false };
        self.add(index, code, piece);
        if self.version.renews_after(cp) {
            self.state.elements[1..].copy_from_slice(&self.version.initial);
        }
        true
    }

    fn run(&mut self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        let Iso2022State { elements, shifted, .. } = self.state;
        let current = elements[usize::from(shifted)].filter(|_| self.header_written);
        let Some(set) = current.map(|index| self.version.set(index)) else {
            return Progress::default();
        };
        match set.characters {
            // Stop before characters that cannot be written or that change the state. In nearly all versions these are
            // controls, so the common test is a single comparison.
            GraphicSet::Ascii if self.version.renewed_after.iter().all(|byte| *byte < 0x20) => {
                write_plain(input, output, |byte| byte >= 0x20)
            }
            GraphicSet::Ascii => write_plain(input, output, |byte| {
                byte >= 0x20 && !self.version.renews_after(byte.into())
            }),
            GraphicSet::Coded(characters) if set.pairs && (set.element == 0 || shifted) => {
                let (codes, mut done) = (characters.encoding(), 0);
                let all = set.writes == WrittenCodes::All && !set.of_96;
                for (cp, slot) in input.iter().zip(output.as_chunks_mut::<2>().0) {
                    let code = codes.quick_code(*cp);
                    let is_written = if all { is_in_94(code) } else { set.writes(code) };
                    if *cp < 0x80 || code == 0 || !is_written {
                        break;
                    }
                    *slot = code.to_be_bytes();
                    done += 1;
                }
                Progress { read: done, written: 2 * done }
            }
            GraphicSet::Coded(_) => Progress::default(),
        }
    }
}

impl Encoder for Iso2022Encoder {
    fn encode(&mut self, input: &[CodePoint], output: &mut [u8]) -> EncodeProgress {
        encode(self, input, output)
    }

    fn pending(&self) -> usize {
        self.end().len()
    }

    fn finish(&mut self, output: &mut [u8]) -> usize {
        let len = self.end().put(output).expect("there is room for the end");
        self.state.shifted = false;
        self.state.elements[0] = Some(0);
        len
    }

    fn fork(&self) -> Box<dyn Encoder> {
        Box::new(self.clone())
    }
}

/// A code, and the set that it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct SetCode {
    set: CodedSet,
    code: u16,
}

impl WritesSequences for Iso2022Encoder {
    type Code = SetCode;

    fn sequences(&self) -> Vec<([CodePoint; 2], SetCode)> {
        let sets = self.version.sets.iter().filter_map(|set| match set.characters {
            GraphicSet::Coded(characters) if set.writes != WrittenCodes::Nothing => {
                Some(characters)
            }
            _ => None,
        });
        let voiced = sets.clone().filter(|_| self.version.voices).flat_map(voiced);
        let own = sets
            .flat_map(|set| set.sequences().map(move |(code, cps)| (cps, SetCode { set, code })));
        own.chain(voiced).collect()
    }

    fn write_sequence(&mut self, code: SetCode, output: &mut [u8]) -> Option<usize> {
        let SetCode { set, code } = code;
        let mut after = self.clone();
        let has = |one: &Designated| one.characters == GraphicSet::Coded(set) && one.writes(code);
        let all = 0..self.version.sets.len() as u8;
        let index = self.preferred(true).chain(all).find(|index| has(self.version.set(*index)))?;
        let mut piece = CharBytes::default();
        after.add(index, code, &mut piece);
        let len = piece.put(output)?;
        *self = after;
        Some(len)
    }
}

/// Returns each half-width katakana and sound mark for which a set has one full-width character, with the code of that.
fn voiced(set: CodedSet) -> impl Iterator<Item = ([CodePoint; 2], SetCode)> {
    let codes = set.encoding();
    let pairs = (0xFF66..=0xFF9D).flat_map(|letter| [[letter, 0xFF9E], [letter, 0xFF9F]]);
    pairs.filter_map(move |[letter, mark]| {
        let full_width = set.character(codes.code(letter)?)?;
        // In Unicode the voiced letter is the next code point after the letter, and after the voiced ones of ハ to ホ
        // comes the semi-voiced one: ハ バ パ. FF9E is the voiced mark, FF9F the semi-voiced one.
        let voiced = match (full_width, mark) {
            // ッ
            (0x30C3, _) => return None,
            // ウ
            (0x30A6, 0xFF9E) => 0x30F4,
            // カ to ト
            (0x30AB..=0x30C8, 0xFF9E) => full_width + 1,
            // ハ to ホ
            (0x30CF..=0x30DB, _) => full_width + mark - 0xFF9D,
            _ => return None,
        };
        Some(([letter, mark], SetCode { set, code: codes.code(voiced)? }))
    })
}

mod versions;
pub use versions::{
    COMPOUND_TEXT, CP50220, CP50221, CP50222, DICOM, ISO_2022_CN, ISO_2022_CN_CNS, ISO_2022_CN_EXT,
    ISO_2022_JP, ISO_2022_JP_1, ISO_2022_JP_2, ISO_2022_JP_3, ISO_2022_JP_EXT, ISO_2022_JP_WHATWG,
    ISO_2022_KR, JIS_7, JIS_8,
};

#[cfg(test)]
mod tests;
