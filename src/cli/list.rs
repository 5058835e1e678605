//! `--list`.

use std::io::{self, Write};

use anyhow::Context;

use crate::encoding::ALL;
use crate::report::Event;

use super::args::Format;
use super::config::Config;

/// Prints the encodings.
pub(crate) fn list(config: &Config) -> anyhow::Result<()> {
    let text = match config.format {
        Format::Json => events(),
        _ => lines(config.verbose).into_bytes(),
    };
    let mut stdout = io::stdout();
    stdout.write_all(&text).and_then(|()| stdout.flush()).context("(standard output)")
}

/// An event for each encoding.
fn events() -> Vec<u8> {
    let rows = ALL.iter().map(|encoding| Event::Encoding {
        name: encoding.name,
        aliases: encoding.aliases,
        summary: encoding.summary,
        source: encoding.source,
        unit: encoding.unit,
        bits: encoding.bits,
    });
    std::iter::once(Event::start("list")).chain(rows).flat_map(|event| event.line()).collect()
}

/// A line for each encoding: its name, how many bits it holds where that is what bounds it, and its other names; with
/// `details` also what it is and its source.
fn lines(details: bool) -> String {
    let width = ALL.iter().map(|encoding| encoding.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for encoding in ALL {
        let bits = encoding.bits.map(|bits| match bits {
            1 => "(1 bit)".to_owned(),
            _ => format!("({bits} bits)"),
        });
        let words: Vec<_> =
            bits.as_deref().into_iter().chain(encoding.aliases.iter().copied()).collect();
        let line = format!("{:width$}  {}", encoding.name, words.join(" "));
        text.push_str(line.trim_end());
        text.push('\n');
        if details {
            text.push_str(&format!("{:width$}  {}\n", "", encoding.summary));
            text.push_str(&format!("{:width$}  source: {}\n", "", encoding.source));
        }
    }
    text
}
