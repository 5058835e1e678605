//! `--list`: all encodings, or those that the arguments name or match.

mod grouped;
mod pattern;

use std::io::{self, IsTerminal};

use anyhow::{Context, bail};

use oxiconv_encodings::encoding::{Encoding, VENDORS, differing_codes};
use oxiconv_report::{EncodingRow, FormatOptions, Task, visible};
use oxiconv_transcode::io::write_stdout;

use super::args::Args;
use super::config::Messages;
use super::tables::for_name_or_path;
use super::terminal::{Stream, columns};
use grouped::grouped;
use pattern::Pattern;

/// A row, with what it borrows.
struct Row {
    encoding: &'static Encoding,
    aliases: Vec<&'static str>,
    vendors: Vec<&'static str>,
    elsewhere: Vec<(String, String)>,
}

impl Row {
    fn new(encoding: &'static Encoding) -> Self {
        let (aliases, vendors) = (encoding.aliases().collect(), encoding.vendors().collect());
        Self { encoding, aliases, vendors, elsewhere: Vec::new() }
    }

    /// The row of an encoding that was asked for by this name.
    fn named(name: &str) -> anyhow::Result<Self> {
        let encoding = for_name_or_path(name)?;
        Ok(Self { elsewhere: elsewhere(name, encoding), ..Self::new(encoding) })
    }

    fn borrowed(&self) -> EncodingRow<'_> {
        EncodingRow {
            name: self.encoding.name(),
            aliases: &self.aliases,
            summary: self.encoding.summary(),
            source: self.encoding.source(),
            year: self.encoding.year(),
            structure: self.encoding.structure(),
            vendors: &self.vendors,
            elsewhere: &self.elsewhere,
            unit: self.encoding.unit(),
            bits: self.encoding.bits(),
        }
    }
}

/// Returns what vendors mean by a name that means another encoding to them.
fn elsewhere(name: &str, encoding: &'static Encoding) -> Vec<(String, String)> {
    let with_vendors = VENDORS.iter().map(|vendor| format!("{name}@{vendor}"));
    with_vendors
        .filter_map(|name| {
            let other = Encoding::for_name(&name).ok().filter(|other| *other != encoding)?;
            let meaning = match differing_codes(encoding, other) {
                Some(0) => format!("{other}, which differs in what is composed or written"),
                Some(1) => format!("{other}, in which 1 code differs"),
                Some(codes) => format!("{other}, in which {codes} codes differ"),
                None => other.to_string(),
            };
            Some((name, meaning))
        })
        .collect()
}

/// Returns the rows for an argument: of the encoding that has this name, or else of those that it matches.
///
/// `all_names` keeps the names that do not match.
fn rows(word: &str, all_names: bool) -> anyhow::Result<Vec<Row>> {
    let error = match Row::named(word) {
        Ok(row) => return Ok(vec![row]),
        Err(error) => error,
    };
    let pattern = Pattern::new(word).with_context(|| format!("--list '{}'", visible(word)))?;
    let rows: Vec<_> = pattern
        .encodings()
        .map(|(encoding, matched)| match Row::new(encoding) {
            row if all_names => row,
            row => Row { aliases: matched, ..row },
        })
        .collect();
    match rows.is_empty() {
        false => Ok(rows),
        true if pattern.is_glob() => {
            bail!("no encoding has a name that matches '{}'", visible(word))
        }
        true => Err(error),
    }
}

/// Prints the encodings that the arguments name or match, or all.
pub(crate) fn list(args: &Args) -> anyhow::Result<()> {
    let words: Vec<_> = args.files.iter().map(|word| word.to_string_lossy()).collect();
    let Messages { quiet, verbose, color, .. } = Messages::from(&args.messages);
    let mut options = FormatOptions::default();
    (options.task, options.quiet, options.verbose) = (Task::List, quiet, verbose);
    let format = (args.findings.format.new)(&options);
    let for_people = format.facts().is_for_people;
    if words.is_empty() && for_people && !verbose && io::stdout().is_terminal() {
        return print(grouped(columns(), Stream::Out.is_coloured(color)).as_bytes());
    }
    let mut all = Vec::new();
    for word in &words {
        all.extend(rows(word, verbose || !for_people)?);
    }
    if words.is_empty() {
        all.extend(Encoding::all().map(Row::new));
    }
    let all: Vec<_> = all.iter().map(Row::borrowed).collect();
    let text = format.rows().map(|rows| rows.encodings(&all, verbose));
    print(&text.unwrap_or_default())
}

fn print(text: &[u8]) -> anyhow::Result<()> {
    write_stdout(text).context("(standard output)")
}
