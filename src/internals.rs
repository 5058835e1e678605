//! Internals for this package's own tests and benches, and for the C library. They are not part of the library's API: any
//! version may change them. Users of the library do not need the feature `internals`.

/// What the program reads that it did not write.
#[cfg(feature = "cli")]
pub mod untrusted {
    pub use crate::cli::untrusted::*;
}

/// Codecs.
pub mod codec {
    pub use crate::codec::*;
}

/// Findings and guesses.
pub mod diagnostic {
    pub use crate::diagnostic::*;

    /// Returns what a summary has of a piece of a text.
    #[cfg(feature = "cli")]
    pub fn extent(summary: &Summary) -> Option<&Extent> {
        summary.extent.as_ref()
    }
}

/// The registry.
pub mod encoding {
    pub use crate::encoding::*;

    /// The same as [`Encoding::for_name`].
    ///
    /// # Errors
    ///
    /// If there is none: [`UnknownEncoding`].
    pub fn find(name: &str) -> Result<&'static Encoding, UnknownEncoding> {
        Encoding::for_name(name)
    }
}

/// Sources, and what the program uses for files.
pub mod io {
    pub use crate::io::*;
}

/// Kernels.
pub mod kernels {
    pub use crate::kernels::*;
}

/// Damaged text.
#[cfg(feature = "detection")]
pub mod mojibake {
    pub use crate::mojibake::*;
}

/// Conversions.
pub mod transcode {
    pub use crate::transcode::*;
}

/// The terms of the Unicode Standard.
pub mod unicode {
    pub use crate::unicode::*;
}

use crate::codec::{ByteOrder, Decoder, Encoder};
use crate::encoding::{Encoding, Family, Mark, SplitRule};

/// What the rest of the library knows about an encoding.
pub trait EncodingInternals {
    /// Creates a decoder.
    fn new_decoder(&self, order: ByteOrder) -> Box<dyn Decoder>;
    /// Creates an encoder.
    fn new_encoder(&self, order: ByteOrder) -> Box<dyn Encoder>;
    /// Returns the rule that makes a text well-formed.
    fn family(&self) -> Family;
    /// Returns how an initial U+FEFF is treated.
    fn mark(&self) -> Mark;
    /// Returns where its text can be split.
    fn split(&self) -> SplitRule;
}

impl EncodingInternals for Encoding {
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
