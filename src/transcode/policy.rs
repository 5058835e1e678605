//! What is wanted of a conversion, checked: encodings, and what becomes of what cannot be converted.

use std::num::NonZeroUsize;

use super::denied::Denied;
use crate::codec::{ByteOrder, EncodeStop, MIN_OUTPUT};
pub use crate::diagnostic::Detail;
use crate::encoding::{Encoding, Mark};
use crate::unicode::{CodePoint, REPLACEMENT_CHARACTER};

/// The encoding of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputEncoding {
    /// This one.
    Named(&'static Encoding),
    /// Whichever the start of the text looks like.
    Detected,
}

/// What becomes of an ill-formed subsequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnIllFormed {
    /// The conversion stops in front of it.
    #[default]
    Stop,
    /// The replacement stands for it: one for a maximal subpart.
    Replace,
    /// It is left out.
    Skip,
    /// Its bytes are written out: `\xE2\x82`.
    Escape,
}

/// What becomes of a character that the target has no room for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnUnmappable {
    /// The conversion stops in front of it.
    #[default]
    Stop,
    /// The replacement stands for it.
    Replace,
    /// It is left out.
    Skip,
    /// Its code point is written out: `\u{20AC}`.
    Escape,
    /// A character reference stands for it: `&#x20AC;`.
    Xml,
    /// The nearest text that the target has stands for it: `EUR`. Where there is none, it is replaced.
    Transliterate,
    /// The same, but where there is none, it is left out.
    TransliterateOrSkip,
}

/// What becomes of byte order marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MarkMode {
    /// As the encodings have it: see [`Mark`]. UTF-8 to UTF-8 keeps what is there.
    #[default]
    Auto,
    /// One at the start of the input goes through as U+FEFF into whatever the target is.
    Keep,
    /// None at the start of the output.
    Strip,
    /// Exactly one at the start of the output.
    Add,
    /// As `Auto`; one at the start of the input is a finding.
    Forbid,
    /// As `Auto`; none at the start of the input is a finding.
    Require,
}

/// A conversion, as it is wanted. What does not go together is refused by [`Conversion::check`].
#[derive(Clone, Debug)]
pub struct Conversion {
    /// The encoding of the input.
    pub from: InputEncoding,
    /// The encoding of the output; `None` to look at the input only.
    pub to: Option<&'static Encoding>,
    /// What becomes of ill-formed subsequences.
    pub on_ill_formed: OnIllFormed,
    /// What becomes of unmappable characters.
    pub on_unmappable: OnUnmappable,
    /// What stands for both under `Replace`; `None` is U+FFFD, or `?` where the target lacks it.
    pub replacement: Option<String>,
    /// A single-byte encoding in which ill-formed subsequences are read instead, where it has all their bytes.
    pub fallback: Option<&'static Encoding>,
    /// What becomes of byte order marks.
    pub mark: MarkMode,
    /// The byte order of an input that needs one and has no mark.
    pub byte_order: ByteOrder,
    /// Whether U+FEFF inside a text is pointed out, as a note.
    pub point_out_marks: bool,
    /// Whether the byte order mark of UTF-16 or UTF-32 at the start of a text in another encoding is a finding.
    pub finds_other_encodings: bool,
    /// What is well-formed and yet a fault. It goes through as it is, unless it stops the conversion.
    pub denied: Denied,
    /// Whether the conversion stops in front of what is denied.
    pub stop_at_denied: bool,
    /// How much the reporter is told.
    pub detail: Detail,
    /// Threads that may work on one input, `None` for as many as the machine has; the result is that of one thread.
    pub threads: Option<NonZeroUsize>,
}

/// What does not go together in a [`Conversion`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConversionError {
    /// The replacement has a character that the target lacks.
    #[error("the replacement '{replacement}' cannot be written in {target}")]
    Replacement {
        /// The replacement.
        replacement: String,
        /// The name of the target.
        target: &'static str,
    },
    /// The fallback is no single-byte encoding.
    #[error("the fallback must be a single-byte encoding such as windows-1252, and {0} is none")]
    Fallback(&'static str),
    /// A mark is to be added to an encoding that has none.
    #[error("{0} has no byte order mark to add")]
    NoMark(&'static str),
}

impl Conversion {
    /// From one encoding to another, strictly.
    pub fn new(from: InputEncoding, to: Option<&'static Encoding>) -> Self {
        Self {
            from,
            to,
            on_ill_formed: OnIllFormed::Stop,
            on_unmappable: OnUnmappable::Stop,
            replacement: None,
            fallback: None,
            mark: MarkMode::Auto,
            byte_order: ByteOrder::Big,
            point_out_marks: false,
            finds_other_encodings: false,
            denied: Denied::default(),
            stop_at_denied: false,
            detail: Detail::Findings,
            threads: Some(NonZeroUsize::MIN),
        }
    }

    /// Refuses what does not go together.
    ///
    /// # Errors
    ///
    /// See [`ConversionError`].
    pub fn check(&self) -> Result<(), ConversionError> {
        if let (Some(replacement), Some(target)) = (&self.replacement, self.to)
            && !encodes(target, &code_points(replacement))
        {
            let replacement = replacement.clone();
            return Err(ConversionError::Replacement { replacement, target: target.name });
        }
        if let Some(fallback) = self.fallback
            && !fallback.single_byte
        {
            return Err(ConversionError::Fallback(fallback.name));
        }
        match self.to {
            Some(target) if self.mark == MarkMode::Add && target.mark == Mark::None => {
                Err(ConversionError::NoMark(target.name))
            }
            _ => Ok(()),
        }
    }

    /// Whether every character of the text has to be looked at by itself. Then no path may be taken that does not.
    pub(super) fn sees_characters(&self) -> bool {
        self.looks_at_characters() || self.detail != Detail::Findings
    }

    /// Whether something may have to be said of any character.
    pub(super) fn looks_at_characters(&self) -> bool {
        self.point_out_marks || !self.denied.is_empty() || self.detail == Detail::Characters
    }

    /// What stands for a fault under `Replace`. Nothing where the target has not even `?` (units of three bits or less).
    pub(super) fn replacement(&self) -> Vec<CodePoint> {
        match (&self.replacement, self.to) {
            (Some(replacement), _) => code_points(replacement),
            (None, None) => vec![REPLACEMENT_CHARACTER],
            (None, Some(target)) => [REPLACEMENT_CHARACTER, u32::from('?')]
                .into_iter()
                .find(|cp| encodes(target, &[*cp]))
                .map_or_else(Vec::new, |cp| vec![cp]),
        }
    }

    /// The byte order in which an output of the target's is written.
    ///
    /// Unmarked UTF-16 and UTF-32 are little-endian after the mark that says so; without a mark only big-endian is
    /// what a reader expects (D98, D101). Unmarked UCS-2 and UCS-4 have none of their own.
    pub(super) fn output_order(&self) -> ByteOrder {
        match (self.mark, self.to.map(|to| to.mark)) {
            (MarkMode::Strip, _) | (_, Some(Mark::OptionalByteOrder)) => ByteOrder::Big,
            _ => ByteOrder::Little,
        }
    }
}

pub(super) fn code_points(text: &str) -> Vec<CodePoint> {
    text.chars().map(CodePoint::from).collect()
}

pub(super) fn encodes(encoding: &Encoding, text: &[CodePoint]) -> bool {
    let mut room = vec![0; MIN_OUTPUT + 16 * text.len()];
    let encoded = encoding.new_encoder(ByteOrder::Little).encode(text, &mut room);
    encoded.stop == EncodeStop::InputEmpty
}
