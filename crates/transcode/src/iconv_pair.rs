//! The options that iconv means by two names and their suffixes. The command and the function share it;
//! `encoding/iconv_names.rs` reads the names.

use super::options::Options;
use super::policy::{MarkMode, OnIllFormed, OnUnmappable};
use oxiconv_encodings::encoding::{IconvEncoding, Mark, NATIVE, Suffixes};

/// The encodings of a conversion as glibc's iconv reads their names, and the suffixes of the second one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IconvPair {
    /// The encoding of the input.
    pub from: IconvEncoding,
    /// The encoding of the output.
    pub to: IconvEncoding,
    /// What happens to what cannot be converted.
    pub suffixes: Suffixes,
}

impl IconvPair {
    /// Returns the options that the names and suffixes request.
    ///
    /// For a character without similar text, `//NON_IDENTICAL_DISCARD` comes first, which leaves it out, then
    /// `//TRANSLIT`, which replaces it (by `?`, if the target lacks U+FFFD), then `//IGNORE`. Ill-formed bytes are left
    /// out with `//IGNORE`, or at the request of `iconvctl`, and otherwise stop the conversion.
    pub fn options(&self) -> Options {
        let Suffixes { transliterate, ignore, discard, .. } = self.suffixes;
        let skips = self.suffixes.skips_ill_formed();
        let on_ill_formed = if skips { OnIllFormed::Skip } else { OnIllFormed::Stop };
        let on_unmappable = if discard {
            OnUnmappable::Skip
        } else if transliterate {
            // glibc transliterates even what has no similar text, to a question mark, and even with //IGNORE.
            OnUnmappable::Replace
        } else if ignore {
            OnUnmappable::Skip
        } else {
            OnUnmappable::Stop
        };
        let options = Options::new();
        // iconv reads whatever is well-formed.
        #[cfg(feature = "detection")]
        let options = options.keep_units(true);
        options
            .on_ill_formed(on_ill_formed)
            .on_unmappable(on_unmappable)
            .transliterate(transliterate)
            .marks(self.marks())
            .byte_order(NATIVE)
    }

    /// To iconv, U+FEFF is a character unless it tells the byte order. The output has at most one, as a mark.
    fn marks(&self) -> MarkMode {
        if self.to.marked {
            return MarkMode::Add;
        }
        match self.from.read.mark {
            Mark::Signature => MarkMode::Keep,
            _ => MarkMode::Auto,
        }
    }
}
