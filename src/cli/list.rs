//! `--list`.

use std::io::{self, Write};

use anyhow::Context;

use oxiconv::encoding::ALL;

/// Prints a line for each encoding: its name and its other names; with `details` also what it is and its source.
pub(crate) fn list(details: bool) -> anyhow::Result<()> {
    let width = ALL.iter().map(|encoding| encoding.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for encoding in ALL {
        let line = format!("{:width$}  {}", encoding.name, encoding.aliases.join(" "));
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
