//! The command that repairs a text, to copy into a shell.

use std::path::Path;

use super::visible::visible;
use crate::diagnostic::Repair;

/// Returns the words of the command with these options, after it has cut off `skip` bytes at the start. `None` as the
/// file means that the command reads standard input.
pub(super) fn words(options: &[String], skip: u64, file: Option<&Path>) -> Vec<String> {
    let mut words = Vec::new();
    let file = file.map(quoted);
    if skip > 0 {
        words.extend(["tail".to_owned(), "-c".to_owned(), format!("+{}", skip + 1)]);
        words.extend(file.clone());
        words.push("|".to_owned());
    }
    words.push("oxiconv".to_owned());
    words.extend_from_slice(options);
    words.extend(file.filter(|_| skip == 0));
    words
}

/// Returns the options of a repair, and before them the encodings that the user named, unless the repair changes them.
pub(super) fn options(
    repair: &Repair,
    from: Option<&'static str>,
    to: Option<&'static str>,
) -> Vec<String> {
    let asked = [
        ("-f", from.filter(|_| repair.from.is_none() && !repair.reads_lines)),
        ("-t", to.filter(|_| repair.to.is_none())),
    ];
    let asked = asked.into_iter().filter_map(|(option, name)| Some([option, name?]));
    asked.flatten().map(str::to_owned).chain(repair.options()).collect()
}

/// Formats the command on one line, with the same arguments as [`words`].
pub fn command(options: &[String], skip: u64, file: Option<&Path>) -> String {
    words(options, skip, file).join(" ")
}

/// Formats the command after `lead`, continued over several lines with backslashes.
pub(super) fn lines(lead: &str, words: &[String], columns: usize) -> String {
    let indent = " ".repeat(lead.len());
    let mut text = String::new();
    let mut line = lead.to_owned();
    let mut fresh = true;
    for (index, word) in words.iter().enumerate() {
        // Room for the backslash, except after the last word.
        let end = if index + 1 == words.len() { 0 } else { 2 };
        if !fresh && line.chars().count() + 1 + word.chars().count() + end > columns {
            text.push_str(&line);
            text.push_str(" \\\n");
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

/// Quotes a path as one word for a shell, in printing characters only.
pub fn quoted(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    let dash = if bytes.starts_with(b"-") { "./" } else { "" };
    match std::str::from_utf8(bytes) {
        Ok(text) if visible(text) == text => {
            // It quotes everything except U+0000, which does not occur here.
            shlex::try_quote(&format!("{dash}{text}")).unwrap_or_default().into_owned()
        }
        _ => dollar_quoted(dash, bytes),
    }
}

/// Quotes bytes in printing characters, as bash, zsh and ksh read them.
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
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

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
            assert_eq!(quoted(Path::new(OsStr::from_bytes(path))), expected);
        }
    }

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
