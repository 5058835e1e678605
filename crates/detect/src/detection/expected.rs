//! What is known of a text before it is examined: its languages and its encodings.

use super::charsets::{TrialCharset, charset, charsets};
use crate::language::{Language, LanguageSet};
use oxiconv_encodings::encoding::{Encoding, UsedFor};

/// What a text is expected to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// Its possible languages; empty for all.
    pub(super) languages: LanguageSet,
    /// Its possible encodings; `None` for all.
    pub(super) candidates: Option<&'static [&'static Encoding]>,
}

impl Expected {
    pub(super) fn charsets(self) -> impl Iterator<Item = &'static TrialCharset> {
        let all = self.candidates.is_none().then(charsets).unwrap_or_default();
        let asked = self.candidates.unwrap_or_default();
        let asked = asked.iter().filter_map(|encoding| charset(encoding));
        all.iter().chain(asked)
    }

    /// Whether an answer that does not come from letters may be this encoding: it is among the candidates, if there are
    /// any, and was used for one of the languages.
    pub(super) fn allows(self, encoding: &'static Encoding) -> bool {
        let is_asked_for = self.candidates.is_none_or(|all| all.contains(&encoding));
        let was_used = |used: &UsedFor| {
            used.tags().filter_map(Language::for_tag).any(|it| self.languages.contains(it))
        };
        is_asked_for && (self.languages.is_empty() || UsedFor::of(encoding).is_none_or(was_used))
    }
}
