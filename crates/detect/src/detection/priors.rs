//! What an encoding and a language cost besides the text of a line. A log has few writers, and each of them writes one
//! language in one encoding, so what was seen before is cheaper.
//!
//! A short line gets its encoding from this. `нет` in KOI8-R (CE C5 D4) is also three letters in windows-1251 (`ОЕФ`),
//! and little else speaks for one or the other. After a line in KOI8-R, windows-1251 costs 16 bits more, so the line
//! stays in KOI8-R. A long line in windows-1251 saves more than that, and wins.

use crate::language::{Language, LanguageSet, UNIT};
use oxiconv_encodings::encoding::Encoding;

/// The cost in bits of an encoding, and of a language, that no earlier line is in.
const OTHER_ENCODING: u64 = 16;
const OTHER_LANGUAGE: u64 = 6;

/// The encodings and languages of the lines before. For the first line, all of them are free.
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

    /// Returns the cost of an encoding, in sixteenths of a bit.
    pub(super) fn of_encoding(&self, encoding: &Encoding) -> u64 {
        let is_new = !self.encodings.is_empty() && !self.encodings.contains(&encoding);
        if is_new { OTHER_ENCODING * u64::from(UNIT) } else { 0 }
    }

    /// Returns the cost of a language, in sixteenths of a bit.
    pub(super) fn of_language(&self, language: Language) -> u64 {
        let is_new = !self.languages.is_empty() && !self.languages.contains(language);
        if is_new { OTHER_LANGUAGE * u64::from(UNIT) } else { 0 }
    }
}
