//! A text in which Python's `surrogateescape` has escaped bytes. The detector recognizes it, as `--repair` does, so
//! that the hint and the repair agree.

use super::form_counts::FormCounts;
use super::{Cause, Guess, Hint};
use crate::Repair;
use oxiconv_detect::detection::{Detection, Others};
use oxiconv_encodings::codec::{RestoredText, escaped_byte};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::CodePoint;

/// What is known of the escaped bytes of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct EscapedBytes(Others);

impl EscapedBytes {
    /// Returns those of a text with this answer. `None` if anything else in it is ill-formed.
    pub(super) fn of(answer: Option<&Detection>, counts: &FormCounts) -> Option<Self> {
        let others = answer?.others.filter(|others| others.escaped > 0)?;
        let escaped = counts.wide.escaped;
        // The detector has looked at a part of the text only.
        let is_all = counts.ill_formed == escaped * RestoredText::ESCAPED as u64;
        let mut all = others;
        all.escaped = escaped;
        is_all.then_some(Self(all))
    }

    pub(super) fn repair(self) -> Option<Repair> {
        self.0.are_readable().then(Repair::of_mojibake)
    }

    pub(super) fn hint(self, rest: &str, repair: Option<Repair>) -> Hint {
        Hint {
            cause: Cause::SurrogateEscape.id(),
            guess: format!("{} with escaped bytes", Encoding::UTF_8.name()),
            evidence: format!("it has {}, and the rest is {rest}", self.0),
            repair,
            whole: false,
        }
    }

    /// Guesses what a surrogate is: the byte for which it stands.
    pub(super) fn guess(self, surrogate: CodePoint, repair: Option<Repair>) -> Option<Guess> {
        let form = [0xED, (surrogate >> 6) as u8 & 0x3F | 0x80, surrogate as u8 & 0x3F | 0x80];
        let byte = escaped_byte(&form)?;
        let Others { strays, fallback, .. } = self.0;
        let evidence = match fallback.filter(|_| strays > 0) {
            Some(fallback) => format!("the bytes fit {}", fallback.name()),
            None if strays == 0 => "with its neighbours, it is a character of UTF-8".to_owned(),
            None => "all else in the text is well-formed".to_owned(),
        };
        Some(Guess {
            cause: Cause::SurrogateEscape,
            what: format!("the byte {byte:02X}, as Python's surrogateescape writes it"),
            evidence,
            characters: Vec::new(),
            repair,
        })
    }
}
