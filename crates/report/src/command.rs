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
mod tests {
    use super::*;
    #[cfg(unix)]
    use std::ffi::OsStr;
    #[cfg(unix)]
    use std::os::unix::ffi::OsStrExt;

    #[cfg(unix)]
    #[test]
    fn a_path_is_one_word_of_the_shell() {
        for (path, expected) in [
            (&b"notes.txt"[..], "notes.txt"),
            (b"a b", "'a b'"),
            (b"it's", "\"it's\""),
            (b"=ls", "'=ls'"),
            (b"a,b", "'a,b'"),
            (b"-x", "./-x"),
            (b"$(rm)", "'$(rm)'"),
            ("é".as_bytes(), "'é'"),
            (b"caf\xE9'\n", "$'caf\\xe9\\'\\x0a'"),
        ] {
            assert_eq!(posix_word(Path::new(OsStr::from_bytes(path))), expected);
        }
    }

    #[test]
    fn a_path_is_one_word_of_powershell() {
        for (path, expected) in [
            ("notes.txt", "notes.txt"),
            (r"C:\a\b-c_1.txt", r"C:\a\b-c_1.txt"),
            ("a b", "'a b'"),
            ("it's", "'it''s'"),
            ("it\u{2019}s", "'it\u{2019}\u{2019}s'"),
            ("-x", r".\-x"),
            ("-x y", r"'.\-x y'"),
            ("$(rm)", "'$(rm)'"),
            ("", "''"),
        ] {
            assert_eq!(powershell_word(Path::new(path)), expected);
        }
    }

    /// The bytes to cut off are those of the decompressed text.
    #[test]
    fn bytes_are_cut_off_after_decompression() {
        let options = [DECOMPRESS, "-t", "utf-16"].map(String::from);
        for (skip, file, expected) in [
            (0, Some("a.gz"), "oxiconv -z -t utf-16 a.gz"),
            (3, Some("a.gz"), "gzip -dcf a.gz | tail -c +4 | oxiconv -t utf-16"),
            (3, Some("a.zst"), "zstd -dcf a.zst | tail -c +4 | oxiconv -t utf-16"),
            (3, None, "gzip -dcf | tail -c +4 | oxiconv -t utf-16"),
        ] {
            assert_eq!(command(&options, skip, file.map(Path::new)), expected);
        }
        let plain = command(&options[1..], 3, Some(Path::new("a.gz")));
        assert_eq!(plain, "tail -c +4 a.gz | oxiconv -t utf-16");
    }

    #[cfg(unix)]
    #[test]
    fn a_command_that_repairs_a_file_replaces_it_and_keeps_a_copy() {
        let options = ["--fallback", "windows-1252"].map(String::from);
        let compressed = [&[DECOMPRESS.to_owned()][..], &options].concat();
        let file = Some(Path::new("notes.txt"));
        for (options, skip, file, expected) in [
            (&options[..], 0, file, "oxiconv --fallback windows-1252 -i.bak notes.txt"),
            (&options, 0, None, "oxiconv --fallback windows-1252"),
            (&options, 2, file, "tail -c +3 notes.txt | oxiconv --fallback windows-1252"),
            (
                &options,
                0,
                Some(Path::new("/dev/null")),
                "oxiconv --fallback windows-1252 /dev/null",
            ),
            (&compressed, 0, file, "oxiconv -z --fallback windows-1252 notes.txt"),
        ] {
            assert_eq!(repairing(options, skip, file).join(" "), expected);
        }
    }

    #[cfg(unix)]
    #[test]
    fn long_commands_go_on_after_a_backslash() {
        let words: Vec<_> =
            ["oxiconv", "--fallback", "windows-1252", "notes.txt"].map(String::from).into();
        assert_eq!(
            lines("  repair  ", &words, 80),
            "  repair  oxiconv --fallback windows-1252 notes.txt\n"
        );
        assert_eq!(
            lines("  repair  ", &words, 40),
            "  repair  oxiconv --fallback \\\n          windows-1252 notes.txt\n"
        );
    }
}
