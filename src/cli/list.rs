//! `--list`.

use std::io::{self, Write};

use anyhow::{Context, bail};

use crate::encoding::ALL;
use crate::io::BlockingFile;
use crate::report::{EncodingRow, FORMATS, FormatOptions};

use super::config::Config;

/// Prints the encodings.
pub(crate) fn list(config: &Config) -> anyhow::Result<()> {
    let rows: Vec<_> = ALL
        .iter()
        .map(|encoding| EncodingRow {
            name: encoding.name,
            aliases: encoding.aliases,
            summary: encoding.summary,
            source: encoding.source,
            unit: encoding.unit,
            bits: encoding.bits,
        })
        .collect();
    let Some(text) = config.format.encodings(&rows, config.verbose) else {
        bail!("--list works only with {}", formats_with_lists().join(" or "));
    };
    let mut stdout = BlockingFile(io::stdout().lock());
    stdout.write_all(&text).and_then(|()| stdout.flush()).context("(standard output)")
}

/// Returns the options of the formats that can list encodings.
fn formats_with_lists() -> Vec<String> {
    let has_list = |new: fn(&FormatOptions) -> _| {
        let format: Box<dyn crate::report::OutputFormat> = new(&FormatOptions::default());
        format.encodings(&[], false).is_some()
    };
    let formats = FORMATS.iter().filter(|choice| has_list(choice.new));
    formats.map(|choice| format!("--format {}", choice.name)).collect()
}
