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
//!
//! Whoever judges a text asks the same model, here: what its pairs cost ([`Model::cost_of_pairs`]), which scripts its letters
//! are of ([`ScriptCounts`]), and what does not belong inside its words ([`WordPart::is_misplaced`]). What differs is how
//! much text there is and what is known besides; that is said by each of
//!
//! * `detection::letters`: one text in hundreds of charsets, by its pairs of bytes or characters; by lines, what was seen before;
//! * `detection::strays`: some bytes among UTF-8, whose own pairs count too;
//! * `mojibake`: thousands of phrases in a line, whose costs are remembered;
//! * [`cost`] and [`TellingPairs`]: two readings of a part of a file, whose keys and tags are in English.

mod fold;
mod likelihood;
mod model;
mod pairs;
mod script;
mod strange;
mod telling_pairs;
mod word;

pub use fold::{Case, Character};
pub use likelihood::cost;
pub use model::Language;
pub use model::{LanguageSet, Model, Symbol, UNIT, models};
pub use pairs::{Pair, TextPairs};
pub use script::{Script, ScriptCounts};
pub use telling_pairs::{TellingPairs, is_foreign};
pub use word::{MISPLACED, WordPart, joins_words};
