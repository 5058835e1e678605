//! Finds what a text declares about its own encoding, and decides whether to believe it.
//!
//! ```text
//! head ─► finder.rs: decodes the ASCII in it ─► one file per format ─► EncodingDeclaration: kind, label, range
//!                                                                                  │ label.rs: what the label means
//!                                                                                  ▼
//!                                           credibility.rs: believed if the sample is well-formed in that encoding
//! ```
//!
//! Declarations at the end of a text, such as the local variables of Emacs, are not looked for: only the start is known
//! when the conversion begins.

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
