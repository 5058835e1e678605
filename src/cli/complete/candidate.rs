//! A candidate for the word that is being completed.

pub(super) struct CompletionCandidate {
    pub(super) word: String,
    pub(super) description: String,
}

impl CompletionCandidate {
    pub(super) fn new(word: impl Into<String>, description: impl ToString) -> Self {
        Self { word: word.into(), description: description.to_string() }
    }
}

/// Whether a word begins with what was typed, ignoring ASCII case.
pub(super) fn begins(word: &str, typed: &str) -> bool {
    word.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed))
}
