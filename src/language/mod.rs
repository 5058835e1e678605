//! Languages, and how likely a text is in each of them: a model of letter pairs over code points.
//!
//! ```text
//! languages.txt   tag, name, script, alphabet ─┐
//! pairs.bin       a cost for each two symbols  ├─► Model: code point ─► Symbol, two symbols ─► cost in sixteenths of a bit
//! ideographs.bin  a cost for each ideograph   ─┘
//! ```
//!
//! The cost of a text is the binary logarithm of how unlikely it is. So costs of the same bytes, read in several
//! encodings, can be compared, and their difference says how much likelier one reading is. tools/language makes the
//! files from the translations in Debian's packages.

mod fold;
mod model;
mod script;
mod strange;

pub(crate) use fold::Character;
pub(crate) use model::{Model, Symbol, UNIT, models};
pub(crate) use script::Script;

/// A language that the model knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Language(u8);

impl Language {
    /// Returns the language with this tag of BCP 47, such as `ru` or `zh-Hant`; case does not matter.
    ///
    /// ```
    /// # use oxiconv::Language;
    /// assert_eq!(Language::for_tag("RU").map(Language::name), Some("Russian"));
    /// assert_eq!(Language::for_tag("zh"), None);
    /// ```
    #[must_use]
    pub fn for_tag(tag: &str) -> Option<Self> {
        Self::all().find(|language| language.tag().eq_ignore_ascii_case(tag))
    }

    /// Iterates over all languages, by their tags.
    pub fn all() -> impl Iterator<Item = Self> {
        models().iter().map(Model::language)
    }

    /// Returns its tag of BCP 47.
    #[must_use]
    pub fn tag(self) -> &'static str {
        self.model().tag
    }

    /// Returns its name in English.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.model().name
    }

    /// Returns the model of its letters.
    pub(crate) fn model(self) -> &'static Model {
        &models()[usize::from(self.0)]
    }
}
