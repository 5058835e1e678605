//! A user's table with shifts between one-byte and two-byte codes. It is read and written by the code for EBCDIC hosts
//! (`dbcs_host.rs`), which asks for single codes and pairs of codes and does not know where they come from.

use super::OwnTable;
use super::trie::TrieMatch;
use crate::codec::dbcs_host::{DoubleByte, HostReader, HostWriter, Shifts};
use crate::unicode::CodePoint;

/// The sets of a charset with shifts, from a user's table.
#[derive(Clone, Copy, Debug)]
pub struct OwnHost(pub &'static OwnTable);

impl HostReader for OwnHost {
    fn has_sequences(&self) -> bool {
        true
    }

    fn low(&self) -> u8 {
        self.0.low
    }

    fn shifts(&self) -> Shifts {
        Shifts::Ibm
    }

    fn single(&self, code: u8) -> Option<CodePoint> {
        match self.0.codes.find(&[code]) {
            TrieMatch::Character { cp, .. } => Some(cp),
            _ => None,
        }
    }

    fn pair(&self, code: u16) -> DoubleByte {
        match self.0.shifted.as_ref().map(|shifted| shifted.find(&code.to_be_bytes())) {
            Some(TrieMatch::Character { cp, .. }) => DoubleByte::Character(cp),
            Some(TrieMatch::Sequence { cps, .. }) => DoubleByte::Sequence(cps),
            _ => DoubleByte::Undefined,
        }
    }
}

impl HostWriter for OwnHost {
    fn shifts(&self) -> Shifts {
        Shifts::Ibm
    }

    fn code(&self, cp: CodePoint) -> Option<u16> {
        self.0.code(cp).map(|code| number(code.as_slice()))
    }

    fn best_fit(&self, cp: CodePoint) -> Option<CodePoint> {
        self.0.best_fit(cp)
    }

    fn sequences(&self) -> Vec<([CodePoint; 2], u16)> {
        self.0.sequences.iter().map(|(cps, code)| (*cps, number(code.as_slice()))).collect()
    }
}

/// Returns a code of one or two bytes as a number.
fn number(code: &[u8]) -> u16 {
    code.iter().fold(0, |number, byte| number << 8 | u16::from(*byte))
}
