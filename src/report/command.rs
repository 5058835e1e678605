//! The command that repairs a text, to copy into a shell.

use std::path::Path;

use super::visible::visible;
use crate::diagnostic::Finding;
use crate::diagnostic::Repair;

/// Returns the words of the command. `None` as the file means that the command reads standard input.
pub(super) fn words(repair: &Repair, file: Option<&Path>) -> Vec<String> {
    let mut words = Vec::new();
    let file = file.map(quoted);
    if repair.skip > 0 {
        words.extend(["tail".to_owned(), "-c".to_owned(), format!("+{}", repair.skip + 1)]);
        words.extend(file.clone());
        words.push("|".to_owned());
    }
    words.push("oxiconv".to_owned());
    words.extend(repair.options.iter().cloned());
    words.extend(file.filter(|_| repair.skip == 0));
    words
}

/// Returns the sentence of a finding, with the command that repairs the file if the finding is about all of it. `None`
/// as the file is standard input.
pub(super) fn sentence(finding: &Finding<'_>, file: Option<&Path>) -> String {
    let sentence = finding.sentence();
    match finding.repair() {
        Some(mut repair) => {
            if file.is_some() {
                repair.options.push("-i".to_owned());
            }
            format!("{sentence} (to convert it: {})", command(&repair, file))
        }
        None => sentence,
    }
}

/// Formats the command that repairs a text on one line; `None` as the file is standard input.
pub fn command(repair: &Repair, file: Option<&Path>) -> String {
    words(repair, file).join(" ")
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
