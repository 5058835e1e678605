//! The command that repairs a text, to be copied into a shell.

use std::path::Path;

use oxiconv_os::Shell;

use super::visible::{visible, visible_path};
use crate::Repair;

/// The option that decompresses input.
pub const DECOMPRESS: &str = "-z";

/// The options of the user that a command repeats.
#[derive(Clone, Copy, Debug)]
pub(super) struct RepeatedOptions {
    pub(super) from: Option<&'static str>,
    pub(super) to: Option<&'static str>,
    pub(super) decompress: bool,
}

/// Returns the words of the command with these options. Without a `file`, it reads standard input.
///
/// If `skip` is not 0, `tail` cuts off that many bytes first. They are bytes of the text, so a compressed file is
/// decompressed before: then `gzip` or `zstd` takes the place of the option.
pub(super) fn words(options: &[String], skip: u64, file: Option<&Path>) -> Vec<String> {
    let mut words = Vec::new();
    let is_zstd = file.and_then(Path::extension).is_some_and(|it| it.eq_ignore_ascii_case("zst"));
    let mut file = file.map(quoted);
    if skip > 0 {
        if options.iter().any(|option| option == DECOMPRESS) {
            let program = if is_zstd { "zstd" } else { "gzip" };
            // With -f, both pass on data that is not compressed.
            words.extend([program.to_owned(), "-dcf".to_owned()]);
            words.extend(file.take());
            words.push("|".to_owned());
        }
        words.extend(["tail".to_owned(), "-c".to_owned(), format!("+{}", skip + 1)]);
        words.extend(file.take());
        words.push("|".to_owned());
    }
    words.push("oxiconv".to_owned());
    words.extend(options.iter().filter(|option| skip == 0 || *option != DECOMPRESS).cloned());
    words.extend(file);
    words
}

/// Returns the options of a repair, after those of the user that the repair does not change.
pub(super) fn options(repair: &Repair, asked: RepeatedOptions) -> Vec<String> {
    let RepeatedOptions { from, to, decompress } = asked;
    let decompress = decompress.then(|| DECOMPRESS.to_owned());
    let asked = [
        ("-f", from.filter(|_| repair.from.is_none() && !repair.reads_lines)),
        ("-t", to.filter(|_| repair.to.is_none())),
    ];
    let asked = asked.into_iter().filter_map(|(option, name)| Some([option, name?]));
    let asked = asked.flatten().map(str::to_owned);
    decompress.into_iter().chain(asked).chain(repair.options()).collect()
}

/// Returns the option that replaces a file and keeps the old content next to it.
pub fn in_place() -> String {
    option_word("-i", Path::new(".bak"))
}

/// Quotes an option with its value as one word for the usual shell. PowerShell would split `-i.bak` before the dot.
/// Double quotes work in cmd as well, but both shells expand some characters inside them.
pub fn option_word(option: &str, value: &Path) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '~' | '=');
    match Shell::USUAL {
        Shell::Posix => format!("{option}{}", posix_word(value)),
        Shell::PowerShell => match visible_path(value) {
            value if value.chars().all(is_plain) => format!("\"{option}{value}\""),
            value => single_quoted(&format!("{option}{value}")),
        },
    }
}

/// Returns the words of the command that repairs `file` in place, if that is possible. What is cut off or decompressed
/// first comes from a pipe, and a pipe or a device cannot be replaced; then the repaired text goes to standard output.
pub(super) fn repairing(options: &[String], skip: u64, file: Option<&Path>) -> Vec<String> {
    let is_replaceable = |path: &Path| path.metadata().map_or(true, |found| found.is_file());
    let is_replaced = skip == 0
        && !options.iter().any(|option| option == DECOMPRESS)
        && file.is_some_and(is_replaceable);
    let in_place = is_replaced.then(in_place);
    words(&options.iter().cloned().chain(in_place).collect::<Vec<_>>(), skip, file)
}

/// Formats the command on one line.
pub fn command(options: &[String], skip: u64, file: Option<&Path>) -> String {
    words(options, skip, file).join(" ")
}

/// Formats the command after `lead`, continued on further lines to fit `columns`.
pub(super) fn lines(lead: &str, words: &[String], columns: usize) -> String {
    let indent = " ".repeat(lead.len());
    let mut text = String::new();
    let mut line = lead.to_owned();
    let mut fresh = true;
    for (index, word) in words.iter().enumerate() {
        // Every line but the last needs room for what says that another follows.
        let end = if index + 1 == words.len() { 0 } else { 2 };
        if !fresh && line.chars().count() + 1 + word.chars().count() + end > columns {
            text.push_str(&line);
            text.extend([' ', Shell::USUAL.continuation(), '\n']);
            line.clone_from(&indent);
            fresh = true;
        }
        if !fresh {
            line.push(' ');
        }
        line.push_str(word);
        fresh = false;
    }
    text + &line + "\n"
}

/// Quotes a path as one word for the usual shell, in printing characters only.
pub fn quoted(path: &Path) -> String {
    match Shell::USUAL {
        Shell::Posix => posix_word(path),
        Shell::PowerShell => powershell_word(path),
    }
}

/// shlex quotes more than POSIX requires: also what zsh or an interactive shell takes for something else, such as `=ls`
/// or `!`. Its words are read by fish as well. It leaves control characters as they are and takes only UTF-8, so a path
/// with control characters or other bytes is written as `$'…'`. A path that begins with a dash gets `./`, or it would
/// be an option.
fn posix_word(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    let dash = if bytes.starts_with(b"-") { "./" } else { "" };
    match std::str::from_utf8(bytes) {
        Ok(text) if visible(text) == text => {
            // It fails only for U+0000, which a path cannot contain.
            shlex::try_quote(&format!("{dash}{text}")).unwrap_or_default().into_owned()
        }
        _ => dollar_quoted(dash, bytes),
    }
}

/// PowerShell takes what is between single quotes as it is, but for the quotes themselves, which are doubled. It has
/// several of them (`CharTraits.cs`: U+2018 to U+201B).
fn powershell_word(path: &Path) -> String {
    let text = visible_path(path);
    let dash = if text.starts_with('-') { ".\\" } else { "" };
    let is_plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '\\' | ':');
    if !text.is_empty() && text.chars().all(is_plain) {
        return dash.to_owned() + &text;
    }
    single_quoted(&format!("{dash}{text}"))
}

fn single_quoted(text: &str) -> String {
    let mut word = "'".to_owned();
    for c in text.chars() {
        if matches!(c, '\'' | '\u{2018}'..='\u{201B}') {
            word.push(c);
        }
        word.push(c);
    }
    word + "'"
}

/// Quotes bytes as `$'…'`, which bash, zsh and ksh read.
fn dollar_quoted(start: &str, bytes: &[u8]) -> String {
    let mut word = format!("$'{start}");
    for byte in bytes {
        match byte {
            b'\'' | b'\\' => word.extend(['\\', char::from(*byte)]),
            b' '..=b'~' => word.push(char::from(*byte)),
            _ => word.push_str(&format!("\\x{byte:02x}")),
        }
    }
    word + "'"
}

#[cfg(test)]
mod tests;
