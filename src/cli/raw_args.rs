//! What clap cannot do with the words of a command line: accept the suffix of `-i` as sed does, and recognize a value
//! that lacks its `=`.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::Command;

use oxiconv_os::has_separator;
use oxiconv_report::visible;

/// The first characters of a suffix that may follow `-i` without `=`. None of them is a short option.
const SUFFIX_STARTS: [char; 6] = ['.', '~', '_', '-', '+', '#'];

/// Whether a suffix of backups may follow `-i` directly.
pub(crate) fn takes_suffix(suffix: &OsStr) -> bool {
    suffix.to_str().is_some_and(|suffix| suffix.starts_with(SUFFIX_STARTS))
}

/// Returns the words of the command line, with sed's `-i.bak` rewritten as `--in-place=.bak`. Words that can be a group
/// of short options stay as they are: `-iv` is `-i -v`.
pub(crate) fn with_suffixes(
    given: impl Iterator<Item = OsString>,
) -> impl Iterator<Item = OsString> {
    let mut options = true;
    given.map(move |word| {
        options &= word != "--";
        match word.to_str().and_then(|word| word.strip_prefix("-i")) {
            Some(suffix) if options && suffix.starts_with(SUFFIX_STARTS) => {
                OsString::from(format!("--in-place={suffix}"))
            }
            _ => word,
        }
    })
}

/// Returns an error if the word after an option was meant as its value, which the option takes only after `=`: in
/// `--in-place .bak FILE`, the word `.bak` is parsed as the name of a file. It was meant as the value if the option has
/// such a value, and no such file exists.
pub(crate) fn missing_equals_sign(words: &[OsString], command: &Command) -> Option<String> {
    let options = words.iter().take_while(|word| *word != "--").zip(words.iter().skip(1));
    options.into_iter().find_map(|(option, value)| {
        let (option, value) = (option.to_str()?, value.to_str()?);
        let arg =
            command.get_arguments().filter(|arg| arg.is_require_equals_set()).find(|arg| {
                let long =
                    option.strip_prefix("--").is_some_and(|name| arg.get_long() == Some(name));
                let short =
                    option.strip_prefix('-').is_some_and(|name| name.chars().eq(arg.get_short()));
                long || short
            })?;
        if value.starts_with('-') {
            return None;
        }
        let values = arg.get_possible_values();
        let is_value = values.iter().any(|known| known.matches(value, false))
            || (values.is_empty() && value.starts_with(SUFFIX_STARTS) && !has_separator(value));
        (is_value && !Path::new(value).exists()).then(|| {
            let name = arg.get_value_names().and_then(|names| names.first());
            let name = name.filter(|_| values.is_empty()).map(|name| name.to_lowercase());
            let what = name.as_deref().unwrap_or("value");
            let long = arg.get_long().unwrap_or_default();
            format!("--{long} takes its {what} after '=': {option}={}", visible(value))
        })
    })
}
