//! The command that repairs a text, to copy into a shell.

use std::path::Path;

use super::visible::visible;
use crate::Repair;

/// The option that reads compressed input.
pub const DECOMPRESS: &str = "-z";

/// What the user asked for, as far as a command repeats it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RepeatedOptions {
    /// The input encoding, if it is not UTF-8.
    pub(super) from: Option<&'static str>,
    /// The output encoding.
    pub(super) to: Option<&'static str>,
    /// Whether compressed input is decompressed.
    pub(super) decompress: bool,
}

/// Returns the words of the command with these options, after it has cut off `skip` bytes at the start. `None` as the
/// file means that the command reads standard input.
pub(super) fn words(options: &[String], skip: u64, file: Option<&Path>) -> Vec<String> {
    let mut words = Vec::new();
    let is_zstd = file.and_then(Path::extension).is_some_and(|it| it.eq_ignore_ascii_case("zst"));
    let mut file = file.map(quoted);
    if skip > 0 {
        if options.iter().any(|option| option == DECOMPRESS) {
            let program = if is_zstd { "zstd" } else { "gzip" };
            // They pass on what is not compressed.
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

/// Returns the options of a repair, and before them the encodings that the user named, unless the repair changes them.
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

/// The option that replaces a file, and keeps its old content beside it.
const IN_PLACE: &str = "-i.bak";

/// Returns the words of the command that repairs `file` in place, where that can be. What is cut off or decompressed first
/// comes from a pipe, and a pipe or a device has no place: the repaired text goes to standard output then.
pub(super) fn repairing(options: &[String], skip: u64, file: Option<&Path>) -> Vec<String> {
    let is_replaceable = |path: &Path| path.metadata().map_or(true, |found| found.is_file());
    let in_place = skip == 0
        && !options.iter().any(|option| option == DECOMPRESS)
        && file.is_some_and(is_replaceable);
    let in_place = in_place.then(|| IN_PLACE.to_owned());
    words(&options.iter().cloned().chain(in_place).collect::<Vec<_>>(), skip, file)
}

/// Formats the command on one line, with the same arguments as `words`.
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

    /// The bytes to cut off are those of the text.
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
