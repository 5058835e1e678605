//! How a text is repaired.

use super::finding::Finding;
use super::kind::Kind;
use crate::encoding::Encoding;

/// How a text is repaired: the options with which it is converted to UTF-8.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repair {
    /// The options, each a word: `--fallback`, `windows-1252`.
    pub options: Vec<String>,
    /// Bytes at the start of the text that are none of it, and are to be cut off first.
    pub skip: u64,
    /// What is lost by it, where something is.
    pub loss: Option<&'static str>,
}

impl Repair {
    pub(super) fn new(options: &[&str]) -> Self {
        let options = options.iter().map(|word| (*word).to_owned()).collect();
        Self { options, skip: 0, loss: None }
    }

    /// It is read in `encoding`.
    pub(super) fn from(encoding: &Encoding) -> Self {
        Self::new(&["-f", &encoding.name.to_lowercase()])
    }

    /// And written in `encoding`.
    pub(super) fn to(self, encoding: &Encoding) -> Self {
        self.and(&["-t", &encoding.name.to_lowercase()])
    }

    /// And with further options.
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
    /// The options that read and convert the text as a whole, if the finding is of all of it.
    pub(crate) fn repair(&self) -> Option<Repair> {
        (self.kind == Kind::OtherEncoding).then_some(())?;
        // The mark is no part of the text for the encoding that is named without a byte order.
        let repair = Repair::from(self.marked_as().unmarked());
        Some(if self.encoding == Encoding::UTF_8 { repair } else { repair.to(self.encoding) })
    }
}
