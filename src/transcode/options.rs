//! What is wanted of a conversion, and what of it does not go together.

use super::denied::Denied;
use super::policy::{
    Detail, MarkMode, OnDenied, OnForeignMark, OnIllFormed, OnInnerMark, OnUnmappable, Threads,
};
use crate::codec::ByteOrder;
use crate::diagnostic::DeniedKind;
use crate::encoding::Encoding;

/// What does not go together in a conversion.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// The replacement has a character that the target lacks.
    #[error("the replacement '{replacement}' cannot be written in {target}")]
    Replacement {
        /// The replacement.
        replacement: String,
        /// The name of the target.
        target: &'static str,
    },
    /// The fallback is no single-byte encoding.
    #[error("the fallback must be a single-byte encoding such as windows-1252, and {0} is not one")]
    Fallback(&'static str),
    /// A mark is to be added to an encoding that has none.
    #[error("{0} has no byte order mark to add")]
    NoMark(&'static str),
}

/// What is wanted of a conversion. Without any of them it is strict: it stops in front of the first fault.
///
/// ```
/// use oxiconv::{Encoding, MarkMode, OnIllFormed, Options};
///
/// let options = Options::new().on_ill_formed(OnIllFormed::Replace).marks(MarkMode::Strip);
/// let conversion = options.build(Encoding::UTF_8, Encoding::UTF_16LE)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "options do nothing until a conversion is built of them"]
pub struct Options {
    pub(crate) on_ill_formed: OnIllFormed,
    pub(crate) on_unmappable: OnUnmappable,
    pub(crate) replacement: Option<String>,
    pub(crate) fallback: Option<&'static Encoding>,
    pub(crate) marks: MarkMode,
    pub(crate) byte_order: ByteOrder,
    pub(crate) on_inner_mark: OnInnerMark,
    pub(crate) on_foreign_mark: OnForeignMark,
    pub(crate) denied: Denied,
    pub(crate) on_denied: OnDenied,
    pub(crate) detail: Detail,
    pub(crate) threads: Threads,
}

impl Options {
    /// Strict ones.
    pub fn new() -> Self {
        Self::default()
    }

    /// What becomes of an ill-formed subsequence. [`OnIllFormed::Stop`] if not said.
    pub fn on_ill_formed(self, on_ill_formed: OnIllFormed) -> Self {
        Self { on_ill_formed, ..self }
    }

    /// What becomes of a character that the target lacks. [`OnUnmappable::Stop`] if not said.
    pub fn on_unmappable(self, on_unmappable: OnUnmappable) -> Self {
        Self { on_unmappable, ..self }
    }

    /// What stands for either if it is replaced: U+FFFD, or `?` if the target lacks that, if not said.
    pub fn replacement(self, replacement: impl Into<String>) -> Self {
        Self { replacement: Some(replacement.into()), ..self }
    }

    /// A single-byte encoding in which an ill-formed subsequence is read instead, if it has all its bytes.
    pub fn fallback(self, fallback: &'static Encoding) -> Self {
        Self { fallback: Some(fallback), ..self }
    }

    /// What becomes of byte order marks. [`MarkMode::Auto`] if not said.
    pub fn marks(self, marks: MarkMode) -> Self {
        Self { marks, ..self }
    }

    /// The byte order of an input that needs one and has no mark: big-endian if not said, as the standard has it (D98,
    /// D101).
    pub fn byte_order(self, byte_order: ByteOrder) -> Self {
        Self { byte_order, ..self }
    }

    /// What U+FEFF inside the text is.
    pub fn on_inner_mark(self, on_inner_mark: OnInnerMark) -> Self {
        Self { on_inner_mark, ..self }
    }

    /// What the mark of another encoding at the start is.
    pub fn on_foreign_mark(self, on_foreign_mark: OnForeignMark) -> Self {
        Self { on_foreign_mark, ..self }
    }

    /// What is well-formed and yet a fault: nothing if not said.
    pub fn deny(self, kinds: impl IntoIterator<Item = DeniedKind>) -> Self {
        Self { denied: kinds.into_iter().collect(), ..self }
    }

    /// What becomes of what is denied.
    pub fn on_denied(self, on_denied: OnDenied) -> Self {
        Self { on_denied, ..self }
    }

    /// How much the reporter is told. [`Detail::Findings`] if not said.
    pub fn detail(self, detail: Detail) -> Self {
        Self { detail, ..self }
    }

    /// How many threads may work on one input. [`Threads::One`] if not said.
    pub fn threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }
}
