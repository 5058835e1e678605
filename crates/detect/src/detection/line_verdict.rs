//! What a line of a text in several encodings is read as: the rule of `-f auto-lines` and of `--detect --lines`.
//!
//! ```text
//! its words are known                                    the encoding of those lines
//! mostly UTF-8, but cheap in an encoding of many lines   that encoding
//! UTF-8, but for a character that its end truncates      UTF-8
//! mostly UTF-8                                           UTF-8, and its stray bytes in another encoding
//! a few characters of UTF-8                              an encoding of earlier lines, or none
//! anything else                                          the likeliest encoding, or none
//! ```

use super::line_detector::LineDetector;
use super::line_form::LineForm;
use super::strays;
use oxiconv_encodings::codec::TextRepertoire;
use oxiconv_encodings::encoding::Encoding;

/// How many ASCII bytes before the first non-ASCII byte of a line it is judged by.
pub const LINE_CONTEXT: usize = 256;

/// What a line is read as that is not well-formed UTF-8.
pub enum LineVerdict {
    /// As UTF-8: it ends inside a character.
    Utf8,
    /// As UTF-8, and its stray bytes in another encoding, in which only these characters are expected.
    WithStrays(&'static Encoding, TextRepertoire),
    /// In one encoding as a whole. What is well-formed UTF-8 in it is so by chance.
    Whole(&'static Encoding),
    /// No encoding reads it as text.
    Unknown,
}

impl LineDetector {
    /// Returns what a line that is not well-formed UTF-8 is read as. `line` is at most `LONGEST_LINE` bytes from the
    /// first non-ASCII byte on, `before` is the end of the ASCII before that, at most [`LINE_CONTEXT`] bytes.
    pub fn read(&mut self, before: &[u8], line: &[u8]) -> LineVerdict {
        if let Some(encoding) = self.judge_by_words(before, line) {
            return LineVerdict::Whole(encoding);
        }
        let form = LineForm::of(line, before.last().copied());
        let whole = match form {
            LineForm::Utf8 => return LineVerdict::Utf8,
            LineForm::WithStrays => match self.judge_before_strays(before, line) {
                Some(encoding) => Some(encoding),
                None => match self.read_strays(before, line) {
                    Some(reading) => return reading,
                    None => self.judge_by_letters(before, line),
                },
            },
            // A few characters are not enough evidence for an encoding that the text did not have before.
            LineForm::Unclear => self.judge_as_before(before, line),
            LineForm::Other => self.judge_by_letters(before, line),
        };
        whole.map_or(LineVerdict::Unknown, LineVerdict::Whole)
    }

    fn read_strays(&mut self, before: &[u8], line: &[u8]) -> Option<LineVerdict> {
        if let Some(encoding) = self.judge_strays_by_words(before, line) {
            let known = strays::repertoire(before, line, true)?;
            return Some(LineVerdict::WithStrays(encoding, known));
        }
        let strays = strays::judge(before, line, true)?;
        self.learn_strays(before, line, strays.encoding);
        Some(LineVerdict::WithStrays(strays.encoding, strays.known))
    }
}
