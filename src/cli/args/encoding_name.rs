//! Names of encodings on the command line, with iconv's suffixes.

use oxiconv_detect::detection::Detector;
use oxiconv_encodings::encoding::{
    Encoding, SuffixedName, Suffixes, UnknownEncoding, asks_for_mark,
};
use oxiconv_transcode::{Fallback, InputEncoding};

use crate::cli::user_tables::{LookupError, for_name_or_path, for_path};

/// An encoding as named on the command line, with iconv's suffixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Named<E> {
    pub(crate) encoding: E,
    pub(crate) suffixes: Suffixes,
    /// Whether the name asks for a byte order mark in the output: `utf-8-bom`.
    pub(crate) marked: bool,
}

/// Reads the value of `--fallback`.
pub(super) fn fallback(name: &str) -> Result<Fallback, LookupError> {
    match name.eq_ignore_ascii_case("auto") {
        true => Ok(Fallback::Detected),
        false => for_name_or_path(name).map(Fallback::Named),
    }
}

/// Reads the value of `--from`.
pub(crate) fn input_encoding(code: &str) -> Result<Named<InputEncoding>, NamedError> {
    named(code, |name| match name.eq_ignore_ascii_case("auto") {
        true => Ok(InputEncoding::Detected(Detector::new())),
        false if name.eq_ignore_ascii_case("auto-lines") => {
            Ok(InputEncoding::Lines(Detector::new()))
        }
        false => Encoding::for_name(name).map(InputEncoding::Named),
    })
}

/// Reads the value of `--to`.
pub(crate) fn output_encoding(code: &str) -> Result<Named<&'static Encoding>, NamedError> {
    named(code, Encoding::for_name)
}

/// Reads a name with its suffixes. If no encoding has the name, it is the path of a table, which may have suffixes too.
fn named<E: From<&'static Encoding>>(
    code: &str,
    look_up: impl Fn(&str) -> Result<E, UnknownEncoding>,
) -> Result<Named<E>, NamedError> {
    let SuffixedName { name, suffixes, unknown } = SuffixedName::new(code);
    let error = match (look_up(name), unknown) {
        (Ok(encoding), None) => {
            return Ok(Named { encoding, suffixes, marked: asks_for_mark(name) });
        }
        (Ok(_), Some(suffix)) => NamedError::Suffix(suffix.to_owned()),
        (Err(mut error), _) => {
            // Of blanks alone, no name is left to show.
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
