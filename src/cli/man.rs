//! The man page: the template `man.1`, with the synopsis, the options and the exit statuses filled in from the
//! definition of the arguments.
//!
//! Why not clap_mangen? It makes each group of options a section, and two of these have the names of sections in
//! `man.1`. Its synopsis lacks the values of options, and `mandoc -T lint` complains about its line breaks.

use std::collections::BTreeSet;
use std::fmt::Write;

use clap::{Arg, Command, CommandFactory};

use super::args::{Args, EXAMPLES, USES};
use super::exit_status::MEANINGS;

const TEMPLATE: &str = include_str!("man.1");

pub(crate) fn page() -> String {
    let mut command = Args::command();
    command.build();
    let mut page = String::new();
    for line in TEMPLATE.lines() {
        match line {
            "@SYNOPSIS@" => page += &synopsis(),
            "@OPTIONS@" => options(&command, &mut page),
            "@STATUS@" => {
                for (status, meaning) in MEANINGS {
                    item(&format!("\\fB{}\\fR", escaped(status)), &sentence(meaning), &mut page);
                }
            }
            "@EXAMPLES@" => {
                for (example, what) in EXAMPLES {
                    item(what, "", &mut page);
                    page += &format!(".EX\n{}\n.EE\n", escaped(example));
                }
            }
            line => {
                page += &line.replace("@VERSION@", env!("CARGO_PKG_VERSION"));
                page.push('\n');
            }
        }
    }
    page
}

/// Returns one command per use, with options in bold and their values in italics.
fn synopsis() -> String {
    let font = |word: &str| {
        let font = match word.bytes().next() {
            Some(b'-') => 'B',
            Some(first) if first.is_ascii_uppercase() => 'I',
            _ => return escaped(word),
        };
        format!("\\f{font}{}\\fR", escaped(word))
    };
    let is_end = |char: char| !char.is_ascii_alphanumeric() && char != '-';
    let commands = USES.map(|(usage, _)| {
        let words = usage.split_inclusive(is_end).map(|piece| match piece.strip_suffix(is_end) {
            Some(word) => font(word) + &piece[word.len()..],
            None => font(piece),
        });
        format!(".SY oxiconv\n{}\n.YS\n", words.collect::<String>())
    });
    commands.concat()
}

/// Writes each option with its help, below the headings of `--help`.
fn options(command: &Command, page: &mut String) {
    let mut headings: Vec<_> = shown(command).filter_map(Arg::get_help_heading).collect();
    let mut seen = BTreeSet::new();
    headings.retain(|heading| seen.insert(*heading));
    for heading in headings {
        *page += &format!(".SS {heading}\n");
        for arg in shown(command).filter(|arg| arg.get_help_heading() == Some(heading)) {
            option(arg, page);
        }
    }
}

/// Writes an option with its help, its default and its values.
fn option(arg: &Arg, page: &mut String) {
    let names = [
        arg.get_short().map(|short| format!("-{short}")),
        arg.get_long().map(|long| format!("--{long}")),
    ];
    let names: Vec<_> =
        names.into_iter().flatten().map(|name| format!("\\fB{}\\fR", escaped(&name))).collect();
    let value = match value(arg) {
        OptionValue::None => String::new(),
        OptionValue::Required(value) => format!(" \\fI{value}\\fR"),
        OptionValue::Optional(value) => format!("[=\\fI{value}\\fR]"),
    };
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let (first, more) = help.split_once("\n\n").unwrap_or((&help, ""));
    let mut text = sentence(first);
    if let [default] = arg.get_default_values()
        && takes_value(arg)
    {
        let _ = writeln!(text, "The default is \\fB{}\\fR.", escaped(&default.to_string_lossy()));
    }
    text += &lines(more);
    item(&format!("{}{value}", names.join(", ")), &text, page);
    let values = arg.get_possible_values();
    if !values.is_empty() && takes_value(arg) {
        *page += ".RS\n";
        for value in values {
            let help = value.get_help().map(ToString::to_string).unwrap_or_default();
            item(&format!("\\fB{}\\fR", escaped(value.get_name())), &sentence(&help), page);
        }
        *page += ".RE\n";
    }
}

/// What an option takes: the name of its value in the help.
enum OptionValue {
    None,
    Required(String),
    Optional(String),
}

fn value(arg: &Arg) -> OptionValue {
    let name = arg.get_value_names().and_then(|names| names.first());
    match name.filter(|_| takes_value(arg)) {
        Some(name) if arg.is_require_equals_set() => OptionValue::Optional(name.to_string()),
        Some(name) => OptionValue::Required(name.to_string()),
        None => OptionValue::None,
    }
}

fn takes_value(arg: &Arg) -> bool {
    arg.get_action().takes_values()
}

fn shown(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| !arg.is_positional() && !arg.is_hide_set())
}

/// Writes an entry of a definition list.
fn item(label: &str, text: &str, page: &mut String) {
    *page += &format!(".TP\n{label}\n{text}");
}

/// Returns a short help text with the full stop that it lacks on the screen.
fn sentence(text: &str) -> String {
    let stop = if text.is_empty() || text.ends_with('.') { "" } else { "." };
    lines(&format!("{text}{stop}"))
}

/// Returns a text with one sentence per line, so that roff puts the right space after each.
fn lines(text: &str) -> String {
    let mut lines = String::new();
    for paragraph in text.split("\n\n").filter(|paragraph| !paragraph.is_empty()) {
        for line in paragraph.replace('\n', " ").replace(". ", ".\n").lines() {
            lines += &format!("{}\n", escaped(line));
        }
    }
    lines
}

/// Escapes what roff would read as a command or would print as typographic characters: hyphens, quotation marks, carets
/// and tildes must stay ASCII, so that commands can be copied from the page.
fn escaped(text: &str) -> String {
    let text =
        text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq").replace('`', "\\(ga");
    let text = text.replace('^', "\\(ha").replace('~', "\\(ti");
    let text: String = text
        .chars()
        .map(|c| if c.is_ascii() { c.to_string() } else { format!("\\[u{:04X}]", u32::from(c)) })
        .collect();
    if text.starts_with('.') { format!("\\&{text}") } else { text }
}
