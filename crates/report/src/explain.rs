//! `--explain`: each finding as a picture, with the rule that it breaks and its probable cause.

use std::io::Write;

use super::diagnosis::Diagnosis;
use super::output_format::{
    FormatChoice, FormatFacts, FormatOptions, OutputFormat, Subject, TextReporter,
};
use super::palette::Palette;
use super::picture::Pictures;
use super::terminal_drawing::TerminalDrawing;
use super::text::DEFAULT_MAX_FINDINGS;
use oxiconv_transcode::diagnostic::Detail;

pub(super) const CHOICE: FormatChoice = FormatChoice {
    name: "findings",
    help: "The findings",
    new: |options| Box::new(ExplainFormat { options: *options }),
};

/// The format that shows pictures of findings.
struct ExplainFormat {
    options: FormatOptions,
}

impl OutputFormat for ExplainFormat {
    fn facts(&self) -> FormatFacts {
        FormatFacts {
            is_for_people: true,
            has_pieces: true,
            detail: Detail::Context,
            most_findings: Some(DEFAULT_MAX_FINDINGS),
            ..FormatFacts::default()
        }
    }

    fn reporter<'a>(
        &self,
        text: Subject<'_>,
        limit: Option<u64>,
        to: &'a mut dyn Write,
    ) -> Box<dyn TextReporter + 'a> {
        let FormatOptions { coloured, columns, .. } = self.options;
        let terminal = TerminalDrawing {
            path: text.label(),
            columns,
            palette: Palette::new(coloured),
            shows_clean: !self.options.quiet && !self.options.recursive,
        };
        let pictures = Pictures::new(text, self.options.asked(), terminal);
        Box::new(Diagnosis::new(to, pictures, limit))
    }
}
