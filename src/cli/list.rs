//! `--list`.

use std::io::{self, Write};

use anyhow::Context;

use oxiconv::encoding::ALL;

/// Prints a line for each encoding: its name, how many bits it holds where that is what bounds it, and its other names;
/// with `details` also what it is and its source.
pub(crate) fn list(details: bool) -> anyhow::Result<()> {
    let width = ALL.iter().map(|encoding| encoding.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for encoding in ALL {
        let bits = encoding.bits().map(|bits| match bits {
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
    let mut stdout = io::stdout();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).context("(standard output)")
}
