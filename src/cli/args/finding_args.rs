//! Options for what to check, and how to report findings.

use std::fmt;
use std::path::PathBuf;

use clap::Args;

use oxiconv_report::{FORMATS, FormatChoice, FormatOptions, JSON, PICTURES};
use oxiconv_transcode::diagnostic::DeniedKind;

use super::value_parsers::{Keyword, keyword, number, one_of, one_of_formats};

#[derive(Debug, Default, Args)]
#[group(skip)]
#[command(next_help_heading = "Check")]
pub(crate) struct FindingArgs {
    /// Validate: report findings and write no text
    ///
    /// With -t, also report characters that the output encoding does not have.
    #[arg(long)]
    pub(crate) check: bool,

    /// Like --check, but show each finding in its context
    ///
    /// Shows the bytes and the text around each finding, the rule it breaks, what the bytes probably are, and a command
    /// that repairs them; and of the first faulty line, how the likely encodings read it.
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true)]
    #[arg(value_parser = one_of_formats(PICTURES), default_missing_value = PICTURES[0].name)]
    pub(crate) explain: Option<&'static FormatChoice>,

    /// Also report these characters (comma-separated list)
    #[arg(long, value_name = "LIST", value_parser = one_of(DENY), value_delimiter = ',')]
    pub(crate) deny: Vec<DeniedKinds>,

    /// Print only the names of files with findings, one per line
    ///
    /// Like --check, but stops reading a file at its first finding.
    #[arg(long)]
    pub(crate) files_with_findings: bool,

    /// With --files-with-findings, end each name with a NUL byte
    #[arg(short = '0', long)]
    pub(crate) null: bool,

    /// With --check, report only findings that are not in FILE
    ///
    /// For a repository with many old findings. Only new ones are printed and set the exit status; a note counts those
    /// that no longer occur.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    /// With --check, record all findings in FILE, for --baseline
    ///
    /// Replaces an older baseline. The exit status is 0 if every file could be read.
    #[arg(long, value_name = "FILE")]
    pub(crate) write_baseline: Option<PathBuf>,

    #[arg(long, value_name = "FORMAT", value_parser = one_of(formats()))]
    #[arg(default_value = Format::default().0.name, help = help_of_format())]
    format: Format,

    /// Short for --format json
    #[arg(long)]
    json: bool,

    #[arg(long, value_name = "N", value_parser = max_reports, help = help_of_max_reports())]
    pub(crate) max_reports: Option<u64>,
}

impl FindingArgs {
    /// Returns the format that `--format` or `--json` asks for.
    pub(crate) fn format(&self) -> &'static FormatChoice {
        if self.json { JSON } else { self.format.0 }
    }

    /// Returns the option that asks for the format, as it is typed.
    pub(crate) fn format_option(&self) -> String {
        match self.json {
            true => "--json".to_owned(),
            false => format!("--format {}", self.format.0.name),
        }
    }

    /// Returns the kinds that the words of `--deny` stand for.
    pub(crate) fn denied(&self) -> impl Iterator<Item = DeniedKind> {
        self.deny.iter().flat_map(|denied| denied.iter().copied())
    }
}

/// The kinds that a word of `--deny` stands for.
pub(crate) type DeniedKinds = &'static [DeniedKind];

/// `--deny security`: text that deceives or hides.
pub(crate) const SECURITY: DeniedKinds = &[
    DeniedKind::Bidi,
    DeniedKind::Invisible,
    DeniedKind::Control,
    DeniedKind::Bom,
    DeniedKind::MixedScript,
    DeniedKind::Confusable,
];

/// `--deny all`: all kinds of characters except non-bmp. Emoji are no fault; only some databases cannot store them.
const ALL: DeniedKinds = &[
    DeniedKind::Nul,
    DeniedKind::Control,
    DeniedKind::Noncharacter,
    DeniedKind::PrivateUse,
    DeniedKind::Unassigned,
    DeniedKind::Invisible,
    DeniedKind::Bidi,
    DeniedKind::Replacement,
    DeniedKind::Bom,
];

/// The words of `--deny`, and of `deny` in `oxiconv.toml`.
pub(crate) const DENY: [Keyword<DeniedKinds>; 20] = [
    keyword("nul", &[DeniedKind::Nul], "U+0000"),
    keyword(
        "control",
        &[DeniedKind::Control],
        "C0 and C1 controls except tab, line feed and carriage return; U+007F",
    ),
    keyword(
        "noncharacter",
        &[DeniedKind::Noncharacter],
        "Noncharacters: U+FFFE, U+FDD0 and others",
    ),
    keyword(
        "private-use",
        &[DeniedKind::PrivateUse],
        "Private use: U+E000 to U+F8FF, planes 15 and 16",
    ),
    keyword("unassigned", &[DeniedKind::Unassigned], "Code points that have no character assigned"),
    keyword(
        "invisible",
        &[DeniedKind::Invisible],
        "Invisible characters with no effect: zero-width spaces, tags, stray variation selectors",
    ),
    keyword(
        "non-bmp",
        &[DeniedKind::NonBmp],
        "Characters above U+FFFF, which MySQL's utf8mb3 cannot store",
    ),
    keyword(
        "bidi",
        &[DeniedKind::Bidi],
        "Controls that reorder text: embeddings, overrides and isolates",
    ),
    keyword("replacement", &[DeniedKind::Replacement], "U+FFFD in the input"),
    keyword("bom", &[DeniedKind::Bom], "U+FEFF after the start of the text"),
    keyword(
        "mixed-newlines",
        &[DeniedKind::MixedNewlines],
        "Line endings that differ from the first one",
    ),
    keyword("crlf", &[DeniedKind::Crlf], "The first line that ends with CRLF"),
    keyword("lf", &[DeniedKind::Lf], "The first line that ends with LF and no CR before it"),
    keyword("no-final-newline", &[DeniedKind::NoFinalNewline], "No newline at the end of the text"),
    keyword(
        "not-nfc",
        &[DeniedKind::NotNfc],
        "Text that is not in Normalization Form C, such as e and U+0301 for é",
    ),
    keyword("mojibake", &[DeniedKind::Mojibake], "Damaged text, such as Ã© for é"),
    keyword(
        "mixed-script",
        &[DeniedKind::MixedScript],
        "Identifiers that mix Latin letters with lookalikes, such as pаypal with a Cyrillic а",
    ),
    keyword(
        "confusable",
        &[DeniedKind::Confusable],
        "Identifiers without Latin letters that look like ASCII, such as ѕсоре in Cyrillic",
    ),
    keyword(
        "security",
        SECURITY,
        "Text that deceives or hides: bidi, invisible, control, bom, mixed-script and confusable",
    ),
    keyword(
        "all",
        ALL,
        "All kinds of characters except non-bmp: nul, control, noncharacter, private-use, unassigned, invisible, \
         bidi, replacement and bom",
    ),
];

/// A value of `--format`. The first in the list of formats is the default.
#[derive(Clone, Copy)]
struct Format(&'static FormatChoice);

impl Default for Format {
    fn default() -> Self {
        Self(&FORMATS[0])
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

fn formats() -> impl Iterator<Item = Keyword<Format>> {
    FORMATS.iter().map(|format| keyword(format.name, Format(format), format.help))
}

fn max_reports(most: &str) -> Result<u64, String> {
    number("--max-reports", most)
}

fn help_of_format() -> String {
    let names: Vec<_> = FORMATS.iter().map(|choice| choice.name).collect();
    format!("Format of findings: {}", names.join(", "))
}

/// Returns the help of `--max-reports`. Each format has its own default, so those with the same one are grouped:
/// `N in text and github, all in json`.
fn help_of_max_reports() -> String {
    let mut names_by_number: Vec<(Option<u64>, Vec<&str>)> = Vec::new();
    for choice in FORMATS {
        let number = (choice.new)(&FormatOptions::default()).facts().most_findings;
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

/// `a, b and c`
fn listed(names: &[&str]) -> String {
    match names {
        [first @ .., before, last] => {
            let first: String = first.iter().map(|name| format!("{name}, ")).collect();
            format!("{first}{before} and {last}")
        }
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_the_kinds_of_characters_but_one() {
        for kind in DeniedKind::ALL {
            let is_meant = kind.is_of_characters() && kind != DeniedKind::NonBmp;
            assert_eq!(ALL.contains(&kind), is_meant, "{kind:?}");
        }
    }
}
