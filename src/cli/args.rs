//! The arguments as they are typed. Help, man page and completions are made from this one definition.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{CommandFactory, Parser, ValueEnum};

use crate::codec::ByteOrder;
use crate::diagnostic::DeniedKind;
use crate::encoding::{ALL, Encoding, find};
use crate::report::{FORMATS, FormatChoice, FormatOptions, PICTURES, visible};
use crate::transcode::InputEncoding;

use super::exit::MEANINGS;

const ABOUT: &str = "Converts and validates text encodings, and says which bytes are bad and why";

/// Commands, each with what it does.
pub(crate) const EXAMPLES: &str = "\
oxiconv -f latin1 -t utf-8 old.txt > new.txt     convert a file
oxiconv --check *.txt                            which files are not UTF-8, and where
oxiconv --check --format sarif -r . > out.sarif  the same, below a directory, for a program
oxiconv -f cp1252 -i.bak *.csv                   convert files in place, keep backups
oxiconv --fallback windows-1252 -o ok.txt mixed  repair stray Windows bytes in UTF-8
oxiconv -f utf-16 -r -O out docs                 convert a directory tree into another
tail -f log | oxiconv -f cp932                   convert a stream as it comes
";

fn after_help() -> String {
    let width = MEANINGS.iter().map(|(status, _)| status.len()).max().unwrap_or(0);
    let row = |(status, meaning)| format!("\n  {status:width$}  {meaning}");
    let statuses: String = MEANINGS.into_iter().map(row).collect();
    let examples: String = EXAMPLES.lines().map(|line| format!("  {line}\n")).collect();
    format!("Examples:\n{examples}\nExit status:{statuses}")
}

/// The words of the command line, with sed's `-i.bak` as `--in-place=.bak`.
///
/// Only what cannot be other short options is read so: `-iv` stays `-i -v`.
pub(crate) fn words(given: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    let mut options = true;
    given.map(move |word| {
        options &= word != "--";
        match word.to_str().and_then(|word| word.strip_prefix("-i")) {
            Some(suffix) if options && suffix.starts_with(['.', '~', '_', '-', '+', '#']) => {
                OsString::from(format!("--in-place={suffix}"))
            }
            _ => word,
        }
    })
}

/// The arguments of the command line. Ends the process with help, with the version, or with what is wrong.
pub(crate) fn parse(words: Vec<OsString>) -> Args {
    Args::try_parse_from(&words).unwrap_or_else(|error| printable(error, &words).exit())
}

/// The error with escapes for what must not reach a terminal, as a file's name may hold it.
///
/// clap has no hook for what it quotes, so it reads the words once more as they are to be shown.
fn printable(error: clap::Error, words: &[OsString]) -> clap::Error {
    let shown: Vec<_> = words.iter().map(|word| visible_word(word)).collect();
    if shown == words {
        return error;
    }
    match Args::try_parse_from(shown) {
        Err(shown) if shown.kind() == error.kind() => shown,
        // The words as shown mean something else: all that is said of them is made fit as a whole.
        _ => {
            let text = error.render().to_string();
            let lines: Vec<_> = text.lines().map(visible).collect();
            let words = lines.join("\n");
            let words = words.strip_prefix("error: ").unwrap_or(&words);
            Args::command().error(error.kind(), words)
        }
    }
}

/// A word of the command line with escapes; bytes that are not UTF-8 stay.
fn visible_word(word: &OsStr) -> OsString {
    let mut shown = OsString::new();
    for chunk in word.as_bytes().utf8_chunks() {
        shown.push(visible(chunk.valid()));
        shown.push(OsStr::from_bytes(chunk.invalid()));
    }
    shown
}

#[derive(Debug, Parser)]
#[command(name = "oxiconv", version, about = ABOUT, after_help = after_help(), max_term_width = 100)]
pub(crate) struct Args {
    /// Files to read; none, or -, is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Encoding of the input; `auto` detects it
    #[arg(short, long, visible_alias = "from-code", value_name = "ENC", default_value = "utf-8")]
    #[arg(value_parser = FromParser, hide_possible_values = true, help_heading = "Conversion")]
    pub(crate) from: InputEncoding,

    /// Encoding of the output, UTF-8 if not given; //TRANSLIT and //IGNORE may follow it
    #[arg(short, long, visible_alias = "to-code", value_name = "ENC")]
    #[arg(value_parser = TargetParser, hide_possible_values = true, help_heading = "Conversion")]
    pub(crate) to: Option<Target>,

    /// What to do with an ill-formed subsequence or an unmappable character
    #[arg(short, long, value_name = "MODE", default_value = "strict", help_heading = "Conversion")]
    pub(crate) errors: Errors,

    /// What to do with unmappable characters; if not given, as --errors
    #[arg(long, value_name = "MODE", help_heading = "Conversion")]
    pub(crate) unmappable: Option<Unmappable>,

    /// Leave out what cannot be converted: --errors=skip
    #[arg(short = 'c', conflicts_with = "errors", help_heading = "Conversion")]
    pub(crate) skip: bool,

    /// Text to stand for what is replaced; if not given, U+FFFD, or ? if the target lacks it
    #[arg(long, value_name = "STR", help_heading = "Conversion")]
    #[arg(value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) replacement: Option<String>,

    /// Read ill-formed subsequences as ENC, a single-byte encoding
    #[arg(long, value_name = "ENC", value_parser = EncodingParser, hide_possible_values = true)]
    #[arg(help_heading = "Conversion")]
    pub(crate) fallback: Option<&'static Encoding>,

    /// What to do with byte order marks
    #[arg(long, value_name = "MODE", default_value = "auto", help_heading = "Conversion")]
    pub(crate) bom: Bom,

    /// Byte order of UTF-16 and UTF-32 input that has no byte order mark
    #[arg(long, value_name = "ORDER", default_value = "be", help_heading = "Conversion")]
    pub(crate) endian: Endian,

    /// Validate only: write no text; with -t also that every character fits there
    #[arg(long, help_heading = "Findings")]
    #[arg(conflicts_with_all = ["errors", "unmappable", "skip", "replacement", "fallback"])]
    #[arg(conflicts_with_all = ["output", "in_place", "output_dir", "dry_run"])]
    pub(crate) check: bool,

    /// As --check, with each finding in a picture: the rule that it breaks, what it probably is, and what repairs it;
    /// `all` shows every character instead
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true)]
    #[arg(value_parser = choice(PICTURES), default_missing_value = PICTURES[0].name)]
    #[arg(help_heading = "Findings")]
    #[arg(conflicts_with_all = ["errors", "unmappable", "skip", "replacement", "fallback"])]
    #[arg(conflicts_with_all = ["output", "in_place", "output_dir", "dry_run"])]
    pub(crate) explain: Option<&'static FormatChoice>,

    /// Kinds of characters that are findings too, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = "Findings")]
    pub(crate) deny: Vec<Deny>,

    /// How findings are printed
    #[arg(long, value_name = "FORMAT", value_parser = choice(FORMATS))]
    #[arg(default_value = FORMATS[0].name, help_heading = "Findings")]
    pub(crate) format: &'static FormatChoice,

    #[arg(long, value_name = "N", help = help_of_max_reports(), help_heading = "Findings")]
    pub(crate) max_reports: Option<u64>,

    /// Write to FILE, which changes only when its new text is complete
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Replace each file by its conversion; with SUFFIX, keep a backup
    #[arg(short, long, value_name = "SUFFIX", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "", conflicts_with = "output", help_heading = "Output")]
    pub(crate) in_place: Option<OsString>,

    /// Write each file to the same relative path under DIR
    #[arg(short = 'O', long, value_name = "DIR", help_heading = "Output")]
    #[arg(conflicts_with_all = ["output", "in_place"])]
    pub(crate) output_dir: Option<PathBuf>,

    /// With -i or -O, convert also what is refused: files that are in another encoding than -f says
    #[arg(long, help_heading = "Output")]
    pub(crate) force: bool,

    /// With -i or -O, convert only files that are not valid in the target encoding already
    #[arg(long, help_heading = "Output")]
    pub(crate) if_invalid: bool,

    /// Before a file is replaced, decode what was written and compare; this is the default with -i
    #[arg(long, overrides_with = "no_verify", help_heading = "Output")]
    pub(crate) verify: bool,

    /// Replace files without that comparison
    #[arg(long, overrides_with = "verify", help_heading = "Output")]
    pub(crate) no_verify: bool,

    /// Do not wait until what is written is on the disk: quicker, but a crash of the system may
    /// leave files empty
    #[arg(long, help_heading = "Output")]
    pub(crate) no_sync: bool,

    /// Say what would change, and write nothing
    #[arg(long, help_heading = "Output")]
    pub(crate) dry_run: bool,

    /// Take the files below directories too, but for binary ones and those that .gitignore names
    #[arg(short, long, help_heading = "Files")]
    pub(crate) recursive: bool,

    /// With -r, only files that match GLOB; may be given several times
    #[arg(long, value_name = "GLOB", requires = "recursive", help_heading = "Files")]
    pub(crate) include: Vec<String>,

    /// With -r, no files or directories that match GLOB; may be given several times
    #[arg(long, value_name = "GLOB", requires = "recursive", help_heading = "Files")]
    pub(crate) exclude: Vec<String>,

    /// Read more names of files from FILE, each ended by a zero byte; - is standard input
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub(crate) files0_from: Option<PathBuf>,

    /// Threads, for several files or for one long one; if not given, as many as there are cores
    #[arg(short, long, value_name = "N", help_heading = "Files")]
    pub(crate) jobs: Option<std::num::NonZeroUsize>,

    /// No counts and no notes
    #[arg(short, long, help_heading = "Messages")]
    pub(crate) quiet: bool,

    /// No findings either: errors of usage, input and output only
    #[arg(short, long, help_heading = "Messages")]
    pub(crate) silent: bool,

    /// Say what is done with each file
    #[arg(short, long, conflicts_with_all = ["quiet", "silent"], help_heading = "Messages")]
    pub(crate) verbose: bool,

    /// At the end, print what was read, written and found
    #[arg(long, help_heading = "Messages")]
    pub(crate) stats: bool,

    /// Show a bar on standard error: auto does on a terminal if the work is long
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Messages")]
    pub(crate) progress: When,

    /// Colour findings: auto is on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Messages")]
    pub(crate) color: When,

    /// List the encodings, each with its other names; with -v also what it is; also as
    /// --format=json
    #[arg(short, long, help_heading = "Messages")]
    pub(crate) list: bool,

    /// Print the man page or a shell's completions
    #[arg(long, value_name = "WHAT", hide = true)]
    pub(crate) generate: Option<Generated>,
}

/// One of these formats, by its name.
fn choice(
    choices: &'static [FormatChoice],
) -> impl TypedValueParser<Value = &'static FormatChoice> {
    let value = |choice: &FormatChoice| PossibleValue::new(choice.name).help(choice.help);
    PossibleValuesParser::new(choices.iter().map(value)).try_map(|name| {
        choices.iter().find(|choice| choice.name == name).ok_or("there is no such format")
    })
}

/// `a, b and c`.
fn listed(names: &[&str]) -> String {
    match names {
        [first @ .., before, last] => {
            let first: String = first.iter().map(|name| format!("{name}, ")).collect();
            format!("{first}{before} and {last}")
        }
        _ => names.concat(),
    }
}

/// The help of `--max-reports`, with the number of each format.
fn help_of_max_reports() -> String {
    let mut names_by_number: Vec<(Option<u64>, Vec<&str>)> = Vec::new();
    for choice in FORMATS {
        let number = (choice.new)(&FormatOptions::default()).most_findings();
        match names_by_number.iter_mut().find(|(known, _)| *known == number) {
            Some((_, names)) => names.push(choice.name),
            None => names_by_number.push((number, vec![choice.name])),
        }
    }
    let numbers: Vec<_> = names_by_number
        .iter()
        .map(|(number, names)| {
            let number = number.map_or_else(|| "all".to_owned(), |number| number.to_string());
            format!("{number} in {}", listed(names))
        })
        .collect();
    format!(
        "Findings printed a file, 0 is all; if not given, {}. The count always covers all",
        numbers.join(", ")
    )
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Errors {
    /// Stop in front of it
    Strict,
    /// U+FFFD stands for it
    Replace,
    /// The same, and every finding is printed
    Report,
    /// Leave it out
    Skip,
    /// Write its bytes or its code point: \xE2\x82, \u{20AC}
    Escape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Unmappable {
    /// Stop in front of it
    Strict,
    /// The replacement stands for it
    Replace,
    /// The same, and every finding is printed
    Report,
    /// Leave it out
    Skip,
    /// Write its code point: \u{20AC}
    Escape,
    /// Write the nearest text that the target has: EUR. If there is none: the replacement, or with -c nothing
    Translit,
    /// Write a character reference: &#x20AC;
    Xml,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Deny {
    /// U+0000
    Nul,
    /// C0 and C1 but for tab, line feed, carriage return; U+007F
    Control,
    /// U+FFFE, U+FDD0 and the like
    Noncharacter,
    /// U+E000 to U+F8FF, planes 15 and 16
    PrivateUse,
    /// Code points without a character
    Unassigned,
    /// Past U+FFFF, where MySQL's utf8mb3 ends
    NonBmp,
    /// Embeddings, overrides and isolates of bidirectional text
    Bidi,
    /// U+FFFD already in the text
    Replacement,
    /// U+FEFF inside the text
    Bom,
    /// A line that ends differently from the first one
    MixedNewlines,
}

impl std::convert::From<Deny> for DeniedKind {
    fn from(deny: Deny) -> Self {
        match deny {
            Deny::Nul => Self::Nul,
            Deny::Control => Self::Control,
            Deny::Noncharacter => Self::Noncharacter,
            Deny::PrivateUse => Self::PrivateUse,
            Deny::Unassigned => Self::Unassigned,
            Deny::NonBmp => Self::NonBmp,
            Deny::Bidi => Self::Bidi,
            Deny::Replacement => Self::Replacement,
            Deny::Bom => Self::Bom,
            Deny::MixedNewlines => Self::MixedNewlines,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bom {
    /// As the encodings have it
    Auto,
    /// One at the start of the input goes through
    Keep,
    /// None at the start of the output
    Strip,
    /// Exactly one at the start of the output
    Add,
    /// With --check: one is a finding
    Forbid,
    /// With --check: none is a finding
    Require,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Endian {
    /// Most significant byte first
    Be,
    /// Least significant byte first
    Le,
}

impl std::convert::From<Endian> for ByteOrder {
    fn from(endian: Endian) -> Self {
        match endian {
            Endian::Be => Self::Big,
            Endian::Le => Self::Little,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// Where it suits
    Auto,
    /// In any case
    Always,
    /// In no case
    Never,
}

/// A file that is made from this definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Generated {
    Man,
    CompleteBash,
    CompleteFish,
    CompleteZsh,
}

/// The encoding of the output, with iconv's suffixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) encoding: &'static Encoding,
    /// //TRANSLIT
    pub(crate) transliterate: bool,
    /// //IGNORE
    pub(crate) ignore: bool,
}

/// Reads a name of an encoding; knows all names for the completions.
#[derive(Clone)]
struct EncodingParser;

/// The same, or `auto`.
#[derive(Clone)]
struct FromParser;

/// The same, with suffixes.
#[derive(Clone)]
struct TargetParser;

fn names() -> impl Iterator<Item = PossibleValue> {
    ALL.iter().map(|encoding| PossibleValue::new(encoding.name))
}

impl TypedValueParser for EncodingParser {
    type Value = &'static Encoding;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Self::Value, clap::Error> {
        StringValueParser::new().try_map(|name| find(&name)).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names()))
    }
}

impl TypedValueParser for FromParser {
    type Value = InputEncoding;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Self::Value, clap::Error> {
        if value.eq_ignore_ascii_case("auto") {
            return Ok(InputEncoding::Detected);
        }
        EncodingParser.parse_ref(command, arg, value).map(InputEncoding::Named)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(std::iter::once(PossibleValue::new("auto")).chain(names())))
    }
}

impl TypedValueParser for TargetParser {
    type Value = Target;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Self::Value, clap::Error> {
        StringValueParser::new().try_map(|name| target(&name)).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names()))
    }
}

fn target(name: &str) -> Result<Target, TargetError> {
    let mut parts = name.split("//");
    let mut target = Target {
        encoding: find(parts.next().unwrap_or_default())?,
        transliterate: false,
        ignore: false,
    };
    for suffix in parts {
        match suffix.to_ascii_uppercase().as_str() {
            "TRANSLIT" => target.transliterate = true,
            "IGNORE" => target.ignore = true,
            "" => {}
            _ => return Err(TargetError::Suffix(suffix.to_owned())),
        }
    }
    Ok(target)
}

#[derive(Debug, thiserror::Error)]
enum TargetError {
    #[error(transparent)]
    Name(#[from] crate::encoding::UnknownEncoding),
    #[error("unknown suffix '//{0}'; there are //TRANSLIT and //IGNORE")]
    Suffix(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn suffixes_are_read_as_iconv_has_them() {
        let read = target("latin1//TRANSLIT//ignore").unwrap();
        assert_eq!(read.encoding.name, "ISO-8859-1");
        assert!(read.transliterate && read.ignore);
        assert!(!target("latin1//").unwrap().transliterate);
        assert!(target("latin1//FOO").is_err());
    }
}
