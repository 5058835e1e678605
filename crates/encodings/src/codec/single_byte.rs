//! Single-byte character sets: a table of 256 codes (`set/`), and a kernel to look them up.

use super::encode_table::EncodeTable;
use super::set::CodedSet;
use super::{Decoded, Encoded, StatelessCodec};
use crate::unicode::{CodePoint, IllFormed, IllFormedKind};
use oxiconv_kernels::{Codes, Progress, suited};

/// The codec of a single-byte character set.
#[derive(Clone, Copy, Debug)]
pub struct SingleByte {
    codes: &'static Codes,
    set: CodedSet,
}

impl SingleByte {
    /// Creates the codec of `set`, which has only one-byte codes. The first use of each direction builds its table, in
    /// some microseconds.
    pub fn new(set: CodedSet) -> Self {
        Self { codes: set.codes(), set }
    }

    fn bytes(self) -> &'static EncodeTable {
        self.set.encoding()
    }

    pub(super) fn character(self, byte: u8) -> Option<u16> {
        self.codes.character(byte)
    }
}

impl StatelessCodec for SingleByte {
    fn decode_run(&self, input: &[u8], output: &mut [CodePoint]) -> Progress {
        let done = (suited(input.len()).table)(self.codes, input, output);
        Progress { read: done, written: done }
    }

    fn decode_one(&self, input: &[u8]) -> Decoded {
        match self.character(input[0]) {
            Some(cp) => Decoded::Character { cp: cp.into(), len: 1 },
            None => Decoded::IllFormed(IllFormed::new(1, IllFormedKind::InvalidByte)),
        }
    }

    fn encode_run(&self, input: &[CodePoint], output: &mut [u8]) -> Progress {
        self.bytes().encode(input, output, |_| None)
    }

    fn encode_one(&self, cp: CodePoint) -> Option<Encoded> {
        self.bytes().bytes(cp)
    }

    fn writes_utf8(&self) -> bool {
        true
    }

    fn decode_to_utf8(&self, input: &[u8], output: &mut [u8]) -> Progress {
        self.set.utf8_bytes().convert(input, output)
    }

    fn reads_utf8(&self) -> bool {
        true
    }

    fn encode_from_utf8(&self, input: &[u8], output: &mut [u8]) -> Progress {
        self.bytes().convert(input, output, |_| None)
    }

    fn best_fit(&self, cp: CodePoint) -> Option<CodePoint> {
        self.set.best_fit(cp)
    }
}
