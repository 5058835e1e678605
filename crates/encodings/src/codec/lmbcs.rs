//! LMBCS-1, the text encoding of Lotus's programs: several code pages, one of which is chosen by each code.
//!
//! ```text
//! 00, 09, 0A, 0D, 19, 20..7F themselves   80..FF code page 850, group 1   0F 20..3F, 0F 80..9F control characters
//! 01..0B and a byte: 80..FF code page of the group, 00..7F exceptions     10..13 and two bytes: code page of the group
//! 10..13 twice and a byte: its single bytes                               14 and two bytes: UTF-16BE, 14 F6 xx: U+xx00
//! ```
//!
//! Many characters have several codes. The encoder writes what ICU writes for a text in one piece. It tries a preferred
//! group, then the group of the last character that had one, then all others. The range of the code point says which
//! kinds of group are tried at all ([`TRIED_GROUPS`]). ICU's converters for other groups (LMBCS-2 and so on), which
//! omit another group byte, are not here.
//!
//! An ill-formed subsequence is the group byte, with the bytes of its code from 80 on.

use super::set::{self, CodedSet};
use super::stateful_codec::{
    CharBytes, DecodeStep, EncodeState, StatefulCodec, encode, read_plain, write_plain,
};
use super::{EncodeProgress, Encoder};
use crate::unicode::{CodePoint, IllFormedKind};
use oxiconv_kernels::Progress;

const LATIN: u8 = 0x01;
/// Groups from here on have two-byte codes.
const FIRST_DOUBLE: u8 = 0x10;
const CONTROL: u8 = 0x0F;
const UNICODE: u8 = 0x14;
/// Replaces the high byte if the low one is 0, and the high byte then takes the place of the low one: U+1200 is 14 F6
/// 12, without a byte 00.
const ZERO: u8 = 0xF6;
/// Added to a control character, so that no second byte is a control.
const CONTROL_OFFSET: u8 = 0x20;

const GROUPS: [(u8, CodedSet); 12] = [
    (LATIN, set::LMBCS_850),
    (0x02, set::LMBCS_851),
    (0x03, set::LMBCS_1255),
    (0x04, set::LMBCS_1256),
    (0x05, set::LMBCS_1251),
    (0x06, set::LMBCS_852),
    (0x08, set::LMBCS_1254),
    (0x0B, set::LMBCS_874),
    (0x10, set::LMBCS_932),
    (0x11, set::LMBCS_949),
    (0x12, set::LMBCS_950),
    (0x13, set::LMBCS_936),
];

fn set_of(group: u8) -> Option<CodedSet> {
    GROUPS.iter().find(|(other, _)| *other == group).map(|(_, set)| *set)
}

const fn is_itself(byte: u8) -> bool {
    matches!(byte, 0x00 | 0x09 | 0x0A | 0x0D | 0x19 | 0x20..=0x7F)
}

/// The codec from which [`super::Stateful`] makes the decoder, which has no state.
#[derive(Clone, Copy, Debug)]
pub struct Lmbcs;

fn unit(bytes: [u8; 2]) -> u16 {
    match bytes {
        [ZERO, high] => u16::from(high) << 8,
        bytes => u16::from_be_bytes(bytes),
    }
}

/// Reads a code of UTF-16; `input` begins with 14. Both halves of a surrogate pair have a 14 of their own, so if the
/// second is missing, what follows is read by itself.
fn unicode(input: &[u8], last: bool) -> DecodeStep<()> {
    let Some(&[_, first, second]) = input.first_chunk() else {
        return incomplete(input, last);
    };
    let high = unit([first, second]);
    let unpaired = |kind| DecodeStep::bad(3, kind, ());
    match high {
        0xD800..=0xDBFF => match input[3..] {
            [UNICODE, first, second, ..] => match unit([first, second]) {
                low @ 0xDC00..=0xDFFF => {
                    let high = CodePoint::from(high - 0xD800) << 10;
                    let cp = 0x1_0000 + high + CodePoint::from(low - 0xDC00);
                    DecodeStep::Character { cp, len: 6, change: () }
                }
                _ => unpaired(IllFormedKind::UnpairedHighSurrogate),
            },
            [] | [UNICODE] | [UNICODE, _] if !last => DecodeStep::Incomplete,
            _ => unpaired(IllFormedKind::UnpairedHighSurrogate),
        },
        0xDC00..=0xDFFF => unpaired(IllFormedKind::UnpairedLowSurrogate),
        _ => DecodeStep::Character { cp: high.into(), len: 3, change: () },
    }
}

fn incomplete(input: &[u8], last: bool) -> DecodeStep<()> {
    if last {
        DecodeStep::bad(input.len(), IllFormedKind::TruncatedAtEnd, ())
    } else {
        DecodeStep::Incomplete
    }
}

impl StatefulCodec for Lmbcs {
    type Change = ();

    /// Finds the character of a code, if it has one, and the length that the first byte gives the code. If it has none,
    /// not all of that length is ill-formed: a byte below 80 in it may be US-ASCII, and is left to be read by itself.
    fn step(&self, input: &[u8], last: bool) -> DecodeStep<()> {
        let (group, second, third) = (input[0], input.get(1).copied(), input.get(2).copied());
        let (cp, len) = match (group, second) {
            (0x80.., _) => (set::LMBCS_850.character(group.into()), 1),
            _ if is_itself(group) => (Some(group.into()), 1),
            (UNICODE, _) => return unicode(input, last),
            _ if group != CONTROL && set_of(group).is_none() => (None, 1),
            (_, None) => return incomplete(input, last),
            (CONTROL, Some(code @ 0x80..)) => (Some(code.into()), 2),
            (CONTROL, Some(code)) => (code.checked_sub(CONTROL_OFFSET).map(CodePoint::from), 2),
            (FIRST_DOUBLE.., Some(second)) => {
                let Some(third) = third else { return incomplete(input, last) };
                let code = if second == group { 0 } else { u16::from(second) << 8 };
                let set = set_of(group).filter(|_| second == group || second >= 0x20);
                (set.and_then(|set| set.character(code | u16::from(third))), 3)
            }
            (_, Some(code @ 0x80..)) => {
                (set_of(group).and_then(|set| set.character(code.into())), 2)
            }
            (_, Some(code)) => {
                (set::LMBCS_EXCEPTIONS.character(u16::from_be_bytes([group, code])), 2)
            }
        };
        match cp {
            Some(cp) => DecodeStep::Character { cp, len, change: () },
            None if len == 1 => DecodeStep::bad(1, IllFormedKind::InvalidByte, ()),
            None => {
                let high = input[1..len].iter().take_while(|byte| **byte >= 0x80).count();
                DecodeStep::bad(1 + high, IllFormedKind::UndefinedSequence, ())
            }
        }
    }

    fn apply(&mut self, (): ()) {}

    fn run(&mut self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        read_plain(input, output, is_itself)
    }
}

/// The groups that the encoder tries for a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TriedGroups {
    Single,
    Double,
    Any,
}

/// The last code point of each range from U+00A0 on, with the groups tried for it. They were found by trying ICU's
/// converter, and together with its sets reproduce what it writes. A range ends where the next one begins: U+00A7 is in
/// the second row, and is tried in all groups.
const TRIED_GROUPS: [(u16, TriedGroups); 59] = {
    use TriedGroups::{Any, Double, Single};
    [
        (0x00A6, Single),
        (0x00A8, Any),
        (0x00AF, Single),
        (0x00B1, Any),
        (0x00B3, Single),
        (0x00B4, Any),
        (0x00B5, Single),
        (0x00B6, Any),
        (0x00D6, Single),
        (0x00D7, Any),
        (0x00F6, Single),
        (0x00F7, Any),
        (0x02C8, Single),
        (0x02D7, Any),
        (0x0379, Single),
        (0x0383, Double),
        (0x0431, Any),
        (0x044E, Single),
        (0x0450, Any),
        (0x05F2, Single),
        (0x060B, Double),
        (0x06B9, Single),
        (0x0E00, Double),
        (0x2012, Any),
        (0x2014, Single),
        (0x203D, Any),
        (0x207E, Double),
        (0x2080, Single),
        (0x20AB, Any),
        (0x2102, Single),
        (0x2112, Any),
        (0x2120, Single),
        (0x2121, Any),
        (0x212A, Single),
        (0x215A, Any),
        (0x215F, Single),
        (0x2193, Any),
        (0x2195, Single),
        (0x221E, Any),
        (0x221F, Single),
        (0x2247, Any),
        (0x2251, Single),
        (0x2263, Any),
        (0x2265, Single),
        (0x2294, Any),
        (0x2298, Single),
        (0x24FF, Any),
        (0x2500, Single),
        (0x2503, Any),
        (0x2505, Single),
        (0x2666, Any),
        (0x2669, Single),
        (0x266B, Any),
        (0x266C, Single),
        (0xF86E, Any),
        (0xF8FF, Single),
        (0xFE2F, Any),
        (0xFF00, Single),
        (0xFFFF, Double),
    ]
};

/// The encoder.
#[derive(Clone, Copy, Debug, Default)]
pub struct LmbcsEncoder {
    /// The group of the last character that had one; 0 at the start and after an exception.
    last: u8,
}

fn add(group: u8, set: CodedSet, cp: CodePoint, piece: &mut CharBytes) -> bool {
    match set.encoding().code(cp).map(u16::to_be_bytes) {
        Some([0, 0x00..=0x1F]) | None => return false,
        Some([0, code]) if group == LATIN => piece.add(&[code]),
        Some([0, code]) if group < FIRST_DOUBLE => piece.add(&[group, code]),
        Some([0, code]) => piece.add(&[group, group, code]),
        Some([first, second]) => piece.add(&[group, first, second]),
    }
    true
}

impl LmbcsEncoder {
    /// Appends a character in the first group that has it: the preferred one, the last one, then all in order, and the
    /// exceptions at the end. For the letters and signs of Latin-1 the preferred one is group 1, which takes a single
    /// byte.
    fn write_in_group(&mut self, unit: u16, piece: &mut CharBytes) -> bool {
        let (cp, at) = (unit.into(), TRIED_GROUPS.partition_point(|(end, _)| *end < unit));
        let kind = TRIED_GROUPS[at].1;
        let tried = |group: u8| match kind {
            TriedGroups::Single => group < FIRST_DOUBLE,
            TriedGroups::Double => group >= FIRST_DOUBLE,
            TriedGroups::Any => true,
        };
        let preferred = if unit <= 0xFF && kind == TriedGroups::Single { LATIN } else { self.last };
        let first = GROUPS.iter().filter(|(group, _)| *group == preferred);
        let then = GROUPS.iter().filter(|(group, _)| *group == self.last);
        for (group, set) in first.chain(then).chain(&GROUPS) {
            if tried(*group) && add(*group, *set, cp, piece) {
                self.last = *group;
                return true;
            }
        }
        match set::LMBCS_EXCEPTIONS.encoding().code(cp) {
            Some(code) if kind != TriedGroups::Double => {
                piece.add(&code.to_be_bytes());
                self.last = 0;
                true
            }
            _ => false,
        }
    }
}

fn add_unit(unit: u16, piece: &mut CharBytes) {
    match unit.to_be_bytes() {
        [high, 0] => piece.add(&[UNICODE, ZERO, high]),
        [high, low] => piece.add(&[UNICODE, high, low]),
    }
}

impl EncodeState for LmbcsEncoder {
    fn write(&mut self, cp: CodePoint, piece: &mut CharBytes) -> bool {
        match cp {
            0x00..=0x7F if is_itself(cp as u8) => piece.add(&[cp as u8]),
            0x00..=0x7F => piece.add(&[CONTROL, cp as u8 + CONTROL_OFFSET]),
            0x80..=0x9F => piece.add(&[CONTROL, cp as u8]),
            0xD800..=0xDFFF | 0x11_0000.. => return false,
            0x1_0000.. => {
                let mut units = [0; 2];
                for unit in
                    char::from_u32(cp).map(|c| c.encode_utf16(&mut units)).into_iter().flatten()
                {
                    add_unit(*unit, piece);
                }
            }
            _ => {
                let unit = cp as u16;
                // U+F6xx has no code: after 14, the byte F6 says that the low byte is 0.
                if !self.write_in_group(unit, piece) {
                    if unit.to_be_bytes()[0] == ZERO {
                        return false;
                    }
                    add_unit(unit, piece);
                }
            }
        }
        true
    }

    fn run(&mut self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        write_plain(input, output, is_itself)
    }
}

impl Encoder for LmbcsEncoder {
    fn encode(&mut self, input: &[CodePoint], output: &mut [u8]) -> EncodeProgress {
        encode(self, input, output)
    }

    fn joins(&self) -> bool {
        true
    }

    fn fork(&self) -> Box<dyn Encoder> {
        Box::new(*self)
    }
}

#[cfg(test)]
mod tests;
