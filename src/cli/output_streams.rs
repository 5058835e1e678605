//! The two output streams: whether they are coloured, and how wide their terminal is.

use std::io;

use anstream::{AutoStream, ColorChoice};

use super::args::When;

/// The width of a picture in columns, if it is not known, and its bounds.
const DEFAULT_COLUMNS: usize = 80;
const MIN_COLUMNS: usize = 40;
const MAX_COLUMNS: usize = 120;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Standard output, for what was requested.
    Out,
    /// Standard error, for everything else.
    Err,
}

impl Stream {
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

/// Returns the width of a picture, from the environment variable `COLUMNS` or else from the terminal.
pub(crate) fn columns() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || {
        let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
        Some(usize::from(width.0))
    };
    let columns = told.filter(|columns| *columns > 0).or_else(terminal);
    columns.unwrap_or(DEFAULT_COLUMNS).clamp(MIN_COLUMNS, MAX_COLUMNS)
}
