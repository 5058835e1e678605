//! The options that can have a default.
//!
//! Each is an option of a conversion. None chooses what is done, which files are read or written, or how carefully.
//! Where the file may be somebody else's, only those are left that say how text is written down, and cannot lose any.

use std::mem::swap;

use oxiconv_transcode::{InputEncoding, MarkMode};

use super::default_file::DefaultsOwner;
use crate::cli::args::Args;

pub(super) struct DefaultKey {
    /// The long name of the option.
    pub(super) name: &'static str,
    /// Exchanges the values of the option.
    pub(super) swap: fn(&mut Args, &mut Args),
    pub(super) value: DefaultValue,
    /// Who may set it: with `Repository`, also the user.
    owner: DefaultsOwner,
}

/// How a value is written in TOML.
#[derive(Clone, Copy)]
pub(super) enum DefaultValue {
    Text,
    Number,
    /// `true` gives the option, and `false` leaves it out even if a file of less weight gives it.
    Flag,
    /// A list of strings, or one string.
    List,
}

use DefaultValue::{Flag, List, Number, Text};
use DefaultsOwner::{Repository, User};

const fn key(
    name: &'static str,
    value: DefaultValue,
    owner: DefaultsOwner,
    swap: fn(&mut Args, &mut Args),
) -> DefaultKey {
    DefaultKey { name, swap, value, owner }
}

/// In the order in which they are applied: whether one fits may depend on those before it.
pub(super) const KEYS: [DefaultKey; 15] = [
    key("from", Text, User, |a, b| swap(&mut a.encodings.from, &mut b.encodings.from)),
    key("to", Text, User, |a, b| swap(&mut a.encodings.to, &mut b.encodings.to)),
    key("endian", Text, User, |a, b| swap(&mut a.encodings.endian, &mut b.encodings.endian)),
    key("ebcdic-newline", Text, User, |a, b| {
        swap(&mut a.encodings.ebcdic_newline, &mut b.encodings.ebcdic_newline);
    }),
    key("language", List, User, |a, b| swap(&mut a.detection.language, &mut b.detection.language)),
    key("errors", Text, User, |a, b| swap(&mut a.substitution.errors, &mut b.substitution.errors)),
    key("unmappable", Text, User, |a, b| {
        swap(&mut a.substitution.unmappable, &mut b.substitution.unmappable);
    }),
    key("translit-locale", Text, User, |a, b| {
        swap(&mut a.substitution.translit_locale, &mut b.substitution.translit_locale);
    }),
    key("replacement", Text, User, |a, b| {
        swap(&mut a.substitution.replacement, &mut b.substitution.replacement);
    }),
    key("normalize", Text, User, |a, b| swap(&mut a.lines.normalize, &mut b.lines.normalize)),
    key("jobs", Number, User, |a, b| swap(&mut a.work.jobs, &mut b.work.jobs)),
    key("bom", Text, Repository, |a, b| swap(&mut a.marks.bom, &mut b.marks.bom)),
    key("declaration", Text, Repository, |a, b| {
        swap(&mut a.marks.declaration, &mut b.marks.declaration);
    }),
    key("newline", Text, Repository, |a, b| swap(&mut a.lines.newline, &mut b.lines.newline)),
    key("final-newline", Flag, Repository, |a, b| {
        swap(&mut a.lines.final_newline, &mut b.lines.final_newline);
    }),
];

impl DefaultKey {
    /// Returns the name of the option's field.
    pub(super) fn id(&self) -> String {
        self.name.replace('-', "_")
    }

    pub(super) fn is_allowed(&self, owner: DefaultsOwner) -> bool {
        owner == User || self.owner == Repository
    }

    /// Whether the command line says itself what this option would, with this option or with another.
    pub(super) fn is_given(&self, args: &Args) -> bool {
        let given = |option| args.given.has(option);
        let suffixes = args.suffixes();
        let otherwise = match self.name {
            "errors" => given("skip") || suffixes.ignore,
            "unmappable" => given("skip") || given("errors") || suffixes != Default::default(),
            // `-t utf-8-bom`
            "bom" => args.encodings.to.is_some_and(|to| to.marked),
            _ => false,
        };
        otherwise || given(&self.id())
    }

    /// Returns why a value that clap has accepted cannot be a default.
    ///
    /// An encoding of the input would be that of texts in other encodings too, and the commands in hints leave it out
    /// where it is UTF-8.
    pub(super) fn fault(&self, value: &Args) -> Option<&'static str> {
        let names_encoding = value
            .encodings
            .from
            .is_some_and(|from| matches!(from.encoding, InputEncoding::Named(_)));
        match value.marks.bom {
            _ if names_encoding => {
                Some("only \"auto\" can be a default, since a text may be in any encoding")
            }
            Some(MarkMode::Forbid | MarkMode::Require) => {
                Some("this is for --check, and defaults are for conversions")
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::super::super::mode::CHOOSING;
    use super::*;

    #[test]
    fn each_key_is_an_option_and_swaps_its_values() {
        let command = Args::command();
        for key in &KEYS {
            let option = command.get_arguments().find(|arg| arg.get_long() == Some(key.name));
            let option = option.unwrap();
            assert_eq!(option.get_id().as_str(), key.id());
            let is_flag = !option.get_action().takes_values();
            assert_eq!(is_flag, matches!(key.value, Flag), "{}", key.name);
            assert!(CHOOSING.iter().all(|(choosing, _)| *choosing != key.id()), "{}", key.name);
            let value = match (&option.get_possible_values()[..], key.name) {
                (_, "from" | "to") => "=latin1",
                _ if is_flag => "",
                (_, "jobs") => "=3",
                (_, "language") => "=ja",
                (_, "replacement") => "=x",
                (_, "translit-locale") => "=de_DE",
                (values, _) => &format!("={}", values.last().unwrap().get_name()),
            };
            let words = ["oxiconv".into(), format!("--{}{value}", key.name).into()];
            let (mut one, mut other) = (Args::default(), Args::default());
            let parsed = crate::cli::args::read(&mut Args::command(), &words).unwrap();
            (key.swap)(&mut one, &mut Args { given: Default::default(), ..parsed });
            assert_ne!(format!("{one:?}"), format!("{other:?}"), "{}", key.name);
            (key.swap)(&mut one, &mut other);
            assert_eq!(format!("{one:?}"), format!("{:?}", Args::default()), "{}", key.name);
        }
    }
}
