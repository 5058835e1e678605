//! `--explain=all`: every character of a text, valid or not, as it comes.

use std::io::{self, Write};

use anstyle::Style;

use super::layout::{cell, wrap};
use super::output_format::{
    FormatChoice, FormatOptions, OutputFormat, Remainder, Subject, TextReporter,
};
use super::palette::{Palette, paint};
use crate::diagnostic::{Character, Detail, Finding, Kind, Reporter};
use crate::unicode::{CodePoint, is_scalar_value, name};

/// `--explain=all`.
pub(super) const CHOICE: FormatChoice = FormatChoice {
    name: "all",
    help: "Every character, valid or not",
    new: |options| Box::new(CharactersFormat::new(options)),
};

/// Width of the offset and of the bytes.
const OFFSET: usize = 8;
const BYTES: usize = 11;

/// Every character of each text.
struct CharactersFormat {
    columns: usize,
    palette: Palette,
}

impl CharactersFormat {
    fn new(options: &FormatOptions) -> Self {
        Self { columns: options.columns, palette: Palette::new(options.coloured) }
    }
}

impl OutputFormat for CharactersFormat {
    fn is_for_people(&self) -> bool {
        true
    }

    fn detail(&self) -> Detail {
        Detail::Characters
    }

    /// All findings are among the characters, without a limit.
    fn reporter<'a>(
        &self,
        _: Subject<'_>,
        _: Option<u64>,
        to: &'a mut dyn Write,
    ) -> Box<dyn TextReporter + 'a> {
        let Self { columns, palette } = *self;
        Box::new(Characters { to, columns, palette, kept: Remainder::default() })
    }
}

/// Shows every character of one text, in lines of at most `columns`.
struct Characters<W> {
    to: W,
    columns: usize,
    palette: Palette,
    kept: Remainder,
}

impl<W: Write> TextReporter for Characters<W> {
    fn close(self: Box<Self>) -> io::Result<Remainder> {
        Ok(self.kept)
    }
}

impl<W: Write> Characters<W> {
    /// Offset and bytes, and after them what is to be said, in lines.
    fn entry(&self, offset: u64, bytes: &[u8], found: bool, parts: &[String]) -> String {
        let hex: Vec<_> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        let hex = hex.join(" ");
        let Palette { found: red, frame, .. } = self.palette;
        let number = paint(frame, &format!("{offset:0OFFSET$x}"));
        let colour = match bytes {
            _ if found => red,
            [byte, ..] => self.palette.of_byte(*byte),
            [] => Style::new(),
        };
        let blanks = BYTES.saturating_sub(hex.len());
        let room = self.columns.saturating_sub(OFFSET + 2);
        let wide = self.columns >= 60 && hex.len() <= BYTES;
        let mut text = String::new();
        if hex.len() <= room {
            let hex = paint(colour, &hex);
            text = format!("{number}  {hex}{}", " ".repeat(if wide { blanks } else { 0 }));
        } else {
            for (index, line) in wrap("", &hex, room).lines().enumerate() {
                let lead =
                    if index == 0 { number.clone() } else { "\n".to_owned() + &" ".repeat(OFFSET) };
                text.push_str(&format!("{lead}  {}", paint(colour, line)));
            }
        }
        let indent = " ".repeat(OFFSET + 2 + if wide { BYTES + 2 } else { 0 });
        let mut first = wide;
        for part in parts {
            let lines = wrap(&indent, part, self.columns);
            if first {
                text.push_str("  ");
                text.push_str(&lines[indent.len()..]);
            } else {
                if !text.ends_with('\n') {
                    text.push('\n');
                }
                text.push_str(&lines);
            }
            first = false;
        }
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text
    }
}

impl<W: Write> Reporter for Characters<W> {
    fn character(&mut self, character: &Character<'_>) -> io::Result<()> {
        let Character { value, bytes, offset } = *character;
        let cp = CodePoint::try_from(value).ok();
        let shown = cp.map_or_else(String::new, |cp| format!(" {}", cell(cp)));
        let named = cp.map_or_else(|| "a value past U+10FFFF".to_owned(), name);
        let code_point = match cp {
            Some(cp) if cp <= crate::unicode::MAX_CODE_POINT => {
                // An escape says what the number does already.
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
        let entry = self.entry(finding.offset, finding.bytes, true, &[words]);
        self.to.write_all(entry.as_bytes())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }

    fn note(&mut self, words: &str) {
        self.kept.words.push((true, words.to_owned()));
    }

    fn remark(&mut self, words: &str) {
        self.kept.words.push((false, words.to_owned()));
    }
}

/// The code units of a scalar value in the three encoding forms.
fn forms(cp: CodePoint) -> Option<String> {
    let c = char::from_u32(cp)?;
    let utf8: Vec<_> =
        c.encode_utf8(&mut [0; 4]).bytes().map(|unit| format!("{unit:02X}")).collect();
    let utf16: Vec<_> =
        c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("{unit:04X}")).collect();
    Some(format!("UTF-8 {}, UTF-16 {}, UTF-32 {cp:08X}", utf8.join(" "), utf16.join(" ")))
}
