//! Languages, and how likely a text is in each of them: a model of letter pairs over code points.
//!
//! ```text
//! languages.txt   tag, name, script, alphabet ─┐
//! pairs.bin       a cost for each two symbols  ├─► Model: code point ─► Symbol, two symbols ─► cost in 1/16 bits
//! ideographs.bin  a cost for each ideograph   ─┘
//! ```
//!
//! The cost of a text is the binary logarithm of how unlikely it is. So the costs of the same bytes, read in several
//! encodings, can be compared, and their difference says how much likelier one reading is.
//!
//! A model is a square of costs: of each symbol after each other one. A symbol is a lowercase letter, a mark, or a
//! class (blank, digit, foreign letter, ideograph). Case is one rule for all languages (`fold.rs`); ideographs and
//! Korean syllables have costs of their own on top. One square serves every code page of a language; a table of bytes
//! would serve one. All models together take 390 KB. `tools/language` makes them from the translations in Debian's
//! packages.
//!
//! All judges of text use this model: what pairs of characters cost ([`Model::cost_of_pairs`]), the scripts of the
//! letters ([`ScriptCounts`]), and what does not belong inside words ([`WordPart::is_misplaced`]). They differ in how
//! much text they have, and in what else they know:
//!
//! * `detection::letters` reads one text in hundreds of charsets; in a file of many lines, earlier lines count, too.
//! * `detection::strays` reads a few bytes among UTF-8, whose own pairs count, too.
//! * `mojibake` weighs thousands of short phrases, and caches their costs.
//! * [`cost`] and [`TellingPairs`] compare two readings of a part of a file, before it is replaced. Its keys and tags
//!   may be English, so `TellingPairs` looks only at what is beyond ASCII.

mod family;
mod fold;
mod likelihood;
mod pair_model;
mod script;
mod strange;
mod telling_pairs;
mod text_pairs;
mod word_part;

pub use family::LanguageFamily;
pub use fold::{FoldedCharacter, LetterCase};
pub use likelihood::cost;
pub use pair_model::Language;
pub use pair_model::{LanguageSet, LazySymbol, Model, Symbol, UNIT, models};
pub use script::{Script, ScriptCounts};
pub use telling_pairs::{TellingPairs, is_foreign};
pub use text_pairs::{CountedPair, TextPairs};
pub use word_part::{MISPLACED, WordPart, joins_words};
