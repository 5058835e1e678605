//! The encodings that `-f` and `-t` name, and the conversion between them.

use crate::encoding::{IconvEncoding, Mark, NATIVE, SuffixedName, Suffixes, UnknownEncoding};
use crate::io::Locale;
use crate::report::visible;
use crate::transcode::{
    Conversion, MarkMode, OnIllFormed, OnUnmappable, Options, SubstitutionFormat, Threads,
};
use crate::transliteration::TransliterationLocale;

use super::super::tables::{LookupError, for_path};
use super::options::Settings;

/// What GNU libiconv calls the charset of the locale; glibc's name for it is the empty one.
const OF_LOCALE: &str = "char";

/// The encodings of a conversion, and the suffixes of the second one: glibc accepts those of the first, and ignores them.
pub(super) struct Pair {
    from: IconvEncoding,
    to: IconvEncoding,
    suffixes: Suffixes,
}

/// The names that are not known.
#[derive(Debug)]
pub(super) struct UnknownNames {
    from: Option<UnknownName>,
    to: Option<UnknownName>,
}

/// A name as it was typed, and why it is not known.
#[derive(Debug)]
struct UnknownName {
    name: String,
    why: String,
}

impl UnknownNames {
    /// Returns glibc's message.
    pub(super) fn first_line(&self) -> String {
        match (&self.from, &self.to) {
            (Some(from), Some(to)) => {
                let (from, to) = (&from.name, &to.name);
                format!("conversions from `{from}' and to `{to}' are not supported")
            }
            (Some(from), None) => format!("conversion from `{}' is not supported", from.name),
            (None, to) => {
                let name = to.as_ref().map_or("", |to| &to.name);
                format!("conversion to `{name}' is not supported")
            }
        }
    }

    /// Says which names may have been meant.
    pub(super) fn note(&self) -> String {
        let unknown = [&self.from, &self.to].into_iter().flatten();
        unknown.map(|unknown| unknown.why.as_str()).collect::<Vec<_>>().join("\n")
    }
}

impl Pair {
    /// Looks up the two names; an empty one is `charset`, that of the locale.
    pub(super) fn new(from: &str, to: &str, charset: &str) -> Result<Self, UnknownNames> {
        let side = |code: &str| {
            let SuffixedName { name, suffixes, .. } = SuffixedName::new(code);
            let is_of_locale = name.is_empty() || name.eq_ignore_ascii_case(OF_LOCALE);
            let found = IconvEncoding::for_name(if is_of_locale { charset } else { name });
            // The message has the name as it was typed.
            let typed = if is_of_locale { charset } else { code };
            let error = match found {
                Ok(encoding) => return Ok((encoding, suffixes)),
                Err(error) => UnknownEncoding { name: typed.to_owned(), ..error },
            };
            let unknown =
                |error: LookupError| UnknownName { name: typed.to_owned(), why: error.to_string() };
            // As in glibc, what no encoding is called may be the path of a charmap.
            let SuffixedName { name: path, suffixes, .. } = SuffixedName::of_path(code);
            match for_path(path) {
                Some(Ok(encoding)) => Ok((encoding.into(), suffixes)),
                Some(Err(error)) => Err(unknown(error)),
                None => Err(unknown(error.into())),
            }
        };
        match (side(from), side(to)) {
            (Ok((from, _)), Ok((to, suffixes))) => Ok(Self { from, to, suffixes }),
            (from, to) => Err(UnknownNames { from: from.err(), to: to.err() }),
        }
    }

    /// Returns the conversion that the options and suffixes ask for, or the message about a malformed format.
    pub(super) fn conversion(
        &self,
        settings: &Settings,
        locale: &Locale,
    ) -> Result<Conversion, String> {
        let Suffixes { transliterate, ignore, discard } = self.suffixes;
        let skip = settings.skip || ignore;
        let on_ill_formed = match &settings.byte_subst {
            Some(_) => OnIllFormed::Escape,
            None if skip => OnIllFormed::Skip,
            None => OnIllFormed::Stop,
        };
        let on_unmappable = match &settings.unicode_subst {
            Some(_) => OnUnmappable::Escape,
            None if discard => OnUnmappable::Skip,
            // To glibc, what has no similar text is transliterated as well: to a question mark, even with -c.
            None if transliterate => OnUnmappable::Replace,
            None if skip => OnUnmappable::Skip,
            None => OnUnmappable::Stop,
        };
        let mut options = Options::new()
            .on_ill_formed(on_ill_formed)
            .on_unmappable(on_unmappable)
            .transliterate(transliterate)
            .transliteration_locale(TransliterationLocale::of_environment(&locale.name))
            .marks(self.marks())
            .byte_order(NATIVE)
            .threads(Threads::All);
        if let Some(text) = &settings.byte_subst {
            options = options.ill_formed_format(format("--byte-subst", text)?);
        }
        if let Some(text) = &settings.unicode_subst {
            options = options.unmappable_format(format("--unicode-subst", text)?);
        }
        options.build(self.from.read, self.to.written).map_err(|error| error.to_string())
    }

    /// To iconv, U+FEFF is a character unless it gives the byte order. In the output, only one is written as a mark.
    fn marks(&self) -> MarkMode {
        if self.to.marked {
            return MarkMode::Add;
        }
        match self.from.read.mark {
            Mark::Signature => MarkMode::Keep,
            _ => MarkMode::Auto,
        }
    }
}

/// Reads the format of an option.
fn format(option: &str, text: &str) -> Result<SubstitutionFormat, String> {
    text.parse().map_err(|error| format!("{option} '{}': {error}", visible(text)))
}
