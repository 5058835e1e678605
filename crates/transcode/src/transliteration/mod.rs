//! Transliteration: what is written instead of a character that a target lacks, if anything says the same.
//!
//! ```text
//! a letter with its marks ─► the rules of the locale ─► composed, or with fewer marks ─► a form of the table
//! ```
//!
//! The first that the target has is used; the target's own repertoire came before all this. What has no form at all is
//! unmappable. Nothing here knows encodings: the caller says what the target can write.
//!
//! The tables are made by `tools/translit/generate.py` from reviewed sources. Canonical decompositions and compositions
//! come from a crate, because they are the same everywhere and need its algorithm of ordering marks.

mod canonical;
mod forms;
mod locale;
mod table;

pub use canonical::{composed, extends, may_drop};
pub use forms::Forms;
pub use locale::{TransliterationLocale, UnknownLocale};
