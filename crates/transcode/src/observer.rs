//! The trait that observes an output. An observed conversion runs through code points, in one thread.

use oxiconv_encodings::codec::CodeValue;
use oxiconv_encodings::unicode::CodePoint;

/// Observes every character of an output, in order, including replacements and byte order marks.
pub trait Observer {
    /// Observes the next characters.
    fn run(&mut self, run: &[CodePoint]);

    /// Observes the next character, whose value does not fit a code point.
    fn large(&mut self, value: CodeValue);
}
