//! What is known of a text before it is examined: the languages that it may be in, and the encodings.

use super::charsets::{TrialCharset, charset, charsets};
use crate::language::{Language, LanguageSet};
use oxiconv_encodings::encoding::{Encoding, UsedFor};

/// What a text is expected to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// Its languages; all if there are none.
    pub(super) languages: LanguageSet,
    /// Its encodings; `None` is all that are known.
    pub(super) candidates: Option<&'static [&'static Encoding]>,
}

impl Expected {
    /// Iterates over the charsets that a text may be in.
    pub(super) fn charsets(self) -> impl Iterator<Item = &'static TrialCharset> {
        let all = self.candidates.is_none().then(charsets).unwrap_or_default();
        let asked = self.candidates.unwrap_or_default();
        let asked = asked.iter().filter_map(|encoding| charset(encoding));
        all.iter().chain(asked)
    }

    /// Whether an answer may be this encoding, which is no charset of letters alone: it is asked for, or nothing is, and it
    /// was used for one of the languages.
    pub(super) fn allows(self, encoding: &'static Encoding) -> bool {
        let is_asked_for = self.candidates.is_none_or(|all| all.contains(&encoding));
        let was_used = |used: &UsedFor| {
            used.tags().filter_map(Language::for_tag).any(|it| self.languages.contains(it))
        };
        is_asked_for && (self.languages.is_empty() || UsedFor::of(encoding).is_none_or(was_used))
    }
}
