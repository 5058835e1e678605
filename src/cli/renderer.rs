//! Which renderer shows the findings of a file.

use std::io::{self, Write};

use crate::diagnostic::{Character, Finding, Kind, Reporter, Row};
use crate::encoding::Encoding;
use crate::report::{Characters, Explain, Frame, Printer, Remainder};
use crate::transcode::InputEncoding;

use super::args::Explained;
use super::config::Config;
use super::files::FileArg;
use super::messages::{FileOutput, FileOutputWriter};
use super::output_format::OutputFormat;

/// Columns where nothing says how many there are, and the least that a picture is made for.
const COLUMNS: usize = 80;
const LEAST_COLUMNS: usize = 40;
const MOST_COLUMNS: usize = 120;

pub(crate) enum Renderer<W: Write> {
    Findings(Printer<W>),
    Explain(Box<Explain<W>>),
    Characters(Characters<W>),
}

impl<'s, 'o> Renderer<FileOutputWriter<'s, 'o>> {
    /// The one that was asked for.
    pub(crate) fn new(
        config: &Config,
        output_format: &OutputFormat,
        file: &FileArg,
        file_output: &'s mut FileOutput<'o>,
    ) -> Self {
        let to = output_format.to();
        let (style, palette) = (file_output.style(to), file_output.palette(to));
        match config.explain {
            None => {
                let form = output_format.form(file, file_output);
                Self::Findings(Printer::new(file_output.to(to), form, config.limit))
            }
            Some(Explained::All) => {
                Self::Characters(Characters::new(file_output.to(to), columns(), palette))
            }
            Some(Explained::Findings) => {
                let from = match config.conversion.from() {
                    InputEncoding::Named(encoding) if encoding != Encoding::UTF_8 => {
                        Some(encoding.name)
                    }
                    InputEncoding::Detected => Some("auto"),
                    InputEncoding::Named(_) => None,
                };
                let frame = Frame {
                    path: file.label(),
                    file: file.path.clone(),
                    from,
                    to: config.conversion.to().map(|to| to.name),
                    columns: columns(),
                    style,
                    palette,
                };
                Self::Explain(Box::new(Explain::new(file_output.to(to), frame, config.limit)))
            }
        }
    }
}

impl<W: Write> Renderer<W> {
    /// Shows what is held back, and returns what is left to say.
    pub(crate) fn close(self) -> io::Result<Remainder> {
        match self {
            Self::Findings(findings) => Ok(findings.close()),
            Self::Explain(explain) => explain.close(),
            Self::Characters(characters) => Ok(characters.close()),
        }
    }

    fn reporter(&self) -> &dyn Reporter {
        match self {
            Self::Findings(findings) => findings,
            Self::Explain(explain) => &**explain,
            Self::Characters(characters) => characters,
        }
    }

    fn reporter_mut(&mut self) -> &mut dyn Reporter {
        match self {
            Self::Findings(findings) => findings,
            Self::Explain(explain) => &mut **explain,
            Self::Characters(characters) => characters,
        }
    }
}

impl<W: Write> Reporter for Renderer<W> {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.reporter_mut().finding(finding)
    }

    fn row(&mut self, row: &Row<'_>) -> io::Result<bool> {
        self.reporter_mut().row(row)
    }

    fn wants_places(&self) -> bool {
        self.reporter().wants_places()
    }

    fn unplaced(&mut self, kind: Kind, count: u64) {
        self.reporter_mut().unplaced(kind, count);
    }

    fn character(&mut self, character: &Character<'_>) -> io::Result<()> {
        self.reporter_mut().character(character)
    }

    fn text(&mut self, bytes: &[u8], encoding: &'static Encoding) {
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
