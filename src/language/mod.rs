//! Languages, and how likely text is in each of them.

/// A language that the model knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Language {
    tag: &'static str,
}

impl Language {
    /// Returns the language with this tag of BCP 47, such as `ru` or `zh-Hant`; case does not matter.
    #[must_use]
    pub fn for_tag(tag: &str) -> Option<Self> {
        TAGS.into_iter().find(|known| known.eq_ignore_ascii_case(tag)).map(|tag| Self { tag })
    }

    /// Returns its English name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.tag
    }

    /// Returns its tag of BCP 47.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        self.tag
    }
}

const TAGS: [&str; 1] = ["en"];
