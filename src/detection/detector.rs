//! The order in which a text is judged.

use super::answer::{Detection, Evidence};
use super::sample::{SAMPLE, Sample};
use super::{binary, declaration, escapes, letters, wide};
use crate::encoding::{Encoding, LONGEST_MARK, marked};
use crate::language::Language;

/// Detects the encoding of a text.
///
/// ```
/// use oxiconv::{Detector, Encoding};
///
/// let detection = Detector::new().detect("grün".as_bytes());
/// assert_eq!(detection.encoding, Encoding::UTF_8);
/// assert!(detection.is_enough());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detector {
    ignores_declarations: bool,
    language: Option<Language>,
}

impl Detector {
    /// Creates a detector that believes declarations and expects any language.
    #[must_use]
    pub const fn new() -> Self {
        Self { ignores_declarations: false, language: None }
    }

    /// Pays no heed to what a text says of its own encoding.
    #[must_use]
    pub const fn ignore_declarations(mut self) -> Self {
        self.ignores_declarations = true;
        self
    }

    /// Takes it that the text is in this language.
    #[must_use]
    pub const fn language(mut self, language: Language) -> Self {
        self.language = Some(language);
        self
    }

    /// Returns the most likely encoding of a whole text, which is judged by its first 4 KiB and the first 128 KiB from
    /// where it stops being ASCII.
    #[must_use]
    pub fn detect(&self, text: &[u8]) -> Detection {
        let sample = Sample::of(text, true);
        self.judge(&sample).unwrap_or_else(Detection::nothing)
    }

    /// Returns the most likely encoding of a text that begins with `start`; `None` if more of it is needed. `last` says
    /// that this is all of it.
    #[cfg(feature = "cli")]
    pub(crate) fn detect_start(&self, start: &[u8], last: bool) -> Option<Detection> {
        self.judge(&Sample::of(start, last))
    }

    /// Returns the most likely encoding of a text; `None` if more of it is needed.
    pub(crate) fn judge(&self, sample: &Sample<'_>) -> Option<Detection> {
        // Input that is shorter than the longest mark may be the start of another mark.
        let awaits_mark = !sample.whole && sample.head.len() < LONGEST_MARK;
        if let Some(scheme) = marked(sample.head).filter(|_| !awaits_mark) {
            return Some(Detection::new(scheme, 100, Evidence::Mark));
        }
        if !sample.whole && sample.bytes.len() < SAMPLE {
            return None;
        }
        let declared =
            || (!self.ignores_declarations).then(|| declaration::judge(sample)).flatten();
        let detection = wide::judge(sample)
            .or_else(|| escapes::judge(sample))
            .or_else(|| {
                sample
                    .bytes
                    .is_ascii()
                    .then(|| binary::judge(sample).unwrap_or(Detection::nothing()))
            })
            .or_else(|| well_formed(sample))
            .or_else(|| binary::judge(sample))
            .or_else(declared)
            .unwrap_or_else(|| letters::judge(sample, self.language));
        Some(detection)
    }
}

fn well_formed(sample: &Sample<'_>) -> Option<Detection> {
    let is = match std::str::from_utf8(sample.bytes) {
        Ok(_) => true,
        Err(error) => !sample.whole && error.error_len().is_none(),
    };
    is.then(|| Detection::new(Encoding::UTF_8, 99, Evidence::WellFormed))
}
