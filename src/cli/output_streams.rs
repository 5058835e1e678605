//! The two output streams, and what their terminal can show.

use std::io;

use anstream::{AutoStream, ColorChoice};

use super::args::When;

/// The default width, and the least and the greatest width of a picture, in columns.
const DEFAULT_COLUMNS: usize = 80;
const MIN_COLUMNS: usize = 40;
const MAX_COLUMNS: usize = 120;

/// Which stream a message is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Standard output: what was asked for.
    Out,
    /// Standard error: everything else.
    Err,
}

impl Stream {
    /// Whether output to it is coloured.
    pub(crate) fn is_coloured(self, color: When) -> bool {
        let auto = || match self {
            Self::Out => AutoStream::choice(&io::stdout()),
            Self::Err => AutoStream::choice(&io::stderr()),
        };
        match color {
            When::Auto => auto() != ColorChoice::Never,
            When::Always => true,
            When::Never => false,
        }
    }
}

/// Returns the width of a picture: from COLUMNS, or else from the terminal.
pub(crate) fn columns() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || {
        let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
        Some(usize::from(width.0))
    };
    let columns = told.filter(|columns| *columns > 0).or_else(terminal);
    columns.unwrap_or(DEFAULT_COLUMNS).clamp(MIN_COLUMNS, MAX_COLUMNS)
}
