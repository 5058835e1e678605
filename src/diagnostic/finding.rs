//! A finding: a value, which says where something stands and what it is.

use super::context::Context;
use super::kind::Kind;
use crate::encoding::Encoding;

/// One place of a text, and what is to be said of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding<'a> {
    /// What it is.
    pub kind: Kind,
    /// Where it begins: bytes from the start of the file, from 0.
    pub offset: u64,
    /// The line, from 1; lines end with U+000A.
    pub line: u64,
    /// The column, from 1, in characters; an ill-formed subsequence counts as one.
    pub column: u64,
    /// The bytes themselves.
    pub bytes: &'a [u8],
    /// The byte that follows them, where it is what makes them ill-formed.
    pub next: Option<u8>,
    /// The value of the character, where there is one: a code point, or what an extended encoding holds beyond.
    pub value: Option<u128>,
    /// Whether the conversion stops in front of it.
    pub stops: bool,
    /// The encoding whose rule it is: the input's, or for an unmappable character the target.
    pub encoding: &'static Encoding,
    /// The text around it, where that was asked for.
    pub context: Context<'a>,
}
