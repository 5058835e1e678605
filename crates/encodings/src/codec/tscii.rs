//! TSCII 1.7: Tamil in 8 bits, in the order of writing.
//!
//! ```text
//! 00..7F US-ASCII  B8..C9 consonants   99..9C, CA..EB with a vowel sign   88..8B, EC..FD with virama   82, 87, 8C more
//! A6, A7, A8 (E, EE, AI) stand before their consonant, and A6 or A7 before it with A1 or AA after it are O, OO, AU
//! ```
//!
//! In Unicode a vowel sign always follows its consonant:
//!
//! ```text
//! கொ    Unicode  KA, SIGN O    TSCII  A6 B8 A1    (E, KA, AA)
//! ```
//!
//! So the encoder holds a consonant back until the next character is known. Both directions do what glibc's iconv does,
//! except that it refuses a virama after ஸ்ர, which is written here.
//!
//! An ill-formed subsequence is one byte: A0 or FF.

use super::stateful_codec::{CharBytes, EncodeState, encode, read_plain, write_plain};
use super::{DecodeProgress, DecodeStop, Decoder, EncodeProgress, EncodeStop, Encoder};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind};
use oxiconv_kernels::Progress;

const KA: CodePoint = 0xB95;
const RA: CodePoint = 0xBB0;
const SSA: CodePoint = 0xBB7;
const SA: CodePoint = 0xBB8;
const HA: CodePoint = 0xBB9;
const TTA: CodePoint = 0xB9F;
const SIGN_I: CodePoint = 0xBBF;
const SIGN_II: CodePoint = 0xBC0;
const SIGN_U: CodePoint = 0xBC1;
const SIGN_UU: CodePoint = 0xBC2;
const SIGN_E: CodePoint = 0xBC6;
const SIGN_AI: CodePoint = 0xBC8;
const SIGN_O: CodePoint = 0xBCA;
const SIGN_OO: CodePoint = 0xBCB;
const SIGN_AU: CodePoint = 0xBCC;
const VIRAMA: CodePoint = 0xBCD;

const FIRST_CONSONANT: u8 = 0xB8;
/// The consonants, from B8 on. With virama they are from EC on.
const CONSONANTS: [CodePoint; 18] = [
    KA, 0xB99, 0xB9A, 0xB9E, TTA, 0xBA3, 0xBA4, 0xBA8, 0xBAA, 0xBAE, 0xBAF, RA, 0xBB2, 0xBB5,
    0xBB4, 0xBB3, 0xBB1, 0xBA9,
];
/// The consonants for Sanskrit, from 83 on. With virama they are from 88 on.
const GRANTHA: [CodePoint; 4] = [0xB9C, SSA, SA, HA];

/// The other bytes with one code point. If two have the same, the first is written.
const OTHERS: [(u8, CodePoint); 41] = [
    (0x80, 0xBE6),
    (0x81, 0xBE7),
    (0x8D, 0xBE8),
    (0x8E, 0xBE9),
    (0x8F, 0xBEA),
    (0x90, 0xBEB),
    (0x91, 0x2018),
    (0x92, 0x2019),
    (0x93, 0x201C),
    (0x94, 0x201D),
    (0x95, 0xBEC),
    (0x96, 0xBED),
    (0x97, 0xBEE),
    (0x98, 0xBEF),
    (0x9D, 0xBF0),
    (0x9E, 0xBF1),
    (0x9F, 0xBF2),
    (0xA1, 0xBBE),
    (0xA2, SIGN_I),
    (0xA3, SIGN_II),
    (0xA4, SIGN_U),
    (0xA5, SIGN_UU),
    (0xA6, SIGN_E),
    (0xA7, 0xBC7),
    (0xA8, SIGN_AI),
    (0xA9, 0xA9),
    (0xAA, 0xBD7),
    (0xAB, 0xB85),
    (0xAC, 0xB86),
    (0xFE, 0xB87),
    (0xAD, 0xB87),
    (0xAE, 0xB88),
    (0xAF, 0xB89),
    (0xB0, 0xB8A),
    (0xB1, 0xB8E),
    (0xB2, 0xB8F),
    (0xB3, 0xB90),
    (0xB4, 0xB92),
    (0xB5, 0xB93),
    (0xB6, 0xB94),
    (0xB7, 0xB83),
];

/// Returns the byte of a consonant with the sign U. The bytes follow the order of the consonants, except for those of
/// NGA and NYA, the second and the fourth, which are 99 and 9A.
const fn with_u(consonant: u8) -> u8 {
    match consonant - FIRST_CONSONANT {
        0 => 0xCC,
        1 => 0x99,
        2 => 0xCD,
        3 => 0x9A,
        at => 0xCA + at,
    }
}

/// Returns the byte of a consonant with the sign UU: 10 more than with U, or 2 more for NGA and NYA.
const fn with_uu(consonant: u8) -> u8 {
    match with_u(consonant) {
        byte @ (0x99 | 0x9A) => byte + 2,
        byte => byte + 0x10,
    }
}

fn consonant(byte: u8) -> Option<CodePoint> {
    CONSONANTS.get(usize::from(byte.checked_sub(FIRST_CONSONANT)?)).copied()
}

/// The code points of a code.
#[derive(Clone, Copy, Debug, Default)]
struct TsciiCode {
    cps: [CodePoint; 4],
    count: usize,
    len: usize,
}

impl TsciiCode {
    fn new(cps: &[CodePoint], len: usize) -> Self {
        let mut code = Self { count: cps.len(), len, ..Self::default() };
        code.cps[..cps.len()].copy_from_slice(cps);
        code
    }

    /// Returns the code points of a single byte, whatever follows it.
    fn of_byte(byte: u8) -> Option<Self> {
        let at = |first: u8| usize::from(byte - first);
        // Finds the consonant by trying all 18, instead of inverting the two functions.
        let sign = |sign, with: fn(u8) -> u8| {
            let base = (FIRST_CONSONANT..=0xC9).find(|base| with(*base) == byte)?;
            Some(Self::new(&[consonant(base)?, sign], 1))
        };
        match byte {
            0x00..=0x7F => Some(Self::new(&[byte.into()], 1)),
            0x82 => Some(Self::new(&[SA, VIRAMA, RA, SIGN_II], 1)),
            0x83..=0x86 => Some(Self::new(&[GRANTHA[at(0x83)]], 1)),
            0x87 => Some(Self::new(&[KA, VIRAMA, SSA], 1)),
            0x88..=0x8B => Some(Self::new(&[GRANTHA[at(0x88)], VIRAMA], 1)),
            0x8C => Some(Self::new(&[KA, VIRAMA, SSA, VIRAMA], 1)),
            0x99 | 0x9A | 0xCC..=0xDB => sign(SIGN_U, with_u),
            0x9B | 0x9C | 0xDC..=0xEB => sign(SIGN_UU, with_uu),
            0xB8..=0xC9 => Some(Self::new(&[CONSONANTS[at(0xB8)]], 1)),
            0xCA => Some(Self::new(&[TTA, SIGN_I], 1)),
            0xCB => Some(Self::new(&[TTA, SIGN_II], 1)),
            0xEC..=0xFD => Some(Self::new(&[CONSONANTS[at(0xEC)], VIRAMA], 1)),
            _ => {
                let (_, cp) = OTHERS.iter().find(|(other, _)| *other == byte)?;
                Some(Self::new(&[*cp], 1))
            }
        }
    }
}

enum TsciiStep {
    Code(TsciiCode),
    Incomplete,
    IllFormed,
}

/// Returns the vowel sign whose first part is written before the consonant and whose second part after it.
const fn two_part(before: u8, after: u8) -> Option<CodePoint> {
    match (before, after) {
        (0xA6, 0xA1) => Some(SIGN_O),
        (0xA7, 0xA1) => Some(SIGN_OO),
        (0xA7, 0xAA) => Some(SIGN_AU),
        _ => None,
    }
}

/// Reads the code at the start of `input`. Five bytes may begin a longer one, and wait for what follows; any other byte
/// is a code by itself.
///
/// ```text
/// 8A A4        SA with the sign U; also 8B, and A5 for UU
/// A6 A1        the sign O alone
/// A6 B8        KA with the sign E, unless A1 follows: then KA with the sign O
/// A8 B8        KA with the sign AI, which has no second part
/// ```
fn start(input: &[u8], last: bool) -> TsciiStep {
    let is_incomplete = |len: usize| input.len() < len && !last;
    let (first, second, third) = (input[0], input.get(1).copied(), input.get(2).copied());
    if matches!(first, 0x8A | 0x8B | 0xA6..=0xA8) {
        if is_incomplete(2) {
            return TsciiStep::Incomplete;
        }
        match (first, second) {
            (0x8A | 0x8B, Some(sign @ (0xA4 | 0xA5))) => {
                let base = if first == 0x8A { SA } else { HA };
                let sign = if sign == 0xA4 { SIGN_U } else { SIGN_UU };
                return TsciiStep::Code(TsciiCode::new(&[base, sign], 2));
            }
            (0xA6..=0xA8, Some(second)) => {
                if let Some(sign) = two_part(first, second) {
                    return TsciiStep::Code(TsciiCode::new(&[sign], 2));
                }
                if let Some(base) = consonant(second) {
                    if first != 0xA8 && is_incomplete(3) {
                        return TsciiStep::Incomplete;
                    }
                    let code = match third.and_then(|third| two_part(first, third)) {
                        Some(sign) => TsciiCode::new(&[base, sign], 3),
                        None => TsciiCode::new(&[base, SIGN_E + CodePoint::from(first - 0xA6)], 2),
                    };
                    return TsciiStep::Code(code);
                }
            }
            _ => {}
        }
    }
    TsciiCode::of_byte(first).map_or(TsciiStep::IllFormed, TsciiStep::Code)
}

/// The decoder.
#[derive(Clone, Copy, Debug)]
pub struct Tscii;

impl Decoder for Tscii {
    fn decode(&mut self, input: &[u8], output: &mut [CodePoint], last: bool) -> DecodeProgress {
        let (mut read, mut written) = (0, 0);
        let stop = loop {
            let run = read_plain(&input[read..], &mut output[written..], |_| true);
            read += run.read;
            written += run.written;
            if read == input.len() {
                break DecodeStop::InputEmpty;
            }
            match start(&input[read..], last) {
                TsciiStep::Code(code) => {
                    let Some(slot) = output.get_mut(written..written + code.count) else {
                        break DecodeStop::OutputFull;
                    };
                    slot.copy_from_slice(&code.cps[..code.count]);
                    written += code.count;
                    read += code.len;
                }
                TsciiStep::Incomplete => break DecodeStop::InputEmpty,
                TsciiStep::IllFormed => {
                    let ill_formed = IllFormed::new(1, IllFormedKind::InvalidByte);
                    break DecodeStop::IllFormed(ill_formed);
                }
            }
        };
        DecodeProgress { read, written, stop }
    }

    fn fork(&self) -> Box<dyn Decoder> {
        Box::new(*self)
    }
}

/// The encoder. It holds back bytes that the next character may change.
#[derive(Clone, Copy, Debug, Default)]
pub struct TsciiEncoder {
    held: HeldConsonant,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum HeldConsonant {
    #[default]
    Nothing,
    /// A consonant, alone or with virama.
    Byte(u8),
    /// ஸ்ர, which with the sign II is 82.
    Sra,
}

impl HeldConsonant {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Nothing => &[],
            Self::Byte(byte) => std::slice::from_ref(byte),
            Self::Sra => &[0x8A, 0xC3],
        }
    }

    /// Returns the bytes for what is held together with `cp`, their number, and what is held after that; `None` if `cp`
    /// does not combine with what is held.
    ///
    /// A vowel sign completes the syllable, and its bytes are written. A virama does not, as another consonant may join
    /// it: KA, virama and SSA are the single byte 87. So the byte with virama is held in place of that of the
    /// consonant.
    fn joined(self, cp: CodePoint) -> Option<([u8; 3], usize, Self)> {
        let done = |bytes: &[u8]| {
            let mut all = [0; 3];
            all[..bytes.len()].copy_from_slice(bytes);
            Some((all, bytes.len(), Self::Nothing))
        };
        let held = |byte| Some(([0; 3], 0, Self::Byte(byte)));
        match (self, cp) {
            (Self::Byte(byte @ 0xB8..=0xC9), _) => match cp {
                SIGN_I if byte == 0xBC => done(&[0xCA]),
                SIGN_II if byte == 0xBC => done(&[0xCB]),
                SIGN_U => done(&[with_u(byte)]),
                SIGN_UU => done(&[with_uu(byte)]),
                SIGN_E..=SIGN_AI => done(&[0xA6 + (cp - SIGN_E) as u8, byte]),
                SIGN_O => done(&[0xA6, byte, 0xA1]),
                SIGN_OO => done(&[0xA7, byte, 0xA1]),
                SIGN_AU => done(&[0xA7, byte, 0xAA]),
                VIRAMA => held(byte - FIRST_CONSONANT + 0xEC),
                _ => None,
            },
            (Self::Byte(byte @ 0x83..=0x87), VIRAMA) => held(byte + 5),
            (Self::Byte(byte @ (0x85 | 0x86)), SIGN_U) => done(&[byte + 5, 0xA4]),
            (Self::Byte(byte @ (0x85 | 0x86)), SIGN_UU) => done(&[byte + 5, 0xA5]),
            (Self::Byte(0xEC), SSA) => held(0x87),
            (Self::Byte(0x8A), RA) => Some(([0; 3], 0, Self::Sra)),
            (Self::Sra, SIGN_II) => done(&[0x82]),
            (Self::Sra, VIRAMA) => done(&[0x8A, 0xF7]),
            _ => None,
        }
    }
}

impl EncodeState for TsciiEncoder {
    /// If `cp` does not join what is held, that is complete, and is written before `cp`. A consonant is then held in
    /// turn, and has no bytes yet.
    fn write(&mut self, cp: CodePoint, piece: &mut CharBytes) -> bool {
        if let Some((bytes, len, held)) = self.held.joined(cp) {
            piece.add(&bytes[..len]);
            self.held = held;
            return true;
        }
        let mut bytes: ([u8; 2], usize) = ([0; 2], 1);
        let mut held = HeldConsonant::Nothing;
        if let Some(at) = CONSONANTS.iter().position(|consonant| *consonant == cp) {
            (bytes.1, held) = (0, HeldConsonant::Byte(FIRST_CONSONANT + at as u8));
        } else if let Some(at) = GRANTHA.iter().position(|consonant| *consonant == cp) {
            (bytes.1, held) = (0, HeldConsonant::Byte(0x83 + at as u8));
        } else {
            match cp {
                0x00..=0x7F => bytes.0[0] = cp as u8,
                SIGN_O => bytes = ([0xA6, 0xA1], 2),
                SIGN_OO => bytes = ([0xA7, 0xA1], 2),
                SIGN_AU => bytes = ([0xA7, 0xAA], 2),
                _ => match OTHERS.iter().find(|(_, other)| *other == cp) {
                    Some((byte, _)) => bytes.0[0] = *byte,
                    None => return false,
                },
            }
        }
        piece.add(self.held.bytes());
        piece.add(&bytes.0[..bytes.1]);
        self.held = held;
        true
    }

    fn run(&mut self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        write_plain(input, output, |_| self.held == HeldConsonant::Nothing)
    }
}

impl Encoder for TsciiEncoder {
    fn encode(&mut self, input: &[CodePoint], output: &mut [u8]) -> EncodeProgress {
        let mut done = encode(self, input, output);
        if done.stop == EncodeStop::Unmappable {
            // Whatever the caller writes instead must come after the consonant that is held back.
            if output.len() - done.written < self.held.bytes().len() {
                done.stop = EncodeStop::OutputFull;
            } else {
                done.written += self.finish(&mut output[done.written..]);
            }
        }
        done
    }

    fn joins(&self) -> bool {
        true
    }

    fn pending(&self) -> usize {
        self.held.bytes().len()
    }

    fn finish(&mut self, output: &mut [u8]) -> usize {
        let held = std::mem::take(&mut self.held);
        let bytes = held.bytes();
        output[..bytes.len()].copy_from_slice(bytes);
        bytes.len()
    }

    fn fork(&self) -> Box<dyn Encoder> {
        Box::new(*self)
    }
}

#[cfg(test)]
mod tests;
