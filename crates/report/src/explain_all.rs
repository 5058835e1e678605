//! `--explain=all`: shows every character of a text as it is decoded, valid or not. It prints directly, without a
//! diagnosis: nothing has to be held back.

use std::io::{self, Write};

use anstyle::Style;

use super::cell_class::CellClass;
use super::layout::{cell, wrap};
use super::output_format::{
    FormatChoice, FormatFacts, FormatOptions, OutputFormat, Remainder, Subject, TextReporter,
};
use super::palette::{Palette, paint};
use oxiconv_encodings::unicode::{CodePoint, is_scalar_value, name};
use oxiconv_transcode::diagnostic::{Character, Detail, Finding, Kind, Message, Reporter};

pub(super) const CHOICE: FormatChoice = FormatChoice {
    name: "all",
    help: "Every character, valid or not",
    new: |options| Box::new(ExplainAllFormat::new(options)),
};

/// Columns for the offset and for the bytes.
const OFFSET_WIDTH: usize = 8;
const BYTES_WIDTH: usize = 11;

struct ExplainAllFormat {
    columns: usize,
    palette: Palette,
}

impl ExplainAllFormat {
    fn new(options: &FormatOptions) -> Self {
        Self { columns: options.columns, palette: Palette::new(options.coloured) }
    }
}

impl OutputFormat for ExplainAllFormat {
    fn facts(&self) -> FormatFacts {
        FormatFacts {
            is_for_people: true,
            has_pieces: true,
            detail: Detail::Characters,
            ..FormatFacts::default()
        }
    }

    /// Prints all findings, between the characters, whatever the limit.
    fn reporter<'a>(
        &self,
        _: Subject<'_>,
        _: Option<u64>,
        to: &'a mut dyn Write,
    ) -> Box<dyn TextReporter + 'a> {
        let Self { columns, palette } = *self;
        Box::new(CharacterReporter { to, columns, palette, kept: Remainder::default() })
    }
}

/// Shows every character of one text, in lines of at most `columns`.
struct CharacterReporter<W> {
    to: W,
    columns: usize,
    palette: Palette,
    kept: Remainder,
}

impl<W: Write> TextReporter for CharacterReporter<W> {
    /// Shows it: every character is shown.
    fn known(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.finding(finding)
    }

    fn close(self: Box<Self>) -> io::Result<Remainder> {
        Ok(self.kept)
    }
}

impl<W: Write> CharacterReporter<W> {
    /// Formats one entry: offset, bytes and description, which may take several lines.
    fn entry(&self, offset: u64, bytes: &[u8], found: bool, parts: &[String]) -> String {
        let hex: Vec<_> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        let hex = hex.join(" ");
        let style = match bytes {
            _ if found => self.palette.found,
            [byte, ..] => self.palette.of(CellClass::of_byte(*byte)),
            [] => Style::new(),
        };
        // Does the first part fit next to the bytes?
        let wide = self.columns >= 60 && hex.len() <= BYTES_WIDTH;
        let mut text = self.start(offset, &hex, style);
        let mut parts = parts.iter();
        if wide {
            let indent = " ".repeat(OFFSET_WIDTH + 2 + BYTES_WIDTH + 2);
            let blanks = " ".repeat(BYTES_WIDTH - hex.len() + 2);
            let lines = |part: &String| wrap(&indent, part, self.columns);
            let first = parts.next().map(lines).unwrap_or_default();
            text.push_str(&blanks);
            text.push_str(first.strip_prefix(&indent).unwrap_or("\n"));
            text.extend(parts.map(lines));
        } else {
            text.push('\n');
            let indent = " ".repeat(OFFSET_WIDTH + 2);
            text.extend(parts.map(|part| wrap(&indent, part, self.columns)));
        }
        text
    }

    /// Formats offset and bytes, without a line break at the end.
    fn start(&self, offset: u64, hex: &str, style: Style) -> String {
        let number = paint(self.palette.frame, &format!("{offset:0OFFSET_WIDTH$x}"));
        let room = self.columns.saturating_sub(OFFSET_WIDTH + 2);
        if hex.len() <= room {
            return format!("{number}  {}", paint(style, hex));
        }
        let lines = wrap("", hex, room);
        let lines: Vec<_> = lines.lines().map(|line| paint(style, line)).collect();
        format!("{number}  {}", lines.join(&format!("\n{}", " ".repeat(OFFSET_WIDTH + 2))))
    }
}

impl<W: Write> Reporter for CharacterReporter<W> {
    fn character(&mut self, character: &Character<'_>) -> io::Result<()> {
        let Character { value, bytes, offset, .. } = *character;
        let cp = CodePoint::try_from(value).ok();
        let shown = cp.map_or_else(String::new, |cp| format!(" {}", cell(cp)));
        let named = cp.map_or_else(|| "a value past U+10FFFF".to_owned(), name);
        let code_point = match cp {
            Some(cp) if cp <= oxiconv_encodings::unicode::MAX_CODE_POINT => {
                // An escape would only repeat the number.
                let escape = shown.starts_with(" \\") && cp != u32::from('\\');
                let shown = if escape || shown.trim().is_empty() { "" } else { &shown };
                format!("U+{value:04X}{shown} {named}")
            }
            _ => format!("{value:X} {named}"),
        };
        let mut parts = vec![code_point];
        parts.extend(cp.filter(|cp| is_scalar_value(*cp)).and_then(forms));
        let entry = self.entry(offset, bytes, false, &parts);
        self.to.write_all(entry.as_bytes())
    }

    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.kept.shown += 1;
        let id = finding.kind.id();
        let words = match finding.kind {
            Kind::IllFormed(_) => format!("ill-formed [{id}]: {}", finding.sentence()),
            _ => format!("[{id}]: {}", finding.sentence()),
        };
        let entry = self.entry(finding.offset, &finding.bytes, true, &[words]);
        self.to.write_all(entry.as_bytes())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }

    fn message(&mut self, message: Message) {
        self.kept.messages.push(message);
    }
}

/// Formats the code units of a scalar value in the three encoding forms.
fn forms(cp: CodePoint) -> Option<String> {
    let c = char::from_u32(cp)?;
    let utf8: Vec<_> =
        c.encode_utf8(&mut [0; 4]).bytes().map(|unit| format!("{unit:02X}")).collect();
    let utf16: Vec<_> =
        c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("{unit:04X}")).collect();
    Some(format!("UTF-8 {}, UTF-16 {}, UTF-32 {cp:08X}", utf8.join(" "), utf16.join(" ")))
}
