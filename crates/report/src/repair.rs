//! Repairs of a text, as options of the command line.

use oxiconv_encodings::encoding::Encoding;

/// How to repair a text: by which options it must be converted. Options that are `None` stay as the user set them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// The encoding of the text.
    pub from: Option<&'static Encoding>,
    /// Whether each line is read in an encoding of its own.
    pub reads_lines: bool,
    /// The encoding to convert it to.
    pub to: Option<&'static Encoding>,
    /// The single-byte encoding of the ill-formed bytes.
    pub fallback: Option<&'static Encoding>,
    /// Whether that encoding is detected.
    pub detects_fallback: bool,
    /// Whether damaged text is repaired.
    pub undoes_mojibake: bool,
    /// What to write for each ill-formed subsequence.
    pub on_ill_formed: Option<Substitute>,
    /// What to write for each unmappable character.
    #[doc(hidden)]
    pub on_unmappable: Option<Substitute>,
    /// The number of bytes at the start that are not part of the text, and must be cut off first.
    pub skip: u64,
    /// What the repair loses, if anything.
    pub loss: Option<&'static str>,
}

/// What to write for a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Substitute {
    /// Nothing.
    Nothing,
    /// U+FFFD.
    Replacement,
    /// An escape: `\u{20AC}`.
    Escape,
    /// A character reference: `&#x20AC;`.
    Reference,
    /// The closest text in the target: `EUR` for U+20AC.
    Transliteration,
}

impl Substitute {
    /// Returns its name among the values of `--errors` and `--unmappable`.
    #[doc(hidden)]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nothing => "skip",
            Self::Replacement => "replace",
            Self::Escape => "escape",
            Self::Reference => "xml",
            Self::Transliteration => "translit",
        }
    }
}

impl Repair {
    /// Creates a repair that reads `encoding`.
    #[doc(hidden)]
    pub fn from(encoding: &'static Encoding) -> Self {
        Self { from: Some(encoding), ..Self::default() }
    }

    /// Creates a repair of damaged text.
    pub(crate) fn of_mojibake() -> Self {
        Self { undoes_mojibake: true, ..Self::default() }
    }

    /// Creates a repair that reads each line in an encoding of its own.
    #[doc(hidden)]
    pub fn of_lines() -> Self {
        Self { reads_lines: true, ..Self::default() }
    }

    /// Creates a repair that detects the encoding of ill-formed bytes.
    pub(super) fn of_strays() -> Self {
        Self { detects_fallback: true, ..Self::default() }
    }

    /// Sets the target.
    #[doc(hidden)]
    pub fn to(self, encoding: &'static Encoding) -> Self {
        Self { to: Some(encoding), ..self }
    }

    /// Sets the encoding of ill-formed bytes.
    pub(super) fn fallback(self, encoding: &'static Encoding) -> Self {
        Self { fallback: Some(encoding), ..self }
    }

    /// Sets what to write for ill-formed subsequences.
    pub(super) fn on_ill_formed(self, substitute: Substitute) -> Self {
        Self { on_ill_formed: Some(substitute), ..self }
    }

    /// Sets what to write for unmappable characters.
    pub fn on_unmappable(self, substitute: Substitute) -> Self {
        Self { on_unmappable: Some(substitute), ..self }
    }

    /// Sets what it loses.
    pub(super) fn losing(self, loss: &'static str) -> Self {
        Self { loss: Some(loss), ..self }
    }

    /// Returns the options of the command line, one word each: `--fallback`, `windows-1252`.
    #[must_use]
    pub fn options(&self) -> Vec<String> {
        let name = |encoding: &'static Encoding| encoding.name().to_lowercase();
        let (errors, skips) = match self.on_ill_formed {
            Some(Substitute::Nothing) => (None, vec!["-c".to_owned()]),
            other => (other, Vec::new()),
        };
        [
            ("-f", self.from.map(name).or(self.reads_lines.then(|| "auto-lines".to_owned()))),
            ("-t", self.to.map(name)),
            (
                "--fallback",
                self.fallback.map(name).or(self.detects_fallback.then(|| "auto".to_owned())),
            ),
            ("--repair", self.undoes_mojibake.then(String::new)),
            ("-e", errors.map(|substitute| substitute.name().to_owned())),
            ("--unmappable", self.on_unmappable.map(|substitute| substitute.name().to_owned())),
        ]
        .into_iter()
        .filter_map(|(option, value)| Some([option.to_owned(), value?]))
        .flatten()
        // An option without a value.
        .filter(|word| !word.is_empty())
        .chain(skips)
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repair_is_options_in_the_order_in_which_they_work() {
        let repair = Repair::from(Encoding::CESU_8).fallback(Encoding::WINDOWS_1252);
        assert_eq!(repair.options(), ["-f", "cesu-8", "--fallback", "windows-1252"]);
        let repair = Repair::from(Encoding::WTF_8).on_unmappable(Substitute::Replacement);
        assert_eq!(repair.options(), ["-f", "wtf-8", "--unmappable", "replace"]);
        assert_eq!(Repair::of_lines().options(), ["-f", "auto-lines"]);
        let repair = Repair::default().on_ill_formed(Substitute::Nothing);
        assert_eq!(repair.options(), ["-c"]);
        let repair = Repair::default().on_ill_formed(Substitute::Replacement);
        assert_eq!(repair.options(), ["-e", "replace"]);
    }
}
