//! The alphabets of short messages: 1B takes the character after it from an extension table (3GPP TS 23.038, 6.2.1).
//!
//! ```text
//! 61        ─► a code of the alphabet: a
//! 1B 65     ─► a code of the extension table: €
//! ```
//!
//! The alphabet is the default one or a national locking shift table, the extension table the default one or a national
//! single shift table. A message says in its header which; here each pair of tables is a charset of its own.
//!
//! An ill-formed subsequence is one byte: a code without a character, or 1B before a byte that the extension table
//! lacks. The byte after it may be a character by itself, and must not vanish. Only 1B 1B are two bytes, the code that
//! is reserved for a further table.

use super::encode_table::EncodeTable;
use super::set::CodedSet;
use super::{Decoded, Encoded, StatelessCodec};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind};
use oxiconv_kernels::{Codes, Progress, suited};

const ESCAPE: u8 = 0x1B;

/// The codec.
#[derive(Clone, Copy, Debug)]
pub struct ExtensionTable {
    alphabet: &'static Codes,
    extension: &'static Codes,
    encoding: &'static EncodeTable,
}

impl ExtensionTable {
    /// Creates the codec of two sets of single bytes. No code of `alphabet` is 1B.
    pub fn new(alphabet: CodedSet, extension: CodedSet) -> Self {
        let encoding = EncodeTable::of_two(alphabet, ESCAPE, extension);
        Self { alphabet: alphabet.codes(), extension: extension.codes(), encoding }
    }
}

impl StatelessCodec for ExtensionTable {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        let (mut read, mut written) = (0, 0);
        loop {
            let (rest, room) = (&input[read..], &mut output[written..]);
            let most = &rest[..rest.len().min(room.len())];
            let plain = most.iter().position(|byte| *byte == ESCAPE).unwrap_or(most.len());
            let done = (suited(plain).table)(self.alphabet, &most[..plain], room);
            read += done;
            written += done;
            let (Some([ESCAPE, code]), Some(slot)) =
                (input[read..].first_chunk(), output.get_mut(written))
            else {
                break;
            };
            let Some(cp) = self.extension.character(*code) else { break };
            *slot = cp.into();
            read += 2;
            written += 1;
        }
        Progress { read, written }
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        let bad = |kind| Decoded::IllFormed(IllFormed::new(1, kind));
        match *input {
            [ESCAPE] => Decoded::Incomplete,
            [ESCAPE, ESCAPE, ..] => {
                Decoded::IllFormed(IllFormed::new(2, IllFormedKind::UndefinedSequence))
            }
            [ESCAPE, code, ..] => match self.extension.character(code) {
                Some(cp) => Decoded::Character { cp: cp.into(), len: 2 },
                None => bad(IllFormedKind::Truncated),
            },
            [code, ..] => match self.alphabet.character(code) {
                Some(cp) => Decoded::Character { cp: cp.into(), len: 1 },
                None => bad(IllFormedKind::InvalidByte),
            },
            [] => Decoded::Incomplete,
        }
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        self.encoding.encode(input, output, |_| None)
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        self.encoding.bytes(cp)
    }

    fn reads_utf8(&self) -> bool {
        true
    }

    fn encode_from_utf8(&self, input: &[u8], output: &mut [u8]) -> Progress {
        self.encoding.convert(input, output, |_| None)
    }
}

#[cfg(test)]
mod tests;
