//! Detects the encoding of stray bytes: those in a UTF-8 text that are not UTF-8.
//!
//! ```text
//! start of the text ─┐                             ┌─ OwnPairs: the letters of its well-formed part, and their pairs
//! first stray byte  ─┴─► judge ─► regions ─► RegionReading of each charset ─► its cost by OwnPairs and a Model
//! and what follows                                                           ─► the cheapest
//! ```
//!
//! A few bytes say little by themselves: E2 is в in windows-1251, â in windows-1252, т in IBM866. But the text around
//! them is in UTF-8, so its letters are known, and it is the best model of its own letters: a stray letter in Russian
//! text is Russian. Where the text says nothing of a letter, the model of its language does, and after that the model
//! of any language in the letter's script. A charset that turns a stray byte into a letter that the text never has is
//! thereby refuted.
//!
//! Most stray bytes come from windows-1252. So where the evidence is thin, such as a single sign, the answer is
//! windows-1252 although another charset may be cheaper (`is_usual` in `cheapest_charset.rs`).
//!
//! Each charset reads the same regions, split into UTF-8 and its own bytes as a conversion would split them
//! (`codec/mixed.rs`). `benches/strays` measures it. Tune with one set of texts, and report another.

mod cheapest_charset;
mod own_pairs;
mod region_reading;
mod stray_region;
mod stray_text;

pub use cheapest_charset::{LOOK, Strays, judge, ranking, repertoire};
pub use cheapest_charset::{are_letters_too, may_be_among_utf8};
pub(super) use own_pairs::OwnPairs;
pub use stray_text::StrayText;
