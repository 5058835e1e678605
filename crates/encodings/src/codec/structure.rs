//! The structures of charsets: how the codes of their sets make up a text.
//!
//! Single bytes; bytes, pairs and longer codes after prefixes (Shift_JIS, Big5, EUC); shifts (EBCDIC hosts); letters
//! and marks that compose. Each structure is one codec, whatever its sets are, so that a charset is a row of data. ISO
//! 2022, HZ and GB 18030 have structures that nothing else has; they are code of their own over named sets.

use super::compositions::CharsetCompositions;
use super::table::{OwnCodec, OwnHost, OwnTable};
use super::{
    CodedSet, Composing, ComposingDecoder, Decoder, Encoder, Host, HostDecoder, HostEncoder,
    Joining, Multi, MultiByte, SingleByte, Stateful, Stateless, WritesSequences,
};

/// What a charset consists of. A row of the registry has one as a value.
#[derive(Clone, Copy, Debug)]
pub enum Structure {
    /// One byte per character.
    Single(CodedSet),
    /// One byte per character, or several, without state.
    Multi(Multi),
    /// One byte per character, and marks that compose with the letter before them.
    Composing(CodedSet, &'static CharsetCompositions),
    /// Bytes, and pairs between a shift-out and a shift-in.
    Host(Host),
    /// Whatever a table says that a user brings.
    Own(&'static OwnTable),
}

impl Structure {
    /// Creates the decoder.
    pub(crate) fn decoder(self) -> Box<dyn Decoder> {
        match self {
            Self::Single(set) => Box::new(Stateless(SingleByte::new(set))),
            Self::Multi(multi) => Box::new(Stateless(MultiByte::new(multi))),
            Self::Composing(set, compositions) => {
                Box::new(ComposingDecoder(Composing::new(set, compositions)))
            }
            Self::Host(host) => Box::new(Stateful::new(HostDecoder::new(host))),
            Self::Own(table) if table.has_shifts() => {
                Box::new(Stateful::new(HostDecoder::of(OwnHost(table))))
            }
            Self::Own(table) => Box::new(Stateless(OwnCodec(table))),
        }
    }

    /// Creates the encoder.
    pub(crate) fn encoder(self) -> Box<dyn Encoder> {
        match self {
            Self::Single(set) => Box::new(Stateless(SingleByte::new(set))),
            Self::Multi(multi) => joining(Stateless(MultiByte::new(multi))),
            Self::Composing(set, compositions) => {
                Box::new(Stateless(Composing::new(set, compositions)))
            }
            Self::Host(host) => joining(HostEncoder::new(host)),
            Self::Own(table) if table.has_shifts() => joining(HostEncoder::of(OwnHost(table))),
            Self::Own(table) => joining(Stateless(OwnCodec(table))),
        }
    }
}

/// Returns an encoder that writes its sequences of two code points as one code each.
fn joining<E: WritesSequences>(encoder: E) -> Box<dyn Encoder> {
    if encoder.sequences().is_empty() { Box::new(encoder) } else { Box::new(Joining::new(encoder)) }
}
