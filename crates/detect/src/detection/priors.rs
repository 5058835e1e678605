//! What an encoding and a language of a line cost besides its text. A log has few writers, and each writes one language
//! in one encoding: what was seen before costs less.

use crate::language::{Language, LanguageSet, UNIT};
use oxiconv_encodings::encoding::Encoding;

/// What it costs, in bits, that a line is in another encoding than all lines before it, and that it is in another
/// language than those.
const OTHER_ENCODING: u64 = 16;
const OTHER_LANGUAGE: u64 = 6;

/// The encodings and languages of the lines before. Before the first line, all cost nothing.
#[derive(Debug, Default)]
pub(super) struct Priors {
    encodings: Vec<&'static Encoding>,
    languages: LanguageSet,
}

impl Priors {
    pub(super) fn new(
        encodings: impl Iterator<Item = &'static Encoding>,
        languages: impl Iterator<Item = Language>,
    ) -> Self {
        Self { encodings: encodings.collect(), languages: languages.collect() }
    }

    /// Returns what an encoding costs, in sixteenths of a bit.
    pub(super) fn of_encoding(&self, encoding: &Encoding) -> u64 {
        let is_new = !self.encodings.is_empty() && !self.encodings.contains(&encoding);
        if is_new { OTHER_ENCODING * u64::from(UNIT) } else { 0 }
    }

    /// Returns what a language costs, in sixteenths of a bit.
    pub(super) fn of_language(&self, language: Language) -> u64 {
        let is_new = !self.languages.is_empty() && !self.languages.contains(language);
        if is_new { OTHER_LANGUAGE * u64::from(UNIT) } else { 0 }
    }
}
