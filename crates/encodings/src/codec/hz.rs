//! HZ (RFC 1843): 7-bit text in US-ASCII, with GB 2312 between `~{` and `~}`.
//!
//! ```text
//! ~~  a tilde     ~ and a line feed  nothing     ~{  two bytes a character     ~}  US-ASCII again
//! ```
//!
//! The text begins and ends in US-ASCII. The encoder returns to it before every character of US-ASCII, so each line
//! begins in it; the decoder returns to it at a line end, as in ICU and Python.
//!
//! An ill-formed subsequence is one byte: a tilde that begins no escape, a byte from 80 on, and, in GB 2312, a byte
//! that begins no code and the first byte of a truncated code. A code in the range 2121 to 7D7E without a character is
//! two bytes.

use super::set::CodedSet;
use super::set::GB_2312;
use super::stateful_codec::{
    CharBytes, DecodeStep, EncodeState, StatefulCodec, encode, read_plain, write_plain,
};
use super::{EncodeProgress, Encoder};
use crate::unicode::{CARRIAGE_RETURN, CodePoint, IllFormedKind, LINE_FEED};
use oxiconv_kernels::Progress;

const TILDE: u8 = b'~';
const SET: CodedSet = GB_2312;

/// The codec from which [`super::Stateful`] makes the decoder.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hz {
    chinese: bool,
}

impl Hz {
    fn tilde(self, second: Option<u8>, last: bool) -> DecodeStep<bool> {
        let change = self.chinese;
        match (self.chinese, second) {
            (_, None) if last => DecodeStep::bad(1, IllFormedKind::TruncatedAtEnd, change),
            (_, None) => DecodeStep::Incomplete,
            (false, Some(TILDE)) => DecodeStep::Character { cp: TILDE.into(), len: 2, change },
            (false, Some(b'{')) => DecodeStep::Shift { len: 2, change: true },
            (false, Some(b'\n')) => DecodeStep::Shift { len: 2, change },
            // In US-ASCII it is redundant, and accepted.
            (_, Some(b'}')) => DecodeStep::Shift { len: 2, change: false },
            _ => DecodeStep::bad(1, IllFormedKind::InvalidEscape, change),
        }
    }
}

impl StatefulCodec for Hz {
    /// Whether the text is in GB 2312 from here on.
    type Change = bool;

    /// A tilde is tested first: it begins an escape in either set, and no code of GB 2312. Controls and spaces are read
    /// as themselves between two codes, and a line end also returns to US-ASCII.
    fn step(&self, input: &[u8], last: bool) -> DecodeStep<bool> {
        let change = self.chinese;
        match (input[0], input.get(1)) {
            (TILDE, second) => self.tilde(second.copied(), last),
            (0x80.., _) => DecodeStep::bad(1, IllFormedKind::InvalidByte, change),
            (first @ 0x21..=0x7D, Some(&second @ 0x21..=0x7E)) if self.chinese => {
                match SET.character(u16::from_be_bytes([first, second])) {
                    Some(cp) => DecodeStep::Character { cp, len: 2, change },
                    None => DecodeStep::bad(2, IllFormedKind::UndefinedSequence, change),
                }
            }
            (0x21..=0x7D, None) if self.chinese && !last => DecodeStep::Incomplete,
            (0x21..=0x7D, None) if self.chinese => {
                DecodeStep::bad(1, IllFormedKind::TruncatedAtEnd, change)
            }
            (0x21..=0x7D, _) if self.chinese => {
                DecodeStep::bad(1, IllFormedKind::Truncated, change)
            }
            (byte, _) => {
                let cp = byte.into();
                let ends = matches!(cp, LINE_FEED | CARRIAGE_RETURN);
                DecodeStep::Character { cp, len: 1, change: change && !ends }
            }
        }
    }

    fn apply(&mut self, chinese: bool) {
        self.chinese = chinese;
    }

    fn run(&mut self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        if !self.chinese {
            return read_plain(input, output, |byte| byte != TILDE);
        }
        // The run ends at the first two bytes that are no code, so at an escape, a control or a fault.
        SET.pair_index().decode_pairs(input, output)
    }
}

/// The encoder.
#[derive(Clone, Copy, Debug, Default)]
pub struct HzEncoder {
    chinese: bool,
}

impl EncodeState for HzEncoder {
    fn write(&mut self, cp: CodePoint, piece: &mut CharBytes) -> bool {
        if cp < 0x80 {
            if std::mem::take(&mut self.chinese) {
                piece.add(b"~}");
            }
            let byte = cp as u8;
            piece.add(if byte == TILDE { b"~~" } else { std::slice::from_ref(&byte) });
            return true;
        }
        // A code from 7E00 on would begin with a tilde, and be read as an escape.
        let Some(code) = SET.encoding().code(cp).filter(|code| *code < 0x7E00) else {
            return false;
        };
        if !std::mem::replace(&mut self.chinese, true) {
            piece.add(b"~{");
        }
        piece.add(&code.to_be_bytes());
        true
    }

    fn run(&mut self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        write_plain(input, output, |byte| !self.chinese && byte != TILDE)
    }
}

impl Encoder for HzEncoder {
    fn encode(&mut self, input: &[CodePoint], output: &mut [u8]) -> EncodeProgress {
        encode(self, input, output)
    }

    fn pending(&self) -> usize {
        2 * usize::from(self.chinese)
    }

    fn finish(&mut self, output: &mut [u8]) -> usize {
        if !std::mem::take(&mut self.chinese) {
            return 0;
        }
        output[..2].copy_from_slice(b"~}");
        2
    }

    fn fork(&self) -> Box<dyn Encoder> {
        Box::new(*self)
    }
}

#[cfg(test)]
mod tests;
