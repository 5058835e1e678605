//! What a text says of its own encoding.
//!
//! ```text
//! head ─► search.rs: in its characters ─► one file a kind ─► Declaration: kind, label, range of the label
//!                                                                             │ label.rs: what the label means
//!                                                                             ▼
//!                                           judge: believed if the sample is well-formed in that encoding
//! ```
//!
//! Declarations at the end of a text, such as the local variables of Emacs, are not looked for.

mod bytes;
mod characters;
mod cookie;
mod css;
mod gedcom;
mod html;
mod judge;
mod label;
mod mail;
mod marc;
mod po;
mod search;
mod statement;
mod vim;
mod xml;

pub use self::judge::{is_refuted, judge, reads_better_than_utf8};
pub use self::search::all_in;
pub use self::statement::Declaration;

#[cfg(test)]
mod tests;
