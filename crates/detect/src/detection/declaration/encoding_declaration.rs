//! A declaration of a text's encoding within the text.

use std::ops::Range;

use super::ascii_view::keeps_ascii;
use super::{bytes, label};
use oxiconv_encodings::encoding::Encoding;

/// A declaration of a text's encoding within the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodingDeclaration {
    pub(crate) kind: DeclarationKind,
    /// The name of the encoding as it is written there.
    pub(crate) label: String,
    /// The byte range of the label.
    pub range: Range<usize>,
}

/// The format of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeclarationKind {
    /// `<?xml … encoding="…"?>` (XML 1.0, 4.3.3).
    Xml,
    /// `<meta charset=…>`, or `<meta http-equiv=content-type content="…; charset=…">` (HTML, 13.2.3.2).
    Html,
    /// `@charset "…";` (CSS Syntax 3, 3.2).
    Css,
    /// `coding: …` in a comment of the first two lines (PEP 263; Emacs; Ruby).
    Cookie,
    /// `fileencoding=…` in a modeline of the first five lines (Vim).
    Vim,
    /// The `charset` of the Content-Type in the header of a mail (RFC 2045, 5.1).
    Mail,
    /// The `charset` of the Content-Type in the header of a PO file (GNU gettext).
    Po,
    /// `1 CHAR …` in the header of a GEDCOM file (GEDCOM 5.5.1, CHARACTER_SET).
    Gedcom,
    /// Position 9 of the leader of a MARC 21 record.
    Marc,
}

impl DeclarationKind {
    /// Whether a label means what the Encoding Standard says.
    pub(super) const fn is_of_the_web(self) -> bool {
        matches!(self, Self::Html | Self::Css | Self::Mail)
    }

    /// Whether such a label may be rewritten. The parts of a mail may be in other encodings, and signed. The leader of
    /// a MARC record also has the length of the record, which a conversion changes.
    const fn may_be_rewritten(self) -> bool {
        !matches!(self, Self::Mail | Self::Marc)
    }
}

impl EncodingDeclaration {
    /// Creates a declaration whose label is at `range` of `head`; `None` if that is not a label.
    pub(super) fn at(head: &[u8], kind: DeclarationKind, range: Range<usize>) -> Option<Self> {
        let range = bytes::trimmed(head, range);
        let label = std::str::from_utf8(head.get(range.clone())?).ok()?;
        let is_label = !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_graphic());
        is_label.then(|| Self { kind, label: label.to_owned(), range })
    }

    /// Whether it declares that the text is in `encoding`.
    pub fn names(&self, encoding: &'static Encoding) -> bool {
        let named = |name: &&'static Encoding| name.unmarked() == encoding.unmarked();
        let plain = self.plain();
        plain.iter().any(named)
            || label::of_the_web(&self.label).iter().any(named) && self.kind.is_of_the_web()
            // ASCII text is in any superset of ASCII.
            || encoding == Encoding::US_ASCII && plain.is_some_and(keeps_ascii)
    }

    /// Returns the encoding that the label means outside of the web.
    pub(super) fn plain(&self) -> Option<&'static Encoding> {
        match self.kind {
            DeclarationKind::Gedcom => label::of_gedcom(&self.label),
            DeclarationKind::Marc => label::of_marc(&self.label),
            _ => label::plain(&self.label),
        }
    }

    /// Whether the label names any encoding.
    pub fn is_known(&self) -> bool {
        self.plain().is_some() || label::of_the_web(&self.label).is_some()
    }

    /// Returns the label to replace it with for `encoding`; `None` if the declaration must not be changed.
    pub fn label_of(&self, encoding: &'static Encoding) -> Option<String> {
        let name = match self.kind {
            DeclarationKind::Gedcom => label::name_in_gedcom(encoding)?,
            _ => label::name_of(encoding, self.kind.is_of_the_web()),
        };
        let is_lower_case = matches!(self.kind, DeclarationKind::Cookie | DeclarationKind::Vim);
        self.kind.may_be_rewritten().then(|| match is_lower_case {
            true => name.to_ascii_lowercase(),
            false => name.to_owned(),
        })
    }
}

/// Formats the declaration as people know it: `charset=koi8-r`.
impl std::fmt::Display for EncodingDeclaration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let label = &self.label;
        match self.kind {
            DeclarationKind::Xml => write!(f, "encoding=\"{label}\""),
            DeclarationKind::Html | DeclarationKind::Mail | DeclarationKind::Po => {
                write!(f, "charset={label}")
            }
            DeclarationKind::Css => write!(f, "@charset \"{label}\""),
            DeclarationKind::Cookie => write!(f, "coding: {label}"),
            DeclarationKind::Vim => write!(f, "fileencoding={label}"),
            DeclarationKind::Gedcom => write!(f, "CHAR {label}"),
            DeclarationKind::Marc => write!(f, "'{label}' in position 9 of its leader"),
        }
    }
}
