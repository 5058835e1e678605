//! What this package's own tests and benches look at. It is no part of the library's promises: any version may change
//! any of it. A user of the library has no use for the feature `internals`.

/// Codecs.
pub mod codec {
    pub use crate::codec::*;
}

/// Findings, and guesses.
pub mod diagnostic {
    pub use crate::diagnostic::*;
}

/// The registry.
pub mod encoding {
    pub use crate::encoding::*;

    /// The same as [`Encoding::for_name`].
    ///
    /// # Errors
    ///
    /// [`UnknownEncoding`] if there is none.
    pub fn find(name: &str) -> Result<&'static Encoding, UnknownEncoding> {
        Encoding::for_name(name)
    }
}

/// Sources, and what the program has for files.
pub mod io {
    pub use crate::io::*;
}

/// Kernels.
pub mod kernels {
    pub use crate::kernels::*;
}

/// Conversions.
pub mod transcode {
    pub use crate::transcode::*;
}

/// The vocabulary of the Unicode Standard.
pub mod unicode {
    pub use crate::unicode::*;
}

use crate::codec::{ByteOrder, Decoder, Encoder};
use crate::encoding::{Encoding, Family, Mark, SplitRule};

/// What an encoding is to the rest of the library.
pub trait Facts {
    /// A fresh decoder.
    fn new_decoder(&self, order: ByteOrder) -> Box<dyn Decoder>;
    /// A fresh encoder.
    fn new_encoder(&self, order: ByteOrder) -> Box<dyn Encoder>;
    /// Which rule makes a text well-formed.
    fn family(&self) -> Family;
    /// What an initial U+FEFF is.
    fn mark(&self) -> Mark;
    /// Where it may be cut.
    fn split(&self) -> SplitRule;
}

impl Facts for Encoding {
    fn new_decoder(&self, order: ByteOrder) -> Box<dyn Decoder> {
        self.new_decoder(order)
    }

    fn new_encoder(&self, order: ByteOrder) -> Box<dyn Encoder> {
        self.new_encoder(order)
    }

    fn family(&self) -> Family {
        self.family
    }

    fn mark(&self) -> Mark {
        self.mark
    }

    fn split(&self) -> SplitRule {
        self.split
    }
}
