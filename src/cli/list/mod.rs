//! `--list`: common encodings on a terminal, all of them elsewhere, or those that the arguments name or describe.

mod common;
mod grouped;
mod pattern;

use std::io::{self, IsTerminal};

use anyhow::{Context, bail};

use oxiconv_encodings::encoding::{Encoding, VENDORS, differing_codes};
use oxiconv_os::write_stdout;
use oxiconv_report::{EncodingRow, FormatOptions, Task, visible};

use super::args::Args;
use super::common_encodings::found_by;
use super::config::MessageConfig;
use super::output_streams::{Stream, columns};
use super::user_tables::for_name_or_path;
use common::common;
use grouped::grouped;
use pattern::Pattern;

const ALL: &str = "all";

/// An encoding to list, with the lists that [`EncodingRow`] borrows.
struct ListedEncoding {
    encoding: &'static Encoding,
    /// The aliases that matched, or all; for an encoding found by its description, that instead.
    aliases: Vec<&'static str>,
    vendors: Vec<&'static str>,
    elsewhere: Vec<(String, String)>,
}

impl ListedEncoding {
    fn new(encoding: &'static Encoding) -> Self {
        let (aliases, vendors) = (encoding.aliases().collect(), encoding.vendors().collect());
        Self { encoding, aliases, vendors, elsewhere: Vec::new() }
    }

    /// The encoding that was asked for by this name, with what vendors mean by it.
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

/// Returns the vendors to whom a name means another encoding, and what it means to them.
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

/// Returns the rows for one argument: the encoding with this name or else all that have a matching name, followed by
/// those that it describes, such as `russian` or `excel`.
///
/// Rows show the aliases that matched, or all aliases with `all_names`.
fn rows(word: &str, all_names: bool) -> anyhow::Result<Vec<ListedEncoding>> {
    let (mut rows, unknown) = match ListedEncoding::named(word) {
        Ok(row) => (vec![row], None),
        Err(error) => (Vec::new(), Some(error)),
    };
    if unknown.is_some() {
        let pattern = Pattern::new(word).with_context(|| format!("--list '{}'", visible(word)))?;
        rows.extend(pattern.encodings().map(|(encoding, matched)| {
            match ListedEncoding::new(encoding) {
                row if all_names => row,
                row => ListedEncoding { aliases: matched, ..row },
            }
        }));
        if rows.is_empty() && pattern.is_glob() {
            bail!("no encoding has a name that matches '{}'", visible(word));
        }
    }
    let is_new = |encoding: &&Encoding| rows.iter().all(|row| row.encoding != *encoding);
    let described: Vec<_> = found_by(word).into_iter().filter(is_new).collect();
    rows.extend(described.into_iter().map(|encoding| match ListedEncoding::new(encoding) {
        row if all_names => row,
        // No name matches, so the summary is shown instead: it says why the row is here.
        row => ListedEncoding { aliases: vec![encoding.summary()], ..row },
    }));
    match unknown {
        Some(error) if rows.is_empty() => Err(error),
        _ => Ok(rows),
    }
}

pub(crate) fn list(args: &Args) -> anyhow::Result<()> {
    let words: Vec<_> = args.files.iter().map(|word| word.to_string_lossy()).collect();
    let MessageConfig { quiet, verbose, color, .. } = MessageConfig::from(&args.messages);
    let mut options = FormatOptions::default();
    (options.task, options.quiet, options.verbose) = (Task::List, quiet, verbose);
    let format = (args.findings.format().new)(&options);
    let for_people = format.facts().is_for_people;
    let wants_all = matches!(&words[..], [word] if *word == ALL);
    if for_people && !verbose && (wants_all || words.is_empty() && io::stdout().is_terminal()) {
        let shown = if wants_all { grouped } else { common };
        return print(shown(columns(), Stream::Out.is_coloured(color)).as_bytes());
    }
    let mut all = Vec::new();
    if words.is_empty() || wants_all {
        all.extend(Encoding::all().map(ListedEncoding::new));
    } else {
        for word in &words {
            all.extend(rows(word, verbose || !for_people)?);
        }
    }
    let all: Vec<_> = all.iter().map(ListedEncoding::borrowed).collect();
    let text = format.rows().map(|rows| rows.encodings(&all, verbose));
    print(&text.unwrap_or_default())
}

fn print(text: &[u8]) -> anyhow::Result<()> {
    write_stdout(text).context("(standard output)")
}
