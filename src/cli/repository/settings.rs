//! What is declared for one file, merged from all files of rules. Each value knows the line that chose it.

use std::collections::BTreeMap;

use oxiconv_transcode::diagnostic::{DeniedKind, Kind, Severity};
use oxiconv_transcode::{InputEncoding, MarkMode, Newline};

use super::declaration::{Declared, DeclaringLine};

/// The encoding of a text, with what that says of a byte order mark at its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DeclaredCharset {
    pub(crate) encoding: InputEncoding,
    pub(crate) marks: MarkMode,
}

/// What is declared for one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DeclaredSettings {
    /// Whether the file is left out, whatever it contains; if not, it is text, whatever it looks like.
    pub(crate) excluded: Option<Declared<bool>>,
    /// Whether git looks at the contents before it changes line ends: if the file looks binary, nothing is declared.
    pub(crate) may_be_binary: bool,
    pub(crate) charset: Option<Declared<DeclaredCharset>>,
    /// What becomes of a byte order mark, whatever the charset says.
    pub(crate) marks: Option<Declared<MarkMode>>,
    /// `None` inside is any line end.
    pub(crate) newline: Option<Declared<Option<Newline>>>,
    pub(crate) final_newline: Option<Declared<bool>>,
    pub(crate) denied: Option<Declared<Vec<DeniedKind>>>,
    /// The severity of kinds; `None` inside is no finding at all.
    pub(crate) severities: BTreeMap<Kind, Declared<Option<Severity>>>,
}

impl DeclaredSettings {
    /// Returns these settings, with those of `weaker` where there are none.
    pub(super) fn over(self, weaker: Self) -> Self {
        let mut severities = weaker.severities;
        severities.extend(self.severities);
        Self {
            excluded: self.excluded.or(weaker.excluded),
            may_be_binary: self.may_be_binary || weaker.may_be_binary,
            charset: self.charset.or(weaker.charset),
            marks: self.marks.or(weaker.marks),
            newline: self.newline.or(weaker.newline),
            final_newline: self.final_newline.or(weaker.final_newline),
            denied: self.denied.or(weaker.denied),
            severities,
        }
    }

    /// Returns the declaration that a finding of this kind contradicts.
    pub(crate) fn contradicted(&self, kind: Kind) -> Option<&DeclaringLine> {
        let charset = self.charset.as_ref().map(|charset| &charset.by);
        match kind {
            Kind::IllFormed(_) | Kind::OtherEncoding => charset,
            Kind::MarkForbidden | Kind::MarkMissing => {
                self.marks.as_ref().map(|marks| &marks.by).or(charset)
            }
            Kind::WrongNewline => self.newline.as_ref().map(|newline| &newline.by),
            Kind::MissingFinalNewline => self.final_newline.as_ref().map(|end| &end.by),
            Kind::Denied(_) => self.denied.as_ref().map(|denied| &denied.by),
            _ => None,
        }
    }

    /// Returns the declarations in force, each once, in the order of their properties.
    pub(crate) fn declarations(&self) -> Vec<&DeclaringLine> {
        let each = [
            self.excluded.as_ref().map(|it| &it.by),
            self.charset.as_ref().map(|it| &it.by),
            self.marks.as_ref().map(|it| &it.by),
            self.newline.as_ref().map(|it| &it.by),
            self.final_newline.as_ref().map(|it| &it.by),
            self.denied.as_ref().map(|it| &it.by),
        ];
        each.into_iter().flatten().chain(self.severities.values().map(|it| &it.by)).collect()
    }
}
