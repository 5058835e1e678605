//! Repairs of a text.

use super::finding::Finding;
use super::kind::Kind;
use crate::encoding::Encoding;

/// How to repair a text: the options that convert it to UTF-8.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repair {
    /// The options, one word each: `--fallback`, `windows-1252`.
    pub options: Vec<String>,
    /// Bytes at the start that are not part of the text, and must be cut off first.
    pub skip: u64,
    /// What the repair loses, if anything.
    pub loss: Option<&'static str>,
}

impl Repair {
    pub(super) fn new(options: &[&str]) -> Self {
        let options = options.iter().map(|word| (*word).to_owned()).collect();
        Self { options, skip: 0, loss: None }
    }

    /// Creates a repair that reads `encoding`.
    pub(super) fn from(encoding: &Encoding) -> Self {
        Self::new(&["-f", &encoding.name().to_lowercase()])
    }

    /// Adds the target `encoding`.
    pub(super) fn to(self, encoding: &Encoding) -> Self {
        self.and(&["-t", &encoding.name().to_lowercase()])
    }

    /// Adds more options.
    pub(super) fn and(mut self, options: &[&str]) -> Self {
        self.options.extend(options.iter().map(|word| (*word).to_owned()));
        self
    }

    #[cfg(feature = "formats")]
    pub(super) fn losing(self, loss: &'static str) -> Self {
        Self { loss: Some(loss), ..self }
    }
}

impl Finding<'_> {
    /// Returns the options that convert the text as a whole, if the finding is about all of it.
    pub(crate) fn repair(&self) -> Option<Repair> {
        (self.kind == Kind::OtherEncoding).then_some(())?;
        // The mark is not part of the text if the encoding is named without a byte order.
        let repair = Repair::from(self.other_encoding().unmarked());
        Some(if self.encoding == Encoding::UTF_8 { repair } else { repair.to(self.encoding) })
    }
}
