//! Parses the values of `--from`, `--to` and `--fallback`: a name in the registry, `auto`, a code page of this system,
//! or the path of a table. The first two accept iconv's suffixes (`latin1//TRANSLIT`).

use oxiconv_detect::detection::Detector;
use oxiconv_encodings::encoding::{
    Encoding, SuffixedName, Suffixes, UnknownEncoding, asks_for_mark,
};
use oxiconv_transcode::{Fallback, InputEncoding};

use crate::cli::code_pages::encoding_name;
use crate::cli::user_tables::{LookupError, for_name_or_path, for_path};

/// An encoding, with what else its name on the command line asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Named<E> {
    pub(crate) encoding: E,
    pub(crate) suffixes: Suffixes,
    /// Whether the name asks for a byte order mark in the output: `utf-8-bom`.
    pub(crate) marked: bool,
}

pub(super) fn fallback(name: &str) -> Result<Fallback, LookupError> {
    match name.eq_ignore_ascii_case("auto") {
        true => Ok(Fallback::Detected),
        false => for_name_or_path(name).map(Fallback::Named),
    }
}

pub(crate) fn input_encoding(code: &str) -> Result<Named<InputEncoding>, NamedError> {
    named(code, |name| match name.eq_ignore_ascii_case("auto") {
        true => Ok(InputEncoding::Detected(Detector::new())),
        false if name.eq_ignore_ascii_case("auto-lines") => {
            Ok(InputEncoding::Lines(Detector::new()))
        }
        false => Encoding::for_name(name).map(InputEncoding::Named),
    })
}

pub(crate) fn output_encoding(code: &str) -> Result<Named<&'static Encoding>, NamedError> {
    named(code, Encoding::for_name)
}

/// Parses a name with its suffixes, looking up the part before them.
///
/// If no encoding has the name, it may be the path of a table. A path contains slashes itself, so it is split from its
/// suffixes by another rule. If that fails too, the error is the one about the name.
fn named<E: From<&'static Encoding>>(
    code: &str,
    look_up: impl Fn(&str) -> Result<E, UnknownEncoding>,
) -> Result<Named<E>, NamedError> {
    let SuffixedName { name, suffixes, unknown } = SuffixedName::new(code);
    let page = encoding_name(name).map_err(LookupError::from)?;
    let error = match (look_up(page.as_deref().unwrap_or(name)), unknown) {
        (Ok(encoding), None) => {
            return Ok(Named { encoding, suffixes, marked: asks_for_mark(name) });
        }
        (Ok(_), Some(suffix)) => NamedError::Suffix(suffix.to_owned()),
        (Err(mut error), _) => {
            // If the name consists of blanks, nothing is left of it. The message then shows it as typed.
            if error.name.is_empty() {
                error.name = code.to_owned();
            }
            LookupError::from(error).into()
        }
    };
    let SuffixedName { name: path, suffixes, .. } = SuffixedName::of_path(code);
    match for_path(path) {
        Some(encoding) => Ok(Named { encoding: encoding?.into(), suffixes, marked: false }),
        None => Err(error),
    }
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum NamedError {
    #[error(transparent)]
    Name(#[from] LookupError),
    #[error("unknown suffix '//{0}' (known: //TRANSLIT, //IGNORE and //NON_IDENTICAL_DISCARD)")]
    Suffix(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_are_read_as_iconv_has_them() {
        let read = |code| named(code, Encoding::for_name);
        let both = read("latin1//TRANSLIT//ignore").unwrap();
        assert_eq!(both.encoding.name(), "ISO-8859-1");
        assert!(both.suffixes.transliterate && both.suffixes.ignore);
        assert_eq!(read("latin1//").unwrap().suffixes, Suffixes::default());
        let error = read("latin1//FOO").unwrap_err().to_string();
        assert!(error.starts_with("unknown suffix '//FOO'"), "{error}");
    }
}
