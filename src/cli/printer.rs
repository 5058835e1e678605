//! Which renderer shows the findings of a file.

use std::io::{self, Write};

use oxiconv::diagnostic::{Character, Finding, Kind, Reporter};
use oxiconv::report::{Characters, Explain, Frame, TextReporter};
use oxiconv::transcode::From;

use super::args::Explained;
use super::config::Config;
use super::files::FileArg;
use super::messages::{Slot, SlotWriter, To};

/// Columns where nothing says how many there are, and the least that a picture is made for.
const COLUMNS: usize = 80;
const LEAST_COLUMNS: usize = 40;
const MOST_COLUMNS: usize = 120;

pub(crate) enum Printer<W: Write> {
    Text(TextReporter<W>),
    Explain(Box<Explain<W>>),
    Characters(Characters<W>),
}

impl<'s, 'o> Printer<SlotWriter<'s, 'o>> {
    /// The one that was asked for.
    pub(crate) fn new(config: &Config, file: &FileArg, slot: &'s mut Slot<'o>, to: To) -> Self {
        let (style, palette) = (slot.style(to), slot.palette(to));
        let writer = slot.to(to);
        match config.explain {
            None => Self::Text(TextReporter::new(writer, file.label(), style, config.limit)),
            Some(Explained::All) => Self::Characters(Characters::new(writer, columns(), palette)),
            Some(Explained::Findings) => {
                let from = match config.conversion.from {
                    From::Named(encoding) if encoding.name != "UTF-8" => Some(encoding.name),
                    From::Detected => Some("auto"),
                    From::Named(_) => None,
                };
                let frame = Frame {
                    path: file.label(),
                    file: file.path.clone(),
                    from,
                    to: config.conversion.to.map(|to| to.name),
                    columns: columns(),
                    style,
                    palette,
                };
                Self::Explain(Box::new(Explain::new(writer, frame, config.limit)))
            }
        }
    }
}

impl<W: Write> Printer<W> {
    /// Shows what is held back, and returns how many findings were not printed for the limit's sake, and the notes
    /// (`true`) and remarks on the whole text.
    pub(crate) fn close(self) -> io::Result<(u64, Vec<(bool, String)>)> {
        match self {
            Self::Text(text) => Ok(text.close()),
            Self::Explain(explain) => explain.close(),
            Self::Characters(characters) => Ok((0, characters.close())),
        }
    }

    fn reporter(&self) -> &dyn Reporter {
        match self {
            Self::Text(text) => text,
            Self::Explain(explain) => &**explain,
            Self::Characters(characters) => characters,
        }
    }

    fn reporter_mut(&mut self) -> &mut dyn Reporter {
        match self {
            Self::Text(text) => text,
            Self::Explain(explain) => &mut **explain,
            Self::Characters(characters) => characters,
        }
    }
}

impl<W: Write> Reporter for Printer<W> {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.reporter_mut().finding(finding)
    }

    fn wants_places(&self) -> bool {
        self.reporter().wants_places()
    }

    fn unplaced(&mut self, kind: Kind) {
        self.reporter_mut().unplaced(kind);
    }

    fn character(&mut self, character: &Character<'_>) -> io::Result<()> {
        self.reporter_mut().character(character)
    }

    fn text(&mut self, bytes: &[u8], encoding: &'static str) {
        self.reporter_mut().text(bytes, encoding);
    }

    fn flush(&mut self) -> io::Result<()> {
        self.reporter_mut().flush()
    }

    fn note(&mut self, words: &str) {
        self.reporter_mut().note(words);
    }

    fn remark(&mut self, words: &str) {
        self.reporter_mut().remark(words);
    }
}

/// Columns that there are: as COLUMNS says, else as the terminal has them.
fn columns() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || {
        let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
        Some(usize::from(width.0))
    };
    let columns = told.filter(|columns| *columns > 0).or_else(terminal);
    columns.unwrap_or(COLUMNS).clamp(LEAST_COLUMNS, MOST_COLUMNS)
}
