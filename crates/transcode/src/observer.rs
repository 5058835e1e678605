//! The trait that sees what is written. An observed conversion runs through code points, in one thread.

use oxiconv_encodings::codec::CodeValue;
use oxiconv_encodings::unicode::CodePoint;

/// Sees every character of an output, in order, including replacements and byte order marks.
pub trait Observer {
    /// Sees the next characters.
    fn run(&mut self, run: &[CodePoint]);

    /// Sees the next character, whose value is too large for a code point.
    fn large(&mut self, value: CodeValue);
}
