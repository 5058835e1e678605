//! The structures of charsets: how the codes of their sets form a text.
//!
//! Each structure is one codec, whatever its sets are, so that a charset is a row of data. ISO 2022, HZ and GB 18030
//! have structures of their own, so each of them has a codec that names its sets.

use super::compositions::CharsetCompositions;
use super::table::{OwnCodec, OwnHost, OwnTable};
use super::{
    CodedSet, Composing, ComposingDecoder, Decoder, Encoder, ExtensionTable, Host, HostDecoder,
    HostEncoder, Joining, Multi, MultiByte, SingleByte, Stateful, Stateless, WritesSequences,
};

/// The structure of a charset and its sets, as a value in a row of the registry.
#[derive(Clone, Copy, Debug)]
pub enum Structure {
    /// One byte per character.
    Single(CodedSet),
    /// One or more bytes per character, without state: Shift_JIS, Big5, EUC.
    Multi(Multi),
    /// One byte per character, and marks that compose with the letter before them.
    Composing(CodedSet, &'static CharsetCompositions),
    /// One byte per character, or 1B and one byte of the second set: short messages.
    Extension(CodedSet, CodedSet),
    /// Single bytes, and pairs between a shift-out and a shift-in: EBCDIC hosts.
    Host(Host),
    /// A user's table.
    Own(&'static OwnTable),
}

impl Structure {
    pub(crate) fn decoder(self) -> Box<dyn Decoder> {
        match self {
            Self::Single(set) => Box::new(Stateless(SingleByte::new(set))),
            Self::Multi(multi) => Box::new(Stateless(MultiByte::new(multi))),
            Self::Composing(set, compositions) => {
                Box::new(ComposingDecoder(Composing::new(set, compositions)))
            }
            Self::Extension(alphabet, extension) => {
                Box::new(Stateless(ExtensionTable::new(alphabet, extension)))
            }
            Self::Host(host) => Box::new(Stateful::new(HostDecoder::new(host))),
            Self::Own(table) if table.has_shifts() => {
                Box::new(Stateful::new(HostDecoder::of(OwnHost(table))))
            }
            Self::Own(table) => Box::new(Stateless(OwnCodec(table))),
        }
    }

    pub(crate) fn encoder(self) -> Box<dyn Encoder> {
        match self {
            Self::Single(set) => Box::new(Stateless(SingleByte::new(set))),
            Self::Multi(multi) => joining(Stateless(MultiByte::new(multi))),
            Self::Composing(set, compositions) => {
                Box::new(Stateless(Composing::new(set, compositions)))
            }
            Self::Extension(alphabet, extension) => {
                Box::new(Stateless(ExtensionTable::new(alphabet, extension)))
            }
            Self::Host(host) => joining(HostEncoder::new(host)),
            Self::Own(table) if table.has_shifts() => joining(HostEncoder::of(OwnHost(table))),
            Self::Own(table) => joining(Stateless(OwnCodec(table))),
        }
    }
}

/// Boxes an encoder, wrapped so that it writes sequences of two code points as one code, if it has any. Only then does
/// it pay for looking for them, and for holding a code point back. Decoders need no wrapper, since they return both
/// code points of a code at once.
fn joining<E: WritesSequences>(encoder: E) -> Box<dyn Encoder> {
    if encoder.sequences().is_empty() { Box::new(encoder) } else { Box::new(Joining::new(encoder)) }
}
