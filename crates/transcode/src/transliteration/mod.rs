//! Transliteration: finds what is written instead of a character that a target lacks, if anything says the same.
//!
//! ```text
//! a letter with its marks ─► the rules of the locale ─► composed, or with fewer marks ─► a form of the table
//! ```
//!
//! The first form that the target can write is used. (The caller has tried the character itself.) What has no form at
//! all is unmappable. Nothing here knows encodings: the caller passes a predicate for what the target can write.
//!
//! `tools/translit/generate.py` makes the tables. `reviewed.tsv`, `cyrillic.tsv` and `greek.tsv` there are written by
//! hand; `extract.py` makes the others from Unicode, CLDR and glibc. A line in `reviewed.tsv`, which comes before the
//! others, gives a character a form, or takes one away. `ci/translit` compares every character of glibc's tables with
//! the installed iconv; `ci/translit.known` has the reasons for differences. `tests/data/different.tsv` has pairs of
//! characters that must not be written alike.
//!
//! Canonical decompositions and compositions come from the crate `unicode-normalization`: they are the same everywhere,
//! and need its ordering of marks.

mod form_table;
mod forms;
mod letter_marks;
mod transliteration_locale;

pub use forms::Forms;
pub use letter_marks::{composed, extends, may_drop};
pub use transliteration_locale::{TransliterationLocale, UnknownLocale};
