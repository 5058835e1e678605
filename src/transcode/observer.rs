//! Who sees what is written.

use crate::codec::Value;
use crate::unicode::CodePoint;

/// Sees every character that an output is made of, in order, remedies and byte order marks among them.
pub trait Observer {
    /// The next characters.
    fn run(&mut self, run: &[CodePoint]);

    /// The next character, whose value is no code point.
    fn large(&mut self, value: Value);
}
