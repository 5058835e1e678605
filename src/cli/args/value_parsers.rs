//! Parsers for options whose value is one of a few words, or a number.

use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use oxiconv_report::FormatChoice;

/// A word that an option accepts, with its help and the value that it stands for.
///
/// clap's `ValueEnum` would need an enum for each option. Here the values are those of the library itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keyword<T> {
    pub(crate) name: &'static str,
    help: &'static str,
    pub(crate) value: T,
}

pub(super) const fn keyword<T: Copy>(
    name: &'static str,
    value: T,
    help: &'static str,
) -> Keyword<T> {
    Keyword { name, help, value }
}

pub(super) fn one_of<T: Copy + Send + Sync + 'static>(
    words: impl IntoIterator<Item = Keyword<T>>,
) -> impl TypedValueParser<Value = T> {
    let words: Vec<_> = words.into_iter().collect();
    let shown: Vec<_> =
        words.iter().map(|word| PossibleValue::new(word.name).help(word.help)).collect();
    PossibleValuesParser::new(shown).try_map(move |name| {
        words.iter().find(|word| word.name == name).map(|word| word.value).ok_or("no such word")
    })
}

pub(super) fn one_of_formats(
    formats: &'static [FormatChoice],
) -> impl TypedValueParser<Value = &'static FormatChoice> {
    one_of(formats.iter().map(|format| keyword(format.name, format, format.help)))
}

/// Parses a number, with messages that name the option.
pub(super) fn number<N: FromStr>(option: &str, number: &str) -> Result<N, String> {
    number.parse().map_err(|_| match number.bytes().all(|byte| byte.is_ascii_digit()) {
        true => format!("{option} is too large: {number}"),
        false => format!("{option} must be a number, not '{number}'"),
    })
}
