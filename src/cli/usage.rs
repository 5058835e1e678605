//! Messages for command lines that clap rejects: unknown options and values, and values that are missing, given twice
//! or not taken. Each is one line, like all other errors, followed by a line that says where the options are described.

use std::error::Error as _;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use oxiconv_report::visible;

pub(crate) const HELP: &str =
    "Try 'oxiconv -h' for a summary, or 'oxiconv --help' for all options.";

/// What other programs call an option or a value, and what it is called here. A search for similar names would suggest
/// a wrong one, or none.
const FOREIGN: [(&str, &str); 11] = [
    ("--add-signature", "--bom add"),
    ("--remove-signature", "--bom strip"),
    ("--callback", "--errors"),
    ("--from-callback", "--errors"),
    ("--to-callback", "--unmappable"),
    ("ignore", "skip"),
    ("stop", "strict"),
    ("substitute", "replace"),
    ("escape-icu", "percent"),
    ("unix", "lf"),
    ("dos", "crlf"),
];

/// Returns what a name of another program is called here.
fn own_name(name: &str) -> Option<&'static str> {
    FOREIGN.into_iter().find(|(foreign, _)| *foreign == name).map(|(_, own)| own)
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
            if let Some(own) = own_name(&option) {
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
            if let Some(other) = only_option_with(command, &value) {
                return format!("invalid value '{value}' for {option}; use --{other} {value}");
            }
            let suggested = texts(ContextKind::SuggestedValue);
            let lower = value.to_lowercase();
            // uconv's `escape-java` and `escape-xml-hex` have no `escape-` here.
            let escape = lower.strip_prefix("escape-").map(|name| name.trim_end_matches("-hex"));
            let mut meant = [Some(&*lower), own_name(&lower), escape].into_iter().flatten();
            let meant = meant.find(|meant| values.iter().any(|known| known == meant));
            let hint = match meant.or(suggested.first().map(String::as_str)) {
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
