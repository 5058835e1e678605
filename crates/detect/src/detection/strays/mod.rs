//! Which encoding the bytes in a UTF-8 text are in that are not UTF-8.
//!
//! ```text
//! start of the text ─┐                             ┌─ OwnPairs: the letters of its well-formed part, and their pairs
//! first stray byte  ─┴─► judge ─► regions ─► Reading of each charset ─► its cost by OwnPairs and a language's Model
//! and what follows                                                     ─► the cheapest
//! ```
//!
//! The text itself is the best model of its letters: a stray letter in Russian text is Russian. If it says nothing of a
//! letter, the model of its language does, and then that of any language in the letter's script. So a charset that
//! turns a stray byte into a letter that the text never has is refuted by the text itself.
//!
//! Each charset reads the same regions, split into UTF-8 and its own bytes as a conversion would split them
//! (`codec/mixed.rs`). `benches/strays` measures it. Tune with one set of texts, and report another.

mod cheapest_charset;
mod own_pairs;
mod region_reading;
mod stray_region;
mod stray_text;

pub use cheapest_charset::{LOOK, Strays, judge};
pub use cheapest_charset::{are_letters_too, may_be_among_utf8};
pub(super) use own_pairs::OwnPairs;
pub use stray_text::StrayText;
