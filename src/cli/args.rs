//! The arguments as typed. Help, man page and completions are generated from this one definition.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use clap::{ArgAction, CommandFactory, Parser};

use crate::encoding::Encoding;
use crate::report::{FORMATS, FormatChoice, FormatOptions, PICTURES, visible};
use crate::transcode::InputEncoding;
use crate::transliteration::TransliterationLocale;

use super::exit::MEANINGS;
use super::values::{
    Bom, Deny, EncodingParser, Endian, Errors, FromParser, Generated, LineEnd, Named, TargetParser,
    Unmappable, When, choice,
};

const ABOUT: &str = "Converts and validates text encodings, and says which bytes are bad and why";

/// Example commands, with what they do.
pub(crate) const EXAMPLES: &str = "\
oxiconv -f latin1 -t utf-8 old.txt > new.txt     convert a file
oxiconv --check *.txt                            find files that are not UTF-8, and where
oxiconv --check --format sarif -r . > out.sarif  the same for a directory, as SARIF
oxiconv -f cp1252 -i.bak *.csv                   convert files in place and keep backups
oxiconv --fallback windows-1252 -o ok.txt mixed  repair stray Windows bytes in UTF-8
oxiconv -f utf-16 -r -O out docs                 convert a directory tree into another
tail -f log | oxiconv -f cp932                   convert a stream as it arrives
";

fn after_help() -> String {
    let width = MEANINGS.iter().map(|(status, _)| status.len()).max().unwrap_or(0);
    let row = |(status, meaning)| format!("\n  {status:width$}  {meaning}");
    let statuses: String = MEANINGS.into_iter().map(row).collect();
    let examples: String = EXAMPLES.lines().map(|line| format!("  {line}\n")).collect();
    format!("Examples:\n{examples}\nExit status:{statuses}")
}

/// Returns the words of the command line, with sed's `-i.bak` rewritten as `--in-place=.bak`.
///
/// Only words that cannot be other short options are rewritten: `-iv` stays `-i -v`.
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

/// Parses the command line. Ends the process to print help, the version, or an error.
pub(crate) fn parse(words: Vec<OsString>) -> Args {
    Args::try_parse_from(&words).unwrap_or_else(|error| printable(error, &words).exit())
}

/// Returns the error with escapes for what must not reach a terminal, such as characters of a file name.
///
/// clap has no hook for what it quotes, so this parses the words again in their printable form.
fn printable(error: clap::Error, words: &[OsString]) -> clap::Error {
    let shown: Vec<_> = words.iter().map(|word| visible_word(word)).collect();
    if shown == words {
        return error;
    }
    match Args::try_parse_from(shown) {
        Err(shown) if shown.kind() == error.kind() => shown,
        // The printable words have another meaning: escape the whole message instead.
        _ => {
            let text = error.render().to_string();
            let lines: Vec<_> = text.lines().map(visible).collect();
            let words = lines.join("\n");
            let words = words.strip_prefix("error: ").unwrap_or(&words);
            Args::command().error(error.kind(), words)
        }
    }
}

/// Escapes a word of the command line; bytes that are not UTF-8 stay.
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
    /// Files to read; standard input if there are none, or for -
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Encoding of the input; `auto` detects it, and ./FILE is a table of your own: a charmap or a UCM file
    #[arg(short, long, visible_alias = "from-code", value_name = "ENC", default_value = "utf-8")]
    #[arg(value_parser = FromParser, hide_possible_values = true, help_heading = "Conversion")]
    pub(crate) from: Named<InputEncoding>,

    /// Encoding of the output [default: utf-8]; either encoding may end in //TRANSLIT or //IGNORE
    #[arg(short, long, visible_alias = "to-code", value_name = "ENC")]
    #[arg(value_parser = TargetParser, hide_possible_values = true, help_heading = "Conversion")]
    pub(crate) to: Option<Named<&'static Encoding>>,

    /// What to do with an ill-formed subsequence or an unmappable character
    #[arg(short, long, value_name = "MODE", default_value = "strict", help_heading = "Conversion")]
    pub(crate) errors: Errors,

    /// What to do with unmappable characters [default: the same as --errors]
    #[arg(long, value_name = "MODE", help_heading = "Conversion")]
    pub(crate) unmappable: Option<Unmappable>,

    /// Transliterate as the language of LOC does: de_DE writes ü as ue; the names are glibc's
    #[arg(long, value_name = "LOC", help_heading = "Conversion")]
    #[arg(value_parser = TransliterationLocale::for_name)]
    pub(crate) translit_locale: Option<TransliterationLocale>,

    /// Leave out what cannot be converted; the same as --errors=skip
    #[arg(short = 'c', conflicts_with = "errors", help_heading = "Conversion")]
    pub(crate) skip: bool,

    /// Text to write for what is replaced [default: U+FFFD, or ? if the target does not have it]
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

    /// What byte 15 is in EBCDIC; byte 25 is the other one [default: as in the table of the encoding]
    #[arg(long, value_name = "END", help_heading = "Conversion")]
    pub(crate) ebcdic_newline: Option<LineEnd>,

    /// Validate only and write no text; with -t, also check that the target has every character
    #[arg(long, help_heading = "Findings")]
    #[arg(conflicts_with_all = ["errors", "unmappable", "skip", "replacement", "fallback"])]
    #[arg(conflicts_with_all = ["output", "in_place", "output_dir", "dry_run"])]
    pub(crate) check: bool,

    /// Like --check, but draw a picture of each finding: the rule that it breaks, what it probably is, and how to repair
    /// it; `all` shows every character instead
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true)]
    #[arg(value_parser = choice(PICTURES), default_missing_value = PICTURES[0].name)]
    #[arg(help_heading = "Findings")]
    #[arg(conflicts_with_all = ["errors", "unmappable", "skip", "replacement", "fallback"])]
    #[arg(conflicts_with_all = ["output", "in_place", "output_dir", "dry_run"])]
    pub(crate) explain: Option<&'static FormatChoice>,

    /// Kinds of characters to report as findings, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = "Findings")]
    pub(crate) deny: Vec<Deny>,

    /// Like --check, but print only the names of files that have findings, one per line; each file is read up to its
    /// first finding
    #[arg(long, conflicts_with_all = ["explain", "stats", "write_baseline"], help_heading = "Findings")]
    #[arg(conflicts_with_all = ["errors", "unmappable", "skip", "replacement", "fallback"])]
    #[arg(conflicts_with_all = ["output", "in_place", "output_dir", "dry_run"])]
    pub(crate) files_with_findings: bool,

    /// With --files-with-findings, end each name with a NUL byte
    #[arg(short = '0', long, requires = "files_with_findings", help_heading = "Findings")]
    pub(crate) null: bool,

    /// With --check, let the findings that the baseline FILE lists pass, and say which of them are gone
    #[arg(long, value_name = "FILE", help_heading = "Findings")]
    pub(crate) baseline: Option<PathBuf>,

    /// With --check, write all findings to FILE, a baseline in which they are known
    #[arg(long, value_name = "FILE", conflicts_with = "baseline", help_heading = "Findings")]
    pub(crate) write_baseline: Option<PathBuf>,

    /// How findings are printed
    #[arg(long, value_name = "FORMAT", value_parser = choice(FORMATS))]
    #[arg(default_value = FORMATS[0].name, help_heading = "Findings")]
    pub(crate) format: &'static FormatChoice,

    #[arg(long, value_name = "N", help = help_of_max_reports(), help_heading = "Findings")]
    pub(crate) max_reports: Option<u64>,

    /// Write to FILE, which is replaced only when the output is complete
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Convert each file in place; with SUFFIX, keep a backup
    #[arg(short, long, value_name = "SUFFIX", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "", conflicts_with = "output", help_heading = "Output")]
    pub(crate) in_place: Option<OsString>,

    /// Write each file to the same relative path under DIR
    #[arg(short = 'O', long, value_name = "DIR", help_heading = "Output")]
    #[arg(conflicts_with_all = ["output", "in_place"])]
    pub(crate) output_dir: Option<PathBuf>,

    /// With -i or -O, also convert files that would be refused because they are not in the encoding of -f
    #[arg(long, help_heading = "Output")]
    pub(crate) force: bool,

    /// With -i or -O, convert only files that are not yet valid in the target encoding
    #[arg(long, help_heading = "Output")]
    pub(crate) if_invalid: bool,

    /// Before replacing a file, decode the output and compare it; the default with -i
    #[arg(long, overrides_with = "no_verify", help_heading = "Output")]
    pub(crate) verify: bool,

    /// Replace files without comparing the output
    #[arg(long, overrides_with = "verify", help_heading = "Output")]
    pub(crate) no_verify: bool,

    /// Do not wait until the output is on the disk: faster, but a system crash may leave files empty
    #[arg(long, help_heading = "Output")]
    pub(crate) no_sync: bool,

    /// Show what would change, but write nothing
    #[arg(long, help_heading = "Output")]
    pub(crate) dry_run: bool,

    /// Search directories recursively; skips binary files and those that .gitignore names
    #[arg(short, long, help_heading = "Files")]
    pub(crate) recursive: bool,

    /// With -r, read only files that match GLOB; may be repeated
    #[arg(long, value_name = "GLOB", requires = "recursive", help_heading = "Files")]
    pub(crate) include: Vec<String>,

    /// With -r, skip files and directories that match GLOB; may be repeated
    #[arg(long, value_name = "GLOB", requires = "recursive", help_heading = "Files")]
    pub(crate) exclude: Vec<String>,

    /// With -r, also read hidden files and directories
    #[arg(long, requires = "recursive", help_heading = "Files")]
    pub(crate) hidden: bool,

    /// With -r, also read files that .gitignore, .ignore and git's other ignore files name
    #[arg(long, requires = "recursive", help_heading = "Files")]
    pub(crate) no_ignore: bool,

    /// Read more file names from FILE, each ended by a NUL byte; - is standard input
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub(crate) files0_from: Option<PathBuf>,

    /// Number of threads, for several files or one long one [default: the number of cores]
    #[arg(short, long, value_name = "N", help_heading = "Files")]
    pub(crate) jobs: Option<std::num::NonZeroUsize>,

    /// Print no counts and no notes
    #[arg(short, long, help_heading = "Messages")]
    pub(crate) quiet: bool,

    /// Print no findings either, only usage, input and output errors
    #[arg(short, long, help_heading = "Messages")]
    pub(crate) silent: bool,

    /// Print what is done with each file; -vv also prints which files are skipped and why, the number of threads, and
    /// the kernels in use
    #[arg(short, long, action = ArgAction::Count, help_heading = "Messages")]
    #[arg(conflicts_with_all = ["quiet", "silent"])]
    pub(crate) verbose: u8,

    /// Print at the end what was read, written and found
    #[arg(long, help_heading = "Messages")]
    pub(crate) stats: bool,

    /// Show a progress bar on standard error; auto shows it on a terminal if the work is long
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Messages")]
    pub(crate) progress: When,

    /// Colour findings; auto does on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Messages")]
    pub(crate) color: When,

    /// List the encodings with their aliases, or only those that are named in place of paths; with -v, also describe
    /// them and, for names, say where vendors differ (-lv SHIFT_JIS); --format=json also works
    #[arg(short, long, help_heading = "Messages")]
    pub(crate) list: bool,

    /// List what becomes of each character under transliteration, or only of those in place of paths (€, U+20AC,
    /// U+2190-U+21FF); with -t, in that encoding
    #[arg(long, help_heading = "Messages")]
    #[arg(conflicts_with_all = ["list", "check", "explain", "output", "in_place", "output_dir"])]
    pub(crate) list_translit: bool,

    /// Print the man page or a shell's completions
    #[arg(long, value_name = "WHAT", hide = true)]
    pub(crate) generate: Option<Generated>,
}

/// Formats a list: `a, b and c`.
fn listed(names: &[&str]) -> String {
    match names {
        [first @ .., before, last] => {
            let first: String = first.iter().map(|name| format!("{name}, ")).collect();
            format!("{first}{before} and {last}")
        }
        _ => names.concat(),
    }
}

/// Returns the help of `--max-reports`, with the default of each format.
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
        "Print at most N findings per file, or all if N is 0 [default: {}]; the counts always include all",
        numbers.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Args::command().debug_assert();
    }
}
