//! Messages for command lines that clap rejects: unknown options and values, and values that are missing, given twice
//! or not taken. Each is one line, like all other errors, followed by a line that says where the options are described.

use std::error::Error as _;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use oxiconv_report::visible;

pub(crate) const HELP: &str =
    "Try 'oxiconv -h' for a summary, or 'oxiconv --help' for all options.";

/// What other programs call an option, and what it is called here. A search for similar names would suggest a wrong one,
/// or none.
const FOREIGN_OPTIONS: [(&str, &str); 16] = [
    ("-L", "--language"),
    ("--add-bom", "--bom add"),
    ("--add-signature", "--bom add"),
    ("--byte-subst", "--errors"),
    ("--callback", "--errors"),
    ("--encoding", "--from"),
    ("--end-of-line", "--newline"),
    ("--eol", "--newline"),
    ("--from-callback", "--errors"),
    ("--keep-bom", "--bom keep"),
    ("--no-bom", "--bom strip"),
    ("--remove-bom", "--bom strip"),
    ("--remove-signature", "--bom strip"),
    ("--strip-bom", "--bom strip"),
    ("--to-callback", "--unmappable"),
    ("--unicode-subst", "--unmappable"),
];

/// The same for values. An option suggests those that it has, so a word can mean something else for each.
const FOREIGN_VALUES: [(&str, &str); 48] = [
    ("abort", "strict"),
    ("fail", "strict"),
    ("fatal", "strict"),
    ("stop", "strict"),
    ("lossy", "replace"),
    ("substitute", "replace"),
    ("delete", "skip"),
    ("discard", "skip"),
    ("drop", "skip"),
    ("ignore", "skip"),
    ("remove", "skip"),
    ("backslashreplace", "escape"),
    ("escape-icu", "percent"),
    ("html", "xml"),
    ("xmlcharrefreplace", "xml-dec"),
    ("transliterate", "translit"),
    ("unix", "lf"),
    ("linux", "lf"),
    (r"\n", "lf"),
    ("dos", "crlf"),
    ("windows", "crlf"),
    ("cr-lf", "crlf"),
    (r"\r\n", "crlf"),
    ("mac", "cr"),
    (r"\r", "cr"),
    ("preserve", "keep"),
    ("delete", "strip"),
    ("discard", "strip"),
    ("false", "strip"),
    ("never", "strip"),
    ("no", "strip"),
    ("none", "strip"),
    ("off", "strip"),
    ("remove", "strip"),
    ("always", "add"),
    ("on", "add"),
    ("true", "add"),
    ("write", "add"),
    ("yes", "add"),
    ("big", "be"),
    ("big-endian", "be"),
    ("little", "le"),
    ("little-endian", "le"),
    ("no", "never"),
    ("off", "never"),
    ("on", "always"),
    ("yes", "always"),
    ("xml", "junit"),
];

/// Returns the value that another program's word stands for, or the one that differs in case alone.
fn own_value<'a>(word: &str, values: &'a [String]) -> Option<&'a str> {
    let word = word.to_lowercase();
    // uconv has `escape-java`, `escape-xml-hex` and `any-nfc`.
    let escape = word.strip_prefix("escape-").map(|name| name.trim_end_matches("-hex"));
    let form = word.strip_prefix("any-");
    let foreign = FOREIGN_VALUES.into_iter().filter(|(foreign, _)| *foreign == word);
    let meant = [Some(&*word), escape, form].into_iter().flatten().chain(foreign.map(|it| it.1));
    let known = |meant: &str| values.iter().find(|known| *known == meant);
    // `bash` is short for `complete-bash`.
    let end = format!("-{word}");
    let mut longer = values.iter().filter(|known| known.ends_with(&end));
    let only = longer.next().filter(|_| longer.next().is_none());
    meant.into_iter().find_map(known).or(only).map(String::as_str)
}

/// Returns the message for an error. What the user typed is escaped, so that no control characters reach a terminal.
///
/// The error of a value parser is printed as it is: a test of the definition requires that it names the option or the
/// value.
pub(crate) fn message(error: &clap::Error, command: &Command) -> String {
    let texts = |kind| texts(error, kind);
    let text = |kind| texts(kind).into_iter().next().unwrap_or_default();
    let option = option_of(&text(ContextKind::InvalidArg)).to_owned();
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let mut words = format!("unknown option '{option}'");
            let foreign = FOREIGN_OPTIONS.into_iter().find(|(foreign, _)| *foreign == option);
            if let Some((_, own)) = foreign {
                words += &format!("; did you mean {own}?");
            } else if let [nearest, ..] = &texts(ContextKind::SuggestedArg)[..] {
                words += &format!("; did you mean {nearest}?");
            } else if Path::new(&option).exists() {
                words += &format!("; if it is a file, write ./{option}");
            }
            words
        }
        ErrorKind::InvalidValue => {
            let value = text(ContextKind::InvalidValue);
            let values = texts(ContextKind::ValidValue);
            let known = format!(" (values: {})", values.join(", "));
            let known = if values.is_empty() { "" } else { &known };
            if value.is_empty() && option.is_empty() {
                return "empty file name".to_owned();
            }
            if value.is_empty() {
                return format!("{option} requires a value{known}");
            }
            let own = own_value(&value, &values);
            if own.is_none()
                && let Some(other) = only_option_with(command, &value)
            {
                return format!("invalid value '{value}' for {option}; use --{other} {value}");
            }
            let suggested = texts(ContextKind::SuggestedValue);
            let hint = match own.or(suggested.first().map(String::as_str)) {
                Some(nearest) => format!("; did you mean {nearest}?{known}"),
                None => known.to_owned(),
            };
            format!("invalid value '{value}' for {option}{hint}")
        }
        ErrorKind::ValueValidation => {
            error.source().map(|source| visible(&source.to_string())).unwrap_or_default()
        }
        // Which options exclude each other is checked in `combinations`, so to clap an option only conflicts with
        // itself.
        ErrorKind::ArgumentConflict => format!("{option} can be given only once"),
        ErrorKind::TooManyValues => {
            format!("{option} does not take a value: '{}'", text(ContextKind::InvalidValue))
        }
        ErrorKind::InvalidUtf8 => "an argument is not valid UTF-8".to_owned(),
        // Not reached with the options there are today.
        _ => {
            let text = error.render().to_string();
            let line = text.lines().next().unwrap_or_default();
            visible(line.strip_prefix("error: ").unwrap_or(line))
        }
    }
}

/// Returns the texts of one kind of context in an error, escaped.
fn texts(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![visible(text)],
        Some(ContextValue::Strings(texts)) => texts.iter().map(|text| visible(text)).collect(),
        _ => Vec::new(),
    }
}

/// Returns the option alone: `--errors` of `--errors <MODE>`.
fn option_of(shown: &str) -> &str {
    shown.split([' ', '[']).next().unwrap_or(shown)
}

/// Returns the name of the option that has a value with this name, if it is the only one.
fn only_option_with<'a>(command: &'a Command, value: &str) -> Option<&'a str> {
    let takes =
        |arg: &&Arg| arg.get_possible_values().iter().any(|known| known.matches(value, false));
    let mut options = command.get_arguments().filter(takes).filter_map(Arg::get_long);
    options.next().filter(|_| options.next().is_none())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::super::args::Args;
    use super::*;

    #[test]
    fn what_is_suggested_exists_and_the_foreign_name_does_not() {
        let command = Args::command();
        let known = |option: &str| {
            let long = option.strip_prefix("--").unwrap_or_default();
            command.get_arguments().any(|arg| arg.get_long() == Some(long))
        };
        for (foreign, own) in FOREIGN_OPTIONS {
            assert!(!known(foreign), "{foreign}");
            let (option, value) = own.split_once(' ').unwrap_or((own, ""));
            assert!(known(option), "{own}");
            let mut arg =
                command.get_arguments().filter(|arg| arg.get_long() == Some(&option[2..]));
            let has = |arg: &Arg| arg.get_possible_values().iter().any(|it| it.get_name() == value);
            assert!(value.is_empty() || arg.any(has), "{own}");
        }
        for (foreign, own) in FOREIGN_VALUES {
            let values = |arg: &Arg| -> Vec<String> {
                arg.get_possible_values().iter().map(|it| it.get_name().to_owned()).collect()
            };
            let mut options = command.get_arguments().map(values);
            let suggests = |values: Vec<String>| own_value(foreign, &values) == Some(own);
            assert!(options.any(suggests), "{foreign}");
        }
    }
}
