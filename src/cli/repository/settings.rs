//! What is declared for one file, merged from all files of rules. Each value has the line that declared it, for
//! messages.

use std::collections::BTreeMap;

use oxiconv_transcode::diagnostic::{DeniedKind, Kind, Severity};
use oxiconv_transcode::{InputEncoding, MarkMode, Newline};

use super::declaration::{Declared, DeclaringLine};

/// A declared encoding, with what its name implies about a byte order mark: `utf-8-bom` requires one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DeclaredCharset {
    pub(crate) encoding: InputEncoding,
    pub(crate) marks: MarkMode,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DeclaredSettings {
    /// `true`: the file is skipped, whatever it contains. `false`: it is text, even if it looks binary.
    pub(crate) excluded: Option<Declared<bool>>,
    /// `text=auto` with `eol`: git looks at the contents before it changes line ends. If the file looks binary, nothing
    /// is declared.
    pub(crate) may_be_binary: bool,
    pub(crate) charset: Option<Declared<DeclaredCharset>>,
    /// Overrides the byte order mark that the charset implies.
    pub(crate) marks: Option<Declared<MarkMode>>,
    /// The inner `None` allows any line end, and overrides a weaker rule.
    pub(crate) newline: Option<Declared<Option<Newline>>>,
    pub(crate) final_newline: Option<Declared<bool>>,
    pub(crate) denied: Option<Declared<Vec<DeniedKind>>>,
    /// Severities by kind of finding. The inner `None` turns the kind off.
    pub(crate) severities: BTreeMap<Kind, Declared<Option<Severity>>>,
}

impl DeclaredSettings {
    /// Returns these settings, with those of `weaker` for each property that they leave open.
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
