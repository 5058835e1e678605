//! `--files-with-findings`: a format that prints the name of each file with findings, and nothing else.

use std::io::{self, Write};

use oxiconv_report::{FormatFacts, OutputFormat, Remainder, Subject, TextReporter};
use oxiconv_transcode::diagnostic::{Finding, Reporter, Severity};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameEnd {
    Line,
    Nul,
}

pub(crate) struct FileNames {
    pub(crate) end: NameEnd,
    /// Escape the names, which are printed on a terminal. A program gets their bytes.
    pub(crate) terminal: bool,
}

impl FileNames {
    fn name(&self, text: Subject<'_>) -> Vec<u8> {
        let mut name = match text.path() {
            Some(path) if !self.terminal => path.as_os_str().as_encoded_bytes().to_vec(),
            _ => text.label().into_bytes(),
        };
        name.push(if self.end == NameEnd::Nul { 0 } else { b'\n' });
        name
    }
}

impl OutputFormat for FileNames {
    fn facts(&self) -> FormatFacts {
        FormatFacts { is_for_people: true, ..FormatFacts::default() }
    }

    fn reporter<'a>(
        &self,
        text: Subject<'_>,
        _: Option<u64>,
        to: &'a mut dyn Write,
    ) -> Box<dyn TextReporter + 'a> {
        Box::new(NameReporter { to, name: Some(self.name(text)) })
    }
}

/// Prints the name of one text at its first finding.
struct NameReporter<W> {
    to: W,
    name: Option<Vec<u8>>,
}

impl<W: Write> TextReporter for NameReporter<W> {
    fn close(self: Box<Self>) -> io::Result<Remainder> {
        Ok(Remainder::default())
    }
}

impl<W: Write> Reporter for NameReporter<W> {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        match self.name.take_if(|_| finding.severity() > Severity::Note) {
            Some(name) => self.to.write_all(&name),
            None => Ok(()),
        }
    }

    fn wants_places(&self) -> bool {
        self.name.is_some()
    }
}
