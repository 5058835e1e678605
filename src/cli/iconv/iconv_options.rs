//! The options of glibc's iconv and GNU libiconv's, the help about them, and the settings that a command line yields.

use std::ffi::OsString;
use std::path::PathBuf;

use super::getopt::{GetoptItem, GetoptItems, Opt};

const COLUMNS: usize = 79;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Id {
    From,
    To,
    List,
    Skip,
    Output,
    Silent,
    Verbose,
    Help,
    Usage,
    Version,
    UnicodeSubst,
    ByteSubst,
    WidecharSubst,
}

/// An option with its help. `value` is the placeholder in the help, empty for a flag.
struct IconvOption {
    opt: Opt<Id>,
    value: &'static str,
    help: &'static str,
}

const fn row(
    id: Id,
    short: Option<u8>,
    long: Option<&'static str>,
    value: &'static str,
    help: &'static str,
) -> IconvOption {
    let takes_value = !value.is_empty();
    IconvOption { opt: Opt { id, short, long, takes_value, yields: false }, value, help }
}

/// An option of libiconv that glibc lacks. It must not make an abbreviation ambiguous that scripts use with glibc.
const fn of_libiconv(id: Id, long: &'static str, help: &'static str) -> IconvOption {
    let row = row(id, None, Some(long), "FORM", help);
    IconvOption { opt: Opt { yields: true, ..row.opt }, ..row }
}

const ROWS: [IconvOption; 13] = [
    row(Id::From, Some(b'f'), Some("from-code"), "NAME", "encoding of the input"),
    row(Id::To, Some(b't'), Some("to-code"), "NAME", "encoding of the output"),
    row(Id::List, Some(b'l'), Some("list"), "", "list the encodings"),
    row(Id::Skip, Some(b'c'), None, "", "leave out what cannot be converted"),
    row(Id::Output, Some(b'o'), Some("output"), "FILE", "write to FILE"),
    row(Id::Silent, Some(b's'), Some("silent"), "", "print no findings"),
    row(Id::Verbose, None, Some("verbose"), "", "print the name of each file"),
    of_libiconv(Id::UnicodeSubst, "unicode-subst", "write FORM for what the output lacks"),
    of_libiconv(Id::ByteSubst, "byte-subst", "write FORM for each ill-formed byte"),
    of_libiconv(Id::WidecharSubst, "widechar-subst", "used if there is no --unicode-subst"),
    row(Id::Help, Some(b'?'), Some("help"), "", "print this help"),
    row(Id::Usage, None, Some("usage"), "", "print a short usage message"),
    row(Id::Version, Some(b'V'), Some("version"), "", "print the version"),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IconvAction {
    Convert,
    List,
    Help,
    Usage,
    Version,
}

/// The settings from a command line. If an option is repeated, the last one counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IconvSettings {
    pub(super) action: IconvAction,
    pub(super) from: String,
    pub(super) to: String,
    pub(super) skip: bool,
    pub(super) silent: bool,
    pub(super) verbose: bool,
    pub(super) output: Option<PathBuf>,
    pub(super) unicode_subst: Option<String>,
    pub(super) byte_subst: Option<String>,
    pub(super) files: Vec<PathBuf>,
}

impl IconvSettings {
    /// Parses the words after the name of the program. As in glibc, `--help`, `--usage` and `--version` take effect at
    /// once: an error before them is reported, and nothing after them matters.
    ///
    /// # Errors
    ///
    /// The message about the first invalid option.
    pub(super) fn new(words: Vec<OsString>, in_order: bool) -> Result<Self, String> {
        let mut settings = Self {
            action: IconvAction::Convert,
            from: String::new(),
            to: String::new(),
            skip: false,
            silent: false,
            verbose: false,
            output: None,
            unicode_subst: None,
            byte_subst: None,
            files: Vec::new(),
        };
        let mut widechar_subst = None;
        let options: Vec<_> = ROWS.iter().map(|row| row.opt).collect();
        for item in GetoptItems::new(&options, words, in_order) {
            let (id, value) = match item? {
                GetoptItem::Operand(file) => {
                    settings.files.push(file.into());
                    continue;
                }
                GetoptItem::Option(id, value) => (id, value.unwrap_or_default()),
            };
            let text = || value.to_string_lossy().into_owned();
            match id {
                Id::From => settings.from = text(),
                Id::To => settings.to = text(),
                Id::List => settings.action = IconvAction::List,
                Id::Skip => settings.skip = true,
                // `-` is standard output.
                Id::Output => {
                    settings.output =
                        Some(value.into()).filter(|it: &PathBuf| it.as_os_str() != "-")
                }
                Id::Silent => settings.silent = true,
                Id::Verbose => settings.verbose = true,
                Id::UnicodeSubst => settings.unicode_subst = Some(text()),
                Id::ByteSubst => settings.byte_subst = Some(text()),
                Id::WidecharSubst => widechar_subst = Some(text()),
                Id::Help => return Ok(Self { action: IconvAction::Help, ..settings }),
                Id::Usage => return Ok(Self { action: IconvAction::Usage, ..settings }),
                Id::Version => return Ok(Self { action: IconvAction::Version, ..settings }),
            }
        }
        settings.unicode_subst = settings.unicode_subst.or(widechar_subst);
        Ok(settings)
    }
}

pub(super) fn help() -> String {
    let mut text = "\
Usage: iconv [OPTION]... [FILE]...
Convert text from one encoding to another. With no FILE, or if it is -, read
standard input. This is oxiconv under the name iconv; `oxiconv --help` shows
what else it can do.

"
    .to_owned();
    for IconvOption { opt, value, help } in &ROWS {
        let short =
            opt.short.map_or("    ".to_owned(), |short| format!("-{}, ", char::from(short)));
        let spelling = match (opt.long, value.is_empty()) {
            (None, _) => short.trim_end_matches(", ").to_owned(),
            (Some(long), true) => format!("{short}--{long}"),
            (Some(long), false) => format!("{short}--{long}={value}"),
        };
        text += &format!("  {spelling:27} {help}\n");
    }
    text + "
NAME may end in //TRANSLIT (write similar text for what the output does not
have) or //IGNORE (leave it out). Without a NAME, it is the encoding of the
locale. A FORM has one printf directive for an unsigned number: <U+%04X>.

Examples:
  iconv -f latin1 -t utf-8 old.txt > new.txt     convert a file
  iconv -f utf-8 -t ascii//TRANSLIT              as a filter, without accents
  iconv -f cp1252 -t utf-8 -o notes.txt notes.txt   over the input itself

Exit status: 0 if all text was converted, 64 for a wrong option, 1 otherwise.
"
}

pub(super) fn usage() -> String {
    let letter = |row: &IconvOption| row.opt.short.filter(|_| !row.opt.takes_value).map(char::from);
    let letters: String = ROWS.iter().filter_map(letter).collect();
    let long = |IconvOption { opt, value, .. }: &IconvOption| match (opt.long, opt.takes_value) {
        (Some(long), true) => format!(" [--{long}={value}]"),
        (Some(long), false) => format!(" [--{long}]"),
        (None, _) => String::new(),
    };
    let longs: String = ROWS.iter().map(long).collect();
    let text = format!("Usage: iconv [-{letters}] [-f NAME] [-t NAME] [-o FILE]{longs} [FILE]...");
    let options = textwrap::Options::new(COLUMNS)
        .subsequent_indent("            ")
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::fill(&text, options) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<IconvSettings, String> {
        IconvSettings::new(line.split_whitespace().map(OsString::from).collect(), false)
    }

    #[test]
    fn the_last_of_the_same_option_counts() {
        let settings = read("-f a --from-code=b x -t c -o p --output q -").unwrap();
        assert_eq!((&*settings.from, &*settings.to), ("b", "c"));
        assert_eq!(settings.output, Some("q".into()));
        assert_eq!(settings.files, [PathBuf::from("x"), "-".into()]);
        assert_eq!(settings.action, IconvAction::Convert);
    }

    /// GNU libiconv's `--unicode-subst` would make `--u` ambiguous.
    #[test]
    fn an_abbreviation_means_the_option_of_glibc() {
        assert_eq!(read("--u").unwrap().action, IconvAction::Usage);
        assert_eq!(read("--un=<%x>").unwrap().unicode_subst.as_deref(), Some("<%x>"));
        assert_eq!(read("--w=<%x>").unwrap().unicode_subst.as_deref(), Some("<%x>"));
        assert!(read("--v").unwrap_err().contains("ambiguous"));
    }

    #[test]
    fn help_and_version_end_the_line_but_not_the_error_before_them() {
        assert_eq!(read("--version --nonsense").unwrap().action, IconvAction::Version);
        assert_eq!(read("-l --help").unwrap().action, IconvAction::Help);
        assert!(read("--nonsense --version").is_err());
        assert_eq!(read("-l -f nonsense").unwrap().action, IconvAction::List);
    }

    #[test]
    fn the_help_names_every_option() {
        let help = help();
        for row in &ROWS {
            let long = row.opt.long.map(|long| format!("--{long}"));
            let short = row.opt.short.map(|short| format!("-{}", char::from(short)));
            assert!(long.into_iter().chain(short).all(|name| help.contains(&name)));
        }
        assert!(help.lines().chain(usage().lines()).all(|line| line.len() <= COLUMNS));
    }
}
