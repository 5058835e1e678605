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

mod ascii_view;
mod bytes;
mod cookie;
mod credibility;
mod css;
mod encoding_declaration;
mod finder;
mod gedcom;
mod html;
mod label;
mod mail;
mod marc;
mod po;
mod vim;
mod xml;

pub use self::credibility::{is_refuted, judge, reads_better_than_utf8};
pub use self::encoding_declaration::EncodingDeclaration;
pub use self::finder::all_in;

#[cfg(test)]
mod tests;
