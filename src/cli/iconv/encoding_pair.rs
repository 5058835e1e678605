//! Looks up the encodings of `-f` and `-t`, and builds the conversion between them.

use oxiconv_encodings::encoding::{IconvEncoding, SuffixedName};
use oxiconv_os::Locale;
use oxiconv_report::visible;
use oxiconv_transcode::transliteration::TransliterationLocale;
use oxiconv_transcode::{
    Conversion, IconvPair, OnIllFormed, OnUnmappable, SubstitutionFormat, Threads,
};

use super::super::user_tables::{LookupError, for_path};
use super::iconv_options::IconvSettings;

/// The two encodings of a conversion, with suffixes.
pub(super) struct EncodingPair(IconvPair);

/// One or two unknown names. glibc has a message of its own for both.
#[derive(Debug)]
pub(super) struct UnknownNames {
    from: Option<UnknownName>,
    to: Option<UnknownName>,
}

/// An unknown name as it was typed, and the message about it.
#[derive(Debug)]
struct UnknownName {
    name: String,
    why: String,
}

impl UnknownNames {
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

    /// Returns what oxiconv adds: similar names, for example.
    pub(super) fn note(&self) -> String {
        let unknown = [&self.from, &self.to].into_iter().flatten();
        unknown.map(|unknown| unknown.why.as_str()).collect::<Vec<_>>().join("\n")
    }
}

impl EncodingPair {
    /// Looks up both names. An empty one means `charset`, the encoding of the locale.
    pub(super) fn new(from: &str, to: &str, charset: &str) -> Result<Self, UnknownNames> {
        let side = |code: &str| {
            let error = match IconvEncoding::for_code(code, charset) {
                Ok(side) => return Ok(side),
                Err(error) => error,
            };
            // For the message, which shows the name as it was typed.
            let typed = error.name.clone();
            let unknown = |error: LookupError| {
                let why = match error {
                    // Without the advice to search with `--list PART`, which does not exist under the name iconv.
                    LookupError::Name(unknown) => unknown.to_string(),
                    other => other.to_string(),
                };
                UnknownName { name: typed.clone(), why }
            };
            // As in glibc, a name that no encoding has may be the path of a charmap.
            let SuffixedName { name: path, suffixes, .. } = SuffixedName::of_path(code);
            match for_path(path) {
                Some(Ok(encoding)) => Ok((encoding.into(), suffixes)),
                Some(Err(error)) => Err(unknown(error)),
                None => Err(unknown(error.into())),
            }
        };
        match (side(from), side(to)) {
            // glibc accepts suffixes in the name of the input encoding, and ignores them.
            (Ok((from, _)), Ok((to, suffixes))) => Ok(Self(IconvPair { from, to, suffixes })),
            (from, to) => Err(UnknownNames { from: from.err(), to: to.err() }),
        }
    }

    /// Builds the conversion that the options and suffixes ask for.
    ///
    /// # Errors
    ///
    /// The message about a malformed `--byte-subst` or `--unicode-subst`.
    pub(super) fn conversion(
        &self,
        settings: &IconvSettings,
        locale: &Locale,
    ) -> Result<Conversion, String> {
        let mut pair = self.0;
        pair.suffixes.ignore |= settings.skip;
        let mut options = pair
            .options()
            .transliteration_locale(TransliterationLocale::of_environment(&locale.name))
            .threads(Threads::All);
        if let Some(text) = &settings.byte_subst {
            let format = format("--byte-subst", text)?;
            options = options.on_ill_formed(OnIllFormed::Escape).ill_formed_format(format);
        }
        if let Some(text) = &settings.unicode_subst {
            let format = format("--unicode-subst", text)?;
            options = options.on_unmappable(OnUnmappable::Escape).unmappable_format(format);
        }
        options.build(pair.from.read, pair.to.written).map_err(|error| error.to_string())
    }
}

fn format(option: &str, text: &str) -> Result<SubstitutionFormat, String> {
    text.parse().map_err(|error| format!("{option} '{}': {error}", visible(text)))
}
