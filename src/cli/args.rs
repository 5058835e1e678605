//! The arguments as typed. Help, man page and completions are generated from this one definition.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{ArgAction, CommandFactory, FromArgMatches, Parser, ValueHint};

use oxiconv_detect::language::Language;
use oxiconv_encodings::encoding::Encoding;
use oxiconv_report::{FORMATS, FormatChoice, FormatOptions, PICTURES};
use oxiconv_transcode::transliteration::TransliterationLocale;
use oxiconv_transcode::{Fallback, InputEncoding};

use super::exit::MEANINGS;
use super::language::language;
use super::usage;
use super::values::{
    Bom, DeclarationMode, Denied, Deny, Endian, Errors, FallbackParser, Format, FromParser,
    Generated, LineEnd, Named, NewlineArg, Normalize, RepairMode, RepairParser, Shard,
    TargetParser, Unmappable, When, WhenToMap, choice, jobs, max_reports, record_length, shard,
    size,
};
use super::words;

/// What the program is, in a line.
const ABOUT: &str = "Convert, validate and explain text encodings";

/// Example commands, with what they do.
pub(crate) const EXAMPLES: [(&str, &str); 10] = [
    ("oxiconv -f latin1 old.txt > new.txt", "Convert a file from Latin-1 to UTF-8."),
    ("oxiconv --check *.txt", "Find files that are not valid UTF-8, and where."),
    (
        "oxiconv --check --format sarif -r . > out.sarif",
        "Check a directory tree; write a SARIF report.",
    ),
    ("oxiconv --explain bad.txt", "Show what is wrong with a file and how to repair it."),
    ("oxiconv --detect *.txt", "Print the encoding of each file."),
    ("oxiconv -f cp1252 -i.bak *.csv", "Convert files in place and keep backups."),
    ("oxiconv --fallback windows-1252 -o ok.log mixed.log", "Repair stray Windows bytes in UTF-8."),
    ("oxiconv -f utf-16 -r -O out docs", "Convert a directory tree into another one."),
    ("oxiconv --names -f latin1 -r music", "Show which file names would change to UTF-8."),
    ("tail -f log | oxiconv -f cp932", "Convert a stream as it arrives."),
];

/// The options that the summary of `-h` shows; `--help` shows all.
const SUMMARY: [&str; 27] = [
    "files",
    "from",
    "to",
    "errors",
    "skip",
    "fallback",
    "repair",
    "bom",
    "check",
    "explain",
    "detect",
    "deny",
    "format",
    "output",
    "in_place",
    "output_dir",
    "dry_run",
    "recursive",
    "include",
    "exclude",
    "jobs",
    "quiet",
    "verbose",
    "stats",
    "list",
    "help",
    "version",
];

fn after_long_help() -> String {
    let examples = EXAMPLES.map(|(command, what)| format!("\n  {what}\n      {command}\n"));
    let width = MEANINGS.iter().map(|(status, _)| status.len()).max().unwrap_or(0);
    let statuses = MEANINGS.map(|(status, meaning)| {
        let (first, others) = (format!("\n  {status:width$}  "), " ".repeat(width + 4));
        let options = textwrap::Options::new(79).initial_indent(&first).subsequent_indent(&others);
        textwrap::fill(meaning, options)
    });
    format!("Examples:{}\nExit status:{}", examples.concat(), statuses.concat())
}

/// Returns the definition with the help of `-h`: one line or two for each of the options that are used most.
fn summary() -> clap::Command {
    let command = Args::command();
    let command = command.mut_args(|arg| {
        let is_shown = SUMMARY.contains(&arg.get_id().as_str());
        let takes_value = arg.get_action().takes_values();
        let arg = arg.hide_short_help(!is_shown).help_heading(None);
        if takes_value { arg.hide_possible_values(true) } else { arg }
    });
    command
        .help_template("{about}\n\nUsage: {usage}\n\n{options}{after-help}")
        .override_usage("oxiconv [OPTIONS] [FILE]...    (no FILE, or -: standard input)")
        .after_help("'oxiconv --help' and the man page describe all options.")
}

/// What the command line asks for.
pub(crate) enum Parsed {
    /// To work.
    Args(Box<Args>),
    /// Nothing more: help or the version was printed, if that was possible.
    Printed(io::Result<()>),
    /// Something that makes no sense, for this reason.
    Wrong(String),
}

/// Parses the command line; prints help and the version.
pub(crate) fn parse(words: &[OsString]) -> Parsed {
    // The definition takes longer to build than a short text to convert, so it is built once.
    let mut command = Args::command();
    let matches = command.try_get_matches_from_mut(words);
    match matches.and_then(|mut matches| Args::from_arg_matches_mut(&mut matches)) {
        Ok(args) => match words::missing_equals_sign(words, &command) {
            None => {
                // To free its many parts one by one would take longer than the end of the process does.
                std::mem::forget(command);
                Parsed::Args(Box::new(args))
            }
            Some(message) => Parsed::Wrong(message),
        },
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp if words.iter().all(|word| word != "--help") => {
                Parsed::Printed(summary().print_help())
            }
            ErrorKind::DisplayHelp => Parsed::Printed(
                Args::command().after_long_help(after_long_help()).print_long_help(),
            ),
            ErrorKind::DisplayVersion => Parsed::Printed(error.print()),
            _ => Parsed::Wrong(usage::message(&error, &command)),
        },
    }
}

#[derive(Debug, Default, Parser)]
#[command(name = "oxiconv", version, about = ABOUT, max_term_width = 100)]
#[command(disable_help_flag = true, disable_version_flag = true)]
pub(crate) struct Args {
    /// Files to read; standard input if there are none, or for -
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Input encoding; auto detects it, auto-lines that of each line [default: utf-8]
    ///
    /// --list shows all names; case, hyphens and underscores do not matter. A path such as ./my.ucm names a table of your own: a charmap or a UCM file. --from-code is the same option. auto-lines is for logs: a line that is not UTF-8 is read in the encoding that its letters and the lines before it tell.
    #[arg(short, long, alias = "from-code", value_name = "ENC")]
    #[arg(value_parser = FromParser, help_heading = "Conversion")]
    pub(crate) from: Option<Named<InputEncoding>>,

    /// Output encoding [default: utf-8]
    ///
    /// As in iconv, either encoding may be followed by //TRANSLIT, to write similar text for unmappable characters, or
    /// by //IGNORE, to leave out what cannot be converted. --to-code is the same option.
    #[arg(short, long, alias = "to-code", value_name = "ENC")]
    #[arg(value_parser = TargetParser, help_heading = "Conversion")]
    pub(crate) to: Option<Named<&'static Encoding>>,

    /// What to do with ill-formed or unmappable text: strict, replace, report, skip, escape
    ///
    /// A byte sequence is ill-formed if the input encoding does not allow it. A character is unmappable if the output
    /// encoding does not have it.
    #[arg(short, long, value_name = "MODE", value_enum, default_value_t)]
    #[arg(help_heading = "Conversion")]
    pub(crate) errors: Errors,

    /// What to do with unmappable characters [default: the same as --errors]
    #[arg(long, value_name = "MODE", help_heading = "Conversion")]
    pub(crate) unmappable: Option<Unmappable>,

    /// What to do with characters that --deny lists [default: strict with --errors strict, otherwise pass]
    ///
    /// With skip, replace and escape, the exit status is 0. These require kinds of characters: all, or any but
    /// mixed-newlines, crlf, lf and no-final-newline.
    #[arg(long, value_name = "MODE", help_heading = "Conversion")]
    pub(crate) denied: Option<Denied>,

    /// Transliterate for the language of LOC
    ///
    /// With de_DE, ü becomes ue. LOC is the name of a glibc locale. Requires --unmappable translit, or //TRANSLIT.
    #[arg(long, value_name = "LOC", help_heading = "Conversion")]
    #[arg(value_parser = TransliterationLocale::for_name)]
    pub(crate) translit_locale: Option<TransliterationLocale>,

    /// Leave out what cannot be converted (--errors=skip)
    #[arg(short = 'c', conflicts_with = "errors", help_heading = "Conversion")]
    pub(crate) skip: bool,

    /// Replacement text [default: U+FFFD, or ?]
    ///
    /// ? is used if the output encoding does not have U+FFFD.
    #[arg(long, value_name = "STR", help_heading = "Conversion")]
    #[arg(value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) replacement: Option<String>,

    /// Read ill-formed bytes as ENC: repairs mixed text
    ///
    /// Repairs UTF-8 that contains bytes of ENC, such as windows-1252 or GB18030. auto finds out which encoding it is, by
    /// the letters of the text.
    #[arg(long, value_name = "ENC", value_parser = FallbackParser, help_heading = "Conversion")]
    pub(crate) fallback: Option<Fallback>,

    /// Repair damaged text, such as Ã© for é; =ask shows each change and asks; =FROM..TO undoes a known misreading
    ///
    /// Undoes UTF-8 that was read in a wrong encoding and encoded again, also more than once, and text in one encoding that
    /// was read in another. Each damaged part is repaired by itself, if the letters of the text make it clear by 90 %; sound
    /// text is not changed. -v lists the changes. =ask also offers what is less sure.
    ///
    /// =FROM..TO says what happened: text in FROM was read as TO. Each word that is text in FROM, if its characters are
    /// written in TO, is replaced by that text; all others stay as they are, and are counted. cp932..ibm437 makes ÉVé╡éó to
    /// 新しい.
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, value_parser = RepairParser)]
    #[arg(default_missing_value = "all", help_heading = "Conversion")]
    pub(crate) repair: Option<RepairMode>,

    /// Byte order marks: auto, keep, strip, add, forbid, require [default: auto]
    #[arg(long, value_name = "MODE", help_heading = "Conversion")]
    pub(crate) bom: Option<Bom>,

    /// Declarations that the conversion makes false: note, update, keep [default: note]
    ///
    /// A declaration names the encoding in the text itself: encoding= in XML, charset= in HTML, @charset in CSS, coding
    /// cookies of Python, Ruby, Emacs and Vim, the headers of PO files and mails. It is looked for in the first 4 KiB.
    #[arg(long, value_name = "MODE", help_heading = "Conversion")]
    pub(crate) declaration: Option<DeclarationMode>,

    /// Byte order of UTF-16 and UTF-32 input without a byte order mark
    #[arg(long, value_name = "ORDER", value_enum, default_value_t, help_heading = "Conversion")]
    pub(crate) endian: Endian,

    /// Meaning of byte 15 in EBCDIC [default: as in the encoding's table]
    ///
    /// Byte 25 has the other meaning.
    #[arg(long, value_name = "END", help_heading = "Conversion")]
    pub(crate) ebcdic_newline: Option<LineEnd>,

    /// Line ends of the output [default: keep]
    ///
    /// LF, CRLF and CR end a line of the input, and so does NEL (U+0085) in EBCDIC. A text may have several of them.
    #[arg(long, value_name = "END", help_heading = "Conversion")]
    pub(crate) newline: Option<NewlineArg>,

    /// Add a line end to each text that does not end with one
    ///
    /// It is that of --newline, or else that of the first line of the text, or else LF. An empty text stays empty.
    #[arg(long, help_heading = "Conversion")]
    pub(crate) final_newline: bool,

    /// Write a normalization form of Unicode: nfc, nfd, nfkc, nfkd
    ///
    /// With nfc, e and U+0301 become é: the usual form of text. With nfd, é becomes e and U+0301, as in file names of
    /// macOS. nfkc and nfkd also write ﬁ as fi and ² as 2, which loses distinctions.
    #[arg(long, value_name = "FORM", help_heading = "Conversion")]
    pub(crate) normalize: Option<Normalize>,

    /// Read records of N bytes, and write each as a line
    ///
    /// For files of mainframes with records of a fixed length (RECFM=FB), which have no line ends. N counts bytes of the
    /// input.
    #[arg(long, value_name = "N", value_parser = record_length, help_heading = "Conversion")]
    pub(crate) record_length: Option<std::num::NonZeroU64>,

    /// With --record-length, leave out the blanks at the end of each record
    #[arg(long, help_heading = "Conversion")]
    pub(crate) trim_records: bool,

    /// Print the encoding of each file, with confidence, line ends and language
    ///
    /// Nothing is converted. The exit status is 1 if the encoding of a file is unknown. -v also prints the evidence and
    /// what else it may be; -q prints only the name of the encoding, and -s nothing.
    #[arg(long, help_heading = "Detection")]
    #[arg(conflicts_with_all = ["to", "check", "explain", "deny", "files_with_findings", "max_reports"])]
    #[arg(conflicts_with_all = ["errors", "unmappable", "skip", "replacement", "fallback", "repair", "bom", "endian"])]
    #[arg(conflicts_with_all = ["output", "in_place", "output_dir", "dry_run", "list", "list_translit"])]
    #[arg(conflicts_with_all = ["baseline", "write_baseline", "ebcdic_newline", "translit_locale", "force"])]
    #[arg(conflicts_with_all = ["denied", "newline", "final_newline", "normalize", "record_length"])]
    pub(crate) detect: bool,

    /// With --detect or -f auto, expect text in these languages
    ///
    /// TAGS are language tags such as ru, cs or zh-Hant, with commas between. Only encodings that were used for one of these
    /// languages are tried.
    #[arg(long, value_name = "TAGS", value_parser = language, value_delimiter = ',', help_heading = "Detection")]
    pub(crate) language: Vec<Language>,

    /// With --detect or -f auto, try these encodings only
    ///
    /// ENCS are names of encodings, with commas between. ASCII, UTF-8 and byte order marks are recognized besides.
    #[arg(long, value_name = "ENCS", value_parser = Encoding::for_name, value_delimiter = ',', help_heading = "Detection")]
    pub(crate) candidates: Vec<&'static Encoding>,

    /// With --detect or -f auto, do not believe what the text says of its encoding
    ///
    /// Such as charset= in HTML, or a coding cookie in Python.
    #[arg(long, help_heading = "Detection")]
    pub(crate) ignore_declaration: bool,

    /// Validate: report findings and write no text
    ///
    /// With -t, also report characters that the output encoding does not have.
    #[arg(long, help_heading = "Findings")]
    #[arg(conflicts_with_all = ["errors", "unmappable", "skip", "replacement", "fallback", "repair"])]
    #[arg(conflicts_with_all = ["output", "in_place", "output_dir", "dry_run"])]
    #[arg(conflicts_with_all = ["denied", "newline", "final_newline"])]
    pub(crate) check: bool,

    /// Like --check, but show each finding in its context
    ///
    /// Shows the bytes and the text around each finding, the rule that it breaks, what the bytes probably are, and the
    /// command that repairs them.
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true)]
    #[arg(value_parser = choice(PICTURES), default_missing_value = PICTURES[0].name)]
    #[arg(help_heading = "Findings")]
    #[arg(conflicts_with_all = ["errors", "unmappable", "skip", "replacement", "fallback", "repair"])]
    #[arg(conflicts_with_all = ["output", "in_place", "output_dir", "dry_run"])]
    #[arg(conflicts_with_all = ["denied", "newline", "final_newline"])]
    pub(crate) explain: Option<&'static FormatChoice>,

    /// Also report these characters (comma-separated list)
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = "Findings")]
    pub(crate) deny: Vec<Deny>,

    /// Print only the names of files with findings, one per line
    ///
    /// Like --check, but each file is read up to its first finding.
    #[arg(long, conflicts_with_all = ["explain", "stats", "write_baseline"], help_heading = "Findings")]
    #[arg(conflicts_with_all = ["errors", "unmappable", "skip", "replacement", "fallback", "repair"])]
    #[arg(conflicts_with_all = ["output", "in_place", "output_dir", "dry_run"])]
    #[arg(conflicts_with_all = ["denied", "newline", "final_newline"])]
    pub(crate) files_with_findings: bool,

    /// With --files-with-findings, end each name with a NUL byte
    #[arg(short = '0', long, help_heading = "Findings")]
    pub(crate) null: bool,

    /// With --check, ignore the known findings that FILE lists
    ///
    /// Only new findings are printed and set the exit status. Known findings that are gone are reported.
    #[arg(long, value_name = "FILE", help_heading = "Findings")]
    pub(crate) baseline: Option<PathBuf>,

    /// With --check, write all findings to FILE, for --baseline
    ///
    /// An older baseline is replaced. The exit status is 0 if every file could be read.
    #[arg(long, value_name = "FILE", conflicts_with = "baseline", help_heading = "Findings")]
    pub(crate) write_baseline: Option<PathBuf>,

    #[arg(long, value_name = "FORMAT", value_parser = choice(FORMATS).map(Format))]
    #[arg(default_value = Format::default().name, help = help_of_format(), help_heading = "Findings")]
    pub(crate) format: Format,

    #[arg(long, value_name = "N", value_parser = max_reports)]
    #[arg(help = help_of_max_reports(), help_heading = "Findings")]
    pub(crate) max_reports: Option<u64>,

    /// Merge the json documents of all shards, which are the FILEs, into one
    ///
    /// Writes the findings as one run would, with the lines and columns of the whole files, and has the exit status of that
    /// run. Nothing is written if a shard is missing or a document is not complete.
    #[arg(long, help_heading = "Findings")]
    #[arg(conflicts_with_all = ["check", "explain", "detect", "files_with_findings", "list", "list_translit"])]
    #[arg(conflicts_with_all = ["names", "rename", "undo_rename", "in_place", "output_dir", "dry_run"])]
    #[arg(conflicts_with_all = ["from", "to", "errors", "unmappable", "denied", "skip", "replacement", "fallback"])]
    #[arg(conflicts_with_all = ["repair", "bom", "declaration", "endian", "newline", "final_newline", "normalize"])]
    #[arg(conflicts_with_all = ["translit_locale", "ebcdic_newline", "record_length", "trim_records", "language", "candidates"])]
    #[arg(conflicts_with_all = ["ignore_declaration", "deny", "null", "baseline", "write_baseline", "max_reports"])]
    #[arg(conflicts_with_all = ["force", "if_invalid", "verify", "no_verify", "stats", "shard", "size", "resume"])]
    #[arg(conflicts_with_all = ["recursive", "include", "exclude", "hidden", "no_ignore", "files0_from"])]
    pub(crate) merge_findings: bool,

    /// Write to FILE
    ///
    /// An existing FILE is replaced when the output is complete. After an error it is unchanged.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Convert each file in place; SUFFIX keeps a backup
    ///
    /// With -i=.bak or -i.bak, the old text of FILE is kept in FILE.bak.
    #[arg(short, long, value_name = "SUFFIX", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "", conflicts_with = "output", help_heading = "Output")]
    pub(crate) in_place: Option<OsString>,

    /// Write each file to the same relative path below DIR
    #[arg(short = 'O', long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(conflicts_with_all = ["output", "in_place"], help_heading = "Output")]
    pub(crate) output_dir: Option<PathBuf>,

    /// With -i, -O, -f auto or -o onto the input, also convert files that would be refused
    ///
    /// A file is refused if its bytes contradict the encoding of -f, or if -f auto cannot tell which encoding it is in. Then
    /// the most likely one is taken.
    #[arg(long, help_heading = "Output")]
    pub(crate) force: bool,

    /// With -i or -O, convert only files that are not valid in the output encoding
    #[arg(long, help_heading = "Output")]
    pub(crate) if_invalid: bool,

    /// Decode and compare the output before it replaces a file; the default with -i
    #[arg(long, overrides_with = "no_verify", help_heading = "Output")]
    pub(crate) verify: bool,

    /// Replace files without comparing the output
    #[arg(long, overrides_with = "verify", help_heading = "Output")]
    pub(crate) no_verify: bool,

    /// Do not wait until the output is on disk
    ///
    /// This is faster, but a system crash may leave empty files.
    #[arg(long, help_heading = "Output")]
    pub(crate) no_sync: bool,

    /// Show what would change; write nothing
    #[arg(long, help_heading = "Output")]
    pub(crate) dry_run: bool,

    /// Search directories recursively
    ///
    /// Binary files and files that .gitignore names are skipped.
    #[arg(short, long, help_heading = "Files")]
    pub(crate) recursive: bool,

    /// With -r, read only files that match GLOB
    ///
    /// May be given more than once.
    #[arg(long, value_name = "GLOB", help_heading = "Files")]
    pub(crate) include: Vec<String>,

    /// With -r, skip files and directories that match GLOB
    ///
    /// May be given more than once.
    #[arg(long, value_name = "GLOB", help_heading = "Files")]
    pub(crate) exclude: Vec<String>,

    /// With -r, also read hidden files and directories
    #[arg(long, help_heading = "Files")]
    pub(crate) hidden: bool,

    /// With -r, also read files that .gitignore and other ignore files exclude
    #[arg(long, help_heading = "Files")]
    pub(crate) no_ignore: bool,

    /// Read file names from FILE, each ended by a NUL byte
    ///
    /// They are read in addition to those on the command line. - is standard input. With --check, --explain and --detect, each
    /// file is processed as soon as its name is read; with -i and -O, the whole list is read first.
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub(crate) files0_from: Option<PathBuf>,

    /// Convert or check only the K-th of N parts
    ///
    /// For work that several machines share. Of one file it is a piece of about the same length, from line to line where the
    /// lines are not too long; of several files, a share of their bytes. The outputs of all N, one after the other, are the
    /// output of the whole. Lines and columns of findings count from the start of a piece.
    #[arg(long, value_name = "K/N", value_parser = shard, help_heading = "Files")]
    #[arg(conflicts_with_all = ["in_place", "detect", "explain", "names", "undo_rename", "list", "list_translit"])]
    #[arg(conflicts_with_all = ["baseline", "write_baseline", "normalize", "repair"])]
    pub(crate) shard: Option<Shard>,

    /// With --shard, read the part from standard input; the whole text has BYTES
    ///
    /// Standard input begins at byte BYTES*(K-1)/N, rounded down, of the whole, and ends 65536 bytes after byte BYTES*K/N, or
    /// with the whole.
    #[arg(long, value_name = "BYTES", value_parser = size, help_heading = "Files")]
    pub(crate) size: Option<u64>,

    /// Skip what FILE says is done, and add to it what is done
    ///
    /// For runs that may be repeated. With --check, -o and -O. A file is done if it was read without a finding, with the same
    /// options, size and time of change, and if its output is still as it was written; files with findings are read again.
    /// Several runs can share FILE.
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    #[arg(conflicts_with_all = ["in_place", "detect", "explain", "names", "undo_rename", "list", "list_translit"])]
    #[arg(conflicts_with_all = ["baseline", "write_baseline", "dry_run", "files_with_findings", "if_invalid", "size"])]
    pub(crate) resume: Option<PathBuf>,

    /// Convert the names of files and directories, not their text
    ///
    /// Prints each name that would change, and changes nothing without --rename. With -r, also the names below directories.
    /// Symbolic links are never followed. -f auto judges all names of a directory tree together. Names that are valid UTF-8 stay,
    /// unless --force converts them.
    #[arg(long, help_heading = "Files")]
    #[arg(conflicts_with_all = ["check", "explain", "detect", "files_with_findings", "list", "list_translit"])]
    #[arg(conflicts_with_all = ["in_place", "output_dir", "baseline", "write_baseline", "declaration", "stats", "bom"])]
    pub(crate) names: bool,

    /// With --names, change the names
    ///
    /// Never onto a name that exists. Standard output, or FILE of -o, gets a list from which --undo-rename restores the old
    /// names.
    #[arg(long, help_heading = "Files")]
    pub(crate) rename: bool,

    /// Restore the names that --rename changed, as LIST says
    ///
    /// The newest comes first. Never onto a name that exists; names that are missing are reported. - is standard input.
    #[arg(long, value_name = "LIST", help_heading = "Files")]
    #[arg(conflicts_with_all = ["names", "rename", "check", "explain", "detect", "files_with_findings", "list", "list_translit"])]
    #[arg(conflicts_with_all = ["in_place", "output_dir", "baseline", "write_baseline", "declaration", "stats"])]
    #[arg(conflicts_with_all = ["from", "to", "errors", "unmappable", "skip", "replacement", "fallback", "bom", "deny"])]
    #[arg(conflicts_with_all = ["recursive", "files0_from", "force"])]
    pub(crate) undo_rename: Option<PathBuf>,

    /// Read long files through a memory map
    ///
    /// Blocks are copied out of the map before they are converted, so a file that changes meanwhile does no harm. Plain reads are
    /// usually faster, so auto uses them.
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        default_value_t,
        hide_default_value = true,
        help_heading = "Files"
    )]
    pub(crate) mmap: WhenToMap,

    /// Decompress files that gzip or zstd has compressed
    ///
    /// Their first bytes tell that; other files are read as they are. Line and byte numbers are those of the decompressed text.
    /// With -O, the outputs lose .gz and .zst at the end of their names. Data that needs a zstd window of more than 8 MiB, as
    /// --ultra and --long write it, is an error.
    #[arg(short = 'z', long, help_heading = "Files")]
    #[arg(conflicts_with_all = ["list", "list_translit", "names", "undo_rename"])]
    pub(crate) decompress: bool,

    /// Ignore .editorconfig, .gitattributes and oxiconv.toml
    ///
    /// --check and --explain apply the rules in these files.
    #[arg(long, help_heading = "Files")]
    pub(crate) no_config: bool,

    /// Number of threads [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = jobs, help_heading = "Files")]
    pub(crate) jobs: Option<std::num::NonZeroUsize>,

    /// Print no counts and no notes
    #[arg(short, long, help_heading = "Messages")]
    pub(crate) quiet: bool,

    /// Print no findings either, only errors of usage, input and output
    #[arg(short, long, help_heading = "Messages")]
    pub(crate) silent: bool,

    /// Print what is done with each file
    ///
    /// -vv also prints which files are skipped and why, the number of threads, and the kernels in use.
    #[arg(short, long, action = ArgAction::Count, help_heading = "Messages")]
    #[arg(conflicts_with_all = ["quiet", "silent"])]
    pub(crate) verbose: u8,

    /// Print totals at the end
    #[arg(long, help_heading = "Messages")]
    pub(crate) stats: bool,

    /// Show a progress bar on standard error
    ///
    /// auto shows it on a terminal if the work takes long. While files are still searched for, the bar is a line with the number
    /// of files that are done, their bytes and the speed.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t, help_heading = "Messages")]
    pub(crate) progress: When,

    /// Use colours
    ///
    /// auto uses them on a terminal, unless the environment variable NO_COLOR is set.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t, help_heading = "Messages")]
    pub(crate) color: When,

    /// List encodings: all, or those whose names match
    ///
    /// In place of files, give names, parts of names, or globs: --list latin1 cp125 'ibm-*'. With -v, also print the source,
    /// the structure and, for a name, which vendors mean another table by it. --format=json is possible too.
    #[arg(short, long, help_heading = "Information")]
    pub(crate) list: bool,

    /// List what is written for characters under transliteration
    ///
    /// In place of files, give characters: €, U+20AC, U+2190-U+21FF. With -t, the list is for that encoding.
    #[arg(long, help_heading = "Information")]
    #[arg(conflicts_with_all = ["list", "check", "explain", "output", "in_place", "output_dir"])]
    pub(crate) list_translit: bool,

    /// Print help (-h: a summary; --help: everything)
    #[arg(short, long, action = ArgAction::Help, help_heading = "Information")]
    help: Option<bool>,

    /// Print the version
    #[arg(short = 'V', long, action = ArgAction::Version, help_heading = "Information")]
    version: Option<bool>,

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

/// Returns the help of `--format`.
fn help_of_format() -> String {
    let names: Vec<_> = FORMATS.iter().map(|choice| choice.name).collect();
    format!("Format of findings: {}", names.join(", "))
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
    format!("Print at most N findings per file; 0 prints all [default: {}]", numbers.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Args::command().debug_assert();
    }
}
