//! The structures of charsets: how codes of their sets make up a text. Each has one codec, whatever the sets are.

use super::{Decoder, Encoder, Multi, MultiByte, Set, SingleByte, Stateless};

/// What a charset consists of. A row of the registry has one as a value.
#[derive(Clone, Copy, Debug)]
pub enum Structure {
    /// One byte per character.
    Single(Set),
    /// One byte per character, or several, without state.
    Multi(Multi),
    /// Bytes, and pairs between a shift-out and a shift-in.
    Host(Host),
}

/// The sets of a text with shifts.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// Codes of one byte.
    pub(crate) single: Set,
    /// Codes of two bytes.
    pub(crate) pairs: Set,
}

impl Structure {
    /// Creates the decoder.
    pub(crate) fn decoder(self) -> Box<dyn Decoder> {
        match self {
            Self::Single(set) => Box::new(Stateless(SingleByte::new(set))),
            Self::Multi(multi) => Box::new(Stateless(MultiByte::new(multi))),
            Self::Host(host) => Box::new(Stateless(SingleByte::new(host.single))),
        }
    }

    /// Creates the encoder.
    pub(crate) fn encoder(self) -> Box<dyn Encoder> {
        match self {
            Self::Single(set) => Box::new(Stateless(SingleByte::new(set))),
            Self::Multi(multi) => Box::new(Stateless(MultiByte::new(multi))),
            Self::Host(host) => Box::new(Stateless(SingleByte::new(host.single))),
        }
    }
}
